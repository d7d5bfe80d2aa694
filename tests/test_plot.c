/* Plots: ticks against numbers worked out by hand, SVG as XML with its points where they belong,
 * and characters in the right cells. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "out/ticks.h"
#include "program.h"
#include "task/result.h"

/* ---- ticks ---- */

static void assert_ticks(double lo, double hi, int most, const char *expected) {
    const taut_axis a = taut_axis_make(lo, hi, most);
    char text[400] = "", label[64];
    for (int i = 0; i < a.count; i++) {
        taut_axis_label(&a, i, label, sizeof label);
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i ? " " : "", label);
    }
    if (a.exponent) snprintf(text + strlen(text), sizeof text - strlen(text), " e%d", a.exponent);
    assert_string_equal(text, expected);
}

static void test_ticks_of_known_ranges(void **state) {
    (void)state;
    assert_ticks(0, 10, 11, "0 1 2 3 4 5 6 7 8 9 10");
    assert_ticks(0, 10, 10, "0 2 4 6 8 10");
    assert_ticks(0, 10, 5, "0 5 10");
    assert_ticks(0, 1, 6, "0.0 0.2 0.4 0.6 0.8 1.0");
    assert_ticks(-1, 1, 5, "-1.0 -0.5 0.0 0.5 1.0");
    assert_ticks(-3.05, -2.92, 4, "-3.05 -3.00 -2.95");
    assert_ticks(0.1, 0.3, 3, "0.1 0.2 0.3");
    assert_ticks(99.9, 100.4, 6, "99.9 100.0 100.1 100.2 100.3 100.4");
    assert_ticks(0, 0.03, 7, "0.000 0.005 0.010 0.015 0.020 0.025 0.030");
    assert_ticks(0, 0.003, 4, "0 1 2 3 e-3");
    assert_ticks(0, 99999, 6, "0 20000 40000 60000 80000");
    assert_ticks(0, 2.5e6, 6, "0.0 0.5 1.0 1.5 2.0 2.5 e6");
    assert_ticks(-4e-12, 2e-12, 4, "-4 -2 0 2 e-12");
    assert_ticks(-2e-17, 3e-17, 2, "-2 0 2 e-17");
    assert_ticks(1.1, 1.9, 2, "1.2 1.4 1.6 1.8");  /* 0.5 would leave one */
    assert_ticks(0, 1e308, 3, "0.0 0.5 1.0 e300"); /* cut at 1e300 */
}

static void test_ticks_of_empty_ranges(void **state) {
    (void)state;
    taut_axis a = taut_axis_make(0, 0, 5);
    assert_near(a.lo, -1, 0, 0);
    assert_near(a.hi, 1, 0, 0);
    a = taut_axis_make(5, 5, 5);
    assert_true(a.lo < 5 && a.hi > 5 && a.hi - a.lo < 1e-4 && a.count >= 2);
    a = taut_axis_make(1e-310, 2e-310, 5); /* as good as 0 */
    assert_near(a.hi - a.lo, 2, 1e-12, 0);
    a = taut_axis_make(1e5, 1e5 * (1 + 1e-15), 5);
    assert_true(a.count >= 2);
}

/* xorshift; the same numbers everywhere */
static double random_number(unsigned long long *seed) {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (double)(*seed >> 11) * 0x1p-53;
}

static void test_ticks_of_any_range_are_round_and_inside(void **state) {
    (void)state;
    unsigned long long seed = 12345;
    for (int round = 0; round < 20000; round++) {
        const double size = pow(10.0, 40.0 * random_number(&seed) - 20.0);
        const double lo = size * (random_number(&seed) - 0.5);
        const double hi = lo + size * pow(10.0, -4.0 * random_number(&seed));
        const int most = 2 + (int)(12.0 * random_number(&seed));
        const taut_axis a = taut_axis_make(lo, hi, most);
        const double step = a.unit * pow(10.0, a.power), slack = 1e-8 * step;
        assert_true(a.unit == 1 || a.unit == 2 || a.unit == 5);
        assert_true(a.count >= 2 && a.count <= (most < 5 ? 5 : most));
        assert_true((a.hi - a.lo) / step < a.count + 1);
        /* the next finer step, at least 2/5 of this one, would give more than `most` */
        assert_true(step <= 2.5 * (a.hi - a.lo) / most * (1.0 + 1e-6));
        for (int i = 0; i < a.count; i++) {
            char label[64];
            const double tick = taut_axis_tick(&a, i);
            taut_axis_label(&a, i, label, sizeof label);
            assert_true(tick >= a.lo - slack && tick <= a.hi + slack);
            assert_near(strtod(label, NULL) * pow(10.0, a.exponent), tick, slack, 0);
            assert_null(strstr(label, "-0.00000000"));
            assert_true(strlen(label) <= 9);
        }
    }
}

