/* The command line, read: the same words in every command. */
#ifndef TAUT_CLI_ARGS_H
#define TAUT_CLI_ARGS_H

#include <stdbool.h>

#include "taut/taut.h"

enum { EXIT_DONE = 0, EXIT_STOPPED = 1, EXIT_WRONG = 2 };
enum { MOST_OVERRIDES = 256, MOST_COLUMNS = 64, MOST_OPTIONS = 256 };
enum { MOST_DATA = 256 };
enum { MOST_VARIES = 256, MOST_REPORTS = 1024, MOST_TARGETS = 1000 };

/* Commands as bits, to say which options belong to which. */
typedef enum command_id {
    COMMAND_NONE = 0,
    COMMAND_RUN = 1,
    COMMAND_ANALYZE = 2,
    COMMAND_CHECK = 4,
    COMMAND_PLOT = 8,
    COMMAND_VIEW = 16,
    COMMAND_SCHEMA = 32,
    COMMAND_COMPARE = 64,
    COMMAND_SWEEP = 128,
    COMMAND_LINEARIZE = 256,
    COMMAND_EQUILIBRIUM = 512,
    COMMAND_MODES = 1024,
    COMMAND_EXPORT = 2048,
    COMMAND_DIFF = 65536,
    COMMAND_INVERSE = 1 << 20,
    COMMAND_KINEMATICS = 1 << 21,
    COMMAND_BODE = 1 << 22,
    COMMAND_OPTIMIZE = 1 << 24,
    COMMAND_FIT = 1 << 25,
    COMMAND_IMPORT = 1 << 26,
    COMMAND_NEW = 1 << 28,
    COMMAND_HELP = 1 << 29
} command_id;

typedef struct arguments {
    command_id command;
    int argc; /* the words themselves */
    char **argv;
    const char *file;
    const char *output;                  /* NULL: stem + .csv, .svg, .html or -compare.html */
    const char *stats;                   /* NULL: none */
    const char *events;                  /* NULL: none */
    const char *save_state, *load_state; /* NULL: none */
    taut_state *from;                    /* what was loaded; owned */
    taut_equilibria *rest;               /* the start, with at_rest; owned */
    int digits;                          /* 0: not given */
    bool units, units_row;               /* of columns */
    bool header;                         /* comment lines before the table */
    bool explain;                        /* check: every number in words */
    bool json, build, quiet, help, version, licences, open, live;
    const char *video;      /* view: a film as well; NULL: none */
    const char *completion; /* which shell's script to print; NULL: none */
    const char *with;       /* compare: a CSV file instead of other runs; view: another run; NULL:
                               none */
    const char *times_file; /* that --at was read from; NULL: none */
    bool confine;           /* the model may include files of its own folder only */
    bool certify, no_certify;
    bool at_rest; /* --equilibrium, --from-equilibrium: the start is an equilibrium */
    const char *column[MOST_COLUMNS]; /* of plot */
    int columns;
    const char *against; /* NULL: t */
    bool ascii, panels, equal;
    int width, height;                         /* 0: not given */
    const char *formulations, *solvers, *tols; /* of compare: lists; NULL: not given */
    double limit;                              /* of compare, in seconds; 0: not given */
    taut_vary vary[MOST_VARIES];               /* of sweep; owned texts, as those of reports */
    taut_report report[MOST_REPORTS];
    int varies, reports;
    int samples, threads, shard, shards; /* 0: not given */
    unsigned long long seed;
    const char *design;          /* NULL: not given */
    const char *trace;           /* of sweep: columns; NULL: not given */
    int rows;                    /* likewise; 0: not given */
    const char *method;          /* of optimize; NULL: not given */
    const char *data[MOST_DATA]; /* of fit */
    int datas;
    const char *drive;              /* of kinematics; NULL: not given */
    taut_response_options response; /* of bode */
    bool nyquist, log_x, log_y;
    double period; /* of linearize; 0: not given */
    const char *reach[MOST_TARGETS];
    int reaches;
    bool resume;
    taut_linear_options linear; /* of linearize */
    const char *c_folder;       /* of export; NULL: not given */
    const char *fmu;            /* likewise: the archive */
    int fmi;                    /* 0: not given */
    const char *parameters;     /* likewise: which can be changed */
    bool single;                /* likewise: float */
    bool sources;               /* likewise: FMUs in source code */
    bool seen[MOST_OPTIONS];    /* rows of the table of options that were used */
    taut_run_options run;
    double *times; /* of --at; owned */
    taut_override override[MOST_OVERRIDES];
    char *override_text[2 * MOST_OVERRIDES + MOST_VARIES + MOST_REPORTS]; /* [texts] owned copies,
                                                                             NAME\0EXPR */
    int overrides;
    taut_override input[MOST_OVERRIDES]; /* of --input; the texts are among override_text */
    int inputs, texts;
} arguments;

/* Reads argv into arguments that are zero, as static ones are: most of their pages are never
 * touched. False after a message on stderr. Release in any case. */
bool arguments_read(arguments *arguments, int argc, char **argv);
void arguments_release(arguments *arguments);

#endif
