/* What commands print, draw and write beside results: targets that are reached, events in plots,
 * matrices in other forms, gears and forces on pages, pages beside other models; and what they
 * refuse. */
#define _DEFAULT_SOURCE /* setenv */
#include "page.h"

#include <math.h>
#include <sys/stat.h>
#include <time.h>

#include "program.h"

#define TWO_RODS                                                                                   \
    "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids:\n"                                   \
    "    OA: {Geom: [[1]], Dyna: [[1/2], 1, 0.1]}\n    AB: {Geom: [[1]], Dyna: [[1/2], 1, 0.1]}\n" \
    "ProblemData: {tend: 0.1, positions: {A: [1, 0], B: [1, 1]}}\n"

static void call(program_result *r, int code, const char *command) {
    program_call(r, command);
    if (r->code != code) fail_msg("taut %s ends with %d:\n%s%s", command, r->code, r->out, r->err);
}

static void says(int code, const char *command, const char *words) {
    program_result r;
    call(&r, code, command);
    if (!strstr(r.out, words) && !strstr(r.err, words))
        fail_msg("taut %s does not say '%s':\n%s%s", command, words, r.out, r.err);
    program_release(&r);
}

static json *page_of(const char *command) {
    program_result r;
    call(&r, 0, command);
    program_release(&r);
    char *html = program_read("page.html");
    assert_non_null(html);
    json *data = page_data(html);
    free(html);
    return data;
}

/* ---- text ---- */

/* Two rods of length 1 reach no farther than 2. */
static void test_targets_are_reached_or_not(void **state) {
    (void)state;
    program_result r;
    program_write("m.yaml", TWO_RODS, -1);
    says(0, "kinematics m.yaml --reach B=1,1 -o o.csv", "  B=1,1 can be reached\n");
    call(&r, 1, "kinematics m.yaml --reach B=3,1 -o o.csv");
    static const char words[] = "B=3,1 cannot be reached: the nearest place that was found is ";
    const char *found = strstr(r.out, words);
    if (!found) found = strstr(r.err, words);
    assert_non_null(found);
    assert_near(strtod(found + strlen(words), NULL), sqrt(10.0) - 2.0, 1e-6, 0.0);
    program_release(&r);
    says(0, "kinematics m.yaml --reach B=1,1 --starts 20 -o o.csv", "can be reached in 2 ways");
}

/* A crank of 1 and a rod of 3: the slider is between 2 and 4; metres and angles are told apart. */
static void test_ranges_are_told(void **state) {
    (void)state;
    program_result r;
    program_write("m.yaml",
                  "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0], x: [1, 0]}\n"
                  "  Rigids: {OA: {Geom: [[1]]}, AB: {Geom: [[3]]}}\n  Collinears: {OxB: s}\n"
                  "Angles: {phi: OA}\n"
                  "ProblemData: {tend: 1, positions: {A: [1, 0], B: [4, 0], s: 4}}\n",
                  -1);
    call(&r, 0, "kinematics m.yaml --drive phi=0..360deg:5 -o o.csv");
    assert_non_null(strstr(r.out,
                           "  s turns back at 2, where phi = 3.141592654 (180 deg): OA and AB "
                           "are in line (folded)\n"));
    assert_non_null(strstr(r.out, "  s from 2 to 4\n"));
    program_release(&r);
}

