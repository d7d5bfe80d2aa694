/* The tables of the command line: commands, and options with the commands that have them. */
#ifndef TAUT_CLI_OPTION_TABLE_H
#define TAUT_CLI_OPTION_TABLE_H

#include "cli/args.h"

typedef enum option_id {
    OPTION_TOL,
    OPTION_TOLS,
    OPTION_RTOL,
    OPTION_ATOL,
    OPTION_BUILD,
    OPTION_ERROR,
    OPTION_PROJECTION,
    OPTION_ORDER,
    OPTION_FORMULATION,
    OPTION_BASE,
    OPTION_SUBSPACE,
    OPTION_CONTINUATION,
    OPTION_SUBSPACE_COLUMNS,
    OPTION_CUT,
    OPTION_MULTIPLIERS,
    OPTION_STABILIZE,
    OPTION_ALPHA,
    OPTION_BETA,
    OPTION_SOLVER,
    OPTION_STEP,
    OPTION_MAX_STEP,
    OPTION_STARTS,
    OPTION_LIMIT,
    OPTION_MEMORY,
    OPTION_TEND,
    OPTION_AT,
    OPTION_EVERY,
    OPTION_DERIVATIVES,
    OPTION_DIGITS,
    OPTION_COLUMNS,
    OPTION_UNITS,
    OPTION_UNITS_ROW,
    OPTION_HEADER,
    OPTION_EXPLAIN,
    OPTION_REACTIONS,
    OPTION_SENSITIVITY,
    OPTION_AXES,
    OPTION_OUTPUT,
    OPTION_EQUILIBRIUM,
    OPTION_FROM_EQUILIBRIUM,
    OPTION_STATES,
    OPTION_FORM,
    OPTION_PERIOD,
    OPTION_IN,
    OPTION_OUT,
    OPTION_RANGE,
    OPTION_NYQUIST,
    OPTION_LOG_X,
    OPTION_LOG_Y,
    OPTION_DRIVE,
    OPTION_REACH,
    OPTION_INPUTS,
    OPTION_OUTPUTS,
    OPTION_SET,
    OPTION_INPUT,
    OPTION_EVENTS,
    OPTION_SAVE_STATE,
    OPTION_LOAD_STATE,
    OPTION_VARY,
    OPTION_REPORT,
    OPTION_SAMPLES,
    OPTION_SEED,
    OPTION_DESIGN,
    OPTION_THREADS,
    OPTION_SHARD,
    OPTION_RESUME,
    OPTION_TRACE,
    OPTION_ROWS,
    OPTION_METHOD,
    OPTION_DATA,
    OPTION_C,
    OPTION_FLOAT,
    OPTION_SOURCES,
    OPTION_FMU,
    OPTION_FMI,
    OPTION_PARAMETERS,
    OPTION_STATS,
    OPTION_COMPILE,
    OPTION_PROFILE,
    OPTION_JSON,
    OPTION_ASCII,
    OPTION_AGAINST,
    OPTION_PANELS,
    OPTION_EQUAL,
    OPTION_SIZE,
    OPTION_OPEN,
    OPTION_LIVE,
    OPTION_VIDEO,
    OPTION_CERTIFY,
    OPTION_NO_CERTIFY,
    OPTION_WITH,
    OPTION_CONFINE,
    OPTION_QUIET,
    OPTION_HELP,
    OPTION_VERSION,
    OPTION_LICENCES,
    OPTION_COMPLETION
} option_id;

typedef struct option_row {
    const char *name, *value; /* value: what it takes; NULL: nothing */
    option_id option;
    int commands;     /* bits */
    const char *help; /* NULL: it is not listed */
} option_row;

typedef struct command_row {
    const char *name;
    command_id command;
    const char *words; /* what follows it */
    const char *help;
} command_row;

extern const option_row OPTION[];
extern const int OPTIONS;
extern const command_row COMMAND[];
extern const int COMMANDS;

/* "" for COMMAND_NONE */
const char *command_name(command_id command);

#endif
