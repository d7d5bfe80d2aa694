/* The operations of core/small_loops.h and core/sparse.c in their order, zeros that all lanes have
 * in common left out: they change no sum, since none begins with -0.
 *
 * KLU takes columns in one order for all; lanes that have taken other rows as pivots go along with
 * their rows sorted in their own way, in triangles that have the entries of all. */
#include "core/matrices.h"

#include <math.h>
#include <string.h>

#include "core/bits.h"
#include "core/panels.h"

typedef taut_abreast lanes;

/* The inverse of a triangle by rows, and its products with vectors. */
typedef struct inverse {
    int *start, *column, *row;       /* [n+1], [n*n] */
    lanes *value;                    /* [n*n] */
    taut_panels by_columns, by_rows; /* sums of columns, with rows that ascend; of rows */
    int *first, *length, *found;     /* [n], [n], [n*n] work space of its pattern */
} inverse;

/* Lanes with the same rows as pivots. */
typedef struct group {
    taut_abreast_bits mask;
    const taut_choice *choice;
} group;

struct taut_matrices {
    int n, entries;
    bool led;
    int *pivot_row, *pivot_column; /* [n] */
    int *entry_start, *entry_column, *entry_number;
    int *lower_start, *lower_column, *upper_start, *upper_column; /* by rows */
    int *below_start, *below_row, *below_number;                  /* the lower one by columns, */
    int *above_start, *above_row, *above_number;                  /* the upper one likewise */
    lanes *lower, *upper, *pivot, *scale, *largest, *rows, *x;    /* rows: [n*n] */
    inverse of_lower, of_upper;
    uint8_t *has;               /* [n*n] is there an entry in a triangle? */
    lanes *sorted;              /* [n] a right-hand side in the order of the pivots */
    bool planned;               /* the inverses have the pattern of these triangles */
    bool inverted;              /* the factors of lanes that are not odd */
    taut_lu *own[TAUT_ABREAST]; /* NULL: not in use */
    taut_choice choice[TAUT_ABREAST];
    taut_crowd starved;        /* lanes for whose last factors memory was short */
    taut_crowd odd;            /* lanes whose pivots do not suit the triangles */
    group apart[TAUT_ABREAST]; /* lanes that have other rows than pivot_row */
    int groups;
    int *place, places; /* [n*n] of rows[]: what an elimination can reach */
    double *one;        /* [entries] the matrix of one of them */
    double *odd_right;  /* [TAUT_ABREAST * n] their right-hand sides */
};

/* ---- set-up ---- */

static bool create_inverse(int n, taut_arena *arena, inverse *v) {
    v->start = TAUT_NEW_ARRAY(arena, n + 1, int);
    v->column = TAUT_NEW_ARRAY(arena, n * n, int);
    v->row = TAUT_NEW_ARRAY(arena, n * n, int);
    v->value = TAUT_NEW_ARRAY(arena, n * n, lanes);
    v->first = TAUT_NEW_ARRAY(arena, n, int);
    v->length = TAUT_NEW_ARRAY(arena, n, int);
    v->found = TAUT_NEW_ARRAY(arena, n * n, int);
    return v->start && v->column && v->row && v->value && v->first && v->length && v->found &&
           taut_panels_create(n, arena, &v->by_columns) &&
           taut_panels_create(n, arena, &v->by_rows);
}

