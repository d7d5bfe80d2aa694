/* One step: choose h from the last coefficients, evaluate the polynomial, land (project and redo
 * stage 0), check the defect, extend the series at the new point.
 *
 * State: x_j^(k), k < d_j (and k = d_j where the leading derivatives enter nonlinearly), kept as
 * hi + lo so that the rounding of thousands of additions does not add up. */
#include "solve/taylor.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/number.h"
#include "expr/infix.h"
#include "solve/pole.h"
#include "solve/rounding.h"
#include "solve/singular.h"
#include "solve/vigil.h"
#include "solve/weights.h"

enum { LEAST_ORDER = 4, MOST_ORDER = 60, LAST_COEFFICIENTS = 4, SCALE_ORDERS = 8 };
enum { CLOSING = 4 }; /* the degree of what takes poles out */
static const double SAFETY = 0.8;
/* Where a choice of constraints fades, multipliers grow and errors with them: a smaller tolerance
 * costs a few steps, another choice would cost dozens. */
static const double FADED = 0.1, CAUTION = 0.1;
static const double SCALE_LEAST = 1e-5;  /* a first step that is shorter beside its scale is none */
static const double GROWTH = 4.0;        /* of the step, at most */
static const double HORIZON = 1000.0;    /* steps after which an error of a rate may show */
static const double DEFECT_LIMIT = 10.0; /* local error by the defect, in units of the tolerance */
static const double NEAR_LIMIT = 1000.0; /* of the projection, near a singular position, ... */
static const double NEAR_PART = 0.05;    /* ... and beside the way beyond it */
static const double NOISE_OF_TWO = 1e-5; /* likewise past two of them, beside the scales */
static const double TRUSTED = 1.8;       /* a polynomial, this far beside the step it allows */
static const double WIDE = 0.9;          /* two that are this part of the way apart are far apart */
static const double TURNING = 0.85;      /* part of the mean slope of sigma that tells of a turn */
static const double FAR = 0.4;           /* steps that a singular position limits are longer than
                                            this part of the way to it */
static const double NEAREST = 0.2;       /* what may be left of sigma after a step */
static const double CROSSING = 1e-10;    /* gaps of branches that cross: rounding (solve/pole.h) */
static const double ONE_RATE = 1.2;  /* rates of high coefficients that agree like this are one */
static const double FAR_BELOW = 0.1; /* of the weight: an amplitude that does not matter */
static const double NOISE_FACTOR =
    30.0;                            /* a correction within this factor of rounding is rounding */
static const double GROSS = 1e-8;    /* of the largest value of its kind: beyond that, it is not */
static const double REFINED = 1e-12; /* solutions are refined if tol times the condition is less */

/* Why an attempt did not land. */
typedef enum trouble { FINE, DEFECT, NOT_FINITE, SINGULAR_J, NO_NEWTON } trouble;

/* What a landing begins with: whoever repeats it gets the same bits. */
typedef struct footing {
    double h;        /* for the scale */
    double *hi;      /* [states] */
    double *leading; /* [n] */
    int settlings;   /* 0: as it was given; how often it was corrected */
} footing;

typedef struct taylor {
    taut_stepper base; /* its t: the time of the state; its begin: the centre of poly */
    const taut_system *system;
    const taut_structure *structure;
    taut_series *series;
    taut_arena arena;
    taut_stepping options;
    int last_stage;
    taut_weights weights; /* with these in it: */
    int states;
    const taut_component *state; /* [states] */
    double *hi, *lo;             /* [states] at time base.t */
    double *try_hi, *try_lo;
    double *tails;                /* [states] what a step adds */
    taut_component *leading;      /* [n] the highest derivatives, ... */
    double *guess;                /* [n] ... and what a step adds to them */
    int *sorted, *sorted_leading; /* [states], [n] by order and length of their polynomials */
    double *weight;               /* [states] error allowed in a step */
    int levels;
    double **poly;   /* [n] scaled coefficients 0 .. last_stage + d_j of the last step ... */
    double poly_h;   /* ... about base.begin, with this scale */
    double *falling; /* [levels * orders] (k+q)!/q!: from coefficients to those of derivatives */
    int orders;
    double *low;  /* [states * (SCALE_ORDERS + 1)] sizes of the first coefficients of a state ... */
    double *high; /* [states * LAST_COEFFICIENTS] ... and of the last ones */
    double *rounding, *size; /* [n], [tape size] of the equations, where that is in question */
    double *ratio;           /* [last_stage + levels] coefficient over weight, by order */
    double tend, h;
    double try_h; /* of the step that is looked at */
    double rcond; /* of J at base.t */
    double best_rcond;
    double caution; /* part of the tolerance that is used */
    bool started;
    bool expanded; /* the series is there beyond stage 0 */
    trouble trouble;
    int worst;        /* the state with the largest correction of the last attempt; -1: none */
    taut_vigil vigil; /* features that the polynomial may not know of */
    taut_pole pole;   /* singular positions on the way: */
    double r;         /* signed distance from base.t to the one that is near; 0: none */
    double r2;        /* likewise to a second one; 0: none */
    bool closing;     /* the last polynomial is evaluated with the poles taken out: ... */
    double closing_q[2], closing_d[CLOSING + 1]; /* ... see closure */
    double usual_step;                           /* the last step far from any */
    double last_sigma; /* at the beginning of the step before; < 0: unknown */
    double *w, *n;     /* [n] the vectors of the pole at the beginning of the step */
    double landed;     /* sigma at the end of the step; < 0: unknown */
    double plain;      /* the step that the coefficients allow by themselves */
    double apart;      /* up to this time branches are near each other, but do not cross */
    double gap;        /* of the branches, when it was looked at last */
    bool blind;        /* the step ends where nothing can be solved for */
    bool surprised;    /* the last attempt has found one that was not foreseen */
    int strained;      /* so many steps in a row looked as if stability limits them */
    footing put;       /* what the last landing began with */
    taut_stepper_stats stats;
} taylor;

/* The order that is taken for a tolerance. */
static int default_order(double tol) {
    const int order = (int)floor(14.0 - 0.75 * log10(tol));
    return order < 12 ? 12 : order > 30 ? 30 : order;
}

/* ---- creation ---- */

/* Sorts a list of states by order and by the length of their polynomials. */
static taut_status sort_states(taylor *p, const taut_component *list, int size, int **sorted) {
    const int *d = p->structure->offsets.d, orders = p->structure->largest_d + 1;
    int count = 0;
    *sorted = TAUT_NEW_ARRAY(&p->arena, size, int);
    if (!*sorted) return TAUT_ERR_MEMORY;
    for (int order = 0; order < orders; order++)
        for (int most = order; most < orders; most++)
            for (int i = 0; i < size; i++)
                if (list[i].order == order && d[list[i].variable] == most) (*sorted)[count++] = i;
    return TAUT_OK;
}

