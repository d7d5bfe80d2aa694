/* Comparisons as text and as JSON, and their files. */
#include "out/comparison.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/arena.h"
#include "core/number.h"
#include "core/status.h"
#include "out/file.h"
#include "out/json.h"

enum { WIDTH = 100, LABEL = 19 };

/* ---- words ---- */

void taut_pair_label(const taut_compared_pair *pair, char *text, size_t size) {
    const char *formulation = pair->formulation;
    taut_format(text, size, "%s%s%s", formulation ? formulation : "", formulation ? ":" : "",
                pair->solver ? pair->solver : "");
}

bool taut_skipped_pairs(const taut_comparison *c, int i, taut_string *out) {
    const char *reason = c->pair[i].skipped;
    char label[TAUT_LABEL];
    if (!reason) return false;
    for (int k = 0; k < i; k++)
        if (c->pair[k].skipped && strcmp(c->pair[k].skipped, reason) == 0) return false;
    for (int k = i; k < c->pairs; k++) {
        if (!c->pair[k].skipped || strcmp(c->pair[k].skipped, reason) != 0) continue;
        taut_pair_label(&c->pair[k], label, sizeof label);
        taut_string_add(out, "%s%s", k > i ? ", " : "", label);
    }
    return true;
}

void taut_duration(double seconds, char *text, size_t size) {
    if (seconds < 1e-4)
        taut_format(text, size, "%.1f us", 1e6 * seconds);
    else if (seconds < 1.0)
        taut_format(text, size, "%.*f ms",
                    seconds < 0.01  ? 2
                    : seconds < 0.1 ? 1
                                    : 0,
                    1e3 * seconds);
    else
        taut_format(text, size, "%.*f s", seconds < 10.0 ? 2 : seconds < 100.0 ? 1 : 0, seconds);
}

void taut_short_number(double value, int digits, char *text, size_t size) {
    if (isnan(value))
        snprintf(text, size, "-");
    else if (value == 0.0)
        snprintf(text, size, "0");
    else if (digits > 0)
        taut_format(text, size, "%.*e", digits - 1, value);
    else
        taut_format(text, size, "%.3g", value);
    char *e = strchr(text, 'e');
    if (!e) return;
    const size_t zeros = strspn(e + 2, "0");
    if (e[2 + zeros] == '\0')
        *e = '\0'; /* e+00 */
    else
        memmove(e + 2, e + 2 + zeros, strlen(e + 2 + zeros) + 1);
}

/* Does run number tol of a come before that of b? */
static bool comes_first(const taut_compared_pair *a, const taut_compared_pair *b, int tol) {
    const taut_compared_run *x = &a->run[tol], *y = &b->run[tol];
    if ((x->status == TAUT_OK) != (y->status == TAUT_OK)) return x->status == TAUT_OK;
    return x->status == TAUT_OK && x->stats.wall_s < y->stats.wall_s;
}

int taut_comparison_order(const taut_comparison *c, int tol, int *order) {
    int count = 0;
    for (int i = 0; i < c->pairs; i++) {
        if (c->pair[i].skipped) continue;
        int place = count++;
        for (; place > 0 && comes_first(&c->pair[i], &c->pair[order[place - 1]], tol); place--)
            order[place] = order[place - 1];
        order[place] = i;
    }
    return count;
}

bool taut_run_is_poor(const taut_compared_run *r) {
    return r->status == TAUT_OK && !r->disagrees && r->error > 0.1;
}

static int count_poor(const taut_comparison *c) {
    int count = 0;
    for (int i = 0; i < c->pairs; i++)
        for (int k = 0; k < c->tols && c->pair[i].run; k++)
            count += taut_run_is_poor(&c->pair[i].run[k]);
    return count;
}

