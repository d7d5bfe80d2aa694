/* Reading the values of options. */
#include "cli/option_values.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/times.h"
#include "cli/words.h"

bool option_is_wrong(const char *option, const char *value, const char *what) {
    fprintf(stderr, "taut: error: %s %s: %s\n", option, shown(value), what);
    return false;
}

static bool read_number(const char *option, const char *text, double *number) {
    char *end;
    *number = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(*number))
        return option_is_wrong(option, text, "a number is expected");
    return true;
}

static bool read_positive(const char *option, const char *text, double *number) {
    if (!read_number(option, text, number)) return false;
    return *number > 0.0 ? true : option_is_wrong(option, text, "a number above 0 is expected");
}

/* DT of --every; `step` has been looked for already. */
static bool read_distance(const char *option, const char *text, double *number) {
    char *end;
    *number = strtod(text, &end);
    if (end != text && *end == '\0' && isfinite(*number) && *number > 0.0) return true;
    return option_is_wrong(option, text, "a number above 0 or the word step is expected");
}

static bool read_whole(const char *option, const char *text, int least, int most, int *number) {
    char *end, message[80];
    const long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < least || value > most) {
        snprintf(message, sizeof message, "a whole number from %d to %d is expected", least, most);
        return option_is_wrong(option, text, message);
    }
    *number = (int)value;
    return true;
}

/* t1,t2,... */
static bool read_times(arguments *a, const char *text) {
    char why[200];
    double *times;
    if (!times_read(text, &times, &a->run.ats, why, sizeof why))
        return option_is_wrong("--at", text, why);
    free(a->times);
    a->run.at = a->times = times;
    a->times_file = text[0] == '@' ? text + 1 : NULL;
    return true;
}

/* Of --set and --input. */
static bool read_override(arguments *a, const char *option, const char *text, bool input) {
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || equals[1] == '\0')
        return option_is_wrong(option, text, input ? "write NAME=FORMULA" : "write NAME=VALUE");
    taut_override *list = input ? a->input : a->override;
    int *count = input ? &a->inputs : &a->overrides;
    if (*count == MOST_OVERRIDES) return option_is_wrong(option, text, "too many of them");
    const size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (!copy) return option_is_wrong(option, text, "out of memory");
    memcpy(copy, text, size);
    copy[equals - text] = '\0';
    a->override_text[a->texts++] = copy;
    list[(*count)++] = (taut_override){copy, copy + (equals - text) + 1};
    return true;
}

/* Without spaces around it. */
static char *trimmed(char *text) {
    text += strspn(text, " ");
    for (size_t n = strlen(text); n > 0 && text[n - 1] == ' '; n--) text[n - 1] = '\0';
    return text;
}

/* NAME=VALUES of --vary; [NAME=]RESULT of --report, where a name is before the parenthesis. */
static bool read_pair(arguments *a, const char *option, const char *text, bool vary) {
    const char *equals = strchr(text, '='), *open = strchr(text, '(');
    if (!vary && open && equals > open) equals = NULL;
    if (vary ? !equals || equals == text : equals == text)
        return option_is_wrong(option, text,
                               vary ? "write NAME=VALUES" : "write RESULT or NAME=RESULT");
    if (vary ? a->varies == MOST_VARIES : a->reports == MOST_REPORTS)
        return option_is_wrong(option, text, "too many of them");
    const size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (!copy) return option_is_wrong(option, text, "out of memory");
    memcpy(copy, text, size);
    a->override_text[a->texts++] = copy;
    if (equals) copy[equals - text] = '\0';
    char *second = trimmed(equals ? copy + (equals - text) + 1 : copy);
    if (vary)
        a->vary[a->varies++] = (taut_vary){trimmed(copy), second};
    else
        a->report[a->reports++] = (taut_report){equals ? trimmed(copy) : NULL, second};
    return true;
}

