/* Every allocation made to fail once, one after another, while a model is read, checked, analyzed,
 * simulated and its results are written: always a clean error, nothing lost, nothing half-written.
 *
 * Allocations of the libraries (libyaml, KLU, LAPACKE, stdio) fail as well. The normal run takes a
 * sample; with TAUT_ALLOCATION_ALL set, as the test allocation_all does, none is left out. */
#include "check.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "allocation_sweep.h"
#include "failing_malloc.h"
#include "program.h"
#include "solve/minimal.h"
#include "task/prepare.h"
#include "taut/taut.h"

enum { SAMPLE = 400 };

static const char DAE[] = "PhysicalParams: {G: 9.81, L: 10}\n"
                          "DAE:\n"
                          "  Variables: [u, v, lam]\n"
                          "  Equations: [u'' + lam*u, v'' + lam*v - G, u^2 + v^2 - L^2]\n"
                          "Outputs: {angle: \"atan2(v, u)\"}\n"
                          "ProblemData: {t0: 0, tend: 0.2, positions: {u: 10, v: 0},\n"
                          "              velocities: {u: 0, v: 0}}\n";
static const char LAGRANGIAN[] =
    "PhysicalParams: &p {G: 9.81, L: 10}\n"
    "Lagrangian:\n"
    "  Coordinates: {r: 2}\n"
    "  L: 1/2*dot(r', r') + G*r.y\n"
    "  Constraints: [\"dot(r, r) - L^2\"]\n"
    "  Dissipation: 0.01*dot(r', r')\n"
    "ProblemData: {t0: 0, tend: 0.2, positions: {r: [9.9, 0]}, velocities: {r: [0, 0]}}\n";
static const char HAMILTONIAN[] = "PhysicalParams: {G: 9.81, L: 10}\n"
                                  "Hamiltonian:\n"
                                  "  Coordinates: [u, v]\n"
                                  "  Momenta: [p, s]\n"
                                  "  H: (p^2 + s^2)/2 - G*v\n"
                                  "  Constraints: [u^2 + v^2 - L^2]\n"
                                  "ProblemData: {t0: 0, tend: 0.2, positions: {u: 10, v: 0},\n"
                                  "              momenta: {p: 0, s: 0}}\n";

/* What the program does with a model, from reading to writing; stops where something fails. */
static taut_status use_model(const char *path) {
    taut_model *model = NULL;
    taut_result *result = NULL;
    char *text = NULL;
    taut_run_options options = taut_run_options_default();
    options.has_tend = true;
    options.tend = 0.01;
    options.every = 0.002;
    allocation_errors.count = allocation_errors.dropped = 0;
    taut_status status = taut_model_read(path, NULL, 0, &model, &allocation_errors);
    assert_true((status == TAUT_OK) == (model != NULL));
    if (status == TAUT_OK)
        options.reactions = options.body_axes =
            strcmp(taut_model_kind_name(model), "mechanism") == 0;
    if (status == TAUT_OK) status = taut_model_check(model, &allocation_errors);
    if (status == TAUT_OK) status = taut_analyze(model, true, &text, &allocation_errors);
    if (status == TAUT_OK) status = taut_simulate(model, &options, &result, &allocation_errors);
    if (status == TAUT_OK) status = taut_result_write(result, "out.csv", 17, &allocation_errors);
    if (status == TAUT_OK) status = taut_result_write(result, "out.json", 17, &allocation_errors);
    taut_result_free(&result);
    taut_text_free(&text);
    taut_model_free(&model);
    return status;
}

/* The same for a page of a run that is certified. */
static taut_status use_page(const char *path) {
    taut_model *model = NULL;
    taut_result *result = NULL;
    taut_run_options options = taut_run_options_default();
    options.has_tend = true;
    options.tend = 0.01;
    options.every = TAUT_FOR_SCREEN;
    allocation_errors.count = allocation_errors.dropped = 0;
    taut_status status = taut_model_read(path, NULL, 0, &model, &allocation_errors);
    if (status == TAUT_OK) status = taut_simulate(model, &options, &result, &allocation_errors);
    if (status == TAUT_OK) status = taut_certify(model, &options, result, &allocation_errors);
    const taut_page page = {.file = path,
                            .model = model,
                            .result = result,
                            .status = status,
                            .errors = &allocation_errors};
    if (status == TAUT_OK) status = taut_page_write(&page, "page.html", &allocation_errors);
    if (status == TAUT_OK) status = taut_result_write(result, "out.csv", 17, &allocation_errors);
    taut_result_free(&result);
    taut_model_free(&model);
    return status;
}

