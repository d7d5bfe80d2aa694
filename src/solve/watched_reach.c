/* How far the courses of watched nodes hold, and what comes behind.
 *
 * A step is as long as the motion's own series allow. That of 1/x, of a distance or of cos(20 x)
 * may be shorter, and a pulse may not be in it at all: a body in free flight takes one step to the
 * end of the run. So courses are compared with the nodes' values, straight from the graph, on the
 * polynomials of the unknowns, which are right all over the step; where one is off the part of the
 * step ends, and the next part has a series about its own beginning (docs/math/events.md,
 * section 1). The steps are what they would be if nobody watched. */
#include <float.h>
#include <math.h>

#include "expr/ops.h"
#include "solve/scan.h"
#include "solve/strata.h"
#include "solve/watched_parts.h"

/* Looks: so many in a part at least and at most, and in the span of the run where something hides.
 */
enum { IN_PART = TAUT_SAMPLES, MOST_LOOKS = 4096, IN_SPAN = 9600, HIGH_POWER = 8 };
static const double TOLERANCES = 100.0;         /* of the run: so far off a course may be, ... */
static const double LEAST = 1e-11, MOST = 1e-5; /* ... within these limits */
static const double SAFE = 1e-2;     /* of the value itself: signs are right where it is small */
static const double SHORTEST = 1e-8; /* part of a step, whatever looks say: at a branch point */
static const double LARGER = 4.0;    /* than what a course changes: news, in proofs */
static const double NEAR = 0.98;     /* of the way to what has been found: so far a part goes */
static const double CAREFUL = 0.9;   /* of the length that the last coefficients allow */
static const double UNITS = 64.0; /* rounding of courses and values, in units of the last place */
static const double TINY = 1e-3;  /* a scale, where coefficients are too large to be numbers */
enum { TRIES = 6, ROUNDS = 64 };

/* ---- what has to be looked at ---- */

static taut_watched_kind greater(taut_watched_kind a, taut_watched_kind b) { return a > b ? a : b; }

/* Of a sum: products are as long as their factors together, high ones hide. */
static taut_watched_kind kind_of_sum(const taut_tape *t, int i, const taut_watched_kind *kind,
                                     int *degree) {
    const taut_instr *x = &t->instr[i];
    taut_watched_kind most = TAUT_WATCHED_LINEAR;
    for (int k = x->first; k < x->first + x->count; k++) {
        const taut_tape_term *term = &t->term[k];
        int factors = degree[term->slot];
        most = greater(most, kind[term->slot]);
        if (term->other >= 0) {
            factors += degree[term->other];
            most = greater(most, kind[term->other]);
            if (degree[term->slot] > 0 && degree[term->other] > 0)
                most = greater(most, TAUT_WATCHED_SMOOTH);
        }
        if (factors > HIGH_POWER) factors = HIGH_POWER; /* squares of squares would overflow */
        degree[i] = factors > degree[i] ? factors : degree[i];
    }
    return degree[i] >= HIGH_POWER ? TAUT_WATCHED_HIDING : most;
}

/* The kinds of all slots of the sample's program. */
static void find_kinds(const taut_sample *s, taut_watched_kind *kind, int *degree) {
    const taut_tape *t = &s->plain.tape;
    for (int i = 0; i < t->size; i++) {
        const taut_instr *x = &t->instr[i];
        degree[i] = x->kernel == TAUT_KERNEL_STEADY ? 0 : 1;
        kind[i] = TAUT_WATCHED_LINEAR;
        if (x->kernel == TAUT_KERNEL_SUM) {
            degree[i] = 0;
            kind[i] = kind_of_sum(t, i, kind, degree);
        } else if (x->kernel == TAUT_KERNEL_INPUT && s->input[x->index].variable < 0)
            kind[i] = TAUT_WATCHED_HIDING;
        else if (x->kernel > TAUT_KERNEL_SUM)
            kind[i] = x->op == TAUT_OP_SIN || x->op == TAUT_OP_COS
                          ? greater(kind[x->a], TAUT_WATCHED_SMOOTH)
                          : TAUT_WATCHED_HIDING;
    }
}

/* Which of the nodes has the derivative that is given to the sample. */
static int source_of(const taut_watched *w, const taut_node *node, const taut_sample_input *x) {
    if (x->variable >= 0) return -1;
    int i = w->count;
    while (i < w->nodes && node[i] != x->node) i++;
    return i;
}

