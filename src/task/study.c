/* A study as an object: what it varies, what it wants to know, and the table. */
#include "task/study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/mesh.h"
#include "core/philox.h"
#include "core/sheet.h"
#include "core/text.h"
#include "model/model.h"
#include "task/options.h"

enum { COOKIE = 0x57d4 };
enum { MOST_AXES = 1000, MOST_FIGURES = 10000, MOST_ROWS = 100000, FEW_ROWS = 201 };
static const double MOST_RUNS = 1e8;

taut_study_options taut_study_options_default(void) {
    return (taut_study_options){.cookie = COOKIE, .run = taut_run_options_default()};
}

/* ---- what is asked for ---- */

static taut_status check_options(const taut_study_options *o, taut_errors *errors) {
    if (o->cookie != COOKIE)
        return taut_fail(
            errors, TAUT_ERR_CALL,
            "the options have not been filled: begin with taut_study_options_default()");
    TAUT_TRY(taut_options_check_cookie(&o->run, errors));
    if (o->run.compile)
        return taut_fail(
            errors, TAUT_ERR_CALL,
            "options.run.compile is for single runs: those of a study stand side by "
            "side in the lanes of a thread, which compiled code has not; leave it out");
    if (o->varies < 1 || !o->vary || o->varies > MOST_AXES)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "options.vary: nothing is varied; say what, as in L=1..2:11");
    if (o->reports < 1 || !o->report || o->reports > MOST_FIGURES)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "options.report: no result is asked for; say which, as in max(Ax)");
    if (o->points < 0 || (double)o->points > MOST_RUNS || (o->points > 0) != (o->point != NULL) ||
        (o->points > 0 && (o->samples != 0 || o->design)))
        return taut_fail(errors, TAUT_ERR_CALL,
                         "options.points is between 1 and 100000000, with the values in "
                         "options.point and without samples");
    if (o->samples < 0 || (double)o->samples > MOST_RUNS)
        return taut_fail(errors, TAUT_ERR_CALL, "options.samples is between 1 and 100000000");
    if (o->threads < 0 || o->threads > 4096)
        return taut_fail(errors, TAUT_ERR_CALL, "options.threads is between 1 and 4096");
    if ((o->shards != 0 || o->shard != 0) && (o->shard < 1 || o->shard > o->shards))
        return taut_fail(errors, TAUT_ERR_CALL, "options.shard is between 1 and options.shards");
    if ((o->workers != 0 || o->worker != 0 || o->take) &&
        (o->worker < 1 || o->worker > o->workers || !o->take || o->shards > 0))
        return taut_fail(errors, TAUT_ERR_CALL,
                         "options.worker is between 1 and options.workers, with a counter "
                         "options.take and without shards");
    if (o->trace_rows < 0 || o->trace_rows > MOST_ROWS || (o->trace_rows > 0 && !o->trace))
        return taut_fail(errors, TAUT_ERR_CALL,
                         "options.trace_rows is between 2 and 100000, and with options.trace");
    if (o->run.from || o->run.last)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "a study begins each run at the model's start: leave out the state");
    return TAUT_OK;
}

/* Inputs that are formulas leave nothing to vary. */
static taut_status check_free(const taut_model *model, const char *name, taut_errors *errors) {
    for (int i = 0; i < model->inputs; i++)
        if (strcmp(model->input[i].name, name) == 0)
            return taut_fail(errors, TAUT_ERR_CALL,
                             "vary %s: this input is the formula %s; it cannot be varied as well",
                             name, model->input[i].formula);
    return TAUT_OK;
}

/* The k-th axis as the column of options.point. */
static taut_status take_points(const taut_study_options *o, int k, taut_arena *arena,
                               taut_study_axis *axis) {
    axis->kind = TAUT_AXIS_LIST;
    axis->count = o->points;
    axis->value = TAUT_NEW_ARRAY(arena, o->points, double);
    if (!axis->value) return TAUT_ERR_MEMORY;
    for (long i = 0; i < o->points; i++) axis->value[i] = o->point[i * o->varies + k];
    return TAUT_OK;
}

