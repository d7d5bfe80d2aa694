/* A plot as SVG: panels one above the other with a common x axis, each with a legend over it.
 * Curves differ in colour and in their dashes, so that they can be told apart in print. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "out/markup.h"
#include "out/plot.h"
#include "out/ticks.h"
#include "core/utf8.h"

enum { FONT = 13, TITLE_FONT = 17, SMALL_FONT = 10, LEGEND_ROW = 22, SAMPLE = 34 };
static const double DEFAULT_WIDTH = 900, DEFAULT_HEIGHT = 540;
static const double LEAST_PANEL = 60, USUAL_PANEL = 180; /* heights, without the legend */
static const double LEAST_BOX = 160;                     /* of axes with equal scales */
static const double MARGIN = 18, BOTTOM = 58;
static const double PAD = 0.04;   /* of a range, above and below */
static const double NEAR = 0.2;   /* points closer than this to the last one are left out */
static const double BUCKET = 0.5; /* width in which four points of a function of t are enough */

/* Okabe and Ito's colours, which the colour-blind can tell apart, a little darker. */
static const char *const COLOUR[] = {"#0063a6", "#d1440c", "#00845f", "#a4478a",
                                     "#111111", "#b07a00", "#2a9bd6", "#7a4a2b"};
static const char *const DASH[] = {"", "9 4", "2.5 3", "10 3 2.5 3", "16 4"};
enum { COLOURS = sizeof COLOUR / sizeof COLOUR[0], DASHES = sizeof DASH / sizeof DASH[0] };

typedef struct box {
    double x, y, w, h;
} box;

typedef struct sheet {
    taut_string *out;
    const taut_plot *plot;
    double width, height;
    double top, left; /* of the legends and, unless scales are equal, of the boxes */
    taut_axis x, y[TAUT_PLOT_COLUMNS];
    box box[TAUT_PLOT_COLUMNS];  /* [panels] the areas inside the axes */
    int rows[TAUT_PLOT_COLUMNS]; /* [panels] of the legend */
} sheet;

/* ---- text ---- */

/* Width of so many characters: an estimate, as the font is not known. */
static double width_of(int characters, int font) { return 0.58 * font * characters; }

/* "m/s^2" with a raised 2. */
static void add_unit(taut_string *out, const char *unit) {
    const int n = (int)strcspn(unit, "^");
    if (!unit[0]) return;
    taut_string_add(out, " [%.*s", n, unit);
    if (unit[n])
        taut_string_add(out,
                        "<tspan dy=\"-4\" font-size=\"%d\">%s</tspan><tspan dy=\"4\">]</tspan>",
                        SMALL_FONT, unit + n + 1);
    else
        taut_string_add(out, "]");
}

/* "x 10^n", if labels have a common power of ten. */
static void add_power(taut_string *out, int exponent) {
    taut_string_add(out, "&#xd7;10<tspan dy=\"-5\" font-size=\"%d\">%d</tspan>", SMALL_FONT,
                    exponent);
}

/* ---- layout ---- */

enum { LONGEST_NAME = 40, NAME_ROOM = 256 };

static double entry_width(const taut_curve *c) {
    char name[NAME_ROOM];
    taut_plot_name(c, name, sizeof name);
    int n = taut_utf8_count(name);
    if (n > LONGEST_NAME) n = LONGEST_NAME;
    if (c->unit[0]) n += (int)strlen(c->unit) + 3;
    return SAMPLE + 7 + width_of(n, FONT) + 20;
}

/* Puts curve i into its panel's legend: x from the left, and the row. */
static void place_entry(const sheet *s, int i, double *x, int *row) {
    const double width = (s->plot->width > 0 ? s->plot->width : DEFAULT_WIDTH) - 90.0;
    *x = 0.0;
    *row = 0;
    for (int k = 0; k <= i; k++) {
        const taut_curve *c = &s->plot->curve[k];
        if (c->panel != s->plot->curve[i].panel) continue;
        const double w = entry_width(c);
        if (*x > 0.0 && *x + w > width) {
            *x = 0.0;
            ++*row;
        }
        if (k < i) *x += w;
    }
}

