/* The packages: CVODE and ARKODE on the rates and projections of a flow, IDA on the form of
 * solve/index2. The steppers that use them are in solve/package.c.
 *
 * A package is called through a small table, because their calls differ in name only; vectors of
 * SUNDIALS are views of arrays in the stepper's arena. */
#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <cvode/cvode_proj.h>
#include <ida/ida.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <string.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>

#include "core/bounds.h"
#include "solve/package.h"
#include "solve/prince.h"

enum { LEAST_ROOM = 1 << 15, VECTORS = 64 }; /* in doubles; see check_memory */
enum { LARGE = 300 };                        /* unknowns: factors take a while */
static const double GROWTH = 3.0;            /* of steps, at most, after a restart ... */
static const double ARKODE_GROWTH = 25.0;    /* ... and where a run goes on */

struct taut_vendor {
    SUNContext context;
    N_Vector vector, slopes, other; /* views of y and of whatever is passed to the package */
    SUNMatrix matrix;
    SUNLinearSolver linear;
    SUNNonlinearSolver nonlinear;
    SUNNonlinSolConvTestFn converged; /* IDA's own test, if multipliers are tested as well, ... */
    void *converged_data;             /* ... and what it wants */
};

taut_status taut_vendor_create(taut_arena *arena, taut_vendor **vendor) {
    *vendor = TAUT_NEW(arena, taut_vendor);
    return *vendor ? TAUT_OK : TAUT_ERR_MEMORY;
}

/* ---- what the packages call ---- */

/* Trouble at a trial point may be over with a smaller step; lack of memory and an interrupt are
 * not.
 */
static int answer(taut_package *s, taut_status status) {
    s->failed = status;
    if (status == TAUT_OK) return 0;
    return status == TAUT_ERR_MEMORY || status == TAUT_INTERRUPTED ? -1 : 1;
}

static int rates(double t, N_Vector y, N_Vector rate, void *user) {
    taut_package *s = user;
    double *out = N_VGetArrayPointer(rate);
    const taut_status status = s->flow->kind->rates(s->flow, t, N_VGetArrayPointer(y), out);
    if (status == TAUT_OK) memcpy(s->lately, out, (size_t)s->n * sizeof *out);
    return answer(s, status);
}

static int drawn_rates(double t, N_Vector y, N_Vector rate, void *user) {
    taut_package *s = user;
    double h = 0.0;
    if (!s->flow->restricted) return rates(t, y, rate, user);
    CVodeGetLastStep(s->memory, &h);
    return answer(
        s, taut_package_drawn_rates(s, t, N_VGetArrayPointer(y), h, N_VGetArrayPointer(rate)));
}

static int weights(N_Vector y, N_Vector weight, void *user) {
    taut_package_weights(user, N_VGetArrayPointer(y), N_VGetArrayPointer(weight));
    return 0;
}

/* For CVODE: the correction is added by the caller. */
static int project(double t, N_Vector y, N_Vector correction, double eps, N_Vector error,
                   void *user) {
    taut_package *s = user;
    (void)eps;
    (void)error; /* stays as it is: CVodeSetProjErrEst */
    return answer(s, s->flow->kind->project(s->flow, t, N_VGetArrayPointer(y),
                                            N_VGetArrayPointer(correction)));
}

/* For ARKODE: y itself is corrected. */
static int project_in_place(double t, N_Vector y, void *user) {
    return answer(user, taut_package_project(user, t, N_VGetArrayPointer(y)));
}

static void listen(int code, const char *module, const char *function, char *message, void *user) {
    taut_package *s = user;
    (void)module;
    (void)function;
    if (code < 0) snprintf(s->said, sizeof s->said, "%s", message);
}

/* ---- views of arrays ---- */

/* The packages do not bear it if memory runs out while they are opened (SUNHashMap_New, for one,
 * uses what it has not got): there must be enough before, for vectors, matrices and the rest. */
static taut_status check_memory(const taut_package *s) {
    const size_t n = (size_t)s->n, dense = s->engine == &taut_engine_bdf ? 3 * n * n : 0,
                 entries = s->form ? (size_t)taut_index2_entries(s->form) : 0;
    double *block = NULL;
    size_t room = 0;
    if (taut_grow((void **)&block, &room, LEAST_ROOM + VECTORS * n + dense + 8 * entries,
                  sizeof *block))
        return TAUT_ERR_MEMORY;
    taut_release((void **)&block);
    return TAUT_OK;
}

