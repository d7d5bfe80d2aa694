/* What a run is differentiated by: names of the options, and how parameters follow from them. */
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "expr/diff.h"
#include "form/contact.h"
#include "model/parameters.h"
#include "task/linear.h"
#include "task/sensitivity.h"

static const taut_model *model_of(const taut_simulation *s) {
    return s->variant ? s->variant : s->model;
}

/* ---- names ---- */

static taut_status unknown_name(const taut_simulation *s, const char *name, taut_errors *errors) {
    const taut_model *m = model_of(s);
    taut_nearest nearest = {.wanted = name};
    for (int i = 0; i < m->parameters; i++)
        if (m->parameter_name[i]) taut_nearest_offer(&nearest, m->parameter_name[i]);
    return taut_fail(
        errors, TAUT_ERR_CALL,
        "options.sensitivity: '%.80s' is neither a parameter nor an initial value that "
        "the file lists under 'positions' or 'velocities'%s%s%s",
        name, nearest.best ? "; did you mean '" : "", nearest.best ? nearest.best : "",
        nearest.best ? "'?" : "");
}

static taut_status add_direction(taut_simulation *s, const char *name, taut_errors *errors) {
    const taut_model *m = model_of(s);
    taut_sensitivity *x = s->sensitivity;
    int number = taut_model_find_parameter(m, name);
    for (int i = 0; i < m->inputs; i++)
        if (strcmp(m->input[i].name, name) == 0)
            return taut_fail(errors, TAUT_ERR_CALL,
                             "options.sensitivity: the input '%.80s' is a formula of t here, not a "
                             "number: leave out one of the two",
                             name);
    if (number < 0) number = taut_model_find_initial(m, name);
    if (number < 0) return unknown_name(s, name, errors);
    for (int i = 0; i < x->directions; i++)
        if (x->direction[i].number == number)
            return taut_fail(errors, TAUT_ERR_CALL, "options.sensitivity: '%.80s' is there twice",
                             name);
    taut_direction *d = &x->direction[x->directions++];
    d->number = number;
    d->name = taut_arena_copy(&x->arena, name, strlen(name));
    d->numbers = TAUT_NEW_ARRAY(&x->arena, x->numbers, double);
    return d->name && d->numbers ? TAUT_OK : TAUT_ERR_MEMORY;
}

static taut_status read_list(taut_simulation *s, const char *list, taut_errors *errors) {
    while (*list) {
        char name[TAUT_NAME_MAX + TAUT_PRIMES_MAX + 1];
        size_t n = 0;
        for (; *list && *list != ','; list++)
            if (*list != ' ' && n + 1 < sizeof name) name[n++] = *list;
        name[n] = '\0';
        if (*list) list++;
        if (n == 0)
            return taut_fail(errors, TAUT_ERR_CALL,
                             "options.sensitivity: names with commas between them are expected");
        TAUT_TRY(add_direction(s, name, errors));
    }
    return TAUT_OK;
}

/* ---- contacts ---- */

/* Laws whose maps across events have no derivatives yet, by name. */
static taut_status check_contacts(const taut_simulation *s, taut_errors *errors) {
    const taut_model *m = model_of(s);
    for (int i = 0; i < m->contacts; i++) {
        const taut_formed_contact *x = &s->prepared->problem->contact[i];
        const char *why = m->poisson    ? "Poisson's law of impacts"
                          : x->ways > 1 ? "friction in space"
                                        : NULL;
        if (why)
            return taut_fail_at(errors, TAUT_ERR_INPUT, m->contact[i].place,
                                "options.sensitivity: %s has no sensitivities yet; leave out "
                                "options.sensitivity",
                                why);
    }
    return TAUT_OK;
}

/* ---- variations of parameters ---- */

/* Derivatives of the formula of number p, as nodes. */
static taut_status add_links(taut_simulation *s, taut_sweep *sweep, int p, taut_node formula) {
    taut_sensitivity *x = s->sensitivity;
    taut_graph *graph = s->prepared->problem->graph;
    if (formula == TAUT_NO_NODE) return TAUT_OK;
    TAUT_TRY(taut_sweep_of(sweep, TAUT_SWEEP_EVERY, formula));
    for (size_t k = 0; k < taut_sweep_reached(sweep); k++) {
        const taut_node_data *d = taut_node_get(graph, taut_sweep_variable(sweep, k));
        if (d->op != TAUT_OP_PARAM) continue;
        if (taut_grow((void **)&x->link, &x->link_room, (size_t)x->links + 1, sizeof *x->link))
            return TAUT_ERR_MEMORY;
        x->link[x->links++] = (taut_number_link){p, d->index, taut_sweep_adjoint(sweep, k)};
    }
    return TAUT_OK;
}

