/* A linearisation while it is made: one call, and the equations and matrices of one point. */
#ifndef TAUT_TASK_LINEAR_PARTS_H
#define TAUT_TASK_LINEAR_PARTS_H

#include "task/linear.h"

enum { TAUT_LINEAR_STAGES = 14 }; /* of the series that looks a moment ahead */

/* A point: what is asked for, the equations for it, and the matrices. */
typedef struct taut_linear_spot {
    taut_arena arena;
    taut_catalogue catalogue;
    taut_picks states, outputs, shapes, unknowns;
    taut_picks candidates; /* of which states are chosen */
    bool turns;            /* with rotations in joints */
    taut_variational *v;
    double *weight;                  /* [inputs * parameters] */
    taut_linear_reactions reactions; /* reactions.balance NULL: none are asked for */
    double *A, *B, *C, *D, *x0, *y0, *rate;
    int boundaries;     /* the first function of those of kinks and tables */
    double *S, *shape0; /* of shapes: as C and y0 */
    double *R, *Ru;     /* of unknowns: as C and D */
} taut_linear_spot;

/* One call. */
typedef struct taut_linear_job {
    taut_linear *linear;
    const taut_linear_options *options;
    const taut_run_options *run;
    taut_model *model; /* with inputs that stay symbols */
    taut_simulation *simulation;
    taut_linear_inputs in;
    const char *states;     /* of the first point, for the later ones; NULL: none yet */
    taut_linear_spot kept;  /* of the last point, for the next one if it has the same equations */
    unsigned long kept_for; /* the serial number of these; 0: none */
    bool kept_named;        /* its states were given by name */
    taut_errors *errors;
} taut_linear_job;

/* linear_equations.c */
/* What is asked for, and the equations for it. */
taut_status taut_linear_set_up(taut_linear_job *j, taut_linear_spot *s);
/* Brings the series to a consistent point near its values, and finds the directions there. */
taut_status taut_linear_find_directions(const taut_linear_job *j, taut_linear_spot *s,
                                        bool project);
/* The same at a time of the step that the simulation has just taken. number: parameters that are
 * not those of the file; NULL: they are. */
taut_status taut_linear_go_to(const taut_linear_job *j, taut_linear_spot *s, double t,
                              const double *number);

/* linear_matrices.c */
taut_status taut_linear_fill_matrices(const taut_linear_job *j, taut_linear_spot *s);
/* Values of picks, or of their derivatives `above`. */
taut_status taut_linear_fill_values(const taut_linear_job *j, const taut_linear_spot *s,
                                    const taut_picks *picks, int above, double **value);

/* linear_steady.c */
/* The directions become those of a moment later. */
taut_status taut_linear_is_steady(const taut_linear_job *j, taut_linear_spot *s, bool *steady);

/* linear_sides.c */
/* Says in point->side for which side of kinks and tables the matrices hold. */
taut_status taut_linear_find_sides(const taut_linear_job *j, taut_linear_spot *s,
                                   taut_linear_point *p);

/* linear_point.c */
/* The linearisation at a time that the simulation has reached. */
taut_status taut_linear_do_point(taut_linear_job *j, double t, taut_linear_point *point);
void taut_linear_release_spot(taut_linear_job *j);

#endif
