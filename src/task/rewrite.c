/* A model's file with other numbers in it: the text stays as it is, but for the scalars that the
 * names stand for. */
#include <stdio.h>
#include <string.h>

#include "core/number.h"
#include "core/text.h"
#include "task/bounded.h"

/* One replacement of bytes of the text. */
typedef struct patch {
    int start, end;
    char text[40];
} patch;

/* "Ax" under positions: an entry Ax, or a component of a list A. */
static const taut_yaml *find_value(const taut_yaml *map, const char *name, size_t length) {
    char text[200];
    if (length >= sizeof text) return NULL;
    snprintf(text, sizeof text, "%.*s", (int)length, name);
    const taut_yaml *node = taut_yaml_get(map, text);
    if (node || length < 2) return node;
    const char axis = text[length - 1];
    text[length - 1] = '\0';
    if (length > 2 && text[length - 2] == '.') text[length - 2] = '\0';
    const int component = axis - 'x';
    node = taut_yaml_get(map, text);
    return node && node->kind == TAUT_YAML_SEQUENCE && component >= 0 && component < node->count
               ? node->items[component]
               : NULL;
}

/* The scalar that gives a parameter, an input or an initial value; NULL: there is none. */
static const taut_yaml *find_scalar(const taut_model *m, const char *name) {
    static const char *const SECTION[] = {"PhysicalParams", "Inputs"};
    const taut_yaml *problem = taut_yaml_get(m->root, "ProblemData"), *node = NULL;
    for (int i = 0; i < 2 && !node; i++)
        node = taut_yaml_get(taut_yaml_get(m->root, SECTION[i]), name);
    const size_t length = strcspn(name, "'");
    static const char *const VALUES[] = {"positions", "values", "momenta"};
    for (int i = 0; i < 3 && !node && name[length] == '\0'; i++)
        node = find_value(taut_yaml_get(problem, VALUES[i]), name, length);
    if (!node && strcmp(name + length, "'") == 0)
        node = find_value(taut_yaml_get(problem, "velocities"), name, length);
    return node && node->kind == TAUT_YAML_SCALAR && !node->made ? node : NULL;
}

static int by_place(const patch *list, int count, int after) {
    int best = -1;
    for (int i = 0; i < count; i++)
        if (list[i].start >= after && (best < 0 || list[i].start < list[best].start)) best = i;
    return best;
}

static taut_status find_patches(const taut_model *m, const char *const *name, const double *value,
                                int count, patch *list, taut_errors *errors) {
    for (int k = 0; k < count; k++) {
        const taut_yaml *node = find_scalar(m, name[k]);
        if (!node || node->context->doc != m->doc)
            return taut_fail(errors, TAUT_ERR_CALL,
                             "the file has no number of its own for %s, in whose place another "
                             "one could stand",
                             name[k]);
        list[k].start = node->start;
        list[k].end = node->end;
        for (int digits = 15; digits <= 17; digits++) {
            taut_format(list[k].text, sizeof list[k].text, "%.*g", digits, value[k]);
            if (taut_number_parse(list[k].text, NULL) == value[k]) break;
        }
    }
    return TAUT_OK;
}

taut_status taut_model_rewrite(const taut_model *m, const char *const *name, const double *value,
                               int count, char **text, taut_errors *errors) {
    taut_string out = {0};
    taut_arena arena = {0};
    patch *list = TAUT_NEW_ARRAY(&arena, count + 1, patch);
    *text = NULL;
    taut_status status = list ? find_patches(m, name, value, count, list, errors) : TAUT_ERR_MEMORY;
    int at = 0;
    for (int i; status == TAUT_OK && (i = by_place(list, count, at)) >= 0; at = list[i].end)
        taut_string_add(&out, "%.*s%s", list[i].start - at, m->doc->text + at, list[i].text);
    if (status == TAUT_OK) taut_string_add(&out, "%s", m->doc->text + at);
    taut_arena_release(&arena);
    if (status == TAUT_OK && out.failed) status = TAUT_ERR_MEMORY;
    if (status != TAUT_OK) {
        taut_string_release(&out);
        return status;
    }
    *text = out.text;
    return TAUT_OK;
}
