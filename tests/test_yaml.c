/* Tests of model/yaml.c: the tree, the place of everything in it, and each message with its place.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/yaml.h"

/* ---- helpers ---- */

static taut_doc *parse_bytes(const char *text, long length) {
    static taut_errors errors;
    taut_doc *doc = NULL;
    errors.count = 0;
    const taut_status status = taut_doc_parse("m.yaml", text, length, &doc, &errors);
    if (status != TAUT_OK)
        fail_msg("%d:%d: %s", errors.item[0].line, errors.item[0].column, errors.item[0].message);
    assert_int_equal(errors.count, 0);
    assert_non_null(doc);
    return doc;
}

static taut_doc *parse(const char *text) { return parse_bytes(text, (long)strlen(text)); }

static void assert_scalar(const taut_yaml *node, const char *text, taut_yaml_style style) {
    assert_non_null(node);
    assert_int_equal(node->kind, TAUT_YAML_SCALAR);
    assert_string_equal(node->text, text);
    assert_int_equal(node->length, strlen(text));
    assert_int_equal(node->style, style);
}

static void assert_at(taut_place place, int line, int column) {
    if (place.line != line || place.column != column)
        fail_msg("at %d:%d, expected %d:%d", place.line, place.column, line, column);
}

/* The place of byte `offset` of the value of a key. */
static void assert_value_at(const taut_doc *doc, const char *key, long offset, int line,
                            int column) {
    assert_at(taut_yaml_place_at(taut_yaml_get(doc->root, key), offset), line, column);
}

/* The source that a node covers. */
static void assert_source(const taut_doc *doc, const taut_yaml *node, const char *source) {
    char text[200] = "";
    assert_true(node->end - node->start < (int)sizeof text);
    memcpy(text, doc->text + node->start, (size_t)(node->end - node->start));
    assert_string_equal(text, source);
}

/* The text is refused; fault i is at line:column and its message contains the fragment. */
static void assert_fault(const char *text, long length, int i, int line, int column,
                         const char *fragment) {
    static taut_errors errors;
    taut_doc *doc = (taut_doc *)&errors; /* must become NULL */
    memset(&errors, 0, sizeof errors);
    assert_int_equal(taut_doc_parse("m.yaml", text, length, &doc, &errors), TAUT_ERR_INPUT);
    assert_null(doc);
    assert_true(errors.count > i);
    const taut_error *e = &errors.item[i];
    assert_int_equal(e->status, TAUT_ERR_INPUT);
    assert_string_equal(e->path, "m.yaml");
    if (!strstr(e->message, fragment) || e->line != line || e->column != column)
        fail_msg("got %d:%d '%s', expected %d:%d '%s'", e->line, e->column, e->message, line,
                 column, fragment);
    assert_int_equal(taut_doc_parse("m.yaml", text, length, &doc, NULL), TAUT_ERR_INPUT);
    assert_null(doc);
}

static void assert_refused(const char *text, int line, int column, const char *fragment) {
    assert_fault(text, (long)strlen(text), 0, line, column, fragment);
}

/* A text that is put together piece by piece. */
typedef struct builder {
    char *text;
    size_t length, capacity;
} builder;

static void append(builder *b, const char *piece) {
    const size_t n = strlen(piece);
    if (b->length + n + 1 > b->capacity) {
        b->capacity = 2 * (b->length + n + 1);
        b->text = realloc(b->text, b->capacity);
        if (!b->text) abort();
    }
    memcpy(b->text + b->length, piece, n + 1);
    b->length += n;
}

static void append_times(builder *b, int times, const char *piece) {
    for (int i = 0; i < times; i++) append(b, piece);
}

/* ---- structure ---- */

static const char figure3[] = "Title: Mechanism0\n"
                              "PhysicalParams: {L: 2, M: 1,\n"
                              "  k: 1000, l: 1, mu: .5, m: .1}\n"
                              "PartData:\n"
                              "  Fixed: {O: [0,0]}\n"
                              "  Rigids:\n"
                              "    OA: {Geom: [[L,0]], Dyna: [[L/2,0],M,M*L**2/12]}\n"
                              "AppliedForces:\n"
                              "  Gravity:\n"
                              "ProblemData:\n"
                              "  positions: {A: [0,-L], B: [0,-(L+1)]}\n"
                              "  fixedpositions: {Ax, B}\n";

static void test_tree_has_keys_and_values_in_file_order(void **state) {
    (void)state;
    taut_doc *doc = parse(figure3);
    const taut_yaml *root = doc->root;
    assert_string_equal(doc->path, "m.yaml");
    assert_int_equal(root->kind, TAUT_YAML_MAPPING);
    assert_int_equal(root->count, 5);
    assert_false(root->flow);
    assert_scalar(root->keys[0], "Title", TAUT_YAML_PLAIN);
    assert_scalar(root->items[0], "Mechanism0", TAUT_YAML_PLAIN);
    assert_int_equal(taut_yaml_find(root, "ProblemData"), 4);
    assert_int_equal(taut_yaml_find(root, "problemdata"), -1);
    assert_null(taut_yaml_get(root, "Tit"));
    assert_null(taut_yaml_get(root->items[0], "Title"));
    assert_null(taut_yaml_get(NULL, "Title"));

    const taut_yaml *params = taut_yaml_get(root, "PhysicalParams");
    assert_int_equal(params->count, 6);
    assert_true(params->flow);
    assert_scalar(taut_yaml_get(params, "mu"), ".5", TAUT_YAML_PLAIN);
    const taut_yaml *dyna = taut_yaml_get(
        taut_yaml_get(taut_yaml_get(taut_yaml_get(root, "PartData"), "Rigids"), "OA"), "Dyna");
    assert_int_equal(dyna->kind, TAUT_YAML_SEQUENCE);
    assert_int_equal(dyna->count, 3);
    assert_null(dyna->keys);
    assert_int_equal(dyna->items[0]->count, 2);
    assert_scalar(dyna->items[2], "M*L**2/12", TAUT_YAML_PLAIN);
    assert_true(taut_yaml_is(dyna->items[1], "M"));
    assert_false(taut_yaml_is(dyna->items[1], "M*"));
    assert_false(taut_yaml_is(dyna, "M"));
    taut_doc_free(&doc);
    assert_null(doc);
    taut_doc_free(&doc);
}