taut_status taut_watched_prepare_looks(taut_watched *w, const taut_node *node,
                                       const taut_watching *wanted) {
    taut_sample *s = &w->sample;
    w->tolerance = fmin(fmax(TOLERANCES * wanted->tol, LEAST), MOST);
    w->rate = isfinite(wanted->span) && wanted->span > 0.0 ? IN_SPAN / wanted->span : 0.0;
    w->first = (unsigned)(1000.0 * taut_strata_phase(wanted->tol));
    TAUT_TRY(taut_sample_create(w->system->graph, node, w->nodes, &w->arena, s));
    const int size = s->plain.tape.size;
    taut_watched_kind *kind = TAUT_NEW_ARRAY(&w->arena, size, taut_watched_kind);
    int *degree = TAUT_NEW_ARRAY(&w->arena, size, int);
    w->kind = TAUT_NEW_ARRAY(&w->arena, w->nodes, taut_watched_kind);
    w->source = TAUT_NEW_ARRAY(&w->arena, s->inputs, int);
    w->size = TAUT_NEW_ARRAY(&w->arena, w->nodes, double);
    w->noise = TAUT_NEW_ARRAY(&w->arena, w->nodes, double);
    w->error = TAUT_NEW_ARRAY(&w->arena, size, double);
    w->work = TAUT_NEW_ARRAY(&w->arena, size, taut_interval);
    if (!kind || !degree || !w->kind || !w->source || !w->size || !w->noise || !w->error ||
        !w->work)
        return TAUT_ERR_MEMORY;
    for (int i = 0; i < s->inputs; i++) w->source[i] = source_of(w, node, &s->input[i]);
    find_kinds(s, kind, degree);
    for (int i = 0; i < w->nodes; i++) {
        w->kind[i] = kind[s->plain.target[i].slot];
        w->most_kind = greater(w->most_kind, w->kind[i]);
    }
    return TAUT_OK;
}

/* ---- values ---- */

/* The k-th derivative of a polynomial, whose coefficients lie `stride` apart, at TAUT_SAMPLES
 * places; scale: from its variable to time. */
static void evaluate(const double *c, int stride, int count, int k, const double *theta,
                     double scale, double *value) {
    double unit = 1.0;
    for (int i = 0; i < k; i++) unit /= scale;
    for (int m = 0; m < TAUT_SAMPLES; m++) value[m] = 0.0;
    for (int q = count - 1; q >= k; q--) {
        double factor = unit;
        for (int i = 0; i < k; i++) factor *= (double)(q - i);
        for (int m = 0; m < TAUT_SAMPLES; m++)
            value[m] = value[m] * theta[m] + factor * c[(ptrdiff_t)q * stride];
    }
}

/* The values of all nodes at the sample's times. */
static void find_values(taut_watched *w, const double *theta) {
    taut_sample *s = &w->sample;
    const double span = w->end - w->begin;
    for (int i = 0; i < s->inputs; i++) {
        const taut_sample_input *x = &s->input[i];
        const int j = x->variable;
        if (j < 0) {
            const taut_course *of = &w->course[w->source[i]];
            evaluate(of->c, 1, of->order + 1, x->order, theta, span, s->given[i]);
        } else if (w->to.c) {
            for (int m = 0; m < TAUT_SAMPLES; m++)
                s->given[i][m] = taut_stepper_value(w->stepper, j, x->order, s->time[m]);
        } else {
            double own[TAUT_SAMPLES];
            for (int m = 0; m < TAUT_SAMPLES; m++) own[m] = theta[m] * (span / w->jet->h);
            evaluate(taut_jet_at(w->jet, w->variable[j], 0), TAUT_LANES,
                     w->stages + w->structure->offsets.d[j] + 1, x->order, own, w->jet->h,
                     s->given[i]);
        }
    }
    taut_sample_find(s);
}

/* ---- rounding ---- */

/* The largest sum of terms that makes input i anywhere in the part: its rounding in units of the
 * last place. */
static double size_of_input(const taut_watched *w, int i) {
    const taut_sample_input *x = &w->sample.input[i];
    const double span = w->end - w->begin;
    double sum = 0.0, scale = 1.0, reach = 1.0;
    if (x->variable < 0 || w->to.c) {
        for (int m = 0; m < TAUT_SAMPLES; m++) sum = fmax(sum, fabs(w->sample.given[i][m]));
        return sum;
    }
    const double *c = taut_jet_at(w->jet, w->variable[x->variable], 0);
    const int last = w->stages + w->structure->offsets.d[x->variable];
    for (int k = 0; k < x->order; k++) scale *= fabs(1.0 / w->jet->h);
    for (int q = x->order; q <= last; q++, reach *= fabs(span / w->jet->h)) {
        double factor = scale;
        for (int k = 0; k < x->order; k++) factor *= (double)(q - k);
        sum += factor * reach * fabs(c[(ptrdiff_t)q * TAUT_LANES]);
    }
    return sum;
}

