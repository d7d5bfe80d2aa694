/* Linearisation, inside: what has a name, which of it are states, eigenvalues. */
#ifndef TAUT_TASK_LINEAR_H
#define TAUT_TASK_LINEAR_H

#include "core/text.h"
#include "solve/variational.h"
#include "task/balance.h"
#include "task/simulation.h"
#include "taut/linear.h"

/* A column of the results, or an unknown. */
typedef struct taut_named {
    const char *name;
    taut_node node;
    taut_column_kind kind;
    bool column; /* otherwise an unknown that may have no column */
    int orders;  /* derivatives of an order below this can be states */
    int level;   /* the highest derivative that is asked for; -1: not asked for */
    int slot;    /* number among the functions of the variational equations */
    bool reacts; /* a force or torque in a joint: no node, but a number among the reactions */
    int reaction;
    bool turns; /* the rotation in a joint: offered as a state where it makes A constant */
    int offset; /* of its node, which the structure does not know */
} taut_named;

/* A derivative of one. */
typedef struct taut_pick {
    int item, level;
    const char *name; /* with primes */
} taut_pick;

typedef struct taut_picks {
    taut_pick *item; /* [count] */
    int count;
} taut_picks;

typedef struct taut_catalogue {
    taut_arena *arena;
    taut_named *item;
    int count;
} taut_catalogue;

/* Everything in a problem that has a name. */
taut_status taut_catalogue_create(const taut_problem *problem, const taut_structure *structure,
                                  taut_arena *arena, taut_catalogue *catalogue);
/* Reads "a,b,c'" into picks and asks for them, and `above` derivatives more. option: the name of
 * the list in messages. rates: without primes in the list, rates are meant as well; they stand
 * behind all others. */
taut_status taut_catalogue_read(taut_catalogue *catalogue, const char *list, const char *option,
                                int above, bool rates, taut_picks *picks, taut_errors *errors);
/* All that can be states. */
taut_status taut_catalogue_candidates(taut_catalogue *catalogue, taut_picks *picks);
/* Rotations in the joints of a mechanism, as further quantities: "frame-wheel.turn". */
taut_status taut_catalogue_add_turns(taut_catalogue *catalogue, const taut_problem *problem,
                                     const taut_structure *structure);

/* All columns of points and vectors. */
taut_status taut_catalogue_elements(taut_catalogue *catalogue, taut_picks *picks);

/* Angles that follow the motion, and phases that stay, are functions of the positions; nothing
 * depends on work. */
taut_status taut_linear_ties(const taut_problem *problem, taut_arena *arena, taut_tie **tie,
                             int *ties);

/* Forces and torques in joints as outputs: values and variations at one point. */
typedef struct taut_linear_reactions {
    const taut_reactions *reactions;
    taut_balance *balance;
    int first;     /* of their vectors' components among the functions */
    double *value; /* [columns] */
    double *vary;  /* [directions * columns], direction by direction */
    double (*rate)[3], *work;
} taut_linear_reactions;
/* Is one of the picks such a force? */
bool taut_picks_react(const taut_catalogue *catalogue, const taut_picks *picks);
/* Adds what they are made of to the functions (room for 3 * vectors). */
taut_status taut_linear_reactions_create(const taut_reactions *reactions, taut_arena *arena,
                                         taut_node *function, int *level, int *functions,
                                         taut_linear_reactions *r);
void taut_linear_reactions_release(taut_linear_reactions *r);
/* Finds them where the variations are known. Those of the picks that rigid bodies do not determine
 * are reported. */
taut_status taut_linear_reactions_find(taut_linear_reactions *r, const taut_variational *v,
                                       const taut_catalogue *catalogue, const taut_picks *picks,
                                       taut_arena *arena, taut_errors *errors);

