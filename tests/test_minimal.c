/* Minimal coordinates: every example moves as by Taylor series in natural coordinates; the tangent
 * bases are carried along smoothly; the equations are those of Maggi and Kane. */
#include "examples.h"
#include "four_bars.h"

#include "core/dense.h"
#include "solve/partials.h"
#include "task/prepare.h"

/* ---- the examples ---- */

/* What is not 9 digits over the whole time. */
static const struct {
    const char *name;
    double tol, tend, digits; /* 0: 1e-14, all of it, 9 */
} SPECIAL[] = {
    {"robot", 0.0, 0.5, 9.0},
    {"robot", 0.0, 0.0, 6.0},
    {"five-link", 0.0, 0.0, 7.0},
    {"four-bar-1", 0.0, 0.0, 5.0}, /* flat positions */
    {"four-bar-2", 0.0, 0.0, 5.0},
    {"heavy-top", 3e-15, 0.0, 0.0},
    /* stiff: explicit methods take 6000 steps a second */
    {"flyball-governor", 1e-12, 0.5, 0.0},
    {"flyball-governor-stretched", 1e-12, 0.5, 0.0},
};
enum { SPECIALS = sizeof SPECIAL / sizeof SPECIAL[0] };

static void must_be_found(const char *name, double tol, double tend, double digits,
                          const char *base) {
    taut_run_options options = at_tolerance(1e-13);
    options.solver = "taylor";
    options.has_tend = tend > 0.0;
    options.tend = tend;
    solution *truth = solve_example(name, &options);
    options.solver = "auto";
    options.formulation = "minimal";
    options.base = base;
    options.rtol = options.atol = tol > 0.0 ? tol : 1e-14;
    solution *s = solve_example(name, &options);
    const agreement found = compare(truth, s);
    print_message("%s: %.2f digits (%s, t = %g), %ld steps\n", name, found.digits, found.column,
                  found.t, stats_of(s)->steps);
    require_digits(found, digits > 0.0 ? digits : 9.0, name);
    assert_string_equal(stats_of(s)->formulation, "minimal");
    assert_true(stats_of(s)->constraint_residual < 1e-13);
    solution_free(truth);
    solution_free(s);
}

static void test_every_example(void **state) {
    (void)state;
    static char name[MOST_EXAMPLES][64];
    const int count = list_examples(name);
    for (int i = 0; i < count; i++) {
        bool special = false;
        for (int k = 0; k < SPECIALS; k++) {
            if (strcmp(SPECIAL[k].name, name[i]) != 0) continue;
            special = true;
            must_be_found(name[i], SPECIAL[k].tol, SPECIAL[k].tend, SPECIAL[k].digits, NULL);
        }
        if (!special) must_be_found(name[i], 0.0, 0.0, 0.0, NULL);
    }
}

static void test_reference_base(void **state) {
    (void)state;
    must_be_found("spatial-slider-crank", 0.0, 0.0, 8.0, "reference");
    must_be_found("spin-top", 0.0, 0.0, 9.0, "reference");
    must_be_found("spherical-pendulum", 0.0, 0.0, 9.0, "reference");
}

/* Flat positions are passed on the right branch, from whatever speed: the equation of one angle
 * says where the points should be. */
static void must_pass_flat_positions(int n, const char *solver, double distance) {
    char name[32], changed[4096];
    double largest = 0.0;
    taut_run_options options = at_tolerance(1e-13);
    options.every = 0.1;
    snprintf(name, sizeof name, "examples/four-bar-%d.yaml", n);
    char *text = text_of_file(name);
    for (int i = 0; i < 12; i++) {
        const double speed = 0.95 + 0.0371 * i;
        with_speed(text, speed, changed);
        options.formulation = "minimal";
        options.solver = solver;
        solution *a = solve_text(changed, &options);
        options.formulation = NULL;
        options.solver = "taylor";
        options.has_tend = true;
        options.tend = 10.0;
        solution *b = solve_one_angle(n, speed, &options);
        largest = fmax(largest, largest_distance(a, b, n));
        solution_free(a);
        solution_free(b);
    }
    print_message("four-bar-%d by %s: %.1e off at most\n", n, solver, largest);
    assert_true(largest < distance);
    free(text);
}

