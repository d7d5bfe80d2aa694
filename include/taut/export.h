/* Models that leave: C code for a controller, an FMU for other simulators.
 *
 *     taut_export_options options = taut_export_options_default();
 *     options.run.step = 1e-3;
 *     taut_export_c(model, &options, "controller", "crane", &report, &errors);
 *
 * What is written is free of taut's licence. */
#ifndef TAUT_EXPORT_H
#define TAUT_EXPORT_H

#include "taut/model.h"
#include "taut/run.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fill with taut_export_options_default, then change what matters. */
typedef struct taut_export_options {
    int cookie;             /* by taut_export_options_default */
    taut_run_options run;   /* rtol: what the whole run may be off by, relative to the largest value
                               of   a kind; step and order: fixed; 0: chosen for it; formulation,
                               tend, derivatives and progress as for a run */
    const char *parameters; /* "A,B": these can be changed in the generated program, others are
                               numbers there; "all"; NULL: all, unless what follows from them would
                               be most of the program: then none */
    bool single;            /* float instead of double; the tolerance is then at least 1e-4 */
    int fmi;                /* of an FMU: the version of the standard, 2 or 3 (3) */
    bool sources;           /* of an FMU: the generated C code instead of a binary */
} taut_export_options;
TAUT_API taut_export_options taut_export_options_default(void);

/* What was chosen. */
typedef struct taut_export_report {
    int order;
    double step;
    long steps;       /* from t0 to tend */
    double tolerance; /* that they were chosen for, ... */
    double error;     /* ... and what fixed steps were found to be off by, by runs of taut */
    int states, unknowns, columns;
    int undetermined; /* reactions that rigid bodies do not determine: those of least size */
    long pivots;      /* operations of one elimination and solution */
    double pivot;     /* the least part of its column that a pivot is along the motion */
    int parameters;   /* that can be changed */
    bool frozen;      /* ... and none can, because what follows from them is too long */
    long bytes;       /* of the source file */
} taut_export_report;

/* Writes STEM.c, STEM.h, main.c and Makefile into a folder, which is made if it is not there:
 * docs/export.md describes them. report and errors may be NULL. TAUT_ERR_INPUT: this model cannot
 * be exported, and the message says why. */
TAUT_API taut_status taut_export_c(const taut_model *model, const taut_export_options *options,
                                   const char *directory, const char *stem,
                                   taut_export_report *report, taut_errors *errors);

/* What an FMU offers. */
typedef struct taut_fmu_report {
    bool exchange;  /* model exchange beside co-simulation, ... */
    int states;     /* ... with so many states ... */
    int indicators; /* ... and functions that are zero at events; ... */
    char why[300];  /* ... or why not */
} taut_fmu_report;

/* Writes an FMU for co-simulation and, where it has a fixed number of states, for model exchange:
 * the model's file, the binary that simulates it (which is installed with taut:
 * lib/taut/taut-fmu.so), and their description. Of the options rtol, atol, derivatives and fmi
 * count; with sources those of taut_export_c, and binary may be NULL. TAUT_ERR_CALL: the model
 * includes other files, or has values that are not the file's. report and errors may be NULL. */
TAUT_API taut_status taut_export_fmu(const taut_model *model, const taut_export_options *options,
                                     const char *path, const char *binary, taut_fmu_report *report,
                                     taut_errors *errors);

#ifdef __cplusplus
}
#endif

#endif
