/* taut compare: one problem by all formulations and solvers. */
#include "cli/comparing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/paths.h"
#include "cli/show.h"
#include "cli/words.h"

enum { MOST = 32 }; /* words of a list */

/* Words separated by commas. */
typedef struct list {
    char text[512];
    const char *word[MOST];
    int count;
} list;

static bool read_list(list *l, const char *option, const char *text) {
    const int length = snprintf(l->text, sizeof l->text, "%s", text);
    if (length >= (int)sizeof l->text) return refuse(option, "...", "too long") == EXIT_DONE;
    for (char *p = l->text, *comma; p; p = comma) {
        if (l->count == MOST) return refuse(option, text, "too many of them") == EXIT_DONE;
        comma = strchr(p, ',');
        if (comma) *comma++ = '\0';
        if (!p[0])
            return refuse(option, text, "names separated by commas are expected") == EXIT_DONE;
        l->word[l->count++] = p;
    }
    return true;
}

static bool read_tols(const char *text, double *tol, int *tols) {
    static list words; /* large: not on the stack */
    words.count = 0;
    if (!read_list(&words, "--tols", text)) return false;
    for (*tols = 0; *tols < words.count; ++*tols) {
        char *end;
        tol[*tols] = strtod(words.word[*tols], &end);
        if (end == words.word[*tols] || *end != '\0' || !isfinite(tol[*tols]))
            return refuse("--tols", text, "numbers separated by commas are expected") == EXIT_DONE;
    }
    return true;
}

static int check_output(const arguments *a, const taut_model *model, const char *output,
                        taut_errors *errors) {
    const char *slash = strrchr(output, '/'), *dot = strrchr(slash ? slash : output, '.');
    const bool known = dot && (strcmp(dot, ".html") == 0 || strcmp(dot, ".json") == 0);
    const taut_status status = taut_output_check(output, errors);
    if (status != TAUT_OK) return show_errors(status, errors);
    if (!known && !is_stdout(output))
        return refuse("-o", output,
                      "comparisons are written as a page or as JSON; give a name that ends in "
                      ".html or .json");
    if (a->json && is_stdout(output))
        return refuse("-o", output, "--json goes there already; leave out one of them");
    return check_clashes(a, model, output);
}

/* Prints the table or JSON. */
static taut_status print(const arguments *a, const taut_comparison *c, FILE *out) {
    char *text = NULL;
    if (a->quiet && !a->json) return TAUT_OK;
    const taut_status status = taut_comparison_text(c, a->json, &text);
    if (text) fputs(text, out);
    taut_text_free(&text);
    return status;
}

/* Does no pair take the problem? Then the call asks for what cannot be. */
static bool are_all_left_out(const arguments *a, const taut_comparison *c) {
    if (c->pairs == 0 || c->skipped < c->pairs) return false;
    fprintf(stderr, "taut: error: %s: there is nothing to compare; %s%s%s: %s\n", shown(a->file),
            c->pair[0].formulation ? c->pair[0].formulation : "", c->pair[0].formulation ? ":" : "",
            c->pair[0].solver, c->pair[0].skipped);
    return true;
}

static int deliver(const arguments *a, const taut_comparison *c, const char *output,
                   taut_errors *errors) {
    FILE *out = output && is_stdout(output) ? stderr : stdout;
    writing_begin();
    taut_status status = print(a, c, out);
    if (status == TAUT_OK && output) status = taut_comparison_write(c, a->file, output, errors);
    if (status != TAUT_OK) {
        show_errors(status, errors);
        return EXIT_STOPPED;
    }
    if (output && !is_stdout(output) && !a->quiet && !a->json) printf("  in %s\n", shown(output));
    if (c->disagreements > 0)
        fprintf(stderr,
                "taut: error: %s: not all solutions agree, by more than the tolerances explain; "
                "at least one of them is wrong\n",
                shown(a->file));
    else if (c->finished == 0)
        fprintf(stderr, "taut: error: %s: no run has finished\n", shown(a->file));
    return c->disagreements > 0 || c->finished == 0 ? EXIT_STOPPED : EXIT_DONE;
}

int compare(arguments *a, taut_model *model, taut_errors *errors) {
    static list formulations, solvers; /* large: not on the stack */
    double tol[MOST];
    char path[1024];
    taut_comparison *comparison;
    taut_compare_options options = taut_compare_options_default();
    default_output(a->file, "-compare.html", path, sizeof path);
    const char *output = a->output ? a->output : a->json ? NULL : path;
    if (output && check_output(a, model, output, errors) != EXIT_DONE) return EXIT_WRONG;
    if (a->formulations && !read_list(&formulations, "--formulation", a->formulations))
        return EXIT_WRONG;
    if (a->solvers && !read_list(&solvers, "--solver", a->solvers)) return EXIT_WRONG;
    if (a->tols && !read_tols(a->tols, tol, &options.tols)) return EXIT_WRONG;
    options.run = a->run;
    options.tol = tol;
    options.formulation = formulations.word;
    options.formulations = formulations.count;
    options.solver = solvers.word;
    options.solvers = solvers.count;
    if (a->limit > 0.0) options.limit = a->limit;
    progress_begin(&options.run, a->quiet);
    const taut_status status = taut_compare(model, &options, &comparison, errors);
    progress_end();
    int code = show_errors(status, errors);
    if (!comparison) return code;
    memset(errors, 0, sizeof *errors);
    const bool nothing = code == EXIT_DONE && are_all_left_out(a, comparison);
    const int delivered = nothing ? EXIT_WRONG : deliver(a, comparison, output, errors);
    taut_comparison_free(&comparison);
    return code == EXIT_DONE ? delivered : code;
}
