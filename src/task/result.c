/* A growing table of numbers with names. */
#include "task/result.h"

#include <math.h>
#include <string.h>

taut_status taut_result_create(int columns, taut_result **result) {
    taut_result *r = *result = taut_new(sizeof *r);
    if (!r) return TAUT_ERR_MEMORY;
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
    if (!result || !*result) return;
    taut_release((void **)&(*result)->value);
    taut_string_release(&(*result)->moves);
    taut_string_release(&(*result)->assemblies);
    taut_string_release(&(*result)->redundant);
    taut_string_release(&(*result)->switched);
    taut_string_release(&(*result)->not_unique);
    taut_notebook_release(&(*result)->notebook);
    taut_trace_release(&(*result)->trace);
    taut_knots_release(&(*result)->knots);
    taut_arena_release(&(*result)->arena);
    taut_release((void **)result);
}

double *taut_result_add_row(taut_result *r) {
    const size_t columns = (size_t)r->columns;
    if (taut_grow((void **)&r->value, &r->room, ((size_t)r->rows + 1) * columns, sizeof *r->value))
        return NULL;
    return r->value + (size_t)r->rows++ * columns;
}

static taut_status check_table(const char *const *name, int columns, const double *value, long rows,
                               taut_errors *errors) {
    bool good = columns >= 1 && rows >= 0;
    if (!name || (rows > 0 && !value))
        return taut_fail(errors, TAUT_ERR_CALL, "a table has names, and numbers if it has rows");
    for (int c = 0; c < columns; c++) good = good && name[c];
    if (good) return TAUT_OK;
    return taut_fail(errors, TAUT_ERR_CALL,
                     "a table has at least one column, all of them have names, and its number of "
                     "rows is not below 0");
}

static taut_status fill(taut_result *r, const char *const *name, const double *value, long rows) {
    for (int c = 0; c < r->columns; c++)
        if (!(r->name[c] = taut_arena_copy(&r->arena, name[c], strlen(name[c]))))
            return TAUT_ERR_MEMORY;
    const size_t numbers = (size_t)rows * (size_t)r->columns;
    if (taut_grow((void **)&r->value, &r->room, numbers, sizeof *r->value)) return TAUT_ERR_MEMORY;
    if (rows == 0) return TAUT_OK;
    memcpy(r->value, value, numbers * sizeof *value);
    r->rows = rows;
    r->stats.t0 = r->value[0];
    r->stats.tend = r->stats.reached = r->value[(rows - 1) * r->columns];
    return TAUT_OK;
}

taut_status taut_result_make(const char *const *name, int columns, const double *value, long rows,
                             taut_result **result, taut_errors *errors) {
    TAUT_NEED(result, "result", errors);
    *result = NULL;
    TAUT_TRY(check_table(name, columns, value, rows, errors));
    TAUT_TRY(taut_result_create(columns, result));
    const taut_status status = fill(*result, name, value, rows);
    if (status != TAUT_OK) taut_result_free(result);
    return status;
}

/* Are these the same but for points, as in A.x and Ax? */
static bool is_name(const char *column, const char *wanted) {
    if (strcmp(wanted, column) == 0) return true; /* joint.Fx has its point */
    for (; *wanted; wanted++) {
        if (*wanted == '.') continue;
        if (*wanted != *column++) return false;
    }
    return *column == '\0';
}

int taut_result_find(const taut_result *r, const char *name) {
    for (int c = 0; r && name && c < r->columns; c++)
        if (r->name[c] && is_name(r->name[c], name)) return c;
    return -1;
}

taut_table taut_result_table(const taut_result *r) {
    if (!r) return (taut_table){0};
    return (taut_table){.value = r->rows > 0 ? r->value : NULL,
                        .rows = r->rows,
                        .columns = r->columns,
                        .row_stride = r->columns,
                        .column_stride = 1};
}

int taut_result_columns(const taut_result *r) { return r ? r->columns : 0; }
long taut_result_rows(const taut_result *r) { return r ? r->rows : 0; }
const char *taut_result_name(const taut_result *r, int column) {
    return r && column >= 0 && column < r->columns ? r->name[column] : NULL;
}
double taut_result_value(const taut_result *r, long row, int column) {
    if (!r || row < 0 || row >= r->rows || column < 0 || column >= r->columns) return (double)NAN;
    return r->value[row * r->columns + column];
}
const taut_run_stats *taut_result_stats(const taut_result *r) { return r ? &r->stats : NULL; }
const taut_notes *taut_result_notes(const taut_result *r) { return r ? &r->notebook.notes : NULL; }

static const char *text_of(const taut_result *r, const taut_string *text) {
    return r && text->text ? text->text : "";
}
const char *taut_result_moves(const taut_result *r) { return text_of(r, r ? &r->moves : NULL); }
const char *taut_result_assemblies(const taut_result *r) {
    return text_of(r, r ? &r->assemblies : NULL);
}
const char *taut_result_redundant(const taut_result *r) {
    return text_of(r, r ? &r->redundant : NULL);
}
const char *taut_result_switches(const taut_result *r) {
    return text_of(r, r ? &r->switched : NULL);
}
const taut_certificate *taut_result_certificate(const taut_result *r) {
    return r ? r->certificate : NULL;
}
