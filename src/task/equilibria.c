/* Equilibria of a model, one or several: reading it for `Trim`, the searches, and the model in
 * which what was free has the values that were found. */
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "expr/sample.h"
#include "model/trim.h"
#include "task/allowance.h"
#include "task/equilibrium.h"
#include "task/happen.h"
#include "task/options.h"
#include "task/resolve.h"
#include "task/result.h"

enum { BURSTS = 100, FEW_BURSTS = 3, MOST = 1000 };
static const double SAME = 1e-6; /* of the size of the positions */

typedef struct found {
    taut_state *state;
    taut_model *model;              /* NULL: the caller's */
    double *value;                  /* [frees] */
    taut_override *number, *driver; /* the same as texts: parameters, drivers */
    int numbers, drivers;
    double *x; /* [n] */
} found;

struct taut_equilibria {
    taut_arena arena;
    const taut_model *model;
    found *item; /* [count] */
    int count;
    const char **name; /* [frees] */
    int frees;
};

/* ---- reading ---- */

/* The value of a driver at the start. */
static taut_status value_at_start(const taut_model *m, taut_node node, double *value) {
    taut_arena arena = {0};
    taut_sample sample;
    taut_status status = taut_sample_create(m->graph, &node, 1, &arena, &sample);
    if (status == TAUT_OK && sample.inputs > 0) status = TAUT_ERR_CALL;
    if (status == TAUT_OK) {
        for (int i = 0; i < TAUT_SAMPLES; i++) sample.time[i] = m->t0;
        taut_sample_find(&sample);
        *value = sample.value[0][0];
    }
    taut_arena_release(&arena);
    return status;
}

static const char *number_text(taut_arena *arena, double value) {
    char text[40];
    taut_format(text, sizeof text, "%.17g", value);
    return taut_arena_copy(arena, text, strlen(text));
}

/* The model with free values as symbols. */
static taut_status read_for_trim(const taut_model *m, taut_arena *arena, taut_model **variant,
                                 taut_errors *errors) {
    const int drivers = m->mechanism ? m->mechanism->drivers : 0;
    taut_override *driver = TAUT_NEW_ARRAY(arena, drivers + 1, taut_override);
    int count = 0;
    if (!driver) return TAUT_ERR_MEMORY;
    for (int i = 0; i < drivers; i++) {
        const taut_driver *d = &m->mechanism->driver[i];
        double value = 0.0;
        if (!taut_is_free(m, d->name)) continue;
        const taut_status status = value_at_start(m, d->wanted, &value);
        if (status == TAUT_ERR_CALL)
            return taut_fail_at(errors, TAUT_ERR_INPUT, d->place,
                                "the value of driver '%s' cannot be free: its formula has unknowns",
                                d->name);
        TAUT_TRY(status);
        driver[count++] = (taut_override){d->name, number_text(arena, value)};
        if (!driver[count - 1].formula) return TAUT_ERR_MEMORY;
    }
    const taut_variation variation = {.initial = m->initial,
                                      .initials = m->initials,
                                      .keep_inputs = taut_free_name(m, 0) != NULL,
                                      .trim = true,
                                      .driver_value = driver,
                                      .driver_values = count};
    return taut_model_vary(m, &variation, variant, errors);
}

/* ---- what was found ---- */

/* The difference of two values; that of an orientation by whole turns is none. */
static double difference(double a, double b, bool turns) {
    return turns ? remainder(a - b, 2.0 * M_PI) : a - b;
}

/* turning: the first so many of x may be angles that place bodies. */
static bool is_new(const taut_equilibria *e, const double *x, int n, int turning) {
    for (int k = 0; k < e->count; k++) {
        double sum = 0.0, size = 1e-6;
        for (int j = 0; j < n; j++) {
            const double off = e->item[k].x[j] - x[j];
            sum += pow(difference(e->item[k].x[j], x[j], j < turning && fabs(off) > 6.0), 2.0);
            size += x[j] * x[j];
        }
        if (sum <= SAME * SAME * size) return false;
    }
    return true;
}

/* The model of a run from there: free values are what was found. */
static taut_status settle_model(taut_equilibria *e, found *f, taut_errors *errors) {
    const taut_model *m = e->model;
    if (e->frees == 0) return TAUT_OK;
    f->number = TAUT_NEW_ARRAY(&e->arena, e->frees, taut_override);
    f->driver = TAUT_NEW_ARRAY(&e->arena, e->frees, taut_override);
    if (!f->number || !f->driver) return TAUT_ERR_MEMORY;
    for (int k = 0; k < e->frees; k++) {
        const taut_override own = {e->name[k], number_text(&e->arena, f->value[k])};
        if (!own.formula) return TAUT_ERR_MEMORY;
        if (taut_yaml_get(taut_yaml_get(m->root, "Inputs"), own.name) ||
            taut_yaml_get(taut_yaml_get(m->root, "PhysicalParams"), own.name))
            f->number[f->numbers++] = own;
        else
            f->driver[f->drivers++] = own;
    }
    const taut_variation variation = {.override = f->number,
                                      .overrides = f->numbers,
                                      .initial = m->initial,
                                      .initials = m->initials,
                                      .driver_value = f->driver,
                                      .driver_values = f->drivers};
    return taut_model_vary(m, &variation, &f->model, errors);
}

