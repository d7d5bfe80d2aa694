/* placeholder */
#include "taut/taut.h"
taut_status taut_estimates_page(const taut_estimates *estimates, const char *path,
                                taut_errors *errors) {
    (void)estimates, (void)path, (void)errors;
    return TAUT_OK;
}
