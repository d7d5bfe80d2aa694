/* One linear system of all balances: its rows are forces and moments on bodies, its columns what
 * joints can transmit. Torques are divided by the size of the mechanism, so that they compare with
 * forces. The first instant finds by pivoted QR which rows and columns are independent; the next
 * ones solve with these by sparse LU, as long as everything else agrees. */
#include "task/balance_parts.h"

#include <math.h>
#include <string.h>

#include "core/dense.h"

static const double RANK_LIMIT = 1e-9; /* smaller pivots count as 0 */
static const double UNIQUE = 1e-7;     /* a smaller share in what is not determined is rounding */

enum { SMALL = 24 };               /* unknowns: QR is as fast */
static const double FADED = 1e-5;  /* of rcond: choose again */
static const double AGREE = 1e-13; /* of what the rows that were not chosen leave over */

static int rows_of(const taut_reactions *r, int carrier) {
    if (r->dimension == 3) return r->carrier[carrier].turns ? 6 : 3;
    return r->carrier[carrier].turns ? 3 : 2;
}

static int unknowns_of(const taut_reactions *r, int transfer) {
    const taut_transfer *t = &r->transfer[transfer];
    return taut_span_size(t->span, r->dimension, t->torque);
}

/* A transfer may touch all rows of the carriers at its ends. */
static void find_pattern(taut_balance *b) {
    for (int i = 0; i < b->r->transfers; i++) {
        const taut_transfer *t = &b->r->transfer[i];
        for (int e = t->end; e < t->end + t->ends; e++)
            for (int k = 0; k < unknowns_of(b->r, i); k++) {
                const int carrier = b->r->end[e].carrier;
                bool *column = b->touches + (size_t)(b->first_unknown[i] + k) * (size_t)b->rows;
                memset(column + b->first_row[carrier], true, (size_t)rows_of(b->r, carrier));
            }
    }
}

static taut_status create_chosen(taut_balance *b, taut_arena *arena) {
    taut_balance_part *c = &b->chosen;
    const int n = b->unknowns, m = b->rows;
    size_t entries = 0;
    for (size_t i = 0; i < (size_t)m * (size_t)n; i++) entries += b->touches[i];
    c->order = TAUT_NEW_ARRAY(arena, n > m ? n : m, int);
    c->row = TAUT_NEW_ARRAY(arena, m, int);
    c->column = TAUT_NEW_ARRAY(arena, n, int);
    c->place = TAUT_NEW_ARRAY(arena, m, int);
    c->taken = TAUT_NEW_ARRAY(arena, n, bool);
    c->start = TAUT_NEW_ARRAY(arena, n + 1, int);
    c->at = TAUT_NEW_ARRAY(arena, entries, int);
    c->value = TAUT_NEW_ARRAY(arena, entries, double);
    c->b = TAUT_NEW_ARRAY(arena, n, double);
    return c->order && c->row && c->column && c->place && c->taken && c->start && c->at &&
                   c->value && c->b
               ? TAUT_OK
               : TAUT_ERR_MEMORY;
}

taut_status taut_balance_create(const taut_reactions *r, taut_arena *arena,
                                taut_balance **balance) {
    taut_balance *b = *balance = TAUT_NEW(arena, taut_balance);
    if (!b) return TAUT_ERR_MEMORY;
    b->r = r;
    b->first_row = TAUT_NEW_ARRAY(arena, r->carriers, int);
    b->first_unknown = TAUT_NEW_ARRAY(arena, r->transfers, int);
    b->vector = taut_arena_array(arena, (size_t)r->vectors, sizeof *b->vector);
    b->unique = TAUT_NEW_ARRAY(arena, r->columns, bool);
    if (!b->first_row || !b->first_unknown || !b->vector || !b->unique) return TAUT_ERR_MEMORY;
    for (int c = 0; c < r->carriers; c++) {
        b->first_row[c] = b->rows;
        b->rows += rows_of(r, c);
    }
    for (int i = 0; i < r->transfers; i++) {
        b->first_unknown[i] = b->unknowns;
        b->unknowns += unknowns_of(r, i);
    }
    const size_t rows = (size_t)b->rows, n = (size_t)b->unknowns;
    b->direction = taut_arena_array(arena, n, sizeof *b->direction);
    b->A = taut_arena_array(arena, rows * n, sizeof *b->A);
    b->work = taut_arena_array(arena, rows * n, sizeof *b->work);
    b->b = TAUT_NEW_ARRAY(arena, b->rows, double);
    b->rhs = TAUT_NEW_ARRAY(arena, b->rows, double);
    b->x = TAUT_NEW_ARRAY(arena, n, double);
    b->null = taut_arena_array(arena, n * n, sizeof *b->null);
    b->share = TAUT_NEW_ARRAY(arena, n, double);
    b->touches = TAUT_NEW_ARRAY(arena, rows * n, bool);
    if (!b->direction || !b->A || !b->work || !b->b || !b->rhs || !b->x || !b->null || !b->share ||
        !b->touches)
        return TAUT_ERR_MEMORY;
    find_pattern(b);
    return create_chosen(b, arena);
}

