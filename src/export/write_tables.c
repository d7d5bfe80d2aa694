/* Tables of STEM.c: sizes, limits of what a status reports, the state, unknowns and equations. */
#include <math.h>

#include "export/pen.h"

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

void taut_write_table(taut_pen *p, const char *type, const char *name, int count,
                      taut_table_value *value) {
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

void taut_write_tables(taut_pen *p) {
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
    taut_write_table(p, "int", "STATE_HOME", c->states, state_home);
    taut_write_table(p, "int", "STATE_ORDER", c->states, state_order);
    taut_write_table(p, "int", "STATE_TOP", c->states, state_top);
    taut_write_table(p, "real", "START", c->states, start_of);
    taut_write_table(p, "real", "WEIGHT", c->states, weight_of);
    taut_pen_add(
        p, "/* unknowns and equations: series, offsets, the first component of the state */\n");
    taut_write_table(p, "int", "VARIABLE_HOME", c->system->n, variable_home);
    taut_write_table(p, "int", "VARIABLE_D", c->system->n, variable_d);
    taut_write_table(p, "int", "EQUATION_C", c->system->n, equation_c);
    taut_write_table(p, "int", "FIRST_STATE", c->system->n, first_state);
    put_times(p);
}
