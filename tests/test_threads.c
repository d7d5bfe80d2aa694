/* Several simulations in several threads at once give the bytes that they give one after the other.
 * cmocka's asserts belong to the main thread: the others only fill their jobs. */
#include "check.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "taut/taut.h"

enum { JOBS = 6 };

/* A run: its rows end on end. */
typedef struct job {
    const char *file;        /* read in the thread, if model is NULL */
    const taut_model *model; /* shared by several jobs */
    double parameter;        /* of the name G, if it is not 0 */
    double tend;
    taut_status status;
    taut_errors errors;
    double *value; /* [count] to be freed */
    size_t count;
} job;

static taut_status keep_rows(job *j, const taut_result *result) {
    const int columns = taut_result_columns(result);
    j->count = (size_t)taut_result_rows(result) * (size_t)columns;
    j->value = malloc(j->count * sizeof *j->value);
    if (!j->value) return TAUT_ERR_MEMORY;
    for (size_t i = 0; i < j->count; i++)
        j->value[i] =
            taut_result_value(result, (long)(i / (size_t)columns), (int)(i % (size_t)columns));
    return TAUT_OK;
}

/* A whole run, with reading, analysis and table. */
static taut_status run_table(job *j) {
    taut_run_options options = taut_run_options_default();
    taut_model *own = NULL;
    taut_result *result = NULL;
    char *text = NULL;
    options.has_tend = true;
    options.tend = j->tend;
    options.derivatives = 2;
    taut_status status = j->model ? TAUT_OK : taut_model_read(j->file, NULL, 0, &own, &j->errors);
    const taut_model *model = j->model ? j->model : own;
    if (status == TAUT_OK) status = taut_analyze(model, true, &text, &j->errors);
    if (status == TAUT_OK) status = taut_simulate(model, &options, &result, &j->errors);
    if (status == TAUT_OK) status = keep_rows(j, result);
    taut_result_free(&result);
    taut_text_free(&text);
    taut_model_free(&own);
    return status;
}

/* Step by step, with a parameter of its own. */
static taut_status run_steps(job *j) {
    taut_simulation *s;
    taut_status status = taut_simulation_create(j->model, NULL, &s, &j->errors);
    if (status != TAUT_OK) return status;
    status = taut_simulation_set_parameter(s, "G", j->parameter, &j->errors);
    if (status == TAUT_OK) status = taut_simulation_start(s, &j->errors);
    const size_t columns = (size_t)taut_simulation_columns(s), most = 2000;
    j->value = status == TAUT_OK ? malloc(most * columns * sizeof *j->value) : NULL;
    while (status == TAUT_OK && j->value && j->count + columns <= most * columns) {
        status = taut_simulation_row(s, taut_simulation_time(s), j->value + j->count, &j->errors);
        j->count += columns;
        if (status == TAUT_OK) status = taut_simulation_step(s, &j->errors);
    }
    taut_simulation_free(&s);
    return status == TAUT_AT_END ? TAUT_OK : status;
}

static void *run(void *argument) {
    job *j = argument;
    j->status = j->parameter != 0.0 ? run_steps(j) : run_table(j);
    return NULL;
}

/* Runs the jobs one after the other, and twice at once; the rows must be the same bytes. */
static void assert_same_bytes(const job *jobs) {
    static job one[JOBS], many[2 * JOBS];
    pthread_t thread[2 * JOBS];
    for (int i = 0; i < JOBS; i++) {
        one[i] = jobs[i];
        run(&one[i]);
        if (one[i].status != TAUT_OK && one[i].errors.count > 0)
            print_error("%s\n", one[i].errors.item[0].message);
        assert_int_equal(one[i].status, TAUT_OK);
        assert_true(one[i].count > 0);
    }
    for (int i = 0; i < 2 * JOBS; i++) {
        many[i] = jobs[i % JOBS];
        assert_int_equal(pthread_create(&thread[i], NULL, run, &many[i]), 0);
    }
    for (int i = 0; i < 2 * JOBS; i++) assert_int_equal(pthread_join(thread[i], NULL), 0);
    for (int i = 0; i < 2 * JOBS; i++) {
        assert_int_equal(many[i].status, TAUT_OK);
        assert_int_equal(many[i].count, one[i % JOBS].count);
        assert_memory_equal(many[i].value, one[i % JOBS].value, many[i].count * sizeof(double));
        free(many[i].value);
    }
    for (int i = 0; i < JOBS; i++) free(one[i].value);
}

static void test_models_of_their_own_give_the_same_bytes(void **state) {
    (void)state;
    const job jobs[JOBS] = {
        {.file = TAUT_SOURCE_DIR "/examples/pendulum.yaml", .tend = 5.0},
        {.file = TAUT_SOURCE_DIR "/examples/mechanism0.yaml", .tend = 1.0},
        {.file = TAUT_SOURCE_DIR "/examples/four-bar-40.yaml", .tend = 0.1}, /* doctor: LAPACK */
        {.file = TAUT_SOURCE_DIR "/examples/bricard.yaml", .tend = 0.5},     /* redundant */
        {.file = TAUT_SOURCE_DIR "/examples/andrews.yaml", .tend = 0.005},
        {.file = TAUT_SOURCE_DIR "/examples/pendulum-chain-10.yaml", .tend = 0.5}, /* sparse LU */
    };
    assert_same_bytes(jobs);
}

static void test_one_model_gives_the_same_bytes(void **state) {
    (void)state;
    static taut_errors errors;
    taut_model *model;
    job jobs[JOBS];
    const char *file = TAUT_SOURCE_DIR "/examples/pendulum-paper.yaml";
    assert_int_equal(taut_model_read(file, NULL, 0, &model, &errors), TAUT_OK);
    for (int i = 0; i < JOBS; i++) {
        memset(&jobs[i], 0, sizeof jobs[i]);
        jobs[i].model = model;
        jobs[i].tend = 5.0;
        jobs[i].parameter = i % 2 ? 9.81 + i : 0.0;
    }
    assert_same_bytes(jobs);
    taut_model_free(&model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_models_of_their_own_give_the_same_bytes),
        cmocka_unit_test(test_one_model_gives_the_same_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
