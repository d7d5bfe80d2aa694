/* Turns YAML into a tree with places; the only file that knows libyaml.
 *
 * Flow: bytes -> taut_doc_check_text (UTF-8, no control characters) -> libyaml's events ->
 * take_event builds the tree bottom-up. The children of open collections wait on one stack,
 * `pending`, until their collection closes. After a fault that leaves the rest readable the reading
 * goes on, so that one run shows several; the builder's status then keeps the tree from being
 * handed out.
 *
 * Of libyaml's marks only the index is used: a cursor turns it into byte, line and column. */
#include "model/yaml.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "model/cursor.h"

enum {
    MAX_NODES = 4000000,
    MAX_DEPTH = 200,
    MAX_ANCHORS = 10000,
    FREE_EXPANSION = 1000000, /* nodes that aliases may always expand to, */
    EXPANSION_FACTOR = 10,    /* and this many more for each node of the file */
    SHOWN_KEY = 60,           /* bytes of a key in a message */
};

typedef struct anchor {
    const char *name;
    const taut_yaml *node;
    bool open;   /* its node is not complete yet */
    long before; /* b->expanded when its node began */
    long size;   /* nodes in it, aliases expanded */
    int height;  /* levels of collections in it */
} anchor;

/* An open collection. */
typedef struct frame {
    taut_yaml *node;
    anchor *anchor; /* NULL: none */
    size_t first;   /* its children are pending[first ...]; of a mapping: key, value, key, value */
    int height;     /* of its highest child */
} frame;

/* A key in the search for duplicates. */
typedef struct twin {
    const taut_yaml *key;
    const taut_yaml *first; /* the same key, earlier */
} twin;

typedef struct builder {
    taut_doc *doc;
    taut_errors *errors;
    taut_status status; /* not TAUT_OK after any fault */
    yaml_parser_t parser;
    taut_cursor at, end; /* of the current event */
    long tail;           /* where the last scalar, alias or bracket ended */
    frame frames[MAX_DEPTH];
    int depth;
    const taut_yaml **pending;
    size_t pending_count, pending_capacity;
    anchor **anchors; /* sorted by name */
    size_t anchor_count, anchor_capacity;
    twin *twins; /* work of check_duplicates */
    size_t twin_capacity;
    long nodes, expanded; /* nodes so far, without and with the expansion of aliases */
} builder;

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/* Adds a fault at a cursor. Returned, it stops the reading; otherwise the reading goes on. */
#define FAULT(b, where, ...)                                                                       \
    ((b)->status = taut_fail_at((b)->errors, TAUT_ERR_INPUT, taut_cursor_place((b)->doc, (where)), \
                                __VA_ARGS__))

/* ---- what libyaml says, in plain words ---- */

#define TABS "tabs are not allowed for indentation; use spaces"

static const struct {
    const char *problem; /* libyaml's text */
    bool at_context;     /* the cause is where the context began, not where libyaml gave up */
    const char *message;
} explanations[] = {
    {"found a tab character that violates indentation", false, TABS},
    {"found a tab character where an indentation space is expected", false, TABS},
    {"could not find expected ':'", true,
     "expected ':' after this key; check also the indentation"},
    {"found unexpected end of stream", true, "this quote is never closed"},
    {"found unexpected document indicator", true,
     "this quote is not closed before the next '---' or '...'"},
    {"mapping values are not allowed in this context", false,
     "a ':' is not allowed here; check the indentation, or quote the text if the ':' is part of "
     "it"},
    {"mapping keys are not allowed in this context", false,
     "a '?' is not allowed here; quote the text if the '?' is part of it"},
    {"block sequence entries are not allowed in this context", false,
     "a list entry '-' is not allowed here; start it on a line of its own"},
    {"did not find expected key", false,
     "expected the next key here; check the indentation, quotes and brackets"},
    {"did not find expected '-' indicator", false,
     "expected a list entry '-' here; check the indentation"},
    {"did not find expected node content", false, "expected a key or a value here"},
    {"did not find expected <document start>", false,
     "expected the end of the file here; check the indentation"},
    {"did not find expected alphabetic or numeric character", false,
     "expected a name after '&' or '*'; quote the text if this is no anchor or alias"},
    {"found undefined tag handle", false,
     "tags are not supported; quote the text if the '!' is part of it"},
    {"found unknown escape character", false,
     "unknown escape in double quotes; a backslash is written \\\\"},
    {"found unknown directive name", true, "a line must not start with '%'"},
    {"found incompatible YAML document", true, "the file must be YAML 1.1 or 1.2"},
};

