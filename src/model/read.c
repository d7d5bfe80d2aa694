/* Reading a model file: parameters first, then the one section that says what kind of model it is,
 * then the problem. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/clock.h"
#include "core/text.h"
#include "expr/diff.h"
#include "import/import.h"
#include "model/actuators.h"
#include "model/parameters.h"
#include "model/reader.h"
#include "model/trim.h"
#include "taut/import.h"

/* Finds out the value of every parameter and definition, used or not, so that every fault shows. */
static taut_status resolve_all(taut_reader *r, const taut_yaml *node) {
    if (!node || node->kind != TAUT_YAML_MAPPING) return TAUT_OK;
    for (int i = 0; i < node->count; i++) {
        taut_vec value;
        if (!taut_symbols_find(r->symbols, node->keys[i]->text, &value) &&
            !taut_is_actuator(r->model, node->keys[i]->text))
            r->faulty = true;
    }
    return taut_graph_failed(r->model->graph) ? TAUT_ERR_MEMORY : TAUT_OK;
}

/* ---- the whole file ---- */

/* Keys of the top level that mean something for mechanisms only. */
static void refuse_mechanical_keys(taut_reader *r, const taut_yaml *root) {
    const bool L = r->model->kind == TAUT_MODEL_LAGRANGIAN, dae = r->model->kind == TAUT_MODEL_DAE;
    const struct {
        const char *key;
        bool inside; /* the section of the model has such a key */
    } KEY[] = {{"Dimension", false}, {"AppliedForces", false},   {"Angles", false},
               {"Drivers", false},   {"VelocityConstraints", L}, {"Constraints", !dae},
               {"Variables", true},  {"Equations", true}};
    for (size_t i = 0; i < sizeof KEY / sizeof KEY[0]; i++) {
        const int at = taut_yaml_find(root, KEY[i].key);
        if (at < 0) continue;
        r->faulty = true;
        taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, root->keys[at]),
                     "'%s' at top level belongs to mechanisms%s%s%s", KEY[i].key,
                     KEY[i].inside ? "; make it a key of '" : "",
                     KEY[i].inside ? taut_model_kind_name(r->model) : "", KEY[i].inside ? "'" : "");
    }
}

static taut_status read_kind(taut_reader *r, const taut_yaml *root) {
    const taut_yaml *dae = taut_yaml_get(root, "DAE"), *L = taut_yaml_get(root, "Lagrangian");
    const taut_yaml *H = taut_yaml_get(root, "Hamiltonian");
    const taut_yaml *parts = taut_yaml_get(root, "PartData");
    if ((dae != NULL) + (L != NULL) + (H != NULL) + (parts != NULL) > 1) {
        r->faulty = true;
        taut_fail_at(r->errors, TAUT_ERR_INPUT,
                     taut_reader_place(r, L   ? L
                                          : H ? H
                                              : dae),
                     "a file has one model: either 'PartData' or 'Lagrangian' or 'Hamiltonian' or "
                     "'DAE'");
        return TAUT_OK;
    }
    if (parts) {
        r->model->kind = TAUT_MODEL_MECHANISM;
        return taut_read_mechanism(r, root);
    }
    if (!dae && !L && !H) {
        if (r->faulty) return TAUT_OK; /* an unknown key is probably the one that is missing */
        r->faulty = true;
        taut_place place = taut_reader_place(r, root);
        place.line = place.column = 1;
        taut_fail_at(r->errors, TAUT_ERR_INPUT, place,
                     "the file says nothing to simulate: it needs 'PartData', 'Lagrangian', "
                     "'Hamiltonian' or 'DAE'");
        return TAUT_OK;
    }
    const taut_yaml *section = dae ? dae : L ? L : H;
    r->model->kind = dae ? TAUT_MODEL_DAE : L ? TAUT_MODEL_LAGRANGIAN : TAUT_MODEL_HAMILTONIAN;
    refuse_mechanical_keys(r, root);
    TAUT_TRY(dae ? taut_read_dae(r, dae)
             : L ? taut_read_lagrangian(r, L)
                 : taut_read_hamiltonian(r, H));
    TAUT_TRY(resolve_all(r, taut_yaml_get(section, "Define")));
    return TAUT_OK;
}

