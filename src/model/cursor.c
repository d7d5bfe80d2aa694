/* Characters of a text and their places.
 *
 * libyaml's marks count characters, and take NEL, LS and PS for line breaks; messages count lines
 * as editors do. */
#include "model/cursor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const taut_cursor taut_text_start = {.line = 1, .column = 1};

/* ---- characters and cursors ---- */

bool taut_is_continuation(char c) { return ((unsigned char)c & 0xC0) == 0x80; }

bool taut_is_break(unsigned code) {
    return code == '\n' || code == '\r' || code == 0x85 || code == 0x2028 || code == 0x2029;
}

bool taut_is_blank(unsigned code) { return code == ' ' || code == '\t' || taut_is_break(code); }

int taut_decode(const char *p, const char *end, unsigned *code) {
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char lead = (unsigned char)*p;
    *code = lead;
    if (lead < 0x80) return 1;
    const int n = lead >= 0xF8 ? 0 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 0;
    if (n == 0 || end - p < n) return 0;
    unsigned value = lead & (0x7Fu >> n);
    for (int i = 1; i < n; i++) {
        if (!taut_is_continuation(p[i])) return 0;
        value = value << 6 | ((unsigned char)p[i] & 0x3F);
    }
    if (value < least[n] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) return 0;
    *code = value;
    return n;
}

static inline void step(const taut_doc *doc, taut_cursor *c) {
    const bool newline = doc->text[c->offset++] == '\n';
    while (c->offset < doc->length && taut_is_continuation(doc->text[c->offset])) c->offset++;
    c->index++;
    c->line += newline;
    c->column = newline ? 1 : c->column + 1;
}

void taut_cursor_seek_index(const taut_doc *doc, taut_cursor *c, size_t index) {
    taut_cursor at = (long)index < c->index ? taut_text_start : *c; /* in registers */
    while (at.index < (long)index && at.offset < doc->length) step(doc, &at);
    *c = at;
}

void taut_cursor_seek(const taut_doc *doc, taut_cursor *c, long offset) {
    while (c->offset < offset && c->offset < doc->length) step(doc, c);
}

taut_cursor taut_cursor_of(const taut_yaml *node) {
    return (taut_cursor){.offset = node->start, .line = node->line, .column = node->column};
}

taut_place taut_cursor_place(const taut_doc *doc, taut_cursor c) {
    return (taut_place){.path = doc->path,
                        .text = doc->hidden ? NULL : doc->text,
                        .text_length = doc->length,
                        .line = c.line,
                        .column = c.column};
}

/* ---- the text as a whole ---- */

/* The characters that libyaml's reader takes, but for a byte order mark inside the text. */
static bool is_text(unsigned code) {
    if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
    if (code >= 0x7F && code < 0xA0) return code == 0x85;
    return code != 0xFEFF && code != 0xFFFE && code != 0xFFFF;
}

static taut_status not_text(const taut_doc *doc, long offset, unsigned code, taut_errors *errors) {
    const char *bytes = doc->text + offset;
    char why[80];
    taut_cursor c = taut_text_start;
    taut_cursor_seek(doc, &c, offset);
    if (offset == 0 && (!strncmp(bytes, "\xFF\xFE", 2) || !strncmp(bytes, "\xFE\xFF", 2)))
        snprintf(why, sizeof why, "it is UTF-16; save it as UTF-8");
    else if (code == 0)
        snprintf(why, sizeof why, "it contains a NUL byte");
    else if (taut_decode(bytes, doc->text + doc->length, &code))
        snprintf(why, sizeof why, "it contains the control character U+%04X", code);
    else
        snprintf(why, sizeof why, "byte 0x%02X is not UTF-8; save it as UTF-8", code);
    taut_place place = taut_cursor_place(doc, c);
    place.text_length = offset; /* shows the line only up to here: the rest may be anything */
    return taut_fail_at(errors, TAUT_ERR_INPUT, place, "this is not a text file: %s", why);
}

taut_status taut_doc_check_text(const taut_doc *doc, taut_errors *errors) {
    const char *text = doc->text, *end = text + doc->length;
    unsigned code, before = '\n';
    int n = 0;
    for (const char *p = text; p < end; p += n, before = code) {
        n = 1, code = (unsigned char)*p;
        if (code >= ' ' && code < 0x7F && code != '%') continue; /* nearly all of it */
        n = taut_decode(p, end, &code);
        if (n == 0 || !is_text(code)) return not_text(doc, p - text, code, errors);
        if (code == '%' && taut_is_break(before) && !strncmp(p, "%TAG", 4)) {
            taut_cursor c = taut_text_start;
            taut_cursor_seek(doc, &c, p - text);
            return taut_fail_at(errors, TAUT_ERR_INPUT, taut_cursor_place(doc, c),
                                "%%TAG directives are not supported; remove this line");
        }
    }
    return TAUT_OK;
}

