/* Kinematics: the table of positions along a driven coordinate or for targets, and what there is to
 * say of them (docs/math/kinematics.md). */
#include "task/kinematics.h"

#include <math.h>
#include <string.h>

#include "core/number.h"
#include "expr/pattern.h"
#include "task/allowance.h"
#include "task/axis.h"

enum { COOKIE = 0x7a0731, MOST_BRANCHES = 64, ORDERS = 3, USUAL_STARTS = 24, MOST_STARTS = 100000 };
static const double REACHED = 1e-9; /* of a target, by the size of the mechanism */
static const double TURN = 2.0 * 3.14159265358979323846;

taut_kinematics_options taut_kinematics_options_default(void) {
    return (taut_kinematics_options){.cookie = COOKIE, .derivatives = 1};
}

/* A column of the table: one that has derivatives by the driven coordinate. */
typedef struct shown {
    const taut_column *column;
    int orders; /* derivatives 0 .. orders-1 are shown, */
    int first;  /* ... from this target on */
} shown;

typedef struct job {
    const taut_kinematics_options *options;
    taut_kinematics *k;
    taut_linkage l;
    taut_lines lines;
    taut_arena arena;
    taut_study_axis axis; /* of the driven coordinate */
    shown *column;        /* [columns] */
    int columns;
    taut_values table; /* their values */
    double *value;     /* [targets] */
    int targets;
    double *z, *first, *second, *trial;
    double (*before)[2]; /* [columns] value and rate at the position before */
    taut_errors *errors;
} job;

/* ---- columns ---- */

/* How many derivatives of a column z, z' and z'' tell; 0: none. */
static taut_status orders_of(job *j, const taut_column *c, int *orders) {
    const taut_pattern_entry *entry;
    taut_pattern *pattern;
    size_t count = 0;
    int highest = 0;
    *orders = 0;
    if (c->kind == TAUT_COLUMN_FORCE || c->kind == TAUT_COLUMN_ENERGY ||
        c->kind == TAUT_COLUMN_REACTION)
        return TAUT_OK;
    TAUT_TRY(taut_pattern_create(j->l.problem->graph, &pattern));
    const taut_status status = taut_pattern_row(pattern, c->node, &entry, &count);
    for (size_t i = 0; i < count && status == TAUT_OK; i++)
        if (entry[i].variable >= j->l.n)
            highest = ORDERS;
        else if (entry[i].order > highest)
            highest = entry[i].order;
    taut_pattern_free(&pattern);
    const int most = c->primes && j->k->drive ? j->options->derivatives + 1 : 1;
    *orders = ORDERS - highest < most ? ORDERS - highest : most;
    if (*orders < 0 || (highest > 0 && !j->k->drive)) *orders = 0;
    return status;
}

static taut_status name_columns(job *j) {
    taut_result *r = j->k->result;
    int at = 0;
    r->name[at++] = "t";
    for (int i = 0; i < j->columns; i++)
        for (int k = 0; k < j->column[i].orders; k++, at++) {
            char name[TAUT_NAME_MAX + 16];
            taut_format(name, sizeof name, "%s%.*s", j->column[i].column->name, k, "''");
            r->role[at] = (taut_column_role){j->column[i].column->kind, k};
            if (!(r->name[at] = taut_arena_copy(&r->arena, name, strlen(name))))
                return TAUT_ERR_MEMORY;
        }
    for (int i = 0; i < j->lines.transmissions && j->k->drive; i++, at++) {
        char name[TAUT_NAME_MAX + 16];
        taut_format(name, sizeof name, "transmission_%s",
                    taut_lines_transmission_name(&j->lines, i));
        r->role[at] = (taut_column_role){TAUT_COLUMN_ANGLE, 0};
        if (!(r->name[at] = taut_arena_copy(&r->arena, name, strlen(name)))) return TAUT_ERR_MEMORY;
    }
    if (j->options->starts > 0) r->name[at] = "branch";
    return TAUT_OK;
}

