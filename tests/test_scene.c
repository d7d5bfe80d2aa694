/* Pages: their numbers are those of the run, their parts those of the mechanism, and nothing that a
 * file says gets out of its string. The page is read back as a browser would read it. */
#include "page.h"

#include "core/text.h"
#include "program.h"
#include "solve_text.h"
#include "task/trace.h"

/* The page of a file in the current folder; `code` is the exit status that it must have. */
static json *view(const char *file, const char *options, int code) {
    program_result r;
    char command[300];
    snprintf(command, sizeof command, "view %s -o page.html%s%s", file, options[0] ? " " : "",
             options);
    program_call(&r, command);
    if (r.code != code) fail_msg("taut %s ends with %d:\n%s", command, r.code, r.err);
    program_release(&r);
    char *html = program_read("page.html");
    assert_non_null(html);
    json *data = page_data(html);
    free(html);
    program_remove("page.html");
    return data;
}

static json *view_text(const char *text, const char *options, int code) {
    program_write("m.yaml", text, -1);
    return view("m.yaml", options, code);
}

static json *view_example(const char *name) {
    char path[300];
    snprintf(path, sizeof path, "%s/examples/%s.yaml", TAUT_SOURCE_DIR, name);
    return view(path, "--no-certify", 0);
}

/* ---- numbers ---- */

/* A page has the columns of the CSV file first, and their values at its own times. */
static void check_numbers(const char *name) {
    json *data = view_example(name);
    double *table = page_table(data);
    const long rows = (long)json_number(data, "rows");
    taut_run_options options = taut_run_options_default();
    char path[128];
    options.every = TAUT_FOR_SCREEN;
    snprintf(path, sizeof path, "examples/%s.yaml", name);
    solution *s = solve_file(path, &options);
    assert_int_equal(rows, rows_of(s));
    const json *column = json_get(data, "columns")->first;
    for (int c = 0; c < taut_result_columns(s->result); c++, column = column->next) {
        assert_string_equal(json_text(column, "name"), taut_result_name(s->result, c));
        const double scale = scale_of(s, taut_result_name(s->result, c));
        for (long r = 0; r < rows; r++)
            assert_near(table[c * rows + r], taut_result_value(s->result, r, c), 1e-6 * scale, 0.0);
    }
    free(table);
    json_free(data);

    /* the same times by --at: the very same numbers */
    double *time = calloc((size_t)rows, sizeof *time);
    assert_non_null(time);
    for (long r = 0; r < rows; r++) time[r] = taut_result_value(s->result, r, 0);
    options = taut_run_options_default();
    options.at = time;
    options.ats = (int)rows;
    solution *again = solve_file(path, &options);
    for (long r = 0; r < rows; r++)
        for (int c = 0; c < taut_result_columns(s->result); c++)
            assert_near(taut_result_value(again->result, r, c), taut_result_value(s->result, r, c),
                        0.0, 0.0);
    solution_free(again);
    solution_free(s);
    free(time);
}

static void test_numbers_are_those_of_the_run(void **state) {
    (void)state;
    check_numbers("mechanism0");
    check_numbers("bricard");
    check_numbers("four-bar-2");
    check_numbers("andrews");
    check_numbers("lorenz");
}

/* A member that need not be there. */
static const json *member(const json *of, const char *key) {
    const json *m = of->first;
    while (m && strcmp(m->key, key) != 0) m = m->next;
    return m;
}

/* Where a point or vector of the page is, in a row. */
static void element_at(const json *data, const double *table, const char *list, int element,
                       long row, double *x) {
    const json *p = json_at(json_get(data, list), element), *columns = member(p, "columns");
    const long rows = (long)json_number(data, "rows");
    for (int i = 0; i < (int)json_number(data, "dimension"); i++)
        x[i] = columns ? table[(long)json_at(columns, i)->number * rows + row]
                       : json_at(json_get(p, "fixed"), i)->number;
}

static void point_at(const json *data, const double *table, int point, long row, double *x) {
    element_at(data, table, "points", point, row, x);
}

