/* Numbers do not depend on the locale of the host: everything that is read or written in a process
 * with a decimal comma is, byte by byte, what it is in the C locale. The locale is made here, by
 * localedef, so that none has to be installed. */
#include "check.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/measure.h"
#include "program.h"
#include "task/result.h"

/* setlocale of glibc keeps the list of folders of LOCPATH; the leak sanitizer asks here. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:argz_add_sep\n"; }

static const char MODEL[] = "PhysicalParams: {G: 9.81, L: 0.5, k: 1.5e-3, P: 1.5 hp, w: 12.5 deg}\n"
                            "Lagrangian:\n"
                            "  Coordinates: [u, v]\n"
                            "  L: 1/2*(u'^2 + v'^2) + G*v - 0.25*k*u^2\n"
                            "  Constraints: [u^2 + v^2 - L^2]\n"
                            "Outputs: {power: P, turn: w, far: 2.5*u}\n"
                            "ProblemData: {t0: 0, tend: 0.75, positions: {u: 0.499, v: 0.01}}\n";
static const char CRANK[] = TAUT_SOURCE_DIR "/examples/slider-crank.yaml";

static const char SOURCE[] = "LC_NUMERIC\n"
                             "decimal_point \",\"\n"
                             "thousands_sep \".\"\n"
                             "grouping 3;3\n"
                             "END LC_NUMERIC\n";

/* Makes the locale `comma` in the current folder. localedef warns of the other categories, and says
 * so by its exit status; whether the locale works is what counts. */
static void make_comma(void) {
    char here[1024];
    program_write("comma.src", SOURCE, -1);
    const int ignored = system("localedef -c --no-archive -i ./comma.src -f ANSI_X3.4-1968 ./comma "
                               ">/dev/null 2>&1");
    (void)ignored;
    assert_non_null(realpath(".", here));
    setenv("LOCPATH", here, 1);
}

static void set_comma(bool on) {
    char text[16];
    assert_non_null(setlocale(LC_NUMERIC, on ? "comma" : "C"));
    snprintf(text, sizeof text, "%g", 1.5);
    assert_string_equal(text, on ? "1,5" : "1.5");
}

static taut_model *read_model(const char *text) {
    taut_model *model = NULL;
    taut_errors errors = {0};
    const taut_status status = text ? taut_model_parse("m.yaml", text, -1, &model, &errors)
                                    : taut_model_read(CRANK, NULL, 0, &model, &errors);
    if (errors.count) print_error("%s\n", errors.item[0].message);
    assert_int_equal(status, TAUT_OK);
    return model;
}

/* What takes time takes none. */
static void stop_clocks(taut_run_stats *stats) {
    stats->wall_s = stats->setup_s = 0.5;
    for (int i = 0; i < TAUT_PHASES; i++) stats->phase_s[i] = 0.0;
}

static taut_result *simulate(const taut_model *model) {
    taut_result *result = NULL;
    taut_run_options options = taut_run_options_default();
    options.every = TAUT_FOR_SCREEN;
    assert_int_equal(taut_simulate(model, &options, &result, NULL), TAUT_OK);
    assert_int_equal(taut_certify(model, &options, result, NULL), TAUT_OK);
    stop_clocks(&result->stats);
    return result;
}

static char *build(void) {
    taut_builder *b;
    taut_model *model = NULL;
    assert_int_equal(taut_builder_create("built", &b), TAUT_OK);
    taut_builder_number(b, "G", 9.81);
    taut_builder_number(b, "L", 0.1 + 0.2);
    taut_builder_coordinate(b, "u", 1);
    taut_builder_lagrangian(b, "1/2*u'^2 - G*u^2/L");
    taut_builder_span(b, 0.25, 1.5);
    taut_builder_position(b, "u", "0.5");
    char *text = strdup(taut_builder_text(b));
    assert_int_equal(taut_builder_finish(b, &model, NULL), TAUT_OK);
    taut_model_free(&model);
    taut_builder_free(&b);
    return text;
}

static void add(taut_string *all, const char *text) { taut_string_add(all, "%s\n", text); }

