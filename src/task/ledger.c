/* The table of a study, and its trajectories. */
#include <math.h>
#include <string.h>

#include "model/model.h"
#include "task/study.h"

/* The number of a run counts its values, the last axis first; samples stand where the first name
 * with a distribution stands. */
double taut_study_varied(const taut_study *s, long run, int axis) {
    if (s->paired) return s->axis[axis].value[run];
    for (int k = s->axes - 1; k >= 0; k--) {
        const bool sampled = s->coordinate[k] >= 0;
        if (sampled && k != s->first_sampled) continue;
        const long count = sampled ? s->design.samples : s->axis[k].count;
        const long at = run % count;
        run /= count;
        if (k == axis && !sampled) return s->axis[k].value[at];
        if (sampled && s->coordinate[axis] >= 0)
            return taut_axis_quantile(&s->axis[axis],
                                      taut_design_at(&s->design, at, s->coordinate[axis]));
    }
    return (double)NAN;
}

taut_status taut_study_enter(taut_study *s, long run, const double *value, const char *reason) {
    if (s->finished[run]) return TAUT_OK;
    if (reason && !(s->reason[run] = taut_arena_copy(&s->words, reason, strlen(reason))))
        return TAUT_ERR_MEMORY;
    if (!reason)
        memcpy(s->result + (size_t)run * (size_t)s->figures, value,
               (size_t)s->figures * sizeof *value);
    s->finished[run] = 1;
    s->done++;
    if (reason) s->failed++;
    return TAUT_OK;
}

bool taut_study_is_own(const taut_study *s, long run) {
    return s->shards == 0 || run % s->shards == s->shard - 1;
}

long taut_study_runs(const taut_study *s) { return s ? s->runs : 0; }
long taut_study_done(const taut_study *s) { return s ? s->done : 0; }
long taut_study_failed(const taut_study *s) { return s ? s->failed : 0; }
int taut_study_columns(const taut_study *s) { return s ? 1 + s->axes + s->reports : 0; }

const char *taut_study_name(const taut_study *s, int column) {
    if (!s || column < 0 || column >= taut_study_columns(s)) return NULL;
    if (column == 0) return "run";
    return column <= s->axes ? s->axis[column - 1].name : s->figure[column - 1 - s->axes].name;
}

double taut_study_value(const taut_study *s, long run, int column) {
    if (!s || run < 0 || run >= s->runs || column < 0 || column >= taut_study_columns(s))
        return (double)NAN;
    if (column == 0) return (double)run;
    if (column <= s->axes) return taut_study_varied(s, run, column - 1);
    if (!s->finished[run] || s->reason[run]) return (double)NAN;
    return s->result[(size_t)run * (size_t)s->figures + (size_t)(column - 1 - s->axes)];
}

taut_table taut_study_table(const taut_study *s) {
    if (!s) return (taut_table){0};
    return (taut_table){.value = s->result,
                        .rows = s->runs,
                        .columns = s->figures,
                        .row_stride = s->figures,
                        .column_stride = 1};
}

const char *taut_study_outcome(const taut_study *s, long run) {
    if (!s || run < 0 || run >= s->runs || !s->finished[run]) return NULL;
    return s->reason[run] ? s->reason[run] : "ok";
}

/* ---- trajectories ---- */

int taut_study_trace_columns(const taut_study *s) { return s ? s->traces : 0; }
int taut_study_trace_rows(const taut_study *s) { return s ? s->rows : 0; }

const char *taut_study_trace_name(const taut_study *s, int column) {
    return s && column >= 0 && column < s->traces ? s->trace[column] : NULL;
}

double taut_study_trace_time(const taut_study *s, int row) {
    if (!s || row < 0 || row >= s->rows) return (double)NAN;
    const double t0 = s->model->t0, tend = s->run.has_tend ? s->run.tend : s->model->tend;
    return row == s->rows - 1 ? tend : t0 + (tend - t0) * ((double)row / (double)(s->rows - 1));
}

double taut_study_trace_value(const taut_study *s, long run, int row, int column) {
    if (!s || run < 0 || run >= s->runs || row < 0 || row >= s->rows || column < 0 ||
        column >= s->traces || !s->finished[run] || s->reason[run])
        return (double)NAN;
    return s->result[(size_t)run * (size_t)s->figures + (size_t)s->reports +
                     (size_t)row * (size_t)s->traces + (size_t)column];
}
