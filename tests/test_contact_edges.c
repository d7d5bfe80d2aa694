/* Contacts where rounding has a say: what happens at one instant, or so soon after that values of
 * gaps do not tell what is open. None is missed, and all coordinates tell the same. */
#include "solve_text.h"

#include <math.h>

static const char *const formulation[] = {"natural", "reference", "relative"};

static const taut_notes *notes_of(const solution *s) { return taut_result_notes(s->result); }

static double value(const solution *s, long row, const char *name) {
    const int column = taut_result_find(s->result, name);
    if (column < 0) fail_msg("no column %s", name);
    return taut_result_value(s->result, row, column);
}

/* No gap is left behind, energy is accounted for, and events are listed in order of time. */
static void check_run(const solution *s, const char *gap) {
    const taut_notes *n = notes_of(s);
    const double first = value(s, 0, "energy") - value(s, 0, "work");
    for (long i = 0; i < taut_result_rows(s->result); i++) {
        if (!(value(s, i, gap) >= -1e-9))
            fail_msg("%s at t = %g: %g", gap, value(s, i, "t"), value(s, i, gap));
        assert_near(value(s, i, "energy") - value(s, i, "work"), first, 1e-9, 0.0);
    }
    for (int i = 1; i < n->events; i++)
        if (n->event[i].t < n->event[i - 1].t)
            fail_msg("%s of %s at t = %.17g is out of order", n->event[i].kind, n->event[i].name,
                     n->event[i].t);
}

static void check_case(const char *text, const char *gap, const char *const *column, int columns) {
    double end[8];
    for (int k = 0; k < 3; k++) {
        taut_run_options o = at_tolerance(1e-11);
        o.formulation = formulation[k];
        o.every = 0.01;
        solution *s = solve_text(text, &o);
        check_run(s, gap);
        const long last = taut_result_rows(s->result) - 1;
        for (int c = 0; c < columns; c++) {
            if (k == 0) end[c] = value(s, last, column[c]);
            assert_near(value(s, last, column[c]), end[c], 1e-7, 0.0);
        }
        solution_free(s);
    }
}

/* A clutch that slips and locks at each bounce of what it holds, while bounces come to an end: it
 * may lock where a flight is too low to have a sign, and at the instant of an impact. */
static void test_clutch_and_bounces(void **state) {
    (void)state;
    static const char text[] =
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0], g: [1, 0], G: [0, -0.710427]}\n"
        "  Rigids:\n"
        "    OA: {Geom: [[0.459345338857929]], Dyna: [[0.229673, -0.023], 1.027, 0.021666]}\n"
        "    AB: {Geom: [[0.342191387818652]], Dyna: [[0.171096, -0.047], 0.6722, 0.0078707]}\n"
        "Angles: {a1: OA, a2: AB, r2: [OA, AB]}\n"
        "AppliedForces: {Gravity: [0, -9.81]}\n"
        "Contacts:\n"
        "  k2: {Point: B, On: {Line: [G, g]}, Restitution: 0.9}\n"
        "Limits:\n"
        "  a1: {Lower: -2.82299, Upper: -2.07539, Restitution: 0}\n"
        "Locks:\n"
        "  l1: {On: r2, When: t > 0.338 and t < 0.803, Capacity: 3.79}\n"
        "Breaks:\n"
        "  b1: {Joint: OA-AB, When: t > 0.359}\n"
        "ProblemData: {tend: 1.1,\n"
        "  positions: {A: [-0.366029019769511, -0.277526389766949],\n"
        "    B: [-0.505041535386889, -0.590209082602646]},\n"
        "  velocities: {a1: 1.734}, fixedvelocities: {a1}}\n";
    check_case(text, "k2.gap", (const char *const[]){"Ax", "Ay", "Bx", "Bx'", "a2'"}, 5);
}

/* Two stops hit in turn, each of which opens the other, until both of them rest: their ends are
 * listed once each, in order. */
