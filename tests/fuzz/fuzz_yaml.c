/* Fuzzes the YAML reader: any bytes give a tree with good places, or a message. */
#include <stdint.h>
#include <stdlib.h>

#include "model/yaml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition) {
    if (!condition) abort();
}

static void check_place(const taut_doc *doc, taut_place place) {
    require(place.line >= 1 && place.column >= 1);
    require(place.text_length <= doc->length);
}

/* A node lies inside the text, and every character of a scalar has a place. */
static void check_node(const taut_doc *doc, const taut_yaml *node) {
    require(node->start >= 0 && node->start <= node->end && node->end <= doc->length);
    check_place(doc, taut_yaml_place(node));
    for (int i = 0; node->kind == TAUT_YAML_SCALAR && i <= node->length; i += 1 + node->length / 8)
        check_place(doc, taut_yaml_place_at(node, i));
}

static long check_tree(const taut_doc *doc, const taut_yaml *node, long budget) {
    check_node(doc, node);
    for (int i = 0; i < node->count && budget > 0; i++) { /* aliases can make the tree large */
        if (node->keys) check_node(doc, node->keys[i]);
        budget = check_tree(doc, node->items[i], budget - 1);
    }
    return budget;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static taut_errors errors;
    taut_doc *doc;
    errors.count = errors.dropped = 0;
    const taut_status status =
        taut_doc_parse("fuzz.yaml", (const char *)data, (long)size, &doc, &errors);
    require((status == TAUT_OK) == (doc != NULL));
    require((status == TAUT_OK) == (errors.count == 0));
    for (int i = 0; i < errors.count; i++) {
        char text[4096];
        require(taut_error_format(&errors.item[i], text, sizeof text) > 0);
    }
    if (doc) check_tree(doc, doc->root, 10000);
    taut_doc_free(&doc);
    return 0;
}