static bool read_seed(arguments *a, const char *text) {
    char *end;
    errno = 0;
    a->seed = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno)
        return option_is_wrong("--seed", text,
                               "a whole number from 0 to 18446744073709551615 is expected");
    return true;
}

/* I/N */
static bool read_shard(arguments *a, const char *text) {
    char *end;
    const long shard = strtol(text, &end, 10);
    const char *second = *end == '/' ? end + 1 : "";
    const long shards = strtol(second, &end, 10);
    if (end == second || *end != '\0' || shard < 1 || shards < shard || shards > 1000000)
        return option_is_wrong("--shard", text,
                               "a part and the number of parts are expected, as in 1/4");
    a->shard = (int)shard;
    a->shards = (int)shards;
    return true;
}

/* Further forms of a linearisation. */
static bool read_forms(arguments *a, const char *text) {
    for (const char *p = text; *p;) {
        const size_t n = strcspn(p, ",");
        const bool redundant = n == 9 && strncmp(p, "redundant", n) == 0;
        const bool descriptor = n == 10 && strncmp(p, "descriptor", n) == 0;
        if (!redundant && !descriptor)
            return option_is_wrong("--form", text, "redundant or descriptor is expected, or both");
        a->linear.redundant = a->linear.redundant || redundant;
        a->linear.descriptor = a->linear.descriptor || descriptor;
        p += n + (p[n] == ',');
    }
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
        return option_is_wrong("--size", text, "width and height are expected, as in 900x540");
    a->width = (int)width;
    a->height = (int)height;
    return true;
}

/* Axes are those of reactions, so asking for some asks for reactions. */
static bool read_axes(taut_run_options *run, const char *text) {
    run->reactions = true;
    run->body_axes = strcmp(text, "body") == 0;
    return run->body_axes || strcmp(text, "world") == 0 ||
           option_is_wrong("--axes", text, "world or body is expected");
}

static bool read_continuation(taut_run_options *run, const char *text) {
    run->no_continuation = strcmp(text, "off") == 0;
    return run->no_continuation || strcmp(text, "on") == 0 ||
           option_is_wrong("--continuation", text, "on or off is expected");
}

static bool read_error(taut_run_options *run, const char *text) {
    run->per_unit = strcmp(text, "unit") == 0;
    return run->per_unit || strcmp(text, "step") == 0 ||
           option_is_wrong("--error", text, "step or unit is expected");
}

static bool read_projection(taut_run_options *run, const char *name, const char *text) {
    run->projection = TAUT_PROJECT_FULL;
    return strcmp(text, "full") == 0 || read_positive(name, text, &run->projection);
}

/* Options of sweeps, optimisations and fits. */
static bool apply_to_study(arguments *a, option_id option, const char *name, const char *value) {
    switch (option) {
    case OPTION_VARY: return read_pair(a, name, value, true);
    case OPTION_REPORT: return read_pair(a, name, value, false);
    case OPTION_SAMPLES: return read_whole(name, value, 1, 100000000, &a->samples);
    case OPTION_SEED: return read_seed(a, value);
    case OPTION_DESIGN: a->design = value; return true;
    case OPTION_THREADS: return read_whole(name, value, 1, 4096, &a->threads);
    case OPTION_SHARD: return read_shard(a, value);
    case OPTION_RESUME: a->resume = true; return true;
    case OPTION_TRACE: a->trace = value; return true;
    case OPTION_METHOD: a->method = value; return true;
    case OPTION_DATA:
        if (a->datas == MOST_DATA) return option_is_wrong(name, value, "too many of them");
        a->data[a->datas++] = value;
        return true;
    case OPTION_ROWS: return read_whole(name, value, 2, 100000, &a->rows);
    default: return false;
    }
}