static taut_status open_views(taut_package *s) {
    taut_vendor *v = s->vendor;
    TAUT_TRY(check_memory(s));
    if (SUNContext_Create(NULL, &v->context)) {
        v->context = NULL; /* a part of one cannot be freed */
        return TAUT_ERR_MEMORY;
    }
    v->vector = N_VMake_Serial(s->n, s->y, v->context);
    v->other = N_VMake_Serial(s->n, s->inside, v->context);
    return v->vector && v->other ? TAUT_OK : TAUT_ERR_MEMORY;
}

/* After the package's own memory. */
static void close_views(taut_package *s) {
    taut_vendor *v = s->vendor;
    if (v->linear) SUNLinSolFree(v->linear);
    if (v->nonlinear) SUNNonlinSolFree(v->nonlinear);
    if (v->matrix) SUNMatDestroy(v->matrix);
    if (v->vector) N_VDestroy(v->vector);
    if (v->slopes) N_VDestroy(v->slopes);
    if (v->other) N_VDestroy(v->other);
    if (v->context) SUNContext_Free(&v->context);
    s->memory = NULL;
    *v = (taut_vendor){0};
}

static N_Vector view(taut_package *s, double *array) {
    N_VSetArrayPointer(array, s->vendor->other);
    return s->vendor->other;
}

/* ---- CVODE ---- */

static taut_status open_cvode(taut_package *s, int kind) {
    TAUT_TRY(open_views(s));
    s->memory = CVodeCreate(kind, s->vendor->context);
    if (!s->memory) return TAUT_ERR_MEMORY;
    int bad = CVodeSetErrHandlerFn(s->memory, listen, s);
    bad |=
        CVodeInit(s->memory, kind == CV_ADAMS ? drawn_rates : rates, s->base.t, s->vendor->vector);
    bad |= CVodeSetUserData(s->memory, s);
    bad |= CVodeWFtolerances(s->memory, weights);
    bad |= CVodeSetMaxNumSteps(s->memory, -1);
    if (s->options.order > 0) bad |= CVodeSetMaxOrd(s->memory, s->options.order);
    return bad ? TAUT_ERR_MEMORY : TAUT_OK;
}

static int rate_jacobian(double t, N_Vector y, N_Vector rate, SUNMatrix matrix, void *user,
                         N_Vector a, N_Vector b, N_Vector c) {
    taut_package *s = user;
    (void)rate, (void)a, (void)b, (void)c;
    return answer(
        s, s->flow->kind->jacobian(s->flow, t, N_VGetArrayPointer(y), SUNDenseMatrix_Data(matrix)));
}

static void swap(double *a, double *b) {
    const double kept = *a;
    *a = *b;
    *b = kept;
}

/* The LU factors of a large dense matrix by columns, with the pivots of SUNLinSol_Dense: the caller
 * is asked in between, which SUNDIALS does not. As its set-up: 0, a positive number if a pivot is
 * 0, -1 to give up. */
static int factor_patiently(SUNLinearSolver solver, SUNMatrix matrix) {
    sunindextype *pivot = ((SUNLinearSolverContent_Dense)solver->content)->pivots;
    double **a = SUNDenseMatrix_Cols(matrix);
    const sunindextype n = SUNDenseMatrix_Rows(matrix);
    for (sunindextype j = 0; j < n; j++) {
        if (taut_bounds_ask() != TAUT_OK) return -1;
        for (sunindextype k = 0; k < j; k++) {
            swap(&a[j][k], &a[j][pivot[k]]);
            for (sunindextype i = k + 1; i < n; i++) a[j][i] -= a[j][k] * a[k][i];
        }
        pivot[j] = j;
        for (sunindextype i = j + 1; i < n; i++)
            if (fabs(a[j][i]) > fabs(a[j][pivot[j]])) pivot[j] = i;
        if (a[j][pivot[j]] == 0.0) return (int)j + 1;
        for (sunindextype k = 0; k <= j; k++) swap(&a[k][j], &a[k][pivot[j]]);
        const double inverse = 1.0 / a[j][j];
        for (sunindextype i = j + 1; i < n; i++) a[j][i] *= inverse;
    }
    return 0;
}

