/* Reading formulas: recursive descent over
 *
 *   sum     = product { (+|-) product }
 *   product = signed { (*|/) signed }
 *   signed  = { +|- } power
 *   power   = postfix [ (^|**) signed ]            right-associative, binds tighter than a sign
 *   postfix = primary { ' | .x }
 *   primary = number [ unit ] | name | name ( sum {, sum} ) | ( sum ) | [ sum, sum {, sum} ]
 *
 * Every value carries what is known of its dimension; where units contradict each other, the
 * formula is refused. */
#include "expr/infix.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "core/number.h"
#include "core/stack.h"
#include "expr/ops.h"

enum { DEEPEST = 500, MOST_TERMS = 1 << 20 };
/* A level takes up to 3 kB of stack, with a definition in it twice as much: formulas that are
 * nested deeper than this go on with a stack of their own, so that the limit holds in small
 * threads. */
enum { SHALLOW = 12 };
/* A comma in a flow list ends a plain scalar: the usual cause of an open parenthesis. */
static const char TORN[] = "(if a comma ended the formula here, quote it: \"...\")";

typedef struct reader {
    taut_graph *graph;
    const char *text;
    long length, at;
    const taut_scope *scope;
    taut_infix_error *error;
    int *depth;
    taut_status status;
} reader;

/* A fault has no value. */
static const taut_measure NOTHING = {{0}, {TAUT_DIMENSION_ANY, {0}}};

static taut_measure read_sum(reader *r);

/* ---- errors and characters ---- */

__attribute__((format(printf, 3, 4))) static taut_measure refuse(reader *r, long offset,
                                                                 const char *format, ...) {
    if (r->status == TAUT_OK) {
        va_list args;
        va_start(args, format);
        taut_format_list(r->error->message, sizeof r->error->message, format, args);
        va_end(args);
        r->error->offset = offset;
        r->status = TAUT_ERR_INPUT;
    }
    return NOTHING;
}

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static char peek(reader *r) {
    while (r->at < r->length && is_space(r->text[r->at])) r->at++;
    return r->at < r->length ? r->text[r->at] : '\0';
}

static bool take(reader *r, char c) {
    if (peek(r) != c) return false;
    r->at++;
    return true;
}

/* What stands at the reading position, for a message. */
static const char *found(reader *r, char *text, size_t size) {
    const char c = peek(r);
    if (r->at >= r->length)
        snprintf(text, size, "the end of the formula");
    else if ((unsigned char)c >= 0x7F || (unsigned char)c < 0x20)
        snprintf(text, size, "a character that formulas do not use");
    else
        snprintf(text, size, "'%c'", c);
    return text;
}

/* ---- primaries ---- */

static taut_measure scalar(taut_node node, taut_dimension dimension) {
    return (taut_measure){taut_vec_scalar(node), dimension};
}

static taut_dimension plain(taut_knowledge knowledge) { return (taut_dimension){knowledge, {0}}; }

/* Angles, sines and the like: what has no unit. */
static bool want_pure(reader *r, const taut_measure *m, long start, const char *what) {
    char text[80];
    if (taut_dimension_fits(m->dimension, TAUT_ANGLE)) return true;
    refuse(r, start, "%s needs a number without a unit or an angle, but this is %s", what,
           taut_dimension_print(m->dimension, text, sizeof text));
    return false;
}

/* The length of the digits at the reading position, with a point and an exponent; strtod would also
 * take hex, inf and nan. 0: there are none. */
static size_t count_digits(const reader *r) {
    long p = r->at;
    bool point = false, mantissa = false;
    for (; p < r->length; p++) {
        const char c = r->text[p];
        if (is_digit(c))
            mantissa = true;
        else if (c == '.' && !point)
            point = true;
        else
            break;
    }
    if (!mantissa) return 0;
    if (p < r->length && (r->text[p] == 'e' || r->text[p] == 'E')) {
        long q = p + 1;
        if (q < r->length && (r->text[q] == '+' || r->text[q] == '-')) q++;
        if (q < r->length && is_digit(r->text[q])) {
            while (q < r->length && is_digit(r->text[q])) q++;
            p = q;
        }
    }
    return (size_t)(p - r->at);
}

/* A unit that is also a parameter: nobody can tell which one is meant. */
static bool refuse_clash(reader *r, const char *digits, long start, size_t n) {
    char name[TAUT_NAME_MAX];
    if (n >= sizeof name || !r->scope->parameter_line) return false;
    memcpy(name, r->text + start, n);
    name[n] = '\0';
    const int line = r->scope->parameter_line(r->scope->user, name);
    if (line < 0) return false;
    refuse(
        r, start,
        "'%s %s' can be read in two ways, since %s is a unit and the parameter on line %d: write "
        "%s*%s for the product with the parameter, or give the parameter another name for the "
        "unit",
        digits, name, name, line, digits, name);
    return true;
}