static void sweep(const char *path) { allocation_sweep(use_model, path, SAMPLE); }

static void sweep_text(const char *text) {
    program_write("model.yaml", text, -1);
    sweep("model.yaml");
}

static void test_dae_survives(void **state) {
    (void)state;
    sweep_text(DAE);
}

static void test_lagrangian_survives(void **state) {
    (void)state;
    sweep_text(LAGRANGIAN);
}

static void test_hamiltonian_survives(void **state) {
    (void)state;
    sweep_text(HAMILTONIAN);
}

static void test_mechanism_survives(void **state) {
    (void)state;
    sweep(TAUT_SOURCE_DIR "/examples/slider-crank.yaml");
}

/* Joints that take names, numbers and curves; every force element. */
static void test_joints_survive(void **state) {
    (void)state;
    sweep(TAUT_SOURCE_DIR "/tests/models/joints/all-elements.yaml");
}

/* Events, conditions, kinks and controllers. */
static void test_events_survive(void **state) {
    (void)state;
    sweep(TAUT_SOURCE_DIR "/tests/fuzz/seeds/model/events.yaml");
}

/* Both methods of auto, there and back, with what they need in between. */
static taut_status use_stiff(const char *path) {
    static const double at[] = {0.5, 3.0, 5.5};
    taut_model *model = NULL;
    taut_result *result = NULL;
    taut_run_options options = taut_run_options_default();
    options.rtol = options.atol = 1e-4;
    options.at = at;
    options.ats = 3;
    allocation_errors.count = allocation_errors.dropped = 0;
    taut_status status = taut_model_read(path, NULL, 0, &model, &allocation_errors);
    if (status == TAUT_OK) status = taut_simulate(model, &options, &result, &allocation_errors);
    if (status == TAUT_OK) status = taut_result_write(result, "out.csv", 3, &allocation_errors);
    taut_result_free(&result);
    taut_model_free(&model);
    return status;
}

static void test_stiff_problem_survives(void **state) {
    (void)state;
    allocation_sweep(use_stiff, TAUT_SOURCE_DIR "/examples/brake.yaml", SAMPLE);
}

/* The packages of SUNDIALS, which have memory of their own. */
static const char *package;

static taut_status use_package(const char *path) {
    taut_model *model = NULL;
    taut_result *result = NULL;
    taut_run_options options = taut_run_options_default();
    options.solver = package;
    options.has_tend = true;
    options.tend = 0.01;
    options.every = 0.005;
    allocation_errors.count = allocation_errors.dropped = 0;
    taut_status status = taut_model_read(path, NULL, 0, &model, &allocation_errors);
    if (status == TAUT_OK) status = taut_simulate(model, &options, &result, &allocation_errors);
    if (status == TAUT_OK) status = taut_result_write(result, "out.csv", 17, &allocation_errors);
    taut_result_free(&result);
    taut_model_free(&model);
    return status;
}

/* With less and less memory, however little more than some is needed. */
static void test_packages_survive(void **state) {
    (void)state;
    static const char *const name[] = {"bdf", "adams", "erk", "ida"};
    program_write("model.yaml", LAGRANGIAN, -1);
    for (int i = 0; i < 4; i++) {
        package = name[i];
        assert_int_equal(use_package("model.yaml"), TAUT_OK);
        int short_of = 0, enough = 0;
        for (long bytes = 1 << 12; bytes < 1 << 22; bytes += bytes / 40) {
            const long before = failing_malloc_live();
            failing_malloc_limit(bytes);
            const taut_status status = use_package("model.yaml");
            failing_malloc_end();
            assert_int_equal(failing_malloc_live(), before);
            assert_true(status == TAUT_OK || status == TAUT_ERR_MEMORY ||
                        allocation_errors.count > 0);
            *(status == TAUT_OK ? &enough : &short_of) += 1;
        }
        print_message("%s: %d times enough memory, %d times not\n", package, enough, short_of);
        assert_true(enough > 0 && short_of > 0);
    }
}

