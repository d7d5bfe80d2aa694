/* Along the driven coordinate: predictor and corrector, dead points by arc length. */
#include <math.h>
#include <string.h>

#include "core/philox.h"
#include "task/kinematics.h"

enum { WALKS = 4000, HALVINGS = 40 };
static const double CLOSE = 0.1;     /* the corrector goes this part of a step at most */
static const double SHORTEST = 1e-5; /* a step by sizes; below it a dead point is near */
static const double LONGEST = 0.5;   /* likewise */
static const double ARC = 0.02;      /* first step by arc length */
static const double SAME = 1e-6;

static double length_of(const taut_linkage *l, const double *x) {
    double sum = 0.0;
    for (int j = 0; j < l->n; j++) sum += x[j] * x[j] / (l->size[j] * l->size[j]);
    return sqrt(sum);
}

static double cosine_of(const taut_linkage *l, const double *a, const double *b) {
    double sum = 0.0;
    for (int j = 0; j < l->n; j++) sum += a[j] * b[j] / (l->size[j] * l->size[j]);
    return sum / (length_of(l, a) * length_of(l, b));
}

/* ---- by the driven coordinate ---- */

/* One attempt to go from z to the value s + h; next, rate: there. */
static bool attempt(taut_linkage *l, const double *z, const double *first, const double *second,
                    double s, double h, double *next, double *rate) {
    const double value = s + h;
    double moved, way = 0.0;
    for (int j = 0; j < l->n; j++) {
        const double step = h * (first[j] + 0.5 * h * second[j]);
        next[j] = z[j] + step;
        way += pow(step / l->size[j], 2.0);
    }
    way = sqrt(way);
    if (way > LONGEST) return false;
    if (taut_linkage_correct(l, (taut_linkage_goal){.value = &value}, next, &moved) != TAUT_OK)
        return false;
    if (moved > CLOSE * way + 1e-12) return false;
    return taut_linkage_rates(l, rate, NULL) == TAUT_OK && cosine_of(l, first, rate) > 0.8;
}

static taut_status advance(taut_linkage *l, double *z, double *s, double to, double *work) {
    double *first = work, *second = work + l->n, *next = work + 2 * l->n, *rate = work + 3 * l->n;
    double h = to - *s;
    taut_linkage_look(l, z);
    for (int i = 0; i < WALKS && *s != to; i++) {
        if (taut_linkage_rates(l, first, second) != TAUT_OK) return TAUT_SINGULAR;
        if (fabs(to - *s) <= fabs(h) * (1.0 + 1e-9)) h = to - *s;
        while (!attempt(l, z, first, second, *s, h, next, rate)) {
            h *= 0.5;
            if (fabs(h) * length_of(l, first) < SHORTEST || *s + h == *s) return TAUT_SINGULAR;
        }
        memcpy(z, next, (size_t)l->n * sizeof *z);
        *s = h == to - *s ? to : *s + h;
        h *= 2.0;
    }
    return *s == to ? TAUT_OK : TAUT_SINGULAR;
}

taut_status taut_path_advance(taut_linkage *l, double *z, double *s, double to) {
    taut_arena arena = {0};
    double *work = TAUT_NEW_ARRAY(&arena, 4 * l->n + 1, double);
    const taut_status status = work ? advance(l, z, s, to, work) : TAUT_ERR_MEMORY;
    taut_arena_release(&arena);
    return status;
}

/* ---- by arc length ---- */

typedef struct arc {
    taut_linkage *l;
    double *from, *tangent, *next, *basis;
    double *across, *start; /* the plane of the corrector: its normal, a point of it */
    double sign;            /* which way along the tangent */
} arc;

static double slope_of(const taut_linkage *l, const double *tangent) {
    double sum = 0.0;
    for (int j = 0; j < l->n; j++) sum += l->gradient[j * l->rows + l->conditions] * tangent[j];
    return sum;
}

/* The tangent at the point that was looked at last, as `like` points; false: there is none. */
static bool find_tangent(arc *a, const double *like, double *tangent) {
    int count = 0;
    if (taut_linkage_freedoms(a->l, a->basis, &count) != TAUT_OK || count != 1) return false;
    const double sign = like && cosine_of(a->l, a->basis, like) < 0.0 ? -1.0 : 1.0;
    for (int j = 0; j < a->l->n; j++) tangent[j] = sign * a->basis[j];
    return true;
}

/* The point at arc length `way` from a->from in a->next, the slope of the function there; NaN:
 * there is none. */