taut_status taut_matrices_create(int n, int entries, taut_arena *arena, taut_matrices **result) {
    taut_matrices *m = *result = TAUT_NEW(arena, taut_matrices);
    if (!m) return TAUT_ERR_MEMORY;
    m->n = n;
    m->entries = entries;
    int **const starts[] = {&m->pivot_row,   &m->pivot_column, &m->entry_start, &m->lower_start,
                            &m->upper_start, &m->below_start,  &m->above_start};
    int **const lists[] = {&m->lower_column, &m->upper_column, &m->below_row, &m->below_number,
                           &m->above_row,    &m->above_number, &m->place};
    lanes **const vectors[] = {&m->pivot, &m->scale, &m->largest, &m->x, &m->sorted};
    lanes **const matrices[] = {&m->lower, &m->upper, &m->rows};
    bool there = create_inverse(n, arena, &m->of_lower) && create_inverse(n, arena, &m->of_upper);
    for (size_t i = 0; i < sizeof starts / sizeof starts[0] && there; i++)
        there = (*starts[i] = TAUT_NEW_ARRAY(arena, n + 2, int)) != NULL;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0] && there; i++)
        there = (*lists[i] = TAUT_NEW_ARRAY(arena, n * n, int)) != NULL;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0] && there; i++)
        there = (*vectors[i] = TAUT_NEW_ARRAY(arena, n, lanes)) != NULL;
    for (size_t i = 0; i < sizeof matrices / sizeof matrices[0] && there; i++)
        there = (*matrices[i] = TAUT_NEW_ARRAY(arena, n * n, lanes)) != NULL;
    m->entry_column = TAUT_NEW_ARRAY(arena, entries, int);
    m->entry_number = TAUT_NEW_ARRAY(arena, entries, int);
    m->has = TAUT_NEW_ARRAY(arena, n * n, uint8_t);
    m->one = TAUT_NEW_ARRAY(arena, entries, double);
    m->odd_right = TAUT_NEW_ARRAY(arena, n * TAUT_ABREAST, double);
    there = there && m->entry_column && m->entry_number && m->has && m->one && m->odd_right;
    return there ? TAUT_OK : TAUT_ERR_MEMORY;
}

/* ---- pivots ---- */

static void copy(int *to, const int *from, int count) {
    if (count > 0) memcpy(to, from, (size_t)count * sizeof *to);
}

/* A pattern by rows, by columns: which rows, and which entries. */
static void by_columns(int n, const int *start, const int *column, int *column_start, int *row,
                       int *number) {
    int *next = column_start + 1; /* becomes the start when all are in */
    memset(column_start, 0, (size_t)(n + 2) * sizeof *column_start);
    for (int k = 0; k < start[n]; k++)
        if (column[k] + 1 < n) next[column[k] + 1]++;
    for (int j = 0; j + 1 < n; j++) next[j + 1] += next[j];
    for (int i = 0; i < n; i++)
        for (int k = start[i]; k < start[i + 1]; k++) {
            const int at = next[column[k]]++;
            row[at] = i;
            number[at] = k;
        }
}

/* The pattern of an inverse: row k has a one in column unit[k] (NULL: k), and what the rows have
 * that entries of column k of the triangle are in. */
static void find_pattern(int n, const int *start, const int *row, const int *unit, bool upwards,
                         inverse *v) {
    int count = 0;
    for (int step = 0; step < n; step++) { /* rows come in this order */
        const int k = upwards ? n - 1 - step : step;
        uint64_t reached = UINT64_C(1) << (unit ? unit[k] : k);
        for (int e = start[k]; e < start[k + 1]; e++)
            for (int i = 0; i < v->length[row[e]]; i++)
                reached |= UINT64_C(1) << v->found[v->first[row[e]] + i];
        v->first[k] = count;
        for (int j = 0; j < n; j++)
            if (reached >> j & 1) v->found[count++] = j;
        v->length[k] = count - v->first[k];
    }
    for (int k = 0, at = 0; k < n; k++) {
        v->start[k] = at;
        copy(v->column + at, v->found + v->first[k], v->length[k]);
        for (int i = 0; i < v->length[k]; i++) v->row[at++] = k;
        v->start[k + 1] = at;
    }
    taut_panels_plan(&v->by_columns, n, count, v->column, v->row, false);
    taut_panels_plan(&v->by_rows, n, count, v->row, v->column, true);
}

static bool same(const int *a, const int *b, int count) {
    return count == 0 || memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

/* Entries of both triangles that are not there yet; add: now they are. */
static int count_new(taut_matrices *m, const taut_factors *f, bool add) {
    const taut_triangle *const both[] = {&f->lower, &f->upper};
    int count = 0;
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < m->n; i++)
            for (int k = both[t]->start[i]; k < both[t]->start[i + 1]; k++) {
                uint8_t *has = &m->has[i * m->n + both[t]->column[k]];
                count += !*has;
                if (add) *has = 1;
            }
    return count;
}

