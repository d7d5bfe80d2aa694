/* The motion between the rows of a page: docs/scene.md, "motion". Values and rates are 16-bit
 * numbers where that moves nothing by more than a quarter of what is allowed, and floats elsewhere.
 */
#include <math.h>

#include "out/base64.h"
#include "out/columns.h"
#include "out/json.h"

static const double STEPS = 65535.0;
static const double SHARE = 0.25;      /* of what is allowed: rounding */
static const double PART = 4.0 / 27.0; /* the largest s (1 - s)^2: what a rate moves */

/* One list of numbers: values of a column, or rates. */
typedef struct packing {
    double low, step; /* 16 bits: low + step * number; step 0: floats */
} packing;

static double number(const taut_knots *k, long knot, int column, int part) {
    return (double)k->value[(knot * k->columns + column) * 2 + part];
}

static packing pack(const taut_knots *k, int column, int part) {
    const double harm = part ? PART * k->longest : 1.0;
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (long i = 0; i < k->knots; i++) {
        const double x = number(k, i, column, part); /* fmin and fmax: gcc 12 for aarch64 fails */
        if (x < low) low = x;
        if (x > high) high = x;
    }
    const double step = high > low ? (high - low) / STEPS : 1.0;
    const bool fits = 0.5 * step * harm <= SHARE * k->allowed[column] || high == low;
    return (packing){low, fits && isfinite(step) ? step : 0.0};
}

static void put(taut_base64 *e, const packing *p, double x) {
    if (p->step == 0.0)
        taut_base64_float(e, x);
    else
        taut_base64_word(e, (uint64_t)lround((x - p->low) / p->step), 2);
}

/* How many knots there is room for. */
static long room_for(const taut_knots *k, const packing *p) {
    size_t bytes = sizeof *k->time;
    for (int c = 0; c < 2 * k->columns; c++) bytes += p[c].step == 0.0 ? 4 : 2;
    const size_t most = k->most / bytes;
    return (size_t)k->knots > most ? (long)most : k->knots;
}

static void write_list(const packing *p, int column, taut_string *out) {
    taut_string_add(out, "\n{\"column\":%d", column);
    for (int part = 0; part < 2; part++) {
        taut_string_add(out, ",\"%s\":[", part ? "rate" : "value");
        taut_json_number(out, p[part].low, 17);
        taut_string_add(out, ",");
        taut_json_number(out, p[part].step, 17);
        taut_string_add(out, "]");
    }
    taut_string_add(out, "}");
}

taut_status taut_motion_write(const taut_knots *k, taut_arena *arena, taut_string *out) {
    packing *p = TAUT_NEW_ARRAY(arena, 2 * k->columns + 1, packing);
    taut_base64 times = {.out = out}, values = {.out = out};
    if (!p) return TAUT_ERR_MEMORY;
    if (k->columns == 0 || k->knots < 2) return TAUT_OK;
    for (int c = 0; c < 2 * k->columns; c++) p[c] = pack(k, c / 2, c % 2);
    const long knots = room_for(k, p);
    if (knots < 2) return TAUT_OK;
    taut_string_add(out, ",\n\"motion\":{\"knots\":%ld,\"until\":", knots);
    taut_json_number(out, knots < k->knots ? k->time[knots - 1] : k->until, 17);
    taut_string_add(out, ",\n\"columns\":[");
    for (int c = 0; c < k->columns; c++) {
        taut_string_add(out, c ? "," : "");
        write_list(&p[2 * c], k->column[c], out);
    }
    taut_string_add(out, "],\n\"t\":\"");
    for (long i = 0; i < knots; i++) taut_base64_double(&times, k->time[i]);
    taut_base64_finish(&times);
    taut_string_add(out, "\",\n\"data\":\"");
    for (int c = 0; c < 2 * k->columns; c++)
        for (long i = 0; i < knots; i++) put(&values, &p[c], number(k, i, c / 2, c % 2));
    taut_base64_finish(&values);
    taut_string_add(out, "\"}");
    return TAUT_OK;
}
