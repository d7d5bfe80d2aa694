/* The table of modes: a line for a pair of conjugate eigenvalues or a real one, slowest first. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/arena.h"
#include "core/status.h"
#include "core/text.h"
#include "taut/taut.h"

enum { SHOWN = 4 };               /* states of a mode */
static const double WORTH = 0.05; /* of the largest one */

/* A point, and what it takes to tell its modes. */
typedef struct table {
    const taut_linear_point *p;
    bool *follows; /* [states] a rate whose position is a state, too: it is left to that */
    bool *listed;  /* [states] work space */
    int *order;    /* [states] modes, slowest first */
} table;

static bool is_rate_of(const char *name, const char *other) {
    const size_t n = strlen(name);
    return strlen(other) == n - 1 && strncmp(other, name, n - 1) == 0;
}

static void find_followers(const table *t) {
    const taut_linear_point *p = t->p;
    for (int i = 0; i < p->states; i++) {
        const size_t n = strlen(p->state[i]);
        t->follows[i] = false;
        if (n == 0 || p->state[i][n - 1] != '\'') continue;
        for (int j = 0; j < p->states && !t->follows[i]; j++)
            t->follows[i] = is_rate_of(p->state[i], p->state[j]);
    }
}

static double amplitude(const table *t, int k, int i) {
    const double *x = t->p->mode[k * t->p->states + i];
    return t->follows[i] ? 0.0 : hypot(x[0], x[1]);
}

static int largest_of(const table *t, int k) {
    int best = -1;
    double most = 0.0;
    for (int i = 0; i < t->p->states; i++) {
        const double size = t->listed[i] ? 0.0 : amplitude(t, k, i);
        if (!(size > most * 1.000001)) continue;
        best = i;
        most = size;
    }
    return best;
}

/* "phi 1, s 0.25 at 90 deg": relative to the largest one. */
static void text_shape(taut_string *out, const table *t, int k) {
    const taut_linear_point *p = t->p;
    const int n = p->states;
    memset(t->listed, 0, (size_t)n * sizeof *t->listed);
    const int first = largest_of(t, k);
    for (int c = 0, i = first; c < SHOWN && i >= 0; c++, i = largest_of(t, k)) {
        const double *x = p->mode[k * n + i], *y = p->mode[k * n + first];
        const double size = amplitude(t, k, i) / amplitude(t, k, first);
        double phase = (atan2(x[1], x[0]) - atan2(y[1], y[0])) * 180.0 / M_PI;
        if (size < WORTH) break;
        t->listed[i] = true;
        phase = remainder(phase, 360.0);
        const bool opposite = fabs(fabs(phase) - 180.0) < 0.05;
        taut_string_add(out, "%s%s %s%.3g", c ? ", " : "", p->state[i], opposite ? "-" : "", size);
        if (fabs(phase) >= 0.05 && !opposite) taut_string_add(out, " at %.1f deg", phase);
    }
    taut_string_add(out, "\n");
}

static void text_mode(taut_string *out, const table *t, int k, int number) {
    const taut_linear_point *p = t->p;
    const double re = p->eigenvalue[k][0], im = p->eigenvalue[k][1], size = hypot(re, im);
    taut_string_add(out, "%4d  ", number);
    if (im != 0.0)
        taut_string_add(out, "%12.8g %10.5g ", size / (2.0 * M_PI), re == 0.0 ? 0.0 : -re / size);
    else
        taut_string_add(out, "%12s %10s ", size == 0.0 ? "0" : "-", "-");
    if (re != 0.0)
        taut_string_add(out, "%12.6g  ", 1.0 / fabs(re));
    else
        taut_string_add(out, "%12s  ", "-");
    taut_string_add(out, "%-7s  ", re > 0.0 ? "grows" : re < 0.0 ? "decays" : "");
    text_shape(out, t, k);
}

/* "OA 60 %, AB 40 %", largest first. */
static void text_shares(taut_string *out, const char *what, const char *const *name, int count,
                        const double *share, bool percent) {
    double before = HUGE_VAL;
    int last = -1, shown = 0;
    for (; shown < SHOWN; shown++) {
        int best = -1;
        for (int i = 0; i < count; i++) {
            const bool later = share[i] < before || (share[i] == before && i > last);
            if (later && share[i] >= WORTH && (best < 0 || share[i] > share[best])) best = i;
        }
        if (best < 0) break;
        taut_string_add(out, "%s%s ", shown ? ", " : what, name[best]);
        taut_string_add(out, percent ? "%.3g %%" : "%.3g", (percent ? 100.0 : 1.0) * share[best]);
        before = share[best];
        last = best;
    }
    if (shown) taut_string_add(out, "\n");
}

static void text_bodies(taut_string *out, const taut_linear_point *p, int k) {
    static const char indent[] = "      ";
    char what[40];
    snprintf(what, sizeof what, "%senergy in ", indent);
    text_shares(out, what, p->body, p->bodies, p->energy + (size_t)k * (size_t)p->bodies, true);
    snprintf(what, sizeof what, "%sjoints ", indent);
    text_shares(out, what, p->joint, p->joints, p->play + (size_t)k * (size_t)p->joints, false);
}

static double size_of(const taut_linear_point *p, int k) {
    return hypot(p->eigenvalue[k][0], p->eigenvalue[k][1]);
}

static void text_point(taut_string *out, const table *t) {
    const taut_linear_point *p = t->p;
    int count = 0, *order = t->order;
    find_followers(t);
    for (int k = 0; k < p->states; k++) {
        if (p->eigenvalue[k][1] < 0.0) continue;
        int i = count++;
        for (; i > 0 && size_of(p, k) < size_of(p, order[i - 1]); i--) order[i] = order[i - 1];
        order[i] = k;
    }
    taut_string_add(out, "modes at t = %.10g\nmode  %12s %10s %12s  %-7s  %s\n", p->t, "frequency",
                    "damping", "time const.", "", "what moves");
    for (int i = 0; i < count; i++) {
        text_mode(out, t, order[i], i + 1);
        if (p->bodies + p->joints > 0) text_bodies(out, p, order[i]);
    }
    if (p->zero_modes > 0)
        taut_string_add(out, "%d zero eigenvalue%s: free motion, or rates that stay\n",
                        p->zero_modes, p->zero_modes == 1 ? "" : "s");
    if (!p->steady)
        taut_string_add(out, "the point is not steady: these modes hold for a moment only\n");
    if (p->side[0])
        taut_string_add(out, "the point lies on a kink: these modes are those for %s\n", p->side);
}

taut_status taut_linear_modes(const taut_linear *l, char **text) {
    taut_string out = {0};
    taut_arena arena = {0};
    TAUT_NEED(text, "text", NULL);
    *text = NULL;
    TAUT_NEED(l, "linear", NULL);
    bool failed = false;
    for (int k = 0; k < taut_linear_points(l) && !failed; k++) {
        const taut_linear_point *p = taut_linear_at(l, k);
        const table t = {p, TAUT_NEW_ARRAY(&arena, p->states + 1, bool),
                         TAUT_NEW_ARRAY(&arena, p->states + 1, bool),
                         TAUT_NEW_ARRAY(&arena, p->states + 1, int)};
        failed = !t.order || !t.listed || !t.follows;
        if (failed) break;
        if (k) taut_string_add(&out, "\n");
        text_point(&out, &t);
    }
    taut_arena_release(&arena);
    if (failed || out.failed) {
        taut_string_release(&out);
        return TAUT_ERR_MEMORY;
    }
    *text = out.text;
    return TAUT_OK;
}
