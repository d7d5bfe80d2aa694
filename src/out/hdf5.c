/* The table of a study as HDF5, by libhdf5 (its only user):
 *
 *   /runs            one record a run: a number for each column of the table, and `status`
 *   /trajectories    (runs x rows x columns), if some were asked for, with the attribute `columns`
 *   /t               (rows) their times
 *
 * Rows go out in blocks, so that the memory does not grow with the table, and no times of day are
 * kept, so that the same study gives the same bytes. */
#include <hdf5.h>
#include <stdio.h>
#include <string.h>

#include "core/arena.h"
#include "core/library.h"
#include "out/file.h"
#include "out/study_table.h"

#define FUNCTIONS(X)                                                                               \
    X(H5Acreate2)                                                                                  \
    X(H5Aclose)                                                                                    \
    X(H5Awrite)                                                                                    \
    X(H5Dcreate2)                                                                                  \
    X(H5Dclose)                                                                                    \
    X(H5Dwrite)                                                                                    \
    X(H5Eset_auto2)                                                                                \
    X(H5Fclose)                                                                                    \
    X(H5Fcreate)                                                                                   \
    X(H5Fflush)                                                                                    \
    X(H5Pclose)                                                                                    \
    X(H5Pcreate)                                                                                   \
    X(H5Pset_obj_track_times)                                                                      \
    X(H5Sclose)                                                                                    \
    X(H5Screate_simple)                                                                            \
    X(H5Sselect_hyperslab)                                                                         \
    X(H5Tclose)                                                                                    \
    X(H5Tcopy)                                                                                     \
    X(H5Tcreate)                                                                                   \
    X(H5Tinsert)                                                                                   \
    X(H5Tset_size)                                                                                 \
    X(H5T_IEEE_F64LE_g)                                                                            \
    X(H5T_NATIVE_DOUBLE_g)                                                                         \
    X(H5T_C_S1_g)                                                                                  \
    X(H5P_CLS_DATASET_CREATE_ID_g)
#define WANTED(f) {.name = #f, .pointer = &h5.f},

static struct {
    FUNCTIONS(TAUT_LIBRARY_MEMBER)
    herr_t (*open)(void); /* H5open, which the header makes a macro */
} h5;

enum { BLOCK = 512 };     /* rows that go out together */
enum { TRUNCATE = 0x2u }; /* H5F_ACC_TRUNC, a macro that would link the library */

taut_status taut_hdf5_load(taut_errors *errors) {
    static const taut_wanted wanted[] = {FUNCTIONS(WANTED){.name = "H5open", .pointer = &h5.open}};
    static taut_library library = {TAUT_HDF5_FILE, wanted, TAUT_LIBRARY_COUNT(wanted),
                                   "libhdf5-103-1", false};
    TAUT_TRY(taut_library_load(&library, errors));
    if (h5.open() < 0) return TAUT_ERR_MEMORY;
    h5.H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* the library never prints */
    return TAUT_OK;
}

/* A file while it is written; good: nothing went wrong so far. */
typedef struct job {
    const taut_study *study;
    taut_arena arena;
    hid_t file, plain; /* how data sets are made: without times of day */
    long *run;         /* [rows] which runs are in the table */
    long rows;
    bool good;
} job;

static bool note(job *j, bool good) {
    j->good = j->good && good;
    return j->good;
}

static hid_t new_text_type(size_t size) {
    const hid_t type = h5.H5Tcopy(*h5.H5T_C_S1_g);
    if (type >= 0) h5.H5Tset_size(type, size);
    return type;
}

static hid_t new_set(job *j, const char *name, hid_t type, int rank, const hsize_t *size) {
    const hid_t space = h5.H5Screate_simple(rank, size, NULL);
    const hid_t set = h5.H5Dcreate2(j->file, name, type, space, H5P_DEFAULT, j->plain, H5P_DEFAULT);
    note(j, space >= 0 && set >= 0);
    if (space >= 0) h5.H5Sclose(space);
    return set;
}

