/* Reading CSV: one pass over the text finds the cells, a second look at a column its numbers. */
#include "core/sheet.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/number.h"
#include "core/text.h"

enum {
    MOST_BYTES = 64 << 20,
    MOST_CELLS = 4000000,
    MOST_COLUMNS = 5000, /* a robot of fifty bodies has 2,200 */
    NUMBER_MAX = 64,     /* characters of a number */
    SHOWN = 40           /* bytes of a cell in a message */
};

/* A text on its way to cells. */
typedef struct reader {
    taut_sheet *sheet;
    taut_errors *errors;
    long at;          /* the next byte */
    int line, column; /* of that */
    taut_sheet_cell *cell;
    size_t cells, room; /* all of them, the header's first */
} reader;

static taut_place place_of(const reader *r, int line, int column) {
    return (taut_place){r->sheet->path, r->sheet->text, r->sheet->length, line, column, NULL};
}

#define FAULT(r, line, column, ...)                                                                \
    taut_fail_at((r)->errors, TAUT_ERR_INPUT, place_of((r), (line), (column)), __VA_ARGS__)

/* ---- characters ---- */

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

static char peek(const reader *r) { return r->at < r->sheet->length ? r->sheet->text[r->at] : 0; }

static bool is_at_end(const reader *r) { return r->at >= r->sheet->length; }

static bool is_at_break(const reader *r) {
    const char *text = r->sheet->text;
    if (is_at_end(r) || text[r->at] == '\n') return true;
    return text[r->at] == '\r' && (r->at + 1 == r->sheet->length || text[r->at + 1] == '\n');
}

static void advance(reader *r) {
    const char c = r->sheet->text[r->at++];
    if (c == '\n') {
        r->line++;
        r->column = 1;
    } else if (((unsigned char)c & 0xC0) != 0x80) {
        r->column++;
    }
}

static void skip_line(reader *r) {
    while (!is_at_end(r) && peek(r) != '\n') advance(r);
    if (!is_at_end(r)) advance(r);
}

static void skip_blanks(reader *r) {
    while (is_blank(peek(r)) && peek(r) != r->sheet->separator) advance(r);
}

/* ---- cells ---- */

/* The text of a cell in quotes; "" becomes " where it stands. */
static taut_status read_quoted(reader *r, taut_sheet_cell *x, char *text) {
    const int line = r->line, column = r->column;
    advance(r);
    x->start = (unsigned)r->at;
    long to = r->at;
    for (;;) {
        if (is_at_end(r)) return FAULT(r, line, column, "this quote is not closed");
        const char c = peek(r);
        advance(r);
        if (c == '"' && peek(r) != '"') break;
        if (c == '"') advance(r);
        text[to++] = c;
    }
    x->length = (unsigned)(to - (long)x->start);
    skip_blanks(r);
    if (is_at_break(r) || peek(r) == r->sheet->separator) return TAUT_OK;
    return FAULT(r, r->line, r->column,
                 "a cell in quotes ends with the quote: a %s is expected here",
                 r->sheet->separator == '\t' ? "tab" : "separator");
}

static taut_status read_cell(reader *r, char *text) {
    taut_sheet_cell x = {.line = r->line};
    skip_blanks(r);
    x.line = r->line;
    x.column = r->column;
    if (peek(r) == '"') {
        TAUT_TRY(read_quoted(r, &x, text));
    } else {
        x.start = (unsigned)r->at;
        while (!is_at_break(r) && peek(r) != r->sheet->separator) advance(r);
        long end = r->at;
        while (end > (long)x.start && is_blank(text[end - 1])) end--;
        x.length = (unsigned)(end - (long)x.start);
    }
    if (r->cells >= MOST_CELLS) return FAULT(r, x.line, x.column, "more than %d cells", MOST_CELLS);
    if (taut_grow((void **)&r->cell, &r->room, r->cells + 1, sizeof *r->cell))
        return TAUT_ERR_MEMORY;
    r->cell[r->cells++] = x;
    return TAUT_OK;
}

