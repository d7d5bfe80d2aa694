/* Variations at an instant: a series for the values there and their rates, a tangent for their
 * variations at a fixed time; both together are the variations where the event is, whose time
 * varies. */
#include "task/instant.h"

#include "task/resolve.h"

/* ---- what is looked at ---- */

static void list_outputs(const taut_problem *p, const taut_jacobian *jacobian, taut_instant *x,
                         taut_node *node) {
    const taut_model *m = p->model;
    const int functions = taut_happen_functions(m);
    int count = 0;
    for (int i = 0; i < functions; i++) node[count++] = p->when[i];
    for (int i = 0; i < m->actions; i++) node[count++] = p->assign[i];
    for (int i = 0; i < m->contacts; i++)
        for (int k = 0; k < TAUT_CONTACT_PARTS; k++) {
            x->level[count] = k <= TAUT_CONTACT_ALONG_3; /* rates of gaps */
            node[count++] = p->contact[i].part[k];
        }
    x->first_entry = count;
    for (int e = 0; e < jacobian->entries; e++) node[count++] = jacobian->node[e];
    for (int i = 0, at = 0; i < count; at += x->level[i++] + 1) x->at[i] = at;
}

/* The stage that tells the rates of all that varies. */
static taut_status find_stage(const taut_prepared *p, taut_instant *x, const taut_node *node) {
    taut_arena work = {0};
    int *offset;
    const taut_status status =
        taut_tape_offsets(p->problem->graph, p->structure.offsets.d, &work, &offset);
    for (int i = 0; i < x->outputs && status == TAUT_OK; i++)
        if (x->level[i] + 1 - offset[node[i]] > x->stage)
            x->stage = x->level[i] + 1 - offset[node[i]];
    taut_arena_release(&work);
    return status;
}

/* J takes part where velocities jump. */
static bool may_jump(const taut_model *m) {
    bool jumps = m->contacts > 0;
    for (int i = 0; i < m->actions; i++) jumps = jumps || m->action[i].parameter < 0;
    return jumps;
}

/* As series of these equations have it. */
static taut_status find_matrix(const taut_prepared *p, taut_arena *arena, taut_jacobian *jacobian) {
    *jacobian = (taut_jacobian){0};
    if (!may_jump(p->problem->model)) return TAUT_OK;
    if (!p->structure.jacobian)
        return taut_jacobian_create(&p->problem->system, p->structure.offset, arena, jacobian);
    *jacobian = *p->structure.jacobian;
    return TAUT_OK;
}

static taut_status make(taut_simulation *s, const taut_prepared *p, taut_instant *x) {
    const taut_sensitivity *all = s->sensitivity;
    const taut_model *m = p->problem->model;
    taut_jacobian jacobian;
    TAUT_TRY(find_matrix(p, &x->arena, &jacobian));
    x->directions = all->directions;
    x->outputs =
        taut_happen_functions(m) + m->actions + TAUT_CONTACT_PARTS * m->contacts + jacobian.entries;
    taut_node *node = TAUT_NEW_ARRAY(&x->arena, x->outputs, taut_node);
    x->level = TAUT_NEW_ARRAY(&x->arena, x->outputs, int);
    x->at = TAUT_NEW_ARRAY(&x->arena, x->outputs, int);
    x->variation =
        TAUT_NEW_ARRAY(&x->arena, 2 * (size_t)x->outputs * (size_t)x->directions, double);
    x->shift = TAUT_NEW_ARRAY(&x->arena, x->directions, double);
    if (!node || !x->level || !x->at || !x->variation || !x->shift) return TAUT_ERR_MEMORY;
    list_outputs(p->problem, &jacobian, x, node);
    TAUT_TRY(find_stage(p, x, node));
    const taut_forward_order order = {.function = node,
                                      .levels = x->level,
                                      .functions = x->outputs,
                                      .directions = x->directions,
                                      .numbers = all->numbers,
                                      .may_vary = all->may_vary,
                                      .stages = -1};
    TAUT_TRY(taut_forward_create(&p->problem->system, &p->structure, &order, &x->forward));
    TAUT_TRY(taut_state_create(&p->problem->system, &p->structure, &x->place));
    TAUT_TRY(taut_state_create(&p->problem->system, &p->structure, &x->line));
    return taut_series_create(&p->problem->system, &p->structure, x->stage, node, x->outputs,
                              &x->series);
}

