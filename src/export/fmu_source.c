/* sources/fmu.c of an FMU in source code: the calls of the standard around the generated
 * integrator, from texts that both versions share. */
#include <string.h>

#include "export/fmu_source.h"
#include "export/pen.h"
#include "export/texts.h"
#include "out/plot.h"

/* ---- variables ---- */

static bool is_field(const taut_code_parameter *x, taut_code_number kind) {
    return x->kind == kind && x->used && !x->frozen;
}

taut_status taut_fmu_source_list(const taut_code *c, taut_fmu_list *list) {
    *list = (taut_fmu_list){0};
    list->item = TAUT_NEW_ARRAY(&list->arena, c->parameters + c->columns + 1, taut_fmu_variable);
    if (!list->item) return TAUT_ERR_MEMORY;
    list->item[list->count++] =
        (taut_fmu_variable){.role = TAUT_FMU_TIME, .name = "time", .start = c->t0};
    for (int input = 0; input < 2; input++)
        for (int i = 0; i < c->parameters; i++) {
            const taut_code_parameter *x = &c->parameter[i];
            if (!is_field(x, input ? TAUT_CODE_INPUT : TAUT_CODE_PARAMETER)) continue;
            list->item[list->count++] =
                (taut_fmu_variable){.role = input ? TAUT_FMU_INPUT : TAUT_FMU_PARAMETER,
                                    .name = x->name,
                                    .start = x->value,
                                    .parameter = i};
        }
    for (int k = 0; k < c->columns; k++) {
        taut_fmu_variable *v = &list->item[list->count++];
        *v = (taut_fmu_variable){.role = TAUT_FMU_OUTPUT, .name = c->column[k].name, .column = k};
        taut_plot_unit(c->model, v->name, v->unit, sizeof v->unit);
    }
    return TAUT_OK;
}

static void put_cases(taut_pen *p, const taut_fmu_list *list) {
    for (int i = 0; i < list->count; i++) {
        const taut_fmu_variable *v = &list->item[i];
        if (!taut_fmu_is_set(v)) continue;
        const bool input = v->role == TAUT_FMU_INPUT;
        taut_pen_add(p, "    case %dU:%s return &x->now.%s.%s;\n", i,
                     input ? "" : " *is_parameter = 1;", input ? "inputs" : "parameters",
                     p->code->parameter[v->parameter].field);
    }
}

/* ---- the file ---- */

/* Names and types that differ between the versions of the standard. */
static const struct {
    const char *name, *word[2];
} WORD[] = {{"VERSION", {"2", "3"}},
            {"FMI", {"fmi2", "fmi3"}},
            {"STATE", {"FMUstate", "FMUState"}},
            {"DESERIALIZE", {"DeSerialize", "Deserialize"}},
            {"BOOL", {"int", "bool"}},
            {"BYTE", {"char", "unsigned char"}},
            {"STDBOOL", {"", "#include <stdbool.h>\n"}}};

static void put_part(taut_pen *p, const char *name, const void *user) {
    const taut_fmu_description *d = user;
    for (size_t i = 0; i < sizeof WORD / sizeof *WORD; i++)
        if (strcmp(name, WORD[i].name) == 0) taut_pen_add(p, "%s", WORD[i].word[d->version == 3]);
    if (strcmp(name, "STEM") == 0) taut_pen_words(p, p->code->stem);
    if (strcmp(name, "TOKEN") == 0) taut_pen_add(p, "taut-%016llx", d->token);
    if (strcmp(name, "FIRST") == 0) taut_pen_add(p, "%d", d->list->count - p->code->columns);
    if (strcmp(name, "CASES") == 0) put_cases(p, d->list);
}

void taut_fmu_source_write(const taut_code *c, const taut_fmu_description *d, taut_string *text) {
    taut_pen p = {.code = c, .out = text};
    taut_pen_fill(&p, taut_text_fmu, put_part, d);
    taut_pen_add(&p, "\n");
    taut_pen_fill(&p, d->version == 3 ? taut_text_fmu3 : taut_text_fmu2, put_part, d);
}

void taut_fmu_source_build(const taut_code *c, const taut_fmu_description *d, taut_string *xml) {
    taut_string_add(xml,
                    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                    "<fmiBuildDescription fmiVersion=\"3.0\">\n"
                    "  <BuildConfiguration modelIdentifier=\"%s\">\n"
                    "    <SourceFileSet language=\"C99\">\n"
                    "      <SourceFile name=\"fmu.c\"/>\n"
                    "      <SourceFile name=\"%s.c\"/>\n"
                    "    </SourceFileSet>\n"
                    "    <Library name=\"m\"/>\n"
                    "  </BuildConfiguration>\n"
                    "</fmiBuildDescription>\n",
                    d->identifier, c->stem);
}
