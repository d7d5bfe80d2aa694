/* Sensitivities against differences of runs, closed forms and published numbers; across events. */
#include "solve_text.h"

#include <math.h>

/* ---- differences of runs ---- */

/* Central differences of order 8 of the last row, by one number of the model. */
static void differ(const taut_model *model, const taut_run_options *options, const char *name,
                   double value, double part, double *derivative) {
    static const double weight[] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
    taut_simulation *s = NULL;
    taut_errors errors = {0};
    const double h = part * (value != 0.0 ? fabs(value) : 1.0);
    assert_int_equal(taut_simulation_create(model, options, &s, &errors), TAUT_OK);
    double *row = NULL;
    for (int m = 0; m < 8; m++) {
        const double x = value + (m % 2 ? -1.0 : 1.0) * (m / 2 + 1) * h;
        taut_status status = taut_simulation_set_parameter(s, name, x, NULL);
        if (status != TAUT_OK) status = taut_simulation_set_initial(s, name, x, &errors);
        if (status == TAUT_OK) status = taut_simulation_start(s, &errors);
        if (status == TAUT_OK) status = taut_simulation_run_to(s, options->tend, &errors);
        if (status != TAUT_OK) show_errors(&errors);
        assert_int_equal(status, TAUT_OK);
        const int columns = taut_simulation_columns(s);
        if (!row) {
            row = calloc((size_t)columns, sizeof *row);
            assert_non_null(row);
            for (int c = 0; c < columns; c++) derivative[c] = 0.0;
        }
        assert_int_equal(taut_simulation_row(s, options->tend, row, &errors), TAUT_OK);
        for (int c = 0; c < columns; c++)
            derivative[c] += (m % 2 ? -1.0 : 1.0) * weight[m / 2] / h * row[c];
    }
    free(row);
    taut_simulation_free(&s);
}

typedef struct named {
    const char *name;
    double value;
    double part; /* of the value: the distance of runs; 0: 1e-3 */
} named;

enum { MOST = 400 };

/* Every column by every name, to 9 digits of the largest derivative of its kind. */
static void check_model(const taut_model *model, double tend, bool reactions, const named *by) {
    taut_run_options o = at_tolerance(1e-13);
    char list[200] = "";
    int count = 0;
    double derivative[MOST];
    for (; by[count].name; count++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", count ? "," : "",
                 by[count].name);
    o.has_tend = true;
    o.tend = tend;
    o.at = &tend;
    o.ats = 1;
    o.solver = "taylor";
    o.reactions = reactions;
    o.sensitivity = list;
    taut_result *result = NULL;
    taut_errors errors = {0};
    const taut_status status = taut_simulate(model, &o, &result, &errors);
    if (status != TAUT_OK) show_errors(&errors);
    assert_int_equal(status, TAUT_OK);
    o.sensitivity = NULL;
    o.at = NULL;
    o.ats = 0;
    const int columns = taut_result_columns(result) / (count + 1) + 1; /* t is there once */
    assert_int_equal(taut_result_columns(result), columns + count * (columns - 1));
    assert_true(columns <= MOST);
    for (int i = 0; i < count; i++) {
        double size = 0.0;
        differ(model, &o, by[i].name, by[i].value, by[i].part > 0.0 ? by[i].part : 1e-3,
               derivative);
        for (int c = 1; c < columns; c++) size = fmax(size, fabs(derivative[c]));
        for (int c = 1; c < columns; c++) {
            char name[200];
            snprintf(name, sizeof name, "d(%s)/d(%s)", taut_result_name(result, c), by[i].name);
            const int column = taut_result_find(result, name);
            assert_true(column >= 0);
            const double x = taut_result_value(result, 0, column);
            if (!(fabs(x - derivative[c]) <= 1e-9 * fmax(fabs(x), 1e-2 * size) + 1e-11))
                fail_msg("%s is %.15g, differences say %.15g", name, x, derivative[c]);
        }
    }
    taut_result_free(&result);
}

static void check_file(const char *file, double tend, bool reactions, const named *by) {
    char path[512];
    taut_model *model = NULL;
    taut_errors errors = {0};
    snprintf(path, sizeof path, "%s/examples/%s", TAUT_SOURCE_DIR, file);
    assert_int_equal(taut_model_read(path, NULL, 0, &model, &errors), TAUT_OK);
    check_model(model, tend, reactions, by);
    taut_model_free(&model);
}

static void check_text(const char *text, double tend, const named *by) {
    taut_model *model = read_text(text);
    check_model(model, tend, false, by);
    taut_model_free(&model);
}

/* An example without the lines that begin with `without`, and with lines at its end. */
static void check_changed_file(const char *file, const char *without, const char *with, double tend,
                               bool reactions, const named *by) {
    char path[512], line[512], text[8000] = "";
    snprintf(path, sizeof path, "%s/examples/%s", TAUT_SOURCE_DIR, file);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        if (without && strncmp(line, without, strlen(without)) == 0) continue;
        assert_true(strlen(text) + strlen(line) + strlen(with) < sizeof text);
        strcat(text, line);
    }
    fclose(f);
    strcat(text, with);
    taut_model *model = read_text(text);
    check_model(model, tend, reactions, by);
    taut_model_free(&model);
}

static void test_mechanisms_agree_with_differences(void **state) {
    (void)state;
    check_changed_file("andrews.yaml", NULL, "  velocities: {beta: 0}\n  fixedvelocities: {beta}\n",
                       0.03, true,
                       (const named[]){{"mom", 0.033, 0.0},
                                       {"c0", 4530.0, 0.0},
                                       {"rr", 0.007, 0.0},
                                       {"beta", -0.0617138900142764496358948458001, 0.0},
                                       {"beta'", 0.0, 0.0},
                                       {NULL, 0.0, 0.0}});
    check_file("slider-crank.yaml", 1.0, true,
               (const named[]){{"l1", 0.4, 0.0},
                               {"m2", 1.0, 0.0},
                               {"l2", 1.0, 0.0},
                               {"s'", -4.0, 0.0},
                               {"Ax", 0.28284271247461906, 0.0},
                               {NULL, 0.0, 0.0}});
    check_file("bricard.yaml", 0.7, true, /* of least size where rigid bodies leave them open */
               (const named[]){{"m", 1.0, 0.0},
                               {"h", 0.1, 2e-2},
                               {"L", 1.0, 0.0},
                               {"P2z", 0.0, 0.0},
                               {"P3y", -1.0, 0.0},
                               {NULL, 0.0, 0.0}});
    check_file("heavy-top.yaml", 0.5, false,
               (const named[]){{"l", 0.3, 0.0},
                               {"I1", 0.12, 1e-2},
                               {"spin", 40.0, 1e-4},
                               {"theta0", 0.52359877559829882, 0.0},
                               {NULL, 0.0, 0.0}});
    /* none of its initial values can be another one alone, unless the others may move */
    check_changed_file("heavy-top.yaml", "  fixed", "", 0.5, false,
                       (const named[]){{"l", 0.3, 0.0},
                                       {"I3", 0.04, 1e-4},
                                       {"m", 1.0, 0.0},
                                       {"ay", -0.5, 1e-3},
                                       {"bz'", 20.0, 1e-4},
                                       {NULL, 0.0, 0.0}});
    check_file("flyball-governor.yaml", 0.4, false,
               (const named[]){{"l", 1.0, 0.0},
                               {"r", 0.05, 0.0},
                               {"m", 0.3, 0.0},
                               {"s", 0.5, 0.0},
                               {"s'", 0.0, 0.0},
                               {NULL, 0.0, 0.0}});
}

