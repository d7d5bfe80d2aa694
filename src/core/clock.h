/* Time on the wall. */
#ifndef TAUT_CORE_CLOCK_H
#define TAUT_CORE_CLOCK_H

double taut_seconds(void); /* since some moment in the past; never runs backwards */

#endif