static void test_flat_positions(void **state) {
    (void)state;
    must_pass_flat_positions(1, "auto", 1e-7);
    must_pass_flat_positions(2, "auto", 1e-7);
    must_pass_flat_positions(2, "adams", 1e-6);
}

/* ---- other integrators ---- */

static void must_manage(const char *name, const char *solver, double tol, double digits) {
    taut_run_options options = at_tolerance(1e-13);
    solution *truth = solve_example(name, &options);
    options = at_tolerance(tol);
    options.formulation = "minimal";
    options.solver = solver;
    if (strcmp(solver, "rk4") == 0) options.step = 2e-4;
    solution *s = solve_example(name, &options);
    const agreement found = compare(truth, s);
    print_message("%s by %s: %.2f digits (%s), %ld steps\n", name, solver, found.digits,
                  found.column, stats_of(s)->steps);
    require_digits(found, digits, name);
    assert_string_equal(stats_of(s)->solver, solver);
    assert_true(stats_of(s)->constraint_residual < 1e-13);
    solution_free(truth);
    solution_free(s);
}

static void test_integrators(void **state) {
    (void)state;
    must_manage("spin-top", "erk", 1e-13, 9.0);
    must_manage("spin-top", "adams", 1e-13, 8.5);
    must_manage("andrews", "adams", 1e-12, 7.0);
    must_manage("andrews", "bdf", 1e-11, 5.0);
    must_manage("flyball-governor", "bdf", 1e-11, 5.0);
    must_manage("four-bar-2", "adams", 1e-13, 5.0);
    must_manage("spherical-pendulum", "rk4", 1e-9, 7.0);
}

/* ---- tangent bases ---- */

static solution *with_bases(const char *name, const char *subspace, bool fresh, double step) {
    taut_run_options options = at_tolerance(1e-9);
    options.formulation = "minimal";
    options.solver = "rk4";
    options.step = step;
    options.every = step;
    options.has_tend = true;
    options.tend = 500.0 * step;
    options.subspace = subspace;
    options.no_continuation = fresh;
    options.subspace_columns = true;
    return solve_example(name, &options);
}

static int count_columns(const solution *s, const char *start, const char *end) {
    int count = 0;
    for (int c = 0; c < taut_result_columns(s->result); c++) {
        const char *name = taut_result_name(s->result, c);
        const size_t n = strlen(name), m = strlen(end);
        if (strncmp(name, start, strlen(start)) == 0 && n >= m && strcmp(name + n - m, end) == 0)
            count++;
    }
    return count;
}

/* Where the entries of the k-th column of Q2 begin among the columns of the table. */
static int first_entry(const solution *s, int rows, int k) {
    for (int c = 0; c < taut_result_columns(s->result); c++)
        if (strncmp(taut_result_name(s->result, c), "Q2_", 3) == 0) return c + k * rows;
    fail();
    return -1;
}

static double change_of_column(const solution *s, long row, int rows, int k) {
    const int first = first_entry(s, rows, k);
    double square = 0.0;
    for (int i = 0; i < rows; i++) {
        const double d = taut_result_value(s->result, row + 1, first + i) -
                         taut_result_value(s->result, row, first + i);
        square += d * d;
    }
    return sqrt(square);
}

enum { MOST = 32 }; /* coordinates */

/* The equations of a mechanism, to evaluate A = dC/dx and its time derivative. */
typedef struct lab {
    taut_model *model;
    taut_prepared prepared;
    taut_arena arena;
    taut_partials partials;
    int n, m;                                 /* coordinates, constraints */
    int column[MOST];                         /* their variables */
    double A[MOST * MOST], rate[MOST * MOST]; /* [m][n] by rows */
} lab;

static void open_lab(lab *l, const char *name) {
    char path[512];
    taut_errors errors = {0};
    memset(l, 0, sizeof *l);
    snprintf(path, sizeof path, "%s/examples/%s.yaml", TAUT_SOURCE_DIR, name);
    assert_int_equal(taut_model_read(path, NULL, 0, &l->model, &errors), TAUT_OK);
    assert_int_equal(taut_prepare(l->model, &l->prepared, &errors), TAUT_OK);
    assert_int_equal(taut_partials_create(&l->prepared.problem->system, &l->prepared.structure, 0,
                                          &l->arena, &l->partials),
                     TAUT_OK);
    for (int j = 0; j < l->prepared.structure.n; j++)
        if (l->prepared.structure.offsets.d[j] == 2) l->column[l->n++] = j;
    for (int i = 0; i < l->prepared.structure.n; i++)
        l->m += l->prepared.structure.offsets.c[i] == 2;
    assert_in_range(l->n, 1, MOST);
}

