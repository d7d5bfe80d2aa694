/* taut: motion of mechanisms and solutions of differential-algebraic equations.
 *
 *   taut/status.h      statuses, errors as data
 *   taut/model.h       models from files and texts; analysis
 *   taut/build.h       models built in code
 *   taut/import.h      models of other programs: URDF, MJCF
 *   taut/version.h     the version as macros
 *   taut/notes.h       what a run has decided, as lists
 *   taut/run.h         options and statistics of a run
 *   taut/simulation.h  a simulation, step by step
 *   taut/result.h      a whole run as a table
 *   taut/plot.h        plots of such a table
 *   taut/page.h        pages that show it
 *   taut/inverse.h     inverse dynamics: forces of actuators for a prescribed motion
 *   taut/kinematics.h  positions along a driven coordinate, targets, dead points
 *   taut/export.h      C code for a controller
 *   taut/linear.h      linearisation: state-space matrices and eigenvalues
 *   taut/compare.h     all formulations and solvers side by side
 *   taut/diff.h        two results side by side
 *   taut/study.h       many runs with other parameters
 *
 * The headers are for C and C++. No call prints or exits; a call that can fail returns a status
 * and, if the caller passes a list, says in words what is wrong. A call that is wrong by itself (a
 * NULL where an object is needed, options that nobody has filled, a number outside its range) is
 * TAUT_ERR_CALL; a function that returns a value has an empty one for it: NULL, "", 0 or NaN.
 * Strings and lists that are passed in are copied where they are needed after the call. Whoever
 * creates, frees; free takes the address of a pointer, which may hold NULL, and leaves NULL there.
 * Objects are independent of each other and may be used in different threads. docs/library.md is a
 * tutorial. */
#ifndef TAUT_H
#define TAUT_H

#include "taut/build.h"
#include "taut/compare.h"
#include "taut/diff.h"
#include "taut/inverse.h"
#include "taut/kinematics.h"
#include "taut/export.h"
#include "taut/import.h"
#include "taut/linear.h"
#include "taut/model.h"
#include "taut/notes.h"
#include "taut/page.h"
#include "taut/plot.h"
#include "taut/program.h"
#include "taut/result.h"
#include "taut/run.h"
#include "taut/simulation.h"
#include "taut/state.h"
#include "taut/status.h"
#include "taut/study.h"
#include "taut/version.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library, "0.1.0". */
TAUT_API const char *taut_version(void);

#ifdef __cplusplus
}
#endif

#endif
