/* Circles on curves: the place of the rim that is nearest, as an unknown angle with an equation
 * (docs/math/contact.md, section 9). */
#include "model/rim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "expr/substitute.h"
#include "model/outset.h"
#include "model/parts.h"

enum { GUESSES = 24 }; /* directions in which the start is looked for */

taut_status taut_rim_begin(taut_reader *r, const char *name, taut_place place, taut_rim *rim,
                           taut_vec *way) {
    taut_graph *g = r->model->graph;
    char text[2 * TAUT_NAME_MAX];
    snprintf(text, sizeof text, "%.*s.angle", TAUT_NAME_MAX, name);
    const char *own = taut_arena_copy(&r->model->arena, text, strlen(text));
    if (!own) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_contact_need_nothing(r));
    TAUT_TRY(taut_model_add_variable(r->model, own, r->model->groups++, place, &rim->turn));
    r->model->extras++;
    *way = (taut_vec){
        2, {taut_apply(g, TAUT_OP_COS, rim->turn), taut_apply(g, TAUT_OP_SIN, rim->turn)}};
    return TAUT_OK;
}

/* ---- the start ---- */

typedef struct turned {
    taut_graph *graph;
    taut_node turn, angle;
} turned;

static taut_node put_angle(void *user, int leaf) {
    const turned *t = user;
    const taut_node node = taut_leaf(t->graph, leaf);
    return node == t->turn ? t->angle : node;
}

/* A formula at another angle, at the start. */
static bool guess_at(taut_reader *r, const taut_rim *rim, taut_node formula, double angle,
                     double *value) {
    taut_graph *g = r->model->graph;
    turned t = {g, rim->turn, taut_number(g, angle)};
    taut_substitution *substitution;
    taut_node node = TAUT_NO_NODE;
    bool finite;
    if (taut_substitution_create(g, put_angle, &t, &substitution) != TAUT_OK) {
        taut_graph_fail(g);
        return false;
    }
    const taut_status status = taut_substitute(substitution, formula, &node, &finite);
    taut_substitution_free(&substitution);
    return status == TAUT_OK && node != TAUT_NO_NODE && taut_outset_guess(r->symbols, node, value);
}

/* The angle between two at which the gradient changes its sign: regula falsi, by Illinois. */
static double refine(taut_reader *r, const taut_rim *rim, double a, double b) {
    enum { STEPS = 40 };
    double fa, fb, f = 1.0, x = 0.5 * (a + b);
    const double middle = x;
    if (!guess_at(r, rim, rim->facing, a, &fa) || !guess_at(r, rim, rim->facing, b, &fb) ||
        !(fa < 0.0 && fb > 0.0))
        return middle;
    for (int k = 0; k < STEPS && fabs(f) > 1e-15; k++) {
        x = (fa * b - fb * a) / (fa - fb);
        if (!guess_at(r, rim, rim->facing, x, &f)) return middle;
        if (f < 0.0) {
            a = x;
            fa = f;
            fb *= 0.5;
        } else {
            b = x;
            fb = f;
            fa *= 0.5;
        }
    }
    return x;
}

/* Where the rim is nearest, as far as the file says where it begins; otherwise below. */
static double guess(taut_reader *r, const taut_rim *rim) {
    const double step = 2.0 * M_PI / GUESSES;
    double best = -0.5 * M_PI, least = (double)INFINITY, value;
    for (int k = 0; k < GUESSES; k++) {
        const double angle = step * k - M_PI;
        if (!guess_at(r, rim, rim->profile, angle, &value)) return best;
        if (value < least) {
            least = value;
            best = angle;
        }
    }
    return refine(r, rim, best - step, best + step);
}

taut_status taut_rim_close(taut_reader *r, taut_place place, taut_node profile, taut_vec normal,
                           taut_rim *rim) {
    taut_graph *g = r->model->graph;
    const taut_vec across = {2,
                             {taut_scale(g, -1.0, taut_apply(g, TAUT_OP_SIN, rim->turn)),
                              taut_apply(g, TAUT_OP_COS, rim->turn)}};
    const char *name = r->model->variable[r->model->variables - 1].name;
    rim->profile = profile;
    rim->facing = taut_vec_inner(g, normal, across);
    rim->outset = guess(r, rim);
    if (taut_graph_failed(g)) return TAUT_ERR_MEMORY;
    return taut_reader_add_formula(r, &r->model->equations, taut_vec_scalar(rim->facing), name,
                                   place);
}
