/* Named joints in natural coordinates: where their elements are, the names of their coordinates,
 * their equations. What the equations are is said in pair.c, for every formulation. */
#include <math.h>

#include "expr/pattern.h"
#include "form/mechanics.h"
#include "form/relative.h"

static bool demands(const taut_mechanics *n, const taut_joint *j, taut_joint_condition condition) {
    return taut_joint_demands(j->kind, n->mechanism->dimension, condition);
}

/* ---- geometry ---- */

/* A vector in the axes of a body, as numbers; false if it has none there. */
static bool local_vector(taut_mechanics *n, int body, int element, double *v) {
    const taut_vec *source = NULL;
    if (body < 0) source = &n->kin->value[element];
    for (int i = 1; body >= 0 && i < n->mechanism->body[body].elements; i++)
        if (n->mechanism->body[body].element[i] == element)
            source = &n->mechanism->body[body].local[i];
    if (!source) return false;
    taut_assume_values(n->graph, *source, v);
    return true;
}

/* A normal must be across its axis: not along it, and of the same body; exactly so if it says how
 * shafts turn. */
static taut_status check_normal(taut_mechanics *n, const taut_joint *j, int side) {
    const taut_element *element = n->mechanism->element;
    const char *normal = element[j->normal[side]].name, *axis = element[j->axis[side]].name;
    double u[3], v[3], inner = 0.0;
    if (!local_vector(n, j->body[side], j->axis[side], u) ||
        !local_vector(n, j->body[side], j->normal[side], v))
        return taut_fail_at(n->errors, TAUT_ERR_INPUT, j->place,
                            "the normal %s and the axis %s of the joint '%s' must be vectors of "
                            "the same body",
                            normal, axis, j->name);
    for (int i = 0; i < 3; i++) inner += u[i] * v[i];
    if (demands(n, j, TAUT_CONDITION_UNTWISTED) && fabs(inner) > 1e-9)
        return taut_fail_at(n->errors, TAUT_ERR_INPUT, j->place,
                            "the normal %s of the joint '%s' must be at a right angle to the axis "
                            "%s, not at %.6g degrees",
                            normal, j->name, axis, acos(inner) * 180.0 / M_PI);
    if (fabs(inner) < 1.0 - 1e-9) return TAUT_OK;
    return taut_fail_at(n->errors, TAUT_ERR_INPUT, j->place,
                        "the normal %s of the joint '%s' is along the axis %s: name a vector "
                        "across it",
                        normal, j->name, axis);
}

/* A screw turns by an angle from any direction across its axes, if no Normals say which. */
static taut_status choose_normals(taut_mechanics *n, const taut_joint *j, taut_pair *p) {
    taut_vec across[2];
    for (int side = 0; side < 2; side++) {
        TAUT_TRY(taut_kin_normals(n->kin, j->axis[side], across));
        p->normal[side] = across[0];
    }
    return TAUT_OK;
}

/* Is a node a function of one variable, and of nothing else? */
static taut_status is_function_of(taut_mechanics *n, taut_node node, taut_node variable,
                                  bool *result) {
    const taut_pattern_entry *entry;
    size_t count = 0;
    if (!n->pattern) TAUT_TRY(taut_pattern_create(n->graph, &n->pattern));
    TAUT_TRY(taut_pattern_row(n->pattern, node, &entry, &count));
    *result = !taut_pattern_has_time(n->pattern);
    for (size_t i = 0; i < count; i++)
        if (entry[i].order > 0 || entry[i].variable != taut_node_get(n->graph, variable)->index)
            *result = false;
    return TAUT_OK;
}

/* The curve's parameter is a coordinate without mass; its formulas are in the first body's axes. */
static taut_status place_curve(taut_mechanics *n, const taut_joint *j, taut_pair *p) {
    taut_node s;
    taut_vec local;
    TAUT_TRY(
        taut_problem_add_variable(n->problem, j->parameter, TAUT_GROUP_PARAMETER, j->place, &s));
    n->kin->meaning[j->leaf[2]] = s;
    TAUT_TRY(taut_kin_import_vec(n->kin, j->curve, j->curve_at, &local));
    for (int i = 0; i < local.n; i++) {
        bool fits;
        TAUT_TRY(is_function_of(n, local.c[i], s, &fits));
        if (!fits)
            return taut_fail_at(n->errors, TAUT_ERR_INPUT, j->curve_at,
                                "the curve of '%s' may contain its parameter %s and numbers, "
                                "nothing else",
                                j->name, j->parameter);
    }
    p->curve = local;
    if (j->body[0] < 0) return TAUT_OK;
    if (n->kin->frame[j->body[0]].axes < n->mechanism->dimension)
        return taut_fail_at(n->errors, TAUT_ERR_INPUT, j->place,
                            "'%s' is a thin rod without a frame: give it a third element for a "
                            "curve to belong to",
                            n->mechanism->body[j->body[0]].name);
    p->curve = taut_kin_direction(n->kin, j->body[0], local);
    return TAUT_OK;
}

