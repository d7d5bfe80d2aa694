/* Names and what is to be known about each: a table, so that very many of them are looked up in
 * time that grows with their number only. */
#ifndef TAUT_CORE_ROSTER_H
#define TAUT_CORE_ROSTER_H

#include "core/arena.h"
#include "core/status.h"

/* Empty when zeroed. */
typedef struct taut_roster {
    const char **name; /* [slots]; NULL: a free one */
    int *value;        /* [slots] 0 and above */
    size_t slots, count;
} taut_roster;

/* The value of a name from now on; its text must outlive the roster, as must the arena. */
taut_status taut_roster_put(taut_roster *roster, taut_arena *arena, const char *name, int value);
/* -1: it is not there. */
int taut_roster_get(const taut_roster *roster, const char *name);

#endif