/* What a leaf is called in formulas: Ax, or the name of a coordinate; NULL without memory. */
static const char *leaf_name(taut_model *m, const taut_model_leaf *x) {
    if (x->kind != TAUT_LEAF_ELEMENT) return x->name;
    return taut_arena_concat(&m->arena, x->name, (char[]){"xyz"[x->part], '\0'}, "");
}

static taut_status copy_names(taut_model *m) {
    int count = 0;
    const int leaves = m->mechanism ? m->leaves : m->variables; /* formulas have either */
    m->variable_name = TAUT_NEW_ARRAY(&m->arena, leaves, const char *);
    m->parameter_name = TAUT_NEW_ARRAY(&m->arena, m->parameters, const char *);
    if (!m->variable_name || !m->parameter_name) return TAUT_ERR_MEMORY;
    for (int i = 0; i < leaves; i++) {
        m->variable_name[i] = m->mechanism ? leaf_name(m, &m->leaf[i]) : m->variable[i].name;
        if (!m->variable_name[i]) return TAUT_ERR_MEMORY;
    }
    for (int s = 0; s < taut_parameter_maps(m->root); s++) {
        const taut_yaml *node = taut_parameter_map(m->root, s);
        for (int i = 0; node && node->kind == TAUT_YAML_MAPPING && i < node->count; i++)
            if (!taut_find_override(m->input, m->inputs, node->keys[i]->text) &&
                !taut_is_actuator(m, node->keys[i]->text))
                m->parameter_name[count++] = node->keys[i]->text;
    }
    for (int i = 0; i < m->driver_values && m->trim; i++)
        if (!(m->parameter_name[count++] = taut_driver_parameter(m, m->driver_value[i].name)))
            return TAUT_ERR_MEMORY;
    for (int i = 0; i < 3 * m->driver_inputs; i++)
        if (!(m->parameter_name[count++] = taut_driver_input(m, m->driver_input[i / 3], i % 3)))
            return TAUT_ERR_MEMORY;
    return TAUT_OK;
}

/* What may use the names of all variables. */
static taut_status read_rest(taut_reader *r) {
    const taut_yaml *root = r->model->root;
    TAUT_TRY(resolve_all(r, taut_yaml_get(root, "Define")));
    if (r->model->mechanism) TAUT_TRY(taut_read_equations(r, root));
    TAUT_TRY(taut_read_outputs(r, taut_yaml_get(root, "Outputs")));
    TAUT_TRY(taut_read_inverse(r));
    TAUT_TRY(taut_read_trim(r));
    TAUT_TRY(taut_read_discretes(r));
    TAUT_TRY(taut_read_events(r));
    TAUT_TRY(taut_read_controllers(r));
    TAUT_TRY(taut_read_changing(r));
    TAUT_TRY(taut_read_contacts(r));
    TAUT_TRY(taut_read_study(r));
    TAUT_TRY(taut_read_problem(r, taut_yaml_get(root, "ProblemData")));
    if (!r->faulty) TAUT_TRY(taut_read_initials(r));
    if (r->faulty) return TAUT_ERR_INPUT;
    TAUT_TRY(copy_names(r->model));
    TAUT_TRY(taut_find_corners(r->model));
    return taut_model_list_numbers(r->model);
}

/* With other values of these parameters the file would say something else. */
static void assume_counted(taut_reader *r) {
    for (int i = 0; i < r->model->counts; i++) {
        taut_vec value;
        if (taut_symbols_find(r->symbols, r->model->counted[i], &value) && value.n == 1)
            taut_assume_value(r->model->graph, value.c[0]);
    }
}

/* The title as it can be shown, on one line; NULL without memory. */
static const char *read_title(taut_model *m, const taut_yaml *node) {
    char *line = taut_arena_copy(&m->arena, node->text, strlen(node->text));
    size_t n = line ? strlen(line) : 0;
    while (n > 0 && line[n - 1] == '\n') line[--n] = '\0'; /* a block of text ends with one */
    for (char *p = line; p && *p; p++)
        if (*p == '\n' || *p == '\r' || *p == '\t') *p = ' ';
    const size_t size = line ? taut_text_escape(line, NULL, 0, false) + 1 : 0;
    char *text = line ? taut_arena_alloc(&m->arena, size) : NULL;
    if (text) taut_text_escape(line, text, size, false);
    return text;
}

