/* STEM.h: sizes, structures, functions. */
#include <math.h>

#include "export/pen.h"
#include "out/plot.h"

static void put_define(taut_pen *p, const char *name, int value, const char *comment) {
    taut_pen_add(p, "#define %s_%s %d%s%s%s\n", p->code->macro, name, value,
                 comment[0] ? " /* " : "", comment, comment[0] ? " */" : "");
}

static void put_real(taut_pen *p, const char *name, double value, const char *comment) {
    taut_pen_add(p, "#define %s_%s ", p->code->macro, name);
    taut_pen_add(p, value < 0.0 ? "(" : "");
    taut_pen_number(p, value);
    taut_pen_add(p, "%s /* %s */\n", value < 0.0 ? ")" : "", comment);
}

static void put_opening(taut_pen *p) {
    const taut_code *c = p->code;
    taut_pen_add(p, "/* ");
    taut_pen_words(p, c->stem);
    taut_pen_add(p, ": ");
    taut_pen_words(p, c->model->title[0] ? c->model->title : "a model");
    taut_pen_add(
        p,
        ".\n *\n * Written by taut %s. This file is yours: no licence of taut applies to it."
        "\n *\n",
        taut_version());
    taut_pen_template(
        p,
        " *     @_system s;\n"
        " *     @_parameters p;\n"
        " *     @_inputs u;\n"
        " *     @_real y[$_OUTPUTS];\n"
        " *     @_default_parameters(&p);\n"
        " *     @_default_inputs(&u);\n"
        " *     status = @_init(&s, &p);\n"
        " *     for (;;) {\n"
        " *         status = @_step(&s, &u, $_STEP);\n"
        " *         status = @_outputs(&s, &u, y);\n"
        " *     }\n"
        " *\n"
        " * Nothing is allocated, printed or kept outside of the structures that the caller owns, "
        "so\n"
        " * there may be any number of them, in any number of threads. Each step costs the same. "
        "A\n"
        " * status other than 0 says that a result may be wrong, by one bit for each reason. */\n"
        "#ifndef $_H\n#define $_H\n\n"
        "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
    taut_pen_template(p, c->options->single ? "typedef float @_real;\n\n"
                                            : "typedef double @_real;\n\n");
}

static void put_sizes(taut_pen *p) {
    const taut_code *c = p->code;
    taut_pen_add(p,
                 "/* A step of this order was found to keep the run from T0 to TEND within %.2g of "
                 "the largest\n * values, where %.2g was asked for. */\n",
                 c->error, c->tolerance);
    put_define(p, "ORDER", c->order, "of the Taylor polynomials");
    put_real(p, "STEP", c->step, "length of a step");
    put_real(p, "T0", c->t0, "where the motion begins");
    put_real(p, "TEND", c->tend, "where main ends");
    put_define(p, "STATES", c->states, "");
    put_define(p, "OUTPUTS", c->columns, "");
    if (c->controllers > 0) put_define(p, "CONTROLLERS", c->controllers, "");
    if (c->controllers > 0) put_define(p, "HELD", c->helds, "inputs and states of controllers");
    taut_pen_add(p, "\n/* sizes of what is inside */\n");
    put_define(p, "UNKNOWNS", c->system->n, "");
    put_define(p, "SERIES", c->series, "");
    put_define(p, "ORDERS", c->orders, "");
    put_define(p, "OUTPUT_SERIES", c->outputs > 0 ? c->outputs : 1, "");
    put_define(p, "OUTPUT_ORDERS", c->output_orders, "");
    put_define(p, "CONVOLUTIONS", p->convolutions > 0 ? p->convolutions : 1, "");
    put_define(p, "FACTORS", c->pivots.entries, "");
    if (p->values > 0) put_define(p, "VALUES", p->values, "");
    const int core = c->pivots.n - c->pivots.first_core;
    put_define(p, "CORE", core > 0 ? core : 1, "");
    if (c->reactions) {
        const taut_code_reactions *x = c->reactions;
        const int loose = x->unknowns - x->rank;
        put_define(p, "VECTORS", x->of->vectors, "of balances of bodies");
        put_define(p, "BALANCES", x->rows > 0 ? x->rows : 1, "");
        put_define(p, "TRANSMITTED", x->unknowns > 0 ? x->unknowns : 1, "");
        put_define(p, "FREE_FORCES", loose > 0 ? loose : 1, "");
    }
    put_define(p, "NUMBERS", p->numbers > 0 ? p->numbers : 1, "");
    put_define(p, "PARAMETERS", c->parameters > 0 ? c->parameters : 1, "");
}

static void put_status(taut_pen *p) {
    taut_pen_template(
        p,
        "\n/* bits of a status */\n"
        "#define $_OK 0U\n"
        "#define $_POOR_PIVOT 1U    /* pivots that were fixed along another motion do not suit */\n"
        "#define $_NEAR_SINGULAR 2U /* the constraints nearly lose rank */\n"
        "#define $_DEFECT 4U        /* the step is too long: projections or last terms are large "
        "*/\n"
        "#define $_NOT_FINITE 8U    /* the state is of no use any more */\n"
        "#define $_WRONG_NUMBER 16U /* a parameter or input that asks for other equations */\n"
        "#define $_NO_START 32U     /* with these parameters no start was found */\n");
    if (p->code->controllers > 0)
        taut_pen_template(p, "#define $_WRONG_STEP 64U   /* controllers take samples at steps of "
                             "this length only */\n");
}

static void put_fields(taut_pen *p, taut_code_number kind, const char *what) {
    const taut_code *c = p->code;
    int count = 0;
    taut_pen_add(p, "typedef struct %s_%s {\n", c->prefix, what);
    for (int i = 0; i < c->parameters; i++) {
        const taut_code_parameter *x = &c->parameter[i];
        if (x->kind != kind || !x->used || x->frozen) continue;
        taut_pen_add(p, "    %s_real %s; /* ", c->prefix, x->field);
        taut_pen_words(p, x->name);
        taut_pen_add(p, " = ");
        taut_pen_number(p, x->value);
        taut_pen_add(p, " */\n");
        count++;
    }
    if (count == 0) taut_pen_add(p, "    %s_real none; /* there are none */\n", c->prefix);
    taut_pen_add(p, "} %s_%s;\n\n", c->prefix, what);
}

/* Parameters whose values are part of the equations, for people. */
static void put_fixed(taut_pen *p) {
    const taut_code *c = p->code;
    int count = 0;
    for (int i = 0; i < c->parameters; i++) {
        const taut_code_parameter *x = &c->parameter[i];
        if ((x->used && !x->frozen) || !x->name || x->kind == TAUT_CODE_DERIVED) continue;
        taut_pen_add(p, count++ ? ", " : "/* Numbers in the program, or of no influence: ");
        taut_pen_wrap(p, 4);
        taut_pen_words(p, x->name);
    }
    taut_pen_add(p, count ? ". */\n" : "");
}

static void put_structures(taut_pen *p) {
    const taut_code *c = p->code;
    taut_pen_add(p, "\n");
    put_fixed(p);
    put_fields(p, TAUT_CODE_PARAMETER, "parameters");
    put_fields(p, TAUT_CODE_INPUT, "inputs");
    taut_pen_template(p, "/* Where the system is; to be copied and set as it is. */\n"
                         "typedef struct @_state {\n"
                         "    @_real t;\n"
                         "    @_real t_low; /* what rounding has left of it */\n");
    taut_pen_template(p, "    @_real x[$_STATES]; /*");
    for (int i = 0; i < c->states; i++) {
        char name[200];
        taut_derivative_name(c->system, c->state[i].variable, c->state[i].order, name, sizeof name);
        taut_pen_wrap(p, 8);
        taut_pen_add(p, " ");
        taut_pen_words(p, name);
    }
    taut_pen_template(p, " */\n");
    if (c->controllers > 0)
        taut_pen_template(p, "    @_real held[$_HELD]; /* what controllers have set */\n"
                             "    int wait[$_CONTROLLERS]; /* steps until their next samples */\n");
    taut_pen_template(p, "} @_state;\n\n");
    if (c->reactions)
        taut_pen_template(p, "/* Balances of bodies, for reactions. */\n"
                             "typedef struct @_balance {\n"
                             "    @_real vector[$_VECTORS][3];\n"
                             "    @_real direction[$_TRANSMITTED][3];\n"
                             "    @_real column[$_TRANSMITTED][$_BALANCES];\n"
                             "    @_real side[$_BALANCES];\n"
                             "    @_real diagonal[$_TRANSMITTED];\n"
                             "    @_real ordered[$_TRANSMITTED];\n"
                             "    @_real force[$_TRANSMITTED];\n"
                             "    @_real free_force[$_FREE_FORCES][$_TRANSMITTED];\n"
                             "    int order[$_TRANSMITTED];\n"
                             "} @_balance;\n\n");
    taut_pen_template(p, "/* Work space. */\n"
                         "typedef struct @_work {\n"
                         "    @_real q[$_PARAMETERS];\n"
                         "    @_real n[$_NUMBERS];\n"
                         "    @_real c[$_SERIES][$_ORDERS];\n"
                         "    @_real o[$_OUTPUT_SERIES][$_OUTPUT_ORDERS];\n"
                         "    @_real i[$_CONVOLUTIONS];\n"
                         "    @_real f[$_UNKNOWNS];\n"
                         "    @_real y[$_UNKNOWNS];\n"
                         "    @_real z[$_UNKNOWNS];\n"
                         "    @_real a[$_FACTORS];\n"
                         "    @_real b[$_CORE][$_CORE];\n");
    if (p->values > 0) taut_pen_template(p, "    @_real j[$_VALUES];\n");
    if (c->reactions) taut_pen_template(p, "    @_balance r;\n");
    taut_pen_template(p, "    @_real per_v[$_CORE];\n"
                         "    @_real per_r[$_CORE];\n"
                         "    @_real h;\n"
                         "    @_real per_h;\n"
                         "    @_real nearness;\n"
                         "    @_real growth;\n"
                         "    @_real change;\n"
                         "    @_real tail;\n"
                         "} @_work;\n\n"
                         "typedef struct @_system {\n"
                         "    @_state state;\n"
                         "    @_work w;\n"
                         "    unsigned status; /* of all steps so far */\n"
                         "} @_system;\n");
}

static void put_functions(taut_pen *p) {
    taut_pen_template(p, "\n/* The values of the model file. */\n"
                         "void @_default_parameters(@_parameters *p);\n"
                         "void @_default_inputs(@_inputs *p);\n"
                         "/* The start of the model file; with other parameters the nearest state "
                         "that satisfies the\n"
                         " * constraints. Returns a status, as the next two. */\n"
                         "unsigned @_init(@_system *s, const @_parameters *p);\n"
                         "/* One step of length h, during which inputs are constant. */\n"
                         "unsigned @_step(@_system *s, const @_inputs *u, @_real h);\n"
                         "/* The columns of the results at the present state, t aside. */\n"
                         "unsigned @_outputs(@_system *s, const @_inputs *u, @_real *y);\n"
                         "/* The largest residual of a constraint at the present state. */\n"
                         "@_real @_residual(@_system *s);\n\n"
                         "#ifndef $_NO_NAMES /* to be defined to leave them out */\n"
                         "extern const char *const @_output_names[$_OUTPUTS];\n"
                         "extern const char *const @_output_units[$_OUTPUTS]; /* \"\": none */\n"
                         "#endif\n\n"
                         "/* what they are, in which unit:\n");
    for (int i = 0; i < p->code->columns; i++) {
        char unit[60];
        taut_plot_unit(p->code->model, p->code->column[i].name, unit, sizeof unit);
        taut_pen_add(p, " *   %d ", i);
        taut_pen_words(p, p->code->column[i].name);
        if (unit[0]) {
            taut_pen_add(p, "  [");
            taut_pen_words(p, unit);
            taut_pen_add(p, "]");
        }
        taut_pen_add(p, "\n");
    }
    taut_pen_template(p, " */\n\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
}

taut_status taut_write_header(const taut_pen *pen, taut_string *header) {
    taut_pen p = *pen;
    p.out = header;
    p.column = 0;
    put_opening(&p);
    put_sizes(&p);
    put_status(&p);
    put_structures(&p);
    put_functions(&p);
    return header->failed ? TAUT_ERR_MEMORY : TAUT_OK;
}
