/* Variational equations at a point, with states as a flow has them. */
#include "task/exchange_directions.h"

#include <math.h>

#include "core/dense.h"
#include "task/linear.h"

/* A column as a derivative of a function of the variational equations. */
typedef struct of_column {
    int function; /* -1: it is none */
    int order;
} of_column;

struct taut_directions {
    taut_arena arena;
    taut_simulation *simulation;
    unsigned long serial; /* of the equations */
    int count;            /* parameters */
    taut_variational *v;
    of_column *column; /* [columns] */
    const taut_flow *flow;
    int states;
    taut_minimal_term **term; /* [states] */
    int *terms;
    taut_arena at_point;
    double *by_state;     /* [states * states] directions by states, column by column */
    double *by_parameter; /* [states * count] ... what parameters alone do to states */
};

/* ---- preparation ---- */

/* Variables, then columns. */
static taut_status list_functions(taut_directions *d, taut_node *function, int *level, int *count) {
    const taut_simulation *s = d->simulation;
    const taut_problem *p = s->prepared->problem;
    for (int j = 0; j < p->system.n; j++) {
        function[j] = taut_variable(p->graph, j);
        level[j] = s->prepared->structure.offsets.d[j];
    }
    *count = p->system.n;
    d->column = TAUT_NEW_ARRAY(&d->arena, s->columns, of_column);
    if (!d->column) return TAUT_ERR_MEMORY;
    for (int c = 0; c < s->columns; c++) {
        taut_column_source source;
        d->column[c].function = -1;
        if (!taut_observer_source(s->observer, c, &source)) continue;
        function[*count] = source.node;
        level[*count] = source.order;
        d->column[c] = (of_column){(*count)++, source.order};
    }
    return TAUT_OK;
}

static taut_status prepare(taut_directions *d, const int *parameter, taut_errors *errors) {
    const taut_simulation *s = d->simulation;
    const taut_problem *p = s->prepared->problem;
    const char **name = TAUT_NEW_ARRAY(&d->arena, d->count + 1, const char *);
    int *order = TAUT_NEW_ARRAY(&d->arena, d->count + 1, int);
    taut_node *function = TAUT_NEW_ARRAY(&d->arena, p->system.n + s->columns, taut_node);
    int *level = TAUT_NEW_ARRAY(&d->arena, p->system.n + s->columns, int), functions;
    double *weight;
    if (!name || !order || !function || !level) return TAUT_ERR_MEMORY;
    for (int i = 0; i < d->count; i++) name[i] = p->model->parameter_name[parameter[i]];
    const taut_linear_inputs in = {name, (int *)parameter, order, d->count};
    TAUT_TRY(taut_linear_inputs_check(&in, p->graph, "parameters", errors));
    TAUT_TRY(list_functions(d, function, level, &functions));
    TAUT_TRY(taut_linear_weigh(p->model, p->graph, parameter, d->count, &d->arena, &weight));
    const taut_variational_order wanted = {.function = function,
                                           .levels = level,
                                           .functions = functions,
                                           .weight = weight,
                                           .inputs = d->count,
                                           .parameters = p->model->parameters};
    return taut_variational_create(&p->system, &s->prepared->structure, &wanted, &d->v);
}

taut_status taut_directions_create(taut_simulation *s, const int *parameter, int count,
                                   taut_directions **directions, taut_errors *errors) {
    *directions = NULL;
    taut_directions *d = taut_new(sizeof *d);
    if (!d) return TAUT_ERR_MEMORY;
    d->simulation = s;
    d->serial = s->prepared->problem->serial;
    d->count = count;
    const taut_status status = prepare(d, parameter, errors);
    if (status == TAUT_OK)
        *directions = d;
    else
        taut_directions_free(&d);
    return status;
}

void taut_directions_free(taut_directions **directions) {
    if (!*directions) return;
    taut_variational_free(&(*directions)->v);
    taut_arena_release(&(*directions)->at_point);
    taut_arena_release(&(*directions)->arena);
    taut_release((void **)directions);
}

bool taut_directions_suit(const taut_directions *d, const taut_simulation *s) {
    return d->simulation == s && d->serial == s->prepared->problem->serial;
}

/* ---- a point ---- */

