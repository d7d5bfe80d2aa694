/* What a linearisation can be asked about, by name: columns and unknowns, with primes. */
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "expr/diff.h"
#include "task/linear.h"

enum { HIGHEST = 6 }; /* derivative that can be asked for */

static int orders_of(const taut_problem *p, const taut_structure *s, const taut_column *c) {
    const bool mechanism = p->model->kind == TAUT_MODEL_MECHANISM;
    if (!c->primes || c->kind == TAUT_COLUMN_ENERGY || c->kind == TAUT_COLUMN_FORCE) return 0;
    const int offset = s->offset[c->node];
    if (mechanism && c->kind != TAUT_COLUMN_SCALAR) return 2;
    return offset > 0 ? offset : 0;
}

taut_status taut_catalogue_create(const taut_problem *p, const taut_structure *s, taut_arena *arena,
                                  taut_catalogue *c) {
    *c = (taut_catalogue){.arena = arena};
    const int reactions = p->reactions ? p->reactions->columns : 0;
    c->item = TAUT_NEW_ARRAY(arena, p->columns + p->system.n + reactions, taut_named);
    if (!c->item) return TAUT_ERR_MEMORY;
    for (int i = 0; i < p->columns; i++)
        c->item[c->count++] = (taut_named){.name = p->column[i].name,
                                           .node = p->column[i].node,
                                           .kind = p->column[i].kind,
                                           .column = true,
                                           .orders = orders_of(p, s, &p->column[i]),
                                           .level = -1};
    for (int j = 0; j < p->system.n; j++) {
        const taut_unknown *x = &p->system.unknown[j];
        bool known = x->passive;
        for (int i = 0; i < p->columns && !known; i++)
            known = strcmp(p->column[i].name, x->name) == 0;
        if (!known && s->offsets.d[j] > 0)
            c->item[c->count++] = (taut_named){.name = x->name,
                                               .node = taut_variable(p->graph, j),
                                               .kind = TAUT_COLUMN_SCALAR,
                                               .orders = s->offsets.d[j],
                                               .level = -1};
    }
    for (int i = 0; i < reactions; i++)
        c->item[c->count++] = (taut_named){.name = p->reactions->column[i].name,
                                           .node = TAUT_NO_NODE,
                                           .kind = TAUT_COLUMN_FORCE,
                                           .column = true,
                                           .level = -1,
                                           .reacts = true,
                                           .reaction = i};
    return TAUT_OK;
}

/* ---- lists ---- */

static taut_status unknown_name(const taut_catalogue *c, const char *option, const char *name,
                                taut_errors *errors) {
    taut_nearest nearest = {.wanted = name};
    for (int i = 0; i < c->count; i++) taut_nearest_offer(&nearest, c->item[i].name);
    return taut_fail(errors, TAUT_ERR_CALL, "options.%s: there is no column '%.80s'%s%s%s", option,
                     name, nearest.best ? "; did you mean '" : "", nearest.best ? nearest.best : "",
                     nearest.best ? "'?" : "");
}

/* Adds a derivative of a quantity, unless it is there already. */
static taut_status add(taut_catalogue *c, int item, int level, int above, taut_picks *picks) {
    char name[TAUT_NAME_MAX + 16];
    for (int i = 0; i < picks->count; i++)
        if (picks->item[i].item == item && picks->item[i].level == level) return TAUT_OK;
    taut_named *q = &c->item[item];
    snprintf(name, sizeof name, "%s%.*s", q->name, level, "''''''''''");
    const char *copy = taut_arena_copy(c->arena, name, strlen(name));
    if (!copy) return TAUT_ERR_MEMORY;
    if (level + above > q->level) q->level = level + above;
    picks->item[picks->count++] = (taut_pick){item, level, copy};
    return TAUT_OK;
}

/* A name of a list, without its primes and points: A.x is Ax. */
typedef struct word {
    char text[TAUT_NAME_MAX + 16];
    int primes;
} word;

