/* Reading Controllers: what is sampled at equal distances in time, with states of its own and
 * outputs that are held between samples. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/parts.h"
#include "model/reader.h"

static const double MOST_PARTS = 1e9;
enum { MOST_DIGITS = 9 };

static const taut_yaml *section_of(const taut_yaml *root) {
    const taut_yaml *node = taut_yaml_get(root, "Controllers");
    return node && node->kind == TAUT_YAML_MAPPING ? node : NULL;
}

taut_status taut_controllers_list(taut_reader *r) {
    const taut_yaml *section = section_of(r->model->root);
    for (int i = 0; section && i < section->count; i++) {
        const taut_yaml *out = taut_yaml_get(section->items[i], "Out");
        for (int k = 0; out && out->kind == TAUT_YAML_MAPPING && k < out->count; k++)
            TAUT_TRY(taut_roster_put(&r->by_controller, &r->model->arena, out->keys[k]->text, i));
    }
    return TAUT_OK;
}

bool taut_reader_assigns(const taut_reader *r, const char *name) {
    return taut_roster_get(&r->by_event, name) >= 0 ||
           taut_roster_get(&r->by_controller, name) >= 0;
}

/* ---- the period ---- */

/* The period as a quotient of integers: k*3/1000 is rounded once, k*0.003 twice. */
static void find_ratio(taut_model_controller *c) {
    const double rate = round(1.0 / c->every);
    c->whole = c->every;
    c->parts = 1.0;
    double parts = 1.0;
    for (int digits = 0; digits <= MOST_DIGITS; digits++) {
        if (digits > 0) parts *= 10.0;
        const double whole = round(c->every * parts);
        if (whole < 1.0 || whole > MOST_PARTS || whole / parts != c->every) continue;
        c->whole = whole;
        c->parts = parts;
        return;
    }
    if (rate < 1.0 || rate > MOST_PARTS || 1.0 / rate != c->every) return;
    c->whole = 1.0;
    c->parts = rate;
}

static taut_status read_period(taut_reader *r, const taut_yaml *entry, taut_model_controller *c) {
    const taut_yaml *every = taut_yaml_get(entry, "Every"),
                    *offset = taut_yaml_get(entry, "Offset");
    if (!every) {
        taut_reader_missing(r, entry, "Every", ": the period of its samples, 1 ms");
        return TAUT_OK;
    }
    TAUT_TRY(taut_number_read(r->symbols, every, TAUT_TIME, &c->every));
    if (!(c->every > 0.0) || !isfinite(c->every))
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, every),
                            "'Every' is the period of the samples and must be positive, not %.10g",
                            c->every);
    find_ratio(c);
    if (!offset) return TAUT_OK;
    TAUT_TRY(taut_number_read(r->symbols, offset, TAUT_TIME, &c->offset));
    if (c->offset >= 0.0 && isfinite(c->offset)) return TAUT_OK;
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, offset),
                        "'Offset' is how long after t0 the first sample is, so it cannot be %.10g",
                        c->offset);
}

/* ---- Next and Out ---- */

static taut_status check_state(taut_reader *r, const taut_yaml *key, const taut_yaml *entry,
                               const taut_model_controller *c) {
    const taut_yaml *states = taut_yaml_get(entry, "States");
    if (states && states->kind == TAUT_YAML_MAPPING && taut_yaml_get(states, key->text))
        return TAUT_OK;
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, key),
                        "'%.*s' is not one of the 'States' of the controller '%.*s': 'Next' says "
                        "what these are after a sample",
                        TAUT_NAME_MAX, key->text, TAUT_NAME_MAX, c->name);
}

/* Who else gives values to an input: "the controller 'a'"; "": nobody, and from now on the one with
 * this number does. */
static taut_status find_writer(taut_reader *r, const char *name, int number,
                               char text[TAUT_NAME_MAX + 40]) {
    const taut_model *m = r->model;
    const int other = taut_roster_get(&r->writer, name),
              event = taut_roster_get(&r->by_event, name);
    text[0] = '\0';
    if (other < 0) TAUT_TRY(taut_roster_put(&r->writer, &r->model->arena, name, number));
    if (other >= 0)
        snprintf(text, TAUT_NAME_MAX + 40, "the controller '%.*s'", TAUT_NAME_MAX,
                 section_of(m->root)->keys[other]->text);
    if (event >= 0)
        snprintf(text, TAUT_NAME_MAX + 40, "the event '%.*s'", TAUT_NAME_MAX,
                 taut_yaml_get(m->root, "Events")->keys[event]->text);
    for (int i = 0; i < m->inputs; i++)
        if (strcmp(m->input[i].name, name) == 0)
            snprintf(text, TAUT_NAME_MAX + 40, "the formula that was given for it");
    return TAUT_OK;
}

