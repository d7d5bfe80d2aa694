/* Random chains with contacts, stops and friction: natural and relative coordinates have the same
 * events up to the tenth impact, energy is accounted for, and no set of modes goes on for ever. */
#include "solve_text.h"

#include <math.h>

enum { LINKS = 4 };

static int cases = 60; /* another number: the program's argument */
static unsigned long long seed;

/* A number between two others. */
static double between(double a, double b) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return a + (b - a) * (double)(seed >> 11) / 9007199254740992.0;
}

static double one_of(double a, double b, double c) {
    const double x = between(0.0, 3.0);
    return x < 1.0 ? a : x < 2.0 ? b : c;
}

#define ADD(...) length += snprintf(text + length, size - (size_t)length, __VA_ARGS__)

static const char *point(int i) {
    static const char *const name[] = {"O", "P1", "P2", "P3", "P4"};
    return name[i];
}

/* A chain that hangs from O above a floor. */
static void write_chain(char *text, size_t size) {
    int length = 0;
    const int links = 1 + (int)between(0.0, 3.999);
    double L[LINKS], a[LINKS], y = 0.0, lowest = 0.0;
    for (int i = 0; i < links; i++) {
        L[i] = between(0.3, 1.0);
        a[i] = between(-1.2, 1.2);
        y += L[i] * sin(a[i]);
        lowest = fmin(lowest, y);
    }
    const double floor = lowest - between(0.05, 0.5);
    ADD("Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids:\n");
    for (int i = 0; i < links; i++) {
        const double m = between(0.5, 2.0);
        ADD("    %s%s: {Geom: [[%.6f]], Dyna: [[%.6f, 0], %.6f, %.6f]}\n", point(i), point(i + 1),
            L[i], 0.5 * L[i], m, m * L[i] * L[i] / 12.0);
    }
    ADD("Angles: {");
    for (int i = 0; i < links; i++)
        ADD("%sa%d: %s%s", i ? ", " : "", i + 1, point(i), point(i + 1));
    ADD("}\nAppliedForces: {Gravity: [0, -9.81]}\nContacts:\n");
    for (int i = 1; i <= links; i++) {
        const double mu = one_of(0.0, 0.2, 0.4);
        ADD("  f%d: {Gap: P%dy + %.6f, Restitution: %g", i, i, -floor, one_of(0.0, 0.3, 0.7));
        if (mu > 0.0) ADD(", Along: P%dx, Friction: %g", i, mu);
        ADD("}\n");
    }
    if (between(0.0, 1.0) < 0.6)
        ADD("Limits: {a1: {Lower: %.4f, Upper: %.4f, Restitution: %g}}\n", a[0] - between(0.1, 1.0),
            a[0] + between(0.1, 1.0), one_of(0.0, 0.5, 0.9));
    if (between(0.0, 1.0) < 0.4)
        ADD("Friction: {j: {On: a1%s, Force: %.3f}}\n", links > 1 ? " - a2" : "",
            between(0.1, 2.0));
    ADD("ProblemData: {tend: 2, positions: {");
    for (int i = 0; i < links; i++) ADD("%sa%d: %.6f", i ? ", " : "", i + 1, a[i]);
    ADD("}}\n");
}

/* NULL: the law of impact has no solution. */
static taut_result *run(const char *text, const char *formulation) {
    taut_model *model = NULL;
    taut_result *result = NULL;
    taut_errors errors = {0};
    taut_run_options o = at_tolerance(1e-12);
    o.formulation = formulation;
    o.every = TAUT_EVERY_STEP;
    assert_int_equal(taut_model_parse("chain", text, -1, &model, &errors), TAUT_OK);
    const taut_status status = taut_simulate(model, &o, &result, &errors);
    taut_model_free(&model);
    if (status == TAUT_OK) return result;
    if (!strstr(errors.item[0].message, "has no solution by Newton's law"))
        fail_msg("%s\n%s", text, errors.item[0].message);
    taut_result_free(&result);
    return NULL;
}

static void check_energy(const char *text, const taut_result *r) {
    const int energy = taut_result_find(r, "energy"), work = taut_result_find(r, "work");
    const double first = taut_result_value(r, 0, energy);
    for (long i = 0; i < taut_result_rows(r); i++) {
        const double now = taut_result_value(r, i, energy) - taut_result_value(r, i, work);
        if (!(fabs(now - first) <= 1e-9)) fail_msg("%s\nenergy: %g", text, now - first);
    }
}

static void check_events(const char *text, const taut_result *a, const taut_result *b) {
    const taut_notes *x = taut_result_notes(a), *y = taut_result_notes(b);
    int impacts = 0;
    for (int i = 0; i < x->events && impacts < 10; i++) {
        if (i >= y->events || strcmp(x->event[i].name, y->event[i].name) != 0 ||
            strcmp(x->event[i].kind, y->event[i].kind) != 0 ||
            !(fabs(x->event[i].t - y->event[i].t) <= 1e-7))
            fail_msg("%s\nevent %d differs at t = %.17g", text, i, x->event[i].t);
        impacts += strcmp(x->event[i].kind, "impact") == 0;
    }
}

static void test_formulations_agree(void **state) {
    (void)state;
    int done = 0;
    for (int i = 0; i < cases; i++) {
        char text[3000];
        seed = 1000003ULL * (unsigned long long)i + 17;
        between(0.0, 1.0);
        write_chain(text, sizeof text);
        taut_result *a = run(text, "natural"), *b = run(text, "relative");
        assert_true((a == NULL) == (b == NULL));
        if (a && b) {
            check_energy(text, a);
            check_energy(text, b);
            check_events(text, a, b);
            done++;
        }
        taut_result_free(&a);
        taut_result_free(&b);
    }
    assert_true(done >= cases - cases / 15);
}

int main(int count, char **argument) {
    if (count > 1) cases = (int)strtol(argument[1], NULL, 10);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_formulations_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
