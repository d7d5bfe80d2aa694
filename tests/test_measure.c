/* Units: exact conversion, dimensions of formulas, and a file in mm, kg and degrees that gives the
 * same bytes as its twin in SI. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/infix.h"
#include "program.h"

static bool find_nothing(void *user, const char *name, taut_measure *measure, char *why,
                         size_t size) {
    (void)why;
    (void)size;
    /* q: a parameter without a unit; m: one that a unit must win over */
    if (strcmp(name, "q") != 0 && strcmp(name, "m") != 0) return false;
    measure->value = taut_vec_scalar(taut_number(user, 7.0));
    return true;
}

static taut_status read_formula(const char *text, taut_measure *measure, double *value,
                                taut_infix_error *error) {
    taut_graph *g;
    assert_int_equal(taut_graph_create(&g), TAUT_OK);
    const taut_scope scope = {.user = g, .find = find_nothing};
    const taut_status status = taut_infix_read(g, text, (long)strlen(text), &scope, measure, error);
    *value = measure->value.n > 0 ? taut_node_get(g, measure->value.c[0])->value : 0.0;
    taut_graph_free(&g);
    return status;
}

/* Decimal units round once: to the last bit they are what the SI number is. */
static void test_conversion_is_exact(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double si;
    } list[] = {
        {"20 mm", 0.02},
        {"0.1 mm", 1e-4},
        {"3.7 um", 3.7e-6},
        {"12.5 cm", 0.125},
        {"1.1 km", 1100.0},
        {"250 g", 0.25},
        {"3 Mg", 3000.0},
        {"20 ms", 0.02},
        {"1.5 min", 90.0},
        {"0.3 h", 1080.0},
        {"2.2e3 N/mm", 2.2e6},
        {"3 N/m", 3.0},
        {"7 N*mm", 7e-3},
        {"0.7 kN", 700.0},
        {"210 GPa", 210e9},
        {"1.3 bar", 1.3e5},
        {"7.85 g/cm^3", 7850.0},
        {"7850 kg/m^3", 7850.0},
        {"5.5 kg*mm^2", 5.5e-6},
        {"9.81 m/s^2", 9.81},
        {"9.81 m*s^-2", 9.81},
        {"9.81 m/s**2", 9.81},
        {"36 km/h", 10.0},
        {"3 in", 0.0762},
        {"3.3 in", 0.08382},
        {"2 ft", 0.6096},
        {"1 lb", 0.45359237},
        {"16 oz", 0.45359237},
        {"1 lbf", 4.4482216152605},
        {"1 kgf", 9.80665},
        {"1 hp", 745.69987158227022},
        {"1 psi", 6894.757293168362},
        {"1 slug", 14.593902937206364},
        {"1 rev", 2.0 * 3.14159265358979323846},
        {"60 mph", 26.8224},
        {"4 N*s/m", 4.0},
        {"12 V", 12.0},
        {"3 mH", 3e-3},
        {"47 pF", 47e-12},
        {"2*20 mm", 0.04},
        {"-20 mm", -0.02},
        {"1e3 mm", 1.0},
        {"20 mm + 3 cm", 0.02 + 0.03},
        /* the unit wins over the parameter m = 7; a space ends it */
        {"3 N*m", 3.0},
        {"3 N *m", 21.0},
        {"3 m", 3.0},
        /* what is no unit is a factor again */
        {"3 N*q", 21.0},
        {"20 mm*q", 0.02 * 7.0},
        {"(2 m)^2", 4.0},
        {"20 mm^2", 20e-6},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        taut_measure measure;
        taut_infix_error error;
        double value;
        if (read_formula(list[i].text, &measure, &value, &error) != TAUT_OK)
            fail_msg("%s: %s", list[i].text, error.message);
        if (value != list[i].si)
            fail_msg("%s is %.17g, not %.17g", list[i].text, value, list[i].si);
    }
}

/* Angles are what the formula says. */
static void test_degrees_are_a_formula(void **state) {
    (void)state;
    for (int i = 1; i <= 720; i++) {
        char unit[32], formula[32];
        double x, y;
        taut_measure measure;
        taut_infix_error error;
        snprintf(unit, sizeof unit, "%d deg", i);
        snprintf(formula, sizeof formula, "%d*pi/180", i);
        assert_int_equal(read_formula(unit, &measure, &x, &error), TAUT_OK);
        assert_int_equal(read_formula(formula, &measure, &y, &error), TAUT_OK);
        if (x != y) fail_msg("%s is %.17g, %s is %.17g", unit, x, formula, y);
        snprintf(unit, sizeof unit, "%d rpm", i);
        snprintf(formula, sizeof formula, "%d*pi/30", i);
        assert_int_equal(read_formula(unit, &measure, &x, &error), TAUT_OK);
        assert_int_equal(read_formula(formula, &measure, &y, &error), TAUT_OK);
        if (x != y) fail_msg("%s is %.17g, %s is %.17g", unit, x, formula, y);
    }
}

