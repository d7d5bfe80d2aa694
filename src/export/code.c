/* From a model to its code: equations of a simulation at its start, names, numbers, refusals. */
#include "export/code.h"

#include <math.h>
#include <string.h>

#include "core/number.h"
#include "model/parameters.h"

/* Numbers that follow from parameters, above which these are frozen. */
enum { MOST_NUMBERS = 600 };

/* ---- names ---- */

static const char *const KEYWORD[] = {
    "auto",     "break",     "case",    "char",     "const",    "continue", "default",  "do",
    "double",   "else",      "enum",    "extern",   "float",    "for",      "goto",     "if",
    "inline",   "int",       "long",    "register", "restrict", "return",   "short",    "signed",
    "sizeof",   "static",    "struct",  "switch",   "typedef",  "union",    "unsigned", "void",
    "volatile", "while",     "class",   "new",      "this",     "template", "operator", "private",
    "public",   "protected", "virtual", "friend",   "try",      "catch",    "throw",    "namespace",
    "using",    "bool",      "true",    "false",    "asm",      "delete",   "typename", "export",
    "explicit", "mutable",   "and",     "or",       "not",      "xor",      "main",     NULL};

static bool is_keyword(const char *word) {
    for (int i = 0; KEYWORD[i]; i++)
        if (strcmp(KEYWORD[i], word) == 0) return true;
    return false;
}

/* A name as an identifier of C: other characters become _, and keywords get one at the end. */
static const char *identifier(taut_arena *arena, const char *name) {
    char *text = TAUT_NEW_ARRAY(arena, strlen(name) + 3, char);
    size_t n = 0;
    if (!text) return NULL;
    if (!taut_is_letter(name[0])) text[n++] = 'x';
    for (const char *p = name; *p; p++)
        text[n++] = taut_is_letter(*p) || taut_is_digit(*p) ? *p : '_';
    if (is_keyword(text)) text[n++] = '_';
    text[n] = '\0';
    return text;
}

static taut_status name_code(taut_code *c, const char *stem) {
    c->stem = taut_arena_copy(&c->arena, stem, strlen(stem));
    c->prefix = identifier(&c->arena, stem);
    char *macro = c->prefix ? taut_arena_copy(&c->arena, c->prefix, strlen(c->prefix)) : NULL;
    for (char *p = macro; p && *p; p++)
        if (taut_is_lower(*p)) *p = (char)(*p - 'a' + 'A');
    c->macro = macro;
    return c->stem && macro ? TAUT_OK : TAUT_ERR_MEMORY;
}

/* ---- numbers ---- */

static bool has_parameter(const taut_graph *g, taut_node v) {
    const taut_node_data *d = taut_node_get(g, v);
    if (d->op == TAUT_OP_PARAM) return true;
    for (uint32_t i = 0; i < d->count; i++)
        if (has_parameter(g, taut_node_args(g, v)[i])) return true;
    return false;
}

static bool is_input(const taut_model *m, const char *name) {
    const taut_yaml *inputs = taut_yaml_get(m->root, "Inputs");
    return inputs && taut_yaml_get(inputs, name);
}

/* Two names may become one identifier: the second one gets its number. */
static taut_status tell_apart(taut_code *c, int i) {
    taut_code_parameter *p = &c->parameter[i];
    for (int k = 0; k < i; k++) {
        if (!c->parameter[k].field || strcmp(c->parameter[k].field, p->field) != 0) continue;
        char *field = TAUT_NEW_ARRAY(&c->arena, strlen(p->field) + 16, char);
        if (!field) return TAUT_ERR_MEMORY;
        taut_format(field, strlen(p->field) + 16, "%s_%d", p->field, i);
        p->field = field;
    }
    return TAUT_OK;
}

/* What controllers set is held by the program. */
static void list_held(taut_code *c) {
    for (int a = 0; a < c->actions; a++) {
        taut_code_parameter *p = &c->parameter[c->action[a].parameter];
        if (p->kind == TAUT_CODE_HELD) continue;
        p->kind = TAUT_CODE_HELD;
        p->held = c->helds++;
    }
}