/* What has no rate, no frequency or no damping has a dash. */
static void test_modes_are_told(void **state) {
    (void)state;
    static const struct {
        const char *text, *modes, *matrices;
    } want[] = {
        {"Dimension: 2\nPartData: {Particles: {P: 1}}\n"
         "ProblemData: {tend: 1, positions: {P: [0, 0]}, velocities: {P: [1, 0]}}\n",
         "   1             0          -            -           Py' 1\n"
         "   2             0          -            -           Px' 1\n"
         "2 zero eigenvalues: free motion, or rates that stay\n",
         "                       0                      0             -          -            -    "
         "  "
         "    1  Py'\n"
         "                       0                      0             -          -            -    "
         "  "
         "    1  Px'\n"
         "2 of them are 0, by the rank of A\n"},
        {"DAE: {Variables: [x], Equations: [\"x' + 2*x\"]}\n"
         "ProblemData: {tend: 1, positions: {x: 0}}\n",
         "   1             -          -          0.5  decays   x 1\n",
         "                      -2                      0             -          -          0.5    "
         "  "
         "    1  x\n"},
        {"DAE: {Variables: [x], Equations: [\"x'' + 4*x + 2*abs(x)\"]}\n"
         "ProblemData: {tend: 1, positions: {x: 0}, velocities: {x: 1}}\n",
         "   1     0.3898484          0            -           x 1\n"
         "the point is not steady: these modes hold for a moment only\n"
         "the point lies on a kink: these modes are those for x > 0\n",
         "side     x > 0: the point lies on a kink, and beyond it the matrices are others\n"}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        program_write("m.yaml", want[i].text, -1);
        says(0, "modes m.yaml", want[i].modes);
        says(0, "linearize m.yaml", want[i].matrices);
    }
    program_write("m.yaml",
                  "Dimension: 2\nPartData: {Fixed: {O: [0, 0]}, Particles: {A: 1, B: 1}}\n"
                  "AppliedForces: {Gravity: 9.81}\n"
                  "Contacts: {floor: {Point: A, On: {Line: [[0, 0], [1, 0]]}, Restitution: 0}}\n"
                  "ProblemData: {tend: 1, positions: {A: [0.1, 0], B: [0, 2]}}\n",
                  -1);
    says(0, "linearize m.yaml", "\ncontacts floor closed\n");
    says(0, "linearize m.yaml --json", ",\n  \"contacts\": \"floor closed\"");
}

/* What happened stands among the marks of the page, in the order of the run, backwards as well. */
static void test_events_are_marks_of_the_page(void **state) {
    (void)state;
    static const double want[2][2] = {{0.5, 1.5}, {-1.0, -2.0}};
    static const char *const tend[] = {"1.75", "-2.5"};
    for (int i = 0; i < 2; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "DAE: {Variables: [x], Equations: [x' - %s]}\n"
                 "Events: {first: {When: x - %g}, second: {When: x - %g}}\n"
                 "ProblemData: {tend: %s, positions: {x: 0}}\n",
                 "1", want[i][0], want[i][1], tend[i]);
        program_write("m.yaml", text, -1);
        json *data = page_of("view m.yaml --no-certify -o page.html");
        const json *marks = json_get(data, "marks");
        int found = 0;
        for (const json *m = marks->first; m; m = m->next) {
            if (strcmp(json_text(m, "kind"), "event") != 0) continue;
            assert_true(found < 2);
            assert_string_equal(json_text(m, "text"), found == 0 ? "event first" : "event second");
            assert_near(json_number(m, "t"), want[i][found], 1e-9, 0.0);
            found++;
        }
        assert_int_equal(found, 2);
        assert_near(json_number(data, "more_events"), 0.0, 0.0, 0.0);
        json_free(data);
    }
}

/* The structure is regular, and yet there is nothing to solve for: what is known is told. */
static void test_hidden_dependencies_are_told(void **state) {
    (void)state;
    program_write("m.yaml",
                  "DAE: {Variables: [x, y], Equations: [\"x' + y' - 1\", \"x' + y' + x - 1\"]}\n"
                  "ProblemData: {tend: 1, positions: {x: 0, y: 0}}\n",
                  -1);
    says(2, "analyze m.yaml",
         "structural index 0, independent initial values 2, linear in the highest derivatives\n"
         "STRUCTURAL ANALYSIS FAILS: the Jacobian is singular at every point\n");
}

/* A ball falls from h: t = sqrt(2 h/g). What has no derivative has an empty field. */
static void test_events_are_written_with_derivatives(void **state) {
    (void)state;
    static const char *const sensitive[] = {
        "t,event,kind,impulse,d(t)/d(h),d(t)/d(g)\n0.5,hit,event,0,0.25,-0.03125\n",
        "[\n  {\"t\": 0.5, \"event\": \"hit\", \"kind\": \"event\", \"impulse\": 0, "
        "\"d(t)/d(h)\": 0.25, \"d(t)/d(g)\": -0.03125}\n]\n"};
    static const char *const plain[] = {
        "t,event,kind,impulse\n0.5,hit,event,0\n",
        "[\n  {\"t\": 0.5, \"event\": \"hit\", \"kind\": \"event\", \"impulse\": 0}\n]\n"};
    static const char *const empty[] = {"t,event,kind,impulse\n", "[\n]\n"};
    program_write("m.yaml",
                  "PhysicalParams: {h: 1, g: 8}\n"
                  "DAE: {Variables: [x], Equations: [\"x'' + g\"]}\n"
                  "Events: {hit: {When: x, Direction: down, Do: {\"x'\": \"-x'/2\"}}}\n"
                  "ProblemData: {tend: 0.8, positions: {x: h}, velocities: {x: 0}}\n",
                  -1);
    for (int i = 0; i < 2; i++) {
        const struct {
            const char *options, *want;
        } form[] = {
            {" --sensitivity h,g", sensitive[i]}, {"", plain[i]}, {" --tend 0.1", empty[i]}};
        for (int k = 0; k < 3; k++) {
            program_result r;
            char command[200];
            const char *name = i == 0 ? "e.csv" : "e.json";
            snprintf(command, sizeof command,
                     "run m.yaml --quiet --digits 10 -o o.csv --events %s%s", name,
                     form[k].options);
            call(&r, 0, command);
            program_release(&r);
            char *text = program_read(name);
            assert_string_equal(text, form[k].want);
            free(text);
        }
    }
}

