/* Random chains and loops, in the plane and in space, with contacts, stops, friction, locks and
 * breaks: natural and relative coordinates have the same events and states up to the tenth impact,
 * energy is accounted for, and no set of modes goes on for ever. */
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

/* With the file, of which messages would show the beginning alone. */
#define FAIL(...)                                                                                  \
    do {                                                                                           \
        fputs(text, stderr);                                                                       \
        fail_msg(__VA_ARGS__);                                                                     \
    } while (0)

static const char *point(int i) {
    static const char *const name[] = {"O", "P1", "P2", "P3", "P4"};
    return name[i];
}

/* What holds the first angle, or the knee of a chain, for a while: with a capacity, or whatever
 * comes; and friction in the pin by its load. */
static int write_holds(char *text, size_t size, int length, int links) {
    if (between(0.0, 1.0) < 0.3) {
        const double from = between(0.05, 0.5);
        ADD("Locks: {k: {On: a1%s, When: t > %.4f and t < %.4f", links > 1 ? " - a2" : "", from,
            from + between(0.05, 0.5));
        if (between(0.0, 1.0) < 0.5) ADD(", Capacity: %.3f", between(0.5, 10.0));
        ADD("}}\n");
    }
    return length;
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
    const double kind = between(0.0, 1.0);
    if (kind < 0.3)
        ADD("Friction: {j: {On: a1%s, Force: %.3f}}\n", links > 1 ? " - a2" : "",
            between(0.1, 2.0));
    else if (kind < 0.6)
        ADD("Friction: {j: {Joint: ground-OP1, Coefficient: %.3f, Radius: %.4f}}\n",
            between(0.05, 0.5), between(0.01, 0.06));
    else if (kind < 0.75)
        ADD("Breaks: {b: {Joint: ground-OP1, When: t > %.4f}}\n", between(0.05, 0.6));
    length = write_holds(text, size, length, links);
    ADD("ProblemData: {tend: 2, positions: {");
    for (int i = 0; i < links; i++) ADD("%sa%d: %.6f", i ? ", " : "", i + 1, a[i]);
    ADD("}}\n");
}

/* A loop of three or four links between O and a fixed point, above a floor. */
static void write_loop(char *text, size_t size) {
    int length = 0;
    const int links = 3 + (int)between(0.0, 1.999);
    double x[LINKS + 1] = {0.0}, y[LINKS + 1] = {0.0}, lowest = 0.0;
    for (int i = 1; i <= links; i++) {
        x[i] = x[i - 1] + between(0.3, 0.8);
        y[i] = i == links ? between(-0.3, 0.3) : between(-0.7, 0.7);
        lowest = fmin(lowest, y[i]);
    }
    const double floor = lowest - between(0.02, 0.2);
    ADD("Dimension: 2\nPartData:\n  Fixed: {O: [0, 0], P%d: [%.9f, %.9f]}\n  Rigids:\n", links,
        x[links], y[links]);
    for (int i = 0; i < links; i++) {
        const double m = between(0.5, 2.0), L = hypot(x[i + 1] - x[i], y[i + 1] - y[i]);
        ADD("    %s%s: {Geom: [[%.9f]], Dyna: [[%.6f, 0], %.6f, %.6f]}\n", point(i), point(i + 1),
            L, 0.5 * L, m, m * L * L / 12.0);
    }
    ADD("Angles: {a1: OP1}\nAppliedForces: {Gravity: [0, -9.81]}\nContacts:\n");
    for (int i = 1; i < links; i++) {
        const double mu = one_of(0.0, 0.2, 0.4);
        ADD("  f%d: {Gap: P%dy + %.6f, Restitution: %g", i, i, -floor, one_of(0.0, 0.3, 0.7));
        if (mu > 0.0) ADD(", Along: P%dx, Friction: %g", i, mu);
        ADD("}\n");
    }
    const double a = atan2(y[1], x[1]);
    if (between(0.0, 1.0) < 0.6)
        ADD("Limits: {a1: {Lower: %.4f, Upper: %.4f, Restitution: %g}}\n", a - between(0.1, 0.6),
            a + between(0.1, 0.6), one_of(0.0, 0.5, 0.9));
    if (between(0.0, 1.0) < 0.4) ADD("Friction: {j: {On: a1, Force: %.3f}}\n", between(0.1, 2.0));
    ADD("ProblemData: {tend: 1.2, positions: {");
    for (int i = 1; i < links; i++) ADD("%sP%d: [%.9f, %.9f]", i > 1 ? ", " : "", i, x[i], y[i]);
    ADD("}}\n");
}

