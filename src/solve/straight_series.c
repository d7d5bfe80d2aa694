/* The text of one function for all stages above 0: open, solve, close. */
#include "solve/straight_series.h"

#include <math.h>
#include <string.h>

#include "core/compiler.h"
#include "core/number.h"

enum { PART = TAUT_SMALL_LANES };
/* So many operations are some seconds of the compiler. */
enum { MOST_OPERATIONS = 10000 };

typedef struct writer {
    taut_string *text;
    const taut_series *series;
    taut_straight_pen *pen;
    int n, parts;
} writer;

/* ---- one stage ---- */

static void put_residuals(const writer *w) {
    const int *c = w->series->structure->offsets.c;
    for (int i = 0; i < w->n; i++) {
        taut_string_add(w->text, "    b[%d] = -(", i);
        taut_straight_opened(w->pen, w->series->equation[i]);
        taut_string_add(w->text, ") * F[%d];\n", c[i]);
    }
}

/* sum_v += what rows[at] has in part v. */
static void put_row(const writer *w, const char *sum, const char *from, int row, int first) {
    for (int v = first; v < w->parts; v++)
        taut_string_add(w->text, "        %s%d += %s * *(const v8 *)(m + %d);\n", sum, v, from,
                        (row * w->parts + v) * PART);
}

/* y = the solution, by inverses of the triangles: see taut_small_solve. */
static void put_products(const writer *w) {
    taut_string *t = w->text;
    char from[40];
    for (int v = 0; v < w->parts; v++)
        taut_string_add(t, "        v8 l%d = {0}, u%d = {0};\n", v, v);
    taut_string_add(t, "        const double *m = n->lower;\n        const int *row = n->row;\n");
    for (int k = 0; k < w->n; k++) {
        taut_format(from, sizeof from, "b[row[%d]]", k);
        put_row(w, "l", from, k, k / PART);
    }
    for (int v = 0; v < w->parts; v++)
        taut_string_add(t, "        *(v8 *)(x + %d) = l%d * per[%d];\n", v * PART, v, v);
    taut_string_add(t, "        m = n->upper;\n");
    for (int k = 0; k < w->n; k++) {
        taut_format(from, sizeof from, "x[%d]", k);
        put_row(w, "u", from, k, 0);
    }
    for (int v = 0; v < w->parts; v++)
        taut_string_add(t, "        *(v8 *)(x + %d) = u%d;\n        bad += 0.0 * u%d;\n", v * PART,
                        v, v);
}

/* Corrections, by products where they are good enough, otherwise as the interpreter does it. */
static void put_solution(const writer *w) {
    taut_string *t = w->text;
    taut_string_add(t, "    if (n->lower) {\n");
    if (w->n == 1)
        taut_string_add(t, "        x[0] = b[0] * per;\n        bad[0] += 0.0 * x[0];\n");
    else
        put_products(w);
    taut_string_add(t,
                    "    } else {\n"
                    "        for (int i = 0; i < %d; i++) n->y[i] = b[i];\n"
                    "        n->correct(n->user, s);\n"
                    "        for (int i = 0; i < %d; i++) x[i] = n->y[i];\n"
                    "    }\n",
                    w->n, w->n);
}

static void put_unknowns(const writer *w) {
    const int *d = w->series->structure->offsets.d;
    for (int j = 0; j < w->n; j++) {
        taut_string_add(w->text, "    const double ");
        taut_straight_newest(w->pen, w->series->variable[j]);
        taut_string_add(w->text, " = x[%d] * P%d;\n    *(C + %d + 8 * s) = ", j, d[j],
                        w->series->jet->place[w->series->variable[j]] + TAUT_LANES * d[j]);
        taut_straight_newest(w->pen, w->series->variable[j]);
        taut_string_add(w->text, ";\n");
    }
}

static void put_extend(const writer *w) {
    taut_string *t = w->text;
    const int most = w->series->structure->largest_d;
    taut_straight_enter(t, "extend", ", int from, int last");
    taut_string_add(t, "    v8 bad = {0};\n    double b[%d], x[%d] __attribute__((aligned(64)));\n",
                    w->n, w->parts * PART);
    if (w->n == 1) {
        taut_string_add(t, "    const double per = n->lower ? *n->scale / *n->pivot : 0.0;\n");
    } else {
        taut_string_add(t,
                        "    v8 per[%d];\n"
                        "    for (int v = 0; v < %d && n->lower; v++)\n"
                        "        per[v] = 1.0 / ((const v8 *)n->pivot)[v];\n",
                        w->parts, w->parts);
    }
    taut_string_add(t,
                    "    for (int s = from; s <= last; s++) {\n"
                    "    const double *const F = n->factor + (s + %d) * %d;\n",
                    most, most + 1);
    for (int k = 0; k <= most; k++)
        taut_string_add(t, "    const double P%d = 1.0 / F[%d];\n", k, k);
    taut_straight_open(w->pen);
    put_residuals(w);
    put_solution(w);
    put_unknowns(w);
    taut_straight_close(w->pen);
    taut_string_add(t,
                    "    }\n    n->bad = 0;\n"
                    "    for (int i = 0; i < %d; i++) n->bad |= bad[i] != 0.0;\n}\n",
                    PART);
}

/* ---- the whole ---- */

static taut_status write(const taut_series *s, taut_string *text) {
    writer w = {
        .text = text, .series = s, .n = s->system->n, .parts = (s->system->n + PART - 1) / PART};
    taut_straight_begin(text);
    TAUT_TRY(taut_straight_stages(text, s->jet));
    TAUT_TRY(taut_straight_point(text, s->point, s->jet));
    TAUT_TRY(taut_straight_pen_create(text, s->jet, &w.pen));
    put_extend(&w);
    taut_straight_pen_free(&w.pen);
    return text->failed ? TAUT_ERR_MEMORY : TAUT_OK;
}

static taut_status refuse(taut_errors *errors, const char *why) {
    return taut_fail(errors, TAUT_ERR_CALL,
                     "these equations cannot be compiled: %s; leave out "
                     "options.compile",
                     why);
}

taut_status taut_series_compile(taut_series *s, taut_errors *errors) {
    taut_straight *f = TAUT_NEW(&s->arena, taut_straight);
    taut_string text = {0};
    if (!f) return TAUT_ERR_MEMORY;
    if (s->wide || !taut_small_fits(s->system->n))
        return refuse(errors, "there are more than 48 unknowns, for which it would gain little");
    if (taut_tape_operations(s->tape) > MOST_OPERATIONS)
        return refuse(errors, "the compiler would take too long for so many operations");
    if (!taut_straight_fits(s->jet))
        return refuse(errors, "a formula has no value before higher derivatives are known");
    f->first = s->tape->first_stage;
    const taut_wanted wanted[] = {{"stage", &f->stage, false},
                                  {"finish", &f->finish, false},
                                  {"jacobian", &f->jacobian, false},
                                  {"extend", &f->extend, false}};
    taut_status status = write(s, &text);
    if (status == TAUT_OK)
        status = taut_compiler_load(text.text, wanted, TAUT_LIBRARY_COUNT(wanted), errors);
    taut_string_release(&text);
    if (status != TAUT_OK) return status;
    taut_straight_use(s->jet, f);
    taut_straight_use_point(f, s->point);
    return TAUT_OK;
}