void taut_balance_free(taut_balance **balance) {
    if (*balance) taut_lu_free(&(*balance)->chosen.lu);
    *balance = NULL;
}

double *taut_balance_vector(taut_balance *b, int i) { return b->vector[i]; }

/* ---- small vectors ---- */

static void cross(const double *a, const double *b, double *c) {
    for (int i = 0; i < 3; i++)
        c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static double dot(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void normalise(double *v) {
    const double length = sqrt(dot(v, v));
    for (int i = 0; i < 3; i++) v[i] /= length;
}

/* Two unit vectors normal to u (any length) and to each other. */
static void find_normals(const double *u, double (*normal)[3]) {
    int least = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(u[i]) < fabs(u[least])) least = i;
    double axis[3] = {0};
    axis[least] = 1.0;
    cross(axis, u, normal[0]);
    normalise(normal[0]);
    cross(u, normal[0], normal[1]);
    normalise(normal[1]);
}

/* ---- the system ---- */

/* The directions of a transfer's unknowns. */
static void find_directions(taut_balance *b, int transfer) {
    const taut_transfer *t = &b->r->transfer[transfer];
    double(*d)[3] = b->direction + b->first_unknown[transfer];
    const double *u = b->vector[t->u], *v = b->vector[t->v];
    const int count = taut_span_size(t->span, b->r->dimension, t->torque);
    const bool plane = b->r->dimension == 2, z_only = plane && t->torque;
    for (int k = 0; k < count; k++) memset(d[k], 0, sizeof *d);
    if (z_only && t->span != TAUT_SPAN_ALONG) {
        d[0][2] = 1.0;
    } else if (t->span == TAUT_SPAN_ALL) {
        for (int k = 0; k < count; k++) d[k][k] = 1.0;
    } else if (t->span == TAUT_SPAN_ALONG) {
        memcpy(d[0], u, sizeof *d);
    } else if (t->span == TAUT_SPAN_COMMON) {
        cross(u, v, d[0]);
        normalise(d[0]);
    } else if (plane) {
        d[0][0] = -u[1];
        d[0][1] = u[0];
        normalise(d[0]);
    } else if (t->span == TAUT_SPAN_ACROSS) {
        find_normals(u, d);
    }
}

/* What acts at an end: f, from the direction of an unknown. */
static void find_action(const taut_balance *b, const taut_end *e, const double *d, double *f) {
    for (int i = 0; i < 3; i++) {
        f[i] = d[i];
        if (e->rows >= 0) {
            f[i] = 0.0;
            for (int k = 0; k < 3; k++) f[i] += d[k] * b->vector[e->rows + k][i];
        }
        f[i] *= e->sign;
    }
}

void taut_balance_add_rows(const taut_balance *b, int carrier, const double *force,
                           const double *moment, double *a) {
    double *row = a + b->first_row[carrier];
    const int dimension = b->r->dimension;
    for (int i = 0; i < dimension; i++) *row++ += force[i];
    if (!b->r->carrier[carrier].turns) return;
    for (int i = dimension == 2 ? 2 : 0; i < 3; i++) *row++ += moment[i] / b->r->length;
}

static void add_end(const taut_balance *b, const taut_end *e, const double *d, double *a) {
    static const double none[3] = {0};
    const double *reference = b->vector[b->r->carrier[e->carrier].reference];
    const double *at = b->vector[e->at];
    double f[3], moment[3];
    find_action(b, e, d, f);
    if (e->kind == TAUT_END_TORQUE) {
        taut_balance_add_rows(b, e->carrier, none, f, a);
        return;
    }
    double arm[3] = {at[0], at[1], at[2]};
    for (int i = 0; i < 3 && e->kind == TAUT_END_FORCE; i++) arm[i] -= reference[i];
    cross(arm, f, moment);
    taut_balance_add_rows(b, e->carrier, e->kind == TAUT_END_FORCE ? f : none, moment, a);
}

static void fill(taut_balance *b) {
    const taut_reactions *r = b->r;
    memset(b->A, 0, (size_t)b->rows * (size_t)b->unknowns * sizeof *b->A);
    memset(b->b, 0, (size_t)b->rows * sizeof *b->b);
    for (int c = 0; c < r->carriers; c++)
        taut_balance_add_rows(b, c, b->vector[r->carrier[c].force], b->vector[r->carrier[c].moment],
                              b->b);
    for (int i = 0; i < r->transfers; i++) {
        const taut_transfer *t = &r->transfer[i];
        find_directions(b, i);
        for (int k = 0; k < taut_span_size(t->span, r->dimension, t->torque); k++) {
            const int j = b->first_unknown[i] + k;
            if (t->torque) /* the unknown is torque / length */
                for (int q = 0; q < 3; q++) b->direction[j][q] *= r->length;
            for (int e = 0; e < t->ends; e++)
                add_end(b, &r->end[t->end + e], b->direction[j],
                        b->A + (size_t)j * (size_t)b->rows);
        }
    }
}

static double largest(const double *v, int n) {
    double most = 0.0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(v[i]));
    return most;
}

