/* A comparison as a page: diagrams, tables and words, without any script. What can be switched on
 * and off is switched by the style. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/arena.h"
#include "core/number.h"
#include "core/status.h"
#include "out/chart.h"
#include "out/comparison.h"
#include "out/markup.h"

enum { SOLVERS = 7, FORMULATIONS = 4, NAME = 200, CLASSES = 32 };
static const double LEAST_ERROR = 1e-17; /* what diagrams show of smaller ones */

typedef struct page {
    const taut_comparison *c;
    taut_string *out;
    int *order;                                              /* [pairs] work space */
    bool solver[SOLVERS + 1], formulation[FORMULATIONS + 1]; /* those that are there */
} page;

/* ---- who is who ---- */

/* Number of a name in the list that name(k) gives, or `other` behind the last. */
static int number_of(const char *wanted, const char *(*name)(int), int other) {
    for (int k = 0; wanted && k < other && name(k); k++)
        if (strcmp(name(k), wanted) == 0) return k;
    return wanted ? other : 0;
}

static int solver_of(const taut_compared_pair *pair) {
    return number_of(pair->solver, taut_solver_name, SOLVERS);
}

static int formulation_of(const taut_compared_pair *pair) {
    return number_of(pair->formulation, taut_formulation_name, FORMULATIONS);
}

/* The colour is the solver's, dashes and shapes are the formulation's. */
static void classes_of(const taut_compared_pair *pair, char *text) {
    snprintf(text, CLASSES, "s%d f%d", solver_of(pair), formulation_of(pair));
}

static void title_of(const taut_compared_pair *pair, const taut_compared_run *r, char *text) {
    char label[TAUT_LABEL], tol[32], error[32], time[32];
    taut_pair_label(pair, label, sizeof label);
    taut_short_number(r->tol, 0, tol, sizeof tol);
    taut_short_number(r->error, 2, error, sizeof error);
    taut_duration(r->stats.wall_s, time, sizeof time);
    if (r->status == TAUT_OK)
        snprintf(text, NAME, "%s at tol %s: error %s, %s", label, tol, error, time);
    else
        snprintf(text, NAME, "%s at tol %s, as far as it came", label, tol);
}

static void add_sample(taut_string *out, const char *classes, int shape) {
    taut_string_add(out,
                    "<svg class=\"sample %s\" viewBox=\"0 0 68 28\" aria-hidden=\"true\"><path "
                    "class=\"line\" d=\"M4 14h60\"/>",
                    classes);
    taut_chart_shape(out, 34.0, 14.0, shape);
    taut_string_add(out, "</svg>");
}

/* ---- the head ---- */

static void add_head(const page *p, const char *path) {
    const char *slash = strrchr(path, '/');
    const char *file = slash ? slash + 1 : path; /* pages are passed on: folders stay at home */
    const char *title = p->c->title[0] ? p->c->title : file;
    taut_string_add(p->out,
                    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                    "<meta name=\"color-scheme\" content=\"light dark\">\n"
                    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                    "style-src 'unsafe-inline'; img-src data:\">\n"
                    "<link rel=\"icon\" href=\"data:,\">\n<title>");
    taut_markup_text(p->out, title, 200);
    taut_string_add(p->out, ": compared by taut</title>\n<style>\n%s", taut_comparison_style());
    for (int k = 0; k <= SOLVERS; k++)
        if (p->solver[k])
            taut_string_add(
                p->out, ":root:has(#s%d:not(:checked)) .s%d:not(.chip) { display: none; }\n", k, k);
    for (int k = 0; k <= FORMULATIONS; k++)
        if (p->formulation[k])
            taut_string_add(
                p->out, ":root:has(#f%d:not(:checked)) .f%d:not(.chip) { display: none; }\n", k, k);
    taut_string_add(p->out, "</style>\n</head>\n<body>\n<header><h1>");
    taut_markup_text(p->out, title, 200);
    taut_string_add(p->out, "</h1><code>");
    taut_markup_text(p->out, file, 200);
    taut_string_add(p->out,
                    "</code><div class=\"theme\" role=\"radiogroup\" aria-label=\"theme\">"
                    "<label><input type=\"radio\" name=\"theme\" id=\"auto\" checked>auto</label>"
                    "<label><input type=\"radio\" name=\"theme\" id=\"light\">light</label>"
                    "<label><input type=\"radio\" name=\"theme\" id=\"dark\">dark</label></div>"
                    "</header>\n<main>\n");
}