/* What a function makes of the errors of its arguments. */
static double carried(const taut_instr *x, const double *error, double a, double b, double value) {
    const double step = 1e-6 * fmax(fabs(a), 1e-30), other = 1e-6 * fmax(fabs(b), 1e-30);
    const taut_op op = (taut_op)x->op;
    double sum = error[x->a] * fabs((taut_op_value(op, a + step, b) - value) / step);
    if (x->b >= 0) sum += error[x->b] * fabs((taut_op_value(op, a, b + other) - value) / other);
    return sum;
}

static double error_of_sum(const taut_sample *s, int slot, int m, const double *error) {
    const taut_tape *t = &s->plain.tape;
    const taut_instr *x = &t->instr[slot];
    double sum = fabs(t->constant[slot]);
    for (int k = x->first; k < x->first + x->count; k++) {
        const taut_tape_term *term = &t->term[k];
        double more = error[term->slot];
        if (term->other >= 0)
            more = more * fabs(s->slot[term->other][m]) +
                   fabs(s->slot[term->slot][m]) * error[term->other];
        sum += fabs(term->coef) * more;
    }
    return sum;
}

/* Rounding of the nodes' values at place m of the looks, in units of the last place: of every slot
 * of the sample's program. */
static void find_errors(taut_watched *w, int m) {
    const taut_sample *s = &w->sample;
    for (int i = 0; i < s->plain.tape.size; i++) {
        const taut_instr *x = &s->plain.tape.instr[i];
        const double own = fabs(s->slot[i][m]);
        double more = own;
        if (x->kernel == TAUT_KERNEL_INPUT)
            more = size_of_input(w, x->index);
        else if (x->kernel == TAUT_KERNEL_SUM)
            more = error_of_sum(s, i, m, w->error);
        else if (x->kernel > TAUT_KERNEL_SUM)
            more = carried(x, w->error, s->slot[x->a][m], s->slot[x->b >= 0 ? x->b : x->a][m],
                           s->slot[i][m]);
        w->error[i] = isfinite(more) && more > own ? more : own;
    }
    w->rounded = m;
}

/* Is what the course of node i is off no more than rounding of its value at place m? */
static bool is_rounding(taut_watched *w, int i, int m, double off) {
    const taut_tape_term *target = &w->sample.plain.target[i];
    if (w->rounded != m) find_errors(w, m);
    return off <= UNITS * DBL_EPSILON * fabs(target->coef) * w->error[target->slot];
}

/* ---- looks ---- */

/* What the derivative that is asked for makes of an error of the course's end. */
static double steepness(const taut_watched *w, int i) {
    double factor = 1.0;
    for (int k = 0; k < w->derivative[i]; k++) factor *= (double)w->course[i].order;
    return factor;
}

/* Is the course of node i off the value at place m of the looks? Where neither is a number, it is
 * not. asked: the derivative that is asked for, in parts of the part. */
static bool is_off(taut_watched *w, int i, int m, double expected, double asked) {
    const double value = w->sample.value[i][m], off = fabs(value - expected);
    if (w->idle[i]) return false;
    if (!isfinite(w->course[i].c[0])) return isfinite(value);
    if (isfinite(asked)) w->size[i] = fmax(w->size[i], fabs(asked));
    const bool is_right = off * steepness(w, i) <= w->tolerance * w->size[i];
    const bool has_sign = off <= SAFE * fabs(value) && w->noise[i] <= fabs(value);
    return !(is_right && has_sign) && !is_rounding(w, i, m, fmax(off, w->noise[i]));
}

/* Looks at the sample's times. Returns the first of them where a course is off; TAUT_SAMPLES:
 * nowhere. */
