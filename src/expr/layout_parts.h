/* What the parts that make a layout share: terms of rows, groups, work space. Private to
 * expr/layout*.c. */
#ifndef TAUT_EXPR_LAYOUT_PARTS_H
#define TAUT_EXPR_LAYOUT_PARTS_H

#include <string.h>

#include "expr/convolutions.h"
#include "expr/layout.h"

/* Where the newest order of a slot is found before its stage is solved, if not at a place. */
enum { TAUT_PLACE_ZERO = -1, TAUT_PLACE_UNKNOWN = -2 };

/* What is looked at: the newest order; what of it is known before; all that is known of it while
 * the newest orders of the variables are 0. */
typedef enum taut_row_part { TAUT_NEWEST, TAUT_BASE, TAUT_OPENING, TAUT_PARTS } taut_row_part;

/* A term of a row. */
typedef struct taut_row_term {
    int slot; /* what it reads, in parts other than TAUT_BASE */
    int source, pace, p;
    double scale; /* the factor is this, ... */
    int partial;  /* ... times order 0 of this slot; -1: nothing else */
    int origin;   /* of scale, or of half of it: ... */
    bool twice;   /* ... this says which */
} taut_row_term;

/* A group: the instructions in the lanes of one vector. */
typedef struct taut_bunch {
    const taut_instr *member[TAUT_LANES];
    int count;
    int place; /* of what is looked at */
} taut_bunch;

/* On the heap, in the order in which they run. */
typedef struct taut_bunches {
    taut_bunch *item;
    size_t count, room;
} taut_bunches;

typedef struct taut_layout_builder {
    taut_jet *jet;
    const taut_tape *tape;
    taut_arena *arena;
    taut_arena scratch; /* for what is not needed later */
    taut_layout *layout;
    taut_job *job;       /* all convolutions */
    int *first_job;      /* [size + 1] */
    int *level;          /* [size] how many instructions of its offset it waits for */
    int *base;           /* [size] place of the base; TAUT_PLACE_ZERO: there is none */
    int *opening;        /* [size] place of the newest order while those of the variables are 0 */
    taut_row_term *term; /* work space for the terms of TAUT_LANES rows */
    int longest;         /* how many a row may have */
    int *columns, *own;  /* [kinds] columns of terms of a group, terms of a member: work space */
    taut_bunches group[TAUT_PARTS];
} taut_layout_builder;

/* Terms are of so many kinds: by the number of derivatives, and by a further property. */
static inline int taut_layout_kinds(const taut_layout_builder *b) {
    return 2 * (b->jet->most_derivatives + 1);
}

static inline void taut_layout_clear(const taut_layout_builder *b, int *count) {
    memset(count, 0, (size_t)taut_layout_kinds(b) * sizeof *count);
}

/* The group has as many columns of a kind as the member with most of them. */
static inline void taut_layout_widen(const taut_layout_builder *b) {
    for (int k = 0; k < taut_layout_kinds(b); k++)
        if (b->own[k] > b->columns[k]) b->columns[k] = b->own[k];
}

static inline int taut_slot_of(const taut_layout_builder *b, const taut_instr *x) {
    return (int)(x - b->tape->instr);
}

/* Order k + p of a slot where k is the newest order of x: its place at stage 0. */
static inline int taut_moving_place(const taut_layout_builder *b, const taut_instr *x, int slot,
                                    int p) {
    return b->jet->place[slot] + (x->offset + p) * TAUT_LANES;
}

static inline bool taut_is_leaf(const taut_instr *x) {
    return x->kernel == TAUT_KERNEL_STEADY || x->kernel == TAUT_KERNEL_TIME ||
           x->kernel == TAUT_KERNEL_VARIABLE;
}
static inline bool taut_is_divided(const taut_instr *x) {
    return x->kernel == TAUT_KERNEL_DIVIDE || x->kernel == TAUT_KERNEL_ROOT;
}

/* Does it have order 0 and no other? Then rows are needed for its place and its beginning only. */
static inline bool taut_is_brief(const taut_layout_builder *b, const taut_instr *x) {
    return b->jet->last_stage + x->offset < 1;
}

static inline size_t taut_bytes_between(const void *from, const void *to) {
    return (size_t)((const char *)to - (const char *)from);
}

/* expr/layout_terms.c: lists the terms of one part of a row; returns how many. */
int taut_layout_list(const taut_layout_builder *b, const taut_instr *x, taut_row_part which,
                     taut_row_term *to);
/* All convolutions. */
taut_status taut_layout_convolve(taut_layout_builder *b);

/* expr/layout_groups.c: which rows, bases and openings run side by side, and their places. */
taut_status taut_layout_form_rows(taut_layout_builder *b);
taut_status taut_layout_form_bases(taut_layout_builder *b);
taut_status taut_layout_form_openings(taut_layout_builder *b);

/* expr/layout_rows.c: the program of the groups that have been formed. */
taut_status taut_layout_program(taut_layout_builder *b, taut_row_part which, taut_row_program *p);
/* expr/layout_starts.c: order 0 of all rows. */
taut_status taut_layout_starts(taut_layout_builder *b);

#endif