/* A vector at right angles to d, of length 1. */
static void find_across(const double *d, double *u) {
    double r[3], along = 0.0, square = 0.0, rest = 0.0;
    for (int k = 0; k < 3; k++) {
        r[k] = between(-1.0, 1.0);
        along += r[k] * d[k];
        square += d[k] * d[k];
    }
    for (int k = 0; k < 3; k++) u[k] = r[k] - along / square * d[k];
    for (int k = 0; k < 3; k++) rest += u[k] * u[k];
    for (int k = 0; k < 3; k++) u[k] /= sqrt(rest);
}

/* Links on ball joints in space, above a floor: they hang from O, or between O and a fixed point.
 */
static void write_in_space(char *text, size_t size, bool closed) {
    int length = 0;
    const int links = closed ? 3 : 1 + (int)between(0.0, 1.999), free = closed ? links - 1 : links;
    double x[LINKS + 1][3] = {{0.0}}, u[LINKS][3], lowest = 0.0;
    for (int i = 1; i <= links; i++) {
        x[i][0] = x[i - 1][0] + between(0.2, 0.7);
        for (int k = 1; k < 3; k++) x[i][k] = x[i - 1][k] + between(-0.5, 0.5);
        lowest = fmin(lowest, x[i][2]);
    }
    const double floor = lowest - between(0.02, 0.3);
    ADD("Dimension: 3\nPartData:\n  Fixed: {O: [0, 0, 0], F: [0, 0, %.6f], n: [0, 0, 1]", floor);
    if (closed) ADD(", P%d: [%.9f, %.9f, %.9f]", links, x[links][0], x[links][1], x[links][2]);
    ADD("}\n  Rigids:\n");
    for (int i = 0; i < links; i++) {
        const double d[3] = {x[i + 1][0] - x[i][0], x[i + 1][1] - x[i][1], x[i + 1][2] - x[i][2]};
        const double m = between(0.5, 2.0), L = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        find_across(d, u[i]);
        ADD("    L%d: {Elements: [%s, %s, u%d], Geom: [[%.12f, 0, 0], [0, 1, 0]],\n"
            "      Dyna: [[%.6f, 0.02, 0.01], %.6f, [%.6f, %.6f, %.6f]]}\n",
            i + 1, point(i), point(i + 1), i + 1, L, 0.5 * L, m, m * L * L / 20.0, m * L * L / 12.0,
            m * L * L / 11.0);
    }
    ADD("AppliedForces: {Gravity: [0, 0, -9.81]}\nContacts:\n");
    for (int i = 1; i <= free; i++) {
        const double mu = one_of(0.0, 0.2, 0.4);
        ADD("  f%d: {Point: P%d, On: {Plane: [F, n]}, Restitution: %g", i, i,
            one_of(0.0, 0.3, 0.7));
        if (mu > 0.3)
            ADD(", Friction: 0.2 + 0.2/(1 + 3*speed)"); /* by Stribeck */
        else if (mu > 0.0)
            ADD(", Friction: %g", mu);
        ADD("}\n");
    }
    ADD("ProblemData: {tend: %s, positions: {", closed ? "0.8" : "1");
    for (int i = 1; i <= free; i++)
        ADD("P%d: [%.12f, %.12f, %.12f], ", i, x[i][0], x[i][1], x[i][2]);
    for (int i = 0; i < links; i++)
        ADD("%su%d: [%.12f, %.12f, %.12f]", i ? ", " : "", i + 1, u[i][0], u[i][1], u[i][2]);
    ADD("}}\n");
}

/* Runs stop where laws of friction or impact have no solution or several, which they say. */
static bool is_named(const char *message) {
    static const char *const reason[] = {"has no solution by Newton's law",
                                         "has several solutions by Newton's law",
                                         "several motions are possible", "no motion is possible"};
    for (int i = 0; i < 4; i++)
        if (strstr(message, reason[i])) return true;
    return false;
}

/* Up to the end, or up to where it stops for a reason. */
static taut_result *run(const char *text, const char *formulation, bool *stopped) {
    taut_model *model = NULL;
    taut_result *result = NULL;
    taut_errors errors = {0};
    taut_run_options o = at_tolerance(1e-12);
    o.formulation = formulation;
    o.every = 0.02;
    if (taut_model_parse("random", text, -1, &model, &errors) != TAUT_OK)
        FAIL("%s", errors.item[0].message);
    *stopped = taut_simulate(model, &o, &result, &errors) != TAUT_OK;
    if (*stopped && !is_named(errors.item[0].message))
        FAIL("%s: %s", formulation, errors.item[0].message);
    assert_non_null(result);
    taut_model_free(&model);
    return result;
}

