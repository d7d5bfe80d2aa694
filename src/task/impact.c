/* Impacts: velocities jump by impulses at the contacts that touch, all of them together, by
 * Newton's law or by Poisson's; bounces that come ever faster end in contact at their limit time.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "task/impact_parts.h"

static const double GAIN = 1e-9; /* energy beside that of the blow: it is no rounding */
static const double LOW = 1e-3;  /* bounces below this part of the tolerance are over, ... */
enum { FEW = 4 };  /* contacts: with more of them one solution of Poisson's law is enough */
enum { LOWS = 8 }; /* ... or after so many of them */
static const double ROUNDED = 64.0 * DBL_EPSILON; /* part of places that rounding hides */
static const double STEADY = 1e-2; /* ... if flights get shorter by a ratio that is so constant */

static const taut_model *model_of(const taut_simulation *s) { return s->prepared->problem->model; }

/* ---- the list of events ---- */

/* Is it listed already for the other end of the same element? */
static bool is_listed(taut_simulation *s, int i, const char *kind, double impulse) {
    const taut_contacts *c = s->contacts;
    const taut_model *m = model_of(s);
    for (int j = 0; j < c->count; j++) {
        const taut_contact_course *x = &c->course[j];
        if (j == i || m->contact[j].element != m->contact[i].element) continue;
        if (x->row_time != s->happen->time || x->row >= s->notebook.notes.events) continue;
        taut_happened *row = &s->notebook.event[x->row];
        if (strcmp(row->kind, kind) != 0) continue;
        row->impulse += impulse;
        return true;
    }
    return false;
}

taut_status taut_contacts_list(taut_simulation *s, int i, const char *kind, double impulse) {
    const taut_happen *h = s->happen;
    taut_contact_course *x = &s->contacts->course[i];
    taut_notebook *b = &s->notebook;
    if (h->time == s->t0) return TAUT_OK; /* what holds at the start has not happened */
    if (x->row_time == h->time && x->row < b->notes.events) {
        b->event[x->row].impulse += impulse;
        if (strcmp(b->event[x->row].kind, "impact") != 0) b->event[x->row].kind = kind;
        return TAUT_OK;
    }
    if (is_listed(s, i, kind, impulse)) return TAUT_OK;
    TAUT_TRY(taut_notebook_event(b, h->time, model_of(s)->contact[i].element, kind));
    x->row_time = h->time;
    x->row = b->notes.events - 1;
    b->event[x->row].impulse = impulse;
    for (; x->row > 0 && b->event[x->row - 1].t > h->time; x->row--) { /* an accumulation to come */
        const taut_happened later = b->event[x->row - 1];
        b->event[x->row - 1] = b->event[x->row];
        b->event[x->row] = later;
    }
    return TAUT_OK;
}

/* ---- accumulation ---- */

/* Notes where flights that get shorter by a constant ratio end. Without restitution it is another
 * contact that opens in the meantime, as a block rocks: there the ratio says how high flights are.
 */
static void note_limit(taut_contact_course *x, double height, double restitution, double least,
                       bool steady) {
    const bool low = x->ratio * x->ratio * height <= least;
    if (!(x->ratio > 0.0 && x->ratio < 1.0)) x->limit = (double)NAN;
    if (restitution > 0.0 || !steady || !low) return;
    x->limit = x->end;
}

/* When all flights end, from the last two of them. The shorter they are the better that is known,
 * until times of impacts are rounded as much as the end has changed: from there on it stays.
 * noise: what rounding of places makes of such a time. */
static void note_end(taut_contact_course *x, double noise) {
    const double before = x->end;
    if (!(x->ratio > 0.0 && x->ratio < 1.0)) {
        x->end = (double)NAN;
        return;
    }
    const double end = x->impact + x->ratio * x->flight / (1.0 - x->ratio);
    const double doubt = isfinite(before) ? fabs(end - before) : (double)INFINITY;
    if (isfinite(before) && doubt > x->doubt && doubt <= noise / (1.0 - x->ratio)) {
        x->end = fmax(before, x->impact);
        return;
    }
    x->end = end;
    x->doubt = doubt;
}

