/* Reading formulas: recursive descent over
 *
 *   sum     = product { (+|-) product }
 *   product = signed { (*|/) signed }
 *   signed  = { +|- } power
 *   power   = postfix [ (^|**) signed ]            right-associative, binds tighter than a sign
 *   postfix = primary { ' | .x }
 *   primary = number [ unit ] | name | name ( sum {, sum} ) | ( sum ) | [ sum, sum {, sum} ]
 *           | ( any ) | if ( any , sum , sum )    a condition as a number is 1 or 0
 *   any     = all { or all }
 *   all     = comparison { and comparison }
 *   comparison = not comparison | ( any ) | sum (<|<=|>|>=) sum
 *
 * Every value carries what is known of its dimension; where units contradict each other, the
 * formula is refused. */
#include "expr/infix.h"

#include <math.h>
#include <string.h>

#include "core/arena.h"
#include "core/stack.h"
#include "expr/infix_parts.h"

enum { DEEPEST = 500, MOST_TERMS = 1 << 20 };
/* A level takes up to 3 kB of stack, with a definition in it twice as much: formulas that are
 * nested deeper than this go on with a stack of their own, so that the limit holds in small
 * threads. */
enum { SHALLOW = 12 };

/* ---- going deeper ---- */

typedef struct descent {
    taut_infix *r;
    taut_measure (*read)(taut_infix *);
    taut_measure measure;
} descent;

static void read_inside(void *user) {
    descent *d = user;
    d->measure = d->read(d->r);
}

/* One level deeper, on another stack where this one may get short. */
taut_measure taut_infix_descend(taut_infix *r, taut_measure (*read)(taut_infix *)) {
    descent d = {r, read, TAUT_NO_MEASURE};
    if (++*r->depth > DEEPEST)
        return taut_infix_refuse(r, r->at, "this formula is nested too deeply");
    if (*r->depth != SHALLOW) {
        read_inside(&d);
    } else if (taut_on_deep_stack(read_inside, &d) != TAUT_OK) {
        taut_graph_fail(r->graph);
        r->status = TAUT_ERR_MEMORY;
    }
    --*r->depth;
    return d.measure;
}

/* ---- primaries ---- */

static taut_measure unknown_name(taut_infix *r, const char *name, long start, bool call) {
    if (call)
        return taut_infix_refuse(
            r, start, "'%s' is not a function; write * for a product: %s*(...)", name, name);
    const char *near = r->scope->nearest ? r->scope->nearest(r->scope->user, name) : NULL;
    if (near)
        return taut_infix_refuse(r, start, "unknown name '%s'; did you mean '%s'?", name, near);
    return taut_infix_refuse(r, start, "unknown name '%s'", name);
}

static long skip_word(const taut_infix *r, long p) {
    while (p < r->length && (taut_infix_is_letter(r->text[p]) || taut_is_digit(r->text[p]))) p++;
    return p;
}

/* The load of a joint, pin.Fx, at the reading position; the name of a joint need not be one word:
 * ground-OA.Fx. */
static bool read_load(taut_infix *r, taut_measure *load) {
    char name[2 * TAUT_NAME_MAX], why[300] = "";
    const long start = r->at;
    long p = skip_word(r, start);
    while (p + 1 < r->length && r->text[p] == '-' && taut_infix_is_letter(r->text[p + 1]))
        p = skip_word(r, p + 1);
    if (p + 1 < r->length && r->text[p] == '@') p = skip_word(r, p + 1);
    if (p + 2 >= r->length || r->text[p] != '.' || (r->text[p + 1] != 'F' && r->text[p + 1] != 'T'))
        return false;
    p = skip_word(r, p + 1);
    const size_t n = (size_t)(p - start);
    if (n >= sizeof name) return false;
    memcpy(name, r->text + start, n);
    name[n] = '\0';
    if (!r->scope->find(r->scope->user, name, load, why, sizeof why)) return false;
    r->at = p;
    return true;
}

