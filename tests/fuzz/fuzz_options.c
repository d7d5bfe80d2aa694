/* Fuzzes the command line: words between blanks, as `taut` gets them. What is understood is not
 * done. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"
#include "cli/help.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_WORDS = 40 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static arguments a;
    static FILE *nowhere;
    char *text = malloc(size + 1), *word[MOST_WORDS + 1], *rest = NULL;
    char name[] = "taut";
    int count = 0;
    if (!nowhere && !(nowhere = freopen("/dev/null", "w", stdout))) abort();
    if (!text) return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    word[count++] = name;
    for (char *w = strtok_r(text, " \n", &rest); w && count < MOST_WORDS;
         w = strtok_r(NULL, " \n", &rest))
        word[count++] = w;
    word[count] = NULL;
    if (arguments_read(&a, count, word)) {
        if (a.help) print_help(a.command);
        const bool answered = a.help || a.version || a.licences || a.completion;
        if (!answered && a.command == COMMAND_NONE) abort();
    }
    arguments_release(&a);
    free(text);
    return 0;
}
