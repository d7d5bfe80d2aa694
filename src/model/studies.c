/* The section `Study`. Bounds become numbers here; formulas of results stay texts, because results
 * are not known before there are equations (task/goals reads them). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/reader.h"

enum { MOST_STARTS = 10000, MOST_PARTS = 10000 };

static taut_status refuse(taut_reader *r, const taut_yaml *node, const char *why) {
    r->faulty = true;
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node), "%s", why);
}

static taut_status read_number(taut_reader *r, const taut_yaml *node, double *number) {
    return taut_aside_read(r->symbols, node, TAUT_ANY, number);
}

static taut_status read_count(taut_reader *r, const taut_yaml *node, int most, int *count) {
    double number = 0.0;
    char why[100];
    if (!node) return TAUT_OK;
    TAUT_TRY(read_number(r, node, &number));
    snprintf(why, sizeof why, "a whole number from 1 to %d is expected here", most);
    if (!(number >= 1.0 && number <= (double)most) || number != floor(number))
        return refuse(r, node, why);
    *count = (int)number;
    return TAUT_OK;
}

/* One of some words. */
static taut_status read_word(taut_reader *r, const taut_yaml *node, const char *const *known,
                             const char *why, const char **word) {
    if (!node) return TAUT_OK;
    for (int k = 0; known[k]; k++)
        if (taut_yaml_is(node, known[k])) {
            *word = known[k];
            return TAUT_OK;
        }
    return refuse(r, node, why);
}

/* ---- variables ---- */

static taut_status read_variable(taut_reader *r, const taut_yaml *key, const taut_yaml *list) {
    taut_model_study *s = &r->model->study;
    taut_model_variable_bounds *v = &s->variable[s->variables];
    const bool two = list->kind == TAUT_YAML_SEQUENCE && list->count == 2;
    const bool three = list->kind == TAUT_YAML_SEQUENCE && list->count == 3;
    if ((!two && !three) || (three && !taut_yaml_is(list->items[2], "log")))
        return refuse(r, list, "bounds are expected: [low, high], or [low, high, log]");
    *v = (taut_model_variable_bounds){
        .name = key->text, .log = three, .place = taut_reader_place(r, key)};
    TAUT_TRY(read_number(r, list->items[0], &v->low));
    TAUT_TRY(read_number(r, list->items[1], &v->high));
    if (!(v->low < v->high))
        return refuse(r, list, "the lower bound stands first, and the upper one is above it");
    if (v->log && !(v->low > 0.0))
        return refuse(r, list, "on a logarithmic scale both bounds are above 0");
    s->variables++;
    return TAUT_OK;
}

static taut_status read_variables(taut_reader *r, const taut_yaml *node) {
    if (!node || !taut_reader_expect(r, node, TAUT_YAML_MAPPING, "'Variables'")) return TAUT_OK;
    r->model->study.variable =
        TAUT_NEW_ARRAY(&r->model->arena, node->count + 1, taut_model_variable_bounds);
    if (!r->model->study.variable) return TAUT_ERR_MEMORY;
    for (int i = 0; i < node->count; i++)
        TAUT_NOTE(r, read_variable(r, node->keys[i], node->items[i]));
    return TAUT_OK;
}

/* ---- goals ---- */

static taut_status read_goals(taut_reader *r, const taut_yaml *section) {
    taut_model_study *s = &r->model->study;
    const taut_yaml *least = taut_yaml_get(section, "Minimize"),
                    *most = taut_yaml_get(section, "Maximize"),
                    *limits = taut_yaml_get(section, "SubjectTo");
    if (least && most) refuse(r, most, "'Minimize' is there as well: one of the two");
    s->maximize = most != NULL;
    if (most) least = most;
    if (least && taut_reader_expect(r, least, TAUT_YAML_SCALAR, "this formula"))
        s->goal = (taut_goal){"objective", least->text, taut_reader_place(r, least)};
    if (!limits || !taut_reader_expect(r, limits, TAUT_YAML_MAPPING, "'SubjectTo'")) return TAUT_OK;
    s->limit = TAUT_NEW_ARRAY(&r->model->arena, limits->count + 1, taut_goal);
    if (!s->limit) return TAUT_ERR_MEMORY;
    for (int i = 0; i < limits->count; i++)
        if (taut_reader_expect(r, limits->items[i], TAUT_YAML_SCALAR, "a formula with <= or >="))
            s->limit[s->limits++] = (taut_goal){limits->keys[i]->text, limits->items[i]->text,
                                                taut_reader_place(r, limits->items[i])};
    return TAUT_OK;
}

/* ---- measurements ---- */

/* A map from names to numbers. */
static taut_status read_values(taut_reader *r, const taut_yaml *node, const char *what,
                               const char ***name, double **value, int *count) {
    if (!node || !taut_reader_expect(r, node, TAUT_YAML_MAPPING, what)) return TAUT_OK;
    *name = TAUT_NEW_ARRAY(&r->model->arena, node->count + 1, const char *);
    *value = TAUT_NEW_ARRAY(&r->model->arena, node->count + 1, double);
    if (!*name || !*value) return TAUT_ERR_MEMORY;
    for (int i = 0; i < node->count; i++) {
        (*name)[*count] = node->keys[i]->text;
        TAUT_NOTE(r, read_number(r, node->items[i], &(*value)[*count]));
        (*count)++;
    }
    return TAUT_OK;
}

