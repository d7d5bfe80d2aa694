/* `taut help TOPIC`: the sections of topics.txt, which the assembler takes in, and the help of the
 * commands. */
#include "cli/topics.h"

#include <stdio.h>
#include <string.h>

#include "cli/help.h"
#include "cli/option_table.h"
#include "cli/words.h"

__asm__(".section .rodata\n"
        ".hidden topics_text\n"
        ".global topics_text\n"
        "topics_text:\n"
        ".incbin \"" TAUT_TOPICS "\"\n"
        ".byte 0\n"
        ".previous\n");
extern const char topics_text[];

static const char MARK[] = "\n== ";

/* The next heading from here on: behind its mark; NULL: there is none. */
static const char *next_heading(const char *at) {
    const char *mark = strstr(at, MARK);
    return mark ? mark + strlen(MARK) : NULL;
}

static void list_topics(FILE *out) {
    fprintf(out, "the topics are");
    const char *comma = " ";
    for (const char *at = topics_text; (at = next_heading(at)) != NULL; comma = ", ")
        fprintf(out, "%s%.*s", comma, (int)strcspn(at, ":"), at);
    fprintf(out, ", and the commands");
    for (int i = 0; i < COMMANDS; i++) fprintf(out, "%s %s", i ? "," : "", COMMAND[i].name);
    fprintf(out, "\n");
}

/* A section: "name: title", then its text up to the next mark. */
static bool print_section(const char *topic) {
    const size_t length = strlen(topic);
    for (const char *at = topics_text; (at = next_heading(at)) != NULL;) {
        if (strncmp(at, topic, length) != 0 || at[length] != ':') continue;
        const char *end = strstr(at, MARK);
        at += length + strspn(at + length, ": ");
        printf("%.*s\n", end ? (int)(end - at) : (int)strlen(at), at);
        return true;
    }
    return false;
}

int print_topic(const char *topic) {
    if (!topic) {
        printf("taut help TOPIC: ");
        list_topics(stdout);
        return EXIT_DONE;
    }
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(COMMAND[i].name, topic) == 0) {
            print_help(COMMAND[i].command);
            return EXIT_DONE;
        }
    if (print_section(topic)) return EXIT_DONE;
    fprintf(stderr, "taut: error: no help on '%s'; ", shown(topic));
    list_topics(stderr);
    return EXIT_WRONG;
}
