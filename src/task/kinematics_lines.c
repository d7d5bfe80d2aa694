/* Which bodies are in line: the names of dead points, and transmission angles. */
#include <math.h>
#include <string.h>

#include "task/kinematics.h"

static const double STRAIGHT = 1e-6; /* sine of the angle between what is in line */

/* ---- where pins are ---- */

static bool is_pin(const taut_mechanism *m, const taut_joint *j) {
    return j->point[0] >= 0 && j->point[1] >= 0 &&
           (j->shared || taut_joint_demands(j->kind, m->dimension, TAUT_CONDITION_MEET));
}

/* The point by which a body takes part in a joint; -1: it does not. */
static int point_of(const taut_joint *j, int body) {
    for (int side = 0; side < 2; side++)
        if (j->body[side] == body) return j->point[side];
    return -1;
}

/* The next joint of a body after number `from`, other than `but`, at another place; -1: none. */
static int next_pin(const taut_mechanism *m, int body, int from, int but) {
    for (int i = from + 1; i < m->joints; i++) {
        if (i == but || !is_pin(m, &m->joint[i])) continue;
        const int e = point_of(&m->joint[i], body);
        if (e >= 0 && e != point_of(&m->joint[but], body)) return i;
    }
    return -1;
}

static int ground_pin(const taut_mechanism *m, int body, int but) {
    for (int i = next_pin(m, body, -1, but); i >= 0; i = next_pin(m, body, i, but))
        if (m->joint[i].body[0] < 0 || m->joint[i].body[1] < 0) return i;
    return -1;
}

/* ---- what is driven ---- */

static bool has_element(const taut_body *b, int e) {
    for (int i = 0; i < b->elements; i++)
        if (b->element[i] == e) return true;
    return false;
}

/* The body whose angle this is; -1: none. */
static int body_of_angle(const taut_mechanism *m, const char *name) {
    for (int i = 0; i < m->angles; i++) {
        const taut_angle *a = &m->angle[i];
        if (strcmp(a->name, name) != 0) continue;
        if (!a->directed) return a->joint >= 0 ? m->joint[a->joint].body[1] : a->body[1];
        if (a->to.kind == TAUT_HEADING_BODY) return a->to.body;
        for (int b = 0; b < m->bodies && a->to.kind != TAUT_HEADING_FORMULA; b++)
            if (has_element(&m->body[b], a->to.element[0]) &&
                (a->to.kind == TAUT_HEADING_VECTOR || has_element(&m->body[b], a->to.element[1])))
                return b;
    }
    return -1;
}

/* ---- lists ---- */

/* The force of a coupler on a follower, a body on the ground, acts along the coupler. */
static void list_transmissions(taut_lines *x, int driven) {
    const taut_mechanism *m = x->problem->model->mechanism;
    for (int k = 0; k < x->joints && m->dimension == 2; k++)
        for (int side = 0; side < 2; side++) {
            const int i = x->joint[k], *body = m->joint[i].body;
            const int follower = body[side], coupler = body[1 - side];
            const int foot = ground_pin(m, follower, i), other = next_pin(m, coupler, -1, i);
            if (follower == driven || foot < 0 || other < 0 || ground_pin(m, coupler, i) >= 0)
                continue;
            x->pressed[x->transmissions] = i;
            x->ends[x->transmissions][0] = point_of(&m->joint[foot], follower);
            x->ends[x->transmissions++][1] = point_of(&m->joint[other], coupler);
        }
}

