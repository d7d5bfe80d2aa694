/* Studies: one model run many times with other parameters, inputs and initial values, each run
 * reduced to a few numbers (docs/guide.md, "Sweeps").
 *
 *     taut_vary vary[] = {{"L", "1..2:11"}, {"phi", "uniform(0, 10 deg)"}};
 *     taut_report report[] = {{NULL, "max(Ay)"}, {"speed", "end(Ax')"}};
 *     taut_study_options options = taut_study_options_default();
 *     options.vary = vary, options.varies = 2;
 *     options.report = report, options.reports = 2;
 *     options.samples = 100;
 *     taut_study_create(model, &options, &study, &errors);
 *     taut_study_run(study, &errors);
 *     for (long i = 0; i < taut_study_runs(study); i++)
 *         printf("%g %s\n", taut_study_value(study, i, 3), taut_study_outcome(study, i));
 *     taut_study_free(&study);
 *
 * The numbers do not depend on how many threads work, nor on which of them does which run. */
#ifndef TAUT_STUDY_H
#define TAUT_STUDY_H

#include "taut/model.h"
#include "taut/result.h"
#include "taut/run.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct taut_study taut_study;

/* A name that is varied, and its values: "1..2:11" (eleven equidistant ones), "1,2,5", or, with
 * samples, "uniform(a,b)", "10+-0.1" (uniform), "normal(mean,sd)", "lognormal(mu,sigma)" (of the
 * logarithm), "triangular(a,mode,b)". Units may follow a number. The name is that of a parameter,
 * of an input, or of an initial value ("u", "u'", "Ax"), which is a guess unless the model fixes
 * it. */
typedef struct taut_vary {
    const char *name, *values;
} taut_vary;

/* A number of a run: "max(C)", "min(C)", "range(C)", "mean(C)", "rms(C)", "end(C)" or "at(T,C)" of
 * a column C. Extrema are those of the motion, wherever they are inside steps; mean and rms are
 * integrals over the time. "first(E)" and "count(E)": when an event or contact E happened first
 * (NaN: it did not), and how often. "rest(C)": a column at the equilibrium near the start.
 * "eigen(K,re)", "eigen(K,im)": the K-th eigenvalue of the linearisation at the start, from 1,
 * ascending by real, then imaginary part. */
typedef struct taut_report {
    const char *name; /* of its column; NULL: its text */
    const char *result;
} taut_report;

/* Fill with taut_study_options_default, then change what matters. */
typedef struct taut_study_options {
    int cookie;            /* by taut_study_options_default */
    taut_run_options run;  /* how to run; progress is called with the fraction of runs done, in
                              the caller's thread. What is for tables plays no part */
    const taut_vary *vary; /* [varies] the first one changes slowest */
    int varies;
    const double *point; /* [points * varies] by rows: so many runs, each with these values, instead
                            of the lists in vary, whose `values` are then NULL; NULL: none */
    long points;
    const taut_report *report; /* [reports] */
    int reports;
    long samples;            /* of those that have a distribution; 0: none has */
    unsigned long long seed; /* 0 */
    const char *design;      /* "random", "latin" (hypercube), "sobol"; NULL: random */
    int threads;             /* 0: as many as there are processors */
    int shard, shards;       /* only runs shard - 1, shard - 1 + shards, ...; 0, 0: all of them */
    const char *trace;       /* columns whose course is kept for each run, "a,b'"; NULL: none */
    int trace_rows;          /* at so many equidistant times; 0: 201 */
    /* Several processes at one study: take, called by any thread, adds count to a counter that they
     * share, which begins at 0, and returns what it was before (below 0: it cannot). Each is one of
     * the workers, from 1, and has a journal of its own. NULL, 0, 0: there are no others. */
    long (*take)(void *user, long count);
    void *take_user;
    int worker, workers;
    bool one_by_one; /* a thread takes one run after the other, instead of eight side by side in the
                        lanes of its vectors: the same numbers, more slowly */
} taut_study_options;
TAUT_API taut_study_options taut_study_options_default(void);

/* Checks everything that can be checked before an hour of runs: names, values, results. The model
 * must outlive the study. TAUT_ERR_CALL: the study makes no sense. */
TAUT_API taut_status taut_study_create(const taut_model *model, const taut_study_options *options,
                                       taut_study **study, taut_errors *errors);
