/* Compiled code beside the interpreter: do they find the same coefficients? */
#include <float.h>
#include <math.h>

#include "solve/straight_series.h"

/* Beside the sizes of coefficients: so little is no question, ... */
static const double SAME = 1e-11;
/* ... and this many times what a change of the state in its last bits makes is rounding: near
 * singular positions that may be a lot. */
static const double ROUNDING = 1000.0;

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

/* The largest difference of the coefficients that are kept, in units of those of equal or lower
 * order of all variables with as many derivatives in the state. */
static double difference(const taut_series *s, int last, const double *coef) {
    const int *d = s->structure->offsets.d, orders = s->compiled->orders;
    double worst = 0.0;
    for (int level = 0; level <= s->structure->largest_d; level++) {
        double size = 0.0;
        for (int k = 0; k <= last + level; k++) {
            double off = 0.0;
            for (int j = 0; j < s->system->n; j++) {
                if (d[j] != level) continue;
                const double x = *taut_jet_at(s->jet, s->variable[j], k);
                size = fmax(size, fabs(x));
                off = fmax(off, fabs(x - coef[j * orders + k]));
            }
            if (off > worst * size) worst = off / size;
        }
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

void taut_series_verify(taut_series *s, int last) {
    taut_compiled *c = s->compiled;
    const long number = ++c->expansions, factorisations = s->factorisations;
    double *compiled = c->coef[0], *interpreted = c->coef[1], noise = 0.0;
    const bool finite = s->finite;
    if ((number & (number - 1)) != 0) return;
    keep(s, last, compiled);
    use(s, c, false);
    bool done = repeat(s, last, compiled, 0.0);
    const double off = !done ? 0.0 : finite ? difference(s, last, compiled) : (double)INFINITY;
    if (off > SAME) {
        keep(s, last, interpreted);
        noise = repeat(s, last, compiled, DBL_EPSILON) ? difference(s, last, interpreted)
                                                       : (double)INFINITY;
        done = repeat(s, last, compiled, 0.0);
    }
    if (off > fmax(SAME, ROUNDING * noise)) {
        taut_series_distrust(s);
    } else {
        use(s, c, true);
        if (!done) repeat(s, last, compiled, 0.0); /* here only compiled code gets on */
    }
    s->factorisations = factorisations;
}