/* `and` and `or` join conditions: they are no units. */
static bool is_joint(const reader *r, long at) {
    static const char *const word[] = {"and", "or"};
    for (int i = 0; i < 2; i++) {
        const long end = at + (long)strlen(word[i]);
        if (end < r->length && strncmp(r->text + at, word[i], strlen(word[i])) == 0 &&
            !is_letter(r->text[end]) && !is_digit(r->text[end]))
            return true;
    }
    return false;
}

/* What follows a number: a unit after one space makes it a quantity. */
static taut_measure read_unit(reader *r, const char *digits) {
    const long blank = r->at, start = blank + 1;
    char name[TAUT_NAME_MAX];
    taut_unit unit;
    long end = start;
    const size_t n = taut_unit_read(r->text + start, (size_t)(r->length - start), &unit);
    if (n > 0) {
        if (refuse_clash(r, digits, start, n)) return NOTHING;
        const double value = taut_unit_convert(digits, &unit);
        r->at = start + (long)n;
        if (!isfinite(value)) return refuse(r, blank, "the number %s is too large", digits);
        return scalar(taut_number(r->graph, value), unit.dimension);
    }
    while (end < r->length && (is_letter(r->text[end]) || is_digit(r->text[end]))) end++;
    snprintf(name, sizeof name, "%.*s", (int)(end - start), r->text + start);
    const char *near = taut_unit_nearest(name);
    return refuse(r, start, "'%s' is not a unit%s%s%s (or an operator is missing: %s*%s)", name,
                  near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "", digits, name);
}

/* Letters right behind a number, or too far behind it. */
static taut_measure refuse_letters(reader *r, const char *digits, long at) {
    taut_unit unit;
    const size_t n = taut_unit_read(r->text + at, (size_t)(r->length - at), &unit);
    if (n > 0)
        return refuse(r, at, "a unit follows its number after one space: %s %.*s", digits, (int)n,
                      r->text + at);
    return refuse(r, at, "write * between a number and a name: %s*%c...", digits, r->text[at]);
}

static taut_measure read_number(reader *r) {
    const long start = r->at;
    char digits[64];
    const size_t n = count_digits(r);
    if (n == 0) return refuse(r, start, "a number needs digits");
    if (n >= sizeof digits) return refuse(r, start, "this number has too many digits");
    memcpy(digits, r->text + start, n);
    digits[n] = '\0';
    const double value = taut_number_parse(digits, NULL);
    if (!isfinite(value)) return refuse(r, start, "the number %s is too large", digits);
    const long p = r->at = start + (long)n;
    const char c = p < r->length ? r->text[p] : '\0', next = p + 1 < r->length ? r->text[p + 1] : 0;
    if (c == '.') return refuse(r, p, "a number has two decimal points");
    if (is_letter(c)) return refuse_letters(r, digits, p);
    if (c == ' ' && is_letter(next) && !is_joint(r, p + 1)) return read_unit(r, digits);
    if (is_space(c) && is_letter(peek(r)) && !is_joint(r, r->at))
        return refuse_letters(r, digits, r->at);
    return scalar(taut_number(r->graph, value),
                  plain(value == 0.0 ? TAUT_DIMENSION_ZERO : TAUT_DIMENSION_NUMBER));
}

typedef struct argument_list {
    int count;
    taut_measure of[4];
} argument_list;

/* ( sum , sum ... ) of a function called `name`, which takes `want` arguments. */
static bool read_arguments(reader *r, const char *name, long start, int want, argument_list *list) {
    list->count = 0;
    take(r, '(');
    if (peek(r) != ')') {
        do {
            const taut_measure m = read_sum(r);
            if (r->status != TAUT_OK) return false;
            if (list->count < 4) list->of[list->count] = m;
            list->count++;
        } while (take(r, ','));
    }
    if (!take(r, ')')) {
        char what[64];
        if (r->at >= r->length)
            refuse(r, r->at, "%s( is not closed %s", name, TORN);
        else
            refuse(r, r->at, "%s( expects , or ) before %s", name, found(r, what, sizeof what));
        return false;
    }
    if (list->count != want) {
        refuse(r, start, "%s takes %d argument%s, not %d", name, want, want == 1 ? "" : "s",
               list->count);
        return false;
    }
    return true;
}

static bool want_scalar(reader *r, taut_vec a, long start, const char *what) {
    if (r->status != TAUT_OK) return false;
    if (a.n == 1) return true;
    refuse(r, start, "%s needs a number, but this is a vector with %d components", what, a.n);
    return false;
}