/* A ball falls from 1 m: it hits after sqrt(2/g), and after as long again, at half the speed twice.
 */
static void test_events_are_drawn_where_they_are(void **state) {
    (void)state;
    program_result r;
    program_write("m.yaml",
                  "DAE: {Variables: [x, v], Equations: [x' - v, v' + 9.81]}\n"
                  "Events: {hit: {When: x, Do: {v: -0.5*v}}}\n"
                  "ProblemData: {tend: 1, positions: {x: 1, v: 0}}\n",
                  -1);
    call(&r, 0, "plot m.yaml x -o p.svg");
    program_release(&r);
    char *svg = program_read("p.svg");
    assert_non_null(svg);
    const char *p = strstr(svg, "<g class=\"events\"");
    assert_non_null(p);
    double at[2];
    for (int i = 0; i < 2; i++) {
        p = strstr(p, "<path d=\"M");
        assert_non_null(p);
        p += strlen("<path d=\"M");
        at[i] = strtod(p, NULL);
        p = strstr(p, "<title>");
        assert_memory_equal(p, "<title>hit</title>", 18);
    }
    /* the second is twice as far as the first, from the left edge; the plot is 0 to 1 wide */
    const double t = sqrt(2.0 / 9.81), width = (at[1] - at[0]) / t;
    assert_true(width > 500.0 && width < 1200.0);
    assert_true(at[0] - t * width > 20.0 && at[0] - t * width < 120.0);
    free(svg);
}

static void test_other_forms_of_matrices(void **state) {
    (void)state;
    program_result r;
    program_write("m.yaml",
                  "Lagrangian: {Coordinates: [q], L: q'^2/2 - 2*q^2 + u*q}\nInputs: {u: 0}\n"
                  "Outputs: {y: 3*q}\nProblemData: {tend: 1, positions: {q: 0}}\n",
                  -1);
    call(&r, 0, "linearize m.yaml --form redundant,descriptor -o l.json --quiet");
    program_release(&r);
    char *text = program_read("l.json");
    assert_non_null(text);
    const char *p = text;
    json *data = json_value(&p);
    const json *form = json_get(data, "redundant");
    assert_near(json_at(json_at(json_get(form, "A"), 1), 0)->number, -4.0, 1e-14, 0.0);
    assert_near(json_at(json_at(json_get(form, "B"), 1), 0)->number, 1.0, 1e-14, 0.0);
    assert_near(json_at(json_at(json_get(form, "C"), 0), 0)->number, 3.0, 1e-14, 0.0);
    assert_near(json_at(json_at(json_get(form, "D"), 0), 0)->number, 0.0, 0.0, 0.0);
    /* 0 = 4 q + q'' - u as the last row, which has no rate */
    form = json_get(data, "descriptor");
    assert_int_equal(json_count(json_get(form, "states")), 3);
    const double row[] = {4.0, 0.0, 1.0};
    for (int i = 0; i < 3; i++) {
        assert_near(json_at(json_at(json_get(form, "A"), 2), i)->number, row[i], 1e-14, 0.0);
        assert_near(json_at(json_at(json_get(form, "E"), 2), i)->number, 0.0, 0.0, 0.0);
    }
    assert_near(json_at(json_at(json_get(form, "B"), 2), 0)->number, -1.0, 1e-14, 0.0);
    json_free(data);
    free(text);
}

/* ---- pages ---- */