#define INDEX_5                                                                                    \
    "PhysicalParams: {G: 1, L: 1, c: 0.1}\n"                                                       \
    "DAE:\n"                                                                                       \
    "  Variables: [x, y, lam, u, v, kap]\n"                                                        \
    "  Equations: [x'' + x*lam, y'' + y*lam - G, x^2 + y^2 - L^2, u'' + u*kap, v'' + v*kap - G, "  \
    "u^2 + v^2 - (L + c*lam)^2]\n"                                                                 \
    "ProblemData: {tend: 1, positions: {x: 1, y: 0, u: 0.1, v: 1}, velocities: {x: 0, y: 1, "      \
    "u: 1, v: 0}}\n"

static void test_equations_agree_with_differences(void **state) {
    (void)state;
    check_text(INDEX_5, 0.8,
               (const named[]){{"G", 1.0, 0.0},
                               {"L", 1.0, 0.0},
                               {"c", 0.1, 0.0},
                               {"u", 0.1, 1e-2},
                               {"y'", 1.0, 0.0},
                               {NULL, 0.0, 0.0}});
    check_file(
        "pendulum-hamiltonian.yaml", 2.0, false,
        (const named[]){{"m", 1.0, 0.0}, {"G", 9.81, 0.0}, {"L", 10.0, 0.0}, {NULL, 0.0, 0.0}});
    check_text("PhysicalParams: {G: 9.81, a: 1, b: 2, k: 0.3}\n"
               "Inputs: {F: 0}\n"
               "Lagrangian:\n"
               "  Coordinates: [p, q]\n"
               "  L: (1 + b)*a^2*p'^2/2 + b*q'^2/2 + b*a*p'*q'*cos(p - q) + G*((1 + b)*a*cos(p) + "
               "b*cos(q))\n"
               "  Dissipation: k*(p' - q')^2/2\n"
               "  Forces: {p: F*cos(t)}\n"
               "ProblemData: {tend: 2, positions: {p: 1, q: 0.5}, velocities: {p: 0, q: 0}}\n",
               2.0,
               (const named[]){{"a", 1.0, 0.0},
                               {"b", 2.0, 0.0},
                               {"F", 0.0, 1e-3},
                               {"p", 1.0, 0.0},
                               {"q'", 0.0, 1e-3},
                               {NULL, 0.0, 0.0}});
}

/* Guesses that do not fit are moved; the derivative is that of the way they are moved. */
static void test_moved_values_agree_with_differences(void **state) {
    (void)state;
    check_text("PhysicalParams: {G: 9.81, L: 10}\n"
               "Lagrangian: {Coordinates: [u, v], L: (u'^2 + v'^2)/2 + G*v, Constraints: [u^2 + "
               "v^2 - L^2]}\n"
               "ProblemData: {tend: 2, positions: {u: 7, v: 6}, velocities: {u: 1, v: 0}}\n",
               2.0,
               (const named[]){{"u", 7.0, 0.0},
                               {"v", 6.0, 0.0},
                               {"u'", 1.0, 0.0},
                               {"L", 10.0, 0.0},
                               {NULL, 0.0, 0.0}});
}

/* The same in space: guesses along curved constraints, whose way is differentiated. */
static void test_moved_guesses_in_space(void **state) {
    (void)state;
    check_file("papers/rscr.yaml", 0.01, false,
               (const named[]){{"L0", 2.0, 0.0}, {"Bx", -1.44, 0.0}, {NULL, 0.0, 0.0}});
}

/* Angles that only say which position is meant do not move it: derivatives by them are 0, and a
 * certificate of such a model tells how initial errors grow. */
static void test_guesses_without_influence(void **state) {
    (void)state;
    char path[512];
    taut_model *model = NULL;
    taut_result *result = NULL;
    taut_errors errors = {0};
    taut_run_options o = at_tolerance(1e-11);
    snprintf(path, sizeof path, "%s/examples/andrews.yaml", TAUT_SOURCE_DIR);
    assert_int_equal(taut_model_read(path, NULL, 0, &model, &errors), TAUT_OK);
    o.sensitivity = "gamma,beta,epsilon";
    o.at = (const double[]){0.03};
    o.ats = 1;
    const taut_status status = taut_simulate(model, &o, &result, &errors);
    if (status != TAUT_OK) show_errors(&errors);
    assert_int_equal(status, TAUT_OK);
    const int gamma = taut_result_find(result, "d(beta)/d(gamma)"),
              epsilon = taut_result_find(result, "d(Ex)/d(epsilon)"),
              beta = taut_result_find(result, "d(beta)/d(beta)");
    assert_true(taut_result_value(result, 0, gamma) == 0.0);
    assert_true(taut_result_value(result, 0, epsilon) == 0.0);
    assert_near(taut_result_value(result, 0, beta), 36.944800503, 0.0, 1e-9);
    taut_result_free(&result);
    o.sensitivity = NULL;
    assert_int_equal(taut_simulate(model, &o, &result, &errors), TAUT_OK);
    assert_int_equal(taut_certify(model, &o, result, &errors), TAUT_OK);
    assert_true(taut_result_certificate(result)->growth > 1.0);
    taut_result_free(&result);
    taut_model_free(&model);
}

/* ---- other coordinates ---- */

static taut_result *differentiate_in(const taut_model *model, const char *formulation, double tend,
                                     const char *list) {
    taut_result *result = NULL;
    taut_errors errors = {0};
    taut_run_options o = at_tolerance(1e-13);
    o.formulation = formulation;
    o.solver = "taylor";
    o.sensitivity = list;
    o.has_tend = true;
    o.tend = tend;
    o.at = (const double[]){0.0, tend};
    o.ats = 2;
    const taut_status status = taut_simulate(model, &o, &result, &errors);
    if (status != TAUT_OK) show_errors(&errors);
    assert_int_equal(status, TAUT_OK);
    return result;
}

/* The columns have the same derivatives in all coordinates, which begin with other numbers. */
static void check_coordinates(const taut_model *model, double tend, const char *list) {
    static const char *const FORMULATION[] = {"relative", "reference"};
    taut_result *natural = differentiate_in(model, "natural", tend, list);
    const int columns = taut_result_columns(natural);
    for (int f = 0; f < 2; f++) {
        taut_result *other = differentiate_in(model, FORMULATION[f], tend, list);
        assert_int_equal(taut_result_columns(other), columns);
        for (long i = 0; i < 2; i++) {
            double size = 0.0;
            for (int c = 0; c < columns; c++)
                if (strncmp(taut_result_name(natural, c), "d(", 2) == 0)
                    size = fmax(size, fabs(taut_result_value(natural, i, c)));
            for (int c = 0; c < columns; c++) {
                const double a = taut_result_value(natural, i, c),
                             b = taut_result_value(other, i, c);
                if (!(fabs(a - b) <= 1e-9 * fabs(a) + 1e-11 * size))
                    fail_msg("%s is %.15g, in %s coordinates %.15g", taut_result_name(natural, c),
                             a, FORMULATION[f], b);
            }
        }
        taut_result_free(&other);
    }
    taut_result_free(&natural);
}

