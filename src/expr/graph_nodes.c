/* Canonical constructors: leaves, sums, products and quotients, and the hash table that finds equal
 * nodes. Operators with one rule (functions, roots, powers) are in ops.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "expr/graph_parts.h"
#include "expr/ops.h"

/* Sums of at most this many terms are merged into a sum that contains them; longer ones stay nodes,
 * because they may be common subexpressions. */
enum { MERGE_TERMS = 8, COMMON_TERMS = 8 };
enum { NEAR = 4 }; /* a power of two */
enum { FEW = 32 }; /* terms that need no memory of their own */

/* ---- the hash table ---- */

static uint64_t bits(double x) {
    uint64_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}

static uint64_t hash(const taut_node_data *d, const taut_node *arg, const double *coef) {
    uint64_t h = taut_hash_mix(taut_hash_mix(d->op, (uint32_t)d->index), bits(d->constant));
    if (d->op == TAUT_OP_CONST) h = taut_hash_mix(h, bits(d->value));
    for (uint32_t i = 0; i < d->count; i++) {
        h = taut_hash_mix(h, arg[i]);
        if (coef) h = taut_hash_mix(h, bits(coef[i]));
    }
    return h;
}

static bool same(const taut_graph *g, taut_node n, const taut_node_data *d, const taut_node *arg,
                 const double *coef) {
    const taut_node_data *e = &g->node[n];
    if (e->op != d->op || e->index != d->index || e->count != d->count ||
        bits(e->constant) != bits(d->constant))
        return false;
    if (d->op == TAUT_OP_CONST && bits(e->value) != bits(d->value)) return false;
    for (uint32_t i = 0; i < d->count; i++) {
        if (g->arg[e->first + i] != arg[i]) return false;
        if (coef && bits(g->coef[e->first + i]) != bits(coef[i])) return false;
    }
    return true;
}

/* The places where a node may be, one after the other: first NEAR of them by its youngest argument,
 * so that nodes made about the same time, which are looked for together, are together in the
 * memory; then by its hash alone, however many have the same argument. */
typedef struct search {
    size_t at, room, far;
    int near; /* how many more are near */
} search;

static search begin_search(const taut_node *arg, uint32_t count, uint32_t hashed, size_t room) {
    const size_t far = taut_hash_place((uint64_t)hashed << 32, room);
    taut_node youngest = 0;
    for (uint32_t i = 0; i < count; i++) youngest = arg[i] > youngest ? arg[i] : youngest;
    if (youngest == 0) return (search){.at = far, .room = room};
    /* half of the places are taken, so those of the youngest node are among the last of them */
    const size_t at = 2 * (size_t)youngest + hashed % NEAR;
    return (search){.at = at < room ? at : 0, .room = room, .far = far, .near = NEAR};
}

static void search_on(search *s) {
    if (s->near > 0 && --s->near == 0)
        s->at = s->far;
    else if (++s->at == s->room)
        s->at = 0;
}

/* No more places than asked for: a table is the largest list of a graph but one, and is cleared. */
static bool table_grow(taut_graph *g, size_t size) {
    taut_node_entry *table = NULL;
    size_t room = 0;
    if (taut_reserve((void **)&table, &room, size, sizeof *table)) return false;
    memset(table, 0, room * sizeof *table);
    for (size_t k = 0; k < g->table_size; k++) {
        const taut_node_entry e = g->table[k];
        if (!e.node) continue;
        const taut_node_data *d = &g->node[e.node];
        search s = begin_search(g->arg + d->first, d->count, e.hashed, room);
        while (table[s.at].node) search_on(&s);
        table[s.at] = e;
    }
    taut_release((void **)&g->table);
    g->table = table;
    g->table_size = room;
    return true;
}

/* Room for more of a list that there is one of, and that may be the largest of all: half as much
 * again is enough. */
static int extend(void **list, size_t *room, size_t need, size_t size) {
    return need <= *room ? 0 : taut_reserve(list, room, need + need / 2, size);
}