/* What rounding of places hides of a gap. In mechanisms it is the same in all coordinates, so that
 * as many bounces are seen. */
static double place_of(taut_simulation *s, const taut_touching *t, int at) {
    taut_contacts *c = s->contacts;
    if (!model_of(s)->mechanism) return taut_touching_place(t, at);
    if (!(c->span >= 0.0)) c->span = taut_observer_span(s->observer, s->stepper, s->happen->time);
    return ROUNDED * c->span;
}

/* Notes an impact that ends a flight. True: those to come are too low to be seen, and the last ones
 * got shorter by a constant ratio. */
static bool note_flight(const taut_simulation *s, int i, double rate, double restitution,
                        double pull, double place) {
    taut_contact_course *x = &s->contacts->course[i];
    const double t = s->happen->time, flight = t - x->impact;
    const double ratio = x->flight > 0.0 ? flight / x->flight : 0.0, before = x->ratio;
    /* of the flight that ends, or, where other contacts push, of the parabola with its length */
    double height = pull < 0.0 ? -0.5 * rate * rate / pull : (double)INFINITY;
    if (isfinite(flight)) height = fmin(height, 0.25 * fabs(rate) * flight);
    const double tol = fmax(s->options.rtol, s->options.atol);
    x->ratio = isfinite(x->impact) ? ratio : 0.0;
    x->flight = isfinite(x->impact) ? flight : 0.0;
    x->impact = t;
    if (isfinite(height)) x->peak = fmax(x->peak, height);
    const double least = fmax(fmax(LOW * tol, ROUNDED) * x->peak, place);
    const bool low = restitution * restitution * height <= least;
    const bool steady = ratio > 0.0 && ratio < 1.0 && before > 0.0 &&
                        fabs(ratio - before) <= STEADY * (1.0 - ratio);
    note_end(x, rate < 0.0 ? place / -rate : 0.0);
    note_limit(x, height, restitution, least, steady);
    x->low = low ? x->low + 1 : 0;
    return restitution > 0.0 && low && (steady || x->low >= LOWS);
}

/* ---- the impact ---- */

static void describe(taut_simulation *s, const taut_touching *t, int at, bool *ends,
                     double *restitution, taut_touch *x) {
    const taut_formed_contact *c = &s->prepared->problem->contact[t->which[at]];
    const int i = t->which[at];
    const double *rate = t->rate + TAUT_TOUCH_ROWS * at, *noise = t->noise + TAUT_TOUCH_ROWS * at;
    double e = taut_contact_value(s, t->series, i, TAUT_CONTACT_RESTITUTION, 0);
    const bool hits = rate[0] < -noise[0];
    *ends = hits && note_flight(s, i, rate[0], e, t->touch[at].free[0], place_of(s, t, at));
    if (*ends) e = 0.0;
    *restitution = e;
    if (model_of(s)->poisson) e = 0.0; /* compression comes first */
    const double mu = taut_contact_value(
        s, t->series, i,
        rate[1] >= 0.0 || c->ways > 1 ? TAUT_CONTACT_SLIP_UP : TAUT_CONTACT_SLIP_DOWN, 0);
    *x = (taut_touch){.normal = c->normal,
                      .rough = c->rough,
                      .ways = c->ways,
                      .slip = {mu, mu},
                      .stick = mu,
                      .may = 1u << TAUT_TOUCH_OPEN | 1u << TAUT_TOUCH_CLOSED,
                      .free = {hits ? (1.0 + e) * rate[0] : rate[0], rate[1], rate[2], rate[3]},
                      .noise = {noise[0], noise[1], noise[2], noise[3]},
                      .loads = t->touch[at].loads}; /* without the blow there are no impulses */
    if (c->firm) {
        x->stick = (double)INFINITY;
        x->may = 1u << TAUT_TOUCH_CLOSED;
    } else if (c->rough) {
        x->may |= 1u << TAUT_TOUCH_UP | (c->ways > 1 ? 0u : 1u << TAUT_TOUCH_DOWN);
    }
}

