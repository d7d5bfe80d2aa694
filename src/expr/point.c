/* Nodes that are needed at order 0 only, as groups of equal operations side by side. Steady factors
 * are numbers here, and a multiple of something is no operation of its own where a sum or a target
 * reads it. */
#include "expr/point.h"

#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "core/lanes.h"
#include "expr/ops.h"

typedef enum kind { SUM, PRODUCT, OTHER } kind;

/* One term of each lane of a sum. */
typedef struct column {
    double coef[TAUT_LANES] __attribute__((aligned(64)));
    int place[TAUT_LANES];
} column;

/* Up to TAUT_LANES equal operations; their results lie side by side. */
typedef struct bundle {
    double constant[TAUT_LANES] __attribute__((aligned(64))); /* SUM */
    kind kind;
    int count;
    int result;                       /* place of the results in value[] */
    int first, columns;               /* SUM: its columns */
    int a[TAUT_LANES], b[TAUT_LANES]; /* the others: places of their arguments */
    uint8_t op[TAUT_LANES];
} bundle;

/* Where a number stands that depends on parameters. */
typedef struct number_place {
    enum { IN_COLUMN, IN_VALUE, IN_TARGET } array;
    int origin;
    int index, lane; /* of the column; otherwise the place in the array */
} number_place;

struct taut_point {
    int inputs;     /* value[0 .. inputs-1] are read from the jet ... */
    int *input;     /* [inputs] ... at these slots */
    bundle *bundle; /* [bundles] in the order in which they run */
    int bundles;
    column *column;
    double *value;
    size_t targets;
    int *target;            /* [targets] their places ... */
    double *coef;           /* ... and factors */
    size_t columns, values; /* how long column[] and value[] are */
    taut_numbers *numbers;  /* how factors follow from parameters; constant once it is made */
    double *number;         /* [taut_numbers_count] by origin */
    number_place *place;    /* [places] where those are that depend on parameters */
    int places, place_room;
};

/* ---- what is needed ---- */

typedef struct compiler {
    const taut_graph *graph;
    const taut_tape *tape; /* NULL: nothing is on it */
    uint8_t *wanted;       /* [nodes] */
    int *place, *level;    /* [nodes] */
    int zero;              /* place of the number 0 */
    taut_numbers *numbers; /* NULL: where numbers come from does not matter */
    taut_arena *arena;
    bool failed;
} compiler;

static bool is_input(const compiler *c, taut_node v) {
    return c->tape && !taut_node_get(c->graph, v)->steady && taut_tape_slot(c->tape, v) >= 0;
}

/* A number and where it comes from. */
typedef struct factor {
    double value;
    int origin;
} factor;

/* By a plain number, or by that of a steady node. */
static inline void multiply_factor(const compiler *c, factor *f, double x, taut_node node) {
    if (c->numbers && (f->origin || node != TAUT_NO_NODE)) {
        const int origin = node != TAUT_NO_NODE ? taut_numbers_node(c->numbers, node) : 0;
        f->origin = taut_numbers_product(c->numbers, f->value, f->origin, x, origin);
    }
    f->value *= x;
}

/* v = coef * what is returned, which is no multiple itself: numbers are taken out as far as v is
 * not on the tape. A number is itself times 1. */
static taut_node without_coef(const compiler *c, taut_node v, factor *coef) {
    *coef = (factor){.value = 1.0};
    for (;;) {
        const taut_node_data *d = taut_node_get(c->graph, v);
        const taut_node *arg = taut_node_args(c->graph, v);
        if (d->steady || is_input(c, v)) return v;
        if (d->op == TAUT_OP_SUM && d->count == 1 && d->constant == 0.0) {
            multiply_factor(c, coef, taut_node_coefs(c->graph, v)[0], TAUT_NO_NODE);
            v = arg[0];
        } else if (d->op == TAUT_OP_MUL && taut_node_get(c->graph, arg[0])->steady) {
            multiply_factor(c, coef, taut_node_get(c->graph, arg[0])->value, arg[0]);
            v = arg[1];
        } else {
            return v;
        }
    }
}

