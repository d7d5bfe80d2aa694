/* Kinematics: positions as a table; dead points, ranges and targets in words. */
#include "cli/moving.h"

#include <stdio.h>

#include "cli/paths.h"
#include "cli/show.h"

int kinematics(arguments *a, taut_model *model, taut_errors *errors) {
    char path[1024], *text = NULL;
    taut_kinematics *k = NULL;
    taut_kinematics_options o = taut_kinematics_options_default();
    if (!a->drive && a->reaches == 0) {
        fprintf(stderr, "taut: error: say what to find: --drive COORDINATE=FROM..TO:N, or --reach "
                        "POINT=X,Y\n");
        return EXIT_WRONG;
    }
    o.drive = a->drive;
    o.reach = a->reach;
    o.reaches = a->reaches;
    o.starts = a->run.starts;
    o.derivatives = a->run.derivatives;
    default_output(a->file, "-kinematics.csv", path, sizeof path);
    const char *output = a->output ? a->output : path;
    taut_status status = taut_result_write_check(output, errors);
    if (status != TAUT_OK) return show_errors(status, errors);
    if (check_clashes(a, model, output) != EXIT_DONE) return EXIT_WRONG;
    status = taut_kinematics_find(model, &o, &k, errors);
    int code = show_errors(status, errors);
    if (!k) return code;
    bool all = true;
    for (int i = 0; taut_kinematics_reach(k, i); i++)
        all = all && taut_kinematics_reach(k, i)->positions > 0;
    if (!all && code == EXIT_DONE) code = EXIT_STOPPED;
    writing_begin();
    const taut_status written = taut_result_write(taut_kinematics_result(k), output,
                                                  a->digits > 0 ? a->digits : 17, errors);
    if (written == TAUT_OK && !a->quiet && taut_kinematics_text(k, &text) == TAUT_OK)
        fputs(text, is_stdout(output) ? stderr : stdout);
    taut_text_free(&text);
    taut_kinematics_free(&k);
    if (written == TAUT_OK) return code;
    show_errors(written, errors);
    return EXIT_STOPPED;
}