static void test_flow_set_is_a_mapping_of_nulls(void **state) {
    (void)state;
    taut_doc *doc = parse(figure3);
    const taut_yaml *set = taut_yaml_get(taut_yaml_get(doc->root, "ProblemData"), "fixedpositions");
    assert_int_equal(set->kind, TAUT_YAML_MAPPING);
    assert_int_equal(set->count, 2);
    assert_scalar(set->keys[0], "Ax", TAUT_YAML_PLAIN);
    assert_scalar(set->keys[1], "B", TAUT_YAML_PLAIN);
    assert_true(set->items[0]->is_null && set->items[1]->is_null);
    assert_scalar(taut_yaml_get(taut_yaml_get(doc->root, "AppliedForces"), "Gravity"), "",
                  TAUT_YAML_PLAIN);
    taut_doc_free(&doc);
}

static void test_pair_in_a_flow_list_is_a_mapping(void **state) {
    (void)state;
    taut_doc *doc =
        parse("Equations: [u'' + lam*u, u: 3, v'' + lam*v - G]\nvalues: {lam: 1, u'': 0}\n");
    const taut_yaml *list = taut_yaml_get(doc->root, "Equations");
    assert_int_equal(list->count, 3);
    assert_scalar(list->items[0], "u'' + lam*u", TAUT_YAML_PLAIN);
    assert_int_equal(list->items[1]->kind, TAUT_YAML_MAPPING);
    assert_int_equal(list->items[1]->count, 1);
    assert_true(list->items[1]->flow);
    assert_source(doc, list->items[1], "u: 3");
    assert_scalar(taut_yaml_get(list->items[1], "u"), "3", TAUT_YAML_PLAIN);
    assert_scalar(list->items[2], "v'' + lam*v - G", TAUT_YAML_PLAIN);
    assert_scalar(taut_yaml_get(taut_yaml_get(doc->root, "values"), "u''"), "0", TAUT_YAML_PLAIN);
    taut_doc_free(&doc);
}

static void test_root_may_be_a_list_or_a_scalar(void **state) {
    (void)state;
    taut_doc *doc = parse("- a\n- [ ]\n- { }\n");
    assert_int_equal(doc->root->kind, TAUT_YAML_SEQUENCE);
    assert_int_equal(doc->root->count, 3);
    assert_int_equal(doc->root->items[1]->count, 0);
    assert_int_equal(doc->root->items[2]->count, 0);
    taut_doc_free(&doc);
    doc = parse("%YAML 1.2\n--- just a text\n...\n");
    assert_scalar(doc->root, "just a text", TAUT_YAML_PLAIN);
    taut_doc_free(&doc);
}

static void test_scalar_styles_are_kept(void **state) {
    (void)state;
    taut_doc *doc = parse("a: plain text\nb: 'it''s'\nc: \"u\\t\\x41\\u00e9\"\nd: |\n  x\n   y\n\n"
                          "e: >-\n  one\n  two\n\n  three\nf: one\n   two\n");
    assert_scalar(taut_yaml_get(doc->root, "a"), "plain text", TAUT_YAML_PLAIN);
    assert_scalar(taut_yaml_get(doc->root, "b"), "it's", TAUT_YAML_SINGLE_QUOTED);
    assert_scalar(taut_yaml_get(doc->root, "c"), "u\tA\xC3\xA9", TAUT_YAML_DOUBLE_QUOTED);
    assert_scalar(taut_yaml_get(doc->root, "d"), "x\n y\n", TAUT_YAML_LITERAL);
    assert_scalar(taut_yaml_get(doc->root, "e"), "one two\nthree", TAUT_YAML_FOLDED);
    assert_scalar(taut_yaml_get(doc->root, "f"), "one two", TAUT_YAML_PLAIN);
    taut_doc_free(&doc);
}

static void test_null_is_plain_and_empty_tilde_or_null(void **state) {
    (void)state;
    taut_doc *doc =
        parse("[~, null, !!null x, a: , '', '~', \"null\", Null, nullx, 0, !!str ~, !!str ]\n");
    const taut_yaml *list = doc->root;
    assert_int_equal(list->count, 12);
    for (int i = 0; i < 3; i++) assert_true(list->items[i]->is_null);
    assert_true(list->items[3]->items[0]->is_null);
    for (int i = 4; i < 12; i++) assert_false(list->items[i]->is_null);
    taut_doc_free(&doc);
}

static void test_standard_tags_are_ignored(void **state) {
    (void)state;
    taut_doc *doc = parse(
        "a: !!float 3\nb: !!map {x: !!int 1}\nc: !!seq [!!bool yes]\nd: !!set {A, B}\ne: ! 4\n");
    assert_scalar(taut_yaml_get(doc->root, "a"), "3", TAUT_YAML_PLAIN);
    assert_at(taut_yaml_place(taut_yaml_get(doc->root, "a")), 1, 12);
    assert_int_equal(taut_yaml_get(doc->root, "d")->count, 2);
    assert_scalar(taut_yaml_get(doc->root, "e"), "4", TAUT_YAML_PLAIN);
    taut_doc_free(&doc);
}

/* ---- places ---- */

static void test_nodes_know_their_place_and_source(void **state) {
    (void)state;
    taut_doc *doc = parse("# comment\n"
                          "a: &x  [1, {k: v}]  # c\n"
                          "b:\n"
                          "  - p q\n"
                          "  - 'r s'\n"
                          "\n"
                          "# c\n"
                          "t: |  # header\n"
                          "   xx\n"
                          "\n"
                          "z:\n"
                          "w: &k # comment\n"
                          "  !!str   \"s\"\n"
                          "y: *x\n");
    const taut_yaml *root = doc->root, *a = taut_yaml_get(root, "a"), *b = taut_yaml_get(root, "b");
    assert_at(taut_yaml_place(root), 2, 1);
    assert_at(taut_yaml_place(a), 2, 8);
    assert_source(doc, a, "[1, {k: v}]");
    assert_source(doc, a->items[1], "{k: v}");
    assert_at(taut_yaml_place(a->items[1]->items[0]), 2, 16);
    assert_at(taut_yaml_place(b), 4, 3);
    assert_source(doc, b, "- p q\n  - 'r s'");
    assert_source(doc, b->items[1], "'r s'");
    assert_at(taut_yaml_place(taut_yaml_get(root, "t")), 8, 4);
    assert_source(doc, taut_yaml_get(root, "t"), "|  # header\n   xx");
    assert_at(taut_yaml_place(taut_yaml_get(root, "z")), 11, 3);
    assert_at(taut_yaml_place(taut_yaml_get(root, "w")), 13, 11);
    assert_source(doc, taut_yaml_get(root, "w"), "\"s\"");
    assert_ptr_equal(taut_yaml_get(root, "y"), a);
    assert_int_equal(root->end, doc->length - 1);
    taut_doc_free(&doc);
}

