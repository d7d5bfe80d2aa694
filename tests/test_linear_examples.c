/* A and B of every example at its start against differences of order 8 of the flow: the rates that
 * neighbouring starts have, state by state and parameter by parameter; and, for mechanisms,
 * formulation against formulation.
 *
 * A state that is changed is fixed together with all others, so a wrong one moves the start. The
 * parameters of an example are made inputs of it. Those whose value shapes the equations (a count,
 * a mass of 0) have no derivative and are left out, by the message that says so. */
#include "solve_text.h"

#include <dirent.h>
#include <math.h>

#include "model/model.h"

enum { MOST = 100, STATES = 64 };

/* ---- examples as models with inputs ---- */

static char *text_of(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/examples/%s", TAUT_SOURCE_DIR, name);
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 20) - 1, in) > 0);
    fclose(in);
    return text;
}

/* Replaces the first occurrence. */
static void replace(char *text, const char *old, const char *new) {
    char *at = strstr(text, old);
    if (!at) return;
    const size_t n = strlen(old), m = strlen(new);
    memmove(at + m, at + n, strlen(at + n) + 1);
    memcpy(at, new, m);
}

/* What the file fixes becomes a guess: the states are fixed instead. */
static void let_go(char *text, const char *key) {
    char *at = strstr(text, key);
    if (!at) return;
    const size_t line = strcspn(at, "\n");
    const char *value = strchr(at + strlen(key), ':');
    if (value && value < at + line)
        memmove(at, at + strlen("fixed"), strlen(at + strlen("fixed")) + 1);
    else
        memset(at, ' ', line);
}

/* Its parameters are inputs, and nothing is fixed. The quarter car begins at a knot of its damper,
 * where there is no derivative: it gets a velocity. */
static taut_model *read_example(const char *name) {
    char *text = text_of(name);
    replace(text, "\nPhysicalParams:", "\nInputs:");
    replace(text, "File: road.csv", "File: " TAUT_SOURCE_DIR "/examples/road.csv");
    replace(text, "  positions: {b: 0, w: 0}",
            "  positions: {b: 0, w: 0}\n  velocities: {b: 0.1, w: 0}");
    let_go(text, "fixedpositions:");
    let_go(text, "fixedvelocities:");
    taut_model *model = read_text(text);
    free(text);
    return model;
}

static int compare_names(const void *a, const void *b) { return strcmp(a, b); }

static int list_all(char (*name)[64]) {
    int count = 0;
    DIR *opened = opendir(TAUT_SOURCE_DIR "/examples");
    assert_non_null(opened);
    for (const struct dirent *entry; (entry = readdir(opened)) != NULL;)
        if (strstr(entry->d_name, ".yaml"))
            snprintf(name[count++], sizeof name[0], "%.63s", entry->d_name);
    closedir(opened);
    assert_true(count >= 44 && count < MOST);
    qsort(name, (size_t)count, sizeof name[0], compare_names);
    return count;
}

/* The list of parameters without one. */
static void leave_out(char *list, const char *name) {
    const size_t n = strlen(name);
    for (char *p = list; *p;) {
        const size_t m = strcspn(p, ",");
        if (m == n && strncmp(p, name, n) == 0) {
            memmove(p, p + m + (p[m] == ','), strlen(p + m + (p[m] == ',')) + 1);
            return;
        }
        p += m + (p[m] == ',');
    }
    fail();
}

/* Linearises by all parameters that have a derivative; list: these. */
static taut_linear *linearize(taut_model *model, const char *formulation, const char *states,
                              char *list) {
    taut_run_options run = at_tolerance(1e-12);
    taut_linear_options o = taut_linear_options_default();
    run.formulation = formulation;
    o.states = states;
    o.inputs = list;
    for (;;) {
        taut_linear *l = NULL;
        taut_errors errors = {0};
        const taut_status status = taut_linearize(model, &run, &o, &l, &errors);
        if (status == TAUT_OK) return l;
        char name[64];
        if (sscanf(errors.item[0].message, "options.inputs: the value of '%63[^']' shapes", name) !=
            1) {
            show_errors(&errors);
            fail();
        }
        leave_out(list, name);
    }
}

