/* Why the Taylor stepper cannot go on, in words. */
#include <math.h>

#include "core/number.h"
#include "expr/infix.h"
#include "solve/singular.h"
#include "solve/taylor_parts.h"

/* The largest part of the nearly-null vector tells which constraint the others nearly imply. */
static taut_status explain_passage(const taut_taylor_stepper *p, taut_errors *errors) {
    const double r = p->r * taut_taylor_direction(p);
    int worst = 0;
    for (int i = 0; i < p->system->n; i++)
        if (fabs(p->pole.w[i]) > fabs(p->pole.w[worst])) worst = i;
    const char *name = p->system->equation[worst].name;
    const taut_place place = p->system->equation[worst].place;
    if (p->r == 0.0)
        return taut_fail_at(errors, TAUT_SINGULAR, place,
                            "nearly singular position at t = %.10g: %s and other constraints "
                            "come close to being dependent (to %.1g of the way), and the corner "
                            "between two branches of the motion is too sharp to be followed",
                            p->base.t, name, p->gap);
    return taut_fail_at(errors, TAUT_SINGULAR, place,
                        "singular position at t = %.10g: %s and other constraints become "
                        "dependent there, and on which branch the motion goes on cannot be told "
                        "at this tolerance",
                        p->base.t + r, name);
}

taut_status taut_taylor_explain(taut_taylor_stepper *p, double h, taut_errors *errors) {
    char text[200] = "", where[80];
    taut_format(where, sizeof where, "near t = %.10g", p->base.t);
    if (p->started && (p->r != 0.0 || taut_taylor_is_apart(p))) return explain_passage(p, errors);
    if (p->trouble == TAUT_SINGULAR_MATRIX) {
        taut_status status =
            taut_singular_explain(p->series, p->started ? where : "at the start", errors);
        return p->started ? TAUT_SINGULAR : status;
    }
    if (p->trouble == TAUT_NOT_FINITE && p->series->bad_slot >= 0) {
        const taut_node node = p->series->tape->instr[p->series->bad_slot].node;
        taut_infix_print(p->system->graph, node, &p->system->names, text, sizeof text);
        return taut_fail_at(errors, TAUT_STEP_COLLAPSED, p->system->place,
                            "the solution cannot be continued beyond t = %.10g: %s has no finite "
                            "value there (a root or logarithm of a negative number, a division by "
                            "zero, or a solution that grows without bound)",
                            p->base.t, text);
    }
    if (p->trouble == TAUT_NO_NEWTON)
        return taut_fail_at(errors, TAUT_STEP_COLLAPSED, p->system->place,
                            "the equations cannot be solved for the highest derivatives near t = "
                            "%.10g: Newton's method does not converge",
                            p->base.t);
    for (int i = 0; i < p->states; i++) /* back to the last point */
        taut_series_set(p->series, p->state[i].variable, p->state[i].order, p->hi[i]);
    TAUT_TRY(taut_singular_dead_point(p->series, p->base.t, errors));
    const int worst = p->worst;
    return taut_collapse_explain(p->system, &p->base, h, worst >= 0 ? &p->state[worst] : NULL,
                                 worst >= 0 ? p->hi[worst] : 0.0, errors);
}
