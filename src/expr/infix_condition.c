/* Conditions in formulas: where one stands, comparisons and what joins them, and if(). */
#include <string.h>

#include "expr/infix_parts.h"

enum { MOST_GROUPS = 8 }; /* parentheses around a condition */

/* ---- is it one? ---- */

/* Can there be a condition anywhere? */
bool taut_infix_has_comparison(const char *text, long length) {
    for (long i = 0; i < length; i++) {
        if (text[i] == '<' || text[i] == '>') return true;
        if (i + 2 <= length && memcmp(text + i, "or", 2) == 0) return true;
        if (i + 3 <= length && memcmp(text + i, "and", 3) == 0) return true;
        if (i + 3 <= length && memcmp(text + i, "not", 3) == 0) return true;
    }
    return false;
}

static long skip_spaces(const taut_infix *r, long at) {
    while (at < r->length && taut_infix_is_space(r->text[at])) at++;
    return at;
}

/* Behind the parenthesis that closes the one at this place. */
static long behind_group(const taut_infix *r, long at) {
    int depth = 0;
    for (; at < r->length; at++) {
        depth += r->text[at] == '(' || r->text[at] == '[';
        depth -= r->text[at] == ')' || r->text[at] == ']';
        if (depth == 0) return at + 1;
    }
    return at;
}

/* Does a condition stand from here to the end, or to a parenthesis that was opened before? It does
 * if there is a comparison, or a word that joins some, outside of all parentheses; or if all of it
 * is in parentheses, ((...)), and a condition there. */
bool taut_infix_begins_condition(const taut_infix *r, long at) {
    if (!r->compares) return false;
    at = skip_spaces(r, at);
    for (int k = 0; k < MOST_GROUPS && at < r->length && r->text[at] == '('; k++) {
        const long next = skip_spaces(r, behind_group(r, at));
        if (next < r->length && r->text[next] != ')') break;
        at = skip_spaces(r, at + 1);
    }
    bool name = false; /* the last character belongs to one */
    while (at < r->length && r->text[at] != ')') {
        const char c = r->text[at];
        if (c == '<' || c == '>') return true;
        if (!name && (taut_infix_has_word(r, at, "and") || taut_infix_has_word(r, at, "or") ||
                      taut_infix_has_word(r, at, "not")))
            return true;
        name = taut_infix_is_letter(c) || (name && taut_is_digit(c));
        at = c == '(' || c == '[' ? behind_group(r, at) : at + 1;
    }
    return false;
}

/* Is what stands in parentheses here a condition, and not the beginning of a sum? */
static bool is_group(const taut_infix *r, long at) {
    const long next = skip_spaces(r, behind_group(r, at));
    if (r->text[at] != '(' || !taut_infix_begins_condition(r, at + 1)) return false;
    return next >= r->length || r->text[next] == ')' || r->text[next] == ',' ||
           taut_infix_has_word(r, next, "and") || taut_infix_has_word(r, next, "or");
}

bool taut_infix_is_condition(const char *text) {
    const long length = (long)strlen(text);
    const taut_infix r = {
        .text = text, .length = length, .compares = taut_infix_has_comparison(text, length)};
    return taut_infix_begins_condition(&r, 0);
}

/* ---- the mode that it is ---- */

/* The mode of a boundary: a number that is 1 above zero and 0 below. */
taut_node taut_infix_mode(taut_infix *r, taut_node boundary, long start, const char *name) {
    taut_node mode = TAUT_NO_NODE;
    if (r->scope->kink && r->scope->kink(r->scope->user, boundary, &mode)) return mode;
    taut_infix_refuse(r, start, "%s has a kink, which is not possible in this formula", name);
    return TAUT_NO_NODE;
}

/* mode a + (1 - mode) b */
taut_node taut_infix_choose(taut_graph *g, taut_node mode, taut_node a, taut_node b) {
    const taut_node other = taut_sub(g, taut_number(g, 1.0), mode);
    return taut_add(g, taut_mul(g, mode, a), taut_mul(g, other, b));
}

static taut_node opposite(taut_infix *r, taut_node mode) {
    if (r->status != TAUT_OK) return TAUT_NO_NODE;
    return taut_sub(r->graph, taut_number(r->graph, 1.0), mode);
}

/* 1 where a > b, otherwise 0; a >= b is the opposite of b > a. */
static taut_node compare(taut_infix *r, taut_measure a, taut_measure b, bool strict, long at) {
    taut_dimension common;
    if (!taut_infix_want_scalar(r, a.value, at, "a comparison") ||
        !taut_infix_want_scalar(r, b.value, at, "a comparison"))
        return TAUT_NO_NODE;
    if (!taut_dimension_sum(a.dimension, b.dimension, &common)) {
        taut_infix_refuse_mixture(r, at, "this compares", a.dimension, b.dimension);
        return TAUT_NO_NODE;
    }
    const taut_node x = a.value.c[0], y = b.value.c[0];
    if (strict) return taut_infix_mode(r, taut_sub(r->graph, x, y), at, "if");
    return opposite(r, taut_infix_mode(r, taut_sub(r->graph, y, x), at, "if"));
}

