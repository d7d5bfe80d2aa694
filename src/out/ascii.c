/* A plot made of characters: Braille dots where the terminal has them and a panel has one curve,
 * otherwise a mark for every curve. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/arena.h"
#include "core/status.h"
#include "out/plot.h"
#include "out/ticks.h"
#include "core/utf8.h"

enum { WIDTH = 80, ROWS_ALONE = 18, ROWS_OF_MANY = 10, LEAST_ROWS = 4, MARKS = 4 };

static const char *const MARK[2][MARKS] = {{"*", "o", "+", "x"}, {"●", "○", "+", "×"}};

/* What axes are made of, in ASCII and beyond. */
typedef struct pieces {
    const char *bar, *tick, *corner, *line, *notch;
} pieces;
static const pieces PIECES[2] = {{"|", "+", "+", "-", "+"}, {"│", "┤", "└", "─", "┬"}};

typedef struct page {
    taut_string *out;
    const taut_plot *plot;
    pieces piece;
    int left;          /* width of the y labels */
    int columns, rows; /* of a panel, in characters */
    taut_axis x, y[TAUT_PLOT_COLUMNS];
    unsigned char
        *cell; /* [rows * columns] of the panel in work: Braille dots, or curves as bits */
} page;

/* ---- text ---- */

/* Text without control characters, which a terminal would obey. */
static void add_text(page *g, const char *text) {
    while (*text) {
        const char *begin = text;
        const unsigned c = taut_utf8_next(&text);
        if (c == '\n' || c == '\t')
            taut_string_add(g->out, " ");
        else if (c < 0x20 || (c >= 0x7f && c < 0xa0) || c == TAUT_UTF8_NONE ||
                 (c >= 0xa0 && !g->plot->unicode))
            taut_string_add(g->out, "?");
        else
            taut_string_add(g->out, "%.*s", (int)(text - begin), begin);
    }
}

static void add_unit(page *g, const char *unit) {
    if (unit[0]) taut_string_add(g->out, " [%s]", unit);
}

static void add_name(page *g, const taut_curve *c) {
    char name[256];
    taut_plot_name(c, name, sizeof name);
    add_text(g, name);
}

/* The mark of a curve, in its colour. */
static void add_mark(page *g, int curve) {
    static const char *const colour[MARKS] = {"\033[34m", "\033[31m", "\033[32m", "\033[35m"};
    const char *mark = MARK[g->plot->unicode][curve];
    if (g->plot->colour)
        taut_string_add(g->out, "%s%s\033[0m", colour[curve], mark);
    else
        taut_string_add(g->out, "%s", mark);
}

static void add_blanks(page *g, int count) {
    if (count > 0) taut_string_add(g->out, "%*s", count, "");
}

/* ---- cells ---- */

static int clip(double place, int count) {
    const int k = (int)(place * count);
    return k < count ? k : count - 1;
}

/* Column and row of a value, rows from the top, with so many of them. */
static int column_of(const page *g, double x, int columns) {
    return clip(taut_axis_place(&g->x, x), columns);
}
static int row_of(const taut_axis *axis, double y, int rows) {
    return rows - 1 - clip(taut_axis_place(axis, y), rows);
}

static void set_dot(page *g, int column, int row) {
    static const unsigned char bit[4][2] = {{1, 8}, {2, 16}, {4, 32}, {64, 128}};
    g->cell[row / 4 * g->columns + column / 2] |= bit[row % 4][column % 2];
}

/* A straight line between two places, ends included. */
static void set_line(page *g, const int from[2], const int to[2], int curve, bool braille) {
    const int dx = to[0] - from[0], dy = to[1] - from[1];
    const int n =
        (dx < 0 ? -dx : dx) > (dy < 0 ? -dy : dy) ? (dx < 0 ? -dx : dx) : (dy < 0 ? -dy : dy);
    for (int i = 0; i <= n; i++) {
        const int column = from[0] + (n ? (int)lround((double)dx * i / n) : 0);
        const int row = from[1] + (n ? (int)lround((double)dy * i / n) : 0);
        if (braille)
            set_dot(g, column, row);
        else
            g->cell[row * g->columns + column] |= (unsigned char)(1u << curve);
    }
}

