/* Circles on curves: the angle of the place that is nearest follows from an equation, which every
 * place with that direction obeys. So the whole rim is looked at, a few times a step: where another
 * place has become nearer, the angle goes over to that (docs/math/contact.md, section 9). */
#include "task/rims.h"

#include <float.h>
#include <math.h>

#include "expr/values.h"

enum { PLACES = 64, TIMES = 4, BISECTIONS = 50, MOST_TURNS = 20 };
static const double NEARER = 1e-9; /* by this part of what the formula varies along the rim */
static const double ROUNDING = 64.0 * DBL_EPSILON; /* of the formula */
static const double MOMENT = 1e-9; /* what is closer together is one and the same place of a run */

/* A rim with its formulas as functions of the state. */
typedef struct rim {
    const taut_formed_contact *contact;
    taut_values values; /* target 0: the curve's formula; moving 0: its derivative along the rim */
    int unknowns;
} rim;

struct taut_rims {
    rim *item; /* [contacts] contact NULL: it is none */
    bool any;
    double time; /* of the last turn, ... */
    int turns;   /* ... and how many there were at that moment */
};

static const taut_model *model_of(const taut_simulation *s) { return s->prepared->problem->model; }

static taut_status equip(taut_simulation *s) {
    taut_contacts *c = s->contacts;
    const taut_prepared *p = c->base->prepared;
    taut_rims *x = TAUT_NEW(&c->arena, taut_rims);
    if (!x) return TAUT_ERR_MEMORY;
    x->item = TAUT_NEW_ARRAY(&c->arena, c->count, rim);
    int *d = TAUT_NEW_ARRAY(&c->arena, p->problem->system.n, int);
    if (!x->item || !d) return TAUT_ERR_MEMORY;
    for (int j = 0; j < p->problem->system.n; j++) d[j] = 2;
    for (int i = 0; i < c->count; i++) {
        const taut_formed_contact *k = &p->problem->contact[i];
        if (k->turn < 0) continue;
        x->any = true;
        x->item[i].contact = k;
        x->item[i].unknowns = p->problem->system.n;
        const taut_values_wanted wanted = {&k->profile, 1, &k->facing, 1};
        TAUT_TRY(taut_values_create(p->problem->graph, d, p->problem->system.n, wanted, &c->arena,
                                    &x->item[i].values));
    }
    x->time = (double)NAN;
    c->rims = x;
    return TAUT_OK;
}

/* ---- one rim at one instant ---- */

static taut_status point_at(const taut_simulation *s, rim *x, const taut_state *state) {
    const double *number = taut_contacts_numbers(s);
    if (number) TAUT_TRY(taut_values_set_numbers(&x->values, number));
    for (int j = 0; j < x->unknowns; j++)
        for (int k = 0; k < 2; k++) {
            const bool known = k <= taut_state_order(state, j);
            if (x->values.variable[j] >= 0)
                taut_values_set(&x->values, j, k, known ? *taut_state_at(state, j, k) : 0.0);
        }
    return TAUT_OK;
}

static double profile(rim *x, double t, double angle) {
    double value;
    taut_values_set(&x->values, x->contact->turn, 0, angle);
    taut_values_find(&x->values, t, &value);
    return value;
}

static double facing(rim *x, double t, double angle) {
    taut_values_set(&x->values, x->contact->turn, 0, angle);
    taut_values_find(&x->values, t, NULL);
    return taut_values_value(&x->values, 0);
}

/* Is another place nearer? about where, and the formula there. */
static bool is_nearer(rim *x, const taut_state *state, double *angle, double *there) {
    const double now = *taut_state_at(state, x->contact->turn, 0);
    const double here = profile(x, state->t, now);
    double most = here;
    *there = here;
    for (int k = 1; k < PLACES; k++) {
        const double other = now + 2.0 * M_PI * (k <= PLACES / 2 ? k : k - PLACES) / PLACES;
        const double value = profile(x, state->t, other);
        if (value > most) most = value;
        if (!(value < *there)) continue;
        *there = value;
        *angle = other;
    }
    return *there < here - NEARER * (most - here) - ROUNDING * (fabs(most) + fabs(here));
}

