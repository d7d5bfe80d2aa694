/* Small things about text: similar names, growing strings. */
#ifndef TAUT_CORE_TEXT_H
#define TAUT_CORE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* How many letters have to be changed, added, dropped or swapped to turn a into b (a change of case
 * counts as little as one such step); more than `limit` is reported as limit + 1. */
int taut_text_distance(const char *a, const char *b, int limit);

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
