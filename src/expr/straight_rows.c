/* The rows of a layout as lines of C, and what they consist of. A newest order is a local variable
 * n<place of stage 0>, what is used again at every stage q<place>; both are stored as well. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "core/number.h"
#include "expr/straight_parts.h"

typedef taut_straight_pen pen;
typedef taut_straight_part part;

/* ---- numbers ---- */

void taut_straight_number(taut_string *text, double x) {
    char digits[40];
    if (!isfinite(x)) {
        taut_string_add(text, isnan(x) ? "__builtin_nan(\"\")" : "(%s__builtin_inf())",
                        x < 0.0 ? "-" : "");
        return;
    }
    taut_format(digits, sizeof digits, "%.17g", x);
    const bool whole = strspn(digits, "-0123456789") == strlen(digits);
    taut_string_add(text, x < 0.0 ? "(%s%s)" : "%s%s", digits, whole ? ".0" : "");
}

static void put_number(const pen *p, double x) { taut_straight_number(p->text, x); }

bool taut_straight_varies(const pen *p, taut_number_array array, size_t offset) {
    const size_t at = offset / sizeof(double);
    return at < p->lengths[array] && p->varies[array][at];
}

/* A number of the layout that lies so many bytes from the beginning of its array. */
void taut_straight_put_number(const pen *p, taut_number_array array, const char *name,
                              size_t offset, double x) {
    if (taut_straight_varies(p, array, offset))
        taut_string_add(p->text, "*(const double *)(n->%s + %zu)", name, offset);
    else
        put_number(p, x);
}

/* Notes what depends on parameters. */
taut_status taut_straight_list_numbers(pen *p) {
    const taut_layout *l = p->layout;
    for (int i = 0; i < l->numbers; i++) {
        size_t *length = &p->lengths[l->number[i].array];
        const size_t at = l->number[i].offset / sizeof(double);
        if (at >= *length) *length = at + 1;
    }
    for (int a = 0; a < TAUT_NUMBER_ARRAYS; a++) {
        p->varies[a] = TAUT_NEW_ARRAY(&p->arena, p->lengths[a], bool);
        if (!p->varies[a]) return TAUT_ERR_MEMORY;
    }
    for (int i = 0; i < l->numbers; i++)
        p->varies[l->number[i].array][l->number[i].offset / sizeof(double)] = true;
    return TAUT_OK;
}

/* ---- places ---- */

/* The newest order whose place at stage 0 is this one. */
void taut_straight_put_newest(const pen *p, int place) {
    if (p->newest[place])
        taut_string_add(p->text, "n%d", place);
    else if (p->stage == TAUT_ANY_STAGE)
        taut_string_add(p->text, "C[%d + 8 * s]", place);
    else
        taut_string_add(p->text, "C[%d]", place + TAUT_LANES * p->stage);
}

/* What lies at a place, whatever the stage. */
void taut_straight_put_steady(const pen *p, int place) {
    const int at_zero = place - TAUT_LANES * p->stage;
    if (place == p->layout->one)
        taut_string_add(p->text, "1.0");
    else if (p->steady[place])
        taut_string_add(p->text, "q%d", place);
    else if (p->stage != TAUT_ANY_STAGE && at_zero >= 0 && at_zero < (int)p->layout->coefs &&
             p->newest[at_zero])
        taut_string_add(p->text, "n%d", at_zero);
    else
        taut_string_add(p->text, "C[%d]", place);
}

bool taut_straight_is_zero(const pen *p, int place) {
    const taut_layout *l = p->layout;
    return place >= l->zero && place < l->one;
}

/* ---- rows ---- */

/* Stores local variables of a group, as vectors: whoever reads them as such need not wait. */
static void put_stores(const pen *p, const taut_rows *g, char letter) {
    const int moved = g->pace && p->stage != TAUT_ANY_STAGE ? g->pace * p->stage : 0;
    for (int lane = 0, width; lane < g->count; lane += width) {
        const int left = g->count - lane;
        width = left > 4 ? 8 : left > 2 ? 4 : left;
        const int at = g->result + lane;
        if (width > 1)
            taut_string_add(p->text, "    *(v%d *)(C + %d", width, at + moved);
        else
            taut_string_add(p->text, "    *(C + %d", at + moved);
        taut_string_add(p->text, g->pace && p->stage == TAUT_ANY_STAGE ? " + 8 * s) = " : ") = ");
        if (width > 1) taut_string_add(p->text, "(v%d){", width);
        for (int i = 0; i < width; i++)
            taut_string_add(p->text, i < left ? "%s%c%d" : "%s0.0", i > 0 ? ", " : "", letter,
                            at + i);
        taut_string_add(p->text, width > 1 ? "};\n" : ";\n");
    }
}

