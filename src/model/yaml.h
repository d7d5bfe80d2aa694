/* A YAML file as an immutable tree in which every node knows its place in the file. */
#ifndef TAUT_MODEL_YAML_H
#define TAUT_MODEL_YAML_H

#include <stdatomic.h>
#include <stdbool.h>

#include "core/mesh.h"
#include "core/sheet.h"

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

typedef struct taut_doc taut_doc;

/* What a node belongs to, beyond its place in a text: a file, and what the Include or the Repeat
 * around it says about names. */
typedef struct taut_context {
    const taut_doc *doc;
    const char *prefix;               /* of an Include: goes before the names in it; "" if none */
    const char *index;                /* of a Repeat: the name of its index; NULL if none ... */
    long value;                       /* ... and its value here */
    const char *note;                 /* "i = 7, j = 1", all indices; NULL if none */
    const struct taut_context *outer; /* of the Repeat around it; NULL if none */
} taut_context;

/* One node. An alias shares the node of its anchor, and with it the anchor's place. There are many:
 * it fits into a cache line. */
typedef struct taut_yaml {
    unsigned kind : 4;  /* taut_yaml_kind */
    unsigned style : 4; /* scalar: taut_yaml_style, how it is written */
    bool is_null : 1;   /* scalar: plain and empty, ~ or null */
    bool flow : 1;      /* sequence, mapping: [ ], { } or a pair in [ ] */
    bool made : 1;      /* scalar: a prefix or an index was put into its text */
    int line, column;   /* 1-based, of its first character after anchor and tag, in characters */
    int start, end;     /* bytes [start, end) of the document's text */
    int length;         /* scalar: bytes of text */
    int count;          /* sequence: items; mapping: pairs */
    const char *text;   /* scalar: value in UTF-8, terminated, without a NUL inside */
    const struct taut_yaml *const *keys;  /* mapping: (count) scalars in file order, no two equal */
    const struct taut_yaml *const *items; /* sequence: (count) items; mapping: (count) values */
    const taut_context *context;
} taut_yaml;

/* A file that another one includes. */
typedef struct taut_include {
    const taut_yaml *place; /* where it is named */
    const char *prefix;     /* "" if there is none */
    taut_doc *doc;          /* owned by the including one */
} taut_include;

/* A table that it reads from a CSV file. */
typedef struct taut_doc_sheet {
    const char *file;  /* as the document calls it */
    taut_sheet *sheet; /* owned */
} taut_doc_sheet;

/* A surface that it reads from a file. */
typedef struct taut_doc_mesh {
    const char *file; /* as the document calls it */
    taut_mesh *mesh;  /* owned */
} taut_doc_mesh;

/* A file that was read: owns its text and its nodes. */
struct taut_doc {
    const char *path; /* as the user wrote it */
    const char *text; /* the file after a byte order mark, terminated */
    long length;      /* bytes of text */
    const taut_yaml *root;
    taut_include
        *include; /* [includes] in the order of the file; filled by taut_doc_load_includes */
    int includes;
    taut_doc_sheet *sheet; /* [sheets] likewise */
    int sheets;
    taut_doc_mesh *mesh; /* [meshes] likewise */
    int meshes;
    const char *home;     /* the folder of its file, absolute, no link; NULL: it is not known */
    bool confined;        /* it may have files of that folder and below read, and no others */
    bool is_built;        /* by calls, which name files themselves */
    bool has_path;        /* false: it is a text in memory */
    bool has_folder;      /* ... that was made from a file: its meshes are beside that */
    bool hidden;          /* it may be no model: messages show no lines of it */
    taut_context context; /* of its nodes */
    taut_arena arena;     /* holds this struct, path and nodes */
    void *buffer;         /* holds text */
    atomic_int reads;     /* how often a model was read from it, by any thread */
};

/* Reads the file `path`. What is wrong with it goes to errors (may be NULL); *doc is then NULL.
 * Refused with a message: malformed YAML, a key that is twice in a mapping or is not a scalar,
 * merge keys, tags beyond YAML's own, a second document, an empty file, what is not UTF-8 text, and
 * what breaks a limit: 256 MB, 4 million nodes, nesting of 200, and what aliases expand to. */
taut_status taut_doc_read(const char *path, taut_doc **doc, taut_errors *errors);
/* The same for a text of `length` bytes, which is copied; path_name is what messages call it. */
taut_status taut_doc_parse(const char *path_name, const char *text, long length, taut_doc **doc,
                           taut_errors *errors);
void taut_doc_free(taut_doc **doc);
/* Inside reading: from the text of a document to its nodes; what to say without memory. */
taut_status taut_doc_build(taut_doc *doc, taut_errors *errors);
taut_status taut_doc_no_memory(const char *path, taut_errors *errors);
/* Reads the files that its keys Include and Tables name, and those that they include. Refused: a
 * file that includes itself, more than a few levels or files; with `confine`, what is not below its
 * folder.
 */
taut_status taut_doc_load_includes(taut_doc *doc, bool confine, taut_errors *errors);
/* confine.c: finds the folder of a document, before files are read for it. */
taut_status taut_doc_settle(taut_doc *doc, bool confine, taut_errors *errors);
/* Is the file, wherever symbolic links lead, in the folder of the document or below it? */
bool taut_doc_owns(const taut_doc *doc, const char *path);
/* Reports at `place` if measurements must not or cannot be read from this file. */
taut_status taut_doc_check_data(const taut_doc *doc, const char *path, taut_place place,
                                taut_errors *errors);
/* The table that was read from a file of this name; NULL: none. */
const taut_sheet *taut_doc_find_sheet(const taut_doc *doc, const char *file);
/* mesh_files.c: reads the files of all Mesh: {File: ...}; `allowed` says whether one may be read,
 * and reports if not. The mesh from a file of this name; NULL: none. */
typedef bool taut_mesh_allowed(void *user, const taut_yaml *name, const char *path);
taut_status taut_doc_load_meshes(taut_doc *doc, taut_mesh_allowed *allowed, void *user,
                                 taut_errors *errors);
const taut_mesh *taut_doc_find_mesh(const taut_doc *doc, const char *file);
/* The k-th of the files that were read, its own first; NULL: there are no more. */
const char *taut_doc_file(const taut_doc *doc, int k);

/* Index of `key` in a mapping, -1 if there is none or node is not a mapping (or NULL). Linear. */
int taut_yaml_find(const taut_yaml *node, const char *key);
/* Value of `key` in a mapping, NULL if there is none or node is not a mapping (or NULL). Linear. */
const taut_yaml *taut_yaml_get(const taut_yaml *node, const char *key);
/* Is the node a scalar with this text? */
bool taut_yaml_is(const taut_yaml *node, const char *text);

/* Where a node starts, for taut_fail_at; valid while its document lives. */
taut_place taut_yaml_place(const taut_yaml *node);
/* Where byte `offset` of a scalar's text stands in the file, whatever its quotes, escapes and line
 * breaks (where it starts, if its text was made from an index). An offset outside the text is moved
 * to its nearest end; the end of the text is the place after its last character. */
taut_place taut_yaml_place_at(const taut_yaml *scalar, long offset);

#endif
