/* The table of formulations. */
#include "form/formulation.h"

#include <stdio.h>
#include <string.h>

#include "core/text.h"

static const taut_formulation TABLE[] = {
    {.name = "natural",
     .words = "natural coordinates",
     .places = taut_natural_places,
     .make_frame = taut_natural_frame,
     .constrain = taut_natural_constrain,
     .joins = true},
    {.name = "reference",
     .words = "reference-point coordinates",
     .places = taut_reference_places,
     .make_frame = taut_reference_frame,
     .constrain = taut_reference_constrain,
     .start = taut_reference_start},
    {.name = "relative",
     .words = "relative coordinates",
     .prepare = taut_relative_prepare,
     .places = taut_relative_places,
     .make_frame = taut_relative_frame,
     .constrain = taut_relative_constrain,
     .start = taut_relative_start},
};
enum { ROWS = sizeof TABLE / sizeof *TABLE };

const taut_formulation *taut_formulation_find(const char *name) {
    for (int i = 0; i < ROWS; i++)
        if (strcmp(TABLE[i].name, name) == 0) return &TABLE[i];
    return NULL;
}

/* Minimal coordinates are states on top of one of these (task/states); users see one list. */
const char *taut_formulation_name(int k) {
    return k >= 0 && k < ROWS ? TABLE[k].name : k == ROWS ? "minimal" : NULL;
}

const taut_formulation *taut_formulation_natural(void) { return &TABLE[0]; }

bool taut_formulation_is_natural(const taut_formulation *formulation) {
    return !formulation || formulation == &TABLE[0];
}

static taut_status report_unknown(const char *name, taut_errors *errors) {
    char list[120] = "";
    taut_nearest nearest = {.wanted = name};
    if (strchr(name, ','))
        return taut_fail(errors, TAUT_ERR_CALL,
                         "options.formulation = \"%s\": one formulation at a time; to set several "
                         "side by side, use taut_compare",
                         name);
    for (int k = 0; taut_formulation_name(k); k++) {
        taut_nearest_offer(&nearest, taut_formulation_name(k));
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s",
                 k == 0                         ? ""
                 : taut_formulation_name(k + 1) ? ", "
                                                : " and ",
                 taut_formulation_name(k));
    }
    return taut_fail(errors, TAUT_ERR_CALL, "there is no formulation '%s'; there are %s%s%s%s",
                     name, list, nearest.best ? "; did you mean '" : "",
                     nearest.best ? nearest.best : "", nearest.best ? "'?" : "");
}

taut_status taut_formulation_for(const taut_model *model, const char *name,
                                 const taut_formulation **formulation, taut_errors *errors) {
    const bool mechanism = model->kind == TAUT_MODEL_MECHANISM;
    *formulation = NULL;
    if (name && !mechanism)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "the formulation %s is for mechanisms only; this file gives its equations "
                         "as a %s: leave it out, or use minimal",
                         name, taut_model_kind_name(model));
    if (!mechanism) return TAUT_OK;
    *formulation = name ? taut_formulation_find(name) : taut_formulation_natural();
    return *formulation ? TAUT_OK : report_unknown(name, errors);
}
