/* Functions in formulas: their arguments, what they make of them, and those with kinks. */
#include <stdio.h>
#include <string.h>

#include "expr/infix_parts.h"
#include "expr/ops.h"

/* Functions that are not rows of ops.def. */
typedef enum special {
    S_NONE,
    S_SQRT,
    S_POW,
    S_ATAN2,
    S_DOT,
    S_CROSS,
    S_NORM,
    S_ABS, /* from here on with kinks */
    S_SIGN,
    S_STEP,
    S_MIN,
    S_MAX,
    S_CLAMP,
    S_FLOOR,
    S_MOD,
    S_IF
} special;
static const struct {
    const char *name;
    special what;
    int arguments;
} SPECIAL[] = {{"sqrt", S_SQRT, 1}, {"pow", S_POW, 2},     {"atan2", S_ATAN2, 2},
               {"dot", S_DOT, 2},   {"cross", S_CROSS, 2}, {"norm", S_NORM, 1},
               {"abs", S_ABS, 1},   {"min", S_MIN, 2},     {"max", S_MAX, 2},
               {"sign", S_SIGN, 1}, {"step", S_STEP, 1},   {"clamp", S_CLAMP, 3},
               {"if", S_IF, 3},     {"floor", S_FLOOR, 1}, {"mod", S_MOD, 2}};
enum { SPECIALS = sizeof SPECIAL / sizeof SPECIAL[0] };

/* ---- arguments ---- */

typedef struct argument_list {
    int count;
    taut_measure of[4];
} argument_list;

/* ( sum , sum ... ) of a function called `name`, which takes `want` arguments. */
static bool read_arguments(taut_infix *r, const char *name, long start, int want,
                           argument_list *list) {
    list->count = 0;
    taut_infix_take(r, '(');
    if (taut_infix_peek(r) != ')') {
        do {
            const taut_measure m = taut_infix_read_sum(r);
            if (r->status != TAUT_OK) return false;
            if (list->count < 4) list->of[list->count] = m;
            list->count++;
        } while (taut_infix_take(r, ','));
    }
    if (!taut_infix_take(r, ')')) {
        char what[64];
        if (r->at >= r->length)
            taut_infix_refuse(r, r->at, "%s( is not closed %s", name, TAUT_INFIX_TORN);
        else
            taut_infix_refuse(r, r->at, "%s( expects , or ) before %s", name,
                              taut_infix_found(r, what, sizeof what));
        return false;
    }
    if (list->count != want) {
        taut_infix_refuse(r, start, "%s takes %d argument%s, not %d", name, want,
                          want == 1 ? "" : "s", list->count);
        return false;
    }
    return true;
}

static bool want_vectors(taut_infix *r, const argument_list *list, const char *name, long start) {
    for (int i = 0; i < list->count; i++)
        if (list->of[i].value.n < 2 || list->of[i].value.n != list->of[0].value.n) {
            taut_infix_refuse(r, start, "%s needs vectors of the same size", name);
            return false;
        }
    return true;
}

/* ---- formulas with kinks ---- */

/* The largest integer up to x. */
static taut_node whole_of(taut_infix *r, taut_node x, long start, const char *name) {
    taut_node n = TAUT_NO_NODE;
    if (r->scope->whole && r->scope->whole(r->scope->user, x, &n)) return n;
    taut_infix_refuse(r, start, "%s has jumps, which are not possible in this formula", name);
    return TAUT_NO_NODE;
}

