/* The polynomial of a step gives what the state holds; accelerations, multipliers and the like
 * would lose digits at the end of a step, so for them the stages are done again at the row's own
 * time. */
#include "task/observe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct taut_observer {
    taut_arena arena;
    const taut_problem *problem;
    const taut_structure *structure;
    taut_series *series;
    int derivatives;
    int columns;    /* of the problem that are shown */
    int last_stage; /* that a row needs */
    int energy;     /* outputs of the series: energy, then kinetic energy; -1: none */
    int work;       /* ... the column with the work that is done; -1: none */
    double expected_at, expected[TAUT_ENERGY_OUTPUTS]; /* these, if somebody has found them */
    const taut_reactions *reactions;                   /* NULL: none are shown */
    taut_balance *balance;
    taut_doubts *doubts; /* NULL: nobody wants to know */
    int owns;            /* columns of the flow's own: */
    const char **own;    /* [owns] */
    int vectors;         /* outputs of the series: the first component of the reactions' vectors */
    int *decaying; /* [n] outputs of the series: what only decays, -1: nothing; NULL: none does */
};

static int highest(const taut_observer *o, int column) {
    return o->problem->column[column].primes ? o->derivatives : 0;
}

/* Which stage the rows need; the offsets follow from the structure alone. */
static void find_last_stage(taut_observer *o) {
    const int *offset = o->structure->offset;
    o->last_stage = -1;
    for (int c = 0; c < o->columns; c++) {
        const int stage = highest(o, c) - offset[o->problem->column[c].node];
        if (stage > o->last_stage) o->last_stage = stage;
    }
    for (int i = 0; o->reactions && i < o->reactions->vectors; i++)
        for (int k = 0; k < 3; k++) {
            const int stage = -offset[o->reactions->vector[i][k]];
            if (stage > o->last_stage) o->last_stage = stage;
        }
}

/* The series of the rows: outputs have a tape of their own, so that steps may have the rest. */
static taut_status create_series(taut_observer *o, int last_stage, const taut_node *output,
                                 int outputs) {
    taut_series_plan *plan;
    TAUT_TRY(taut_series_plan_create_wide(&o->problem->system, o->structure,
                                          last_stage > o->last_stage ? last_stage : o->last_stage,
                                          NULL, 0, &plan));
    const taut_status status =
        taut_series_create_view(plan, o->last_stage, output, outputs, &o->series);
    taut_series_plan_free(&plan);
    return status;
}

static taut_status build(taut_observer *o, int last_stage) {
    const taut_problem *p = o->problem;
    int outputs = o->columns;
    const int more = o->reactions ? 3 * o->reactions->vectors : 0;
    const int constraints = p->constraint ? p->system.n : 0;
    taut_node *output = TAUT_NEW_ARRAY(&o->arena, o->columns + 2 + more + constraints, taut_node);
    if (!output) return TAUT_ERR_MEMORY;
    for (int c = 0; c < o->columns; c++) output[c] = p->column[c].node;
    o->energy = o->work = -1;
    for (int c = 0; c < o->columns; c++)
        if (p->column[c].kind == TAUT_COLUMN_ENERGY && strcmp(p->column[c].name, "work") == 0)
            o->work = c;
    if (p->energy != TAUT_NO_NODE) {
        o->energy = outputs;
        output[outputs++] = p->energy;
        output[outputs++] = p->kinetic;
    }
    o->vectors = outputs;
    for (int i = 0; i < more; i++) output[outputs++] = o->reactions->vector[i / 3][i % 3];
    if (p->constraint) {
        o->decaying = TAUT_NEW_ARRAY(&o->arena, constraints, int);
        if (!o->decaying) return TAUT_ERR_MEMORY;
    }
    for (int i = 0; i < constraints; i++) {
        o->decaying[i] = p->constraint[i] == TAUT_NO_NODE ? -1 : outputs;
        if (o->decaying[i] >= 0) output[outputs++] = p->constraint[i];
    }
    if (o->reactions) TAUT_TRY(taut_balance_create(o->reactions, &o->arena, &o->balance));
    find_last_stage(o);
    return create_series(o, last_stage > 0 ? last_stage : 0, output, outputs);
}

