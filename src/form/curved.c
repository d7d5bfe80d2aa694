/* Do masses depend on velocities? Impacts want to know (docs/math/contact.md, section 3): L may be
 * any function of velocities, and H of momenta. */
#include "expr/pattern.h"
#include "form/contact.h"
#include "form/vary.h"

/* Does one of the formulas contain this derivative of one of the variables? */
static taut_status contain(const taut_problem *p, const taut_node *node, int first, int order,
                           bool *result) {
    taut_pattern *pattern;
    taut_status status = taut_pattern_create(p->graph, &pattern);
    for (int j = 0; status == TAUT_OK && j < p->coordinates && !*result; j++) {
        const taut_pattern_entry *entry;
        size_t count;
        status = taut_pattern_row(pattern, node[j], &entry, &count);
        for (size_t k = 0; status == TAUT_OK && k < count; k++)
            *result =
                *result || (entry[k].variable >= first &&
                            entry[k].variable < first + p->coordinates && entry[k].order >= order);
    }
    if (pattern) taut_pattern_free(&pattern);
    return status;
}

taut_status taut_contacts_note_masses(taut_problem *p, taut_sweep *sweep, const taut_node *momentum,
                                      int first, int order) {
    taut_graph *g = p->graph;
    taut_node *column = TAUT_NEW_ARRAY(&p->arena, p->coordinates, taut_node);
    if (!column) return TAUT_ERR_MEMORY;
    /* all rows of the matrix at once, with weights that nothing cancels */
    taut_sweep_begin(sweep, order == 0 ? TAUT_SWEEP_PLAIN : TAUT_SWEEP_VELOCITY, NULL);
    for (int j = 0; j < p->coordinates; j++) {
        column[j] = taut_number(g, 0.0);
        taut_sweep_seed(sweep, momentum[j], 1.0 + 1.0 / (3.0 + j), taut_number(g, 1.0));
    }
    TAUT_TRY(taut_vary_add(g, sweep, first, p->coordinates, 1.0, column));
    return contain(p, column, first, order, &p->curved);
}
