/* Pages of sweeps and fits: their data as JSON in the page that web/src/study builds. */
#include <stdio.h>
#include <string.h>

#include "model/model.h"
#include "out/file.h"
#include "out/json.h"
#include "out/study_table.h"
#include "out/template.h"
#include "task/estimate.h"
#include "task/study.h"

enum { DIGITS = 9, FEW_DIGITS = 6 };

/* A part of the file that is complete goes out, so that the text stays short. */
static taut_status flush(taut_file *file, taut_string *text) {
    if (text->failed) return TAUT_ERR_MEMORY;
    const taut_status status = taut_file_put(file, text->text, text->length);
    text->length = 0;
    return status;
}

static void add_title(taut_string *out, const taut_model *model, const char *kind) {
    const char *title = taut_model_title(model), *path = model->doc ? model->doc->path : "model";
    const char *slash = strrchr(path, '/');
    if (slash) path = slash + 1; /* pages travel, folders do not */
    taut_string_add(out, "{\"kind\":\"%s\",\"title\":", kind);
    taut_json_text(out, title[0] ? title : path);
    taut_string_add(out, ",\"file\":");
    taut_json_text(out, path);
}

static taut_status put_page(const char *path,
                            taut_status (*put_data)(taut_file *, taut_string *, const void *),
                            const void *user, taut_errors *errors) {
    const taut_template page = taut_template_get_study();
    taut_file file;
    taut_string text = {0};
    TAUT_TRY(taut_file_open(&file, path, errors));
    taut_status status = taut_file_put(&file, page.head, (size_t)page.head_length);
    if (status == TAUT_OK) status = put_data(&file, &text, user);
    if (status == TAUT_OK) status = taut_file_put(&file, page.tail, (size_t)page.tail_length);
    taut_string_release(&text);
    if (status == TAUT_OK || status == TAUT_ERR_IO) return taut_file_close(&file, errors);
    taut_file_drop(&file);
    return status;
}

/* ---- sweeps ---- */

static void add_statistics(taut_string *out, const taut_study *s) {
    const int columns = taut_study_columns(s);
    taut_string_add(out, ",\"spread\":[");
    for (int c = 1; c < columns; c++) {
        const taut_spread x = taut_study_spread(s, c);
        const double value[] = {x.mean, x.sd, x.min, x.max};
        taut_string_add(out, c > 1 ? ",[" : "[");
        for (int i = 0; i < 4; i++) {
            taut_string_add(out, i ? "," : "");
            taut_json_number(out, value[i], DIGITS);
        }
        taut_string_add(out, "]");
    }
    taut_string_add(out, "],\"correlation\":[");
    for (int c = 1; c < columns; c++) {
        taut_string_add(out, c > 1 ? ",[" : "[");
        for (int k = 1; k <= s->axes; k++) {
            taut_string_add(out, k > 1 ? "," : "");
            taut_json_number(out, taut_study_correlation(s, c, k), 4);
        }
        taut_string_add(out, "]");
    }
    taut_string_add(out, "]");
}

static void add_curves(taut_string *out, const taut_study *s, long run) {
    for (int c = 0; c < s->traces; c++) {
        taut_string_add(out, c ? ",[" : "[");
        for (int r = 0; r < s->rows; r++) {
            taut_string_add(out, r ? "," : "");
            taut_json_number(out, taut_study_trace_value(s, run, r, c), FEW_DIGITS);
        }
        taut_string_add(out, "]");
    }
}

static taut_status put_curves(taut_file *file, taut_string *out, const taut_study *s) {
    const char *between = "";
    taut_string_add(out, ",\"traces\":{\"columns\":[");
    for (int c = 0; c < s->traces; c++) {
        taut_string_add(out, c ? "," : "");
        taut_json_text(out, s->trace[c]);
    }
    taut_string_add(out, "],\"t\":[");
    for (int r = 0; r < s->rows; r++) {
        taut_string_add(out, r ? "," : "");
        taut_json_number(out, taut_study_trace_time(s, r), DIGITS);
    }
    taut_string_add(out, "],\"values\":[");
    for (long i = 0; i < s->runs; i++) {
        if (!s->finished[i]) continue;
        taut_string_add(out, "%s\n[", between);
        between = ",";
        add_curves(out, s, i);
        taut_string_add(out, "]");
        TAUT_TRY(flush(file, out));
    }
    taut_string_add(out, "]}");
    return flush(file, out);
}

static taut_status put_rows(taut_file *file, taut_string *out, const taut_study *s) {
    const int columns = taut_study_columns(s);
    const char *between = "";
    taut_string_add(out, ",\"rows\":[");
    for (long i = 0; i < s->runs; i++) {
        if (!s->finished[i]) continue;
        taut_string_add(out, "%s\n[%ld", between, i);
        between = ",";
        for (int c = 1; c < columns; c++) {
            taut_string_add(out, ",");
            taut_json_number(out, taut_study_value(s, i, c), DIGITS);
        }
        taut_string_add(out, "]");
        TAUT_TRY(flush(file, out));
    }
    taut_string_add(out, "],\"status\":[");
    between = "";
    for (long i = 0; i < s->runs; i++) {
        if (!s->finished[i]) continue;
        taut_string_add(out, "%s", between);
        between = ",";
        taut_json_text(out, taut_study_outcome(s, i));
    }
    taut_string_add(out, "]");
    return flush(file, out);
}

