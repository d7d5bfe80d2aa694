/* Pictures as PNG and PDF: a converter that is installed makes them from SVG. */
#include "cli/converting.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/args.h"
#include "cli/paths.h"
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
    pid_t child;
    int status = -1;
    const char *program = word[0];
    if (!program || posix_spawnp(&child, program, NULL, NULL, word, environ) != 0) return false;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int convert_picture(const char *svg, const char *output) {
    const char *temporary = getenv("TMPDIR");
    char folder[2000], in[2048];
    snprintf(folder, sizeof folder, "%s/taut-XXXXXX", temporary && *temporary ? temporary : "/tmp");
    bool good = mkdtemp(folder) != NULL;
    snprintf(in, sizeof in, "%s/plot.svg", folder);
    FILE *stream = good ? fopen(in, "w") : NULL;
    good = stream && fputs(svg, stream) >= 0;
    if (stream && fclose(stream) != 0) good = false;
    const int k = find_converter();
    good = good && k < CONVERTERS && run(k, in, output);
    if (stream) unlink(in);
    rmdir(folder);
    if (good) return EXIT_DONE;
    refuse("-o", output, "the converter could not make it");
    return EXIT_STOPPED;
}
