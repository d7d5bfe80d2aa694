/* One linear system of all balances: its rows are forces and moments on bodies, its columns what
 * joints can transmit. Torques are divided by the size of the mechanism, so that they compare with
 * forces. The first instant finds by pivoted QR which rows and columns are independent; the next
 * ones solve with these by sparse LU, as long as everything else agrees. */
#include "task/balance_parts.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "core/dense.h"
#include "core/independent.h"

static const double RANK_LIMIT = 1e-9; /* smaller pivots count as 0 */
static const double UNIQUE = 1e-7;     /* a smaller share in what is not determined is rounding */

enum { SMALL = 24 };       /* unknowns: QR is as fast */
enum { MOST_DENSE = 900 }; /* unknowns: of more there is no QR, but elimination */
static const size_t MOST_NULL = (size_t)1 << 25; /* numbers in null vectors */
static const double WORSE = 1e-3;  /* than the condition that a choice had: choose again */
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

/* A transfer may touch all rows of the carriers at its ends: these, ascending. Returns how many
 * rows. */
static int list_carriers(const taut_reactions *r, const taut_transfer *t, int *carrier,
                         int *count) {
    int rows = 0;
    *count = 0;
    for (int e = t->end; e < t->end + t->ends; e++) {
        const int c = r->end[e].carrier;
        int at = *count, same = 0;
        for (int k = 0; k < *count; k++) same += carrier[k] == c;
        if (same > 0) continue;
        for (; at > 0 && carrier[at - 1] > c; at--) carrier[at] = carrier[at - 1];
        carrier[at] = c;
        ++*count;
        rows += rows_of(r, c);
    }
    return rows;
}

static taut_status find_pattern(taut_balance *b, taut_arena *arena) {
    const taut_reactions *r = b->r;
    int most = 0, count, entries = 0;
    for (int i = 0; i < r->transfers; i++)
        if (r->transfer[i].ends > most) most = r->transfer[i].ends;
    int *carrier = TAUT_NEW_ARRAY(arena, most, int);
    b->start = TAUT_NEW_ARRAY(arena, b->unknowns + 1, int);
    if (!carrier || !b->start) return TAUT_ERR_MEMORY;
    for (int i = 0; i < r->transfers; i++) {
        const int rows = list_carriers(r, &r->transfer[i], carrier, &count);
        for (int k = 0; k < unknowns_of(r, i); k++) {
            if (rows > INT_MAX - entries) return TAUT_ERR_MEMORY;
            entries += rows;
            b->start[b->first_unknown[i] + k + 1] = entries;
        }
    }
    b->at = TAUT_NEW_ARRAY(arena, entries, int);
    b->value = TAUT_NEW_ARRAY(arena, entries, double);
    if (!b->at || !b->value) return TAUT_ERR_MEMORY;
    for (int i = 0; i < r->transfers; i++) {
        list_carriers(r, &r->transfer[i], carrier, &count);
        for (int j = b->first_unknown[i]; j < b->first_unknown[i] + unknowns_of(r, i); j++)
            for (int c = 0, at = b->start[j]; c < count; c++)
                for (int k = 0; k < rows_of(r, carrier[c]); k++)
                    b->at[at++] = b->first_row[carrier[c]] + k;
    }
    return TAUT_OK;
}

/* Which ends each carrier has. */
static taut_status list_ends(taut_balance *b, taut_arena *arena) {
    const taut_reactions *r = b->r;
    int ends = 0;
    for (int i = 0; i < r->transfers; i++) ends += r->transfer[i].ends;
    b->first_end = TAUT_NEW_ARRAY(arena, r->carriers + 2, int);
    b->end_of = TAUT_NEW_ARRAY(arena, ends, int);
    b->transfer_of = TAUT_NEW_ARRAY(arena, ends, int);
    if (!b->first_end || !b->end_of || !b->transfer_of) return TAUT_ERR_MEMORY;
    int *next = b->first_end + 1; /* becomes first_end when all are in */
    for (int i = 0; i < r->transfers; i++)
        for (int e = r->transfer[i].end; e < r->transfer[i].end + r->transfer[i].ends; e++)
            next[r->end[e].carrier + 1]++;
    for (int c = 0; c < r->carriers; c++) next[c + 1] += next[c];
    for (int i = 0; i < r->transfers; i++)
        for (int e = r->transfer[i].end; e < r->transfer[i].end + r->transfer[i].ends; e++) {
            const int at = next[r->end[e].carrier]++;
            b->end_of[at] = e;
            b->transfer_of[at] = i;
        }
    return TAUT_OK;
}

