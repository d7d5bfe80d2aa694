/* Reading the command line. */
#include "cli/args.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/times.h"
#include "cli/words.h"

typedef enum option_id {
    OPTION_TOL,
    OPTION_TOLS,
    OPTION_RTOL,
    OPTION_ATOL,
    OPTION_ORDER,
    OPTION_FORMULATION,
    OPTION_BASE,
    OPTION_SUBSPACE,
    OPTION_CONTINUATION,
    OPTION_SUBSPACE_COLUMNS,
    OPTION_CUT,
    OPTION_MULTIPLIERS,
    OPTION_STABILIZE,
    OPTION_ALPHA,
    OPTION_BETA,
    OPTION_SOLVER,
    OPTION_STEP,
    OPTION_MAX_STEP,
    OPTION_STARTS,
    OPTION_LIMIT,
    OPTION_MEMORY,
    OPTION_TEND,
    OPTION_AT,
    OPTION_EVERY,
    OPTION_DERIVATIVES,
    OPTION_DIGITS,
    OPTION_REACTIONS,
    OPTION_AXES,
    OPTION_OUTPUT,
    OPTION_EQUILIBRIUM,
    OPTION_FROM_EQUILIBRIUM,
    OPTION_STATES,
    OPTION_INPUTS,
    OPTION_OUTPUTS,
    OPTION_SET,
    OPTION_INPUT,
    OPTION_EVENTS,
    OPTION_SAVE_STATE,
    OPTION_LOAD_STATE,
    OPTION_VARY,
    OPTION_REPORT,
    OPTION_SAMPLES,
    OPTION_SEED,
    OPTION_DESIGN,
    OPTION_THREADS,
    OPTION_SHARD,
    OPTION_RESUME,
    OPTION_C,
    OPTION_FLOAT,
    OPTION_FMU,
    OPTION_FMI,
    OPTION_PARAMETERS,
    OPTION_STATS,
    OPTION_PROFILE,
    OPTION_JSON,
    OPTION_ASCII,
    OPTION_AGAINST,
    OPTION_PANELS,
    OPTION_EQUAL,
    OPTION_SIZE,
    OPTION_OPEN,
    OPTION_CERTIFY,
    OPTION_NO_CERTIFY,
    OPTION_WITH,
    OPTION_CONFINE,
    OPTION_QUIET,
    OPTION_HELP,
    OPTION_VERSION,
    OPTION_LICENCES
} option_id;

enum {
    TABLE = COMMAND_RUN | COMMAND_PLOT, /* rows can be chosen */
    SIMULATION = TABLE | COMMAND_VIEW,
    SERIES = SIMULATION | COMMAND_SWEEP,        /* ... by one solver */
    SOLUTION = SERIES | COMMAND_COMPARE,        /* something is solved */
    POINTS = COMMAND_LINEARIZE | COMMAND_MODES, /* at points of a run */
    REST = COMMAND_EQUILIBRIUM,
    EXPORT = COMMAND_EXPORT,
    EVERYWHERE = SOLUTION | POINTS | REST | EXPORT | COMMAND_ANALYZE | COMMAND_CHECK,
    ALWAYS = EVERYWHERE | COMMAND_SCHEMA | COMMAND_DIFF
};

