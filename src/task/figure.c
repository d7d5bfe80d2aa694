/* Results of runs, from text. */
#include "task/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/number.h"
#include "core/text.h"

static const char *const KIND[] = {"max", "min", "range", "mean", "rms", "end", "at"};
enum { KINDS = sizeof KIND / sizeof KIND[0] };

static taut_status refuse(const char *text, taut_errors *errors, const char *why) {
    return taut_fail(errors, TAUT_ERR_CALL, "report %s: %s", text, why);
}

static taut_status unknown(const char *text, size_t length, taut_errors *errors) {
    char word[40];
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    taut_nearest nearest = {.wanted = word};
    for (int k = 0; k < KINDS; k++) taut_nearest_offer(&nearest, KIND[k]);
    return taut_fail(errors, TAUT_ERR_CALL,
                     "report %s: there is no result '%s'%s%s%s; there are max, min, range, mean, "
                     "rms and end of a column, and at(T,COLUMN)",
                     text, word, nearest.best ? "; did you mean '" : "",
                     nearest.best ? nearest.best : "", nearest.best ? "'?" : "");
}

/* T, of at(T,C). Returns where C begins. */
static taut_status read_time(const char *text, const char **inside, double *time,
                             taut_errors *errors) {
    char *end;
    *time = taut_number_parse(*inside, &end);
    while (*end == ' ') end++;
    if (end == *inside || *end != ',' || !isfinite(*time))
        return refuse(text, errors, "write at(T,COLUMN) with a time, as in at(1.5,Ax)");
    *inside = end + 1;
    return TAUT_OK;
}

taut_status taut_figure_read(const taut_report *report, taut_arena *arena, taut_figure *figure,
                             taut_errors *errors) {
    const char *text = report->result;
    const size_t length = strlen(text), word = strcspn(text, "(");
    const char *inside = text + word + 1, *end = text + length - 1;
    int kind = 0;
    if (word == length || length < 2 || *end != ')' || word == 0)
        return refuse(text, errors, "write a result of a column, as in max(Ax) or at(1.5,Ax)");
    while (kind < KINDS && (strlen(KIND[kind]) != word || strncmp(KIND[kind], text, word) != 0))
        kind++;
    if (kind == KINDS) return unknown(text, word, errors);
    *figure = (taut_figure){.kind = (taut_figure_kind)kind};
    if (figure->kind == TAUT_FIGURE_AT) TAUT_TRY(read_time(text, &inside, &figure->time, errors));
    while (inside < end && *inside == ' ') inside++;
    while (inside < end && end[-1] == ' ') end--;
    if (inside >= end) return refuse(text, errors, "which column? write it as in max(Ax)");
    const char *name = report->name ? report->name : text;
    figure->column = taut_arena_copy(arena, inside, (size_t)(end - inside));
    figure->name = taut_arena_copy(arena, name, strlen(name));
    return figure->column && figure->name ? TAUT_OK : TAUT_ERR_MEMORY;
}
