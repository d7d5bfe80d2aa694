/* What goes where in a plot: columns by name, ranges, panels; then one of the drawings. */
#include "out/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/status.h"
#include "out/file.h"

enum { COOKIE = 0x7a0703, TEXT_COLUMNS = 4, LONGEST_LIST = 600, MOST_SUGGESTIONS = 3 };

/* A curve must take at least this part of its panel's height, unless it is flat anyway. */
static const double LEAST_SHARE = 0.1;
static const double FLAT = 1e-5; /* span relative to the largest value */

taut_plot_options taut_plot_options_default(void) {
    return (taut_plot_options){.cookie = COOKIE, .unicode = true};
}

/* ---- columns ---- */

/* "; did you mean Ax or Ay?" */
static void suggest(taut_string *out, const taut_result *r, const char *wanted) {
    taut_nearest nearest = {.wanted = wanted};
    for (int c = 0; c < taut_result_columns(r); c++)
        taut_nearest_offer(&nearest, taut_result_name(r, c));
    if (!nearest.best) return;
    const char *found[MOST_SUGGESTIONS];
    int count = 0;
    for (int c = 0; c < taut_result_columns(r) && count < MOST_SUGGESTIONS; c++) {
        const char *name = taut_result_name(r, c);
        if (taut_text_distance(wanted, name, nearest.distance) <= nearest.distance)
            found[count++] = name;
    }
    for (int i = 0; i < count; i++)
        taut_string_add(out, "%s%s",
                        i == 0          ? "; did you mean "
                        : i < count - 1 ? ", "
                                        : " or ",
                        found[i]);
    taut_string_add(out, "?");
}

/* All names without their primes, as far as a message goes. */
static void list_columns(taut_string *out, const taut_result *r) {
    const size_t begin = out->length;
    bool primes = false;
    for (int c = 0; c < taut_result_columns(r); c++) {
        const char *name = taut_result_name(r, c);
        if (strchr(name, '\'')) {
            primes = true;
            continue;
        }
        if (out->length - begin > LONGEST_LIST) {
            taut_string_add(out, ", ...");
            break;
        }
        taut_string_add(out, "%s%s", c ? ", " : "", name);
    }
    if (primes) taut_string_add(out, ", with primes for derivatives");
}

static taut_status unknown_column(const taut_result *r, const char *wanted, taut_errors *errors) {
    taut_string text = {0};
    if (wanted) suggest(&text, r, wanted);
    taut_string_add(&text, "%s the columns are ", !wanted || text.length > 0 ? "" : ";");
    list_columns(&text, r);
    if (text.failed) {
        taut_string_release(&text);
        return TAUT_ERR_MEMORY;
    }
    if (wanted)
        taut_fail(errors, TAUT_ERR_CALL, "there is no column '%.80s'%s", wanted, text.text);
    else
        taut_fail(errors, TAUT_ERR_CALL, "say which columns to draw;%s", text.text);
    taut_string_release(&text);
    return TAUT_ERR_CALL;
}

/* Are all columns in this result? */
static taut_status check_names(const taut_result *r, const taut_plot_options *o,
                               taut_errors *errors) {
    for (int i = 0; i < o->columns; i++)
        if (taut_result_find(r, o->column[i]) < 0) return unknown_column(r, o->column[i], errors);
    if (o->against && taut_result_find(r, o->against) < 0)
        return unknown_column(r, o->against, errors);
    return TAUT_OK;
}

