/* JSON: strings, numbers, statistics, and the table of results. */
#include "out/json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/arena.h"
#include "core/number.h"
#include "core/utf8.h"
#include "out/plot.h"
#include "out/table.h"
#include "task/selection.h"

/* Must the character at text be escaped? *end: behind it; *number: its own. Besides what JSON
 * demands, these are control characters, bytes that are not UTF-8 (a name of a file may
 * have some; they become U+FFFD), the letters by which a string could end the script element of a
 * page that holds it, and the two that older readers take for ends of lines. */
static bool is_special(const char *text, const char **end, unsigned *number) {
    const unsigned char first = (unsigned char)text[0];
    *end = text + 1;
    *number = first;
    if (first < 0x20 || strchr("\"\\<>&", first)) return true;
    if (first < 0x7f) return false;
    *end = text;
    *number = taut_utf8_next(end);
    return *number == TAUT_UTF8_NONE || *number < 0xa0 || *number == 0x2028 || *number == 0x2029;
}

void taut_json_text(taut_string *out, const char *text) {
    taut_string_add(out, "\"");
    while (*text) {
        const char *plain = text, *end = text;
        unsigned number = 0;
        bool special = false;
        while (*text && !(special = is_special(text, &end, &number))) text = end;
        taut_string_add(out, "%.*s", (int)(text - plain), plain);
        if (!special) break;
        if (number == '"' || number == '\\')
            taut_string_add(out, "\\%c", (char)number);
        else
            taut_string_add(out, "\\u%04x", number);
        text = end;
    }
    taut_string_add(out, "\"");
}

void taut_json_number(taut_string *out, double value, int digits) {
    if (isfinite(value))
        taut_string_add(out, "%.*g", digits, value);
    else
        taut_string_add(out, "null");
}

static void add_member(taut_string *out, const char *key, double value) {
    taut_string_add(out, ",\"%s\":", key);
    taut_json_number(out, value, 17);
}

static void add_word(taut_string *out, const char *key, const char *word) {
    taut_string_add(out, ",\"%s\":", key);
    if (word)
        taut_json_text(out, word);
    else
        taut_string_add(out, "null");
}

/* What was said about reactions. */
static void add_reactions(taut_string *out, const taut_run_stats *s) {
    char name[200];
    add_member(out, "reaction_residual", s->reaction_residual);
    taut_string_add(out, ",\"not_unique\":[");
    for (const char *line = s->not_unique; *line;) {
        const size_t n = strcspn(line, "\n"), word = strcspn(line, " \n");
        snprintf(name, sizeof name, "%.*s", (int)word, line);
        taut_string_add(out, line == s->not_unique ? "" : ",");
        taut_json_text(out, name);
        line += n + (line[n] == '\n');
    }
    taut_string_add(out, "]");
}

void taut_json_certificate(taut_string *out, const taut_result *r, bool by_column) {
    const taut_certificate *c = taut_result_certificate(r);
    taut_string_add(out, "{\"error\":");
    taut_json_number(out, c->error, 3);
    taut_string_add(out, ",\"digits\":");
    taut_json_number(out, c->error > 0.0 ? -log10(c->error) : (double)NAN, 3);
    add_word(out, "worst", c->column >= 0 ? taut_result_name(r, c->column) : NULL);
    add_member(out, "t", c->t);
    taut_string_add(out, ",\"tol\":");
    taut_json_number(out, c->tol, 3);
    add_word(out, "method", c->method);
    if (c->at_rest) add_word(out, "at_rest", c->at_rest);
    taut_string_add(out, ",\"growth\":");
    taut_json_number(out, c->growth, 3);
    for (int k = 0; by_column && k < taut_result_columns(r); k++) {
        taut_string_add(out, k ? "," : ",\n\"by_column\":[");
        taut_json_number(out, c->by_column[k], 3);
    }
    taut_string_add(out, by_column ? "]}" : "}");
}