static void test_columns_count_characters(void **state) {
    (void)state;
    taut_doc *doc = parse("Title: \xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80, \xC3\xA9\n"
                          "\xC3\xA9\xC3\xA9: {\xCF\x80: [\xCF\x80\xCF\x80 + q, 2]}\n");
    const taut_yaml *list = taut_yaml_get(taut_yaml_get(doc->root, "\xC3\xA9\xC3\xA9"), "\xCF\x80");
    assert_at(taut_yaml_place(list->items[0]), 2, 10);
    assert_at(taut_yaml_place_at(list->items[0], 7), 2, 15);
    assert_at(taut_yaml_place(list->items[1]), 2, 18);
    assert_value_at(doc, "Title", 9, 1, 11);
    assert_value_at(doc, "Title", 10, 1, 12); /* the blank */
    assert_value_at(doc, "Title", 4, 1, 9);   /* inside a character: its start */
    taut_doc_free(&doc);
}

static void test_place_in_a_plain_scalar_over_lines(void **state) {
    (void)state;
    /* value: "aa + bb + cc" */
    taut_doc *doc = parse("L: aa +\n     bb\n\n  \n   + cc  # c\nM: 1\n");
    assert_scalar(taut_yaml_get(doc->root, "L"), "aa + bb\n\n+ cc", TAUT_YAML_PLAIN);
    assert_value_at(doc, "L", 0, 1, 4);
    assert_value_at(doc, "L", 1, 1, 5);
    assert_value_at(doc, "L", 2, 1, 6);
    assert_value_at(doc, "L", 3, 1, 7);
    assert_value_at(doc, "L", 4, 1, 8); /* the blank that stands for the line break */
    assert_value_at(doc, "L", 5, 2, 6);
    assert_value_at(doc, "L", 9, 5, 4);
    assert_value_at(doc, "L", 11, 5, 6);
    assert_value_at(doc, "L", 13, 5, 8);  /* the end */
    assert_value_at(doc, "L", 99, 5, 8);  /* clamped */
    assert_value_at(doc, "L", -99, 1, 4); /* clamped */
    taut_doc_free(&doc);
}

static void test_place_in_single_quotes(void **state) {
    (void)state;
    taut_doc *doc = parse("L: 'u''''  + v''\n\n   + w'  # c\nE: ''\n");
    assert_scalar(taut_yaml_get(doc->root, "L"), "u''  + v'\n+ w", TAUT_YAML_SINGLE_QUOTED);
    assert_value_at(doc, "L", 0, 1, 5);
    assert_value_at(doc, "L", 1, 1, 6);
    assert_value_at(doc, "L", 2, 1, 8);
    assert_value_at(doc, "L", 3, 1, 10);
    assert_value_at(doc, "L", 4, 1, 11);
    assert_value_at(doc, "L", 5, 1, 12);
    assert_value_at(doc, "L", 7, 1, 14);
    assert_value_at(doc, "L", 8, 1, 15);
    assert_value_at(doc, "L", 10, 3, 4);
    assert_value_at(doc, "L", 12, 3, 6);
    assert_value_at(doc, "L", 13, 3, 7); /* the end: the closing quote */
    assert_value_at(doc, "E", 0, 4, 5);
    taut_doc_free(&doc);
}

static void test_place_in_double_quotes_with_escapes(void **state) {
    (void)state;
    /* value: a<TAB>b\c"d<SPACE>A<e acute><emoji>xy z<NEWLINE>w */
    taut_doc *doc =
        parse("L: \"a\\tb\\\\c\\\"d\\x20\\x41\\u00E9\\U0001F600x\\\n   y\n   z\\n w\"\n");
    const taut_yaml *node = taut_yaml_get(doc->root, "L");
    assert_scalar(node, "a\tb\\c\"d A\xC3\xA9\xF0\x9F\x98\x80xy z\n w", TAUT_YAML_DOUBLE_QUOTED);
    assert_value_at(doc, "L", 0, 1, 5);
    assert_value_at(doc, "L", 1, 1, 6);
    assert_value_at(doc, "L", 2, 1, 8);
    assert_value_at(doc, "L", 3, 1, 9);
    assert_value_at(doc, "L", 4, 1, 11);
    assert_value_at(doc, "L", 5, 1, 12);
    assert_value_at(doc, "L", 6, 1, 14);
    assert_value_at(doc, "L", 7, 1, 15);
    assert_value_at(doc, "L", 8, 1, 19);
    assert_value_at(doc, "L", 9, 1, 23);
    assert_value_at(doc, "L", 11, 1, 29);
    assert_value_at(doc, "L", 15, 1, 39);
    assert_value_at(doc, "L", 16, 2, 4);
    assert_value_at(doc, "L", 18, 3, 4);
    assert_value_at(doc, "L", 19, 3, 5);
    assert_value_at(doc, "L", 20, 3, 7);
    assert_value_at(doc, "L", 21, 3, 8);
    assert_value_at(doc, "L", node->length, 3, 9);
    taut_doc_free(&doc);
}

static void test_place_in_block_scalars(void **state) {
    (void)state;
    taut_doc *doc = parse("d: |2- # header '| x'\n   p q\n\n  # r\n"
                          "e: &a >\n\n    one\n    two\n\n      three\n"
                          "k: \xC3\x85\nm: |\n  \xC3\x85\n  \xC3\x85\n");
    assert_scalar(taut_yaml_get(doc->root, "d"), " p q\n\n# r", TAUT_YAML_LITERAL);
    assert_value_at(doc, "d", 1, 2, 4);
    assert_value_at(doc, "d", 3, 2, 6);
    assert_value_at(doc, "d", 6, 4, 3);
    assert_value_at(doc, "d", 8, 4, 5);
    assert_scalar(taut_yaml_get(doc->root, "e"), "\none two\n\n  three\n", TAUT_YAML_FOLDED);
    assert_at(taut_yaml_place(taut_yaml_get(doc->root, "e")), 5, 7);
    assert_value_at(doc, "e", 1, 7, 5);
    assert_value_at(doc, "e", 5, 8, 5);
    assert_value_at(doc, "e", 12, 10, 7);
    assert_value_at(doc, "e", 99, 10, 12);
    assert_value_at(doc, "m", 3, 14, 3);
    assert_int_equal(taut_yaml_get(doc->root, "m")->end, doc->length - 1);
    taut_doc_free(&doc);
}

