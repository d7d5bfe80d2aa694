/* A formula while it is read, for those who read its parts. Private to expr/infix*.c. */
#ifndef TAUT_EXPR_INFIX_PARTS_H
#define TAUT_EXPR_INFIX_PARTS_H

#include "core/text.h"
#include "expr/infix.h"

/* A comma in a flow list ends a plain scalar: the usual cause of an open parenthesis. */
#define TAUT_INFIX_TORN "(if a comma ended the formula here, quote it: \"...\")"

typedef struct taut_infix {
    taut_graph *graph;
    const char *text;
    long length, at;
    const taut_scope *scope;
    taut_infix_error *error;
    bool compares; /* there is a comparison somewhere */
    int *depth;
    taut_status status;
} taut_infix;

/* A fault has no value. */
static const taut_measure TAUT_NO_MEASURE = {{0}, {TAUT_DIMENSION_ANY, {0}}};

/* TAUT_NO_NODE, of what was refused, is no value either: nobody works on with it. */
static inline taut_measure taut_infix_scalar(taut_node node, taut_dimension dimension) {
    if (node == TAUT_NO_NODE) return TAUT_NO_MEASURE;
    return (taut_measure){taut_vec_scalar(node), dimension};
}

static inline taut_dimension taut_infix_plain(taut_knowledge knowledge) {
    return (taut_dimension){knowledge, {0}};
}

/* ---- characters and words (infix_words.c) ---- */

static inline bool taut_infix_is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static inline bool taut_infix_is_letter(char c) { return taut_is_letter(c) || c == '_'; }

/* The character at the reading position, behind spaces; NUL at the end. */
static inline char taut_infix_peek(taut_infix *r) {
    while (r->at < r->length && taut_infix_is_space(r->text[r->at])) r->at++;
    return r->at < r->length ? r->text[r->at] : '\0';
}

static inline bool taut_infix_take(taut_infix *r, char c) {
    if (taut_infix_peek(r) != c) return false;
    r->at++;
    return true;
}

/* Does the word stand at this place, as a whole? And behind spaces: then the position is behind
 * it. */
bool taut_infix_has_word(const taut_infix *r, long at, const char *word);
bool taut_infix_take_word(taut_infix *r, const char *word);
/* What stands at the reading position, for a message. */
const char *taut_infix_found(taut_infix *r, char *text, size_t size);

/* The first fault is kept; it has no value. */
taut_measure taut_infix_refuse(taut_infix *r, long offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Quantities that cannot be added or compared. */
taut_measure taut_infix_refuse_mixture(taut_infix *r, long at, const char *what, taut_dimension a,
                                       taut_dimension b);
/* Refuse what has a unit, such as the argument of a sine; and what is a vector. */
bool taut_infix_want_pure(taut_infix *r, const taut_measure *m, long start, const char *what);
bool taut_infix_want_scalar(taut_infix *r, taut_vec a, long start, const char *what);

/* ---- numbers (infix_number.c) ---- */

taut_measure taut_infix_read_number(taut_infix *r);

/* ---- conditions (infix_condition.c) ---- */

/* Can there be a condition anywhere? */
bool taut_infix_has_comparison(const char *text, long length);
/* Does a condition stand from here to the end, or to a parenthesis that was opened before? */
bool taut_infix_begins_condition(const taut_infix *r, long at);
/* A condition, one level deeper; and one in parentheses. */
taut_node taut_infix_read_condition(taut_infix *r);
taut_node taut_infix_read_group(taut_infix *r);
/* (condition, a, b) behind `if`, which stands at `start`. */
taut_measure taut_infix_read_choice(taut_infix *r, long start);
/* The mode of a boundary: a number that is 1 above zero and 0 below. */
taut_node taut_infix_mode(taut_infix *r, taut_node boundary, long start, const char *name);
/* mode a + (1 - mode) b */
taut_node taut_infix_choose(taut_graph *g, taut_node mode, taut_node a, taut_node b);

/* ---- functions (infix_function.c) ---- */

bool taut_infix_is_function(const char *name);
/* Reads the arguments of the function, which stands at `start`, and applies it; false: there is
 * none of this name. */
bool taut_infix_call(taut_infix *r, const char *name, long start, taut_measure *value);

/* ---- the rest (infix.c) ---- */

taut_measure taut_infix_read_sum(taut_infix *r);
/* Reads one level deeper. */
taut_measure taut_infix_descend(taut_infix *r, taut_measure (*read)(taut_infix *));
taut_measure taut_infix_power(taut_infix *r, taut_measure base, taut_measure exponent, long at);

#endif