static taut_status open_bdf(taut_package *s) {
    TAUT_TRY(open_cvode(s, CV_BDF));
    s->vendor->matrix = SUNDenseMatrix(s->n, s->n, s->vendor->context);
    s->vendor->linear = s->vendor->matrix ? SUNLinSol_Dense(s->vendor->vector, s->vendor->matrix,
                                                            s->vendor->context)
                                          : NULL;
    if (!s->vendor->linear) return TAUT_ERR_MEMORY;
    if (s->n >= LARGE) s->vendor->linear->ops->setup = factor_patiently;
    int bad = CVodeSetLinearSolver(s->memory, s->vendor->linear, s->vendor->matrix);
    if (s->flow->kind->jacobian) bad |= CVodeSetJacFn(s->memory, rate_jacobian);
    if (s->flow->restricted) {
        bad |= CVodeSetProjFn(s->memory, project);
        bad |= CVodeSetProjErrEst(s->memory, SUNFALSE);
    }
    return bad ? TAUT_ERR_MEMORY : TAUT_OK;
}

/* Of the allowed error: what iterations may leave where the state is drawn to its constraints.
 * Formulas of high orders are stable for that only if they are solved well; by default (0.1) what
 * is drawn swings to and fro, and that alone keeps steps short. */
static const double SOLVED_WELL = 0.01;

static taut_status open_adams(taut_package *s) {
    TAUT_TRY(open_cvode(s, CV_ADAMS));
    if (s->flow->restricted && CVodeSetNonlinConvCoef(s->memory, SOLVED_WELL))
        return TAUT_ERR_MEMORY;
    s->vendor->nonlinear = SUNNonlinSol_FixedPoint(s->vendor->vector, 0, s->vendor->context);
    if (!s->vendor->nonlinear || CVodeSetNonlinearSolver(s->memory, s->vendor->nonlinear))
        return TAUT_ERR_MEMORY;
    return TAUT_OK;
}

static int advance_cvode(taut_package *s, double *t) {
    return CVode(s->memory, s->tend, s->vendor->vector, t, CV_ONE_STEP);
}

static int derivative_cvode(taut_package *s, double t, int k, double *out) {
    return CVodeGetDky(s->memory, t, k, view(s, out));
}

static void count_cvode(const taut_package *s, taut_stepper_stats *stats) {
    long errors = 0, newton = 0, own = 0;
    CVodeGetNumSteps(s->memory, &stats->steps);
    CVodeGetNumRhsEvals(s->memory, &stats->evaluations);
    CVodeGetNumErrTestFails(s->memory, &errors);
    CVodeGetNumStepSolveFails(s->memory, &newton);
    CVodeGetLastOrder(s->memory, &stats->order);
    if (s->vendor->linear) CVodeGetNumLinSolvSetups(s->memory, &own);
    stats->rejected = errors + newton;
    stats->factorisations += own;
}

/* Begins at order 1 again, with counters at 0. */
static int restart_cvode(taut_package *s) {
    taut_stepper_stats stats = {0};
    count_cvode(s, &stats);
    s->past.steps += stats.steps;
    s->past.rejected += stats.rejected;
    s->past.evaluations += stats.evaluations;
    return CVodeReInit(s->memory, s->base.t, s->vendor->vector);
}

static void close_cvode(taut_package *s) {
    if (s->memory) CVodeFree(&s->memory);
    close_views(s);
}

/* ---- ARKODE ---- */

/* ARKODE's explicit methods do not survive a trial point without rates, however small a step would
 * avoid it. Rates that no error test accepts make it try a smaller one. */
static int sturdy_rates(double t, N_Vector y, N_Vector rate, void *user) {
    taut_package *s = user;
    const int flag = rates(t, y, rate, user);
    if (flag <= 0 || s->options.step > 0.0) return flag;
    N_VConst(s->absurd, rate);
    s->absurd *= 1.7; /* equal ones might cancel in the estimate of the error */
    return 0;
}

/* ARKODE's own choice, written out. */
/* NOLINTNEXTLINE(readability-function-size): the parameters are ARKODE's */
static int choose_length(N_Vector y, double t, double h, double h2, double h3, double e1, double e2,
                         double e3, int q, int p, double *next, void *user) {
    (void)y, (void)t, (void)h2, (void)h3, (void)e3, (void)q;
    *next = taut_package_length(user, h, e1, e2, p);
    return 0;
}

