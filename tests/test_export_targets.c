/* Generated C on other machines: aarch64 prints the same 12 digits, a Cortex-M7 has room for it,
 * and no required rule of MISRA C:2012 is violated. What is not installed is said and left out. */
#include "exported.h"

static bool has(const char *program) {
    char command[200];
    snprintf(command, sizeof command, "command -v %s > /dev/null", program);
    if (system(command) == 0) return true;
    print_message("not tested: %s is missing; scripts/setup targets installs it\n", program);
    return false;
}

static void export_to(const char *folder, const char *example, const char *options) {
    char command[600];
    program_result r;
    snprintf(command, sizeof command, "export %s/examples/%s.yaml --c %s%s%s", TAUT_SOURCE_DIR,
             example, folder, *options ? " " : "", options);
    program_call(&r, command);
    if (r.code != 0) fail_msg("%s: %s", example, r.err);
    program_release(&r);
}

/* ---- aarch64 ---- */

/* The largest difference of two CSV files, beside the largest value of the column. */
static double difference(const char *a, const char *b) {
    char *text[2] = {program_read(a), program_read(b)};
    program_table t[2];
    double worst = 0.0;
    for (int i = 0; i < 2; i++) program_table_read(&t[i], text[i]);
    assert_int_equal(t[0].rows, t[1].rows);
    assert_int_equal(t[0].columns, t[1].columns);
    for (int c = 0; c < t[0].columns; c++) {
        double size = 0.0, gap = 0.0;
        for (long i = 0; i < t[0].rows; i++) {
            const double x = t[0].value[i * t[0].columns + c], y = t[1].value[i * t[0].columns + c];
            size = fmax(size, fabs(x));
            gap = fmax(gap, fabs(x - y));
        }
        if (size > 1e-12) worst = fmax(worst, gap / size);
    }
    for (int i = 0; i < 2; i++) {
        program_table_free(&t[i]);
        free(text[i]);
    }
    return worst;
}

static void test_aarch64_prints_the_same_digits(void **state) {
    (void)state;
    static const char *const example[] = {"pendulum", "slider-crank", "andrews", "mcpherson",
                                          "bricard"};
    if (!has("aarch64-linux-gnu-gcc") || !has("qemu-aarch64-static")) return;
    for (size_t i = 0; i < sizeof example / sizeof *example; i++) {
        export_to("code", example[i], i == 1 ? "--reactions" : "");
        export_shell(example[i], "make -s -C code && code/@ > here.csv");
        export_shell(example[i],
                     "make -s -C code clean && make -s -C code CC=aarch64-linux-gnu-gcc "
                     "LDFLAGS=-static && qemu-aarch64-static code/@ > there.csv");
        const double gap = difference("here.csv", "there.csv");
        if (!(gap < 1e-12)) fail_msg("%s: %.2g apart", example[i], gap);
        export_shell(example[i], "rm -r code");
    }
}

/* ---- a microcontroller ---- */

static long number_of(const char *command) {
    char full[400];
    snprintf(full, sizeof full, "%s > number", command);
    if (system(full) != 0) fail_msg("%s", command);
    char *text = program_read("number");
    const long x = strtol(text, NULL, 10);
    free(text);
    return x;
}

/* Size of code, and the frames of the longest chain of calls from a step: step, stage or look,
 * find, series, product. */
static void check_cortex(const char *example, const char *options, long most_code) {
    export_to("code", example, options);
    export_shell(example, "cd code && arm-none-eabi-gcc -mcpu=cortex-m7 -mthumb -mfpu=fpv5-d16 "
                          "-mfloat-abi=hard -std=c99 " STRICT
                          " -O2 -fstack-usage -D_NO_NAMES -c @.c -o m.o");
    const long code = number_of("arm-none-eabi-size code/m.o | awk 'NR == 2 {print $1}'");
    const long writable = number_of("arm-none-eabi-size code/m.o | awk 'NR == 2 {print $2 + $3}'");
    const long frame = number_of("awk '!/_init/ && $2 > m {m = $2} END {print m + 0}' code/*.su");
    print_message("%s%s%s on a Cortex-M7: %ld bytes of code and tables, frames of at most %ld "
                  "bytes\n",
                  example, *options ? " " : "", options, code, frame);
    assert_true(code > 1000 && code < most_code);
    assert_true(frame < 2000);
    assert_int_equal(writable, 0); /* no variable outside of what the caller owns */
    /* it links with the C library of the microcontroller, and calls nothing that allocates */
    export_shell(example,
                 "arm-none-eabi-nm -u code/m.o | awk '{print $2}' > calls && "
                 "! grep -vxE 'sin|cos|sqrt|sinf|cosf|sqrtf|mem(set|cpy)|__aeabi_.*' calls");
    export_shell(example, "rm -r code");
}

static void test_cortex_m7_has_room_for_it(void **state) {
    (void)state;
    if (!has("arm-none-eabi-gcc")) return;
    check_cortex("slider-crank", "", 16000);
    check_cortex("slider-crank", "--float", 16000);
    check_cortex("slider-crank", "--reactions", 24000);
    check_cortex("andrews", "", 48000);
    check_cortex("bricard", "", 64000); /* loops */
}

/* ---- rules ---- */

/* Advisory rules that are not kept, with the reason; all others are.
 *   2.5  a macro that is not used: sizes and bits of the status are there for the caller
 *   8.7, 8.9  functions of the interface and tables that one place alone uses
 *  12.1  sums of products without further parentheses: formulas stay readable */
static void test_no_required_rule_of_misra_is_violated(void **state) {
    (void)state;
    if (!has("cppcheck")) return;
    program_write("controlled.yaml",
                  "Inputs: {u: 0}\n"
                  "DAE: {Variables: [y], Equations: [\"y'' + y - u\"]}\n"
                  "Controllers: {c: {Every: 0.1, States: {z: 0}, Next: {z: z + y}, Out: {u: -z}}}\n"
                  "ProblemData: {tend: 1, positions: {y: 1}, velocities: {y: 0}}\n",
                  -1);
    program_result r;
    program_call(&r, "export controlled.yaml --c code");
    assert_int_equal(r.code, 0);
    program_release(&r);
    export_to("code", "slider-crank", "--reactions");
    export_to("code", "bricard", "");
    static const char *const stem[] = {"controlled", "slider-crank", "bricard"};
    for (size_t i = 0; i < sizeof stem / sizeof *stem; i++) {
        export_shell(stem[i], "cppcheck --addon=misra --std=c99 --enable=style --quiet code/@.c "
                              "2> findings; grep -o 'misra-c2012-[0-9.]*' findings | sort -u > "
                              "rules; test -s rules"); /* the addon was there */
        export_shell(stem[i], "if grep -vxE 'misra-c2012-(2.5|8.7|8.9|12.1)' rules; then cat "
                              "findings; exit 1; fi");
    }
}

int main(void) {
#define HERE(name) cmocka_unit_test_setup_teardown(name, program_enter, program_leave)
    const struct CMUnitTest tests[] = {HERE(test_aarch64_prints_the_same_digits),
                                       HERE(test_cortex_m7_has_room_for_it),
                                       HERE(test_no_required_rule_of_misra_is_violated)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
