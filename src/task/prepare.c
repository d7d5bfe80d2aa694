/* Forming a problem, with or without redundant constraints. */
#include "task/prepare.h"

#include <stdio.h>

#include "form/contact.h"
#include "solve/idle.h"

static bool is_mechanism(const taut_prepared *p) { return p->model->kind == TAUT_MODEL_MECHANISM; }

static taut_status analyse(taut_prepared *p, taut_errors *errors) {
    p->problem->system.wide = p->forming.wide;
    taut_status status =
        taut_structure_create(&p->problem->system, &p->arena, &p->structure, errors);
    p->regular = status == TAUT_OK;
    return status;
}

static taut_roles roles_of(const taut_problem *p) {
    return (taut_roles){.coordinates = p->coordinates,
                        .angles = p->angles,
                        .first_constraint = p->first_constraint,
                        .first_velocity = p->first_velocity,
                        .own = p->own,
                        .driven = p->driven};
}

/* ---- what may let go ---- */

static taut_status overdriven(const taut_problem *p, int equation, taut_errors *errors) {
    const taut_model *m = p->model;
    char name[TAUT_NAME_MAX + 20];
    snprintf(name, sizeof name, "%s", p->system.equation[equation].name); /* "driver phi" */
    taut_place place = p->system.equation[equation].place;
    for (int i = 0; i < m->contacts; i++) {
        if (p->contact[i].row[1] != equation || equation >= p->first_constraint) continue;
        snprintf(name, sizeof name, "driver '%s'", m->contact[i].element);
        place = m->contact[i].place;
    }
    return taut_fail_at(errors, TAUT_ERR_INPUT, place,
                        "the %s prescribes what joints and other drivers determine "
                        "already: remove one of them, or let it go",
                        name);
}

taut_status taut_prepare_share(taut_problem *p, const taut_sharing *sharing, taut_arena *arena,
                               int *idles, taut_errors *errors) {
    taut_engaged engaged;
    taut_idle_answer answer;
    *idles = 0;
    TAUT_TRY(taut_problem_engaged(p, sharing->mode, sharing->late, arena, &engaged));
    if (!engaged.node) return TAUT_OK;
    taut_idle_question question = {.system = &p->system,
                                   .roles = roles_of(p),
                                   .prescribed = engaged.driver,
                                   .late = engaged.late,
                                   .t = p->model->t0,
                                   .motion = sharing->motion,
                                   .number = sharing->number};
    question.roles.engaged = engaged.node;
    TAUT_TRY(taut_idle_find(&question, arena, &answer, errors));
    if (answer.overdriven >= 0) return overdriven(p, answer.overdriven, errors);
    for (int k = 0; k < answer.count; k++)
        for (int i = 0; i < p->model->contacts; i++)
            if (p->model->contact[i].breaks && p->contact[i].row[1] == answer.row[k])
                sharing->mode[i] = TAUT_TOUCH_IDLE;
    *idles = answer.count;
    return TAUT_OK;
}

/* At the start everything is engaged. */
static taut_status find_idle(taut_prepared *p, taut_errors *errors) {
    const taut_model *m = p->model;
    if (p->forming.mode || m->contacts == 0) return TAUT_OK; /* chosen already */
    int *mode = TAUT_NEW_ARRAY(&p->arena, m->contacts, int);
    if (!mode) return TAUT_ERR_MEMORY;
    for (int i = 0; i < m->contacts; i++) mode[i] = taut_contact_first_mode(&m->contact[i]);
    const taut_sharing sharing = {.mode = mode};
    TAUT_TRY(taut_prepare_share(p->problem, &sharing, &p->arena, &p->idles, errors));
    if (p->idles > 0) p->forming.mode = mode;
    return TAUT_OK;
}

static taut_status find_redundancy(taut_prepared *p, taut_errors *errors) {
    TAUT_TRY(find_idle(p, errors));
    return taut_redundancy_find(&p->problem->system, roles_of(p->problem), p->problem->model->t0,
                                &p->arena, &p->redundancy, errors);
}

/* ---- leaving out ---- */

/* Forms the problem without the constraints that are redundant, if there are any. */
static taut_status leave_out(taut_prepared *p, bool *fewer, taut_errors *errors) {
    p->reduced = true;
    *fewer = p->redundancy.drops > 0 || p->idles > 0;
    if (!*fewer) return TAUT_OK;
    taut_problem *whole = p->problem;
    p->problem = NULL;
    taut_status status = taut_prepare_adopt(p, errors);
    if (!p->problem) /* there is still the whole one to look at */
        p->problem = whole;
    else if (p->redundancy.drops > 0)
        p->full = whole;
    else
        taut_problem_free(&whole);
    return status;
}

taut_status taut_prepare_reduce(taut_prepared *p, bool *fewer, taut_errors *errors) {
    *fewer = false;
    if (!is_mechanism(p) || p->reduced) return TAUT_OK;
    p->reduced = true;
    TAUT_TRY(find_redundancy(p, errors));
    return leave_out(p, fewer, errors);
}

