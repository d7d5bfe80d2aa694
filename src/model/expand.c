/* From the text of a file to what it says: entries of included files are taken over, and what
 * stands under Repeat is written out, once for every value of its index.
 *
 * The result is a tree like that of one long file, whose nodes know by their context where they
 * come from: places in messages are those of the text, and formulas find the index and the names of
 * their own file first (meaning.c). Names themselves are changed here: `A{i-1}` becomes A3, and
 * names of an included file get its prefix. Which scalars are names is known from schema.def. A
 * file with neither Include nor Repeat is left as it is. */
#include <stdio.h>
#include <string.h>

#include "core/hash.h"
#include "core/text.h"
#include "model/expand_parts.h"
#include "model/parts.h"
#include "model/schema.h"

/* By what a body with its masses and initial values takes; never less than LEAST_NODES. */
enum { NODES_A_BODY = 16, BYTES_A_NODE = 64, LEAST_NODES = 1000000 };
enum { MOST_REPETITIONS = 1000000, DEEPEST_REPEAT = 8 };

/* A map that grows. */
typedef struct tree {
    taut_yaml *node;
    const taut_yaml **key, **item; /* [count] */
    struct tree **sub;             /* [count] the item, if it grows as well; otherwise NULL */
    int count, room;
    int *table; /* [slots] entries by key: number + 1, 0: empty */
    size_t slots;
} tree;

/* What the keys of a map are: those of a section, or names of something. */
typedef struct level {
    taut_section section; /* NONE: names ... */
    taut_key_type type;   /* ... of the entries of a key of this type, */
    taut_section below;   /* which have keys of this section */
} level;

static bool is_null(const taut_yaml *node) {
    return node->kind == TAUT_YAML_SCALAR && node->is_null;
}

/* ---- copies ---- */

/* Counts what is made; false: it is too much. */
static bool count(taut_expander *x, const taut_yaml *node, long bytes) {
    x->nodes++;
    x->bytes += bytes;
    if (x->stopped) return false;
    if (x->nodes <= LEAST_NODES && x->bytes <= BYTES_A_NODE * (long)LEAST_NODES) return true;
    if (x->most == 0) x->most = NODES_A_BODY * (long)taut_part_most_bodies();
    if (x->most < LEAST_NODES) x->most = LEAST_NODES;
    if (x->nodes <= x->most && x->bytes <= BYTES_A_NODE * x->most) return true;
    x->stopped = true;
    TAUT_EXPAND_FAULT(x, node, "repetitions make the model larger than %ld entries or %ld MB",
                      x->most, BYTES_A_NODE * x->most / 1000000);
    return false;
}

static taut_yaml *new_node(taut_expander *x, const taut_yaml *like, const taut_context *context) {
    if (!count(x, like, 0)) return NULL;
    taut_yaml *node = TAUT_NEW(x->arena, taut_yaml);
    if (!node) return NULL;
    *node = *like;
    node->context = context;
    return node;
}

/* "A{i-1}" becomes "A3". */
static bool put_indices(taut_expander *x, const taut_yaml *node, taut_string *text) {
    const char *p = node->text;
    for (const char *open; (open = strchr(p, '{'));) {
        const char *close = strchr(open, '}');
        long number;
        if (!close) {
            TAUT_EXPAND_FAULT(x, node, "'%s': a } is missing; an index in a name is written {i}",
                              node->text);
            return false;
        }
        if (!taut_expand_whole(x, node, open + 1, (size_t)(close - open - 1), &number))
            return false;
        if (number < 0) {
            TAUT_EXPAND_FAULT(x, node,
                              "'%s': the index would be %ld; in a name it must not be negative",
                              node->text, number);
            return false;
        }
        taut_string_add(text, "%.*s%ld", (int)(open - p), p, number);
        p = close + 1;
    }
    taut_string_add(text, "%s", p);
    return true;
}

/* A scalar in a context; if it is a name, it gets the prefix. NULL: reported, or no memory. */
static const taut_yaml *copy_scalar(taut_expander *x, const taut_yaml *node,
                                    const taut_context *context, bool is_name) {
    const bool indexed = context->index && strchr(node->text, '{');
    const bool prefixed = is_name && context->prefix[0] && !is_null(node);
    if (context == node->context) return node; /* nothing around it changes anything */
    taut_yaml *copy = new_node(x, node, context);
    taut_string text = {0};
    if (!copy || (!indexed && !prefixed)) return copy;
    taut_string_add(&text, "%s", prefixed ? context->prefix : "");
    bool good = true;
    if (indexed)
        good = put_indices(x, copy, &text);
    else
        taut_string_add(&text, "%s", node->text);
    good = good && !text.failed && count(x, node, (long)text.length);
    copy->text = good ? taut_arena_copy(x->arena, text.text, text.length) : NULL;
    copy->length = (int)text.length;
    copy->made = true;
    taut_string_release(&text);
    return copy->text ? copy : NULL;
}

