/* Scales by group and level, and weights from them. */
#include "solve/weights.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* An error of a rate that moves its value by less than the last bit all the time is none. At rest,
 * where rates are nothing but rounding, nothing else keeps weights from vanishing. */
static inline double least_weight(const taut_weights *w, int i, double inverse) {
    const int order = w->state[i].order;
    if (order == 0) return 0.0;
    double least = 0.5 * DBL_EPSILON * w->coming[w->state[i].group * w->levels];
    for (int k = 0; k < order; k++) least *= inverse;
    return least;
}

/* Where formulas may be all but flat, they begin in steps of the last bit of 1: angles and
 * directions that are at rest until then have no size of their own, and follow these steps. */
static double least_of_formulas(const taut_weights *w, int i) {
    double least = 0.5 * DBL_EPSILON;
    if (w->system->unknown[w->state[i].variable].sizing != TAUT_SIZE_ONE) return 0.0;
    for (int k = 0; k < w->state[i].order; k++) least = w->span > 0.0 ? least / w->span : 0.0;
    return least;
}

/* Errors per unit step: no tolerance beside a scale is less; a first step is such a part of the
 * run. */
static const double LEAST = 1e-15, UNKNOWN_PART = 1e-3;

/* Of the largest scale of its level: a group that is still 0. */
static const double UNSEEN = 1e-3;

/* Most groups and levels of a system have no states. */
static taut_status list_used(taut_weights *w, taut_arena *arena) {
    const int cells = w->system->groups * w->levels;
    int count = 0;
    w->used = TAUT_NEW_ARRAY(arena, cells, int);
    w->used_end = TAUT_NEW_ARRAY(arena, w->levels, int);
    if (!w->used || !w->used_end) return TAUT_ERR_MEMORY;
    for (int i = 0; i < w->states; i++) w->coming[w->cell[i]] = 1.0;
    for (int level = 0; level < w->levels; level++) {
        for (int cell = level; cell < cells; cell += w->levels)
            if (w->coming[cell] > 0.0) w->used[count++] = cell;
        w->used_end[level] = count;
    }
    return TAUT_OK;
}

taut_status taut_weights_create(const taut_system *system, const taut_structure *structure,
                                const taut_stepping *stepping, bool needed, taut_arena *arena,
                                taut_weights *w) {
    *w = (taut_weights){.system = system,
                        .rtol = stepping->rtol,
                        .atol = stepping->atol,
                        .span = stepping->span,
                        .energy = stepping->energy,
                        .levels = structure->largest_d + 1};
    const int *d = structure->offsets.d;
    for (int j = 0; j < system->n; j++) w->states += needed ? taut_needed(structure, j) : d[j];
    w->state = TAUT_NEW_ARRAY(arena, w->states, taut_component);
    w->weight = TAUT_NEW_ARRAY(arena, w->states, double);
    w->scale = TAUT_NEW_ARRAY(arena, system->groups * w->levels, double);
    w->coming = TAUT_NEW_ARRAY(arena, system->groups * w->levels, double);
    w->cell = TAUT_NEW_ARRAY(arena, w->states, int);
    w->passive = TAUT_NEW_ARRAY(arena, w->states, bool);
    w->noise = taut_weights_noise(w->atol);
    if (!w->state || !w->weight || !w->scale || !w->coming || !w->cell || !w->passive)
        return TAUT_ERR_MEMORY;
    for (int j = 0, i = 0; j < system->n; j++)
        for (int k = 0; k < (needed ? taut_needed(structure, j) : d[j]); k++, i++) {
            const int group = system->unknown[j].group;
            w->state[i] = (taut_component){j, k, group};
            w->cell[i] = group * w->levels + k;
            w->passive[i] = system->unknown[j].passive;
        }
    return list_used(w, arena);
}

void taut_weights_forget(taut_weights *w) {
    memset(w->scale, 0, (size_t)(w->system->groups * w->levels) * sizeof *w->scale);
}

