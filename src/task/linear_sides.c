/* Points that lie on the boundary of a kink or on a knot of a table: derivatives are those of one
 * side. Which boundaries these are, what holds beyond, and words for the side in use. */
#include <math.h>
#include <string.h>

#include "model/parameters.h"
#include "task/linear_parts.h"
#include "task/resolve.h"

static const double ON = 1e-12;    /* a boundary's value, beside 1 or the piece: it is 0 */
static const double SIDES = 1e-10; /* of matrices, relative: they differ beyond */

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

/* Is the point on boundary i, which has this value there? Then the numbers of the model become
 * those that hold beyond. */
static bool beyond(const taut_model *m, int i, double value, double *number) {
    return i < m->kinks ? beyond_kink(&m->kink[i], value, number)
                        : beyond_knot(m, i - m->kinks, value, number);
}

/* ---- words ---- */

/* Adds on which side of boundary i these numbers hold. */
static void side_words(const taut_model *m, int i, const double *number, taut_string *words) {
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

/* ---- a point on one ---- */

static bool are_same(const double *a, const double *b, int count) {
    double largest = 1e-300, change = 0.0;
    for (int i = 0; i < count; i++) {
        largest = fmax(largest, fabs(a[i]));
        change = fmax(change, fabs(a[i] - b[i]));
    }
    return change <= SIDES * largest;
}

/* Are matrices and rates the same with these numbers? The spot's become other ones. */
static taut_status is_smooth(const taut_linear_job *j, taut_linear_spot *s, const double *number,
                             const taut_linear_point *p, const double *rate, bool *same) {
    const int n = p->states, m = p->inputs, o = p->outputs;
    const int errors = j->errors ? j->errors->count : 0;
    *same = false;
    taut_status status = taut_linear_go_to(j, s, p->t, number);
    if (status == TAUT_OK) status = taut_linear_fill_matrices(j, s);
    if (status == TAUT_OK) status = taut_linear_fill_values(j, s, &s->states, 1, &s->rate);
    if (status == TAUT_OK) status = taut_linear_fill_values(j, s, &s->outputs, 0, &s->y0);
    if (j->errors) j->errors->count = errors; /* that there is nothing beyond is an answer */
    if (status != TAUT_OK) return status == TAUT_ERR_MEMORY ? status : TAUT_OK;
    *same = are_same(p->A, s->A, n * n) && are_same(p->B, s->B, n * m) &&
            are_same(p->C, s->C, o * n) && are_same(p->D, s->D, o * m) &&
            are_same(rate, s->rate, n) && are_same(p->y0, s->y0, o);
    return TAUT_OK;
}

/* Where matrices differ beyond a boundary at which the point lies, it is said for which side they
 * hold. */
static taut_status add_sides(const taut_linear_job *j, taut_linear_spot *s, const double *now,
                             const taut_linear_point *p, double *number, taut_string *words) {
    const taut_model *m = j->simulation->prepared->problem->model;
    const int boundaries = taut_linear_boundaries(m);
    double *rate = s->rate, *y0 = s->y0;
    double *value = TAUT_NEW_ARRAY(&s->arena, boundaries, double);
    bool away = false;
    if (!value) return TAUT_ERR_MEMORY;
    for (int i = 0; i < boundaries; i++)
        value[i] = taut_variational_value(s->v, s->boundaries + i, 0);
    for (int i = 0; i < boundaries; i++) {
        bool same;
        memcpy(number, now, (size_t)taut_model_numbers(m) * sizeof *number);
        if (!beyond(m, i, value[i], number)) continue;
        away = true;
        TAUT_TRY(is_smooth(j, s, number, p, rate, &same));
        if (!same) side_words(m, i, now, words);
    }
    if (!away) return TAUT_OK;
    TAUT_TRY(taut_linear_go_to(j, s, p->t, now));
    s->rate = rate;
    s->y0 = y0;
    return taut_linear_fill_matrices(j, s);
}

taut_status taut_linear_find_sides(const taut_linear_job *j, taut_linear_spot *s,
                                   taut_linear_point *p) {
    const taut_model *m = j->simulation->prepared->problem->model;
    const double *used = taut_numbers_in_use(j->simulation);
    taut_string words = {0};
    if (!used || taut_linear_boundaries(m) == 0) return TAUT_OK;
    const size_t count = (size_t)taut_model_numbers(m);
    double *now = TAUT_NEW_ARRAY(&s->arena, 2 * count, double);
    if (!now) return TAUT_ERR_MEMORY;
    memcpy(now, used, count * sizeof *now);
    taut_status status = add_sides(j, s, now, p, now + count, &words);
    if (status == TAUT_OK && words.failed) status = TAUT_ERR_MEMORY;
    if (status == TAUT_OK && words.length > 0) {
        p->side = taut_arena_copy(&j->linear->arena, words.text, words.length);
        if (!p->side) status = TAUT_ERR_MEMORY;
    }
    taut_string_release(&words);
    return status;
}