static void add_messages(taut_string *all) {
    static const char *const wrong[] = {
        "ProblemData: {t0: 0, tend: 1, positions: {x: 0.5}}\nDAE: {Variables: [x], Equations: "
        "[x^2 + 1.25]}\n",
        "Dimension: 2.5\nBodies: {}\n",
        "PhysicalParams: {a: 1.5 m^2/s^2*kg^3}\nDAE: {Variables: [x], Equations: [x - sqrt(a) - 1 "
        "kg]}\n",
        "DAE: {Variables: [x], Equations: [x' - 1.5 parsec]}\n"};
    taut_errors errors = {0};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        taut_model *model = NULL;
        taut_result *result = NULL;
        if (taut_model_parse("wrong.yaml", wrong[i], -1, &model, &errors) == TAUT_OK)
            taut_simulate(model, NULL, &result, &errors);
        taut_result_free(&result);
        taut_model_free(&model);
    }
    taut_model *model = read_model(MODEL);
    taut_simulation *s = NULL;
    taut_run_options options = taut_run_options_default();
    options.rtol = 0.75;
    taut_simulation_create(model, &options, &s, &errors);
    options.rtol = 1e-9;
    assert_int_equal(taut_simulation_create(model, &options, &s, &errors), TAUT_OK);
    assert_int_equal(taut_simulation_set_parameter(s, "L", 0.5625, &errors), TAUT_OK);
    taut_simulation_start(s, &errors);
    taut_simulation_run_to(s, 1.25, &errors);
    add(all, taut_simulation_moves(s));
    taut_simulation_free(&s);
    taut_model_free(&model);
    assert_true(errors.count >= 5);
    for (int i = 0; i < errors.count; i++) add(all, errors.item[i].message);
}

static void add_file(taut_string *all, const char *path) {
    char *text = program_read(path);
    assert_non_null(text);
    add(all, text);
    free(text);
    program_remove(path);
}

/* Everything that the library writes of a run. */
static void add_files(taut_string *all, const taut_model *model, const taut_result *result) {
    static const char *const column[] = {"Ax", "Ay"};
    static const char *const other[] = {"u", "v"};
    taut_plot_options plot = taut_plot_options_default();
    plot.column =
        taut_result_columns(result) > 0 && strcmp(taut_model_kind_name(model), "mechanism") == 0
            ? column
            : other;
    plot.columns = 2;
    assert_int_equal(taut_result_write(result, "o.csv", 12, NULL), TAUT_OK);
    add_file(all, "o.csv");
    assert_int_equal(taut_result_write(result, "o.json", 17, NULL), TAUT_OK);
    add_file(all, "o.json");
    assert_int_equal(taut_result_write_stats(result, "s.json", NULL), TAUT_OK);
    add_file(all, "s.json");
    assert_int_equal(taut_plot_write(model, result, &plot, "o.svg", NULL), TAUT_OK);
    add_file(all, "o.svg");
    plot.text = true;
    char *text = NULL;
    assert_int_equal(taut_plot_draw(model, result, &plot, &text, NULL), TAUT_OK);
    add(all, text);
    taut_text_free(&text);
    const taut_page page = {.file = "m.yaml", .model = model, .result = result};
    assert_int_equal(taut_page_write(&page, "o.html", NULL), TAUT_OK);
    add_file(all, "o.html");
    for (int json = 0; json < 2; json++) {
        assert_int_equal(taut_analyze(model, json, &text, NULL), TAUT_OK);
        add(all, text);
        taut_text_free(&text);
    }
}

/* A comparison differs from time to time: it is made once and written in both locales. */
static void add_comparison(taut_string *all, const taut_comparison *c) {
    char *text = NULL;
    for (int json = 0; json < 2; json++) {
        assert_int_equal(taut_comparison_text(c, json, &text), TAUT_OK);
        add(all, text);
        taut_text_free(&text);
    }
    assert_int_equal(taut_comparison_write(c, "m.yaml", "c.html", NULL), TAUT_OK);
    add_file(all, "c.html");
}

