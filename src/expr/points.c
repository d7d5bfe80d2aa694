/* The bundles of a program, operation by operation, with the numbers of all runs side by side. */
#include "expr/points.h"

#include "core/abreast.h"
#include "expr/ops.h"
#include "expr/point_parts.h"

/* One operation; sums have terms. */
typedef struct operation {
    taut_bundle_kind kind;
    int op, a, b; /* places of its arguments */
    int result;
    int first, count;
    double constant;
    bool padded; /* its bundle has longer sums: it adds zeros as well */
} operation;

struct taut_points {
    const taut_point *like;
    operation *operation;
    int operations;
    int *source; /* [terms] places */
    int *at;     /* [terms] where their factors are: column * TAUT_LANES + lane */
    int terms;
    double *coef, *value, *factor; /* [terms], [values], [targets] */
};

static void add(taut_points *p, const taut_bundle *b, int lane) {
    const taut_point *like = p->like;
    operation *x = &p->operation[p->operations++];
    *x = (operation){.kind = b->kind,
                     .op = b->op[lane],
                     .a = b->a[lane],
                     .b = b->b[lane],
                     .result = b->result + lane,
                     .first = p->terms,
                     .constant = b->constant[lane]};
    for (int i = b->first; i < b->first + b->columns && b->kind == TAUT_BUNDLE_SUM; i++) {
        if (like->column[i].place[lane] == like->inputs) { /* the number 0 */
            x->padded = true;
            continue;
        }
        p->source[p->terms] = like->column[i].place[lane];
        p->at[p->terms++] = i * TAUT_LANES + lane;
    }
    x->count = p->terms - x->first;
}

taut_status taut_points_create(const taut_point *like, taut_arena *arena, taut_points **points) {
    taut_points *p = *points = TAUT_NEW(arena, taut_points);
    if (!p) return TAUT_ERR_MEMORY;
    const size_t most = like->columns * TAUT_LANES;
    p->like = like;
    p->operation = TAUT_NEW_ARRAY(arena, like->bundles * TAUT_LANES, operation);
    p->source = TAUT_NEW_ARRAY(arena, most, int);
    p->at = TAUT_NEW_ARRAY(arena, most, int);
    p->coef = TAUT_NEW_ARRAY(arena, most * TAUT_ABREAST, double);
    p->value = TAUT_NEW_ARRAY(arena, like->values * TAUT_ABREAST, double);
    p->factor = TAUT_NEW_ARRAY(arena, like->targets * TAUT_ABREAST, double);
    if (!p->operation || !p->source || !p->at || !p->coef || !p->value || !p->factor)
        return TAUT_ERR_MEMORY;
    for (int i = 0; i < like->bundles; i++)
        for (int lane = 0; lane < like->bundle[i].count; lane++) add(p, &like->bundle[i], lane);
    for (int lane = 0; lane < TAUT_ABREAST; lane++) taut_points_take_numbers(p, lane, like);
    return TAUT_OK;
}

void taut_points_take_numbers(taut_points *p, int lane, const taut_point *from) {
    for (int i = 0; i < p->terms; i++)
        p->coef[i * TAUT_ABREAST + lane] =
            from->column[p->at[i] / TAUT_LANES].coef[p->at[i] % TAUT_LANES];
    /* steady numbers are among the values; those that are computed are written before they are
     * read */
    double *value = p->value + lane, *factor = p->factor + lane;
    for (size_t i = 0; i < from->values; i++) value[i * TAUT_ABREAST] = from->value[i];
    for (size_t i = 0; i < from->targets; i++) factor[i * TAUT_ABREAST] = from->coef[i];
}

typedef taut_abreast lanes;

static void read_inputs(const taut_points *p, const taut_jets *jets) {
    for (int i = 0; i < p->like->inputs; i++)
        *((lanes *)p->value + i) = *(const lanes *)taut_jets_at(jets, p->like->input[i], 0);
}

/* A vector of all lanes is split by the compiler where the registers are shorter. */
TAUT_ALL_WIDTHS void taut_points_eval(const taut_points *p, const taut_jets *jets, double *result) {
    lanes *value = (lanes *)p->value;
    const lanes *coef = (const lanes *)p->coef, *factor = (const lanes *)p->factor;
    read_inputs(p, jets);
    for (const operation *x = p->operation; x < p->operation + p->operations; x++) {
        if (x->kind == TAUT_BUNDLE_SUM) {
            lanes sum;
            taut_alike_abreast(x->constant, &sum);
            for (int i = x->first; i < x->first + x->count; i++)
                sum += coef[i] * value[p->source[i]];
            if (x->padded) sum += 0.0;
            value[x->result] = sum;
        } else if (x->kind == TAUT_BUNDLE_PRODUCT) {
            value[x->result] = value[x->a] * value[x->b];
        } else {
            for (int l = 0; l < TAUT_ABREAST; l++)
                value[x->result][l] = taut_op_value((taut_op)x->op, value[x->a][l], value[x->b][l]);
        }
    }
    for (size_t i = 0; i < p->like->targets; i++)
        ((lanes *)result)[i] = factor[i] * value[p->like->target[i]];
}