static const struct {
    const char *name, *value; /* value: what it takes; NULL: nothing */
    option_id option;
    int commands; /* bits */
    const char *help;
} OPTION[] = {
    {"--tol", "T", OPTION_TOL, SOLUTION | POINTS | REST | EXPORT, "sets rtol and atol (1e-9)"},
    {"--tols", "T1,T2,...", OPTION_TOLS, COMMAND_COMPARE,
     "tolerances to compare at, one for rtol and atol (1e-6,1e-8,1e-10)"},
    {"--rtol", "T", OPTION_RTOL, SERIES | POINTS | REST, "error of a step relative to the value"},
    {"--atol", "T", OPTION_ATOL, SERIES | POINTS | REST,
     "... relative to the largest value of its kind"},
    {"--order", "P", OPTION_ORDER, SOLUTION | POINTS | EXPORT,
     "degree of the Taylor polynomials (from the tolerance)"},
    {"--formulation", "F", OPTION_FORMULATION, SOLUTION | COMMAND_ANALYZE | POINTS | REST | EXPORT,
     "natural, reference, relative, minimal (mechanisms; to compare: several, with commas)"},
    {"--base", "F", OPTION_BASE, SOLUTION | COMMAND_ANALYZE | POINTS,
     "minimal coordinates: made of natural (default), reference or relative ones"},
    {"--subspace", "W", OPTION_SUBSPACE, SOLUTION,
     "minimal coordinates: first directions by qr, svd or eig (qr)"},
    {"--continuation", "on|off", OPTION_CONTINUATION, SOLUTION,
     "minimal coordinates: carry the directions along (on), or find them anew each step"},
    {"--subspace-columns", NULL, OPTION_SUBSPACE_COLUMNS, TABLE,
     "minimal coordinates: columns q1, q1', ... and the directions Q2_..."},
    {"--cut", "J1,J2,...", OPTION_CUT, SOLUTION | COMMAND_ANALYZE | POINTS | REST | EXPORT,
     "relative coordinates: joints that close loops (chosen by itself)"},
    {"--multipliers", "W", OPTION_MULTIPLIERS, SOLUTION,
     "relative coordinates, bdf, adams, erk, rk4: by cholesky (qr where that is not safe), or qr"},
    {"--stabilize", "W", OPTION_STABILIZE, SOLUTION,
     "what keeps constraints: projection, baumgarte, none (mechanisms)"},
    {"--alpha", "A", OPTION_ALPHA, SOLUTION,
     "baumgarte: constraints follow f'' + 2 A f' + B^2 f = 0"},
    {"--beta", "B", OPTION_BETA, SOLUTION, "... B like A, and both suiting the motion, if missing"},
    {"--solver", "S", OPTION_SOLVER, SOLUTION | POINTS,
     "taylor, ho (stiff), bdf, adams, erk, rk4, ida, auto (to compare: several, with commas)"},
    {"--step", "H", OPTION_STEP, SOLUTION | POINTS | EXPORT, "fixed step"},
    {"--max-step", "H", OPTION_MAX_STEP, SOLUTION | POINTS,
     "no step is longer: a fraction of the shortest event in the formulas"},
    {"--starts", "N", OPTION_STARTS, SOLUTION | POINTS,
     "look for assemblies from N perturbed initial positions"},
    {"--limit", "S", OPTION_LIMIT, COMMAND_COMPARE, "seconds after which a run is given up (30)"},
    {"--memory", "GB", OPTION_MEMORY, SOLUTION | POINTS | REST,
     "how large the table, or a matrix at the start, may become (4)"},
    {"--tend", "T", OPTION_TEND, SOLUTION | POINTS | EXPORT,
     "end of the run, instead of the file's"},
    {"--at", "t1,t2,...|@F", OPTION_AT, TABLE | POINTS,
     "rows at these times only, also from a file; to linearize: at these times"},
    {"--every", "DT|step", OPTION_EVERY, TABLE, "rows this far apart, or at every step"},
    {"--derivatives", "K", OPTION_DERIVATIVES, SIMULATION | REST | EXPORT,
     "columns up to the K-th derivative (1)"},
    {"--digits", "N", OPTION_DIGITS, COMMAND_RUN | COMMAND_SWEEP | REST,
     "digits in the results (17)"},
    {"--reactions", NULL, OPTION_REACTIONS, SERIES | REST,
     "columns with multipliers, and with forces and torques in joints, rods and springs"},
    {"--axes", "world|body", OPTION_AXES, SERIES | REST, "reactions along these axes (world)"},
    {"-o", "FILE", OPTION_OUTPUT, SOLUTION | POINTS | REST | COMMAND_DIFF,
     "where it goes (.csv, .mat, .json; a plot: .svg, a page: .html); - is the standard output"},
    {"--equilibrium", NULL, OPTION_EQUILIBRIUM, POINTS,
     "at the equilibrium near the start, instead of the start"},
    {"--from-equilibrium", NULL, OPTION_FROM_EQUILIBRIUM, TABLE,
     "start at the equilibrium near the file's start"},
    {"--states", "S1,S2,...", OPTION_STATES, POINTS,
     "columns that are the states, with their rates (chosen by itself)"},
    {"--inputs", "U1,...", OPTION_INPUTS, COMMAND_LINEARIZE, "which of Inputs (all)"},
    {"--outputs", "Y1,...", OPTION_OUTPUTS, COMMAND_LINEARIZE,
     "columns that are outputs (the file's Outputs)"},
    {"--set", "NAME=EXPR", OPTION_SET, EVERYWHERE, "replace a parameter"},
    {"--input", "NAME=EXPR", OPTION_INPUT, EVERYWHERE, "one of Inputs as a formula of t"},
    {"--vary", "NAME=VALUES", OPTION_VARY, COMMAND_SWEEP,
     "1..2:11 (eleven values), 1,2,5, or with --samples uniform(a,b), 10+-0.1, normal(mean,sd), "
     "lognormal(mu,sigma), triangular(a,mode,b); may be repeated"},
    {"--report", "[NAME=]RESULT", OPTION_REPORT, COMMAND_SWEEP,
     "max(C), min(C), range(C), mean(C), rms(C), end(C), at(T,C) of a column C; may be repeated"},
    {"--samples", "N", OPTION_SAMPLES, COMMAND_SWEEP, "how many samples of the distributions"},
    {"--seed", "S", OPTION_SEED, COMMAND_SWEEP, "of the random numbers (0)"},
    {"--design", "D", OPTION_DESIGN, COMMAND_SWEEP,
     "how samples lie: random (default), latin (hypercube), sobol"},
    {"-j", "N", OPTION_THREADS, COMMAND_SWEEP, "threads (as many as there are processors)"},
    {"--shard", "I/N", OPTION_SHARD, COMMAND_SWEEP,
     "only the I-th of N parts of the runs; the last one to finish writes the table"},
    {"--resume", NULL, OPTION_RESUME, COMMAND_SWEEP, "go on with a study that was stopped"},
    {"--save-state", "FILE", OPTION_SAVE_STATE, COMMAND_RUN,
     "write the state at the end, or where the run stopped"},
    {"--load-state", "FILE", OPTION_LOAD_STATE, SIMULATION | POINTS,
     "go on from a state that was saved, instead of the file's initial values"},
    {"--events", "FILE", OPTION_EVENTS, COMMAND_RUN, "write what happened, and when (.csv, .json)"},
    {"--c", "DIR", OPTION_C, EXPORT, "C99 code for a controller, into this folder"},
    {"--float", NULL, OPTION_FLOAT, EXPORT, "... in single precision (--tol at least 1e-4)"},
    {"--fmu", "F.fmu", OPTION_FMU, EXPORT, "an FMU for co-simulation in other simulators"},
    {"--fmi", "2|3", OPTION_FMI, EXPORT, "... of this version of the standard (3)"},
    {"--parameters", "P1,P2,...", OPTION_PARAMETERS, EXPORT,
     "... in which these can be changed, or all (all, unless too much follows from them)"},
    {"--stats", "FILE.json", OPTION_STATS, SIMULATION, "write how the run went"},
    {"--profile", NULL, OPTION_PROFILE, SIMULATION, "print where the time went"},
    {"--json", NULL, OPTION_JSON,
     COMMAND_ANALYZE | COMMAND_COMPARE | COMMAND_LINEARIZE | COMMAND_DIFF, "print one JSON object"},
    {"--against", "COLUMN", OPTION_AGAINST, COMMAND_PLOT, "column of the x axis, instead of t"},
    {"--panels", NULL, OPTION_PANELS, COMMAND_PLOT,
     "a panel for every column (otherwise where scales or units differ)"},
    {"--equal", NULL, OPTION_EQUAL, COMMAND_PLOT,
     "one scale for both axes (coordinates of points have it anyway)"},
    {"--size", "WxH", OPTION_SIZE, COMMAND_PLOT, "in pixels (900x540), or in characters"},
    {"--ascii", NULL, OPTION_ASCII, COMMAND_PLOT, "draw on the terminal, up to 4 columns"},
    {"--certify", NULL, OPTION_CERTIFY, COMMAND_RUN | COMMAND_VIEW,
     "estimate the error by a second run (a page has it anyway)"},
    {"--no-certify", NULL, OPTION_NO_CERTIFY, COMMAND_VIEW, "no second run"},
    {"--open", NULL, OPTION_OPEN, COMMAND_VIEW, "open the page in the browser"},
    {"--with", "F.csv", OPTION_WITH, COMMAND_COMPARE,
     "against this result, at its times, instead of other runs"},
    {"--confine", NULL, OPTION_CONFINE, EVERYWHERE,
     "the file may include files of its own folder and below only"},
    {"--quiet", NULL, OPTION_QUIET, EVERYWHERE | COMMAND_DIFF, "print errors only"},
    {"--help", NULL, OPTION_HELP, ALWAYS, "this text"},
    {"-h", NULL, OPTION_HELP, ALWAYS, NULL},
    {"--version", NULL, OPTION_VERSION, ALWAYS, NULL},
    {"--licences", NULL, OPTION_LICENCES, ALWAYS, NULL},
    {"--licenses", NULL, OPTION_LICENCES, ALWAYS, NULL},
};
enum { OPTIONS = sizeof OPTION / sizeof OPTION[0] };
_Static_assert((int)OPTIONS <= (int)MOST_OPTIONS, "arguments.seen has a place for every option");

