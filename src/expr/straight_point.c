/* The program for the entries of J as straight lines of C. */
#include <stddef.h>

#include "expr/point_parts.h"
#include "expr/straight.h"

typedef struct writer {
    taut_string *text;
    const taut_point *point;
    const taut_jet *jet;
    bool *known; /* [values] there is a local variable */
    bool *column, *place,
        *factor; /* what depends on parameters: [8 * columns], [values], [targets] */
} writer;

static void put_value(const writer *w, int place) {
    if (place < w->point->inputs)
        taut_string_add(w->text, "C[%d]", w->jet->place[w->point->input[place]]);
    else if (w->known[place])
        taut_string_add(w->text, "w%d", place);
    else if (w->place[place])
        taut_string_add(w->text, "n->point[%d]", place);
    else
        taut_straight_number(w->text, w->point->value[place]);
}

static void put_sum(const writer *w, const taut_bundle *b, int lane) {
    taut_straight_number(w->text, b->constant[lane]);
    for (int i = b->first; i < b->first + b->columns; i++) {
        const taut_bundle_column *c = &w->point->column[i];
        const bool open = w->column[i * TAUT_LANES + lane];
        if (!open && c->coef[lane] == 0.0) continue;
        taut_string_add(w->text, " + ");
        if (open) {
            const size_t offset = (size_t)i * sizeof *c + offsetof(taut_bundle_column, coef) +
                                  (size_t)lane * sizeof(double);
            taut_string_add(w->text, "*(const double *)(n->point_column + %zu) * ", offset);
        } else if (c->coef[lane] != 1.0) {
            taut_straight_number(w->text, c->coef[lane]);
            taut_string_add(w->text, " * ");
        }
        put_value(w, c->place[lane]);
    }
}

static void put_operation(const writer *w, const taut_bundle *b, int lane) {
    const bool product = b->kind == TAUT_BUNDLE_PRODUCT;
    if (!product) taut_string_add(w->text, "n->operation(%d, ", b->op[lane]);
    put_value(w, b->a[lane]);
    taut_string_add(w->text, product ? " * " : ", ");
    put_value(w, b->b[lane]);
    if (!product) taut_string_add(w->text, ")");
}

static void put_bundle(const writer *w, const taut_bundle *b) {
    for (int lane = 0; lane < b->count; lane++) {
        taut_string_add(w->text, "    const double w%d = ", b->result + lane);
        if (b->kind == TAUT_BUNDLE_SUM)
            put_sum(w, b, lane);
        else
            put_operation(w, b, lane);
        taut_string_add(w->text, ";\n");
    }
    for (int lane = 0; lane < b->count; lane++) w->known[b->result + lane] = true;
}

static void put_target(const writer *w, int i) {
    taut_string_add(w->text, "    J[%d] = ", i);
    if (w->factor[i]) {
        taut_string_add(w->text, "n->point_factor[%d] * ", i);
    } else if (w->point->coef[i] != 1.0) {
        taut_straight_number(w->text, w->point->coef[i]);
        taut_string_add(w->text, " * ");
    }
    put_value(w, w->point->target[i]);
    taut_string_add(w->text, ";\n");
}

static void list_numbers(const writer *w) {
    for (int i = 0; i < w->point->places; i++) {
        const taut_bundle_number *x = &w->point->place[i];
        switch (x->array) {
        case TAUT_IN_COLUMN: w->column[x->index * TAUT_LANES + x->lane] = true; break;
        case TAUT_IN_PLACE: w->place[x->index] = true; break;
        case TAUT_IN_TARGET: w->factor[x->index] = true; break;
        }
    }
}

taut_status taut_straight_point(taut_string *text, const taut_point *p, const taut_jet *jet) {
    taut_arena work = {0};
    const writer w = {.text = text,
                      .point = p,
                      .jet = jet,
                      .known = TAUT_NEW_ARRAY(&work, p->values, bool),
                      .column = TAUT_NEW_ARRAY(&work, p->columns * TAUT_LANES, bool),
                      .place = TAUT_NEW_ARRAY(&work, p->values, bool),
                      .factor = TAUT_NEW_ARRAY(&work, p->targets, bool)};
    const bool ready = w.known && w.column && w.place && w.factor;
    if (ready) {
        list_numbers(&w);
        taut_straight_enter(text, "jacobian", ", double *restrict J");
        for (int i = 0; i < p->bundles; i++) put_bundle(&w, &p->bundle[i]);
        for (int i = 0; i < (int)p->targets; i++) put_target(&w, i);
        taut_string_add(text, "}\n");
    }
    taut_arena_release(&work);
    return ready ? TAUT_OK : TAUT_ERR_MEMORY;
}

void taut_straight_use_point(taut_straight *straight, const taut_point *p) {
    straight->numbers.point = p->value;
    straight->numbers.point_factor = p->coef;
    straight->numbers.point_column = (const char *)p->column;
}