/* A list or mapping in brackets that goes on where it should not, or never ends. */
static taut_status report_unclosed(builder *b, taut_cursor opened, taut_cursor at, char bracket) {
    const char *what = bracket == ']' ? "list" : "mapping";
    if (at.offset == b->doc->length)
        return FAULT(b, opened, "this %s is never closed: '%c' is missing", what, bracket);
    if (b->doc->text[at.offset] == '{' && at.offset > opened.offset + 1)
        return FAULT(b, at, "a name with an index in braces must be quoted: \"P{i}\"");
    return FAULT(b, at, "expected ',' or '%c' here, in the %s that starts on line %d", bracket,
                 what, opened.line);
}

/* Does a formula go on behind a list: [1, 0] + A? */
static bool follows_list(const taut_doc *doc, taut_cursor at) {
    if (at.offset >= doc->length || !strchr("+-*/", doc->text[at.offset])) return false;
    long before = at.offset - 1;
    while (before >= 0 && doc->text[before] == ' ') before--;
    return before >= 0 && doc->text[before] == ']';
}

static taut_status report_problem(builder *b) {
    const yaml_parser_t *parser = &b->parser;
    if (parser->error == YAML_MEMORY_ERROR) return taut_doc_no_memory(b->doc->path, b->errors);
    const char *problem = parser->problem ? parser->problem : "malformed YAML";
    taut_cursor at = taut_text_start, context = taut_text_start;
    taut_cursor_seek_index(b->doc, &at, parser->problem_mark.index);
    taut_cursor_seek_index(b->doc, &context, parser->context_mark.index);

    if (!strncmp(problem, "did not find expected ", 22) && follows_list(b->doc, at))
        return FAULT(b, at, "a formula that begins with a list must be in quotes: \"[...] %c ...\"",
                     b->doc->text[at.offset]);
    if (!strncmp(problem, "did not find expected ',' or ", 29))
        return report_unclosed(b, context, at, strchr(problem, ']') ? ']' : '}');
    if (!strcmp(problem, "found character that cannot start any token")) {
        const char c = b->doc->text[at.offset];
        return c == '\t' ? FAULT(b, at, TABS)
                         : FAULT(b, at, "a value cannot start with '%c'; quote it", c);
    }
    for (size_t i = 0; i < sizeof explanations / sizeof *explanations; i++)
        if (!strcmp(problem, explanations[i].problem))
            return FAULT(b, explanations[i].at_context ? context : at, "%s",
                         explanations[i].message);
    return FAULT(b, at, "%s%s%s", problem, parser->context ? ", " : "",
                 parser->context ? parser->context : "");
}

/* ---- nodes ---- */

