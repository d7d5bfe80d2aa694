/* From a layout to functions of C: convolutions in lanes, rows between them, copies. */
#include "expr/straight.h"

#include <stddef.h>
#include <string.h>

#include "core/lanes.h"
#include "core/number.h"
#include "expr/ops.h"
#include "expr/straight_parts.h"

enum { AT_ONCE = 10, AT_ONCE_NARROW = 5 }; /* sums that stay in registers */

typedef taut_straight_pen pen;
typedef taut_straight_part part;

static part bases_of(const pen *p) {
    return (part){&p->layout->bases, TAUT_IN_BASES, TAUT_IN_BASES_FACTOR, "bases", "bases_factor"};
}
static part all_of(const pen *p) {
    return (part){&p->layout->all, TAUT_IN_ALL, TAUT_IN_ALL_FACTOR, "all", "all_factor"};
}
static part opening_of(const pen *p) {
    return (part){&p->layout->opening, TAUT_IN_OPENING, TAUT_IN_OPENING_FACTOR, "opening",
                  "opening_factor"};
}

/* Forgets all local variables. */
static void begin_function(pen *p, int stage) {
    p->stage = stage;
    memset(p->newest, 0, p->layout->coefs * sizeof *p->newest);
    memset(p->steady, 0, p->layout->coefs * sizeof *p->steady);
}

/* ---- convolutions ---- */

static void put_product(const pen *p, int i, const char *at_a, const char *at_b) {
    const int width = taut_straight_width_of(p->layout->convolution[i].count);
    taut_string_add(p->text, "            s%d += *(const v%d *)(a%d%s) * *(const v%d *)(b%d%s);\n",
                    i, width, i, at_a, width, i, at_b);
}

/* The first stage of those that the text is for. */
static int least_stage(const pen *p) { return p->stage == TAUT_ANY_STAGE ? 1 : p->stage; }

/* Where the coefficient of a lane is. */
static size_t coef_at(int i, int lane) {
    return (size_t)i * sizeof(taut_convolution) + offsetof(taut_convolution, coef) +
           (size_t)lane * sizeof(double);
}

/* a_(k-1) or b_(k-1). */
static void put_newest_factor(const pen *p, int i, bool first) {
    const taut_convolution *c = &p->layout->convolution[i];
    const int width = taut_straight_width_of(c->count);
    const int block = first ? c->a : c->b;
    if (p->stage == TAUT_ANY_STAGE && taut_straight_put_carried(p, block, c->offset, width)) return;
    taut_string_add(p->text, "*(const v%d *)(%c%d %s)", width, first ? 'a' : 'b', i,
                    first ? "+ k - 1" : "- 1");
}

/* a_(k-1) b_1 or a_1 b_(k-1). Of a mean the old one is divided: nobody waits for that. */
static void put_newest_product(const pen *p, int i, bool first) {
    const taut_convolution *c = &p->layout->convolution[i];
    taut_string_add(p->text, "        s%d += ", i);
    put_newest_factor(p, i, first);
    taut_string_add(p->text, " * (*(const v%d *)(%c%d %s)%s);\n", taut_straight_width_of(c->count),
                    first ? 'b' : 'a', i, first ? "- k + 1" : "+ 1",
                    c->kind == TAUT_SUM_MEAN ? " / (double)k" : "");
}

/* Products of the newest orders with the oldest ones. */
static void put_last_products(const pen *p, int i) {
    const taut_convolution *c = &p->layout->convolution[i];
    const int least = least_stage(p) + c->offset;
    taut_string *t = p->text;
    if (c->kind == TAUT_SUM_MEAN) taut_string_add(t, "        s%d /= (double)k;\n", i);
    if (least <= 2) taut_string_add(t, "        if (k > 2)\n");
    if (c->kind != TAUT_SUM_SQUARE) put_newest_product(p, i, true);
    if (c->kind == TAUT_SUM_TO_END || c->kind == TAUT_SUM_ALL) put_product(p, i, " + k", " - k");
    if (c->kind == TAUT_SUM_ALL) put_product(p, i, "", "");
    if (least <= 1 && c->kind != TAUT_SUM_SQUARE) taut_string_add(t, "        if (k > 1)\n");
    put_newest_product(p, i, false);
}

/* What is left of a sum when the loop is over, and its place. The newest orders come last: all that
 * is before them is computed while the stage before is still being solved. Where the first factor
 * has its order k already, it is order k - 1 of the second one that is the newest of all. */
