/* An analysis for people (a signature tableau as textbooks print it) and as JSON. */
#include <stdio.h>
#include <string.h>

#include "form/formulation.h"
#include "out/build_table.h"
#include "out/diagnosis.h"
#include "out/freedom.h"
#include "out/json.h"
#include "task/allowance.h"
#include "task/analyze.h"
#include "task/options.h"
#include "task/plan.h"
#include "taut/taut.h"

enum { WIDEST_TABLEAU = 16, LONGEST_LIST = 60 };

/* ---- for people ---- */

static void text_tableau(taut_string *out, const taut_analysis *a) {
    const taut_system *system = &a->prepared.problem->system;
    const taut_structure *s = &a->prepared.structure;
    int width = 4, left = 8;
    for (int i = 0; i < s->n; i++) {
        const int name = (int)strlen(system->unknown[i].name);
        const int equation = (int)strlen(system->equation[i].name);
        if (name + 2 > width) width = name + 2;
        if (equation > left) left = equation;
    }
    taut_string_add(out, "\nsignature matrix (. absent, * on the transversal)\n  %-*s", left, "");
    for (int j = 0; j < s->n; j++) taut_string_add(out, "%*s", width, system->unknown[j].name);
    taut_string_add(out, "%*s\n", width + 1, "c");
    for (int i = 0; i < s->n; i++) {
        int k = s->sigma.start[i];
        taut_string_add(out, "  %-*s", left, system->equation[i].name);
        for (int j = 0; j < s->n; j++) {
            const bool here = k < s->sigma.start[i + 1] && s->sigma.column[k] == j;
            char cell[24] = ".";
            if (here)
                snprintf(cell, sizeof cell, "%d%s", s->sigma.order[k++],
                         s->offsets.column_of_row[i] == j ? "*" : "");
            taut_string_add(out, "%*s", width, cell);
        }
        taut_string_add(out, "%*d\n", width + 1, s->offsets.c[i]);
    }
    taut_string_add(out, "  %-*s", left, "d");
    for (int j = 0; j < s->n; j++) taut_string_add(out, "%*d", width, s->offsets.d[j]);
    taut_string_add(out, "\n");
}

static void text_offsets(taut_string *out, const taut_analysis *a) {
    const taut_system *system = &a->prepared.problem->system;
    const int shown =
        a->prepared.structure.n < LONGEST_LIST ? a->prepared.structure.n : LONGEST_LIST;
    taut_string_add(out, "\noffsets (%d of %d)\n", shown, a->prepared.structure.n);
    for (int i = 0; i < a->prepared.structure.n && i < LONGEST_LIST; i++)
        taut_string_add(out, "  %-24s d = %d    %-24s c = %d\n", system->unknown[i].name,
                        a->prepared.structure.offsets.d[i], system->equation[i].name,
                        a->prepared.structure.offsets.c[i]);
}

static void text_needed(taut_string *out, const taut_analysis *a) {
    const taut_system *system = &a->prepared.problem->system;
    const taut_structure *s = &a->prepared.structure;
    char name[100];
    int values = 0, shown = 0;
    for (int j = 0; j < s->n; j++) values += taut_needed(s, j);
    taut_string_add(out, "\nneeded initial values: %d, of which %ld can be chosen\n ", values,
                    s->offsets.dof);
    for (int j = 0; j < s->n; j++)
        for (int k = 0; k < taut_needed(s, j); k++)
            if (shown++ < LONGEST_LIST)
                taut_string_add(out, " %s", taut_derivative_name(system, j, k, name, sizeof name));
    taut_string_add(out, "%s\n", shown > LONGEST_LIST ? " ..." : values ? "" : " none");
}