/* A new node, entered where it was looked for. */
static taut_node add(taut_graph *g, const taut_node_data *d, const taut_node *arg,
                     const double *coef, size_t at, uint32_t hashed) {
    const uint32_t count = d->count;
    if (g->size >= UINT32_MAX / 4 ||
        extend((void **)&g->node, &g->node_room, g->size + 1, sizeof *g->node) ||
        extend((void **)&g->arg, &g->arg_room, g->used + count, sizeof *g->arg) ||
        extend((void **)&g->coef, &g->coef_room, g->used + count, sizeof *g->coef))
        return taut_graph_lost(g);
    const taut_node n = (taut_node)g->size++;
    g->node[n] = *d;
    g->node[n].first = (uint32_t)g->used;
    taut_node *to = g->arg + g->used;
    double *to_coef = g->coef + g->used;
    for (uint32_t k = 0; k < count; k++) to[k] = arg[k];
    for (uint32_t k = 0; k < count; k++) to_coef[k] = coef ? coef[k] : 1.0;
    g->used += count;
    g->table[at] = (taut_node_entry){n, hashed};
    if (2 * g->size > g->table_size && !table_grow(g, 2 * g->table_size)) return taut_graph_lost(g);
    return n;
}

/* The node with this content: an old one or a new one. steady and value are set here. */
static inline taut_node intern(taut_graph *g, const taut_node_data *d, const taut_node *arg,
                               const double *coef) {
    const uint32_t hashed = (uint32_t)(hash(d, arg, coef) >> 32);
    search s = begin_search(arg, d->count, hashed, g->table_size);
    for (; g->table[s.at].node; search_on(&s))
        if (g->table[s.at].hashed == hashed && same(g, g->table[s.at].node, d, arg, coef))
            return g->table[s.at].node;
    return add(g, d, arg, coef, s.at, hashed);
}

void taut_graph_reserve(taut_graph *g, size_t nodes) {
    /* seven arguments for four nodes: the mean of mechanisms, in the plane and in space */
    const size_t size = g->size + nodes, used = g->used + nodes + 3 * (nodes / 4);
    if (taut_reserve((void **)&g->node, &g->node_room, size, sizeof *g->node) ||
        taut_reserve((void **)&g->arg, &g->arg_room, used, sizeof *g->arg) ||
        taut_reserve((void **)&g->coef, &g->coef_room, used, sizeof *g->coef) ||
        (2 * size > g->table_size && !table_grow(g, 5 * size / 2)))
        taut_graph_lost(g);
}

/* ---- nodes ---- */

/* A steady node of value 0 is folded to the number 0; the node stays, so that the assumption can be
 * checked for other parameters. */
static taut_node vanish(taut_graph *g, taut_node v) {
    taut_graph_assume(g, v, TAUT_ASSUME_ZERO);
    return v == TAUT_NO_NODE ? taut_graph_lost(g) : taut_number(g, 0.0);
}

taut_node taut_graph_make(taut_graph *g, taut_op op, int index, double constant, uint32_t count,
                          const taut_node *arg, const double *coef) {
    taut_node_data d = {.op = (uint8_t)op, .index = index, .count = count, .constant = constant};
    d.steady = true;
    for (uint32_t i = 0; i < count; i++) {
        if (arg[i] == TAUT_NO_NODE) return taut_graph_lost(g);
        if (!g->node[arg[i]].steady) d.steady = false;
        if (g->node[arg[i]].held) d.held = true;
    }
    if (d.steady) {
        double value[2] = {0, 0};
        if (op == TAUT_OP_SUM) {
            d.value = constant;
            for (uint32_t i = 0; i < count; i++) d.value += coef[i] * g->node[arg[i]].value;
        } else {
            for (uint32_t i = 0; i < count && i < 2; i++) value[i] = g->node[arg[i]].value;
            d.value = taut_op_value(op, value[0], value[1]);
        }
    }
    const taut_node v = intern(g, &d, arg, coef);
    return d.steady && d.value == 0.0 && !d.held ? vanish(g, v) : v;
}

taut_node taut_node_make(taut_graph *g, taut_op op, int index, uint32_t count,
                         const taut_node *arg) {
    for (uint32_t i = 0; i < count; i++)
        if (arg[i] == TAUT_NO_NODE) return taut_graph_lost(g);
    return taut_graph_make(g, op, index, 0.0, count, arg, NULL);
}

/* ---- leaves ---- */

taut_node taut_number(taut_graph *g, double value) {
    if (value == 0.0) value = 0.0; /* no negative zero */
    taut_node_data d = {.op = TAUT_OP_CONST, .steady = true, .value = value};
    return intern(g, &d, NULL, NULL);
}

taut_node taut_parameter(taut_graph *g, int index, double value) {
    taut_node_data d = {.op = TAUT_OP_PARAM, .steady = true, .index = index, .value = value};
    if (value == 0.0) d.value = 0.0; /* no negative zero */
    if (g->keeps) d.held = taut_graph_is_kept(g, index);
    if (index >= g->parameters) g->parameters = index + 1;
    const taut_node v = intern(g, &d, NULL, NULL);
    return value == 0.0 && !d.held ? vanish(g, v) : v;
}

