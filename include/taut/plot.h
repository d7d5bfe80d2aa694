/* Plots of results. */
#ifndef TAUT_PLOT_H
#define TAUT_PLOT_H

#include "taut/result.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TAUT_PLOT_COLUMNS = 32 }; /* at most, in one plot; 4 with characters */

/* Fill with taut_plot_options_default, then say at least which columns to draw. */
typedef struct taut_plot_options {
    int cookie;                /* by taut_plot_options_default */
    const char *const *column; /* [columns] names; A.x is Ax */
    int columns;
    const char *against; /* the column of the x axis; NULL: t */
    const char *title;   /* NULL: the model's */
    int width, height;   /* pixels or characters; 0: 900x540 or 80 wide, higher for many panels */
    bool panels;         /* a panel for every column; otherwise where scales or units differ */
    bool equal;          /* one scale for both axes; coordinates of two points have it anyway */
    bool log_x, log_y;   /* logarithmic axes; what is not positive is not drawn */
    bool text;           /* draw with characters instead of SVG: */
    bool unicode;        /* ... with Braille dots and frames; true */
    bool colour;         /* ... with colours of terminals */
    /* Further results in the same axes, with words that tell them apart; label[0] is that of the
     * first one. */
    const taut_result *const *more; /* [mores] */
    const char *const *label;       /* [1 + mores] */
    int mores;
} taut_plot_options;
TAUT_API taut_plot_options taut_plot_options_default(void);

/* Checks names, numbers and sizes; a result of a single row is enough for it. */
TAUT_API taut_status taut_plot_check(const taut_result *result, const taut_plot_options *options,
                                     taut_errors *errors);
/* Draws columns of a result. *text is to be given back to taut_text_free. model may be NULL: it
 * tells the title, units and what is a coordinate. */
TAUT_API taut_status taut_plot_draw(const taut_model *model, const taut_result *result,
                                    const taut_plot_options *options, char **text,
                                    taut_errors *errors);
/* Draws into a file, in the same way as taut_result_write. */
TAUT_API taut_status taut_plot_write(const taut_model *model, const taut_result *result,
                                     const taut_plot_options *options, const char *path,
                                     taut_errors *errors);

#ifdef __cplusplus
}
#endif

#endif
