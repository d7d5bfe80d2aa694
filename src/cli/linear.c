/* Eigenvalues on the standard output, matrices in a file. */
#include "cli/linear.h"

#include <stdio.h>
#include <string.h>

#include "cli/paths.h"
#include "cli/show.h"

int linearize(arguments *a, taut_model *model, taut_errors *errors) {
    taut_linear *linear;
    char *text = NULL;
    taut_status status = a->output ? taut_linear_write_check(a->output, errors) : TAUT_OK;
    if (status != TAUT_OK) return show_errors(status, errors);
    progress_begin(&a->run, a->quiet);
    status = taut_linearize(model, &a->run, &a->linear, &linear, errors);
    progress_end();
    if (status == TAUT_OK && a->output) status = taut_linear_write(linear, a->output, errors);
    if (status == TAUT_OK && (a->json || !a->quiet)) {
        FILE *out = is_stdout(a->output) ? stderr : stdout;
        status = taut_linear_text(linear, a->json, &text);
        if (text) fputs(text, out);
        taut_text_free(&text);
    }
    taut_linear_free(&linear);
    return show_errors(status, errors);
}
