/* J, its elimination and solutions by loops over tables: for models whose straight lines would be
 * too long. The operations are the same, in the same order, and no step costs more than another. */
#include <math.h>
#include <string.h>

#include "export/pen.h"
#include "export/write_jacobian.h"

/* Values that J is made of: 1 and 0, coefficients of series, then what is computed from these. */
enum { ONE, ZERO, FIRST };

/* A term of a sum: factor times two values. */
typedef struct loop_term {
    int factor, a, b;
} loop_term;

typedef struct loops {
    taut_pen *pen;
    int *input; /* [slots] number of the value that is order 0 of a series; -1: none */
    int values;
    double *factor;
    int factors;
    size_t factor_room;
    loop_term *term;
    int terms;
    size_t term_room;
    int *row; /* first term of each sum */
    int rows;
    size_t row_room;
    bool failed;
} loops;

/* ---- values ---- */

/* The number of a value: order 0 of a slot. */
static int value_of(loops *l, int slot) {
    if (taut_jacobian_is_local(l->pen->code, slot)) return l->pen->local[slot];
    return l->input[slot];
}

static int factor_of(loops *l, double value) {
    for (int i = 0; i < l->factors; i++)
        if (l->factor[i] == value) return i;
    if (taut_grow((void **)&l->factor, &l->factor_room, (size_t)l->factors + 1,
                  sizeof *l->factor)) {
        l->failed = true;
        return 0;
    }
    l->factor[l->factors] = value;
    return l->factors++;
}

/* A number of the program, as far as it cannot be changed. */
static bool is_number(const taut_code *c, double value, int origin, double *number) {
    *number = value;
    if (!origin) return true;
    *number = taut_numbers_row(c->tape->numbers, origin).value;
    return !c->number_open[origin];
}

/* Can a slot be one of the sums? */
static bool is_sum(const taut_code *c, int slot) {
    const taut_tape *t = c->tape;
    const taut_instr *x = &t->instr[slot];
    double number;
    if (x->kernel != TAUT_KERNEL_SUM || !is_number(c, t->constant[slot], t->origin[slot], &number))
        return false;
    for (int k = x->first; k < x->first + x->count; k++)
        if (t->term[k].p > 0 || !is_number(c, t->term[k].coef, t->term[k].origin, &number))
            return false;
    return true;
}

/* What the Jacobian computes, in the order of the tape. */
static bool is_computed(const taut_code *c, int slot) {
    return (c->use[slot] & TAUT_USE_JACOBIAN) && taut_jacobian_is_local(c, slot);
}

static void need(loops *l, int slot) {
    if (slot < 0 || taut_jacobian_is_local(l->pen->code, slot) || l->input[slot] >= 0) return;
    l->input[slot] = l->values++;
}

/* Which values there are. */
static taut_status number_values(loops *l, taut_arena *work) {
    const taut_code *c = l->pen->code;
    const taut_tape *t = c->tape;
    l->input = TAUT_NEW_ARRAY(work, t->size + 1, int);
    l->pen->local = TAUT_NEW_ARRAY(work, t->size + 1, int);
    if (!l->input || !l->pen->local) return TAUT_ERR_MEMORY;
    memset(l->input, 0xff, (size_t)t->size * sizeof *l->input); /* -1 */
    l->values = FIRST;
    for (int slot = 0; slot < t->size; slot++) {
        const taut_instr *x = &t->instr[slot];
        if (!is_computed(c, slot) || !is_sum(c, slot)) continue;
        for (int k = x->first; k < x->first + x->count; k++) {
            need(l, t->term[k].slot);
            need(l, t->term[k].other);
        }
    }
    for (int k = 0; k < c->pivots.entries; k++)
        if (c->pivots.entry[k].from >= 0) need(l, c->entry[c->pivots.entry[k].from]);
    for (int slot = 0; slot < t->size; slot++)
        if (is_computed(c, slot)) l->pen->local[slot] = l->values++;
    l->pen->values = l->values;
    return TAUT_OK;
}

static void add_term(loops *l, double factor, int a, int b) {
    if (taut_grow((void **)&l->term, &l->term_room, (size_t)l->terms + 1, sizeof *l->term)) {
        l->failed = true;
        return;
    }
    l->term[l->terms++] = (loop_term){factor_of(l, factor), a, b};
}

