/* Rows of the constraint Jacobian G by hinges; columns of M^-1 G^T by the articulated-body
 * recursion, over the subtrees that a constraint touches only. */
#include "tree/closure.h"

#include <stdlib.h>
#include <string.h>

/* ---- creation ---- */

/* Limbs from which no later one hangs on an earlier one: a new part begins. */
static taut_status find_parts(taut_closure *l, taut_arena *arena, int *part_of) {
    const taut_law *law = l->law;
    l->part = TAUT_NEW_ARRAY(arena, law->limbs, taut_part_of_tree);
    int *earliest = TAUT_NEW_ARRAY(arena, law->limbs + 1, int);
    if (!l->part || !earliest) return TAUT_ERR_MEMORY;
    earliest[law->limbs] = law->limbs; /* the first limb that this or a later one hangs on */
    for (int i = law->limbs - 1; i >= 0; i--) {
        const int parent = law->limb[i].parent < 0 ? i : law->limb[i].parent;
        earliest[i] = parent < earliest[i + 1] ? parent : earliest[i + 1];
    }
    for (int i = 0; i < law->limbs; i++) {
        if (earliest[i] == i) l->part[l->parts++] = (taut_part_of_tree){.first = i};
        taut_part_of_tree *p = &l->part[l->parts - 1];
        p->last = i;
        part_of[i] = l->parts - 1;
    }
    for (int i = 0; i < l->parts; i++) {
        taut_part_of_tree *p = &l->part[i];
        const bool final = p->last == law->limbs - 1;
        p->first_rate = taut_recursion_rate_of(l->tree, p->first);
        p->rates =
            (final ? l->rates : taut_recursion_rate_of(l->tree, p->last + 1)) - p->first_rate;
    }
    return TAUT_OK;
}

/* A list of numbers without repetitions: seen[number] is the turn in which it came last. */
static void note(int *list, int *end, int number, int *seen, int turn) {
    if (seen[number] == turn) return;
    seen[number] = turn;
    list[(*end)++] = number;
}

/* Hinges and parts of every condition. */
static taut_status find_touched(taut_closure *l, taut_arena *arena, const int *part_of) {
    const taut_law *law = l->law;
    int unknowns = 0, *hinge_of, hinges = 0, touched = 0;
    for (int i = 0; i < law->hinges; i++) {
        const int end = law->hinge[i].variable + taut_hinge_unknowns(law, i);
        if (end > unknowns) unknowns = end;
    }
    hinge_of = TAUT_NEW_ARRAY(arena, unknowns, int);
    l->hinge = TAUT_NEW_ARRAY(arena, law->entries, int);
    l->touched = TAUT_NEW_ARRAY(arena, law->entries, int);
    l->hinge_start = TAUT_NEW_ARRAY(arena, l->conditions + 1, int);
    l->touched_start = TAUT_NEW_ARRAY(arena, l->conditions + 1, int);
    int *seen = TAUT_NEW_ARRAY(arena, law->hinges, int);
    int *seen_part = TAUT_NEW_ARRAY(arena, l->parts, int);
    if (!hinge_of || !l->hinge || !l->touched || !l->hinge_start || !l->touched_start || !seen ||
        !seen_part)
        return TAUT_ERR_MEMORY;
    for (int i = 0; i < law->hinges; i++)
        for (int k = 0; k < taut_hinge_unknowns(law, i); k++)
            hinge_of[law->hinge[i].variable + k] = i;
    for (int i = 0; i < l->conditions; i++) {
        const taut_law_condition *c = &law->condition[l->which[i]];
        for (int k = c->first; k < c->first + c->count; k++) {
            const int hinge = hinge_of[law->entry[k].variable];
            note(l->hinge, &hinges, hinge, seen, i + 1);
            note(l->touched, &touched, part_of[law->hinge[hinge].limb], seen_part, i + 1);
        }
        l->hinge_start[i + 1] = hinges;
        l->touched_start[i + 1] = touched;
    }
    return TAUT_OK;
}

/* The conditions of every part, ascending: those of part k from begin[k] on. */
static taut_status list_by_parts(const taut_closure *l, taut_arena *arena, int **begin,
                                 int **list) {
    int *next = TAUT_NEW_ARRAY(arena, l->parts + 2, int);
    *list = TAUT_NEW_ARRAY(arena, l->touched_start[l->conditions], int);
    if (!next || !*list) return TAUT_ERR_MEMORY;
    for (int k = 0; k < l->touched_start[l->conditions]; k++) next[l->touched[k] + 2]++;
    for (int k = 0; k < l->parts; k++) next[k + 2] += next[k + 1];
    for (int i = 0; i < l->conditions; i++)
        for (int k = l->touched_start[i]; k < l->touched_start[i + 1]; k++)
            (*list)[next[l->touched[k] + 1]++] = i;
    *begin = next;
    return TAUT_OK;
}