static taut_status make_table(job *j) {
    const taut_problem *p = j->l.problem;
    int *d = TAUT_NEW_ARRAY(&j->arena, p->variables, int);
    taut_node *target = TAUT_NEW_ARRAY(&j->arena, ORDERS * p->columns + 1, taut_node);
    j->column = TAUT_NEW_ARRAY(&j->arena, p->columns + 1, shown);
    j->value = TAUT_NEW_ARRAY(&j->arena, ORDERS * p->columns + 1, double);
    j->before = taut_arena_array(&j->arena, (size_t)p->columns + 1, sizeof *j->before);
    if (!d || !target || !j->column || !j->value || !j->before) return TAUT_ERR_MEMORY;
    for (int i = 0; i < p->variables; i++) d[i] = 2;
    for (int i = 0; i < p->columns; i++) {
        int orders, shows;
        TAUT_TRY(orders_of(j, &p->column[i], &orders));
        if (orders == 0) continue;
        shows = orders;
        j->column[j->columns++] = (shown){&p->column[i], shows, j->targets};
        for (int k = 0; k < shows; k++)
            target[j->targets++] = taut_dot(p->graph, p->column[i].node, k);
    }
    const taut_values_wanted wanted = {.target = target, .targets = (size_t)j->targets};
    TAUT_TRY(taut_values_create(p->graph, d, p->variables, wanted, &j->l.arena, &j->table));
    taut_linkage_hold(&j->l, &j->table);
    const int all = 1 + j->targets + (j->k->drive ? j->lines.transmissions : 0) +
                    (j->options->starts > 0 ? 1 : 0);
    TAUT_TRY(taut_result_create(all, &j->k->result));
    return name_columns(j);
}

/* Values of all columns at z, with derivatives if there are any. */
static void look(job *j, const double *z, const double *first, const double *second) {
    taut_linkage_put(&j->l, &j->table, 0, z);
    if (first) taut_linkage_put(&j->l, &j->table, 1, first);
    if (second) taut_linkage_put(&j->l, &j->table, 2, second);
    taut_values_find(&j->table, j->l.t, j->value);
}

static taut_status add_row(job *j, double t, int branch) {
    double *row = taut_result_add_row(j->k->result);
    if (!row) return TAUT_ERR_MEMORY;
    *row++ = t;
    memcpy(row, j->value, (size_t)j->targets * sizeof *row);
    row += j->targets;
    for (int i = 0; i < j->lines.transmissions && j->k->drive; i++)
        *row++ = taut_lines_transmission(&j->lines, i);
    if (j->options->starts > 0) *row = (double)branch;
    return TAUT_OK;
}

/* ---- notes ---- */

static taut_status add_turning(job *j, const double *z, taut_turn_back turning) {
    taut_kinematics *k = j->k;
    if (taut_grow((void **)&k->turning, &k->turning_room, k->turnings + 1, sizeof *k->turning))
        return TAUT_ERR_MEMORY;
    taut_lines_see(&j->l, &j->lines, z);
    TAUT_TRY(taut_lines_name(&j->lines, &k->arena, &turning.words));
    turning.what = taut_arena_copy(&k->arena, turning.what, strlen(turning.what));
    if (!turning.what) return TAUT_ERR_MEMORY;
    k->turning[k->turnings++] = turning;
    return TAUT_OK;
}

/* Of what range and turning points are told: coordinates. */
static bool is_coordinate(const shown *c) {
    return c->column->kind == TAUT_COLUMN_ANGLE || c->column->kind == TAUT_COLUMN_SCALAR;
}

static taut_motion_range *find_range(job *j, const char *what, bool angle, int branch, double value,
                                     double at) {
    taut_kinematics *k = j->k;
    for (size_t i = k->ranges; i-- > 0 && k->range[i].branch == branch;)
        if (strcmp(k->range[i].what, what) == 0) return &k->range[i];
    if (taut_grow((void **)&k->range, &k->range_room, k->ranges + 1, sizeof *k->range)) return NULL;
    const char *name = taut_arena_copy(&k->arena, what, strlen(what));
    if (!name) return NULL;
    k->range[k->ranges] = (taut_motion_range){name, angle, branch, value, value, at, at};
    return &k->range[k->ranges++];
}

