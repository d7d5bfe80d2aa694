/* Inverse dynamics: forces of actuators as a table, and what the motion leaves open. */
#include "cli/inverting.h"

#include <stdio.h>

#include "cli/paths.h"
#include "cli/show.h"
#include "cli/tables.h"

static void show_notes(FILE *out, const taut_inverse_notes *n) {
    if (n->actuators > 0)
        fprintf(out, "inverse: %d actuator%s for %d motion%s%s, index %d\n", n->actuators,
                n->actuators == 1 ? "" : "s", n->motions, n->motions == 1 ? "" : "s",
                n->actuators > n->motions ? ", of least norm" : "", n->index);
    else
        fprintf(out, "inverse: the drivers are the actuators, index %d\n", n->index);
    if (n->internal == 0)
        fprintf(out, "the motion is prescribed completely\n");
    else if (n->growing < 0)
        fprintf(out, "%d values of the motion are not prescribed; their stability is not known\n",
                n->internal);
    else if (n->growing > 0)
        fprintf(out,
                "warning: the motion that is not prescribed (%d values) is unstable: it grows as "
                "exp(%.6g t)\n",
                n->internal, n->growth);
    else
        fprintf(
            out,
            "%d values of the motion are not prescribed; none of their eigenvalues at the start "
            "grows\n",
            n->internal);
}

int inverse(arguments *a, taut_model *model, taut_errors *errors) {
    char path[1024];
    taut_result *result;
    taut_inverse_notes notes;
    default_output(a->file, "-inverse.csv", path, sizeof path);
    const char *output = a->output ? a->output : path;
    if (check_table(a, output) != EXIT_DONE) return EXIT_WRONG;
    taut_status status = taut_result_write_check(output, errors);
    if (status == TAUT_OK && a->stats) status = taut_output_check(a->stats, errors);
    if (status != TAUT_OK) return show_errors(status, errors);
    if (check_clashes(a, model, output) != EXIT_DONE) return EXIT_WRONG;
    progress_begin(&a->run, a->quiet);
    status = taut_inverse(model, &a->run, &notes, &result, errors);
    progress_end();
    const int code = show_errors(status, errors);
    if (!result) return code;
    writing_begin();
    const double begin = seconds();
    taut_status written = write_table(a, model, result, output, errors);
    if (written == TAUT_OK && a->stats) written = taut_result_write_stats(result, a->stats, errors);
    if (written == TAUT_OK && !a->quiet) {
        FILE *out = is_stdout(output) || is_stdout(a->stats) ? stderr : stdout;
        show_summary(out, model, a, result, is_stdout(output) ? NULL : output, seconds() - begin);
        if (status == TAUT_OK) show_notes(out, &notes);
    }
    taut_result_free(&result);
    if (written == TAUT_OK) return code;
    show_errors(written, errors);
    return EXIT_STOPPED;
}
