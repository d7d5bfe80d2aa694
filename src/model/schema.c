/* The table of keys. */
#include "model/schema.h"

#include <string.h>

static const taut_key KEY[] = {
#define TAUT_KEY(section, key, type, below, quantity, doc)                                         \
    {TAUT_SECTION_##section, #key, TAUT_TYPE_##type, TAUT_SECTION_##below, TAUT_##quantity, doc},
#include "model/schema.def"
#undef TAUT_KEY
};
enum { KEYS = sizeof KEY / sizeof KEY[0] };

const taut_key *taut_key_get(int i) { return i >= 0 && i < KEYS ? &KEY[i] : NULL; }

const taut_key *taut_key_find(taut_section section, const char *name) {
    for (int i = 0; i < KEYS; i++)
        if (KEY[i].section == section && strcmp(KEY[i].name, name) == 0) return &KEY[i];
    return NULL;
}

bool taut_key_holds_names(taut_key_type type) {
    switch (type) {
    case TAUT_TYPE_FORMULAS:
    case TAUT_TYPE_NAMES:
    case TAUT_TYPE_VALUES:
    case TAUT_TYPE_MAP:
    case TAUT_TYPE_DEFINITIONS:
    case TAUT_TYPE_ENTRIES:
    case TAUT_TYPE_ENTRIES_OR_LISTS:
    case TAUT_TYPE_ENTRIES_OR_NUMBERS:
    case TAUT_TYPE_ENTRIES_OR_NAMES:
    case TAUT_TYPE_ENTRIES_OR_FORMULAS: return true;
    default: return false;
    }
}
