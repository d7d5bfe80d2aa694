/* What pages say about parts: shapes, surfaces, links, drivers, curves, contacts, other runs, what
 * can be turned in live pages; and pages of sweeps. Numbers are compared with closed forms. */
#include "page.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/text.h"
#include "out/page_data.h"
#include "out/template.h"
#include "program.h"
#include "task/result.h"
#include "taut/taut.h"

static const double PI = 3.14159265358979323846;

/* The data of a page that this command writes into page.html. */
static json *page_of(const char *command) {
    program_result r;
    program_call(&r, command);
    if (r.code != 0) fail_msg("taut %s ends with %d:\n%s", command, r.code, r.err);
    program_release(&r);
    char *html = program_read("page.html");
    assert_non_null(html);
    json *data = page_data(html);
    free(html);
    return data;
}

static double item(const json *list, int i) {
    assert_int_equal(json_at(list, i)->type, '0');
    return json_at(list, i)->number;
}

/* ---- bodies ---- */

static const char LOOKS[] =
    "PhysicalParams: {g: 9.81, c1: 200 N/m, l1: 0.5 m, m1: 2, w: 0.3, d1: 3 N*s/m, free: 7, twice: "
    "2*w}\n"
    "Dimension: 2\n"
    "PartData:\n"
    "  Fixed: {O: [0, 0], Q: [2, 0]}\n"
    "  Particles: {M: m1}\n"
    "  Rigids:\n"
    "    OA: {Geom: [[w]], Shape: {Type: cylinder, Radius: 0.1, Length: 0.02, Centre: [0], "
    "Density: 7850}}\n"
    "    AB: {Geom: [[0.3]], Shape: {Type: rod, Area: 1 cm^2, Density: 7850}}\n"
    "    BC: {Geom: [[0.2]], Shape: {Type: box, Size: [0.2, 0.1], Mass: 1 kg}}\n"
    "    CD: {Geom: [[0.1]], Mesh: {File: part.stl, Scale: 0.001, Origin: [0.05, 0]}, Dyna: "
    "[[0.05], 1, 0.001]}\n"
    "    DE: {Geom: [[0.2]], Shape: {Type: sphere, Radius: 0.05, Mass: 1}, Mesh: {File: part.stl, "
    "Scale: 0.001}}\n"
    "  Springs: {QM: [c1, l1]}\n"
    "  Dampers: {OM: d1}\n"
    "  Bushings: {mount: {Points: [Q, E], k: 2000, c: 20, kt: 50, ct: 0.1}}\n"
    "AppliedForces: {Gravity: g}\n"
    "Angles: {phi: OA}\n"
    "Drivers: {phi: 2*t}\n"
    "ProblemData:\n"
    "  tend: 0.01\n"
    "  positions: {A: [0.3, 0], B: [0.6, 0], C: [0.8, 0], D: [0.9, 0], E: [1.1, 0], M: [1.5, "
    "0.3]}\n"
    "  velocities: {M: [0, 1]}\n";