static void pad(double *lo, double *hi) {
    const double span = *hi - *lo;
    *lo -= PAD * span;
    *hi += PAD * span;
}

static taut_axis y_axis(const taut_plot *p, int k, double h) {
    taut_axis a =
        taut_plot_axis(p->log_y, p->lo[k], p->hi[k], 2); /* widens the range, if need be */
    pad(&a.lo, &a.hi);
    return taut_plot_axis(p->log_y, a.lo, a.hi, (int)(h / 42.0) + 1);
}

static taut_axis x_axis(const taut_plot *p, double w) {
    taut_axis a = taut_plot_axis(p->log_x, p->x.lo, p->x.hi, 2);
    if (p->phase) pad(&a.lo, &a.hi);
    return taut_plot_axis(p->log_x, a.lo, a.hi, (int)(w / 85.0) + 1);
}

/* Room for the labels of all y axes. */
static double left_margin(const sheet *s) {
    double widest = 24.0;
    for (int k = 0; k < s->plot->panels; k++)
        for (int i = 0; i < s->y[k].count; i++) {
            char label[64];
            taut_axis_label(&s->y[k], i, label, sizeof label);
            widest = fmax(widest, width_of((int)strlen(label), FONT));
        }
    return widest + MARGIN + 8.0 + TITLE_FONT; /* and for the title */
}

static void lay_out_panels(sheet *s) {
    const taut_plot *p = s->plot;
    double legends = 0.0, x;
    s->width = p->width > 0 ? p->width : DEFAULT_WIDTH;
    s->top = p->title[0] ? 44.0 : 14.0;
    for (int i = 0, row; i < p->curves; i++) {
        place_entry(s, i, &x, &row);
        s->rows[p->curve[i].panel] = row + 1;
    }
    for (int k = 0; k < p->panels; k++) legends += s->rows[k] * LEGEND_ROW + 6;
    const double rest = s->top + legends + BOTTOM + 10.0 * (p->panels - 1);
    s->height = p->height > 0 ? p->height : fmax(DEFAULT_HEIGHT, rest + USUAL_PANEL * p->panels);
    const double h = fmax(LEAST_PANEL, floor((s->height - rest) / p->panels));
    s->height = fmax(s->height, rest + h * p->panels);
    for (int k = 0; k < p->panels; k++) s->y[k] = y_axis(p, k, h);
    s->left = left_margin(s);
    double y = s->top;
    for (int k = 0; k < p->panels; k++) {
        y += s->rows[k] * LEGEND_ROW + 6;
        s->box[k] = (box){s->left, y, s->width - s->left - MARGIN - 6.0, h};
        y += h + 10.0;
    }
    s->x = x_axis(p, s->box[0].w);
}

/* Widens a range about its middle to this span. */
static taut_axis stretched(const taut_axis *a, double span, double size) {
    const double middle = a->lo + (a->hi - a->lo) / 2.0;
    return taut_axis_make(middle - span / 2.0, middle + span / 2.0, (int)(size / 60.0) + 1);
}

/* Width of the legend's longest row. */
static double legend_width(const sheet *s) {
    double widest = 0.0, x;
    for (int i = 0, row; i < s->plot->curves; i++) {
        place_entry(s, i, &x, &row);
        widest = fmax(widest, x + entry_width(&s->plot->curve[i]));
    }
    return widest;
}