static void add_sum(loops *l, int slot) {
    const taut_code *c = l->pen->code;
    const taut_instr *x = &c->tape->instr[slot];
    double number;
    if (taut_grow((void **)&l->row, &l->row_room, (size_t)l->rows + 2, sizeof *l->row)) {
        l->failed = true;
        return;
    }
    l->row[l->rows++] = l->terms;
    is_number(c, c->tape->constant[slot], c->tape->origin[slot], &number);
    if (number != 0.0) add_term(l, number, ONE, ONE);
    for (int k = x->first; k < x->first + x->count; k++) {
        const taut_tape_term *e = &c->tape->term[k];
        is_number(c, e->coef, e->origin, &number);
        add_term(l, number, value_of(l, e->slot), e->other >= 0 ? value_of(l, e->other) : ONE);
    }
    l->row[l->rows] = l->terms;
}

/* ---- tables ---- */

typedef int number_fn(const void *of, int i);

static void put_shorts(taut_pen *p, const char *name, int count, number_fn *number,
                       const void *of) {
    taut_pen_add(p, "static const short %s[%d] = {", name, count > 0 ? count : 1);
    for (int i = 0; i < count; i++) {
        taut_pen_add(p, "%d%s", number(of, i), i + 1 < count ? "," : "");
        taut_pen_wrap(p, 0);
    }
    taut_pen_add(p, count > 0 ? "};\n" : "0};\n");
}

static int listed(const void *of, int i) { return ((const int *)of)[i]; }
static int term_part(const void *of, int i) {
    const loop_term *t = &((const loop_term *)of)[i / 3];
    return i % 3 == 0 ? t->factor : i % 3 == 1 ? t->a : t->b;
}
static int input_home(const void *of, int i) {
    const loops *l = of;
    int slot = 0;
    while (l->input[slot] != FIRST + i) slot++;
    return l->pen->code->home[slot];
}
static int entry_value(const void *of, int k) {
    loops *l = (loops *)(uintptr_t)of;
    const taut_code *c = l->pen->code;
    const int from = c->pivots.entry[k].from;
    return from < 0 ? ZERO : value_of(l, c->entry[from]);
}
static int entry_at(const void *of, int i) {
    const int at = ((const taut_pivots *)of)->at[i];
    return at < 0 ? 0 : at;
}

static void put_reals(taut_pen *p, const char *name, const double *value, int count) {
    taut_pen_add(p, "static const real %s[%d] = {", name, count > 0 ? count : 1);
    for (int i = 0; i < count; i++) {
        taut_pen_number(p, value[i]);
        taut_pen_add(p, i + 1 < count ? ", " : "");
        taut_pen_wrap(p, 4);
    }
    taut_pen_add(p, count > 0 ? "};\n" : "0};\n");
}

/* ---- J ---- */

static const char SUMS[] =
    "\n/* So many sums, from number `first` on, become the values from `to` on. */\n"
    "static void sums(work *w, int first, int count, int to) {\n"
    "    int r;\n"
    "    int k;\n"
    "    for (r = 0; r < count; r++) {\n"
    "        real sum = (real)0;\n"
    "        for (k = SUM_AT[first + r]; k < SUM_AT[first + r + 1]; k++) {\n"
    "            const short *t = &TERM[3 * k];\n"
    "            sum += FACTOR[t[0]] * w->j[t[1]] * w->j[t[2]];\n"
    "        }\n"
    "        w->j[to + r] = sum;\n"
    "    }\n"
    "}\n";

/* Runs of sums, and lines for what is none. */
static void put_runs(loops *l) {
    const taut_code *c = l->pen->code;
    int row = 0, first = 0, count = 0, to = 0;
    for (int slot = 0; slot <= c->tape->size; slot++) {
        const bool end = slot == c->tape->size;
        if (!end && !is_computed(c, slot)) continue;
        const bool sum = !end && is_sum(c, slot);
        if (sum && count++ == 0) {
            first = row;
            to = l->pen->local[slot];
        }
        row += sum;
        if (sum) continue;
        if (count > 0) taut_pen_add(l->pen, "    sums(w, %d, %d, %d);\n", first, count, to);
        count = 0;
        if (!end) taut_write_local(l->pen, slot);
    }
}

