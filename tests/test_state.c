/* A state is a value: copies, files, refusals, and runs that go on from one.
 *
 * A run that goes on from a state must be the uninterrupted one to rounding. What rounding means
 * for a motion is measured: by how much its end moves if the state is changed by its last bit. */
#include "solve_text.h"

#include <float.h>
#include <math.h>

#include "program.h"
#include "out/state_file.h"
#include "solve/state.h"

enum { STATES = 6 };

static const char *example(const char *name) {
    static char path[512];
    snprintf(path, sizeof path, "%s/examples/%s.yaml", TAUT_SOURCE_DIR, name);
    return path;
}

static taut_model *read_example(const char *name) {
    taut_model *model = NULL;
    taut_errors errors = {0};
    assert_int_equal(taut_model_read(example(name), NULL, 0, &model, &errors), TAUT_OK);
    return model;
}

/* ---- two halves ---- */

typedef struct whole {
    taut_model *model;
    taut_run_options options;
    taut_state *state[STATES]; /* at accepted steps */
    int states, columns;
    double *end; /* [columns] */
} whole;

static void must(taut_status status, const taut_errors *errors) {
    if (status != TAUT_OK) show_errors(errors);
    assert_int_equal(status, TAUT_OK);
}

static taut_simulation *start_of(const whole *w) {
    taut_simulation *s;
    taut_errors errors = {0};
    must(taut_simulation_create(w->model, &w->options, &s, &errors), &errors);
    return s;
}

static double *end_of(taut_simulation *s) {
    taut_errors errors = {0};
    taut_status status;
    while ((status = taut_simulation_step(s, &errors)) == TAUT_OK) continue;
    if (status != TAUT_AT_END) show_errors(&errors);
    assert_int_equal(status, TAUT_AT_END);
    double *row = calloc((size_t)taut_simulation_columns(s), sizeof *row);
    must(taut_simulation_row(s, taut_simulation_reached(s), row, &errors), &errors);
    return row;
}

/* Steps of the whole run, then states at some of them. */
static whole run_whole(taut_model *model, const taut_run_options *options) {
    whole w = {.model = model, .options = *options};
    taut_errors errors = {0};
    taut_simulation *s = start_of(&w);
    must(taut_simulation_start(s, &errors), &errors);
    long steps = 0;
    while (taut_simulation_step(s, &errors) == TAUT_OK) steps++;
    taut_simulation_free(&s);
    s = start_of(&w);
    must(taut_simulation_start(s, &errors), &errors);
    for (long i = 1; i < steps; i++) {
        must(taut_simulation_step(s, &errors), &errors);
        if (w.states < STATES && i == 1 + w.states * steps / STATES)
            must(taut_simulation_get_state(s, &w.state[w.states++], &errors), &errors);
    }
    w.columns = taut_simulation_columns(s);
    w.end = end_of(s);
    taut_simulation_free(&s);
    return w;
}

static void whole_free(whole *w) {
    for (int i = 0; i < w->states; i++) taut_state_free(&w->state[i]);
    free(w->end);
    taut_model_free(&w->model);
}

/* How much the end differs, relative to values of about 1. */
static double differs(const whole *w, taut_simulation *s, const taut_state *state) {
    taut_errors errors = {0};
    must(taut_simulation_set_state(s, state, &errors), &errors);
    assert_true(taut_simulation_time(s) == taut_state_time(state));
    double *end = end_of(s), largest = 0.0;
    for (int c = 0; c < w->columns; c++)
        largest = fmax(largest, fabs(end[c] - w->end[c]) / fmax(1.0, fabs(w->end[c])));
    free(end);
    return largest;
}

/* The state through a file and back. */
static taut_state *through_file(const taut_state *state) {
    char path[] = "/tmp/taut-state-XXXXXX";
    taut_errors errors = {0};
    taut_state *loaded = NULL;
    write_temporary("", path);
    must(taut_state_save(state, path, &errors), &errors);
    must(taut_state_load(path, &loaded, &errors), &errors);
    unlink(path);
    return loaded;
}

