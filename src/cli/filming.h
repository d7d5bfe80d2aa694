/* taut view --video: the page of a run as a film. */
#ifndef TAUT_CLI_FILMING_H
#define TAUT_CLI_FILMING_H

#include "cli/args.h"

/* Can there be such a film? Says why not: EXIT_DONE or EXIT_WRONG. */
int check_film(const char *output);
/* Films what the page in a file shows; an exit status, said why. */
int film_page(const char *page, const char *output);

#endif
