/* The certificate against the truth: on every model with reference states the estimated error is
 * at least a tenth of the true one. The table of docs/accuracy.md is what this test prints. */
#include "digits.h"
#include "reference/equations.h"
#include "reference/pendula.h"

enum { TOLERANCES = 5, MOST_STATES = 16 };
static const double TOLERANCE[TOLERANCES] = {1e-3, 1e-6, 1e-9, 1e-12, 1e-15};

/* A model and its states, rows after the start. */
typedef struct truth {
    const char *name;
    int columns, states;
    const char *const *column;
    const double *time, *value;
} truth;

typedef struct figures {
    double estimate, error;
} figures;

static double true_error(const truth *x, const taut_result *r, const taut_certificate *c) {
    double worst = 0.0;
    for (int s = 0; s < x->states; s++)
        for (int k = 0; k < x->columns; k++) {
            int column = 0;
            while (strcmp(taut_result_name(r, column), x->column[k]) != 0) column++;
            if (c->scale[column] == 0.0) continue;
            const double error =
                fabs(taut_result_value(r, s, column) - x->value[s * x->columns + k]);
            worst = fmax(worst, error / c->scale[column]);
        }
    return worst;
}

static figures figures_of(const truth *x, double tol) {
    char path[128];
    taut_model *model = NULL;
    taut_result *r = NULL;
    taut_errors errors = {0};
    taut_run_options options = at_tolerance(tol);
    options.has_tend = true;
    options.tend = x->time[x->states - 1];
    options.at = x->time;
    options.ats = x->states;
    snprintf(path, sizeof path, "%s/examples/%s.yaml", TAUT_SOURCE_DIR, x->name);
    assert_int_equal(taut_model_read(path, NULL, 0, &model, &errors), TAUT_OK);
    assert_int_equal(taut_simulate(model, &options, &r, &errors), TAUT_OK);
    assert_int_equal(taut_certify(model, &options, r, &errors), TAUT_OK);
    const taut_certificate *c = taut_result_certificate(r);
    const figures f = {c->error, true_error(x, r, c)};
    taut_result_free(&r);
    taut_model_free(&model);
    return f;
}

static void check(const truth *x) {
    printf("| %-20s |", x->name);
    for (int i = 0; i < TOLERANCES; i++) {
        const figures f = figures_of(x, TOLERANCE[i]);
        printf(" %.0e / %.0e %6.2f |", f.estimate, f.error, f.estimate / f.error);
    }
    printf("\n");
}

static void test_mechanisms_are_certified_honestly(void **state) {
    (void)state;
    for (int i = 0; i < MECHANISMS; i++) {
        const mechanism *m = &mechanisms[i];
        if (m->states < 2) continue;
        const truth x = {m->name,   m->columns,  m->states - 1,
                         m->column, m->time + 1, m->value + m->columns};
        check(&x);
    }
}

static void test_equations_are_certified_honestly(void **state) {
    (void)state;
    static const char *const xyz[] = {"x", "y", "z"}, *const x[] = {"x", "x'"},
                             *const y[] = {"y1", "y2", "y3"};
    check(&(truth){"lorenz", 3, 3, xyz, lorenz_time, &lorenz_state[0][0]});
    check(&(truth){"van-der-pol", 2, 3, x, van_der_pol_time, &van_der_pol_state[0][0]});
    check(&(truth){"robertson", 3, 3, y, robertson_time, &robertson_state[0][0]});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mechanisms_are_certified_honestly),
        cmocka_unit_test(test_equations_are_certified_honestly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