static void test_axis_places_values_between_0_and_1(void **state) {
    (void)state;
    const taut_axis a = taut_axis_make(-2, 6, 5);
    assert_near(taut_axis_place(&a, -2), 0, 0, 0);
    assert_near(taut_axis_place(&a, 0), 0.25, 1e-15, 0);
    assert_near(taut_axis_place(&a, 6), 1, 0, 0);
    assert_near(taut_axis_place(&a, 7), 1, 0, 0);
    assert_near(taut_axis_place(&a, -1e300), 0, 0, 0);
}

/* ---- results made by hand ---- */

typedef double (*function)(double t);

/* Columns t and others as functions of t, in equal steps. */
static taut_result *make_result(const char *const *name, const function *value, int columns,
                                double t0, double tend, long rows) {
    taut_result *r;
    assert_int_equal(taut_result_create(columns + 1, &r), TAUT_OK);
    r->name[0] = "t";
    for (int c = 0; c < columns; c++) r->name[c + 1] = name[c];
    for (long i = 0; i < rows; i++) {
        double *row = taut_result_add_row(r);
        row[0] = rows > 1 ? t0 + (tend - t0) * (double)i / (double)(rows - 1) : t0;
        for (int c = 0; c < columns; c++) row[c + 1] = value[c](row[0]);
    }
    r->stats.t0 = t0;
    r->stats.tend = r->stats.reached = tend;
    return r;
}

static double same(double t) { return t; }
static double large(double t) { return 1e4 * sin(t); }
static double gap(double t) { return t > 4.0 && t < 6.0 ? (double)NAN : t; }
static double needle(double t) { return fabs(t - 5.0) < 1e-9 ? 10.0 : 0.0; }
static double constant(double t) { return 0.5 + 0.0 * t; }

static char *draw(const taut_result *r, const taut_plot_options *options) {
    char *text = NULL;
    assert_int_equal(taut_plot_draw(NULL, r, options, &text, NULL), TAUT_OK);
    return text;
}

static taut_plot_options options_of(const char *const *name, int columns) {
    taut_plot_options o = taut_plot_options_default();
    o.column = name;
    o.columns = columns;
    o.title = "test";
    return o;
}

/* ---- SVG ---- */

/* Fails unless this is one XML element with balanced tags, quoted attributes and known entities. */
static void assert_xml(const char *text) {
    static char open[100][20];
    int depth = 0, roots = 0;
    for (const char *p = text; *p;) {
        if (*p == '&') {
            const size_t n = strcspn(p, ";");
            assert_true(p[n] == ';' && n >= 3 && n <= 8);
            assert_true(p[1] == '#' || !strncmp(p, "&amp;", 5) || !strncmp(p, "&lt;", 4) ||
                        !strncmp(p, "&gt;", 4) || !strncmp(p, "&quot;", 6));
            p += n;
        } else if (*p != '<') {
            assert_true(*p != '>' && ((unsigned char)*p >= 0x20 || *p == '\n'));
            assert_true(depth > 0 || *p == '\n');
            p++;
        } else if (p[1] == '/') {
            const size_t n = strcspn(p, ">");
            assert_true(depth > 0);
            depth--;
            assert_int_equal(strlen(open[depth]), n - 2);
            assert_int_equal(strncmp(open[depth], p + 2, n - 2), 0);
            p += n + 1;
        } else {
            const size_t n = strcspn(++p, " />");
            assert_true(n > 0 && n < 20 && depth < 100);
            snprintf(open[depth], sizeof open[0], "%.*s", (int)n, p);
            roots += depth == 0;
            for (p += n; *p == ' ';) { /* attributes */
                p += strspn(p, " ");
                p += strcspn(p, "=");
                assert_int_equal(strncmp(p, "=\"", 2), 0);
                p += 2;
                const size_t value = strcspn(p, "\"");
                assert_null(memchr(p, '<', value));
                p += value;
                assert_int_equal(*p++, '"');
            }
            if (*p == '/')
                p++;
            else
                depth++;
            assert_int_equal(*p++, '>');
        }
    }
    assert_int_equal(depth, 0);
    assert_int_equal(roots, 1);
}

static int count(const char *text, const char *part) {
    int n = 0;
    const char *p = text;
    while ((p = strstr(p, part)) != NULL) {
        p++;
        n++;
    }
    return n;
}

static double attribute(const char *element, const char *name) {
    char key[40];
    snprintf(key, sizeof key, " %s=\"", name);
    const char *p = strstr(element, key);
    assert_non_null(p);
    return strtod(p + strlen(key), NULL);
}

/* Points of the polyline at `text`, which points behind points="; returns how many. */
static int read_points(const char *text, double (*point)[2], int most) {
    int n = 0;
    while (*text != '"') {
        char *end;
        assert_true(n < most);
        point[n][0] = strtod(text, &end);
        assert_int_equal(*end, ',');
        point[n++][1] = strtod(end + 1, &end);
        text = end + strspn(end, " ");
    }
    return n;
}

