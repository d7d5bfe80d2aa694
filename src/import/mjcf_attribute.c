/* Attributes of MJCF elements, their own or those of their class, as words, numbers and
 * orientations; what is left out of them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "import/mjcf_parts.h"

/* ---- words and numbers ---- */

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