/* What the solution leaves over. */
static void find_residual(taut_balance *b) {
    b->scale = fmax(largest(b->b, b->rows), largest(b->x, b->unknowns));
    memcpy(b->rhs, b->b, (size_t)b->rows * sizeof *b->b);
    for (int j = 0; j < b->unknowns; j++)
        for (int i = 0; i < b->rows; i++)
            b->rhs[i] -= b->A[(size_t)j * (size_t)b->rows + (size_t)i] * b->x[j];
    b->residual = largest(b->rhs, b->rows);
}

/* ---- columns ---- */

/* The share of every unknown in the tension of a rod; returns that of its loads. */
static double share_rod(taut_balance *b, const taut_rod *rod) {
    const taut_reactions *r = b->r;
    const double *line = b->vector[rod->line];
    for (int i = 0; i < r->transfers; i++) {
        const taut_transfer *t = &r->transfer[i];
        for (int e = t->end; e < t->end + t->ends; e++) {
            const taut_end *x = &r->end[e];
            if (x->carrier != rod->carrier || x->kind != TAUT_END_FORCE) continue;
            const double sign = x->at == rod->end[1] ? 0.5 : x->at == rod->end[0] ? -0.5 : 0.0;
            for (int k = 0; k < taut_span_size(t->span, r->dimension, t->torque); k++) {
                double f[3];
                find_action(b, x, b->direction[b->first_unknown[i] + k], f);
                b->share[b->first_unknown[i] + k] += sign * dot(f, line);
            }
        }
    }
    return 0.5 * (dot(b->vector[rod->load[1]], line) - dot(b->vector[rod->load[0]], line));
}

/* The share of every unknown in the component of a transfer along a vector. */
static void share_transfer(taut_balance *b, int transfer, const double *axis) {
    const taut_transfer *t = &b->r->transfer[transfer];
    for (int k = 0; k < taut_span_size(t->span, b->r->dimension, t->torque); k++) {
        const int j = b->first_unknown[transfer] + k;
        b->share[j] = dot(b->direction[j], axis);
    }
}

static double find_column(taut_balance *b, const taut_reaction *c) {
    double value = 0.0;
    memset(b->share, 0, (size_t)b->unknowns * sizeof *b->share);
    if (c->transfer >= 0) {
        share_transfer(b, c->transfer, b->vector[c->axis]);
    } else if (c->rod >= 0) {
        value = share_rod(b, &b->r->rod[c->rod]);
    } else {
        return b->vector[c->axis][0];
    }
    for (int j = 0; j < b->unknowns; j++) value += b->share[j] * b->x[j];
    return value;
}