enum { MOST_POINTS = 10000 };
static double point[MOST_POINTS][2];

/* Checks the whole picture: XML, and all points inside the frame of some panel. */
static void assert_picture(const char *svg) {
    assert_xml(svg);
    double w, h;
    assert_int_equal(sscanf(strstr(svg, "viewBox"), "viewBox=\"0 0 %lf %lf\"", &w, &h), 2);
    for (const char *p = strstr(svg, "points=\""); p; p = strstr(p, "points=\"")) {
        p += strlen("points=\"");
        const int n = read_points(p, point, MOST_POINTS);
        assert_true(n > 1);
        for (int i = 0; i < n; i++) {
            bool inside = false;
            const char *frame = strstr(svg, "<rect x=");
            for (; frame; frame = strstr(frame + 1, "<rect x=")) {
                const double x = attribute(frame, "x"), y = attribute(frame, "y");
                const double fw = attribute(frame, "width"), fh = attribute(frame, "height");
                assert_true(x >= 0 && y >= 0 && x + fw <= w && y + fh <= h);
                if (point[i][0] >= x - 0.01 && point[i][0] <= x + fw + 0.01 &&
                    point[i][1] >= y - 0.01 && point[i][1] <= y + fh + 0.01)
                    inside = true;
            }
            assert_true(inside);
        }
    }
}

static void test_svg_has_its_points_where_they_belong(void **state) {
    (void)state;
    static const char *const name[] = {"a"};
    static const function f[] = {same};
    taut_result *r = make_result(name, f, 1, 0, 10, 11);
    const taut_plot_options o = options_of(name, 1);
    char *svg = draw(r, &o);
    assert_picture(svg);
    assert_non_null(strstr(svg, "width=\"900\" height=\"540\" viewBox=\"0 0 900 540\""));
    const char *frame = strstr(svg, "<rect x=");
    const double x = attribute(frame, "x"), y = attribute(frame, "y");
    const double w = attribute(frame, "width"), h = attribute(frame, "height");
    assert_int_equal(read_points(strstr(svg, "points=\"") + 8, point, MOST_POINTS), 11);
    for (int i = 0; i < 11; i++) { /* 4 % of the range are free above and below */
        assert_near(point[i][0], x + w * i / 10.0, 0.011, 0);
        assert_near(point[i][1], y + h * (1.0 - (0.04 + 0.1 * i) / 1.08), 0.011, 0);
    }
    assert_non_null(strstr(svg, ">test</text>"));
    assert_non_null(strstr(svg, ">t</text>"));
    assert_non_null(strstr(svg, ">10</text>"));
    taut_text_free(&svg);
    taut_result_free(&r);
}

