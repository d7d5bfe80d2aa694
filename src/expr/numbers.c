/* The recorder of numbers: steps are appended as they are needed, equal ones are mostly found
 * again. */
#include "expr/numbers.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "expr/ops.h"

/* What is left of terms that cancel, relative to them. */
static const double ROUNDING = 8 * DBL_EPSILON;
enum { REMEMBERED = 256 }; /* steps that are looked for before a new one is made; a power of 2 */

/* Kinds of steps beside those of taut_number_step. */
enum {
    STEP_PARAMETER = TAUT_NUMBER_SUM_OR_ZERO + 1, /* a is its index */
    STEP_OPERATION,                               /* an operator of the graph, other than those */
    STEP_FIXED                                    /* a number; never run */
};

typedef struct number_step {
    uint8_t kind, op;
    bool held;
    int a, b; /* origins */
} number_step;

typedef enum check_kind { CHECK_ZERO, CHECK_NONZERO, CHECK_RATIO, CHECK_ASSUMPTION } check_kind;

typedef struct number_check {
    check_kind kind;
    int origin[4]; /* ASSUMPTION: the second is its number in the graph's list */
} number_check;

/* A node that has been asked for. */
typedef struct known_node {
    taut_node node; /* 0: empty */
    int origin;
} known_node;

/* What is needed while numbers are recorded; on the heap. */
typedef struct recorder {
    size_t step_room, value_room, check_room;
    known_node *node; /* [node_size] open addressing, by node; a power of 2 */
    size_t nodes, node_size;
    taut_node *stack; /* work of taut_numbers_find */
    size_t stack_room;
    int remembered[REMEMBERED]; /* steps by what they compute */
    bool failed;
} recorder;

struct taut_numbers {
    const taut_graph *graph;
    taut_arena *arena;
    number_step *step; /* [count] on the heap as long as there is a recorder */
    double *value;     /* [count] likewise */
    number_check *check;
    int count, checks;
    recorder *recorder; /* NULL: finished */
};

/* ---- memory ---- */

taut_status taut_numbers_create(const taut_graph *graph, taut_arena *arena,
                                taut_numbers **numbers) {
    *numbers = NULL;
    if (!taut_graph_follows(graph)) return TAUT_OK;
    taut_numbers *n = TAUT_NEW(arena, taut_numbers);
    size_t room = 0;
    recorder *r = NULL;
    if (!n || taut_grow((void **)&r, &room, 1, sizeof *r)) return TAUT_ERR_MEMORY;
    memset(r, 0, sizeof *r);
    *n = (taut_numbers){.graph = graph, .arena = arena, .recorder = r};
    n->count = 1; /* origin 0 is none */
    *numbers = n;
    return TAUT_OK;
}

void taut_numbers_abandon(taut_numbers *n) {
    if (!n || !n->recorder) return;
    taut_release((void **)&n->step);
    taut_release((void **)&n->value);
    taut_release((void **)&n->check);
    taut_release((void **)&n->recorder->node);
    taut_release((void **)&n->recorder->stack);
    taut_release((void **)&n->recorder);
}

static void *kept(taut_numbers *n, const void *array, int count, size_t size) {
    void *copy = taut_arena_array(n->arena, (size_t)count, size);
    if (copy && array) memcpy(copy, array, (size_t)count * size);
    return copy;
}

/* From the heap to the arena, no longer than necessary. */
static taut_status settle(taut_numbers *n) {
    number_step *step = kept(n, n->step, n->count, sizeof *step);
    double *value = kept(n, n->value, n->count, sizeof *value);
    number_check *check = kept(n, n->check, n->checks, sizeof *check);
    taut_numbers_abandon(n);
    n->step = step;
    n->value = value;
    n->check = check;
    return step && value && check ? TAUT_OK : TAUT_ERR_MEMORY;
}

static int append(taut_numbers *n, number_step s, double value) {
    recorder *r = n->recorder;
    const size_t need = (size_t)n->count + 1;
    if (need > r->step_room || need > r->value_room)
        r->failed = r->failed ||
                    taut_grow((void **)&n->step, &r->step_room, need, sizeof *n->step) ||
                    taut_grow((void **)&n->value, &r->value_room, need, sizeof *n->value);
    if (r->failed) return 0;
    n->step[n->count] = s;
    n->value[n->count] = value;
    return n->count++;
}

/* ---- steps ---- */