static bool want_vectors(reader *r, const argument_list *list, const char *name, long start) {
    for (int i = 0; i < list->count; i++)
        if (list->of[i].value.n < 2 || list->of[i].value.n != list->of[0].value.n) {
            refuse(r, start, "%s needs vectors of the same size", name);
            return false;
        }
    return true;
}

/* Quantities that cannot be added or compared. */
static taut_measure refuse_mixture(reader *r, long at, const char *what, taut_dimension a,
                                   taut_dimension b) {
    char first[80], second[80];
    const bool both = a.knowledge == TAUT_DIMENSION_KNOWN && b.knowledge == TAUT_DIMENSION_KNOWN;
    return refuse(r, at, "%s %s and %s%s", what, taut_dimension_print(a, first, sizeof first),
                  taut_dimension_print(b, second, sizeof second),
                  both ? "" : ": give the number its unit, too");
}

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
    S_IF,
    S_LATER
} special;
static const struct {
    const char *name;
    special what;
    int arguments;
} SPECIAL[] = {{"sqrt", S_SQRT, 1}, {"pow", S_POW, 2},     {"atan2", S_ATAN2, 2},
               {"dot", S_DOT, 2},   {"cross", S_CROSS, 2}, {"norm", S_NORM, 1},
               {"abs", S_ABS, 1},   {"min", S_MIN, 2},     {"max", S_MAX, 2},
               {"sign", S_SIGN, 1}, {"step", S_STEP, 1},   {"clamp", S_CLAMP, 3},
               {"if", S_IF, 3},     {"floor", S_LATER, 1}, {"mod", S_LATER, 2}};
enum { SPECIALS = sizeof SPECIAL / sizeof SPECIAL[0] };

/* Vectors in, of which the dimensions multiply. */
static taut_measure apply_to_vectors(reader *r, special what, const argument_list *a) {
    const taut_measure x = a->of[0], y = a->of[1];
    if (what == S_NORM) return scalar(taut_vec_norm(r->graph, x.value), x.dimension);
    const taut_dimension product = taut_dimension_product(x.dimension, y.dimension, 1.0);
    if (what == S_DOT) return scalar(taut_vec_inner(r->graph, x.value, y.value), product);
    return (taut_measure){taut_vec_cross(r->graph, x.value, y.value), product};
}

static taut_measure power(reader *r, taut_measure base, taut_measure exponent, long at);

/* ---- formulas with kinks ---- */

/* The mode of a boundary: a number that is 1 above zero and 0 below. */
static taut_node mode_of(reader *r, taut_node boundary, long start, const char *name) {
    taut_node mode = TAUT_NO_NODE;
    if (r->scope->kink && r->scope->kink(r->scope->user, boundary, &mode)) return mode;
    refuse(r, start, "%s has a kink, which is not possible in this formula", name);
    return TAUT_NO_NODE;
}

/* mode a + (1 - mode) b */
static taut_node choose(taut_graph *g, taut_node mode, taut_node a, taut_node b) {
    const taut_node other = taut_sub(g, taut_number(g, 1.0), mode);
    return taut_add(g, taut_mul(g, mode, a), taut_mul(g, other, b));
}

/* The larger one of two numbers, or the smaller one. */
static taut_node extreme(reader *r, bool largest, taut_node a, taut_node b, long start) {
    const taut_node mode = mode_of(r, taut_sub(r->graph, a, b), start, largest ? "max" : "min");
    if (r->status != TAUT_OK) return TAUT_NO_NODE;
    return largest ? choose(r->graph, mode, a, b) : choose(r->graph, mode, b, a);
}

static taut_measure apply_kink(reader *r, special what, const argument_list *a, long start,
                               const char *name) {
    taut_graph *g = r->graph;
    const taut_node x = a->of[0].value.c[0];
    taut_dimension common = a->of[0].dimension;
    for (int i = 1; i < a->count; i++)
        if (!taut_dimension_sum(common, a->of[i].dimension, &common))
            return refuse_mixture(r, start, "this compares", common, a->of[i].dimension);
    if (what == S_MIN || what == S_MAX)
        return scalar(extreme(r, what == S_MAX, x, a->of[1].value.c[0], start), common);
    if (what == S_CLAMP) {
        const taut_node above = extreme(r, true, x, a->of[1].value.c[0], start);
        if (r->status != TAUT_OK) return NOTHING;
        return scalar(extreme(r, false, above, a->of[2].value.c[0], start), common);
    }
    const taut_node mode = mode_of(r, x, start, name);
    if (r->status != TAUT_OK) return NOTHING;
    const bool any = common.knowledge == TAUT_DIMENSION_ANY;
    const taut_dimension number = plain(any ? TAUT_DIMENSION_ANY : TAUT_DIMENSION_NUMBER);
    if (what == S_STEP) return scalar(mode, number);
    const taut_node sign = taut_sub(g, taut_scale(g, 2.0, mode), taut_number(g, 1.0));
    if (what == S_SIGN) return scalar(sign, number);
    return scalar(taut_mul(g, sign, x), common);
}

