/* What the benchmarks share. */
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

double measure_number(const char *text) {
    char *end;
    const double number = strtod(text, &end);
    if (end == text || *end != '\0') {
        fprintf(stderr, "%s: a number is expected\n", text);
        exit(2);
    }
    return number;
}

void measure_check(taut_status status, const taut_errors *errors) {
    char text[2400] = "";
    if (status == TAUT_OK) return;
    if (errors->count > 0) taut_error_format(&errors->item[0], text, sizeof text);
    fprintf(stderr, "%s%s\n", text, taut_status_text(status));
    exit(1);
}

double measure_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

long measure_peak_memory(void) {
    char line[200];
    long kilobytes = 0;
    FILE *file = fopen("/proc/self/status", "r");
    if (!file) return 0;
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "VmHWM: %ld", &kilobytes) == 1) break;
    fclose(file);
    return kilobytes;
}

measured_steps measure_steps(const char *path, const taut_run_options *options) {
    static taut_errors errors;
    taut_model *model;
    taut_simulation *simulation;
    taut_status status;
    const double start = measure_seconds();
    measure_check(taut_model_read(path, NULL, 0, &model, &errors), &errors);
    measure_check(taut_simulation_create(model, options, &simulation, &errors), &errors);
    measure_check(taut_simulation_start(simulation, &errors), &errors);
    const double begin = measure_seconds();
    do {
        status = taut_simulation_step(simulation, &errors);
    } while (status == TAUT_OK);
    const double end = measure_seconds();
    measure_check(status == TAUT_AT_END ? TAUT_OK : status, &errors);
    const measured_steps measured = {*taut_simulation_stats(simulation), end - begin,
                                     begin - start};
    taut_simulation_free(&simulation);
    taut_model_free(&model);
    return measured;
}
