/* Creation, values and modes of an instance. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/number.h"
#include "core/philox.h"
#include "fmu/instance_parts.h"

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
bool taut_instance_check(taut_instance *x, taut_status status) {
    for (int i = 0; status != TAUT_OK && i < x->errors.count; i++)
        say(x, true, x->errors.item[i].message);
    if (status != TAUT_OK && x->errors.count == 0) say(x, true, taut_status_text(status));
    memset(&x->errors, 0, sizeof x->errors);
    return status == TAUT_OK;
}

bool taut_instance_fail(taut_instance *x, taut_status status) {
    if (taut_instance_check(x, status)) return true;
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
    decode(resources, folder, sizeof folder);
    snprintf(path, sizeof path, "%s/settings.txt", folder);
    if (!read_text(x, path, text, sizeof text)) return false;
    if (!taut_fmu_settings_read(text, &x->settings))
        return taut_instance_refuse(x, path, "it is no such file");
    snprintf(x->moving_path, sizeof x->moving_path, "%s/moving.yaml", folder);
    snprintf(path, sizeof path, "%s/model.yaml", folder);
    if (!check_token(x, path, token)) return false;
    x->options = taut_fmu_options(&x->settings);
    return taut_instance_check(x, taut_fmu_model_read(path, &x->source, &x->model, &x->errors));
}

taut_status taut_instance_begin(taut_instance *x) {
    x->stale = false;
    taut_instance_moved(x);
    return x->exchanges ? taut_exchange_start(x->exchange, &x->errors)
                        : taut_simulation_start(x->simulation, &x->errors);
}

taut_status taut_instance_start(taut_instance *x) {
    for (int i = 0; i < x->list.count; i++) {
        if (!taut_fmu_is_set(&x->list.item[i]) || x->value[i] == x->applied[i]) continue;
        x->applied[i] = x->value[i];
        TAUT_TRY(taut_instance_put(x, x->simulation, i));
    }
    return taut_instance_begin(x);
}

taut_status taut_instance_make(taut_instance *x) {
    if (x->exchanges) {
        TAUT_TRY(taut_exchange_create(x->model, &x->options, &x->exchange, &x->errors));
        x->simulation = x->exchange->simulation;
        return TAUT_OK;
    }
    TAUT_TRY(taut_simulation_create(x->model, &x->options, &x->simulation, &x->errors));
    return taut_simulation_start(x->simulation, &x->errors);
}

/* The parameter of the model in use that has the value of a variable. */
static int parameter_of(const taut_instance *x, int i) {
    const taut_fmu_variable *v = &x->list.item[i];
    taut_parameter_change change[TAUT_FMU_INPUT_ORDER + 2];
    if (!x->moves) return v->parameter;
    taut_instance_changes(x, i, change);
    for (int k = 0; k < x->model->parameters; k++)
        if (x->model->parameter_name[k] && strcmp(x->model->parameter_name[k], change[0].name) == 0)
            return k;
    return v->parameter;
}

/* What directional derivatives can be by: inputs and tunable parameters. */
static taut_status list_knowns(taut_instance *x) {
    x->by = TAUT_NEW_ARRAY(&x->arena, x->list.count, int);
    x->by_reference = TAUT_NEW_ARRAY(&x->arena, x->list.count, int);
    if (!x->by || !x->by_reference) return TAUT_ERR_MEMORY;
    for (int i = 0; i < x->list.count; i++) {
        const taut_fmu_variable *v = &x->list.item[i];
        if (v->role != TAUT_FMU_INPUT && v->role != TAUT_FMU_TUNABLE) continue;
        x->by_reference[x->bys] = i;
        x->by[x->bys++] = parameter_of(x, i);
    }
    return TAUT_OK;
}

static taut_status list_variables(taut_instance *x) {
    TAUT_TRY(taut_fmu_list_make(x->model, x->simulation, &x->settings, &x->list));
    const size_t n = (size_t)x->list.count;
    x->number = TAUT_NEW_ARRAY(&x->arena, TAUT_INSTANCE_NUMBERS * n, double);
    if (!x->number) return TAUT_ERR_MEMORY;
    x->value = x->number;
    x->applied = x->value + n;
    x->slope = x->applied + n;
    x->moving = x->slope + TAUT_FMU_INPUT_ORDER * n;
    if (x->interpolates && x->settings.moves) TAUT_TRY(taut_instance_become_moving(x));
    return list_knowns(x);
}

/* A first simulation with the file's values: names of columns, and a check that it starts. */
static taut_status prepare(taut_instance *x) {
    TAUT_TRY(taut_instance_make(x));
    if (!x->number) TAUT_TRY(list_variables(x));
    memset(x->number, 0, TAUT_INSTANCE_NUMBERS * (size_t)x->list.count * sizeof *x->number);
    for (int i = 0; i < x->list.count; i++) x->value[i] = x->applied[i] = x->list.item[i].start;
    x->stale = x->ended = false;
    x->stop = x->directed = x->watched_at = (double)NAN;
    return TAUT_OK;
}

