/* Watches sigma, the least singular value of the constraints' Jacobian, at the points that a method
 * reaches. Before it vanishes Taylor series take over, and hand back beyond. */
#include "solve/ferry.h"

#include <math.h>
#include <string.h>

#include "solve/pole.h"
#include "solve/singular.h"
#include "solve/taylor.h"
#include "taut/state.h"

/* Sigma is looked at again when this part of the time is over in which it would vanish. */
static const double PATIENCE = 0.2;
/* ... and at the latest after this part of a step of the series. */
static const double STEADY = 0.4;
/* Within so many steps of the series they take over; within so many of the method's own in any
 * case.
 */
static const double BOARDING = 2.5, CLOSE = 4.0;
/* A sigma that is this part of what it was at most is tiny, or at least small. */
static const double TINY = 0.02, SMALL = 0.3;
/* They hand back when sigma has grown to this part of what it was when they took over. */
static const double ASHORE = 0.6;
enum { PROJECTIONS = 3 }; /* of the point where they begin */

typedef struct ferry {
    taut_stepper base;
    taut_method table;         /* base.method: what the one at work can do */
    const taut_method *method; /* the one that was asked for ... */
    taut_stepper *own;         /* ... and its stepper; */
    taut_stepper *taylor;      /* NULL until it is needed; */
    taut_stepper *at_work;     /* one of the two */
    const taut_system *system; /* whose constraints hold */
    const taut_structure *structure;
    taut_stepping options;
    taut_arena arena;
    taut_series *series; /* at the last point that was looked at */
    taut_state *point;   /* the same, for the series to start from; */
    taut_state *ashore;  /* likewise for the method, which may have other equations */
    taut_pole pole;
    double tend;
    double looked, sigma;    /* when it was looked at sigma last (NaN: never), and what it was */
    double largest;          /* that it has been */
    double look_again;       /* before this time nothing can happen */
    double stride;           /* a step of the series, when it was asked for last; 0: never */
    double boarded;          /* sigma when the series took over */
    taut_stepper_stats past; /* of the method, before it was started again */
    double *number;          /* values of parameters; NULL: as they were compiled */
} ferry;

bool taut_ferry_is_needed(const taut_method *method, const taut_structure *structure,
                          const taut_stepping *stepping) {
    if (stepping->alone || stepping->step > 0.0) return false;
    if (stepping->exact)
        structure = stepping->exact_structure;
    else if (method == &taut_taylor)
        return false;
    if (structure->largest_d != 2 || !structure->quasilinear) return false;
    bool holonomic = false;
    for (int i = 0; i < structure->n; i++) holonomic |= structure->offsets.c[i] == 2;
    return holonomic;
}

/* ---- points ---- */

/* The point that a stepper has reached, into the series. */
static void take_point(ferry *f, const taut_stepper *from) {
    const int *d = f->structure->offsets.d;
    taut_series_start(f->series, from->t, 1.0);
    for (int j = 0; j < f->system->n; j++) {
        for (int k = 0; k < d[j]; k++)
            taut_series_set(f->series, j, k, taut_stepper_state(from, j, k));
        taut_series_set(f->series, j, d[j], 0.0);
    }
}

/* Sigma at the point in the series; NaN where J is singular. */
static taut_status look(ferry *f, double *sigma) {
    taut_series_look(f->series, f->series->jacobian_stage > -1 ? f->series->jacobian_stage : -1);
    const taut_status status = taut_series_factor(f->series);
    if (status == TAUT_OK) taut_pole_look(&f->pole);
    *sigma = status == TAUT_OK ? f->pole.sigma : (double)NAN;
    return status == TAUT_ERR_MEMORY ? status : TAUT_OK;
}

static double sign_of(const ferry *f) { return f->tend < f->base.t ? -1.0 : 1.0; }

/* Looks at sigma where the stepper at work is, if it is time to. *away: how far away it would
 * vanish, going on like this; infinite if it does not fall, or was not looked at. */
static taut_status watch(ferry *f, double *away) {
    const double t = f->at_work->t, sign = sign_of(f), before = f->sigma;
    *away = (double)INFINITY;
    if (sign * (t - f->look_again) < 0.0) return TAUT_OK;
    take_point(f, f->at_work);
    TAUT_TRY(look(f, &f->sigma));
    const double time = f->sigma * fabs(t - f->looked) / fabs(before - f->sigma);
    f->looked = t;
    f->largest = fmax(f->largest, f->sigma);
    /* near a maximum sigma says little of what is to come; steps of the series tell how soon
       something can happen */
    const double patience = fmin(PATIENCE * time, STEADY * f->stride);
    f->look_again = isfinite(patience) ? t + sign * patience : t;
    if (before > f->sigma) *away = time;
    return TAUT_OK;
}