static const taut_yaml *copy_section(taut_expander *x, const taut_yaml *node, taut_section section,
                                     const taut_context *context);

/* How the scalars of a value are to be read. */
static bool holds_name(taut_key_type type) {
    return type == TAUT_TYPE_NAME || type == TAUT_TYPE_NAMES || type == TAUT_TYPE_NAME_OR_NAMES ||
           type == TAUT_TYPE_ENTRIES_OR_NAMES;
}

/* A value of a key of this type, or of one of its entries. */
static const taut_yaml *copy_value(taut_expander *x, const taut_yaml *node, taut_key_type type,
                                   taut_section below, const taut_context *context) {
    if (context == node->context) return node;
    if (node->kind == TAUT_YAML_SCALAR) return copy_scalar(x, node, context, holds_name(type));
    if (node->kind == TAUT_YAML_MAPPING && below != TAUT_SECTION_NONE)
        return copy_section(x, node, below, context);
    taut_yaml *copy = new_node(x, node, context);
    const bool map = node->kind == TAUT_YAML_MAPPING;
    const taut_yaml **keys = TAUT_NEW_ARRAY(x->arena, map ? node->count : 0, const taut_yaml *);
    const taut_yaml **items = TAUT_NEW_ARRAY(x->arena, node->count, const taut_yaml *);
    if (!copy || !keys || !items) return NULL;
    for (int i = 0; i < node->count; i++) {
        if (map) keys[i] = copy_scalar(x, node->keys[i], context, taut_key_holds_names(type));
        items[i] = copy_value(x, node->items[i], type, below, context);
        if (!items[i] || (map && !keys[i])) return NULL;
    }
    copy->keys = map ? keys : NULL;
    copy->items = items;
    return copy;
}

/* A map with the keys of a section. */
static const taut_yaml *copy_section(taut_expander *x, const taut_yaml *node, taut_section section,
                                     const taut_context *context) {
    taut_yaml *copy = new_node(x, node, context);
    const taut_yaml **keys = TAUT_NEW_ARRAY(x->arena, node->count, const taut_yaml *);
    const taut_yaml **items = TAUT_NEW_ARRAY(x->arena, node->count, const taut_yaml *);
    if (!copy || !keys || !items) return NULL;
    for (int i = 0; i < node->count; i++) {
        const taut_key *key = taut_key_find(section, node->keys[i]->text);
        keys[i] = copy_scalar(x, node->keys[i], context, false);
        items[i] = copy_value(x, node->items[i], key ? key->type : TAUT_TYPE_TEXT,
                              key ? key->below : TAUT_SECTION_NONE, context);
        if (!keys[i] || !items[i]) return NULL;
    }
    copy->keys = keys;
    copy->items = items;
    return copy;
}

/* ---- growing maps ---- */

static tree *new_tree(taut_expander *x, const taut_yaml *like, const taut_context *context) {
    tree *t = TAUT_NEW(x->arena, tree);
    taut_yaml *node = new_node(x, like, context);
    if (!t || !node) return NULL;
    t->node = node;
    return t;
}

/* Where in the table the number of an entry is, or would be. */
static int *slot_of(const tree *t, const char *name) {
    size_t i = taut_hash_text(name) & (t->slots - 1);
    while (t->table[i] && strcmp(t->key[t->table[i] - 1]->text, name) != 0)
        i = (i + 1) & (t->slots - 1);
    return &t->table[i];
}

static int find_entry(const tree *t, const char *name) {
    return t->slots ? *slot_of(t, name) - 1 : -1;
}

