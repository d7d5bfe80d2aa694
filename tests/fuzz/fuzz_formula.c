/* Fuzzes the formula reader and the printer: what is printed reads back to the same node. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/infix.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const VARIABLE[] = {"x", "y", "z"};
static const char *const PARAMETER[] = {"p", "q"};

/* x, y, z variables; p, q parameters; u, v vectors of two and three components. */
static bool find(void *user, const char *name, taut_measure *measure, char *why, size_t size) {
    taut_vec *value = &measure->value;
    taut_graph *g = user;
    const taut_node x = taut_variable(g, 0), y = taut_variable(g, 1), z = taut_variable(g, 2);
    if (strcmp(name, "later") == 0) snprintf(why, size, "not known yet");
    if (strlen(name) != 1) return false;
    switch (name[0]) {
    case 'x': *value = taut_vec_scalar(x); return true;
    case 'y': *value = taut_vec_scalar(y); return true;
    case 'z': *value = taut_vec_scalar(z); return true;
    case 'p': *value = taut_vec_scalar(taut_parameter(g, 0, 2.3)); return true;
    case 'q': *value = taut_vec_scalar(taut_parameter(g, 1, -0.7)); return true;
    case 'u': *value = (taut_vec){2, {x, y}}; return true;
    case 'v': *value = (taut_vec){3, {x, y, z}}; return true;
    default: return false;
    }
}

/* The reader of models refuses such formulas, and inf cannot be read back. */
static bool all_finite(const taut_graph *g) {
    for (taut_node n = 1; n < taut_graph_size(g); n++) {
        const taut_node_data *d = taut_node_get(g, n);
        if (!isfinite(d->value) || !isfinite(d->constant)) return false;
        for (uint32_t i = 0; d->op == TAUT_OP_SUM && i < d->count; i++)
            if (!isfinite(taut_node_coefs(g, n)[i])) return false;
    }
    return true;
}

static void check_print(taut_graph *g, const taut_scope *scope, taut_node node) {
    static char text[1 << 16];
    const taut_names names = {VARIABLE, PARAMETER};
    taut_infix_error error;
    taut_measure back;
    taut_infix_print(g, node, &names, text, sizeof text);
    if (strstr(text, "...")) return; /* cut */
    const taut_status status = taut_infix_read(g, text, (long)strlen(text), scope, &back, &error);
    if (status == TAUT_OK && back.value.n == 1 && back.value.c[0] == node) return;
    fprintf(stderr, "printed: %s\n", text);
    if (status != TAUT_OK) fprintf(stderr, "refused: %s\n", error.message);
    if (status == TAUT_OK)
        fprintf(stderr, "again:   %s\n",
                taut_infix_print(g, back.value.c[0], &names, text, sizeof text));
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    taut_graph *g;
    taut_infix_error error;
    taut_measure measure;
    if (taut_graph_create(&g) != TAUT_OK) abort();
    const taut_scope scope = {.user = g, .find = find};
    taut_status status =
        taut_infix_read(g, (const char *)data, (long)size, &scope, &measure, &error);
    if (status != TAUT_OK && (measure.value.n != 0 || !error.message[0])) abort();
    if (status != TAUT_OK && (error.offset < 0 || error.offset > (long)size)) abort();
    if (status == TAUT_OK && all_finite(g))
        for (int i = 0; i < measure.value.n; i++) check_print(g, &scope, measure.value.c[i]);
    taut_graph_free(&g);
    return 0;
}
