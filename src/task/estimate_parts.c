/* Single shooting: each experiment is one run. Multiple shooting: it is cut into several, whose
 * starts are unknowns as well, and jumps between them are residuals that weigh more and more; what
 * a long or chaotic run would make of a small error has no time to grow (docs/math/studies.md). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "task/estimate.h"
#include "taut/linear.h"

static const double SMALL_STEP = 1e-3; /* of the range: differences of fourth order */

/* ---- unknowns ---- */

/* Bounds are mirrors: a search that runs into one comes back. */
static double fold(double u, double *sign) {
    const double w = fmod(fabs(u), 2.0);
    *sign = (u < 0.0 ? -1.0 : 1.0) * (w > 1.0 ? -1.0 : 1.0);
    return w > 1.0 ? 2.0 - w : w;
}

double taut_sought_value(const taut_estimates *e, int unknown, double z, double *rate) {
    const taut_sought *x = &e->unknown[unknown];
    double sign = 1.0, ignored;
    if (!rate) rate = &ignored;
    if (x->box < 0) {
        *rate = x->scale;
        return x->center + x->scale * z;
    }
    const double u = fold(z, &sign);
    *rate = sign * taut_box_rate(&e->box, x->box, u);
    return taut_box_value(&e->box, x->box, u);
}

/* "phi[2]" */
static const char *numbered(taut_estimates *e, const char *name, int experiment) {
    char text[300];
    if (e->experiments == 1) return name;
    snprintf(text, sizeof text, "%.250s[%d]", name, experiment + 1);
    return taut_arena_copy(&e->arena, text, strlen(text));
}

static double deviation_of(const taut_estimates *e, const char *column) {
    for (int i = 0; i < e->weights; i++)
        if (strcmp(e->weighted[i], column) == 0) return e->weight[i];
    return 1.0;
}

static taut_status add_unknown(taut_estimates *e, taut_sought x) {
    if (x.box >= 0 || x.name)
        if (!x.name) return TAUT_ERR_MEMORY;
    e->unknown[e->unknowns++] = x;
    return TAUT_OK;
}

/* Variables of the box, those that are initial values for each experiment; biases; starts. */
static taut_status list_unknowns(taut_estimates *e) {
    const int most =
        e->box.n * e->experiments + e->biases + e->experiments * (e->shooting - 1) * e->states;
    e->unknown = TAUT_NEW_ARRAY(&e->arena, most + 1, taut_sought);
    if (!e->unknown) return TAUT_ERR_MEMORY;
    for (int k = 0; k < e->box.n; k++)
        for (int x = 0; x < (e->box.initial[k] ? e->experiments : 1); x++)
            TAUT_TRY(add_unknown(e, (taut_sought){.name = e->box.initial[k]
                                                              ? numbered(e, e->box.name[k], x)
                                                              : e->box.name[k],
                                                  .box = k,
                                                  .experiment = e->box.initial[k] ? x : -1}));
    for (int k = 0; k < e->biases; k++) {
        char text[300];
        snprintf(text, sizeof text, "bias(%.250s)", e->bias[k]);
        TAUT_TRY(
            add_unknown(e, (taut_sought){.name = taut_arena_copy(&e->arena, text, strlen(text)),
                                         .box = -1,
                                         .scale = deviation_of(e, e->bias[k]),
                                         .experiment = -1}));
    }
    e->named = e->unknowns;
    for (int i = 0; i < e->experiments * (e->shooting - 1) * e->states; i++)
        TAUT_TRY(add_unknown(e, (taut_sought){.box = -1, .scale = 1.0}));
    return TAUT_OK;
}

static int find_variable(const taut_estimates *e, int box, int experiment) {
    for (int i = 0; i < e->named; i++)
        if (e->unknown[i].box == box &&
            (e->unknown[i].experiment < 0 || e->unknown[i].experiment == experiment))
            return i;
    return -1;
}

static int find_bias(const taut_estimates *e, const char *column) {
    for (int k = 0; k < e->biases; k++)
        if (strcmp(e->bias[k], column) == 0) return e->named - e->biases + k;
    return -1;
}

