/* Modes as motions of bodies: how points and vectors move, how the kinetic energy is shared, and
 * what joints do. A mode is a pair of real motions, its real and its imaginary part, each a rate of
 * every body's pose. */
#include <math.h>
#include <string.h>

#include "form/pose.h"
#include "task/linear.h"

/* One call. */
typedef struct anatomy {
    const taut_problem *problem;
    const taut_mechanism *mechanism;
    const taut_graph *graph; /* of the model */
    int (*place)[3];         /* [elements] number among the shapes; -1: it stands still */
    double (*element)[2][3]; /* [elements] values, and their part of a mode */
    taut_pose *pose;         /* [bodies] likewise */
    double size;             /* of the mechanism */
    taut_linear_point *point;
} anatomy;

static double number_of(const anatomy *a, taut_node node) {
    return node == TAUT_NO_NODE ? 0.0 : taut_node_get(a->graph, node)->value;
}

/* ---- where elements are ---- */

static void find_places(anatomy *a, const taut_catalogue *c, const taut_picks *shapes,
                        const double *y0) {
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int e = 0, from = 0; e < a->mechanism->elements; e++)
        for (int i = 0; i < a->mechanism->dimension; i++) {
            const taut_node node = a->problem->element[e].c[i];
            a->place[e][i] = -1;
            for (int k = 0; k < shapes->count && a->place[e][i] < 0; k++) {
                const int at = (from + k) % shapes->count; /* they come in this order, nearly */
                if (c->item[shapes->item[at].item].node == node) a->place[e][i] = from = at;
            }
            const int at = a->place[e][i];
            a->element[e][0][i] = at >= 0 ? y0[at] : taut_node_get(a->problem->graph, node)->value;
            if (a->mechanism->element[e].is_vector) continue;
            low[i] = fmin(low[i], a->element[e][0][i]);
            high[i] = fmax(high[i], a->element[e][0][i]);
        }
    for (int i = 0; i < a->mechanism->dimension; i++) a->size = fmax(a->size, high[i] - low[i]);
}

/* Moves everything by one part (0: real, 1: imaginary) of mode k. */
static void move(const anatomy *a, int k, int part) {
    const double(*shape)[2] = a->point->shape_in + (size_t)k * (size_t)a->point->shapes;
    for (int e = 0; e < a->mechanism->elements; e++)
        for (int i = 0; i < 3; i++) {
            const int at = i < a->mechanism->dimension ? a->place[e][i] : -1;
            a->element[e][1][i] = at >= 0 ? shape[at][part] : 0.0;
        }
    for (int b = 0; b < a->mechanism->bodies; b++)
        a->pose[b] = taut_pose_of(a->graph, a->mechanism, b, (const double(*)[2][3])a->element);
}

/* ---- energy ---- */

static bool is_thin(const anatomy *a, const taut_body *body) {
    return a->mechanism->dimension == 3 && (body->thin || body->elements == 2);
}

static double square(const double *x) { return x[0] * x[0] + x[1] * x[1] + x[2] * x[2]; }

/* How a body turns; of a thin rod, what can be seen. */
static void turn_of(const anatomy *a, int body, double turn[3]) {
    const taut_pose *p = &a->pose[body];
    if (!is_thin(a, &a->mechanism->body[body])) {
        taut_pose_omega(p, turn);
        return;
    }
    const double *u = p->axis[0][0], *d = p->axis[1][0];
    for (int i = 0; i < 3; i++)
        turn[i] = u[(i + 1) % 3] * d[(i + 2) % 3] - u[(i + 2) % 3] * d[(i + 1) % 3];
}

static double energy_of(const anatomy *a, int b) {
    const taut_body *body = &a->mechanism->body[b];
    const taut_pose *p = &a->pose[b];
    double velocity[3], turn[3], own[3] = {0.0}, sum = 0.0;
    memcpy(velocity, p->origin[1], sizeof velocity);
    for (int k = 0; k < body->centroid.n; k++)
        for (int i = 0; i < 3 && (k == 0 || !is_thin(a, body)); i++)
            velocity[i] += number_of(a, body->centroid.c[k]) * p->axis[1][k][i];
    turn_of(a, b, turn);
    if (a->mechanism->dimension == 2 || is_thin(a, body)) {
        sum = number_of(a, body->inertia[0][0]) * square(turn);
    } else {
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < 3; i++) own[k] += p->axis[0][k][i] * turn[i];
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < 3; i++) sum += own[k] * number_of(a, body->inertia[k][i]) * own[i];
    }
    return number_of(a, body->mass) * square(velocity) + sum;
}

