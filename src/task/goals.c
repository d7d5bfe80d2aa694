/* Results in a formula are replaced by names of their own, and what is left is read like any other
 * formula, in a graph in which results and variables are unknowns. So are the sides of kinks (max
 * of two, abs, if): 1 or 0 by the sign of their boundaries. */
#include "task/goals.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "expr/diff.h"
#include "expr/infix.h"
#include "expr/sample.h"

enum { MOST_FIGURES = 1000, MOST_KINKS = 200, MOST_DEPTH = 30 };
static const char MARK[] = "result_of_a_run_";

struct taut_goals {
    taut_arena arena;
    const taut_model *model;
    taut_graph *graph;
    const char *const *name; /* [names] variables: unknowns 0 ... */
    int names;
    taut_figure figure[MOST_FIGURES]; /* unknowns names ... */
    int figures;
    taut_node boundary[MOST_KINKS]; /* of unknowns MODES ... */
    int kinks, depth;
    int count;
    taut_goal_sense *sense; /* [count] */
    taut_node *node;        /* [count] */
    taut_sample sample;     /* goals, boundaries, then derivatives by all unknowns */
    bool sampled;
};

enum { MODES = 1 << 20 }; /* numbers of these unknowns, above all others */

/* ---- results in a text ---- */

static taut_status find_figure(taut_goals *g, const char *text, size_t length, int *number,
                               taut_errors *errors) {
    const char *copy = taut_arena_copy(&g->arena, text, length);
    if (!copy) return TAUT_ERR_MEMORY;
    for (*number = 0; *number < g->figures; (*number)++)
        if (strcmp(g->figure[*number].name, copy) == 0) return TAUT_OK;
    if (g->figures == MOST_FIGURES)
        return taut_fail(errors, TAUT_ERR_CALL, "these are too many results: at most %d",
                         (int)MOST_FIGURES);
    const taut_report report = {NULL, copy};
    TAUT_TRY(taut_figure_read(&report, &g->arena, &g->figure[g->figures], errors));
    g->figure[g->figures].may_lack = false;
    g->figures++;
    return TAUT_OK;
}

/* Is this the beginning of a word? */
static bool begins_word(const char *text, const char *p) {
    return p == text || !(p[-1] == '_' || p[-1] == '.' || (p[-1] >= '0' && p[-1] <= '9') ||
                          (p[-1] >= 'a' && p[-1] <= 'z') || (p[-1] >= 'A' && p[-1] <= 'Z'));
}

/* The formula with names in place of results. */
static taut_status mark_results(taut_goals *g, const char *text, taut_string *out,
                                taut_errors *errors) {
    for (const char *p = text; *p;) {
        const size_t length = begins_word(text, p) ? taut_figure_length(p) : 0;
        int number;
        if (length == 0) {
            taut_string_add(out, "%c", *p++);
            continue;
        }
        TAUT_TRY(find_figure(g, p, length, &number, errors));
        taut_string_add(out, "%s%d", MARK, number);
        p += length;
    }
    return out->failed ? TAUT_ERR_MEMORY : TAUT_OK;
}

/* ---- names in a formula ---- */

static const char *parameter_text(const taut_goals *g, const char *name) {
    static const char *const SECTION[] = {"PhysicalParams", "Inputs"};
    for (int i = g->model->overrides - 1; i >= 0; i--)
        if (strcmp(g->model->override[i].name, name) == 0) return g->model->override[i].formula;
    for (int i = 0; i < 2; i++) {
        const taut_yaml *node = taut_yaml_get(taut_yaml_get(g->model->root, SECTION[i]), name);
        if (node && node->kind == TAUT_YAML_SCALAR) return node->text;
    }
    return NULL;
}

static bool find_name(void *user, const char *name, taut_measure *measure, char *why, size_t size);

static bool find_kink(void *user, taut_node boundary, taut_node *mode) {
    taut_goals *g = user;
    int k = 0;
    while (k < g->kinks && g->boundary[k] != boundary) k++;
    if (k == MOST_KINKS) return false;
    if (k == g->kinks) g->boundary[g->kinks++] = boundary;
    *mode = taut_variable(g->graph, MODES + k);
    return true;
}

static const char *nearest_name(void *user, const char *name) {
    const taut_goals *g = user;
    taut_nearest nearest = {.wanted = name};
    for (int k = 0; k < g->names; k++) taut_nearest_offer(&nearest, g->name[k]);
    return nearest.best;
}

