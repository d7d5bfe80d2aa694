/* Points inside a step, values there, and what is made of them.
 *
 * Points are stratified, one in each of equal parts of the step, at places that a golden-ratio
 * sequence shifts from point to point: no gap is longer than two parts, and no two steps (or runs)
 * look at the same places. */
#include "solve/vigil.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "solve/strata.h"
#include "solve/suspects.h"

/* At least so many points lie in the whole span, and so many in a step. */
enum { IN_SPAN = 9600, IN_STEP = TAUT_SAMPLES, MOST_POINTS = 4096 };
static const double STEPS = 50.0;      /* a run has at least so many, ... */
static const double MORE_STEPS = 10.0; /* ... up to so many more, depending on the tolerance */
static const double LEAST = 1e-6;      /* of the scale: smaller deviations are not looked at, ... */
static const double LOOSE = 1e3;       /* ... nor those below this multiple of the tolerance */
static const double FAINT = 1e-40;     /* ... nor, in proofs, those below this, in any unit */
static const double NEAR = 0.02;  /* of the way to a feature: so close a step is to end before it */
static const double LARGER = 4.0; /* so much larger a deviation is news again */
static const double MARGIN = 0.25; /* of the change between the ends of a step, ... */
/* Where no probe can tell what matters: functions without a unit, as pulses and edges are, have the
 * size 1, and the tails below this part of it do not matter. */
static const double NATURAL = 1e-6;
static const double SLIGHT = 1e-3; /* ... and of the scale: what is off by less is not off */
/* The same where what is taken for a node is known: so many tolerances of its scale, from this on.
 */
static const double TIGHT = 1e-5, TOLERANCES = 1e4;

/* ---- creation ---- */

static taut_status add_expressions(taut_vigil *v, taut_arena *arena) {
    const taut_node *watched = v->node;
    v->node = TAUT_NEW_ARRAY(arena, v->nodes + v->sample.inputs, taut_node);
    if (!v->node) return TAUT_ERR_MEMORY;
    memcpy(v->node, watched, (size_t)v->nodes * sizeof *watched);
    v->outputs = v->nodes;
    for (int i = 0; i < v->sample.inputs; i++)
        if (v->sample.input[i].variable < 0) v->node[v->outputs++] = v->sample.input[i].node;
    return TAUT_OK;
}

/* With the nodes that are there: how long steps may be, and where to look. */
static taut_status set_up(const taut_system *system, const taut_stepping *o, taut_arena *arena,
                          taut_vigil *v) {
    const double tol = fmax(o->rtol, o->atol), part = taut_strata_phase(o->rtol + o->atol);
    if (v->nodes == 0) return TAUT_OK;
    if (o->max_step <= 0.0 && o->span > 0.0) v->cap = o->span / (STEPS + MORE_STEPS * part);
    v->rate = o->span > 0.0 ? IN_SPAN / o->span : 0.0;
    v->least = fmax(LEAST, LOOSE * tol);
    v->slight = fmin(fmax(TIGHT, TOLERANCES * tol), SLIGHT);
    v->seen = v->first = (unsigned)(1000.0 * part);
    TAUT_TRY(taut_sample_create(system->graph, v->node, v->nodes, arena, &v->sample));
    TAUT_TRY(add_expressions(v, arena));
    v->scale = TAUT_NEW_ARRAY(arena, v->nodes, double);
    v->limit = TAUT_NEW_ARRAY(arena, v->nodes, double);
    v->low = TAUT_NEW_ARRAY(arena, v->nodes, double);
    v->high = TAUT_NEW_ARRAY(arena, v->nodes, double);
    v->work = TAUT_NEW_ARRAY(arena, v->sample.plain.tape.size, taut_interval);
    if (!v->work) return TAUT_ERR_MEMORY;
    v->off = taut_arena_array(arena, (size_t)v->nodes, sizeof *v->off);
    return v->scale && v->limit && v->low && v->high && v->off ? TAUT_OK : TAUT_ERR_MEMORY;
}

taut_status taut_vigil_set_numbers(taut_vigil *v, const double *parameter) {
    return v->nodes > 0 ? taut_sample_set_numbers(&v->sample, parameter) : TAUT_OK;
}

void taut_vigil_restart(taut_vigil *v) {
    v->seen = v->first;
    for (int i = 0; i < v->nodes; i++) v->scale[i] = 0.0;
}