/* Nothing drives it, and by counting it cannot move: either it does not, or constraints are
 * redundant. Looking for them at once saves the search for a start that would find that J is
 * singular. Where there is no initial position, that search will say so. */
static taut_status reduce_immobile(taut_prepared *p, taut_errors *errors) {
    bool fewer;
    if (p->problem->mobility + p->model->mechanism->drivers > 0) return TAUT_OK;
    const taut_status status = find_redundancy(p, NULL);
    if (status != TAUT_OK) return status == TAUT_ERR_MEMORY ? status : TAUT_OK;
    return leave_out(p, &fewer, errors);
}

taut_status taut_prepare_adopt(taut_prepared *p, taut_errors *errors) {
    taut_problem_free(&p->problem);
    p->forming.drop = p->redundancy.dropped;
    p->forming.drops = p->redundancy.drops;
    TAUT_TRY(taut_problem_create_by(p->model, &p->forming, &p->problem, errors));
    return analyse(p, errors);
}

taut_status taut_prepare_choose(taut_prepared *p, const taut_motion *motion, bool *other) {
    int *dropped, drops;
    *other = false;
    if (!p->full) return TAUT_OK;
    TAUT_TRY(taut_redundancy_choose(&p->full->system, roles_of(p->full), motion, p->redundancy.rank,
                                    &p->arena, &dropped, &drops));
    for (int i = 0; i < drops && i < p->redundancy.drops; i++)
        if (dropped[i] != p->redundancy.dropped[i]) *other = true;
    if (drops != p->redundancy.drops) *other = false; /* a singular position: no time to choose */
    if (*other) p->redundancy.dropped = dropped;
    return TAUT_OK;
}

taut_status taut_prepare_decay(taut_prepared *p, double alpha, double beta, taut_errors *errors) {
    p->forming.differentiated = true;
    p->forming.alpha = alpha;
    p->forming.beta = beta;
    p->exact = p->problem; /* singular positions are passed by its equations */
    p->exact_structure = p->structure;
    if (!is_mechanism(p)) {
        p->forming.order = p->structure.offsets.c;
        p->forming.orders = p->structure.n;
    }
    p->problem = NULL;
    return taut_prepare_adopt(p, errors);
}

taut_status taut_prepare(const taut_model *model, taut_prepared *p, taut_errors *errors) {
    return taut_prepare_by(model, (taut_forming){0}, p, errors);
}

taut_status taut_prepare_by(const taut_model *model, taut_forming forming, taut_prepared *p,
                            taut_errors *errors) {
    bool fewer;
    *p = (taut_prepared){.model = model, .forming = forming};
    TAUT_TRY(taut_problem_create_by(model, &p->forming, &p->problem, errors));
    if (!is_mechanism(p)) return analyse(p, errors);
    taut_status status = analyse(p, NULL);
    if (status == TAUT_OK) return reduce_immobile(p, errors);
    if (status != TAUT_ERR_INPUT) return status;
    TAUT_TRY(taut_prepare_reduce(p, &fewer, errors));
    return fewer ? TAUT_OK : analyse(p, errors);
}

taut_status taut_prepare_again(const taut_prepared *like, bool lift, taut_prepared *p) {
    taut_forming forming = like->forming;
    forming.lift = lift;
    forming.wide = forming.wide && !lift;
    if (!like->full) return taut_prepare_by(like->model, forming, p, NULL);
    forming.drops = 0;
    *p = (taut_prepared){.model = like->model, .forming = forming, .reduced = true};
    TAUT_TRY(taut_problem_create_by(p->model, &p->forming, &p->full, NULL));
    /* constraints are the last equations of both */
    const int shift = p->full->first_constraint - like->full->first_constraint;
    p->redundancy = like->redundancy;
    p->redundancy.dropped = TAUT_NEW_ARRAY(&p->arena, p->redundancy.drops, int);
    if (!p->redundancy.dropped) return TAUT_ERR_MEMORY;
    for (int i = 0; i < p->redundancy.drops; i++)
        p->redundancy.dropped[i] = like->redundancy.dropped[i] + shift;
    return taut_prepare_adopt(p, NULL);
}

void taut_prepared_release(taut_prepared *p) {
    taut_problem_free(&p->problem);
    taut_problem_free(&p->full);
    taut_problem_free(&p->exact);
    taut_arena_release(&p->arena);
}

bool taut_prepared_is_free(const taut_prepared *p) {
    for (int i = 0; i < p->structure.n; i++)
        if (p->structure.offsets.c[i] > 0) return false;
    return true;
}

int taut_prepared_mobility(const taut_prepared *p) {
    if (p->problem->mobility >= 0 || is_mechanism(p)) return p->problem->mobility;
    const taut_structure *structure = p->exact ? &p->exact_structure : &p->structure;
    return p->regular ? taut_structure_mobility(structure) : -1;
}