static taut_status allocate(taylor *p) {
    const taut_structure *s = p->structure;
    const int n = p->system->n;
    TAUT_TRY(taut_weights_create(p->system, s, &p->options, true, &p->arena, &p->weights));
    p->levels = p->weights.levels;
    p->states = p->weights.states;
    p->state = p->weights.state;
    p->weight = p->weights.weight;
    double **vectors[] = {&p->hi, &p->lo, &p->try_hi, &p->try_lo, &p->tails, &p->put.hi};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        *vectors[i] = TAUT_NEW_ARRAY(&p->arena, p->states, double);
        if (!*vectors[i]) return TAUT_ERR_MEMORY;
    }
    p->leading = TAUT_NEW_ARRAY(&p->arena, n, taut_component);
    p->guess = TAUT_NEW_ARRAY(&p->arena, n, double);
    p->put.leading = TAUT_NEW_ARRAY(&p->arena, n, double);
    p->w = TAUT_NEW_ARRAY(&p->arena, n, double);
    p->n = TAUT_NEW_ARRAY(&p->arena, n, double);
    if (!p->leading || !p->guess || !p->w || !p->n || !p->put.leading) return TAUT_ERR_MEMORY;
    for (int j = 0; j < n; j++)
        p->leading[j] = (taut_component){.variable = j, .order = s->offsets.d[j]};
    TAUT_TRY(sort_states(p, p->state, p->states, &p->sorted));
    TAUT_TRY(sort_states(p, p->leading, n, &p->sorted_leading));
    p->ratio = TAUT_NEW_ARRAY(&p->arena, p->last_stage + p->levels + 1, double);
    p->orders = p->last_stage + p->levels + 1;
    p->falling = TAUT_NEW_ARRAY(&p->arena, p->levels * p->orders, double);
    p->low = TAUT_NEW_ARRAY(&p->arena, p->states * (SCALE_ORDERS + 1), double);
    p->high = TAUT_NEW_ARRAY(&p->arena, p->states * LAST_COEFFICIENTS, double);
    p->rounding = TAUT_NEW_ARRAY(&p->arena, n, double);
    p->size = TAUT_NEW_ARRAY(&p->arena, p->series->tape->size, double);
    if (!p->falling || !p->low || !p->high || !p->rounding || !p->size) return TAUT_ERR_MEMORY;
    for (int k = 0; k < p->levels; k++)
        for (int q = 0; q < p->orders; q++) {
            double *f = &p->falling[k * p->orders + q];
            *f = 1.0;
            for (int m = 1; m <= k; m++) *f *= (double)(q + m);
        }
    p->poly = TAUT_NEW_ARRAY(&p->arena, n, double *);
    if (!p->ratio || !p->poly) return TAUT_ERR_MEMORY;
    for (int j = 0; j < n; j++) {
        p->poly[j] = TAUT_NEW_ARRAY(&p->arena, p->last_stage + s->offsets.d[j] + 1, double);
        if (!p->poly[j]) return TAUT_ERR_MEMORY;
    }
    return TAUT_OK;
}

static void release(taut_stepper *stepper) {
    taylor *p = (taylor *)stepper;
    taut_pole_release(&p->pole);
    taut_series_free(&p->series);
    taut_arena_release(&p->arena);
    taut_release((void **)&p);
}

static taut_status create(const taut_system *system, const taut_structure *structure,
                          const taut_stepping *options, taut_stepper **stepper) {
    taylor *p = NULL;
    size_t room = 0;
    *stepper = NULL;
    if (taut_grow((void **)&p, &room, 1, sizeof *p)) return TAUT_ERR_MEMORY;
    *p = (taylor){.system = system, .structure = structure, .options = *options};
    const double tol = fmax(options->rtol, options->atol);
    int order = options->order > 0 ? options->order : default_order(tol);
    order = order < LEAST_ORDER ? LEAST_ORDER : order > MOST_ORDER ? MOST_ORDER : order;
    p->stats.order = order;
    p->last_stage = order - 1;
    taut_status status = taut_vigil_create(system, options, &p->arena, &p->vigil);
    if (status == TAUT_OK)
        status = taut_series_create(system, structure, p->last_stage, p->vigil.node,
                                    p->vigil.outputs, &p->series);
    if (status == TAUT_OK) status = taut_vigil_prepare(&p->vigil, p->series, &p->arena);
    if (status == TAUT_OK) status = allocate(p);
    if (status == TAUT_OK) status = taut_pole_create(p->series, &p->arena, &p->pole);
    if (status == TAUT_OK) {
        p->series->refined_below = REFINED / tol;
        p->series->watch = options->watch;
        p->stats.operations = taut_tape_operations(p->series->tape);
        *stepper = &p->base;
    } else {
        release(&p->base);
    }
    return status;
}

static taut_status set_numbers(taut_stepper *stepper, const double *parameter) {
    taylor *p = (taylor *)stepper;
    TAUT_TRY(taut_series_set_numbers(p->series, parameter));
    TAUT_TRY(taut_vigil_set_numbers(&p->vigil, parameter));
    return taut_pole_set_numbers(&p->pole, parameter);
}

/* ---- polynomials ---- */

/* Highest order that is known of a state. */
static int top_order(const taylor *p, const taut_component *x) {
    return p->last_stage + p->structure->offsets.d[x->variable] - x->order;
}

/* Coefficient of order q of the k-th derivative of poly[j], in units of poly_h^-k. */
static double derived(const taylor *p, int j, int k, int q) {
    return p->falling[k * p->orders + q] * p->poly[j][k + q];
}

/* What pole closure adds to the sum of the coefficients c_0 .. c_Q at theta:
 * -sum_m theta^(Q+m) sum_(j >= m) d_j c_(Q+m-j) / D, with D = q^2 = 1 + d_1 theta + ... and q, of
 * degree 1 or 2, 0 at singular positions. Close to these the plain polynomial is better. */
static double closure(const taylor *p, int j, int k, double theta) {
    const double q = 1.0 + theta * (p->closing_q[0] + theta * p->closing_q[1]);
    const int Q = p->last_stage + p->structure->offsets.d[j] - k;
    if (Q < CLOSING || fabs(q) < 0.15) return 0.0;
    double sum = 0.0;
    for (int m = CLOSING; m >= 1; m--) {
        double missing = 0.0;
        for (int i = m; i <= CLOSING; i++) missing += p->closing_d[i] * derived(p, j, k, Q + m - i);
        sum = (sum + missing) * theta;
    }
    return -sum * pow(theta, Q) / (q * q);
}

/* Takes the poles at r and, if it is not 0, at r2 out of the coming polynomial. */
static void close_poles(taylor *p) {
    const double sign = p->tend < p->base.t ? -1.0 : 1.0;
    const double a = -sign * p->poly_h / p->r, b = p->r2 != 0.0 ? -sign * p->poly_h / p->r2 : 0.0;
    const double q1 = a + b, q2 = a * b;
    const double d[] = {1.0, 2.0 * q1, q1 * q1 + 2.0 * q2, 2.0 * q1 * q2, q2 * q2};
    for (int i = 0; i <= CLOSING; i++) p->closing_d[i] = d[i];
    p->closing_q[0] = q1;
    p->closing_q[1] = q2;
}

/* From the sum of scaled terms to what they mean. */
static double unscaled(const taylor *p, int j, int k, double theta, double sum) {
    if (p->closing) sum += closure(p, j, k, theta);
    for (int i = 0; i < k; i++) sum /= p->poly_h;
    return sum;
}

/* Terms beyond the first of the k-th derivative of poly[j] at `theta` scales from its centre. */
static double tail(const taylor *p, int j, int k, double theta) {
    const int top = p->last_stage + p->structure->offsets.d[j] - k;
    double sum = 0.0;
    const double *c = p->poly[j] + k, *falling = p->falling + k * p->orders;
    for (int q = top; q > 0; q--) sum = (sum + falling[q] * c[q]) * theta;
    return unscaled(p, j, k, theta, sum);
}

