/* What the user wrote: names, numbers, expressions and the lines they stand on. */
#ifndef TAUT_MODEL_MODEL_H
#define TAUT_MODEL_MODEL_H

#include "expr/infix.h"
#include "model/mechanism.h"
#include "core/roster.h"
#include "model/sampled.h"
#include "model/yaml.h"
#include "taut/taut.h"

typedef enum taut_model_kind {
    TAUT_MODEL_DAE,
    TAUT_MODEL_LAGRANGIAN,
    TAUT_MODEL_MECHANISM,
    TAUT_MODEL_HAMILTONIAN
} taut_model_kind;

typedef struct taut_symbols taut_symbols;

/* What a leaf of a mechanism's formulas stands for. Each formulation says what it is in its own
 * unknowns. */
typedef enum taut_leaf_kind {
    TAUT_LEAF_ELEMENT,    /* a component (`part`) of a point or vector */
    TAUT_LEAF_ANGLE,      /* a tracked angle */
    TAUT_LEAF_LINE,       /* the distance along a line of Collinears */
    TAUT_LEAF_DISTANCE,   /* a distance (`part`) that a joint leaves free */
    TAUT_LEAF_CURVE,      /* the parameter of a joint's curve */
    TAUT_LEAF_VARIABLE,   /* one of the file's Variables */
    TAUT_LEAF_DRIVER,     /* the force of a driver */
    TAUT_LEAF_CONSTRAINT, /* the multiplier of a constraint; part 1: of a velocity constraint */
    TAUT_LEAF_LOAD,       /* the force (part 0..2) or torque (3..5) of a split joint */
    TAUT_LEAF_MULTIPLIER  /* of equation `part` of a split joint */
} taut_leaf_kind;

typedef struct taut_model_leaf {
    taut_leaf_kind kind;
    int index, part; /* which element, angle, ... of its list */
    const char *name;
} taut_model_leaf;

/* An unknown function of t; variable number i of the graph. In a mechanism: one of the file's
 * Variables, a leaf. */
typedef struct taut_model_variable {
    const char *name;
    taut_node node;
    int group; /* components of a vector share one */
    taut_place place;
} taut_model_variable;

/* A scalar expression with a name. */
typedef struct taut_model_formula {
    const char *name;
    taut_node node;
    taut_place place;
} taut_model_formula;

typedef struct taut_model_formulas {
    taut_model_formula *item;
    int count;
    size_t room;
} taut_model_formulas;

/* An initial value for the order-th derivative of a variable, or of an expression. */
typedef struct taut_model_value {
    int variable; /* -1: node */
    taut_node node;
    const char *name; /* of what it is for */
    int order;
    double value;
    taut_node number; /* the same as a formula of parameters; TAUT_NO_NODE: it is only to be kept */
    bool fixed;
    int component, components; /* of what the name means */
    int slot;                  /* in a problem: its number in the model's list */
    taut_place place;
} taut_model_value;

/* An initial value that the caller gives: it wins over the file's. */
typedef struct taut_initial {
    const char *name; /* of a variable or component, with primes */
    double value;
    bool fixed; /* must not be changed; otherwise as the file says, which is a guess if it is silent
                 */
} taut_initial;

/* How the function of an event counts: at its zeros; or where a comparison becomes true, which it
 * is where the function is above zero, or not below it. */
typedef enum taut_when { TAUT_WHEN_ZERO, TAUT_WHEN_PASSED, TAUT_WHEN_REACHED } taut_when;

/* One of Events. */
typedef struct taut_model_event {
    const char *name;
    taut_node when;
    taut_when condition;
    int way; /* 1: up, -1: down, 0: both */
    bool stop, once, record;
    int first, actions; /* which of the model's actions are its own */
    taut_place place;
} taut_model_event;

/* An assignment of an event. */
typedef struct taut_model_action {
    const char *name; /* as it is written, with primes */
    int parameter;    /* its number; -1: a value of the state, ... */
    taut_node target; /* ... a variable or a leaf, ... */
    int order;        /* ... of which this derivative is assigned */
    taut_node value;
    taut_place place;
} taut_model_action;

/* One of Controllers. Sample k is at t0 + offset + k*whole/parts, computed in that order, so that
 * times do not drift and decimal periods give decimal times. */
typedef struct taut_model_controller {
    const char *name;
    double every, offset;
    double whole, parts; /* every = whole/parts, both integers where that is possible */
    int first, actions;  /* which of the model's actions are its own */
    taut_place place;
} taut_model_controller;

/* What a boundary changes: a mode that is 1 above it and 0 below; or an integer n = floor(x), with
 * the boundaries x - n, below which it is n - 1, and x - n - 1, above which it is n + 1. */
