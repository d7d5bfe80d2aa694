/* More contacts at once than can be enumerated: by pivoting. The method against enumeration for few
 * random elements, against laws that hold for any number, and in runs. */
#include "solve_text.h"

#include <math.h>

#include "solve/touch_parts.h"

/* ---- random elements ---- */

static unsigned seed = 1;
static double uniform(double low, double high) {
    seed = seed * 1664525u + 1013904223u;
    return low + (high - low) * (double)(seed >> 8) / (double)(1u << 24);
}

enum { FREEDOMS = 24 };

typedef struct elements {
    taut_touch touch[TAUT_TOUCH_MOST];
    double W[ROWS * TAUT_TOUCH_MOST * ROWS * TAUT_TOUCH_MOST];
    int count;
} elements;

/* Gaps and friction of a system with so many freedoms and masses 1; fewer freedoms than rows make
 * conditions depend on each other. */
static void make(elements *e, int count, int freedoms, double friction) {
    double G[ROWS * TAUT_TOUCH_MOST][FREEDOMS] = {{0}};
    const int size = ROWS * count;
    memset(e, 0, sizeof *e);
    e->count = count;
    for (int i = 0; i < count; i++) {
        taut_touch *t = &e->touch[i];
        const double mu = friction > 0.0 ? uniform(0.0, friction) : 0.0;
        *t = (taut_touch){.normal = true,
                          .rough = friction > 0.0,
                          .ways = friction > 0.0 ? 1 : 0,
                          .slip = {mu, mu},
                          .stick = mu,
                          .may = 1u << TAUT_TOUCH_OPEN | 1u << TAUT_TOUCH_CLOSED};
        if (t->rough) t->may |= 1u << TAUT_TOUCH_UP | 1u << TAUT_TOUCH_DOWN;
        for (int k = 0; k <= t->ways; k++) {
            for (int j = 0; j < freedoms; j++) G[ROWS * i + k][j] = uniform(-1.0, 1.0);
        }
    }
    double v[FREEDOMS];
    for (int j = 0; j < freedoms; j++) v[j] = uniform(-1.0, 1.0);
    for (int a = 0; a < size; a++)
        for (int j = 0; j < freedoms; j++) {
            e->touch[a / ROWS].free[a % ROWS] += G[a][j] * v[j];
            for (int b = 0; b < size; b++) e->W[a * size + b] += G[a][j] * G[b][j];
        }
}

static double distance(const taut_touch_answer *a, const taut_touch_answer *b, int size) {
    double most = 0.0;
    for (int i = 0; i < size; i++) most = fmax(most, fabs(a->rate[i] - b->rate[i]));
    return most;
}

/* What pivoting finds is among all solutions, and it finds one where friction is small; without
 * friction there is one, also where conditions depend on each other. */
static void test_pivoting_agrees_with_enumeration(void **state) {
    (void)state;
    elements e;
    int found = 0, cases = 0;
    for (int k = 0; k < 240; k++) {
        taut_touch_answers all = {0}, some = {0};
        const int count = 1 + k % 5, freedoms = 2 + (int)uniform(0.0, 9.0);
        make(&e, count, freedoms, k % 3 == 0 ? 0.0 : k % 3 == 1 ? 0.1 : 0.8);
        assert_int_equal(taut_touch_solve(e.touch, count, e.W, &all), TAUT_OK);
        assert_int_equal(taut_touch_pivot(e.touch, count, e.W, &some), TAUT_OK);
        if (k % 3 == 0) assert_int_equal(some.count, 1);
        for (int i = 0; i < some.count; i++) {
            double least = 1.0;
            for (int j = 0; j < all.count; j++)
                least = fmin(least, distance(&some.item[i], &all.item[j], ROWS * count));
            assert_true(least < 1e-9);
        }
        cases += all.count > 0;
        found += all.count > 0 && some.count > 0;
        assert_int_equal(some.sought, k % 3 != 0);
        taut_touch_release(&all);
        taut_touch_release(&some);
    }
    assert_true(cases > 220);
    assert_true(found >= cases - 3);
}

