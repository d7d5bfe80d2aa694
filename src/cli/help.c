/* The texts of --help, from the tables. */
#include "cli/help.h"

#include <stdio.h>
#include <string.h>

#include "cli/option_table.h"

enum { SCREEN = 80, LEFT = 25 }; /* columns; where the words on options begin */

/* Words from column `left` on, where the line is at column `at`, as many lines as they need. */
static void print_wrapped(const char *words, int at, int left) {
    printf("%*s", at < left ? left - at : 0, "");
    for (int used = at < left ? left : at, first = 1; *words; first = 0) {
        const int n = (int)strcspn(words, " ");
        if (!first && used + 1 + n >= SCREEN) {
            printf("\n%*s", left, "");
            used = left;
        } else if (!first) {
            printf(" ");
            used++;
        }
        printf("%.*s", n, words);
        used += n;
        words += n;
        words += strspn(words, " ");
    }
    printf("\n");
}

void print_help(command_id command) {
    if (command == COMMAND_NONE) {
        printf("taut %s: motion from a model file, accurate to nearly the last digit\n\n"
               "usage: taut COMMAND FILE [options]\n\n",
               taut_version());
        for (int i = 0; i < COMMANDS; i++) {
            const int at = printf("  taut %-8s %s  ", COMMAND[i].name, COMMAND[i].words);
            print_wrapped(COMMAND[i].help, at, LEFT + 7);
        }
        printf("\n  taut COMMAND --help, taut --version [--licences]\n\n"
               "Exit status: 0 done; 1 the simulation could not be finished (what was computed\n"
               "is written); 2 the input or the call is wrong.\n");
        return;
    }
    for (int i = 0; i < COMMANDS; i++)
        if (COMMAND[i].command == command) {
            printf("usage: taut %s %s [options]\n\n", COMMAND[i].name, COMMAND[i].words);
            print_wrapped(COMMAND[i].help, 0, 0);
            printf("\n");
        }
    for (int i = 0; i < OPTIONS; i++) {
        if (!(OPTION[i].commands & (int)command) || !OPTION[i].help) continue;
        const int at = printf("  %s %s", OPTION[i].name, OPTION[i].value ? OPTION[i].value : "");
        if (at >= LEFT) printf("\n");
        print_wrapped(OPTION[i].help, at >= LEFT ? 0 : at, LEFT);
    }
}