/* floor(x), mod(x, y) = x - y floor(x/y) */
static taut_measure apply_whole(taut_infix *r, special what, const argument_list *a, long start,
                                const char *name) {
    taut_graph *g = r->graph;
    const taut_node x = a->of[0].value.c[0];
    if (what == S_FLOOR) {
        if (!taut_infix_want_pure(r, &a->of[0], start, name)) return TAUT_NO_MEASURE;
        const bool any = a->of[0].dimension.knowledge == TAUT_DIMENSION_ANY;
        return taut_infix_scalar(
            whole_of(r, x, start, name),
            taut_infix_plain(any ? TAUT_DIMENSION_ANY : TAUT_DIMENSION_NUMBER));
    }
    taut_dimension common;
    const taut_node y = a->of[1].value.c[0];
    if (!taut_dimension_sum(a->of[0].dimension, a->of[1].dimension, &common))
        return taut_infix_refuse_mixture(r, start, "mod of", a->of[0].dimension,
                                         a->of[1].dimension);
    if (taut_node_get(g, y)->steady && taut_node_get(g, y)->value == 0.0)
        return taut_infix_refuse(r, start, "mod by 0");
    const taut_node turns = whole_of(r, taut_div(g, x, y), start, name);
    if (r->status != TAUT_OK) return TAUT_NO_MEASURE;
    return taut_infix_scalar(taut_sub(g, x, taut_mul(g, y, turns)), common);
}

/* The larger one of two numbers, or the smaller one. */
static taut_node extreme(taut_infix *r, bool largest, taut_node a, taut_node b, long start) {
    const taut_node mode =
        taut_infix_mode(r, taut_sub(r->graph, a, b), start, largest ? "max" : "min");
    if (r->status != TAUT_OK) return TAUT_NO_NODE;
    return largest ? taut_infix_choose(r->graph, mode, a, b)
                   : taut_infix_choose(r->graph, mode, b, a);
}

static taut_measure apply_kink(taut_infix *r, special what, const argument_list *a, long start,
                               const char *name) {
    taut_graph *g = r->graph;
    const taut_node x = a->of[0].value.c[0];
    taut_dimension common = a->of[0].dimension;
    for (int i = 1; i < a->count; i++)
        if (!taut_dimension_sum(common, a->of[i].dimension, &common))
            return taut_infix_refuse_mixture(r, start, "this compares", common, a->of[i].dimension);
    if (what == S_MIN || what == S_MAX)
        return taut_infix_scalar(extreme(r, what == S_MAX, x, a->of[1].value.c[0], start), common);
    if (what == S_CLAMP) {
        const taut_node above = extreme(r, true, x, a->of[1].value.c[0], start);
        if (r->status != TAUT_OK) return TAUT_NO_MEASURE;
        return taut_infix_scalar(extreme(r, false, above, a->of[2].value.c[0], start), common);
    }
    const taut_node mode = taut_infix_mode(r, x, start, name);
    if (r->status != TAUT_OK) return TAUT_NO_MEASURE;
    const bool any = common.knowledge == TAUT_DIMENSION_ANY;
    const taut_dimension number =
        taut_infix_plain(any ? TAUT_DIMENSION_ANY : TAUT_DIMENSION_NUMBER);
    if (what == S_STEP) return taut_infix_scalar(mode, number);
    const taut_node sign = taut_sub(g, taut_scale(g, 2.0, mode), taut_number(g, 1.0));
    if (what == S_SIGN) return taut_infix_scalar(sign, number);
    return taut_infix_scalar(taut_mul(g, sign, x), common);
}

/* ---- functions ---- */

/* Vectors in, of which the dimensions multiply. */
static taut_measure apply_to_vectors(taut_infix *r, special what, const argument_list *a) {
    const taut_measure x = a->of[0], y = a->of[1];
    if (what == S_NORM) return taut_infix_scalar(taut_vec_norm(r->graph, x.value), x.dimension);
    const taut_dimension product = taut_dimension_product(x.dimension, y.dimension, 1.0);
    if (what == S_DOT)
        return taut_infix_scalar(taut_vec_inner(r->graph, x.value, y.value), product);
    return (taut_measure){taut_vec_cross(r->graph, x.value, y.value), product};
}

