/* How forces and torques in joints vary with what determines them: the balances A x = b,
 * differentiated. A dx = db - dA x, where x stays the least one, and a column that is a share of x
 * varies with both. All is done with pairs of a value and its variation; docs/math/reactions.md. */
#include "task/balance_parts.h"

#include <math.h>
#include <string.h>

/* A vector and its variation. */
typedef struct pair {
    double v[3], d[3];
} pair;

/* One call. */
typedef struct variation {
    taut_balance *b;
    const double (*rate)[3];
    double (*direction)[3]; /* [unknowns] variation of b->direction */
    double *side, *dx;      /* [rows], [unknowns] */
    double *column, *y;     /* [rows]; [rows], or unknowns if these are more */
    double *twist, *spare;  /* [unknowns] dA^T y; room */
} variation;

static pair vector_of(const variation *x, int i) {
    pair p;
    memcpy(p.v, x->b->vector[i], sizeof p.v);
    memcpy(p.d, x->rate[i], sizeof p.d);
    return p;
}

static pair cross(pair a, pair b) {
    pair c;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        c.v[i] = a.v[j] * b.v[k] - a.v[k] * b.v[j];
        c.d[i] = a.d[j] * b.v[k] + a.v[j] * b.d[k] - a.d[k] * b.v[j] - a.v[k] * b.d[j];
    }
    return c;
}

static double dot(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The variation of a . b. */
static double dot_rate(pair a, pair b) { return dot(a.d, b.v) + dot(a.v, b.d); }

static pair normalise(pair a) {
    const double length = sqrt(dot(a.v, a.v));
    for (int i = 0; i < 3; i++) a.v[i] /= length;
    const double along = dot(a.v, a.d);
    for (int i = 0; i < 3; i++) a.d[i] = (a.d[i] - along * a.v[i]) / length;
    return a;
}

/* ---- directions: as find_directions of balance.c ---- */

static void vary_normals(pair u, double (*d)[3]) {
    int least = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(u.v[i]) < fabs(u.v[least])) least = i;
    pair axis = {{0.0}, {0.0}};
    axis.v[least] = 1.0;
    const pair first = normalise(cross(axis, u)), second = normalise(cross(u, first));
    memcpy(d[0], first.d, sizeof *d);
    memcpy(d[1], second.d, sizeof *d);
}

static void vary_unit_directions(const variation *x, const taut_transfer *t, int count,
                                 double (*d)[3]) {
    const bool plane = x->b->r->dimension == 2, z_only = plane && t->torque;
    for (int k = 0; k < count; k++) memset(d[k], 0, sizeof *d);
    if (t->span == TAUT_SPAN_ALONG) {
        memcpy(d[0], x->rate[t->u], sizeof *d);
    } else if (t->span == TAUT_SPAN_ALL || z_only) {
        return;
    } else if (t->span == TAUT_SPAN_COMMON) {
        memcpy(d[0], normalise(cross(vector_of(x, t->u), vector_of(x, t->v))).d, sizeof *d);
    } else if (plane) {
        const pair u = vector_of(x, t->u);
        const pair n = {{-u.v[1], u.v[0], 0.0}, {-u.d[1], u.d[0], 0.0}};
        memcpy(d[0], normalise(n).d, sizeof *d);
    } else if (t->span == TAUT_SPAN_ACROSS) {
        vary_normals(vector_of(x, t->u), d);
    }
}

/* The unknown is torque / length. */
static void vary_directions(const variation *x, int transfer) {
    const taut_reactions *r = x->b->r;
    const taut_transfer *t = &r->transfer[transfer];
    const int first = x->b->first_unknown[transfer];
    const int count = taut_span_size(t->span, r->dimension, t->torque);
    const double stretch = x->rate[r->size][0] / r->length;
    vary_unit_directions(x, t, count, x->direction + first);
    for (int j = first; j < first + count && t->torque; j++)
        for (int q = 0; q < 3; q++)
            x->direction[j][q] = r->length * x->direction[j][q] + stretch * x->b->direction[j][q];
}

static pair direction_of(const variation *x, int unknown) {
    pair p;
    memcpy(p.v, x->b->direction[unknown], sizeof p.v);
    memcpy(p.d, x->direction[unknown], sizeof p.d);
    return p;
}

/* ---- the right-hand side ---- */