static const struct {
    const char *name;
    command_id command;
    const char *words; /* what follows it */
    const char *help;
} COMMAND[] = {
    {"run", COMMAND_RUN, "FILE", "simulate; results in the current folder as FILE's stem + .csv"},
    {"view", COMMAND_VIEW, "FILE",
     "simulate and write a page for the browser, as FILE's stem + .html: animation, curves, "
     "report"},
    {"plot", COMMAND_PLOT, "FILE COLUMN...",
     "simulate and draw columns, as FILE's stem + .svg or on the terminal"},
    {"analyze", COMMAND_ANALYZE, "FILE",
     "what taut made of it: variables, signature matrix, index, blocks"},
    {"check", COMMAND_CHECK, "FILE", "parse and validate only"},
    {"compare", COMMAND_COMPARE, "FILE",
     "solve by every formulation and solver that fits: agreement in digits, cost; table, and page "
     "as FILE's stem + -compare.html"},
    {"sweep", COMMAND_SWEEP, "FILE",
     "run many times with other parameters, inputs and initial values; a table of results as "
     "FILE's stem + -sweep.csv"},
    {"linearize", COMMAND_LINEARIZE, "FILE",
     "small motions near the start, or near times of a run: A, B, C, D and eigenvalues"},
    {"modes", COMMAND_MODES, "FILE",
     "the same point: frequencies, damping, time constants, what moves"},
    {"equilibrium", COMMAND_EQUILIBRIUM, "FILE",
     "a state near the start in which nothing moves and nothing accelerates; is it stable?"},
    {"export", COMMAND_EXPORT, "FILE --c DIR|--fmu F",
     "a model that leaves taut: C code with fixed steps for a controller, or an FMU for other "
     "simulators"},
    {"diff", COMMAND_DIFF, "A.csv B.csv",
     "digits by column of two results, whoever computed them; B is the reference"},
    {"schema", COMMAND_SCHEMA, "", "print the JSON schema of model files"},
};
enum { COMMANDS = sizeof COMMAND / sizeof COMMAND[0] };