/* Do its factors fit into the triangles? */
static bool suits(taut_matrices *m, const taut_factors *f) {
    return m->led && same(m->pivot_column, f->pivot_column, m->n) && count_new(m, f, false) == 0;
}

/* The triangles have the entries that has[] tells. */
static void build_triangles(taut_matrices *m) {
    const int n = m->n;
    int below = 0, above = 0;
    m->places = 0;
    for (int i = 0; i < n; i++) {
        m->lower_start[i] = below;
        m->upper_start[i] = above;
        for (int j = 0; j < n; j++) {
            if (m->has[i * n + j] || i == j) m->place[m->places++] = i * n + j;
            if (!m->has[i * n + j]) continue;
            if (j < i)
                m->lower_column[below++] = j;
            else
                m->upper_column[above++] = j;
        }
    }
    m->lower_start[n] = below;
    m->upper_start[n] = above;
    by_columns(n, m->lower_start, m->lower_column, m->below_start, m->below_row, m->below_number);
    by_columns(n, m->upper_start, m->upper_column, m->above_start, m->above_row, m->above_number);
    m->planned = false;
}

/* Not every matrix is inverted. */
static void plan_inverses(taut_matrices *m) {
    if (m->planned) return;
    find_pattern(m->n, m->below_start, m->below_row, NULL, true, &m->of_lower);
    find_pattern(m->n, m->above_start, m->above_row, m->pivot_column, false, &m->of_upper);
    m->planned = true;
}

/* Makes the triangles suit a lane, and others as far as they do not become much fuller. */
static void widen(taut_matrices *m, int lane) {
    const taut_factors *f = m->choice[lane].factors;
    const int own = f->lower.start[m->n] + f->upper.start[m->n], most = own + own / 2;
    int size = m->led ? m->lower_start[m->n] + m->upper_start[m->n] : 0;
    const bool keeps = m->led && same(m->pivot_column, f->pivot_column, m->n);
    if (!keeps || size + count_new(m, f, false) > most) {
        memset(m->has, 0, (size_t)m->n * (size_t)m->n);
        size = 0;
    }
    copy(m->pivot_column, f->pivot_column, m->n);
    size += count_new(m, f, true);
    for (int l = 0; l < TAUT_ABREAST; l++) {
        const taut_factors *g = m->own[l] ? m->choice[l].factors : f;
        if (same(g->pivot_column, f->pivot_column, m->n) && size + count_new(m, g, false) <= most)
            size += count_new(m, g, true);
    }
    build_triangles(m);
    m->led = true;
}

/* A lane with other rows than the common ones goes with those who have the same. */
static void set_apart(taut_matrices *m, int lane) {
    const int *row = m->choice[lane].factors->pivot_row;
    int g = 0;
    if (same(m->pivot_row, row, m->n)) return;
    while (g < m->groups && !same(m->apart[g].choice->factors->pivot_row, row, m->n)) g++;
    if (g == m->groups) m->apart[m->groups++] = (group){.choice = &m->choice[lane]};
    m->apart[g].mask[lane] = -1;
}

/* Who has which rows: those of most lanes are the common ones. */
static void sort_lanes(taut_matrices *m) {
    const int n = m->n;
    int best = -1, most = 0;
    m->odd = 0;
    m->groups = 0;
    for (int l = 0; l < TAUT_ABREAST; l++)
        if (m->own[l] && !suits(m, m->choice[l].factors)) taut_join_crowd(&m->odd, l);
    for (int l = 0; l < TAUT_ABREAST; l++) {
        int count = 0;
        if (!m->own[l] || taut_in_crowd(m->odd, l)) continue;
        for (int k = 0; k < TAUT_ABREAST; k++)
            count += m->own[k] && !taut_in_crowd(m->odd, k) &&
                     same(m->choice[k].factors->pivot_row, m->choice[l].factors->pivot_row, n);
        if (count > most) best = l, most = count;
    }
    if (best < 0) return;
    const taut_choice *choice = &m->choice[best];
    copy(m->pivot_row, choice->factors->pivot_row, n);
    copy(m->entry_start, choice->entries->start, n + 1);
    copy(m->entry_column, choice->entries->column, m->entries);
    copy(m->entry_number, choice->entries->number, m->entries);
    for (int l = 0; l < TAUT_ABREAST; l++)
        if (m->own[l] && !taut_in_crowd(m->odd, l)) set_apart(m, l);
}

