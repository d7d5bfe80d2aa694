/* The variables of an FMU, and what else its binary has to know. */
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "export/fmu.h"
#include "out/plot.h"

static bool has_parameter(const taut_graph *g, taut_node v) {
    const taut_node_data *d = taut_node_get(g, v);
    if (d->op == TAUT_OP_PARAM) return true;
    for (uint32_t i = 0; i < d->count; i++)
        if (has_parameter(g, taut_node_args(g, v)[i])) return true;
    return false;
}

static bool contains(const taut_graph *g, taut_node v, int parameter) {
    const taut_node_data *d = taut_node_get(g, v);
    if (d->op == TAUT_OP_PARAM) return d->index == parameter;
    for (uint32_t i = 0; i < d->count; i++)
        if (contains(g, taut_node_args(g, v)[i], parameter)) return true;
    return false;
}

/* Does the model itself change it: a discrete variable, the mode of a kink? */
static bool is_moved(const taut_model *m, int parameter) {
    for (int i = 0; i < m->kinks; i++)
        if (m->kink[i].parameter == parameter) return true;
    for (int i = 0; i < m->discretes; i++)
        if (strcmp(m->discrete[i].name, m->parameter_name[parameter]) == 0) return true;
    for (int i = 0; i < m->actions; i++)
        if (m->action[i].parameter == parameter) return true;
    return false;
}

static taut_fmu_variable *add(taut_fmu_list *list, taut_fmu_role role, const char *name) {
    taut_fmu_variable *v = &list->item[list->count++];
    *v = (taut_fmu_variable){.role = role};
    v->name = taut_arena_copy(&list->arena, name, strlen(name));
    return v;
}

/* ---- parameters that can change while the motion goes on ---- */

/* Does a formula depend on a parameter, by way of others as well? */
static bool depends(const taut_model *m, taut_node v, int parameter) {
    const taut_node_data *d = taut_node_get(m->graph, v);
    if (d->op == TAUT_OP_PARAM) {
        if (d->index == parameter) return true;
        const taut_node own =
            d->index < m->parameters ? m->parameter_formula[d->index] : TAUT_NO_NODE;
        return own != TAUT_NO_NODE && own != v && depends(m, own, parameter);
    }
    for (uint32_t i = 0; i < d->count; i++)
        if (depends(m, taut_node_args(m->graph, v)[i], parameter)) return true;
    return false;
}

/* Is it, or what follows from it, in a constraint: would positions have to jump? */
static bool restricts(const taut_model *m, const taut_simulation *s, int parameter) {
    if (!s->numbers.now || s->numbers.restricts[parameter]) return true;
    for (int i = 0; i < m->parameters; i++) {
        const taut_node formula = m->parameter_formula[i];
        if (s->numbers.restricts[i] && formula != TAUT_NO_NODE && depends(m, formula, parameter))
            return true;
    }
    return false;
}

/* Do equations have their form because of its value? */
static bool shapes(const taut_model *m, const taut_simulation *s, int parameter) {
    size_t count;
    const taut_graph *g = s->prepared->problem->graph;
    const taut_assumption *a = taut_graph_assumptions(g, &count);
    for (size_t i = 0; i < count; i++) {
        if (a[i].kind != TAUT_ASSUME_EQUAL && a[i].kind != TAUT_ASSUME_CHOICE) continue;
        for (int k = 0; k < m->parameters; k++) {
            const taut_node formula = m->parameter_formula[k];
            const bool same =
                k == parameter || (formula != TAUT_NO_NODE && depends(m, formula, parameter));
            if (same && contains(g, a[i].node, k)) return true;
        }
    }
    return false;
}

static void add_parameters(const taut_model *m, const taut_simulation *s, taut_fmu_list *list) {
    const taut_yaml *inputs = taut_yaml_get(m->root, "Inputs");
    for (int i = 0; i < m->parameters; i++) {
        const taut_node formula = m->parameter_formula[i];
        if (!m->parameter_name[i] || formula == TAUT_NO_NODE || is_moved(m, i)) continue;
        if (has_parameter(m->graph, formula)) continue; /* it follows from others */
        const bool input = inputs && taut_yaml_get(inputs, m->parameter_name[i]);
        const bool fixed = restricts(m, s, i) || shapes(m, s, i);
        taut_fmu_variable *v = add(list,
                                   input   ? TAUT_FMU_INPUT
                                   : fixed ? TAUT_FMU_PARAMETER
                                           : TAUT_FMU_TUNABLE,
                                   m->parameter_name[i]);
        v->start = taut_node_get(m->graph, formula)->value;
        v->parameter = i;
    }
}

