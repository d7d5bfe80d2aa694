/* Compiled code beside the interpreter: do they find the same coefficients? */
#include <float.h>
#include <math.h>

#include "solve/straight_steps.h"

/* Beside the sizes of coefficients: so little is no question, ... */
static const double SAME = 1e-12;
/* ... and this many times what a change of the state in its last bits makes is rounding: near
 * singular positions that may be a lot. */
static const double ROUNDING = 1e5;

/* From now on by compiled code, or by the interpreter. */
static void use(taut_series *s, taut_compiled *c, bool compiled) {
    s->jet->straight = compiled ? &c->straight : NULL;
    if (c->has_unrolled) taut_lu_unroll(s->lu, compiled ? &c->unrolled : NULL);
}

static void keep(const taut_series *s, int last, double *coef) {
    for (int j = 0; j < s->system->n; j++, coef += s->compiled->orders)
        for (int k = 0; k <= last + s->structure->offsets.d[j]; k++)
            coef[k] = *taut_jet_at(s->jet, s->variable[j], k);
}

/* The largest difference of coefficients of the variables with so many derivatives in the state, in
 * units of the largest of equal or lower order. */
static double difference(const taut_series *s, int last, int level, const double *a,
                         const double *b) {
    const int *d = s->structure->offsets.d, orders = s->compiled->orders;
    double worst = 0.0, size = 0.0;
    for (int k = 0; k <= last + level; k++) {
        double off = 0.0;
        for (int j = 0; j < s->system->n; j++) {
            if (d[j] != level) continue;
            size = fmax(size, fabs(b[j * orders + k]));
            off = fmax(off, fabs(a[j * orders + k] - b[j * orders + k]));
        }
        if (off > worst * size) worst = off / size;
    }
    return worst;
}

/* The most beside what is allowed: by SAME, or, if there is a third one, by what lies between it
 * and the second. */
static double excess(const taut_series *s, int last, const double *a, const double *b,
                     const double *c) {
    double worst = 0.0;
    for (int level = 0; level <= s->structure->largest_d; level++) {
        const double noise = c ? difference(s, last, level, c, b) : 0.0;
        const double off = difference(s, last, level, a, b);
        worst = fmax(worst, off / fmax(SAME, ROUNDING * noise));
    }
    return worst;
}

/* All of it from the state that is kept, of which every other value is changed by this part.
 * False: there is no result. */
static bool repeat(taut_series *s, int last, const double *coef, double part) {
    const int *d = s->structure->offsets.d;
    for (int j = 0; j < s->system->n; j++, coef += s->compiled->orders)
        for (int k = 0; k <= d[j]; k++)
            *taut_jet_at(s->jet, s->variable[j], k) =
                coef[k] * ((j + k) % 2 == 0 ? 1.0 + part : 1.0);
    if (taut_series_settle(s, true, NULL, NULL) != TAUT_OK) return false;
    taut_series_extend(s, 1, last);
    return s->finite;
}

void taut_series_distrust(taut_series *s) {
    use(s, s->compiled, false);
    s->miscompiled = s->compiled->made_by();
}

/* Are the rows what lies in the blocks? */
static bool are_rows_right(const taut_series *s, int last) {
    for (int j = 0; j < s->system->n; j++) {
        const double *row = taut_straight_row(s, j);
        const int d = s->structure->offsets.d[j];
        for (int k = 0; row && k < last; k++)
            if (!(row[k] == *taut_jet_at(s->jet, s->variable[j], d + 1 + k))) return false;
    }
    return true;
}

void taut_series_verify(taut_series *s, int last) {
    taut_compiled *c = s->compiled;
    const long factorisations = s->factorisations;
    double *compiled = c->coef[0], *interpreted = c->coef[1], *changed = c->coef[2];
    bool wrong;
    if (++c->expansions != c->next) return;
    c->next *= 4;
    c->check_corrections = c->check_tails = true;
    wrong = !s->finite || !are_rows_right(s, last);
    c->rows_at = -1;
    keep(s, last, compiled);
    use(s, c, false);
    bool done = repeat(s, last, compiled, 0.0);
    keep(s, last, interpreted);
    if (done && !wrong && excess(s, last, compiled, interpreted, NULL) > 1.0) {
        done = repeat(s, last, compiled, DBL_EPSILON);
        keep(s, last, changed);
        wrong = done && excess(s, last, compiled, interpreted, changed) > 1.0;
        if (done) done = repeat(s, last, compiled, 0.0);
    }
    s->factorisations = factorisations;
    if (done && wrong) {
        taut_series_distrust(s);
        return;
    }
    use(s, c, true);
    if (!done) repeat(s, last, compiled, 0.0); /* only compiled code gets on here */
}