static void test_stops_in_turn(void **state) {
    (void)state;
    static const char text[] =
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0]}\n"
        "  Rigids:\n"
        "    OA: {Geom: [[0.733773093014784]], Dyna: [[0.366887, 0.040], 1.43, 0.076997]}\n"
        "    AB: {Geom: [[0.355085216561169]], Dyna: [[0.177543, 0.034], 1.518, 0.019142]}\n"
        "    BD: {Geom: [[0.534851973303669]], Dyna: [[0.267426, -0.038], 1.098, 0.031402]}\n"
        "Angles: {a1: OA, a2: AB, a3: BD, r2: [OA, AB], r3: [AB, BD]}\n"
        "AppliedForces: {Gravity: [0, -9.81], Torques: {OA: 3.074*sin(2.137*t)}}\n"
        "Limits:\n"
        "  a1: {Lower: -1.36333, Upper: -0.51127, Restitution: 0}\n"
        "  OD: {Upper: 1.54824, Restitution: 0.5}\n"
        "Locks:\n"
        "  l1: {On: r2, When: t > 0.409 and t < 0.553, Capacity: 7.69}\n"
        "ProblemData: {tend: 0.7,\n"
        "  positions: {A: [0.499497469468127, -0.53751765554949],\n"
        "    B: [0.285073101695508, -0.82055069518551],\n"
        "    D: [0.572663490417302, -1.27150346617342]},\n"
        "  velocities: {a1: -2.508}, fixedvelocities: {a1}}\n";
    check_case(text, "OD.upper.gap", (const char *const[]){"Ax", "By", "Dx", "a3'"}, 4);
}

/* A foot begins to give way, and the pin that is left to hold passes its bound a moment later, in a
 * step whose load has a short series: friction is never more than it can be, in all coordinates. */
static void test_pin_lets_go_at_its_bound(void **state) {
    (void)state;
    static const char text[] =
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0]}\n"
        "  Rigids:\n"
        "    OA: {Geom: [[0.3896]], Dyna: [[0.1948, 0], 1.902203, 0.024061]}\n"
        "    AB: {Geom: [[0.923897]], Dyna: [[0.461949, 0], 0.70528, 0.050168]}\n"
        "    BD: {Geom: [[0.608337]], Dyna: [[0.304168, 0], 1.191619, 0.036749]}\n"
        "Angles: {a1: OA, a2: AB, a3: BD}\n"
        "AppliedForces: {Gravity: [0, -9.81]}\n"
        "Contacts:\n"
        "  f1: {Gap: Ay + 1.003192, Restitution: 0.7, Along: Ax, Friction: 0.4}\n"
        "  f2: {Gap: By + 1.003192, Restitution: 0, Along: Bx, Friction: 0.2}\n"
        "  f3: {Gap: Dy + 1.003192, Restitution: 0.7, Along: Dx, Friction: 0.4}\n"
        "Limits: {a1: {Lower: -0.3588, Upper: 0.4122, Restitution: 0.5}}\n"
        "Friction: {j: {Joint: ground-OA, Coefficient: 0.126, Radius: 14 mm}}\n"
        "Locks: {k: {On: a1 - a2, When: t > 0.0799 and t < 0.4173}}\n"
        "ProblemData: {tend: 2, positions: {a1: -0.047633, a2: -1.159189, a3: 0.64247}}\n";
    for (int k = 0; k < 3; k++) {
        taut_run_options o = at_tolerance(1e-12);
        o.formulation = formulation[k];
        o.every = 0.005;
        solution *s = solve_text(text, &o);
        for (long i = 0; i < rows_of(s); i++)
            if (!(fabs(value(s, i, "j.T")) <= 0.126 * value(s, i, "j.N") + 1e-9))
                fail_msg("t = %g: %g of %g", value(s, i, "t"), value(s, i, "j.T"),
                         value(s, i, "j.N"));
        solution_free(s);
    }
}

/* The foot of a loop can move along one line only, so that sticking is one condition twice: no
 * impulse of 1e16 is a solution of that, in any coordinates. */