/* ---- on board ---- */

static taut_status create_taylor(ferry *f) {
    const taut_stepping stepping = {.rtol = f->options.rtol,
                                    .atol = f->options.atol,
                                    .max_step = f->options.max_step,
                                    .span = f->options.span,
                                    .reduced = f->options.reduced,
                                    .watch = f->options.watch};
    TAUT_TRY(taut_stepper_create(&taut_taylor, f->system, f->structure, &stepping, &f->taylor));
    return f->number ? taut_stepper_set_numbers(f->taylor, f->number) : TAUT_OK;
}

static bool is_numerical(taut_status status) {
    return status != TAUT_OK && status != TAUT_ERR_MEMORY;
}

/* Starts Taylor series where the method is. *started: they can go on from there. */
static taut_status start_taylor(ferry *f, bool *started) {
    *started = false;
    if (!f->taylor) TAUT_TRY(create_taylor(f));
    take_point(f, f->own);
    taut_status status = TAUT_OK;
    for (int i = 0; i < PROJECTIONS && status == TAUT_OK; i++)
        status = taut_series_settle(f->series, true, NULL, NULL);
    if (status == TAUT_OK) {
        taut_state_read(f->point, f->series);
        status = taut_stepper_start(f->taylor, f->point, f->tend, NULL);
    }
    *started = status == TAUT_OK;
    return is_numerical(status) ? TAUT_OK : status;
}

static void change_to(ferry *f, taut_stepper *stepper) {
    f->at_work = stepper;
    f->table.stiff = stepper->method->stiff;
}

/* Shall they take over? `away`: where sigma would vanish. They do if it will, and if it becomes
 * tiny without. At first sigma has no past, and the method's first steps may be long ones: the
 * series look ahead. */
static taut_status board(ferry *f, double away) {
    const double h = fabs(f->own->t - f->own->begin);
    double r;
    bool started;
    if (!isfinite(away) && f->stride > 0.0) return TAUT_OK;
    if (f->stride > 0.0 && away > 2.0 * BOARDING * f->stride && away > CLOSE * h) return TAUT_OK;
    TAUT_TRY(start_taylor(f, &started));
    if (!started) return TAUT_OK;
    TAUT_TRY(taut_taylor_foresee(f->taylor, &f->stride, &r));
    const bool soon = r > 0.0 && r < fmax(BOARDING * f->stride, CLOSE * h);
    if (!soon && !(f->sigma <= TINY * f->largest)) return TAUT_OK;
    f->boarded = f->sigma;
    change_to(f, f->taylor);
    return TAUT_OK;
}

static void add(taut_stepper_stats *sum, taut_stepper_stats x, long times) {
    sum->steps += times * x.steps;
    sum->rejected += times * x.rejected;
    sum->evaluations += times * x.evaluations;
    sum->factorisations += times * x.factorisations;
    sum->corrections += times * x.corrections;
}

/* The method goes on from where the series are, if these are far enough from the position. */
static taut_status go_ashore(ferry *f, taut_errors *errors) {
    const double before = f->sigma;
    double away;
    f->look_again = f->taylor->t;
    TAUT_TRY(watch(f, &away));
    if (!(f->sigma > before) || !(f->sigma > ASHORE * f->boarded)) return TAUT_OK;
    /* with the highest derivatives: where constraints decay some of them belong to the state */
    const taut_status status = taut_series_settle(f->series, false, NULL, NULL);
    if (status != TAUT_OK) return is_numerical(status) ? TAUT_OK : status;
    add(&f->past, taut_stepper_statistics(f->own), 1);
    taut_state_read(f->point, f->series);
    for (int j = 0; j < f->system->n; j++) {
        const int d = f->structure->offsets.d[j];
        *taut_state_at(f->point, j, d) = taut_series_get(f->series, j, d);
    }
    taut_state_forget(f->ashore);
    taut_state_take(f->ashore, f->point);
    TAUT_TRY(taut_stepper_start(f->own, f->ashore, f->tend, errors));
    add(&f->past, taut_stepper_statistics(f->own), -1);
    change_to(f, f->own);
    return TAUT_OK;
}

