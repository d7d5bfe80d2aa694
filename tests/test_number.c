/* Numbers as text: the same characters as printf gives; and back: the same bits and end as those of
 * strtod. */
#include "check.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/number.h"

enum { ROUNDS = 200000 };

static taut_powers powers;

static void check(double value, int digits) {
    char found[TAUT_NUMBER_ROOM], expected[64];
    const size_t length = taut_number_write(&powers, value, digits, found);
    snprintf(expected, sizeof expected, "%.*g", digits, value);
    assert_string_equal(found, expected);
    assert_int_equal(length, strlen(expected));
}

static uint64_t next(uint64_t *state) { /* xorshift */
    *state ^= *state << 13;
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

static void test_chosen_numbers(void **state) {
    (void)state;
    static const double value[] = {0.0,      1.0,     0.1,     0.5,      2.5,
                                   9.5,      99.5,    9.995,   1e-4,     1e-5,
                                   99999.5,  1e16,    1e17,    1e22,     1e23,
                                   5e-324,   1.0 / 3, DBL_MAX, DBL_MIN,  123456.5,
                                   1e100,    1e-100,  0.125,   65536.5,  1e15 + 1,
                                   999999.5, 1e-300,  4.35,    0.000123, 9007199254740993.0};
    for (size_t i = 0; i < sizeof value / sizeof value[0]; i++)
        for (int digits = 1; digits <= TAUT_NUMBER_DIGITS; digits++) {
            check(value[i], digits);
            check(-value[i], digits);
        }
}

/* All bit patterns, and numbers with few digits, where halves are frequent. */
static void test_random_numbers(void **state) {
    (void)state;
    uint64_t random = UINT64_C(88172645463325252);
    for (int i = 0; i < ROUNDS; i++) {
        const uint64_t bits = next(&random);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value)) check(value, 17);
        if (isfinite(value)) check(value, 1 + i % 17);
        check((double)(bits % 2000001) / 1000.0 - 1000.0, 1 + i % 17);
        check(ldexp((double)(bits >> 48), i % 60 - 40), 1 + i % 17);
    }
}

static void check_parse(const char *text) {
    char *end, *expected_end;
    const double found = taut_number_parse(text, &end), expected = strtod(text, &expected_end);
    if (isnan(expected)) {
        assert_true(isnan(found));
    } else {
        assert_memory_equal(&found, &expected, sizeof found);
    }
    assert_ptr_equal(end, expected_end);
    const double again = taut_number_parse(text, NULL);
    if (!isnan(expected)) assert_memory_equal(&again, &expected, sizeof again);
}

static void test_chosen_texts(void **state) {
    (void)state;
    static const char *const text[] = {"",
                                       ".",
                                       "0",
                                       "0.",
                                       ".0",
                                       "-0",
                                       "+1",
                                       "1.",
                                       ".5",
                                       "1..2",
                                       "1.2.3",
                                       "007",
                                       "1e3",
                                       "1e",
                                       "0x1p3",
                                       "1 ",
                                       " 1",
                                       "12abc",
                                       "inf",
                                       "nan",
                                       "1,5",
                                       "1e-400",
                                       "1e400",
                                       "0.1",
                                       "2.50",
                                       "0.00001",
                                       "1.0e+010",
                                       "1.5 mm",
                                       "--1",
                                       "9.81",
                                       "999999999999999",
                                       "9999999999999999",
                                       "0.999999999999999",
                                       "0.000000000000001",
                                       "0.0000000000000001",
                                       "123456789.123456",
                                       "9007199254740993",
                                       "00000000000000000000000001.5"};
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) check_parse(text[i]);
}

/* Up to 20 digits, with a point anywhere or nowhere. */
static void test_random_texts(void **state) {
    (void)state;
    uint64_t random = UINT64_C(88172645463325252);
    for (int i = 0; i < ROUNDS; i++) {
        char text[32];
        size_t length = 0;
        const int digits = 1 + (int)(next(&random) % 20), point = (int)(next(&random) % 24);
        for (int k = 0; k < digits; k++) {
            if (k == point) text[length++] = '.';
            text[length++] = (char)('0' + next(&random) % 10);
        }
        text[length] = '\0';
        check_parse(text);
    }
}

int main(void) {
    taut_powers_fill(&powers);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chosen_numbers),
        cmocka_unit_test(test_random_numbers),
        cmocka_unit_test(test_chosen_texts),
        cmocka_unit_test(test_random_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
