/* A point that is dragged: the mechanism follows it as far as its joints let it
 * (task/kinematics_reach). */
#include <math.h>
#include <string.h>

#include "core/text.h"
#include "live/engine.h"
#include "live/hand.h"
#include "task/kinematics.h"

enum { MOST_PARTS = 3 };

static struct hand {
    bool open;
    taut_linkage linkage;
    taut_values table; /* of all positions */
    double *z, *value; /* [n] where it is; [count] the positions there */
    int count;
    taut_string names; /* of the positions, with commas */
    taut_errors errors;
} hand;

void live_release(void) {
    if (hand.open) taut_linkage_release(&hand.linkage);
    taut_string_release(&hand.names);
    hand = (struct hand){0};
}

/* Programs for all columns that are positions. */
static taut_status make_table(void) {
    taut_linkage *l = &hand.linkage;
    const taut_problem *p = l->problem;
    int *d = TAUT_NEW_ARRAY(&l->arena, p->variables, int);
    taut_node *target = TAUT_NEW_ARRAY(&l->arena, p->columns + 1, taut_node);
    hand.value = TAUT_NEW_ARRAY(&l->arena, p->columns + 1, double);
    hand.z = TAUT_NEW_ARRAY(&l->arena, l->n, double);
    if (!d || !target || !hand.value || !hand.z) return TAUT_ERR_MEMORY;
    memcpy(hand.z, l->z, (size_t)l->n * sizeof *hand.z);
    for (int i = 0; i < p->columns; i++) {
        bool position = false;
        TAUT_TRY(taut_linkage_has(l, p->column[i].node, &position));
        if (!position) continue;
        taut_string_add(&hand.names, "%s%s", hand.count ? "," : "", p->column[i].name);
        target[hand.count++] = p->column[i].node;
    }
    const taut_values_wanted wanted = {.target = target, .targets = (size_t)hand.count};
    TAUT_TRY(taut_values_create(p->graph, d, p->variables, wanted, &l->arena, &hand.table));
    taut_linkage_hold(l, &hand.table);
    return hand.names.failed ? TAUT_ERR_MEMORY : TAUT_OK;
}

int live_grip(char *names) {
    const char *part[MOST_PARTS];
    int parts = 0;
    live_release();
    if (!live_model()) return TAUT_ERR_CALL;
    for (char *at = names; at && parts < MOST_PARTS;) {
        char *comma = strchr(at, ',');
        part[parts++] = at;
        if (comma) *comma = '\0';
        at = comma ? comma + 1 : NULL;
    }
    hand.open = true;
    TAUT_TRY(taut_linkage_open(live_model(), part, parts, &hand.linkage, &hand.errors));
    return make_table();
}

const char *live_refusal(void) { return hand.errors.count ? hand.errors.item[0].message : ""; }

void live_place(const char *name, double value) {
    const taut_problem *p = hand.linkage.problem;
    for (int j = 0; hand.z && j < hand.linkage.n; j++)
        if (strcmp(p->variable[j].name, name) == 0) hand.z[j] = value;
}

double live_drag(double x, double y, double z) {
    const double wanted[MOST_PARTS] = {x, y, z};
    double distance = (double)NAN;
    if (!hand.z) return distance;
    if (taut_reach_towards(&hand.linkage, wanted, hand.z, &distance) != TAUT_OK) return (double)NAN;
    taut_linkage_put(&hand.linkage, &hand.table, 0, hand.z);
    taut_values_find(&hand.table, hand.linkage.t, hand.value);
    return distance;
}

const char *live_position_names(void) { return hand.names.text; }
const double *live_positions(void) { return hand.value; }
int live_position_count(void) { return hand.count; }
