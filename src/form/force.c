/* Energies of bodies, springs and particles; forces of springs and dampers by virtual power; and
 * the power that makes the energy change. Other force elements and loads are in element.c. */
#include <math.h>

#include "expr/pattern.h"
#include "form/mechanics.h"

taut_status taut_terms_add(taut_terms *list, taut_node node) {
    if (taut_grow((void **)&list->node, &list->room, list->count + 1, sizeof *list->node))
        return TAUT_ERR_MEMORY;
    list->node[list->count++] = node;
    return TAUT_OK;
}

taut_node taut_terms_total(taut_graph *g, const taut_terms *list) {
    double *one = NULL;
    size_t room = 0;
    if (list->count == 0) return taut_number(g, 0.0);
    if (taut_grow((void **)&one, &room, list->count, sizeof *one)) return TAUT_NO_NODE;
    for (size_t i = 0; i < list->count; i++) one[i] = 1.0;
    const taut_node sum = taut_sum(g, 0.0, list->count, one, list->node);
    taut_release((void **)&one);
    return sum;
}

static taut_status add_seed(taut_mechanics *n, taut_seed **list, size_t *count, size_t *room,
                            taut_seed new) {
    if (taut_node_get(n->graph, new.node)->steady) return TAUT_OK;
    if (taut_grow((void **)list, room, *count + 1, sizeof **list)) return TAUT_ERR_MEMORY;
    (*list)[(*count)++] = new;
    return TAUT_OK;
}

taut_status taut_mechanics_act(taut_mechanics *n, taut_action action) {
    if (taut_grow((void **)&n->action, &n->action_room, n->actions + 1, sizeof *n->action))
        return TAUT_ERR_MEMORY;
    n->action[n->actions++] = action;
    return TAUT_OK;
}

taut_status taut_mechanics_push(taut_mechanics *n, taut_node coordinate, taut_node force,
                                double sign, bool elastic) {
    return add_seed(n, &n->force, &n->forces, &n->force_room,
                    (taut_seed){coordinate, taut_scale(n->graph, sign, force), elastic});
}

taut_status taut_mechanics_turn(taut_mechanics *n, taut_node rate, taut_node torque, double sign) {
    return add_seed(n, &n->torque, &n->torques, &n->torque_room,
                    (taut_seed){rate, taut_scale(n->graph, sign, torque), false});
}

taut_status taut_mechanics_force(taut_mechanics *n, int element, int link, taut_vec force,
                                 double sign, bool elastic) {
    const taut_vec point = n->kin->value[element];
    TAUT_TRY(taut_mechanics_act(n, (taut_action){.kind = TAUT_ACTS_AT_POINT,
                                                 .element = element,
                                                 .link = link,
                                                 .value = force,
                                                 .sign = sign}));
    for (int i = 0; i < point.n; i++)
        TAUT_TRY(taut_mechanics_push(n, point.c[i], force.c[i], sign, elastic));
    return TAUT_OK;
}

/* ---- energies ---- */

static taut_node half_square(taut_graph *g, taut_node factor, taut_vec v) {
    return taut_scale(g, 0.5, taut_mul(g, factor, taut_vec_inner(g, v, v)));
}

static taut_status add_weight(taut_mechanics *n, taut_node mass, taut_vec point) {
    if (!n->mechanism->has_gravity) return TAUT_OK;
    const taut_node gP = taut_vec_inner(n->graph, n->mechanism->gravity, point);
    return taut_terms_add(&n->weight, taut_scale(n->graph, -1.0, taut_mul(n->graph, mass, gP)));
}

static taut_status add_body_energy(taut_mechanics *n, int body) {
    taut_graph *g = n->graph;
    const taut_body *b = &n->mechanism->body[body];
    const taut_frame *f = &n->kin->frame[body];
    if (!b->has_mass) return TAUT_OK;
    const taut_vec centroid = taut_kin_centre(n->kin, body);
    if (!b->weightless) TAUT_TRY(add_weight(n, b->mass, centroid));
    TAUT_TRY(
        taut_terms_add(&n->kinetic, half_square(g, b->mass, taut_vec_dot_time(g, centroid, 1))));
    if (f->axes == 2 && f->omega.n == 1)
        return taut_terms_add(&n->kinetic, half_square(g, b->inertia[0][0], f->omega));
    if (f->axes < 3 || b->thin) { /* omega^2 = |x'|^2 in 2D; a thin rod has no spin */
        const taut_vec axis =
            f->axes < 3 ? f->axis[0] : taut_kin_direction(n->kin, body, taut_kin_local_x(n->kin));
        return taut_terms_add(&n->kinetic,
                              half_square(g, b->inertia[0][0], taut_vec_dot_time(g, axis, 1)));
    }
    /* the inertia in the frame's own axes q */
    const taut_vec omega = taut_kin_omega(n->kin, body);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k <= i; k++) {
            taut_vec row = {.n = 3};
            for (int a = 0; a < 3; a++) {
                taut_vec line = {3, {b->inertia[a][0], b->inertia[a][1], b->inertia[a][2]}};
                row.c[a] = taut_vec_inner(g, line, f->q[k]);
            }
            const taut_node moment = taut_vec_inner(g, f->q[i], row);
            if (taut_node_get(g, moment)->value == 0.0) continue;
            const taut_node product = taut_mul(g, omega.c[i], omega.c[k]);
            TAUT_TRY(taut_terms_add(
                &n->kinetic, taut_scale(g, i == k ? 0.5 : 1.0, taut_mul(g, moment, product))));
        }
    return TAUT_OK;
}

