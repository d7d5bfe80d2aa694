/* Wide Jacobians: long trees in relative coordinates, whose mass matrix is dense. The same offsets
 * and the same solutions as with J itself, the same motion as in natural coordinates; systems that
 * have none are left alone. */
#include <stdarg.h>

#include "digits.h"
#include "form/formulation.h"
#include "solve/wide.h"
#include "task/prepare.h"

enum { TEXT = 60000 };

static void add(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(char *text, const char *format, ...) {
    const size_t used = strlen(text);
    va_list list;
    va_start(list, format);
    vsnprintf(text + used, TEXT - used, format, list);
    va_end(list);
    assert_true(strlen(text) < TEXT - 1);
}

/* ---- models ---- */

/* Which point a rod hangs on: mostly the end of the one before, sometimes one further back. */
static int parent_of(int i) { return i % 7 == 3 && i > 4 ? i - 4 : i - 1; }

/* Rods in the plane, at angles of their own, some with dampers to the ground, which do work. */
static void planar_tree(char *text, int n, bool damped) {
    double x[200] = {0}, y[200] = {0};
    assert_true(n < 200);
    strcpy(text, "Dimension: 2\nPartData:\n  Fixed: {P0: [0, 0]}\n  Rigids:\n");
    for (int i = 1; i <= n; i++)
        add(text, "    R%d: {Elements: [P%d, P%d], Geom: [[%.3f]], Dyna: [[%.3f], %.3f, %.3f]}\n",
            i, parent_of(i), i, 0.2 + 0.01 * (i % 5), 0.1, 0.5 + 0.1 * (i % 3),
            0.01 + 0.002 * (i % 4));
    if (damped) add(text, "  SpringDampers:\n    P0P%d: [3, 1, 0.2]\n", n);
    add(text, "AppliedForces: {Gravity: }\nProblemData:\n  tend: 0.4\n  positions:\n");
    for (int i = 1; i <= n; i++) {
        const double angle = 0.7 * sin(2.3 * i), length = 0.2 + 0.01 * (i % 5);
        x[i] = x[parent_of(i)] + length * cos(angle);
        y[i] = y[parent_of(i)] + length * sin(angle);
        add(text, "    P%d: [%.17g, %.17g]\n", i, x[i], y[i]);
    }
}

/* Links in space, each with an axis at a right angle to the one before. */
static void spatial_chain(char *text, int n) {
    strcpy(text, "Dimension: 3\nPartData:\n  Fixed: {P0: [0, 0, 0], u0: [0, 1, 0]}\n  Rigids:\n");
    for (int i = 1; i <= n; i++)
        add(text,
            "    R%d: {Elements: [P%d, u%d, P%d, u%d], Geom: [[0, 1], [0.3], [0, 0, 1]], "
            "Dyna: [[0.15], 1, [0.01, 0.03, 0.04]]}\n",
            i, i - 1, i - 1, i, i);
    add(text, "AppliedForces: {Gravity: }\nProblemData:\n  tend: 0.3\n  positions:\n");
    for (int i = 1; i <= n; i++)
        add(text, "    P%d: [%.2f, 0, 0]\n    u%d: [0, %d, %d]\n", i, 0.3 * i, i, (1 - i % 4) % 2,
            (2 - i % 4) % 2);
}

/* ---- the matrix ---- */

static void prepare(const char *text, const char *formulation, bool wide, taut_model **model,
                    taut_prepared *p) {
    *model = read_text(text);
    const taut_forming forming = {.formulation = taut_formulation_find(formulation), .wide = wide};
    assert_int_equal(taut_prepare_by(*model, forming, p, NULL), TAUT_OK);
}

/* Highest derivatives at a point that is arbitrary but for its size. */
static void accelerations(taut_series *s, double *x) {
    taut_series_start(s, 0.0, 1.0);
    for (int j = 0; j < s->system->n; j++)
        for (int k = 0; k < 2; k++) taut_series_set(s, j, k, 0.9 * sin(1.0 + 3.1 * j + 1.7 * k));
    assert_int_equal(taut_series_settle(s, false, NULL, NULL), TAUT_OK);
    for (int j = 0; j < s->system->n; j++) x[j] = taut_series_get(s, j, s->structure->offsets.d[j]);
}

/* within: rounding times the condition of the mass matrix. */
static void must_be_wide(const char *text, double within) {
    taut_model *model, *other;
    taut_prepared p, narrow;
    taut_series *s, *w;
    static double a[500], b[500];
    double most = 0.0, gap = 0.0;
    prepare(text, "relative", true, &model, &p);
    prepare(text, "relative", false, &other, &narrow);
    assert_non_null(p.structure.wide);
    assert_null(narrow.structure.wide);
    assert_int_equal(p.structure.n, narrow.structure.n);
    assert_true(p.structure.n < 500);
    for (int i = 0; i < p.structure.n; i++) {
        assert_int_equal(p.structure.offsets.c[i], narrow.structure.offsets.c[i]);
        assert_int_equal(p.structure.offsets.d[i], narrow.structure.offsets.d[i]);
    }
    assert_int_equal(p.structure.offsets.index, narrow.structure.offsets.index);
    assert_int_equal(p.structure.offsets.dof, narrow.structure.offsets.dof);
    assert_int_equal(taut_series_create(&p.problem->system, &p.structure, 0, NULL, 0, &s), TAUT_OK);
    assert_int_equal(taut_series_create_wide(&p.problem->system, &p.structure, 0, NULL, 0, &w),
                     TAUT_OK);
    accelerations(s, a);
    accelerations(w, b);
    for (int j = 0; j < p.structure.n; j++) {
        most = fmax(most, fabs(a[j]));
        gap = fmax(gap, fabs(a[j] - b[j]));
    }
    print_message("%d unknowns: %d entries, wide %d in %d columns; accelerations %.1e apart\n",
                  p.structure.n, s->entries, w->entries, w->size, gap / most);
    assert_true(gap < within * most);
    taut_series_free(&s);
    taut_series_free(&w);
    taut_prepared_release(&p);
    taut_prepared_release(&narrow);
    taut_model_free(&model);
    taut_model_free(&other);
}

static void test_matrix_of_trees(void **state) {
    static char text[TEXT];
    (void)state;
    planar_tree(text, 90, false);
    must_be_wide(text, 1e-9);
    planar_tree(text, 90, true);
    must_be_wide(text, 1e-9);
    spatial_chain(text, 200);
    must_be_wide(text, 1e-8);
}

/* Linear in the number of links, whereas J has their square. */
static void test_entries_grow_with_links(void **state) {
    static char text[TEXT];
    taut_model *model;
    taut_prepared p;
    int entries[2];
    (void)state;
    for (int k = 0; k < 2; k++) {
        planar_tree(text, k ? 180 : 60, false);
        prepare(text, "relative", true, &model, &p);
        assert_non_null(p.structure.wide);
        entries[k] = p.structure.wide->entries;
        taut_prepared_release(&p);
        taut_model_free(&model);
    }
    assert_true(entries[1] < 3.2 * entries[0]);
}

static void must_be_narrow(const char *text, const char *formulation) {
    taut_model *model;
    taut_prepared p;
    prepare(text, formulation, true, &model, &p);
    assert_null(p.structure.wide);
    assert_true(p.structure.sigma.start[p.structure.n] > 0);
    taut_prepared_release(&p);
    taut_model_free(&model);
}

/* Small ones, constraints, natural coordinates, and where a dense J is smaller. */
static void test_others_are_left_alone(void **state) {
    static char text[TEXT];
    (void)state;
    planar_tree(text, 20, false);
    must_be_narrow(text, "relative");
    planar_tree(text, 90, false);
    must_be_narrow(text, "natural");
    must_be_narrow(text, "reference");
    spatial_chain(text, 60);
    must_be_narrow(text, "relative");
}

/* ---- motion ---- */

static double difference(const solution *a, const solution *b) {
    double worst = 0.0;
    assert_int_equal(rows_of(a), rows_of(b));
    for (int c = 1; c < taut_result_columns(a->result); c++) {
        double scale = 1.0, gap = 0.0;
        assert_string_equal(taut_result_name(a->result, c), taut_result_name(b->result, c));
        for (long i = 0; i < rows_of(a); i++) {
            const double x = taut_result_value(a->result, i, c),
                         y = taut_result_value(b->result, i, c);
            scale = fmax(scale, fabs(x));
            gap = fmax(gap, isnan(y) ? 1e300 : fabs(x - y));
        }
        worst = fmax(worst, gap / scale);
    }
    return worst;
}

static void must_move_alike(const char *text, double within) {
    static const char *const SOLVER[] = {"taylor", "erk", "adams"};
    taut_run_options options = at_tolerance(1e-12);
    options.every = 0.05;
    options.derivatives = 2;
    solution *a = solve_text(text, &options);
    options.formulation = "relative";
    for (int k = 0; k < 3; k++) {
        options.solver = SOLVER[k];
        solution *b = solve_text(text, &options);
        const double gap = difference(a, b);
        print_message("%s: %.1e\n", SOLVER[k], gap);
        assert_true(gap < (k == 0 ? within : 1e4 * within));
        assert_int_equal(stats_of(a)->dof, stats_of(b)->dof);
        solution_free(b);
    }
    solution_free(a);
}

static void test_motion_of_trees(void **state) {
    static char text[TEXT];
    (void)state;
    planar_tree(text, 60, false);
    must_move_alike(text, 1e-9);
    planar_tree(text, 60, true);
    must_move_alike(text, 1e-9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matrix_of_trees),
        cmocka_unit_test(test_entries_grow_with_links),
        cmocka_unit_test(test_others_are_left_alone),
        cmocka_unit_test(test_motion_of_trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
