/* The text of a model that is built in code: keys, formulas, lists and maps as lines of YAML. */
#include <stdio.h>
#include <string.h>

#include "core/number.h"
#include "model/build_parts.h"

/* ---- YAML ---- */

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Means the same without quotes, wherever it stands. */
static bool is_plain(const char *text, size_t n) {
    static const char *const NOTHING[] = {"null", "Null", "NULL"};
    if (n == 0 || text[n - 1] == ' ') return false;
    for (size_t i = 0; i < sizeof NOTHING / sizeof NOTHING[0]; i++)
        if (strlen(NOTHING[i]) == n && strncmp(text, NOTHING[i], n) == 0) return false;
    const char first = text[0] == '-' && n > 1 ? text[1] : text[0];
    if (!is_letter(first) && first != '(') return false;
    for (size_t i = 0; i < n; i++)
        if (!is_letter(text[i]) && !strchr(" .+-*/^()'", text[i])) return false;
    return true;
}

void taut_lines_scalar(taut_string *s, const char *text, size_t n) {
    if (is_plain(text, n)) {
        taut_string_add(s, "%.*s", (int)n, text);
        return;
    }
    taut_string_add(s, "\"");
    for (size_t i = 0; i < n; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (c == '"' || c == '\\')
            taut_string_add(s, "\\%c", c);
        else if (c < 0x20 || c == 0x7F)
            taut_string_add(s, "\\x%02X", c);
        else
            taut_string_add(s, "%c", c);
    }
    taut_string_add(s, "\"");
}

/* Where the item that begins at text[i] ends: at a comma outside of brackets, or at n. */
size_t taut_lines_end_of_item(const char *text, size_t i, size_t n) {
    int depth = 0;
    for (; i < n; i++) {
        if (strchr("([", text[i])) depth++;
        if (strchr(")]", text[i])) depth--;
        if (text[i] == ',' && depth <= 0) break;
    }
    return i;
}

/* Is the whole text one pair of brackets with what is between them? */
bool taut_lines_is_list(const char *text, size_t n) {
    int depth = 0;
    if (n < 2 || text[0] != '[' || text[n - 1] != ']') return false;
    for (size_t i = 0; i < n; i++) {
        depth += text[i] == '[' ? 1 : text[i] == ']' ? -1 : 0;
        if (depth == 0 && i + 1 < n) return false;
    }
    return depth == 0;
}

static void add_items(taut_string *s, const char *text, size_t n);

/* A formula; [a, b] becomes a list, so that components have quotes of their own. */
void taut_lines_formula(taut_string *s, const char *text, size_t n) {
    while (n > 0 && text[0] == ' ') text++, n--;
    while (n > 0 && text[n - 1] == ' ') n--;
    if (taut_lines_is_list(text, n))
        add_items(s, text + 1, n - 2);
    else
        taut_lines_scalar(s, text, n);
}

/* "a, b" as a list. */
static void add_items(taut_string *s, const char *text, size_t n) {
    taut_string_add(s, "[");
    for (size_t i = 0, end; i < n; i = end + 1) {
        end = taut_lines_end_of_item(text, i, n);
        taut_string_add(s, i ? ", " : "");
        taut_lines_formula(s, text + i, end - i);
    }
    taut_string_add(s, "]");
}

/* ---- adding lines ---- */

void taut_lines_key(taut_string *s, const char *key) {
    taut_lines_scalar(s, key ? key : "", key ? strlen(key) : 0);
    taut_string_add(s, ":");
}

/* "key: formula"; without a formula the reader says what is missing. */
void taut_lines_add(taut_builder *b, taut_build_section where, const char *key,
                    const char *formula) {
    if (!b) return;
    taut_string *s = &b->lines[where];
    taut_lines_key(s, key);
    if (formula) {
        taut_string_add(s, " ");
        taut_lines_formula(s, formula, strlen(formula));
    }
    taut_string_add(s, "\n");
}

/* "- formula", or "key: formula" if it has a name. */
void taut_lines_add_to_list(taut_builder *b, taut_build_section where, const char *name,
                            const char *formula) {
    if (!b) return;
    ++*(name ? &b->named[where] : &b->unnamed[where]);
    if (name) {
        taut_lines_add(b, where, name, formula);
        return;
    }
    taut_string_add(&b->lines[where], "- ");
    taut_lines_formula(&b->lines[where], formula ? formula : "", formula ? strlen(formula) : 0);
    taut_string_add(&b->lines[where], "\n");
}

void taut_lines_add_name(taut_builder *b, taut_build_section where, const char *name) {
    if (!b) return;
    taut_string_add(&b->lines[where], "- ");
    taut_lines_scalar(&b->lines[where], name ? name : "", name ? strlen(name) : 0);
    taut_string_add(&b->lines[where], "\n");
}

void taut_lines_add_sized(taut_builder *b, taut_build_section where, const char *name, int size) {
    char text[16];
    snprintf(text, sizeof text, "%d", size);
    taut_lines_add(b, where, name, text);
}

/* One more key of a map on one line; nothing if there is no value. */
void taut_lines_entry(taut_string *s, const char *key, const char *value, bool list) {
    if (!value) return;
    taut_string_add(s, "%s%s: ", s->text[s->length - 1] == '{' ? "" : ", ", key);
    if (list)
        add_items(s, value, strlen(value));
    else
        taut_lines_formula(s, value, strlen(value));
}

/* Is there something to describe? If not, taut_builder_finish will say so. */
bool taut_lines_described(taut_builder *b, const void *spec, const char *function) {
    if (b && !spec && !b->null_in) b->null_in = function;
    return b && spec;
}

taut_string *taut_lines_open(taut_builder *b, taut_build_section where, const char *name) {
    if (!b) return NULL;
    taut_string *s = &b->lines[where];
    taut_lines_key(s, name);
    taut_string_add(s, " {");
    return s->failed ? NULL : s;
}

/* The shortest text that reads back as the same number. */
void taut_lines_number(char *text, size_t size, double value) {
    for (int digits = 15; digits <= 17; digits++) {
        taut_format(text, size, "%.*g", digits, value);
        if (taut_number_parse(text, NULL) == value) return;
    }
}