taut_status taut_mechanics_lift(taut_mechanics *n, const char *of, taut_place place,
                                taut_node *force) {
    if (!n->problem->lifted) return TAUT_OK;
    const char *name = taut_problem_name(n->problem, "force of %s %d", of, (int)n->lifts + 1);
    taut_lift new = {.value = *force, .name = name, .place = place};
    if (!name || taut_grow((void **)&n->lift, &n->lift_room, n->lifts + 1, sizeof *n->lift))
        return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_problem_add_variable(n->problem, name, TAUT_GROUP_FORCE, place, &new.variable));
    n->lift[n->lifts++] = new;
    *force = new.variable;
    return TAUT_OK;
}

static taut_status lift_all(taut_mechanics *n, const taut_link *link, taut_vec *force) {
    for (int i = 0; i < force->n; i++)
        TAUT_TRY(taut_mechanics_lift(n, link->name, link->place, &force->c[i]));
    return TAUT_OK;
}

/* Springs and dampers: forces at both ends, the spring's energy beside them. With the elongation as
 * (d.d - l^2)/(|d| + l) a stiff spring does not lose the digits of |d| - l. */
static taut_status add_link(taut_mechanics *n, int number) {
    taut_graph *g = n->graph;
    const taut_link *link = &n->mechanism->link[number];
    const taut_vec A = n->kin->value[link->point[0]], B = n->kin->value[link->point[1]];
    const taut_vec d = taut_kin_add(g, B, -1.0, A), rate = taut_vec_dot_time(g, d, 1);
    const taut_node square = taut_vec_inner(g, d, d);
    if (link->mass != TAUT_NO_NODE) { /* a uniform rod that stretches */
        const taut_vec a = taut_vec_dot_time(g, A, 1), b = taut_vec_dot_time(g, B, 1);
        const taut_node squares =
            taut_sum(g, 0.0, 3, (double[]){1.0, 1.0, 1.0},
                     (taut_node[]){taut_vec_inner(g, a, a), taut_vec_inner(g, a, b),
                                   taut_vec_inner(g, b, b)});
        TAUT_TRY(taut_terms_add(&n->kinetic,
                                taut_scale(g, 1.0 / 6.0, taut_mul(g, link->mass, squares))));
        const taut_node half = taut_scale(g, 0.5, link->mass);
        TAUT_TRY(add_weight(n, half, A));
        TAUT_TRY(add_weight(n, half, B));
    }
    if (link->stiffness != TAUT_NO_NODE && taut_node_get(g, link->stiffness)->value != 0.0) {
        taut_vec pull;
        if (taut_node_get(g, link->rest_length)->value == 0.0) {
            pull = taut_vec_scale(g, link->stiffness, d);
            TAUT_TRY(lift_all(n, link, &pull));
            TAUT_TRY(taut_terms_add(&n->elastic,
                                    taut_scale(g, 0.5, taut_mul(g, link->stiffness, square))));
        } else {
            const taut_node length = taut_root(g, square);
            const taut_node more =
                taut_div(g, taut_sub(g, square, taut_square(g, link->rest_length)),
                         taut_add(g, length, link->rest_length));
            taut_node tension = taut_mul(g, link->stiffness, more);
            TAUT_TRY(taut_mechanics_lift(n, link->name, link->place, &tension));
            pull = taut_vec_scale(g, taut_div(g, tension, length), d);
            TAUT_TRY(taut_terms_add(
                &n->elastic,
                taut_scale(g, 0.5, taut_mul(g, link->stiffness, taut_square(g, more)))));
        }
        TAUT_TRY(taut_mechanics_force(n, link->point[0], number, pull, 1.0, true));
        TAUT_TRY(taut_mechanics_force(n, link->point[1], number, pull, -1.0, true));
    }
    if (link->damping != TAUT_NO_NODE && taut_node_get(g, link->damping)->value != 0.0) {
        taut_vec drag = taut_vec_scale(g, link->damping, rate);
        if (link->full) {
            TAUT_TRY(lift_all(n, link, &drag));
        } else { /* per length, so that no root is needed */
            taut_node tension =
                taut_mul(g, link->damping, taut_div(g, taut_vec_inner(g, d, rate), square));
            TAUT_TRY(taut_mechanics_lift(n, link->name, link->place, &tension));
            drag = taut_vec_scale(g, tension, d);
        }
        TAUT_TRY(taut_mechanics_force(n, link->point[0], number, drag, 1.0, false));
        TAUT_TRY(taut_mechanics_force(n, link->point[1], number, drag, -1.0, false));
        n->open = true;
    }
    return TAUT_OK;
}