/* The nearest place about an angle. */
static double settle(rim *x, const taut_state *state, double angle) {
    double a = angle - 2.0 * M_PI / PLACES, b = angle + 2.0 * M_PI / PLACES;
    for (int k = 0; k < BISECTIONS; k++) {
        const double middle = 0.5 * (a + b);
        if (facing(x, state->t, middle) < 0.0)
            a = middle;
        else
            b = middle;
    }
    return 0.5 * (a + b);
}

/* What touches already cannot go over to another place. */
static taut_status check_second(const taut_simulation *s, int i, double t, taut_errors *errors) {
    if (!taut_mode_is_closed(s->contacts->course[i].mode)) return TAUT_OK;
    const taut_model_contact *c = &model_of(s)->contact[i];
    return taut_fail_at(errors, TAUT_ERR_NUMERICS, c->gap_place,
                        "at t = %.10g the circle of '%s' touches its curve in a second place: "
                        "write a contact for each part of the curve",
                        t, c->element);
}

/* Where many places are as near as each other, one takes over from the other for ever. */
static taut_status check_turns(const taut_simulation *s, int i, double t, taut_errors *errors) {
    taut_rims *x = s->contacts->rims;
    const taut_model_contact *c = &model_of(s)->contact[i];
    x->turns = fabs(t - x->time) <= MOMENT * fmax(1.0, fabs(t)) ? x->turns + 1 : 0;
    x->time = t;
    if (x->turns < MOST_TURNS) return TAUT_OK;
    return taut_fail_at(errors, TAUT_ERR_NUMERICS, c->gap_place,
                        "at t = %.10g many places of the circle of '%s' are equally near to its "
                        "curve: it cannot be said where it would touch",
                        t, c->element);
}

/* ---- the whole ---- */

/* The first contact of which another place is nearer; -1: none. */
static taut_status find_nearer(taut_simulation *s, double t, int *which) {
    taut_rims *x = s->contacts->rims;
    const taut_state *state = s->happen->state;
    taut_happen_take_values(s, t);
    *which = -1;
    for (int i = 0; i < s->contacts->count && *which < 0; i++) {
        double angle, there;
        if (!x->item[i].contact) continue;
        TAUT_TRY(point_at(s, &x->item[i], state));
        if (is_nearer(&x->item[i], state, &angle, &there)) *which = i;
    }
    return TAUT_OK;
}

taut_status taut_rims_look(taut_simulation *s, double end, double *theta, taut_errors *errors) {
    double a = 0.0;
    int which = -1;
    *theta = 2.0;
    if (!s->contacts || !s->contacts->rims || !s->contacts->rims->any) return TAUT_OK;
    const double begin = s->happen->watched->begin, span = s->happen->watched->end - begin;
    if (span == 0.0) return TAUT_OK;
    for (int k = 1; k <= TIMES && which < 0; k++) {
        const double b = fmin(end, 1.0) * k / TIMES;
        TAUT_TRY(find_nearer(s, begin + b * span, &which));
        *(which >= 0 ? theta : &a) = b;
    }
    for (int k = 0; k < BISECTIONS && which >= 0; k++) {
        const double middle = 0.5 * (a + *theta);
        int there;
        TAUT_TRY(find_nearer(s, begin + middle * span, &there));
        *(there >= 0 ? theta : &a) = middle;
        if (there >= 0) which = there;
    }
    return which < 0 ? TAUT_OK : check_second(s, which, begin + *theta * span, errors);
}

taut_status taut_rims_turn(taut_simulation *s, bool *turned, taut_errors *errors) {
    taut_state *state = s->happen->state;
    *turned = false;
    if (!s->contacts->rims) TAUT_TRY(equip(s));
    for (int i = 0; i < s->contacts->count; i++) {
        rim *x = &s->contacts->rims->item[i];
        double angle, there;
        if (!x->contact) continue;
        TAUT_TRY(point_at(s, x, state));
        if (!is_nearer(x, state, &angle, &there)) continue;
        TAUT_TRY(check_second(s, i, state->t, errors));
        TAUT_TRY(check_turns(s, i, state->t, errors));
        *taut_state_at(state, x->contact->turn, 0) = settle(x, state, angle);
        *turned = true;
    }
    return *turned ? taut_happen_settle(s, true, errors) : TAUT_OK; /* finds its rate */
}