/* Adds the energies of a motion to those of mode k: bodies, then particles. */
static void add_energies(const anatomy *a, double *energy) {
    const taut_mechanism *m = a->mechanism;
    for (int b = 0; b < m->bodies; b++)
        if (m->body[b].has_mass) *energy++ += energy_of(a, b);
    for (int i = 0; i < m->particles; i++)
        *energy++ +=
            number_of(a, m->particle[i].mass) * square(a->element[m->particle[i].point][1]);
}

/* ---- joints ---- */

/* How a place that moves with a body moves; the ground does not. */
static void motion_at(const anatomy *a, int body, const double *at, double motion[3],
                      double turn[3]) {
    memset(motion, 0, 3 * sizeof *motion);
    memset(turn, 0, 3 * sizeof *turn);
    if (body < 0) return;
    const taut_pose *p = &a->pose[body];
    turn_of(a, body, turn);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        motion[i] = p->origin[1][i] + turn[j] * (at[k] - p->origin[0][k]) -
                    turn[k] * (at[j] - p->origin[0][j]);
    }
}

static void add_plays(const anatomy *a, double *play) {
    for (int i = 0; i < a->mechanism->joints; i++) {
        const taut_joint *x = &a->mechanism->joint[i];
        const double none[3] = {0.0};
        const double *at = x->point[0] >= 0 ? a->element[x->point[0]][0] : none;
        double motion[2][3], turn[2][3];
        for (int k = 0; k < 2; k++) motion_at(a, x->body[k], at, motion[k], turn[k]);
        for (int q = 0; q < 3; q++) {
            const double slides = motion[1][q] - motion[0][q],
                         turns = a->size * (turn[1][q] - turn[0][q]);
            play[i] += turns * turns + (x->point[0] >= 0 ? slides * slides : 0.0);
        }
    }
}

/* ---- all modes ---- */

/* The part of each row of S that is not 0: [shapes] from, and up to. */
static int (*find_spans(const anatomy *a, const double *S, taut_arena *arena))[2] {
    const int n = a->point->states;
    int(*span)[2] = taut_arena_array(arena, (size_t)a->point->shapes + 1, sizeof *span);
    for (int i = 0; span && i < a->point->shapes; i++) {
        const double *row = S + (size_t)i * (size_t)n;
        span[i][1] = n;
        while (span[i][1] > 0 && row[span[i][1] - 1] == 0.0) span[i][1]--;
        while (span[i][0] < span[i][1] && row[span[i][0]] == 0.0) span[i][0]++;
    }
    return span;
}

/* Shapes of a mode: S times its vector. */
static void find_shape(const anatomy *a, const double *S, int k, const int (*span)[2],
                       double (*shape)[2]) {
    const int n = a->point->states;
    const double(*mode)[2] = a->point->mode + (size_t)k * (size_t)n;
    for (int i = 0; i < a->point->shapes; i++)
        for (int j = span[i][0]; j < span[i][1]; j++) {
            const double s = S[(size_t)i * (size_t)n + (size_t)j];
            shape[i][0] += s * mode[j][0];
            shape[i][1] += s * mode[j][1];
        }
}

/* The conjugate of the mode before has the same shares. */
static bool is_conjugate(const taut_linear_point *p, int k, int other) {
    return other >= 0 && p->eigenvalue[k][0] == p->eigenvalue[other][0] &&
           p->eigenvalue[k][1] == -p->eigenvalue[other][1] && p->eigenvalue[k][1] != 0.0;
}

static int partner_of(const taut_linear_point *p, int k) {
    for (int i = 0; i < k; i++)
        if (is_conjugate(p, k, i)) return i;
    return -1;
}

static void scale(double *x, int count, bool shares) {
    double sum = 0.0;
    for (int i = 0; i < count; i++) sum = shares ? sum + x[i] : fmax(sum, x[i]);
    for (int i = 0; i < count && sum > 0.0; i++) x[i] /= sum;
}

