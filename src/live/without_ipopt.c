/* The engine of a page has no IPOPT: searches go on by what else there is. In place of solve/nlp.c.
 */
#include "solve/nlp.h"

taut_status taut_nlp_solve(taut_nlp *nlp, double *x, taut_errors *errors) {
    (void)nlp, (void)x;
    return taut_fail(errors, TAUT_ERR_LIBRARY, "the engine of a page has no IPOPT");
}
