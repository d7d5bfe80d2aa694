/* Files of other programs that are meant to hurt: very many bodies, sites, tendons, classes and
 * notes take a time that grows with their number; what is nested as deeply as it may be is read in
 * a thread with a small stack; pipes are not waited for. The limits on time are for what grows with
 * a power of the number: it would take minutes. */
#include "check.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "core/text.h"
#include "program.h"
#include "taut/taut.h"

static const double MOST_SECONDS = 4.0; /* of processor time */
enum { SMALL_STACK = 256 << 10 };

static taut_errors errors;

#define ADD(...) taut_string_add(&file, __VA_ARGS__)
#define BALL "<joint/><geom type='sphere' size='.1'/>"

static double seconds_of_work(void) {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)used.ru_utime.tv_sec + 1e-6 * (double)used.ru_utime.tv_usec;
}

/* Writes the file, which it takes over, and imports it. */
static taut_status import(taut_string *file) {
    char *text = NULL, *left_out = NULL;
    assert_false(file->failed);
    program_write("m.xml", file->text, (long)file->length);
    taut_string_release(file);
    errors.count = errors.dropped = 0;
    const double before = seconds_of_work();
    const taut_status status = taut_import("m.xml", &text, &left_out, &errors);
    const double took = seconds_of_work() - before;
    print_message("    %.2f s\n", took);
    assert_true(took < MOST_SECONDS);
    taut_text_free(&text);
    taut_text_free(&left_out);
    return status;
}

static void test_very_many_parts_are_imported(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("<mujoco><worldbody>"); /* none has a name: all get one */
    for (int i = 0; i < 4900; i++) ADD("<body>" BALL "</body>");
    ADD("</worldbody></mujoco>");
    assert_int_equal(import(&file), TAUT_OK);
    ADD("<mujoco><worldbody><body name='a'>" BALL);
    for (int i = 0; i < 20000; i++) ADD("<site name='s%d'/>", i);
    ADD("</body><site name='t' pos='1 1 1'/></worldbody><tendon>");
    for (int i = 0; i < 20000; i++)
        ADD("<spatial stiffness='1'><site site='s%d'/><site site='t'/></spatial>", i);
    ADD("</tendon></mujoco>");
    assert_int_equal(import(&file), TAUT_OK);
    ADD("<mujoco><default>");
    for (int i = 0; i < 10000; i++)
        ADD("<default class='c%d'><geom density='%d'/></default>", i, i);
    ADD("</default><worldbody><body><joint/>");
    for (int i = 0; i < 20000; i++) ADD("<geom type='sphere' size='.1' class='c9999'/>");
    ADD("</body></worldbody></mujoco>");
    assert_int_equal(import(&file), TAUT_OK);
    ADD("<mujoco>");
    for (int i = 0; i < 190; i++) ADD("<default class='%s%d'><geom density='5'/>", i ? "" : "m", i);
    for (int i = 0; i < 190; i++) ADD("</default>");
    ADD("<worldbody><body><joint/>");
    for (int i = 0; i < 50000; i++) ADD("<geom type='sphere' size='.1' class='189'/>");
    ADD("</body></worldbody></mujoco>");
    assert_int_equal(import(&file), TAUT_OK);
    ADD("<mujoco><asset>");
    for (int i = 0; i < 30000; i++) ADD("<mesh name='m%d' file='m.stl'/>", i);
    ADD("</asset><worldbody><body>" BALL);
    for (int i = 0; i < 30000; i++) ADD("<geom type='mesh' mesh='m%d' mass='0'/>", i);
    ADD("</body></worldbody></mujoco>");
    assert_int_equal(import(&file), TAUT_OK);
    ADD("<mujoco><worldbody><body>" BALL "</body></worldbody><tendon>");
    for (int i = 0; i < 100000; i++) ADD("<spatial name='t%d'/>", i); /* each is left out */
    ADD("</tendon></mujoco>");
    assert_int_equal(import(&file), TAUT_OK);
}