/* The start of part number `part` of an experiment, from 1. */
static int find_node(const taut_estimates *e, int experiment, int part, int state) {
    return e->named + (experiment * (e->shooting - 1) + part - 1) * e->states + state;
}

/* ---- states ---- */

/* Coordinates that the user names stand for their rates as well; otherwise those of a
 * linearisation.
 */
static taut_status find_states(taut_estimates *e, taut_errors *errors) {
    if (e->shooting == 1) {
        e->states = 0;
        return TAUT_OK;
    }
    if (e->states > 0) {
        const char **all = TAUT_NEW_ARRAY(&e->arena, 2 * e->states, const char *);
        if (!all) return TAUT_ERR_MEMORY;
        for (int i = 0; i < e->states; i++) {
            char rate[300];
            snprintf(rate, sizeof rate, "%.250s'", e->state[i]);
            all[i] = e->state[i];
            all[e->states + i] = taut_arena_copy(&e->arena, rate, strlen(rate));
            if (!all[e->states + i]) return TAUT_ERR_MEMORY;
        }
        e->state = all;
        e->states *= 2;
        return TAUT_OK;
    }
    taut_linear *linear = NULL;
    taut_linear_options options = taut_linear_options_default();
    options.inputs = options.outputs = "";
    TAUT_TRY(taut_linearize(e->model, &e->run, &options, &linear, errors));
    const taut_linear_point *p = taut_linear_at(linear, 0);
    e->states = p->states;
    e->state = TAUT_NEW_ARRAY(&e->arena, p->states + 1, const char *);
    taut_status status = e->state ? TAUT_OK : TAUT_ERR_MEMORY;
    for (int i = 0; i < e->states && status == TAUT_OK; i++)
        if (!(e->state[i] = taut_arena_copy(&e->arena, p->state[i], strlen(p->state[i]))))
            status = TAUT_ERR_MEMORY;
    taut_linear_free(&linear);
    return status;
}

/* ---- parts ---- */

static void add_name(taut_shot *p, const char *name, bool initial, int unknown, double constant) {
    p->name[p->names] = name;
    p->initial[p->names] = initial;
    p->unknown[p->names] = unknown;
    p->constant[p->names++] = constant;
}

static taut_status add_names(taut_estimates *e, taut_shot *p, int number, taut_errors *errors) {
    const taut_measurement *m = &e->experiment[p->experiment].m;
    const int most = e->box.n + m->sets + e->states + 1;
    p->name = TAUT_NEW_ARRAY(&e->arena, most, const char *);
    p->initial = TAUT_NEW_ARRAY(&e->arena, most, bool);
    p->unknown = TAUT_NEW_ARRAY(&e->arena, most, int);
    p->constant = TAUT_NEW_ARRAY(&e->arena, most, double);
    if (!p->name || !p->initial || !p->unknown || !p->constant) return TAUT_ERR_MEMORY;
    for (int k = 0; k < e->box.n; k++)
        if (number == 0 || !e->box.initial[k])
            add_name(p, e->box.name[k], e->box.initial[k], find_variable(e, k, p->experiment), 0.0);
    for (int k = 0; k < m->sets; k++) {
        const bool initial = taut_model_check_parameter(e->model, m->set[k], NULL) != TAUT_OK;
        for (int i = 0; i < e->box.n; i++)
            if (strcmp(e->box.name[i], m->set[k]) == 0)
                return taut_fail(errors, TAUT_ERR_CALL,
                                 "experiment %s: %s is one of the Variables and cannot be set",
                                 m->name ? m->name : "", m->set[k]);
        if (number == 0 || !initial) add_name(p, m->set[k], initial, -1, m->set_value[k]);
    }
    for (int k = 0; k < e->states && number > 0; k++)
        add_name(p, e->state[k], true, find_node(e, p->experiment, number, k), 0.0);
    return TAUT_OK;
}