static taut_status read_axes(taut_study *s, const taut_study_options *o, taut_errors *errors) {
    s->axes = o->varies;
    s->paired = o->points > 0;
    s->axis = TAUT_NEW_ARRAY(&s->arena, s->axes, taut_study_axis);
    s->coordinate = TAUT_NEW_ARRAY(&s->arena, s->axes, int);
    if (!s->axis || !s->coordinate) return TAUT_ERR_MEMORY;
    s->first_sampled = -1;
    for (int k = 0; k < s->axes; k++) {
        const taut_vary *v = &o->vary[k];
        if (!v->name || !v->name[0] || (v->values != NULL) == s->paired)
            return taut_fail(errors, TAUT_ERR_CALL, "options.vary: write NAME=VALUES");
        for (int i = 0; i < k; i++)
            if (strcmp(o->vary[i].name, v->name) == 0)
                return taut_fail(errors, TAUT_ERR_CALL, "vary %s: it is varied twice", v->name);
        const char *name = taut_arena_copy(&s->arena, v->name, strlen(v->name));
        if (!name) return TAUT_ERR_MEMORY;
        s->axis[k].name = name;
        if (o->points > 0)
            TAUT_TRY(take_points(o, k, &s->arena, &s->axis[k]));
        else
            TAUT_TRY(taut_axis_read(name, v->values, &s->arena, &s->axis[k], errors));
        TAUT_TRY(check_free(s->model, name, errors));
        s->axis[k].initial = taut_model_check_parameter(s->model, name, NULL) != TAUT_OK;
        s->coordinate[k] = s->axis[k].kind == TAUT_AXIS_LIST ? -1 : s->design.names++;
        if (s->first_sampled < 0 && s->coordinate[k] >= 0) s->first_sampled = k;
    }
    return TAUT_OK;
}

/* Columns go up to the highest derivative that is asked for. */
static void ask_for(taut_study *s, const char *column) {
    const char *prime = strchr(column, '\'');
    const int order = prime ? (int)strspn(prime, "'") : 0;
    if (order > s->run.derivatives) s->run.derivatives = order;
}

static taut_status read_reports(taut_study *s, const taut_study_options *o, taut_errors *errors) {
    for (int k = 0; k < s->reports; k++) {
        if (!o->report[k].result)
            return taut_fail(errors, TAUT_ERR_CALL, "options.report: a result is NULL");
        TAUT_TRY(taut_figure_read(&o->report[k], &s->arena, &s->figure[k], errors));
        ask_for(s, s->figure[k].column);
        bool taken =
            strcmp(s->figure[k].name, "run") == 0 || strcmp(s->figure[k].name, "status") == 0;
        for (int i = 0; i < s->axes; i++)
            taken = taken || strcmp(s->axis[i].name, s->figure[k].name) == 0;
        for (int i = 0; i < k; i++)
            taken = taken || strcmp(s->figure[i].name, s->figure[k].name) == 0;
        if (taken)
            return taut_fail(errors, TAUT_ERR_CALL,
                             "report %s: the table has a column of this name already; give another "
                             "one, as in peak=max(Ax)",
                             s->figure[k].name);
    }
    return TAUT_OK;
}

/* The names of options.trace, "a,b". */
static taut_status read_traces(taut_study *s, const taut_study_options *o, taut_errors *errors) {
    const char *p = o->trace;
    s->rows = !p ? 0 : o->trace_rows > 0 ? o->trace_rows : FEW_ROWS;
    s->trace = TAUT_NEW_ARRAY(&s->arena, p ? strlen(p) + 1 : 1, const char *);
    if (!s->trace) return TAUT_ERR_MEMORY;
    while (p) {
        const size_t n = strcspn(p, ",");
        if (n == 0)
            return taut_fail(errors, TAUT_ERR_CALL,
                             "options.trace = \"%s\": write columns with commas between them",
                             o->trace);
        if (!(s->trace[s->traces] = taut_arena_copy(&s->arena, p, n))) return TAUT_ERR_MEMORY;
        ask_for(s, s->trace[s->traces++]);
        p = p[n] == ',' ? p + n + 1 : NULL;
    }
    if (s->rows == 1 || (double)s->rows * s->traces > 1e7)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "options.trace: 2 rows and up to 1e7 numbers a run");
    return TAUT_OK;
}

/* Points of trajectories are results at given times that no column of the table shows. */
static void add_traces(taut_study *s) {
    for (int r = 0; r < s->rows; r++)
        for (int c = 0; c < s->traces; c++)
            s->figure[s->reports + r * s->traces + c] =
                (taut_figure){.name = s->trace[c],
                              .kind = TAUT_FIGURE_AT,
                              .column = s->trace[c],
                              .time = taut_study_trace_time(s, r),
                              .may_lack = true};
}

static taut_status read_figures(taut_study *s, const taut_study_options *o, taut_errors *errors) {
    s->reports = o->reports;
    s->run.derivatives = 0;
    TAUT_TRY(read_traces(s, o, errors));
    s->figures = s->reports + s->rows * s->traces;
    s->figure = TAUT_NEW_ARRAY(&s->arena, s->figures, taut_figure);
    if (!s->figure) return TAUT_ERR_MEMORY;
    TAUT_TRY(read_reports(s, o, errors));
    add_traces(s);
    return TAUT_OK;
}

