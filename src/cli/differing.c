/* Digits by column of two results. */
#include "cli/differing.h"

#include <stdio.h>
#include <string.h>

#include "cli/paths.h"
#include "cli/show.h"
#include "cli/words.h"

/* The error over time goes to a CSV file that is none of those that were read. */
static int check_output(const arguments *a, const char *const *read, int count,
                        taut_errors *errors) {
    if (!a->output) return EXIT_DONE;
    const char *dot = strrchr(a->output, '.');
    const taut_status status = taut_output_check(a->output, errors);
    if (status != TAUT_OK) return show_errors(status, errors);
    if (!is_stdout(a->output) && (!dot || strcmp(dot, ".csv") != 0))
        return refuse("-o", a->output, "the error over time is written as CSV");
    for (int i = 0; i < count; i++)
        if (is_same_file(read[i], a->output))
            return refuse("-o", a->output, "this would overwrite what is compared");
    return EXIT_DONE;
}

static int deliver(const arguments *a, const taut_diff *diff, taut_errors *errors) {
    char *text = NULL;
    taut_status status = TAUT_OK;
    FILE *out = a->output && is_stdout(a->output) ? stderr : stdout;
    if (a->json || !a->quiet) status = taut_diff_text(diff, a->json, &text, errors);
    if (text) fputs(text, out);
    taut_text_free(&text);
    if (status == TAUT_OK && a->output) status = taut_diff_write(diff, a->output, errors);
    if (status == TAUT_OK && a->output && !is_stdout(a->output) && !a->quiet && !a->json)
        printf("  E over time in %s\n", shown(a->output));
    return show_errors(status, errors);
}

int diff(const arguments *a, taut_errors *errors) {
    const char *const read[] = {a->file, a->column[0]};
    taut_diff *d;
    if (a->columns == 0) {
        fprintf(stderr, "taut: error: diff: two CSV files are compared: taut diff A.csv B.csv\n");
        return EXIT_WRONG;
    }
    if (check_output(a, read, 2, errors) != EXIT_DONE) return EXIT_WRONG;
    const taut_status status = taut_diff_files(a->file, a->column[0], &d, errors);
    int code = show_errors(status, errors);
    if (d) code = deliver(a, d, errors);
    taut_diff_free(&d);
    return code;
}

int compare_with(arguments *a, const taut_model *model, taut_errors *errors) {
    taut_result *result = NULL;
    taut_diff *d = NULL;
    double *times = NULL;
    if (check_output(a, NULL, 0, errors) != EXIT_DONE) return EXIT_WRONG;
    if (a->output && check_clashes(a, model, a->output) != EXIT_DONE) return EXIT_WRONG;
    taut_run_options run = a->run;
    taut_status status = taut_diff_times(a->with, &times, &run.ats, errors);
    if (status != TAUT_OK) return show_errors(status, errors);
    run.at = times;
    progress_of_whole();
    progress_begin(&run, a->quiet);
    status = taut_simulate(model, &run, &result, errors);
    progress_end();
    int code = show_errors(status, errors);
    if (status == TAUT_OK) {
        status = taut_diff_result(result, a->with, &d, errors);
        code = status == TAUT_OK ? deliver(a, d, errors) : show_errors(status, errors);
    }
    taut_diff_free(&d);
    taut_result_free(&result);
    taut_diff_times_free(&times);
    return code;
}