static void text_blocks(taut_string *out, const taut_analysis *a) {
    const taut_system *system = &a->prepared.problem->system;
    const taut_blocks *b = &a->prepared.structure.blocks;
    taut_string_add(out, "\nblocks, in the order in which they can be solved: %d\n", b->nblocks);
    for (int k = 0; k < b->nblocks && k < LONGEST_LIST; k++) {
        const int first = b->block_start[k], end = b->block_start[k + 1];
        taut_string_add(out, "  %3d (%d):", k + 1, end - first);
        for (int i = first; i < end && i < first + 12; i++)
            taut_string_add(out, " %s", system->unknown[b->column[i]].name);
        taut_string_add(out, "%s  <-", end - first > 12 ? " ..." : "");
        for (int i = first; i < end && i < first + 6; i++)
            taut_string_add(out, "%s %s", i > first ? "," : "", system->equation[b->row[i]].name);
        taut_string_add(out, "%s\n", end - first > 6 ? ", ..." : "");
    }
}

/* ---- mechanisms ---- */

static void text_bodies(taut_string *out, const taut_model *model) {
    const taut_mechanism *m = model->mechanism;
    taut_string_add(out, "\nbodies: %d\n", m->bodies);
    for (int b = 0; b < m->bodies && b < LONGEST_LIST; b++) {
        const taut_body *x = &m->body[b];
        taut_string_add(out, "  %-12s", x->name);
        for (int i = 0; i < x->elements; i++)
            taut_string_add(out, " %s", m->element[x->element[i]].name);
        if (x->has_mass)
            taut_string_add(out, "   mass %.6g\n", taut_node_get(model->graph, x->mass)->value);
        else
            taut_string_add(out, "   massless\n");
    }
    if (m->particles > 0) {
        taut_string_add(out, "particles: %d\n ", m->particles);
        for (int i = 0; i < m->particles && i < LONGEST_LIST; i++)
            taut_string_add(out, " %s (%.6g)", m->element[m->particle[i].point].name,
                            taut_node_get(model->graph, m->particle[i].mass)->value);
        taut_string_add(out, "\n");
    }
}

static void text_joints(taut_string *out, const taut_mechanism *m) {
    taut_string_add(out, "\njoints: %d\n", m->joints);
    for (int i = 0; i < m->joints && i < LONGEST_LIST; i++) {
        const taut_joint *j = &m->joint[i];
        taut_string_add(out, "  %-14s %-20s", taut_joint_kind_name(j->kind), j->name);
        for (int k = 0; k < 2; k++)
            if (j->point[k] >= 0 && (k == 0 || j->point[1] != j->point[0]))
                taut_string_add(out, " %s", m->element[j->point[k]].name);
        for (int k = 0; k < 2; k++)
            if (j->axis[k] >= 0 && (k == 0 || j->axis[1] != j->axis[0]))
                taut_string_add(out, " %s", m->element[j->axis[k]].name);
        taut_string_add(out, "%s\n", j->shared ? "  (shared)" : "");
    }
    if (m->joints > LONGEST_LIST) taut_string_add(out, "  ...\n");
}

static void text_constraints(taut_string *out, const taut_problem *p) {
    const int count = p->system.n - p->first_constraint;
    for (int i = 0; i < count && i < LONGEST_LIST; i++) {
        const taut_equation *e = &p->system.equation[p->first_constraint + i];
        taut_string_add(out, "  %-34s line %d\n", e->name, e->place.line);
    }
    if (count > LONGEST_LIST) taut_string_add(out, "  ...\n");
    if (p->drops == 0) return;
    taut_string_add(out, "redundant, left out: %d\n", p->drops);
    for (int i = 0; i < p->drops; i++)
        taut_string_add(out, "  %-34s line %d\n", p->dropped[i].name, p->dropped[i].place.line);
}

/* Which coordinates these are, where they are not the usual ones. */
static void text_formulation(taut_string *out, const taut_analysis *a, bool minimal) {
    const taut_formulation *formulation = a->prepared.forming.formulation;
    if (minimal && a->mobility >= 0)
        taut_string_add(
            out, "minimal coordinates: %d, found along the way from these equations%s%s\n",
            a->mobility, formulation ? " in " : "", formulation ? formulation->words : "");
    else if (!taut_formulation_is_natural(formulation))
        taut_string_add(out, "in %s\n", formulation->words);
}