static double go(arc *a, double way, double *tangent) {
    taut_linkage *l = a->l;
    for (int j = 0; j < l->n; j++) {
        a->next[j] = a->start[j] = a->from[j] + way * a->tangent[j];
        a->across[j] = a->tangent[j] / (l->size[j] * l->size[j]);
    }
    const taut_linkage_goal goal = {.tangent = a->across, .from = a->start};
    if (taut_linkage_correct(l, goal, a->next, NULL) != TAUT_OK) return (double)NAN;
    if (!find_tangent(a, a->tangent, tangent)) return (double)NAN;
    if (cosine_of(l, a->tangent, tangent) < 0.9) return (double)NAN;
    return a->sign * slope_of(l, tangent);
}

/* The slope is positive at 0 and not at b: where is it 0? */
static void find_zero(arc *a, double fa, double b, double fb, double *tangent) {
    double x = 0.0, side = 0.0;
    for (int i = 0; i < 100 && b - x > 1e-15; i++) {
        double c = (x * fb - b * fa) / (fb - fa);
        if (!(c > x && c < b)) c = 0.5 * (x + b);
        const double f = go(a, c, tangent);
        if (!isfinite(f) || f == 0.0) return;
        if (f > 0.0) {
            x = c;
            fa = f;
            if (side > 0.0) fb *= 0.5;
            side = 1.0;
        } else {
            b = c;
            fb = f;
            if (side < 0.0) fa *= 0.5;
            side = -1.0;
        }
        if (fabs(f) < 1e-15) return;
    }
}

static bool follow(arc *a, double *tangent, double way) {
    double slope = 0.0, h = ARC;
    taut_linkage_look(a->l, a->from);
    if (!find_tangent(a, NULL, a->tangent)) return false;
    slope = slope_of(a->l, a->tangent);
    a->sign = way > 0.0 ? 1.0 : -1.0;
    if (slope * way < 0.0)
        for (int j = 0; j < a->l->n; j++) a->tangent[j] = -a->tangent[j];
    slope = fabs(slope);
    for (int i = 0; i < 200; i++) {
        double f = (double)NAN;
        for (int k = 0; k < HALVINGS && !isfinite(f); k++, h *= 0.5) f = go(a, h, tangent);
        if (!isfinite(f)) return false;
        h *= 2.0; /* of the last attempt */
        if (f <= 0.0) {
            find_zero(a, slope, h, f, tangent);
            return true;
        }
        slope = f;
        memcpy(a->from, a->next, (size_t)a->l->n * sizeof(double));
        memcpy(a->tangent, tangent, (size_t)a->l->n * sizeof(double));
    }
    return false;
}

taut_status taut_path_dead_point(taut_linkage *l, double *z, double *s, double way, bool *found) {
    taut_arena arena = {0};
    const size_t n = (size_t)l->n;
    arc a = {.l = l,
             .from = TAUT_NEW_ARRAY(&arena, n, double),
             .tangent = TAUT_NEW_ARRAY(&arena, n, double),
             .next = TAUT_NEW_ARRAY(&arena, n, double),
             .across = TAUT_NEW_ARRAY(&arena, n, double),
             .start = TAUT_NEW_ARRAY(&arena, n, double),
             .basis = TAUT_NEW_ARRAY(&arena, n * n + 1, double)};
    double *tangent = TAUT_NEW_ARRAY(&arena, n, double);
    *found = false;
    if (!a.from || !a.tangent || !a.next || !a.basis || !a.across || !a.start || !tangent) {
        taut_arena_release(&arena);
        return TAUT_ERR_MEMORY;
    }
    memcpy(a.from, z, n * sizeof *z);
    *found = follow(&a, tangent, way);
    if (*found) {
        memcpy(z, a.next, n * sizeof *z);
        taut_linkage_look(l, z);
        *s = l->value[l->conditions];
    }
    taut_arena_release(&arena);
    return TAUT_OK;
}

/* ---- other assemblies ---- */

void taut_path_shuffle(const taut_linkage *l, int number, double *z) {
    for (int j = 0; j < l->n; j++) {
        const double u = taut_random_unit(taut_random_bits(1, (uint64_t)number, (uint64_t)j));
        z[j] = l->z[j] + l->size[j] * (j < l->problem->coordinates ? 1.5 : 3.0) * (2.0 * u - 1.0);
    }
}

bool taut_path_is_same(const taut_linkage *l, const double *a, const double *b) {
    for (int j = 0; j < l->problem->coordinates; j++)
        if (fabs(a[j] - b[j]) > SAME * l->size[j]) return false;
    return true;
}
