/* The program: reads the command line, calls the library, says what came of it. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"
#include "cli/bode.h"
#include "cli/comparing.h"
#include "cli/completion.h"
#include "cli/differing.h"
#include "cli/draw.h"
#include "cli/inverting.h"
#include "cli/exporting.h"
#include "cli/importing.h"
#include "cli/help.h"
#include "cli/licences.h"
#include "cli/linearizing.h"
#include "cli/memory.h"
#include "cli/moving.h"
#include "cli/overlay.h"
#include "cli/fitting.h"
#include "cli/optimizing.h"
#include "cli/paths.h"
#include "cli/show.h"
#include "cli/starting.h"
#include "cli/sweep.h"
#include "cli/tables.h"
#include "cli/topics.h"
#include "cli/view.h"
#include "cli/words.h"

enum { ALL_DIGITS = 17 };

/* Checks where results and statistics go, before any work is done. */
static int check_outputs(const arguments *a, const taut_model *model, const char *output,
                         taut_errors *errors) {
    const char *end = a->events ? strrchr(a->events, '.') : NULL;
    if (end && strcmp(end, ".csv") != 0 && strcmp(end, ".json") != 0)
        return refuse("--events", a->events,
                      "events are written as CSV or JSON: give a name that ends in .csv or .json");
    if (check_table(a, output) != EXIT_DONE) return EXIT_WRONG;
    taut_status status = taut_result_write_check(output, errors);
    if (status == TAUT_OK && a->stats) status = taut_output_check(a->stats, errors);
    if (status == TAUT_OK && a->events) status = taut_output_check(a->events, errors);
    if (status == TAUT_OK && a->save_state) status = taut_output_check(a->save_state, errors);
    return status == TAUT_OK ? check_clashes(a, model, output) : show_errors(status, errors);
}

/* The second run, with a progress bar of its own. */
static taut_status certify(arguments *a, taut_model *model, taut_result *result,
                           taut_errors *errors) {
    progress_begin(&a->run, a->quiet);
    const taut_status status = taut_certify(model, &a->run, result, errors);
    progress_end();
    return status;
}

/* Writes the state in which a run ended, and frees it. */
static bool save_state(taut_state **last, const char *path, taut_errors *errors) {
    errors->count = errors->dropped = 0;
    const taut_status status = taut_state_save(*last, path, errors);
    taut_state_free(last);
    return show_errors(status, errors) == EXIT_DONE;
}

/* The state that a run is to go on from, if there is to be one. */
static bool load_state(arguments *a, taut_errors *errors) {
    if (!a->load_state) return true;
    const taut_status status = taut_state_load(a->load_state, &a->from, errors);
    a->run.from = a->from;
    return show_errors(status, errors) == EXIT_DONE;
}

static int run(arguments *a, taut_model *model, taut_errors *errors) {
    char path[1024];
    default_output(a->file, ".csv", path, sizeof path);
    const char *output = a->output ? a->output : path;
    if (check_outputs(a, model, output, errors) != EXIT_DONE) return EXIT_WRONG;

    taut_result *result;
    taut_state *last = NULL;
    if (a->save_state) a->run.last = &last;
    progress_begin(&a->run, a->quiet);
    taut_status status = taut_simulate(model, &a->run, &result, errors);
    progress_end();
    int code = show_errors(status, errors);
    if (last && !save_state(&last, a->save_state, errors)) code = EXIT_STOPPED;
    if (!result) return code;

    errors->count = errors->dropped = 0;
    if (a->certify && show_errors(certify(a, model, result, errors), errors) != EXIT_DONE)
        code = EXIT_STOPPED;
    errors->count = errors->dropped = 0;
    writing_begin();
    const double begin = seconds();
    taut_status written = write_table(a, model, result, output, errors);
    if (written == TAUT_OK && a->events)
        written = taut_result_write_events(result, a->events,
                                           a->digits > 0 ? a->digits : ALL_DIGITS, errors);
    if (written == TAUT_OK && a->stats) written = taut_result_write_stats(result, a->stats, errors);
    if (written != TAUT_OK) {
        show_errors(written, errors);
        code = EXIT_STOPPED; /* the call was right; the trouble came later */
    } else if (!a->quiet) {
        FILE *out = is_stdout(output) || is_stdout(a->stats) ? stderr : stdout;
        show_summary(out, model, a, result, is_stdout(output) ? NULL : output, seconds() - begin);
    }
    taut_result_free(&result);
    return code;
}