void taut_json_stats(taut_string *out, const taut_result *r) {
    const taut_run_stats *s = taut_result_stats(r);
    taut_string_add(out, "{\"steps\":%ld,\"rejected\":%ld,\"order\":%d", s->steps, s->rejected,
                    s->order);
    add_member(out, "wall_s", s->wall_s);
    add_member(out, "setup_s", s->setup_s);
    add_member(out, "constraint_residual", s->constraint_residual);
    add_member(out, "energy_drift", s->energy_drift);
    taut_string_add(out, ",\"index\":%d,\"dof\":%ld", s->index, s->dof);
    add_member(out, "mobility", s->mobility >= 0 ? s->mobility : (double)NAN);
    taut_string_add(out, ",\"unknowns\":%d", s->unknowns);
    add_word(out, "solver", s->solver);
    add_word(out, "formulation", s->formulation);
    if (s->alarm) add_word(out, "alarm", s->alarm);
    if (s->miscompiled) add_word(out, "miscompiled", s->miscompiled);
    if (s->not_unique) add_reactions(out, s);
    if (taut_result_certificate(r)) {
        taut_string_add(out, ",\"certificate\":");
        taut_json_certificate(out, r, false);
    }
    taut_string_add(out, "}");
}

/* A row as a list, into `to`. Returns how many characters that is. */
static size_t write_row(const taut_powers *powers, const taut_result *r, long i, int digits,
                        char *to) {
    const int columns = taut_selection_count(r);
    size_t length = 0;
    if (i > 0) to[length++] = ',';
    to[length++] = '\n';
    to[length++] = '[';
    for (int k = 0; k < columns; k++) {
        const double value = taut_result_value(r, i, taut_selection_column(r, k));
        if (k > 0) to[length++] = ',';
        if (isfinite(value)) {
            length += taut_number_write(powers, value, digits, to + length);
        } else {
            static const char none[] = {'n', 'u', 'l', 'l'};
            memcpy(to + length, none, sizeof none);
            length += sizeof none;
        }
    }
    to[length++] = ']';
    return length;
}

static taut_status write_rows(taut_file *f, const taut_result *r, int digits) {
    const size_t columns = (size_t)taut_selection_count(r);
    taut_arena arena = {0};
    taut_powers *powers = TAUT_NEW(&arena, taut_powers);
    char *row = TAUT_NEW_ARRAY(&arena, columns * (TAUT_NUMBER_ROOM + 1) + 8, char);
    taut_status status = powers && row ? TAUT_OK : TAUT_ERR_MEMORY;
    if (status == TAUT_OK) taut_powers_fill(powers);
    for (long i = 0; i < taut_result_rows(r) && status == TAUT_OK; i++)
        status = taut_file_put(f, row, write_row(powers, r, i, digits, row));
    taut_arena_release(&arena);
    return status;
}

/* The names of the columns that are written, or their units. */
static void add_names(taut_string *text, const taut_result *r, const taut_model *model,
                      bool units) {
    char unit[32];
    for (int k = 0; k < taut_selection_count(r); k++) {
        const char *name = taut_result_name(r, taut_selection_column(r, k));
        if (units) taut_plot_unit(model, name, unit, sizeof unit);
        taut_string_add(text, k ? "," : "");
        taut_json_text(text, units ? unit : name);
    }
}

taut_status taut_table_json(taut_file *f, const taut_result *r, const taut_write_options *o) {
    taut_string text = {0};
    taut_string_add(&text, "{\"columns\":[");
    add_names(&text, r, NULL, false);
    if (o->units || o->units_row) {
        taut_string_add(&text, "],\n\"units\":[");
        add_names(&text, r, o->model, true);
    }
    taut_string_add(&text, "],\n\"rows\":[");
    taut_status status = text.failed ? TAUT_ERR_MEMORY : taut_file_put(f, text.text, text.length);
    if (status == TAUT_OK) status = write_rows(f, r, o->digits);
    text.length = 0;
    if (text.text) text.text[0] = '\0';
    taut_string_add(&text, "],\n\"stats\":");
    taut_json_stats(&text, r);
    taut_string_add(&text, "}\n");
    if (status == TAUT_OK && !text.failed) status = taut_file_put(f, text.text, text.length);
    if (text.failed) status = TAUT_ERR_MEMORY;
    taut_string_release(&text);
    return status;
}
