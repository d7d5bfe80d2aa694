/* Rows of the constraint Jacobian G by hinges; columns of M^-1 G^T by the articulated-body
 * recursion, over the subtrees that a constraint touches only. */
#include "tree/closure.h"

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

/* Adds a number to the list behind `start`, unless it is there. */
static void note(int *list, int start, int *end, int number) {
    for (int k = start; k < *end; k++)
        if (list[k] == number) return;
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
    if (!hinge_of || !l->hinge || !l->touched || !l->hinge_start || !l->touched_start)
        return TAUT_ERR_MEMORY;
    for (int i = 0; i < law->hinges; i++)
        for (int k = 0; k < taut_hinge_unknowns(law, i); k++)
            hinge_of[law->hinge[i].variable + k] = i;
    for (int i = 0; i < l->conditions; i++) {
        const taut_law_condition *c = &law->condition[l->which[i]];
        for (int k = c->first; k < c->first + c->count; k++) {
            const int hinge = hinge_of[law->entry[k].variable];
            note(l->hinge, l->hinge_start[i], &hinges, hinge);
            note(l->touched, l->touched_start[i], &touched, part_of[law->hinge[hinge].limb]);
        }
        l->hinge_start[i + 1] = hinges;
        l->touched_start[i + 1] = touched;
    }
    return TAUT_OK;
}

static bool meet(const taut_closure *l, int i, int j) {
    for (int a = l->touched_start[i]; a < l->touched_start[i + 1]; a++)
        for (int b = l->touched_start[j]; b < l->touched_start[j + 1]; b++)
            if (l->touched[a] == l->touched[b]) return true;
    return false;
}

/* Which entries of the matrix are not 0. */
static taut_status find_near(taut_closure *l, taut_arena *arena) {
    const int n = l->conditions;
    size_t room = 0;
    int *list = NULL, count = 0;
    l->near_start = TAUT_NEW_ARRAY(arena, n + 1, int);
    if (!l->near_start) return TAUT_ERR_MEMORY;
    for (int i = 0; i < n; i++) {
        l->multiplier.first[i] = i;
        for (int j = 0; j <= i; j++) {
            if (j < i && !meet(l, i, j)) continue;
            if (taut_grow((void **)&list, &room, (size_t)count + 1, sizeof *list)) {
                taut_release((void **)&list);
                return TAUT_ERR_MEMORY;
            }
            list[count++] = j;
            if (j < l->multiplier.first[i]) l->multiplier.first[i] = j;
        }
        l->near_start[i + 1] = count;
    }
    l->near = TAUT_NEW_ARRAY(arena, count, int);
    for (int k = 0; k < count && l->near; k++) l->near[k] = list[k];
    taut_release((void **)&list);
    return l->near ? TAUT_OK : TAUT_ERR_MEMORY;
}

taut_status taut_closure_create(const taut_hinges *hinges, taut_recursion *tree, const int *which,
                                int conditions, bool careful, taut_arena *arena, taut_closure *l) {
    const taut_law *law = hinges->law;
    *l = (taut_closure){.law = law,
                        .which = which,
                        .conditions = conditions,
                        .tree = tree,
                        .rates = taut_recursion_rates(tree)};
    const size_t size = (size_t)l->conditions * (size_t)l->rates;
    int *part_of = TAUT_NEW_ARRAY(arena, law->limbs, int);
    l->row = TAUT_NEW_ARRAY(arena, size, double);
    l->column = TAUT_NEW_ARRAY(arena, size, double);
    l->lambda = TAUT_NEW_ARRAY(arena, l->conditions, double);
    if (!part_of || !l->row || !l->column || !l->lambda) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_multiplier_create(l->conditions, careful, arena, &l->multiplier));
    TAUT_TRY(find_parts(l, arena, part_of));
    TAUT_TRY(find_touched(l, arena, part_of));
    return find_near(l, arena);
}

/* ---- use ---- */