/* What would have a size that grows with the square of theirs is refused. */
static void test_what_would_explode_is_refused(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("<mujoco><worldbody>");
    for (int i = 0; i < 2000; i++) ADD("<body><joint name='p%d'/><geom size='.1'/></body>", i);
    ADD("</worldbody><tendon><fixed stiffness='1'>");
    for (int i = 0; i < 2000; i++) ADD("<joint joint='p%d' coef='1'/>", i);
    ADD("</fixed></tendon></mujoco>");
    assert_int_equal(import(&file), TAUT_ERR_INPUT);
    assert_non_null(strstr(errors.item[0].message, "formulas of more than 8 MB"));
    ADD("<mujoco><worldbody><body name='a'>" BALL "</body></worldbody><equality>");
    for (int i = 0; i < 100000; i++) ADD("<connect body1='a' anchor='0 0 0'/>");
    ADD("</equality></mujoco>");
    assert_int_equal(import(&file), TAUT_ERR_INPUT);
    assert_non_null(strstr(errors.item[0].message, "more than 5000 loops"));
    ADD("<mujoco><default><geom");
    for (int i = 0; i < 100000; i++) ADD(" a%d='1'", i);
    ADD("/></default></mujoco>");
    assert_int_equal(import(&file), TAUT_ERR_INPUT);
    assert_non_null(strstr(errors.item[0].message, "more than 200 attributes"));
    ADD("<mujoco><default>");
    for (int i = 0; i < 100000; i++) ADD("<geom a%d='1'/>", i);
    ADD("</default></mujoco>");
    assert_int_equal(import(&file), TAUT_ERR_INPUT);
    assert_non_null(strstr(errors.item[0].message, "a class has more than 200 attributes"));
}

/* ---- nesting ---- */

static void *import_again(void *user) {
    char *text = NULL;
    *(taut_status *)user = taut_import("deep.xml", &text, NULL, &errors);
    taut_text_free(&text);
    return NULL;
}

static taut_status in_a_small_thread(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    taut_status status = TAUT_OK;
    errors.count = errors.dropped = 0;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, SMALL_STACK), 0);
    assert_int_equal(pthread_create(&thread, &attributes, import_again, &status), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attributes);
    return status;
}

static void write_deep(const char *path, int levels, const char *inside) {
    taut_string file = {0};
    ADD("<mujoco><worldbody>");
    for (int i = 0; i < levels; i++) ADD("<body>" BALL);
    ADD("%s", inside);
    for (int i = 0; i < levels; i++) ADD("</body>");
    ADD("</worldbody></mujoco>");
    assert_false(file.failed);
    program_write(path, file.text, (long)file.length);
    taut_string_release(&file);
}

static void test_deep_files_are_read_in_a_small_thread(void **state) {
    (void)state;
    write_deep("deep.xml", 197, "");
    assert_int_equal(in_a_small_thread(), TAUT_OK);
    program_write("more.xml", "<mujoco><body><body><body/></body></body></mujoco>", -1);
    write_deep("deep.xml", 150, "<include file='more.xml'/>");
    assert_int_equal(in_a_small_thread(), TAUT_OK);
    write_deep("deep.xml", 197, "<include file='more.xml'/>");
    assert_int_equal(in_a_small_thread(), TAUT_ERR_INPUT);
    assert_non_null(strstr(errors.item[0].message, "nested more than 200 deep"));
}

static void test_pipes_are_not_waited_for(void **state) {
    (void)state;
    char *text = NULL;
    assert_int_equal(mkfifo("pipe.xml", 0600), 0);
    assert_int_equal(taut_import("pipe.xml", &text, NULL, &errors), TAUT_ERR_IO);
    write_deep("deep.xml", 1, "<include file='pipe.xml'/>");
    assert_int_equal(taut_import("deep.xml", &text, NULL, &errors), TAUT_ERR_IO);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_very_many_parts_are_imported),
        cmocka_unit_test(test_what_would_explode_is_refused),
        cmocka_unit_test(test_deep_files_are_read_in_a_small_thread),
        cmocka_unit_test(test_pipes_are_not_waited_for),
    };
    return cmocka_run_group_tests(tests, program_enter, program_leave);
}