/* The step that would have followed in the run that goes on here. */
static int resume_arkode(taut_package *s) {
    if (!s->resumed || s->options.step > 0.0 || s->usual == 0.0) return 0;
    return ERKStepSetInitStep(s->memory, s->usual) |
           ERKStepSetMaxFirstGrowth(s->memory, ARKODE_GROWTH);
}

static taut_status open_arkode(taut_package *s) {
    TAUT_TRY(open_views(s));
    s->memory = ERKStepCreate(sturdy_rates, s->base.t, s->vendor->vector, s->vendor->context);
    if (!s->memory) return TAUT_ERR_MEMORY;
    int bad = ERKStepSetErrHandlerFn(s->memory, listen, s);
    bad |= ERKStepSetUserData(s->memory, s);
    bad |= ERKStepWFtolerances(s->memory, weights);
    bad |= ERKStepSetMaxNumSteps(s->memory, -1);
    if (s->flow->restricted) bad |= ERKStepSetPostprocessStepFn(s->memory, project_in_place);
    if (s->options.step > 0.0)
        bad |= ERKStepSetFixedStep(s->memory, copysign(s->options.step, s->tend - s->base.t));
    else
        bad |= ERKStepSetAdaptivityFn(s->memory, choose_length, s) | resume_arkode(s);
    return bad ? TAUT_ERR_MEMORY : TAUT_OK;
}

/* Formulas by Dormand and Prince unless another order is asked for; of order 8 by solve/prince, as
 * Fehlberg's do not see errors of plain integrals. */
static const struct {
    int order;
    ARKODE_ERKTableID table;
} ERK_TABLE[] = {{5, ARKODE_DORMAND_PRINCE_7_4_5}, {6, ARKODE_VERNER_8_5_6}, {8, ARKODE_ERK_NONE}};
enum { ERK_TABLES = sizeof ERK_TABLE / sizeof ERK_TABLE[0] };

/* Which of them; -1: there is none of this order. */
static int find_table(int order) {
    for (int i = 0; i < ERK_TABLES; i++)
        if (order == 0 || ERK_TABLE[i].order == order) return i;
    return -1;
}

static bool has_table(int order) { return find_table(order) >= 0; }

/* ARKODE (5.4) takes the rates of the last stage for those at the end of a step wherever that stage
 * is at the end, also if its values are not those of the step: the classical method would be of
 * order 3. Whoever may have changed the values afterwards makes it look again. */
static int look_again(double t, N_Vector y, void *user) {
    (void)t, (void)y, (void)user;
    return 0;
}

/* A table that ARKODE does not have. */
static int set_table(taut_package *s, ARKodeButcherTable table) {
    if (!table) return -1;
    int bad = ERKStepSetTable(s->memory, table);
    if (!s->flow->restricted) bad |= ERKStepSetPostprocessStepFn(s->memory, look_again);
    ARKodeButcherTable_Free(table);
    return bad;
}

static taut_status open_erk(taut_package *s) {
    taut_prince p;
    TAUT_TRY(open_arkode(s));
    const ARKODE_ERKTableID table = ERK_TABLE[find_table(s->options.order)].table;
    if (table != ARKODE_ERK_NONE)
        return ERKStepSetTableNum(s->memory, table) ? TAUT_ERR_MEMORY : TAUT_OK;
    taut_prince_fill(&p);
    return set_table(s, ARKodeButcherTable_Create(TAUT_PRINCE_STAGES, 8, 7, p.c, p.A, p.b, p.d))
               ? TAUT_ERR_MEMORY
               : TAUT_OK;
}

/* The classical method of order 4. */
static taut_status open_rk4(taut_package *s) {
    double c[] = {0.0, 0.5, 0.5, 1.0}, b[] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    double A[] = {0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0};
    TAUT_TRY(open_arkode(s));
    return set_table(s, ARKodeButcherTable_Create(4, 4, 0, c, A, b, NULL)) ? TAUT_ERR_MEMORY
                                                                           : TAUT_OK;
}

static int advance_arkode(taut_package *s, double *t) {
    return ERKStepEvolve(s->memory, s->tend, s->vendor->vector, t, ARK_ONE_STEP);
}

static int derivative_arkode(taut_package *s, double t, int k, double *out) {
    return ERKStepGetDky(s->memory, t, k, view(s, out));
}