static int look(taut_watched *w) {
    double theta[TAUT_SAMPLES], expected[TAUT_SAMPLES], asked[TAUT_SAMPLES];
    const double span = w->end - w->begin;
    int first = TAUT_SAMPLES;
    for (int m = 0; m < TAUT_SAMPLES; m++) theta[m] = (w->sample.time[m] - w->begin) / span;
    find_values(w, theta);
    w->rounded = -1;
    for (int i = 0; i < w->nodes; i++) {
        const taut_course *g = &w->course[i];
        if (w->kind[i] == TAUT_WATCHED_LINEAR) continue;
        evaluate(g->c, 1, g->order + 1, 0, theta, 1.0, expected);
        evaluate(g->c, 1, g->order + 1, w->derivative[i], theta, 1.0, asked);
        for (int m = 0; m < first; m++)
            if (is_off(w, i, m, expected[m], asked[m])) first = m;
    }
    return first;
}

/* ---- the part ---- */

/* Shortens the part, and its courses with it. */
static void end_at(taut_watched *w, double time) {
    const double ratio = (time - w->begin) / (w->end - w->begin);
    for (int i = 0; i < w->nodes; i++) {
        double power = 1.0;
        for (int k = 0; k <= w->course[i].order; k++, power *= ratio) w->course[i].c[k] *= power;
    }
    w->end = time;
}

/* Looks at points all over the part; false: a course is off, and good is the last time before that
 * is known to be right. */
static bool hold_at_points(taut_watched *w, double *good) {
    const double span = w->end - w->begin;
    const double wanted =
        w->most_kind == TAUT_WATCHED_HIDING ? ceil(fabs(span) * w->rate) : (double)IN_PART;
    const int points = wanted > MOST_LOOKS ? MOST_LOOKS : wanted < IN_PART ? IN_PART : (int)wanted;
    *good = w->begin;
    for (int first = 0; first < points; first += TAUT_SAMPLES) {
        for (int m = 0; m < TAUT_SAMPLES; m++) {
            const int i = first + m < points ? first + m : points - 1;
            w->sample.time[m] = w->begin + span * taut_strata_place(w->first, i) / points;
        }
        if (first + TAUT_SAMPLES >= points) w->sample.time[TAUT_SAMPLES - 1] = w->end;
        const int off = look(w);
        if (off > 0) *good = w->sample.time[off - 1];
        if (off < TAUT_SAMPLES) return false;
    }
    return true;
}

/* The same for functions of t, between the points: pulses, however short. */
static bool hold_by_ranges(taut_watched *w, double *good) {
    for (int i = 0; i < w->nodes && w->most_kind == TAUT_WATCHED_HIDING; i++) {
        const taut_course *g = &w->course[i];
        double change = w->tolerance * fabs(g->c[0]), most, first;
        if (w->idle[i] || !isfinite(g->c[0]) || !taut_sample_is_timed(&w->sample, i)) continue;
        for (int k = 1; k <= g->order; k++) change += LARGER * fabs(g->c[k]);
        const taut_scan x = {.sample = &w->sample,
                             .work = w->work,
                             .from = w->begin,
                             .to = w->end,
                             .node = i,
                             .value = g->c[0],
                             .limit = fmax(change, DBL_MIN)};
        if (!taut_scan_find(&x, &most, &first)) continue;
        for (int m = 0; m < TAUT_SAMPLES; m++) w->sample.time[m] = m == 0 ? first : most;
        if (look(w) == TAUT_SAMPLES) continue;
        *good = w->begin + NEAR * (first - w->begin);
        return false;
    }
    return true;
}

/* A part that is new, or shorter than before. */
static void forget_size(taut_watched *w, int i) {
    w->size[i] = w->noise[i] = 0.0;
    for (int k = 0; k <= w->course[i].order; k++)
        w->noise[i] += UNITS * DBL_EPSILON * fabs(w->course[i].c[k]);
}

void taut_watched_shorten(taut_watched *w) {
    const double least = SHORTEST * fabs(w->stepper->t - w->stepper->begin);
    w->unresolved = false;
    for (int round = 0; round < ROUNDS; round++) {
        double good;
        for (int i = 0; i < w->nodes; i++) forget_size(w, i);
        const bool seen = hold_at_points(w, &good);
        if (seen && hold_by_ranges(w, &good)) return;
        const double span = w->end - w->begin;
        if (good == w->begin) good = w->begin + 0.25 * span / IN_PART;
        w->unresolved = fabs(good - w->begin) < least;
        if (w->unresolved) good = w->begin + copysign(least, span);
        if (!(fabs(good - w->begin) < fabs(span)) || good == w->begin) return;
        end_at(w, good);
        if (w->unresolved) return;
    }
}

/* ---- the next one ---- */