enum { MOST_KEYS = 10000 }; /* at the top, where fewer than a hundred are known */

static taut_status read_root(taut_reader *r) {
    taut_model *m = r->model;
    const taut_yaml *root = m->root;
    if (root->kind == TAUT_YAML_SCALAR && root->text[0] == '<')
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, root),
                            "this is XML: robots are read from files that end in .urdf, .xml or "
                            ".mjcf, and other endings by taut import");
    if (!taut_reader_expect(r, root, TAUT_YAML_MAPPING, "a model file")) return TAUT_ERR_INPUT;
    taut_reader_check_keys(r, root, TAUT_SECTION_TOP);
    /* so many unknown keys are no model, and every look at a section would search through them */
    if (r->faulty && root->count > MOST_KEYS) return TAUT_ERR_INPUT;
    const taut_yaml *title = taut_yaml_get(root, "Title"),
                    *problem = taut_yaml_get(root, "ProblemData");
    m->title = "";
    if (title && taut_reader_expect(r, title, TAUT_YAML_SCALAR, "'Title'"))
        m->title = read_title(m, title);
    if (!m->title) return TAUT_ERR_MEMORY;
    m->problem_place = taut_reader_place(r, problem ? problem : root);
    if (problem) /* the key's line, not that of the first entry */
        m->problem_place = taut_reader_place(r, root->keys[taut_yaml_find(root, "ProblemData")]);
    TAUT_TRY(taut_events_list(r));
    TAUT_TRY(taut_controllers_list(r));
    TAUT_TRY(taut_list_actuators(r->model));
    for (int i = 0; i < taut_parameter_maps(root); i++) TAUT_TRY(taut_read_parameters(r, i));
    TAUT_TRY(taut_read_driver_values(r));
    TAUT_TRY(taut_read_tables(r));
    taut_check_overrides(r);
    taut_check_inputs(r);
    for (int i = 0; i < taut_parameter_maps(root); i++)
        TAUT_TRY(resolve_all(r, taut_parameter_map(root, i)));
    TAUT_TRY(taut_load_tables(r));
    assume_counted(r);
    TAUT_TRY(taut_read_definitions(r, taut_yaml_get(root, "Define")));
    TAUT_TRY(read_kind(r, root));
    if (m->kind == TAUT_MODEL_MECHANISM && r->faulty) return TAUT_ERR_INPUT;
    return read_rest(r);
}

/* A fault of the whole file, like a missing one, is at 1:1. */
static void blame_whole_file(taut_errors *errors) {
    for (int i = 0; errors && i < errors->count; i++) {
        taut_error *e = &errors->item[i];
        if (e->path[0] && e->line == 0) e->line = e->column = 1;
    }
}

/* Reads model->doc into the rest of the model. */
static taut_status read_document(taut_model *m, taut_errors *errors) {
    taut_reader r = {.model = m, .errors = errors};
    atomic_fetch_add(&m->doc->reads, 1);
    TAUT_TRY(taut_graph_create(&m->graph));
    TAUT_TRY(taut_symbols_create(m, errors, &m->symbols));
    r.symbols = m->symbols;
    TAUT_TRY(taut_model_expand(m, errors));
    const taut_status status = read_root(&r);
    taut_symbols_finish(m->symbols);
    taut_release((void **)&r.waiting);
    taut_sweep_free(&r.sweep);
    return taut_graph_failed(m->graph) ? TAUT_ERR_MEMORY : status;
}

static taut_status copy_overrides(taut_model *m, const taut_override *override, int count,
                                  const taut_override **list, int *length) {
    taut_override *own = TAUT_NEW_ARRAY(&m->arena, count, taut_override);
    if (!own) return TAUT_ERR_MEMORY;
    for (int i = 0; i < count; i++) {
        own[i].name = taut_arena_copy(&m->arena, override[i].name, strlen(override[i].name));
        own[i].formula =
            taut_arena_copy(&m->arena, override[i].formula, strlen(override[i].formula));
        if (!own[i].name || !own[i].formula) return TAUT_ERR_MEMORY;
    }
    *list = own;
    *length = count;
    return TAUT_OK;
}

