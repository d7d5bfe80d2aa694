/* Tests of core/status: the list of statuses, the list of faults, and how a fault is shown. */
#include "check.h"

#include <stdio.h>
#include <string.h>

#include "core/status.h"

/* ---- the list of statuses ---- */

static const struct {
    int number;
    const char *text;
} LIST[] = {
#define TAUT_STATUS(name, number, text) {number, text},
#include "taut/status.def"
#undef TAUT_STATUS
};
enum { STATUSES = sizeof LIST / sizeof LIST[0] };

static void test_status_list_is_in_order(void **state) {
    (void)state;
    for (int i = 1; i < STATUSES; i++) assert_int_equal(LIST[i].number, LIST[i - 1].number + 1);
    assert_int_equal(TAUT_OK, 0);
    assert_true(TAUT_ERR_MEMORY < 0 && TAUT_ERR_INPUT < 0 && TAUT_ERR_NUMERICS < 0);
    assert_true(TAUT_INTERRUPTED > 0 && TAUT_SINGULAR > 0);
}

static void test_status_texts_are_distinct(void **state) {
    (void)state;
    for (int i = 0; i < STATUSES; i++) {
        assert_string_equal(taut_status_text((taut_status)LIST[i].number), LIST[i].text);
        for (int k = 0; k < i; k++) assert_string_not_equal(LIST[i].text, LIST[k].text);
    }
    assert_string_equal(taut_status_text((taut_status)99), "unknown status");
    assert_string_equal(taut_status_text(TAUT_OK), "done");
}

static taut_status through(taut_status status, int *after) {
    TAUT_TRY(status);
    ++*after;
    return TAUT_OK;
}

static void test_try_passes_failures_up(void **state) {
    (void)state;
    int after = 0;
    assert_int_equal(through(TAUT_ERR_IO, &after), TAUT_ERR_IO);
    assert_int_equal(through(TAUT_SINGULAR, &after), TAUT_SINGULAR);
    assert_int_equal(after, 0);
    assert_int_equal(through(TAUT_OK, &after), TAUT_OK);
    assert_int_equal(after, 1);
}

/* ---- the list of faults ---- */

static void test_fail_without_a_list_returns_the_status(void **state) {
    (void)state;
    const taut_place place = {.path = "f", .text = "x", .text_length = 1, .line = 1, .column = 1};
    assert_int_equal(taut_fail(NULL, TAUT_ERR_IO, "%d", 1), TAUT_ERR_IO);
    assert_int_equal(taut_fail_at(NULL, TAUT_ERR_INPUT, place, "%d", 1), TAUT_ERR_INPUT);
}

static void test_fail_counts_what_does_not_fit(void **state) {
    (void)state;
    static taut_errors errors;
    errors = (taut_errors){0};
    for (int i = 0; i < TAUT_ERRORS_MAX + 5; i++)
        assert_int_equal(taut_fail(&errors, TAUT_ERR_INPUT, "fault %d", i), TAUT_ERR_INPUT);
    assert_int_equal(errors.count, TAUT_ERRORS_MAX);
    assert_int_equal(errors.dropped, 5);
    assert_string_equal(errors.item[0].message, "fault 0");
    assert_string_equal(errors.item[TAUT_ERRORS_MAX - 1].message, "fault 23");
    assert_int_equal(errors.item[3].status, TAUT_ERR_INPUT);
}

/* ---- how a fault is shown ---- */

/* The text of one fault at line:column of `file`. */
static const char *shown(const char *path, const char *file, int line, int column,
                         taut_status status, const char *message) {
    static taut_errors errors;
    static char text[4096];
    errors = (taut_errors){0};
    taut_place place = {path, file, file ? (long)strlen(file) : 0, line, column, NULL};
    taut_fail_at(&errors, status, place, "%s", message);
    const int need = taut_error_format(&errors.item[0], text, sizeof text);
    assert_int_equal(need, strlen(text));
    return text;
}

static void test_format_shows_place_line_and_caret(void **state) {
    (void)state;
    const char *file = "Title: top\nL: u + * v\r\nlast";
    assert_string_equal(shown("top.yaml", file, 2, 8, TAUT_ERR_INPUT, "a fault"),
                        "top.yaml:2:8: error: a fault\n  L: u + * v\n         ^\n");
    assert_string_equal(shown("top.yaml", file, 1, 1, TAUT_ERR_INPUT, "m"),
                        "top.yaml:1:1: error: m\n  Title: top\n  ^\n");
    assert_string_equal(shown("top.yaml", file, 3, 4, TAUT_SINGULAR, "m"),
                        "top.yaml:3:4: stopped: m\n  last\n     ^\n");
}

static void test_format_without_a_line_has_no_caret(void **state) {
    (void)state;
    assert_string_equal(shown("a.yaml", NULL, 3, 1, TAUT_ERR_INPUT, "m"), "a.yaml:3:1: error: m\n");
    assert_string_equal(shown("a.yaml", "x", 0, 0, TAUT_ERR_IO, "m"), "a.yaml: error: m\n");
    assert_string_equal(shown(NULL, NULL, 0, 0, TAUT_ERR_CALL, "m"), "error: m\n");
    assert_string_equal(shown("a.yaml", "one\n", 7, 1, TAUT_ERR_INPUT, "m"),
                        "a.yaml:7:1: error: m\n"); /* behind the end of the file */
}

