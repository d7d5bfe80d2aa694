/* States: creation, copies, the way to and from series, memory of steppers. */
#include "solve/state.h"

#include <math.h>
#include <string.h>

#include "taut/state.h"

/* ---- memory ---- */

void taut_memory_clear(taut_memory *m) {
    m->count = 0;
    m->failed = false;
}

void taut_memory_put_all(taut_memory *m, const double *number, int count) {
    const size_t need = m->count + (size_t)count;
    if (count == 0 || m->failed) return;
    if (need > m->room && taut_grow((void **)&m->number, &m->room, need, sizeof *m->number)) {
        m->failed = true;
        return;
    }
    memcpy(m->number + m->count, number, (size_t)count * sizeof *number);
    m->count = need;
}

void taut_memory_put(taut_memory *m, double number) { taut_memory_put_all(m, &number, 1); }

double taut_recall_get(taut_recall *r) {
    if (r->next < r->memory->count) return r->memory->number[r->next++];
    r->failed = true;
    return 0.0;
}

int taut_recall_whole(taut_recall *r, int least, int most) {
    const double x = taut_recall_get(r);
    if (x >= least && x <= most && x == floor(x)) return (int)x;
    r->failed = true;
    return least;
}

void taut_recall_all(taut_recall *r, double *number, int count) {
    for (int i = 0; i < count; i++) number[i] = taut_recall_get(r);
}

bool taut_recall_is_done(const taut_recall *r) { return !r->failed && r->next == r->memory->count; }

/* ---- creation ---- */

taut_status taut_state_make(int n, int values, taut_state **state) {
    taut_state *s = NULL;
    size_t room = 0;
    *state = NULL;
    if (taut_grow((void **)&s, &room, 1, sizeof *s)) return TAUT_ERR_MEMORY;
    *s = (taut_state){.n = n, .formulation = ""};
    s->name = TAUT_NEW_ARRAY(&s->arena, n, const char *);
    s->first = TAUT_NEW_ARRAY(&s->arena, (size_t)n + 1, int);
    s->x = TAUT_NEW_ARRAY(&s->arena, values, double);
    if (s->name && s->first && s->x)
        *state = s;
    else
        taut_state_free(&s);
    return *state ? TAUT_OK : TAUT_ERR_MEMORY;
}

taut_status taut_state_create(const taut_system *system, const taut_structure *structure,
                              taut_state **state) {
    int values = 0;
    for (int j = 0; j < system->n; j++) values += structure->offsets.d[j] + 1;
    TAUT_TRY(taut_state_make(system->n, values, state));
    taut_state *s = *state;
    for (int j = 0; j < s->n; j++) {
        const char *name = system->unknown[j].name ? system->unknown[j].name : "";
        s->first[j + 1] = s->first[j] + structure->offsets.d[j] + 1;
        s->name[j] = taut_arena_copy(&s->arena, name, strlen(name));
        if (!s->name[j]) {
            taut_state_free(state);
            return TAUT_ERR_MEMORY;
        }
    }
    return TAUT_OK;
}

void taut_state_free(taut_state **state) {
    if (!state || !*state) return;
    taut_state *s = *state;
    taut_release((void **)&s->stepper.number);
    taut_release((void **)&s->run.number);
    taut_arena_release(&s->arena);
    taut_release((void **)state);
}

/* ---- copies ---- */

static bool copy_text(taut_state *to, const char *from, const char **text) {
    *text = taut_arena_copy(&to->arena, from, strlen(from));
    return *text != NULL;
}

static bool copy_numbers(taut_state *to, const taut_state_number *from, int count,
                         taut_state_number **number) {
    *number = TAUT_NEW_ARRAY(&to->arena, count, taut_state_number);
    if (!*number) return false;
    for (int i = 0; i < count; i++) {
        (*number)[i] = from[i];
        if (!copy_text(to, from[i].name, &(*number)[i].name)) return false;
    }
    return true;
}

static bool copy_into(const taut_state *from, taut_state *to) {
    to->t = from->t;
    to->discretes = from->discretes;
    to->modes = from->modes;
    memcpy(to->method, from->method, sizeof to->method);
    memcpy(to->first, from->first, ((size_t)from->n + 1) * sizeof *to->first);
    memcpy(to->x, from->x, (size_t)from->first[from->n] * sizeof *to->x);
    for (int j = 0; j < from->n; j++)
        if (!copy_text(to, from->name[j], &to->name[j])) return false;
    if (!copy_text(to, from->formulation, &to->formulation)) return false;
    if (!copy_numbers(to, from->discrete, from->discretes, &to->discrete)) return false;
    if (!copy_numbers(to, from->mode, from->modes, &to->mode)) return false;
    taut_memory_put_all(&to->stepper, from->stepper.number, (int)from->stepper.count);
    taut_memory_put_all(&to->run, from->run.number, (int)from->run.count);
    return !to->stepper.failed && !to->run.failed;
}

