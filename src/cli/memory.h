/* How the program gets its memory. */
#ifndef TAUT_CLI_MEMORY_H
#define TAUT_CLI_MEMORY_H

/* To be called before anything is allocated: the first memory comes in large pages, if the system
 * has them. A run touches a few megabytes once, while its equations are formed, and a small page
 * costs a microsecond. */
void memory_prepare(void);

#endif
