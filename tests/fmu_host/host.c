/* Archives, binaries, calls. */
#include "fmu_host/host.h"

#include <dlfcn.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "export/fmu.h"
#include "fmu_host/calls.h"

static bool wrong(host_fmu *f, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(f->fault, sizeof f->fault, format, args);
    va_end(args);
    return false;
}

/* ---- archives ---- */

static uint32_t number(const unsigned char *p, int bytes) {
    uint32_t x = 0;
    for (int i = bytes - 1; i >= 0; i--) x = (x << 8) | p[i];
    return x;
}

/* CRC-32 by a table of its own. */
static uint32_t sum_of(const unsigned char *p, size_t n) {
    static uint32_t table[256];
    uint32_t sum = 0xffffffffU;
    for (uint32_t i = 0; i < 256 && !table[255]; i++) {
        table[i] = i;
        for (int k = 0; k < 8; k++)
            table[i] = table[i] & 1 ? table[i] / 2 ^ 0xedb88320U : table[i] / 2;
    }
    while (n-- > 0) sum = table[(sum ^ *p++) & 255U] ^ (sum >> 8);
    return sum ^ 0xffffffffU;
}

static bool write_file(host_fmu *f, const char *name, const unsigned char *data, size_t size) {
    char path[700];
    snprintf(path, sizeof path, "%s/%s", f->folder, name);
    for (char *p = path + strlen(f->folder) + 1; *p; p++)
        if (*p == '/') {
            *p = '\0';
            mkdir(path, 0777);
            *p = '/';
        }
    FILE *file = fopen(path, "wb");
    const bool good = file && fwrite(data, 1, size, file) == size;
    if (file) fclose(file);
    return good || wrong(f, "%s cannot be written", path);
}

static bool unpack_file(host_fmu *f, const unsigned char *zip, size_t size,
                        const unsigned char *line) {
    char name[300];
    const uint32_t n = number(line + 28, 2), length = number(line + 24, 4),
                   at = number(line + 42, 4);
    if (n >= sizeof name) return wrong(f, "a name is too long");
    memcpy(name, line + 46, n);
    name[n] = '\0';
    if (name[0] == '/' || strstr(name, "..") || strchr(name, '\\'))
        return wrong(f, "the name %s leads outside", name);
    if (number(line + 10, 2) != 0 || number(line + 20, 4) != length)
        return wrong(f, "%s is compressed", name);
    if (at + 30ULL + n + length > size || number(zip + at, 4) != 0x04034b50U ||
        number(zip + at + 14, 4) != number(line + 16, 4) || memcmp(zip + at + 30, name, n) != 0)
        return wrong(f, "%s: directory and file differ", name);
    const unsigned char *data = zip + at + 30 + n + number(zip + at + 28, 2);
    if (sum_of(data, length) != number(line + 16, 4))
        return wrong(f, "%s: the checksum is wrong", name);
    return write_file(f, name, data, length);
}

static bool unpack(host_fmu *f, const unsigned char *zip, size_t size) {
    const unsigned char *end = size < 22 ? NULL : zip + size - 22;
    if (!end || number(end, 4) != 0x06054b50U) return wrong(f, "it is no archive");
    size_t at = number(end + 16, 4);
    for (uint32_t i = 0; i < number(end + 10, 2); i++) {
        if (at + 46 > size || number(zip + at, 4) != 0x02014b50U)
            return wrong(f, "the directory is damaged");
        if (!unpack_file(f, zip, size, zip + at)) return false;
        at += 46 + number(zip + at + 28, 2) + number(zip + at + 30, 2) + number(zip + at + 32, 2);
    }
    return true;
}

static char *read_whole(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    const long n = ftell(file);
    char *data = malloc((size_t)n + 1);
    rewind(file);
    *size = fread(data, 1, (size_t)n, file);
    data[*size] = '\0';
    fclose(file);
    return data;
}

/* Source code becomes a binary, strictly; nothing happens if there is none. */
static bool compile(const host_fmu *f, const char *binary) {
    char source[700], command[2500];
    snprintf(source, sizeof source, "%s/sources/fmu.c", f->folder);
    FILE *file = fopen(source, "r");
    if (!file) return true;
    fclose(file);
    snprintf(command, sizeof command,
             "mkdir -p $(dirname %s) && cc -std=c99 -pedantic -Wall -Wextra -Wconversion -Werror "
             "-O1 -shared -fPIC -o %s %s/sources/*.c -lm",
             binary, binary, f->folder);
    return system(command) == 0;
}

