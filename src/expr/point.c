/* A plain tape with groups of equal operations side by side. */
#include "expr/point.h"

#include <assert.h>
#include <string.h>

#include "core/keys.h"
#include "core/lanes.h"
#include "expr/ops.h"
#include "expr/plain.h"
#include "expr/point_parts.h"

/* ---- compiling ---- */

typedef struct compiler {
    const taut_plain *plain;
    int *place, *level; /* [slots] */
    int zero;           /* place of the number 0 */
    taut_arena *arena;
    bool failed;
} compiler;

static bool is_operation(const taut_instr *x) {
    return x->kernel != TAUT_KERNEL_INPUT && x->kernel != TAUT_KERNEL_STEADY;
}

static taut_bundle_kind kind_of(const taut_tape *t, const taut_instr *x) {
    if (x->kernel != TAUT_KERNEL_SUM) return TAUT_BUNDLE_OTHER;
    return x->count == 1 && t->term[x->first].other >= 0 ? TAUT_BUNDLE_PRODUCT : TAUT_BUNDLE_SUM;
}

/* An operation as it is sorted. */
typedef struct candidate {
    int slot;
    int level;
    taut_bundle_kind kind;
    int terms;
} candidate;

/* The order of candidates; those that it does not tell apart stay in the order of the tape. */
static uint64_t key_of(const candidate *x) {
    return (uint64_t)x->level << 40 | (uint64_t)x->kind << 32 | (uint64_t)x->terms;
}

/* An operation waits for one more than the longest chain that it reads. */
static void wait_for(const compiler *c, int slot, int argument) {
    if (argument >= 0 && c->level[argument] >= c->level[slot])
        c->level[slot] = c->level[argument] + 1;
}

/* Lists the operations, with the length of the chain of others that they wait for. */
static int list_operations(const compiler *c, candidate *list) {
    const taut_tape *t = &c->plain->tape;
    int count = 0;
    for (int i = 0; i < t->size; i++) {
        const taut_instr *x = &t->instr[i];
        if (!is_operation(x)) continue;
        for (int k = x->first; k < x->first + x->count; k++) {
            wait_for(c, i, t->term[k].slot);
            wait_for(c, i, t->term[k].other);
        }
        wait_for(c, i, x->a);
        wait_for(c, i, x->b);
        const taut_bundle_kind k = kind_of(t, x);
        list[count++] = (candidate){i, c->level[i], k, k == TAUT_BUNDLE_SUM ? x->count : 0};
    }
    return count;
}

static taut_status sort_operations(candidate *list, int count, taut_arena *scratch) {
    taut_keyed *order = TAUT_NEW_ARRAY(scratch, count, taut_keyed);
    taut_keyed *spare = TAUT_NEW_ARRAY(scratch, count, taut_keyed);
    candidate *other = TAUT_NEW_ARRAY(scratch, count, candidate);
    if (!order || !spare || !other) return TAUT_ERR_MEMORY;
    for (int i = 0; i < count; i++) {
        other[i] = list[i];
        order[i] = (taut_keyed){key_of(&list[i]), i};
    }
    taut_keys_sort(order, spare, (size_t)count);
    for (int i = 0; i < count; i++) list[i] = other[order[i].item];
    return TAUT_OK;
}

static bool same_bundle(const candidate *x, const candidate *y) {
    return x->level == y->level && x->kind == y->kind;
}

/* Notes where a number stands, if it depends on parameters. */
static void note(compiler *c, taut_point *p, taut_bundle_number place) {
    if (!place.origin) return;
    if (p->places == p->place_room) {
        const int room = p->place_room ? 2 * p->place_room : 32;
        taut_bundle_number *larger = TAUT_NEW_ARRAY(c->arena, room, taut_bundle_number);
        c->failed = c->failed || !larger;
        if (!larger) return;
        if (p->places > 0) memcpy(larger, p->place, (size_t)p->places * sizeof *larger);
        p->place = larger;
        p->place_room = room;
    }
    p->place[p->places++] = place;
}

