/* Parameters of a model file: which sections have them, what a caller sets instead, and what to say
 * of names that there are not. */
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "model/actuators.h"
#include "model/reader.h"
#include "model/trim.h"

const taut_override *taut_find_override(const taut_override *list, int count, const char *name) {
    for (int i = count - 1; i >= 0; i--) /* the last one counts */
        if (strcmp(list[i].name, name) == 0) return &list[i];
    return NULL;
}

/* The sections whose names are parameters: numbers of the model, those that come from outside, and
 * those that change at events or at samples. */
static const char *const PARAMETERS[] = {"PhysicalParams", "Inputs", "Discrete"};
enum { PARAMETER_SECTIONS = sizeof PARAMETERS / sizeof PARAMETERS[0] };

int taut_parameter_maps(const taut_yaml *root) {
    const taut_yaml *controllers = taut_yaml_get(root, "Controllers");
    const bool some = controllers && controllers->kind == TAUT_YAML_MAPPING;
    return PARAMETER_SECTIONS + (some ? controllers->count : 0);
}

const taut_yaml *taut_parameter_map(const taut_yaml *root, int i) {
    if (i < PARAMETER_SECTIONS) return taut_yaml_get(root, PARAMETERS[i]);
    return taut_yaml_get(taut_yaml_get(root, "Controllers")->items[i - PARAMETER_SECTIONS],
                         "States");
}

taut_status taut_read_parameters(taut_reader *r, int map) {
    const taut_yaml *node = taut_parameter_map(r->model->root, map);
    const char *section = map < PARAMETER_SECTIONS ? PARAMETERS[map] : "States";
    char what[40];
    if (!node || (node->kind == TAUT_YAML_SCALAR && node->is_null)) return TAUT_OK;
    snprintf(what, sizeof what, "'%s'", section);
    if (!taut_reader_expect(r, node, TAUT_YAML_MAPPING, what)) return TAUT_OK;
    for (int i = 0; i < node->count; i++) {
        const char *name = node->keys[i]->text;
        const taut_override *set =
            taut_find_override(r->model->override, r->model->overrides, name);
        taut_source source = {.node = node->items[i]};
        if (taut_is_actuator(r->model, name)) continue; /* an unknown */
        const taut_override *input = taut_find_override(r->model->input, r->model->inputs, name);
        if (input) set = input; /* no number then, and so no parameter */
        if (set) source = (taut_source){.text = set->formula};
        if (!input &&
            (map >= PARAMETER_SECTIONS || strcmp(section, "Discrete") == 0 ||
             (r->model->trim && taut_is_free(r->model, name)) || taut_reader_assigns(r, name)))
            taut_graph_keep(r->model->graph, r->model->parameters); /* it will change in a run */
        TAUT_NOTE(r, taut_symbols_add_formula(r->symbols, name, !input, source,
                                              taut_reader_place(r, node->keys[i])));
    }
    return TAUT_OK;
}

enum { LISTED = 8 }; /* parameters that a message lists */

/* "; it has l, m" */
static void list_parameters(const taut_model *m, char *hint) {
    int count = 0;
    for (int s = 0; s < taut_parameter_maps(m->root); s++) {
        const taut_yaml *node = taut_parameter_map(m->root, s);
        for (int k = 0; node && node->kind == TAUT_YAML_MAPPING && k < node->count; k++, count++) {
            const size_t used = strlen(hint);
            if (count < LISTED)
                snprintf(hint + used, TAUT_PARAMETER_HINT - used, "%s%.*s",
                         count ? ", " : "; it has ", TAUT_NAME_MAX, node->keys[k]->text);
        }
    }
    const size_t used = strlen(hint);
    snprintf(hint + used, TAUT_PARAMETER_HINT - used, "%s",
             count == 0       ? "; it has none"
             : count > LISTED ? ", ..."
                              : "");
}

bool taut_has_parameter(const taut_model *m, const char *name, char hint[TAUT_PARAMETER_HINT]) {
    taut_nearest nearest = {.wanted = name};
    hint[0] = '\0';
    for (int s = 0; s < taut_parameter_maps(m->root); s++) {
        const taut_yaml *node = taut_parameter_map(m->root, s);
        if (taut_yaml_get(node, name)) return true;
        for (int k = 0; node && node->kind == TAUT_YAML_MAPPING && k < node->count; k++)
            taut_nearest_offer(&nearest, node->keys[k]->text);
    }
    if (nearest.best)
        snprintf(hint, TAUT_PARAMETER_HINT, "; did you mean '%.*s'?", TAUT_NAME_MAX, nearest.best);
    else
        list_parameters(m, hint);
    return false;
}

void taut_check_overrides(taut_reader *r) {
    for (int i = 0; i < r->model->overrides; i++) {
        const char *name = r->model->override[i].name;
        char hint[TAUT_PARAMETER_HINT];
        if (taut_has_parameter(r->model, name, hint)) continue;
        r->faulty = true;
        taut_fail(r->errors, TAUT_ERR_INPUT, "override %s: the model has no parameter '%s'%s", name,
                  name, hint);
    }
}

/* Inputs as formulas of time: of t and parameters, and nothing that moves, which has no name yet.
 */
void taut_check_inputs(taut_reader *r) {
    for (int i = 0; i < r->model->inputs; i++) {
        const char *name = r->model->input[i].name, *what = NULL;
        char hint[TAUT_PARAMETER_HINT];
        taut_vec value;
        if (!taut_has_parameter(r->model, name, hint))
            taut_fail(r->errors, TAUT_ERR_INPUT, "input %s: the model has no input '%s'%s", name,
                      name, hint);
        else if (!taut_yaml_get(taut_yaml_get(r->model->root, "Inputs"), name))
            what = "this is a parameter; only 'Inputs' can change in time";
        else if (!taut_symbols_find(r->symbols, name, &value))
            what = NULL; /* said already */
        else if (value.n != 1)
            what = "an input is a number, not a vector";
        else
            continue;
        r->faulty = true;
        if (what) taut_fail(r->errors, TAUT_ERR_INPUT, "input %s: %s", name, what);
    }
}
