/* taut sweep under mpirun: the bytes of one process, after a kill as well, and refusals that end
 * all processes. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "program.h"

#define MPIRUN "mpirun --allow-run-as-root --oversubscribe -n 3 " TAUT_MPI_PROGRAM " "
#define STUDY                                                                                      \
    "sweep m.yaml --vary 'k=normal(30,3)' --vary 'F=uniform(1,2)' --samples 203 --seed 7 "         \
    "--report 'max(x)' --report \"rms(x')\" "

static const char MASS[] = "PhysicalParams: {F: 1, m: 2, k: 0}\n"
                           "DAE: {Variables: [x], Equations: [m*x'' - F + k*x]}\n"
                           "ProblemData: {t0: 0, tend: 2, positions: {x: 0}, velocities: {x: 0},\n"
                           "  fixedpositions: {x}, fixedvelocities: {x}}\n";

/* By the shell; what it says is in the file `said`. */
static void call(int code, const char *command, const char *says) {
    char line[1200];
    snprintf(line, sizeof line, "%s > said 2>&1", command);
    const int end = system(line);
    char *said = program_read("said");
    if (!WIFEXITED(end) || WEXITSTATUS(end) != code) fail_msg("exit %d: %s", end, said);
    if (says && !strstr(said, says)) fail_msg("'%s' is not in: %s", says, said);
    free(said);
    program_remove("said");
}

static void same_files(const char *a, const char *b) {
    char *one = program_read(a), *two = program_read(b);
    assert_non_null(one);
    assert_non_null(two);
    assert_string_equal(one, two);
    free(one);
    free(two);
}

static void test_three_processes_give_the_bytes_of_one(void **state) {
    (void)state;
    program_write("m.yaml", MASS, -1);
    call(0, TAUT_PROGRAM " " STUDY "-j 1 -o 1.csv", "203 runs, 0 failed");
    call(0, TAUT_MPI_PROGRAM " " STUDY "-o plain.csv", "203 runs, 0 failed");
    call(0, MPIRUN STUDY "-j 1 -o 3.csv", "203 runs, 0 failed");
    call(0, MPIRUN STUDY "-j 2 -o 6.csv", "203 runs, 0 failed");
    same_files("1.csv", "plain.csv");
    same_files("1.csv", "3.csv");
    same_files("1.csv", "6.csv");
    char list[400];
    assert_int_equal(program_list(list, sizeof list), 5); /* no journal stays behind */
}

/* Journals of any number of workers are taken over by any other number. */
static void test_what_was_stopped_goes_on(void **state) {
    (void)state;
    program_write("m.yaml", MASS, -1);
    call(0, TAUT_PROGRAM " " STUDY "-o 1.csv", NULL);
    call(0, TAUT_PROGRAM " " STUDY "-o 2.csv --shard 2/5", "part 2 of 5");
    call(0, MPIRUN STUDY "-o 2.csv --resume", "203 runs");
    same_files("1.csv", "2.csv");
    call(0, TAUT_PROGRAM " " STUDY "-o 3.csv --shard 1/2", "part 1 of 2");
    call(0, TAUT_PROGRAM " " STUDY "-o 3.csv --resume", "203 runs");
    same_files("1.csv", "3.csv");
}

static void test_wrong_studies_end_all_processes(void **state) {
    (void)state;
    program_write("m.yaml", MASS, -1);
    call(2, MPIRUN "sweep m.yaml --vary k=1,2 --report 'end(y)'", "there is no column 'y'");
    call(2, MPIRUN "sweep m.yaml --vary k=1,2 --report 'end(x)' --shard 1/2", "shares the runs");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, program_enter, program_leave)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_three_processes_give_the_bytes_of_one),
        TEST(test_what_was_stopped_goes_on),
        TEST(test_wrong_studies_end_all_processes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