static taut_status prepare_design(taut_study *s, const taut_study_options *o, taut_errors *errors) {
    taut_design *d = &s->design;
    const char *name[MOST_AXES];
    const char *design = o->design ? o->design : "random";
    d->samples = o->samples;
    d->seed = o->seed;
    if (!taut_design_find(design, &d->kind))
        return taut_fail(errors, TAUT_ERR_CALL,
                         "options.design = \"%s\": there are random, latin and sobol", design);
    if (d->names > 0 && d->samples == 0)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "vary %s: it has a distribution; say how many samples by options.samples",
                         s->axis[s->first_sampled].name);
    if (d->names == 0 && (d->samples > 0 || o->design))
        return taut_fail(
            errors, TAUT_ERR_CALL,
            "options.%s is for distributions, as in uniform(0,1), and nothing has one; "
            "leave it out",
            d->samples > 0 ? "samples" : "design");
    if (d->kind == TAUT_DESIGN_SOBOL && d->names > TAUT_SOBOL_MOST)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "options.design = \"sobol\": there are points in up to %d dimensions, not "
                         "in %d",
                         (int)TAUT_SOBOL_MOST, d->names);
    for (int k = 0; k < s->axes; k++)
        if (s->coordinate[k] >= 0) name[s->coordinate[k]] = s->axis[k].name;
    return taut_design_prepare(d, name, &s->arena);
}

static taut_status make_table(taut_study *s, taut_errors *errors) {
    double runs = s->first_sampled >= 0 ? (double)s->design.samples : 1.0;
    for (int k = 0; k < s->axes; k++)
        if (s->coordinate[k] < 0) runs *= (double)s->axis[k].count;
    if (s->paired) runs = (double)s->axis[0].count;
    if (runs > MOST_RUNS)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "options.vary: these are %.4g runs; a study has at most %g", runs,
                         MOST_RUNS);
    s->runs = (long)runs;
    const double memory = s->run.memory > 0.0 ? s->run.memory : 4e9;
    if (runs * (double)s->figures * (double)sizeof(double) > memory)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "the results of %.4g runs take %.3g GB, more than options.run.memory: ask "
                         "for fewer results or shorter trajectories, or allow more",
                         runs, 1e-9 * runs * (double)s->figures * (double)sizeof(double));
    s->result = TAUT_NEW_ARRAY(&s->arena, (size_t)s->runs * (size_t)s->figures, double);
    s->finished = TAUT_NEW_ARRAY(&s->arena, s->runs, unsigned char);
    s->reason = TAUT_NEW_ARRAY(&s->arena, s->runs, const char *);
    if (!s->result || !s->finished || !s->reason) return TAUT_ERR_MEMORY;
    const size_t numbers = (size_t)s->runs * (size_t)s->figures;
    for (size_t i = 0; i < numbers; i++) s->result[i] = (double)NAN;
    return TAUT_OK;
}

/* ---- what decides the results, as a number ---- */

static uint64_t hash_text(uint64_t hash, const char *text) {
    return text ? taut_hash(hash, text, strlen(text) + 1) : taut_hash(hash, "\1", 1);
}

static uint64_t hash_number(uint64_t hash, double number) {
    return taut_hash(hash, &number, sizeof number);
}

static uint64_t hash_mesh(uint64_t hash, const taut_mesh *mesh) {
    hash = taut_hash(hash, mesh->corner, (size_t)mesh->corners * sizeof *mesh->corner);
    return taut_hash(hash, mesh->triangle, (size_t)mesh->triangles * sizeof *mesh->triangle);
}

/* A file with all that it reads: other files, tables, surfaces. */
static uint64_t hash_doc(uint64_t hash, const taut_doc *doc) {
    hash = taut_hash(hash, doc->text, (size_t)doc->length);
    for (int i = 0; i < doc->includes; i++) hash = hash_doc(hash, doc->include[i].doc);
    for (int i = 0; i < doc->sheets; i++) {
        const taut_sheet *sheet = doc->sheet[i].sheet;
        hash = taut_hash(hash, sheet->text, (size_t)sheet->length);
    }
    for (int i = 0; i < doc->meshes; i++) hash = hash_mesh(hash, doc->mesh[i].mesh);
    return hash;
}

static uint64_t hash_run(uint64_t h, const taut_run_options *r) {
    const char *const text[] = {r->solver, r->formulation, r->base,     r->subspace,
                                r->cut,    r->multipliers, r->stabilize};
    const double number[] = {r->rtol,
                             r->atol,
                             (double)r->order,
                             r->step,
                             r->max_step,
                             (double)r->per_unit,
                             r->projection,
                             (double)r->no_continuation,
                             (double)r->subspace_columns,
                             r->alpha,
                             r->beta,
                             (double)r->has_tend,
                             r->has_tend ? r->tend : 0.0,
                             (double)r->starts,
                             (double)r->derivatives,
                             (double)r->reactions,
                             (double)r->body_axes};
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) h = hash_text(h, text[i]);
    for (size_t i = 0; i < sizeof number / sizeof number[0]; i++) h = hash_number(h, number[i]);
    return h;
}

