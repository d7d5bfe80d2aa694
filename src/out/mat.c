/* The table as a MATLAB file, by matio (its only user): a column vector for every column, `names`
 * with the original names, `stats` with the statistics. The file is read again before it counts as
 * written, because matio does not tell of a full disk. */
#include <matio.h>
#include <math.h>
#include <string.h>

#include "core/arena.h"
#include "core/library.h"
#include "core/text.h"
#include "out/table.h"
#include "task/selection.h"
#include "core/utf8.h"

/* ---- the library ---- */

#define FUNCTIONS(X)                                                                               \
    X(Mat_Close)                                                                                   \
    X(Mat_CreateVer)                                                                               \
    X(Mat_Open)                                                                                    \
    X(Mat_VarAddStructField)                                                                       \
    X(Mat_VarCreate)                                                                               \
    X(Mat_VarCreateStruct)                                                                         \
    X(Mat_VarFree)                                                                                 \
    X(Mat_VarReadNext)                                                                             \
    X(Mat_VarSetStructFieldByName)                                                                 \
    X(Mat_VarWrite)
#define WANTED(f) {.name = #f, .pointer = &matio.f},

static struct { FUNCTIONS(TAUT_LIBRARY_MEMBER) } matio;

taut_status taut_mat_load(taut_errors *errors) {
    static const taut_wanted wanted[] = {FUNCTIONS(WANTED)};
    static taut_library library = {TAUT_MATIO_FILE, wanted, TAUT_LIBRARY_COUNT(wanted),
                                   "libmatio11", false};
    return taut_library_load(&library, errors);
}

/* ---- names ---- */

static const char *const RESERVED[] = {
    "names",  "stats",  "break",      "case", "catch",  "classdef", "continue", "do",
    "else",   "elseif", "end",        "for",  "global", "if",       "function", "otherwise",
    "parfor", "return", "persistent", "spmd", "switch", "try",      "until",    "while"};
enum { RESERVED_NAMES = sizeof RESERVED / sizeof RESERVED[0] };

/* The names that are taken, as a hash table with open addressing. */
typedef struct taken {
    const char **slot; /* [slots] */
    size_t slots;      /* a power of 2, at least twice the number of names */
} taken;

static size_t find_slot(const taken *set, const char *name) {
    size_t hash = 5381;
    for (const char *p = name; *p; p++) hash = hash * 33u + (unsigned char)*p;
    size_t k = hash & (set->slots - 1);
    while (set->slot[k] && strcmp(set->slot[k], name) != 0) k = (k + 1) & (set->slots - 1);
    return k;
}

/* A run of primes becomes _d, _dd, ...; other characters that MATLAB does not know become _. */
static void spell(const char *column, char *name) {
    const size_t room = TAUT_MAT_NAME - 1;
    size_t n = 0;
    if (!taut_is_letter(column[0]))
        for (const char *p = "x_"; *p; p++) name[n++] = *p;
    for (const char *p = column; *p && n < room; p++) {
        const bool prime = *p == '\'';
        if (prime && (p == column || p[-1] != '\'')) name[n++] = '_';
        if (prime && n < room) name[n++] = 'd';
        if (!prime) name[n++] = taut_is_letter(*p) || taut_is_digit(*p) ? *p : '_';
    }
    name[n] = '\0';
}

/* Makes the name different from all that are taken: x, x_2, x_3, ... */
static size_t make_unique(const taken *set, char *name) {
    const size_t length = strlen(name);
    size_t slot = find_slot(set, name);
    for (int number = 2; set->slot[slot]; number++) {
        char tail[16];
        const size_t n = (size_t)snprintf(tail, sizeof tail, "_%d", number);
        const size_t at = length + n < TAUT_MAT_NAME ? length : TAUT_MAT_NAME - 1 - n;
        memcpy(name + at, tail, n + 1);
        slot = find_slot(set, name);
    }
    return slot;
}

