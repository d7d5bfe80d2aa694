/* Unknowns X = (x_j)_m h^m, m < q + d_j, at the end of the step. Rows: (f_i)_(s + c_i) = 0 for the
 * stages s < q; and for every state y = x_j^(k), k < d_j,
 *
 *   sum over i <= q of (-1)^i c_i(q, p) Y_i(t + h) = sum over i <= p of c_i(p, q) Y_i(t).
 *
 * With A_r = df_i / dx_j^(r) as a series, the matrix has the entries
 *
 *   d(f_i)_K / d(x_j)_m = sum over r of m!/(m - r)! h^-r (A_r)_(K - m + r). */
#include "solve/lifted.h"

#include <math.h>
#include <string.h>

/* Up to so many equations Newton's matrix is factored as a dense one (a test sets it to 0). Chains
 * of bodies are faster sparse from 30 equations on, parallel four-bars from 55. */
#ifndef TAUT_LIFTED_DENSE
#define TAUT_LIFTED_DENSE 50
#endif
/* How many stages of the derivatives the matrix has: it needs to be good, not exact, and the change
 * that high orders of it would act on is small. */
enum { LINEAR_STAGES = 3 };

/* ---- creation ---- */

/* The variables are on the tape whatever it needs: what depends on t alone is known as far as they
 * are. */
static taut_status build_slopes(taut_lifted *l) {
    const int n = l->system->n;
    taut_slopes *x = &l->slopes;
    taut_node *node;
    taut_tape *tape;
    TAUT_TRY(taut_partials_list(l->system, &l->arena, &x->partial, &node, &x->count));
    taut_node *root = TAUT_NEW_ARRAY(&l->arena, n + x->count, taut_node);
    x->slot = TAUT_NEW_ARRAY(&l->arena, x->count, int);
    x->variable = TAUT_NEW_ARRAY(&l->arena, n, int);
    if (!root || !x->slot || !x->variable) return TAUT_ERR_MEMORY;
    for (int j = 0; j < n; j++) root[j] = taut_variable(l->system->graph, j);
    for (int k = 0; k < x->count; k++) root[n + k] = node[k];
    TAUT_TRY(taut_tape_create(l->system->graph, l->structure->offsets.d, root,
                              (size_t)(n + x->count), &l->arena, &tape));
    for (int j = 0; j < n; j++) x->variable[j] = taut_tape_slot(tape, root[j]);
    for (int k = 0; k < x->count; k++) x->slot[k] = taut_tape_slot(tape, node[k]);
    return taut_jet_create(tape, LINEAR_STAGES - 1, &l->arena, &x->jet);
}

static taut_status build(taut_lifted *l) {
    const int n = l->system->n, *d = l->structure->offsets.d;
    l->states_before = TAUT_NEW_ARRAY(&l->arena, n + 1, int);
    if (!l->states_before) return TAUT_ERR_MEMORY;
    for (int j = 0; j < n; j++) l->states_before[j + 1] = l->states_before[j] + d[j];
    const int most = n * TAUT_LIFTED_MOST + l->states_before[n];
    l->x = TAUT_NEW_ARRAY(&l->arena, most, double);
    l->change = TAUT_NEW_ARRAY(&l->arena, most, double);
    l->side = TAUT_NEW_ARRAY(&l->arena, most, double);
    l->history = TAUT_NEW_ARRAY(&l->arena, l->states_before[n], double);
    if (!l->x || !l->change || !l->side || !l->history) return TAUT_ERR_MEMORY;
    TAUT_TRY(build_slopes(l));
    return taut_series_create(l->system, l->structure, TAUT_LIFTED_MOST - 1, NULL, 0, &l->series);
}

void taut_lifted_free(taut_lifted **lifted) {
    taut_lifted *l = *lifted;
    if (!l) return;
    for (int q = 0; q <= TAUT_LIFTED_MOST; q++)
        if (l->matrix[q]) taut_newton_free(l->matrix[q]);
    taut_series_free(&l->series);
    taut_arena_release(&l->arena);
    taut_release((void **)lifted);
}