static void put_jacobian(loops *l) {
    taut_pen *p = l->pen;
    const taut_code *c = p->code;
    int inputs = 0;
    for (int slot = 0; slot < c->tape->size; slot++) inputs += l->input[slot] >= 0;
    taut_pen_add(p,
                 "\n/* ---- the Jacobian ----\n *\n * Values are sums of products of earlier ones; "
                 "the first ones are 1, 0 and series.\n * A term: factor, value, value. */\n\n");
    put_shorts(p, "INPUT_HOME", inputs, input_home, l);
    put_shorts(p, "SUM_AT", l->rows + 1, listed, l->row);
    put_reals(p, "FACTOR", l->factor, l->factors);
    put_shorts(p, "TERM", 3 * l->terms, term_part, l->term);
    put_shorts(p, "ENTRY_FROM", c->pivots.entries, entry_value, l);
    taut_pen_template(p, SUMS);
    taut_pen_begin(p);
    taut_pen_add(p, "    int k;\n    j[%d] = (real)1;\n    j[%d] = (real)0;\n", ONE, ZERO);
    if (inputs > 0)
        taut_pen_add(p,
                     "    for (k = 0; k < %d; k++) {\n        j[%d + k] = c[INPUT_HOME[k]][0];\n"
                     "    }\n",
                     inputs, FIRST);
    put_runs(l);
    taut_pen_add(p, "    for (k = 0; k < %d; k++) {\n        a[k] = j[ENTRY_FROM[k]];\n    }\n",
                 c->pivots.entries);
    taut_pen_end(p, "jacobian", "");
}

/* ---- elimination ---- */

static const char FACTORS[] =
    "\n/* L and U in place of J: the order of pivots was chosen along the motion. */\n"
    "static void factor(work *w) {\n"
    "    int k;\n"
    "    int i;\n"
    "    int l;\n"
    "    for (k = 0; k < PIVOTS; k++) {\n"
    "        const short *const row = AT[PIVOT_ROW[k]];\n"
    "        const int column = PIVOT_COLUMN[k];\n"
    "        pivot(w, row[column], PIVOT_LARGEST[k]);\n"
    "        for (i = BELOW_AT[k]; i < BELOW_AT[k + 1]; i++) {\n"
    "            const short *const below = AT[BELOW[i]];\n"
    "            const real m = multiplier(w, below[column], row[column]);\n"
    "            for (l = REST_AT[k]; l < REST_AT[k + 1]; l++) {\n"
    "                w->a[below[REST[l]]] -= m * w->a[row[REST[l]]];\n"
    "            }\n"
    "        }\n"
    "    }\n"
    "REFLECT"
    "}\n"
    "\n"
    "/* z = J^-1 y, which is overwritten. */\n"
    "static void solve(work *w) {\n"
    "    int k;\n"
    "    int i;\n"
    "    for (k = 0; k < PIVOTS; k++) {\n"
    "        for (i = BELOW_AT[k]; i < BELOW_AT[k + 1]; i++) {\n"
    "            w->y[BELOW[i]] -= w->a[AT[BELOW[i]][PIVOT_COLUMN[k]]] * w->y[PIVOT_ROW[k]];\n"
    "        }\n"
    "    }\n"
    "CORE"
    "    for (k = PIVOTS - 1; k >= 0; k--) {\n"
    "        const short *const row = AT[PIVOT_ROW[k]];\n"
    "        real sum = w->y[PIVOT_ROW[k]];\n"
    "        for (i = REST_AT[k]; i < REST_AT[k + 1]; i++) {\n"
    "            sum -= w->a[row[REST[i]]] * w->z[REST[i]];\n"
    "        }\n"
    "        w->z[PIVOT_COLUMN[k]] = sum * w->a[row[PIVOT_COLUMN[k]]];\n"
    "    }\n"
    "}\n";