static bool has_chosen(const taut_matrices *m, int lane) {
    taut_choice now;
    return m->own[lane] &&
           (!taut_lu_choice(m->own[lane], &now) || now.number != m->choice[lane].number);
}

/* Lanes whose matrices have chosen anew meanwhile are not in use: what they had is gone, and others
 * may have gone along with it. */
static bool drop_old_choices(taut_matrices *m) {
    bool any = false;
    for (int l = 0; l < TAUT_ABREAST; l++) {
        if (!has_chosen(m, l)) continue;
        m->own[l] = NULL;
        any = true;
    }
    return any;
}

void taut_matrices_take(taut_matrices *m, int lane, taut_lu *lu) {
    const bool dropped = drop_old_choices(m);
    if (lu == m->own[lane] && !dropped) return;
    m->own[lane] = lu && taut_lu_choice(lu, &m->choice[lane]) ? lu : NULL;
    if (m->own[lane] && !suits(m, m->choice[lane].factors)) widen(m, lane);
    sort_lanes(m);
}

/* ---- factors ---- */

/* The largest entries of the rows of lanes in mask. */
TAUT_INLINE void size_rows(taut_matrices *m, const lanes *value, const taut_rows_by_pivots *e,
                           const taut_abreast_bits *mask) {
    for (int i = 0; i < m->n; i++) {
        lanes greatest = {0}, size;
        for (int k = e->start[i]; k < e->start[i + 1]; k++) {
            taut_size_abreast(&value[e->number[k]], &size);
            taut_raise_abreast(&greatest, &size);
        }
        taut_choose_abreast(mask, &greatest, &m->largest[i]);
    }
}

/* As taut_power_below, for all rows. */
TAUT_INLINE void find_scales(taut_matrices *m) {
    const taut_abreast_bits zero = {0}, field = zero + (int64_t)TAUT_EXPONENT_BITS,
                            half = zero + (INT64_C(1022) << 52),
                            most = zero + (INT64_C(2045) << 52);
    taut_abreast_bits odd = {0};
    for (int i = 0; i < m->n; i++) {
        const taut_abreast_bits bits = (taut_abreast_bits)m->largest[i], exponent = bits & field;
        odd |= (taut_abreast_bits)(exponent == zero) | (taut_abreast_bits)(exponent >= most);
        m->x[i] = m->largest[i];
        m->scale[i] = (lanes)(most - exponent);
        m->largest[i] = (lanes)((bits & ~field) | half);
    }
    for (int l = 0; l < TAUT_ABREAST; l++)
        for (int i = 0; i < m->n && odd[l]; i++)
            m->scale[i][l] = taut_power_below(m->x[i][l], (double *)&m->largest[i] + l);
}

TAUT_INLINE void load_rows(taut_matrices *m, const lanes *value, const taut_rows_by_pivots *e,
                           const taut_abreast_bits *mask) {
    for (int i = 0; i < m->n; i++)
        for (int k = e->start[i]; k < e->start[i + 1]; k++) {
            const lanes entry = value[e->number[k]] * m->scale[i];
            taut_choose_abreast(mask, &entry, &m->rows[i * m->n + e->column[k]]);
        }
}

TAUT_INLINE void load(taut_matrices *m, const lanes *value) {
    const taut_rows_by_pivots common = {m->entry_start, m->entry_column, m->entry_number};
    const taut_abreast_bits all = ~(taut_abreast_bits){0};
    size_rows(m, value, &common, &all);
    for (int g = 0; g < m->groups; g++)
        size_rows(m, value, m->apart[g].choice->entries, &m->apart[g].mask);
    find_scales(m);
    for (int k = 0; k < m->places; k++) m->rows[m->place[k]] = (lanes){0};
    load_rows(m, value, &common, &all);
    for (int g = 0; g < m->groups; g++) {
        const taut_abreast_bits *mask = &m->apart[g].mask;
        const lanes zero = {0};
        for (int k = 0; k < m->places; k++) taut_choose_abreast(mask, &zero, &m->rows[m->place[k]]);
        load_rows(m, value, m->apart[g].choice->entries, mask);
    }
}

