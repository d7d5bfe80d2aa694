/* Why there is no consistent initial point: what cannot be met, what has no value, and which
 * initial values are missing. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/dense.h"
#include "core/independent.h"
#include "expr/infix.h"
#include "expr/pattern.h"
#include "solve/blocks.h"
#include "solve/consistent_parts.h"

enum { LARGEST_CHECK = 1600, MOST_NAMES = 4 };
static const double RANK_LIMIT = 1e-10;
static const double DOUBT = 1e-6;     /* what elimination leaves of a column, or a column itself */
static const double NOTHING = 1e-280; /* the size of a row that is nothing but zeros is below */

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
    *said = false;
    TAUT_TRY(name_missing(g, a, missing, sizeof missing, &count));
    *said = count > 0;
    if (count == 0) return TAUT_OK;
    return taut_fail_at(g->errors, TAUT_ERR_INPUT, row_place(g, a),
                        "%s cannot be told at the initial point: one of its directions has no "
                        "length there, since %s%s %s no value; list %s under 'positions'",
                        row_name(g, a), missing, count > MOST_NAMES ? ", ..." : "",
                        count > 1 ? "have" : "has", count > 1 ? "them" : "it");
}

taut_status taut_consistent_no_value(taut_stage *g) {
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

static taut_status report_kink(taut_stage *g, int a) {
    bool said = false;
    const taut_status status = report_directionless(g, a, &said);
    if (said || status != TAUT_OK) return status;
    return taut_fail_at(
        g->errors, TAUT_ERR_INPUT, row_place(g, a),
        "%s has no derivative at the initial point (a root or a quotient is singular "
        "there); give other initial values",
        row_name(g, a));
}

taut_status taut_consistent_report(taut_stage *g, taut_outcome outcome, int bad) {
    switch (outcome) {
    case TAUT_MET: break;
    case TAUT_NO_VALUE: return taut_consistent_no_value(g);
    case TAUT_KINK: return report_kink(g, bad);
    case TAUT_UNMET: return report_unmet(g);
    }
    return TAUT_OK;
}

/* Directions of which no acceleration occurs anywhere: names (of that size), empty if there are
 * none. */
static void name_massless(const taut_stage *g, char *names, size_t size) {
    const taut_system *system = g->series->system;
    size_t used = 0;
    names[0] = '\0';
    for (int j = 0; j < system->n && used < size; j++)
        if (system->unknown[j].sizing == TAUT_SIZE_ONE && g->series->structure->offsets.d[j] == 0)
            used += (size_t)snprintf(names + used, size - used, "%s%s", used ? ", " : "",
                                     system->unknown[j].name);
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
    if (order >= 2 || taut_needed(g->series->structure, open[0]) > d[open[0]])
        name_massless(g, one, sizeof one);
    else
        one[0] = '\0';
    if (one[0])
        return taut_fail_at(g->errors, TAUT_ERR_INPUT, system->place,
                            "accelerations do not follow: %s can turn without any inertia; give "
                            "the body three moments of inertia (one number is that of a thin rod, "
                            "which has none about its own line)",
                            one);
    const char *section = order == 0 ? "positions" : order == 1 ? "velocities" : "values";
    if (count == 1)
        return taut_fail_at(g->errors, TAUT_ERR_INPUT, system->place,
                            "no initial value for %s: add it under '%s'", names, section);
    return taut_fail_at(g->errors, TAUT_ERR_INPUT, system->place,
                        "initial values are missing: list %d of %s%s under '%s'", missing, names,
                        count > 8 ? ", ..." : "", section);
}

/* What an equation is measured by; one of nothing but zeros (a force that is 0) by itself, unless
 * it says so of a direction without inertia, whose forces determine nothing. */
static double size_of_row(const taut_stage *g, int row, bool massless) {
    return massless || g->scale[row] > NOTHING ? g->scale[row] : 1.0;
}

/* Which columns could follow from the rows for almost all values of the entries, by the largest
 * matching; loose: those that could be left over. */
static taut_status match_columns(const taut_stage *g, const int *open_place, int opens,
                                 taut_arena *arena, bool *loose, int *rank) {
    const int n = g->rows > opens ? g->rows : opens; /* rows or columns without entries fill up */
    int *first = TAUT_NEW_ARRAY(arena, n + 2, int), *last = TAUT_NEW_ARRAY(arena, n, int);
    int *row = TAUT_NEW_ARRAY(arena, g->entries + 1, int);
    int *start = TAUT_NEW_ARRAY(arena, n + 2, int);
    int *column = TAUT_NEW_ARRAY(arena, g->entries + 1, int);
    const int *order = TAUT_NEW_ARRAY(arena, g->entries + 1, int); /* zeros */
    taut_offsets offsets;
    taut_dm dm;
    if (!first || !last || !row || !start || !column || !order) return TAUT_ERR_MEMORY;
    for (int k = 0; k < g->entries; k++) { /* by columns, ... */
        const int q = open_place[g->entry_column[k]];
        if (q >= 0) first[q + 2]++;
    }
    for (int q = 0; q < n; q++) first[q + 2] += first[q + 1];
    for (int k = 0; k < g->entries; k++) {
        const int q = open_place[g->entry_column[k]];
        if (q >= 0) row[first[q + 1]++] = g->entry_row[k];
    }
    for (int fill = 0; fill < 2; fill++) { /* ... by rows, each entry once */
        for (int a = 0; a < n; a++) last[a] = -1;
        for (int q = 0; q < n; q++)
            for (int k = first[q]; k < first[q + 1]; k++) {
                if (last[row[k]] == q) continue;
                last[row[k]] = q;
                if (fill)
                    column[start[row[k] + 1]++] = q;
                else
                    start[row[k] + 2]++;
            }
        for (int a = 0; a < n && !fill; a++) start[a + 2] += start[a + 1];
    }
    const taut_sigma sigma = {.n = n, .start = start, .column = column, .order = order};
    TAUT_TRY(taut_assign(&sigma, arena, &offsets));
    TAUT_TRY(taut_dm_split(&sigma, &offsets, arena, &dm));
    for (int i = 0; i < dm.nunder_columns; i++)
        if (dm.under_columns[i] < opens) loose[dm.under_columns[i]] = true;
    *rank = offsets.rank;
    return TAUT_OK;
}

/* Are they independent with their values here beyond doubt, by sparse elimination? */
static taut_status eliminate_columns(const taut_stage *g, const int *open_place, int opens,
                                     const double *value, taut_arena *arena, bool *independent) {
    int *start = TAUT_NEW_ARRAY(arena, opens + 2, int), *pivot = TAUT_NEW_ARRAY(arena, opens, int);
    int *row = TAUT_NEW_ARRAY(arena, g->entries + 1, int), rank = 0;
    double *entry = TAUT_NEW_ARRAY(arena, g->entries + 1, double);
    double *size = TAUT_NEW_ARRAY(arena, opens, double), largest = 0.0;
    if (!start || !pivot || !row || !entry || !size) return TAUT_ERR_MEMORY;
    for (int k = 0; k < g->entries; k++) {
        const int q = open_place[g->entry_column[k]];
        if (q < 0) continue;
        start[q + 2]++;
        size[q] = fmax(size[q], fabs(value[k]));
        largest = fmax(largest, size[q]);
    }
    *independent = false;
    for (int q = 0; q < opens; q++) {
        if (!(size[q] > DOUBT * largest)) return TAUT_OK;
        start[q + 2] += start[q + 1];
    }
    for (int k = 0; k < g->entries; k++) {
        const int q = open_place[g->entry_column[k]];
        if (q < 0) continue;
        row[start[q + 1]] = g->entry_row[k];
        entry[start[q + 1]++] = value[k];
    }
    const taut_sparse_columns columns = {
        .m = g->rows, .n = opens, .start = start, .row = row, .value = entry};
    TAUT_TRY(taut_independent_columns(&columns, DOUBT, pivot, &rank));
    *independent = rank == opens;
    return TAUT_OK;
}

/* The same for their values here, by orthogonal factors where elimination leaves doubt; *rank
 * stays where there are too many to tell. */
static taut_status rank_columns(const taut_stage *g, const int *open_place, int opens,
                                taut_arena *arena, bool *loose, int *rank) {
    const int m = g->rows;
    double *value = TAUT_NEW_ARRAY(arena, g->entries + 1, double);
    char massless[100];
    bool independent = false;
    if (!value) return TAUT_ERR_MEMORY;
    name_massless(g, massless, sizeof massless);
    for (int k = 0; k < g->entries; k++)
        value[k] = g->entry[k] / size_of_row(g, g->entry_row[k], massless[0] != '\0');
    TAUT_TRY(eliminate_columns(g, open_place, opens, value, arena, &independent));
    if (independent || opens > LARGEST_CHECK) return TAUT_OK;
    double *a = taut_arena_array(arena, (size_t)m * (size_t)opens, sizeof *a);
    if (!a) return TAUT_ERR_MEMORY;
    for (int k = 0; k < g->entries; k++) {
        const int q = open_place[g->entry_column[k]];
        if (q >= 0) a[(size_t)q * (size_t)m + (size_t)g->entry_row[k]] = value[k];
    }
    return taut_dependent_columns(m, opens, a, RANK_LIMIT, loose, rank);
}

/* Unlisted unknowns must follow from the listed ones: the columns of J that belong to them must be
 * independent. structural: by the pattern of J alone, which tells what is missing even where the
 * guesses are too poor for J to mean anything. */
taut_status taut_consistent_check_determined(const taut_finder *f, taut_stage *g, bool structural) {
    const taut_series *s = g->series;
    const int *d = s->structure->offsets.d;
    taut_arena arena = {0};
    int *open = TAUT_NEW_ARRAY(&arena, g->columns, int), opens = 0;
    int *open_place = TAUT_NEW_ARRAY(&arena, g->columns, int);
    bool *loose = TAUT_NEW_ARRAY(&arena, g->columns, bool);
    taut_status status = open && open_place && loose ? TAUT_OK : TAUT_ERR_MEMORY;
    for (int q = 0; q < g->columns && status == TAUT_OK; q++) {
        const int j = g->column[q], k = g->s + d[j];
        const bool unlisted = k < taut_needed(s->structure, j) && f->listed[j][k] == TAUT_UNLISTED;
        open_place[q] = unlisted ? opens : -1;
        if (unlisted) open[opens++] = j;
    }
    int rank = opens;
    if (opens > 0 && status == TAUT_OK)
        status = structural ? match_columns(g, open_place, opens, &arena, loose, &rank)
                            : rank_columns(g, open_place, opens, &arena, loose, &rank);
    if (status == TAUT_OK && rank < opens)
        status = report_missing(g, open, loose, opens, opens - rank);
    taut_arena_release(&arena);
    return status;
}