TAUT_API void taut_study_free(taut_study **study);

/* Does the runs that are not done yet. A run that fails has a reason instead of results, and stops
 * nobody. TAUT_INTERRUPTED: by progress; what is done stays, and another call goes on. */
TAUT_API taut_status taut_study_run(taut_study *study, taut_errors *errors);

/* Keeps each finished run as a record appended to the file path, from the next taut_study_run on,
 * until the study is freed. resume: takes over the records of this very study that are there, and
 * does taut_study_collect; otherwise the file begins anew. Shard 2 of 16 has a file of its own,
 * path.2-16. Whatever kills the process, finished runs are not lost. */
TAUT_API taut_status taut_study_keep(taut_study *study, const char *path, bool resume,
                                     taut_errors *errors);

/* Takes over what the journals of shards hold that are there: path.1-2, path.2-2 and so on. */
TAUT_API taut_status taut_study_collect(taut_study *study, const char *path, taut_errors *errors);

/* The table: column 0 is the number of the run, then come the varied names, then the results. */
TAUT_API long taut_study_runs(const taut_study *study); /* shards together */
TAUT_API int taut_study_columns(const taut_study *study);
TAUT_API const char *taut_study_name(const taut_study *study, int column);
/* NaN: the run has failed, or is not done. */
TAUT_API double taut_study_value(const taut_study *study, long run, int column);
/* "ok", or why it has failed; NULL: it is not done. */
TAUT_API const char *taut_study_outcome(const taut_study *study, long run);
/* All results at once, a row a run: those of options.report, then, if there are trajectories, their
 * times one after the other, with all columns at each. NaN as above. It lives as long as the study.
 */
TAUT_API taut_table taut_study_table(const taut_study *study);
/* How many runs are done, and how many of these have failed. */
TAUT_API long taut_study_done(const taut_study *study);
TAUT_API long taut_study_failed(const taut_study *study);

/* A column over the runs that are ok: NaN where there are too few. sd is that of a sample. */
typedef struct taut_spread {
    long count;
    double mean, sd, min, max;
} taut_spread;
TAUT_API taut_spread taut_study_spread(const taut_study *study, int column);
/* Pearson's coefficient of correlation of two columns, over the runs in which both have values;
 * NaN: one of them does not vary there. */
TAUT_API double taut_study_correlation(const taut_study *study, int a, int b);

/* The trajectories that options.trace asked for: NaN where a run has failed or ended before. */
TAUT_API int taut_study_trace_columns(const taut_study *study);
TAUT_API int taut_study_trace_rows(const taut_study *study);
TAUT_API const char *taut_study_trace_name(const taut_study *study, int column);
TAUT_API double taut_study_trace_time(const taut_study *study, int row);
TAUT_API double taut_study_trace_value(const taut_study *study, long run, int row, int column);
/* As CSV: run, t and the columns, one row a run and time. */
TAUT_API taut_status taut_study_write_traces(const taut_study *study, const char *path, int digits,
                                             taut_errors *errors);

/* Writes the table as CSV, MAT, HDF5 (with the trajectories), JSON, NumPy's .npy or
 * a page for the browser (.html), by the extension; "-" is the standard output,
 * as CSV. Runs that are not done are left out; numbers of failed runs are empty (MAT, .npy: NaN).
 */
TAUT_API taut_status taut_study_write(const taut_study *study, const char *path, int digits,
                                      taut_errors *errors);
/* Whether it could be, before the runs. */
TAUT_API taut_status taut_study_write_check(const char *path, taut_errors *errors);

/* ---- gradients ---- */

/* Fill with taut_gradient_options_default, then change what matters. */
typedef struct taut_gradient_options {
    int cookie;                /* by taut_gradient_options_default */
    taut_run_options run;      /* how to run: solver taylor */
    const char *const *result; /* [results] numbers of the run: "max(Ay)" and so on, see
                                  taut_report; not "count", "rest" and "eigen" */
    int results;
    const char *const *name; /* [names] parameters and initial values */
    int names;
    const char *method; /* "forward": variations are carried beside the run, eight names at once;
                           "adjoint": back over the recorded run, four results at once, by any
                           number of names, across events as well; NULL: what costs less */
} taut_gradient_options;
TAUT_API taut_gradient_options taut_gradient_options_default(void);
/* Results of a run, value (results), and their exact derivatives by the names, derivative (results
 * x names, by rows): of one result by a hundred names at the cost of a few runs. */