taut_status taut_lifted_set_numbers(taut_lifted *l, const double *parameter) {
    TAUT_TRY(taut_series_set_numbers(l->series, parameter));
    return taut_jet_set_numbers(l->slopes.jet, parameter);
}

/* ---- the matrix ----
 *
 * The coefficients found at stage s, (x_j)_(s + d_j), stand in the equations of stage s and later
 * ones only. So columns go down from stage q - 1 to 0, and the states come last; rows likewise,
 * with the formulas behind the first ones: a staircase. Pivots are chosen among the equations of a
 * stage and what earlier ones have left over; the matrix of a single stage, J, need not be a good
 * one. */

static int unknown_of(const taut_lifted *l, int j, int m) {
    return l->q * j + l->states_before[j] + m;
}

double *taut_lifted_unknown(const taut_lifted *l, int j) { return l->x + unknown_of(l, j, 0); }

const double *taut_lifted_change(const taut_lifted *l, int j) {
    return l->change + unknown_of(l, j, 0);
}

static int column_of(const taut_lifted *l, int j, int m) {
    const int n = l->system->n, stage = m - l->structure->offsets.d[j];
    return stage >= 0 ? (l->q - 1 - stage) * n + j : l->q * n + l->states_before[j] + m;
}

static int stage_row(const taut_lifted *l, int i, int s) {
    const int n = l->system->n, before = (l->q - 1 - s) * n;
    return before == 0 ? i : before + l->states_before[n] + i;
}

static int formula_row(const taut_lifted *l, int j, int k) {
    return l->system->n + l->states_before[j] + k;
}

/* m!/(m - r)! */
static double falling(int m, int r) {
    double factor = 1.0;
    for (int i = 0; i < r; i++) factor *= (double)(m - i);
    return factor;
}

/* Appends the terms of a derivative to term[*count]; NULL: only counts. With K = s + c_i, stage s
 * and coefficient m of the variable meet in order K - m + r of its series. */
static void add_partial(const taut_lifted *l, int number, taut_newton_term *term, int *count) {
    const taut_partial *x = &l->slopes.partial[number];
    const taut_jet *jet = l->slopes.jet;
    const int slot = l->slopes.slot[number], r = x->order;
    const int c = l->structure->offsets.c[x->equation], d = l->structure->offsets.d[x->variable];
    const bool steady = jet->tape->instr[slot].kernel == TAUT_KERNEL_STEADY;
    for (int s = 0; s < l->q; s++) {
        const int K = s + c, most = K + r < l->q + d - 1 ? K + r : l->q + d - 1;
        int least = steady ? K + r : s + r - LINEAR_STAGES + 1;
        if (least < r) least = r;
        for (int m = least; m <= most; m++, ++*count) {
            if (!term) continue;
            term[*count] = (taut_newton_term){.source = taut_jet_at(jet, slot, K - m + r),
                                              .factor = falling(m, r),
                                              .power = r,
                                              .row = stage_row(l, x->equation, s),
                                              .column = column_of(l, x->variable, m)};
        }
    }
}

/* The same for the formulas. */
static void add_formulas(const taut_lifted *l, taut_newton_term *term, int *count) {
    for (int j = 0; j < l->system->n; j++)
        for (int k = 0; k < l->structure->offsets.d[j]; k++) {
            double binomial = 1.0;
            for (int i = 0; i <= l->q; i++, ++*count) {
                if (term)
                    term[*count] = (taut_newton_term){.source = &l->ahead[i],
                                                      .factor = binomial,
                                                      .row = formula_row(l, j, k),
                                                      .column = column_of(l, j, k + i)};
                binomial *= (double)(k + i + 1) / (double)(i + 1);
            }
        }
}