static taut_status put_sweep(taut_file *file, taut_string *out, const void *user) {
    const taut_study *s = user;
    add_title(out, s->model, "sweep");
    taut_string_add(out, ",\"varied\":%d,\"initial\":[", s->axes);
    for (int k = 0; k < s->axes; k++)
        taut_string_add(out, "%s%s", k ? "," : "", s->axis[k].initial ? "true" : "false");
    taut_string_add(out, "],\"columns\":[");
    for (int c = 0; c < taut_study_columns(s); c++) {
        taut_string_add(out, c ? "," : "");
        taut_json_text(out, taut_study_name(s, c));
    }
    taut_string_add(out, "]");
    add_statistics(out, s);
    TAUT_TRY(put_rows(file, out, s));
    if (s->traces > 0) TAUT_TRY(put_curves(file, out, s));
    taut_string_add(out, "}");
    return flush(file, out);
}

taut_status taut_study_page(const taut_study *study, const char *path, taut_errors *errors) {
    return put_page(path, put_sweep, study, errors);
}

/* ---- fits ---- */

static void add_estimates(taut_string *out, const taut_estimates *e) {
    taut_string_add(out, ",\"estimates\":[");
    for (int k = 0; k < e->named; k++) {
        const taut_estimated *x = &e->estimated[k];
        taut_string_add(out, "%s{\"name\":", k ? "," : "");
        taut_json_text(out, x->name);
        taut_string_add(out, ",\"value\":");
        taut_json_number(out, x->value, DIGITS);
        taut_string_add(out, ",\"sd\":");
        taut_json_number(out, x->sd, DIGITS);
        taut_string_add(out, ",\"low\":");
        taut_json_number(out, x->low, DIGITS);
        taut_string_add(out, ",\"high\":");
        taut_json_number(out, x->high, DIGITS);
        taut_string_add(out, ",\"identified\":%s,\"at_bound\":%s}",
                        x->identified ? "true" : "false", x->at_bound ? "true" : "false");
    }
    taut_string_add(out, "],\"unidentified\":[");
    const char *p = taut_estimates_unidentified(e);
    for (bool first = true; *p; first = false) {
        char line[1000];
        const size_t n = strcspn(p, "\n");
        snprintf(line, sizeof line, "%.*s", (int)n, p);
        taut_string_add(out, first ? "" : ",");
        taut_json_text(out, line);
        p += n + (p[n] == '\n');
    }
    taut_string_add(out, "]");
}

static taut_status put_table(taut_file *file, taut_string *out, const taut_result *r) {
    taut_string_add(out, ",\"columns\":[");
    for (int c = 0; c < taut_result_columns(r); c++) {
        taut_string_add(out, c ? "," : "");
        taut_json_text(out, taut_result_name(r, c));
    }
    taut_string_add(out, "],\"rows\":[");
    for (long i = 0; i < taut_result_rows(r); i++) {
        taut_string_add(out, i ? ",\n[" : "\n[");
        for (int c = 0; c < taut_result_columns(r); c++) {
            taut_string_add(out, c ? "," : "");
            taut_json_number(out, taut_result_value(r, i, c), DIGITS);
        }
        taut_string_add(out, "]");
        TAUT_TRY(flush(file, out));
    }
    taut_string_add(out, "]}");
    return flush(file, out);
}

static taut_status put_fit(taut_file *file, taut_string *out, const void *user) {
    const taut_estimates *e = user;
    taut_result *table = NULL;
    add_title(out, e->model, "fit");
    taut_string_add(out, ",\"experiments\":[");
    for (int x = 0; x < e->experiments; x++) {
        taut_string_add(out, x ? "," : "");
        taut_json_text(out, e->experiment[x].m.name ? e->experiment[x].m.name : "");
    }
    taut_string_add(out,
                    "],\"summary\":\"%d values from %d measured numbers; residuals have an rms of "
                    "%.4g standard deviations.\"",
                    e->stats.unknowns, e->stats.residuals, e->stats.rms);
    add_estimates(out, e);
    TAUT_TRY(taut_estimates_table(e, &table));
    const taut_status status = put_table(file, out, table);
    taut_result_free(&table);
    return status;
}

taut_status taut_estimates_page(const taut_estimates *e, const char *path, taut_errors *errors) {
    TAUT_NEED(e, "estimates", errors);
    TAUT_NEED(path, "path", errors);
    TAUT_TRY(taut_output_check(path, errors));
    return put_page(path, put_fit, e, errors);
}
