/* STEM.c: the parts that depend on the equations, between those that are the same for all. */
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "export/pen.h"
#include "expr/ops.h"
#include "out/plot.h"

/* Straight lines that are longer become loops, unless tables of all pairs of unknowns would be
 * longer still: a chain. */
enum { MOST_BYTES = 100000, MOST_UNKNOWNS = 100 };

/* ---- texts ---- */

static const char HELPERS[] = "\n/* ---- series ----\n"
                              " *\n"
                              " * c[i][k] is x^(k) h^k / k! of a series x. These are sums over the "
                              "orders between 0 and k. */\n";

static const char PRODUCT[] = "\nstatic real product(const real *a, const real *b, int k) {\n"
                              "    real sum = (real)0;\n"
                              "    int l;\n"
                              "    for (l = 1; l < k; l++) {\n"
                              "        sum += a[l] * b[k - l];\n"
                              "    }\n"
                              "    return sum;\n"
                              "}\n";

static const char SQUARE[] = "\nstatic real square(const real *a, int k) {\n"
                             "    real sum = (real)0;\n"
                             "    int l;\n"
                             "    for (l = 1; (2 * l) < k; l++) {\n"
                             "        sum += a[l] * a[k - l];\n"
                             "    }\n"
                             "    sum += sum;\n"
                             "    if ((k > 0) && ((k % 2) == 0)) {\n"
                             "        sum += a[k / 2] * a[k / 2];\n"
                             "    }\n"
                             "    return sum;\n"
                             "}\n";

static const char WEIGHTED[] = "\nstatic real weighted(const real *a, const real *b, int k) {\n"
                               "    real sum = (real)0;\n"
                               "    int l;\n"
                               "    for (l = 1; l < k; l++) {\n"
                               "        sum += (real)l * a[l] * b[k - l];\n"
                               "    }\n"
                               "    return sum;\n"
                               "}\n";

/* Order k of a product: also at order 0, and not; of two series, and of one with itself. */
static const char *const TIMES[2][2] = {
    {"\n/* Order k of a product, i being the sum above. */\n"
     "static real times(real i, const real *a, const real *b, int k) {\n"
     "    return (k == 0) ? (a[0] * b[0]) : (i + (a[0] * b[k]) + (a[k] * b[0]));\n"
     "}\n",
     "\nstatic real squared(real i, const real *a, int k) {\n"
     "    return (k == 0) ? (a[0] * a[0]) : (i + ((real)2 * a[0] * a[k]));\n"
     "}\n"},
    {"\n/* The same for k > 0. */\n"
     "static real times_on(real i, const real *a, const real *b, int k) {\n"
     "    return i + (a[0] * b[k]) + (a[k] * b[0]);\n"
     "}\n",
     "\n/* The same for k > 0. */\n"
     "static real squared_on(real i, const real *a, int k) {\n"
     "    return i + ((real)2 * a[0] * a[k]);\n"
     "}\n"}};

static const char SUM_OR_ZERO[] = "\n/* A sum that is 0 where only rounding is left of it. */\n"
                                  "static real sum_or_zero(real a, real b) {\n"
                                  "    const real sum = a + b;\n"
                                  "    const real size = (a < (real)0) ? -a : a;\n"
                                  "    const real rest = (sum < (real)0) ? -sum : sum;\n"
                                  "    return (rest > (ROUNDING * size)) ? sum : (real)0;\n"
                                  "}\n";

static const char RATIO[] = "\n/* a : b = c : d but for rounding */\n"
                            "static int is_ratio(real a, real b, real c, real d) {\n"
                            "    const real x = a / b;\n"
                            "    const real gap = (x > (c / d)) ? (x - (c / d)) : ((c / d) - x);\n"
                            "    return gap <= (ROUNDING * ((x < (real)0) ? -x : x));\n"
                            "}\n";