static void test_svg_escapes_hostile_names_and_titles(void **state) {
    (void)state;
    static const char *const name[] = {"</text><script>alert(1)</script>", "\"'&<>\x01\x7f",
                                       "\xff\xfe\xc3", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"};
    static const function f[] = {same, sin, cos, constant};
    taut_result *r = make_result(name, f, 4, 0, 10, 100);
    taut_plot_options o = options_of(name, 4);
    o.title = "]]>\n<!-- & \"title\" --> \x1b[31m";
    o.against = name[1];
    char *svg = draw(r, &o);
    assert_picture(svg);
    assert_null(strstr(svg, "<script"));
    assert_null(strstr(svg, "<!--"));
    assert_non_null(strstr(svg, "&lt;/text&gt;&lt;script&gt;alert(1)"));
    assert_non_null(strstr(svg, "&#xe4;&#x20ac;&#x1f600;"));
    assert_non_null(strstr(svg, "]]&gt; &lt;!-- &amp; &quot;title&quot; --&gt; &#xfffd;[31m"));
    taut_text_free(&svg);
    taut_result_free(&r);
}

static void test_svg_puts_different_scales_into_panels(void **state) {
    (void)state;
    static const char *const name[] = {"a", "b", "c", "d"};
    static const function f[] = {sin, large, cos, constant};
    taut_result *r = make_result(name, f, 4, 0, 10, 500);
    taut_plot_options o = options_of(name, 4);
    char *svg = draw(r, &o);
    assert_picture(svg);
    assert_int_equal(count(svg, "<rect x="), 2); /* a, c and d; b */
    assert_int_equal(count(svg, "class=\"curve\""), 4);
    assert_int_equal(count(svg, "class=\"legend\""), 4);
    /* in one panel, all are different; d and c lie with a, b is alone and needs no dashes */
    assert_int_equal(count(svg, "stroke-dasharray=\"9 4\""), 2);
    assert_int_equal(count(svg, "stroke-dasharray=\"2.5 3\""), 2);
    assert_int_equal(count(svg, "stroke=\"#0063a6\""), 2); /* curve and legend */
    taut_text_free(&svg);
    o.panels = true;
    svg = draw(r, &o);
    assert_picture(svg);
    assert_int_equal(count(svg, "<rect x="), 4);
    assert_int_equal(count(svg, "stroke-dasharray"), 0);
    taut_text_free(&svg);
    o.width = 200; /* higher than asked for, rather than panels of no height */
    o.height = 150;
    svg = draw(r, &o);
    assert_picture(svg);
    taut_text_free(&svg);
    taut_result_free(&r);
}

static void test_svg_breaks_lines_at_gaps(void **state) {
    (void)state;
    static const char *const name[] = {"a"};
    static const function f[] = {gap};
    const taut_plot_options o = options_of(name, 1);
    taut_result *r = make_result(name, f, 1, 0, 10, 101);
    char *svg = draw(r, &o);
    assert_picture(svg);
    assert_int_equal(count(svg, "<polyline"), 2);
    taut_text_free(&svg);
    taut_result_free(&r);
    for (long rows = 0; rows < 2; rows++) { /* nothing, and one point */
        r = make_result(name, f, 1, 0, 0, rows);
        svg = draw(r, &o);
        assert_picture(svg);
        assert_int_equal(count(svg, "<polyline"), 0);
        assert_int_equal(count(svg, "<circle"), rows);
        taut_text_free(&svg);
        taut_result_free(&r);
    }
}

static void test_svg_of_many_rows_is_small_and_keeps_extremes(void **state) {
    (void)state;
    static const char *const name[] = {"a"};
    static const function f[] = {needle};
    taut_result *r = make_result(name, f, 1, 0, 10, 200001);
    const taut_plot_options o = options_of(name, 1);
    char *svg = draw(r, &o);
    assert_picture(svg);
    assert_true(strlen(svg) < 150000);
    const char *frame = strstr(svg, "<rect x=");
    const double y = attribute(frame, "y"), h = attribute(frame, "height");
    const int n = read_points(strstr(svg, "points=\"") + 8, point, MOST_POINTS);
    double top = 1e9;
    for (int i = 0; i < n; i++) top = fmin(top, point[i][1]);
    assert_near(top, y + h * 0.04 / 1.08, 0.011, 0);
    taut_text_free(&svg);
    taut_result_free(&r);
}

static void test_svg_of_a_circle_is_round(void **state) {
    (void)state;
    static const char *const name[] = {"x", "y"};
    static const function f[] = {cos, sin};
    static const int size[][2] = {{0, 0}, {900, 300}, {300, 900}};
    taut_result *r = make_result(name, f, 2, 0, 6.3, 2000);
    taut_plot_options o = options_of(name + 1, 1);
    o.against = "x";
    o.equal = true;
    for (int k = 0; k < 3; k++) {
        double lo[2] = {1e9, 1e9}, hi[2] = {-1e9, -1e9};
        o.width = size[k][0];
        o.height = size[k][1];
        char *svg = draw(r, &o);
        assert_picture(svg);
        const int n = read_points(strstr(svg, "points=\"") + 8, point, MOST_POINTS);
        for (int i = 0; i < n; i++)
            for (int d = 0; d < 2; d++) {
                lo[d] = fmin(lo[d], point[i][d]);
                hi[d] = fmax(hi[d], point[i][d]);
            }
        assert_true(hi[0] - lo[0] > 100);
        assert_near(hi[0] - lo[0], hi[1] - lo[1], 0.3, 0);
        taut_text_free(&svg);
    }
    taut_result_free(&r);
}

static void test_svg_survives_any_numbers(void **state) {
    (void)state;
    static const double odd[] = {
        (double)NAN, (double)INFINITY, -(double)INFINITY, 1.7e308, -1.7e308, 5e-324, 0, -0.0, 1};
    static const char *const name[] = {"a", "b"};
    for (int i = 0; i < 9; i++)
        for (int k = 0; k < 9; k++) {
            taut_result *r;
            assert_int_equal(taut_result_create(3, &r), TAUT_OK);
            r->name[0] = "t";
            r->name[1] = name[0];
            r->name[2] = name[1];
            for (int row = 0; row < 4; row++) {
                double *value = taut_result_add_row(r);
                value[0] = row;
                value[1] = row % 2 ? odd[i] : odd[k];
                value[2] = row % 3 ? odd[k] : odd[i];
            }
            taut_plot_options o = options_of(name, 2);
            for (int way = 0; way < 8; way++) {
                o.against = way & 1 ? "b" : NULL;
                o.equal = way & 2;
                o.text = way & 4;
                char *text = draw(r, &o);
                if (!o.text) assert_picture(text);
                taut_text_free(&text);
            }
            taut_result_free(&r);
        }
}

/* ---- characters ---- */

/* Line number k of a text; its length in *n. */
static const char *line_of(const char *text, int k, size_t *n) {
    for (; k > 0; k--) text = strchr(text, '\n') + 1;
    *n = strcspn(text, "\n");
    return text;
}

static void test_ascii_has_extremes_in_the_right_cells(void **state) {
    (void)state;
    static const char *const name[] = {"c"};
    static const function f[] = {cos};
    taut_result *r = make_result(name, f, 1, 0, 2 * M_PI, 1001);
    taut_plot_options o = options_of(name, 1);
    o.text = true;
    o.unicode = false;
    o.width = 6 + 41; /* labels of 4, a blank, the axis, 41 cells */
    o.height = 5 + 11;
    char *text = draw(r, &o);
    size_t n;
    assert_int_equal(count(text, "\n"), 16);
    assert_int_equal(strncmp(text, "test\n      * c\n", 15), 0);
    const char *top = line_of(text, 2, &n);
    assert_int_equal(strncmp(top, "   1 +*", 7), 0); /* cos is 1 at both ends, */
    assert_int_equal(n, 6 + 41);
    assert_int_equal(top[6 + 40], '*');
    assert_int_equal(top[6 + 20], ' ');
    const char *bottom = line_of(text, 2 + 10, &n);
    assert_int_equal(strncmp(bottom, "  -1 + ", 7), 0);
    assert_int_equal(bottom[6 + 20], '*'); /* -1 in the middle, */
    assert_true(n < 6 + 30);
    const char *middle = line_of(text, 2 + 5, &n);
    assert_int_equal(strncmp(middle, "   0 +", 6), 0);
    assert_int_equal(middle[6 + 10], '*'); /* and 0 at a quarter and at three */
    assert_int_equal(middle[6 + 30], '*');
    assert_int_equal(count(text, "\n     ++"), 1);
    for (const char *p = text; *p; p++) assert_true((unsigned char)*p < 0x80);
    taut_text_free(&text);
    taut_result_free(&r);
}

static void test_ascii_tells_curves_apart(void **state) {
    (void)state;
    static const char *const name[] = {"a", "b", "c", "d"};
    static const function f[] = {cos, sin, same, same};
    taut_result *r = make_result(name, f, 4, 0, 1, 101);
    taut_plot_options o = options_of(name, 4);
    o.text = true;
    o.unicode = false;
    char *text = draw(r, &o);
    assert_non_null(strstr(text, "* a   o b   + c   x d\n"));
    assert_true(count(text, "*") > 20 && count(text, "o") > 20);
    assert_true(count(text, "+") > 20 && count(text, "x") > 20); /* c and d take turns */
    taut_text_free(&text);
    taut_result_free(&r);
}

/* A diagonal of 48 by 48 dots. */
static void test_braille_has_a_dot_for_every_point(void **state) {
    (void)state;
    static const char *const name[] = {"a"};
    static const function f[] = {same};
    taut_result *r = make_result(name, f, 1, 0, 1, 1001);
    taut_plot_options o = options_of(name, 1);
    o.text = true;
    o.width = 6 + 24;
    o.height = 5 + 12;
    char *text = draw(r, &o);
    int dots = 0;
    for (const unsigned char *p = (const unsigned char *)text; *p; p++)
        if (p[0] == 0xe2 && p[1] >= 0xa0 && p[1] < 0xa4) {
            for (unsigned bits = (p[1] - 0xa0u) << 6 | (p[2] & 0x3fu); bits; bits &= bits - 1)
                dots++;
        }
    assert_int_equal(dots, 48);
    taut_text_free(&text);
    taut_result_free(&r);
}

static void test_ascii_shows_no_control_characters(void **state) {
    (void)state;
    static const char *const name[] = {"a\x1b[2J\xc2\x9b"
                                       "b\xc3\xa4"};
    static const function f[] = {same};
    taut_result *r = make_result(name, f, 1, 0, 1, 10);
    taut_plot_options o = options_of(name, 1);
    o.text = true;
    o.title = "\a\b\x7f two\nlines";
    char *text = draw(r, &o);
    assert_int_equal(strncmp(text, "??? two lines\n", 14), 0);
    assert_non_null(strstr(text, "a?[2J?b\xc3\xa4\n"));
    taut_text_free(&text);
    o.unicode = false;
    text = draw(r, &o);
    for (const char *p = text; *p; p++) assert_true((*p >= 0x20 && *p < 0x7f) || *p == '\n');
    taut_text_free(&text);
    taut_result_free(&r);
}

/* Marks in the colours of terminals, and events on the axis where they are. */
static void test_ascii_has_colours_and_events(void **state) {
    (void)state;
    static const char *const name[] = {"x", "v"};
    taut_model *model = NULL;
    taut_result *r = NULL;
    taut_run_options run = taut_run_options_default();
    run.every = TAUT_FOR_SCREEN;
    assert_int_equal(taut_model_parse("m.yaml",
                                      "DAE: {Variables: [x, v], Equations: [x' - 1, v' - 2]}\n"
                                      "Events: {half: {When: x - 0.5}}\n"
                                      "ProblemData: {tend: 1, positions: {x: 0, v: 0}}\n",
                                      -1, &model, NULL),
                     TAUT_OK);
    assert_int_equal(taut_simulate(model, &run, &r, NULL), TAUT_OK);
    taut_plot_options o = options_of(name, 2);
    o.text = true;
    o.unicode = false;
    o.width = 6 + 41;
    o.height = 5 + 11;
    char *plain = draw(r, &o);
    o.colour = true;
    char *text = draw(r, &o);
    assert_non_null(strstr(text, "\033[34m*\033[0m x   \033[31mo\033[0m v\n"));
    assert_null(strchr(plain, '\033'));
    /* without its colours it is the same picture */
    size_t n = 0;
    for (const char *p = text; *p; p++) {
        if (*p == '\033')
            p = strchr(p, 'm');
        else
            assert_int_equal(*p, plain[n++]);
    }
    assert_int_equal(plain[n], '\0');
    size_t length;
    const char *axis = line_of(plain, 2 + 11, &length); /* under the 11 rows, from column 5 on */
    assert_int_equal(axis[5 + 1 + 20], '*');            /* in the middle, and nowhere else */
    for (size_t i = 0; i < length; i++) assert_true(axis[i] != '*' || i == 5 + 1 + 20);
    taut_text_free(&plain);
    taut_text_free(&text);
    taut_result_free(&r);
    taut_model_free(&model);
}

/* Names that do not fit beside each other go into further rows, all of them inside. */
static void test_svg_legends_have_rows(void **state) {
    (void)state;
    static const char *const name[] = {"the_first_name_that_takes_room", "b",
                                       "the_third_name_that_takes", "d"};
    static const function f[] = {cos, sin, same, constant};
    taut_result *r = make_result(name, f, 4, 0, 1, 11);
    taut_plot_options o = options_of(name, 4);
    o.width = 420;
    o.height = 300;
    char *text = draw(r, &o);
    assert_xml(text);
    double y[4];
    for (int i = 0; i < 4; i++) {
        char end[60];
        snprintf(end, sizeof end, ">%s</text>", name[i]);
        const char *at = strstr(text, end);
        assert_non_null(at);
        while (strncmp(at, "<text", 5) != 0) at--;
        const double x = strtod(strstr(at, "x=\"") + 3, NULL);
        y[i] = strtod(strstr(at, " y=\"") + 4, NULL);
        assert_true(x > 0.0 && x < 420.0 - 6.0 * (double)strlen(name[i]));
    }
    assert_true(y[1] > y[0] && y[2] == y[1] && y[3] > y[2]);
    taut_text_free(&text);
    taut_result_free(&r);
}

static void test_plots_that_make_no_sense_are_refused(void **state) {
    (void)state;
    enum { MANY = 60 };
    static const char *const wanted[] = {"nobody"};
    char text[MANY][40];
    const char *name[MANY];
    function f[MANY];
    taut_errors errors = {0};
    for (int i = 0; i < MANY; i++) {
        snprintf(text[i], sizeof text[i], "a_column_of_many_others_%d", i);
        name[i] = text[i];
        f[i] = same;
    }
    taut_result *r = make_result(name, f, MANY, 0, 1, 3);
    taut_plot_options o = options_of(wanted, 1);
    assert_int_equal(taut_plot_check(r, &o, &errors), TAUT_ERR_CALL);
    const char *message = errors.item[0].message;
    static const char begin[] = "there is no column 'nobody'; the columns are t, "
                                "a_column_of_many_others_0, a_column_of_many_others_1, ";
    assert_memory_equal(message, begin, strlen(begin));
    assert_true(strlen(message) < 800); /* not all of them */
    assert_string_equal(message + strlen(message) - 5, ", ...");
    o.column = name;
    assert_int_equal(taut_plot_check(r, &o, &errors), TAUT_OK);
    o.mores = 1; /* and no results */
    assert_int_equal(taut_plot_check(r, &o, &errors), TAUT_ERR_CALL);
    assert_string_equal(errors.item[1].message,
                        "options.more and options.label: [mores] and [1 + mores]");
    o.mores = 0;
    o.equal = o.log_y = true;
    assert_int_equal(taut_plot_check(r, &o, &errors), TAUT_ERR_CALL);
    assert_string_equal(errors.item[2].message,
                        "logarithmic axes cannot have one scale: leave out options.equal");
    taut_result_free(&r);
}

/* ---- the program ---- */

static const char OSCILLATOR[] = "Title: oscillator & <more>\n"
                                 "PhysicalParams: {w: 1}\n"
                                 "DAE: {Variables: [x, y], Equations: [x'' + w^2*x, y - x^2]}\n"
                                 "ProblemData: {tend: 10, positions: {x: 1}, velocities: {x: 0}}\n";

static void call(program_result *r, const char *command, int code) {
    program_call(r, command);
    if (r->code != code) fail_msg("taut %s ends with %d:\n%s%s", command, r->code, r->out, r->err);
}

static void test_plot_writes_svg_beside_and_tells_so(void **state) {
    (void)state;
    program_result r;
    char files[200];
    program_write("m.yaml", OSCILLATOR, -1);
    call(&r, "plot m.yaml x y", 0);
    assert_string_equal(r.err, "");
    assert_non_null(strstr(r.out, "x, y over t in m.svg\n"));
    assert_int_equal(program_list(files, sizeof files), 2);
    program_release(&r);
    char *svg = program_read("m.svg");
    assert_picture(svg);
    assert_non_null(strstr(svg, ">oscillator &amp; &lt;more&gt;</text>"));
    free(svg);
    call(&r, "plot --size 640x400 m.yaml x --quiet -o p.svg --tend 5 --set w=2 --tol 1e-6", 0);
    assert_string_equal(r.out, "");
    svg = program_read("p.svg");
    assert_picture(svg);
    assert_non_null(strstr(svg, "viewBox=\"0 0 640 400\""));
    assert_non_null(strstr(svg, ">5</text>"));
    free(svg);
    program_release(&r);
    call(&r, "plot m.yaml x -o - --stats s.json", 0);
    assert_xml(r.out);
    assert_true(program_exists("s.json"));
    program_release(&r);
}

static void test_plot_raises_derivatives_to_the_primes(void **state) {
    (void)state;
    program_result r;
    program_write("m.yaml", OSCILLATOR, -1);
    call(&r, "plot m.yaml x''' --against x'' -o - --quiet", 0);
    assert_picture(r.out);
    assert_non_null(strstr(r.out, ">x'''</text>"));
    assert_non_null(strstr(r.out, ">x''</text>"));
    program_release(&r);
}

static void test_plot_of_unknown_columns_tells_the_known(void **state) {
    (void)state;
    static const struct {
        const char *command, *part[3];
    } bad[] = {
        {"plot m.yaml xx",
         {"no column 'xx'; did you mean x or x'?", "the columns are t, x, y", "primes"}},
        {"plot m.yaml x yy", {"no column 'yy'; did you mean y"}},
        {"plot m.yaml x --against frequency", {"no column 'frequency'; the columns are t, x, y"}},
        {"plot m.yaml", {"say which columns to draw; the columns are t, x, y"}},
        {"plot m.yaml x -o p.jpg", {"ends in .svg"}},
        {"plot m.yaml x -o m.yaml", {".svg"}},
        {"plot m.yaml x -o none/p.svg", {"there is no folder"}},
        {"plot m.yaml x --size 100", {"as in 900x540"}},
        {"plot m.yaml x --size 10x10", {"the size is from 200x150"}},
        {"plot m.yaml x --size 900x-5", {"as in 900x540"}},
        {"plot m.yaml x y x' y' t --ascii", {"at most 4 columns"}},
        {"plot m.yaml x --ascii -o p.svg", {"--ascii draws on the standard output"}},
        {"plot m.yaml x --digits 3", {"--digits is an option of taut run"}},
        {"plot m.yaml x --at 11", {"outside the time span"}},
        {"run m.yaml --ascii", {"--ascii is an option of taut plot"}},
        {"run m.yaml x", {"one file at a time"}},
        {"plot", {"which file? taut plot FILE"}},
        {"plot none.yaml x", {"none.yaml"}},
    };
    char files[200];
    program_write("m.yaml", OSCILLATOR, -1);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        program_result r;
        call(&r, bad[i].command, 2);
        assert_string_equal(r.out, "");
        for (int k = 0; k < 3 && bad[i].part[k]; k++)
            if (!strstr(r.err, bad[i].part[k])) fail_msg("no '%s' in:\n%s", bad[i].part[k], r.err);
        program_release(&r);
    }
    assert_int_equal(program_list(files, sizeof files), 1);
}