/* Twice the room; the old arrays stay in the arena. */
static bool enlarge(taut_expander *x, tree *t) {
    const int room = t->room ? 2 * t->room : 16;
    tree new = *t;
    new.key = TAUT_NEW_ARRAY(x->arena, room, const taut_yaml *);
    new.item = TAUT_NEW_ARRAY(x->arena, room, const taut_yaml *);
    new.sub = TAUT_NEW_ARRAY(x->arena, room, tree *);
    new.table = TAUT_NEW_ARRAY(x->arena, 4 * room, int);
    if (!new.key || !new.item || !new.sub || !new.table) return false;
    new.room = room;
    new.slots = 4 * (size_t)room;
    for (int i = 0; i < t->count; i++) {
        new.key[i] = t->key[i];
        new.item[i] = t->item[i];
        new.sub[i] = t->sub[i];
        *slot_of(&new, new.key[i]->text) = i + 1;
    }
    *t = new;
    return true;
}

static bool add_entry(taut_expander *x, tree *t, const taut_yaml *key, const taut_yaml *item,
                      tree *sub) {
    if (t->count == t->room && !enlarge(x, t)) return false;
    *slot_of(t, key->text) = t->count + 1;
    t->key[t->count] = key;
    t->item[t->count] = item;
    t->sub[t->count++] = sub;
    return true;
}

/* The nodes get their entries. */
static void close_tree(tree *t) {
    t->node->keys = t->key;
    t->node->items = t->item;
    t->node->count = t->count;
    for (int i = 0; i < t->count; i++)
        if (t->sub[i]) close_tree(t->sub[i]);
}

/* ---- merging ---- */

static bool merge_map(taut_expander *x, tree *t, level lv, const taut_yaml *map,
                      const taut_context *context);

/* After something could not be made: a fault lets the rest be read, a lack of memory does not. */
static bool goes_on(const taut_expander *x) { return x->faulty && !x->stopped; }

/* One list after the other. */
static bool join_lists(taut_expander *x, tree *t, int at, const taut_yaml *more) {
    const taut_yaml *old = t->item[at];
    taut_yaml *both = new_node(x, more, more->context);
    const taut_yaml **items = TAUT_NEW_ARRAY(x->arena, old->count + more->count, const taut_yaml *);
    if (!both || !items) return false;
    for (int i = 0; i < old->count; i++) items[i] = old->items[i];
    for (int i = 0; i < more->count; i++) items[old->count + i] = more->items[i];
    both->items = items;
    both->count = old->count + more->count;
    t->item[at] = both;
    return true;
}

static bool includes(const taut_doc *doc, const taut_doc *other) {
    for (int i = 0; i < doc->includes; i++)
        if (doc->include[i].doc == other || includes(doc->include[i].doc, other)) return true;
    return false;
}

/* An entry whose key is there already. The including file wins over the included one where it gives
 * a value; parts must not have the same name. */
static bool meet(taut_expander *x, tree *t, int at, level lv, const taut_yaml *key,
                 const taut_yaml *item) {
    const taut_yaml *old = t->item[at];
    const bool other_file = t->key[at]->context->doc != key->context->doc;
    const bool named = lv.section == TAUT_SECTION_NONE;
    if (!named && is_null(item)) return true;
    if (!named && old->kind == TAUT_YAML_SEQUENCE && item->kind == TAUT_YAML_SEQUENCE)
        return join_lists(x, t, at, item);
    const bool scalar = old->kind != TAUT_YAML_MAPPING && item->kind != TAUT_YAML_MAPPING;
    const bool defined = named && lv.type == TAUT_TYPE_DEFINITIONS && other_file &&
                         includes(key->context->doc, t->key[at]->context->doc);
    const bool value = named ? defined || lv.type == TAUT_TYPE_VALUES : scalar || is_null(old);
    if (other_file && value) {
        t->item[at] = item;
        return true;
    }
    if (other_file)
        TAUT_EXPAND_FAULT(x, key, "'%s' is in this file and in %s, line %d", key->text,
                          t->key[at]->context->doc->path, t->key[at]->line);
    else if (named)
        TAUT_EXPAND_FAULT(
            x, key, "'%s' is there already; does its name need an index, such as {i}?", key->text);
    else
        TAUT_EXPAND_FAULT(x, key, "'%s' cannot be repeated", key->text);
    return true;
}