static taut_status check_output(taut_reader *r, const taut_yaml *key, int number,
                                const taut_model_controller *c) {
    char other[TAUT_NAME_MAX + 40];
    const taut_place place = taut_reader_place(r, key);
    if (!taut_yaml_get(taut_yaml_get(r->model->root, "Inputs"), key->text))
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, place,
                            "'%.*s' is not one of 'Inputs': a controller gives values to these",
                            TAUT_NAME_MAX, key->text);
    TAUT_TRY(find_writer(r, key->text, number, other));
    if (!other[0]) return TAUT_OK;
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, place,
                        "the input '%.*s' has two writers: the controller '%.*s' and %s",
                        TAUT_NAME_MAX, key->text, TAUT_NAME_MAX, c->name, other);
}

/* Out of the controller with this number, or, with -1, Next. */
static taut_status read_actions(taut_reader *r, const taut_yaml *entry, int number,
                                taut_model_controller *c) {
    const bool outputs = number >= 0;
    const taut_yaml *node = taut_yaml_get(entry, outputs ? "Out" : "Next");
    if (!node || (node->kind == TAUT_YAML_SCALAR && node->is_null)) return TAUT_OK;
    if (!taut_reader_expect(r, node, TAUT_YAML_MAPPING,
                            outputs ? "'Out' (input: formula)" : "'Next' (state: formula)"))
        return TAUT_OK;
    for (int i = 0; i < node->count; i++) {
        const taut_yaml *key = node->keys[i];
        taut_status status =
            outputs ? check_output(r, key, number, c) : check_state(r, key, entry, c);
        if (status == TAUT_OK) status = taut_read_action(r, key, node->items[i]);
        TAUT_NOTE(r, status);
    }
    return TAUT_OK;
}

/* ---- the section ---- */

static taut_status read_controller(taut_reader *r, int number, const taut_yaml *key,
                                   const taut_yaml *entry) {
    taut_model *m = r->model;
    taut_model_controller c = {
        .name = key->text, .first = m->actions, .place = taut_reader_place(r, key)};
    char what[TAUT_NAME_MAX + 60];
    snprintf(what, sizeof what, "the controller '%.*s' ({Every: ..., Out: ...})", TAUT_NAME_MAX,
             key->text);
    TAUT_NOTE(r, taut_symbols_add_name(r->symbols, key->text, "a controller", c.place));
    if (!taut_reader_expect(r, entry, TAUT_YAML_MAPPING, what)) return TAUT_OK;
    if (!taut_reader_check_keys(r, entry, TAUT_SECTION_CONTROLLER)) return TAUT_OK;
    TAUT_NOTE(r, read_period(r, entry, &c));
    TAUT_TRY(read_actions(r, entry, -1, &c));
    TAUT_TRY(read_actions(r, entry, number, &c));
    c.actions = m->actions - c.first;
    if (!taut_yaml_get(entry, "Next") && !taut_yaml_get(entry, "Out"))
        TAUT_NOTE(r, taut_fail_at(r->errors, TAUT_ERR_INPUT, c.place,
                                  "the controller '%.*s' does nothing: give it 'Out' or 'Next'",
                                  TAUT_NAME_MAX, c.name));
    m->controller[m->controllers++] = c;
    return TAUT_OK;
}

taut_status taut_read_controllers(taut_reader *r) {
    taut_model *m = r->model;
    const taut_yaml *node = taut_yaml_get(m->root, "Controllers");
    if (!node || (node->kind == TAUT_YAML_SCALAR && node->is_null)) return TAUT_OK;
    if (!taut_reader_expect(r, node, TAUT_YAML_MAPPING, "'Controllers' (name: {Every, Out, ...})"))
        return TAUT_OK;
    m->controller = TAUT_NEW_ARRAY(&m->arena, node->count, taut_model_controller);
    if (!m->controller) return TAUT_ERR_MEMORY;
    for (int i = 0; i < node->count; i++)
        TAUT_NOTE(r, read_controller(r, i, node->keys[i], node->items[i]));
    return TAUT_OK;
}

/* ---- inputs that change ---- */

static bool changes(const taut_reader *r, const char *name) {
    for (int i = 0; i < r->model->inputs; i++)
        if (strcmp(r->model->input[i].name, name) == 0) return true;
    return taut_reader_assigns(r, name);
}

taut_status taut_read_changing(taut_reader *r) {
    taut_model *m = r->model;
    const taut_yaml *node = taut_yaml_get(m->root, "Inputs");
    if (!node || node->kind != TAUT_YAML_MAPPING) return TAUT_OK; /* reported, or empty */
    m->changing = TAUT_NEW_ARRAY(&m->arena, node->count, taut_model_formula);
    if (!m->changing) return TAUT_ERR_MEMORY;
    for (int i = 0; i < node->count; i++) {
        taut_vec value;
        const char *name = node->keys[i]->text;
        const taut_place place = taut_reader_place(r, node->keys[i]);
        if (!changes(r, name) || !taut_symbols_find(r->symbols, name, &value) || value.n != 1)
            continue;
        TAUT_NOTE(r, taut_reader_check_column(r, name, place));
        m->changing[m->changings++] = (taut_model_formula){name, value.c[0], place};
    }
    return TAUT_OK;
}