static const char *next_word(const char *list, word *w) {
    size_t n = 0;
    w->primes = 0;
    for (; *list && *list != ','; list++) {
        if (*list == '\'') w->primes++;
        if (*list == ' ' || *list == '.' || *list == '\'') continue;
        if (n + 1 < sizeof w->text) w->text[n++] = *list;
    }
    w->text[n] = '\0';
    return *list ? list + 1 : list;
}

/* Is it this name, up to points? */
static bool is_called(const char *own, const char *name) {
    for (; *own; own++) {
        if (*own == '.') continue;
        if (*own != *name) return false;
        name++;
    }
    return *name == '\0';
}

static int find(const taut_catalogue *c, const char *name) {
    for (int i = 0; i < c->count; i++)
        if (is_called(c->item[i].name, name)) return i;
    return -1;
}

taut_status taut_catalogue_read(taut_catalogue *c, const char *list, const char *option, int above,
                                bool rates, taut_picks *picks, taut_errors *errors) {
    int count = 1;
    for (const char *p = list; *p; p++) count += *p == ',';
    picks->count = 0;
    picks->item = TAUT_NEW_ARRAY(c->arena, count * (rates ? HIGHEST : 1), taut_pick);
    if (!picks->item) return TAUT_ERR_MEMORY;
    const int rounds = rates && !strchr(list, '\'') ? HIGHEST : 1;
    for (int round = 0; round < rounds; round++)
        for (const char *p = list; *p;) {
            word w;
            p = next_word(p, &w);
            const int item = find(c, w.text);
            if (item < 0) return unknown_name(c, option, w.text, errors);
            if (w.primes > HIGHEST - 2)
                return taut_fail(errors, TAUT_ERR_CALL, "options.%s: '%s' can have up to %d primes",
                                 option, w.text, HIGHEST - 2);
            if (c->item[item].reacts && (w.primes > 0 || rates))
                return taut_fail(errors, TAUT_ERR_CALL,
                                 "options.%s: '%s' is a force in a joint: it can be an output, "
                                 "without primes",
                                 option, c->item[item].name);
            const int most = c->item[item].orders > 0 ? c->item[item].orders : 1;
            if (round > 0 && round >= most) continue;
            TAUT_TRY(add(c, item, w.primes + round, above, picks));
        }
    return TAUT_OK;
}

taut_status taut_catalogue_candidates(taut_catalogue *c, taut_picks *picks) {
    int count = 0, highest = 0;
    for (int i = 0; i < c->count; i++) {
        count += c->item[i].orders;
        if (c->item[i].orders > highest) highest = c->item[i].orders;
    }
    picks->count = 0;
    picks->item = TAUT_NEW_ARRAY(c->arena, count, taut_pick);
    if (!picks->item) return TAUT_ERR_MEMORY;
    for (int level = 0; level < highest; level++)
        for (int i = 0; i < c->count; i++)
            if (level < c->item[i].orders && c->item[i].kind != TAUT_COLUMN_OUTPUT)
                TAUT_TRY(add(c, i, level, 1, picks));
    return TAUT_OK;
}

taut_status taut_catalogue_elements(taut_catalogue *c, taut_picks *picks) {
    picks->count = 0;
    picks->item = TAUT_NEW_ARRAY(c->arena, c->count + 1, taut_pick);
    if (!picks->item) return TAUT_ERR_MEMORY;
    for (int i = 0; i < c->count; i++) {
        const taut_named *q = &c->item[i];
        const bool element = q->kind == TAUT_COLUMN_POINT || q->kind == TAUT_COLUMN_VECTOR;
        if (q->column && element) TAUT_TRY(add(c, i, 0, 0, picks));
    }
    return TAUT_OK;
}

