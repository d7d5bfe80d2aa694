/* A system of equations f_i(t, x_j and derivatives) = 0, as the solvers see it: no bodies, no
 * files, only nodes of a graph with names and source places for messages. */
#ifndef TAUT_SOLVE_SYSTEM_H
#define TAUT_SOLVE_SYSTEM_H

#include "expr/infix.h"

typedef struct taut_equation {
    taut_node node;   /* f_i */
    const char *name; /* for people: "equation 3", "constraint length" */
    taut_place place; /* where it was written */
    int vector;       /* components of one vector, which follow each other, have the same number;
                         0: it stands alone */
} taut_equation;

/* What is known of the size of an unknown before there are values. */
typedef enum taut_sizing {
    TAUT_SIZE_OPEN,    /* nothing */
    TAUT_SIZE_ONE,     /* a direction or an angle */
    TAUT_SIZE_GROUP,   /* a length: as large as the largest guess of its group */
    TAUT_SIZE_BALANCE, /* a force: what the equations ask for */
    TAUT_SIZE_WORK     /* an energy, of which its rate is known: the same, and what masses have */
} taut_sizing;

typedef struct taut_unknown {
    const char *name;
    int group;         /* variables of one group share a scale: the coordinates of a point */
    bool rest_default; /* an unlisted first derivative counts as the guess 0 */
    bool zero_default; /* an unlisted value counts as the guess 0 */
    taut_sizing sizing;
    bool passive;    /* nothing depends on it: it does not take part in the choice of steps */
    bool mechanical; /* a coordinate: d = 2 even if it has no mass, as far as that is possible */
    bool auxiliary;  /* a name for an expression: the equation that says so is no constraint */
    taut_place place;
} taut_unknown;

/* A value that the model gives for the k-th derivative of variable j at the start. */
typedef struct taut_given {
    int variable, order;
    double value;
    bool fixed; /* must not be changed */
    bool rough; /* a search begins there, but it may go anywhere: nobody has listed it */
    taut_place place;
    int number;              /* of the numbers that a simulation may change; -1: it stays */
    const char *name, *part; /* how it was listed, if not by the unknown's name; NULL: so */
} taut_given;

/* Something that is to hold at the start beyond the equations: node = 0. It is imposed at the stage
 * at which its value is first known. */
typedef struct taut_condition {
    taut_node node;
    taut_node side; /* must be positive where node is zero (an angle, not the one beyond it by pi);
                       TAUT_NO_NODE: nothing of this kind */
    bool fixed;     /* must hold; otherwise it is a guess */
    const char *name; /* what the user gave a value for */
    taut_place place;
    bool listed;      /* the value is the user's: a change of it is told */
    const char *part; /* "x" of a point's x, "" of a scalar */
    int order;        /* of the derivative that has the value */
    double value;
    int number; /* as that of taut_given */
} taut_condition;

/* Where to begin with an unknown that has no value: node + x_variable, free of unknowns. */
typedef struct taut_hint {
    int variable;
    taut_node node;
} taut_hint;

/* Square: variable j of the graph is unknown[j]. Everything is borrowed and must outlive its users.
 */
typedef struct taut_system {
    taut_graph *graph;
    taut_names names;        /* of variables and parameters, for printing nodes */
    int n;                   /* equations, variables */
    taut_equation *equation; /* [n] */
    taut_unknown *unknown;   /* [n] */
    int groups;              /* group numbers are below this */
    double length;           /* the largest coordinate of a point at the start; 0: not known */
    taut_given *given;       /* [givens] */
    int givens;
    taut_condition *condition; /* [conditions] */
    int conditions;
    taut_hint *hint; /* [hints] */
    int hints;
    const taut_node *formula; /* [formulas] roots of what the user wrote: see solve/vigil.h */
    int formulas;
    const taut_node *sampled; /* [sampleds] values of tables: polynomials by pieces whose ends are
                                 watched, so they hide nothing */
    int sampleds;
    const bool *driver; /* [n] equations that prescribe a motion; NULL: there are none */
    const bool *late;   /* [n] equations that the guesses may leave open; NULL: there are none */
    bool wide; /* whoever solves it does not look at J, which may be a wide one: solve/wide.h */
    int first_constraint; /* with drivers: constraints are the equations from here on */
    taut_place place;     /* of the whole: for faults that no single line has */
} taut_system;

/* Writes the name of x_j^(k), with primes, into text; returns text. */
const char *taut_derivative_name(const taut_system *system, int j, int k, char *text, size_t size);

#endif