static taut_measure read_name(taut_infix *r) {
    const long start = r->at;
    char name[TAUT_NAME_MAX], why[300] = "";
    taut_measure load = TAUT_NO_MEASURE;
    if (read_load(r, &load)) return load;
    const long p = skip_word(r, start);
    if (p - start >= TAUT_NAME_MAX) return taut_infix_refuse(r, start, "this name is too long");
    const size_t n = (size_t)(p - start);
    memcpy(name, r->text + start, n);
    name[n] = '\0';
    r->at = p;
    const bool call = taut_infix_peek(r) == '(';
    taut_measure meaning = TAUT_NO_MEASURE;
    if (call && taut_infix_call(r, name, start, &meaning)) return meaning;
    if (strcmp(name, "pi") == 0)
        return taut_infix_scalar(taut_number(r->graph, acos(-1.0)),
                                 taut_infix_plain(TAUT_DIMENSION_NUMBER));
    if (strcmp(name, "t") == 0)
        return taut_infix_scalar(taut_time(r->graph), taut_infix_plain(TAUT_DIMENSION_ANY));
    if (taut_infix_is_reserved(name))
        return taut_infix_refuse(r, start, "'%s' is a function: write %s(...)", name, name);
    if (r->scope->find(r->scope->user, name, &meaning, why, sizeof why))
        return call ? unknown_name(r, name, start, true) : meaning;
    if (why[0]) return taut_infix_refuse(r, start, "%s", why);
    return unknown_name(r, name, start, call);
}

static taut_measure read_vector(taut_infix *r) {
    const long start = r->at++;
    taut_measure v = {{0}, taut_infix_plain(TAUT_DIMENSION_ZERO)};
    do {
        const taut_measure x = taut_infix_read_sum(r);
        taut_dimension both;
        if (!taut_infix_want_scalar(r, x.value, start, "a component of a vector"))
            return TAUT_NO_MEASURE;
        if (!taut_dimension_sum(v.dimension, x.dimension, &both))
            return taut_infix_refuse_mixture(r, start, "a vector of", v.dimension, x.dimension);
        v.dimension = both;
        if (v.value.n < 3) v.value.c[v.value.n] = x.value.c[0];
        v.value.n++;
    } while (taut_infix_take(r, ','));
    if (!taut_infix_take(r, ']'))
        return taut_infix_refuse(r, r->at, "this vector is not closed: ] is missing");
    if (v.value.n < 2 || v.value.n > 3)
        return taut_infix_refuse(r, start, "a vector has 2 or 3 components, not %d", v.value.n);
    return v;
}