enum { SCREEN = 80, LEFT = 25 }; /* columns; where the words on options begin */

/* Words from column `left` on, where the line is at column `at`, as many lines as they need. */
static void print_wrapped(const char *words, int at, int left) {
    printf("%*s", at < left ? left - at : 0, "");
    for (int used = at < left ? left : at, first = 1; *words; first = 0) {
        const int n = (int)strcspn(words, " ");
        if (!first && used + 1 + n >= SCREEN) {
            printf("\n%*s", left, "");
            used = left;
        } else if (!first) {
            printf(" ");
            used++;
        }
        printf("%.*s", n, words);
        used += n;
        words += n;
        words += strspn(words, " ");
    }
    printf("\n");
}

void print_help(command_id command) {
    if (command == COMMAND_NONE) {
        printf("taut %s: motion from a model file, accurate to nearly the last digit\n\n"
               "usage: taut COMMAND FILE [options]\n\n",
               taut_version());
        for (int i = 0; i < COMMANDS; i++) {
            const int at = printf("  taut %-8s %s  ", COMMAND[i].name, COMMAND[i].words);
            print_wrapped(COMMAND[i].help, at, LEFT + 7);
        }
        printf("\n  taut COMMAND --help, taut --version [--licences]\n\n"
               "Exit status: 0 done; 1 the simulation could not be finished (what was computed\n"
               "is written); 2 the input or the call is wrong.\n");
        return;
    }
    for (int i = 0; i < COMMANDS; i++)
        if (COMMAND[i].command == command) {
            printf("usage: taut %s %s [options]\n\n", COMMAND[i].name, COMMAND[i].words);
            print_wrapped(COMMAND[i].help, 0, 0);
            printf("\n");
        }
    for (int i = 0; i < OPTIONS; i++) {
        if (!(OPTION[i].commands & (int)command) || !OPTION[i].help) continue;
        const int at = printf("  %s %s", OPTION[i].name, OPTION[i].value ? OPTION[i].value : "");
        if (at >= LEFT) printf("\n");
        print_wrapped(OPTION[i].help, at >= LEFT ? 0 : at, LEFT);
    }
}