static void test_gears_name_what_they_tie(void **state) {
    (void)state;
    program_write("m.yaml",
                  "Dimension: 2\nPartData:\n"
                  "  Fixed: {O: [0, 0], Q: [0.3, 0], x: [1, 0], P: [0, 1]}\n"
                  "  Rigids:\n"
                  "    wheel: {Elements: [O, A], Geom: [[0.1]], Dyna: [[0], 1, 0.1]}\n"
                  "    second: {Elements: [Q, B], Geom: [[0.2]], Dyna: [[0], 1, 0.1]}\n"
                  "    third: {Elements: [C, D], Geom: [[0.2]], Dyna: [[0], 1, 0.1]}\n"
                  "  Particles: {R: 0.5}\n"
                  "  Joints:\n"
                  "    pin: {Type: revolute, Points: [P, C], Angle: chi}\n"
                  "    rail: {Type: point-on-line, Points: [O, R], Axes: [x], Distance: way}\n"
                  "    teeth: {Type: gear, Coordinates: [phi, psi], Ratio: -1/2, Phase: 0}\n"
                  "    more: {Type: gear, Coordinates: [chi, phi], Ratio: 1, Phase: 0}\n"
                  "    pinion: {Type: rack, Coordinates: [phi, way], Radius: 0.1 m}\n"
                  "Angles: {phi: wheel, psi: second}\n"
                  "AppliedForces: {Torques: {wheel: 0.5 N*m}}\n"
                  "ProblemData: {tend: 0.1, positions: {A: [0.1, 0], B: [0.5, 0], R: [0.2, 0], C: "
                  "[0, 1], D: [0.2, 1]}}\n",
                  -1);
    json *data = page_of("view m.yaml --reactions --no-certify -o page.html");
    const json *joints = json_get(data, "joints"), *columns = json_get(data, "columns");
    const struct {
        const char *gear;
        int side, body, of_joint; /* of_joint: the angle or the distance is that of a joint */
    } want[] = {{"teeth", 0, 0, 0}, {"teeth", 1, 1, 0}, {"more", 0, 2, 1}, {"pinion", 0, 0, 0}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        const json *tied =
            json_at(json_get(json_named(joints, want[i].gear), "geared"), want[i].side);
        const json *bodies = json_get(tied, "bodies");
        assert_near(json_at(bodies, 0)->number, -1.0, 0.0, 0.0);
        assert_near(json_at(bodies, 1)->number, want[i].body, 0.0, 0.0);
        if (want[i].of_joint)
            assert_string_equal(json_text(json_at(joints, (int)json_number(tied, "joint")), "name"),
                                "pin");
        else
            assert_near(json_number(tied, "joint"), -1.0, 0.0, 0.0);
    }
    const json *way = json_at(json_get(json_named(joints, "pinion"), "geared"), 1);
    assert_string_equal(json_text(json_at(joints, (int)json_number(way, "joint")), "name"), "rail");
    /* the force in the pin is that of two columns */
    const json *force = json_get(json_named(joints, "pin"), "force");
    assert_int_equal(json_count(force), 2);
    assert_string_equal(json_text(json_at(columns, (int)json_at(force, 0)->number), "name"),
                        "pin.Fx");
    json_free(data);
}

/* The bodies between which an angle of directions counts: -1 is the ground, -2 is not known. */
static void test_gears_know_whose_directions_turn(void **state) {
    (void)state;
    static const struct {
        const char *angle;
        double from, to;
    } want[] = {{"[x, w]", -1, 1},           {"{From: [0, 1], To: w}", -1, 1},
                {"{From: x, To: w}", -1, 1}, {"{From: x, To: w + x}", -1, -2},
                {"[OQ, PC]", -1, 1},         {"[OP, CD]", -1, 1},
                {"[MC, PC]", -2, 1}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "Dimension: 2\nPartData:\n"
                 "  Fixed: {O: [0, 0], Q: [0.3, 0], x: [1, 0], P: [0, 1]}\n"
                 "  Rigids:\n"
                 "    OA: {Geom: [[0.1]], Dyna: [[0], 1, 0.1]}\n"
                 "    third: {Elements: [P, C, D, w], Geom: [[0.2], [0.2, 0.1], [0, 1]], Dyna: "
                 "[[0], 1, 0.1]}\n"
                 "  Particles: {M: 1, N: 1}\n"
                 "  Joints: {teeth: {Type: gear, Coordinates: [tau, phi], Ratio: 1}}\n"
                 "Angles: {phi: OA, tau: %s}\n"
                 "AppliedForces: {Torques: {twist: {On: OA, Against: third, Value: 0.5}}}\n"
                 "Drivers: {MN: 1 + 0.1*t}\n"
                 "ProblemData: {tend: 0.1, positions: {A: [0.1, 0], C: [0.2, 1], D: [0.2, 1.1], "
                 "w: [0, 1], M: [0.2, 0], N: [0.2, 1]}}\n",
                 want[i].angle);
        program_write("m.yaml", text, -1);
        json *data = page_of("view m.yaml --no-certify -o page.html");
        const json *joints = json_get(data, "joints"), *points = json_get(data, "points");
        const json *bodies =
            json_get(json_at(json_get(json_named(joints, "teeth"), "geared"), 0), "bodies");
        if (json_at(bodies, 0)->number != want[i].from || json_at(bodies, 1)->number != want[i].to)
            fail_msg("%s: from %g to %g", want[i].angle, json_at(bodies, 0)->number,
                     json_at(bodies, 1)->number);
        /* a torque between bodies, and a driver of a distance between points */
        const json *twist = json_named(json_get(data, "loads"), "twist");
        assert_string_equal(json_text(twist, "kind"), "torque");
        assert_near(json_number(twist, "body"), 0.0, 0.0, 0.0);
        assert_string_equal(json_text(json_at(points, (int)json_number(twist, "against")), "name"),
                            "P");
        const json *leg = json_named(json_get(data, "loads"), "MN");
        assert_near(json_number(leg, "at"), -1.0, 0.0, 0.0);
        assert_string_equal(json_text(json_at(points, (int)json_number(leg, "a")), "name"), "M");
        assert_string_equal(json_text(json_at(points, (int)json_number(leg, "b")), "name"), "N");
        json_free(data);
    }
}