static taut_status list_parameters(taut_code *c) {
    const taut_model *m = c->model;
    const taut_graph *g = c->system->graph;
    c->parameters = taut_graph_parameters(g);
    c->parameter = TAUT_NEW_ARRAY(&c->arena, c->parameters + 1, taut_code_parameter);
    double *value = TAUT_NEW_ARRAY(&c->arena, c->parameters + 1, double);
    if (!c->parameter || !value) return TAUT_ERR_MEMORY;
    taut_parameter_values(g, value);
    for (int i = 0; i < c->parameters; i++) {
        taut_code_parameter *p = &c->parameter[i];
        p->value = value[i];
        if (i >= m->parameters || !m->parameter_name[i]) continue;
        const taut_node formula = m->parameter_formula[i];
        p->name = m->parameter_name[i];
        p->field = identifier(&c->arena, p->name);
        if (!p->field) return TAUT_ERR_MEMORY;
        TAUT_TRY(tell_apart(c, i));
        p->kind = is_input(m, p->name) ? TAUT_CODE_INPUT
                  : formula != TAUT_NO_NODE && has_parameter(m->graph, formula)
                      ? TAUT_CODE_DERIVED
                      : TAUT_CODE_PARAMETER;
        p->formula = formula;
    }
    list_held(c);
    return TAUT_OK;
}

static bool is_moving(const taut_code_parameter *p) {
    return p->kind == TAUT_CODE_INPUT || p->kind == TAUT_CODE_HELD;
}

/* Which parameters the formula of a steady node contains; marks them as used, and tells whether
 * inputs are among them. */
static bool use_parameters(taut_code *c, taut_node v) {
    const taut_node_data *d = taut_node_get(c->model->graph, v);
    bool moves = false;
    if (d->op == TAUT_OP_PARAM) {
        taut_code_parameter *p = &c->parameter[d->index];
        if (!p->used && p->kind == TAUT_CODE_DERIVED) p->moves = use_parameters(c, p->formula);
        p->used = true;
        return p->moves || is_moving(p);
    }
    for (uint32_t i = 0; i < d->count; i++)
        moves = use_parameters(c, taut_node_args(c->model->graph, v)[i]) || moves;
    return moves;
}

/* Can a parameter be changed, or does it follow from one that can? */
static bool is_open(const taut_code *c, int i);

static bool is_formula_open(const taut_code *c, taut_node v) {
    const taut_node_data *d = taut_node_get(c->model->graph, v);
    if (d->op == TAUT_OP_PARAM) return is_open(c, d->index);
    for (uint32_t i = 0; i < d->count; i++)
        if (is_formula_open(c, taut_node_args(c->model->graph, v)[i])) return true;
    return false;
}

static bool is_open(const taut_code *c, int i) {
    const taut_code_parameter *p = &c->parameter[i];
    if (p->kind == TAUT_CODE_DERIVED) return is_formula_open(c, p->formula);
    return is_moving(p) || (p->kind == TAUT_CODE_PARAMETER && !p->frozen);
}

static void use_number(taut_code *c, int origin) {
    if (origin == 0 || !c->number_open[origin] || c->number_used[origin]) return;
    const taut_number_row row = taut_numbers_row(c->tape->numbers, origin);
    c->number_used[origin] = true;
    if (row.kind == TAUT_NUMBER_PARAMETER) {
        taut_code_parameter *p = &c->parameter[row.a];
        if (!p->used && p->kind == TAUT_CODE_DERIVED) p->moves = use_parameters(c, p->formula);
        p->used = true;
        p->moves = p->moves || is_moving(p);
        c->number_moves[origin] = p->moves;
        return;
    }
    use_number(c, row.a);
    use_number(c, row.b);
    c->number_moves[origin] = c->number_moves[row.a] || c->number_moves[row.b];
}

/* Which numbers follow from what can be changed; how many of them are computed. */
static int find_open(taut_code *c) {
    const taut_numbers *n = c->tape->numbers;
    int count = 0;
    c->number_open[0] = false;
    for (int i = 1; i < taut_numbers_count(n); i++) {
        const taut_number_row row = taut_numbers_row(n, i);
        if (row.kind == TAUT_NUMBER_FIXED)
            c->number_open[i] = false;
        else if (row.kind == TAUT_NUMBER_PARAMETER)
            c->number_open[i] = is_open(c, row.a);
        else
            c->number_open[i] = c->number_open[row.a] || c->number_open[row.b];
        count += c->number_open[i] && row.kind != TAUT_NUMBER_PARAMETER;
    }
    return count;
}