static taut_status create(taut_model **model) {
    *model = taut_new(sizeof **model);
    return *model ? TAUT_OK : TAUT_ERR_MEMORY;
}

static taut_status create_copy(const taut_model *model, taut_model **copy);

void taut_model_lint(const taut_model *model, taut_errors *errors) {
    taut_model *scratch = NULL;
    taut_errors *more = NULL;
    if (!errors || create_copy(model, &scratch) != TAUT_OK) return;
    /* its own list: what is known already is not told again */
    if ((more = taut_new(sizeof *more)) != NULL &&
        read_document(scratch, NULL) != TAUT_ERR_MEMORY && scratch->root) {
        if (taut_lint(scratch, more) != TAUT_ERR_MEMORY) taut_errors_join(errors, more);
    }
    taut_release((void **)&more);
    taut_model_free(&scratch);
}

/* Reads the model from its document, or gives it up. */
static taut_status finish(taut_model **model, double begin, taut_errors *errors) {
    taut_status status = read_document(*model, errors);
    if (status == TAUT_OK && !(*model)->is_copy) status = taut_doubt_mechanism(*model);
    if (status == TAUT_OK && !(*model)->is_copy) status = taut_note_unused(*model);
    if (status == TAUT_ERR_INPUT && !(*model)->is_copy) taut_model_lint(*model, errors);
    if (status == TAUT_OK)
        (*model)->read_s = taut_seconds() - begin;
    else
        taut_model_free(model);
    return status;
}

static taut_status check_override_list(const taut_override *overrides, int count,
                                       taut_errors *errors) {
    bool there = count == 0 || (count > 0 && overrides);
    for (int i = 0; there && i < count; i++) there = overrides[i].name && overrides[i].formula;
    if (there) return TAUT_OK;
    return taut_fail(errors, TAUT_ERR_CALL,
                     "the list of %d overrides is NULL, or one of them has no name or formula",
                     count);
}

enum { COOKIE = 0x7a0704 };

taut_read_options taut_read_options_default(void) { return (taut_read_options){.cookie = COOKIE}; }

static taut_status check_options(const taut_read_options *o, taut_errors *errors) {
    if (o->cookie != COOKIE)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "the options have not been filled: begin with "
                         "taut_read_options_default()");
    TAUT_TRY(check_override_list(o->override, o->overrides, errors));
    return check_override_list(o->input, o->inputs, errors);
}

/* A model that holds what the options replace, and no document yet. */
static taut_status create_with(const taut_read_options *o, taut_model **model) {
    TAUT_TRY(create(model));
    taut_model *m = *model;
    taut_status status = copy_overrides(m, o->override, o->overrides, &m->override, &m->overrides);
    if (status == TAUT_OK) status = copy_overrides(m, o->input, o->inputs, &m->input, &m->inputs);
    if (status != TAUT_OK) taut_model_free(model);
    return status;
}

/* Goes on after the document itself: what it includes, and what both say. */
static taut_status go_on(taut_model **model, taut_status status, bool confine, double begin,
                         taut_errors *errors) {
    if (status == TAUT_OK) status = taut_doc_load_includes((*model)->doc, confine, errors);
    if (status == TAUT_OK) return finish(model, begin, errors);
    blame_whole_file(errors);
    taut_model_free(model);
    return status;
}

/* A file of another program, as the text that it is imported to; what that leaves out are warnings.
 */
static taut_status read_foreign(const char *path, taut_model *m, taut_errors *errors) {
    char name[600], *text = NULL, *left_out = NULL;
    TAUT_TRY(taut_import(path, &text, &left_out, errors));
    snprintf(name, sizeof name, "%.500s (imported)", path);
    taut_status status = taut_doc_parse(name, text, (long)strlen(text), &m->doc, errors);
    if (status == TAUT_OK) m->doc->has_folder = true;
    if (status == TAUT_OK) status = taut_doubt_left_out(m, path, left_out);
    taut_release((void **)&text);
    taut_release((void **)&left_out);
    return status;
}

