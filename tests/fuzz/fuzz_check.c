/* Fuzzes what `taut check` does: reads a model and forms its equations. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "taut/taut.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A file in memory with these bytes; path (size bytes) is a name that opens it. */
static int make_file(const uint8_t *data, size_t size, char *path, size_t room) {
    const int file = memfd_create("model", 0);
    if (file < 0 || write(file, data, size) != (ssize_t)size) abort();
    snprintf(path, room, "/proc/self/fd/%d", file);
    return file;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static taut_errors errors;
    taut_model *model = NULL;
    char path[64], text[4096];
    errors.count = errors.dropped = 0;
    const int file = make_file(data, size, path, sizeof path);
    taut_status status = taut_model_read(path, NULL, 0, &model, &errors);
    if ((status == TAUT_OK) != (model != NULL)) abort();
    if (status == TAUT_OK) status = taut_model_check(model, &errors);
    if ((status == TAUT_OK) != (errors.count == 0)) {
        fprintf(stderr, "status %d, %d messages\n", (int)status, errors.count);
        abort();
    }
    for (int i = 0; i < errors.count; i++)
        if (taut_error_format(&errors.item[i], text, sizeof text) <= 0) abort();
    taut_model_free(&model);
    close(file);
    return 0;
}