typedef enum taut_kink_kind { TAUT_KINK_SIDE, TAUT_KINK_FLOOR, TAUT_KINK_CEILING } taut_kink_kind;

/* Where a formula has a kink or a jump: a parameter says which branch holds. */
typedef struct taut_model_kink {
    taut_node boundary, mode;
    int parameter;
    taut_kink_kind branch;
    taut_place place;
    taut_node of; /* of which it is the kink: the boundary, or what is rounded */
} taut_model_kink;

/* One of Tables. It is read when a formula first calls it. */
typedef enum taut_table_state {
    TAUT_TABLE_UNREAD,
    TAUT_TABLE_READING,
    TAUT_TABLE_READY,
    TAUT_TABLE_BROKEN
} taut_table_state;

typedef struct taut_model_table {
    taut_sampled table;
    taut_table_state state;
    const taut_yaml *node;
} taut_model_table;

/* One of the levels that friction of contact `contact` has. */
typedef struct taut_model_sliding {
    int way; /* while it slides up (1), down (-1), in space while it sets off (2); 0: none */
    int contact;
    taut_node speed;
} taut_model_sliding;

/* A call of a table in a formula: inside a step it is one piece, whose numbers are parameters that
 * change where an argument leaves the piece. */
typedef struct taut_model_lookup {
    int table;
    taut_node argument[TAUT_TABLE_AXES];
    taut_node value;
    int first;                               /* of its parameters, taut_sampled_numbers of them */
    taut_node boundary[2 * TAUT_TABLE_AXES]; /* of each argument: what is left of the piece below
                                                and above; both fall to 0 */
    bool inertial;              /* masses move with its value: a corner of it would be a blow */
    int start;                  /* of these among all boundaries */
    taut_model_sliding sliding; /* it is for that friction alone */
    taut_place place;
} taut_model_lookup;

/* The shapes of a contact, for drawings: elements of the mechanism, -1: not by a name; radii are 0
 * of points and of what is flat. */
typedef struct taut_contact_picture {
    bool known;
    int at, on, direction;
    taut_node radius, on_radius;
} taut_contact_picture;

/* What touches or rubs: one of Contacts, one end of Limits, one of Friction or Locks. */
typedef struct taut_model_contact {
    const char *name;      /* of its columns */
    const char *element;   /* in the list of events: the name in the file */
    taut_node gap;         /* is never negative; TAUT_NO_NODE: friction alone */
    taut_node along[3];    /* its rate is the sliding speed; TAUT_NO_NODE: there is no friction;
                              in space two of them, of a ball joint three, then TAUT_NO_NODE */
    bool rates;            /* they are these rates themselves: formulas of velocities */
    taut_node restitution; /* a number */
    taut_node slip[2];     /* coefficient of friction (without a gap: force) sliding up, down; in
                              space: sliding, setting off */
    taut_node stick;       /* the same while it sticks */
    taut_node law;         /* compliant: its force, as a formula with kinks; TAUT_NO_NODE: rigid */
    taut_node pressed;     /* compliant: 1 where it touches */
    taut_node gate;        /* 1 while it is engaged: of locks, and of compliant contacts' friction;
                              TAUT_NO_NODE: always */
    taut_contact_picture picture;
    taut_node turn;    /* a circle on a curve: the angle of the place of its rim that is nearest, a
                          further unknown; TAUT_NO_NODE: it is none, ... */
    taut_node profile; /* ... the formula of the curve at that place, ... */
    taut_node facing;  /* ... what is zero where that is nearest, ... */
    double outset;     /* ... and a guess of the angle at the start */
    bool lock;
    bool shares;       /* compliant: the next one is its friction, which shows its mode, too */
    bool firm;         /* a lock without a capacity: it holds whatever comes */
    int joint;         /* friction by the load of this joint: slip and stick are coefficients
                          of it; -1: not so */
    taut_node load[3]; /* [loads] its components: leaves, ... */
    int loads;
    taut_node moment[3];  /* of one end of a guide: leaves of the moment that goes with each, ... */
    taut_node lever;      /* ... which adds this part of it; TAUT_NO_NODE: it does not press */
    taut_node load_scale; /* ... times this number */
    int sense, least;     /* parameters: the sign of a load with one component; a load so small
                             is none */
    taut_node sense_node, least_node;
    bool breaks; /* an equation of what may let go: of a joint or a driver, ... */
    int broken_joint, broken_driver; /* ... number; -1: it is the other */
    int part, parts;                 /* which of its equations, and how many there are */
    bool torque;                     /* its force is a torque */
    int letting;                     /* the event by which it lets go */
    int held[3];                     /* parameters: what `along` is while it sticks, ... */
    int aimed[3];                    /* ... a direction of slip, see form/contact.h, ... */
    int leant;                       /* ... the sign of its last component, ... */
    int calmed;                      /* ... and the rounding of a rate that is zero */
    taut_node hold[3], way[3], lean_node, calm_node; /* the same as nodes */
    taut_place place, gap_place, along_place;
} taut_model_contact;