static void close_lab(lab *l) {
    taut_partials_release(&l->partials);
    taut_prepared_release(&l->prepared);
    taut_model_free(&l->model);
    taut_arena_release(&l->arena);
}

/* Puts the point of a row into the lab's series, and A and A' there into l. */
static void look_at_row(lab *l, const solution *s, long row) {
    const taut_system *system = &l->prepared.problem->system;
    const int *c = l->prepared.structure.offsets.c, *d = l->prepared.structure.offsets.d;
    taut_series *series = l->partials.series;
    char name[64];
    taut_series_start(series, taut_result_value(s->result, row, 0), 1.0);
    for (int j = 0; j < system->n; j++)
        for (int k = 0; k < d[j]; k++)
            taut_series_set(
                series, j, k,
                value_of(s, row, taut_derivative_name(system, j, k, name, sizeof name)));
    assert_int_equal(taut_series_settle(series, false, NULL, NULL), TAUT_OK);
    memset(l->A, 0, sizeof l->A);
    memset(l->rate, 0, sizeof l->rate);
    for (int k = 0; k < l->partials.count; k++) {
        const taut_partial *p = &l->partials.partial[k];
        int i = 0, b = 0;
        if (c[p->equation] != 2) continue;
        assert_int_equal(p->order, 0);
        for (int e = 0; e < p->equation; e++) i += c[e] == 2;
        while (l->column[b] != p->variable) b++;
        l->A[i * l->n + b] = taut_series_output(series, k, 0);
        l->rate[i * l->n + b] = taut_series_output(series, k, 1);
    }
}

/* |A^+ A' q|, with the column q of Q2 in a row: how fast it turns (seed 001, equation 27). */
static double turning(lab *l, const solution *s, long row, int k) {
    const int first = first_entry(s, l->n, k);
    double gram[MOST * MOST] = {0}, z[MOST] = {0}, square = 0.0;
    int pivot[MOST];
    look_at_row(l, s, row);
    for (int i = 0; i < l->m; i++) {
        for (int j = 0; j < l->n; j++)
            z[i] += l->rate[i * l->n + j] * taut_result_value(s->result, row, first + j);
        for (int e = 0; e < l->m; e++)
            for (int j = 0; j < l->n; j++)
                gram[e * l->m + i] += l->A[i * l->n + j] * l->A[e * l->n + j];
    }
    assert_int_equal(taut_dense_solve(l->m, 1, gram, z, pivot), TAUT_OK);
    for (int j = 0; j < l->n; j++) {
        double v = 0.0;
        for (int i = 0; i < l->m; i++) v += l->A[i * l->n + j] * z[i];
        square += v * v;
    }
    return sqrt(square);
}

/* Columns move as fast as the tangent space turns, with continuation; without, some of them jump.
 */
static void check_bases(const char *name, const char *subspace, double step) {
    lab l;
    open_lab(&l, name);
    solution *smooth = with_bases(name, subspace, false, step);
    solution *fresh = with_bases(name, subspace, true, step);
    const int size = count_columns(smooth, "q", "'") > 0 ? l.n - l.m : 0;
    double worst = 0.0, jump = 0.0;
    assert_int_equal(count_columns(smooth, "Q2_", ""), l.n * size);
    for (int k = 0; k < size; k++) {
        double before = turning(&l, smooth, 0, k);
        for (long i = 0; i + 1 < rows_of(smooth); i++) {
            const double after = turning(&l, smooth, i + 1, k);
            const double moved = change_of_column(smooth, i, l.n, k);
            assert_true(moved <= 2.0 * step * fmax(before, after) + 1e-12);
            worst = fmax(worst, moved / (step * fmax(before, after)));
            jump = fmax(jump, change_of_column(fresh, i, l.n, k));
            before = after;
        }
    }
    print_message("%s, %s: columns move by %.3f h |Omega| at most, without continuation by %.2f\n",
                  name, subspace, worst, jump);
    assert_true(worst > 0.5);
    assert_true(jump > 0.5);
    /* the same motion */
    for (int c = 1; strncmp(taut_result_name(smooth->result, c), "q1", 2) != 0; c++)
        assert_near(taut_result_value(smooth->result, rows_of(smooth) - 1, c),
                    taut_result_value(fresh->result, rows_of(fresh) - 1, c), 1e-6, 1e-6);
    solution_free(smooth);
    solution_free(fresh);
    close_lab(&l);
}

