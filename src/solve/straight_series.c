/* The text of one function for all stages above 0: open, solve, close. */
#include "solve/straight_series.h"

#include <math.h>
#include <string.h>

#include "core/compiler.h"
#include "core/number.h"
#include "solve/straight_sight.h"
#include "solve/straight_steps.h"

enum { PART = TAUT_SMALL_LANES };
/* So many operations are some seconds of the compiler. */
enum { MOST_OPERATIONS = 10000 };

typedef struct writer {
    taut_string *text;
    const taut_series *series;
    taut_series_view *view; /* outputs that are compiled as well; NULL: none are */
    taut_straight_pen *pen;
    taut_choice choice;
    bool unrolled; /* solutions with these pivots are written out */
    int n, parts;
} writer;

/* ---- one stage ---- */

static void put_residuals(const writer *w) {
    for (int i = 0; i < w->n; i++) {
        taut_string_add(w->text, "    b[%d] = -(", i);
        taut_straight_opened(w->pen, w->series->equation[i]);
        taut_string_add(w->text, ");\n");
    }
}

/* In units of derivatives; F[0] is 1. */
static void put_units(const writer *w) {
    const int *c = w->series->structure->offsets.c;
    for (int i = 0; i < w->n; i++)
        if (c[i] > 0) taut_string_add(w->text, "    b[%d] *= F[%d];\n", i, c[i]);
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
        taut_string_add(t, "        *(v8 *)(x + %d) = u%d;\n", v * PART, v);
}

/* Corrections: by the factors as they are written out, by products with inverses if pivots have
 * changed, otherwise, and where stages are refined, as the interpreter does it. */
static void put_solution(const writer *w) {
    taut_string *t = w->text;
    if (w->unrolled) {
        taut_string_add(t, "    if (f) {\n");
        taut_unrolled_write_solution(t, w->choice.factors, w->series->structure->offsets.c);
        taut_string_add(t, "    } else {\n");
    }
    put_units(w);
    taut_string_add(t, "    if (n->lower) {\n");
    if (w->n == 1)
        taut_string_add(t, "        x[0] = b[0] * per;\n");
    else
        put_products(w);
    taut_string_add(t,
                    "    } else {\n"
                    "        for (int i = 0; i < %d; i++) n->y[i] = b[i];\n"
                    "        n->correct(n->user, s);\n"
                    "        for (int i = 0; i < %d; i++) x[i] = n->y[i];\n"
                    "    }\n",
                    w->n, w->n);
    if (w->unrolled) taut_string_add(t, "    }\n");
}

/* The variable in a lane of a block of coefficients; -1: there is none. */
static int variable_in(const writer *w, int block, int lane) {
    for (int j = 0; j < w->n; j++)
        if (w->series->jet->place[w->series->variable[j]] == block + lane) return j;
    return -1;
}

/* Neighbours go to their places together. What is not finite among them stays so in `bad`. */
static void put_vector(const writer *w, int block, int lane, int width, int at) {
    taut_string_add(w->text, "    const v%d z%d = {", width, at);
    for (int i = lane; i < lane + width; i++) {
        if (i > lane) taut_string_add(w->text, ", ");
        taut_straight_newest(w->pen, w->series->variable[variable_in(w, block, i)]);
    }
    taut_string_add(w->text, "};\n    *(v%d *)(C + %d + 8 * s) = z%d;\n    bad%d += 0.0 * z%d;\n",
                    width, at, at, width, at);
}

/* Variables of a block go to their places together where they are read together, which would have
 * to wait for single ones. */
static void put_block(const writer *w, int block) {
    const int *d = w->series->structure->offsets.d, most = taut_straight_width(w->pen, block);
    for (int lane = 0, width; lane < PART; lane += width) {
        const int j = variable_in(w, block, lane);
        width = 1;
        if (j < 0) continue;
        for (int wider = 2; lane % wider == 0 && wider <= most; wider *= 2) {
            bool alike = true;
            for (int i = lane; i < lane + wider; i++) {
                const int other = variable_in(w, block, i);
                alike = alike && other >= 0 && d[other] == d[j];
            }
            if (alike) width = wider;
        }
        const int at = block + lane + TAUT_LANES * d[j];
        if (width > 1) {
            put_vector(w, block, lane, width, at);
            continue;
        }
        taut_string_add(w->text, "    *(C + %d + 8 * s) = ", at);
        taut_straight_newest(w->pen, w->series->variable[j]);
        taut_string_add(w->text, ";\n    alone += ");
        taut_straight_newest(w->pen, w->series->variable[j]);
        taut_string_add(w->text, ";\n");
    }
}