/* The variation of a state, or of its rate (above = 1), in a direction. */
static double vary_state(const taut_directions *d, int i, int above, int direction) {
    double sum = 0.0;
    for (int k = 0; k < d->terms[i]; k++) {
        const taut_minimal_term *x = &d->term[i][k];
        sum +=
            x->weight * taut_variational_of(d->v, x->variable, x->order + above, direction, NULL);
    }
    return sum;
}

/* States as sums of variables, and directions by states. */
static taut_status know_states(taut_directions *d) {
    const int n = d->states, m = d->count;
    taut_arena *a = &d->at_point;
    double *w = TAUT_NEW_ARRAY(a, n * n + 1, double);
    int *pivot = TAUT_NEW_ARRAY(a, n + 1, int);
    d->term = TAUT_NEW_ARRAY(a, n + 1, taut_minimal_term *);
    d->terms = TAUT_NEW_ARRAY(a, n + 1, int);
    d->by_state = TAUT_NEW_ARRAY(a, n * n + 1, double);
    d->by_parameter = TAUT_NEW_ARRAY(a, n * m + 1, double);
    if (!w || !pivot || !d->term || !d->terms || !d->by_state || !d->by_parameter)
        return TAUT_ERR_MEMORY;
    if (n > 0 && taut_variational_directions(d->v) != n + m) return TAUT_SINGULAR;
    for (int i = 0; i < n; i++) {
        d->term[i] = TAUT_NEW_ARRAY(a, d->flow->system->n, taut_minimal_term);
        if (!d->term[i]) return TAUT_ERR_MEMORY;
        d->terms[i] = taut_minimal_terms(d->flow, i, d->term[i]);
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) w[k * n + i] = vary_state(d, i, 0, m + k);
        for (int u = 0; u < m; u++) d->by_parameter[u * n + i] = vary_state(d, i, 0, u);
        d->by_state[i * n + i] = 1.0;
    }
    return n > 0 ? taut_dense_solve(n, n, w, d->by_state, pivot) : TAUT_OK;
}

taut_status taut_directions_find(taut_directions *d, const taut_stepper *stepper, double t,
                                 const taut_flow *flow) {
    taut_series *series = taut_variational_series(d->v);
    const int *order = series->structure->offsets.d;
    const double h = stepper->t - stepper->begin, *number = taut_refresh_numbers(d->simulation);
    if (number) TAUT_TRY(taut_series_set_numbers(series, number));
    taut_series_start(series, t, h != 0.0 ? h : 1.0);
    for (int j = 0; j < series->system->n; j++)
        for (int k = 0; k <= order[j]; k++)
            taut_series_set(series, j, k, taut_stepper_value(stepper, j, k, t));
    TAUT_TRY(taut_series_settle(series, t != stepper->begin, NULL, NULL));
    taut_series_extend(series, 1, taut_variational_stage(d->v));
    TAUT_TRY(taut_variational_find(d->v));
    taut_arena_release(&d->at_point);
    d->flow = flow;
    d->states = flow ? flow->states : 0;
    return know_states(d);
}

/* ---- derivatives ---- */

static double vary(const taut_directions *d, taut_unknown_kind kind, int k, int direction) {
    if (kind != TAUT_BY_COLUMN) return vary_state(d, k, kind == TAUT_BY_RATE, direction);
    const of_column *c = &d->column[k];
    if (c->function < 0) return (double)NAN;
    return taut_variational_of(d->v, c->function, c->order, direction, NULL);
}

double taut_directions_of(const taut_directions *d, taut_unknown_kind kind, int k,
                          const double *state, const double *parameter) {
    const int n = d->states, m = d->count;
    double sum = 0.0;
    for (int u = 0; u < m; u++)
        if (parameter[u] != 0.0) sum += parameter[u] * vary(d, kind, k, u);
    for (int a = 0; a < n; a++) {
        double part = 0.0; /* how far along direction a */
        for (int i = 0; i < n; i++) {
            double wanted = state ? state[i] : 0.0;
            for (int u = 0; u < m; u++) wanted -= parameter[u] * d->by_parameter[u * n + i];
            part += d->by_state[i * n + a] * wanted;
        }
        if (part != 0.0) sum += part * vary(d, kind, k, m + a);
    }
    return sum;
}