static void check_file_coordinates(const char *file, double tend, const char *list) {
    char path[512];
    taut_model *model = NULL;
    taut_errors errors = {0};
    snprintf(path, sizeof path, "%s/examples/%s", TAUT_SOURCE_DIR, file);
    assert_int_equal(taut_model_read(path, NULL, 0, &model, &errors), TAUT_OK);
    check_coordinates(model, tend, list);
    taut_model_free(&model);
}

/* Joints that turn, slide, screw; loops, tops, impacts, stick and slip; a body whose Euler
 * parameters and a rod whose angle begin where their signs change, and mass centres that move. */
static void test_other_coordinates_have_the_same_derivatives(void **state) {
    (void)state;
    check_file_coordinates("andrews.yaml", 0.03, "mom,rr,beta");
    check_file_coordinates("slider-crank.yaml", 1.0, "l1,m2,s'");
    check_file_coordinates("bricard.yaml", 0.7, "L,m");
    check_file_coordinates("heavy-top.yaml", 0.5, "l,theta0");
    check_file_coordinates("screw-press.yaml", 0.1, "J,pitch");
    check_file_coordinates("epicyclic.yaml", 0.2, "zp");
    check_file_coordinates("contact/rocking-block.yaml", 0.6, "h,m");
    taut_model *model = read_text(
        "PhysicalParams: {a: 0, c: 0.3, m: 2, w: 1}\n"
        "Dimension: 3\n"
        "PartData: {Rigids: {body: {Elements: [S, u, v], Geom: [[1], [0, 1]], Dyna: [[c, 0.1], m, "
        "[0.4, 0.5, 0.7]]}}}\n"
        "AppliedForces: {Gravity: }\n"
        "ProblemData: {tend: 1, positions: {S: [0, 0, 0], u: [-cos(a), 0, -sin(a)], v: [0, -1, "
        "0]}, "
        "fixedpositions: {S, u, v}, velocities: {S: [0, w, 0], u: [0, 0.5, 0], v: [0, 0, w]}}\n");
    check_coordinates(model, 0.8, "a,c,m,w");
    taut_model_free(&model);
    model = read_text(
        "PhysicalParams: {a: pi, l: 1}\n"
        "Dimension: 2\n"
        "PartData: {Fixed: {O: [0, 0]}, Rigids: {OA: {Geom: [[l]], Dyna: [[l/2], 1, 0.1]}, AB: "
        "{Geom: [[l]], Dyna: [[l/2], 1, 0.1]}}}\n"
        "AppliedForces: {Gravity: }\n"
        "ProblemData: {tend: 1, positions: {A: [l*cos(a), l*sin(a)], B: [l*cos(a), l*sin(a) + l]}, "
        "fixedpositions: {A, B}}\n");
    check_coordinates(model, 0.8, "a,l");
    taut_model_free(&model);
}

/* ---- closed forms ---- */

/* v = sqrt(L^2 - u^2), with hardly any room for u: no start is there if u is 2e-5 larger. */
static void test_start_near_the_end_of_its_range(void **state) {
    (void)state;
    const double u = 0.99999, v = sqrt((1.0 - u) * (1.0 + u));
    taut_run_options o = at_tolerance(1e-13);
    o.sensitivity = "u,L,w";
    o.at = (const double[]){0.0};
    o.ats = 1;
    solution *s = solve_text("PhysicalParams: {L: 1, w: 2}\n"
                             "Lagrangian: {Coordinates: [u, v], L: (u'^2 + v'^2)/2 - 9.81*v, "
                             "Constraints: [u^2 + v^2 - L^2]}\n"
                             "ProblemData: {tend: 1e-3, positions: {u: 0.99999, v: 0.004}, "
                             "fixedpositions: [u], velocities: {u: -w*L, v: 1}, fixedvelocities: "
                             "[u]}\n",
                             &o);
    assert_near(value_of(s, 0, "d(v)/d(u)"), -u / v, 0.0, 1e-9);
    assert_near(value_of(s, 0, "d(v)/d(L)"), 1.0 / v, 0.0, 1e-9);
    assert_near(value_of(s, 0, "d(v)/d(w)"), 0.0, 1e-15, 0.0);
    /* v' = w L u/v */
    assert_near(value_of(s, 0, "d(v')/d(w)"), u / v, 0.0, 1e-9);
    assert_near(value_of(s, 0, "d(v')/d(u)"), 2.0 / v + 2.0 * u * u / (v * v * v), 0.0, 1e-9);
    assert_near(value_of(s, 0, "d(v')/d(L)"), 2.0 * u / v - 2.0 * u / (v * v * v), 0.0, 1e-9);
    solution_free(s);
}

#define OSCILLATOR                                                                                 \
    "PhysicalParams: {k: 4, c: 0}\n"                                                               \
    "DAE: {Variables: [x], Equations: [x'' + c*x' + k*x]}\n"                                       \
    "ProblemData: {tend: 3, positions: {x: 1}, velocities: {x: 0}}\n"

/* x = cos(w t): dx/dk = -t sin(w t)/(2 w); a damping that is 0 has a derivative, too:
 * -t cos(w t)/2 + sin(w t)/(2 w). */
static void test_oscillator(void **state) {
    (void)state;
    taut_model *model = read_text(OSCILLATOR);
    taut_run_options o = at_tolerance(1e-13);
    taut_simulation *s = NULL;
    taut_errors errors = {0};
    double d[3];
    o.sensitivity = "k, c, x'";
    assert_int_equal(taut_simulation_create(model, &o, &s, &errors), TAUT_OK);
    assert_int_equal(taut_simulation_sensitivities(s), 3);
    for (int round = 0; round < 2; round++) { /* with other numbers: as it would be anew */
        const double k = round == 0 ? 4.0 : 9.0, w = sqrt(k);
        assert_int_equal(taut_simulation_set_parameter(s, "k", k, &errors), TAUT_OK);
        assert_int_equal(taut_simulation_start(s, &errors), TAUT_OK);
        for (int i = 0; i <= 30; i++) {
            const double t = 0.1 * i;
            assert_int_equal(taut_simulation_run_to(s, t, &errors), TAUT_OK);
            assert_int_equal(taut_simulation_differentiate(s, "x", t, d, &errors), TAUT_OK);
            assert_near(d[0], -t * sin(w * t) / (2.0 * w), 1e-12, 0.0);
            assert_near(d[1], -0.5 * t * cos(w * t) + sin(w * t) / (2.0 * w), 1e-12, 0.0);
            assert_near(d[2], sin(w * t) / w, 1e-12, 0.0);
            assert_near(taut_simulation_value(s, "d(x')/d(x')", t), cos(w * t), 1e-12, 0.0);
        }
    }
    taut_simulation_free(&s);
    taut_model_free(&model);
}

static double mean(double a, double b) { /* arithmetic-geometric */
    for (int i = 0; i < 40; i++) {
        const double c = 0.5 * (a + b);
        b = sqrt(a * b);
        a = c;
    }
    return a;
}