/* Forces have a part in impacts if nothing bounds them, gaps and locks without a capacity, or if
 * what bounds them is an impulse as well: the load of a joint that rubs. */
static bool takes_part(const taut_simulation *s, const taut_touching *t, int at) {
    const taut_formed_contact *c = &s->prepared->problem->contact[t->which[at]];
    if (c->normal || c->loads > 0) return true;
    return c->firm && taut_contact_value(s, t->series, t->which[at], TAUT_CONTACT_GATE, 0) > 0.5;
}

static taut_status collect(taut_simulation *s, taut_touching *t, taut_impact *x) {
    for (int at = 0; at < t->count; at++) {
        if (!takes_part(s, t, at)) continue;
        x->at[x->count] = at;
        describe(s, t, at, &x->ends[x->count], &x->restitution[x->count], &x->touch[x->count]);
        x->count++;
    }
    const size_t size = TAUT_TOUCH_ROWS * (size_t)x->count;
    x->W = TAUT_NEW_ARRAY(&t->arena, size * size, double);
    x->by = TAUT_NEW_ARRAY(&t->arena, 3 * (size_t)x->count * size, double);
    if (!x->W || !x->by) return TAUT_ERR_MEMORY;
    taut_touching_pick(t, x->at, x->count, x->touch, x->W, x->by);
    return TAUT_OK;
}

/* ---- Poisson's law: expansion ---- */

/* Expansion with the contacts of a set (bits) at rest in normal direction: there the impulse is at
 * least what compression gives back; at the others it is that, and friction is of that level. */
static void describe_expansion(const taut_impact *x, const taut_touch_answer *compression,
                               unsigned rest, taut_touch *touch) {
    enum { ROWS = TAUT_TOUCH_ROWS };
    for (int k = 0; k < x->count; k++) {
        taut_touch *y = &touch[k];
        const double back = x->restitution[k] * compression->force[ROWS * k];
        *y = x->touch[k];
        y->back = back;
        if (!y->normal) continue; /* a lock */
        y->may &= ~(1u << TAUT_TOUCH_OPEN);
        if (rest >> k & 1u) continue;
        y->normal = false;
        for (int d = 0; d < 2; d++) y->slip[d] *= back;
        y->stick *= back;
        if (!y->rough || back == 0.0) y->may = 1u << TAUT_TOUCH_OPEN;
    }
    for (int a = 0; a < ROWS * x->count; a++) {
        double *rate = &touch[a / ROWS].free[a % ROWS];
        *rate = compression->rate[a];
        for (int k = 0; k < x->count; k++)
            if (x->touch[k].normal && !touch[k].normal)
                *rate += x->W[a * ROWS * x->count + ROWS * k] * touch[k].back;
    }
}

/* Do the contacts that are not at rest part? The answer gets the impulses of both phases. */
static bool complete(const taut_impact *x, const taut_touch *touch,
                     const taut_touch_answer *compression, taut_touch_answer *y) {
    enum { ROWS = TAUT_TOUCH_ROWS };
    for (int k = 0; k < x->count; k++) {
        const int row = ROWS * k;
        if (touch[k].normal || !x->touch[k].normal) continue;
        double size = fabs(touch[k].free[0]);
        for (int j = 0; j < ROWS * x->count; j++)
            size += fabs(x->W[row * ROWS * x->count + j] * y->force[j]);
        if (y->rate[row] < -GAIN * size - touch[k].noise[0]) return false;
        y->force[row] = touch[k].back;
    }
    for (int j = 0; j < ROWS * x->count; j++) y->force[j] += compression->force[j];
    return true;
}

/* Compression is known, and given back: all sets of contacts that stay in contact are tried. */
static taut_status expand(taut_impact *x) {
    const taut_touch_answer compression = x->answers.item[0];
    taut_touch touch[TAUT_TOUCH_MOST];
    taut_touch_answers all = {0}, some = {0};
    taut_status status = TAUT_OK;
    for (unsigned rest = 0; rest < 1u << x->count && status == TAUT_OK; rest++) {
        bool fits = true;
        for (int k = 0; k < x->count; k++) fits = fits && (x->touch[k].normal || !(rest >> k & 1u));
        if (!fits) continue;
        describe_expansion(x, &compression, rest, touch);
        status = taut_touch_solve(touch, x->count, x->W, &some);
        for (int i = 0; i < some.count && status == TAUT_OK; i++) {
            if (!complete(x, touch, &compression, &some.item[i])) continue;
            status = taut_touch_add(x->touch, x->count, x->W, &some.item[i], &all);
        }
        if (x->count > FEW && all.count > 0) break;
    }
    taut_touch_release(&some);
    taut_touch_release(&x->answers);
    x->answers = all;
    return status;
}