static double nudged(const whole *w, taut_simulation *s, const taut_state *state, int parity) {
    taut_state *copy;
    assert_int_equal(taut_state_copy(state, &copy), TAUT_OK);
    for (int i = 0; i < copy->first[copy->n]; i++)
        copy->x[i] *= 1.0 + (i % 2 == parity ? DBL_EPSILON : -DBL_EPSILON);
    const double difference = differs(w, s, copy);
    taut_state_free(&copy);
    return difference;
}

static double forgetful(const whole *w, taut_simulation *s, const taut_state *state) {
    taut_state *copy;
    assert_int_equal(taut_state_copy(state, &copy), TAUT_OK);
    taut_state_forget(copy);
    const double difference = differs(w, s, copy);
    taut_state_free(&copy);
    return difference;
}

/* These remember whatever the last bits depend on. */
static bool is_exact(const char *solver) {
    return strcmp(solver, "taylor") == 0 || strcmp(solver, "ho") == 0 ||
           strcmp(solver, "auto") == 0;
}

/* Two halves at every kept state; whether a start without memory would be noticed is returned. */
static bool check_halves(taut_model *model, const char *name, const taut_run_options *options) {
    whole w = run_whole(model, options);
    taut_simulation *s = start_of(&w);
    double rounding = DBL_EPSILON;
    bool noticed = false;
    for (int i = w.states - 1; i >= 0; i--) { /* what is earlier has more time to grow */
        taut_state *loaded = through_file(w.state[i]);
        const double difference = differs(&w, s, loaded);
        rounding = fmax(rounding, nudged(&w, s, loaded, 0));
        rounding = fmax(rounding, nudged(&w, s, loaded, 1));
        if (!(difference <= 10.0 * rounding))
            print_error("%s by %s: state %d differs by %g, rounding %g\n", name, options->solver, i,
                        difference, rounding);
        assert_true(difference <= 10.0 * rounding);
        if (is_exact(options->solver)) assert_true(difference == 0.0);
        if (!noticed && forgetful(&w, s, loaded) > 10.0 * rounding) noticed = true;
        taut_state_free(&loaded);
    }
    taut_simulation_free(&s);
    whole_free(&w);
    return noticed;
}

static const char *const MECHANISM[] = {"andrews", "slider-crank", "bricard",
                                        "spatial-slider-crank", "heavy-top"};
static const double END[] = {0.03, 2.0, 5.0, 1.0, 1.0};

static int check_all(const char *solver, const char *formulation, double step) {
    int noticed = 0;
    for (int i = 0; i < 5; i++) {
        taut_run_options o = at_tolerance(1e-6); /* so that other steps would show */
        o.solver = solver;
        o.formulation = formulation;
        o.has_tend = true;
        o.tend = END[i];
        o.step = step * END[i];
        noticed += check_halves(read_example(MECHANISM[i]), MECHANISM[i], &o);
    }
    return noticed;
}

/* In how many of the five a state without memory would have been noticed: all. */
static void test_two_halves_are_the_whole_run_by_taylor(void **state) {
    (void)state;
    assert_true(check_all("taylor", NULL, 0.0) == 5);
    assert_true(check_all("taylor", "relative", 0.0) == 5);
}

/* A chain that is long enough for the estimate of its condition to ask for refinement, which then
 * ends where it moves nothing (solve/taylor_extend): that depends on scales, too. */
static const char LONG_CHAIN[] = "PhysicalParams: {L: 1, m: 1, n: 120}\n"
                                 "Dimension: 2\n"
                                 "PartData:\n"
                                 "  Fixed: {P0: [0, 0]}\n"
                                 "  Rigids: {Repeat: {i: 1..n, \"P{i-1}P{i}\": {Geom: [[L]]}}}\n"
                                 "  Particles: {Repeat: {i: 1..n, \"P{i}\": m}}\n"
                                 "AppliedForces: {Gravity: }\n"
                                 "ProblemData:\n"
                                 "  tend: 0.6\n"
                                 "  positions: {Repeat: {i: 1..n, \"P{i}\": [i*L, 0]}}\n";

