/* States of an instance as values, and as bytes. */
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "fmu/instance_parts.h"
#include "out/state_file.h"

struct taut_instance_state {
    taut_mode mode;
    taut_state *motion; /* NULL: not started */
    double *number;     /* [TAUT_INSTANCE_NUMBERS * count] values as set, those that count, ... */
    int count;
};

static taut_instance_state *new_state(const taut_instance *x) {
    taut_instance_state *s = taut_new(sizeof *s);
    size_t room = 0;
    if (!s) return NULL;
    s->count = x->list.count;
    if (taut_grow((void **)&s->number, &room, TAUT_INSTANCE_NUMBERS * (size_t)s->count,
                  sizeof *s->number))
        taut_instance_free_state(&s);
    return s;
}

static size_t size_of(const taut_instance_state *s) {
    return TAUT_INSTANCE_NUMBERS * (size_t)s->count * sizeof *s->number;
}

void taut_instance_free_state(taut_instance_state **state) {
    if (!*state) return;
    taut_state_free(&(*state)->motion);
    taut_release((void **)&(*state)->number);
    taut_release((void **)state);
}

bool taut_instance_get_state(taut_instance *x, taut_instance_state **state) {
    if (x->stale && !taut_instance_fail(x, taut_instance_start(x))) return false;
    taut_instance_state *s = new_state(x);
    taut_status status = s ? TAUT_OK : TAUT_ERR_MEMORY;
    if (status == TAUT_OK) {
        s->mode = x->mode;
        memcpy(s->number, x->number, size_of(s));
        status = x->exchanges ? taut_exchange_get(x->exchange, &s->motion, &x->errors)
                              : taut_simulation_get_state(x->simulation, &s->motion, &x->errors);
    }
    if (!taut_instance_check(x, status)) {
        if (s) taut_instance_free_state(&s);
        return false;
    }
    taut_instance_free_state(state);
    *state = s;
    return true;
}

/* What counts for variable i becomes that of the state; false: it was that already. */
static bool take_applied(taut_instance *x, const taut_instance_state *s, int i) {
    const size_t part = TAUT_FMU_INPUT_ORDER + 1;
    const double *applied = s->number + (x->applied - x->number) + i;
    const double *moving = s->number + (x->moving - x->number) + (size_t)i * part;
    double *own = x->moving + (size_t)i * part;
    bool same = x->applied[i] == *applied;
    for (size_t k = 0; k < part; k++) same = same && own[k] == moving[k];
    if (same) return false;
    x->applied[i] = *applied;
    memcpy(own, moving, part * sizeof *own);
    return taut_fmu_is_set(&x->list.item[i]);
}

bool taut_instance_set_state(taut_instance *x, const taut_instance_state *s) {
    taut_status status = TAUT_OK;
    if (s->count != x->list.count)
        return taut_instance_refuse(x, "set state", "it is the state of another model");
    /* numbers first: equations that are formed for them forget the motion */
    bool other = x->mode == TAUT_MODE_FAILED;
    for (int i = 0; i < s->count && status == TAUT_OK; i++) {
        const bool differs = take_applied(x, s, i);
        if (differs) status = taut_instance_put(x, x->simulation, i);
        other = other || differs;
    }
    if (other && status == TAUT_OK) status = taut_instance_begin(x);
    memcpy(x->number, s->number, size_of(s));
    x->stale = false;
    if (status == TAUT_OK && x->exchanges)
        status = taut_exchange_set(x->exchange, s->motion, &x->errors);
    if (status == TAUT_OK && !x->exchanges) {
        status =
            taut_simulation_set_end(x->simulation, fmax(x->simulation->tend, s->motion->t + 1.0));
        if (status == TAUT_OK)
            status = taut_simulation_set_state(x->simulation, s->motion, &x->errors);
    }
    taut_instance_moved(x);
    x->mode = s->mode;
    return taut_instance_fail(x, status);
}

/* ---- states as bytes ---- */

bool taut_instance_serialize(taut_instance *x, const taut_instance_state *s, char **text,
                             size_t *size) {
    taut_string out = {0};
    taut_string_add(&out, "taut-fmu-state %d %d\n", (int)s->mode, s->count);
    for (int i = 0; i < TAUT_INSTANCE_NUMBERS * s->count; i++) {
        char line[40];
        taut_format(line, sizeof line, "%a\n", s->number[i]);
        taut_string_add(&out, "%s", line);
    }
    taut_string motion = {0}; /* with a checksum of its own */
    taut_status status = taut_state_text(s->motion, &motion);
    if (status == TAUT_OK) taut_string_add(&out, "%s", motion.text);
    taut_string_release(&motion);
    if (out.failed) status = TAUT_ERR_MEMORY;
    if (!taut_instance_check(x, status)) {
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
    for (int i = 0; i < TAUT_INSTANCE_NUMBERS * s->count; i++) {
        const char *before = rest;
        s->number[i] = taut_number_parse(rest, &rest);
        if (rest == before || rest >= end || !isfinite(s->number[i])) return false;
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
        good = taut_instance_check(
            x, taut_state_parse(p, size - (size_t)(p - copy.text), &s->motion, &x->errors));
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