/* Of courses that begin with a number: are all their coefficients numbers? */
static bool are_finite(const taut_watched *w) {
    double sum = 0.0; /* no number, if one of them is none */
    for (int i = 0; i < w->nodes; i++)
        for (int k = 1; k <= w->course[i].order && isfinite(w->course[i].c[0]); k++)
            sum += 0.0 * w->course[i].c[k];
    return sum == 0.0;
}

/* The part of this one over which the last coefficients of a course are small beside the others. */
static double length_of(const taut_watched *w, int i) {
    const taut_course *g = &w->course[i];
    const int n = g->order;
    double length = 1.0;
    for (int round = 0; round < ROUNDS && n >= 8 && !w->idle[i]; round++) {
        double size = 0.0, rest = 0.0, power = 1.0;
        for (int k = 0; k <= n; k++, power *= length) {
            const double term = fabs(g->c[k]) * power;
            if (k <= n / 2) size = fmax(size, term);
            if (k > n - 4) rest = fmax(rest, term);
        }
        if (!(rest > w->tolerance * size) || size == 0.0) break;
        length *= CAREFUL * pow(w->tolerance * size / rest, 1.0 / n);
    }
    return length;
}

void taut_watched_divide(taut_watched *w, const taut_stepper *stepper, int looks) {
    const double h = stepper->t - stepper->begin;
    const bool linear = w->most_kind == TAUT_WATCHED_LINEAR;
    w->stepper = stepper;
    w->parts = linear ? 1 : (int)fmin(fmax(ceil(fabs(h) * w->rate / looks), 1.0), MOST_LOOKS);
    w->part = 0;
    w->unresolved = false;
    taut_watched_next(w);
}

bool taut_watched_next(taut_watched *w) {
    const double from = w->stepper->begin, h = w->stepper->t - from;
    if (w->part == w->parts) return false;
    w->begin = w->part == 0 ? from : w->end;
    w->part++;
    w->end = w->part == w->parts ? w->stepper->t : from + h * w->part / w->parts;
    return true;
}

bool taut_watched_go_on(taut_watched *w) {
    const double from = w->end, to = w->stepper->t;
    if (from == to) return false;
    double scale = to - from, length = 1.0;
    taut_watched_expand_at(w, from, scale);
    for (int k = 0; k < TRIES && !are_finite(w) && from + TINY * scale != from; k++) {
        scale *= TINY;
        taut_watched_expand_at(w, from, scale);
    }
    w->begin = from;
    w->end = scale == to - from ? to : from + scale;
    /* forces and accelerations have lost digits towards the end of a step: that is not the course's
     * fault */
    for (int i = 0; i < w->nodes; i++)
        if (w->tape->instr[w->slot[i]].offset > 0) length = fmin(length, length_of(w, i));
    if (length < 1.0 && from + length * scale != from) end_at(w, from + length * scale);
    taut_watched_shorten(w);
    return true;
}

int taut_watched_change(taut_watched *w, int i, int side, double *theta) {
    double low = 0.0, high = 1.0;
    int behind = 0;
    for (int round = 0; round < ROUNDS && high - low > DBL_EPSILON; round++) {
        double place[TAUT_SAMPLES];
        int first = TAUT_SAMPLES - 1;
        for (int m = 0; m < TAUT_SAMPLES; m++) {
            place[m] = low + (high - low) * (m + 1) / TAUT_SAMPLES;
            w->sample.time[m] = w->begin + place[m] * (w->end - w->begin);
        }
        find_values(w, place);
        const double *value = w->sample.value[i];
        if (round == 0) behind = value[first] > 0.0 ? 1 : value[first] < 0.0 ? -1 : 0;
        if (behind == 0 || behind == side) break;
        for (int m = first; m >= 0; m--)
            if (value[m] * behind > 0.0) first = m;
        high = place[first];
        if (first > 0) low = place[first - 1];
    }
    *theta = high;
    return behind;
}

double taut_watched_rounding(taut_watched *w, int i) {
    const taut_tape_term *target = &w->sample.plain.target[i];
    double place[TAUT_SAMPLES], largest = 0.0;
    for (int m = 0; m < TAUT_SAMPLES; m++) {
        place[m] = (double)m / (TAUT_SAMPLES - 1);
        w->sample.time[m] = w->begin + place[m] * (w->end - w->begin);
    }
    find_values(w, place);
    for (int m = 0; m < TAUT_SAMPLES; m++) {
        find_errors(w, m);
        largest = fmax(largest, w->error[target->slot]);
    }
    return UNITS * DBL_EPSILON * fabs(target->coef) * largest;
}
