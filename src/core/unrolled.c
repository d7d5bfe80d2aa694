/* One line for each row of a triangle; rows of an elimination are local variables. */
#include "core/unrolled.h"

enum { MOST_OPERATIONS = 1500 };

#define TEXT_OF_(...) #__VA_ARGS__
#define TEXT_OF(x) TEXT_OF_(x)

/* Multiplications of an elimination. */
static long count_operations(const taut_factors *f) {
    const taut_triangle *L = &f->lower, *U = &f->upper;
    long operations = L->start[f->n];
    for (int k = 0; k < L->start[f->n]; k++)
        operations += U->start[L->column[k] + 1] - U->start[L->column[k]];
    return operations;
}

bool taut_unrolled_fits(const taut_factors *f) { return count_operations(f) <= MOST_OPERATIONS; }

taut_status taut_unrolled_reserve(const taut_factors *factors, taut_arena *arena,
                                  taut_unrolled_numbers *x) {
    x->lower = TAUT_NEW_ARRAY(arena, factors->lower.start[factors->n], double);
    x->upper = TAUT_NEW_ARRAY(arena, factors->upper.start[factors->n], double);
    x->per = TAUT_NEW_ARRAY(arena, factors->n, double);
    x->scale = TAUT_NEW_ARRAY(arena, factors->n, double);
    return x->lower && x->upper && x->per && x->scale ? TAUT_OK : TAUT_ERR_MEMORY;
}

/* ---- elimination ---- */

/* As taut_power_below does it. */
static const char BEGIN[] = "typedef struct factors { %s } factors;\n"
                            "static inline double power_below(double size, double *scaled) {\n"
                            "    union { double x; unsigned long long bits; } u = {size}, power;\n"
                            "    const unsigned long long exponent = u.bits >> 52;\n"
                            "    if (exponent == 0 || exponent >= 2045) {\n"
                            "        int e;\n"
                            "        *scaled = __builtin_frexp(size, &e);\n"
                            "        return __builtin_ldexp(1.0, -e);\n"
                            "    }\n"
                            "    u.bits = (u.bits & ~(0x7ffull << 52)) | (1022ull << 52);\n"
                            "    power.bits = (2045 - exponent) << 52;\n"
                            "    *scaled = u.x;\n"
                            "    return power.x;\n"
                            "}\n"
                            "#define LARGER(x, y) ((x) > (y) ? (x) : (y))\n"
                            "#define SIZE __builtin_fabs\n";

/* Row i of the matrix, scaled, in w[column]; 0 where the triangles have more. */
static void put_matrix_row(taut_string *t, const taut_factors *f, const taut_rows_by_pivots *e,
                           int i) {
    const taut_triangle *both[] = {&f->lower, &f->upper};
    taut_string_add(t, "    {\n    double largest = 0.0, scaled;\n");
    for (int k = e->start[i]; k < e->start[i + 1]; k++)
        taut_string_add(t, "    largest = LARGER(SIZE(A[%d]), largest);\n", e->number[k]);
    taut_string_add(t, "    const double scale = f->scale[%d] = power_below(largest, &scaled);\n",
                    i);
    taut_string_add(t, "    none += 0.0 * (0.0");
    for (int k = e->start[i]; k < e->start[i + 1]; k++)
        taut_string_add(t, " + A[%d]", e->number[k]);
    taut_string_add(t, ");\n");
    for (int side = 0; side < 2; side++)
        for (int k = both[side]->start[i]; k < both[side]->start[i + 1]; k++)
            taut_string_add(t, "    double w%d = 0.0;\n", both[side]->column[k]);
    taut_string_add(t, "    double w%d = 0.0;\n", i);
    for (int k = e->start[i]; k < e->start[i + 1]; k++)
        taut_string_add(t, "    w%d = A[%d] * scale;\n", e->column[k], e->number[k]);
}

static void put_elimination_of(taut_string *t, const taut_factors *f, int i) {
    const taut_triangle *L = &f->lower, *U = &f->upper;
    for (int k = L->start[i]; k < L->start[i + 1]; k++) {
        const int j = L->column[k];
        taut_string_add(t,
                        "    const double l%d = f->lower[%d] = w%d * p%d;\n"
                        "    multiplier = LARGER(SIZE(l%d), multiplier);\n",
                        j, k, j, j, j);
        for (int m = U->start[j]; m < U->start[j + 1]; m++)
            taut_string_add(t, "    w%d -= w%d * u%d;\n", U->column[m], j, m);
    }
    taut_string_add(t, "    f->per[%d] = p%d = 1.0 / w%d;\n", i, i, i);
    for (int m = U->start[i]; m < U->start[i + 1]; m++)
        taut_string_add(t, "    f->upper[%d] = u%d = w%d * p%d;\n", m, m, U->column[m], i);
    /* as if rows had the size 1; what is no number stays one in `none` */
    taut_string_add(t,
                    "    const double size = SIZE(w%d) / scaled;\n"
                    "    smallest = size < smallest ? size : smallest;\n"
                    "    greatest = LARGER(size, greatest);\n"
                    "    none += 0.0 * size;\n    }\n",
                    i);
}