/* The word at this place, as a whole. */
static bool take_word(reader *r, const char *word) {
    const long n = (long)strlen(word);
    peek(r);
    if (r->at + n > r->length || strncmp(r->text + r->at, word, (size_t)n) != 0) return false;
    if (r->at + n < r->length && (is_letter(r->text[r->at + n]) || is_digit(r->text[r->at + n])))
        return false;
    r->at += n;
    return true;
}

static taut_node opposite(reader *r, taut_node mode) {
    if (r->status != TAUT_OK) return TAUT_NO_NODE;
    return taut_sub(r->graph, taut_number(r->graph, 1.0), mode);
}

/* 1 where a > b, otherwise 0; a >= b is the opposite of b > a. */
static taut_node compare(reader *r, taut_measure a, taut_measure b, bool strict, long at) {
    taut_dimension common;
    if (!want_scalar(r, a.value, at, "a comparison") ||
        !want_scalar(r, b.value, at, "a comparison"))
        return TAUT_NO_NODE;
    if (!taut_dimension_sum(a.dimension, b.dimension, &common)) {
        refuse_mixture(r, at, "this compares", a.dimension, b.dimension);
        return TAUT_NO_NODE;
    }
    const taut_node x = a.value.c[0], y = b.value.c[0];
    if (strict) return mode_of(r, taut_sub(r->graph, x, y), at, "if");
    return opposite(r, mode_of(r, taut_sub(r->graph, y, x), at, "if"));
}

/* [not] a < b */
static taut_node read_comparison(reader *r) {
    if (take_word(r, "not")) return opposite(r, read_comparison(r));
    const taut_measure a = read_sum(r);
    if (r->status != TAUT_OK) return TAUT_NO_NODE;
    const char op = peek(r);
    const long at = r->at;
    if (op != '<' && op != '>') {
        refuse(r, at, "a condition is a comparison, a < b: <, <=, > or >= is missing here");
        return TAUT_NO_NODE;
    }
    r->at++;
    const bool strict = r->at >= r->length || r->text[r->at] != '=';
    if (!strict) r->at++;
    const taut_measure b = read_sum(r);
    if (r->status != TAUT_OK) return TAUT_NO_NODE;
    return op == '>' ? compare(r, a, b, strict, at) : compare(r, b, a, strict, at);
}

/* Comparisons joined by `and`, and these by `or`. */
static taut_node read_condition(reader *r) {
    taut_graph *g = r->graph;
    taut_node any = TAUT_NO_NODE;
    do {
        taut_node all = read_comparison(r);
        while (r->status == TAUT_OK && take_word(r, "and")) {
            const taut_node next = read_comparison(r);
            if (r->status == TAUT_OK) all = taut_mul(g, all, next);
        }
        if (r->status != TAUT_OK) return TAUT_NO_NODE;
        if (any == TAUT_NO_NODE)
            any = all;
        else
            any = taut_sub(g, taut_add(g, any, all), taut_mul(g, any, all));
    } while (take_word(r, "or"));
    return any;
}

/* if(condition, a, b) */
static taut_measure read_choice(reader *r, long start) {
    taut_measure of[2];
    take(r, '(');
    const taut_node mode = read_condition(r);
    for (int i = 0; i < 2 && r->status == TAUT_OK; i++) {
        if (!take(r, ','))
            return refuse(r, r->at, "if takes a condition and two values: if(a < b, x, y) %s",
                          TORN);
        of[i] = read_sum(r);
    }
    if (r->status != TAUT_OK) return NOTHING;
    if (!take(r, ')')) return refuse(r, r->at, "if( is not closed %s", TORN);
    if (!want_scalar(r, of[0].value, start, "if") || !want_scalar(r, of[1].value, start, "if"))
        return NOTHING;
    taut_dimension common;
    if (!taut_dimension_sum(of[0].dimension, of[1].dimension, &common))
        return refuse_mixture(r, start, "if of", of[0].dimension, of[1].dimension);
    return scalar(choose(r->graph, mode, of[0].value.c[0], of[1].value.c[0]), common);
}

