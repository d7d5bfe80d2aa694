/* The way back over the record of a run. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/bounds.h"
#include "task/adjoint_parts.h"

enum {
    BESIDE = TAUT_ADJOINT_BESIDE,
    TAIL = 2,    /* terms of a polynomial that tell how good it is */
    DEEPEST = 20 /* halvings of a step */
};

/* ---- the way back ---- */

/* What a sweep knows. */
typedef struct sweep {
    const taut_adjoint_seed *seed; /* [seeds] */
    int seeds;
    int *of_step;      /* [steps + 2] the first seed of step i - 1, ... */
    int *next;         /* [seeds] ... and the next one of the same; -1: none */
    int first, beside; /* the numbers first .. first + beside - 1 are on their way */
    double tol;
} sweep;

static const taut_adjoint_form *form_now(const taut_adjoint *a) { return a->leg[a->at_leg].form; }

static double polynomial_at(const void *user, int j, int k, double t) {
    const taut_simulation *s = user;
    const taut_adjoint *a = s->sensitivity->adjoint;
    const taut_adjoint_record_step *step = &a->step[a->now];
    const double theta = (t - step->t) / step->h;
    double sum = 0.0;
    const int *place = form_now(a)->place;
    for (int q = place[j + 1] - place[j] - 1; q >= k; q--) {
        double factor = 1.0;
        for (int i = 0; i < k; i++) factor *= (double)(q - i) / step->h;
        sum = sum * theta + factor * a->at[j][q];
    }
    return sum;
}

/* Puts the engine at the beginning of a piece. */
static taut_status move_to(taut_simulation *s, double t) {
    taut_sensitivity *x = s->sensitivity;
    const taut_adjoint *a = x->adjoint;
    const taut_adjoint_record_step *step = &a->step[a->now];
    const taut_expansion e = {a->at, form_now(a)->stages, step->t, step->h};
    if (t == step->t) return taut_forward_expand(x->motion, &e);
    TAUT_TRY(taut_sensitivity_make_series(x, form_now(a)->prepared, a->leg[a->at_leg].number));
    return taut_sensitivity_move(s, t, step->end - step->t, true, polynomial_at, s);
}

/* What depends on the state at a time, in a lane and in that of its tail. */
static void add_state(const taut_sensitivity *x, double t, int lane, const double *by,
                      double weight) {
    const taut_state *y = form_now(x->adjoint)->layout;
    for (int j = 0; j < y->n; j++)
        for (int k = 0; k < taut_state_order(y, j); k++) {
            const double part = weight * by[y->first[j] + k];
            if (part == 0.0) continue;
            taut_reverse_add_value(x->back, j, k, t, lane, part, 0);
            taut_reverse_add_value(x->back, j, k, t, BESIDE + lane, part, TAIL);
        }
}

/* Reads the adjoints at the beginning of the piece. How large are those of the last terms beside
 * all of them, in the worst lane? Adjoints of x^(k) grow with h^k. */
static double read_states(taut_simulation *s, const sweep *w, double length) {
    const taut_sensitivity *x = s->sensitivity;
    taut_adjoint *a = x->adjoint;
    const taut_state *y = form_now(a)->layout;
    double worst = 0.0;
    for (int lane = 0; lane < w->beside; lane++) {
        double size = 0.0, tail = 0.0;
        for (int j = 0; j < y->n; j++)
            for (int k = 0; k < taut_state_order(y, j); k++) {
                const double own = taut_reverse_get(x->back, j, k, lane), part = pow(length, -k);
                a->next[lane * a->room + y->first[j] + k] = own;
                size = fmax(size, part * fabs(own));
                tail = fmax(tail, part * fabs(taut_reverse_get(x->back, j, k, BESIDE + lane)));
            }
        if (size > 0.0) worst = fmax(worst, tail / size);
    }
    return worst;
}

static bool is_on_its_way(const sweep *w, const taut_adjoint_seed *seed) {
    return seed->number >= w->first && seed->number < w->first + w->beside;
}

/* From the end of a piece of a step to its beginning; in halves if its polynomials are too short.
 */
