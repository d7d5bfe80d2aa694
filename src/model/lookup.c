/* A call of a table becomes a polynomial whose coefficients are parameters, and functions that tell
 * where the argument leaves the piece that they belong to (docs/math/tables.md). */
#include "model/lookup.h"

#include <math.h>
#include <stdio.h>

#include "core/hash.h"
#include "core/number.h"
#include "model/outset.h"

int taut_lookup_arity(taut_symbols *s, int number, char *why, size_t size) {
    taut_model *m = taut_symbols_model(s);
    taut_model_table *x = &m->table[number];
    if (x->state == TAUT_TABLE_READING) {
        snprintf(why, size, "the table '%s' is defined through itself", x->table.name);
        return -1;
    }
    if (x->state == TAUT_TABLE_UNREAD) {
        x->state = TAUT_TABLE_READING;
        const taut_status status = taut_sampled_read(s, m, number);
        x->state = status == TAUT_OK ? TAUT_TABLE_READY : TAUT_TABLE_BROKEN;
        if (status == TAUT_ERR_MEMORY) taut_graph_fail(m->graph);
    }
    if (x->state == TAUT_TABLE_READY) return x->table.axes;
    snprintf(why, size, " "); /* reported already */
    return -1;
}

/* ---- numbers ---- */

static bool refuse_outside(const taut_sampled *t, int axis, double x, const taut_lookup_answer *a) {
    taut_format(a->why, a->size,
                "the table '%s' goes from %.10g to %.10g%s, and this is %.10g: say what holds "
                "Outside of it (hold, extend, periodic)",
                t->name, t->knot[axis][0], t->knot[axis][t->count[axis]],
                t->axes == 1 ? ""
                : axis == 0  ? " in its first argument"
                             : " in its second argument",
                x);
    return false;
}

/* The pieces at these arguments. */
static bool locate(const taut_sampled *t, const double *x, long *index,
                   const taut_lookup_answer *a) {
    for (int axis = 0; axis < t->axes; axis++) {
        index[axis] = taut_sampled_locate(t, axis, x[axis], 0);
        if (taut_sampled_is_outside(t, axis, index[axis]))
            return refuse_outside(t, axis, x[axis], a);
    }
    return true;
}

static bool call_steady(taut_model *m, const taut_sampled *t, const taut_node *argument,
                        const taut_lookup_answer *a) {
    double x[TAUT_TABLE_AXES];
    long index[TAUT_TABLE_AXES];
    taut_arena arena = {0};
    for (int axis = 0; axis < t->axes; axis++)
        x[axis] = taut_assume_value(m->graph, argument[axis]);
    if (!locate(t, x, index, a)) return false;
    double *number = TAUT_NEW_ARRAY(&arena, taut_sampled_numbers(t), double);
    if (number) {
        taut_sampled_piece(t, index, number);
        *a->value = taut_number(m->graph, taut_sampled_value(t, number, x));
    } else {
        taut_graph_fail(m->graph);
    }
    taut_arena_release(&arena);
    return number != NULL;
}

/* ---- lookups ---- */

/* Where in the table the number + 1 of a lookup is, or would be. */
static int *lookup_slot(const taut_model *m, const taut_model_lookup *x) {
    size_t i = taut_hash_pair(taut_hash_pair(x->argument[0], x->argument[1]), (uint64_t)x->table) &
               (m->lookup_slots - 1);
    for (; m->lookup_table[i]; i = (i + 1) & (m->lookup_slots - 1)) {
        const taut_model_lookup *y = &m->lookup[m->lookup_table[i] - 1];
        if (y->table == x->table && y->argument[0] == x->argument[0] &&
            y->argument[1] == x->argument[1])
            break;
    }
    return &m->lookup_table[i];
}

/* Makes room for one more. */
static bool grow_lookups(taut_model *m) {
    if (taut_grow((void **)&m->lookup, &m->lookup_room, (size_t)m->lookups + 1, sizeof *m->lookup))
        return false;
    if (2 * ((size_t)m->lookups + 1) <= m->lookup_slots) return true;
    const size_t slots = m->lookup_slots ? 2 * m->lookup_slots : 64;
    int *table = TAUT_NEW_ARRAY(&m->arena, slots, int);
    if (!table) return false;
    m->lookup_table = table;
    m->lookup_slots = slots;
    for (int i = 0; i < m->lookups; i++) *lookup_slot(m, &m->lookup[i]) = i + 1;
    return true;
}

