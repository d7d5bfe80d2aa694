/* taut sweep. Finished runs go into a journal beside the table, from which the table is written at
 * the end; the journal is then removed, those of shards stay. */
#include "cli/sweep.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/paths.h"
#include "cli/ranks.h"
#include "cli/show.h"
#include "cli/words.h"

enum { ALL_DIGITS = 17, MOST_SHOWN = 12, NAME_ROOM = 28 };

static taut_study_options options_of(const arguments *a) {
    taut_study_options o = taut_study_options_default();
    o.run = a->run;
    o.vary = a->vary;
    o.varies = a->varies;
    o.report = a->report;
    o.reports = a->reports;
    o.samples = a->samples;
    o.seed = a->seed;
    o.design = a->design;
    o.threads = a->threads;
    o.shard = a->shard;
    o.shards = a->shards;
    o.trace = a->trace;
    o.trace_rows = a->rows;
    ranks_share(&o);
    return o;
}

/* ---- the summary ---- */

static void show_spread(FILE *out, const taut_study *s, int column) {
    const taut_spread x = taut_study_spread(s, column);
    fprintf(out, "  %-*s %12.6g %12.6g %12.6g %12.6g\n", (int)NAME_ROOM,
            shown(taut_study_name(s, column)), x.mean, x.sd, x.min, x.max);
}

/* Correlations of results with what was varied, a line a result. */
static void show_correlations(FILE *out, const taut_study *s, int varies, int columns) {
    bool any = false;
    for (int k = 1; k <= varies; k++)
        any = any || isfinite(taut_study_correlation(s, k, varies + 1));
    if (!any) return;
    fprintf(out, "  %-*s", (int)NAME_ROOM, "correlation with");
    for (int k = 1; k <= varies; k++) fprintf(out, " %12.12s", shown(taut_study_name(s, k)));
    fprintf(out, "\n");
    for (int c = varies + 1; c < columns; c++) {
        fprintf(out, "  %-*s", (int)NAME_ROOM, shown(taut_study_name(s, c)));
        for (int k = 1; k <= varies; k++) fprintf(out, " %12.3f", taut_study_correlation(s, k, c));
        fprintf(out, "\n");
    }
}

static void show_study(FILE *out, const taut_study *s, const arguments *a, double wall) {
    const long done = taut_study_done(s), failed = taut_study_failed(s);
    const int columns = taut_study_columns(s);
    fprintf(out, "%s: %ld runs, %ld failed, %.3g s\n", shown(a->file), done, failed, wall);
    if (done > failed && a->reports <= MOST_SHOWN && a->varies <= MOST_SHOWN) {
        fprintf(out, "  %-*s %12s %12s %12s %12s\n", (int)NAME_ROOM, "", "mean", "sd", "min",
                "max");
        for (int c = 1; c < columns; c++) show_spread(out, s, c);
        if (a->varies <= 4) show_correlations(out, s, a->varies, columns);
    }
    for (long i = 0, told = 0; i < taut_study_runs(s) && failed > 0 && told < 3; i++) {
        const char *outcome = taut_study_outcome(s, i);
        if (!outcome || strcmp(outcome, "ok") == 0) continue;
        fprintf(out, "  run %ld: %s\n", i, shown(outcome));
        told++;
    }
}

/* ---- the command ---- */

static bool has_ending(const char *path, const char *ending) {
    const size_t n = strlen(path), m = strlen(ending);
    return n > m && strcmp(path + n - m, ending) == 0;
}

/* Beside the table: F.csv has F-traces.csv. */
static void traces_path(const arguments *a, const char *output, char *path, size_t size) {
    if (is_stdout(output) || strncmp(output, "/dev/", 5) == 0) {
        default_output(a->file, "-sweep-traces.csv", path, size);
        return;
    }
    const char *slash = strrchr(output, '/'), *dot = strrchr(slash ? slash : output, '.');
    const size_t stem = dot ? (size_t)(dot - output) : strlen(output);
    snprintf(path, size, "%.*s-traces.csv", (int)(stem < 1000 ? stem : 1000), output);
}

/* The journals of several processes, once the table is there. */
static void remove_journals(const char *journal) {
    char name[1200];
    remove(journal);
    for (int k = 1; k <= ranks_count() && ranks_count() > 1; k++) {
        snprintf(name, sizeof name, "%.1100s.%d-%d", journal, k, ranks_count());
        remove(name);
    }
}