/* T = 2 pi sqrt(L/g) / mean(1, cos(phi/2)); its derivative by phi by differences of order 8. */
static void test_period_of_a_pendulum(void **state) {
    (void)state;
    taut_run_options o = at_tolerance(1e-13);
    o.sensitivity = "L,g,p";
    solution *s = solve_text("PhysicalParams: {L: 2, g: 9.81}\n"
                             "Lagrangian: {Coordinates: [p], L: L^2*p'^2/2 + g*L*cos(p)}\n"
                             "Events: {back: {When: p', Direction: down}}\n"
                             "ProblemData: {tend: 4, positions: {p: 1.2}, velocities: {p: 0}}\n",
                             &o);
    static const double weight[] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
    const taut_notes *n = taut_result_notes(s->result);
    const double a = 2.0 * acos(-1.0) * sqrt(2.0 / 9.81), T = a / mean(1.0, cos(0.6));
    double by_angle = 0.0;
    for (int m = 0; m < 4; m++) {
        const double h = 0.01 * (m + 1);
        by_angle += weight[m] / 0.01 * a *
                    (1.0 / mean(1.0, cos(0.6 + 0.5 * h)) - 1.0 / mean(1.0, cos(0.6 - 0.5 * h)));
    }
    assert_int_equal(n->events, 1);
    assert_near(n->event[0].t, T, 1e-12, 0.0);
    assert_int_equal(n->sensitivities, 3);
    assert_string_equal(n->sensitivity[1], "g");
    assert_near(n->event[0].derivative[0], T / 4.0, 0.0, 1e-9);
    assert_near(n->event[0].derivative[1], -T / (2.0 * 9.81), 0.0, 1e-9);
    assert_near(n->event[0].derivative[2], by_angle, 0.0, 1e-9);
    solution_free(s);
}

/* x'' = x from (1, -1): x = exp(-t), and relative errors of both numbers grow to exp(t) together.
 */
static void test_growth_of_initial_errors(void **state) {
    (void)state;
    taut_errors errors = {0};
    taut_model *model = read_text("DAE: {Variables: [x], Equations: [x'' - x]}\n"
                                  "ProblemData: {tend: 5, positions: {x: 1}, velocities: {x: "
                                  "-1}}\n");
    taut_result *result = NULL;
    const taut_run_options o = at_tolerance(1e-11);
    assert_int_equal(taut_simulate(model, &o, &result, &errors), TAUT_OK);
    assert_int_equal(taut_certify(model, &o, result, &errors), TAUT_OK);
    assert_near(taut_result_certificate(result)->growth, exp(5.0), 0.0, 1e-8);
    taut_result_free(&result);
    taut_model_free(&model);
}

/* ---- events ---- */

static void check_ball(const char *text) {
    taut_run_options o = at_tolerance(1e-13);
    o.sensitivity = "e,g,h";
    o.at = (const double[]){1.0};
    o.ats = 1;
    solution *s = solve_text(text, &o);
    assert_near(last_of(s, "d(y)/d(e)"), 2.429446918070020, 0.0, 1e-12);
    assert_near(last_of(s, "d(y)/d(g)"), -0.093628723112842, 0.0, 1e-12);
    assert_near(last_of(s, "d(y)/d(h)"), 1.386502226263019, 0.0, 1e-12);
    solution_free(s);
}

static void test_ball(void **state) {
    (void)state;
    check_ball("PhysicalParams: {g: 9.81, e: 0.8, h: 1}\n"
               "DAE: {Variables: [y], Equations: [y'' + g]}\n"
               "Events: {bounce: {When: y, Direction: down, Do: {\"y'\": -e*y'}}}\n"
               "ProblemData: {tend: 1, positions: {y: h}, velocities: {y: 0}}\n");
    check_ball("PhysicalParams: {g: 9.81, e: 0.8, h: 1}\n"
               "Lagrangian: {Coordinates: [y], L: y'^2/2 - g*y}\n"
               "Contacts: {floor: {Gap: y, Restitution: e}}\n"
               "ProblemData: {tend: 1, positions: {y: h}}\n");
}

/* A ball with rubbing bounces of which the last ones are a millionth of the first one's length:
 * where it slides to by t, from the sum of all its impulses. */
static double slid(double e, double mu, double v, double t) {
    const double g = 9.81;
    double speed = sqrt(2.0 * g), at = speed / g, x = v * t;
    for (int k = 0; k < 200; k++) {
        x -= mu * (1.0 + e) * speed * (t - at);
        speed *= e;
        at += 2.0 * speed / g;
    }
    return x - 0.5 * mu * g * (t - at) * (t - at);
}

static void test_bounces_without_end(void **state) {
    (void)state;
    static const double weight[] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
    static const double tolerance[] = {1e-9, 1e-13};
    const double t = 2.4, h = 1e-3;
    double by_e = 0.0, by_mu = 0.0;
    for (int m = 0; m < 4; m++) {
        const double d = (m + 1) * h;
        by_e += weight[m] / h * (slid(0.6 + d, 0.05, 1.5, t) - slid(0.6 - d, 0.05, 1.5, t));
        by_mu += weight[m] / h * (slid(0.6, 0.05 + d, 1.5, t) - slid(0.6, 0.05 - d, 1.5, t));
    }
    for (int i = 0; i < 2; i++) {
        taut_run_options o = at_tolerance(tolerance[i]);
        o.sensitivity = "e,mu,v";
        o.at = &t;
        o.ats = 1;
        solution *s = solve_text("PhysicalParams: {g: 9.81, e: 0.6, mu: 0.05, v: 1.5}\n"
                                 "Lagrangian: {Coordinates: [x, y], L: (x'^2 + y'^2)/2 - g*y}\n"
                                 "Contacts: {floor: {Gap: y, Along: x, Restitution: e, Friction: "
                                 "mu}}\n"
                                 "ProblemData: {tend: 2.5, positions: {x: 0, y: 1}, velocities: "
                                 "{x: v}}\n",
                                 &o);
        assert_near(last_of(s, "x"), slid(0.6, 0.05, 1.5, t), 0.0, 1e-9);
        assert_near(last_of(s, "d(x)/d(e)"), by_e, 1e-9, 0.0);
        assert_near(last_of(s, "d(x)/d(mu)"), by_mu, 0.0, 1e-9);
        assert_near(last_of(s, "d(x)/d(v)"), t, 0.0, 1e-12);
        assert_near(last_of(s, "d(x')/d(mu)"), -9.81 * t, 0.0, 1e-9);
        assert_near(last_of(s, "d(y)/d(e)"), 0.0, 1e-12, 0.0);
        /* the end of all bounces has no derivative in the list; the last ones come near to it */
        const taut_notes *n = taut_result_notes(s->result);
        double last = 0.0;
        for (int k = 0; k < n->events; k++)
            if (n->event[k].derivative) last = n->event[k].derivative[0];
        assert_near(last, sqrt(2.0 / 9.81) * 2.0 / (0.4 * 0.4), 0.0, 1e-4);
        solution_free(s);
    }
}

/* y stops where x is 0, at 1/a: y = b/a, although nothing that happens there depends on a. */
static void test_classical_trap(void **state) {
    (void)state;
    taut_run_options o = at_tolerance(1e-13);
    o.sensitivity = "a,b";
    solution *s = solve_text("PhysicalParams: {a: 2, b: 1}\n"
                             "Discrete: {go: 1}\n"
                             "DAE: {Variables: [x, y], Equations: [x' + a, y' - b*go]}\n"
                             "Events: {end: {When: x, Direction: down, Do: {go: 0}}}\n"
                             "ProblemData: {tend: 1, positions: {x: 1, y: 0}}\n",
                             &o);
    assert_near(last_of(s, "d(y)/d(a)"), -0.25, 0.0, 1e-12);
    assert_near(last_of(s, "d(y)/d(b)"), 0.5, 0.0, 1e-12);
    assert_near(taut_result_notes(s->result)->event[0].derivative[0], -0.25, 0.0, 1e-12);
    solution_free(s);
}