static const char STAGES[] =
    "\n/* ---- stages ---- */\n"
    "\n"
    "/* Coefficients of the state at its time, for steps of length h. */\n"
    "static void place(@_system *s, real h, int orders) {\n"
    "    work *w = &s->w;\n"
    "    int i;\n"
    "    int k;\n"
    "    w->h = h;\n"
    "    w->per_h = (real)1 / h;\n"
    "    for (i = 0; i < $_STATES; i++) {\n"
    "        real x = s->state.x[i];\n"
    "        for (k = 1; k <= STATE_ORDER[i]; k++) {\n"
    "            x *= h / (real)k;\n"
    "        }\n"
    "        w->c[STATE_HOME[i]][STATE_ORDER[i]] = x;\n"
    "    }\n"
    "    for (i = 0; i < TIMES; i++) {\n"
    "        w->c[TIME_HOME[i]][0] = s->state.t;\n"
    "        w->c[TIME_HOME[i]][1] = h;\n"
    "    }\n"
    "    find_times(w, orders);\n"
    "}\n"
    "\n"
    "static void find(work *w, int s) {\n"
    "    inner(w, s);\n"
    "    series(w, s);\n"
    "}\n"
    "\n"
    "/* Positions and velocities are known: J there, and its factors. */\n"
    "static void look(work *w) {\n"
    "    int s;\n"
    "    for (s = -LARGEST; s < 0; s++) {\n"
    "        find(w, s);\n"
    "    }\n"
    "    jacobian(w);\n"
    "    factor(w);\n"
    "}\n"
    "\n"
    "/* Residuals of stage s, divided as its unknowns are: by s! h^-s. */\n"
    "static void put_residuals(work *w, int s, real *unknown) {\n"
    "    real scale[LARGEST + 1];\n"
    "    int i;\n"
    "    int o;\n"
    "    for (o = 0; o <= LARGEST; o++) {\n"
    "        scale[o] = ((s + o) >= 0) ? (real)1 : (real)0;\n"
    "        unknown[o] = scale[o];\n"
    "        for (i = ((s > 0) ? s : 0) + 1; i <= (s + o); i++) {\n"
    "            scale[o] *= (real)i * w->per_h;\n"
    "            unknown[o] *= w->h / (real)i;\n"
    "        }\n"
    "    }\n"
    "    for (i = 0; i < UNKNOWNS; i++) {\n"
    "        w->y[i] = -w->f[i] * scale[EQUATION_C[i]];\n"
    "    }\n"
    "}\n"
    "\n"
    "/* Stage s >= 0 finds x^(s + d) of every unknown; all of them are linear. last: nobody needs "
    "what\n"
    " * else depends on them. */\n"
    "static void stage(work *w, int s, int last) {\n"
    "    real unknown[LARGEST + 1];\n"
    "    int j;\n"
    "    for (j = 0; j < UNKNOWNS; j++) {\n"
    "        w->c[VARIABLE_HOME[j]][s + VARIABLE_D[j]] = (real)0;\n"
    "    }\n"
    "    find(w, s);\n"
    "    put_residuals(w, s, unknown);\n"
    "    solve(w);\n"
    "    for (j = 0; j < UNKNOWNS; j++) {\n"
    "        w->c[VARIABLE_HOME[j]][s + VARIABLE_D[j]] = w->z[j] * unknown[VARIABLE_D[j]];\n"
    "    }\n"
    "    if (last == 0) {\n"
    "        series(w, s);\n"
    "    }\n"
    "}\n";