/* The cells of a line. */
static taut_status read_row(reader *r, char *text, int *count) {
    for (*count = 0;;) {
        TAUT_TRY(read_cell(r, text));
        if (++*count > MOST_COLUMNS)
            return FAULT(r, r->line, 1, "more than %d columns", MOST_COLUMNS);
        if (is_at_break(r)) break;
        advance(r); /* the separator */
    }
    skip_line(r);
    return TAUT_OK;
}

/* To the next line that says something; false: there is none. */
static bool find_row(reader *r) {
    while (!is_at_end(r)) {
        const long begin = r->at;
        const int column = r->column;
        while (is_blank(peek(r))) advance(r);
        const bool empty = is_at_break(r) || peek(r) == '#';
        r->at = begin;
        r->column = column;
        if (!empty) return true;
        skip_line(r);
    }
    return false;
}

/* ---- the whole ---- */

/* Commas, unless the header has none and something else instead. */
static char find_separator(const reader *r) {
    const char *line = r->sheet->text + r->at;
    const size_t n = strcspn(line, "\n");
    if (memchr(line, ',', n)) return ',';
    if (memchr(line, ';', n)) return ';';
    return memchr(line, '\t', n) ? '\t' : ',';
}

static bool is_number(const char *text) {
    char *end;
    if (text[0] == '\0') return false;
    taut_number_parse(text, &end);
    return *end == '\0';
}

static taut_status name_columns(reader *r) {
    taut_sheet *s = r->sheet;
    s->name = TAUT_NEW_ARRAY(&s->arena, s->columns, const char *);
    s->head = TAUT_NEW_ARRAY(&s->arena, s->columns, taut_sheet_cell);
    if (!s->name || !s->head) return TAUT_ERR_MEMORY;
    for (int i = 0; i < s->columns; i++) {
        const taut_sheet_cell *x = s->head + i;
        s->head[i] = r->cell[i];
        s->name[i] = taut_arena_copy(&s->arena, s->text + x->start, x->length);
        if (!s->name[i]) return TAUT_ERR_MEMORY;
        if (is_number(s->name[i]))
            return FAULT(r, x->line, x->column,
                         "the first row names the columns, but here is a number: put a line with "
                         "names above it");
        for (int k = 0; k < i && s->name[i][0]; k++)
            if (strcmp(s->name[k], s->name[i]) == 0)
                return FAULT(r, x->line, x->column, "two columns have the name '%.*s'", SHOWN,
                             s->name[i]);
    }
    return TAUT_OK;
}

static taut_status read_rows(reader *r, char *text) {
    taut_sheet *s = r->sheet;
    if (!find_row(r)) return FAULT(r, 1, 1, "this file has no header row: names of columns");
    s->separator = find_separator(r);
    TAUT_TRY(read_row(r, text, &s->columns));
    TAUT_TRY(name_columns(r));
    while (find_row(r)) {
        int count;
        const int line = r->line;
        TAUT_TRY(read_row(r, text, &count));
        if (count != s->columns)
            return FAULT(r, line, 1, "this row has %d cell%s, the header has %d%s", count,
                         count == 1 ? "" : "s", s->columns,
                         s->separator == ',' && count == 2 * s->columns
                             ? " (numbers have a decimal point, not a comma)"
                             : "");
        s->rows++;
    }
    if (s->rows == 0) return FAULT(r, r->line, 1, "there are no rows below the header");
    return TAUT_OK;
}

/* What is no text would give strange cells. */
static taut_status check_text(const reader *r) {
    int line = 1;
    for (long i = 0; i < r->sheet->length; i++) {
        const unsigned char c = (unsigned char)r->sheet->text[i];
        if (c == '\n') line++;
        if (c < 0x20 && c != '\n' && c != '\r' && c != '\t')
            return FAULT(r, line, 1, "this is no text: a control character stands in the line");
    }
    return TAUT_OK;
}