static void test_place_at_of_a_list_is_its_start(void **state) {
    (void)state;
    taut_doc *doc = parse("a: [1, 2]\n");
    assert_value_at(doc, "a", 3, 1, 4);
    taut_doc_free(&doc);
}

static void test_crlf_gives_the_same_tree_and_places(void **state) {
    (void)state;
    const char *unix_text =
        "a: 1\nb: [u,\n  v: 2]\nt: |\n  xx\n  yy\nq: \"a\\\n   b\n   c\"\np: one\n  two\nz:\n";
    builder b = {0};
    for (const char *p = unix_text; *p; p++) append(&b, *p == '\n' ? "\r\n" : (char[]){*p, '\0'});
    taut_doc *doc = parse(unix_text), *dos = parse(b.text);
    assert_int_equal(dos->root->count, doc->root->count);
    for (int i = 0; i < doc->root->count; i++) {
        const taut_yaml *x = doc->root->items[i], *y = dos->root->items[i];
        assert_int_equal(x->kind, y->kind);
        assert_at(taut_yaml_place(y), x->line, x->column);
        if (x->kind != TAUT_YAML_SCALAR) continue;
        assert_string_equal(x->text, y->text);
        for (int k = 0; k <= x->length; k++) {
            const taut_place place = taut_yaml_place_at(x, k);
            assert_at(taut_yaml_place_at(y, k), place.line, place.column);
        }
    }
    assert_at(taut_yaml_place(taut_yaml_get(dos->root, "b")->items[1]->items[0]), 3, 6);
    assert_value_at(dos, "t", 3, 6, 3);
    taut_doc_free(&doc);
    taut_doc_free(&dos);
    free(b.text);
    assert_refused("a: 1\r\nb: 2\r\na: 3\r\n", 3, 1, "first on line 1");
}

static void test_byte_order_mark_is_accepted(void **state) {
    (void)state;
    taut_doc *doc = parse("\xEF\xBB\xBFkey: {k: 3}\n");
    assert_at(taut_yaml_place(doc->root->keys[0]), 1, 1);
    assert_at(taut_yaml_place(doc->root->items[0]), 1, 6);
    assert_source(doc, doc->root->items[0], "{k: 3}");
    taut_doc_free(&doc);
    assert_refused("\xEF\xBB\xBF", 1, 1, "the file is empty");
    assert_refused("\xEF\xBB\xBFL: 1\nL: 2", 2, 1, "appears twice");
}

static void test_odd_line_breaks_do_not_move_lines(void **state) {
    (void)state;
    /* libyaml takes LS and NEL for line breaks; editors and the message do not */
    taut_doc *doc = parse("a: 1 # x\xE2\x80\xA8 # y\xC2\x85\nb: 2\n");
    assert_at(taut_yaml_place(taut_yaml_get(doc->root, "b")), 2, 4);
    taut_doc_free(&doc);
}

/* ---- faults ---- */

static void test_malformed_yaml_is_explained_at_its_place(void **state) {
    (void)state;
    assert_refused("A: [1, 2\nB: 3\nC: 4\n", 2, 2,
                   "expected ',' or ']' here, in the list that starts on line 1");
    assert_refused("A: {x: 1, y: 2\nB: 3\n", 2, 2,
                   "expected ',' or '}' here, in the mapping that starts on line 1");
    assert_refused("\nA: [1, 2\n", 2, 4, "this list is never closed: ']' is missing");
    assert_refused("\nA: {x: 1\n", 2, 4, "this mapping is never closed: '}' is missing");
    assert_refused("A: {a: [1, 2}\n", 1, 13, "expected ',' or ']'");
    assert_refused("A: [a, \"b\" c]\n", 1, 12, "expected ',' or ']'");
    assert_refused("A: 1\nB 2\nC: 3\n", 2, 1, "expected ':' after this key");
    assert_refused("A: 1\nB: \"abc\nC: 2\n", 2, 4, "this quote is never closed");
    assert_refused("A: 1\nB: 'abc\nC: 2\n", 2, 4, "this quote is never closed");
    assert_refused("A: 'abc\n---\nC: 2\n", 1, 4, "this quote is not closed");
    assert_refused("A: 1\n  B: 2\n", 2, 4, "a ':' is not allowed here");
    assert_refused("A: b: c\n", 1, 5, "a ':' is not allowed here");
    assert_refused("A:\n  b: 1\n c: 2\n", 3, 2, "expected the next key here");
    assert_refused("A: [1]]\n", 1, 7, "expected the next key here");
    assert_refused("A: [1, 2] + B\nC: 1\n", 1, 11,
                   "a formula that begins with a list must be in quotes: \"[...] + ...\"");
    assert_refused("D: {A: [1, 2]*B}\n", 1, 14,
                   "a formula that begins with a list must be in quotes: \"[...] * ...\"");
    assert_refused("A:\n  - 1\n  b: 2\n", 3, 3, "expected a list entry '-' here");
    assert_refused("A: - b\n", 1, 4, "a list entry '-' is not allowed here");
    assert_refused("A: ? b\n", 1, 4, "a '?' is not allowed here");
    assert_refused("A: }\n", 1, 4, "expected a key or a value here");
    assert_refused("A: [1,,2]\n", 1, 7, "expected a key or a value here");
    assert_refused("- a\nb: 2\n", 2, 1, "expected a list entry");
    assert_refused("[a]\nb: 2\n", 2, 1, "expected the end of the file here");
    assert_refused("A: \"\\q\"\n", 1, 5, "unknown escape");
    assert_refused("A: @x\n", 1, 4, "a value cannot start with '@'; quote it");
    assert_refused("A: * 3\n", 1, 5, "expected a name after '&' or '*'");
    assert_refused("A: \"\\xZZ\"\n", 1, 7,
                   "did not find expected hexdecimal number, while parsing a quoted scalar");
    assert_refused("%FOO\n---\nA: 1\n", 1, 1, "a line must not start with '%'");
    assert_refused("%YAML 3.0\n---\nA: 1\n", 1, 1, "YAML 1.1 or 1.2");
}

