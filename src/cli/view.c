/* taut view: a run as a page for the browser. Whatever goes wrong is on the page, too. */
#include "cli/view.h"

#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/filming.h"
#include "cli/paths.h"
#include "cli/show.h"
#include "cli/words.h"

static int check_output(const arguments *a, const char *output, taut_errors *errors) {
    const char *slash = strrchr(output, '/'), *dot = strrchr(slash ? slash : output, '.');
    taut_status status = taut_output_check(output, errors);
    if (status == TAUT_OK && a->stats) status = taut_output_check(a->stats, errors);
    if (status != TAUT_OK) return show_errors(status, errors);
    if (a->live && (a->inputs > 0 || a->load_state))
        return refuse("--live", a->file,
                      "its runs start as the file says; --input and --load-state are for pages "
                      "without it");
    if (a->live && (status = taut_page_check_live(errors)) != TAUT_OK)
        return show_errors(status, errors);
    if (a->video && check_film(a->video) != EXIT_DONE) return EXIT_WRONG;
    if (a->video && is_stdout(output))
        return refuse("--video", output, "a film is made from the page; give it a name by -o");
    if (dot && strcmp(dot, ".html") != 0)
        return refuse("-o", output, "pages are written as HTML; give a name that ends in .html");
    if (a->open && is_stdout(output))
        return refuse("--open", output, "what goes to the standard output cannot be opened");
    return check_clashes(a, NULL, output);
}

/* Hands the page to the desktop; false if nobody takes it. */
static bool open_page(const char *path) {
    const pid_t child = fork();
    if (child == 0) {
        execlp("xdg-open", "xdg-open", path, (char *)NULL);
        execlp("open", "open", path, (char *)NULL);
        _exit(127);
    }
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

/* The run, or what is left of it. */
static taut_status simulate(arguments *a, taut_page *page, taut_result **result,
                            taut_errors *errors) {
    if (!a->quiet) show_errors(TAUT_OK, taut_model_warnings(page->model));
    progress_begin(&a->run, a->quiet);
    const taut_status status = taut_simulate(page->model, &a->run, result, errors);
    if (status == TAUT_ERR_INPUT) taut_attempt(page->model, &a->run, result);
    const bool alarm = *result && taut_result_stats(*result)->alarm;
    if ((status == TAUT_OK || alarm) && !a->no_certify)
        taut_certify(page->model, &a->run, *result, NULL);
    progress_end();
    page->result = *result;
    return status;
}

/* The run of --with: a table, or a model that is run with the same options. */
static taut_status read_other(const arguments *a, taut_result **other, taut_errors *errors) {
    const char *dot = strrchr(a->with, '.');
    arguments b = *a;
    taut_model *model = NULL;
    if (!dot || (strcmp(dot, ".yaml") != 0 && strcmp(dot, ".yml") != 0))
        return taut_result_read(a->with, other, errors);
    b.file = a->with;
    taut_status status = read_model(&b, &model, errors);
    if (status == TAUT_OK) status = taut_simulate(model, &b.run, other, errors);
    taut_model_free(&model);
    return status;
}

/* Writes the page and says so. */
static int deliver(const arguments *a, const taut_page *page, const char *output, int code) {
    static taut_errors errors; /* large: not on the stack */
    const bool ran = page->result && page->status != TAUT_ERR_INPUT;
    memset(&errors, 0, sizeof errors);
    writing_begin();
    const double begin = seconds();
    taut_status written = taut_page_write(page, output, &errors);
    if (written == TAUT_OK && a->stats && ran)
        written = taut_result_write_stats(page->result, a->stats, &errors);
    if (written != TAUT_OK) {
        show_errors(written, &errors);
        return code == EXIT_DONE ? EXIT_STOPPED : code;
    }
    if (!a->quiet) {
        FILE *out = is_stdout(output) || is_stdout(a->stats) || !ran ? stderr : stdout;
        if (ran) show_summary(out, page->model, a, page->result, NULL, seconds() - begin);
        if (!is_stdout(output)) fprintf(out, "  page in %s\n", shown(output));
    }
    if (a->video && ran && !was_interrupted()) { /* what was stopped in the run is to end soon */
        const int filmed = film_page(output, a->video);
        if (filmed != EXIT_DONE) return code == EXIT_DONE ? filmed : code;
        if (!a->quiet) fprintf(stdout, "  film in %s\n", shown(a->video));
    }
    if (a->open && !open_page(output)) {
        fprintf(stderr, "taut: error: no browser could be started; open %s yourself\n",
                shown(output));
        return code == EXIT_DONE ? EXIT_STOPPED : code;
    }
    return code;
}

int view(arguments *a, taut_errors *errors) {
    char path[1024];
    taut_model *model = NULL;
    taut_result *result = NULL, *other = NULL;
    default_output(a->file, ".html", path, sizeof path);
    const char *output = a->output ? a->output : path;
    if (check_output(a, output, errors) != EXIT_DONE) return EXIT_WRONG;
    taut_page page = {.file = a->file, .errors = errors, .live = a->live};
    a->run.every = TAUT_FOR_SCREEN;
    if (a->with) {
        const taut_status status = read_other(a, &other, errors);
        if (status != TAUT_OK) {
            taut_result_free(&other);
            return show_errors(status, errors);
        }
        page.with = other;
        page.with_name = a->with;
    }
    page.status = read_model(a, &model, errors);
    page.model = model;
    if (model && check_clashes(a, model, output) != EXIT_DONE) {
        taut_model_free(&model);
        taut_result_free(&other);
        return EXIT_WRONG;
    }
    if (model) page.status = simulate(a, &page, &result, errors);
    for (int i = 0; i < errors->count; i++) words_translate(&errors->item[i]);
    const int code = deliver(a, &page, output, show_errors(page.status, errors));
    taut_result_free(&result);
    taut_result_free(&other);
    taut_model_free(&model);
    return code;
}