/* The same scale in x and y: makes the box fit the ranges, and the sheet the box. */
static void lay_out_equal(sheet *s) {
    const taut_plot *p = s->plot;
    box *b = &s->box[0];
    const double w = s->x.hi - s->x.lo, h = s->y[0].hi - s->y[0].lo;
    const double scale = fmin(b->w / w, b->h / h); /* pixels a unit */
    const double bw = fmin(b->w, fmax(w * scale, LEAST_BOX));
    const double bh = fmin(b->h, fmax(h * scale, LEAST_BOX));
    s->x = stretched(&s->x, bw / scale, bw);
    s->y[0] = stretched(&s->y[0], bh / scale, bh);
    if (p->width == 0) {
        b->w = fmin(b->w, fmax(fmax(bw, 300.0), legend_width(s)));
        s->width = ceil(b->x + b->w + MARGIN + 6.0);
    }
    if (p->height == 0)
        s->height -= b->h - bh;
    else
        b->y += (b->h - bh) / 2.0;
    b->x += (b->w - bw) / 2.0;
    b->w = bw;
    b->h = bh;
}

static void add_name(sheet *s, const taut_curve *c, int longest) {
    char name[NAME_ROOM];
    taut_plot_name(c, name, sizeof name);
    taut_markup_text(s->out, name, longest);
}

/* ---- axes ---- */

/* A label with a true minus sign. */
static void add_label(sheet *s, const taut_axis *axis, int i) {
    char label[64];
    taut_axis_label(axis, i, label, sizeof label);
    for (const char *p = label; *p; p++) taut_string_add(s->out, *p == '-' ? "&#x2212;" : "%c", *p);
}

/* What a panel shows, beside it and upwards: its only curve by name, or the unit of all of them. */
static void draw_y_title(sheet *s, int k) {
    const taut_curve *first = NULL;
    int count = 0;
    for (int i = 0; i < s->plot->curves; i++)
        if (s->plot->curve[i].panel == k && count++ == 0) first = &s->plot->curve[i];
    if (!first || (count > 1 && !first->unit[0])) return;
    const double x = TITLE_FONT, y = s->box[k].y + s->box[k].h / 2.0;
    taut_string_add(
        s->out,
        "<text class=\"y-label\" x=\"%.2f\" y=\"%.2f\" text-anchor=\"middle\" font-size=\"14\" "
        "transform=\"rotate(-90 %.2f %.2f)\">",
        x, y, x, y);
    if (count == 1) add_name(s, first, LONGEST_NAME);
    add_unit(s->out, first->unit);
    taut_string_add(s->out, "</text>\n");
}

static double at_x(const sheet *s, const box *b, double x) {
    return b->x + taut_axis_place(&s->x, x) * b->w;
}

static double at_y(const sheet *s, int k, double y) {
    return s->box[k].y + (1.0 - taut_axis_place(&s->y[k], y)) * s->box[k].h;
}

static void add_line(sheet *s, double x1, double y1, double x2, double y2) {
    taut_string_add(s->out, "<path d=\"M%.2f %.2fL%.2f %.2f\"/>\n", x1, y1, x2, y2);
}

/* Grid lines and the frame of panel k. */
static void draw_grid(sheet *s, int k) {
    const box *b = &s->box[k];
    taut_string_add(s->out, "<g stroke=\"#e3e6ea\" stroke-width=\"1\">\n");
    for (int i = 0; i < s->x.count; i++) {
        const double x = at_x(s, b, taut_axis_tick(&s->x, i));
        add_line(s, x, b->y, x, b->y + b->h);
    }
    for (int i = 0; i < s->y[k].count; i++) {
        const double y = at_y(s, k, taut_axis_tick(&s->y[k], i));
        add_line(s, b->x, y, b->x + b->w, y);
    }
    taut_string_add(s->out, "</g>\n");
    taut_string_add(s->out, "<g stroke=\"#b3b9c1\" stroke-width=\"1\">\n");
    if (s->y[k].lo < 0.0 && s->y[k].hi > 0.0)
        add_line(s, b->x, at_y(s, k, 0.0), b->x + b->w, at_y(s, k, 0.0));
    if (s->plot->phase && s->x.lo < 0.0 && s->x.hi > 0.0)
        add_line(s, at_x(s, b, 0.0), b->y, at_x(s, b, 0.0), b->y + b->h);
    taut_string_add(s->out, "</g>\n");
    taut_string_add(s->out,
                    "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"none\" "
                    "stroke=\"#6b737d\"/>\n",
                    b->x, b->y, b->w, b->h);
}

