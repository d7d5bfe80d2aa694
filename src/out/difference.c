/* Matches times and columns of two tables, and measures. */
#include "out/difference.h"

#include <math.h>
#include <string.h>

#include "core/sheet.h"
#include "core/status.h"

/* Times closer than this part of the span are the same. */
static const double SAME_TIME = 1e-12;
/* A column this far below the others is rounding. */
static const double NOTHING = 1e-11;

/* A table whose columns can be asked for. */
typedef struct source {
    const char *path;
    const taut_result *result; /* or: */
    taut_sheet *sheet;
    long rows;
    int columns;
    double *t; /* [rows] */
} source;

static const char *name_of(const source *s, int column) {
    return s->sheet ? s->sheet->name[column] : taut_result_name(s->result, column);
}

/* value[rows]; TAUT_ERR_INPUT: the column has no numbers. */
static taut_status numbers_of(const source *s, int column, double *value, taut_errors *errors) {
    if (s->sheet) return taut_sheet_numbers(s->sheet, column, value, errors);
    for (long i = 0; i < s->rows; i++) value[i] = taut_result_value(s->result, i, column);
    return TAUT_OK;
}

static taut_status open_source(source *s, taut_arena *arena, taut_errors *errors) {
    if (!s->result) TAUT_TRY(taut_sheet_read(s->path, false, &s->sheet, errors));
    s->rows = s->sheet ? s->sheet->rows : taut_result_rows(s->result);
    s->columns = s->sheet ? s->sheet->columns : taut_result_columns(s->result);
    s->t = TAUT_NEW_ARRAY(arena, s->rows + 1, double);
    if (!s->t) return TAUT_ERR_MEMORY;
    return numbers_of(s, 0, s->t, errors);
}

/* Times rise or fall, equal ones (before and after an event) allowed. */
static taut_status check_times(const source *s, double *sign, taut_errors *errors) {
    const double way = s->rows > 1 ? s->t[s->rows - 1] - s->t[0] : 0.0;
    *sign = way < 0.0 ? -1.0 : 1.0;
    for (long i = 1; i < s->rows; i++)
        if (*sign * (s->t[i] - s->t[i - 1]) < 0.0)
            return taut_fail(errors, TAUT_ERR_INPUT,
                             "%s: the first column must be a time that rises, or falls, all the "
                             "way: row %ld has %.10g after %.10g",
                             s->path, i + 1, s->t[i], s->t[i - 1]);
    return TAUT_OK;
}

/* ---- times ---- */

/* Rows with the same time: pair[2 * i] of the first, pair[2 * i + 1] of the second. */
static long match_times(const source *s, double sign, long *pair) {
    const double span = fmax(fabs(s[1].t[s[1].rows - 1] - s[1].t[0]), fabs(s[1].t[0]));
    long i = 0, k = 0, count = 0;
    while (i < s[0].rows && k < s[1].rows) {
        const double ahead = sign * (s[0].t[i] - s[1].t[k]);
        if (fabs(ahead) <= SAME_TIME * span) {
            pair[2 * count] = i++;
            pair[2 * count++ + 1] = k++;
        } else if (ahead > 0.0) {
            k++;
        } else {
            i++;
        }
    }
    return count;
}

/* ---- columns ---- */

/* A coordinate: no derivative, energy or reaction. */
static bool is_position(const char *name) {
    static const char *const other[] = {"energy", "kinetic", "potential", "work"};
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++)
        if (strcmp(name, other[i]) == 0) return false;
    return !strpbrk(name, "'-.");
}

static double digits_of(double difference, double scale) {
    return difference == 0.0 ? (double)INFINITY : -log10(difference / scale);
}

/* square[2 i], square[2 i + 1]: of differences and of the reference, so far. */
static void measure(taut_diff *d, taut_diff_column *c, const long *pair, double *const *value,
                    double *square) {
    double end = 0.0, last = 0.0;
    for (long i = 0; i < d->common; i++) {
        const double x = value[0][pair[2 * i]], y = value[1][pair[2 * i + 1]], off = fabs(x - y);
        if (off > c->largest || (off == c->largest && i == 0) || isnan(off)) {
            c->largest = off;
            c->t = d->t[i];
        }
        c->scale = fmax(c->scale, fabs(y));
        end = off;
        last = fabs(y);
        if (!c->position) continue;
        square[2 * i] += off * off;
        square[2 * i + 1] += y * y;
    }
    c->digits = digits_of(c->largest, c->scale);
    c->at_end = digits_of(end, last);
}