static void find_mode(const anatomy *a, int k, double *energy, double *play) {
    const taut_linear_point *p = a->point;
    for (int part = 0; part < 2; part++) {
        if (part == 1 && p->eigenvalue[k][1] == 0.0) break;
        move(a, k, part);
        add_energies(a, energy);
        add_plays(a, play);
    }
    for (int i = 0; i < p->joints; i++) play[i] = sqrt(play[i]);
    scale(energy, p->bodies, true);
    scale(play, p->joints, false);
}

static taut_status name_parts(const anatomy *a, taut_arena *arena) {
    const taut_mechanism *m = a->mechanism;
    taut_linear_point *p = a->point;
    const char **body = TAUT_NEW_ARRAY(arena, m->bodies + m->particles + 1, const char *);
    const char **joint = TAUT_NEW_ARRAY(arena, m->joints + 1, const char *);
    bool room = body && joint;
    for (int b = 0; room && b < m->bodies; b++)
        if (m->body[b].has_mass) body[p->bodies++] = m->body[b].name;
    for (int i = 0; room && i < m->particles; i++)
        body[p->bodies++] = m->element[m->particle[i].point].name;
    for (int i = 0; room && i < m->joints; i++) joint[p->joints++] = m->joint[i].name;
    for (int i = 0; room && i < p->bodies; i++) /* the model may go before the linearisation */
        room = (body[i] = taut_arena_copy(arena, body[i], strlen(body[i]))) != NULL;
    for (int i = 0; room && i < p->joints; i++)
        room = (joint[i] = taut_arena_copy(arena, joint[i], strlen(joint[i]))) != NULL;
    p->body = body;
    p->joint = joint;
    return room ? TAUT_OK : TAUT_ERR_MEMORY;
}

static taut_status find_all(const anatomy *a, const double *S, taut_arena *arena) {
    taut_linear_point *p = a->point;
    const size_t n = (size_t)p->states, bodies = (size_t)p->bodies, joints = (size_t)p->joints;
    const size_t shapes = (size_t)p->shapes;
    double(*shape)[2] = taut_arena_array(arena, n * shapes + 1, sizeof *shape);
    double *energy = TAUT_NEW_ARRAY(arena, n * bodies + 1, double);
    double *play = TAUT_NEW_ARRAY(arena, n * joints + 1, double);
    int(*span)[2] = find_spans(a, S, arena);
    if (!shape || !energy || !play || !span) return TAUT_ERR_MEMORY;
    p->shape_in = (const double(*)[2])shape;
    p->energy = energy;
    p->play = play;
    for (int k = 0; k < p->states; k++) {
        const int partner = partner_of(p, k);
        double(*own)[2] = shape + (size_t)k * shapes;
        if (partner < 0) {
            find_shape(a, S, k, (const int(*)[2])span, own);
            find_mode(a, k, energy + (size_t)k * bodies, play + (size_t)k * joints);
            continue;
        }
        for (size_t i = 0; i < shapes; i++) {
            own[i][0] = shape[(size_t)partner * shapes + i][0];
            own[i][1] = -shape[(size_t)partner * shapes + i][1];
        }
        memcpy(energy + (size_t)k * bodies, energy + (size_t)partner * bodies,
               bodies * sizeof *energy);
        memcpy(play + (size_t)k * joints, play + (size_t)partner * joints, joints * sizeof *play);
    }
    return TAUT_OK;
}

taut_status taut_linear_bodies(const taut_problem *problem, const taut_catalogue *catalogue,
                               const taut_picks *shapes, const double *S, const double *y0,
                               taut_arena *arena, taut_linear_point *point) {
    taut_arena work = {0};
    const taut_mechanism *m = problem->model->mechanism;
    anatomy a = {.problem = problem,
                 .mechanism = m,
                 .graph = problem->model->graph,
                 .point = point,
                 .place = taut_arena_array(&work, (size_t)m->elements + 1, sizeof *a.place),
                 .element = taut_arena_array(&work, (size_t)m->elements + 1, sizeof *a.element),
                 .pose = TAUT_NEW_ARRAY(&work, m->bodies + 1, taut_pose)};
    taut_status status = a.place && a.element && a.pose ? TAUT_OK : TAUT_ERR_MEMORY;
    if (status == TAUT_OK) {
        point->shapes = shapes->count;
        find_places(&a, catalogue, shapes, y0);
        status = name_parts(&a, arena);
    }
    if (status == TAUT_OK) status = find_all(&a, S, arena);
    taut_arena_release(&work);
    return status;
}