static taut_status place_pair(taut_mechanics *n, const taut_joint *j, taut_pair *p) {
    const taut_vec *value = n->kin->value;
    *p = (taut_pair){.joint = j, .dimension = n->mechanism->dimension, .phase = j->phase};
    for (int side = 0; side < 2; side++) {
        if (j->point[side] >= 0) p->point[side] = value[j->point[side]];
        if (j->axis[side] >= 0) p->axis[side] = value[j->axis[side]];
        if (j->normal[side] >= 0) {
            p->normal[side] = value[j->normal[side]];
            TAUT_TRY(check_normal(n, j, side));
        }
        p->x[side] = taut_kin_local_x(n->kin);
        if (j->body[side] >= 0) p->x[side] = taut_kin_direction(n->kin, j->body[side], p->x[side]);
    }
    if (demands(n, j, TAUT_CONDITION_ALIGN) || demands(n, j, TAUT_CONDITION_ON_LINE))
        TAUT_TRY(taut_kin_normals(n->kin, j->axis[0], p->across));
    const bool turns =
        j->kind == TAUT_JOINT_SCREW || (j->rubs && (j->angle[0] || j->kind == TAUT_JOINT_PLANAR));
    if (turns && j->normal[0] < 0 && p->dimension == 3) TAUT_TRY(choose_normals(n, j, p));
    if (demands(n, j, TAUT_CONDITION_ON_CURVE)) TAUT_TRY(place_curve(n, j, p));
    return TAUT_OK;
}

taut_status taut_mechanics_pairs(taut_mechanics *n) {
    const taut_mechanism *m = n->mechanism;
    n->pair = TAUT_NEW_ARRAY(n->arena, m->joints, taut_pair);
    if (!n->pair) return TAUT_ERR_MEMORY;
    for (int i = 0; i < m->joints; i++) {
        const taut_joint *j = &m->joint[i];
        if (j->shared) continue;
        taut_status status = place_pair(n, j, &n->pair[i]);
        TAUT_MECHANICS_NOTE(n, status);
        for (int k = 0; k < 2 && status == TAUT_OK; k++)
            if (j->distance[k])
                n->kin->meaning[j->leaf[k]] = taut_pair_distance(n->graph, &n->pair[i], k);
    }
    return TAUT_OK;
}

/* ---- coordinates that are tied ---- */

/* The two coordinates of a screw are its own; those of gears and racks have names. */
static taut_status find_geared(taut_mechanics *n, const taut_joint *j, taut_pair *p) {
    if (j->kind == TAUT_JOINT_SCREW) {
        for (int i = 0; i < n->mechanism->angles; i++) {
            const taut_angle *a = &n->mechanism->angle[i];
            if (!a->directed && a->joint >= 0 && &n->mechanism->joint[a->joint] == j)
                p->geared[0] = n->angle[i].variable;
        }
        p->geared[1] = taut_pair_distance(n->graph, p, 0);
        return TAUT_OK;
    }
    for (int k = 0; k < 2; k++) {
        taut_node s;
        TAUT_TRY(taut_kin_import(n->kin, j->tied[k], j->place, &s));
        if (taut_node_get(n->graph, s)->steady)
            return taut_fail_at(n->errors, TAUT_ERR_INPUT, j->place,
                                "'%s' is fixed: the joint '%s' cannot tie it", j->geared[k],
                                j->name);
        p->geared[k] = s;
    }
    return TAUT_OK;
}

/* How teeth mesh, if the file does not say it, is a constant that the start determines. */
static taut_status add_phase(taut_mechanics *n, const taut_joint *j, taut_pair *p) {
    const int group = j->kind == TAUT_JOINT_GEAR ? TAUT_GROUP_ANGLE : TAUT_GROUP_LENGTH;
    const char *name = taut_problem_name(n->problem, "phase_%s", j->name);
    if (!name) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_problem_add_variable(n->problem, name, group, j->place, &p->phase));
    if (n->phases == 0) n->first_phase = n->problem->variables - 1;
    n->phases++;
    return TAUT_OK;
}

taut_status taut_mechanics_ties(taut_mechanics *n) {
    const taut_mechanism *m = n->mechanism;
    for (int i = 0; i < m->joints; i++) {
        const taut_joint *j = &m->joint[i];
        if (j->shared || !demands(n, j, TAUT_CONDITION_GEARED)) continue;
        TAUT_MECHANICS_NOTE(n, find_geared(n, j, &n->pair[i]));
        if (j->phase == TAUT_NO_NODE) TAUT_TRY(add_phase(n, j, &n->pair[i]));
    }
    return TAUT_OK;
}

/* ---- equations ---- */

taut_status taut_mechanics_joints(taut_mechanics *n) {
    const taut_mechanism *m = n->mechanism;
    for (int i = 0; i < m->joints && !n->faulty; i++) {
        taut_pair_equation equation[TAUT_PAIR_MOST];
        const taut_joint *j = &m->joint[i];
        if (j->shared || j->breaks) continue;
        const int count =
            taut_pair_equations(n->graph, &n->pair[i], taut_relative_held(n->kin, i), equation);
        const size_t first = n->constraints;
        for (int k = 0; k < count; k++) {
            const size_t before = n->constraints;
            TAUT_MECHANICS_NOTE(
                n, taut_mechanics_constrain(
                       n, equation[k].node,
                       taut_problem_name(n->problem, "joint %s (%s)", j->name, equation[k].part),
                       j->place));
            if (n->constraints == before) continue;
            n->constraint[before].late = j->disassembled;
            n->constraint[before].joint = i + 1;
            n->constraint[before].equation = k;
            if (equation[k].component) n->constraint[before].vector = (int)first + 1;
        }
    }
    return TAUT_OK;
}
