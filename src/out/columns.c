/* Which column is what, and the numbers as text: see docs/scene.md. */
#include "out/columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "out/base64.h"
#include "out/json.h"
#include "out/plot.h"

static taut_page_column *new_column(taut_columns *c) {
    if (taut_grow((void **)&c->column, &c->room, (size_t)c->columns + 1, sizeof *c->column))
        return NULL;
    taut_page_column *x = &c->column[c->columns++];
    *x = (taut_page_column){.kind = "other", .stride = 1};
    return x;
}

double taut_columns_value(const taut_columns *c, int column, long row) {
    return c->column[column].value[row * c->column[column].stride];
}

taut_status taut_columns_add(taut_columns *c, const char *name, const char *kind, const char *unit,
                             double **value) {
    taut_page_column *x = new_column(c);
    *value = TAUT_NEW_ARRAY(c->arena, c->rows, double);
    if (!x || !*value) return TAUT_ERR_MEMORY;
    x->name = taut_arena_copy(c->arena, name, strlen(name));
    x->kind = kind;
    x->value = *value;
    if (unit) strncpy(x->unit, unit, sizeof x->unit - 1);
    return x->name ? TAUT_OK : TAUT_ERR_MEMORY;
}

/* ---- what the columns of a result are ---- */

/* Kind and unit of a column of the result. Only columns of a mechanism have units. */
static void tell(const taut_columns *c, const taut_column_role *role, taut_page_column *x) {
    static const struct {
        const char *kind[3]; /* value, first derivative, higher ones */
        const char *unit;    /* of the value; NULL: see taut_plot_unit */
    } what[] = {[TAUT_COLUMN_SCALAR] = {{"scalar", "scalar", "scalar"}, NULL},
                [TAUT_COLUMN_POINT] = {{"position", "velocity", "acceleration"}, "m"},
                [TAUT_COLUMN_VECTOR] = {{"vector", "vector", "vector"}, "1"},
                [TAUT_COLUMN_ANGLE] = {{"angle", "angle", "angle"}, "rad"},
                [TAUT_COLUMN_OUTPUT] = {{"other", "other", "other"}, NULL},
                [TAUT_COLUMN_FORCE] = {{"force", "force", "force"}, NULL},
                [TAUT_COLUMN_ENERGY] = {{"energy", "energy", "energy"}, NULL},
                [TAUT_COLUMN_REACTION] = {{"reaction", "reaction", "reaction"}, NULL}};
    const char *unit = what[role->kind].unit;
    x->kind = what[role->kind].kind[role->order < 2 ? role->order : 2];
    if (!unit)
        taut_plot_unit(c->model, x->name, x->unit, sizeof x->unit);
    else if (role->order == 0)
        snprintf(x->unit, sizeof x->unit, "%s", strcmp(unit, "1") == 0 ? "" : unit);
    else if (role->order == 1)
        snprintf(x->unit, sizeof x->unit, "%s/s", unit);
    else
        snprintf(x->unit, sizeof x->unit, "%s/s^%d", unit, role->order);
}

/* Columns of the points and vectors. A moving element may have a component that stays: it gets a
 * column, too. */
static taut_status find_elements(taut_columns *c, const taut_mechanism *m) {
    const double *fixed = c->result->description.fixed;
    taut_describe_columns(m, fixed, c->result->name, c->result->columns, c->of);
    for (int e = 0; e < m->elements; e++) {
        bool moves = false;
        for (int i = 0; i < m->dimension; i++) moves = moves || c->of[e][i] >= 0;
        for (int i = 0; i < m->dimension && moves; i++) {
            double *value;
            if (c->of[e][i] >= 0) continue;
            c->of[e][i] = c->columns;
            TAUT_TRY(taut_columns_add(c, m->element[e].name, "hidden", NULL, &value));
            for (long r = 0; r < c->rows; r++) value[r] = fixed[3 * e + i];
        }
    }
    return TAUT_OK;
}

/* ---- the ledger ---- */

static int find_column(const taut_columns *c, const char *name) {
    for (int k = 0; k < c->columns; k++)
        if (strcmp(c->column[k].kind, "energy") == 0 && strcmp(c->column[k].name, name) == 0)
            return k;
    return -1;
}