static int by_number(const void *a, const void *b) {
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* The conditions up to i that touch a part of i, ascending, behind the *count that there are. */
static taut_status add_near(const taut_closure *l, int i, const int *begin, const int *list,
                            int *seen, int **near, size_t *room, int *count) {
    const int first = *count;
    bool sorted = true;
    for (int k = l->touched_start[i]; k < l->touched_start[i + 1]; k++)
        for (int m = begin[l->touched[k]]; m < begin[l->touched[k] + 1] && list[m] <= i; m++) {
            if (seen[list[m]] == i + 1) continue;
            if (taut_grow((void **)near, room, (size_t)*count + 1, sizeof **near))
                return TAUT_ERR_MEMORY;
            seen[list[m]] = i + 1;
            sorted = sorted && (*count == first || (*near)[*count - 1] < list[m]);
            (*near)[(*count)++] = list[m];
        }
    if (!sorted) qsort(*near + first, (size_t)(*count - first), sizeof **near, by_number);
    return TAUT_OK;
}

/* Which entries of the matrix are not 0; first[i] is the first one of row i. */
static taut_status find_near(taut_closure *l, taut_arena *arena, int *first) {
    const int n = l->conditions;
    size_t room = 0;
    int *near = NULL, count = 0, *begin, *list, *seen = TAUT_NEW_ARRAY(arena, n, int);
    l->near_start = TAUT_NEW_ARRAY(arena, n + 1, int);
    if (!l->near_start || !seen) return TAUT_ERR_MEMORY;
    TAUT_TRY(list_by_parts(l, arena, &begin, &list));
    taut_status status = TAUT_OK;
    for (int i = 0; i < n && status == TAUT_OK; i++) {
        if (l->touched_start[i] == l->touched_start[i + 1]) { /* it restricts nothing */
            if (taut_grow((void **)&near, &room, (size_t)count + 1, sizeof *near))
                status = TAUT_ERR_MEMORY;
            else
                near[count++] = i;
        }
        if (status == TAUT_OK) status = add_near(l, i, begin, list, seen, &near, &room, &count);
        if (near && status == TAUT_OK) first[i] = near[l->near_start[i]];
        l->near_start[i + 1] = count;
    }
    l->near = TAUT_NEW_ARRAY(arena, count, int);
    if (!l->near) status = TAUT_ERR_MEMORY;
    for (int k = 0; near && k < count && status == TAUT_OK; k++) l->near[k] = near[k];
    taut_release((void **)&near);
    return status;
}

/* Room for the rates of the parts of every condition, and of what lies between them. */
static taut_status find_rooms(taut_closure *l, taut_arena *arena) {
    l->low = TAUT_NEW_ARRAY(arena, l->conditions, int);
    l->start = TAUT_NEW_ARRAY(arena, l->conditions + 1, size_t);
    if (!l->low || !l->start) return TAUT_ERR_MEMORY;
    for (int i = 0; i < l->conditions; i++) {
        int low = l->rates, high = 0;
        for (int k = l->touched_start[i]; k < l->touched_start[i + 1]; k++) {
            const taut_part_of_tree *p = &l->part[l->touched[k]];
            if (p->first_rate < low) low = p->first_rate;
            if (p->first_rate + p->rates > high) high = p->first_rate + p->rates;
        }
        l->low[i] = low;
        l->start[i + 1] = l->start[i] + (size_t)(high > low ? high - low : 0);
    }
    l->row = TAUT_NEW_ARRAY(arena, l->start[l->conditions], double);
    l->column = TAUT_NEW_ARRAY(arena, l->start[l->conditions], double);
    return l->row && l->column ? TAUT_OK : TAUT_ERR_MEMORY;
}

taut_status taut_closure_create(const taut_hinges *hinges, taut_recursion *tree, const int *which,
                                int conditions, bool careful, taut_arena *arena, taut_closure *l) {
    const taut_law *law = hinges->law;
    *l = (taut_closure){.law = law,
                        .which = which,
                        .conditions = conditions,
                        .tree = tree,
                        .rates = taut_recursion_rates(tree)};
    int *part_of = TAUT_NEW_ARRAY(arena, law->limbs, int);
    int *first = TAUT_NEW_ARRAY(arena, conditions, int);
    l->wide_row = TAUT_NEW_ARRAY(arena, l->rates, double);
    l->wide_column = TAUT_NEW_ARRAY(arena, l->rates, double);
    l->lambda = TAUT_NEW_ARRAY(arena, l->conditions, double);
    if (!part_of || !first || !l->wide_row || !l->wide_column || !l->lambda) return TAUT_ERR_MEMORY;
    TAUT_TRY(find_parts(l, arena, part_of));
    TAUT_TRY(find_touched(l, arena, part_of));
    TAUT_TRY(find_rooms(l, arena));
    TAUT_TRY(find_near(l, arena, first));
    return taut_multiplier_create(conditions, first, careful, arena, &l->multiplier);
}

/* ---- use ---- */

/* Row i of G, by the rates of hinges, into the wide row. */
static void find_row(taut_closure *l, taut_hinges *h, int i, const double *entry) {
    const taut_law_condition *c = &l->law->condition[l->which[i]];
    for (int k = l->hinge_start[i]; k < l->hinge_start[i + 1]; k++)
        taut_hinges_clear(h, l->hinge[k]);
    for (int k = c->first; k < c->first + c->count; k++)
        taut_hinges_of(h, l->law->entry[k].variable)[2] = entry[k];
    for (int k = l->hinge_start[i]; k < l->hinge_start[i + 1]; k++)
        taut_hinges_pull(h, l->hinge[k], l->wide_row);
}

/* Column i by recursion, or by weights, into the wide column. */
static void find_column(taut_closure *l, int i, const double *square) {
    for (int k = l->touched_start[i]; k < l->touched_start[i + 1]; k++) {
        const taut_part_of_tree *p = &l->part[l->touched[k]];
        if (!square) taut_recursion_solve(l->tree, p->first, p->last, l->wide_row, l->wide_column);
        for (int m = p->first_rate; square && m < p->first_rate + p->rates; m++)
            l->wide_column[m] = square[m] * l->wide_row[m];
    }
}

/* Puts both aside, and clears the wide row. */
static void keep(taut_closure *l, const taut_hinges *h, int i) {
    for (int k = l->touched_start[i]; k < l->touched_start[i + 1]; k++) {
        const taut_part_of_tree *p = &l->part[l->touched[k]];
        const size_t to = l->start[i] + (size_t)(p->first_rate - l->low[i]);
        const size_t size = (size_t)p->rates * sizeof(double);
        memcpy(l->row + to, l->wide_row + p->first_rate, size);
        memcpy(l->column + to, l->wide_column + p->first_rate, size);
    }
    for (int k = l->hinge_start[i]; k < l->hinge_start[i + 1]; k++) {
        const int at = taut_hinge_rate(h, l->hinge[k]);
        for (int m = at; m < at + taut_hinge_rates(l->law, l->hinge[k]); m++) l->wide_row[m] = 0.0;
    }
}

/* What column i is for row j, which has few entries. */
static double product(const taut_closure *l, const taut_hinges *h, int j, int i) {
    const double *row = l->row + l->start[j], *column = l->column + l->start[i];
    const int low = l->low[i], high = low + (int)(l->start[i + 1] - l->start[i]);
    double sum = 0.0;
    for (int k = l->hinge_start[j]; k < l->hinge_start[j + 1]; k++) {
        const int at = taut_hinge_rate(h, l->hinge[k]);
        if (at < low || at >= high) continue; /* in a part that i does not touch */
        for (int m = at; m < at + taut_hinge_rates(l->law, l->hinge[k]); m++)
            sum += row[m - l->low[j]] * column[m - low];
    }
    return sum;
}

void taut_closure_build_weighted(taut_closure *l, taut_hinges *h, const double *entry,
                                 const double *square) {
    for (int i = 0; i < l->conditions; i++) {
        find_row(l, h, i, entry);
        find_column(l, i, square);
        keep(l, h, i);
        for (int k = l->near_start[i]; k < l->near_start[i + 1]; k++)
            *taut_multiplier_entry(&l->multiplier, i, l->near[k]) = product(l, h, l->near[k], i);
    }
    taut_multiplier_factor(&l->multiplier);
}

void taut_closure_build(taut_closure *l, taut_hinges *h, const double *entry) {
    taut_closure_build_weighted(l, h, entry, NULL);
}

taut_status taut_closure_close(taut_closure *l, double *rate) {
    TAUT_TRY(taut_multiplier_solve(&l->multiplier, l->lambda));
    for (int i = 0; i < l->conditions; i++) {
        const double *column = l->column + l->start[i];
        for (int k = l->touched_start[i]; k < l->touched_start[i + 1]; k++) {
            const taut_part_of_tree *p = &l->part[l->touched[k]];
            for (int m = p->first_rate; m < p->first_rate + p->rates; m++)
                rate[m] -= column[m - l->low[i]] * l->lambda[i];
        }
    }
    return TAUT_OK;
}

void taut_closure_push(const taut_closure *l, const taut_hinges *h, double *force) {
    for (int i = 0; i < l->conditions; i++) {
        const double *row = l->row + l->start[i];
        for (int k = l->hinge_start[i]; k < l->hinge_start[i + 1]; k++) {
            const int at = taut_hinge_rate(h, l->hinge[k]);
            for (int m = at; m < at + taut_hinge_rates(l->law, l->hinge[k]); m++)
                force[m] -= row[m - l->low[i]] * l->lambda[i];
        }
    }
}