static void list_parameters(const taut_model *model, char *list) {
    list[0] = '\0';
    const taut_yaml *inputs = taut_yaml_get(model->root, "Inputs");
    for (int i = 0; inputs && i < inputs->count; i++) {
        if (list[0]) strcat(list, ",");
        strcat(list, inputs->keys[i]->text);
    }
}

/* ---- differences ---- */

/* A derivative of order 8 from values at steps `sign` * (first, first + 1, ...). */
typedef struct rule {
    int first, points;
    double sign, weight[9];
} rule;
#define ONE_SIDED                                                                                  \
    { -761.0 / 280, 8.0, -14.0, 56.0 / 3, -35.0 / 2, 56.0 / 5, -14.0 / 3, 8.0 / 7, -1.0 / 8 }
static const rule RULE[] = {
    {-4,
     9,
     1.0,
     {1.0 / 280, -4.0 / 105, 1.0 / 5, -4.0 / 5, 0, 4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280}},
    {0, 9, 1.0, ONE_SIDED},  /* where a value is the least possible one: moments of inertia of */
    {0, 9, -1.0, ONE_SIDED}, /* ... flat bodies; the largest one */
};
enum { RULES = sizeof RULE / sizeof RULE[0] };

/* Where gears and screws begin says which phase they have. To keep it, what they tie must begin
 * elsewhere as well, by the ratio (all of these are 0 in the example). */
static void keep_phases(taut_simulation *s, const char *example, const char *by, double dx) {
    static const struct {
        const char *example, *state, *other;
        double ratio;
    } TIED[] = {{"epicyclic.yaml", "phi", "sun_seen", 52.0 / 20.0},
                {"epicyclic.yaml", "phi", "planet_seen", -52.0 / 16.0},
                {"screw-press.yaml", "phi", "feed", 0.12 / (2.0 * 3.14159265358979324)}};
    taut_errors errors = {0};
    for (size_t i = 0; i < sizeof TIED / sizeof TIED[0]; i++)
        if (strcmp(TIED[i].example, example) == 0)
            assert_int_equal(taut_simulation_fix_initial(
                                 s, TIED[i].other,
                                 strcmp(TIED[i].state, by) == 0 ? TIED[i].ratio * dx : 0.0,
                                 &errors),
                             TAUT_OK);
}

/* Starts where state k is changed by dx (k < states), or input k - states. */
static bool start_beside(taut_simulation *s, const char *example, const taut_linear_point *p, int k,
                         double dx) {
    taut_errors errors = {0};
    const int n = p->states;
    keep_phases(s, example, k < n ? p->state[k] : "", dx);
    if (k >= n)
        assert_int_equal(
            taut_simulation_set_parameter(s, p->input[k - n], p->u0[k - n] + dx, &errors), TAUT_OK);
    for (int i = 0; i < n; i++)
        assert_int_equal(
            taut_simulation_fix_initial(s, p->state[i], p->x0[i] + (i == k ? dx : 0.0), &errors),
            TAUT_OK);
    return taut_simulation_start(s, &errors) == TAUT_OK;
}

/* Rates of the states there. */
static bool rates_of(taut_simulation *s, const char *example, const taut_linear_point *p, int k,
                     double dx, double *rate) {
    if (!start_beside(s, example, p, k, dx)) return false;
    for (int i = 0; i < p->states; i++) {
        char name[100];
        snprintf(name, sizeof name, "%s'", p->state[i]);
        rate[i] = taut_simulation_now(s, name);
    }
    return true;
}

static double entry_of(const taut_linear_point *p, int i, int k) {
    return k < p->states ? p->A[i * p->states + k] : p->B[i * p->inputs + k - p->states];
}