/* Room for the longest row. */
static int orders_of(const taut_series *s) {
    return s->plan->last_stage + s->structure->largest_d + 1;
}

/* Newest orders go into rows as well: while a stage is waited for, that costs nothing. */
static void put_unknowns(const writer *w) {
    const int *d = w->series->structure->offsets.d, *place = w->series->jet->place;
    for (int j = 0; j < w->n; j++) {
        taut_string_add(w->text, "    const double ");
        taut_straight_newest(w->pen, w->series->variable[j]);
        taut_string_add(w->text, d[j] > 0 ? " = x[%d] * P%d;\n" : " = x[%d];\n", j, d[j]);
    }
    for (int j = 0; j < w->n; j++) {
        taut_string_add(w->text, "    R[%d + s] = ", j * orders_of(w->series) + d[j]);
        taut_straight_newest(w->pen, w->series->variable[j]);
        taut_string_add(w->text, ";\n");
    }
    taut_string_add(w->text, "    double alone = 0.0;\n");
    for (int j = 0; j < w->n; j++) {
        const int block = place[w->series->variable[j]] / PART * PART;
        bool first = true;
        for (int i = 0; i < j; i++)
            first = first && place[w->series->variable[i]] / PART * PART != block;
        if (first) put_block(w, block);
    }
    taut_string_add(w->text, "    bad1 += 0.0 * alone;\n");
}

