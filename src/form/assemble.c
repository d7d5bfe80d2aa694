/* What all kinds of models share on the way to a system: unknowns, initial values, columns. */
#include "form/assemble.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "core/number.h"
#include "expr/diff.h"
#include "form/contact.h"

const char *taut_problem_name(taut_problem *p, const char *format, ...) {
    char text[160];
    va_list args;
    va_start(args, format);
    taut_format_list(text, sizeof text, format, args);
    va_end(args);
    return taut_arena_copy(&p->arena, text, strlen(text));
}

taut_status taut_problem_add_variable(taut_problem *p, const char *name, int group,
                                      taut_place place, taut_node *node) {
    if (taut_grow((void **)&p->variable, &p->variable_room, (size_t)p->variables + 1,
                  sizeof *p->variable))
        return TAUT_ERR_MEMORY;
    *node = taut_variable(p->graph, p->variables);
    p->variable[p->variables++] = (taut_model_variable){name, *node, group, place};
    return *node == TAUT_NO_NODE ? TAUT_ERR_MEMORY : TAUT_OK;
}

taut_node taut_problem_initial(taut_problem *p, int i) {
    const int number = p->model->parameters + i;
    taut_graph_keep(p->graph, number); /* a condition stands, whatever its value */
    return taut_parameter(p->graph, number, p->model->value[i].value);
}

static const char *const PART[] = {"x", "y", "z"};

taut_given taut_problem_given(const taut_problem *p, const taut_model_value *v, int i) {
    return (taut_given){.variable = v->variable,
                        .order = v->order,
                        .value = v->value,
                        .fixed = v->fixed,
                        .place = v->place,
                        .number = p->model->parameters + i,
                        .name = v->name,
                        .part = v->components > 1 ? PART[v->component] : ""};
}

taut_status taut_problem_add_equations(taut_problem *p, const taut_model_formulas *list,
                                       const char *what, int *n) {
    for (int i = 0; i < list->count; i++) {
        const taut_model_formula *f = &list->item[i];
        const char *name = f->name ? taut_problem_name(p, "%s %s", what, f->name)
                                   : taut_problem_name(p, "%s %d", what, i + 1);
        if (!name) return TAUT_ERR_MEMORY;
        p->system.equation[(*n)++] =
            (taut_equation){.node = f->node, .name = name, .place = f->place};
    }
    return TAUT_OK;
}

taut_status taut_problem_fill_system(taut_problem *p) {
    const taut_model *m = p->model;
    taut_system *s = &p->system;
    const char **name = TAUT_NEW_ARRAY(&p->arena, p->variables, const char *);
    const char **number = TAUT_NEW_ARRAY(&p->arena, m->parameters + m->values, const char *);
    if (!name || !number) return TAUT_ERR_MEMORY;
    for (int i = 0; i < p->variables; i++) name[i] = p->variable[i].name;
    for (int i = 0; i < m->parameters; i++) number[i] = m->parameter_name[i];
    for (int i = 0; i < m->values; i++) number[m->parameters + i] = m->value[i].name;
    *s = (taut_system){.graph = p->graph,
                       .n = p->variables,
                       .names = {name, number},
                       .groups = p->groups,
                       .givens = m->values,
                       .place = m->problem_place};
    s->equation = TAUT_NEW_ARRAY(&p->arena, s->n, taut_equation);
    s->unknown = TAUT_NEW_ARRAY(&p->arena, s->n, taut_unknown);
    s->given = TAUT_NEW_ARRAY(&p->arena, s->givens, taut_given);
    if (!s->equation || !s->unknown || !s->given) return TAUT_ERR_MEMORY;
    for (int j = 0; j < s->n; j++)
        s->unknown[j] = (taut_unknown){.name = p->variable[j].name,
                                       .group = p->variable[j].group,
                                       .place = p->variable[j].place};
    for (int i = 0; i < s->givens; i++) s->given[i] = taut_problem_given(p, &m->value[i], i);
    return TAUT_OK;
}

taut_status taut_problem_add_events(taut_problem *p) {
    const taut_model *m = p->model;
    const int functions = m->events + m->kinks + m->boundaries + TAUT_GUARDS * m->contacts;
    p->when = TAUT_NEW_ARRAY(&p->arena, functions, taut_node);
    p->assign = TAUT_NEW_ARRAY(&p->arena, m->actions, taut_node);
    p->target = TAUT_NEW_ARRAY(&p->arena, m->actions, taut_node);
    p->sampled = TAUT_NEW_ARRAY(&p->arena, m->lookups, taut_node);
    if (!p->when || !p->assign || !p->target || !p->sampled) return TAUT_ERR_MEMORY;
    for (int i = 0; i < m->events; i++) p->when[i] = m->event[i].when;
    for (int i = 0; i < m->kinks; i++) p->when[m->events + i] = m->kink[i].boundary;
    for (int i = 0; i < m->lookups; i++) p->sampled[i] = m->lookup[i].value;
    for (int i = 0; i < m->lookups; i++)
        for (int k = 0; k < 2 * m->table[m->lookup[i].table].table.axes; k++)
            p->when[m->events + m->kinks + m->lookup[i].start + k] = m->lookup[i].boundary[k];
    for (int i = 0; i < m->actions; i++) {
        p->assign[i] = m->action[i].value;
        p->target[i] = m->action[i].target;
    }
    return TAUT_OK;
}