/* ---- points ---- */

static void set_step(taut_vigil *v, double from, double to) {
    const double wanted = ceil(fabs(to - from) * v->rate);
    v->from = from;
    v->to = to;
    v->points = wanted > MOST_POINTS ? MOST_POINTS : wanted < IN_STEP ? IN_STEP : (int)wanted;
}

static double point(const taut_vigil *v, int i) {
    return v->from + (v->to - v->from) * taut_strata_place(v->seen, i) / (double)v->points;
}

/* The times of the next TAUT_SAMPLES points; the last one is repeated. */
static void set_times(taut_vigil *v, int first) {
    for (int m = 0; m < TAUT_SAMPLES; m++) {
        const int i = first + m;
        v->sample.time[m] = point(v, i < v->points ? i : v->points - 1);
    }
}

/* ---- polynomials ---- */

static taut_vigil blank(const taut_stepping *o) {
    return (taut_vigil){.cap = o->max_step > 0.0 ? o->max_step : (double)INFINITY};
}

taut_status taut_vigil_create(const taut_system *system, const taut_stepping *o, taut_arena *arena,
                              taut_vigil *v) {
    *v = blank(o);
    if (o->step > 0.0) return TAUT_OK;
    TAUT_TRY(taut_suspects_find(system, arena, &v->node, &v->nodes));
    return set_up(system, o, arena, v);
}

taut_status taut_vigil_create_like(const taut_vigil *like, const taut_system *system,
                                   const taut_stepping *o, taut_arena *arena, taut_vigil *v) {
    *v = blank(o);
    v->nodes = like->nodes;
    v->node = TAUT_NEW_ARRAY(arena, like->nodes, taut_node);
    if (!v->node) return TAUT_ERR_MEMORY;
    for (int i = 0; i < like->nodes; i++) v->node[i] = like->node[i];
    return set_up(system, o, arena, v);
}

taut_status taut_vigil_prepare(taut_vigil *v, const taut_series *s, taut_arena *arena) {
    if (v->nodes == 0) return TAUT_OK;
    v->poly = TAUT_NEW_ARRAY(arena, v->outputs, double *);
    v->length = TAUT_NEW_ARRAY(arena, v->outputs, int);
    if (!v->poly || !v->length) return TAUT_ERR_MEMORY;
    for (int i = 0; i < v->outputs; i++) {
        v->length[i] = s->jet->last_stage + s->tape->instr[s->output[i]].offset + 1;
        v->poly[i] = TAUT_NEW_ARRAY(arena, v->length[i], double);
        if (!v->poly[i]) return TAUT_ERR_MEMORY;
    }
    return TAUT_OK;
}

void taut_vigil_keep(taut_vigil *v, const taut_series *s) {
    for (int i = 0; i < v->outputs && v->nodes > 0; i++) {
        const double *c = taut_jet_at(s->jet, s->output[i], 0);
        for (int k = 0; k < v->length[i]; k++) v->poly[i][k] = c[k * TAUT_LANES];
        if (i < v->nodes) v->scale[i] = fmax(v->scale[i], fabs(v->poly[i][0]));
    }
}

/* The k-th derivative of a polynomial at all times, by Horner's rule. */
static void evaluate(const double *c, int length, int k, const double *theta, double scale,
                     double *value) {
    double unit = 1.0;
    for (int i = 0; i < k; i++) unit /= scale;
    for (int m = 0; m < TAUT_SAMPLES; m++) value[m] = 0.0;
    for (int q = length - 1 - k; q >= 0; q--) {
        double factor = unit;
        for (int i = 1; i <= k; i++) factor *= (double)(q + i);
        for (int m = 0; m < TAUT_SAMPLES; m++) value[m] = value[m] * theta[m] + factor * c[q + k];
    }
}

static void find_values(taut_vigil *v, const taut_path *path, const double *theta) {
    taut_sample *s = &v->sample;
    for (int i = 0, extra = v->nodes; i < s->inputs; i++) {
        const taut_sample_input *x = &s->input[i];
        const int j = x->variable, own = j < 0 ? extra++ : 0;
        evaluate(j < 0 ? v->poly[own] : path->poly[j],
                 j < 0 ? v->length[own] : path->last + path->d[j] + 1, x->order, theta, path->scale,
                 s->given[i]);
    }
    taut_sample_find(s);
}

