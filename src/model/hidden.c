/* Parameters as leaves of the graph, also hidden ones, which the file does not name and events
 * change: on which side of its kink a formula is, the whole part of a number. */
#include <math.h>

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
    for (int i = 0; i < m->kinks; i++)
        if (m->kink[i].boundary == boundary) {
            *mode = m->kink[i].mode;
            return true;
        }
    if (taut_grow((void **)&m->kink, &m->kink_room, (size_t)m->kinks + 1, sizeof *m->kink)) {
        taut_graph_fail(m->graph);
        return false;
    }
    const int index = m->parameters;
    double value = 1.0;
    if (m->kinks < TAUT_OUTSET_MOST && taut_outset_guess(s, boundary, &value) && value == 0.0)
        taut_outset_value(s, boundary, 1.0, &value);
    if (taut_symbols_add_hidden(s, value > 0.0 ? 1.0 : 0.0, mode) != TAUT_OK) return false;
    if (taut_symbols_note(s, boundary) != TAUT_OK) return false;
    m->kink[m->kinks++] = (taut_model_kink){boundary, *mode, index, TAUT_KINK_SIDE, s->place};
    return true;
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
    for (int i = 0; i < m->kinks; i++)
        if (m->kink[i].branch == TAUT_KINK_FLOOR &&
            m->kink[i].boundary == taut_sub(g, x, m->kink[i].mode)) {
            *n = m->kink[i].mode;
            return true;
        }
    if (taut_grow((void **)&m->kink, &m->kink_room, (size_t)m->kinks + 2, sizeof *m->kink)) {
        taut_graph_fail(g);
        return false;
    }
    const int index = m->parameters;
    double value = 0.0;
    if (!taut_outset_guess(s, x, &value) || !isfinite(value)) value = 0.0;
    if (taut_symbols_add_hidden(s, floor(value), n) != TAUT_OK) return false;
    if (taut_symbols_note(s, x) != TAUT_OK) return false;
    const taut_node above = taut_sub(g, x, *n);
    m->kink[m->kinks++] = (taut_model_kink){above, *n, index, TAUT_KINK_FLOOR, s->place};
    m->kink[m->kinks++] = (taut_model_kink){taut_sub(g, above, taut_number(g, 1.0)), *n, index,
                                            TAUT_KINK_CEILING, s->place};
    return true;
}