/* The stiff method on a mechanism, forces as unknowns. */
static taut_status use_stiff_mechanism(const char *path) {
    taut_model *model = NULL;
    taut_result *result = NULL;
    taut_run_options options = taut_run_options_default();
    options.solver = "ho";
    options.has_tend = true;
    options.tend = 1e-3;
    allocation_errors.count = allocation_errors.dropped = 0;
    taut_status status = taut_model_read(path, NULL, 0, &model, &allocation_errors);
    if (status == TAUT_OK) status = taut_simulate(model, &options, &result, &allocation_errors);
    if (status == TAUT_OK) status = taut_result_write(result, "out.csv", 17, &allocation_errors);
    taut_result_free(&result);
    taut_model_free(&model);
    return status;
}

static void test_stiff_mechanism_survives(void **state) {
    (void)state;
    allocation_sweep(use_stiff_mechanism, TAUT_SOURCE_DIR "/examples/copy-machine.yaml", SAMPLE);
}

/* The same for the terms and forces of a Lagrangian, found and marked. */
static void test_lifted_lagrangian_survives(void **state) {
    (void)state;
    program_write("model.yaml",
                  "Lagrangian:\n"
                  "  Coordinates: [x, y, z]\n"
                  "  Stiff: {F: 10*(y - z)}\n"
                  "  L: x'^2/2 + y'^2/2 + z'^2/2 - 50*(x - y)^2 - 3*(x^2 + z^4)\n"
                  "  Dissipation: (x' - y')^2\n"
                  "  Forces: {x: -sin(x), y: -F, z: F}\n"
                  "ProblemData: {tend: 1, positions: {x: 1, y: 1, z: 1}}\n",
                  -1);
    allocation_sweep(use_stiff_mechanism, "model.yaml", SAMPLE);
}

/* A second set of equations without redundant constraints, and the way to it. */
static void test_stiff_redundant_mechanism_survives(void **state) {
    (void)state;
    program_write("model.yaml",
                  "Dimension: 2\n"
                  "PartData:\n"
                  "  Fixed: {O: [0, 0], M: [1, 0], W: [2, 0]}\n"
                  "  Rigids:\n"
                  "    one: {Elements: [O, A], Geom: [[1, 0]], Dyna: [[0.5, 0], 1, 0.1]}\n"
                  "    two: {Elements: [M, B], Geom: [[1, 0]], Dyna: [[0.5, 0], 1, 0.1]}\n"
                  "    three: {Elements: [W, C], Geom: [[1, 0]], Dyna: [[0.5, 0], 1, 0.1]}\n"
                  "    bar: {Elements: [A, B, C], Geom: [[1, 0], [2, 0]], Dyna: [[1, 0], 2, 0.5]}\n"
                  "  Particles: {Q: 1}\n"
                  "  SpringDampers: {AQ: [1e5, 0.5, 1e4]}\n"
                  "AppliedForces: {Gravity: }\n"
                  "ProblemData:\n"
                  "  tend: 5.5\n"
                  "  positions: {A: [0.6, -0.8], B: [1.6, -0.8], C: [2.6, -0.8], "
                  "Q: [0.6, -1.3001]}\n",
                  -1);
    allocation_sweep(use_stiff, "model.yaml", SAMPLE);
}

/* Another formulation, with constraints that decay; not by IDA, which does not survive. */
static taut_status use_reference(const char *path) {
    taut_model *model = NULL;
    taut_result *result = NULL;
    char *text = NULL;
    taut_run_options options = taut_run_options_default();
    options.formulation = "reference";
    options.stabilize = "baumgarte";
    options.reactions = true;
    options.has_tend = true;
    options.tend = 1e-3;
    options.every = 5e-4;
    allocation_errors.count = allocation_errors.dropped = 0;
    taut_status status = taut_model_read(path, NULL, 0, &model, &allocation_errors);
    if (status == TAUT_OK)
        status = taut_analyze_as(model, "reference", true, &text, &allocation_errors);
    if (status == TAUT_OK) status = taut_simulate(model, &options, &result, &allocation_errors);
    if (status == TAUT_OK) status = taut_result_write(result, "out.csv", 9, &allocation_errors);
    taut_result_free(&result);
    taut_text_free(&text);
    taut_model_free(&model);
    return status;
}

