/* Results of runs, from text. */
#include "task/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/number.h"
#include "core/text.h"

static const char *const KIND[] = {"max", "min",   "range", "mean", "rms",  "end",
                                   "at",  "first", "count", "rest", "eigen"};
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
                     "rms and end of a column, at(T,COLUMN), first and count of an event, rest of "
                     "a column and eigen(K,re|im)",
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

/* K,re or K,im of eigen(K,re). */
static taut_status read_eigen(const char *text, const char *inside, const char *end,
                              taut_figure *figure, taut_errors *errors) {
    char *comma;
    const double k = taut_number_parse(inside, &comma);
    const char *part = comma;
    while (*part == ' ' || *part == ',') part++;
    const size_t length = part < end ? (size_t)(end - part) : 0;
    figure->imaginary = length == 2 && strncmp(part, "im", 2) == 0;
    const bool real = length == 2 && strncmp(part, "re", 2) == 0;
    if (comma == inside || !(k >= 1.0 && k <= 1e6) || k != floor(k) ||
        (!real && !figure->imaginary))
        return refuse(text, errors,
                      "write eigen(K,re) or eigen(K,im): the K-th eigenvalue from 1, ascending by "
                      "real, then imaginary part");
    figure->eigenvalue = (int)k - 1;
    return TAUT_OK;
}

bool taut_figure_is_of_run(const taut_figure *figure) { return figure->kind <= TAUT_FIGURE_AT; }

bool taut_figure_needs_run(const taut_figure *figure) { return figure->kind <= TAUT_FIGURE_COUNT; }

static int find_kind(const char *text, size_t word) {
    int kind = 0;
    while (kind < KINDS && (strlen(KIND[kind]) != word || strncmp(KIND[kind], text, word) != 0))
        kind++;
    return kind;
}

size_t taut_figure_length(const char *text) {
    const size_t word = strspn(text, "abcdefghijklmnopqrstuvwxyz");
    const int kind = text[word] == '(' ? find_kind(text, word) : (int)KINDS;
    int depth = 1;
    bool commas = false;
    if (kind == KINDS) return 0;
    const char *p = text + word + 1;
    for (; *p; p++) {
        if (*p == '(') depth++;
        if (*p == ')' && --depth == 0) break;
        if (*p == ',' && depth == 1) commas = true;
    }
    if (depth > 0 || (commas && kind <= TAUT_FIGURE_MIN)) return 0;
    return (size_t)(p - text) + 1;
}

taut_status taut_figure_read(const taut_report *report, taut_arena *arena, taut_figure *figure,
                             taut_errors *errors) {
    const char *text = report->result;
    const size_t length = strlen(text), word = strcspn(text, "(");
    const char *inside = text + word + 1, *end = text + length - 1;
    if (word == length || length < 2 || *end != ')' || word == 0)
        return refuse(text, errors, "write a result of a column, as in max(Ax) or at(1.5,Ax)");
    const int kind = find_kind(text, word);
    if (kind == KINDS) return unknown(text, word, errors);
    *figure = (taut_figure){.kind = (taut_figure_kind)kind};
    figure->may_lack = figure->kind == TAUT_FIGURE_FIRST;
    if (figure->kind == TAUT_FIGURE_AT) TAUT_TRY(read_time(text, &inside, &figure->time, errors));
    while (inside < end && *inside == ' ') inside++;
    while (inside < end && end[-1] == ' ') end--;
    if (inside >= end)
        return refuse(text, errors,
                      figure->kind == TAUT_FIGURE_FIRST || figure->kind == TAUT_FIGURE_COUNT
                          ? "which event? write its name"
                          : "which column? write it as in max(Ax)");
    const char *name = report->name ? report->name : text;
    if (figure->kind == TAUT_FIGURE_EIGEN) {
        TAUT_TRY(read_eigen(text, inside, end, figure, errors));
        inside = end - 1; /* it has no column */
    }
    figure->column = taut_arena_copy(arena, inside, (size_t)(end - inside));
    figure->name = taut_arena_copy(arena, name, strlen(name));
    return figure->column && figure->name ? TAUT_OK : TAUT_ERR_MEMORY;
}

void taut_figures_ask(const taut_figure *figure, int count, taut_run_options *run) {
    run->derivatives = 0;
    for (int i = 0; i < count; i++) {
        const char *prime = figure[i].column ? strchr(figure[i].column, '\'') : NULL;
        const int order = prime ? (int)strspn(prime, "'") : 0;
        if (order > run->derivatives) run->derivatives = order;
    }
}
