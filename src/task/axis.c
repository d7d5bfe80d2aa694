/* Values of a varied name, from text to numbers. */
#include "task/axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/number.h"
#include "core/text.h"
#include "expr/measure.h"

enum { MOST_VALUES = 10000000, LONGEST = 80 };

/* ---- numbers ---- */

typedef struct reader {
    const char *name, *text;
    taut_errors *errors;
} reader;

static taut_status refuse(const reader *r, const char *why) {
    return taut_fail(r->errors, TAUT_ERR_CALL, "vary %s=%s: %s", r->name, r->text, why);
}

/* A number, perhaps with a unit, that fills text[0 .. length) but for blanks. */
static taut_status read_number(const reader *r, const char *text, size_t length, double *number) {
    char copy[LONGEST + 1], why[2 * LONGEST + 60], *end;
    while (length > 0 && *text == ' ') text++, length--;
    while (length > 0 && text[length - 1] == ' ') length--;
    snprintf(copy, sizeof copy, "%.*s", (int)(length < LONGEST ? length : LONGEST), text);
    snprintf(why, sizeof why, "'%s' is not a number, perhaps with a unit", copy);
    *number = taut_number_parse(copy, &end);
    if (end == copy || length > LONGEST || !isfinite(*number)) return refuse(r, why);
    char *unit_text = end;
    while (*unit_text == ' ') unit_text++;
    if (*unit_text == '\0') return TAUT_OK;
    taut_unit unit;
    if (taut_unit_read(unit_text, strlen(unit_text), &unit) != strlen(unit_text))
        return refuse(r, why);
    *end = '\0';
    *number = taut_unit_convert(copy, &unit);
    return TAUT_OK;
}

/* Numbers separated by commas, at most `most`; returns how many, in *count. */
static taut_status read_numbers(const reader *r, const char *text, size_t length, double *number,
                                long *count) {
    const char *const end = text + length;
    for (*count = 0;;) {
        const char *comma = memchr(text, ',', (size_t)(end - text));
        const char *stop = comma ? comma : end;
        TAUT_TRY(read_number(r, text, (size_t)(stop - text), &number[(*count)++]));
        if (!comma) return TAUT_OK;
        text = comma + 1;
    }
}

/* ---- lists ---- */

static taut_status read_list(const reader *r, taut_arena *arena, taut_study_axis *axis) {
    size_t count = 1;
    for (const char *p = r->text; *p; p++) count += *p == ',';
    if (count > MOST_VALUES) return refuse(r, "too many values");
    axis->kind = TAUT_AXIS_LIST;
    axis->value = TAUT_NEW_ARRAY(arena, count, double);
    if (!axis->value) return TAUT_ERR_MEMORY;
    return read_numbers(r, r->text, strlen(r->text), axis->value, &axis->count);
}

/* a..b:n; dots is the place of the two points. */
static taut_status read_grid(const reader *r, const char *dots, taut_arena *arena,
                             taut_study_axis *axis) {
    const char *colon = strchr(dots, ':');
    double a, b, n;
    if (!colon) return refuse(r, "how many values? write a..b:n, as in 1..2:11");
    if (strstr(colon, "log"))
        return refuse(r, "values of a grid are equidistant; others are listed, as in 1,10,100");
    TAUT_TRY(read_number(r, r->text, (size_t)(dots - r->text), &a));
    TAUT_TRY(read_number(r, dots + 2, (size_t)(colon - dots - 2), &b));
    TAUT_TRY(read_number(r, colon + 1, strlen(colon + 1), &n));
    if (!(n >= 2.0 && n <= MOST_VALUES) || n != floor(n))
        return refuse(r, "the number of values is a whole number from 2 to 10000000");
    if (a == b) return refuse(r, "both ends are the same");
    axis->kind = TAUT_AXIS_LIST;
    axis->count = (long)n;
    axis->value = TAUT_NEW_ARRAY(arena, axis->count, double);
    if (!axis->value) return TAUT_ERR_MEMORY;
    /* exact at both ends, and symmetric */
    for (long i = 0; i < axis->count; i++)
        axis->value[i] = (a * (double)(axis->count - 1 - i) + b * (double)i) / (n - 1.0);
    return TAUT_OK;
}

/* ---- distributions ---- */

static const struct {
    const char *name;
    taut_axis_kind kind;
    int numbers;
    const char *usage;
} DISTRIBUTION[] = {
    {"uniform", TAUT_AXIS_UNIFORM, 2, "write uniform(a,b) with a < b"},
    {"normal", TAUT_AXIS_NORMAL, 2, "write normal(mean,sd) with sd > 0"},
    {"lognormal", TAUT_AXIS_LOGNORMAL, 2, "write lognormal(mu,sigma) with sigma > 0"},
    {"triangular", TAUT_AXIS_TRIANGULAR, 3, "write triangular(a,mode,b) with a <= mode <= b"},
};
enum { DISTRIBUTIONS = sizeof DISTRIBUTION / sizeof DISTRIBUTION[0] };

