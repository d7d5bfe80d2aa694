/* Elements, attributes, comments and the five entities: what descriptions of models consist of. */
#include "fmu_host/xml.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool wrong(xml_document *d, const char *what, const char *at) {
    snprintf(d->fault, sizeof d->fault, "not well-formed: %s at '%.20s'", what, at);
    return false;
}

/* Replaces entities in place; false: an unknown one, or a bare < or &. */
static bool decode(char *text) {
    static const struct {
        const char *name;
        char letter;
    } entity[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
    char *to = text;
    while (*text) {
        if (*text == '<') return false;
        size_t i = 0;
        while (*text == '&' && i < 5 && strncmp(text, entity[i].name, strlen(entity[i].name)) != 0)
            i++;
        if (*text == '&' && i == 5) return false;
        if (*text == '&') {
            *to++ = entity[i].letter;
            text += strlen(entity[i].name);
        } else {
            *to++ = *text++;
        }
    }
    *to = '\0';
    return true;
}

static char *skip(char *p) {
    while (isspace((unsigned char)*p)) p++;
    return p;
}

static char *name_end(char *p) {
    while (isalnum((unsigned char)*p) || strchr("_-.:", *p)) {
        if (!*p) break;
        p++;
    }
    return p;
}

/* key="value" ... up to > or />; NULL: not well-formed. */
static char *read_attributes(xml_document *d, xml_element *e, char *p) {
    for (p = skip(p); *p && *p != '>' && *p != '/' && *p != '?'; p = skip(p)) {
        char *key = p, *end = name_end(p);
        if (end == key || *end != '=' || end[1] != '"' || e->attributes == XML_ATTRIBUTES)
            return wrong(d, "an attribute", p) ? p : NULL;
        *end = '\0';
        char *value = end + 2;
        char *quote = strchr(value, '"');
        if (!quote) return wrong(d, "a quote is missing", value) ? p : NULL;
        *quote = '\0';
        if (!decode(value)) return wrong(d, "an entity", value) ? p : NULL;
        for (int i = 0; i < e->attributes; i++)
            if (strcmp(e->key[i], key) == 0) return wrong(d, "an attribute twice", key) ? p : NULL;
        e->key[e->attributes] = key;
        e->value[e->attributes++] = value;
        p = quote + 1;
    }
    return p;
}

static bool read_elements(xml_document *d, char *p) {
    int open = -1;
    for (p = skip(p); *p; p = skip(p)) {
        if (*p != '<') return wrong(d, "text", p);
        if (strncmp(p, "<?xml", 5) == 0) {
            p = strstr(p, "?>");
            if (!p) return wrong(d, "the declaration", "");
            p += 2;
            continue;
        }
        if (p[1] == '/') {
            char *name = p + 2, *end = name_end(name);
            if (open < 0 || *end != '>' || strlen(d->element[open].name) != (size_t)(end - name) ||
                strncmp(d->element[open].name, name, (size_t)(end - name)) != 0)
                return wrong(d, "an end that has no beginning", p);
            open = d->element[open].parent;
            p = end + 1;
            continue;
        }
        if (d->count == XML_ELEMENTS || (open < 0 && d->count > 0))
            return wrong(d, "a second root", p);
        xml_element *e = &d->element[d->count];
        char *name = p + 1, *end = name_end(name);
        *e = (xml_element){.name = name, .parent = open};
        if (end == name) return wrong(d, "a name", p);
        p = read_attributes(d, e, end);
        if (!p) return false;
        const bool empty = *p == '/';
        if (p[empty] != '>') return wrong(d, "a tag", name);
        p[0] = '\0';
        *end = '\0';
        p += empty ? 2 : 1;
        if (!empty) open = d->count;
        d->count++;
    }
    if (open >= 0) return wrong(d, "an element without its end", d->element[open].name);
    return d->count > 0 || wrong(d, "nothing", "");
}

bool xml_read(xml_document *d, const char *text) {
    d->count = 0;
    d->fault[0] = '\0';
    d->text = malloc(strlen(text) + 1);
    memcpy(d->text, text, strlen(text) + 1);
    return read_elements(d, d->text);
}

void xml_release(xml_document *d) {
    free(d->text);
    d->text = NULL;
}

const char *xml_get(const xml_element *e, const char *key) {
    for (int i = 0; i < e->attributes; i++)
        if (strcmp(e->key[i], key) == 0) return e->value[i];
    return NULL;
}

int xml_child(const xml_document *d, int parent, const char *name) {
    for (int i = 0; i < d->count; i++)
        if (d->element[i].parent == parent && strcmp(d->element[i].name, name) == 0) return i;
    return -1;
}