/* A factor, if it is not 1, and the sign or operator before it. False: the term is nothing. */
static bool put_factor(pen *p, const part *x, int term, int lane, bool first) {
    const taut_lane_term *t = &x->rows->term[term];
    const size_t in_lane = (size_t)lane * sizeof(double);
    if (t->steady) {
        const size_t offset = (size_t)term * sizeof *t + offsetof(taut_lane_term, coef) + in_lane;
        const bool open = taut_straight_varies(p, x->terms, offset);
        if (!open && t->coef[lane] == 0.0) return false;
        if (!first) taut_string_add(p->text, " + ");
        if (open || t->coef[lane] != 1.0) {
            taut_straight_put_number(p, x->terms, x->term, offset, t->coef[lane]);
            taut_string_add(p->text, " * ");
        }
        return true;
    }
    const taut_lane_factor *f = &x->rows->factor[term];
    const size_t offset = (size_t)term * sizeof *f + offsetof(taut_lane_factor, scale) + in_lane;
    const bool open = taut_straight_varies(p, x->factors, offset);
    if (!open && f->scale[lane] == 0.0) return false;
    if (!first) taut_string_add(p->text, " + ");
    if (open || f->scale[lane] != 1.0) {
        taut_straight_put_number(p, x->factors, x->factor, offset, f->scale[lane]);
        taut_string_add(p->text, " * ");
    }
    taut_straight_put_steady(p, f->partial[lane]);
    taut_string_add(p->text, " * ");
    return true;
}

/* One row of a group, which is no order 0. */
static void put_row(pen *p, const part *x, const taut_rows *g, int lane) {
    bool any = g->based && !taut_straight_is_zero(p, g->base[lane]);
    if (g->divisors) taut_string_add(p->text, "(");
    if (any) taut_straight_put_steady(p, g->base[lane]);
    for (int c = g->column; c < g->column + g->columns; c++) {
        const taut_lane_term *t = &x->rows->term[c];
        if (taut_straight_is_zero(p, t->source[lane]) || !put_factor(p, x, c, lane, !any)) continue;
        any = true;
        if (t->p > 0)
            taut_string_add(p->text, "shift[%d + s] * ", t->p * p->jet->shift_orders + g->offset);
        if (t->pace)
            taut_straight_put_newest(p, t->source[lane]);
        else
            taut_straight_put_steady(p, t->source[lane]);
    }
    if (!any) taut_string_add(p->text, "0.0");
    if (!g->divisors) return;
    taut_string_add(p->text, ") / (");
    put_number(p, g->divisors->scale[lane]);
    taut_string_add(p->text, " * ");
    taut_straight_put_steady(p, g->divisors->place[lane]);
    taut_string_add(p->text, ")");
}

/* Order 0 of one row. */
static void put_start(pen *p, int group, int lane) {
    const taut_layout *l = p->layout;
    const taut_layout_start *x = &l->start[group];
    if (!x->sum) {
        taut_string_add(p->text, "n->operation(%d, ", x->op[lane]);
        taut_straight_put_steady(p, x->argument[0][lane]);
        taut_string_add(p->text, ", ");
        taut_straight_put_steady(p, x->argument[1][lane]);
        taut_string_add(p->text, ")");
        return;
    }
    const size_t in_lane = (size_t)lane * sizeof(double);
    taut_straight_put_number(p, TAUT_IN_START, "start",
                             (size_t)group * sizeof *x + offsetof(taut_layout_start, constant) +
                                 in_lane,
                             x->constant[lane]);
    for (int c = x->column; c < x->column + x->columns; c++) {
        const taut_value_term *t = &l->value[c];
        const size_t offset = (size_t)c * sizeof *t + offsetof(taut_value_term, coef) + in_lane;
        if (!taut_straight_varies(p, TAUT_IN_VALUE, offset) && t->coef[lane] == 0.0) continue;
        taut_string_add(p->text, " + ");
        taut_straight_put_number(p, TAUT_IN_VALUE, "value", offset, t->coef[lane]);
        if (t->p > 0) taut_string_add(p->text, " * shift[%d]", t->p * p->jet->shift_orders);
        taut_string_add(p->text, " * ");
        taut_straight_put_steady(p, t->a[lane]);
        if (!t->product) continue;
        taut_string_add(p->text, " * ");
        taut_straight_put_steady(p, t->b[lane]);
    }
}

static void put_group(pen *p, const part *x, int group) {
    const taut_rows *g = &x->rows->rows[group];
    const bool start = p->stage != TAUT_ANY_STAGE && p->stage + g->offset == 0;
    const char letter = g->pace ? 'n' : 'q';
    for (int lane = 0; lane < g->count; lane++) {
        taut_string_add(p->text, "    const double %c%d = ", letter, g->result + lane);
        if (start)
            put_start(p, group, lane);
        else
            put_row(p, x, g, lane);
        taut_string_add(p->text, ";\n");
        /* a row may read no other one of its group */
    }
    for (int lane = 0; lane < g->count; lane++)
        (g->pace ? p->newest : p->steady)[g->result + lane] = true;
    put_stores(p, g, letter);
}

/* The first groups of a program that have an order at this stage. */
void taut_straight_put_rows(pen *p, const part *x, int groups) {
    for (int i = 0; i < groups; i++) {
        const taut_rows *g = &x->rows->rows[i];
        const int k = p->stage + g->offset;
        if (k < 0 || (k == 0 && x->terms != TAUT_IN_ALL)) continue;
        if (p->changed_only && !g->active) continue;
        put_group(p, x, i);
    }
}
