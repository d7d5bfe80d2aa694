/* Impacts of what has masses that depend on velocities: a Lagrangian that is not quadratic in
 * these, a Hamiltonian that is not quadratic in momenta. Momenta jump by the impulses,
 *
 *   p(v+) - p(v-) = G^T Lambda,
 *
 * and the law is about rates G v+: Newton's method, each step of which is an impact with the masses
 * of the last one (docs/math/contact.md, section 3). */
#include <math.h>
#include <string.h>

#include "task/impact_parts.h"
#include "task/sensitivity.h"

enum { ROUNDS = 60, HALVINGS = 12 };
static const double CLOSE =
    1e-10; /* a step so small is the last one: the next would be its square */

static const taut_model *model_of(const taut_simulation *s) { return s->prepared->problem->model; }

bool taut_impact_has_curved_masses(const taut_simulation *s) {
    return s->prepared->problem->curved;
}

/* Work space; v and p are velocities and momenta. */
typedef struct leap {
    int n;          /* coordinates */
    double *before; /* [n] p before the impact */
    double *back;   /* [ROWS count] what restitution adds to rates */
    double *rest;   /* [equations] right side, then the change of the state */
    double *from;   /* [2 n] v and p where a step begins */
} leap;

/* ---- where it is ---- */

static double output(const taut_simulation *s, const taut_touching *t, int k) {
    const taut_model *m = model_of(s);
    const int first = taut_happen_functions(m) + m->actions + TAUT_CONTACT_PARTS * m->contacts;
    return taut_series_output(t->series, first + k, 0);
}

static double energy(const taut_simulation *s, const taut_touching *t) { return output(s, t, 0); }

static double momentum(const taut_simulation *s, const taut_touching *t, int j) {
    return t->motions > 0 ? taut_series_get(t->series, t->motions + j, 0) : output(s, t, 1 + j);
}

static bool is_finite(const taut_simulation *s, const taut_touching *t) {
    bool finite = isfinite(energy(s, t));
    for (int j = 0; j < t->coordinates; j++) finite = finite && isfinite(momentum(s, t, j));
    return finite;
}

/* ---- a step ---- */

/* The state becomes that where the step begins, and a part of the change. */
static void move(taut_simulation *s, const taut_touching *t, const leap *x, double part) {
    taut_state *state = s->happen->state;
    for (int j = 0; j < x->n; j++) *taut_state_at(state, j, 1) = x->from[j] + part * x->rest[j];
    for (int j = 0; j < t->motions; j++)
        *taut_state_at(state, t->motions + j, 0) =
            x->from[x->n + j] + part * x->rest[t->motions + j];
}

static void begin_step(const taut_simulation *s, const taut_touching *t, leap *x) {
    const taut_state *state = s->happen->state;
    for (int j = 0; j < x->n; j++) x->from[j] = *taut_state_at(state, j, 1);
    for (int j = 0; j < t->motions; j++)
        x->from[x->n + j] = *taut_state_at(state, t->motions + j, 0);
}

/* The change by momenta that are missing, and by the impulses of the answer; how large it is beside
 * the velocities. */
static double find_change(const taut_simulation *s, const taut_touching *t, const taut_impact *i,
                          leap *x) {
    double change = 0.0, size = 0.0;
    for (int a = 0; a < TAUT_TOUCH_ROWS * i->count; a++)
        for (int j = 0; j < t->n; j++)
            x->rest[j] += i->answers.item[0].force[a] *
                          t->response[taut_impact_row(i, a) * (size_t)t->n + (size_t)j];
    for (int j = 0; j < x->n; j++) {
        const double p = fabs(momentum(s, t, j)) + fabs(x->before[j]);
        change += p * fabs(x->rest[j]);
        size += p * fabs(x->from[j]);
    }
    return size > 0.0 ? change / size : 0.0;
}

/* Takes the step, or as much of it as there are finite momenta. */
static taut_status take_step(taut_simulation *s, taut_touching *t, const leap *x) {
    double part = 1.0;
    for (int halving = 0; halving < HALVINGS; halving++, part *= 0.5) {
        move(s, t, x, part);
        const taut_status status = taut_touching_again(s, t, NULL);
        if (status == TAUT_ERR_MEMORY) return status;
        if (status == TAUT_OK && is_finite(s, t)) return TAUT_OK;
    }
    return TAUT_ERR_NUMERICS;
}