/* The columns of forces have the values of their formulas, of what moves and what stays. */
static void test_loads_have_their_values(void **state) {
    (void)state;
    program_write("m.yaml",
                  "Dimension: 2\nPhysicalParams: {k: 3}\nPartData:\n"
                  "  Fixed: {O: [0, 0], Q: [0.3, 0.7]}\n"
                  "  Rigids: {OA: {Geom: [[0.1]], Dyna: [[0], 1, 0.1]}}\n"
                  "  Particles: {M: 1, N: 1}\n"
                  "Variables: [z]\nEquations: {one: \"z' - Mx\"}\nAngles: {phi: OA}\n"
                  "AppliedForces:\n  Forces:\n"
                  "    pull: {On: M, Value: \"[-k*Mx + Qy, -2*My' + t]\"}\n"
                  "    hold: {On: N, Against: M, Value: \"[z', -phi]\"}\n"
                  "Drivers: {phi: 0.1*t}\n"
                  "ProblemData: {tend: 0.5, positions: {A: [0.1, 0], M: [0.2, 0], N: [0.2, 1], z: "
                  "0.5}, velocities: {M: [0, 1]}}\n",
                  -1);
    json *data = page_of("view m.yaml --no-certify -o page.html");
    const json *loads = json_get(data, "loads"), *columns = json_get(data, "columns");
    const json *pull = json_get(json_named(loads, "pull"), "columns");
    const json *hold = json_get(json_named(loads, "hold"), "columns");
    const long rows = (long)json_number(data, "rows");
    double *table = page_table(data);
    static const char *const name[] = {"Mx", "My'", "phi", "z'"};
    long of[4];
    for (int i = 0; i < 4; i++) {
        long at = 0;
        for (const json *c = columns->first; strcmp(json_text(c, "name"), name[i]) != 0;
             c = c->next)
            at++;
        of[i] = at * rows;
    }
    assert_int_equal(json_count(pull), 2);
    assert_int_equal(json_count(hold), 2);
    assert_true(rows > 2);
    for (long r = 0; r < rows; r++) {
        const double t = table[r], Mx = table[of[0] + r], rate = table[of[1] + r];
        const double value[] = {-3.0 * Mx + 0.7, -2.0 * rate + t, table[of[3] + r],
                                -table[of[2] + r]};
        for (int i = 0; i < 4; i++) {
            const long column = (long)json_at(i < 2 ? pull : hold, i % 2)->number;
            assert_near(table[column * rows + r], value[i], 1e-6, 0.0);
        }
    }
    free(table);
    json_free(data);
}

