/* Names of output files. */
#include "cli/paths.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/words.h"

void default_output(const char *file, const char *extension, char *path, size_t size) {
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    const char *dot = strrchr(name, '.');
    const int stem = dot && dot != name ? (int)(dot - name) : (int)strlen(name);
    snprintf(path, size, "%.*s%s", stem, name, extension);
}

bool is_stdout(const char *path) { return path && strcmp(path, "-") == 0; }

/* True if both names are the same file, or would be. */
bool is_same_file(const char *a, const char *b) {
    struct stat first, second;
    if (strcmp(a, b) == 0) return true;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino && S_ISREG(first.st_mode);
}

int refuse(const char *option, const char *path, const char *why) {
    fprintf(stderr, "taut: error: %s %s: %s\n", option, shown(path), why);
    return EXIT_WRONG;
}

int write_new_file(const char *path, const char *text) {
    if (is_stdout(path)) {
        fputs(text, stdout);
        return EXIT_DONE;
    }
    FILE *file = fopen(path, "wx"); /* x: a file that is there is somebody's work */
    if (!file)
        return refuse("-o", path,
                      errno == EEXIST ? "it is there already; give another name by -o FILE"
                                      : strerror(errno));
    const bool written = fputs(text, file) >= 0;
    if (fclose(file) != 0 || !written) {
        remove(path);
        refuse("-o", path, strerror(errno));
        return EXIT_STOPPED;
    }
    return EXIT_DONE;
}

taut_status read_model(const arguments *a, taut_model **model, taut_errors *errors) {
    taut_read_options options = taut_read_options_default();
    options.override = a->override;
    options.overrides = a->overrides;
    options.input = a->input;
    options.inputs = a->inputs;
    options.confine = a->confine;
    return taut_model_read_with(a->file, &options, model, errors);
}

int check_clash(const arguments *a, const taut_model *model, const char *option, const char *path) {
    if (is_same_file(a->file, path))
        return refuse(option, path, "this would overwrite the model; give another name");
    if (a->times_file && is_same_file(a->times_file, path))
        return refuse(option, path, "this would overwrite the times of --at; give another name");
    if (a->load_state && is_same_file(a->load_state, path))
        return refuse(option, path,
                      "this would overwrite the state that the run goes on from; "
                      "give another name");
    if (a->with && is_same_file(a->with, path))
        return refuse(option, path, "this would overwrite what is compared; give another name");
    for (int i = 0; i < a->datas; i++)
        if (is_same_file(a->data[i], path))
            return refuse(option, path, "that is the file with the data; give another name");
    for (int k = 0; taut_model_file(model, k); k++)
        if (is_same_file(taut_model_file(model, k), path))
            return refuse(option, path,
                          "this would overwrite a file that the model includes; give another name");
    return EXIT_DONE;
}

int check_clashes(const arguments *a, const taut_model *model, const char *output) {
    int code = check_clash(a, model, "-o", output);
    if (code == EXIT_DONE && a->stats) code = check_clash(a, model, "--stats", a->stats);
    if (code == EXIT_DONE && a->stats && is_same_file(output, a->stats))
        return refuse("--stats", a->stats, "the results go there; give another name");
    if (code == EXIT_DONE && a->events) code = check_clash(a, model, "--events", a->events);
    if (code == EXIT_DONE && a->events &&
        (is_same_file(output, a->events) || (a->stats && is_same_file(a->stats, a->events))))
        return refuse("--events", a->events, "something else goes there; give another name");
    if (code == EXIT_DONE && a->save_state)
        code = check_clash(a, model, "--save-state", a->save_state);
    if (code == EXIT_DONE && a->save_state &&
        (is_same_file(output, a->save_state) ||
         (a->stats && is_same_file(a->stats, a->save_state))))
        return refuse("--save-state", a->save_state,
                      "something else goes there; give another name");
    return code;
}
