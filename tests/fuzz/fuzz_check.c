/* Fuzzes what `taut check` does: reads a model and forms its equations.
 *
 * Lines of ===== cut the input into files. The first is the model; the others have the names 101,
 * 102, ... in its folder, so that `Include: 101` takes the second one in. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "taut/taut.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FIRST = 100, MOST_FILES = 5 }; /* descriptors of the files, which are their names */
static const char CUT[] = "\n=====\n";

/* A file in memory with these bytes, as this descriptor. */
static void make_file(const uint8_t *data, size_t size, int descriptor) {
    const int file = memfd_create("model", 0);
    if (file < 0 || write(file, data, size) != (ssize_t)size) abort();
    if (dup2(file, descriptor) != descriptor || close(file) != 0) abort();
}

/* Makes the files that the input holds; how many. */
static int make_files(const uint8_t *data, size_t size) {
    int files = 0;
    for (bool last = false; !last; files++) {
        const uint8_t *cut = memmem(data, size, CUT, sizeof CUT - 1);
        last = !cut || files == MOST_FILES - 1;
        const size_t length = last ? size : (size_t)(cut - data) + 1;
        make_file(data, length, FIRST + files);
        if (last) continue;
        size -= length + sizeof CUT - 2;
        data += length + sizeof CUT - 2;
    }
    return files;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static taut_errors errors;
    taut_model *model = NULL;
    char path[64], text[4096];
    errors.count = errors.dropped = 0;
    const int files = make_files(data, size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", (int)FIRST);
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
    for (int i = 0; i < files; i++) close(FIRST + i);
    return 0;
}