/* ---- places of nodes and inside scalars ---- */

taut_place taut_yaml_place(const taut_yaml *node) {
    taut_place place = taut_cursor_place(node->context->doc, taut_cursor_of(node));
    place.note = node->context->note;
    return place;
}

/* The piece of a scalar's source at p that stands for one character: returns its bytes, *code the
 * character. An escaped line break stands for none; it counts as a blank. */
static long next_piece(const char *p, const char *end, taut_yaml_style style, unsigned *code) {
    if (style == TAUT_YAML_SINGLE_QUOTED && end - p > 1 && p[0] == '\'' && p[1] == '\'') {
        *code = '\'';
        return 2;
    }
    const bool escape = style == TAUT_YAML_DOUBLE_QUOTED && end - p > 1 && p[0] == '\\';
    p += escape;
    int n = taut_decode(p, end, code);
    if (n == 0) n = 1;
    if (!escape) return n;
    int digits = *code == 'x' ? 2 : *code == 'u' ? 4 : *code == 'U' ? 8 : 0;
    if (end - p <= digits) digits = 0;
    if (digits > 0) {
        char hex[9] = {0};
        memcpy(hex, p + 1, (size_t)digits);
        *code = (unsigned)strtoul(hex, NULL, 16);
    } else if (*code < 0x80 && strchr("ntrNLP", (int)*code)) {
        *code = ' ';
    }
    return 1 + n + digits;
}

/* A place in a scalar's text by what folding and quoting leave alone. */
typedef struct landmark {
    long ink; /* characters before it that are not blank */
    long gap; /* blanks since the last of them */
    bool on_ink;
} landmark;

static landmark find_landmark(const taut_yaml *scalar, long offset) {
    if (offset < 0) offset = 0;
    if (offset > scalar->length) offset = scalar->length;
    const char *stop = scalar->text + offset, *end = scalar->text + scalar->length;
    while (stop > scalar->text && taut_is_continuation(*stop)) stop--;
    landmark mark = {0};
    unsigned code;
    for (const char *p = scalar->text; p < stop;) {
        p += next_piece(p, end, TAUT_YAML_PLAIN, &code);
        mark.gap = taut_is_blank(code) ? mark.gap + 1 : 0;
        mark.ink += !taut_is_blank(code);
    }
    if (stop < end) {
        next_piece(stop, end, TAUT_YAML_PLAIN, &code);
        mark.on_ink = !taut_is_blank(code);
    }
    return mark;
}

taut_place taut_yaml_place_at(const taut_yaml *scalar, long offset) {
    const taut_doc *doc = scalar->context->doc;
    if (scalar->kind != TAUT_YAML_SCALAR || scalar->made) return taut_yaml_place(scalar);
    landmark mark = find_landmark(scalar, offset);
    const taut_yaml_style style = scalar->style;
    const char *p = doc->text + scalar->start, *end = doc->text + scalar->end;
    unsigned code;

    /* leave the quotes, or the first line of a block scalar */
    if (style == TAUT_YAML_SINGLE_QUOTED || style == TAUT_YAML_DOUBLE_QUOTED) {
        p++;
        end--;
    } else if (style == TAUT_YAML_LITERAL || style == TAUT_YAML_FOLDED) {
        for (code = 0; p < end && !taut_is_break(code);) p += next_piece(p, end, style, &code);
    }
    /* as many characters as in the text */
    while (mark.ink > 0 && p < end) {
        p += next_piece(p, end, style, &code);
        mark.ink -= !taut_is_blank(code);
    }
    /* then over all blanks onto a character, or over the blanks of the text on the same line */
    while (p < end && (mark.on_ink || mark.gap > 0)) {
        const long n = next_piece(p, end, style, &code);
        if (!taut_is_blank(code) || (!mark.on_ink && taut_is_break(code))) break;
        p += n;
        mark.gap--;
    }
    taut_cursor c = taut_cursor_of(scalar);
    taut_cursor_seek(doc, &c, p - doc->text);
    taut_place place = taut_cursor_place(doc, c);
    place.note = scalar->context->note;
    return place;
}
