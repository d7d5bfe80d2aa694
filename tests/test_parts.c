/* The library of parts, examples/parts, each in a running example against a closed form; how files
 * find them (docs/mechspec.md, Include). */
#include "solve_text.h"

#include "program.h"

static solution *solve_assembly(const char *name) {
    char path[100];
    const taut_run_options options = at_tolerance(1e-12);
    snprintf(path, sizeof path, "examples/assemblies/%s.yaml", name);
    return solve_file(path, &options);
}

/* A column against a function of t, by a part of its scale. */
static void must_be(const solution *s, const char *column, double (*want)(double t),
                    double tolerance) {
    const double scale = scale_of(s, column);
    assert_true(scale > 0.0);
    for (long row = 0; row < rows_of(s); row++) {
        const double t = value_of(s, row, "t"), x = value_of(s, row, column);
        if (!(fabs(x - want(t)) <= tolerance * scale))
            fail_msg("%s at t = %g: %.15g, not %.15g", column, t, x, want(t));
    }
}

/* ---- closed forms ---- */

/* L J w'' + (R J + b L) w' + (R b + k^2) w = k u, from rest without current. */
static double motor_speed(double t) {
    const double L = 5e-2, R = 0.8, k = 0.6, u = 24.0, b = 0.02, J = 1.5 * 0.25 / 3.0;
    const double sigma = 0.5 * (R / L + b / J), w2 = (R * b + k * k) / (L * J);
    const double root = sqrt(sigma * sigma - w2), p = -sigma + root, q = -sigma - root;
    return k * u / (R * b + k * k) * (1.0 + (q * exp(p * t) - p * exp(q * t)) / (p - q));
}

static void test_motor(void **state) {
    (void)state;
    solution *s = solve_assembly("motor");
    must_be(s, "phi'", motor_speed, 1e-10);
    solution_free(s);
}

/* Oil in closed chambers: p = -beta log(V/V0), and its energy is the integral of that. */
static void test_cylinder(void **state) {
    (void)state;
    const double beta = 1.4e9, A = 1e-3, B = 6e-4, VA = 1e-4, VB = 3e-4, m = 200.0, v0 = 0.5;
    solution *s = solve_assembly("cylinder");
    const double scale = scale_of(s, "ram_pA");
    assert_true(scale > 1e6 && scale_of(s, "s") > 0.001);
    for (long row = 0; row < rows_of(s); row++) {
        const double x = value_of(s, row, "s"), v = value_of(s, row, "s'");
        const double a = log1p(A * x / VA), b = log1p(-B * x / VB);
        assert_near(value_of(s, row, "ram_pA"), -beta * a, 1e-9 * scale, 0.0);
        assert_near(value_of(s, row, "ram_pB"), -beta * b, 1e-9 * scale, 0.0);
        const double oil = beta * ((VA + A * x) * a - A * x + (VB - B * x) * b + B * x);
        assert_near(0.5 * m * v * v + oil, 0.5 * m * v0 * v0, 1e-8, 0.0);
    }
    solution_free(s);
}

/* s = r1 phi1 - r2 phi2 oscillates with w^2 = k (r1^2/J1 + r2^2/J2). */
static const double R1 = 0.1, R2 = 0.2, J1 = 0.02, J2 = 0.3, K = 5000.0;

static double wound(double t) { /* the integral of the tension, twice */
    const double w2 = K * (R1 * R1 / J1 + R2 * R2 / J2);
    return K * R1 * 0.1 / w2 * (1.0 - cos(sqrt(w2) * t));
}
static double first_pulley(double t) { return 0.1 - R1 / J1 * wound(t); }
static double second_pulley(double t) { return R2 / J2 * wound(t); }

static void test_belt(void **state) {
    (void)state;
    solution *s = solve_assembly("belt-drive");
    must_be(s, "phi1", first_pulley, 1e-9);
    must_be(s, "phi2", second_pulley, 1e-9);
    solution_free(s);
}

/* Each wheel gets n/2 of what the engine's torque has left beside its own inertia. */
static double share(void) {
    const double n = 3.0, Je = 0.05, T = 30.0;
    return T / (1.0 + Je * n * n / 4.0 * (1.0 / 1.0 + 1.0 / 1.5)) * n / 2.0;
}
static double left_wheel(double t) { return 0.5 * share() / 1.0 * t * t; }
static double right_wheel(double t) { return 0.5 * share() / 1.5 * t * t; }
static double engine(double t) { return 3.0 * (left_wheel(t) + right_wheel(t)) / 2.0; }