/* The same for up to four states of equal order and length: none waits for another. */
static void tails_of_four(const taylor *p, const taut_component *list, const int *number, int count,
                          double theta, double *result) {
    const taut_component *x[4];
    const double *c[4];
    for (int m = 0; m < 4; m++) {
        x[m] = &list[number[m < count ? m : 0]];
        c[m] = p->poly[x[m]->variable] + x[m]->order;
    }
    const double *falling = p->falling + x[0]->order * p->orders;
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    for (int q = top_order(p, x[0]); q > 0; q--) {
        s0 = (s0 + falling[q] * c[0][q]) * theta;
        s1 = (s1 + falling[q] * c[1][q]) * theta;
        s2 = (s2 + falling[q] * c[2][q]) * theta;
        s3 = (s3 + falling[q] * c[3][q]) * theta;
    }
    const double sum[] = {s0, s1, s2, s3};
    for (int m = 0; m < count; m++)
        result[number[m]] = unscaled(p, x[m]->variable, x[m]->order, theta, sum[m]);
}

/* The tails of a sorted list of states. */
static void find_tails(const taylor *p, const taut_component *list, const int *sorted, int count,
                       double theta, double *result) {
    for (int i = 0, size; i < count; i += size) {
        const taut_component *x = &list[sorted[i]];
        for (size = 1; size < 4 && i + size < count; size++) {
            const taut_component *next = &list[sorted[i + size]];
            if (next->order != x->order || top_order(p, next) != top_order(p, x)) break;
        }
        tails_of_four(p, list, sorted + i, size, theta, result);
    }
}

static double head(const taylor *p, int j, int k) {
    double value = p->poly[j][k];
    for (int i = 1; i <= k; i++) value *= (double)i / p->poly_h;
    return value;
}

static double value_at(const taylor *p, int j, int k, double time) {
    return head(p, j, k) + tail(p, j, k, (time - p->base.begin) / p->poly_h);
}

/* Keeps the series at the present point as the polynomial of the coming step. */
static void keep_polynomial(taylor *p) {
    for (int j = 0; j < p->system->n; j++) {
        const int length = p->last_stage + p->structure->offsets.d[j] + 1;
        const double *x = taut_jet_at(p->series->jet, p->series->variable[j], 0);
        for (int k = 0; k < length; k++) p->poly[j][k] = x[k * TAUT_LANES];
    }
    p->base.begin = p->base.t;
    p->poly_h = p->series->jet->h;
    taut_vigil_keep(&p->vigil, p->series);
}

/* hi + lo += x, exactly up to the last bits of lo */
static void add_to(double *hi, double *lo, double x) {
    const double y = x + *lo, sum = *hi + y;
    const double part = sum - *hi;
    *lo = (*hi - (sum - part)) + (y - part);
    *hi = sum;
}

/* ---- step size ---- */

/* How many of the last coefficients are looked at: four, but not at low orders, where that would
 * reach down to the velocity itself. */
static int looked_at(const taylor *p) {
    const int most = p->stats.order / 3 < 2 ? 2 : p->stats.order / 3;
    return most < LAST_COEFFICIENTS ? most : LAST_COEFFICIENTS;
}

/* Notes the sizes of the coefficients that the choice of a step looks at. */
static void measure(taylor *p) {
    const double per_h = 1.0 / fabs(p->poly_h); /* a power of 2 */
    for (int i = 0; i < p->states; i++) {
        const taut_component *x = &p->state[i];
        const int top = top_order(p, x);
        double unit = 1.0, *low = p->low + i * (SCALE_ORDERS + 1),
               *high = p->high + i * LAST_COEFFICIENTS;
        for (int k = 0; k < x->order; k++) unit *= per_h;
        for (int q = 0; q <= SCALE_ORDERS; q++)
            low[q] = q <= top ? fabs(derived(p, x->variable, x->order, q)) * unit : 0.0;
        for (int m = 0; m < LAST_COEFFICIENTS; m++)
            high[m] = top - m > 0 ? fabs(derived(p, x->variable, x->order, top - m)) * unit : 0.0;
    }
}

/* Scales of all groups and levels if the coming step is theta scales long, and from them the error
 * that each state may have. */
static void find_weights(taylor *p, double theta) {
    taut_weights_begin(&p->weights);
    p->weights.horizon = fmin(HORIZON * theta * fabs(p->poly_h), fabs(p->tend - p->base.t));
    for (int i = 0; i < p->states; i++) {
        const double *low = p->low + i * (SCALE_ORDERS + 1);
        double largest = 0.0, power = 1.0;
        for (int q = 0; q <= SCALE_ORDERS; q++, power *= theta)
            if (low[q] * power > largest) largest = low[q] * power;
        taut_weights_raise(&p->weights, i, largest);
    }
    taut_weights_set(&p->weights, p->hi);
    for (int i = 0; i < p->states; i++) p->weight[i] *= p->caution;
}

/* The longest theta for which no coefficient is above its weight, from the largest ratio of each
 * order. */
static double theta_of_ratios(const taylor *p) {
    double least = (double)INFINITY; /* of the logarithms, which are quicker than the powers */
    int best = 0;
    for (int q = 1; q < p->orders; q++) {
        if (!(p->ratio[q] > 0.0)) continue;
        const double logarithm = -log2(p->ratio[q]) / q;
        if (logarithm >= least) continue;
        least = logarithm;
        best = q;
    }
    return best > 0 ? pow(p->ratio[best], -1.0 / best) : (double)INFINITY;
}

/* The largest theta for which the last coefficients stay below the weights; infinite if they are
 * all zero. Looking at four orders, over all variables, survives symmetric starts where most
 * coefficients vanish. */
static double allowed_theta(taylor *p) {
    const int looked = looked_at(p);
    for (int q = 0; q < p->orders; q++) p->ratio[q] = 0.0;
    for (int i = 0; i < p->states; i++) {
        const int top = top_order(p, &p->state[i]);
        const double *high = p->high + i * LAST_COEFFICIENTS;
        for (int m = 0; m < looked && m < top; m++) {
            const double ratio = high[m] > 0.0 ? high[m] / p->weight[i] : 0.0;
            if (ratio > p->ratio[top - m]) p->ratio[top - m] = ratio;
        }
    }
    return theta_of_ratios(p);
}

/* The step that the tolerance allows. The weights depend on the step; from above this shrinks
 * slowly, from below it settles at once. */
static double allowed_step(taylor *p) {
    double theta = 1.0;
    for (int i = 0; i < 100; i++) {
        find_weights(p, theta);
        double next = allowed_theta(p);
        /* nothing more changes: to the end at once */
        if (!isfinite(next)) next = fabs((p->tend - p->base.t) / p->poly_h) / SAFETY;
        const bool settled = fabs(next - theta) < 0.02 * theta;
        theta = next;
        if (settled) break;
    }
    const double h = SAFETY * theta * fabs(p->poly_h);
    const double most = p->h != 0.0 ? GROWTH * fabs(p->h) : (double)INFINITY;
    /* coefficients that happen to vanish allow any step: what is allowed on the way that is really
     * taken must not be what it would be on that one */
    const double taken = fmin(most, fabs(p->tend - p->base.t));
    if (h > 2.0 * taken) find_weights(p, taken / fabs(p->poly_h));
    return fmin(h, most);
}

/* ---- singular positions ---- */