static taut_status note_range(job *j, const char *what, bool angle, int branch, double value,
                              double at) {
    taut_motion_range *r = find_range(j, what, angle, branch, value, at);
    if (!r) return TAUT_ERR_MEMORY;
    if (value < r->low) {
        r->low = value;
        r->low_at = at;
    }
    if (value > r->high) {
        r->high = value;
        r->high_at = at;
    }
    return TAUT_OK;
}

/* The rate of a column where the driven coordinate is s, from the position j->z at *from. */
static bool rate_at(job *j, const shown *c, double from, double s, double *rate) {
    double at = from;
    memcpy(j->trial, j->z, (size_t)j->l.n * sizeof *j->trial);
    if (taut_path_advance(&j->l, j->trial, &at, s) != TAUT_OK) return false;
    taut_linkage_look(&j->l, j->trial);
    if (taut_linkage_rates(&j->l, j->first, j->second) != TAUT_OK) return false;
    look(j, j->trial, j->first, j->second);
    *rate = j->value[c->first + 1];
    return true;
}

/* The rate has changed its sign between a, where j->z is, and b: where? */
static taut_status note_turning(job *j, const shown *c, double a, double b, const double ends[2],
                                int branch) {
    const double from = a;
    double fa = ends[0], fb = ends[1], rate = 0.0, s = a;
    for (int i = 0; i < 100; i++) {
        double next = (a * fb - b * fa) / (fb - fa);
        if (i % 3 == 2 || !((next - a) * (next - b) < 0.0)) next = 0.5 * (a + b);
        if (next == a || next == b) break;
        s = next;
        if (!rate_at(j, c, from, s, &rate)) return TAUT_OK;
        if (rate == 0.0) break;
        if ((rate > 0.0) == (fa > 0.0)) {
            a = s;
            fa = rate;
        } else {
            b = s;
            fb = rate;
        }
        if (fabs(b - a) <= 4e-16 * fmax(fabs(a), fabs(b))) break;
    }
    const double value = j->value[c->first];
    TAUT_TRY(
        note_range(j, c->column->name, c->column->kind == TAUT_COLUMN_ANGLE, branch, value, s));
    return add_turning(j, j->trial,
                       (taut_turn_back){c->column->name, false, branch, s, value, NULL});
}

/* After look: ranges, and what has turned back since the position before (at s0; none: NaN). */
static taut_status note_position(job *j, double s, int branch) {
    for (int i = 0; i < j->columns; i++) {
        const shown *c = &j->column[i];
        if (is_coordinate(c) && strcmp(c->column->name, j->k->drive) != 0)
            TAUT_TRY(note_range(j, c->column->name, c->column->kind == TAUT_COLUMN_ANGLE, branch,
                                j->value[c->first], s));
    }
    for (int i = 0; i < j->lines.transmissions; i++) {
        char name[TAUT_NAME_MAX + 16];
        taut_format(name, sizeof name, "transmission_%s",
                    taut_lines_transmission_name(&j->lines, i));
        TAUT_TRY(note_range(j, name, true, branch, taut_lines_transmission(&j->lines, i), s));
    }
    return TAUT_OK;
}

/* ---- along the driven coordinate ---- */

/* Everything at j->z, where the driven coordinate is s. TAUT_SINGULAR: it is a dead point. */
static taut_status see(job *j, double s, int branch) {
    taut_linkage_look(&j->l, j->z);
    TAUT_TRY(taut_linkage_rates(&j->l, j->first, j->second));
    look(j, j->z, j->first, j->second);
    taut_lines_see(&j->l, &j->lines, j->z);
    TAUT_TRY(note_position(j, s, branch));
    return add_row(j, s, branch);
}

/* Between position i, which j->z still is, and the next one, which was seen: what turned back? */
static taut_status see_between(job *j, double s, double next, int branch) {
    for (int i = 0; i < j->columns; i++) {
        const shown *c = &j->column[i];
        if (!is_coordinate(c) || c->orders < 2 || strcmp(c->column->name, j->k->drive) == 0)
            continue;
        const double ends[2] = {j->before[i][0], j->before[i][1]};
        if (ends[0] * ends[1] < 0.0) TAUT_TRY(note_turning(j, c, s, next, ends, branch));
    }
    return TAUT_OK;
}

