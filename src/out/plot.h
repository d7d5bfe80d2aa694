/* A plot before it is drawn: which columns, in which panels, over which ranges. */
#ifndef TAUT_OUT_PLOT_H
#define TAUT_OUT_PLOT_H

#include "core/text.h"
#include "out/ticks.h"
#include "taut/taut.h"

typedef struct taut_curve {
    const taut_result *result;
    int column;        /* of the result */
    int x_column;      /* what it is drawn against, in the same result */
    const char *label; /* which result it is of; "": there is one only */
    int panel;         /* the one in which it is drawn */
    double lo, hi;     /* its range; lo > hi: it has no finite value */
    char unit[16];     /* "" unknown */
} taut_curve;

typedef struct taut_plot {
    const taut_result *result;
    const char *title;
    int width, height; /* 0: as it fits */
    taut_curve x;      /* the x axis */
    taut_curve curve[TAUT_PLOT_COLUMNS];
    double lo[TAUT_PLOT_COLUMNS], hi[TAUT_PLOT_COLUMNS]; /* [panels] ranges of y */
    int curves, panels;
    bool phase;        /* x is not t: rows follow each other in any direction */
    bool log_x, log_y; /* logarithmic axes: ranges and points are decimal logarithms */
    bool equal;        /* the same scale in x and y; one panel */
    bool unicode;      /* characters beyond ASCII may be used */
    bool colour;       /* and colours of terminals */
} taut_plot;

/* An axis of the plot, over a range, with at most so many ticks. */
taut_axis taut_plot_axis(bool log, double lo, double hi, int most);
/* Values of a row; *x and *y. False if one of them is not finite. */
bool taut_plot_point(const taut_plot *plot, const taut_curve *curve, long row, double *x,
                     double *y);
/* "Ax", or "Ax, k = 10": the name of a column, and of which result. */
void taut_plot_name(const taut_curve *curve, char *name, size_t size);

/* The SI unit of a column of a mechanism, or "": m, m/s, rad, J, ... model may be NULL. */
void taut_plot_unit(const taut_model *model, const char *name, char *unit, size_t size);
/* True for the coordinate of a point of a mechanism. */
bool taut_plot_is_coordinate(const taut_model *model, const char *name);

/* The drawings. */
void taut_plot_svg(const taut_plot *plot, taut_string *out);
taut_status taut_plot_characters(const taut_plot *plot, taut_string *out);

#endif
