/* Messages, the progress bar and the summary. */
#include "cli/show.h"

#include "cli/words.h"

#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { ANSWER_USEC = 250000 };     /* Ctrl-C is answered after so long at the latest */
static const double DRIFTED = 1e3; /* constraints may be off by so many times the tolerance */

int show_errors(taut_status status, const taut_errors *errors) {
    char text[2400];
    for (int i = 0; i < errors->count; i++) {
        taut_error error = errors->item[i];
        words_translate(&error);
        taut_error_format(&error, text, sizeof text);
        if (errors->item[i].path[0] == '\0') fputs("taut: ", stderr);
        fputs(text, stderr);
    }
    if (errors->dropped > 0)
        fprintf(stderr, "taut: and %d more %s\n", errors->dropped,
                status == TAUT_OK ? "warnings" : "errors");
    if (status != TAUT_OK && errors->count == 0)
        fprintf(stderr, "taut: error: %s\n", taut_status_text(status));
    switch (status) {
    case TAUT_OK: return EXIT_DONE;
    case TAUT_ERR_INPUT:
    case TAUT_ERR_CALL:
    case TAUT_ERR_LIBRARY:
    case TAUT_ERR_IO: return EXIT_WRONG;
    default: return EXIT_STOPPED;
    }
}

/* ---- progress ---- */

static volatile sig_atomic_t interrupted;
static volatile sig_atomic_t under_way;  /* steps have been taken: there is something to keep */
static bool undivided;                   /* a part of what is computed is of no use */
static volatile sig_atomic_t delivering; /* what there is to keep is on its way into files */
static volatile sig_atomic_t helped;     /* by programs that have to be ended first */
static bool stepping;                    /* a first step can be spoken of */
static double next_look;                 /* seconds */
static bool bar;
static volatile sig_atomic_t drawn;
static bool many;    /* parts alike: what is left takes as long as what is done */
static double began; /* seconds */

double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void say_and_exit(const char *words, size_t length) {
    taut_output_abandon();
    if (write(STDERR_FILENO, words, length) < 0) _exit(EXIT_STOPPED);
    _exit(EXIT_STOPPED);
}

static void on_interrupt(int signal) {
    static const char before[] = "taut: stopped: interrupted before the first step\n";
    static const char early[] = "taut: stopped: interrupted before there was a result\n";
    static const char late[] = "taut: stopped: interrupted while files were written; those that "
                               "are not whole are left as they were\n";
    (void)signal;
    interrupted = 1;
    if (helped) return;
    if (delivering) say_and_exit(late, sizeof late - 1);
    if (undivided || !stepping) say_and_exit(early, sizeof early - 1);
    if (!under_way) say_and_exit(before, sizeof before - 1);
    /* the next step will see it; if that takes long, or the writing of what there is, it is said */
    const struct itimerval soon = {.it_value = {.tv_usec = ANSWER_USEC}};
    setitimer(ITIMER_REAL, &soon, NULL);
}

static void on_delay(int signal) {
    static const char words[] = "\ntaut: interrupted: what has been computed is being kept; once "
                                "more ends the program at once\n";
    const size_t skipped = drawn ? 0 : 1; /* the bar has no end of line */
    (void)signal;
    if (write(STDERR_FILENO, words + skipped, sizeof words - 1 - skipped) < 0) return;
}

static void show_remaining(double left) {
    const long whole = (long)ceil(left);
    if (whole >= 3600)
        fprintf(stderr, ", %ld h %02ld min left ", whole / 3600, whole / 60 % 60);
    else
        fprintf(stderr, ", %ld min %02ld s left ", whole / 60, whole % 60);
}

static int on_progress(void *user, double fraction) {
    (void)user;
    if (fraction > 0.0) under_way = 1; /* before that nothing is lost by ending at once */
    if (bar && seconds() > next_look) {
        enum { WIDTH = 40 };
        const int full = (int)(fraction * WIDTH);
        char line[WIDTH + 1];
        for (int i = 0; i < WIDTH; i++) line[i] = i < full ? '#' : '.';
        line[WIDTH] = '\0';
        fprintf(stderr, "\r[%s] %3.0f %%", line, 100.0 * fraction);
        if (many && fraction > 0.0) show_remaining((seconds() - began) * (1.0 / fraction - 1.0));
        fflush(stderr);
        drawn = 1;
        next_look = seconds() + 0.1;
    }
    return interrupted;
}

