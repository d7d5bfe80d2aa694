/* Attributes of MJCF elements: their own, or those of their default class; words, orientations. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "import/mjcf_parts.h"

/* ---- defaults ---- */

enum { KEY = 96 };

/* Counts classes and what they say. */
static void count_classes(const taut_xml *node, int count[2]) {
    for (const taut_xml *x = node->first; x; x = x->next) {
        const bool is_class = strcmp(x->name, "default") == 0;
        count[is_class ? 0 : 1]++;
        if (is_class) count_classes(x, count);
    }
}

/* The key of what a class says of an element. */
static void write_key(char key[KEY], const taut_xml *class, const char *name) {
    snprintf(key, KEY, "%p/%.60s", (const void *)class, name);
}

static taut_status list_given(taut_mjcf *m, const taut_xml *class, int *count) {
    char key[KEY];
    for (const taut_xml *x = class->first; x; x = x->next) {
        write_key(key, class, x->name);
        if (strcmp(x->name, "default") == 0 || taut_roster_get(&m->given_name, key) >= 0) continue;
        const char *own = taut_arena_copy(&m->robot->arena, key, strlen(key));
        if (!own) return TAUT_ERR_MEMORY;
        TAUT_TRY(taut_roster_put(&m->given_name, &m->robot->arena, own, *count));
        m->given[(*count)++] = x;
    }
    return TAUT_OK;
}

/* The first class of a name counts. The outermost has the name main. */
static taut_status list_classes(taut_mjcf *m, const taut_xml *node, int count[2]) {
    for (const taut_xml *x = taut_xml_child(node, "default"); x; x = taut_xml_next(x, "default")) {
        const char *own = taut_xml_get(x, "class");
        const char *name = own ? own : node == m->root ? "main" : "";
        m->class[count[0]] = x;
        if (taut_roster_get(&m->class_name, name) < 0)
            TAUT_TRY(taut_roster_put(&m->class_name, &m->robot->arena, name, count[0]));
        count[0]++;
        TAUT_TRY(list_given(m, x, &count[1]));
        TAUT_TRY(list_classes(m, x, count));
    }
    return TAUT_OK;
}

taut_status taut_mjcf_list_classes(taut_mjcf *m) {
    int count[2] = {0};
    count_classes(m->root, count);
    m->class = TAUT_NEW_ARRAY(&m->robot->arena, count[0], const taut_xml *);
    m->given = TAUT_NEW_ARRAY(&m->robot->arena, count[1], const taut_xml *);
    memset(count, 0, sizeof count);
    return m->class && m->given ? list_classes(m, m->root, count) : TAUT_ERR_MEMORY;
}

static const taut_xml *find_default(const taut_mjcf *m, const char *name) {
    const int number = taut_roster_get(&m->class_name, name);
    return number < 0 ? NULL : m->class[number];
}

/* What a class says of elements with this name; NULL: nothing. */
static const taut_xml *find_given(const taut_mjcf *m, const taut_xml *class, const char *name) {
    char key[KEY];
    write_key(key, class, name);
    const int number = taut_roster_get(&m->given_name, key);
    return number < 0 ? NULL : m->given[number];
}

/* The class of an element: its own, or the childclass of a body around it. */
static const char *class_of(const taut_xml *node) {
    const char *own = taut_xml_get(node, "class");
    for (const taut_xml *x = node->parent; x && !own; x = x->parent)
        own = taut_xml_get(x, "childclass");
    return own ? own : "main";
}

/* What <default> calls an element: tendons and equalities of all kinds have one name. */
static const char *default_name(const taut_xml *node) {
    const char *outer = node->parent ? node->parent->name : "";
    return strcmp(outer, "tendon") == 0 || strcmp(outer, "equality") == 0 ? outer : node->name;
}

const taut_xml *taut_mjcf_source(const taut_mjcf *m, const taut_xml *node, const char *name) {
    if (taut_xml_get(node, name)) return node;
    const taut_xml *d = find_default(m, class_of(node));
    const char *kind = default_name(node);
    for (; d && strcmp(d->name, "default") == 0; d = d->parent)
        for (const taut_xml *x = find_given(m, d, kind); x; x = taut_xml_next(x, kind))
            if (taut_xml_get(x, name)) return x;
    return NULL;
}

const char *taut_mjcf_text(const taut_mjcf *m, const taut_xml *node, const char *name) {
    const taut_xml *source = taut_mjcf_source(m, node, name);
    return source ? taut_xml_get(source, name) : NULL;
}

taut_status taut_mjcf_number(const taut_mjcf *m, const taut_xml *node, const char *name,
                             double *value) {
    const taut_xml *source = taut_mjcf_source(m, node, name);
    return source ? taut_xml_number(source, name, value, m->errors) : TAUT_OK;
}

taut_status taut_mjcf_numbers(const taut_mjcf *m, const taut_xml *node, const char *name,
                              double *value, int least, int count, int *found) {
    const taut_xml *source = taut_mjcf_source(m, node, name);
    int seen = 0;
    if (found) *found = 0;
    if (!source) return TAUT_OK;
    TAUT_TRY(taut_xml_some_numbers(source, name, value, least, count, &seen, m->errors));
    if (found) *found = seen;
    return TAUT_OK;
}

