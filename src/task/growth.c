/* One more run, with derivatives of the last row by all initial values that the model lists. */
#include "task/growth.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/model.h"

enum { MOST = 32 }; /* initial values */

static bool is_suitable(const taut_run_options *o) {
    return (strcmp(o->solver, "auto") == 0 || strcmp(o->solver, "taylor") == 0) &&
           (!o->formulation || strcmp(o->formulation, "natural") == 0) && !o->stabilize &&
           !o->from && !o->sensitivity && o->starts == 0;
}

/* The size of an initial value: that of the largest one of its order. */
static double size_of(const taut_model *m, int order) {
    double size = 0.0;
    for (int i = 0; i < m->values; i++)
        if (m->value[i].order == order) size = fmax(size, fabs(m->value[i].value));
    return size;
}

/* Names of all initial values whose size is not 0, with commas; their sizes. */
static int list_values(const taut_model *m, char *list, size_t room, double *size) {
    int count = 0;
    size_t used = 0;
    list[0] = '\0';
    for (int i = 0; i < m->values; i++) {
        const taut_model_value *v = &m->value[i];
        const double own = size_of(m, v->order);
        if (v->number == TAUT_NO_NODE || own == 0.0 || v->order > 1) continue;
        if (count == MOST) return 0;
        const int n =
            snprintf(list + used, room - used, "%s%s%.*s%s", count > 0 ? "," : "", v->name,
                     v->components > 1 ? 1 : 0, &"xyz"[v->component], v -> order == 1 ? "'" : "");
        if (n < 0 || (size_t)n >= room - used) return 0;
        used += (size_t)n;
        size[count++] = own;
    }
    return count;
}

taut_status taut_growth_find(const taut_model *model, const taut_run_options *options,
                             const taut_result *result, const double *scale, double *growth) {
    char list[MOST * 40];
    double size[MOST];
    taut_run_options o = *options;
    taut_result *varied = NULL;
    *growth = (double)NAN;
    if (!is_suitable(options) || result->rows == 0) return TAUT_OK;
    /* where the run has gone on by an implicit method, variations by series would not come to an
     * end
     */
    if (!result->stats.solver || strcmp(result->stats.solver, "taylor") != 0) return TAUT_OK;
    const int count = list_values(model, list, sizeof list, size);
    if (count == 0) return TAUT_OK;
    o.sensitivity = list;
    o.solver = "taylor";
    o.reactions = o.body_axes = false;
    o.every = 0.0;
    o.at = &result->value[(result->rows - 1) * result->columns];
    o.ats = 1;
    o.last = NULL;
    const taut_status status = taut_simulate(model, &o, &varied, NULL);
    const int columns = varied ? (varied->columns - 1) / (count + 1) : 0;
    for (int c = 1; c <= columns && status == TAUT_OK && varied->rows > 0; c++) {
        double sum = 0.0;
        const int own = taut_result_find(result, varied->name[c]);
        for (int i = 0; i < count; i++)
            sum += size[i] * fabs(varied->value[columns + i * columns + c]);
        if (own > 0 && scale[own] > 0.0) *growth = fmax(*growth, sum / scale[own]);
    }
    taut_result_free(&varied);
    return status == TAUT_ERR_MEMORY ? status : TAUT_OK;
}