#define WOODPECKER                                                                                 \
    "PhysicalParams: {rO: 0.0025, rM: 0.0031, hM: 0.0058, lM: 0.01, lG: 0.015, hS: 0.02,\n"        \
    "  lS: 0.0201, mM: 0.0003, mS: 0.0045, JM: 5e-9, JS: 7e-7, c: 0.0056, g: 9.81, e: 0.5,\n"      \
    "  mu: 0.3}\n"                                                                                 \
    "Lagrangian:\n"                                                                                \
    "  Coordinates: [y, M, S]\n"                                                                   \
    "  L: (mS+mM)*y'^2/2 + mS*lM*y'*M' + mS*lG*y'*S' + (JM+mS*lM^2)*M'^2/2 + mS*lM*lG*M'*S' + "    \
    "(JS+mS*lG^2)*S'^2/2 - c*(M-S)^2/2 - g*((mS+mM)*y + mS*lM*M + mS*lG*S)\n"                      \
    "Contacts:\n"                                                                                  \
    "  beak: {Gap: lM + lG - lS - rO - hS*S, Along: y + lM*M + (lG - lS)*S, Restitution: e, "      \
    "Friction: mu}\n"                                                                              \
    "  two: {Gap: rM - rO + hM*M, Along: y + rM*M, Friction: mu}\n"                                \
    "  three: {Gap: rM - rO - hM*M, Along: y + rM*M, Friction: mu}\n"                              \
    "Events: {turn: {When: S', Direction: up, Stop: true}}\n"                                      \
    "ProblemData: {tend: 0.16, positions: {y: 0, M: -(rM - rO)/hM, S: -0.52947196711085}}\n"

/* One turn of the cycle: nine impacts and changes of modes. The period and the drop of the cycle
 * depend on e and mu also by its start, which returns. */
static void test_woodpecker(void **state) {
    (void)state;
    static const struct {
        const char *name;
        double period, drop;
    } wanted[] = {{"e", -0.155494, -0.0832112}, {"mu", -0.616048, -0.405146}};
    taut_run_options o = at_tolerance(1e-12);
    o.sensitivity = "e,mu,S";
    o.every = TAUT_EVERY_STEP;
    solution *s = solve_text(WOODPECKER, &o);
    const taut_notes *n = taut_result_notes(s->result);
    assert_string_equal(n->event[n->events - 1].name, "turn");
    const double *T = n->event[n->events - 1].derivative, back = last_of(s, "d(S)/d(S)");
    assert_near(back, -0.839155653, 0.0, 2e-9);
    for (int i = 0; i < 2; i++) {
        char name[40];
        snprintf(name, sizeof name, "d(S)/d(%s)", wanted[i].name);
        const double start = last_of(s, name) / (1.0 - back);
        snprintf(name, sizeof name, "d(y)/d(%s)", wanted[i].name);
        assert_near(T[i] + T[2] * start, wanted[i].period, 0.0, 2e-6);
        assert_near(-(last_of(s, name) + last_of(s, "d(y)/d(S)") * start), wanted[i].drop, 0.0,
                    2e-6);
    }
    solution_free(s);
}

/* A block on a belt sticks and slips; a spring with a kink; velocities that constraints share. */
/* One step is the whole run where all that moves is prescribed: conditions have series that are
 * good for a small part of it. */
static void test_long_steps_pass_kinks(void **state) {
    (void)state;
    char path[512];
    taut_model *model = NULL;
    taut_errors errors = {0};
    static const char *const FORM[] = {"natural", "relative", "reference"};
    snprintf(path, sizeof path, "%s/examples/contact/geneva.yaml", TAUT_SOURCE_DIR);
    assert_int_equal(taut_model_read(path, NULL, 0, &model, &errors), TAUT_OK);
    double first = 0.0;
    for (int i = 0; i < 3; i++) {
        taut_run_options o = at_tolerance(1e-11);
        taut_result *result = NULL;
        o.sensitivity = "w";
        o.formulation = FORM[i];
        o.has_tend = true, o.tend = 1.5;
        o.at = (const double[]){1.5};
        o.ats = 1;
        assert_int_equal(taut_simulate(model, &o, &result, &errors), TAUT_OK);
        const double x = taut_result_value(result, 0, taut_result_find(result, "d(b')/d(w)"));
        if (i == 0) first = x;
        assert_true(fabs(first) > 0.1);
        assert_near(x, first, 0.0, 1e-8);
        taut_result_free(&result);
    }
    taut_model_free(&model);
}

static void test_stick_slip_and_kinks_agree_with_differences(void **state) {
    (void)state;
    check_text(
        "PhysicalParams: {k: 3, b: 0.2, f: 1, m: 0.7}\n"
        "DAE: {Variables: [x], Equations: [\"m*x'' + k*x + b*abs(x)*x - f*max(0, sin(3*t))\"]}\n"
        "ProblemData: {tend: 3, positions: {x: 1}, velocities: {x: 0}}\n",
        3.0, (const named[]){{"k", 3.0, 0.0}, {"b", 0.2, 0.0}, {"x", 1.0, 0.0}, {NULL, 0.0, 0.0}});
    check_text(
        "PhysicalParams: {L: 1, e: 0.7, w: 0.3}\n"
        "Lagrangian: {Coordinates: [u, v], L: (u'^2 + v'^2)/2 - 9.81*v, Constraints: [u^2 + "
        "v^2 - L^2]}\n"
        "Events: {wall: {When: u - w, Direction: down, Do: {\"u'\": -e*u'}}}\n"
        "ProblemData: {tend: 1.2, positions: {u: 0.8, v: -0.6}, velocities: {u: 0, v: 0}}\n",
        1.2, (const named[]){{"L", 1.0, 0.0}, {"e", 0.7, 0.0}, {"w", 0.3, 0.0}, {NULL, 0.0, 0.0}});
}

/* Masses, directions, guards and what is assigned depend on positions, parameters and time at once:
 * each term of the jump formulas counts. */
static void test_jumps_of_linkages_agree_with_differences(void **state) {
    (void)state;
    /* the blow at one angle turns the other one as well; its value depends on t and on the state */
    check_text("PhysicalParams: {a: 1, b: 2, k: 0.4, w: 0.2}\n"
               "Lagrangian:\n"
               "  Coordinates: [p, q]\n"
               "  L: (1 + b)*a^2*p'^2/2 + b*q'^2/2 + b*a*p'*q'*cos(p - q) + 9.81*((1 + "
               "b)*a*cos(p) + b*cos(q))\n"
               "Events: {blow: {When: q - w*t, Direction: down, Do: {\"p'\": "
               "k*q'*cos(t) - p'}}}\n"
               "ProblemData: {tend: 0.9, positions: {p: 1, q: 0.5}, velocities: {p: 0, q: 0}}\n",
               0.9,
               (const named[]){{"a", 1.0, 0.0},
                               {"b", 2.0, 0.0},
                               {"k", 0.4, 0.0},
                               {"w", 0.2, 0.0},
                               {"p", 1.0, 0.0},
                               {"q'", 0.0, 1e-3},
                               {NULL, 0.0, 0.0}});
    /* the angle of the line from O to B gets a velocity, by an impulse across that line */
    check_text(
        "PhysicalParams: {l1: 0.4, m1: 1, l2: 0.7, m2: 1, c: 2, w: 0.1}\n"
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0]}\n"
        "  Rigids:\n"
        "    OA: {Geom: [[l1]], Dyna: [[l1/2], m1, m1*l1**2/12]}\n"
        "    AB: {Geom: [[l2]], Dyna: [[l2/2], m2, m2*l2**2/12]}\n"
        "Angles: {psi: OB}\n"
        "AppliedForces: {Gravity: , Torques: {psi: -0.01*psi''}}\n"
        "Events: {kick: {When: Ax - w, Direction: down, Do: {\"psi'\": c*cos(psi)}}}\n"
        "ProblemData:\n"
        "  tend: 0.6\n"
        "  positions: {A: [l1*cos(0.2), -l1*sin(0.2)], B: [l1*cos(0.2), -l1*sin(0.2) - l2]}\n"
        "  fixedpositions: {Ax, Bx}\n",
        0.6,
        (const named[]){{"l1", 0.4, 0.0},
                        {"l2", 0.7, 0.0},
                        {"m2", 1.0, 0.0},
                        {"c", 2.0, 0.0},
                        {"w", 0.1, 0.0},
                        {NULL, 0.0, 0.0}});
}