/* What is to be different from the file. */
typedef struct taut_variation {
    const taut_override *override; /* [overrides] */
    int overrides;
    const taut_initial *initial; /* [initials] later ones win */
    int initials;
    bool keep_inputs; /* Inputs stay symbols even if they are 0: for derivatives by them */
    const char *keep; /* parameters, "a,b", that do so as well; NULL: none */
    bool inverse;     /* actuators are unknowns, and the motion of `Inverse` is prescribed */
    bool trim;        /* what `Trim` has free stays a symbol, what it wants are outputs */
    const taut_override *driver_value; /* [driver_values] of drivers, instead of their formulas */
    int driver_values;
    const char *const
        *driver_input; /* [driver_inputs] drivers that are inputs: p0 + p1 t + p2 t^2/2
                          with parameters that are 0 is added to what they follow */
    int driver_inputs;
    bool has_start; /* t0 is `start`, instead of the file's */
    double start;
} taut_variation;

/* The section Study; texts are the file's. */
typedef struct taut_goal {
    const char *name, *text;
    taut_place place;
} taut_goal;

typedef struct taut_model_variable_bounds {
    const char *name;
    double low, high;
    bool log;
    taut_place place;
} taut_model_variable_bounds;

typedef struct taut_model_experiment {
    const char *name, *data; /* path of the data, as messages call it */
    taut_place place;
    const char **set; /* [sets] names, and their values */
    double *value;
    int sets;
} taut_model_experiment;

typedef struct taut_model_study {
    taut_model_variable_bounds *variable; /* [variables] */
    int variables;
    taut_goal goal; /* text NULL: none */
    bool maximize;
    taut_goal *limit; /* [limits] of SubjectTo */
    int limits;
    int starts;                        /* 0: not given, as the next ones */
    const char *method;                /* NULL: not given */
    taut_model_experiment *experiment; /* [experiments] */
    int experiments;
    const char **weighted; /* [weights] columns, and their standard deviations */
    double *weight;
    int weights;
    const char **bias; /* [biases] */
    int biases;
    const char *loss;
    int shooting;
    const char **state; /* [states] */
    int states;
} taut_model_study;

struct taut_model {
    taut_arena arena;
    taut_doc *doc;         /* shared with the copies of a model; the original frees it */
    const taut_yaml *root; /* what it says, with what it includes and repeats */
    const char **prefix;   /* [prefixes] of what is included */
    int prefixes;
    const taut_override *override; /* [overrides] owned by the original */
    const taut_initial *initial;   /* [initials] of a variation; borrowed */
    int overrides, initials;
    const taut_override *input; /* [inputs] formulas of t; owned by the original */
    int inputs;
    taut_graph *graph;     /* of all formulas; those of mechanisms consist of leaves: */
    taut_model_leaf *leaf; /* [leaves] what they stand for */
    int leaves;
    size_t leaf_room;
    taut_symbols *symbols;     /* what names mean */
    taut_mechanism *mechanism; /* NULL for other models */
    taut_model_kind kind;
    bool is_copy;
    bool keep_inputs;                  /* see taut_variation */
    const char *keep;                  /* likewise; borrowed */
    bool inverse;                      /* likewise */
    bool trim;                         /* likewise */
    const taut_override *driver_value; /* [driver_values] likewise; borrowed */
    int driver_values;
    const char *const *driver_input; /* [driver_inputs] likewise */
    int driver_inputs;
    const char *title; /* "" if there is none */

    taut_model_variable *variable; /* [variables] coordinates, momenta, extra ones, multipliers */
    int variables, groups;
    size_t variable_room;
    const char **variable_name;   /* [variables; of mechanisms: leaves] their names, for printing */
    const char **parameter_name;  /* [parameters] */
    taut_node *parameter_formula; /* [parameters] value of each, as a formula */
    size_t parameter_room;
    int parameters;
    taut_node *number_node; /* [number_nodes] what parameters and initial values consist of */
    int number_nodes;
    const int *number_at; /* [nodes] where one is in that list */
    const char **counted; /* [counts] parameters on which the number of entries depends (Repeat) */
    int counts;
    size_t count_room;

