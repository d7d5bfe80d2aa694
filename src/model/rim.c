/* Circles on curves: the place of the rim that is nearest, as an unknown angle with an equation
 * (docs/math/contact.md, section 9). */
#include "model/rim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/parts.h"

taut_status taut_rim_begin(taut_reader *r, const char *name, taut_place place, taut_rim *rim,
                           taut_vec *way) {
    taut_graph *g = r->model->graph;
    char text[2 * TAUT_NAME_MAX];
    snprintf(text, sizeof text, "%.*s.angle", TAUT_NAME_MAX, name);
    const char *own = taut_arena_copy(&r->model->arena, text, strlen(text));
    if (!own) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_contact_need_nothing(r));
    TAUT_TRY(taut_model_add_variable(r->model, own, r->model->groups++, place, &rim->turn));
    r->model->extras++;
    *way = (taut_vec){
        2, {taut_apply(g, TAUT_OP_COS, rim->turn), taut_apply(g, TAUT_OP_SIN, rim->turn)}};
    return TAUT_OK;
}

taut_status taut_rim_close(taut_reader *r, taut_place place, taut_node profile, taut_vec normal,
                           taut_rim *rim) {
    taut_graph *g = r->model->graph;
    const taut_vec across = {2,
                             {taut_scale(g, -1.0, taut_apply(g, TAUT_OP_SIN, rim->turn)),
                              taut_apply(g, TAUT_OP_COS, rim->turn)}};
    const char *name = r->model->variable[r->model->variables - 1].name;
    rim->profile = profile;
    rim->facing = taut_vec_inner(g, normal, across);
    rim->outset = -0.5 * M_PI; /* below, until taut_rims_find_start looks */
    if (taut_graph_failed(g)) return TAUT_ERR_MEMORY;
    return taut_reader_add_formula(r, &r->model->equations, taut_vec_scalar(rim->facing), name,
                                   place);
}
