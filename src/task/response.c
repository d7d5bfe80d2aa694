/* Response of a linearisation to harmonic inputs: G(s) = C (s I - A)^-1 B + D along the imaginary
 * axis, and its zeros (docs/math/linearisation.md). */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "core/dense.h"
#include "core/number.h"
#include "core/text.h"
#include "task/linear.h"
#include "task/result.h"

enum { POINTS = 401, MOST_POINTS = 100000, COLUMNS = 7 };
static const double PI = 3.14159265358979323846;
static const double AT_ZERO =
    1e-7; /* of the largest eigenvalue: a zero that is 0, and may be double */
static const double NOTHING = 1e-12; /* of the terms of a Markov parameter */

/* One input and one output of a point. */
typedef struct channel {
    const taut_linear_point *p;
    int input, output;
} channel;

/* C11's CMPLX, which not every compiler has. */
static double complex complex_of(double re, double im) {
    const double part[2] = {re, im};
    double complex z;
    memcpy(&z, part, sizeof z);
    return z;
}

static int find_name(const char *const *name, int count, const char *wanted) {
    for (int i = 0; i < count; i++)
        if (strcmp(name[i], wanted) == 0) return i;
    return -1;
}

static taut_status no_name(const char *kind, const char *const *name, int count, const char *wanted,
                           taut_errors *errors) {
    taut_nearest nearest = {.wanted = wanted};
    for (int i = 0; i < count; i++) taut_nearest_offer(&nearest, name[i]);
    return taut_fail(errors, TAUT_ERR_CALL, "the linearisation has no %s '%.80s'%s%s%s", kind,
                     wanted, nearest.best ? "; did you mean '" : "",
                     nearest.best ? nearest.best : "", nearest.best ? "'?" : "");
}

static taut_status open_channel(const taut_linear *l, int k, const char *input, const char *output,
                                channel *c, taut_errors *errors) {
    c->p = taut_linear_at(l, k);
    TAUT_NEED(c->p, "linear", errors);
    TAUT_NEED(input, "input", errors);
    TAUT_NEED(output, "output", errors);
    c->input = find_name(c->p->input, c->p->inputs, input);
    if (c->input < 0) return no_name("input", c->p->input, c->p->inputs, input, errors);
    c->output = find_name(c->p->output, c->p->outputs, output);
    if (c->output < 0) return no_name("output", c->p->output, c->p->outputs, output, errors);
    return TAUT_OK;
}

static double b_of(const channel *c, int i) { return c->p->B[i * c->p->inputs + c->input]; }
static double c_of(const channel *c, int i) { return c->p->C[c->output * c->p->states + i]; }
static double d_of(const channel *c) { return c->p->D[c->output * c->p->inputs + c->input]; }

/* ---- along the imaginary axis ---- */

/* (i w I - A) x = B as a real system of twice the size; work: 4 n^2 + 2 n numbers, pivot 2 n. */
static taut_status respond(const channel *c, double w, double *work, int *pivot,
                           double complex *g) {
    const taut_linear_point *p = c->p;
    const int n = p->states, m = 2 * n;
    double *a = work, *x = work + (size_t)m * (size_t)m;
    memset(a, 0, (size_t)m * (size_t)m * sizeof *a);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            a[j * m + i] = -p->A[i * n + j];
            a[(n + j) * m + n + i] = -p->A[i * n + j];
        }
        a[(n + i) * m + i] -= w;
        a[i * m + n + i] += w;
        x[i] = b_of(c, i);
        x[n + i] = 0.0;
    }
    if (n > 0) TAUT_TRY(taut_dense_solve(m, 1, a, x, pivot));
    double re = d_of(c), im = 0.0;
    for (int i = 0; i < n; i++) {
        re += c_of(c, i) * x[i];
        im += c_of(c, i) * x[n + i];
    }
    *g = complex_of(re, im);
    return TAUT_OK;
}

/* A number with Hz, kHz or rad/s, or plain: in Hz. */
static bool read_frequency(const char *text, size_t length, double *f) {
    static const struct {
        const char *unit;
        double hertz;
    } UNIT[] = {{"", 1.0}, {"Hz", 1.0}, {"kHz", 1000.0}, {"rad/s", 0.5 / 3.14159265358979323846}};
    char copy[60], *end;
    taut_format(copy, sizeof copy, "%.*s", (int)(length < 59 ? length : 59), text);
    *f = taut_number_parse(copy, &end);
    if (end == copy || !isfinite(*f) || !(*f > 0.0)) return false;
    while (*end == ' ') end++;
    for (size_t i = 0; i < sizeof UNIT / sizeof UNIT[0]; i++) {
        if (strcmp(end, UNIT[i].unit) != 0) continue;
        *f *= UNIT[i].hertz;
        return true;
    }
    return false;
}

