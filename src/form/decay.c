/* Equations that decay instead of being kept, after Baumgarte (docs/math/reference.md, section 4).
 * What bodies and joints restrict is known by its kind; of equations that are given as such the
 * offsets tell how often each is to be differentiated. */
#include "form/assemble.h"

/* (D + alpha)^(k-2) (D^2 + 2 alpha D + beta^2), of one of velocities D + alpha: from the highest
 * derivative down. */
taut_node taut_decaying(taut_graph *g, taut_node f, int k, double alpha, double beta) {
    double weight[TAUT_DECAY_MAX + 1] = {1.0, 0.0};
    taut_node part[TAUT_DECAY_MAX + 1];
    if (k <= 0) return f;
    if (k > TAUT_DECAY_MAX) return TAUT_NO_NODE;
    int degree = 0;
    if (k >= 2) {
        weight[1] = 2.0 * alpha;
        weight[2] = beta * beta;
        degree = 2;
    }
    for (; degree < k; degree++)
        for (int i = degree + 1; i > 0; i--) weight[i] += alpha * weight[i - 1];
    for (int i = 0; i <= k; i++) part[i] = taut_dot(g, f, k - i);
    return taut_sum(g, 0.0, (size_t)k + 1, weight, part);
}

/* How often equation i is differentiated. Forces that are unknowns, with equations of their own
 * just before the constraints, may be there or not when the offsets were found. */
static int order_of(const taut_problem *p, const taut_forming *forming, int i) {
    if (i >= p->first_constraint) return forming->order[forming->orders - (p->system.n - i)];
    return i < p->first_constraint - p->lifts ? forming->order[i] : 0;
}

taut_status taut_problem_decay(taut_problem *p, const taut_forming *forming, taut_errors *errors) {
    taut_system *s = &p->system;
    p->constraint = TAUT_NEW_ARRAY(&p->arena, s->n, taut_node);
    if (!p->constraint) return TAUT_ERR_MEMORY;
    for (int i = 0; i < s->n; i++) {
        taut_equation *e = &s->equation[i];
        const int k = order_of(p, forming, i);
        p->constraint[i] = k > 0 ? e->node : TAUT_NO_NODE;
        if (k > TAUT_DECAY_MAX)
            return taut_fail_at(errors, TAUT_ERR_INPUT, e->place,
                                "%s restricts derivatives up to the one of order %d: it cannot be "
                                "made to decay (options.stabilize), only to be kept",
                                e->name, k);
        e->node = taut_decaying(p->graph, e->node, k, forming->alpha, forming->beta);
    }
    return TAUT_OK;
}