void taut_instants_free(taut_instant **first) {
    while (*first) {
        taut_instant *x = *first;
        *first = x->next;
        taut_series_free(&x->series);
        taut_forward_free(&x->forward);
        taut_state_free(&x->place);
        taut_state_free(&x->line);
        taut_arena_release(&x->arena);
        taut_release((void **)&x);
    }
}

/* Equations alternate as contacts open and close: what was made for them is kept. */
static taut_status find(taut_simulation *s, const taut_prepared *p, taut_instant **instant) {
    taut_sensitivity *all = s->sensitivity;
    for (taut_instant *x = all->instant; x; x = x->next)
        if (x->serial == p->problem->serial && x->directions == all->directions) {
            *instant = x;
            return TAUT_OK;
        }
    taut_instant *x = taut_new(sizeof *x);
    if (!x) return TAUT_ERR_MEMORY;
    *x = (taut_instant){.next = all->instant};
    all->instant = x; /* released with the others, whatever comes */
    TAUT_TRY(make(s, p, x));
    x->serial = p->problem->serial;
    *instant = x;
    return TAUT_OK;
}

/* ---- looking ---- */

/* The point, with all rates. */
static taut_status settle(taut_simulation *s, taut_instant *x) {
    const double *number = taut_numbers_in_use(s);
    taut_series_forget(x->series); /* to the last bit the same in every run */
    taut_forward_forget(x->forward);
    if (number) TAUT_TRY(taut_series_set_numbers(x->series, number));
    if (number) TAUT_TRY(taut_forward_set_numbers(x->forward, number));
    taut_state_take(x->place, s->happen->state);
    taut_state_write(x->place, x->series);
    TAUT_TRY(taut_series_settle(x->series, false, NULL, NULL));
    taut_series_extend(x->series, 1, x->stage);
    return taut_forward_take(x->forward, x->series);
}

/* The motion through the state of the event varies at a fixed time by what the state does there,
 * less what is due to the time. */
static void put_direction(const taut_sensitivity *all, taut_instant *x, int i) {
    const taut_direction *d = &all->direction[i];
    for (int k = 0; k < all->numbers; k++)
        if (all->may_vary[k]) taut_forward_set_number(x->forward, k, i, d->numbers[k]);
    taut_state_take(x->line, d->state);
    x->shift[i] = d->shift;
    for (int j = 0; j < x->line->n; j++)
        for (int k = 0; k < taut_state_order(x->line, j); k++)
            taut_forward_set(x->forward, j, k, i,
                             *taut_state_at(x->line, j, k) -
                                 d->shift * taut_series_get(x->series, j, k + 1));
}

taut_status taut_instant_look(taut_simulation *s, const taut_prepared *equations,
                              taut_instant **instant) {
    TAUT_TRY(find(s, equations, instant));
    taut_instant *x = *instant;
    TAUT_TRY(settle(s, x));
    for (int i = 0; i < x->directions; i++) put_direction(s->sensitivity, x, i);
    taut_forward_solve(x->forward, true);
    taut_forward_functions(x->forward, x->variation);
    return TAUT_OK;
}

double taut_instant_of(const taut_instant *instant, int output, int order, int direction) {
    const int at = (instant->at[output] + order) * instant->directions + direction;
    return instant->variation[at] +
           instant->shift[direction] * taut_series_output(instant->series, output, order + 1);
}

double taut_instant_contact(const taut_simulation *s, const taut_instant *instant, int i,
                            taut_contact_part part, int order, int direction) {
    const taut_model *m = s->prepared->problem->model;
    const int first = taut_happen_functions(m) + m->actions;
    const bool rate = part >= TAUT_CONTACT_ALONG && part <= TAUT_CONTACT_ALONG_3;
    if (rate && s->prepared->problem->contact[i].rates && --order < 0) return 0.0;
    return taut_instant_of(instant, first + TAUT_CONTACT_PARTS * i + (int)part, order, direction);
}

double taut_instant_entry(const taut_instant *instant, int e, int direction) {
    return taut_instant_of(instant, instant->first_entry + e, 0, direction);
}

void taut_instant_subtract(const taut_instant *instant, int direction, const double *y,
                           double *to) {
    const taut_series *series = instant->series;
    for (int j = 0; j < series->system->n; j++)
        for (int e = series->start[j]; y[j] != 0.0 && e < series->start[j + 1]; e++)
            to[series->row[e]] -= taut_instant_entry(instant, e, direction) * y[j];
}