taut_status taut_observer_create(const taut_problem *problem, const taut_structure *structure,
                                 const taut_observing *wish, taut_observer **observer) {
    taut_observer *o = NULL;
    size_t room = 0;
    *observer = NULL;
    if (taut_grow((void **)&o, &room, 1, sizeof *o)) return TAUT_ERR_MEMORY;
    *o = (taut_observer){.problem = problem,
                         .structure = structure,
                         .derivatives = wish->derivatives,
                         .expected_at = (double)NAN};
    o->columns = problem->columns - (wish->reactions ? 0 : problem->multipliers);
    if (wish->reactions) o->reactions = problem->reactions;
    taut_status status = build(o, wish->last_stage);
    if (status == TAUT_OK)
        *observer = o;
    else
        taut_observer_free(&o);
    return status;
}

taut_status taut_observer_create_like(const taut_observer *like, taut_observer **observer) {
    taut_observer *o = taut_new(sizeof *o);
    *observer = NULL;
    if (!o) return TAUT_ERR_MEMORY;
    *o = *like;
    o->arena = (taut_arena){0};
    o->series = NULL;
    o->balance = NULL;
    o->doubts = NULL;
    taut_status status = taut_series_create_from(like->series->plan, &o->series);
    if (status == TAUT_OK && o->reactions)
        status = taut_balance_create(o->reactions, &o->arena, &o->balance);
    if (status == TAUT_OK)
        *observer = o;
    else
        taut_observer_free(&o);
    return status;
}

void taut_observer_free(taut_observer **observer) {
    if (!*observer) return;
    taut_series_free(&(*observer)->series);
    taut_balance_free(&(*observer)->balance);
    taut_arena_release(&(*observer)->arena);
    taut_release((void **)observer);
}

taut_status taut_observer_watch(taut_observer *o, taut_arena *arena, taut_doubts *doubts) {
    if (!o->reactions) return TAUT_OK;
    doubts->columns = o->reactions->columns;
    doubts->first = taut_observer_columns(o) - doubts->columns;
    if (!doubts->rows) doubts->rows = TAUT_NEW_ARRAY(arena, doubts->columns, long);
    o->doubts = doubts;
    return doubts->rows ? TAUT_OK : TAUT_ERR_MEMORY;
}

taut_status taut_observer_show(taut_observer *o, const taut_flow *flow) {
    char name[2 * TAUT_NAME_MAX];
    o->owns = 0;
    if (!flow || !flow->kind->column) return TAUT_OK;
    while (flow->kind->column(flow, o->owns, name, sizeof name)) o->owns++;
    o->own = TAUT_NEW_ARRAY(&o->arena, o->owns, const char *);
    if (!o->own) return TAUT_ERR_MEMORY;
    for (int i = 0; flow->kind->column(flow, i, name, sizeof name); i++)
        if (!(o->own[i] = taut_arena_copy(&o->arena, name, strlen(name)))) return TAUT_ERR_MEMORY;
    return TAUT_OK;
}

const taut_series_plan *taut_observer_plan(const taut_observer *o) { return o->series->plan; }

taut_series *taut_observer_series(taut_observer *o) { return o->series; }

double taut_observer_vector(const taut_observer *o, int i) {
    return taut_series_output(o->series, o->vectors + i, 0);
}

int taut_observer_columns(const taut_observer *o) {
    int count = 1;
    for (int c = 0; c < o->columns; c++) count += highest(o, c) + 1;
    return count + (o->reactions ? o->reactions->columns : 0) + o->owns;
}

taut_status taut_observer_names(const taut_observer *o, taut_arena *arena, const char **name) {
    static const char primes[TAUT_PRIMES_MAX + 1] =
        "''''''''''''''''''''''''''''''''''''''''''''''''''";
    int at = 0;
    name[at++] = "t";
    for (int c = 0; c < o->columns; c++)
        for (int k = 0; k <= highest(o, c); k++) {
            name[at] = taut_arena_concat(arena, o->problem->column[c].name,
                                         primes + TAUT_PRIMES_MAX - k, "");
            if (!name[at++]) return TAUT_ERR_MEMORY;
        }
    for (int i = 0; o->reactions && i < o->reactions->columns; i++) {
        const char *own = o->reactions->column[i].name;
        name[at] = taut_arena_copy(arena, own, strlen(own));
        if (!name[at++]) return TAUT_ERR_MEMORY;
    }
    for (int i = 0; i < o->owns; i++)
        if (!(name[at++] = taut_arena_copy(arena, o->own[i], strlen(o->own[i]))))
            return TAUT_ERR_MEMORY;
    return TAUT_OK;
}