taut_status taut_state_copy(const taut_state *state, taut_state **copy) {
    TAUT_NEED(copy, "copy", NULL);
    *copy = NULL;
    TAUT_NEED(state, "state", NULL);
    TAUT_TRY(taut_state_make(state->n, state->first[state->n], copy));
    if (copy_into(state, *copy)) return TAUT_OK;
    taut_state_free(copy);
    return TAUT_ERR_MEMORY;
}

void taut_state_forget(taut_state *s) {
    s->method[0] = '\0';
    s->continued = false;
    taut_memory_clear(&s->stepper);
    taut_memory_clear(&s->run);
}

taut_recall taut_state_recall(const taut_state *s, const char *method) {
    static const taut_memory none = {0};
    return (taut_recall){.memory = strcmp(s->method, method) == 0 ? &s->stepper : &none};
}

/* ---- series ---- */

/* How many derivatives of variable j a point consists of. */
static int counted(const taut_structure *structure, int j) {
    const int d = structure->offsets.d[j];
    return structure->quasilinear ? taut_needed(structure, j) : d + 1;
}

void taut_state_read(taut_state *s, const taut_series *series) {
    taut_state_forget(s);
    s->t = series->jet->t;
    for (int j = 0; j < s->n; j++) {
        const int count = counted(series->structure, j);
        for (int k = 0; k <= taut_state_order(s, j); k++)
            *taut_state_at(s, j, k) = k < count ? taut_series_get(series, j, k) : 0.0;
    }
}

void taut_state_write(const taut_state *s, taut_series *series) {
    taut_series_start(series, s->t, 1.0);
    for (int j = 0; j < s->n; j++)
        for (int k = 0; k < counted(series->structure, j); k++)
            taut_series_set(series, j, k, *taut_state_at(s, j, k));
}

void taut_series_take(taut_series *series, const taut_series *from) {
    for (int j = 0; j < series->system->n; j++)
        for (int k = 0; k <= series->structure->offsets.d[j]; k++)
            taut_series_set(series, j, k, taut_series_get(from, j, k));
}

/* ---- other layouts ---- */

/* The variable of this name; -1: there is none. Names come in nearly the same order everywhere, so
 * the search begins where the last one ended. */
static int find(const taut_state *s, const char *name, int from) {
    for (int i = 0; i < s->n; i++) {
        const int j = (from + i) % s->n;
        if (strcmp(s->name[j], name) == 0) return j;
    }
    return -1;
}

int taut_state_take(taut_state *s, const taut_state *from) {
    int missing = -1;
    s->t = from->t;
    for (int j = 0, i = -1; j < s->n; j++) {
        const int other = find(from, s->name[j], i + 1), most = taut_state_order(s, j);
        const int known = other >= 0 ? taut_state_order(from, other) : -1;
        if (other >= 0) i = other;
        for (int k = 0; k <= most && k <= known; k++)
            *taut_state_at(s, j, k) = *taut_state_at(from, other, k);
        if (known < most - 1 && missing < 0) missing = j; /* x^(d) itself can be found */
    }
    return missing;
}

/* ---- questions ---- */

double taut_state_time(const taut_state *s) { return s ? s->t : (double)NAN; }

double taut_state_value(const taut_state *s, const char *name) {
    if (!s || !name) return (double)NAN;
    const size_t length = strcspn(name, "'"), order = strlen(name + length);
    for (int j = 0; j < s->n; j++)
        if (strlen(s->name[j]) == length && strncmp(s->name[j], name, length) == 0)
            return order <= (size_t)taut_state_order(s, j) ? *taut_state_at(s, j, (int)order)
                                                           : (double)NAN;
    for (int i = 0; i < s->discretes; i++)
        if (strcmp(s->discrete[i].name, name) == 0) return s->discrete[i].value;
    return (double)NAN;
}

unsigned long long taut_state_signature(const taut_state *s) {
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
    for (int j = 0; s && j < s->n; j++) {
        if (taut_state_order(s, j) == 0) continue; /* found anew at every point */
        for (const char *c = s->name[j]; *c; c++)
            hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
        hash = (hash ^ (uint64_t)(256 + taut_state_order(s, j))) * UINT64_C(1099511628211);
    }
    return hash;
}