/* The piece to begin with: that of the start as far as the file tells, otherwise a rough one. */
static void choose_first(taut_symbols *s, const taut_sampled *t, const taut_node *argument,
                         double *number) {
    long index[TAUT_TABLE_AXES];
    bool known = taut_symbols_model(s)->lookups < TAUT_OUTSET_MOST;
    for (int axis = 0; axis < t->axes && known; axis++) {
        double x = 0.0;
        known = taut_outset_guess(s, argument[axis], &x) && isfinite(x);
        index[axis] = known ? taut_sampled_locate(t, axis, x, 0) : 0;
        known = known && !taut_sampled_is_outside(t, axis, index[axis]);
    }
    if (known)
        taut_sampled_piece(t, index, number);
    else
        taut_sampled_rough(t, number);
}

/* The sum of c[0], c[1], ... times powers of u (Horner). */
static taut_node polynomial(taut_graph *g, const taut_node *c, int degree, taut_node u) {
    taut_node sum = c[degree];
    for (int k = degree - 1; k >= 0; k--) sum = taut_add(g, c[k], taut_mul(g, u, sum));
    return sum;
}

/* The value, and the boundaries, of a piece in parameters. */
static bool form_value(taut_model *m, const taut_sampled *t, taut_node *piece,
                       taut_model_lookup *x) {
    taut_graph *g = m->graph;
    taut_node u[TAUT_TABLE_AXES], *c = piece + TAUT_PIECE_HEAD * t->axes;
    const int width = t->degree + 1;
    for (int axis = 0; axis < t->axes; axis++) {
        const taut_node *head = piece + TAUT_PIECE_HEAD * axis;
        x->boundary[2 * axis] = taut_sub(g, x->argument[axis], head[0]);
        x->boundary[2 * axis + 1] = taut_sub(g, head[1], x->argument[axis]);
        u[axis] = taut_sub(g, x->argument[axis], head[2]);
    }
    if (t->axes == 2)
        for (int k = 0; k < width; k++) c[k] = polynomial(g, c + k * width, t->degree, u[1]);
    x->value = polynomial(g, c, t->degree, u[0]);
    return !taut_graph_failed(g);
}

static bool add_lookup(taut_symbols *s, taut_model *m, taut_model_lookup *x) {
    const taut_sampled *t = &m->table[x->table].table;
    const int numbers = taut_sampled_numbers(t);
    taut_arena arena = {0};
    double *number = TAUT_NEW_ARRAY(&arena, numbers, double);
    taut_node *piece = TAUT_NEW_ARRAY(&arena, numbers, taut_node);
    bool good = number && piece;
    if (good) choose_first(s, t, x->argument, number);
    x->first = m->parameters;
    for (int i = 0; i < numbers && good; i++)
        good = taut_symbols_add_hidden(s, number[i], &piece[i]) == TAUT_OK;
    good = good && form_value(m, t, piece, x);
    good = good && grow_lookups(m);
    taut_arena_release(&arena);
    if (!good) {
        taut_graph_fail(m->graph);
        return false;
    }
    x->start = m->boundaries;
    m->boundaries += 2 * t->axes;
    m->lookup[m->lookups++] = *x;
    *lookup_slot(m, x) = m->lookups;
    return true;
}

bool taut_lookup_call(taut_symbols *s, taut_model *m, int number, const taut_node *argument,
                      const taut_lookup_answer *a) {
    const taut_sampled *t = &m->table[number].table;
    taut_model_lookup x = {.table = number, .place = taut_symbols_here(s), .sliding = m->sliding};
    bool steady = true;
    for (int axis = 0; axis < t->axes; axis++) {
        const taut_node_data *d = taut_node_get(m->graph, argument[axis]);
        steady = steady && d->steady && !d->held;
        x.argument[axis] = argument[axis];
    }
    if (steady) return call_steady(m, t, argument, a);
    if (taut_symbols_in_parameter(s)) {
        snprintf(a->why, a->size,
                 "the table '%s' of something that changes cannot be a parameter: write it under "
                 "'Define'",
                 t->name);
        return false;
    }
    const int there = m->lookup_slots ? *lookup_slot(m, &x) : 0;
    if (there) {
        if (m->sliding.way == 0 || m->sliding.speed != m->lookup[there - 1].sliding.speed)
            m->lookup[there - 1].sliding.way = 0; /* it is for something else as well */
        *a->value = m->lookup[there - 1].value;
        return true;
    }
    if (!add_lookup(s, m, &x)) return false;
    *a->value = x.value;
    return true;
}