/* A mechanism built in code, analysed as a run in relative coordinates sees it. */
static taut_status use_builder(const char *path) {
    (void)path;
    static const taut_shape_spec rod = {.type = "rod", .mass = "m"};
    taut_builder *b = NULL;
    taut_model *model = NULL;
    taut_result *result = NULL;
    char *text = NULL;
    taut_run_options options = taut_run_options_default();
    options.formulation = "relative";
    options.cut = "OA-AB";
    allocation_errors.count = allocation_errors.dropped = 0;
    taut_status status = taut_builder_create("built", &b);
    if (status != TAUT_OK) return status;
    taut_builder_input(b, "m", "2");
    taut_builder_dimension(b, 2);
    taut_builder_fixed(b, "O", "[0, 0]");
    taut_builder_fixed(b, "C", "[2, 0]");
    taut_builder_body(b, "OA", &(taut_body_spec){.geometry = "[1]", .shape = &rod});
    taut_builder_body(b, "AB", &(taut_body_spec){.geometry = "[2]", .shape = &rod});
    taut_builder_body(b, "BC", &(taut_body_spec){.geometry = "[1]", .shape = &rod});
    taut_builder_weightless_particle(b, "A", "m/2");
    taut_builder_gravity(b, NULL);
    taut_builder_position(b, "A", "[0, 1]");
    taut_builder_position(b, "B", "[2, 1]");
    taut_builder_span(b, 0.0, 1e-3);
    status = taut_builder_finish(b, &model, &allocation_errors);
    if (status == TAUT_OK)
        status = taut_analyze_for(model, &options, false, &text, &allocation_errors);
    if (status == TAUT_OK) status = taut_simulate(model, NULL, &result, &allocation_errors);
    if (status == TAUT_OK) status = taut_result_write(result, "out.csv", 9, &allocation_errors);
    taut_result_free(&result);
    taut_text_free(&text);
    taut_model_free(&model);
    taut_builder_free(&b);
    return status;
}

static void test_builder_survives(void **state) {
    (void)state;
    allocation_sweep(use_builder, "", SAMPLE);
}

static void test_reference_survives(void **state) {
    (void)state;
    allocation_sweep(use_reference, TAUT_SOURCE_DIR "/examples/spatial-slider-crank.yaml", SAMPLE);
}

/* Minimal coordinates as a flow: SUNDIALS itself does not survive. */
static taut_status use_minimal(const char *path) {
    taut_model *model = NULL;
    taut_prepared prepared = {0};
    taut_arena arena = {0};
    taut_flow *flow = NULL;
    const taut_minimal_options options = {.subspace = TAUT_NULL_SVD};
    const taut_stepping stepping = {.rtol = 1e-9, .atol = 1e-9};
    allocation_errors.count = allocation_errors.dropped = 0;
    taut_status status = taut_model_read(path, NULL, 0, &model, &allocation_errors);
    if (status == TAUT_OK) status = taut_prepare(model, &prepared, &allocation_errors);
    if (status == TAUT_OK)
        status = taut_minimal_create(&options, &prepared.problem->system, &prepared.structure,
                                     &stepping, &arena, &flow);
    if (flow) flow->kind->release(flow);
    taut_arena_release(&arena);
    taut_prepared_release(&prepared);
    taut_model_free(&model);
    return status;
}

static void test_minimal_survives(void **state) {
    (void)state;
    allocation_sweep(use_minimal, TAUT_SOURCE_DIR "/examples/spherical-pendulum.yaml", SAMPLE);
}