taut_status taut_mat_names(const taut_result *r, char (*name)[TAUT_MAT_NAME]) {
    const int columns = taut_result_columns(r);
    taut_arena arena = {0};
    taken set = {NULL, 64};
    while (set.slots < 2 * ((size_t)columns + RESERVED_NAMES)) set.slots *= 2;
    set.slot = TAUT_NEW_ARRAY(&arena, set.slots, const char *);
    if (!set.slot) return TAUT_ERR_MEMORY;
    for (int i = 0; i < RESERVED_NAMES; i++) set.slot[find_slot(&set, RESERVED[i])] = RESERVED[i];
    for (int c = 0; c < columns; c++) {
        spell(taut_result_name(r, c), name[c]);
        set.slot[make_unique(&set, name[c])] = name[c];
    }
    taut_arena_release(&arena);
    return TAUT_OK;
}

/* ---- variables ---- */

static matvar_t *new_numbers(const char *name, const double *value, size_t count) {
    size_t size[2] = {count, 1};
    return matio.Mat_VarCreate(name, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, size, (void *)value, 0);
}

/* matio wants the length in characters, and trusts it: what is not UTF-8 is written as bytes. */
static matvar_t *new_text(const char *name, const char *text) {
    bool good = true;
    for (const char *p = text; *p;) good = taut_utf8_next(&p) != TAUT_UTF8_NONE && good;
    size_t size[2] = {1, good ? (size_t)taut_utf8_count(text) : strlen(text)};
    return matio.Mat_VarCreate(name, MAT_C_CHAR, good ? MAT_T_UTF8 : MAT_T_UINT8, 2, size,
                               (void *)text, 0);
}

/* Adds a member to a struct, which then owns it; -1 without memory. */
static int add_member(matvar_t *structure, const char *key, matvar_t *value) {
    if (!structure || !value || matio.Mat_VarAddStructField(structure, key) != 0) {
        matio.Mat_VarFree(value);
        return -1;
    }
    matio.Mat_VarSetStructFieldByName(structure, key, 0, value);
    return 0;
}

static matvar_t *new_struct(const char *name) {
    size_t size[2] = {1, 1};
    return matio.Mat_VarCreateStruct(name, 2, size, NULL, 0);
}

static matvar_t *new_stats(const taut_run_stats *s) {
    const struct {
        const char *key;
        double value;
    } number[] = {{"steps", (double)s->steps},
                  {"rejected", (double)s->rejected},
                  {"order", s->order},
                  {"wall_s", s->wall_s},
                  {"setup_s", s->setup_s},
                  {"constraint_residual", s->constraint_residual},
                  {"energy_drift", s->energy_drift},
                  {"index", s->index},
                  {"dof", (double)s->dof},
                  {"mobility", s->mobility >= 0 ? s->mobility : (double)NAN},
                  {"unknowns", s->unknowns}};
    int bad = 0;
    matvar_t *stats = new_struct("stats");
    for (size_t i = 0; i < sizeof number / sizeof number[0]; i++)
        bad |= add_member(stats, number[i].key, new_numbers(NULL, &number[i].value, 1));
    bad |= add_member(stats, "solver", new_text(NULL, s->solver ? s->solver : ""));
    bad |= add_member(stats, "formulation", new_text(NULL, s->formulation ? s->formulation : ""));
    if (!bad) return stats;
    matio.Mat_VarFree(stats);
    return NULL;
}

static matvar_t *new_names(const taut_result *r, char (*name)[TAUT_MAT_NAME]) {
    int bad = 0;
    matvar_t *names = new_struct("names");
    for (int k = 0; k < taut_selection_count(r); k++) {
        const int c = taut_selection_column(r, k);
        bad |= add_member(names, name[c], new_text(NULL, taut_result_name(r, c)));
    }
    if (!bad) return names;
    matio.Mat_VarFree(names);
    return NULL;
}

/* ---- the file ---- */

static void copy_column(const taut_result *r, int c, double *column) {
    for (long i = 0; i < taut_result_rows(r); i++) column[i] = taut_result_value(r, i, c);
}

/* Writes a variable and frees it. */
static taut_status put(mat_t *file, matvar_t *variable) {
    if (!variable) return TAUT_ERR_MEMORY;
    const int bad = matio.Mat_VarWrite(file, variable, MAT_COMPRESSION_NONE);
    matio.Mat_VarFree(variable);
    return bad ? TAUT_ERR_IO : TAUT_OK;
}

