/* Default classes of MJCF files: what each says of elements, put together once, and the class of
 * every element. A class begins with what the class around it has said; what stands later in the
 * file counts. */
#include <string.h>

#include "core/text.h"
#include "import/mjcf_parts.h"

enum { MOST_WORDS = 200 /* that a class has for one kind of elements */ };

/* What classes speak of, and the attributes that are read, or that say nothing of the motion. */
static const struct {
    const char *name, *known;
} KIND[TAUT_MJCF_KINDS] = {
    {"joint", "type pos axis damping frictionloss armature limited range stiffness springref ref"},
    {"geom",
     "type size fromto pos quat axisangle xyaxes zaxis euler mesh mass density contype "
     "conaffinity condim priority friction solmix solref solimp margin gap hfield fitscale"},
    {"site", "type size fromto pos quat axisangle xyaxes zaxis euler"},
    {"mesh", "file scale refpos refquat vertex normal texcoord face smoothnormal maxhullvert "
             "content_type inertia"},
    {"equality", "active body1 body2 anchor relpose site1 site2 joint1 joint2 polycoef tendon1 "
                 "tendon2 objtype"},
    {"tendon", "stiffness damping springlength range frictionloss armature limited width"}};

/* Tendons and equalities of all kinds have one name here. */
static int kind_of(const taut_xml *node) {
    const char *outer = node->parent ? node->parent->name : "";
    const bool by_outer = strcmp(outer, "tendon") == 0 || strcmp(outer, "equality") == 0;
    for (int k = 0; k < TAUT_MJCF_KINDS; k++)
        if (strcmp(KIND[k].name, by_outer ? outer : node->name) == 0) return k;
    return -1;
}

void taut_mjcf_leave_others(const taut_mjcf *m, const taut_xml *node) {
    const int kind = kind_of(node);
    if (kind >= 0) taut_mjcf_leave_attributes(m, node, KIND[kind].known);
}

/* ---- what a class says ---- */

/* Room for one more; what is not the class's own yet becomes so. */
static taut_status make_room(taut_mjcf *m, taut_mjcf_words *w) {
    if (w->own && w->count < w->room) return TAUT_OK;
    const int room = 2 * w->count + 4;
    taut_mjcf_word_said *item = TAUT_NEW_ARRAY(&m->robot->arena, room, taut_mjcf_word_said);
    if (!item) return TAUT_ERR_MEMORY;
    if (w->count > 0) memcpy(item, w->item, (size_t)w->count * sizeof *item);
    w->item = item;
    w->room = room;
    w->own = true;
    return TAUT_OK;
}

static taut_status hear(taut_mjcf *m, taut_mjcf_words *w, const taut_xml *by) {
    for (int i = 0; i < by->attributes; i++) {
        const char *name = by->attribute[i].name;
        int k = 0;
        while (k < w->count && strcmp(w->item[k].name, name) != 0) k++;
        if (k == MOST_WORDS)
            return taut_fail_at(m->errors, TAUT_ERR_INPUT, taut_xml_place(by),
                                "a class has more than %d attributes of <%s>", (int)MOST_WORDS,
                                by->name);
        TAUT_TRY(make_room(m, w));
        w->item[k] = (taut_mjcf_word_said){name, by};
        if (k == w->count) w->count++;
    }
    return TAUT_OK;
}

/* The number of a class in *number: a new one like the class around it, or, at the top of the file,
 * the one that is there. */
