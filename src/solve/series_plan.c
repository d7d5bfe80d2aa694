/* The constant part of a series: tape, program for J, analysis of its pattern. */
#include "solve/series.h"

/* The tape of equations, variables, outputs and of what J needs beyond them. */
static taut_status build_tape(taut_series_plan *p, const taut_jacobian *jacobian,
                              const taut_node *output) {
    const taut_system *system = p->system;
    taut_node *root = NULL;
    size_t count = 0, room = 0;
    taut_status status = TAUT_OK;
    if (taut_grow((void **)&root, &room,
                  2 * (size_t)system->n + (size_t)p->outputs + (size_t)jacobian->needs,
                  sizeof *root))
        status = TAUT_ERR_MEMORY;
    if (status == TAUT_OK) {
        for (int i = 0; i < system->n; i++) root[count++] = system->equation[i].node;
        for (int j = 0; j < system->n; j++) root[count++] = taut_variable(system->graph, j);
        for (int k = 0; k < p->outputs; k++) root[count++] = output[k];
        for (int k = 0; k < jacobian->needs; k++) root[count++] = jacobian->needed[k];
        status = taut_tape_create(system->graph, p->structure->offsets.d, root, count, &p->arena,
                                  &p->tape);
    }
    /* after a stage is solved nobody looks at its residuals, unless they are outputs as well */
    if (status == TAUT_OK)
        taut_tape_mark_residuals(p->tape, root, (size_t)system->n, p->outputs == 0);
    if (status == TAUT_OK) status = taut_jet_create(p->tape, p->last_stage, &p->arena, &p->jet);
    for (int i = 0; i < system->n && status == TAUT_OK; i++) {
        p->equation[i] = taut_tape_slot(p->tape, root[i]);
        p->variable[i] = taut_tape_slot(p->tape, root[system->n + i]);
    }
    for (int k = 0; k < p->outputs && status == TAUT_OK; k++)
        p->output[k] = taut_tape_slot(p->tape, output[k]);
    taut_release((void **)&root);
    return status;
}

static taut_status build(taut_series_plan *p, const taut_node *output, bool wide) {
    const taut_system *system = p->system;
    int *offset;
    taut_jacobian own;
    const taut_jacobian *jacobian =
        wide && p->structure->wide ? p->structure->wide : p->structure->jacobian;
    p->equation = TAUT_NEW_ARRAY(&p->arena, system->n, int);
    p->variable = TAUT_NEW_ARRAY(&p->arena, system->n, int);
    p->output = TAUT_NEW_ARRAY(&p->arena, p->outputs, int);
    if (!p->equation || !p->variable || !p->output) return TAUT_ERR_MEMORY;
    if (!jacobian) {
        TAUT_TRY(taut_tape_offsets(system->graph, p->structure->offsets.d, &p->arena, &offset));
        TAUT_TRY(taut_jacobian_create(system, offset, &p->arena, &own));
        jacobian = &own;
    }
    p->size = jacobian->size;
    p->entries = jacobian->entries;
    p->start = jacobian->start;
    p->row = jacobian->row;
    p->node = jacobian->node;
    TAUT_TRY(build_tape(p, jacobian, output));
    TAUT_TRY(taut_point_create(p->tape, jacobian->node, (size_t)p->entries, &p->arena, &p->point));
    p->jacobian_stage = taut_point_stage(p->point, p->tape);
    for (int i = 0; i < system->n; i++)
        if (-p->structure->offsets.c[i] < p->first_correction)
            p->first_correction = -p->structure->offsets.c[i];
    taut_status created = taut_lu_create(p->size, p->start, p->row, &p->lu);
    return created == TAUT_SINGULAR ? TAUT_OK : created; /* taut_series_factor will say so */
}

static taut_status create(const taut_system *system, const taut_structure *structure,
                          int last_stage, const taut_node *output, int outputs, bool wide,
                          taut_series_plan **plan) {
    taut_series_plan *p = NULL;
    size_t room = 0;
    *plan = NULL;
    if (taut_grow((void **)&p, &room, 1, sizeof *p)) return TAUT_ERR_MEMORY;
    *p = (taut_series_plan){
        .system = system, .structure = structure, .last_stage = last_stage, .outputs = outputs};
    const taut_status status = build(p, output, wide);
    if (status == TAUT_OK)
        *plan = p;
    else
        taut_series_plan_free(&p);
    return status;
}

taut_status taut_series_plan_create(const taut_system *system, const taut_structure *structure,
                                    int last_stage, const taut_node *output, int outputs,
                                    taut_series_plan **plan) {
    return create(system, structure, last_stage, output, outputs, false, plan);
}

taut_status taut_series_plan_create_wide(const taut_system *system, const taut_structure *structure,
                                         int last_stage, const taut_node *output, int outputs,
                                         taut_series_plan **plan) {
    return create(system, structure, last_stage, output, outputs, true, plan);
}

taut_status taut_series_plan_view(taut_series_plan *of, int last_stage, const taut_node *output,
                                  int outputs, taut_series_plan **plan) {
    taut_series_plan *p = taut_new(sizeof *p);
    *plan = NULL;
    if (!p) return TAUT_ERR_MEMORY;
    *p = *of;
    p->arena = (taut_arena){0};
    p->owners = 0;
    p->taken = false;
    p->of = of;
    p->last_stage = last_stage > 0 ? last_stage : 0;
    p->output = NULL;
    p->outputs = outputs;
    of->owners++;
    const taut_status status =
        taut_series_view_create(of->system->graph, of->structure->offsets.d, of->system->n,
                                last_stage, output, outputs, &p->arena, &p->view);
    if (status == TAUT_OK)
        *plan = p;
    else
        taut_series_plan_free(&p);
    return status;
}

void taut_series_plan_free(taut_series_plan **plan) {
    taut_series_plan *p = *plan;
    if (!p) return;
    *plan = NULL;
    if (p->owners-- > 0) return;
    if (p->of)
        taut_series_plan_free(&p->of);
    else
        taut_lu_free(&p->lu);
    taut_arena_release(&p->arena);
    taut_release((void **)&p);
}
