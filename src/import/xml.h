/* XML files as trees of elements, by expat (its only user), which is loaded when it is first
 * needed. Document types are refused, and with them entities of any kind: nothing expands, and no
 * other file is read. */
#ifndef TAUT_IMPORT_XML_H
#define TAUT_IMPORT_XML_H

#include "core/arena.h"
#include "core/status.h"

typedef struct taut_xml_attribute {
    const char *name, *value;
    bool seen; /* somebody has asked for it */
} taut_xml_attribute;

typedef struct taut_xml {
    const char *name;
    const struct taut_xml_file *file;
    int line, column; /* 1-based */
    taut_xml_attribute *attribute;
    int attributes;
    struct taut_xml *parent;
    struct taut_xml *first, *last; /* children */
    struct taut_xml *next;
    bool seen; /* its reader has understood it, or has said that it is left out */
    int note;  /* for its reader; 0 at first */
} taut_xml;

typedef struct taut_xml_file {
    const char *path; /* as the user wrote it */
    char *text;       /* heap */
    long length;
    taut_arena arena; /* nodes */
    taut_xml *root;
} taut_xml_file;

/* Reads a file of at most 64 MB, nested at most 200 deep. TAUT_ERR_INPUT with line and column. */
taut_status taut_xml_read(const char *path, taut_xml_file **file, taut_errors *errors);
/* The same for a text of length bytes, which is copied; path is what messages call it. */
taut_status taut_xml_parse(const char *path, const char *text, long length, taut_xml_file **file,
                           taut_errors *errors);
void taut_xml_free(taut_xml_file **file);

/* ---- looking at it ---- */

/* The value of an attribute; NULL: it is not there. */
const char *taut_xml_get(const taut_xml *node, const char *name);
/* The first child of this name, and the next element of the same name; NULL: there is none. */
taut_xml *taut_xml_child(const taut_xml *node, const char *name);
taut_xml *taut_xml_next(const taut_xml *node, const char *name);
taut_place taut_xml_place(const taut_xml *node);

/* Numbers of an attribute, separated by blanks: exactly `count`, or `least` to `count` of them
 * (*found says how many). Without the attribute *value stays as it is. TAUT_ERR_INPUT: they are no
 * finite numbers below 1e100, or too few or too many. */
taut_status taut_xml_numbers(const taut_xml *node, const char *name, double *value, int count,
                             taut_errors *errors);
taut_status taut_xml_some_numbers(const taut_xml *node, const char *name, double *value, int least,
                                  int count, int *found, taut_errors *errors);
taut_status taut_xml_number(const taut_xml *node, const char *name, double *value,
                            taut_errors *errors);
/* An attribute that must be there. */
taut_status taut_xml_need(const taut_xml *node, const char *name, const char **value,
                          taut_errors *errors);

#endif
