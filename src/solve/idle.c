/* Rows in the order in which they may stay: joints that never let go, joints that may, drivers.
 * What depends on the rows before it at the position in question and at others nearby follows from
 * them.
 */
#include "solve/idle.h"

#include <string.h>

#include "core/bounds.h"
#include "core/dense.h"
#include "solve/redundant_parts.h"

enum { JOINTS, LOOSE, LATE, DRIVERS, KINDS };

/* The rows of one kind: order[rank ..] depend on others. */
typedef struct rows {
    int *at; /* [count] rows of the gradients */
    int *order;
    int count, rank;
} rows;

static int kind_of(const taut_idle_question *q, int equation) {
    const taut_roles *r = &q->roles;
    if (taut_roles_engage(r, equation))
        return q->prescribed[equation] ? DRIVERS : q->late[equation] ? LATE : LOOSE;
    const int constraint = equation - r->first_constraint;
    return constraint >= 0 && r->driven && r->driven[constraint] ? DRIVERS : JOINTS;
}

static taut_status sort(const taut_idle_question *q, const taut_constraint_rows *g,
                        taut_arena *arena, rows *list) {
    for (int kind = 0; kind < KINDS; kind++) {
        list[kind] = (rows){.at = TAUT_NEW_ARRAY(arena, g->rows, int),
                            .order = TAUT_NEW_ARRAY(arena, g->rows, int)};
        if (!list[kind].at || !list[kind].order) return TAUT_ERR_MEMORY;
    }
    for (int i = 0; i < g->rows; i++) {
        rows *r = &list[kind_of(q, g->row[i])];
        r->at[r->count++] = i;
    }
    return TAUT_OK;
}

static void copy_rows(const taut_constraint_rows *g, const rows *r, double *to) {
    const size_t width = (size_t)g->columns;
    for (int k = 0; k < r->count && width > 0; k++)
        memcpy(to + (size_t)k * width, g->a + (size_t)r->at[k] * width, width * sizeof *to);
}

/* A basis of the rows of joints that never let go, at the beginning of `basis`. */
static taut_status begin_basis(const taut_constraint_rows *g, rows *r, double *work,
                               double *basis) {
    const size_t width = (size_t)g->columns;
    copy_rows(g, r, work);
    if (r->count > 0)
        TAUT_TRY(
            taut_pivoted_columns(g->columns, r->count, work, TAUT_RANK_LIMIT, r->order, &r->rank));
    for (int k = 0; k < r->rank; k++)
        memcpy(basis + (size_t)k * width, g->a + (size_t)r->at[r->order[k]] * width,
               width * sizeof *basis);
    return TAUT_OK;
}

/* What depends on what, at the position in the series. */
static taut_status look(const taut_idle_question *q, taut_series *s, taut_arena *arena,
                        taut_constraint_rows *g, rows *list) {
    TAUT_TRY(taut_bounds_ask());
    TAUT_TRY(taut_constraint_rows_find(s, q->roles, arena, g));
    TAUT_TRY(sort(q, g, arena, list));
    const size_t size = (size_t)g->rows * (size_t)g->columns;
    double *basis = TAUT_NEW_ARRAY(arena, size, double),
           *work = TAUT_NEW_ARRAY(arena, size, double);
    if (!basis || !work) return TAUT_ERR_MEMORY;
    TAUT_TRY(begin_basis(g, &list[JOINTS], work, basis));
    int count = list[JOINTS].rank;
    for (int kind = LOOSE; kind < KINDS; kind++) {
        copy_rows(g, &list[kind], work);
        taut_order_rows_beyond(g->columns, basis, count, list[kind].count, work, list[kind].order,
                               &list[kind].rank);
        count += list[kind].rank;
    }
    return TAUT_OK;
}

/* Ranks at positions nearby, as far as they are larger: where it stands rows may depend on each
 * other by chance. */
static taut_status look_around(const taut_idle_question *q, taut_series *s, taut_arena *arena,
                               rows *list) {
    taut_neighbourhood near;
    TAUT_TRY(taut_neighbourhood_begin(s, arena, &near));
    while (near.tried < TAUT_NEIGHBOURS) {
        taut_constraint_rows g;
        rows other[KINDS];
        const taut_status status = taut_neighbourhood_next(s, &near);
        if (status == TAUT_ERR_MEMORY || status == TAUT_INTERRUPTED) return status;
        if (status != TAUT_OK) continue;
        TAUT_TRY(look(q, s, arena, &g, other));
        for (int kind = LOOSE; kind < KINDS; kind++)
            if (other[kind].rank > list[kind].rank) list[kind].rank = other[kind].rank;
    }
    return TAUT_OK;
}

static taut_status find_position(const taut_idle_question *q, taut_series *s, taut_arena *arena,
                                 taut_errors *errors) {
    if (q->number) TAUT_TRY(taut_series_set_numbers(s, q->number));
    if (!q->motion) return taut_geometry_start(s, q->roles, q->t, arena, errors);
    taut_series_start(s, q->motion->t, 1.0);
    for (int j = 0; j < q->roles.first_constraint; j++) {
        taut_series_set(s, j, 0, q->motion->x[j]);
        taut_series_set(s, j, 1, q->motion->v[j]);
    }
    return TAUT_OK;
}

static taut_status answer_with(const taut_idle_question *q, taut_series *s, taut_arena *arena,
                               taut_idle_answer *answer, taut_errors *errors) {
    taut_constraint_rows g;
    rows list[KINDS];
    TAUT_TRY(find_position(q, s, arena, errors));
    TAUT_TRY(look(q, s, arena, &g, list));
    bool all = true;
    for (int kind = LOOSE; kind < KINDS; kind++) all = all && list[kind].rank == list[kind].count;
    if (all) return TAUT_OK;
    TAUT_TRY(look_around(q, s, arena, list));
    answer->row = TAUT_NEW_ARRAY(arena, list[LOOSE].count + list[LATE].count, int);
    if (!answer->row) return TAUT_ERR_MEMORY;
    for (int kind = LOOSE; kind <= LATE; kind++)
        for (int k = list[kind].rank; k < list[kind].count; k++)
            answer->row[answer->count++] = g.row[list[kind].at[list[kind].order[k]]];
    if (list[DRIVERS].rank < list[DRIVERS].count)
        answer->overdriven = g.row[list[DRIVERS].at[list[DRIVERS].order[list[DRIVERS].rank]]];
    return TAUT_OK;
}

taut_status taut_idle_find(const taut_idle_question *q, taut_arena *arena, taut_idle_answer *answer,
                           taut_errors *errors) {
    taut_geometry g;
    taut_series *series;
    int size = q->system->n - q->roles.first_constraint;
    *answer = (taut_idle_answer){.overdriven = -1};
    for (int i = 0; i < q->roles.first_constraint; i++) size += taut_roles_engage(&q->roles, i);
    TAUT_TRY(taut_bounds_check("the dense matrix of constraints, of which the rank is wanted,",
                               size, q->roles.coordinates, errors));
    TAUT_TRY(taut_geometry_create(q->system, q->roles, arena, &g));
    TAUT_TRY(taut_series_create(&g.system, &g.structure, 0, NULL, 0, &series));
    const taut_status status = answer_with(q, series, arena, answer, errors);
    taut_series_free(&series);
    return status;
}
