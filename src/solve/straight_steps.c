/* Corrections of a stage, and tails of polynomials, with all sizes and places known. */
#include "solve/straight_steps.h"

#include <math.h>

#include "core/number.h"

enum { PART = TAUT_SMALL_LANES };
/* Beside the largest correction: less is what factors make of rounding. */
static const double SAME_CORRECTION = 1e-4;

static int place_of(const taut_series *s, int j) { return s->jet->place[s->variable[j]]; }

/* ---- corrections ---- */

/* Right-hand sides of a stage: residuals in units of derivatives. */
static void put_right_sides(taut_string *t, const taut_series *s, int stage) {
    const int *c = s->structure->offsets.c;
    for (int i = 0; i < s->system->n; i++) {
        const int place = s->jet->place[s->equation[i]] + TAUT_LANES * (c[i] + stage);
        if (stage + c[i] < 0)
            taut_string_add(t, "    b[%d] = 0.0;\n", i);
        else
            taut_string_add(t, "    b[%d] = -C[%d];\n", i, place);
    }
}

/* Orders that there are at the stage get their corrections; others are given none. */
static void put_sums(taut_string *t, const taut_series *s, int stage) {
    const int *d = s->structure->offsets.d;
    for (int j = 0; j < s->system->n; j++) {
        const int place = place_of(s, j) + TAUT_LANES * (d[j] + stage);
        if (stage + d[j] < 0)
            taut_string_add(t, "    x[%d] = 0.0;\n", j);
        else
            taut_string_add(t, "    C[%d] += x[%d] / F[%d];\n", place, j, d[j]);
    }
}

static void put_correction(taut_string *t, const taut_series *s, const taut_factors *factors,
                           int stage) {
    taut_string_add(t,
                    "static void correct_%d(numbers *restrict n, double *restrict C, "
                    "const double *restrict F, double *restrict x) {\n"
                    "    const factors *const f = n->factors;\n"
                    "    double b[%d], bad = 0.0;\n",
                    -stage, s->system->n);
    put_right_sides(t, s, stage);
    taut_unrolled_write_solution(t, factors, s->structure->offsets.c);
    for (int j = 0; j < s->system->n; j++) taut_string_add(t, "    bad += 0.0 * x[%d];\n", j);
    put_sums(t, s, stage);
    taut_string_add(t, "    n->bad = bad != 0.0;\n    finish_%d(n, C);\n}\n", -stage);
}

void taut_straight_write_corrections(taut_string *t, const taut_series *s,
                                     const taut_factors *factors) {
    const int first = s->plan->first_correction;
    for (int stage = first; stage <= 0; stage++) put_correction(t, s, factors, stage);
    taut_string_add(t, "void correct(numbers *n, double *C, const double *F, double *x, int s) {\n"
                       "    switch (s) {\n");
    for (int stage = first; stage <= 0; stage++)
        taut_string_add(t, "    case %d: correct_%d(n, C, F, x); break;\n", stage, -stage);
    taut_string_add(t, "    }\n}\n");
}

/* The corrections as the interpreter finds them, in work space of the series. */
static void find_corrections(taut_series *s, int stage, const double *factor) {
    const int *c = s->structure->offsets.c;
    for (int i = 0; i < s->system->n; i++)
        s->residual[i] = stage + c[i] < 0
                             ? 0.0
                             : -s->residual_at[i][(ptrdiff_t)stage * TAUT_LANES] * factor[c[i]];
    taut_lu_solve(s->lu, s->residual);
}

static bool are_corrections_right(const taut_series *s, int stage) {
    const int *d = s->structure->offsets.d;
    double size = 0.0;
    for (int j = 0; j < s->system->n; j++) {
        if (!isfinite(s->residual[j])) return true; /* nobody can tell */
        size = fmax(size, fabs(s->residual[j]));
    }
    for (int j = 0; j < s->system->n; j++)
        if (stage + d[j] >= 0 && !(fabs(s->y[j] - s->residual[j]) <= SAME_CORRECTION * size))
            return false;
    return true;
}

bool taut_straight_correct(taut_series *s, int stage, const double *factor) {
    taut_jet *jet = s->jet;
    if (!jet->straight || !s->compiled->correct || s->forgiven) return false;
    taut_straight_numbers *n = taut_straight_at(jet);
    const bool due = s->compiled->check_corrections;
    n->factors = taut_lu_unrolled(s->lu);
    if (!n->factors) return false;
    if (due) find_corrections(s, stage, factor);
    s->compiled->correct(n, jet->coef, factor, s->y, stage);
    s->finite = s->finite && !n->bad;
    taut_straight_finished(jet);
    if (stage == 0) s->compiled->check_corrections = false;
    if (due && !are_corrections_right(s, stage)) {
        taut_series_distrust(s);
        s->finite = false; /* the point is to be found anew */
    }
    return true;
}