static bool share_is_unique(const taut_balance *b) {
    const double size = fmax(largest(b->share, b->unknowns), 1e-300);
    for (int k = 0; k < b->unknowns - b->rank; k++) {
        const double *z = b->null + (size_t)k * (size_t)b->unknowns;
        double sum = 0.0;
        for (int j = 0; j < b->unknowns; j++) sum += z[j] * b->share[j];
        if (fabs(sum) > UNIQUE * size) return false;
    }
    return true;
}

/* ---- solving with chosen rows and columns ---- */

/* The pattern of the chosen part. */
static taut_status begin_chosen(taut_balance *b) {
    taut_balance_part *c = &b->chosen;
    int entries = 0;
    for (int k = 0; k < c->size; k++) {
        c->start[k] = entries;
        for (int i = 0; i < c->size; i++)
            if (b->touches[(size_t)c->column[k] * (size_t)b->rows + (size_t)c->row[i]])
                c->at[entries++] = i;
    }
    c->start[c->size] = entries;
    return taut_lu_create(c->size, c->start, c->at, &c->lu);
}

/* Chooses by pivots: columns of A, then rows of these columns. */
static taut_status choose(taut_balance *b) {
    taut_balance_part *c = &b->chosen;
    const int n = b->unknowns, m = b->rows;
    int *order = c->order, rank;
    taut_lu_free(&c->lu);
    c->size = b->rank;
    c->usual = b->scale > 0.0 ? b->residual / b->scale : 0.0;
    memset(c->taken, 0, (size_t)n * sizeof *c->taken);
    memcpy(b->work, b->A, (size_t)m * (size_t)n * sizeof *b->A);
    TAUT_TRY(taut_pivoted_columns(m, n, b->work, RANK_LIMIT, order, &rank));
    if (rank != c->size) return TAUT_OK;
    for (int k = 0; k < rank; k++) {
        c->column[k] = order[k];
        c->taken[order[k]] = true;
        for (int i = 0; i < m; i++)
            b->work[(size_t)i * (size_t)rank + (size_t)k] =
                b->A[(size_t)order[k] * (size_t)m + (size_t)i];
    }
    TAUT_TRY(taut_pivoted_columns(rank, m, b->work, RANK_LIMIT, order, &rank));
    if (rank != c->size) return TAUT_OK;
    for (int i = 0; i < m; i++) c->place[i] = -1;
    for (int k = 0; k < rank; k++) c->place[order[k]] = 0;
    for (int i = 0, at = 0; i < m; i++) {
        if (c->place[i] < 0) continue;
        c->place[i] = at;
        c->row[at++] = i;
    }
    return begin_chosen(b);
}

/* Solves for a right-hand side of all rows; the solution goes to the chosen unknowns of x. */
static void solve_part(const taut_balance *b, const double *rhs, double *x) {
    const taut_balance_part *c = &b->chosen;
    for (int i = 0; i < c->size; i++) c->b[i] = rhs[c->row[i]];
    taut_lu_solve(c->lu, c->b);
    for (int k = 0; k < c->size; k++) x[c->column[k]] = c->b[k];
}

static void remove_part(int n, const double *z, double *v) {
    double sum = 0.0;
    for (int j = 0; j < n; j++) sum += z[j] * v[j];
    for (int j = 0; j < n; j++) v[j] -= sum * z[j];
}

/* Null vectors from the columns that were not chosen, orthonormal; false if one is none of all
 * rows.
 */
static bool find_null(taut_balance *b) {
    const int n = b->unknowns, m = b->rows;
    int found = 0;
    for (int q = 0; q < n; q++) {
        double *z = b->null + (size_t)found * (size_t)n, square = 0.0, left = 0.0;
        if (b->chosen.taken[q]) continue;
        memset(z, 0, (size_t)n * sizeof *z);
        for (int i = 0; i < m; i++) b->rhs[i] = -b->A[(size_t)q * (size_t)m + (size_t)i];
        solve_part(b, b->rhs, z);
        z[q] = 1.0;
        memset(b->rhs, 0, (size_t)m * sizeof *b->rhs);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m && z[j] != 0.0; i++)
                b->rhs[i] += z[j] * b->A[(size_t)j * (size_t)m + (size_t)i];
        left = largest(b->rhs, m) / largest(z, n);
        for (int pass = 0; pass < 2; pass++)
            for (int k = 0; k < found; k++) remove_part(n, b->null + (size_t)k * (size_t)n, z);
        for (int j = 0; j < n; j++) square += z[j] * z[j];
        for (int j = 0; j < n; j++) z[j] /= sqrt(square);
        if (!(left < AGREE)) return false;
        found++;
    }
    return true;
}

