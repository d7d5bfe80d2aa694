/* From a model to a system of equations, and to the columns of its results. */
#ifndef TAUT_FORM_ASSEMBLE_H
#define TAUT_FORM_ASSEMBLE_H

#include "form/reaction.h"
#include "model/model.h"
#include "solve/system.h"

/* What a column of the results is about. */
typedef enum taut_column_kind {
    TAUT_COLUMN_SCALAR, /* an unknown that has no other kind */
    TAUT_COLUMN_POINT,
    TAUT_COLUMN_VECTOR,
    TAUT_COLUMN_ANGLE,
    TAUT_COLUMN_OUTPUT,
    TAUT_COLUMN_FORCE, /* of a driver */
    TAUT_COLUMN_ENERGY,
    TAUT_COLUMN_REACTION
} taut_column_kind;

/* A column of the results; `primes`: its derivatives are columns, too. */
typedef struct taut_column {
    const char *name;
    taut_node node;
    bool primes;
    taut_column_kind kind;
} taut_column;

/* A constraint that is left out. */
typedef struct taut_dropped {
    const char *name; /* of the constraint */
    taut_place place;
} taut_dropped;

typedef struct taut_buildup taut_buildup; /* form/buildup.h */

/* What is solved. Everything lives in arena; the model must outlive it. */
typedef struct taut_problem {
    taut_arena arena;
    unsigned long serial; /* no other problem has it, also none that is gone */
    const taut_model *model;
    taut_graph *graph; /* its own; it begins with the nodes of the model's, under the same ids */
    taut_model_variable *variable; /* [variables] the unknowns */
    int variables, groups;
    size_t variable_room;
    taut_system system;
    taut_column *column; /* [columns] in the order of the results, t aside */
    int columns;
    int multipliers;      /* so many columns at the end are there only if reactions are asked for */
    struct taut_law *law; /* accelerations by recursion; NULL: not asked for, or not possible */
    taut_reactions *reactions; /* NULL: not asked for, or not a mechanism */
    taut_vec *element; /* [mechanism->elements] where the points and vectors of a mechanism are */
    /* the model's events in the unknowns of the problem */
    taut_node *when; /* functions: of events, boundaries of kinks, of tables, guards of contacts */
    taut_node *sampled; /* [model->lookups] values of tables */
    taut_node *assign;  /* [model->actions] the values that they assign, ... */
    taut_node *target;  /* [model->actions] ... and what to; TAUT_NO_NODE: a number */
    struct taut_formed_contact *contact; /* [model->contacts], see form/contact.h */
    int first_force, forces; /* unknowns: their forces; they have columns of their own */
    bool curved;             /* contacts and momenta that are not linear in velocities: ... */
    taut_node *momentum;     /* ... [coordinates] they, of a Lagrangian; otherwise NULL */
    int force_group;         /* of variables that are forces, in mechanisms */
    int work;                /* the variable; -1: there is none */
    taut_node energy, kinetic, potential; /* TAUT_NO_NODE: the model has none */
    bool conservative;                    /* the energy should stay constant */
    taut_dropped *dropped; /* [drops] constraints that were left out because others imply them */
    int drops;
    int mobility;    /* mechanical degrees of freedom; -1: see the structure */
    int coordinates; /* variables 0 .. coordinates-1 are coordinates, ... */
    int placing;     /* ... of which the first ones place points, vectors and bodies */
    int angles;      /* the next variables are tracked angles, with equations of the same number */
    taut_node *angle_off; /* [angles] see taut_problem_angle_off; NULL unless for a trim */
    taut_node (
        *angle)[2];       /* [angles] sine and cosine, up to a common factor, of what they follow */
    bool lifted;          /* forces of springs and dampers are unknowns: ... */
    int lifts;            /* ... so many, ... */
    int first_lift;       /* ... from this variable on */
    int first_constraint; /* equations first_constraint .. n-1 are constraints, ... */
    int first_velocity;   /* ... those from here on of velocities */
    taut_buildup *buildup; /* how they come about, if that was asked for; otherwise NULL */
    bool *own;             /* [n - first_constraint] a body has it for itself, see taut_roles */
    bool *driven;          /* [n - first_constraint] it is a driver's, see taut_roles */
    taut_node *constraint; /* [n] what an equation that is made of derivatives restricts, or
                              TAUT_NO_NODE: not so; NULL: none is */
} taut_problem;