static void add_fact(taut_string *out, const char *name, const char *text) {
    taut_string_add(out, "<dt>%s</dt><dd>", name);
    taut_markup_text(out, text, 1000);
    taut_string_add(out, "</dd>");
}

static void add_disagreements(const page *p) {
    const taut_comparison *c = p->c;
    taut_string_add(p->out, "<ul>");
    for (int i = 0; i < c->pairs; i++)
        for (int k = 0; k < c->tols && c->pair[i].run; k++) {
            taut_string words = {0};
            if (!c->pair[i].run[k].disagrees) continue;
            taut_disagreement(&c->pair[i], &c->pair[i].run[k], &words);
            taut_string_add(p->out, "<li>");
            taut_markup_text(p->out, words.text ? words.text : "", 400);
            taut_string_add(p->out, "</li>");
            taut_string_release(&words);
        }
    taut_string_add(p->out, "</ul>");
}

static void add_verdict(const page *p) {
    const taut_comparison *c = p->c;
    char text[NAME], label[TAUT_LABEL], tol[32], error[32];
    const char *mood = c->disagreements > 0 ? "bad" : c->finished > 0 ? "good" : "";
    taut_string words = {0};
    taut_comparison_verdict(c, &words);
    taut_string_add(p->out, "<div class=\"verdict %s\"><strong>", mood);
    taut_markup_text(p->out, words.text ? words.text : "", 400);
    taut_string_add(p->out, "</strong>");
    p->out->failed |= words.failed;
    taut_string_release(&words);
    if (c->disagreements > 0) add_disagreements(p);
    taut_string_add(p->out, "<dl class=\"facts\">");
    snprintf(text, sizeof text,
             "%s with %d unknown%s, structural index %d, %ld degree%s of freedom", c->kind,
             c->problem.unknowns, c->problem.unknowns == 1 ? "" : "s", c->problem.index,
             c->problem.dof, c->problem.dof == 1 ? "" : "s");
    add_fact(p->out, "problem", text);
    taut_format(text, sizeof text, "t = %.10g to %.10g, solutions compared at %d times", c->t0,
                c->tend, c->times);
    add_fact(p->out, "span", text);
    taut_pair_label(&c->reference, label, sizeof label);
    taut_short_number(c->reference_tol, 0, tol, sizeof tol);
    taut_short_number(c->reference_error, 2, error, sizeof error);
    snprintf(text, sizeof text, "%s at tol %s, estimated error %s; ", label, tol, error);
    taut_string_add(&words, "%s", text);
    taut_witness_words(c, &words);
    add_fact(p->out, "reference solution", words.text ? words.text : "");
    taut_string_release(&words);
    taut_string_add(p->out, "</dl></div>\n");
}

static void add_chip(const page *p, char letter, int k, const char *name, int shape) {
    char classes[CLASSES];
    snprintf(classes, sizeof classes, "%c%d", letter, k);
    taut_string_add(p->out,
                    "<label class=\"chip %s\"><input type=\"checkbox\" id=\"%s\" checked><svg "
                    "class=\"sample chip-sample\" viewBox=\"0 0 68 28\" aria-hidden=\"true\">"
                    "<path class=\"line\" d=\"M4 14h60\"/>",
                    classes, classes);
    if (shape >= 0) taut_chart_shape(p->out, 34.0, 14.0, shape);
    taut_string_add(p->out, "</svg>");
    taut_markup_text(p->out, name, 40);
    taut_string_add(p->out, "</label>");
}