taut_node taut_time(taut_graph *g) {
    return intern(g, &(taut_node_data){.op = TAUT_OP_TIME}, NULL, NULL);
}

taut_node taut_variable(taut_graph *g, int index) {
    return intern(g, &(taut_node_data){.op = TAUT_OP_VAR, .index = index}, NULL, NULL);
}

taut_node taut_leaf(taut_graph *g, int index) {
    return intern(g, &(taut_node_data){.op = TAUT_OP_LEAF, .index = index}, NULL, NULL);
}

/* ---- sums ---- */

typedef struct sum_term {
    taut_node node;
    double coef;
} sum_term;

static int by_node(const void *a, const void *b) {
    taut_node x = ((const sum_term *)a)->node, y = ((const sum_term *)b)->node;
    return (x > y) - (x < y);
}

/* Equal nodes stay in their order. Most sums are short, or nearly sorted. */
static void sort(sum_term *term, size_t count) {
    if (count > FEW) {
        qsort(term, count, sizeof *term, by_node);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        const sum_term t = term[i];
        size_t at = i;
        for (; at > 0 && term[at - 1].node > t.node; at--) term[at] = term[at - 1];
        term[at] = t;
    }
}

/* How many terms `node` brings into a sum. */
static size_t terms_of(const taut_graph *g, taut_node node) {
    const taut_node_data *d = &g->node[node];
    return d->op == TAUT_OP_SUM && d->count <= MERGE_TERMS ? d->count : 1;
}

/* Sorts the terms and adds up equal ones; returns how many are left. */
static size_t collect(sum_term *term, size_t count) {
    sort(term, count);
    size_t kept = 0;
    for (size_t i = 0; i < count;) {
        sum_term t = term[i++];
        while (i < count && term[i].node == t.node) t.coef += term[i++].coef;
        if (t.coef != 0.0) term[kept++] = t;
    }
    return kept;
}

/* All terms of a sum, with those of short sums inside; returns how many. */
static size_t list_terms(const taut_graph *g, size_t count, const double *coef,
                         const taut_node *node, double *constant, sum_term *term) {
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        const taut_node_data *d = &g->node[node[i]];
        if (d->op == TAUT_OP_CONST) {
            *constant += coef[i] * d->value;
        } else if (d->op == TAUT_OP_SUM && d->count <= MERGE_TERMS) {
            *constant += coef[i] * d->constant;
            for (uint32_t k = 0; k < d->count; k++)
                term[n++] = (sum_term){g->arg[d->first + k], coef[i] * g->coef[d->first + k]};
        } else {
            term[n++] = (sum_term){node[i], coef[i]};
        }
    }
    return n;
}

/* The node of collected terms; arg and coef have room for them. */
static taut_node make_sum(taut_graph *g, double constant, size_t n, const sum_term *term,
                          taut_node *arg, double *coef) {
    if (constant == 0.0) constant = 0.0;
    if (n == 0) return taut_number(g, constant);
    if (n == 1 && constant == 0.0 && term[0].coef == 1.0) return term[0].node;
    for (size_t i = 0; i < n; i++) {
        arg[i] = term[i].node;
        coef[i] = term[i].coef;
    }
    return taut_graph_make(g, TAUT_OP_SUM, 0, constant, (uint32_t)n, arg, coef);
}

static taut_node sum_of_few(taut_graph *g, double constant, size_t count, const double *coef,
                            const taut_node *node) {
    sum_term term[FEW];
    taut_node arg[FEW];
    double factor[FEW];
    const size_t n = collect(term, list_terms(g, count, coef, node, &constant, term));
    return make_sum(g, constant, n, term, arg, factor);
}

static taut_node sum_of_many(taut_graph *g, double constant, size_t count, const double *coef,
                             const taut_node *node, size_t total) {
    sum_term *term = NULL;
    taut_node *arg = NULL, result = TAUT_NO_NODE;
    double *factor = NULL;
    size_t term_room = 0, arg_room = 0, factor_room = 0;
    if (taut_grow((void **)&term, &term_room, total, sizeof *term) ||
        taut_grow((void **)&arg, &arg_room, total, sizeof *arg) ||
        taut_grow((void **)&factor, &factor_room, total, sizeof *factor)) {
        taut_graph_lost(g);
    } else {
        const size_t n = collect(term, list_terms(g, count, coef, node, &constant, term));
        result = make_sum(g, constant, n, term, arg, factor);
    }
    taut_release((void **)&term);
    taut_release((void **)&arg);
    taut_release((void **)&factor);
    return result;
}

