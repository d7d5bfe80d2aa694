/* Everything comes from one matrix, that of the balances of all bodies (docs/math/reactions.md):
 * its columns are what joints and drivers hold, its rows what bodies could do. Columns that depend
 * on others are held more than once; what no column holds can move. A second look at positions
 * nearby, which drivers do not restrict, tells what is so everywhere from what is so at the start
 * only. */
#include "task/doctor.h"

#include <math.h>
#include <string.h>

#include "core/dense.h"
#include "solve/placement.h"
#include "solve/state.h"
#include "task/balance.h"

enum { LARGEST = 800, MOST_NAMES = 8 }; /* conditions; names in a sentence */
static const double RANK_LIMIT = 1e-9, NOTHING = 1e-6;

/* The matrix at one position. */
typedef struct look {
    double *A;       /* [rows * unknowns] by columns */
    int rank;        /* of A */
    double *null;    /* [unknowns * (unknowns - rank)] forces that balance by themselves */
    int motions;     /* what bodies can do: */
    double *motion;  /* [rows * motions] */
    bool (*free)[6]; /* [transfers] components of theirs that take part in null */
} look;

typedef struct exam {
    taut_problem *problem;
    const taut_reactions *r;
    taut_arena *arena;
    taut_balance *balance;
    taut_node *output; /* [3 * vectors] */
    int rows, unknowns, lines;
    taut_diagnosis *d;
} exam;

/* ---- looking ---- */

static taut_status find_null(exam *x, look *l) {
    const size_t size = (size_t)x->rows * (size_t)x->unknowns;
    double *work = taut_arena_array(x->arena, size, sizeof *work);
    double *b = TAUT_NEW_ARRAY(x->arena, x->rows, double);
    double *solution = TAUT_NEW_ARRAY(x->arena, x->unknowns, double);
    l->null =
        taut_arena_array(x->arena, (size_t)x->unknowns * (size_t)x->unknowns, sizeof *l->null);
    if (!work || !b || !solution || !l->null) return TAUT_ERR_MEMORY;
    memcpy(work, l->A, size * sizeof *work);
    return taut_least_norm_null(x->rows, x->unknowns, work, b, RANK_LIMIT, solution, l->null,
                                &l->rank);
}

/* The transposed matrix, with a row more for every thin rod: its spin is no motion. */
static taut_status find_motions(exam *x, look *l) {
    const int n = x->rows, m = x->unknowns + x->lines;
    int rank, at = x->unknowns;
    double *work = taut_arena_array(x->arena, (size_t)m * (size_t)n, sizeof *work);
    double *b = TAUT_NEW_ARRAY(x->arena, m, double),
           *solution = TAUT_NEW_ARRAY(x->arena, n, double);
    l->motion = taut_arena_array(x->arena, (size_t)n * (size_t)n, sizeof *l->motion);
    if (!work || !b || !solution || !l->motion) return TAUT_ERR_MEMORY;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < x->unknowns; j++)
            work[(size_t)i * (size_t)m + (size_t)j] = l->A[(size_t)j * (size_t)n + (size_t)i];
    for (int c = 0; c < x->r->carriers; c++) {
        if (x->r->carrier[c].line < 0) continue;
        const double *axis = taut_balance_vector(x->balance, x->r->carrier[c].line);
        const int row = taut_balance_row(x->balance, c) + 3;
        for (int k = 0; k < 3; k++) work[(size_t)(row + k) * (size_t)m + (size_t)at] = axis[k];
        at++;
    }
    TAUT_TRY(taut_least_norm_null(m, n, work, b, RANK_LIMIT, solution, l->motion, &rank));
    l->motions = n - rank;
    return TAUT_OK;
}

/* Which components of which transfers take part in forces that balance by themselves. */
static taut_status find_free(exam *x, look *l) {
    const int n = x->unknowns, free = n - l->rank;
    l->free = taut_arena_array(x->arena, (size_t)x->r->transfers, sizeof *l->free);
    if (!l->free) return TAUT_ERR_MEMORY;
    for (int t = 0; t < x->r->transfers; t++)
        for (int axis = 0; axis < 3; axis++) {
            const double *share = taut_balance_share(x->balance, t, axis);
            for (int k = 0; k < free; k++) {
                double sum = 0.0;
                for (int j = 0; j < n; j++)
                    sum += share[j] * l->null[(size_t)k * (size_t)n + (size_t)j];
                if (fabs(sum) > NOTHING * (x->r->transfer[t].torque ? x->r->length : 1.0))
                    l->free[t][axis + (x->r->transfer[t].torque ? 3 : 0)] = true;
            }
        }
    return TAUT_OK;
}