static void keep_rates(job *j, int end) {
    for (int i = 0; i < j->columns; i++)
        if (j->column[i].orders >= 2) j->before[i][end] = j->value[j->column[i].first + 1];
}

static taut_status end_way(job *j, double s, double to, int branch) {
    bool found;
    double at = s;
    TAUT_TRY(taut_path_dead_point(&j->l, j->z, &at, to - s, &found));
    taut_turn_back dead = {j->k->drive, true, branch, at, at, NULL};
    if (found) return add_turning(j, j->z, dead);
    dead.at = dead.value = s;
    return add_turning(j, j->z, dead);
}

/* From the first value on, as far as the assembly in j->z goes. */
static taut_status walk(job *j, int branch, bool *complete) {
    const size_t bytes = (size_t)j->l.n * sizeof(double);
    double *next = TAUT_NEW_ARRAY(&j->arena, j->l.n + 1, double);
    if (!next) return TAUT_ERR_MEMORY;
    *complete = false;
    taut_status status = see(j, j->axis.value[0], branch);
    keep_rates(j, 0);
    for (long i = 1; i < j->axis.count && status == TAUT_OK; i++) {
        const double s = j->axis.value[i - 1], to = j->axis.value[i];
        double at = s;
        memcpy(next, j->z, bytes);
        status = taut_path_advance(&j->l, next, &at, to);
        if (status == TAUT_OK) {
            double *old = j->z;
            j->z = next;
            next = old;
            status = see(j, to, branch);
            keep_rates(j, 1);
            old = j->z;
            j->z = next;
            next = old;
            if (status == TAUT_OK) status = see_between(j, s, to, branch);
            for (int c = 0; c < j->columns; c++) j->before[c][0] = j->before[c][1];
        }
        memcpy(j->z, next, bytes);
        if (status == TAUT_SINGULAR) return end_way(j, at, to, branch);
    }
    *complete = status == TAUT_OK;
    return status == TAUT_SINGULAR ? end_way(j, j->axis.value[0], j->axis.value[1], branch)
                                   : status;
}

/* Angles of an assembly that was found from a random position: less than a half-turn. */
static void wind_back(job *j, double *z) {
    const taut_problem *p = j->l.problem;
    for (int k = 0; k < p->angles; k++) {
        const int i = p->coordinates + k;
        if (j->l.row[j->l.conditions] != taut_variable(p->graph, i))
            z[i] -= TURN * round(z[i] / TURN);
    }
}

/* Assemblies [MOST_BRANCHES][n] at the first value; *count. */
static taut_status find_branches(job *j, double **branch, int *count) {
    taut_linkage *l = &j->l;
    const size_t n = (size_t)l->n;
    const double first = j->axis.value[0];
    taut_linkage_look(l, l->z);
    double s = l->value[l->conditions];
    *branch = TAUT_NEW_ARRAY(&j->arena, MOST_BRANCHES * n + 1, double);
    if (!*branch) return TAUT_ERR_MEMORY;
    *count = 0;
    memcpy(*branch, l->z, n * sizeof **branch);
    taut_status status = taut_path_advance(l, *branch, &s, first);
    if (status == TAUT_ERR_MEMORY) return status;
    if (status == TAUT_OK) ++*count;
    for (int i = 0; i < j->options->starts && *count < MOST_BRANCHES; i++) {
        double *z = *branch + (size_t)*count * n;
        bool known = false;
        taut_path_shuffle(l, i, z);
        if (taut_linkage_correct(l, (taut_linkage_goal){.value = &first}, z, NULL) != TAUT_OK)
            continue;
        wind_back(j, z);
        for (int k = 0; k < *count && !known; k++)
            known = taut_path_is_same(l, *branch + (size_t)k * n, z);
        if (!known) ++*count;
    }
    if (*count > 0) return TAUT_OK;
    /* how far does it go? */
    memcpy(j->z, l->z, n * sizeof *j->z);
    taut_linkage_look(l, l->z);
    s = l->value[l->conditions];
    taut_path_advance(l, j->z, &s, first);
    TAUT_TRY(end_way(j, s, first, 1));
    const taut_turn_back *dead = &j->k->turning[j->k->turnings - 1];
    return taut_fail(j->errors, TAUT_ERR_CALL,
                     "%s = %.10g cannot be reached: dead point at %s = %.10g%s%s", j->k->drive,
                     first, j->k->drive, dead->at, dead->words[0] ? ": " : "", dead->words);
}

