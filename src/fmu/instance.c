/* Co-simulation by taut's own stepper: steps of variable length that end at communication points.
 */
#include "fmu/instance.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/number.h"
#include "core/philox.h"
#include "export/fmu.h"
#include "out/state_file.h"

struct taut_instance {
    taut_arena arena;
    taut_log_fn *log;
    void *user;
    taut_mode mode;
    taut_model *model;
    taut_run_options options;
    taut_simulation *simulation;
    taut_fmu_list list;
    double *value;   /* [variables] of parameters and inputs, as set */
    double *applied; /* [variables] ... and as the simulation has them */
    bool stale;      /* the simulation is to be started again */
    bool ended;      /* the model has stopped by itself */
    double stop;     /* NaN: none */
    taut_errors errors;
};

struct taut_instance_state {
    taut_mode mode;
    taut_state *motion; /* NULL: not started */
    double *value;      /* [2 * count] values as set, then those that count */
    int count;
};

/* ---- messages ---- */

static void say(const taut_instance *x, bool error, const char *message) {
    if (x->log) x->log(x->user, error, message);
}

bool taut_instance_refuse(taut_instance *x, const char *call, const char *reason) {
    char message[400];
    snprintf(message, sizeof message, "%.300s: %.90s", call, reason);
    say(x, true, message);
    return false;
}

/* Passes on what the library has said; a failure of the numerics ends the instance. */
static bool check(taut_instance *x, taut_status status) {
    for (int i = 0; status != TAUT_OK && i < x->errors.count; i++)
        say(x, true, x->errors.item[i].message);
    if (status != TAUT_OK && x->errors.count == 0) say(x, true, taut_status_text(status));
    memset(&x->errors, 0, sizeof x->errors);
    return status == TAUT_OK;
}

static bool fail(taut_instance *x, taut_status status) {
    if (check(x, status)) return true;
    x->mode = TAUT_MODE_FAILED;
    return false;
}

/* ---- creation ---- */

