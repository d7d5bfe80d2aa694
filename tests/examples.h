/* Every mechanism among the examples, and how well two runs of one agree in all columns. */
#ifndef TAUT_TESTS_EXAMPLES_H
#define TAUT_TESTS_EXAMPLES_H

#include <dirent.h>

#include "digits.h"

#include "model/model.h"

enum { MOST_EXAMPLES = 100 };

static inline bool is_mechanism(const char *folder, const char *name) {
    char path[512];
    taut_model *model = NULL;
    taut_errors errors = {0};
    snprintf(path, sizeof path, "%s/%s/%s.yaml", TAUT_SOURCE_DIR, folder, name);
    assert_int_equal(taut_model_read(path, NULL, 0, &model, &errors), TAUT_OK);
    const bool moves = model->kind == TAUT_MODEL_MECHANISM;
    taut_model_free(&model);
    return moves;
}

/* All mechanisms of a folder, so that a new one is tested as well. */
static inline int list_mechanisms(const char *folder, char (*name)[64]) {
    char path[512];
    int count = 0;
    snprintf(path, sizeof path, "%s/%s", TAUT_SOURCE_DIR, folder);
    DIR *opened = opendir(path);
    assert_non_null(opened);
    for (const struct dirent *entry; (entry = readdir(opened)) != NULL;) {
        const char *end = strstr(entry->d_name, ".yaml");
        if (!end) continue;
        assert_true(count < MOST_EXAMPLES);
        snprintf(name[count], sizeof name[count], "%.*s", (int)(end - entry->d_name),
                 entry->d_name);
        if (strcmp(name[count], "pendulum-paper") != 0 && is_mechanism(folder, name[count]))
            count++;
    }
    closedir(opened);
    return count;
}

static inline int list_examples(char (*name)[64]) {
    const int count = list_mechanisms("examples", name);
    assert_true(count >= 30);
    return count;
}

/* All columns in all rows, multipliers aside: each formulation has its own. */
static inline agreement compare(const solution *a, const solution *b) {
    agreement worst = {17.0, 0.0, ""};
    int in_b = 1;
    assert_int_equal(rows_of(a), rows_of(b));
    const double size[2] = {size_of_order(a, 0), size_of_order(a, 1)};
    for (int c = 1; c < taut_result_columns(a->result); c++) {
        const char *name = taut_result_name(a->result, c);
        double scale = 0.0;
        if (strncmp(name, "lambda", 6) == 0) continue;
        while (strncmp(taut_result_name(b->result, in_b), "lambda", 6) == 0) in_b++;
        assert_string_equal(name, taut_result_name(b->result, in_b));
        for (long i = 0; i < rows_of(a); i++)
            scale = fmax(scale, fabs(taut_result_value(a->result, i, c)));
        if (scale < 1e-11 * size[primes_of(name)]) scale = size[primes_of(name)];
        for (long i = 0; i < rows_of(a); i++)
            agreement_add(&worst,
                          digits_of(taut_result_value(b->result, i, in_b),
                                    taut_result_value(a->result, i, c), scale),
                          taut_result_value(a->result, i, 0), name);
        in_b++;
    }
    return worst;
}

/* What taut analyze counts in an example. */
static inline void must_count(const char *formulation, const char *name, int coordinates,
                              int constraints) {
    char path[512], line[64], *text = NULL;
    taut_model *model = NULL;
    taut_errors errors = {0};
    snprintf(path, sizeof path, "%s/examples/%s.yaml", TAUT_SOURCE_DIR, name);
    assert_int_equal(taut_model_read(path, NULL, 0, &model, &errors), TAUT_OK);
    assert_int_equal(taut_analyze_as(model, formulation, false, &text, &errors), TAUT_OK);
    snprintf(line, sizeof line, "coordinates %d: ", coordinates);
    assert_non_null(strstr(text, line));
    snprintf(line, sizeof line, "constraints %d\n", constraints);
    assert_non_null(strstr(text, line));
    taut_text_free(&text);
    taut_model_free(&model);
}

#endif