double taut_weights_part(const taut_stepping *stepping, double h) {
    if (!stepping->per_unit) return 1.0;
    const double part =
        h == 0.0 ? UNKNOWN_PART : fabs(h) / (stepping->span > 0.0 ? stepping->span : 1.0);
    return fmin(1.0, fmax(part, LEAST / fmax(stepping->rtol, stepping->atol)));
}

void taut_weights_begin(taut_weights *w) {
    const int count = w->used_end[w->levels - 1];
    for (int m = 0; m < count; m++) w->coming[w->used[m]] = w->scale[w->used[m]];
}

/* As fmax, without a call; x if one is not a number. */
static inline double larger(double x, double y) { return y > x ? y : x; }

/* As fmax, without a call; the other one if one is not a number. */
static inline double larger_number(double x, double y) { return y > x || isnan(x) ? y : x; }

/* No scale is below the noise of the largest one of its level. */
static void raise_noise(taut_weights *w) {
    for (int level = 0, first = 0; level < w->levels; first = w->used_end[level++]) {
        const int end = w->used_end[level];
        double largest = 0.0;
        for (int m = first; m < end; m++) largest = larger(largest, w->coming[w->used[m]]);
        const double least = larger(w->noise * largest, TAUT_WEIGHTS_NOTHING);
        for (int m = first; m < end; m++) {
            double *cell = &w->coming[w->used[m]];
            *cell = larger(*cell, least);
        }
    }
}

void taut_weights_set(taut_weights *w, const double *value) {
    const double inverse = w->horizon > 0.0 ? 1.0 / w->horizon : 0.0;
    w->clear = w->levels <= 6;
    raise_noise(w);
    for (int i = 0; i < w->states; i++) {
        double weight = w->rtol * fabs(value[i]) + w->atol * w->coming[w->cell[i]];
        const double least = least_weight(w, i, inverse);
        if (!(least <= TAUT_WEIGHT_CLEAR * weight)) w->clear = false;
        weight = larger_number(weight, least);
        if (w->flat) weight = larger_number(weight, least_of_formulas(w, i));
        if (w->passive[i]) weight *= TAUT_WEIGHTS_PASSIVE;
        w->weight[i] = weight;
    }
}

void taut_weights_reach(taut_weights *w, const double *value) {
    for (int i = 0; i < w->states; i++) {
        double *cell = &w->scale[w->cell[i]];
        *cell = larger(*cell, fabs(value[i]));
    }
}

/* Of the energy in the motion: less work is of no interest beside it, ... */
static const double LITTLE = 1e-2;
/* ... and less than this, over the tolerance, is the rounding of the power. */
static const double ROUGH = 1e-14;

double taut_weights_passive(const taut_weights *w) {
    return w->energy ? fmax(LITTLE, ROUGH / w->atol) * *w->energy : 0.0;
}

double taut_weights_scale(const taut_weights *w, int i) {
    const double scale = w->scale[w->cell[i]];
    return w->passive[i] ? fmax(scale, taut_weights_passive(w)) : scale;
}

/* A velocity that begins at 0 will be of the size sqrt(position * acceleration). */
static void raise_between(taut_weights *w, const double *rate) {
    for (int i = 1; i < w->states; i++) {
        const bool last = i + 1 == w->states || w->state[i + 1].variable != w->state[i].variable;
        if (w->state[i].order == 0 || !last) continue;
        double *scale = &w->scale[w->cell[i]];
        *scale = fmax(*scale, sqrt(taut_weights_scale(w, i - 1) * fabs(rate[i])));
    }
}

/* Of the scale of its value over the whole run: a rate of which nothing is known yet. */
static const double AT_REST = 0.1;

/* At rest, and where rates are nothing but rounding, an error of a rate counts by what it does to
 * the value until the end. Far smaller scales would ask IDA for more digits than its rates have.
 * Where the scale of the value is a guess itself, it is not made smaller still: formulas that have
 * not begun yet are steps of one unit in the last place. */