/* What operation v reads: its i-th argument, or the term behind its factor. */
static taut_node argument(const compiler *c, taut_node v, uint32_t i, factor *coef) {
    const taut_node a = taut_node_args(c->graph, v)[i];
    *coef = (factor){.value = 1.0};
    return taut_node_get(c->graph, v)->op == TAUT_OP_SUM ? without_coef(c, a, coef) : a;
}

/* Marks everything below the targets down to what is on the tape; ids descend. */
static taut_status mark(compiler *c, const taut_node *target, size_t count) {
    const uint32_t size = taut_graph_size(c->graph);
    size_t room = 0;
    factor coef;
    if (taut_grow((void **)&c->wanted, &room, size, 1)) return TAUT_ERR_MEMORY;
    memset(c->wanted, 0, size);
    for (size_t i = 0; i < count; i++) c->wanted[without_coef(c, target[i], &coef)] = 1;
    for (taut_node v = size - 1; v > 0; v--) {
        if (!c->wanted[v]) continue;
        const taut_node_data *d = taut_node_get(c->graph, v);
        if (d->steady || is_input(c, v)) continue;
        for (uint32_t i = 0; i < d->count; i++) c->wanted[argument(c, v, i, &coef)] = 1;
    }
    return TAUT_OK;
}

taut_status taut_point_derivatives(const taut_graph *g, const taut_node *target, size_t count,
                                   taut_node **found, size_t *founds) {
    size_t room = 0;
    compiler c = {.graph = g};
    *found = NULL;
    *founds = 0;
    taut_status status = mark(&c, target, count);
    for (taut_node v = 1; v < taut_graph_size(g) && status == TAUT_OK; v++) {
        const uint8_t op = taut_node_get(g, v)->op;
        if (!c.wanted[v] || (op != TAUT_OP_DIFF && op != TAUT_OP_VAR && op != TAUT_OP_TIME))
            continue;
        if (taut_grow((void **)found, &room, *founds + 1, sizeof **found))
            status = TAUT_ERR_MEMORY;
        else
            (*found)[(*founds)++] = v;
    }
    taut_release((void **)&c.wanted);
    return status;
}

/* ---- compiling ---- */

static kind kind_of(const compiler *c, taut_node v) {
    const uint8_t op = taut_node_get(c->graph, v)->op;
    if (op == TAUT_OP_SUM) return SUM;
    return op == TAUT_OP_MUL || op == TAUT_OP_SQR ? PRODUCT : OTHER;
}

/* An operation as it is sorted. */
typedef struct candidate {
    taut_node node;
    int level;
    kind kind;
    uint32_t terms;
} candidate;

static int compare(const void *a, const void *b) {
    const candidate *x = a, *y = b;
    if (x->level != y->level) return x->level - y->level;
    if (x->kind != y->kind) return (int)x->kind - (int)y->kind;
    if (x->terms != y->terms) return x->terms < y->terms ? -1 : 1;
    return x->node < y->node ? -1 : 1;
}

/* Lists inputs, steady numbers and operations; operations with the length of the chain of others
 * that they wait for. */
static int list_operations(compiler *c, taut_point *p, candidate *list) {
    int count = 0;
    for (taut_node v = 1; v < taut_graph_size(c->graph); v++) {
        if (!c->wanted[v]) continue;
        const taut_node_data *d = taut_node_get(c->graph, v);
        factor coef;
        if (is_input(c, v)) {
            c->place[v] = p->inputs;
            p->input[p->inputs++] = taut_tape_slot(c->tape, v);
        }
        if (d->steady || is_input(c, v)) continue;
        for (uint32_t i = 0; i < d->count; i++) {
            const taut_node a = argument(c, v, i, &coef);
            if (c->level[a] >= c->level[v]) c->level[v] = c->level[a] + 1;
        }
        const kind k = kind_of(c, v);
        list[count++] = (candidate){v, c->level[v], k, k == SUM ? d->count : 0};
    }
    if (count > 0) qsort(list, (size_t)count, sizeof *list, compare);
    return count;
}