/* Every body keeps its shape on the page. */
static void test_bodies_keep_their_shape(void **state) {
    (void)state;
    static const char *const names[] = {"bricard", "flyball-governor", "mechanism0", "five-link",
                                        "slider-crank"};
    for (int n = 0; n < 5; n++) {
        json *data = view_example(names[n]);
        double *table = page_table(data);
        const long rows = (long)json_number(data, "rows");
        int checked = 0;
        for (const json *b = json_get(data, "bodies")->first; b; b = b->next) {
            const json *points = json_get(b, "points"), *local = json_get(b, "local");
            for (int i = 1; i < json_count(points) && json_count(local) > 1; i++, checked++) {
                double world[2][3] = {{0}}, want = 0.0, got = 0.0;
                point_at(data, table, (int)json_at(points, 0)->number, rows / 3, world[0]);
                point_at(data, table, (int)json_at(points, i)->number, rows / 3, world[1]);
                for (int k = 0; k < (int)json_number(data, "dimension"); k++) {
                    want += pow(json_at(json_at(local, i), k)->number, 2.0);
                    got += pow(world[1][k] - world[0][k], 2.0);
                }
                assert_near(sqrt(got), sqrt(want), 0.0, 1e-5);
            }
        }
        assert_true(checked > 0);
        free(table);
        json_free(data);
    }
}

/* As the page computes it: origin + a d1 + b d2 + c (d1 x d2). */
static void centroid_at(const json *data, const double *table, const json *body, long row,
                        double *m) {
    const json *centroid = json_get(body, "centroid");
    double origin[3] = {0}, d[2][3] = {{0}, {0.0, 0.0, 1.0}}, f[3];
    int k = 0;
    point_at(data, table, (int)json_at(json_get(body, "points"), 0)->number, row, origin);
    for (const json *x = json_get(centroid, "along")->first; x; x = x->next, k++) {
        const json *vector = member(x, "vector");
        element_at(data, table, vector ? "vectors" : "points",
                   (int)(vector ? vector->number : json_number(x, "point")), row, d[k]);
        for (int i = 0; i < 3 && !vector; i++) d[k][i] -= origin[i];
    }
    for (int i = 0; i < 3; i++) f[i] = json_at(json_get(centroid, "factor"), i)->number;
    for (int i = 0; i < 3; i++) {
        const int u = (i + 1) % 3, v = (i + 2) % 3;
        m[i] = origin[i] + f[0] * d[0][i] + f[1] * d[1][i] +
               f[2] * (d[0][u] * d[1][v] - d[0][v] * d[1][u]);
    }
}

/* The centroids of Bricard's rods are in their middles. */
static void test_centroids_are_in_place(void **state) {
    (void)state;
    json *data = view_example("bricard");
    double *table = page_table(data);
    const long rows = (long)json_number(data, "rows");
    for (const json *b = json_get(data, "bodies")->first; b; b = b->next)
        for (long r = 0; r < rows; r += 100) {
            double a[3], c[3], m[3];
            point_at(data, table, (int)json_at(json_get(b, "points"), 0)->number, r, a);
            point_at(data, table, (int)json_at(json_get(b, "points"), 1)->number, r, c);
            centroid_at(data, table, b, r, m);
            for (int i = 0; i < 3; i++) assert_near(m[i], 0.5 * (a[i] + c[i]), 1e-6, 0.0);
        }
    free(table);
    json_free(data);
}

/* Beside the line of its points, in the plane; and where vectors span the body. */
static void test_centroids_beside_points(void **state) {
    (void)state;
    double a[3], m[3], u[3], v[3];
    json *data =
        view_text("Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n"
                  "  Rigids:\n    plate: {Elements: [O, A], Geom: [[1]], Dyna: [[0.3, 0.4], "
                  "2, 0.5]}\nAppliedForces: {Gravity: }\n"
                  "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
                  "--no-certify", 0);
    double *table = page_table(data);
    for (long r = 0; r < (long)json_number(data, "rows"); r += 50) {
        point_at(data, table, 1, r, a);
        centroid_at(data, table, json_get(data, "bodies")->first, r, m);
        assert_near(m[0], 0.3 * a[0] - 0.4 * a[1], 1e-6, 0.0);
        assert_near(m[1], 0.3 * a[1] + 0.4 * a[0], 1e-6, 0.0);
    }
    free(table);
    json_free(data);
    data =
        view_text("Dimension: 3\nPartData:\n  Fixed: {O: [0, 0, 0]}\n  Rigids:\n"
                  "    top: {Elements: [O, u, v], Geom: [[1], [0, 1]], Dyna: [[0.1, 0.2, 0.7], 2, "
                  "[0.5, 0.6, 0.4]]}\nAppliedForces: {Gravity: }\n"
                  "ProblemData: {tend: 1, positions: {u: [1, 0, 0], v: [0, 1, 0]}, velocities: "
                  "{u: [0, 1, 0]}}\n",
                  "--no-certify", 0);
    table = page_table(data);
    for (long r = 0; r < (long)json_number(data, "rows"); r += 50) {
        element_at(data, table, "vectors", 0, r, u);
        element_at(data, table, "vectors", 1, r, v);
        centroid_at(data, table, json_get(data, "bodies")->first, r, m);
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            assert_near(m[i], 0.1 * u[i] + 0.2 * v[i] + 0.7 * (u[j] * v[k] - u[k] * v[j]), 1e-6,
                        0.0);
        }
    }
    free(table);
    json_free(data);
}