static void test_message_shows_the_line_and_a_caret(void **state) {
    (void)state;
    static taut_errors errors;
    taut_doc *doc;
    char text[600];
    memset(&errors, 0, sizeof errors);
    const char *source = "A: 1\r\nB: \xC3\xA9 @ @\r\nC: [\xC3\xA9, @x]\r\n";
    assert_int_equal(taut_doc_parse("dir/m.yaml", source, (long)strlen(source), &doc, &errors),
                     TAUT_ERR_INPUT);
    taut_error_format(&errors.item[0], text, sizeof text);
    assert_string_equal(text, "dir/m.yaml:3:8: error: a value cannot start with '@'; quote it\n"
                              "  C: [\xC3\xA9, @x]\n"
                              "         ^\n");
}

static void test_tabs_in_the_indentation_are_named(void **state) {
    (void)state;
    assert_refused("\tA: 1\n", 1, 1, "tabs are not allowed for indentation");
    assert_refused("A:\n\tB: 2\n", 2, 1, "tabs are not allowed for indentation");
    assert_refused("A:\n  \tB: 2\n", 2, 3, "tabs are not allowed for indentation");
    assert_refused("A: 1\n\tB: 2\n", 2, 1, "tabs are not allowed for indentation");
    assert_refused("A: |\n\tx\n", 2, 1, "tabs are not allowed for indentation");
    taut_doc *doc = parse("A:\t[1,\n\t2]\t# c\n");
    assert_int_equal(taut_yaml_get(doc->root, "A")->count, 2);
    taut_doc_free(&doc);
}

static void test_duplicate_keys_are_refused_each_at_its_place(void **state) {
    (void)state;
    assert_refused("M: 1\n\nL: 2\nk: {x: 1}\nL: 3\n", 5, 1,
                   "key 'L' appears twice; first on line 3");
    assert_refused("f: {Ax, B, 'Ax'}\n", 1, 12, "key 'Ax' appears twice; first on line 1");
    const char *text = "b: 1\na: 1\na: 2\nc: {d: 1, e: 2, d: 3}\nb: 2\na: 3\n";
    const long length = (long)strlen(text);
    assert_fault(text, length, 0, 4, 17, "key 'd' appears twice; first on line 4");
    assert_fault(text, length, 1, 3, 1, "key 'a' appears twice; first on line 2");
    assert_fault(text, length, 2, 5, 1, "key 'b' appears twice; first on line 1");
    assert_fault(text, length, 3, 6, 1, "key 'a' appears twice; first on line 2");
    builder b = {0};
    append(&b, "? \"");
    append_times(&b, 40, "\xC3\xA9\xE2\x82\xAC"); /* cut between characters */
    append(&b, "\"\n: 1\n? \"");
    append_times(&b, 40, "\xC3\xA9\xE2\x82\xAC");
    append(&b, "\"\n");
    assert_fault(b.text, (long)b.length, 0, 3, 3,
                 "\xC3\xA9\xE2\x82\xAC' appears twice; first on line 1");
    free(b.text);
    taut_doc *doc = parse("a: {L: 1}\nb: {L: 2}\nL: 3\nl: 4\n\"\": 5\n");
    assert_int_equal(doc->root->count, 5);
    taut_doc_free(&doc);
}

static void test_keys_must_be_scalars(void **state) {
    (void)state;
    assert_refused("a: 1\n? [x, y]\n: 3\n", 2, 3, "a key must be a name or a text, not a list");
    assert_refused("a: {{x: 1}: 3}\n", 1, 5, "a key must be a name or a text, not a mapping");
    assert_refused("a: 1\n?\n: 3\n", 2, 2, "a key is missing here");
    assert_refused("a: 1\n: 3\n", 2, 1, "expected the next key here");
    assert_refused("a: {: 3}\n", 1, 5, "expected a key or a value here");
    assert_refused("a: &x b\n*x : 3\n", 2, 1, "an alias cannot be a key");
}

static void test_merge_keys_are_refused(void **state) {
    (void)state;
    assert_refused("a: &x {L: 1}\nb:\n  <<: *x\n  M: 2\n", 3, 3,
                   "merge keys (<<) are not supported");
    taut_doc *doc = parse("'<<': 1\n");
    assert_int_equal(doc->root->count, 1);
    taut_doc_free(&doc);
}

static void test_other_tags_are_refused(void **state) {
    (void)state;
    assert_refused("a: !foo 3\n", 1, 4, "tag '!foo' is not supported");
    assert_refused("a: !<tag:x.org,2000:y> [1]\n", 1, 4, "tag 'tag:x.org,2000:y' is not supported");
    assert_refused("a: !!binary abc\n", 1, 4, "binary' is not supported");
    assert_refused("a: !f!x 3\n", 1, 4, "tags are not supported");
    assert_refused("# c\n%TAG !f! tag:x.org,2000:\n---\na: !f!x 3\n", 2, 1,
                   "%TAG directives are not supported");
    const char *text = "a: !foo 3\nb: !bar {x: 1, x: 2}\n";
    assert_fault(text, (long)strlen(text), 1, 2, 4, "tag '!bar'");
    assert_fault(text, (long)strlen(text), 2, 2, 16, "key 'x' appears twice");
}

static void test_one_document_only(void **state) {
    (void)state;
    assert_refused("a: 1\n---\nb: 2\n", 2, 1, "a second document starts here");
    assert_refused("a: 1\n...\n--- b\n", 3, 1, "a second document starts here");
    assert_refused("---\n---\nb: 2\n", 2, 1, "a second document starts here");
    taut_doc *doc = parse("# c\n---\na: 1\n...\n# end\n");
    assert_int_equal(doc->root->count, 1);
    taut_doc_free(&doc);
}

static void test_empty_files_are_refused(void **state) {
    (void)state;
    assert_refused("", 1, 1, "the file is empty");
    assert_refused("\n\n  \n", 1, 1, "the file is empty");
    assert_refused("# only\n# comments\n", 1, 1, "the file is empty");
    assert_refused("---\n", 1, 1, "the file is empty");
    assert_fault(NULL, 0, 0, 1, 1, "the file is empty");
}

