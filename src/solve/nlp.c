/* IPOPT's C interface; the only user of its header, which defines Bool, Index and TRUE. */
#include "solve/nlp.h"

#include <coin/IpStdCInterface.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/arena.h"
#include "core/bounds.h"
#include "core/dense.h"
#include "core/library.h"

#define FUNCTIONS(X)                                                                               \
    X(CreateIpoptProblem)                                                                          \
    X(FreeIpoptProblem)                                                                            \
    X(AddIpoptStrOption)                                                                           \
    X(AddIpoptNumOption)                                                                           \
    X(AddIpoptIntOption)                                                                           \
    X(SetIntermediateCallback)                                                                     \
    X(IpoptSolve)
#define WANTED(f) {.name = #f, .pointer = &ipopt.f},

static struct { FUNCTIONS(TAUT_LIBRARY_MEMBER) } ipopt;

static taut_status load_ipopt(taut_errors *errors) {
    static const taut_wanted wanted[] = {FUNCTIONS(WANTED)};
    static taut_library library = {TAUT_IPOPT_FILE, wanted, TAUT_LIBRARY_COUNT(wanted),
                                   "coinor-libipopt1v5", false};
    TAUT_TRY(taut_blas_prepare());
    return taut_library_load(&library, errors);
}

/* The sparse solver below IPOPT (MUMPS) keeps state in static variables. */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

/* The problem, and whether the point where it stands has values. */
typedef struct search {
    taut_nlp *nlp;
    bool good;
    double *x;       /* [n] that point */
    int evaluations; /* points so far */
} search;

/* May no other point be asked for? */
static bool has_ended(const search *s) {
    const int most = s->nlp->most_evaluations;
    return taut_bounds_ask() != TAUT_OK || (most > 0 && s->evaluations >= most);
}

/* IPOPT says that a point is new where it has only been copied, and points may be expensive. If
 * none may be asked for any more, every one is bad, and the search ends. */
static bool go(search *s, const double *x) {
    const size_t size = (size_t)s->nlp->n * sizeof *x;
    if (s->evaluations > 0 && memcmp(s->x, x, size) == 0) return s->good;
    if (has_ended(s)) return false;
    s->good = s->nlp->go(s->nlp->user, x);
    memcpy(s->x, x, size);
    s->evaluations++;
    return s->good;
}

static Bool eval_f(Index n, Number *x, Bool new_x, Number *f, UserDataPtr user) {
    search *s = user;
    (void)n, (void)new_x;
    if (!go(s, x)) return FALSE;
    *f = s->nlp->f;
    return TRUE;
}

static Bool eval_gradient(Index n, Number *x, Bool new_x, Number *gradient, UserDataPtr user) {
    search *s = user;
    (void)new_x;
    if (!go(s, x)) return FALSE;
    memcpy(gradient, s->nlp->gradient, (size_t)n * sizeof *gradient);
    return TRUE;
}

static Bool eval_g(Index n, Number *x, Bool new_x, Index m, Number *g, UserDataPtr user) {
    search *s = user;
    (void)n, (void)new_x;
    if (!go(s, x)) return FALSE;
    memcpy(g, s->nlp->g, (size_t)m * sizeof *g);
    return TRUE;
}

/* IPOPT wants this many parameters. */
// NOLINTNEXTLINE(readability-function-size)
static Bool eval_jacobian(Index n, Number *x, Bool new_x, Index m, Index entries, Index *row,
                          Index *column, Number *value, UserDataPtr user) {
    search *s = user;
    (void)n, (void)m, (void)new_x;
    if (!value) {
        memcpy(row, s->nlp->jacobian_row, (size_t)entries * sizeof *row);
        memcpy(column, s->nlp->jacobian_column, (size_t)entries * sizeof *column);
        return TRUE;
    }
    if (!go(s, x)) return FALSE;
    memcpy(value, s->nlp->jacobian, (size_t)entries * sizeof *value);
    return TRUE;
}

// NOLINTNEXTLINE(readability-function-size)
static Bool eval_hessian(Index n, Number *x, Bool new_x, Number factor, Index m, Number *lambda,
                         Bool new_lambda, Index entries, Index *row, Index *column, Number *value,
                         UserDataPtr user) {
    search *s = user;
    (void)n, (void)m, (void)new_x, (void)new_lambda;
    if (!value) {
        memcpy(row, s->nlp->hessian_row, (size_t)entries * sizeof *row);
        memcpy(column, s->nlp->hessian_column, (size_t)entries * sizeof *column);
        return TRUE;
    }
    if (!s->nlp->bend || !go(s, x) || !s->nlp->bend(s->nlp->user, factor, lambda)) return FALSE;
    memcpy(value, s->nlp->hessian, (size_t)entries * sizeof *value);
    return TRUE;
}

/* After each iteration; FALSE ends the search. */
// NOLINTNEXTLINE(readability-function-size)
static Bool look_up(Index mode, Index iteration, Number value, Number primal, Number dual,
                    Number barrier, Number length, Number regularization, Number dual_fraction,
                    Number fraction, Index trials, UserDataPtr user) {
    (void)mode, (void)iteration, (void)value, (void)primal, (void)dual, (void)barrier;
    (void)length, (void)regularization, (void)dual_fraction, (void)fraction, (void)trials;
    return !has_ended(user);
}

