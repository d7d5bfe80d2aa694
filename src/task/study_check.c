/* Names in a model's section Study, checked against what the model has, with the places where they
 * stand. Equations are formed for that, nothing is assembled. */
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "form/assemble.h"
#include "form/reaction.h"
#include "model/reader.h"
#include "core/roster.h"
#include "task/goals.h"
#include "task/simulation.h"
#include "task/tryout.h"
#include "taut/model.h"

/* What is known of the model, and what was found wrong. */
typedef struct check {
    const taut_model *model;
    const taut_problem *problem;
    const taut_yaml *study;
    taut_roster parameter, column; /* by name: the number of the column */
    taut_status status;
    taut_errors *errors;
} check;

/* So that very many names are looked up in a time that grows with their number only. */
static taut_status list_names(check *c, taut_arena *arena) {
    const taut_yaml *root = c->model->root;
    for (int s = 0; s < taut_parameter_maps(root); s++) {
        const taut_yaml *map = taut_parameter_map(root, s);
        for (int i = 0; map && map->kind == TAUT_YAML_MAPPING && i < map->count; i++)
            TAUT_TRY(taut_roster_put(&c->parameter, arena, map->keys[i]->text, 0));
    }
    for (int i = 0; i < c->problem->columns; i++)
        TAUT_TRY(taut_roster_put(&c->column, arena, c->problem->column[i].name, i));
    return TAUT_OK;
}

/* Where there is no room for more messages, near names need not be searched for. */
static bool is_full(const check *c) { return c->errors && c->errors->dropped > 0; }

static void blame(check *c, taut_place place, const char *what, const char *name,
                  const char *nearest) {
    c->status = taut_fail_at(c->errors, TAUT_ERR_INPUT, place, "there is no %s '%.80s'%s%s%s", what,
                             name, nearest ? "; did you mean '" : "", nearest ? nearest : "",
                             nearest ? "'?" : "");
}

/* ---- names ---- */

/* Is it a column, derivatives aside? */
static bool is_column(const check *c, const char *name, taut_nearest *nearest) {
    const taut_problem *p = c->problem;
    char plain[2 * TAUT_NAME_MAX];
    snprintf(plain, sizeof plain, "%.*s", (int)strcspn(name, "'"), name);
    const int at = taut_roster_get(&c->column, plain);
    if (strcmp(name, "t") == 0 || taut_roster_get(&c->column, name) >= 0) return true;
    if (at >= 0 && p->column[at].primes) return true;
    if (is_full(c)) return false;
    for (int i = 0; i < p->columns; i++)
        if (taut_is_column(p->column[i].name, p->column[i].primes ? plain : name)) return true;
    for (int i = 0; p->reactions && i < p->reactions->columns; i++)
        if (taut_is_column(p->reactions->column[i].name, name)) return true;
    for (int i = 0; i < p->columns; i++) taut_nearest_offer(nearest, p->column[i].name);
    for (int i = 0; p->reactions && i < p->reactions->columns; i++)
        taut_nearest_offer(nearest, p->reactions->column[i].name);
    return false;
}

static void check_column(check *c, const char *name, taut_place place) {
    taut_nearest nearest = {.wanted = name};
    if (!is_column(c, name, &nearest)) blame(c, place, "column", name, nearest.best);
}

static void check_variable(check *c, const char *name, taut_place place) {
    taut_nearest nearest = {.wanted = name};
    if (taut_roster_get(&c->parameter, name) >= 0) return;
    if (c->model->mechanism ? is_column(c, name, &nearest)
                            : taut_model_check_initial(c->model, name, NULL) == TAUT_OK)
        return;
    for (int i = 0; i < c->problem->columns && !is_full(c); i++)
        taut_nearest_offer(&nearest, c->problem->column[i].name);
    for (int i = 0; i < c->model->parameters && !is_full(c); i++)
        if (c->model->parameter_name[i]) taut_nearest_offer(&nearest, c->model->parameter_name[i]);
    blame(c, place, "parameter, no input and no variable", name, nearest.best);
}

