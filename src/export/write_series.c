/* The series of equations and columns: functions that find order k of every slot with one offset,
 * from convolutions of the orders in between, which other functions find before; and J.
 *
 * A product at order k is  i + a_0 b_k + a_k b_0  with i the sum over the orders in between, and
 * a_0 b_0 at order 0 (docs/math/taylor.md, section 2). */
#include <string.h>

#include "core/number.h"
#include "export/pen.h"

/* A function that is written: which slots it evaluates. */
typedef struct group {
    taut_pen *pen;
    bool output;        /* what columns alone need */
    int level;          /* TAUT_LEVEL_TIME: what depends on t alone */
    taut_pairing *item; /* [items] of this function */
    int items, first;   /* they are w->i[first ...] */
    size_t room;
    int derivatives; /* the largest p */
    bool constants, orders;
    bool failed;
} group;

/* Whether there is such a function, and whether it needs convolutions. */
typedef struct presence {
    bool present, inner;
} presence;

static bool belongs(const group *g, int slot) {
    const taut_code *c = g->pen->code;
    const int use = c->use[slot];
    if (c->tape->instr[slot].kernel <= TAUT_KERNEL_VARIABLE || c->level[slot] != g->level)
        return false;
    return g->output ? (use & TAUT_USE_OUTPUT) && !(use & TAUT_USE_SERIES) : use & TAUT_USE_SERIES;
}

/* ---- convolutions ---- */

static int find_convolution(group *g, bool weighted, int a, int b, int p) {
    if (!weighted && a > b) {
        const int swap = a;
        a = b;
        b = swap;
    }
    for (int i = 0; i < g->items; i++) {
        const taut_pairing *x = &g->item[i];
        if (x->weighted == weighted && x->a == a && x->b == b && x->p == p) return g->first + i;
    }
    if (taut_grow((void **)&g->item, &g->room, (size_t)g->items + 1, sizeof *g->item)) {
        g->failed = true;
        return 0;
    }
    g->item[g->items] = (taut_pairing){weighted, a, b, p};
    return g->first + g->items++;
}

static void collect_slot(group *g, int slot) {
    const taut_tape *t = g->pen->code->tape;
    const taut_instr *x = &t->instr[slot];
    if (x->kernel == TAUT_KERNEL_DIVIDE) find_convolution(g, false, x->b, slot, 0);
    if (x->kernel == TAUT_KERNEL_ROOT) find_convolution(g, false, slot, slot, 0);
    if (x->kernel == TAUT_KERNEL_SUM && (t->constant[slot] != 0.0 || t->origin[slot]))
        g->constants = true;
    if (x->kernel == TAUT_KERNEL_CHAIN) g->orders = true;
    if (x->kernel != TAUT_KERNEL_SUM && x->kernel != TAUT_KERNEL_CHAIN) return;
    for (int k = x->first; k < x->first + x->count; k++) {
        const taut_tape_term *e = &t->term[k];
        if (x->kernel == TAUT_KERNEL_CHAIN)
            find_convolution(g, true, e->slot, e->other, 0);
        else if (e->other >= 0)
            find_convolution(g, false, e->slot, e->other, e->p);
        if (x->kernel == TAUT_KERNEL_SUM && e->p > g->derivatives) g->derivatives = e->p;
    }
}

/* ---- places ---- */

/* A slot at order k + p. */
static void put_slot(const group *g, int slot, int p) {
    const taut_code *c = g->pen->code;
    const char letter = c->store[slot] == TAUT_STORE_SERIES ? 'c' : 'o';
    if (c->store[slot] == TAUT_STORE_LOCAL)
        taut_pen_add(g->pen, "v%d", slot);
    else if (p > 0)
        taut_pen_add(g->pen, "%c[%d][k + %d]", letter, c->home[slot], p);
    else
        taut_pen_add(g->pen, "%c[%d][k]", letter, c->home[slot]);
}