static void test_plot_of_a_failed_run_shows_what_was_computed(void **state) {
    (void)state;
    program_result r;
    program_write("m.yaml",
                  "DAE: {Variables: [x], Equations: [x' - x^2]}\n"
                  "ProblemData: {tend: 2, positions: {x: 1}}\n",
                  -1);
    call(&r, "plot m.yaml x", 1);
    assert_non_null(strstr(r.err, "stopped: the step size collapsed"));
    program_release(&r);
    char *svg = program_read("m.svg");
    assert_picture(svg);
    assert_non_null(strstr(svg, ">stopped at t = 1</text>"));
    free(svg);
    call(&r, "plot m.yaml x --ascii", 1);
    assert_true(count(r.out, "\n") > 15);
    program_release(&r);
}

static void test_plot_goes_by_the_locale(void **state) {
    (void)state;
    program_result r;
    program_write("m.yaml", OSCILLATOR, -1);
    setenv("COLUMNS", "60", 1);
    setenv("LC_ALL", "C", 1);
    call(&r, "plot m.yaml x --ascii", 0);
    for (const char *p = r.out; *p; p++) assert_true((unsigned char)*p < 0x80);
    size_t n;
    line_of(r.out, 20, &n); /* the x axis */
    assert_int_equal(n, 60);
    program_release(&r);
    setenv("LC_ALL", "C.UTF-8", 1);
    call(&r, "plot m.yaml x --ascii --size 40x12", 0);
    assert_non_null(strstr(r.out, "\xe2\x94\x94")); /* the corner of the axes */
    assert_int_equal(count(r.out, "\n"), 12);
    program_release(&r);
    unsetenv("LC_ALL");
    unsetenv("COLUMNS");
}

