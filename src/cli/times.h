/* Times of --at: a list with commas, or a file of them. */
#ifndef TAUT_CLI_TIMES_H
#define TAUT_CLI_TIMES_H

#include <stdbool.h>
#include <stddef.h>

/* Reads "t1,t2,..." or "@FILE": numbers with commas, spaces or lines between them, # begins a
 * comment. *times is for free(). False: *why says what is wrong, as words that follow the option
 * and its value; nothing is allocated then. */
bool times_read(const char *text, double **times, int *count, char *why, size_t size);

#endif