taut_status taut_plot_check(const taut_result *r, const taut_plot_options *o, taut_errors *errors) {
    TAUT_NEED(r, "result", errors);
    TAUT_NEED(o, "options", errors);
    if (o->cookie != COOKIE)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "the options have not been filled: begin with "
                         "taut_plot_options_default()");
    if (o->equal && (o->log_x || o->log_y))
        return taut_fail(errors, TAUT_ERR_CALL,
                         "logarithmic axes cannot have one scale: leave out options.equal");
    const int most = o->text ? TEXT_COLUMNS : TAUT_PLOT_COLUMNS;
    const int least_width = o->text ? 30 : 200, least_height = o->text ? 8 : 150;
    const int largest = o->text ? 1000 : 20000;
    if (o->columns > 0 && !o->column)
        return taut_fail(errors, TAUT_ERR_CALL, "options.column is NULL");
    if (o->columns < 1) return unknown_column(r, NULL, errors);
    if (o->mores < 0 || (o->mores > 0 && (!o->more || !o->label)))
        return taut_fail(errors, TAUT_ERR_CALL,
                         "options.more and options.label: [mores] and [1 + mores]");
    if (o->columns * (1 + o->mores) > most)
        return taut_fail(errors, TAUT_ERR_CALL, "at most %d columns can be drawn%s; these are %d",
                         most, o->text ? " with characters" : "", o->columns * (1 + o->mores));
    TAUT_TRY(check_names(r, o, errors));
    for (int m = 0; m < o->mores; m++) {
        TAUT_NEED(o->more[m], "options.more", errors);
        TAUT_TRY(check_names(o->more[m], o, errors));
    }
    if (o->width < 0 || o->height < 0 || o->width > largest || o->height > largest ||
        (o->width > 0 && o->width < least_width) || (o->height > 0 && o->height < least_height))
        return taut_fail(errors, TAUT_ERR_CALL, "the size is from %dx%d to %dx%d %s; this is %dx%d",
                         least_width, least_height, largest, largest,
                         o->text ? "characters" : "pixels", o->width, o->height);
    return TAUT_OK;
}

/* ---- ranges and panels ---- */

/* Logarithms of what is not positive are not finite, and not drawn. */
static double shown_value(bool log, double value) {
    return !log ? value : value > 0.0 ? log10(value) : (double)NAN;
}

taut_axis taut_plot_axis(bool log, double lo, double hi, int most) {
    return log ? taut_axis_make_log(lo, hi, most) : taut_axis_make(lo, hi, most);
}

bool taut_plot_point(const taut_plot *p, const taut_curve *curve, long row, double *x, double *y) {
    *x = shown_value(p->log_x, taut_result_value(curve->result, row, curve->x_column));
    *y = shown_value(p->log_y, taut_result_value(curve->result, row, curve->column));
    return isfinite(*x) && isfinite(*y);
}

void taut_plot_name(const taut_curve *curve, char *name, size_t size) {
    snprintf(name, size, "%s%s%s", taut_result_name(curve->result, curve->column),
             curve->label[0] ? ", " : "", curve->label);
}

static taut_curve make_curve(const taut_model *model, const taut_result *r, const char *name,
                             bool log) {
    taut_curve curve = {.result = r,
                        .column = taut_result_find(r, name),
                        .label = "",
                        .lo = (double)INFINITY,
                        .hi = -(double)INFINITY};
    for (long i = 0; i < taut_result_rows(r); i++) {
        const double value = shown_value(log, taut_result_value(r, i, curve.column));
        if (!isfinite(value)) continue;
        curve.lo = fmin(curve.lo, value);
        curve.hi = fmax(curve.hi, value);
    }
    taut_plot_unit(model, taut_result_name(r, curve.column), curve.unit, sizeof curve.unit);
    return curve;
}

/* Can this curve be read in a panel that reaches from lo to hi? */
static bool readable(const taut_curve *c, double lo, double hi) {
    const double span = c->hi - c->lo;
    return !(span > FLAT * fmax(fabs(c->lo), fabs(c->hi))) || span >= LEAST_SHARE * (hi - lo);
}

static bool same_unit(const taut_curve *a, const taut_curve *b) {
    return !a->unit[0] || !b->unit[0] || strcmp(a->unit, b->unit) == 0;
}

/* Would all curves of the panel be readable with this one? */
static bool fits(const taut_plot *p, int panel, const taut_curve *c) {
    const double lo = fmin(p->lo[panel], c->lo), hi = fmax(p->hi[panel], c->hi);
    for (int i = 0; i < p->curves; i++)
        if (p->curve[i].panel == panel &&
            !(readable(&p->curve[i], lo, hi) && same_unit(&p->curve[i], c)))
            return false;
    return readable(c, lo, hi);
}