/* Row i of G, by the rates of hinges. */
static void find_row(taut_closure *l, taut_hinges *h, int i, const double *entry) {
    const taut_law_condition *c = &l->law->condition[l->which[i]];
    double *row = l->row + (size_t)i * (size_t)l->rates;
    for (int k = l->hinge_start[i]; k < l->hinge_start[i + 1]; k++)
        taut_hinges_clear(h, l->hinge[k]);
    for (int k = c->first; k < c->first + c->count; k++)
        taut_hinges_of(h, l->law->entry[k].variable)[2] = entry[k];
    for (int k = l->hinge_start[i]; k < l->hinge_start[i + 1]; k++)
        taut_hinges_pull(h, l->hinge[k], row);
}

/* What column i is for row j, which has few entries. */
static double product(const taut_closure *l, const taut_hinges *h, int j, const double *column) {
    const double *row = l->row + (size_t)j * (size_t)l->rates;
    double sum = 0.0;
    for (int k = l->hinge_start[j]; k < l->hinge_start[j + 1]; k++) {
        const int at = taut_hinge_rate(h, l->hinge[k]);
        for (int m = at; m < at + taut_hinge_rates(l->law, l->hinge[k]); m++)
            sum += row[m] * column[m];
    }
    return sum;
}

/* Column i by recursion, ... */
static void find_column(taut_closure *l, size_t i) {
    const size_t width = (size_t)l->rates;
    double *column = l->column + i * width;
    for (int k = l->touched_start[i]; k < l->touched_start[i + 1]; k++) {
        const taut_part_of_tree *p = &l->part[l->touched[k]];
        taut_recursion_solve(l->tree, p->first, p->last, l->row + i * width, column);
    }
}

/* ... or by weights. */
static void weigh_column(taut_closure *l, size_t i, const double *square) {
    const double *row = l->row + i * (size_t)l->rates;
    double *column = l->column + i * (size_t)l->rates;
    for (int k = l->touched_start[i]; k < l->touched_start[i + 1]; k++) {
        const taut_part_of_tree *p = &l->part[l->touched[k]];
        for (int m = p->first_rate; m < p->first_rate + p->rates; m++)
            column[m] = square[m] * row[m];
    }
}

void taut_closure_build_weighted(taut_closure *l, taut_hinges *h, const double *entry,
                                 const double *square) {
    const size_t n = (size_t)l->conditions;
    for (size_t i = 0; i < n; i++) {
        find_row(l, h, (int)i, entry);
        if (square)
            weigh_column(l, i, square);
        else
            find_column(l, i);
        for (int k = l->near_start[i]; k < l->near_start[i + 1]; k++)
            l->multiplier.matrix[i * n + (size_t)l->near[k]] =
                product(l, h, l->near[k], l->column + i * (size_t)l->rates);
    }
    taut_multiplier_factor(&l->multiplier);
}

void taut_closure_build(taut_closure *l, taut_hinges *h, const double *entry) {
    taut_closure_build_weighted(l, h, entry, NULL);
}

taut_status taut_closure_close(taut_closure *l, double *rate) {
    TAUT_TRY(taut_multiplier_solve(&l->multiplier, l->lambda));
    for (int i = 0; i < l->conditions; i++) {
        const double *column = l->column + (size_t)i * (size_t)l->rates;
        for (int k = l->touched_start[i]; k < l->touched_start[i + 1]; k++) {
            const taut_part_of_tree *p = &l->part[l->touched[k]];
            for (int m = p->first_rate; m < p->first_rate + p->rates; m++)
                rate[m] -= column[m] * l->lambda[i];
        }
    }
    return TAUT_OK;
}

void taut_closure_push(const taut_closure *l, const taut_hinges *h, double *force) {
    for (int i = 0; i < l->conditions; i++) {
        const double *row = l->row + (size_t)i * (size_t)l->rates;
        for (int k = l->hinge_start[i]; k < l->hinge_start[i + 1]; k++) {
            const int at = taut_hinge_rate(h, l->hinge[k]);
            for (int m = at; m < at + taut_hinge_rates(l->law, l->hinge[k]); m++)
                force[m] -= row[m] * l->lambda[i];
        }
    }
}