/* Looks at the position in a series of the geometry. */
static taut_status look_at(exam *x, taut_series *s, look *l) {
    taut_series_look(s, -1);
    for (int i = 0; i < 3 * x->r->vectors; i++)
        taut_balance_vector(x->balance, i / 3)[i % 3] = taut_series_output(s, i, 0);
    const double *A = taut_balance_matrix(x->balance, &x->rows, &x->unknowns);
    const size_t size = (size_t)x->rows * (size_t)x->unknowns;
    *l = (look){.A = taut_arena_array(x->arena, size, sizeof *l->A)};
    if (!l->A) return TAUT_ERR_MEMORY;
    memcpy(l->A, A, size * sizeof *A);
    TAUT_TRY(find_null(x, l));
    TAUT_TRY(find_free(x, l));
    return find_motions(x, l);
}

/* ---- what follows ---- */

static bool any_part(const bool *part) {
    bool any = false;
    for (int i = 0; i < 6; i++) any = any || part[i];
    return any;
}

/* Joints whose components are free in one look, and not in another (NULL: in none). */
static taut_status list_helds(exam *x, const look *in, const look *not_in, taut_helds *list) {
    list->item = TAUT_NEW_ARRAY(x->arena, x->r->transfers, taut_held);
    if (!list->item) return TAUT_ERR_MEMORY;
    for (int t = 0; t < x->r->transfers; t++) {
        const taut_transfer *transfer = &x->r->transfer[t];
        bool part[6];
        for (int i = 0; i < 6; i++) part[i] = in->free[t][i] && !(not_in && not_in->free[t][i]);
        if (!any_part(part)) continue;
        taut_held *last = list->count > 0 ? &list->item[list->count - 1] : NULL;
        if (!last || last->name != transfer->name) {
            last = &list->item[list->count++];
            *last = (taut_held){.name = transfer->name, .line = transfer->place.line};
        }
        for (int i = 0; i < 6 && !transfer->scalar; i++) last->part[i] = last->part[i] || part[i];
    }
    return TAUT_OK;
}

/* The velocity of a point in motion k. */
static void find_velocity(exam *x, const look *l, int k, int element, double *v) {
    const int carrier = x->r->hub[element], dimension = x->r->dimension;
    const double *at = taut_balance_vector(x->balance, x->r->place[element]);
    const double *reference = taut_balance_vector(x->balance, x->r->carrier[carrier].reference);
    const double *q =
        l->motion + (size_t)k * (size_t)x->rows + taut_balance_row(x->balance, carrier);
    double arm[3], w[3] = {0};
    for (int i = 0; i < 3; i++) {
        arm[i] = (at[i] - reference[i]) / x->r->length;
        if (x->r->carrier[carrier].turns && (dimension == 3 || i == 2))
            w[i] = q[dimension == 3 ? 3 + i : 2];
    }
    for (int i = 0; i < 3; i++)
        v[i] = (i < dimension ? q[i] : 0.0) + w[(i + 1) % 3] * arm[(i + 2) % 3] -
               w[(i + 2) % 3] * arm[(i + 1) % 3];
}

/* How many directions a point has in all motions; if it is one, or in space two, that direction (or
 * the normal): from the sum of v v^T, whose rank it is. */
static taut_status find_freedom(exam *x, const look *l, int element, taut_mobile *m) {
    double square[9] = {0}, work[9], b[3] = {0}, null[9], solution[3], length = 0.0;
    int best = 0;
    for (int k = 0; k < l->motions; k++) {
        double v[3];
        find_velocity(x, l, k, element, v);
        for (int i = 0; i < 9; i++) square[i] += v[i / 3] * v[i % 3];
    }
    for (int i = 1; i < 3; i++)
        if (square[4 * i] > square[4 * best]) best = i;
    m->freedom = 0;
    if (square[4 * best] < NOTHING * NOTHING) return TAUT_OK;
    memcpy(work, square, sizeof work);
    TAUT_TRY(taut_least_norm_null(3, 3, work, b, NOTHING * NOTHING, solution, null, &m->freedom));
    if (m->freedom == 1)
        memcpy(m->direction, square + 3 * best, sizeof m->direction);
    else if (m->freedom == 2 && x->r->dimension == 3)
        memcpy(m->direction, null, sizeof m->direction);
    for (int i = 0; i < 3; i++) length += m->direction[i] * m->direction[i];
    for (int i = 0; i < 3 && length > 0.0; i++) m->direction[i] /= sqrt(length);
    return TAUT_OK;
}