/* A table that is not of one run (out/study_table) has none. */
static bool has_stats(const taut_result *r) { return taut_result_stats(r)->solver != NULL; }

static taut_status write_all(mat_t *file, const taut_result *r, char (*name)[TAUT_MAT_NAME],
                             double *column) {
    const size_t rows = (size_t)taut_result_rows(r);
    taut_status status = TAUT_OK;
    for (int k = 0; k < taut_selection_count(r) && status == TAUT_OK; k++) {
        const int c = taut_selection_column(r, k);
        copy_column(r, c, column);
        status = put(file, new_numbers(name[c], column, rows));
    }
    if (status == TAUT_OK) status = put(file, new_names(r, name));
    if (status == TAUT_OK && has_stats(r)) status = put(file, new_stats(taut_result_stats(r)));
    return status;
}

/* True if the file has every number of the table and ends with the statistics. */
static bool is_whole(const char *path, const taut_result *r, double *column) {
    const size_t bytes = (size_t)taut_result_rows(r) * sizeof *column;
    mat_t *file = matio.Mat_Open(path, MAT_ACC_RDONLY);
    bool same = file != NULL;
    for (int k = 0; k < taut_selection_count(r) && same; k++) {
        matvar_t *v = matio.Mat_VarReadNext(file);
        copy_column(r, taut_selection_column(r, k), column);
        same = v && v->nbytes == bytes && (bytes == 0 || memcmp(v->data, column, bytes) == 0);
        matio.Mat_VarFree(v);
    }
    for (int k = has_stats(r) ? 0 : 1; k < 2 && same; k++) {
        matvar_t *v = matio.Mat_VarReadNext(file);
        same = v && v->class_type == MAT_C_STRUCT;
        matio.Mat_VarFree(v);
    }
    if (file) matio.Mat_Close(file);
    return same;
}

/* matio does not check its allocations: is there as much memory as it will want, and more? */
static bool has_memory(size_t numbers, size_t names) {
    taut_arena arena = {0};
    const bool enough =
        taut_arena_alloc(&arena, (1 << 20) + 4 * numbers * sizeof(double) + 4096 * names) != NULL;
    taut_arena_release(&arena);
    return enough;
}

taut_status taut_table_mat(const char *path, const taut_result *r) {
    char header[100];
    taut_arena arena = {0};
    taut_status status = TAUT_ERR_MEMORY;
    char(*name)[TAUT_MAT_NAME] =
        taut_arena_array(&arena, (size_t)taut_result_columns(r), sizeof *name);
    double *column = TAUT_NEW_ARRAY(&arena, taut_result_rows(r), double);
    const size_t rows = (size_t)taut_result_rows(r), columns = (size_t)taut_result_columns(r);
    if (name && column && has_memory(rows, columns)) status = taut_mat_names(r, name);
    if (status == TAUT_OK) {
        /* matio's own header has the time of day in it: the same file shall give the same bytes */
        snprintf(header, sizeof header, "MATLAB 5.0 MAT-file, written by taut %s", taut_version());
        mat_t *file = matio.Mat_CreateVer(path, header, MAT_FT_MAT5);
        status = file ? write_all(file, r, name, column) : TAUT_ERR_IO;
        if (file && matio.Mat_Close(file) != 0 && status == TAUT_OK) status = TAUT_ERR_IO;
    }
    if (status == TAUT_OK && !is_whole(path, r, column)) status = TAUT_ERR_IO;
    taut_arena_release(&arena);
    return status;
}

/* ---- linearisations ---- */

/* A matrix that is given by rows, or NULL. */
static matvar_t *new_matrix(const char *name, const double *value, int rows, int columns,
                            double *work) {
    size_t size[2] = {(size_t)rows, (size_t)columns};
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) work[j * rows + i] = value[i * columns + j];
    return matio.Mat_VarCreate(name, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, size, work, 0);
}

/* Names with commas between them, as strsplit takes them. */
static taut_status put_list(mat_t *file, const char *key, const char *const *name, int count) {
    taut_string list = {0};
    for (int i = 0; i < count; i++) taut_string_add(&list, "%s%s", i ? "," : "", name[i]);
    matvar_t *text = list.failed ? NULL : new_text(key, list.text ? list.text : "");
    const taut_status status = put(file, text);
    taut_string_release(&list);
    return status;
}

