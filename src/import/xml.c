/* From expat's events to a tree. */
#include "import/xml.h"

#include <errno.h>
#include <expat.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/library.h"
#include "core/number.h"
#include "core/text.h"

enum { MOST_BYTES = 64 << 20, MOST_DEPTH = 200, MOST_NODES = 1000000, MOST_ATTRIBUTES = 200 };

/* ---- the library ---- */

#define FUNCTIONS(X)                                                                               \
    X(XML_ErrorString)                                                                             \
    X(XML_GetCurrentColumnNumber)                                                                  \
    X(XML_GetCurrentLineNumber)                                                                    \
    X(XML_GetErrorCode)                                                                            \
    X(XML_Parse)                                                                                   \
    X(XML_ParserCreate)                                                                            \
    X(XML_ParserFree)                                                                              \
    X(XML_SetElementHandler)                                                                       \
    X(XML_SetStartDoctypeDeclHandler)                                                              \
    X(XML_SetUserData)                                                                             \
    X(XML_StopParser)
#define WANTED(f) {.name = #f, .pointer = &expat.f},

static struct { FUNCTIONS(TAUT_LIBRARY_MEMBER) } expat;

static taut_status load_expat(taut_errors *errors) {
    static const taut_wanted wanted[] = {FUNCTIONS(WANTED)};
    static taut_library library = {TAUT_EXPAT_FILE, wanted, TAUT_LIBRARY_COUNT(wanted), "libexpat1",
                                   false};
    return taut_library_load(&library, errors);
}

/* ---- events ---- */

typedef struct building {
    XML_Parser parser;
    taut_xml_file *file;
    taut_xml *at; /* the innermost open element */
    int depth, nodes;
    const char *why; /* it was stopped; NULL: it was not */
    bool no_memory;
} building;

static void stop(building *b, const char *why) {
    b->why = why;
    expat.XML_StopParser(b->parser, XML_FALSE);
}

static int pair_count(const char **pair) {
    int count = 0;
    while (pair[2 * count]) count++;
    return count;
}

static bool copy_attributes(building *b, taut_xml *node, const char **pair) {
    taut_arena *arena = &b->file->arena;
    node->attributes = pair_count(pair);
    node->attribute = TAUT_NEW_ARRAY(arena, node->attributes, taut_xml_attribute);
    if (!node->attribute) return false;
    for (int i = 0; i < node->attributes; i++) {
        node->attribute[i].name = taut_arena_copy(arena, pair[2 * i], strlen(pair[2 * i]));
        node->attribute[i].value = taut_arena_copy(arena, pair[2 * i + 1], strlen(pair[2 * i + 1]));
        if (!node->attribute[i].name || !node->attribute[i].value) return false;
    }
    return true;
}

static void XMLCALL on_start(void *user, const char *name, const char **pair) {
    building *b = user;
    if (b->why) return;
    if (++b->depth > MOST_DEPTH) {
        stop(b, "elements are nested more than 200 deep");
        return;
    }
    if (++b->nodes > MOST_NODES) {
        stop(b, "there are more than a million elements");
        return;
    }
    if (pair_count(pair) > MOST_ATTRIBUTES) {
        stop(b, "an element has more than 200 attributes");
        return;
    }
    taut_xml *node = TAUT_NEW(&b->file->arena, taut_xml);
    if (node) node->name = taut_arena_copy(&b->file->arena, name, strlen(name));
    if (!node || !node->name || !copy_attributes(b, node, pair)) {
        b->no_memory = true;
        stop(b, "out of memory");
        return;
    }
    node->file = b->file;
    node->line = (int)expat.XML_GetCurrentLineNumber(b->parser);
    node->column = (int)expat.XML_GetCurrentColumnNumber(b->parser) + 1;
    node->parent = b->at;
    if (!b->at)
        b->file->root = node;
    else if (b->at->last)
        b->at->last->next = node;
    else
        b->at->first = node;
    if (b->at) b->at->last = node;
    b->at = node;
}

