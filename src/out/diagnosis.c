/* The doctor's words. */
#include "out/diagnosis.h"

#include <math.h>

#include "out/json.h"

enum { LONGEST_LIST = 24 };

/* ORDER: taut_verdict */
static const char *const VERDICT[] = {"healthy",    "rigid",    "overconstrained", "singular start",
                                      "overdriven", "unplaced", "unexamined"};

static const char *const PART[] = {"Fx", "Fy", "Fz", "Tx", "Ty", "Tz"};

static const char *plural(int count) { return count == 1 ? "" : "s"; }

/* ---- for people ---- */

static void text_counts(taut_string *out, const taut_diagnosis *d) {
    taut_string_add(out, "  by counting: %d", taut_diagnosis_count(d));
    taut_string_add(out, " (");
    if (d->bodies > 0) taut_string_add(out, "%d bod%s", d->bodies, d->bodies == 1 ? "y" : "ies");
    if (d->points > 0)
        taut_string_add(out, "%s%d point%s", d->bodies ? " and " : "", d->points,
                        plural(d->points));
    taut_string_add(out, " with %d degrees of freedom; joints take %d", d->freedom, d->joints);
    if (d->others > 0) taut_string_add(out, ", formulas %d", d->others);
    if (d->drivers > 0) taut_string_add(out, ", drivers %d", d->drivers);
    taut_string_add(out, ")\n");
    if (d->verdict >= TAUT_VERDICT_UNPLACED) return;
    taut_string_add(out, "  by rank: %d", d->mobility);
    if (d->start_mobility != d->mobility)
        taut_string_add(out, ", at the start %d", d->start_mobility);
    if (d->redundant > 0)
        taut_string_add(out, "; %d condition%s from the others", d->redundant,
                        d->redundant == 1 ? " follows" : "s follow");
    taut_string_add(out, "\n");
}

static void text_helds(taut_string *out, const char *heading, const taut_helds *list) {
    if (list->count == 0) return;
    taut_string_add(out, "  %s\n", heading);
    for (int i = 0; i < list->count && i < LONGEST_LIST; i++) {
        const taut_held *h = &list->item[i];
        taut_string_add(out, "    %-24s line %d", h->name, h->line);
        for (int k = 0, parts = 0; k < 6; k++)
            if (h->part[k]) taut_string_add(out, "%s %s", parts++ ? "" : ":", PART[k]);
        taut_string_add(out, "\n");
    }
    if (list->count > LONGEST_LIST)
        taut_string_add(out, "    ... and %d more\n", list->count - LONGEST_LIST);
}

/* Values at rounding level are left out. */
static double rounded(double v) { return fabs(v) < 5e-7 ? 0.0 : v; }

static void text_direction(taut_string *out, const taut_diagnosis *d, const double *v) {
    for (int i = 0; i < d->dimension; i++)
        taut_string_add(out, "%s%.6g", i ? ", " : "(", rounded(v[i]));
    taut_string_add(out, ")");
}

static void text_mobiles(taut_string *out, const taut_diagnosis *d) {
    if (d->mobiles == 0) return;
    taut_string_add(out, "  at the start\n");
    for (int i = 0; i < d->mobiles && i < LONGEST_LIST; i++) {
        const taut_mobile *m = &d->mobile[i];
        taut_string_add(out, "    %s can move ", m->name);
        if (m->freedom == d->dimension) {
            taut_string_add(out, "in any direction");
        } else {
            taut_string_add(out, m->freedom == 1 ? "along " : "across ");
            text_direction(out, d, m->direction);
        }
        taut_string_add(out, "\n");
    }
    if (d->mobiles > LONGEST_LIST)
        taut_string_add(out, "    ... and %d more points\n", d->mobiles - LONGEST_LIST);
}

static void text_loops(taut_string *out, const taut_diagnosis *d) {
    taut_string_add(out, "  loops: %d\n", d->loops);
    for (int i = 0; i < d->loops && i < LONGEST_LIST; i++) {
        taut_string_add(out, "    %d:", i + 1);
        for (int k = 0; k < d->loop[i].joints; k++)
            taut_string_add(out, "%s %s", k ? "," : "", d->loop[i].joint[k]);
        taut_string_add(out, "\n");
    }
    if (d->loops > LONGEST_LIST)
        taut_string_add(out, "    ... and %d more\n", d->loops - LONGEST_LIST);
}