/* Elements with modes: what holds at the start. One that lets go has an entry for each equation. */
static void text_modes(taut_string *out, const taut_analysis *a) {
    const taut_model *m = a->prepared.problem->model;
    if (!a->mode) return;
    taut_string_add(out, "modes at the start\n");
    for (int i = 0; i < m->contacts; i++)
        if (m->contact[i].part == 0 && m->contact[i].law == TAUT_NO_NODE)
            taut_string_add(out, "  %-24s %s\n", m->contact[i].name, a->mode[i]);
    taut_string_add(out, "\n");
}

static void json_modes(taut_string *out, const taut_analysis *a) {
    const taut_model *m = a->prepared.problem->model;
    bool first = true;
    if (!a->mode) return;
    taut_string_add(out, ",\n \"modes\": {");
    for (int i = 0; i < m->contacts; i++) {
        if (m->contact[i].part > 0 || m->contact[i].law != TAUT_NO_NODE) continue;
        taut_string_add(out, first ? "" : ", ");
        taut_json_text(out, m->contact[i].name);
        taut_string_add(out, ": ");
        taut_json_text(out, a->mode[i]);
        first = false;
    }
    taut_string_add(out, "}");
}

/* What a person sees: parts, joints, how it can move. */
static void text_mechanism(taut_string *out, const taut_analysis *a) {
    const taut_model *model = a->prepared.problem->model;
    text_bodies(out, model);
    text_joints(out, model->mechanism);
    taut_string_add(out, "\n");
    if (a->patient) taut_diagnosis_text(out, &a->diagnosis);
    if (a->patient) taut_string_add(out, "\n");
}

/* What taut solves: unknowns and equations. */
static void text_equations(taut_string *out, const taut_analysis *a, bool minimal) {
    const taut_problem *p = a->prepared.problem;
    const int n = a->prepared.structure.n;
    taut_string_add(out, "%d equation%s\n", n, n == 1 ? "" : "s");
    text_formulation(out, a, minimal);
    if (p->coordinates == 0) return;
    taut_string_add(out, "coordinates %d:", p->coordinates);
    for (int j = 0; j < p->coordinates && j < LONGEST_LIST; j++)
        taut_string_add(out, " %s", p->system.unknown[j].name);
    taut_string_add(out, "%s\nconstraints %d\n", p->coordinates > LONGEST_LIST ? " ..." : "",
                    n - p->first_constraint);
    if (p->model->mechanism) text_constraints(out, p);
}

static void text_analysis(taut_string *out, const taut_analysis *a, bool minimal) {
    const taut_problem *p = a->prepared.problem;
    const taut_structure *s = &a->prepared.structure;
    taut_string_add(out, "%s%s", p->model->title, p->model->title[0] ? ": " : "");
    if (a->prepared.regular)
        taut_freedom_add(out, p->model, a->mobility, s->offsets.dof);
    else
        taut_string_add(out, "%s", taut_model_kind_name(p->model));
    taut_string_add(out, "\n");
    if (p->model->mechanism) text_mechanism(out, a);
    text_modes(out, a);
    text_equations(out, a, minimal);
    if (!a->prepared.regular) return;
    taut_string_add(out, "structural index %d, independent initial values %ld", s->offsets.index,
                    s->offsets.dof);
    taut_string_add(out, ", %s\n",
                    s->quasilinear ? "linear in the highest derivatives"
                                   : "not linear in the highest derivatives");
    if (!a->applicable)
        taut_string_add(out,
                        "STRUCTURAL ANALYSIS FAILS: the Jacobian is singular at every point\n");
    if (s->n <= WIDEST_TABLEAU)
        text_tableau(out, a);
    else
        text_offsets(out, a);
    text_needed(out, a);
    text_blocks(out, a);
}

/* ---- JSON ---- */

static void json_names(taut_string *out, const char *key, const taut_system *system, int from,
                       int to, bool equations) {
    taut_string_add(out, ",\n \"%s\": [", key);
    for (int i = from; i < to; i++) {
        taut_string_add(out, i > from ? ", " : "");
        taut_json_text(out, equations ? system->equation[i].name : system->unknown[i].name);
    }
    taut_string_add(out, "]");
}