static void add_measured(taut_estimates *e, taut_shot *p) {
    const taut_measurement *m = &e->experiment[p->experiment].m;
    const double last = m->t[m->rows - 1];
    for (int i = 0; i < m->rows; i++) {
        if (m->t[i] < p->begin || (m->t[i] >= p->end && p->end < last)) continue;
        for (int c = 0; c < m->columns; c++) {
            const double value = m->value[(size_t)i * (size_t)m->columns + (size_t)c];
            if (!isfinite(value)) continue;
            p->residual[p->figures] = (taut_residual){.row = i,
                                                      .column = c,
                                                      .sd = deviation_of(e, m->column[c]),
                                                      .measured = value,
                                                      .other = find_bias(e, m->column[c])};
            p->figure[p->figures++] = (taut_figure){.name = m->column[c],
                                                    .kind = TAUT_FIGURE_AT,
                                                    .column = m->column[c],
                                                    .time = m->t[i]};
            e->measured++;
        }
    }
}

static void add_jumps(taut_estimates *e, taut_shot *p, int number) {
    for (int k = 0; k < e->states && number + 1 < e->shooting; k++) {
        p->residual[p->figures] =
            (taut_residual){.row = -1,
                            .column = -1,
                            .sd = 1.0,
                            .other = find_node(e, p->experiment, number + 1, k)};
        p->figure[p->figures++] =
            (taut_figure){.name = e->state[k], .kind = TAUT_FIGURE_END, .column = e->state[k]};
    }
}

static taut_status make_model(taut_estimates *e, taut_shot *p, int number, taut_errors *errors) {
    p->run = e->run;
    p->run.has_tend = true;
    p->run.tend = p->end;
    if (number == 0) return TAUT_OK;
    const taut_variation variation = {.initial = e->model->initial,
                                      .initials = e->model->initials,
                                      .has_start = true,
                                      .start = p->begin};
    return taut_model_vary(e->model, &variation, &p->variant, errors);
}

static taut_status equip(taut_estimates *e, taut_shot *p, taut_errors *errors) {
    double *bounds = TAUT_NEW_ARRAY(&e->arena, 3 * p->names + 1, double);
    double *low = bounds, *high = bounds + p->names, *step = bounds + 2 * p->names;
    if (!bounds) return TAUT_ERR_MEMORY;
    for (int k = 0; k < p->names; k++) {
        const int u = p->unknown[k], box = u >= 0 ? e->unknown[u].box : -1;
        const double size = u < 0 ? fmax(1e-3, fabs(p->constant[k])) : e->unknown[u].scale;
        low[k] = box >= 0 ? e->box.low[box] : -1e300;
        high[k] = box >= 0 ? e->box.high[box] : 1e300;
        step[k] = SMALL_STEP * (box < 0           ? size
                                : e->box.log[box] ? e->box.low[box]
                                                  : e->box.high[box] - e->box.low[box]);
    }
    p->x = TAUT_NEW_ARRAY(&e->arena, p->names + 1, double);
    p->result = TAUT_NEW_ARRAY(&e->arena, p->figures, double);
    p->slope = TAUT_NEW_ARRAY(&e->arena, (size_t)p->figures * (size_t)(p->names + 1), double);
    if (!p->x || !p->result || !p->slope) return TAUT_ERR_MEMORY;
    const taut_tryout_order order = {.model = p->variant ? p->variant : e->model,
                                     .run = &p->run,
                                     .name = p->name,
                                     .initial = p->initial,
                                     .names = p->names,
                                     .figure = p->figure,
                                     .figures = p->figures};
    return taut_gradients_create(&order, low, high, step, true, &p->gradients, errors);
}

