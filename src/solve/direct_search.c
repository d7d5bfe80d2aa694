/* NLopt, loaded when it is first needed; its few functions are declared here, so that nothing but
 * the shared library has to be there. COBYLA (linear models, constraints) from M. J. D. Powell;
 * with bounds alone the subplex method, which bears noise and jumps. */
#include "solve/direct_search.h"

#include <math.h>
#include <string.h>

#include "core/arena.h"
#include "core/library.h"

typedef struct nlopt_opt_s *nlopt_opt;
typedef double nlopt_func(unsigned n, const double *x, double *gradient, void *user);

static struct {
    int (*nlopt_algorithm_from_string)(const char *name);
    nlopt_opt (*nlopt_create)(int algorithm, unsigned n);
    void (*nlopt_destroy)(nlopt_opt opt);
    int (*nlopt_set_min_objective)(nlopt_opt opt, nlopt_func *f, void *user);
    int (*nlopt_add_inequality_constraint)(nlopt_opt opt, nlopt_func *g, void *user, double tol);
    int (*nlopt_add_equality_constraint)(nlopt_opt opt, nlopt_func *h, void *user, double tol);
    int (*nlopt_set_lower_bounds1)(nlopt_opt opt, double bound);
    int (*nlopt_set_upper_bounds1)(nlopt_opt opt, double bound);
    int (*nlopt_set_xtol_abs1)(nlopt_opt opt, double tolerance);
    int (*nlopt_set_maxeval)(nlopt_opt opt, int most);
    int (*nlopt_set_initial_step1)(nlopt_opt opt, double step);
    int (*nlopt_optimize)(nlopt_opt opt, double *x, double *f);
} nlopt;

#define WANTED(f)                                                                                  \
    { .name = #f, .pointer = &nlopt.f }

static taut_status load_nlopt(taut_errors *errors) {
    static const taut_wanted wanted[] = {WANTED(nlopt_algorithm_from_string),
                                         WANTED(nlopt_create),
                                         WANTED(nlopt_destroy),
                                         WANTED(nlopt_set_min_objective),
                                         WANTED(nlopt_add_inequality_constraint),
                                         WANTED(nlopt_add_equality_constraint),
                                         WANTED(nlopt_set_lower_bounds1),
                                         WANTED(nlopt_set_upper_bounds1),
                                         WANTED(nlopt_set_xtol_abs1),
                                         WANTED(nlopt_set_maxeval),
                                         WANTED(nlopt_set_initial_step1),
                                         WANTED(nlopt_optimize)};
    static taut_library library = {"libnlopt.so.0", wanted, TAUT_LIBRARY_COUNT(wanted), "libnlopt0",
                                   false};
    const taut_status status = taut_library_load(&library, NULL);
    if (status != TAUT_ERR_LIBRARY) return status;
    return taut_fail(errors, TAUT_ERR_IO,
                     "a search without derivatives needs the library NLopt, and libnlopt.so.0 "
                     "cannot be loaded; install it (Debian: libnlopt0)");
}

/* The point where the search stands: objective and constraints are asked for one after the other.
 */
typedef struct place {
    taut_direct_search *search;
    double *x, *g; /* [n], [m] */
    double f, worst;
    bool known, good;
} place;

typedef struct constraint {
    place *at;
    int number;
} constraint;

static void go(place *p, const double *x) {
    taut_direct_search *s = p->search;
    const size_t size = (size_t)s->n * sizeof *x;
    if (p->known && memcmp(p->x, x, size) == 0) return;
    memcpy(p->x, x, size);
    p->known = true;
    p->good = s->go(s->user, x, &p->f, p->g);
    if (p->good) p->worst = fmax(p->worst, fabs(p->f));
}

/* A point without values is worse than all others. */
static double find_f(unsigned n, const double *x, double *gradient, void *user) {
    place *p = user;
    (void)n, (void)gradient;
    go(p, x);
    return p->good ? p->f : 10.0 * p->worst + 1.0;
}

static double find_g(unsigned n, const double *x, double *gradient, void *user) {
    const constraint *c = user;
    (void)n, (void)gradient;
    go(c->at, x);
    return c->at->good ? c->at->g[c->number] : 1.0;
}

static int perform(nlopt_opt opt, place *p, constraint *c, double *x) {
    const taut_direct_search *s = p->search;
    double f;
    int bad = nlopt.nlopt_set_min_objective(opt, find_f, p);
    for (int i = 0; i < s->m; i++) {
        c[i] = (constraint){p, i};
        bad |= s->equal[i] ? nlopt.nlopt_add_equality_constraint(opt, find_g, &c[i], 1e-8)
                           : nlopt.nlopt_add_inequality_constraint(opt, find_g, &c[i], 1e-8);
    }
    bad |= nlopt.nlopt_set_lower_bounds1(opt, 0.0) | nlopt.nlopt_set_upper_bounds1(opt, 1.0);
    bad |= nlopt.nlopt_set_xtol_abs1(opt, s->tolerance) | nlopt.nlopt_set_maxeval(opt, s->most);
    bad |= nlopt.nlopt_set_initial_step1(opt, 0.1);
    return bad < 0 ? bad : nlopt.nlopt_optimize(opt, x, &f);
}

taut_status taut_direct_search_run(taut_direct_search *s, double *x, taut_errors *errors) {
    TAUT_TRY(load_nlopt(errors));
    taut_arena arena = {0};
    place p = {.search = s,
               .x = TAUT_NEW_ARRAY(&arena, s->n, double),
               .g = TAUT_NEW_ARRAY(&arena, s->m + 1, double)};
    constraint *c = TAUT_NEW_ARRAY(&arena, s->m + 1, constraint);
    taut_status status = p.x && p.g && c ? TAUT_OK : TAUT_ERR_MEMORY;
    if (status == TAUT_OK) {
        const int method = nlopt.nlopt_algorithm_from_string(s->m > 0 ? "LN_COBYLA" : "LN_SBPLX");
        nlopt_opt opt = method >= 0 ? nlopt.nlopt_create(method, (unsigned)s->n) : NULL;
        status = TAUT_ERR_MEMORY;
        if (opt) {
            const int end = perform(opt, &p, c, x);
            /* rounding that limits the search is an end like others; so is the most of calls */
            status = end > 0 || end == -4 ? TAUT_OK
                     : end == -3          ? TAUT_ERR_MEMORY
                                          : TAUT_ERR_NUMERICS;
            nlopt.nlopt_destroy(opt);
        }
    }
    taut_arena_release(&arena);
    return status;
}