static bool same_bundle(const candidate *x, const candidate *y) {
    return x->level == y->level && x->kind == y->kind;
}

/* Notes where a number stands, if it depends on parameters. */
static void note(compiler *c, taut_point *p, number_place place) {
    if (!place.origin) return;
    if (p->places == p->place_room) {
        const int room = p->place_room ? 2 * p->place_room : 32;
        number_place *larger = TAUT_NEW_ARRAY(c->arena, room, number_place);
        c->failed = c->failed || !larger;
        if (!larger) return;
        if (p->places > 0) memcpy(larger, p->place, (size_t)p->places * sizeof *larger);
        p->place = larger;
        p->place_room = room;
    }
    p->place[p->places++] = place;
}

/* Columns of a sum: term number i of every lane; lanes with fewer terms add 0 times 0. */
static void fill_columns(compiler *c, taut_point *p, bundle *b, const candidate *list,
                         int *columns) {
    b->first = *columns;
    b->columns = (int)list[b->count - 1].terms; /* sorted: the last has the most */
    *columns += b->columns;
    for (int lane = 0; lane < TAUT_LANES; lane++) {
        const taut_node v = lane < b->count ? list[lane].node : TAUT_NO_NODE;
        if (v) b->constant[lane] = taut_node_get(c->graph, v)->constant;
        for (int i = 0; i < b->columns; i++) {
            column *to = &p->column[b->first + i];
            to->place[lane] = c->zero;
            if (!v || i >= (int)list[lane].terms) continue;
            factor coef;
            const taut_node a = argument(c, v, (uint32_t)i, &coef);
            multiply_factor(c, &coef, taut_node_coefs(c->graph, v)[i], TAUT_NO_NODE);
            to->place[lane] = c->place[a];
            to->coef[lane] = coef.value;
            note(c, p, (number_place){IN_COLUMN, coef.origin, b->first + i, lane});
        }
    }
}

static void fill_arguments(const compiler *c, bundle *b, const candidate *list) {
    for (int lane = 0; lane < TAUT_LANES; lane++) {
        b->a[lane] = b->b[lane] = c->zero;
        if (lane >= b->count) continue;
        const taut_node v = list[lane].node, *arg = taut_node_args(c->graph, v);
        const taut_node_data *d = taut_node_get(c->graph, v);
        b->op[lane] = d->op;
        b->a[lane] = c->place[arg[0]];
        b->b[lane] = c->place[d->count > 1 ? arg[1] : arg[0]];
    }
}

/* Numbers get places behind the inputs; value[] holds them from now on. */
static int place_numbers(compiler *c, taut_point *p) {
    int place = p->inputs;
    c->zero = place++;
    for (taut_node v = 1; v < taut_graph_size(c->graph); v++)
        if (c->wanted[v] && taut_node_get(c->graph, v)->steady) {
            p->value[place] = taut_node_get(c->graph, v)->value;
            note(c, p, (number_place){IN_VALUE, taut_numbers_node(c->numbers, v), place, 0});
            c->place[v] = place++;
        }
    return (place + TAUT_LANES - 1) / TAUT_LANES * TAUT_LANES;
}

static void fill_bundles(compiler *c, taut_point *p, const candidate *list, int count) {
    int place = place_numbers(c, p), columns = 0;
    for (int i = 0; i < count; place += TAUT_LANES) {
        bundle *b = &p->bundle[p->bundles++];
        *b = (bundle){.kind = list[i].kind, .result = place};
        for (; b->count < TAUT_LANES && i + b->count < count &&
               same_bundle(&list[i], &list[i + b->count]);
             b->count++)
            c->place[list[i + b->count].node] = place + b->count;
        if (b->kind == SUM)
            fill_columns(c, p, b, &list[i], &columns);
        else
            fill_arguments(c, b, &list[i]);
        i += b->count;
    }
}