static taut_status keep(taut_equilibria *e, taut_rest *rest, taut_errors *errors) {
    const int n = rest->n;
    double *x = TAUT_NEW_ARRAY(&e->arena, n + 1, double);
    found *f = &e->item[e->count];
    if (!x) return TAUT_ERR_MEMORY;
    for (int j = 0; j < n; j++) { /* forces follow, and nothing depends on work */
        const bool counts =
            rest->series->structure->offsets.d[j] > 0 && !rest->series->system->unknown[j].passive;
        x[j] = counts ? *taut_state_at(rest->state, j, 0) : 0.0;
    }
    const taut_problem *problem = rest->simulation->prepared->problem;
    const bool natural = strcmp(rest->state->formulation, "natural") == 0;
    if (!is_new(e, x, n, natural ? 0 : problem->placing)) return TAUT_OK;
    *f = (found){.x = x, .value = TAUT_NEW_ARRAY(&e->arena, e->frees + 1, double)};
    if (!f->value) return TAUT_ERR_MEMORY;
    memcpy(f->value, rest->p, (size_t)e->frees * sizeof *f->value);
    TAUT_TRY(taut_state_copy(rest->state, &f->state));
    e->count++;
    return settle_model(e, f, errors);
}

/* ---- the searches ---- */

/* Puts the search back to the start. */
static void begin_again(taut_rest *rest, const double *x, const double *rate) {
    const size_t bytes = (size_t)rest->n * sizeof *x;
    memcpy(rest->x, x, bytes);
    memcpy(rest->rate, rate, bytes);
    memcpy(rest->p, rest->first, (size_t)rest->frees * sizeof *rest->p);
}

static taut_status search(taut_equilibria *e, taut_rest *rest, int starts, taut_errors *errors) {
    const int n = rest->n;
    double *x = TAUT_NEW_ARRAY(&e->arena, 2 * n + 1, double), *rate = x ? x + n : NULL;
    e->item = TAUT_NEW_ARRAY(&e->arena, starts + 1, found);
    if (!x || !e->item) return TAUT_ERR_MEMORY;
    memcpy(x, rest->x, (size_t)n * sizeof *x);
    memcpy(rate, rest->rate, (size_t)n * sizeof *x);
    taut_status status = taut_rest_find(rest, BURSTS, errors);
    if (status == TAUT_OK) status = keep(e, rest, errors);
    if (starts == 0 || status == TAUT_ERR_MEMORY) return status;
    for (int i = 0; i < starts; i++) {
        begin_again(rest, x, rate);
        taut_status other = taut_rest_wander(rest, i);
        if (other == TAUT_OK) other = taut_rest_find(rest, FEW_BURSTS, NULL);
        if (other == TAUT_OK) other = keep(e, rest, errors);
        if (other == TAUT_ERR_MEMORY) return other;
    }
    if (e->count == 0) return status;
    if (errors) errors->count = 0; /* another start has found one */
    return TAUT_OK;
}

static taut_status perform(taut_equilibria *e, const taut_run_options *options, int starts,
                           taut_errors *errors) {
    taut_rest rest = {0};
    taut_model *variant = NULL;
    while (taut_free_name(e->model, e->frees)) e->frees++;
    e->name = TAUT_NEW_ARRAY(&e->arena, e->frees + 1, const char *);
    if (!e->name) return TAUT_ERR_MEMORY;
    for (int k = 0; k < e->frees; k++) e->name[k] = taut_free_name(e->model, k);
    taut_status status = read_for_trim(e->model, &e->arena, &variant, errors);
    if (status == TAUT_OK) {
        status = taut_rest_open(variant, options, &rest, errors);
        if (status == TAUT_OK) status = search(e, &rest, starts, errors);
        taut_rest_release(&rest);
    }
    taut_model_free(&variant);
    return status;
}

taut_status taut_equilibria_find(const taut_model *model, const taut_run_options *options,
                                 int starts, taut_equilibria **equilibria, taut_errors *errors) {
    TAUT_NEED(equilibria, "equilibria", errors);
    *equilibria = NULL;
    TAUT_NEED(model, "model", errors);
    if (options) TAUT_TRY(taut_options_check_cookie(options, errors));
    if (starts < 0 || starts > MOST)
        return taut_fail(errors, TAUT_ERR_CALL, "starts = %d: 0 to %d is expected", starts, MOST);
    taut_equilibria *e = taut_new(sizeof *e);
    if (!e) return TAUT_ERR_MEMORY;
    e->model = model;
    taut_allowance allowance;
    taut_allowance_begin(&allowance, options);
    const taut_status status =
        taut_allowance_end(&allowance, perform(e, options, starts, errors), errors);
    if (status == TAUT_OK)
        *equilibria = e;
    else
        taut_equilibria_free(&e);
    return status;
}

