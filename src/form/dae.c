/* A DAE file is its own system. */
#include "form/assemble.h"

taut_status taut_form_dae(taut_problem *p) {
    const taut_model_formulas *list = &p->model->equations;
    for (int i = 0; i < list->count; i++) {
        const taut_model_formula *f = &list->item[i];
        const char *name = f->name ? taut_problem_name(p, "equation %s", f->name)
                                   : taut_problem_name(p, "equation %d", i + 1);
        if (!name) return TAUT_ERR_MEMORY;
        p->system.equation[i] = (taut_equation){f->node, name, f->place};
    }
    p->first_constraint = list->count;
    return TAUT_OK;
}