static void add_legend(const page *p) {
    taut_string_add(p->out, "<div class=\"legend\" role=\"group\" aria-label=\"what is shown\">");
    for (int k = 0; k <= SOLVERS; k++)
        if (p->solver[k]) add_chip(p, 's', k, k < SOLVERS ? taut_solver_name(k) : "auto", -1);
    if (p->c->reference.formulation) taut_string_add(p->out, "<span class=\"break\"></span>");
    for (int k = 0; k <= FORMULATIONS && p->c->reference.formulation; k++)
        if (p->formulation[k])
            add_chip(p, 'f', k, k < FORMULATIONS ? taut_formulation_name(k) : "other", k);
    taut_string_add(p->out, "</div>\n");
}

/* ---- diagrams ---- */

static void open_figure(const page *p, const char *title, const char *words) {
    taut_string_add(p->out, "<figure><figcaption><b>%s</b> <span>%s</span></figcaption>\n", title,
                    words);
}

static bool is_shown(const taut_compared_run *r) { return r->status == TAUT_OK; }

/* Error against cost or tolerance, which x() gives; one curve a pair, one point a tolerance. */
static void add_precision(const page *p, const char *title, const char *words, const char *label,
                          double (*x)(const taut_compared_run *)) {
    const taut_comparison *c = p->c;
    taut_decades dx = taut_decades_none(), dy = taut_decades_none();
    for (int i = 0; i < c->pairs; i++)
        for (int k = 0; k < c->tols && c->pair[i].run; k++) {
            if (!is_shown(&c->pair[i].run[k])) continue;
            taut_decades_see(&dx, x(&c->pair[i].run[k]));
            taut_decades_see(&dy, fmax(c->pair[i].run[k].error, LEAST_ERROR));
        }
    const taut_chart chart = {p->out, taut_decades_axis(&dx, label),
                              taut_decades_axis(&dy, "error")};
    open_figure(p, title, words);
    taut_chart_begin(&chart, title);
    for (int i = 0; i < c->pairs; i++) {
        const taut_compared_pair *pair = &c->pair[i];
        char classes[CLASSES], name[NAME];
        double px[32], py[32];
        int count = 0;
        if (!pair->run) continue;
        classes_of(pair, classes);
        for (int k = 0; k < c->tols && count < 32; k++) {
            if (!is_shown(&pair->run[k])) continue;
            px[count] = x(&pair->run[k]);
            py[count++] = fmax(pair->run[k].error, LEAST_ERROR);
        }
        taut_pair_label(pair, name, sizeof name);
        taut_chart_curve(&chart, classes, name, px, py, count);
        for (int k = 0; k < c->tols; k++) {
            if (!is_shown(&pair->run[k])) continue;
            title_of(pair, &pair->run[k], name);
            taut_chart_point(&chart, classes, name, x(&pair->run[k]),
                             fmax(pair->run[k].error, LEAST_ERROR), formulation_of(pair));
        }
    }
    taut_chart_end(&chart);
    taut_string_add(p->out, "</figure>\n");
}

static double time_of(const taut_compared_run *r) { return r->stats.wall_s; }
static double tol_of(const taut_compared_run *r) { return r->tol; }

/* What belongs to a run at every time: the difference from the reference, or from its own next run.
 */
typedef const double *course_fn(const taut_compared_run *);
static const double *difference_of(const taut_compared_run *r) { return r->difference; }
static const double *own_of(const taut_compared_run *r) { return r->own; }

static void add_courses(const page *p, int tol, const char *title, const char *words,
                        course_fn *course) {
    const taut_comparison *c = p->c;
    taut_decades dy = taut_decades_none();
    for (int i = 0; i < c->pairs; i++) {
        const double *y = c->pair[i].run ? course(&c->pair[i].run[tol]) : NULL;
        for (int k = 0; y && k < c->times; k++)
            if (y[k] > 0.0) taut_decades_see(&dy, fmax(y[k], LEAST_ERROR));
    }
    const double end = c->tend > c->t0 || c->tend < c->t0 ? c->tend : c->t0 + 1.0;
    const taut_chart chart = {p->out,
                              {fmin(c->t0, end), fmax(c->t0, end), false, "t"},
                              taut_decades_axis(&dy, "difference")};
    open_figure(p, title, words);
    taut_chart_begin(&chart, title);
    for (int i = c->pairs - 1; i >= 0; i--) { /* the first one on top */
        const taut_compared_pair *pair = &c->pair[i];
        const double *y = pair->run ? course(&pair->run[tol]) : NULL;
        char classes[CLASSES], name[NAME];
        if (!y) continue;
        classes_of(pair, classes);
        title_of(pair, &pair->run[tol], name);
        taut_chart_curve(&chart, classes, name, c->time, y, c->times);
    }
    taut_chart_end(&chart);
    taut_string_add(p->out, "</figure>\n");
}