static void test_continuation(void **state) {
    (void)state;
    check_bases("spherical-pendulum", "qr", 2e-3);
    check_bases("spherical-pendulum", "svd", 2e-3);
    check_bases("spherical-pendulum", "eig", 2e-3);
    check_bases("spatial-slider-crank", "qr", 2e-3);
    check_bases("spin-top", "qr", 1e-2);
    check_bases("spin-top", "eig", 1e-2);
}

/* q' is the rate of q, and |q'| the length of x': Q2 is orthonormal. */
static void test_coordinates(void **state) {
    (void)state;
    const double step = 1e-3;
    solution *s = with_bases("spherical-pendulum", "qr", false, step);
    static const char *const q[] = {"q1", "q2"}, *const rate[] = {"q1'", "q2'"};
    for (long i = 1; i + 1 < rows_of(s); i++) {
        double square = 0.0;
        for (int k = 0; k < 2; k++) {
            const double difference =
                (value_of(s, i + 1, q[k]) - value_of(s, i - 1, q[k])) / (2.0 * step);
            assert_near(difference, value_of(s, i, rate[k]), 1e-3, 0.0);
            square += value_of(s, i, rate[k]) * value_of(s, i, rate[k]);
        }
        const double v[] = {value_of(s, i, "Ax'"), value_of(s, i, "Ay'"), value_of(s, i, "Az'")};
        assert_near(square, v[0] * v[0] + v[1] * v[1] + v[2] * v[2], 1e-12, 1e-12);
    }
    solution_free(s);
}

/* ---- Maggi and Kane ---- */

/* Is it the equation of a variable of first order: of a tracked angle, theta' = omega? */
static bool defines_a_rate(const taut_series *series, int row) {
    for (int j = 0; j < series->system->n; j++)
        for (int e = series->start[j]; e < series->start[j + 1]; e++)
            if (series->row[e] == row && series->structure->offsets.d[j] == 1) return true;
    return false;
}

/* Q2^T M Q2 q'' = Q2^T (f - M beta''), with M and f from the rows of motion and Q2 from A alone:
 * solved as it stands it yields the q'' = Q2^T x'' that the factors of the whole J yield. */
