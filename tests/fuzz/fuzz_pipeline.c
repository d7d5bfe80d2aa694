/* Fuzzes the whole way: a model is read, analysed, linearised, brought to rest and simulated for a
 * moment, and the results are written in every format. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "taut/taut.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Stops a run after a tenth of a second of processor time. */
static int lose_patience(void *user, double fraction) {
    (void)fraction;
    return clock() - *(const clock_t *)user > CLOCKS_PER_SEC / 10;
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

/* A page is large: not for every model. */
static void write_page(const char *file, const taut_model *model, const taut_result *result,
                       taut_status status, taut_errors *errors) {
    char path[80];
    const taut_page page = {
        .file = file, .model = model, .result = result, .errors = errors, .status = status};
    static taut_errors trouble;
    snprintf(path, sizeof path, "/tmp/taut-fuzz-%ld.html", (long)getpid());
    trouble.count = trouble.dropped = 0;
    if (taut_page_write(&page, path, &trouble) == TAUT_ERR_CALL && result) abort();
    remove(path);
}

/* Analyses that begin where a run does. */
static void look_around(const taut_model *model, const taut_run_options *options, size_t which,
                        taut_errors *errors) {
    taut_linear *linear = NULL;
    taut_state *rest = NULL;
    char *text = NULL;
    if (which % 4 == 0)
        taut_analyze_for(model, options, which % 8 == 0, &text, errors);
    else if (which % 4 == 1)
        taut_linearize(model, options, NULL, &linear, errors);
    else if (which % 4 == 2)
        taut_equilibrium(model, options, &rest, errors);
    taut_text_free(&text);
    taut_linear_free(&linear);
    taut_state_free(&rest);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static taut_errors errors;
    taut_model *model = NULL;
    taut_result *result = NULL;
    clock_t begun = clock();
    taut_run_options options = taut_run_options_default();
    options.progress = lose_patience;
    options.user = &begun;
    options.memory = 1e8;
    errors.count = errors.dropped = 0;
    if (taut_model_parse("m.yaml", (const char *)data, (long)size, &model, &errors) != TAUT_OK)
        return 0;
    look_around(model, &options, size, &errors);
    errors.count = errors.dropped = 0;
    begun = clock();
    if (size % 16 == 0) options.every = TAUT_FOR_SCREEN;
    const taut_status status = taut_simulate(model, &options, &result, &errors);
    if (status != TAUT_OK && status != TAUT_ERR_MEMORY && errors.count == 0) {
        fprintf(stderr, "status %d without a message\n", (int)status);
        abort();
    }
    if (size % 16 == 0)
        write_page("m.yaml", model, result, status, &errors);
    else if (result && taut_result_columns(result) > 0)
        write_all(result, &errors);
    taut_result_free(&result);
    taut_model_free(&model);
    return 0;
}