/* Takes pivot row k, divided by the pivot, off the rows below it. */
TAUT_INLINE void take_off(taut_matrices *m, int k, lanes *multiplier) {
    const int n = m->n;
    lanes *row = m->rows + k * n, size = {0};
    const lanes pivot = row[k], reciprocal = 1.0 / pivot;
    m->pivot[k] = pivot;
    for (int v = m->upper_start[k]; v < m->upper_start[k + 1]; v++)
        m->upper[v] = row[m->upper_column[v]] * reciprocal;
    for (int b = m->below_start[k]; b < m->below_start[k + 1]; b++) {
        lanes *to = m->rows + m->below_row[b] * n;
        const lanes left = to[k], l = left / pivot;
        for (int v = m->upper_start[k]; v < m->upper_start[k + 1]; v++)
            to[m->upper_column[v]] -= left * m->upper[v];
        m->lower[m->below_number[b]] = l;
        taut_size_abreast(&l, &size);
        taut_raise_abreast(multiplier, &size);
    }
}

/* Lanes in which all numbers of a list of values are finite. */
TAUT_INLINE taut_crowd lanes_that_are_finite(const lanes *value, int count) {
    lanes sum = {0};
    taut_crowd who = 0;
    for (int i = 0; i < count; i++) sum += 0.0 * value[i];
    for (int l = 0; l < TAUT_ABREAST; l++)
        if (sum[l] == 0.0) taut_join_crowd(&who, l);
    return who;
}

/* Those with one choice of pivots. */
TAUT_ALL_WIDTHS static taut_crowd eliminate(taut_matrices *m, const lanes *v, double *rcond,
                                            double *multiplier) {
    lanes least = {0}, greatest = {0}, largest = {0}, size = {0};
    taut_abreast_bits good = ~(taut_abreast_bits){0};
    taut_crowd who = lanes_that_are_finite(v, m->entries);
    load(m, v);
    for (int k = 0; k < m->n; k++) {
        take_off(m, k, &largest);
        taut_size_abreast(&m->pivot[k], &size);
        size /= m->largest[k];
        if (k == 0) least = size;
        taut_lower_abreast(&least, &size);
        taut_raise_abreast(&greatest, &size);
        good &= (taut_abreast_bits)(size > TAUT_SINGULAR_PIVOT * greatest);
    }
    for (int l = 0; l < TAUT_ABREAST; l++) {
        rcond[l] = fmin(least[l] / greatest[l], 1.0);
        multiplier[l] = largest[l];
        if (!good[l]) taut_leave_crowd(&who, l);
    }
    return who;
}

/* One with other pivots, or with new ones. */
static bool factor_alone(taut_matrices *m, int lane, const double *value, double *rcond) {
    taut_lu *lu = m->own[lane];
    for (int k = 0; k < m->entries; k++) m->one[k] = value[k * TAUT_ABREAST + lane];
    const taut_status status = taut_lu_factor(lu, m->one);
    if (status == TAUT_ERR_MEMORY) taut_join_crowd(&m->starved, lane);
    *rcond = taut_lu_rcond(lu);
    return status == TAUT_OK;
}

/* Lanes with new pivots go together with the others again; those of `who` for whom the triangles
 * are then too narrow are factored alone. */
static void rejoin(taut_matrices *m, const double *value, taut_crowd chosen, taut_crowd who) {
    double rcond[TAUT_ABREAST], multiplier[TAUT_ABREAST]; /* are known */
    taut_lu *own[TAUT_ABREAST];
    const taut_crowd before = m->odd | chosen;
    memcpy(own, m->own, sizeof own);
    for (int l = 0; l < TAUT_ABREAST; l++)
        if (taut_in_crowd(chosen, l)) taut_matrices_take(m, l, own[l]);
    eliminate(m, (const lanes *)value, rcond, multiplier);
    for (int l = 0; l < TAUT_ABREAST; l++)
        if (taut_in_crowd(who & m->odd & (taut_crowd)~before, l))
            factor_alone(m, l, value, &rcond[l]);
}