static void raise_rates(taut_weights *w, int level, double guess) {
    for (int g = 0; g < w->system->groups && w->span > 0.0; g++) {
        double *scale = &w->scale[g * w->levels];
        const bool guessed =
            scale[0] == guess || scale[0] == UNSEEN || scale[0] == UNSEEN * w->system->length;
        const double part = guessed ? 1.0 : AT_REST;
        scale[level] = fmax(scale[level], part * scale[level - 1] / w->span);
    }
}

/* The shortest time in which a state changes by its size; infinite where nothing does. */
static double time_of_change(const taut_weights *w, const double *value, const double *rate) {
    double time = (double)INFINITY;
    for (int i = 0; i < w->states; i++)
        if (rate[i] != 0.0 && !w->passive[i])
            time = fmin(time, fmax(taut_weights_scale(w, i), fabs(value[i])) / fabs(rate[i]));
    return time;
}

void taut_weights_raise_passive(taut_weights *w, double time, const double *rate) {
    for (int i = 0; i < w->states; i++) {
        const double size = time * fabs(rate[i]);
        double *scale = &w->scale[w->cell[i]];
        if (w->passive[i] && isfinite(size)) *scale = fmax(*scale, size);
    }
}

/* What is foreseen is no more than a hint: it counts by this part. */
static const double FORESEEN = 1e-2;

double taut_weights_foresee(const taut_weights *w, const double *value, const double *rate,
                            double *ahead) {
    const double time = time_of_change(w, value, rate);
    bool any = false;
    for (int i = 0; i < w->states; i++) {
        any = any || w->passive[i];
        ahead[i] = value[i] + (w->state[i].order > 0 ? time * rate[i] : 0.0);
    }
    return any && isfinite(time) ? FORESEEN * time : 0.0;
}

/* Values of a kind that are still 0, as coordinates of a body at the origin, are not as small as
 * others of another unit. */
static void raise_sizes(taut_weights *w, taut_sizing sizing, double size) {
    for (int i = 0; i < w->states; i++)
        if (w->state[i].order == 0 && w->system->unknown[w->state[i].variable].sizing == sizing) {
            double *scale = &w->scale[w->cell[i]];
            *scale = fmax(*scale, UNSEEN * size);
        }
}

void taut_weights_start(taut_weights *w, const double *value, const double *rate) {
    const int groups = w->system->groups;
    double guess = 0.0;
    taut_weights_forget(w);
    taut_weights_reach(w, value);
    raise_sizes(w, TAUT_SIZE_GROUP, w->system->length);
    raise_between(w, rate);
    for (int level = 0; level < w->levels; level++) {
        double largest = 0.0;
        if (level > 0) raise_rates(w, level, guess);
        for (int g = 0; g < groups; g++) largest = fmax(largest, w->scale[g * w->levels + level]);
        const double least = largest > 0.0 ? UNSEEN * largest : 1.0;
        if (level == 0 && largest > 0.0) guess = least;
        for (int g = 0; g < groups; g++) {
            double *scale = &w->scale[g * w->levels + level];
            *scale = fmax(*scale, least);
        }
        if (level == 0) raise_sizes(w, TAUT_SIZE_ONE, 1.0);
    }
    /* what begins at 0 and has a unit of its own is as large as it becomes meanwhile */
    taut_weights_raise_passive(w, time_of_change(w, value, rate), rate);
}

double taut_weights_allowed(const taut_weights *w, int i, double value) {
    return w->rtol * fabs(value) + w->atol * taut_weights_scale(w, i);
}

double taut_weights_first_step(const taut_weights *w, const double *value, const double *rate,
                               double tol) {
    const double h = time_of_change(w, value, rate);
    return isfinite(h) ? 0.1 * sqrt(tol) * h : 0.0;
}