/* ---- values ---- */

static bool wrong(const char *option, const char *value, const char *what) {
    fprintf(stderr, "taut: error: %s %s: %s\n", option, shown(value), what);
    return false;
}

static bool read_number(const char *option, const char *text, double *number) {
    char *end;
    *number = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(*number))
        return wrong(option, text, "a number is expected");
    return true;
}

static bool read_positive(const char *option, const char *text, double *number) {
    if (!read_number(option, text, number)) return false;
    return *number > 0.0 ? true : wrong(option, text, "a number above 0 is expected");
}

/* DT of --every; `step` has been looked for already. */
static bool read_distance(const char *option, const char *text, double *number) {
    char *end;
    *number = strtod(text, &end);
    if (end != text && *end == '\0' && isfinite(*number) && *number > 0.0) return true;
    return wrong(option, text, "a number above 0 or the word step is expected");
}

static bool read_whole(const char *option, const char *text, int least, int most, int *number) {
    char *end, message[80];
    const long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < least || value > most) {
        snprintf(message, sizeof message, "a whole number from %d to %d is expected", least, most);
        return wrong(option, text, message);
    }
    *number = (int)value;
    return true;
}

/* t1,t2,... */
static bool read_times(arguments *a, const char *text) {
    char why[200];
    double *times;
    if (!times_read(text, &times, &a->run.ats, why, sizeof why)) return wrong("--at", text, why);
    free(a->times);
    a->run.at = a->times = times;
    a->times_file = text[0] == '@' ? text + 1 : NULL;
    return true;
}

/* Of --set and --input. */
static bool read_override(arguments *a, const char *option, const char *text, bool input) {
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || equals[1] == '\0')
        return wrong(option, text, input ? "write NAME=FORMULA" : "write NAME=VALUE");
    taut_override *list = input ? a->input : a->override;
    int *count = input ? &a->inputs : &a->overrides;
    if (*count == MOST_OVERRIDES) return wrong(option, text, "too many of them");
    const size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (!copy) return wrong(option, text, "out of memory");
    memcpy(copy, text, size);
    copy[equals - text] = '\0';
    a->override_text[a->texts++] = copy;
    list[(*count)++] = (taut_override){copy, copy + (equals - text) + 1};
    return true;
}

/* NAME=VALUES of --vary; [NAME=]RESULT of --report, where a name is before the parenthesis. */
static bool read_pair(arguments *a, const char *option, const char *text, bool vary) {
    const char *equals = strchr(text, '='), *open = strchr(text, '(');
    if (!vary && open && equals > open) equals = NULL;
    if (vary ? !equals || equals == text : equals == text)
        return wrong(option, text, vary ? "write NAME=VALUES" : "write RESULT or NAME=RESULT");
    if (vary ? a->varies == MOST_VARIES : a->reports == MOST_REPORTS)
        return wrong(option, text, "too many of them");
    const size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (!copy) return wrong(option, text, "out of memory");
    memcpy(copy, text, size);
    a->override_text[a->texts++] = copy;
    if (equals) copy[equals - text] = '\0';
    char *second = equals ? copy + (equals - text) + 1 : copy;
    if (vary)
        a->vary[a->varies++] = (taut_vary){copy, second};
    else
        a->report[a->reports++] = (taut_report){equals ? copy : NULL, second};
    return true;
}

static bool read_seed(arguments *a, const char *text) {
    char *end;
    errno = 0;
    a->seed = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno)
        return wrong("--seed", text, "a whole number from 0 to 18446744073709551615 is expected");
    return true;
}

/* I/N */
static bool read_shard(arguments *a, const char *text) {
    char *end;
    const long shard = strtol(text, &end, 10);
    const char *second = *end == '/' ? end + 1 : "";
    const long shards = strtol(second, &end, 10);
    if (end == second || *end != '\0' || shard < 1 || shards < shard || shards > 1000000)
        return wrong("--shard", text, "a part and the number of parts are expected, as in 1/4");
    a->shard = (int)shard;
    a->shards = (int)shards;
    return true;
}

/* WxH */
static bool read_size(arguments *a, const char *text) {
    char *end;
    const long width = strtol(text, &end, 10);
    const char *second = *end == 'x' ? end + 1 : "";
    const long height = strtol(second, &end, 10);
    if (end == second || *end != '\0' || width < 1 || height < 1 || width > 100000 ||
        height > 100000)
        return wrong("--size", text, "width and height are expected, as in 900x540");
    a->width = (int)width;
    a->height = (int)height;
    return true;
}

