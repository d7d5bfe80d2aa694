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

static void add(taut_fmu_list *list, taut_fmu_role role, const char *name, double start) {
    taut_fmu_variable *v = &list->item[list->count++];
    *v = (taut_fmu_variable){.role = role, .start = start};
    v->name = taut_arena_copy(&list->arena, name, strlen(name));
}

static void add_parameters(const taut_model *m, taut_fmu_list *list) {
    const taut_yaml *inputs = taut_yaml_get(m->root, "Inputs");
    for (int i = 0; i < m->parameters; i++) {
        const taut_node formula = m->parameter_formula[i];
        if (!m->parameter_name[i] || formula == TAUT_NO_NODE || is_moved(m, i)) continue;
        if (has_parameter(m->graph, formula)) continue; /* it follows from others */
        const bool input = inputs && taut_yaml_get(inputs, m->parameter_name[i]);
        add(list, input ? TAUT_FMU_INPUT : TAUT_FMU_PARAMETER, m->parameter_name[i],
            taut_node_get(m->graph, formula)->value);
    }
}

taut_status taut_fmu_list_make(const taut_model *m, taut_simulation *s, taut_fmu_list *list) {
    const int columns = taut_simulation_columns(s);
    *list = (taut_fmu_list){0};
    list->item = TAUT_NEW_ARRAY(&list->arena, m->parameters + columns + 1, taut_fmu_variable);
    if (!list->item) return TAUT_ERR_MEMORY;
    add(list, TAUT_FMU_TIME, "time", m->t0);
    add_parameters(m, list);
    for (int c = 1; c < columns; c++) {
        add(list, TAUT_FMU_OUTPUT, taut_simulation_name(s, c), 0.0);
        list->item[list->count - 1].column = c;
        taut_plot_unit(m, taut_simulation_name(s, c), list->item[list->count - 1].unit,
                       sizeof list->item->unit);
    }
    for (int i = 0; i < list->count; i++)
        if (!list->item[i].name) return TAUT_ERR_MEMORY;
    return TAUT_OK;
}

void taut_fmu_list_release(taut_fmu_list *list) { taut_arena_release(&list->arena); }

/* ---- settings ---- */

void taut_fmu_settings_write(const taut_fmu_settings *s, taut_string *text) {
    char line[200];
    taut_format(line, sizeof line, "rtol %.17g\natol %.17g\nderivatives %d\n", s->rtol, s->atol,
                s->derivatives);
    taut_string_add(text, "%s", line);
}

/* The number behind a word at the beginning of a line; NaN: there is none. */
static double setting(const char *text, const char *word) {
    const size_t n = strlen(word);
    for (const char *p = text; p; p = strchr(p, '\n'), p = p ? p + 1 : NULL)
        if (strncmp(p, word, n) == 0 && p[n] == ' ') return taut_number_parse(p + n, NULL);
    return (double)NAN;
}

bool taut_fmu_settings_read(const char *text, taut_fmu_settings *s) {
    const double derivatives = setting(text, "derivatives");
    s->rtol = setting(text, "rtol");
    s->atol = setting(text, "atol");
    s->derivatives = derivatives >= 0.0 && derivatives < 100.0 ? (int)derivatives : -1;
    return s->rtol > 0.0 && s->atol > 0.0 && s->derivatives >= 0;
}

taut_run_options taut_fmu_options(const taut_fmu_settings *s) {
    taut_run_options o = taut_run_options_default();
    o.rtol = s->rtol;
    o.atol = s->atol;
    o.derivatives = s->derivatives;
    return o;
}
