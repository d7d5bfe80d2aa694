/* Controllers in code of fixed steps: their samples are at whole numbers of steps. */
#include <math.h>

#include "export/code.h"

static const double CLOSE = 1e-9; /* to a whole number */

static bool is_whole(double x) { return fabs(x - round(x)) <= CLOSE * fmax(1.0, fabs(x)); }

/* The greatest common divisor of two periods; NaN: they have none that is not tiny. */
static double common(double a, double b) {
    const double least = 1e-6 * fmin(a, b);
    while (b > least) {
        double rest = fmod(a, b);
        if (b - rest <= CLOSE * a || rest <= CLOSE * a) rest = 0.0;
        a = b;
        b = rest;
    }
    return b == 0.0 ? a : (double)NAN;
}

double taut_code_base(const taut_code *c) {
    const taut_model *m = c->model;
    double base = 0.0;
    for (int i = 0; i < m->controllers; i++) {
        base = base > 0.0
                   ? common(fmax(base, m->controller[i].every), fmin(base, m->controller[i].every))
                   : m->controller[i].every;
        if (!isfinite(base)) return base;
    }
    return base;
}

bool taut_code_fits_samples(const taut_code *c, double step) {
    const taut_model *m = c->model;
    for (int i = 0; i < m->controllers; i++)
        if (!is_whole(m->controller[i].every / step) || !is_whole(m->controller[i].offset / step))
            return false;
    return m->controllers == 0 || is_whole((c->tend - c->t0) / step);
}

void taut_code_count_samples(taut_code *c) {
    for (int i = 0; i < c->controllers; i++) {
        const taut_model_controller *x = &c->model->controller[i];
        c->controller[i] = (taut_code_controller){x->name, lround(x->every / c->step),
                                                  lround(x->offset / c->step)};
    }
}