static bool column_by(const rule *by, taut_simulation *s, const char *example,
                      const taut_linear_point *p, int k, double h, double *column, double *rate) {
    memset(column, 0, STATES * sizeof *column);
    for (int m = 0; m < by->points; m++) {
        if (by->weight[m] == 0.0) continue;
        if (!rates_of(s, example, p, k, by->sign * (by->first + m) * h, rate)) return false;
        for (int i = 0; i < p->states; i++) column[i] += by->sign * by->weight[m] * rate[i] / h;
    }
    return true;
}

/* Column k of [A, B] by differences of steps part * size; the worst deviation relative to the
 * column, or to what a change by `size` has to be compared with: the rates themselves. */
static double column_error(taut_simulation *s, const char *example, const taut_linear_point *p,
                           int k, double part, double size) {
    double rate[STATES], column[STATES], largest = 1.0, worst = 0.0;
    int r = 0;
    while (r < RULES && !column_by(&RULE[r], s, example, p, k, part * size, column, rate)) r++;
    if (r == RULES) return HUGE_VAL;
    for (int i = 0; i < p->states; i++)
        largest = fmax(largest, fmax(fabs(entry_of(p, i, k)), fabs(rate[i]) / size));
    for (int i = 0; i < p->states; i++)
        worst = fmax(worst, fabs(column[i] - entry_of(p, i, k)) / largest);
    return worst;
}

static void check_differences(const char *name) {
    taut_model *model = read_example(name);
    char list[2000];
    list_parameters(model, list);
    /* rotations in joints are no initial values: others for the bicycle */
    const bool turns = strcmp(name, "bicycle.yaml") == 0;
    taut_linear *l =
        linearize(model, NULL, turns ? "Ry,ay,lz,nx,Rx,pz,qz,Rx',Ry',ay'" : NULL, list);
    const taut_linear_point *p = taut_linear_at(l, 0);
    taut_simulation *s = NULL;
    taut_errors errors = {0};
    taut_run_options run = at_tolerance(1e-12);
    assert_true(p->states <= STATES);
    run.derivatives = 2;
    for (int k = 0; k < p->states + p->inputs; k++) {
        if (k == 0 || k >= p->states) { /* parameters that were set do not follow others any more */
            taut_simulation_free(&s);
            assert_int_equal(taut_simulation_create(model, &run, &s, &errors), TAUT_OK);
        }
        const double at = k < p->states ? p->x0[k] : p->u0[k - p->states];
        double worst = HUGE_VAL;
        for (double h = 1e-3; h > 1e-6 && !(worst <= 1e-7); h *= 0.1)
            worst = column_error(s, name, p, k, h,
                                 at == 0.0 || (k < p->states && fabs(at) < 0.1) ? 0.1 : fabs(at));
        const char *by = k < p->states ? p->state[k] : p->input[k - p->states];
        if (worst <= 1e-7) continue;
        print_error("%s: derivative by %s is off by %.3g\n", name, by, worst);
        fail();
    }
    taut_simulation_free(&s);
    taut_linear_free(&l);
    taut_model_free(&model);
}

static void test_every_example_against_differences(void **state) {
    (void)state;
    char name[MOST][64];
    const int count = list_all(name);
    for (int i = 0; i < count; i++) check_differences(name[i]);
}

/* ---- reactions ---- */

/* All forces and torques in joints, as a list; those that rigid bodies do not determine are left
 * out when they are refused. */
static void list_reactions(taut_model *model, char *list, size_t room) {
    taut_simulation *s = NULL;
    taut_errors errors = {0};
    taut_run_options run = at_tolerance(1e-12);
    run.reactions = true;
    list[0] = '\0';
    assert_int_equal(taut_simulation_create(model, &run, &s, &errors), TAUT_OK);
    assert_int_equal(taut_simulation_start(s, &errors), TAUT_OK);
    for (int c = 0; c < taut_simulation_columns(s); c++) {
        const char *name = taut_simulation_name(s, c);
        if (!strchr(name, '.')) continue;
        assert_true(strlen(list) + strlen(name) + 2 < room);
        strcat(list, list[0] ? "," : "");
        strcat(list, name);
    }
    taut_simulation_free(&s);
}

