/* What was measured: from memory, from CSV files, or from the files that the model's Study names.
 */
#include <math.h>
#include <string.h>

#include "task/estimate.h"

static taut_status check_measurement(const taut_measurement *m, taut_errors *errors) {
    const char *name = m->name ? m->name : "data";
    if (!m->t || m->rows < 1 || !m->column || m->columns < 1 || !m->value)
        return taut_fail(errors, TAUT_ERR_CALL, "experiment %s: it has no rows, or no columns",
                         name);
    for (int i = 0; i < m->rows; i++)
        if (!isfinite(m->t[i]) || (i > 0 && !(m->t[i] > m->t[i - 1])))
            return taut_fail(errors, TAUT_ERR_CALL,
                             "experiment %s: times ascend, and t = %.10g in row %d does not", name,
                             m->t[i], i + 1);
    return TAUT_OK;
}

static taut_status copy_names(taut_estimates *e, const char *const *from, int count,
                              const char ***to, taut_errors *errors) {
    *to = TAUT_NEW_ARRAY(&e->arena, count + 1, const char *);
    if (!*to) return TAUT_ERR_MEMORY;
    for (int i = 0; i < count; i++) {
        if (!from[i]) return taut_fail(errors, TAUT_ERR_CALL, "options: a name is NULL");
        if (!((*to)[i] = taut_arena_copy(&e->arena, from[i], strlen(from[i]))))
            return TAUT_ERR_MEMORY;
    }
    return TAUT_OK;
}

static taut_status copy_numbers(taut_estimates *e, const double *from, size_t count,
                                const double **to) {
    double *copy = TAUT_NEW_ARRAY(&e->arena, count + 1, double);
    if (!copy) return TAUT_ERR_MEMORY;
    if (count > 0) memcpy(copy, from, count * sizeof *from);
    *to = copy;
    return TAUT_OK;
}

static taut_status copy_name(taut_estimates *e, const char *from, const char **to) {
    *to = taut_arena_copy(&e->arena, from, strlen(from));
    return *to ? TAUT_OK : TAUT_ERR_MEMORY;
}

/* What the caller measured: the estimates outlive it. */
static taut_status copy_measurement(taut_estimates *e, const taut_measurement *from,
                                    taut_measurement *to, taut_errors *errors) {
    const char **column, **set;
    TAUT_TRY(check_measurement(from, errors));
    *to = *from;
    if (from->name) TAUT_TRY(copy_name(e, from->name, &to->name));
    TAUT_TRY(copy_names(e, from->column, from->columns, &column, errors));
    TAUT_TRY(copy_names(e, from->set, from->sets, &set, errors));
    to->column = column, to->set = set;
    TAUT_TRY(copy_numbers(e, from->t, (size_t)from->rows, &to->t));
    TAUT_TRY(copy_numbers(e, from->set_value, (size_t)from->sets, &to->set_value));
    return copy_numbers(e, from->value, (size_t)from->rows * (size_t)from->columns, &to->value);
}

/* A file: its column t, and all others as measured columns, which may have gaps. */
static taut_status read_file(taut_estimates *e, const char *path, bool hidden, taut_experiment *x,
                             taut_errors *errors) {
    TAUT_TRY(taut_sheet_read(path, hidden, &x->sheet, errors));
    const taut_sheet *s = x->sheet;
    const int time = taut_sheet_find(s, "t");
    if (time < 0)
        return taut_fail_at(errors, TAUT_ERR_INPUT, taut_sheet_place(s, -1, 0),
                            "a column t with the times is missing");
    if (s->columns < 2)
        return taut_fail_at(errors, TAUT_ERR_INPUT, taut_sheet_place(s, -1, 0),
                            "beside t there is no measured column");
    const int rows = s->rows, columns = s->columns - 1;
    const char **name = TAUT_NEW_ARRAY(&e->arena, columns, const char *);
    double *value = TAUT_NEW_ARRAY(&e->arena, (size_t)rows * (size_t)columns, double);
    double *t = TAUT_NEW_ARRAY(&e->arena, rows, double);
    double *one = TAUT_NEW_ARRAY(&e->arena, rows, double);
    if (!name || !value || !t || !one) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_sheet_numbers(s, time, t, errors));
    for (int c = 0, k = 0; c < s->columns; c++) {
        if (c == time) continue;
        TAUT_TRY(taut_sheet_measured(s, c, one, errors));
        name[k] = s->name[c];
        for (int i = 0; i < rows; i++) value[i * columns + k] = one[i];
        k++;
    }
    for (int i = 1; i < rows; i++)
        if (!(t[i] > t[i - 1]))
            return taut_fail_at(errors, TAUT_ERR_INPUT, taut_sheet_place(s, i, time),
                                "times ascend, and this one does not");
    x->m.t = t, x->m.rows = rows;
    x->m.column = name, x->m.columns = columns;
    x->m.value = value;
    return TAUT_OK;
}

