/* Random mechanisms: the balances of every body from the columns of reactions alone, with forces of
 * constraints by formulas worked out by hand; formulation against formulation; and the same
 * mechanism in other units. */
#include "balance.h"
#include "random_mechanism.h"

enum { MECHANISMS = 40 };

static random_mechanism now;

static void push_formula(situation *x, const char *file, int e, const vector force, double sign) {
    (void)x, (void)e, (void)force, (void)sign;
    fail_msg("%s has no formulas", file);
}

/* hold = d . (Q - C) - c: -lambda d at Q, the torque d x lambda (C - Q) on the body of d; or
 * a0 + 2 a1 - c: torques about the axes of the hinges, on both sides. */
static void push_loads(situation *x, const char *file) {
    const int last = x->m->bodies - 1;
    vector u, Q, far, force = {0}, torque;
    char name[20];
    (void)file;
    if (now.end != RANDOM_FORMULA && now.end != RANDOM_ANGLES) return;
    const double lambda = column(x, "hold");
    if (now.end == RANDOM_FORMULA) {
        snprintf(name, sizeof name, "Q%d", last);
        look_up(x, element_named(x, now.dimension == 2 ? "u0" : "v0"), 0, u);
        look_up(x, element_named(x, name), 0, Q);
        add(force, -lambda, u);
        push_body(x, last, Q, force, 1.0);
        look_up(x, element_named(x, "C"), 0, far);
        add(Q, -1.0, far);
        set_cross(u, Q, torque);
        add(x->moment[0], -lambda, torque);
        return;
    }
    for (int b = 0; b < 2; b++) {
        vector axis = {0.0, 0.0, 1.0};
        snprintf(name, sizeof name, "u%d", b);
        if (now.dimension == 3) look_up(x, element_named(x, name), 0, axis);
        add(x->moment[b], -lambda * (b + 1), axis);
        if (b > 0) add(x->moment[b - 1], lambda * (b + 1), axis);
    }
}

static solution *solve_in(const char *formulation, double tol) {
    taut_run_options options = at_tolerance(tol);
    options.reactions = true;
    options.derivatives = 2;
    options.formulation = formulation;
    solution *s = try_text(now.text, &options);
    if (s->status != TAUT_OK) print_error("%s\n%s\n", formulation, now.text);
    return must_succeed(s);
}

static void test_bodies_are_in_balance_in_every_formulation(void **state) {
    (void)state;
    static const char *const formulation[] = {"natural", "reference", "relative"};
    for (int number = 0; number < MECHANISMS; number++) {
        char name[40];
        snprintf(name, sizeof name, "mechanism %d", number);
        random_make(&now, number, 1.0, 1.0);
        taut_model *model = read_text(now.text);
        for (int f = 0; f < 3; f++) {
            solution *s = solve_in(formulation[f], 1e-12);
            check_balances(s, model, name, 100);
            solution_free(s);
        }
        taut_model_free(&model);
    }
}

/* The largest difference of a column, relative to the largest value of its kind: forces, torques,
 * anything else. */
static void compare(const solution *a, const solution *b, double factor, const char *name,
                    double digits, double scale) {
    const int ca = column_of(a, name), cb = column_of(b, name);
    for (long i = 0; i < rows_of(a); i++) {
        const double x = taut_result_value(a->result, i, ca);
        const double y = taut_result_value(b->result, i, cb) / factor;
        if (!(fabs(x - y) <= digits * scale))
            fail_msg("%s at t = %g: %.17g and %.17g\n%s", name, taut_result_value(a->result, i, 0),
                     x, y, now.text);
    }
}

static bool is_reaction(const char *name) {
    return strchr(name, '.') != NULL && strncmp(name, "CQ", 2) != 0 && strncmp(name, "OQ", 2) != 0;
}

static void test_formulations_have_the_same_reactions(void **state) {
    (void)state;
    static const char *const other[] = {"reference", "relative"};
    for (int number = 0; number < MECHANISMS; number++) {
        random_make(&now, number, 1.0, 1.0);
        solution *a = solve_in("natural", 1e-12);
        for (int f = 0; f < 2; f++) {
            solution *b = solve_in(other[f], 1e-12);
            double largest = 1.0;
            for (int c = 0; c < taut_result_columns(a->result); c++)
                if (is_reaction(taut_result_name(a->result, c)))
                    largest = fmax(largest, scale_of(a, taut_result_name(a->result, c)));
            for (int c = 0; c < taut_result_columns(a->result); c++)
                if (is_reaction(taut_result_name(a->result, c)))
                    compare(a, b, 1.0, taut_result_name(a->result, c), 1e-8, largest);
            solution_free(b);
        }
        solution_free(a);
    }
}

/* Points scale by L, directions and angles stay. */
static void test_units_do_not_matter(void **state) {
    (void)state;
    static const double unit[][2] = {{1e3, 1e3}, {1e-3, 1e-3}, {1e-3, 1e-6}, {1e3, 1e6}};
    static const char *const formulation[] = {"natural", "relative", "reference"};
    for (int number = 0; number < MECHANISMS; number++) {
        const char *in = formulation[number % 3];
        random_make(&now, number, 1.0, 1.0);
        solution *a = solve_in(in, 1e-12);
        const int bodies = now.bodies;
        for (size_t k = 0; k < sizeof unit / sizeof *unit; k++) {
            random_make(&now, number, unit[k][0], unit[k][1]);
            solution *b = solve_in(in, 1e-12);
            for (int body = 0; body < bodies; body++)
                for (int i = 0; i < now.dimension; i++) {
                    char name[20];
                    snprintf(name, sizeof name, "Q%d%c", body, "xyz"[i]);
                    compare(a, b, unit[k][0], name, 1e-10, 3.0);
                    snprintf(name, sizeof name, "u%d%c", body, "xyz"[i]);
                    compare(a, b, 1.0, name, 1e-10, 3.0);
                }
            solution_free(b);
        }
        solution_free(a);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bodies_are_in_balance_in_every_formulation),
        cmocka_unit_test(test_formulations_have_the_same_reactions),
        cmocka_unit_test(test_units_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
