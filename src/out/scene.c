/* From a mechanism to what a page draws: which point is where, and which body has it. */
#include "out/scene.h"

#include <math.h>
#include <string.h>

int taut_scene_add_point(taut_scene *s, const taut_scene_point *point) {
    if (taut_grow((void **)&s->point, &s->point_room, (size_t)s->points + 1, sizeof *s->point))
        return -1;
    s->point[s->points] = *point;
    return s->points++;
}

/* ---- points and vectors ---- */

taut_scene_point taut_scene_element_point(const taut_scene *s, int e) {
    const double *fixed = &s->columns->result->description.fixed[3 * e];
    taut_scene_point p = {.name = s->mechanism->element[e].name, .particle = (double)NAN};
    p.moves = s->columns->of[e][0] >= 0;
    memcpy(p.fixed, fixed, sizeof p.fixed);
    memcpy(p.column, s->columns->of[e], sizeof p.column);
    return p;
}

/* One point for every element, whichever bodies share it. */
static taut_status take_points(taut_scene *s) {
    const taut_mechanism *m = s->mechanism;
    int vectors = 0;
    for (int e = 0; e < m->elements; e++) {
        const taut_scene_point p = taut_scene_element_point(s, e);
        s->point_of[e] = m->element[e].is_vector ? vectors++ : taut_scene_add_point(s, &p);
        if (s->point_of[e] < 0) return TAUT_ERR_MEMORY;
    }
    for (int i = 0; i < m->particles; i++)
        s->point[s->point_of[m->particle[i].point]].particle =
            taut_scene_number(s, m->particle[i].mass);
    for (int b = 0; b < m->bodies; b++) {
        const taut_body *body = &m->body[b];
        s->body_point[b] = TAUT_NEW_ARRAY(s->arena, body->elements, int);
        if (!s->body_point[b]) return TAUT_ERR_MEMORY;
        for (int i = 0; i < body->elements; i++)
            s->body_point[b][i] = s->point_of[body->element[i]];
    }
    return TAUT_OK;
}

/* Vectors are drawn at a joint whose axis they are, or at the origin of a body that has them. */
static void place_vectors(taut_scene *s) {
    const taut_mechanism *m = s->mechanism;
    for (int e = 0; e < m->elements; e++) s->vector_at[e] = -1;
    for (int i = 0; i < m->joints; i++)
        for (int k = 0; k < 2; k++) {
            const taut_joint *j = &m->joint[i];
            if (j->axis[k] >= 0 && j->point[k] >= 0 && s->vector_at[j->axis[k]] < 0)
                s->vector_at[j->axis[k]] = s->point_of[j->point[k]];
        }
    for (int b = 0; b < m->bodies; b++)
        for (int i = 0; i < m->body[b].elements; i++) {
            const int e = m->body[b].element[i];
            if (m->element[e].is_vector && s->vector_at[e] < 0)
                s->vector_at[e] = s->body_point[b][0];
        }
}

/* ---- the scene ---- */

taut_status taut_scene_create(taut_scene *s, taut_columns *columns, bool open) {
    const taut_mechanism *m = columns->model && columns->result ? columns->model->mechanism : NULL;
    *s = (taut_scene){.arena = columns->arena,
                      .model = columns->model,
                      .mechanism = m,
                      .columns = columns,
                      .open = open && m};
    if (!m) return TAUT_OK;
    s->point_of = TAUT_NEW_ARRAY(s->arena, m->elements, int);
    s->vector_at = TAUT_NEW_ARRAY(s->arena, m->elements, int);
    s->body_point = TAUT_NEW_ARRAY(s->arena, m->bodies, int *);
    s->centroid = TAUT_NEW_ARRAY(s->arena, m->bodies, taut_scene_centroid);
    s->force = TAUT_NEW_ARRAY(s->arena, m->links, int);
    s->load = taut_arena_array(s->arena, (size_t)m->loads, sizeof *s->load);
    if (!s->point_of || !s->vector_at || !s->body_point || !s->centroid || !s->force || !s->load)
        return TAUT_ERR_MEMORY;
    TAUT_TRY(take_points(s));
    if (s->open) TAUT_TRY(taut_scene_open(s));
    place_vectors(s);
    for (int b = 0; b < m->bodies; b++) taut_scene_find_centroid(s, b);
    for (int i = 0; i < m->links; i++) TAUT_TRY(taut_scene_add_force(s, i));
    TAUT_TRY(taut_scene_find_surfaces(s));
    TAUT_TRY(taut_graph_copy(s->model->graph, &s->graph));
    for (int i = 0; i < m->loads; i++) TAUT_TRY(taut_scene_add_load(s, i));
    return TAUT_OK;
}

void taut_scene_release(taut_scene *s) {
    taut_graph_free(&s->graph);
    taut_release((void **)&s->point);
}
