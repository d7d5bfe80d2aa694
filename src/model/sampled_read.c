/* Reading Tables: samples from a CSV file or from the model file, checked and turned into pieces.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/lookup.h"
#include "model/reader.h"

/* A table on its way. */
typedef struct source {
    taut_symbols *symbols;
    taut_errors *errors;
    const taut_yaml *node;
    taut_arena *arena; /* of the model */
    taut_sampled *table;
    const taut_sheet *sheet; /* NULL: points */
    const taut_yaml *points;
    int column[3];
    int rows, width;  /* samples, and numbers of each */
    double *value[3]; /* [width][rows] */
    double tolerance; /* of a fit */
} source;

enum { LISTED = 6 }; /* columns that a message lists */

#define FAULT(s, place, ...) taut_fail_at((s)->errors, TAUT_ERR_INPUT, (place), __VA_ARGS__)

static taut_place row_place(const source *s, int row, int column) {
    if (s->sheet) return taut_sheet_place(s->sheet, row, s->column[column]);
    return taut_yaml_place(s->points->items[row]);
}

/* ---- samples ---- */

static taut_status make_room(source *s) {
    for (int k = 0; k < s->width; k++) {
        s->value[k] = TAUT_NEW_ARRAY(s->arena, s->rows, double);
        if (!s->value[k]) return TAUT_ERR_MEMORY;
    }
    return TAUT_OK;
}

static taut_status read_points(source *s) {
    const taut_yaml *p = s->points;
    static const char form[] = "'Points' is a list of samples, [[x, y], ...] or [[x, y, z], ...]";
    if (p->kind != TAUT_YAML_SEQUENCE || p->count == 0) return FAULT(s, taut_yaml_place(p), form);
    s->rows = p->count;
    s->width = p->items[0]->kind == TAUT_YAML_SEQUENCE ? p->items[0]->count : 0;
    if (s->width < 2 || s->width > 3) return FAULT(s, taut_yaml_place(p->items[0]), form);
    TAUT_TRY(make_room(s));
    for (int i = 0; i < s->rows; i++) {
        const taut_yaml *row = p->items[i];
        if (row->kind != TAUT_YAML_SEQUENCE || row->count != s->width)
            return FAULT(s, taut_yaml_place(row),
                         "every sample has as many numbers as the first one, %d", s->width);
        for (int k = 0; k < s->width; k++)
            TAUT_TRY(taut_number_read(s->symbols, row->items[k], TAUT_ANY, &s->value[k][i]));
    }
    return TAUT_OK;
}

/* Which columns of the file are meant. */
static taut_status find_columns(source *s, const taut_yaml *list) {
    if (!list) {
        if (s->sheet->columns < 2 || s->sheet->columns > 3)
            return FAULT(s, taut_yaml_place(s->node),
                         "the file has %d columns: name those of the table, Columns: [x, y], or "
                         "[x, y, z] of a map",
                         s->sheet->columns);
        s->width = s->sheet->columns;
        for (int k = 0; k < s->width; k++) s->column[k] = k;
        return TAUT_OK;
    }
    if (list->kind != TAUT_YAML_SEQUENCE || list->count < 2 || list->count > 3)
        return FAULT(s, taut_yaml_place(list),
                     "'Columns' names the argument and the value, [x, y]; those of a map are "
                     "[x, y, z]");
    s->width = list->count;
    for (int k = 0; k < s->width; k++) {
        const taut_yaml *name = list->items[k];
        s->column[k] = name->kind == TAUT_YAML_SCALAR ? taut_sheet_find(s->sheet, name->text) : -1;
        if (s->column[k] >= 0) continue;
        if (name->kind != TAUT_YAML_SCALAR)
            return FAULT(s, taut_yaml_place(name), "the name of a column is expected here");
        char known[200] = "";
        if (s->sheet->hidden) snprintf(known, sizeof known, "others");
        for (int i = 0; !s->sheet->hidden && i < s->sheet->columns && i <= LISTED; i++) {
            const size_t used = strlen(known);
            snprintf(known + used, sizeof known - used, "%s%.20s", i > 0 ? ", " : "",
                     i < LISTED ? s->sheet->name[i] : "...");
        }
        return FAULT(s, taut_yaml_place(name), "%s has no column '%s', but %s", s->sheet->path,
                     name->text, known);
    }
    return TAUT_OK;
}

