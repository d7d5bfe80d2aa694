/* Diagrams for pages. Coordinates are whole numbers, in half pixels at the smallest size: curves of
 * many points stay small. */
#include "out/chart.h"

#include <math.h>
#include <stdio.h>

#include "out/markup.h"
#include "out/ticks.h"

enum { WIDTH = 920, HEIGHT = 620, LEFT = 122, RIGHT = 42, TOP = 22, BOTTOM = 92, MOST_TICKS = 9 };
static const double INNER_WIDTH = WIDTH - LEFT - RIGHT, INNER_HEIGHT = HEIGHT - TOP - BOTTOM;

/* ---- axes ---- */

taut_decades taut_decades_none(void) { return (taut_decades){(double)INFINITY, -(double)INFINITY}; }

void taut_decades_see(taut_decades *d, double value) {
    if (!(value > 0.0) || !isfinite(value)) return;
    d->lo = fmin(d->lo, value);
    d->hi = fmax(d->hi, value);
}

taut_chart_axis taut_decades_axis(const taut_decades *d, const char *label) {
    double lo = 0.0, hi = 1.0;
    if (d->lo <= d->hi) {
        lo = floor(log10(d->lo) + 1e-9);
        hi = ceil(log10(d->hi) - 1e-9);
        if (hi <= lo) hi = lo + 1.0;
    }
    return (taut_chart_axis){pow(10.0, lo), pow(10.0, hi), true, label};
}

/* Where a value lies: 0 at lo, 1 at hi; never outside. */
static double place(const taut_chart_axis *a, double value) {
    double part = (value - a->lo) / (a->hi - a->lo);
    if (a->decades) part = value > 0.0 ? log10(value / a->lo) / log10(a->hi / a->lo) : 0.0;
    return fmin(fmax(part, 0.0), 1.0);
}

static int at_x(const taut_chart *c, double x) {
    return (int)lround(LEFT + place(&c->x, x) * INNER_WIDTH);
}
static int at_y(const taut_chart *c, double y) {
    return (int)lround(TOP + (1.0 - place(&c->y, y)) * INNER_HEIGHT);
}

/* A grid line and its label; decades: 10 to this power. */
static void add_tick(const taut_chart *c, bool vertical, int at, const char *label, bool power) {
    char text[80];
    if (vertical)
        taut_string_add(c->out, "<path class=\"grid\" d=\"M%d %dv%d\"/>", at, TOP,
                        (int)INNER_HEIGHT);
    else
        taut_string_add(c->out, "<path class=\"grid\" d=\"M%d %dh%d\"/>", LEFT, at,
                        (int)INNER_WIDTH);
    snprintf(text, sizeof text, power ? "10<tspan dy=\"-9\" class=\"power\">%s</tspan>" : "%s",
             label);
    taut_string_add(c->out, "<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>",
                    vertical ? "tick middle" : "tick end", vertical ? at : LEFT - 12,
                    vertical ? HEIGHT - BOTTOM + 34 : at + 8, text);
}

static void add_decades(const taut_chart *c, const taut_chart_axis *a, bool vertical) {
    const int lo = (int)lround(log10(a->lo)), hi = (int)lround(log10(a->hi));
    const int stride = (hi - lo + MOST_TICKS - 1) / MOST_TICKS;
    for (int k = hi; k >= lo; k -= stride) {
        char label[24];
        const double value = pow(10.0, k);
        snprintf(label, sizeof label, "%s%d", k < 0 ? "\xe2\x88\x92" : "", k < 0 ? -k : k);
        add_tick(c, vertical, vertical ? at_x(c, value) : at_y(c, value), label, true);
    }
}

