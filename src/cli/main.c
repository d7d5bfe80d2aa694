/* The program: reads the command line, calls the library, says what came of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/args.h"
#include "cli/show.h"

/* FILE's stem + .csv in the current folder. */
static void default_output(const char *file, char *path, size_t size) {
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    const char *dot = strrchr(name, '.');
    const int stem = dot && dot != name ? (int)(dot - name) : (int)strlen(name);
    snprintf(path, size, "%.*s.csv", stem, name);
}

static bool is_stdout(const char *path) { return path && strcmp(path, "-") == 0; }

/* True if both names are the same file, or would be. */
static bool same_file(const char *a, const char *b) {
    struct stat first, second;
    if (strcmp(a, b) == 0) return true;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino && S_ISREG(first.st_mode);
}

static int refuse(const char *option, const char *path, const char *why) {
    fprintf(stderr, "taut: error: %s %s: %s\n", option, path, why);
    return EXIT_WRONG;
}

/* Checks where results and statistics go, before any work is done. */
static int check_outputs(const arguments *a, const char *output, taut_errors *errors) {
    const char *slash = strrchr(output, '/'), *dot = strrchr(slash ? slash : output, '.');
    taut_status status = taut_output_check(output, errors);
    if (status == TAUT_OK && a->stats) status = taut_output_check(a->stats, errors);
    if (status != TAUT_OK) return show_errors(status, errors);
    if (dot && strcmp(dot, ".csv") != 0)
        return refuse("-o", output, "results are written as CSV; give a name that ends in .csv");
    if (same_file(a->file, output))
        return refuse("-o", output, "this would overwrite the model; give another name by -o");
    if (a->stats && same_file(a->file, a->stats))
        return refuse("--stats", a->stats, "this would overwrite the model; give another name");
    if (a->stats && same_file(output, a->stats))
        return refuse("--stats", a->stats, "the results go there; give another name");
    return EXIT_DONE;
}

static int run(arguments *a, taut_model *model, taut_errors *errors) {
    char path[1024];
    default_output(a->file, path, sizeof path);
    const char *output = a->output ? a->output : path;
    if (check_outputs(a, output, errors) != EXIT_DONE) return EXIT_WRONG;

    taut_result *result;
    progress_begin(&a->run, a->quiet);
    taut_status status = taut_simulate(model, &a->run, &result, errors);
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
        FILE *out = is_stdout(output) || is_stdout(a->stats) ? stderr : stdout;
        show_summary(out, model, a, result, is_stdout(output) ? NULL : output);
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
    if (code != EXIT_STOPPED && (fflush(stdout) != 0 || ferror(stdout))) {
        fprintf(stderr, "taut: error: the standard output could not be written\n");
        code = EXIT_STOPPED;
    }
    return code;
}