taut_status taut_mjcf_word(const taut_mjcf *m, const taut_xml *node, const char *name,
                           const char *const *word, int words, int *value) {
    const taut_xml *source = taut_mjcf_source(m, node, name);
    const char *text = source ? taut_xml_get(source, name) : NULL;
    taut_nearest nearest = {.wanted = text};
    if (!text) return TAUT_OK;
    for (int i = 0; i < words; i++) {
        if (strcmp(text, word[i]) == 0) {
            *value = i;
            return TAUT_OK;
        }
        taut_nearest_offer(&nearest, word[i]);
    }
    return taut_fail_at(m->errors, TAUT_ERR_INPUT, taut_xml_place(source),
                        "%s of <%s> cannot be '%s'%s%s%s", name, node->name, text,
                        nearest.best ? "; did you mean '" : "", nearest.best ? nearest.best : "",
                        nearest.best ? "'?" : "");
}

/* ---- orientations ---- */

double taut_mjcf_angle(const taut_mjcf *m, double value) {
    return m->radians ? value : value * (M_PI / 180.0);
}

/* Angles about axes in the file's order: small letters about axes that turn along. */
static void turn_euler(const taut_mjcf *m, const double angle[3], double R[9]) {
    memcpy(R, taut_frame_none.R, sizeof taut_frame_none.R);
    for (int i = 0; i < 3; i++) {
        const char letter = m->sequence[i];
        const bool fixed = letter >= 'X' && letter <= 'Z';
        double axis[3] = {0}, one[9];
        axis[letter - (fixed ? 'X' : 'x')] = 1.0;
        taut_frame_axis_angle(axis, taut_mjcf_angle(m, angle[i]), one);
        taut_matrix_multiply(fixed ? one : R, fixed ? R : one, R);
    }
}

static taut_status refuse(const taut_mjcf *m, const taut_xml *node, const char *name) {
    return taut_fail_at(m->errors, TAUT_ERR_INPUT, taut_xml_place(node),
                        "%s of <%s> has no direction", name, node->name);
}

/* Columns x, y and their product; y is made to stand across x. */
static taut_status turn_axes(const taut_mjcf *m, const taut_xml *node, const double v[6],
                             double R[9]) {
    double x[3] = {v[0], v[1], v[2]}, y[3] = {v[3], v[4], v[5]};
    if (!taut_unit(x)) return refuse(m, node, "xyaxes");
    const double along = x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
    for (int i = 0; i < 3; i++) y[i] -= along * x[i];
    if (!taut_unit(y)) return refuse(m, node, "xyaxes");
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        R[3 * i] = x[i];
        R[3 * i + 1] = y[i];
        R[3 * i + 2] = x[j] * y[k] - x[k] * y[j];
    }
    return TAUT_OK;
}

static taut_status turn(const taut_mjcf *m, const taut_xml *node, const char *name,
                        const double v[6], double R[9]) {
    double u[3] = {v[0], v[1], v[2]};
    if (strcmp(name, "quat") == 0)
        return taut_frame_quaternion(v, R) ? TAUT_OK : refuse(m, node, name);
    if (strcmp(name, "xyaxes") == 0) return turn_axes(m, node, v, R);
    if (strcmp(name, "euler") == 0) {
        turn_euler(m, v, R);
        return TAUT_OK;
    }
    if (!taut_unit(u)) return refuse(m, node, name);
    if (strcmp(name, "zaxis") == 0)
        taut_frame_from_z(u, R);
    else
        taut_frame_axis_angle(u, taut_mjcf_angle(m, v[3]), R);
    return TAUT_OK;
}

taut_status taut_mjcf_frame(const taut_mjcf *m, const taut_xml *node, taut_robot_frame *frame) {
    static const struct {
        const char *name;
        int count;
    } way[] = {{"quat", 4}, {"axisangle", 4}, {"xyaxes", 6}, {"zaxis", 3}, {"euler", 3}};
    const char *used = NULL;
    *frame = taut_frame_none;
    TAUT_TRY(taut_mjcf_numbers(m, node, "pos", frame->p, 3, 3, NULL));
    for (int i = 0; i < 5; i++) {
        double v[6] = {0};
        int found;
        TAUT_TRY(taut_mjcf_numbers(m, node, way[i].name, v, way[i].count, way[i].count, &found));
        if (found == 0) continue;
        if (used)
            return taut_fail_at(m->errors, TAUT_ERR_INPUT, taut_xml_place(node),
                                "<%s> has %s and %s: one orientation is enough", node->name, used,
                                way[i].name);
        used = way[i].name;
        TAUT_TRY(turn(m, node, used, v, frame->R));
    }
    return TAUT_OK;
}

/* ---- what is left out ---- */

static bool is_among(const char *words, const char *word) {
    const size_t n = strlen(word);
    for (const char *p = strstr(words, word); p; p = strstr(p + 1, word))
        if ((p == words || p[-1] == ' ') && (p[n] == ' ' || !p[n])) return true;
    return false;
}

void taut_mjcf_leave_attributes(const taut_mjcf *m, const taut_xml *node, const char *known) {
    for (int i = 0; i < node->attributes; i++)
        if (!is_among("name class childclass rgba group material user", node->attribute[i].name) &&
            !is_among(known, node->attribute[i].name))
            taut_robot_leave_out(m->robot, "attribute %s of <%s>", node->attribute[i].name,
                                 node->name);
}