void taut_instance_release(taut_instance *x) {
    taut_directions_free(&x->directions);
    taut_observer_free(&x->watcher);
    if (!x->exchanges) taut_simulation_free(&x->simulation);
    taut_exchange_free(&x->exchange);
    x->simulation = NULL;
}

taut_instance *taut_instance_create(taut_instance_kind kind, const char *resources,
                                    const char *token, taut_log_fn *log, void *user) {
    taut_instance *x = taut_new(sizeof *x);
    if (!x) return NULL;
    x->log = log;
    x->user = user;
    x->exchanges = kind == TAUT_INSTANCE_EXCHANGE;
    x->interpolates = kind == TAUT_INSTANCE_INTERPOLATING;
    if (!resources)
        taut_instance_refuse(x, "instantiation", "the folder of the resources is missing");
    else if (load(x, resources, token) && taut_instance_check(x, prepare(x)))
        return x;
    taut_instance_free(x);
    return NULL;
}

void taut_instance_free(taut_instance *x) {
    if (!x) return;
    taut_instance_release(x);
    if (x->model != x->source) taut_model_free(&x->model);
    taut_model_free(&x->source);
    taut_fmu_list_release(&x->list);
    taut_release((void **)&x->row);
    taut_arena_release(&x->arena);
    taut_release((void **)&x);
}

void taut_instance_wish(taut_instance *x, const taut_host_wishes *wishes) { x->host = *wishes; }

taut_mode taut_instance_mode(const taut_instance *x) { return x->mode; }
bool taut_instance_exchanges(const taut_instance *x) { return x->exchanges; }

/* ---- values ---- */

void taut_instance_moved(taut_instance *x) { x->directed = x->watched_at = (double)NAN; }

/* A column where the motion is now. */
static bool get_column(taut_instance *x, int column, double *value) {
    const double *row;
    if (!x->exchanges) {
        *value = taut_simulation_get(x->simulation, column, taut_simulation_reached(x->simulation));
        return true;
    }
    if (!taut_instance_check(x, taut_exchange_row(x->exchange, &row))) return false;
    *value = row[column];
    return true;
}

bool taut_instance_get(taut_instance *x, unsigned reference, double *value) {
    if (reference >= (unsigned)x->list.count)
        return taut_instance_refuse(x, "get", "there is no variable with this reference");
    const taut_fmu_variable *v = &x->list.item[reference];
    if (taut_fmu_is_set(v)) {
        *value = x->value[reference];
        return true;
    }
    if (x->stale && !taut_instance_fail(x, taut_instance_start(x))) return false;
    if (v->role == TAUT_FMU_TIME) {
        *value = x->exchanges ? x->exchange->t : taut_simulation_reached(x->simulation);
        return true;
    }
    if (v->role == TAUT_FMU_OUTPUT) return get_column(x, v->column, value);
    return taut_instance_get_state_variable(x, v, value);
}

/* An input or tunable parameter of model exchange counts at once. */
static bool assign(taut_instance *x, unsigned reference, double value) {
    const taut_fmu_variable *v = &x->list.item[reference];
    const taut_status status = taut_exchange_assign(x->exchange, &v->parameter, &value, 1);
    taut_instance_moved(x);
    if (status == TAUT_CONTRADICTED)
        return taut_instance_refuse(x, v->name, "the equations would be others with this value");
    x->applied[reference] = value;
    return taut_instance_check(x, status);
}

bool taut_instance_set(taut_instance *x, unsigned reference, double value) {
    if (reference >= (unsigned)x->list.count)
        return taut_instance_refuse(x, "set", "there is no variable with this reference");
    const taut_fmu_variable *v = &x->list.item[reference];
    if (!taut_fmu_is_set(v))
        return taut_instance_refuse(x, v->name, "it is computed and cannot be set");
    const bool early = x->mode == TAUT_MODE_INSTANTIATED || x->mode == TAUT_MODE_INITIALIZING;
    if (v->role == TAUT_FMU_PARAMETER && !early)
        return taut_instance_refuse(x, v->name, "it is fixed and cannot be set after the start");
    if (v->role == TAUT_FMU_TUNABLE && x->mode == TAUT_MODE_CONTINUOUS)
        return taut_instance_refuse(x, v->name, "parameters are tuned in event mode");
    if (!isfinite(value)) return taut_instance_refuse(x, v->name, "the value is not finite");
    if (x->exchanges && !early && value != x->applied[reference] && !assign(x, reference, value))
        return false;
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
    if (x->stale && !taut_instance_fail(x, taut_instance_start(x))) return false;
    x->mode = x->exchanges || x->host.event_mode ? TAUT_MODE_EVENT : TAUT_MODE_STEPPING;
    return true;
}

bool taut_instance_reset(taut_instance *x) {
    taut_instance_release(x);
    x->mode = TAUT_MODE_INSTANTIATED;
    return taut_instance_fail(x, prepare(x));
}

bool taut_instance_terminate(taut_instance *x) {
    x->mode = TAUT_MODE_TERMINATED;
    return true;
}
