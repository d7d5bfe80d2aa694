/* Variations of reactions. They are a map from vectors (positions, directions, what bodies need) to
 * forces and torques, by balances that are solved together, of least size where rigid bodies do not
 * determine them: differentiated along the variations of the vectors, by central differences of
 * order 8. */
#include <math.h>
#include <string.h>

#include "task/sensitivity.h"

enum { SIDE = 4 };
static const double DIFFERENCE[SIDE] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
static const double PART = 1e-2;  /* of the size of a vector: the distance of two points */
static const double SMALL = 1e-2; /* of the mechanism's size: no vector counts as less */

/* Forces are linear in these vectors: any distance will do. */
static void mark_loads(const taut_reactions *r, bool *load) {
    for (int i = 0; i < r->carriers; i++)
        load[r->carrier[i].force] = load[r->carrier[i].moment] = true;
    for (int i = 0; i < r->rods; i++) load[r->rod[i].load[0]] = load[r->rod[i].load[1]] = true;
    for (int i = 0; i < r->columns; i++)
        if (r->column[i].transfer < 0 && r->column[i].rod < 0) load[r->column[i].axis] = true;
}

taut_status taut_sensitivity_equip_reactions(taut_simulation *s) {
    taut_sensitivity *x = s->sensitivity;
    const taut_reactions *r = x->reactions = s->prepared->problem->reactions;
    x->load = TAUT_NEW_ARRAY(&x->made, r->vectors, bool);
    x->vector = TAUT_NEW_ARRAY(&x->made, 3 * (size_t)r->vectors, double);
    x->force = TAUT_NEW_ARRAY(&x->made, r->columns, double);
    if (!x->load || !x->vector || !x->force) return TAUT_ERR_MEMORY;
    mark_loads(r, x->load);
    return taut_balance_create(r, &x->made, &x->balance);
}

static double norm(const double *v, int stride) {
    return sqrt(v[0] * v[0] + v[stride] * v[stride] + v[2 * stride] * v[2 * stride]);
}

/* How far vectors may be moved along a direction. */
static double find_distance(const taut_sensitivity *x, const double *change, int directions) {
    double ratio = 0.0;
    for (int i = 0; i < x->reactions->vectors; i++) {
        const double size = fmax(norm(x->vector + 3 * i, 1), SMALL * x->reactions->length);
        if (!x->load[i]) ratio = fmax(ratio, norm(change + 3 * i * directions, directions) / size);
    }
    return ratio > 0.0 ? PART / ratio : 1.0;
}

/* Are all of them determined? If rigid bodies leave one open, a motion nearby may leave another one
 * open: then there are no derivatives. */
static taut_status look(const taut_simulation *s, bool *determined) {
    const taut_sensitivity *x = s->sensitivity;
    *determined = true;
    for (int i = 0; i < 3 * x->reactions->vectors; i++)
        taut_balance_vector(x->balance, i / 3)[i % 3] = x->vector[i] =
            taut_observer_vector(s->observer, i);
    TAUT_TRY(taut_balance_solve(x->balance, x->force));
    for (int c = 0; c < x->reactions->columns; c++)
        *determined = *determined && taut_balance_is_unique(x->balance, c);
    return TAUT_OK;
}

taut_status taut_sensitivity_reactions(taut_simulation *s, const double *vectors, int directions,
                                       double *to) {
    const taut_sensitivity *x = s->sensitivity;
    const int count = x->reactions->vectors, columns = x->reactions->columns;
    bool determined;
    TAUT_TRY(look(s, &determined));
    for (int i = 0; i < columns * directions; i++) to[i] = determined ? 0.0 : (double)NAN;
    if (!determined) return TAUT_OK;
    for (int d = 0; d < directions; d++) {
        const double *change = vectors + d, distance = find_distance(x, change, directions);
        for (int m = 0; m < 2 * SIDE; m++) {
            const int pair = m / 2;
            const double sign = m % 2 == 0 ? 1.0 : -1.0, by = sign * distance * (pair + 1);
            for (int i = 0; i < 3 * count; i++)
                taut_balance_vector(x->balance, i / 3)[i % 3] =
                    x->vector[i] + by * change[i * directions];
            TAUT_TRY(taut_balance_solve(x->balance, x->force));
            for (int c = 0; c < columns; c++)
                to[c * directions + d] += sign * DIFFERENCE[pair] / distance * x->force[c];
        }
    }
    return TAUT_OK;
}