static taut_linear *linearize_reactions(taut_model *model, const char *formulation, char *inputs,
                                        char *outputs) {
    taut_run_options run = at_tolerance(1e-12);
    taut_linear_options o = taut_linear_options_default();
    run.formulation = formulation;
    o.inputs = inputs;
    o.outputs = outputs;
    for (;;) {
        taut_linear *l = NULL;
        taut_errors errors = {0};
        char name[64];
        if (taut_linearize(model, &run, &o, &l, &errors) == TAUT_OK) return l;
        const char *says = errors.item[0].message;
        if (sscanf(says, "options.inputs: the value of '%63[^']' shapes", name) == 1)
            leave_out(inputs, name);
        else if (sscanf(says, "options.outputs: rigid bodies do not determine '%63[^']'", name) ==
                 1)
            leave_out(outputs, name);
        else {
            show_errors(&errors);
            fail();
        }
    }
}

enum { OUTPUTS = 400 };

static bool outputs_by(const rule *by, taut_simulation *s, const char *example,
                       const taut_linear_point *p, int k, double h, double *column) {
    memset(column, 0, OUTPUTS * sizeof *column);
    for (int m = 0; m < by->points; m++) {
        if (by->weight[m] == 0.0) continue;
        if (!start_beside(s, example, p, k, by->sign * (by->first + m) * h)) return false;
        for (int i = 0; i < p->outputs; i++)
            column[i] += by->sign * by->weight[m] * taut_simulation_now(s, p->output[i]) / h;
    }
    return true;
}

/* Column k of [C, D] by differences, relative to the column or to the forces by `size`. */
static double output_error(taut_simulation *s, const char *example, const taut_linear_point *p,
                           int k, double part, double size) {
    static double column[OUTPUTS];
    double largest = 1.0, worst = 0.0;
    int r = 0;
    assert_true(p->outputs <= OUTPUTS);
    while (r < RULES && !outputs_by(&RULE[r], s, example, p, k, part * size, column)) r++;
    if (r == RULES) return HUGE_VAL;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < p->outputs; i++) {
            const double own =
                k < p->states ? p->C[i * p->states + k] : p->D[i * p->inputs + k - p->states];
            largest = fmax(largest, fmax(fabs(own), fabs(p->y0[i]) / size));
            if (pass == 1) worst = fmax(worst, fabs(column[i] - own) / largest);
        }
    return worst;
}

static void check_reactions(const char *name, const char *formulation) {
    taut_model *model = read_example(name);
    char inputs[2000], outputs[8000];
    list_parameters(model, inputs);
    list_reactions(model, outputs, sizeof outputs);
    taut_linear *l = linearize_reactions(model, formulation, inputs, outputs);
    const taut_linear_point *p = taut_linear_at(l, 0);
    taut_simulation *s = NULL;
    taut_errors errors = {0};
    taut_run_options run = at_tolerance(1e-12);
    run.reactions = true;
    assert_true(p->outputs > 2);
    for (int k = 0; k < p->states + p->inputs; k++) {
        if (k == 0 || k >= p->states) {
            taut_simulation_free(&s);
            assert_int_equal(taut_simulation_create(model, &run, &s, &errors), TAUT_OK);
        }
        const double at = k < p->states ? p->x0[k] : p->u0[k - p->states];
        const double size = at == 0.0 || (k < p->states && fabs(at) < 0.1) ? 0.1 : fabs(at);
        const char *by = k < p->states ? p->state[k] : p->input[k - p->states];
        double worst = HUGE_VAL;
        for (double h = 1e-3; h > 1e-6 && !(worst <= 1e-7); h *= 0.1)
            worst = output_error(s, name, p, k, h, size);
        if (worst <= 1e-7) continue;
        print_error("%s: reactions by %s are off by %.3g\n", name, by, worst);
        fail();
    }
    taut_simulation_free(&s);
    taut_linear_free(&l);
    taut_model_free(&model);
}