static taut_measure apply_special(reader *r, int row, long start) {
    taut_graph *g = r->graph;
    argument_list a;
    taut_dimension common;
    const char *name = SPECIAL[row].name;
    const special what = SPECIAL[row].what;
    if (what == S_IF) return read_choice(r, start);
    if (!read_arguments(r, name, start, SPECIAL[row].arguments, &a)) return NOTHING;
    if (what == S_LATER)
        return refuse(r, start,
                      "%s is not known yet: let an event count in a Discrete variable instead",
                      name);
    if (what == S_DOT || what == S_CROSS || what == S_NORM)
        return want_vectors(r, &a, name, start) ? apply_to_vectors(r, what, &a) : NOTHING;
    for (int i = 0; i < a.count; i++)
        if (!want_scalar(r, a.of[i].value, start, name)) return NOTHING;
    const taut_node x = a.of[0].value.c[0];
    if (what == S_SQRT)
        return scalar(taut_root(g, x), taut_dimension_power(a.of[0].dimension, 0.5));
    if (what == S_POW) return power(r, a.of[0], a.of[1], start);
    if (what >= S_ABS) return apply_kink(r, what, &a, start, name);
    if (!taut_dimension_sum(a.of[0].dimension, a.of[1].dimension, &common))
        return refuse_mixture(r, start, "atan2 of", a.of[0].dimension, a.of[1].dimension);
    return scalar(
        taut_atan2(g, x, a.of[1].value.c[0]),
        plain(common.knowledge == TAUT_DIMENSION_ANY ? TAUT_DIMENSION_ANY : TAUT_DIMENSION_NUMBER));
}

/* A function that the file gives by samples. */
static taut_measure apply_table(reader *r, const char *name, int arity, long start) {
    argument_list a;
    taut_node argument[4] = {0}, value = TAUT_NO_NODE;
    char why[300] = "";
    if (!read_arguments(r, name, start, arity, &a)) return NOTHING;
    for (int i = 0; i < a.count; i++) {
        if (!want_scalar(r, a.of[i].value, start, name)) return NOTHING;
        argument[i] = a.of[i].value.c[0];
    }
    if (r->scope->call(r->scope->user, name, argument, &value, why, sizeof why))
        return scalar(value, plain(TAUT_DIMENSION_ANY));
    return refuse(r, start, "%s", why);
}

static taut_measure unknown_name(reader *r, const char *name, long start, bool call) {
    if (call)
        return refuse(r, start, "'%s' is not a function; write * for a product: %s*(...)", name,
                      name);
    const char *near = r->scope->nearest ? r->scope->nearest(r->scope->user, name) : NULL;
    if (near) return refuse(r, start, "unknown name '%s'; did you mean '%s'?", name, near);
    return refuse(r, start, "unknown name '%s'", name);
}

static taut_measure read_name(reader *r) {
    const long start = r->at;
    char name[TAUT_NAME_MAX], why[300] = "";
    long p = start;
    while (p < r->length && (is_letter(r->text[p]) || is_digit(r->text[p]))) p++;
    if (p - start >= TAUT_NAME_MAX) return refuse(r, start, "this name is too long");
    const size_t n = (size_t)(p - start);
    memcpy(name, r->text + start, n);
    name[n] = '\0';
    r->at = p;
    const bool call = peek(r) == '(';
    if (call) {
        const int op = taut_op_find(name, n);
        if (op >= 0) {
            argument_list a;
            if (!read_arguments(r, name, start, 1, &a) ||
                !want_scalar(r, a.of[0].value, start, name) || !want_pure(r, &a.of[0], start, name))
                return NOTHING;
            const bool any = a.of[0].dimension.knowledge == TAUT_DIMENSION_ANY;
            return scalar(taut_apply(r->graph, (taut_op)op, a.of[0].value.c[0]),
                          plain(any ? TAUT_DIMENSION_ANY : TAUT_DIMENSION_NUMBER));
        }
        for (int i = 0; i < SPECIALS; i++)
            if (strcmp(SPECIAL[i].name, name) == 0) return apply_special(r, i, start);
        const int arity =
            r->scope->arity ? r->scope->arity(r->scope->user, name, why, sizeof why) : 0;
        if (arity > 0) return apply_table(r, name, arity, start);
        if (arity < 0) return refuse(r, start, "%s", why);
    }
    if (strcmp(name, "pi") == 0)
        return scalar(taut_number(r->graph, acos(-1.0)), plain(TAUT_DIMENSION_NUMBER));
    if (strcmp(name, "t") == 0) return scalar(taut_time(r->graph), plain(TAUT_DIMENSION_ANY));
    if (taut_infix_is_reserved(name))
        return refuse(r, start, "'%s' is a function: write %s(...)", name, name);
    taut_measure meaning = NOTHING;
    if (r->scope->find(r->scope->user, name, &meaning, why, sizeof why))
        return call ? unknown_name(r, name, start, true) : meaning;
    if (why[0]) return refuse(r, start, "%s", why);
    return unknown_name(r, name, start, call);
}