static void json_numbers(taut_string *out, const char *key, const int *item, int count) {
    taut_string_add(out, ",\n \"%s\": [", key);
    for (int i = 0; i < count; i++) taut_string_add(out, "%s%d", i ? ", " : "", item[i]);
    taut_string_add(out, "]");
}

static void json_blocks(taut_string *out, const taut_analysis *a) {
    const taut_blocks *b = &a->prepared.structure.blocks;
    taut_string_add(out, ",\n \"blocks\": [");
    for (int k = 0; k < b->nblocks; k++) {
        taut_string_add(out, "%s{\"equations\": [", k ? ", " : "");
        for (int i = b->block_start[k]; i < b->block_start[k + 1]; i++)
            taut_string_add(out, "%s%d", i > b->block_start[k] ? ", " : "", b->row[i]);
        taut_string_add(out, "], \"variables\": [");
        for (int i = b->block_start[k]; i < b->block_start[k + 1]; i++)
            taut_string_add(out, "%s%d", i > b->block_start[k] ? ", " : "", b->column[i]);
        taut_string_add(out, "]}");
    }
    taut_string_add(out, "]");
}

static void json_analysis(taut_string *out, const taut_analysis *a) {
    const taut_system *system = &a->prepared.problem->system;
    const taut_structure *s = &a->prepared.structure;
    char name[100];
    bool first = true;
    taut_string_add(out, "{\"index\": %d,\n \"dof\": %ld", s->offsets.index, s->offsets.dof);
    if (a->mobility >= 0)
        taut_string_add(out, ",\n \"mobility\": %d", a->mobility);
    else
        taut_string_add(out, ",\n \"mobility\": null");
    taut_string_add(out, ",\n \"quasilinear\": %s", s->quasilinear ? "true" : "false");
    json_names(out, "variables", system, 0, s->n, false);
    json_names(out, "equations", system, 0, s->n, true);
    taut_string_add(out, ",\n \"sigma\": [");
    for (int i = 0; i < s->n; i++)
        for (int k = s->sigma.start[i]; k < s->sigma.start[i + 1]; k++)
            taut_string_add(out, "%s[%d, %d, %d]", k ? ", " : "", i, s->sigma.column[k],
                            s->sigma.order[k]);
    taut_string_add(out, "]");
    json_numbers(out, "c", s->offsets.c, s->n);
    json_numbers(out, "d", s->offsets.d, s->n);
    json_blocks(out, a);
    taut_string_add(out, ",\n \"needed\": [");
    for (int j = 0; j < s->n; j++)
        for (int k = 0; k < taut_needed(s, j); k++, first = false) {
            taut_string_add(out, first ? "" : ", ");
            taut_json_text(out, taut_derivative_name(system, j, k, name, sizeof name));
        }
    taut_string_add(out, "]");
    json_names(out, "coordinates", system, 0, a->prepared.problem->coordinates, false);
    json_names(out, "constraints", system, a->prepared.problem->first_constraint, s->n, true);
    taut_string_add(out, ",\n \"redundant\": [");
    for (int i = 0; i < a->prepared.problem->drops; i++) {
        taut_string_add(out, "%s{\"joint\": ", i ? ", " : "");
        taut_json_text(out, a->prepared.problem->dropped[i].name);
        taut_string_add(out, ", \"line\": %d}", a->prepared.problem->dropped[i].place.line);
    }
    taut_string_add(out, "]");
    json_modes(out, a);
    if (a->patient) taut_string_add(out, ",\n \"doctor\": ");
    if (a->patient) taut_diagnosis_json(out, &a->diagnosis);
    taut_string_add(out, "}\n");
}

/* Where the equations have no regular structure the doctor may still know why. */
static void doctor_alone(taut_string *out, const taut_analysis *a, bool json) {
    if (json) taut_string_add(out, "{\"doctor\": ");
    if (json)
        taut_diagnosis_json(out, &a->diagnosis);
    else
        taut_diagnosis_text(out, &a->diagnosis);
    if (json) taut_string_add(out, "}\n");
}