bool host_open(host_fmu *f, const char *path, const char *folder) {
    char file[700];
    size_t size = 0;
    f->library = NULL;
    f->fault[0] = '\0';
    snprintf(f->folder, sizeof f->folder, "%s", folder);
    mkdir(folder, 0777);
    char *zip = read_whole(path, &size);
    const bool good = zip ? unpack(f, (unsigned char *)zip, size) : wrong(f, "%s is missing", path);
    free(zip);
    if (!good) return false;
    snprintf(file, sizeof file, "%s/modelDescription.xml", folder);
    char *xml = read_whole(file, &size);
    if (!xml) return wrong(f, "modelDescription.xml is missing");
    const bool described = host_describe(&f->description, xml);
    free(xml);
    if (!described) return wrong(f, "%s", f->description.fault);
    snprintf(file, sizeof file, "%s/binaries/%s/%s.so", folder,
             taut_fmu_platform(f->description.version), f->description.identifier);
    if (!compile(f, file)) return wrong(f, "its sources cannot be compiled");
    f->library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    return f->library || wrong(f, "%s", dlerror());
}

void host_close(host_fmu *f) {
    host_description_release(&f->description);
    if (f->library) dlclose(f->library);
    f->library = NULL;
}

/* ---- calls ---- */

void *host_function(const host_fmu *f, const char *name) {
    char full[100];
    snprintf(full, sizeof full, "fmi%d%s", f->description.version, name);
    void *p = dlsym(f->library, full);
    if (!p) fprintf(stderr, "%s is missing\n", full);
    return p;
}

static void log_two(void *environment, const char *name, int status, const char *category,
                    const char *format, ...) {
    host_instance *x = environment;
    va_list args;
    (void)name, (void)status, (void)category;
    va_start(args, format);
    vsnprintf(x->log, sizeof x->log, format, args);
    va_end(args);
}

static void log_three(void *environment, int status, const char *category, const char *message) {
    host_instance *x = environment;
    (void)status, (void)category;
    snprintf(x->log, sizeof x->log, "%s", message);
}

typedef void log2_fn(void *, const char *, int, const char *, const char *, ...);
typedef struct callbacks2 {
    log2_fn *log;
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void (*finished)(void *, int);
    void *environment;
} callbacks2;

/* The host's wishes for steps of version 3. */
static void look_inside(void *environment, double t, bool set, bool get, bool finished, bool can,
                        bool *early, double *time) {
    host_instance *x = environment;
    (void)set, (void)get, (void)finished;
    x->updates++;
    *early = can && x->stop_at > 0.0 && t >= x->stop_at;
    *time = t;
    if (x->watched) host_get(x, x->watched, &x->seen);
}

bool host_instantiate(host_instance *x, const host_fmu *f, const char *token) {
    memset(x, 0, sizeof *x);
    return host_instantiate_as(x, f, token, false);
}

bool host_instantiate_as(host_instance *x, const host_fmu *f, const char *token, bool exchange) {
    char folder[800], address[820];
    x->fmu = f;
    x->log[0] = '\0';
    char *absolute = realpath(f->folder, NULL);
    if (!token) token = f->description.token;
    if (IS_THREE(x)) {
        typedef void log3(void *, int, const char *, const char *);
        typedef void update3(void *, double, bool, bool, bool, bool, bool *, double *);
        typedef void *create3(const char *, const char *, const char *, bool, bool, bool, bool,
                              const unsigned *, size_t, void *, log3 *, update3 *);
        typedef void *exchange3(const char *, const char *, const char *, bool, bool, void *,
                                log3 *);
        snprintf(folder, sizeof folder, "%s/resources/", absolute);
        x->component = exchange ? CALL(f, "InstantiateModelExchange",
                                       exchange3)("test", token, folder, false, false, x, log_three)
                                : CALL(f, "InstantiateCoSimulation",
                                       create3)("test", token, folder, false, false, x->event_mode,
                                                x->early_return, NULL, 0, x, log_three,
                                                x->looks ? look_inside : NULL);
    } else {
        typedef void *create2(const char *, int, const char *, const char *, const callbacks2 *,
                              int, int);
        _Static_assert(sizeof(callbacks2) <= sizeof x->callbacks, "room for the callbacks");
        callbacks2 *c = (callbacks2 *)x->callbacks;
        *c = (callbacks2){log_two, calloc, free, NULL, x};
        snprintf(address, sizeof address, "file://%s/resources", absolute);
        x->component =
            CALL(f, "Instantiate", create2)("test", exchange ? 0 : 1, token, address, c, 0, 0);
    }
    free(absolute);
    return x->component;
}

void host_free(host_instance *x) {
    if (x->component) CALL(x->fmu, "FreeInstance", void(void *))(x->component);
    x->component = NULL;
}

int host_enter(host_instance *x, double start, bool has_stop, double stop) {
    if (IS_THREE(x))
        return CALL(x->fmu, "EnterInitializationMode",
                    int(void *, bool, double, double, bool, double))(x->component, false, 0.0,
                                                                     start, has_stop, stop);
    const int status =
        CALL(x->fmu, "SetupExperiment", int(void *, int, double, double, int, double))(
            x->component, 0, 0.0, start, has_stop, stop);
    if (status != 0) return status;
    return CALL(x->fmu, "EnterInitializationMode", int(void *))(x->component);
}