/* Waits for the searches of other threads, unless the caller loses his patience. */
static taut_status wait_for_turn(void) {
    for (;;) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 50000000L;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        if (pthread_mutex_timedlock(&one_at_a_time, &until) != ETIMEDOUT) return TAUT_OK;
        TAUT_TRY(taut_bounds_ask());
    }
}

/* Silent, and deaf to a file ipopt.opt in the current folder. */
static bool set_options(IpoptProblem problem, const taut_nlp *nlp) {
    static const struct {
        char keyword[32], value[8];
    } text[] = {{"sb", "yes"}, {"option_file_name", ""}, {"nlp_scaling_method", "none"}};
    bool good = true;
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++)
        good = ipopt.AddIpoptStrOption(problem, (char *)text[i].keyword, (char *)text[i].value) &&
               good;
    good = ipopt.AddIpoptIntOption(problem, (char[]){"print_level"}, 0) && good;
    good = ipopt.AddIpoptIntOption(problem, (char[]){"max_iter"}, nlp->most_iterations) && good;
    good = ipopt.AddIpoptNumOption(problem, (char[]){"max_cpu_time"}, nlp->most_seconds) && good;
    const double tolerance = nlp->tolerance > 0.0 ? nlp->tolerance : 1e-10;
    good = ipopt.AddIpoptNumOption(problem, (char[]){"tol"}, tolerance) && good;
    good = ipopt.AddIpoptNumOption(problem, (char[]){"constr_viol_tol"}, tolerance) && good;
    good = ipopt.AddIpoptNumOption(problem, (char[]){"acceptable_tol"}, 1e3 * tolerance) && good;
    if (nlp->bend) return good;
    return ipopt.AddIpoptStrOption(problem, (char[]){"hessian_approximation"},
                                   (char[]){"limited-memory"}) &&
           good;
}

/* IPOPT throws where memory ends, which nobody in C can catch: what it will want is tried first. */
static bool has_room(const taut_nlp *nlp) {
    enum { ALWAYS = 16 << 20, A_ROW = 1000, AN_ENTRY = 200 }; /* bytes, generously */
    const size_t rows = (size_t)nlp->n + (size_t)nlp->m;
    const size_t entries = (size_t)nlp->jacobian_entries + (size_t)nlp->hessian_entries;
    void *volatile room = malloc(ALWAYS + A_ROW * rows + AN_ENTRY * entries);
    const bool enough = room != NULL;
    free(room);
    return enough;
}

taut_status taut_nlp_solve(taut_nlp *nlp, double *x, taut_errors *errors) {
    TAUT_TRY(load_ipopt(errors));
    taut_arena arena = {0};
    search s = {.nlp = nlp, .x = TAUT_NEW_ARRAY(&arena, nlp->n, double)};
    const int most = nlp->n > nlp->m ? nlp->n : nlp->m;
    double *low = TAUT_NEW_ARRAY(&arena, nlp->n, double);
    double *high = TAUT_NEW_ARRAY(&arena, nlp->n, double);
    double *zero = TAUT_NEW_ARRAY(&arena, most, double);
    if (!low || !high || !zero || !s.x || !has_room(nlp)) {
        taut_arena_release(&arena);
        return TAUT_ERR_MEMORY;
    }
    for (int i = 0; i < nlp->n; i++) {
        low[i] = nlp->low ? nlp->low[i] : -2e19; /* none */
        high[i] = nlp->high ? nlp->high[i] : 2e19;
    }
    taut_status status = wait_for_turn();
    if (status != TAUT_OK) {
        taut_arena_release(&arena);
        return status;
    }
    status = TAUT_ERR_NUMERICS;
    IpoptProblem problem = ipopt.CreateIpoptProblem(
        nlp->n, low, high, nlp->m, nlp->g_low ? (double *)nlp->g_low : zero,
        nlp->g_high ? (double *)nlp->g_high : zero, nlp->jacobian_entries, nlp->hessian_entries, 0,
        eval_f, eval_g, eval_gradient, eval_jacobian, eval_hessian);
    if (problem) {
        if (set_options(problem, nlp) && ipopt.SetIntermediateCallback(problem, look_up)) {
            const enum ApplicationReturnStatus end =
                ipopt.IpoptSolve(problem, x, NULL, NULL, NULL, NULL, NULL, &s);
            if (end == Solve_Succeeded || end == Solved_To_Acceptable_Level) status = TAUT_OK;
        }
        ipopt.FreeIpoptProblem(problem);
    }
    pthread_mutex_unlock(&one_at_a_time);
    taut_arena_release(&arena);
    TAUT_TRY(taut_bounds_ask());
    for (int i = 0; i < nlp->n && status == TAUT_OK; i++)
        if (!isfinite(x[i])) status = TAUT_ERR_NUMERICS;
    return status;
}