/* Inputs: parameters, or drivers with their derivatives. */
typedef struct taut_linear_inputs {
    const char **name; /* [count] */
    int *parameter;    /* [count] their numbers */
    int *order;        /* [count] which derivative of a driver it is; -1: none */
    int count;
} taut_linear_inputs;
/* Drivers in a list with commas, by name. */
taut_status taut_linear_drivers(const taut_model *model, const char *list, taut_arena *arena,
                                const char ***name, int *count);
/* All inputs of a model that are numbers (NULL), or those of the list. */
taut_status taut_linear_inputs_list(taut_model *model, const char *list, taut_arena *arena,
                                    taut_linear_inputs *inputs, taut_errors *errors);
/* Was the value of a parameter taken for granted in this way? EQUAL: it shapes the equations. */
bool taut_number_is_assumed(const taut_graph *graph, taut_assume_kind kind, int parameter);
/* Reports if the value of one shapes the equations; option: where it was named. */
taut_status taut_linear_inputs_check(const taut_linear_inputs *inputs, const taut_graph *graph,
                                     const char *option, taut_errors *errors);
/* The weights of drivers' derivatives at a time; the others are as taut_linear_weigh has them. */
void taut_linear_inputs_weigh(const taut_linear_inputs *inputs, int parameters, double t,
                              double *weight);
/* How the parameters of a model follow from some of them, parameter[inputs], by their formulas:
 * weight [inputs * parameters]. */
taut_status taut_linear_weigh(const taut_model *model, taut_graph *graph, const int *parameter,
                              int inputs, taut_arena *arena, double **weight);

/* Which of the candidates are states, in a good order; picks becomes these. turns: rotations in
 * joints before components that move. */
taut_status taut_states_choose(const taut_variational *v, const taut_catalogue *catalogue,
                               int inputs, bool turns, taut_arena *arena, taut_picks *picks);
/* The same for a list of the user's: only rates that follow from others are left out, and that only
 * if `rates`. */
taut_status taut_states_prune(const taut_variational *v, const taut_catalogue *catalogue,
                              int inputs, bool rates, taut_arena *arena, taut_picks *picks);
/* How well the states tell directions apart: 1 is best, infinity: not at all. */
taut_status taut_states_condition(const taut_variational *v, const taut_catalogue *catalogue,
                                  int inputs, const taut_picks *picks, double *condition);

/* Boundaries of kinks and of the pieces of tables: how many, and their functions. */
int taut_linear_boundaries(const taut_model *model);
taut_node taut_linear_boundary(const taut_problem *problem, int i);
/* Eigenvalues, modes, conditions and zero modes of point->A; memory from arena. */
taut_status taut_linear_eigen(taut_arena *arena, taut_linear_point *point);

/* All unknowns with their derivatives below the highest one: states that depend on each other. */
taut_status taut_catalogue_unknowns(taut_catalogue *catalogue, const taut_system *system,
                                    taut_picks *picks);
/* The redundant form of a point, in states of which R [states * point->states] and Ru [states *
 * inputs], by rows, say how they follow from its own ones and from inputs. */
taut_status taut_linear_redundant(const taut_linear_point *point, const char *const *state,
                                  int states, const double *R, const double *Ru, taut_arena *arena,
                                  const taut_linear_form **form);
/* The descriptor form: the equations at the point of v, and the outputs. */
taut_status taut_linear_descriptor(const taut_variational *v, const taut_series *series,
                                   const taut_catalogue *catalogue, const taut_picks *outputs,
                                   int inputs, taut_arena *arena, const taut_linear_form **form,
                                   taut_errors *errors);

/* What the bodies and joints of a mechanism do in the modes of a point, of which eigenvalues and
 * `shape`, the names of the picks, are known. S [shapes * states] by rows: how the picks follow
 * from the states; y0 [shapes]: their values. */
taut_status taut_linear_bodies(const taut_problem *problem, const taut_catalogue *catalogue,
                               const taut_picks *shapes, const double *S, const double *y0,
                               taut_arena *arena, taut_linear_point *point);

struct taut_linear {
    taut_arena arena;
    taut_linear_point *point; /* [points] */
    int points;
};

#endif
