/* Jacobians of solve/ode and solve/index2 against differences of what they are derivatives of. */
#include "solve_text.h"

#include "solve/index2.h"
#include "task/prepare.h"

typedef struct lab {
    taut_model *model;
    taut_prepared prepared;
    taut_arena arena;
    taut_ode ode;
} lab;

static void open_lab(lab *l, const char *name) {
    char path[512];
    taut_errors errors = {0};
    const taut_stepping stepping = {.rtol = 1e-9, .atol = 1e-9};
    memset(l, 0, sizeof *l);
    snprintf(path, sizeof path, "%s/%s.yaml", TAUT_SOURCE_DIR, name);
    assert_int_equal(taut_model_read(path, NULL, 0, &l->model, &errors), TAUT_OK);
    assert_int_equal(taut_prepare(l->model, &l->prepared, &errors), TAUT_OK);
    assert_int_equal(taut_ode_create(&l->prepared.problem->system, &l->prepared.structure,
                                     &stepping, &l->arena, &l->ode),
                     TAUT_OK);
    assert_int_equal(l->ode.flow.kind->differentiate(&l->ode.flow), TAUT_OK);
}

static void close_lab(lab *l) {
    taut_ode_release(&l->ode);
    taut_prepared_release(&l->prepared);
    taut_model_free(&l->model);
    taut_arena_release(&l->arena);
}

/* Tame numbers without pattern. */
static void fill(double *x, int n, double seed) {
    for (int i = 0; i < n; i++) x[i] = 0.6 + 0.4 * sin(seed + 12.9898 * i);
}

static void check_rates(const char *name) {
    lab l;
    open_lab(&l, name);
    enum { MOST = 200 };
    const int n = l.ode.flow.states;
    const double h = 1e-5;
    double y[MOST], near[MOST], up[MOST], down[MOST];
    double *J = taut_arena_array(&l.arena, (size_t)(n * n), sizeof *J);
    assert_in_range(n, 1, MOST);
    fill(y, n, 0.1);
    assert_int_equal(l.ode.flow.kind->rates(&l.ode.flow, 0.3, y, up), TAUT_OK);
    assert_int_equal(l.ode.flow.kind->jacobian(&l.ode.flow, 0.3, y, J), TAUT_OK);
    for (int j = 0; j < n; j++) {
        memcpy(near, y, sizeof near);
        near[j] = y[j] + h;
        assert_int_equal(l.ode.flow.kind->rates(&l.ode.flow, 0.3, near, up), TAUT_OK);
        near[j] = y[j] - h;
        assert_int_equal(l.ode.flow.kind->rates(&l.ode.flow, 0.3, near, down), TAUT_OK);
        for (int i = 0; i < n; i++) {
            const double size = fmax(fabs(up[i]), fabs(down[i]));
            assert_near(J[j * n + i], (up[i] - down[i]) / (2 * h), 1e-3 + 1e-9 * size / h, 1e-4);
        }
    }
    close_lab(&l);
}

static void check_form(const char *name) {
    lab l;
    taut_index2 *form;
    open_lab(&l, name);
    assert_int_equal(taut_index2_create(&l.ode, &form), TAUT_OK);
    enum { MOST = 400 };
    const int n = taut_index2_size(form), states = l.ode.flow.states;
    const double cj = 3.0, h = 1e-5;
    double Y[MOST], rate[MOST] = {0}, other[MOST], slope[MOST], up[MOST], down[MOST];
    assert_in_range(n, 1, MOST);
    fill(Y, n, 0.4);
    fill(rate, states, 0.7);
    /* on the solution the stabilising multipliers are 0 */
    int algebraic = 0;
    for (int j = 0; j < l.prepared.structure.n; j++)
        algebraic += l.prepared.structure.offsets.d[j] == 0;
    for (int i = states + algebraic; i < n; i++) Y[i] = 0.0;
    double *value = taut_arena_array(&l.arena, (size_t)taut_index2_entries(form), sizeof *value);
    taut_index2_jacobian(form, 0.3, Y, rate, cj, value);
    for (int j = 0; j < n; j++) {
        double column[MOST] = {0};
        for (int k = taut_index2_start(form)[j]; k < taut_index2_start(form)[j + 1]; k++)
            column[taut_index2_row(form)[k]] = value[k];
        memcpy(other, Y, sizeof other);
        memcpy(slope, rate, sizeof slope);
        other[j] = Y[j] + h;
        slope[j] = rate[j] + cj * h;
        taut_index2_residual(form, 0.3, other, slope, up);
        other[j] = Y[j] - h;
        slope[j] = rate[j] - cj * h;
        taut_index2_residual(form, 0.3, other, slope, down);
        for (int i = 0; i < n; i++) {
            const double size = fmax(fabs(up[i]), fabs(down[i]));
            assert_near(column[i], (up[i] - down[i]) / (2 * h), 1e-6 + 1e-10 * size / h, 1e-5);
        }
    }
    taut_index2_free(&form);
    close_lab(&l);
}

static void test_jacobian_of_the_rates(void **state) {
    (void)state;
    check_rates("examples/pendulum");
    check_rates("examples/slider-crank");
    check_rates("examples/spherical-pendulum");
    check_rates("examples/circuit-index2");
    check_rates("examples/chaplygin-sleigh");
    check_rates("examples/van-der-pol");
    check_rates("tests/models/index-5");
}

static void test_jacobian_of_the_form(void **state) {
    (void)state;
    check_form("examples/pendulum");
    check_form("examples/slider-crank");
    check_form("examples/andrews");
    check_form("examples/flyball-governor");
    check_form("examples/rolling-disk");
    check_form("examples/circuit-index2");
    check_form("examples/pendulum-paper");
    check_form("examples/pendulum-hamiltonian");
    check_form("tests/models/index-5");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jacobian_of_the_rates),
        cmocka_unit_test(test_jacobian_of_the_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