void taut_comparison_verdict(const taut_comparison *c, taut_string *out) {
    const int witness = c->witness.solver && !c->confirmed ? 1 : 0;
    char label[TAUT_LABEL];
    taut_pair_label(&c->reference, label, sizeof label);
    if (c->against)
        taut_string_add(out,
                        "DISAGREEMENT of kinds: the reference, %s, has found one motion, all runs "
                        "of %s another, and who is right is not known; %d of %d runs differ%s by "
                        "more than tolerances explain",
                        label, c->against, c->disagreements, c->finished + witness,
                        c->disagreements == 1 ? "s" : "");
    else if (c->disagreements > 0)
        taut_string_add(out,
                        "DISAGREEMENT: %d of %d runs differ%s from the reference by more than "
                        "tolerances explain",
                        c->disagreements, c->finished + witness, c->disagreements == 1 ? "s" : "");
    else if (c->finished == 0)
        taut_string_add(out, "no run has finished");
    else if (c->finished == 1)
        taut_string_add(out, "the one run that finished agrees within what its tolerance allows");
    else
        taut_string_add(out, "all %d runs that finished agree within what their tolerances allow",
                        c->finished);
    const int poor = count_poor(c);
    if (poor > 0)
        taut_string_add(out, "; %d %s %s not one right digit", poor,
                        c->disagreements > 0 ? "more" : "of them", poor == 1 ? "has" : "have");
    if (c->failed > 0)
        taut_string_add(out, "; %d run%s failed", c->failed, c->failed == 1 ? "" : "s");
}

void taut_disagreement(const taut_compared_pair *pair, const taut_compared_run *run,
                       taut_string *out) {
    char label[TAUT_LABEL], tol[32], error[32], allowed[32];
    taut_pair_label(pair, label, sizeof label);
    taut_short_number(run->tol, 0, tol, sizeof tol);
    taut_short_number(run->error, 2, error, sizeof error);
    taut_short_number(run->allowed, 2, allowed, sizeof allowed);
    taut_string_add(out, "%s at tol %s differs by %s (%s at t = %.4g), where %s is allowed", label,
                    tol, error, run->column ? run->column : "?", run->t, allowed);
}

void taut_witness_words(const taut_comparison *c, taut_string *out) {
    char label[TAUT_LABEL], tol[32], gap[32];
    if (!c->witness.solver) {
        taut_string_add(out, "no other pair could check it");
        return;
    }
    taut_pair_label(&c->witness, label, sizeof label);
    taut_short_number(c->witness_tol, 0, tol, sizeof tol);
    taut_short_number(c->witness_difference, 2, gap, sizeof gap);
    if (c->confirmed)
        taut_string_add(out, "confirmed to %.1f digits by %s at tol %s",
                        taut_digits(c->witness_difference), label, tol);
    else
        taut_string_add(out, "NOT CONFIRMED: the nearest other pair, %s at tol %s, differs by %s",
                        label, tol, gap);
}

/* ---- the table ---- */

static void table_heading(const taut_comparison *c, taut_string *out) {
    char label[TAUT_LABEL], tol[32], error[32];
    taut_string_add(out, "%s%s%d pair%s at %d tolerance%s, t = %.10g to %.10g\n", c->title,
                    c->title[0] ? ": " : "", c->pairs - c->skipped,
                    c->pairs - c->skipped == 1 ? "" : "s", c->tols, c->tols == 1 ? "" : "s", c->t0,
                    c->tend);
    taut_pair_label(&c->reference, label, sizeof label);
    taut_short_number(c->reference_tol, 0, tol, sizeof tol);
    taut_short_number(c->reference_error, 2, error, sizeof error);
    taut_string_add(out, "  reference solution: %s at tol %s, estimated error %s\n  ", label, tol,
                    error);
    taut_witness_words(c, out);
    taut_string_add(out, "\n");
}

/* What does not reach the end: the reason, as far as there is room. */
static void table_failure(const char *label, const char *reason, taut_string *out) {
    const int room = WIDTH - 28, length = (int)strlen(reason);
    int shown = length > room ? room - 3 : length;
    while (shown > 0 && ((unsigned char)reason[shown] & 0xc0) == 0x80) shown--; /* whole letters */
    taut_string_add(out, "  %-16s failed: %.*s%s\n", label, shown, reason,
                    shown < length ? "..." : "");
}