static void set_curve(page *g, int i, bool braille) {
    const taut_curve *c = &g->plot->curve[i];
    const int columns = braille ? 2 * g->columns : g->columns;
    const int rows = braille ? 4 * g->rows : g->rows;
    int last[2] = {0, 0};
    bool down = false;
    for (long row = 0; row < taut_result_rows(c->result); row++) {
        double x, y;
        const bool good = taut_plot_point(g->plot, c, row, &x, &y);
        if (good) {
            const int here[2] = {column_of(g, x, columns), row_of(&g->y[c->panel], y, rows)};
            set_line(g, down ? last : here, here, i, braille);
            memcpy(last, here, sizeof last);
        }
        down = good;
    }
}

/* Where curves meet, they take turns from column to column. */
static void add_cell(page *g, int column, unsigned char curves) {
    int present[MARKS], count = 0;
    for (int i = 0; i < MARKS; i++)
        if (curves >> i & 1) present[count++] = i;
    if (count)
        add_mark(g, present[column % count]);
    else
        taut_string_add(g->out, " ");
}

static void add_row(page *g, int row, bool braille) {
    for (int k = 0; k < g->columns; k++) {
        const unsigned char c = g->cell[row * g->columns + k];
        if (!braille)
            add_cell(g, k, c);
        else if (c == 0)
            taut_string_add(g->out, " ");
        else /* U+2800 + c */
            taut_string_add(g->out, "\xe2%c%c", 0xa0 + (c >> 6), 0x80 + (c & 0x3f));
    }
    while (g->out->length > 0 && g->out->text[g->out->length - 1] == ' ')
        g->out->text[--g->out->length] = '\0'; /* no blanks at the end of a line */
    taut_string_add(g->out, "\n");
}

/* ---- axes ---- */

/* The axes, with the same scale in x and y if the plot wants it: a character is twice as high as
 * wide. */
static void make_axes(page *g) {
    const taut_plot *p = g->plot;
    g->x = taut_plot_axis(p->log_x, p->x.lo, p->x.hi, 2);
    for (int k = 0; k < p->panels; k++)
        g->y[k] = taut_plot_axis(p->log_y, p->lo[k], p->hi[k], g->rows / 3);
    if (!p->equal) return;
    taut_axis *y = &g->y[0];
    const double w = g->x.hi - g->x.lo, h = y->hi - y->lo;
    const double unit = fmax(w / g->columns, h / (2.0 * g->rows)); /* of half a row */
    const double more_x = (unit * g->columns - w) / 2.0;
    const double more_y = (2.0 * unit * g->rows - h) / 2.0;
    g->x = taut_axis_make(g->x.lo - more_x, g->x.hi + more_x, 2);
    *y = taut_axis_make(y->lo - more_y, y->hi + more_y, g->rows / 3);
}

static int label_width(const page *g) {
    size_t widest = 4;
    for (int k = 0; k < g->plot->panels; k++)
        for (int i = 0; i < g->y[k].count; i++) {
            char label[64];
            taut_axis_label(&g->y[k], i, label, sizeof label);
            if (strlen(label) > widest) widest = strlen(label);
        }
    return (int)widest;
}

/* The label of the tick in this row, if there is one. */
static bool find_label(const page *g, int k, int row, char *label, size_t size) {
    for (int i = 0; i < g->y[k].count; i++)
        if (row_of(&g->y[k], taut_axis_tick(&g->y[k], i), g->rows) == row) {
            taut_axis_label(&g->y[k], i, label, size);
            return true;
        }
    label[0] = '\0';
    return false;
}

/* Did an event happen in this column? */
static bool has_event(const page *g, int column) {
    const taut_notes *n = taut_result_notes(g->plot->result);
    for (int i = 0; n && !g->plot->phase && i < n->events; i++)
        if (column_of(g, n->event[i].t, g->columns) == column) return true;
    return false;
}

