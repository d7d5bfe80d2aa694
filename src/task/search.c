/* Options, starts and progress of searches. */
#include "task/search.h"

#include "task/options.h"

enum { MOST_STARTS = 10000 };

taut_status taut_search_check(const taut_run_options *run, int starts, int most,
                              taut_errors *errors) {
    TAUT_TRY(taut_options_check_cookie(run, errors));
    if (starts < 0 || starts > MOST_STARTS)
        return taut_fail(errors, TAUT_ERR_CALL, "options.starts is between 1 and %d",
                         (int)MOST_STARTS);
    if (most < 0) return taut_fail(errors, TAUT_ERR_CALL, "options.most is not below 0");
    if (run->from || run->last)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "each run begins at the model's start: leave out the state");
    return TAUT_OK;
}

int taut_search_starts(const taut_model *model, int starts) {
    if (starts > 0) return starts;
    return model->study.starts > 0 ? model->study.starts : 1;
}

taut_status taut_search_explain(const taut_model *model, bool own, taut_status status,
                                taut_errors *errors) {
    if (status != TAUT_ERR_CALL || own || !errors) return status;
    taut_errors *better = taut_new(sizeof *better); /* large */
    if (!better) return TAUT_ERR_MEMORY;
    const taut_status found = taut_model_check(model, better);
    if (found == TAUT_ERR_INPUT && better->count > 0) {
        *errors = *better;
        status = found;
    }
    taut_release((void **)&better);
    return status;
}

static int report(void *user, double ignored) {
    taut_search_progress *p = user;
    (void)ignored;
    const double done = (double)(p->evaluations - p->before);
    const double usual = p->start > 0 ? (double)p->before / (double)p->start : (double)p->usual;
    const double part = done / (done + 0.5 * usual + 1.0); /* half of the usual ones: a half */
    const double now = ((double)p->start + part) / (double)(p->starts > 0 ? p->starts : 1);
    if (now > p->shown) p->shown = now;
    return p->outer(p->user, p->shown);
}

void taut_search_progress_attach(taut_search_progress *p, taut_run_options *run, long usual) {
    *p = (taut_search_progress){
        .outer = run->progress, .user = run->user, .starts = 1, .usual = usual};
    if (!run->progress) return;
    run->progress = report;
    run->user = p;
}

void taut_search_progress_start(taut_search_progress *p, int start, int starts) {
    p->start = start;
    p->starts = starts;
    p->before = p->evaluations;
}