taut_status taut_lines_create(taut_linkage *l, const char *driven, taut_lines *x) {
    const taut_problem *p = l->problem;
    const taut_mechanism *m = p->model->mechanism;
    const int dimension = m->dimension, count = m->elements * dimension;
    *x = (taut_lines){.problem = p};
    taut_node *node = TAUT_NEW_ARRAY(&l->arena, count + 1, taut_node);
    int *d = TAUT_NEW_ARRAY(&l->arena, p->variables, int);
    x->value = TAUT_NEW_ARRAY(&l->arena, count + 1, double);
    x->joint = TAUT_NEW_ARRAY(&l->arena, m->joints + 1, int);
    x->pressed = TAUT_NEW_ARRAY(&l->arena, 2 * m->joints + 1, int);
    x->ends = taut_arena_array(&l->arena, 2 * (size_t)m->joints + 1, sizeof *x->ends);
    if (!node || !d || !x->value || !x->joint || !x->pressed || !x->ends) return TAUT_ERR_MEMORY;
    for (int e = 0; e < m->elements; e++)
        for (int i = 0; i < dimension; i++) node[e * dimension + i] = p->element[e].c[i];
    for (int j = 0; j < p->variables; j++) d[j] = 2;
    for (int i = 0; i < m->joints; i++) {
        const taut_joint *j = &m->joint[i];
        if (is_pin(m, j) && j->body[0] >= 0 && j->body[1] >= 0) x->joint[x->joints++] = i;
    }
    list_transmissions(x, driven ? body_of_angle(m, driven) : -1);
    const taut_values_wanted wanted = {.target = node, .targets = (size_t)count};
    TAUT_TRY(taut_values_create(p->graph, d, p->variables, wanted, &l->arena, &x->place));
    taut_linkage_hold(l, &x->place);
    return TAUT_OK;
}

void taut_lines_see(const taut_linkage *l, taut_lines *x, const double *z) {
    taut_linkage_put(l, &x->place, 0, z);
    taut_values_find(&x->place, l->t, x->value);
}

/* ---- angles ---- */

/* Sine and cosine of the angle between the lines from c to a and from c to b. */
static void angle_at(const taut_lines *x, int c, int a, int b, double *sine, double *cosine) {
    const int n = x->problem->model->mechanism->dimension;
    double inner = 0.0, first = 0.0, second = 0.0;
    for (int i = 0; i < n; i++) {
        const double u = x->value[a * n + i] - x->value[c * n + i],
                     v = x->value[b * n + i] - x->value[c * n + i];
        inner += u * v;
        first += u * u;
        second += v * v;
    }
    double across = 0.0; /* by the parallelogram, exact for small angles */
    for (int i = 0; i < n; i++) {
        const double u = x->value[a * n + i] - x->value[c * n + i],
                     v = x->value[b * n + i] - x->value[c * n + i];
        across += pow(v - u * inner / first, 2.0);
    }
    *cosine = inner / sqrt(first * second);
    *sine = sqrt(across / second);
}

taut_status taut_lines_name(const taut_lines *x, taut_arena *arena, const char **words) {
    const taut_mechanism *m = x->problem->model->mechanism;
    taut_string text = {0};
    for (int k = 0; k < x->joints; k++) {
        const taut_joint *j = &m->joint[x->joint[k]];
        const int i = x->joint[k];
        bool told = false;
        for (int a = next_pin(m, j->body[0], -1, i); a >= 0; a = next_pin(m, j->body[0], a, i))
            for (int b = next_pin(m, j->body[1], -1, i); b >= 0 && !told;
                 b = next_pin(m, j->body[1], b, i)) {
                double sine, cosine;
                angle_at(x, j->point[0], point_of(&m->joint[a], j->body[0]),
                         point_of(&m->joint[b], j->body[1]), &sine, &cosine);
                if (!(sine < STRAIGHT)) continue;
                const bool swap = j->body[0] > j->body[1]; /* in the order of the file */
                taut_string_add(&text, "%s%s and %s are in line (%s)", text.length ? ", " : "",
                                m->body[j->body[swap ? 1 : 0]].name,
                                m->body[j->body[swap ? 0 : 1]].name,
                                cosine < 0.0 ? "stretched" : "folded");
                told = true;
            }
    }
    *words = text.failed ? NULL : taut_arena_copy(arena, text.text ? text.text : "", text.length);
    taut_string_release(&text);
    return *words ? TAUT_OK : TAUT_ERR_MEMORY;
}

const char *taut_lines_transmission_name(const taut_lines *x, int k) {
    const taut_mechanism *m = x->problem->model->mechanism;
    return m->element[m->joint[x->pressed[k]].point[0]].name;
}

double taut_lines_transmission(const taut_lines *x, int k) {
    const taut_mechanism *m = x->problem->model->mechanism;
    double sine, cosine;
    angle_at(x, m->joint[x->pressed[k]].point[0], x->ends[k][0], x->ends[k][1], &sine, &cosine);
    return atan2(sine, fabs(cosine));
}