/* Two rods against a wall that moves, smooth and rough. */
#define STRIKER                                                                                    \
    "PhysicalParams: {a: 1, b: 2, e: 0.6, mu: %s, v: 0.3, x0: 0.75}\n"                             \
    "Lagrangian:\n"                                                                                \
    "  Coordinates: [p, q]\n"                                                                      \
    "  L: (1 + b)*a^2*p'^2/2 + b*q'^2/2 + b*a*p'*q'*cos(p - q) + 9.81*((1 + b)*a*cos(p) + "        \
    "b*cos(q))\n"                                                                                  \
    "Contacts: {wall: {Gap: a*sin(p) + sin(q) - x0 + v*t, Along: -a*cos(p) - cos(q), "             \
    "Restitution: e*x0, Friction: mu}}\n"                                                          \
    "ProblemData: {tend: 0.65, positions: {p: 1, q: 0.5}, velocities: {p: 0, q: 0}}\n"

static void test_impacts_of_rods_agree_with_differences(void **state) {
    (void)state;
    static const char *const FRICTION[] = {"0", "0.05", "0.9"}; /* smooth, slides, sticks */
    for (int i = 0; i < 3; i++) {
        char text[1024];
        snprintf(text, sizeof text, STRIKER, FRICTION[i]);
        const double mu = atof(FRICTION[i]);
        check_text(text, 0.65,
                   (const named[]){{"a", 1.0, 0.0},
                                   {"b", 2.0, 0.0},
                                   {"e", 0.6, 0.0},
                                   {"v", 0.3, 0.0},
                                   {"x0", 0.75, 0.0},
                                   {"q", 0.5, 0.0},
                                   {mu > 0.0 ? "mu" : NULL, mu, 0.0},
                                   {NULL, 0.0, 0.0}});
    }
}

/* A rod on a crank that is driven strikes a wall: the driver does work in the blow, too. */
static void test_impacts_on_drivers_agree_with_differences(void **state) {
    (void)state;
    check_text(
        "PhysicalParams: {l1: 0.4, l2: 0.7, m2: 1, w: 3, e: 0.6, x0: 0.35}\n"
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0]}\n"
        "  Rigids:\n"
        "    OA: {Geom: [[l1]], Dyna: [[l1/2], 1, l1**2/12]}\n"
        "    AB: {Geom: [[l2]], Dyna: [[l2/2], m2, m2*l2**2/12]}\n"
        "Angles: {phi: OA, psi: AB}\n"
        "Drivers: {phi: -0.4 + w*t}\n"
        "AppliedForces: {Gravity: }\n"
        "Contacts: {wall: {Gap: x0 + 0.4 - Bx, Restitution: e}}\n"
        "ProblemData: {tend: 0.4, positions: {phi: -0.4, psi: -1.6}, velocities: {psi: 3}}\n",
        0.4,
        (const named[]){{"l2", 0.7, 0.0},
                        {"m2", 1.0, 0.0},
                        {"w", 3.0, 0.0},
                        {"e", 0.6, 0.0},
                        {"x0", 0.35, 0.0},
                        {NULL, 0.0, 0.0}});
}

/* J: m*(b^2 + h^2)/3 in a block that rocks from edge to edge: what follows from a parameter does so
 * in the equations of every set of modes. */
static void test_formulas_of_parameters_across_contacts(void **state) {
    (void)state;
    check_file(
        "contact/rocking-block.yaml", 0.6, false,
        (const named[]){{"h", 0.4, 0.0}, {"b", 0.1, 0.0}, {"m", 8.0, 0.0}, {NULL, 0.0, 0.0}});
}

/* Loads of joints in formulas, friction by them, joints and drivers that let go and are engaged
 * again: their starts are found in other equations than those of the run. */
static void test_loads_and_breaks_agree_with_differences(void **state) {
    (void)state;
    check_text("PhysicalParams: {L: 1, m: 2, w0: 1, k: 0.01}\n"
               "Dimension: 2\n"
               "PartData: {Fixed: {O: [0, 0]}, Rigids: {OA: {Geom: [[L]], Dyna: [[L/2], m, "
               "m*L^2/12]}}}\n"
               "Angles: {phi: OA}\n"
               "AppliedForces: {Gravity: , Torques: {phi: -k*ground-OA.Fx}}\n"
               "ProblemData: {tend: 1, positions: {phi: -0.5}, fixedpositions: {phi}, velocities: "
               "{phi: w0}, fixedvelocities: {phi}}\n",
               0.7,
               (const named[]){{"L", 1.0, 0.0},
                               {"m", 2.0, 0.0},
                               {"k", 0.01, 0.0},
                               {"w0", 1.0, 0.0},
                               {"phi", -0.5, 0.0},
                               {NULL, 0.0, 0.0}});
    check_file("contact/trebuchet.yaml", 2.4, false, /* initial values only choose sides */
               (const named[]){{"long", 5.0, 0.0}, {"sling", 4.2, 0.0}, {NULL, 0.0, 0.0}});
    check_file("contact/incline.yaml", 1.5, false, /* it stops and slides back */
               (const named[]){{"mu", 0.3, 0.0}, {"v0", 4.0, 0.0}, {NULL, 0.0, 0.0}});
    check_text("PhysicalParams: {L: 1, m: 2, w0: 1, F: 30}\n"
               "Dimension: 2\n"
               "PartData: {Fixed: {O: [0, 0]}, Rigids: {OA: {Geom: [[L]], Dyna: [[L/2], m, "
               "m*L^2/12]}}}\n"
               "Angles: {phi: OA}\n"
               "AppliedForces: {Gravity: }\n"
               "Breaks: {snap: {Joint: ground-OA, When: ground-OA.Fx^2 + ground-OA.Fy^2 > F^2}}\n"
               "ProblemData: {tend: 1, positions: {phi: -0.5}, fixedpositions: {phi}, velocities: "
               "{phi: w0}, fixedvelocities: {phi}}\n",
               0.8,
               (const named[]){{"L", 1.0, 0.0},
                               {"m", 2.0, 0.0},
                               {"F", 30.0, 0.0},
                               {"w0", 1.0, 0.0},
                               {NULL, 0.0, 0.0}});
    check_text("PhysicalParams: {w: 2, J: 0.5, m: 2, t1: 1, t2: 1.5}\n"
               "Dimension: 2\n"
               "PartData: {Fixed: {O: [0, 0]}, Rigids: {OA: {Geom: [[1]], Dyna: [[0.1, 0], m, "
               "J]}}}\n"
               "Angles: {phi: OA}\n"
               "Drivers: {phi: w*t}\n"
               "AppliedForces: {Gravity: }\n"
               "Breaks: {motor: {Driver: phi, When: t > t1, Until: t > t2}}\n"
               "ProblemData: {tend: 2, positions: {A: [1, 0]}}\n",
               2.0,
               (const named[]){{"w", 2.0, 0.0},
                               {"J", 0.5, 0.0},
                               {"m", 2.0, 0.0},
                               {"t1", 1.0, 0.0},
                               {"t2", 1.5, 0.0},
                               {NULL, 0.0, 0.0}});
}