/* A stored slot as an array. */
static void put_array(const group *g, int slot) {
    const taut_code *c = g->pen->code;
    taut_pen_add(g->pen, "%c[%d]", c->store[slot] == TAUT_STORE_SERIES ? 'c' : 'o', c->home[slot]);
}

/* What two convolutions must have in common to stand in one loop. */
enum { SORTS = 5 };
static void sort_of(const group *g, const taut_pairing *x, int sort[SORTS]) {
    const taut_code *c = g->pen->code;
    sort[0] = x->weighted;
    sort[1] = x->a == x->b;
    sort[2] = x->p;
    sort[3] = (int)c->store[x->a];
    sort[4] = (int)c->store[x->b];
}

/* Those of one sort become neighbours; each stays in the order of its first use. */
static void gather_sorts(group *g) {
    for (int i = 1; i < g->items; i++) {
        const taut_pairing x = g->item[i];
        int sort[SORTS], other[SORTS], k = i;
        sort_of(g, &x, sort);
        for (; k > 0; k--) {
            sort_of(g, &g->item[k - 1], other);
            if (memcmp(other, sort, sizeof sort) <= 0) break;
            g->item[k] = g->item[k - 1];
        }
        g->item[k] = x;
    }
}

/* How many items from this one on are of its sort. */
static int run_from(const group *g, int from) {
    int sort[SORTS], other[SORTS], to = from;
    sort_of(g, &g->item[from], sort);
    for (; to < g->items; to++) {
        sort_of(g, &g->item[to], other);
        if (memcmp(other, sort, sizeof sort) != 0) break;
    }
    return to - from;
}

/* The sum between first and last orders, of arrays that are named by numbers or by `PLACE[...]`. */
static void put_between(const group *g, const taut_pairing *x, const char *a, const char *b) {
    taut_pen *p = g->pen;
    const taut_code *c = p->code;
    const bool square = !x->weighted && x->a == x->b;
    const char letter_a = c->store[x->a] == TAUT_STORE_SERIES ? 'c' : 'o';
    const char letter_b = c->store[x->b] == TAUT_STORE_SERIES ? 'c' : 'o';
    p->uses_square = p->uses_square || square;
    p->uses_weighted = p->uses_weighted || x->weighted;
    p->uses_product = p->uses_product || (!x->weighted && !square);
    taut_pen_add(p, "%s(%c[%s]",
                 square        ? "square"
                 : x->weighted ? "weighted"
                               : "product",
                 letter_a, a);
    if (!square) taut_pen_add(p, ", %c[%s]", letter_b, b);
    taut_pen_add(p, x->p > 0 ? ", k + %d);\n" : ", k);\n", x->p);
}

static void put_convolution(const group *g, int item) {
    const taut_pairing *x = &g->item[item];
    char a[20], b[20];
    taut_format(a, sizeof a, "%d", g->pen->code->home[x->a]);
    taut_format(b, sizeof b, "%d", g->pen->code->home[x->b]);
    taut_pen_add(g->pen, "    i[%d] = ", g->first + item);
    put_between(g, x, a, b);
}

static void put_loop(const group *g, int from, int count) {
    taut_pen *p = g->pen;
    const int each = g->item[from].weighted || g->item[from].a != g->item[from].b ? 2 : 1;
    taut_pen_add(p, "    {\n        static const short PLACE[%d] = {", each * count);
    for (int i = 0; i < each * count; i++) {
        const taut_pairing *x = &g->item[from + i / each];
        taut_pen_add(p, "%s%d", i > 0 ? "," : "", p->code->home[i % each ? x->b : x->a]);
        taut_pen_wrap(p, 0);
    }
    taut_pen_add(p, "};\n        int l;\n        for (l = 0; l < %d; l++) {\n            ", count);
    if (g->first + from > 0)
        taut_pen_add(p, "i[%d + l] = ", g->first + from);
    else
        taut_pen_add(p, "i[l] = ");
    put_between(g, &g->item[from], each == 2 ? "PLACE[2 * l]" : "PLACE[l]", "PLACE[(2 * l) + 1]");
    taut_pen_add(p, "        }\n    }\n");
}