static taut_status parse(taut_sheet *s, char *text, long length, taut_errors *errors) {
    reader r = {.sheet = s, .errors = errors, .line = 1, .column = 1};
    s->text = text;
    s->length = length;
    taut_status status = check_text(&r);
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) r.at = 3;
    if (status == TAUT_OK) status = read_rows(&r, text);
    if (status == TAUT_OK) {
        const size_t inner = (size_t)s->rows * (size_t)s->columns;
        s->cell = TAUT_NEW_ARRAY(&s->arena, inner, taut_sheet_cell);
        if (s->cell && r.cell) memcpy(s->cell, r.cell + s->columns, inner * sizeof *s->cell);
        if (!s->cell) status = TAUT_ERR_MEMORY;
    }
    taut_release((void **)&r.cell);
    return status;
}

/* A sheet without text, in its own arena; NULL: no memory. */
static taut_sheet *create(const char *path) {
    taut_arena arena = {0};
    taut_sheet *s = TAUT_NEW(&arena, taut_sheet);
    char *copy = taut_arena_copy(&arena, path, strlen(path));
    if (!s || !copy) {
        taut_arena_release(&arena);
        return NULL;
    }
    *s = (taut_sheet){.path = copy, .text = "", .arena = arena};
    return s;
}

static taut_status finish(taut_sheet *s, taut_status status, taut_sheet **sheet) {
    if (status == TAUT_OK)
        *sheet = s;
    else
        taut_sheet_free(&s);
    return status;
}

taut_status taut_sheet_parse(const char *path, const char *text, long length, taut_sheet **sheet,
                             taut_errors *errors) {
    *sheet = NULL;
    taut_sheet *s = create(path);
    if (!s) return TAUT_ERR_MEMORY;
    if (length > MOST_BYTES)
        return finish(s,
                      taut_fail_at(errors, TAUT_ERR_INPUT, (taut_place){.path = s->path},
                                   "a table has at most %d MB", MOST_BYTES >> 20),
                      sheet);
    char *copy = taut_arena_alloc(&s->arena, (size_t)length + 1);
    if (copy) memcpy(copy, text, (size_t)length);
    return finish(s, copy ? parse(s, copy, length, errors) : TAUT_ERR_MEMORY, sheet);
}

/* The bytes of a file. */
static taut_status load(FILE *file, const char *path, char **text, size_t *length,
                        taut_errors *errors) {
    size_t room = 0;
    *length = 0;
    for (;;) {
        if (*length > MOST_BYTES)
            return taut_fail_at(errors, TAUT_ERR_INPUT, (taut_place){.path = path},
                                "a table has at most %d MB", MOST_BYTES >> 20);
        if (taut_grow((void **)text, &room, *length + 65536, 1)) return TAUT_ERR_MEMORY;
        const size_t n = fread(*text + *length, 1, 65536, file);
        *length += n;
        if (n == 0) break;
    }
    if (!ferror(file)) return TAUT_OK;
    return taut_fail_at(errors, TAUT_ERR_IO, (taut_place){.path = path}, "cannot read it: %s",
                        strerror(errno));
}

static const char HIDDEN[] = "this is no table of numbers (what stands here is not shown: the file "
                             "is not in the folder of the model)";

/* Messages since `before` keep their places. */
static void hide(taut_errors *errors, int before) {
    for (int i = before; errors && i < errors->count; i++) {
        taut_error *e = &errors->item[i];
        e->source[0] = '\0';
        if (e->line > 0) snprintf(e->message, sizeof e->message, "%s", HIDDEN);
    }
}