/* How many columns and bundles there will be. */
static void count_work(const candidate *list, int count, size_t *columns, size_t *bundles) {
    *columns = *bundles = 0;
    for (int i = 0, lane = 0; i < count; i++) {
        const bool last =
            i + 1 == count || !same_bundle(&list[i], &list[i + 1]) || lane == TAUT_LANES - 1;
        lane = last ? 0 : lane + 1;
        *bundles += last;
        if (last && list[i].kind == SUM) *columns += list[i].terms;
    }
}

static void fill_targets(compiler *c, taut_point *p, const taut_node *target) {
    for (size_t i = 0; i < p->targets; i++) {
        factor coef;
        p->target[i] = c->place[without_coef(c, target[i], &coef)];
        p->coef[i] = coef.value;
        note(c, p, (number_place){IN_TARGET, coef.origin, (int)i, 0});
    }
}

static double *copied(const double *from, size_t count, taut_arena *arena) {
    double *copy = TAUT_NEW_ARRAY(arena, count, double);
    if (copy && from && count > 0) memcpy(copy, from, count * sizeof *copy);
    return copy;
}

static taut_status finish_numbers(const compiler *c, taut_point *p) {
    TAUT_TRY(taut_numbers_finish(p->numbers));
    p->number =
        copied(taut_numbers_values(p->numbers), (size_t)taut_numbers_count(p->numbers), c->arena);
    return c->failed || !p->number ? TAUT_ERR_MEMORY : TAUT_OK;
}

static taut_status compile(compiler *c, taut_point *p, const taut_node *target, taut_arena *arena) {
    const uint32_t size = taut_graph_size(c->graph);
    taut_arena scratch = {0};
    size_t columns, bundles;
    size_t wanted = 0;
    for (taut_node v = 1; v < size; v++) wanted += c->wanted[v];
    c->place = TAUT_NEW_ARRAY(&scratch, size, int);
    c->level = TAUT_NEW_ARRAY(&scratch, size, int);
    candidate *list = TAUT_NEW_ARRAY(&scratch, wanted, candidate);
    p->input = TAUT_NEW_ARRAY(arena, wanted, int);
    p->target = TAUT_NEW_ARRAY(arena, p->targets, int);
    p->coef = TAUT_NEW_ARRAY(arena, p->targets, double);
    taut_status status = TAUT_ERR_MEMORY;
    if (c->place && c->level && list && p->input && p->target && p->coef) {
        const int count = list_operations(c, p, list);
        count_work(list, count, &columns, &bundles);
        p->bundle = TAUT_NEW_ARRAY(arena, bundles, bundle);
        p->column = TAUT_NEW_ARRAY(arena, columns, column);
        p->columns = columns;
        p->values = wanted + (bundles + 2) * TAUT_LANES;
        p->value = TAUT_NEW_ARRAY(arena, p->values, double);
        if (p->bundle && p->column && p->value) {
            fill_bundles(c, p, list, count);
            fill_targets(c, p, target);
            status = finish_numbers(c, p);
        }
    }
    taut_arena_release(&scratch);
    return status;
}

taut_status taut_point_create(const taut_tape *tape, const taut_node *target, size_t count,
                              taut_arena *arena, taut_point **point) {
    taut_point *p = TAUT_NEW(arena, taut_point);
    if (!p) return TAUT_ERR_MEMORY;
    compiler c = {.graph = tape->graph, .tape = tape};
    p->targets = count;
    taut_status status = mark(&c, target, count);
    if (status == TAUT_OK) status = taut_numbers_create(tape->graph, arena, &p->numbers);
    c.numbers = p->numbers;
    c.arena = arena;
    if (status == TAUT_OK) status = compile(&c, p, target, arena);
    taut_numbers_abandon(p->numbers);
    taut_release((void **)&c.wanted);
    *point = p;
    return status;
}