static void test_two_halves_of_a_long_chain_are_the_whole_run(void **state) {
    (void)state;
    char path[] = "/tmp/taut-chain-XXXXXX";
    taut_model *model = NULL;
    taut_errors errors = {0};
    taut_run_options o = at_tolerance(1e-11);
    write_temporary(LONG_CHAIN, path);
    must(taut_model_read(path, NULL, 0, &model, &errors), &errors);
    unlink(path);
    check_halves(model, "a chain of 120", &o);
}

static void test_two_halves_are_the_whole_run_by_ho(void **state) {
    (void)state;
    assert_true(check_all("ho", NULL, 0.0) == 5);
}

static void test_two_halves_are_the_whole_run_by_erk(void **state) {
    (void)state;
    assert_true(check_all("erk", NULL, 0.0) == 5);
    assert_true(check_all("erk", "relative", 0.0) == 5);
}

static void test_two_halves_are_the_whole_run_by_rk4(void **state) {
    (void)state;
    check_all("rk4", NULL, 1e-3);
}

/* The run has gone over to the stiff method, whose equations have further unknowns. */
static void test_auto_goes_on_with_the_method_that_it_had(void **state) {
    (void)state;
    taut_run_options o = at_tolerance(1e-6);
    o.has_tend = true;
    o.tend = 2.0;
    assert_true(check_halves(read_example("flyball-governor"), "flyball-governor", &o));
}

/* Formulas that remember earlier steps begin anew: the tolerance decides. */
static void test_multistep_methods_restart_within_the_tolerance(void **state) {
    (void)state;
    static const char *const solver[] = {"adams", "bdf", "ida"};
    for (int i = 0; i < 3; i++) {
        taut_run_options o = at_tolerance(1e-8);
        o.solver = solver[i];
        o.has_tend = true;
        o.tend = 0.5;
        whole w = run_whole(read_example("slider-crank"), &o);
        taut_simulation *s = start_of(&w);
        for (int k = 0; k < w.states; k++) assert_true(differs(&w, s, w.state[k]) < 1e-3);
        taut_simulation_free(&s);
        whole_free(&w);
    }
}

/* ---- values ---- */

static taut_simulation *stepped(const taut_model *model, const taut_run_options *o, int steps) {
    taut_simulation *s;
    taut_errors errors = {0};
    must(taut_simulation_create(model, o, &s, &errors), &errors);
    must(taut_simulation_start(s, &errors), &errors);
    for (int i = 0; i < steps; i++) must(taut_simulation_step(s, &errors), &errors);
    return s;
}

static void test_values_are_those_of_the_simulation(void **state) {
    (void)state;
    taut_model *model = read_example("slider-crank");
    taut_errors errors = {0};
    taut_simulation *s = stepped(model, NULL, 7);
    taut_state *x, *y;
    must(taut_simulation_get_state(s, &x, &errors), &errors);
    assert_true(taut_state_time(x) == taut_simulation_reached(s));
    assert_near(taut_state_value(x, "Ax'"), taut_simulation_now(s, "Ax'"), 1e-11, 0.0);
    assert_true(isnan(taut_state_value(x, "nobody")));
    assert_int_equal(taut_state_copy(x, &y), TAUT_OK);
    assert_true(taut_state_signature(x) == taut_state_signature(y));
    must(taut_simulation_step(s, &errors), &errors);
    assert_true(taut_state_time(x) < taut_simulation_reached(s)); /* a value: it stays */
    assert_true(taut_state_value(x, "Ax") == taut_state_value(y, "Ax"));
    taut_state_free(&x);
    taut_state_free(&y);
    taut_simulation_free(&s);
    taut_model_free(&model);
}