static void check_maggi_kane(const char *name) {
    lab l;
    taut_run_options options = at_tolerance(1e-12);
    options.formulation = "minimal";
    options.has_tend = true;
    options.tend = 0.7;
    solution *s = solve_example(name, &options);
    open_lab(&l, name);
    look_at_row(&l, s, rows_of(s) - 1);
    taut_series *series = l.partials.series;
    const taut_structure *structure = &l.prepared.structure;
    const int n = l.n, size = l.n - l.m, *d = structure->offsets.d;
    double Q2[MOST * MOST], At[MOST * MOST], M[MOST * MOST] = {0}, f[MOST] = {0};
    int row[MOST] = {0}, pivot[MOST], count = 0;
    memcpy(At, l.A, sizeof At);
    assert_int_equal(taut_null_basis(TAUT_NULL_QR, l.m, n, At, Q2), TAUT_OK);
    for (int i = 0; i < structure->n; i++)
        if (structure->offsets.c[i] == 0 && !defines_a_rate(series, i)) row[count++] = i;
    assert_int_equal(count, n);
    for (int i = 0; i < n; i++)
        for (int b = 0; b < n; b++)
            for (int e = series->start[l.column[b]]; e < series->start[l.column[b] + 1]; e++)
                if (series->row[e] == row[i]) M[i * n + b] = series->J[e];
    /* q'' and beta'' = x'' - Q2 q'' */
    double q[MOST] = {0}, beta[MOST] = {0};
    for (int b = 0; b < n; b++) {
        beta[b] = taut_series_get(series, l.column[b], 2);
        for (int k = 0; k < size; k++) q[k] += Q2[b * size + k] * beta[b];
    }
    for (int b = 0; b < n; b++)
        for (int k = 0; k < size; k++) beta[b] -= Q2[b * size + k] * q[k];
    /* f: minus the residual without accelerations and multipliers */
    for (int j = 0; j < structure->n; j++)
        if (d[j] == 0 || d[j] == 2) taut_series_set(series, j, d[j], 0.0);
    taut_series_look(series, 0);
    for (int i = 0; i < n; i++) {
        f[i] = -taut_series_residual(series, row[i], 0);
        for (int b = 0; b < n; b++) f[i] -= M[i * n + b] * beta[b];
    }
    double reduced[MOST * MOST] = {0}, right[MOST] = {0};
    for (int k = 0; k < size; k++)
        for (int i = 0; i < n; i++) {
            right[k] += Q2[i * size + k] * f[i];
            for (int m = 0; m < size; m++)
                for (int b = 0; b < n; b++)
                    reduced[m * size + k] += Q2[i * size + k] * M[i * n + b] * Q2[b * size + m];
        }
    assert_int_equal(taut_dense_solve(size, 1, reduced, right, pivot), TAUT_OK);
    double largest = 0.0;
    for (int k = 0; k < size; k++) largest = fmax(largest, fabs(q[k]));
    assert_true(largest > 1e-3);
    for (int k = 0; k < size; k++) assert_near(right[k], q[k], 1e-10 * largest, 0.0);
    close_lab(&l);
    solution_free(s);
}

static void test_maggi_kane(void **state) {
    (void)state;
    check_maggi_kane("spatial-slider-crank");
    check_maggi_kane("spherical-pendulum");
    check_maggi_kane("spin-top");
    check_maggi_kane("pendulum-chain-5");
}

/* ---- what does not fit ---- */

static void must_refuse(const char *solver, const char *base, const char *subspace,
                        const char *message) {
    taut_run_options options = at_tolerance(1e-9);
    options.formulation = "minimal";
    options.solver = solver;
    options.base = base;
    options.subspace = subspace;
    solution *s = try_file(TAUT_SOURCE_DIR "/examples/pendulum.yaml", &options);
    assert_int_equal(s->status, TAUT_ERR_CALL);
    if (!strstr(s->errors.item[0].message, message))
        fail_msg("'%s' is not in '%s'", message, s->errors.item[0].message);
    solution_free(s);
}

static void test_what_does_not_fit_is_refused(void **state) {
    (void)state;
    must_refuse("taylor", NULL, NULL, "use erk, adams, bdf or rk4, or the formulation natural");
    must_refuse("ho", NULL, NULL, "taylor and ho expand the equations themselves");
    must_refuse("ida", NULL, NULL, "use bdf, or the formulation natural");
    must_refuse("erk", "minimal", NULL, "'minimal'; there are natural, reference and relative");
    must_refuse("erk", NULL, "lu", "there is no subspace 'lu'; there are qr, svd and eig");
    taut_run_options options = at_tolerance(1e-9);
    options.formulation = "minimal";
    options.stabilize = "baumgarte";
    solution *refused = try_file(TAUT_SOURCE_DIR "/examples/pendulum.yaml", &options);
    assert_int_equal(refused->status, TAUT_ERR_CALL);
    assert_non_null(strstr(refused->errors.item[0].message, "leave out options.stabilize"));
    solution_free(refused);
    options = at_tolerance(1e-9);
    options.subspace = "qr";
    solution *s = try_file(TAUT_SOURCE_DIR "/examples/pendulum.yaml", &options);
    assert_int_equal(s->status, TAUT_ERR_CALL);
    assert_string_equal(
        s->errors.item[0].message,
        "options.subspace is for minimal coordinates: use it with options.formulation "
        "= \"minimal\"");
    solution_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_example),  cmocka_unit_test(test_reference_base),
        cmocka_unit_test(test_flat_positions), cmocka_unit_test(test_integrators),
        cmocka_unit_test(test_continuation),   cmocka_unit_test(test_coordinates),
        cmocka_unit_test(test_maggi_kane),     cmocka_unit_test(test_what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
