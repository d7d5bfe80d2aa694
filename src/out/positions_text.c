/* Kinematics in words: dead points, ranges, targets. */
#include <string.h>

#include "core/text.h"
#include "task/kinematics.h"

static const double DEGREES = 180.0 / 3.14159265358979323846;

static void add_value(taut_string *s, double value, bool angle) {
    if (angle)
        taut_string_add(s, "%.10g (%.6g deg)", value, value * DEGREES);
    else
        taut_string_add(s, "%.10g", value);
}

static void add_branch(taut_string *s, const taut_kinematics *k, int branch) {
    if (k->branches > 1) taut_string_add(s, " (branch %d)", branch);
}

static void add_turning(taut_string *s, const taut_kinematics *k, const taut_turn_back *t) {
    bool angle = t->dead && k->drive_angle;
    for (size_t i = 0; i < k->ranges; i++)
        if (!t->dead && k->range[i].branch == t->branch && strcmp(k->range[i].what, t->what) == 0)
            angle = k->range[i].angle;
    taut_string_add(s, t->dead ? "  dead point of %s at " : "  %s turns back at ", t->what);
    add_value(s, t->value, angle);
    if (!t->dead) {
        taut_string_add(s, ", where %s = ", k->drive);
        add_value(s, t->at, k->drive_angle);
    }
    if (t->words[0]) taut_string_add(s, ": %s", t->words);
    add_branch(s, k, t->branch);
    taut_string_add(s, "\n");
}

static void add_range(taut_string *s, const taut_kinematics *k, const taut_motion_range *r) {
    taut_string_add(s, "  %s from ", r->what);
    add_value(s, r->low, r->angle);
    taut_string_add(s, " to ");
    add_value(s, r->high, r->angle);
    add_branch(s, k, r->branch);
    taut_string_add(s, "\n");
}

static void add_reach(taut_string *s, const taut_reach *r) {
    if (r->positions > 1)
        taut_string_add(s, "  %s can be reached in %d ways\n", r->target, r->positions);
    else if (r->positions == 1)
        taut_string_add(s, "  %s can be reached\n", r->target);
    else
        taut_string_add(s,
                        "  %s cannot be reached: the nearest place that was found is %.10g "
                        "away\n",
                        r->target, r->distance);
}

taut_status taut_kinematics_text(const taut_kinematics *k, char **text) {
    taut_string s = {0};
    TAUT_NEED(text, "text", NULL);
    *text = NULL;
    TAUT_NEED(k, "kinematics", NULL);
    if (k->drive)
        taut_string_add(&s, "positions along %s: %ld rows, %d assembl%s\n", k->drive,
                        k->result->rows, k->branches, k->branches == 1 ? "y" : "ies");
    for (size_t i = 0; i < k->turnings; i++) add_turning(&s, k, &k->turning[i]);
    for (size_t i = 0; i < k->ranges; i++) add_range(&s, k, &k->range[i]);
    for (size_t i = 0; i < k->reaches; i++) add_reach(&s, &k->reach[i]);
    *text = s.failed ? NULL : s.text;
    if (s.failed) taut_string_release(&s);
    return *text ? TAUT_OK : TAUT_ERR_MEMORY;
}
