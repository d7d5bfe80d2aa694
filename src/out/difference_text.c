/* What two results differ by, in words, as JSON, and over time. */
#include <math.h>
#include <string.h>

#include "core/status.h"
#include "core/text.h"
#include "out/difference.h"
#include "out/file.h"
#include "out/json.h"

/* ---- words ---- */

static void put_digits(taut_string *out, double digits) {
    if (isinf(digits) && digits > 0.0)
        taut_string_add(out, " %8s", "all");
    else
        taut_string_add(out, " %8.1f", isfinite(digits) ? digits : 0.0);
}

static void put_alone(taut_string *out, const taut_diff *d, int side) {
    if (d->alones[side] == 0) return;
    taut_string_add(out, "  not compared of %s:", d->path[side]);
    for (int i = 0; i < d->alones[side]; i++)
        taut_string_add(out, "%s %s", i ? "," : "", d->alone[side][i]);
    taut_string_add(out, "\n");
}

static void put_words(taut_string *out, const taut_diff *d) {
    int width = 6;
    for (int c = 0; c < d->columns; c++)
        if ((int)strlen(d->column[c].name) > width) width = (int)strlen(d->column[c].name);
    taut_string_add(out, "%s (%ld rows) against %s (%ld rows): %ld times in common\n", d->path[0],
                    d->rows[0], d->path[1], d->rows[1], d->common);
    taut_string_add(out, "  %-*s %8s %8s %11s %11s %11s\n", width, "column", "digits", "at end",
                    "difference", "at t", "largest");
    for (int c = 0; c < d->columns; c++) {
        const taut_diff_column *x = &d->column[c];
        taut_string_add(out, "  %-*s", width, x->name);
        if (x->nothing) {
            taut_string_add(out, " %8s %8s", "-", "-");
        } else {
            put_digits(out, x->digits);
            put_digits(out, x->at_end);
        }
        taut_string_add(out, " %11.3g %11.6g %11.4g\n", x->largest, x->t, x->scale);
    }
    put_alone(out, d, 0);
    put_alone(out, d, 1);
    if (!d->scd_column && isinf(d->scd) && d->largest_error == 0.0) {
        taut_string_add(out, "  no position differs\n");
        return;
    }
    taut_string_add(out, "  E = |q - q_ref|/|q_ref| is at most %.3g, at t = %.6g", d->largest_error,
                    d->largest_at);
    if (d->scd_column) taut_string_add(out, "; SCD %.1f (%s)", d->scd, d->scd_column);
    taut_string_add(out, "\n");
}

/* ---- JSON ---- */

static void put_field(taut_string *out, const char *key, double value) {
    taut_string_add(out, ", \"%s\": ", key);
    taut_json_number(out, value, 17);
}

static void put_json(taut_string *out, const taut_diff *d) {
    taut_string_add(out, "{\"file\": ");
    taut_json_text(out, d->path[0]);
    taut_string_add(out, ", \"reference\": ");
    taut_json_text(out, d->path[1]);
    taut_string_add(out, ", \"times\": %ld", d->common);
    put_field(out, "largest_error", d->largest_error);
    put_field(out, "t", d->largest_at);
    put_field(out, "scd", d->scd);
    taut_string_add(out, ", \"columns\": [");
    for (int c = 0; c < d->columns; c++) {
        const taut_diff_column *x = &d->column[c];
        taut_string_add(out, "%s{\"name\": ", c ? ", " : "");
        taut_json_text(out, x->name);
        put_field(out, "difference", x->largest);
        put_field(out, "t", x->t);
        put_field(out, "scale", x->scale);
        put_field(out, "digits", x->digits);
        put_field(out, "at_end", x->at_end);
        taut_string_add(out, ", \"nothing\": %s", x->nothing ? "true" : "false");
        taut_string_add(out, "}");
    }
    taut_string_add(out, "]");
    for (int side = 0; side < 2; side++) {
        taut_string_add(out, ", \"%s\": [", side ? "only_in_reference" : "only_in_file");
        for (int i = 0; i < d->alones[side]; i++) {
            if (i) taut_string_add(out, ", ");
            taut_json_text(out, d->alone[side][i]);
        }
        taut_string_add(out, "]");
    }
    taut_string_add(out, "}\n");
}

taut_status taut_diff_text(const taut_diff *d, bool json, char **text, taut_errors *errors) {
    TAUT_NEED(text, "text", errors);
    *text = NULL;
    TAUT_NEED(d, "diff", errors);
    taut_string out = {0};
    if (json)
        put_json(&out, d);
    else
        put_words(&out, d);
    if (!out.failed) {
        *text = out.text;
        return TAUT_OK;
    }
    taut_string_release(&out);
    return TAUT_ERR_MEMORY;
}

taut_status taut_diff_write(const taut_diff *d, const char *path, taut_errors *errors) {
    TAUT_NEED(d, "diff", errors);
    TAUT_NEED(path, "path", errors);
    taut_string out = {0};
    taut_string_add(&out, "t,E\n");
    for (long i = 0; i < d->common; i++)
        taut_string_add(&out, "%.17g,%.17g\n", d->t[i], d->error[i]);
    const taut_status status =
        out.failed ? TAUT_ERR_MEMORY : taut_file_write(path, out.text, errors);
    taut_string_release(&out);
    return status;
}