taut_status taut_model_read_with(const char *path, const taut_read_options *options,
                                 taut_model **model, taut_errors *errors) {
    const double begin = taut_seconds();
    const taut_read_options standard = taut_read_options_default();
    const taut_read_options *o = options ? options : &standard;
    TAUT_NEED(model, "model", errors);
    *model = NULL;
    TAUT_NEED(path, "path", errors);
    TAUT_TRY(check_options(o, errors));
    TAUT_TRY(create_with(o, model));
    const taut_status status = taut_import_knows(path)
                                   ? read_foreign(path, *model, errors)
                                   : taut_doc_read(path, &(*model)->doc, errors);
    return go_on(model, status, o->confine, begin, errors);
}

taut_status taut_model_read(const char *path, const taut_override *overrides, int count,
                            taut_model **model, taut_errors *errors) {
    taut_read_options o = taut_read_options_default();
    o.override = overrides;
    o.overrides = count;
    return taut_model_read_with(path, &o, model, errors);
}

taut_status taut_model_read_driven(const char *path, const taut_reading *reading,
                                   taut_model **model, taut_errors *errors) {
    taut_read_options o = taut_read_options_default();
    if (reading) {
        o.override = reading->set;
        o.overrides = reading->sets;
        o.input = reading->input;
        o.inputs = reading->inputs;
    }
    return taut_model_read_with(path, &o, model, errors);
}

taut_status taut_model_parse_with(const char *name, const char *text, long length,
                                  const taut_read_options *options, taut_model **model,
                                  taut_errors *errors) {
    const double begin = taut_seconds();
    const taut_read_options standard = taut_read_options_default();
    const taut_read_options *o = options ? options : &standard;
    TAUT_NEED(model, "model", errors);
    *model = NULL;
    TAUT_NEED(name, "name", errors);
    TAUT_NEED(text, "text", errors);
    TAUT_TRY(check_options(o, errors));
    TAUT_TRY(create_with(o, model));
    if (length < 0) length = (long)strlen(text);
    const taut_status status = taut_doc_parse(name, text, length, &(*model)->doc, errors);
    return go_on(model, status, true, begin, errors);
}

taut_status taut_model_parse(const char *name, const char *text, long length, taut_model **model,
                             taut_errors *errors) {
    return taut_model_parse_with(name, text, length, NULL, model, errors);
}

/* A model of the same document, not read yet. */
static taut_status create_copy(const taut_model *model, taut_model **copy) {
    TAUT_TRY(create(copy));
    (*copy)->is_copy = true;
    (*copy)->doc = model->doc;
    (*copy)->override = model->override;
    (*copy)->overrides = model->overrides;
    (*copy)->input = model->input;
    (*copy)->inputs = model->inputs;
    (*copy)->initial = model->initial;
    (*copy)->initials = model->initials;
    (*copy)->keep_inputs = model->keep_inputs;
    (*copy)->keep = model->keep;
    (*copy)->inverse = model->inverse;
    (*copy)->trim = model->trim;
    (*copy)->driver_value = model->driver_value;
    (*copy)->driver_values = model->driver_values;
    (*copy)->driver_input = model->driver_input;
    (*copy)->driver_inputs = model->driver_inputs;
    (*copy)->has_start = model->has_start;
    (*copy)->start = model->start;
    return TAUT_OK;
}

taut_status taut_model_vary(const taut_model *model, const taut_variation *v, taut_model **variant,
                            taut_errors *errors) {
    const int old = model->overrides, count = old + v->overrides;
    TAUT_TRY(create_copy(model, variant));
    taut_override *all = TAUT_NEW_ARRAY(&(*variant)->arena, count, taut_override);
    if (!all) {
        taut_model_free(variant);
        return TAUT_ERR_MEMORY;
    }
    for (int i = 0; i < count; i++) all[i] = i < old ? model->override[i] : v->override[i - old];
    (*variant)->override = all;
    (*variant)->overrides = count;
    (*variant)->initial = v->initial;
    (*variant)->initials = v->initials;
    (*variant)->keep_inputs = model->keep_inputs || v->keep_inputs;
    if (v->keep) (*variant)->keep = v->keep;
    (*variant)->inverse = model->inverse || v->inverse;
    (*variant)->trim = model->trim || v->trim;
    if (v->driver_values > 0) {
        (*variant)->driver_value = v->driver_value;
        (*variant)->driver_values = v->driver_values;
    }
    if (v->has_start) {
        (*variant)->has_start = true;
        (*variant)->start = v->start;
    }
    if (v->driver_inputs > 0) {
        (*variant)->driver_input = v->driver_input;
        (*variant)->driver_inputs = v->driver_inputs;
    }
    return finish(variant, taut_seconds(), errors);
}

