/* What a live page can set, and the files that the model consists of: docs/scene.md, "settings" and
 * "files". */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/number.h"
#include "model/parameters.h"
#include "model/reader.h"
#include "model/shelf.h"
#include "out/json.h"
#include "out/page_data.h"
#include "out/plot.h"
#include "task/result.h"

enum { LONGEST_FILE = 1000000 };

/* What a parameter is, told by where it stands alone: parts of links, masses. */
typedef struct use {
    taut_node node;
    taut_quantity quantity;
} use;

static bool is_parameter(const taut_model *model, taut_node node, int index) {
    if (node == TAUT_NO_NODE) return false;
    const taut_node_data *d = taut_node_get(model->graph, node);
    return d->op == TAUT_OP_PARAM && d->index == index;
}

static taut_quantity quantity_of(const taut_model *model, int index) {
    const taut_mechanism *m = model->mechanism;
    for (int i = 0; m && i < m->links; i++) {
        const taut_link *link = &m->link[i];
        const use part[] = {{link->stiffness, TAUT_STIFFNESS},
                            {link->rest_length, TAUT_REST_LENGTH},
                            {link->damping, TAUT_DAMPING},
                            {link->mass, TAUT_MASS}};
        for (size_t k = 0; k < sizeof part / sizeof *part; k++)
            if (is_parameter(model, part[k].node, index)) return part[k].quantity;
    }
    for (int i = 0; m && i < m->particles; i++)
        if (is_parameter(model, m->particle[i].mass, index)) return TAUT_MASS;
    for (int i = 0; m && i < m->bodies; i++) {
        const taut_body *b = &m->body[i];
        if (b->has_mass && is_parameter(model, b->mass, index)) return TAUT_MASS;
        for (int e = 0; e < b->elements; e++)
            for (int c = 0; c < b->local[e].n; c++)
                if (is_parameter(model, b->local[e].c[c], index) &&
                    !m->element[b->element[e]].is_vector)
                    return TAUT_LENGTH;
    }
    return TAUT_ANY;
}

/* The SI unit of a number as it stands in the file, "400 mm": "m"; "" if it has none. */
static void unit_of_text(const char *text, char *unit, size_t size) {
    taut_unit read;
    const char *at = text + strspn(text, "+-.0123456789eE");
    at += strspn(at, " ");
    unit[0] = '\0';
    if (at == text || !*at || taut_unit_read(at, strlen(at), &read) != strlen(at)) return;
    taut_unit_name(TAUT_ANY, read.dimension, unit, size);
}

static void unit_of(const taut_model *model, const char *text, int index, char *unit, size_t size) {
    const taut_quantity quantity = index >= 0 ? quantity_of(model, index) : TAUT_ANY;
    unit_of_text(text, unit, size);
    if (!unit[0]) taut_unit_name(quantity, (taut_dimension){0}, unit, size);
}

/* Stiffnesses and dampings are turned by powers of ten. */
static bool by_powers(const taut_model *model, int index) {
    const taut_quantity quantity = index >= 0 ? quantity_of(model, index) : TAUT_ANY;
    return quantity == TAUT_STIFFNESS || quantity == TAUT_DAMPING;
}

static void put_parameters(const taut_model *model, taut_string *out) {
    bool first = true;
    taut_arena arena = {0};
    const double *number = taut_model_own_numbers(model, &arena);
    if (!number) out->failed = true;
    taut_string_add(out, "\"parameters\":[");
    for (int s = 0; s < TAUT_SETTABLE_MAPS; s++) {
        const taut_yaml *map = taut_parameter_map(model->root, s);
        for (int k = 0; map && map->kind == TAUT_YAML_MAPPING && k < map->count && number; k++) {
            const char *name = map->keys[k]->text;
            const taut_yaml *item = map->items[k];
            const bool scalar = item && item->kind == TAUT_YAML_SCALAR && item->text;
            const int index = taut_model_find_parameter(model, name);
            const double value = index >= 0 ? number[index] : (double)NAN;
            char unit[40];
            if (!isfinite(value)) continue;
            unit_of(model, scalar ? item->text : "", index, unit, sizeof unit);
            taut_string_add(out, "%s\n{\"name\":", first ? "" : ",");
            taut_json_text(out, name);
            taut_string_add(out, ",\"value\":");
            taut_json_number(out, value, 17);
            taut_string_add(out, ",\"unit\":");
            taut_json_text(out, unit);
            taut_string_add(out, ",\"powers\":%s}", by_powers(model, index) ? "true" : "false");
            first = false;
        }
    }
    taut_string_add(out, "]");
    taut_arena_release(&arena);
}

