/* Open addressing; at most half of the slots are taken. */
#include "core/roster.h"

#include <string.h>

#include "core/hash.h"

enum { FIRST_SLOTS = 64 };

/* Where a name is, or would be. */
static size_t slot_of(const taut_roster *r, const char *name) {
    size_t i = taut_hash_text(name) & (r->slots - 1);
    while (r->name[i] && strcmp(r->name[i], name) != 0) i = (i + 1) & (r->slots - 1);
    return i;
}

static taut_status grow(taut_roster *r, taut_arena *arena) {
    const taut_roster old = *r;
    taut_roster larger = {.slots = old.slots ? 2 * old.slots : FIRST_SLOTS, .count = old.count};
    larger.name = TAUT_NEW_ARRAY(arena, larger.slots, const char *);
    larger.value = TAUT_NEW_ARRAY(arena, larger.slots, int);
    if (!larger.name || !larger.value) return TAUT_ERR_MEMORY;
    for (size_t i = 0; i < old.slots; i++) {
        if (!old.name[i]) continue;
        const size_t at = slot_of(&larger, old.name[i]);
        larger.name[at] = old.name[i];
        larger.value[at] = old.value[i];
    }
    *r = larger;
    return TAUT_OK;
}

taut_status taut_roster_put(taut_roster *r, taut_arena *arena, const char *name, int value) {
    if (2 * (r->count + 1) > r->slots) TAUT_TRY(grow(r, arena));
    const size_t at = slot_of(r, name);
    r->count += !r->name[at];
    r->name[at] = name;
    r->value[at] = value;
    return TAUT_OK;
}

int taut_roster_get(const taut_roster *r, const char *name) {
    if (r->slots == 0) return -1;
    const size_t at = slot_of(r, name);
    return r->name[at] ? r->value[at] : -1;
}
