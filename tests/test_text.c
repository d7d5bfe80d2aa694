/* Tests of core/text: distances between names, suggestions, growing strings. */
#include "check.h"

#include <string.h>

#include "core/text.h"

static void test_distance_counts_edits(void **state) {
    (void)state;
    static const struct {
        const char *a, *b;
        int distance;
    } pair[] = {
        {"", "", 0},
        {"", "abc", 3},
        {"abc", "", 3},
        {"kitten", "sitting", 3},
        {"saturday", "sunday", 3},
        {"lambda", "lamdba", 1},  /* swapped */
        {"lambda", "lmbda", 1},   /* dropped */
        {"lambda", "llambda", 1}, /* added */
        {"lambda", "lambde", 1},  /* changed */
        {"Length", "length", 1},  /* a change of case counts a little */
        {"LENGTH", "length", 1},  /* however many letters */
        {"Lengths", "length", 1}, /* and nothing beside another step */
        {"a", "b", 1},
        {"ab", "ba", 1},
        {"abcd", "badc", 2},
        {"omega", "theta", 3},
    };
    for (size_t i = 0; i < sizeof pair / sizeof pair[0]; i++) {
        assert_int_equal(taut_text_distance(pair[i].a, pair[i].b, 10), pair[i].distance);
        assert_int_equal(taut_text_distance(pair[i].b, pair[i].a, 10), pair[i].distance);
    }
}

static void test_distance_stops_at_its_limit(void **state) {
    (void)state;
    assert_int_equal(taut_text_distance("kitten", "sitting", 3), 3);
    assert_int_equal(taut_text_distance("kitten", "sitting", 2), 3);
    assert_int_equal(taut_text_distance("kitten", "sitting", 1), 2);
    assert_int_equal(taut_text_distance("a", "abcdefgh", 3), 4);
    char longer[101];
    memset(longer, 'a', 100);
    longer[100] = '\0';
    assert_int_equal(taut_text_distance(longer, longer, 3), 4); /* too long to be compared */
    longer[48] = '\0';
    assert_int_equal(taut_text_distance(longer, longer, 3), 0);
    assert_int_equal(taut_text_distance(longer, longer + 2, 3), 2);
}

static const char *nearest_of(const char *wanted, const char *const *name, size_t count) {
    taut_nearest nearest = {wanted, NULL, 0};
    for (size_t i = 0; i < count; i++) taut_nearest_offer(&nearest, name[i]);
    return nearest.best;
}

static void test_nearest_is_the_closest_name(void **state) {
    (void)state;
    static const char *const keys[] = {"Parameters", "Constraints", "Coordinates", "Outputs", "L"};
    assert_string_equal(nearest_of("Parameter", keys, 5), "Parameters");
    assert_string_equal(nearest_of("constraints", keys, 5), "Constraints");
    assert_string_equal(nearest_of("Cordinates", keys, 5), "Coordinates");
    static const char *const close[] = {"mast", "mass", "math"};
    assert_string_equal(nearest_of("mas", close, 3), "mast"); /* the first of equals */
    assert_string_equal(nearest_of("masss", close, 3), "mass");
}

static void test_nearest_offers_nothing_far_fetched(void **state) {
    (void)state;
    static const char *const keys[] = {"Parameters", "u", "v"};
    assert_null(nearest_of("friction", keys, 3));
    assert_null(nearest_of("x", keys, 3)); /* every letter would change */
}

static void test_string_grows(void **state) {
    (void)state;
    taut_string s = {0};
    for (int i = 0; i < 5000; i++) taut_string_add(&s, "%d,", i % 10);
    assert_int_equal(s.length, 10000);
    assert_int_equal(strlen(s.text), 10000);
    assert_false(s.failed);
    for (size_t i = 0; i < 10000; i++)
        assert_int_equal(s.text[i], i % 2 ? ',' : "0123456789"[i / 2 % 10]);
    taut_string_add(&s, "%s", "");
    assert_int_equal(s.length, 10000);
    taut_string_release(&s);
    assert_null(s.text);
    assert_int_equal(s.length, 0);
    taut_string_add(&s, "again %.3f", 1.5);
    assert_string_equal(s.text, "again 1.500");
    taut_string_release(&s);
}

static void must_show(const char *text, bool keep_lines, const char *expected) {
    char found[200];
    assert_int_equal(taut_text_escape(text, found, sizeof found, keep_lines), strlen(expected));
    assert_string_equal(found, expected);
}

static void test_control_characters_are_shown(void **state) {
    (void)state;
    must_show("plain text, \xc3\xa9, \xf0\x9f\x98\x80", false,
              "plain text, \xc3\xa9, \xf0\x9f\x98\x80");
    must_show("\033[31mred\007", false, "\\e[31mred\\a");
    must_show("a\nb\tc\r", false, "a\\nb\\tc\\r");
    must_show("a\nb\tc\r", true, "a\nb\\tc\\r");
    must_show("\001\x7f", false, "\\x01\\x7f");
    must_show("\xc2\x9b", false, "\\x9b");              /* CSI in one character */
    must_show("\xff\xfe.csv", false, "\\xff\\xfe.csv"); /* not UTF-8 */
    must_show("\xe2\x82", false, "\\xe2\\x82");         /* cut */
    must_show("\xc0\xaf", false, "\\xc0\\xaf");         /* overlong */
    must_show("\xe2\x80\xae", false, "\\u202e");        /* from right to left */
    must_show("\xef\xbf\xbd", false, "\xef\xbf\xbd");   /* U+FFFD itself */
    char small[6];
    assert_int_equal(taut_text_escape("abc\033def", small, sizeof small, false), 8);
    assert_string_equal(small, "abc\\e");
    assert_int_equal(taut_text_escape("abcd\033def", small, sizeof small, false), 9);
    assert_string_equal(small, "abcd"); /* no half escapes */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distance_counts_edits),
        cmocka_unit_test(test_distance_stops_at_its_limit),
        cmocka_unit_test(test_nearest_is_the_closest_name),
        cmocka_unit_test(test_nearest_offers_nothing_far_fetched),
        cmocka_unit_test(test_control_characters_are_shown),
        cmocka_unit_test(test_string_grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