static void test_what_is_not_text_is_refused(void **state) {
    (void)state;
    assert_fault("a: 1\nb: \0c\n", 11, 0, 2, 4, "this is not a text file: it contains a NUL byte");
    assert_refused("\xFF\xFE"
                   "a",
                   1, 1, "this is not a text file: it is UTF-16");
    assert_refused("\xFE\xFF", 1, 1, "it is UTF-16");
    assert_refused("a: 1\nTitle: Sch\xE4"
                   "fer\n",
                   2, 11, "this is not a text file: byte 0xE4 is not UTF-8");
    assert_refused("\x80", 1, 1, "byte 0x80 is not UTF-8");
    assert_refused("a: \xC0\xAF", 1, 4, "is not UTF-8");             /* overlong */
    assert_refused("a: \xED\xA0\x80", 1, 4, "is not UTF-8");         /* surrogate */
    assert_refused("a: \xF4\x90\x80\x80", 1, 4, "is not UTF-8");     /* beyond U+10FFFF */
    assert_refused("a: \xF8\x88\x80\x80\x80", 1, 4, "is not UTF-8"); /* five bytes */
    assert_refused("a: \xE2\x82", 1, 4, "is not UTF-8");             /* cut */
    assert_refused("\x7F"
                   "ELF\x02\x01",
                   1, 1, "this is not a text file: it contains the control character U+007F");
    assert_refused("a: b\x07\n", 1, 5, "control character U+0007");
    assert_refused("a: \xC2\x90\n", 1, 4, "control character U+0090");
    assert_refused("a: \xEF\xBF\xBF\n", 1, 4, "control character U+FFFF");
    assert_refused("a: 1\n\xEF\xBB\xBF\n", 2, 1, "control character U+FEFF");
    assert_refused("a: \"x\\0y\"\n", 1, 4, "a text cannot contain a NUL character");
}

/* ---- anchors and aliases ---- */

static void test_aliases_share_the_node(void **state) {
    (void)state;
    taut_doc *doc = parse("a: &x {L: &y 1}\nb: *x\nc: [*x, *y]\nd: &x 5\ne: *x\nf: &g\nh: *g\n");
    const taut_yaml *root = doc->root, *a = taut_yaml_get(root, "a");
    assert_ptr_equal(taut_yaml_get(root, "b"), a);
    assert_ptr_equal(taut_yaml_get(root, "c")->items[0], a);
    assert_ptr_equal(taut_yaml_get(root, "c")->items[1], taut_yaml_get(a, "L"));
    assert_scalar(taut_yaml_get(root, "e"), "5", TAUT_YAML_PLAIN); /* the newer anchor */
    assert_true(taut_yaml_get(root, "h")->is_null);
    assert_source(doc, taut_yaml_get(root, "c"), "[*x, *y]");
    taut_doc_free(&doc);
    doc = parse("a: &x 1\nb:\n  c: *x # end\n");
    assert_source(doc, taut_yaml_get(doc->root, "b"), "c: *x");
    taut_doc_free(&doc);
    doc = parse("&k a: !!str # &c\n  # !c\n  &y:b\n"); /* no blank after an anchor */
    assert_at(taut_yaml_place(doc->root->keys[0]), 1, 4);
    assert_scalar(doc->root->items[0], ":b", TAUT_YAML_PLAIN);
    assert_at(taut_yaml_place(doc->root->items[0]), 3, 5);
    taut_doc_free(&doc);
}

static void test_unknown_and_recursive_aliases_are_refused(void **state) {
    (void)state;
    assert_refused("a: 1\nb: [2, *c]\n", 2, 8, "unknown alias '*c'");
    assert_refused("a: *x\nb: &x 1\n", 1, 4, "unknown alias '*x'");
    assert_refused("a: &x [1, *x]\n", 1, 11, "alias '*x' stands inside its own anchor");
    assert_refused("&r\na: {b: *r}\n", 2, 8, "alias '*r' stands inside its own anchor");
}

static void test_alias_bombs_are_refused(void **state) {
    (void)state;
    builder b = {0};
    append(&b, "l0: &l0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 30; i++) {
        char line[200];
        snprintf(line, sizeof line, "l%d: &l%d [", i, i);
        append(&b, line);
        snprintf(line, sizeof line, "*l%d%s", i - 1, ", ");
        append_times(&b, 9, line);
        append(&b, "1]\n");
    }
    /* l1 ... l5 hold 730000 nodes, and l5 alone 650000: once more is too much */
    assert_fault(b.text, (long)b.length, 0, 7, 10, "the aliases expand the file to more than 1000");
    free(b.text);

    b = (builder){0};
    append(&b, "l0: &l0 [x, x, x, x, x, x, x, x, x]\nl1: [");
    append_times(&b, 99000, "*l0, ");
    append(&b, "1]\n");
    taut_doc *doc = parse(b.text);
    assert_int_equal(taut_yaml_get(doc->root, "l1")->count, 99001);
    taut_doc_free(&doc);
    free(b.text);
}

static void test_aliases_cannot_nest_deeper_than_the_limit(void **state) {
    (void)state;
    builder b = {0};
    append(&b, "a: &a ");
    append_times(&b, 150, "[");
    append_times(&b, 150, "]");
    append(&b, "\nb: ");
    append_times(&b, 49, "[");
    append(&b, "*a");
    append_times(&b, 49, "]");
    taut_doc *doc = parse(b.text); /* 1 + 49 + 150 */
    taut_doc_free(&doc);
    append(&b, "\nc: ");
    append_times(&b, 50, "[");
    append(&b, "*a");
    append_times(&b, 50, "]");
    assert_fault(b.text, (long)b.length, 0, 3, 54, "nests lists and mappings more than 200 deep");
    free(b.text);
}

static void test_anchors_are_limited(void **state) {
    (void)state;
    builder b = {0};
    char line[40];
    for (int i = 0; i < 10001; i++) {
        snprintf(line, sizeof line, "- &a%d x\n- *a%d\n", (i * 7919) % 10001, (i * 7919) % 10001);
        append(&b, line);
        if (i == 9999) {
            taut_doc *doc = parse(b.text);
            assert_int_equal(doc->root->count, 20000);
            taut_doc_free(&doc);
        }
    }
    assert_fault(b.text, (long)b.length, 0, 20001, 10, "more than 10000 anchors");
    free(b.text);
}

/* ---- size ---- */

static void test_nesting_is_limited(void **state) {
    (void)state;
    builder b = {0};
    append_times(&b, 200, "[");
    append_times(&b, 200, "]");
    taut_doc *doc = parse(b.text);
    taut_doc_free(&doc);
    b.length = 0;
    append_times(&b, 201, "[");
    append_times(&b, 201, "]");
    assert_fault(b.text, (long)b.length, 0, 1, 201, "nested more than 200 deep");
    b.length = 0;
    append_times(&b, 1000000, "[");
    assert_fault(b.text, (long)b.length, 0, 1, 201, "nested more than 200 deep");
    b.length = 0;
    append_times(&b, 100000, "- ");
    assert_fault(b.text, (long)b.length, 0, 1, 401, "nested more than 200 deep");
    b.length = 0;
    append_times(&b, 100000, "{a: ");
    assert_fault(b.text, (long)b.length, 0, 1, 801, "nested more than 200 deep");
    b.length = 0;
    append_times(&b, 100000, "? ");
    assert_fault(b.text, (long)b.length, 0, 1, 3, "a key must be a name or a text, not a mapping");
    free(b.text);
}

