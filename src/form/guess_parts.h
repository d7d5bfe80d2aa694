/* What the guesses from bodies and joints and those from angles share. Private to the room. */
#ifndef TAUT_FORM_GUESS_PARTS_H
#define TAUT_FORM_GUESS_PARTS_H

#include "form/guess.h"

/* A direction in the axes of a body, and in the world; of any length. */
typedef struct taut_guess_direction {
    taut_vec local, world;
} taut_guess_direction;

typedef struct taut_guesser {
    taut_mechanics *n;
    const taut_mechanism *m;
    taut_graph *g;
    taut_vec *element;                  /* [elements] n = 0: not known */
    taut_node *scalar;                  /* [leaves] angles and distances; TAUT_NO_NODE: not known */
    bool *tied;                         /* [angles] by a driver or a gear */
    taut_guess_direction (*heading)[2]; /* [bodies] that angles say */
    int *headings;                      /* [bodies] */
    bool *used;                         /* [angles] it has said one */
    bool *placed;                       /* [bodies] nothing more to be found */
    bool progress;
    taut_substitution *substitution; /* by what is known */
} taut_guesser;

static inline taut_vec taut_guess_minus(taut_graph *g, taut_vec a, taut_vec b) {
    return taut_kin_add(g, a, -1.0, b);
}

static inline taut_vec taut_guess_unit(taut_graph *g, taut_vec v) {
    return taut_kin_divided(g, v, taut_vec_norm(g, v));
}

/* What v has across a unit vector. */
static inline taut_vec taut_guess_across(taut_graph *g, taut_vec v, taut_vec axis) {
    return taut_guess_minus(g, v, taut_vec_scale(g, taut_vec_inner(g, v, axis), axis));
}

/* Something has become known; what was known already stays. */
void taut_guess_learn(taut_guesser *x, int element, taut_vec at);
void taut_guess_learn_scalar(taut_guesser *x, int leaf, taut_node value);
/* The leaf that a node is; -1: it is something else. */
int taut_guess_leaf(const taut_guesser *x, taut_node node);
/* A formula of known elements and coordinates; n = 0: it has others. */
taut_status taut_guess_evaluate(taut_guesser *x, taut_vec formula, taut_vec *value);
/* The local coordinates of an element of a body; n = 0: it is not one of them. */
taut_vec taut_guess_local(const taut_guesser *x, int body, int element);
/* The axes of a body in the world; n = 0: not known. */
taut_vec taut_guess_axes(const taut_guesser *x, int body, taut_vec axis[3]);

/* An angle or a joint says a direction of a body. */
void taut_guess_note_heading(taut_guesser *x, int body, taut_vec local, taut_vec world);
/* An angle with a value says a direction, ... */
taut_status taut_guess_use_angle(taut_guesser *x, int k);
/* ... one of known directions that has no value gets one, up to whole turns. */
taut_status taut_guess_measure_angle(taut_guesser *x, int k);

#endif