static taut_measure read_vector(reader *r) {
    const long start = r->at++;
    taut_measure v = {{0}, plain(TAUT_DIMENSION_ZERO)};
    do {
        const taut_measure x = read_sum(r);
        taut_dimension both;
        if (!want_scalar(r, x.value, start, "a component of a vector")) return NOTHING;
        if (!taut_dimension_sum(v.dimension, x.dimension, &both))
            return refuse_mixture(r, start, "a vector of", v.dimension, x.dimension);
        v.dimension = both;
        if (v.value.n < 3) v.value.c[v.value.n] = x.value.c[0];
        v.value.n++;
    } while (take(r, ','));
    if (!take(r, ']')) return refuse(r, r->at, "this vector is not closed: ] is missing");
    if (v.value.n < 2 || v.value.n > 3)
        return refuse(r, start, "a vector has 2 or 3 components, not %d", v.value.n);
    return v;
}

static taut_measure read_primary(reader *r) {
    char what[64];
    const char c = peek(r);
    if (is_digit(c) || c == '.') return read_number(r);
    if (is_letter(c)) return read_name(r);
    if (c == '[') return read_vector(r);
    if (c == '(') {
        r->at++;
        const taut_measure inside = read_sum(r);
        if (r->status != TAUT_OK || take(r, ')')) return inside;
        if (r->at >= r->length) return refuse(r, r->at, "a parenthesis is not closed %s", TORN);
        return refuse(r, r->at, "a parenthesis is not closed: ) is expected before %s",
                      found(r, what, sizeof what));
    }
    return refuse(r, r->at, "a number, a name or a parenthesis is expected, not %s",
                  found(r, what, sizeof what));
}

/* ---- going deeper ---- */

typedef struct descent {
    reader *reader;
    taut_measure (*read)(reader *);
    taut_measure measure;
} descent;

static void read_inside(void *user) {
    descent *d = user;
    d->measure = d->read(d->reader);
}

/* One level deeper, on another stack where this one may get short. */
static taut_measure descend(reader *r, taut_measure (*read)(reader *)) {
    descent d = {r, read, NOTHING};
    if (++*r->depth > DEEPEST) return refuse(r, r->at, "this formula is nested too deeply");
    if (*r->depth != SHALLOW) {
        read_inside(&d);
    } else if (taut_on_deep_stack(read_inside, &d) != TAUT_OK) {
        taut_graph_fail(r->graph);
        r->status = TAUT_ERR_MEMORY;
    }
    --*r->depth;
    return d.measure;
}

/* ---- operators ---- */

/* Primes after primes, in or out of parentheses: the highest derivative among the nodes from
 * `first` on. */
static int highest_derivative(const taut_graph *g, taut_node first) {
    int highest = 0;
    for (taut_node n = first; n < taut_graph_size(g); n++) {
        const taut_node_data *d = taut_node_get(g, n);
        if (d->op == TAUT_OP_DIFF && d->index > highest) highest = d->index;
    }
    return highest;
}

/* Primes: derivatives with respect to time. */
static taut_measure read_primes(reader *r, taut_measure m) {
    const long start = r->at;
    const taut_node first = taut_graph_size(r->graph);
    int primes = 0;
    while (r->at < r->length && r->text[r->at] == '\'') primes++, r->at++;
    if (primes <= TAUT_PRIMES_MAX) {
        m.value = taut_vec_dot_time(r->graph, m.value, primes);
        m.dimension = taut_dimension_product(m.dimension, taut_quantity_dimension(TAUT_TIME),
                                             -(double)primes);
        const int highest = highest_derivative(r->graph, first);
        if (highest > primes) primes = highest;
    }
    if (primes > TAUT_PRIMES_MAX)
        return refuse(r, start, "%d primes: derivatives go up to %d", primes, TAUT_PRIMES_MAX);
    return m;
}

/* `(10 + 20) deg` and `x mm`: a unit belongs to a number. */
static void refuse_loose_unit(reader *r) {
    taut_unit unit;
    if (r->status != TAUT_OK || !is_letter(peek(r))) return;
    const size_t n = taut_unit_read(r->text + r->at, (size_t)(r->length - r->at), &unit);
    const char after = r->at + (long)n < r->length ? r->text[r->at + (long)n] : ' ';
    if (n > 0 && !is_letter(after) && !is_digit(after))
        refuse(r, r->at, "a unit needs a number right before it: write *1 %.*s", (int)n,
               r->text + r->at);
}