/* Lines where events happened, over all panels; the name shows under the pointer. */
static void draw_events(sheet *s) {
    const taut_notes *n = taut_result_notes(s->plot->result);
    const box *top = &s->box[0], *bottom = &s->box[s->plot->panels - 1];
    double last = -1.0;
    if (s->plot->phase || !n || n->events == 0) return;
    taut_string_add(s->out, "<g class=\"events\" stroke=\"#8a8f98\" stroke-dasharray=\"2 3\">\n");
    for (int i = 0; i < n->events; i++) {
        const double x = at_x(s, top, n->event[i].t);
        if (!(x >= top->x && x <= top->x + top->w) || fabs(x - last) < BUCKET) continue;
        last = x;
        taut_string_add(s->out, "<path d=\"M%.2f %.2fL%.2f %.2f\"><title>", x, top->y, x,
                        bottom->y + bottom->h);
        taut_markup_text(s->out, n->event[i].name, LONGEST_NAME);
        taut_string_add(s->out, "</title></path>\n");
    }
    taut_string_add(s->out, "</g>\n");
}

static void draw_y_labels(sheet *s, int k) {
    const box *b = &s->box[k];
    taut_string_add(s->out, "<g class=\"y-ticks\" text-anchor=\"end\">\n");
    for (int i = 0; i < s->y[k].count; i++) {
        taut_string_add(s->out, "<text x=\"%.2f\" y=\"%.2f\">", b->x - 8.0,
                        at_y(s, k, taut_axis_tick(&s->y[k], i)) + 4.5);
        add_label(s, &s->y[k], i);
        taut_string_add(s->out, "</text>\n");
    }
    if (s->y[k].exponent != 0) {
        taut_string_add(s->out, "<text x=\"%.2f\" y=\"%.2f\">", b->x - 8.0, b->y - 9.0);
        add_power(s->out, s->y[k].exponent);
        taut_string_add(s->out, "</text>\n");
    }
    taut_string_add(s->out, "</g>\n");
}

/* Labels of the common x axis, below the last panel. */
static void draw_x_labels(sheet *s) {
    const box *b = &s->box[s->plot->panels - 1];
    const double below = b->y + b->h;
    taut_string_add(s->out, "<g class=\"x-ticks\" text-anchor=\"middle\">\n");
    for (int i = 0; i < s->x.count; i++) {
        taut_string_add(s->out, "<text x=\"%.2f\" y=\"%.2f\">",
                        at_x(s, b, taut_axis_tick(&s->x, i)), below + 19.0);
        add_label(s, &s->x, i);
        taut_string_add(s->out, "</text>\n");
    }
    taut_string_add(s->out,
                    "</g>\n<text class=\"x-label\" x=\"%.2f\" y=\"%.2f\" "
                    "text-anchor=\"middle\" font-size=\"14\">",
                    b->x + b->w / 2.0, below + 42.0);
    add_name(s, &s->plot->x, LONGEST_NAME);
    add_unit(s->out, s->plot->x.unit);
    if (s->x.exponent != 0) {
        taut_string_add(s->out, "&#x2002;");
        add_power(s->out, s->x.exponent);
    }
    taut_string_add(s->out, "</text>\n");
}

/* ---- curves ---- */

/* A line being drawn: points are collected, and written when it breaks off. */
typedef struct pen {
    taut_string points;
    int count;
    double x, y; /* the last point */
    double first_x, first_y;
    bool waiting;        /* the points of a bucket have not been drawn yet: */
    double edge;         /* its left end */
    double bx[4], by[4]; /* first, lowest, highest, last */
    long order[4];       /* numbers of these points */
} pen;

