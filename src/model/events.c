/* Reading Events and Discrete: what happens when a function passes zero. */
#include <stdio.h>
#include <string.h>

#include "expr/pattern.h"
#include "model/parts.h"
#include "model/reader.h"

taut_status taut_events_list(taut_reader *r) {
    const taut_yaml *events = taut_yaml_get(r->model->root, "Events");
    for (int i = 0; events && events->kind == TAUT_YAML_MAPPING && i < events->count; i++) {
        const taut_yaml *actions = taut_yaml_get(events->items[i], "Do");
        for (int k = 0; actions && actions->kind == TAUT_YAML_MAPPING && k < actions->count; k++)
            TAUT_TRY(taut_roster_put(&r->by_event, &r->model->arena, actions->keys[k]->text, i));
    }
    return TAUT_OK;
}

static taut_status fail(taut_reader *r, const taut_yaml *node, const char *message) {
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node), "%s", message);
}

/* ---- When ---- */

/* The comparison in a condition, outside of parentheses: where it begins, and how long it is; 0:
 * there is none. */
static int find_comparison(const char *text, int *at) {
    int depth = 0;
    for (int i = 0; text[i]; i++) {
        if (text[i] == '(' || text[i] == '[') depth++;
        if (text[i] == ')' || text[i] == ']') depth--;
        if (depth != 0 || (text[i] != '<' && text[i] != '>' && text[i] != '=' && text[i] != '!'))
            continue;
        *at = i;
        return text[i + 1] == '=' ? 2 : 1;
    }
    return 0;
}

/* Is one of the words there that join conditions, outside of parentheses? */
static bool has_logic(const char *text) {
    static const char *const word[] = {"and", "or", "not"};
    int depth = 0;
    for (const char *p = text; *p;) {
        size_t n = 0;
        while ((p[n] >= 'a' && p[n] <= 'z') || (p[n] >= 'A' && p[n] <= 'Z') || p[n] == '_' ||
               (n > 0 && p[n] >= '0' && p[n] <= '9'))
            n++;
        for (int i = 0; i < 3; i++)
            if (depth == 0 && n == strlen(word[i]) && strncmp(p, word[i], n) == 0) return true;
        depth += *p == '(' || *p == '[';
        depth -= *p == ')' || *p == ']';
        p += n > 0 ? n : 1;
    }
    return false;
}

/* Makes places in a part of a scalar those of the file, if its text stands there as it is. */
static void move_start(taut_yaml *part, const taut_yaml *whole, int from) {
    const int quote = whole->style == TAUT_YAML_PLAIN ? 0 : 1;
    const char *source = whole->context->doc->text + whole->start + quote;
    if (whole->made || whole->end - whole->start - 2 * quote != whole->length ||
        memcmp(source, whole->text, (size_t)whole->length) != 0)
        return;
    part->style = TAUT_YAML_PLAIN;
    part->start = whole->start + quote + from;
    part->end = part->start + part->length;
    part->column += quote;
    for (int i = 0; i < from; i++) part->column += ((unsigned char)source[i] & 0xC0) != 0x80;
}

/* One side of a comparison: the bytes [from, to) of its text. */
static taut_status read_side(taut_reader *r, const taut_yaml *when, int from, int to,
                             taut_node *node) {
    taut_vec value;
    const char *text = taut_arena_copy(&r->model->arena, when->text + from, (size_t)(to - from));
    taut_yaml *side = TAUT_NEW(&r->model->arena, taut_yaml);
    if (!text || !side) return TAUT_ERR_MEMORY;
    if ((int)strspn(text, " ") == to - from)
        return fail(r, when, "one side of the comparison is missing: write it as count >= 60");
    *side = *when;
    side->text = text;
    side->length = to - from;
    move_start(side, when, from);
    TAUT_TRY(taut_formula_read(r->symbols, side, 1, &value));
    *node = value.c[0];
    return TAUT_OK;
}

static taut_status read_comparison(taut_reader *r, const taut_yaml *when, int at, int length,
                                   taut_model_event *e) {
    taut_node left = TAUT_NO_NODE, right = TAUT_NO_NODE;
    const char *op = when->text + at;
    int more;
    if (op[0] == '=' || op[0] == '!')
        return fail(r, when,
                    "'=' and '!=' are no conditions of an event: a formula that is zero "
                    "there is one by itself, x - 1, and so is x >= 1");
    if (find_comparison(op + length, &more) > 0)
        return fail(r, when,
                    "a comparison has two sides: join two of them by 'and', a < b and b < c");
    TAUT_TRY(read_side(r, when, 0, at, &left));
    TAUT_TRY(read_side(r, when, at + length, when->length, &right));
    e->condition = length == 2 ? TAUT_WHEN_REACHED : TAUT_WHEN_PASSED;
    e->way = 1;
    e->when = op[0] == '>' ? taut_sub(r->model->graph, left, right)
                           : taut_sub(r->model->graph, right, left);
    return TAUT_OK;
}