/* The start of what follows anchor and tag; blanks, line breaks and comments may be between. */
static const char *skip_properties(const char *p, const char *end) {
    static const char name[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    bool in_tag = false, in_comment = false;
    unsigned code;
    for (long n; p < end; p += n) {
        n = taut_decode(p, end, &code);
        assert(n > 0); /* by check_text */
        if (taut_is_blank(code)) {
            in_tag = false;
            in_comment = in_comment && !taut_is_break(code);
        } else if (code == '&' && !in_tag && !in_comment) {
            n += (long)strspn(p + 1, name); /* libyaml wants no blank after an anchor */
        } else if (!in_tag && !in_comment) {
            in_tag = code == '!';
            in_comment = code == '#';
            if (!in_tag && !in_comment) break;
        }
    }
    return p < end ? p : end;
}

/* A node with the place of the current event. NULL: b->status says why. */
static taut_yaml *new_node(builder *b, taut_yaml_kind kind) {
    if (++b->nodes > MAX_NODES) {
        FAULT(b, b->at, "the file has more than %d entries", MAX_NODES);
        return NULL;
    }
    taut_yaml *node = TAUT_NEW(&b->doc->arena, taut_yaml);
    if (!node) {
        b->status = taut_doc_no_memory(b->doc->path, b->errors);
        return NULL;
    }
    const char *text = b->doc->text;
    taut_cursor_seek(b->doc, &b->at,
                     skip_properties(text + b->at.offset, text + b->end.offset) - text);
    node->kind = kind;
    node->line = b->at.line;
    node->column = b->at.column;
    node->start = (int)b->at.offset;
    node->end = (int)b->end.offset;
    node->context = &b->doc->context;
    b->expanded++;
    return node;
}

/* Is the next child the key of a mapping? */
static bool at_key(const builder *b) {
    if (b->depth == 0) return false;
    const frame *f = &b->frames[b->depth - 1];
    return f->node->kind == TAUT_YAML_MAPPING && (b->pending_count - f->first) % 2 == 0;
}

static void check_key(builder *b, const taut_yaml *key) {
    if (key->kind == TAUT_YAML_SEQUENCE)
        FAULT(b, taut_cursor_of(key), "a key must be a name or a text, not a list");
    else if (key->kind == TAUT_YAML_MAPPING)
        FAULT(b, taut_cursor_of(key), "a key must be a name or a text, not a mapping");
    else if (key->style == TAUT_YAML_PLAIN && key->length == 0)
        FAULT(b, taut_cursor_of(key), "a key is missing here");
    else if (key->style == TAUT_YAML_PLAIN && taut_yaml_is(key, "<<"))
        FAULT(b, taut_cursor_of(key), "merge keys (<<) are not supported; write the entries out");
}

/* Gives a node to the open collection, or makes it the root. */
static taut_status add_child(builder *b, const taut_yaml *node) {
    if (b->depth == 0) {
        b->doc->root = node;
        return TAUT_OK;
    }
    void *array = b->pending;
    if (taut_grow(&array, &b->pending_capacity, b->pending_count + 1, sizeof(void *)))
        return taut_doc_no_memory(b->doc->path, b->errors);
    b->pending = array;
    if (at_key(b)) check_key(b, node);
    b->pending[b->pending_count++] = node;
    return TAUT_OK;
}

/* Refuses tags that are not YAML's own; these change nothing, but see is_null. */
static void check_tag(builder *b, const yaml_char_t *tag) {
    static const char *const known[] = {
        "!",           YAML_STR_TAG, YAML_INT_TAG, YAML_FLOAT_TAG,         YAML_BOOL_TAG,
        YAML_NULL_TAG, YAML_SEQ_TAG, YAML_MAP_TAG, "tag:yaml.org,2002:set"};
    if (!tag) return;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp((const char *)tag, known[i])) return;
    FAULT(b, b->at, "tag '%.*s' is not supported; remove it, or quote the text", SHOWN_KEY,
          (const char *)tag);
}

/* ---- anchors and aliases ---- */

