/* The table of modes: a line for a pair of conjugate eigenvalues or a real one, slowest first. */
#include <math.h>
#include <string.h>

#include "core/arena.h"
#include "core/status.h"
#include "core/text.h"
#include "taut/taut.h"

enum { SHOWN = 4 };               /* states of a mode */
static const double WORTH = 0.05; /* of the largest one */

/* Amplitude of a state in a mode: rates are left to their positions, if these are states. */
static double amplitude(const taut_linear_point *p, int k, int i) {
    const double *x = p->mode[k * p->states + i];
    const size_t length = strlen(p->state[i]);
    if (length > 0 && p->state[i][length - 1] == '\'')
        for (int j = 0; j < p->states; j++)
            if (strlen(p->state[j]) == length - 1 &&
                strncmp(p->state[j], p->state[i], length - 1) == 0)
                return 0.0;
    return hypot(x[0], x[1]);
}

static int largest_of(const taut_linear_point *p, int k, const bool *listed) {
    int best = -1;
    for (int i = 0; i < p->states; i++)
        if (!listed[i] && amplitude(p, k, i) > (best < 0 ? 0.0 : amplitude(p, k, best) * 1.000001))
            best = i;
    return best;
}

/* "phi 1, s 0.25 at 90 deg": relative to the largest one. */
static void text_shape(taut_string *out, const taut_linear_point *p, int k, bool *listed) {
    const int n = p->states;
    memset(listed, 0, (size_t)n * sizeof *listed);
    const int first = largest_of(p, k, listed);
    for (int c = 0, i = first; c < SHOWN && i >= 0; c++, i = largest_of(p, k, listed)) {
        const double *x = p->mode[k * n + i], *y = p->mode[k * n + first];
        const double size = amplitude(p, k, i) / amplitude(p, k, first);
        double phase = (atan2(x[1], x[0]) - atan2(y[1], y[0])) * 180.0 / M_PI;
        if (size < WORTH) break;
        listed[i] = true;
        phase = remainder(phase, 360.0);
        const bool opposite = fabs(fabs(phase) - 180.0) < 0.05;
        taut_string_add(out, "%s%s %s%.3g", c ? ", " : "", p->state[i], opposite ? "-" : "", size);
        if (fabs(phase) >= 0.05 && !opposite) taut_string_add(out, " at %.1f deg", phase);
    }
    taut_string_add(out, "\n");
}

static void text_mode(taut_string *out, const taut_linear_point *p, int k, int number,
                      bool *listed) {
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
    text_shape(out, p, k, listed);
}

static double size_of(const taut_linear_point *p, int k) {
    return hypot(p->eigenvalue[k][0], p->eigenvalue[k][1]);
}

static void text_point(taut_string *out, const taut_linear_point *p, int *order, bool *listed) {
    int count = 0;
    for (int k = 0; k < p->states; k++) {
        if (p->eigenvalue[k][1] < 0.0) continue;
        int i = count++;
        for (; i > 0 && size_of(p, k) < size_of(p, order[i - 1]); i--) order[i] = order[i - 1];
        order[i] = k;
    }
    taut_string_add(out, "modes at t = %.10g\nmode  %12s %10s %12s  %-7s  %s\n", p->t, "frequency",
                    "damping", "time const.", "", "what moves");
    for (int i = 0; i < count; i++) text_mode(out, p, order[i], i + 1, listed);
    if (p->zero_modes > 0)
        taut_string_add(out, "%d zero eigenvalue%s: free motion, or rates that stay\n",
                        p->zero_modes, p->zero_modes == 1 ? "" : "s");
    if (!p->steady)
        taut_string_add(out, "the point is not steady: these modes hold for a moment only\n");
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
        int *order = TAUT_NEW_ARRAY(&arena, p->states + 1, int);
        bool *listed = TAUT_NEW_ARRAY(&arena, p->states + 1, bool);
        failed = !order || !listed;
        if (failed) break;
        if (k) taut_string_add(&out, "\n");
        text_point(&out, p, order, listed);
    }
    taut_arena_release(&arena);
    if (failed || out.failed) {
        taut_string_release(&out);
        return TAUT_ERR_MEMORY;
    }
    *text = out.text;
    return TAUT_OK;
}
