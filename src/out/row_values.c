/* Formulas of a mechanism in the rows of a page. */
#include "out/row_values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "expr/substitute.h"

/* Leaf number i becomes variable number i. */
static taut_node variable_of_leaf(void *user, int leaf) { return taut_variable(user, leaf); }

static int find_column(const taut_scene *s, const char *name) {
    for (int k = 0; k < s->columns->columns; k++)
        if (strcmp(s->columns->column[k].name, name) == 0) return k;
    return -1;
}

/* The column of the order-th derivative of a leaf; -1: there is none. */
static int column_of(const taut_scene *s, int leaf, int order) {
    static const char *const prime[] = {"", "'", "''"};
    if (leaf < 0 || leaf >= s->model->leaves || order > 2) return -1;
    const taut_model_leaf *x = &s->model->leaf[leaf];
    char name[200];
    if (x->kind == TAUT_LEAF_ELEMENT && order == 0 && s->columns->of[x->index][x->part] >= 0)
        return s->columns->of[x->index][x->part];
    if (!x->name) return -1;
    snprintf(name, sizeof name, "%.150s%.*s%s", x->name, x->kind == TAUT_LEAF_ELEMENT ? 1 : 0,
             &"xyz"[x->part % 3], prime[order]);
    return find_column(s, name);
}

/* Components that stay have no columns: they are numbers. */
static double resting(const taut_scene *s, int leaf, int order) {
    const taut_model_leaf *x = leaf >= 0 && leaf < s->model->leaves ? &s->model->leaf[leaf] : NULL;
    if (!x || x->kind != TAUT_LEAF_ELEMENT || s->columns->of[x->index][x->part] >= 0)
        return (double)NAN;
    return order > 0 ? 0.0 : s->columns->result->description.fixed[3 * x->index + x->part];
}

static taut_status replace_leaves(taut_graph *g, const taut_node *node, int count,
                                  taut_node *image) {
    taut_substitution *substitution;
    bool finite;
    TAUT_TRY(taut_substitution_create(g, variable_of_leaf, g, &substitution));
    taut_status status = TAUT_OK;
    for (int i = 0; i < count && status == TAUT_OK; i++) {
        status = taut_substitute(substitution, node[i], &image[i], &finite);
        if (status == TAUT_OK && image[i] == TAUT_NO_NODE) status = TAUT_ERR_MEMORY;
    }
    taut_substitution_free(&substitution);
    return status;
}

taut_status taut_row_values_create(const taut_scene *s, const taut_node *node, int count,
                                   taut_row_values *v) {
    *v = (taut_row_values){.column = NULL};
    taut_node *image = TAUT_NEW_ARRAY(s->arena, count, taut_node);
    if (!image) return TAUT_ERR_MEMORY;
    TAUT_TRY(replace_leaves(s->graph, node, count, image));
    TAUT_TRY(taut_sample_create(s->graph, image, count, s->arena, &v->sample));
    v->column = TAUT_NEW_ARRAY(s->arena, v->sample.inputs, int);
    if (!v->column) return TAUT_ERR_MEMORY;
    for (int i = 0; i < v->sample.inputs; i++) {
        const taut_sample_input *x = &v->sample.input[i];
        v->column[i] = column_of(s, x->variable, x->order);
        const double rest = v->column[i] < 0 ? resting(s, x->variable, x->order) : (double)NAN;
        if (!isnan(rest)) v->column[i] = -2;
        for (int m = 0; m < TAUT_SAMPLES; m++) v->sample.given[i][m] = rest;
    }
    return TAUT_OK;
}

bool taut_row_values_known(const taut_row_values *v) {
    for (int i = 0; i < v->sample.inputs; i++)
        if (v->column[i] == -1) return false;
    return true;
}

void taut_row_values_find(taut_row_values *v, const taut_scene *s, double *const *value,
                          int count) {
    const long rows = s->columns->rows;
    for (long first = 0; first < rows; first += TAUT_SAMPLES) {
        for (int m = 0; m < TAUT_SAMPLES; m++) {
            const long row = first + m < rows ? first + m : rows - 1;
            v->sample.time[m] = taut_columns_value(s->columns, 0, row);
            for (int i = 0; i < v->sample.inputs; i++)
                if (v->column[i] >= 0)
                    v->sample.given[i][m] = taut_columns_value(s->columns, v->column[i], row);
        }
        taut_sample_find(&v->sample);
        for (int i = 0; i < count; i++)
            for (int m = 0; m < TAUT_SAMPLES && first + m < rows; m++)
                value[i][first + m] = v->sample.value[i][m];
    }
}