/* ---- what impulses do ---- */

double taut_impact_weigh(const taut_touching *t, const double *y, int i) {
    const taut_series *x = t->series;
    double sum = 0.0;
    for (int e = x->start[i]; e < x->start[i + 1]; e++) /* the matrix is symmetric there */
        if (x->row[e] < t->coordinates) sum += x->J[e] * y[x->row[e]];
    return sum;
}

/* What impulses do as seen by the contacts, by the rates of gaps and of sliding: what moves by
 * itself, a belt or a driven plate, has no part in it. */
static double find_gain(const taut_touching *t, const taut_impact *x) {
    const double *impulse = x->answers.item[0].force;
    const int rows = TAUT_TOUCH_ROWS * x->count;
    double gain = 0.0;
    for (int a = 0; a < rows; a++) {
        double rate = t->rate[taut_impact_row(x, a)];
        for (int b = 0; b < rows; b++) rate += 0.5 * x->W[a * rows + b] * impulse[b];
        gain += impulse[a] * rate;
    }
    return gain;
}

double taut_impact_strike(taut_simulation *s, const taut_touching *t, const taut_impact *x,
                          double *jump) {
    const taut_problem *p = s->prepared->problem;
    taut_state *state = s->happen->state;
    const double *impulse = x->answers.item[0].force;
    const double gain = find_gain(t, x);
    double work = 0.0;
    memset(jump, 0, (size_t)t->n * sizeof *jump);
    for (int a = 0; a < TAUT_TOUCH_ROWS * x->count; a++) {
        const double *response = t->response + taut_impact_row(x, a) * (size_t)t->n;
        for (int j = 0; j < t->n; j++) jump[j] += impulse[a] * response[j];
    }
    for (int j = 0; j < t->coordinates && p->work >= 0; j++) /* drivers do work as well */
        work += taut_impact_weigh(t, jump, j) * (*taut_state_at(state, j, 1) + 0.5 * jump[j]);
    for (int j = 0; j < p->coordinates + p->angles; j++) *taut_state_at(state, j, 1) += jump[j];
    for (int j = t->motions; j < 2 * t->motions; j++) /* momenta */
        *taut_state_at(state, j, 0) += jump[j];
    if (p->work >= 0) *taut_state_at(state, p->work, 0) += work;
    return gain;
}

static const char *law_of(const taut_simulation *s) {
    return model_of(s)->poisson ? "Poisson's" : "Newton's";
}

/* With friction, or with masses that depend on velocities, Newton's law may bring energy: that is
 * told. */
static taut_status tell_gain(taut_simulation *s, const taut_touching *t, const taut_impact *x,
                             double work) {
    const double *impulse = x->answers.item[0].force;
    double size = 0.0;
    const bool curved = taut_impact_has_curved_masses(s);
    bool rough = curved;
    for (int k = 0; k < x->count; k++) {
        const taut_formed_contact *c = &s->prepared->problem->contact[t->which[x->at[k]]];
        rough = rough || (c->rough && impulse[TAUT_TOUCH_ROWS * k] > 0.0);
        size += fabs(impulse[TAUT_TOUCH_ROWS * k] * t->rate[TAUT_TOUCH_ROWS * x->at[k]]);
    }
    if (!rough || !(work > GAIN * size)) return TAUT_OK;
    return taut_notebook_remark(
        &s->notebook, "at t = %.6g %s law of impact with %s brings the energy %.3g ('%s')",
        s->happen->time, law_of(s), curved ? "masses that depend on velocities" : "friction", work,
        model_of(s)->contact[t->which[x->at[0]]].element);
}