taut_status taut_model_check_parameter(const taut_model *model, const char *name,
                                       taut_errors *errors) {
    char hint[TAUT_PARAMETER_HINT];
    if (taut_has_parameter(model, name, hint)) return TAUT_OK;
    return taut_fail(errors, TAUT_ERR_CALL, "the model has no parameter '%s'%s", name, hint);
}

static void mechanism_release(taut_mechanism *m) {
    if (!m) return;
    taut_release((void **)&m->element);
    taut_release((void **)&m->body);
    taut_release((void **)&m->link);
    taut_release((void **)&m->particle);
    taut_release((void **)&m->collinear);
    taut_release((void **)&m->joint);
    taut_release((void **)&m->torsion);
    taut_release((void **)&m->bushing);
    taut_release((void **)&m->armature);
    taut_release((void **)&m->load);
    taut_release((void **)&m->drag);
    taut_release((void **)&m->angle);
    taut_release((void **)&m->driver);
}

void taut_model_free(taut_model **model) {
    if (!model || !*model) return;
    taut_model *m = *model;
    taut_release((void **)&m->variable);
    taut_release((void **)&m->leaf);
    taut_release((void **)&m->parameter_formula);
    taut_release((void **)&m->counted);
    taut_release((void **)&m->equations.item);
    taut_release((void **)&m->constraints.item);
    taut_release((void **)&m->velocity_constraints.item);
    taut_release((void **)&m->forces.item);
    taut_release((void **)&m->force_on);
    taut_release((void **)&m->outputs.item);
    taut_release((void **)&m->event);
    taut_release((void **)&m->action);
    taut_release((void **)&m->kink);
    taut_release((void **)&m->lookup);
    taut_release((void **)&m->contact);
    taut_release((void **)&m->value);
    taut_release((void **)&m->formula);
    mechanism_release(m->mechanism);
    taut_symbols_free(&m->symbols);
    taut_graph_free(&m->graph);
    if (!m->is_copy) taut_doc_free(&m->doc);
    taut_arena_release(&m->arena);
    taut_release((void **)model);
}

const taut_errors *taut_model_warnings(const taut_model *model) {
    static const taut_errors none;
    return model && model->warnings ? model->warnings : &none;
}

const char *taut_model_file(const taut_model *model, int k) {
    int files = 0;
    if (!model || !model->doc || k < 0 || !taut_doc_file(model->doc, 0)) return NULL;
    const char *path = taut_doc_file(model->doc, k);
    if (path) return path;
    while (taut_doc_file(model->doc, files)) files++;
    return k - files < model->study.experiments ? model->study.experiment[k - files].data : NULL;
}

const char *taut_model_parameter(const taut_model *model, int k, double *value) {
    if (value) *value = (double)NAN;
    for (int s = 0; model && k >= 0 && s < TAUT_SETTABLE_MAPS; s++) {
        const taut_yaml *node = taut_parameter_map(model->root, s);
        const int count = node && node->kind == TAUT_YAML_MAPPING ? node->count : 0;
        if (k < count) {
            if (value) *value = taut_model_number(model, node->keys[k]->text);
            return node->keys[k]->text;
        }
        k -= count;
    }
    return NULL;
}

const char *taut_model_title(const taut_model *model) { return model ? model->title : ""; }

const char *taut_model_kind_name(const taut_model *model) {
    static const char *const name[] = {"DAE", "Lagrangian", "mechanism", "Hamiltonian"};
    return model ? name[model->kind] : "";
}