/* Position of the first anchor that is not before name; *found: it has this name. */
static size_t anchor_slot(const builder *b, const char *name, bool *found) {
    size_t low = 0, high = b->anchor_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (strcmp(b->anchors[middle]->name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *found = low < b->anchor_count && !strcmp(b->anchors[low]->name, name);
    return low;
}

/* Adds the anchor of a new node; it replaces an older one of the same name, as YAML wants it.
 * No name: *opened is NULL. */
static taut_status open_anchor(builder *b, const yaml_char_t *name, const taut_yaml *node,
                               anchor **opened) {
    *opened = NULL;
    if (!name) return TAUT_OK;
    if (b->anchor_count == MAX_ANCHORS)
        return FAULT(b, b->at, "the file has more than %d anchors", MAX_ANCHORS);
    taut_arena *arena = &b->doc->arena;
    anchor *a = TAUT_NEW(arena, anchor);
    char *copy = taut_arena_copy(arena, (const char *)name, strlen((const char *)name));
    void *array = b->anchors;
    if (!a || !copy || taut_grow(&array, &b->anchor_capacity, b->anchor_count + 1, sizeof(void *)))
        return taut_doc_no_memory(b->doc->path, b->errors);
    b->anchors = array;
    *a = (anchor){.name = copy, .node = node, .open = true, .before = b->expanded - 1};
    bool found;
    const size_t slot = anchor_slot(b, copy, &found);
    anchor **place = b->anchors + slot;
    if (!found) memmove(place + 1, place, (b->anchor_count++ - slot) * sizeof(void *));
    *place = *opened = a;
    return TAUT_OK;
}

/* The anchor's node is complete. */
static void close_anchor(const builder *b, anchor *a, int height) {
    if (!a) return;
    a->open = false;
    a->size = b->expanded - a->before;
    a->height = height;
}

static void raise_height(builder *b, int height) {
    if (b->depth == 0) return;
    frame *f = &b->frames[b->depth - 1];
    if (f->height < height) f->height = height;
}

static taut_status take_alias(builder *b, const yaml_event_t *event) {
    const char *name = (const char *)event->data.alias.anchor;
    bool found;
    const size_t slot = anchor_slot(b, name, &found);
    if (!found)
        return FAULT(b, b->at, "unknown alias '*%.*s'; quote the text if the '*' is part of it",
                     SHOWN_KEY, name);
    const anchor *a = b->anchors[slot];
    if (a->open)
        return FAULT(b, b->at, "alias '*%.*s' stands inside its own anchor", SHOWN_KEY, name);
    if (at_key(b)) return FAULT(b, b->at, "an alias cannot be a key; write the key out");
    if (b->depth + a->height > MAX_DEPTH)
        return FAULT(b, b->at, "this alias nests lists and mappings more than %d deep", MAX_DEPTH);
    const long limit = FREE_EXPANSION + EXPANSION_FACTOR * b->nodes;
    b->expanded += a->size;
    if (b->expanded > limit)
        return FAULT(b, b->at, "the aliases expand the file to more than %ld entries", limit);
    b->tail = b->end.offset;
    raise_height(b, a->height);
    return add_child(b, a->node);
}

/* ---- scalars ---- */

static taut_yaml_style style_of(yaml_scalar_style_t style) {
    static const taut_yaml_style styles[] = {
        [YAML_SINGLE_QUOTED_SCALAR_STYLE] = TAUT_YAML_SINGLE_QUOTED,
        [YAML_DOUBLE_QUOTED_SCALAR_STYLE] = TAUT_YAML_DOUBLE_QUOTED,
        [YAML_LITERAL_SCALAR_STYLE] = TAUT_YAML_LITERAL,
        [YAML_FOLDED_SCALAR_STYLE] = TAUT_YAML_FOLDED,
    };
    return styles[style]; /* all others: TAUT_YAML_PLAIN */
}

/* A tag decides: !!str ~ is a text, !!null '' is null. */
static bool is_null(const taut_yaml *scalar, const yaml_char_t *tag) {
    if (tag) return !strcmp((const char *)tag, YAML_NULL_TAG);
    return scalar->style == TAUT_YAML_PLAIN &&
           (scalar->length == 0 || !strcmp(scalar->text, "~") || !strcmp(scalar->text, "null"));
}

static taut_status take_scalar(builder *b, const yaml_event_t *event) {
    const char *value = (const char *)event->data.scalar.value;
    const size_t length = event->data.scalar.length;
    anchor *a;
    check_tag(b, event->data.scalar.tag);
    taut_yaml *node = new_node(b, TAUT_YAML_SCALAR);
    if (!node) return b->status;
    node->text = taut_arena_copy(&b->doc->arena, value, length);
    if (!node->text) return taut_doc_no_memory(b->doc->path, b->errors);
    node->length = (int)length;
    node->style = style_of(event->data.scalar.style);
    node->is_null = is_null(node, event->data.scalar.tag);
    if (memchr(value, '\0', length))
        FAULT(b, taut_cursor_of(node), "a text cannot contain a NUL character (\\0)");

    /* libyaml lets block scalars end where the next token begins */
    if (node->style == TAUT_YAML_LITERAL || node->style == TAUT_YAML_FOLDED)
        while (node->end > node->start + 1 && is_space(b->doc->text[node->end - 1])) node->end--;
    b->tail = node->end;
    TAUT_TRY(open_anchor(b, event->data.scalar.anchor, node, &a));
    close_anchor(b, a, 0);
    return add_child(b, node);
}

/* ---- lists and mappings ---- */

static taut_status open_collection(builder *b, taut_yaml_kind kind, bool flow,
                                   const yaml_char_t *tag, const yaml_char_t *name) {
    anchor *a;
    if (b->depth == MAX_DEPTH)
        return FAULT(b, b->at, "lists and mappings are nested more than %d deep", MAX_DEPTH);
    check_tag(b, tag);
    taut_yaml *node = new_node(b, kind);
    if (!node) return b->status;
    node->flow = flow;
    b->tail = b->end.offset;
    TAUT_TRY(open_anchor(b, name, node, &a));
    TAUT_TRY(add_child(b, node));
    b->frames[b->depth++] = (frame){.node = node, .anchor = a, .first = b->pending_count};
    return TAUT_OK;
}

static int compare_starts(const void *x, const void *y) {
    const int a = ((const twin *)x)->key->start, b = ((const twin *)y)->key->start;
    return (a > b) - (a < b);
}

/* Orders keys by text, equal ones as they stand in the file. */
static int compare_keys(const void *x, const void *y) {
    const int order = strcmp(((const twin *)x)->key->text, ((const twin *)y)->key->text);
    return order ? order : compare_starts(x, y);
}

/* Faults each key that a mapping has before, in file order. Sorts, since a mapping may be huge. */
static taut_status check_duplicates(builder *b, const taut_yaml *map) {
    void *array = b->twins;
    if (taut_grow(&array, &b->twin_capacity, (size_t)map->count, sizeof *b->twins))
        return taut_doc_no_memory(b->doc->path, b->errors);
    twin *twins = b->twins = array;
    size_t n = 0, found = 0;
    for (int i = 0; i < map->count; i++)
        if (map->keys[i]->kind == TAUT_YAML_SCALAR) twins[n++] = (twin){.key = map->keys[i]};
    if (n < 2) return TAUT_OK;
    qsort(twins, n, sizeof *twins, compare_keys);
    const taut_yaml *first = twins[0].key;
    for (size_t i = 1; i < n; i++) {
        if (!strcmp(twins[i].key->text, first->text))
            twins[found++] = (twin){.key = twins[i].key, .first = first};
        else
            first = twins[i].key;
    }
    qsort(twins, found, sizeof *twins, compare_starts);
    for (size_t i = 0; i < found; i++) {
        const taut_yaml *key = twins[i].key;
        int shown = key->length < SHOWN_KEY ? key->length : SHOWN_KEY;
        while (taut_is_continuation(key->text[shown])) shown--;
        FAULT(b, taut_cursor_of(key), "key '%.*s' appears twice; first on line %d", shown,
              key->text, twins[i].first->line);
    }
    return TAUT_OK;
}

static taut_status close_collection(builder *b) {
    const frame f = b->frames[--b->depth];
    const taut_yaml **children = b->pending + f.first;
    const bool mapping = f.node->kind == TAUT_YAML_MAPPING;
    const size_t n = (b->pending_count - f.first) / (mapping ? 2 : 1);
    const taut_yaml **items = TAUT_NEW_ARRAY(&b->doc->arena, n, const taut_yaml *);
    const taut_yaml **keys = TAUT_NEW_ARRAY(&b->doc->arena, mapping ? n : 0, const taut_yaml *);
    if (!items || !keys) return taut_doc_no_memory(b->doc->path, b->errors);
    for (size_t i = 0; i < n; i++) {
        items[i] = mapping ? children[2 * i + 1] : children[i];
        if (mapping) keys[i] = children[2 * i];
    }
    b->pending_count = f.first;
    f.node->count = (int)n;
    f.node->items = items;
    f.node->keys = mapping ? keys : NULL;

    /* a bracket ends what stands in brackets; all else ends with its last child */
    if (b->end.offset > b->at.offset) b->tail = b->end.offset;
    f.node->end = (int)b->tail;
    close_anchor(b, f.anchor, f.height + 1);
    raise_height(b, f.height + 1);
    return mapping ? check_duplicates(b, f.node) : TAUT_OK;
}

/* ---- events ---- */

static taut_status take_event(builder *b, const yaml_event_t *event) {
    taut_cursor_seek_index(b->doc, &b->at, event->start_mark.index);
    b->end = b->at;
    taut_cursor_seek_index(b->doc, &b->end, event->end_mark.index);
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (!b->doc->root) return TAUT_OK;
        return FAULT(b, b->at, "a second document starts here; a file holds one");
    case YAML_ALIAS_EVENT: return take_alias(b, event);
    case YAML_SCALAR_EVENT: return take_scalar(b, event);
    case YAML_SEQUENCE_START_EVENT:
        return open_collection(b, TAUT_YAML_SEQUENCE,
                               event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE,
                               event->data.sequence_start.tag, event->data.sequence_start.anchor);
    case YAML_MAPPING_START_EVENT:
        return open_collection(b, TAUT_YAML_MAPPING,
                               event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE,
                               event->data.mapping_start.tag, event->data.mapping_start.anchor);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: return close_collection(b);
    default: return TAUT_OK;
    }
}

static taut_status take_events(builder *b) {
    for (bool more = true; more;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&b->parser, &event)) return report_problem(b);
        const taut_status status = take_event(b, &event);
        more = event.type != YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
        TAUT_TRY(status);
    }
    const taut_yaml *root = b->doc->root;
    if (!root || (root->style == TAUT_YAML_PLAIN && taut_yaml_is(root, "")))
        return FAULT(b, taut_text_start, "the file is empty");
    return b->status;
}

taut_status taut_doc_build(taut_doc *doc, taut_errors *errors) {
    if (!strncmp(doc->text, "\xEF\xBB\xBF", 3)) {
        doc->text += 3;
        doc->length -= 3;
    }
    TAUT_TRY(taut_doc_check_text(doc, errors));
    builder b = {.doc = doc, .errors = errors, .at = taut_text_start};
    if (taut_grow((void **)&b.pending, &b.pending_capacity, 64, sizeof(void *)))
        return taut_doc_no_memory(doc->path, errors);
    if (!yaml_parser_initialize(&b.parser)) {
        taut_release((void **)&b.pending);
        return taut_doc_no_memory(doc->path, errors);
    }
    yaml_parser_set_encoding(&b.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&b.parser, (const unsigned char *)doc->text, (size_t)doc->length);
    const taut_status status = take_events(&b);
    yaml_parser_delete(&b.parser);
    void *work[] = {b.pending, b.anchors, b.twins};
    for (int i = 0; i < 3; i++) taut_release(&work[i]);
    return status;
}