/* A particle on a spring: the force of the spring has a closed form. */
static void test_forces_of_links(void **state) {
    (void)state;
    json *data = view_text("Dimension: 2\n"
                           "PartData:\n"
                           "  Fixed: {O: [0, 0]}\n"
                           "  Springs: {OA: [50, 1]}\n"
                           "  Particles: {A: 2}\n"
                           "ProblemData: {tend: 1, positions: {Ax: 1.5, Ay: 0}}\n",
                           "", 0);
    const json *link = json_at(json_get(data, "links"), 0);
    const long rows = (long)json_number(data, "rows");
    double *table = page_table(data);
    assert_string_equal(json_text(link, "kind"), "spring");
    assert_near(json_number(link, "rest"), 1.0, 0.0, 0.0);
    const long force = (long)json_number(link, "force");
    for (long r = 0; r < rows; r += 50) /* w = 5: x = 1 + 0.5 cos 5 t */
        assert_near(table[force * rows + r], 25.0 * cos(5.0 * table[r]), 1e-5, 0.0);
    assert_near(json_number(json_at(json_get(data, "points"), 1), "particle"), 2.0, 0.0, 0.0);
    free(table);
    json_free(data);
}

/* ---- structure ---- */

static int number_of(const json *data, const char *list) {
    return json_count(json_get(data, list));
}

static void test_parts_are_those_of_the_mechanism(void **state) {
    (void)state;
    json *data = view_example("bricard");
    assert_near(json_number(data, "dimension"), 3.0, 0.0, 0.0);
    assert_int_equal(number_of(data, "points"), 6);
    assert_int_equal(number_of(data, "bodies"), 5);
    assert_int_equal(number_of(data, "joints"), 6);
    for (const json *j = json_get(data, "joints")->first; j; j = j->next) {
        assert_string_equal(json_text(j, "kind"), "revolute");
        assert_near(json_number(j, "gap"), 0.0, 0.0, 0.0);
        assert_true(json_number(j, "at") >= 0.0 && json_number(j, "axis") >= 0.0);
    }
    const json *report = json_get(data, "report");
    assert_near(json_number(report, "mobility"), 1.0, 0.0, 0.0);
    assert_int_equal(number_of(report, "redundant"), 1);
    assert_int_equal(number_of(report, "coordinates"), 12);
    json_free(data);

    data = view_example("flyball-governor");
    assert_int_equal(number_of(data, "links"), 2);
    assert_string_equal(json_text(json_at(json_get(data, "links"), 0), "kind"), "springdamper");
    assert_int_equal(number_of(data, "angles"), 1);
    assert_true(json_number(json_get(data, "ledger"), "work") > 0.0);
    json_free(data);

    data = view_example("andrews");
    assert_near(json_number(data, "dimension"), 2.0, 0.0, 0.0);
    assert_int_equal(number_of(data, "bodies"), 7);
    assert_int_equal(number_of(data, "joints"), 10);
    assert_string_equal(json_text(json_named(json_get(data, "bodies"), "K3"), "kind"), "plate");
    json_free(data);

    data = view_example("four-bar-2");
    assert_true(number_of(data, "marks") >= 8); /* it lies flat twice in a turn of 1.94 s */
    assert_string_equal(json_text(json_at(json_get(data, "marks"), 0), "kind"), "singular");
    json_free(data);

    data = view_example("lorenz");
    assert_near(json_number(data, "dimension"), 0.0, 0.0, 0.0);
    assert_int_equal(number_of(data, "points"), 0);
    assert_true(number_of(data, "first_panels") > 0);
    json_free(data);
}

/* ---- what went wrong ---- */

