/* Singular everywhere, or only here? A look at pseudo-random points tells the two apart. */
#include "solve/singular.h"

#include <math.h>
#include <stdio.h>

#include "core/dense.h"

enum { TRIES = 5, LARGEST = 2000 };

/* Numbers between 0.5 and 1.5, the same in every run. */
static double arbitrary(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return 0.5 + (double)(*seed >> 8) / (double)(1u << 24);
}

bool taut_singular_everywhere(taut_series *s) {
    unsigned seed = 1;
    int tried = 0;
    for (int attempt = 0; attempt < TRIES; attempt++) {
        taut_series_start(s, arbitrary(&seed), 1.0);
        for (int j = 0; j < s->system->n; j++)
            for (int k = 0; k <= s->structure->offsets.d[j]; k++)
                taut_series_set(s, j, k, arbitrary(&seed));
        taut_series_look(s, 0);
        taut_series_jacobian(s);
        bool finite = true;
        for (int k = 0; k < s->entries; k++) finite &= isfinite(s->J[k]) != 0;
        if (!finite) continue; /* outside the domain of a function */
        tried++;
        if (taut_series_factor(s) == TAUT_OK && taut_lu_rcond(s->lu) > 1e-13) return false;
    }
    return tried > 0;
}

/* Names of the equations whose rows of J are dependent; false if that cannot be told. */
static bool dependent_rows(const taut_series *s, char *text, size_t size, int *first) {
    const int n = s->system->n;
    taut_arena arena = {0};
    bool found = false;
    *first = -1;
    if (n > LARGEST || s->size > n) return false;
    double *a = TAUT_NEW_ARRAY(&arena, n * n, double); /* J transposed, rows scaled */
    bool *dependent = TAUT_NEW_ARRAY(&arena, n, bool);
    int rank = 0, count = 0;
    size_t used = 0;
    if (a && dependent) {
        for (int j = 0; j < n; j++)
            for (int k = s->start[j]; k < s->start[j + 1]; k++) a[s->row[k] * n + j] = s->J[k];
        for (int i = 0; i < n; i++) {
            double largest = 0.0;
            for (int j = 0; j < n; j++) largest = fmax(largest, fabs(a[i * n + j]));
            for (int j = 0; j < n && largest > 0.0; j++) a[i * n + j] /= largest;
        }
        found = taut_dependent_columns(n, n, a, 1e-12, dependent, &rank) == TAUT_OK && rank < n;
    }
    for (int i = 0; i < n && found; i++) {
        if (!dependent[i]) continue;
        if (*first < 0) *first = i;
        if (count++ < 8 && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
                                     s->system->equation[i].name);
    }
    if (count > 8 && used < size) snprintf(text + used, size - used, " and %d more", count - 8);
    taut_arena_release(&arena);
    return found && *first >= 0;
}

taut_status taut_singular_explain(taut_series *s, const char *where, taut_errors *errors) {
    char names[500] = "";
    int first;
    const bool named = dependent_rows(s, names, sizeof names, &first);
    const taut_place place = named ? s->system->equation[first].place : s->system->place;
    if (taut_singular_everywhere(s))
        return taut_fail_at(
            errors, TAUT_ERR_INPUT, place,
            "structural analysis fails: the system Jacobian is singular wherever it "
            "is evaluated, although its structure is regular; the equations %s "
            "hide a dependency of their highest derivatives: replace one of them by "
            "a combination in which these cancel",
            named ? names : "of this system");
    return taut_fail_at(errors, TAUT_SINGULAR, place,
                        "the system Jacobian is singular %s: the equations %s do not determine the "
                        "highest derivatives there (a singular position, or redundant constraints)",
                        where, named ? names : "of this system");
}

/* ---- dead points ---- */

static const double STRETCHED = 1e-3; /* what is left of the independence of constraints there */

/* Constraints that are nearly dependent: part[i] of the list, and the equations of it. */
static taut_status find_stretched(taut_series *s, taut_arena *arena, int **equation, bool **part,
                                  int *count) {
    const int n = s->system->n, *c = s->structure->offsets.c;
    int rank = 0, *place = TAUT_NEW_ARRAY(arena, n, int);
    *equation = TAUT_NEW_ARRAY(arena, n, int);
    *part = TAUT_NEW_ARRAY(arena, n, bool);
    *count = 0;
    if (!place || !*equation || !*part) return TAUT_ERR_MEMORY;
    for (int i = 0; i < n; i++) {
        place[i] = c[i] > 0 ? *count : -1;
        if (place[i] >= 0) (*equation)[(*count)++] = i;
    }
    double *a = taut_arena_array(arena, (size_t)n * (size_t)*count, sizeof *a);
    double *largest = TAUT_NEW_ARRAY(arena, n, double);
    if (!a || !largest) return TAUT_ERR_MEMORY;
    for (int j = 0; j < n; j++)
        for (int k = s->start[j]; k < s->start[j + 1]; k++) {
            const int i = place[s->row[k]];
            if (i < 0) continue;
            a[(size_t)i * (size_t)n + (size_t)j] = s->J[k];
            largest[i] = fmax(largest[i], fabs(s->J[k]));
        }
    for (int i = 0; i < *count; i++)
        for (int j = 0; j < n && largest[i] > 0.0; j++)
            a[(size_t)i * (size_t)n + (size_t)j] /= largest[i];
    return taut_dependent_columns(n, *count, a, STRETCHED, *part, &rank);
}

taut_status taut_singular_dead_point(taut_series *s, double t, taut_errors *errors) {
    const taut_system *system = s->system;
    taut_arena arena = {0};
    int *equation, count, driver = -1, others = 0;
    bool *part;
    char names[400] = "";
    size_t used = 0;
    if (!system->driver || system->n > LARGEST || s->size > system->n) return TAUT_OK;
    taut_series_look(s, 0);
    taut_series_jacobian(s);
    taut_status status = find_stretched(s, &arena, &equation, &part, &count);
    for (int k = 0; k < count && status == TAUT_OK; k++) {
        if (!part[k]) continue;
        if (system->driver[equation[k]]) {
            if (driver < 0) driver = equation[k];
        } else if (equation[k] >= system->first_constraint && others++ < 8 && used < sizeof names) {
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                                     system->equation[equation[k]].name);
        }
    }
    if (status == TAUT_OK && driver >= 0 && others > 0)
        status = taut_fail_at(errors, TAUT_STEP_COLLAPSED, system->equation[driver].place,
                              "dead point at t = %.10g: the %s asks for a position that "
                              "cannot be reached; stretched or folded there: %s%s",
                              t, system->equation[driver].name, names, others > 8 ? ", ..." : "");
    taut_arena_release(&arena);
    return status == TAUT_ERR_NUMERICS ? TAUT_OK : status;
}