/* Included files and repeated parts. */
static void test_expanded_mechanism_survives(void **state) {
    (void)state;
    program_write("leg.yaml",
                  "PhysicalParams: {l: 100 mm, n: 2}\nPartData:\n  Rigids:\n"
                  "    Repeat: {i: 1..n, \"A{i-1}A{i}\": {Geom: [[l]], Dyna: [[l/2], 1, 0.1]}}\n",
                  -1);
    sweep_text("Include: [{File: leg.yaml, Prefix: a_}, {File: leg.yaml, Prefix: b_}]\n"
               "Dimension: 2\nPartData: {Fixed: {a_A0: [0, 0], b_A0: [1, 0]}}\n"
               "ProblemData: {tend: 1, positions: {Repeat: {k: 1..2, \"a_A{k}\": [k/10, 0],\n"
               "  \"b_A{k}\": [1 + k/10, 0]}}}\n");
}

static void test_page_survives(void **state) {
    (void)state;
    allocation_sweep(use_page, TAUT_SOURCE_DIR "/examples/mechanism0.yaml", SAMPLE);
}

/* A comparison, with its page and JSON. What is counted depends on how often runs are repeated for
 * their times; that does no harm here. */
static taut_status use_comparison(const char *path) {
    static const char *const solver[] = {"taylor", "rk4"};
    static const double tol[] = {1e-5, 1e-4};
    taut_model *model = NULL;
    taut_comparison *comparison = NULL;
    taut_compare_options options = taut_compare_options_default();
    options.solver = solver;
    options.solvers = 2;
    options.tol = tol;
    options.tols = 2;
    options.run.has_tend = true;
    options.run.tend = 0.1;
    allocation_errors.count = allocation_errors.dropped = 0;
    taut_status status = taut_model_read(path, NULL, 0, &model, &allocation_errors);
    if (status == TAUT_OK) status = taut_compare(model, &options, &comparison, &allocation_errors);
    if (status == TAUT_OK)
        status = taut_comparison_write(comparison, path, "out.html", &allocation_errors);
    if (status == TAUT_OK)
        status = taut_comparison_write(comparison, path, "out.json", &allocation_errors);
    taut_comparison_free(&comparison);
    taut_model_free(&model);
    if (status == TAUT_OK) { /* fopen would allocate */
        const int file = open("out.csv", O_WRONLY | O_TRUNC);
        assert_int_equal(write(file, "compared\n", 9), 9);
        assert_int_equal(close(file), 0);
    }
    return status;
}

static void test_comparison_survives(void **state) {
    (void)state;
    allocation_sweep(use_comparison, TAUT_SOURCE_DIR "/examples/pendulum-paper.yaml", SAMPLE);
}

/* Parts that do not fit together: the page alone, because finding that out is IPOPT's work. */
static void test_open_page_survives(void **state) {
    (void)state;
    static const char path[] = TAUT_SOURCE_DIR "/tests/models/cannot-close.yaml";
    const taut_run_options options = taut_run_options_default();
    taut_model *model = NULL;
    taut_result *result = NULL;
    assert_int_equal(taut_model_read(path, NULL, 0, &model, NULL), TAUT_OK);
    assert_int_equal(taut_attempt(model, &options, &result), TAUT_OK);
    const taut_page page = {
        .file = path, .model = model, .result = result, .status = TAUT_ERR_INPUT};
    assert_int_equal(taut_page_write(&page, "page.html", NULL), TAUT_OK);
    failing_malloc_begin(0);
    assert_int_equal(taut_page_write(&page, "page.html", NULL), TAUT_OK);
    const long total = failing_malloc_end();
    for (long which = 1; which <= total; which++) {
        const long before = failing_malloc_live();
        failing_malloc_begin(which);
        const taut_status status = taut_page_write(&page, "page.html", NULL);
        failing_malloc_end();
        assert_true(status == TAUT_ERR_MEMORY || status == TAUT_ERR_IO || status == TAUT_OK);
        assert_int_equal(failing_malloc_live(), before);
    }
    taut_result_free(&result);
    taut_model_free(&model);
}

/* More unknowns than the dense factorisation takes: KLU; and constraints that are left out. */
/* Tables of every kind, knots inside the run, one in a constraint whose start has to be searched
 * again, and a driven velocity. */