static void put_elimination(taut_string *t, const taut_factors *f, const taut_rows_by_pivots *e) {
    taut_string_add(t, "void eliminate(factors *restrict f, const double *restrict A) {\n"
                       "    double smallest = __builtin_inf(), greatest = 0.0, multiplier = 0.0, "
                       "none = 0.0;\n");
    for (int i = 0; i < f->n; i++) taut_string_add(t, "    double p%d;\n", i);
    for (int m = 0; m < f->upper.start[f->n]; m++) taut_string_add(t, "    double u%d;\n", m);
    for (int i = 0; i < f->n; i++) {
        put_matrix_row(t, f, e, i);
        put_elimination_of(t, f, i);
    }
    taut_string_add(t, "    f->smallest = smallest + none;\n    f->greatest = greatest;\n"
                       "    f->multiplier = multiplier;\n}\n");
}

/* ---- solutions ---- */

/* b[row] times the scale of pivot i and its unit. Of powers of 2 nothing is rounded, so it does not
 * matter what they are multiplied by first. */
static void put_scale(taut_string *t, const taut_factors *f, int i, const int *unit) {
    const int row = f->pivot_row[i];
    if (unit && unit[row] > 0) /* beforehand: nobody waits for it */
        taut_string_add(t, "(F[%d] * f->scale[%d])", unit[row], i);
    else
        taut_string_add(t, "f->scale[%d]", i);
}

/* Is f[i] nothing but a scaled right-hand side? */
static bool is_plain(const taut_factors *f, int i) {
    return f->lower.start[i] == f->lower.start[i + 1];
}

/* f[i] = b[row] * scale - sum of l f[j]; those that are found last come last. */
static void put_forward(taut_string *t, const taut_factors *f, int i, const int *unit) {
    const taut_triangle *L = &f->lower;
    taut_string_add(t, "    const double f%d = ", i);
    for (int k = L->start[i]; k < L->start[i + 1]; k++) {
        const int j = L->column[k];
        if (!is_plain(f, j)) continue;
        taut_string_add(t, " - (f->lower[%d] * ", k);
        put_scale(t, f, j, unit);
        taut_string_add(t, ") * b[%d]", f->pivot_row[j]);
    }
    taut_string_add(t, " + b[%d] * ", f->pivot_row[i]);
    put_scale(t, f, i, unit);
    for (int k = L->start[i]; k < L->start[i + 1]; k++)
        if (!is_plain(f, L->column[k]))
            taut_string_add(t, " - f->lower[%d] * f%d", k, L->column[k]);
    taut_string_add(t, ";\n");
}

void taut_unrolled_write_solution(taut_string *t, const taut_factors *f, const int *unit) {
    const taut_triangle *U = &f->upper;
    for (int i = 0; i < f->n; i++) put_forward(t, f, i, unit);
    for (int i = f->n - 1; i >= 0; i--) {
        taut_string_add(t, "    const double g%d = f%d * f->per[%d]", i, i, i);
        for (int k = U->start[i + 1] - 1; k >= U->start[i]; k--) /* what is found last comes last */
            taut_string_add(t, " - f->upper[%d] * g%d", k, U->column[k]);
        taut_string_add(t, ";\n    x[%d] = g%d;\n", f->pivot_column[i], i);
    }
}

/* Column by column: sums would have to look for the entries of theirs. */
static void put_transposed(taut_string *t, const taut_factors *f) {
    const taut_triangle *L = &f->lower, *U = &f->upper;
    for (int i = 0; i < f->n; i++)
        taut_string_add(t, "    double g%d = b[%d];\n", i, f->pivot_column[i]);
    for (int i = 0; i < f->n; i++)
        for (int k = U->start[i]; k < U->start[i + 1]; k++)
            taut_string_add(t, "    g%d -= f->upper[%d] * g%d;\n", U->column[k], k, i);
    for (int i = 0; i < f->n; i++) taut_string_add(t, "    g%d *= f->per[%d];\n", i, i);
    for (int i = f->n - 1; i >= 0; i--) {
        for (int k = L->start[i]; k < L->start[i + 1]; k++)
            taut_string_add(t, "    g%d -= f->lower[%d] * g%d;\n", L->column[k], k, i);
        taut_string_add(t, "    b[%d] = g%d * f->scale[%d];\n", f->pivot_row[i], i, i);
    }
}

void taut_unrolled_write(taut_string *t, const taut_factors *f, const taut_rows_by_pivots *e) {
    taut_string_add(t, BEGIN, TEXT_OF(TAUT_UNROLLED_NUMBERS));
    put_elimination(t, f, e);
    taut_string_add(t, "void solve(const factors *restrict f, double *restrict b) {\n"
                       "    double *const x = b;\n");
    taut_unrolled_write_solution(t, f, NULL);
    taut_string_add(t,
                    "}\nvoid solve_transposed(const factors *restrict f, double *restrict b) {\n");
    put_transposed(t, f);
    taut_string_add(t, "}\n");
}