static void add_terms(const taut_lifted *l, taut_newton_term *term, int *count) {
    *count = 0;
    for (int k = 0; k < l->slopes.count; k++) add_partial(l, k, term, count);
    add_formulas(l, term, count);
}

static void choose_size(taut_lifted *l, int q) {
    l->q = q;
    l->size = q * l->system->n + l->states_before[l->system->n];
}

/* The matrix for l->q; larger: one for a larger q, to share memory with. */
static taut_status create_matrix(taut_lifted *l, const taut_newton *larger) {
    const int n = l->system->n;
    int terms;
    add_terms(l, NULL, &terms);
    taut_newton *matrix = TAUT_NEW(&l->arena, taut_newton);
    taut_newton_term *term = TAUT_NEW_ARRAY(&l->arena, terms, taut_newton_term);
    int *reach = TAUT_NEW_ARRAY(&l->arena, l->size, int);
    if (!matrix || !term || !reach) return TAUT_ERR_MEMORY;
    add_terms(l, term, &terms);
    for (int c = 0; c < l->size; c++)
        reach[c] = c < l->q * n ? (c / n + 1) * n + l->states_before[n] : l->size;
    TAUT_TRY(taut_newton_create(l->size, term, terms, reach, n <= TAUT_LIFTED_DENSE, larger,
                                &l->arena, matrix));
    l->matrix[l->q] = matrix;
    return TAUT_OK;
}

taut_status taut_lifted_create(const taut_system *system, const taut_structure *structure,
                               int least_q, int most_q, taut_lifted **lifted) {
    taut_lifted *l = NULL;
    size_t room = 0;
    *lifted = NULL;
    if (taut_grow((void **)&l, &room, 1, sizeof *l)) return TAUT_ERR_MEMORY;
    *l = (taut_lifted){.system = system, .structure = structure};
    taut_status status = build(l);
    for (int q = most_q; q >= least_q && status == TAUT_OK; q--) {
        choose_size(l, q);
        status = create_matrix(l, q < most_q ? l->matrix[most_q] : NULL);
    }
    if (status == TAUT_OK)
        *lifted = l;
    else
        taut_lifted_free(&l);
    return status;
}

/* ---- the formula ---- */

/* c_i(a, b) = a!/(a - i)! (a + b - i)!/(a + b)!, i <= a. */
static void formula(int a, int b, double *c) {
    c[0] = 1.0;
    for (int i = 1; i <= a; i++) c[i] = c[i - 1] * (double)(a - i + 1) / (double)(a + b - i + 1);
}

static void choose_formula(taut_lifted *l, int p, int q) {
    formula(q, p, l->ahead);
    for (int i = 1; i <= q; i += 2) l->ahead[i] = -l->ahead[i];
    formula(p, q, l->behind);
}

void taut_lifted_begin(taut_lifted *l, double t, double h, int p, int q) {
    l->p = p;
    l->h = h;
    choose_size(l, q);
    choose_formula(l, p, q);
    taut_jet_start(l->series->jet, t + h, h);
    taut_jet_start(l->slopes.jet, t + h, h);
}

/* sum over i <= top of weight_i Y_i for the state y = x^(k), in units of (x)_k: Y_i is
 * binomial(k + i, i) (x)_(k+i) there. */
static double weigh(const double *x, int k, const double *weight, int top) {
    double sum = 0.0, binomial = 1.0;
    for (int i = 0; i <= top; i++) {
        sum += weight[i] * binomial * x[k + i];
        binomial *= (double)(k + i + 1) / (double)(i + 1);
    }
    return sum;
}

void taut_lifted_remember(taut_lifted *l, double *const *known) {
    for (int j = 0, state = 0; j < l->system->n; j++)
        for (int k = 0; k < l->structure->offsets.d[j]; k++)
            l->history[state++] = weigh(known[j], k, l->behind, l->p);
}

/* ---- Newton ---- */

