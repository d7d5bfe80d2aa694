/* Whose work the program is, and on what terms. */
#ifndef TAUT_CLI_LICENCES_H
#define TAUT_CLI_LICENCES_H

/* Prints the licence of taut and the notices of what it is linked with, loads or embeds. */
void print_licences(void);

#endif