static const char PROJECTION[] =
    "\n/* Brings positions (s = -2), then velocities (s = -1) back to the constraints, by the "
    "shortest\n"
    " * way in the metric of the mass matrix; twice, with the same factors. */\n"
    "static void project(work *w) {\n"
    "    real unknown[LARGEST + 1];\n"
    "    int round;\n"
    "    int s;\n"
    "    int j;\n"
    "    for (round = 0; round < 2; round++) {\n"
    "        for (s = -LARGEST; s < 0; s++) {\n"
    "            find(w, s);\n"
    "            put_residuals(w, s, unknown);\n"
    "            solve(w);\n"
    "            for (j = 0; j < UNKNOWNS; j++) {\n"
    "                const int k = s + VARIABLE_D[j];\n"
    "                if (k >= 0) {\n"
    "                    const real weighed = w->z[j] * WEIGHT[FIRST_STATE[j] + k];\n"
    "                    w->c[VARIABLE_HOME[j]][k] += w->z[j] * unknown[VARIABLE_D[j]];\n"
    "                    w->change += weighed * weighed;\n"
    "                }\n"
    "            }\n"
    "        }\n"
    "    }\n"
    "}\n"
    "\n"
    "/* The state from the coefficients. */\n"
    "static void take(@_system *s) {\n"
    "    int i;\n"
    "    int k;\n"
    "    for (i = 0; i < $_STATES; i++) {\n"
    "        real x = s->w.c[STATE_HOME[i]][STATE_ORDER[i]];\n"
    "        for (k = 1; k <= STATE_ORDER[i]; k++) {\n"
    "            x *= (real)k * s->w.per_h;\n"
    "        }\n"
    "        s->state.x[i] = x;\n"
    "    }\n"
    "}\n"
    "\n"
    "static void settle(@_system *s) {\n"
    "    look(&s->w);\n"
    "    project(&s->w);\n"
    "    take(s);\n"
    "}\n";

static const char ADVANCE[] =
    "\n/* The state at the end of the step: sums from the smallest terms upwards. Notes the last "
    "ones. */\n"
    "static void advance(@_system *s, real h) {\n"
    "    work *w = &s->w;\n"
    "    real y;\n"
    "    real sum;\n"
    "    int i;\n"
    "    int k;\n"
    "    int l;\n"
    "    for (i = 0; i < $_STATES; i++) {\n"
    "        const real *c = w->c[STATE_HOME[i]];\n"
    "        const int o = STATE_ORDER[i];\n"
    "        real tail = (real)0;\n"
    "        real last = (real)0;\n"
    "        for (l = STATE_TOP[i]; l > o; l--) {\n"
    "            real term = c[l];\n"
    "            for (k = 0; k < o; k++) {\n"
    "                const int factor = l - k;\n"
    "                term *= (real)factor * w->per_h;\n"
    "            }\n"
    "            tail += term;\n"
    "            last = (l == STATE_TOP[i]) ? term : last;\n"
    "        }\n"
    "        s->state.x[i] += tail;\n"
    "        w->tail += (last * WEIGHT[i]) * (last * WEIGHT[i]);\n"
    "    }\n"
    "    /* the time without the rounding of many additions */\n"
    "    y = h + s->state.t_low;\n"
    "    sum = s->state.t + y;\n"
    "    s->state.t_low = y - (sum - s->state.t);\n"
    "    s->state.t = sum;\n"
    "}\n"
    "\n"
    "static void begin(work *w) {\n"
    "    w->nearness = (real)0;\n"
    "    w->growth = (real)0;\n"
    "    w->change = (real)0;\n"
    "    w->tail = (real)0;\n"
    "}\n"
    "\n"
    "/* What the sums over a step say of it. */\n"
    "static unsigned judge(const @_system *s) {\n"
    "    const work *w = &s->w;\n"
    "    unsigned status = 0U;\n"
    "    real finite = (real)0;\n"
    "    int i;\n"
    "    for (i = 0; i < $_STATES; i++) {\n"
    "        finite += s->state.x[i] - s->state.x[i];\n"
    "    }\n"
    "    status |= (w->growth > MOST_GROWTH) ? $_POOR_PIVOT : 0U;\n"
    "    status |= (w->nearness > MOST_NEAR) ? $_NEAR_SINGULAR : 0U;\n"
    "    status |= ((w->change + w->tail) > MOST_CHANGE) ? $_DEFECT : 0U;\n"
    "    status |= (finite == (real)0) ? 0U : $_NOT_FINITE;\n"
    "    return status;\n"
    "}\n";