void taut_problem_add_discretes(taut_problem *p) {
    const taut_model *m = p->model;
    for (int i = 0; i < m->discretes; i++)
        p->column[p->columns++] =
            (taut_column){m->discrete[i].name, m->discrete[i].node, false, TAUT_COLUMN_OUTPUT};
    for (int i = 0; i < m->changings; i++)
        p->column[p->columns++] =
            (taut_column){m->changing[i].name, m->changing[i].node, false, TAUT_COLUMN_OUTPUT};
    taut_contacts_add_columns(p);
}

/* theta - atan2(sine, cosine), on the branch where it is near 0 */
taut_node taut_problem_angle_off(const taut_problem *p, int k) {
    taut_graph *g = p->graph;
    const taut_node theta = taut_variable(g, p->coordinates + k), *part = p->angle[k];
    const taut_node s = taut_apply(g, TAUT_OP_SIN, theta), c = taut_apply(g, TAUT_OP_COS, theta);
    const taut_node y = taut_sub(g, taut_mul(g, s, part[1]), taut_mul(g, c, part[0]));
    const taut_node x = taut_add(g, taut_mul(g, c, part[1]), taut_mul(g, s, part[0]));
    return taut_atan2(g, y, x);
}

static taut_status fill_columns(taut_problem *p) {
    const taut_model *m = p->model;
    const int more = m->outputs.count + m->discretes + m->changings + m->actuators;
    p->column = TAUT_NEW_ARRAY(&p->arena, p->variables + more + 5 * m->contacts + 1, taut_column);
    if (!p->column) return TAUT_ERR_MEMORY;
    const int own = p->variables - p->lifts; /* forces that were made unknowns come last */
    for (int j = 0; j < own; j++)
        if (j < p->first_force || j >= p->first_force + p->forces)
            p->column[p->columns++] =
                (taut_column){p->variable[j].name, p->variable[j].node, true, TAUT_COLUMN_SCALAR};
    for (int i = 0; i < m->outputs.count; i++)
        p->column[p->columns++] = (taut_column){m->outputs.item[i].name, m->outputs.item[i].node,
                                                true, TAUT_COLUMN_OUTPUT};
    taut_problem_add_discretes(p);
    if (m->kind == TAUT_MODEL_LAGRANGIAN && m->actuators > 0) {
        taut_sweep *sweep;
        TAUT_TRY(taut_sweep_create(p->graph, &sweep));
        const taut_status status = taut_problem_add_powers(p, sweep, m->first_extra);
        taut_sweep_free(&sweep);
        TAUT_TRY(status);
    }
    if (p->energy != TAUT_NO_NODE)
        p->column[p->columns++] = (taut_column){"energy", p->energy, false, TAUT_COLUMN_ENERGY};
    return TAUT_OK;
}

static taut_status form(taut_problem *p, const taut_forming *forming, taut_errors *errors) {
    switch (p->model->kind) {
    case TAUT_MODEL_DAE: return taut_form_dae(p);
    case TAUT_MODEL_HAMILTONIAN: return taut_form_hamiltonian(p, forming, errors);
    default: return taut_form_lagrangian(p, forming, errors);
    }
}

static taut_status create(taut_problem *p, const taut_forming *forming, taut_errors *errors) {
    const taut_model *m = p->model;
    TAUT_TRY(taut_graph_copy(m->graph, &p->graph));
    TAUT_TRY(taut_problem_add_events(p));
    if (forming->follow) taut_graph_follow(p->graph);
    if (m->kind == TAUT_MODEL_MECHANISM) return taut_form_mechanism(p, forming, errors);
    p->groups = m->groups;
    for (int j = 0; j < m->variables; j++) {
        const taut_model_variable *v = &m->variable[j];
        taut_node node;
        TAUT_TRY(taut_problem_add_variable(p, v->name, v->group, v->place, &node));
    }
    TAUT_TRY(taut_contacts_add_unknowns(p));
    TAUT_TRY(form(p, forming, errors));
    if (forming->differentiated) TAUT_TRY(taut_problem_decay(p, forming, errors));
    p->system.formula = m->formula;
    p->system.formulas = m->formulas;
    p->system.sampled = p->sampled;
    p->system.sampleds = m->lookups;
    return fill_columns(p);
}

taut_status taut_problem_create(const taut_model *model, taut_problem **problem,
                                taut_errors *errors) {
    return taut_problem_create_by(model, &(taut_forming){0}, problem, errors);
}

taut_status taut_problem_create_by(const taut_model *model, const taut_forming *forming,
                                   taut_problem **problem, taut_errors *errors) {
    static atomic_ulong problems;
    taut_problem *p = NULL;
    size_t room = 0;
    *problem = NULL;
    if (taut_grow((void **)&p, &room, 1, sizeof *p)) return TAUT_ERR_MEMORY;
    *p = (taut_problem){.model = model, .mobility = -1, .work = -1, .lifted = forming->lift};
    p->serial = atomic_fetch_add(&problems, 1) + 1;
    taut_status status = create(p, forming, errors);
    if (p->graph && taut_graph_failed(p->graph)) status = TAUT_ERR_MEMORY;
    if (status == TAUT_ERR_INPUT) taut_model_lint(model, errors);
    if (status == TAUT_OK)
        *problem = p;
    else
        taut_problem_free(&p);
    return status;
}

void taut_problem_free(taut_problem **problem) {
    if (!*problem) return;
    if ((*problem)->reactions) taut_reactions_release((*problem)->reactions);
    taut_release((void **)&(*problem)->variable);
    taut_graph_free(&(*problem)->graph);
    taut_arena_release(&(*problem)->arena);
    taut_release((void **)problem);
}