static void test_plot_of_points_is_in_metres_and_equal(void **state) {
    (void)state;
    program_result r;
    double lo[2] = {1e9, 1e9}, hi[2] = {-1e9, -1e9};
    call(&r, "plot " TAUT_SOURCE_DIR "/examples/slider-crank.yaml --against A.x Ay -o - --quiet",
         0);
    assert_picture(r.out);
    const int n = read_points(strstr(r.out, "points=\"") + 8, point, MOST_POINTS);
    for (int i = 0; i < n; i++)
        for (int d = 0; d < 2; d++) {
            lo[d] = fmin(lo[d], point[i][d]);
            hi[d] = fmax(hi[d], point[i][d]);
        }
    assert_near(hi[0] - lo[0], hi[1] - lo[1], 0.5, 0); /* a crank goes round */
    assert_non_null(strstr(r.out, ">Ax [m]</text>"));
    assert_non_null(strstr(r.out, ">Ay [m]</text>"));
    program_release(&r);
    call(&r, "plot " TAUT_SOURCE_DIR "/examples/slider-crank.yaml Ay Ay' Ay'' energy -o - --quiet",
         0);
    assert_picture(r.out);
    assert_non_null(strstr(r.out, ">t [s]</text>"));
    assert_non_null(strstr(r.out, ">Ay' [m/s]</text>"));
    assert_non_null(strstr(r.out, ">energy [J]</text>"));
    assert_int_equal(count(r.out, "<rect x="), 4); /* four units, four panels */
    program_release(&r);
}