/* ---- the calls ---- */

static void follow(ferry *f) {
    f->base.t = f->at_work->t;
    f->base.begin = f->at_work->begin;
    f->base.singular = f->at_work->singular;
}

/* What the method remembers, then what was seen on the way. While the series are at work there is
 * nothing of the kind: who goes on from there begins anew. */
enum { REMEMBERED = 5 };

static void remember(const taut_stepper *stepper, taut_memory *memory) {
    const ferry *f = (const ferry *)stepper;
    const double number[REMEMBERED] = {f->looked, f->sigma, f->largest, f->look_again, f->stride};
    if (f->at_work != f->own) return;
    f->method->remember(f->own, memory);
    if (memory->count > 0) taut_memory_put_all(memory, number, REMEMBERED);
}

static bool recall(ferry *f, const taut_state *from) {
    taut_recall r = taut_state_recall(from, f->base.method->name);
    if (r.memory->count <= REMEMBERED) return false;
    r.next = r.memory->count - REMEMBERED;
    f->looked = taut_recall_get(&r);
    f->sigma = taut_recall_get(&r);
    f->largest = taut_recall_get(&r);
    f->look_again = taut_recall_get(&r);
    f->stride = taut_recall_get(&r);
    return true;
}

static taut_status start(taut_stepper *stepper, const taut_state *from, double tend,
                         taut_errors *errors) {
    ferry *f = (ferry *)stepper;
    double away;
    f->tend = tend;
    f->largest = 0.0;
    f->looked = f->sigma = (double)NAN;
    f->past = (taut_stepper_stats){0};
    f->look_again = f->base.t;
    f->stride = 0.0;
    change_to(f, f->own);
    taut_state own = *from; /* without what is ours in its memory */
    const bool again = recall(f, from);
    if (again) own.stepper.count -= REMEMBERED;
    TAUT_TRY(taut_stepper_start(f->own, &own, tend, errors));
    follow(f);
    return again ? TAUT_OK : watch(f, &away);
}

static taut_status set_end(taut_stepper *stepper, double tend) {
    ferry *f = (ferry *)stepper;
    f->tend = tend;
    if (f->at_work != f->own) TAUT_TRY(taut_stepper_set_end(f->at_work, tend));
    return taut_stepper_set_end(f->own, tend);
}

static taut_expansion expansion(const taut_stepper *stepper, bool end) {
    return taut_stepper_expansion(((const ferry *)stepper)->at_work, end);
}

static taut_status set_numbers(taut_stepper *stepper, const double *parameter) {
    ferry *f = (ferry *)stepper;
    TAUT_TRY(taut_stepper_set_numbers(f->own, parameter));
    if (f->taylor) TAUT_TRY(taut_stepper_set_numbers(f->taylor, parameter));
    TAUT_TRY(taut_series_set_numbers(f->series, parameter));
    TAUT_TRY(taut_pole_set_numbers(&f->pole, parameter));
    const int count = taut_graph_parameters(f->system->graph);
    if (!f->number) f->number = TAUT_NEW_ARRAY(&f->arena, count, double);
    if (!f->number) return TAUT_ERR_MEMORY;
    memcpy(f->number, parameter, (size_t)count * sizeof *parameter);
    return TAUT_OK;
}

static void forget(taut_stepper *stepper) {
    ferry *f = (ferry *)stepper;
    change_to(f, f->own);
    taut_stepper_forget(f->own);
    taut_stepper_free(&f->taylor);
    taut_series_forget(f->series);
    taut_pole_restart(&f->pole);
}

/* One step of the method itself. Where it finds none although sigma is small, the series try. */
static taut_status step_alone(ferry *f, taut_errors *errors) {
    double away;
    bool started = false;
    const taut_status status = taut_stepper_step(f->own, NULL);
    if (!is_numerical(status)) return status;
    f->look_again = f->own->t;
    TAUT_TRY(watch(f, &away));
    if (f->sigma < SMALL * f->largest) TAUT_TRY(start_taylor(f, &started));
    if (!started && f->options.exact) { /* the method's own equations do not hold the driver */
        take_point(f, f->own);
        TAUT_TRY(taut_singular_dead_point(f->series, f->own->t, errors));
    }
    if (!started) return taut_stepper_step(f->own, errors); /* it says why */
    f->boarded = f->sigma;
    change_to(f, f->taylor);
    return taut_stepper_step(f->taylor, errors);
}

