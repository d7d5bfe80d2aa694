/* The record of a run, and the way back over it. */
#include "task/adjoint.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    BESIDE = TAUT_REVERSE_LANES / 2, /* numbers at a time; other lanes have the tails of these */
    TAIL = 2,                        /* terms of a polynomial that tell how good it is */
    DEEPEST = 20                     /* halvings of a step */
};
static const size_t MOST_BYTES = (size_t)1 << 30; /* of a record, unless the options say more */

/* A step: from the point of its expansion to its end. */
typedef struct recorded_step {
    double t, h, end;
} recorded_step;

struct taut_adjoint {
    taut_arena arena;
    unsigned long serial; /* of the equations */
    int *place;           /* [n + 1] coefficient k of x_j is number place[j] + k of a step */
    int values, stages;   /* values: of a state */
    recorded_step *step;  /* [steps] heap */
    double *c;            /* [steps * place[n]] likewise */
    long steps;
    size_t step_room, c_room;
    long now;       /* the step at hand, on the way back */
    double **at;    /* [n] its coefficients */
    double *state;  /* [BESIDE * values] adjoints of the state where the sweep has arrived, ... */
    double *next;   /* ... and at the beginning of the piece at hand */
    double *number; /* [BESIDE * numbers] adjoints of parameters so far */
};

void taut_adjoint_record(taut_simulation *s) { s->recorded = true; }

void taut_adjoint_free(taut_adjoint **adjoint) {
    if (!*adjoint) return;
    taut_release((void **)&(*adjoint)->step);
    taut_release((void **)&(*adjoint)->c);
    taut_arena_release(&(*adjoint)->arena);
    taut_release((void **)adjoint);
}

size_t taut_adjoint_size(const taut_simulation *s) {
    const taut_sensitivity *x = s->sensitivity;
    return (size_t)x->adjoint->values + (size_t)x->numbers;
}

/* ---- the record ---- */

static taut_status prepare(taut_simulation *s, taut_adjoint *a) {
    const taut_sensitivity *x = s->sensitivity;
    const int n = s->prepared->problem->system.n, *d = s->prepared->structure.offsets.d;
    a->place = TAUT_NEW_ARRAY(&a->arena, n + 1, int);
    a->at = TAUT_NEW_ARRAY(&a->arena, n + 1, double *);
    if (!a->place || !a->at) return TAUT_ERR_MEMORY;
    a->stages = taut_forward_stage(x->motion);
    for (int j = 0; j < n; j++) a->place[j + 1] = a->place[j] + d[j] + a->stages + 1;
    a->values = x->direction[0].state->first[n];
    a->state = TAUT_NEW_ARRAY(&a->arena, BESIDE * (size_t)a->values + 1, double);
    a->next = TAUT_NEW_ARRAY(&a->arena, BESIDE * (size_t)a->values + 1, double);
    a->number = TAUT_NEW_ARRAY(&a->arena, BESIDE * (size_t)x->numbers + 1, double);
    a->serial = x->serial;
    return a->state && a->next && a->number ? TAUT_OK : TAUT_ERR_MEMORY;
}

taut_status taut_adjoint_begin(taut_simulation *s) {
    taut_sensitivity *x = s->sensitivity;
    if (x->adjoint && x->adjoint->serial != x->serial) taut_adjoint_free(&x->adjoint);
    if (x->back) taut_reverse_forget(x->back);
    if (x->back_row) taut_reverse_forget(x->back_row);
    if (x->adjoint) {
        x->adjoint->steps = 0;
        return TAUT_OK;
    }
    if (!(x->adjoint = taut_new(sizeof *x->adjoint))) return TAUT_ERR_MEMORY;
    *x->adjoint = (taut_adjoint){0};
    return prepare(s, x->adjoint);
}

static taut_status refuse(const taut_simulation *s, const char *why, taut_errors *errors) {
    return taut_fail_at(errors, TAUT_ERR_NUMERICS, s->prepared->problem->system.place,
                        "adjoints cannot be carried back from t = %.10g: %s", s->stepper->t, why);
}