static void test_differential(void **state) {
    (void)state;
    solution *s = solve_assembly("axle");
    must_be(s, "left", left_wheel, 1e-10);
    must_be(s, "right", right_wheel, 1e-10);
    must_be(s, "engine", engine, 1e-10);
    solution_free(s);
}

/* Pacejka's formula with a load of 1. */
static double magic(double B, double C, double E, double x) {
    return sin(C * atan(B * x - E * (B * x - atan(B * x))));
}
static double braked(double t) {
    return 30.0 * t + 0.5 * 9.81 * magic(10.0, 1.9, 0.97, -0.08) * t * t;
}
static double pushed(double t) { return -0.5 * 9.81 * magic(8.0, 1.3, -1.0, 0.02) * t * t; }

static void test_tyre(void **state) {
    (void)state;
    solution *s = solve_assembly("braking");
    must_be(s, "Px", braked, 1e-12);
    must_be(s, "Py", pushed, 1e-12);
    assert_true(last_of(s, "Px'") < 25.0); /* it does brake */
    solution_free(s);
}

static double settled(double t) {
    return 1.0 + 2.5 * exp(-t) - 8.0 * exp(-2.0 * t) + 4.5 * exp(-3.0 * t);
}

static void test_pid(void **state) {
    (void)state;
    solution *s = solve_assembly("servo");
    must_be(s, "phi", settled, 1e-10);
    solution_free(s);
}

/* ---- finding them ---- */

static const char HEAD[] = "Dimension: 2\n"
                           "PartData: {Particles: {P: 1}}\n"
                           "ProblemData: {tend: 1, positions: {P: [0, 0]}}\n";

static void call(program_result *r, const char *include, const char *more, const char *options) {
    char text[1000], command[200];
    snprintf(text, sizeof text, "Include: %s\n%s%s", include, more, HEAD);
    program_write("m.yaml", text, -1);
    snprintf(command, sizeof command, "run m.yaml --quiet -o out.csv %s", options);
    program_call(r, command);
}

static void must_run(const char *include, const char *more, const char *options) {
    program_result r;
    call(&r, include, more, options);
    if (r.code != 0) fail_msg("%s\n%s", include, r.err);
    program_release(&r);
}

static void must_refuse(const char *include, const char *more, const char *options,
                        const char *part) {
    program_result r;
    call(&r, include, more, options);
    if (r.code != 2 || !strstr(r.err, part))
        fail_msg("%s ends with %d, no '%s' in\n%s", include, r.code, part, r.err);
    program_release(&r);
}

static void test_files_find_them(void **state) {
    (void)state;
    must_run("tyre", "Define: {load: 1}\n", "");
    must_run("tyre", "Define: {load: 1}\n", "--confine"); /* its own parts are no secret */
    must_run("[{File: pid, Prefix: a_}, {File: pid, Prefix: b_}]",
             "Define: {a_measured: Px, b_measured: Py}\n", "");
    must_refuse("tyer", "", "", "did you mean 'tyre'?");
    must_refuse("tyer", "", "", "a file of yours needs its ending: tyer.yaml");
    must_refuse("tyre", "", "", "unknown name 'load'"); /* what is to be given */
    must_refuse("tyre.yaml", "", "", "cannot include 'tyre.yaml'");
    must_refuse("../tyre", "", "", "cannot include '../tyre'");
    /* a file of that name beside the model comes first, and is confined like others */
    program_write("belt", "PhysicalParams: {mine: 1}\n", -1);
    must_run("belt", "Outputs: {x: mine}\n", "");
    must_refuse("/etc/hostname", "", "--confine", "--confine allows");
}

/* A definition of the including file replaces one of the included file, and of no other. */
static void test_definitions_can_be_replaced(void **state) {
    (void)state;
    program_write("one.yaml", "Define: {f: 1}\nOutputs: {y: f}\n", -1);
    program_write("two.yaml", "Define: {f: 2}\n", -1);
    must_run("one.yaml", "Define: {f: 7}\n", "");
    FILE *file = fopen("out.csv", "r");
    char line[400] = "";
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_non_null(strstr(line, ",y,"));
    assert_non_null(fgets(line, sizeof line, file));
    fclose(file);
    assert_non_null(strstr(line, ",7,"));
    must_refuse("[one.yaml, two.yaml]", "", "", "'f' is in this file and in");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_motor),
        cmocka_unit_test(test_cylinder),
        cmocka_unit_test(test_belt),
        cmocka_unit_test(test_differential),
        cmocka_unit_test(test_tyre),
        cmocka_unit_test(test_pid),
        cmocka_unit_test_setup_teardown(test_files_find_them, program_enter, program_leave),
        cmocka_unit_test_setup_teardown(test_definitions_can_be_replaced, program_enter,
                                        program_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
