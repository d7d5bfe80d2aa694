/* Reading formulas: recursive descent over
 *
 *   sum     = product { (+|-) product }
 *   product = signed { (*|/) signed }
 *   signed  = { +|- } power
 *   power   = postfix [ (^|**) signed ]            right-associative, binds tighter than a sign
 *   postfix = primary { ' | .x }
 *   primary = number | name | name ( sum {, sum} ) | ( sum ) | [ sum, sum {, sum} ]
 */
#include "expr/infix.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "expr/ops.h"

enum { DEEPEST = 500, MOST_TERMS = 1 << 20 };
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

static taut_vec read_sum(reader *r);

/* ---- errors and characters ---- */

__attribute__((format(printf, 3, 4))) static taut_vec refuse(reader *r, long offset,
                                                             const char *format, ...) {
    if (r->status == TAUT_OK) {
        va_list args;
        va_start(args, format);
        vsnprintf(r->error->message, sizeof r->error->message, format, args);
        va_end(args);
        r->error->offset = offset;
        r->status = TAUT_ERR_INPUT;
    }
    return (taut_vec){0};
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

/* A number: digits with a point and an exponent; strtod would also take hex, inf and nan. */
static taut_vec read_number(reader *r) {
    const long start = r->at;
    char digits[64];
    size_t n = 0;
    long p = start;
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
    if (!mantissa) return refuse(r, start, "a number needs digits");
    if (p < r->length && (r->text[p] == 'e' || r->text[p] == 'E')) {
        long q = p + 1;
        if (q < r->length && (r->text[q] == '+' || r->text[q] == '-')) q++;
        if (q < r->length && is_digit(r->text[q])) {
            while (q < r->length && is_digit(r->text[q])) q++;
            p = q;
        }
    }
    if (p - start >= (long)sizeof digits)
        return refuse(r, start, "this number has too many digits");
    n = (size_t)(p - start);
    memcpy(digits, r->text + start, n);
    digits[n] = '\0';
    const double value = strtod(digits, NULL);
    if (!isfinite(value)) return refuse(r, start, "the number %s is too large", digits);
    r->at = p;
    if (p < r->length && r->text[p] == '.') return refuse(r, p, "a number has two decimal points");
    if (p < r->length && is_letter(r->text[p]))
        return refuse(r, p, "write * between a number and a name: %s*%c...", digits, r->text[p]);
    return taut_vec_scalar(taut_number(r->graph, value));
}

typedef struct arguments {
    int count;
    taut_vec value[4];
} arguments;

/* ( sum , sum ... ) of a function called `name`, which takes `want` arguments. */
static bool read_arguments(reader *r, const char *name, long start, int want, arguments *list) {
    list->count = 0;
    take(r, '(');
    if (peek(r) != ')') {
        do {
            taut_vec value = read_sum(r);
            if (r->status != TAUT_OK) return false;
            if (list->count < 4) list->value[list->count] = value;
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

static bool want_vectors(reader *r, const arguments *list, const char *name, long start) {
    for (int i = 0; i < list->count; i++)
        if (list->value[i].n < 2 || list->value[i].n != list->value[0].n) {
            refuse(r, start, "%s needs vectors of the same size", name);
            return false;
        }
    return true;
}

/* Functions that are not rows of ops.def. */
typedef enum special { S_NONE, S_SQRT, S_POW, S_ATAN2, S_DOT, S_CROSS, S_NORM, S_LATER } special;
static const struct {
    const char *name;
    special what;
    int arguments;
} SPECIAL[] = {{"sqrt", S_SQRT, 1}, {"pow", S_POW, 2},     {"atan2", S_ATAN2, 2},
               {"dot", S_DOT, 2},   {"cross", S_CROSS, 2}, {"norm", S_NORM, 1},
               {"abs", S_LATER, 1}, {"min", S_LATER, 2},   {"max", S_LATER, 2},
               {"sign", S_LATER, 1}};
enum { SPECIALS = sizeof SPECIAL / sizeof SPECIAL[0] };

static taut_vec apply_special(reader *r, int row, long start) {
    taut_graph *g = r->graph;
    arguments a;
    const char *name = SPECIAL[row].name;
    if (!read_arguments(r, name, start, SPECIAL[row].arguments, &a)) return (taut_vec){0};
    switch (SPECIAL[row].what) {
    case S_DOT:
        if (!want_vectors(r, &a, name, start)) return (taut_vec){0};
        return taut_vec_scalar(taut_vec_inner(g, a.value[0], a.value[1]));
    case S_CROSS:
        if (!want_vectors(r, &a, name, start)) return (taut_vec){0};
        return taut_vec_cross(g, a.value[0], a.value[1]);
    case S_NORM:
        if (!want_vectors(r, &a, name, start)) return (taut_vec){0};
        return taut_vec_scalar(taut_vec_norm(g, a.value[0]));
    case S_LATER:
        return refuse(r, start,
                      "%s has a kink, and a Taylor series cannot pass a kink; taut cannot locate "
                      "events yet, so write the smooth branch that holds during the run",
                      name);
    default: break;
    }
    for (int i = 0; i < a.count; i++)
        if (!want_scalar(r, a.value[i], start, name)) return (taut_vec){0};
    const taut_node x = a.value[0].c[0], y = a.value[1].c[0];
    switch (SPECIAL[row].what) {
    case S_SQRT: return taut_vec_scalar(taut_root(g, x));
    case S_POW: return taut_vec_scalar(taut_power(g, x, y));
    default: return taut_vec_scalar(taut_atan2(g, x, y));
    }
}

static taut_vec unknown_name(reader *r, const char *name, long start, bool call) {
    if (call)
        return refuse(r, start, "'%s' is not a function; write * for a product: %s*(...)", name,
                      name);
    const char *near = r->scope->nearest ? r->scope->nearest(r->scope->user, name) : NULL;
    if (near) return refuse(r, start, "unknown name '%s'; did you mean '%s'?", name, near);
    return refuse(r, start, "unknown name '%s'", name);
}

static taut_vec read_name(reader *r) {
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
            arguments a;
            if (!read_arguments(r, name, start, 1, &a) || !want_scalar(r, a.value[0], start, name))
                return (taut_vec){0};
            return taut_vec_scalar(taut_apply(r->graph, (taut_op)op, a.value[0].c[0]));
        }
        for (int i = 0; i < SPECIALS; i++)
            if (strcmp(SPECIAL[i].name, name) == 0) return apply_special(r, i, start);
    }
    if (strcmp(name, "pi") == 0) return taut_vec_scalar(taut_number(r->graph, acos(-1.0)));
    if (strcmp(name, "t") == 0) return taut_vec_scalar(taut_time(r->graph));
    if (taut_infix_is_reserved(name))
        return refuse(r, start, "'%s' is a function: write %s(...)", name, name);
    taut_vec value = {0};
    if (r->scope->find(r->scope->user, name, &value, why, sizeof why)) {
        if (call) return unknown_name(r, name, start, true);
        return value;
    }
    if (why[0]) return refuse(r, start, "%s", why);
    return unknown_name(r, name, start, call);
}

static taut_vec read_vector(reader *r) {
    const long start = r->at++;
    taut_vec v = {0};
    do {
        taut_vec x = read_sum(r);
        if (!want_scalar(r, x, start, "a component of a vector")) return (taut_vec){0};
        if (v.n < 3) v.c[v.n] = x.c[0];
        v.n++;
    } while (take(r, ','));
    if (!take(r, ']')) return refuse(r, r->at, "this vector is not closed: ] is missing");
    if (v.n < 2 || v.n > 3) return refuse(r, start, "a vector has 2 or 3 components, not %d", v.n);
    return v;
}

static taut_vec read_primary(reader *r) {
    char what[64];
    const char c = peek(r);
    if (is_digit(c) || c == '.') return read_number(r);
    if (is_letter(c)) return read_name(r);
    if (c == '[') return read_vector(r);
    if (c == '(') {
        r->at++;
        taut_vec value = read_sum(r);
        if (r->status != TAUT_OK || take(r, ')')) return value;
        if (r->at >= r->length) return refuse(r, r->at, "a parenthesis is not closed %s", TORN);
        return refuse(r, r->at, "a parenthesis is not closed: ) is expected before %s",
                      found(r, what, sizeof what));
    }
    return refuse(r, r->at, "a number, a name or a parenthesis is expected, not %s",
                  found(r, what, sizeof what));
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

static taut_vec read_postfix(reader *r) {
    taut_vec value = read_primary(r);
    while (r->status == TAUT_OK) {
        const char c = peek(r);
        if (c == '\'') {
            const long start = r->at;
            const taut_node first = taut_graph_size(r->graph);
            int primes = 0;
            while (r->at < r->length && r->text[r->at] == '\'') primes++, r->at++;
            if (primes <= TAUT_PRIMES_MAX) {
                value = taut_vec_dot_time(r->graph, value, primes);
                const int highest = highest_derivative(r->graph, first);
                if (highest > primes) primes = highest;
            }
            if (primes > TAUT_PRIMES_MAX)
                return refuse(r, start, "%d primes: derivatives go up to %d", primes,
                              TAUT_PRIMES_MAX);
        } else if (c == '.' && r->at + 1 < r->length && is_letter(r->text[r->at + 1])) {
            const int i = r->text[r->at + 1] - 'x';
            const bool single = r->at + 2 >= r->length || !is_letter(r->text[r->at + 2]);
            if (value.n < 2 || i < 0 || i >= value.n || !single)
                return refuse(r, r->at, "no such component: .x, .y%s of a vector",
                              value.n == 2 ? "" : ", .z");
            value = taut_vec_scalar(value.c[i]);
            r->at += 2;
        } else {
            break;
        }
    }
    return value;
}

static taut_vec read_signed(reader *r);

static taut_vec read_power(reader *r) {
    const long start = r->at;
    taut_vec base = read_postfix(r);
    if (r->status != TAUT_OK) return base;
    const char c = peek(r);
    const bool stars = c == '*' && r->at + 1 < r->length && r->text[r->at + 1] == '*';
    if (c != '^' && !stars) return base;
    r->at += stars ? 2 : 1;
    if (++*r->depth > DEEPEST) return refuse(r, r->at, "this formula is nested too deeply");
    const long second = r->at;
    taut_vec exponent = read_signed(r);
    --*r->depth;
    if (!want_scalar(r, base, start, "the base of a power") ||
        !want_scalar(r, exponent, second, "an exponent"))
        return (taut_vec){0};
    return taut_vec_scalar(taut_power(r->graph, base.c[0], exponent.c[0]));
}

static taut_vec read_signed(reader *r) {
    bool negative = false;
    for (char c = peek(r); c == '-' || c == '+'; c = peek(r)) {
        if (c == '-') negative = !negative;
        r->at++;
    }
    taut_vec value = read_power(r);
    if (negative)
        for (int i = 0; i < value.n; i++) value.c[i] = taut_scale(r->graph, -1.0, value.c[i]);
    return value;
}

static taut_vec combine(reader *r, taut_vec a, taut_vec b, bool divide, long at) {
    if (a.n == 0 || b.n == 0) return (taut_vec){0};
    if (divide) {
        if (!want_scalar(r, b, at, "a divisor")) return (taut_vec){0};
        if (taut_node_is_number(r->graph, b.c[0], 0.0)) return refuse(r, at, "division by zero");
        for (int i = 0; i < a.n; i++) a.c[i] = taut_div(r->graph, a.c[i], b.c[0]);
        return a;
    }
    if (a.n > 1 && b.n > 1)
        return refuse(r, at, "a product of two vectors: write dot(a, b) or cross(a, b)");
    return a.n == 1 ? taut_vec_scale(r->graph, a.c[0], b) : taut_vec_scale(r->graph, b.c[0], a);
}

static taut_vec read_product(reader *r) {
    taut_vec value = read_signed(r);
    while (r->status == TAUT_OK) {
        const char c = peek(r);
        if (c != '*' && c != '/') break;
        const long at = r->at++;
        taut_vec factor = read_signed(r);
        if (r->status == TAUT_OK) value = combine(r, value, factor, c == '/', at);
    }
    return value;
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

static taut_vec read_sum(reader *r) {
    if (++*r->depth > DEEPEST) return refuse(r, r->at, "this formula is nested too deeply");
    gathered sum = {0};
    taut_vec value = read_product(r);
    char c = peek(r);
    if (r->status == TAUT_OK && (c == '+' || c == '-')) {
        bool ok = gather(r, &sum, value, 1.0);
        while (ok && (c == '+' || c == '-')) {
            const long at = r->at++;
            taut_vec term = read_product(r);
            if (r->status == TAUT_OK && term.n != value.n)
                refuse(r, at, "a sum of %s and %s", value.n == 1 ? "a number" : "a vector",
                       term.n == 1 ? "a number" : "a vector of another size");
            ok = r->status == TAUT_OK && gather(r, &sum, term, c == '-' ? -1.0 : 1.0);
            c = peek(r);
        }
        for (int i = 0; i < value.n && ok; i++)
            value.c[i] = taut_sum(r->graph, 0.0, sum.count, sum.coef, sum.node[i]);
    }
    for (int i = 0; i < 3; i++) taut_release((void **)&sum.node[i]);
    taut_release((void **)&sum.coef);
    --*r->depth;
    return value;
}

taut_status taut_infix_read(taut_graph *graph, const char *text, long length,
                            const taut_scope *scope, taut_vec *value, taut_infix_error *error) {
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
    *value = (taut_vec){0};
    if (peek(&r) == '\0' && r.at >= length) refuse(&r, 0, "an empty formula");
    taut_vec v = r.status == TAUT_OK ? read_sum(&r) : (taut_vec){0};
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
    for (int i = 0; i < v.n && r.status == TAUT_OK; i++) {
        const taut_node_data *d = taut_node_get(graph, v.c[i]);
        if (d->steady && !isfinite(d->value))
            refuse(&r, 0, "the value of this formula is not a finite number");
    }
    if (r.status == TAUT_OK) *value = v;
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