/* Puts the series as far as J needs it at distance s from the beginning of the step. */
static void place_at(void *user, double s) {
    taylor *p = user;
    const int last = p->series->jacobian_stage;
    taut_series_start(p->series, p->base.t + s, p->poly_h);
    for (int j = 0; j < p->system->n; j++)
        for (int k = 0; k <= last + p->structure->offsets.d[j]; k++)
            taut_series_set(p->series, j, k, value_at(p, j, k, p->base.t + s));
    taut_series_look(p->series, last);
}

/* The step that the coefficients of D(s) X(s) allow, at a fifth of the tolerance. */
static double closed_step(taylor *p) {
    for (int q = 0; q < p->orders; q++) p->ratio[q] = 0.0;
    for (int i = 0; i < p->states; i++) {
        const taut_component *x = &p->state[i];
        const int top = p->last_stage + p->structure->offsets.d[x->variable] - x->order;
        double unit = 1.0;
        for (int k = 0; k < x->order; k++) unit /= fabs(p->poly_h);
        for (int q = top; q > top - LAST_COEFFICIENTS && q >= CLOSING; q--) {
            double y = 0.0;
            for (int m = 0; m <= CLOSING; m++)
                y += p->closing_d[m] * derived(p, x->variable, x->order, q - m);
            const double ratio = fabs(y) * unit / (0.2 * p->weight[i]);
            if (ratio > p->ratio[q]) p->ratio[q] = ratio;
        }
    }
    return SAFETY * theta_of_ratios(p) * fabs(p->poly_h);
}

static double direction(const taylor *p) { return p->tend < p->base.t ? -1.0 : 1.0; }

/* Is there nothing to look for, because branches have been found not to cross? */
static bool is_apart(const taylor *p) { return (p->apart - p->base.t) * direction(p) > 0.0; }

/* How far away sigma would vanish if it went on like this; 0: it does not fall. At the start there
 * is no step before to tell. */
static double guess_pole(taylor *p, double sigma, double before, double reach) {
    double length = fabs(p->h);
    if (before < 0.0) {
        length = reach;
        before = sigma; /* the roles of here and there are changed */
        sigma = taut_pole_tilt(&p->pole, direction(p) * reach, place_at, p);
        return before > sigma ? before * length / (before - sigma) : 0.0;
    }
    return before > sigma && length > 0.0 ? sigma * length / (before - sigma) : 0.0;
}

/* Before a turn sigma falls more slowly: then there is a second singular position, before the one
 * that was found or beyond it. Beyond what the polynomial can tell p->r2 stays what it was. */
static void find_second(taylor *p, double tilt) {
    const double sign = direction(p), further = TRUSTED * p->plain - p->r;
    const bool turns = fabs(p->pole.rate * p->r) < TURNING * tilt;
    const double before =
        turns ? sign * taut_pole_second(&p->pole, sign * p->r, -sign * p->r, place_at, p) : 0.0;
    if (before > 0.0 && before < p->r) {
        p->r2 = p->r;
        p->r = before;
    } else if (further > 0.0 && p->r2 < p->r + further) {
        p->r2 = turns ? sign * taut_pole_second(&p->pole, sign * p->r, sign * further, place_at, p)
                      : 0.0;
    }
}

/* Sets p->r and p->r2. */
static void find_pole(taylor *p, double guess, double reach) {
    const double sigma = p->pole.sigma, tilt = p->pole.tilt, sign = direction(p);
    p->r = sign * taut_pole_find(&p->pole, sign * guess, sign * reach, place_at, p);
    if (p->r > 0.0)
        find_second(p, tilt);
    else
        p->r2 = 0.0;
    p->pole.sigma = sigma;
}

/* One is behind: it is kept until it is far; is there a further one ahead? */
static void look_beyond(taylor *p, double before, double reach) {
    const double behind = p->r, guess = guess_pole(p, p->pole.sigma, before, reach);
    p->r = p->r2 > 0.0 ? p->r2 : 0.0;
    if (p->r == 0.0 && guess > 0.0 && guess < 3.0 * reach) find_pole(p, guess, reach);
    if (p->r > 0.0)
        p->r2 = behind;
    else
        p->r = behind;
    if (-p->r > 2.0 * reach) p->r = p->r2 = 0.0;
}

/* Looks for a singular position near the step that begins now; sets p->r. */
static void watch_pole(taylor *p, double h) {
    const double reach = fmin(fmax(h, p->usual_step), fabs(p->tend - p->base.t));
    if (p->landed < 0.0)
        taut_pole_look(&p->pole);
    else
        p->pole.sigma = p->landed; /* the landing has looked */
    const double sigma = p->pole.sigma, before = p->last_sigma;
    p->last_sigma = sigma;
    p->landed = -1.0;
    for (int j = 0; j < p->system->n; j++) {
        p->w[j] = p->pole.w[j];
        p->n[j] = p->pole.n[j];
    }
    if (is_apart(p)) return;
    if (p->r < 0.0) {
        look_beyond(p, before, reach);
        return;
    }
    double guess = p->r;
    if (guess == 0.0) {
        guess = guess_pole(p, sigma, before, reach);
        if (guess == 0.0 || guess > 6.0 * reach) return;
        guess = fmin(guess, 3.5 * reach);
    }
    find_pole(p, guess, reach);
}

/* The step past a singular position, or towards it. Where branches only come close to each other,
 * the motion turns from one into the other, and that has to be followed. */
static double plan_passage(taylor *p) {
    const double sign = direction(p), left = fabs(p->tend - p->base.t);
    if (p->plain < FAR * fabs(p->r)) { /* it is not what limits the step */
        p->usual_step = p->plain;
        if (p->r < 0.0) p->r = p->r2 = 0.0;
        return p->plain;
    }
    close_poles(p);
    const double closed = closed_step(p);
    if (p->usual_step == 0.0) p->usual_step = fmax(p->plain, closed); /* close to it already */
    const taut_passage pass = p->r > 0.0 && p->r2 > p->r
                                  ? taut_pole_plan_two(p->r, p->r2, p->plain, closed, p->usual_step)
                                  : taut_pole_plan(p->r, p->plain, closed, p->usual_step);
    p->closing = pass.closure;
    if (!pass.closure || p->r < 0.0) return pass.h;
    const double sigma = p->pole.sigma;
    p->gap = taut_pole_gap(&p->pole, sign * p->r, place_at, p);
    p->pole.sigma = sigma;
    if (p->gap > CROSSING) {
        p->apart = p->base.t + 2.0 * sign * p->r;
        p->r = p->r2 = 0.0;
        p->closing = false;
        return p->plain;
    }
    p->blind = fabs(p->r - left) < NEAREST * p->r && pass.h >= left;
    return pass.h;
}

/* ---- the step to try ---- */

/* To the end at once, or in two equal steps rather than a long and a tiny one. */
static double fit_step(const taylor *p, double h) {
    const double remaining = p->tend - p->base.t, left = fabs(remaining);
    if (h >= left * (1.0 - 1e-9))
        h = left;
    else if (p->options.step <= 0.0 && h > 0.5 * left && p->r == 0.0)
        h = 0.5 * left;
    return copysign(h, remaining);
}

static double choose_step(taylor *p) {
    double h = p->options.step;
    p->closing = p->blind = false;
    measure(p);
    if (h > 0.0) {
        find_weights(p, h / fabs(p->poly_h));
    } else {
        p->plain = h = allowed_step(p);
        if (p->pole.rows > 0) watch_pole(p, h);
        if (p->r != 0.0) {
            h = plan_passage(p);
        } else {
            p->usual_step = h;
        }
    }
    if (p->options.step <= 0.0) h = fmin(h, p->vigil.cap);
    return fit_step(p, h);
}