static const char INTERFACE[] =
    "\n/* ---- interface ---- */\n"
    "\n"
    "unsigned @_init(@_system *s, const @_parameters *p) {\n"
    "    work *w = &s->w;\n"
    "    unsigned status = 0U;\n"
    "    @_inputs u;\n"
    "    int i;\n"
    "    int k;\n"
    "    for (i = 0; i < SERIES; i++) {\n"
    "        for (k = 0; k < ORDERS; k++) {\n"
    "            w->c[i][k] = (real)0;\n"
    "        }\n"
    "    }\n"
    "    for (i = 0; i < UNKNOWNS; i++) {\n"
    "        w->f[i] = (real)0;\n"
    "    }\n"
    "    for (i = 0; i < $_STATES; i++) {\n"
    "        s->state.x[i] = START[i];\n"
    "    }\n"
    "    s->state.t = $_T0;\n"
    "    s->state.t_low = (real)0;\n"
    "~HOLD"
    "    @_default_inputs(&u);\n"
    "    status |= (set_parameters(w, p) == 0) ? 0U : $_WRONG_NUMBER;\n"
    "    status |= (set_inputs(w, &s->state, &u) == 0) ? 0U : $_WRONG_NUMBER;\n"
    "    /* with other parameters to the nearest state that satisfies the constraints */\n"
    "    for (i = 0; i < 10; i++) {\n"
    "        begin(w);\n"
    "        place(s, $_STEP, LARGEST + 1);\n"
    "        settle(s);\n"
    "    }\n"
    "    status |= judge(s);\n"
    "    status |= (w->change < (real)1) ? 0U : $_NO_START;\n"
    "~FIRST"
    "    s->status = status;\n"
    "    return status;\n"
    "}\n"
    "\n"
    "unsigned @_step(@_system *s, const @_inputs *u, real h) {\n"
    "    work *w = &s->w;\n"
    "    unsigned status = 0U;\n"
    "    int i;\n"
    "    status |= (set_inputs(w, &s->state, u) == 0) ? 0U : $_WRONG_NUMBER;\n"
    "    begin(w);\n"
    "    place(s, h, ORDERS);\n"
    "    look(w);\n"
    "    for (i = 0; i < $_ORDER; i++) {\n"
    "        stage(w, i, (i == ($_ORDER - 1)) ? 1 : 0);\n"
    "    }\n"
    "    advance(s, h);\n"
    "    place(s, h, LARGEST + 1);\n"
    "    settle(s);\n"
    "    status |= judge(s);\n"
    "~SAMPLE"
    "    s->status |= status;\n"
    "    return status;\n"
    "}\n";

static const char OBSERVE[] =
    "\n/* Everything that columns and controllers need, at the present state. */\n"
    "static unsigned observe(@_system *s, const @_inputs *u) {\n"
    "    work *w = &s->w;\n"
    "    unsigned status = 0U;\n"
    "    int i;\n"
    "    status |= (set_inputs(w, &s->state, u) == 0) ? 0U : $_WRONG_NUMBER;\n"
    "    begin(w);\n"
    "    place(s, (real)1, OUTPUT_ORDERS);\n"
    "    find_output_times(w, OUTPUT_ORDERS);\n"
    "    look(w);\n"
    "    for (i = -LARGEST; i <= LAST_STAGE; i++) {\n"
    "        if (i >= 0) {\n"
    "            stage(w, i, 0);\n"
    "        }\n"
    "        output_inner(w, i);\n"
    "        output_series(w, i);\n"
    "    }\n"
    "    return status;\n"
    "}\n";

/* Evaluated at every step, also between samples: each costs the same. */
static const char CONTROL[] =
    "    for (i = 0; i < ACTIONS; i++) {\n"
    "        real *held = &s->state.held[ACTION_SETS[i]];\n"
    "        *held = (s->state.wait[ACTION_OF[i]] == 0) ? value[i] : *held;\n"
    "    }\n"
    "    for (i = 0; i < $_CONTROLLERS; i++) {\n"
    "        s->state.wait[i] = (s->state.wait[i] == 0) ? PERIOD[i] : s->state.wait[i];\n"
    "    }\n"
    "    return status;\n"
    "}\n";