static taut_status step(taut_stepper *stepper, taut_errors *errors) {
    ferry *f = (ferry *)stepper;
    double away;
    if (f->at_work == f->taylor) {
        TAUT_TRY(go_ashore(f, errors));
    } else {
        TAUT_TRY(watch(f, &away));
        TAUT_TRY(board(f, away));
    }
    const taut_status status =
        f->at_work == f->own ? step_alone(f, errors) : taut_stepper_step(f->taylor, errors);
    follow(f);
    return status;
}

static void release(taut_stepper *stepper) {
    ferry *f = (ferry *)stepper;
    taut_stepper_free(&f->own);
    taut_stepper_free(&f->taylor);
    taut_pole_release(&f->pole);
    taut_series_free(&f->series);
    taut_state_free(&f->point);
    taut_state_free(&f->ashore);
    taut_arena_release(&f->arena);
    taut_release((void **)&f);
}

static double value(const taut_stepper *stepper, int j, int k, double time) {
    return taut_stepper_value(((const ferry *)stepper)->at_work, j, k, time);
}

static double state(const taut_stepper *stepper, int j, int k) {
    return taut_stepper_state(((const ferry *)stepper)->at_work, j, k);
}

static double residual(const taut_stepper *stepper) {
    return taut_stepper_residual(((const ferry *)stepper)->at_work);
}

static double rcond(const taut_stepper *stepper) {
    return taut_stepper_rcond(((const ferry *)stepper)->at_work);
}

static taut_stepper_stats statistics(const taut_stepper *stepper) {
    const ferry *f = (const ferry *)stepper;
    taut_stepper_stats stats = taut_stepper_statistics(f->own);
    add(&stats, f->past, 1);
    if (f->taylor) add(&stats, taut_stepper_statistics(f->taylor), 1);
    return stats;
}

static bool strained(taut_stepper *stepper) {
    return taut_stepper_strained(((ferry *)stepper)->own);
}

static double ahead(taut_stepper *stepper) {
    return taut_stepper_ahead(((ferry *)stepper)->at_work);
}

static taut_flow *flow(taut_stepper *stepper) { return taut_stepper_flow(((ferry *)stepper)->own); }

/* ---- creation ---- */

static taut_status fill(ferry *f, const taut_system *system, const taut_structure *structure) {
    f->system = f->options.exact ? f->options.exact : system;
    f->structure = f->options.exact ? f->options.exact_structure : structure;
    f->base.structure = structure;
    TAUT_TRY(f->method->create(system, structure, &f->options, &f->own));
    f->own->method = f->method;
    f->own->structure = structure;
    TAUT_TRY(taut_state_create(f->system, f->structure, &f->point));
    TAUT_TRY(taut_state_create(system, structure, &f->ashore));
    TAUT_TRY(taut_series_create(f->system, f->structure, 0, NULL, 0, &f->series));
    f->series->watch = f->options.watch;
    return taut_pole_create(f->series, &f->arena, &f->pole);
}

taut_status taut_ferry_create(const taut_method *method, const taut_system *system,
                              const taut_structure *structure, const taut_stepping *stepping,
                              taut_stepper **stepper) {
    ferry *f = NULL;
    size_t room = 0;
    *stepper = NULL;
    if (taut_grow((void **)&f, &room, 1, sizeof *f)) return TAUT_ERR_MEMORY;
    *f = (ferry){.method = method, .options = *stepping};
    f->table = *method;
    f->table.free = release;
    f->table.start = start;
    f->table.step = step;
    f->table.value = value;
    f->table.state = state;
    f->table.residual = residual;
    f->table.rcond = rcond;
    f->table.statistics = statistics;
    f->table.set_end = set_end;
    f->table.forget = forget;
    if (method->remember) f->table.remember = remember;
    if (method->expansion) f->table.expansion = expansion;
    if (method->set_numbers) f->table.set_numbers = set_numbers;
    if (method->strained) f->table.strained = strained;
    if (method->ahead) f->table.ahead = ahead;
    if (method->flow) f->table.flow = flow;
    f->base.method = &f->table;
    const taut_status status = fill(f, system, structure);
    if (status == TAUT_OK)
        *stepper = &f->base;
    else
        release(&f->base);
    return status;
}