static taut_node sum(taut_graph *g, double constant, size_t count, const double *coef,
                     const taut_node *node) {
    size_t total = 0;
    for (size_t i = 0; i < count; i++) {
        if (node[i] == TAUT_NO_NODE) return taut_graph_lost(g);
        total += terms_of(g, node[i]);
    }
    return total <= FEW ? sum_of_few(g, constant, count, coef, node)
                        : sum_of_many(g, constant, count, coef, node, total);
}

taut_node taut_scale(taut_graph *g, double factor, taut_node a) {
    const uint8_t op = g->node[a].op;
    if (factor == 1.0) return a == TAUT_NO_NODE ? taut_graph_lost(g) : a;
    if (a == TAUT_NO_NODE || op == TAUT_OP_SUM || op == TAUT_OP_CONST || factor == 0.0)
        return sum(g, 0.0, 1, &factor, &a);
    return taut_graph_make(g, TAUT_OP_SUM, 0, 0.0, 1, &a, &factor);
}

taut_node taut_sum(taut_graph *g, double constant, size_t count, const double *coef,
                   const taut_node *node) {
    return count == 1 && constant == 0.0 ? taut_scale(g, coef[0], node[0])
                                         : sum(g, constant, count, coef, node);
}

taut_node taut_add(taut_graph *g, taut_node a, taut_node b) {
    return taut_sum(g, 0.0, 2, (double[]){1.0, 1.0}, (taut_node[]){a, b});
}

taut_node taut_sub(taut_graph *g, taut_node a, taut_node b) {
    return taut_sum(g, 0.0, 2, (double[]){1.0, -1.0}, (taut_node[]){a, b});
}

/* ---- products ---- */

/* a = number * steady * varying; TAUT_NO_NODE for a factor that is not there. */
typedef struct factors {
    double number;
    taut_node steady, varying;
} factors;

/* The number that can be taken out of a sum without rounding: c of c (+-a +-b ...), which then
 * begins with a; 1 if there is none. */
static double common_factor(const taut_graph *g, const taut_node_data *d) {
    if (d->op != TAUT_OP_SUM || d->steady || d->count > COMMON_TERMS) return 1.0;
    const double c = g->coef[d->first];
    int exponent;
    for (uint32_t i = 1; i < d->count; i++)
        if (fabs(g->coef[d->first + i]) != fabs(c)) return 1.0;
    return d->constant == 0.0 || fabs(frexp(c, &exponent)) == 0.5 ? c : 1.0;
}

/* Differences and their multiples are one series: 2 b - 2 a is -2 (a - b). */
static taut_node without_factor(taut_graph *g, taut_node a, double c) {
    const taut_node_data d = g->node[a];
    double coef[COMMON_TERMS];
    taut_node term[COMMON_TERMS];
    const size_t count = d.count;
    for (size_t i = 0; i < count; i++) {
        coef[i] = g->coef[d.first + i] / c;
        term[i] = g->arg[d.first + i];
    }
    return taut_sum(g, d.constant / c, count, coef, term);
}

static factors split(taut_graph *g, taut_node a) {
    factors f = {1.0, TAUT_NO_NODE, TAUT_NO_NODE};
    const double c = common_factor(g, &g->node[a]);
    if (c != 1.0) {
        f.number = c;
        a = without_factor(g, a, c);
        if (a == TAUT_NO_NODE) return f;
    }
    const taut_node_data *d = &g->node[a];
    if (d->op == TAUT_OP_SUM && d->count == 1 && d->constant == 0.0) {
        f.number *= g->coef[d->first];
        a = g->arg[d->first];
        d = &g->node[a];
    }
    if (d->op == TAUT_OP_CONST) {
        f.number *= d->value;
    } else if (d->steady) {
        f.steady = a;
    } else if (d->op == TAUT_OP_MUL && g->node[g->arg[d->first]].steady) {
        f.steady = g->arg[d->first];
        f.varying = g->arg[d->first + 1];
    } else {
        f.varying = a;
    }
    return f;
}