static void put_initials(const taut_model *model, taut_string *out) {
    bool first = true;
    taut_string_add(out, ",\n\"initial\":[");
    for (int i = 0; i < model->values; i++) {
        const taut_model_value *v = &model->value[i];
        char name[TAUT_NAME_MAX + 24], unit[40] = "";
        if (v->number == TAUT_NO_NODE || !isfinite(v->value) || v->order > 8 || !v->name) continue;
        taut_format(name, sizeof name, "%s%.*s%.*s", v->name, v->components > 1 ? 1 : 0,
                    &"xyz"[v->component], v -> order, "''''''''");
        if (taut_model_find_initial(model, name) != model->parameters + i) continue;
        taut_plot_unit(model, name, unit, sizeof unit);
        taut_string_add(out, "%s\n{\"name\":", first ? "" : ",");
        taut_json_text(out, name);
        taut_string_add(out, ",\"value\":");
        taut_json_number(out, v->value, 17);
        taut_string_add(out, ",\"unit\":");
        taut_json_text(out, unit);
        taut_string_add(out, ",\"fixed\":%s}", v->fixed ? "true" : "false");
        first = false;
    }
    taut_string_add(out, "]");
}

/* ---- files ---- */

/* The names by which the engine asks for a file: from the folder of the model, as a part on the
 * engine's own shelf, or both: a folder may have the shelf in it. Returns how many. */
static int names_for_engine(const char *folder, size_t length, const char *path,
                            const char *name[2], char *part, size_t size) {
    char shelf[4096];
    int count = 0;
    if (length > 0 ? strncmp(path, folder, length) == 0 : path[0] != '/')
        name[count++] = path + length;
    const size_t n = taut_shelf_find(shelf, sizeof shelf) ? strlen(shelf) : 0;
    if (n > 0 && strncmp(path, shelf, n) == 0 && path[n] == '/') {
        snprintf(part, size, "/parts%s", path + n);
        name[count++] = part;
    }
    if (count == 0) name[count++] = path;
    return count;
}

/* Files of bytes that are no text are left out: the engine will say that they are missing. */
static bool read_file(const char *path, taut_string *text) {
    char piece[4096];
    FILE *file = fopen(path, "rb");
    for (size_t got = 1; file && got > 0 && text->length <= LONGEST_FILE;) {
        got = fread(piece, 1, sizeof piece, file);
        if (memchr(piece, 0, got)) text->failed = true;
        taut_string_add(text, "%.*s", (int)got, piece);
    }
    if (file) fclose(file);
    return file && !text->failed && text->length <= LONGEST_FILE;
}

static void put_files(const taut_page *page, taut_string *out) {
    const char *slash = strrchr(page->file, '/');
    const size_t length = slash ? (size_t)(slash + 1 - page->file) : 0;
    bool first = true;
    taut_string_add(out, ",\n\"files\":[");
    const taut_doc *doc = page->model->doc;
    for (int k = 1; taut_doc_file(doc, k); k++) {
        const char *path = taut_doc_file(doc, k), *name[2];
        char part[4096];
        taut_string text = {0};
        const int names = names_for_engine(page->file, length, path, name, part, sizeof part);
        const bool is_text = read_file(path, &text);
        for (int i = 0; is_text && i < names; i++) {
            taut_string_add(out, "%s\n{\"name\":", first ? "" : ",");
            taut_json_text(out, name[i]);
            taut_string_add(out, ",\"text\":");
            taut_json_text(out, text.text ? text.text : "");
            taut_string_add(out, "}");
            first = false;
        }
        taut_string_release(&text);
    }
    taut_string_add(out, "]");
}

/* What the run has otherwise than the file: runs of the page shall have it, too. */
static void put_given(const taut_page *page, taut_string *out) {
    const taut_model *model = page->model;
    const double tend = page->result ? page->result->stats.tend : (double)NAN;
    taut_string_add(out, ",\n\"given\":{\"set\":{");
    for (int i = 0; i < model->overrides; i++) {
        taut_string_add(out, i > 0 ? "," : "");
        taut_json_text(out, model->override[i].name);
        taut_string_add(out, ":");
        taut_json_text(out, model->override[i].formula);
    }
    taut_string_add(out, "}");
    if (isfinite(tend) && !(model->has_tend && model->tend == tend)) {
        taut_string_add(out, ",\"tend\":");
        taut_json_number(out, tend, 17);
    }
    taut_string_add(out, "}");
}

void taut_settings_write(const taut_page *page, taut_string *out) {
    if (!page->live || !page->model) return;
    taut_string_add(out, ",\n\"settings\":{");
    put_parameters(page->model, out);
    put_initials(page->model, out);
    put_given(page, out);
    taut_string_add(out, "}");
    put_files(page, out);
}