static taut_status list_mobiles(exam *x, const look *l) {
    const taut_mechanism *m = x->problem->model->mechanism;
    x->d->mobile = TAUT_NEW_ARRAY(x->arena, m->elements, taut_mobile);
    if (!x->d->mobile) return TAUT_ERR_MEMORY;
    for (int e = 0; e < m->elements; e++) {
        taut_mobile *point = &x->d->mobile[x->d->mobiles];
        if (m->element[e].is_vector || m->element[e].copy || x->r->hub[e] < 0) continue;
        *point = (taut_mobile){.name = m->element[e].name};
        TAUT_TRY(find_freedom(x, l, e, point));
        if (point->freedom > 0) x->d->mobiles++;
    }
    return TAUT_OK;
}

/* ---- drivers ---- */

/* Is column j a combination of the first `count` columns in order? If so, x holds the weights. */
static taut_status is_combination(exam *x, const look *l, const int *order, int count, int j,
                                  double *weight, bool *result) {
    const size_t rows = (size_t)x->rows;
    double *a = taut_arena_array(x->arena, rows * (size_t)count, sizeof *a);
    double *b = TAUT_NEW_ARRAY(x->arena, x->rows + x->unknowns, double);
    const double *column = l->A + (size_t)j * rows;
    int rank;
    double left = 0.0, size = 0.0;
    if (!a || !b) return TAUT_ERR_MEMORY;
    for (int k = 0; k < count; k++)
        memcpy(a + (size_t)k * rows, l->A + (size_t)order[k] * rows, rows * sizeof *a);
    memcpy(b, column, rows * sizeof *b);
    TAUT_TRY(taut_least_norm(x->rows, count, a, b, RANK_LIMIT, &rank));
    memcpy(weight, b, (size_t)count * sizeof *b);
    for (int i = 0; i < x->rows; i++) {
        double rest = column[i];
        for (int k = 0; k < count; k++)
            rest -= weight[k] * l->A[(size_t)order[k] * rows + (size_t)i];
        left = fmax(left, fabs(rest));
        size = fmax(size, fabs(column[i]));
    }
    *result = left < NOTHING * size;
    return TAUT_OK;
}

/* Drivers one by one: who adds nothing to what joints and drivers before it hold? */
static taut_status list_conflicts(exam *x, const look *l) {
    int *order = TAUT_NEW_ARRAY(x->arena, x->unknowns, int), count = 0;
    int *by = TAUT_NEW_ARRAY(x->arena, x->unknowns, int); /* driver's transfer; -1: a joint's */
    double *weight = TAUT_NEW_ARRAY(x->arena, x->unknowns, double);
    x->d->conflict = TAUT_NEW_ARRAY(x->arena, x->d->drivers, taut_conflict);
    if (!order || !by || !weight || !x->d->conflict) return TAUT_ERR_MEMORY;
    for (int t = 0; t < x->r->transfers; t++) {
        const taut_transfer *f = &x->r->transfer[t];
        for (int k = 0; k < taut_span_size(f->span, x->r->dimension, f->torque); k++) {
            by[count] = -1;
            if (f->by != TAUT_BY_DRIVER) order[count++] = taut_balance_unknown(x->balance, t) + k;
        }
    }
    for (int t = 0; t < x->r->transfers; t++) {
        const taut_transfer *f = &x->r->transfer[t];
        bool idle;
        if (f->by != TAUT_BY_DRIVER) continue;
        const int j = taut_balance_unknown(x->balance, t);
        TAUT_TRY(is_combination(x, l, order, count, j, weight, &idle));
        if (!idle) {
            by[count] = t;
            order[count++] = j;
            continue;
        }
        taut_conflict *c = &x->d->conflict[x->d->conflicts++];
        *c = (taut_conflict){.name = f->name, .place = f->place};
        double most = NOTHING;
        for (int k = 0; k < count; k++)
            if (by[k] >= 0 && fabs(weight[k]) > most) {
                most = fabs(weight[k]);
                c->other = x->r->transfer[by[k]].name;
                c->other_line = x->r->transfer[by[k]].place.line;
            }
    }
    return TAUT_OK;
}

/* ---- the examination ---- */

static void count(exam *x) {
    taut_diagnosis *d = x->d;
    d->dimension = x->r->dimension;
    for (int c = 0; c < x->r->carriers; c++) {
        const taut_carrier *carrier = &x->r->carrier[c];
        d->bodies += carrier->turns;
        d->points += !carrier->turns;
        d->freedom += carrier->turns ? 3 * (d->dimension - 1) : d->dimension;
        x->lines += carrier->line >= 0;
    }
    d->freedom -= x->lines;
    for (int t = 0; t < x->r->transfers; t++) {
        const taut_transfer *f = &x->r->transfer[t];
        const int size = taut_span_size(f->span, d->dimension, f->torque);
        if (f->by == TAUT_BY_JOINT) d->joints += size;
        if (f->by == TAUT_BY_DRIVER) d->drivers += size;
        if (f->by == TAUT_BY_FORMULA) d->others += size;
    }
}