static bool merge_entry(taut_expander *x, tree *t, level lv, const taut_yaml *key,
                        const taut_yaml *item, const taut_context *context) {
    const bool named = lv.section == TAUT_SECTION_NONE;
    const taut_key *row = named ? NULL : taut_key_find(lv.section, key->text);
    const taut_key_type type = named ? lv.type : row ? row->type : TAUT_TYPE_TEXT;
    const taut_section below = named ? lv.below : row ? row->below : TAUT_SECTION_NONE;
    const taut_yaml *own = copy_scalar(x, key, context, named);
    if (!own) return goes_on(x);
    const int at = find_entry(t, own->text);
    /* maps that can be merged: sections, and lists of names */
    if (!named && item->kind == TAUT_YAML_MAPPING &&
        (type == TAUT_TYPE_SECTION || taut_key_holds_names(type))) {
        tree *sub = at < 0 ? NULL : t->sub[at];
        const level inside = {type == TAUT_TYPE_SECTION ? below : TAUT_SECTION_NONE, type, below};
        if (at < 0 || (is_null(t->item[at]) && !sub)) {
            sub = new_tree(x, item, context);
            if (!sub) return false;
            if (at >= 0) {
                t->item[at] = sub->node;
                t->sub[at] = sub;
            } else if (!add_entry(x, t, own, sub->node, sub)) {
                return false;
            }
        }
        if (sub) return merge_map(x, sub, inside, item, context);
    }
    const taut_yaml *copy = copy_value(x, item, type, below, context);
    if (!copy) return goes_on(x);
    return at < 0 ? add_entry(x, t, own, copy, NULL) : meet(x, t, at, lv, own, copy);
}

/* ---- repetition ---- */

/* "1..40"; false: reported. */
static bool read_range(taut_expander *x, const taut_yaml *range, long *first, long *last) {
    const char *dots = range->kind == TAUT_YAML_SCALAR ? strstr(range->text, "..") : NULL;
    if (!dots) {
        TAUT_EXPAND_FAULT(x, range, "'Repeat' begins with its index and the range of it: i: 1..40");
        return false;
    }
    if (!taut_expand_whole(x, range, range->text, (size_t)(dots - range->text), first) ||
        !taut_expand_whole(x, range, dots + 2, strlen(dots + 2), last))
        return false;
    if (*last < *first - 1) {
        TAUT_EXPAND_FAULT(x, range, "the range goes from %ld down to %ld: an index counts upwards",
                          *first, *last);
        return false;
    }
    if (*last - *first < MOST_REPETITIONS) return true;
    TAUT_EXPAND_FAULT(x, range, "%ld repetitions are more than %d", *last - *first + 1,
                      MOST_REPETITIONS);
    return false;
}

static bool check_index(taut_expander *x, const taut_yaml *key) {
    const char *override;
    int depth = 0;
    if (!taut_infix_is_name(key->text) || taut_infix_is_reserved(key->text)) {
        TAUT_EXPAND_FAULT(x, key, "'%s' cannot be an index: use a name such as i", key->text);
        return false;
    }
    for (const taut_context *c = key->context; c; c = c->outer, depth++)
        if (c->index && strcmp(c->index, key->text) == 0) {
            TAUT_EXPAND_FAULT(x, key, "the repetition around this one has the index '%s', too",
                              key->text);
            return false;
        }
    if (depth > DEEPEST_REPEAT) {
        TAUT_EXPAND_FAULT(x, key, "repetitions are nested more than %d deep", DEEPEST_REPEAT);
        return false;
    }
    if (!taut_expand_parameter(x, key, key->text, &override)) return true;
    TAUT_EXPAND_FAULT(x, key, "'%s' is a parameter: choose another name for the index", key->text);
    return false;
}

/* The context of one repetition. */
static const taut_context *index_context(taut_expander *x, const taut_context *outer,
                                         const char *index, long value) {
    taut_context *c = TAUT_NEW(x->arena, taut_context);
    char note[200];
    if (!c) return NULL;
    snprintf(note, sizeof note, "%s%s%s = %ld", outer->note ? outer->note : "",
             outer->note ? ", " : "", index, value);
    *c = *outer;
    c->index = index;
    c->value = value;
    c->outer = outer;
    c->note = taut_arena_copy(x->arena, note, strlen(note));
    return c->note ? c : NULL;
}

/* {i: 1..40, ...}: the rest, again and again. */
static bool repeat(taut_expander *x, tree *t, level lv, const taut_yaml *map,
                   const taut_context *context) {
    long first, last;
    if (map->kind != TAUT_YAML_MAPPING || map->count == 0) {
        TAUT_EXPAND_FAULT(
            x, map, "'Repeat' is {i: 1..40, ...}: an index with its range, and what is repeated");
        return true;
    }
    const taut_yaml *key = new_node(x, map->keys[0], context);
    const taut_yaml *range = new_node(x, map->items[0], context);
    taut_yaml rest = *map;
    if (!key || !range) return false;
    if (!read_range(x, range, &first, &last) || !check_index(x, key)) return true;
    rest.keys++;
    rest.items++;
    rest.count--;
    for (long i = first; i <= last; i++) {
        const taut_context *c = index_context(x, context, key->text, i);
        if (!c || !count(x, map, 0) || !merge_map(x, t, lv, &rest, c)) return false;
    }
    return true;
}

