/* The engine of a page has no SUNDIALS: taylor and ho are its solvers. In place of
 * solve/sundials.c. */
#include "solve/package.h"

const taut_engine taut_engine_bdf = {0}, taut_engine_adams = {0}, taut_engine_erk = {0},
                  taut_engine_rk4 = {0}, taut_engine_ida = {0};

taut_status taut_vendor_create(taut_arena *arena, taut_vendor **vendor) {
    (void)arena;
    *vendor = NULL;
    return TAUT_ERR_LIBRARY;
}
