/* What the user wrote: names, numbers, expressions and the lines they stand on. */
#ifndef TAUT_MODEL_MODEL_H
#define TAUT_MODEL_MODEL_H

#include "expr/infix.h"
#include "model/mechanism.h"
#include "model/yaml.h"
#include "taut/taut.h"

typedef enum taut_model_kind {
    TAUT_MODEL_DAE,
    TAUT_MODEL_LAGRANGIAN,
    TAUT_MODEL_MECHANISM,
    TAUT_MODEL_HAMILTONIAN
} taut_model_kind;

typedef struct taut_symbols taut_symbols;

/* An unknown function of t; variable number i of the graph. */
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
    bool fixed;
    taut_place place;
} taut_model_value;

/* An initial value that the caller gives: it wins over the file's. */
typedef struct taut_initial {
    const char *name; /* of a variable or component, with primes */
    double value;
    bool fixed; /* must not be changed; otherwise as the file says, which is a guess if it is silent
                 */
} taut_initial;

/* What is to be different from the file. */
typedef struct taut_variation {
    const taut_override *override; /* [overrides] */
    int overrides;
    const taut_initial *initial; /* [initials] later ones win */
    int initials;
} taut_variation;

struct taut_model {
    taut_arena arena;
    taut_doc *doc;         /* shared with the copies of a model; the original frees it */
    const taut_yaml *root; /* what it says, with what it includes and repeats */
    const char **prefix;   /* [prefixes] of what is included */
    int prefixes;
    const taut_override *override; /* [overrides] owned by the original */
    const taut_initial *initial;   /* [initials] of a variation; borrowed */
    int overrides, initials;
    taut_graph *graph;
    taut_symbols *symbols;     /* what names mean */
    taut_mechanism *mechanism; /* NULL for other models */
    taut_model_kind kind;
    bool is_copy;
    const char *title; /* "" if there is none */

    taut_model_variable *variable; /* [variables] coordinates, momenta, extra ones, multipliers */
    int variables, groups;
    size_t variable_room;
    const char **variable_name;  /* [variables] the same names, for printing */
    const char **parameter_name; /* [parameters] */
    int parameters;

    taut_model_formulas equations; /* DAE: all; others: those of the extra variables */
    int coordinates;               /* variables 0 .. coordinates-1; tracked angles are among them */
    int momenta;                   /* Hamiltonian: the next variables, as many as coordinates */
    int extras, first_extra;       /* extra variables: how many, and the first one */
    int stiffs, first_stiff;       /* then unknowns with a formula: how many, and the first one */
    taut_model_formulas constraints;
    taut_model_formulas velocity_constraints;
    int first_multiplier; /* of constraint 0; those of velocity constraints follow; not mechanisms
                           */
    taut_node L, dissipation; /* TAUT_NO_NODE: none */
    taut_node H;
    taut_model_formulas forces; /* node: the force; order: see force_on */
    int *force_on;              /* [forces.count] coordinate */
    taut_model_formulas outputs;

    taut_node *formula; /* [formulas] what formulas of the file have become, unless it is constant
                           in time: what may hide a feature of the motion is below one of these */
    int formulas;
    size_t formula_room;

    double t0, tend;
    bool has_tend;
    double max_step; /* longest step of a solver; 0: the file does not say */
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
/* A copy of the model with a graph of its own, for a formulation to work in. It borrows the file's
 * text: the original must outlive it. */
taut_status taut_model_copy(const taut_model *model, taut_model **copy, taut_errors *errors);
/* The same with other parameters and initial values. The names in the variation must outlive it. */
taut_status taut_model_vary(const taut_model *model, const taut_variation *variation,
                            taut_model **variant, taut_errors *errors);
/* Reports if the model has no parameter of this name. */
taut_status taut_model_check_parameter(const taut_model *model, const char *name,
                                       taut_errors *errors);
/* Reports if there is nothing of this name that has an initial value, in a model whose variables
 * are all known. */
taut_status taut_model_check_initial(taut_model *model, const char *name, taut_errors *errors);
/* After a fault: adds what else is wrong with the file. */
void taut_model_lint(const taut_model *model, taut_errors *errors);
/* Mechanisms: reads what needs the values of points and vectors (Define, Outputs, ProblemData),
 * once the formulation has set a resolver. */
taut_status taut_model_bind(taut_model *model, taut_errors *errors);
/* Mechanisms, before that: reads Variables, Constraints and VelocityConstraints of the top level.
 * model->coordinates tells which variables are coordinates and tracked angles. */
taut_status taut_model_bind_constraints(taut_model *model, taut_errors *errors);
/* Adds an unknown scalar function of t; *node is it. */
taut_status taut_model_add_variable(taut_model *model, const char *name, int group,
                                    taut_place place, taut_node *node);

#endif