static uint64_t fingerprint(const taut_study *s, const taut_study_options *o) {
    const taut_model *m = s->model;
    uint64_t h = hash_doc(hash_text(TAUT_HASH_BEGIN, taut_version()), m->doc);
    for (int i = 0; i < m->overrides; i++)
        h = hash_text(hash_text(h, m->override[i].name), m->override[i].formula);
    for (int i = 0; i < m->inputs; i++)
        h = hash_text(hash_text(h, m->input[i].name), m->input[i].formula);
    h = hash_run(h, &s->run);
    for (int k = 0; k < o->varies; k++)
        h = hash_text(hash_text(h, o->vary[k].name), o->vary[k].values);
    if (s->paired)
        h = taut_hash(h, o->point, (size_t)o->points * (size_t)o->varies * sizeof *o->point);
    for (int k = 0; k < o->reports; k++)
        h = hash_text(hash_text(h, o->report[k].name), o->report[k].result);
    h = hash_number(hash_text(h, o->trace), (double)s->rows);
    h = hash_number(hash_number(h, (double)o->samples), (double)s->design.kind);
    return taut_hash(h, &o->seed, sizeof o->seed);
}

/* ---- creation ---- */

/* Names of initial values and of columns can be checked only by equations, columns only after a
 * start; if neither the model's own values nor those of a few runs give one, the runs will tell.
 */
static taut_status try_names(taut_study *s, taut_errors *errors) {
    taut_simulation *simulation;
    taut_trial *trial = NULL;
    TAUT_TRY(taut_simulation_create(s->model, &s->run, &simulation, errors));
    taut_status status = TAUT_OK;
    for (int k = 0; k < s->axes && status == TAUT_OK; k++)
        if (s->axis[k].initial)
            status = taut_simulation_set_initial(simulation, s->axis[k].name, 0.0, errors);
    taut_simulation_free(&simulation);
    TAUT_TRY(status);
    TAUT_TRY(taut_trial_create(s, &trial, errors));
    if (taut_trial_find(trial)) status = taut_trial_check(trial, errors);
    taut_trial_free(&trial);
    return status;
}

/* A column that is there only with reactions asks for them. If a name is wrong either way, what is
 * said with reactions is right; other trouble there may be due to them. */
static taut_status check_names(taut_study *s, taut_errors *errors) {
    if (s->run.reactions || s->model->kind != TAUT_MODEL_MECHANISM) return try_names(s, errors);
    if (try_names(s, NULL) == TAUT_OK) return TAUT_OK;
    taut_errors *with = TAUT_NEW(&s->arena, taut_errors);
    if (!with) return TAUT_ERR_MEMORY;
    s->run.reactions = true;
    const taut_status status = try_names(s, with);
    if (status == TAUT_OK) return TAUT_OK;
    if (status == TAUT_ERR_CALL && errors) {
        *errors = *with;
        return status;
    }
    s->run.reactions = false;
    return try_names(s, errors);
}

static taut_status build(taut_study *s, const taut_study_options *o, taut_errors *errors) {
    TAUT_TRY(taut_options_copy(&o->run, &s->arena, &s->run));
    s->threads = o->threads;
    s->one_by_one = o->one_by_one;
    s->shard = o->shard;
    s->shards = o->shards;
    s->worker = o->worker;
    s->workers = o->workers;
    s->take = o->take;
    s->take_user = o->take_user;
    TAUT_TRY(read_axes(s, o, errors));
    TAUT_TRY(read_figures(s, o, errors));
    TAUT_TRY(prepare_design(s, o, errors));
    TAUT_TRY(make_table(s, errors));
    TAUT_TRY(check_names(s, errors));
    s->print = fingerprint(s, o);
    return TAUT_OK;
}

taut_status taut_study_create(const taut_model *model, const taut_study_options *options,
                              taut_study **study, taut_errors *errors) {
    TAUT_NEED(study, "study", errors);
    *study = NULL;
    TAUT_NEED(model, "model", errors);
    TAUT_NEED(options, "options", errors);
    TAUT_TRY(check_options(options, errors));
    taut_study *s = *study = taut_new(sizeof *s);
    if (!s) return TAUT_ERR_MEMORY;
    s->model = model;
    const taut_status status = build(s, options, errors);
    if (status != TAUT_OK) taut_study_free(study);
    return status;
}

void taut_study_free(taut_study **study) {
    if (!study || !*study) return;
    if ((*study)->keeper) (*study)->keeper->free((*study)->keeper);
    taut_arena_release(&(*study)->words);
    taut_arena_release(&(*study)->arena);
    taut_release((void **)study);
}