/* *good: the choice still is. */
static taut_status solve_chosen(taut_balance *b, bool *good) {
    taut_balance_part *c = &b->chosen;
    const int n = b->unknowns;
    *good = false;
    if (!c->lu) return TAUT_OK;
    for (int k = 0; k < c->size; k++)
        for (int e = c->start[k]; e < c->start[k + 1]; e++)
            c->value[e] = b->A[(size_t)c->column[k] * (size_t)b->rows + (size_t)c->row[c->at[e]]];
    taut_status status = taut_lu_factor(c->lu, c->value);
    if (status == TAUT_ERR_MEMORY) return status;
    if (status != TAUT_OK || !(taut_lu_rcond(c->lu) > FADED)) return TAUT_OK;
    memset(b->x, 0, (size_t)n * sizeof *b->x);
    solve_part(b, b->b, b->x);
    if (!find_null(b)) return TAUT_OK;
    for (int k = 0; k < n - c->size; k++) remove_part(n, b->null + (size_t)k * (size_t)n, b->x);
    b->rank = c->size;
    find_residual(b);
    *good = b->residual <= fmax(AGREE, 10.0 * c->usual) * b->scale;
    return TAUT_OK;
}

/* By QR of everything. TAUT_ERR_NUMERICS if a value is not finite. */
static taut_status solve_all(taut_balance *b) {
    memcpy(b->work, b->A, (size_t)b->rows * (size_t)b->unknowns * sizeof *b->A);
    memcpy(b->rhs, b->b, (size_t)b->rows * sizeof *b->b);
    TAUT_TRY(taut_least_norm_null(b->rows, b->unknowns, b->work, b->rhs, RANK_LIMIT, b->x, b->null,
                                  &b->rank));
    find_residual(b);
    return b->unknowns > SMALL ? choose(b) : TAUT_OK;
}

taut_status taut_balance_resolve(taut_balance *b, double *side, double *x) {
    const int n = b->unknowns;
    int rank;
    memset(x, 0, (size_t)n * sizeof *x);
    if (b->by_choice) {
        solve_part(b, side, x);
        for (int k = 0; k < n - b->rank; k++) remove_part(n, b->null + (size_t)k * (size_t)n, x);
        return TAUT_OK;
    }
    memcpy(b->work, b->A, (size_t)b->rows * (size_t)n * sizeof *b->A);
    return taut_least_norm_null(b->rows, n, b->work, side, RANK_LIMIT, x, b->null, &rank);
}

taut_status taut_balance_solve(taut_balance *b, double *column) {
    bool good;
    fill(b);
    TAUT_TRY(solve_chosen(b, &good));
    b->by_choice = good;
    taut_status status = good ? TAUT_OK : solve_all(b);
    if (status == TAUT_ERR_MEMORY) return status;
    for (int i = 0; i < b->r->columns; i++) {
        column[i] = find_column(b, &b->r->column[i]);
        if (status != TAUT_OK && (b->r->column[i].transfer >= 0 || b->r->column[i].rod >= 0))
            column[i] = (double)NAN;
        b->unique[i] = share_is_unique(b);
    }
    return TAUT_OK;
}

bool taut_balance_is_unique(const taut_balance *b, int i) { return b->unique[i]; }
int taut_balance_rank(const taut_balance *b) { return b->rank; }
void taut_balance_residual(const taut_balance *b, double *residual, double *largest) {
    *residual = b->residual;
    *largest = b->scale;
}

const double *taut_balance_matrix(taut_balance *b, int *rows, int *unknowns) {
    fill(b);
    *rows = b->rows;
    *unknowns = b->unknowns;
    return b->A;
}

int taut_balance_row(const taut_balance *b, int carrier) { return b->first_row[carrier]; }
int taut_balance_unknown(const taut_balance *b, int transfer) { return b->first_unknown[transfer]; }

const double *taut_balance_share(taut_balance *b, int transfer, int axis) {
    memset(b->share, 0, (size_t)b->unknowns * sizeof *b->share);
    share_transfer(b, transfer, b->vector[axis]);
    return b->share;
}