taut_status taut_adjoint_refuse_event(const taut_simulation *s, taut_errors *errors) {
    return refuse(s, "an event is there", errors);
}

static double value_of(const void *user, int j, int k, double t) {
    return taut_stepper_value(user, j, k, t);
}

taut_status taut_adjoint_step(taut_simulation *s, taut_errors *errors) {
    const taut_sensitivity *x = s->sensitivity;
    taut_adjoint *a = x->adjoint;
    const taut_stepper *stepper = s->stepper;
    const int n = s->prepared->problem->system.n;
    const size_t size = (size_t)a->place[n], room = ((size_t)a->steps + 1) * size;
    taut_expansion e = taut_stepper_expansion(stepper, false);
    if (a->serial != s->prepared->problem->serial)
        return refuse(s, "other constraints were left out there", errors);
    const double bytes = (double)(room * sizeof *a->c);
    if (bytes > (double)MOST_BYTES && bytes > s->options.memory)
        return refuse(s, "there are too many steps", errors);
    if (taut_grow((void **)&a->step, &a->step_room, (size_t)a->steps + 1, sizeof *a->step) ||
        taut_grow((void **)&a->c, &a->c_room, room, sizeof *a->c))
        return TAUT_ERR_MEMORY;
    double *c = a->c + (size_t)a->steps * size;
    const bool known = e.c && e.t == stepper->begin;
    if (!known) { /* past a singular position, say */
        const taut_status status = taut_sensitivity_move(
            s, stepper->begin, stepper->t - stepper->begin, false, value_of, stepper);
        if (status == TAUT_ERR_MEMORY) return status;
        if (status != TAUT_OK) return refuse(s, "a singular position is near", errors);
        e.t = x->series->jet->t;
        e.h = x->series->jet->h;
    }
    for (int j = 0; j < n; j++)
        for (int k = 0; k < a->place[j + 1] - a->place[j]; k++)
            c[a->place[j] + k] =
                known ? e.c[j][k] : *taut_jet_at(x->series->jet, x->series->variable[j], k);
    a->step[a->steps++] = (recorded_step){e.t, e.h, stepper->t};
    return TAUT_OK;
}

/* ---- columns ---- */

/* A reaction depends on vectors, and these on the state. */
static taut_status look_at_reaction(taut_simulation *s, int reaction, taut_errors *errors) {
    const taut_sensitivity *x = s->sensitivity;
    const int vectors = 3 * x->reactions->vectors, columns = x->reactions->columns;
    const int first = x->function[x->columns - columns - 1] + 1; /* functions are vectors */
    taut_arena work = {0};
    double *unit = TAUT_NEW_ARRAY(&work, (size_t)vectors * (size_t)vectors, double);
    double *by = TAUT_NEW_ARRAY(&work, (size_t)columns * (size_t)vectors, double);
    taut_status status = unit && by ? TAUT_OK : TAUT_ERR_MEMORY;
    for (int i = 0; i < vectors && unit; i++) unit[i * vectors + i] = 1.0;
    if (status == TAUT_OK) status = taut_sensitivity_reactions(s, unit, vectors, by);
    for (int i = 0; i < vectors && status == TAUT_OK; i++) {
        const double weight = by[reaction * vectors + i];
        if (!isfinite(weight))
            status = refuse(s, "rigid bodies do not determine the reaction", errors);
        if (weight != 0.0 && status == TAUT_OK)
            taut_reverse_add_function(x->back_row, first + i, 0, 0, weight);
    }
    taut_arena_release(&work);
    return status;
}

