/* What may let go, in the unknowns of a problem: the equations of joints and drivers that break are
 * those of elements with modes, and their forces unknowns in every mode (docs/math/loads.md,
 * section 3). */
#include <string.h>

#include "form/mechanics.h"

static taut_status find_joint_equation(taut_mechanics *n, const taut_model_contact *c,
                                       taut_node *node) {
    taut_pair_equation equation[TAUT_PAIR_MOST];
    taut_pair_equations(n->graph, &n->pair[c->broken_joint], 0u, equation);
    *node = equation[c->part].node;
    return *node == TAUT_NO_NODE ? TAUT_ERR_MEMORY : TAUT_OK;
}

/* A driver: it keeps what others ask of it, and its multiplier is minus the element's force. */
static taut_status find_driver_equation(taut_mechanics *n, const taut_model_contact *c,
                                        taut_node force, taut_node *node) {
    const taut_driver *d = &n->mechanism->driver[c->broken_driver];
    taut_constraint *x = &n->loose[n->looses];
    TAUT_TRY(taut_mechanics_driver(n, d, x));
    x->lambda = taut_scale(n->graph, -1.0, force);
    *node = x->node;
    n->looses++;
    n->kin->meaning[d->leaf] = x->lambda;
    return TAUT_OK;
}

taut_status taut_mechanics_loose(taut_mechanics *n) {
    const taut_model *m = n->model;
    n->loose = TAUT_NEW_ARRAY(n->arena, n->mechanism->drivers, taut_constraint);
    if (!n->loose) return TAUT_ERR_MEMORY;
    for (int i = 0; i < m->contacts; i++) {
        const taut_model_contact *c = &m->contact[i];
        taut_formed_contact *x = &n->problem->contact[i];
        taut_node *along = &x->part[TAUT_CONTACT_ALONG];
        if (!c->breaks) continue;
        TAUT_TRY(c->broken_joint >= 0 ? find_joint_equation(n, c, along)
                                      : find_driver_equation(n, c, x->force[1], along));
    }
    return TAUT_OK;
}

int taut_mechanics_engaged(const taut_mechanics *n, const int *mode) {
    int count = 0;
    for (int i = 0; i < n->model->contacts; i++)
        if (n->model->contact[i].breaks && (!mode || mode[i] == TAUT_TOUCH_CLOSED) &&
            !taut_node_get(n->graph, n->problem->contact[i].part[TAUT_CONTACT_ALONG])->steady)
            count++;
    return count;
}

taut_status taut_problem_engaged(taut_problem *p, const int *mode, const bool *late,
                                 taut_arena *arena, taut_engaged *engaged) {
    const taut_model *m = p->model;
    *engaged = (taut_engaged){0};
    for (int i = 0; i < m->contacts; i++) {
        const taut_formed_contact *x = &p->contact[i];
        const taut_node along = x->part[TAUT_CONTACT_ALONG];
        if (!m->contact[i].breaks || mode[i] != TAUT_TOUCH_CLOSED) continue;
        if (taut_node_get(p->graph, along)->steady) continue; /* it holds by itself */
        if (!engaged->node) {
            engaged->node = TAUT_NEW_ARRAY(arena, p->first_constraint, taut_node);
            engaged->driver = TAUT_NEW_ARRAY(arena, p->first_constraint, bool);
            engaged->late = TAUT_NEW_ARRAY(arena, p->first_constraint, bool);
            if (!engaged->node || !engaged->driver || !engaged->late) return TAUT_ERR_MEMORY;
            for (int k = 0; k < p->first_constraint; k++) engaged->node[k] = TAUT_NO_NODE;
        }
        engaged->node[x->row[1]] = taut_sub(p->graph, along, x->hold[0]);
        engaged->driver[x->row[1]] = m->contact[i].broken_driver >= 0;
        engaged->late[x->row[1]] = late && late[i];
    }
    return taut_graph_failed(p->graph) ? TAUT_ERR_MEMORY : TAUT_OK;
}