static taut_status read_file(source *s, const taut_yaml *file) {
    if (file->kind != TAUT_YAML_SCALAR || file->is_null)
        return FAULT(s, taut_yaml_place(file), "'File' is the name of a CSV file");
    s->sheet = taut_doc_find_sheet(file->context->doc, file->text);
    if (!s->sheet)
        return FAULT(s, taut_yaml_place(file),
                     "the table '%s' has not been read: its name must stand here as it is",
                     file->text);
    TAUT_TRY(find_columns(s, taut_yaml_get(s->node, "Columns")));
    s->rows = s->sheet->rows;
    TAUT_TRY(make_room(s));
    for (int k = 0; k < s->width; k++)
        TAUT_TRY(taut_sheet_numbers(s->sheet, s->column[k], s->value[k], s->errors));
    return TAUT_OK;
}

static taut_status read_samples(source *s) {
    const taut_yaml *file = taut_yaml_get(s->node, "File"),
                    *columns = taut_yaml_get(s->node, "Columns");
    s->points = taut_yaml_get(s->node, "Points");
    if (file && s->points)
        return FAULT(s, taut_yaml_place(s->points), "a table has a 'File' or 'Points', not both");
    if (!file && !s->points)
        return FAULT(s, s->table->place, "the table '%s' needs a 'File' or 'Points'",
                     s->table->name);
    if (!file && columns)
        return FAULT(s, taut_yaml_place(columns), "'Columns' belongs to a 'File'");
    return file ? read_file(s, file) : read_points(s);
}

/* ---- how it goes on ---- */

static taut_status read_fit(source *s, const taut_yaml *node) {
    const taut_yaml *fit = taut_yaml_get(node, "fit");
    if (!fit || node->count != 1)
        return FAULT(s, taut_yaml_place(node),
                     "'Between' is linear, pchip, spline or {fit: tolerance}");
    TAUT_TRY(taut_number_read(s->symbols, fit, TAUT_ANY, &s->tolerance));
    s->table->between = TAUT_BETWEEN_FIT;
    if (s->tolerance > 0.0) return TAUT_OK;
    return FAULT(s, taut_yaml_place(fit),
                 "the tolerance of a fit is how far it may be from the samples: a number above 0");
}

static taut_status read_between(source *s, const taut_yaml *node) {
    static const char *const word[] = {"linear", "pchip", "spline"};
    if (!node) return TAUT_OK;
    if (node->kind == TAUT_YAML_MAPPING) return read_fit(s, node);
    for (int i = 0; i < 3; i++)
        if (taut_yaml_is(node, word[i])) {
            s->table->between = (taut_between)i;
            return TAUT_OK;
        }
    if (taut_yaml_is(node, "fit"))
        return FAULT(s, taut_yaml_place(node),
                     "a fit needs its tolerance, in the unit of the values: {fit: 1e-6}");
    return FAULT(s, taut_yaml_place(node),
                 "'Between' is linear, pchip, spline or {fit: tolerance}");
}

static taut_status read_outside(source *s, const taut_yaml *node) {
    static const char *const word[] = {"error", "hold", "extend", "periodic"};
    if (!node) return TAUT_OK;
    for (int i = 0; i < 4; i++)
        if (taut_yaml_is(node, word[i])) {
            s->table->outside = (taut_outside)i;
            return TAUT_OK;
        }
    return FAULT(s, taut_yaml_place(node), "'Outside' is error, hold, extend or periodic");
}

/* ---- one argument ---- */

/* The argument rises from sample to sample. */
static taut_status check_rising(const source *s) {
    for (int i = 1; i < s->rows; i++) {
        const double before = s->value[0][i - 1], now = s->value[0][i];
        if (now > before) continue;
        if (now == before)
            return FAULT(s, row_place(s, i, 0),
                         "two samples at %.10g: a table has one value for each argument; write a "
                         "jump as if(a < b, ..., ...)",
                         now);
        return FAULT(s, row_place(s, i, 0),
                     "the argument of a table rises from sample to sample, but %.10g follows "
                     "%.10g: sort them",
                     now, before);
    }
    return TAUT_OK;
}

