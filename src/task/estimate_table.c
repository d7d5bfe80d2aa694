/* Measured and computed values side by side, and the file with what was found. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "task/estimate.h"
#include "task/result.h"

/* All measured columns, each once. */
static int list_columns(const taut_estimates *e, const char **name) {
    int count = 0;
    for (int x = 0; x < e->experiments; x++)
        for (int c = 0; c < e->experiment[x].m.columns; c++) {
            const char *column = e->experiment[x].m.column[c];
            int k = 0;
            while (k < count && strcmp(name[k], column) != 0) k++;
            if (k == count) name[count++] = column;
        }
    return count;
}

static taut_status label(taut_result *r, const char *const *name, int count) {
    static const char *const HEAD[] = {"experiment", "t"};
    static const char *const TAIL[] = {"", " run", " residual"};
    for (int c = 0; c < r->columns; c++) {
        char text[400];
        if (c < 2)
            snprintf(text, sizeof text, "%s", HEAD[c]);
        else
            snprintf(text, sizeof text, "%.300s%s", name[(c - 2) / 3], TAIL[(c - 2) % 3]);
        if (!(r->name[c] = taut_arena_copy(&r->arena, text, strlen(text)))) return TAUT_ERR_MEMORY;
    }
    (void)count;
    return TAUT_OK;
}

/* The results of a part, into the rows of its experiment. */
static void enter(const taut_estimates *e, const taut_shot *p, taut_result *r, long first,
                  const char *const *name, int count) {
    const taut_measurement *m = &e->experiment[p->experiment].m;
    for (int i = 0; i < p->figures; i++) {
        const taut_residual *d = &p->residual[i];
        int k = 0;
        if (d->row < 0) continue;
        while (k < count && strcmp(name[k], m->column[d->column]) != 0) k++;
        double *row = r->value + (size_t)(first + d->row) * (size_t)r->columns;
        const double bias =
            d->other >= 0 ? taut_sought_value(e, d->other, e->z[d->other], NULL) : 0.0;
        row[2 + 3 * k] = d->measured;
        row[3 + 3 * k] = p->result[i] + bias;
        row[4 + 3 * k] = d->measured - p->result[i] - bias;
    }
}

static taut_status fill(const taut_estimates *e, taut_result *r, const char *const *name,
                        int count) {
    TAUT_TRY(label(r, name, count));
    for (int x = 0; x < e->experiments; x++) {
        const taut_measurement *m = &e->experiment[x].m;
        const long first = r->rows;
        for (int i = 0; i < m->rows; i++) {
            double *row = taut_result_add_row(r);
            if (!row) return TAUT_ERR_MEMORY;
            row[0] = x;
            row[1] = m->t[i];
            for (int c = 2; c < r->columns; c++) row[c] = (double)NAN;
        }
        for (int i = 0; i < e->parts; i++)
            if (e->part[i].experiment == x) enter(e, &e->part[i], r, first, name, count);
    }
    return TAUT_OK;
}

taut_status taut_estimates_table(const taut_estimates *e, taut_result **table) {
    TAUT_NEED(table, "table", NULL);
    *table = NULL;
    TAUT_NEED(e, "estimates", NULL);
    int most = 0;
    for (int x = 0; x < e->experiments; x++) most += e->experiment[x].m.columns;
    const char **name = taut_new((size_t)most * sizeof *name);
    if (!name) return TAUT_ERR_MEMORY;
    const int count = list_columns(e, name);
    taut_status status = taut_result_create(2 + 3 * count, table);
    if (status == TAUT_OK) status = fill(e, *table, name, count);
    if (status != TAUT_OK) taut_result_free(table);
    taut_release((void **)&name);
    return status;
}

taut_status taut_estimates_text(const taut_estimates *e, char **text, taut_errors *errors) {
    TAUT_NEED(text, "text", errors);
    *text = NULL;
    TAUT_NEED(e, "estimates", errors);
    const char **name = taut_new((size_t)(e->named + 1) * sizeof *name);
    double *value = taut_new((size_t)(e->named + 1) * sizeof *value);
    int count = 0;
    for (int k = 0; k < e->named && name && value; k++) {
        const taut_sought *u = &e->unknown[k];
        if (u->box < 0 || u->experiment > 0) continue;
        name[count] = e->box.name[u->box];
        value[count++] = e->estimated[k].value;
    }
    const taut_status status = name && value
                                   ? taut_model_rewrite(e->model, name, value, count, text, errors)
                                   : TAUT_ERR_MEMORY;
    taut_release((void **)&name);
    taut_release((void **)&value);
    return status;
}
