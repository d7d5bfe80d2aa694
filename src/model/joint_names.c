/* Joints by their names: those that arose from sharing may have a name in common, and are told from
 * each other by an element behind @. */
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "model/reader.h"

taut_status taut_list_joints(taut_reader *r) {
    const taut_mechanism *m = r->model->mechanism;
    r->next_joint = TAUT_NEW_ARRAY(&r->model->arena, m->joints, int);
    if (!r->next_joint) return TAUT_ERR_MEMORY;
    for (int i = m->joints - 1; i >= 0; i--) {
        r->next_joint[i] = taut_roster_get(&r->joint, m->joint[i].name);
        TAUT_TRY(taut_roster_put(&r->joint, &r->model->arena, m->joint[i].name, i));
    }
    return TAUT_OK;
}

/* The element by which a joint is told from others of its name: the first one, as it was before it
 * was split. */
static const char *element_of(const taut_mechanism *m, const taut_joint *j) {
    int e = j->point[j->turned ? 1 : 0];
    if (e < 0) e = j->axis[j->turned ? 1 : 0];
    if (e >= m->elements - m->copies) e = m->element[e].original;
    return e >= 0 ? m->element[e].name : "";
}

const char *taut_joint_label(taut_reader *r, int number) {
    const taut_mechanism *m = r->model->mechanism;
    const taut_joint *j = &m->joint[number];
    char text[2 * TAUT_NAME_MAX + 2];
    if (r->next_joint[taut_roster_get(&r->joint, j->name)] < 0) return j->name; /* the only one */
    snprintf(text, sizeof text, "%.*s@%.*s", TAUT_NAME_MAX, j->name, TAUT_NAME_MAX,
             element_of(m, j));
    return taut_arena_copy(&r->model->arena, text, strlen(text));
}

int taut_joint_called(const taut_reader *r, const char *text, size_t n) {
    const taut_mechanism *m = r->model->mechanism;
    char name[4 * TAUT_NAME_MAX];
    if (n >= sizeof name) return -1;
    memcpy(name, text, n);
    name[n] = '\0';
    int i = taut_roster_get(&r->joint, name);
    char *element = strrchr(name, '@');
    if (i >= 0 || !element) return i;
    *element++ = '\0';
    for (i = taut_roster_get(&r->joint, name); i >= 0; i = r->next_joint[i])
        if (strcmp(element_of(m, &m->joint[i]), element) == 0) return i;
    return -1;
}

taut_status taut_find_joint(taut_reader *r, const taut_yaml *node, int *joint) {
    const taut_mechanism *m = r->model->mechanism;
    taut_nearest nearest = {.wanted = node->text};
    *joint = taut_joint_called(r, node->text, strlen(node->text));
    if (*joint >= 0) return TAUT_OK;
    const taut_place place = taut_reader_place(r, node);
    const int offered = taut_errors_would_show(r->errors, place) ? m->joints : 0;
    for (int i = 0; i < offered; i++) taut_nearest_offer(&nearest, m->joint[i].name);
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, place,
                        "there is no joint '%s'%s%s%s; 'taut analyze' lists the joints", node->text,
                        nearest.best ? ": did you mean '" : "", nearest.best ? nearest.best : "",
                        nearest.best ? "'?" : "");
}