/* Every kind of double comes back with all its bits. */
static void test_file_keeps_every_bit(void **state) {
    (void)state;
    static const double x[] = {0.0,     -0.0,        1.0,    -1.0 / 3.0, DBL_MAX,
                               DBL_MIN, DBL_MIN / 3, 5e-324, -5e-324,    1.0 + DBL_EPSILON,
                               1e-300,  M_PI,        -1e300};
    enum { COUNT = sizeof x / sizeof x[0] };
    taut_state *s;
    assert_int_equal(taut_state_make(1, COUNT, &s), TAUT_OK);
    s->name[0] = "a name, 100 %";
    s->first[1] = COUNT;
    s->t = -1e-310;
    memcpy(s->x, x, sizeof x);
    taut_memory_put_all(&s->stepper, x, COUNT);
    s->discrete = &(taut_state_number){"count", 3.0};
    s->discretes = 1;
    s->mode = &(taut_state_number){"", -1.0};
    s->modes = 1;
    taut_state *loaded = through_file(s);
    assert_string_equal(loaded->name[0], s->name[0]);
    assert_memory_equal(loaded->x, x, sizeof x);
    assert_int_equal(loaded->stepper.count, COUNT);
    assert_memory_equal(loaded->stepper.number, x, sizeof x);
    assert_memory_equal(&loaded->t, &s->t, sizeof s->t);
    assert_string_equal(loaded->discrete[0].name, "count");
    assert_true(loaded->discrete[0].value == 3.0 && loaded->mode[0].value == -1.0);
    assert_true(taut_state_value(loaded, "count") == 3.0);
    assert_string_equal(loaded->mode[0].name, "");
    taut_state_free(&loaded);
    taut_state_free(&s);
}

/* ---- what does not fit ---- */

static void refused(taut_simulation *s, const taut_state *state, const char *why) {
    taut_errors errors = {0};
    assert_int_equal(taut_simulation_set_state(s, state, &errors), TAUT_ERR_CALL);
    assert_int_equal(errors.count, 1);
    if (!strstr(errors.item[0].message, why)) show_errors(&errors);
    assert_non_null(strstr(errors.item[0].message, why));
    assert_int_equal(taut_simulation_step(s, NULL), TAUT_ERR_CALL); /* to be started again */
    assert_int_equal(taut_simulation_start(s, &errors), TAUT_OK);
    assert_int_equal(taut_simulation_step(s, &errors), TAUT_OK);
    taut_simulation_free(&s);
}

static void test_states_of_other_models_are_refused(void **state) {
    (void)state;
    taut_model *crank = read_example("slider-crank"), *bar = read_example("four-bar-1");
    taut_errors errors = {0};
    taut_state *x;
    taut_simulation *s = stepped(crank, NULL, 7);
    must(taut_simulation_get_state(s, &x, &errors), &errors);
    taut_simulation_free(&s);
    refused(stepped(bar, NULL, 0), x, "of another model");
    taut_model *equations = read_example("lorenz");
    refused(stepped(equations, NULL, 0), x, "of another model: it is of a mechanism");
    taut_model_free(&equations);
    taut_run_options o = taut_run_options_default();
    o.formulation = "relative";
    refused(stepped(crank, &o, 0), x, "of the formulation 'natural'");
    o = taut_run_options_default();
    o.has_tend = true;
    o.tend = 0.5 * taut_state_time(x);
    refused(stepped(crank, &o, 0), x, "beyond the end of the run");
    const int at = x->first[0];
    x->x[at] += 0.1;
    refused(stepped(crank, NULL, 0), x, "does not satisfy the constraints");
    taut_state_free(&x);
    taut_model_free(&crank);
    taut_model_free(&bar);
}

/* ---- hostile files ---- */

static void write_bytes(const char *path, const char *text, size_t size) {
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, size, f), size);
    fclose(f);
}

static uint64_t sum_of(const char *text, size_t length) {
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(1099511628211);
    return hash;
}

/* Every cut and every changed byte is noticed; with a checksum that fits nothing worse than a
 * refusal happens, or it is a state. */
