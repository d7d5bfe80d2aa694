/* Newest orders that stay in registers from stage to stage: convolutions that begin with them need
 * not wait until they have been stored and read again. */
#include "core/number.h"
#include "expr/straight_parts.h"

typedef taut_straight_pen pen;

/* A slot whose order 0 is at this place; -1: there is none. */
static int slot_at(const taut_jet *jet, int place) {
    for (int i = 0; i < jet->tape->size; i++)
        if (jet->place[i] == place) return i;
    return -1;
}

static const taut_copy *copy_at(const taut_layout *l, int block) {
    for (int i = 0; i < l->copies; i++)
        if (l->copy[i].block == block) return &l->copy[i];
    return NULL;
}

/* Is order s + offset of all lanes in use what a stage s leaves in the block? */
static bool is_left(const pen *p, int block, int count, int offset) {
    const taut_copy *copy = copy_at(p->layout, block);
    if (copy) return copy->offset == offset;
    for (int lane = 0; lane < count; lane++) {
        const int slot = slot_at(p->jet, block + lane);
        if (slot < 0 || p->jet->tape->instr[slot].offset != offset) return false;
    }
    return true;
}

static const taut_carried *find(const pen *p, int block, int offset, int width) {
    for (int i = 0; i < p->carries; i++) {
        const taut_carried *c = &p->carried[i];
        if (c->block == block && c->offset == offset && c->width == width) return c;
    }
    return NULL;
}

static void put_name(const pen *p, const taut_carried *c) {
    taut_string_add(p->text, "w%d_%d", c->block, c->width);
}

/* One order beyond `order` of what is carried, in a loop over stages s. */
static void put_place(const pen *p, const taut_carried *c, int order, const char *stage) {
    taut_string_add(p->text, "*(const v%d *)(C + %d + 8 * %s)", c->width,
                    c->block + TAUT_LANES * order, stage);
}

static void carry(pen *p, int block, const taut_convolution *c) {
    const int width = taut_straight_width_of(c->count);
    if (p->carries == TAUT_MOST_CARRIED || find(p, block, c->offset, width) ||
        !is_left(p, block, c->count, c->offset))
        return;
    taut_carried *x = &p->carried[p->carries++];
    *x = (taut_carried){block, c->offset, width, c->count};
    taut_string_add(p->text, "    v%d ", width);
    put_name(p, x);
    taut_string_add(p->text, " = ");
    put_place(p, x, c->offset - 1, "from");
    taut_string_add(p->text, ";\n");
}

void taut_straight_carry(pen *p) {
    for (int i = 0; i < p->layout->convolutions; i++) {
        carry(p, p->layout->convolution[i].a, &p->layout->convolution[i]);
        carry(p, p->layout->convolution[i].b, &p->layout->convolution[i]);
    }
}

bool taut_straight_put_carried(const pen *p, int block, int offset, int width) {
    const taut_carried *c = find(p, block, offset, width);
    if (c) put_name(p, c);
    return c != NULL;
}

/* What lies in a lane, by its local variable. False: it has none. */
static bool is_local(const pen *p, const taut_carried *c) {
    for (int lane = 0; lane < c->count; lane++)
        if (!p->newest[c->block + TAUT_LANES * c->offset + lane]) return false;
    return true;
}

void taut_straight_pass_on(const pen *p) {
    for (int i = 0; i < p->carries; i++) {
        const taut_carried *c = &p->carried[i];
        const taut_copy *copy = copy_at(p->layout, c->block);
        taut_string_add(p->text, "    ");
        put_name(p, c);
        taut_string_add(p->text, " = ");
        if (!copy && !is_local(p, c)) {
            put_place(p, c, c->offset, "s");
            taut_string_add(p->text, ";\n");
            continue;
        }
        if (copy && copy->weighted) taut_string_add(p->text, "(double)(s + %d) * ", c->offset);
        taut_string_add(p->text, "(v%d){", c->width);
        for (int lane = 0; lane < c->width; lane++) {
            const int own = c->block + TAUT_LANES * c->offset + lane;
            if (lane > 0) taut_string_add(p->text, ", ");
            if (lane < c->count)
                taut_straight_put_newest(p, copy ? copy->source[lane] : own);
            else
                taut_string_add(p->text, "0.0");
        }
        taut_string_add(p->text, "};\n");
    }
}
