/* What the user wrote: names, numbers, expressions and the lines they stand on. */
#ifndef TAUT_MODEL_MODEL_H
#define TAUT_MODEL_MODEL_H

#include "expr/infix.h"
#include "model/yaml.h"
#include "taut/taut.h"

typedef enum taut_model_kind { TAUT_MODEL_DAE, TAUT_MODEL_LAGRANGIAN } taut_model_kind;

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

/* An initial value for the order-th derivative of a variable. */
typedef struct taut_model_value {
    int variable, order;
    double value;
    bool fixed;
    taut_place place;
} taut_model_value;

struct taut_model {
    taut_arena arena;
    taut_doc *doc;
    taut_graph *graph;
    taut_model_kind kind;
    const char *title; /* "" if there is none */

    taut_model_variable *variable; /* [variables] coordinates, extra variables, multipliers */
    int variables, groups;
    size_t variable_room;
    const char **variable_name;  /* [variables] the same names, for printing */
    const char **parameter_name; /* [parameters] */
    int parameters;

    taut_model_formulas equations;   /* DAE: all; Lagrangian: those of the extra variables */
    int coordinates;                 /* Lagrangian: variables 0 .. coordinates-1 */
    taut_model_formulas constraints; /* multiplier of constraint i: variables - constraints + i */
    taut_node L, dissipation;        /* TAUT_NO_NODE: none */
    taut_model_formulas forces;      /* node: the force; order: see force_on */
    int *force_on;                   /* [forces.count] coordinate */
    taut_model_formulas outputs;

    double t0, tend;
    bool has_tend;
    taut_model_value *value; /* [values] */
    int values;
    size_t value_room;
    taut_place problem_place; /* of ProblemData, or of the whole file */
    double read_s;            /* how long it took to read */
};

#endif