/* ---- tails ---- */

/* Derivatives of one order of variables that lie in one block and are of one length. */
typedef struct tail_group {
    int number, block, first, width; /* lanes first .. first + width - 1 */
    int order, top;                  /* the last term */
} tail_group;

static void put_term(taut_string *t, const tail_group *g, int q) {
    const int place = g->block + g->first + TAUT_LANES * (q + g->order);
    double falling = 1.0;
    for (int m = 1; m <= g->order; m++) falling *= (double)(q + m);
    if (g->order > 0) taut_string_add(t, "%.1f * ", falling);
    if (g->width > 1)
        taut_string_add(t, "*(const v%d *)(C + %d)", g->width, place);
    else
        taut_string_add(t, "C[%d]", place);
}

/* Every fourth term by Horner's rule, so that none of four sums waits for another. */
static void put_group(taut_string *t, const tail_group *g) {
    char type[8] = "double";
    if (g->width > 1) taut_format(type, sizeof type, "v%d", g->width);
    for (int r = 1; r <= 4; r++) {
        int q = g->top - (g->top - r) % 4;
        if (r > g->top) {
            taut_string_add(t, "    const %s s%d_%d = {0};\n", type, g->number, r);
            continue;
        }
        taut_string_add(t, "    %s s%d_%d = ", type, g->number, r);
        put_term(t, g, q);
        for (q -= 4; q >= r; q -= 4) {
            taut_string_add(t, ";\n    s%d_%d = s%d_%d * fourth + ", g->number, r, g->number, r);
            put_term(t, g, q);
        }
        taut_string_add(t, ";\n");
    }
    taut_string_add(t,
                    "    const %s t%d = ((((s%d_4 * theta) + s%d_3) * theta + s%d_2) * theta + "
                    "s%d_1) * (theta * U%d);\n",
                    type, g->number, g->number, g->number, g->number, g->number, g->order);
}

/* The lanes of the group that variable j begins; its members go to their places in `tail`. */
static void put_group_of(taut_string *t, const taut_series *s, int j, int order, int number) {
    const int *d = s->structure->offsets.d, block = place_of(s, j) / PART * PART;
    int last = 0;
    tail_group g = {.number = number,
                    .block = block,
                    .first = PART,
                    .width = 1,
                    .order = order,
                    .top = s->plan->last_stage + d[j] - order};
    for (int i = j; i < s->system->n; i++) {
        const int lane = place_of(s, i) - block;
        if (lane < 0 || lane >= PART || d[i] != d[j]) continue;
        if (lane < g.first) g.first = lane;
        if (lane > last) last = lane;
    }
    while (g.first / g.width * g.width + g.width <= last) g.width *= 2;
    g.first = g.first / g.width * g.width;
    put_group(t, &g);
    for (int i = j; i < s->system->n; i++) {
        const int lane = place_of(s, i) - block;
        if (lane < 0 || lane >= PART || d[i] != d[j]) continue;
        taut_string_add(t, "    tail[%d] = t%d", i * (s->structure->largest_d + 1) + order, number);
        if (g.width > 1) taut_string_add(t, "[%d]", lane - g.first);
        taut_string_add(t, ";\n");
    }
}

/* Does a variable before this one begin its group? */
static bool is_member(const taut_series *s, int j) {
    const int *d = s->structure->offsets.d;
    for (int i = 0; i < j; i++)
        if (place_of(s, i) / PART == place_of(s, j) / PART && d[i] == d[j]) return true;
    return false;
}

void taut_straight_write_tails(taut_string *t, const taut_series *s) {
    int number = 0;
    taut_string_add(t, "void tails(const double *restrict C, double theta, double per, "
                       "double *restrict tail) {\n"
                       "    const double square = theta * theta, fourth = square * square;\n"
                       "    const double U0 = 1.0;\n");
    for (int k = 1; k <= s->structure->largest_d; k++)
        taut_string_add(t, "    const double U%d = U%d * per;\n", k, k - 1);
    for (int j = 0; j < s->system->n; j++)
        for (int k = 0; k <= s->structure->offsets.d[j] && !is_member(s, j); k++)
            put_group_of(t, s, j, k, number++);
    taut_string_add(t, "}\n");
}

const double *taut_straight_tails(const taut_series *s, double theta) {
    const taut_compiled *c = s->compiled;
    if (!s->jet->straight) return NULL;
    c->tails(s->jet->coef, theta, 1.0 / s->jet->h, c->tail);
    return c->tail;
}

/* ---- rows ---- */

const double *taut_straight_row(const taut_series *s, int j) {
    const taut_compiled *c = s->compiled;
    return s->jet->straight && c->rows_at == s->starts
               ? c->rows + j * c->orders + s->structure->offsets.d[j] + 1
               : NULL;
}