static void check_energy(const char *text, const taut_result *r) {
    const int energy = taut_result_find(r, "energy"), work = taut_result_find(r, "work");
    const double first = taut_result_value(r, 0, energy);
    for (long i = 0; i < taut_result_rows(r); i++) {
        const double now = taut_result_value(r, i, energy) - taut_result_value(r, i, work);
        if (!(fabs(now - first) <= 1e-9)) FAIL("energy: %g", now - first);
    }
}

static const double INSTANT = 1e-8; /* what is closer together is one instant, in any order */

/* Is there a later event of its element at that instant? Then only that one counts. */
static bool is_passing(const taut_notes *n, int i) {
    const taut_happened *x = &n->event[i];
    for (int k = i + 1; k < n->events && n->event[k].t < x->t + INSTANT; k++)
        if (strcmp(n->event[k].name, x->name) == 0 && strcmp(x->kind, "impact") != 0) return true;
    return false;
}

static bool happens(const taut_notes *n, const taut_happened *x) {
    for (int i = 0; i < n->events; i++)
        if (fabs(n->event[i].t - x->t) <= 1e-7 && strcmp(n->event[i].name, x->name) == 0 &&
            strcmp(n->event[i].kind, x->kind) == 0)
            return true;
    return false;
}

/* Do the events of one happen in the other, up to the tenth impact, from which on differences have
 * grown? Its time. */
static double compare_events(const char *text, const taut_result *a, const taut_result *b) {
    const taut_notes *x = taut_result_notes(a), *y = taut_result_notes(b);
    int impacts = 0, i = 0;
    for (; i < x->events && impacts < 10; i++) {
        if (!is_passing(x, i) && !happens(y, &x->event[i]))
            FAIL("%s of %s at t = %.17g is missing", x->event[i].kind, x->event[i].name,
                 x->event[i].t);
        impacts += strcmp(x->event[i].kind, "impact") == 0;
    }
    return impacts < 10 ? (double)INFINITY : x->event[i - 1].t;
}

/* Points and angles, and their rates. */
static void compare_states(const char *text, const taut_result *a, const taut_result *b,
                           double end) {
    const long rows =
        taut_result_rows(a) < taut_result_rows(b) ? taut_result_rows(a) : taut_result_rows(b);
    for (int c = 1; c < taut_result_columns(a); c++) {
        const char *name = taut_result_name(a, c);
        const int other = taut_result_find(b, name);
        if ((name[0] != 'P' && name[0] != 'a') || other < 0) continue;
        for (long i = 0; i < rows && taut_result_value(a, i, 0) < end; i++) {
            const double x = taut_result_value(a, i, c), y = taut_result_value(b, i, other);
            if (!(fabs(x - y) <= 1e-6 * (1.0 + fabs(x))))
                FAIL("%s at t = %g: %.12g and %.12g", name, taut_result_value(a, i, 0), x, y);
        }
    }
}

static void write_case(int i, char *text, size_t size) {
    seed = 1000003ULL * (unsigned long long)i + 17;
    between(0.0, 1.0);
    if (i % 4 == 0)
        write_chain(text, size);
    else if (i % 4 == 1)
        write_loop(text, size);
    else
        write_in_space(text, size, i % 4 == 3);
}

static void test_formulations_agree(void **state) {
    (void)state;
    int stops = 0;
    for (int i = 0; i < cases; i++) {
        char text[3000];
        bool stopped[2];
        write_case(i, text, sizeof text);
        taut_result *a = run(text, "natural", &stopped[0]), *b = run(text, "relative", &stopped[1]);
        check_energy(text, a);
        check_energy(text, b);
        const double end = fmin(compare_events(text, a, b), compare_events(text, b, a));
        compare_states(text, a, b, end);
        if (!isfinite(end) && stopped[0] != stopped[1]) FAIL("one of them stops");
        stops += stopped[0] && stopped[1];
        taut_result_free(&a);
        taut_result_free(&b);
    }
    assert_true(stops <= cases / 15);
}

int main(int count, char **argument) {
    if (count > 1) cases = (int)strtol(argument[1], NULL, 10);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_formulations_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