/* Thirty of them: gaps, forces and friction obey their inequalities, and energy does not grow. */
static void test_thirty_elements(void **state) {
    (void)state;
    elements e;
    int solved = 0;
    for (int k = 0; k < 40; k++) {
        taut_touch_answers list = {0};
        make(&e, 30, k % 2 ? FREEDOMS : 10, k < 20 ? 0.0 : 0.2);
        assert_true(taut_touch_is_possible(e.touch, 30));
        assert_int_equal(taut_touch_solve(e.touch, 30, e.W, &list), TAUT_OK);
        for (int n = 0; n < list.count; n++) {
            const taut_touch_answer *x = &list.item[n];
            for (int i = 0; i < 30; i++) {
                const double N = x->force[ROWS * i], T = x->force[ROWS * i + 1];
                const double rate = x->rate[ROWS * i], slide = x->rate[ROWS * i + 1];
                assert_true(N >= 0.0 && rate > -1e-8);
                assert_near(N * rate, 0.0, 1e-8, 0.0);
                assert_true(fabs(T) <= e.touch[i].stick * N + 1e-9);
                assert_true(T * slide < 1e-8);
                if (fabs(slide) > 1e-6) assert_near(fabs(T), e.touch[i].stick * N, 1e-9, 0.0);
            }
        }
        solved += list.count > 0;
        taut_touch_release(&list);
    }
    assert_true(solved >= 38);
}

/* ---- runs ---- */

static const taut_notes *notes_of(const solution *s) { return taut_result_notes(s->result); }

/* A ball strikes a row of twelve that touch: one impact with twelve contacts, momentum and energy
 * by the law. Newton's law lets the last one fly with less than all: all that touch get an impulse.
 */