static int digit_of(char c) {
    if (taut_is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* A path from a path or from an address such as file:///tmp/x%20y. */
static void decode(const char *address, char *path, size_t size) {
    size_t n = 0;
    const bool coded = strncmp(address, "file:", 5) == 0;
    if (coded) {
        address += 5;
        if (strncmp(address, "//", 2) == 0) {
            address += 2;
            address += strcspn(address, "/"); /* a host */
        }
    }
    for (; *address && n + 1 < size; address++) {
        const int high = coded && *address == '%' ? digit_of(address[1]) : -1;
        const int low = high >= 0 ? digit_of(address[2]) : -1;
        path[n++] = low >= 0 ? (char)(16 * high + low) : *address;
        if (low >= 0) address += 2;
    }
    path[n] = '\0';
}

static bool read_text(taut_instance *x, const char *path, char *text, size_t size) {
    FILE *file = fopen(path, "rb");
    const size_t n = file ? fread(text, 1, size - 1, file) : 0;
    if (file) fclose(file);
    text[n] = '\0';
    return n > 0 || taut_instance_refuse(x, path, "it cannot be read");
}

/* The hash of the model's file, as the description has it. */
static bool check_token(taut_instance *x, const char *path, const char *token) {
    char buffer[4096], own[40];
    uint64_t hash = TAUT_HASH_BEGIN;
    size_t n;
    FILE *file = fopen(path, "rb");
    if (!file) return taut_instance_refuse(x, path, "it cannot be read");
    while ((n = fread(buffer, 1, sizeof buffer, file)) > 0) hash = taut_hash(hash, buffer, n);
    fclose(file);
    snprintf(own, sizeof own, "taut-%016llx", (unsigned long long)hash);
    if (token && strcmp(token, own) == 0) return true;
    return taut_instance_refuse(x, "instantiation",
                                "the token (guid) is not that of this model's description");
}

static bool load(taut_instance *x, const char *resources, const char *token) {
    char folder[3000], path[3100], text[1000];
    taut_fmu_settings settings;
    decode(resources, folder, sizeof folder);
    snprintf(path, sizeof path, "%s/settings.txt", folder);
    if (!read_text(x, path, text, sizeof text)) return false;
    if (!taut_fmu_settings_read(text, &settings))
        return taut_instance_refuse(x, path, "it is no such file");
    snprintf(path, sizeof path, "%s/model.yaml", folder);
    if (!check_token(x, path, token)) return false;
    x->options = taut_fmu_options(&settings);
    return check(x, taut_model_read(path, NULL, 0, &x->model, &x->errors));
}

/* Starts the simulation with the values of now. */
static taut_status start(taut_instance *x) {
    for (int i = 0; i < x->list.count; i++) {
        if (x->list.item[i].role != TAUT_FMU_PARAMETER && x->list.item[i].role != TAUT_FMU_INPUT)
            continue;
        if (x->value[i] != x->applied[i])
            TAUT_TRY(taut_simulation_set_parameter(x->simulation, x->list.item[i].name, x->value[i],
                                                   &x->errors));
        x->applied[i] = x->value[i];
    }
    x->stale = false;
    return taut_simulation_start(x->simulation, &x->errors);
}

/* A first simulation with the file's values: names of columns, and a check that it starts. */
static taut_status prepare(taut_instance *x) {
    TAUT_TRY(taut_simulation_create(x->model, &x->options, &x->simulation, &x->errors));
    TAUT_TRY(taut_simulation_start(x->simulation, &x->errors));
    if (!x->value) {
        TAUT_TRY(taut_fmu_list_make(x->model, x->simulation, &x->list));
        x->value = TAUT_NEW_ARRAY(&x->arena, x->list.count, double);
        x->applied = TAUT_NEW_ARRAY(&x->arena, x->list.count, double);
        if (!x->value || !x->applied) return TAUT_ERR_MEMORY;
    }
    for (int i = 0; i < x->list.count; i++) x->value[i] = x->applied[i] = x->list.item[i].start;
    x->stale = false;
    x->stop = (double)NAN;
    return TAUT_OK;
}

taut_instance *taut_instance_create(const char *resources, const char *token, taut_log_fn *log,
                                    void *user) {
    taut_instance *x = taut_new(sizeof *x);
    if (!x) return NULL;
    x->log = log;
    x->user = user;
    if (!resources)
        taut_instance_refuse(x, "instantiation", "the folder of the resources is missing");
    else if (load(x, resources, token) && check(x, prepare(x)))
        return x;
    taut_instance_free(x);
    return NULL;
}

void taut_instance_free(taut_instance *x) {
    if (!x) return;
    taut_simulation_free(&x->simulation);
    taut_model_free(&x->model);
    taut_fmu_list_release(&x->list);
    taut_arena_release(&x->arena);
    taut_release((void **)&x);
}

taut_mode taut_instance_mode(const taut_instance *x) { return x->mode; }

/* ---- values ---- */

bool taut_instance_get(taut_instance *x, unsigned reference, double *value) {
    if (reference >= (unsigned)x->list.count)
        return taut_instance_refuse(x, "get", "there is no variable with this reference");
    const taut_fmu_variable *v = &x->list.item[reference];
    if (v->role == TAUT_FMU_PARAMETER || v->role == TAUT_FMU_INPUT) {
        *value = x->value[reference];
        return true;
    }
    if (x->stale && !fail(x, start(x))) return false;
    const double t = taut_simulation_reached(x->simulation);
    *value = v->role == TAUT_FMU_TIME ? t : taut_simulation_get(x->simulation, v->column, t);
    return true;
}

bool taut_instance_set(taut_instance *x, unsigned reference, double value) {
    if (reference >= (unsigned)x->list.count)
        return taut_instance_refuse(x, "set", "there is no variable with this reference");
    const taut_fmu_variable *v = &x->list.item[reference];
    if (v->role != TAUT_FMU_PARAMETER && v->role != TAUT_FMU_INPUT)
        return taut_instance_refuse(x, v->name, "it is computed and cannot be set");
    const bool early = x->mode == TAUT_MODE_INSTANTIATED || x->mode == TAUT_MODE_INITIALIZING;
    if (v->role == TAUT_FMU_PARAMETER && !early)
        return taut_instance_refuse(x, v->name, "it is fixed and cannot be set after the start");
    if (!isfinite(value)) return taut_instance_refuse(x, v->name, "the value is not finite");
    x->value[reference] = value;
    if (early && value != x->applied[reference]) x->stale = true;
    return true;
}

/* ---- modes ---- */

bool taut_instance_setup(taut_instance *x, double begin, bool has_stop, double stop) {
    if (begin != x->model->t0) {
        char reason[120];
        taut_format(reason, sizeof reason, "the model begins at t0 = %.17g", x->model->t0);
        return taut_instance_refuse(x, "start time", reason);
    }
    if (has_stop && !(stop > begin))
        return taut_instance_refuse(x, "stop time", "it is not behind the start");
    x->stop = has_stop ? stop : (double)NAN;
    return true;
}

bool taut_instance_enter(taut_instance *x) {
    x->mode = TAUT_MODE_INITIALIZING;
    return true;
}

bool taut_instance_exit(taut_instance *x) {
    if (x->stale && !fail(x, start(x))) return false;
    x->mode = TAUT_MODE_STEPPING;
    return true;
}

bool taut_instance_reset(taut_instance *x) {
    taut_simulation_free(&x->simulation);
    x->mode = TAUT_MODE_INSTANTIATED;
    return fail(x, prepare(x));
}

bool taut_instance_terminate(taut_instance *x) {
    x->mode = TAUT_MODE_TERMINATED;
    return true;
}

/* ---- steps ---- */

/* Inputs that have been set since the last step begin to count. */
static taut_status apply_inputs(taut_instance *x) {
    for (int i = 0; i < x->list.count; i++) {
        if (x->list.item[i].role != TAUT_FMU_INPUT || x->value[i] == x->applied[i]) continue;
        TAUT_TRY(taut_simulation_set_input(x->simulation, x->list.item[i].name, x->value[i],
                                           &x->errors));
        x->applied[i] = x->value[i];
    }
    return TAUT_OK;
}

/* Steps until the end of the communication step, where the last one ends. */
static taut_status advance(taut_instance *x, double end, bool *ended) {
    taut_status status = TAUT_OK;
    TAUT_TRY(taut_simulation_set_end(x->simulation, end));
    while (status == TAUT_OK) status = taut_simulation_step(x->simulation, &x->errors);
    *ended = status == TAUT_AT_END && taut_simulation_reached(x->simulation) < end;
    return status == TAUT_AT_END ? TAUT_OK : status;
}

bool taut_instance_step(taut_instance *x, double t, double h, double *reached, bool *ended) {
    const double now = taut_simulation_reached(x->simulation), end = t + h;
    *ended = false;
    *reached = now;
    if (!(fabs(t - now) <= 1e-9 * fmax(fabs(now), h)))
        return taut_instance_refuse(x, "step", "it does not begin where the last one ended");
    if (!(h > 0.0) || !isfinite(end))
        return taut_instance_refuse(x, "step", "its length is not positive");
    if (end > x->stop * (1.0 + 1e-12) + 1e-12 * h)
        return taut_instance_refuse(x, "step", "it goes beyond the stop time");
    /* with the end far away, inputs can be set anywhere before it */
    taut_status status = taut_simulation_set_end(x->simulation, end);
    if (status == TAUT_OK) status = apply_inputs(x);
    if (status == TAUT_OK) status = advance(x, end, ended);
    *reached = taut_simulation_reached(x->simulation);
    x->ended = *ended;
    return fail(x, status);
}

bool taut_instance_has_ended(const taut_instance *x) { return x->ended; }

/* ---- states ---- */

static taut_instance_state *new_state(const taut_instance *x) {
    taut_instance_state *s = taut_new(sizeof *s);
    size_t room = 0;
    if (!s) return NULL;
    s->count = x->list.count;
    if (taut_grow((void **)&s->value, &room, 2 * (size_t)s->count, sizeof *s->value))
        taut_instance_free_state(&s);
    return s;
}

void taut_instance_free_state(taut_instance_state **state) {
    if (!*state) return;
    taut_state_free(&(*state)->motion);
    taut_release((void **)&(*state)->value);
    taut_release((void **)state);
}

bool taut_instance_get_state(taut_instance *x, taut_instance_state **state) {
    if (x->stale && !fail(x, start(x))) return false;
    taut_instance_state *s = new_state(x);
    taut_status status = s ? TAUT_OK : TAUT_ERR_MEMORY;
    if (status == TAUT_OK) {
        s->mode = x->mode;
        memcpy(s->value, x->value, (size_t)s->count * sizeof *s->value);
        memcpy(s->value + s->count, x->applied, (size_t)s->count * sizeof *s->value);
        status = taut_simulation_get_state(x->simulation, &s->motion, &x->errors);
    }
    if (!check(x, status)) {
        if (s) taut_instance_free_state(&s);
        return false;
    }
    taut_instance_free_state(state);
    *state = s;
    return true;
}

bool taut_instance_set_state(taut_instance *x, const taut_instance_state *s) {
    taut_status status = TAUT_OK;
    if (s->count != x->list.count)
        return taut_instance_refuse(x, "set state", "it is the state of another model");
    /* numbers first: equations that are formed for them forget the motion */
    bool other = x->mode == TAUT_MODE_FAILED;
    for (int i = 0; i < s->count; i++) other = other || s->value[s->count + i] != x->applied[i];
    memcpy(x->value, s->value + s->count, (size_t)s->count * sizeof *s->value);
    if (other) status = start(x);
    memcpy(x->value, s->value, (size_t)s->count * sizeof *s->value);
    x->stale = false;
    if (status == TAUT_OK)
        status =
            taut_simulation_set_end(x->simulation, fmax(x->simulation->tend, s->motion->t + 1.0));
    if (status == TAUT_OK) status = taut_simulation_set_state(x->simulation, s->motion, &x->errors);
    x->mode = s->mode;
    return fail(x, status);
}

/* ---- states as bytes ---- */

bool taut_instance_serialize(taut_instance *x, const taut_instance_state *s, char **text,
                             size_t *size) {
    taut_string out = {0};
    taut_string_add(&out, "taut-fmu-state %d %d\n", (int)s->mode, s->count);
    for (int i = 0; i < 2 * s->count; i++) {
        char line[40];
        taut_format(line, sizeof line, "%a\n", s->value[i]);
        taut_string_add(&out, "%s", line);
    }
    taut_string motion = {0}; /* with a checksum of its own */
    taut_status status = taut_state_text(s->motion, &motion);
    if (status == TAUT_OK) taut_string_add(&out, "%s", motion.text);
    taut_string_release(&motion);
    if (out.failed) status = TAUT_ERR_MEMORY;
    if (!check(x, status)) {
        taut_string_release(&out);
        return false;
    }
    *text = out.text;
    *size = out.length;
    return true;
}

void taut_instance_free_text(char **text) { taut_release((void **)text); }

static bool read_values(const char **p, const char *end, taut_instance_state *s) {
    static const char title[] = "taut-fmu-state ";
    char *rest;
    if ((size_t)(end - *p) < sizeof title || strncmp(*p, title, sizeof title - 1) != 0)
        return false;
    const double mode = taut_number_parse(*p + sizeof title - 1, &rest);
    const double count = taut_number_parse(rest, &rest);
    if (!(mode >= 0.0 && mode <= TAUT_MODE_TERMINATED) || count != s->count) return false;
    s->mode = (taut_mode)mode;
    for (int i = 0; i < 2 * s->count; i++) {
        const char *before = rest;
        s->value[i] = taut_number_parse(rest, &rest);
        if (rest == before || rest >= end || !isfinite(s->value[i])) return false;
    }
    *p = rest + (*rest == '\n');
    return true;
}

bool taut_instance_deserialize(taut_instance *x, const char *bytes, size_t size,
                               taut_instance_state **state) {
    taut_instance_state *s = new_state(x);
    taut_string copy = {0};
    taut_string_add(&copy, "%.*s", (int)size, bytes);
    const char *p = copy.text;
    bool good = s && !copy.failed && copy.length == size && read_values(&p, p + size, s);
    if (good)
        good =
            check(x, taut_state_parse(p, size - (size_t)(p - copy.text), &s->motion, &x->errors));
    else
        taut_instance_refuse(x, "deserialize", "these bytes are no state of this model");
    taut_string_release(&copy);
    if (good) {
        taut_instance_free_state(state);
        *state = s;
    } else if (s) {
        taut_instance_free_state(&s);
    }
    return good;
}
