/* Faults of a mechanism that show only when all its parts are known: what two bodies may share, and
 * points and vectors that nothing holds. */
#include "model/reader.h"

taut_status taut_find_carriers(taut_reader *r) {
    taut_mechanism *m = r->model->mechanism;
    int total = 0;
    for (int b = 0; b < m->bodies; b++) total += m->body[b].elements;
    m->carrier_start = TAUT_NEW_ARRAY(&r->model->arena, m->elements + 2, int);
    m->carrier = TAUT_NEW_ARRAY(&r->model->arena, total, int);
    if (!m->carrier_start || !m->carrier) return TAUT_ERR_MEMORY;
    for (int b = 0; b < m->bodies; b++)
        for (int k = 0; k < m->body[b].elements; k++) m->carrier_start[m->body[b].element[k] + 2]++;
    for (int e = 0; e < m->elements; e++) m->carrier_start[e + 2] += m->carrier_start[e + 1];
    for (int b = 0; b < m->bodies; b++)
        for (int k = 0; k < m->body[b].elements; k++)
            m->carrier[m->carrier_start[m->body[b].element[k] + 1]++] = b;
    return TAUT_OK;
}

/* ---- sharing ---- */

/* A point of more than one body. */
static bool is_shared(const taut_mechanism *m, int e) {
    return !m->element[e].is_vector && m->carrier_start[e + 1] - m->carrier_start[e] > 1;
}

static int count_shared(const taut_mechanism *m, int body) {
    int count = 0;
    for (int k = 0; k < m->body[body].elements; k++)
        count += is_shared(m, m->body[body].element[k]);
    return count;
}

/* Two bodies with two common points would hinge about their line, but only if both give them the
 * same distance, to the last digit: a point and a vector say the same without that doubt. Points
 * that are both fixed are shared with the ground, not with each other. */
static taut_status check_pairs(taut_reader *r) {
    const taut_mechanism *m = r->model->mechanism;
    int *seen = TAUT_NEW_ARRAY(&r->model->arena, m->bodies, int); /* number of the body + 1 ... */
    int *by = TAUT_NEW_ARRAY(&r->model->arena, m->bodies, int);   /* ... and the point it shares */
    if (!seen || !by) return TAUT_ERR_MEMORY;
    for (int b = 0; b < m->bodies; b++) {
        if (count_shared(m, b) < 2) continue;
        for (int k = 0; k < m->body[b].elements; k++) {
            const int e = m->body[b].element[k];
            if (!is_shared(m, e)) continue;
            for (int i = m->carrier_start[e]; i < m->carrier_start[e + 1] && m->carrier[i] < b;
                 i++) {
                const int other = m->carrier[i];
                if (seen[other] == b + 1 && m->element[by[other]].fixed && m->element[e].fixed)
                    continue;
                if (seen[other] == b + 1) {
                    r->faulty = true;
                    taut_fail_at(r->errors, TAUT_ERR_INPUT, m->body[b].place,
                                 "'%s' and '%s' share two points, %s and %s: %s",
                                 m->body[other].name, m->body[b].name, m->element[by[other]].name,
                                 m->element[e].name,
                                 m->dimension == 2
                                     ? "they do not move against each other; make them one body"
                                     : "share one point and a vector along the hinge instead");
                    return TAUT_OK;
                }
                seen[other] = b + 1;
                by[other] = e;
            }
        }
    }
    return TAUT_OK;
}

/* The same with the ground: a body in space that hangs on two fixed points. */
static void check_ground(taut_reader *r) {
    const taut_mechanism *m = r->model->mechanism;
    for (int b = 0; b < m->bodies && m->dimension == 3; b++) {
        int first = -1;
        for (int k = 0; k < m->body[b].elements && m->body[b].elements > 2; k++) {
            const int e = m->body[b].element[k];
            if (m->element[e].is_vector || !m->element[e].fixed) continue;
            if (first >= 0) {
                r->faulty = true;
                taut_fail_at(
                    r->errors, TAUT_ERR_INPUT, m->body[b].place,
                    "'%s' has two fixed points, %s and %s: fix one of them, and a vector of "
                    "'%s' along the hinge",
                    m->body[b].name, m->element[first].name, m->element[e].name, m->body[b].name);
                break;
            }
            first = e;
        }
    }
}

