/* What a study is to reach, as formulas of results: "max(Ax) + 2*rms(phi)", "max(pin.Fx) <= 500".
 */
#ifndef TAUT_TASK_GOALS_H
#define TAUT_TASK_GOALS_H

#include "model/model.h"
#include "task/figure.h"

typedef enum taut_goal_sense {
    TAUT_GOAL_VALUE,  /* of an objective */
    TAUT_GOAL_BELOW,  /* must not be above 0 */
    TAUT_GOAL_EQUALS, /* must be 0 */
} taut_goal_sense;

typedef struct taut_goals taut_goals;

/* goal (count): the first one is a formula, the others compare two. name (names): variables whose
 * values formulas may contain. */
taut_status taut_goals_create(const taut_model *model, const taut_goal *goal, int count,
                              const char *const *name, int names, taut_goals **goals,
                              taut_errors *errors);
void taut_goals_free(taut_goals **goals);
/* The results that they are made of; owned by the goals. */
const taut_figure *taut_goals_figures(const taut_goals *goals, int *count);
taut_goal_sense taut_goals_sense(const taut_goals *goals, int goal);
/* Values (count) and derivatives by results (count x figures) and by variables (count x names). A
 * difference of both sides, smaller minus larger, stands for a comparison. */
void taut_goals_find(taut_goals *goals, const double *result, const double *variable, double *value,
                     double *by_result, double *by_variable);

#endif