TAUT_API taut_status taut_gradient_find(const taut_model *model,
                                        const taut_gradient_options *options, double *value,
                                        double *derivative, taut_errors *errors);

/* ---- optimisation ---- */

/* A parameter, an input or an initial value that may change, with its bounds; log: on a logarithmic
 * scale, both bounds are above 0. */
typedef struct taut_bounded {
    const char *name;
    double low, high;
    bool log;
} taut_bounded;

/* Fill with taut_optimize_options_default, then change what matters. */
typedef struct taut_optimize_options {
    int cookie;                   /* by taut_optimize_options_default */
    taut_run_options run;         /* how to run; progress may stop the search */
    const taut_bounded *variable; /* [variables]; NULL: those of the model's Study */
    int variables;
    const char *minimize, *maximize; /* a formula of results, "max(Ax) + 2*rms(phi)": one of them;
                                        both NULL: what the Study says */
    const taut_report *limit; /* [limits] names, and what must hold: "max(pin.Fx) <= 500"; with
                                 minimize or maximize; otherwise those of the Study */
    int limits;
    int starts; /* the model's own values, then random ones; 0: as the Study says, or 1 */
    unsigned long long seed; /* of these */
    const char *method; /* "gradient" (IPOPT), "search" (NLopt), "auto"; NULL: as the Study says */
    int most;           /* evaluations a start; 0: 1000 with gradients, 2000 without */
} taut_optimize_options;
TAUT_API taut_optimize_options taut_optimize_options_default(void);

/* One search: where it ended. */
typedef struct taut_optimum_start {
    const double *value; /* [variables] */
    double objective;
    double excess; /* of the worst limit, in units of the change that a step over the whole range
                      makes of it; <= 0: all hold */
    long evaluations;
    bool converged;
    const char *words; /* how it ended */
} taut_optimum_start;

typedef struct taut_optimum taut_optimum;
/* Looks for the best values. TAUT_ERR_NUMERICS: no start has come to a point where all limits hold;
 * what was tried is in *optimum nevertheless. The model must outlive the optimum. */
TAUT_API taut_status taut_optimize(const taut_model *model, const taut_optimize_options *options,
                                   taut_optimum **optimum, taut_errors *errors);
TAUT_API void taut_optimum_free(taut_optimum **optimum);
TAUT_API int taut_optimum_variables(const taut_optimum *optimum);
TAUT_API const char *taut_optimum_name(const taut_optimum *optimum, int variable);
TAUT_API double taut_optimum_value(const taut_optimum *optimum, int variable);
TAUT_API double taut_optimum_objective(const taut_optimum *optimum);
/* Limits: their names, and how far they are exceeded (both sides' difference; below 0: not). */
TAUT_API int taut_optimum_limits(const taut_optimum *optimum);
TAUT_API const char *taut_optimum_limit(const taut_optimum *optimum, int limit);
TAUT_API double taut_optimum_excess(const taut_optimum *optimum, int limit);
/* By which method, in words, and whether its derivatives were exact. */
TAUT_API const char *taut_optimum_method(const taut_optimum *optimum);
TAUT_API bool taut_optimum_is_exact(const taut_optimum *optimum);
TAUT_API int taut_optimum_starts(const taut_optimum *optimum);
/* NULL: there is no such start. */
TAUT_API const taut_optimum_start *taut_optimum_get_start(const taut_optimum *optimum, int start);
TAUT_API int taut_optimum_best(const taut_optimum *optimum); /* which of them */
/* The way: a row an evaluation, with start, variables, objective and excesses of limits. */
TAUT_API taut_status taut_optimum_record(const taut_optimum *optimum, taut_result **record);
/* The derivative of the objective (limit -1) or of a limit by the variables, at the model's own
 * values or at value (variables): derivative (variables). For tests and for the curious. */
TAUT_API taut_status taut_optimum_gradient(taut_optimum *optimum, int limit, const double *value,
                                           double *derivative, taut_errors *errors);
/* The text of the model's file with these values (variables) in it, to be freed by taut_text_free;
 * NULL: those of the optimum. TAUT_ERR_CALL: it has no place for one of them. */
