/* Pictures as PNG and PDF: a converter that is installed makes them from SVG. */
#include "cli/converting.h"

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/args.h"
#include "cli/helper.h"
#include "cli/paths.h"
#include "cli/show.h"
#include "cli/words.h"

extern char **environ;

enum { MOST_WORDS = 8 };

/* Programs in the order of preference; IN and OUT stand for the files. */
static const struct {
    const char *word[MOST_WORDS];
} CONVERTER[] = {{{"rsvg-convert", "-f", "FORMAT", "-o", "OUT", "IN"}},
                 {{"inkscape", "--export-filename=", "OUT", "IN"}},
                 {{"cairosvg", "-f", "FORMAT", "-o", "OUT", "IN"}}};
enum { CONVERTERS = sizeof CONVERTER / sizeof CONVERTER[0] };

static const char *format_of(const char *output) {
    const char *dot = strrchr(output, '.');
    return dot ? dot + 1 : "";
}

bool is_converted(const char *output) {
    return strcmp(format_of(output), "png") == 0 || strcmp(format_of(output), "pdf") == 0;
}

bool is_installed(const char *program) {
    char file[2048];
    const char *path = getenv("PATH");
    for (size_t n; path && *path; path += n + (path[n] == ':')) {
        n = strcspn(path, ":");
        snprintf(file, sizeof file, "%.*s/%s", (int)n, path, program);
        if (n > 0 && access(file, X_OK) == 0) return true;
    }
    return false;
}

static int find_converter(void) {
    int k = 0;
    while (k < CONVERTERS && !is_installed(CONVERTER[k].word[0])) k++;
    return k;
}

int check_converter(const char *output) {
    if (find_converter() < CONVERTERS) return EXIT_DONE;
    return refuse("-o", output,
                  "pictures other than SVG are made by rsvg-convert (Debian: librsvg2-bin), "
                  "inkscape or cairosvg, and "
                  "none of them is installed");
}

/* Runs the converter and waits for it. */
static bool run(int k, const char *in, const char *output) {
    char *word[MOST_WORDS + 1], joined[2200];
    int count = 0;
    for (int i = 0; i < MOST_WORDS && CONVERTER[k].word[i]; i++) {
        const char *w = CONVERTER[k].word[i];
        if (w[strlen(w) - 1] == '=') { /* joined with the next one */
            snprintf(joined, sizeof joined, "%s%s", w, output);
            w = joined;
            i++;
        }
        word[count++] = (char *)(strcmp(w, "FORMAT") == 0 ? format_of(output)
                                 : strcmp(w, "IN") == 0   ? in
                                 : strcmp(w, "OUT") == 0  ? output
                                                          : w);
    }
    word[count] = NULL;
    pid_t child = 0;
    posix_spawnattr_t how; /* a process group of its own, which we end */
    if (!word[0] || posix_spawnattr_init(&how) != 0) return false;
    posix_spawnattr_setpgroup(&how, 0);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP);
    const bool begun = posix_spawnp(&child, word[0], NULL, &how, word, environ) == 0;
    posix_spawnattr_destroy(&how);
    return begun && helper_wait(child);
}

static bool write_text(const char *path, const char *text) {
    FILE *stream = fopen(path, "w");
    const bool written = stream && fputs(text, stream) >= 0;
    return stream && fclose(stream) == 0 && written;
}

/* What the converter has made becomes the output, as a whole or not at all. */
static int deliver(const char *made, const char *output) {
    static taut_errors errors;
    FILE *stream = fopen(made, "rb");
    long length = stream && fseek(stream, 0, SEEK_END) == 0 ? ftell(stream) : -1;
    char *bytes = length > 0 ? malloc((size_t)length) : NULL;
    if (bytes) rewind(stream);
    if (!bytes || fread(bytes, 1, (size_t)length, stream) != (size_t)length) length = -1;
    if (stream) fclose(stream);
    const taut_status status =
        length > 0 ? taut_output_write(output, bytes, length, &errors) : TAUT_OK;
    free(bytes);
    if (status != TAUT_OK) return show_errors(status, &errors), EXIT_STOPPED;
    if (length > 0) return EXIT_DONE;
    refuse("-o", output, "the converter could not make it");
    return EXIT_STOPPED;
}

int convert_picture(const char *svg, const char *output) {
    char folder[2000] = "", in[2048], made[2048];
    const int k = find_converter();
    int code = EXIT_STOPPED;
    helping_begin();
    bool good = k < CONVERTERS && helper_folder("taut", folder, sizeof folder);
    snprintf(in, sizeof in, "%s/plot.svg", folder);
    snprintf(made, sizeof made, "%s/plot.%s", folder, format_of(output));
    good = good && write_text(in, svg) && run(k, in, made);
    if (was_interrupted())
        fprintf(stderr, "taut: stopped: interrupted while the picture was made\n");
    else
        code = deliver(good ? made : "", output);
    helper_clear(folder);
    helping_end();
    return code;
}
