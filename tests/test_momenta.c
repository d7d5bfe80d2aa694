/* Impacts of what has masses that depend on velocities: momenta jump, whatever function of
 * velocities they are. Against closed forms and scalar equations that are solved here by
 * bisection. */
#include "solve_text.h"

#include <math.h>

static solution *run(const char *text) {
    taut_run_options o = at_tolerance(1e-13);
    return solve_text(text, &o);
}

static const taut_notes *notes_of(const solution *s) { return taut_result_notes(s->result); }

/* The root of an increasing function. */
static double solve(double (*f)(double x, const double *user), const double *user, double low,
                    double high) {
    for (int i = 0; i < 200; i++) {
        const double middle = 0.5 * (low + high);
        if (f(middle, user) > 0.0)
            high = middle;
        else
            low = middle;
    }
    return 0.5 * (low + high);
}

/* A relativistic particle (m = c = 1) hits a smooth wall: its momentum along the wall stays, so its
 * velocity along the wall does not. By a Lagrangian and by a Hamiltonian. */
static void test_relativistic_particle(void **state) {
    (void)state;
    static const char *const TEXT[] = {
        "Lagrangian: {Coordinates: [x, y], L: -sqrt(1 - x'^2 - y'^2)}\n"
        "Contacts: {wall: {Gap: y, Restitution: 0.5}}\n"
        "ProblemData: {tend: 2, positions: {x: 0, y: 0.6}, velocities: {x: 0.5, y: -0.6}}\n",
        "Hamiltonian: {Coordinates: [x, y], Momenta: [px, py], H: sqrt(1 + px^2 + py^2)}\n"
        "Contacts: {wall: {Gap: y, Restitution: 0.5}}\n"
        "ProblemData: {tend: 2, positions: {x: 0, y: 0.6}, velocities: {x: 0.5, y: -0.6}}\n"};
    const double root = sqrt(1.0 - 0.25 - 0.36), p = 0.5 / root;
    const double along = p * sqrt((1.0 - 0.09) / (1.0 + p * p));
    const double impulse = 0.3 / sqrt(1.0 - 0.09 - along * along) + 0.6 / root;
    for (int k = 0; k < 2; k++) {
        solution *s = run(TEXT[k]);
        assert_int_equal(notes_of(s)->events, 1);
        assert_near(notes_of(s)->event[0].t, 1.0, 1e-13, 0.0);
        assert_near(notes_of(s)->event[0].impulse, impulse, 1e-13, 0.0);
        assert_near(last_of(s, "x'"), along, 1e-13, 0.0);
        assert_near(last_of(s, "y'"), 0.3, 1e-13, 0.0);
        assert_near(last_of(s, "x"), 0.5 + along, 1e-12, 0.0);
        solution_free(s);
    }
    assert_true(fabs(along - 0.5) > 0.02); /* not what masses before the impact would give */
}

/* What is left of the momentum along a rough wall, by the velocity along it: e, mu, p, q. */
static double slip(double along, const double *user) {
    const double speed = user[0] * 0.6, root = sqrt(1.0 - speed * speed - along * along);
    return along / root - (user[2] - user[1] * (speed / root + user[3]));
}

/* The same with friction: it slips, or it sticks where friction could hold more. */
static void test_rough_wall(void **state) {
    (void)state;
    const double root = sqrt(1.0 - 0.25 - 0.36);
    for (int k = 0; k < 3; k++) {
        const double mu = k == 0 ? 0.1 : k == 1 ? 0.2 : 2.0, e = 0.7;
        const double user[] = {e, mu, 0.5 / root, 0.6 / root};
        const double expected = k == 2 ? 0.0 : solve(slip, user, 0.0, 0.85);
        char text[600];
        snprintf(text, sizeof text,
                 "Lagrangian: {Coordinates: [x, y], L: -sqrt(1 - x'^2 - y'^2)}\n"
                 "Contacts: {wall: {Gap: y, Along: x, Friction: %g, Restitution: %g}}\n"
                 "ProblemData: {tend: 2, positions: {x: 0, y: 0.6},\n"
                 "  velocities: {x: 0.5, y: -0.6}}\n",
                 mu, e);
        solution *s = run(text);
        assert_near(last_of(s, "x'"), expected, 1e-12, 0.0);
        assert_near(last_of(s, "y'"), 0.42, 1e-12, 0.0);
        solution_free(s);
    }
}

/* Momentum of two particles less what it was, by the velocity of the first. */
static double excess(double v, const double *user) {
    const double w = v + user[0];
    return v / sqrt(1.0 - v * v) + 3.0 * w / sqrt(1.0 - w * w) - user[1];
}

/* Two of them that meet: momentum stays, relative velocities change by the law, which is no law of
 * energy here: a gain is told. */