/* Line by line, or where text must be saved the long runs as loops. */
static void put_convolutions(const group *g) {
    enum { LONG = 8 };
    for (int i = 0, run = 1; i < g->items; i += run) {
        run = g->pen->loops ? run_from(g, i) : 1;
        if (run < LONG) run = 1;
        if (run > 1)
            put_loop(g, i, run);
        else
            put_convolution(g, i);
    }
}

/* ---- lines ---- */

/* a_0 b_k + a_k b_0 with what lies between. */
static void put_product(group *g, int a, int b, int p) {
    taut_pen *pen = g->pen;
    const bool square = a == b, further = p > 0; /* then it is no order 0 */
    static const char *const word[2][2] = {{"times", "squared"}, {"times_on", "squared_on"}};
    pen->uses_times[further][square] = true;
    taut_pen_add(pen, "%s(i[%d], ", word[further][square], find_convolution(g, false, a, b, p));
    put_array(g, a);
    taut_pen_add(pen, ", ");
    if (!square) {
        put_array(g, b);
        taut_pen_add(pen, ", ");
    }
    taut_pen_add(pen, p > 0 ? "k + %d)" : "k)", p);
}

static void put_sum(group *g, int slot) {
    const taut_tape *t = g->pen->code->tape;
    const taut_instr *x = &t->instr[slot];
    taut_pen *p = g->pen;
    bool begun = t->constant[slot] != 0.0 || t->origin[slot];
    if (begun) {
        taut_pen_add(p, "one * ");
        taut_pen_origin(p, t->constant[slot], t->origin[slot]);
    } else if (x->count == 0) {
        taut_pen_number(p, 0.0);
    }
    for (int k = x->first; k < x->first + x->count; k++, begun = true) {
        const taut_tape_term *e = &t->term[k];
        const bool minus = !e->origin && e->coef < 0.0;
        taut_pen_add(p, "%s", !begun ? (minus ? "-" : "") : minus ? " - " : " + ");
        taut_pen_wrap(p, 8);
        if (e->origin || (e->coef != 1.0 && e->coef != -1.0)) {
            taut_pen_origin(p, minus ? -e->coef : e->coef, e->origin);
            taut_pen_add(p, " * ");
        }
        if (e->p > 0) taut_pen_add(p, "d%d * ", e->p);
        if (e->other >= 0)
            put_product(g, e->slot, e->other, e->p);
        else
            put_slot(g, e->slot, e->p);
    }
}

/* Order 0 of a function, then its recurrence. */
static void put_chain(group *g, const taut_instr *x) {
    taut_pen *p = g->pen;
    taut_pen_add(p, "(k == 0) ? %s(", taut_pen_function(p, (taut_op)x->op));
    put_array(g, x->a);
    taut_pen_add(p, "[0]");
    if (x->b >= 0) {
        taut_pen_add(p, ", ");
        put_array(g, x->b);
        taut_pen_add(p, "[0]");
    }
    taut_pen_add(p, ")\n        : ");
    for (int k = x->first; k < x->first + x->count; k++) {
        const taut_tape_term *e = &p->code->tape->term[k];
        taut_pen_add(p, k > x->first ? " + " : "");
        put_slot(g, e->slot, 0);
        taut_pen_add(p, " * ");
        put_array(g, e->other);
        taut_pen_add(p, "[0] + i[%d] * per_k", find_convolution(g, true, e->slot, e->other, 0));
    }
}

static void put_quotient(group *g, const taut_instr *x, int slot) {
    taut_pen *p = g->pen;
    taut_pen_add(p, "(k == 0) ? ");
    put_slot(g, x->a, 0);
    taut_pen_add(p, " / ");
    put_array(g, x->b);
    taut_pen_add(p, "[0]\n        : (");
    put_slot(g, x->a, 0);
    taut_pen_add(p, " - ");
    put_array(g, slot);
    taut_pen_add(p, "[0] * ");
    put_slot(g, x->b, 0);
    taut_pen_add(p, " - i[%d]) / ", find_convolution(g, false, x->b, slot, 0));
    put_array(g, x->b);
    taut_pen_add(p, "[0]");
}

