/* The Taylor kernels. Each order k >= 1 is an inner sum over l = 1..k-1, computed once and kept,
 * plus end terms with the newest orders of the arguments (docs/math/taylor.md, sections 2 and 3).
 */
#include "expr/jet.h"

#include <math.h>

#include "expr/ops.h"

taut_status taut_jet_create(const taut_tape *tape, int last_stage, taut_arena *arena,
                            taut_jet **jet) {
    taut_jet *j = TAUT_NEW(arena, taut_jet);
    if (!j) return TAUT_ERR_MEMORY;
    *j = (taut_jet){.tape = tape, .last_stage = last_stage, .h = 1.0};
    j->series = TAUT_NEW_ARRAY(arena, tape->size, double *);
    j->inner = TAUT_NEW_ARRAY(arena, tape->size, double);
    if (!j->series || !j->inner) return TAUT_ERR_MEMORY;
    size_t total = 0;
    for (int i = 0; i < tape->size; i++) {
        const int length = last_stage + tape->instr[i].offset + 1;
        if (length > 0) total += (size_t)length;
    }
    double *coef = TAUT_NEW_ARRAY(arena, total, double);
    if (!coef) return TAUT_ERR_MEMORY;
    for (int i = 0; i < tape->size; i++) {
        const int length = last_stage + tape->instr[i].offset + 1;
        j->series[i] = coef;
        if (length > 0) coef += length;
    }
    *jet = j;
    return TAUT_OK;
}

void taut_jet_start(taut_jet *jet, double t, double h) {
    jet->t = t;
    jet->h = h;
}

/* ---- inner sums, l = 1 .. k-1 ---- */

static double sum_product(const double *a, const double *b, int k) {
    double sum = 0.0;
    for (int l = 1; l < k; l++) sum += a[l] * b[k - l];
    return sum;
}

static double sum_square(const double *a, int k) {
    double sum = 0.0;
    for (int l = 1; 2 * l < k; l++) sum += a[l] * a[k - l];
    sum *= 2.0;
    if (k % 2 == 0 && k > 0) sum += a[k / 2] * a[k / 2];
    return sum;
}

static double sum_chain(const double *a, const double *w, int k) {
    double sum = 0.0;
    for (int l = 1; l < k; l++) sum += (double)l * a[l] * w[k - l];
    return sum;
}

static double inner_sum(const taut_jet *jet, const taut_instr *instr, int slot, int k) {
    double **x = jet->series;
    switch (instr->kernel) {
    case TAUT_KERNEL_MULTIPLY: return sum_product(x[instr->a], x[instr->b], k);
    case TAUT_KERNEL_SQUARE: return sum_square(x[instr->a], k);
    case TAUT_KERNEL_DIVIDE: return sum_product(x[instr->b], x[slot], k);
    case TAUT_KERNEL_ROOT: return sum_square(x[slot], k);
    case TAUT_KERNEL_CHAIN: {
        double sum = 0.0;
        const taut_tape_term *pair = jet->tape->term + instr->first;
        for (int i = 0; i < instr->count; i++)
            sum += sum_chain(x[pair[i].slot], x[pair[i].weight], k);
        return sum / k;
    }
    default: return 0.0;
    }
}

/* ---- a coefficient from the inner sum and the end terms ---- */

static double linear(const taut_jet *jet, const taut_instr *instr, int slot, int k) {
    double sum = k == 0 ? jet->tape->constant[slot] : 0.0;
    const taut_tape_term *term = jet->tape->term + instr->first;
    for (int i = 0; i < instr->count; i++) sum += term[i].coef * jet->series[term[i].slot][k];
    return sum;
}

/* (k+p)!/k! h^-p e_(k+p) */
static double shift(const double *e, int k, int p, double h) {
    double factor = 1.0;
    for (int i = 1; i <= p; i++) factor *= (double)(k + i) / h;
    return factor * e[k + p];
}