static int primes_of(const char *name) {
    const char *prime = strchr(name, '\'');
    return prime ? (int)strlen(prime) : 0;
}

/* Columns that are 0 but for rounding have no digits: their differences count beside the largest
 * column with as many primes. */
static void find_scd(taut_diff *d) {
    for (int c = 0; c < d->columns; c++) {
        taut_diff_column *x = &d->column[c];
        double most = x->scale;
        for (int k = 0; k < d->columns; k++)
            if (primes_of(d->column[k].name) == primes_of(x->name))
                most = fmax(most, d->column[k].scale);
        x->nothing = x->scale <= NOTHING * most && x->largest <= NOTHING * most;
        if (x->nothing || !x->position || !(x->at_end < d->scd)) continue;
        d->scd = x->at_end;
        d->scd_column = x->name;
    }
}

static taut_status leave_out(taut_diff *d, int side, const char *name) {
    const char *copy = taut_arena_copy(&d->arena, name, strlen(name));
    if (!copy) return TAUT_ERR_MEMORY;
    d->alone[side][d->alones[side]++] = copy;
    return TAUT_OK;
}

static int find_column(const source *s, const char *name) {
    for (int c = 1; c < s->columns; c++)
        if (strcmp(name_of(s, c), name) == 0) return c;
    return -1;
}

static taut_status compare_columns(taut_diff *d, const source *s, const long *pair,
                                   taut_arena *work) {
    double *value[2], *square = TAUT_NEW_ARRAY(work, 2 * d->common, double);
    for (int i = 0; i < 2; i++) {
        value[i] = TAUT_NEW_ARRAY(work, s[i].rows, double);
        d->alone[i] = TAUT_NEW_ARRAY(&d->arena, s[i].columns, const char *);
        if (!value[i] || !d->alone[i]) return TAUT_ERR_MEMORY;
    }
    d->column = TAUT_NEW_ARRAY(&d->arena, s[0].columns, taut_diff_column);
    if (!square || !d->column) return TAUT_ERR_MEMORY;
    for (int c = 1; c < s[0].columns; c++) {
        const char *name = name_of(&s[0], c);
        const int other = find_column(&s[1], name);
        taut_status status = other < 0 ? TAUT_ERR_INPUT : numbers_of(&s[0], c, value[0], NULL);
        if (status == TAUT_OK) status = numbers_of(&s[1], other, value[1], NULL);
        if (status == TAUT_ERR_MEMORY) return status;
        if (status != TAUT_OK) { /* in one of them only, or words */
            TAUT_TRY(leave_out(d, 0, name));
            if (other >= 0) TAUT_TRY(leave_out(d, 1, name));
            continue;
        }
        taut_diff_column *x = &d->column[d->columns++];
        x->name = taut_arena_copy(&d->arena, name, strlen(name));
        if (!x->name) return TAUT_ERR_MEMORY;
        x->position = is_position(name);
        measure(d, x, pair, value, square);
    }
    for (int c = 1; c < s[1].columns; c++)
        if (find_column(&s[0], name_of(&s[1], c)) < 0) TAUT_TRY(leave_out(d, 1, name_of(&s[1], c)));
    find_scd(d);
    for (long i = 0; i < d->common; i++) {
        d->error[i] = square[2 * i] == 0.0 ? 0.0 : sqrt(square[2 * i] / square[2 * i + 1]);
        if (!(d->error[i] > d->largest_error) && !isnan(d->error[i])) continue;
        d->largest_error = d->error[i];
        d->largest_at = d->t[i];
    }
    return TAUT_OK;
}

/* ---- the whole ---- */

