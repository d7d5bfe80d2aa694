/* Reading the command line: its words, what was meant by wrong ones, and what goes together. */
#include "cli/args.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/option_table.h"
#include "cli/option_values.h"
#include "cli/words.h"

/* True if one letter put in, left out or changed, or two letters exchanged, make one word the
 * other. */
static bool similar(const char *a, size_t m, const char *b, size_t n) {
    size_t front = 0, back = 0;
    while (front < m && front < n && a[front] == b[front]) front++;
    while (back < m - front && back < n - front && a[m - 1 - back] == b[n - 1 - back]) back++;
    const size_t left = m - front - back, right = n - front - back;
    return (left <= 1 && right <= 1) ||
           (left == 2 && right == 2 && a[front] == b[front + 1] && a[front + 1] == b[front]);
}

/* True if one of two options is the beginning of the other, as in --tolerance and --tol. */
static bool begins(const char *a, size_t m, const char *b, size_t n) {
    const size_t common = m < n ? m : n;
    return common >= 5 && strncmp(a, b, common) == 0;
}

static bool unknown_option(const arguments *a, const char *word, size_t length) {
    const char *other = NULL; /* a command that has it */
    const char *near = NULL, *longer = NULL;
    for (int k = 0; k < OPTIONS; k++) {
        const char *name = OPTION[k].name;
        const bool here = a->command == COMMAND_NONE || OPTION[k].commands & (int)a->command;
        if (strlen(name) == length && strncmp(name, word, length) == 0)
            for (int c = 0; c < COMMANDS; c++)
                if (!other && OPTION[k].commands & (int)COMMAND[c].command) other = COMMAND[c].name;
        if (here && length > 2 && similar(name, strlen(name), word, length)) near = name;
        if (here && begins(name, strlen(name), word, length)) longer = name;
    }
    if (!near) near = longer;
    const char *command = command_name(a->command);
    char option[200];
    snprintf(option, sizeof option, "%.*s", (int)length, word);
    fprintf(stderr, "taut: error: ");
    if (other)
        fprintf(stderr, "%s is an option of taut %s, not of taut %s%s\n", option, other, command,
                a->command == COMMAND_RUN && strncmp(word, "--json", length) == 0
                    ? "; for results as JSON: -o FILE.json"
                    : "");
    else if (near)
        fprintf(stderr, "unknown option %s; did you mean %s?\n", shown(option), near);
    else
        fprintf(stderr, "unknown option %s; see taut%s%s --help\n", shown(option),
                command[0] ? " " : "", command);
    return false;
}

/* The option that argv[i] is, with its value taken from it (--x=v) or from the next word. */
static bool read_option(arguments *a, int argc, char **argv, int *i) {
    const char *word = argv[*i], *equals = strchr(word, '=');
    const size_t length = equals && word[1] == '-' ? (size_t)(equals - word) : strlen(word);
    for (int k = 0; k < OPTIONS; k++) {
        if (strlen(OPTION[k].name) != length || strncmp(OPTION[k].name, word, length) != 0)
            continue;
        if (a->command != COMMAND_NONE && !(OPTION[k].commands & (int)a->command)) break;
        const char *value = length < strlen(word) ? word + length + 1 : NULL;
        if (!OPTION[k].value && value)
            return option_is_wrong(OPTION[k].name, value, "this option takes no value");
        if (OPTION[k].value && !value) {
            if (*i + 1 >= argc) {
                fprintf(stderr, "taut: error: %s needs a value: %s %s\n", word, word,
                        OPTION[k].value);
                return false;
            }
            value = argv[++*i];
        }
        a->seen[k] = true;
        return option_apply(a, OPTION[k].option, OPTION[k].name, value ? value : "");
    }
    return unknown_option(a, word, length);
}