static void test_large_mapping_is_read_and_its_duplicate_found(void **state) {
    (void)state;
    builder b = {0};
    char line[60];
    for (int i = 0; i < 200000; i++) {
        snprintf(line, sizeof line, "key%d: [%d, %d]\n", (i * 7) % 200000, i, i + 1);
        append(&b, line);
    }
    taut_doc *doc = parse(b.text);
    assert_int_equal(doc->root->count, 200000);
    assert_at(taut_yaml_place(doc->root->items[199999]->items[0]), 200000, 13);
    assert_scalar(taut_yaml_get(doc->root, "key7")->items[1], "2", TAUT_YAML_PLAIN);
    taut_doc_free(&doc);
    append(&b, "key14: 1\n");
    assert_fault(b.text, (long)b.length, 0, 200001, 1,
                 "key 'key14' appears twice; first on line 3");
    free(b.text);
}

static void test_a_million_entries_on_one_line(void **state) {
    (void)state;
    builder b = {0};
    append(&b, "[");
    append_times(&b, 999999, "\xC3\xA9,");
    append(&b, "x]");
    taut_doc *doc = parse(b.text);
    assert_int_equal(doc->root->count, 1000000);
    assert_at(taut_yaml_place(doc->root->items[999999]), 1, 2000000);
    taut_doc_free(&doc);
    free(b.text);
}

static void test_too_many_bytes_are_refused(void **state) {
    (void)state;
    const long length = (256l << 20) + 1;
    char *text = malloc((size_t)length);
    assert_non_null(text);
    memset(text, ' ', (size_t)length);
    assert_fault(text, length, 0, 0, 0, "the file is larger than 256 MB");
    free(text);
}

/* ---- files ---- */

static void assert_read_fails(const char *path, taut_status status, const char *fragment) {
    static taut_errors errors;
    taut_doc *doc = (taut_doc *)&errors;
    memset(&errors, 0, sizeof errors);
    assert_int_equal(taut_doc_read(path, &doc, &errors), status);
    assert_null(doc);
    assert_int_equal(errors.count, 1);
    assert_string_equal(errors.item[0].path, path);
    assert_int_equal(errors.item[0].line, 0);
    if (!strstr(errors.item[0].message, fragment)) fail_msg("%s", errors.item[0].message);
}

static void test_files_are_read_whole(void **state) {
    (void)state;
    const char *path = "test_yaml.tmp"; /* in the folder that the tests run in */
    builder b = {0};
    append_times(&b, 20000, "- 123456789\n");
    FILE *file = fopen(path, "wb");
    if (!file) fail_msg("cannot write %s", path);
    assert_int_equal(fwrite(b.text, 1, b.length, file), b.length);
    assert_int_equal(fclose(file), 0);
    taut_doc *doc = NULL;
    const taut_status status = taut_doc_read(path, &doc, NULL);
    remove(path);
    assert_int_equal(status, TAUT_OK);
    assert_int_equal(doc->length, b.length);
    assert_memory_equal(doc->text, b.text, b.length + 1);
    assert_int_equal(doc->root->count, 20000);
    assert_string_equal(doc->path, path);
    taut_doc_free(&doc);
    free(b.text);
}

static void test_unreadable_files_are_named_without_a_line(void **state) {
    (void)state;
    assert_read_fails("/tmp", TAUT_ERR_IO, "this is a folder");
    assert_read_fails("/nonexistent/m.yaml", TAUT_ERR_IO, "No such file or directory");
    assert_read_fails("", TAUT_ERR_IO, "cannot open it");
    assert_read_fails("/dev/zero", TAUT_ERR_INPUT, "larger than 256 MB");
}

/* ---- random junk ---- */

static uint64_t random_state;

static unsigned random_below(unsigned n) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((random_state >> 33) % n);
}

/* The bytes of the file at a place. */
static const char *source_at(const taut_doc *doc, taut_place place) {
    const char *p = doc->text, *end = p + doc->length;
    for (int line = 1; line < place.line; p++) {
        assert_true(p < end);
        line += *p == '\n';
    }
    for (int column = 1; column < place.column; column++) {
        assert_true(p < end && *p != '\n');
        p++;
        while (p < end && ((unsigned char)*p & 0xC0) == 0x80) p++;
    }
    return p;
}

/* Every node is inside the text where it says, and every character of a scalar is where it is said
 * to be: in the source stands the same byte, or an escape. */
static void check_node(const taut_doc *doc, const taut_yaml *node) {
    const char *start = doc->text + node->start, *end = doc->text + node->end;
    assert_true(0 <= node->start && node->start <= node->end && node->end <= doc->length);
    assert_ptr_equal(source_at(doc, taut_yaml_place(node)), start);
    for (int i = 0; i < node->count; i++) {
        if (node->keys) check_node(doc, node->keys[i]);
        check_node(doc, node->items[i]);
    }
    if (node->kind != TAUT_YAML_SCALAR) return;
    assert_int_equal(strlen(node->text), node->length);
    const char *last = start;
    for (int i = -1; i <= node->length + 1; i++) {
        const char *p = source_at(doc, taut_yaml_place_at(node, i));
        assert_true(last <= p && p <= end);
        last = p;
        if (i < 0 || i >= node->length || (unsigned char)node->text[i] <= ' ' ||
            (unsigned char)node->text[i] >= 0x80)
            continue;
        if (node->style == TAUT_YAML_DOUBLE_QUOTED && *p == '\\') continue;
        assert_int_equal(*p, node->text[i]);
    }
}

static void check_random_text(const char *text, long length) {
    static taut_errors errors;
    taut_doc *doc = NULL;
    char shown[2000];
    errors.count = errors.dropped = 0;
    if (taut_doc_parse("m.yaml", text, length, &doc, &errors) == TAUT_OK) {
        assert_int_equal(errors.count, 0);
        check_node(doc, doc->root);
        taut_doc_free(&doc);
        return;
    }
    assert_null(doc);
    assert_true(errors.count > 0);
    for (int i = 0; i < errors.count; i++) {
        assert_true(errors.item[i].line > 0 && errors.item[i].column > 0);
        assert_true(errors.item[i].message[0]);
        taut_error_format(&errors.item[i], shown, sizeof shown);
    }
}

