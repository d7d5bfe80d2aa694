/* Eigenvalues along a run: each is followed from point to point, the nearest one first, so that
 * columns are courses and do not change places where real parts cross. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "task/linear.h"
#include "task/result.h"

typedef struct course {
    const taut_linear *linear;
    int most;          /* eigenvalues at a time */
    double (*last)[2]; /* [most] the values of the columns at the point before */
    bool *taken;       /* [most] of a point's eigenvalues */
    bool *filled;      /* [most] of the columns */
} course;

static double distance(const double *a, const double *b) { return hypot(a[0] - b[0], a[1] - b[1]); }

/* The closest pair of a column and an eigenvalue that are both free. */
static bool next_pair(const course *c, const taut_linear_point *p, int *column, int *eigenvalue) {
    double least = HUGE_VAL;
    for (int i = 0; i < c->most; i++)
        for (int k = 0; k < p->states && !c->filled[i]; k++) {
            const double d = c->taken[k] ? HUGE_VAL : distance(c->last[i], p->eigenvalue[k]);
            if (!(d < least)) continue;
            least = d;
            *column = i;
            *eigenvalue = k;
        }
    return least < HUGE_VAL;
}

static void fill_row(const course *c, const taut_linear_point *p, bool first, double *row) {
    int column = 0, k = 0;
    row[0] = p->t;
    for (int i = 0; i < 2 * c->most; i++) row[1 + i] = (double)NAN;
    memset(c->taken, 0, (size_t)c->most * sizeof *c->taken);
    memset(c->filled, 0, (size_t)c->most * sizeof *c->filled);
    for (int i = 0; i < c->most && first && i < p->states; i++)
        memcpy(c->last[i], p->eigenvalue[i], sizeof *c->last);
    while (next_pair(c, p, &column, &k)) {
        c->taken[k] = c->filled[column] = true;
        memcpy(c->last[column], p->eigenvalue[k], sizeof *c->last);
        memcpy(row + 1 + 2 * column, p->eigenvalue[k], sizeof *c->last);
    }
}

static taut_status fill(course *c, taut_result **result) {
    taut_arena work = {0};
    char name[40];
    for (int i = 0; i < c->linear->points; i++)
        if (c->linear->point[i].states > c->most) c->most = c->linear->point[i].states;
    TAUT_TRY(taut_result_create(1 + 2 * c->most, result));
    taut_result *r = *result;
    for (int i = 0; i < r->columns; i++) {
        snprintf(name, sizeof name, "eigen%d.%s", (i + 1) / 2, i % 2 ? "re" : "im");
        const char *own = i == 0 ? "t" : name;
        if (!(r->name[i] = taut_arena_copy(&r->arena, own, strlen(own)))) return TAUT_ERR_MEMORY;
    }
    c->last = taut_arena_array(&work, (size_t)c->most + 1, sizeof *c->last);
    c->taken = TAUT_NEW_ARRAY(&work, c->most + 1, bool);
    c->filled = TAUT_NEW_ARRAY(&work, c->most + 1, bool);
    taut_status status = c->last && c->taken && c->filled ? TAUT_OK : TAUT_ERR_MEMORY;
    for (int i = 0; i < c->linear->points && status == TAUT_OK; i++) {
        double *row = taut_result_add_row(r);
        if (row) fill_row(c, &c->linear->point[i], i == 0, row);
        if (!row) status = TAUT_ERR_MEMORY;
    }
    taut_arena_release(&work);
    return status;
}

taut_status taut_linear_course(const taut_linear *linear, taut_result **result,
                               taut_errors *errors) {
    TAUT_NEED(result, "result", errors);
    *result = NULL;
    TAUT_NEED(linear, "linear", errors);
    course c = {.linear = linear};
    const taut_status status = fill(&c, result);
    if (status != TAUT_OK) taut_result_free(result);
    return status;
}
