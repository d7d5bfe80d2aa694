/* The one namespace of a model: which names there are, and where they come from. */
#include "model/symbols_parts.h"

#include <stdio.h>
#include <string.h>

#include "core/hash.h"
#include "core/text.h"

taut_status taut_symbols_create(taut_model *model, taut_errors *errors, taut_symbols **symbols) {
    size_t room = 0;
    *symbols = NULL;
    if (taut_grow((void **)symbols, &room, 1, sizeof **symbols)) return TAUT_ERR_MEMORY;
    **symbols = (taut_symbols){.model = model, .errors = errors};
    return TAUT_OK;
}

void taut_symbols_free(taut_symbols **symbols) {
    if (!*symbols) return;
    taut_release((void **)&(*symbols)->item);
    taut_release((void **)&(*symbols)->table);
    taut_release((void **)symbols);
}

/* ---- the table ---- */

taut_symbol *taut_symbols_lookup(const taut_symbols *s, const char *name) {
    if (s->size == 0) return NULL;
    for (size_t i = taut_hash_text(name) & (s->size - 1); s->table[i]; i = (i + 1) & (s->size - 1))
        if (strcmp(s->item[s->table[i] - 1].name, name) == 0) return &s->item[s->table[i] - 1];
    return NULL;
}

static bool grow_table(taut_symbols *s) {
    uint32_t *table = NULL;
    size_t room = 0;
    if (taut_grow((void **)&table, &room, s->size ? 2 * s->size : 64, sizeof *table)) return false;
    memset(table, 0, room * sizeof *table);
    for (size_t k = 0; k < s->count; k++) {
        size_t i = taut_hash_text(s->item[k].name) & (room - 1);
        while (table[i]) i = (i + 1) & (room - 1);
        table[i] = (uint32_t)k + 1;
    }
    taut_release((void **)&s->table);
    s->table = table;
    s->size = room;
    return true;
}

/* Adds a name that is not taken. */
static taut_status enter(taut_symbols *s, taut_symbol new) {
    const taut_symbol *old = taut_symbols_lookup(s, new.name);
    if (old && old->place.path && new.place.path &&strcmp(old->place.path, new.place.path) != 0)
        return taut_fail_at(s->errors, TAUT_ERR_INPUT, new.place,
                            "the name '%s' is taken already, in %s on line %d", new.name,
                            old->place.path, old->place.line);
    if (old && old->place.line > 0)
        return taut_fail_at(s->errors, TAUT_ERR_INPUT, new.place,
                            "the name '%s' is taken already, on line %d", new.name,
                            old->place.line);
    if (old)
        return taut_fail_at(s->errors, TAUT_ERR_INPUT, new.place, "the name '%s' is taken already",
                            new.name);
    if (2 * (s->count + 1) > s->size && !grow_table(s)) return TAUT_ERR_MEMORY;
    if (taut_grow((void **)&s->item, &s->room, s->count + 1, sizeof *s->item))
        return TAUT_ERR_MEMORY;
    size_t i = taut_hash_text(new.name) & (s->size - 1);
    while (s->table[i]) i = (i + 1) & (s->size - 1);
    s->item[s->count++] = new;
    s->table[i] = (uint32_t)s->count;
    return TAUT_OK;
}

/* The same for a name that formulas can use. */
static taut_status add(taut_symbols *s, taut_symbol new) {
    if (new.name[0] && strspn(new.name, "0123456789") == strlen(new.name)) /* {g: 9,81} */
        return taut_fail_at(s->errors, TAUT_ERR_INPUT, new.place,
                            "'%s' cannot be a name; if it is a part of a number, write that with a "
                            "decimal point, not with a comma",
                            new.name);
    if (!taut_infix_is_name(new.name))
        return taut_fail_at(s->errors, TAUT_ERR_INPUT, new.place,
                            "'%s' cannot be a name: use letters, digits and _, a letter first, "
                            "fewer than %d characters",
                            new.name, TAUT_NAME_MAX);
    if (taut_infix_is_reserved(new.name))
        return taut_fail_at(s->errors, TAUT_ERR_INPUT, new.place,
                            "'%s' has a meaning in formulas already; choose another name",
                            new.name);
    return enter(s, new);
}

taut_status taut_symbols_add(taut_symbols *s, const char *name, taut_vec value, taut_place place) {
    return add(
        s, (taut_symbol){.name = name, .state = TAUT_SYMBOL_READY, .value = value, .place = place});
}

taut_status taut_symbols_add_load(taut_symbols *s, const char *name, taut_node node,
                                  taut_quantity quantity, taut_place place) {
    return enter(s, (taut_symbol){.name = name,
                                  .state = TAUT_SYMBOL_READY,
                                  .value = taut_vec_scalar(node),
                                  .quantity = quantity,
                                  .place = place});
}