int taut_diagnosis_count(const taut_diagnosis *d) {
    return d->freedom - d->joints - d->drivers - d->others;
}

/* Lets drivers go: their values restrict positions, but say nothing about what is possible. */
static void let_drivers_go(taut_geometry *g) {
    for (int i = g->roles.first_constraint; i < g->system.n; i++)
        if (strncmp(g->system.equation[i].name, "driver ", 7) == 0) taut_geometry_let_go(g, i);
}

/* A series of the geometry that gives the vectors. */
static taut_status create_series(exam *x, const taut_geometry *g, taut_series **s) {
    return taut_series_create(&g->system, &g->structure, 0, x->output, 3 * x->r->vectors, s);
}

/* The look with the largest rank at positions near the one in a series. */
static taut_status look_around(exam *x, taut_series *s, look *best) {
    taut_neighbourhood near;
    taut_status status = taut_neighbourhood_begin(s, x->arena, &near);
    while (status == TAUT_OK && near.tried < TAUT_NEIGHBOURS) {
        look here;
        status = taut_neighbourhood_next(s, &near);
        if (status == TAUT_OK) status = look_at(x, s, &here);
        if (status == TAUT_OK && here.rank > best->rank) *best = here;
        if (status != TAUT_ERR_MEMORY) status = TAUT_OK;
    }
    return status;
}

/* The same from the start, drivers let go. */
static taut_status look_beside(exam *x, taut_geometry *g, const taut_series *start, look *best) {
    taut_series *s;
    let_drivers_go(g);
    TAUT_TRY(create_series(x, g, &s));
    taut_series_start(s, x->problem->model->t0, 1.0);
    taut_series_take(s, start);
    taut_status status = look_around(x, s, best);
    taut_series_free(&s);
    return status;
}

static taut_status judge(exam *x, const look *start, const look *general) {
    taut_diagnosis *d = x->d;
    d->start_mobility = start->motions;
    d->mobility = general->motions;
    d->redundant = x->unknowns - general->rank;
    TAUT_TRY(list_helds(x, general, NULL, &d->held));
    if (start->rank < general->rank) TAUT_TRY(list_helds(x, start, general, &d->strained));
    if (d->drivers > 0) TAUT_TRY(list_conflicts(x, general));
    d->verdict = d->conflicts > 0                ? TAUT_VERDICT_OVERDRIVEN
                 : start->rank < general->rank   ? TAUT_VERDICT_SINGULAR
                 : d->redundant > 0              ? TAUT_VERDICT_OVERCONSTRAINED
                 : d->mobility + d->drivers == 0 ? TAUT_VERDICT_RIGID
                                                 : TAUT_VERDICT_HEALTHY;
    return TAUT_OK;
}

/* Parts that do not fit together: perhaps drivers contradict each other. */
static taut_status examine_undriven(exam *x, taut_geometry *g) {
    taut_series *s;
    look here = {0};
    if (x->d->drivers == 0) return TAUT_OK;
    let_drivers_go(g);
    TAUT_TRY(create_series(x, g, &s));
    taut_status status = taut_geometry_start(s, g->roles, x->problem->model->t0, x->arena, NULL);
    const bool found = status == TAUT_OK;
    if (found) status = look_at(x, s, &here);
    if (found && status == TAUT_OK) status = look_around(x, s, &here);
    if (found && status == TAUT_OK) status = list_conflicts(x, &here);
    if (x->d->conflicts > 0) {
        x->d->verdict = TAUT_VERDICT_OVERDRIVEN;
        x->d->mobility = x->d->start_mobility = here.motions;
        x->d->redundant = x->unknowns - here.rank;
    }
    taut_series_free(&s);
    return status == TAUT_ERR_MEMORY ? status : TAUT_OK;
}

static taut_status examine_start(exam *x, taut_geometry *g, taut_series *s) {
    look start, general;
    taut_status status = taut_geometry_start(s, g->roles, x->problem->model->t0, x->arena, NULL);
    if (status == TAUT_ERR_MEMORY) return status;
    if (status != TAUT_OK) return examine_undriven(x, g);
    TAUT_TRY(look_at(x, s, &start));
    TAUT_TRY(list_mobiles(x, &start));
    general = start;
    if (start.rank < x->unknowns) TAUT_TRY(look_beside(x, g, s, &general));
    return judge(x, &start, &general);
}

