/* Writing nodes as formulas, with as few parentheses as reading them back to the same node allows.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/number.h"
#include "expr/infix.h"
#include "expr/ops.h"

/* How tightly what was written holds together. */
enum { SUM_LEVEL, PRODUCT_LEVEL, SIGN_LEVEL, POWER_LEVEL, PRIMARY_LEVEL };
enum { DEEPEST = 200 };

typedef struct writer {
    const taut_graph *graph;
    const taut_names *names;
    char *text;
    size_t size, used;
} writer;

static void write_node(writer *w, taut_node v, int level, int depth);

__attribute__((format(printf, 2, 3))) static void put(writer *w, const char *format, ...) {
    if (w->used >= w->size) return;
    va_list args;
    va_start(args, format);
    w->used += (size_t)taut_format_list(w->text + w->used, w->size - w->used, format, args);
    va_end(args);
}

/* The shortest text that reads back to the same number. */
static void put_number(writer *w, double value) {
    char digits[32];
    for (int precision = 1; precision <= 17; precision++) {
        taut_format(digits, sizeof digits, "%.*g", precision, value);
        if (taut_number_parse(digits, NULL) == value) break;
    }
    put(w, "%s", digits);
}

static void put_leaf(writer *w, const char *const *name, int index, char letter) {
    if (name && name[index])
        put(w, "%s", name[index]);
    else
        put(w, "%c%d", letter, index + 1);
}

/* Does the text of v begin with a sum in parentheses? A sign before it would be multiplied out. */
static bool begins_with_sum(const taut_graph *g, taut_node v) {
    uint8_t op = taut_node_get(g, v)->op;
    while (op == TAUT_OP_MUL || op == TAUT_OP_DIV) {
        v = taut_node_args(g, v)[0];
        op = taut_node_get(g, v)->op;
    }
    return op == TAUT_OP_SUM;
}

/* c0 + c1 a1 + ..., without parentheses */
static void write_sum(writer *w, taut_node v, int depth) {
    const taut_node_data *d = taut_node_get(w->graph, v);
    bool first = true;
    for (uint32_t i = 0; i < d->count; i++) {
        const double c = taut_node_coefs(w->graph, v)[i];
        if (c < 0.0 || !first) put(w, first ? "-" : c < 0.0 ? " - " : " + ");
        if (fabs(c) != 1.0) {
            put_number(w, fabs(c));
            put(w, "*");
        }
        const taut_node term = taut_node_args(w->graph, v)[i];
        const bool bare = fabs(c) == 1.0 && !(first && c < 0.0 && begins_with_sum(w->graph, term));
        write_node(w, term, bare ? PRODUCT_LEVEL : SIGN_LEVEL, depth);
        first = false;
    }
    if (d->constant != 0.0) { /* a sum has at least one term */
        put(w, d->constant < 0.0 ? " - " : " + ");
        put_number(w, fabs(d->constant));
    }
}

/* The level of what write_node writes for a node. */
static int level_of(const taut_node_data *d) {
    switch (d->op) {
    case TAUT_OP_CONST: return d->value < 0.0 ? SUM_LEVEL : PRIMARY_LEVEL;
    case TAUT_OP_SUM: return SUM_LEVEL;
    case TAUT_OP_MUL:
    case TAUT_OP_DIV: return PRODUCT_LEVEL;
    case TAUT_OP_SQR:
    case TAUT_OP_POW: return POWER_LEVEL;
    default: return PRIMARY_LEVEL;
    }
}

static void write_bare(writer *w, taut_node v, int depth) {
    const taut_node_data *d = taut_node_get(w->graph, v);
    const taut_node *arg = taut_node_args(w->graph, v);
    switch (d->op) {
    case TAUT_OP_CONST: put_number(w, d->value); break;
    case TAUT_OP_TIME: put(w, "t"); break;
    case TAUT_OP_LEAF: /* a graph has leaves or variables, not both to be printed */
    case TAUT_OP_VAR: put_leaf(w, w->names ? w->names->variable : NULL, d->index, 'x'); break;
    case TAUT_OP_PARAM: put_leaf(w, w->names ? w->names->parameter : NULL, d->index, 'p'); break;
    case TAUT_OP_SUM: write_sum(w, v, depth); break;
    case TAUT_OP_MUL:
    case TAUT_OP_DIV:
        write_node(w, arg[0], PRODUCT_LEVEL, depth);
        put(w, d->op == TAUT_OP_MUL ? "*" : "/");
        write_node(w, arg[1], SIGN_LEVEL, depth);
        break;
    case TAUT_OP_SQR:
        write_node(w, arg[0], PRIMARY_LEVEL, depth);
        put(w, "^2");
        break;
    case TAUT_OP_POW:
        write_node(w, arg[0], PRIMARY_LEVEL, depth);
        put(w, "^");
        write_node(w, arg[1], PRIMARY_LEVEL, depth);
        break;
    case TAUT_OP_DIFF:
        write_node(w, arg[0], PRIMARY_LEVEL, depth);
        for (int i = 0; i < d->index; i++) put(w, "'");
        break;
    case TAUT_OP_ATAN2:
        put(w, "atan2(");
        write_node(w, arg[0], SUM_LEVEL, depth);
        put(w, ", ");
        write_node(w, arg[1], SUM_LEVEL, depth);
        put(w, ")");
        break;
    default:
        put(w, "%s(", d->op == TAUT_OP_SQRT ? "sqrt" : taut_op_name((taut_op)d->op));
        write_node(w, arg[0], SUM_LEVEL, depth);
        put(w, ")");
    }
}

/* Writes v so that it may stand where something of `level` is expected. */
static void write_node(writer *w, taut_node v, int level, int depth) {
    if (w->used >= w->size) return;
    if (depth > DEEPEST) {
        put(w, "(...)");
        return;
    }
    const bool parentheses = level_of(taut_node_get(w->graph, v)) < level;
    if (parentheses) put(w, "(");
    write_bare(w, v, depth + 1);
    if (parentheses) put(w, ")");
}

char *taut_infix_print(const taut_graph *graph, taut_node node, const taut_names *names, char *text,
                       size_t size) {
    writer w = {.graph = graph, .names = names, .text = text, .size = size};
    if (size == 0) return text;
    text[0] = '\0';
    if (node != TAUT_NO_NODE) write_node(&w, node, SUM_LEVEL, 0);
    if (w.used >= size && size > 4) memcpy(text + size - 4, "...", sizeof "...");
    return text;
}