static void add_linear(const taut_chart *c, const taut_chart_axis *a, bool vertical) {
    const taut_axis axis = taut_axis_make(a->lo, a->hi, MOST_TICKS);
    for (int i = 0; i < axis.count; i++) {
        char label[80];
        const double value = taut_axis_tick(&axis, i);
        taut_axis_label(&axis, i, label, sizeof label - 8);
        if (axis.exponent != 0 && taut_axis_tick(&axis, i) != 0.0) {
            char number[64];
            taut_axis_label(&axis, i, number, sizeof number);
            snprintf(label, sizeof label, "%.60se%d", number, axis.exponent);
        }
        add_tick(c, vertical, vertical ? at_x(c, value) : at_y(c, value), label, false);
    }
}

static void add_axis(const taut_chart *c, const taut_chart_axis *a, bool vertical) {
    if (a->decades)
        add_decades(c, a, vertical);
    else
        add_linear(c, a, vertical);
}

void taut_chart_begin(const taut_chart *c, const char *describe) {
    taut_string_add(c->out, "<svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"",
                    WIDTH, HEIGHT);
    taut_markup_text(c->out, describe, 300);
    taut_string_add(c->out, "\">");
    add_axis(c, &c->x, true);
    add_axis(c, &c->y, false);
    taut_string_add(c->out, "<rect class=\"frame\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>",
                    LEFT, TOP, (int)INNER_WIDTH, (int)INNER_HEIGHT);
    taut_string_add(c->out, "<text class=\"label middle\" x=\"%d\" y=\"%d\">%s</text>",
                    LEFT + (int)INNER_WIDTH / 2, HEIGHT - 14, c->x.label);
    taut_string_add(c->out,
                    "<text class=\"label middle\" transform=\"translate(26 %d) "
                    "rotate(-90)\">%s</text>\n",
                    TOP + (int)INNER_HEIGHT / 2, c->y.label);
}

void taut_chart_end(const taut_chart *c) { taut_string_add(c->out, "</svg>\n"); }

/* ---- what is in it ---- */

static void open_group(const taut_chart *c, const char *kind, const char *classes,
                       const char *title) {
    taut_string_add(c->out, "<g class=\"%s %s\"><title>", kind, classes);
    taut_markup_text(c->out, title, 300);
    taut_string_add(c->out, "</title>");
}

void taut_chart_curve(const taut_chart *c, const char *classes, const char *title, const double *x,
                      const double *y, int count) {
    int px = 0, py = 0;
    bool down = false; /* the pen */
    open_group(c, "curve", classes, title);
    taut_string_add(c->out, "<path d=\"");
    for (int i = 0; i < count; i++) {
        if (!isfinite(x[i]) || !isfinite(y[i])) {
            down = false;
            continue;
        }
        const int qx = at_x(c, x[i]), qy = at_y(c, y[i]);
        if (down)
            taut_string_add(c->out, qy < py ? "l%d%d" : "l%d %d", qx - px, qy - py);
        else
            taut_string_add(c->out, "M%d %d", qx, qy);
        px = qx;
        py = qy;
        down = true;
    }
    taut_string_add(c->out, "\"/></g>\n");
}

void taut_chart_shape(taut_string *out, double x, double y, int shape) {
    static const char *const path[] = {"", "m-8-8h16v16h-16z", "m0-11l10 17h-20z",
                                       "m0-11l11 11-11 11-11-11z"};
    const int px = (int)lround(x), py = (int)lround(y);
    if (shape > 0 && shape < 4)
        taut_string_add(out, "<path class=\"mark\" d=\"M%d %d%s\"/>", px, py, path[shape]);
    else
        taut_string_add(out, "<circle class=\"mark\" cx=\"%d\" cy=\"%d\" r=\"9\"/>", px, py);
}

void taut_chart_point(const taut_chart *c, const char *classes, const char *title, double x,
                      double y, int shape) {
    if (!isfinite(x) || !isfinite(y)) return;
    open_group(c, "point", classes, title);
    taut_chart_shape(c->out, at_x(c, x), at_y(c, y), shape);
    taut_string_add(c->out, "</g>\n");
}