/* Axes are those of reactions, so asking for some asks for reactions. */
static bool read_axes(taut_run_options *run, const char *text) {
    run->reactions = true;
    run->body_axes = strcmp(text, "body") == 0;
    return run->body_axes || strcmp(text, "world") == 0 ||
           wrong("--axes", text, "world or body is expected");
}

static bool read_continuation(taut_run_options *run, const char *text) {
    run->no_continuation = strcmp(text, "off") == 0;
    return run->no_continuation || strcmp(text, "on") == 0 ||
           wrong("--continuation", text, "on or off is expected");
}

static bool apply(arguments *a, option_id option, const char *name, const char *value) {
    taut_run_options *run = &a->run;
    switch (option) {
    case OPTION_TOL:
        if (!read_positive(name, value, &run->rtol)) return false;
        run->atol = run->rtol;
        a->tols = value;
        return true;
    case OPTION_TOLS: a->tols = value; return true;
    case OPTION_RTOL: return read_positive(name, value, &run->rtol);
    case OPTION_ATOL: return read_positive(name, value, &run->atol);
    case OPTION_ORDER: return read_whole(name, value, 4, 60, &run->order);
    case OPTION_FORMULATION: a->formulations = run->formulation = value; return true;
    case OPTION_BASE: run->base = value; return true;
    case OPTION_SUBSPACE: run->subspace = value; return true;
    case OPTION_CONTINUATION: return read_continuation(run, value);
    case OPTION_SUBSPACE_COLUMNS: run->subspace_columns = true; return true;
    case OPTION_CUT: run->cut = value; return true;
    case OPTION_MULTIPLIERS: run->multipliers = value; return true;
    case OPTION_STABILIZE: run->stabilize = value; return true;
    case OPTION_ALPHA: return read_positive(name, value, &run->alpha);
    case OPTION_BETA: return read_positive(name, value, &run->beta);
    case OPTION_SOLVER: a->solvers = run->solver = value; return true;
    case OPTION_STEP: return read_positive(name, value, &run->step);
    case OPTION_MAX_STEP: return read_positive(name, value, &run->max_step);
    case OPTION_MEMORY:
        if (!read_positive(name, value, &run->memory)) return false;
        run->memory *= 1e9;
        return true;
    case OPTION_STARTS: return read_whole(name, value, 1, 10000, &run->starts);
    case OPTION_LIMIT: return read_positive(name, value, &a->limit);
    case OPTION_TEND: run->has_tend = true; return read_number(name, value, &run->tend);
    case OPTION_AT: return read_times(a, value);
    case OPTION_EVERY:
        if (strcmp(value, "step") != 0) return read_distance(name, value, &run->every);
        run->every = TAUT_EVERY_STEP;
        return true;
    case OPTION_DERIVATIVES: return read_whole(name, value, 0, 50, &run->derivatives);
    case OPTION_DIGITS: return read_whole(name, value, 1, 17, &a->digits);
    case OPTION_REACTIONS: run->reactions = true; return true;
    case OPTION_AXES: return read_axes(run, value);
    case OPTION_OUTPUT: a->output = value; return true;
    case OPTION_EQUILIBRIUM:
    case OPTION_FROM_EQUILIBRIUM: a->at_rest = true; return true;
    case OPTION_STATES: a->linear.states = value; return true;
    case OPTION_INPUTS: a->linear.inputs = value; return true;
    case OPTION_OUTPUTS: a->linear.outputs = value; return true;
    case OPTION_SET: return read_override(a, name, value, false);
    case OPTION_INPUT: return read_override(a, name, value, true);
    case OPTION_EVENTS: a->events = value; return true;
    case OPTION_SAVE_STATE: a->save_state = value; return true;
    case OPTION_LOAD_STATE: a->load_state = value; return true;
    case OPTION_VARY: return read_pair(a, name, value, true);
    case OPTION_REPORT: return read_pair(a, name, value, false);
    case OPTION_SAMPLES: return read_whole(name, value, 1, 100000000, &a->samples);
    case OPTION_SEED: return read_seed(a, value);
    case OPTION_DESIGN: a->design = value; return true;
    case OPTION_THREADS: return read_whole(name, value, 1, 4096, &a->threads);
    case OPTION_SHARD: return read_shard(a, value);
    case OPTION_RESUME: a->resume = true; return true;
    case OPTION_C: a->c_folder = value; return true;
    case OPTION_FMU: a->fmu = value; return true;
    case OPTION_FMI: return read_whole(name, value, 2, 3, &a->fmi);
    case OPTION_PARAMETERS: a->parameters = value; return true;
    case OPTION_FLOAT: a->single = true; return true;
    case OPTION_STATS: a->stats = value; return true;
    case OPTION_PROFILE: run->profile = true; return true;
    case OPTION_JSON: a->json = true; return true;
    case OPTION_ASCII: a->ascii = true; return true;
    case OPTION_AGAINST: a->against = value; return true;
    case OPTION_PANELS: a->panels = true; return true;
    case OPTION_EQUAL: a->equal = true; return true;
    case OPTION_SIZE: return read_size(a, value);
    case OPTION_CERTIFY: a->certify = true; return true;
    case OPTION_NO_CERTIFY: a->no_certify = true; return true;
    case OPTION_OPEN: a->open = true; return true;
    case OPTION_WITH: a->with = value; return true;
    case OPTION_CONFINE: a->confine = true; return true;
    case OPTION_QUIET: a->quiet = true; return true;
    case OPTION_HELP: a->help = true; return true;
    case OPTION_VERSION: a->version = true; return true;
    case OPTION_LICENCES: a->licences = true; return true;
    }
    return false;
}

