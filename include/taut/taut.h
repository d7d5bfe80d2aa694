/* taut: motion of mechanisms and solutions of differential-algebraic equations.
 *
 *   taut/status.h      statuses, errors as data
 *   taut/model.h       models from files and texts; analysis
 *   taut/build.h       models built in code
 *   taut/run.h         options and statistics of a run
 *   taut/simulation.h  a simulation, step by step
 *   taut/result.h      a whole run as a table
 *   taut/plot.h        plots of such a table
 *   taut/page.h        pages that show it
 *   taut/compare.h     all formulations and solvers side by side
 *
 * No call prints or exits; a call that can fail returns a status and, if the caller passes a list,
 * says in words what is wrong. Whoever creates, frees; free takes the address of a pointer, which
 * may hold NULL, and leaves NULL there. Objects are independent of each other and may be used in
 * different threads. docs/library.md is a tutorial. */
#ifndef TAUT_H
#define TAUT_H

#include "taut/build.h"
#include "taut/compare.h"
#include "taut/model.h"
#include "taut/page.h"
#include "taut/plot.h"
#include "taut/result.h"
#include "taut/run.h"
#include "taut/simulation.h"
#include "taut/state.h"
#include "taut/status.h"

/* "0.1.0" */
TAUT_API const char *taut_version(void);

#endif