static taut_status read_names(taut_reader *r, const taut_yaml *node, const char *what,
                              const char ***name, int *count) {
    if (!node ||
        (node->kind == TAUT_YAML_SCALAR && !taut_reader_expect(r, node, TAUT_YAML_SEQUENCE, what)))
        return TAUT_OK;
    *name = TAUT_NEW_ARRAY(&r->model->arena, node->count + 1, const char *);
    if (!*name) return TAUT_ERR_MEMORY;
    for (int i = 0; i < node->count; i++) {
        const taut_yaml *at = node->kind == TAUT_YAML_MAPPING ? node->keys[i] : node->items[i];
        if (taut_reader_expect(r, at, TAUT_YAML_SCALAR, "a name in this list"))
            (*name)[(*count)++] = at->text;
    }
    return TAUT_OK;
}

/* A path from the model's own folder. */
static const char *join_path(taut_model *m, const char *file) {
    char path[2048];
    const char *slash = m->doc && m->doc->has_path ? strrchr(m->doc->path, '/') : NULL;
    if (!slash || file[0] == '/') return file;
    snprintf(path, sizeof path, "%.*s%s", (int)(slash - m->doc->path + 1), m->doc->path, file);
    return taut_arena_copy(&m->arena, path, strlen(path));
}

static taut_status read_experiment(taut_reader *r, const taut_yaml *key, const taut_yaml *entry) {
    taut_model_study *s = &r->model->study;
    taut_model_experiment *e = &s->experiment[s->experiments];
    if (!taut_reader_expect(r, entry, TAUT_YAML_MAPPING, "an experiment")) return TAUT_OK;
    if (!taut_reader_check_keys(r, entry, TAUT_SECTION_EXPERIMENT)) return TAUT_OK;
    const taut_yaml *data = taut_yaml_get(entry, "Data");
    *e = (taut_model_experiment){.name = key->text, .place = taut_reader_place(r, key)};
    if (!data) {
        taut_reader_missing(r, entry, "Data", "a CSV file with a column t");
        return TAUT_OK;
    }
    if (!taut_reader_expect(r, data, TAUT_YAML_SCALAR, "'Data'")) return TAUT_OK;
    if (!(e->data = join_path(r->model, data->text))) return TAUT_ERR_MEMORY;
    TAUT_TRY(read_values(r, taut_yaml_get(entry, "Set"), "'Set'", &e->set, &e->value, &e->sets));
    s->experiments++;
    return TAUT_OK;
}

static taut_status read_measured(taut_reader *r, const taut_yaml *section) {
    static const char *const LOSS[] = {"squares", "huber", "cauchy", NULL};
    taut_model_study *s = &r->model->study;
    const taut_yaml *all = taut_yaml_get(section, "Experiments"),
                    *weights = taut_yaml_get(section, "Weights");
    if (all && taut_reader_expect(r, all, TAUT_YAML_MAPPING, "'Experiments'")) {
        s->experiment = TAUT_NEW_ARRAY(&r->model->arena, all->count + 1, taut_model_experiment);
        if (!s->experiment) return TAUT_ERR_MEMORY;
        for (int i = 0; i < all->count; i++)
            TAUT_NOTE(r, read_experiment(r, all->keys[i], all->items[i]));
    }
    TAUT_TRY(read_values(r, weights, "'Weights'", &s->weighted, &s->weight, &s->weights));
    for (int i = 0; i < s->weights; i++)
        if (!(s->weight[i] > 0.0))
            refuse(r, weights->items[i], "a standard deviation above 0 is expected here");
    TAUT_TRY(read_names(r, taut_yaml_get(section, "Biases"), "'Biases'", &s->bias, &s->biases));
    TAUT_TRY(read_names(r, taut_yaml_get(section, "States"), "'States'", &s->state, &s->states));
    TAUT_NOTE(r, read_word(r, taut_yaml_get(section, "Loss"), LOSS,
                           "a loss is one of squares, huber and cauchy", &s->loss));
    TAUT_NOTE(r, read_count(r, taut_yaml_get(section, "Shooting"), MOST_PARTS, &s->shooting));
    return TAUT_OK;
}

taut_status taut_read_study(taut_reader *r) {
    static const char *const METHOD[] = {"auto", "gradient", "search", NULL};
    const taut_yaml *section = taut_yaml_get(r->model->root, "Study");
    if (!section || !taut_reader_expect(r, section, TAUT_YAML_MAPPING, "'Study'")) return TAUT_OK;
    if (!taut_reader_check_keys(r, section, TAUT_SECTION_STUDY)) return TAUT_OK;
    TAUT_TRY(read_variables(r, taut_yaml_get(section, "Variables")));
    TAUT_TRY(read_goals(r, section));
    TAUT_NOTE(
        r, read_count(r, taut_yaml_get(section, "Starts"), MOST_STARTS, &r->model->study.starts));
    TAUT_NOTE(r,
              read_word(r, taut_yaml_get(section, "Method"), METHOD,
                        "a method is one of auto, gradient and search", &r->model->study.method));
    return read_measured(r, section);
}