static taut_status find_links(taut_simulation *s) {
    const taut_model *m = model_of(s);
    taut_sensitivity *x = s->sensitivity;
    taut_sweep *sweep;
    if (x->link_serial == s->prepared->problem->serial) return TAUT_OK;
    x->links = 0; /* of other equations: nodes of another graph */
    x->link_serial = s->prepared->problem->serial;
    x->link_graph = s->prepared->problem->graph;
    TAUT_TRY(taut_sweep_create(s->prepared->problem->graph, &sweep));
    taut_sweep_by_parameters(sweep, true);
    taut_status status = TAUT_OK;
    for (int p = 0; p < m->parameters && status == TAUT_OK; p++)
        status = add_links(s, sweep, p, m->parameter_formula[p]);
    for (int i = 0; i < m->values && status == TAUT_OK; i++)
        status = add_links(s, sweep, m->parameters + i, m->value[i].number);
    const int links = x->links;
    if (status == TAUT_OK && !s->options.has_tend)
        status = add_links(s, sweep, -1, m->tend_formula);
    x->ends = x->links - links;
    x->links = links;
    taut_sweep_free(&sweep);
    return status;
}

taut_status taut_sensitivity_end(const taut_simulation *s, double *shift) {
    const taut_sensitivity *x = s->sensitivity;
    taut_arena work = {0};
    memset(shift, 0, (size_t)x->directions * sizeof *shift);
    if (x->ends == 0) return TAUT_OK;
    double *value = TAUT_NEW_ARRAY(&work, taut_graph_size(x->link_graph), double);
    if (value) taut_steady_values(x->link_graph, s->numbers.now, value);
    for (int i = 0; i < x->directions && value; i++)
        for (int k = x->links; k < x->links + x->ends; k++)
            shift[i] += value[x->link[k].derivative] * x->direction[i].numbers[x->link[k].by];
    taut_arena_release(&work);
    return value ? TAUT_OK : TAUT_ERR_MEMORY;
}

/* ---- what has derivatives ---- */

/* Marks what follows from what is marked. */
static void mark_followers(const taut_sensitivity *x, bool *marked) {
    for (bool more = true; more;) {
        more = false;
        for (int k = 0; k < x->links; k++) {
            const taut_number_link *l = &x->link[k];
            more = more || (marked[l->by] && !marked[l->of]);
            marked[l->of] = marked[l->of] || marked[l->by];
        }
    }
}

/* The first number that is marked and shapes the equations in use; -1: none does. */
static int find_shaping(const taut_simulation *s, const bool *marked) {
    for (int k = 0; k < s->sensitivity->numbers; k++)
        if (marked[k] && taut_number_is_assumed(s->prepared->problem->graph, TAUT_ASSUME_EQUAL, k))
            return k;
    return -1;
}

static taut_status refuse_shaping(const taut_simulation *s, const char *name, int number,
                                  taut_errors *errors) {
    const taut_model *m = model_of(s);
    const char *own = number < m->parameters ? m->parameter_name[number] : NULL;
    char from[TAUT_NAME_MAX + 40] = "";
    if (own && strcmp(own, name) != 0) snprintf(from, sizeof from, ", by '%.80s'", own);
    if (taut_equip_is_natural(s) || s->prepared == &s->assembly)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "options.sensitivity: the value of '%.80s' shapes the equations%s, so "
                         "there is no derivative by it; leave it out",
                         name, from);
    return taut_fail(errors, TAUT_ERR_CALL,
                     "options.sensitivity: in this formulation the value of '%.80s' shapes the "
                     "equations%s (directions of joints are numbers in it): use "
                     "options.formulation = \"natural\"; the columns are the same",
                     name, from);
}

taut_status taut_sensitivity_check(taut_simulation *s, taut_errors *errors) {
    const taut_sensitivity *x = s->sensitivity;
    taut_arena work = {0};
    bool *marked = TAUT_NEW_ARRAY(&work, x->numbers, bool);
    taut_status status = marked ? TAUT_OK : TAUT_ERR_MEMORY;
    for (int i = 0; i < x->directions && status == TAUT_OK; i++) {
        memset(marked, 0, (size_t)x->numbers * sizeof *marked);
        marked[x->direction[i].number] = true;
        mark_followers(x, marked);
        const int number = find_shaping(s, marked);
        if (number >= 0) status = refuse_shaping(s, x->direction[i].name, number, errors);
    }
    taut_arena_release(&work);
    return status;
}