/* The product of two factors of which either may be missing; the pieces are canonical already. */
static taut_node product(taut_graph *g, taut_node a, taut_node b) {
    if (a == TAUT_NO_NODE) return b;
    if (b == TAUT_NO_NODE) return a;
    if (a == b) return taut_square(g, a);
    /* the steady factor comes first, otherwise the older node */
    bool swap = g->node[b].steady != g->node[a].steady ? g->node[b].steady : b < a;
    taut_node arg[2] = {swap ? b : a, swap ? a : b};
    return taut_graph_make(g, TAUT_OP_MUL, 0, 0.0, 2, arg, NULL);
}

/* number * steady * varying. The square of a root may have brought new factors into varying, which
 * a `bare` one has not, and a steady product that is now a number (it underflowed, or was a root)
 * belongs to the numbers. */
static taut_node join(taut_graph *g, double number, taut_node steady, taut_node varying,
                      bool bare) {
    if (varying != TAUT_NO_NODE && !bare) {
        const factors f = split(g, varying);
        number *= f.number;
        steady = product(g, steady, f.steady);
        varying = f.varying;
    }
    if (steady != TAUT_NO_NODE) {
        const factors f = split(g, steady);
        number *= f.number;
        steady = f.steady;
    }
    taut_node p = product(g, steady, varying);
    if (g->failed) return TAUT_NO_NODE; /* a factor is missing because there was no memory for it */
    if (p == TAUT_NO_NODE) return taut_number(g, number);
    return number == 1.0 ? p : taut_scale(g, number, p);
}

taut_node taut_mul(taut_graph *g, taut_node a, taut_node b) {
    if (a == TAUT_NO_NODE || b == TAUT_NO_NODE) return taut_graph_lost(g);
    if (g->node[a].op == TAUT_OP_CONST) return taut_scale(g, g->node[a].value, b);
    if (g->node[b].op == TAUT_OP_CONST) return taut_scale(g, g->node[b].value, a);
    factors x = split(g, a), y = split(g, b);
    taut_node steady = product(g, x.steady, y.steady);
    const bool bare = x.varying != TAUT_NO_NODE && y.varying != TAUT_NO_NODE &&
                      x.varying != y.varying; /* no square */
    return join(g, x.number * y.number, steady, product(g, x.varying, y.varying), bare);
}

taut_node taut_square(taut_graph *g, taut_node a) {
    if (a == TAUT_NO_NODE) return taut_graph_lost(g);
    const taut_node_data *d = &g->node[a];
    if (d->op == TAUT_OP_CONST) return taut_number(g, d->value * d->value);
    if (d->op == TAUT_OP_SQRT) return g->arg[d->first];
    factors f = split(g, a);
    if (f.number == 1.0 && (f.steady == TAUT_NO_NODE || f.varying == TAUT_NO_NODE))
        return taut_graph_make(g, TAUT_OP_SQR, 0, 0.0, 1, &a, NULL);
    taut_node steady = f.steady ? taut_square(g, f.steady) : TAUT_NO_NODE;
    taut_node varying = f.varying ? taut_square(g, f.varying) : TAUT_NO_NODE;
    return join(g, f.number * f.number, steady, varying, false);
}

taut_node taut_div(taut_graph *g, taut_node a, taut_node b) {
    if (a == TAUT_NO_NODE || b == TAUT_NO_NODE) return taut_graph_lost(g);
    const taut_node_data *x = &g->node[a], *y = &g->node[b];
    if (y->op == TAUT_OP_CONST) {
        if (x->op == TAUT_OP_CONST) return taut_number(g, x->value / y->value);
        return taut_scale(g, 1.0 / y->value, a);
    }
    if (taut_node_is_number(g, a, 0.0)) return a;
    if (a == b) return taut_number(g, 1.0);
    factors u = split(g, a), v = split(g, b);
    taut_node one = taut_number(g, 1.0);
    taut_node steady = u.steady;
    if (v.steady != TAUT_NO_NODE) {
        taut_node inverse =
            taut_graph_make(g, TAUT_OP_DIV, 0, 0.0, 2, (taut_node[]){one, v.steady}, NULL);
        if (steady == v.steady)
            steady = TAUT_NO_NODE;
        else
            steady = product(g, steady, inverse);
    }
    taut_node varying = u.varying;
    if (v.varying != TAUT_NO_NODE && v.varying == u.varying) {
        varying = TAUT_NO_NODE;
    } else if (v.varying != TAUT_NO_NODE) {
        taut_node top = u.varying != TAUT_NO_NODE ? u.varying : one;
        varying = taut_graph_make(g, TAUT_OP_DIV, 0, 0.0, 2, (taut_node[]){top, v.varying}, NULL);
    }
    return join(g, u.number / v.number, steady, varying, false);
}