void taut_observer_kinds(const taut_observer *o, taut_column_role *role) {
    int at = 0;
    role[at++] = (taut_column_role){TAUT_COLUMN_SCALAR, 0};
    for (int c = 0; c < o->columns; c++)
        for (int k = 0; k <= highest(o, c); k++)
            role[at++] = (taut_column_role){o->problem->column[c].kind, k};
    for (int i = 0; o->reactions && i < o->reactions->columns; i++)
        role[at++] = (taut_column_role){TAUT_COLUMN_REACTION, 0};
    for (int i = 0; i < o->owns; i++) role[at++] = (taut_column_role){TAUT_COLUMN_SCALAR, 0};
}

bool taut_observer_source(const taut_observer *o, int column, taut_column_source *source) {
    int at = 1;
    for (int c = 0; c < o->columns; c++)
        for (int k = 0; k <= highest(o, c); k++, at++)
            if (at == column) {
                *source = (taut_column_source){o->problem->column[c].node, k,
                                               taut_series_output_stage(o->series, c, k) < 0};
                return true;
            }
    return false;
}

/* Sets x_j^(k), k <= d_j + stages, from the stepper's polynomial. */
static void predict(taut_observer *o, const taut_stepper *stepper, double time, int stages) {
    const double h = stepper->t - stepper->begin;
    taut_series_start(o->series, time, h != 0.0 ? h : 1.0);
    for (int j = 0; j < o->problem->system.n; j++)
        for (int k = 0; k <= o->structure->offsets.d[j] + stages; k++)
            taut_series_set(o->series, j, k, taut_stepper_value(stepper, j, k, time));
}

/* Stages up to 0 at a row's time. If an output alone has no value there, the unknowns are still
 * found: what cannot be computed turns out as NaN. */
static taut_status settle(taut_observer *o, const taut_stepper *stepper, double time) {
    taut_series *s = o->series;
    /* where the polynomial begins the state satisfies the equations: nothing may move there */
    const bool project = time != stepper->begin;
    taut_status status = taut_series_settle(s, project, NULL, NULL);
    if (status != TAUT_ERR_NUMERICS || s->bad_slot < 0) return status;
    predict(o, stepper, time, 0);
    taut_series_look(s, 0);
    status = taut_series_factor(s);
    const int first = project ? -o->structure->largest_d : 0;
    for (int stage = first; stage <= 0 && status == TAUT_OK; stage++) taut_series_solve(s, stage);
    return status;
}

/* At a stiff point the state does not tell the highest derivatives: an error of the last digit
 * would appear there multiplied by the stiffness. The step has found them as such, so they are
 * taken from its polynomial; only what the constraints restrict is corrected. */
static taut_status settle_stiff(taut_observer *o, const taut_stepper *stepper, double time) {
    taut_series *s = o->series;
    predict(o, stepper, time, o->last_stage);
    taut_series_look(s, 0);
    if (o->structure->conditions > 0 && time != stepper->begin && time != stepper->t) {
        TAUT_TRY(taut_series_factor(s));
        for (int stage = -o->structure->largest_d; stage < 0; stage++) taut_series_solve(s, stage);
    }
    taut_series_look(s, o->last_stage);
    return TAUT_OK;
}

/* Reactions at the series' point, into row. */
static taut_status find_reactions(taut_observer *o, bool known, double *row) {
    const int columns = o->reactions->columns;
    double residual, force;
    for (int i = 0; i < columns && !known; i++) row[i] = (double)NAN;
    if (!known) return TAUT_OK;
    for (int i = 0; i < 3 * o->reactions->vectors; i++)
        taut_balance_vector(o->balance, i / 3)[i % 3] =
            taut_series_output(o->series, o->vectors + i, 0);
    TAUT_TRY(taut_balance_solve(o->balance, row));
    if (!o->doubts) return TAUT_OK;
    o->doubts->looks++;
    taut_balance_residual(o->balance, &residual, &force);
    o->doubts->residual = fmax(o->doubts->residual, residual);
    /* a body may be free: then what turns it is a force to compare with */
    force = fmax(force, taut_series_output(o->series, o->energy + 1, 0) / o->reactions->length);
    for (int i = 0; i < o->problem->forces; i++) /* of contacts */
        force = fmax(force, fabs(taut_series_get(o->series, o->problem->first_force + i, 0)));
    o->doubts->force = fmax(o->doubts->force, force);
    for (int i = 0; i < columns; i++)
        if (!taut_balance_is_unique(o->balance, i)) o->doubts->rows[i]++;
    return TAUT_OK;
}