static taut_status compare(taut_diff *d, source *s, taut_arena *work, taut_errors *errors) {
    double sign[2];
    for (int i = 0; i < 2; i++) {
        TAUT_TRY(open_source(&s[i], work, errors));
        TAUT_TRY(check_times(&s[i], &sign[i], errors));
        d->rows[i] = s[i].rows;
        d->path[i] = taut_arena_copy(&d->arena, s[i].path, strlen(s[i].path));
        if (!d->path[i]) return TAUT_ERR_MEMORY;
    }
    const long most = s[0].rows < s[1].rows ? s[0].rows : s[1].rows;
    long *pair = TAUT_NEW_ARRAY(work, 2 * most + 1, long);
    if (!pair) return TAUT_ERR_MEMORY;
    d->common = most > 0 ? match_times(s, s[1].rows > 1 ? sign[1] : sign[0], pair) : 0;
    if (d->common == 0)
        return taut_fail(errors, TAUT_ERR_INPUT,
                         "%s and %s have no time in common: compute one of them at the times of "
                         "the other (times closer than 1e-12 of the span are the same)",
                         s[0].path, s[1].path);
    d->t = TAUT_NEW_ARRAY(&d->arena, d->common, double);
    d->error = TAUT_NEW_ARRAY(&d->arena, d->common, double);
    if (!d->t || !d->error) return TAUT_ERR_MEMORY;
    for (long i = 0; i < d->common; i++) d->t[i] = s[1].t[pair[2 * i + 1]];
    d->scd = (double)INFINITY;
    TAUT_TRY(compare_columns(d, s, pair, work));
    if (d->columns == 0)
        return taut_fail(errors, TAUT_ERR_INPUT,
                         "%s and %s have no column of numbers in common: columns are found by "
                         "their names in the first row",
                         s[0].path, s[1].path);
    return TAUT_OK;
}

static taut_status compare_sources(source *s, taut_diff **diff, taut_errors *errors) {
    taut_arena work = {0};
    taut_diff *d = taut_new(sizeof *d);
    taut_status status = d ? compare(d, s, &work, errors) : TAUT_ERR_MEMORY;
    for (int i = 0; i < 2; i++) taut_sheet_free(&s[i].sheet);
    taut_arena_release(&work);
    if (status != TAUT_OK) taut_diff_free(&d);
    *diff = d;
    return status;
}

taut_status taut_diff_files(const char *path, const char *reference, taut_diff **diff,
                            taut_errors *errors) {
    TAUT_NEED(diff, "diff", errors);
    *diff = NULL;
    TAUT_NEED(path, "path", errors);
    TAUT_NEED(reference, "reference", errors);
    source s[2] = {{.path = path}, {.path = reference}};
    return compare_sources(s, diff, errors);
}

taut_status taut_diff_result(const taut_result *result, const char *reference, taut_diff **diff,
                             taut_errors *errors) {
    TAUT_NEED(diff, "diff", errors);
    *diff = NULL;
    TAUT_NEED(result, "result", errors);
    TAUT_NEED(reference, "reference", errors);
    source s[2] = {{.path = "the run", .result = result}, {.path = reference}};
    return compare_sources(s, diff, errors);
}

taut_status taut_diff_times(const char *path, double **times, int *count, taut_errors *errors) {
    TAUT_NEED(times, "times", errors);
    *times = NULL;
    TAUT_NEED(count, "count", errors);
    TAUT_NEED(path, "path", errors);
    taut_sheet *sheet;
    size_t room = 0;
    TAUT_TRY(taut_sheet_read(path, false, &sheet, errors));
    taut_status status = TAUT_OK;
    if (taut_grow((void **)times, &room, (size_t)sheet->rows, sizeof **times))
        status = TAUT_ERR_MEMORY;
    if (status == TAUT_OK) status = taut_sheet_numbers(sheet, 0, *times, errors);
    *count = 0;
    for (int i = 0; i < sheet->rows && status == TAUT_OK; i++) /* twice at an event */
        if (*count == 0 || (*times)[i] != (*times)[*count - 1]) (*times)[(*count)++] = (*times)[i];
    taut_sheet_free(&sheet);
    if (status != TAUT_OK) taut_diff_times_free(times);
    return status;
}

void taut_diff_times_free(double **times) {
    if (times) taut_release((void **)times);
}

void taut_diff_free(taut_diff **diff) {
    if (!diff || !*diff) return;
    taut_arena_release(&(*diff)->arena);
    taut_release((void **)diff);
}

int taut_diff_columns(const taut_diff *d) { return d ? d->columns : 0; }

const taut_diff_column *taut_diff_get(const taut_diff *d, int column) {
    return d && column >= 0 && column < d->columns ? &d->column[column] : NULL;
}

long taut_diff_rows(const taut_diff *d) { return d ? d->common : 0; }

static bool has_row(const taut_diff *d, long row) { return d && row >= 0 && row < d->common; }

double taut_diff_time(const taut_diff *d, long row) {
    return has_row(d, row) ? d->t[row] : (double)NAN;
}

double taut_diff_error(const taut_diff *d, long row) {
    return has_row(d, row) ? d->error[row] : (double)NAN;
}

double taut_diff_largest_error(const taut_diff *d) { return d ? d->largest_error : (double)NAN; }

double taut_diff_scd(const taut_diff *d) { return d ? d->scd : (double)NAN; }
