/* The linearisation at one point: states by name, matrices, eigenvalues, and what is to be said of
 * them. Equations are kept for the next point as long as they are the same. */
#include <math.h>
#include <string.h>

#include "core/text.h"
#include "model/parameters.h"
#include "task/linear_parts.h"
#include "task/resolve.h"

static const double WORST = 1e8; /* condition of the states */

/* ---- states ---- */

static taut_status refuse_states(const taut_linear_job *j, const taut_linear_spot *s,
                                 double condition, double t) {
    const int need = taut_variational_directions(s->v) - j->in.count, have = s->states.count;
    if (have < need)
        return taut_fail(j->errors, TAUT_ERR_CALL,
                         "options.states: %d independent states are needed at t = %.10g, and these "
                         "are %d",
                         need, t, have);
    if (have > need)
        return taut_fail(j->errors, TAUT_ERR_CALL,
                         "options.states: there are %d independent states at t = %.10g, but these "
                         "are %d: some follow from others; leave out %d",
                         need, t, have, have - need);
    return taut_fail(j->errors, TAUT_ERR_CALL,
                     "options.states: these states depend on each other at t = %.10g (condition "
                     "%.2g, and up to %g is accepted): choose others",
                     t, condition, WORST);
}

static taut_status settle_states(taut_linear_job *j, taut_linear_spot *s, double t,
                                 double *condition) {
    const char *list = j->options->states;
    if (j->states)
        TAUT_TRY(taut_states_prune(s->v, &s->catalogue, j->in.count, false, &s->arena, &s->states));
    else if (list)
        TAUT_TRY(taut_states_prune(s->v, &s->catalogue, j->in.count, !strchr(list, '\''), &s->arena,
                                   &s->states));
    else
        TAUT_TRY(
            taut_states_choose(s->v, &s->catalogue, j->in.count, s->turns, &s->arena, &s->states));
    TAUT_TRY(taut_states_condition(s->v, &s->catalogue, j->in.count, &s->states, condition));
    if (!(*condition <= WORST)) return refuse_states(j, s, *condition, t);
    if (j->states) return TAUT_OK;
    taut_string names = {0};
    for (int i = 0; i < s->states.count; i++)
        taut_string_add(&names, "%s%s", i ? "," : "", s->states.item[i].name);
    /* a prime somewhere says that the list is meant as it is; a comma at the end does no harm */
    if (!names.failed)
        j->states = taut_arena_copy(&j->linear->arena, names.text ? names.text : "", names.length);
    taut_string_release(&names);
    return j->states ? TAUT_OK : TAUT_ERR_MEMORY;
}

/* ---- the point ---- */

static taut_status names_of(const taut_linear_job *j, const taut_picks *picks,
                            const char *const **names) {
    const char **name = TAUT_NEW_ARRAY(&j->linear->arena, picks->count + 1, const char *);
    if (!name) return TAUT_ERR_MEMORY;
    for (int i = 0; i < picks->count; i++)
        if (!(name[i] = taut_arena_copy(&j->linear->arena, picks->item[i].name,
                                        strlen(picks->item[i].name))))
            return TAUT_ERR_MEMORY;
    *names = name;
    return TAUT_OK;
}

/* The value of a driver, or of its derivative: that of what follows it. */
static double driver_value(const taut_linear_job *j, const taut_linear_spot *s, int u) {
    const char *name = j->in.name[u - j->in.order[u]];
    for (int i = 0; i < s->catalogue.count; i++)
        if (strcmp(s->catalogue.item[i].name, name) == 0)
            return taut_variational_value(s->v, s->catalogue.item[i].slot, j->in.order[u]);
    return (double)NAN;
}

static taut_status fill_forms(const taut_linear_job *j, const taut_linear_spot *s,
                              taut_linear_point *p) {
    taut_arena *arena = &j->linear->arena;
    const char *const *state;
    if (j->options->redundant) {
        TAUT_TRY(names_of(j, &s->unknowns, &state));
        TAUT_TRY(
            taut_linear_redundant(p, state, s->unknowns.count, s->R, s->Ru, arena, &p->redundant));
    }
    if (!j->options->descriptor) return TAUT_OK;
    return taut_linear_descriptor(s->v, taut_variational_series(s->v), &s->catalogue, &s->outputs,
                                  j->in.count, arena, &p->descriptor, j->errors);
}