/* ---- judging ---- */

/* The deviations of all nodes at TAUT_SAMPLES points from number `first` on. What has no value is
 * as far off as can be. */
static void compare(taut_vigil *v, const taut_path *path, int first) {
    double theta[TAUT_SAMPLES], expected[TAUT_SAMPLES];
    set_times(v, first);
    for (int m = 0; m < TAUT_SAMPLES; m++)
        theta[m] = (v->sample.time[m] - path->centre) / path->scale;
    find_values(v, path, theta);
    for (int i = 0; i < v->nodes; i++) {
        evaluate(v->poly[i], v->length[i], 0, theta, path->scale, expected);
        for (int m = 0; m < TAUT_SAMPLES; m++) {
            const double value = v->sample.value[i][m], off = fabs(value - expected[m]);
            const double size = fmax(fabs(value), fabs(expected[m]));
            v->off[i][m] = !isfinite(off) ? (double)INFINITY : off > v->least * size ? off : 0.0;
        }
    }
}

/* The largest deviation at a point beside what is no news; above 1: it is to be probed. */
static double news(const taut_vigil *v, int lane) {
    double largest = 0.0;
    for (int i = 0; i < v->nodes; i++)
        if (v->off[i][lane] > v->limit[i])
            largest = fmax(largest, fmin(v->off[i][lane] / v->limit[i], DBL_MAX));
    return largest;
}

/* The point with the largest one; -1: none is to be probed. */
static int most_suspicious(const taut_vigil *v) {
    int lane = -1;
    double largest = 1.0;
    for (int m = 0; m < TAUT_SAMPLES; m++) {
        const double now = news(v, m);
        if (now <= largest) continue;
        largest = now;
        lane = m;
    }
    return lane;
}

/* What deviates here makes no difference: only larger deviations are news from now on. */
static void pass(taut_vigil *v, int lane) {
    for (int i = 0; i < v->nodes; i++) v->limit[i] = fmax(v->limit[i], LARGER * v->off[i][lane]);
}

/* The first of the suspicious points up to `bad` at which the motion is not right, by bisection:
 * what is not right once stays so in this step. */
static taut_status find_first(const taut_vigil *v, taut_probe *probe, void *user, int *bad) {
    for (int low = 0; low < *bad;) {
        const int middle = (low + *bad) / 2;
        bool right = true;
        if (news(v, middle) > 1.0) TAUT_TRY(probe(user, v->sample.time[middle], &right));
        if (right)
            low = middle + 1;
        else
            *bad = middle;
    }
    return TAUT_OK;
}

/* Probes the present points as far as it is needed; *bad: the first one that is not right, -1. */
static taut_status judge(taut_vigil *v, taut_probe *probe, void *user, int *bad) {
    for (*bad = -1;;) {
        const int lane = most_suspicious(v);
        bool right;
        if (lane < 0) return TAUT_OK;
        TAUT_TRY(probe(user, v->sample.time[lane], &right));
        if (right) {
            pass(v, lane);
            continue;
        }
        *bad = lane;
        return find_first(v, probe, user, bad);
    }
}

/* ---- functions of t ---- */

/* By how much a node changes in the step, at most, if its polynomial is right. */
static double variation(const taut_vigil *v, int i, double theta) {
    double sum = 0.0;
    for (int k = v->length[i] - 1; k > 0; k--) sum = (sum + fabs(v->poly[i][k])) * fabs(theta);
    return sum;
}

/* How far the motion is right before `bad`, where it is not. */
static taut_status close_in(double from, double bad, taut_probe *probe, void *user, double *good) {
    double low = from, high = bad;
    while (fabs(high - low) > NEAR * fabs(bad - from)) {
        const double middle = 0.5 * (low + high);
        bool right;
        TAUT_TRY(probe(user, middle, &right));
        if (right)
            low = middle;
        else
            high = middle;
    }
    *good = low != from ? low : 0.5 * (from + high);
    return TAUT_OK;
}

/* Looks for what points may miss in functions of t: changes beyond those of the polynomials. *good
 * as below. */