/* Is a name in a list with commas? */
static bool is_listed(const char *list, const char *name) {
    const size_t n = strlen(name);
    for (const char *p = list; *p; p += strcspn(p, ","), p += *p == ',') {
        while (*p == ' ') p++;
        if (strncmp(p, name, n) == 0 && (p[n] == ',' || p[n] == ' ' || p[n] == '\0')) return true;
    }
    return false;
}

/* Parameters that are not wanted become numbers; all of them where there would be too much. */
static taut_status freeze(taut_code *c, taut_errors *errors) {
    const char *list = c->options->parameters;
    if (list && strcmp(list, "all") != 0) {
        taut_arena work = {0};
        taut_status status = TAUT_OK;
        for (int i = 0; i < c->parameters; i++)
            c->parameter[i].frozen = c->parameter[i].kind != TAUT_CODE_HELD &&
                                     c->parameter[i].kind != TAUT_CODE_INPUT &&
                                     c->parameter[i].name && !is_listed(list, c->parameter[i].name);
        for (const char *p = list; *p && status == TAUT_OK; p += strcspn(p, ","), p += *p == ',') {
            p += strspn(p, " ");
            const char *name = taut_arena_copy(&work, p, strcspn(p, ", "));
            const int k = name ? taut_model_find_parameter(c->model, name) : -1;
            if (!name)
                status = TAUT_ERR_MEMORY;
            else if (k < 0 || c->parameter[k].kind != TAUT_CODE_PARAMETER)
                status =
                    taut_fail(errors, TAUT_ERR_CALL,
                              "options.parameters: the model has no parameter '%s' with a value "
                              "of its own",
                              name);
        }
        taut_arena_release(&work);
        TAUT_TRY(status);
    }
    if (find_open(c) <= MOST_NUMBERS || list) return TAUT_OK;
    c->frozen = true;
    for (int i = 0; i < c->parameters; i++) c->parameter[i].frozen = !is_moving(&c->parameter[i]);
    find_open(c);
    return TAUT_OK;
}

/* Which numbers the code reads, and which of them follow from inputs. */
static taut_status find_numbers(taut_code *c, taut_errors *errors) {
    const taut_tape *t = c->tape;
    const int count = taut_numbers_count(t->numbers);
    c->number_used = TAUT_NEW_ARRAY(&c->arena, count + 1, bool);
    c->number_moves = TAUT_NEW_ARRAY(&c->arena, count + 1, bool);
    c->number_open = TAUT_NEW_ARRAY(&c->arena, count + 1, bool);
    if (!c->number_used || !c->number_moves || !c->number_open) return TAUT_ERR_MEMORY;
    TAUT_TRY(freeze(c, errors));
    for (int slot = 0; slot < t->size; slot++) {
        const taut_instr *x = &t->instr[slot];
        if (!c->use[slot]) continue;
        use_number(c, t->origin[slot]);
        for (int k = 0; x->kernel == TAUT_KERNEL_SUM && k < x->count; k++)
            use_number(c, t->term[x->first + k].origin);
    }
    for (int i = 0; i < taut_numbers_checks(t->numbers); i++) {
        const taut_number_check check = taut_numbers_check_at(t->numbers, i);
        for (int k = 0; k < check.origins; k++) use_number(c, check.origin[k]);
    }
    return TAUT_OK;
}

/* ---- the start ---- */

static taut_status list_states(taut_code *c) {
    const int *d = c->structure->offsets.d;
    for (int j = 0; j < c->system->n; j++) c->states += d[j];
    c->state = TAUT_NEW_ARRAY(&c->arena, c->states + 1, taut_code_state);
    if (!c->state) return TAUT_ERR_MEMORY;
    int count = 0;
    for (int j = 0; j < c->system->n; j++)
        for (int k = 0; k < d[j]; k++)
            c->state[count++] = (taut_code_state){
                .variable = j, .order = k, .start = *taut_state_at(c->simulation->state, j, k)};
    return TAUT_OK;
}

