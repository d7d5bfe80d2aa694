/* What a caller allows a computation: to go on, and how much memory for what can be told before.
 *
 * They belong to the thread, from taut_bounds_begin to taut_bounds_end; so whoever works long asks
 * without being handed anything. The inner ones of two count; what they leave open, the outer ones
 * say. */
#ifndef TAUT_CORE_BOUNDS_H
#define TAUT_CORE_BOUNDS_H

#include <stdbool.h>

#include "core/status.h"

/* If nothing is said: bytes of a table of results, or of a matrix at the start. */
#define TAUT_MEMORY_DEFAULT 4e9

typedef struct taut_bounds {
    int (*stop)(void *user); /* anything but 0 stops; NULL: the outer ones, or nobody */
    void *user;
    double memory; /* bytes; 0: those of the outer ones, or the default */
    /* the rest is for taut_bounds_begin */
    double next; /* when to ask again, in seconds */
    bool stopped;
    struct taut_bounds *outer;
} taut_bounds;

/* `bounds` must outlive what is between; ends come in the reverse order. */
void taut_bounds_begin(taut_bounds *bounds);
void taut_bounds_end(taut_bounds *bounds);

/* Is there somebody who could stop what this thread does? */
bool taut_bounds_are_set(void);
/* TAUT_INTERRUPTED once the caller has said so, and from then on. Asks him fifty times a second at
 * most, so it may be called often: from time to time within a tenth of a second. */
taut_status taut_bounds_ask(void);
/* TAUT_ERR_INPUT with a message if `what` would have so many rows and columns of doubles that it
 * takes more memory than is allowed. */
taut_status taut_bounds_check(const char *what, double rows, double columns, taut_errors *errors);
/* How many things of so many bytes each fit into the memory of this machine; never less than
 * `least`, nor more than a number of nodes can be. */
int taut_bounds_fitting(double bytes, int least);

#endif