/* Order 0: the operation itself. */
static double order_zero(const taut_jet *jet, const taut_instr *instr, int slot) {
    switch (instr->kernel) {
    case TAUT_KERNEL_STEADY: return jet->tape->constant[slot];
    case TAUT_KERNEL_TIME: return jet->t;
    case TAUT_KERNEL_VARIABLE: return jet->series[slot][0];
    case TAUT_KERNEL_LINEAR: return linear(jet, instr, slot, 0);
    case TAUT_KERNEL_SHIFT: return shift(jet->series[instr->a], 0, instr->p, jet->h);
    default: break;
    }
    const double a = jet->series[instr->a][0];
    const double b = instr->b >= 0 ? jet->series[instr->b][0] : 0.0;
    return taut_op_value((taut_op)instr->op, a, b);
}

/* Order k >= 1, given the inner sum. */
static double end_terms(const taut_jet *jet, const taut_instr *instr, int slot, int k,
                        double inner) {
    double **x = jet->series;
    const double *a = instr->a >= 0 ? x[instr->a] : NULL, *b = instr->b >= 0 ? x[instr->b] : NULL;
    const double *v = x[slot];
    switch (instr->kernel) {
    case TAUT_KERNEL_TIME: return k == 1 ? jet->h : 0.0;
    case TAUT_KERNEL_VARIABLE: return v[k];
    case TAUT_KERNEL_LINEAR: return linear(jet, instr, slot, k);
    case TAUT_KERNEL_MULTIPLY: return a[0] * b[k] + a[k] * b[0] + inner;
    case TAUT_KERNEL_SQUARE: return 2.0 * a[0] * a[k] + inner;
    case TAUT_KERNEL_DIVIDE: return (a[k] - v[0] * b[k] - inner) / b[0];
    case TAUT_KERNEL_ROOT: return (a[k] - inner) / (2.0 * v[0]);
    case TAUT_KERNEL_CHAIN: {
        const taut_tape_term *pair = jet->tape->term + instr->first;
        for (int i = 0; i < instr->count; i++) inner += x[pair[i].slot][k] * x[pair[i].weight][0];
        return inner;
    }
    case TAUT_KERNEL_SHIFT: return shift(a, k, instr->p, jet->h);
    default: return 0.0; /* STEADY */
    }
}

void taut_jet_stage(taut_jet *jet, int s) {
    const taut_tape *tape = jet->tape;
    for (int i = 0; i < tape->size; i++) {
        const taut_instr *instr = &tape->instr[i];
        const int k = s + instr->offset;
        if (k < 0) continue;
        if (k == 0) {
            jet->series[i][0] = order_zero(jet, instr, i);
        } else {
            jet->inner[i] = inner_sum(jet, instr, i, k);
            jet->series[i][k] = end_terms(jet, instr, i, k, jet->inner[i]);
        }
    }
}

void taut_jet_finish(taut_jet *jet, int s) {
    const taut_tape *tape = jet->tape;
    for (int i = 0; i < tape->size; i++) {
        const taut_instr *instr = &tape->instr[i];
        const int k = s + instr->offset;
        if (k < 0 || !instr->active) continue;
        jet->series[i][k] =
            k == 0 ? order_zero(jet, instr, i) : end_terms(jet, instr, i, k, jet->inner[i]);
    }
}

void taut_jet_rescale(taut_jet *jet, double ratio, int s) {
    for (int i = 0; i < jet->tape->size; i++) {
        const int top = s + jet->tape->instr[i].offset;
        double power = 1.0;
        for (int k = 0; k <= top; k++, power *= ratio) jet->series[i][k] *= power;
    }
    jet->h *= ratio;
}

int taut_jet_bad_slot(const taut_jet *jet, int s) {
    for (int i = 0; i < jet->tape->size; i++) {
        const int top = s + jet->tape->instr[i].offset;
        for (int k = 0; k <= top; k++)
            if (!isfinite(jet->series[i][k])) return i;
    }
    return -1;
}
