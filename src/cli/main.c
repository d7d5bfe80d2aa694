/* The program: reads the command line, calls the library, says what came of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"
#include "cli/show.h"

/* FILE's stem + .csv in the current folder. */
static void default_output(const char *file, char *path, size_t size) {
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    const char *dot = strrchr(name, '.');
    const int stem = dot && dot != name ? (int)(dot - name) : (int)strlen(name);
    snprintf(path, size, "%.*s.csv", stem, name);
}

static taut_status check_output(const char *path, taut_errors *errors) {
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    if (dot && strcmp(path, "-") != 0 && strcmp(dot, ".csv") != 0) {
        fprintf(stderr, "taut: error: -o %s: results can be written as .csv\n", path);
        return TAUT_ERR_CALL;
    }
    return taut_output_check(path, errors);
}

static int run(arguments *a, taut_model *model, taut_errors *errors) {
    char path[1024];
    default_output(a->file, path, sizeof path);
    const char *output = a->output ? a->output : path;
    taut_status status = check_output(output, errors);
    if (status == TAUT_ERR_CALL && errors->count == 0) return EXIT_WRONG;
    if (status == TAUT_OK && a->stats) status = taut_output_check(a->stats, errors);
    if (status != TAUT_OK) return show_errors(status, errors);

    taut_result *result;
    progress_begin(&a->run, a->quiet);
    status = taut_simulate(model, &a->run, &result, errors);
    progress_end();
    int code = show_errors(status, errors);
    if (!result) return code;

    memset(errors, 0, sizeof *errors);
    taut_status written = taut_result_write(result, output, a->digits, errors);
    if (written == TAUT_OK && a->stats) written = taut_result_write_stats(result, a->stats, errors);
    if (written != TAUT_OK) {
        show_errors(written, errors);
        code = EXIT_STOPPED; /* the call was right; the trouble came later */
    } else if (!a->quiet) {
        const bool piped = strcmp(output, "-") == 0;
        show_summary(piped ? stderr : stdout, model, a, result, piped ? NULL : output);
    }
    taut_result_free(&result);
    return code;
}

static int analyze(const arguments *a, taut_model *model, taut_errors *errors) {
    char *text;
    if (a->run.formulation) {
        fprintf(stderr, "taut: error: --formulation is for mechanisms; this file is a %s\n",
                taut_model_kind_name(model));
        return EXIT_WRONG;
    }
    taut_status status = taut_analyze(model, a->json, &text, errors);
    if (text && !a->quiet) fputs(text, stdout);
    taut_text_free(&text);
    return show_errors(status, errors);
}

static int check(const arguments *a, const taut_model *model) {
    if (!a->quiet) printf("%s: %s, nothing wrong found\n", a->file, taut_model_kind_name(model));
    return EXIT_DONE;
}

static int perform(arguments *a, taut_errors *errors) {
    taut_model *model;
    taut_status status = taut_model_read(a->file, a->override, a->overrides, &model, errors);
    if (status != TAUT_OK) return show_errors(status, errors);
    int code = a->command == COMMAND_RUN       ? run(a, model, errors)
               : a->command == COMMAND_ANALYZE ? analyze(a, model, errors)
                                               : check(a, model);
    taut_model_free(&model);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "taut: error: the standard output could not be written\n");
        return EXIT_STOPPED;
    }
    return code;
}

int main(int argc, char **argv) {
    static arguments a; /* large: not on the stack */
    static taut_errors errors;
    int code = EXIT_WRONG;
    if (arguments_read(&a, argc, argv)) {
        code = EXIT_DONE;
        if (a.version)
            printf("taut %s\n", taut_version());
        else if (a.help)
            print_help(a.command);
        else
            code = perform(&a, &errors);
    }
    arguments_release(&a);
    return code;
}