static taut_status make_part(taut_estimates *e, int experiment, int number, taut_errors *errors) {
    const taut_measurement *m = &e->experiment[experiment].m;
    const double t0 = e->model->t0, last = m->t[m->rows - 1];
    taut_shot *p = &e->part[e->parts++];
    const int most = m->rows * m->columns + e->states + 1;
    *p = (taut_shot){.experiment = experiment,
                     .begin = t0 + (last - t0) * (double)number / (double)e->shooting,
                     .end = t0 + (last - t0) * (double)(number + 1) / (double)e->shooting,
                     .first = e->residuals};
    if (number + 1 == e->shooting) p->end = last;
    p->figure = TAUT_NEW_ARRAY(&e->arena, most, taut_figure);
    p->residual = TAUT_NEW_ARRAY(&e->arena, most, taut_residual);
    if (!p->figure || !p->residual) return TAUT_ERR_MEMORY;
    if (m->t[0] < t0 || !(last > t0))
        return taut_fail(errors, TAUT_ERR_CALL,
                         "experiment %s: the run begins at t0 = %.10g, and it was measured from "
                         "t = %.10g to %.10g",
                         m->name ? m->name : "", t0, m->t[0], last);
    TAUT_TRY(add_names(e, p, number, errors));
    add_measured(e, p);
    add_jumps(e, p, number);
    e->residuals += p->figures;
    if (p->figures == 0 && e->shooting <= 1)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "experiment %s: nothing was measured: all cells are empty",
                         m->name ? m->name : "");
    if (p->figures == 0)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "Shooting = %d: in some of these parts nothing was measured; use "
                         "fewer",
                         e->shooting);
    TAUT_TRY(make_model(e, p, number, errors));
    return equip(e, p, errors);
}

/* Columns go up to the highest derivative that is measured or continuous. */
static void ask_for_columns(taut_estimates *e) {
    e->run.derivatives = 0;
    for (int i = 0; i < e->experiments + 1; i++) {
        const bool last = i == e->experiments;
        const int count = last ? e->states : e->experiment[i].m.columns;
        for (int c = 0; c < count; c++) {
            const char *name = last ? e->state[c] : e->experiment[i].m.column[c];
            const char *prime = strchr(name, '\'');
            const int order = prime ? (int)strspn(prime, "'") : 0;
            if (order > e->run.derivatives) e->run.derivatives = order;
        }
    }
}

taut_status taut_parts_create(taut_estimates *e, taut_errors *errors) {
    TAUT_TRY(find_states(e, errors));
    ask_for_columns(e);
    TAUT_TRY(list_unknowns(e));
    e->part = TAUT_NEW_ARRAY(&e->arena, e->experiments * e->shooting, taut_shot);
    if (!e->part) return TAUT_ERR_MEMORY;
    for (int x = 0; x < e->experiments; x++)
        for (int k = 0; k < e->shooting; k++) TAUT_TRY(make_part(e, x, k, errors));
    return TAUT_OK;
}

void taut_parts_free(taut_estimates *e) {
    for (int i = 0; i < e->parts; i++) {
        taut_gradients_free(&e->part[i].gradients);
        taut_model_free(&e->part[i].variant);
    }
}

/* ---- the start ---- */

/* A measured column at a time, between its rows; rate: its slope there. NaN: it is not measured. */
static double read_data(const taut_measurement *m, const char *name, size_t length, double t,
                        bool rate) {
    for (int c = 0; c < m->columns; c++) {
        if (strlen(m->column[c]) != length || strncmp(m->column[c], name, length) != 0) continue;
        if (m->rows < 2) return (double)NAN;
        int i = 0;
        while (i + 2 < m->rows && m->t[i + 1] < t) i++;
        const double a = m->value[i * m->columns + c], b = m->value[(i + 1) * m->columns + c];
        const double slope = (b - a) / (m->t[i + 1] - m->t[i]);
        return rate ? slope : a + slope * (t - m->t[i]);
    }
    return (double)NAN;
}

static void fill_names(const taut_estimates *e, taut_shot *p, const double *z) {
    for (int k = 0; k < p->names; k++)
        p->x[k] = p->unknown[k] >= 0 ? taut_sought_value(e, p->unknown[k], z[p->unknown[k]], NULL)
                                     : p->constant[k];
}