taut_status taut_adjoint_look(taut_simulation *s, int column, double *by, long *step,
                              taut_errors *errors) {
    taut_sensitivity *x = s->sensitivity;
    const taut_adjoint *a = x->adjoint;
    const taut_state *y = x->direction[0].state;
    const int plain = x->columns - (x->reactions ? x->reactions->columns : 0);
    *step = a->steps > 0 ? a->steps - 1 : 0;
    if (!x->back_row) TAUT_TRY(taut_reverse_create(x->row, &x->back_row));
    taut_status status = taut_forward_take(x->row, taut_observer_series(s->observer));
    if (status == TAUT_OK) status = taut_reverse_begin(x->back_row);
    if (status == TAUT_ERR_MEMORY) return status;
    if (status != TAUT_OK) return refuse(s, "a singular position is near", errors);
    if (column <= plain || !x->reactions)
        taut_reverse_add_function(x->back_row, x->function[column - 1], x->level[column - 1], 0,
                                  1.0);
    else
        TAUT_TRY(look_at_reaction(s, column - 1 - plain, errors));
    taut_reverse_solve(x->back_row);
    for (int j = 0; j < y->n; j++)
        for (int k = 0; k < taut_state_order(y, j); k++)
            by[y->first[j] + k] = taut_reverse_get(x->back_row, j, k, 0);
    for (int k = 0; k < x->numbers; k++)
        by[a->values + k] = x->may_vary[k] ? taut_reverse_number(x->back_row, k, 0) : 0.0;
    return TAUT_OK;
}

/* ---- the way back ---- */

/* What a sweep knows. */
typedef struct sweep {
    const taut_adjoint_seed *seed;
    int *of_step;      /* [steps] the first seed of a step, ... */
    int *next;         /* [seeds] ... and the next one of the same; -1: none */
    int first, beside; /* the numbers first .. first + beside - 1 are on their way */
    double tol;
} sweep;