static void XMLCALL on_end(void *user, const char *name) {
    building *b = user;
    (void)name;
    if (b->why) return;
    b->depth--;
    b->at = b->at->parent;
}

static void XMLCALL on_doctype(void *user, const char *name, const char *system, const char *public,
                               int internal) {
    (void)name, (void)system, (void)public, (void)internal;
    stop(user, "a DOCTYPE is not read, nor are entities: remove it");
}

static taut_status tell(building *b, taut_errors *errors) {
    const taut_place place = {.path = b->file->path,
                              .text = b->file->text,
                              .text_length = b->file->length,
                              .line = (int)expat.XML_GetCurrentLineNumber(b->parser),
                              .column = (int)expat.XML_GetCurrentColumnNumber(b->parser) + 1};
    if (b->no_memory) return TAUT_ERR_MEMORY;
    if (b->why) return taut_fail_at(errors, TAUT_ERR_INPUT, place, "%s", b->why);
    const enum XML_Error code = expat.XML_GetErrorCode(b->parser);
    if (code == XML_ERROR_NO_MEMORY) return TAUT_ERR_MEMORY;
    return taut_fail_at(errors, TAUT_ERR_INPUT, place, "this is no XML: %s",
                        expat.XML_ErrorString(code));
}

static taut_status build(taut_xml_file *file, taut_errors *errors) {
    building b = {.file = file, .parser = expat.XML_ParserCreate(NULL)};
    if (!b.parser) return TAUT_ERR_MEMORY;
    expat.XML_SetUserData(b.parser, &b);
    expat.XML_SetElementHandler(b.parser, on_start, on_end);
    expat.XML_SetStartDoctypeDeclHandler(b.parser, on_doctype);
    taut_status status = TAUT_OK;
    if (expat.XML_Parse(b.parser, file->text, (int)file->length, XML_TRUE) != XML_STATUS_OK)
        status = tell(&b, errors);
    expat.XML_ParserFree(b.parser);
    return status;
}

/* ---- files ---- */

static taut_status fail_io(const char *path, int reason, taut_errors *errors) {
    const taut_place place = {.path = path};
    return taut_fail_at(errors, TAUT_ERR_IO, place, "cannot be read: %s", strerror(reason));
}

static taut_status load_file(taut_xml_file *file, taut_errors *errors) {
    struct stat about;
    /* looked at first: to open a pipe would wait for its other end */
    if (stat(file->path, &about) != 0) return fail_io(file->path, errno, errors);
    if (!S_ISREG(about.st_mode))
        return fail_io(file->path, S_ISDIR(about.st_mode) ? EISDIR : EINVAL, errors);
    FILE *in = fopen(file->path, "rb");
    if (!in) return fail_io(file->path, errno, errors);
    taut_status status = TAUT_OK;
    if (fstat(fileno(in), &about) != 0)
        status = fail_io(file->path, errno, errors);
    else if (about.st_size > MOST_BYTES)
        status = taut_fail(errors, TAUT_ERR_INPUT, "%s has more than 64 MB", file->path);
    else if (!(file->text = taut_new((size_t)about.st_size + 1)))
        status = TAUT_ERR_MEMORY;
    else
        file->length = (long)fread(file->text, 1, (size_t)about.st_size, in);
    if (status == TAUT_OK && ferror(in)) status = fail_io(file->path, EIO, errors);
    fclose(in);
    return status;
}

static taut_status begin(const char *path, taut_xml_file **file, taut_errors *errors) {
    TAUT_TRY(load_expat(errors));
    taut_xml_file *f = *file = taut_new(sizeof *f);
    if (!f) return TAUT_ERR_MEMORY;
    f->path = taut_arena_copy(&f->arena, path, strlen(path));
    if (f->path) return TAUT_OK;
    taut_xml_free(file);
    return TAUT_ERR_MEMORY;
}

taut_status taut_xml_read(const char *path, taut_xml_file **file, taut_errors *errors) {
    *file = NULL;
    TAUT_TRY(begin(path, file, errors));
    taut_status status = load_file(*file, errors);
    if (status == TAUT_OK) status = build(*file, errors);
    if (status != TAUT_OK) taut_xml_free(file);
    return status;
}