/* x' = b, b: 2*a. Once b is set it does not follow a. */
static void test_numbers_that_are_set_do_not_follow(void **state) {
    (void)state;
    taut_model *model = read_text("PhysicalParams: {a: 2, b: 2*a, x0: 3*a}\n"
                                  "DAE: {Variables: [x], Equations: [x' - b]}\n"
                                  "ProblemData: {tend: 1, positions: {x: x0}}\n");
    taut_run_options o = at_tolerance(1e-12);
    taut_simulation *s = NULL;
    taut_errors errors = {0};
    double derivative[1];
    o.sensitivity = "a";
    assert_int_equal(taut_simulation_create(model, &o, &s, &errors), TAUT_OK);
    static const double WANTED[] = {5.0, 3.0, 0.0};
    for (int i = 0; i < 3; i++) {
        if (i == 1) assert_int_equal(taut_simulation_set_parameter(s, "b", 5.0, &errors), TAUT_OK);
        if (i == 2) assert_int_equal(taut_simulation_set_initial(s, "x", 1.0, &errors), TAUT_OK);
        assert_int_equal(taut_simulation_start(s, &errors), TAUT_OK);
        assert_int_equal(taut_simulation_run_to(s, 1.0, &errors), TAUT_OK);
        assert_int_equal(taut_simulation_differentiate(s, "x", 1.0, derivative, &errors), TAUT_OK);
        assert_near(derivative[0], WANTED[i], 1e-12, 0.0);
    }
    taut_simulation_free(&s);
    taut_model_free(&model);
}

/* x' = -t x from x = 1 at t0: dx/dt0 = t0 x, not 0. The end may be a formula of anything.
 * Directions of length 1 and products of inertia are formulas like others. */
static void test_numbers_beside_the_equations(void **state) {
    (void)state;
    taut_run_options o = at_tolerance(1e-13);
    o.sensitivity = "k";
    solution *s = try_text("PhysicalParams: {k: 0.5, n: 2*k}\n"
                           "DAE: {Variables: [x], Equations: [x' + t*x]}\n"
                           "ProblemData: {t0: n, tend: 2, positions: {x: 1}}\n",
                           &o);
    assert_int_equal(s->status, TAUT_ERR_CALL);
    assert_non_null(strstr(s->errors.item[0].message, "'k' shapes the equations, by 'n'"));
    solution_free(s);
    o.at = (const double[]){0.5};
    o.ats = 1;
    s = solve_text("PhysicalParams: {k: 4, T: 2*pi/sqrt(k)}\n"
                   "DAE: {Variables: [x], Equations: [x'' + k*x]}\n"
                   "ProblemData: {tend: T, maxstep: T/10, positions: {x: 1}, velocities: {x: 0}}\n",
                   &o);
    assert_near(value_of(s, 0, "d(x)/d(k)"), -0.125 * sin(1.0), 0.0, 1e-11);
    solution_free(s);
    check_file("contact/incline.yaml", 1.5, false,
               (const named[]){{"a", 0.43633231299858238, 1e-4}, {NULL, 0.0, 0.0}});
    check_text(
        "PhysicalParams: {D: 0.01, m: 2}\n"
        "Dimension: 3\n"
        "PartData: {Fixed: {O: [0, 0, 0]}, Rigids: {OAB: {Geom: [[1], [0, 1]], Dyna: [[0.5, "
        "0.1], m, [[0.3, D, 0], [D, 0.5, 0], [0, 0, 0.7]]]}}}\n"
        "AppliedForces: {Gravity: }\n"
        "ProblemData: {tend: 1, positions: {A: [1, 0, 0], B: [0, 0, 1]}, velocities: {Ay: 1}}\n",
        1.0, (const named[]){{"D", 0.01, 3e-2}, {"m", 2.0, 0.0}, {NULL, 0.0, 0.0}});
}

/* ---- what is refused ---- */

static void check_refusal(const char *text, taut_run_options o, const char *words) {
    solution *s = try_text(text, &o);
    assert_int_not_equal(s->status, TAUT_OK);
    assert_true(s->errors.count > 0);
    if (!strstr(s->errors.item[0].message, words))
        fail_msg("'%s' is not in: %s", words, s->errors.item[0].message);
    solution_free(s);
}

static void test_grazing_is_told(void **state) {
    (void)state;
    taut_run_options o = at_tolerance(1e-10);
    o.sensitivity = "a";
    check_refusal("PhysicalParams: {a: 1}\n"
                  "Discrete: {n: 0}\n"
                  "DAE: {Variables: [x], Equations: [x' - a]}\n"
                  "Events: {graze: {When: (x - 1)^3, Do: {n: 1}}}\n"
                  "ProblemData: {tend: 2, positions: {x: 0}}\n",
                  o, "not differentiable");
}

/* What grazes in a condition that stays false, or in an output, changes no motion; what happens at
 * that instant hangs on it. */
static void test_idle_kinks_may_graze(void **state) {
    (void)state;
    taut_run_options o = at_tolerance(1e-10);
    o.sensitivity = "a";
    o.at = (const double[]){2.0};
    o.ats = 1;
#define PASSING                                                                                    \
    "PhysicalParams: {a: 1}\nDiscrete: {n: 0}\n"                                                   \
    "ProblemData: {tend: 2, positions: {x: 0}}\n"
    solution *s = solve_text(PASSING "DAE: {Variables: [x], Equations: [x' - a - n], Outputs: {y: "
                                     "abs((x - 1)^3)}}\n"
                                     "Events: {go: {When: (x - 1)^3 > 0 and x > 3, Do: {n: 1}}}\n",
                             &o);
    assert_near(value_of(s, 0, "d(x)/d(a)"), 2.0, 0.0, 1e-13);
    assert_near(value_of(s, 0, "d(y)/d(a)"), 6.0, 0.0, 1e-12);
    solution_free(s);
    check_refusal(PASSING "DAE: {Variables: [x], Equations: [x' - a - n]}\n"
                          "Events: {go: {When: (x - 1)^3 > 0 and x > 0.5, Do: {n: 1}}}\n",
                  o, "the kink of ((x - 1)*(x - 1)^2) grazes there");
    check_refusal(PASSING
                  "DAE: {Variables: [x], Equations: [\"x' - a - if((x - 1)^3 > 0, 1, 0)\"]}\n",
                  o, "the kink of ((x - 1)*(x - 1)^2) grazes there");
}

/* A ball that is thrown up to a ceiling, v^2 = 2 g h: a little faster, and it would bounce. The
 * same as an event with something to do; a record of it changes nothing. */
