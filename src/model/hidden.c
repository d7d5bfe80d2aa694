/* Parameters as leaves of the graph, also hidden ones, which the file does not name and events
 * change: on which side of its kink a formula is, the whole part of a number. */
#include <math.h>

#include "core/hash.h"
#include "model/outset.h"
#include "model/symbols_parts.h"

/* A parameter is a leaf of the graph, so that its value can change later without a new graph; its
 * own formula says what it is until then. */
taut_status taut_hidden_name(taut_symbols *s, int index, taut_node *node) {
    taut_model *m = s->model;
    const size_t old = m->parameter_room;
    if (taut_grow((void **)&m->parameter_formula, &m->parameter_room, (size_t)index + 1,
                  sizeof *m->parameter_formula)) {
        taut_graph_fail(m->graph); /* so that nobody takes the missing value for a fault */
        return TAUT_ERR_MEMORY;
    }
    for (size_t i = old; i < m->parameter_room; i++) m->parameter_formula[i] = TAUT_NO_NODE;
    m->parameter_formula[index] = *node;
    *node = taut_parameter(m->graph, index, taut_node_get(m->graph, *node)->value);
    return *node == TAUT_NO_NODE ? TAUT_ERR_MEMORY : TAUT_OK;
}

taut_status taut_symbols_add_hidden(taut_symbols *s, double value, taut_node *node) {
    taut_model *m = s->model;
    const int index = m->parameters++;
    m->hidden++;
    *node = taut_number(m->graph, value);
    taut_graph_keep(m->graph, index);
    return taut_hidden_name(s, index, node);
}

taut_status taut_symbols_add_number(taut_symbols *s, double value, int *index, taut_node *node) {
    *index = s->model->parameters;
    return taut_symbols_add_hidden(s, value, node);
}

/* ---- kinks ---- */

/* Where in the table the number of a kink is, or would be. */
static int *kink_slot(const taut_model *m, taut_node of, taut_kink_kind branch) {
    size_t i = taut_hash_pair(of, branch) & (m->kink_slots - 1);
    for (; m->kink_table[i]; i = (i + 1) & (m->kink_slots - 1)) {
        const taut_model_kink *k = &m->kink[m->kink_table[i] - 1];
        if (k->of == of && k->branch == branch) break;
    }
    return &m->kink_table[i];
}

/* The kink that is there already, or NULL. */
static const taut_model_kink *find_kink(const taut_model *m, taut_node of, taut_kink_kind branch) {
    const int number = m->kink_slots ? *kink_slot(m, of, branch) : 0;
    return number ? &m->kink[number - 1] : NULL;
}

static taut_status grow_table(taut_model *m) {
    m->kink_slots = m->kink_slots ? 2 * m->kink_slots : 64;
    m->kink_table = TAUT_NEW_ARRAY(&m->arena, m->kink_slots, int);
    if (!m->kink_table) return m->kink_slots = 0, TAUT_ERR_MEMORY;
    for (int i = 0; i < m->kinks; i++)
        if (m->kink[i].branch != TAUT_KINK_CEILING)
            *kink_slot(m, m->kink[i].of, m->kink[i].branch) = i + 1;
    return TAUT_OK;
}

static bool add_kink(taut_model *m, taut_model_kink kink) {
    if (taut_grow((void **)&m->kink, &m->kink_room, (size_t)m->kinks + 1, sizeof *m->kink) ||
        (2 * ((size_t)m->kinks + 1) > m->kink_slots && grow_table(m) != TAUT_OK)) {
        taut_graph_fail(m->graph);
        return false;
    }
    if (kink.branch != TAUT_KINK_CEILING) *kink_slot(m, kink.of, kink.branch) = m->kinks + 1;
    m->kink[m->kinks++] = kink;
    return true;
}

/* The mode of a boundary function: a parameter that events will change; where the boundary is made
 * of parameters alone, a number. */
bool taut_hidden_mode(void *user, taut_node boundary, taut_node *mode) {
    taut_symbols *s = user;
    taut_model *m = s->model;
    const taut_node_data *d = taut_node_get(m->graph, boundary);
    if (d->steady && !d->held) {
        *mode = taut_number(m->graph, taut_assume_value(m->graph, boundary) > 0.0 ? 1.0 : 0.0);
        return true;
    }
    if (s->in_parameter) return false;
    const taut_model_kink *there = find_kink(m, boundary, TAUT_KINK_SIDE);
    if (there) {
        *mode = there->mode;
        return true;
    }
    const int index = m->parameters;
    double value = 1.0;
    if (m->kinks < TAUT_OUTSET_MOST && taut_outset_guess(s, boundary, &value) && value == 0.0)
        taut_outset_value(s, boundary, 1.0, &value);
    if (taut_symbols_add_hidden(s, value > 0.0 ? 1.0 : 0.0, mode) != TAUT_OK) return false;
    if (taut_symbols_note(s, boundary) != TAUT_OK) return false;
    return add_kink(m,
                    (taut_model_kink){boundary, *mode, index, TAUT_KINK_SIDE, s->place, boundary});
}

taut_status taut_symbols_mode(taut_symbols *s, taut_node boundary, taut_place place,
                              taut_node *mode) {
    const taut_place around = s->place;
    s->place = place;
    const bool found = taut_hidden_mode(s, boundary, mode);
    s->place = around;
    return found ? TAUT_OK : TAUT_ERR_MEMORY;
}

/* The largest integer up to x: a parameter with two boundaries. */
bool taut_hidden_whole(void *user, taut_node x, taut_node *n) {
    taut_symbols *s = user;
    taut_model *m = s->model;
    taut_graph *g = m->graph;
    const taut_node_data *d = taut_node_get(g, x);
    if (d->steady && !d->held) {
        *n = taut_number(g, floor(taut_assume_value(g, x)));
        return true;
    }
    if (s->in_parameter) return false;
    const taut_model_kink *there = find_kink(m, x, TAUT_KINK_FLOOR);
    if (there) {
        *n = there->mode;
        return true;
    }
    const int index = m->parameters;
    double value = 0.0;
    if (m->kinks >= TAUT_OUTSET_MOST || !taut_outset_guess(s, x, &value) || !isfinite(value))
        value = 0.0;
    if (taut_symbols_add_hidden(s, floor(value), n) != TAUT_OK) return false;
    if (taut_symbols_note(s, x) != TAUT_OK) return false;
    const taut_node above = taut_sub(g, x, *n);
    return add_kink(m, (taut_model_kink){above, *n, index, TAUT_KINK_FLOOR, s->place, x}) &&
           add_kink(m, (taut_model_kink){taut_sub(g, above, taut_number(g, 1.0)), *n, index,
                                         TAUT_KINK_CEILING, s->place, x});
}