static void test_no_endless_impulse(void **state) {
    (void)state;
    static const char text[] =
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0], E: [2.669226190, 0.296914207]}\n"
        "  Rigids:\n"
        "    OA: {Geom: [[0.773843765]], Dyna: [[0.386922, 0], 0.788864, 0.039367]}\n"
        "    AB: {Geom: [[1.007173948]], Dyna: [[0.503587, 0], 1.081004, 0.091381]}\n"
        "    BD: {Geom: [[1.385313773]], Dyna: [[0.692657, 0], 1.101608, 0.176174]}\n"
        "    DE: {Geom: [[1.165654802]], Dyna: [[0.582827, 0], 0.647752, 0.073344]}\n"
        "AppliedForces: {Gravity: [0, -9.81]}\n"
        "Angles: {a1: OA, a2: AB}\n"
        "Contacts:\n"
        "  b: {Gap: By + 0.763244, Restitution: 0.3, Along: Bx, Friction: 0.2}\n"
        "  f: {Gap: Dy + 0.763244, Restitution: 0.7, Along: Dx, Friction: 0.5, Static: 0.6}\n"
        "Limits: {a2: {Lower: 0.5069, Upper: 1.568, Stiffness: 259.88, Damping: 0.75}}\n"
        "Friction: {p: {Joint: OA-AB, Coefficient: 0.283, Radius: 35.4 mm}}\n"
        "ProblemData: {tend: 1, positions: {A: [0.771962743, -0.053923056],\n"
        "  B: [1.469797009, 0.672318432], D: [1.955824695, -0.624936878]}, velocities: {a1: "
        "1.6464}}\n";
    for (int k = 0; k < 3; k++) {
        taut_run_options o = at_tolerance(1e-12);
        o.formulation = formulation[k];
        solution *s = try_text(text, &o);
        for (int i = 0; i < notes_of(s)->events; i++)
            assert_true(fabs(notes_of(s)->event[i].impulse) < 100.0);
        if (s->status < TAUT_OK)
            assert_non_null(strstr(s->errors.item[0].message, "has no solution by Newton's law"));
        solution_free(s);
    }
}

/* A box on three feet slides down a slope, or has three of four legs too many in space: with the
 * same friction the motion does not depend on how they share the load; with different friction, or
 * while it turns, it does, and is refused, also where it slides already. */
static void test_shared_friction(void **state) {
    (void)state;
    static const char feet[] =
        "PhysicalParams: {a: 0.5}\n"
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0], u: [1, 0]}\n"
        "  Rigids: {box: {Elements: [A, B, C], Geom: [[0.5], [1]], Dyna: [[0.5, 0.3], 2, 0.3]}}\n"
        "AppliedForces: {Gravity: [9.81*sin(a), -9.81*cos(a)]}\n"
        "Contacts:\n"
        "  fa: {Corner: A, On: {Line: [O, u]}, Friction: 0.2}\n"
        "  fb: {Corner: B, On: {Line: [O, u]}, Friction: %s}\n"
        "  fc: {Corner: C, On: {Line: [O, u]}, Friction: 0.2}\n"
        "ProblemData: {tend: 1, positions: {A: [0, 0], B: [0.5, 0], C: [1, 0]},\n"
        "  velocities: {A: [%s, 0], B: [%s, 0]}}\n";
    static const char legs[] =
        "Dimension: 3\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0, 0], n: [0, 0, 1]}\n"
        "  Rigids: {table: {Elements: [A, B, C, D, u, v], Geom: [[1, 0, 0], [1, 0.6, 0], [0, 0.6, "
        "0], [1, 0, 0], [0, 1, 0]],\n"
        "    Dyna: [[0.4, 0.25, 0.2], 3, [0.1, 0.2, 0.25]]}}\n"
        "AppliedForces: {Gravity: [0, 0, -9.81]}\n"
        "Contacts:\n"
        "  a: {Point: A, On: {Plane: [O, n]}, Friction: %s}\n"
        "  b: {Point: B, On: {Plane: [O, n]}, Friction: 0.2}\n"
        "  c: {Point: C, On: {Plane: [O, n]}, Friction: 0.2}\n"
        "  d: {Point: D, On: {Plane: [O, n]}, Friction: 0.2}\n"
        "ProblemData: {tend: 0.3, positions: {A: [0, 0, 0], u: [1, 0, 0], v: [0, 1, 0]},\n"
        "  velocities: {A: [1, 0.5, 0], u: [0, %s, 0]}, fixedvelocities: [A, u]}\n";
    static const char words[] = "rigid bodies do not tell how they share the load";
    static const char *const speed[] = {"0", "1"};
    for (int k = 0; k < 3; k++)
        for (int moves = 0; moves < 2; moves++)
            for (int differ = 0; differ < 2; differ++) {
                char text[2][1200];
                taut_run_options o = at_tolerance(1e-12);
                o.formulation = formulation[k];
                snprintf(text[0], sizeof text[0], feet, differ ? "0.4" : "0.2", speed[moves],
                         speed[moves]);
                snprintf(text[1], sizeof text[1], legs, differ && !moves ? "0.3" : "0.2",
                         differ && moves ? "1" : "0");
                for (int i = 0; i < 2; i++) {
                    solution *s = try_text(text[i], &o);
                    if (differ) {
                        assert_int_equal(s->status, TAUT_ERR_NUMERICS);
                        assert_non_null(strstr(s->errors.item[0].message, words));
                        solution_free(s);
                        continue;
                    }
                    assert_int_equal(s->status, TAUT_OK);
                    const long last = taut_result_rows(s->result) - 1;
                    const double v = 1.0 - 0.2 * 9.81 * 0.3 / hypot(1.0, 0.5);
                    if (i == 0)
                        assert_near(value(s, last, "Ax"),
                                    moves + 0.5 * 9.81 * (sin(0.5) - 0.2 * cos(0.5)), 1e-12, 0.0);
                    else
                        assert_near(value(s, last, "Ay'"), 0.5 * v, 1e-12, 0.0);
                    solution_free(s);
                }
            }
}