static void test_what_is_touched_only_is_told(void **state) {
    (void)state;
    taut_run_options o = at_tolerance(1e-10);
    o.sensitivity = "v";
    o.at = (const double[]){1.5};
    o.ats = 1;
#define THROWN                                                                                     \
    "PhysicalParams: {v: 10}\nDiscrete: {n: 0}\n"                                                  \
    "Lagrangian: {Coordinates: [y], L: y'^2/2 - 10*y}\n"                                           \
    "ProblemData: {tend: 1.5, positions: {y: 0}, velocities: {y: v}}\n"
    check_refusal(THROWN "Contacts: {ceiling: {Gap: 5 - y, Restitution: 0.5}}\n", o,
                  "'ceiling' grazes there");
    check_refusal(THROWN "Events: {top: {When: 5 - y, Do: {n: 1}}}\n", o, "'top' grazes there");
    check_refusal(THROWN "Events: {top: {When: 5 - y, Stop: true}}\n", o, "'top' grazes there");
    solution *s = solve_text(THROWN "Events: {top: {When: 5 - y}}\n", &o);
    assert_near(value_of(s, 0, "d(y)/d(v)"), 1.5, 0.0, 1e-13);
    solution_free(s);
    o.sensitivity = NULL;
    solution_free(solve_text(THROWN "Contacts: {ceiling: {Gap: 5 - y, Restitution: 0.5}}\n", &o));
}

/* A bicycle that runs straight on: where one direction of a wheel's axle is off, residuals of
 * second order move the others to first order, by how much depends on the way of the search. */
static void test_starts_that_are_not_smooth_are_told(void **state) {
    (void)state;
    taut_run_options o = taut_run_options_default();
    taut_model *model = NULL;
    taut_result *result = NULL;
    taut_errors errors = {0};
    o.sensitivity = "lx";
    assert_int_equal(
        taut_model_read(TAUT_SOURCE_DIR "/examples/bicycle.yaml", NULL, 0, &model, &errors),
        TAUT_OK);
    assert_int_equal(taut_simulate(model, &o, &result, &errors), TAUT_ERR_CALL);
    assert_non_null(strstr(errors.item[0].message, "does not follow smoothly"));
    taut_result_free(&result);
    taut_model_free(&model);
}

static void test_refusals(void **state) {
    (void)state;
    taut_run_options o = taut_run_options_default();
    o.sensitivity = "K";
    check_refusal(OSCILLATOR, o, "'K' is neither a parameter nor an initial value");
    o.sensitivity = "k,k";
    check_refusal(OSCILLATOR, o, "'k' is there twice");
    o.sensitivity = "";
    check_refusal(OSCILLATOR, o, "options.sensitivity is empty");
    o.sensitivity = "k";
    o.solver = "ho";
    check_refusal(OSCILLATOR, o, "which ho has not");
    o.solver = "bdf";
    check_refusal(OSCILLATOR, o, "which bdf has not");
    o.solver = "auto";
    o.formulation = "minimal";
    check_refusal(OSCILLATOR, o, "minimal coordinates are chosen anew on the way");
    /* the axis is part of the structure there; natural coordinates have it as a vector */
    o.formulation = "relative";
    static const char *const WHEEL =
        "PhysicalParams: {k: 0.2}\nDimension: 3\nPartData: {Fixed: {O: [0, 0, 0], z: [0, 0, 1]}, "
        "Rigids: {wheel: {Elements: [O, z, A], Geom: [[0, sin(k), cos(k)], [1, 0, 0]], Dyna: "
        "[[0.1], "
        "2, [0.4, 0.5, 0.6]]}}}\nAppliedForces: {Gravity: [0, -9.81, 0]}\nProblemData: {tend: 1, "
        "positions: {A: [1, 0, 0]}}\n";
    check_refusal(WHEEL, o, "in this formulation the value of 'k' shapes the equations");
    o.formulation = "reference";
    solution_free(solve_text(WHEEL, &o));
}

/* ---- the run does not notice ---- */

static void check_same_motion(const char *text) {
    taut_run_options o = at_tolerance(1e-9);
    o.solver = "taylor";
    solution *plain = solve_text(text, &o);
    o.sensitivity = "g";
    solution *with = solve_text(text, &o);
    const int columns = taut_result_columns(plain->result);
    assert_int_equal(rows_of(plain), rows_of(with));
    for (long i = 0; i < rows_of(plain); i++)
        for (int c = 0; c < columns; c++)
            assert_true(taut_result_value(plain->result, i, c) ==
                        taut_result_value(with->result, i, c));
    solution_free(plain);
    solution_free(with);
}

static void test_motion_is_the_same_to_the_last_bit(void **state) {
    (void)state;
    check_same_motion("PhysicalParams: {g: 9.81}\n"
                      "Lagrangian: {Coordinates: [y], L: y'^2/2 - g*y}\n"
                      "Contacts: {floor: {Gap: y, Restitution: 0.8}}\n"
                      "ProblemData: {tend: 2, positions: {y: 1}}\n");
    check_same_motion("PhysicalParams: {g: 9.81, L: 1}\nDimension: 2\n"
                      "PartData: {Fixed: {O: [0, 0]}, Rigids: {OA: {Geom: [[L]], Dyna: [[L/2], 1, "
                      "0.1]}, AB: {Geom: [[L]], Dyna: [[L/2], 1, 0.1]}}}\n"
                      "AppliedForces: {Gravity: [0, -g]}\n"
                      "ProblemData: {tend: 2, positions: {A: [L, 0], B: [L, L]}}\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_oscillator),
        cmocka_unit_test(test_start_near_the_end_of_its_range),
        cmocka_unit_test(test_period_of_a_pendulum),
        cmocka_unit_test(test_growth_of_initial_errors),
        cmocka_unit_test(test_ball),
        cmocka_unit_test(test_bounces_without_end),
        cmocka_unit_test(test_classical_trap),
        cmocka_unit_test(test_woodpecker),
        cmocka_unit_test(test_mechanisms_agree_with_differences),
        cmocka_unit_test(test_equations_agree_with_differences),
        cmocka_unit_test(test_moved_values_agree_with_differences),
        cmocka_unit_test(test_moved_guesses_in_space),
        cmocka_unit_test(test_guesses_without_influence),
        cmocka_unit_test(test_other_coordinates_have_the_same_derivatives),
        cmocka_unit_test(test_numbers_beside_the_equations),
        cmocka_unit_test(test_long_steps_pass_kinks),
        cmocka_unit_test(test_stick_slip_and_kinks_agree_with_differences),
        cmocka_unit_test(test_formulas_of_parameters_across_contacts),
        cmocka_unit_test(test_loads_and_breaks_agree_with_differences),
        cmocka_unit_test(test_numbers_that_are_set_do_not_follow),
        cmocka_unit_test(test_jumps_of_linkages_agree_with_differences),
        cmocka_unit_test(test_impacts_of_rods_agree_with_differences),
        cmocka_unit_test(test_impacts_on_drivers_agree_with_differences),
        cmocka_unit_test(test_grazing_is_told),
        cmocka_unit_test(test_idle_kinks_may_graze),
        cmocka_unit_test(test_what_is_touched_only_is_told),
        cmocka_unit_test(test_starts_that_are_not_smooth_are_told),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_motion_is_the_same_to_the_last_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