taut_status taut_sheet_read(const char *path, bool hidden, taut_sheet **sheet,
                            taut_errors *errors) {
    const int before = errors ? errors->count : 0;
    char *text = NULL;
    size_t length = 0;
    *sheet = NULL;
    FILE *file = fopen(path, "rb");
    if (!file)
        return taut_fail_at(errors, TAUT_ERR_IO, (taut_place){.path = path}, "cannot open it: %s",
                            strerror(errno));
    taut_status status = load(file, path, &text, &length, errors);
    fclose(file);
    if (status == TAUT_OK) status = taut_sheet_parse(path, text, (long)length, sheet, errors);
    taut_release((void **)&text);
    if (*sheet) (*sheet)->hidden = hidden;
    if (hidden) hide(errors, before);
    return status;
}

void taut_sheet_free(taut_sheet **sheet) {
    if (!*sheet) return;
    taut_arena arena = (*sheet)->arena; /* the sheet itself is in it */
    taut_arena_release(&arena);
    *sheet = NULL;
}

/* ---- what it says ---- */

int taut_sheet_find(const taut_sheet *s, const char *name) {
    for (int i = 0; i < s->columns; i++)
        if (strcmp(s->name[i], name) == 0) return i;
    return -1;
}

taut_place taut_sheet_place(const taut_sheet *s, int row, int column) {
    const taut_sheet_cell *x =
        row < 0 ? &s->head[column] : &s->cell[(size_t)row * (size_t)s->columns + (size_t)column];
    const bool hidden = s->hidden;
    return (taut_place){
        s->path, hidden ? NULL : s->text, hidden ? 0 : s->length, x->line, x->column, NULL};
}

static taut_status refuse_cell(const taut_sheet *s, int row, int column, taut_errors *errors) {
    const taut_sheet_cell *x = &s->cell[(size_t)row * (size_t)s->columns + (size_t)column];
    char raw[SHOWN + 1], text[4 * SHOWN];
    snprintf(raw, sizeof raw, "%.*s", (int)x->length, s->text + x->start);
    taut_text_escape(raw, text, sizeof text, false);
    const taut_place place = taut_sheet_place(s, row, column);
    if (s->hidden) return taut_fail_at(errors, TAUT_ERR_INPUT, place, "%s", HIDDEN);
    if (x->length == 0)
        return taut_fail_at(errors, TAUT_ERR_INPUT, place,
                            "a number of the column '%.*s' is missing here", SHOWN,
                            s->name[column]);
    const char *comma =
        strchr(raw, ',') && !strchr(raw, '.') ? ": numbers have a decimal point, not a comma" : "";
    return taut_fail_at(errors, TAUT_ERR_INPUT, place,
                        "'%s' in the column '%.*s' is not a finite number%s", text, SHOWN,
                        s->name[column], comma);
}

/* gaps: where nothing stands is NaN. */
static taut_status read_numbers(const taut_sheet *s, int column, bool gaps, double *value,
                                taut_errors *errors) {
    for (int i = 0; i < s->rows; i++) {
        const taut_sheet_cell *x = &s->cell[(size_t)i * (size_t)s->columns + (size_t)column];
        char digits[NUMBER_MAX + 1] = "";
        char *end = digits;
        value[i] = (double)NAN;
        if (gaps && x->length == 0) continue;
        if (x->length <= NUMBER_MAX) {
            memcpy(digits, s->text + x->start, x->length);
            digits[x->length] = '\0';
            /* strtod also takes hex and blanks in front */
            if (strspn(digits, "0123456789+-.eE") == x->length && x->length > 0)
                value[i] = taut_number_parse(digits, &end);
        }
        if (!isfinite(value[i]) || *end != '\0') return refuse_cell(s, i, column, errors);
    }
    return TAUT_OK;
}

taut_status taut_sheet_numbers(const taut_sheet *s, int column, double *value,
                               taut_errors *errors) {
    return read_numbers(s, column, false, value, errors);
}

taut_status taut_sheet_measured(const taut_sheet *s, int column, double *value,
                                taut_errors *errors) {
    return read_numbers(s, column, true, value, errors);
}