TAUT_API taut_status taut_optimum_text(const taut_optimum *optimum, const double *value,
                                       char **text, taut_errors *errors);

/* ---- fitting ---- */

/* An experiment: columns of a run that were measured, at times of its own. */
typedef struct taut_measurement {
    const char *name;
    const double *t; /* [rows] ascending, from the model's t0 on; the run goes to the last one */
    int rows;
    const char *const *column; /* [columns] */
    int columns;
    const double *value;     /* [rows * columns] by rows; NaN: not measured */
    const char *const *set;  /* [sets] parameters, inputs and initial values of this experiment, */
    const double *set_value; /* ... and what they are */
    int sets;
} taut_measurement;

/* Fill with taut_estimate_options_default, then change what matters. What is NULL or 0 is as the
 * model's Study says. */
typedef struct taut_estimate_options {
    int cookie;                   /* by taut_estimate_options_default */
    taut_run_options run;         /* how to run; progress may stop the search */
    const taut_bounded *variable; /* [variables] initial values are found for each experiment */
    int variables;
    const taut_measurement *measurement; /* [measurements] */
    int measurements;
    const char *const *data; /* [datas] CSV files with a column t, instead of measurements */
    int datas;
    const char *const *weighted; /* [weights] columns, */
    const double *weight;        /* ... and standard deviations of their noise; 1 if missing */
    int weights;
    const char *const *bias; /* [biases] measured columns that are off by a constant */
    int biases;
    const char *loss;         /* "squares", "huber", "cauchy" */
    int shooting;             /* parts of an experiment, each with a start of its own */
    const char *const *state; /* [states] independent coordinates, for shooting */
    int states;
    int starts;
    unsigned long long seed;
    int most; /* evaluations a start; 0: 200 */
} taut_estimate_options;
TAUT_API taut_estimate_options taut_estimate_options_default(void);

/* A value that was found. */
typedef struct taut_estimated {
    const char *name; /* of an initial value in the second of several experiments: "phi[2]" */
    double value, sd; /* standard deviation; infinite: the data do not determine it */
    double low, high; /* 95 % confidence */
    bool identified, at_bound;
} taut_estimated;

typedef struct taut_estimates taut_estimates;
/* Finds the values whose runs are nearest to what was measured. TAUT_ERR_NUMERICS: no start has led
 * to any. The model must outlive the estimates. */
TAUT_API taut_status taut_estimate(const taut_model *model, const taut_estimate_options *options,
                                   taut_estimates **estimates, taut_errors *errors);
TAUT_API void taut_estimates_free(taut_estimates **estimates);
TAUT_API int taut_estimates_count(const taut_estimates *estimates);
/* NULL: there is none. */
TAUT_API const taut_estimated *taut_estimates_get(const taut_estimates *estimates, int k);
/* Coefficient of correlation of two estimates; NaN: one of them is not identified. */
TAUT_API double taut_estimates_correlation(const taut_estimates *estimates, int a, int b);
/* What cannot be identified, a line each: names of which only a combination counts; "": nothing. */
TAUT_API const char *taut_estimates_unidentified(const taut_estimates *estimates);

/* How it went. */
typedef struct taut_estimates_stats {
    int residuals, unknowns; /* measured numbers, and what was found */
    double rms;              /* of residuals, each by its standard deviation */
    double gap; /* shooting: the largest jump between parts, beside the size of its column */
    long runs;
    int start;             /* which one was best */
    bool converged, exact; /* exact: derivatives are those of sensitivities */
} taut_estimates_stats;
TAUT_API const taut_estimates_stats *taut_estimates_get_stats(const taut_estimates *estimates);
/* Measured values beside those of the runs: experiment (from 0), t, and of each column C: C, the
 * run's C, the difference. NaN: not measured. */
TAUT_API taut_status taut_estimates_table(const taut_estimates *estimates, taut_result **table);
/* The text of the model's file with what was found in it (initial values of the first experiment),
 * to be freed by taut_text_free. */
TAUT_API taut_status taut_estimates_text(const taut_estimates *estimates, char **text,
                                         taut_errors *errors);
/* A page for the browser: estimates, measured and computed curves, residuals. */
TAUT_API taut_status taut_estimates_page(const taut_estimates *estimates, const char *path,
                                         taut_errors *errors);

#ifdef __cplusplus
}
#endif

#endif
