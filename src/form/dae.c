/* A DAE file is its own system. */
#include "form/assemble.h"

taut_status taut_form_dae(taut_problem *p) {
    int n = 0;
    TAUT_TRY(taut_problem_fill_system(p));
    TAUT_TRY(taut_problem_add_equations(p, &p->model->equations, "equation", &n));
    p->first_constraint = p->first_velocity = n;
    return TAUT_OK;
}