static size_t place(const number_step *s, double value) {
    uint64_t u = 0;
    if (s->kind == STEP_FIXED) memcpy(&u, &value, sizeof u);
    u ^= ((uint64_t)(uint32_t)s->a << 24) ^ ((uint64_t)(uint32_t)s->b << 4) ^ s->kind ^
         ((uint64_t)s->op << 56);
    return (size_t)((u * 0x9E3779B97F4A7C15u) >> 32) & (REMEMBERED - 1);
}

static bool is_same(const taut_numbers *n, int origin, const number_step *s, double value) {
    const number_step *x = &n->step[origin];
    if (x->kind != s->kind || x->op != s->op || x->a != s->a || x->b != s->b) return false;
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): 0 and -0 are two numbers */
    return s->kind != STEP_FIXED || memcmp(&n->value[origin], &value, sizeof value) == 0;
}

/* The step that computes this: an old one or a new one. */
static int find(taut_numbers *n, number_step s, double value) {
    int *known = &n->recorder->remembered[place(&s, value)];
    if (*known && is_same(n, *known, &s, value)) return *known;
    return *known = append(n, s, value);
}

static int fixed(taut_numbers *n, double value) {
    return find(n, (number_step){.kind = STEP_FIXED}, value);
}

double taut_sum_or_zero(double x, double y) {
    const double sum = x + y;
    return fabs(sum) > ROUNDING * fabs(x) ? sum : 0.0;
}

static inline double combined(int kind, double x, double y) {
    switch (kind) {
    case TAUT_NUMBER_PRODUCT: return x * y;
    case TAUT_NUMBER_QUOTIENT: return x / y;
    case TAUT_NUMBER_SUM: return x + y;
    default: return taut_sum_or_zero(x, y);
    }
}

int taut_numbers_combine(taut_numbers *n, taut_number_step kind, double x, int from_x, double y,
                         int from_y) {
    if (kind == TAUT_NUMBER_PRODUCT && !from_x && x == 1.0) return from_y;
    if (kind == TAUT_NUMBER_PRODUCT && !from_y && y == 1.0) return from_x;
    if (!from_x) from_x = fixed(n, x);
    if (!from_y) from_y = fixed(n, y);
    if (n->recorder->failed) return 0;
    number_step s = {.kind = (uint8_t)kind, .a = from_x, .b = from_y};
    s.held = n->step[from_x].held || n->step[from_y].held;
    return find(n, s, combined((int)kind, x, y));
}

bool taut_origin_is_held(const taut_numbers *n, int origin) { return n->step[origin].held; }

/* ---- nodes ---- */

static known_node *place_of(known_node *table, size_t size, taut_node v) {
    size_t i = (v * 0x9E3779B9u) & (size - 1);
    while (table[i].node && table[i].node != v) i = (i + 1) & (size - 1);
    return &table[i];
}

static int origin_of(const taut_numbers *n, taut_node v) {
    const recorder *r = n->recorder;
    return r->nodes ? place_of(r->node, r->node_size, v)->origin : 0;
}

static void remember(taut_numbers *n, taut_node v, int origin) {
    recorder *r = n->recorder;
    if (2 * (r->nodes + 1) > r->node_size) {
        known_node *larger = NULL;
        size_t size = 0;
        if (taut_grow((void **)&larger, &size, r->node_size ? 2 * r->node_size : 32,
                      sizeof *larger)) {
            r->failed = true;
            return;
        }
        memset(larger, 0, size * sizeof *larger);
        for (size_t i = 0; i < r->node_size; i++)
            if (r->node[i].node) *place_of(larger, size, r->node[i].node) = r->node[i];
        taut_release((void **)&r->node);
        r->node = larger;
        r->node_size = size;
    }
    *place_of(r->node, r->node_size, v) = (known_node){v, origin};
    r->nodes++;
}

/* A sum, as the graph adds it up. */
static int record_sum(taut_numbers *n, taut_node v) {
    const taut_node_data *d = taut_node_get(n->graph, v);
    const taut_node *arg = taut_node_args(n->graph, v);
    const double *coef = taut_node_coefs(n->graph, v);
    double sum = d->constant;
    int origin = 0;
    for (uint32_t i = 0; i < d->count; i++) {
        const double x = taut_node_get(n->graph, arg[i])->value;
        const int term = taut_numbers_product(n, coef[i], 0, x, origin_of(n, arg[i]));
        /* 0 + x is x */
        origin = i == 0 && sum == 0.0 ? term : taut_numbers_sum(n, sum, origin, coef[i] * x, term);
        sum += coef[i] * x;
    }
    return origin;
}

