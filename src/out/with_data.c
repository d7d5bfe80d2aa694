/* Another run beside that of a page: the columns that both have. */
#include <math.h>
#include <string.h>

#include "out/base64.h"
#include "out/columns.h"
#include "out/json.h"
#include "out/with_data.h"

enum { MOST_NUMBERS = 400000 };

/* Time, and what has a name of the page's own columns. */
static bool is_shared(const taut_columns *c, const taut_result *other, int k) {
    if (k == 0) return true;
    for (int i = 1; i < c->columns; i++)
        if (strcmp(c->column[i].kind, "hidden") != 0 &&
            strcmp(c->column[i].name, other->name[k]) == 0)
            return true;
    return false;
}

static void put_columns(taut_string *out, const taut_columns *c, const taut_result *other,
                        long stride) {
    taut_base64 e = {.out = out};
    long rows = 0;
    bool first = true;
    for (long r = 0; r < other->rows; r += stride) rows++;
    taut_string_add(out, ",\"rows\":%ld,\"columns\":[", rows);
    for (int k = 0; k < other->columns; k++) {
        if (!is_shared(c, other, k)) continue;
        taut_string_add(out, "%s{\"name\":", first ? "" : ",");
        taut_json_text(out, other->name[k]);
        taut_string_add(out, ",\"base\":");
        taut_json_number(out, other->value[k], 17);
        taut_string_add(out, "}");
        first = false;
    }
    taut_string_add(out, "],\n\"data\":\"");
    for (int k = 0; k < other->columns; k++) {
        if (!is_shared(c, other, k)) continue;
        const double base = isfinite(other->value[k]) ? other->value[k] : 0.0;
        for (long r = 0; r < other->rows; r += stride)
            taut_base64_float(&e, other->value[r * other->columns + k] - base);
    }
    taut_base64_finish(&e);
    taut_string_add(out, "\"");
}

void taut_with_data_write(const taut_result *other, const char *name, const taut_columns *c,
                          taut_string *out) {
    long shared = 0;
    if (!other || other->rows == 0) {
        taut_string_add(out, ",\n\"with\":null");
        return;
    }
    for (int k = 0; k < other->columns; k++) shared += is_shared(c, other, k);
    taut_string_add(out, ",\n\"with\":{\"name\":");
    taut_json_text(out, name ? name : "the other run");
    put_columns(out, c, other, 1 + other->rows * shared / MOST_NUMBERS);
    taut_string_add(out, "}");
}