/* ---- landing ---- */

/* What the corrections of a landing say, in units of the allowed error. */
typedef struct landing {
    taylor *stepper;
    double h;
    bool corrected; /* stage 0 has been corrected once */
    double projection, defect;
    double worst; /* the larger of the two, so far */
    double shift; /* of positions, by the projection */
} landing;

/* Keeps the largest value, and which state has it. */
static void note(landing *l, int state_number, double *largest, double value) {
    if (value > *largest) *largest = value;
    if (value > l->worst) {
        l->worst = value;
        l->stepper->worst = state_number;
    }
}

/* Adds the corrections of a stage to the tried state. The first one of stage 0 is the defect of the
 * polynomial: (order + 1) / h times the local error of x_j^(d_j - 1). */
static void take_correction(void *user, int stage) {
    landing *l = user;
    taylor *p = l->stepper;
    const int *d = p->structure->offsets.d;
    for (int i = 0; i < p->states; i++) {
        const taut_component *x = &p->state[i];
        const double y = p->series->y[x->variable];
        if (x->order == stage + d[x->variable]) {
            add_to(&p->try_hi[i], &p->try_lo[i], y);
            if (stage < 0) note(l, i, &l->projection, fabs(y) / p->weight[i]);
            if (x->order == 0) l->shift = fmax(l->shift, fabs(y) / p->weight[i]);
        }
        if (stage == 0 && !l->corrected && x->order == d[x->variable] - 1)
            note(l, i, &l->defect, fabs(y * l->h) / (p->stats.order + 1) / p->weight[i]);
    }
    if (stage == 0) l->corrected = true;
}

/* Beyond a singular position n points the other way if w does not. */
static bool has_crossed(const taylor *p) {
    double w = 0.0, n = 0.0;
    for (int j = 0; j < p->system->n; j++) {
        w += p->w[j] * p->pole.w[j];
        n += p->n[j] * p->pole.n[j];
    }
    return w > 0.8 && n < -0.5;
}

/* A step that ends much closer to a singular position than it began, or beyond one, and did not
 * know of it, is taken back: it is looked for once more. */
static bool is_surprised(taylor *p, double landed, double h) {
    const double sigma = p->pole.sigma;
    const bool crossed = has_crossed(p);
    if (is_apart(p) || (landed >= NEAREST * sigma && !crossed)) return false;
    find_pole(p, fabs(h) * sigma / (crossed ? sigma + landed : sigma - landed), fabs(h));
    if (p->r == 0.0) p->apart = p->base.t + h; /* there is none */
    return p->surprised = true;
}

/* Does a step h lead past two singular positions at once? */
static bool passes_two(const taylor *p, double h) {
    return p->r > 0.0 && p->r2 > p->r && p->r2 < fabs(h);
}

/* How far the end of a step h is from the singular position, in units of the allowed errors. */
static double way_from_pole(const taylor *p, double h) {
    const double middle = p->r2 > 0.0 && p->r2 < fabs(h) ? 0.5 * (p->r + p->r2) : p->r;
    const double at = p->base.t + direction(p) * middle;
    double largest = 0.0;
    for (int i = 0; i < p->states; i++)
        if (p->state[i].order == 0)
            largest = fmax(largest, fabs(p->try_hi[i] - value_at(p, p->state[i].variable, 0, at)) /
                                        p->weight[i]);
    return largest;
}

/* Near a singular position the highest derivatives are noisy although the motion is not, so there
 * the projection alone tells how good a step is; a step must not land much closer to the position
 * than it began; and beyond it what the projection moves must be little beside the way from there,
 * or it might be the way to another branch. */
static bool is_good(taylor *p, const landing *l) {
    const bool smooth = l->projection <= DEFECT_LIMIT && l->defect <= DEFECT_LIMIT;
    if (p->pole.rows == 0 || (p->r == 0.0 && !smooth)) return smooth;
    const double sigma = p->pole.sigma;
    taut_pole_look(&p->pole);
    const double landed = p->landed = p->pole.sigma;
    p->pole.sigma = sigma;
    if (p->r == 0.0) return !is_surprised(p, landed, l->h);
    if (p->r > 0.0 && l->shift > NEAR_PART * way_from_pole(p, l->h)) return false;
    /* towards two of them sigma falls with the square of the distance */
    const double nearest = p->r2 > 0.0 && !p->closing ? NEAREST * NEAREST : NEAREST;
    /* past two at once there is more noise; it lies across the branch, so projection removes it */
    const bool both = passes_two(p, l->h);
    const double tol = fmax(p->options.rtol, p->options.atol);
    const double limit = both ? fmax(NEAR_LIMIT, NOISE_OF_TWO / tol) : NEAR_LIMIT;
    return l->projection <= limit && landed >= nearest * sigma;
}

/* Has the landing moved a state, or a rate over the step, by a visible part of the largest value of
 * its order? That is no rounding, whatever a second correction makes of it. */
static bool is_gross(const taylor *p, double h) {
    const int *d = p->structure->offsets.d;
    const double span = fmax(p->options.span, fabs(p->tend - p->base.t));
    double largest = 0.0; /* what moves values by little in the whole span is little as well */
    for (int k = 0; k < p->levels; k++) {
        double moved = 0.0;
        largest /= k > 0 ? span : 1.0;
        for (int g = 0; g < p->system->groups; g++)
            largest = fmax(largest, p->weights.coming[g * p->levels + k]);
        for (int i = 0; i < p->states; i++)
            if (p->state[i].order == k)
                moved = fmax(moved, fabs(p->try_hi[i] - p->hi[i] - p->tails[i]));
        for (int j = 0; j < p->system->n; j++)
            if (d[j] == k + 1)
                moved = fmax(moved, fabs(h * (taut_series_get(p->series, j, d[j]) -
                                              head(p, j, d[j]) - p->guess[j])) /
                                        (p->stats.order + 1));
        if (moved > GROSS * largest) return true;
    }
    return false;
}

/* Corrections that look too large may be rounding: of a coordinate that is still tiny beside the
 * others its equations contain. A second correction at the corrected point shows how large rounding
 * is. */
static taut_status excuse_noise(taylor *p, const landing *l) {
    landing again = {.stepper = p, .h = l->h};
    if (p->r != 0.0 || p->surprised) return TAUT_OK;
    taut_status status = taut_series_settle(p->series, true, take_correction, &again);
    p->put.settlings = 2;
    if (status == TAUT_SINGULAR || status == TAUT_ERR_NUMERICS) return TAUT_OK;
    TAUT_TRY(status);
    if (is_gross(p, l->h)) return TAUT_OK;
    const bool projected = l->projection <= fmax(DEFECT_LIMIT, NOISE_FACTOR * again.projection);
    if (projected && l->defect <= fmax(DEFECT_LIMIT, NOISE_FACTOR * again.defect))
        p->trouble = FINE;
    return TAUT_OK;
}

/* Puts what a landing begins with into the series. */
static void put(taylor *p, double t) {
    taut_series_start(p->series, t, p->put.h);
    for (int j = 0; j < p->system->n; j++)
        taut_series_set(p->series, j, p->structure->offsets.d[j], p->put.leading[j]);
    for (int i = 0; i < p->states; i++)
        taut_series_set(p->series, p->state[i].variable, p->state[i].order, p->put.hi[i]);
}

/* Puts the polynomial's values at time t into the series and the tried state. first: the state as
 * it was given. */
