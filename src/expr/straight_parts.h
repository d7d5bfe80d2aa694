/* What is written and how it is called, while a layout becomes C. Private to expr/straight*.c. */
#ifndef TAUT_EXPR_STRAIGHT_PARTS_H
#define TAUT_EXPR_STRAIGHT_PARTS_H

#include "expr/layout.h"
#include "expr/straight.h"

enum { TAUT_ANY_STAGE = 1 << 20 }; /* one above 0: s is a variable of the text */
enum { TAUT_MOST_CARRIED = 8 };    /* more would be stored again for a lack of registers */

/* Operands of convolutions whose order offset + s a stage s leaves in a register. */
typedef struct taut_carried {
    int block, offset, width;
    int count; /* lanes in use */
} taut_carried;

struct taut_straight_pen {
    taut_string *text;
    const taut_jet *jet;
    const taut_layout *layout;
    taut_arena arena;
    int stage;
    bool *newest, *steady; /* [coefs] there is a local variable for this place */
    /* numbers that depend on parameters, by array: [its length in numbers] */
    bool *varies[TAUT_NUMBER_ARRAYS];
    size_t lengths[TAUT_NUMBER_ARRAYS];
    bool changed_only; /* rows that change as the stage is finished */
    taut_carried carried[TAUT_MOST_CARRIED];
    int carries;
};

/* A program, and how its numbers are called in the text. */
typedef struct taut_straight_part {
    const taut_row_program *rows;
    taut_number_array terms, factors;
    const char *term, *factor;
} taut_straight_part;

/* Lists the numbers that depend on parameters. */
taut_status taut_straight_list_numbers(taut_straight_pen *pen);
bool taut_straight_varies(const taut_straight_pen *pen, taut_number_array array, size_t offset);
/* A number of the layout that lies so many bytes from the beginning of its array. */
void taut_straight_put_number(const taut_straight_pen *pen, taut_number_array array,
                              const char *name, size_t offset, double x);
/* The newest order whose place at stage 0 is this one; what lies at a place, whatever the stage. */
void taut_straight_put_newest(const taut_straight_pen *pen, int place);
void taut_straight_put_steady(const taut_straight_pen *pen, int place);
bool taut_straight_is_zero(const taut_straight_pen *pen, int place);
/* Vectors for so many lanes. */
static inline int taut_straight_width_of(int count) { return count > 4 ? 8 : count > 2 ? 4 : 2; }
/* Writes the register with the newest order that a convolution of this offset reads of a block.
 * False: there is none. */
bool taut_straight_put_carried(const taut_straight_pen *pen, int block, int offset, int width);
/* At the end of a stage: what is newest now. */
void taut_straight_pass_on(const taut_straight_pen *pen);
/* The first groups of a program that have an order at this stage. */
void taut_straight_put_rows(taut_straight_pen *pen, const taut_straight_part *x, int groups);

#endif