taut_status taut_xml_parse(const char *path, const char *text, long length, taut_xml_file **file,
                           taut_errors *errors) {
    *file = NULL;
    TAUT_TRY(begin(path, file, errors));
    taut_status status = TAUT_OK;
    if (length > MOST_BYTES)
        status = taut_fail(errors, TAUT_ERR_INPUT, "%s has more than 64 MB", path);
    else if (!((*file)->text = taut_new((size_t)length + 1)))
        status = TAUT_ERR_MEMORY;
    else {
        memcpy((*file)->text, text, (size_t)length);
        (*file)->length = length;
        status = build(*file, errors);
    }
    if (status != TAUT_OK) taut_xml_free(file);
    return status;
}

void taut_xml_free(taut_xml_file **file) {
    if (!*file) return;
    taut_release((void **)&(*file)->text);
    taut_arena_release(&(*file)->arena);
    taut_release((void **)file);
}

/* ---- looking at it ---- */

const char *taut_xml_get(const taut_xml *node, const char *name) {
    for (int i = 0; node && i < node->attributes; i++)
        if (strcmp(node->attribute[i].name, name) == 0) {
            node->attribute[i].seen = true;
            return node->attribute[i].value;
        }
    return NULL;
}

static taut_xml *named(taut_xml *node, const char *name) {
    while (node && strcmp(node->name, name) != 0) node = node->next;
    if (node) node->seen = true;
    return node;
}

taut_xml *taut_xml_child(const taut_xml *node, const char *name) {
    return node ? named(node->first, name) : NULL;
}

taut_xml *taut_xml_next(const taut_xml *node, const char *name) { return named(node->next, name); }

taut_place taut_xml_place(const taut_xml *node) {
    return (taut_place){.path = node->file->path,
                        .text = node->file->text,
                        .text_length = node->file->length,
                        .line = node->line,
                        .column = node->column};
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

taut_status taut_xml_some_numbers(const taut_xml *node, const char *name, double *value, int least,
                                  int count, int *found, taut_errors *errors) {
    const char *text = taut_xml_get(node, name), *p = text;
    int n = 0;
    if (found) *found = 0;
    if (!text) return TAUT_OK;
    for (;; n++) {
        while (is_blank(*p)) p++;
        if (!*p || n == count) break;
        char *end;
        const double x = taut_number_parse(p, &end);
        if (end == p || (*end && !is_blank(*end)) || !(fabs(x) < 1e100))
            return taut_fail_at(errors, TAUT_ERR_INPUT, taut_xml_place(node),
                                "%s=\"%.40s\": this is no list of finite numbers%s", name, text,
                                strstr(text, "${") ? "; xacro replaces ${...} by them" : "");
        value[n] = x;
        p = end;
    }
    if (*p || n < least)
        return taut_fail_at(errors, TAUT_ERR_INPUT, taut_xml_place(node),
                            "%s=\"%.40s\": %s%d number%s expected", name, text,
                            least < count && !*p ? "at least " : "", *p ? count : least,
                            (*p ? count : least) == 1 ? " is" : "s are");
    if (found) *found = n;
    return TAUT_OK;
}

taut_status taut_xml_numbers(const taut_xml *node, const char *name, double *value, int count,
                             taut_errors *errors) {
    return taut_xml_some_numbers(node, name, value, count, count, NULL, errors);
}

taut_status taut_xml_number(const taut_xml *node, const char *name, double *value,
                            taut_errors *errors) {
    return taut_xml_numbers(node, name, value, 1, errors);
}

taut_status taut_xml_need(const taut_xml *node, const char *name, const char **value,
                          taut_errors *errors) {
    *value = taut_xml_get(node, name);
    if (*value && **value) return TAUT_OK;
    return taut_fail_at(errors, TAUT_ERR_INPUT, taut_xml_place(node), "<%s> needs the attribute %s",
                        node->name, name);
}