static void test_relativistic_collision(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        const double e = k == 0 ? 1.0 : 0.3,
                     before = 0.9 / sqrt(1.0 - 0.81) - 3.0 * 0.2 / sqrt(0.96);
        const double user[] = {e * 1.1, before};
        char text[600];
        const double v = solve(excess, user, -0.999999,
                               1.0 - e * 1.1 - 1e-9 < 0.999999 ? 1.0 - e * 1.1 - 1e-9 : 0.999999),
                     w = v + e * 1.1;
        snprintf(text, sizeof text,
                 "Lagrangian: {Coordinates: [a, b], L: -sqrt(1 - a'^2) - 3*sqrt(1 - b'^2)}\n"
                 "Contacts: {touch: {Gap: b - a, Restitution: %g}}\n"
                 "ProblemData: {tend: 2, positions: {a: 0, b: 1.1},\n"
                 "  velocities: {a: 0.9, b: -0.2}}\n",
                 e);
        solution *s = run(text);
        const double energy = 1.0 / sqrt(1.0 - v * v) + 3.0 / sqrt(1.0 - w * w),
                     first = 1.0 / sqrt(0.19) + 3.0 / sqrt(0.96);
        assert_near(notes_of(s)->event[0].t, 1.0, 1e-13, 0.0);
        assert_near(last_of(s, "a'"), v, 1e-12, 0.0);
        assert_near(last_of(s, "b'"), w, 1e-12, 0.0);
        assert_near(last_of(s, "energy"), energy, 1e-11, 0.0);
        bool told = false;
        for (int i = 0; i < notes_of(s)->remarks; i++)
            told = told || strstr(notes_of(s)->remark[i], "brings the energy");
        assert_int_equal(told, energy > first);
        solution_free(s);
    }
}

/* A particle on a line y = x/2 by a constraint, with L = T + T^2: along it there is one momentum.
 * The multiplier's impulse keeps it there. */
static void test_constraint_and_quartic_energy(void **state) {
    (void)state;
    solution *s =
        run("Lagrangian:\n"
            "  Coordinates: [x, y]\n"
            "  L: (x'^2 + y'^2)/2 + (x'^2 + y'^2)^2/4\n"
            "  Constraints: [y - x/2]\n"
            "Contacts: {wall: {Gap: x, Restitution: 0.4}}\n"
            "ProblemData: {tend: 2, positions: {x: 1, y: 0.5}, velocities: {x: -1, y: -0.5}}\n");
    /* T = 5/4 x'^2/2: momentum of x is 5/4 (x' + 5/4 x'^3) */
    const double p = 1.25 * (0.4 + 1.25 * 0.064) + 1.25 * (1.0 + 1.25);
    assert_near(notes_of(s)->event[0].t, 1.0, 1e-13, 0.0);
    assert_near(notes_of(s)->event[0].impulse, p, 1e-12, 0.0);
    assert_near(last_of(s, "x'"), 0.4, 1e-13, 0.0);
    assert_near(last_of(s, "y"), 0.2, 1e-12, 0.0);
    solution_free(s);
}

/* Velocity along the wall from the momenta of H below: p + p (p^2 + q^2), q its partner. */
static double rate(double p, double q) { return p + p * (p * p + q * q); }
static double missing(double q, const double *user) { return rate(q, user[0]) - user[1]; }

/* A Hamiltonian H = |p|^2/2 + |p|^4/4, which no Lagrangian is written for, bounces ten times on a
 * floor under gravity, each time with its momentum along the floor and e times its speed. */
static void test_quartic_hamiltonian(void **state) {
    (void)state;
    solution *s = run("Hamiltonian:\n"
                      "  Coordinates: [x, y]\n"
                      "  Momenta: [p, q]\n"
                      "  H: (p^2 + q^2)/2 + (p^2 + q^2)^2/4 + y\n"
                      "Contacts: {floor: {Gap: y, Restitution: 0.9}}\n"
                      "ProblemData: {tend: 20, positions: {x: 0, y: 1}, momenta: {p: 0.5}}\n");
    double q = 0.0, t = 0.0, energy = 0.125 + 1.0 / 64.0 + 1.0;
    /* (u + u^2/2)/2 = energy with u = |p|^2; gravity changes q by -1 a second */
    q = -sqrt(sqrt(1.0 + 4.0 * energy) - 1.0 - 0.25);
    t = -q;
    assert_true(notes_of(s)->events > 10);
    for (int i = 0; i < 10; i++) {
        const double user[] = {0.5, -0.9 * rate(q, 0.5)}, next = solve(missing, user, 0.0, 3.0);
        assert_near(notes_of(s)->event[i].t, t, 1e-11, 0.0);
        assert_near(notes_of(s)->event[i].impulse, next - q, 1e-11, 0.0);
        q = -next;
        t += 2.0 * next;
    }
    assert_near(last_of(s, "p"), 0.5, 1e-14, 0.0);
    solution_free(s);
}

static void expect(const char *text, const char *words) {
    taut_run_options o = at_tolerance(1e-12);
    solution *s = try_text(text, &o);
    assert_int_not_equal(s->status, TAUT_OK);
    assert_true(s->errors.count > 0);
    assert_non_null(strstr(s->errors.item[0].message, words));
    solution_free(s);
}

static void test_what_is_not_known(void **state) {
    (void)state;
    expect("Impact: poisson\n"
           "Lagrangian: {Coordinates: [y], L: -sqrt(1 - y'^2) - 0.1*y}\n"
           "Contacts: {floor: {Gap: y, Restitution: 0.5}}\n"
           "ProblemData: {tend: 6, positions: {y: 0.5}, velocities: {y: -0.8}}\n",
           "Newton's law only");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_relativistic_particle),
        cmocka_unit_test(test_rough_wall),
        cmocka_unit_test(test_relativistic_collision),
        cmocka_unit_test(test_constraint_and_quartic_energy),
        cmocka_unit_test(test_quartic_hamiltonian),
        cmocka_unit_test(test_what_is_not_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
