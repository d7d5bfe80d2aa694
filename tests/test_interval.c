/* Ranges by interval arithmetic contain every value, and are narrow where a function is flat. */
#include "check.h"

#include <string.h>

#include "expr/infix.h"
#include "expr/interval.h"

static const char *const FORMULA[] = {
    "exp(-((t - 1)/0.01)^2)",
    "tanh(50*(t - 1)) - tanh(50*(t - 2))",
    "sin(7*t)*cos(3*t - 1)",
    "1/(1 + (t - 2)^4)",
    "cosh(t - 1)/(2 + sin(t))",
    "sqrt(1 + t^2) + (1 + t^2)^0.3 + atan(5*(t - 2))",
    "log(2 + cos(t)) + sinh(t/3) - t^3",
    "asin(sin(t)/2) + acos(cos(t)/3)",
    "exp(40*(cos(5*t) - 1))",
};
enum { FORMULAS = sizeof FORMULA / sizeof FORMULA[0] };

static bool find_time(void *user, const char *name, taut_measure *measure, char *why, size_t size) {
    (void)user, (void)name, (void)measure, (void)why, (void)size;
    return false; /* t is known to the parser */
}

typedef struct function {
    taut_graph *graph;
    taut_arena arena;
    taut_sample sample;
    taut_interval *work;
} function;

static void make(function *f, const char *text) {
    const taut_scope scope = {.find = find_time};
    taut_infix_error error;
    taut_measure measure = {0};
    *f = (function){0};
    assert_int_equal(taut_graph_create(&f->graph), TAUT_OK);
    assert_int_equal(taut_infix_read(f->graph, text, (long)strlen(text), &scope, &measure, &error),
                     TAUT_OK);
    assert_int_equal(taut_sample_create(f->graph, measure.value.c, 1, &f->arena, &f->sample),
                     TAUT_OK);
    f->work = TAUT_NEW_ARRAY(&f->arena, f->sample.plain.tape.size, taut_interval);
    assert_non_null(f->work);
}

static void drop(function *f) {
    taut_arena_release(&f->arena);
    taut_graph_free(&f->graph);
}

static uint32_t seed = 12345;
static double draw(double low, double high) {
    seed = seed * 1664525u + 1013904223u;
    return low + (high - low) * ((double)seed / 4294967296.0);
}

static void test_every_value_is_in_the_range(void **state) {
    (void)state;
    for (int i = 0; i < FORMULAS; i++) {
        function f;
        make(&f, FORMULA[i]);
        for (int n = 0; n < 2000; n++) {
            const double a = draw(-3.0, 5.0), b = a + pow(10.0, draw(-6.0, 0.6));
            const taut_interval r = taut_sample_range(&f.sample, 0, (taut_interval){a, b}, f.work);
            for (int m = 0; m < TAUT_SAMPLES; m++)
                f.sample.time[m] = m == 0 ? a : m == 1 ? b : draw(a, b);
            taut_sample_find(&f.sample);
            for (int m = 0; m < TAUT_SAMPLES; m++) {
                assert_true(f.sample.value[0][m] >= r.low);
                assert_true(f.sample.value[0][m] <= r.high);
            }
        }
        drop(&f);
    }
}

static void test_ranges_of_short_intervals_are_narrow(void **state) {
    (void)state;
    for (int i = 0; i < FORMULAS; i++) {
        function f;
        make(&f, FORMULA[i]);
        for (int n = 0; n < 200; n++) {
            const double a = draw(-3.0, 5.0);
            const taut_interval r =
                taut_sample_range(&f.sample, 0, (taut_interval){a, a + 1e-9}, f.work);
            assert_true(r.high - r.low < 1e-4);
        }
        drop(&f);
    }
}

static void test_a_pulse_far_away_is_proven_to_be_nothing(void **state) {
    (void)state;
    function f;
    make(&f, FORMULA[0]);
    const taut_interval before =
        taut_sample_range(&f.sample, 0, (taut_interval){-9.0, 0.5}, f.work);
    const taut_interval with = taut_sample_range(&f.sample, 0, (taut_interval){-9.0, 1.5}, f.work);
    assert_true(before.low > -1e-300 && before.high < 1e-300);
    assert_near(with.high, 1.0, 1e-12, 0.0);
    drop(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_value_is_in_the_range),
        cmocka_unit_test(test_ranges_of_short_intervals_are_narrow),
        cmocka_unit_test(test_a_pulse_far_away_is_proven_to_be_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
