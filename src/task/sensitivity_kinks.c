/* Kinks on which no motion depends: those in conditions of events and in outputs. Where the
 * boundary of one is only touched, the motion behind it is the same. */
#include "form/contact.h"
#include "task/happen.h"
#include "task/sensitivity.h"

static void want(bool *wanted, taut_node node) {
    if (node > 0) wanted[node] = true;
}

/* Roots of all that decides how the motion goes on, but for conditions of events. */
static void want_motion(const taut_problem *p, bool *wanted) {
    const taut_model *m = p->model;
    for (int i = 0; i < p->system.n; i++) want(wanted, p->system.equation[i].node);
    for (int i = 0; i < m->actions; i++) {
        want(wanted, p->assign[i]);
        want(wanted, p->target[i]);
    }
    for (int i = m->events; i < taut_happen_functions(m); i++) want(wanted, p->when[i]);
    for (int i = 0; i < m->contacts; i++)
        for (int k = 0; k < TAUT_CONTACT_PARTS; k++) want(wanted, p->contact[i].part[k]);
}

static bool contains(const taut_graph *g, bool *wanted, int parameter) {
    for (taut_node v = taut_graph_size(g) - 1; v > 0; v--) {
        const taut_node_data *d = taut_node_get(g, v);
        if (!wanted[v]) continue;
        if (d->op == TAUT_OP_PARAM && d->index == parameter) return true;
        for (uint32_t i = 0; i < d->count; i++) wanted[taut_node_args(g, v)[i]] = true;
    }
    return false;
}

taut_status taut_sensitivity_is_idle(const taut_simulation *s, int function, bool *idle) {
    const taut_problem *p = s->prepared->problem;
    const taut_model *m = p->model;
    const int kink = function - m->events;
    taut_arena work = {0};
    *idle = false;
    if (kink < 0 || kink >= m->kinks || m->controllers > 0) return TAUT_OK;
    bool *wanted = TAUT_NEW_ARRAY(&work, taut_graph_size(p->graph), bool);
    if (!wanted) return TAUT_ERR_MEMORY;
    want_motion(p, wanted);
    *idle = !contains(p->graph, wanted, m->kink[kink].parameter);
    taut_arena_release(&work);
    return TAUT_OK;
}