static void end_convolution(pen *p, int i) {
    const taut_convolution *c = &p->layout->convolution[i];
    const int width = taut_straight_width_of(c->count);
    taut_string *t = p->text;
    put_last_products(p, i);
    const double times = c->kind == TAUT_SUM_SQUARE ? 2.0 : 1.0;
    bool other = false;
    for (int lane = 0; lane < c->count; lane++)
        other = other || times * c->coef[lane] != 1.0 ||
                taut_straight_varies(p, TAUT_IN_CONVOLUTION, coef_at(i, lane));
    if (other) {
        taut_string_add(t, "        s%d *= (v%d){", i, width);
        for (int lane = 0; lane < width; lane++) {
            const bool varies =
                lane < c->count && taut_straight_varies(p, TAUT_IN_CONVOLUTION, coef_at(i, lane));
            if (lane > 0) taut_string_add(t, ", ");
            if (varies && times != 1.0) taut_string_add(t, "2.0 * ");
            if (lane < c->count)
                taut_straight_put_number(p, TAUT_IN_CONVOLUTION, "convolution", coef_at(i, lane),
                                         times * c->coef[lane]);
            else
                taut_string_add(t, "0.0");
        }
        taut_string_add(t, "};\n");
    }
    taut_string_add(t, "        *(v%d *)(C + %d) = s%d;\n", width, c->result, i);
}

/* Some of one offset, squares or others, in one loop: none waits for another. */
static void put_loop(pen *p, const int *list, int count, int offset, bool square) {
    taut_string *t = p->text;
    taut_string_add(t, "    {\n        const int k = s + %d;\n", offset);
    for (int m = 0; m < count; m++) {
        const taut_convolution *c = &p->layout->convolution[list[m]];
        taut_string_add(t,
                        "        v%d s%d = {0};\n"
                        "        const v8 *a%d = (const v8 *)(C + %d), *b%d = (const v8 *)(C + %d) "
                        "+ k;\n",
                        taut_straight_width_of(c->count), list[m], list[m], c->a, list[m], c->b);
    }
    if (square) { /* the half of the one in the middle: all counts twice in the end */
        taut_string_add(t, "        if (k %% 2 == 0) {\n");
        for (int m = 0; m < count; m++) put_product(p, list[m], " + k / 2", " - k / 2");
        for (int m = 0; m < count; m++) taut_string_add(t, "            s%d *= 0.5;\n", list[m]);
        taut_string_add(t, "        }\n");
    }
    taut_string_add(t, "        _Pragma(\"GCC unroll 1\")\n");
    taut_string_add(t, square ? "        for (int l = (k - 1) / 2; l >= 2; l--) {\n"
                              : "        for (int l = 2; l <= k - 2; l++) {\n");
    for (int m = 0; m < count; m++) put_product(p, list[m], " + l", " - l");
    taut_string_add(t, "        }\n");
    for (int m = 0; m < count; m++) end_convolution(p, list[m]);
    taut_string_add(t, "    }\n");
}

/* How many sums stay in registers: those of eight lanes are twice as many in shorter ones. */
static int sums_at_once(void) {
#if TAUT_WIDER
    if (__builtin_cpu_supports("avx512f")) return AT_ONCE;
#endif
    return AT_ONCE_NARROW;
}

static void put_convolutions_of(pen *p, int offset, bool square) {
    const taut_layout *l = p->layout;
    const int most = sums_at_once();
    int list[AT_ONCE], count = 0;
    for (int i = 0; i < l->convolutions; i++) {
        const taut_convolution *c = &l->convolution[i];
        if (c->offset != offset || (c->kind == TAUT_SUM_SQUARE) != square) continue;
        list[count++] = i;
        if (count < most) continue;
        put_loop(p, list, count, offset, square);
        count = 0;
    }
    if (count > 0) put_loop(p, list, count, offset, square);
}

static void put_convolutions(pen *p) {
    const taut_layout *l = p->layout;
    int least = TAUT_ANY_STAGE, most = -TAUT_ANY_STAGE;
    for (int i = 0; i < l->convolutions; i++) {
        const int offset = l->convolution[i].offset;
        least = offset < least ? offset : least;
        most = offset > most ? offset : most;
    }
    for (int offset = least; offset <= most; offset++) {
        if (p->stage + offset < 1) continue;
        put_convolutions_of(p, offset, false);
        put_convolutions_of(p, offset, true);
    }
}

/* Operands that do not lie side by side go where they do. */
static void put_copies(pen *p) {
    taut_string *t = p->text;
    for (int i = 0; i < p->layout->copies; i++) {
        const taut_copy *c = &p->layout->copy[i];
        const int width = taut_straight_width_of(c->count);
        if (p->stage + c->offset < 0) continue;
        taut_string_add(t, "    *(v%d *)(C + %d + 8 * s) = ", width,
                        c->block + TAUT_LANES * c->offset);
        if (c->weighted) taut_string_add(t, "(double)(s + %d) * ", c->offset);
        taut_string_add(t, "(v%d){", width);
        for (int lane = 0; lane < width; lane++) {
            if (lane > 0) taut_string_add(t, ", ");
            if (lane < c->count)
                taut_straight_put_newest(p, c->source[lane]);
            else
                taut_string_add(t, "0.0");
        }
        taut_string_add(t, "};\n");
    }
}

