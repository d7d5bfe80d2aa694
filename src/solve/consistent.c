/* The consistent initial point, stage by stage: Gauss-Newton from the guesses, and where that does
 * not get there or goes far, a search for the nearest assembly. Fixed values stay as they are to
 * the last bit. */
#include "solve/consistent.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/dense.h"
#include "expr/diff.h"
#include "expr/infix.h"
#include "expr/pattern.h"
#include "solve/closing.h"
#include "solve/stage.h"
#include "solve/state.h"

enum { LARGEST_CHECK = 1600, MOST_NAMES = 4 };
static const double RANK_LIMIT = 1e-10;
static const double FAR = 0.1;        /* a change of this much of the size asks for a search */
static const double ROUNDING = 1e-12; /* changes below this much of the group's size are no moves */
static const double AMBIGUOUS = 3.0;  /* other assemblies up to this much farther away are told */

/* ---- what to say ---- */

static taut_place row_place(const taut_stage *g, int a) {
    const taut_system *system = g->series->system;
    const int i = g->row[a];
    return i < system->n ? system->equation[i].place : system->condition[i - system->n].place;
}

static const char *row_name(const taut_stage *g, int a) {
    const taut_system *system = g->series->system;
    const int i = g->row[a];
    return i < system->n ? system->equation[i].name : system->condition[i - system->n].name;
}

/* Is this a position that nobody gave a value, that is still 0, and that row a is not named after?
 */
static bool is_missing(const taut_stage *g, int a, int j) {
    return g->series->structure->offsets.d[j] > 0 && g->finder->listed[j][0] == TAUT_UNLISTED &&
           taut_series_get(g->series, j, 0) == 0.0 &&
           strcmp(g->series->system->unknown[j].name, row_name(g, a)) != 0;
}

/* Names of such positions in a row: a direction of length 0, more often than not. */
static taut_status name_missing(const taut_stage *g, int a, char *text, size_t size, int *count) {
    const taut_system *system = g->series->system;
    const int i = g->row[a];
    const taut_pattern_entry *entry;
    taut_pattern *pattern;
    size_t entries = 0, used = 0;
    *count = 0;
    TAUT_TRY(taut_pattern_create(system->graph, &pattern));
    const taut_status status = taut_pattern_row(
        pattern, i < system->n ? system->equation[i].node : system->condition[i - system->n].node,
        &entry, &entries);
    for (size_t e = 0; e < entries && status == TAUT_OK; e++) {
        const int j = entry[e].variable;
        if (j < 0 || j >= system->n || !is_missing(g, a, j) || ++*count > MOST_NAMES) continue;
        used += (size_t)snprintf(text + used, size - used, "%s%.60s", used ? ", " : "",
                                 system->unknown[j].name);
    }
    taut_pattern_free(&pattern);
    return status;
}

/* A row whose formula has no value, or no derivative, for want of an initial value; *said. */
static taut_status report_directionless(taut_stage *g, int a, bool *said) {
    char missing[64 * MOST_NAMES] = "";
    int count;
    TAUT_TRY(name_missing(g, a, missing, sizeof missing, &count));
    *said = count > 0;
    if (count == 0) return TAUT_OK;
    return taut_fail_at(g->errors, TAUT_ERR_INPUT, row_place(g, a),
                        "%s cannot be told at the initial point: one of its directions has no "
                        "length there, since %s%s %s no value; list %s under 'positions'",
                        row_name(g, a), missing, count > MOST_NAMES ? ", ..." : "",
                        count > 1 ? "have" : "has", count > 1 ? "them" : "it");
}

static taut_status report_nan(taut_stage *g) {
    const taut_system *system = g->series->system;
    char text[160] = "";
    const int slot = taut_jet_bad_slot(g->series->jet, g->s);
    const bool angle =
        slot >= 0 &&
        taut_node_get(system->graph, g->series->tape->instr[slot].node)->op == TAUT_OP_ATAN2;
    if (slot >= 0)
        taut_infix_print(system->graph, g->series->tape->instr[slot].node, &system->names, text,
                         sizeof text);
    for (int a = 0; a < g->rows; a++)
        if (!isfinite(g->residual[a])) {
            bool said;
            if (angle) TAUT_TRY(report_directionless(g, a, &said));
            return taut_fail_at(g->errors, TAUT_ERR_INPUT, row_place(g, a),
                                "%s has no value at the initial point: %s is not a finite number "
                                "there; give other initial values, or a guess under 'values'",
                                row_name(g, a), text);
        }
    return taut_fail_at(g->errors, TAUT_ERR_INPUT, system->place,
                        "%s has no finite value at the initial point", text);
}