/* Columns and carets count characters, so that the caret stands under its character. */
static void test_caret_counts_characters_not_bytes(void **state) {
    (void)state;
    const char *file = "# \xC3\xA4\xE2\x82\xAC\xF0\x9D\x9C\x94 x ? y";
    assert_string_equal(shown("f", file, 1, 9, TAUT_ERR_INPUT, "m"),
                        "f:1:9: error: m\n  # \xC3\xA4\xE2\x82\xAC\xF0\x9D\x9C\x94 x ? y\n"
                        "          ^\n");
}

static void test_caret_stays_on_its_line(void **state) {
    (void)state;
    assert_string_equal(shown("f", "ab\ncdef", 1, 99, TAUT_ERR_INPUT, "m"),
                        "f:1:99: error: m\n  ab\n    ^\n");
}

static void test_source_shows_tabs_and_junk_as_blanks(void **state) {
    (void)state;
    assert_string_equal(shown("f",
                              "\ta\x01"
                              "b\x7F?",
                              1, 6, TAUT_ERR_INPUT, "m"),
                        "f:1:6: error: m\n   a b ?\n       ^\n");
}

/* The character under the caret of a long line of `unit` (repeated), with '!' at character `at`. */
static void check_long_line(const char *unit, int count, int at) {
    static char file[8000];
    size_t n = 0;
    for (int i = 0; i < count; i++) {
        const char *c = i == at ? "!" : unit;
        memcpy(file + n, c, strlen(c));
        n += strlen(c);
    }
    file[n] = '\0';
    static taut_errors errors;
    errors = (taut_errors){0};
    taut_fail_at(&errors, TAUT_ERR_INPUT, (taut_place){"f", file, (long)n, 1, at + 1, NULL}, "m");
    const taut_error *e = &errors.item[0];
    assert_true(strlen(e->source) < sizeof e->source);
    const char *p = e->source;
    for (int i = 0; i < e->caret; i++) {
        assert_int_equal(strncmp(p, unit, strlen(unit)), 0); /* whole characters only */
        p += strlen(unit);
    }
    assert_int_equal(*p, '!');
    for (p++; *p; p += strlen(unit)) assert_int_equal(strncmp(p, unit, strlen(unit)), 0);
}

static void test_long_lines_are_cut_around_the_caret(void **state) {
    (void)state;
    static const char *const unit[] = {"x", "\xC3\xA4", "\xE2\x82\xAC", "\xF0\x9D\x9C\x94"};
    for (int u = 0; u < 4; u++)
        for (int at = 0; at < 1000; at += 7) check_long_line(unit[u], 1000, at);
    check_long_line("x", 255, 254);
    check_long_line("x", 256, 255);
}

static void test_long_messages_are_cut_between_characters(void **state) {
    (void)state;
    static char lots[3000], path[2000];
    for (size_t i = 0; i + 2 < sizeof lots; i += 2) memcpy(lots + i, "\xC3\xA4", 3);
    for (size_t i = 0; i + 3 < sizeof path; i += 3) memcpy(path + i, "\xE2\x82\xAC", 4);
    static taut_errors errors;
    errors = (taut_errors){0};
    taut_fail_at(&errors, TAUT_ERR_INPUT, (taut_place){.path = path, .line = 1}, "%s", lots);
    const taut_error *e = &errors.item[0];
    assert_true(strlen(e->message) > 1000 && strlen(e->message) % 2 == 0);
    assert_true(strlen(e->path) > 500 && strlen(e->path) % 3 == 0);
}

static void test_format_never_writes_past_size(void **state) {
    (void)state;
    static taut_errors errors;
    errors = (taut_errors){0};
    taut_fail_at(&errors, TAUT_ERR_INPUT, (taut_place){"f", "abc", 3, 1, 2, NULL}, "message");
    char whole[200], text[200];
    const int need = taut_error_format(&errors.item[0], whole, sizeof whole);
    for (int size = 1; size <= need + 1; size++) {
        memset(text, '#', sizeof text);
        assert_int_equal(taut_error_format(&errors.item[0], text, size), need);
        assert_int_equal(strlen(text), size - 1);
        assert_int_equal(strncmp(text, whole, (size_t)size - 1), 0);
        assert_int_equal(text[size], '#');
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_status_list_is_in_order),
        cmocka_unit_test(test_status_texts_are_distinct),
        cmocka_unit_test(test_try_passes_failures_up),
        cmocka_unit_test(test_fail_without_a_list_returns_the_status),
        cmocka_unit_test(test_fail_counts_what_does_not_fit),
        cmocka_unit_test(test_format_shows_place_line_and_caret),
        cmocka_unit_test(test_format_without_a_line_has_no_caret),
        cmocka_unit_test(test_caret_counts_characters_not_bytes),
        cmocka_unit_test(test_caret_stays_on_its_line),
        cmocka_unit_test(test_source_shows_tabs_and_junk_as_blanks),
        cmocka_unit_test(test_long_lines_are_cut_around_the_caret),
        cmocka_unit_test(test_long_messages_are_cut_between_characters),
        cmocka_unit_test(test_format_never_writes_past_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
