/* taut plot: columns of a run as SVG, or on the terminal. */
#include "cli/draw.h"

#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/converting.h"
#include "cli/overlay.h"
#include "cli/paths.h"
#include "cli/show.h"
#include "cli/words.h"

enum { PHASE_ROWS = 5000 };

/* Width of the terminal, or 80. */
static int terminal_width(void) {
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    int width = 0;
    if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) width = size.ws_col;
    if (width <= 0 && columns) width = (int)strtol(columns, NULL, 10);
    if (width <= 0) return 80;
    return width < 30 ? 30 : width > 400 ? 400 : width;
}

static bool has_unicode(void) {
    setlocale(LC_CTYPE, ""); /* numbers keep their points */
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

taut_plot_options drawing_options(const arguments *a, const taut_model *model) {
    taut_plot_options o = taut_plot_options_default();
    o.column = a->column;
    o.columns = a->columns;
    o.against = a->against;
    o.title = model ? taut_model_title(model) : "";
    if (!o.title[0]) o.title = a->file;
    o.width = a->width;
    o.height = a->height;
    o.panels = a->panels;
    o.equal = a->equal;
    o.log_x = a->log_x;
    o.log_y = a->log_y;
    o.text = a->ascii;
    if (!a->ascii) return o;
    o.unicode = has_unicode();
    o.colour = isatty(STDOUT_FILENO) && !getenv("NO_COLOR"); /* no-color.org */
    if (o.width == 0) o.width = terminal_width();
    return o;
}

/* Primes at the end of a name say how many derivatives the run has to give. */
static void ask_derivatives(taut_run_options *run, const char *name) {
    int primes = 0;
    for (const char *p = strchr(name, '\''); p && *p; p++) primes++;
    if (primes > run->derivatives && primes <= 50) run->derivatives = primes;
}

static int stop_at_once(void *user, double fraction) {
    (void)user;
    (void)fraction;
    return 1;
}

/* A misspelt column should not cost a whole run: looks at the columns after the first step. Curves
 * against another column turn more sharply than functions of t: they get more rows. */
static int check_columns(arguments *a, taut_model *model, const taut_plot_options *options,
                         taut_errors *errors) {
    taut_run_options first = a->run;
    taut_result *result;
    taut_status status = TAUT_OK;
    first.progress = stop_at_once;
    taut_simulate(model, &first, &result, NULL);
    if (!result) return EXIT_DONE; /* the run itself will tell what is wrong */
    const taut_run_stats *stats = taut_result_stats(result);
    if (a->against && a->run.every == 0.0 && a->run.ats == 0)
        a->run.every = fabs(stats->tend - stats->t0) / PHASE_ROWS;
    status = taut_plot_check(result, options, errors);
    taut_result_free(&result);
    return status == TAUT_OK ? EXIT_DONE : show_errors(status, errors);
}

static int check_output(const arguments *a, const taut_model *model, const char *output,
                        taut_errors *errors) {
    const char *slash = strrchr(output, '/'), *dot = strrchr(slash ? slash : output, '.');
    if (a->ascii && a->output && !is_stdout(a->output))
        return refuse("-o", output, "--ascii draws on the standard output; leave out one of them");
    taut_status status = taut_output_check(output, errors);
    if (status == TAUT_OK && a->stats) status = taut_output_check(a->stats, errors);
    if (status != TAUT_OK) return show_errors(status, errors);
    if (is_converted(output)) {
        if (check_converter(output) != EXIT_DONE) return EXIT_WRONG;
    } else if (dot && strcmp(dot, ".svg") != 0) {
        return refuse("-o", output,
                      "plots are written as SVG, or with a converter as PNG and PDF; give a name "
                      "that ends in .svg");
    }
    return check_clashes(a, model, output);
}

static void tell(FILE *out, const arguments *a, const char *output) {
    fprintf(out, " ");
    for (int i = 0; i < a->columns; i++) fprintf(out, "%s %s", i ? "," : "", shown(a->column[i]));
    fprintf(out, " over %s in %s\n", a->against ? shown(a->against) : "t", shown(output));
}

/* The picture into its file. */
static int write_picture(const taut_model *model, const taut_result *result,
                         const taut_plot_options *options, const char *output,
                         taut_errors *errors) {
    char *text = NULL;
    memset(errors, 0, sizeof *errors);
    if (!is_converted(output)) {
        const taut_status status = taut_plot_write(model, result, options, output, errors);
        return status == TAUT_OK ? EXIT_DONE : (show_errors(status, errors), EXIT_STOPPED);
    }
    const taut_status status = taut_plot_draw(model, result, options, &text, errors);
    const int code =
        status == TAUT_OK ? convert_picture(text, output) : show_errors(status, errors);
    taut_text_free(&text);
    return code;
}

/* The results of an overlay, and the first of them if nothing else was run. */
static int draw_overlay(arguments *a, const taut_model *model, overlay *o, const char *output,
                        taut_errors *errors) {
    taut_plot_options options = drawing_options(a, model);
    overlay_use(o, &options);
    const taut_status status = taut_plot_check(o->result[0], &options, errors);
    if (status != TAUT_OK) return show_errors(status, errors);
    const int code = write_picture(model, o->result[0], &options, output, errors);
    if (code == EXIT_DONE && !a->quiet && !a->ascii && !is_stdout(output)) tell(stdout, a, output);
    return code;
}

int draw_tables(arguments *a, taut_errors *errors) {
    static overlay o; /* large */
    char path[1024];
    default_output(a->file, ".svg", path, sizeof path);
    const char *output = a->ascii ? "-" : a->output ? a->output : path;
    if (a->varies > 0)
        return refuse("--vary", a->vary[0].name, "a table has no parameters; give a model");
    if (check_output(a, NULL, output, errors) != EXIT_DONE) return EXIT_WRONG;
    int code = overlay_files(&o, a, errors);
    if (code == EXIT_DONE) code = draw_overlay(a, NULL, &o, output, errors);
    overlay_release(&o);
    return code;
}

/* Runs of one model with other values, in one diagram. */
static int draw_variants(arguments *a, const taut_model *model, const char *output,
                         taut_errors *errors) {
    static overlay o;
    if (a->stats) return refuse("--stats", a->stats, "statistics are of one run; leave out --vary");
    int code = overlay_runs(&o, a, errors);
    const int drawn =
        o.count > 0 && code != EXIT_WRONG ? draw_overlay(a, model, &o, output, errors) : code;
    overlay_release(&o);
    return drawn != EXIT_DONE ? drawn : code;
}

int draw(arguments *a, taut_model *model, taut_errors *errors) {
    char path[1024];
    default_output(a->file, ".svg", path, sizeof path);
    const char *output = a->ascii ? "-" : a->output ? a->output : path;
    if (check_output(a, model, output, errors) != EXIT_DONE) return EXIT_WRONG;
    for (int i = 0; i < a->columns; i++) ask_derivatives(&a->run, a->column[i]);
    if (a->against) ask_derivatives(&a->run, a->against);
    const taut_plot_options options = drawing_options(a, model);
    for (int i = 0; i < a->columns; i++)
        if (is_table(a->column[i]))
            return refuse("plot", a->column[i],
                          "a table goes with tables: write the run's own by taut run first");
    if (check_columns(a, model, &options, errors) != EXIT_DONE) return EXIT_WRONG;
    if (a->varies > 0) return draw_variants(a, model, output, errors);

    taut_result *result;
    progress_begin(&a->run, a->quiet);
    const taut_status status = taut_simulate(model, &a->run, &result, errors);
    progress_end();
    int code = show_errors(status, errors);
    if (!result) return code;

    writing_begin();
    const double begin = seconds();
    const int drawn = write_picture(model, result, &options, output, errors);
    const taut_status written = drawn == EXIT_DONE && a->stats
                                    ? taut_result_write_stats(result, a->stats, errors)
                                    : TAUT_OK;
    if (drawn != EXIT_DONE) {
        code = drawn;
    } else if (written != TAUT_OK) {
        show_errors(written, errors);
        code = EXIT_STOPPED;
    } else if (!a->quiet && !a->ascii) {
        FILE *out = is_stdout(output) || is_stdout(a->stats) ? stderr : stdout;
        show_summary(out, model, a, result, NULL, seconds() - begin);
        if (!is_stdout(output)) tell(out, a, output);
    }
    taut_result_free(&result);
    return code;
}