static taut_measure read_postfix(reader *r) {
    const bool number = is_digit(peek(r)) || peek(r) == '.';
    taut_measure m = read_primary(r);
    while (r->status == TAUT_OK) {
        const char c = peek(r);
        if (c == '\'') {
            m = read_primes(r, m);
        } else if (c == '.' && r->at + 1 < r->length && is_letter(r->text[r->at + 1])) {
            const int i = r->text[r->at + 1] - 'x', n = m.value.n;
            const bool single = r->at + 2 >= r->length || !is_letter(r->text[r->at + 2]);
            if (n < 2 || i < 0 || i >= n || !single)
                return refuse(r, r->at, "no such component: .x, .y%s of a vector",
                              n == 2 ? "" : ", .z");
            m.value = taut_vec_scalar(m.value.c[i]);
            r->at += 2;
        } else {
            break;
        }
    }
    if (!number) refuse_loose_unit(r);
    return m;
}

static taut_measure read_signed(reader *r);

/* A length to the power of a number is known only if the number is. */
static taut_measure power(reader *r, taut_measure base, taut_measure exponent, long at) {
    const taut_node_data *e = taut_node_get(r->graph, exponent.value.c[0]);
    taut_dimension d = base.dimension;
    if (!want_pure(r, &exponent, at, "an exponent")) return NOTHING;
    if (d.knowledge == TAUT_DIMENSION_KNOWN) {
        if (!e->steady && !want_pure(r, &base, at, "the base of a power that is no constant"))
            return NOTHING;
        d = e->steady ? taut_dimension_power(d, e->value) : plain(TAUT_DIMENSION_ANY);
    } else if (exponent.dimension.knowledge == TAUT_DIMENSION_ANY) {
        d = plain(TAUT_DIMENSION_ANY);
    }
    return scalar(taut_power(r->graph, base.value.c[0], exponent.value.c[0]), d);
}

static taut_measure read_power(reader *r) {
    const long start = r->at;
    const taut_measure base = read_postfix(r);
    if (r->status != TAUT_OK) return base;
    const char c = peek(r);
    const bool stars = c == '*' && r->at + 1 < r->length && r->text[r->at + 1] == '*';
    if (c != '^' && !stars) return base;
    r->at += stars ? 2 : 1;
    const long second = r->at;
    const taut_measure exponent = descend(r, read_signed);
    if (!want_scalar(r, base.value, start, "the base of a power") ||
        !want_scalar(r, exponent.value, second, "an exponent"))
        return NOTHING;
    return power(r, base, exponent, second);
}

static taut_measure read_signed(reader *r) {
    bool negative = false;
    for (char c = peek(r); c == '-' || c == '+'; c = peek(r)) {
        if (c == '-') negative = !negative;
        r->at++;
    }
    taut_measure m = read_power(r);
    for (int i = 0; i < m.value.n && negative; i++)
        m.value.c[i] = taut_scale(r->graph, -1.0, m.value.c[i]);
    return m;
}

static taut_vec combine(reader *r, taut_vec a, taut_vec b, bool divide, long at) {
    if (a.n == 0 || b.n == 0) return NOTHING.value;
    if (divide) {
        if (!want_scalar(r, b, at, "a divisor")) return NOTHING.value;
        if (taut_node_is_number(r->graph, b.c[0], 0.0))
            return refuse(r, at, "division by zero").value;
        for (int i = 0; i < a.n; i++) a.c[i] = taut_div(r->graph, a.c[i], b.c[0]);
        return a;
    }
    if (a.n > 1 && b.n > 1)
        return refuse(r, at, "a product of two vectors: write dot(a, b) or cross(a, b)").value;
    return a.n == 1 ? taut_vec_scale(r->graph, a.c[0], b) : taut_vec_scale(r->graph, b.c[0], a);
}

static taut_measure read_product(reader *r) {
    taut_measure m = read_signed(r);
    while (r->status == TAUT_OK) {
        const char c = peek(r);
        if (c != '*' && c != '/') break;
        const long at = r->at++;
        const taut_measure factor = read_signed(r);
        if (r->status != TAUT_OK) break;
        m.value = combine(r, m.value, factor.value, c == '/', at);
        m.dimension = taut_dimension_product(m.dimension, factor.dimension, c == '/' ? -1.0 : 1.0);
    }
    return m;
}

/* Terms are gathered and become one n-ary sum a component. */
typedef struct gathered {
    taut_node *node[3];
    double *coef;
    size_t node_room[3], coef_room, count;
} gathered;