/* ---- words ---- */

static const char *command_name(command_id command) {
    for (int k = 0; k < COMMANDS; k++)
        if (COMMAND[k].command == command) return COMMAND[k].name;
    return "";
}

/* True if one letter put in, left out or changed, or two letters exchanged, make one word the
 * other. */
static bool similar(const char *a, size_t m, const char *b, size_t n) {
    size_t front = 0, back = 0;
    while (front < m && front < n && a[front] == b[front]) front++;
    while (back < m - front && back < n - front && a[m - 1 - back] == b[n - 1 - back]) back++;
    const size_t left = m - front - back, right = n - front - back;
    return (left <= 1 && right <= 1) ||
           (left == 2 && right == 2 && a[front] == b[front + 1] && a[front + 1] == b[front]);
}

/* True if one of two options is the beginning of the other, as in --tolerance and --tol. */
static bool begins(const char *a, size_t m, const char *b, size_t n) {
    const size_t common = m < n ? m : n;
    return common >= 5 && strncmp(a, b, common) == 0;
}

static bool unknown_option(const arguments *a, const char *word, size_t length) {
    const char *other = NULL; /* a command that has it */
    const char *near = NULL, *longer = NULL;
    for (int k = 0; k < OPTIONS; k++) {
        const char *name = OPTION[k].name;
        const bool here = a->command == COMMAND_NONE || OPTION[k].commands & (int)a->command;
        if (strlen(name) == length && strncmp(name, word, length) == 0)
            for (int c = 0; c < COMMANDS; c++)
                if (!other && OPTION[k].commands & (int)COMMAND[c].command) other = COMMAND[c].name;
        if (here && length > 2 && similar(name, strlen(name), word, length)) near = name;
        if (here && begins(name, strlen(name), word, length)) longer = name;
    }
    if (!near) near = longer;
    const char *command = command_name(a->command);
    char option[200];
    snprintf(option, sizeof option, "%.*s", (int)length, word);
    fprintf(stderr, "taut: error: ");
    if (other)
        fprintf(stderr, "%s is an option of taut %s, not of taut %s%s\n", option, other, command,
                a->command == COMMAND_RUN && strncmp(word, "--json", length) == 0
                    ? "; for results as JSON: -o FILE.json"
                    : "");
    else if (near)
        fprintf(stderr, "unknown option %s; did you mean %s?\n", shown(option), near);
    else
        fprintf(stderr, "unknown option %s; see taut%s%s --help\n", shown(option),
                command[0] ? " " : "", command);
    return false;
}

/* The option that argv[i] is, with its value taken from it (--x=v) or from the next word. */
static bool read_option(arguments *a, int argc, char **argv, int *i) {
    const char *word = argv[*i], *equals = strchr(word, '=');
    const size_t length = equals && word[1] == '-' ? (size_t)(equals - word) : strlen(word);
    for (int k = 0; k < OPTIONS; k++) {
        if (strlen(OPTION[k].name) != length || strncmp(OPTION[k].name, word, length) != 0)
            continue;
        if (a->command != COMMAND_NONE && !(OPTION[k].commands & (int)a->command)) break;
        const char *value = length < strlen(word) ? word + length + 1 : NULL;
        if (!OPTION[k].value && value)
            return wrong(OPTION[k].name, value, "this option takes no value");
        if (OPTION[k].value && !value) {
            if (*i + 1 >= argc) {
                fprintf(stderr, "taut: error: %s needs a value: %s %s\n", word, word,
                        OPTION[k].value);
                return false;
            }
            value = argv[++*i];
        }
        a->seen[k] = true;
        return apply(a, OPTION[k].option, OPTION[k].name, value ? value : "");
    }
    return unknown_option(a, word, length);
}