taut_status taut_point_copy(const taut_point *like, taut_arena *arena, taut_point **point) {
    taut_point *p = TAUT_NEW(arena, taut_point);
    if (!p) return TAUT_ERR_MEMORY;
    *p = *like;
    p->value = copied(like->value, p->values, arena);
    if (!p->value) return TAUT_ERR_MEMORY;
    *point = p;
    if (p->places == 0) return TAUT_OK;
    p->coef = copied(like->coef, p->targets, arena);
    p->number = copied(like->number, (size_t)taut_numbers_count(p->numbers), arena);
    p->column = TAUT_NEW_ARRAY(arena, p->columns, column);
    if (!p->coef || !p->number || !p->column) return TAUT_ERR_MEMORY;
    if (p->columns > 0) memcpy(p->column, like->column, p->columns * sizeof *p->column);
    return TAUT_OK;
}

taut_status taut_point_set_numbers(taut_point *p, const double *parameter) {
    if (!taut_numbers_run(p->numbers, parameter, p->number)) return TAUT_CONTRADICTED;
    for (int i = 0; i < p->places; i++) {
        const number_place *x = &p->place[i];
        const double value = p->number[x->origin];
        switch (x->array) {
        case IN_COLUMN: p->column[x->index].coef[x->lane] = value; break;
        case IN_VALUE: p->value[x->index] = value; break;
        case IN_TARGET: p->coef[x->index] = value; break;
        }
    }
    return TAUT_OK;
}

int taut_point_stage(const taut_point *p, const taut_tape *tape) {
    int last = tape->first_stage;
    for (int i = 0; i < p->inputs; i++)
        if (-tape->instr[p->input[i]].offset > last) last = -tape->instr[p->input[i]].offset;
    return last;
}

int taut_point_operations(const taut_point *p) {
    int count = 0;
    for (int i = 0; i < p->bundles; i++) count += p->bundle[i].count;
    return count;
}

/* ---- use ---- */

/* Four lanes at a time, which every processor with AVX2 can do; wider ones would gain little. */
enum { FOUR = 4 };
typedef double four __attribute__((vector_size(32), aligned(32)));

TAUT_INLINE void collect(const double *from, const int *place, four *to) {
    *to = (four){from[place[0]], from[place[1]], from[place[2]], from[place[3]]};
}

TAUT_INLINE void add_up(const taut_point *p, const bundle *b, int at) {
    four sum = *(const four *)(b->constant + at), x = {0};
    for (int i = b->first; i < b->first + b->columns; i++) {
        collect(p->value, p->column[i].place + at, &x);
        sum += *(const four *)(p->column[i].coef + at) * x;
    }
    *(four *)(p->value + b->result + at) = sum;
}

TAUT_INLINE void multiply(const taut_point *p, const bundle *b, int at) {
    four x = {0}, y = {0};
    collect(p->value, b->a + at, &x);
    collect(p->value, b->b + at, &y);
    *(four *)(p->value + b->result + at) = x * y;
}

TAUT_ALL_PROCESSORS void taut_point_eval(taut_point *p, const taut_jet *jet, double *result) {
    double *value = p->value;
    for (int i = 0; i < p->inputs; i++) value[i] = *taut_jet_at(jet, p->input[i], 0);
    for (int i = 0; i < p->bundles; i++) {
        const bundle *b = &p->bundle[i];
        switch (b->kind) {
        case SUM:
            for (int at = 0; at < b->count; at += FOUR) add_up(p, b, at);
            break;
        case PRODUCT:
            for (int at = 0; at < b->count; at += FOUR) multiply(p, b, at);
            break;
        case OTHER:
            for (int k = 0; k < b->count; k++)
                value[b->result + k] =
                    taut_op_value((taut_op)b->op[k], value[b->a[k]], value[b->b[k]]);
        }
    }
    for (size_t i = 0; i < p->targets; i++) result[i] = p->coef[i] * value[p->target[i]];
}
