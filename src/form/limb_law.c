/* Forces and conditions for the recursion, by the sweeps that make equations of motion. */
#include "tree/law.h"

#include <assert.h>

#include "expr/pattern.h"
#include "form/limb.h"

/* The entries of a row that are not 0. */
static size_t list_entries(const taut_mechanics *n, const taut_node *row, int coordinates,
                           double sign, taut_law_entry *entry) {
    size_t count = 0;
    for (int j = 0; j < coordinates; j++)
        if (!taut_node_is_number(n->graph, row[j], 0.0))
            entry[count++] = (taut_law_entry){j, taut_scale(n->graph, sign, row[j])};
    return count;
}

static taut_status find_forces(taut_mechanics *n, taut_sweep *sweep, int coordinates,
                               taut_node *row, taut_law *law) {
    law->force = TAUT_NEW_ARRAY(n->arena, coordinates, taut_law_entry);
    if (!law->force) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_mechanics_vary(n, sweep, coordinates, n->force, n->forces, n->torque, n->torques,
                                 row));
    law->forces = (int)list_entries(n, row, coordinates, -1.0, law->force);
    return TAUT_OK;
}

/* A constraint at the level of velocities. Tracked angles have the rates of what they follow. */
static taut_status find_velocity(taut_mechanics *n, taut_sweep *sweep, const taut_constraint *c,
                                 taut_node *velocity) {
    taut_graph *g = n->graph;
    if (c->rate != TAUT_NO_NODE && !c->velocity) {
        *velocity = taut_sub(g, taut_dot(g, c->wanted, 1), c->rate);
        return TAUT_OK;
    }
    *velocity = c->velocity ? c->node : taut_dot(g, c->node, 1);
    if (c->velocity) return TAUT_OK;
    TAUT_TRY(taut_sweep_of(sweep, TAUT_SWEEP_PLAIN, c->node));
    for (int i = 0; i < n->mechanism->angles; i++) {
        const taut_tracked *x = &n->angle[i];
        const taut_node slope = taut_sweep_find(sweep, x->variable);
        if (taut_node_is_number(g, slope, 0.0)) continue;
        const taut_node behind = taut_sub(g, taut_dot(g, x->variable, 1), x->rate);
        *velocity = taut_sub(g, *velocity, taut_mul(g, slope, behind));
    }
    return TAUT_OK;
}

/* What the last sweep has reached of the coordinates: their numbers in reached, ascending. */
static int list_reached(const taut_mechanics *n, const taut_sweep *sweep, int coordinates,
                        int *reached) {
    int count = 0;
    for (size_t i = 0; i < taut_sweep_reached(sweep); i++) {
        const taut_node_data *d = taut_node_get(n->graph, taut_sweep_variable(sweep, i));
        if (d->op != TAUT_OP_VAR || d->index >= coordinates) continue;
        int at = count++;
        for (; at > 0 && reached[at - 1] > d->index; at--) reached[at] = reached[at - 1];
        reached[at] = d->index;
    }
    return count;
}

/* The entries of one condition, of the coordinates only that it contains: what
 * taut_mechanics_vary finds for all of them, where no angles follow the motion. */
static taut_status find_few(taut_mechanics *n, taut_sweep *sweep, int coordinates,
                            const taut_seed *seed, bool velocity, int *reached, taut_node *few,
                            int *count) {
    taut_graph *g = n->graph;
    taut_sweep_begin(sweep, velocity ? TAUT_SWEEP_VELOCITY : TAUT_SWEEP_EULER, NULL);
    taut_sweep_seed(sweep, seed->node, 1.0, seed->adjoint);
    TAUT_TRY(taut_sweep_run(sweep));
    *count = list_reached(n, sweep, coordinates, reached);
    for (int i = 0; i < *count; i++)
        few[i] = taut_scale(g, -1.0, taut_sweep_find(sweep, taut_variable(g, reached[i])));
    return taut_graph_failed(g) ? TAUT_ERR_MEMORY : TAUT_OK;
}

/* The row of a condition, into the entries from `entry` on. */
static taut_status find_row(taut_mechanics *n, taut_sweep *sweep, int coordinates,
                            const taut_constraint *c, taut_node *row, int *reached,
                            taut_law_entry *entry, int *entries) {
    const taut_seed seed = {.node = c->rate == TAUT_NO_NODE ? c->node : c->rate,
                            .adjoint = taut_number(n->graph, 1.0)};
    const bool velocity = c->velocity || c->rate != TAUT_NO_NODE, few = n->mechanism->angles == 0;
    int count = coordinates;
    if (few)
        TAUT_TRY(find_few(n, sweep, coordinates, &seed, velocity, reached, row, &count));
    else
        TAUT_TRY(taut_mechanics_vary(n, sweep, coordinates, &seed, velocity ? 0 : 1, &seed,
                                     velocity ? 1 : 0, row));
    /* a driver's rate enters its velocity with the opposite sign */
    *entries = (int)list_entries(n, row, count, c->rate == TAUT_NO_NODE ? -1.0 : 1.0, entry);
    for (int i = 0; i < *entries && few; i++) entry[i].variable = reached[entry[i].variable];
    return TAUT_OK;
}