static const char OUTPUTS[] = "\n"
                              "unsigned @_outputs(@_system *s, const @_inputs *u, real *y) {\n"
                              "    const work *w = &s->w;\n"
                              "    const unsigned status = observe(s, u);\n";

static const char RESIDUAL[] =
    "\n"
    "real @_residual(@_system *s) {\n"
    "    work *w = &s->w;\n"
    "    real largest = (real)0;\n"
    "    int i;\n"
    "    int k;\n"
    "    place(s, (real)1, LARGEST + 1);\n"
    "    for (k = -LARGEST; k < 0; k++) {\n"
    "        find(w, k);\n"
    "        for (i = 0; i < UNKNOWNS; i++) {\n"
    "            if (EQUATION_C[i] == -k) {\n"
    "                const real f = (w->f[i] < (real)0) ? -w->f[i] : w->f[i];\n"
    "                largest = (f > largest) ? f : largest;\n"
    "            }\n"
    "        }\n"
    "    }\n"
    "    return largest;\n"
    "}\n";

/* ---- tables ---- */

typedef double table_value(const taut_code *, int);

static double state_home(const taut_code *c, int i) {
    return c->home[c->variable[c->state[i].variable]];
}
static double state_order(const taut_code *c, int i) { return c->state[i].order; }
static double state_top(const taut_code *c, int i) {
    return c->order - 1 + c->structure->offsets.d[c->state[i].variable];
}
static double equation_c(const taut_code *c, int i) { return c->structure->offsets.c[i]; }
static double variable_d(const taut_code *c, int i) { return c->structure->offsets.d[i]; }
static double variable_home(const taut_code *c, int i) { return c->home[c->variable[i]]; }
static double start_of(const taut_code *c, int i) { return c->state[i].start; }
static double weight_of(const taut_code *c, int i) {
    return 1.0 / (c->tolerance * (c->state[i].scale > 0.0 ? c->state[i].scale : 1.0));
}
static double first_state(const taut_code *c, int j) {
    int first = 0;
    for (int i = 0; i < j; i++) first += c->structure->offsets.d[i];
    return first;
}

static void put_table(taut_pen *p, const char *type, const char *name, int count,
                      table_value *value) {
    taut_pen_add(p, "static const %s %s[%d] = {", type, name, count > 0 ? count : 1);
    for (int i = 0; i < count; i++) {
        taut_pen_wrap(p, 4);
        if (type[0] == 'i')
            taut_pen_add(p, "%d", (int)value(p->code, i));
        else
            taut_pen_number(p, value(p->code, i));
        taut_pen_add(p, i + 1 < count ? ", " : "");
    }
    taut_pen_add(p, count > 0 ? "};\n" : "0};\n");
}

/* The slots that hold t. */
static void put_times(taut_pen *p) {
    const taut_code *c = p->code;
    int count = 0, home = 0;
    for (int slot = 0; slot < c->tape->size; slot++)
        if (c->use[slot] && c->tape->instr[slot].kernel == TAUT_KERNEL_TIME) {
            home = c->home[slot];
            count++;
        }
    taut_pen_add(p, "#define TIMES %d\nstatic const int TIME_HOME[1] = {%d};\n", count, home);
}

static void put_limits(taut_pen *p) {
    const taut_code *c = p->code;
    const double growth = 1e3 / c->pivots.least, near = fmax(1e6, 100.0 / c->pivots.closest);
    const double factor = c->options->single ? 1e3 : 100.0; /* of the error that is allowed */
    taut_pen_add(p, "#define MOST_GROWTH ((real)%.3g)\n", growth * growth * c->system->n);
    taut_pen_add(p, "#define MOST_NEAR ((real)%.3g)\n", near * near);
    taut_pen_add(p, "#define MOST_CHANGE ((real)%.3g)\n",
                 fmax(factor * factor * c->states, 10.0 * c->tail));
    taut_pen_add(p, "#define ROUNDING ((real)%s)\n",
                 c->options->single ? "1e-6" : "1.7763568394002505e-15");
}

