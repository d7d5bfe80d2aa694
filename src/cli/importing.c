/* `taut import`: the model file, and what it leaves out. */
#include "cli/importing.h"

#include <stdio.h>
#include <string.h>

#include "cli/paths.h"
#include "cli/show.h"
#include "cli/words.h"

static void show_left_out(FILE *to, const char *lines) {
    if (lines[0]) fprintf(to, "  left out, because it has no counterpart:\n");
    for (const char *p = lines; *p;) {
        const int n = (int)strcspn(p, "\n");
        fprintf(to, "    %.*s\n", n, p);
        p += n + (p[n] == '\n');
    }
}

int import_model(const arguments *a, taut_errors *errors) {
    char path[1024], *text = NULL, *left_out = NULL;
    default_output(a->file, ".yaml", path, sizeof path);
    const char *output = a->output ? a->output : path;
    const taut_status status = taut_import(a->file, &text, &left_out, errors);
    int code = show_errors(status, errors);
    if (status == TAUT_OK) {
        FILE *words = is_stdout(output) ? stderr : stdout;
        code = write_new_file(output, text);
        if (code == EXIT_DONE && !a->quiet && !is_stdout(output))
            printf("%s is there; next: taut view %s --open\n", shown(output), shown(output));
        if (code == EXIT_DONE && !a->quiet) show_left_out(words, left_out);
    }
    taut_text_free(&text);
    taut_text_free(&left_out);
    return code;
}
