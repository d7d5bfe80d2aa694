/* The natural problem's elements as outputs of a series at the start. */
#include "task/handover.h"

#include <math.h>
#include <string.h>

#include "form/kin.h"
#include "solve/state.h"
#include "taut/state.h"

/* The stage that must be known for the velocities of all elements. */
static int find_stage(const taut_prepared *p, const taut_node *node, int count) {
    int stage = -1;
    for (int i = 0; i < count; i++)
        if (1 - p->structure.offset[node[i]] > stage) stage = 1 - p->structure.offset[node[i]];
    return stage;
}

bool taut_hand_over_needs_forces(const taut_prepared *p) {
    const taut_mechanism *m = p->problem->model->mechanism;
    for (int e = 0; e < m->elements; e++)
        if (find_stage(p, p->problem->element[e].c, m->dimension) >= 0) return true;
    return false;
}

/* Moves a series to the point of another one, and on to a stage. */
static taut_status go_to(taut_series *s, const taut_series *point, int stage) {
    taut_state *state;
    TAUT_TRY(taut_state_create(s->system, s->structure, &state));
    taut_state_read(state, point);
    taut_state_write(state, s);
    taut_state_free(&state);
    if (stage < 0) {
        taut_series_look(s, -1);
        return TAUT_OK;
    }
    TAUT_TRY(taut_series_settle(s, false, NULL, NULL));
    taut_series_extend(s, 1, stage);
    return TAUT_OK;
}

/* Places and velocities of all elements, and poses of all bodies. */
static taut_status find_places(const taut_prepared *p, const taut_series *point, taut_arena *arena,
                               taut_start *start) {
    const taut_mechanism *m = p->problem->model->mechanism;
    const int n = m->dimension;
    taut_node *node = TAUT_NEW_ARRAY(arena, m->elements * n, taut_node);
    double(*element)[2][3] = taut_arena_array(arena, (size_t)m->elements, sizeof *element);
    taut_pose *pose = TAUT_NEW_ARRAY(arena, m->bodies, taut_pose);
    taut_series *series;
    if (!node || !element || !pose) return TAUT_ERR_MEMORY;
    for (int i = 0; i < m->elements * n; i++) node[i] = p->problem->element[i / n].c[i % n];
    const int stage = find_stage(p, node, m->elements * n);
    TAUT_TRY(taut_series_create(&p->problem->system, &p->structure, stage > 0 ? stage : 0, node,
                                m->elements * n, &series));
    taut_status status = go_to(series, point, stage);
    for (int i = 0; i < m->elements * n && status == TAUT_OK; i++)
        for (int k = 0; k < 2; k++) element[i / n][k][i % n] = taut_series_output(series, i, k);
    taut_series_free(&series);
    for (int b = 0; b < m->bodies && status == TAUT_OK; b++)
        pose[b] = taut_pose_of(p->problem->model->graph, m, b, (const double(*)[2][3])element);
    start->element = (const double(*)[2][3])element;
    start->body = pose;
    return status;
}

taut_status taut_hand_over(const taut_prepared *p, const taut_series *point, taut_arena *arena,
                           taut_start *start) {
    const taut_system *system = &p->problem->system;
    const int first = p->problem->placing;
    int count = 0;
    *start = (taut_start){0};
    TAUT_TRY(find_places(p, point, arena, start));
    for (int j = first; j < system->n; j++) count += taut_needed(&p->structure, j);
    taut_start_value *value = TAUT_NEW_ARRAY(arena, count, taut_start_value);
    if (!value) return TAUT_ERR_MEMORY;
    for (int j = first; j < system->n; j++)
        for (int k = 0; k < taut_needed(&p->structure, j); k++)
            value[start->values++] =
                (taut_start_value){system->unknown[j].name, k, taut_series_get(point, j, k)};
    start->value = value;
    return TAUT_OK;
}

/* Four variables that are the Euler parameters of a body. */
static bool begins_euler(const taut_system *system, int j) {
    static const char *const part[] = {".e0", ".e1", ".e2", ".e3"};
    for (int i = 0; i < 4; i++) {
        const char *dot = j + i < system->n ? strrchr(system->unknown[j + i].name, '.') : NULL;
        if (!dot || strcmp(dot, part[i]) != 0) return false;
    }
    return true;
}

void taut_hand_over_near(const taut_system *system, const taut_state *other, taut_state *state) {
    static const double whole = 6.283185307179586;
    for (int j = 0; j < system->n; j++) {
        double *own = taut_state_at(state, j, 0), inner = 0.0;
        if (system->unknown[j].group == TAUT_GROUP_ANGLE)
            own[0] -= whole * round((own[0] - *taut_state_at(other, j, 0)) / whole);
        if (!begins_euler(system, j)) continue;
        for (int i = 0; i < 4; i++)
            inner += *taut_state_at(state, j + i, 0) * *taut_state_at(other, j + i, 0);
        for (int i = 0; inner < 0.0 && i < 4; i++)
            for (int k = 0; k <= taut_state_order(state, j + i); k++)
                *taut_state_at(state, j + i, k) *= -1.0;
    }
}
