/* Small things about text: similar names, growing strings. */
#ifndef TAUT_CORE_TEXT_H
#define TAUT_CORE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Letters and digits of ASCII, whatever the locale says of the bytes of other characters. */
static inline bool taut_is_upper(char c) { return c >= 'A' && c <= 'Z'; }
static inline bool taut_is_lower(char c) { return c >= 'a' && c <= 'z'; }
static inline bool taut_is_letter(char c) { return taut_is_upper(c) || taut_is_lower(c); }
static inline bool taut_is_digit(char c) { return c >= '0' && c <= '9'; }

/* How many letters have to be changed, added, dropped or swapped to turn a into b (a change of case
 * counts as little as one such step); more than `limit` is reported as limit + 1. */
int taut_text_distance(const char *a, const char *b, int limit);

/* Writes text with control characters, marks of direction and bytes that are not UTF-8 as escapes
 * (\e, \x07, \u202e); keep_lines: but for ends of lines. At most size bytes, terminated, no escape
 * or character cut; returns the length that it needs. */
size_t taut_text_escape(const char *text, char *to, size_t size, bool keep_lines);

/* A search for the name nearest to `wanted`. Start with {wanted}, offer names, read best (NULL:
 * none is near enough to be worth a suggestion). */
typedef struct taut_nearest {
    const char *wanted;
    const char *best;
    int distance;
} taut_nearest;
void taut_nearest_offer(taut_nearest *nearest, const char *name);

/* A string that grows; {0} is empty. After a failed allocation `failed` is set and text stays good.
 */
typedef struct taut_string {
    char *text; /* terminated; NULL while empty */
    size_t length, room;
    bool failed;
} taut_string;
__attribute__((format(printf, 2, 3))) void taut_string_add(taut_string *string, const char *format,
                                                           ...);
void taut_string_release(taut_string *string);

#endif