/* flags: SA_RESETHAND: a second one ends the program at once. */
static void catch_signals(int flags) {
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU};
    struct sigaction delay;
    memset(&delay, 0, sizeof delay);
    delay.sa_handler = on_delay;
    delay.sa_flags = SA_RESTART; /* files are being written */
    sigaction(SIGALRM, &delay, NULL);
    for (size_t i = 0; i < sizeof ending / sizeof ending[0]; i++) {
        struct sigaction action, before;
        memset(&action, 0, sizeof action);
        action.sa_handler = on_interrupt;
        action.sa_flags = flags;
        /* whoever started the program may want it to ignore this one (nohup, a job of a shell) */
        if (sigaction(ending[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(ending[i], &action, NULL);
    }
}

void signals_begin(void) { catch_signals((int)SA_RESETHAND); }

void writing_begin(void) {
    delivering = 1;
    catch_signals((int)SA_RESETHAND); /* once more: the run may have been stopped by one */
}

void helping_begin(void) {
    interrupted = 0;
    helped = 1;
    catch_signals(SA_RESTART);
}

void helping_end(void) {
    helped = 0;
    catch_signals((int)SA_RESETHAND);
}

bool was_interrupted(void) { return interrupted; }

void progress_begin(taut_run_options *options, bool quiet) {
    stepping = true;
    catch_signals((int)SA_RESETHAND);
    bar = !quiet && isatty(STDERR_FILENO);
    began = seconds();
    next_look = began + 0.3; /* short runs show nothing */
    options->progress = on_progress;
}

void progress_end(void) {
    if (drawn) fprintf(stderr, "\r%75s\r", "");
    drawn = 0;
    many = undivided = false;
}

void progress_of_many(void) { many = true; }

void progress_of_whole(void) { undivided = true; }

/* ---- summary ---- */

static void show_part(FILE *out, const char *words, double part, double total) {
    fprintf(out, "    %-36s %9.3f ms  %3.0f %%\n", words, 1e3 * part,
            total > 0.0 ? 100.0 * part / total : 0.0);
}

/* Where the time of a run went. */
static void show_profile(FILE *out, const taut_run_stats *s, double writing) {
    const double steps = s->steps > 0 ? (double)s->steps : 1.0;
    double total = writing;
    for (int k = 0; k < TAUT_PHASES; k++) total += s->phase_s[k];
    fprintf(out, "  profile:\n");
    for (int k = 0; k < TAUT_PHASES; k++)
        show_part(out, taut_phase_name((taut_phase)k), s->phase_s[k], total);
    show_part(out, "writing files", writing, total);
    show_part(out, "in all", total, total);
    fprintf(out, "    %.3g us a step, %.3g us a coefficient of all unknowns, %d operations each\n",
            1e6 * s->wall_s / steps, 1e6 * s->wall_s / steps / (s->order + 1), s->operations);
}

/* A heading and lines below it; nothing if there are none. */
static void show_lines(FILE *out, const char *heading, const char *lines) {
    if (!lines[0]) return;
    fprintf(out, "  %s\n", heading);
    for (const char *p = lines; *p;) {
        const size_t n = strcspn(p, "\n");
        fprintf(out, "    %.*s\n", (int)n, p);
        p += n + (p[n] == '\n');
    }
}

/* Columns a line each, "joint.Fx", as one line a joint: "joint: Fx Fy". */
static void show_not_unique(FILE *out, const char *lines) {
    const char *last = "";
    size_t last_length = 0;
    if (lines[0])
        fprintf(out, "  reactions that rigid bodies do not determine (those of least size are "
                     "shown):");
    for (const char *p = lines; *p;) {
        const size_t n = strcspn(p, "\n"), word = strcspn(p, " \n");
        size_t dot = word;
        while (dot > 0 && p[dot] != '.') dot--;
        if (dot != last_length || strncmp(p, last, dot) != 0)
            fprintf(out, "\n    %.*s:", (int)dot, p);
        fprintf(out, " %.*s", (int)(n - dot - 1), p + dot + 1);
        last = p;
        last_length = dot;
        p += n + (p[n] == '\n');
    }
    if (lines[0]) fprintf(out, "\n");
}

/* How accurate the run is, as far as is known. */
static void show_certificate(FILE *out, const taut_result *result) {
    const taut_certificate *c = taut_result_certificate(result);
    if (!c) return;
    if (c->column >= 0)
        fprintf(out, "\n  estimated error %.2g (%s at t = %.4g), %s", c->error,
                taut_result_name(result, c->column), c->t, c->method);
    else if (c->at_rest)
        fprintf(out, "\n  at rest: nothing to estimate, %s", c->method);
    else
        fprintf(out, "\n  no estimate of the error, %s", c->method);
    if (c->at_rest && c->column >= 0)
        fprintf(out, "\n  at rest: nothing to estimate in %s", c->at_rest);
    if (isfinite(c->growth))
        fprintf(out, "\n  errors of the initial values grow by a factor of %.2g until the end",
                c->growth);
}

/* Energy or constraints that are off, again beside the figures. */
static void show_alarm(FILE *out, const taut_run_stats *s) {
    if (s->alarm) fprintf(out, "  ALARM: %s\n", s->alarm);
}

/* Code that was used no longer. */
static void show_compiler(FILE *out, const taut_run_stats *s) {
    if (s->miscompiled)
        fprintf(out,
                "  warning: code compiled by %s does not compute what the equations say, and was "
                "used no longer\n    when that was found; leave out --compile, or let cc be "
                "another compiler\n",
                s->miscompiled);
}

/* Constraints that are off by far more than the tolerance: the rest cannot be much better. */
static void show_drift(FILE *out, const taut_run_stats *s) {
    const double allowed = fmax(s->rtol, s->atol);
    if (s->alarm || !(s->constraint_residual > DRIFTED * allowed)) return;
    fprintf(
        out,
        "  warning: constraints are off by %.1g times the tolerance: do not trust this motion;\n"
        "    use --solver taylor, ho or bdf, or a smaller --tol\n",
        s->constraint_residual / allowed);
}

/* "  events: bounce 60 (first at t = 0.4515236), done 1 (...)" */
static void show_events(FILE *out, const taut_notes *notes) {
    for (int i = 0; i < notes->events; i++) {
        const taut_happened *e = &notes->event[i];
        bool first = true;
        int count = 0;
        for (int k = 0; k < notes->events; k++) {
            const bool same = strcmp(notes->event[k].name, e->name) == 0 &&
                              strcmp(notes->event[k].kind, e->kind) == 0;
            first = first && !(same && k < i);
            if (!first) break;
            count += same;
        }
        if (!first) continue;
        const bool touch = strcmp(e->kind, "touch") == 0;
        fprintf(out, "  %s %s: ", touch ? "event" : e->kind, e->name);
        if (touch)
            fprintf(out, "touched %d time%s", count, count == 1 ? "" : "s");
        else
            fprintf(out, "%d time%s", count, count == 1 ? "" : "s");
        if (strcmp(e->kind, "impact") == 0 && notes->impact)
            fprintf(out, " by %s law",
                    strcmp(notes->impact, "poisson") == 0 ? "Poisson's" : "Newton's");
        fprintf(out, ", first at t = %.10g\n", e->t);
    }
    for (int i = 0; i < notes->remarks; i++) fprintf(out, "  remark: %s\n", notes->remark[i]);
}

void show_summary(FILE *out, const taut_model *model, const arguments *a, const taut_result *result,
                  const char *written, double writing) {
    const taut_run_stats *s = taut_result_stats(result);
    const char *title = taut_model_title(model);
    fprintf(out, "%s\n", title[0] ? title : shown(a->file));
    const bool natural = !s->formulation || strcmp(s->formulation, "natural") == 0;
    char *freedom = NULL;
    if (taut_freedom_text(model, s, &freedom, NULL) == TAUT_OK)
        fprintf(out, "  %s\n", shown(freedom));
    taut_text_free(&freedom);
    fprintf(out, "  %d unknown%s%s%s, structural index %d", s->unknowns,
            s->unknowns == 1 ? "" : "s", natural ? "" : ", formulation ",
            natural ? "" : s->formulation, s->index);
    if (s->mobility >= 0)
        fprintf(out, ", %ld independent initial value%s", s->dof, s->dof == 1 ? "" : "s");
    if (s->mobility >= 0 && s->dof > 2 * (long)s->mobility && s->stabilize &&
        strcmp(s->stabilize, "projection") != 0)
        fprintf(out, ", those that constraints do not keep among them");
    fprintf(out, "\n  t = %.10g to %.10g by %s of order %d: %ld step%s, %ld rejected, ", s->t0,
            s->reached, s->method, s->order, s->steps, s->steps == 1 ? "" : "s", s->rejected);
    if (a->run.rtol == a->run.atol)
        fprintf(out, "tol %.3g", a->run.rtol);
    else
        fprintf(out, "rtol %.3g, atol %.3g", a->run.rtol, a->run.atol);
    fprintf(out, a->run.per_unit ? " in all steps together\n" : "\n");
    fprintf(out, "  constraint residual %.2g", s->constraint_residual);
    if (s->alpha > 0.0)
        fprintf(out, " by Baumgarte's equations (alpha %.4g, beta %.4g)", s->alpha, s->beta);
    else if (s->stabilize && strcmp(s->stabilize, "none") == 0)
        fprintf(out, ", nothing keeps them");
    if (isfinite(s->energy_drift)) fprintf(out, ", energy drift %.2g", s->energy_drift);
    show_certificate(out, result);
    fprintf(out, "\n  %.4f s, after %.4f s of set-up\n", s->wall_s, s->setup_s);
    show_alarm(out, s);
    show_compiler(out, s);
    show_drift(out, s);
    if (a->run.profile) show_profile(out, s, writing);
    show_lines(out, "begun by Taylor series, then:", taut_result_switches(result));
    show_events(out, taut_result_notes(result));
    show_lines(out, "redundant constraints, left out:", taut_result_redundant(result));
    if (s->not_unique) show_not_unique(out, s->not_unique);
    show_lines(out, "initial values that had to change:", taut_result_moves(result));
    show_lines(out,
               "assemblies near the initial positions, distances relative to the model's size:",
               taut_result_assemblies(result));
    if (written)
        fprintf(out, "  %ld row%s of %d columns in %s\n", taut_result_rows(result),
                taut_result_rows(result) == 1 ? "" : "s", taut_result_columns(result),
                shown(written));
}
