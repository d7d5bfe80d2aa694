/* Numbers that follow from parameters and inputs: values of parameters in q[], what is made of them
 * in k[], series that are constant in c[][0]; and the checks of what was decided by their values.
 */
#include <math.h>

#include "export/pen.h"
#include "expr/ops.h"

/* ---- parameters ---- */

/* A formula of parameters. */
static void put_formula(taut_pen *p, taut_node v) {
    const taut_graph *g = p->code->model->graph;
    const taut_node_data *d = taut_node_get(g, v);
    const taut_node *arg = taut_node_args(g, v);
    static const char *const between[TAUT_OP_COUNT] = {
        [TAUT_OP_MUL] = " * ", [TAUT_OP_DIV] = " / "};
    taut_pen_wrap(p, 8);
    if (d->op == TAUT_OP_CONST) {
        taut_pen_number(p, d->value);
    } else if (d->op == TAUT_OP_PARAM && p->code->parameter[d->index].frozen) {
        taut_pen_number(p, p->code->parameter[d->index].value);
    } else if (d->op == TAUT_OP_PARAM) {
        taut_pen_add(p, "q[%d]", d->index);
    } else if (d->op == TAUT_OP_SUM) {
        taut_pen_add(p, "(");
        taut_pen_number(p, d->constant);
        for (uint32_t i = 0; i < d->count; i++) {
            taut_pen_add(p, " + (");
            taut_pen_number(p, taut_node_coefs(g, v)[i]);
            taut_pen_add(p, " * ");
            put_formula(p, arg[i]);
            taut_pen_add(p, ")");
        }
        taut_pen_add(p, ")");
    } else if (d->op == TAUT_OP_SQR || between[d->op]) {
        taut_pen_add(p, "(");
        put_formula(p, arg[0]);
        taut_pen_add(p, "%s", d->op == TAUT_OP_SQR ? " * " : between[d->op]);
        put_formula(p, arg[d->op == TAUT_OP_SQR ? 0 : 1]);
        taut_pen_add(p, ")");
    } else {
        taut_pen_add(p, "%s(", taut_pen_function(p, (taut_op)d->op));
        put_formula(p, arg[0]);
        if (d->count > 1) {
            taut_pen_add(p, ", ");
            put_formula(p, arg[1]);
        }
        taut_pen_add(p, ")");
    }
}

/* Writes a derived parameter behind those that its formula contains. */
static void put_derived(taut_pen *p, int i, bool moving, bool *done);

static void put_needed(taut_pen *p, taut_node v, bool moving, bool *done) {
    const taut_graph *g = p->code->model->graph;
    const taut_node_data *d = taut_node_get(g, v);
    if (d->op == TAUT_OP_PARAM) put_derived(p, d->index, moving, done);
    for (uint32_t i = 0; i < d->count; i++) put_needed(p, taut_node_args(g, v)[i], moving, done);
}

static void put_derived(taut_pen *p, int i, bool moving, bool *done) {
    const taut_code_parameter *x = &p->code->parameter[i];
    if (done[i] || x->frozen || x->kind != TAUT_CODE_DERIVED || x->moves != moving) return;
    done[i] = true;
    put_needed(p, x->formula, moving, done);
    taut_pen_add(p, "    q[%d] = ", i);
    put_formula(p, x->formula);
    taut_pen_add(p, "; /* ");
    taut_pen_words(p, x->name);
    taut_pen_add(p, " */\n");
}

static taut_status put_parameters(taut_pen *p, bool moving) {
    const taut_code *c = p->code;
    taut_arena work = {0};
    bool *done = TAUT_NEW_ARRAY(&work, c->parameters + 1, bool);
    if (!done) return TAUT_ERR_MEMORY;
    for (int i = 0; i < c->parameters; i++) {
        const taut_code_parameter *x = &c->parameter[i];
        if (x->used && !x->frozen && x->kind == (moving ? TAUT_CODE_INPUT : TAUT_CODE_PARAMETER))
            taut_pen_add(p, "    q[%d] = %s->%s;\n", i, moving ? "u" : "p", x->field);
        if (x->used && moving && x->kind == TAUT_CODE_HELD) {
            taut_pen_add(p, "    q[%d] = state->held[%d]; /* ", i, x->held);
            taut_pen_words(p, x->name);
            taut_pen_add(p, " */\n");
        }
    }
    for (int i = 0; i < c->parameters; i++)
        if (c->parameter[i].used && !c->parameter[i].frozen) put_derived(p, i, moving, done);
    taut_arena_release(&work);
    return TAUT_OK;
}

/* ---- what is made of them ---- */

static void put_row(taut_pen *p, int origin, const taut_number_row *row) {
    static const char *const sign[] = {[TAUT_NUMBER_PRODUCT] = " * ",
                                       [TAUT_NUMBER_QUOTIENT] = " / ",
                                       [TAUT_NUMBER_SUM] = " + ",
                                       [TAUT_NUMBER_SUM_OR_ZERO] = ", "};
    const bool operation = row->kind == TAUT_NUMBER_OPERATION && row->op != TAUT_OP_SQR;
    const bool kept = row->kind == TAUT_NUMBER_COMBINED && row->step == TAUT_NUMBER_SUM_OR_ZERO;
    const bool pair = !operation || row->op == TAUT_OP_POW || row->op == TAUT_OP_ATAN2;
    taut_pen_add(p, "    n[%d] = ", p->number_home[origin]);
    if (operation) taut_pen_add(p, "%s(", taut_pen_function(p, row->op));
    if (kept) taut_pen_add(p, "sum_or_zero(");
    p->uses_sum_or_zero = p->uses_sum_or_zero || kept;
    taut_pen_origin(p, 0.0, row->a);
    if (pair) {
        taut_pen_add(p, "%s",
                     operation                           ? ", "
                     : row->kind == TAUT_NUMBER_COMBINED ? sign[row->step]
                                                         : " * ");
        taut_pen_origin(
            p, 0.0, row->op == TAUT_OP_SQR && row->kind == TAUT_NUMBER_OPERATION ? row->a : row->b);
    }
    taut_pen_add(p, "%s;\n", operation || kept ? ")" : "");
}