static bool read_command(arguments *a, const char *word) {
    for (int k = 0; k < COMMANDS; k++)
        if (strcmp(COMMAND[k].name, word) == 0) {
            a->command = COMMAND[k].command;
            return true;
        }
    fprintf(stderr, "taut: error: unknown command '%s'; ", shown(word));
    for (int k = 0; k < COMMANDS; k++)
        if (similar(COMMAND[k].name, strlen(COMMAND[k].name), word, strlen(word)))
            fprintf(stderr, "did you mean %s? ", COMMAND[k].name);
    if (strchr(word, '.')) fprintf(stderr, "if it is a file: taut run %s; ", shown(word));
    fprintf(stderr, "the commands are");
    for (int k = 0; k < COMMANDS; k++) fprintf(stderr, "%s %s", k ? "," : "", COMMAND[k].name);
    fprintf(stderr, " (taut --help tells more)\n");
    return false;
}

static bool was_seen(const arguments *a, option_id option) {
    for (int k = 0; k < OPTIONS; k++)
        if (OPTION[k].option == option && a->seen[k]) return true;
    return false;
}

/* A word that is no option: the command, its file, or one more word where it takes one. */
static bool read_word(arguments *a, const char *word) {
    if (a->command == COMMAND_NONE) return read_command(a, word);
    if (a->file && a->command == COMMAND_DIFF && a->columns == 0) {
        a->column[a->columns++] = word;
    } else if (a->file && a->command == COMMAND_PLOT) {
        if (a->columns == MOST_COLUMNS) return option_is_wrong("plot", word, "too many columns");
        a->column[a->columns++] = word;
    } else if (a->command == COMMAND_SCHEMA) {
        fprintf(stderr, "taut: error: taut schema takes no file, but there is '%s'\n", shown(word));
        return false;
    } else if (a->file) {
        fprintf(stderr, "taut: error: one file at a time: '%s' or '%s'?\n", shown(a->file),
                shown(word));
        return false;
    } else {
        a->file = word;
    }
    return true;
}

/* Does the command have these options, and do they go together? */
static bool check_options(const arguments *a) {
    for (int k = 0; k < OPTIONS; k++) /* options may stand before the command */
        if (a->seen[k] && !(OPTION[k].commands & (int)a->command))
            return unknown_option(a, OPTION[k].name, strlen(OPTION[k].name));
    if (was_seen(a, OPTION_CERTIFY) && was_seen(a, OPTION_NO_CERTIFY))
        return option_is_wrong("--certify", "--no-certify", "leave out one of the two");
    if (was_seen(a, OPTION_SEED) && a->command == COMMAND_SWEEP && !was_seen(a, OPTION_SAMPLES))
        return option_is_wrong("--seed", "...", "there are no random numbers without --samples");
    if (a->at_rest && was_seen(a, OPTION_LOAD_STATE))
        return option_is_wrong(
            "--load-state", a->load_state,
            "an equilibrium is to be the start already; leave out one of the two");
    if (was_seen(a, OPTION_TOL) && was_seen(a, OPTION_TOLS))
        return option_is_wrong("--tol", "--tols", "leave out one of the two");
    return true;
}

bool arguments_read(arguments *a, int argc, char **argv) {
    a->argc = argc;
    a->argv = argv;
    a->run = taut_run_options_default();
    a->linear = taut_linear_options_default();
    bool only_files = false;
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (!only_files && strcmp(word, "--") == 0) {
            only_files = true;
        } else if (!only_files && word[0] == '-' && word[1] != '\0') {
            if (!read_option(a, argc, argv, &i)) return false;
        } else if (!read_word(a, word)) {
            return false;
        }
    }
    if (a->help || a->version || a->licences || a->completion) return true;
    if (a->command == COMMAND_NONE) {
        fprintf(stderr, "taut: error: say what to do: taut run FILE (taut --help tells more)\n");
        return false;
    }
    if (!check_options(a)) return false;
    if (!(a->command & (COMMAND_SCHEMA | COMMAND_HELP)) && (!a->file || !a->file[0])) {
        const bool kind = a->command == COMMAND_NEW;
        fprintf(stderr, "taut: error: which %s? taut %s %s\n", kind ? "kind" : "file",
                command_name(a->command), kind ? "linkage, or space, lagrangian, dae" : "FILE");
        return false;
    }
    return true;
}

void arguments_release(arguments *a) {
    free(a->times);
    taut_state_free(&a->from);
    for (int i = 0; i < a->texts; i++) free(a->override_text[i]);
}