static taut_status read_range(const channel *c, const char *range, double *lo, double *hi,
                              taut_errors *errors) {
    const char *dots = range ? strstr(range, "..") : NULL;
    if (range) {
        if (!dots || !read_frequency(range, (size_t)(dots - range), lo) ||
            !read_frequency(dots + 2, strlen(dots + 2), hi) || !(*lo < *hi))
            return taut_fail(errors, TAUT_ERR_CALL,
                             "range %s: write two frequencies above 0, as in 0.1Hz..100Hz", range);
        return TAUT_OK;
    }
    *lo = HUGE_VAL;
    *hi = 0.0;
    for (int k = 0; k < c->p->states; k++) {
        const double f = hypot(c->p->eigenvalue[k][0], c->p->eigenvalue[k][1]) / (2.0 * PI);
        if (f == 0.0) continue;
        *lo = fmin(*lo, f);
        *hi = fmax(*hi, f);
    }
    if (*hi == 0.0) *lo = *hi = 1.0;
    *lo = pow(10.0, floor(log10(*lo) - 0.5));
    *hi = pow(10.0, ceil(log10(*hi) + 0.5));
    return TAUT_OK;
}

static taut_status fill_rows(const channel *c, double lo, double hi, int points, taut_result *r) {
    taut_arena arena = {0};
    const size_t m = 2 * (size_t)c->p->states;
    double *work = TAUT_NEW_ARRAY(&arena, m * m + m + 1, double), before = 0.0;
    int *pivot = TAUT_NEW_ARRAY(&arena, m + 1, int);
    taut_status status = work && pivot ? TAUT_OK : TAUT_ERR_MEMORY;
    for (int i = 0; i < points && status == TAUT_OK; i++) {
        const double f = points == 1       ? lo
                         : i == points - 1 ? hi
                                           : lo * pow(hi / lo, (double)i / (points - 1));
        double complex g = complex_of((double)NAN, (double)NAN);
        double *row = taut_result_add_row(r);
        status = respond(c, 2.0 * PI * f, work, pivot, &g); /* on an eigenvalue it is infinite */
        if (status == TAUT_SINGULAR) status = TAUT_OK;
        if (!row) status = TAUT_ERR_MEMORY;
        if (status != TAUT_OK) break;
        const double size = cabs(g);
        double phase = carg(g) * 180.0 / PI;
        if (i > 0) phase += 360.0 * round((before - phase) / 360.0); /* without jumps */
        if (isfinite(phase)) before = phase;
        const double value[COLUMNS] = {f,     2.0 * PI * f, size,    20.0 * log10(size),
                                       phase, creal(g),     cimag(g)};
        memcpy(row, value, sizeof value);
    }
    taut_arena_release(&arena);
    return status;
}

taut_status taut_linear_response(const taut_linear *l, int k, const taut_response_options *options,
                                 taut_result **result, taut_errors *errors) {
    static const char *const NAME[COLUMNS] = {"f", "omega", "magnitude", "dB", "phase", "re", "im"};
    channel c = {0};
    double lo, hi;
    TAUT_NEED(result, "result", errors);
    *result = NULL;
    TAUT_NEED(l, "linear", errors);
    TAUT_NEED(options, "options", errors);
    TAUT_TRY(open_channel(l, k, options->input, options->output, &c, errors));
    TAUT_TRY(read_range(&c, options->range, &lo, &hi, errors));
    const int points = options->points == 0 ? POINTS : options->points;
    if (points < 1 || points > MOST_POINTS)
        return taut_fail(errors, TAUT_ERR_CALL, "options.points = %d: 1 to %d is expected", points,
                         MOST_POINTS);
    TAUT_TRY(taut_result_create(COLUMNS, result));
    for (int i = 0; i < COLUMNS; i++) (*result)->name[i] = NAME[i];
    const taut_status status = fill_rows(&c, lo, hi, points, *result);
    if (status != TAUT_OK) taut_result_free(result);
    return status;
}

/* ---- zeros ---- */

