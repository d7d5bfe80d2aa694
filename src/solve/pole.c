/* Inverse iteration for the nearly-null vector, Newton for the zero of sigma. */
#include "solve/pole.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 3, REFINEMENTS = 4 };
enum { LONG = 64 }; /* a program for J of so many operations is worth a shorter one */

/* The program for G and G^T. */
static taut_status build_program(taut_pole *p, taut_arena *arena) {
    const taut_series *s = p->series;
    taut_arena scratch = {0};
    p->entry = TAUT_NEW_ARRAY(arena, s->entries, int);
    p->value = TAUT_NEW_ARRAY(arena, s->entries, double);
    taut_node *target = TAUT_NEW_ARRAY(&scratch, s->entries, taut_node);
    taut_status status = p->entry && p->value && target ? TAUT_OK : TAUT_ERR_MEMORY;
    for (int j = 0; j < s->system->n && status == TAUT_OK; j++)
        for (int k = s->start[j]; k < s->start[j + 1]; k++) {
            if (p->is_column[j] && !p->is_row[s->row[k]]) continue;
            target[p->entries] = s->node[k];
            p->entry[p->entries++] = k;
        }
    if (status == TAUT_OK)
        status = taut_point_create(s->tape, target, (size_t)p->entries, arena, &p->program);
    taut_arena_release(&scratch);
    return status;
}

/* Adds a vector of about this length to w that no symmetry makes orthogonal to what is looked for.
 */
static void stir(taut_pole *p, double length) {
    const double size = length / sqrt((double)(p->rows > 0 ? p->rows : 1));
    for (int k = 0; k < p->rows; k++) p->w[p->row[k]] += size * p->odd[p->row[k]];
}

void taut_pole_restart(taut_pole *p) {
    for (int i = 0; i < p->series->system->n; i++) p->w[i] = p->n[i] = 0.0;
    stir(p, 1.0);
    p->sigma = p->tilt = p->rate = 0.0;
    if (p->lu) taut_lu_forget(p->lu);
}

taut_status taut_pole_create(taut_series *s, taut_arena *arena, taut_pole *pole) {
    const int n = s->system->n;
    const taut_offsets *o = &s->structure->offsets;
    *pole = (taut_pole){.series = s};
    pole->is_row = TAUT_NEW_ARRAY(arena, n, bool);
    pole->is_column = TAUT_NEW_ARRAY(arena, n, bool);
    pole->row = TAUT_NEW_ARRAY(arena, n, int);
    pole->w = TAUT_NEW_ARRAY(arena, n, double);
    pole->n = TAUT_NEW_ARRAY(arena, n, double);
    pole->from = TAUT_NEW_ARRAY(arena, n, double);
    pole->odd = TAUT_NEW_ARRAY(arena, n, double);
    if (!pole->row || !pole->is_row || !pole->is_column || !pole->w || !pole->n || !pole->from ||
        !pole->odd)
        return TAUT_ERR_MEMORY;
    if (s->structure->largest_d != 2 || !s->structure->quasilinear) return TAUT_OK;
    for (int i = 0; i < n; i++) {
        pole->is_row[i] = o->c[i] == 2;
        pole->is_column[i] = o->d[i] == 2;
        if (o->c[i] > 2 || o->d[i] > 2) return TAUT_OK;
        if (!pole->is_row[i]) continue;
        pole->odd[i] = 1.0 + 0.37 * sin(1.7 * (double)pole->rows);
        pole->row[pole->rows++] = i;
    }
    taut_pole_restart(pole);
    if (pole->rows == 0 || !s->lu) return TAUT_OK;
    TAUT_TRY(taut_lu_create_rough(s->lu, &pole->lu));
    return taut_point_operations(s->point) < LONG ? TAUT_OK : build_program(pole, arena);
}

void taut_pole_release(taut_pole *pole) { taut_lu_free(&pole->lu); }

taut_status taut_pole_set_numbers(taut_pole *pole, const double *parameter) {
    return pole->program ? taut_point_set_numbers(pole->program, parameter) : TAUT_OK;
}