/* The same for nine feet in a row, of which one solution is sought by pivoting. */
static void test_many_share_friction(void **state) {
    (void)state;
    enum { FEET = 9 };
    for (int differ = 0; differ < 2; differ++) {
        char text[2000];
        int n = snprintf(text, sizeof text,
                         "Dimension: 2\nPartData:\n"
                         "  Fixed: {O: [0, 0], u: [1, 0]}\n"
                         "  Rigids: {box: {Elements: [P0");
        for (int i = 1; i < FEET; i++) n += snprintf(text + n, sizeof text - (size_t)n, ", P%d", i);
        n += snprintf(text + n, sizeof text - (size_t)n, "], Geom: [[0.125]");
        for (int i = 2; i < FEET; i++)
            n += snprintf(text + n, sizeof text - (size_t)n, ", [%g]", 0.125 * i);
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "], Dyna: [[0.5, 0.2], 2, 0.3]}}\n"
                      "AppliedForces: {Gravity: [0, -9.81]}\nContacts:\n");
        for (int i = 0; i < FEET; i++)
            n += snprintf(text + n, sizeof text - (size_t)n,
                          "  c%d: {Corner: P%d, On: {Line: [O, u]}, Friction: %g}\n", i, i,
                          differ && i % 2 ? 0.3 : 0.2);
        snprintf(text + n, sizeof text - (size_t)n,
                 "ProblemData: {tend: 0.2, positions: {P0: [0, 0], P1: [0.125, 0]},\n"
                 "  velocities: {P0: [1, 0]}, fixedvelocities: [P0]}\n");
        taut_run_options o = at_tolerance(1e-12);
        solution *s = try_text(text, &o);
        if (differ) {
            assert_int_equal(s->status, TAUT_ERR_NUMERICS);
            assert_non_null(strstr(s->errors.item[0].message,
                                   "rigid bodies do not tell how they share the load"));
        } else {
            const long last = taut_result_rows(s->result) - 1;
            assert_near(value(s, last, "P0x'"), 1.0 - 0.2 * 9.81 * 0.2, 1e-12, 0.0);
        }
        solution_free(s);
    }
}

/* Friction by a table of the speed that ends at 0: what it would be for speeds below, which is
 * asked while the body slides the other way, is no matter. 1 - v/2 to v = 1, then 1/2: from v = 2
 * on it slides for 2 s, and v = 2 - exp(t/2) stops after 2 log 2. */