/* The largest gap of a page; each is the distance of its two points. */
static double largest_gap(const json *data) {
    double *table = page_table(data), largest = 0.0;
    for (const json *j = json_get(data, "joints")->first; j; j = j->next) {
        const double gap = json_number(j, "gap");
        const int at = (int)json_number(j, "at"), other = (int)json_number(j, "other");
        if (other >= 0) {
            double a[3] = {0}, b[3] = {0};
            point_at(data, table, at, 0, a);
            point_at(data, table, other, 0, b);
            assert_near(hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]), gap, 1e-6, 0.0);
        }
        largest = fmax(largest, gap);
    }
    free(table);
    return largest;
}

static void test_failed_assembly_shows_its_gap(void **state) {
    (void)state;
    /* O-A-B-C reaches 4, and C stands at 5 */
    json *data = view(TAUT_SOURCE_DIR "/tests/models/cannot-close.yaml", "", 2);
    assert_int_equal(json_get(data, "open")->type, 't');
    const json *message = json_get(data, "message");
    assert_string_equal(json_text(message, "level"), "error");
    assert_non_null(strstr(json_text(message, "text"), "no position closes this loop"));
    assert_near(json_number(data, "rows"), 1.0, 0.0, 0.0);
    assert_near(largest_gap(data), 1.0, 1e-3, 0.0);
    json_free(data);
}

/* In space, with joints by name: two bodies of length 1 between points 3 apart. */
static void test_failed_assembly_in_space_shows_its_gap(void **state) {
    (void)state;
    json *data = view_text("Dimension: 3\n"
                           "PartData:\n"
                           "  Fixed: {O: [0, 0, 0], Q: [0, 0, 3]}\n"
                           "  Rigids:\n"
                           "    ABE: {Geom: [[1], [0.5, 0.1]], Dyna: [[0.5], 1, [0.1, 0.1, 0.1]]}\n"
                           "    CDF: {Geom: [[1], [0.5, 0.1]], Dyna: [[0.5], 1, [0.1, 0.1, 0.1]]}\n"
                           "  Joints:\n"
                           "    foot: {Type: spherical, Points: [O, A]}\n"
                           "    knee: {Type: spherical, Points: [B, C]}\n"
                           "    top: {Type: spherical, Points: [D, Q]}\n"
                           "ProblemData:\n"
                           "  tend: 1\n"
                           "  positions: {A: [0, 0, 0], B: [0.2, 0, 1], E: [0.2, 0.1, 0.5],\n"
                           "    C: [0.2, 0, 1], D: [0, 0, 2], F: [0.1, 0.1, 1.5]}\n",
                           "", 2);
    assert_near(largest_gap(data), 1.0, 1e-3, 0.0);
    assert_near(json_number(json_named(json_get(data, "joints"), "foot"), "gap"), 0.0, 1e-9, 0.0);
    json_free(data);
}

/* Rods in space, which turn about themselves as they like: drawn at their length all the same. */
static void test_rods_in_space_show_their_gap(void **state) {
    (void)state;
    json *data = view_text("Dimension: 3\nPartData:\n"
                           "  Fixed: {O: [0, 0, 0], Q: [0, 0, 3]}\n"
                           "  Rigids: {OA: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}, BQ: {Geom: [[1]], "
                           "Dyna: [[0.5], 1, 0.1]}}\n"
                           "  Joints: {knee: {Type: spherical, Points: [A, B]}}\n"
                           "ProblemData: {tend: 1, positions: {A: [0, 0, 1], B: [0, 0, 2]}}\n",
                           "", 2);
    assert_near(largest_gap(data), 1.0, 1e-3, 0.0);
    json_free(data);
}