/* Columns of a sum: term number i of every lane; lanes with fewer terms add 0 times 0. */
static void fill_columns(compiler *c, taut_point *p, taut_bundle *b, const candidate *list,
                         int *columns) {
    const taut_tape *t = &c->plain->tape;
    b->first = *columns;
    b->columns = list[b->count - 1].terms; /* sorted: the last has the most */
    *columns += b->columns;
    for (int lane = 0; lane < TAUT_LANES; lane++) {
        const int terms = lane < b->count ? list[lane].terms : 0;
        if (lane < b->count) b->constant[lane] = t->constant[list[lane].slot];
        for (int i = 0; i < b->columns; i++) {
            taut_bundle_column *to = &p->column[b->first + i];
            to->place[lane] = c->zero;
            if (i >= terms) continue;
            const taut_tape_term *term = &t->term[t->instr[list[lane].slot].first + i];
            to->place[lane] = c->place[term->slot];
            to->coef[lane] = term->coef;
            note(c, p, (taut_bundle_number){TAUT_IN_COLUMN, term->origin, b->first + i, lane});
        }
    }
}

static void fill_arguments(const compiler *c, taut_bundle *b, const candidate *list) {
    const taut_tape *t = &c->plain->tape;
    for (int lane = 0; lane < TAUT_LANES; lane++) {
        b->a[lane] = b->b[lane] = c->zero;
        if (lane >= b->count) continue;
        const taut_instr *x = &t->instr[list[lane].slot];
        const taut_tape_term *term = &t->term[x->first];
        const int first = b->kind == TAUT_BUNDLE_PRODUCT ? term->slot : x->a;
        const int second = b->kind == TAUT_BUNDLE_PRODUCT ? term->other : x->b;
        b->op[lane] = x->op;
        b->a[lane] = c->place[first];
        b->b[lane] = c->place[second >= 0 ? second : first];
    }
}

/* Inputs come first, then numbers, which value[] holds from now on. */
static int place_leaves(compiler *c, taut_point *p, const taut_tape *on) {
    const taut_tape *t = &c->plain->tape;
    for (; p->inputs < c->plain->inputs; p->inputs++) {
        const taut_node v = c->plain->input[p->inputs];
        c->place[t->slot[v]] = p->inputs;
        p->input[p->inputs] = taut_tape_slot(on, v);
        assert(p->input[p->inputs] >= 0);
    }
    int place = p->inputs;
    c->zero = place++;
    for (int i = 0; i < t->size; i++)
        if (t->instr[i].kernel == TAUT_KERNEL_STEADY) {
            p->value[place] = t->constant[i];
            note(c, p, (taut_bundle_number){TAUT_IN_PLACE, t->origin[i], place, 0});
            c->place[i] = place++;
        }
    return (place + TAUT_LANES - 1) / TAUT_LANES * TAUT_LANES;
}

static void fill_bundles(compiler *c, taut_point *p, const candidate *list, int count, int place) {
    for (int i = 0, columns = 0; i < count; place += TAUT_LANES) {
        taut_bundle *b = &p->bundle[p->bundles++];
        *b = (taut_bundle){.kind = list[i].kind, .result = place};
        for (; b->count < TAUT_LANES && i + b->count < count &&
               same_bundle(&list[i], &list[i + b->count]);
             b->count++)
            c->place[list[i + b->count].slot] = place + b->count;
        if (b->kind == TAUT_BUNDLE_SUM)
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
        if (last && list[i].kind == TAUT_BUNDLE_SUM) *columns += (size_t)list[i].terms;
    }
}

static void fill_targets(compiler *c, taut_point *p) {
    for (size_t i = 0; i < p->targets; i++) {
        const taut_tape_term *target = &c->plain->target[i];
        p->target[i] = c->place[target->slot];
        p->coef[i] = target->coef;
        note(c, p, (taut_bundle_number){TAUT_IN_TARGET, target->origin, (int)i, 0});
    }
}

static double *copied(const double *from, size_t count, taut_arena *arena) {
    double *copy = TAUT_NEW_ARRAY(arena, count, double);
    if (copy && from && count > 0) memcpy(copy, from, count * sizeof *copy);
    return copy;
}

static taut_status finish_numbers(const compiler *c, taut_point *p) {
    TAUT_TRY(taut_numbers_finish(p->numbers));
    p->number = taut_numbers_instance(p->numbers, c->arena);
    return c->failed || !p->number ? TAUT_ERR_MEMORY : TAUT_OK;
}