/* ---- functions ---- */

bool taut_straight_fits(const taut_jet *jet) {
    return jet->layout->last_start == 0 && jet->last_stage >= 2;
}

#define TEXT_OF_(...) #__VA_ARGS__
#define TEXT_OF(x) TEXT_OF_(x)

void taut_straight_begin(taut_string *t) {
    for (int width = 2; width <= 8; width *= 2)
        taut_string_add(t,
                        "typedef double v%d __attribute__((vector_size(%d), aligned(%d), "
                        "may_alias));\n",
                        width, 8 * width, 8 * width);
    taut_string_add(t, "typedef struct numbers { %s } numbers;\n", TEXT_OF(TAUT_STRAIGHT_NUMBERS));
}

/* Nothing else is where coefficients are: what is stored there changes no other number. */
void taut_straight_enter(taut_string *t, const char *name, const char *parameters) {
    taut_string_add(t,
                    "void %s(numbers *restrict n, double *restrict C%s) {\n"
                    "    const double *const shift = n->shift;\n"
                    "    (void)shift;\n",
                    name, parameters);
}

/* What a function does with a stage. */
typedef enum stage_part { STAGE_ITSELF, STAGE_AFTER_CORRECTION, STAGE_COMPLETE } stage_part;
static const char *const STAGE_NAME[] = {"stage", "finish", "see"};

static void put_stage(pen *p, int stage, stage_part what) {
    taut_string *t = p->text;
    const part bases = bases_of(p), all = all_of(p);
    char name[40];
    taut_format(name, sizeof name, "%s_%d", STAGE_NAME[what], -stage);
    begin_function(p, stage);
    taut_string_add(t, "static ");
    taut_straight_enter(t, name, "");
    taut_string_add(t, "    enum { s = %d };\n", stage);
    if (what != STAGE_AFTER_CORRECTION) {
        put_convolutions(p);
        taut_straight_put_rows(p, &bases, bases.rows->groups);
    }
    p->changed_only = what == STAGE_AFTER_CORRECTION;
    taut_straight_put_rows(p, &all, all.rows->groups);
    p->changed_only = false;
    if (what != STAGE_ITSELF) put_copies(p);
    taut_string_add(t, "}\n");
}

static void put_choice(taut_string *t, stage_part what, int first, int last) {
    const char *name = STAGE_NAME[what];
    taut_string_add(t, "void %s(numbers *n, double *C, int s) {\n    switch (s) {\n", name);
    for (int stage = first; stage <= last; stage++)
        taut_string_add(t, "    case %d: %s_%d(n, C); break;\n", stage, name, -stage);
    taut_string_add(t, "    }\n}\n");
}

static taut_status make_ready(pen *p, taut_string *text, const taut_jet *jet) {
    *p = (pen){.text = text, .jet = jet, .layout = jet->layout};
    p->newest = TAUT_NEW_ARRAY(&p->arena, jet->layout->coefs, bool);
    p->steady = TAUT_NEW_ARRAY(&p->arena, jet->layout->coefs, bool);
    return p->newest && p->steady ? taut_straight_list_numbers(p) : TAUT_ERR_MEMORY;
}

taut_status taut_straight_stages(taut_string *text, const taut_jet *jet) {
    pen p;
    const taut_status status = make_ready(&p, text, jet);
    for (int stage = jet->tape->first_stage; stage <= 0 && status == TAUT_OK; stage++) {
        put_stage(&p, stage, STAGE_ITSELF);
        put_stage(&p, stage, STAGE_AFTER_CORRECTION);
    }
    put_choice(text, STAGE_ITSELF, jet->tape->first_stage, 0);
    put_choice(text, STAGE_AFTER_CORRECTION, jet->tape->first_stage, 0);
    taut_arena_release(&p.arena);
    return status;
}

taut_status taut_straight_sights(taut_string *text, const taut_jet *jet, int last) {
    pen p;
    const taut_status status = make_ready(&p, text, jet);
    for (int stage = jet->tape->first_stage; stage <= last && status == TAUT_OK; stage++)
        put_stage(&p, stage, STAGE_COMPLETE);
    put_choice(text, STAGE_COMPLETE, jet->tape->first_stage, last);
    taut_arena_release(&p.arena);
    return status;
}