static taut_status pass(taut_simulation *s, const sweep *w, double from, double to, int depth) {
    taut_sensitivity *x = s->sensitivity;
    taut_adjoint *a = x->adjoint;
    const double begin = a->step[a->now].t, sign = to < from ? -1.0 : 1.0;
    TAUT_TRY(move_to(s, from));
    TAUT_TRY(taut_reverse_begin(x->back));
    for (int lane = 0; lane < w->beside; lane++)
        add_state(x, to, lane, a->state + (size_t)lane * (size_t)a->room, 1.0);
    for (int i = w->of_step[a->now + 1]; i >= 0; i = w->next[i]) {
        const taut_adjoint_seed *seed = &w->seed[i];
        const bool inside =
            sign * (seed->t - to) <= 0.0 && (sign * (seed->t - from) > 0.0 || from == begin);
        if (seed->by && is_on_its_way(w, seed) && inside)
            add_state(x, seed->t, seed->number - w->first, seed->by, seed->weight);
    }
    taut_reverse_solve(x->back);
    if (read_states(s, w, fabs(to - from)) > w->tol && depth < DEEPEST) {
        const double middle = from + 0.5 * (to - from);
        TAUT_TRY(pass(s, w, middle, to, depth + 1));
        return pass(s, w, from, middle, depth + 1);
    }
    memcpy(a->state, a->next, (size_t)w->beside * (size_t)a->room * sizeof *a->state);
    for (int lane = 0; lane < w->beside; lane++)
        for (int k = 0; k < x->numbers; k++)
            if (x->may_vary[k])
                a->number[lane * x->numbers + k] += taut_reverse_number(x->back, k, lane);
    return TAUT_OK;
}

/* The engines, and their numbers, of another leg. */
static taut_status enter_leg(taut_simulation *s, int leg) {
    taut_sensitivity *x = s->sensitivity;
    taut_adjoint *a = x->adjoint;
    const taut_adjoint_leg *l = &a->leg[leg];
    a->at_leg = leg;
    if (l->form->serial != x->serial) {
        taut_adjoint_put_away(x);
        taut_adjoint_take_out(x, l->form->serial);
        x->serial = l->form->serial;
    }
    if (!x->back) TAUT_TRY(taut_reverse_create(x->motion, &x->back));
    if (a->legs == 1 || !l->number) return TAUT_OK;
    TAUT_TRY(taut_forward_set_numbers(x->motion, l->number));
    return x->series ? taut_series_set_numbers(x->series, l->number) : TAUT_OK;
}

/* What seeds of a step depend on directly: numbers, and at the ends of the run the state. */
static void add_directly(const taut_simulation *s, const sweep *w, long step) {
    const taut_sensitivity *x = s->sensitivity;
    const taut_adjoint *a = x->adjoint;
    const bool whole = step < 0 || step == a->steps;
    const int values = form_now(a)->values;
    for (int i = w->of_step[step + 1]; i >= 0; i = w->next[i]) {
        const taut_adjoint_seed *seed = &w->seed[i];
        if (!seed->by || !is_on_its_way(w, seed)) continue;
        const int lane = seed->number - w->first;
        for (int k = 0; k < values && whole; k++)
            a->state[(size_t)lane * (size_t)a->room + (size_t)k] += seed->weight * seed->by[k];
        for (int k = 0; k < x->numbers; k++)
            a->number[lane * x->numbers + k] += seed->weight * seed->by[values + k];
    }
}

/* The transpose of an event's map, in one lane. */
static void cross(const taut_simulation *s, const sweep *w, int event, int lane) {
    const taut_sensitivity *x = s->sensitivity;
    const taut_adjoint *a = x->adjoint;
    const taut_adjoint_event *e = &a->event[event];
    double *state = a->state + (size_t)lane * (size_t)a->room;
    double *number = a->number + (size_t)lane * (size_t)x->numbers;
    const int behind = e->size - x->numbers, before = form_now(a)->values;
    double *sum = a->next; /* of the lane: what varies before */
    double shift = 0.0;
    for (int i = 0; i < w->seeds; i++)
        if (w->seed[i].event == event && w->seed[i].number == w->first + lane)
            shift += w->seed[i].shift;
    for (int i = 0; i < e->probes; i++) {
        const double *column = e->column + (size_t)i * (size_t)e->size;
        sum[i] = shift * e->shift[i];
        for (int k = 0; k < behind; k++) sum[i] += column[k] * state[k];
        for (int k = 0; k < x->numbers; k++) sum[i] += column[behind + k] * number[k];
    }
    memset(state, 0, (size_t)a->room * sizeof *state);
    memset(number, 0, (size_t)x->numbers * sizeof *number);
    for (int i = 0; i < e->probes; i++) {
        if (e->place[i] < before)
            state[e->place[i]] = sum[i];
        else
            number[e->place[i] - before] = sum[i];
    }
}

/* Events before a step, the last one first. */
static taut_status cross_all(taut_simulation *s, const sweep *w, long step) {
    const taut_adjoint *a = s->sensitivity->adjoint;
    while (a->at_leg > 0 && a->event[a->at_leg - 1].step == step) {
        const int event = a->at_leg - 1; /* behind leg `event` */
        TAUT_TRY(enter_leg(s, event));
        for (int lane = 0; lane < w->beside; lane++) cross(s, w, event, lane);
    }
    return TAUT_OK;
}

