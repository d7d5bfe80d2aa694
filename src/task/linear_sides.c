/* Points that lie on the boundary of a kink or on a knot of a table: derivatives are those of one
 * side. Which boundaries these are, what holds beyond, and words for the side in use. */
#include <math.h>

#include "task/linear.h"

static const double ON = 1e-12; /* a boundary's value, beside 1 or the piece: it is 0 */

taut_node taut_linear_boundary(const taut_problem *problem, int i) {
    return problem->when[problem->model->events + i];
}

int taut_linear_boundaries(const taut_model *m) { return m->kinks + m->boundaries; }

/* The lookup and the axis of a boundary of tables; *upper: its upper end. */
static const taut_model_lookup *lookup_of(const taut_model *m, int boundary, int *axis,
                                          bool *upper) {
    for (int i = 0; i < m->lookups; i++) {
        const int k = boundary - m->lookup[i].start;
        if (k < 0 || k >= 2 * m->table[m->lookup[i].table].table.axes) continue;
        *axis = k / 2;
        *upper = k % 2 == 1;
        return &m->lookup[i];
    }
    return NULL;
}

/* ---- kinks ---- */

static bool beyond_kink(const taut_model_kink *k, double value, double *number) {
    double *branch = &number[k->parameter];
    if (!(fabs(value) <= ON)) return false;
    switch (k->branch) {
    case TAUT_KINK_FLOOR: *branch -= 1.0; break;
    case TAUT_KINK_CEILING: *branch += 1.0; break;
    default: *branch = *branch > 0.5 ? 0.0 : 1.0; break;
    }
    return true;
}

/* ---- tables ---- */

/* The other axis of a map stays in its piece. */
static bool beyond_knot(const taut_model *m, int boundary, double value, double *number) {
    int axis;
    bool upper;
    const taut_model_lookup *x = lookup_of(m, boundary, &axis, &upper);
    if (!x) return false;
    const taut_sampled *t = &m->table[x->table].table;
    long index[TAUT_TABLE_AXES] = {0};
    for (int a = 0; a < t->axes; a++) {
        const double *head = number + x->first + TAUT_PIECE_HEAD * a;
        const double length = head[1] - head[0];
        /* a piece that never ends has only one knot, and a length that is no scale */
        const double inside = isfinite(length)    ? head[0] + 0.5 * length
                              : isfinite(head[0]) ? head[0] + 1.0 + fabs(head[0])
                                                  : head[1] - 1.0 - fabs(head[1]);
        const double knot = head[upper ? 1 : 0];
        index[a] = taut_sampled_locate(t, a, inside, 0);
        if (a != axis) continue;
        if (!(fabs(value) <= ON * fmax(fabs(knot), isfinite(length) ? length : 1.0))) return false;
        index[a] += upper ? 1 : -1;
        if (taut_sampled_is_outside(t, a, index[a])) return false; /* nothing is there */
    }
    taut_sampled_piece(t, index, number + x->first);
    return true;
}

bool taut_linear_beyond(const taut_model *m, int i, double value, double *number) {
    return i < m->kinks ? beyond_kink(&m->kink[i], value, number)
                        : beyond_knot(m, i - m->kinks, value, number);
}

/* ---- words ---- */

void taut_linear_side(const taut_model *m, int i, const double *number, taut_string *words) {
    const taut_names names = {m->variable_name, m->parameter_name};
    char text[200];
    if (words->length > 0) taut_string_add(words, ", ");
    if (i < m->kinks) {
        const taut_model_kink *k = &m->kink[i];
        const double branch = number[k->parameter];
        if (k->branch == TAUT_KINK_SIDE)
            taut_string_add(words, "%s %c 0",
                            taut_infix_print(m->graph, k->boundary, &names, text, sizeof text),
                            branch > 0.5 ? '>' : '<');
        else
            taut_string_add(words, "floor(%s) = %.10g",
                            taut_infix_print(m->graph, k->of, &names, text, sizeof text), branch);
        return;
    }
    int axis = 0;
    bool upper;
    const taut_model_lookup *x = lookup_of(m, i - m->kinks, &axis, &upper);
    if (!x) return;
    const double *head = number + x->first + TAUT_PIECE_HEAD * axis;
    taut_string_add(words, "%s for %s from %.10g to %.10g", m->table[x->table].table.name,
                    taut_infix_print(m->graph, x->argument[axis], &names, text, sizeof text),
                    head[0], head[1]);
}