static taut_status check_freedoms(job *j) {
    taut_linkage *l = &j->l;
    double *basis = TAUT_NEW_ARRAY(&j->arena, (size_t)l->n * (size_t)l->n + 1, double);
    int free;
    if (!basis) return TAUT_ERR_MEMORY;
    taut_linkage_look(l, l->z);
    TAUT_TRY(taut_linkage_freedoms(l, basis, &free));
    if (free == 1) return TAUT_OK;
    if (free == 0)
        return taut_fail(j->errors, TAUT_ERR_CALL, "'%s' cannot be driven: nothing can move",
                         j->k->drive);
    return taut_fail(j->errors, TAUT_ERR_CALL,
                     "driving '%s' leaves %d of %d freedoms open: give the others 'Drivers', which "
                     "then stay at their values of the start",
                     j->k->drive, free - 1, free);
}

static taut_status drive(job *j) {
    double *branch;
    int count;
    bool complete = false, first = false;
    TAUT_TRY(check_freedoms(j));
    TAUT_TRY(find_branches(j, &branch, &count));
    for (int k = 0; k < count; k++) {
        memcpy(j->z, branch + (size_t)k * (size_t)j->l.n, (size_t)j->l.n * sizeof *j->z);
        TAUT_TRY(walk(j, k + 1, &complete));
        if (k == 0) first = complete;
    }
    j->k->branches = count;
    if (first) return TAUT_OK;
    for (size_t i = 0; i < j->k->turnings; i++) {
        const taut_turn_back *t = &j->k->turning[i];
        if (t->dead && t->branch == 1)
            return taut_fail(j->errors, TAUT_STEP_COLLAPSED,
                             "dead point at %s = %.10g%s%s: %.10g "
                             "cannot be reached",
                             t->what, t->at, t->words[0] ? ": " : "", t->words,
                             j->axis.value[j->axis.count - 1]);
    }
    return TAUT_STEP_COLLAPSED;
}

/* ---- targets ---- */

static taut_status reach_one(job *j, const char *target, const double *wanted, int number) {
    taut_linkage *l = &j->l;
    const size_t n = (size_t)l->n;
    const int starts = j->options->starts > 0 ? j->options->starts : USUAL_STARTS;
    double *found = TAUT_NEW_ARRAY(&j->arena, MOST_BRANCHES * n + 1, double), size = 0.0;
    taut_reach reach = {.target = target, .distance = HUGE_VAL};
    if (!found) return TAUT_ERR_MEMORY;
    for (int i = 0; i < l->n; i++) size = fmax(size, l->size[i]);
    for (int i = -1; i < starts && reach.positions < MOST_BRANCHES; i++) {
        double *z = found + (size_t)reach.positions * n, distance;
        bool known = false;
        memcpy(z, l->z, n * sizeof *z);
        if (i >= 0) taut_path_shuffle(l, i, z);
        const taut_status status = taut_reach_towards(l, wanted, z, &distance);
        if (status == TAUT_ERR_MEMORY) return status;
        if (status != TAUT_OK || !isfinite(distance)) continue;
        reach.distance = fmin(reach.distance, distance);
        if (!(distance <= REACHED * size)) continue;
        for (int k = 0; k < reach.positions && !known; k++)
            known = taut_path_is_same(l, found + (size_t)k * n, z);
        if (known || (reach.positions > 0 && j->options->starts == 0)) continue;
        reach.positions++;
        wind_back(j, z);
        look(j, z, NULL, NULL);
        TAUT_TRY(add_row(j, (double)number, reach.positions));
    }
    taut_kinematics *k = j->k;
    if (taut_grow((void **)&k->reach, &k->reach_room, k->reaches + 1, sizeof *k->reach))
        return TAUT_ERR_MEMORY;
    k->reach[k->reaches++] = reach;
    return TAUT_OK;
}