static void test_long_cradle(void **state) {
    (void)state;
    enum { BALLS = 13 };
    char text[4000] = "Lagrangian:\n  Coordinates: [";
    for (int i = 0; i < BALLS; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%sx%d", i ? ", " : "", i);
    strcat(text, "]\n  L: (");
    for (int i = 0; i < BALLS; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%sx%d'^2", i ? " + " : "", i);
    strcat(text, ")/2\nContacts:\n");
    for (int i = 1; i < BALLS; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "  c%d: {Gap: x%d - x%d - 1, Restitution: 1}\n", i, i, i - 1);
    strcat(text, "ProblemData:\n  tend: 2\n  velocities: {x0: 1}\n  positions: {x0: -1");
    for (int i = 1; i < BALLS; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), ", x%d: %d", i, i);
    strcat(text, "}\n");
    taut_run_options o = at_tolerance(1e-12);
    solution *s = solve_text(text, &o);
    double momentum = 0.0, energy = 0.0, v[BALLS], before = -1e9;
    for (int i = 0; i < BALLS; i++) {
        char name[20];
        snprintf(name, sizeof name, "x%d'", i);
        v[i] = last_of(s, name);
        momentum += v[i];
        energy += v[i] * v[i];
        assert_true(v[i] > before - 1e-12); /* nothing overtakes */
        before = v[i];
    }
    assert_near(notes_of(s)->event[0].t, 1.0, 1e-12, 0.0);
    assert_near(momentum, 1.0, 1e-12, 0.0);
    assert_near(energy, 1.0, 1e-12, 0.0);
    /* v0 goes back and the row moves on as one: 0 + 1 = v0 + 12 v, 1 + v0 = v */
    assert_near(v[0], -11.0 / 13.0, 1e-12, 0.0);
    for (int i = 1; i < BALLS; i++) assert_near(v[i], 2.0 / 13.0, 1e-12, 0.0);
    solution_free(s);
}

/* A plank on twelve feet, of which two would do, falls on a floor, rests, and is pulled ever
 * harder: it slips when the pull is the friction of all, whatever each of them carries. */
static void test_plank_on_twelve_feet(void **state) {
    (void)state;
    char form[4000] = "Dimension: 2\n"
                      "PartData:\n"
                      "  Fixed: {O: [0, 0], u: [1, 0]}\n"
                      "  Rigids:\n"
                      "    plank: {Elements: [A, B";
    for (int i = 1; i < 11; i++)
        snprintf(form + strlen(form), sizeof form - strlen(form), ", P%d", i);
    strcat(form, "], Geom: [[1.1, 0]");
    for (int i = 1; i < 11; i++)
        snprintf(form + strlen(form), sizeof form - strlen(form), ", [%.1f, 0]", 0.1 * i);
    strcat(form, "], Dyna: [[%g, 0.05], 2, 0.3]}\nContacts:\n");
    for (int i = 0; i < 12; i++) {
        char point[10];
        snprintf(point, sizeof point, i == 0 ? "A" : i == 11 ? "B" : "P%d", i);
        snprintf(form + strlen(form), sizeof form - strlen(form),
                 "  f%d: {Point: %s, On: {Line: [O, u]}, Friction: 0.25}\n", i, point);
    }
    strcat(form, "AppliedForces: {Gravity: [0, -10], Forces: {A: [3*t, 0]}}\n"
                 "ProblemData: {tend: 2, positions: {A: [0, 0.05], B: [1.1, 0.05]}}\n");
    taut_run_options o = at_tolerance(1e-12);
    const double at[] = {1.0, 2.0}, begins = 0.25 * 2.0 * 10.0 / 3.0;
    o.at = at;
    o.ats = 2;
    for (int k = 0; k < 2; k++) { /* its weight between feet, and right above one */
        char text[4100];
        snprintf(text, sizeof text, form, k == 0 ? 0.43 : 0.4);
        solution *s = solve_text(text, &o);
        /* in the fall it gets a speed, which the blow and friction take */
        assert_near(value_of(s, 0, "Ax'"), 0.0, 1e-12, 0.0);
        assert_near(value_of(s, 0, "Ay"), 0.0, 1e-12, 0.0);
        const double place = value_of(s, 0, "Ax"), rest = 2.0 - begins;
        assert_near(value_of(s, 1, "Ax'"), 3.0 * rest * rest / 4.0, 1e-10, 0.0);
        assert_near(value_of(s, 1, "Ax") - place, 3.0 * rest * rest * rest / 12.0, 1e-10, 0.0);
        bool told = false;
        for (int i = 0; i < notes_of(s)->remarks; i++)
            told = told || strstr(notes_of(s)->remark[i], "another solution is not excluded");
        assert_true(told);
        solution_free(s);
    }
}

/* The same with few feet, by enumeration, from rest on: nothing pushes at the start, where every
 * foot could be said to be held by the others. */
static void test_plank_on_few_feet(void **state) {
    (void)state;
    static const int FEET[] = {2, 3, 3, 5, 5};
    static const double WEIGHT[] = {0.5, 0.5, 0.3, 0.5, 0.25};
    for (int k = 0; k < 5; k++) {
        char text[1500] = "Dimension: 2\n"
                          "PartData:\n"
                          "  Fixed: {O: [0, 0], u: [1, 0]}\n"
                          "  Rigids: {plank: {Elements: [A, B";
        for (int i = 1; i < FEET[k] - 1; i++)
            snprintf(text + strlen(text), sizeof text - strlen(text), ", P%d", i);
        strcat(text, "], Geom: [[1, 0]");
        for (int i = 1; i < FEET[k] - 1; i++)
            snprintf(text + strlen(text), sizeof text - strlen(text), ", [%g, 0]",
                     (double)i / (FEET[k] - 1));
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "], Dyna: [[%g, 0], 2, 0.3]}}\n"
                 "Contacts:\n"
                 "  a: {Point: A, On: {Line: [O, u]}, Friction: 0.25}\n"
                 "  b: {Point: B, On: {Line: [O, u]}, Friction: 0.25}\n",
                 WEIGHT[k]);
        for (int i = 1; i < FEET[k] - 1; i++)
            snprintf(text + strlen(text), sizeof text - strlen(text),
                     "  f%d: {Point: P%d, On: {Line: [O, u]}, Friction: 0.25}\n", i, i);
        strcat(text, "AppliedForces: {Gravity: [0, -10], Forces: {A: [3*t, 0]}}\n"
                     "ProblemData: {tend: 2, positions: {A: [0, 0], B: [1, 0]}}\n");
        taut_run_options o = at_tolerance(1e-12);
        solution *s = solve_text(text, &o);
        assert_near(last_of(s, "Ax'"), 3.0 / 36.0, 1e-10, 0.0);
        solution_free(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pivoting_agrees_with_enumeration),
        cmocka_unit_test(test_thirty_elements),
        cmocka_unit_test(test_long_cradle),
        cmocka_unit_test(test_plank_on_twelve_feet),
        cmocka_unit_test(test_plank_on_few_feet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
