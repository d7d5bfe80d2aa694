/* Stiff problems of the literature (examples/stiff): eight digits at the end of each run.
 *
 * The values are those of the Test Set for Initial Value Problem Solvers (F. Mazzia, C. Magherini,
 * University of Bari, 2008), except for Van der Pol's equation with mu = 1e6, where they follow
 * from matched asymptotic expansions: with a = 2.33810741 (the first zero of Airy's function) a
 * branch is left D = a mu^(-4/3) late, and the next one begins at |x| = 2 + D/3; on a branch
 * t = log x - x^2/2. What is left out is of the size log(mu)/mu^2. */
#include "digits.h"

typedef struct problem {
    const char *name;
    double atol; /* 0: the tolerance of the run */
    struct {
        const char *column;
        double value;
    } end[8]; /* NULL ends */
} problem;

static const problem van_der_pol_3 = {"van-der-pol-1e3", 0.0, {{"x", 1.706167732170483}}};
static const problem van_der_pol_6 = {"van-der-pol-1e6", 0.0, {{"x", 1.7055462175444}}};
static const problem robertson = {
    "robertson",
    1e-22,
    {{"y1", 0.2083340149701255e-7}, {"y2", 0.8333360770334713e-13}, {"y3", 0.9999999791665050}}};
static const problem hires = {"hires",
                              0.0,
                              {{"y1", 0.7371312573325668e-3},
                               {"y2", 0.1442485726316185e-3},
                               {"y3", 0.5888729740967575e-4},
                               {"y4", 0.1175651343283149e-2},
                               {"y5", 0.2386356198831331e-2},
                               {"y6", 0.6238968252742796e-2},
                               {"y7", 0.2849998395185769e-2},
                               {"y8", 0.2850001604814231e-2}}};
static const problem car_axis = {"car-axis",
                                 0.0,
                                 {{"xl", 0.493455784275402809122e-1},
                                  {"yl", 0.496989460230171153861},
                                  {"xr", 0.104174252488542151681e1},
                                  {"yr", 0.373911027265361256927}}};
static const problem transistor_amplifier = {"transistor-amplifier",
                                             0.0,
                                             {{"y1", -0.5562145012262709e-2},
                                              {"y2", 0.3006522471903042e1},
                                              {"y3", 0.2849958788608128e1},
                                              {"y4", 0.2926422536206241e1},
                                              {"y5", 0.2704617865010554e1},
                                              {"y6", 0.2761837778393145e1},
                                              {"y7", 0.4770927631616772e1},
                                              {"y8", 0.1236995868091548e1}}};

static void must_reach(const problem *p, double tol, const char *solver) {
    char path[128];
    taut_run_options options = at_tolerance(tol);
    if (p->atol > 0.0) options.atol = p->atol;
    options.solver = solver;
    snprintf(path, sizeof path, "examples/stiff/%s.yaml", p->name);
    solution *s = solve_file(path, &options);
    agreement worst = {17.0, stats_of(s)->tend, ""};
    for (int i = 0; i < 8 && p->end[i].column; i++) {
        const double error = last_of(s, p->end[i].column) / p->end[i].value - 1.0;
        agreement_add(&worst, -log10(fabs(error) + 1e-17), worst.t, p->end[i].column);
    }
    print_message("%s by %s: %.1f digits (%s), %ld steps\n", p->name, solver, worst.digits,
                  worst.column, stats_of(s)->steps);
    require_digits(worst, 8.0, p->name);
    solution_free(s);
}

static const problem *const all[] = {&van_der_pol_3, &van_der_pol_6, &robertson,
                                     &hires,         &car_axis,      &transistor_amplifier};

static void test_published_values_by_ho(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) must_reach(all[i], 1e-10, "ho");
}

static void test_published_values_by_auto(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) must_reach(all[i], 1e-10, "auto");
}

/* An ordinary integrator needs a tighter tolerance, and finds the same. */
static void test_published_values_by_bdf(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i] == &van_der_pol_6)
            must_reach(all[i], 1e-11, "ida");
        else
            must_reach(all[i], all[i] == &robertson ? 1e-10 : 1e-12, "bdf");
}

/* Two rows with the same capacitor: the structure is regular, the Jacobian is not. */
static void test_rows_that_hide_a_dependency(void **state) {
    (void)state;
    const taut_run_options options = at_tolerance(1e-9);
    solution *s =
        try_file(TAUT_SOURCE_DIR "/tests/models/stiff/transistor-amplifier-raw.yaml", &options);
    assert_int_equal(s->status, TAUT_ERR_INPUT);
    assert_non_null(strstr(s->errors.item[0].message, "structural analysis fails"));
    assert_non_null(strstr(s->errors.item[0].message,
                           "equation 1, equation 2, equation 4, equation 5, equation 7, equation "
                           "8 hide a dependency"));
    solution_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_values_by_ho),
        cmocka_unit_test(test_published_values_by_auto),
        cmocka_unit_test(test_published_values_by_bdf),
        cmocka_unit_test(test_rows_that_hide_a_dependency),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
