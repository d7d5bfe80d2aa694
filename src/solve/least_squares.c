/* cminpack, loaded when it is first needed; its one function is declared here, so that nothing but
 * the shared library has to be there. */
#include "solve/least_squares.h"

#include "core/arena.h"
#include "core/library.h"

typedef int residuals_function(void *user, int m, int n, const double *x, double *r, double *J,
                               int rows, int what);

static struct {
    /* MINPACK wants this many parameters */
    int (*lmder)(residuals_function *f, void *user, int m, int n, double *x, double *r, double *J,
                 int rows, double ftol, double xtol, double gtol, int most, double *diag, int mode,
                 double factor, int print, int *calls, int *gradients, int *pivot, double *qtf,
                 double *work1, double *work2, double *work3, double *work4);
} cminpack;

static taut_status load_cminpack(taut_errors *errors) {
    static const taut_wanted wanted[] = {{.name = "lmder", .pointer = &cminpack.lmder}};
    static taut_library library = {"libcminpack.so.1", wanted, TAUT_LIBRARY_COUNT(wanted),
                                   "libcminpack1", false};
    const taut_status status = taut_library_load(&library, NULL);
    if (status != TAUT_ERR_LIBRARY) return status;
    return taut_fail(errors, TAUT_ERR_IO,
                     "fitting needs the library cminpack, and libcminpack.so.1 cannot be loaded; "
                     "install it (Debian: libcminpack1)");
}

// NOLINTNEXTLINE(readability-function-size)
static int evaluate(void *user, int m, int n, const double *x, double *r, double *J, int rows,
                    int what) {
    const taut_least_squares *p = user;
    (void)m, (void)n, (void)rows;
    return p->go(p->user, x, what == 1 ? r : NULL, what == 1 ? NULL : J) ? 0 : -1;
}

taut_status taut_least_squares_run(taut_least_squares *p, double *x, bool *converged,
                                   taut_errors *errors) {
    enum { WORKS = 5, FACTOR = 1 };
    *converged = false;
    TAUT_TRY(load_cminpack(errors));
    taut_arena arena = {0};
    const size_t m = (size_t)p->m, n = (size_t)p->n;
    double *r = TAUT_NEW_ARRAY(&arena, m, double), *J = TAUT_NEW_ARRAY(&arena, m * n, double);
    double *work4 = TAUT_NEW_ARRAY(&arena, m, double), *work[WORKS];
    int *pivot = TAUT_NEW_ARRAY(&arena, n, int), calls = 0, gradients = 0;
    bool room = r && J && work4 && pivot;
    for (int i = 0; i < WORKS; i++) room = (work[i] = TAUT_NEW_ARRAY(&arena, n, double)) && room;
    taut_status status = room ? TAUT_OK : TAUT_ERR_MEMORY;
    if (status == TAUT_OK) {
        const int end =
            cminpack.lmder(evaluate, p, p->m, p->n, x, r, J, p->m, p->tolerance, p->tolerance, 0.0,
                           p->most, work[0], 1, (double)FACTOR, 0, &calls, &gradients, pivot,
                           work[1], work[2], work[3], work[4], work4);
        /* 6, 7, 8: no further digit is possible */
        *converged = (end >= 1 && end <= 4) || end >= 6;
        if (end < 0) status = TAUT_INTERRUPTED;
        if (end == 0) status = TAUT_ERR_CALL;
    }
    taut_arena_release(&arena);
    return status;
}