static pair action_of(const variation *x, const taut_end *e, pair d) {
    pair f = d;
    for (int i = 0; i < 3; i++) {
        if (e->rows >= 0) {
            f.v[i] = f.d[i] = 0.0;
            for (int k = 0; k < 3; k++) {
                f.v[i] += d.v[k] * x->b->vector[e->rows + k][i];
                f.d[i] += d.d[k] * x->b->vector[e->rows + k][i] + d.v[k] * x->rate[e->rows + k][i];
            }
        }
        f.v[i] *= e->sign;
        f.d[i] *= e->sign;
    }
    return f;
}

/* Subtracts from rows how what an end gives to the balance of its carrier varies, times a factor.
 */
static void subtract_end(const variation *x, const taut_end *e, pair d, double value,
                         double *rows) {
    const pair f = action_of(x, e, d);
    pair moment = f;
    if (e->kind != TAUT_END_TORQUE) {
        pair arm = vector_of(x, e->at);
        const pair reference = vector_of(x, x->b->r->carrier[e->carrier].reference);
        for (int i = 0; i < 3 && e->kind == TAUT_END_FORCE; i++) {
            arm.v[i] -= reference.v[i];
            arm.d[i] -= reference.d[i];
        }
        moment = cross(arm, f);
    }
    double force[3], turn[3];
    for (int i = 0; i < 3; i++) {
        force[i] = e->kind == TAUT_END_FORCE ? -value * f.d[i] : 0.0;
        turn[i] = -value * moment.d[i];
    }
    taut_balance_add_rows(x->b, e->carrier, force, turn, rows);
}

/* Subtracts column j of dA times a factor. */
static void subtract_column(const variation *x, const taut_transfer *t, int j, double factor,
                            double *rows) {
    for (int e = t->end; e < t->end + t->ends; e++)
        subtract_end(x, &x->b->r->end[e], direction_of(x, j), factor, rows);
}

static void fill_side(const variation *x) {
    const taut_reactions *r = x->b->r;
    memset(x->side, 0, (size_t)x->b->rows * sizeof *x->side);
    for (int c = 0; c < r->carriers; c++)
        taut_balance_add_rows(x->b, c, x->rate[r->carrier[c].force], x->rate[r->carrier[c].moment],
                              x->side);
    for (int i = 0; i < r->transfers; i++) {
        const taut_transfer *t = &r->transfer[i];
        vary_directions(x, i);
        for (int k = 0; k < taut_span_size(t->span, r->dimension, t->torque); k++) {
            const int j = x->b->first_unknown[i] + k;
            subtract_column(x, t, j, x->b->x[j], x->side);
        }
    }
}

/* ---- what is not determined ---- */

static const double SAME_RANK = 1e-7; /* what is left of dA z beside dA, if it is rounding */

static double largest(const double *v, int n) {
    double most = 0.0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(v[i]));
    return most;
}

/* Is dA z, with a null vector z, what A can balance? If not, motions nearby leave less open, and
 * what they show jumps. */
static taut_status look_at_null(const variation *x, const double *z, double size, bool *good) {
    const taut_balance *b = x->b;
    const taut_reactions *r = b->r;
    memset(x->column, 0, (size_t)b->rows * sizeof *x->column);
    for (int i = 0; i < r->transfers; i++) {
        const taut_transfer *t = &r->transfer[i];
        for (int k = 0; k < taut_span_size(t->span, r->dimension, t->torque); k++) {
            const int j = b->first_unknown[i] + k;
            subtract_column(x, t, j, z[j], x->column);
        }
    }
    memcpy(x->y, x->column, (size_t)b->rows * sizeof *x->y);
    TAUT_TRY(taut_balance_resolve(x->b, x->y, x->spare));
    for (int j = 0; j < b->unknowns; j++)
        for (int e = b->start[j]; e < b->start[j + 1]; e++)
            x->column[b->at[e]] -= b->value[e] * x->spare[j];
    *good = largest(x->column, b->rows) <= SAME_RANK * size;
    return TAUT_OK;
}

/* dA^T y; returns the size of dA. */
static double find_twist(const variation *x) {
    const taut_balance *b = x->b;
    const taut_reactions *r = b->r;
    double size = 0.0;
    memset(x->column, 0, (size_t)b->rows * sizeof *x->column);
    for (int i = 0; i < r->transfers; i++) {
        const taut_transfer *t = &r->transfer[i];
        for (int k = 0; k < taut_span_size(t->span, r->dimension, t->torque); k++) {
            const int j = b->first_unknown[i] + k;
            subtract_column(x, t, j, -1.0, x->column);
            x->twist[j] = 0.0;
            for (int e = b->start[j]; e < b->start[j + 1]; e++) {
                size = fmax(size, fabs(x->column[b->at[e]]));
                x->twist[j] += x->column[b->at[e]] * x->y[b->at[e]];
                x->column[b->at[e]] = 0.0;
            }
        }
    }
    return size;
}