/* J at distance s. Where constraints lose rank does not depend on masses: these stay as they were
 * at the beginning of the step, if that saves work. */
static void look_at(taut_pole *p, double s, taut_place_fn *place, void *user) {
    place(user, s);
    if (!p->program) {
        taut_series_jacobian(p->series);
        return;
    }
    taut_point_eval(p->program, p->series->jet, p->value);
    for (int k = 0; k < p->entries; k++) p->series->J[p->entry[k]] = p->value[k];
}

/* |G^T w| */
static double transposed_length(const taut_pole *p) {
    const taut_series *s = p->series;
    double square = 0.0;
    for (int j = 0; j < s->system->n; j++) {
        double sum = 0.0;
        for (int k = s->start[j]; p->is_column[j] && k < s->start[j + 1]; k++)
            if (p->is_row[s->row[k]]) sum += s->J[k] * p->w[s->row[k]];
        square += sum * sum;
    }
    return sqrt(square);
}

/* w^T G n */
static double bilinear(const taut_pole *p) {
    const taut_series *s = p->series;
    double sum = 0.0;
    for (int j = 0; j < s->system->n; j++)
        for (int k = s->start[j]; p->is_column[j] && k < s->start[j + 1]; k++)
            if (p->is_row[s->row[k]]) sum += p->w[s->row[k]] * s->J[k] * p->n[j];
    return sum;
}

/* A vector that is 0 but on the rows: sums over these have the same bits, and wait less. */
static double normalise_rows(const taut_pole *p, double *v) {
    double square = 0.0;
    for (int k = 0; k < p->rows; k++) square += v[p->row[k]] * v[p->row[k]];
    const double length = sqrt(square);
    for (int k = 0; k < p->rows && length > 0.0; k++) v[p->row[k]] /= length;
    return length;
}

static void normalise(const taut_pole *p, double *v) {
    double square = 0.0;
    for (int i = 0; i < p->series->system->n; i++) square += v[i] * v[i];
    const double length = sqrt(square);
    for (int i = 0; i < p->series->system->n && length > 0.0; i++) v[i] /= length;
}

/* The right-hand side w. */
static void put_rows(const taut_pole *p, double *y) {
    memset(y, 0, (size_t)p->series->system->n * sizeof *y);
    for (int k = 0; k < p->rows; k++) y[p->row[k]] = p->w[p->row[k]];
}

/* Takes the image y of an inverse iteration as the vector w. Returns the square of the change. */
static double take_image(taut_pole *p, const double *y) {
    double dot = 0.0, change = 0.0;
    for (int k = 0; k < p->rows; k++) dot += y[p->row[k]] * p->w[p->row[k]];
    for (int k = 0; k < p->rows; k++) {
        const int i = p->row[k];
        const double now = dot < 0.0 ? -y[i] : y[i];
        change += (now - p->w[i]) * (now - p->w[i]);
        p->w[i] = now;
    }
    return change;
}

/* J (x, y) = (0, w) has y = -(G M^-1 G^T)^-1 w: the multipliers that belong to the rows. Row i and
 * the multiplier that it is matched with need not have the same number, so w is put together from
 * G^T w ~ M x instead: one solve with the transposed matrix gives a vector on the rows. */
static void look(taut_pole *p, const taut_lu *lu) {
    const taut_series *s = p->series;
    const int n = s->system->n;
    double *y = p->n; /* free until the end */
    /* singular values may have changed places: symmetry would hide the one that is least now */
    stir(p, TAUT_POLE_STIRRED);
    normalise_rows(p, p->w);
    /* one row alone is 1 or -1 already: length and quotient are exact, and so is the image */
    for (int iteration = 0; p->rows > 1 && iteration < TAUT_POLE_INVERSE; iteration++) {
        /* right-hand side w on the rows of G; the solution's multipliers, seen as a right-hand side
         * of the transposed system, come back on the rows */
        put_rows(p, y);
        taut_lu_solve(lu, y);
        for (int j = 0; j < n; j++)
            if (s->structure->offsets.d[j] != 0) y[j] = 0.0;
        taut_lu_solve_transposed(lu, y);
        if (!(normalise_rows(p, y) > 0.0) || (p->is_row[0] && !isfinite(y[0]))) break;
        if (take_image(p, y) < TAUT_POLE_SETTLED * TAUT_POLE_SETTLED) break;
    }
    p->sigma = transposed_length(p);
    put_rows(p, p->n);
    taut_lu_solve(lu, p->n);
    for (int j = 0; j < n; j++)
        if (!p->is_column[j]) p->n[j] = 0.0;
    normalise(p, p->n);
    p->tilt = bilinear(p);
}

