/* Names and numbers of a problem as texts. */
#include "task/describe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_LIST = 500, LONGEST_FORMULA = 160 };

static const char *constraint_text(const taut_problem *p, int i, taut_arena *arena) {
    const taut_equation *e = &p->system.equation[i];
    char formula[LONGEST_FORMULA], text[LONGEST_FORMULA + 200];
    taut_infix_print(p->system.graph, e->node, &p->system.names, formula, sizeof formula);
    snprintf(text, sizeof text, "%s: %s = 0 (line %d)", e->name, formula, e->place.line);
    return taut_arena_copy(arena, text, strlen(text));
}

static taut_status describe_equations(const taut_problem *p, taut_arena *arena,
                                      taut_description *d) {
    const int constraints = p->coordinates > 0 ? p->system.n - p->first_constraint : 0;
    d->coordinates = p->coordinates > 0 ? p->coordinates : p->system.n;
    if (d->coordinates > LONGEST_LIST) d->coordinates = LONGEST_LIST;
    d->constraints = constraints > LONGEST_LIST ? LONGEST_LIST : constraints;
    d->coordinate = TAUT_NEW_ARRAY(arena, d->coordinates, const char *);
    d->constraint = TAUT_NEW_ARRAY(arena, d->constraints, const char *);
    if (!d->coordinate || !d->constraint) return TAUT_ERR_MEMORY;
    for (int j = 0; j < d->coordinates; j++) {
        const char *name = p->system.unknown[j].name;
        d->coordinate[j] = taut_arena_copy(arena, name, strlen(name));
        if (!d->coordinate[j]) return TAUT_ERR_MEMORY;
    }
    for (int i = 0; i < d->constraints; i++) {
        d->constraint[i] = constraint_text(p, p->first_constraint + i, arena);
        if (!d->constraint[i]) return TAUT_ERR_MEMORY;
    }
    return TAUT_OK;
}

taut_status taut_describe(const taut_problem *p, taut_arena *arena, taut_description *d) {
    const taut_mechanism *m = p->model->mechanism;
    *d = (taut_description){.elements = m ? m->elements : 0};
    TAUT_TRY(describe_equations(p, arena, d));
    d->fixed = TAUT_NEW_ARRAY(arena, d->elements * 3, double);
    if (!d->fixed) return TAUT_ERR_MEMORY;
    for (int e = 0; m && e < d->elements; e++)
        for (int i = 0; i < m->dimension; i++) {
            const int shown = m->element[e].copy ? m->element[e].original : e;
            const taut_node_data *x = taut_node_get(p->system.graph, p->element[shown].c[i]);
            d->fixed[3 * e + i] = m->element[shown].fixed && x->steady ? x->value : (double)NAN;
        }
    return TAUT_OK;
}

/* ---- columns ---- */

static size_t primes_of(const char *name) { return strlen(name) - strcspn(name, "'"); }

/* Is this the component of an element, without primes? */
static bool is_component(const char *column, const char *element, char axis) {
    const size_t n = strlen(element);
    return strncmp(column, element, n) == 0 && column[n] == axis && column[n + 1] == '\0';
}

/* The column of a component. They come in the order of the elements: *from is where to look first.
 */
static int find_component(const char *const *name, int columns, const char *element, char axis,
                          int *from) {
    for (int i = 0; i < columns; i++) {
        const int k = (*from + i) % columns;
        if (!is_component(name[k], element, axis)) continue;
        *from = k + 1;
        while (*from < columns && primes_of(name[*from]) > 0) ++*from;
        return k;
    }
    return -1;
}

void taut_describe_columns(const taut_mechanism *m, const double *fixed, const char *const *name,
                           int columns, int (*of)[3]) {
    int from = 1;
    for (int e = 0; e < m->elements; e++) {
        const taut_element *x = &m->element[e];
        const char *element = m->element[x->copy ? x->original : e].name;
        for (int i = 0; i < 3; i++)
            of[e][i] = i < m->dimension && !isfinite(fixed[3 * e + i])
                           ? find_component(name, columns, element, "xyz"[i], &from)
                           : -1;
    }
}