/* What is to be told apart at the first look. */
static taut_status refuse_at_once(const taut_model *m, const taut_export_options *o,
                                  taut_errors *errors) {
    if (m->events > 0)
        return taut_fail(
            errors, TAUT_ERR_INPUT,
            "the model has events ('%s'), and a step of fixed cost cannot look for the "
            "time of one: there is no C code for it",
            m->event[0].name);
    if (m->contacts > 0)
        return taut_fail(errors, TAUT_ERR_INPUT,
                         "the model has contacts or friction ('%s'), and a step of fixed cost "
                         "cannot look for their changes: there is no C code for it",
                         m->contact[0].element);
    if (m->kinks > 0)
        return taut_fail(errors, TAUT_ERR_INPUT,
                         "a formula of the model has a kink (abs, min, max, sign or if), beyond "
                         "which a Taylor polynomial is wrong: there is no C code for it");
    if (m->lookups > 0)
        return taut_fail(
            errors, TAUT_ERR_INPUT,
            "a formula of the model looks into a table, whose pieces meet in corners that "
            "a step of fixed cost cannot look for: there is no C code for it");
    if (!m->has_tend && !o->run.has_tend)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "the model has no tend, so there is no motion to choose step and pivots "
                         "by: give options.tend");
    return TAUT_OK;
}

taut_status taut_code_refuse(const taut_code *c, taut_errors *errors) {
    if (!c->structure->quasilinear)
        for (int j = 0; j < c->system->n; j++)
            if (c->structure->nonlinear[j]) {
                char name[200];
                taut_derivative_name(c->system, j, c->structure->offsets.d[j], name, sizeof name);
                return taut_fail(errors, TAUT_ERR_INPUT,
                                 "'%s' enters the equations nonlinearly, which takes iterations; a "
                                 "step of fixed cost has none: there is no C code for it",
                                 name);
            }
    if (c->simulation->plan.stabilizing != TAUT_BY_PROJECTION)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "generated code keeps constraints by projection: leave out "
                         "options.stabilize");
    return TAUT_OK;
}

/* ---- all of it ---- */

static taut_status make(taut_code *c, const taut_model *model, taut_errors *errors) {
    const taut_variation variation = {
        .initial = model->initial, .initials = model->initials, .keep_inputs = true};
    taut_run_options run = c->options->run;
    TAUT_TRY(refuse_at_once(model, c->options, errors));
    TAUT_TRY(taut_model_vary(model, &variation, &c->model, errors));
    run.solver = "taylor";
    run.rtol = run.atol = 1e-13;
    run.order = 0;
    run.step = 0.0;
    TAUT_TRY(taut_simulation_make(c->model, &run, true, &c->simulation, errors));
    TAUT_TRY(taut_simulation_start(c->simulation, errors));
    c->problem = c->simulation->prepared->problem;
    c->system = &c->problem->system;
    c->structure = &c->simulation->prepared->structure;
    c->t0 = c->simulation->t0;
    c->tend = c->simulation->tend;
    TAUT_TRY(taut_code_refuse(c, errors));
    TAUT_TRY(list_states(c));
    TAUT_TRY(taut_code_plan_reactions(c, errors));
    TAUT_TRY(taut_code_lay_out(c, errors));
    TAUT_TRY(list_parameters(c));
    TAUT_TRY(find_numbers(c, errors));
    c->samples.work = TAUT_NEW_ARRAY(&c->arena, c->system->n * c->system->n, double);
    if (!c->samples.work) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_code_follow_motion(c, errors));
    return taut_code_choose_step(c, errors);
}

taut_status taut_code_create(const taut_model *model, const char *stem,
                             const taut_export_options *options, taut_code *code,
                             taut_errors *errors) {
    *code = (taut_code){.options = options};
    code->tolerance = options->run.rtol;
    TAUT_TRY(name_code(code, stem));
    TAUT_TRY(make(code, model, errors));
    /* positions have the longest series, or functions of t whose derivatives are needed */
    const int d = code->structure->largest_d;
    code->orders = code->order + (code->levels - 1 > d ? code->levels - 1 : d);
    if (code->orders < code->output_orders) code->orders = code->output_orders;
    return taut_graph_failed(code->system->graph) ? TAUT_ERR_MEMORY : TAUT_OK;
}

void taut_code_release(taut_code *code) {
    if (code->reactions) taut_balance_free(&code->reactions->balance);
    taut_series_free(&code->samples.series);
    taut_simulation_free(&code->simulation);
    taut_model_free(&code->model);
    taut_arena_release(&code->arena);
}
