/* Files that are meant to hurt: each is read and checked, or refused with a message, in a process
 * with 1 GB of address space and a watchdog. The aim is 2 s; the watchdog and the limit on the time
 * of a check are generous, for slow and busy machines. */
#ifndef TAUT_TESTS_HOSTILE_H
#define TAUT_TESTS_HOSTILE_H

#define _DEFAULT_SOURCE /* wait4 */
#include "check.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/text.h"
#include "program.h"
#include "taut/taut.h"

enum { MANY = 100000 };

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define UNLIMITED 1 /* the sanitizers reserve terabytes of addresses */
enum { WATCHDOG = 120, MOST_SECONDS = 120 };
#else
#define UNLIMITED 0
enum { WATCHDOG = 20, MOST_SECONDS = 4 };
#endif

/* ---- a child that checks, analyzes or runs a file ---- */

static rlim_t most_memory = 1ul << 30;
static double last_took; /* seconds of processor time */

typedef enum deed { CHECK, ANALYZE, RUN } deed;

static inline taut_status do_it(deed what, taut_errors *errors) {
    taut_model *model = NULL;
    taut_result *result = NULL;
    char *text = NULL;
    const taut_run_options options = taut_run_options_default();
    taut_status status = taut_model_read("model.yaml", NULL, 0, &model, errors);
    if (status == TAUT_OK) status = taut_model_check(model, errors);
    if (status == TAUT_OK && what == ANALYZE) status = taut_analyze(model, true, &text, errors);
    if (status == TAUT_OK && what == RUN) status = taut_simulate(model, &options, &result, errors);
    taut_result_free(&result);
    taut_text_free(&text);
    taut_model_free(&model);
    return status;
}

/* Does it in a child; what it said comes back in `said` (size bytes). */
static inline taut_status try_it(deed what, char *said, size_t size) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        static taut_errors errors;
        const struct rlimit most = {most_memory, most_memory}, none = {0, 0};
        const struct rlimit seconds = {WATCHDOG, WATCHDOG + 1}; /* of its own, on a busy machine */
        setrlimit(RLIMIT_CORE, &none);
        setrlimit(RLIMIT_CPU, &seconds);
        if (!UNLIMITED) setrlimit(RLIMIT_AS, &most);
        const taut_status status = do_it(what, &errors);
        const char *message = errors.count ? errors.item[0].message : taut_status_text(status);
        if (write(ends[1], message, strlen(message)) < 0) _exit(99);
        _exit(-status); /* errors are small negative numbers */
    }
    close(ends[1]);
    size_t used = 0;
    for (ssize_t got = 1; got > 0 && used<size - 1; used += got> 0 ? (size_t)got : 0)
        got = read(ends[0], said + used, size - 1 - used);
    said[used] = '\0';
    close(ends[0]);
    int status = 0;
    struct rusage use;
    assert_int_equal(wait4(child, &status, 0, &use), child);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
        fail_msg("it takes longer than %d s", WATCHDOG);
    if (WIFSIGNALED(status)) fail_msg("signal %d ended it", WTERMSIG(status));
    const double took = (double)use.ru_utime.tv_sec + 1e-6 * (double)use.ru_utime.tv_usec;
    print_message("    %5.2f s, %4ld MB, %s\n", took, use.ru_maxrss / 1024, said);
    last_took = took;
    if (what == CHECK && took > MOST_SECONDS) fail_msg("the check takes %.1f s", took);
    return (taut_status)-WEXITSTATUS(status);
}

/* The file, then what it must lead to: TAUT_OK, or TAUT_ERR_INPUT with a part of the message. */
static inline void expect(taut_string *file, deed what, taut_status wanted, const char *message) {
    char said[2000];
    assert_false(file->failed);
    program_write("model.yaml", file->text, (long)file->length);
    taut_string_release(file);
    const taut_status status = try_it(what, said, sizeof said);
    assert_int_equal(status, wanted);
    if (message && !strstr(said, message)) fail_msg("'%s' does not say '%s'", said, message);
}

/* ---- pieces of files ---- */

#define ADD(...) taut_string_add(&file, __VA_ARGS__)

static inline void repeat(taut_string *file, const char *piece, int times) {
    for (int i = 0; i < times; i++) taut_string_add(file, "%s", piece);
}

#define HOSTILE(name) cmocka_unit_test_setup_teardown(name, program_enter, program_leave)

#endif
