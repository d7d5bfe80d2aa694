/* A model as C code is written from it: the tape of everything that the generated program
 * evaluates, where each of its series is stored, the fixed order of pivots, the step. */
#ifndef TAUT_EXPORT_CODE_H
#define TAUT_EXPORT_CODE_H

#include "export/pivots.h"
#include "task/simulation.h"
#include "taut/export.h"

/* Who needs a slot of the tape. */
enum { TAUT_USE_SERIES = 1, TAUT_USE_JACOBIAN = 2, TAUT_USE_OUTPUT = 4 };

/* Where the series of a slot lives in the generated program. */
typedef enum taut_store {
    TAUT_STORE_NONE,   /* nobody needs it */
    TAUT_STORE_LOCAL,  /* its newest order only, inside one function */
    TAUT_STORE_SERIES, /* w->c[home][order] */
    TAUT_STORE_OUTPUT  /* w->o[home][order] */
} taut_store;

/* A column of the results: the order-th derivative of a node. */
typedef struct taut_code_column {
    const char *name;
    taut_node node;
    int slot, order; /* slot: of the node */
} taut_code_column;

/* Reactions, if they are asked for: balances of all bodies (task/balance), by tables and a matrix
 * of fixed size. */
typedef struct taut_code_reactions {
    const taut_reactions *of;
    taut_code_column *part; /* [3 * vectors] components of vectors, numbers among them */
    int rows, unknowns;     /* of the balances */
    int rank;               /* along the whole motion */
    double force;           /* the largest one there */
    bool *open;             /* [columns] rigid bodies do not determine it */
    taut_balance *balance;  /* while the motion is followed, ... */
    double *row;            /* ... with room for a row of the results */
} taut_code_reactions;

/* A component of the state: x_j^(k), k < d_j. */
typedef struct taut_code_state {
    int variable, order;
    double start; /* its value at t0 */
    double scale; /* its largest value in the reference run, with others of its group */
} taut_code_state;

/* A parameter of the graph. */
typedef enum taut_code_number {
    TAUT_CODE_FIXED,     /* a number that cannot be changed: an initial value */
    TAUT_CODE_PARAMETER, /* a field of the structure of parameters */
    TAUT_CODE_INPUT,     /* a field of the structure of inputs */
    TAUT_CODE_HELD,      /* set by a controller at its samples, held in between */
    TAUT_CODE_DERIVED    /* a formula of other ones */
} taut_code_number;

typedef struct taut_code_parameter {
    taut_code_number kind;
    const char *name;
    const char *field; /* the name as an identifier of C */
    double value;
    taut_node formula; /* DERIVED */
    bool frozen;       /* a number in the program, as if it were FIXED */
    bool used;         /* the program reads it */
    bool moves;        /* it follows from inputs, or from what controllers hold */
    int held;          /* HELD: its number among these */
} taut_code_parameter;

/* What a controller assigns at its samples. */
typedef struct taut_code_action {
    taut_code_column value; /* as the columns have theirs */
    int controller;
    int parameter;
} taut_code_action;

/* One of Controllers, its times as numbers of steps. */
typedef struct taut_code_controller {
    const char *name;
    long period, phase; /* the first sample is behind `phase` steps */
} taut_code_controller;

/* J along the motion. */
typedef struct taut_code_samples {
    taut_series *series;
    double *value; /* [room * entries], of which [count * entries] are there */
    double *time;  /* [room] */
    double *work;  /* [n * n] */
    int count, room;
    long every, seen; /* one out of so many is kept */
    int offenders;    /* with poor pivots, since they were chosen */
} taut_code_samples;

