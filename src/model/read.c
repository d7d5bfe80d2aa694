/* Reading a model file: parameters first, then the one section that says what kind of model it is,
 * then the problem. */
#include <stdio.h>
#include <string.h>

#include "core/clock.h"
#include "core/text.h"
#include "model/reader.h"

/* ---- parameters ---- */

static const taut_override *find_override(const taut_override *list, int count, const char *name) {
    for (int i = count - 1; i >= 0; i--) /* the last one counts */
        if (strcmp(list[i].name, name) == 0) return &list[i];
    return NULL;
}

static taut_status read_parameters(taut_reader *r, const taut_yaml *node,
                                   const taut_override *override, int overrides) {
    if (node && node->kind == TAUT_YAML_SCALAR && node->is_null) node = NULL;
    if (node && !taut_reader_expect(r, node, TAUT_YAML_MAPPING, "'PhysicalParams'")) return TAUT_OK;
    const int count = node ? node->count : 0;
    for (int i = 0; i < count; i++) {
        const char *name = node->keys[i]->text;
        const taut_override *set = find_override(override, overrides, name);
        taut_source source = {.node = node->items[i]};
        if (set) source = (taut_source){.text = set->formula, .place = {.path = "--set"}};
        TAUT_NOTE(r, taut_symbols_add_formula(r->symbols, name, true, source,
                                              taut_reader_place(r, node->keys[i])));
    }
    for (int i = 0; i < overrides; i++) {
        if (taut_yaml_get(node, override[i].name)) continue;
        taut_nearest nearest = {.wanted = override[i].name};
        for (int k = 0; k < count; k++) taut_nearest_offer(&nearest, node->keys[k]->text);
        r->faulty = true;
        taut_fail(r->errors, TAUT_ERR_INPUT, "--set %s: the model has no parameter '%s'%s%s%s",
                  override[i].name, override[i].name, nearest.best ? "; did you mean '" : "",
                  nearest.best ? nearest.best : "", nearest.best ? "'?" : "");
    }
    return TAUT_OK;
}

/* Finds out the value of every parameter and definition, used or not, so that every fault shows. */
static taut_status resolve_all(taut_reader *r, const taut_yaml *node) {
    if (!node || node->kind != TAUT_YAML_MAPPING) return TAUT_OK;
    for (int i = 0; i < node->count; i++) {
        taut_vec value;
        if (!taut_symbols_find(r->symbols, node->keys[i]->text, &value)) r->faulty = true;
    }
    return taut_graph_failed(r->model->graph) ? TAUT_ERR_MEMORY : TAUT_OK;
}

/* ---- the whole file ---- */

static taut_status read_kind(taut_reader *r, const taut_yaml *root) {
    const taut_yaml *dae = taut_yaml_get(root, "DAE"), *L = taut_yaml_get(root, "Lagrangian");
    if (dae && L) {
        r->faulty = true;
        taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, L),
                     "a file has one model: either 'DAE' or 'Lagrangian'");
        return TAUT_OK;
    }
    if (!dae && !L) {
        if (r->faulty) return TAUT_OK; /* an unknown key is probably the one that is missing */
        r->faulty = true;
        taut_place place = taut_reader_place(r, root);
        place.line = place.column = 1;
        taut_fail_at(r->errors, TAUT_ERR_INPUT, place,
                     "the file says nothing to simulate: it needs 'DAE' or 'Lagrangian'");
        return TAUT_OK;
    }
    r->model->kind = dae ? TAUT_MODEL_DAE : TAUT_MODEL_LAGRANGIAN;
    TAUT_TRY(dae ? taut_read_dae(r, dae) : taut_read_lagrangian(r, L));
    TAUT_TRY(resolve_all(r, taut_yaml_get(dae ? dae : L, "Define")));
    return TAUT_OK;
}