taut_status taut_straight_pen_create(taut_string *text, const taut_jet *jet, pen **created) {
    pen *p = taut_new(sizeof *p);
    *created = NULL;
    if (!p) return TAUT_ERR_MEMORY;
    const taut_status status = make_ready(p, text, jet);
    if (status == TAUT_OK) begin_function(p, TAUT_ANY_STAGE);
    *created = p;
    if (status != TAUT_OK) taut_straight_pen_free(created);
    return status;
}

void taut_straight_pen_free(pen **p) {
    if (*p) taut_arena_release(&(*p)->arena);
    taut_release((void **)p);
}

/* Constants and time at a stage above 0. */
static void put_leaves(pen *p) {
    const taut_jet *j = p->jet;
    for (int i = 0; i < j->leaves; i++) {
        const taut_instr *x = &j->tape->instr[j->leaf[i]];
        const int place = j->place[j->leaf[i]] + TAUT_LANES * x->offset;
        taut_string_add(p->text, "    C[%d + 8 * s] = ", place);
        if (x->kernel == TAUT_KERNEL_TIME)
            taut_string_add(p->text, "s == %d ? n->t : s == %d ? n->h : 0.0;\n", -x->offset,
                            1 - x->offset);
        else
            taut_string_add(p->text, "s == %d ? n->steady[%d] : 0.0;\n", -x->offset, i);
    }
    if (p->layout->timed)
        taut_string_add(p->text, "    if (s >= %d) C[%d] = C[%d + 8 * s];\n",
                        -p->layout->time_offset, p->layout->time, p->layout->time_now);
}

void taut_straight_open(pen *p) {
    const part bases = bases_of(p), opening = opening_of(p);
    put_leaves(p);
    put_convolutions(p);
    taut_straight_put_rows(p, &bases, bases.rows->groups);
    taut_straight_put_rows(p, &opening, opening.rows->groups);
}

void taut_straight_opened(pen *p, int slot) {
    if (taut_straight_is_zero(p, p->jet->opened[slot]))
        taut_string_add(p->text, "0.0");
    else
        taut_straight_put_steady(p, p->jet->opened[slot]);
}

void taut_straight_newest(pen *p, int slot) {
    const int place = p->jet->place[slot] + TAUT_LANES * p->jet->tape->instr[slot].offset;
    taut_string_add(p->text, "n%d", place);
    p->newest[place] = true;
}

int taut_straight_width(const pen *p, int block) {
    int width = 1;
    for (int i = 0; i < p->layout->convolutions; i++) {
        const taut_convolution *c = &p->layout->convolution[i];
        const bool reads = c->a == block || c->b == block;
        if (reads && taut_straight_width_of(c->count) > width)
            width = taut_straight_width_of(c->count);
    }
    return width;
}

void taut_straight_close(pen *p) {
    const part all = all_of(p);
    taut_straight_put_rows(p, &all, p->layout->kept);
    put_copies(p);
    taut_straight_pass_on(p);
}

/* ---- use ---- */

static double operate(int op, double a, double b) { return taut_op_value((taut_op)op, a, b); }

void taut_straight_use(taut_jet *jet, taut_straight *straight) {
    const taut_layout *l = jet->layout;
    jet->straight = straight;
    straight->numbers = (taut_straight_numbers){.steady = jet->steady,
                                                .shift = jet->shift,
                                                .bases = (const char *)l->bases.term,
                                                .all = (const char *)l->all.term,
                                                .opening = (const char *)l->opening.term,
                                                .bases_factor = (const char *)l->bases.factor,
                                                .all_factor = (const char *)l->all.factor,
                                                .opening_factor = (const char *)l->opening.factor,
                                                .value = (const char *)l->value,
                                                .start = (const char *)l->start,
                                                .convolution = (const char *)l->convolution,
                                                .operation = operate};
}

taut_straight_numbers *taut_straight_at(const taut_jet *jet) {
    taut_straight_numbers *n = &jet->straight->numbers;
    n->t = jet->t;
    n->h = jet->h;
    return n;
}

void taut_straight_join(taut_jet *jet) {
    const taut_layout *l = jet->layout;
    const int s = jet->uncopied;
    jet->ahead = jet->uncopied = TAUT_NO_STAGE;
    jet->fresh = false;
    for (int i = 0; i < l->copies && s != TAUT_NO_STAGE; i++) {
        const taut_copy *c = &l->copy[i];
        const int k = s + c->offset;
        for (int lane = 0; lane < c->count && k >= 0; lane++) {
            const double x = jet->coef[c->source[lane] + s * TAUT_LANES];
            jet->coef[c->block + k * TAUT_LANES + lane] = c->weighted ? x * (double)k : x;
        }
    }
}