static void count_arkode(const taut_package *s, taut_stepper_stats *stats) {
    ERKStepGetNumSteps(s->memory, &stats->steps);
    ERKStepGetNumErrTestFails(s->memory, &stats->rejected);
    ERKStepGetNumRhsEvals(s->memory, &stats->evaluations);
    stats->order = s->engine->open == open_rk4 ? 4 : ERK_TABLE[find_table(s->options.order)].order;
}

/* Goes on with the step that would have followed, or with the planned one. */
static int restart_arkode(taut_package *s) {
    int bad = 0;
    if (s->options.step == 0.0 && s->usual != 0.0) {
        const double left = s->end - s->base.t;
        const bool planned = s->end != s->tend && fabs(left) < 2.0 * fabs(s->usual);
        bad |= ERKStepSetInitStep(s->memory, planned ? left : s->usual);
        bad |= ERKStepSetMaxFirstGrowth(s->memory, GROWTH);
    }
    return bad | ERKStepReset(s->memory, s->base.t, s->vendor->vector);
}

static void close_arkode(taut_package *s) {
    if (s->memory) ERKStepFree(&s->memory);
    close_views(s);
}

/* ---- IDA ---- */

static int residuals(double t, N_Vector y, N_Vector rate, N_Vector F, void *user) {
    taut_package *s = user;
    double *f = N_VGetArrayPointer(F);
    taut_index2_residual(s->form, t, N_VGetArrayPointer(y), N_VGetArrayPointer(rate), f);
    for (int i = 0; i < s->n; i++)
        if (!isfinite(f[i])) return answer(s, TAUT_ERR_NUMERICS);
    return answer(s, TAUT_OK);
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are IDA's */
static int jacobian(double t, double cj, N_Vector y, N_Vector rate, N_Vector F, SUNMatrix matrix,
                    void *user, N_Vector a, N_Vector b, N_Vector c) {
    taut_package *s = user;
    const int *start = taut_index2_start(s->form), *row = taut_index2_row(s->form);
    sunindextype *column = SUNSparseMatrix_IndexPointers(matrix);
    (void)F, (void)a, (void)b, (void)c;
    for (int j = 0; j <= s->n; j++) column[j] = start[j];
    for (int k = 0; k < start[s->n]; k++) SUNSparseMatrix_IndexValues(matrix)[k] = row[k];
    taut_index2_jacobian(s->form, t, N_VGetArrayPointer(y), N_VGetArrayPointer(rate), cj,
                         SUNSparseMatrix_Data(matrix));
    return 0;
}

/* Multipliers and their kin are no part of the error test, and next to nothing in norms. */
static int set_differential(taut_package *s) {
    N_Vector id = N_VNew_Serial(s->n, s->vendor->context);
    if (!id) return -1;
    for (int i = 0; i < s->n; i++) N_VGetArrayPointer(id)[i] = i < s->flow->states ? 1.0 : 0.0;
    const int bad = IDASetId(s->memory, id);
    N_VDestroy(id);
    return bad | IDASetSuppressAlg(s->memory, SUNTRUE);
}

static taut_status open_ida(taut_package *s) {
    const double tol = fmax(s->options.rtol, s->options.atol);
    const double h = taut_weights_first_step(&s->ode->weights, s->y, s->rate, tol);
    taut_package_complete(s);
    TAUT_TRY(open_views(s));
    s->memory = IDACreate(s->vendor->context);
    s->vendor->slopes = N_VMake_Serial(s->n, s->slope, s->vendor->context);
    s->vendor->matrix =
        SUNSparseMatrix(s->n, s->n, taut_index2_entries(s->form), CSC_MAT, s->vendor->context);
    s->vendor->linear =
        s->vendor->matrix ? SUNLinSol_KLU(s->vendor->vector, s->vendor->matrix, s->vendor->context)
                          : NULL;
    if (!s->memory || !s->vendor->slopes || !s->vendor->linear) return TAUT_ERR_MEMORY;
    int bad = IDASetErrHandlerFn(s->memory, listen, s);
    bad |= IDAInit(s->memory, residuals, s->base.t, s->vendor->vector, s->vendor->slopes);
    bad |= IDASetUserData(s->memory, s);
    bad |= IDAWFtolerances(s->memory, weights);
    bad |= IDASetMaxNumSteps(s->memory, -1);
    bad |= IDASetLinearSolver(s->memory, s->vendor->linear, s->vendor->matrix);
    bad |= IDASetJacFn(s->memory, jacobian);
    bad |= set_differential(s);
    s->vendor->nonlinear = SUNNonlinSol_Newton(s->vendor->vector, s->vendor->context);
    bad |= !s->vendor->nonlinear || IDASetNonlinearSolver(s->memory, s->vendor->nonlinear);
    s->vendor->converged = NULL;
    /* what Newton leaves is noise in the history, and costs steps: a third of them at the default
     */
    bad |= IDASetNonlinConvCoef(s->memory, 0.01);
    if (h > 0.0) bad |= IDASetInitStep(s->memory, copysign(h, s->tend - s->base.t));
    if (s->options.order > 0) bad |= IDASetMaxOrd(s->memory, s->options.order);
    return bad ? TAUT_ERR_MEMORY : TAUT_OK;
}

/* IDA trusts in the rate of convergence that it saw last and often stops after one iteration. The
 * forces of drivers, on which the motion may not depend at all, would then be extrapolated from
 * step to step, and so would their work. */
static int converged(SUNNonlinearSolver newton, N_Vector y, N_Vector change, double tol,
                     N_Vector weight, void *user) {
    const taut_package *s = user;
    int iteration = 0;
    const int result =
        s->vendor->converged(newton, y, change, tol, weight, s->vendor->converged_data);
    SUNNonlinSolGetCurIter(newton, &iteration);
    if (result != SUN_NLS_SUCCESS || iteration > 0) return result;
    return N_VWrmsNorm(change, weight) > tol ? SUN_NLS_CONTINUE : result;
}

/* IDA sets its own test when it begins. */
static void watch_convergence(taut_package *s) {
    if (!s->vendor->nonlinear || s->vendor->converged) return;
    SUNNonlinearSolverContent_Newton newton = s->vendor->nonlinear->content;
    s->vendor->converged = newton->CTest;
    s->vendor->converged_data = newton->ctest_data;
    SUNNonlinSolSetConvTestFn(s->vendor->nonlinear, converged, s);
}

static int advance_ida(taut_package *s, double *t) {
    if (*t != s->base.t || s->base.begin != s->base.t) watch_convergence(s);
    return IDASolve(s->memory, s->tend, t, s->vendor->vector, s->vendor->slopes, IDA_ONE_STEP);
}

static int derivative_ida(taut_package *s, double t, int k, double *out) {
    return IDAGetDky(s->memory, t, k, view(s, out));
}

static void count_ida(const taut_package *s, taut_stepper_stats *stats) {
    long errors = 0, newton = 0;
    IDAGetNumSteps(s->memory, &stats->steps);
    IDAGetNumErrTestFails(s->memory, &errors);
    IDAGetNumStepSolveFails(s->memory, &newton);
    IDAGetLastOrder(s->memory, &stats->order);
    IDAGetNumResEvals(s->memory, &stats->evaluations);
    IDAGetNumLinSolvSetups(s->memory, &stats->factorisations);
    stats->rejected = errors + newton;
}

static void close_ida(taut_package *s) {
    if (s->memory) IDAFree(&s->memory);
    close_views(s);
}

/* ---- all of them ---- */

/* Calls whose names differ by the package's alone, and the functions above. */
#define ENGINE(title, package, family, ...)                                                        \
    const taut_engine taut_engine_##title = {.open = open_##title,                                 \
                                             .set_end = package##SetStopTime,                      \
                                             .set_longest = package##SetMaxStep,                   \
                                             .ahead = package##GetCurrentStep,                     \
                                             .advance = advance_##family,                          \
                                             .derivative = derivative_##family,                    \
                                             .count = count_##family,                              \
                                             .close = close_##family,                              \
                                             __VA_ARGS__}
ENGINE(bdf, CVode, cvode, .restart = restart_cvode, .most_order = 5);
ENGINE(adams, CVode, cvode, .restart = restart_cvode, .most_order = 12);
ENGINE(erk, ERKStep, arkode, .restart = restart_arkode, .has_order = has_table, .most_order = 8);
ENGINE(rk4, ERKStep, arkode, .restart = restart_arkode, .most_order = 5);
ENGINE(ida, IDA, ida, .most_order = 5);
