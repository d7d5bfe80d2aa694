#include "allocation_sweep.h"

#include "check.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "failing_malloc.h"
#include "program.h"

enum { FIRST_ALL = 60 };

taut_errors allocation_errors;

/* SUNDIALS uses and frees what it could not allocate while it is opened: maps of contexts, copies
 * of vectors. That there is memory enough is checked just before (check_memory in
 * solve/sundials.c), so nothing fails from the context to the first step. */
static _Thread_local bool opening, paused;

int __real_SUNContext_Create(void *communicator, void **context);
int __wrap_SUNContext_Create(void *communicator, void **context);
int __wrap_SUNContext_Create(void *communicator, void **context) {
    const bool before = failing_malloc_pause(true);
    if (!opening) paused = before;
    opening = true;
    return __real_SUNContext_Create(communicator, context);
}

static void opened(void) {
    if (opening) failing_malloc_pause(paused);
    opening = false;
}

int __real_CVode(void *memory, double t, void *y, double *reached, int task);
int __wrap_CVode(void *memory, double t, void *y, double *reached, int task);
int __wrap_CVode(void *memory, double t, void *y, double *reached, int task) {
    opened();
    return __real_CVode(memory, t, y, reached, task);
}

int __real_IDASolve(void *memory, double t, double *reached, void *y, void *rate, int task);
int __wrap_IDASolve(void *memory, double t, double *reached, void *y, void *rate, int task);
int __wrap_IDASolve(void *memory, double t, double *reached, void *y, void *rate, int task) {
    opened();
    return __real_IDASolve(memory, t, reached, y, rate, task);
}

/* Blocks are counted by thread: what would have a deeper stack, and so a thread of its own, stays
 * in this one, where its allocations fail as well. */
taut_status __wrap_taut_on_deep_stack(void (*function)(void *), void *argument);
taut_status __wrap_taut_on_deep_stack(void (*function)(void *), void *argument) {
    function(argument);
    return TAUT_OK;
}

/* A failure has a message or says that memory is short; files are the old ones or whole new ones.
 */
static void check_after(taut_status status, long which, const char *whole) {
    char names[400];
    char *csv = program_read("out.csv");
    assert_non_null(csv);
    if (status != TAUT_OK && status != TAUT_ERR_MEMORY && allocation_errors.count == 0)
        fail_msg("allocation %ld: status %d without a message", which, (int)status);
    if (strcmp(csv, "old\n") != 0 && strcmp(csv, whole) != 0)
        fail_msg("allocation %ld: a file that is neither the old one nor the new one", which);
    if (status == TAUT_OK && strcmp(csv, whole) != 0)
        fail_msg("allocation %ld: success without a file", which);
    program_list(names, sizeof names);
    if (strstr(names, ".tmp")) fail_msg("allocation %ld: left behind: %s", which, names);
    free(csv);
}

void allocation_sweep(taut_status (*use)(const char *), const char *path, long sample) {
    program_write("out.csv", "old\n", -1);
    for (int i = 0; i < 2; i++) /* libraries may keep what they allocate first */
        if (use(path) != TAUT_OK)
            fail_msg("%s", allocation_errors.count ? allocation_errors.item[0].message : "failed");
    failing_malloc_begin(0);
    assert_int_equal(use(path), TAUT_OK);
    const long total = failing_malloc_end();
    char *whole = program_read("out.csv");
    assert_non_null(whole);
    const bool all = getenv("TAUT_ALLOCATION_ALL") != NULL;
    const long stride = all || total < sample ? 1 : (total - FIRST_ALL) / sample + 1;
    long tried = 0, survived = 0;
    for (long which = 1; which <= total; which += which < FIRST_ALL ? 1 : stride, tried++) {
        program_write("out.csv", "old\n", -1);
        const long before = failing_malloc_live();
        failing_malloc_begin(which);
        const taut_status status = use(path);
        failing_malloc_end();
        const long leaked = failing_malloc_live() - before;
        if (leaked != 0) fail_msg("allocation %ld of %ld: %ld blocks leaked", which, total, leaked);
        check_after(status, which, whole);
        survived += status == TAUT_OK;
    }
    print_message("%s: %ld of %ld allocations failed, %ld of them without harm\n", path, tried,
                  total, survived);
    free(whole);
}

static allocation_task *under_test;

static taut_status read_and_use(const char *path) {
    taut_model *model = NULL;
    allocation_errors.count = allocation_errors.dropped = 0;
    taut_status status = taut_model_read(path, NULL, 0, &model, &allocation_errors);
    if (status == TAUT_OK) status = under_test(model);
    taut_model_free(&model);
    return status;
}

void allocation_sweep_text(allocation_task *use, const char *text, long sample) {
    program_write("model.yaml", text, -1);
    under_test = use;
    allocation_sweep(read_and_use, "model.yaml", sample);
}

taut_status allocation_done(taut_status status) {
    if (status != TAUT_OK) return status;
    const int file = open("out.csv", O_WRONLY | O_TRUNC); /* fopen would allocate */
    assert_int_equal(write(file, "done\n", 5), 5);
    assert_int_equal(close(file), 0);
    return status;
}