static void put_root(group *g, const taut_instr *x, int slot) {
    taut_pen *p = g->pen;
    taut_pen_add(p, "(k == 0) ? %s(", taut_pen_function(p, TAUT_OP_SQRT));
    put_slot(g, x->a, 0);
    taut_pen_add(p, ")\n        : (");
    put_slot(g, x->a, 0);
    taut_pen_add(p, " - i[%d]) / (2 * ", find_convolution(g, false, slot, slot, 0));
    put_array(g, slot);
    taut_pen_add(p, "[0])");
}

static void put_line(group *g, int slot) {
    const taut_instr *x = &g->pen->code->tape->instr[slot];
    taut_pen_add(g->pen,
                 g->pen->code->store[slot] == TAUT_STORE_LOCAL ? "    const real " : "    ");
    put_slot(g, slot, 0);
    taut_pen_add(g->pen, " = ");
    switch (x->kernel) {
    case TAUT_KERNEL_SUM: put_sum(g, slot); break;
    case TAUT_KERNEL_DIVIDE: put_quotient(g, x, slot); break;
    case TAUT_KERNEL_ROOT: put_root(g, x, slot); break;
    default: put_chain(g, x);
    }
    taut_pen_add(g->pen, ";\n");
}

/* Order k of the equations that this function finds, for the caller. */
static void put_residuals(group *g) {
    const taut_code *c = g->pen->code;
    for (int i = 0; i < c->system->n && !g->output; i++) {
        const int slot = c->equation[i], level = c->structure->offsets.c[i];
        if (level != g->level) continue;
        taut_pen_add(g->pen, "    f[%d] = ", i);
        put_slot(g, slot, 0);
        taut_pen_add(g->pen, "; /* ");
        taut_pen_words(g->pen, c->system->equation[i].name);
        taut_pen_add(g->pen, " */\n");
    }
}

/* ---- functions ---- */

static void name_of(const group *g, const char *what, char *name, size_t size) {
    if (g->level == TAUT_LEVEL_TIME)
        taut_format(name, size, "%s%s_of_time", g->output ? "output_" : "", what);
    else
        taut_format(name, size, "%s%s_%d", g->output ? "output_" : "", what, g->level);
}

static bool has_lines(const group *g) {
    const taut_code *c = g->pen->code;
    for (int slot = 0; slot < c->tape->size; slot++)
        if (belongs(g, slot)) return true;
    for (int i = 0; i < c->system->n && !g->output; i++)
        if (c->structure->offsets.c[i] == g->level) return true;
    return false;
}

static void put_factors(group *g) {
    taut_pen *p = g->pen;
    for (int k = 1; k <= g->derivatives; k++)
        taut_pen_add(p, "    const int k%d = k + %d;\n", k, k);
    if (g->orders) taut_pen_add(p, "    const int divisor = (k == 0) ? 1 : k;\n");
    for (int k = 1; k <= g->derivatives; k++) {
        taut_pen_add(p, "    const real d%d = ", k);
        if (k > 1) taut_pen_add(p, "d%d * ", k - 1);
        taut_pen_add(p, "(real)k%d * w->per_h;\n", k);
    }
    if (g->constants) taut_pen_add(p, "    const real one = (k == 0) ? (real)1 : (real)0;\n");
    if (g->orders) taut_pen_add(p, "    const real per_k = (real)1 / (real)divisor;\n");
}