static void test_dimensions_propagate(void **state) {
    (void)state;
    static const struct {
        const char *text, *dimension;
    } list[] = {
        {"20 mm", "a length (m)"},
        {"2*20 mm/3", "a length (m)"},
        {"20 mm*30 mm", "an area (m^2)"},
        {"sqrt(20 mm*30 mm)", "a length (m)"},
        {"3 kg*9.81 m/s^2", "a force (N)"},
        {"1/2*3 kg*(2 m/s)^2", "a torque or energy (N*m)"},
        {"3 kg*(20 mm)^2/12", "a moment of inertia (kg*m^2)"},
        {"norm([3 m, 4 m])", "a length (m)"},
        {"dot([3 N, 4 N], [1 m, 0])", "a torque or energy (N*m)"},
        {"30 deg", "an angle (rad)"},
        {"3000 rpm", "an angular velocity or frequency (rad/s)"},
        {"3 kg*2 m", "something in m*kg"},
        {"3 m^3/(2 s)", "something in m^3*s^-1"},
        {"20 mm + q", "a length (m)"},
        /* not known: a name without a unit; plain numbers; what cancels */
        {"q*20 mm", "a number without a unit"},
        {"3*sin(30 deg)", "a number without a unit"},
        {"20 mm/(1 m)", "a number without a unit"},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        taut_measure measure;
        taut_infix_error error;
        double value;
        char text[100];
        if (read_formula(list[i].text, &measure, &value, &error) != TAUT_OK)
            fail_msg("%s: %s", list[i].text, error.message);
        taut_dimension_print(measure.dimension, text, sizeof text);
        if (strcmp(text, list[i].dimension) != 0)
            fail_msg("%s is %s, not %s", list[i].text, text, list[i].dimension);
    }
}

static void test_contradictions_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *text;
        long offset;
        const char *message;
    } list[] = {
        {"20 mm + 3 kg", 6, "a sum of a length (m) and a mass (kg)"},
        {"20 mm - 1", 6,
         "a sum of a length (m) and a number without a unit: give the number its unit, too"},
        {"1 + 20 mm", 2,
         "a sum of a number without a unit and a length (m): give the number its unit, too"},
        {"sin(20 mm)", 0,
         "sin needs a number without a unit or an angle, but this is a length (m)"},
        {"2^(3 s)", 2,
         "an exponent needs a number without a unit or an angle, but this is a time (s)"},
        {"(2 m)^t", 6,
         "the base of a power that is no constant needs a number without a unit or an angle, but "
         "this is a length (m)"},
        {"[20 mm, 3 s]", 0, "a vector of a length (m) and a time (s)"},
        {"atan2(1 m, 1 kg)", 0, "atan2 of a length (m) and a mass (kg)"},
        {"20mm", 2, "a unit follows its number after one space: 20 mm"},
        {"20  mm", 4, "a unit follows its number after one space: 20 mm"},
        {"20 mn", 3, "'mn' is not a unit; did you mean 'm'? (or an operator is missing: 20*mn)"},
        {"20 quux", 3, "'quux' is not a unit (or an operator is missing: 20*quux)"},
        {"20 m m", 5, "unexpected 'm': an operator is missing"},
        {"1e400 m", 0, "the number 1e400 is too large"},
        {"1e305 hp*hp", 5, "the number 1e305 is too large"},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        taut_measure measure;
        taut_infix_error error;
        double value;
        if (read_formula(list[i].text, &measure, &value, &error) != TAUT_ERR_INPUT)
            fail_msg("%s is not refused", list[i].text);
        assert_string_equal(error.message, list[i].message);
        if (error.offset != list[i].offset)
            fail_msg("%s: at %ld, not %ld", list[i].text, error.offset, list[i].offset);
    }
}

/* ---- whole files ---- */