/* The sum that should stay, and how far it does not. */
static taut_status add_ledger(taut_columns *c) {
    double *value, largest = 0.0;
    c->energy = find_column(c, "energy");
    c->kinetic = find_column(c, "kinetic");
    c->potential = find_column(c, "potential");
    c->work = find_column(c, "work");
    c->total = c->energy;
    if (c->energy < 0 || c->kinetic < 0 || c->rows == 0) return TAUT_OK;
    if (c->work >= 0) {
        c->total = c->columns;
        TAUT_TRY(taut_columns_add(c, "energy - work", "energy", "J", &value));
        for (long r = 0; r < c->rows; r++)
            value[r] = taut_columns_value(c, c->energy, r) - taut_columns_value(c, c->work, r);
    }
    for (long r = 0; r < c->rows; r++)
        largest = fmax(largest, fabs(taut_columns_value(c, c->kinetic, r)));
    if (!(largest > 0.0) || !isfinite(largest)) return TAUT_OK;
    c->drift = c->columns;
    TAUT_TRY(taut_columns_add(c, "energy drift", "energy", NULL, &value));
    const double first = taut_columns_value(c, c->total, 0);
    for (long r = 0; r < c->rows; r++)
        value[r] = (taut_columns_value(c, c->total, r) - first) / largest;
    return TAUT_OK;
}

taut_status taut_columns_create(taut_columns *c, const taut_model *model, const taut_result *result,
                                taut_arena *arena) {
    const taut_mechanism *m = model ? model->mechanism : NULL;
    *c = (taut_columns){.arena = arena, .model = model, .result = result};
    c->kinetic = c->potential = c->work = c->energy = c->total = c->drift = -1;
    if (!result) return TAUT_OK;
    c->rows = result->rows;
    for (int k = 0; k < result->columns; k++) {
        taut_page_column *x = new_column(c);
        if (!x) return TAUT_ERR_MEMORY;
        x->name = result->name[k];
        x->value = result->value + k;
        x->stride = result->columns;
        tell(c, &result->role[k], x);
        if (result->role[k].kind == TAUT_COLUMN_REACTION) c->reactions++;
    }
    if (c->columns > 0) c->column[0].kind = "time";
    if (m) {
        c->of = taut_arena_array(arena, (size_t)m->elements, sizeof *c->of);
        if (!c->of) return TAUT_ERR_MEMORY;
        TAUT_TRY(find_elements(c, m));
    }
    return add_ledger(c);
}

void taut_columns_release(taut_columns *c) { taut_release((void **)&c->column); }

/* ---- numbers as text ---- */

/* The first finite value: what is left needs few digits. */
static double base_of(const taut_columns *c, int column) {
    for (long r = 0; r < c->rows; r++)
        if (isfinite(taut_columns_value(c, column, r))) return taut_columns_value(c, column, r);
    return 0.0;
}

void taut_columns_floats(taut_string *out, const double *value, size_t count) {
    taut_base64 e = {.out = out};
    for (size_t i = 0; i < count; i++) taut_base64_float(&e, value[i]);
    taut_base64_finish(&e);
}

void taut_columns_write(const taut_columns *c, taut_string *out) {
    taut_base64 e = {.out = out};
    taut_string_add(out, ",\n\"columns\":[");
    for (int k = 0; k < c->columns; k++) {
        taut_string_add(out, "%s\n{\"name\":", k ? "," : "");
        taut_json_text(out, c->column[k].name);
        taut_string_add(out, ",\"unit\":\"%s\",\"kind\":\"%s\",\"base\":", c->column[k].unit,
                        c->column[k].kind);
        taut_json_number(out, base_of(c, k), 17);
        taut_string_add(out, "}");
    }
    taut_string_add(out, "],\n\"rows\":%ld,\n\"data\":\"", c->rows);
    for (int k = 0; k < c->columns; k++) {
        const double base = base_of(c, k);
        for (long r = 0; r < c->rows; r++)
            taut_base64_float(&e, taut_columns_value(c, k, r) - base);
    }
    taut_base64_finish(&e);
    taut_string_add(out, "\"");
}
