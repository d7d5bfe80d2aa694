/* The texts of --help, from the tables: what one uses first, then the rest by what it is about. */
#include "cli/help.h"

#include <stdio.h>
#include <string.h>

#include "cli/option_table.h"

enum { SCREEN = 80, LEFT = 25 }; /* columns; where the words on options begin */
enum { NONE = -1 };              /* ends a list of options */

static const struct {
    const char *title;
    int option[32];
} GROUP[] = {
    {"used first", {OPTION_TEND,      OPTION_SET,   OPTION_OUTPUT, OPTION_AT,      OPTION_TOL,
                    OPTION_REACTIONS, OPTION_OPEN,  OPTION_ASCII,  OPTION_VARY,    OPTION_REPORT,
                    OPTION_DRIVE,     OPTION_REACH, OPTION_IN,     OPTION_OUT,     OPTION_C,
                    OPTION_FMU,       OPTION_BUILD, OPTION_WITH,   OPTION_EXPLAIN, NONE}},
    {"accuracy",
     {OPTION_RTOL, OPTION_ATOL, OPTION_TOLS, OPTION_ERROR, OPTION_PROJECTION, OPTION_ORDER,
      OPTION_STEP, OPTION_MAX_STEP, OPTION_CERTIFY, OPTION_NO_CERTIFY, NONE}},
    {"method",
     {OPTION_FORMULATION, OPTION_SOLVER, OPTION_BASE, OPTION_SUBSPACE, OPTION_CONTINUATION,
      OPTION_CUT, OPTION_MULTIPLIERS, OPTION_STABILIZE, OPTION_ALPHA, OPTION_BETA, NONE}},
    {"start",
     {OPTION_INPUT, OPTION_STARTS, OPTION_EQUILIBRIUM, OPTION_FROM_EQUILIBRIUM, OPTION_LOAD_STATE,
      NONE}},
    {"results", {OPTION_COLUMNS, OPTION_UNITS,      OPTION_UNITS_ROW,
                 OPTION_HEADER,  OPTION_EVERY,      OPTION_DERIVATIVES,
                 OPTION_DIGITS,  OPTION_AXES,       OPTION_SUBSPACE_COLUMNS,
                 OPTION_EVENTS,  OPTION_SAVE_STATE, OPTION_STATS,
                 OPTION_JSON,    OPTION_AGAINST,    OPTION_PANELS,
                 OPTION_EQUAL,   OPTION_SIZE,       OPTION_LOG_X,
                 OPTION_LOG_Y,   OPTION_NYQUIST,    NONE}},
    {"other", {NONE}}}; /* all that is in none of these */
enum { GROUPS = sizeof GROUP / sizeof GROUP[0] };

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

static void print_overview(void) {
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
}

static bool is_in(int group, option_id option) {
    for (const int *o = GROUP[group].option; *o != NONE; o++)
        if (*o == (int)option) return true;
    return false;
}

static int group_of(option_id option) {
    int group = 0;
    while (group < GROUPS - 1 && !is_in(group, option)) group++;
    return group;
}

static void print_option(const option_row *row) {
    const int at = printf("  %s %s", row->name, row->value ? row->value : "");
    if (at >= LEFT) printf("\n");
    print_wrapped(row->help, at >= LEFT ? 0 : at, LEFT);
}

static bool has_option(command_id command, const option_row *row) {
    return row->help && row->commands & (int)command;
}

/* The options of a group that a command has, in the order of the group; what is in no group in that
 * of the table. */
static int list_group(int group, command_id command, const option_row **row) {
    int count = 0;
    for (const int *o = GROUP[group].option; *o != NONE; o++)
        for (int i = 0; i < OPTIONS; i++)
            if ((int)OPTION[i].option == *o && has_option(command, &OPTION[i]))
                row[count++] = &OPTION[i];
    for (int i = 0; group == GROUPS - 1 && i < OPTIONS; i++)
        if (group_of(OPTION[i].option) == group && has_option(command, &OPTION[i]))
            row[count++] = &OPTION[i];
    return count;
}

static void print_group(int group, command_id command) {
    const option_row *row[MOST_OPTIONS];
    const int count = list_group(group, command, row);
    if (count > 0) printf("\n%s:\n", GROUP[group].title);
    for (int i = 0; i < count; i++) print_option(row[i]);
}

void print_help(command_id command) {
    if (command == COMMAND_NONE) {
        print_overview();
        return;
    }
    for (int i = 0; i < COMMANDS; i++)
        if (COMMAND[i].command == command) {
            printf("usage: taut %s %s [options]\n\n", COMMAND[i].name, COMMAND[i].words);
            print_wrapped(COMMAND[i].help, 0, 0);
        }
    for (int group = 0; group < GROUPS; group++) print_group(group, command);
}