void taut_pole_look(taut_pole *p) { look(p, p->series->lu); }

/* d(w^T G n)/ds, w and n held, at s, where w^T G n is `value`: by a difference that rounding and
 * curvature leave six digits, more than Newton's method needs. */
static double slope(taut_pole *p, double s, double value, double delta, taut_place_fn *place,
                    void *user) {
    look_at(p, s + delta, place, user);
    return (bilinear(p) - value) / delta;
}

bool taut_pole_is_beyond(const taut_pole_search *x) {
    return !(fabs(x->s) <= 4.0 * fabs(x->h)) || x->s * x->h < 0.0;
}

bool taut_pole_step(const taut_pole *p, taut_pole_search *x) {
    if (p->rate == 0.0 || !isfinite(p->rate)) {
        x->s = 0.0;
        return true;
    }
    const double step = -p->tilt / p->rate;
    x->s += step;
    if (!(fabs(step) < 0.02 * fabs(x->s))) return false;
    if (!(p->sigma < 0.1 * x->first && x->s * x->h > 0.0)) x->s = 0.0;
    return true;
}

/* Factors of J as it is now; false: it is singular. */
static bool factor(taut_pole *p) {
    const taut_status status = taut_lu_factor(p->lu, p->series->J);
    if (status == TAUT_ERR_MEMORY) p->starved = true;
    return status == TAUT_OK;
}

double taut_pole_go_on(taut_pole *p, taut_pole_search search, taut_place_fn *place, void *user) {
    for (; search.iterations < TAUT_POLE_NEWTON; search.iterations++) {
        if (taut_pole_is_beyond(&search)) return 0.0;
        look_at(p, search.s, place, user);
        if (!factor(p)) return search.s; /* right on it */
        look(p, p->lu);
        p->rate = slope(p, search.s, p->tilt, TAUT_POLE_ASIDE * fabs(search.h), place, user);
        if (taut_pole_step(p, &search)) return search.s;
    }
    return 0.0;
}

double taut_pole_find(taut_pole *p, double guess, double h, taut_place_fn *place, void *user) {
    return taut_pole_go_on(p, (taut_pole_search){guess, h, p->sigma, 0}, place, user);
}

double taut_pole_tilt(taut_pole *p, double s, taut_place_fn *place, void *user) {
    look_at(p, s, place, user);
    return bilinear(p);
}

/* A zero of sigma near s, to many digits; 0 if there is none. */
static double polish(taut_pole *p, double s, int times, taut_place_fn *place, void *user) {
    const double delta = TAUT_POLE_ASIDE * fabs(s);
    double step = 0.0;
    for (int i = 0; i < times; i++) {
        look_at(p, s, place, user);
        if (!factor(p)) return s;
        look(p, p->lu);
        const double value = p->tilt, rate = slope(p, s, value, delta, place, user);
        step = -value / rate;
        if (!(fabs(step) < 0.1 * fabs(s))) return 0.0;
        s += step;
    }
    return fabs(step) < 0.02 * fabs(s) ? s : 0.0;
}