static taut_status create_chosen(taut_balance *b, taut_arena *arena) {
    taut_balance_part *c = &b->chosen;
    const int n = b->unknowns, m = b->rows, entries = b->start[n];
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

static taut_status count_all(taut_balance *b, taut_arena *arena) {
    const taut_reactions *r = b->r;
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
    b->large = b->unknowns > MOST_DENSE;
    return TAUT_OK;
}

taut_status taut_balance_create(const taut_reactions *r, taut_arena *arena,
                                taut_balance **balance) {
    taut_balance *b = *balance = TAUT_NEW(arena, taut_balance);
    if (!b) return TAUT_ERR_MEMORY;
    b->r = r;
    TAUT_TRY(count_all(b, arena));
    const size_t rows = (size_t)b->rows, n = (size_t)b->unknowns;
    b->direction = taut_arena_array(arena, n, sizeof *b->direction);
    b->work = b->large ? NULL : taut_arena_array(arena, rows * n, sizeof *b->work);
    b->column = TAUT_NEW_ARRAY(arena, b->rows, double);
    b->b = TAUT_NEW_ARRAY(arena, b->rows, double);
    b->rhs = TAUT_NEW_ARRAY(arena, b->rows, double);
    b->x = TAUT_NEW_ARRAY(arena, n, double);
    b->share = TAUT_NEW_ARRAY(arena, n, double);
    b->shared = TAUT_NEW_ARRAY(arena, n, int);
    b->is_shared = TAUT_NEW_ARRAY(arena, n, bool);
    if (!b->direction || (!b->work && !b->large) || !b->column || !b->b || !b->rhs || !b->x ||
        !b->share || !b->shared || !b->is_shared)
        return TAUT_ERR_MEMORY;
    TAUT_TRY(find_pattern(b, arena));
    TAUT_TRY(list_ends(b, arena));
    TAUT_TRY(create_chosen(b, arena));
    /* last: it is on the heap, and nobody frees what is not complete */
    return taut_grow((void **)&b->null, &b->null_room, b->large ? 1 : n * n + 1, sizeof *b->null)
               ? TAUT_ERR_MEMORY
               : TAUT_OK;
}

void taut_balance_free(taut_balance **balance) {
    if (*balance) taut_lu_free(&(*balance)->chosen.lu);
    if (*balance) taut_release((void **)&(*balance)->null);
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

/* The column that was added up becomes column j. */
static void take_column(taut_balance *b, int j) {
    for (int k = b->start[j]; k < b->start[j + 1]; k++) {
        b->value[k] = b->column[b->at[k]];
        b->column[b->at[k]] = 0.0;
    }
}

static void fill(taut_balance *b) {
    const taut_reactions *r = b->r;
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
                add_end(b, &r->end[t->end + e], b->direction[j], b->column);
            take_column(b, j);
        }
    }
}

/* A as a dense matrix, in b->work. */
static void spread(taut_balance *b) {
    memset(b->work, 0, (size_t)b->rows * (size_t)b->unknowns * sizeof *b->work);
    for (int j = 0; j < b->unknowns; j++)
        for (int k = b->start[j]; k < b->start[j + 1]; k++)
            b->work[(size_t)j * (size_t)b->rows + (size_t)b->at[k]] = b->value[k];
}

/* Adds factor times column j to v. */
static void add_column(const taut_balance *b, int j, double factor, double *v) {
    for (int k = b->start[j]; k < b->start[j + 1]; k++) v[b->at[k]] += b->value[k] * factor;
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
    for (int j = 0; j < b->unknowns; j++) add_column(b, j, -b->x[j], b->rhs);
    b->residual = largest(b->rhs, b->rows);
}

/* ---- columns ---- */

static void add_share(taut_balance *b, int j, double share) {
    if (!b->is_shared[j]) b->shared[b->shares++] = j;
    b->is_shared[j] = true;
    b->share[j] += share;
}

static void forget_shares(taut_balance *b) {
    for (int k = 0; k < b->shares; k++) {
        b->share[b->shared[k]] = 0.0;
        b->is_shared[b->shared[k]] = false;
    }
    b->shares = 0;
}

/* The share of every unknown in the tension of a rod; returns that of its loads. */
static double share_rod(taut_balance *b, const taut_rod *rod) {
    const taut_reactions *r = b->r;
    const double *line = b->vector[rod->line];
    for (int k = b->first_end[rod->carrier]; k < b->first_end[rod->carrier + 1]; k++) {
        const taut_end *x = &r->end[b->end_of[k]];
        const int first = b->first_unknown[b->transfer_of[k]];
        if (x->kind != TAUT_END_FORCE) continue;
        const double sign = x->at == rod->end[1] ? 0.5 : x->at == rod->end[0] ? -0.5 : 0.0;
        for (int j = first; j < first + unknowns_of(r, b->transfer_of[k]); j++) {
            double f[3];
            find_action(b, x, b->direction[j], f);
            add_share(b, j, sign * dot(f, line));
        }
    }
    return 0.5 * (dot(b->vector[rod->load[1]], line) - dot(b->vector[rod->load[0]], line));
}