static taut_measure read_primary(taut_infix *r) {
    char what[64];
    const char c = taut_infix_peek(r);
    if (taut_is_digit(c) || c == '.') return taut_infix_read_number(r);
    if (taut_infix_is_letter(c)) return read_name(r);
    if (c == '[') return read_vector(r);
    if (c == '(' && taut_infix_begins_condition(r, r->at + 1))
        return taut_infix_scalar(taut_infix_read_group(r), taut_infix_plain(TAUT_DIMENSION_NUMBER));
    if (c == '(') {
        r->at++;
        const taut_measure inside = taut_infix_read_sum(r);
        if (r->status != TAUT_OK || taut_infix_take(r, ')')) return inside;
        if (r->at >= r->length)
            return taut_infix_refuse(r, r->at, "a parenthesis is not closed %s", TAUT_INFIX_TORN);
        return taut_infix_refuse(r, r->at, "a parenthesis is not closed: ) is expected before %s",
                                 taut_infix_found(r, what, sizeof what));
    }
    return taut_infix_refuse(r, r->at, "a number, a name or a parenthesis is expected, not %s",
                             taut_infix_found(r, what, sizeof what));
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
static taut_measure read_primes(taut_infix *r, taut_measure m) {
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
        return taut_infix_refuse(r, start, "%d primes: derivatives go up to %d", primes,
                                 TAUT_PRIMES_MAX);
    return m;
}

/* `(10 + 20) deg` and `x mm`: a unit belongs to a number. */
static void refuse_loose_unit(taut_infix *r) {
    taut_unit unit;
    if (r->status != TAUT_OK || !taut_infix_is_letter(taut_infix_peek(r))) return;
    const size_t n = taut_unit_read(r->text + r->at, (size_t)(r->length - r->at), &unit);
    const char after = r->at + (long)n < r->length ? r->text[r->at + (long)n] : ' ';
    if (n > 0 && !taut_infix_is_letter(after) && !taut_is_digit(after))
        taut_infix_refuse(r, r->at, "a unit needs a number right before it: write *1 %.*s", (int)n,
                          r->text + r->at);
}

static taut_measure read_postfix(taut_infix *r) {
    const bool number = taut_is_digit(taut_infix_peek(r)) || taut_infix_peek(r) == '.';
    taut_measure m = read_primary(r);
    while (r->status == TAUT_OK) {
        const char c = taut_infix_peek(r);
        if (c == '\'') {
            m = read_primes(r, m);
        } else if (c == '.' && r->at + 1 < r->length && taut_infix_is_letter(r->text[r->at + 1])) {
            const int i = r->text[r->at + 1] - 'x', n = m.value.n;
            const bool single = r->at + 2 >= r->length || !taut_infix_is_letter(r->text[r->at + 2]);
            if (n < 2 || i < 0 || i >= n || !single)
                return taut_infix_refuse(r, r->at, "no such component: .x, .y%s of a vector",
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

static taut_measure read_signed(taut_infix *r);

/* A length to the power of a number is known only if the number is. */
taut_measure taut_infix_power(taut_infix *r, taut_measure base, taut_measure exponent, long at) {
    const taut_node_data *e = taut_node_get(r->graph, exponent.value.c[0]);
    taut_dimension d = base.dimension;
    if (!taut_infix_want_pure(r, &exponent, at, "an exponent")) return TAUT_NO_MEASURE;
    if (d.knowledge == TAUT_DIMENSION_KNOWN) {
        if (!e->steady &&
            !taut_infix_want_pure(r, &base, at, "the base of a power that is no constant"))
            return TAUT_NO_MEASURE;
        d = e->steady ? taut_dimension_power(d, e->value) : taut_infix_plain(TAUT_DIMENSION_ANY);
    } else if (exponent.dimension.knowledge == TAUT_DIMENSION_ANY) {
        d = taut_infix_plain(TAUT_DIMENSION_ANY);
    }
    return taut_infix_scalar(taut_power(r->graph, base.value.c[0], exponent.value.c[0]), d);
}

static taut_measure read_power(taut_infix *r) {
    const long start = r->at;
    const taut_measure base = read_postfix(r);
    if (r->status != TAUT_OK) return base;
    const char c = taut_infix_peek(r);
    const bool stars = c == '*' && r->at + 1 < r->length && r->text[r->at + 1] == '*';
    if (c != '^' && !stars) return base;
    r->at += stars ? 2 : 1;
    const long second = r->at;
    const taut_measure exponent = taut_infix_descend(r, read_signed);
    if (!taut_infix_want_scalar(r, base.value, start, "the base of a power") ||
        !taut_infix_want_scalar(r, exponent.value, second, "an exponent"))
        return TAUT_NO_MEASURE;
    return taut_infix_power(r, base, exponent, second);
}

static taut_measure read_signed(taut_infix *r) {
    bool negative = false;
    for (char c = taut_infix_peek(r); c == '-' || c == '+'; c = taut_infix_peek(r)) {
        if (c == '-') negative = !negative;
        r->at++;
    }
    taut_measure m = read_power(r);
    for (int i = 0; i < m.value.n && negative; i++)
        m.value.c[i] = taut_scale(r->graph, -1.0, m.value.c[i]);
    return m;
}

static taut_vec combine(taut_infix *r, taut_vec a, taut_vec b, bool divide, long at) {
    if (a.n == 0 || b.n == 0) return TAUT_NO_MEASURE.value;
    if (divide) {
        if (!taut_infix_want_scalar(r, b, at, "a divisor")) return TAUT_NO_MEASURE.value;
        if (taut_node_is_number(r->graph, b.c[0], 0.0))
            return taut_infix_refuse(r, at, "division by zero").value;
        for (int i = 0; i < a.n; i++) a.c[i] = taut_div(r->graph, a.c[i], b.c[0]);
        return a;
    }
    if (a.n > 1 && b.n > 1)
        return taut_infix_refuse(r, at, "a product of two vectors: write dot(a, b) or cross(a, b)")
            .value;
    return a.n == 1 ? taut_vec_scale(r->graph, a.c[0], b) : taut_vec_scale(r->graph, b.c[0], a);
}

static taut_measure read_product(taut_infix *r) {
    taut_measure m = read_signed(r);
    while (r->status == TAUT_OK) {
        const char c = taut_infix_peek(r);
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

static bool gather(taut_infix *r, gathered *sum, taut_vec term, double sign) {
    if (sum->count >= MOST_TERMS) {
        taut_infix_refuse(r, r->at, "a sum of more than %d terms", MOST_TERMS);
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
static bool read_term(taut_infix *r, gathered *sum, taut_measure *m, char sign) {
    const long at = r->at++;
    const taut_measure term = read_product(r);
    taut_dimension both;
    if (r->status == TAUT_OK && term.value.n != m->value.n)
        taut_infix_refuse(r, at, "a sum of %s and %s", m->value.n == 1 ? "a number" : "a vector",
                          term.value.n == 1 ? "a number" : "a vector of another size");
    if (r->status == TAUT_OK && !taut_dimension_sum(m->dimension, term.dimension, &both))
        taut_infix_refuse_mixture(r, at, "a sum of", m->dimension, term.dimension);
    if (r->status != TAUT_OK) return false;
    m->dimension = both;
    return gather(r, sum, term.value, sign == '-' ? -1.0 : 1.0);
}

static taut_measure read_terms(taut_infix *r) {
    gathered sum = {0};
    taut_measure m = read_product(r);
    char c = taut_infix_peek(r);
    if (r->status == TAUT_OK && (c == '+' || c == '-')) {
        bool ok = gather(r, &sum, m.value, 1.0);
        while (ok && (c == '+' || c == '-')) {
            ok = read_term(r, &sum, &m, c);
            c = taut_infix_peek(r);
        }
        for (int i = 0; i < m.value.n && ok; i++)
            m.value.c[i] = taut_sum(r->graph, 0.0, sum.count, sum.coef, sum.node[i]);
    }
    for (int i = 0; i < 3; i++) taut_release((void **)&sum.node[i]);
    taut_release((void **)&sum.coef);
    return m;
}

taut_measure taut_infix_read_sum(taut_infix *r) { return taut_infix_descend(r, read_terms); }

taut_status taut_infix_read(taut_graph *graph, const char *text, long length,
                            const taut_scope *scope, taut_measure *measure,
                            taut_infix_error *error) {
    int own = 0;
    int *depth = scope->depth ? scope->depth : &own;
    const int outer = *depth;
    taut_infix r = {.graph = graph,
                    .text = text,
                    .length = length,
                    .scope = scope,
                    .error = error,
                    .compares = taut_infix_has_comparison(text, length),
                    .depth = depth};
    *error = (taut_infix_error){0};
    *measure = TAUT_NO_MEASURE;
    if (taut_infix_peek(&r) == '\0' && r.at >= length) taut_infix_refuse(&r, 0, "an empty formula");
    const bool condition = taut_infix_begins_condition(&r, 0);
    taut_measure m = TAUT_NO_MEASURE;
    if (r.status == TAUT_OK && condition)
        m = taut_infix_scalar(taut_infix_read_condition(&r),
                              taut_infix_plain(TAUT_DIMENSION_NUMBER));
    else if (r.status == TAUT_OK)
        m = taut_infix_read_sum(&r);
    *depth = outer; /* a fault leaves it anywhere */
    if (r.status == TAUT_OK && taut_infix_peek(&r) != '\0') {
        char what[64];
        const char c = taut_infix_peek(&r);
        const char *hint = c == ')'   ? "a parenthesis was never opened"
                           : c == '=' ? "write equations as one side that equals zero"
                                      : "an operator is missing";
        taut_infix_refuse(&r, r.at, "unexpected %s: %s", taut_infix_found(&r, what, sizeof what),
                          hint);
    } else if (r.status == TAUT_OK && r.at < length) {
        taut_infix_refuse(&r, r.at, "a NUL character in a formula");
    }
    if (taut_graph_failed(graph)) r.status = TAUT_ERR_MEMORY; /* whatever followed from that */
    for (int i = 0; i < m.value.n && r.status == TAUT_OK; i++) {
        const taut_node_data *d = taut_node_get(graph, m.value.c[i]);
        if (d->steady && !isfinite(d->value))
            taut_infix_refuse(&r, 0, "the value of this formula is not a finite number");
    }
    if (r.status == TAUT_OK) *measure = m;
    return r.status;
}

bool taut_infix_is_reserved(const char *name) {
    return strcmp(name, "t") == 0 || strcmp(name, "pi") == 0 || taut_infix_is_function(name);
}