static void place(taylor *p, double t, double h, bool first) {
    const int *d = p->structure->offsets.d;
    for (int j = 0; j < p->system->n; j++)
        p->put.leading[j] = first ? 0.0 : head(p, j, d[j]) + p->guess[j];
    for (int i = 0; i < p->states && !first; i++) {
        p->try_hi[i] = p->hi[i];
        p->try_lo[i] = p->lo[i];
        add_to(&p->try_hi[i], &p->try_lo[i], p->tails[i]);
    }
    memcpy(p->put.hi, p->try_hi, (size_t)p->states * sizeof *p->try_hi);
    p->put.h = h;
    p->put.settlings = first ? 0 : 1;
    put(p, t);
}

/* Corrections may be the rounding of terms that cancel, of a function that is all but flat: steps
 * as from one number to the next, which a second correction does not show. Is the landing good if
 * that much of the residuals is not corrected? Then it is repeated as usual. */
static taut_status excuse_rounding(taylor *p, double t, const landing *l) {
    landing lenient = {.stepper = p, .h = l->h};
    place(p, t, l->h, false);
    taut_series_look(p->series, 0);
    taut_rounding_find(p->series, p->size, p->rounding);
    p->series->forgiven = p->rounding;
    taut_status status = taut_series_settle(p->series, true, take_correction, &lenient);
    p->series->forgiven = NULL;
    if (status == TAUT_SINGULAR || status == TAUT_ERR_NUMERICS) return TAUT_OK;
    TAUT_TRY(status);
    if (!is_good(p, &lenient)) return TAUT_OK;
    place(p, t, l->h, false);
    status = taut_series_settle(p->series, true, take_correction, &lenient);
    if (status == TAUT_OK) p->trouble = FINE;
    return status == TAUT_SINGULAR || status == TAUT_ERR_NUMERICS ? TAUT_OK : status;
}

/* Projects the tried state, redoes stage 0 and checks both: p->trouble says what came of it. */
static taut_status land(taylor *p, double t, double h, bool first) {
    taut_series *s = p->series;
    landing l = {.stepper = p, .h = h};
    p->worst = -1;
    p->landed = -1.0;
    p->surprised = false;
    if (!first) {
        const double theta = (t - p->base.begin) / p->poly_h;
        find_tails(p, p->state, p->sorted, p->states, theta, p->tails);
        find_tails(p, p->leading, p->sorted_leading, p->system->n, theta, p->guess);
    }
    place(p, t, h, first);
    if (p->blind && t == p->tend) {
        taut_series_look(s, 0);
        p->trouble = taut_series_is_finite(s, 0) ? FINE : NOT_FINITE;
        return TAUT_OK;
    }
    taut_status status = taut_series_settle(s, !first, take_correction, &l);
    /* without a guess, what is nearly 0 has the rounding of the largest forces, beside which the
     * tail of a pulse is nothing: once more */
    if (first && status == TAUT_OK && p->vigil.nodes > 0)
        status = taut_series_settle(s, false, take_correction, &l);
    p->trouble = FINE;
    if (status == TAUT_SINGULAR) {
        p->trouble = SINGULAR_J;
    } else if (status == TAUT_ERR_NUMERICS) {
        p->trouble = s->bad_slot >= 0 ? NOT_FINITE : NO_NEWTON;
    } else if (status != TAUT_OK) {
        return status;
    } else if (!first && p->options.step <= 0.0 && !is_good(p, &l)) {
        p->trouble = DEFECT;
        if (p->r != 0.0 || p->surprised) return TAUT_OK;
        TAUT_TRY(excuse_noise(p, &l));
        return p->trouble == FINE || p->vigil.nodes == 0 ? TAUT_OK : excuse_rounding(p, t, &l);
    }
    return TAUT_OK;
}

/* The series at the point where we landed; shrinks the scale if high orders overflow. */
static bool extend(taylor *p) {
    p->expanded = true;
    for (int attempt = 0; attempt < 40; attempt++) {
        p->series->finite = true;
        taut_series_extend(p->series, 1, p->last_stage);
        if (p->series->finite) return true;
        taut_series_is_finite(p->series, p->last_stage); /* where, in case that nothing helps */
        taut_jet_rescale(p->series->jet, 0x1p-7, 0);
    }
    return false;
}

/* Takes over the tried state at time t. */
static void accept(taylor *p, double t) {
    p->base.t = t;
    p->rcond = taut_lu_rcond(p->series->lu);
    p->best_rcond = fmax(p->best_rcond, p->rcond);
    p->caution = p->options.reduced && p->rcond < FADED * p->best_rcond ? CAUTION : 1.0;
    for (int i = 0; i < p->states; i++) {
        p->hi[i] = p->try_hi[i];
        p->lo[i] = p->try_lo[i];
    }
    taut_weights_reach(&p->weights, p->hi);
}

/* ---- trouble in words ---- */

/* The largest part of the nearly-null vector tells which constraint the others nearly imply. */
static taut_status explain_passage(const taylor *p, taut_errors *errors) {
    const double r = p->r * direction(p);
    int worst = 0;
    for (int i = 0; i < p->system->n; i++)
        if (fabs(p->pole.w[i]) > fabs(p->pole.w[worst])) worst = i;
    const char *name = p->system->equation[worst].name;
    const taut_place place = p->system->equation[worst].place;
    if (p->r == 0.0)
        return taut_fail_at(errors, TAUT_SINGULAR, place,
                            "nearly singular position at t = %.10g: %s and other constraints "
                            "come close to being dependent (to %.1g of the way), and the corner "
                            "between two branches of the motion is too sharp to be followed",
                            p->base.t, name, p->gap);
    return taut_fail_at(errors, TAUT_SINGULAR, place,
                        "singular position at t = %.10g: %s and other constraints become "
                        "dependent there, and on which branch the motion goes on cannot be told "
                        "at this tolerance",
                        p->base.t + r, name);
}

static taut_status explain(taylor *p, double h, taut_errors *errors) {
    char text[200] = "", where[80];
    taut_format(where, sizeof where, "near t = %.10g", p->base.t);
    if (p->started && (p->r != 0.0 || is_apart(p))) return explain_passage(p, errors);
    if (p->trouble == SINGULAR_J) {
        taut_status status =
            taut_singular_explain(p->series, p->started ? where : "at the start", errors);
        return p->started ? TAUT_SINGULAR : status;
    }
    if (p->trouble == NOT_FINITE && p->series->bad_slot >= 0) {
        const taut_node node = p->series->tape->instr[p->series->bad_slot].node;
        taut_infix_print(p->system->graph, node, &p->system->names, text, sizeof text);
        return taut_fail_at(errors, TAUT_STEP_COLLAPSED, p->system->place,
                            "the solution cannot be continued beyond t = %.10g: %s has no finite "
                            "value there (a root or logarithm of a negative number, a division by "
                            "zero, or a solution that grows without bound)",
                            p->base.t, text);
    }
    if (p->trouble == NO_NEWTON)
        return taut_fail_at(errors, TAUT_STEP_COLLAPSED, p->system->place,
                            "the equations cannot be solved for the highest derivatives near t = "
                            "%.10g: Newton's method does not converge",
                            p->base.t);
    for (int i = 0; i < p->states; i++) /* back to the last point */
        taut_series_set(p->series, p->state[i].variable, p->state[i].order, p->hi[i]);
    TAUT_TRY(taut_singular_dead_point(p->series, p->base.t, errors));
    const int worst = p->worst;
    if (worst >= 0)
        taut_derivative_name(p->system, p->state[worst].variable, p->state[worst].order, text,
                             sizeof text);
    return taut_collapse_explain(p->system,
                                 (taut_collapse){p->stats.steps + p->stats.rejected, h, p->base.t,
                                                 text, worst >= 0 ? p->hi[worst] : 0.0},
                                 errors);
}