static void table_row(const taut_compared_pair *pair, const taut_compared_run *r,
                      taut_string *out) {
    char label[TAUT_LABEL], estimate[32], residual[32], drift[32], time[32];
    taut_pair_label(pair, label, sizeof label);
    if (r->status != TAUT_OK) {
        table_failure(label, r->reason, out);
        return;
    }
    taut_short_number(r->estimate, 2, estimate, sizeof estimate);
    taut_short_number(r->stats.constraint_residual, 2, residual, sizeof residual);
    taut_short_number(r->stats.energy_drift, 2, drift, sizeof drift);
    taut_duration(r->stats.wall_s, time, sizeof time);
    taut_string_add(out, "%s %-16s %6.1f",
                    r->disagrees          ? "!"
                    : taut_run_is_poor(r) ? "?"
                                          : " ",
                    label, taut_digits(r->error));
    if (isnan(r->scd))
        taut_string_add(out, " %5s", "-");
    else
        taut_string_add(out, " %5.1f", r->scd);
    taut_string_add(out, " %8s %8s %8s %7ld %5ld %8ld %8ld %9s\n", estimate, residual, drift,
                    r->stats.steps, r->stats.rejected, r->stats.evaluations,
                    r->stats.factorisations, time);
}

static void table_of(const taut_comparison *c, int tol, int *order, taut_string *out) {
    char number[32], grown[32];
    const int count = taut_comparison_order(c, tol, order);
    taut_short_number(c->tol[tol], 0, number, sizeof number);
    taut_short_number(c->sensitivity[tol], 2, grown, sizeof grown);
    taut_string_add(out, "\n  tol %s (a change of the start by as much becomes %s)\n", number,
                    grown);
    taut_string_add(out, "  %-16s %6s %5s %8s %8s %8s %7s %5s %8s %8s %9s\n", "pair", "digits",
                    "SCD", "estimate", "residual", "drift", "steps", "rej.", "evaluat.", "factors",
                    "time");
    for (int i = 0; i < count; i++) table_row(&c->pair[order[i]], &c->pair[order[i]].run[tol], out);
}

/* Words from column `left` on, as many lines as they need. */
static void add_wrapped(taut_string *out, const char *words, int left) {
    for (int used = left; *words;) {
        const int n = (int)strcspn(words, " ");
        if (used > left && used + 1 + n > WIDTH) {
            taut_string_add(out, "\n%*s", left, "");
            used = left;
        }
        taut_string_add(out, "%s%.*s", used > left ? " " : "", n, words);
        used += n + (used > left);
        words += n;
        words += strspn(words, " ");
    }
    taut_string_add(out, "\n");
}

/* Each reason once, behind the pairs that it is for; below them if they are several. */
static void table_skipped(const taut_comparison *c, taut_string *out) {
    if (c->skipped > 0) taut_string_add(out, "\n  left out:\n");
    for (int i = 0; i < c->pairs; i++) {
        taut_string pairs = {0};
        if (!taut_skipped_pairs(c, i, &pairs)) continue;
        const char *labels = pairs.text ? pairs.text : "";
        taut_string_add(out, "  ");
        if (strlen(labels) <= LABEL - 3) {
            taut_string_add(out, "%-*s ", LABEL - 3, labels);
        } else {
            add_wrapped(out, labels, 2);
            taut_string_add(out, "%*s", LABEL, "");
        }
        add_wrapped(out, c->pair[i].skipped, LABEL);
        out->failed |= pairs.failed;
        taut_string_release(&pairs);
    }
}