/* Points that should be on lines and planes: how far they are from those, not from points. */
static void test_gaps_to_lines_and_planes(void **state) {
    (void)state;
    json *data = view_text("Dimension: 2\nPartData:\n"
                           "  Fixed: {O: [0, 0], x: [1, 0], Q: [0, 3]}\n"
                           "  Rigids: {AB: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}}\n"
                           "  Joints:\n"
                           "    foot: {Type: point-on-line, Points: [O, A], Axes: [x]}\n"
                           "    top: {Type: point-on-line, Points: [Q, B], Axes: [x]}\n"
                           "ProblemData: {tend: 1, positions: {A: [0.1, 0], B: [0.1, 1.5]}}\n",
                           "", 2);
    const json *joints = json_get(data, "joints");
    assert_near(json_number(json_named(joints, "foot"), "gap") +
                    json_number(json_named(joints, "top"), "gap"),
                2.0, 1e-3, 0.0);
    json_free(data);
    data = view_text("Dimension: 3\nPartData:\n"
                     "  Fixed: {O: [0, 0, 0], Q: [0, 0, 3], z: [0, 0, 1], x: [1, 0, 0]}\n"
                     "  Rigids: {ABE: {Geom: [[1], [0.5, 0.1]], Dyna: [[0.5], 1, [0.1, 0.1, "
                     "0.1]]}}\n"
                     "  Joints:\n"
                     "    foot: {Type: point-on-plane, Points: [O, A], Axes: [z]}\n"
                     "    top: {Type: point-on-line, Points: [Q, B], Axes: [x]}\n"
                     "ProblemData:\n  tend: 1\n"
                     "  positions: {A: [0, 0, 0], B: [0.2, 0, 1], E: [0.2, 0.1, 0.5]}\n",
                     "", 2);
    joints = json_get(data, "joints");
    assert_near(json_number(json_named(joints, "foot"), "gap") +
                    json_number(json_named(joints, "top"), "gap"),
                2.0, 1e-3, 0.0);
    json_free(data);
}

static void test_stopped_run_shows_what_there_is(void **state) {
    (void)state;
    /* x = 1 / (1 - t) */
    json *data = view_text("DAE: {Variables: [x], Equations: [x' - x^2]}\n"
                           "ProblemData: {tend: 2, positions: {x: 1}}\n",
                           "", 1);
    assert_string_equal(json_text(json_get(data, "message"), "level"), "warning");
    assert_near(json_number(json_get(data, "report"), "reached"), 1.0, 1e-3, 0.0);
    double *table = page_table(data);
    const long rows = (long)json_number(data, "rows");
    assert_true(rows > 100);
    assert_near(table[rows + 100], 1.0 / (1.0 - table[100]), 0.0, 1e-6);
    free(table);
    json_free(data);
}

static void test_faulty_file_shows_its_message(void **state) {
    (void)state;
    json *data = view_text("Title: faulty\nLagrangian: {Coordinates: [x], L: x'^2/2 - y}\n", "", 2);
    assert_non_null(strstr(json_text(json_get(data, "message"), "text"), "m.yaml:2:"));
    assert_non_null(strstr(json_text(data, "model"), "Coordinates: [x]"));
    assert_near(json_number(data, "rows"), 0.0, 0.0, 0.0);
    assert_int_equal(json_get(data, "report")->type, 'n');
    json_free(data);
    data = view_text("a: [b \xff", "", 2); /* not even YAML */
    assert_non_null(strstr(json_text(data, "model"), "a: [b"));
    json_free(data);
    json_free(view("no-such.yaml", "", 2));
}

/* ---- hostile files ---- */

static void test_text_stays_text(void **state) {
    (void)state;
    json *data = view_text(
        "Title: \"</script><script>alert(1)</script> & \\\"'\\\\ \\u2028 \\u2029 <!-- \"\n"
        "DAE: {Variables: [x], Equations: [x' + x]}\n"
        "ProblemData: {tend: 1, positions: {x: 1}} # </script><img src=x>\n",
        "", 0);
    assert_string_equal(json_text(data, "title"), "</script><script>alert(1)</script> & \"'\\ "
                                                  "\xe2\x80\xa8 \xe2\x80\xa9 <!-- ");
    assert_non_null(strstr(json_text(data, "model"), "</script><img src=x>"));
    json_free(data);
    data = view_text("\"</script>\": 1\n", "", 2);
    assert_non_null(strstr(json_text(json_get(data, "message"), "text"), "</script>"));
    json_free(data);
}

static void test_gaps_in_results_are_gaps(void **state) {
    (void)state;
    json *data = view_text("DAE:\n"
                           "  Variables: [x]\n"
                           "  Equations: [x' - 1]\n"
                           "  Outputs: {r: sqrt(1/2 - x)}\n"
                           "ProblemData: {tend: 1, positions: {x: 0}}\n",
                           "", 1);
    double *table = page_table(data);
    const long rows = (long)json_number(data, "rows");
    const json *columns = json_get(data, "columns");
    int r = 0;
    while (strcmp(json_text(json_at(columns, r), "name"), "r") != 0) r++;
    assert_near(table[r * rows], sqrt(0.5), 1e-12, 0.0);
    assert_true(isnan(table[r * rows + rows - 1]));
    free(table);
    json_free(data);
}