static void put_tables(taut_pen *p) {
    const taut_code *c = p->code;
    taut_pen_add(p, "\n/* ---- tables ---- */\n\n");
    taut_pen_template(p, "#define UNKNOWNS $_UNKNOWNS\n#define SERIES $_SERIES\n"
                         "#define ORDERS $_ORDERS\n#define OUTPUT_ORDERS $_OUTPUT_ORDERS\n");
    taut_pen_add(p, "#define LARGEST %d /* order of a derivative */\n#define LAST_STAGE (%d)\n",
                 c->structure->largest_d, c->last_stage);
    put_limits(p);
    taut_pen_add(
        p, "\n/* the state: series, order of the derivative, the last order, start, 1 / error "
           "that is allowed */\n");
    put_table(p, "int", "STATE_HOME", c->states, state_home);
    put_table(p, "int", "STATE_ORDER", c->states, state_order);
    put_table(p, "int", "STATE_TOP", c->states, state_top);
    put_table(p, "real", "START", c->states, start_of);
    put_table(p, "real", "WEIGHT", c->states, weight_of);
    taut_pen_add(
        p, "/* unknowns and equations: series, offsets, the first component of the state */\n");
    put_table(p, "int", "VARIABLE_HOME", c->system->n, variable_home);
    put_table(p, "int", "VARIABLE_D", c->system->n, variable_d);
    put_table(p, "int", "EQUATION_C", c->system->n, equation_c);
    put_table(p, "int", "FIRST_STATE", c->system->n, first_state);
    put_times(p);
}

/* ---- defaults, names ---- */

static void put_defaults(taut_pen *p, taut_code_number kind, const char *what) {
    const taut_code *c = p->code;
    int count = 0;
    taut_pen_add(p, "\nvoid %s_default_%s(%s_%s *p) {\n", c->prefix, what, c->prefix, what);
    for (int i = 0; i < c->parameters; i++) {
        if (c->parameter[i].kind != kind || !c->parameter[i].used || c->parameter[i].frozen)
            continue;
        taut_pen_add(p, "    p->%s = ", c->parameter[i].field);
        taut_pen_number(p, c->parameter[i].value);
        taut_pen_add(p, ";\n");
        count++;
    }
    taut_pen_add(p, count > 0 ? "}\n" : "    p->none = (real)0;\n}\n");
}

/* What `observe` has found for a column. */
static void put_observed(taut_pen *p, const char *array, int i, const taut_code_column *x) {
    const taut_code *c = p->code;
    double factorial = 1.0;
    for (int k = 2; k <= x->order; k++) factorial *= k;
    taut_pen_add(p, "    %s[%d] = ", array, i);
    if (factorial != 1.0) {
        taut_pen_number(p, factorial);
        taut_pen_add(p, " * ");
    }
    taut_pen_add(p, "w->%c[%d][%d]; /* ", c->store[x->slot] == TAUT_STORE_SERIES ? 'c' : 'o',
                 c->home[x->slot], x->order);
    taut_pen_words(p, x->name);
    taut_pen_add(p, " */\n");
}

/* ---- controllers ---- */

static double period_of(const taut_code *c, int i) { return (double)c->controller[i].period; }
static double phase_of(const taut_code *c, int i) { return (double)c->controller[i].phase; }
static double action_of(const taut_code *c, int i) { return c->action[i].controller; }
static double action_sets(const taut_code *c, int i) {
    return c->parameter[c->action[i].parameter].held;
}
static double held_start(const taut_code *c, int k) {
    for (int i = 0; i < c->parameters; i++)
        if (c->parameter[i].kind == TAUT_CODE_HELD && c->parameter[i].held == k)
            return c->parameter[i].value;
    return 0.0;
}