taut_status taut_problem_create(const taut_model *model, taut_problem **problem,
                                taut_errors *errors);
typedef struct taut_formulation taut_formulation;
typedef struct taut_start taut_start;
/* How to form a mechanism. */
typedef struct taut_forming {
    const taut_formulation *formulation; /* NULL: natural coordinates */
    const taut_start *start; /* where it starts, found by another formulation; NULL: as the file
                                says */
    const int *drop; /* [drops] constraints to leave out, as equations of the whole problem */
    int drops;
    bool whole;          /* split joints are not: where bodies begin does not depend on them */
    bool reactions;      /* with the balance of every body, ... */
    bool body_axes;      /* ... along the axes of bodies */
    bool lift;           /* with the forces of springs and dampers as unknowns */
    bool differentiated; /* the equation of a constraint f is f'' + 2 alpha f' + beta^2 f = 0, of
                            one of velocities f' + alpha f = 0 */
    double alpha, beta;
    const int *order; /* [orders] equations given as such: how often each is differentiated then */
    int orders;
    const char *cut; /* names of joints that close loops, by commas; NULL: none in particular */
    bool builds;     /* with how they come about, see form/buildup.h */
    bool wide;       /* nobody looks at J, see solve/system.h */
    bool recursion;  /* with a law for recursions, if the formulation has one */
    bool follow; /* parameters and initial values are to be changed later without forming anew */
    const int *mode; /* [model->contacts] modes of contacts, see solve/touch.h; NULL: all open */
} taut_forming;
taut_status taut_problem_create_by(const taut_model *model, const taut_forming *forming,
                                   taut_problem **problem, taut_errors *errors);
void taut_problem_free(taut_problem **problem);

/* decay.c: the formula of which f is to decay, if it restricts derivatives of order below k; and
 * the equations of a problem made such, by forming->order. */
enum { TAUT_DECAY_MAX = 8 };
taut_node taut_decaying(taut_graph *graph, taut_node f, int k, double alpha, double beta);
taut_status taut_problem_decay(taut_problem *problem, const taut_forming *forming,
                               taut_errors *errors);

/* One file a kind of model: fills the equations, the energy and the rest of the problem. */
taut_status taut_form_dae(taut_problem *problem);
taut_status taut_form_lagrangian(taut_problem *problem, const taut_forming *forming,
                                 taut_errors *errors);

taut_status taut_form_hamiltonian(taut_problem *problem, const taut_forming *forming,
                                  taut_errors *errors);
taut_status taut_form_mechanism(taut_problem *problem, const taut_forming *forming,
                                taut_errors *errors);

/* Adds an unknown scalar function of t; *node is it. */
taut_status taut_problem_add_variable(taut_problem *problem, const char *name, int group,
                                      taut_place place, taut_node *node);
/* Numbers of a problem: the model's parameters, then its initial values. What the i-th initial
 * value is in a formula: a parameter if it may change later, otherwise a number. */
taut_node taut_problem_initial(taut_problem *problem, int i);
/* The i-th initial value of the model as one of the system. */
taut_given taut_problem_given(const taut_problem *problem, const taut_model_value *value, int i);
/* Adds the formulas to the system as equations *n, *n + 1, ..., called "<what> <name or number>".
 */
taut_status taut_problem_add_equations(taut_problem *problem, const taut_model_formulas *list,
                                       const char *what, int *n);
/* Room for the events, with the nodes of the model; and the columns of Discrete variables
 * and of inputs that change. */
taut_status taut_problem_add_events(taut_problem *problem);
void taut_problem_add_discretes(taut_problem *problem);
/* How far tracked angle k is from what it follows: 0, if its number of turns counts for nothing. */
taut_node taut_problem_angle_off(const taut_problem *problem, int k);
/* Columns power_u of the actuators u; the first of the further unknowns is this variable. */
struct taut_sweep;
taut_status taut_problem_add_powers(taut_problem *problem, struct taut_sweep *sweep,
                                    int first_extra);
/* Unknowns of the system, and the initial values that the model gives. */
taut_status taut_problem_fill_system(taut_problem *problem);
/* A name in the problem's arena, printf style; NULL without memory. */
__attribute__((format(printf, 2, 3))) const char *taut_problem_name(taut_problem *problem,
                                                                    const char *format, ...);

#endif
