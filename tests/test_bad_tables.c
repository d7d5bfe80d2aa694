/* Wrong tables and velocity drivers: every message, word by word, and runs that end because of one.
 */
#include "check.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "program.h"
#include "taut/taut.h"

typedef struct bad {
    const char *what;
    const char *text;       /* of m.yaml */
    const char *message[4]; /* all lines with a fault, in their order */
} bad;

typedef struct stopped {
    const char *what, *text, *command;
    int code;
    const char *message[4];
} stopped;

/* The lines that tell a fault are these, and there are no others. */
static void check_messages(const char *what, const char *text, const char *const *message) {
    const char *p = text;
    int count = 0;
    while (*p) {
        const size_t n = strcspn(p, "\n");
        char line[1000];
        snprintf(line, sizeof line, "%.*s", (int)n, p);
        if (strstr(line, ": error: ")) {
            if (!message[count] || strcmp(line, message[count]) != 0)
                fail_msg("%s: expected\n%s\ninstead of\n%s", what,
                         message[count] ? message[count] : "nothing", line);
            count++;
        }
        p += n + (p[n] == '\n');
    }
    if (message[count]) fail_msg("%s: missing\n%s\nin\n%s", what, message[count], text);
}

static void check(const char *what, const char *text, const char *command, int code,
                  const char *const *message) {
    program_result r;
    program_write("m.yaml", text, -1);
    program_call(&r, command);
    if (r.code != code) fail_msg("%s: ends with %d\n%s%s", what, r.code, r.out, r.err);
    check_messages(what, r.err, message);
    program_release(&r);
}

