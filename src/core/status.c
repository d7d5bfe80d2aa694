/* Status texts and the list of faults: everything that taut says about an error passes here. */
#include "core/status.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/number.h"
#include "core/text.h"

const char *taut_status_text(taut_status status) {
    switch (status) {
#define TAUT_STATUS(name, number, text)                                                            \
    case TAUT_##name:                                                                              \
        return text;
#include "taut/status.def"
#undef TAUT_STATUS
    }
    return "unknown status";
}

/* A slot for one more fault, or NULL if the caller gave no list or it is full. */
static taut_error *next_slot(taut_errors *errors) {
    if (!errors) return NULL;
    if (errors->count == TAUT_ERRORS_MAX) {
        errors->dropped++;
        return NULL;
    }
    taut_error *error = &errors->item[errors->count++];
    memset(error, 0, sizeof *error);
    return error;
}

/* Drops an incomplete UTF-8 sequence that a cut may have left at the end of text. */
static void trim_cut(char *text, size_t capacity) {
    size_t length = strlen(text);
    if (length + 1 < capacity) return;
    while (length > 0 && ((unsigned char)text[length - 1] & 0xC0) == 0x80) length--;
    if (length > 0 && (unsigned char)text[length - 1] >= 0xC0) length--;
    text[length] = '\0';
}

/* Copies line `line` of the text into error->source, cut around the column so that the caret shows.
 */
static void copy_source_line(taut_error *error, taut_place place) {
    const char *p = place.text, *end = place.text + place.text_length;
    for (int line = 1; line < place.line && p < end; p++)
        if (*p == '\n') line++;
    const char *stop = p;
    while (stop < end && *stop != '\n' && *stop != '\r' && *stop != '\0') stop++;

    const char *at = p; /* the byte of the column */
    for (int column = 1; column < place.column && at < stop; column++) {
        at++;
        while (at < stop && ((unsigned char)*at & 0xC0) == 0x80) at++;
    }
    const long room = (long)sizeof error->source - 1;
    if (at - p > room - 40) {
        p = at - (room - 40);
        while (p < at && ((unsigned char)*p & 0xC0) == 0x80) p++;
    }
    long length = stop - p < room ? stop - p : room;
    for (long i = 0; i < length; i++) {
        unsigned char c = (unsigned char)p[i];
        error->source[i] =
            (c < 0x20 || c == 0x7F) ? ' ' : (char)c; /* tabs and junk keep the caret */
    }
    error->source[length] = '\0';
    trim_cut(error->source, sizeof error->source);
    for (const char *q = p; q < at; q++)
        if (((unsigned char)*q & 0xC0) != 0x80) error->caret++;
}

static void fill(taut_error *error, taut_status status, const char *format, va_list args) {
    error->status = status;
    char text[sizeof error->message];
    taut_format_list(text, sizeof text, format, args);
    trim_cut(text, sizeof text);
    taut_text_escape(text, error->message, sizeof error->message, true);
}

taut_status taut_fail(taut_errors *errors, taut_status status, const char *format, ...) {
    taut_error *error = next_slot(errors);
    if (error) {
        va_list args;
        va_start(args, format);
        fill(error, status, format, args);
        va_end(args);
    }
    return status;
}

taut_status taut_refuse_null(const char *function, const char *name, taut_errors *errors) {
    return taut_fail(errors, TAUT_ERR_CALL, "%s: %s is NULL", function, name);
}

bool taut_errors_would_show(const taut_errors *errors, taut_place place) {
    return errors && errors->count < TAUT_ERRORS_MAX && !taut_place_is_blamed(errors, place);
}

bool taut_place_is_blamed(const taut_errors *errors, taut_place place) {
    for (int i = 0; errors && place.note && place.path && i < errors->count; i++)
        if (errors->item[i].line == place.line && errors->item[i].column == place.column &&
            strncmp(errors->item[i].path, place.path, sizeof errors->item[i].path - 1) == 0)
            return true;
    return false;
}

taut_status taut_fail_at(taut_errors *errors, taut_status status, taut_place place,
                         const char *format, ...) {
    taut_error *error = taut_place_is_blamed(errors, place) ? NULL : next_slot(errors);
    if (error) {
        va_list args;
        va_start(args, format);
        fill(error, status, format, args);
        va_end(args);
        const size_t used = strlen(error->message);
        if (place.note)
            snprintf(error->message + used, sizeof error->message - used, " (%s)", place.note);
        if (place.path) snprintf(error->path, sizeof error->path, "%s", place.path);
        trim_cut(error->path, sizeof error->path);
        error->line = place.line;
        error->column = place.column;
        if (place.text && place.line > 0) copy_source_line(error, place);
    }
    return status;
}

static bool is_same_place(const taut_error *a, const taut_error *b) {
    return a->line == b->line && a->column == b->column && strcmp(a->path, b->path) == 0;
}

static bool comes_before(const taut_error *a, const taut_error *b) {
    if (strcmp(a->path, b->path) != 0 || a->line == 0 || b->line == 0) return false;
    return a->line < b->line || (a->line == b->line && a->column < b->column);
}

void taut_errors_join(taut_errors *errors, const taut_errors *more) {
    if (!errors) return;
    const int old = errors->count;
    errors->dropped += more->dropped;
    for (int i = 0; i < more->count; i++) {
        taut_error *slot;
        bool known = false;
        for (int k = 0; k < old && !known; k++)
            known = is_same_place(&errors->item[k], &more->item[i]);
        if (!known && (slot = next_slot(errors))) *slot = more->item[i];
    }
    for (int i = 1; i < errors->count; i++) /* few, and nearly in order */
        for (int k = i; k > 0 && comes_before(&errors->item[k], &errors->item[k - 1]); k--) {
            const taut_error swap = errors->item[k];
            errors->item[k] = errors->item[k - 1];
            errors->item[k - 1] = swap;
        }
}

int taut_error_format(const taut_error *error, char *text, int size) {
    char where[1200] = "", path[1100];
    if (!text || size < 0) size = 0;
    if (!error) {
        if (size > 0) text[0] = '\0';
        return 0;
    }
    taut_text_escape(error->path, path, sizeof path, false);
    if (path[0] && error->line > 0)
        snprintf(where, sizeof where, "%s:%d:%d: ", path, error->line, error->column);
    else if (path[0])
        snprintf(where, sizeof where, "%s: ", path);
    const char *word = error->status > 0 ? "stopped" : error->status < 0 ? "error" : "warning";
    if (!error->source[0])
        return snprintf(text, (size_t)size, "%s%s: %s\n", where, word, error->message);
    return snprintf(text, (size_t)size, "%s%s: %s\n  %s\n  %*s\n", where, word, error->message,
                    error->source, error->caret + 1, "^");
}