static void test_damaged_files_are_refused(void **state) {
    (void)state;
    taut_model *model = read_example("slider-crank");
    taut_errors errors = {0};
    taut_simulation *s = stepped(model, NULL, 7), *other = stepped(model, NULL, 0);
    taut_state *x;
    char path[] = "/tmp/taut-state-XXXXXX", *text = malloc(1 << 20), line[40];
    must(taut_simulation_get_state(s, &x, &errors), &errors);
    write_temporary("", path);
    must(taut_state_save(x, path, &errors), &errors);
    taut_state_free(&x);
    FILE *f = fopen(path, "rb");
    const size_t size = fread(text, 1, 1 << 20, f), body = size - 21;
    fclose(f);
    unsigned seed = 12345;
    for (int i = 0; i < 400; i++) {
        seed = seed * 1103515245u + 12345u;
        const size_t at = (seed >> 4) % body;
        const char was = text[at];
        text[at] = i % 4 == 0 ? '9' : i % 4 == 1 ? ' ' : i % 4 == 2 ? '\n' : (char)(seed >> 20);
        if (text[at] == was) continue;
        write_bytes(path, text, size);
        assert_int_equal(taut_state_load(path, &x, NULL), TAUT_ERR_INPUT);
        assert_null(x);
        char *copy = malloc(size + 1);
        memcpy(copy, text, body);
        snprintf(line, sizeof line, "sum %016llx\n", (unsigned long long)sum_of(text, body));
        memcpy(copy + body, line, 21);
        write_bytes(path, copy, size);
        if (taut_state_load(path, &x, NULL) == TAUT_OK &&
            taut_simulation_set_state(other, x, NULL) == TAUT_OK)
            taut_simulation_step(other, NULL);
        taut_state_free(&x);
        text[at] = was;
        const size_t cut = (size_t)i * body / 400;
        write_bytes(path, text, cut);
        assert_int_equal(taut_state_load(path, &x, NULL), TAUT_ERR_INPUT);
        free(copy);
    }
    unlink(path);
    assert_int_equal(taut_state_load(path, &x, NULL), TAUT_ERR_IO);
    free(text);
    taut_simulation_free(&s);
    taut_simulation_free(&other);
    taut_model_free(&model);
}

/* What is not finite is not written; a folder is no state, and no endless file is read to its end.
 */
static void test_states_that_cannot_be_kept(void **state) {
    (void)state;
    taut_errors errors = {0};
    taut_state *s, *x = NULL;
    assert_int_equal(taut_state_make(1, 1, &s), TAUT_OK);
    s->name[0] = "a";
    s->first[1] = 1;
    s->x[0] = (double)NAN;
    assert_int_equal(taut_state_save(s, "a.state", &errors), TAUT_ERR_NUMERICS);
    assert_string_equal(errors.item[0].message, "the state has values that are not finite and is "
                                                "not written to a.state");
    s->x[0] = 1.0;
    s->t = (double)INFINITY;
    assert_int_equal(taut_state_save(s, "a.state", &errors), TAUT_ERR_NUMERICS);
    s->t = 0.0;
    taut_memory_put_all(&s->run, &(const double){-(double)INFINITY}, 1);
    assert_int_equal(taut_state_save(s, "a.state", &errors), TAUT_ERR_NUMERICS);
    assert_true(access("a.state", F_OK) != 0);
    taut_state_free(&s);
    memset(&errors, 0, sizeof errors);
    assert_int_equal(taut_state_load("/tmp", &x, &errors), TAUT_ERR_IO);
    assert_string_equal(errors.item[0].message, "/tmp cannot be read");
    assert_int_equal(taut_state_load("/dev/zero", &x, &errors), TAUT_ERR_INPUT);
    assert_string_equal(errors.item[1].message,
                        "/dev/zero cannot be used as a state: it is no state file of taut");
    assert_null(x);
}

