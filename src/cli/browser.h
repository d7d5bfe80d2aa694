/* A Chromium without a window that a page is opened in, and asked. */
#ifndef TAUT_CLI_BROWSER_H
#define TAUT_CLI_BROWSER_H

#include <stdbool.h>
#include <sys/types.h>

typedef struct browser {
    pid_t process;
    int to, from;       /* pipes of the DevTools protocol */
    int number;         /* of the last message */
    char profile[2048]; /* folder of its own */
    char session[80];   /* of the page */
    char *text;         /* what it has sent */
    size_t room, length;
} browser;

/* The name of a Chromium in PATH, or what the variable CHROMIUM says; NULL: there is none. */
const char *browser_find(void);
/* Opens the page of a file. To be closed in any case. */
bool browser_open(browser *b, const char *path);
/* The text that a JavaScript expression gives, which may be a promise; NULL: it has failed. It is
 * valid until the next call. */
const char *browser_ask(browser *b, const char *expression);
void browser_close(browser *b);

#endif