static void test_tables_of_speed(void **state) {
    (void)state;
    static const char form[] = "Tables: {mu: {Points: [[0, 1], [1, 0.5], [2.5, 0.5]]}}\n"
                               "Lagrangian: {Coordinates: [x], L: x'^2/2}\n"
                               "Friction: {f: {On: x, Force: mu(speed)}}\n"
                               "ProblemData: {tend: 10, positions: {x: 0}, velocities: {x: %g}}\n";
    static const char *const solver[] = {"taylor", "ho"};
    for (int k = 0; k < 4; k++) {
        char text[400];
        const double sign = k < 2 ? 1.0 : -1.0;
        taut_run_options o = at_tolerance(1e-12);
        o.solver = solver[k % 2];
        snprintf(text, sizeof text, form, 2.0 * sign);
        solution *s = solve_text(text, &o);
        const long last = taut_result_rows(s->result) - 1;
        assert_int_equal(notes_of(s)->events, 1);
        assert_near(notes_of(s)->event[0].t, 2.0 + 2.0 * log(2.0), 1e-12, 0.0);
        assert_near(value(s, last, "x"), sign * (1.0 + 4.0 * log(2.0)), 1e-11, 0.0);
        solution_free(s);
        snprintf(text, sizeof text, form, 3.0 * sign); /* that matters */
        s = try_text(text, &o);
        assert_int_equal(s->status, TAUT_ERR_INPUT);
        assert_non_null(strstr(s->errors.item[0].message, "is 3, outside of the table 'mu'"));
        solution_free(s);
    }
}

/* What a driver moves into a contact cannot be stopped: that is told, at the blow and where it sets
 * off from the contact with whatever derivative; rounding is no impulse of 1e17. Moved away and
 * back it is no matter. */
static void test_driven_into_contacts(void **state) {
    (void)state;
    static const char form[] =
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0], x: [1, 0], v: [0.6, 0.8]}\n"
        "  Rigids: {b: {Elements: [Q, f], Geom: [[1, 0]], Dyna: [[0, 0], 2, 0.1]}}\n"
        "  Joints: {way: {Type: prismatic, Points: [O, Q], Axes: [v, f], Distance: s}}\n"
        "Drivers: {s: %s}\n"
        "AppliedForces: {Gravity: [0, -9.81]}\n"
        "Contacts: {c: {Point: Q, On: {Line: [O, x]}, Restitution: 0.5, Friction: 0.2}}\n"
        "ProblemData: {tend: 2, positions: {Q: [%s], f: [0.6, 0.8]}}\n";
    static const struct {
        const char *way, *start;
        double stops; /* negative: it does not */
    } list[] = {{"0.5 - t", "0.3, 0.4", 0.5},
                {"-t^2", "0, 0", 0.0},
                {"-t^4", "0, 0", 0.0},
                {"t^4*(1 - t)", "0, 0", 1.0},
                {"t^4", "0, 0", -1.0}};
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        for (int k = 0; k < 3; k++) {
            char text[900], words[60];
            taut_run_options o = at_tolerance(1e-12);
            o.formulation = formulation[k];
            snprintf(text, sizeof text, form, list[i].way, list[i].start);
            solution *s = try_text(text, &o);
            snprintf(words, sizeof words, "at t = %g 'c' is reached by what", list[i].stops);
            if (list[i].stops < 0.0) {
                const long last = taut_result_rows(s->result) - 1;
                assert_int_equal(s->status, TAUT_OK);
                assert_near(value(s, last, "c.gap"), 0.8 * 16.0, 1e-12, 0.0);
                assert_near(value(s, last, "c.mode"), 0.0, 0.0, 0.0);
            } else {
                assert_int_equal(s->status, TAUT_ERR_NUMERICS);
                assert_non_null(strstr(s->errors.item[0].message, words));
            }
            solution_free(s);
        }
}

/* A body slides on a floor that turns up at x = 1 and is level again from x = 2 on, by a table and
 * by a formula: the first corner is a blow across the slope, (4, 0) becomes (4, 2)/1.25 or, with
 * restitution, bounces; at the second one it flies off. The same for a floor that sets off at once.
 */