/* The same for a file that the model names, which may be anybody's. */
static taut_status read_own_file(taut_estimates *e, const taut_model_experiment *from,
                                 taut_experiment *x, taut_errors *errors) {
    const taut_doc *doc = e->model->doc;
    TAUT_TRY(taut_doc_check_data(doc, from->data, from->place, errors));
    const bool hidden = !doc->is_built && !taut_doc_owns(doc, from->data);
    return read_file(e, from->data, hidden, x, errors);
}

static taut_status read_experiments(taut_estimates *e, const taut_estimate_options *o,
                                    taut_errors *errors) {
    const taut_model_study *s = &e->model->study;
    const int count = o->measurement ? o->measurements : o->data ? o->datas : s->experiments;
    if (count < 1)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "options.data: nothing was measured; give a CSV file with a column t and "
                         "columns that the model has, or Experiments in the model's Study");
    e->experiment = TAUT_NEW_ARRAY(&e->arena, count, taut_experiment);
    if (!e->experiment) return TAUT_ERR_MEMORY;
    for (int i = 0; i < count; i++) {
        taut_experiment *x = &e->experiment[e->experiments++];
        if (o->measurement) {
            TAUT_TRY(copy_measurement(e, &o->measurement[i], &x->m, errors));
        } else if (o->data) {
            TAUT_TRY(copy_name(e, o->data[i], &x->m.name));
            TAUT_TRY(read_file(e, o->data[i], false, x, errors));
        } else {
            const taut_model_experiment *from = &s->experiment[i];
            x->m.name = from->name;
            x->m.set = from->set, x->m.set_value = from->value, x->m.sets = from->sets;
            TAUT_TRY(read_own_file(e, from, x, errors));
        }
    }
    return TAUT_OK;
}

/* Is a column measured by anybody? */
static bool is_measured(const taut_estimates *e, const char *name) {
    for (int i = 0; i < e->experiments; i++)
        for (int c = 0; c < e->experiment[i].m.columns; c++)
            if (strcmp(e->experiment[i].m.column[c], name) == 0) return true;
    return false;
}

static taut_status check_measured(const taut_estimates *e, const char *const *name, int count,
                                  const char *what, taut_errors *errors) {
    for (int i = 0; i < count; i++)
        if (!is_measured(e, name[i]))
            return taut_fail(errors, TAUT_ERR_CALL, "%s %s: no experiment has this column", what,
                             name[i]);
    return TAUT_OK;
}

static taut_status read_lists(taut_estimates *e, const taut_estimate_options *o,
                              taut_errors *errors) {
    const taut_model_study *s = &e->model->study;
    const bool weights = o->weighted && o->weight;
    e->weights = weights ? o->weights : s->weights;
    e->biases = o->bias ? o->biases : s->biases;
    e->states = o->state ? o->states : s->states;
    TAUT_TRY(copy_names(e, weights ? o->weighted : s->weighted, e->weights, &e->weighted, errors));
    TAUT_TRY(copy_names(e, o->bias ? o->bias : s->bias, e->biases, &e->bias, errors));
    TAUT_TRY(copy_names(e, o->state ? o->state : s->state, e->states, &e->state, errors));
    e->weight = TAUT_NEW_ARRAY(&e->arena, e->weights + 1, double);
    if (!e->weight) return TAUT_ERR_MEMORY;
    for (int i = 0; i < e->weights; i++) {
        e->weight[i] = weights ? o->weight[i] : s->weight[i];
        if (!(e->weight[i] > 0.0) || !isfinite(e->weight[i]))
            return taut_fail(errors, TAUT_ERR_CALL,
                             "weight of %s: a standard deviation above 0 is expected",
                             e->weighted[i]);
    }
    TAUT_TRY(check_measured(e, e->weighted, e->weights, "weight of", errors));
    return check_measured(e, e->bias, e->biases, "bias of", errors);
}

taut_status taut_estimate_read(taut_estimates *e, const taut_estimate_options *o,
                               taut_errors *errors) {
    static const char *const LOSS[] = {"squares", "huber", "cauchy"};
    const taut_model_study *s = &e->model->study;
    const char *loss = o->loss ? o->loss : s->loss ? s->loss : LOSS[0];
    int k = 0;
    while (k < 3 && strcmp(loss, LOSS[k]) != 0) k++;
    if (k == 3)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "options.loss = \"%s\": there are squares, huber and cauchy", loss);
    e->loss = k == 0 ? TAUT_LOSS_SQUARES : k == 1 ? TAUT_LOSS_HUBER : TAUT_LOSS_CAUCHY;
    e->shooting = o->shooting > 0 ? o->shooting : s->shooting > 0 ? s->shooting : 1;
    TAUT_TRY(read_experiments(e, o, errors));
    return read_lists(e, o, errors);
}
