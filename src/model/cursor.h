/* Places in a text: from characters and bytes to lines and columns. */
#ifndef TAUT_MODEL_CURSOR_H
#define TAUT_MODEL_CURSOR_H

#include "model/yaml.h"

/* A position in the text; index counts characters. */
typedef struct taut_cursor {
    long index, offset;
    int line, column;
} taut_cursor;

extern const taut_cursor taut_text_start;

/* Moves to a character, forth or back (marks come in file order, so that going back is rare); and
 * to a byte, forth. */
void taut_cursor_seek_index(const taut_doc *doc, taut_cursor *cursor, size_t index);
void taut_cursor_seek(const taut_doc *doc, taut_cursor *cursor, long offset);
taut_cursor taut_cursor_of(const taut_yaml *node);
taut_place taut_cursor_place(const taut_doc *doc, taut_cursor cursor);

/* Is it a byte of a character that began before? */
bool taut_is_continuation(char c);
/* What libyaml takes for a line break; what line folding may add, drop or change. */
bool taut_is_break(unsigned code);
bool taut_is_blank(unsigned code);
/* Decodes one UTF-8 character of [p, end); returns its bytes, or 0 if it is malformed. */
int taut_decode(const char *p, const char *end, unsigned *code);

/* Refuses what libyaml's reader would refuse, and %TAG, where libyaml takes quadratic time. */
taut_status taut_doc_check_text(const taut_doc *doc, taut_errors *errors);

#endif