static taut_status find_class(taut_mjcf *m, const taut_xml *node, int around, int *number) {
    const char *own = taut_xml_get(node, "class");
    const char *name = own ? own : "main";
    if (!own && around >= 0)
        return taut_fail_at(m->errors, TAUT_ERR_INPUT, taut_xml_place(node),
                            "a class inside another one needs a name: <default class=\"...\">");
    *number = taut_roster_get(&m->class_name, name);
    if (*number >= 0 && around < 0 && m->class[*number].around < 0) return TAUT_OK;
    if (*number >= 0)
        return taut_fail_at(m->errors, TAUT_ERR_INPUT, taut_xml_place(node),
                            "the class '%s' is there already, on line %d", name,
                            m->class[*number].line);
    if (taut_grow((void **)&m->class, &m->class_room, (size_t)m->classes + 1, sizeof *m->class))
        return TAUT_ERR_MEMORY;
    *number = m->classes++;
    taut_mjcf_class *c = &m->class[*number];
    *c = (taut_mjcf_class){.line = node->line, .around = around};
    if (around >= 0) memcpy(c->says, m->class[around].says, sizeof c->says);
    for (int k = 0; k < TAUT_MJCF_KINDS; k++) c->says[k].own = false;
    return taut_roster_put(&m->class_name, &m->robot->arena, name, *number);
}

/* First what a class says itself, then the classes inside it. */
static taut_status read_class(taut_mjcf *m, const taut_xml *node, int around) {
    int number = -1;
    TAUT_TRY(find_class(m, node, around, &number));
    for (const taut_xml *x = node->first; x; x = x->next) {
        const int kind = strcmp(x->name, "default") == 0 ? -1 : kind_of(x);
        if (kind < 0) continue;
        taut_mjcf_leave_others(m, x);
        TAUT_TRY(hear(m, &m->class[number].says[kind], x));
    }
    for (const taut_xml *x = taut_xml_child(node, "default"); x; x = taut_xml_next(x, "default"))
        TAUT_TRY(read_class(m, x, number));
    return TAUT_OK;
}

/* ---- classes of elements ---- */

static taut_status name_class(const taut_mjcf *m, const taut_xml *node, const char *attribute,
                              int *number) {
    const char *name = taut_xml_get(node, attribute);
    taut_nearest nearest = {.wanted = name};
    if (!name) return TAUT_OK;
    const int found = taut_roster_get(&m->class_name, name);
    if (found >= 0 || strcmp(name, "main") == 0) {
        *number = found >= 0 ? found : 0;
        return TAUT_OK;
    }
    for (size_t i = 0; i < m->class_name.slots; i++)
        if (m->class_name.name[i]) taut_nearest_offer(&nearest, m->class_name.name[i]);
    return taut_fail_at(m->errors, TAUT_ERR_INPUT, taut_xml_place(node),
                        "there is no class '%s'%s%s%s", name,
                        nearest.best ? "; did you mean '" : "", nearest.best ? nearest.best : "",
                        nearest.best ? "'?" : "");
}

/* An element has the class that it names, or the childclass of what is around it. */
static taut_status give_classes(const taut_mjcf *m, const taut_xml *outer, int number) {
    for (taut_xml *x = outer->first; x; x = x->next) {
        int inner = number;
        if (strcmp(x->name, "default") == 0) continue;
        x->note = number;
        TAUT_TRY(name_class(m, x, "class", &x->note));
        TAUT_TRY(name_class(m, x, "childclass", &inner));
        TAUT_TRY(give_classes(m, x, inner));
    }
    return TAUT_OK;
}

taut_status taut_mjcf_read_classes(taut_mjcf *m) {
    const taut_xml *x = taut_xml_child(m->root, "default");
    for (; x; x = taut_xml_next(x, "default")) TAUT_TRY(read_class(m, x, -1));
    return give_classes(m, m->root, 0);
}

const taut_xml *taut_mjcf_source(const taut_mjcf *m, const taut_xml *node, const char *name) {
    if (taut_xml_get(node, name)) return node;
    const int kind = kind_of(node);
    if (kind < 0 || m->classes == 0) return NULL;
    const taut_mjcf_words *w = &m->class[node->note].says[kind];
    for (int i = 0; i < w->count; i++)
        if (strcmp(w->item[i].name, name) == 0) return w->item[i].by;
    return NULL;
}
