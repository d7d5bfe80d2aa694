/* `taut new`: commented models of each kind, in the folder `new` beside this file; the assembler
 * takes them in. */
#include "cli/starting.h"

#include <stdio.h>
#include <string.h>

#include "cli/paths.h"
#include "cli/words.h"

#define EMBED(name)                                                                                \
    __asm__(".section .rodata\n"                                                                   \
            ".hidden new_" #name "\n"                                                              \
            ".global new_" #name "\n"                                                              \
            "new_" #name ":\n"                                                                     \
            ".incbin \"" TAUT_NEW_FOLDER "/" #name ".yaml\"\n"                                     \
            ".byte 0\n"                                                                            \
            ".previous\n");                                                                        \
    extern const char new_##name[]

EMBED(linkage);
EMBED(space);
EMBED(lagrangian);
EMBED(dae);

static const struct {
    const char *name, *what;
    const char *text;
} KIND[] = {{"linkage", "bodies and joints in the plane", new_linkage},
            {"space", "bodies and joints in space", new_space},
            {"lagrangian", "a Lagrangian with constraints", new_lagrangian},
            {"dae", "differential-algebraic equations", new_dae}};
enum { KINDS = sizeof KIND / sizeof KIND[0] };

static const char *find_text(const char *name) {
    for (int k = 0; k < KINDS; k++)
        if (strcmp(KIND[k].name, name) == 0) return KIND[k].text;
    fprintf(stderr, "taut: error: there is no kind of model '%s'; the kinds are", shown(name));
    for (int k = 0; k < KINDS; k++)
        fprintf(stderr, "%s %s (%s)", k ? "," : "", KIND[k].name, KIND[k].what);
    fprintf(stderr, "\n");
    return NULL;
}

int start_model(const arguments *a) {
    char path[1024];
    const char *text = find_text(a->file);
    if (!text) return EXIT_WRONG;
    snprintf(path, sizeof path, "%s.yaml", a->file);
    const char *output = a->output ? a->output : path;
    const int code = write_new_file(output, text);
    if (code != EXIT_DONE || is_stdout(output)) return code;
    if (!a->quiet) printf("%s is there; next: taut view %s --open\n", shown(output), shown(output));
    return EXIT_DONE;
}