static taut_status go_over_step(taut_simulation *s, const sweep *w) {
    taut_adjoint *a = s->sensitivity->adjoint;
    const taut_adjoint_form *f = form_now(a);
    const taut_adjoint_record_step *step = &a->step[a->now];
    for (int j = 0; j < f->n; j++) a->at[j] = a->c + step->c + f->place[j];
    add_directly(s, w, a->now);
    return pass(s, w, step->t, step->end, 0);
}

/* Numbers side by side, from the end to the start. */
static taut_status go_back(taut_simulation *s, const sweep *w, taut_errors *errors) {
    const taut_sensitivity *x = s->sensitivity;
    taut_adjoint *a = x->adjoint;
    memset(a->state, 0, BESIDE * (size_t)a->room * sizeof *a->state);
    memset(a->number, 0, BESIDE * (size_t)x->numbers * sizeof *a->number);
    taut_status status = enter_leg(s, a->legs - 1);
    if (status == TAUT_OK) add_directly(s, w, a->steps);
    if (status == TAUT_OK) status = cross_all(s, w, a->steps);
    for (a->now = a->steps - 1; a->now >= 0 && status == TAUT_OK; a->now--) {
        status = taut_bounds_ask();
        if (status == TAUT_OK) status = go_over_step(s, w);
        if (status == TAUT_OK) status = cross_all(s, w, a->now);
    }
    if (status == TAUT_ERR_MEMORY || status == TAUT_INTERRUPTED) return status;
    if (status != TAUT_OK)
        return taut_adjoint_refuse(s, "a singular position is on the way", errors);
    add_directly(s, w, -1);
    return TAUT_OK;
}

/* Of one number, when the sweep is at the start: by all directions. */
static void finish(const taut_simulation *s, int lane, double *gradient) {
    const taut_sensitivity *x = s->sensitivity;
    const taut_adjoint *a = x->adjoint;
    const double *state = a->state + (size_t)lane * (size_t)a->room;
    const double *number = a->number + (size_t)lane * (size_t)x->numbers;
    for (int i = 0; i < x->directions; i++) {
        const taut_direction *d = &x->direction[i];
        double sum = 0.0;
        for (int k = 0; k < form_now(a)->values; k++) sum += state[k] * d->state->x[k];
        for (int k = 0; k < x->numbers; k++) sum += number[k] * d->numbers[k];
        gradient[i] = sum;
    }
}

static void sort_seeds(sweep *w, long steps) {
    for (long i = 0; i < steps + 2; i++) w->of_step[i] = -1;
    for (int i = w->seeds - 1; i >= 0; i--) {
        w->next[i] = w->of_step[w->seed[i].step + 1];
        w->of_step[w->seed[i].step + 1] = i;
    }
}

/* Room for adjoints in the variables of all equations that were in use. */
static taut_status make_room(taut_adjoint *a, int numbers, taut_arena *arena) {
    int n = 0;
    a->room = 1;
    for (const taut_adjoint_form *f = a->form; f; f = f->next) {
        a->room = f->values > a->room ? f->values : a->room;
        n = f->n > n ? f->n : n;
    }
    const size_t all = BESIDE * ((size_t)a->room + (size_t)numbers);
    a->at = TAUT_NEW_ARRAY(arena, n + 1, double *);
    a->state = TAUT_NEW_ARRAY(arena, all, double);
    a->next = TAUT_NEW_ARRAY(arena, all, double);
    a->number = TAUT_NEW_ARRAY(arena, BESIDE * (size_t)numbers + 1, double);
    return a->at && a->state && a->next && a->number ? TAUT_OK : TAUT_ERR_MEMORY;
}

taut_status taut_adjoint_sweep(taut_simulation *s, const taut_adjoint_seed *seed, int seeds,
                               int numbers, double *gradient, taut_errors *errors) {
    const taut_sensitivity *x = s->sensitivity;
    taut_adjoint *a = x->adjoint;
    taut_arena arena = {0};
    sweep w = {.seed = seed,
               .seeds = seeds,
               .of_step = TAUT_NEW_ARRAY(&arena, a->steps + 2, int),
               .next = TAUT_NEW_ARRAY(&arena, seeds + 1, int),
               .tol = fmax(fmax(s->options.rtol, s->options.atol), DBL_EPSILON)};
    taut_status status = w.of_step && w.next ? make_room(a, x->numbers, &arena) : TAUT_ERR_MEMORY;
    if (status == TAUT_OK) sort_seeds(&w, a->steps);
    for (w.first = 0; w.first < numbers && status == TAUT_OK; w.first += BESIDE) {
        w.beside = numbers - w.first < BESIDE ? numbers - w.first : BESIDE;
        status = go_back(s, &w, errors);
        for (int i = 0; i < w.beside && status == TAUT_OK; i++)
            finish(s, i, gradient + (w.first + i) * x->directions);
    }
    const taut_status last = enter_leg(s, a->legs - 1); /* where the run is */
    taut_arena_release(&arena);
    return status != TAUT_OK ? status : last;
}