/* ---- reading ---- */

/* ( condition ) */
taut_node taut_infix_read_group(taut_infix *r) {
    taut_infix_take(r, '(');
    const taut_node condition = taut_infix_read_condition(r);
    if (r->status == TAUT_OK && !taut_infix_take(r, ')'))
        taut_infix_refuse(r, r->at, "a parenthesis is not closed %s", TAUT_INFIX_TORN);
    return condition;
}

/* not condition, (condition), a < b */
static taut_node read_comparison(taut_infix *r) {
    if (taut_infix_take_word(r, "not")) return opposite(r, read_comparison(r));
    if (taut_infix_peek(r) == '(' && is_group(r, r->at)) return taut_infix_read_group(r);
    const taut_measure a = taut_infix_read_sum(r);
    if (r->status != TAUT_OK) return TAUT_NO_NODE;
    const char op = taut_infix_peek(r);
    const long at = r->at;
    if (op != '<' && op != '>') {
        taut_infix_refuse(r, at,
                          "a condition is a comparison, a < b: <, <=, > or >= is missing here");
        return TAUT_NO_NODE;
    }
    r->at++;
    const bool strict = r->at >= r->length || r->text[r->at] != '=';
    if (!strict) r->at++;
    if (taut_infix_peek(r) == '=' || taut_infix_peek(r) == '<' || taut_infix_peek(r) == '>') {
        taut_infix_refuse(r, at, "comparisons are <, <=, > and >=");
        return TAUT_NO_NODE;
    }
    const taut_measure b = taut_infix_read_sum(r);
    if (r->status != TAUT_OK) return TAUT_NO_NODE;
    if (taut_infix_peek(r) == '<' || taut_infix_peek(r) == '>') {
        taut_infix_refuse(r, r->at,
                          "a comparison has two sides: join two of them by 'and', a < b and b < c");
        return TAUT_NO_NODE;
    }
    return op == '>' ? compare(r, a, b, strict, at) : compare(r, b, a, strict, at);
}

/* Comparisons joined by `and`, and these by `or`. */
static taut_node read_alternatives(taut_infix *r) {
    taut_graph *g = r->graph;
    taut_node any = TAUT_NO_NODE;
    do {
        taut_node all = read_comparison(r);
        while (r->status == TAUT_OK && taut_infix_take_word(r, "and")) {
            const taut_node next = read_comparison(r);
            if (r->status == TAUT_OK) all = taut_mul(g, all, next);
        }
        if (r->status != TAUT_OK) return TAUT_NO_NODE;
        if (any == TAUT_NO_NODE)
            any = all;
        else
            any = taut_sub(g, taut_add(g, any, all), taut_mul(g, any, all));
    } while (taut_infix_take_word(r, "or"));
    return any;
}

/* One level deeper, as sums are. */
static taut_measure read_as_number(taut_infix *r) {
    return taut_infix_scalar(read_alternatives(r), taut_infix_plain(TAUT_DIMENSION_NUMBER));
}

taut_node taut_infix_read_condition(taut_infix *r) {
    const taut_measure m = taut_infix_descend(r, read_as_number);
    return r->status == TAUT_OK ? m.value.c[0] : TAUT_NO_NODE;
}

/* if(condition, a, b) */
taut_measure taut_infix_read_choice(taut_infix *r, long start) {
    taut_measure of[2];
    taut_infix_take(r, '(');
    const taut_node mode = taut_infix_read_condition(r);
    for (int i = 0; i < 2 && r->status == TAUT_OK; i++) {
        if (!taut_infix_take(r, ','))
            return taut_infix_refuse(r, r->at,
                                     "if takes a condition and two values: if(a < b, x, y) %s",
                                     TAUT_INFIX_TORN);
        of[i] = taut_infix_read_sum(r);
    }
    if (r->status != TAUT_OK) return TAUT_NO_MEASURE;
    if (!taut_infix_take(r, ')'))
        return taut_infix_refuse(r, r->at, "if( is not closed %s", TAUT_INFIX_TORN);
    if (!taut_infix_want_scalar(r, of[0].value, start, "if") ||
        !taut_infix_want_scalar(r, of[1].value, start, "if"))
        return TAUT_NO_MEASURE;
    taut_dimension common;
    if (!taut_dimension_sum(of[0].dimension, of[1].dimension, &common))
        return taut_infix_refuse_mixture(r, start, "if of", of[0].dimension, of[1].dimension);
    return taut_infix_scalar(taut_infix_choose(r->graph, mode, of[0].value.c[0], of[1].value.c[0]),
                             common);
}