static void pen_add(pen *p, double x, double y) {
    if (p->count == 0) {
        p->first_x = x;
        p->first_y = y;
    }
    taut_string_add(&p->points, "%s%.2f,%.2f", p->count++ ? " " : "", x, y);
    p->x = x;
    p->y = y;
}

/* Draws the first, lowest, highest and last point of a bucket in the order of their rows. */
static void pen_empty(pen *p) {
    if (!p->waiting) return;
    const bool turned = p->order[1] > p->order[2];
    const int order[4] = {0, turned ? 2 : 1, turned ? 1 : 2, 3};
    long last = -1;
    for (int i = 0; i < 4; i++) {
        const int k = order[i];
        if (p->order[k] > last) pen_add(p, p->bx[k], p->by[k]);
        last = p->order[k] > last ? p->order[k] : last;
    }
    p->waiting = false;
}

/* A point of a function of t. */
static void pen_function(pen *p, long row, double x, double y) {
    if (p->waiting && fabs(x - p->edge) >= BUCKET) pen_empty(p);
    for (int k = 0; k < 4; k++) {
        const bool keep =
            p->waiting && (k == 0 || (k == 1 && y >= p->by[1]) || (k == 2 && y <= p->by[2]));
        if (keep) continue;
        p->bx[k] = x;
        p->by[k] = y;
        p->order[k] = row;
    }
    if (!p->waiting) p->edge = x;
    p->waiting = true;
}

/* A point of any curve. */
static void pen_curve(pen *p, double x, double y, bool last) {
    if (p->count > 0 && !last && fabs(x - p->x) < NEAR && fabs(y - p->y) < NEAR) return;
    pen_add(p, x, y);
}

/* Ends the line: a polyline, or a dot for a single point. */
static void pen_lift(sheet *s, pen *p, const char *colour) {
    pen_empty(p);
    if (p->points.failed) s->out->failed = true;
    if (p->count == 1)
        taut_string_add(s->out,
                        "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"3\" fill=\"%s\" stroke=\"none\"/>\n",
                        p->x, p->y, colour);
    else if (p->count > 1)
        taut_string_add(s->out, "<polyline points=\"%s\"/>\n", p->points.text);
    taut_string_release(&p->points);
    *p = (pen){0};
}

/* Number of the curve in its panel: single curves need no dashes. */
static const char *dash_of(const taut_plot *p, int i) {
    int number = 0;
    for (int k = 0; k < i; k++) number += p->curve[k].panel == p->curve[i].panel;
    return DASH[number % DASHES];
}

static void add_stroke(sheet *s, int i) {
    const char *dash = dash_of(s->plot, i);
    taut_string_add(s->out, " fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\"",
                    COLOUR[i % COLOURS]);
    if (dash[0]) taut_string_add(s->out, " stroke-dasharray=\"%s\"", dash);
}

static void draw_curve(sheet *s, int i) {
    const taut_plot *p = s->plot;
    const taut_curve *c = &p->curve[i];
    const long rows = taut_result_rows(c->result);
    const char *colour = COLOUR[i % COLOURS];
    double x, y, start_x = 0.0, start_y = 0.0;
    bool started = false;
    pen line = {0};
    taut_string_add(s->out, "<g class=\"curve\"");
    add_stroke(s, i);
    taut_string_add(s->out, " stroke-linejoin=\"round\"><title>");
    add_name(s, c, 200);
    taut_string_add(s->out, "</title>\n");
    for (long row = 0; row < rows; row++) {
        if (!taut_plot_point(p, c, row, &x, &y)) {
            pen_lift(s, &line, colour);
            continue;
        }
        x = at_x(s, &s->box[c->panel], x);
        y = at_y(s, c->panel, y);
        if (p->phase)
            pen_curve(&line, x, y, row == rows - 1);
        else
            pen_function(&line, row, x, y);
        if (!started) {
            start_x = x;
            start_y = y;
        }
        started = true;
    }
    pen_lift(s, &line, colour);
    if (p->phase && started && rows > 1)
        taut_string_add(s->out,
                        "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"4\" fill=\"%s\" stroke=\"none\">"
                        "<title>start</title></circle>\n",
                        start_x, start_y, colour);
    taut_string_add(s->out, "</g>\n");
}

