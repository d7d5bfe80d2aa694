/* Chapters of the guide are run as they are printed: a model file is what stands in the YAML block
 * after its name, and below a line with $ stands what the program says. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

static char *read_whole(const char *path) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = calloc(1, 1000000);
    assert_non_null(text);
    assert_true(fread(text, 1, 999999, file) > 0);
    fclose(file);
    return text;
}

/* The last `name.yaml` before a block. */
static bool find_name(const char *chapter, const char *block, char *name, size_t size) {
    const char *best = NULL;
    for (const char *p = strstr(chapter, ".yaml`"); p && p < block; p = strstr(p + 1, ".yaml`"))
        best = p;
    if (!best) return false;
    const char *begin = best;
    while (begin > chapter && begin[-1] != '`') begin--;
    snprintf(name, size, "%.*s", (int)(best - begin) + 5, begin);
    return !strchr(name, ' ');
}

/* What a command says, both streams. */
static void run(const char *command, int length, char *said, size_t size) {
    char line[2000];
    snprintf(line, sizeof line, "{ taut() { '%s' \"$@\"; }; %.*s; } 2>&1", TAUT_PROGRAM, length,
             command);
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    const size_t n = fread(said, 1, size - 1, pipe);
    said[n] = '\0';
    pclose(pipe);
}

static void check_block(const char *text, const char *end) {
    static char said[20000];
    const char *line = strchr(text, '\n');
    assert_non_null(line);
    run(text + 2, (int)(line - text - 2), said, sizeof said);
    const size_t n = (size_t)(end - line - 1);
    if (strlen(said) == n && strncmp(said, line + 1, n) == 0) return;
    print_error("%.*s\nsays\n%s", (int)(line - text), text, said);
    fail();
}

/* From one heading to another one. */
static void check_chapter(char *guide, const char *from, const char *to) {
    char *begin = strstr(guide, from), *end = begin ? strstr(begin, to) : NULL;
    int blocks = 0;
    assert_non_null(end);
    for (char *p = strstr(begin, "```"); p && p < end;) {
        char *body = strchr(p, '\n') + 1, *stop = strstr(body, "```"), name[100];
        assert_non_null(stop);
        if (strncmp(p, "```yaml\n", 8) == 0 && find_name(begin, p, name, sizeof name))
            program_write(name, body, stop - body);
        if (strncmp(body, "$ taut", 6) == 0) {
            check_block(body, stop);
            blocks++;
        }
        p = strstr(stop + 3, "```");
    }
    assert_true(blocks > 0);
}

static void test_chapters_say_what_happens(void **state) {
    (void)state;
    char *guide = read_whole(TAUT_SOURCE_DIR "/docs/guide.md");
    check_chapter(guide, "\n## Rest and small motions", "\n## Inverse dynamics");
    check_chapter(guide, "\n## Inverse dynamics", "\n## Kinematics");
    check_chapter(guide, "\n## Kinematics", "\n## Backward");
    free(guide);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(
        test_chapters_say_what_happens, program_enter, program_leave)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