static taut_status examine(exam *x) {
    taut_problem *p = x->problem;
    taut_geometry g;
    taut_series *s;
    count(x);
    TAUT_TRY(taut_find_loops(x->r, x->arena, x->d));
    x->d->verdict = TAUT_VERDICT_UNEXAMINED;
    if (x->d->joints + x->d->drivers + x->d->others > LARGEST) return TAUT_OK;
    x->d->verdict = TAUT_VERDICT_UNPLACED;
    x->output = TAUT_NEW_ARRAY(x->arena, 3 * x->r->vectors, taut_node);
    if (!x->output) return TAUT_ERR_MEMORY;
    for (int i = 0; i < 3 * x->r->vectors; i++) x->output[i] = x->r->vector[i / 3][i % 3];
    const taut_roles roles = {.coordinates = p->coordinates,
                              .angles = p->angles,
                              .first_constraint = p->first_constraint,
                              .first_velocity = p->first_velocity};
    TAUT_TRY(taut_balance_create(x->r, x->arena, &x->balance));
    TAUT_TRY(taut_geometry_create(&p->system, roles, x->arena, &g));
    TAUT_TRY(create_series(x, &g, &s));
    taut_status status = examine_start(x, &g, s);
    taut_series_free(&s);
    return status;
}

taut_status taut_doctor_examine(const taut_model *model, taut_arena *arena, taut_problem **problem,
                                taut_diagnosis *d) {
    const taut_forming forming = {.whole = true, .reactions = true};
    *d = (taut_diagnosis){0};
    TAUT_TRY(taut_problem_create_by(model, &forming, problem, NULL));
    exam x = {.problem = *problem, .r = (*problem)->reactions, .arena = arena, .d = d};
    taut_status status = examine(&x);
    taut_balance_free(&x.balance);
    if (status != TAUT_ERR_NUMERICS) return status;
    d->verdict = TAUT_VERDICT_UNEXAMINED; /* a value is not finite */
    return TAUT_OK;
}

static void explain_conflict(const taut_diagnosis *d, const taut_conflict *c, taut_string *out) {
    taut_string_add(out, "the %s (line %d) prescribes what ", c->name, c->place.line);
    if (c->other)
        taut_string_add(out, "the %s (line %d) prescribes already", c->other, c->other_line);
    else
        taut_string_add(out, "joints hold already");
    const int undriven = d->mobility + d->drivers - d->conflicts;
    taut_string_add(out, "; without drivers the mobility is %d, and there %s %d driver%s", undriven,
                    d->drivers == 1 ? "is" : "are", d->drivers, d->drivers == 1 ? "" : "s");
}

static void explain_singular(const taut_diagnosis *d, taut_string *out) {
    taut_string_add(out,
                    "the mechanism starts in a singular position: %d motion%s possible here, %d "
                    "nearby; begin a little beside it. Held more than once just here: ",
                    d->start_mobility, d->start_mobility == 1 ? " is" : "s are", d->mobility);
    for (int i = 0; i < d->strained.count && i < MOST_NAMES; i++)
        taut_string_add(out, "%s%s (line %d)", i ? ", " : "", d->strained.item[i].name,
                        d->strained.item[i].line);
    if (d->strained.count > MOST_NAMES) taut_string_add(out, ", ...");
}

bool taut_diagnosis_explain(const taut_diagnosis *d, taut_string *out) {
    if (d->verdict == TAUT_VERDICT_SINGULAR)
        explain_singular(d, out);
    else if (d->verdict == TAUT_VERDICT_OVERDRIVEN)
        explain_conflict(d, &d->conflict[0], out);
    else
        return false;
    return true;
}

taut_status taut_doctor_advise(const taut_model *model, taut_errors *errors) {
    taut_arena arena = {0};
    taut_problem *problem = NULL;
    taut_string text = {0};
    taut_diagnosis d;
    if (!errors || model->kind != TAUT_MODEL_MECHANISM) return TAUT_OK;
    taut_status status = taut_doctor_examine(model, &arena, &problem, &d);
    if (status == TAUT_OK && taut_diagnosis_explain(&d, &text) && !text.failed) {
        const taut_place place =
            d.conflicts > 0 ? d.conflict[0].place : problem->model->problem_place;
        taut_fail_at(errors, TAUT_ERR_INPUT, place, "%s", text.text);
    }
    if (text.failed) status = TAUT_ERR_MEMORY;
    taut_string_release(&text);
    taut_problem_free(&problem);
    taut_arena_release(&arena);
    return status == TAUT_ERR_MEMORY ? status : TAUT_OK;
}