/* What is repeated must join: the last value is the first one. */
static taut_status join_ends(const source *s, double *first, double *last, taut_place place) {
    double size = 0.0;
    for (int i = 0; i < s->rows; i++) size = fmax(size, fabs(s->value[s->width - 1][i]));
    if (fabs(*last - *first) > 1e-9 * size)
        return FAULT(s, place,
                     "a periodic table ends with the value that it begins with, but that was %.10g "
                     "and this is %.10g",
                     *first, *last);
    *last = *first;
    return TAUT_OK;
}

static taut_status make_curve(source *s) {
    taut_sampled *t = s->table;
    taut_pieces p;
    double *y = s->value[1];
    TAUT_TRY(check_rising(s));
    if (t->outside == TAUT_OUTSIDE_PERIODIC)
        TAUT_TRY(join_ends(s, &y[0], &y[s->rows - 1], row_place(s, s->rows - 1, 1)));
    const taut_samples samples = {s->value[0], y, s->rows, t->outside == TAUT_OUTSIDE_PERIODIC};
    TAUT_TRY(taut_pieces_create(&samples, t->between, s->tolerance, s->arena, &p));
    t->axes = 1;
    t->degree = p.degree;
    t->count[0] = p.count;
    t->count[1] = 1;
    t->knot[0] = p.knot;
    t->about[0] = p.about;
    t->coef = p.coef;
    return TAUT_OK;
}

/* ---- maps ---- */

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The different values of an argument, rising; knot has room for all rows. */
static int list_knots(const source *s, int axis, double *knot) {
    int count = 0;
    for (int i = 0; i < s->rows; i++) knot[i] = s->value[axis][i];
    qsort(knot, (size_t)s->rows, sizeof *knot, compare);
    for (int i = 0; i < s->rows; i++)
        if (i == 0 || knot[i] != knot[count - 1]) knot[count++] = knot[i];
    return count;
}

