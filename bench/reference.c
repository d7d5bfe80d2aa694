/* True values of some columns at some times, and how far a result is from them. */
#include "reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One column, "A2x-2". Returns where the next one begins; NULL: it is too long. */
static const char *read_column(reference *r, const char *text) {
    const size_t all = strcspn(text, ","), name = strcspn(text, ",+-");
    if (r->columns == REFERENCE_COLUMNS || name >= sizeof r->name[0]) return NULL;
    memcpy(r->name[r->columns], text, name);
    r->name[r->columns][name] = '\0';
    r->added[r->columns] = name < all ? strtod(text + name, NULL) : 0.0;
    r->columns++;
    return text + all + (text[all] == ',');
}

static bool read_values(reference *r, FILE *file) {
    while (r->times < REFERENCE_TIMES && fscanf(file, "%lf", &r->time[r->times]) == 1) {
        for (int k = 0; k < r->columns; k++)
            if (fscanf(file, "%lf", &r->value[r->times][k]) != 1) return false;
        r->times++;
    }
    return feof(file) && r->times > 0;
}

bool reference_read(reference *r, const char *path, const char *columns) {
    *r = (reference){.columns = 0};
    for (const char *p = columns; p && *p;) {
        p = read_column(r, p);
        if (!p) {
            fprintf(stderr, "%s: too many columns, or too long a name\n", columns);
            return false;
        }
    }
    FILE *file = fopen(path, "r");
    const bool good = file && read_values(r, file);
    if (!file)
        perror(path);
    else if (!good)
        fprintf(stderr, "%s: lines with a time and %d values are expected\n", path, r->columns);
    if (file) fclose(file);
    return good;
}

void reference_ask(const reference *r, taut_run_options *options) {
    options->has_tend = true;
    options->tend = r->time[r->times - 1];
    options->at = r->time;
    options->ats = r->times;
}

static int find_column(const taut_result *result, const char *name) {
    for (int j = 0; j < taut_result_columns(result); j++)
        if (strcmp(taut_result_name(result, j), name) == 0) return j;
    return -1;
}

double reference_error(const reference *r, const taut_result *result) {
    double largest = 0.0;
    for (int k = 0; k < r->columns; k++) {
        const int column = find_column(result, r->name[k]);
        if (column < 0) return (double)NAN;
        for (int i = 0; i < r->times; i++) {
            const double value = taut_result_value(result, i, column) + r->added[k];
            const double error = fabs(value - r->value[i][k]);
            if (!(error <= largest)) largest = error; /* NaN as well */
        }
    }
    return largest;
}