/* A corner of a brick of 30 x 20 x 10 mm. */
static void write_surface(void) {
    static const char corner[4][10] = {"0 0 0", "30 0 0", "0 20 0", "0 0 10"};
    static const int face[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    taut_string file = {0};
    taut_string_add(&file, "solid part\n");
    for (int f = 0; f < 4; f++) {
        taut_string_add(&file, "facet normal 0 0 0\nouter loop\n");
        for (int i = 0; i < 3; i++) taut_string_add(&file, "vertex %s\n", corner[face[f][i]]);
        taut_string_add(&file, "endloop\nendfacet\n");
    }
    taut_string_add(&file, "endsolid part\n");
    assert_false(file.failed);
    program_write("part.stl", file.text, (long)file.length);
    taut_string_release(&file);
}

static void test_shapes_are_those_of_the_file(void **state) {
    (void)state;
    write_surface();
    program_write("m.yaml", LOOKS, -1);
    json *data = page_of("view m.yaml --no-certify -o page.html");
    const json *bodies = json_get(data, "bodies"), *one = json_named(bodies, "OA"), *shape;
    const double mass = 7850.0 * PI * 0.01 * 0.02;
    assert_near(json_number(one, "mass"), mass, 1e-12, 0.0);
    assert_near(item(json_get(one, "inertia"), 0), 0.5 * mass * 0.01, 1e-9, 0.0);
    shape = json_get(one, "shape");
    assert_string_equal(json_text(shape, "type"), "cylinder");
    assert_near(json_number(shape, "radius"), 0.1, 1e-9, 0.0);
    assert_near(json_number(shape, "length"), 0.02, 1e-9, 0.0);
    assert_int_equal(json_get(shape, "axis")->type, 'n');
    shape = json_get(json_named(bodies, "AB"), "shape");
    assert_string_equal(json_text(shape, "type"), "rod");
    assert_near(json_number(shape, "area"), 1e-4, 1e-12, 0.0);
    assert_near(item(json_get(shape, "centre"), 0), 0.15, 1e-9, 0.0);
    assert_near(item(json_get(shape, "axis"), 0), 1.0, 1e-9, 0.0);
    shape = json_get(json_named(bodies, "BC"), "shape");
    assert_string_equal(json_text(shape, "type"), "box");
    assert_near(item(json_get(shape, "size"), 1), 0.1, 1e-9, 0.0);
    assert_int_equal(json_at(json_get(shape, "size"), 2)->type, 'n'); /* flat */
    assert_string_equal(json_text(json_get(json_named(bodies, "DE"), "shape"), "type"), "sphere");
    json_free(data);
}

/* Two bodies share one surface, which is there once. */
static void test_surfaces_are_there_once(void **state) {
    (void)state;
    write_surface();
    program_write("m.yaml", LOOKS, -1);
    json *data = page_of("view m.yaml --no-certify -o page.html");
    const json *bodies = json_get(data, "bodies"), *meshes = json_get(data, "meshes");
    assert_int_equal(json_count(meshes), 1);
    assert_near(json_number(json_at(meshes, 0), "triangles"), 4.0, 0.0, 0.0);
    /* 4 corners of 3 floats, 4 triangles of 3 words, 4 letters for 3 bytes */
    assert_int_equal(strlen(json_text(json_at(meshes, 0), "corners")), 64);
    assert_int_equal(strlen(json_text(json_at(meshes, 0), "indices")), 64);
    static const char *const name[] = {"CD", "DE"};
    for (int i = 0; i < 2; i++) {
        const json *mesh = json_get(json_named(bodies, name[i]), "mesh");
        assert_near(json_number(mesh, "number"), 0.0, 0.0, 0.0);
        assert_near(json_number(mesh, "scale"), 0.001, 1e-15, 0.0);
        assert_near(item(json_get(mesh, "origin"), 0), i == 0 ? 0.05 : 0.0, 1e-15, 0.0);
    }
    assert_int_equal(json_get(json_named(bodies, "AB"), "mesh")->type, 'n');
    json_free(data);
}

static void test_links_and_drivers_are_those_of_the_file(void **state) {
    (void)state;
    write_surface();
    program_write("m.yaml", LOOKS, -1);
    json *data = page_of("view m.yaml --no-certify -o page.html");
    const json *links = json_get(data, "links"), *points = json_get(data, "points");
    const json *spring = json_named(links, "QM"), *mount = json_named(links, "mount");
    assert_near(json_number(spring, "stiffness"), 200.0, 1e-12, 0.0);
    assert_near(json_number(spring, "rest"), 0.5, 1e-15, 0.0);
    assert_near(json_number(json_named(links, "OM"), "damping"), 3.0, 1e-15, 0.0);
    assert_string_equal(json_text(mount, "kind"), "springdamper");
    assert_string_equal(json_text(json_at(points, (int)json_number(mount, "a")), "name"), "Q");
    assert_string_equal(json_text(json_at(points, (int)json_number(mount, "b")), "name"), "E");
    assert_int_equal(json_get(mount, "stiffness")->type, 'n');
    assert_string_equal(json_text(json_named(json_get(data, "loads"), "phi"), "kind"), "driver");
    json_free(data);
}

/* ---- curves and contacts ---- */

static void test_curves_are_drawn_as_they_are(void **state) {
    (void)state;
    program_write("m.yaml",
                  "Dimension: 2\nPartData:\n"
                  "  Fixed: {O: [0, 0], y: [0, 1]}\n"
                  "  Rigids: {wheel: {Elements: [O, A], Geom: [[0.1]], Dyna: [[0], 1, 0.1]}}\n"
                  "  Particles: {F: 0.2}\n"
                  "  Joints:\n"
                  "    cam: {Type: point-on-curve, Bodies: [wheel], Points: [O, F], "
                  "Curve: [0.15*cos(s), 0.2*sin(s)], Parameter: s}\n"
                  "    guide: {Type: point-on-line, Points: [O, F], Axes: [y], Distance: lift}\n"
                  "Angles: {phi: wheel}\nDrivers: {phi: 7*t}\n"
                  "ProblemData: {tend: 1, positions: {A: [0.1, 0], F: [0, 0.2], s: 90 deg}}\n",
                  -1);
    json *data = page_of("view m.yaml --no-certify -o page.html");
    const json *curve = json_get(json_named(json_get(data, "joints"), "cam"), "curve");
    assert_int_equal(json_get(curve, "closed")->type, 't');
    const json *points = json_get(curve, "points");
    assert_true(json_count(points) > 50);
    double turned = 0.0, last = 0.0;
    for (const json *p = points->first; p; p = p->next) {
        const double angle = atan2(item(p, 1) / 0.2, item(p, 0) / 0.15);
        assert_near(hypot(item(p, 0) / 0.15, item(p, 1) / 0.2), 1.0, 1e-5, 0.0);
        if (p != points->first) turned += remainder(angle - last, 2.0 * PI);
        last = angle;
    }
    assert_true(fabs(turned) > 1.9 * PI); /* all the way round */
    json_free(data);
}

static const char TOUCH[] =
    "PhysicalParams: {g: 9.81}\nDimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n"
    "  Particles: {A: 1, B: 1}\nAppliedForces: {Gravity: g}\nContacts:\n"
    "  ball: {Circle: [A, 0.1], On: {Circle: [O, 0.3]}, Restitution: 0.5}\n"
    "  dip: {Point: B, On: {Line: [[0, -1], [1, 0]]}, Restitution: 0.5}\n"
    "ProblemData: {tend: 0.1, positions: {A: [0.1, 1], B: [0.4, 0.6]}}\n";

static void test_contacts_are_those_of_the_file(void **state) {
    (void)state;
    program_write("m.yaml", TOUCH, -1);
    json *data = page_of("view m.yaml --no-certify -o page.html");
    const json *columns = json_get(data, "columns"), *points = json_get(data, "points");
    const json *ball = json_named(json_get(data, "contacts"), "ball");
    assert_string_equal(json_text(json_at(points, (int)json_number(ball, "at")), "name"), "A");
    assert_string_equal(json_text(json_at(points, (int)json_number(ball, "on")), "name"), "O");
    assert_near(json_number(ball, "radius"), 0.1, 1e-15, 0.0);
    assert_near(json_number(ball, "on_radius"), 0.3, 1e-15, 0.0);
    assert_string_equal(json_text(json_at(columns, (int)json_number(ball, "mode")), "name"),
                        "ball.mode");
    const json *held = json_named(json_get(data, "holds"), "dip");
    assert_string_equal(json_text(held, "kind"), "contact");
    assert_string_equal(json_text(json_at(columns, (int)json_number(held, "mode")), "name"),
                        "dip.mode");
    json_free(data);
    program_result r;
    program_call(&r, "analyze m.yaml");
    assert_int_equal(r.code, 0);
    assert_non_null(strstr(r.out, "modes at the start\n  ball                     open\n"));
    program_release(&r);
    program_call(&r, "analyze m.yaml --json");
    assert_int_equal(r.code, 0);
    assert_non_null(strstr(r.out, "\"modes\": {\"ball\": \"open\", \"dip\": \"open\"}"));
    program_release(&r);
}

/* ---- other runs ---- */

static const char OSCILLATOR[] = "PhysicalParams: {w: 2, k: 3}\n"
                                 "DAE: {Variables: [x, v], Equations: [x' - v, v' + w^2*x]}\n"
                                 "ProblemData: {tend: 1, positions: {x: k, v: 0}}\n";

static void test_another_run_is_beside(void **state) {
    (void)state;
    program_write("m.yaml", OSCILLATOR, -1);
    program_write("other.csv", "t,x,unknown\n0,1,5\n0.5,1.25,5\n1,1.5,5\n", -1);
    json *data = page_of("view m.yaml --with other.csv --no-certify -o page.html");
    const json *with = json_get(data, "with"), *columns = json_get(with, "columns");
    assert_string_equal(json_text(with, "name"), "other.csv");
    assert_near(json_number(with, "rows"), 3.0, 0.0, 0.0);
    assert_int_equal(json_count(columns), 2); /* one is not in this run */
    assert_near(json_number(json_named(columns, "x"), "base"), 1.0, 0.0, 0.0);
    /* floats above their base: 0 0.5 1, 0 0.25 0.5 */
    assert_string_equal(json_text(with, "data"), "AAAAAAAAAD8AAIA/AAAAAAAAgD4AAAA/");
    json_free(data);
}

/* x = k cos(w t) */
static void test_sweeps_have_pages(void **state) {
    (void)state;
    program_write("m.yaml", OSCILLATOR, -1);
    json *data = page_of("sweep m.yaml --vary w=1..2:3 --report end(x) --trace x -o page.html "
                         "--quiet");
    const double w[] = {1.0, 1.5, 2.0};
    double mean = 0.0, square = 0.0;
    const json *traces = json_get(data, "traces"), *time = json_get(traces, "t");
    assert_string_equal(json_text(data, "kind"), "sweep");
    for (int i = 0; i < 3; i++) {
        const double end = 3.0 * cos(w[i]);
        mean += end / 3.0;
        const json *row = json_at(json_get(data, "rows"), i);
        assert_near(item(row, 1), w[i], 1e-9, 0.0);
        assert_near(item(row, 2), end, 1e-7, 0.0);
        assert_string_equal(json_at(json_get(data, "status"), i)->text, "ok");
        const json *course = json_at(json_get(traces, "values"), i)->first;
        if (course->type == '[' && course->first->type == '[') course = course->first;
        for (int k = 0; k < json_count(time); k += 20)
            assert_near(item(course, k), 3.0 * cos(w[i] * item(time, k)), 1e-5, 0.0);
    }
    for (int i = 0; i < 3; i++) square += pow(3.0 * cos(w[i]) - mean, 2.0) / 2.0;
    const json *spread = json_at(json_get(data, "spread"), 1);
    assert_near(item(spread, 0), mean, 1e-7, 0.0);
    assert_near(item(spread, 1), sqrt(square), 1e-7, 0.0);
    assert_near(item(spread, 2), 3.0 * cos(2.0), 1e-7, 0.0);
    assert_near(item(spread, 3), 3.0 * cos(1.0), 1e-7, 0.0);
    assert_near(item(json_at(json_get(data, "correlation"), 0), 0), 1.0, 1e-4, 0.0);
    json_free(data);
}

/* ---- live pages: what can be turned, without the engine ---- */

static void test_settings_have_values_and_units(void **state) {
    (void)state;
    write_surface();
    program_write("m.yaml", LOOKS, -1);
    taut_errors errors = {0};
    taut_model *model = NULL;
    assert_int_equal(taut_model_read("m.yaml", NULL, 0, &model, &errors), TAUT_OK);
    const taut_page page = {.file = "m.yaml", .model = model, .live = true};
    taut_string out = {0};
    taut_string_add(&out, "{\"first\":0");
    taut_settings_write(&page, &out);
    taut_string_add(&out, "}");
    assert_false(out.failed);
    const char *text = out.text;
    json *data = json_value(&text);
    const json *settings = json_get(data, "settings"), *list = json_get(settings, "parameters");
    const struct {
        const char *name, *unit;
        double value;
        char powers;
    } want[] = {{"c1", "N/m", 200.0, 't'},
                {"l1", "m", 0.5, 'f'},
                {"m1", "kg", 2.0, 'f'},
                {"w", "m", 0.3, 'f'},
                {"free", "", 7.0, 'f'}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        const json *one = json_named(list, want[i].name);
        assert_string_equal(json_text(one, "unit"), want[i].unit);
        assert_near(json_number(one, "value"), want[i].value, 1e-15, 0.0);
        assert_int_equal(json_get(one, "powers")->type, want[i].powers);
    }
    assert_int_equal(json_get(json_named(list, "d1"), "powers")->type, 't');
    const json *initial = json_get(settings, "initial"), *rate = json_named(initial, "My'");
    assert_near(json_number(rate, "value"), 1.0, 0.0, 0.0);
    assert_string_equal(json_text(rate, "unit"), "m/s");
    assert_near(json_number(json_named(initial, "Ax"), "value"), 0.3, 1e-15, 0.0);
    const json *file = json_at(json_get(data, "files"), 0);
    assert_string_equal(json_text(file, "name"), "part.stl");
    assert_memory_equal(json_text(file, "text"), "solid part\nfacet", 16);
    json_free(data);
    taut_string_release(&out);
    taut_model_free(&model);
}

/* Without an engine a live page is refused; otherwise it is in the page, whole, and the page may
 * run it: the bytes of a gzip file, and no script from elsewhere. */
static void test_live_pages_have_the_engine(void **state) {
    (void)state;
    taut_errors errors = {0};
    taut_model *model = NULL;
    write_surface();
    program_write("m.yaml", LOOKS, -1);
    assert_int_equal(taut_model_read("m.yaml", NULL, 0, &model, &errors), TAUT_OK);
    taut_page page = {.file = "m.yaml", .model = model};
    assert_int_equal(taut_page_write(&page, "still.html", &errors), TAUT_OK);
    page.live = true;
    const long bytes = taut_template_engine().length;
    const taut_status status = taut_page_write(&page, "live.html", &errors);
    assert_int_equal(status, bytes > 0 ? TAUT_OK : TAUT_ERR_LIBRARY);
    char *still = program_read("still.html"), *live = program_read("live.html");
    static const char open[] = "<script type=\"application/gzip\" id=\"taut-engine\">";
    assert_non_null(still);
    assert_null(strstr(still, open));
    assert_null(strstr(still, "wasm-unsafe-eval'; worker-src"));
    if (bytes == 0) {
        assert_null(live);
        assert_non_null(strstr(errors.item[0].message, "no engine for live pages"));
    } else {
        const char *engine = strstr(live, open);
        assert_non_null(engine);
        engine += strlen(open);
        const size_t length = strcspn(engine, "<");
        assert_int_equal(length, (bytes + 2) / 3 * 4);
        assert_memory_equal(engine, "H4sI", 4); /* 1f 8b 08 */
        assert_memory_equal(engine + length, "</script>", 9);
        assert_non_null(strstr(live, "' 'wasm-unsafe-eval'; worker-src blob:"));
        json *data = page_data(live);
        json_get(data, "settings");
        json_free(data);
    }
    free(still);
    free(live);
    taut_model_free(&model);
}

/* What is held: a clutch, and a slider that is driven along a line. */
static void test_locks_and_drivers_on_lines(void **state) {
    (void)state;
    program_write("m.yaml",
                  "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0], P: [0, 1], u: [1, 0]}\n"
                  "  Rigids: {OA: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}}\n  Particles: {M: 1}\n"
                  "  Collinears: {PuM: way}\nAngles: {phi: OA}\n"
                  "Drivers: {way: 0.2 + 0.1*t}\n"
                  "Locks: {brake: {On: phi, When: t > 0.05, Capacity: 20}}\n"
                  "ProblemData: {tend: 0.1, positions: {A: [1, 0], M: [0.2, 1], way: 0.2},\n"
                  "  velocities: {A: [0, 1]}}\n",
                  -1);
    json *data = page_of("view m.yaml --no-certify -o page.html");
    const json *brake = json_named(json_get(data, "holds"), "brake");
    assert_string_equal(json_text(brake, "kind"), "lock");
    const json *columns = json_get(data, "columns");
    assert_string_equal(json_text(json_at(columns, (int)json_number(brake, "mode")), "name"),
                        "brake.mode");
    const json *way = json_named(json_get(data, "loads"), "way");
    const json *points = json_get(data, "points"), *vectors = json_get(data, "vectors");
    assert_string_equal(json_text(way, "kind"), "driver");
    assert_string_equal(json_text(json_at(points, (int)json_number(way, "at")), "name"), "M");
    assert_string_equal(json_text(json_at(vectors, (int)json_number(way, "axis")), "name"), "u");
    assert_string_equal(json_text(json_at(columns, (int)item(json_get(way, "columns"), 0)), "name"),
                        "way");
    assert_int_equal(json_get(way, "tied")->type, 'n');
    json_free(data);
}

/* What the steps met and what happened are one list, along the run, whichever way it goes. */
static void test_marks_are_in_the_order_of_the_run(void **state) {
    (void)state;
    for (int way = 1; way >= -1; way -= 2) {
        char text[400];
        taut_model *model = NULL;
        taut_result *result = NULL;
        taut_run_options o = taut_run_options_default();
        taut_string out = {0};
        snprintf(text, sizeof text,
                 "DAE: {Variables: [x], Equations: [x' - 1]}\n"
                 "Events: {a: {When: x - %g}, b: {When: x - %g}}\n"
                 "ProblemData: {tend: %d, positions: {x: 0}}\n",
                 0.5 * way, 1.5 * way, 2 * way);
        o.every = TAUT_FOR_SCREEN;
        assert_int_equal(taut_model_parse("m.yaml", text, -1, &model, NULL), TAUT_OK);
        assert_int_equal(taut_simulate(model, &o, &result, NULL), TAUT_OK);
        assert_int_equal(result->trace.marks, 0);
        assert_int_equal(taut_trace_mark(&result->trace, 0.25 * way, TAUT_MARK_SINGULAR, "one"),
                         TAUT_OK);
        assert_int_equal(
            taut_trace_mark(&result->trace, 1.0 * way, TAUT_MARK_SWITCH, "\"two\" %d", 2), TAUT_OK);
        assert_int_equal(
            taut_trace_mark(&result->trace, 1.75 * way, TAUT_MARK_CONSTRAINTS, "three"), TAUT_OK);
        const taut_page page = {.file = "m.yaml", .model = model, .result = result};
        assert_int_equal(taut_page_data(&page, &out), TAUT_OK);
        const char *at = out.text;
        json *data = json_value(&at);
        static const struct {
            const char *kind, *text;
            double t;
        } want[] = {{"singular", "one", 0.25},
                    {"event", "event a", 0.5},
                    {"switch", "\"two\" 2", 1.0},
                    {"event", "event b", 1.5},
                    {"constraints", "three", 1.75}};
        const json *marks = json_get(data, "marks");
        assert_int_equal(json_count(marks), 5);
        for (int i = 0; i < 5; i++) {
            assert_string_equal(json_text(json_at(marks, i), "kind"), want[i].kind);
            assert_string_equal(json_text(json_at(marks, i), "text"), want[i].text);
            assert_near(json_number(json_at(marks, i), "t"), want[i].t * way, 1e-9, 0.0);
        }
        json_free(data);
        taut_string_release(&out);
        taut_result_free(&result);
        taut_model_free(&model);
    }
}

/* A column in which nothing is a number has a base all the same, and gaps. */
static void test_columns_without_a_number(void **state) {
    (void)state;
    program_write("m.yaml",
                  "DAE: {Variables: [x], Equations: [x' - 1]}\nOutputs: {none: sqrt(-1 - x^2)}\n"
                  "ProblemData: {tend: 1, positions: {x: 0}}\n",
                  -1);
    program_result r;
    program_call(&r, "view m.yaml --no-certify -o page.html");
    assert_int_equal(r.code, 1);
    assert_non_null(strstr(r.err, "none has no finite value at t = 0; "));
    program_release(&r);
    char *html = program_read("page.html");
    assert_non_null(html);
    json *data = page_data(html);
    free(html);
    const json *columns = json_get(data, "columns");
    assert_near(json_number(json_named(columns, "none"), "base"), 0.0, 0.0, 0.0);
    long at = 0;
    for (const json *c = columns->first; strcmp(json_text(c, "name"), "none") != 0; c = c->next)
        at++;
    const long rows = (long)json_number(data, "rows");
    double *table = page_table(data);
    for (long row = 0; row < rows; row++) assert_true(isnan(table[at * rows + row]));
    free(table);
    json_free(data);
}

/* Units of all derivatives; without velocities nobody knows the force of a damper. */
static void test_derivatives_have_units(void **state) {
    (void)state;
    program_write("m.yaml",
                  "Dimension: 2\n"
                  "PartData: {Fixed: {O: [0, 0]}, Particles: {A: 1}, Dampers: {OA: 3}}\n"
                  "ProblemData: {tend: 0.1, positions: {A: [1, 0]}, velocities: {A: [0.5, 0]}}\n",
                  -1);
    json *data = page_of("view m.yaml --derivatives 3 --no-certify -o page.html");
    const json *columns = json_get(data, "columns");
    static const char *const unit[][3] = {{"Ax", "m", "position"},
                                          {"Ax'", "m/s", "velocity"},
                                          {"Ax''", "m/s^2", "acceleration"},
                                          {"Ax'''", "m/s^3", "acceleration"}};
    for (int i = 0; i < 4; i++) {
        assert_string_equal(json_text(json_named(columns, unit[i][0]), "unit"), unit[i][1]);
        assert_string_equal(json_text(json_named(columns, unit[i][0]), "kind"), unit[i][2]);
    }
    const json *damper = json_named(json_get(data, "links"), "OA");
    const json *force = json_at(columns, (int)json_number(damper, "force"));
    assert_string_equal(json_text(force, "name"), "force of OA");
    assert_near(json_number(force, "base"), 1.5, 1e-12, 0.0);
    json_free(data);
    data = page_of("view m.yaml --derivatives 0 --no-certify -o page.html");
    assert_int_equal(json_get(json_named(json_get(data, "links"), "OA"), "force")->type, 'n');
    json_free(data);
}

/* The names of the files of a live page, one a line. */
static void list_files(const char *path, taut_string *names) {
    taut_errors errors = {0};
    taut_model *model = NULL;
    assert_int_equal(taut_model_read(path, NULL, 0, &model, &errors), TAUT_OK);
    const taut_page page = {.file = path, .model = model, .live = true};
    taut_string out = {0};
    taut_string_add(&out, "{\"first\":0");
    taut_settings_write(&page, &out);
    taut_string_add(&out, "}");
    assert_false(out.failed);
    const char *text = out.text;
    json *data = json_value(&text);
    for (const json *file = json_get(data, "files")->first; file; file = file->next)
        taut_string_add(names, "%s\n", json_text(file, "name"));
    json_free(data);
    taut_string_release(&out);
    taut_model_free(&model);
}

/* The engine has its parts in /parts, wherever they are here, and other files beside the model. */
static void test_files_have_the_names_that_the_engine_asks_for(void **state) {
    (void)state;
    static const char text[] = "Include: [tyre, more.yaml]\nDefine: {load: 1}\n"
                               "Dimension: 2\nPartData: {Particles: {P: 1}}\n"
                               "ProblemData: {tend: 1, positions: {P: [0, 0]}}\n";
    static const char want[] = "/parts/tyre.yaml\nmore.yaml\n";
    static const char *const folder[] = {"", "sub/"};
    taut_string names = {0};
    assert_int_equal(mkdir("sub", 0777), 0);
    for (int i = 0; i < 2; i++) {
        char path[2][40];
        snprintf(path[0], sizeof path[0], "%sm.yaml", folder[i]);
        snprintf(path[1], sizeof path[1], "%smore.yaml", folder[i]);
        program_write(path[0], text, -1);
        program_write(path[1], "PhysicalParams: {k: 2}\n", -1);
        names.length = 0;
        list_files(path[0], &names);
        assert_string_equal(names.text, want);
    }
    /* a file from elsewhere keeps its name; those of the folder with the parts have both */
    char here[1000], other[1200];
    assert_non_null(getcwd(here, sizeof here));
    snprintf(other, sizeof other, "Include: %s/sub/more.yaml\n%s", here, strchr(text, '\n') + 1);
    program_write("m.yaml", other, -1);
    names.length = 0;
    list_files("m.yaml", &names);
    snprintf(other, sizeof other, "%s/sub/more.yaml\n", here);
    assert_string_equal(names.text, other);
    names.length = 0;
    list_files(TAUT_SOURCE_DIR "/examples/assemblies/motor.yaml", &names);
    assert_non_null(names.text);
    assert_non_null(strstr(names.text, "/parts/dc-motor.yaml\n"));
    taut_string_release(&names);
}

/* What was given beside the file, quotes and all, and another end of the run. */
static void test_settings_have_what_was_given(void **state) {
    (void)state;
    taut_errors errors = {0};
    taut_model *model = NULL;
    taut_result *result = NULL;
    taut_string out = {0};
    const taut_override define[] = {{"w", "0.6/2"}, {"m1", "2 kg"}};
    write_surface();
    program_write("m.yaml", LOOKS, -1);
    assert_int_equal(taut_model_read("m.yaml", define, 2, &model, &errors), TAUT_OK);
    taut_run_options o = taut_run_options_default();
    o.every = TAUT_FOR_SCREEN;
    o.has_tend = true;
    o.tend = 0.005;
    assert_int_equal(taut_simulate(model, &o, &result, &errors), TAUT_OK);
    const taut_page page = {.file = "m.yaml", .model = model, .result = result, .live = true};
    taut_settings_write(&page, &out);
    static const char want[] =
        "\"given\":{\"set\":{\"w\":\"0.6/2\",\"m1\":\"2 kg\"},\"tend\":0.005";
    if (!strstr(out.text, want)) fail_msg("%s", strstr(out.text, "\"given\""));
    taut_string_release(&out);
    taut_result_free(&result);
    taut_model_free(&model);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, program_enter, program_leave)
    const struct CMUnitTest tests[] = {
        TEST(test_shapes_are_those_of_the_file),
        TEST(test_surfaces_are_there_once),
        TEST(test_links_and_drivers_are_those_of_the_file),
        TEST(test_curves_are_drawn_as_they_are),
        TEST(test_contacts_are_those_of_the_file),
        TEST(test_another_run_is_beside),
        TEST(test_sweeps_have_pages),
        TEST(test_settings_have_values_and_units),
        TEST(test_files_have_the_names_that_the_engine_asks_for),
        TEST(test_settings_have_what_was_given),
        TEST(test_marks_are_in_the_order_of_the_run),
        TEST(test_derivatives_have_units),
        TEST(test_columns_without_a_number),
        TEST(test_live_pages_have_the_engine),
        TEST(test_locks_and_drivers_on_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