#define MECHANISM(params, geom, dyna, spring, damper, gravity, driver, start)                      \
    "Title: twin\nDimension: 2\nPhysicalParams: {" params "}\nPartData:\n"                         \
    "  Fixed: {O: [0, 0], W: " geom "}\n  Rigids:\n    OA: {Geom: [[l]], Dyna: [[l/2], " dyna      \
    "]}\n"                                                                                         \
    "    AB: {Geom: [[2*l]], Dyna: [[l], " dyna "]}\n  Springs: {BW: " spring "}\n"                \
    "  Dampers: {AW: " damper "}\nAppliedForces: {Gravity: " gravity "}\n"                         \
    "Angles: {phi: OA}\nDrivers: {phi: " driver "}\nProblemData: " start "\n"

static void test_millimetres_give_the_same_bytes(void **state) {
    (void)state;
    program_result in_units, in_si;
    program_write("units.yaml",
                  MECHANISM("l: 120 mm", "[350 mm, -20 mm]", "250 g, 600 kg*mm^2",
                            "[0.4 N/mm, 15 cm]", "30 N*s/m", "9810 mm/s^2",
                            "30 deg + 90 deg/(1 s)*t",
                            "{tend: 500 ms, positions: {A: [104 mm, 60 mm], B: [34 cm, 60 mm]}}"),
                  -1);
    program_write("si.yaml",
                  MECHANISM("l: 0.12", "[0.35, -0.02]", "0.25, 6e-4", "[400, 0.15]", "30", "9.81",
                            "30*pi/180 + 90*pi/180*t",
                            "{tend: 0.5, positions: {A: [0.104, 0.06], B: [0.34, 0.06]}}"),
                  -1);
    program_call(&in_units, "run units.yaml --quiet -o -");
    program_call(&in_si, "run si.yaml --quiet -o -");
    if (in_units.code != 0 || in_si.code != 0) fail_msg("%s%s", in_units.err, in_si.err);
    assert_true(strlen(in_units.out) > 100000);
    assert_string_equal(in_units.out, in_si.out);
    program_release(&in_units);
    program_release(&in_si);
}

/* A unit where another one belongs, at the place where it stands. */
static void test_keys_know_their_dimension(void **state) {
    (void)state;
    static const struct {
        const char *part[7]; /* of the mechanism, "" as it was */
        const char *message;
    } list[] = {
        {{"l: 3 kg"}, "7:18: error: a length (m) is expected here, but this is a mass (kg)"},
        {{"", "[350 mm, 2 s]"},
         "5:34: error: a length (m) is expected here, but this is a time (s)"},
        {{"", "", "3 m, 1"}, "7:37: error: a mass (kg) is expected here, but this is a length (m)"},
        {{"", "", "1, 3 kg"},
         "7:40: error: a moment of inertia (kg*m^2) is expected here, but this is a mass (kg)"},
        {{"", "", "", "[3 N, 1]"},
         "9:18: error: a stiffness (N/m) is expected here, but this is a force (N)"},
        {{"", "", "", "[3 N/m, 1 kg]"},
         "9:25: error: a rest length (m) is expected here, but this is a mass (kg)"},
        {{"", "", "", "", "3 N/m"},
         "10:17: error: a damping constant (N*s/m) is expected here, but this is a stiffness "
         "(N/m)"},
        {{"", "", "", "", "", "9.81 m/s"},
         "11:26: error: an acceleration (m/s^2) is expected here, but this is a velocity (m/s)"},
        {{"", "", "", "", "", "", "3 mm"},
         "13:16: error: an angle (rad) is expected here, but this is a length (m)"},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        static const char *const usual[7] = {"l: 1", "[1, 0]", "1, 1", "[1, 1]", "1", "9.81", "t"};
        const char *p[7];
        char text[2000];
        program_result r;
        for (int k = 0; k < 7; k++)
            p[k] = list[i].part[k] && list[i].part[k][0] ? list[i].part[k] : usual[k];
        snprintf(text, sizeof text,
                 MECHANISM("%s", "%s", "%s", "%s", "%s", "%s", "%s",
                           "{tend: 1, positions: {A: [1, 0], B: [2, 0]}}"),
                 p[0], p[1], p[2], p[2], p[3], p[4], p[5], p[6]);
        program_write("m.yaml", text, -1);
        program_call(&r, "run m.yaml");
        if (r.code != 2 || !strstr(r.err, list[i].message))
            fail_msg("no '%s' in\n%s", list[i].message, r.err);
        program_release(&r);
    }
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, program_enter, program_leave)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conversion_is_exact),
        cmocka_unit_test(test_degrees_are_a_formula),
        cmocka_unit_test(test_dimensions_propagate),
        cmocka_unit_test(test_contradictions_are_refused),
        IN_FOLDER(test_millimetres_give_the_same_bytes),
        IN_FOLDER(test_keys_know_their_dimension),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