/* Comparisons joined by and, or, not: each is a boundary with a mode, and the event is where what
 * these come to, 1 or 0, becomes 1. */
static taut_status read_logic(taut_reader *r, const taut_yaml *when, taut_model_event *e) {
    taut_graph *g = r->model->graph;
    taut_vec value;
    TAUT_TRY(taut_formula_read(r->symbols, when, 1, &value));
    e->condition = TAUT_WHEN_PASSED;
    e->way = 1;
    e->when = taut_sub(g, value.c[0], taut_number(g, 0.5));
    if (taut_node_get(g, e->when)->held) return TAUT_OK;
    return fail(r, when,
                "this condition is made of parameters alone, so it never becomes true or false");
}

taut_status taut_read_when(taut_reader *r, const taut_yaml *entry, const taut_yaml *when,
                           taut_model_event *e) {
    taut_vec value;
    int at = 0;
    if (!when) {
        taut_reader_missing(r, entry, "When", ": a formula whose zero counts, or a comparison");
        return TAUT_OK;
    }
    if (!taut_reader_expect(r, when, TAUT_YAML_SCALAR, "'When' (a formula, or a comparison)"))
        return TAUT_OK;
    const int length = find_comparison(when->text, &at);
    if (has_logic(when->text) || (length == 0 && taut_infix_is_condition(when->text)))
        return read_logic(r, when, e);
    if (length > 0) return read_comparison(r, when, at, length, e);
    TAUT_TRY(taut_formula_read(r->symbols, when, 1, &value));
    e->when = value.c[0];
    if (!taut_node_get(r->model->graph, e->when)->steady) return TAUT_OK;
    return fail(r, when,
                "this formula does not change in time, so it never becomes zero; a "
                "condition on Discrete variables is a comparison: count >= 3");
}

static taut_status read_direction(taut_reader *r, const taut_yaml *node, taut_model_event *e) {
    if (!node) return TAUT_OK;
    if (e->condition != TAUT_WHEN_ZERO)
        return fail(r, node, "a comparison has no 'Direction': the event is where it becomes true");
    if (taut_yaml_is(node, "up"))
        e->way = 1;
    else if (taut_yaml_is(node, "down"))
        e->way = -1;
    else if (!taut_yaml_is(node, "both"))
        return fail(r, node, "'Direction' is up, down or both");
    return TAUT_OK;
}

/* ---- Do ---- */

/* What an action assigns, by the meaning of its name without primes. */
static taut_status find_state(taut_reader *r, const taut_yaml *key, taut_node node,
                              taut_model_action *a) {
    const taut_model *m = r->model;
    const taut_node_data *d = taut_node_get(m->graph, node);
    char message[3 * TAUT_NAME_MAX + 160];
    const bool position = d->op == TAUT_OP_VAR ? d->index < m->coordinates : true;
    a->target = node;
    if (d->op != TAUT_OP_VAR && d->op != TAUT_OP_LEAF) {
        snprintf(message, sizeof message,
                 "'%.*s' is a formula: 'Do' assigns Discrete variables, Inputs, parameters and "
                 "velocities",
                 TAUT_NAME_MAX, key->text);
        return fail(r, key, message);
    }
    if (m->kind != TAUT_MODEL_DAE && position && a->order == 0) {
        snprintf(message, sizeof message,
                 "'%.*s' is a position: positions do not jump; assign its velocity, \"%.*s'\"",
                 TAUT_NAME_MAX, key->text, TAUT_NAME_MAX, key->text);
        return fail(r, key, message);
    }
    if (a->order > 1 && m->kind != TAUT_MODEL_DAE)
        return fail(r, key, "accelerations follow from forces: 'Do' assigns velocities, not them");
    return TAUT_OK;
}

static taut_status find_target(taut_reader *r, const taut_yaml *key, taut_model_action *a) {
    char name[2 * TAUT_NAME_MAX];
    taut_vec value;
    size_t n = strlen(key->text);
    for (; n > 0 && key->text[n - 1] == '\''; n--) a->order++;
    snprintf(name, sizeof name, "%.*s", (int)(n < sizeof name ? n : sizeof name - 1), key->text);
    if (n > 2 && n < sizeof name && name[n - 2] == '.') {
        name[n - 2] = name[n - 1];
        name[n - 1] = '\0';
    }
    if (!taut_symbols_find(r->symbols, name, &value)) {
        const char *near = taut_symbols_nearest(r->symbols, name);
        if (near && strcmp(near, name) == 0) return TAUT_ERR_INPUT; /* its own fault is reported */
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, key),
                            "unknown name '%s'%s%s%s", name, near ? "; did you mean '" : "",
                            near ? near : "", near ? "'?" : "");
    }
    if (value.n != 1) return fail(r, key, "this is a vector: assign its components, one by one");
    const taut_node_data *d = taut_node_get(r->model->graph, value.c[0]);
    a->parameter = d->op == TAUT_OP_PARAM ? d->index : -1;
    if (a->parameter < 0) return find_state(r, key, value.c[0], a);
    if (a->order > 0) return fail(r, key, "a number that changes at events only has no derivative");
    return TAUT_OK;
}