static taut_status copy_names(taut_model *m, const taut_yaml *parameters) {
    m->variable_name = TAUT_NEW_ARRAY(&m->arena, m->variables, const char *);
    m->parameter_name = TAUT_NEW_ARRAY(&m->arena, m->parameters, const char *);
    if (!m->variable_name || !m->parameter_name) return TAUT_ERR_MEMORY;
    for (int i = 0; i < m->variables; i++) m->variable_name[i] = m->variable[i].name;
    for (int i = 0; i < m->parameters; i++) m->parameter_name[i] = parameters->keys[i]->text;
    return TAUT_OK;
}

static taut_status read_root(taut_reader *r, const taut_override *override, int overrides) {
    taut_model *m = r->model;
    const taut_yaml *root = m->doc->root;
    if (!taut_reader_expect(r, root, TAUT_YAML_MAPPING, "a model file")) return TAUT_ERR_INPUT;
    taut_reader_check_keys(r, root, TAUT_SECTION_TOP);
    const taut_yaml *title = taut_yaml_get(root, "Title"),
                    *problem = taut_yaml_get(root, "ProblemData");
    const taut_yaml *parameters = taut_yaml_get(root, "PhysicalParams");
    m->title = "";
    if (title && taut_reader_expect(r, title, TAUT_YAML_SCALAR, "'Title'")) m->title = title->text;
    m->problem_place = taut_reader_place(r, problem ? problem : root);
    if (problem) /* the key's line, not that of the first entry */
        m->problem_place = taut_reader_place(r, root->keys[taut_yaml_find(root, "ProblemData")]);
    TAUT_TRY(read_parameters(r, parameters, override, overrides));
    TAUT_TRY(resolve_all(r, parameters));
    TAUT_TRY(taut_read_definitions(r, taut_yaml_get(root, "Define")));
    TAUT_TRY(read_kind(r, root));
    TAUT_TRY(resolve_all(r, taut_yaml_get(root, "Define")));
    TAUT_TRY(taut_read_outputs(r, taut_yaml_get(root, "Outputs")));
    TAUT_TRY(taut_read_problem(r, problem));
    if (r->faulty) return TAUT_ERR_INPUT;
    return copy_names(m, parameters);
}

taut_status taut_model_read(const char *path, const taut_override *overrides, int count,
                            taut_model **model, taut_errors *errors) {
    taut_model *m = NULL;
    size_t room = 0;
    *model = NULL;
    if (taut_grow((void **)&m, &room, 1, sizeof *m)) return TAUT_ERR_MEMORY;
    memset(m, 0, sizeof *m);
    const double begin = taut_seconds();
    taut_reader r = {.model = m, .errors = errors};
    taut_status status = taut_doc_read(path, &m->doc, errors);
    if (status == TAUT_OK) status = taut_graph_create(&m->graph);
    if (status == TAUT_OK) status = taut_symbols_create(m, errors, &r.symbols);
    if (status == TAUT_OK) status = read_root(&r, overrides, count);
    if (status == TAUT_OK && taut_graph_failed(m->graph)) status = TAUT_ERR_MEMORY;
    taut_symbols_free(&r.symbols);
    m->read_s = taut_seconds() - begin;
    if (status == TAUT_OK)
        *model = m;
    else
        taut_model_free(&m);
    return status;
}

void taut_model_free(taut_model **model) {
    taut_model *m = *model;
    if (!m) return;
    taut_release((void **)&m->variable);
    taut_release((void **)&m->equations.item);
    taut_release((void **)&m->constraints.item);
    taut_release((void **)&m->forces.item);
    taut_release((void **)&m->force_on);
    taut_release((void **)&m->outputs.item);
    taut_release((void **)&m->value);
    taut_graph_free(&m->graph);
    taut_doc_free(&m->doc);
    taut_arena_release(&m->arena);
    taut_release((void **)model);
}

const char *taut_model_title(const taut_model *model) { return model->title; }

const char *taut_model_kind_name(const taut_model *model) {
    return model->kind == TAUT_MODEL_DAE ? "DAE" : "Lagrangian";
}