/* Puts a curve into the first panel that suits it, or into a new one; again: into that of the last
 * one, which shows the same column of another result. */
static void add_curve(taut_plot *p, taut_curve curve, bool alone, bool again) {
    int k = alone ? p->panels : again ? p->curve[p->curves - 1].panel : 0;
    while (k < p->panels && !p->equal && !again && !fits(p, k, &curve)) k++;
    if (k == p->panels) {
        p->panels++;
        p->lo[k] = (double)INFINITY;
        p->hi[k] = -(double)INFINITY;
    }
    p->lo[k] = fmin(p->lo[k], curve.lo);
    p->hi[k] = fmax(p->hi[k], curve.hi);
    curve.panel = k;
    p->curve[p->curves++] = curve;
}

static void plan(taut_plot *p, const taut_model *model, const taut_result *r,
                 const taut_plot_options *o) {
    *p = (taut_plot){.result = r,
                     .title = o->title ? o->title
                              : model  ? taut_model_title(model)
                                       : "",
                     .width = o->width,
                     .height = o->height,
                     .unicode = o->unicode,
                     .colour = o->colour,
                     .log_x = o->log_x,
                     .log_y = o->log_y};
    const char *against = o->against ? o->against : taut_result_name(r, 0);
    p->x = make_curve(model, r, against, p->log_x);
    for (int m = 0; m < o->mores; m++) {
        const taut_curve x = make_curve(model, o->more[m], against, p->log_x);
        p->x.lo = fmin(p->x.lo, x.lo);
        p->x.hi = fmax(p->x.hi, x.hi);
    }
    p->phase = p->x.column != 0;
    p->equal = o->equal;
    if (p->phase && !o->equal && !o->panels && !o->log_x && !o->log_y) {
        p->equal = taut_plot_is_coordinate(model, o->against);
        for (int i = 0; i < o->columns; i++)
            p->equal = p->equal && taut_plot_is_coordinate(model, o->column[i]);
    }
    for (int i = 0; i < o->columns; i++)
        for (int m = -1; m < o->mores; m++) {
            taut_curve curve = make_curve(model, m < 0 ? r : o->more[m], o->column[i], p->log_y);
            curve.x_column = taut_result_find(curve.result, against);
            if (o->mores > 0) curve.label = o->label[m + 1];
            add_curve(p, curve, o->panels && !p->equal && m < 0, m >= 0);
        }
    for (int k = 0; k < p->panels; k++)
        if (p->lo[k] > p->hi[k]) p->lo[k] = p->hi[k] = 0.0; /* no finite value */
    if (p->x.lo > p->x.hi) p->x.lo = p->x.hi = 0.0;
}

/* ---- drawing ---- */

taut_status taut_plot_draw(const taut_model *model, const taut_result *result,
                           const taut_plot_options *options, char **text, taut_errors *errors) {
    taut_plot p;
    taut_string out = {0};
    taut_status status = TAUT_OK;
    TAUT_NEED(text, "text", errors);
    *text = NULL;
    TAUT_TRY(taut_plot_check(result, options, errors));
    plan(&p, model, result, options);
    if (options->text)
        status = taut_plot_characters(&p, &out);
    else
        taut_plot_svg(&p, &out);
    if (out.failed) status = TAUT_ERR_MEMORY;
    if (status != TAUT_OK) taut_string_release(&out);
    *text = out.text;
    return status;
}

taut_status taut_plot_write(const taut_model *model, const taut_result *result,
                            const taut_plot_options *options, const char *path,
                            taut_errors *errors) {
    char *text;
    TAUT_NEED(path, "path", errors);
    taut_status status = taut_plot_draw(model, result, options, &text, errors);
    if (status == TAUT_OK) status = taut_file_write(path, text, errors);
    taut_text_free(&text);
    return status;
}