static taut_status scan(taut_vigil *v, const taut_path *path, taut_probe *probe, void *user,
                        double *good) {
    const double theta = (v->to - v->from) / path->scale;
    for (int i = 0; i < v->nodes; i++) {
        double time[2];
        bool right = true;
        if (!taut_sample_is_timed(&v->sample, i)) continue;
        const double known = fmax(LARGER * variation(v, i, theta), v->limit[i]);
        const taut_scan x = {.sample = &v->sample,
                             .work = v->work,
                             .from = v->from,
                             .to = v->to,
                             .node = i,
                             .value = v->poly[i][0],
                             .limit = fmax(known, FAINT)};
        if (!taut_scan_find(&x, &time[0], &time[1])) continue;
        for (int k = 1; k >= 0 && right; k--) {
            TAUT_TRY(probe(user, time[k], &right));
            if (!right) return close_in(v->from, time[k], probe, user, good);
        }
    }
    return TAUT_OK;
}

taut_status taut_vigil_search(taut_vigil *v, const taut_path *path, double to, taut_probe *probe,
                              void *user, double *good) {
    *good = to;
    if (v->nodes == 0) return TAUT_OK;
    set_step(v, path->centre, to);
    for (int i = 0; i < v->nodes; i++) v->limit[i] = fmax(v->least * v->scale[i], DBL_MIN);
    TAUT_TRY(scan(v, path, probe, user, good));
    if (*good != to) return TAUT_OK;
    double before = path->centre;
    for (int first = 0; first < v->points; first += TAUT_SAMPLES) {
        int bad;
        compare(v, path, first);
        TAUT_TRY(judge(v, probe, user, &bad));
        if (bad >= 0) {
            const double time = v->sample.time[bad];
            *good = bad > 0 ? v->sample.time[bad - 1] : before;
            if (*good == path->centre) *good = 0.5 * (path->centre + time);
            break;
        }
        before = v->sample.time[TAUT_SAMPLES - 1];
    }
    v->seen += (unsigned)v->points;
    return TAUT_OK;
}

/* ---- ranges ---- */

static bool glimpse_all(taut_vigil *v, taut_glimpse *glimpse, void *user) {
    taut_sample *s = &v->sample;
    for (int i = 0; i < s->inputs; i++)
        if (!glimpse(user, &s->input[i], s->time, s->given[i])) return false;
    taut_sample_find(s);
    return true;
}

/* Is a function of t further off the value that it begins with, somewhere between the points, than
 * it is at them (`seen`)? *time: where it is so first. */
static bool is_hidden(const taut_vigil *v, int i, double begin, double seen, double *time) {
    double most;
    if (!taut_sample_is_timed(&v->sample, i) || !isfinite(begin) || !isfinite(seen)) return false;
    const taut_scan x = {.sample = &v->sample,
                         .work = v->work,
                         .from = v->from,
                         .to = v->to,
                         .node = i,
                         .value = begin,
                         .limit = fmax(LARGER * seen, SLIGHT * fmax(v->scale[i], NATURAL))};
    return taut_scan_find(&x, &most, time);
}

/* The largest values of the nodes at the points of the step (high), and how far they are off the
 * first one (low) at most (limit). Non-finite ones do not count. */
static bool find_largest(taut_vigil *v, const taut_view *view) {
    for (int i = 0; i < v->nodes; i++) {
        v->high[i] = fmax(v->scale[i], NATURAL);
        v->limit[i] = 0.0;
    }
    for (int first = 0; first < v->points; first += TAUT_SAMPLES) {
        set_times(v, first);
        if (!glimpse_all(v, view->glimpse, view->user)) return false;
        for (int i = 0; i < v->nodes; i++) {
            const double *x = v->sample.value[i];
            if (first == 0) v->low[i] = x[0];
            for (int m = 0; m < TAUT_SAMPLES; m++) {
                if (!isfinite(x[m])) continue;
                v->high[i] = fmax(v->high[i], fabs(x[m]));
                v->limit[i] = fmax(v->limit[i], fabs(x[m] - v->low[i]));
            }
        }
    }
    return true;
}

/* Does a function of t hide something between the points? *good: a little before it. */
static bool hides(const taut_vigil *v, double *good) {
    for (int i = 0; i < v->nodes; i++) {
        double time;
        if (!is_hidden(v, i, v->low[i], v->limit[i], &time)) continue;
        *good = v->from + (1.0 - NEAR) * (time - v->from);
        return true;
    }
    return false;
}

/* Is one of the nodes visibly off at a point? */
static bool is_off(const taut_vigil *v, int lane) {
    for (int i = 0; i < v->nodes; i++)
        if (!(v->off[i][lane] <= v->slight * v->high[i])) return true;
    return false;
}