static int record(taut_numbers *n, taut_node v) {
    const taut_node_data *d = taut_node_get(n->graph, v);
    const taut_node *arg = taut_node_args(n->graph, v);
    if (d->op == TAUT_OP_SUM) return record_sum(n, v);
    number_step s = {.kind = STEP_OPERATION, .op = d->op, .held = d->held};
    if (d->op == TAUT_OP_PARAM) {
        s.kind = STEP_PARAMETER;
        s.a = d->index;
        return append(n, s, d->value);
    }
    int origin[2] = {0, 0};
    for (uint32_t i = 0; i < d->count && i < 2; i++) {
        origin[i] = origin_of(n, arg[i]);
        if (!origin[i]) origin[i] = fixed(n, taut_node_get(n->graph, arg[i])->value);
    }
    s.a = origin[0];
    s.b = origin[d->count > 1 ? 1 : 0];
    if (d->op == TAUT_OP_MUL) s.kind = TAUT_NUMBER_PRODUCT;
    if (d->op == TAUT_OP_DIV) s.kind = TAUT_NUMBER_QUOTIENT;
    if (s.kind != STEP_OPERATION) s.op = 0;
    return append(n, s, d->value);
}

/* ---- checks ---- */

static void expect(taut_numbers *n, number_check c) {
    recorder *r = n->recorder;
    if (taut_grow((void **)&n->check, &r->check_room, (size_t)n->checks + 1, sizeof *n->check))
        r->failed = true;
    else
        n->check[n->checks++] = c;
}

/* What was not 0 is part of the structure. */
static void record_node(taut_numbers *n, taut_node v) {
    const taut_node_data *d = taut_node_get(n->graph, v);
    const int origin = record(n, v);
    if (origin) remember(n, v, origin);
    if (d->value != 0.0 && !d->held)
        expect(n, (number_check){.kind = CHECK_NONZERO, .origin = {origin}});
}

/* Arguments first; steady formulas are as deep as the user writes them, so without recursion. */
int taut_numbers_find(taut_numbers *n, taut_node node) {
    if (taut_node_get(n->graph, node)->op == TAUT_OP_CONST) return 0;
    const int known = origin_of(n, node);
    if (known) return known;
    recorder *r = n->recorder;
    size_t depth = 0;
    bool ok = taut_grow((void **)&r->stack, &r->stack_room, 1, sizeof *r->stack) == 0;
    if (ok) r->stack[depth++] = node;
    while (ok && depth > 0) {
        const taut_node v = r->stack[depth - 1];
        const taut_node_data *d = taut_node_get(n->graph, v);
        const size_t before = depth;
        ok = taut_grow((void **)&r->stack, &r->stack_room, depth + d->count, sizeof *r->stack) == 0;
        for (uint32_t i = 0; ok && i < d->count; i++) {
            const taut_node a = taut_node_args(n->graph, v)[i];
            if (taut_node_get(n->graph, a)->op != TAUT_OP_CONST && !origin_of(n, a))
                r->stack[depth++] = a;
        }
        if (!ok || depth > before) continue;
        depth--;
        if (!origin_of(n, v)) record_node(n, v);
        ok = !r->failed;
    }
    if (!ok) r->failed = true;
    return r->failed ? 0 : origin_of(n, node);
}

void taut_numbers_expect_zero(taut_numbers *n, int origin) {
    if (origin) expect(n, (number_check){.kind = CHECK_ZERO, .origin = {origin}});
}

void taut_numbers_expect_ratio(taut_numbers *n, const double *x, const int *origin) {
    if (!origin[0] && !origin[1] && !origin[2] && !origin[3]) return;
    /* the same on both sides, or a number by itself: nothing can contradict that */
    if (origin[0] == origin[2] && origin[1] == origin[3] && x[0] == x[2] && x[1] == x[3]) return;
    if (origin[0] == origin[1] && origin[2] == origin[3] && x[0] == x[1] && x[2] == x[3]) return;
    number_check c = {.kind = CHECK_RATIO};
    for (int i = 0; i < 4; i++) c.origin[i] = origin[i] ? origin[i] : fixed(n, x[i]);
    expect(n, c);
}

