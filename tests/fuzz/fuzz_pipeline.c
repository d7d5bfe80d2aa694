/* Fuzzes the whole way: a model is read, analysed and simulated for a moment, and the results are
 * written in every format. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "taut/taut.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Stops a run after a quarter of a second of processor time. */
static int lose_patience(void *user, double fraction) {
    (void)fraction;
    return clock() - *(const clock_t *)user > CLOCKS_PER_SEC / 4;
}

static void write_all(const taut_result *result, taut_errors *errors) {
    static const char *const ending[] = {"csv", "json", "mat"};
    char path[80];
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "/tmp/taut-fuzz-%ld.%s", (long)getpid(), ending[i]);
        const taut_status status = taut_result_write(result, path, 17, errors);
        if (status == TAUT_ERR_CALL) abort();
        remove(path);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static taut_errors errors;
    taut_model *model = NULL;
    taut_result *result = NULL;
    char *text = NULL;
    clock_t begun = clock();
    taut_run_options options = taut_run_options_default();
    options.progress = lose_patience;
    options.user = &begun;
    options.memory = 1e8;
    errors.count = errors.dropped = 0;
    if (taut_model_parse("m.yaml", (const char *)data, (long)size, &model, &errors) != TAUT_OK)
        return 0;
    taut_analyze(model, size % 2, &text, &errors);
    taut_text_free(&text);
    errors.count = errors.dropped = 0;
    const taut_status status = taut_simulate(model, &options, &result, &errors);
    if (status != TAUT_OK && status != TAUT_ERR_MEMORY && errors.count == 0) {
        fprintf(stderr, "status %d without a message\n", (int)status);
        abort();
    }
    if (result && taut_result_columns(result) > 0) write_all(result, &errors);
    taut_result_free(&result);
    taut_model_free(&model);
    return 0;
}