/* The impact with the masses of now: rest is the change of the state by the momenta that are
 * missing. */
static taut_status describe(taut_simulation *s, taut_touching *t, taut_impact *i, leap *x) {
    double unused;
    TAUT_TRY(taut_touching_respond(s, t, &unused));
    memset(x->rest, 0, (size_t)t->n * sizeof *x->rest);
    for (int j = 0; j < x->n; j++) x->rest[t->motions + j] = x->before[j] - momentum(s, t, j);
    taut_lu_solve(t->series->lu, x->rest);
    for (int a = 0; a < TAUT_TOUCH_ROWS * i->count; a++) {
        const size_t row = taut_impact_row(i, a);
        const double *g = t->gradient + row * (size_t)t->coordinates;
        double rate = t->rate[row] + x->back[a];
        for (int j = 0; j < x->n; j++) rate += g[j] * x->rest[j];
        i->touch[a / TAUT_TOUCH_ROWS].free[a % TAUT_TOUCH_ROWS] = rate;
    }
    taut_touching_pick(t, i->at, i->count, i->touch, i->W, i->by);
    return taut_touch_solve(i->touch, i->count, i->W, &i->answers);
}

/* ---- the whole ---- */

static taut_status refuse(const taut_simulation *s, const taut_touching *t, const taut_impact *i,
                          const char *why, taut_errors *errors) {
    const taut_model_contact *c = &model_of(s)->contact[t->which[i->at[0]]];
    return taut_fail_at(
        errors, TAUT_ERR_NUMERICS, c->place,
        "the impact of '%s' at t = %.10g, with masses that depend on velocities, %s", c->element,
        s->happen->time, why);
}

static taut_status make_room(taut_touching *t, leap *x) {
    *x = (leap){.n = t->coordinates,
                .before = TAUT_NEW_ARRAY(&t->arena, t->coordinates, double),
                .back = TAUT_NEW_ARRAY(&t->arena, TAUT_TOUCH_ROWS * t->count, double),
                .rest = TAUT_NEW_ARRAY(&t->arena, t->n, double),
                .from = TAUT_NEW_ARRAY(&t->arena, 2 * (size_t)t->coordinates, double)};
    return x->before && x->back && x->rest && x->from ? TAUT_OK : TAUT_ERR_MEMORY;
}

taut_status taut_impact_leap(taut_simulation *s, taut_touching *t, taut_impact *i, double *work,
                             taut_errors *errors) {
    leap x;
    bool last = false;
    if (model_of(s)->poisson)
        return refuse(s, t, i, "is known by Newton's law only: leave out 'Impact: poisson'",
                      errors);
    if (s->sensitivity) return refuse(s, t, i, "has no derivatives here", errors);
    TAUT_TRY(make_room(t, &x));
    *work = -energy(s, t);
    for (int j = 0; j < x.n; j++) x.before[j] = momentum(s, t, j);
    for (int a = 0; a < TAUT_TOUCH_ROWS * i->count; a++)
        x.back[a] = i->touch[a / TAUT_TOUCH_ROWS].free[a % TAUT_TOUCH_ROWS] -
                    t->rate[taut_impact_row(i, a)];
    for (int round = 0; round < ROUNDS && !last; round++) {
        begin_step(s, t, &x);
        last = find_change(s, t, i, &x) <= CLOSE;
        taut_status status = take_step(s, t, &x);
        if (status == TAUT_ERR_NUMERICS)
            return refuse(s, t, i, "leads to momenta that are not finite", errors);
        if (status == TAUT_OK) status = describe(s, t, i, &x);
        TAUT_TRY(status);
        if (!taut_impact_is_determined(&i->answers)) return taut_impact_undecided(s, t, i, errors);
    }
    *work += energy(s, t);
    return last ? TAUT_OK : refuse(s, t, i, "is not found by Newton's method", errors);
}