static void table_verdict(const taut_comparison *c, taut_string *out) {
    taut_string words = {0};
    taut_string_add(out, "\n");
    taut_comparison_verdict(c, &words);
    add_wrapped(out, words.text ? words.text : "", 0);
    out->failed |= words.failed;
    taut_string_release(&words);
    for (int i = 0; i < c->pairs; i++)
        for (int k = 0; k < c->tols && c->pair[i].run; k++) {
            if (!c->pair[i].run[k].disagrees) continue;
            taut_string_add(out, "! ");
            taut_disagreement(&c->pair[i], &c->pair[i].run[k], out);
            taut_string_add(out, "\n");
        }
}

taut_status taut_comparison_table(const taut_comparison *c, taut_string *out) {
    taut_arena arena = {0};
    int *order = TAUT_NEW_ARRAY(&arena, c->pairs, int);
    if (order) {
        table_heading(c, out);
        for (int k = 0; k < c->tols; k++) table_of(c, k, order, out);
        table_skipped(c, out);
        taut_string_add(
            out, "\n  digits: right digits of the worst value at any time, by the reference; SCD: "
                 "those of the worst\n  coordinate at the end, relative to itself; estimate: of "
                 "the error, by the pair's own next run;\n  drift: of the energy; fastest first, "
                 "times are the best of up to 5 repetitions, without set-up\n");
        table_verdict(c, out);
    }
    taut_arena_release(&arena);
    return order && !out->failed ? TAUT_OK : TAUT_ERR_MEMORY;
}

/* ---- JSON ---- */

static void member(taut_string *out, const char *key, double value, int digits) {
    taut_string_add(out, ",\"%s\":", key);
    taut_json_number(out, value, digits);
}

static void word(taut_string *out, const char *key, const char *text) {
    taut_string_add(out, "\"%s\":", key);
    if (text)
        taut_json_text(out, text);
    else
        taut_string_add(out, "null");
}

static void numbers(taut_string *out, const char *key, const double *value, int count, int digits) {
    taut_string_add(out, ",\"%s\":", key);
    if (!value) {
        taut_string_add(out, "null");
        return;
    }
    for (int i = 0; i < count; i++) {
        taut_string_add(out, i ? "," : "[");
        taut_json_number(out, value[i], digits);
    }
    taut_string_add(out, "]");
}

static void json_pair(const taut_compared_pair *pair, taut_string *out) {
    word(out, "formulation", pair->formulation);
    taut_string_add(out, ",");
    word(out, "solver", pair->solver);
}

static void json_run(const taut_comparison *c, const taut_compared_run *r, taut_string *out) {
    const bool ran = r->stats.solver != NULL; /* otherwise there are no statistics */
    const double none = (double)NAN;
    taut_string_add(out, "{\"tol\":%.17g,\"finished\":%s,", r->tol,
                    r->status == TAUT_OK ? "true" : "false");
    word(out, "reason", r->reason[0] ? r->reason : NULL);
    member(out, "error", r->error, 3);
    member(out, "digits", taut_digits(r->error), 3);
    taut_string_add(out, ",");
    word(out, "worst", r->column);
    member(out, "t", r->t, 17);
    member(out, "scd", r->scd, 3);
    member(out, "estimate", r->estimate, 3);
    member(out, "allowed", r->allowed, 3);
    taut_string_add(out, ",\"disagrees\":%s", r->disagrees ? "true" : "false");
    member(out, "reached", ran ? r->stats.reached : none, 17);
    member(out, "steps", ran ? (double)r->stats.steps : none, 17);
    member(out, "rejected", ran ? (double)r->stats.rejected : none, 17);
    member(out, "evaluations", ran ? (double)r->stats.evaluations : none, 17);
    member(out, "factorisations", ran ? (double)r->stats.factorisations : none, 17);
    member(out, "order", ran ? r->stats.order : none, 17);
    member(out, "wall_s", ran ? r->stats.wall_s : none, 4);
    member(out, "setup_s", ran ? r->stats.setup_s : none, 4);
    taut_string_add(out, ",\"repetitions\":%d", r->repetitions);
    member(out, "constraint_residual", ran ? r->stats.constraint_residual : none, 3);
    member(out, "energy_drift", ran ? r->stats.energy_drift : none, 3);
    numbers(out, "difference", r->difference, c->times, 3);
    numbers(out, "own", r->own, c->times, 3);
    taut_string_add(out, "}");
}