static void text_verdict(taut_string *out, const taut_diagnosis *d) {
    taut_string_add(out, "doctor: ");
    switch (d->verdict) {
    case TAUT_VERDICT_HEALTHY:
        if (d->mobility == 0)
            taut_string_add(out,
                            "healthy: its drivers determine the motion, nothing is held twice");
        else
            taut_string_add(out, "healthy: mobility %d, nothing is held twice", d->mobility);
        break;
    case TAUT_VERDICT_RIGID: taut_string_add(out, "rigid: nothing can move"); break;
    case TAUT_VERDICT_OVERCONSTRAINED:
        taut_string_add(out, "overconstrained: %d of the %d conditions follow%s from the others",
                        d->redundant, d->joints + d->drivers + d->others,
                        d->redundant == 1 ? "s" : "");
        if (d->mobility == 0)
            taut_string_add(out, ", and nothing can move");
        else
            taut_string_add(out, ", so the mobility is %d although counting gives %d", d->mobility,
                            taut_diagnosis_count(d));
        break;
    case TAUT_VERDICT_UNPLACED:
        taut_string_add(out, "no initial position was found in which the parts fit together");
        break;
    case TAUT_VERDICT_UNEXAMINED:
        taut_string_add(out, "too large or too irregular to examine");
        break;
    default: taut_diagnosis_explain(d, out);
    }
    taut_string_add(out, "\n");
}

void taut_diagnosis_text(taut_string *out, const taut_diagnosis *d) {
    text_verdict(out, d);
    text_counts(out, d);
    text_helds(out, "held more than once: forces and torques that can balance by themselves",
               &d->held);
    text_helds(out, "held more than once at the start only", &d->strained);
    text_mobiles(out, d);
    text_loops(out, d);
}

/* ---- JSON ---- */

static void json_helds(taut_string *out, const char *key, const taut_helds *list) {
    taut_string_add(out, ", \"%s\": [", key);
    for (int i = 0; i < list->count; i++) {
        const taut_held *h = &list->item[i];
        const char *comma = "";
        taut_string_add(out, "%s{\"joint\": ", i ? ", " : "");
        taut_json_text(out, h->name);
        taut_string_add(out, ", \"line\": %d, \"parts\": [", h->line);
        for (int k = 0; k < 6; k++) {
            if (!h->part[k]) continue;
            taut_string_add(out, "%s\"%s\"", comma, PART[k]);
            comma = ", ";
        }
        taut_string_add(out, "]}");
    }
    taut_string_add(out, "]");
}

static void json_mobiles(taut_string *out, const taut_diagnosis *d) {
    taut_string_add(out, ", \"moves\": [");
    for (int i = 0; i < d->mobiles; i++) {
        const taut_mobile *m = &d->mobile[i];
        taut_string_add(out, "%s{\"point\": ", i ? ", " : "");
        taut_json_text(out, m->name);
        taut_string_add(out, ", \"freedom\": %d", m->freedom);
        if (m->freedom < d->dimension) {
            taut_string_add(out, ", \"%s\": [", m->freedom == 1 ? "along" : "across");
            for (int k = 0; k < d->dimension; k++) {
                taut_string_add(out, k ? ", " : "");
                taut_json_number(out, rounded(m->direction[k]), 6);
            }
            taut_string_add(out, "]");
        }
        taut_string_add(out, "}");
    }
    taut_string_add(out, "]");
}

static void json_conflicts(taut_string *out, const taut_diagnosis *d) {
    taut_string_add(out, ", \"conflicts\": [");
    for (int i = 0; i < d->conflicts; i++) {
        taut_string_add(out, "%s{\"driver\": ", i ? ", " : "");
        taut_json_text(out, d->conflict[i].name);
        taut_string_add(out, ", \"line\": %d, \"with\": ", d->conflict[i].place.line);
        if (d->conflict[i].other)
            taut_json_text(out, d->conflict[i].other);
        else
            taut_string_add(out, "null");
        taut_string_add(out, "}");
    }
    taut_string_add(out, "]");
}

static void json_loops(taut_string *out, const taut_diagnosis *d) {
    taut_string_add(out, ", \"loops\": [");
    for (int i = 0; i < d->loops; i++) {
        taut_string_add(out, "%s[", i ? ", " : "");
        for (int k = 0; k < d->loop[i].joints; k++) {
            taut_string_add(out, k ? ", " : "");
            taut_json_text(out, d->loop[i].joint[k]);
        }
        taut_string_add(out, "]");
    }
    taut_string_add(out, "]");
}

void taut_diagnosis_json(taut_string *out, const taut_diagnosis *d) {
    const bool known = d->verdict < TAUT_VERDICT_UNPLACED;
    taut_string_add(out,
                    "{\"verdict\": \"%s\", \"counted\": %d, \"mobility\": ", VERDICT[d->verdict],
                    taut_diagnosis_count(d));
    taut_json_number(out, known ? d->mobility : (double)NAN, 17);
    taut_string_add(out, ", \"start_mobility\": ");
    taut_json_number(out, known ? d->start_mobility : (double)NAN, 17);
    taut_string_add(out, ", \"redundant\": %d", d->redundant);
    json_helds(out, "held", &d->held);
    json_helds(out, "held_at_start", &d->strained);
    json_mobiles(out, d);
    json_conflicts(out, d);
    json_loops(out, d);
    taut_string_add(out, "}");
}