static taut_status find_conditions(taut_mechanics *n, taut_sweep *sweep, int coordinates,
                                   taut_node *row, taut_law *law) {
    size_t room = 0;
    taut_law_entry *entry = NULL;
    taut_status status = TAUT_OK;
    law->condition = TAUT_NEW_ARRAY(n->arena, n->constraints, taut_law_condition);
    int *reached = TAUT_NEW_ARRAY(n->arena, coordinates, int);
    if (!law->condition || !reached) return TAUT_ERR_MEMORY;
    for (size_t i = 0; i < n->constraints && status == TAUT_OK; i++) {
        const taut_constraint *c = &n->constraint[i];
        taut_law_condition *x = &law->condition[law->conditions];
        if (c->own) continue;
        *x = (taut_law_condition){.position = c->velocity ? TAUT_NO_NODE : c->node,
                                  .lambda = taut_node_get(n->graph, c->lambda)->index,
                                  .first = (int)law->entries};
        status = find_velocity(n, sweep, c, &x->velocity);
        if (status == TAUT_OK &&
            taut_grow((void **)&entry, &room, law->entries + (size_t)coordinates, sizeof *entry))
            status = TAUT_ERR_MEMORY;
        if (status == TAUT_OK)
            status =
                find_row(n, sweep, coordinates, c, row, reached, entry + law->entries, &x->count);
        if (status != TAUT_OK) break;
        law->entries += (size_t)x->count;
        law->conditions++;
    }
    law->entry = TAUT_NEW_ARRAY(n->arena, law->entries, taut_law_entry);
    if (!law->entry && status == TAUT_OK) status = TAUT_ERR_MEMORY;
    assert(entry || law->entries == 0 || status != TAUT_OK);
    for (size_t i = 0; i < law->entries && status == TAUT_OK; i++) law->entry[i] = entry[i];
    taut_release((void **)&entry);
    return status;
}

/* Do rates of angles contain rates of others, which the recursion does not know in time? */
static taut_status are_angles_plain(taut_mechanics *n, int coordinates, bool *plain) {
    taut_pattern *pattern;
    TAUT_TRY(taut_pattern_create(n->graph, &pattern));
    taut_status status = TAUT_OK;
    for (int i = 0; i < n->mechanism->angles && status == TAUT_OK; i++) {
        const taut_pattern_entry *entry;
        size_t count = 0;
        status = taut_pattern_row(pattern, n->angle[i].rate, &entry, &count);
        for (size_t k = 0; k < count && status == TAUT_OK; k++)
            if (entry[k].order > 1 || (entry[k].order > 0 && entry[k].variable >= coordinates))
                *plain = false;
    }
    taut_pattern_free(&pattern);
    return status;
}

/* Do forces follow from positions and velocities alone? If they depend on multipliers (of
 * constraints, drivers, split joints), accelerations are no recursion. */
static taut_status are_forces_known(taut_mechanics *n, bool *known) {
    const taut_pattern_entry *entry;
    taut_pattern *pattern;
    size_t count;
    *known = true;
    TAUT_TRY(taut_pattern_create(n->graph, &pattern));
    taut_status status = TAUT_OK;
    for (size_t i = 0; i < n->forces + n->torques && status == TAUT_OK; i++) {
        const taut_seed *seed = i < n->forces ? &n->force[i] : &n->torque[i - n->forces];
        status = taut_pattern_row(pattern, seed->adjoint, &entry, &count);
        for (size_t k = 0; status == TAUT_OK && k < count; k++)
            if (entry[k].variable >= n->tracked) *known = false;
    }
    taut_pattern_free(&pattern);
    return status;
}

taut_status taut_mechanics_law(taut_mechanics *n, taut_sweep *sweep, int coordinates) {
    taut_law *law = TAUT_NEW(n->arena, taut_law);
    taut_node *row = TAUT_NEW_ARRAY(n->arena, coordinates, taut_node);
    bool fits =
        n->kin->relative && n->model->extras == 0 && n->lifts == 0 && n->mechanism->armatures == 0;
    if (!law || !row) return TAUT_ERR_MEMORY;
    if (fits) TAUT_TRY(are_forces_known(n, &fits));
    if (fits) TAUT_TRY(are_angles_plain(n, coordinates, &fits));
    if (fits) TAUT_TRY(taut_limbs_create(n, coordinates, law, &fits));
    if (!fits) return TAUT_OK;
    TAUT_TRY(find_forces(n, sweep, coordinates, row, law));
    TAUT_TRY(find_conditions(n, sweep, coordinates, row, law));
    law->angle = TAUT_NEW_ARRAY(n->arena, n->mechanism->angles, taut_law_rate);
    if (!law->angle) return TAUT_ERR_MEMORY;
    for (int i = 0; i < n->mechanism->angles; i++)
        law->angle[law->angles++] =
            (taut_law_rate){taut_node_get(n->graph, n->angle[i].variable)->index, n->angle[i].rate};
    law->power.variable = -1;
    if (n->work != TAUT_NO_NODE)
        law->power = (taut_law_rate){taut_node_get(n->graph, n->work)->index, n->power};
    n->problem->law = law;
    return taut_graph_failed(n->graph) ? TAUT_ERR_MEMORY : TAUT_OK;
}