/* What is shown, and how; and exports. */
static bool apply_to_output(arguments *a, option_id option, const char *name, const char *value) {
    taut_run_options *run = &a->run;
    switch (option) {
    case OPTION_STATS: a->stats = value; return true;
    case OPTION_COMPILE: run->compile = true; return true;
    case OPTION_PROFILE: run->profile = true; return true;
    case OPTION_JSON: a->json = true; return true;
    case OPTION_BUILD: a->build = true; return true;
    case OPTION_ASCII: a->ascii = true; return true;
    case OPTION_AGAINST: a->against = value; return true;
    case OPTION_PANELS: a->panels = true; return true;
    case OPTION_EQUAL: a->equal = true; return true;
    case OPTION_SIZE: return read_size(a, value);
    case OPTION_CERTIFY: a->certify = true; return true;
    case OPTION_NO_CERTIFY: a->no_certify = true; return true;
    case OPTION_OPEN: a->open = true; return true;
    case OPTION_LIVE: a->live = true; return true;
    case OPTION_VIDEO: a->video = value; return true;
    case OPTION_WITH: a->with = value; return true;
    case OPTION_CONFINE: a->confine = true; return true;
    case OPTION_QUIET: a->quiet = true; return true;
    case OPTION_HELP: a->help = true; return true;
    case OPTION_VERSION: a->version = true; return true;
    case OPTION_LICENCES: a->licences = true; return true;
    case OPTION_COLUMNS: run->columns = value; return true;
    case OPTION_UNITS: a->units = true; return true;
    case OPTION_UNITS_ROW: a->units_row = true; return true;
    case OPTION_HEADER: a->header = true; return true;
    case OPTION_EXPLAIN: a->explain = true; return true;
    case OPTION_COMPLETION: a->completion = value; return true;
    case OPTION_LOG_X: a->log_x = true; return true;
    case OPTION_LOG_Y: a->log_y = true; return true;
    case OPTION_NYQUIST: a->nyquist = true; return true;
    case OPTION_C: a->c_folder = value; return true;
    case OPTION_FMU: a->fmu = value; return true;
    case OPTION_FMI: return read_whole(name, value, 2, 3, &a->fmi);
    case OPTION_PARAMETERS: a->parameters = value; return true;
    case OPTION_FLOAT: a->single = true; return true;
    case OPTION_SOURCES: a->sources = true; return true;
    default: return apply_to_study(a, option, name, value);
    }
}

bool option_apply(arguments *a, option_id option, const char *name, const char *value) {
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
    case OPTION_ERROR: return read_error(run, value);
    case OPTION_PROJECTION: return read_projection(run, name, value);
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
    case OPTION_SENSITIVITY: run->sensitivity = value; return true;
    case OPTION_AXES: return read_axes(run, value);
    case OPTION_OUTPUT: a->output = value; return true;
    case OPTION_EQUILIBRIUM:
    case OPTION_FROM_EQUILIBRIUM: a->at_rest = true; return true;
    case OPTION_FORM: return read_forms(a, value);
    case OPTION_PERIOD: return read_positive(name, value, &a->period);
    case OPTION_IN: a->response.input = value; return true;
    case OPTION_OUT: a->response.output = value; return true;
    case OPTION_RANGE: a->response.range = value; return true;
    case OPTION_DRIVE: a->drive = value; return true;
    case OPTION_REACH:
        if (a->reaches == MOST_TARGETS) return option_is_wrong(name, value, "too many of them");
        a->reach[a->reaches++] = value;
        return true;
    case OPTION_STATES: a->linear.states = value; return true;
    case OPTION_INPUTS: a->linear.inputs = value; return true;
    case OPTION_OUTPUTS: a->linear.outputs = value; return true;
    case OPTION_SET: return read_override(a, name, value, false);
    case OPTION_INPUT: return read_override(a, name, value, true);
    case OPTION_EVENTS: a->events = value; return true;
    case OPTION_SAVE_STATE: a->save_state = value; return true;
    case OPTION_LOAD_STATE: a->load_state = value; return true;
    default: return apply_to_output(a, option, name, value);
    }
}
