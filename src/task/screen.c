/* Rows for a screen. */
#include "task/screen.h"

#include <math.h>
#include <string.h>

/* A page of 2 MB has room for about 200,000 values. Half of them are for equidistant rows, at most
 * a quarter for ends of steps; the rest is left for columns that only a page has. */
static const long GRID_VALUES = 100000;
static const double MOTION = 1.5e6, LEAST_MOTION = 3e5; /* bytes, before they become text */
enum { MOST_ROWS = 1001, FEWEST_ROWS = 26 };

taut_screen taut_screen_begin(int columns) {
    long grid = GRID_VALUES / columns;
    if (grid > MOST_ROWS) grid = MOST_ROWS;
    if (grid < FEWEST_ROWS) grid = FEWEST_ROWS;
    return (taut_screen){.grid = grid, .stride = 1};
}

size_t taut_screen_left(const taut_screen *s, int columns) {
    const double table = 1.5 * (double)s->grid * (double)columns * (double)sizeof(float);
    return (size_t)fmax(LEAST_MOTION, MOTION - table);
}

void taut_screen_release(taut_screen *s) { taut_release((void **)&s->extra); }

bool taut_screen_wants_step(taut_screen *s) {
    if (++s->counted < s->stride) return false;
    s->counted = 0;
    return true;
}

/* Takes every second end of a step out of the table. */
static void thin(taut_screen *s, taut_result *r) {
    const size_t size = (size_t)r->columns * sizeof *r->value;
    long kept = 0, seen = 0;
    for (long i = 0; i < r->rows; i++) {
        if (s->extra[i] && seen++ % 2 == 0) {
            s->extras--;
            continue;
        }
        if (kept != i) memcpy(r->value + kept * r->columns, r->value + i * r->columns, size);
        s->extra[kept++] = s->extra[i];
    }
    r->rows = kept;
    s->stride *= 2;
}

taut_status taut_screen_added(taut_screen *s, taut_result *r, bool extra) {
    if (taut_grow((void **)&s->extra, &s->room, (size_t)r->rows, sizeof *s->extra))
        return TAUT_ERR_MEMORY;
    s->extra[r->rows - 1] = extra;
    if (extra && ++s->extras > s->grid / 2) thin(s, r);
    return TAUT_OK;
}