/* Which numbers can vary at all: the others need no derivatives. */
static taut_status find_varying(taut_simulation *s) {
    taut_sensitivity *x = s->sensitivity;
    const taut_model *m = model_of(s);
    x->may_vary = TAUT_NEW_ARRAY(&x->arena, x->numbers, bool);
    if (!x->may_vary) return TAUT_ERR_MEMORY;
    x->assigned = TAUT_NEW_ARRAY(&x->arena, x->numbers, bool);
    x->set = TAUT_NEW_ARRAY(&x->arena, x->numbers, bool);
    if (!x->assigned || !x->set) return TAUT_ERR_MEMORY;
    for (int i = 0; i < m->actions; i++)
        if (m->action[i].parameter >= 0) x->assigned[m->action[i].parameter] = true;
    for (int i = 0; i < m->contacts; i++)
        if (m->contact[i].held[0] >= 0) x->assigned[m->contact[i].held[0]] = true;
    for (int i = 0; i < x->numbers; i++) x->may_vary[i] = x->assigned[i];
    for (int i = 0; i < x->directions; i++) x->may_vary[x->direction[i].number] = true;
    mark_followers(x, x->may_vary);
    return TAUT_OK;
}

/* Numbers that the caller has set do not follow from others. */
static void mark_set(const taut_simulation *s, bool *set) {
    const taut_model *m = model_of(s);
    for (int i = 0; i < s->settings.overrides; i++) {
        const int k = taut_model_find_parameter(m, s->settings.override[i].name);
        if (k >= 0) set[k] = true;
    }
    for (int i = 0; i < s->settings.initials; i++) {
        const int k = taut_model_find_initial(m, s->settings.initial[i].name);
        if (k >= 0) set[k] = true;
    }
}

taut_status taut_sensitivity_weigh(taut_simulation *s) {
    taut_sensitivity *x = s->sensitivity;
    TAUT_TRY(find_links(s));
    const taut_graph *graph = x->link_graph;
    taut_arena work = {0};
    double *value = TAUT_NEW_ARRAY(&work, taut_graph_size(graph), double);
    double *sum = TAUT_NEW_ARRAY(&work, x->numbers, double);
    if (!value || !sum) {
        taut_arena_release(&work);
        return TAUT_ERR_MEMORY;
    }
    memset(x->set, 0, (size_t)x->numbers * sizeof *x->set);
    mark_set(s, x->set);
    taut_steady_values(graph, s->numbers.now, value);
    for (int i = 0; i < x->directions; i++) {
        taut_direction *d = &x->direction[i];
        const size_t size = (size_t)x->numbers * sizeof *sum;
        memset(d->numbers, 0, size);
        for (bool more = true; more;) { /* as often as formulas are nested */
            memset(sum, 0, size);
            for (int k = 0; k < x->links; k++)
                if (!x->set[x->link[k].of])
                    sum[x->link[k].of] += value[x->link[k].derivative] * d->numbers[x->link[k].by];
            sum[d->number] = 1.0;
            more = memcmp(sum, d->numbers, size) != 0;
            memcpy(d->numbers, sum, size);
        }
    }
    taut_arena_release(&work);
    return TAUT_OK;
}

taut_status taut_sensitivity_read(taut_simulation *s, taut_errors *errors) {
    const char *list = s->options.sensitivity;
    taut_sensitivity_free(s);
    if (!list) return TAUT_OK;
    taut_sensitivity *x = s->sensitivity = taut_new(sizeof *x);
    if (!x) return TAUT_ERR_MEMORY;
    *x = (taut_sensitivity){.numbers = taut_model_numbers(model_of(s))};
    int most = 1;
    for (const char *p = list; *p; p++) most += *p == ',';
    x->direction = TAUT_NEW_ARRAY(&x->arena, most, taut_direction);
    if (!x->direction) return TAUT_ERR_MEMORY;
    TAUT_TRY(read_list(s, list, errors));
    if (x->directions == 0)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "options.sensitivity is empty: name parameters or initial values");
    TAUT_TRY(check_contacts(s, errors));
    TAUT_TRY(find_links(s));
    TAUT_TRY(taut_sensitivity_check(s, errors));
    return find_varying(s);
}