void taut_equilibria_free(taut_equilibria **equilibria) {
    if (!equilibria || !*equilibria) return;
    taut_equilibria *e = *equilibria;
    for (int k = 0; k < e->count; k++) {
        taut_state_free(&e->item[k].state);
        taut_model_free(&e->item[k].model);
    }
    taut_arena_release(&e->arena);
    taut_release((void **)equilibria);
}

/* ---- what the caller sees ---- */

int taut_equilibria_count(const taut_equilibria *e) { return e ? e->count : 0; }

static const found *item_of(const taut_equilibria *e, int k) {
    return e && k >= 0 && k < e->count ? &e->item[k] : NULL;
}

const taut_state *taut_equilibria_state(const taut_equilibria *e, int k) {
    const found *f = item_of(e, k);
    return f ? f->state : NULL;
}

const taut_model *taut_equilibria_model(const taut_equilibria *e, int k) {
    const found *f = item_of(e, k);
    if (!f) return NULL;
    return f->model ? f->model : e->model;
}

const char *taut_equilibria_free_name(const taut_equilibria *e, int i) {
    return e && i >= 0 && i < e->frees ? e->name[i] : NULL;
}

double taut_equilibria_free_value(const taut_equilibria *e, int k, int i) {
    const found *f = item_of(e, k);
    return f && i >= 0 && i < e->frees ? f->value[i] : (double)NAN;
}

/* ---- as a table ---- */

/* A table with the columns of a run, and those of free values that have none; *further: how many,
 * which[]. */
static taut_status begin_table(const taut_equilibria *e, const taut_result *like, int *which,
                               int *further, taut_result **table) {
    *further = 0;
    for (int i = 0; i < e->frees; i++)
        if (taut_result_find(like, e->name[i]) < 0) which[(*further)++] = i;
    TAUT_TRY(taut_result_create(like->columns + *further, table));
    taut_result *r = *table;
    for (int c = 0; c < r->columns; c++) {
        const char *name = c < like->columns ? like->name[c] : e->name[which[c - like->columns]];
        if (c < like->columns) r->role[c] = like->role[c];
        if (!(r->name[c] = taut_arena_copy(&r->arena, name, strlen(name)))) return TAUT_ERR_MEMORY;
    }
    return TAUT_OK;
}

static taut_status fill_table(const taut_equilibria *e, const taut_run_options *options, int *which,
                              taut_result **table, taut_errors *errors) {
    int further = 0;
    for (int k = 0; k < e->count; k++) {
        taut_result *one = NULL;
        taut_run_options own = options ? *options : taut_run_options_default();
        own.from = e->item[k].state;
        own.has_tend = true;
        own.tend = e->item[k].state->t;
        own.ats = 0;
        own.starts = 0;
        taut_status status = taut_simulate(taut_equilibria_model(e, k), &own, &one, errors);
        if (status == TAUT_OK && !*table) status = begin_table(e, one, which, &further, table);
        double *row = status == TAUT_OK ? taut_result_add_row(*table) : NULL;
        if (row) memcpy(row, one->value, (size_t)one->columns * sizeof *row);
        for (int i = 0; row && i < further; i++) row[one->columns + i] = e->item[k].value[which[i]];
        taut_result_free(&one);
        TAUT_TRY(status);
        if (!row) return TAUT_ERR_MEMORY;
    }
    return TAUT_OK;
}

taut_status taut_equilibria_table(const taut_equilibria *e, const taut_run_options *options,
                                  taut_result **result, taut_errors *errors) {
    taut_arena work = {0};
    TAUT_NEED(result, "result", errors);
    *result = NULL;
    TAUT_NEED(e, "equilibria", errors);
    int *which = TAUT_NEW_ARRAY(&work, e->frees + 1, int);
    const taut_status status =
        which ? fill_table(e, options, which, result, errors) : TAUT_ERR_MEMORY;
    taut_arena_release(&work);
    if (status != TAUT_OK) taut_result_free(result);
    return status;
}

taut_status taut_equilibrium(const taut_model *model, const taut_run_options *options,
                             taut_state **state, taut_errors *errors) {
    taut_equilibria *e = NULL;
    TAUT_NEED(state, "state", errors);
    *state = NULL;
    TAUT_TRY(taut_equilibria_find(model, options, 0, &e, errors));
    const taut_status status = taut_state_copy(taut_equilibria_state(e, 0), state);
    taut_equilibria_free(&e);
    return status;
}