static void test_reactions_against_differences(void **state) {
    (void)state;
    static const char *const NAME[] = {
        "slider-crank.yaml", "mcpherson.yaml", "rscr.yaml",         "spatial-slider-crank.yaml",
        "robot.yaml",        "five-link.yaml", "andrews.yaml",      "cardan-shaft.yaml",
        "bricard.yaml",      "epicyclic.yaml", "copy-machine.yaml", "flyball-governor.yaml"};
    for (size_t i = 0; i < sizeof NAME / sizeof NAME[0]; i++) check_reactions(NAME[i], NULL);
    check_reactions("rscr.yaml", "relative");
    check_reactions("mcpherson.yaml", "reference");
}

/* ---- formulations ---- */

static double difference_of(const double *a, const double *b, int count) {
    double worst = 0.0, largest = 1e-300;
    for (int i = 0; i < count; i++) largest = fmax(largest, fabs(b[i]));
    for (int i = 0; i < count; i++) worst = fmax(worst, fabs(a[i] - b[i]) / largest);
    return worst;
}

/* Columns of B by name: lengths that shape the equations in one formulation are none there. */
static double inputs_differ(const taut_linear_point *q, const taut_linear_point *p) {
    const int n = p->states;
    double worst = 0.0, largest = 1e-300;
    for (int i = 0; i < n * p->inputs; i++) largest = fmax(largest, fabs(p->B[i]));
    for (int i = 0; i < n * n; i++) largest = fmax(largest, fabs(p->A[i]));
    for (int u = 0; u < q->inputs; u++) {
        int k = 0;
        while (k < p->inputs && strcmp(q->input[u], p->input[k]) != 0) k++;
        assert_true(k < p->inputs);
        for (int i = 0; i < n; i++)
            worst = fmax(worst, fabs(q->B[i * q->inputs + u] - p->B[i * p->inputs + k]) / largest);
    }
    return worst;
}

static void must_agree(const char *example, const char *formulation, const char *matrix,
                       double difference) {
    if (difference <= 1e-10) return;
    print_error("%s: %s in %s coordinates differs by %.2g\n", example, matrix, formulation,
                difference);
    fail();
}

/* The same states and inputs, by their names. */
static void check_formulations(const char *name) {
    static const char *const FORMULATION[] = {"reference", "relative", "minimal"};
    taut_model *model = read_example(name);
    if (model->kind == TAUT_MODEL_MECHANISM) {
        char list[2000], states[2000] = "";
        list_parameters(model, list);
        taut_linear *first = linearize(model, "natural", NULL, list);
        const taut_linear_point *p = taut_linear_at(first, 0);
        const int n = p->states;
        for (int i = 0; i < n; i++) {
            strcat(states, i ? "," : "");
            strcat(states, p->state[i]);
        }
        for (int f = 0; f < 3; f++) {
            char same[2000];
            strcpy(same, list);
            taut_linear *l = linearize(model, FORMULATION[f], states, same);
            const taut_linear_point *q = taut_linear_at(l, 0);
            assert_int_equal(q->states, n);
            assert_int_equal(q->zero_modes, p->zero_modes);
            must_agree(name, FORMULATION[f], "A", difference_of(q->A, p->A, n * n));
            must_agree(name, FORMULATION[f], "C", difference_of(q->C, p->C, p->outputs * n));
            must_agree(name, FORMULATION[f], "B", inputs_differ(q, p));
            taut_linear_free(&l);
        }
        taut_linear_free(&first);
    }
    taut_model_free(&model);
}

static void test_every_mechanism_in_every_formulation(void **state) {
    (void)state;
    char name[MOST][64];
    const int count = list_all(name);
    for (int i = 0; i < count; i++) check_formulations(name[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_example_against_differences),
        cmocka_unit_test(test_reactions_against_differences),
        cmocka_unit_test(test_every_mechanism_in_every_formulation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