/* Writes count slices from `first` on; size: of the whole. */
static void put_slices(job *j, hid_t set, hid_t type, int rank, const hsize_t *size, hsize_t first,
                       hsize_t count, const void *data) {
    hsize_t part[3] = {count, rank > 1 ? size[1] : 1, rank > 2 ? size[2] : 1};
    const hsize_t from[3] = {first, 0, 0};
    if (!j->good || count == 0) return;
    const hid_t there = h5.H5Screate_simple(rank, size, NULL);
    const hid_t here = h5.H5Screate_simple(rank, part, NULL);
    note(j, there >= 0 && here >= 0 &&
                h5.H5Sselect_hyperslab(there, H5S_SELECT_SET, from, NULL, part, NULL) >= 0 &&
                h5.H5Dwrite(set, type, here, there, H5P_DEFAULT, data) >= 0);
    if (there >= 0) h5.H5Sclose(there);
    if (here >= 0) h5.H5Sclose(here);
}

/* ---- the table ---- */

static size_t longest_outcome(const job *j) {
    size_t most = 3;
    for (long i = 0; i < j->rows; i++) {
        const size_t n = strlen(taut_study_outcome(j->study, j->run[i])) + 1;
        if (n > most) most = n;
    }
    return most;
}

/* A record: doubles, then the outcome as text; in the file numbers are little-endian. */
static hid_t new_record(job *j, hid_t number, size_t text) {
    const int columns = taut_study_columns(j->study);
    const size_t size = (size_t)columns * sizeof(double) + text;
    const hid_t type = h5.H5Tcreate(H5T_COMPOUND, size), words = new_text_type(text);
    for (int c = 0; c < columns; c++)
        note(j, h5.H5Tinsert(type, taut_study_name(j->study, c), (size_t)c * sizeof(double),
                             number) >= 0);
    note(j, type >= 0 && words >= 0 &&
                h5.H5Tinsert(type, "status", (size_t)columns * sizeof(double), words) >= 0);
    if (words >= 0) h5.H5Tclose(words);
    return type;
}

static void fill_record(const job *j, long run, size_t text, char *record) {
    const int columns = taut_study_columns(j->study);
    for (int c = 0; c < columns; c++) {
        const double value = taut_study_value(j->study, run, c);
        memcpy(record + (size_t)c * sizeof value, &value, sizeof value);
    }
    char *words = record + (size_t)columns * sizeof(double);
    const char *outcome = taut_study_outcome(j->study, run);
    memset(words, 0, text);
    snprintf(words, text, "%s", outcome);
}

static taut_status put_table(job *j) {
    const size_t text = longest_outcome(j);
    const size_t size = (size_t)taut_study_columns(j->study) * sizeof(double) + text;
    const hsize_t rows[1] = {(hsize_t)j->rows};
    char *block = taut_arena_array(&j->arena, BLOCK, size);
    if (!block) return TAUT_ERR_MEMORY;
    const hid_t kept = new_record(j, *h5.H5T_IEEE_F64LE_g, text);
    const hid_t here = new_record(j, *h5.H5T_NATIVE_DOUBLE_g, text);
    const hid_t set = new_set(j, "runs", kept, 1, rows);
    for (long first = 0; first < j->rows && j->good; first += BLOCK) {
        const long count = j->rows - first < BLOCK ? j->rows - first : BLOCK;
        for (long i = 0; i < count; i++)
            fill_record(j, j->run[first + i], text, block + (size_t)i * size);
        put_slices(j, set, here, 1, rows, (hsize_t)first, (hsize_t)count, block);
    }
    if (set >= 0) note(j, h5.H5Dclose(set) >= 0);
    if (kept >= 0) h5.H5Tclose(kept);
    if (here >= 0) h5.H5Tclose(here);
    return TAUT_OK;
}

/* ---- trajectories ---- */