/* Sets so many stages of the variables, which are in these slots. */
static void set_variables(const taut_lifted *l, taut_jet *jet, const int *slot, int stages) {
    for (int j = 0; j < l->system->n; j++) {
        const double *x = taut_lifted_unknown(l, j);
        for (int m = 0; m < stages + l->structure->offsets.d[j]; m++)
            *taut_jet_at(jet, slot[j], m) = x[m];
    }
}

void taut_lifted_look(const taut_lifted *l, taut_series *series, int stages) {
    set_variables(l, series->jet, series->variable, stages);
    taut_series_look(series, stages - 1);
}

static void look_at_slopes(taut_lifted *l, int stages) {
    taut_jet *jet = l->slopes.jet;
    const taut_phase before = taut_count_for(l->series->watch, TAUT_PHASE_KERNELS);
    set_variables(l, jet, l->slopes.variable, stages);
    for (int stage = jet->tape->first_stage; stage < stages; stage++) taut_jet_stage(jet, stage);
    taut_count_for(l->series->watch, before);
}

taut_status taut_lifted_linearise(taut_lifted *l) {
    look_at_slopes(l, l->q < LINEAR_STAGES ? l->q : LINEAR_STAGES);
    l->factorisations++;
    const taut_phase before = taut_count_for(l->series->watch, TAUT_PHASE_FACTORS);
    const taut_status status = taut_newton_factor(l->matrix[l->q], l->h);
    taut_count_for(l->series->watch, before);
    return status;
}

/* From the right-hand side to the change. */
static void solve(taut_lifted *l) {
    const taut_phase before = taut_count_for(l->series->watch, TAUT_PHASE_SOLVES);
    taut_newton_solve(l->matrix[l->q], l->side);
    taut_count_for(l->series->watch, before);
    for (int j = 0; j < l->system->n; j++)
        for (int m = 0; m < l->q + l->structure->offsets.d[j]; m++)
            l->change[unknown_of(l, j, m)] = l->side[column_of(l, j, m)];
}

bool taut_lifted_correct(taut_lifted *l) {
    const int *c = l->structure->offsets.c, *d = l->structure->offsets.d;
    double sum = 0.0; /* a NaN if anything is not finite */
    l->corrections++;
    taut_lifted_look(l, l->series, l->q);
    l->evaluations++;
    for (int i = 0; i < l->system->n; i++)
        for (int s = 0; s < l->q; s++)
            l->side[stage_row(l, i, s)] =
                -*taut_jet_at(l->series->jet, l->series->equation[i], s + c[i]);
    for (int j = 0, state = 0; j < l->system->n; j++)
        for (int k = 0; k < d[j]; k++, state++)
            l->side[formula_row(l, j, k)] =
                l->history[state] - weigh(taut_lifted_unknown(l, j), k, l->ahead, l->q);
    solve(l);
    for (int k = 0; k < l->size; k++) sum += l->change[k] - l->change[k];
    if (sum != 0.0) return false;
    for (int k = 0; k < l->size; k++) l->x[k] += l->change[k];
    return true;
}

void taut_lifted_spread(taut_lifted *l, const double *fault) {
    memset(l->side, 0, (size_t)l->size * sizeof *l->side);
    for (int j = 0, state = 0; j < l->system->n; j++)
        for (int k = 0; k < l->structure->offsets.d[j]; k++, state++)
            l->side[formula_row(l, j, k)] = fault[state];
    solve(l);
}

void taut_lifted_compare(taut_lifted *l, int a, int b, double *const *known, double *misfit) {
    choose_formula(l, a, b);
    memset(l->side, 0, (size_t)l->size * sizeof *l->side);
    for (int j = 0, state = 0; j < l->system->n; j++)
        for (int k = 0; k < l->structure->offsets.d[j]; k++, state++) {
            misfit[state] =
                weigh(known[j], k, l->behind, a) - weigh(taut_lifted_unknown(l, j), k, l->ahead, b);
            l->side[formula_row(l, j, k)] = misfit[state];
        }
    choose_formula(l, l->p, l->q);
    solve(l);
}
