/* Functions of STEM.c that are called from outside: start, step, outputs, with controllers and
 * columns; defaults and names. */
#include <string.h>

#include "export/pen.h"
#include "export/texts.h"
#include "out/plot.h"

/* ---- defaults, columns ---- */

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

static void put_controllers(taut_pen *p) {
    const taut_code *c = p->code;
    taut_pen_add(p, "\n/* ---- controllers: ");
    for (int i = 0; i < c->controllers; i++) {
        taut_pen_add(p, i > 0 ? ", " : "");
        taut_pen_words(p, c->controller[i].name);
    }
    taut_pen_add(p, " ---- */\n\n#define ACTIONS %d\n", c->actions);
    taut_write_table(p, "int", "PERIOD", c->controllers, period_of);
    taut_write_table(p, "int", "PHASE", c->controllers, phase_of);
    taut_write_table(p, "int", "ACTION_OF", c->actions, action_of);
    taut_write_table(p, "int", "ACTION_SETS", c->actions, action_sets);
    taut_write_table(p, "real", "HELD_START", c->helds, held_start);
    taut_pen_template(p, "\n/* Samples that are due now: all by the values before. */\n"
                         "static unsigned control(@_system *s, const @_inputs *u) {\n"
                         "    const work *w = &s->w;\n"
                         "    const unsigned status = observe(s, u);\n"
                         "    real value[ACTIONS];\n"
                         "    int i;\n");
    for (int i = 0; i < c->actions; i++) put_observed(p, "value", i, &c->action[i].value);
    taut_pen_template(p, CONTROL);
}

/* What controllers add to the functions. */
static const struct {
    const char *name, *text;
} CONTROLLED[] = {{"HOLD", "    for (i = 0; i < $_HELD; i++) {\n"
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

static void put_part(taut_pen *p, const char *name, const void *user) {
    const taut_code *c = p->code;
    (void)user;
    if (strcmp(name, "COLUMNS") == 0)
        for (int i = 0; i < c->formulas; i++) put_observed(p, "y", i, &c->column[i]);
    if (strcmp(name, "REACTIONS") == 0 && c->reactions)
        taut_pen_add(p, "    status |= find_reactions(&s->w, &y[%d]);\n", c->formulas);
    if (c->controllers == 0) return;
    if (strcmp(name, "CONTROLLERS") == 0) put_controllers(p);
    for (size_t i = 0; i < sizeof CONTROLLED / sizeof *CONTROLLED; i++)
        if (strcmp(name, CONTROLLED[i].name) == 0) taut_pen_template(p, CONTROLLED[i].text);
}

/* ---- names ---- */

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

/* ---- all of it ---- */

void taut_write_interface(taut_pen *p) {
    put_defaults(p, TAUT_CODE_PARAMETER, "parameters");
    put_defaults(p, TAUT_CODE_INPUT, "inputs");
    taut_pen_fill(p, taut_text_interface, put_part, NULL);
    put_names(p);
}