taut_status taut_numbers_finish(taut_numbers *n) {
    size_t count;
    if (!n) return TAUT_OK;
    const taut_assumption *a = taut_graph_assumptions(n->graph, &count);
    for (size_t i = 0; i < count && !n->recorder->failed; i++)
        expect(n, (number_check){.kind = CHECK_ASSUMPTION,
                                 .origin = {taut_numbers_node(n, a[i].node), (int)i}});
    if (!n->recorder->failed) return settle(n);
    taut_numbers_abandon(n);
    return TAUT_ERR_MEMORY;
}

/* ---- use ---- */

int taut_numbers_count(const taut_numbers *n) { return n ? n->count : 1; }

double *taut_numbers_instance(const taut_numbers *n, taut_arena *arena) {
    double *value = TAUT_NEW_ARRAY(arena, taut_numbers_count(n), double);
    if (value && n) memcpy(value, n->value, (size_t)n->count * sizeof *value);
    return value;
}

taut_number_row taut_numbers_row(const taut_numbers *n, int origin) {
    const number_step *s = &n->step[origin];
    taut_number_row row = {.kind = TAUT_NUMBER_COMBINED,
                           .op = (taut_op)s->op,
                           .a = s->a,
                           .b = s->b,
                           .value = n->value[origin]};
    if (s->kind == STEP_PARAMETER) row.kind = TAUT_NUMBER_PARAMETER;
    if (s->kind == STEP_OPERATION) row.kind = TAUT_NUMBER_OPERATION;
    if (s->kind == STEP_FIXED) row.kind = TAUT_NUMBER_FIXED;
    if (row.kind == TAUT_NUMBER_COMBINED) row.step = (taut_number_step)s->kind;
    return row;
}

int taut_numbers_checks(const taut_numbers *n) { return n ? n->checks : 0; }

taut_number_check taut_numbers_check_at(const taut_numbers *n, int i) {
    static const taut_number_check_kind kind[] = {[CHECK_ZERO] = TAUT_CHECK_ZERO,
                                                  [CHECK_NONZERO] = TAUT_CHECK_NONZERO,
                                                  [CHECK_RATIO] = TAUT_CHECK_RATIO,
                                                  [CHECK_ASSUMPTION] = TAUT_CHECK_ASSUMPTION};
    const number_check *c = &n->check[i];
    size_t count;
    taut_number_check check = {.kind = kind[c->kind], .origins = c->kind == CHECK_RATIO ? 4 : 1};
    memcpy(check.origin, c->origin, sizeof check.origin);
    if (c->kind == CHECK_ASSUMPTION)
        check.assumption = taut_graph_assumptions(n->graph, &count)[c->origin[1]];
    return check;
}

/* a : b = c : d but for the rounding of a few operations. */
static bool is_ratio(const number_check *c, const double *value) {
    const double x = value[c->origin[0]] / value[c->origin[1]];
    const double y = value[c->origin[2]] / value[c->origin[3]];
    return fabs(x - y) <= ROUNDING * fabs(x);
}

static bool holds(const taut_numbers *n, const number_check *c, const double *value) {
    const double x = value[c->origin[0]];
    switch (c->kind) {
    case CHECK_ZERO: return x == 0.0;
    case CHECK_NONZERO: return x != 0.0 && isfinite(x) == isfinite(n->value[c->origin[0]]);
    case CHECK_RATIO: return is_ratio(c, value);
    case CHECK_ASSUMPTION: {
        size_t count;
        const taut_assumption *a = &taut_graph_assumptions(n->graph, &count)[c->origin[1]];
        return taut_graph_tolerates(n->graph, a) || taut_assumption_holds(a, x);
    }
    }
    return false;
}

bool taut_numbers_run(const taut_numbers *n, const double *parameter, double *value) {
    if (!n) return false;
    for (int at = 1; at < n->count; at++) {
        const number_step *s = &n->step[at];
        switch (s->kind) {
        case STEP_FIXED: break;
        case STEP_PARAMETER: value[at] = parameter[s->a]; break;
        case STEP_OPERATION:
            value[at] = taut_op_value((taut_op)s->op, value[s->a], value[s->b]);
            break;
        default: value[at] = combined(s->kind, value[s->a], value[s->b]);
        }
    }
    for (int i = 0; i < n->checks; i++)
        if (!holds(n, &n->check[i], value)) return false;
    return true;
}