static int analyze(const arguments *a, taut_model *model, taut_errors *errors) {
    char *text;
    taut_status status = a->build ? taut_analyze_build(model, &a->run, a->json, &text, errors)
                                  : taut_analyze_for(model, &a->run, a->json, &text, errors);
    if (text && (a->json || !a->quiet)) fputs(text, stdout);
    taut_text_free(&text);
    return show_errors(status, errors);
}

static int explain(const taut_model *model, taut_errors *errors) {
    char *text;
    const taut_status status = taut_explain(model, &text, errors);
    if (text) fputs(text, stdout);
    taut_text_free(&text);
    return show_errors(status, errors);
}

static int check(const arguments *a, const taut_model *model, taut_errors *errors) {
    taut_status status = taut_model_check(model, errors);
    if (status != TAUT_OK) return show_errors(status, errors);
    if (!a->quiet)
        printf("%s: %s, nothing wrong found\n", shown(a->file), taut_model_kind_name(model));
    return a->explain ? explain(model, errors) : EXIT_DONE;
}

static int schema(void) {
    char *text;
    const taut_errors none = {0};
    const taut_status status = taut_schema(&text);
    if (text) fputs(text, stdout);
    taut_text_free(&text);
    return show_errors(status, &none);
}

static int obey(arguments *a, taut_model *model, taut_errors *errors) {
    switch (a->command) {
    case COMMAND_RUN: return run(a, model, errors);
    case COMMAND_PLOT: return draw(a, model, errors);
    case COMMAND_COMPARE:
        return a->with ? compare_with(a, model, errors) : compare(a, model, errors);
    case COMMAND_SWEEP: return sweep(a, model, errors);
    case COMMAND_FIT: return fit(a, model, errors);
    case COMMAND_OPTIMIZE: return optimize(a, model, errors);
    case COMMAND_ANALYZE: return analyze(a, model, errors);
    case COMMAND_LINEARIZE:
    case COMMAND_MODES: return linearize(a, model, errors);
    case COMMAND_EXPORT: return export_model(a, model, errors);
    case COMMAND_EQUILIBRIUM: return equilibrium(a, model, errors);
    case COMMAND_BODE: return bode(a, model, errors);
    case COMMAND_KINEMATICS: return kinematics(a, model, errors);
    case COMMAND_INVERSE: return inverse(a, model, errors);
    default: return check(a, model, errors);
    }
}

static int perform(arguments *a, taut_errors *errors) {
    taut_model *model;
    taut_status status = read_model(a, &model, errors);
    if (status != TAUT_OK) return show_errors(status, errors);
    if (!a->quiet) show_errors(TAUT_OK, taut_model_warnings(model));
    taut_model *used = model;
    int code = a->at_rest ? find_rest(a, &used, errors) : EXIT_DONE;
    if (code == EXIT_DONE) code = obey(a, used, errors);
    taut_equilibria_free(&a->rest);
    taut_model_free(&model);
    return code;
}

/* Commands that need no model, and those that do. */
static int answer(arguments *a, taut_errors *errors) {
    if (a->version || a->licences) {
        printf("taut %s\n", taut_version());
        if (a->licences) printf("\n"), print_licences();
        return EXIT_DONE;
    }
    if (a->help) {
        print_help(a->command);
        return EXIT_DONE;
    }
    if (a->completion) return print_completion(a->completion);
    switch (a->command) {
    case COMMAND_SCHEMA: return schema();
    case COMMAND_DIFF: return diff(a, errors);
    case COMMAND_IMPORT: return import_model(a, errors);
    case COMMAND_NEW: return start_model(a);
    case COMMAND_HELP: return print_topic(a->file);
    case COMMAND_PLOT:
        if (is_table(a->file)) return draw_tables(a, errors);
        break;
    default: break;
    }
    if (!load_state(a, errors)) return EXIT_WRONG;
    return a->command == COMMAND_VIEW ? view(a, errors) : perform(a, errors);
}

int main(int argc, char **argv) {
    static arguments a; /* large: not on the stack */
    static taut_errors errors;
    int code = EXIT_WRONG;
    signals_begin();
    memory_prepare();
    /* LAPACK works in one thread: OpenBLAS, which comes in later, need not start others */
    setenv("OPENBLAS_NUM_THREADS", "1", 0);
    /* what may not be written is told, and what is half written removed */
    signal(SIGXFSZ, SIG_IGN);
    if (arguments_read(&a, argc, argv)) code = answer(&a, &errors);
    arguments_release(&a);
    if (code != EXIT_STOPPED && (fflush(stdout) != 0 || ferror(stdout))) {
        fprintf(stderr, "taut: error: the standard output could not be written\n");
        code = EXIT_STOPPED;
    }
    return code;
}
