/* Closing what is open: Gauss-Newton on the other rows, then a homotopy, whose residuals are those
 * of the late rows alone (docs/math/consistent.md, section 5). */
#include "solve/closing.h"

#include <math.h>
#include <string.h>

#include "solve/homotopy.h"

static const double SMALL = 1e-3; /* of an unknown's unit */

static bool is_late(const taut_stage *g, int row) {
    const taut_system *system = g->series->system;
    return g->row[row] < system->n && system->late[g->row[row]];
}

/* Leaves the late rows out; they stay in row[] behind the others. Returns how many there are. */
static int leave_out(taut_stage *g, int *late) {
    int kept = 0, count = 0;
    for (int a = 0; a < g->rows; a++) {
        if (is_late(g, a)) {
            late[count++] = g->row[a];
            g->row_place[g->row[a]] = -1;
        } else {
            if (g->row[a] < g->series->system->n) g->row_place[g->row[a]] = kept;
            g->row[kept++] = g->row[a];
        }
    }
    g->rows = kept;
    return count;
}

/* Takes them in again, at the end. */
static void take_in(taut_stage *g, const int *late, int count) {
    for (int i = 0; i < count; i++) {
        g->row_place[late[i]] = g->rows;
        g->row[g->rows++] = late[i];
    }
}

/* What counts as large for each unknown: the largest one of its group. */
static void find_sizes(const taut_stage *g, double *size) {
    const taut_unknown *unknown = g->series->system->unknown;
    for (int q = 0; q < g->columns; q++) {
        size[q] = SMALL * g->unit[g->column[q]];
        for (int p = 0; p < g->columns; p++)
            if (unknown[g->column[p]].group == unknown[g->column[q]].group)
                size[q] =
                    fmax(size[q],
                         fabs(taut_series_get(g->series, g->column[p], taut_stage_order(g, p))));
    }
}

taut_status taut_closing_follow(taut_stage *g) {
    if (!g->series->system->late) return TAUT_OK;
    int *late = TAUT_NEW_ARRAY(&g->arena, g->rows, int), bad;
    double *guess = TAUT_NEW_ARRAY(&g->arena, g->columns, double);
    double *size = TAUT_NEW_ARRAY(&g->arena, g->columns, double);
    taut_outcome outcome = TAUT_UNMET;
    bool reached = false;
    if (!late || !guess || !size) return TAUT_ERR_MEMORY;
    const int count = leave_out(g, late);
    if (count == 0) return TAUT_OK;
    taut_stage_get(g, guess);
    taut_status status = taut_stage_solve(g, &outcome, &bad);
    take_in(g, late, count);
    find_sizes(g, size);
    if (status == TAUT_OK && outcome == TAUT_MET) status = taut_homotopy_follow(g, size, &reached);
    if (!reached) taut_stage_set(g, guess);
    return status;
}