static void json_pairs(const taut_comparison *c, taut_string *out) {
    taut_string_add(out, ",\n\"pairs\":[");
    for (int i = 0; i < c->pairs; i++) {
        const taut_compared_pair *pair = &c->pair[i];
        taut_string_add(out, i ? ",\n{" : "\n{");
        json_pair(pair, out);
        taut_string_add(out, ",");
        word(out, "skipped", pair->skipped);
        taut_string_add(out, ",\"runs\":[");
        for (int k = 0; k < c->tols && pair->run; k++) {
            taut_string_add(out, k ? ",\n" : "\n");
            json_run(c, &pair->run[k], out);
        }
        taut_string_add(out, "]}");
    }
    taut_string_add(out, "]");
}

void taut_comparison_json(const taut_comparison *c, taut_string *out) {
    taut_string_add(out, "{");
    word(out, "title", c->title);
    taut_string_add(out, ",");
    word(out, "kind", c->kind);
    taut_string_add(out, ",\"agree\":%s,\"disagreements\":%d,\"finished\":%d,\"failed\":%d,",
                    c->disagreements == 0 ? "true" : "false", c->disagreements, c->finished,
                    c->failed);
    word(out, "against", c->against);
    member(out, "t0", c->t0, 17);
    member(out, "tend", c->tend, 17);
    taut_string_add(out, ",\n\"reference\":{");
    json_pair(&c->reference, out);
    member(out, "tol", c->reference_tol, 17);
    member(out, "estimate", c->reference_error, 3);
    taut_string_add(out, "},\n\"witness\":{");
    json_pair(&c->witness, out);
    member(out, "tol", c->witness.solver ? c->witness_tol : (double)NAN, 17);
    member(out, "difference", c->witness.solver ? c->witness_difference : (double)NAN, 3);
    taut_string_add(out, ",\"confirmed\":%s}", c->confirmed ? "true" : "false");
    numbers(out, "tols", c->tol, c->tols, 17);
    numbers(out, "sensitivity", c->sensitivity, c->tols, 3);
    numbers(out, "times", c->time, c->times, 17);
    json_pairs(c, out);
    taut_string_add(out, "}\n");
}

/* ---- for callers ---- */

taut_status taut_comparison_text(const taut_comparison *c, bool json, char **text) {
    taut_string out = {0};
    taut_status status = TAUT_OK;
    TAUT_NEED(text, "text", NULL);
    *text = NULL;
    TAUT_NEED(c, "comparison", NULL);
    if (json)
        taut_comparison_json(c, &out);
    else
        status = taut_comparison_table(c, &out);
    if (status != TAUT_OK || out.failed) {
        taut_string_release(&out);
        return TAUT_ERR_MEMORY;
    }
    *text = out.text;
    return TAUT_OK;
}

taut_status taut_comparison_write(const taut_comparison *c, const char *file, const char *path,
                                  taut_errors *errors) {
    TAUT_NEED(c, "comparison", errors);
    TAUT_NEED(path, "path", errors);
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    const bool page = strcmp(path, "-") == 0 || (dot && strcmp(dot, ".html") == 0);
    taut_string out = {0};
    taut_status status = TAUT_OK;
    if (!page && !(dot && strcmp(dot, ".json") == 0))
        return taut_fail(errors, TAUT_ERR_CALL,
                         "a comparison is written as .html or .json, not as %s", path);
    if (page)
        status = taut_comparison_page(c, file ? file : "", &out);
    else
        taut_comparison_json(c, &out);
    if (out.failed) status = TAUT_ERR_MEMORY;
    if (status == TAUT_OK) status = taut_file_write(path, out.text, errors);
    taut_string_release(&out);
    return status;
}