static void put_rows(taut_pen *p, bool moving) {
    const taut_code *c = p->code;
    for (int i = 1; i < taut_numbers_count(c->tape->numbers); i++) {
        const taut_number_row row = taut_numbers_row(c->tape->numbers, i);
        if (p->number_home[i] >= 0 && c->number_moves[i] == moving) put_row(p, i, &row);
    }
}

/* Series that are constant. */
static void put_steady(taut_pen *p, bool moving) {
    const taut_code *c = p->code;
    for (int slot = 0; slot < c->tape->size; slot++) {
        const int origin = c->tape->origin[slot];
        if (!c->use[slot] || c->tape->instr[slot].kernel != TAUT_KERNEL_STEADY) continue;
        if ((origin && c->number_moves[origin]) != moving) continue;
        taut_pen_add(p, "    w->c[%d][0] = ", c->home[slot]);
        taut_pen_origin(p, c->tape->constant[slot], origin);
        taut_pen_add(p, ";\n");
    }
}

/* ---- checks ---- */

static void put_condition(taut_pen *p, const taut_number_check *x) {
    static const char *const relation[] = {[TAUT_ASSUME_ZERO] = " == ",
                                           [TAUT_ASSUME_EQUAL] = " == ",
                                           [TAUT_ASSUME_POSITIVE] = " > ",
                                           [TAUT_ASSUME_NEGATIVE] = " < ",
                                           [TAUT_ASSUME_CHOICE] = " == "};
    const bool equal =
        x->kind == TAUT_CHECK_ASSUMPTION &&
        (x->assumption.kind == TAUT_ASSUME_EQUAL || x->assumption.kind == TAUT_ASSUME_CHOICE);
    if (x->kind == TAUT_CHECK_RATIO) {
        taut_pen_add(p, "is_ratio(");
        for (int k = 0; k < 4; k++) {
            taut_pen_origin(p, 0.0, x->origin[k]);
            taut_pen_add(p, "%s", k < 3 ? ", " : ")");
        }
        return;
    }
    taut_pen_origin(p, 0.0, x->origin[0]);
    if (x->kind == TAUT_CHECK_ASSUMPTION) {
        taut_pen_add(p, "%s", relation[x->assumption.kind]);
        taut_pen_number(p, equal ? x->assumption.value : 0.0);
    } else {
        taut_pen_add(p, "%s", x->kind == TAUT_CHECK_ZERO ? " == " : " != ");
        taut_pen_number(p, 0.0);
    }
}

static bool is_written(const taut_pen *p, const taut_number_check *x, bool moving) {
    bool open = false, moves = false;
    for (int k = 0; k < x->origins; k++) {
        open = open || p->code->number_open[x->origin[k]];
        moves = moves || p->code->number_moves[x->origin[k]];
    }
    return open && moves == moving &&
           !(x->kind == TAUT_CHECK_ASSUMPTION && x->assumption.kind == TAUT_ASSUME_FRACTION);
}

static int put_checks(taut_pen *p, bool moving) {
    const taut_numbers *n = p->code->tape->numbers;
    int count = 0;
    for (int i = 0; i < taut_numbers_checks(n); i++) {
        const taut_number_check x = taut_numbers_check_at(n, i);
        if (!is_written(p, &x, moving)) continue;
        if (count++ == 0) taut_pen_add(p, "    /* what the equations took for granted */\n");
        taut_pen_add(p, "    bad += (");
        put_condition(p, &x);
        taut_pen_add(p, ") ? 0 : 1;\n");
        p->uses_ratio = p->uses_ratio || x.kind == TAUT_CHECK_RATIO;
    }
    return count;
}

/* ---- both functions ---- */

static taut_status put_function(taut_pen *p, bool moving) {
    const char *who = moving ? "inputs" : "parameters";
    taut_pen_add(
        p,
        "\n/* What follows from %s. Returns how many assumptions of the equations are wrong. */\n",
        who);
    taut_pen_template(p, moving
                             ? "static int set_inputs(@_work *w, const @_state *state, "
                               "const @_inputs *u) {\n"
                             : "static int set_parameters(@_work *w, const @_parameters *p) {\n");
    taut_pen_add(p, "    real *const q = w->q;\n    real *const n = w->n;\n    int bad = 0;\n");
    taut_pen_add(p, "    (void)q;\n    (void)n;\n    (void)%s;\n", moving ? "u" : "p");
    if (moving) taut_pen_add(p, "    (void)state;\n");
    TAUT_TRY(put_parameters(p, moving));
    put_rows(p, moving);
    put_steady(p, moving);
    put_checks(p, moving);
    taut_pen_add(p, "    return bad;\n}\n");
    return TAUT_OK;
}

taut_status taut_write_numbers(taut_pen *p) {
    TAUT_TRY(put_function(p, false));
    return put_function(p, true);
}