taut_status taut_catalogue_unknowns(taut_catalogue *c, const taut_system *system,
                                    taut_picks *picks) {
    int count = 0;
    for (int i = 0; i < c->count; i++) count += c->item[i].orders;
    picks->count = 0;
    picks->item = TAUT_NEW_ARRAY(c->arena, count + 1, taut_pick);
    if (!picks->item) return TAUT_ERR_MEMORY;
    for (int level = 0; level < HIGHEST; level++)
        for (int j = 0; j < system->n; j++) {
            const taut_node x = taut_variable(system->graph, j);
            for (int i = 0; i < c->count && !system->unknown[j].passive; i++) {
                if (c->item[i].node != x || level >= c->item[i].orders) continue;
                TAUT_TRY(add(c, i, level, 0, picks));
                break;
            }
        }
    return TAUT_OK;
}

/* ---- ties ---- */

taut_status taut_linear_ties(const taut_problem *p, taut_arena *arena, taut_tie **tie, int *ties) {
    const taut_system *s = &p->system;
    *ties = 0;
    *tie = TAUT_NEW_ARRAY(arena, s->n, taut_tie);
    if (!*tie) return TAUT_ERR_MEMORY;
    for (int j = 0; j < s->n; j++) {
        const taut_node_data *d = taut_node_get(p->graph, s->equation[j].node);
        const bool angle = j >= p->coordinates && j < p->coordinates + p->angles;
        const bool phase = p->model->kind == TAUT_MODEL_MECHANISM && d->op == TAUT_OP_DIFF;
        if (s->unknown[j].passive) (*tie)[(*ties)++] = (taut_tie){j, true, TAUT_NO_NODE};
        if ((angle || phase) && !s->unknown[j].passive)
            (*tie)[(*ties)++] = (taut_tie){
                j, false, angle ? taut_problem_angle_off(p, j - p->coordinates) : TAUT_NO_NODE};
    }
    return TAUT_OK;
}

/* ---- inputs ---- */

/* dp/dq of a parameter's formula, for all parameters q, into row. */
static taut_status formula_partials(taut_sweep *sweep, taut_graph *graph, taut_node formula,
                                    int parameters, double *row) {
    memset(row, 0, (size_t)parameters * sizeof *row);
    TAUT_TRY(taut_sweep_of(sweep, TAUT_SWEEP_EVERY, formula));
    for (size_t k = 0; k < taut_sweep_reached(sweep); k++) {
        const taut_node_data *d = taut_node_get(graph, taut_sweep_variable(sweep, k));
        if (d->op == TAUT_OP_PARAM && d->index < parameters)
            row[d->index] = taut_node_get(graph, taut_sweep_adjoint(sweep, k))->value;
    }
    return TAUT_OK;
}

taut_status taut_linear_weigh(const taut_model *m, taut_graph *graph, const int *parameter,
                              int inputs, taut_arena *arena, double **weight) {
    const int n = m->parameters;
    taut_sweep *sweep;
    double *row = TAUT_NEW_ARRAY(arena, n * n + 1, double);
    *weight = TAUT_NEW_ARRAY(arena, inputs * n + 1, double);
    if (!row || !*weight) return TAUT_ERR_MEMORY;
    if (inputs == 0) return TAUT_OK;
    TAUT_TRY(taut_sweep_create(graph, &sweep));
    taut_sweep_by_parameters(sweep, true);
    taut_status status = TAUT_OK;
    for (int p = 0; p < n && status == TAUT_OK; p++)
        if (m->parameter_formula[p] != TAUT_NO_NODE)
            status = formula_partials(sweep, graph, m->parameter_formula[p], n, row + p * n);
    taut_sweep_free(&sweep);
    for (int u = 0; u < inputs; u++) {
        double *w = *weight + u * n;
        for (int round = 0; round < n; round++) /* chains are no longer than this */
            for (int p = 0; p < n; p++) {
                w[p] = p == parameter[u] ? 1.0 : 0.0;
                for (int q = 0; q < n && p != parameter[u]; q++) w[p] += row[p * n + q] * w[q];
            }
    }
    return status;
}