taut_status taut_read_action(taut_reader *r, const taut_yaml *key, const taut_yaml *formula) {
    taut_model *m = r->model;
    taut_vec value;
    taut_model_action a = {.name = key->text, .place = taut_reader_place(r, key)};
    TAUT_TRY(find_target(r, key, &a));
    TAUT_TRY(taut_formula_read(r->symbols, formula, 1, &value));
    a.value = value.c[0];
    if (taut_grow((void **)&m->action, &m->action_room, (size_t)m->actions + 1, sizeof *m->action))
        return TAUT_ERR_MEMORY;
    m->action[m->actions++] = a;
    return TAUT_OK;
}

static taut_status read_actions(taut_reader *r, const taut_yaml *node, taut_model_event *e) {
    e->first = r->model->actions;
    if (!node || (node->kind == TAUT_YAML_SCALAR && node->is_null)) return TAUT_OK;
    if (!taut_reader_expect(r, node, TAUT_YAML_MAPPING, "'Do' (name: formula)")) return TAUT_OK;
    for (int i = 0; i < node->count; i++)
        TAUT_NOTE(r, taut_read_action(r, node->keys[i], node->items[i]));
    e->actions = r->model->actions - e->first;
    return TAUT_OK;
}

/* ---- the section ---- */

static taut_status read_event(taut_reader *r, const taut_yaml *key, const taut_yaml *entry) {
    taut_model *m = r->model;
    taut_model_event e = {.name = key->text, .record = true, .place = taut_reader_place(r, key)};
    char what[TAUT_NAME_MAX + 60];
    snprintf(what, sizeof what, "the event '%.*s' ({When: ..., Do: ...})", TAUT_NAME_MAX,
             key->text);
    TAUT_NOTE(r, taut_symbols_add_name(r->symbols, key->text, "an event", e.place));
    if (!taut_reader_expect(r, entry, TAUT_YAML_MAPPING, what)) return TAUT_OK;
    if (!taut_reader_check_keys(r, entry, TAUT_SECTION_EVENT)) return TAUT_OK;
    TAUT_NOTE(r, taut_read_when(r, entry, taut_yaml_get(entry, "When"), &e));
    TAUT_NOTE(r, read_direction(r, taut_yaml_get(entry, "Direction"), &e));
    TAUT_NOTE(r, taut_part_flag(r, entry, "Stop", " (the run ends there)", &e.stop));
    TAUT_NOTE(r, taut_part_flag(r, entry, "Once", " (the first time only)", &e.once));
    TAUT_NOTE(r, taut_part_flag(r, entry, "Record", " (it is listed)", &e.record));
    TAUT_TRY(read_actions(r, taut_yaml_get(entry, "Do"), &e));
    if (taut_grow((void **)&m->event, &m->event_room, (size_t)m->events + 1, sizeof *m->event))
        return TAUT_ERR_MEMORY;
    m->event[m->events++] = e;
    return TAUT_OK;
}

taut_status taut_read_events(taut_reader *r) {
    const taut_yaml *node = taut_yaml_get(r->model->root, "Events");
    if (!node || (node->kind == TAUT_YAML_SCALAR && node->is_null)) return TAUT_OK;
    if (!taut_reader_expect(r, node, TAUT_YAML_MAPPING, "'Events' (name: {When, Do, ...})"))
        return TAUT_OK;
    for (int i = 0; i < node->count; i++)
        TAUT_NOTE(r, read_event(r, node->keys[i], node->items[i]));
    return TAUT_OK;
}

/* ---- Discrete ---- */

taut_status taut_read_discretes(taut_reader *r) {
    taut_model *m = r->model;
    const taut_yaml *node = taut_yaml_get(m->root, "Discrete");
    if (!node || node->kind != TAUT_YAML_MAPPING) return TAUT_OK; /* reported, or empty */
    m->discrete = TAUT_NEW_ARRAY(&m->arena, node->count, taut_model_formula);
    if (!m->discrete) return TAUT_ERR_MEMORY;
    for (int i = 0; i < node->count; i++) {
        taut_vec value;
        const taut_place place = taut_reader_place(r, node->keys[i]);
        if (!taut_symbols_find(r->symbols, node->keys[i]->text, &value)) continue;
        TAUT_NOTE(r, taut_reader_check_column(r, node->keys[i]->text, place));
        m->discrete[m->discretes++] = (taut_model_formula){node->keys[i]->text, value.c[0], place};
    }
    return TAUT_OK;
}
