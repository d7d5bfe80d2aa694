/* How freely a model moves, in the words of mechanics: what a person counts before any equation. */
#include "out/freedom.h"

#include "taut/model.h"

enum { MOST_NAMES = 6 };

static void add_count(taut_string *out, long count, const char *one, const char *many) {
    taut_string_add(out, "%ld %s", count, count == 1 ? one : many);
}

/* "a", "a and b", "a, b and c"; of very many the first ones. */
static void add_drivers(taut_string *out, const taut_mechanism *m) {
    const int shown = m->drivers <= MOST_NAMES ? m->drivers : MOST_NAMES - 1;
    for (int i = 0; i < shown; i++) {
        const bool last = i > 0 && i == m->drivers - 1;
        taut_string_add(out, "%s%s", i == 0 ? " " : last ? " and " : ", ", m->driver[i].name);
    }
    if (shown < m->drivers) taut_string_add(out, " and %d more", m->drivers - shown);
}

void taut_freedom_add(taut_string *out, const taut_model *model, int mobility, long dof) {
    const int drivers = model->mechanism ? model->mechanism->drivers : 0;
    taut_string_add(out, "%s with ", taut_model_kind_name(model));
    if (mobility < 0) {
        add_count(out, dof, "independent initial value", "independent initial values");
        return;
    }
    add_count(out, mobility + drivers, "degree of freedom", "degrees of freedom");
    if (drivers == 0) return;
    if (mobility > 0) taut_string_add(out, ", %d of them", drivers);
    taut_string_add(out, "%s driven by", mobility > 0 ? "" : ",");
    add_drivers(out, model->mechanism);
}

void taut_freedom_add_parts(taut_string *out, const taut_model *model) {
    const taut_mechanism *m = model->mechanism;
    if (!m) return;
    const char *before = ": ";
    if (m->bodies > 0) {
        taut_string_add(out, "%s", before);
        add_count(out, m->bodies, "body", "bodies");
        before = ", ";
    }
    if (m->particles > 0) {
        taut_string_add(out, "%s", before);
        add_count(out, m->particles, "particle", "particles");
        before = ", ";
    }
    if (m->joints > 0) {
        taut_string_add(out, "%s", before);
        add_count(out, m->joints, "joint", "joints");
    }
}

taut_status taut_freedom_text(const taut_model *model, const taut_run_stats *stats, char **text,
                              taut_errors *errors) {
    taut_string out = {0};
    TAUT_NEED(text, "text", errors);
    *text = NULL;
    TAUT_NEED(model, "model", errors);
    TAUT_NEED(stats, "stats", errors);
    taut_freedom_add(&out, model, stats->mobility, stats->dof);
    taut_freedom_add_parts(&out, model);
    if (out.failed) {
        taut_string_release(&out);
        return TAUT_ERR_MEMORY;
    }
    *text = out.text;
    return TAUT_OK;
}
