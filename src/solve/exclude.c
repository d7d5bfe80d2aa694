/* Balls through formulas: midpoint and radius, the radius widened by rounding. */
#include "solve/exclude.h"

#include <float.h>
#include <math.h>

static const taut_ball UNKNOWN = {0.0, (double)INFINITY};
static const double WIDER = 1.0 + 16.0 * DBL_EPSILON; /* for the rounding of radii */

taut_status taut_exclude_create(const taut_graph *graph, const taut_node *node, int count,
                                taut_excluder **excluder) {
    taut_excluder *x = *excluder = taut_new(sizeof *x);
    if (!x) return TAUT_ERR_MEMORY;
    taut_status status = taut_sample_create(graph, node, count, &x->arena, &x->sample);
    if (status == TAUT_OK)
        x->ball = TAUT_NEW_ARRAY(&x->arena, x->sample.plain.tape.size, taut_ball);
    if (status == TAUT_OK && !x->ball) status = TAUT_ERR_MEMORY;
    if (status != TAUT_OK) taut_exclude_free(excluder);
    return status;
}

void taut_exclude_free(taut_excluder **excluder) {
    if (!*excluder) return;
    taut_arena_release(&(*excluder)->arena);
    taut_release((void **)excluder);
}

taut_status taut_exclude_set_numbers(taut_excluder *x, const double *parameter) {
    return taut_sample_set_numbers(&x->sample, parameter);
}

/* ---- arithmetic ---- */

static taut_ball product(taut_ball a, taut_ball b) {
    const double c = a.value * b.value;
    const double r = fabs(a.value) * b.radius + fabs(b.value) * a.radius + a.radius * b.radius;
    return (taut_ball){c, r * WIDER + DBL_EPSILON * fabs(c)};
}

static taut_ball quotient(taut_ball a, taut_ball b) {
    const double least = fabs(b.value) - b.radius, c = a.value / b.value;
    if (!(least > 0.0)) return UNKNOWN;
    return (taut_ball){c, (a.radius + fabs(c) * b.radius) / least * WIDER + DBL_EPSILON * fabs(c)};
}

static taut_ball root(taut_ball a) {
    const double least = a.value - a.radius, c = sqrt(fmax(a.value, 0.0));
    if (!(least > 0.0)) return UNKNOWN;
    return (taut_ball){c, a.radius / (c + sqrt(least)) * WIDER + 2.0 * DBL_EPSILON * c};
}

static taut_ball sum(const taut_tape *t, int slot, const taut_ball *ball) {
    const taut_instr *x = &t->instr[slot];
    double c = t->constant[slot], r = 0.0, size = fabs(c);
    for (int k = x->first; k < x->first + x->count; k++) {
        const taut_tape_term *term = &t->term[k];
        taut_ball a = ball[term->slot];
        if (term->other >= 0) a = product(a, ball[term->other]);
        const double part = term->coef * a.value;
        c += part;
        size += fabs(part);
        r += fabs(term->coef) * a.radius;
    }
    return (taut_ball){c, r * WIDER + (x->count + 1) * DBL_EPSILON * size};
}

static taut_ball function(const taut_instr *x, const taut_ball *ball) {
    const taut_ball a = ball[x->a];
    switch (x->op) {
    case TAUT_OP_SQRT: return root(a);
    case TAUT_OP_SIN: /* slopes are at most 1 */
        return (taut_ball){sin(a.value), a.radius * WIDER + DBL_EPSILON};
    case TAUT_OP_COS: return (taut_ball){cos(a.value), a.radius * WIDER + DBL_EPSILON};
    default: return UNKNOWN;
    }
}

/* ---- the unknowns ---- */

/* The p-th derivative of a variable over a step of length h, from its scaled coefficients; the last
 * of them stands for what they leave out as well. */
static taut_ball unknown(const double *c, int last, double scale, double h, int p) {
    double factor = 1.0, power = 1.0, r = 0.0, value = 0.0, term = 0.0;
    if (p > last) return UNKNOWN;
    for (int k = 1; k <= p; k++) {
        factor *= k / h;
        power *= scale;
    }
    value = c[p] * factor * power;
    for (int k = p + 1; k <= last; k++) {
        if (p > 0) factor *= (double)k / (k - p);
        power *= scale;
        term = fabs(c[k] * factor * power);
        r += term;
    }
    return (taut_ball){value,
                       (r + term) * (1.0 + 64.0 * DBL_EPSILON) + 4.0 * DBL_EPSILON * fabs(value)};
}

bool taut_exclude_step(taut_excluder *x, const taut_stepper *stepper) {
    const taut_expansion e = taut_stepper_expansion(stepper, false);
    const double h = stepper->t - stepper->begin;
    if (!e.c || e.t != stepper->begin || h == 0.0 || taut_stepper_expansion(stepper, true).c)
        return false;
    const int *d = stepper->structure->offsets.d;
    const taut_tape *t = &x->sample.plain.tape;
    for (int k = 0; k < t->size; k++) {
        const taut_instr *instr = &t->instr[k];
        switch (instr->kernel) {
        case TAUT_KERNEL_STEADY: x->ball[k] = (taut_ball){t->constant[k], 0.0}; break;
        case TAUT_KERNEL_TIME: x->ball[k] = (taut_ball){stepper->begin, fabs(h) * WIDER}; break;
        case TAUT_KERNEL_SUM: x->ball[k] = sum(t, k, x->ball); break;
        case TAUT_KERNEL_DIVIDE: x->ball[k] = quotient(x->ball[instr->a], x->ball[instr->b]); break;
        case TAUT_KERNEL_INPUT: {
            const taut_sample_input *input = &x->sample.input[instr->index];
            const int j = input->variable;
            x->ball[k] =
                j < 0 ? UNKNOWN : unknown(e.c[j], e.stages + d[j], h / e.h, h, input->order);
            break;
        }
        default: x->ball[k] = function(instr, x->ball);
        }
    }
    return true;
}