/* The balances at the series' point. */
static taut_status balance_here(taut_observer *o, double *row) {
    taut_series_look(o->series, 0);
    for (int i = 0; i < 3 * o->reactions->vectors; i++)
        taut_balance_vector(o->balance, i / 3)[i % 3] =
            taut_series_output(o->series, o->vectors + i, 0);
    return taut_balance_solve(o->balance, row);
}

taut_status taut_observer_blow(taut_observer *o, const taut_blow *b, taut_arena *arena,
                               double *column) {
    taut_series *s = o->series;
    const int columns = o->reactions->columns;
    double *before = TAUT_NEW_ARRAY(arena, columns, double);
    if (!before) return TAUT_ERR_MEMORY;
    taut_state_write(b->state, s);
    TAUT_TRY(balance_here(o, before));
    for (int j = 0; j < o->problem->system.n; j++) {
        const int d = o->structure->offsets.d[j];
        const double more = j < o->problem->coordinates ? b->jump[j] : b->force[j];
        if (more != 0.0) taut_series_set(s, j, d, taut_series_get(s, j, d) + more);
    }
    TAUT_TRY(balance_here(o, column));
    for (int i = 0; i < columns; i++) column[i] -= before[i];
    return TAUT_OK;
}

/* The flow's own columns, at the end of the row. */
static taut_status fill_own(taut_observer *o, taut_stepper *stepper, double time, double *row,
                            int *missing) {
    taut_flow *flow = taut_stepper_flow(stepper);
    const int first = taut_observer_columns(o) - o->owns;
    const taut_status status = flow->kind->row(flow, time, row + first);
    if (status == TAUT_OK || status == TAUT_ERR_MEMORY) return status;
    for (int i = 0; i < o->owns; i++) row[first + i] = (double)NAN;
    if (*missing < 0) *missing = first;
    return TAUT_OK;
}

taut_status taut_observer_row(taut_observer *o, taut_stepper *stepper, double time, double *row,
                              int *missing) {
    taut_status status = TAUT_OK;
    int at = 0;
    *missing = -1;
    predict(o, stepper, time, 0);
    if (o->last_stage < 0) {
        taut_series_look(o->series, -1);
    } else if (stepper->method->stiff) {
        status = settle_stiff(o, stepper, time);
        if (status == TAUT_ERR_MEMORY) return status;
    } else {
        status = settle(o, stepper, time);
        if (status == TAUT_ERR_MEMORY) return status;
        if (status == TAUT_OK) taut_series_extend(o->series, 1, o->last_stage);
    }
    row[at++] = time;
    for (int c = 0; c < o->columns; c++)
        for (int k = 0; k <= highest(o, c); k++, at++) {
            row[at] = taut_series_output(o->series, c, k);
            /* where J is singular only what does not need it is known */
            if (status != TAUT_OK && taut_series_output_stage(o->series, c, k) >= 0)
                row[at] = (double)NAN;
            if (!isfinite(row[at]) && *missing < 0) *missing = at;
        }
    if (o->owns > 0) TAUT_TRY(fill_own(o, stepper, time, row, missing));
    if (!o->reactions) return TAUT_OK;
    TAUT_TRY(find_reactions(o, status == TAUT_OK, row + at));
    for (int i = 0; i < o->reactions->columns; i++)
        if (!isfinite(row[at + i]) && *missing < 0) *missing = at + i;
    return TAUT_OK;
}

void taut_observer_look(taut_observer *o, double t, double *row) {
    int at = 0;
    taut_series_look(o->series, -1);
    for (int c = 0; c < taut_observer_columns(o); c++) row[c] = (double)NAN;
    row[at++] = t;
    for (int c = 0; c < o->columns; c++)
        for (int k = 0; k <= highest(o, c); k++, at++)
            if (taut_series_output_stage(o->series, c, k) < 0)
                row[at] = taut_series_output(o->series, c, k);
}