taut_status taut_mechanics_energies(taut_mechanics *n) {
    taut_graph *g = n->graph;
    for (int b = 0; b < n->mechanism->bodies; b++) TAUT_TRY(add_body_energy(n, b));
    for (int i = 0; i < n->mechanism->links; i++) TAUT_TRY(add_link(n, i));
    for (int i = 0; i < n->mechanism->particles; i++) {
        const taut_particle *p = &n->mechanism->particle[i];
        const taut_vec P = n->kin->value[p->point];
        if (!p->weightless) TAUT_TRY(add_weight(n, p->mass, P));
        TAUT_TRY(taut_terms_add(&n->kinetic, half_square(g, p->mass, taut_vec_dot_time(g, P, 1))));
    }
    return taut_mechanics_elements(n);
}

/* Where an end of a link starts, as far as the file says; false if it does not. given: [nodes]
 * number of a node's initial value + 1, or 0. */
static bool given_place(const taut_mechanics *n, const int *given, taut_vec point, double *place) {
    for (int i = 0; i < point.n; i++) {
        const taut_node_data *d = taut_node_get(n->graph, point.c[i]);
        const int number = given[point.c[i]];
        if (!d->steady && number == 0) return false;
        place[i] = d->steady ? d->value : n->value[number - 1].value;
    }
    return true;
}

taut_status taut_mechanics_check_links(taut_mechanics *n) {
    if (n->mechanism->links == 0) return TAUT_OK;
    int *given = TAUT_NEW_ARRAY(n->arena, taut_graph_size(n->graph), int);
    if (!given) return TAUT_ERR_MEMORY;
    for (int k = n->values - 1; k >= 0; k--)
        if (n->value[k].order == 0) given[n->value[k].node] = k + 1;
    for (int i = 0; i < n->mechanism->links; i++) {
        const taut_link *link = &n->mechanism->link[i];
        const bool pulls = link->stiffness != TAUT_NO_NODE &&
                           taut_node_get(n->graph, link->rest_length)->value > 0.0;
        double A[3] = {0}, B[3] = {0}, gap = 0.0;
        if (!pulls && (link->damping == TAUT_NO_NODE || link->full)) continue;
        if (!given_place(n, given, n->kin->value[link->point[0]], A) ||
            !given_place(n, given, n->kin->value[link->point[1]], B))
            continue;
        for (int k = 0; k < n->mechanism->dimension; k++) gap = fmax(gap, fabs(A[k] - B[k]));
        if (gap > 0.0) continue;
        TAUT_MECHANICS_NOTE(n,
                            taut_fail_at(n->errors, TAUT_ERR_INPUT, link->place,
                                         "the ends %s and %s of '%s' coincide at the start, so its "
                                         "line has no direction; give positions that are apart%s",
                                         n->mechanism->element[link->point[0]].name,
                                         n->mechanism->element[link->point[1]].name, link->name,
                                         pulls ? ", or the rest length 0" : ", or Full: true"));
    }
    return TAUT_OK;
}

/* ---- work ---- */

/* Does a node depend on t alone? Nothing that is solved for may be below it. */
static taut_status is_prescribed(taut_mechanics *n, taut_pattern *pattern, taut_node node,
                                 bool *result) {
    const taut_pattern_entry *entry;
    size_t count;
    TAUT_TRY(taut_pattern_row(pattern, node, &entry, &count));
    *result = count == 0 && !taut_node_get(n->graph, node)->steady;
    return TAUT_OK;
}

/* The power that changes kinetic plus potential energy: of forces that have no potential, of
 * torques and drivers, and of ground that moves under a spring. */
taut_status taut_mechanics_power(taut_mechanics *n, taut_node *power) {
    taut_graph *g = n->graph;
    taut_pattern *pattern;
    taut_terms list = {0};
    TAUT_TRY(taut_pattern_create(g, &pattern));
    taut_status status = TAUT_OK;
    for (size_t i = 0; i < n->forces && status == TAUT_OK; i++) {
        const taut_seed *s = &n->force[i];
        bool prescribed = false;
        status = is_prescribed(n, pattern, s->node, &prescribed);
        if (status != TAUT_OK || prescribed != s->elastic) continue;
        const taut_node rate = taut_mul(g, s->adjoint, taut_dot(g, s->node, 1));
        status = taut_terms_add(&list, taut_scale(g, s->elastic ? -1.0 : 1.0, rate));
    }
    for (size_t i = 0; i < n->torques && status == TAUT_OK; i++)
        status = taut_terms_add(&list, taut_mul(g, n->torque[i].adjoint, n->torque[i].node));
    for (size_t i = 0; i < n->constraints && status == TAUT_OK; i++)
        if (n->constraint[i].driver)
            status =
                taut_terms_add(&list, taut_mul(g, n->constraint[i].lambda,
                                               taut_mechanics_driven_rate(g, &n->constraint[i])));
    *power = status == TAUT_OK ? taut_terms_total(g, &list) : TAUT_NO_NODE;
    taut_release((void **)&list.node);
    taut_pattern_free(&pattern);
    return status;
}