/* The problem that was analysed, formed once more with how it comes about. */
static taut_status show_build(const taut_model *model, const taut_analysis *a, bool json,
                              taut_string *out, taut_errors *errors) {
    taut_forming forming = a->prepared.forming;
    taut_problem *problem;
    forming.builds = true;
    TAUT_TRY(taut_problem_create_by(model, &forming, &problem, errors));
    if (json)
        taut_build_table_json(out, problem);
    else
        taut_build_table_text(out, problem);
    taut_problem_free(&problem);
    return TAUT_OK;
}

taut_status taut_analyze_build(const taut_model *model, const taut_run_options *options, bool json,
                               char **text, taut_errors *errors) {
    const taut_formulation *as;
    taut_analysis analysis;
    taut_string out = {0};
    const taut_run_options standard = taut_run_options_default();
    TAUT_NEED(text, "text", errors);
    *text = NULL;
    TAUT_NEED(model, "model", errors);
    if (!options) options = &standard;
    TAUT_TRY(taut_options_check(model, options, errors));
    if (model->kind != TAUT_MODEL_MECHANISM)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "options.build is for mechanisms, which have parts; this file gives its "
                         "equations as a %s: leave it out",
                         taut_model_kind_name(model));
    TAUT_TRY(taut_plan_formulation(model, options, &as, errors));
    taut_allowance allowance;
    taut_allowance_begin(&allowance, options);
    taut_status status = taut_analysis_create(model, as, options->cut, &analysis, errors);
    if (status == TAUT_OK) status = show_build(model, &analysis, json, &out, errors);
    status = taut_allowance_end(&allowance, status, errors);
    taut_analysis_release(&analysis);
    if (out.failed) status = TAUT_ERR_MEMORY;
    if (status != TAUT_OK) taut_string_release(&out);
    *text = out.text;
    return status;
}

taut_status taut_analyze(const taut_model *model, bool json, char **text, taut_errors *errors) {
    return taut_analyze_as(model, NULL, json, text, errors);
}

taut_status taut_analyze_as(const taut_model *model, const char *formulation, bool json,
                            char **text, taut_errors *errors) {
    taut_run_options options = taut_run_options_default();
    options.formulation = formulation;
    return taut_analyze_for(model, &options, json, text, errors);
}

taut_status taut_analyze_for(const taut_model *model, const taut_run_options *options, bool json,
                             char **text, taut_errors *errors) {
    const taut_formulation *as;
    taut_analysis analysis;
    taut_string out = {0};
    const taut_run_options standard = taut_run_options_default();
    TAUT_NEED(text, "text", errors);
    *text = NULL;
    TAUT_NEED(model, "model", errors);
    if (!options) options = &standard;
    TAUT_TRY(taut_options_check(model, options, errors));
    /* minimal coordinates are those of the equations of another one */
    TAUT_TRY(taut_plan_formulation(model, options, &as, errors));
    taut_allowance allowance;
    taut_allowance_begin(&allowance, options);
    taut_status status = taut_analysis_create(model, as, options->cut, &analysis, errors);
    if (status == TAUT_OK) status = taut_analysis_modes(model, options->formulation, &analysis);
    status = taut_allowance_end(&allowance, status, errors);
    if (status == TAUT_OK || (status == TAUT_ERR_INPUT && analysis.prepared.regular)) {
        if (json)
            json_analysis(&out, &analysis);
        else
            text_analysis(&out, &analysis, taut_plan_is_minimal(options));
    } else if (status == TAUT_ERR_INPUT && analysis.patient) {
        doctor_alone(&out, &analysis, json);
    }
    if (out.failed) {
        taut_string_release(&out);
        status = TAUT_ERR_MEMORY;
    }
    taut_analysis_release(&analysis);
    *text = out.text;
    return status;
}

void taut_text_free(char **text) {
    if (text) taut_release((void **)text);
}