/* After the runs: table and summary. */
static int deliver(const arguments *a, taut_study *s, const char *output, double wall,
                   taut_errors *errors) {
    const long runs = taut_study_runs(s), done = taut_study_done(s);
    const int digits = a->digits > 0 ? a->digits : ALL_DIGITS;
    FILE *out = is_stdout(output) ? stderr : stdout;
    char traces[1100] = "";
    if (a->shards > 0 && done < runs) {
        if (!a->quiet)
            fprintf(out,
                    "%s: part %d of %d is done; %ld of %ld runs are there, the last part "
                    "writes the table\n",
                    shown(a->file), a->shard, a->shards, done, runs);
        return EXIT_DONE;
    }
    writing_begin();
    taut_status written = taut_study_write(s, output, digits, errors);
    if (written == TAUT_OK && a->trace && !has_ending(output, ".h5") &&
        !has_ending(output, ".html")) {
        traces_path(a, output, traces, sizeof traces);
        written = taut_study_write_traces(s, traces, digits, errors);
    }
    if (written != TAUT_OK) {
        show_errors(written, errors);
        return EXIT_STOPPED;
    }
    if (!a->quiet) {
        show_study(out, s, a, wall);
        if (!is_stdout(output)) fprintf(out, "  in %s\n", shown(output));
        if (traces[0]) fprintf(out, "  trajectories in %s\n", shown(traces));
    }
    if (done == 0 || taut_study_failed(s) < done) return EXIT_DONE;
    fprintf(stderr, "taut: error: %s: all runs have failed; %s\n", shown(a->file),
            shown(taut_study_outcome(s, 0) ? taut_study_outcome(s, 0) : ""));
    return EXIT_STOPPED;
}

/* Why a study has stopped, and how it goes on. */
static int stop(taut_status status, const taut_errors *errors, const char *journal) {
    show_errors(status, errors);
    fprintf(stderr, "taut: what is done is in %s; the same call with --resume goes on\n",
            shown(journal));
    return EXIT_STOPPED;
}

static int perform(const arguments *a, taut_study *s, const char *output, const char *journal,
                   taut_errors *errors) {
    taut_status status = taut_study_keep(s, journal, a->resume, errors);
    int code = ranks_agree(status == TAUT_OK ? EXIT_DONE : show_errors(status, errors));
    if (code != EXIT_DONE) return code;
    const double begin = seconds();
    status = taut_study_run(s, errors);
    progress_end();
    const double wall = seconds() - begin;
    code = ranks_agree(status == TAUT_OK ? EXIT_DONE : stop(status, errors, journal));
    if (code != EXIT_DONE || !ranks_is_first()) return code;
    if (a->shards > 0 || ranks_count() > 1) status = taut_study_collect(s, journal, errors);
    if (status != TAUT_OK) return stop(status, errors, journal);
    memset(errors, 0, sizeof *errors);
    code = deliver(a, s, output, wall, errors);
    if (a->shards == 0 && code == EXIT_DONE) remove_journals(journal);
    return code;
}

/* All processes refuse the same; one of them says it. */
static int refuse_study(taut_status status, const taut_errors *errors) {
    return ranks_is_first() ? show_errors(status, errors) : EXIT_WRONG;
}

int sweep(arguments *a, taut_model *model, taut_errors *errors) {
    char path[1024], journal[1100];
    taut_study *study = NULL;
    default_output(a->file, "-sweep.csv", path, sizeof path);
    const char *output = a->output ? a->output : path;
    const bool apart = is_stdout(output) || strncmp(output, "/dev/", 5) == 0;
    snprintf(journal, sizeof journal, "%.1000s.journal", apart ? path : output);
    const char *slash = strrchr(output, '/'), *dot = strrchr(slash ? slash : output, '.');
    if (a->digits > 0 && dot &&
        (strcmp(dot, ".mat") == 0 || strcmp(dot, ".npy") == 0 || strcmp(dot, ".h5") == 0))
        return refuse("--digits", output,
                      "this file holds numbers, not digits; leave out one of the two");
    taut_status status = taut_study_write_check(output, errors);
    if (status != TAUT_OK) return show_errors(status, errors);
    int code = check_clashes(a, model, output);
    if (code == EXIT_DONE) code = check_clash(a, model, "the journal", journal);
    if (code != EXIT_DONE) return code;
    if (!ranks_begin(a)) return EXIT_WRONG;
    taut_study_options options = options_of(a);
    progress_of_many();
    progress_begin(&options.run, a->quiet || !ranks_is_first());
    ranks_attend(&options.run);
    status = taut_study_create(model, &options, &study, errors);
    code = ranks_agree(status == TAUT_OK ? EXIT_DONE : refuse_study(status, errors));
    if (code == EXIT_DONE) code = perform(a, study, output, journal, errors);
    taut_study_free(&study);
    ranks_end();
    return code;
}
