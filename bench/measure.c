/* What the benchmarks share. */
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>

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

taut_result *measure_run(const char *path, const taut_run_options *options) {
    static taut_errors errors;
    taut_model *model;
    taut_result *result;
    measure_check(taut_model_read(path, NULL, 0, &model, &errors), &errors);
    measure_check(taut_simulate(model, options, &result, &errors), &errors);
    taut_model_free(&model);
    return result;
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