double taut_observer_residual(taut_observer *o, const taut_stepper *stepper, double time) {
    double largest = 0.0;
    predict(o, stepper, time, 0);
    taut_series_look(o->series, 0);
    for (int i = 0; o->decaying && i < o->problem->system.n; i++)
        if (o->decaying[i] >= 0)
            largest = fmax(largest, fabs(taut_series_output(o->series, o->decaying[i], 0)));
    return largest;
}

double taut_observer_span(taut_observer *o, const taut_stepper *stepper, double time) {
    double largest = 0.0;
    predict(o, stepper, time, 0);
    taut_series_look(o->series, -1);
    for (int c = 0; c < o->columns; c++)
        if (o->problem->column[c].kind == TAUT_COLUMN_POINT &&
            taut_series_output_stage(o->series, c, 0) < 0)
            largest = fmax(largest, fabs(taut_series_output(o->series, c, 0)));
    return largest;
}

void taut_observer_energy(taut_observer *o, const taut_stepper *stepper, double time,
                          double *energy, double *kinetic) {
    *energy = *kinetic = (double)NAN;
    if (o->energy < 0) return;
    if (time == o->expected_at) {
        *energy = o->expected[0] - (o->work >= 0 ? o->expected[2] : 0.0);
        *kinetic = o->expected[1];
        o->expected_at = (double)NAN;
        return;
    }
    const int of_energy = taut_series_output_stage(o->series, o->energy, 0);
    const int of_kinetic = taut_series_output_stage(o->series, o->energy + 1, 0);
    const bool moving = of_energy >= 0 || of_kinetic >= 0; /* more than the state is needed */
    if (time != stepper->t || !taut_stepper_prediction(stepper, o->series))
        predict(o, stepper, time, moving ? 0 : -1);
    taut_observer_balance(o, energy, kinetic);
}

int taut_observer_energy_outputs(const taut_observer *o, int *output) {
    if (o->energy < 0) return 0;
    output[0] = o->energy;
    output[1] = o->energy + 1;
    output[2] = o->work;
    return o->work >= 0 ? 3 : 2;
}

void taut_observer_expect(taut_observer *o, double time, const double *value) {
    o->expected_at = time;
    for (int i = 0; i < (o->work >= 0 ? 3 : 2); i++) o->expected[i] = value[i];
}

void taut_observer_expect_nothing(taut_observer *o) { o->expected_at = (double)NAN; }

/* ---- what should stay ---- */

/* The place of a column of the problem in a row. */
static int place_of(const taut_observer *o, int column) {
    int at = 1;
    for (int c = 0; c < column; c++) at += highest(o, c) + 1;
    return at;
}

bool taut_observer_keeps_energy(const taut_observer *o, int *energy, int *work) {
    *energy = *work = -1;
    if (o->energy < 0 || (!o->problem->conservative && o->work < 0)) return false;
    for (int c = 0; c < o->columns; c++)
        if (o->problem->column[c].node == o->problem->energy &&
            o->problem->column[c].kind == TAUT_COLUMN_ENERGY)
            *energy = place_of(o, c);
    if (o->work >= 0) *work = place_of(o, o->work);
    return true;
}

void taut_observer_again(taut_observer *o) { taut_series_look(o->series, 0); }

void taut_observer_reach(taut_observer *o, const taut_stepper *stepper) {
    predict(o, stepper, stepper->t, 0);
    for (int j = 0; j < o->problem->system.n; j++)
        for (int k = 0; k < o->structure->offsets.d[j]; k++)
            taut_series_set(o->series, j, k, taut_stepper_state(stepper, j, k));
    taut_observer_again(o);
}

void taut_observer_balance(const taut_observer *o, double *energy, double *kinetic) {
    *energy = *kinetic = (double)NAN;
    if (o->energy < 0) return;
    *energy = taut_series_output(o->series, o->energy, 0);
    *kinetic = taut_series_output(o->series, o->energy + 1, 0);
    if (o->work >= 0) *energy -= taut_series_output(o->series, o->work, 0);
}

double taut_observer_constraint(const taut_observer *o, int i, const char **name) {
    *name = o->problem->system.equation[i].name;
    if (!o->decaying) /* what is not differentiated restricts forces, not states */
        return o->structure->offsets.c[i] > 0 ? taut_series_value(o->series, i) : (double)NAN;
    const int own = o->decaying[i];
    return own >= 0 ? taut_series_output(o->series, own, 0) : (double)NAN;
}
