/* A YAML file as an immutable tree in which every node knows its place in the file. */
#ifndef TAUT_MODEL_YAML_H
#define TAUT_MODEL_YAML_H

#include <stdbool.h>

#include "core/arena.h"
#include "core/status.h"

typedef enum taut_yaml_kind {
    TAUT_YAML_SCALAR,
    TAUT_YAML_SEQUENCE,
    TAUT_YAML_MAPPING
} taut_yaml_kind;

typedef enum taut_yaml_style {
    TAUT_YAML_PLAIN,
    TAUT_YAML_SINGLE_QUOTED, /* '' in the file is ' in the text */
    TAUT_YAML_DOUBLE_QUOTED,
    TAUT_YAML_LITERAL, /* | */
    TAUT_YAML_FOLDED,  /* > */
} taut_yaml_style;

/* One node. An alias shares the node of its anchor, and with it the anchor's place. */
typedef struct taut_yaml {
    taut_yaml_kind kind;
    taut_yaml_style style; /* scalar: how it is written */
    bool is_null;          /* scalar: plain and empty, ~ or null */
    bool flow;             /* sequence, mapping: [ ], { } or a pair in [ ] */
    int line, column;      /* 1-based, of its first character after anchor and tag, in characters */
    int start, end;        /* bytes [start, end) of the document's text */
    int length;            /* scalar: bytes of text */
    int count;             /* sequence: items; mapping: pairs */
    const char *text;      /* scalar: value in UTF-8, terminated, without a NUL inside */
    const struct taut_yaml *const *keys;  /* mapping: (count) scalars in file order, no two equal */
    const struct taut_yaml *const *items; /* sequence: (count) items; mapping: (count) values */
} taut_yaml;

/* A file that was read: owns its text and its nodes. */
typedef struct taut_doc {
    const char *path; /* as the user wrote it */
    const char *text; /* the file after a byte order mark, terminated */
    long length;      /* bytes of text */
    const taut_yaml *root;
    taut_arena arena; /* holds this struct, path and nodes */
    void *buffer;     /* holds text */
} taut_doc;

/* Reads the file `path`. What is wrong with it goes to errors (may be NULL); *doc is then NULL.
 * Refused with a message: malformed YAML, a key that is twice in a mapping or is not a scalar,
 * merge keys, tags beyond YAML's own, a second document, an empty file, what is not UTF-8 text, and
 * what breaks a limit: 256 MB, 4 million nodes, nesting of 200, and what aliases expand to. */
taut_status taut_doc_read(const char *path, taut_doc **doc, taut_errors *errors);
/* The same for a text of `length` bytes, which is copied; path_name is what messages call it. */
taut_status taut_doc_parse(const char *path_name, const char *text, long length, taut_doc **doc,
                           taut_errors *errors);
void taut_doc_free(taut_doc **doc);

/* Index of `key` in a mapping, -1 if there is none or node is not a mapping (or NULL). Linear. */
int taut_yaml_find(const taut_yaml *node, const char *key);
/* Value of `key` in a mapping, NULL if there is none or node is not a mapping (or NULL). Linear. */
const taut_yaml *taut_yaml_get(const taut_yaml *node, const char *key);
/* Is the node a scalar with this text? */
bool taut_yaml_is(const taut_yaml *node, const char *text);

/* Where a node starts, for taut_fail_at; valid while doc lives. */
taut_place taut_yaml_place(const taut_doc *doc, const taut_yaml *node);
/* Where byte `offset` of a scalar's text stands in the file, whatever its quotes, escapes and line
 * breaks. An offset outside the text is moved to its nearest end; the end of the text is the place
 * after its last character. */
taut_place taut_yaml_place_at(const taut_doc *doc, const taut_yaml *scalar, long offset);

#endif
