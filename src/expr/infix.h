/* Formulas as text: read into nodes, and nodes written back as text that reads to the same node. */
#ifndef TAUT_EXPR_INFIX_H
#define TAUT_EXPR_INFIX_H

#include "expr/measure.h"
#include "expr/vec.h"

enum { TAUT_NAME_MAX = 64, TAUT_PRIMES_MAX = 50 };

/* What went wrong, and at which byte of the text. */
typedef struct taut_infix_error {
    long offset;
    char message[400];
} taut_infix_error;

/* A value and what is known of its dimension. */
typedef struct taut_measure {
    taut_vec value;
    taut_dimension dimension;
} taut_measure;

/* What names mean. find: true and *measure set, or false; then it may fill `why` with the reason,
 * or leave it empty for "unknown name". nearest: a known name that resembles this one, or NULL. */
typedef struct taut_scope {
    void *user;
    bool (*find)(void *user, const char *name, taut_measure *measure, char *why, size_t size);
    const char *(*nearest)(void *user, const char *name);
    /* the line of the number with this name that could be meant here, and what it is ("parameter");
     * -1 if there is none; NULL: there are none */
    int (*number_line)(void *user, const char *name, const char **what);
    /* *mode: a parameter that is 1 where the boundary is above zero and 0 where it is below, for
     * formulas with kinks; false: they are not for this formula. NULL: for none. */
    bool (*kink)(void *user, taut_node boundary, taut_node *mode);
    /* *n: a parameter that is the largest integer up to x, likewise. */
    bool (*whole)(void *user, taut_node x, taut_node *n);
    /* functions that the file gives: how many arguments one takes (0: there is none of this name;
     * -1: `why` says why it has no value), and its value. NULL: there are none. */
    int (*arity)(void *user, const char *name, char *why, size_t size);
    bool (*call)(void *user, const char *name, const taut_node *argument, taut_node *value,
                 char *why, size_t size);
    int *depth; /* how deep the formulas are nested that are being read; NULL: find reads none */
} taut_scope;

/* Reads length bytes of text. TAUT_ERR_INPUT with *error filled, or TAUT_ERR_MEMORY. */
taut_status taut_infix_read(taut_graph *graph, const char *text, long length,
                            const taut_scope *scope, taut_measure *measure,
                            taut_infix_error *error);

/* Is this a condition, made of comparisons? As a value it is 1 where it is true, otherwise 0. */
bool taut_infix_is_condition(const char *text);
/* True for names that formulas use themselves: t, pi and the functions. */
bool taut_infix_is_reserved(const char *name);
/* True if text is a letter or _ followed by letters, digits and _. */
bool taut_infix_is_name(const char *text);

/* Names of variables and parameters by index; a NULL entry prints as x1, p1, ... */
typedef struct taut_names {
    const char *const *variable;
    const char *const *parameter;
} taut_names;

/* Writes a node as a formula (cut with "..." if it does not fit); returns text. */
char *taut_infix_print(const taut_graph *graph, taut_node node, const taut_names *names, char *text,
                       size_t size);

#endif