static void put_extend(const writer *w) {
    taut_string *t = w->text;
    const int most = w->series->structure->largest_d;
    taut_straight_enter(t, "extend", ", int from, int last");
    taut_string_add(t, "    double *restrict const R = n->rows;\n");
    if (w->unrolled) taut_string_add(t, "    const factors *const f = n->factors;\n");
    taut_string_add(
        t,
        "    double bad1 = 0.0;\n    v2 bad2 = {0};\n    v4 bad4 = {0};\n    v8 bad8 = {0};\n"
        "    double b[%d], x[%d] __attribute__((aligned(64))) = {0.0};\n",
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
    taut_straight_carry(w->pen);
    taut_string_add(t,
                    "    for (int s = from; s <= last; s++) {\n"
                    "    const double *const F = n->factor + (s + %d) * %d;\n",
                    most, most + 1);
    for (int k = 1; k <= most; k++)
        taut_string_add(t, "    const double P%d = 1.0 / F[%d];\n", k, k);
    taut_straight_open(w->pen);
    put_residuals(w);
    put_solution(w);
    put_unknowns(w);
    taut_straight_close(w->pen);
    taut_string_add(t, "    }\n    for (int i = 0; i < 8; i++)\n"
                       "        bad1 += bad8[i] + (i < 4 ? bad4[i] : 0.0) + (i < 2 ? bad2[i] : "
                       "0.0);\n    n->bad = bad1 != 0.0;\n}\n");
}

/* ---- the whole ---- */

static const char MADE_BY[] = "const char *made_by(void) {\n"
                              "#ifdef __clang__\n"
                              "    return __VERSION__;\n"
                              "#else\n"
                              "    return \"gcc \" __VERSION__;\n"
                              "#endif\n"
                              "}\n";

static taut_status write(writer *w) {
    const taut_series *s = w->series;
    taut_straight_begin(w->text);
    taut_string_add(w->text, "%s", MADE_BY);
    TAUT_TRY(taut_straight_stages(w->text, s->jet));
    TAUT_TRY(taut_straight_point(w->text, s->point, s->jet));
    if (w->unrolled) taut_unrolled_write(w->text, w->choice.factors, w->choice.entries);
    TAUT_TRY(taut_straight_pen_create(w->text, s->jet, &w->pen));
    put_extend(w);
    taut_straight_pen_free(&w->pen);
    if (w->unrolled) taut_straight_write_corrections(w->text, s, w->choice.factors);
    taut_straight_write_tails(w->text, s);
    if (w->view) TAUT_TRY(taut_sight_write(w->text, w->view));
    return w->text->failed ? TAUT_ERR_MEMORY : TAUT_OK;
}

static taut_status refuse(taut_errors *errors, const char *why) {
    return taut_fail(errors, TAUT_ERR_CALL,
                     "these equations cannot be compiled: %s; leave out "
                     "options.compile",
                     why);
}

static taut_status allocate(taut_series *s, const writer *w, taut_compiled *c) {
    c->orders = orders_of(s);
    c->rows = TAUT_NEW_ARRAY(&s->arena, w->n * c->orders, double);
    c->tail = TAUT_NEW_ARRAY(&s->arena, w->n * (s->structure->largest_d + 1), double);
    if (!c->rows || !c->tail) return TAUT_ERR_MEMORY;
    for (int i = 0; i < 3; i++) {
        c->coef[i] = TAUT_NEW_ARRAY(&s->arena, w->n * c->orders, double);
        if (!c->coef[i]) return TAUT_ERR_MEMORY;
    }
    return w->unrolled ? taut_unrolled_reserve(w->choice.factors, &s->arena, &c->unrolled.numbers)
                       : TAUT_OK;
}

/* The functions that have been written; sight: NULL if there is no view. */
static taut_status find_functions(const writer *w, taut_compiled *c, taut_sight *sight,
                                  taut_errors *errors) {
    enum { MOST = 11 };
    taut_wanted wanted[MOST] = {{"stage", &c->straight.stage, false},
                                {"finish", &c->straight.finish, false},
                                {"jacobian", &c->straight.jacobian, false},
                                {"extend", &c->straight.extend, false},
                                {"made_by", &c->made_by, false},
                                {"tails", &c->tails, false}};
    int count = 6;
    if (w->unrolled) {
        wanted[count++] = (taut_wanted){"eliminate", &c->unrolled.eliminate, false};
        wanted[count++] = (taut_wanted){"solve", &c->unrolled.solve, false};
        wanted[count++] = (taut_wanted){"solve_transposed", &c->unrolled.solve_transposed, false};
        wanted[count++] = (taut_wanted){"correct", &c->correct, false};
    }
    if (sight) wanted[count++] = (taut_wanted){"see", &sight->straight.stage, false};
    return taut_compiler_load(w->text->text, wanted, count, errors);
}

static taut_status load(taut_series *s, const writer *w, taut_arena *arena, taut_errors *errors) {
    taut_compiled *c = TAUT_NEW(&s->arena, taut_compiled);
    taut_sight *sight = NULL;
    if (!c) return TAUT_ERR_MEMORY;
    c->straight.first = s->tape->first_stage;
    c->has_unrolled = w->unrolled;
    c->rows_at = -1;
    c->next = 1;
    c->check_corrections = c->check_tails = true;
    TAUT_TRY(allocate(s, w, c));
    if (w->view) TAUT_TRY(taut_sight_create(arena, w->view, &sight));
    TAUT_TRY(find_functions(w, c, sight, errors));
    taut_straight_use(s->jet, &c->straight);
    c->straight.numbers.rows = c->rows;
    taut_straight_use_point(&c->straight, s->point);
    s->compiled = c;
    if (w->unrolled) taut_lu_unroll(s->lu, &c->unrolled);
    if (sight) taut_sight_use(w->view, sight, c->made_by());
    return TAUT_OK;
}

taut_status taut_series_compile(taut_series *s, taut_series *seen, taut_errors *errors) {
    taut_string text = {0};
    writer w = {
        .text = &text, .series = s, .n = s->system->n, .parts = (s->system->n + PART - 1) / PART};
    if (s->wide || !taut_small_fits(s->system->n))
        return refuse(errors, "there are more than 48 unknowns, for which it would gain little");
    if (taut_tape_operations(s->tape) > MOST_OPERATIONS)
        return refuse(errors, "the compiler would take too long for so many operations");
    if (!taut_straight_fits(s->jet))
        return refuse(errors, "a formula has no value before higher derivatives are known");
    w.unrolled = taut_lu_choice(s->lu, &w.choice) && taut_unrolled_fits(w.choice.factors);
    if (seen && seen->view && taut_sight_fits(seen->view)) w.view = seen->view;
    taut_status status = write(&w);
    if (status == TAUT_OK) status = load(s, &w, w.view ? &seen->arena : NULL, errors);
    taut_string_release(&text);
    return status;
}
