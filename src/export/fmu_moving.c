/* Inputs of an FMU that are polynomials of time during a communication step. */
#include <string.h>

#include "core/number.h"
#include "export/fmu.h"

void taut_fmu_coefficient(const char *input, int order, char name[TAUT_FMU_NAME]) {
    if (order > TAUT_FMU_INPUT_ORDER)
        taut_format(name, TAUT_FMU_NAME, "%.180s__t", input);
    else
        taut_format(name, TAUT_FMU_NAME, "%.180s__%d", input, order);
}

static bool is_input(const taut_fmu_variable *v) { return v->role == TAUT_FMU_INPUT; }

/* Every input as a formula: of t alone, or with its coefficients. */
static taut_status list_formulas(const taut_fmu_list *list, bool coefficients, taut_arena *arena,
                                 taut_override **input, int *inputs) {
    *inputs = 0;
    *input = TAUT_NEW_ARRAY(arena, list->count, taut_override);
    if (!*input) return TAUT_ERR_MEMORY;
    for (int i = 0; i < list->count; i++) {
        char text[2000];
        const char *u = list->item[i].name;
        if (!is_input(&list->item[i])) continue;
        if (coefficients)
            taut_format(text, sizeof text,
                        "%.180s__0 + (t - %.180s__t)*(%.180s__1 + (t - %.180s__t)*(%.180s__2/2 + "
                        "(t - %.180s__t)*%.180s__3/6))",
                        u, u, u, u, u, u, u);
        else
            taut_format(text, sizeof text, "%.17g + 0.5*sin(t)", list->item[i].start);
        const char *formula = taut_arena_copy(arena, text, strlen(text));
        if (!formula) return TAUT_ERR_MEMORY;
        (*input)[(*inputs)++] = (taut_override){u, formula};
    }
    return TAUT_OK;
}

static taut_status read_with(const char *path, const taut_override *input, int inputs,
                             taut_model **model, taut_errors *errors) {
    taut_read_options o = taut_read_options_default();
    o.input = input;
    o.inputs = inputs;
    return taut_model_read_with(path, &o, model, errors);
}

taut_status taut_fmu_try_moving(const char *path, const taut_fmu_list *list,
                                const taut_run_options *options, bool *moves) {
    taut_arena arena = {0};
    taut_override *input;
    taut_model *model = NULL;
    taut_simulation *simulation = NULL;
    int inputs;
    taut_status status = list_formulas(list, false, &arena, &input, &inputs);
    if (status == TAUT_OK && inputs > 0) {
        status = read_with(path, input, inputs, &model, NULL);
        if (status == TAUT_OK) status = taut_simulation_create(model, options, &simulation, NULL);
        if (status == TAUT_OK) status = taut_simulation_start(simulation, NULL);
        *moves = status == TAUT_OK;
    }
    taut_simulation_free(&simulation);
    taut_model_free(&model);
    taut_arena_release(&arena);
    return status == TAUT_ERR_MEMORY ? status : TAUT_OK;
}

void taut_fmu_write_moving(const taut_fmu_list *list, taut_string *text) {
    bool begun = false;
    taut_string_add(text, "# The same with inputs that are polynomials of time.\n"
                          "Include: model.yaml\nPhysicalParams: {");
    for (int i = 0; i < list->count; i++)
        for (int k = 0; k <= TAUT_FMU_INPUT_ORDER + 1 && is_input(&list->item[i]); k++) {
            char name[TAUT_FMU_NAME], number[60];
            taut_fmu_coefficient(list->item[i].name, k, name);
            taut_format(number, sizeof number, "%.17g", k == 0 ? list->item[i].start : 0.0);
            taut_string_add(text, "%s%s: %s", begun ? ", " : "", name, number);
            begun = true;
        }
    taut_string_add(text, "}\n");
}

/* Names of all coefficients, with commas: they stay symbols where they are 0. */
static char *list_names(const taut_fmu_list *list, taut_arena *arena) {
    taut_string names = {0};
    for (int i = 0; i < list->count; i++)
        for (int k = 0; k <= TAUT_FMU_INPUT_ORDER + 1 && is_input(&list->item[i]); k++) {
            char name[TAUT_FMU_NAME];
            taut_fmu_coefficient(list->item[i].name, k, name);
            taut_string_add(&names, "%s%s", names.length > 0 ? "," : "", name);
        }
    char *copy =
        names.failed || !names.text ? NULL : taut_arena_copy(arena, names.text, names.length);
    taut_string_release(&names);
    return copy;
}

taut_status taut_fmu_read_moving(const char *path, const taut_fmu_list *list, taut_arena *arena,
                                 taut_model **source, taut_model **model, taut_errors *errors) {
    taut_override *input;
    int inputs;
    const char *keep = list_names(list, arena);
    if (!keep) return TAUT_ERR_MEMORY;
    TAUT_TRY(list_formulas(list, true, arena, &input, &inputs));
    TAUT_TRY(read_with(path, input, inputs, source, errors));
    const taut_variation variation = {
        .initial = (*source)->initial, .initials = (*source)->initials, .keep = keep};
    return taut_model_vary(*source, &variation, model, errors);
}