taut_status taut_symbols_add_formula(taut_symbols *s, const char *name, bool parameter,
                                     taut_source source, taut_place place) {
    taut_symbol new = {.name = name, .parameter = parameter, .source = source, .place = place};
    if (parameter) new.index = s->model->parameters;
    TAUT_TRY(add(s, new));
    if (parameter) s->model->parameters++;
    return TAUT_OK;
}

taut_status taut_symbols_add_name(taut_symbols *s, const char *name, const char *what,
                                  taut_place place) {
    return enter(
        s, (taut_symbol){.name = name, .state = TAUT_SYMBOL_NAME, .what = what, .place = place});
}

taut_status taut_symbols_add_table(taut_symbols *s, const char *name, int number,
                                   taut_place place) {
    return add(s, (taut_symbol){
                      .name = name, .state = TAUT_SYMBOL_TABLE, .index = number, .place = place});
}

taut_model *taut_symbols_model(const taut_symbols *s) { return s->model; }
bool taut_symbols_in_parameter(const taut_symbols *s) { return s->in_parameter; }
taut_place taut_symbols_here(const taut_symbols *s) { return s->place; }
taut_errors *taut_symbols_errors(const taut_symbols *s) { return s->errors; }

bool taut_symbols_use(taut_symbols *s, const char *name) {
    taut_symbol *x = taut_symbols_lookup(s, name);
    if (!x || !x->parameter || x->used) return false;
    x->used = true;
    return true;
}

bool taut_symbols_place(const taut_symbols *s, const char *name, taut_place *place) {
    const taut_symbol *x = taut_symbols_lookup(s, name);
    if (x) *place = x->place;
    return x != NULL;
}

taut_status taut_symbols_add_element(taut_symbols *s, const char *name, int element, int dimension,
                                     taut_place place) {
    taut_symbol new = {.name = name,
                       .state = TAUT_SYMBOL_ELEMENT,
                       .index = element,
                       .component = -1,
                       .place = place};
    TAUT_TRY(add(s, new));
    for (int i = 0; i < dimension; i++) {
        taut_place old;
        new.name = taut_arena_concat(&s->model->arena, name, (char[]){"xyz"[i], '\0'}, "");
        new.component = i;
        if (!new.name) return TAUT_ERR_MEMORY;
        if (taut_symbols_place(s, new.name, &old))
            return taut_fail_at(s->errors, TAUT_ERR_INPUT, place,
                                "a component of %s has the name '%s', which is taken already, on "
                                "line %d: rename one of them",
                                name, new.name, old.line);
        TAUT_TRY(add(s, new));
    }
    return TAUT_OK;
}

bool taut_symbols_element(const taut_symbols *s, const char *name, int *element) {
    const taut_symbol *x = taut_symbols_lookup(s, name);
    if (!x || x->state != TAUT_SYMBOL_ELEMENT || x->component >= 0) return false;
    *element = x->index;
    return true;
}

void taut_symbols_set_quantity(taut_symbols *s, const char *name, taut_quantity quantity) {
    taut_symbol *x = taut_symbols_lookup(s, name);
    if (x) x->quantity = quantity;
}

taut_quantity taut_symbols_quantity(const taut_symbols *s, const char *name) {
    const taut_symbol *x = taut_symbols_lookup(s, name);
    if (!x) return TAUT_ANY;
    if (x->state != TAUT_SYMBOL_ELEMENT) return x->quantity;
    return s->model->mechanism->element[x->index].is_vector ? TAUT_ANGLE : TAUT_LENGTH;
}

void taut_symbols_set_scope(taut_symbols *s, taut_symbols_scope scope) { s->scope = scope; }

void taut_symbols_set_doubt(taut_symbols *s, taut_doubt *doubt, void *user) {
    s->doubt = doubt;
    s->doubt_user = user;
}

void taut_symbols_report_to(taut_symbols *s, taut_errors *errors) { s->errors = errors; }

void taut_symbols_finish(taut_symbols *s) {
    s->errors = NULL;
    s->finished = true;
}

const char *taut_symbols_nearest(taut_symbols *s, const char *name) {
    taut_nearest nearest = {.wanted = name};
    if (!s->finished && (!s->errors || s->errors->count == TAUT_ERRORS_MAX))
        return NULL;                                           /* nobody would see it */
    if (s->count > 10000 || s->offered > 1000000) return NULL; /* of very many, none is meant */
    s->offered += s->count;
    for (size_t i = 0; i < s->count; i++) taut_nearest_offer(&nearest, s->item[i].name);
    return nearest.best;
}

void taut_symbols_set_local(taut_symbols *s, const char *const *name, const taut_node *node,
                            int count) {
    s->locals = count;
    for (int i = 0; i < count; i++) {
        s->local[i] = name[i];
        s->local_node[i] = node[i];
    }
}
