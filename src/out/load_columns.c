/* Applied forces and torques row by row, so that a page can draw them. */
#include <stdio.h>

#include "out/row_values.h"

enum { MOST_DRAWN = 40 };

static taut_status add_columns(taut_scene *s, int i, taut_row_values *v, int count) {
    const taut_load *l = &s->mechanism->load[i];
    double *value[3];
    char name[160];
    for (int k = 0; k < count; k++) {
        snprintf(name, sizeof name, "%s on %.100s%s%.*s", l->torque ? "torque" : "force", l->name,
                 count > 1 ? "." : "", count > 1 ? 1 : 0, &"xyz"[k]);
        const int column = s->columns->columns;
        TAUT_TRY(taut_columns_add(s->columns, name, "load", l->torque ? "N m" : "N", &value[k]));
        s->load[i][k] = column;
    }
    taut_row_values_find(v, s, value, count);
    return TAUT_OK;
}

taut_status taut_scene_add_load(taut_scene *s, int i) {
    const taut_load *l = &s->mechanism->load[i];
    taut_row_values v = {0};
    for (int k = 0; k < 3; k++) s->load[i][k] = -1;
    if (i >= MOST_DRAWN || s->columns->rows == 0 || s->open || l->value.n == 0) return TAUT_OK;
    taut_status status = taut_row_values_create(s, l->value.c, l->value.n, &v);
    if (status == TAUT_OK && taut_row_values_known(&v)) status = add_columns(s, i, &v, l->value.n);
    return status == TAUT_ERR_INPUT ? TAUT_OK : status; /* a load that is not drawn */
}