static taut_scope scope_of(taut_goals *g) {
    return (taut_scope){.user = g, .find = find_name, .nearest = nearest_name, .kink = find_kink};
}

static bool find_name(void *user, const char *name, taut_measure *measure, char *why, size_t size) {
    taut_goals *g = user;
    *measure = (taut_measure){.value = {.n = 1}, .dimension = taut_quantity_dimension(TAUT_ANY)};
    if (strncmp(name, MARK, sizeof MARK - 1) == 0) {
        int number = 0;
        for (const char *p = name + sizeof MARK - 1; *p >= '0' && *p <= '9'; p++)
            number = 10 * number + (*p - '0');
        measure->value.c[0] = taut_variable(g->graph, g->names + number);
        return true;
    }
    for (int k = 0; k < g->names; k++)
        if (strcmp(g->name[k], name) == 0) {
            measure->value.c[0] = taut_variable(g->graph, k);
            return true;
        }
    const char *text = parameter_text(g, name);
    taut_infix_error error;
    if (text && g->depth < MOST_DEPTH) {
        const taut_scope scope = scope_of(g);
        g->depth++;
        const taut_status status =
            taut_infix_read(g->graph, text, (long)strlen(text), &scope, measure, &error);
        g->depth--;
        measure->dimension = taut_quantity_dimension(TAUT_ANY);
        if (status == TAUT_OK) return true;
    }
    snprintf(why, size,
             "'%.60s' has no value here: formulas of a study contain results, as in "
             "max(Ax), variables, parameters and numbers",
             name);
    return false;
}

/* ---- reading ---- */

static taut_status read_formula(taut_goals *g, const taut_goal *goal, const char *text,
                                size_t length, taut_node *node, taut_errors *errors) {
    const taut_scope scope = scope_of(g);
    taut_measure measure;
    taut_infix_error error;
    const taut_status status =
        taut_infix_read(g->graph, text, (long)length, &scope, &measure, &error);
    if (status == TAUT_ERR_MEMORY) return status;
    if (status != TAUT_OK || measure.value.n != 1)
        return taut_fail_at(errors, TAUT_ERR_INPUT, goal->place, "%s: %s", goal->name,
                            status != TAUT_OK ? error.message : "a number is expected");
    *node = measure.value.c[0];
    return TAUT_OK;
}

/* The comparison in a text, outside of parentheses: its place and length; 0: none. */
static size_t find_comparison(const char *text, size_t *length, char *kind) {
    int depth = 0;
    for (size_t i = 0; text[i]; i++) {
        if (text[i] == '(') depth++;
        if (text[i] == ')') depth--;
        if (depth > 0 || i == 0 || !strchr("<>=", text[i])) continue;
        *kind = text[i];
        *length = text[i + 1] == '=' ? 2 : 1;
        return i;
    }
    return 0;
}

static taut_status read_goal(taut_goals *g, const taut_goal *goal, int number, const char *text,
                             taut_errors *errors) {
    size_t length = 0;
    char kind = 0;
    taut_node left = TAUT_NO_NODE, right = TAUT_NO_NODE;
    const size_t at = find_comparison(text, &length, &kind);
    if (number == 0) {
        g->sense[0] = TAUT_GOAL_VALUE;
        return read_formula(g, goal, text, strlen(text), &g->node[0], errors);
    }
    if (at == 0)
        return taut_fail_at(errors, TAUT_ERR_INPUT, goal->place,
                            "%s: write what must hold with <=, >= or =, as in max(Ax) <= 2",
                            goal->name);
    TAUT_TRY(read_formula(g, goal, text, at, &left, errors));
    const char *rest = text + at + length;
    TAUT_TRY(read_formula(g, goal, rest, strlen(rest), &right, errors));
    g->sense[number] = kind == '=' ? TAUT_GOAL_EQUALS : TAUT_GOAL_BELOW;
    g->node[number] =
        kind == '>' ? taut_sub(g->graph, right, left) : taut_sub(g->graph, left, right);
    return TAUT_OK;
}

/* ---- derivatives ---- */

static int unknowns_of(const taut_goals *g) { return g->names + g->figures; }