static void put_controllers(taut_pen *p) {
    const taut_code *c = p->code;
    if (c->controllers == 0) return;
    taut_pen_add(p, "\n/* ---- controllers: ");
    for (int i = 0; i < c->controllers; i++) {
        taut_pen_add(p, i > 0 ? ", " : "");
        taut_pen_words(p, c->controller[i].name);
    }
    taut_pen_add(p, " ---- */\n\n#define ACTIONS %d\n", c->actions);
    put_table(p, "int", "PERIOD", c->controllers, period_of);
    put_table(p, "int", "PHASE", c->controllers, phase_of);
    put_table(p, "int", "ACTION_OF", c->actions, action_of);
    put_table(p, "int", "ACTION_SETS", c->actions, action_sets);
    put_table(p, "real", "HELD_START", c->helds, held_start);
    taut_pen_template(p, "\n/* Samples that are due now: all by the values before. */\n"
                         "static unsigned control(@_system *s, const @_inputs *u) {\n"
                         "    const work *w = &s->w;\n"
                         "    const unsigned status = observe(s, u);\n"
                         "    real value[ACTIONS];\n"
                         "    int i;\n");
    for (int i = 0; i < c->actions; i++) put_observed(p, "value", i, &c->action[i].value);
    taut_pen_template(p, CONTROL);
}

/* The interface, with what controllers add to it. */
static void put_interface(taut_pen *p) {
    static const struct {
        const char *mark, *text;
    } part[] = {{"HOLD", "    for (i = 0; i < $_HELD; i++) {\n"
                         "        s->state.held[i] = HELD_START[i];\n"
                         "    }\n"
                         "    for (i = 0; i < $_CONTROLLERS; i++) {\n"
                         "        s->state.wait[i] = PHASE[i];\n"
                         "    }\n"},
                {"FIRST", "    status |= control(s, &u);\n"},
                {"SAMPLE", "    for (i = 0; i < $_CONTROLLERS; i++) {\n"
                           "        s->state.wait[i] -= 1;\n"
                           "    }\n"
                           "    status |= control(s, u);\n"
                           "    status |= ((h > ($_STEP * (real)1.000001)) || (h < ($_STEP * "
                           "(real)0.999999)))\n"
                           "                  ? $_WRONG_STEP\n"
                           "                  : 0U;\n"}};
    const char *rest = INTERFACE;
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        const char *at = strchr(rest, '~');
        char piece[sizeof INTERFACE];
        taut_format(piece, sizeof piece, "%.*s", (int)(at - rest), rest);
        taut_pen_template(p, piece);
        if (p->code->controllers > 0) taut_pen_template(p, part[i].text);
        rest = at + 1 + strlen(part[i].mark);
    }
    taut_pen_template(p, rest);
}

static void put_outputs(taut_pen *p) {
    const taut_code *c = p->code;
    taut_pen_template(p, OUTPUTS);
    for (int i = 0; i < c->columns; i++) put_observed(p, "y", i, &c->column[i]);
    taut_pen_add(p, "    return status;\n}\n");
}

static void put_words(taut_pen *p, const char *table, bool units) {
    const taut_code *c = p->code;
    taut_pen_add(p, "const char *const %s_output_%s[%s_OUTPUTS] = {\n    ", c->prefix, table,
                 c->macro);
    for (int i = 0; i < c->columns; i++) {
        char unit[60];
        taut_plot_unit(c->model, c->column[i].name, unit, sizeof unit);
        taut_pen_add(p, "\"");
        if (units) /* of quantities.def: letters, digits, * / ^ */
            taut_pen_add(p, "%s", unit);
        else
            taut_pen_words(p, c->column[i].name);
        taut_pen_add(p, i + 1 < c->columns ? "\", " : "\"");
        taut_pen_wrap(p, 4);
    }
    taut_pen_add(p, "};\n");
}

static void put_names(taut_pen *p) {
    taut_pen_template(p, "\n#ifndef $_NO_NAMES\n");
    put_words(p, "names", false);
    put_words(p, "units", true);
    taut_pen_add(p, "#endif\n");
}

/* ---- the file ---- */