static int index_of(const double *knot, int count, double x) {
    int low = 0, high = count;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (x >= knot[middle])
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* z[nx * ny] from samples in any order; every pair of arguments once. */
static taut_status fill_grid(const source *s, const int n[2], double *const knot[2], double *z) {
    bool *there = TAUT_NEW_ARRAY(s->arena, (size_t)n[0] * (size_t)n[1], bool);
    if (!there) return TAUT_ERR_MEMORY;
    for (int i = 0; i < s->rows; i++) {
        const size_t at = (size_t)index_of(knot[0], n[0], s->value[0][i]) * (size_t)n[1] +
                          (size_t)index_of(knot[1], n[1], s->value[1][i]);
        if (there[at])
            return FAULT(s, row_place(s, i, 0), "two samples at %.10g, %.10g", s->value[0][i],
                         s->value[1][i]);
        there[at] = true;
        z[at] = s->value[2][i];
    }
    for (size_t at = 0; at < (size_t)n[0] * (size_t)n[1]; at++)
        if (!there[at])
            return FAULT(s, s->table->place,
                         "a map has a value for each pair of its arguments, but the table '%s' has "
                         "none at %.10g, %.10g",
                         s->table->name, knot[0][at / (size_t)n[1]], knot[1][at % (size_t)n[1]]);
    return TAUT_OK;
}

/* Slopes of splines along one argument: of z, at every point of the grid. */
static taut_status find_slopes(const source *s, const int n[2], double *const knot[2], int axis,
                               const double *z, double *slope) {
    const int count = n[axis], lines = n[1 - axis];
    const size_t step = axis == 0 ? (size_t)n[1] : 1, next = axis == 0 ? 1 : (size_t)n[1];
    double *y = TAUT_NEW_ARRAY(s->arena, 6 * (size_t)count, double), *d = y ? y + count : NULL;
    if (!y) return TAUT_ERR_MEMORY;
    const taut_samples samples = {knot[axis], y, count, s->table->outside == TAUT_OUTSIDE_PERIODIC};
    for (int line = 0; line < lines; line++) {
        for (int i = 0; i < count; i++) y[i] = z[(size_t)line * next + (size_t)i * step];
        taut_spline_slopes(&samples, d + count, d);
        for (int i = 0; i < count; i++) slope[(size_t)line * next + (size_t)i * step] = d[i];
    }
    return TAUT_OK;
}

/* c[2][2] of the cell at z, by powers of what is behind its first corner. */
static void make_plane(const double *z, int row, const double h[2], double *c) {
    c[0] = z[0];
    c[1] = (z[1] - z[0]) / h[1];
    c[2] = (z[row] - z[0]) / h[0];
    c[3] = (z[row + 1] - z[row] - z[1] + z[0]) / h[0] / h[1];
}

/* The same for cubics: values, slopes along both arguments, and the mixed derivative. */
static void make_cubic(const double *const f[4], size_t at, int row, const double h[2], double *c) {
    double along[2][2][4]; /* of value and first slope, at both ends of the first argument */
    for (int end = 0; end < 2; end++)
        for (int order = 0; order < 2; order++) {
            const size_t k = at + (size_t)end * (size_t)row;
            taut_hermite_cubic(h[1], f[order] + k, f[2 + order] + k, along[order][end]);
        }
    for (int j = 0; j < 4; j++) {
        double own[4];
        taut_hermite_cubic(h[0], (const double[]){along[0][0][j], along[0][1][j]},
                           (const double[]){along[1][0][j], along[1][1][j]}, own);
        for (int i = 0; i < 4; i++) c[4 * i + j] = own[i];
    }
}

static taut_status make_cells(source *s, const int n[2], const double *z) {
    taut_sampled *t = s->table;
    const size_t points = (size_t)n[0] * (size_t)n[1];
    const bool cubic = t->between == TAUT_BETWEEN_SPLINE;
    double *slope = TAUT_NEW_ARRAY(s->arena, cubic ? 3 * points : 0, double);
    t->degree = cubic ? 3 : 1;
    t->coef = TAUT_NEW_ARRAY(
        s->arena, (size_t)t->count[0] * (size_t)t->count[1] * (size_t)taut_sampled_coefs(t),
        double);
    if (!slope || !t->coef) return TAUT_ERR_MEMORY;
    const double *f[4] = {z, slope, slope + points, slope + 2 * points}; /* z, x, y, xy */
    if (cubic) {
        TAUT_TRY(find_slopes(s, n, t->knot, 0, z, slope));
        TAUT_TRY(find_slopes(s, n, t->knot, 1, z, slope + points));
        TAUT_TRY(find_slopes(s, n, t->knot, 1, slope, slope + 2 * points));
    }
    for (int i = 0; i < t->count[0]; i++)
        for (int j = 0; j < t->count[1]; j++) {
            const size_t at = (size_t)i * (size_t)n[1] + (size_t)j;
            const size_t cell = (size_t)i * (size_t)t->count[1] + (size_t)j;
            const double h[2] = {t->knot[0][i + 1] - t->knot[0][i],
                                 t->knot[1][j + 1] - t->knot[1][j]};
            double *c = t->coef + cell * (size_t)taut_sampled_coefs(t);
            if (cubic)
                make_cubic(f, at, n[1], h, c);
            else
                make_plane(z + at, n[1], h, c);
        }
    return TAUT_OK;
}

/* A periodic map joins along both arguments. */
static taut_status join_edges(const source *s, const int n[2], double *z) {
    for (int i = 0; i < n[0]; i++)
        TAUT_TRY(join_ends(s, &z[(size_t)i * (size_t)n[1]], &z[(size_t)(i + 1) * (size_t)n[1] - 1],
                           s->table->place));
    for (int j = 0; j < n[1]; j++)
        TAUT_TRY(join_ends(s, &z[j], &z[(size_t)(n[0] - 1) * (size_t)n[1] + (size_t)j],
                           s->table->place));
    return TAUT_OK;
}

static taut_status make_map(source *s) {
    if (!s->value[0] || !s->value[1] || !s->value[2]) return TAUT_ERR_MEMORY;
    taut_sampled *t = s->table;
    int n[2];
    if (t->between != TAUT_BETWEEN_LINEAR && t->between != TAUT_BETWEEN_SPLINE)
        return FAULT(s, taut_yaml_place(taut_yaml_get(s->node, "Between")),
                     "a table of two arguments is linear or a spline");
    t->axes = 2;
    for (int axis = 0; axis < 2; axis++) {
        t->knot[axis] = TAUT_NEW_ARRAY(s->arena, s->rows, double);
        if (!t->knot[axis]) return TAUT_ERR_MEMORY;
        n[axis] = list_knots(s, axis, t->knot[axis]);
        t->count[axis] = n[axis] - 1;
        t->about[axis] = t->knot[axis];
    }
    if (n[0] < 2 || n[1] < 2 || n[0] > s->rows / n[1] + 1)
        return FAULT(s, t->place,
                     "the samples of the map '%s' are no grid: %d values of its first argument and "
                     "%d of its second one, but %d samples",
                     t->name, n[0], n[1], s->rows);
    double *z = TAUT_NEW_ARRAY(s->arena, (size_t)n[0] * (size_t)n[1], double);
    if (!z) return TAUT_ERR_MEMORY;
    TAUT_TRY(fill_grid(s, n, t->knot, z));
    if (t->outside == TAUT_OUTSIDE_PERIODIC) TAUT_TRY(join_edges(s, n, z));
    return make_cells(s, n, z);
}

/* ---- the whole ---- */

static bool is_finite(const taut_sampled *t) {
    const size_t cells = (size_t)t->count[0] * (size_t)t->count[1];
    for (size_t i = 0; i < cells * (size_t)taut_sampled_coefs(t); i++)
        if (!isfinite(t->coef[i])) return false;
    return true;
}

taut_status taut_sampled_read(taut_symbols *symbols, taut_model *m, int number) {
    taut_model_table *x = &m->table[number];
    source s = {.symbols = symbols,
                .errors = taut_symbols_errors(symbols),
                .node = x->node,
                .arena = &m->arena,
                .table = &x->table};
    TAUT_TRY(read_between(&s, taut_yaml_get(x->node, "Between")));
    TAUT_TRY(read_outside(&s, taut_yaml_get(x->node, "Outside")));
    TAUT_TRY(read_samples(&s));
    if (s.rows < 2)
        return FAULT(&s, x->table.place, "the table '%s' needs two samples at least",
                     x->table.name);
    TAUT_TRY(s.width == 2 ? make_curve(&s) : make_map(&s));
    if (is_finite(&x->table)) return TAUT_OK;
    return FAULT(&s, x->table.place,
                 "the samples of the table '%s' are too close together for their values",
                 x->table.name);
}

taut_status taut_read_tables(taut_reader *r) {
    taut_model *m = r->model;
    const taut_yaml *node = taut_yaml_get(m->root, "Tables");
    if (!node || (node->kind == TAUT_YAML_SCALAR && node->is_null)) return TAUT_OK;
    if (!taut_reader_expect(r, node, TAUT_YAML_MAPPING, "'Tables' (name: {File or Points, ...})"))
        return TAUT_OK;
    m->table = TAUT_NEW_ARRAY(&m->arena, node->count, taut_model_table);
    if (!m->table) return TAUT_ERR_MEMORY;
    for (int i = 0; i < node->count; i++) {
        const taut_yaml *key = node->keys[i], *entry = node->items[i];
        taut_model_table *x = &m->table[m->tables];
        char what[TAUT_NAME_MAX + 60];
        snprintf(what, sizeof what, "the table '%.*s' ({File: ...} or {Points: ...})",
                 TAUT_NAME_MAX, key->text);
        const bool good = taut_reader_expect(r, entry, TAUT_YAML_MAPPING, what) &&
                          taut_reader_check_keys(r, entry, TAUT_SECTION_TABLE);
        *x = (taut_model_table){.node = entry,
                                .state = good ? TAUT_TABLE_UNREAD : TAUT_TABLE_BROKEN};
        x->table.name = key->text;
        x->table.place = taut_reader_place(r, key);
        TAUT_NOTE(r, taut_symbols_add_table(r->symbols, key->text, m->tables++, x->table.place));
    }
    return TAUT_OK;
}

taut_status taut_load_tables(taut_reader *r) {
    char why[300] = "";
    for (int i = 0; i < r->model->tables; i++)
        if (taut_lookup_arity(r->symbols, i, why, sizeof why) < 0) r->faulty = true;
    return taut_graph_failed(r->model->graph) ? TAUT_ERR_MEMORY : TAUT_OK;
}