/* How many of D, C B, C A B, ... are 0: the order by which G falls at infinity; n + 1: all. */
static int relative_degree(const channel *c, double *x, double *next) {
    const taut_linear_point *p = c->p;
    const int n = p->states;
    double size = fabs(d_of(c)), scale = 0.0;
    if (d_of(c) != 0.0) return 0;
    for (int i = 0; i < n * n; i++) scale = fmax(scale, fabs(p->A[i]));
    for (int i = 0; i < n; i++) x[i] = b_of(c, i);
    for (int r = 1; r <= n; r++) {
        double sum = 0.0, terms = 0.0;
        for (int i = 0; i < n; i++) {
            sum += c_of(c, i) * x[i];
            terms += fabs(c_of(c, i)) * fabs(x[i]);
        }
        size = fmax(size, terms);
        if (fabs(sum) > NOTHING * size) return r;
        for (int i = 0; i < n; i++) {
            next[i] = 0.0;
            for (int j = 0; j < n; j++) next[i] += p->A[i * n + j] * x[j];
        }
        memcpy(x, next, (size_t)n * sizeof *x);
        size *= scale;
    }
    return n + 1;
}

/* With s = s0 + 1/w and M = s0 I - A, G has the states matrix -M^-1 in w and a constant term
 * G(s0), which is not 0; so its zeros are the eigenvalues w of -M^-1 + B C M^-2 / G(s0). Those that
 * belong to infinite s are 0, and known by number. */
static taut_status find_zeros(const channel *c, taut_arena *arena, double (*zero)[2], int *count) {
    const taut_linear_point *p = c->p;
    const int n = p->states;
    const size_t nn = (size_t)n * (size_t)n;
    double *m = TAUT_NEW_ARRAY(arena, nn + 1, double),
           *inverse = TAUT_NEW_ARRAY(arena, nn + 1, double);
    double *x = TAUT_NEW_ARRAY(arena, 2 * n + 1, double),
           *row = TAUT_NEW_ARRAY(arena, n + 1, double);
    double(*value)[2] = taut_arena_array(arena, (size_t)n + 1, sizeof *value);
    double(*vector)[2] = taut_arena_array(arena, nn + 1, sizeof *vector);
    double *condition = TAUT_NEW_ARRAY(arena, n + 1, double);
    int *pivot = TAUT_NEW_ARRAY(arena, n + 1, int);
    if (!m || !inverse || !x || !row || !value || !vector || !condition || !pivot)
        return TAUT_ERR_MEMORY;
    const int degree = relative_degree(c, x, x + n);
    *count = 0;
    if (degree >= n) return TAUT_OK;
    double size = 0.0;
    for (int k = 0; k < n; k++) size = fmax(size, hypot(p->eigenvalue[k][0], p->eigenvalue[k][1]));
    const double s0 = 0.7531 * (size > 0.0 ? size : 1.0); /* nowhere in particular */
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) m[j * n + i] = (i == j ? s0 : 0.0) - p->A[i * n + j];
        inverse[i * n + i] = 1.0;
    }
    TAUT_TRY(taut_dense_solve(n, n, m, inverse, pivot)); /* inverse[j * n + i] = (M^-1)_ij */
    double g = d_of(c);
    for (int j = 0; j < n; j++) { /* x = C M^-1 */
        x[j] = 0.0;
        for (int i = 0; i < n; i++) x[j] += c_of(c, i) * inverse[j * n + i];
        g += x[j] * b_of(c, j);
    }
    if (g == 0.0) return TAUT_OK;
    for (int j = 0; j < n; j++) {
        row[j] = 0.0;
        for (int i = 0; i < n; i++) row[j] += x[i] * inverse[j * n + i];
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) m[j * n + i] = -inverse[j * n + i] + b_of(c, i) * row[j] / g;
    TAUT_TRY(taut_eigen(n, m, value, vector, NULL, condition));
    for (int k = 0; k < n - degree; k++) { /* the largest ones */
        int best = -1;
        double largest = 0.0;
        for (int i = 0; i < n; i++) {
            const double w = hypot(value[i][0], value[i][1]);
            if (!(w > largest)) continue;
            best = i;
            largest = w;
        }
        if (best < 0) break;
        zero[k][0] = s0 + value[best][0] / (largest * largest);
        zero[k][1] = -value[best][1] / (largest * largest);
        if (hypot(zero[k][0], zero[k][1]) < AT_ZERO * size) zero[k][0] = zero[k][1] = 0.0;
        value[best][0] = value[best][1] = 0.0;
        ++*count;
    }
    return TAUT_OK;
}

taut_status taut_linear_zeros(const taut_linear *l, int k, const taut_response_options *options,
                              double (*zero)[2], int *count, taut_errors *errors) {
    channel c = {0};
    taut_arena arena = {0};
    TAUT_NEED(count, "count", errors);
    *count = 0;
    TAUT_NEED(l, "linear", errors);
    TAUT_NEED(options, "options", errors);
    TAUT_NEED(zero, "zero", errors);
    TAUT_TRY(open_channel(l, k, options->input, options->output, &c, errors));
    const taut_status status = find_zeros(&c, &arena, zero, count);
    taut_arena_release(&arena);
    return status;
}
