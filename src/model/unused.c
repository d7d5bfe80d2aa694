/* Parameters that nothing uses: often a name that was changed in one place and not in the other. A
 * parameter counts as used if its name stands anywhere as a word of a value, or of an index. */
#include <stdlib.h>
#include <string.h>

#include "model/reader.h"

typedef struct finder {
    taut_model *model;
    int left; /* parameters without a use so far */
    /* names in order, for beginnings of names; made when the first one is met */
    taut_arena arena;
    const char **name; /* [names] */
    int *next;         /* [names + 1] the next one, itself or behind, whose use is not marked */
    int names;
    bool failed; /* without memory */
} finder;

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static void mark(finder *f, const char *prefix, const char *word, size_t n) {
    char name[2 * TAUT_NAME_MAX];
    const size_t before = strlen(prefix);
    if (n >= TAUT_NAME_MAX || before >= TAUT_NAME_MAX) return;
    memcpy(name, prefix, before);
    memcpy(name + before, word, n);
    name[before + n] = '\0';
    if (taut_symbols_use(f->model->symbols, name)) f->left--;
    if (before > 0 && taut_symbols_use(f->model->symbols, name + before)) f->left--;
}

static const char *const SECTION[] = {"PhysicalParams", "Inputs"};

static int compare(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void list_names(finder *f) {
    int most = 0;
    for (int s = 0; s < 2; s++) {
        const taut_yaml *node = taut_yaml_get(f->model->root, SECTION[s]);
        most += node ? node->count : 0;
    }
    f->name = TAUT_NEW_ARRAY(&f->arena, most, const char *);
    f->next = TAUT_NEW_ARRAY(&f->arena, most + 1, int);
    f->failed = !f->name || !f->next;
    if (f->failed) return;
    for (int s = 0; s < 2; s++) {
        const taut_yaml *node = taut_yaml_get(f->model->root, SECTION[s]);
        for (int i = 0; node && node->keys && i < node->count; i++)
            f->name[f->names++] = node->keys[i]->text;
    }
    qsort(f->name, (size_t)f->names, sizeof *f->name, compare);
    for (int i = 0; i <= f->names; i++) f->next[i] = i;
}

/* The first name from i on that is not marked. */
static int find_unmarked(finder *f, int i) {
    while (f->next[i] != i) i = f->next[i] = f->next[f->next[i]];
    return i;
}

/* The word before an index in braces, "b" of b{i}, may become any name that begins with it. Each
 * name is marked once, however many words it begins with. */
static void mark_beginning(finder *f, const char *word, size_t n) {
    int low = 0;
    if (!f->name && !f->failed) list_names(f);
    if (f->failed) return;
    for (int high = f->names; low < high;) {
        const int middle = low + (high - low) / 2;
        if (strncmp(f->name[middle], word, n) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (int i = low; (i = find_unmarked(f, i)) < f->names; f->next[i] = i + 1) {
        if (strncmp(f->name[i], word, n) != 0) return;
        if (taut_symbols_use(f->model->symbols, f->name[i])) f->left--;
    }
}

/* Words of a text. The one after a number is its unit; those that follow it by * or / may be units
 * or parameters. */
static void mark_words(finder *f, const char *prefix, const char *text, const char *end) {
    for (const char *p = text; p < end;) {
        const char *start = p;
        while (p < end && is_word(*p)) p++;
        const bool number = p > start && start[0] >= '0' && start[0] <= '9';
        if (p > start && !number) mark(f, prefix, start, (size_t)(p - start));
        if (p > start && !number && p < end && *p == '{')
            mark_beginning(f, start, (size_t)(p - start));
        if (number && p + 1 < end && *p == ' ' && is_word(p[1]))
            for (p++; p < end && is_word(*p);) p++;
        if (p == start) p++;
    }
}

/* Values of a tree, and indices in its keys: not the names that it gives. */
static void mark_tree(finder *f, const char *prefix, const taut_yaml *node) {
    if (node->kind == TAUT_YAML_SCALAR)
        mark_words(f, prefix, node->text, node->text + node->length);
    for (int i = 0; i < node->count && f->left > 0; i++) {
        const char *key = node->keys ? node->keys[i]->text : "";
        const char *open = strchr(key, '{');
        if (open) mark_words(f, prefix, open, key + strlen(key));
        mark_tree(f, prefix, node->items[i]);
    }
}

/* A file and those that it includes; the number of prefixes counts them. */
static void mark_file(finder *f, const taut_doc *doc, int *number) {
    const char *prefix = *number < 0 ? "" : f->model->prefix[*number];
    mark_tree(f, prefix, doc->root);
    for (int i = 0; i < doc->includes; i++) {
        ++*number;
        mark_file(f, doc->include[i].doc, number);
    }
}

taut_status taut_note_unused(taut_model *m) {
    finder f = {.model = m, .left = m->parameters - m->hidden};
    int number = -1;
    for (int i = 0; i < m->overrides; i++)
        mark_words(&f, "", m->override[i].formula,
                   m->override[i].formula + strlen(m->override[i].formula));
    for (int i = 0; i < m->inputs; i++)
        mark_words(&f, "", m->input[i].formula, m->input[i].formula + strlen(m->input[i].formula));
    mark_file(&f, m->doc, &number);
    for (int i = 0; i < m->discretes; i++) /* they are columns */
        if (taut_symbols_use(m->symbols, m->discrete[i].name)) f.left--;
    taut_arena_release(&f.arena);
    if (f.failed) return TAUT_ERR_MEMORY;
    if (f.left == 0) return TAUT_OK;
    if (!m->warnings) m->warnings = TAUT_NEW(&m->arena, taut_errors);
    if (!m->warnings) return TAUT_ERR_MEMORY;
    for (int s = 0; s < 2; s++) {
        const taut_yaml *node = taut_yaml_get(m->root, SECTION[s]);
        for (int i = 0; node && i < node->count; i++)
            if (taut_symbols_use(m->symbols, node->keys[i]->text))
                taut_fail_at(m->warnings, TAUT_OK, taut_yaml_place(node->keys[i]),
                             "the %s '%s' is not used", s == 0 ? "parameter" : "input",
                             node->keys[i]->text);
    }
    return TAUT_OK;
}
