/* The table of parts as the papers have it: part, brings in, assigns, equates, degrees of freedom.
 */
#include "out/build_table.h"

#include <stdio.h>
#include <string.h>

#include "core/utf8.h"
#include "out/json.h"

enum { COLUMNS = 5, WIDEST = 46, LONGEST_FORMULA = 2000 };
static const char *const TITLE[COLUMNS] = {"part", "brings in", "assigns", "equates",
                                           "degrees of freedom"};

/* ---- text ---- */

typedef struct sums {
    int unknowns, equations, left_out;
} sums;

/* The next line of a cell: names with commas, from number *at on. */
static void next_line(const taut_buildup_list *list, int *at, char *line, size_t size) {
    line[0] = '\0';
    for (; *at < list->count; ++*at) {
        const size_t used = strlen(line), more = strlen(list->name[*at]) + 4;
        if (used > 0 && used + more > size) return;
        snprintf(line + used, size - used, "%s%s", used ? ", " : "", list->name[*at]);
    }
}

/* The next equation, those that others imply in brackets. */
static void next_equation(const taut_buildup_part *p, int *at, char *line, size_t size) {
    const int kept = p->equates.count;
    line[0] = '\0';
    if (*at < kept)
        snprintf(line, size, "%s", p->equates.name[*at]);
    else if (*at < kept + p->left_out.count)
        snprintf(line, size, "(%s)", p->left_out.name[*at - kept]);
    if (line[0]) ++*at;
}

/* Widths of all columns but the last. */
static void measure(const taut_buildup *b, int width[COLUMNS]) {
    char line[WIDEST + 1];
    for (int k = 0; k < COLUMNS; k++) width[k] = (int)strlen(TITLE[k]);
    for (int i = 0; i < b->parts; i++) {
        const taut_buildup_part *p = &b->part[i];
        const taut_buildup_list *const list[] = {&p->brings, &p->assigns};
        int length = taut_utf8_count(p->name), at = 0;
        if (length > width[0]) width[0] = length;
        for (int k = 0; k < 2; k++)
            for (at = 0; at < list[k]->count;) {
                next_line(list[k], &at, line, sizeof line);
                length = taut_utf8_count(line);
                if (length > width[1 + k]) width[1 + k] = length;
            }
        for (at = 0; at < p->equates.count + p->left_out.count;) {
            next_equation(p, &at, line, sizeof line);
            length = taut_utf8_count(line);
            if (length > width[3]) width[3] = length;
        }
    }
}

static void put_cell(taut_string *out, const char *text, int width) {
    taut_string_add(out, "%s%*s", text, width - taut_utf8_count(text) + 2, "");
}

/* "+3 - 2 = 1": what the part changes, and what there is now. */
static void put_freedom(taut_string *out, const taut_buildup_part *p, int now) {
    if (p->unknowns > 0) taut_string_add(out, "+%d", p->unknowns);
    if (p->equates.count > 0)
        taut_string_add(out, "%s- %d", p->unknowns > 0 ? " " : "", p->equates.count);
    if (p->unknowns > 0 || p->equates.count > 0) taut_string_add(out, " = %d", now);
}

static void put_part(taut_string *out, const taut_buildup_part *p, const int width[COLUMNS],
                     int now) {
    char line[WIDEST + 1];
    int brought = 0, assigned = 0, equated = 0;
    for (int i = 0; i == 0 || brought < p->brings.count || assigned < p->assigns.count ||
                    equated < p->equates.count + p->left_out.count;
         i++) {
        const size_t begin = out->length;
        put_cell(out, i == 0 ? p->name : "", width[0]);
        next_line(&p->brings, &brought, line, sizeof line);
        put_cell(out, line, width[1]);
        next_line(&p->assigns, &assigned, line, sizeof line);
        put_cell(out, line, width[2]);
        next_equation(p, &equated, line, sizeof line);
        put_cell(out, line, width[3]);
        if (i == 0) put_freedom(out, p, now);
        while (!out->failed && out->length > begin && out->text[out->length - 1] == ' ')
            out->text[--out->length] = '\0';
        taut_string_add(out, "\n");
    }
}

void taut_build_table_text(taut_string *out, const taut_problem *problem) {
    const taut_buildup *b = problem->buildup;
    const char *title = problem->model->title;
    int width[COLUMNS];
    sums s = {0};
    measure(b, width);
    if (title[0]) taut_string_add(out, "%s\n", title);
    for (int k = 0; k < COLUMNS - 1; k++) put_cell(out, TITLE[k], width[k]);
    taut_string_add(out, "%s\n", TITLE[COLUMNS - 1]);
    for (int i = 0; i < b->parts; i++) {
        s.unknowns += b->part[i].unknowns;
        s.equations += b->part[i].equates.count;
        s.left_out += b->part[i].left_out.count;
        put_part(out, &b->part[i], width, s.unknowns - s.equations);
    }
    taut_string_add(out, "%d coordinate%s - %d equation%s = %d, a DAE of size %d\n", s.unknowns,
                    s.unknowns == 1 ? "" : "s", s.equations, s.equations == 1 ? "" : "s",
                    s.unknowns - s.equations, s.unknowns + s.equations);
    if (s.left_out > 0)
        taut_string_add(out, "in brackets, left out: %d that the others imply\n", s.left_out);
}

/* ---- JSON ---- */

static void json_list(taut_string *out, const char *key, const taut_buildup_list *list) {
    taut_string_add(out, ", \"%s\": [", key);
    for (int i = 0; i < list->count; i++) {
        taut_string_add(out, i ? ", " : "");
        taut_json_text(out, list->name[i]);
    }
    taut_string_add(out, "]");
}

static void json_formulas(taut_string *out, const taut_problem *problem,
                          const taut_buildup_part *p) {
    char text[LONGEST_FORMULA];
    taut_string_add(out, ", \"formulas\": [");
    for (int i = 0; i < p->equates.count; i++) {
        taut_infix_print(problem->system.graph, problem->system.equation[p->equation[i]].node,
                         &problem->system.names, text, sizeof text);
        taut_string_add(out, i ? ", " : "");
        taut_json_text(out, text);
    }
    taut_string_add(out, "]");
}

void taut_build_table_json(taut_string *out, const taut_problem *problem) {
    const taut_buildup *b = problem->buildup;
    sums s = {0};
    taut_string_add(out, "{\"parts\": [");
    for (int i = 0; i < b->parts; i++) {
        const taut_buildup_part *p = &b->part[i];
        s.unknowns += p->unknowns;
        s.equations += p->equates.count;
        taut_string_add(out, "%s\n  {\"part\": ", i ? "," : "");
        taut_json_text(out, p->name);
        json_list(out, "brings", &p->brings);
        taut_string_add(out, ", \"unknowns\": %d", p->unknowns);
        json_list(out, "assigns", &p->assigns);
        json_list(out, "equates", &p->equates);
        json_formulas(out, problem, p);
        json_list(out, "left_out", &p->left_out);
        taut_string_add(out, ", \"freedom\": %d}", s.unknowns - s.equations);
    }
    taut_string_add(out, "],\n \"coordinates\": %d, \"equations\": %d, \"size\": %d}\n", s.unknowns,
                    s.equations, s.unknowns + s.equations);
}
