/* Which columns of a table are written. */
#include "task/selection.h"

#include <fnmatch.h>
#include <string.h>

/* Adds a column that is not there yet. */
static void add(taut_result *r, int column) {
    for (int k = 0; k < r->shown_count; k++)
        if (r->shown[k] == column) return;
    r->shown[r->shown_count++] = column;
}

static bool is_plain(const char *pattern) { return strpbrk(pattern, "*?[") == NULL; }

static taut_status refuse(const taut_result *r, const char *pattern, taut_errors *errors) {
    taut_nearest near = {.wanted = pattern};
    for (int c = 0; is_plain(pattern) && c < r->columns; c++) taut_nearest_offer(&near, r->name[c]);
    if (near.best)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "options.columns: there is no column '%s'; did you mean '%s'?", pattern,
                         near.best);
    return taut_fail(errors, TAUT_ERR_CALL, "options.columns: no column %s '%s'",
                     is_plain(pattern) ? "is called" : "fits", pattern);
}

/* One name or pattern. */
static taut_status select_one(taut_result *r, const char *pattern, taut_errors *errors) {
    if (is_plain(pattern)) {
        const int column = taut_result_find(r, pattern);
        if (column < 0) return refuse(r, pattern, errors);
        add(r, column);
        return TAUT_OK;
    }
    bool any = false;
    for (int c = 0; c < r->columns; c++) {
        if (fnmatch(pattern, r->name[c], FNM_NOESCAPE) != 0) continue;
        any = true;
        add(r, c);
    }
    return any ? TAUT_OK : refuse(r, pattern, errors);
}

taut_status taut_selection_make(taut_result *r, const char *patterns, taut_errors *errors) {
    char *copy = taut_arena_copy(&r->arena, patterns, strlen(patterns));
    r->shown = TAUT_NEW_ARRAY(&r->arena, r->columns, int);
    if (!copy || !r->shown) return TAUT_ERR_MEMORY;
    r->shown_count = 0;
    add(r, 0);
    for (char *at = copy, *next; at; at = next) {
        next = strchr(at, ',');
        if (next) *next++ = '\0';
        at += strspn(at, " ");
        at[strcspn(at, " ")] = '\0';
        if (!*at)
            return taut_fail(errors, TAUT_ERR_CALL,
                             "options.columns: a name is missing between two commas");
        TAUT_TRY(select_one(r, at, errors));
    }
    return TAUT_OK;
}

int taut_selection_count(const taut_result *r) { return r->shown ? r->shown_count : r->columns; }
int taut_selection_column(const taut_result *r, int k) { return r->shown ? r->shown[k] : k; }