static void add_units(taut_string *all) {
    static const char *const digits[] = {"1.5", "0.75e-3", "2.25e2", "12345.678901234567"};
    static const char *const symbol[] = {"hp", "mm", "deg", "psi", "slug"};
    for (size_t i = 0; i < sizeof digits / sizeof digits[0]; i++)
        for (size_t k = 0; k < sizeof symbol / sizeof symbol[0]; k++) {
            taut_unit unit;
            assert_int_equal(taut_unit_read(symbol[k], strlen(symbol[k]), &unit),
                             strlen(symbol[k]));
            taut_string_add(all, "%a\n", taut_unit_convert(digits[i], &unit));
        }
}

/* All that is read and written, as one text. */
static void write_all(taut_string *all, const taut_comparison *comparison) {
    for (int i = 0; i < 2; i++) {
        taut_model *model = read_model(i ? MODEL : NULL);
        taut_result *result = simulate(model);
        add(all, taut_result_moves(result));
        add_files(all, model, result);
        taut_result_free(&result);
        taut_model_free(&model);
    }
    char *text = build();
    add(all, text);
    free(text);
    add_units(all);
    add_messages(all);
    add_comparison(all, comparison);
    assert_false(all->failed);
}

static taut_comparison *compare(void) {
    static const double tol[] = {1e-6, 2.5e-8};
    static const char *const solver[] = {"taylor", "adams"};
    taut_compare_options o = taut_compare_options_default();
    taut_comparison *c = NULL;
    taut_model *model = read_model(NULL);
    o.tol = tol;
    o.tols = 2;
    o.solver = solver;
    o.solvers = 2;
    assert_int_equal(taut_compare(model, &o, &c, NULL), TAUT_OK);
    taut_model_free(&model);
    return c;
}

static void assert_same(const taut_string *a, const taut_string *b) {
    if (a->length == b->length && memcmp(a->text, b->text, a->length) == 0) return;
    size_t at = 0;
    while (a->text[at] && a->text[at] == b->text[at]) at++;
    const size_t from = at > 60 ? at - 60 : 0;
    print_error("with a point: %.120s\nwith a comma: %.120s\n", a->text + from, b->text + from);
    fail();
}

static void test_a_decimal_comma_changes_nothing(void **state) {
    (void)state;
    taut_string point = {0}, comma = {0}, thread = {0};
    taut_comparison *c = compare();
    set_comma(false);
    write_all(&point, c);
    set_comma(true);
    write_all(&comma, c);
    assert_same(&point, &comma);
    set_comma(false);

    const locale_t own = newlocale(LC_NUMERIC_MASK, "comma", (locale_t)0);
    assert_true(own != (locale_t)0);
    uselocale(own);
    write_all(&thread, c);
    assert_true(uselocale((locale_t)0) == own); /* the thread has what it had */
    uselocale(LC_GLOBAL_LOCALE);
    freelocale(own);
    assert_same(&point, &thread);

    assert_non_null(strstr(point.text, "9.81"));
    taut_string_release(&point);
    taut_string_release(&comma);
    taut_string_release(&thread);
    taut_comparison_free(&c);
}

/* Against numbers by hand, so that the two cannot be wrong together. */
static void test_values_under_a_comma(void **state) {
    (void)state;
    taut_unit hp;
    set_comma(true);
    assert_int_equal(taut_unit_read("hp", 2, &hp), 2);
    assert_near(taut_unit_convert("1.5", &hp), 1.5 * 745.69987158227022, 0, 1e-15);
    taut_model *model = read_model("DAE: {Variables: [x], Equations: [x' - 1.5]}\n"
                                   "ProblemData: {t0: 0.5, tend: 2.5, positions: {x: 0.25}}\n");
    taut_result *result = simulate(model);
    const long last = taut_result_rows(result) - 1;
    assert_near(taut_result_value(result, last, 0), 2.5, 0, 0);
    assert_near(taut_result_value(result, last, 1), 3.25, 1e-12, 0);
    taut_result_free(&result);
    taut_model_free(&model);
    char *text = build();
    assert_non_null(strstr(text, "9.81"));
    assert_non_null(strstr(text, "0.30000000000000004"));
    free(text);
    set_comma(false);
}

static int enter(void **state) {
    const int status = program_enter(state);
    make_comma();
    return status;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_decimal_comma_changes_nothing),
        cmocka_unit_test(test_values_under_a_comma),
    };
    return cmocka_run_group_tests(tests, enter, program_leave);
}