static const bad WRONG[] = {
    {"tables that are a list",
     "Tables: [f]\n"
     "DAE: {Variables: [x], Equations: [x - f(t)]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"m.yaml:1:9: error: 'Tables' (name: {File or Points, ...}) must be a map, {name: value, "
      "...}",
      "m.yaml:2:39: error: 'f' is not a function; write * for a product: f*(...)"}},
    {"a table that is a number",
     "Tables: {f: 3}\n"
     "DAE: {Variables: [x], Equations: [x - f(t)]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"m.yaml:1:13: error: the table 'f' ({File: ...} or {Points: ...}) must be a map, {name: "
      "value, ...}"}},
    {"an unknown key",
     "Tables: {f: {Point: [[0, 1], [1, 2]]}}\n"
     "DAE: {Variables: [x], Equations: [x - f(t)]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"m.yaml:1:14: error: unknown key 'Point'; did you mean 'Points'?"}},
    {"neither a file nor points",
     "Tables: {f: {Between: linear}}\n"
     "DAE: {Variables: [x], Equations: [x - f(t)]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"m.yaml:1:10: error: the table 'f' needs a 'File' or 'Points'"}},
    {"both",
     "Tables: {f: {File: a.csv, Points: [[0, 1], [1, 2]]}}\n"
     "DAE: {Variables: [x], Equations: [x - f(t)]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"m.yaml:1:35: error: a table has a 'File' or 'Points', not both"}},
    {"columns of points",
     "Tables: {f: {Points: [[0, 1], [1, 2]], Columns: [x, z]}}\n"
     "DAE: {Variables: [x], Equations: [x - f(t)]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"m.yaml:1:49: error: 'Columns' belongs to a 'File'"}},
    {"a file that is not there",
     "Tables: {f: {File: b.csv}}\n"
     "DAE: {Variables: [x], Equations: [x - f(t)]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"m.yaml:1:20: error: cannot read the table 'b.csv': No such file or directory"}},
    {"a file that is no CSV",
     "Tables: {f: {File: m.yaml}}\n"
     "DAE: {Variables: [x], Equations: [x - f(t)]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"m.yaml:1:20: error: a table is read from a file whose name ends with .csv, not "
      "'m.yaml'"}},
    {"a folder",
     "Tables: {f: {File: sub.csv}}\n"
     "DAE: {Variables: [x], Equations: [x - f(t)]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"m.yaml:1:20: error: cannot read the table 'sub.csv': it is not a file"}},
    {"a column that is not there",
     "Tables: {f: {File: a.csv, Columns: [x, y]}}\n"
     "DAE: {Variables: [x], Equations: [x - f(t)]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"m.yaml:1:40: error: a.csv has no column 'y', but x, z"}},
    {"a column by another case",
     "Tables: {f: {File: a.csv, Columns: [X, z]}}\n"
     "DAE: {Variables: [x], Equations: [x - f(t)]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"m.yaml:1:37: error: a.csv has no column 'X', but x, z"}},
    {"one column",
     "Tables: {f: {File: a.csv, Columns: [x]}}\n"
     "DAE: {Variables: [x], Equations: [x - f(t)]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"m.yaml:1:36: error: 'Columns' names the argument and the value, [x, y]; those of a map "
      "are [x, y, z]"}},
    {"columns of a file with four",
     "Tables: {f: {File: four.csv}}\n"
     "DAE: {Variables: [x], Equations: [x - f(t)]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"m.yaml:1:13: error: the file has 4 columns: name those of the table, Columns: [x, y], "
      "or [x, y, z] of a map"}},
    {"a word among numbers",
     "Tables: {f: {File: words.csv}}\n"
     "DAE: {Variables: [x], Equations: [x - f(t)]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"words.csv:3:3: error: 'two' in the column 'z' is not a finite number"}},
    {"a torn row",
     "Tables: {f: {File: torn.csv}}\n"
     "DAE: {Variables: [x], Equations: [x - f(t)]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"torn.csv:3:1: error: this row has 1 cell, the header has 2"}},
    {"samples that go down",
     "Tables: {f: {File: down.csv}}\n"
     "DAE: {Variables: [x], Equations: [x - f(t)]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"down.csv:4:1: error: the argument of a table rises from sample to sample, but 1 follows "
      "2: sort them"}},
    {"a single sample",
     "Tables: {f: {File: one.csv}}\n"
     "DAE: {Variables: [x], Equations: [x - f(t)]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"m.yaml:1:10: error: the table 'f' needs two samples at least"}},
    {"two samples at one place",
     "Tables: {f: {Points: [[0, 1], [1, 2], [1, 3]]}}\n"
     "DAE: {Variables: [x], Equations: [x - f(t)]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"m.yaml:1:39: error: two samples at 1: a table has one value for each argument; write a "
      "jump as if(a < b, ..., ...)"}},
    {"points that are numbers",
     "Tables: {f: {Points: [0, 1, 2]}}\n"
     "DAE: {Variables: [x], Equations: [x - f(t)]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"m.yaml:1:23: error: 'Points' is a list of samples, [[x, y], ...] or [[x, y, z], ...]"}},
    {"points of two lengths",
     "Tables: {f: {Points: [[0, 1], [1, 2, 3]]}}\n"
     "DAE: {Variables: [x], Equations: [x - f(t)]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"m.yaml:1:31: error: every sample has as many numbers as the first one, 2"}},
    {"no points",
     "Tables: {f: {Points: []}}\n"
     "DAE: {Variables: [x], Equations: [x - f(t)]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"m.yaml:1:22: error: 'Points' is a list of samples, [[x, y], ...] or [[x, y, z], ...]"}},
    {"a point that moves",
     "Tables: {f: {Points: [[0, t], [1, 2]]}}\n"
     "DAE: {Variables: [x], Equations: [x - f(t)]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"m.yaml:1:27: error: a number is expected here: a formula of parameters, without t and "
      "without variables"}},
    {"an unknown way between",
     "Tables: {f: {Points: [[0, 1], [1, 2]], Between: cubic}}\n"
     "DAE: {Variables: [x], Equations: [x - f(t)]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"m.yaml:1:49: error: 'Between' is linear, pchip, spline or {fit: tolerance}"}},
    {"a fit without tolerance",
     "Tables: {f: {Points: [[0, 1], [1, 2]], Between: fit}}\n"
     "DAE: {Variables: [x], Equations: [x - f(t)]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"m.yaml:1:49: error: a fit needs its tolerance, in the unit of the values: {fit: 1e-6}"}},
    {"a fit with tolerance 0",
     "Tables: {f: {Points: [[0, 1], [1, 2]], Between: {fit: 0}}}\n"
     "DAE: {Variables: [x], Equations: [x - f(t)]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"m.yaml:1:55: error: the tolerance of a fit is how far it may be from the samples: a "
      "number above 0"}},
    {"another map",
     "Tables: {f: {Points: [[0, 1], [1, 2]], Between: {spline: 3}}}\n"
     "DAE: {Variables: [x], Equations: [x - f(t)]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"m.yaml:1:49: error: 'Between' is linear, pchip, spline or {fit: tolerance}"}},
    {"an unknown outside",
     "Tables: {f: {Points: [[0, 1], [1, 2]], Outside: zero}}\n"
     "DAE: {Variables: [x], Equations: [x - f(t)]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"m.yaml:1:49: error: 'Outside' is error, hold, extend or periodic"}},
    {"a period that does not close",
     "Tables: {f: {Points: [[0, 1], [1, 2]], Outside: periodic}}\n"
     "DAE: {Variables: [x], Equations: [x - f(t)]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"m.yaml:1:31: error: a periodic table ends with the value that it begins with, but that "
      "was 1 and this is 2"}},
    {"a map by pchip",
     "Tables: {f: {Points: [[0, 0, 1], [1, 0, 2], [0, 1, 2], [1, 1, 3]], Between: pchip}}\n"
     "DAE: {Variables: [x], Equations: [\"x - f(t, t)\"]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"m.yaml:1:77: error: a table of two arguments is linear or a spline"}},
    {"a map with a hole",
     "Tables: {f: {Points: [[0, 0, 1], [1, 0, 2], [0, 1, 2]]}}\n"
     "DAE: {Variables: [x], Equations: [x - f(t)]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"m.yaml:1:10: error: a map has a value for each pair of its arguments, but the table 'f' "
      "has none at 1, 1"}},
    {"a map that is no grid",
     "Tables: {f: {Points: [[0, 0, 1], [1, 1, 2], [2, 2, 2], [3, 3, 3]]}}\n"
     "DAE: {Variables: [x], Equations: [x - f(t)]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"m.yaml:1:10: error: the samples of the map 'f' are no grid: 4 values of its first "
      "argument and 4 of its second one, but 4 samples"}},
    {"a map with a sample twice",
     "Tables: {f: {Points: [[0, 0, 1], [1, 0, 2], [0, 1, 2], [1, 0, 3]]}}\n"
     "DAE: {Variables: [x], Equations: [x - f(t)]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"m.yaml:1:56: error: two samples at 1, 0"}},
    {"one argument too few",
     "Tables: {f: {Points: [[0, 0, 1], [1, 0, 2], [0, 1, 2], [1, 1, 3]]}}\n"
     "DAE: {Variables: [x], Equations: [x - f(t)]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"m.yaml:2:39: error: f takes 2 arguments, not 1"}},
    {"one argument too many",
     "Tables: {f: {Points: [[0, 1], [1, 2]]}}\n"
     "DAE: {Variables: [x], Equations: [\"x - f(t, x)\"]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"m.yaml:2:40: error: f takes 1 argument, not 2"}},
    {"a table without argument",
     "Tables: {f: {Points: [[0, 1], [1, 2]]}}\n"
     "DAE: {Variables: [x], Equations: [x - f*t]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"m.yaml:2:39: error: 'f' is a table: write f(...)"}},
    {"a name that is taken",
     "PhysicalParams: {f: 1}\n"
     "Tables: {f: {Points: [[0, 1], [1, 2]]}}\n"
     "DAE: {Variables: [x], Equations: [x - f(t)]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"m.yaml:2:10: error: the name 'f' is taken already, on line 1",
      "m.yaml:3:39: error: 'f' is not a function; write * for a product: f*(...)"}},
    {"a name of a function",
     "Tables: {sin: {Points: [[0, 1], [1, 2]]}}\n"
     "DAE: {Variables: [x], Equations: [x - sin(t)]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"m.yaml:1:10: error: 'sin' has a meaning in formulas already; choose another name"}},
    {"a number outside",
     "PhysicalParams: {k: f(3)}\n"
     "Tables: {f: {Points: [[0, 1], [1, 2]]}}\n"
     "DAE: {Variables: [x], Equations: [x - k*f(t)]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"m.yaml:1:21: error: the table 'f' goes from 0 to 1, and this is 3: say what holds "
      "Outside of it (hold, extend, periodic)"}},
    {"a parameter of time",
     "PhysicalParams: {k: f(t)}\n"
     "Tables: {f: {Points: [[0, 1], [1, 2]]}}\n"
     "DAE: {Variables: [x], Equations: [x - k]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"m.yaml:1:21: error: the table 'f' of something that changes cannot be a parameter: "
      "write it under 'Define'"}},
    {"a circle",
     "PhysicalParams: {k: f(0.5)}\n"
     "Tables: {f: {Points: [[0, 1], [1, k]]}}\n"
     "DAE: {Variables: [x], Equations: [x - f(t)]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"m.yaml:2:35: error: 'k' is defined through itself (line 1): the definitions are "
      "circular"}},
    {"a start outside",
     "Tables: {f: {Points: [[2, 1], [3, 2]]}}\n"
     "DAE: {Variables: [x], Equations: [x - f(t)]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"m.yaml:2:35: error: at t = 0 t is 0, outside of the table 'f', which goes from 2 to 3: "
      "give it more samples, or say what holds Outside of it (hold, extend, periodic)"}},
    {"a vector",
     "Tables: {f: {Points: [[0, 1], [1, 2]]}}\n"
     "DAE: {Variables: [x], Equations: [\"x - f([t, 1])\"]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"m.yaml:2:40: error: f needs a number, but this is a vector with 2 components"}},
    {"values beyond all numbers",
     "Tables: {f: {Points: [[0, 1e300], [1e-300, -1e300]]}}\n"
     "DAE: {Variables: [x], Equations: [x - f(t)]}\n"
     "ProblemData: {tend: 1, values: {x: 0}}\n",
     {"m.yaml:1:10: error: the samples of the table 'f' are too close together for their "
      "values"}},
    {"two primes",
     "Dimension: 2\n"
     "PartData:\n"
     "  Fixed: {O: [0, 0]}\n"
     "  Rigids: {OA: {Geom: [[1, 0]], Dyna: [[0.5, 0], 1, 0.1]}}\n"
     "Angles: {phi: OA}\n"
     "Drivers: {phi'': 3}\n"
     "ProblemData: {tend: 3, positions: {phi: 0.3}}\n",
     {"m.yaml:6:11: error: 'phi''' cannot be driven: a driver prescribes a position, or with "
      "one prime a velocity"}},
    {"an unknown name with a prime",
     "Dimension: 2\n"
     "PartData:\n"
     "  Fixed: {O: [0, 0]}\n"
     "  Rigids: {OA: {Geom: [[1, 0]], Dyna: [[0.5, 0], 1, 0.1]}}\n"
     "Angles: {phi: OA}\n"
     "Drivers: {psi': 3}\n"
     "ProblemData: {tend: 3, positions: {phi: 0.3}}\n",
     {"m.yaml:6:11: error: 'psi'' cannot be driven: it is no angle, coordinate or pair of "
      "points; did you mean 'phi'?"}},
    {"a velocity in metres",
     "Dimension: 2\n"
     "PartData:\n"
     "  Fixed: {O: [0, 0]}\n"
     "  Rigids: {OA: {Geom: [[1, 0]], Dyna: [[0.5, 0], 1, 0.1]}}\n"
     "Angles: {phi: OA}\n"
     "Drivers: {phi': 3 m}\n"
     "ProblemData: {tend: 3, positions: {phi: 0.3}}\n",
     {"m.yaml:6:17: error: an angular velocity or frequency (rad/s) is expected here, but this "
      "is a length (m)"}},
    {"a velocity in degrees",
     "Dimension: 2\n"
     "PartData:\n"
     "  Fixed: {O: [0, 0]}\n"
     "  Rigids: {OA: {Geom: [[1, 0]], Dyna: [[0.5, 0], 1, 0.1]}}\n"
     "Angles: {phi: OA}\n"
     "Drivers: {phi': 3 deg}\n"
     "ProblemData: {tend: 3, positions: {phi: 0.3}}\n",
     {"m.yaml:6:17: error: an angular velocity or frequency (rad/s) is expected here, but this "
      "is an angle (rad)"}},
    {"a velocity that depends on the motion",
     "Dimension: 2\n"
     "PartData:\n"
     "  Fixed: {O: [0, 0]}\n"
     "  Rigids: {OA: {Geom: [[1, 0]], Dyna: [[0.5, 0], 1, 0.1]}}\n"
     "Angles: {phi: OA}\n"
     "Drivers: {phi': Ax}\n"
     "ProblemData: {tend: 3, positions: {phi: 0.3}}\n",
     {"m.yaml:6:17: error: a driver prescribes a function of t: 'phi'' cannot depend on how "
      "the mechanism moves"}},
    {"an angle that is driven twice",
     "Dimension: 2\n"
     "PartData:\n"
     "  Fixed: {O: [0, 0]}\n"
     "  Rigids: {OA: {Geom: [[1, 0]], Dyna: [[0.5, 0], 1, 0.1]}}\n"
     "Angles: {phi: OA}\n"
     "Drivers: {phi: t, phi': 1}\n"
     "ProblemData: {tend: 3, positions: {phi: 0.3}}\n",
     {"m.yaml:6:19: error: 'phi'' is driven already: by 'phi', on line 6"}},
    {"a point as a whole",
     "Dimension: 2\n"
     "PartData:\n"
     "  Fixed: {O: [0, 0]}\n"
     "  Rigids: {OA: {Geom: [[1, 0]], Dyna: [[0.5, 0], 1, 0.1]}}\n"
     "Angles: {phi: OA}\n"
     "Drivers: {A': 1}\n"
     "ProblemData: {tend: 3, positions: {phi: 0.3}}\n",
     {"m.yaml:6:11: error: drive the components of A one by one: Ax': ..., Ay': ..."}},
    {"a rod that is driven",
     "Dimension: 2\n"
     "PartData:\n"
     "  Fixed: {O: [0, 0]}\n"
     "  Rigids: {OA: {Geom: [[1, 0]], Dyna: [[0.5, 0], 1, 0.1]}}\n"
     "Angles: {phi: OA}\n"
     "Drivers: {OA': 1}\n"
     "ProblemData: {tend: 3, positions: {phi: 0.3}}\n",
     {"m.yaml:6:11: error: 'OA'' cannot be driven: both points belong to the rigid body 'OA'"}},
};

static void test_wrong_files_are_told(void **state) {
    (void)state;
    program_write("a.csv", "x,z\n0,1\n1,2\n", -1);
    program_write("words.csv", "x,z\n0,1\n1,two\n", -1);
    program_write("four.csv", "a,b,c,d\n1,2,3,4\n", -1);
    program_write("down.csv", "x,z\n0,1\n2,2\n1,3\n", -1);
    program_write("torn.csv", "x,z\n0,1\n1\n", -1);
    program_write("one.csv", "x,z\n0,1\n", -1);
    assert_int_equal(mkdir("sub.csv", 0777), 0);
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++)
        check(WRONG[i].what, WRONG[i].text, "run m.yaml", 2, WRONG[i].message);
}

/* What shows only when the motion gets there. */
static void test_runs_that_end_are_told(void **state) {
    (void)state;
    static const stopped list[] = {
        {"a run that leaves its table",
         "Tables: {f: {Points: [[0, 1], [0.5, 2]]}}\n"
         "DAE: {Variables: [x], Equations: [x - f(t)]}\n"
         "ProblemData: {tend: 1, values: {x: 0}}\n",
         "run m.yaml",
         1,
         {"m.yaml:2:35: error: at t = 0.5 t leaves the table 'f', which goes from 0 to 0.5: give "
          "it more samples, or say what holds Outside of it (hold, extend, periodic)"}},
        {"a position that leaves its table",
         "Tables: {f: {Points: [[0, 1], [0.5, 2]]}}\n"
         "Lagrangian: {Coordinates: [q], L: q'^2/2, Forces: {q: f(q)}}\n"
         "ProblemData: {tend: 9, positions: {q: 0.1}}\n",
         "run m.yaml",
         1,
         {"m.yaml:2:55: error: at t = 0.7768361992 q leaves the table 'f', which goes from 0 to "
          "0.5: give it more samples, or say what holds Outside of it (hold, extend, periodic)"}},
        {"a corner in a driver",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids: {OA: {Geom: [[1, 0]], Dyna: [[0.5, 0], 1, 0.1]}}\n"
         "Angles: {phi: OA}\n"
         "Tables: {f: {Points: [[0, 0], [1, 1], [2, 4]]}}\n"
         "Drivers: {phi: f(t)}\n"
         "ProblemData: {tend: 3, positions: {phi: 0.3}}\n",
         "run m.yaml",
         1,
         {"m.yaml:7:16: error: at t = 1 the table 'f' has a corner in a driver or constraint, so "
          "Ax' would have to jump by 1.68: Between: spline has none inside the table"}},
        {"a corner in a constraint",
         "Tables: {f: {Points: [[-2, 2], [0.5, 0], [2, 4]]}}\n"
         "Dimension: 2\n"
         "PartData: {Fixed: {O: [0, 0]}, Particles: {A: 1}}\n"
         "Constraints: {c: Ay - f(Ax)}\n"
         "ProblemData: {tend: 2, positions: {A: [0, 0.4]}, velocities: {A: [1, -0.8]}}\n",
         "run m.yaml",
         1,
         {"m.yaml:4:18: error: at t = 0.5 the table 'f' has a corner in a driver or constraint, so "
          "Ax' would have to jump by 1.14: Between: spline has none inside the table"}},
        {"a corner under a mass",
         "Tables: {f: {Points: [[0, 0], [1, 1], [3, 0]]}}\n"
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, f(t)]}\n"
         "  Rigids: {OA: {Geom: [[1, 0]], Dyna: [[0.5, 0], 1, 0.1]}}\n"
         "ProblemData: {tend: 2, positions: {A: [1, 0]}}\n",
         "run m.yaml",
         1,
         {"m.yaml:4:18: error: at t = 1 the table 'f' has a corner, and masses move with it: their "
          "velocities would have to jump; Between: spline has none inside the table"}},
        {"a corner under a line",
         "Tables: {f: {Points: [[0, 0], [1, 1], [3, 0]]}}\n"
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, f(t)], u: [1, 0]}\n"
         "  Collinears: {OuB: s}\n"
         "  Particles: {B: 1}\n"
         "ProblemData: {tend: 2, positions: {B: [1, 0]}}\n",
         "run m.yaml",
         1,
         {"m.yaml:4:18: error: at t = 1 the table 'f' has a corner, and masses move with it: their "
          "velocities would have to jump; Between: spline has none inside the table"}},
        {"a corner under a heavy spring",
         "Tables: {f: {Points: [[0, 0], [1, 1], [3, 0]]}}\n"
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, f(t)]}\n"
         "  Springs: {OA: [10, 1, 0.5]}\n"
         "  Particles: {A: 1}\n"
         "ProblemData: {tend: 2, positions: {A: [1, 0]}}\n",
         "run m.yaml",
         1,
         {"m.yaml:4:18: error: at t = 1 the table 'f' has a corner, and masses move with it: their "
          "velocities would have to jump; Between: spline has none inside the table"}},
        {"a corner under a point beside another",
         "Tables: {f: {Points: [[0, 0], [1, 1], [3, 0]]}}\n"
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, f(t)], P: [Ox + 1, 2*Oy]}\n"
         "  Rigids: {PA: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}}\n"
         "ProblemData: {tend: 2, positions: {A: [2, 0]}}\n",
         "run m.yaml",
         1,
         {"m.yaml:4:18: error: at t = 1 the table 'f' has a corner, and masses move with it: their "
          "velocities would have to jump; Between: spline has none inside the table"}},
        {"a corner in a Lagrangian",
         "Tables: {f: {Points: [[0, 0], [1, 1], [3, 0]]}}\n"
         "Lagrangian: {Coordinates: [q], Define: {y: f(q)}, L: q'^2/2 + y'^2/2}\n"
         "ProblemData: {tend: 2, positions: {q: 0.5}, velocities: {q: 1}}\n",
         "run m.yaml",
         1,
         {"m.yaml:2:44: error: at t = 0.5 the table 'f' has a corner, and masses move with it: "
          "their velocities would have to jump; Between: spline has none inside the table"}},
        {"a velocity that jumps",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids: {OA: {Geom: [[1, 0]], Dyna: [[0.5, 0], 1, 0.1]}}\n"
         "Angles: {phi: OA}\n"
         "Drivers: {phi': \"if(t < 1, 0, 10)\"}\n"
         "ProblemData: {tend: 3, positions: {phi: 0.3}}\n",
         "run m.yaml",
         1,
         {"m.yaml:6:17: error: at t = 1 a kink (abs, max, if, ...) is in a driver or constraint, "
          "so "
          "Ax' would have to jump by 2.96: drive a velocity that is continuous, or smooth the "
          "function"}},
        {"a table and constraints that decay",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids: {OA: {Geom: [[1, 0]], Dyna: [[0.5, 0], 1, 0.1]}}\n"
         "Angles: {phi: OA}\n"
         "Tables: {f: {Points: [[0, 1], [1, 2]], Outside: hold}}\n"
         "Drivers: {phi': f(t)}\n"
         "ProblemData: {tend: 3, positions: {phi: 0.3}}\n",
         "run m.yaml --stabilize baumgarte",
         2,
         {"m.yaml:7:17: error: tables need constraints that are kept by projection, not equations "
          "in which "
          "they decay, and no search from several starts"}},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        check(list[i].what, list[i].text, list[i].command, list[i].code, list[i].message);
}

/* A model from memory is in no folder. */
static void test_models_from_memory_read_no_files(void **state) {
    (void)state;
    static const char text[] = "Tables: {f: {File: a.csv}}\n"
                               "DAE: {Variables: [x], Equations: [x - f(t)]}\n"
                               "ProblemData: {tend: 1, values: {x: 0}}\n";
    taut_errors errors = {0};
    taut_model *model = NULL;
    assert_int_equal(taut_model_parse("m", text, -1, &model, &errors), TAUT_ERR_INPUT);
    assert_null(model);
    assert_string_equal(errors.item[0].message,
                        "a model from memory cannot read tables from files: it is in no folder "
                        "that their paths could start from; give their Points, or read it from a "
                        "file");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_files_are_told),
        cmocka_unit_test(test_runs_that_end_are_told),
        cmocka_unit_test(test_models_from_memory_read_no_files),
    };
    return cmocka_run_group_tests(tests, program_enter, program_leave);
}