/* An end that is to come is listed once, however many contacts push each other until then; *end: of
 * others that end then as well, as far as flights tell. */
static bool is_announced(const taut_notebook *b, const char *name, double now, double *end) {
    for (int k = b->notes.events - 1; k >= 0 && b->event[k].t >= now; k--) {
        const taut_happened *x = &b->event[k];
        if (strcmp(x->kind, "accumulation") != 0) continue;
        if (strcmp(x->name, name) == 0) return true;
        if (fabs(x->t - *end) <= STEADY * (x->t - now)) *end = x->t;
    }
    return false;
}

static taut_status list_end(taut_simulation *s, int i, double end) {
    const char *name = model_of(s)->contact[i].element;
    taut_notebook *b = &s->notebook;
    if (is_announced(b, name, s->happen->time, &end)) return TAUT_OK;
    TAUT_TRY(taut_notebook_event(b, end, name, "accumulation"));
    for (int k = b->notes.events - 1; k > 0 && b->event[k - 1].t > end;
         k--) { /* in order of time */
        const taut_happened later = b->event[k - 1];
        b->event[k - 1] = b->event[k];
        b->event[k] = later;
    }
    return taut_notebook_remark(b,
                                "the bounces of '%s' end at t = %.10g, infinitely many of them: in "
                                "contact from there on",
                                name, end);
}

taut_status taut_contacts_list_rest(taut_simulation *s, const taut_touching *t) {
    const taut_contacts *c = s->contacts;
    double end = s->happen->time;
    for (int k = 0; k < t->count; k++)
        if (s->prepared->problem->contact[t->which[k]].normal &&
            c->mode[t->which[k]] == TAUT_TOUCH_OPEN)
            return TAUT_OK;
    for (int k = 0; k < t->count; k++) end = fmax(end, c->course[t->which[k]].limit);
    for (int k = 0; k < t->count; k++) {
        taut_contact_course *x = &c->course[t->which[k]];
        if (!isfinite(x->limit)) continue;
        TAUT_TRY(list_end(s, t->which[k], end)); /* one instant for all of them */
        x->limit = (double)NAN;
    }
    return TAUT_OK;
}

static taut_status list(taut_simulation *s, taut_touching *t, const taut_impact *x) {
    double *all = TAUT_NEW_ARRAY(&t->arena, s->contacts->count, double);
    if (!all) return TAUT_ERR_MEMORY;
    for (int k = 0; k < x->count; k++)
        all[t->which[x->at[k]]] = x->answers.item[0].force[TAUT_TOUCH_ROWS * k + 1];
    for (int k = 0; k < x->count; k++) {
        const int i = t->which[x->at[k]];
        const taut_contact_course *c = &s->contacts->course[i];
        const double impulse = x->answers.item[0].force[TAUT_TOUCH_ROWS * k];
        if (model_of(s)->contact[i].breaks) {
            if (model_of(s)->contact[i].part == 0)
                TAUT_TRY(taut_contacts_list(s, i, "lock", taut_loose_impulse(s, i, all)));
            continue;
        }
        if (s->prepared->problem->contact[i].firm && c->mode != TAUT_TOUCH_CLOSED)
            TAUT_TRY(taut_contacts_list(s, i, "lock",
                                        x->answers.item[0].force[TAUT_TOUCH_ROWS * k + 1]));
        if (!(impulse > 0.0)) continue;
        TAUT_TRY(taut_contacts_list(s, i, "impact", impulse));
        if (!x->ends[k]) continue;
        TAUT_TRY(list_end(s, i, isfinite(c->end) ? c->end : c->impact));
    }
    return TAUT_OK;
}