/* The solution of A x = b is of least norm, Z^T x = 0 with A Z = 0, and stays so: the part of dx
 * along Z is Z^T dA^T y with A^T y = x. */
static taut_status keep_least(const variation *x, bool *smooth) {
    const taut_balance *b = x->b;
    const int n = b->unknowns;
    *smooth = true;
    if (b->rank == n) return TAUT_OK;
    TAUT_TRY(taut_balance_resolve_transposed(x->b, x->y));
    const double size = find_twist(x);
    for (int k = 0; k < n - b->rank && *smooth; k++)
        TAUT_TRY(look_at_null(x, b->null + (size_t)k * (size_t)n, size, smooth));
    for (int k = 0; k < n - b->rank; k++) {
        const double *z = b->null + (size_t)k * (size_t)n;
        double along = 0.0;
        for (int j = 0; j < n; j++) along += z[j] * x->twist[j];
        for (int j = 0; j < n; j++) x->dx[j] += along * z[j];
    }
    return TAUT_OK;
}

/* ---- columns ---- */

static double vary_transfer(const variation *x, int transfer, int axis) {
    const taut_balance *b = x->b;
    const taut_transfer *t = &b->r->transfer[transfer];
    const pair along = vector_of(x, axis);
    double sum = 0.0;
    for (int k = 0; k < taut_span_size(t->span, b->r->dimension, t->torque); k++) {
        const int j = b->first_unknown[transfer] + k;
        const pair d = direction_of(x, j);
        sum += dot_rate(d, along) * b->x[j] + dot(d.v, along.v) * x->dx[j];
    }
    return sum;
}

static double vary_rod(const variation *x, const taut_rod *rod) {
    const taut_balance *b = x->b;
    const taut_reactions *r = b->r;
    const pair line = vector_of(x, rod->line);
    double sum = 0.5 * (dot_rate(vector_of(x, rod->load[1]), line) -
                        dot_rate(vector_of(x, rod->load[0]), line));
    for (int i = 0; i < r->transfers; i++) {
        const taut_transfer *t = &r->transfer[i];
        for (int e = t->end; e < t->end + t->ends; e++) {
            const taut_end *end = &r->end[e];
            if (end->carrier != rod->carrier || end->kind != TAUT_END_FORCE) continue;
            const double sign = end->at == rod->end[1] ? 0.5 : end->at == rod->end[0] ? -0.5 : 0.0;
            for (int k = 0; k < taut_span_size(t->span, r->dimension, t->torque); k++) {
                const int j = b->first_unknown[i] + k;
                const pair f = action_of(x, end, direction_of(x, j));
                sum += sign * (dot_rate(f, line) * b->x[j] + dot(f.v, line.v) * x->dx[j]);
            }
        }
    }
    return sum;
}

static int larger(int a, int b) { return a > b ? a : b; }

int taut_balance_work(const taut_balance *b) {
    return 2 * b->rows + 6 * b->unknowns + larger(b->rows, b->unknowns) + 1;
}

taut_status taut_balance_vary(taut_balance *b, const double (*rate)[3], double *work,
                              double *column) {
    const int n = b->unknowns;
    const variation x = {.b = b,
                         .rate = rate,
                         .direction = (double(*)[3])work,
                         .dx = work + 3 * n,
                         .twist = work + 4 * n,
                         .spare = work + 5 * n,
                         .side = work + 6 * n,
                         .column = work + 6 * n + b->rows,
                         .y = work + 6 * n + 2 * b->rows};
    fill_side(&x);
    TAUT_TRY(taut_balance_resolve(b, x.side, x.dx));
    bool smooth;
    TAUT_TRY(keep_least(&x, &smooth));
    for (int i = 0; i < b->r->columns; i++) {
        const taut_reaction *c = &b->r->column[i];
        column[i] = c->transfer >= 0 ? vary_transfer(&x, c->transfer, c->axis)
                    : c->rod >= 0    ? vary_rod(&x, &b->r->rod[c->rod])
                                     : rate[c->axis][0];
        if (!smooth && (c->transfer >= 0 || c->rod >= 0)) column[i] = (double)NAN;
    }
    return TAUT_OK;
}
