/* The data of a page, read back: a small reader of JSON, and the numbers of its table. What should
 * not be there fails the test. */
#ifndef TAUT_TESTS_PAGE_H
#define TAUT_TESTS_PAGE_H

#include "check.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A value: an object has keys, a list has none. Strings are decoded. */
typedef struct json {
    char type; /* one of { [ " 0 t f n */
    char *key, *text;
    double number;
    struct json *first, *next; /* members, and the next one beside it */
} json;

static inline json *json_value(const char **p);

static inline void json_space(const char **p) { *p += strspn(*p, " \t\r\n"); }

static inline void json_expect(const char **p, char c) {
    json_space(p);
    if (**p != c) fail_msg("'%c' expected in JSON at: %.60s", c, *p);
    ++*p;
}

static inline void json_put(char **out, unsigned c) {
    if (c < 0x80) {
        *(*out)++ = (char)c;
    } else if (c < 0x800) {
        *(*out)++ = (char)(0xc0 | c >> 6);
        *(*out)++ = (char)(0x80 | (c & 63));
    } else {
        *(*out)++ = (char)(0xe0 | c >> 12);
        *(*out)++ = (char)(0x80 | (c >> 6 & 63));
        *(*out)++ = (char)(0x80 | (c & 63));
    }
}

static inline char *json_string(const char **p) {
    json_expect(p, '"');
    size_t length = 0;
    while ((*p)[length] != '"') {
        assert_true((unsigned char)(*p)[length] >= 0x20);
        length += (*p)[length] == '\\' ? 2 : 1;
    }
    char *text = malloc(length + 1), *out = text;
    assert_non_null(text);
    for (const char *end = *p + length; *p < end; ++*p) {
        unsigned code;
        if (**p != '\\') {
            *out++ = **p;
        } else if (*++*p == 'u') {
            assert_int_equal(sscanf(*p + 1, "%4x", &code), 1);
            json_put(&out, code);
            *p += 4;
        } else {
            assert_non_null(strchr("\"\\", **p)); /* no others are written */
            *out++ = **p;
        }
    }
    *out = '\0';
    ++*p;
    return text;
}

static inline void json_members(const char **p, json *parent, char close) {
    json **end = &parent->first;
    for (json_space(p); **p != close; json_space(p)) {
        if (parent->first) json_expect(p, ',');
        json_space(p);
        char *key = NULL;
        if (close == '}') {
            key = json_string(p);
            json_expect(p, ':');
        }
        *end = json_value(p);
        (*end)->key = key;
        end = &(*end)->next;
    }
    ++*p;
}

static inline json *json_value(const char **p) {
    json *v = calloc(1, sizeof *v);
    assert_non_null(v);
    json_space(p);
    v->type = **p;
    if (**p == '{' || **p == '[') {
        const char close = **p == '{' ? '}' : ']';
        ++*p;
        json_members(p, v, close);
    } else if (**p == '"') {
        v->text = json_string(p);
    } else if (strncmp(*p, "true", 4) == 0 || strncmp(*p, "null", 4) == 0) {
        *p += 4;
    } else if (strncmp(*p, "false", 5) == 0) {
        *p += 5;
    } else {
        char *end;
        v->type = '0';
        v->number = strtod(*p, &end);
        if (end == *p || !isfinite(v->number)) fail_msg("no JSON: %.60s", *p);
        *p = end;
    }
    return v;
}

static inline void json_free(json *v) {
    while (v) {
        json *next = v->next;
        json_free(v->first);
        free(v->key);
        free(v->text);
        free(v);
        v = next;
    }
}

/* A member; it must be there. */
static inline const json *json_get(const json *object, const char *key) {
    for (const json *m = object->first; m; m = m->next)
        if (strcmp(m->key, key) == 0) return m;
    fail_msg("there is no member %s", key);
    return NULL;
}

static inline const json *json_at(const json *list, int i) {
    const json *m = list->first;
    while (m && i-- > 0) m = m->next;
    assert_non_null(m);
    return m;
}

static inline int json_count(const json *list) {
    int count = 0;
    for (const json *m = list->first; m; m = m->next) count++;
    return count;
}

static inline double json_number(const json *object, const char *key) {
    const json *v = json_get(object, key);
    assert_int_equal(v->type, '0');
    return v->number;
}

static inline const char *json_text(const json *object, const char *key) {
    const json *v = json_get(object, key);
    assert_int_equal(v->type, '"');
    return v->text;
}

/* The item of a list that has this name. */
static inline const json *json_named(const json *list, const char *name) {
    for (const json *m = list->first; m; m = m->next)
        if (strcmp(json_text(m, "name"), name) == 0) return m;
    fail_msg("nothing is called %s", name);
    return NULL;
}

/* The data inside a page. The element that holds it must be the only thing that ends there. */
static inline json *page_data(const char *html) {
    static const char open[] = "<script type=\"application/json\" id=\"taut-data\">";
    const char *begin = strstr(html, open);
    assert_non_null(begin);
    begin += strlen(open);
    const char *end = strstr(begin, "</script>");
    assert_non_null(end);
    if (strcspn(begin, "<>&") != (size_t)(end - begin)) fail_msg("a letter that is not escaped");
    json *data = json_value(&begin);
    json_space(&begin);
    assert_ptr_equal(begin, end);
    return data;
}

/* The table of a page: [columns][rows], to be freed. */
static inline double *page_table(const json *data) {
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *text = json_text(data, "data");
    const int columns = json_count(json_get(data, "columns"));
    const long rows = (long)json_number(data, "rows"), values = columns * rows;
    unsigned char *bytes = calloc((size_t)values + 1, 4);
    double *table = calloc((size_t)values + 1, sizeof *table);
    assert_non_null(bytes);
    assert_non_null(table);
    assert_int_equal(strlen(text), (4 * values + 2) / 3 * 4);
    unsigned bits = 0, of[256] = {0};
    long used = 0;
    for (unsigned i = 0; i < 64; i++) of[(unsigned char)letters[i]] = i;
    for (long i = 0; text[i] && text[i] != '='; i++) {
        bits = bits << 6 | of[(unsigned char)text[i]];
        if (i % 4 > 0) bytes[used++] = (unsigned char)(bits >> (6 - 2 * (i % 4)));
    }
    assert_int_equal(used, 4 * values);
    const json *column = json_get(data, "columns")->first;
    for (int c = 0; c < columns; c++, column = column->next)
        for (long r = 0; r < rows; r++) {
            const unsigned char *b = bytes + 4 * (c * rows + r);
            const uint32_t word =
                b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
            float value;
            memcpy(&value, &word, sizeof value);
            table[c * rows + r] = json_number(column, "base") + (double)value;
        }
    free(bytes);
    return table;
}

#endif