static taut_measure apply_special(taut_infix *r, int row, long start) {
    taut_graph *g = r->graph;
    argument_list a = {0};
    taut_dimension common;
    const char *name = SPECIAL[row].name;
    const special what = SPECIAL[row].what;
    if (what == S_IF) return taut_infix_read_choice(r, start);
    if (!read_arguments(r, name, start, SPECIAL[row].arguments, &a)) return TAUT_NO_MEASURE;
    if (what == S_DOT || what == S_CROSS || what == S_NORM)
        return want_vectors(r, &a, name, start) ? apply_to_vectors(r, what, &a) : TAUT_NO_MEASURE;
    for (int i = 0; i < a.count; i++)
        if (!taut_infix_want_scalar(r, a.of[i].value, start, name)) return TAUT_NO_MEASURE;
    const taut_node x = a.of[0].value.c[0];
    if (what == S_SQRT)
        return taut_infix_scalar(taut_root(g, x), taut_dimension_power(a.of[0].dimension, 0.5));
    if (what == S_POW) return taut_infix_power(r, a.of[0], a.of[1], start);
    if (what == S_FLOOR || what == S_MOD) return apply_whole(r, what, &a, start, name);
    if (what >= S_ABS) return apply_kink(r, what, &a, start, name);
    if (!taut_dimension_sum(a.of[0].dimension, a.of[1].dimension, &common))
        return taut_infix_refuse_mixture(r, start, "atan2 of", a.of[0].dimension,
                                         a.of[1].dimension);
    return taut_infix_scalar(taut_atan2(g, x, a.of[1].value.c[0]),
                             taut_infix_plain(common.knowledge == TAUT_DIMENSION_ANY
                                                  ? TAUT_DIMENSION_ANY
                                                  : TAUT_DIMENSION_NUMBER));
}

/* A function that the file gives by samples. */
static taut_measure apply_table(taut_infix *r, const char *name, int arity, long start) {
    argument_list a = {0};
    taut_node argument[4] = {0}, value = TAUT_NO_NODE;
    char why[300] = "";
    if (!read_arguments(r, name, start, arity, &a)) return TAUT_NO_MEASURE;
    for (int i = 0; i < a.count; i++) {
        if (!taut_infix_want_scalar(r, a.of[i].value, start, name)) return TAUT_NO_MEASURE;
        argument[i] = a.of[i].value.c[0];
    }
    if (r->scope->call(r->scope->user, name, argument, &value, why, sizeof why))
        return taut_infix_scalar(value, taut_infix_plain(TAUT_DIMENSION_ANY));
    return taut_infix_refuse(r, start, "%s", why);
}

/* A row of ops.def: a function of one number without a unit. */
static taut_measure apply_operator(taut_infix *r, int op, const char *name, long start) {
    argument_list a = {0};
    if (!read_arguments(r, name, start, 1, &a) ||
        !taut_infix_want_scalar(r, a.of[0].value, start, name) ||
        !taut_infix_want_pure(r, &a.of[0], start, name))
        return TAUT_NO_MEASURE;
    const bool any = a.of[0].dimension.knowledge == TAUT_DIMENSION_ANY;
    return taut_infix_scalar(taut_apply(r->graph, (taut_op)op, a.of[0].value.c[0]),
                             taut_infix_plain(any ? TAUT_DIMENSION_ANY : TAUT_DIMENSION_NUMBER));
}

/* ---- by name ---- */

/* Its row of SPECIAL; -1: it has none. */
static int find_special(const char *name) {
    for (int i = 0; i < SPECIALS; i++)
        if (SPECIAL[i].name[0] == name[0] && strcmp(SPECIAL[i].name, name) == 0) return i;
    return -1;
}

bool taut_infix_is_function(const char *name) {
    return taut_op_find(name, strlen(name)) >= 0 || find_special(name) >= 0;
}

/* How many arguments a function of the file takes; 0: there is none; negative: it was refused. */
static int arity_of(taut_infix *r, const char *name, long start) {
    char why[300] = "";
    const int arity = r->scope->arity ? r->scope->arity(r->scope->user, name, why, sizeof why) : 0;
    if (arity < 0) taut_infix_refuse(r, start, "%s", why);
    return arity;
}

bool taut_infix_call(taut_infix *r, const char *name, long start, taut_measure *value) {
    const int op = taut_op_find(name, strlen(name)), row = find_special(name);
    *value = TAUT_NO_MEASURE;
    if (op >= 0) {
        *value = apply_operator(r, op, name, start);
    } else if (row >= 0) {
        *value = apply_special(r, row, start);
    } else {
        const int arity = arity_of(r, name, start);
        if (arity > 0) *value = apply_table(r, name, arity, start);
        return arity != 0;
    }
    return true;
}