/* ---- the calls ---- */

/* The first scale is a guess by the span. Where it is so large that coefficients say nothing, since
 * a weight beside them vanishes or overflows, the series is computed anew with smaller ones. */
static bool extend_start(taylor *p) {
    for (int attempt = 0; attempt < 40; attempt++) {
        if (!extend(p)) return false;
        keep_polynomial(p);
        measure(p);
        if (allowed_step(p) > SCALE_LEAST * fabs(p->poly_h)) return true;
        taut_jet_rescale(p->series->jet, 0x1p-7, 0);
    }
    return true;
}

/* ---- what is remembered ---- */

enum { REMEMBERED = 16 };

/* The matrix whose pivots are in use, or as many zeros. */
static bool put_pivots(taut_memory *memory, const taut_lu *lu, int entries) {
    const double *value = lu ? taut_lu_pivoted(lu) : NULL;
    for (int k = 0; k < entries && !value; k++) taut_memory_put(memory, 0.0);
    if (value) taut_memory_put_all(memory, value, entries);
    return value != NULL;
}

/* Everything that the next step depends on, so that a stepper which goes on elsewhere gives the
 * same bits: the state's low parts, scales, what is known of singular positions; and how the series
 * at the point came about, pivots included. */
static void remember(const taut_stepper *stepper, taut_memory *memory) {
    const taylor *p = (const taylor *)stepper;
    const taut_lu *lu = p->series->lu, *rough = p->pole.lu;
    const double number[REMEMBERED] = {p->put.h,
                                       p->put.settlings,
                                       lu && taut_lu_pivoted(lu),
                                       rough && taut_lu_pivoted(rough),
                                       p->h,
                                       p->r,
                                       p->usual_step,
                                       p->last_sigma,
                                       p->pole.sigma,
                                       p->best_rcond,
                                       p->caution,
                                       p->strained,
                                       p->vigil.seen,
                                       p->r2,
                                       p->apart,
                                       p->landed};
    taut_memory_put_all(memory, number, REMEMBERED);
    taut_memory_put_all(memory, p->put.hi, p->states);
    taut_memory_put_all(memory, p->put.leading, p->system->n);
    put_pivots(memory, lu, p->series->entries);
    put_pivots(memory, rough, p->series->entries);
    taut_memory_put_all(memory, p->lo, p->states);
    taut_memory_put_all(memory, p->weights.scale, p->system->groups * p->levels);
    taut_memory_put_all(memory, p->pole.w, p->system->n);
    taut_memory_put_all(memory, p->pole.n, p->system->n);
    taut_memory_put_all(memory, p->vigil.scale, p->vigil.nodes);
}

/* All of it, or nothing: what another choice of constraints has left does not fit. */
static bool remembers(const taylor *p, const taut_state *from) {
    const int scales = p->system->groups * p->levels;
    return taut_state_recall(from, p->base.method->name).memory->count ==
           (size_t)(REMEMBERED + 2 * p->states + 3 * p->system->n + 2 * p->series->entries +
                    scales + p->vigil.nodes);
}

/* Factors that are singular are found again when they are needed. */
static taut_status take_pivots(taut_lu *lu, const double *value, bool given) {
    const taut_status status = lu && given ? taut_lu_repivot(lu, value) : TAUT_OK;
    return status == TAUT_ERR_MEMORY ? status : TAUT_OK;
}

/* Lands at the remembered point in the same way as it was done there. */
static taut_status land_again(taylor *p, const taut_state *from) {
    const double *number = from->stepper.number, *hi = number + REMEMBERED,
                 *leading = hi + p->states;
    const double *J = leading + p->system->n, *rough = J + p->series->entries;
    p->put.h = number[0];
    p->put.settlings = number[1] < 1.0 ? 0 : number[1] < 2.0 ? 1 : 2;
    memcpy(p->put.hi, hi, (size_t)p->states * sizeof *hi);
    memcpy(p->put.leading, leading, (size_t)p->system->n * sizeof *leading);
    TAUT_TRY(take_pivots(p->series->lu, J, number[2] != 0.0));
    TAUT_TRY(take_pivots(p->pole.lu, rough, number[3] != 0.0));
    put(p, p->base.t);
    for (int i = 0; i == 0 || i < p->put.settlings; i++)
        TAUT_TRY(taut_series_settle(p->series, p->put.settlings > 0, NULL, NULL));
    return TAUT_OK;
}

static void recall(taylor *p, const taut_state *from) {
    taut_recall r = taut_state_recall(from, p->base.method->name);
    r.next = 4;
    p->h = taut_recall_get(&r);
    p->r = taut_recall_get(&r);
    p->usual_step = taut_recall_get(&r);
    p->last_sigma = taut_recall_get(&r);
    p->pole.sigma = taut_recall_get(&r);
    p->best_rcond = taut_recall_get(&r);
    p->caution = taut_recall_get(&r);
    p->strained = taut_recall_whole(&r, 0, 1000000);
    p->vigil.seen = (unsigned)taut_recall_whole(&r, 0, 2000000000);
    p->r2 = taut_recall_get(&r);
    p->apart = taut_recall_get(&r);
    p->landed = taut_recall_get(&r);
    r.next += (size_t)(p->states + p->system->n + 2 * p->series->entries);
    taut_recall_all(&r, p->lo, p->states);
    taut_recall_all(&r, p->weights.scale, p->system->groups * p->levels);
    taut_recall_all(&r, p->pole.w, p->system->n);
    taut_recall_all(&r, p->pole.n, p->system->n);
    taut_recall_all(&r, p->vigil.scale, p->vigil.nodes);
}

static taut_status start(taut_stepper *stepper, const taut_state *from, double tend,
                         taut_errors *errors) {
    taylor *p = (taylor *)stepper;
    const double t = p->base.t;
    p->tend = tend;
    p->h = p->r = p->r2 = p->usual_step = 0.0;
    p->last_sigma = p->landed = -1.0;
    p->apart = p->base.t;
    p->blind = false;
    p->best_rcond = 0.0;
    p->caution = 1.0;
    p->started = p->closing = false;
    p->strained = 0;
    taut_weights_forget(&p->weights);
    taut_vigil_restart(&p->vigil);
    taut_series_forget(p->series);
    if (p->pole.lu) taut_lu_forget(p->pole.lu);
    for (int i = 0; i < p->states; i++) {
        p->try_hi[i] = *taut_state_at(from, p->state[i].variable, p->state[i].order);
        p->try_lo[i] = 0.0;
        p->weight[i] = p->options.atol * fmax(1.0, fabs(p->try_hi[i]));
    }
    const double span = tend != t ? tend - t : 1.0;
    bool again = remembers(p, from);
    if (again) {
        const taut_status status = land_again(p, from);
        if (status == TAUT_ERR_MEMORY) return status;
        again = status == TAUT_OK; /* a memory that is of something else is none */
    }
    if (!again) TAUT_TRY(land(p, t, 1e-3 * span, true));
    if (!again && p->trouble != FINE) return explain(p, 0.0, errors);
    accept(p, t);
    const bool expanded = again ? extend(p) : extend_start(p);
    if (again && expanded) keep_polynomial(p);
    if (!expanded) {
        p->trouble = NOT_FINITE;
        return explain(p, 0.0, errors);
    }
    p->started = true;
    if (again) recall(p, from);
    return TAUT_OK;
}

