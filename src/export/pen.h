/* Writing C: numbers, names of places, templates. */
#ifndef TAUT_EXPORT_PEN_H
#define TAUT_EXPORT_PEN_H

#include "core/text.h"
#include "export/code.h"

/* One convolution of two series that a function needs, up to the orders in between: it is computed
 * once a stage. */
typedef struct taut_pairing {
    bool weighted; /* sum of l a_l b_(k-l), as functions need it */
    int a, b;      /* slots */
    int p;         /* orders ahead of the function */
} taut_pairing;

typedef struct taut_pen {
    const taut_code *code;
    taut_string *out;
    int column; /* how far the line has got */
    /* what the text has used so far, and needs to have defined */
    bool uses_product, uses_square, uses_weighted;
    bool uses_times[2][2]; /* orders above 0 only; squares */
    bool uses_sum_or_zero, uses_ratio;
    bool loops;       /* the Jacobian and its elimination by loops over tables, ... */
    int *local;       /* ... in which slots of the Jacobian are these values, ... */
    int values;       /* ... so many in all */
    int convolutions; /* how many there are in all functions */
    int *number_home; /* [numbers] where those that are computed are kept; -1: nowhere */
    int numbers;
    taut_string body, *outer; /* a function that is being written, and the text around it */
} taut_pen;

/* Text as it is; lines are counted. */
__attribute__((format(printf, 2, 3))) void taut_pen_add(taut_pen *pen, const char *format, ...);
/* A template: @ stands for the prefix of identifiers, $ for that of macros. */
void taut_pen_template(taut_pen *pen, const char *text);
/* A template in which ~NAME~ stands for what `put` writes for that name. */
typedef void taut_pen_mark(taut_pen *pen, const char *name, const void *user);
void taut_pen_fill(taut_pen *pen, const char *text, taut_pen_mark *put, const void *user);
/* A line break if the line is long, with this indentation. */
void taut_pen_wrap(taut_pen *pen, int indent);
/* A number as a constant of C, of the type that the code uses. */
void taut_pen_number(taut_pen *pen, double value);
/* A factor: a number, or the place of one that follows from parameters. */
void taut_pen_origin(taut_pen *pen, double value, int origin);
/* Text inside a comment or a string: what would end it is replaced. */
void taut_pen_words(taut_pen *pen, const char *text);
/* What is written between the two becomes the body of `static void NAME(work *w, ...)`, which
 * begins with short names of the arrays that it uses. */
void taut_pen_begin(taut_pen *pen);
void taut_pen_end(taut_pen *pen, const char *name, const char *arguments);
/* "sin", or "sinf" in single precision. */
const char *taut_pen_function(const taut_pen *pen, taut_op op);

/* ---- parts of the source file ---- */

/* Sizes, limits, tables of the state, of unknowns and equations. */
void taut_write_tables(taut_pen *pen);
/* `static const TYPE NAME[count]`, of int or real. */
typedef double taut_table_value(const taut_code *code, int i);
void taut_write_table(taut_pen *pen, const char *type, const char *name, int count,
                      taut_table_value *value);
/* The sums that the series have used so far. */
void taut_write_helpers(taut_pen *pen);

/* Numbers that follow from parameters and inputs. */
taut_status taut_write_numbers(taut_pen *pen);
/* The series of the equations and of the columns. */
taut_status taut_write_series(taut_pen *pen);
/* J, its elimination, and solutions. */
taut_status taut_write_jacobian(taut_pen *pen);
/* Forces and torques in joints, if they are asked for. */
void taut_write_reactions(taut_pen *pen);
/* Functions for the caller, with columns and controllers; names. */
void taut_write_interface(taut_pen *pen);
/* Everything around them, and the other files. */
taut_status taut_write_source(const taut_code *code, taut_string *text, taut_string *header);
taut_status taut_write_header(const taut_pen *pen, taut_string *header);
void taut_write_main(const taut_code *code, taut_string *text);
void taut_write_makefile(const taut_code *code, taut_string *text);

#endif