static void draw_entry(sheet *s, int i) {
    const taut_curve *c = &s->plot->curve[i];
    const box *b = &s->box[c->panel];
    double x;
    int row;
    place_entry(s, i, &x, &row);
    x += s->left;
    const double y = b->y - 6.0 - (s->rows[c->panel] - row - 0.5) * LEGEND_ROW;
    taut_string_add(s->out, "<path d=\"M%.2f %.2fh%d\"", x, y, SAMPLE);
    add_stroke(s, i);
    taut_string_add(s->out, "/><text class=\"legend\" x=\"%.2f\" y=\"%.2f\">", x + SAMPLE + 7.0,
                    y + 4.5);
    add_name(s, c, LONGEST_NAME);
    add_unit(s->out, c->unit);
    taut_string_add(s->out, "</text>\n");
}

/* ---- the picture ---- */

static void draw_heading(sheet *s) {
    const taut_plot *p = s->plot;
    taut_string_add(s->out,
                    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                    "viewBox=\"0 0 %.0f %.0f\" font-family=\"Helvetica, Arial, 'Liberation Sans', "
                    "'DejaVu Sans', sans-serif\" font-size=\"%d\" fill=\"#22272e\">\n",
                    s->width, s->height, s->width, s->height, FONT);
    taut_string_add(s->out, "<rect width=\"%.0f\" height=\"%.0f\" fill=\"#ffffff\"/>\n", s->width,
                    s->height);
    if (!p->title[0]) return;
    taut_string_add(s->out,
                    "<text class=\"title\" x=\"%.2f\" y=\"29\" text-anchor=\"middle\" "
                    "font-size=\"%d\" font-weight=\"600\">",
                    s->box[0].x + s->box[0].w / 2.0, TITLE_FONT);
    const double room =
        2.0 * fmin(s->box[0].x + s->box[0].w / 2.0, s->width - s->box[0].x - s->box[0].w / 2.0);
    taut_markup_text(s->out, p->title, (int)(room / width_of(1, TITLE_FONT)));
    taut_string_add(s->out, "</text>\n");
}

/* A run that did not reach its end says so on the plot. */
static void draw_note(sheet *s) {
    const taut_run_stats *stats = taut_result_stats(s->plot->result);
    if (stats->reached == stats->tend) return;
    taut_string_add(s->out,
                    "<text class=\"note\" x=\"%.2f\" y=\"%.2f\" text-anchor=\"end\" "
                    "fill=\"#8a1c1c\" font-style=\"italic\">stopped at t = %.6g</text>\n",
                    s->width - MARGIN, s->height - 16.0, stats->reached);
}

void taut_plot_svg(const taut_plot *plot, taut_string *out) {
    sheet s = {.out = out, .plot = plot};
    lay_out_panels(&s);
    if (plot->equal) lay_out_equal(&s);
    draw_heading(&s);
    for (int k = 0; k < plot->panels; k++) {
        draw_grid(&s, k);
        draw_y_labels(&s, k);
        draw_y_title(&s, k);
    }
    draw_x_labels(&s);
    draw_events(&s);
    for (int i = plot->curves - 1; i >= 0; i--) draw_curve(&s, i); /* the first one on top */
    for (int i = 0; i < plot->curves; i++) draw_entry(&s, i);
    draw_note(&s);
    taut_string_add(out, "</svg>\n");
}