static taut_status fill_point(taut_linear_job *j, taut_linear_spot *s, double t,
                              taut_linear_point *p) {
    taut_arena *arena = &j->linear->arena;
    *p = (taut_linear_point){.t = t, .inputs = j->in.count, .input = j->in.name, .side = ""};
    p->contacts = taut_contacts_words(j->simulation, arena);
    if (!p->contacts) return TAUT_ERR_MEMORY;
    TAUT_TRY(settle_states(j, s, t, &p->state_condition));
    p->states = s->states.count;
    p->outputs = s->outputs.count;
    TAUT_TRY(names_of(j, &s->states, &p->state));
    TAUT_TRY(names_of(j, &s->outputs, &p->output));
    TAUT_TRY(taut_linear_fill_matrices(j, s));
    TAUT_TRY(taut_linear_fill_values(j, s, &s->states, 0, &s->x0));
    TAUT_TRY(taut_linear_fill_values(j, s, &s->states, 1, &s->rate));
    TAUT_TRY(taut_linear_fill_values(j, s, &s->outputs, 0, &s->y0));
    double *u0 = TAUT_NEW_ARRAY(arena, j->in.count + 1, double);
    double *all = TAUT_NEW_ARRAY(
        arena, taut_graph_parameters(j->simulation->prepared->problem->graph) + 1, double);
    if (!u0 || !all) return TAUT_ERR_MEMORY;
    taut_parameter_values(j->simulation->prepared->problem->graph, all);
    for (int u = 0; u < j->in.count; u++)
        u0[u] = j->in.order[u] < 0 ? all[j->in.parameter[u]] : driver_value(j, s, u);
    p->A = s->A;
    p->B = s->B;
    p->C = s->C;
    p->D = s->D;
    p->x0 = s->x0;
    p->y0 = s->y0;
    p->u0 = u0;
    TAUT_TRY(taut_linear_eigen(arena, p));
    if (s->shapes.count > 0) {
        TAUT_TRY(taut_linear_fill_values(j, s, &s->shapes, 0, &s->shape0));
        TAUT_TRY(names_of(j, &s->shapes, &p->shape));
        TAUT_TRY(taut_linear_bodies(j->simulation->prepared->problem, &s->catalogue, &s->shapes,
                                    s->S, s->shape0, arena, p));
    }
    TAUT_TRY(fill_forms(j, s, p));
    TAUT_TRY(taut_linear_find_sides(j, s, p));
    return taut_linear_is_steady(j, s, &p->steady);
}

static taut_status explain(const taut_linear_job *j, taut_status status, double t) {
    if (status == TAUT_SINGULAR)
        return taut_fail(j->errors, TAUT_ERR_NUMERICS,
                         "the position at t = %.10g is singular: it has no linearisation", t);
    if (status == TAUT_ERR_NUMERICS && j->errors && j->errors->count == 0)
        return taut_fail(j->errors, status,
                         "there is no linearisation at t = %.10g: a value is "
                         "not finite",
                         t);
    return status;
}

void taut_linear_release_spot(taut_linear_job *j) {
    taut_variational_free(&j->kept.v);
    taut_linear_reactions_release(&j->kept.reactions);
    taut_arena_release(&j->kept.arena);
    j->kept = (taut_linear_spot){0};
    j->kept_for = 0;
}

/* Equations for the point: those of the one before, if they are the same. */
static taut_status open_spot(taut_linear_job *j) {
    const unsigned long problem = j->simulation->prepared->problem->serial;
    if (j->kept_for && j->kept_for != problem && j->simulation->contacts)
        j->states = NULL; /* other modes have other states */
    const bool named = j->states != NULL;
    if (j->kept_for == problem && j->kept_named == named) return TAUT_OK;
    taut_linear_release_spot(j);
    TAUT_TRY(taut_linear_inputs_check(&j->in, j->simulation->prepared->problem->graph, "inputs",
                                      j->errors));
    TAUT_TRY(taut_linear_set_up(j, &j->kept));
    j->kept_for = problem;
    j->kept_named = named;
    return TAUT_OK;
}

static taut_status try_point(taut_linear_job *j, bool turns, double t, taut_linear_point *point) {
    taut_linear_spot *s = &j->kept;
    s->states = s->candidates;
    s->turns = turns;
    TAUT_TRY(taut_linear_go_to(j, s, t, taut_numbers_in_use(j->simulation)));
    return fill_point(j, s, t, point);
}

static bool has_turns(const taut_catalogue *c) {
    for (int i = 0; i < c->count; i++)
        if (c->item[i].turns) return true;
    return false;
}

/* Where A changes, because states turn with bodies, rotations in joints may do better. */
taut_status taut_linear_do_point(taut_linear_job *j, double t, taut_linear_point *point) {
    taut_status status = open_spot(j);
    const bool chosen = !j->states && !j->options->states;
    if (status == TAUT_OK) status = try_point(j, false, t, point);
    if (status == TAUT_OK && chosen && !point->steady && has_turns(&j->kept.catalogue)) {
        const char *first = j->states;
        const taut_linear_point before = *point;
        const int errors = j->errors ? j->errors->count : 0;
        j->states = NULL;
        if (try_point(j, true, t, point) != TAUT_OK || !point->steady) {
            *point = before;
            j->states = first;
            if (j->errors) j->errors->count = errors;
        }
    }
    return explain(j, status, t);
}