typedef struct taut_code {
    taut_arena arena;
    const taut_export_options *options;
    taut_model *model;           /* with inputs that stay symbols */
    taut_simulation *simulation; /* at the start; it owns the equations */
    const taut_problem *problem;
    const taut_system *system;
    const taut_structure *structure;
    const char *stem;   /* of file names */
    const char *prefix; /* the same as an identifier, ... */
    const char *macro;  /* ... and in capitals */

    /* the tape and who needs what of it */
    taut_tape *tape;
    int *equation, *variable; /* [n] slots */
    int entries;              /* of J, in compressed columns */
    const int *start, *row;   /* [n+1], [entries] */
    int *entry;               /* [entries] slots */
    taut_code_column *column; /* [columns] t aside; behind formulas reactions, without a node */
    int columns, formulas;
    taut_code_reactions *reactions; /* NULL: not asked for, or there are none */
    taut_code_action *action;       /* [actions] of controllers */
    int actions;
    taut_code_controller *controller; /* [controllers] */
    int controllers;
    int helds;
    int last_stage; /* that columns and controllers need */
    uint8_t *use;   /* [slots] bits */
    bool passed;    /* one has changed, while they are found */
    taut_store *store;
    int *home;           /* [slots] */
    int *level;          /* [slots] offset; those of what depends on t alone: TAUT_LEVEL_TIME */
    int levels;          /* offsets 0 .. levels - 1 */
    int series, outputs; /* how many are stored in c and in o */
    int orders, output_orders;           /* how long they are */
    int inner, time_inner, output_inner; /* convolutions */
    taut_code_samples samples;
    taut_pivots pivots;

    /* numbers */
    taut_code_parameter *parameter; /* [parameters] by their index in the graph */
    int parameters;
    bool frozen;                      /* parameters are, because there would be too much */
    bool *number_used, *number_moves; /* [numbers] of the tape's program, by origin */
    bool *number_open;                /* [numbers] it depends on what can be changed */

    /* the motion */
    taut_code_state *state; /* [states] */
    int states;
    int order;
    double t0, tend, step;
    long steps;
    double tolerance; /* that the step was chosen for */
    double error;     /* of the fixed steps against the reference; NaN: not measured */
    double reference; /* what the reference itself may be off by */
    double tail;      /* the largest sum of squares of last terms, in units of the allowed errors */
} taut_code;

enum { TAUT_LEVEL_TIME = 1000 };

/* What is found for the caller: columns that are formulas, values of controllers, components of
 * reactions' vectors. */
int taut_code_observed(const taut_code *code);
taut_code_column *taut_code_observed_at(const taut_code *code, int i);

/* Makes the code of a model; to be released in any case. */
taut_status taut_code_create(const taut_model *model, const char *stem,
                             const taut_export_options *options, taut_code *code,
                             taut_errors *errors);
void taut_code_release(taut_code *code);

/* ---- parts of it, in this order ---- */

/* What the generated program cannot do is refused, by name. */
taut_status taut_code_refuse(const taut_code *code, taut_errors *errors);
/* Tape, uses, places. order and derivatives are known. */
taut_status taut_code_lay_out(taut_code *code, taut_errors *errors);
/* Reactions, if they are asked for. */
taut_status taut_code_plan_reactions(taut_code *code, taut_errors *errors);
/* Looks at the balances where the reference run is: their rank must be the same everywhere. */
taut_status taut_code_look_at_reactions(taut_code *code, taut_errors *errors);
/* Runs the model at the highest accuracy: scales, and values of J, from which pivots are chosen.
 * What a fixed step cannot do is refused. */
taut_status taut_code_follow_motion(taut_code *code, taut_errors *errors);
/* Step and order; tries the pivots along these steps. */
taut_status taut_code_choose_step(taut_code *code, taut_errors *errors);
/* The step that all samples of controllers are multiples of, divided by m; false: it is none. */
bool taut_code_fits_samples(const taut_code *code, double step);
/* The longest such step; 0: there is no controller; NaN: periods have nothing in common. */
double taut_code_base(const taut_code *code);
/* Times of controllers in steps. */
void taut_code_count_samples(taut_code *code);
/* At the point that a stepper has reached: notes if the pivots are poor there; and chooses them
 * again with what was noted. */
taut_status taut_code_try_pivots(taut_code *code, const taut_stepper *stepper);
taut_status taut_code_choose_again(taut_code *code, taut_errors *errors);

#endif