/* Starts of parts that no measurement tells come from a run with the first values. */
static taut_status run_to_nodes(taut_estimates *e, int experiment, const double *z) {
    taut_shot *p = &e->part[experiment * e->shooting];
    taut_simulation *s = NULL;
    taut_run_options run = e->run;
    const taut_measurement *m = &e->experiment[experiment].m;
    run.has_tend = true;
    run.tend = m->t[m->rows - 1];
    TAUT_TRY(taut_simulation_create(e->model, &run, &s, NULL));
    fill_names(e, p, z);
    taut_status status = TAUT_OK;
    for (int k = 0; k < p->names && status == TAUT_OK; k++)
        status = p->initial[k] ? taut_simulation_set_initial(s, p->name[k], p->x[k], NULL)
                               : taut_simulation_set_parameter(s, p->name[k], p->x[k], NULL);
    if (status == TAUT_OK) status = taut_simulation_start(s, NULL);
    for (int part = 1; part < e->shooting && status == TAUT_OK; part++) {
        const double t = e->part[experiment * e->shooting + part].begin;
        status = taut_simulation_run_to(s, t, NULL);
        for (int k = 0; k < e->states && status == TAUT_OK; k++) {
            const char *name = e->state[k];
            const size_t length = strcspn(name, "'");
            taut_sought *u = &e->unknown[find_node(e, experiment, part, k)];
            const double measured = read_data(m, name, strlen(name), t, false);
            const double slope =
                strcmp(name + length, "'") == 0 ? read_data(m, name, length, t, true) : (double)NAN;
            u->center = isfinite(measured) ? measured
                        : isfinite(slope)  ? slope
                                           : taut_simulation_now(s, name);
            u->scale = fmax(1e-2, fabs(u->center));
        }
    }
    taut_simulation_free(&s);
    return status;
}

taut_status taut_parts_start(taut_estimates *e, uint64_t seed, int start, double *z,
                             taut_errors *errors) {
    double *u = TAUT_NEW_ARRAY(&e->arena, e->box.n, double);
    if (!u) return TAUT_ERR_MEMORY;
    taut_box_start(&e->box, seed, start, u);
    for (int i = 0; i < e->unknowns; i++)
        z[i] = e->unknown[i].box >= 0 ? fmin(0.999, fmax(0.001, u[e->unknown[i].box])) : 0.0;
    taut_status status = TAUT_OK;
    for (int x = 0; x < e->experiments && e->shooting > 1 && status == TAUT_OK; x++)
        status = run_to_nodes(e, x, z);
    if (status != TAUT_OK && status != TAUT_ERR_MEMORY && status != TAUT_INTERRUPTED)
        return taut_fail(errors, TAUT_ERR_NUMERICS,
                         "the run with the first values comes to no end, which shooting needs");
    return status;
}

/* ---- residuals ---- */

static taut_status find_part(taut_estimates *e, taut_shot *p, const double *z, double *r,
                             double *J) {
    fill_names(e, p, z);
    e->errors->count = e->errors->dropped = 0;
    TAUT_TRY(taut_gradients_find(p->gradients, p->x, p->result, J ? p->slope : NULL, e->errors));
    for (int i = 0; i < p->figures; i++) {
        const taut_residual *d = &p->residual[i];
        const int at = p->first + i;
        double rate = 0.0, factor = 1.0 / d->sd, other = 0.0;
        if (d->other >= 0) other = taut_sought_value(e, d->other, z[d->other], &rate);
        if (d->row < 0) factor = e->tie / e->unknown[d->other].scale;
        r[at] = factor * (d->row < 0 ? p->result[i] - other : p->result[i] + other - d->measured);
        if (!J) continue;
        for (int k = 0; k < p->names; k++) {
            const int u = p->unknown[k];
            double by;
            if (u < 0) continue;
            taut_sought_value(e, u, z[u], &by);
            J[(size_t)u * (size_t)e->residuals + (size_t)at] +=
                factor * p->slope[i * p->names + k] * by;
        }
        if (d->other >= 0)
            J[(size_t)d->other * (size_t)e->residuals + (size_t)at] +=
                factor * (d->row < 0 ? -rate : rate);
    }
    return TAUT_OK;
}

taut_status taut_parts_find(taut_estimates *e, const double *z, double *r, double *J) {
    if (J) memset(J, 0, (size_t)e->residuals * (size_t)e->unknowns * sizeof *J);
    for (int i = 0; i < e->parts; i++) TAUT_TRY(find_part(e, &e->part[i], z, r, J));
    return TAUT_OK;
}