bool taut_vigil_agrees(taut_vigil *v, const taut_view *view, double from, double to, double *good) {
    set_step(v, from, to);
    *good = to;
    if (!find_largest(v, view)) return true;
    if (hides(v, good)) return false;
    double before = from;
    for (int first = 0; first < v->points; first += TAUT_SAMPLES) {
        set_times(v, first);
        glimpse_all(v, view->glimpse, view->user);
        for (int i = 0; i < v->nodes; i++) {
            view->expect(view->user, i, v->sample.time, v->off[i]);
            for (int m = 0; m < TAUT_SAMPLES; m++)
                v->off[i][m] = fabs(v->off[i][m] - v->sample.value[i][m]);
        }
        for (int m = 0; m < TAUT_SAMPLES; m++) {
            if (is_off(v, m)) {
                *good = before != from ? before : 0.5 * (from + v->sample.time[m]);
                return false;
            }
            before = v->sample.time[m];
        }
    }
    v->seen += (unsigned)v->points;
    for (int i = 0; i < v->nodes; i++) v->scale[i] = v->high[i];
    return true;
}

/* The values of all nodes at the two ends of the step. */
static bool find_ends(taut_vigil *v, taut_glimpse *glimpse, void *user) {
    for (int m = 0; m < TAUT_SAMPLES; m++) v->sample.time[m] = m == 0 ? v->from : v->to;
    if (!glimpse_all(v, glimpse, user)) return false;
    for (int i = 0; i < v->nodes; i++) {
        const double *x = v->sample.value[i];
        v->low[i] = x[0];
        v->high[i] = x[1];
        if (isfinite(x[0])) v->scale[i] = fmax(v->scale[i], fabs(x[0]));
    }
    return true;
}

/* Does a node leave the straight line between its ends at the present points? *left: when it has
 * first left the value that it begins with; NaN: not yet. */
static bool leaves_line(taut_vigil *v, int i, double *left) {
    const double first = v->low[i], change = v->high[i] - first;
    bool leaves = false;
    for (int m = 0; m < TAUT_SAMPLES; m++) {
        const double x = v->sample.value[i][m], time = v->sample.time[m];
        const double line = first + change * (time - v->from) / (v->to - v->from);
        const double slight = SLIGHT * fmax(v->scale[i], fabs(x));
        if (!(fabs(x - line) <= MARGIN * fabs(change) + slight)) leaves = true;
        if (isnan(*left) && !(fabs(x - first) <= MARGIN * fabs(change) + slight)) *left = time;
        v->off[i][1] = fmax(v->off[i][1], fabs(x - first));
    }
    return leaves;
}

bool taut_vigil_jumps(taut_vigil *v, taut_glimpse *glimpse, void *user, double from, double to,
                      double *time) {
    const double sign = to < from ? -1.0 : 1.0;
    bool jumps = false;
    set_step(v, from, to);
    if (!find_ends(v, glimpse, user)) return false;
    for (int i = 0; i < v->nodes; i++) {
        v->limit[i] = (double)NAN; /* when it has left its first value */
        v->off[i][0] = 0.0;        /* 1: it leaves the line */
        v->off[i][1] = 0.0;        /* how far it is off its first value at the points */
    }
    for (int first = 0; first < v->points; first += TAUT_SAMPLES) {
        set_times(v, first);
        if (!glimpse_all(v, glimpse, user)) return false;
        for (int i = 0; i < v->nodes; i++)
            if (leaves_line(v, i, &v->limit[i])) v->off[i][0] = 1.0;
    }
    *time = point(v, v->points - 1);
    for (int i = 0; i < v->nodes; i++) {
        double
            there; /* of an edge the place itself: another one may follow before the next point */
        if (is_hidden(v, i, v->low[i], v->off[i][0] > 0.0 ? 0.0 : v->off[i][1], &there)) {
            v->off[i][0] = 1.0;
            if (!(sign * (v->limit[i] - there) < 0.0)) v->limit[i] = there;
        }
        jumps = jumps || v->off[i][0] > 0.0;
        if (v->off[i][0] > 0.0 && sign * (v->limit[i] - *time) < 0.0) *time = v->limit[i];
    }
    v->seen += (unsigned)v->points;
    return jumps;
}