/* The share of every unknown in the component of a transfer along a vector. */
static void share_transfer(taut_balance *b, int transfer, const double *axis) {
    const taut_transfer *t = &b->r->transfer[transfer];
    for (int k = 0; k < taut_span_size(t->span, b->r->dimension, t->torque); k++) {
        const int j = b->first_unknown[transfer] + k;
        add_share(b, j, dot(b->direction[j], axis));
    }
}

static double find_column(taut_balance *b, const taut_reaction *c) {
    double value = 0.0;
    forget_shares(b);
    if (c->transfer >= 0) {
        share_transfer(b, c->transfer, b->vector[c->axis]);
    } else if (c->rod >= 0) {
        value = share_rod(b, &b->r->rod[c->rod]);
    } else {
        return b->vector[c->axis][0];
    }
    for (int k = 0; k < b->shares; k++) value += b->share[b->shared[k]] * b->x[b->shared[k]];
    return value;
}

static bool share_is_unique(const taut_balance *b) {
    double size = 1e-300;
    for (int k = 0; k < b->shares; k++) size = fmax(size, fabs(b->share[b->shared[k]]));
    for (int k = 0; k < b->unknowns - b->rank; k++) {
        const double *z = b->null + (size_t)k * (size_t)b->unknowns;
        double sum = 0.0;
        for (int i = 0; i < b->shares; i++) sum += z[b->shared[i]] * b->share[b->shared[i]];
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
        for (int e = b->start[c->column[k]]; e < b->start[c->column[k] + 1]; e++)
            if (c->place[b->at[e]] >= 0) c->at[entries++] = c->place[b->at[e]];
    }
    c->start[c->size] = entries;
    return taut_lu_create(c->size, c->start, c->at, &c->lu);
}

/* Rows that were marked by a place of 0, others by -1, are numbered. */
static void number_rows(taut_balance *b) {
    taut_balance_part *c = &b->chosen;
    for (int i = 0, at = 0; i < b->rows; i++) {
        if (c->place[i] < 0) continue;
        c->place[i] = at;
        c->row[at++] = i;
    }
}

/* Chooses by elimination, and makes room for null vectors. TAUT_ERR_NUMERICS: there are too many.
 */