/* ---- what nothing holds ---- */

/* How many particles, springs, dampers, bushings, lines and joints hold an element; two for what
 * has mass. */
static int *count_uses(taut_reader *r) {
    const taut_mechanism *m = r->model->mechanism;
    int *uses = TAUT_NEW_ARRAY(&r->model->arena, m->elements, int);
    if (!uses) return NULL;
    for (int i = 0; i < m->particles; i++) uses[m->particle[i].point] += 2;
    for (int i = 0; i < m->links; i++)
        for (int k = 0; k < 2; k++)
            uses[m->link[i].point[k]] += m->link[i].mass != TAUT_NO_NODE ? 2 : 1;
    for (int i = 0; i < m->collinears; i++) {
        uses[m->collinear[i].origin]++;
        uses[m->collinear[i].vector]++;
        uses[m->collinear[i].point] += 2; /* it moves along the line */
    }
    for (int i = 0; i < m->bushings; i++)
        for (int k = 0; k < 2; k++) uses[m->bushing[i].point[k]]++;
    for (int i = 0; i < m->joints; i++) {
        const taut_joint *j = &m->joint[i];
        const int element[] = {j->point[0], j->point[1],  j->axis[0],
                               j->axis[1],  j->normal[0], j->normal[1]};
        for (int k = 0; k < 6; k++)
            if (element[k] >= 0) uses[element[k]]++;
    }
    return uses;
}

/* A vector without a body would change its length; a point without a body needs mass, unless at
 * least two things hold it. */
static void check_elements(taut_reader *r, const int *uses) {
    const taut_mechanism *m = r->model->mechanism;
    for (int e = 0; e < m->elements; e++) {
        const taut_element *x = &m->element[e];
        if (x->fixed || x->formula || m->carrier_start[e + 1] > m->carrier_start[e]) continue;
        if (!x->is_vector && uses[e] >= 2) continue;
        r->faulty = true;
        taut_fail_at(r->errors, TAUT_ERR_INPUT, x->place,
                     x->is_vector
                         ? "the vector %s belongs to no body and is not fixed: list it under "
                           "'Fixed', or make it an element of a body"
                         : "the point %s belongs to no body, is not fixed and has no mass: "
                           "make it an element of a body, fix it, or list it under 'Particles'",
                     x->name);
    }
}

/* A body without mass moves as the rest lets it; one that hangs loose moves as it likes. */
static void check_massless(taut_reader *r, const int *uses) {
    const taut_mechanism *m = r->model->mechanism;
    for (int b = 0; b < m->bodies; b++) {
        int held = 0;
        for (int k = 0; k < m->body[b].elements && !m->body[b].has_mass; k++) {
            const int e = m->body[b].element[k];
            const bool shared = m->carrier_start[e + 1] - m->carrier_start[e] > 1;
            if (shared || uses[e] > 0 || m->element[e].fixed) held++;
        }
        if (m->body[b].has_mass || held > 1) continue;
        r->faulty = true;
        taut_fail_at(
            r->errors, TAUT_ERR_INPUT, m->body[b].place,
            "'%s' has no mass and hangs on one element only, so nothing says how it moves: "
            "give it 'Dyna', or one of its points a mass under 'Particles'",
            m->body[b].name);
    }
}

/* Formulas may hold what no part holds. */
static bool has_formulas(const taut_reader *r) {
    static const char *const key[] = {"Constraints", "VelocityConstraints", "Equations", "Drivers"};
    const taut_mechanism *m = r->model->mechanism;
    bool any = false;
    for (size_t i = 0; i < sizeof key / sizeof key[0]; i++)
        any = any || taut_yaml_get(r->model->root, key[i]);
    for (int e = 0; e < m->elements; e++) any = any || m->element[e].formula;
    return any;
}

taut_status taut_check_mechanism(taut_reader *r) {
    if (r->faulty) return TAUT_OK; /* parts may be missing: what follows from that is no news */
    TAUT_TRY(taut_find_carriers(r));
    TAUT_TRY(check_pairs(r));
    check_ground(r);
    if (has_formulas(r)) return TAUT_OK;
    const int *uses = count_uses(r);
    if (!uses) return TAUT_ERR_MEMORY;
    check_elements(r, uses);
    check_massless(r, uses);
    return TAUT_OK;
}