/* Names the fixed values that the unmet rows depend on, with lines: at a point of least squares the
 * residuals r satisfy G^T r = 0, and a value with r^T df/dx = 0 has no part in the contradiction.
 */
static int name_fixed(const taut_stage *g, char *text, size_t size) {
    const taut_series *s = g->series;
    const int n = s->system->n, *d = s->structure->offsets.d;
    int count = 0;
    size_t used = 0;
    text[0] = '\0';
    for (int j = 0; j < n; j++) {
        const int k = g->s + d[j];
        const taut_given *given = k >= 0 && g->place[j] < 0 ? g->finder->given[j][k] : NULL;
        double pull = 0.0, sum = 0.0;
        if (!given || given->place.line == 0) continue;
        for (int e = s->start[j]; e < s->start[j + 1]; e++) {
            const int a = g->row_place[s->row[e]];
            if (a < 0 || fabs(g->residual[a]) <= TAUT_RESIDUAL_LIMIT * g->scale[a]) continue;
            const double term = g->residual[a] / g->scale[a] * s->J[e] / g->scale[a];
            pull += term;
            sum += fabs(term);
        }
        for (int a = 0; a < g->rows; a++) {
            if (g->row[a] < n) continue;
            const taut_condition_row *c = &g->finder->condition[g->row[a] - n];
            for (int e = c->first; e < c->last; e++) {
                if (g->finder->gradient[e].variable != j) continue;
                const double term = g->residual[a] / g->scale[a] / g->scale[a] *
                                    taut_series_output(s, g->finder->gradient[e].output, 0);
                pull += term;
                sum += fabs(term);
            }
        }
        if (!(fabs(pull) > 1e-6 * sum) || ++count > MOST_NAMES || used >= size) continue;
        char name[100];
        taut_derivative_name(s->system, j, k, name, sizeof name);
        used += (size_t)snprintf(text + used, size - used, "%s%s (line %d)", used ? ", " : "", name,
                                 given->place.line);
    }
    return count;
}

static taut_status report_unmet(taut_stage *g) {
    static const char *const level[] = {"", "the first derivative of ",
                                        "the second derivative of "};
    const int n = g->series->system->n;
    int reported = 0, bad;
    char fixed[500];
    if (!taut_stage_evaluate(g) || !taut_stage_linearize(g, &bad)) return TAUT_ERR_INPUT;
    const int against = name_fixed(g, fixed, sizeof fixed);
    for (int a = 0; a < g->rows; a++) {
        const int i = g->row[a], k = i < n ? g->s + g->series->structure->offsets.c[i] : 0;
        const int side = i < n ? -1 : g->finder->condition[i - n].side;
        if (side >= 0 && taut_series_output(g->series, side, 0) < 0.0 && ++reported)
            taut_fail_at(
                g->errors, TAUT_ERR_INPUT, row_place(g, a),
                "the parts can only be brought together with %s turned by pi from its fixed "
                "value; change the initial values, or fix fewer of them",
                row_name(g, a));
        if (fabs(g->residual[a]) <= TAUT_RESIDUAL_LIMIT * g->scale[a]) continue;
        if (++reported > 4) continue;
        char hint[600];
        if (against)
            snprintf(hint, sizeof hint, "; fixed there: %s%s: change %s, or fix fewer values",
                     fixed, against > MOST_NAMES ? ", ..." : "",
                     against > 1 ? "one of these" : "it");
        else
            snprintf(hint, sizeof hint, "; change the initial values%s",
                     g->columns < g->rows ? ", or fix fewer of them" : "");
        taut_fail_at(g->errors, TAUT_ERR_INPUT, row_place(g, a),
                     "the initial values cannot be made to satisfy %s%s%s: it stays off by %.6g%s",
                     k < 3 ? level[k] : "a derivative of ", i < n ? "" : "the fixed value of ",
                     row_name(g, a), g->residual[a], hint);
    }
    if (reported == 0)
        taut_fail_at(g->errors, TAUT_ERR_INPUT, g->series->system->place,
                     "no initial values near the given ones were found that satisfy the equations");
    return TAUT_ERR_INPUT;
}