/* ---- model exchange ---- */

/* States are not tied to columns: other coordinates take their places on the way. */
static void add_numbered(taut_fmu_list *list, taut_fmu_role role, const char *format, int count) {
    for (int i = 0; i < count; i++) {
        char name[40];
        taut_format(name, sizeof name, format, i + 1);
        add(list, role, name)->column = i;
    }
}

taut_status taut_fmu_list_make(const taut_model *m, taut_simulation *s,
                               const taut_fmu_settings *settings, taut_fmu_list *list) {
    const int columns = taut_simulation_columns(s);
    *list = (taut_fmu_list){0};
    list->item = TAUT_NEW_ARRAY(
        &list->arena, m->parameters + columns + 1 + 2 * settings->states + settings->indicators,
        taut_fmu_variable);
    if (!list->item) return TAUT_ERR_MEMORY;
    add(list, TAUT_FMU_TIME, "time")->start = m->t0;
    add_parameters(m, s, list);
    for (int c = 1; c < columns; c++) {
        taut_fmu_variable *v = add(list, TAUT_FMU_OUTPUT, taut_simulation_name(s, c));
        v->column = c;
        taut_plot_unit(m, taut_simulation_name(s, c), v->unit, sizeof v->unit);
    }
    add_numbered(list, TAUT_FMU_STATE, "state[%d]", settings->states);
    add_numbered(list, TAUT_FMU_RATE, "der(state[%d])", settings->states);
    add_numbered(list, TAUT_FMU_INDICATOR, "event_indicator[%d]", settings->indicators);
    for (int i = 0; i < list->count; i++)
        if (!list->item[i].name) return TAUT_ERR_MEMORY;
    return TAUT_OK;
}

void taut_fmu_list_release(taut_fmu_list *list) { taut_arena_release(&list->arena); }

/* ---- models ---- */

taut_status taut_fmu_keep_inputs(taut_model *source, taut_model **model, taut_errors *errors) {
    const taut_variation variation = {
        .initial = source->initial, .initials = source->initials, .keep_inputs = true};
    *model = source;
    if (!taut_yaml_get(source->root, "Inputs")) return TAUT_OK;
    return taut_model_vary(source, &variation, model, errors);
}

taut_status taut_fmu_model_read(const char *path, taut_model **source, taut_model **model,
                                taut_errors *errors) {
    TAUT_TRY(taut_model_read(path, NULL, 0, source, errors));
    return taut_fmu_keep_inputs(*source, model, errors);
}

/* ---- settings ---- */

void taut_fmu_settings_write(const taut_fmu_settings *s, taut_string *text) {
    char line[200];
    taut_format(line, sizeof line,
                "rtol %.17g\natol %.17g\nderivatives %d\nexchanges %d\nstates %d\nindicators %d\n"
                "moves %d\n",
                s->rtol, s->atol, s->derivatives, s->exchanges, s->states, s->indicators, s->moves);
    taut_string_add(text, "%s", line);
}

/* The number behind a word at the beginning of a line; NaN: there is none. */
static double setting(const char *text, const char *word) {
    const size_t n = strlen(word);
    for (const char *p = text; p; p = strchr(p, '\n'), p = p ? p + 1 : NULL)
        if (strncmp(p, word, n) == 0 && p[n] == ' ') return taut_number_parse(p + n, NULL);
    return (double)NAN;
}

/* A whole number; -1: there is none. */
static int whole(const char *text, const char *word) {
    const double x = setting(text, word);
    return x >= 0.0 && x < 1e9 ? (int)x : -1;
}

bool taut_fmu_settings_read(const char *text, taut_fmu_settings *s) {
    const double derivatives = setting(text, "derivatives");
    s->exchanges = setting(text, "exchanges") == 1.0;
    s->moves = setting(text, "moves") == 1.0;
    s->states = whole(text, "states");
    s->indicators = whole(text, "indicators");
    s->rtol = setting(text, "rtol");
    s->atol = setting(text, "atol");
    s->derivatives = derivatives >= 0.0 && derivatives < 100.0 ? (int)derivatives : -1;
    return s->rtol > 0.0 && s->atol > 0.0 && s->derivatives >= 0 && s->states >= 0 &&
           s->indicators >= 0;
}

taut_run_options taut_fmu_options(const taut_fmu_settings *s) {
    taut_run_options o = taut_run_options_default();
    o.rtol = s->rtol;
    o.atol = s->atol;
    o.derivatives = s->derivatives;
    return o;
}
