/* A diagram inside a page: SVG whose colours come from the page's style, by classes. */
#ifndef TAUT_OUT_CHART_H
#define TAUT_OUT_CHART_H

#include <stdbool.h>

#include "core/text.h"

typedef struct taut_chart_axis {
    double lo, hi;     /* of decades: whole powers of ten, lo < hi */
    bool decades;      /* logarithmic */
    const char *label; /* trusted: it is not escaped */
} taut_chart_axis;

typedef struct taut_chart {
    taut_string *out;
    taut_chart_axis x, y;
} taut_chart;

/* A logarithmic axis from the smallest to the largest value that was seen. Start with
 * taut_decades_none, show it all values, then make the axis. */
typedef struct taut_decades {
    double lo, hi;
} taut_decades;
taut_decades taut_decades_none(void);
void taut_decades_see(taut_decades *decades, double value); /* only if it is above 0 */
taut_chart_axis taut_decades_axis(const taut_decades *decades, const char *label);

/* The frame, the grid and the labels; what it shows, for those who cannot see it. */
void taut_chart_begin(const taut_chart *chart, const char *describe);
/* A curve through count points, of these classes; values that are not finite break it, those
 * outside the axes stay at the edge. */
void taut_chart_curve(const taut_chart *chart, const char *classes, const char *title,
                      const double *x, const double *y, int count);
/* A point: shape 0 circle, 1 square, 2 triangle, 3 diamond. */
void taut_chart_point(const taut_chart *chart, const char *classes, const char *title, double x,
                      double y, int shape);
void taut_chart_end(const taut_chart *chart);

/* The shape alone, at (x, y) of some SVG. */
void taut_chart_shape(taut_string *out, double x, double y, int shape);

#endif
