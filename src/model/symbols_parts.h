/* What the namespace, the meaning of names and the reading of formulas share. Private to the
 * room. */
#ifndef TAUT_MODEL_SYMBOLS_PARTS_H
#define TAUT_MODEL_SYMBOLS_PARTS_H

#include "model/symbols.h"

enum { TAUT_SYMBOLS_DEEPEST = 200 }; /* definitions that use definitions */
enum { TAUT_SYMBOLS_LOCALS = 2 };
enum { TAUT_CONSTANTS_KEPT = 16 };

typedef enum taut_symbol_state {
    TAUT_SYMBOL_UNREAD,
    TAUT_SYMBOL_READING,
    TAUT_SYMBOL_READY,
    TAUT_SYMBOL_BROKEN,
    TAUT_SYMBOL_ELEMENT,
    TAUT_SYMBOL_NAME,
    TAUT_SYMBOL_TABLE
} taut_symbol_state;

typedef struct taut_symbol {
    const char *name;
    taut_symbol_state state;
    bool parameter, used;
    int index;        /* parameter number; TABLE: its number; ELEMENT: its number ... */
    int component;    /* ... and which of its components, -1: all */
    const char *what; /* NAME: what has it */
    taut_source source;
    taut_vec value;
    taut_dimension dimension; /* of the value, if its formula has units */
    taut_quantity quantity;   /* what its initial values are */
    taut_place place;
} taut_symbol;

/* A formula that was read, and is constant in time. */
typedef struct taut_kept_constant {
    const taut_yaml *node; /* NULL: none yet */
    taut_symbols_scope scope;
    bool constant;
    taut_measure measure;
} taut_kept_constant;

struct taut_symbols {
    taut_model *model;
    taut_errors *errors;
    bool finished; /* the file is read: whoever reports anything has a list of their own */
    taut_symbol *item;
    size_t count, room;
    size_t offered;  /* names compared so far with names that are not known */
    uint32_t *table; /* [size] place in item[] plus one; 0: empty */
    size_t size;
    const taut_context *context; /* of the formula that is being read; NULL: none */
    int depth;                   /* definitions that use definitions */
    int nesting;                 /* parentheses and formulas in formulas, in all of them */
    taut_place place;            /* of the formula that is being read */
    bool in_parameter;           /* the formula that is being read is a parameter's */
    bool constant;               /* ... or is to be a number */
    taut_symbols_scope scope;
    taut_doubt *doubt;
    void *doubt_user;
    const char *local[TAUT_SYMBOLS_LOCALS]; /* [locals] names of certain formulas only */
    taut_node local_node[TAUT_SYMBOLS_LOCALS];
    int locals;
    taut_kept_constant kept[TAUT_CONSTANTS_KEPT]; /* those read last, by their texts */
};

/* The entry of a name; NULL: there is none. Valid until the next name is added. */
taut_symbol *taut_symbols_lookup(const taut_symbols *s, const char *name);

/* Why a name has no value, where that has been reported already: one message a fault is enough. */
#define TAUT_REPORTED " "

/* formula_read.c: a formula with its units, from a text and from the file. Faults of a text are for
 * the caller to report, if they are the first that is said about their cause. */
taut_status taut_formula_text(taut_symbols *s, const char *text, long length, taut_measure *measure,
                              taut_infix_error *error);
bool taut_formula_is_news(const taut_infix_error *error);
taut_status taut_formula_measure(taut_symbols *s, const taut_yaml *node, int size,
                                 taut_quantity wanted, taut_measure *measure);

/* meaning.c: what names and calls of tables mean in the formula that is being read; members of a
 * taut_scope, with the symbols as user. */
bool taut_meaning_find(void *user, const char *name, taut_measure *measure, char *why, size_t size);
const char *taut_meaning_nearest(void *user, const char *name);
int taut_meaning_number_line(void *user, const char *name, const char **what);
int taut_meaning_arity(void *user, const char *name, char *why, size_t size);
bool taut_meaning_call(void *user, const char *name, const taut_node *argument, taut_node *value,
                       char *why, size_t size);

/* hidden.c: makes *node, the formula of a parameter, that parameter. */
taut_status taut_hidden_name(taut_symbols *s, int index, taut_node *node);
/* ... and the other members of a scope: the mode of a boundary; the largest integer up to x. */
bool taut_hidden_mode(void *user, taut_node boundary, taut_node *mode);
bool taut_hidden_whole(void *user, taut_node x, taut_node *n);

#endif
