/* Linearisation: small motions near a motion,
 *
 *     x' = A x + B u,    y = C x + D u,
 *
 * where x are differences of chosen states, u of inputs and y of outputs (docs/guide.md). The
 * derivatives are exact, for systems of any index, and constraints are kept.
 *
 *     taut_linear *l;
 *     taut_linearize(model, NULL, NULL, &l, &errors);
 *     const taut_linear_point *p = taut_linear_at(l, 0);
 *     for (int k = 0; k < p->states; k++)
 *         printf("%g %+g i\n", p->eigenvalue[k][0], p->eigenvalue[k][1]);
 *     taut_linear_free(&l);
 */
#ifndef TAUT_LINEAR_H
#define TAUT_LINEAR_H

#include "taut/model.h"
#include "taut/result.h"
#include "taut/run.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fill with taut_linear_options_default, then change what matters. Lists have commas. */
typedef struct taut_linear_options {
    int cookie;          /* by taut_linear_options_default */
    const char *states;  /* "a,b": these columns and their rates; "a,b,a'": these; NULL: chosen */
    const char *inputs;  /* NULL: all of the model's Inputs that are numbers; "": none; a driver
                            stands for three: its value and two derivatives */
    const char *outputs; /* columns, "Ax,Ay'"; NULL: the model's Outputs; "": none; forces in joints
                            by their names, "ground-OA.Fx" */
    bool shapes;         /* of mechanisms: how bodies and joints move in the modes, too */
    bool redundant, descriptor; /* these forms, too: see taut_linear_point */
} taut_linear_options;
TAUT_API taut_linear_options taut_linear_options_default(void);

/* The same in all variables of the equations. Matrices are stored by rows. */
typedef struct taut_linear_form {
    int states;
    const char *const *state;
    const double *E, *A, *B, *C, *D; /* E x' = A x + B u, y = C x + D u; E NULL: the identity */
} taut_linear_form;

/* One linearisation. Matrices are stored by rows: A[i * states + j]. */
typedef struct taut_linear_point {
    double t;
    int states, inputs, outputs;
    const char *const *state, *const *input, *const *output; /* names */
    const double *x0, *u0, *y0;                              /* values at the point */
    const double *A, *B, *C, *D;
    const double (*eigenvalue)[2]; /* [states] real and imaginary part, ascending by both */
    const double (*mode)[2];       /* [states * states] right eigenvectors of length 1, one after
                                      the other */
    const double *condition;       /* [states] of the eigenvalues: change by a change of A */
    int zero_modes;                /* eigenvalues that are 0 by the rank of A; they are 0 exactly */
    double state_condition; /* 1: the states are independent of each other; above 1e8 they are
                               refused */
    bool steady; /* nothing changes but states that nothing depends on: A does not depend on time */
    const char *contacts; /* their modes, which are kept: "foot sticks, ball open"; "": there are
                             none */
    const char *side;     /* of kinks and knots of tables at which the point lies: matrices are
                             those of this side, and others beyond; "": it lies at none */
    /* With options.shapes, of a mechanism; otherwise there are none. */
    int shapes, bodies, joints;
    const char *const *shape;    /* columns of points and vectors, ... */
    const double (*shape_in)[2]; /* [states * shapes] ... and how they move in each mode */
    const char *const *body;     /* bodies and particles with mass, ... */
    const double *energy;        /* [states * bodies] ... and their shares in its kinetic energy */
    const char *const *joint;    /* joints, ... */
    const double *play; /* [states * joints] ... and the relative motion in them: sliding, and
                           turning times the size of the mechanism; the largest is 1 */
    /* On request, otherwise NULL. Redundant: all positions and velocities of the equations, which
     * must satisfy the constraints; what does not is ignored. Descriptor: E x' = A x + B u, the
     * equations themselves, for all variables with their derivatives and multipliers. */
    const taut_linear_form *redundant, *descriptor;
} taut_linear_point;

typedef struct taut_linear taut_linear;

/* Linearises at the start of a run, at options->from, or at the times options->at of a run. Both
 * options may be NULL. TAUT_ERR_CALL: a name that does not exist, states that depend on each other.
 */
TAUT_API taut_status taut_linearize(const taut_model *model, const taut_run_options *options,
                                    const taut_linear_options *linear, taut_linear **result,
                                    taut_errors *errors);
TAUT_API void taut_linear_free(taut_linear **linear);
TAUT_API int taut_linear_points(const taut_linear *linear);
/* NULL: there is no such point. */
TAUT_API const taut_linear_point *taut_linear_at(const taut_linear *linear, int k);

/* In words, or as JSON: an object, or a list of them if there are several points. *text is to be
 * freed by taut_text_free. */