/* Says which values are missing: loose[] of the unlisted variables open[] do not follow. */
static taut_status report_missing(taut_stage *g, const int *open, const bool *loose, int opens,
                                  int missing) {
    const taut_system *system = g->series->system;
    const int *d = g->series->structure->offsets.d;
    char names[400] = "", one[100];
    size_t used = 0;
    int count = 0, order = 0;
    for (int q = 0; q < opens; q++) {
        if (!loose[q]) continue;
        order = g->s + d[open[q]];
        taut_derivative_name(system, open[q], order, one, sizeof one);
        if (count++ < 8 && used < sizeof names)
            used +=
                (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", one);
    }
    const char *section = order == 0 ? "positions" : order == 1 ? "velocities" : "values";
    if (count == 1)
        return taut_fail_at(g->errors, TAUT_ERR_INPUT, system->place,
                            "no initial value for %s: add it under '%s'", names, section);
    return taut_fail_at(g->errors, TAUT_ERR_INPUT, system->place,
                        "initial values are missing: list %d of %s%s under '%s'", missing, names,
                        count > 8 ? ", ..." : "", section);
}

/* Unlisted unknowns must follow from the listed ones: the columns of J that belong to them must be
 * independent. structural: with arbitrary numbers instead of J's values, which tells what is
 * missing even where the guesses are too poor for J to mean anything. */
static taut_status check_determined(const taut_finder *f, taut_stage *g, bool structural) {
    const taut_series *s = g->series;
    const int m = g->rows, *d = s->structure->offsets.d;
    taut_arena arena = {0};
    int *open = TAUT_NEW_ARRAY(&arena, g->columns, int), opens = 0, rank = 0;
    int *open_place = TAUT_NEW_ARRAY(&arena, g->columns, int);
    if (!open || !open_place) {
        taut_arena_release(&arena);
        return TAUT_ERR_MEMORY;
    }
    for (int q = 0; q < g->columns; q++) {
        const int j = g->column[q], k = g->s + d[j];
        const bool unlisted = k < taut_needed(s->structure, j) && f->listed[j][k] == TAUT_UNLISTED;
        open_place[q] = unlisted ? opens : -1;
        if (unlisted) open[opens++] = j;
    }
    taut_status status = TAUT_OK;
    if (opens > 0 && opens <= LARGEST_CHECK) {
        bool *loose = TAUT_NEW_ARRAY(&arena, opens, bool);
        double *a = taut_arena_array(&arena, (size_t)m * (size_t)opens, sizeof *a);
        status = loose && a ? TAUT_OK : TAUT_ERR_MEMORY;
        unsigned seed = 1;
        for (int k = 0; k < g->entries && status == TAUT_OK; k++) {
            const int q = open_place[g->entry_column[k]];
            seed = seed * 1664525u + 1013904223u;
            const double any = 0.5 + (double)(seed >> 8) / (double)(1u << 24);
            if (q >= 0)
                a[(size_t)q * (size_t)m + (size_t)g->entry_row[k]] =
                    structural ? any : g->entry[k] / g->scale[g->entry_row[k]];
        }
        if (status == TAUT_OK)
            status = taut_dependent_columns(m, opens, a, RANK_LIMIT, loose, &rank);
        if (status == TAUT_OK && rank < opens)
            status = report_missing(g, open, loose, opens, opens - rank);
    }
    taut_arena_release(&arena);
    return status;
}

/* ---- solving a stage ---- */

static taut_status report_kink(taut_stage *g, int a) {
    bool said;
    const taut_status status = report_directionless(g, a, &said);
    if (said) return status;
    return taut_fail_at(
        g->errors, TAUT_ERR_INPUT, row_place(g, a),
        "%s has no derivative at the initial point (a root or a quotient is singular "
        "there); give other initial values",
        row_name(g, a));
}

static taut_status report(taut_stage *g, taut_outcome outcome, int bad) {
    switch (outcome) {
    case TAUT_MET: break;
    case TAUT_NO_VALUE: return report_nan(g);
    case TAUT_KINK: return report_kink(g, bad);
    case TAUT_UNMET: return report_unmet(g);
    }
    return TAUT_OK;
}

/* The last resort, and the first step of the report: a point of least squares. */
static taut_status settle_for_least(taut_stage *g, taut_outcome *outcome) {
    TAUT_TRY(taut_stage_compromise(g));
    if (taut_stage_misfit(g) < TAUT_RESIDUAL_LIMIT && taut_stage_right_side(g)) *outcome = TAUT_MET;
    return TAUT_OK;
}

/* Up to three guesses in which an assembly differs most from the one taken. */
static void tell_apart(const taut_stage *all, const double *size, const taut_found *taken,
                       const taut_found *found, taut_assembly *assembly) {
    const taut_system *system = all->series->system;
    double least = 0.0;
    for (assembly->telling = 0; assembly->telling < TAUT_TELLING; assembly->telling++) {
        taut_telling best = {0};
        double largest = 0.05;
        for (int q = 0; q < all->columns; q++) {
            const double apart = fabs(found->z[q] - taken->z[q]) / size[q];
            if (all->weight[q] > 1.0 || apart <= largest || (least > 0.0 && apart >= least))
                continue;
            largest = apart;
            best = (taut_telling){system->unknown[all->column[q]].name, taut_stage_order(all, q),
                                  false, found->z[q]};
        }
        for (int row = 0, k = 0; row < all->rows; row++) {
            if (all->row[row] < system->n) continue;
            const taut_condition *c = &system->condition[all->row[row] - system->n];
            if (c->fixed) continue;
            const double apart = fabs(found->turn[k] - taken->turn[k]);
            if (apart > largest && (least == 0.0 || apart < least)) {
                largest = apart;
                best = (taut_telling){c->name, 0, true, found->turn[k]};
            }
            k++;
        }
        if (!best.name) break;
        assembly->item[assembly->telling] = best;
        least = largest;
    }
}

/* Lists what the search has found: all of it if it was asked for, otherwise only if another
 * assembly is nearly as near as the one that is taken. */
static taut_status list_found(const taut_stage *all, const double *size, bool asked,
                              const taut_found_list *found, taut_arena *arena,
                              taut_assemblies *list) {
    if (!list || found->count == 0) return TAUT_OK;
    list->item = TAUT_NEW_ARRAY(arena, found->count, taut_assembly);
    if (!list->item) return TAUT_ERR_MEMORY;
    list->count = 0;
    for (int i = 0; i < found->count; i++) {
        const taut_found *x = &found->item[i];
        if (!asked && x->distance > AMBIGUOUS * found->item[0].distance) break;
        taut_assembly *a = &list->item[list->count++];
        a->distance = x->distance;
        tell_apart(all, size, &found->item[i == 0 && found->count > 1 ? 1 : 0], x, a);
    }
    if (!asked && list->count < 2) list->count = 0;
    return TAUT_OK;
}

/* Are several assemblies wanted? They are looked for among the positions. */
static bool several(const taut_order *order, const taut_stage *g) {
    return order->search.starts > 0 && g->s == -g->series->structure->largest_d;
}

/* After Gauss-Newton: is its result near the guesses? If not, or if there is none, or if several
 * assemblies are wanted: searches. start: the unknowns before Gauss-Newton. */
static taut_status look_around(const taut_order *order, taut_stage *g, taut_stage *all,
                               const double *guess, const double *start, taut_outcome *outcome) {
    taut_assembler *assembler;
    taut_found_list found = {0};
    taut_search search = order->search;
    double distance, largest = HUGE_VAL, *z = TAUT_NEW_ARRAY(&g->arena, g->columns, double);
    if (!z) return TAUT_ERR_MEMORY;
    if (!several(order, g)) search.starts = 0;
    taut_stage_get(g, z);
    taut_stage_set(g, start);
    TAUT_TRY(taut_assembler_create(g, all, guess, start, &g->arena, &assembler));
    taut_stage_set(g, z);
    taut_stage_evaluate(g);
    taut_status status = TAUT_OK;
    if (*outcome == TAUT_MET) taut_assembler_distance(assembler, &distance, &largest);
    if (*outcome != TAUT_MET || largest > FAR || search.starts > 0 || !taut_stage_right_side(g)) {
        status = taut_assembler_search(assembler, &search, outcome, &found);
        if (status == TAUT_OK && g->s == -g->series->structure->largest_d)
            status = list_found(all, taut_assembler_size(assembler), search.starts > 0, &found,
                                order->arena, order->assemblies);
    }
    taut_assembler_free(&assembler);
    return status;
}

/* A given value, or the number that has taken its place. */
static double given_value(const taut_order *order, const taut_given *given) {
    return order->number && given->number >= 0 ? order->number[given->number] : given->value;
}

static taut_status satisfy(const taut_finder *f, const taut_order *order, taut_stage *g,
                           taut_stage *all) {
    const int *d = f->series->structure->offsets.d;
    double *guess = TAUT_NEW_ARRAY(&g->arena, g->columns, double);
    double *start = TAUT_NEW_ARRAY(&g->arena, g->columns, double);
    taut_outcome outcome = TAUT_UNMET;
    int bad = 0;
    if (!guess || !start) return TAUT_ERR_MEMORY;
    taut_stage_get(g, start);
    for (int q = 0; q < g->columns; q++) {
        const int k = g->s + d[g->column[q]];
        const bool needed = k < taut_needed(f->series->structure, g->column[q]);
        const taut_given *given = needed ? f->given[g->column[q]][k] : NULL;
        guess[q] = given ? given_value(order, given) : g->weight[q] > 1.0 ? start[q] : 0.0;
    }
    if (order->search.methods & TAUT_BY_GAUSS_NEWTON)
        TAUT_TRY(taut_stage_solve(g, &outcome, &bad));
    else if (!taut_stage_evaluate(g))
        outcome = TAUT_NO_VALUE;
    if (outcome == TAUT_NO_VALUE || outcome == TAUT_KINK || g->columns == 0)
        return report(g, outcome, bad);
    if (outcome == TAUT_MET && g->straight && !several(order, g)) return TAUT_OK;
    TAUT_TRY(look_around(order, g, all, guess, start, &outcome));
    if (outcome == TAUT_UNMET) {
        taut_outcome end = outcome;
        TAUT_TRY(settle_for_least(g, &end));
        if (order->search.methods & TAUT_BY_GAUSS_NEWTON) outcome = end;
    }
    return report(g, outcome, bad);
}

/* Listed angles are kept, and listed points move, if there is an assembly with all of these angles:
 * who gives an angle means it, while points are often rough. h: the stage with them as
 * conditions; if they are kept, the series is at a solution of it. */
static taut_status keep_angles(const taut_order *order, taut_stage *all, taut_stage *h,
                               bool *kept) {
    taut_outcome outcome;
    int bad;
    double *start = TAUT_NEW_ARRAY(&h->arena, h->columns, double);
    if (!start) return TAUT_ERR_MEMORY;
    if (several(order, h)) return TAUT_OK;
    taut_stage_get(h, start);
    TAUT_TRY(all->rows > h->rows ? taut_stage_follow(all) : taut_stage_fill(h, kept));
    if (*kept) return TAUT_OK;
    if (taut_stage_evaluate(h) && !taut_stage_right_side(h)) TAUT_TRY(taut_stage_turn(h));
    TAUT_TRY(taut_stage_solve(h, &outcome, &bad));
    *kept = outcome == TAUT_MET && taut_stage_right_side(h);
    if (*kept) return TAUT_OK;
    taut_stage_set(h, start);
    taut_stage_evaluate(h);
    return TAUT_OK;
}

/* From the guesses to values that satisfy g, with the listed angles if that is possible. */
static taut_status approach(const taut_finder *f, const taut_order *order, taut_stage *g,
                            taut_stage *all) {
    taut_stage h = {0};
    bool kept = false, enough;
    taut_status status = taut_stage_create(f, g->s, TAUT_GUESSED_ANGLES, &h);
    if (status == TAUT_OK && h.rows > g->rows) status = keep_angles(order, all, &h, &kept);
    if (status == TAUT_OK && !kept) {
        status = all->rows > g->rows ? taut_stage_follow(all) : taut_stage_fill(g, &enough);
        if (status == TAUT_OK && taut_stage_evaluate(g) && !taut_stage_right_side(g))
            status = taut_stage_turn(g);
        if (status == TAUT_OK) status = taut_closing_follow(g);
    }
    if (status == TAUT_OK) status = satisfy(f, order, kept ? &h : g, all);
    taut_arena_release(&h.arena);
    return status;
}

static taut_status run_stage(const taut_finder *f, const taut_order *order, int s) {
    taut_stage all, g = {0};
    int bad;
    taut_status status = taut_stage_create(f, s, TAUT_ALL_GUESSES, &all);
    if (status == TAUT_OK) {
        taut_stage_evaluate(&all);
        taut_stage_linearize(&all, &bad);
        status = check_determined(f, &all, true);
    }
    if (status == TAUT_OK) status = taut_stage_create(f, s, TAUT_NO_GUESSES, &g);
    if (status == TAUT_OK) status = approach(f, order, &g, &all);
    if (status == TAUT_OK && taut_stage_evaluate(&all) && taut_stage_linearize(&all, &bad))
        status = check_determined(f, &all, false);
    taut_arena_release(&all.arena);
    taut_arena_release(&g.arena);
    return status;
}

/* A quasi-linear system is not evaluated at stage 0 to find the point; it must have a value there.
 */
static taut_status check_values(const taut_finder *f) {
    taut_stage g;
    taut_status status = taut_stage_create(f, 0, TAUT_NO_GUESSES, &g);
    if (status == TAUT_OK && !taut_stage_evaluate(&g)) status = report_nan(&g);
    taut_arena_release(&g.arena);
    return status;
}

/* ---- all stages ---- */

/* Unlisted positions begin where what is known places them. */
static void take_hints(taut_finder *f) {
    const taut_system *system = f->series->system;
    if (system->hints == 0) return;
    taut_series_look(f->series, 0);
    for (int i = 0; i < system->hints; i++) {
        const int j = system->hint[i].variable;
        const double value =
            taut_series_output(f->series, f->first_hint + i, 0) + taut_series_get(f->series, j, 0);
        if (taut_needed(f->series->structure, j) > 0 && f->listed[j][0] == TAUT_UNLISTED &&
            isfinite(value))
            taut_series_set(f->series, j, 0, value);
    }
}

static taut_status set_guesses(taut_finder *f, const taut_order *order) {
    taut_arena *arena = order->arena;
    const taut_system *system = f->series->system;
    const taut_structure *structure = f->series->structure;
    f->listed = TAUT_NEW_ARRAY(arena, system->n, taut_listing *);
    f->given = TAUT_NEW_ARRAY(arena, system->n, const taut_given **);
    if (!f->listed || !f->given) return TAUT_ERR_MEMORY;
    for (int j = 0; j < system->n; j++) {
        const int needed = taut_needed(structure, j);
        f->listed[j] = TAUT_NEW_ARRAY(arena, needed, taut_listing);
        f->given[j] = TAUT_NEW_ARRAY(arena, needed, const taut_given *);
        if (!f->listed[j] || !f->given[j]) return TAUT_ERR_MEMORY;
        for (int k = 0; k <= structure->offsets.d[j]; k++) taut_series_set(f->series, j, k, 0.0);
        if (needed > 1 && system->unknown[j].rest_default) f->listed[j][1] = TAUT_LISTED;
        if (needed > 0 && system->unknown[j].zero_default) f->listed[j][0] = TAUT_LISTED;
    }
    for (int i = 0; i < system->givens; i++) {
        const taut_given *given = &system->given[i];
        const int j = given->variable, k = given->order;
        if (k <= structure->offsets.d[j])
            taut_series_set(f->series, j, k, given_value(order, given));
        if (k >= taut_needed(structure, j)) continue; /* a guess that nobody needs */
        f->listed[j][k] = given->fixed ? TAUT_FIXED : TAUT_LISTED;
        f->given[j][k] = given;
    }
    take_hints(f);
    return TAUT_OK;
}

/* The largest value of each group and order, as values have become: [groups][orders]. */
static double *group_sizes(const taut_finder *f, int orders, taut_arena *arena) {
    const taut_system *system = f->series->system;
    double *size = TAUT_NEW_ARRAY(arena, (size_t)(system->groups + 1) * (size_t)orders, double);
    for (int j = 0; j < system->n && size; j++)
        for (int k = 0; k < taut_needed(f->series->structure, j) && k < orders; k++) {
            double *cell = &size[system->unknown[j].group * orders + k];
            *cell = fmax(*cell, fabs(taut_series_get(f->series, j, k)));
        }
    return size;
}

/* Listed values of what is no unknown: angles, distances, points that others place. */
static void find_moved_conditions(const taut_finder *f, const taut_order *order, const double *size,
                                  int orders, taut_moves *moves) {
    const taut_system *system = f->series->system;
    taut_series_look(f->series, f->series->structure->quasilinear ? -1 : 0);
    for (int i = 0; i < system->conditions; i++) {
        const taut_condition *c = &system->condition[i];
        const taut_condition_row *row = &f->condition[i];
        double off = taut_series_output(f->series, row->residual, 0), largest = 0.0;
        if (!c->listed || c->fixed || row->stage > 0) continue;
        if (row->side >= 0) off = atan2(off, taut_series_output(f->series, row->side, 0));
        for (int k = 0; k < system->groups && c->order < orders; k++)
            largest = fmax(largest, size[k * orders + c->order]);
        const double from = order->number && c->number >= 0 ? order->number[c->number] : c->value;
        const double to = from + off;
        if (fabs(off) > order->tol * fmax(fabs(from), fabs(to)) && fabs(off) > ROUNDING * largest)
            moves->item[moves->count++] = (taut_move){.variable = -1,
                                                      .name = c->name,
                                                      .part = c->part,
                                                      .order = c->order,
                                                      .from = from,
                                                      .to = to};
    }
}

static taut_status find_moves(const taut_finder *f, const taut_order *order, taut_moves *moves) {
    const double tol = order->tol;
    taut_arena *arena = order->arena;
    const taut_system *system = f->series->system;
    const int orders = f->series->structure->largest_d + 1;
    const double *size = group_sizes(f, orders, arena);
    moves->item = TAUT_NEW_ARRAY(arena, system->givens + system->conditions, taut_move);
    moves->count = 0;
    if (!moves->item || !size) return TAUT_ERR_MEMORY;
    for (int j = 0; j < system->n; j++)
        for (int k = 0; k < taut_needed(f->series->structure, j); k++) {
            if (!f->given[j][k]) continue;
            const double from = given_value(order, f->given[j][k]),
                         to = taut_series_get(f->series, j, k);
            const double change = fabs(to - from);
            if (change > tol * fmax(fabs(from), fabs(to)) &&
                change > ROUNDING * size[system->unknown[j].group * orders + k])
                moves->item[moves->count++] =
                    (taut_move){.variable = j, .order = k, .from = from, .to = to};
        }
    find_moved_conditions(f, order, size, orders, moves);
    return TAUT_OK;
}

/* ---- conditions ---- */

struct taut_consistent_plan {
    taut_arena arena;
    taut_condition_row *condition; /* [conditions of the system] */
    taut_gradient *gradient;       /* heap */
    size_t gradients, gradient_room;
    taut_node *output; /* heap; [outputs] what the series evaluates for the conditions */
    size_t output_room;
    int outputs;
    int first_hint; /* outputs: those of the system's hints */
    taut_series_plan *series;
};

static taut_status add_output(taut_consistent_plan *p, taut_node node, int *number) {
    if (taut_grow((void **)&p->output, &p->output_room, (size_t)p->outputs + 1, sizeof *p->output))
        return TAUT_ERR_MEMORY;
    p->output[p->outputs] = node;
    *number = p->outputs++;
    return TAUT_OK;
}

/* The derivatives of a node by the newest orders of the variables, behind those so far. */
static taut_status differentiate(taut_consistent_plan *p, const taut_system *system, taut_node node,
                                 const int *offset, taut_sweep *sweep) {
    taut_sweep_begin(sweep, TAUT_SWEEP_LEADING, offset);
    taut_sweep_seed(sweep, node, 1.0, taut_number(system->graph, 1.0));
    TAUT_TRY(taut_sweep_run(sweep));
    const size_t reached = taut_sweep_reached(sweep);
    if (taut_grow((void **)&p->gradient, &p->gradient_room, p->gradients + reached,
                  sizeof *p->gradient))
        return TAUT_ERR_MEMORY;
    for (size_t k = 0; k < reached; k++) {
        taut_gradient *g = &p->gradient[p->gradients++];
        g->variable = taut_node_get(system->graph, taut_sweep_variable(sweep, k))->index;
        TAUT_TRY(add_output(p, taut_sweep_adjoint(sweep, k), &g->output));
    }
    return TAUT_OK;
}

/* The outputs of one condition: its value, its side, their derivatives. */
static taut_status prepare_condition(taut_consistent_plan *p, const taut_system *system, int i,
                                     const int *offset, taut_sweep *sweep) {
    const taut_condition *condition = &system->condition[i];
    taut_condition_row *c = &p->condition[i];
    c->stage = -offset[condition->node];
    c->side = -1;
    TAUT_TRY(add_output(p, condition->node, &c->residual));
    c->first = (int)p->gradients;
    TAUT_TRY(differentiate(p, system, condition->node, offset, sweep));
    c->last = c->side_first = c->side_last = (int)p->gradients;
    if (condition->side == TAUT_NO_NODE) return TAUT_OK;
    TAUT_TRY(add_output(p, condition->side, &c->side));
    TAUT_TRY(differentiate(p, system, condition->side, offset, sweep));
    c->side_last = (int)p->gradients;
    return TAUT_OK;
}

/* Finds the stage and the derivatives of every condition, and what the series has to evaluate for
 * them. */
static taut_status prepare_conditions(taut_consistent_plan *p, const taut_system *system,
                                      const taut_structure *structure) {
    taut_sweep *sweep;
    int *offset;
    p->condition = TAUT_NEW_ARRAY(&p->arena, system->conditions, taut_condition_row);
    if (!p->condition) return TAUT_ERR_MEMORY;
    if (system->conditions == 0 && system->hints == 0) return TAUT_OK;
    TAUT_TRY(taut_tape_offsets(system->graph, structure->offsets.d, &p->arena, &offset));
    TAUT_TRY(taut_sweep_create(system->graph, &sweep));
    taut_status status = TAUT_OK;
    for (int i = 0; i < system->conditions && status == TAUT_OK; i++)
        status = prepare_condition(p, system, i, offset, sweep);
    taut_sweep_free(&sweep);
    TAUT_TRY(status);
    p->first_hint = p->outputs;
    for (int i = 0, number; i < system->hints; i++)
        TAUT_TRY(add_output(p, system->hint[i].node, &number));
    return taut_series_plan_create(system, structure, 0, p->output, p->outputs, &p->series);
}

taut_status taut_consistent_plan_create(const taut_system *system, const taut_structure *structure,
                                        taut_consistent_plan **plan) {
    size_t room = 0;
    *plan = NULL;
    if (taut_grow((void **)plan, &room, 1, sizeof **plan)) return TAUT_ERR_MEMORY;
    **plan = (taut_consistent_plan){0};
    const taut_status status = prepare_conditions(*plan, system, structure);
    if (status != TAUT_OK) taut_consistent_plan_free(plan);
    return status;
}

void taut_consistent_plan_free(taut_consistent_plan **plan) {
    taut_consistent_plan *p = *plan;
    if (!p) return;
    taut_series_plan_free(&p->series);
    taut_release((void **)&p->gradient);
    taut_release((void **)&p->output);
    taut_arena_release(&p->arena);
    taut_release((void **)plan);
}

/* A series of our own if there are conditions to evaluate, otherwise the caller's. */
static taut_status choose_series(taut_finder *f, const taut_consistent_plan *plan,
                                 const taut_order *order, taut_series *series, taut_series **own) {
    f->series = series;
    f->condition = plan->condition;
    f->gradient = plan->gradient;
    f->gradients = plan->gradients;
    f->output = plan->output;
    f->outputs = plan->outputs;
    f->first_hint = plan->first_hint;
    f->number = order->number;
    f->frozen = order->frozen;
    if (!plan->series) return TAUT_OK;
    TAUT_TRY(taut_series_create_from(plan->series, own));
    f->series = *own;
    return order->number ? taut_series_set_numbers(*own, order->number) : TAUT_OK;
}

static taut_status run_stages(taut_finder *f, const taut_order *order, double t, int last) {
    taut_series_start(f->series, t, 1.0);
    TAUT_TRY(set_guesses(f, order));
    for (int s = -f->series->structure->largest_d; s <= last; s++) TAUT_TRY(run_stage(f, order, s));
    return TAUT_OK;
}

/* Stages up to `last`; moves may be NULL. */
static taut_status find(taut_series *series, double t, int last, const taut_order *order,
                        taut_moves *moves, taut_errors *errors) {
    taut_finder f = {.errors = errors};
    taut_series *own = NULL;
    taut_consistent_plan *made = NULL;
    taut_status status = TAUT_OK;
    if (!order->plan)
        status = taut_consistent_plan_create(series->system, series->structure, &made);
    if (status == TAUT_OK)
        status = choose_series(&f, order->plan ? order->plan : made, order, series, &own);
    if (status == TAUT_OK) status = run_stages(&f, order, t, last);
    if (status == TAUT_OK && moves && last < 0) status = check_values(&f);
    if (status == TAUT_OK && moves) status = find_moves(&f, order, moves);
    if ((status == TAUT_OK || status == TAUT_ERR_INPUT) && own) { /* also the end of a failure */
        taut_series_start(series, t, 1.0);
        taut_series_take(series, own);
    }
    taut_series_free(&own);
    taut_consistent_plan_free(&made);
    return status;
}

taut_status taut_consistent_find(taut_series *series, double t, const taut_order *order,
                                 taut_moves *moves, taut_errors *errors) {
    const int last = series->structure->quasilinear ? -1 : 0;
    if (order->assemblies) *order->assemblies = (taut_assemblies){0};
    return find(series, t, last, order, moves, errors);
}

taut_status taut_consistent_positions(taut_series *series, double t, taut_arena *arena,
                                      taut_errors *errors) {
    const taut_order order = {.search = {.methods = TAUT_BY_ALL}, .arena = arena};
    return find(series, t, -series->structure->largest_d, &order, NULL, errors);
}

taut_status taut_consistent_velocities(taut_series *series, double t, taut_arena *arena,
                                       taut_errors *errors) {
    const taut_order order = {.search = {.methods = TAUT_BY_ALL}, .arena = arena};
    return find(series, t, -series->structure->largest_d + 1, &order, NULL, errors);
}

taut_status taut_consistent_nearest(taut_series *series) {
    const int n = series->system->n;
    taut_finder f = {.series = series};
    taut_stage g = {0};
    int bad;
    taut_arena arena = {0};
    taut_listing all[TAUT_PRIMES_MAX + 2];
    for (int k = 0; k < TAUT_PRIMES_MAX + 2; k++) all[k] = TAUT_LISTED;
    f.listed = TAUT_NEW_ARRAY(&arena, n, taut_listing *);
    taut_condition_row *condition =
        TAUT_NEW_ARRAY(&arena, series->system->conditions, taut_condition_row);
    f.condition = condition;
    taut_status status = f.listed && condition ? TAUT_OK : TAUT_ERR_MEMORY;
    for (int j = 0; j < n && status == TAUT_OK; j++) f.listed[j] = all;
    for (int i = 0; i < series->system->conditions && status == TAUT_OK; i++)
        condition[i].stage = 1; /* at no stage */
    if (status == TAUT_OK)
        status = taut_stage_create(&f, -series->structure->largest_d, TAUT_NO_GUESSES, &g);
    taut_outcome outcome = TAUT_UNMET;
    if (status == TAUT_OK) status = taut_stage_solve(&g, &outcome, &bad);
    if (status == TAUT_OK && outcome != TAUT_MET) status = TAUT_ERR_INPUT;
    taut_arena_release(&g.arena);
    taut_arena_release(&arena);
    return status;
}