/* ---- what is asked for ---- */

/* "phi=0..360deg:361" */
static taut_status read_drive(job *j, const char **name) {
    const char *text = j->options->drive, *equals = strchr(text, '=');
    char *copy = equals ? taut_arena_copy(&j->k->arena, text, (size_t)(equals - text)) : NULL;
    taut_errors *own = TAUT_NEW(&j->arena, taut_errors);
    if (!own || (equals && !copy)) return TAUT_ERR_MEMORY;
    if (!equals || equals == text || !strstr(equals, ".."))
        return taut_fail(j->errors, TAUT_ERR_CALL,
                         "options.drive = \"%s\": write COORDINATE=FROM..TO:N, as in "
                         "phi=0..360deg:361",
                         text);
    *name = copy;
    const taut_status status = taut_axis_read(copy, equals + 1, &j->arena, &j->axis, own);
    if (status == TAUT_ERR_CALL)
        return taut_fail(j->errors, TAUT_ERR_CALL,
                         "options.drive = \"%s\": write "
                         "COORDINATE=FROM..TO:N, as in phi=0..360deg:361",
                         text);
    return status;
}

/* "A=1,2": the names of the components, and numbers. */
static taut_status read_target(job *j, const char *text, const char **name, double *wanted,
                               int *count) {
    const taut_study_axis *axis;
    const char *equals = strchr(text, '=');
    taut_study_axis values = {0};
    taut_errors *own = TAUT_NEW(&j->arena, taut_errors);
    if (!own) return TAUT_ERR_MEMORY;
    if (!equals || equals == text || strstr(equals, "..") ||
        taut_axis_read("target", equals + 1, &j->arena, &values, own) != TAUT_OK ||
        values.kind != TAUT_AXIS_LIST || values.count > 3)
        return taut_fail(j->errors, TAUT_ERR_CALL,
                         "options.reach = \"%s\": write POINT=X,Y or COORDINATE=VALUE", text);
    axis = &values;
    *count = (int)axis->count;
    for (int i = 0; i < *count; i++) {
        char full[TAUT_NAME_MAX + 8];
        taut_format(full, sizeof full, "%.*s%s", (int)(equals - text), text,
                    *count == 1 ? ""
                    : i == 0    ? "x"
                    : i == 1    ? "y"
                                : "z");
        name[i] = taut_arena_copy(&j->arena, full, strlen(full));
        wanted[i] = axis->value[i];
        if (!name[i]) return TAUT_ERR_MEMORY;
    }
    return TAUT_OK;
}

static taut_status prepare(job *j, const taut_model *m, const char *const *name, int names) {
    taut_linkage_release(&j->l);
    if (m->velocity_constraints.count > 0)
        return taut_fail(j->errors, TAUT_ERR_CALL,
                         "'VelocityConstraints' do not say where the mechanism is: its positions "
                         "depend on the way");
    TAUT_TRY(taut_linkage_open(m, name, names, &j->l, j->errors));
    j->z = TAUT_NEW_ARRAY(&j->l.arena, j->l.n + 1, double);
    j->first = TAUT_NEW_ARRAY(&j->l.arena, j->l.n + 1, double);
    j->second = TAUT_NEW_ARRAY(&j->l.arena, j->l.n + 1, double);
    j->trial = TAUT_NEW_ARRAY(&j->l.arena, j->l.n + 1, double);
    if (!j->z || !j->first || !j->second || !j->trial) return TAUT_ERR_MEMORY;
    return taut_lines_create(&j->l, j->k->drive, &j->lines);
}

static taut_status reach_all(job *j, const taut_model *m) {
    for (int i = 0; i < j->options->reaches; i++) {
        const char *name[3], *text = j->options->reach[i];
        double wanted[3];
        int count = 0;
        if (!text) return taut_fail(j->errors, TAUT_ERR_CALL, "options.reach: a target is NULL");
        TAUT_TRY(read_target(j, text, name, wanted, &count));
        TAUT_TRY(prepare(j, m, name, count));
        taut_result *before = j->k->result;
        j->columns = j->targets = 0;
        if (before) j->k->result = NULL;
        taut_status status = make_table(j);
        if (before) { /* the same columns */
            taut_result_free(&j->k->result);
            j->k->result = before;
        }
        const char *target = taut_arena_copy(&j->k->arena, text, strlen(text));
        if (status == TAUT_OK && !target) status = TAUT_ERR_MEMORY;
        if (status == TAUT_OK) status = reach_one(j, target, wanted, i + 1);
        TAUT_TRY(status);
    }
    return TAUT_OK;
}