static taut_status put_names(job *j, hid_t set) {
    const int columns = taut_study_trace_columns(j->study);
    const hsize_t size[1] = {(hsize_t)columns};
    size_t longest = 1;
    for (int c = 0; c < columns; c++) {
        const size_t n = strlen(taut_study_trace_name(j->study, c)) + 1;
        if (n > longest) longest = n;
    }
    char *text = taut_arena_array(&j->arena, (size_t)columns, longest);
    if (!text) return TAUT_ERR_MEMORY;
    for (int c = 0; c < columns; c++) {
        const char *name = taut_study_trace_name(j->study, c);
        memcpy(text + (size_t)c * longest, name, strlen(name) + 1);
    }
    const hid_t type = new_text_type(longest), space = h5.H5Screate_simple(1, size, NULL);
    const hid_t list = h5.H5Acreate2(set, "columns", type, space, H5P_DEFAULT, H5P_DEFAULT);
    note(j, list >= 0 && h5.H5Awrite(list, type, text) >= 0);
    if (list >= 0) h5.H5Aclose(list);
    if (space >= 0) h5.H5Sclose(space);
    if (type >= 0) h5.H5Tclose(type);
    return TAUT_OK;
}

static taut_status put_trajectories(job *j) {
    const taut_study *s = j->study;
    const int rows = taut_study_trace_rows(s), columns = taut_study_trace_columns(s);
    if (columns == 0) return TAUT_OK;
    const hsize_t size[3] = {(hsize_t)j->rows, (hsize_t)rows, (hsize_t)columns};
    const hsize_t length[1] = {(hsize_t)rows};
    const hid_t number = *h5.H5T_NATIVE_DOUBLE_g, kept = *h5.H5T_IEEE_F64LE_g;
    double *slice = TAUT_NEW_ARRAY(&j->arena, (size_t)rows * (size_t)columns, double);
    if (!slice) return TAUT_ERR_MEMORY;
    for (int r = 0; r < rows; r++) slice[r] = taut_study_trace_time(s, r);
    const hid_t times = new_set(j, "t", kept, 1, length);
    put_slices(j, times, number, 1, length, 0, (hsize_t)rows, slice);
    if (times >= 0) note(j, h5.H5Dclose(times) >= 0);
    const hid_t set = new_set(j, "trajectories", kept, 3, size);
    for (long i = 0; i < j->rows && j->good; i++) {
        for (int r = 0; r < rows; r++)
            for (int c = 0; c < columns; c++)
                slice[r * columns + c] = taut_study_trace_value(s, j->run[i], r, c);
        put_slices(j, set, number, 3, size, (hsize_t)i, 1, slice);
    }
    taut_status status = TAUT_OK;
    if (set >= 0) status = put_names(j, set);
    if (set >= 0) note(j, h5.H5Dclose(set) >= 0);
    return status;
}

/* ---- the whole ---- */

static taut_status put_all(job *j, const char *path) {
    const taut_study *s = j->study;
    j->run = TAUT_NEW_ARRAY(&j->arena, taut_study_done(s) + 1, long);
    if (!j->run) return TAUT_ERR_MEMORY;
    for (long i = 0; i < taut_study_runs(s); i++)
        if (taut_study_outcome(s, i)) j->run[j->rows++] = i;
    j->file = h5.H5Fcreate(path, TRUNCATE, H5P_DEFAULT, H5P_DEFAULT);
    j->plain = h5.H5Pcreate(*h5.H5P_CLS_DATASET_CREATE_ID_g);
    taut_status status = TAUT_OK;
    if (note(j,
             j->file >= 0 && j->plain >= 0 && h5.H5Pset_obj_track_times(j->plain, (hbool_t)0) >= 0))
        status = put_table(j);
    if (status == TAUT_OK && j->good) status = put_trajectories(j);
    if (j->plain >= 0) h5.H5Pclose(j->plain);
    if (j->file >= 0) {
        note(j, h5.H5Fflush(j->file, H5F_SCOPE_GLOBAL) >= 0);
        note(j, h5.H5Fclose(j->file) >= 0);
    }
    return status;
}

taut_status taut_study_hdf5(const taut_study *study, const char *path, taut_errors *errors) {
    taut_file file;
    job j = {.study = study, .good = true};
    TAUT_TRY(taut_file_name(&file, path, errors));
    taut_status status = put_all(&j, file.temporary);
    taut_arena_release(&j.arena);
    if (status == TAUT_OK && j.good) return taut_file_close(&file, errors);
    taut_file_drop(&file);
    if (status != TAUT_OK) return status;
    return taut_fail(errors, TAUT_ERR_IO,
                     "%s cannot be written as HDF5: is there room on the disk?", path);
}
