/* A growing table of numbers with names. */
#include "task/result.h"

#include <string.h>

taut_status taut_result_create(int columns, taut_result **result) {
    size_t room = 0;
    *result = NULL;
    if (taut_grow((void **)result, &room, 1, sizeof **result)) return TAUT_ERR_MEMORY;
    taut_result *r = *result;
    memset(r, 0, sizeof *r);
    r->columns = columns;
    r->name = TAUT_NEW_ARRAY(&r->arena, columns, const char *);
    r->role = TAUT_NEW_ARRAY(&r->arena, columns, taut_column_role);
    if (r->name && r->role) return TAUT_OK;
    taut_result_free(result);
    return TAUT_ERR_MEMORY;
}

taut_status taut_result_label(taut_result *r, const taut_observer *observer) {
    taut_observer_kinds(observer, r->role);
    return taut_observer_names(observer, &r->arena, r->name);
}

void taut_result_free(taut_result **result) {
    if (!*result) return;
    taut_release((void **)&(*result)->value);
    taut_string_release(&(*result)->moves);
    taut_string_release(&(*result)->assemblies);
    taut_string_release(&(*result)->redundant);
    taut_string_release(&(*result)->switched);
    taut_string_release(&(*result)->not_unique);
    taut_trace_release(&(*result)->trace);
    taut_arena_release(&(*result)->arena);
    taut_release((void **)result);
}

double *taut_result_add_row(taut_result *r) {
    const size_t columns = (size_t)r->columns;
    if (taut_grow((void **)&r->value, &r->room, ((size_t)r->rows + 1) * columns, sizeof *r->value))
        return NULL;
    return r->value + (size_t)r->rows++ * columns;
}

int taut_result_columns(const taut_result *r) { return r->columns; }
long taut_result_rows(const taut_result *r) { return r->rows; }
const char *taut_result_name(const taut_result *r, int column) { return r->name[column]; }
double taut_result_value(const taut_result *r, long row, int column) {
    return r->value[row * r->columns + column];
}
const taut_run_stats *taut_result_stats(const taut_result *r) { return &r->stats; }
const char *taut_result_moves(const taut_result *r) { return r->moves.text ? r->moves.text : ""; }
const char *taut_result_assemblies(const taut_result *r) {
    return r->assemblies.text ? r->assemblies.text : "";
}
const char *taut_result_switches(const taut_result *r) {
    return r->switched.text ? r->switched.text : "";
}

const char *taut_result_redundant(const taut_result *r) {
    return r->redundant.text ? r->redundant.text : "";
}
const taut_certificate *taut_result_certificate(const taut_result *r) { return r->certificate; }