static taut_status compile(compiler *c, taut_point *p, const taut_tape *on, taut_arena *scratch) {
    const int size = c->plain->tape.size;
    size_t columns, bundles;
    c->place = TAUT_NEW_ARRAY(scratch, size, int);
    c->level = TAUT_NEW_ARRAY(scratch, size, int);
    candidate *list = TAUT_NEW_ARRAY(scratch, size, candidate);
    p->input = TAUT_NEW_ARRAY(c->arena, c->plain->inputs, int);
    p->target = TAUT_NEW_ARRAY(c->arena, p->targets, int);
    p->coef = TAUT_NEW_ARRAY(c->arena, p->targets, double);
    if (!c->place || !c->level || !list || !p->input || !p->target || !p->coef)
        return TAUT_ERR_MEMORY;
    const int count = list_operations(c, list);
    TAUT_TRY(sort_operations(list, count, scratch));
    count_work(list, count, &columns, &bundles);
    p->bundle = TAUT_NEW_ARRAY(c->arena, bundles, taut_bundle);
    p->column = TAUT_NEW_ARRAY(c->arena, columns, taut_bundle_column);
    p->columns = columns;
    p->values = (size_t)size + (bundles + 2) * TAUT_LANES;
    p->value = TAUT_NEW_ARRAY(c->arena, p->values, double);
    if (!p->bundle || !p->column || !p->value) return TAUT_ERR_MEMORY;
    fill_bundles(c, p, list, count, place_leaves(c, p, on));
    fill_targets(c, p);
    return finish_numbers(c, p);
}

taut_status taut_point_create(const taut_tape *tape, const taut_node *target, size_t count,
                              taut_arena *arena, taut_point **point) {
    taut_point *p = TAUT_NEW(arena, taut_point);
    taut_arena scratch = {0};
    taut_plain plain = {0};
    if (!p) return TAUT_ERR_MEMORY;
    p->targets = count;
    taut_status status = taut_plain_create(
        tape->graph, (taut_plain_wanted){.target = target, .targets = count, .on = tape}, &scratch,
        arena, &plain);
    if (status == TAUT_OK) {
        compiler c = {.plain = &plain, .arena = arena};
        p->numbers = plain.tape.numbers;
        status = compile(&c, p, tape, &scratch);
        taut_numbers_abandon(p->numbers);
    }
    taut_arena_release(&scratch);
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
    p->number = taut_numbers_instance(p->numbers, arena);
    p->column = TAUT_NEW_ARRAY(arena, p->columns, taut_bundle_column);
    if (!p->coef || !p->number || !p->column) return TAUT_ERR_MEMORY;
    if (p->columns > 0) memcpy(p->column, like->column, p->columns * sizeof *p->column);
    return TAUT_OK;
}

taut_status taut_point_set_numbers(taut_point *p, const double *parameter) {
    if (!taut_numbers_run(p->numbers, parameter, p->number)) return TAUT_CONTRADICTED;
    for (int i = 0; i < p->places; i++) {
        const taut_bundle_number *x = &p->place[i];
        const double value = p->number[x->origin];
        switch (x->array) {
        case TAUT_IN_COLUMN: p->column[x->index].coef[x->lane] = value; break;
        case TAUT_IN_PLACE: p->value[x->index] = value; break;
        case TAUT_IN_TARGET: p->coef[x->index] = value; break;
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

TAUT_INLINE void add_up(const taut_point *p, const taut_bundle *b, int at) {
    four sum = *(const four *)(b->constant + at), x = {0};
    for (int i = b->first; i < b->first + b->columns; i++) {
        collect(p->value, p->column[i].place + at, &x);
        sum += *(const four *)(p->column[i].coef + at) * x;
    }
    *(four *)(p->value + b->result + at) = sum;
}

TAUT_INLINE void multiply(const taut_point *p, const taut_bundle *b, int at) {
    four x = {0}, y = {0};
    collect(p->value, b->a + at, &x);
    collect(p->value, b->b + at, &y);
    *(four *)(p->value + b->result + at) = x * y;
}

TAUT_ALL_PROCESSORS void taut_point_eval(taut_point *p, const taut_jet *jet, double *result) {
    double *value = p->value;
    for (int i = 0; i < p->inputs; i++) value[i] = *taut_jet_at(jet, p->input[i], 0);
    for (int i = 0; i < p->bundles; i++) {
        const taut_bundle *b = &p->bundle[i];
        switch (b->kind) {
        case TAUT_BUNDLE_SUM:
            for (int at = 0; at < b->count; at += FOUR) add_up(p, b, at);
            break;
        case TAUT_BUNDLE_PRODUCT:
            for (int at = 0; at < b->count; at += FOUR) multiply(p, b, at);
            break;
        case TAUT_BUNDLE_OTHER:
            for (int k = 0; k < b->count; k++)
                value[b->result + k] =
                    taut_op_value((taut_op)b->op[k], value[b->a[k]], value[b->b[k]]);
        }
    }
    for (size_t i = 0; i < p->targets; i++) result[i] = p->coef[i] * value[p->target[i]];
}