/* Another form: descriptor_E, descriptor_A, ..., and the names of its states. */
static taut_status put_form(mat_t *file, const char *what, const taut_linear_point *p,
                            const taut_linear_form *f, double *work) {
    char name[40];
    if (!f) return TAUT_OK;
    const int n = f->states, m = p->inputs, o = p->outputs;
    const struct {
        char name;
        const double *value;
        int rows, columns;
    } all[] = {{'E', f->E, n, n},
               {'A', f->A, n, n},
               {'B', f->B, n, m},
               {'C', f->C, o, n},
               {'D', f->D, o, m}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (!all[i].value) continue;
        snprintf(name, sizeof name, "%s_%c", what, all[i].name);
        TAUT_TRY(put(file, new_matrix(name, all[i].value, all[i].rows, all[i].columns, work)));
    }
    snprintf(name, sizeof name, "%s_states", what);
    return put_list(file, name, f->state, n);
}

static taut_status put_matrices(mat_t *file, const taut_linear_point *p, double *work) {
    const int n = p->states, m = p->inputs, o = p->outputs;
    const double steady = p->steady ? 1.0 : 0.0;
    const struct {
        const char *name;
        const double *value;
        int rows, columns;
    } all[] = {
        {"A", p->A, n, n},        {"B", p->B, n, m},   {"C", p->C, o, n},
        {"D", p->D, o, m},        {"x0", p->x0, n, 1}, {"u0", p->u0, m, 1},
        {"y0", p->y0, o, 1},      {"t", &p->t, 1, 1},  {"eigenvalues", &p->eigenvalue[0][0], n, 2},
        {"steady", &steady, 1, 1}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        TAUT_TRY(
            put(file, new_matrix(all[i].name, all[i].value, all[i].rows, all[i].columns, work)));
    TAUT_TRY(put(file, new_text("side", p->side)));
    TAUT_TRY(put_list(file, "states", p->state, n));
    TAUT_TRY(put_list(file, "inputs", p->input, m));
    TAUT_TRY(put_list(file, "outputs", p->output, o));
    TAUT_TRY(put_form(file, "redundant", p, p->redundant, work));
    return put_form(file, "descriptor", p, p->descriptor, work);
}

/* Does it begin with A, as it is, and end with the names of the outputs? */
static bool has_matrices(const char *path, const taut_linear_point *p) {
    mat_t *file = matio.Mat_Open(path, MAT_ACC_RDONLY);
    int count = 0;
    bool same = file != NULL;
    for (matvar_t *v; same && (v = matio.Mat_VarReadNext(file)) != NULL; count++) {
        if (count == 0) same = v->nbytes == (size_t)p->states * (size_t)p->states * sizeof(double);
        matio.Mat_VarFree(v);
    }
    if (file) matio.Mat_Close(file);
    return same && count == 14 + (p->redundant ? 5 : 0) + (p->descriptor ? 6 : 0);
}

taut_status taut_linear_mat(const char *path, const taut_linear_point *p) {
    char header[100];
    taut_arena arena = {0};
    const size_t further = (size_t)(p->redundant ? p->redundant->states : 0) +
                           (size_t)(p->descriptor ? p->descriptor->states : 0);
    const size_t most = (size_t)p->states + (size_t)p->inputs + (size_t)p->outputs + further + 2;
    double *work = TAUT_NEW_ARRAY(&arena, most * most, double);
    taut_status status = work && has_memory(most * most, most) ? TAUT_OK : TAUT_ERR_MEMORY;
    if (status == TAUT_OK) {
        snprintf(header, sizeof header, "MATLAB 5.0 MAT-file, written by taut %s", taut_version());
        mat_t *file = matio.Mat_CreateVer(path, header, MAT_FT_MAT5);
        status = file ? put_matrices(file, p, work) : TAUT_ERR_IO;
        if (file && matio.Mat_Close(file) != 0 && status == TAUT_OK) status = TAUT_ERR_IO;
    }
    if (status == TAUT_OK && !has_matrices(path, p)) status = TAUT_ERR_IO;
    taut_arena_release(&arena);
    return status;
}
