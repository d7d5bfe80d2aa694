/* taut export: what is written where, and what was chosen for it. */
#include "cli/exporting.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/paths.h"
#include "cli/show.h"
#include "cli/words.h"

/* FILE's name without folder and extension. */
static void stem_of(const char *file, char *stem, size_t size) {
    default_output(file, "", stem, size);
}

static void show_code(const arguments *a, const char *stem, const taut_export_report *r) {
    printf("%s/%s.c, %s.h, main.c, Makefile\n", shown(a->c_folder), stem, stem);
    printf("  order %d, %ld steps of %.10g: off by %.2g (asked for: %.2g)\n", r->order, r->steps,
           r->step, r->error, r->tolerance);
    printf("  %d states, %d unknowns, %d columns; %ld bytes of source\n", r->states, r->unknowns,
           r->columns, r->bytes);
    if (r->undetermined > 0)
        printf("  %d reactions are not determined by rigid bodies: those of least size\n",
               r->undetermined);
    if (r->frozen)
        printf("  parameters are numbers there, because too much follows from them; --parameters "
               "NAME,... keeps some\n");
    else
        printf("  %d parameters can be changed\n", r->parameters);
    printf("  pivots: %ld operations, at least %.2g of their columns\n", r->pivots, r->pivot);
}

static int export_c(const arguments *a, const taut_model *model, taut_errors *errors) {
    taut_export_options o = taut_export_options_default();
    taut_export_report report;
    char stem[1024];
    o.run = a->run;
    o.single = a->single;
    o.parameters = a->parameters;
    stem_of(a->file, stem, sizeof stem);
    const taut_status status = taut_export_c(model, &o, a->c_folder, stem, &report, errors);
    if (status == TAUT_OK && !a->quiet) show_code(a, stem, &report);
    return show_errors(status, errors);
}

/* ---- FMUs ---- */

/* The binary of FMUs: beside the program, where it is built, or where it is installed. */
static bool find_binary(const char *call, char *path, size_t size) {
    char program[2000];
    const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    static const char *const place[] = {"", "../" TAUT_LIBDIR "/taut/"};
    if (n > 0)
        program[n] = '\0';
    else /* no /proc: as it was called */
        snprintf(program, sizeof program, "%s", call);
    char *slash = strrchr(program, '/');
    if (!slash) return false;
    slash[1] = '\0';
    for (size_t i = 0; i < sizeof place / sizeof *place; i++) {
        snprintf(path, size, "%s%staut-fmu.so", program, place[i]);
        if (access(path, R_OK) == 0) return true;
    }
    return false;
}

static void show_fmu(const arguments *a, int version, const taut_fmu_report *r) {
    printf("%s: FMI %d.0, co-simulation", shown(a->fmu), version);
    if (r->exchange)
        printf(" and model exchange (%d states, %d event indicators)\n", r->states, r->indicators);
    else
        printf("%s%s\n", a->sources ? " in source code: " : "\n  no model exchange: ", r->why);
}

static int export_fmu(const arguments *a, const taut_model *model, taut_errors *errors) {
    taut_export_options o = taut_export_options_default();
    char binary[2200];
    o.run = a->run;
    if (a->fmi > 0) o.fmi = a->fmi;
    o.sources = a->sources;
    o.single = a->single;
    o.parameters = a->parameters;
    if (!a->sources && (a->single || a->parameters))
        return refuse("--fmu", a->fmu, "--float and --parameters are for --c and --sources");
    if (!a->sources && !find_binary(a->argv[0], binary, sizeof binary)) {
        fprintf(stderr, "taut: error: the binary of FMUs, taut-fmu.so, is not installed\n");
        return EXIT_STOPPED;
    }
    taut_fmu_report report;
    const taut_status status = taut_export_fmu(model, &o, a->fmu, binary, &report, errors);
    if (status == TAUT_OK && !a->quiet) show_fmu(a, o.fmi, &report);
    return show_errors(status, errors);
}

/* Is anything that is read where the archive or a file of the code will be? */
static int check_written(const arguments *a, const taut_model *model) {
    static const char *const name[] = {"main.c", "Makefile"};
    char stem[1024], path[3000];
    if (a->fmu) return check_clash(a, model, "--fmu", a->fmu);
    stem_of(a->file, stem, sizeof stem);
    for (int i = 0; i < 4; i++) {
        if (i < 2)
            snprintf(path, sizeof path, "%.1900s/%s", a->c_folder, name[i]);
        else
            snprintf(path, sizeof path, "%.1900s/%s.%c", a->c_folder, stem, i == 2 ? 'c' : 'h');
        if (check_clash(a, model, "--c", path) != EXIT_DONE) return EXIT_WRONG;
    }
    return EXIT_DONE;
}

int export_model(arguments *a, taut_model *model, taut_errors *errors) {
    if (!a->c_folder && !a->fmu) {
        fprintf(stderr, "taut: error: export: say what to write: --c DIR or --fmu F.fmu\n");
        return EXIT_WRONG;
    }
    if (a->c_folder && a->fmu) return refuse("--fmu", a->fmu, "one at a time, --c or --fmu");
    if (a->sources && !a->fmu) return refuse("--c", a->c_folder, "--sources is for --fmu");
    if (a->fmi > 0 && !a->fmu) return refuse("--c", a->c_folder, "--fmi is for --fmu");
    if (check_written(a, model) != EXIT_DONE) return EXIT_WRONG;
    writing_begin();
    return a->fmu ? export_fmu(a, model, errors) : export_c(a, model, errors);
}