static void test_random_junk_is_survived(void **state) {
    (void)state;
    static const char *const seeds[] = {
        figure3,
        "a: &x [1, {k: v, 'l''m': \"n\\t\\u00e9\\\n  o\"}]\r\nb:\r\n  - p q\r\n    r\r\n  - "
        "|2-\r\n    s\r\n\r\n    t\r\n"
        "  - >+\r\n   u\r\n   v\r\n\r\nc: *x\r\n",
        "L: 1/2*(u'^2 + v'^2)\n   + G*v # \xCF\x80\nE: [\"u'' + lam*u\", '\xCF\x80''', u: 3, {Ax, "
        "B}]\nn: ~\nz:\n",
        "%YAML 1.1\n---\n!!map {? a : b, &c d: !!str e, : f, <<: g}\n...\n",
        "- - - a\n    - b\n  - ? c\n    : d\n-\n  e: &f\n  g: *f\n\xC3\xA9: "
        "\"\\\n\\x41\\x20\\L\\0\"\n"};
    static const char *const pieces[] = {"\n",       "\r\n",
                                         "\r",       "\t",
                                         " ",        "  ",
                                         "'",        "''",
                                         "\"",       "\\",
                                         "[",        "]",
                                         "{",        "}",
                                         ",",        ": ",
                                         ":",        "- ",
                                         "? ",       "#",
                                         " #",       "&a ",
                                         "*a",       "!",
                                         "!!s ",     "|\n",
                                         ">-\n",     "---\n",
                                         "...\n",    "%",
                                         "<<: ",     "~",
                                         "\xC3\xA9", "\xE2\x80\xA8",
                                         "\xC2\x85", "\\x20",
                                         "\\u00e9",  "\\n",
                                         "\xFF",     "\xEF\xBB\xBF",
                                         "@",        "a: b\n",
                                         "x\\\n",    "\xF0\x9F\x98\x80"};
    char text[4096];
    random_state = 42;
    for (int run = 0; run < 60000; run++) {
        const char *seed = seeds[random_below(sizeof seeds / sizeof *seeds)];
        size_t length = strlen(seed);
        snprintf(text, sizeof text, "%s", seed);
        for (unsigned edits = 1 + random_below(6); edits > 0; edits--) {
            const size_t at = random_below((unsigned)length + 1);
            size_t cut = random_below(3) ? 0 : random_below(8);
            if (cut > length - at) cut = length - at;
            memmove(text + at, text + at + cut, length - at - cut);
            length -= cut;
            const char *piece = pieces[random_below(sizeof pieces / sizeof *pieces)];
            const size_t n = random_below(4) ? strlen(piece) : 0;
            memmove(text + at + n, text + at, length - at);
            for (size_t i = 0; i < n; i++) text[at + i] = piece[i];
            length += n;
            if (length > 0 && random_below(20) == 0)
                text[random_below((unsigned)length)] = (char)random_below(256);
        }
        check_random_text(text, (long)length);
    }
}

static void test_random_bytes_are_survived(void **state) {
    (void)state;
    static const char alphabet[] = "abA1'\"\\[]{},:-?#&*!|>%@~ \n\r\t\xC3\xA9";
    char text[64];
    random_state = 7;
    for (int run = 0; run < 60000; run++) {
        const unsigned length = random_below(sizeof text);
        for (unsigned i = 0; i < length; i++)
            text[i] =
                run % 10 ? alphabet[random_below(sizeof alphabet - 3)] : (char)random_below(256);
        check_random_text(text, (long)length);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree_has_keys_and_values_in_file_order),
        cmocka_unit_test(test_flow_set_is_a_mapping_of_nulls),
        cmocka_unit_test(test_pair_in_a_flow_list_is_a_mapping),
        cmocka_unit_test(test_root_may_be_a_list_or_a_scalar),
        cmocka_unit_test(test_scalar_styles_are_kept),
        cmocka_unit_test(test_null_is_plain_and_empty_tilde_or_null),
        cmocka_unit_test(test_standard_tags_are_ignored),
        cmocka_unit_test(test_nodes_know_their_place_and_source),
        cmocka_unit_test(test_columns_count_characters),
        cmocka_unit_test(test_place_in_a_plain_scalar_over_lines),
        cmocka_unit_test(test_place_in_single_quotes),
        cmocka_unit_test(test_place_in_double_quotes_with_escapes),
        cmocka_unit_test(test_place_in_block_scalars),
        cmocka_unit_test(test_place_at_of_a_list_is_its_start),
        cmocka_unit_test(test_crlf_gives_the_same_tree_and_places),
        cmocka_unit_test(test_byte_order_mark_is_accepted),
        cmocka_unit_test(test_odd_line_breaks_do_not_move_lines),
        cmocka_unit_test(test_malformed_yaml_is_explained_at_its_place),
        cmocka_unit_test(test_message_shows_the_line_and_a_caret),
        cmocka_unit_test(test_tabs_in_the_indentation_are_named),
        cmocka_unit_test(test_duplicate_keys_are_refused_each_at_its_place),
        cmocka_unit_test(test_keys_must_be_scalars),
        cmocka_unit_test(test_merge_keys_are_refused),
        cmocka_unit_test(test_other_tags_are_refused),
        cmocka_unit_test(test_one_document_only),
        cmocka_unit_test(test_empty_files_are_refused),
        cmocka_unit_test(test_what_is_not_text_is_refused),
        cmocka_unit_test(test_aliases_share_the_node),
        cmocka_unit_test(test_unknown_and_recursive_aliases_are_refused),
        cmocka_unit_test(test_alias_bombs_are_refused),
        cmocka_unit_test(test_aliases_cannot_nest_deeper_than_the_limit),
        cmocka_unit_test(test_anchors_are_limited),
        cmocka_unit_test(test_nesting_is_limited),
        cmocka_unit_test(test_large_mapping_is_read_and_its_duplicate_found),
        cmocka_unit_test(test_a_million_entries_on_one_line),
        cmocka_unit_test(test_too_many_bytes_are_refused),
        cmocka_unit_test(test_files_are_read_whole),
        cmocka_unit_test(test_unreadable_files_are_named_without_a_line),
        cmocka_unit_test(test_random_junk_is_survived),
        cmocka_unit_test(test_random_bytes_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