    taut_model_formulas equations; /* DAE: all; others: those of the extra variables */
    int coordinates;               /* variables 0 .. coordinates-1; tracked angles are among them */
    int momenta;                   /* Hamiltonian: the next variables, as many as coordinates */
    int extras, first_extra;       /* extra variables: how many, and the first one */
    int stiffs, first_stiff;       /* then unknowns with a formula: how many, and the first one */
    taut_roster actuator;          /* names of those that `Inverse` lists, if they are unknowns */
    int actuators, first_actuator; /* of the extra variables those that are actuators */
    int motions;                   /* so many equations at the end prescribe their motion */
    double *weight;                /* [actuators] */
    int wants;                     /* of `Trim`: so many outputs at the end are to be 0 */
    const char **steady;           /* [steadies] of `Trim`: what has a constant rate */
    int steadies;
    taut_model_formulas constraints;
    taut_model_formulas velocity_constraints;
    int first_multiplier; /* of constraint 0; those of velocity constraints follow; not mechanisms
                           */
    taut_node L, dissipation; /* TAUT_NO_NODE: none */
    taut_node H;
    taut_model_formulas forces; /* node: the force; order: see force_on */
    int *force_on;              /* [forces.count] coordinate */
    taut_model_formulas outputs;

    taut_model_event *event; /* [events] */
    int events;
    size_t event_room;
    taut_model_action *action; /* [actions] of all of them */
    int actions;
    size_t action_room;
    taut_model_kink *kink; /* [kinks] */
    int kinks;
    size_t kink_room;
    int *kink_table; /* [kink_slots] by `of` and branch, ceilings aside; number + 1, 0: empty */
    size_t kink_slots;
    taut_model_table *table; /* [tables] */
    int tables;
    taut_model_lookup *lookup; /* [lookups] */
    int lookups, boundaries;   /* boundaries: of all of them */
    size_t lookup_room;
    int *lookup_table; /* [lookup_slots] by table and arguments; number + 1, 0: empty */
    size_t lookup_slots;
    taut_model_sliding sliding;   /* whose formula is being read */
    int hidden;                   /* parameters that the file does not name: of kinks and tables */
    taut_model_formula *discrete; /* [discretes] parameters that change at events only */
    int discretes;
    taut_model_formula *changing; /* [changings] inputs that change in a run */
    int changings;
    taut_model_controller *controller; /* [controllers] */
    int controllers;
    taut_model_contact *contact; /* [contacts] */
    int contacts;
    taut_node nothing; /* Hamiltonian with contacts, circles on curves: a parameter that is 0 */
    bool poisson;      /* the law of impacts; otherwise Newton's */
    int holds;         /* parameters that contacts have added */
    size_t contact_room;

    taut_model_study study;

    taut_node *formula; /* [formulas] what formulas of the file have become, unless it is constant
                           in time: what may hide a feature of the motion is below one of these */
    int formulas;
    size_t formula_room;

    double t0, tend;
    taut_node tend_formula; /* of parameters; TAUT_NO_NODE: the model has no tend */
    bool has_start;         /* of a variation: t0 is `start` */
    double start;
    bool has_tend;
    double max_step;         /* longest step of a solver; 0: the file does not say */
    taut_model_value *value; /* [values] */
    int values;
    size_t value_room;
    taut_errors *warnings;    /* NULL: none */
    taut_place problem_place; /* of ProblemData, or of the whole file */
    double read_s;            /* how long it took to read */
};

/* Finds model->root: takes over what files include, and writes out what is to be repeated. */
taut_status taut_model_expand(taut_model *model, taut_errors *errors);
/* A name without the prefix of the file that it comes from. */
const char *taut_model_base_name(const taut_model *model, const char *name);
/* The same file with other parameters and initial values, read again. The names in the variation
 * must outlive it, and so must the model, whose text it borrows. */
taut_status taut_model_vary(const taut_model *model, const taut_variation *variation,
                            taut_model **variant, taut_errors *errors);
/* Reports if the model has no parameter of this name. */
taut_status taut_model_check_parameter(const taut_model *model, const char *name,
                                       taut_errors *errors);
/* Reports if there is nothing of this name that has an initial value, in a model whose variables
 * are all known. */
taut_status taut_model_check_initial(const taut_model *model, const char *name,
                                     taut_errors *errors);
/* After a fault: adds what else is wrong with the file. */
void taut_model_lint(const taut_model *model, taut_errors *errors);
/* Adds a leaf, with its meaning. */
taut_status taut_model_add_leaf(taut_model *model, taut_model_leaf leaf, taut_node *node);
/* The two points that a name such as AB or C1D spells; false if it does not. */
bool taut_model_two_points(const taut_model *model, const char *name, int point[2]);
/* Adds an unknown scalar function of t; *node is it. */
taut_status taut_model_add_variable(taut_model *model, const char *name, int group,
                                    taut_place place, taut_node *node);

#endif