static void add_x_axis(page *g) {
    char label[64];
    int at = 0;
    add_blanks(g, g->left + 1);
    taut_string_add(g->out, "%s", g->piece.corner);
    for (int k = 0, i = 0; k < g->columns; k++) {
        const bool tick = i < g->x.count && column_of(g, taut_axis_tick(&g->x, i), g->columns) == k;
        const char *mark = g->plot->unicode ? "\xe2\x97\x86" : "*"; /* a diamond */
        taut_string_add(g->out, "%s",
                        has_event(g, k) ? mark
                        : tick          ? g->piece.notch
                                        : g->piece.line);
        i += tick;
    }
    taut_string_add(g->out, "\n");
    for (int i = 0; i < g->x.count; i++) {
        taut_axis_label(&g->x, i, label, sizeof label);
        const int n = (int)strlen(label);
        int begin = g->left + 2 + column_of(g, taut_axis_tick(&g->x, i), g->columns) - n / 2;
        if (begin + n > g->left + 2 + g->columns) begin = g->left + 2 + g->columns - n;
        if (begin < at + (i > 0)) continue; /* no room */
        add_blanks(g, begin - at);
        taut_string_add(g->out, "%s", label);
        at = begin + n;
    }
    taut_string_add(g->out, "\n");
    add_blanks(g, g->left + 2 + g->columns / 2 - 1);
    add_name(g, &g->plot->x);
    add_unit(g, g->plot->x.unit);
    if (g->x.exponent) taut_string_add(g->out, "  x 1e%d", g->x.exponent);
    taut_string_add(g->out, "\n");
}

/* ---- the picture ---- */

static bool is_braille(const page *g, int k) {
    int curves = 0;
    for (int i = 0; i < g->plot->curves; i++) curves += g->plot->curve[i].panel == k;
    return g->plot->unicode && curves == 1;
}

static void add_legend(page *g, int k, bool braille) {
    bool first = true;
    add_blanks(g, g->left + 2);
    for (int i = 0; i < g->plot->curves; i++) {
        const taut_curve *c = &g->plot->curve[i];
        if (c->panel != k) continue;
        if (!first) taut_string_add(g->out, "   ");
        first = false;
        if (!braille) {
            add_mark(g, i % MARKS);
            taut_string_add(g->out, " ");
        }
        add_name(g, c);
        add_unit(g, c->unit);
    }
    if (g->y[k].exponent) taut_string_add(g->out, "   x 1e%d", g->y[k].exponent);
    taut_string_add(g->out, "\n");
}

static void add_panel(page *g, int k) {
    const bool braille = is_braille(g, k);
    char label[64];
    memset(g->cell, 0, (size_t)g->rows * (size_t)g->columns);
    for (int i = 0; i < g->plot->curves; i++)
        if (g->plot->curve[i].panel == k) set_curve(g, i, braille);
    add_legend(g, k, braille);
    for (int row = 0; row < g->rows; row++) {
        const bool tick = find_label(g, k, row, label, sizeof label);
        taut_string_add(g->out, "%*s %s", g->left, label, tick ? g->piece.tick : g->piece.bar);
        add_row(g, row, braille);
    }
}

taut_status taut_plot_characters(const taut_plot *p, taut_string *out) {
    page g = {.out = out, .plot = p, .piece = PIECES[p->unicode]};
    const int around = 3 + (p->title[0] != '\0') + p->panels; /* lines that are no rows of panels */
    g.rows = p->panels == 1 ? ROWS_ALONE : ROWS_OF_MANY;
    if (p->height > 0) g.rows = (p->height - around) / p->panels;
    if (g.rows < LEAST_ROWS) g.rows = LEAST_ROWS;
    g.columns = (p->width > 0 ? p->width : WIDTH) - 8; /* until the labels are known */
    make_axes(&g);
    g.left = label_width(&g);
    g.columns = (p->width > 0 ? p->width : WIDTH) - g.left - 2;
    if (g.columns < 10) g.columns = 10;
    make_axes(&g);
    const taut_axis fine = taut_plot_axis(p->log_x, g.x.lo, g.x.hi, g.columns / 10 + 1);
    g.x = fine;
    taut_arena arena = {0};
    g.cell = TAUT_NEW_ARRAY(&arena, g.rows * g.columns, unsigned char);
    if (!g.cell) return TAUT_ERR_MEMORY;
    if (p->title[0]) {
        add_text(&g, p->title);
        taut_string_add(out, "\n");
    }
    for (int k = 0; k < p->panels; k++) add_panel(&g, k);
    add_x_axis(&g);
    taut_arena_release(&arena);
    return TAUT_OK;
}