static taut_status number_homes(taut_pen *p, taut_arena *arena) {
    const taut_numbers *n = p->code->tape->numbers;
    const int count = taut_numbers_count(n);
    p->number_home = TAUT_NEW_ARRAY(arena, count + 1, int);
    if (!p->number_home) return TAUT_ERR_MEMORY;
    for (int i = 0; i < count; i++) {
        p->number_home[i] = -1;
        if (i == 0 || !p->code->number_used[i]) continue;
        const taut_number_kind kind = taut_numbers_row(n, i).kind;
        if (kind != TAUT_NUMBER_FIXED && kind != TAUT_NUMBER_PARAMETER)
            p->number_home[i] = p->numbers++;
    }
    return TAUT_OK;
}

static void put_opening(taut_pen *p) {
    taut_pen_add(p, "/* ");
    taut_pen_words(p, p->code->stem);
    taut_pen_add(p, ": ");
    taut_pen_words(p, p->code->model->title[0] ? p->code->model->title : "a model");
    taut_pen_add(p,
                 ".\n *\n * Written by taut %s. This file is yours: no licence of taut applies to "
                 "it.\n * See the header for how it is used. */\n#include \"",
                 taut_version());
    taut_pen_words(p, p->code->stem);
    taut_pen_template(p, ".h\"\n\n#include <math.h>\n\ntypedef @_real real;\ntypedef @_work work;\n"
                         "typedef real series_of[$_ORDERS];\n"
                         "typedef real output_of[$_OUTPUT_ORDERS];\n");
}

static taut_status put_source(taut_pen *p, taut_string *body) {
    taut_string *text = p->out;
    p->out = body;
    taut_pen_add(p, "\n/* ---- parameters and inputs ---- */\n");
    TAUT_TRY(taut_write_numbers(p));
    TAUT_TRY(taut_write_series(p));
    TAUT_TRY(taut_write_jacobian(p));
    taut_pen_template(p, STAGES);
    taut_pen_template(p, PROJECTION);
    taut_pen_template(p, ADVANCE);
    put_defaults(p, TAUT_CODE_PARAMETER, "parameters");
    put_defaults(p, TAUT_CODE_INPUT, "inputs");
    taut_pen_template(p, OBSERVE);
    put_controllers(p);
    put_interface(p);
    put_outputs(p);
    taut_pen_template(p, RESIDUAL);
    put_names(p);
    p->out = text;
    put_opening(p);
    put_tables(p);
    taut_pen_template(p, HELPERS);
    if (p->uses_product) taut_pen_template(p, PRODUCT);
    if (p->uses_square) taut_pen_template(p, SQUARE);
    if (p->uses_weighted) taut_pen_template(p, WEIGHTED);
    for (int i = 0; i < 4; i++)
        if (p->uses_times[i / 2][i % 2]) taut_pen_template(p, TIMES[i / 2][i % 2]);
    if (p->uses_sum_or_zero) taut_pen_template(p, SUM_OR_ZERO);
    if (p->uses_ratio) taut_pen_template(p, RATIO);
    taut_string_add(text, "%s", body->text ? body->text : "");
    return body->failed ? TAUT_ERR_MEMORY : TAUT_OK;
}

/* Straight lines, or loops; everything else is the same. */
static taut_status write_source(const taut_code *code, bool loops, taut_string *text,
                                taut_string *header) {
    taut_arena work = {0};
    taut_string body = {0};
    taut_pen pen = {.code = code, .out = text, .loops = loops};
    taut_status status = number_homes(&pen, &work);
    if (status == TAUT_OK) status = put_source(&pen, &body);
    if (status == TAUT_OK) status = taut_write_header(&pen, header);
    taut_string_release(&body);
    taut_arena_release(&work);
    return text->failed || header->failed ? TAUT_ERR_MEMORY : status;
}

taut_status taut_write_source(const taut_code *code, taut_string *text, taut_string *header) {
    TAUT_TRY(write_source(code, false, text, header));
    if (text->length <= MOST_BYTES || code->system->n > MOST_UNKNOWNS) return TAUT_OK;
    taut_string_release(text);
    taut_string_release(header);
    return write_source(code, true, text, header);
}