/* With w and n of the first one w^T G n is a parabola that begins with a slope there. */
double taut_pole_second(taut_pole *p, double r, double reach, taut_place_fn *place, void *user) {
    look_at(p, r, place, user);
    const double first = bilinear(p),
                 rate = slope(p, r, first, TAUT_POLE_ASIDE * fabs(reach), place, user);
    for (int k = 1; k <= SAMPLES; k++) {
        double x = reach * k / SAMPLES, f = taut_pole_tilt(p, r + x, place, user) - first;
        if (!(f * rate * x < 0.0)) continue;
        for (int i = 0; i < REFINEMENTS; i++) {
            const double bend = (f - rate * x) / (x * x), next = -rate / bend;
            if (!(fabs(next) <= fabs(reach)) || !(next * reach > 0.0)) break; /* also NaN */
            x = next;
            f = taut_pole_tilt(p, r + x, place, user) - first;
        }
        return polish(p, r + x, 2, place, user);
    }
    return 0.0;
}

/* ---- do branches cross? ---- */

/* w^T g. With w^T G = 0 an error of the positions is felt by its square only. */
static double residual_along(const taut_pole *p) {
    double along = 0.0;
    for (int i = 0; i < p->series->system->n; i++)
        if (p->is_row[i]) along += p->w[i] * taut_series_residual(p->series, i, -2);
    return along;
}

/* What rounding alone may leave of w^T g: a few last bits of its largest terms. */
static double rounding(const taut_pole *p) {
    const taut_series *s = p->series;
    double sum = 0.0;
    for (int j = 0; j < s->system->n; j++)
        for (int k = s->start[j]; p->is_column[j] && k < s->start[j + 1]; k++)
            if (p->is_row[s->row[k]])
                sum += fabs(p->w[s->row[k]] * s->J[k] * taut_series_get(s, j, 0));
    return TAUT_POLE_ROUNDING * sum;
}

double taut_pole_gap(taut_pole *p, double r, taut_place_fn *place, void *user) {
    taut_series *s = p->series;
    const double sigma = p->sigma;
    double way = 0.0;
    place(user, 0.0);
    for (int j = 0; j < s->system->n; j++) p->from[j] = taut_series_get(s, j, 0);
    look_at(p, (1.0 - TAUT_POLE_BESIDE) * r, place, user);
    for (int j = 0; j < s->system->n; j++) {
        const double moved = taut_series_get(s, j, 0) - p->from[j];
        if (p->is_column[j]) way += moved * moved;
    }
    if (!factor(p)) return 0.0;
    look(p, p->lu);
    return fmax(0.0, fabs(residual_along(p)) - rounding(p)) / (sigma * sqrt(way));
}

taut_passage taut_pole_plan(double r, double plain, double closed, double usual) {
    /* the floor keeps noise from making the steps crawl */
    const double he = fmin(fmax(closed, 0.5 * usual), 1.3 * usual);
    if (fabs(r) > 2.0 * plain && r > 0.0 && r > 1.5 * he) return (taut_passage){plain, false};
    if (r < 0.0) {
        if (plain >= 0.9 * he) return (taut_passage){plain, false};
        const double h = fmax(plain, fmin(he, 1.5 * -r));
        return (taut_passage){h, h > 0.4 * -r};
    }
    if (r > 1.5 * he) return (taut_passage){fmin(plain, r - 0.5 * he), false};
    if (r > 0.75 * he) return (taut_passage){r - 0.67 * he, false};
    return (taut_passage){fmin(he, 1.5 * r), true};
}

taut_passage taut_pole_plan_two(double r, double second, double plain, double closed,
                                double usual) {
    const double middle = 0.5 * (r + second), spread = 0.5 * (second - r);
    if (spread > 0.6 * middle) { /* one by one: between them, and then on */
        taut_passage pass = taut_pole_plan(r, plain, closed, usual);
        if (pass.closure) pass.h = fmin(pass.h, middle);
        return pass;
    }
    /* both at once: beyond them sigma is what it was */
    if (middle > 1.5 * usual) return (taut_passage){fmin(plain, middle - 0.5 * usual), false};
    if (middle > 0.6 * usual) return (taut_passage){middle - 0.5 * usual, false};
    return (taut_passage){2.0 * middle, true};
}