/* A curve that does not close is drawn as far as the run goes, and a little farther. */
static void test_open_curves_end_beyond_the_run(void **state) {
    (void)state;
    program_write("m.yaml",
                  "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n"
                  "  Rigids: {ramp: {Elements: [O, A, v], Geom: [[0.1], [0, 1]], Dyna: [[0], 1, "
                  "0.1]}}\n"
                  "  Particles: {F: 0.2}\n"
                  "  Joints: {cam: {Type: point-on-curve, Bodies: [ramp], Points: [O, F], Curve: "
                  "[s, s^2], Parameter: s}}\n"
                  "Constraints: {still: Ay}\nAppliedForces: {Gravity: 9.81}\n"
                  "ProblemData: {tend: 1, positions: {A: [0.1, 0], v: [0, 1], F: [0.2, 0.04], s: "
                  "0.2}}\n",
                  -1);
    json *data = page_of("view m.yaml --no-certify -o page.html");
    const json *curve = json_get(json_named(json_get(data, "joints"), "cam"), "curve");
    const json *points = json_get(curve, "points");
    assert_int_equal(json_get(curve, "closed")->type, 'f');
    for (const json *p = points->first; p; p = p->next)
        assert_near(json_at(p, 1)->number, pow(json_at(p, 0)->number, 2.0), 1e-6, 0.0);
    /* it swings from 0.2 to -0.2: a tenth more on both sides */
    assert_near(json_at(json_at(points, 0), 0)->number, -0.24, 1e-4, 0.0);
    assert_near(json_at(json_at(points, json_count(points) - 1), 0)->number, 0.24, 1e-4, 0.0);
    json_free(data);
}

static void test_a_model_is_beside(void **state) {
    (void)state;
    program_write("m.yaml", TWO_RODS, -1);
    program_write("n.yaml", TWO_RODS "AppliedForces: {Gravity: 9.81}\n", -1);
    json *data = page_of("view m.yaml --with n.yaml --no-certify -o page.html");
    const json *with = json_get(data, "with");
    assert_string_equal(json_text(with, "name"), "n.yaml");
    assert_near(json_number(json_named(json_get(with, "columns"), "Bx"), "base"), 1.0, 1e-14, 0.0);
    json_free(data);
    says(2, "view m.yaml --with none.csv --no-certify -o page.html",
         "none.csv: error: cannot open");
    program_write("bad.yaml", "Title: [\n", -1);
    says(2, "view m.yaml --with bad.yaml --no-certify -o page.html", "bad.yaml:");
}

static void test_pages_that_cannot_be_made(void **state) {
    (void)state;
    program_write("m.yaml", TWO_RODS, -1);
    says(2, "view m.yaml -o none/page.html",
         "none/page.html cannot be written: there is no folder");
    says(2, "view m.yaml -o - --video film.webm", "a film is made from the page; give it a name");
    says(2, "view m.yaml --video film.mp4 -o page.html", "give a name that ends in .webm or .gif");
    says(2, "view m.yaml --live --input F=1 -o page.html", "its runs start as the file says");
    says(2, "view m.yaml --stats none/s.json -o page.html", "there is no folder none/");
    assert_false(program_exists("page.html"));
}

/* The browser is whatever xdg-open starts: here it notes what it was given. */
static void test_a_page_is_opened(void **state) {
    (void)state;
    char path[4200];
    const char *old = getenv("PATH");
    char *kept = strdup(old ? old : "");
    assert_non_null(kept);
    program_write("m.yaml", TWO_RODS, -1);
    program_write("xdg-open", "#!/bin/sh\necho \"opened $1\" > opened.tmp\nmv opened.tmp opened\n",
                  -1);
    assert_int_equal(chmod("xdg-open", 0755), 0);
    snprintf(path, sizeof path, ".:%s", kept);
    setenv("PATH", path, 1);
    program_result r;
    call(&r, 0, "view m.yaml --open --no-certify -o page.html");
    program_release(&r);
    setenv("PATH", kept, 1);
    free(kept);
    for (int i = 0; i < 1000 && !program_exists("opened"); i++)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    char *said = program_read("opened");
    assert_non_null(said);
    assert_non_null(strstr(said, "page.html\n"));
    free(said);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, program_enter, program_leave)
    const struct CMUnitTest tests[] = {
        TEST(test_targets_are_reached_or_not),
        TEST(test_events_are_drawn_where_they_are),
        TEST(test_other_forms_of_matrices),
        TEST(test_gears_name_what_they_tie),
        TEST(test_gears_know_whose_directions_turn),
        TEST(test_loads_have_their_values),
        TEST(test_open_curves_end_beyond_the_run),
        TEST(test_a_model_is_beside),
        TEST(test_ranges_are_told),
        TEST(test_modes_are_told),
        TEST(test_events_are_marks_of_the_page),
        TEST(test_hidden_dependencies_are_told),
        TEST(test_events_are_written_with_derivatives),
        TEST(test_pages_that_cannot_be_made),
        TEST(test_a_page_is_opened),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