static taut_status put_group(taut_pen *p, bool output, int level, presence *list) {
    group g = {.pen = p, .output = output, .level = level, .first = p->convolutions};
    char inner[60], series[60];
    if (!has_lines(&g)) return TAUT_OK;
    for (int slot = 0; slot < p->code->tape->size; slot++)
        if (belongs(&g, slot)) collect_slot(&g, slot);
    name_of(&g, "inner", inner, sizeof inner);
    name_of(&g, "series", series, sizeof series);
    if (g.items > 0) {
        if (p->loops) gather_sorts(&g);
        taut_pen_begin(p);
        put_convolutions(&g);
        taut_pen_end(p, inner, ", int k");
    }
    taut_pen_begin(p);
    put_factors(&g);
    for (int slot = 0; slot < p->code->tape->size; slot++)
        if (belongs(&g, slot)) put_line(&g, slot);
    put_residuals(&g);
    taut_pen_end(p, series, ", int k");
    p->convolutions += g.items;
    list->present = true;
    list->inner = g.items > 0;
    taut_release((void **)&g.item);
    return g.failed ? TAUT_ERR_MEMORY : TAUT_OK;
}

/* The functions of all offsets, one after the other: stage s finds order s + offset. */
static void put_stage(taut_pen *p, bool output, bool inner, const presence *list) {
    const char *what = inner ? "inner" : "series", *kind = output ? "output_" : "";
    taut_pen_add(p, "\nstatic void %s%s(work *w, int s) {\n    (void)w;\n    (void)s;\n", kind,
                 what);
    for (int level = p->code->levels - 1; level >= 0; level--) {
        if (!list[level].present || (inner && !list[level].inner)) continue;
        char at[30] = "s";
        if (level > 0) taut_format(at, sizeof at, "s + %d", level);
        taut_pen_add(p, "    if (s >= %d) {\n        %s%s_%d(w, order(%s));\n    }\n", -level, kind,
                     what, level, at);
    }
    taut_pen_add(p, "}\n");
}

/* Functions of t whose derivatives are needed are known more orders ahead than any unknown: stages
 * before the first one of these. */
static void put_early_stages(taut_pen *p, bool output) {
    const int first = p->code->levels - 1;
    if (first <= p->code->structure->largest_d) return;
    const char *kind = output ? "output_" : "";
    taut_pen_add(p,
                 "    for (k = -%d; k < -LARGEST; k++) {\n        %sinner(w, k);\n"
                 "        %sseries(w, k);\n    }\n",
                 first, kind, kind);
}

static void put_time(taut_pen *p, bool output, const presence *list) {
    taut_pen_add(p, "\nstatic void find_%stimes(work *w, int orders) {\n    int k;\n",
                 output ? "output_" : "");
    taut_pen_add(p, "    for (k = 0; k < orders; k++) {\n        (void)w;\n");
    if (list->inner) taut_pen_add(p, "        %sinner_of_time(w, k);\n", output ? "output_" : "");
    if (list->present)
        taut_pen_add(p, "        %sseries_of_time(w, k);\n", output ? "output_" : "");
    taut_pen_add(p, "    }\n");
    put_early_stages(p, output);
    taut_pen_add(p, "}\n");
}

taut_status taut_write_series(taut_pen *p) {
    taut_arena work = {0};
    const int levels = p->code->levels;
    presence *list = TAUT_NEW_ARRAY(&work, 2 * (levels + 1), presence);
    taut_status status = list ? TAUT_OK : TAUT_ERR_MEMORY;
    for (int output = 0; output < 2 && status == TAUT_OK; output++) {
        presence *own = list + output * (levels + 1);
        taut_pen_add(p, output ? "\n/* ---- columns ---- */\n" : "\n/* ---- equations ---- */\n");
        status = put_group(p, output, TAUT_LEVEL_TIME, &own[levels]);
        for (int level = levels - 1; level >= 0 && status == TAUT_OK; level--)
            status = put_group(p, output, level, &own[level]);
        put_stage(p, output, true, own);
        put_stage(p, output, false, own);
        put_time(p, output, &own[levels]);
    }
    taut_arena_release(&work);
    return status;
}
