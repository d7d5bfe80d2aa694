/* Steps and marks of a run. */
#include "task/trace.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "core/number.h"

enum { MOST_MARKS = 200 };

/* Four neighbours become two. */
static int thin(taut_traced_step *step, int count) {
    int kept = 0;
    for (int i = 0; i < count; i += 4) {
        int shortest = i, worst = i;
        for (int k = i + 1; k < i + 4 && k < count; k++) {
            if (fabs(step[k].h) < fabs(step[shortest].h)) shortest = k;
            if (step[k].residual > step[worst].residual) worst = k;
        }
        if (worst == shortest) worst = i == shortest ? i + 1 : i;
        const int first = worst < shortest ? worst : shortest;
        const int second = worst < shortest ? shortest : worst;
        step[kept++] = step[first];
        if (second < count) step[kept++] = step[second];
    }
    return kept;
}

taut_status taut_trace_step(taut_trace *t, taut_traced_step step) {
    if (t->steps == TAUT_TRACE_MOST) t->steps = thin(t->step, t->steps);
    if (taut_grow((void **)&t->step, &t->step_room, (size_t)t->steps + 1, sizeof *t->step))
        return TAUT_ERR_MEMORY;
    t->step[t->steps++] = step;
    return TAUT_OK;
}

taut_status taut_trace_mark(taut_trace *t, double time, taut_mark_kind kind, const char *format,
                            ...) {
    if (t->marks == MOST_MARKS) return TAUT_OK;
    if (taut_grow((void **)&t->mark, &t->mark_room, (size_t)t->marks + 1, sizeof *t->mark))
        return TAUT_ERR_MEMORY;
    taut_mark *mark = &t->mark[t->marks++];
    *mark = (taut_mark){.t = time, .kind = kind};
    va_list args;
    va_start(args, format);
    taut_format_list(mark->text, sizeof mark->text, format, args);
    va_end(args);
    return TAUT_OK;
}

void taut_trace_release(taut_trace *t) {
    taut_release((void **)&t->step);
    taut_release((void **)&t->mark);
    *t = (taut_trace){0};
}
