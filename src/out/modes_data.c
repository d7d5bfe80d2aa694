/* Modes for a page: what they are, what moves in them, and the shapes of all points. */
#include "out/modes_data.h"

#include <math.h>
#include <string.h>

#include "out/json.h"

enum {
    MOST = 100, /* modes, slowest first: more would make a page of many points too large */
    LISTED = 8  /* states, bodies and joints of a mode */
};
static const double WORTH = 0.01; /* of the largest one */

static double size_of(const taut_linear_point *p, int k) {
    return hypot(p->eigenvalue[k][0], p->eigenvalue[k][1]);
}

/* The slowest modes, one of each pair; returns how many. */
static int choose(const taut_linear_point *p, int order[MOST]) {
    int count = 0;
    for (int k = 0; k < p->states; k++) {
        if (p->eigenvalue[k][1] < 0.0) continue;
        int i = count < MOST ? count++ : count;
        for (; i > 0 && size_of(p, k) < size_of(p, order[i - 1]); i--)
            if (i < MOST) order[i] = order[i - 1];
        if (i < MOST) order[i] = k;
    }
    return count;
}

/* ---- lists of what takes part ---- */

/* The next largest after `last` (-1: the largest); -1: nothing worth it is left. */
static int next_of(const double *share, int count, int last, double most) {
    int best = -1;
    for (int i = 0; i < count; i++) {
        const bool later =
            last < 0 || share[i] < share[last] || (share[i] == share[last] && i > last);
        if (later && share[i] > WORTH * most && (best < 0 || share[i] > share[best])) best = i;
    }
    return best;
}

static double largest_of(const double *share, int count) {
    double most = 0.0;
    for (int i = 0; i < count; i++) most = fmax(most, share[i]);
    return most;
}

static void put_shares(taut_string *out, const char *key, const char *const *name, int count,
                       const double *share) {
    const double most = largest_of(share, count);
    taut_string_add(out, ",\"%s\":[", key);
    for (int c = 0, i = next_of(share, count, -1, most); c < LISTED && i >= 0;
         c++, i = next_of(share, count, i, most)) {
        taut_string_add(out, "%s[", c ? "," : "");
        taut_json_text(out, name[i]);
        taut_string_add(out, ",%.4g]", share[i]);
    }
    taut_string_add(out, "]");
}

static bool is_rate(const char *name) { return strchr(name, '\'') != NULL; }

/* Positions among the states, or all of them: amplitude relative to the largest one, and phase. */
static void put_states(taut_string *out, const taut_linear_point *p, int k, double *share) {
    const double(*x)[2] = p->mode + (size_t)k * (size_t)p->states;
    bool positions = false;
    for (int i = 0; i < p->states; i++) positions = positions || !is_rate(p->state[i]);
    for (int i = 0; i < p->states; i++)
        share[i] = positions && is_rate(p->state[i]) ? 0.0 : hypot(x[i][0], x[i][1]);
    const double most = largest_of(share, p->states);
    const int first = next_of(share, p->states, -1, most);
    taut_string_add(out, ",\"states\":[");
    for (int c = 0, i = first; c < LISTED && i >= 0; c++, i = next_of(share, p->states, i, most)) {
        const double phase = atan2(x[i][1], x[i][0]) - atan2(x[first][1], x[first][0]);
        taut_string_add(out, "%s[", c ? "," : "");
        taut_json_text(out, p->state[i]);
        taut_string_add(out, ",%.4g,%.4g]", share[i] / most,
                        remainder(phase * 180.0 / M_PI, 360.0));
    }
    taut_string_add(out, "]");
}

/* ---- a mode ---- */

static void put_mode(taut_string *out, const taut_linear_point *p, int k, double *share) {
    const size_t shapes = (size_t)p->shapes;
    taut_string_add(out, "\n{\"re\":");
    taut_json_number(out, p->eigenvalue[k][0], 10);
    taut_string_add(out, ",\"im\":");
    taut_json_number(out, p->eigenvalue[k][1], 10);
    taut_string_add(out, ",\"condition\":");
    taut_json_number(out, p->condition[k], 4);
    put_states(out, p, k, share);
    put_shares(out, "energy", p->body, p->bodies,
               p->bodies ? p->energy + (size_t)k * (size_t)p->bodies : NULL);
    put_shares(out, "joints", p->joint, p->joints,
               p->joints ? p->play + (size_t)k * (size_t)p->joints : NULL);
    taut_string_add(out, ",\"shape\":\"");
    if (shapes > 0) taut_columns_floats(out, p->shape_in[(size_t)k * shapes], 2 * shapes);
    taut_string_add(out, "\"}");
}

/* The column of a name, looked for from *from on. */
static int find_column(const taut_columns *c, const char *name, int *from) {
    for (int i = 0; i < c->columns; i++) {
        const int k = (*from + i) % c->columns;
        if (strcmp(c->column[k].name, name) == 0 && strcmp(c->column[k].kind, "hidden") != 0)
            return *from = k;
    }
    return -1;
}

void taut_modes_data_write(const taut_linear_point *p, const taut_columns *c, taut_string *out) {
    taut_arena work = {0};
    int order[MOST], from = 0;
    if (!p) {
        taut_string_add(out, ",\n\"modes\":null");
        return;
    }
    double *share = TAUT_NEW_ARRAY(&work, p->states + 1, double);
    if (!share) {
        out->failed = true;
        return;
    }
    const int count = choose(p, order);
    taut_string_add(out, ",\n\"modes\":{\"t\":");
    taut_json_number(out, p->t, 17);
    taut_string_add(out, ",\"steady\":%s,\"zero\":%d,\"contacts\":", p->steady ? "true" : "false",
                    p->zero_modes);
    taut_json_text(out, p->contacts);
    taut_string_add(out, ",\"columns\":[");
    for (int i = 0; i < p->shapes; i++)
        taut_string_add(out, "%s%d", i ? "," : "", find_column(c, p->shape[i], &from));
    taut_string_add(out, "],\"list\":[");
    for (int i = 0; i < count; i++) {
        if (i) taut_string_add(out, ",");
        put_mode(out, p, order[i], share);
    }
    taut_string_add(out, "]}");
    taut_arena_release(&work);
}
