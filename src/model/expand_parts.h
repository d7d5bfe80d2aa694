/* What the expansion of a file's text and the values of its indices share. Private to the room. */
#ifndef TAUT_MODEL_EXPAND_PARTS_H
#define TAUT_MODEL_EXPAND_PARTS_H

#include "model/model.h"

typedef struct taut_expander {
    taut_model *model;
    taut_arena *arena; /* the model's */
    taut_errors *errors;
    bool faulty, stopped; /* stopped: too large, or out of memory */
    long nodes, bytes;    /* made so far */
    long most;            /* nodes that fit into memory; 0: not known yet */
    taut_graph *scratch;  /* for the values of indices */
    int parameters;       /* that are being looked up */
} taut_expander;

#define TAUT_EXPAND_FAULT(x, node, ...)                                                            \
    ((x)->faulty = true,                                                                           \
     taut_fail_at((x)->errors, TAUT_ERR_INPUT, taut_yaml_place(node), __VA_ARGS__))

/* The formula of a parameter as the context of a node sees it; *override: what takes its place, or
 * NULL. NULL: there is none of this name. */
const taut_yaml *taut_expand_parameter(const taut_expander *x, const taut_yaml *node,
                                       const char *name, const char **override);
/* A whole number from a piece of a scalar's text. False: it was reported, or memory is short. */
bool taut_expand_whole(taut_expander *x, const taut_yaml *node, const char *text, size_t length,
                       long *number);

#endif