static void test_corners_of_gaps(void **state) {
    (void)state;
    static const char form[] =
        "Tables: {road: {Points: [[0, 0], [1, 0], [2, 0.5], [3, 0.5]], Outside: hold}}\n"
        "Dimension: 2\n"
        "PartData: {Particles: {A: 1}}\n"
        "AppliedForces: {Gravity: [0, -9.81]}\n"
        "Contacts: {g: {Gap: \"%s\", Restitution: %g}}\n"
        "ProblemData: {tend: 0.7, positions: {A: [0, 0]}, velocities: {A: [%g, 0]}}\n";
    static const char *const gap[] = {"Ay - road(Ax)", "Ay - min(max(0, 0.5*(Ax - 1)), 0.5)",
                                      "Ay - max(0, 2*(t - 0.25))"};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++)
            for (int bounces = 0; bounces < 2; bounces++) {
                char text[700];
                taut_run_options o = at_tolerance(1e-12);
                const double e = bounces ? 0.5 : 0.0, slope = i < 2 ? 0.5 : 0.0;
                const double impulse = (1.0 + e) * 2.0 / (1.0 + slope * slope);
                o.formulation = formulation[k];
                o.at = (const double[]){0.3, 0.7};
                o.ats = 2;
                snprintf(text, sizeof text, form, gap[i], e, i < 2 ? 4.0 : 0.0);
                solution *s = solve_text(text, &o);
                const taut_notes *n = notes_of(s);
                assert_true(n->events > 0);
                assert_string_equal(n->event[0].kind, "impact");
                assert_near(n->event[0].t, 0.25, 1e-13, 0.0);
                assert_near(n->event[0].impulse, impulse, 1e-12, 0.0);
                const double ax = bounces ? 0.0 : -9.81 * 0.5 / 1.25;
                if (i < 2)
                    assert_near(value(s, 0, "Ax'"), 4.0 - 0.5 * impulse + 0.05 * ax, 1e-12, 0.0);
                if (i < 2 && !bounces) { /* from x = 2 on */
                    const double vx = sqrt(3.2 * 3.2 + 2.0 * ax), flight = (vx - 3.2) / ax;
                    assert_string_equal(n->event[1].kind, "open");
                    assert_near(n->event[1].t, 0.25 + flight, 1e-12, 0.0);
                    assert_near(value(s, 1, "Ay'"), 0.5 * vx - 9.81 * (0.45 - flight), 1e-11, 0.0);
                }
                if (i < 2)
                    for (int row = 0; row < 2; row++)
                        assert_near(value(s, row, "energy") - value(s, row, "work"), 8.0, 1e-12,
                                    0.0);
                solution_free(s);
            }
}

/* A body on a belt whose speed jumps is not taken along by a blow: it slips. From t = 1 on the belt
 * moves with 1.2 instead of 0.2, from t = 2 on it stands. */
static void test_belt_that_jerks(void **state) {
    (void)state;
    static const char text[] = "Tables: {b: {Points: [[0, 0], [1, 0.2], [2, 1.4], [9, 1.4]]}}\n"
                               "Lagrangian: {Coordinates: [x], L: x'^2/2}\n"
                               "Friction: {f: {On: x - b(t), Force: 2}}\n"
                               "ProblemData: {tend: 4, positions: {x: 0}, velocities: {x: 0.2}}\n";
    static const double t[] = {1.0, 1.5, 2.0, 2.6};
    taut_run_options o = at_tolerance(1e-12);
    solution *s = solve_text(text, &o);
    const taut_notes *n = notes_of(s);
    assert_int_equal(n->events, 4);
    for (int i = 0; i < 4; i++) {
        assert_near(n->event[i].t, t[i], 1e-13, 0.0);
        assert_string_equal(n->event[i].kind, i % 2 == 0 ? "slip" : "stick");
    }
    const long last = taut_result_rows(s->result) - 1;
    assert_near(value(s, last, "x"), 0.2 + 0.35 + 0.6 + 0.36, 1e-12, 0.0);
    solution_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clutch_and_bounces),
        cmocka_unit_test(test_stops_in_turn),
        cmocka_unit_test(test_pin_lets_go_at_its_bound),
        cmocka_unit_test(test_no_endless_impulse),
        cmocka_unit_test(test_shared_friction),
        cmocka_unit_test(test_many_share_friction),
        cmocka_unit_test(test_tables_of_speed),
        cmocka_unit_test(test_driven_into_contacts),
        cmocka_unit_test(test_corners_of_gaps),
        cmocka_unit_test(test_belt_that_jerks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