static taut_status set_end(taut_stepper *stepper, double tend) {
    taylor *p = (taylor *)stepper;
    if (tend != p->base.t && !p->expanded && !extend(p)) return TAUT_STEP_COLLAPSED;
    p->tend = tend;
    return TAUT_OK;
}

static taut_expansion expansion(const taut_stepper *stepper, bool end) {
    const taylor *p = (const taylor *)stepper;
    if (end || p->closing) return (taut_expansion){0}; /* closed, it is no polynomial */
    return (taut_expansion){p->poly, p->last_stage, p->base.begin, p->poly_h};
}

static taut_status probe(void *user, double t, bool *right) {
    taylor *p = user;
    TAUT_TRY(land(p, t, p->try_h, false));
    *right = p->trouble == FINE;
    return TAUT_OK;
}

/* Looks for features between here and t; *good: how far the polynomial can be trusted. */
static taut_status look_inside(taylor *p, double t, double *good) {
    const taut_path path = {p->poly, p->structure->offsets.d, p->last_stage, p->base.begin,
                            p->poly_h};
    *good = t;
    p->try_h = t - p->base.t;
    return p->closing ? TAUT_OK : taut_vigil_search(&p->vigil, &path, t, probe, p, good);
}

static taut_status step(taut_stepper *stepper, taut_errors *errors) {
    taylor *p = (taylor *)stepper;
    if (p->h != 0.0) keep_polynomial(p);
    double h = choose_step(p), good;
    for (;;) {
        if (p->pole.starved) return TAUT_ERR_MEMORY;
        const bool last = fabs(h) >= fabs(p->tend - p->base.t);
        const double t = last ? p->tend : p->base.t + h;
        if (!(fabs(h) > 16.0 * DBL_EPSILON * fabs(p->base.t)) || t == p->base.t || !isfinite(t))
            return explain(p, h, errors);
        TAUT_TRY(look_inside(p, t, &good));
        if (good == t) TAUT_TRY(land(p, t, h, false));
        if (good == t && p->trouble == FINE) {
            const double before = p->base.t;
            accept(p, t);
            p->expanded = false;
            p->h = t - before;
            p->stats.steps++;
            const bool passed = p->r > 0.0 && p->r <= fabs(p->h);
            p->base.singular = passed ? before + copysign(p->r, p->h) : (double)NAN;
            if (p->r != 0.0) p->r -= fabs(p->h);
            if (p->r2 != 0.0) p->r2 -= fabs(p->h);
            if (t != p->tend && !extend(p)) {
                p->trouble = NOT_FINITE;
                return explain(p, h, errors);
            }
            return TAUT_OK;
        }
        p->stats.rejected++;
        if (good != t) {
            h = good - p->base.t;
        } else if (p->closing && passes_two(p, h)) {
            /* between two that are far apart; otherwise any shorter step would end too close to
               them, and rounding would decide */
            const double middle = 0.5 * (p->r + p->r2);
            if (p->r2 - p->r < WIDE * middle) return explain(p, h, errors);
            h = copysign(middle, h);
        } else if (p->surprised) {
            if (p->r != 0.0) h = fit_step(p, plan_passage(p));
        } else {
            h *= p->trouble == DEFECT ? 0.7 : 0.4;
        }
        find_weights(p, fabs(h / p->poly_h));
    }
}

static double residual(const taut_stepper *stepper) {
    return taut_series_constraint_residual(((const taylor *)stepper)->series);
}

static double state_now(const taut_stepper *stepper, int j, int k) {
    const taylor *p = (const taylor *)stepper;
    for (int i = 0; i < p->states; i++)
        if (p->state[i].variable == j && p->state[i].order == k) return p->hi[i];
    return 0.0;
}

static double rcond(const taut_stepper *stepper) { return ((const taylor *)stepper)->rcond; }

static taut_stepper_stats statistics(const taut_stepper *stepper) {
    const taylor *p = (const taylor *)stepper;
    taut_stepper_stats stats = p->stats;
    stats.evaluations = stats.steps + stats.rejected + 1; /* one expansion a point, and the start */
    stats.factorisations = p->series->factorisations;
    return stats;
}

static double value(const taut_stepper *stepper, int j, int k, double time) {
    return value_at((const taylor *)stepper, j, k, time);
}

/* The largest coefficient of order q of the last polynomial, in units of the weights. */
static double largest_coefficient(const taylor *p, int q) {
    const double per_h = 1.0 / fabs(p->poly_h);
    double largest = 0.0;
    for (int i = 0; i < p->states; i++) {
        const taut_component *x = &p->state[i];
        double size = fabs(derived(p, x->variable, x->order, q)) / p->weight[i];
        for (int k = 0; k < x->order; k++) size *= per_h;
        if (size > largest) largest = size;
    }
    return largest;
}

/* A fast mode delta exp(lambda t) leaves delta lambda^k / k! in the high coefficients. If that is
 * all they consist of, and delta is far below the tolerance, then the steps are as short as they
 * are only to keep it there (docs/math/hermite-obreschkoff.md, section 8). */
static bool looks_strained(const taylor *p) {
    const int K = p->last_stage;
    double least = (double)INFINITY, most = 0.0;
    for (int k = K / 2; k <= K - 2; k++) {
        const double ratio = largest_coefficient(p, k + 2) / largest_coefficient(p, k);
        const double rate = sqrt((double)((k + 1) * (k + 2)) * ratio);
        least = fmin(least, rate);
        most = fmax(most, rate);
        if (!(most < ONE_RATE * least)) return false;
    }
    double delta = largest_coefficient(p, K);
    for (int k = 1; k <= K; k++) delta *= (double)k / sqrt(least * most);
    return delta < FAR_BELOW;
}

static bool strained(taut_stepper *stepper) {
    taylor *p = (taylor *)stepper;
    /* a step that is as long as it may be is strained by nothing */
    const bool capped = fabs(p->h) > 0.5 * p->vigil.cap;
    p->strained = !capped && looks_strained(p) ? p->strained + 1 : 0;
    return p->strained >= 3;
}

taut_status taut_taylor_foresee(taut_stepper *stepper, double *h, double *r) {
    taylor *p = (taylor *)stepper;
    measure(p);
    p->plain = *h = allowed_step(p);
    if (p->pole.rows > 0) watch_pole(p, *h);
    *r = p->r > 0.0 ? p->r : 0.0;
    p->last_sigma = p->landed = -1.0; /* the first step looks again: */
    p->r = p->r2 = 0.0;
    place_at(p, 0.0);
    taut_series_jacobian(p->series); /* whose factors are still there */
    return p->pole.starved ? TAUT_ERR_MEMORY : TAUT_OK;
}

static double ahead(taut_stepper *stepper) {
    taylor *p = (taylor *)stepper;
    measure(p);
    return allowed_step(p);
}

const taut_method taut_taylor = {.name = "taylor",
                                 .words = "Taylor series",
                                 .create = create,
                                 .free = release,
                                 .start = start,
                                 .step = step,
                                 .set_end = set_end,
                                 .remember = remember,
                                 .expansion = expansion,
                                 .value = value,
                                 .state = state_now,
                                 .residual = residual,
                                 .rcond = rcond,
                                 .statistics = statistics,
                                 .strained = strained,
                                 .ahead = ahead,
                                 .set_numbers = set_numbers};
