/* From the tape's operations to lines of text. */
#include "expr/listing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/number.h"
#include "expr/ops.h"

typedef struct lister {
    const taut_tape *tape;
    const taut_names *names;
    taut_string *text;
} lister;

/* A number that reads back as it is. */
static void put_number(lister *l, double value) {
    char digits[32];
    taut_format(digits, sizeof digits, "%.15g", value);
    if (taut_number_parse(digits, NULL) != value)
        taut_format(digits, sizeof digits, "%.17g", value);
    taut_string_add(l->text, "%s", digits);
}

static void put_leaf(lister *l, const char *const *name, int index, char letter) {
    if (name && name[index])
        taut_string_add(l->text, "%s", name[index]);
    else
        taut_string_add(l->text, "%c%d", letter, index + 1);
}

static const char *word_of(taut_op op) {
    return op == TAUT_OP_SQRT ? "sqrt" : op == TAUT_OP_ATAN2 ? "atan2" : taut_op_name(op);
}

/* ---- numbers ---- */

/* By its name, or as it is. */
static void put_origin(lister *l, int origin) {
    const taut_number_row row = taut_numbers_row(l->tape->numbers, origin);
    if (row.kind == TAUT_NUMBER_FIXED)
        put_number(l, row.value);
    else if (row.kind == TAUT_NUMBER_PARAMETER)
        put_leaf(l, l->names ? l->names->parameter : NULL, row.a, 'p');
    else
        taut_string_add(l->text, "k%d", origin);
}

static void put_operation(lister *l, const taut_number_row *row) {
    const bool pair = row->op == TAUT_OP_POW || row->op == TAUT_OP_ATAN2;
    taut_string_add(l->text, "%s(", row->op == TAUT_OP_POW ? "pow" : word_of(row->op));
    put_origin(l, row->a);
    if (pair) {
        taut_string_add(l->text, ", ");
        put_origin(l, row->b);
    }
    taut_string_add(l->text, ")");
}

static void list_number(lister *l, int origin) {
    static const char *const sign[] = {[TAUT_NUMBER_PRODUCT] = "*",
                                       [TAUT_NUMBER_QUOTIENT] = "/",
                                       [TAUT_NUMBER_SUM] = " + ",
                                       [TAUT_NUMBER_SUM_OR_ZERO] = " + "};
    const taut_number_row row = taut_numbers_row(l->tape->numbers, origin);
    if (row.kind == TAUT_NUMBER_FIXED || row.kind == TAUT_NUMBER_PARAMETER) return;
    taut_string_add(l->text, "k%d = ", origin);
    if (row.kind == TAUT_NUMBER_OPERATION && row.op != TAUT_OP_SQR) {
        put_operation(l, &row);
    } else {
        put_origin(l, row.a);
        taut_string_add(l->text, "%s", row.kind == TAUT_NUMBER_COMBINED ? sign[row.step] : "*");
        put_origin(l, row.b);
    }
    taut_string_add(l->text, "\n");
}

/* A factor or constant without its sign, if it is a plain number; otherwise by its origin. */
static void put_factor(lister *l, double value, int origin) {
    if (origin)
        put_origin(l, origin);
    else
        put_number(l, fabs(value));
}

/* ---- series ---- */

static void put_primes(lister *l, int count) {
    for (int i = 0; i < count; i++) taut_string_add(l->text, "'");
}

static void put_term(lister *l, const taut_tape_term *t, bool first) {
    const bool minus = !t->origin && t->coef < 0.0;
    taut_string_add(l->text, "%s", first ? (minus ? "-" : "") : minus ? " - " : " + ");
    if (t->origin || fabs(t->coef) != 1.0) {
        put_factor(l, t->coef, t->origin);
        taut_string_add(l->text, "*");
    }
    if (t->other < 0) {
        taut_string_add(l->text, "v%d", t->slot);
    } else {
        taut_string_add(l->text, t->p > 0 ? "(v%d*v%d)" : "v%d*v%d", t->slot, t->other);
    }
    put_primes(l, t->p);
}

static void list_sum(lister *l, const taut_instr *x, int slot) {
    const double constant = l->tape->constant[slot];
    const int origin = l->tape->origin[slot];
    const bool begun = constant != 0.0 || origin || x->count == 0;
    if (begun && !origin && constant < 0.0) taut_string_add(l->text, "-");
    if (begun) put_factor(l, constant, origin);
    for (int k = 0; k < x->count; k++) put_term(l, &l->tape->term[x->first + k], k == 0 && !begun);
}

/* A function, and how its series follows from those of its arguments. */
static void list_chain(lister *l, const taut_instr *x, int slot) {
    if (x->op == TAUT_OP_POW)
        taut_string_add(l->text, "pow(v%d, v%d)", x->a, x->b);
    else if (x->b >= 0)
        taut_string_add(l->text, "%s(v%d, v%d)", word_of((taut_op)x->op), x->a, x->b);
    else
        taut_string_add(l->text, "%s(v%d)", word_of((taut_op)x->op), x->a);
    if (x->count > 0) taut_string_add(l->text, ", v%d' =", slot);
    for (int k = 0; k < x->count; k++) {
        const taut_tape_term *t = &l->tape->term[x->first + k];
        taut_string_add(l->text, "%sv%d*v%d'", k ? " + " : " ", t->other, t->slot);
    }
}

static void list_instruction(lister *l, int slot) {
    const taut_instr *x = &l->tape->instr[slot];
    taut_string_add(l->text, "v%d = ", slot);
    switch (x->kernel) {
    case TAUT_KERNEL_STEADY:
        if (!l->tape->origin[slot] && l->tape->constant[slot] < 0.0) taut_string_add(l->text, "-");
        put_factor(l, l->tape->constant[slot], l->tape->origin[slot]);
        break;
    case TAUT_KERNEL_TIME: taut_string_add(l->text, "t"); break;
    case TAUT_KERNEL_VARIABLE:
        put_leaf(l, l->names ? l->names->variable : NULL, x->index, 'x');
        break;
    case TAUT_KERNEL_INPUT: taut_string_add(l->text, "u%d", x->index + 1); break;
    case TAUT_KERNEL_SUM: list_sum(l, x, slot); break;
    case TAUT_KERNEL_DIVIDE: taut_string_add(l->text, "v%d/v%d", x->a, x->b); break;
    case TAUT_KERNEL_ROOT: taut_string_add(l->text, "sqrt(v%d)", x->a); break;
    default: list_chain(l, x, slot);
    }
    taut_string_add(l->text, "\n");
}

void taut_tape_print(const taut_tape *tape, const taut_names *names, taut_string *text) {
    lister l = {tape, names, text};
    for (int i = 1; i < taut_numbers_count(tape->numbers); i++) list_number(&l, i);
    for (int i = 0; i < tape->size; i++) list_instruction(&l, i);
}