static taut_status differentiate(taut_goals *g) {
    const int n = unknowns_of(g), targets = g->count + g->kinks + g->count * n;
    taut_node *target = TAUT_NEW_ARRAY(&g->arena, targets, taut_node);
    taut_sweep *sweep = NULL;
    if (!target) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_sweep_create(g->graph, &sweep));
    taut_status status = TAUT_OK;
    for (int i = 0; i < g->count && status == TAUT_OK; i++) {
        target[i] = g->node[i];
        status = taut_sweep_of(sweep, TAUT_SWEEP_PLAIN, g->node[i]);
        for (int k = 0; k < n && status == TAUT_OK; k++)
            target[g->count + g->kinks + i * n + k] =
                taut_sweep_find(sweep, taut_variable(g->graph, k));
    }
    taut_sweep_free(&sweep);
    TAUT_TRY(status);
    for (int k = 0; k < g->kinks; k++) target[g->count + k] = g->boundary[k];
    if (taut_graph_failed(g->graph)) return TAUT_ERR_MEMORY;
    return taut_sample_create(g->graph, target, targets, &g->arena, &g->sample);
}

static taut_status build(taut_goals *g, const taut_goal *goal, taut_errors *errors) {
    g->sense = TAUT_NEW_ARRAY(&g->arena, g->count, taut_goal_sense);
    g->node = TAUT_NEW_ARRAY(&g->arena, g->count, taut_node);
    if (!g->sense || !g->node) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_graph_create(&g->graph));
    for (int i = 0; i < g->count; i++) {
        taut_string text = {0};
        taut_status status = mark_results(g, goal[i].text, &text, errors);
        if (status == TAUT_OK)
            status = read_goal(g, &goal[i], i, text.text ? text.text : "", errors);
        taut_string_release(&text);
        TAUT_TRY(status);
    }
    if (g->figures == 0)
        return taut_fail_at(errors, TAUT_ERR_INPUT, goal[0].place,
                            "%s: no result of a run is in it; write one, as in max(Ax)",
                            goal[0].name);
    return differentiate(g);
}

taut_status taut_goals_create(const taut_model *model, const taut_goal *goal, int count,
                              const char *const *name, int names, taut_goals **goals,
                              taut_errors *errors) {
    taut_goals *g = *goals = taut_new(sizeof *g);
    if (!g) return TAUT_ERR_MEMORY;
    g->model = model;
    g->name = name;
    g->names = names;
    g->count = count;
    const taut_status status = build(g, goal, errors);
    if (status != TAUT_OK) taut_goals_free(goals);
    return status;
}

void taut_goals_free(taut_goals **goals) {
    if (!*goals) return;
    taut_graph_free(&(*goals)->graph);
    taut_arena_release(&(*goals)->arena);
    taut_release((void **)goals);
}

const taut_figure *taut_goals_figures(const taut_goals *g, int *count) {
    *count = g->figures;
    return g->figure;
}

taut_goal_sense taut_goals_sense(const taut_goals *g, int goal) { return g->sense[goal]; }

/* ---- values ---- */

static void give(taut_goals *g, const double *result, const double *variable, const bool *above) {
    taut_sample *s = &g->sample;
    for (int i = 0; i < s->inputs; i++) {
        const int v = s->input[i].variable;
        const double value = v >= MODES      ? (above[v - MODES] ? 1.0 : 0.0)
                             : v >= g->names ? result[v - g->names]
                                             : variable[v];
        for (int m = 0; m < TAUT_SAMPLES; m++) s->given[i][m] = value;
    }
    taut_sample_find(s);
}

void taut_goals_find(taut_goals *g, const double *result, const double *variable, double *value,
                     double *by_result, double *by_variable) {
    const int n = unknowns_of(g);
    bool above[MOST_KINKS] = {false};
    give(g, result, variable, above);
    for (int pass = 0; pass < g->kinks; pass++) { /* a boundary may contain other kinks */
        for (int k = 0; k < g->kinks; k++) above[k] = g->sample.value[g->count + k][0] > 0.0;
        give(g, result, variable, above);
    }
    for (int i = 0; i < g->count; i++) {
        value[i] = g->sample.value[i][0];
        for (int k = 0; k < n; k++) {
            const double d = g->sample.value[g->count + g->kinks + i * n + k][0];
            if (k < g->names && by_variable) by_variable[i * g->names + k] = d;
            if (k >= g->names && by_result) by_result[i * g->figures + k - g->names] = d;
        }
    }
}