/* Rows below the k-th pivot, or columns behind it, as a list with its beginnings. */
static taut_status list_lines(const taut_pivots *v, const taut_pivot_order *o, bool rows,
                              taut_arena *work, int **at, int **list) {
    const int n = v->n, pivots = v->first_core;
    *at = TAUT_NEW_ARRAY(work, pivots + 1, int);
    *list = TAUT_NEW_ARRAY(work, (size_t)n * (size_t)(pivots + 1), int);
    if (!*at || !*list) return TAUT_ERR_MEMORY;
    for (int k = 0; k < pivots; k++) {
        (*at)[k + 1] = (*at)[k];
        for (int i = 0; i < n; i++) {
            const int entry = rows ? v->at[i * n + v->column[k]] : v->at[v->row[k] * n + i];
            if ((rows ? o->row : o->column)[i] > k && entry >= 0) (*list)[(*at)[k + 1]++] = i;
        }
    }
    return TAUT_OK;
}

/* A template in which REFLECT and CORE stand for calls, where there is a core. */
static void put_factors(taut_pen *p, bool core) {
    const char *reflect = strstr(FACTORS, "REFLECT"), *rest = strstr(reflect, "CORE");
    taut_pen_add(p, "%.*s%s", (int)(reflect - FACTORS), FACTORS, core ? "    reflect(w);\n" : "");
    reflect += strlen("REFLECT");
    taut_pen_add(p, "%.*s%s", (int)(rest - reflect), reflect, core ? "    solve_core(w);\n" : "");
    taut_pen_add(p, "%s", rest + strlen("CORE"));
}

static taut_status put_elimination(taut_pen *p, const taut_pivot_order *o, taut_arena *work) {
    const taut_pivots *v = &p->code->pivots;
    const int pivots = v->first_core, n = v->n;
    int *below_at, *below, *rest_at, *rest;
    TAUT_TRY(list_lines(v, o, true, work, &below_at, &below));
    TAUT_TRY(list_lines(v, o, false, work, &rest_at, &rest));
    taut_pen_add(p,
                 "\n/* Where entries of the factors are; pivots, rows below them, columns behind "
                 "them. */\n#define PIVOTS %d\n",
                 pivots);
    taut_pen_add(p, "static const short AT[%d][%d] = {\n", n, n);
    for (int i = 0; i < n; i++) {
        taut_pen_add(p, "{");
        for (int j = 0; j < n; j++) {
            taut_pen_add(p, "%d%s", entry_at(v, i * n + j), j + 1 < n ? "," : "}");
            taut_pen_wrap(p, 0);
        }
        taut_pen_add(p, i + 1 < n ? ",\n" : "};\n");
    }
    put_shorts(p, "PIVOT_ROW", pivots, listed, v->row);
    put_shorts(p, "PIVOT_COLUMN", pivots, listed, v->column);
    put_reals(p, "PIVOT_LARGEST", v->largest, pivots);
    put_shorts(p, "BELOW_AT", pivots + 1, listed, below_at);
    put_shorts(p, "BELOW", below_at[pivots], listed, below);
    put_shorts(p, "REST_AT", pivots + 1, listed, rest_at);
    put_shorts(p, "REST", rest_at[pivots], listed, rest);
    if (pivots < n) taut_write_core(p);
    taut_write_pivoting(p, true, true);
    put_factors(p, pivots < n);
    return TAUT_OK;
}

/* ---- all of it ---- */

taut_status taut_write_loops(taut_pen *p, const taut_pivot_order *o, taut_arena *work) {
    loops l = {.pen = p};
    taut_status status = number_values(&l, work);
    const taut_code *c = p->code;
    for (int slot = 0; slot < c->tape->size && status == TAUT_OK; slot++)
        if (is_computed(c, slot) && is_sum(c, slot)) add_sum(&l, slot);
    if (status == TAUT_OK && !l.row) l.failed = l.failed || !(l.row = taut_new(sizeof *l.row));
    if (status == TAUT_OK && l.failed) status = TAUT_ERR_MEMORY;
    if (status == TAUT_OK) put_jacobian(&l);
    if (status == TAUT_OK) status = put_elimination(p, o, work);
    taut_release((void **)&l.factor);
    taut_release((void **)&l.term);
    taut_release((void **)&l.row);
    return status;
}