TAUT_API taut_status taut_linear_text(const taut_linear *linear, bool json, char **text);
/* Eigenvalues against time, one row a point: t, then `eigen1.re`, `eigen1.im`, ... in an order that
 * follows each of them from point to point. NaN where there are fewer than at another time. */
TAUT_API taut_status taut_linear_course(const taut_linear *linear, taut_result **result,
                                        taut_errors *errors);
/* The table of modes: frequency (in cycles), damping ratio, time constant, and what moves how much,
 * relative to what moves most. */
TAUT_API taut_status taut_linear_modes(const taut_linear *linear, char **text);
/* Writes .json, .csv or .mat, which has one point only. "-" is CSV on the standard output. */
TAUT_API taut_status taut_linear_write(const taut_linear *linear, const char *path,
                                       taut_errors *errors);
TAUT_API taut_status taut_linear_write_check(const char *path, taut_errors *errors);

/* ---- frequency response ---- */

/* From one input to one output. */
typedef struct taut_response_options {
    const char *input, *output;
    const char *range; /* "0.1Hz..100Hz", also in kHz and rad/s; NULL: around the eigenvalues */
    int points;        /* evenly on a logarithmic scale; 0: 401 */
} taut_response_options;
/* G(i omega) = C (i omega I - A)^-1 B + D of the k-th point, as a table: f in Hz, omega, magnitude,
 * dB, phase in degrees (without jumps), re, im. */
TAUT_API taut_status taut_linear_response(const taut_linear *linear, int k,
                                          const taut_response_options *options,
                                          taut_result **result, taut_errors *errors);
/* The zeros of G: real and imaginary parts; room for as many as there are states. */
TAUT_API taut_status taut_linear_zeros(const taut_linear *linear, int k,
                                       const taut_response_options *options, double (*zero)[2],
                                       int *count, taut_errors *errors);

/* ---- periodic motions ---- */

/* How small deviations from a periodic motion change over one period. */
typedef struct taut_multipliers {
    double period;
    int count;
    const double (*multiplier)[2]; /* [count] real and imaginary part, largest first */
    double error;                  /* estimated, relative to the largest entry of their matrix */
    bool periodic;     /* the state comes back, up to whole turns; otherwise they mean nothing */
    double off;        /* how far it does not, relative to the size ... */
    const char *worst; /* ... of this state */
} taut_multipliers;
typedef struct taut_floquet taut_floquet;
/* From the start of the model, or from options->from; linear->states may name the states. */
TAUT_API taut_status taut_floquet_find(const taut_model *model, const taut_run_options *options,
                                       const taut_linear_options *linear, double period,
                                       taut_floquet **floquet, taut_errors *errors);
TAUT_API const taut_multipliers *taut_floquet_get(const taut_floquet *floquet);
TAUT_API void taut_floquet_free(taut_floquet **floquet);

/* ---- equilibria ---- */

/* A state in which nothing moves and nothing accelerates, near the start of the model: to be freed
 * by the caller, and good as options->from of runs and linearisations with the same options.
 * TAUT_ERR_NUMERICS: none was found. options may be NULL; of a time span only the beginning counts.
 */
TAUT_API taut_status taut_equilibrium(const taut_model *model, const taut_run_options *options,
                                      taut_state **state, taut_errors *errors);

/* Several, and with the values of what the model's section Trim has free. From the start of the
 * model, and from `starts` random places along its constraints; the first one is that of the start,
 * if there is one. The model must outlive them. */
typedef struct taut_equilibria taut_equilibria;
TAUT_API taut_status taut_equilibria_find(const taut_model *model, const taut_run_options *options,
                                          int starts, taut_equilibria **equilibria,
                                          taut_errors *errors);
TAUT_API void taut_equilibria_free(taut_equilibria **equilibria);
TAUT_API int taut_equilibria_count(const taut_equilibria *equilibria);
/* The k-th: its state, and the model in which free values are those that were found, for runs and
 * linearisations from there; NULL: there is none. Both belong to the equilibria. */
TAUT_API const taut_state *taut_equilibria_state(const taut_equilibria *equilibria, int k);
TAUT_API const taut_model *taut_equilibria_model(const taut_equilibria *equilibria, int k);
/* The i-th name under Free (NULL: there is none), and its value at the k-th (NaN likewise). */
TAUT_API const char *taut_equilibria_free_name(const taut_equilibria *equilibria, int i);
TAUT_API double taut_equilibria_free_value(const taut_equilibria *equilibria, int k, int i);
/* The columns of a run, one row an equilibrium; then those of free values. */
TAUT_API taut_status taut_equilibria_table(const taut_equilibria *equilibria,
                                           const taut_run_options *options, taut_result **result,
                                           taut_errors *errors);

#ifdef __cplusplus
}
#endif

#endif