static bool merge_map(taut_expander *x, tree *t, level lv, const taut_yaml *map,
                      const taut_context *context) {
    for (int i = 0; i < map->count; i++) {
        const taut_yaml *item = map->items[i];
        const char *key = map->keys[i]->text;
        const bool several = item->kind == TAUT_YAML_SEQUENCE;
        if (lv.section == TAUT_SECTION_TOP && strcmp(key, "Include") == 0) continue;
        if (strcmp(key, "Repeat") != 0) {
            if (!merge_entry(x, t, lv, map->keys[i], item, context)) return false;
            continue;
        }
        for (int k = 0; k < (several ? item->count : 1); k++)
            if (!repeat(x, t, lv, several ? item->items[k] : item, context)) return false;
    }
    return true;
}

/* ---- files ---- */

/* What a file includes, in its order, then its own entries. */
static bool merge_file(taut_expander *x, tree *t, const taut_doc *doc,
                       const taut_context *context) {
    static const level top = {.section = TAUT_SECTION_TOP};
    taut_model *m = x->model;
    for (int i = 0; i < doc->includes; i++) {
        const taut_include *file = &doc->include[i];
        taut_string prefix = {0};
        taut_context *c = TAUT_NEW(x->arena, taut_context);
        taut_string_add(&prefix, "%s%s", context->prefix, file->prefix);
        const char *own =
            prefix.failed ? NULL : taut_arena_copy(x->arena, prefix.text, prefix.length);
        taut_string_release(&prefix);
        if (!c || !own) return false;
        *c = (taut_context){.doc = file->doc, .prefix = own};
        m->prefix[m->prefixes++] = own;
        if (!merge_file(x, t, file->doc, c)) return false;
    }
    /* a file without a prefix keeps its nodes */
    return merge_map(x, t, top, doc->root, context->prefix[0] ? context : &doc->context);
}

static int count_includes(const taut_doc *doc) {
    int count = doc->includes;
    for (int i = 0; i < doc->includes; i++) count += count_includes(doc->include[i].doc);
    return count;
}

/* Is the key Repeat somewhere? */
static bool has_repeat(const taut_yaml *node) {
    for (int i = 0; i < node->count; i++) {
        if (node->keys && strcmp(node->keys[i]->text, "Repeat") == 0) return true;
        if (node->items[i]->kind != TAUT_YAML_SCALAR && has_repeat(node->items[i])) return true;
    }
    return false;
}

static taut_status expand(taut_expander *x) {
    taut_model *m = x->model;
    tree *root = new_tree(x, m->doc->root, &m->doc->context);
    m->prefix = TAUT_NEW_ARRAY(x->arena, count_includes(m->doc), const char *);
    if (!root || !m->prefix) return TAUT_ERR_MEMORY;
    const bool done = merge_file(x, root, m->doc, &m->doc->context);
    if (x->faulty) return TAUT_ERR_INPUT;
    if (!done || taut_graph_failed(x->scratch)) return TAUT_ERR_MEMORY;
    close_tree(root);
    m->root = root->node;
    return TAUT_OK;
}

taut_status taut_model_expand(taut_model *m, taut_errors *errors) {
    taut_expander x = {.model = m, .arena = &m->arena, .errors = errors};
    m->root = m->doc->root;
    m->prefixes = 0;
    if (m->doc->root->kind != TAUT_YAML_MAPPING) return TAUT_OK; /* reported by the reader */
    if (m->doc->includes == 0 && !has_repeat(m->doc->root)) return TAUT_OK;
    TAUT_TRY(taut_graph_create(&x.scratch));
    const taut_status status = expand(&x);
    taut_graph_free(&x.scratch);
    return status;
}

const char *taut_model_base_name(const taut_model *m, const char *name) {
    size_t longest = 0;
    for (int i = 0; i < m->prefixes; i++) {
        const size_t n = strlen(m->prefix[i]);
        if (n > longest && strncmp(m->prefix[i], name, n) == 0) longest = n;
    }
    return name + longest;
}
