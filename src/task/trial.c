/* The runs of a study as tryouts: their names and results, and the first one, for checks. */
#include "task/study.h"

enum { OWN = -1 }; /* the model's own values */

struct taut_trial {
    const taut_study *study;
    taut_arena arena;
    taut_tryout *tryout;
    double *value; /* [axes] */
};

taut_status taut_study_order(const taut_study *s, taut_arena *arena, taut_tryout_order *order) {
    const char **name = TAUT_NEW_ARRAY(arena, s->axes, const char *);
    bool *initial = TAUT_NEW_ARRAY(arena, s->axes, bool);
    if (!name || !initial) return TAUT_ERR_MEMORY;
    for (int k = 0; k < s->axes; k++) {
        name[k] = s->axis[k].name;
        initial[k] = s->axis[k].initial;
    }
    *order = (taut_tryout_order){.model = s->model,
                                 .run = &s->run,
                                 .name = name,
                                 .initial = initial,
                                 .names = s->axes,
                                 .figure = s->figure,
                                 .figures = s->figures};
    return TAUT_OK;
}

static taut_status build(taut_trial *x, taut_errors *errors) {
    taut_tryout_order order;
    x->value = TAUT_NEW_ARRAY(&x->arena, x->study->axes, double);
    if (!x->value) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_study_order(x->study, &x->arena, &order));
    return taut_tryout_create(&order, &x->tryout, errors);
}

taut_status taut_trial_create(const taut_study *study, taut_trial **trial, taut_errors *errors) {
    taut_trial *x = *trial = taut_new(sizeof *x);
    if (!x) return TAUT_ERR_MEMORY;
    x->study = study;
    const taut_status status = build(x, errors);
    if (status != TAUT_OK) taut_trial_free(trial);
    return status;
}

void taut_trial_free(taut_trial **trial) {
    if (!*trial) return;
    taut_tryout_free(&(*trial)->tryout);
    taut_arena_release(&(*trial)->arena);
    taut_release((void **)trial);
}

static const double *values_of(taut_trial *x, long run) {
    for (int k = 0; k < x->study->axes; k++) x->value[k] = taut_study_varied(x->study, run, k);
    return x->value;
}

bool taut_trial_find(taut_trial *x) {
    const long last = x->study->runs - 1, run[] = {0, OWN, last / 3, last - last / 3, last};
    for (size_t i = 0; i < sizeof run / sizeof run[0]; i++) {
        const double *value = run[i] == OWN ? NULL : values_of(x, run[i]);
        if (taut_tryout_start(x->tryout, value, NULL) == TAUT_OK) return true;
        taut_tryout_drop(x->tryout);
    }
    return false;
}

taut_status taut_trial_check(taut_trial *x, taut_errors *errors) {
    return taut_tryout_check(x->tryout, values_of(x, 0), errors);
}