int host_exit(host_instance *x) {
    return CALL(x->fmu, "ExitInitializationMode", int(void *))(x->component);
}
int host_terminate(host_instance *x) {
    return CALL(x->fmu, "Terminate", int(void *))(x->component);
}
int host_reset(host_instance *x) { return CALL(x->fmu, "Reset", int(void *))(x->component); }

int host_get(host_instance *x, const char *name, double *value) {
    const unsigned r = (unsigned)host_find(&x->fmu->description, name);
    if (IS_THREE(x))
        return CALL(x->fmu, "GetFloat64", int(void *, const unsigned *, size_t, double *, size_t))(
            x->component, &r, 1, value, 1);
    return CALL(x->fmu, "GetReal", int(void *, const unsigned *, size_t, double *))(x->component,
                                                                                    &r, 1, value);
}

int host_set(host_instance *x, const char *name, double value) {
    const unsigned r = (unsigned)host_find(&x->fmu->description, name);
    if (IS_THREE(x))
        return CALL(x->fmu, "SetFloat64",
                    int(void *, const unsigned *, size_t, const double *, size_t))(x->component, &r,
                                                                                   1, &value, 1);
    return CALL(x->fmu, "SetReal",
                int(void *, const unsigned *, size_t, const double *))(x->component, &r, 1, &value);
}

int host_step(host_instance *x, double t, double h, bool *terminate) {
    *terminate = false;
    if (IS_THREE(x))
        return CALL(x->fmu, "DoStep",
                    int(void *, double, double, bool, bool *, bool *, bool *, double *))(
            x->component, t, h, false, &x->event, terminate, &x->early, &x->reached);
    const int status =
        CALL(x->fmu, "DoStep", int(void *, double, double, int))(x->component, t, h, 0);
    *terminate = status == 2;
    return status == 2 ? 0 : status;
}

int host_derive(host_instance *x, const char *unknown, const char *known, double *value) {
    const unsigned of = (unsigned)host_find(&x->fmu->description, unknown),
                   by = (unsigned)host_find(&x->fmu->description, known);
    const double seed = 1.0;
    if (IS_THREE(x))
        return CALL(x->fmu, "GetDirectionalDerivative",
                    int(void *, const unsigned *, size_t, const unsigned *, size_t, const double *,
                        size_t, double *, size_t))(x->component, &of, 1, &by, 1, &seed, 1, value,
                                                   1);
    return CALL(x->fmu, "GetDirectionalDerivative",
                int(void *, const unsigned *, size_t, const unsigned *, size_t, const double *,
                    double *))(x->component, &of, 1, &by, 1, &seed, value);
}

int host_set_rate(host_instance *x, const char *name, int order, double value) {
    const unsigned r = (unsigned)host_find(&x->fmu->description, name);
    return CALL(x->fmu, "SetRealInputDerivatives",
                int(void *, const unsigned *, size_t, const int *, const double *))(
        x->component, &r, 1, &order, &value);
}

int host_get_rate(host_instance *x, const char *name, int order, double *value) {
    const unsigned r = (unsigned)host_find(&x->fmu->description, name);
    if (IS_THREE(x))
        return CALL(x->fmu, "GetOutputDerivatives",
                    int(void *, const unsigned *, size_t, const int *, double *, size_t))(
            x->component, &r, 1, &order, value, 1);
    return CALL(x->fmu, "GetRealOutputDerivatives",
                int(void *, const unsigned *, size_t, const int *, double *))(x->component, &r, 1,
                                                                              &order, value);
}

static const char *state_call(const host_instance *x, const char *two, const char *three) {
    return IS_THREE(x) ? three : two;
}

int host_get_state(host_instance *x, void **state) {
    return CALL(x->fmu, state_call(x, "GetFMUstate", "GetFMUState"),
                int(void *, void **))(x->component, state);
}
int host_set_state(host_instance *x, void *state) {
    return CALL(x->fmu, state_call(x, "SetFMUstate", "SetFMUState"),
                int(void *, void *))(x->component, state);
}
int host_free_state(host_instance *x, void **state) {
    return CALL(x->fmu, state_call(x, "FreeFMUstate", "FreeFMUState"),
                int(void *, void **))(x->component, state);
}
int host_serialize(host_instance *x, void *state, char *bytes, size_t *size) {
    if (!bytes)
        return CALL(x->fmu, state_call(x, "SerializedFMUstateSize", "SerializedFMUStateSize"),
                    int(void *, void *, size_t *))(x->component, state, size);
    return CALL(x->fmu, state_call(x, "SerializeFMUstate", "SerializeFMUState"),
                int(void *, void *, char *, size_t))(x->component, state, bytes, *size);
}
int host_deserialize(host_instance *x, const char *bytes, size_t size, void **state) {
    return CALL(x->fmu, state_call(x, "DeSerializeFMUstate", "DeserializeFMUState"),
                int(void *, const char *, size_t, void **))(x->component, bytes, size, state);
}