static void add_diagrams(const page *p) {
    const taut_comparison *c = p->c;
    taut_string_add(p->out, "<section><h2>Work and precision</h2><div class=\"grid2\">\n");
    add_precision(p, "Error against time.", "Further down and further left is better.",
                  "time of integration [s]", time_of);
    if (c->tols > 1)
        add_precision(p, "Error against tolerance.",
                      "A straight line: the tolerance controls the error.", "tolerance", tol_of);
    taut_string_add(p->out, "</div></section>\n");
    for (int k = 0; k < c->tols; k++) {
        char tol[32];
        taut_short_number(c->tol[k], 0, tol, sizeof tol);
        taut_string_add(p->out,
                        "<section><details%s><summary><h2>Along the motion, tol %s</h2></summary>"
                        "<div class=\"grid2\">\n",
                        k == c->tols - 1 ? " open" : "", tol);
        add_courses(p, k, "Difference from the reference.", "The worst value at each time.",
                    difference_of);
        add_courses(p, k, "Estimated error.", "By each pair's own next, tighter run.", own_of);
        taut_string_add(p->out, "</div></details></section>\n");
    }
}

/* ---- tables ---- */

static void add_cell(taut_string *out, double value) {
    char text[32];
    taut_short_number(value, 2, text, sizeof text);
    taut_string_add(out, "<td>%s</td>", text);
}

static void add_digits(taut_string *out, double digits, bool bar) {
    if (isnan(digits))
        taut_string_add(out, "<td>-</td>");
    else if (bar)
        taut_string_add(out, "<td class=\"digits\" style=\"--d:%.3f\">%.1f</td>",
                        fmin(fmax(digits / 16.0, 0.0), 1.0), digits);
    else
        taut_string_add(out, "<td>%.1f</td>", digits);
}

static void add_row(const page *p, const taut_compared_pair *pair, const taut_compared_run *r) {
    char classes[CLASSES], label[TAUT_LABEL], time[32], setup[32];
    classes_of(pair, classes);
    taut_pair_label(pair, label, sizeof label);
    taut_string_add(p->out, "<tr class=\"%s%s\"><td>", classes,
                    r->disagrees          ? " disagrees"
                    : taut_run_is_poor(r) ? " poor"
                                          : "");
    add_sample(p->out, classes, formulation_of(pair));
    taut_markup_text(p->out, label, TAUT_LABEL);
    taut_string_add(p->out, "</td>");
    if (r->status != TAUT_OK) {
        taut_string_add(p->out, "<td class=\"reason\" colspan=\"13\">failed: ");
        taut_markup_text(p->out, r->reason, 400);
        taut_string_add(p->out, "</td></tr>\n");
        return;
    }
    add_digits(p->out, taut_digits(r->error), true);
    add_digits(p->out, r->scd, false);
    add_cell(p->out, r->error);
    add_cell(p->out, r->estimate);
    add_cell(p->out, r->allowed);
    add_cell(p->out, r->stats.constraint_residual);
    add_cell(p->out, r->stats.energy_drift);
    taut_duration(r->stats.wall_s, time, sizeof time);
    taut_duration(r->stats.setup_s, setup, sizeof setup);
    taut_string_add(p->out,
                    "<td>%ld</td><td>%ld</td><td>%ld</td><td>%ld</td><td>%s</td><td>%s</td></tr>\n",
                    r->stats.steps, r->stats.rejected, r->stats.evaluations,
                    r->stats.factorisations, time, setup);
}

