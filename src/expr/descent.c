#include "expr/descent.h"

#include <string.h>

#include "core/arena.h"

taut_status taut_descent_reserve(taut_descent *d, size_t numbers) {
    size_t words = (numbers + 63) / 64;
    if (d->levels > 0 && words <= d->used[0]) return TAUT_OK;
    for (int level = 0; level < TAUT_DESCENT_LEVELS; level++, words = (words + 63) / 64) {
        const size_t before = d->used[level];
        if (words > before) {
            if (taut_grow((void **)&d->word[level], &d->room[level], words, sizeof *d->word[level]))
                return TAUT_ERR_MEMORY;
            memset(d->word[level] + before, 0, (words - before) * sizeof *d->word[level]);
            d->used[level] = words;
        }
        if (level >= d->levels && level > 0) /* a level that was not needed yet */
            for (size_t i = 0; i < d->used[level - 1]; i++)
                if (d->word[level - 1][i]) d->word[level][i >> 6] |= UINT64_C(1) << (i & 63);
        if (words <= 1) {
            d->levels = level + 1 > d->levels ? level + 1 : d->levels;
            break;
        }
    }
    return TAUT_OK;
}

void taut_descent_release(taut_descent *d) {
    for (int level = 0; level < TAUT_DESCENT_LEVELS; level++)
        taut_release((void **)&d->word[level]);
    *d = (taut_descent){0};
}
