/* Characters of UTF-8. */
#ifndef TAUT_CORE_UTF8_H
#define TAUT_CORE_UTF8_H

enum { TAUT_UTF8_NONE = 0xfffd }; /* stands for bytes that are no character */

/* Reads the character at *text, which is not at its end, and moves on. */
unsigned taut_utf8_next(const char **text);
int taut_utf8_count(const char *text);

#endif