static bool gather(reader *r, gathered *sum, taut_vec term, double sign) {
    if (sum->count >= MOST_TERMS) {
        refuse(r, r->at, "a sum of more than %d terms", MOST_TERMS);
        return false;
    }
    bool failed =
        taut_grow((void **)&sum->coef, &sum->coef_room, sum->count + 1, sizeof(double)) != 0;
    for (int i = 0; i < term.n && !failed; i++)
        failed |= taut_grow((void **)&sum->node[i], &sum->node_room[i], sum->count + 1,
                            sizeof(taut_node)) != 0;
    if (failed) {
        taut_graph_fail(r->graph);
        r->status = TAUT_ERR_MEMORY;
        return false;
    }
    for (int i = 0; i < term.n; i++) sum->node[i][sum->count] = term.c[i];
    sum->coef[sum->count++] = sign;
    return true;
}

/* One more term of a sum that has the dimension of *m so far. */
static bool read_term(reader *r, gathered *sum, taut_measure *m, char sign) {
    const long at = r->at++;
    const taut_measure term = read_product(r);
    taut_dimension both;
    if (r->status == TAUT_OK && term.value.n != m->value.n)
        refuse(r, at, "a sum of %s and %s", m->value.n == 1 ? "a number" : "a vector",
               term.value.n == 1 ? "a number" : "a vector of another size");
    if (r->status == TAUT_OK && !taut_dimension_sum(m->dimension, term.dimension, &both))
        refuse_mixture(r, at, "a sum of", m->dimension, term.dimension);
    if (r->status != TAUT_OK) return false;
    m->dimension = both;
    return gather(r, sum, term.value, sign == '-' ? -1.0 : 1.0);
}

static taut_measure read_terms(reader *r) {
    gathered sum = {0};
    taut_measure m = read_product(r);
    char c = peek(r);
    if (r->status == TAUT_OK && (c == '+' || c == '-')) {
        bool ok = gather(r, &sum, m.value, 1.0);
        while (ok && (c == '+' || c == '-')) {
            ok = read_term(r, &sum, &m, c);
            c = peek(r);
        }
        for (int i = 0; i < m.value.n && ok; i++)
            m.value.c[i] = taut_sum(r->graph, 0.0, sum.count, sum.coef, sum.node[i]);
    }
    for (int i = 0; i < 3; i++) taut_release((void **)&sum.node[i]);
    taut_release((void **)&sum.coef);
    return m;
}

static taut_measure read_sum(reader *r) { return descend(r, read_terms); }

taut_status taut_infix_read(taut_graph *graph, const char *text, long length,
                            const taut_scope *scope, taut_measure *measure,
                            taut_infix_error *error) {
    int own = 0;
    int *depth = scope->depth ? scope->depth : &own;
    const int outer = *depth;
    reader r = {.graph = graph,
                .text = text,
                .length = length,
                .scope = scope,
                .error = error,
                .depth = depth};
    *error = (taut_infix_error){0};
    *measure = NOTHING;
    if (peek(&r) == '\0' && r.at >= length) refuse(&r, 0, "an empty formula");
    const taut_measure m = r.status == TAUT_OK ? read_sum(&r) : NOTHING;
    *depth = outer; /* a fault leaves it anywhere */
    if (r.status == TAUT_OK && peek(&r) != '\0') {
        char what[64];
        const char c = peek(&r);
        const char *hint = c == ')'   ? "a parenthesis was never opened"
                           : c == '=' ? "write equations as one side that equals zero"
                                      : "an operator is missing";
        refuse(&r, r.at, "unexpected %s: %s", found(&r, what, sizeof what), hint);
    } else if (r.status == TAUT_OK && r.at < length) {
        refuse(&r, r.at, "a NUL character in a formula");
    }
    if (taut_graph_failed(graph)) r.status = TAUT_ERR_MEMORY; /* whatever followed from that */
    for (int i = 0; i < m.value.n && r.status == TAUT_OK; i++) {
        const taut_node_data *d = taut_node_get(graph, m.value.c[i]);
        if (d->steady && !isfinite(d->value))
            refuse(&r, 0, "the value of this formula is not a finite number");
    }
    if (r.status == TAUT_OK) *measure = m;
    return r.status;
}

bool taut_infix_is_reserved(const char *name) {
    if (strcmp(name, "t") == 0 || strcmp(name, "pi") == 0) return true;
    if (taut_op_find(name, strlen(name)) >= 0) return true;
    for (int i = 0; i < SPECIALS; i++)
        if (strcmp(SPECIAL[i].name, name) == 0) return true;
    return false;
}

bool taut_infix_is_name(const char *text) {
    if (!is_letter(text[0])) return false;
    size_t n = 1;
    while (is_letter(text[n]) || is_digit(text[n])) n++;
    return text[n] == '\0' && n < TAUT_NAME_MAX;
}