static bool read_command(arguments *a, const char *word) {
    for (int k = 0; k < COMMANDS; k++)
        if (strcmp(COMMAND[k].name, word) == 0) {
            a->command = COMMAND[k].command;
            return true;
        }
    fprintf(stderr, "taut: error: unknown command '%s'; ", shown(word));
    for (int k = 0; k < COMMANDS; k++)
        if (similar(COMMAND[k].name, strlen(COMMAND[k].name), word, strlen(word)))
            fprintf(stderr, "did you mean %s? ", COMMAND[k].name);
    if (strchr(word, '.')) fprintf(stderr, "if it is a file: taut run %s; ", shown(word));
    fprintf(stderr, "the commands are");
    for (int k = 0; k < COMMANDS; k++) fprintf(stderr, "%s %s", k ? "," : "", COMMAND[k].name);
    fprintf(stderr, " (taut --help tells more)\n");
    return false;
}

static bool was_seen(const arguments *a, option_id option) {
    for (int k = 0; k < OPTIONS; k++)
        if (OPTION[k].option == option && a->seen[k]) return true;
    return false;
}

bool arguments_read(arguments *a, int argc, char **argv) {
    memset(a, 0, sizeof *a);
    a->run = taut_run_options_default();
    a->linear = taut_linear_options_default();
    bool only_files = false;
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (!only_files && strcmp(word, "--") == 0) {
            only_files = true;
        } else if (!only_files && word[0] == '-' && word[1] != '\0') {
            if (!read_option(a, argc, argv, &i)) return false;
        } else if (a->command == COMMAND_NONE) {
            if (!read_command(a, word)) return false;
        } else if (a->file && a->command == COMMAND_DIFF && a->columns == 0) {
            a->column[a->columns++] = word;
        } else if (a->file && a->command == COMMAND_PLOT) {
            if (a->columns == MOST_COLUMNS) return wrong("plot", word, "too many columns");
            a->column[a->columns++] = word;
        } else if (a->command == COMMAND_SCHEMA) {
            fprintf(stderr, "taut: error: taut schema takes no file, but there is '%s'\n",
                    shown(word));
            return false;
        } else if (a->file) {
            fprintf(stderr, "taut: error: one file at a time: '%s' or '%s'?\n", shown(a->file),
                    shown(word));
            return false;
        } else {
            a->file = word;
        }
    }
    if (a->help || a->version || a->licences) return true;
    if (a->command == COMMAND_NONE) {
        fprintf(stderr, "taut: error: say what to do: taut run FILE (taut --help tells more)\n");
        return false;
    }
    for (int k = 0; k < OPTIONS; k++) /* options may stand before the command */
        if (a->seen[k] && !(OPTION[k].commands & (int)a->command))
            return unknown_option(a, OPTION[k].name, strlen(OPTION[k].name));
    if (was_seen(a, OPTION_CERTIFY) && was_seen(a, OPTION_NO_CERTIFY))
        return wrong("--certify", "--no-certify", "leave out one of the two");
    if (was_seen(a, OPTION_SEED) && !was_seen(a, OPTION_SAMPLES))
        return wrong("--seed", "...", "there are no random numbers without --samples");
    if (a->at_rest && was_seen(a, OPTION_LOAD_STATE))
        return wrong("--load-state", a->load_state,
                     "an equilibrium is to be the start already; leave out one of the two");
    if (was_seen(a, OPTION_TOL) && was_seen(a, OPTION_TOLS))
        return wrong("--tol", "--tols", "leave out one of the two");
    if (a->command != COMMAND_SCHEMA && (!a->file || !a->file[0])) {
        fprintf(stderr, "taut: error: which file? taut %s FILE\n", command_name(a->command));
        return false;
    }
    return true;
}

void arguments_release(arguments *a) {
    free(a->times);
    taut_state_free(&a->from);
    for (int i = 0; i < a->texts; i++) free(a->override_text[i]);
}