static void test_tables_survive(void **state) {
    (void)state;
    static const char text[] =
        "Tables:\n"
        "  f: {File: f.csv, Columns: [a, b], Between: {fit: 1e-3}, Outside: hold}\n"
        "  g: {Points: [[0, 0], [0.004, 1], [0.02, 0]], Outside: periodic}\n"
        "  h: {Points: [[0, 1], [1, 2], [2, 0], [3, 1], [9, 3]], Between: spline}\n"
        "  m: {Points: [[0, 0, 0], [0, 1, 2], [9, 0, 1], [9, 1, 4]], Between: spline}\n"
        "PhysicalParams: {k: f(0.5)}\n"
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0]}\n"
        "  Rigids: {OB: {Geom: [[1, 0]], Dyna: [[0.5, 0], k, 0.1]}}\n"
        "  Particles: {A: 1}\n"
        "Angles: {phi: OB}\n"
        "Constraints: {c: Ay - h(Ax)}\n"
        "Drivers: {phi': 1 + g(t)}\n"
        "AppliedForces: {Gravity: , Forces: {A: [\"m(100*t, 0.5)\", 0]}}\n"
        "ProblemData: {tend: 1, positions: {phi: 0.3}, values: {Ax: 2.5 - 0.2}}\n";
    program_write("f.csv", "a,b,c\n0,1,one\n1,2,two\n2,4,three\n3,4,\n", -1);
    program_write("m.yaml", text, -1);
    sweep("m.yaml");
}

static void test_redundant_mechanism_survives(void **state) {
    (void)state;
    sweep(TAUT_SOURCE_DIR "/examples/bricard.yaml");
}

/* A fault in the file while there is no memory to tell it. */
static void test_faulty_file_survives(void **state) {
    (void)state;
    program_write("model.yaml", "DAE:\n  Variables: [u, 1x]\n  Equations: [u' + w, \"u +\"]\n", -1);
    failing_malloc_begin(0);
    assert_true(use_model("model.yaml") == TAUT_ERR_INPUT);
    const long total = failing_malloc_end();
    for (long which = 1; which <= total; which++) {
        const long before = failing_malloc_live();
        failing_malloc_begin(which);
        assert_true(use_model("model.yaml") < TAUT_OK);
        failing_malloc_end();
        assert_int_equal(failing_malloc_live(), before);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_dae_survives, program_enter, program_leave),
        cmocka_unit_test_setup_teardown(test_lagrangian_survives, program_enter, program_leave),
        cmocka_unit_test_setup_teardown(test_hamiltonian_survives, program_enter, program_leave),
        cmocka_unit_test_setup_teardown(test_mechanism_survives, program_enter, program_leave),
        cmocka_unit_test_setup_teardown(test_events_survive, program_enter, program_leave),
        cmocka_unit_test_setup_teardown(test_joints_survive, program_enter, program_leave),
        cmocka_unit_test_setup_teardown(test_packages_survive, program_enter, program_leave),
        cmocka_unit_test_setup_teardown(test_stiff_problem_survives, program_enter, program_leave),
        cmocka_unit_test_setup_teardown(test_stiff_mechanism_survives, program_enter,
                                        program_leave),
        cmocka_unit_test_setup_teardown(test_lifted_lagrangian_survives, program_enter,
                                        program_leave),
        cmocka_unit_test_setup_teardown(test_stiff_redundant_mechanism_survives, program_enter,
                                        program_leave),
        cmocka_unit_test_setup_teardown(test_builder_survives, program_enter, program_leave),
        cmocka_unit_test_setup_teardown(test_reference_survives, program_enter, program_leave),
        cmocka_unit_test_setup_teardown(test_minimal_survives, program_enter, program_leave),
        cmocka_unit_test_setup_teardown(test_expanded_mechanism_survives, program_enter,
                                        program_leave),
        cmocka_unit_test_setup_teardown(test_page_survives, program_enter, program_leave),
        cmocka_unit_test_setup_teardown(test_comparison_survives, program_enter, program_leave),
        cmocka_unit_test_setup_teardown(test_open_page_survives, program_enter, program_leave),
        cmocka_unit_test_setup_teardown(test_tables_survive, program_enter, program_leave),
        cmocka_unit_test_setup_teardown(test_redundant_mechanism_survives, program_enter,
                                        program_leave),
        cmocka_unit_test_setup_teardown(test_faulty_file_survives, program_enter, program_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