/* The same text in memory; what is behind it does not belong to it. */
static void test_states_as_text(void **state) {
    (void)state;
    taut_errors errors = {0};
    taut_model *model = read_example("slider-crank");
    taut_simulation *s = stepped(model, NULL, 7);
    taut_state *x, *y;
    taut_string text = {0};
    must(taut_simulation_get_state(s, &x, &errors), &errors);
    assert_int_equal(taut_state_text(x, &text), TAUT_OK);
    must(taut_state_parse(text.text, text.length, &y, &errors), &errors);
    assert_true(taut_state_time(x) == taut_state_time(y));
    assert_true(taut_state_value(x, "Ax'") == taut_state_value(y, "Ax'"));
    assert_true(taut_state_signature(x) == taut_state_signature(y));
    taut_state_free(&y);
    assert_int_equal(taut_state_parse(text.text, text.length / 2, &y, &errors), TAUT_ERR_INPUT);
    assert_null(y);
    taut_string_release(&text);
    taut_state_free(&x);
    taut_simulation_free(&s);
    taut_model_free(&model);
}

/* ---- the program ---- */

static int code_of(const char *command) {
    program_result r;
    program_call(&r, command);
    const int code = r.code;
    program_release(&r);
    return code;
}

static void test_program_goes_on_from_a_saved_state(void **state) {
    (void)state;
    program_write("m.yaml",
                  "DAE: {Variables: [x], Equations: [\"x'' + x\"]}\n"
                  "ProblemData: {tend: 4, positions: {x: 1}, velocities: {x: 0}}\n",
                  -1);
    program_write("other.yaml",
                  "DAE: {Variables: [y], Equations: [\"y'' + y\"]}\n"
                  "ProblemData: {tend: 4, positions: {y: 1}, velocities: {y: 0}}\n",
                  -1);
    assert_int_equal(code_of("run m.yaml --tend 1.5 --save-state a.state --quiet"), 0);
    assert_true(program_exists("a.state"));
    program_result r;
    program_call(&r, "run m.yaml --load-state a.state --at 1.5,4 --quiet -o -");
    assert_int_equal(r.code, 0);
    double x[2], v[2];
    assert_int_equal(sscanf(r.out, "t,x,x'\n1.5,%lf,%lf\n4,%lf,%lf", &x[0], &v[0], &x[1], &v[1]),
                     4);
    assert_near(x[0], cos(1.5), 1e-9, 0.0);
    assert_near(x[1], cos(4.0), 1e-8, 0.0);
    assert_near(v[1], -sin(4.0), 1e-8, 0.0);
    program_release(&r);
    assert_int_equal(code_of("run m.yaml --load-state a.state --at 1 --quiet -o -"), 2);
    assert_int_equal(code_of("run m.yaml --load-state a.state --tend 1 --quiet -o -"), 2);
    assert_int_equal(code_of("run other.yaml --load-state a.state --quiet -o -"), 2);
    assert_int_equal(code_of("run m.yaml --load-state m.yaml --quiet -o -"), 2);
    assert_int_equal(code_of("run m.yaml --load-state none.state --quiet -o -"), 2);
    assert_int_equal(code_of("run m.yaml --save-state m.yaml --quiet"), 2);
    assert_int_equal(code_of("run m.yaml --save-state m.csv --quiet"), 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_halves_are_the_whole_run_by_taylor),
        cmocka_unit_test(test_two_halves_of_a_long_chain_are_the_whole_run),
        cmocka_unit_test(test_two_halves_are_the_whole_run_by_ho),
        cmocka_unit_test(test_two_halves_are_the_whole_run_by_erk),
        cmocka_unit_test(test_two_halves_are_the_whole_run_by_rk4),
        cmocka_unit_test(test_auto_goes_on_with_the_method_that_it_had),
        cmocka_unit_test(test_multistep_methods_restart_within_the_tolerance),
        cmocka_unit_test(test_values_are_those_of_the_simulation),
        cmocka_unit_test(test_file_keeps_every_bit),
        cmocka_unit_test(test_states_of_other_models_are_refused),
        cmocka_unit_test(test_damaged_files_are_refused),
        cmocka_unit_test(test_states_that_cannot_be_kept),
        cmocka_unit_test(test_states_as_text),
        cmocka_unit_test_setup_teardown(test_program_goes_on_from_a_saved_state, program_enter,
                                        program_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