taut_crowd taut_matrices_factor(taut_matrices *m, const double *value, taut_crowd who,
                                double *rcond) {
    double multiplier[TAUT_ABREAST];
    taut_crowd chosen = 0;
    m->inverted = false;
    m->starved = 0;
    const taut_crowd done = eliminate(m, (const lanes *)value, rcond, multiplier);
    for (int l = 0; l < TAUT_ABREAST; l++) {
        const bool together = taut_in_crowd(done & (taut_crowd)~m->odd, l) && m->own[l] &&
                              taut_lu_keeps(&m->choice[l], rcond[l], multiplier[l]);
        if (!taut_in_crowd(who, l) || together) continue;
        if (!m->own[l] || !factor_alone(m, l, value, &rcond[l])) taut_leave_crowd(&who, l);
        if (has_chosen(m, l)) taut_join_crowd(&chosen, l);
    }
    if (chosen) rejoin(m, value, chosen, who);
    return who;
}

taut_crowd taut_matrices_starved(const taut_matrices *m) { return m->starved; }

/* Entries of a factor by its columns. */
typedef struct entries {
    const int *start, *row, *number;
    const lanes *value;
} entries;

TAUT_INLINE void invert(int n, entries f, const int *unit, bool upwards, lanes *x, inverse *v) {
    for (int step = 0; step < n; step++) {
        const int k = upwards ? n - 1 - step : step, count = f.start[k + 1] - f.start[k];
        for (int i = v->start[k]; i < v->start[k + 1]; i++) x[v->column[i]] = (lanes){0};
        x[unit ? unit[k] : k] = (lanes){0} + 1.0;
        for (int at = 0; at < count; at++) {
            const int e = upwards ? f.start[k + 1] - 1 - at : f.start[k] + at;
            for (int i = v->start[f.row[e]]; i < v->start[f.row[e] + 1]; i++)
                x[v->column[i]] -= f.value[f.number[e]] * v->value[i];
        }
        for (int i = v->start[k]; i < v->start[k + 1]; i++) v->value[i] = x[v->column[i]];
    }
}

TAUT_ALL_WIDTHS static void invert_factors(taut_matrices *m) {
    const entries upper = {m->above_start, m->above_row, m->above_number, m->upper};
    const entries lower = {m->below_start, m->below_row, m->below_number, m->lower};
    invert(m->n, upper, m->pivot_column, false, m->x, &m->of_upper);
    invert(m->n, lower, NULL, true, m->x, &m->of_lower);
    for (int k = 0; k < m->n; k++)
        for (int i = m->of_lower.start[k]; i < m->of_lower.start[k + 1]; i++)
            m->of_lower.value[i] *= m->scale[k];
}

static void fill_panels(inverse *v, int n) {
    taut_panels_fill(&v->by_columns, v->start[n], v->value);
    taut_panels_fill(&v->by_rows, v->start[n], v->value);
}

taut_crowd taut_matrices_invert(taut_matrices *m) {
    taut_crowd who = TAUT_EVERYBODY;
    for (int l = 0; l < TAUT_ABREAST; l++)
        if (taut_in_crowd(m->odd, l) && m->own[l] && taut_lu_invert(m->own[l]) != TAUT_OK)
            taut_leave_crowd(&who, l);
    plan_inverses(m);
    invert_factors(m);
    fill_panels(&m->of_lower, m->n);
    fill_panels(&m->of_upper, m->n);
    m->inverted = true;
    return who;
}

/* ---- solutions ---- */

/* A right-hand side into the order of the pivots, and a solution of the transposed system back. */
TAUT_INLINE void sort(const taut_matrices *m, const lanes *b) {
    for (int i = 0; i < m->n; i++) m->sorted[i] = b[m->pivot_row[i]];
    for (int g = 0; g < m->groups; g++) {
        const int *row = m->apart[g].choice->factors->pivot_row;
        for (int i = 0; i < m->n; i++)
            taut_choose_abreast(&m->apart[g].mask, &b[row[i]], &m->sorted[i]);
    }
}
TAUT_INLINE void sort_back(const taut_matrices *m, lanes *b) {
    for (int i = 0; i < m->n; i++) b[m->pivot_row[i]] = m->sorted[i];
    for (int g = 0; g < m->groups; g++) {
        const int *row = m->apart[g].choice->factors->pivot_row;
        for (int i = 0; i < m->n; i++)
            taut_choose_abreast(&m->apart[g].mask, &m->sorted[i], &b[row[i]]);
    }
}

