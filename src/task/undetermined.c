/* Loads that rigid bodies do not determine: what depends on them would be a matter of chance, so it
 * is refused by name (docs/math/loads.md, section 2). */
#include <string.h>

#include "task/doctor.h"
#include "task/simulation.h"

static bool is_called(const taut_joint *j, const char *name) {
    const size_t n = strlen(j->name);
    return strncmp(name, j->name, n) == 0 && (name[n] == '\0' || name[n] == '@');
}

/* Is one of the components that somebody asks for among those that others hold as well? */
static const taut_joint *find(const taut_mechanism *m, const taut_helds *held) {
    for (int i = 0; i < m->joints; i++) {
        const taut_joint *j = &m->joint[i];
        for (int k = 0; j->split && k < held->count; k++)
            for (int part = 0; part < 6; part++)
                if (is_called(j, held->item[k].name) && held->item[k].part[part] &&
                    (j->asked >> part & 1u))
                    return j;
    }
    return NULL;
}

taut_status taut_check_determined(const taut_model *model, taut_errors *errors) {
    const taut_mechanism *m = model->mechanism;
    taut_arena arena = {0};
    taut_problem *problem = NULL;
    taut_diagnosis d = {0};
    taut_status status = taut_doctor_examine(model, &arena, &problem, &d);
    if (status == TAUT_OK) {
        const taut_joint *j = find(m, &d.held);
        if (j)
            status = taut_fail_at(
                errors, TAUT_ERR_INPUT, j->place,
                "rigid bodies do not determine the load of '%s': other joints hold the same, so "
                "friction and formulas cannot use it; give a joint more freedom ('taut "
                "analyze' says which)",
                j->name);
    } else if (status != TAUT_ERR_MEMORY) {
        status = TAUT_OK;
    }
    taut_problem_free(&problem);
    taut_arena_release(&arena);
    return status;
}
