/* One file, several formulations: every example mechanism moves in the same way in all of them, to
 * 9 digits in every column. */
#include <dirent.h>

#include "digits.h"

#include "form/formulation.h"
#include "model/model.h"

enum { MOST_EXAMPLES = 100 };

static bool is_mechanism(const char *name) {
    char path[512];
    taut_model *model = NULL;
    taut_errors errors = {0};
    snprintf(path, sizeof path, "%s/examples/%s.yaml", TAUT_SOURCE_DIR, name);
    assert_int_equal(taut_model_read(path, NULL, 0, &model, &errors), TAUT_OK);
    const bool moves = model->kind == TAUT_MODEL_MECHANISM;
    taut_model_free(&model);
    return moves;
}

/* All mechanisms of the folder, so that a new one is tested as well. */
static int list_examples(char (*name)[64]) {
    char path[512];
    int count = 0;
    snprintf(path, sizeof path, "%s/examples", TAUT_SOURCE_DIR);
    DIR *folder = opendir(path);
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        const char *end = strstr(entry->d_name, ".yaml");
        if (!end) continue;
        assert_true(count < MOST_EXAMPLES);
        snprintf(name[count], sizeof name[count], "%.*s", (int)(end - entry->d_name),
                 entry->d_name);
        if (strcmp(name[count], "pendulum-paper") != 0 && is_mechanism(name[count])) count++;
    }
    closedir(folder);
    assert_true(count >= 30);
    return count;
}

static int primes_of(const char *name) {
    const char *prime = strchr(name, '\'');
    return prime ? (int)strlen(prime) : 0;
}

/* Largest value of all columns with as many primes, to tell what is 0 but for rounding. */
static double size_of_order(const solution *s, int primes) {
    double largest = 0.0;
    for (int c = 1; c < taut_result_columns(s->result); c++)
        if (primes_of(taut_result_name(s->result, c)) == primes)
            largest = fmax(largest, scale_of(s, taut_result_name(s->result, c)));
    return largest;
}

/* All columns in all rows. */
static agreement compare(const solution *a, const solution *b) {
    agreement worst = {17.0, 0.0, ""};
    assert_int_equal(rows_of(a), rows_of(b));
    assert_int_equal(taut_result_columns(a->result), taut_result_columns(b->result));
    const double size[2] = {size_of_order(a, 0), size_of_order(a, 1)};
    for (int c = 1; c < taut_result_columns(a->result); c++) {
        const char *name = taut_result_name(a->result, c);
        double scale = 0.0;
        assert_string_equal(name, taut_result_name(b->result, c));
        for (long i = 0; i < rows_of(a); i++)
            scale = fmax(scale, fabs(taut_result_value(a->result, i, c)));
        if (scale < 1e-11 * size[primes_of(name)]) scale = size[primes_of(name)];
        for (long i = 0; i < rows_of(a); i++)
            agreement_add(&worst,
                          digits_of(taut_result_value(b->result, i, c),
                                    taut_result_value(a->result, i, c), scale),
                          taut_result_value(a->result, i, 0), name);
    }
    return worst;
}

static void must_agree(const char *name, const char *formulation, const char *solver) {
    taut_run_options options = at_tolerance(1e-13);
    options.solver = "taylor";
    solution *a = solve_example(name, &options);
    options.formulation = formulation;
    options.solver = solver;
    solution *b = solve_example(name, &options);
    const agreement found = compare(a, b);
    print_message("%s, %s, %s: %.2f digits (%s, t = %g)\n", name, formulation, solver, found.digits,
                  found.column, found.t);
    require_digits(found, 9.0, name);
    assert_string_equal(taut_result_stats(b->result)->formulation, formulation);
    assert_true(taut_result_stats(b->result)->mobility == taut_result_stats(a->result)->mobility);
    assert_true(taut_result_stats(b->result)->dof == taut_result_stats(a->result)->dof);
    solution_free(a);
    solution_free(b);
}

static void agree_with(const char *solver) {
    static char name[MOST_EXAMPLES][64];
    const int count = list_examples(name);
    for (int f = 0; taut_formulation_name(f); f++)
        for (int i = 0; i < count; i++)
            if (strcmp(taut_formulation_name(f), "natural") != 0)
                must_agree(name[i], taut_formulation_name(f), solver);
}

static void test_taylor(void **state) {
    (void)state;
    agree_with("taylor");
}

static void test_auto(void **state) {
    (void)state;
    agree_with("auto");
}

/* ---- how seed 001 counts ---- */

static void must_count(const char *name, int coordinates, int constraints) {
    char path[512], line[64];
    char *text = NULL;
    taut_model *model = NULL;
    taut_errors errors = {0};
    snprintf(path, sizeof path, "%s/examples/%s.yaml", TAUT_SOURCE_DIR, name);
    assert_int_equal(taut_model_read(path, NULL, 0, &model, &errors), TAUT_OK);
    assert_int_equal(taut_analyze_as(model, "reference", false, &text, &errors), TAUT_OK);
    snprintf(line, sizeof line, "coordinates %d: ", coordinates);
    assert_non_null(strstr(text, line));
    snprintf(line, sizeof line, "constraints %d\n", constraints);
    assert_non_null(strstr(text, line));
    taut_text_free(&text);
    taut_model_free(&model);
}

static void test_counts(void **state) {
    (void)state;
    must_count("spatial-slider-crank", 21, 20);
    must_count("spin-top", 7, 2);
    must_count("andrews", 21, 20);
}

static void test_unknown_formulation(void **state) {
    (void)state;
    taut_model *model = NULL;
    taut_errors errors = {0};
    taut_simulation *simulation = NULL;
    taut_run_options options = taut_run_options_default();
    char *text = NULL;
    options.formulation = "referense";
    assert_int_equal(
        taut_model_read(TAUT_SOURCE_DIR "/examples/andrews.yaml", NULL, 0, &model, &errors),
        TAUT_OK);
    assert_int_equal(taut_simulation_create(model, &options, &simulation, &errors), TAUT_ERR_CALL);
    assert_non_null(strstr(errors.item[0].message, "did you mean 'reference'?"));
    assert_non_null(strstr(errors.item[0].message, "natural"));
    assert_int_equal(taut_analyze_as(model, "referense", false, &text, NULL), TAUT_ERR_CALL);
    assert_null(text);
    taut_model_free(&model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_taylor),
        cmocka_unit_test(test_auto),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_unknown_formulation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
