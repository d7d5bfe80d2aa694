/* The tape: the part of a graph that a set of roots needs, as a list of operations on series.
 *
 * It is the neutral form of a program: one operation after the other, each with its operands, its
 * result and whether it moves, and nothing about how or in which lanes it runs. The layout of
 * Taylor arithmetic is made of it (expr/layout.h), evaluators of plain values are made of one
 * without series (expr/plain.h), and whatever else is to be written down, in text (expr/listing.h)
 * or as code, starts from it: the steady part is tape->numbers, results are k1, k2, ...; the moving
 * part is instr[], results are v0, v1, ...
 *
 * Every node v has an offset o_v: at stage s it is known up to order s + o_v. A variable x_j has
 * the offset d_j that the structural analysis gave it, DIFF(e, p) has o_e - p, every other node the
 * smallest offset of its arguments; what depends on t alone is known as far as anybody may ask.
 * See docs/math/taylor.md, section 1. */
#ifndef TAUT_EXPR_TAPE_H
#define TAUT_EXPR_TAPE_H

#include "core/arena.h"
#include "expr/graph.h"
#include "expr/numbers.h"
#include "expr/slots.h"

/* Offsets of what is constant in time, and (less derivatives taken) of what depends on t alone. */
enum { TAUT_OFFSET_NEVER = 1 << 20 };

typedef enum taut_kernel {
    TAUT_KERNEL_STEADY,   /* constant: order 0 only */
    TAUT_KERNEL_TIME,     /* t, h, 0, 0, ... */
    TAUT_KERNEL_VARIABLE, /* set by the solver */
    TAUT_KERNEL_INPUT,    /* plain tapes (expr/plain.h) only: found elsewhere */
    TAUT_KERNEL_SUM,      /* constant + terms: coef * series, its derivative, or a product */
    TAUT_KERNEL_DIVIDE,
    TAUT_KERNEL_ROOT,
    TAUT_KERNEL_CHAIN /* v' = sum of w_i a_i': every function */
} taut_kernel;

typedef struct taut_instr {
    uint8_t kernel; /* taut_kernel */
    uint8_t op;     /* taut_op, for order 0 */
    bool active;   /* at stage s, order s + offset changes with the coefficients found at stage s */
    bool root;     /* the caller asked for it */
    bool residual; /* the caller reads its newest order before the stage is solved */
    bool kept;     /* its final coefficients are read later: by a convolution or by the caller */
    bool urgent;   /* its newest order is read before the stage is solved: it leads to a residual */
    int offset;
    int a, b;         /* slots of the arguments; -1: none, or SUM */
    int first, count; /* SUM: its terms; CHAIN: its pairs (a_i, w_i) */
    int index;        /* VARIABLE, INPUT: which one */
    taut_node node;   /* where it came from */
} taut_instr;

/* One term of a SUM or CHAIN instruction. */
typedef struct taut_tape_term {
    int p;       /* SUM: its p-th time derivative is meant, that of the product if it is one */
    int slot;    /* SUM: the series; CHAIN: a_i */
    int other;   /* SUM: a second series, by which it is multiplied, or -1; CHAIN: w_i */
    int origin;  /* SUM: where its factor comes from, see expr/numbers.h */
    double coef; /* SUM: its factor, steady factors included */
} taut_tape_term;

/* Slot i is the result of instruction i; arguments come before results. */
typedef struct taut_tape {
    const taut_graph *graph; /* must outlive the tape */
    int size;
    taut_instr *instr;     /* [size] */
    double *constant;      /* [size] STEADY: the number; SUM: its constant */
    int *origin;           /* [size] where the constants come from */
    taut_numbers *numbers; /* how numbers follow from parameters; constant once the tape is made */
    taut_tape_term *term;  /* of all instructions */
    int terms;
    int *slot;      /* while it is made: [nodes] slot of a node of the graph, -1: none; then NULL */
    uint32_t nodes; /* how long slot[] is */
    taut_slots slots; /* the same of a tape that is made */
    int first_stage;  /* the stage at which the first order 0 appears, -(largest offset) */
} taut_tape;

/* Offsets of all nodes of the graph as it is now, from the variables' d[]. */
taut_status taut_tape_offsets(const taut_graph *graph, const int *d, taut_arena *arena,
                              int **offset);
/* The tape of `roots`; may add nodes (derivatives of functions) to the graph. Memory from arena. */
taut_status taut_tape_create(taut_graph *graph, const int *d, const taut_node *roots, size_t count,
                             taut_arena *arena, taut_tape **tape);
/* Says that these roots, and no others, are read before a stage is solved (see `urgent`); only: and
 * not afterwards, so that what leads to them alone need not be brought up to date (see `kept`). */
void taut_tape_mark_residuals(taut_tape *tape, const taut_node *root, size_t count, bool only);
/* What computes a node. */
taut_kernel taut_tape_kernel(const taut_graph *graph, taut_node node);
/* How many elementary operations the tape stands for, sums and products taken apart: additions,
 * multiplications (by numbers other than 1 and -1 as well), derivatives, functions. */
int taut_tape_operations(const taut_tape *tape);
/* The slot of a node, -1 if it is not on the tape. */
int taut_tape_slot(const taut_tape *tape, taut_node node);

#endif
