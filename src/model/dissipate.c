/* Dissipation of a mechanism: Rayleigh's function R of positions and rates. Everything whose rate R
 * contains feels the force -dR/drate, as a load on a point, an angle or a distance does, so that
 * reactions, work and all formulations know it already. */
#include <string.h>

#include "expr/diff.h"
#include "model/parts.h"

static taut_status refuse(taut_reader *r, taut_place place, const char *name) {
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, place,
                        "'Dissipation' contains a rate of '%s', which is no point, angle or "
                        "distance: use the rate of an angle instead",
                        name);
}

/* The load on a point, or a new one of no force; NULL without memory. */
static taut_load *load_at(taut_reader *r, int first, int element, taut_place place) {
    taut_mechanism *m = r->model->mechanism;
    for (int i = first; i < m->loads; i++)
        if (m->load[i].target == element) return &m->load[i];
    if (TAUT_PART_GROW(m->load, m->loads, m->load_room)) return NULL;
    taut_load *load = &m->load[m->loads++];
    *load = (taut_load){.name = "Dissipation",
                        .target = element,
                        .against = -1,
                        .value.n = m->dimension,
                        .place = place,
                        .value_place = place};
    for (int k = 0; k < m->dimension; k++) load->value.c[k] = taut_number(r->model->graph, 0.0);
    return load;
}

/* A force on what a leaf stands for. */
static taut_status push(taut_reader *r, int first, int leaf, taut_node force, taut_place place) {
    taut_mechanism *m = r->model->mechanism;
    const taut_model_leaf *x = &r->model->leaf[leaf];
    if (x->kind == TAUT_LEAF_ELEMENT) {
        const taut_element *e = &m->element[x->index];
        if (e->is_vector) return refuse(r, place, e->name);
        if (e->fixed) return TAUT_OK; /* the ground feels it */
        taut_load *load = load_at(r, first, x->index, place);
        if (!load) return TAUT_ERR_MEMORY;
        load->value.c[x->part] = force;
        return TAUT_OK;
    }
    if (x->kind != TAUT_LEAF_ANGLE && x->kind != TAUT_LEAF_LINE && x->kind != TAUT_LEAF_DISTANCE)
        return refuse(r, place, x->name);
    if (TAUT_PART_GROW(m->load, m->loads, m->load_room)) return TAUT_ERR_MEMORY;
    m->load[m->loads++] = (taut_load){.name = "Dissipation",
                                      .target = -1,
                                      .coordinate = x->name,
                                      .on = taut_leaf(r->model->graph, leaf),
                                      .against = -1,
                                      .torque = x->kind == TAUT_LEAF_ANGLE,
                                      .value = taut_vec_scalar(force),
                                      .place = place,
                                      .value_place = place};
    return TAUT_OK;
}

static taut_status push_all(taut_reader *r, taut_sweep *sweep, taut_place place) {
    taut_graph *g = r->model->graph;
    const int first = r->model->mechanism->loads;
    const size_t reached = taut_sweep_reached(sweep);
    if (reached == 0)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, place,
                            "'Dissipation' contains no rate, so nothing is slowed down: write it "
                            "by rates, such as c/2*phi'^2");
    for (size_t i = 0; i < reached; i++)
        TAUT_TRY(push(r, first, taut_node_get(g, taut_sweep_variable(sweep, i))->index,
                      taut_scale(g, -1.0, taut_sweep_adjoint(sweep, i)), place));
    return taut_graph_failed(g) ? TAUT_ERR_MEMORY : TAUT_OK;
}

taut_status taut_read_dissipation(taut_reader *r, const taut_yaml *forces) {
    taut_graph *g = r->model->graph;
    const taut_yaml *node = taut_yaml_get(forces, "Dissipation");
    taut_sweep *sweep;
    taut_vec R;
    if (!node) return TAUT_OK;
    const taut_place place = taut_reader_place(r, node);
    TAUT_TRY(taut_formula_read_as(r->symbols, node, 1, TAUT_POWER, &R));
    TAUT_TRY(taut_sweep_create(g, &sweep));
    taut_status status = taut_sweep_of(sweep, TAUT_SWEEP_VELOCITY, R.c[0]);
    if (status == TAUT_ERR_CALL)
        status = taut_fail_at(r->errors, TAUT_ERR_INPUT, place,
                              "'Dissipation' contains a second derivative: it is a function of "
                              "positions and their first derivatives");
    else if (status == TAUT_OK)
        status = push_all(r, sweep, place);
    taut_sweep_free(&sweep);
    return status;
}