static taut_status perform(job *j, const taut_model *m) {
    const char *name = NULL;
    if (!j->options->drive) return reach_all(j, m);
    TAUT_TRY(read_drive(j, &name));
    j->k->drive = name;
    TAUT_TRY(prepare(j, m, &name, 1));
    TAUT_TRY(make_table(j));
    for (int i = 0; i < j->columns; i++)
        if (j->column[i].column->node == j->l.row[j->l.conditions])
            j->k->drive_angle = j->column[i].column->kind == TAUT_COLUMN_ANGLE;
    return drive(j);
}

static taut_status check_options(const taut_kinematics_options *o, taut_errors *errors) {
    if (o->cookie != COOKIE)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "the options have not been filled: begin with "
                         "taut_kinematics_options_default()");
    if (!o->drive == !(o->reaches > 0 && o->reach))
        return taut_fail(errors, TAUT_ERR_CALL,
                         "either options.drive or options.reach says what to find");
    if (o->derivatives < 0 || o->derivatives > 2)
        return taut_fail(errors, TAUT_ERR_CALL, "options.derivatives = %d: 0, 1 or 2 is expected",
                         o->derivatives);
    if (o->starts < 0 || o->starts > MOST_STARTS)
        return taut_fail(errors, TAUT_ERR_CALL, "options.starts = %d: 0 to %d is expected",
                         o->starts, MOST_STARTS);
    return TAUT_OK;
}

taut_status taut_kinematics_find(const taut_model *model, const taut_kinematics_options *options,
                                 taut_kinematics **kinematics, taut_errors *errors) {
    TAUT_NEED(kinematics, "kinematics", errors);
    *kinematics = NULL;
    TAUT_NEED(model, "model", errors);
    TAUT_NEED(options, "options", errors);
    TAUT_TRY(check_options(options, errors));
    job j = {.options = options, .errors = errors, .k = taut_new(sizeof(taut_kinematics))};
    if (!j.k) return TAUT_ERR_MEMORY;
    const taut_run_options caller = {.progress = options->progress, .user = options->user};
    taut_allowance allowance;
    taut_allowance_begin(&allowance, &caller);
    taut_status status = perform(&j, model);
    status = taut_allowance_end(&allowance, status, errors);
    taut_linkage_release(&j.l);
    taut_arena_release(&j.arena);
    if (status >= 0 && status != TAUT_INTERRUPTED)
        *kinematics = j.k;
    else
        taut_kinematics_free(&j.k);
    return status;
}

void taut_kinematics_free(taut_kinematics **kinematics) {
    if (!kinematics || !*kinematics) return;
    taut_kinematics *k = *kinematics;
    taut_result_free(&k->result);
    taut_release((void **)&k->turning);
    taut_release((void **)&k->range);
    taut_release((void **)&k->reach);
    taut_arena_release(&k->arena);
    taut_release((void **)kinematics);
}

const taut_result *taut_kinematics_result(const taut_kinematics *k) { return k ? k->result : NULL; }
int taut_kinematics_branches(const taut_kinematics *k) { return k ? k->branches : 0; }
const taut_turn_back *taut_kinematics_turn_back(const taut_kinematics *k, int i) {
    return k && i >= 0 && (size_t)i < k->turnings ? &k->turning[i] : NULL;
}
const taut_motion_range *taut_kinematics_range(const taut_kinematics *k, int i) {
    return k && i >= 0 && (size_t)i < k->ranges ? &k->range[i] : NULL;
}
const taut_reach *taut_kinematics_reach(const taut_kinematics *k, int i) {
    return k && i >= 0 && (size_t)i < k->reaches ? &k->reach[i] : NULL;
}
