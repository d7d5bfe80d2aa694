/* A small reader of XML for descriptions of models: elements in order, with attributes and depths.
 */
#ifndef TAUT_TESTS_FMU_HOST_XML_H
#define TAUT_TESTS_FMU_HOST_XML_H

#include <stdbool.h>
#include <stddef.h>

enum { XML_ELEMENTS = 4000, XML_ATTRIBUTES = 24 };

typedef struct xml_element {
    const char *name;
    int parent; /* -1: the root */
    const char *key[XML_ATTRIBUTES], *value[XML_ATTRIBUTES];
    int attributes;
} xml_element;

typedef struct xml_document {
    char *text; /* owned; cut into pieces */
    xml_element element[XML_ELEMENTS];
    int count;
    char fault[200]; /* "": well-formed */
} xml_document;

/* Reads a copy of the text; false: document->fault says what is wrong. Release in any case. */
bool xml_read(xml_document *document, const char *text);
void xml_release(xml_document *document);
/* The value of an attribute; NULL: there is none. */
const char *xml_get(const xml_element *element, const char *key);
/* The first child of this name, or -1. */
int xml_child(const xml_document *document, int parent, const char *name);

#endif