static taut_status choose_large(taut_balance *b) {
    taut_balance_part *c = &b->chosen;
    const int n = b->unknowns;
    taut_lu_free(&c->lu);
    TAUT_TRY(taut_independent_columns(&(taut_sparse_columns){b->rows, n, b->start, b->at, b->value},
                                      RANK_LIMIT, c->order, &c->size));
    const size_t need = (size_t)n * (size_t)(n - c->size) + 1;
    if (need > MOST_NULL) return TAUT_ERR_NUMERICS;
    if (taut_grow((void **)&b->null, &b->null_room, need, sizeof *b->null)) return TAUT_ERR_MEMORY;
    for (int i = 0; i < b->rows; i++) c->place[i] = -1;
    for (int j = 0, at = 0; j < n; j++) {
        c->taken[j] = c->order[j] >= 0;
        if (!c->taken[j]) continue;
        c->column[at++] = j;
        c->place[c->order[j]] = 0;
    }
    number_rows(b);
    return begin_chosen(b);
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
    spread(b);
    TAUT_TRY(taut_pivoted_columns(m, n, b->work, RANK_LIMIT, order, &rank));
    if (rank != c->size) return TAUT_OK;
    for (int k = 0; k < rank; k++) {
        c->column[k] = order[k];
        c->taken[order[k]] = true;
    }
    memset(b->work, 0, (size_t)m * (size_t)rank * sizeof *b->work);
    for (int k = 0; k < rank; k++) /* transposed */
        for (int e = b->start[order[k]]; e < b->start[order[k] + 1]; e++)
            b->work[(size_t)b->at[e] * (size_t)rank + (size_t)k] = b->value[e];
    TAUT_TRY(taut_pivoted_columns(rank, m, b->work, RANK_LIMIT, order, &rank));
    if (rank != c->size) return TAUT_OK;
    for (int i = 0; i < m; i++) c->place[i] = -1;
    for (int k = 0; k < rank; k++) c->place[order[k]] = 0;
    number_rows(b);
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
        memset(b->rhs, 0, (size_t)m * sizeof *b->rhs);
        add_column(b, q, -1.0, b->rhs);
        solve_part(b, b->rhs, z);
        z[q] = 1.0;
        memset(b->rhs, 0, (size_t)m * sizeof *b->rhs);
        for (int j = 0; j < n; j++)
            if (z[j] != 0.0) add_column(b, j, z[j], b->rhs);
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

/* The chosen part, factored; TAUT_SINGULAR. */
static taut_status factor_chosen(taut_balance *b) {
    taut_balance_part *c = &b->chosen;
    for (int k = 0, at = 0; k < c->size; k++)
        for (int e = b->start[c->column[k]]; e < b->start[c->column[k] + 1]; e++)
            if (c->place[b->at[e]] >= 0) c->value[at++] = b->value[e];
    return taut_lu_factor(c->lu, c->value);
}

/* The least forces, with these factors; *exact: null vectors are such of all rows. */
static void solve_factored(taut_balance *b, bool *exact) {
    const int n = b->unknowns;
    memset(b->x, 0, (size_t)n * sizeof *b->x);
    solve_part(b, b->b, b->x);
    *exact = find_null(b);
    if (!*exact) return;
    for (int k = 0; k < n - b->chosen.size; k++)
        remove_part(n, b->null + (size_t)k * (size_t)n, b->x);
    b->rank = b->chosen.size;
    find_residual(b);
}

/* *good: the choice still is. */
static taut_status solve_chosen(taut_balance *b, bool *good) {
    taut_balance_part *c = &b->chosen;
    *good = false;
    if (!c->lu) return TAUT_OK;
    const taut_status status = factor_chosen(b);
    if (status == TAUT_ERR_MEMORY) return status;
    if (status != TAUT_OK || !(taut_lu_rcond(c->lu) > c->faded)) return TAUT_OK;
    solve_factored(b, good);
    if (*good) *good = b->residual <= fmax(AGREE, 10.0 * c->usual) * b->scale;
    return TAUT_OK;
}

/* The same after a new choice, whose condition and residual are then the usual ones. */
static taut_status solve_large(taut_balance *b) {
    taut_balance_part *c = &b->chosen;
    bool exact;
    TAUT_TRY(choose_large(b));
    const taut_status status = factor_chosen(b);
    if (status != TAUT_OK) return status == TAUT_ERR_MEMORY ? status : TAUT_ERR_NUMERICS;
    solve_factored(b, &exact);
    c->usual = b->scale > 0.0 ? b->residual / b->scale : 0.0;
    c->faded = WORSE * taut_lu_rcond(c->lu);
    b->by_choice = exact;
    return exact ? TAUT_OK : TAUT_ERR_NUMERICS;
}

/* By QR of everything. TAUT_ERR_NUMERICS if a value is not finite. */
static taut_status solve_all(taut_balance *b) {
    if (b->large) return solve_large(b);
    spread(b);
    memcpy(b->rhs, b->b, (size_t)b->rows * sizeof *b->b);
    TAUT_TRY(taut_least_norm_null(b->rows, b->unknowns, b->work, b->rhs, RANK_LIMIT, b->x, b->null,
                                  &b->rank));
    find_residual(b);
    b->chosen.faded = FADED;
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
    if (b->large) return TAUT_ERR_NUMERICS;
    spread(b);
    return taut_least_norm_null(b->rows, n, b->work, side, RANK_LIMIT, x, b->null, &rank);
}

taut_status taut_balance_resolve_transposed(taut_balance *b, double *y) {
    const taut_balance_part *c = &b->chosen;
    const int n = b->unknowns, m = b->rows;
    int rank;
    if (b->by_choice) {
        for (int k = 0; k < c->size; k++) c->b[k] = b->x[c->column[k]];
        taut_lu_solve_transposed(c->lu, c->b);
        memset(y, 0, (size_t)m * sizeof *y);
        for (int k = 0; k < c->size; k++) y[c->row[k]] = c->b[k];
        return TAUT_OK;
    }
    if (b->large) return TAUT_ERR_NUMERICS;
    memset(b->work, 0, (size_t)m * (size_t)n * sizeof *b->work);
    for (int j = 0; j < n; j++)
        for (int k = b->start[j]; k < b->start[j + 1]; k++)
            b->work[(size_t)b->at[k] * (size_t)n + (size_t)j] = b->value[k];
    memcpy(y, b->x, (size_t)n * sizeof *y);
    return taut_least_norm(n, m, b->work, y, RANK_LIMIT, &rank);
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
    spread(b);
    *rows = b->rows;
    *unknowns = b->unknowns;
    return b->work;
}

int taut_balance_row(const taut_balance *b, int carrier) { return b->first_row[carrier]; }
int taut_balance_unknown(const taut_balance *b, int transfer) { return b->first_unknown[transfer]; }

const double *taut_balance_share(taut_balance *b, int transfer, int axis) {
    forget_shares(b);
    share_transfer(b, transfer, b->vector[axis]);
    return b->share;
}
