/* What tangent coordinates remember from step to step, for states that are saved. */
#include <math.h>

#include "solve/minimal_parts.h"

static int coefficients_of(const taut_minimal_flow *m) {
    const int n = m->flow.system->n;
    return n > 0 ? m->trail.coefficient[n - 1] + m->flow.structure->offsets.d[n - 1] +
                       TAUT_TRAIL_STAGES + 1
                 : 0;
}

static void put_footprint(taut_memory *memory, const taut_footprint *f, int coefficients) {
    taut_memory_put(memory, f->t);
    taut_memory_put(memory, f->stages);
    taut_memory_put_all(memory, f->c, coefficients);
}

static void get_footprint(taut_recall *recall, taut_footprint *f, int coefficients) {
    f->t = taut_recall_get(recall);
    f->stages = taut_recall_whole(recall, 0, TAUT_TRAIL_STAGES);
    taut_recall_all(recall, f->c, coefficients);
}

void taut_minimal_remember(const taut_flow *flow, taut_memory *memory) {
    const taut_minimal_flow *m = (const taut_minimal_flow *)flow;
    const taut_crossing *c = &m->crossing;
    for (int i = 0; i < m->levels; i++) {
        const taut_tangent *p = &m->tangent[i];
        if (!p->shared) taut_memory_put_all(memory, p->T, p->bound * p->size);
        taut_memory_put_all(memory, p->origin, p->size);
        taut_memory_put_all(memory, p->path, p->size);
    }
    taut_memory_put_all(memory, m->reached, m->weights.states);
    taut_memory_put_all(memory, m->weights.scale, flow->system->groups * m->weights.levels);
    taut_memory_put_all(memory, m->here, flow->states);
    put_footprint(memory, &m->trail.last, coefficients_of(m));
    put_footprint(memory, &m->trail.before, coefficients_of(m));
    const double rest[] = {m->chosen,   flow->worn, isfinite(c->singular),
                           c->singular, c->nearest, c->t,
                           c->step,     c->sigma,   c->usual};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        taut_memory_put(memory, isfinite(rest[i]) ? rest[i] : 0.0);
}

void taut_minimal_recall(taut_flow *flow, taut_recall *recall) {
    taut_minimal_flow *m = (taut_minimal_flow *)flow;
    taut_crossing *c = &m->crossing;
    for (int i = 0; i < m->levels; i++) {
        const taut_tangent *p = &m->tangent[i];
        if (!p->shared) taut_recall_all(recall, p->T, p->bound * p->size);
        taut_recall_all(recall, p->origin, p->size);
        taut_recall_all(recall, p->path, p->size);
    }
    taut_recall_all(recall, m->reached, m->weights.states);
    taut_recall_all(recall, m->weights.scale, flow->system->groups * m->weights.levels);
    taut_recall_all(recall, m->here, flow->states);
    get_footprint(recall, &m->trail.last, coefficients_of(m));
    get_footprint(recall, &m->trail.before, coefficients_of(m));
    m->chosen = taut_recall_get(recall);
    flow->worn = taut_recall_get(recall) != 0.0;
    const bool known = taut_recall_get(recall) != 0.0;
    c->singular = taut_recall_get(recall);
    c->nearest = taut_recall_get(recall);
    c->t = taut_recall_get(recall);
    c->step = taut_recall_get(recall);
    c->sigma = taut_recall_get(recall);
    c->usual = taut_recall_get(recall);
    if (!known) c->singular = (double)NAN;
    flow->singular = c->singular;
    m->held_t = (double)NAN;
    taut_series_forget(flow->series); /* pivots */
    taut_pole_restart(&c->pole);
}