TAUT_INLINE void divide(const taut_matrices *m) {
    for (int i = 0; i < m->n; i++) m->x[i] /= m->pivot[i];
}

/* By the inverses, in place. */
TAUT_INLINE void multiply(const taut_matrices *m, lanes *b) {
    sort(m, b);
    taut_panels_multiply(&m->of_lower.by_columns, m->sorted, m->x);
    divide(m);
    taut_panels_multiply(&m->of_upper.by_columns, m->x, b);
}

/* By the factors, in place. */
TAUT_INLINE void substitute(const taut_matrices *m, lanes *b) {
    lanes *x = m->x;
    sort(m, b);
    for (int i = 0; i < m->n; i++) {
        lanes sum = m->sorted[i] * m->scale[i];
        for (int k = m->lower_start[i]; k < m->lower_start[i + 1]; k++)
            sum -= m->lower[k] * x[m->lower_column[k]];
        x[i] = sum;
    }
    divide(m);
    for (int i = m->n - 1; i >= 0; i--) {
        lanes sum = x[i];
        for (int k = m->upper_start[i + 1] - 1; k >= m->upper_start[i]; k--)
            sum -= m->upper[k] * x[m->upper_column[k]];
        x[i] = sum;
        b[m->pivot_column[i]] = sum;
    }
}

TAUT_INLINE void multiply_transposed(const taut_matrices *m, lanes *b) {
    taut_panels_multiply_by_classes(&m->of_upper.by_rows, b, m->x);
    divide(m);
    taut_panels_multiply_by_classes(&m->of_lower.by_rows, m->x, m->sorted);
    sort_back(m, b);
}

TAUT_INLINE void substitute_transposed(const taut_matrices *m, lanes *b) {
    lanes *x = m->x;
    for (int i = 0; i < m->n; i++) x[i] = b[m->pivot_column[i]];
    for (int i = 0; i < m->n; i++)
        for (int k = m->upper_start[i]; k < m->upper_start[i + 1]; k++)
            x[m->upper_column[k]] -= m->upper[k] * x[i];
    divide(m);
    for (int i = m->n - 1; i >= 0; i--) {
        for (int k = m->lower_start[i]; k < m->lower_start[i + 1]; k++)
            x[m->lower_column[k]] -= m->lower[k] * x[i];
        m->sorted[i] = x[i] * m->scale[i];
    }
    sort_back(m, b);
}

TAUT_ALL_WIDTHS static void solve_together(taut_matrices *m, lanes *b, bool transposed) {
    if (m->inverted && transposed)
        multiply_transposed(m, b);
    else if (m->inverted)
        multiply(m, b);
    else if (transposed)
        substitute_transposed(m, b);
    else
        substitute(m, b);
}

static void solve(taut_matrices *m, double *b, taut_crowd who, bool transposed) {
    const int n = m->n;
    const taut_crowd odd = who & m->odd, even = who & (taut_crowd)~m->odd;
    for (int l = 0; l < TAUT_ABREAST && odd; l++)
        for (int i = 0; i < n && taut_in_crowd(odd, l); i++)
            m->odd_right[l * n + i] = b[i * TAUT_ABREAST + l];
    if (even) solve_together(m, (lanes *)b, transposed);
    for (int l = 0; l < TAUT_ABREAST && odd; l++) {
        double *x = m->odd_right + l * n;
        if (!taut_in_crowd(odd, l)) continue;
        if (transposed)
            taut_lu_solve_transposed(m->own[l], x);
        else
            taut_lu_solve(m->own[l], x);
        for (int i = 0; i < n; i++) b[i * TAUT_ABREAST + l] = x[i];
    }
}

void taut_matrices_solve(taut_matrices *m, double *b, taut_crowd who) { solve(m, b, who, false); }

void taut_matrices_solve_transposed(taut_matrices *m, double *b, taut_crowd who) {
    solve(m, b, who, true);
}