static void add_tables(const page *p) {
    const taut_comparison *c = p->c;
    for (int k = 0; k < c->tols; k++) {
        char tol[32], grown[32];
        const int count = taut_comparison_order(c, k, p->order);
        taut_short_number(c->tol[k], 0, tol, sizeof tol);
        taut_short_number(c->sensitivity[k], 2, grown, sizeof grown);
        taut_string_add(p->out,
                        "<section><details%s><summary><h2>Figures, tol %s</h2></summary>"
                        "<p class=\"note\">A change of the "
                        "initial state by as much becomes %s. Fastest first.</p>"
                        "<div class=\"table\" tabindex=\"0\"><table><thead><tr><th>pair</th>"
                        "<th>digits</th><th>SCD</th><th>error</th><th>estimate</th>"
                        "<th>allowed</th><th>residual</th><th>drift</th><th>steps</th>"
                        "<th>rejected</th><th>evaluations</th><th>factors</th><th>time</th>"
                        "<th>set-up</th></tr></thead><tbody>\n",
                        k == c->tols - 1 ? " open" : "", tol, grown);
        for (int i = 0; i < count; i++)
            add_row(p, &c->pair[p->order[i]], &c->pair[p->order[i]].run[k]);
        taut_string_add(p->out, "</tbody></table></div></details></section>\n");
    }
}

static void add_skipped(const page *p) {
    const taut_comparison *c = p->c;
    if (c->skipped == 0) return;
    taut_string_add(p->out, "<section><details open><summary>Left out</summary><ul>\n");
    for (int i = 0; i < c->pairs; i++) {
        taut_string pairs = {0};
        if (!taut_skipped_pairs(c, i, &pairs)) continue;
        taut_string_add(p->out, "<li><b>");
        taut_markup_text(p->out, pairs.text ? pairs.text : "", (int)pairs.length);
        taut_string_add(p->out, "</b>: ");
        taut_markup_text(p->out, c->pair[i].skipped, 400);
        taut_string_add(p->out, "</li>\n");
        p->out->failed |= pairs.failed;
        taut_string_release(&pairs);
    }
    taut_string_add(p->out, "</ul></details></section>\n");
}

static void add_foot(const page *p) {
    taut_string_add(
        p->out,
        "<section class=\"explain note\"><h2>How to read this</h2>"
        "<p><b>Error</b>: the largest difference from the reference of any value, positions, "
        "velocities and outputs, at any of the compared times, relative to the largest value of "
        "its kind; <b>digits</b>: -log10 of it. <b>SCD</b>: significant correct digits of the "
        "coordinates at the end, each relative to itself. <b>Estimate</b>: the same as the error, "
        "but between the run and the pair's own next, tighter run: it needs no reference.</p>"
        "<p><b>Allowed</b>: a larger error is a disagreement. It is the larger of 10 times the "
        "estimate and 1000 times the largest of tolerance, what a change of the initial state "
        "by the tolerance becomes, and the error of the reference; from 1 on nothing can be "
        "told.</p><p><b>Residual</b>: of the constraints; <b>drift</b>: of the energy, where it "
        "should be constant; <b>evaluations</b>: of the equations (a whole Taylor series counts "
        "as one); <b>time</b>: of the integration alone, the best of up to 5 repetitions in one "
        "thread.</p></section>\n<footer>taut %s</footer>\n</main>\n</body>\n</html>\n",
        taut_version());
}

taut_status taut_comparison_page(const taut_comparison *c, const char *file, taut_string *out) {
    taut_arena arena = {0};
    page p = {.c = c, .out = out, .order = TAUT_NEW_ARRAY(&arena, c->pairs, int)};
    for (int i = 0; i < c->pairs; i++) {
        if (c->pair[i].skipped) continue;
        p.solver[solver_of(&c->pair[i])] = true;
        p.formulation[formulation_of(&c->pair[i])] = true;
    }
    if (p.order) {
        add_head(&p, file);
        add_verdict(&p);
        add_legend(&p);
        add_diagrams(&p);
        add_tables(&p);
        add_skipped(&p);
        add_foot(&p);
    }
    const taut_status status = p.order && !out->failed ? TAUT_OK : TAUT_ERR_MEMORY;
    taut_arena_release(&arena);
    return status;
}