/* Half of them fixed, half of them moving along. */
static void test_ten_thousand_points(void **state) {
    (void)state;
    enum { POINTS = 10000 };
    taut_string text = {0};
    taut_string_add(&text, "Dimension: 2\nPartData:\n  Fixed:\n");
    for (int i = 0; i < POINTS / 2; i++) taut_string_add(&text, "    F%d: [%d, 0]\n", i, i);
    taut_string_add(&text, "  Points:\n");
    for (int i = 0; i < POINTS / 2; i++) taut_string_add(&text, "    M%d: [Ax + %d, Ay]\n", i, i);
    taut_string_add(&text, "  Particles: {A: 1}\nAppliedForces: {Gravity: }\n"
                           "ProblemData: {tend: 1, positions: {Ax: 0, Ay: 0}}\n");
    assert_false(text.failed);
    json *data = view_text(text.text, "", 0);
    assert_int_equal(number_of(data, "points"), POINTS + 1);
    double *table = page_table(data), x[2];
    const long last = (long)json_number(data, "rows") - 1;
    point_at(data, table, POINTS, last, x);
    assert_true(last > 10);
    assert_near(x[1], -0.5 * 9.81, 1e-5, 0.0);
    free(table);
    json_free(data);
    taut_string_release(&text);
}

/* ---- sizes ---- */

/* Of a million steps 2,000 at most are kept, with the shortest and the one of largest residual. */
static void test_steps_are_thinned(void **state) {
    (void)state;
    taut_trace trace = {0};
    double shortest = 1.0, worst = 0.0, last = -1.0;
    for (int i = 0; i < 1000000; i++) {
        taut_traced_step step = {.t = i, .h = 1e-3, .order = 18, .residual = 1e-16};
        if (i == 123456) step.h = 1e-6;
        if (i == 654321) step.residual = 1e-9;
        assert_int_equal(taut_trace_step(&trace, step), TAUT_OK);
    }
    assert_in_range(trace.steps, 500, TAUT_TRACE_MOST);
    for (int i = 0; i < trace.steps; i++) {
        shortest = fmin(shortest, trace.step[i].h);
        worst = fmax(worst, trace.step[i].residual);
        assert_true(trace.step[i].t > last);
        last = trace.step[i].t;
    }
    assert_near(shortest, 1e-6, 0.0, 0.0);
    assert_near(worst, 1e-9, 0.0, 0.0);
    taut_trace_release(&trace);
}

/* Rows do not grow with the steps, and the page not with either. */
static void test_long_runs_give_small_pages(void **state) {
    (void)state;
    program_result r;
    program_write("m.yaml",
                  "DAE: {Variables: [x], Equations: [x'' + x]}\n"
                  "ProblemData: {tend: 10, positions: {x: 1}, velocities: {x: 0}}\n",
                  -1);
    program_call(&r, "view m.yaml --step 1e-4 --order 4 --no-certify --quiet");
    assert_int_equal(r.code, 0);
    program_release(&r);
    char *html = program_read("m.html");
    assert_non_null(html);
    assert_true(strlen(html) < 2000000);
    json *data = page_data(html);
    assert_near(json_number(json_get(data, "report"), "steps"), 1e5, 2.0, 0.0);
    assert_true(json_number(data, "rows") >= 1001.0 && json_number(data, "rows") <= 1600.0);
    assert_true(number_of(json_get(data, "steps"), "t") <= 2000);
    json_free(data);
    free(html);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_are_those_of_the_run),
        cmocka_unit_test(test_bodies_keep_their_shape),
        cmocka_unit_test(test_centroids_are_in_place),
        cmocka_unit_test(test_centroids_beside_points),
        cmocka_unit_test(test_forces_of_links),
        cmocka_unit_test(test_parts_are_those_of_the_mechanism),
        cmocka_unit_test(test_failed_assembly_shows_its_gap),
        cmocka_unit_test(test_failed_assembly_in_space_shows_its_gap),
        cmocka_unit_test(test_rods_in_space_show_their_gap),
        cmocka_unit_test(test_gaps_to_lines_and_planes),
        cmocka_unit_test(test_stopped_run_shows_what_there_is),
        cmocka_unit_test(test_faulty_file_shows_its_message),
        cmocka_unit_test(test_text_stays_text),
        cmocka_unit_test(test_gaps_in_results_are_gaps),
        cmocka_unit_test(test_ten_thousand_points),
        cmocka_unit_test(test_steps_are_thinned),
        cmocka_unit_test(test_long_runs_give_small_pages),
    };
    return cmocka_run_group_tests(tests, program_enter, program_leave);
}