taut_status taut_impact_undecided(const taut_simulation *s, const taut_touching *t,
                                  const taut_impact *x, taut_errors *errors) {
    const taut_model_contact *c = &model_of(s)->contact[t->which[x->at[0]]];
    for (int k = 0; k < x->count && x->answers.count == 0; k++) {
        const int row = TAUT_TOUCH_ROWS * x->at[k];
        if (x->touch[k].normal && t->rate[row] < -t->noise[row] && taut_touching_is_held(t, row))
            return taut_touching_driven(s, t, x->at[k], errors);
    }
    if (x->answers.count == 0)
        return taut_fail_at(errors, TAUT_ERR_NUMERICS, c->place,
                            "the impact at t = %.10g has no solution by %s law (at '%s')%s",
                            s->happen->time, law_of(s), c->element,
                            model_of(s)->poisson ? "" : "; 'Impact: poisson' may have one");
    return taut_fail_at(errors, TAUT_ERR_NUMERICS, c->place,
                        "the impact at t = %.10g has several solutions by %s law (at '%s'): "
                        "what follows is not determined",
                        s->happen->time, law_of(s), c->element);
}

/* The same for joints, before velocities change. */
static taut_status list_joints(taut_simulation *s, taut_touching *t, const taut_impact *x) {
    double *jump = TAUT_NEW_ARRAY(&t->arena, t->coordinates, double);
    double *impulse = TAUT_NEW_ARRAY(&t->arena, TAUT_TOUCH_ROWS * t->count, double);
    if (!jump || !impulse) return TAUT_ERR_MEMORY;
    for (int a = 0; a < TAUT_TOUCH_ROWS * x->count; a++) {
        const size_t row = taut_impact_row(x, a);
        impulse[row] = x->answers.item[0].force[a];
        for (int j = 0; j < t->coordinates; j++)
            jump[j] += impulse[row] * t->response[row * (size_t)t->n + (size_t)j];
    }
    return taut_contacts_list_joints(s, t, jump, impulse);
}

/* The jump itself, with what is listed of it. */
static taut_status jump(taut_simulation *s, taut_touching *t, taut_impact *x, taut_errors *errors) {
    double work, *change = TAUT_NEW_ARRAY(&t->arena, t->n, double);
    if (!change) return TAUT_ERR_MEMORY;
    if (taut_impact_has_curved_masses(s)) {
        TAUT_TRY(taut_impact_leap(s, t, x, &work, errors));
        TAUT_TRY(list(s, t, x));
        return tell_gain(s, t, x, work);
    }
    TAUT_TRY(taut_impact_vary(s, t, x, errors));
    TAUT_TRY(list(s, t, x));
    TAUT_TRY(list_joints(s, t, x));
    TAUT_TRY(tell_gain(s, t, x, taut_impact_strike(s, t, x, change)));
    return taut_touching_again(s, t, errors);
}

static taut_status solve(taut_simulation *s, taut_touching *t, taut_impact *x,
                         taut_errors *errors) {
    TAUT_TRY(collect(s, t, x));
    if (!taut_touch_is_possible(x->touch, x->count) ||
        (model_of(s)->poisson && x->count > TAUT_TOUCH_ENUMERATED))
        return taut_touching_too_many(s, t, x->count, errors);
    TAUT_TRY(taut_touch_solve(x->touch, x->count, x->W, &x->answers));
    if (model_of(s)->poisson && taut_impact_is_determined(&x->answers)) TAUT_TRY(expand(x));
    if (!taut_impact_is_determined(&x->answers)) return taut_impact_undecided(s, t, x, errors);
    TAUT_TRY(taut_touching_tell_sought(s, x->count, &x->answers));
    return jump(s, t, x, errors);
}

taut_status taut_contacts_strike(taut_simulation *s, taut_touching *t, bool *struck,
                                 taut_errors *errors) {
    taut_impact x = {0};
    *struck = false;
    for (int at = 0; at < t->count; at++) {
        const bool normal = s->prepared->problem->contact[t->which[at]].normal;
        if (!takes_part(s, t, at) || s->prepared->problem->contact[t->which[at]].loads > 0)
            continue;
        const int row = TAUT_TOUCH_ROWS * at;
        if (normal ? t->rate[row] < -t->noise[row] : fabs(t->rate[row + 1]) > t->noise[row + 1])
            *struck = true;
    }
    if (!*struck) return TAUT_OK;
    const taut_status status = solve(s, t, &x, errors);
    taut_touch_release(&x.answers);
    return status;
}