static double polynomial_at(const void *user, int j, int k, double t) {
    const taut_simulation *s = user;
    const taut_adjoint *a = s->sensitivity->adjoint;
    const recorded_step *step = &a->step[a->now];
    const double theta = (t - step->t) / step->h;
    double sum = 0.0;
    for (int q = a->place[j + 1] - a->place[j] - 1; q >= k; q--) {
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
    const recorded_step *step = &a->step[a->now];
    const taut_expansion e = {a->at, a->stages, step->t, step->h};
    if (t == step->t) return taut_forward_expand(x->motion, &e);
    return taut_sensitivity_move(s, t, step->end - step->t, true, polynomial_at, s);
}

/* What depends on the state at a time, in a lane and in that of its tail. */
static void add_state(const taut_sensitivity *x, double t, int lane, const double *by,
                      double weight) {
    const taut_state *y = x->direction[0].state;
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
    const taut_state *y = x->direction[0].state;
    double worst = 0.0;
    for (int lane = 0; lane < w->beside; lane++) {
        double size = 0.0, tail = 0.0;
        for (int j = 0; j < y->n; j++)
            for (int k = 0; k < taut_state_order(y, j); k++) {
                const double own = taut_reverse_get(x->back, j, k, lane), part = pow(length, -k);
                a->next[lane * a->values + y->first[j] + k] = own;
                size = fmax(size, part * fabs(own));
                tail = fmax(tail, part * fabs(taut_reverse_get(x->back, j, k, BESIDE + lane)));
            }
        if (size > 0.0) worst = fmax(worst, tail / size);
    }
    return worst;
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
        add_state(x, to, lane, a->state + (size_t)lane * (size_t)a->values, 1.0);
    for (int i = w->of_step[a->now]; i >= 0; i = w->next[i]) {
        const taut_adjoint_seed *seed = &w->seed[i];
        const bool inside =
            sign * (seed->t - to) <= 0.0 && (sign * (seed->t - from) > 0.0 || from == begin);
        if (seed->number >= w->first && seed->number < w->first + w->beside && inside)
            add_state(x, seed->t, seed->number - w->first, seed->by, seed->weight);
    }
    taut_reverse_solve(x->back);
    if (read_states(s, w, fabs(to - from)) > w->tol && depth < DEEPEST) {
        const double middle = from + 0.5 * (to - from);
        TAUT_TRY(pass(s, w, middle, to, depth + 1));
        return pass(s, w, from, middle, depth + 1);
    }
    memcpy(a->state, a->next, (size_t)w->beside * (size_t)a->values * sizeof *a->state);
    for (int lane = 0; lane < w->beside; lane++)
        for (int k = 0; k < x->numbers; k++)
            if (x->may_vary[k])
                a->number[lane * x->numbers + k] += taut_reverse_number(x->back, k, lane);
    return TAUT_OK;
}

/* Numbers side by side, from the end to the start. */
static taut_status go_back(taut_simulation *s, const sweep *w, taut_errors *errors) {
    taut_sensitivity *x = s->sensitivity;
    taut_adjoint *a = x->adjoint;
    const int n = s->prepared->problem->system.n;
    memset(a->state, 0, BESIDE * (size_t)a->values * sizeof *a->state);
    memset(a->number, 0, BESIDE * (size_t)x->numbers * sizeof *a->number);
    for (a->now = a->steps - 1; a->now >= 0; a->now--) {
        for (int j = 0; j < n; j++)
            a->at[j] = a->c + (size_t)a->now * (size_t)a->place[n] + a->place[j];
        const taut_status status = pass(s, w, a->step[a->now].t, a->step[a->now].end, 0);
        if (status == TAUT_ERR_MEMORY) return status;
        if (status != TAUT_OK) return refuse(s, "a singular position is on the way", errors);
    }
    return TAUT_OK;
}

/* Of one number, when the sweep is at the start: by all directions. */
static void finish(const taut_simulation *s, const taut_adjoint_seed *seed, int seeds, int number,
                   int lane, double *gradient) {
    const taut_sensitivity *x = s->sensitivity;
    taut_adjoint *a = x->adjoint;
    double *own = a->number + (size_t)lane * (size_t)x->numbers;
    for (int i = 0; i < seeds; i++)
        for (int k = 0; k < x->numbers && seed[i].number == number; k++)
            own[k] += seed[i].weight * seed[i].by[a->values + k];
    for (int i = 0; i < x->directions; i++) {
        const taut_direction *d = &x->direction[i];
        double sum = 0.0;
        for (int k = 0; k < a->values; k++)
            sum += a->state[(size_t)lane * (size_t)a->values + (size_t)k] * d->state->x[k];
        for (int k = 0; k < x->numbers; k++) sum += own[k] * d->numbers[k];
        gradient[i] = sum;
    }
}

static void sort_seeds(sweep *w, int seeds, long steps) {
    for (long i = 0; i < steps; i++) w->of_step[i] = -1;
    for (int i = seeds - 1; i >= 0; i--) {
        w->next[i] = w->of_step[w->seed[i].step];
        w->of_step[w->seed[i].step] = i;
    }
}

taut_status taut_adjoint_sweep(taut_simulation *s, const taut_adjoint_seed *seed, int seeds,
                               int numbers, double *gradient, taut_errors *errors) {
    taut_sensitivity *x = s->sensitivity;
    const taut_adjoint *a = x->adjoint;
    taut_arena arena = {0};
    sweep w = {.seed = seed,
               .of_step = TAUT_NEW_ARRAY(&arena, a->steps + 1, int),
               .next = TAUT_NEW_ARRAY(&arena, seeds + 1, int),
               .tol = fmax(fmax(s->options.rtol, s->options.atol), DBL_EPSILON)};
    taut_status status = w.of_step && w.next ? TAUT_OK : TAUT_ERR_MEMORY;
    if (status == TAUT_OK && !x->back) status = taut_reverse_create(x->motion, &x->back);
    if (status == TAUT_OK) sort_seeds(&w, seeds, a->steps + 1);
    for (w.first = 0; w.first < numbers && status == TAUT_OK; w.first += BESIDE) {
        w.beside = numbers - w.first < BESIDE ? numbers - w.first : BESIDE;
        status = go_back(s, &w, errors);
        for (int i = 0; i < w.beside && status == TAUT_OK; i++)
            finish(s, seed, seeds, w.first + i, i, gradient + (w.first + i) * x->directions);
    }
    taut_arena_release(&arena);
    return status;
}