/* The names of a list or of a mapping's keys. */
static void check_list(check *c, const char *key, void (*look)(check *, const char *, taut_place)) {
    const taut_yaml *list = taut_yaml_get(c->study, key);
    for (int i = 0; list && list->kind != TAUT_YAML_SCALAR && i < list->count; i++) {
        const taut_yaml *name = list->kind == TAUT_YAML_MAPPING ? list->keys[i] : list->items[i];
        if (name->kind == TAUT_YAML_SCALAR) look(c, name->text, taut_yaml_place(name));
    }
}

/* ---- goals ---- */

static void check_goal(check *c, const taut_goal *goal, const taut_figure *figure, int figures) {
    for (int i = 0; i < figures; i++) {
        const taut_figure *f = &figure[i];
        if (!strstr(goal->text, f->name)) continue;
        const bool event = f->kind == TAUT_FIGURE_FIRST || f->kind == TAUT_FIGURE_COUNT;
        if (event && !taut_model_has_event(c->model, f->column))
            blame(c, goal->place, "event or contact", f->column, NULL);
        if (!event && f->column) check_column(c, f->column, goal->place);
    }
}

/* All results are of the one list of the goals; each goal is blamed for those in its text. */
static taut_status check_goals(check *c, taut_arena *arena) {
    const taut_model_study *s = &c->model->study;
    if (!s->goal.text) return TAUT_OK;
    taut_goals *goals = NULL;
    taut_goal *goal = TAUT_NEW_ARRAY(arena, s->limits + 1, taut_goal);
    const char **name = TAUT_NEW_ARRAY(arena, s->variables + 1, const char *);
    if (!goal || !name) return TAUT_ERR_MEMORY;
    goal[0] = s->goal;
    for (int i = 0; i < s->limits; i++) goal[1 + i] = s->limit[i];
    for (int i = 0; i < s->variables; i++) name[i] = s->variable[i].name;
    int figures;
    TAUT_TRY(
        taut_goals_create(c->model, goal, 1 + s->limits, name, s->variables, &goals, c->errors));
    const taut_figure *figure = taut_goals_figures(goals, &figures);
    for (int i = 0; i <= s->limits; i++) check_goal(c, &goal[i], figure, figures);
    taut_goals_free(&goals);
    return TAUT_OK;
}

static void check_experiments(check *c) {
    const taut_yaml *all = taut_yaml_get(c->study, "Experiments");
    for (int i = 0; all && all->kind == TAUT_YAML_MAPPING && i < all->count; i++) {
        check one = *c;
        one.study = all->items[i];
        check_list(&one, "Set", check_variable);
        c->status = one.status;
    }
}

static taut_status check_study(const taut_model *model, const taut_problem *problem,
                               taut_errors *errors) {
    taut_arena arena = {0};
    check c = {.model = model,
               .problem = problem,
               .study = taut_yaml_get(model->root, "Study"),
               .errors = errors};
    if (!c.study || c.study->kind != TAUT_YAML_MAPPING) return TAUT_OK;
    taut_status status = list_names(&c, &arena);
    if (status != TAUT_OK) {
        taut_arena_release(&arena);
        return status;
    }
    check_list(&c, "Variables", check_variable);
    check_list(&c, "Weights", check_column);
    check_list(&c, "Biases", check_column);
    check_list(&c, "States", check_column);
    check_experiments(&c);
    status = check_goals(&c, &arena);
    taut_arena_release(&arena);
    return c.status == TAUT_OK ? status : c.status;
}

taut_status taut_model_check(const taut_model *model, taut_errors *errors) {
    TAUT_NEED(model, "model", errors);
    const taut_forming forming = {.reactions =
                                      model->mechanism && taut_yaml_get(model->root, "Study")};
    taut_problem *problem;
    taut_status status = taut_problem_create_by(model, &forming, &problem, errors);
    if (status == TAUT_OK) status = check_study(model, problem, errors);
    taut_problem_free(&problem);
    return status;
}