static bool makes_sense(const taut_study_axis *a) {
    switch (a->kind) {
    case TAUT_AXIS_UNIFORM: return a->p[0] < a->p[1];
    case TAUT_AXIS_NORMAL:
    case TAUT_AXIS_LOGNORMAL: return a->p[1] > 0.0;
    case TAUT_AXIS_TRIANGULAR: return a->p[0] <= a->p[1] && a->p[1] <= a->p[2] && a->p[0] < a->p[2];
    case TAUT_AXIS_LIST: break;
    }
    return true;
}

static taut_status read_distribution(const reader *r, const char *open, taut_study_axis *axis) {
    const size_t length = strlen(open);
    char word[LONGEST], why[2 * LONGEST + 100];
    long commas = 0;
    snprintf(word, sizeof word, "%.*s", (int)(open - r->text), r->text);
    taut_nearest nearest = {.wanted = word};
    for (const char *p = open; *p; p++) commas += *p == ',';
    for (int k = 0; k < DISTRIBUTIONS; k++) {
        taut_nearest_offer(&nearest, DISTRIBUTION[k].name);
        if (strcmp(word, DISTRIBUTION[k].name) != 0) continue;
        if (open[length - 1] != ')' || commas + 1 != DISTRIBUTION[k].numbers)
            return refuse(r, DISTRIBUTION[k].usage);
        axis->kind = DISTRIBUTION[k].kind;
        TAUT_TRY(read_numbers(r, open + 1, length - 2, axis->p, &commas));
        return makes_sense(axis) ? TAUT_OK : refuse(r, DISTRIBUTION[k].usage);
    }
    snprintf(why, sizeof why,
             "there is no distribution '%s'%s%s%s; there are uniform, normal, lognormal and "
             "triangular",
             word, nearest.best ? "; did you mean '" : "", nearest.best ? nearest.best : "",
             nearest.best ? "'?" : "");
    return refuse(r, why);
}

/* 10+-0.1 */
static taut_status read_tolerance(const reader *r, const char *sign, taut_study_axis *axis) {
    double middle, half;
    TAUT_TRY(read_number(r, r->text, (size_t)(sign - r->text), &middle));
    TAUT_TRY(read_number(r, sign + 2, strlen(sign + 2), &half));
    if (!(half > 0.0)) return refuse(r, "what follows +- must be above 0");
    axis->kind = TAUT_AXIS_UNIFORM;
    axis->p[0] = middle - half;
    axis->p[1] = middle + half;
    return TAUT_OK;
}

taut_status taut_axis_read(const char *name, const char *text, taut_arena *arena,
                           taut_study_axis *axis, taut_errors *errors) {
    const reader r = {name, text, errors};
    const char *open = strchr(text, '('), *sign = strstr(text, "+-"), *dots = strstr(text, "..");
    *axis = (taut_study_axis){.name = name};
    if (strlen(text) == 0) return refuse(&r, "values are missing, as in 1..2:11 or 1,2,5");
    if (open) return read_distribution(&r, open, axis);
    if (sign) return read_tolerance(&r, sign, axis);
    return dots ? read_grid(&r, dots, arena, axis) : read_list(&r, arena, axis);
}

/* ---- quantiles ---- */

/* Abramowitz and Stegun 26.2.23 for the lower tail, then Halley's method on Phi(x) = u, which
 * doubles (nearly triples) the three digits of the formula at each step. */
double taut_normal_quantile(double u) {
    if (u > 0.5) return -taut_normal_quantile(1.0 - u); /* exact: u has 53 bits */
    const double t = sqrt(-2.0 * log(u));
    double x = -(t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                         (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
    for (int i = 0; i < 3; i++) {
        const double error = 0.5 * erfc(-x * M_SQRT1_2) - u;
        const double newton = error * sqrt(2.0 * M_PI) * exp(0.5 * x * x);
        x -= newton / (1.0 + 0.5 * x * newton);
    }
    return x;
}

double taut_axis_quantile(const taut_study_axis *a, double u) {
    const double *p = a->p;
    switch (a->kind) {
    case TAUT_AXIS_UNIFORM: return p[0] + (p[1] - p[0]) * u;
    case TAUT_AXIS_NORMAL: return p[0] + p[1] * taut_normal_quantile(u);
    case TAUT_AXIS_LOGNORMAL: return exp(p[0] + p[1] * taut_normal_quantile(u));
    case TAUT_AXIS_TRIANGULAR: {
        const double width = p[2] - p[0], rise = p[1] - p[0], fall = p[2] - p[1];
        return u * width < rise ? p[0] + sqrt(u * width * rise)
                                : p[2] - sqrt((1.0 - u) * width * fall);
    }
    case TAUT_AXIS_LIST: break;
    }
    return (double)NAN;
}