static void test_help_tells_of_plot(void **state) {
    (void)state;
    static const char *const part[] = {"usage: taut plot FILE COLUMN...",
                                       "--against",
                                       "--panels",
                                       "--equal",
                                       "--size",
                                       "--ascii",
                                       "--tol",
                                       "--every",
                                       "--set"};
    program_result r;
    call(&r, "--help", 0);
    assert_non_null(strstr(r.out, "taut plot"));
    program_release(&r);
    call(&r, "plot --help", 0);
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++)
        assert_non_null(strstr(r.out, part[i]));
    program_release(&r);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, program_enter, program_leave)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ticks_of_known_ranges),
        cmocka_unit_test(test_ticks_of_empty_ranges),
        cmocka_unit_test(test_ticks_of_any_range_are_round_and_inside),
        cmocka_unit_test(test_axis_places_values_between_0_and_1),
        cmocka_unit_test(test_svg_has_its_points_where_they_belong),
        cmocka_unit_test(test_svg_escapes_hostile_names_and_titles),
        cmocka_unit_test(test_svg_puts_different_scales_into_panels),
        cmocka_unit_test(test_svg_breaks_lines_at_gaps),
        cmocka_unit_test(test_svg_of_many_rows_is_small_and_keeps_extremes),
        cmocka_unit_test(test_svg_of_a_circle_is_round),
        cmocka_unit_test(test_svg_survives_any_numbers),
        cmocka_unit_test(test_ascii_has_extremes_in_the_right_cells),
        cmocka_unit_test(test_ascii_tells_curves_apart),
        cmocka_unit_test(test_braille_has_a_dot_for_every_point),
        cmocka_unit_test(test_ascii_shows_no_control_characters),
        cmocka_unit_test(test_ascii_has_colours_and_events),
        cmocka_unit_test(test_svg_legends_have_rows),
        cmocka_unit_test(test_plots_that_make_no_sense_are_refused),
        IN_FOLDER(test_plot_writes_svg_beside_and_tells_so),
        IN_FOLDER(test_plot_raises_derivatives_to_the_primes),
        IN_FOLDER(test_plot_of_unknown_columns_tells_the_known),
        IN_FOLDER(test_plot_of_a_failed_run_shows_what_was_computed),
        IN_FOLDER(test_plot_goes_by_the_locale),
        IN_FOLDER(test_plot_of_points_is_in_metres_and_equal),
        IN_FOLDER(test_help_tells_of_plot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
