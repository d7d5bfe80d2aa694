/* CVODE and ARKODE on the rates and projections of a flow, IDA on the form of solve/index2.
 *
 * A package is called through a small table (`engine`), because their calls differ in name only;
 * vectors of SUNDIALS are views of arrays in the stepper's arena. */
#include "solve/sundials.h"

#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <cvode/cvode_proj.h>
#include <float.h>
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

#include "core/number.h"
#include "expr/diff.h"
#include "solve/index2.h"
#include "solve/ode.h"
#include "solve/prince.h"
#include "solve/vigil.h"

static const double LOOSE = 1e3;     /* the tolerance of multipliers beside that of states */
static const double GROWTH = 3.0;    /* of steps, at most */
static const double CROSSING = 0.58; /* see plan_end */

/* of ARKODE's controller: see choose_length */
static const double PROPORTIONAL = 0.8, INTEGRAL = 0.31, LEAST_MISS = 1e-10, ARKODE_GROWTH = 25.0;
static const double LEAST_CUT = 0.05; /* of a step that is cut before a feature */

static const double TICKS = 4.0, LATE = 100.0; /* see blur */
static const double DRAW = 0.05;               /* see drawn_rates */
static const double ABSURD = 1e30;             /* see sturdy_rates */

typedef struct sundials sundials;

/* How a package is called. Ints are its return values: 0 is success, below 0 a failure. */
typedef struct engine {
    taut_status (*open)(sundials *s);
    int (*set_end)(void *memory, double tend);
    int (*set_longest)(void *memory, double h); /* no step is longer */
    int (*ahead)(void *memory, double *h);      /* the step that it will try next */
    int (*advance)(sundials *s, double *t);     /* one step of its own, at most to tend */
    int (*derivative)(void *memory, double t, int k, N_Vector out);
    int (*restart)(sundials *s); /* y has been rewritten in other coordinates; NULL: never */
    void (*count)(const sundials *s, taut_stepper_stats *stats);
    void (*close)(void **memory);
} engine;

struct sundials {
    taut_stepper base;
    const engine *engine;
    taut_arena arena;
    taut_flow *flow;
    taut_ode *ode;     /* IDA: the same, as what it is; otherwise NULL */
    taut_index2 *form; /* IDA */
    taut_stepping options;
    taut_vigil vigil; /* features ahead */
    double tend;
    double end;         /* of the coming step, at the latest */
    double usual;       /* the step that the package would take if it were free to; 0: not known */
    double missed;      /* ARKODE: the error of the last step; see choose_length */
    double latest;      /* ... of the last attempt */
    bool resumed;       /* it is of a step before the start */
    int n;              /* entries of y: the states; IDA: and what else it solves for */
    double *y, *before; /* [n] at base.t and at base.begin */
    double *rate, *inside; /* [n] work space; values at inside_t */
    double inside_t;       /* NaN: nowhere */
    double *inside_rate;   /* [n] their derivatives */
    double *inside_x;      /* [flow->values] what they mean */
    double *allowed;       /* [n] errors of the states */
    double *slope;         /* [n] IDA: the derivatives of y */
    double *lately;        /* [n] others: those that were found last */
    SUNContext context;
    N_Vector vector, slopes, other; /* views of y and of whatever is passed to the package */
    void *memory;                   /* the package's */
    SUNMatrix matrix;
    SUNLinearSolver linear;
    SUNNonlinearSolver nonlinear;
    SUNNonlinSolConvTestFn converged; /* IDA's own test, if multipliers are tested as well, ... */
    void *converged_data;             /* ... and what it wants */
    taut_stepper_stats past;          /* what the package has forgotten in restarts */
    double *pull, *nearest;           /* [n] see drawn_rates */
    double absurd;                    /* see sturdy_rates */
    taut_status failed;               /* inside a call from the package */
    char said[200];                   /* the package's last message */
};

/* ---- what the packages call ---- */

/* Trouble at a trial point may be over with a smaller step; lack of memory is not. */
static int answer(sundials *s, taut_status status) {
    s->failed = status;
    if (status == TAUT_OK) return 0;
    return status == TAUT_ERR_MEMORY ? -1 : 1;
}

static int rates(double t, N_Vector y, N_Vector rate, void *user) {
    sundials *s = user;
    double *out = N_VGetArrayPointer(rate);
    const taut_status status = s->flow->kind->rates(s->flow, t, N_VGetArrayPointer(y), out);
    if (status == TAUT_OK) memcpy(s->lately, out, (size_t)s->n * sizeof *out);
    return answer(s, status);
}

/* For formulas that remember and cannot be corrected: the rates are those at the nearest point of
 * the constraints, towards which the state is drawn as well. */
static int drawn_rates(double t, N_Vector y, N_Vector rate, void *user) {
    sundials *s = user;
    const double *value = N_VGetArrayPointer(y);
    double h = 0.0, *out = N_VGetArrayPointer(rate);
    if (!s->flow->restricted) return rates(t, y, rate, user);
    const taut_status status = s->flow->kind->project(s->flow, t, value, s->pull);
    if (status != TAUT_OK) return answer(s, status);
    for (int i = 0; i < s->n; i++) s->nearest[i] = value[i] + s->pull[i];
    const taut_status found = s->flow->kind->rates(s->flow, t, s->nearest, out);
    if (found == TAUT_OK) memcpy(s->lately, out, (size_t)s->n * sizeof *out);
    CVodeGetLastStep(s->memory, &h);
    for (int i = 0; i < s->n && h != 0.0 && found == TAUT_OK; i++) out[i] += DRAW / h * s->pull[i];
    return answer(s, found);
}

/* What IDA solves for beside the states: next to nothing in norms where equations restrict the
 * states. Of index 1 it is as well determined as they are, and is to be found, if less exactly. */
static void weigh_others(const sundials *s, const double *y, double *w) {
    const double tol = fmax(s->options.rtol, s->options.atol);
    double largest = 0.0;
    for (int i = s->flow->states; i < s->n && s->flow->structure->conditions == 0; i++)
        largest = fmax(largest, fabs(y[i]));
    for (int i = s->flow->states; i < s->n; i++)
        w[i] = largest > 0.0 ? 1.0 / (LOOSE * tol * largest) : DBL_MIN;
}

/* How much a state changes between two times that are next to each other, in a run that is short
 * beside the time at which it begins: functions of t are not known better, and at t = 1e6 that is
 * more than a tolerance of 1e-10. */
static double blur(const sundials *s, int i) {
    const double rate = fabs(s->form ? s->slope[i] : s->lately[i]), span = s->options.span;
    if (!isfinite(rate) || !(span > 0.0) || fabs(s->base.t) <= LATE * span) return 0.0;
    return TICKS * DBL_EPSILON * fabs(s->base.t) * rate;
}

static int weights(N_Vector y, N_Vector weight, void *user) {
    sundials *s = user;
    double *w = N_VGetArrayPointer(weight);
    s->flow->kind->weights(s->flow, N_VGetArrayPointer(y), s->allowed);
    for (int i = 0; i < s->flow->states; i++)
        w[i] = isfinite(s->allowed[i]) ? 1.0 / fmax(fmax(s->allowed[i], blur(s, i)), DBL_MIN)
                                       : DBL_MIN;
    weigh_others(s, N_VGetArrayPointer(y), w);
    return 0;
}

/* For CVODE: the correction is added by the caller. */
static int project(double t, N_Vector y, N_Vector correction, double eps, N_Vector error,
                   void *user) {
    sundials *s = user;
    (void)eps;
    (void)error; /* stays as it is: CVodeSetProjErrEst */
    return answer(s, s->flow->kind->project(s->flow, t, N_VGetArrayPointer(y),
                                            N_VGetArrayPointer(correction)));
}

/* For ARKODE: y itself is corrected. */
static int project_in_place(double t, N_Vector y, void *user) {
    sundials *s = user;
    double *value = N_VGetArrayPointer(y);
    const taut_status status = s->flow->kind->project(s->flow, t, value, s->rate);
    for (int i = 0; i < s->n && status == TAUT_OK; i++) value[i] += s->rate[i];
    return answer(s, status);
}

static void listen(int code, const char *module, const char *function, char *message, void *user) {
    sundials *s = user;
    (void)module;
    (void)function;
    if (code < 0) snprintf(s->said, sizeof s->said, "%s", message);
}

/* ---- CVODE ---- */

static taut_status open_cvode(sundials *s, int kind) {
    s->memory = CVodeCreate(kind, s->context);
    if (!s->memory) return TAUT_ERR_MEMORY;
    int bad = CVodeSetErrHandlerFn(s->memory, listen, s);
    bad |= CVodeInit(s->memory, kind == CV_ADAMS ? drawn_rates : rates, s->base.t, s->vector);
    bad |= CVodeSetUserData(s->memory, s);
    bad |= CVodeWFtolerances(s->memory, weights);
    bad |= CVodeSetMaxNumSteps(s->memory, -1);
    if (s->options.order > 0) bad |= CVodeSetMaxOrd(s->memory, s->options.order);
    return bad ? TAUT_ERR_MEMORY : TAUT_OK;
}

static int rate_jacobian(double t, N_Vector y, N_Vector rate, SUNMatrix matrix, void *user,
                         N_Vector a, N_Vector b, N_Vector c) {
    sundials *s = user;
    (void)rate, (void)a, (void)b, (void)c;
    return answer(
        s, s->flow->kind->jacobian(s->flow, t, N_VGetArrayPointer(y), SUNDenseMatrix_Data(matrix)));
}

static taut_status open_bdf(sundials *s) {
    TAUT_TRY(open_cvode(s, CV_BDF));
    s->matrix = SUNDenseMatrix(s->n, s->n, s->context);
    s->linear = s->matrix ? SUNLinSol_Dense(s->vector, s->matrix, s->context) : NULL;
    if (!s->linear) return TAUT_ERR_MEMORY;
    int bad = CVodeSetLinearSolver(s->memory, s->linear, s->matrix);
    if (s->flow->kind->jacobian) bad |= CVodeSetJacFn(s->memory, rate_jacobian);
    if (s->flow->restricted) {
        bad |= CVodeSetProjFn(s->memory, project);
        bad |= CVodeSetProjErrEst(s->memory, SUNFALSE);
    }
    return bad ? TAUT_ERR_MEMORY : TAUT_OK;
}

static taut_status open_adams(sundials *s) {
    TAUT_TRY(open_cvode(s, CV_ADAMS));
    s->nonlinear = SUNNonlinSol_FixedPoint(s->vector, 0, s->context);
    if (!s->nonlinear || CVodeSetNonlinearSolver(s->memory, s->nonlinear)) return TAUT_ERR_MEMORY;
    return TAUT_OK;
}

static int advance_cvode(sundials *s, double *t) {
    return CVode(s->memory, s->tend, s->vector, t, CV_ONE_STEP);
}

static void count_cvode(const sundials *s, taut_stepper_stats *stats) {
    long errors = 0, newton = 0, own = 0;
    CVodeGetNumSteps(s->memory, &stats->steps);
    CVodeGetNumRhsEvals(s->memory, &stats->evaluations);
    CVodeGetNumErrTestFails(s->memory, &errors);
    CVodeGetNumStepSolveFails(s->memory, &newton);
    CVodeGetLastOrder(s->memory, &stats->order);
    if (s->linear) CVodeGetNumLinSolvSetups(s->memory, &own);
    stats->rejected = errors + newton;
    stats->factorisations += own;
}

/* Begins at order 1 again, with counters at 0. */
static int restart_cvode(sundials *s) {
    taut_stepper_stats stats = {0};
    count_cvode(s, &stats);
    s->past.steps += stats.steps;
    s->past.rejected += stats.rejected;
    s->past.evaluations += stats.evaluations;
    return CVodeReInit(s->memory, s->base.t, s->vector);
}

static const engine BDF = {open_bdf,      CVodeSetStopTime, CVodeSetMaxStep, CVodeGetCurrentStep,
                           advance_cvode, CVodeGetDky,      restart_cvode,   count_cvode,
                           CVodeFree};
static const engine ADAMS = {open_adams,          CVodeSetStopTime, CVodeSetMaxStep,
                             CVodeGetCurrentStep, advance_cvode,    CVodeGetDky,
                             restart_cvode,       count_cvode,      CVodeFree};

/* ---- ARKODE ---- */

/* ARKODE's explicit methods do not survive a trial point without rates, however small a step would
 * avoid it. Rates that no error test accepts make it try a smaller one. */
static int sturdy_rates(double t, N_Vector y, N_Vector rate, void *user) {
    sundials *s = user;
    const int flag = rates(t, y, rate, user);
    if (flag <= 0 || s->options.step > 0.0) return flag;
    N_VConst(s->absurd, rate);
    s->absurd *= 1.7; /* equal ones might cancel in the estimate of the error */
    return 0;
}

/* ARKODE's own choice of the next step (a PI controller, Hairer and Wanner, section IV.2), written
 * out because it looks back on the error of the step before: a run that goes on from a state has it
 * from there. */
static int choose_length(N_Vector y, double t, double h, double h2, double h3, double e1, double e2,
                         double e3, int q, int p, double *next, void *user) {
    sundials *s = user;
    const double before = s->resumed && s->base.t == s->base.begin ? s->missed : e2;
    (void)y, (void)t, (void)h2, (void)h3, (void)e3, (void)q;
    *next = h * pow(fmax(e1, LEAST_MISS), -PROPORTIONAL / p) *
            pow(fmax(before, LEAST_MISS), INTEGRAL / p);
    s->latest = e1;
    return 0;
}

/* The step that would have followed in the run that goes on here. */
static int resume_arkode(sundials *s) {
    if (!s->resumed || s->options.step > 0.0 || s->usual == 0.0) return 0;
    return ERKStepSetInitStep(s->memory, s->usual) |
           ERKStepSetMaxFirstGrowth(s->memory, ARKODE_GROWTH);
}

static taut_status open_arkode(sundials *s) {
    s->memory = ERKStepCreate(sturdy_rates, s->base.t, s->vector, s->context);
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

/* ARKODE (5.4) takes the rates of the last stage for those at the end of a step wherever that stage
 * is at the end, also if its values are not those of the step: the classical method would be of
 * order 3. Whoever may have changed the values afterwards makes it look again. */
static int look_again(double t, N_Vector y, void *user) {
    (void)t, (void)y, (void)user;
    return 0;
}

/* A table that ARKODE does not have. */
static int set_table(sundials *s, ARKodeButcherTable table) {
    if (!table) return -1;
    int bad = ERKStepSetTable(s->memory, table);
    if (!s->flow->restricted) bad |= ERKStepSetPostprocessStepFn(s->memory, look_again);
    ARKodeButcherTable_Free(table);
    return bad;
}

static taut_status open_erk(sundials *s) {
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
static taut_status open_rk4(sundials *s) {
    double c[] = {0.0, 0.5, 0.5, 1.0}, b[] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    double A[] = {0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0};
    TAUT_TRY(open_arkode(s));
    return set_table(s, ARKodeButcherTable_Create(4, 4, 0, c, A, b, NULL)) ? TAUT_ERR_MEMORY
                                                                           : TAUT_OK;
}

static int advance_arkode(sundials *s, double *t) {
    return ERKStepEvolve(s->memory, s->tend, s->vector, t, ARK_ONE_STEP);
}

static void count_arkode(const sundials *s, taut_stepper_stats *stats) {
    ERKStepGetNumSteps(s->memory, &stats->steps);
    ERKStepGetNumErrTestFails(s->memory, &stats->rejected);
    ERKStepGetNumRhsEvals(s->memory, &stats->evaluations);
    stats->order = s->engine->open == open_rk4 ? 4 : ERK_TABLE[find_table(s->options.order)].order;
}

/* Goes on with the step that would have followed, or with the planned one. */
static int restart_arkode(sundials *s) {
    int bad = 0;
    if (s->options.step == 0.0 && s->usual != 0.0) {
        const double left = s->end - s->base.t;
        const bool planned = s->end != s->tend && fabs(left) < 2.0 * fabs(s->usual);
        bad |= ERKStepSetInitStep(s->memory, planned ? left : s->usual);
        bad |= ERKStepSetMaxFirstGrowth(s->memory, GROWTH);
    }
    return bad | ERKStepReset(s->memory, s->base.t, s->vector);
}

static const engine ERK = {
    open_erk,       ERKStepSetStopTime, ERKStepSetMaxStep, ERKStepGetCurrentStep,
    advance_arkode, ERKStepGetDky,      restart_arkode,    count_arkode,
    ERKStepFree};
static const engine RK4 = {
    open_rk4,       ERKStepSetStopTime, ERKStepSetMaxStep, ERKStepGetCurrentStep,
    advance_arkode, ERKStepGetDky,      restart_arkode,    count_arkode,
    ERKStepFree};

/* ---- IDA ---- */

static int residuals(double t, N_Vector y, N_Vector rate, N_Vector F, void *user) {
    sundials *s = user;
    double *f = N_VGetArrayPointer(F);
    taut_index2_residual(s->form, t, N_VGetArrayPointer(y), N_VGetArrayPointer(rate), f);
    for (int i = 0; i < s->n; i++)
        if (!isfinite(f[i])) return answer(s, TAUT_ERR_NUMERICS);
    return answer(s, TAUT_OK);
}

static int jacobian(double t, double cj, N_Vector y, N_Vector rate, N_Vector F, SUNMatrix matrix,
                    void *user, N_Vector a, N_Vector b, N_Vector c) {
    sundials *s = user;
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
static int set_differential(sundials *s) {
    N_Vector id = N_VNew_Serial(s->n, s->context);
    if (!id) return -1;
    for (int i = 0; i < s->n; i++) N_VGetArrayPointer(id)[i] = i < s->flow->states ? 1.0 : 0.0;
    const int bad = IDASetId(s->memory, id);
    N_VDestroy(id);
    return bad | IDASetSuppressAlg(s->memory, SUNTRUE);
}

/* Y and Y' from the state and its rates, consistent as they are. */
static void complete(sundials *s) {
    memcpy(s->slope, s->rate, (size_t)s->flow->states * sizeof *s->rate);
    for (int i = s->flow->states; i < s->n; i++) s->y[i] = s->slope[i] = 0.0;
    for (int j = 0; j < s->flow->system->n; j++)
        if (s->flow->structure->offsets.d[j] == 0)
            s->y[taut_index2_algebraic(s->form, j)] = s->ode->guess[j];
}

static taut_status open_ida(sundials *s) {
    const double tol = fmax(s->options.rtol, s->options.atol);
    const double h = taut_weights_first_step(&s->ode->weights, s->y, s->rate, tol);
    complete(s);
    s->memory = IDACreate(s->context);
    s->slopes = N_VMake_Serial(s->n, s->slope, s->context);
    s->matrix = SUNSparseMatrix(s->n, s->n, taut_index2_entries(s->form), CSC_MAT, s->context);
    s->linear = s->matrix ? SUNLinSol_KLU(s->vector, s->matrix, s->context) : NULL;
    if (!s->memory || !s->slopes || !s->linear) return TAUT_ERR_MEMORY;
    int bad = IDASetErrHandlerFn(s->memory, listen, s);
    bad |= IDAInit(s->memory, residuals, s->base.t, s->vector, s->slopes);
    bad |= IDASetUserData(s->memory, s);
    bad |= IDAWFtolerances(s->memory, weights);
    bad |= IDASetMaxNumSteps(s->memory, -1);
    bad |= IDASetLinearSolver(s->memory, s->linear, s->matrix);
    bad |= IDASetJacFn(s->memory, jacobian);
    bad |= set_differential(s);
    if (s->flow->structure->conditions == 0) {
        s->nonlinear = SUNNonlinSol_Newton(s->vector, s->context);
        bad |= !s->nonlinear || IDASetNonlinearSolver(s->memory, s->nonlinear);
    }
    s->converged = NULL;
    /* what Newton leaves is noise in the history, and costs steps: a third of them at the default
     */
    bad |= IDASetNonlinConvCoef(s->memory, 0.01);
    if (h > 0.0) bad |= IDASetInitStep(s->memory, copysign(h, s->tend - s->base.t));
    if (s->options.order > 0) bad |= IDASetMaxOrd(s->memory, s->options.order);
    return bad ? TAUT_ERR_MEMORY : TAUT_OK;
}

/* IDA trusts in the rate of convergence that it saw last and often stops after one iteration. The
 * forces of drivers, on which the motion may not depend at all, would then be extrapolated from
 * step to step. */
static int converged(SUNNonlinearSolver newton, N_Vector y, N_Vector change, double tol,
                     N_Vector weight, void *user) {
    const sundials *s = user;
    int iteration = 0;
    const int result = s->converged(newton, y, change, tol, weight, s->converged_data);
    SUNNonlinSolGetCurIter(newton, &iteration);
    if (result != SUN_NLS_SUCCESS || iteration > 0) return result;
    return N_VWrmsNorm(change, weight) > tol ? SUN_NLS_CONTINUE : result;
}

/* IDA sets its own test when it begins. */
static void watch_convergence(sundials *s) {
    if (!s->nonlinear || s->converged) return;
    SUNNonlinearSolverContent_Newton newton = s->nonlinear->content;
    s->converged = newton->CTest;
    s->converged_data = newton->ctest_data;
    SUNNonlinSolSetConvTestFn(s->nonlinear, converged, s);
}

static int advance_ida(sundials *s, double *t) {
    if (*t != s->base.t || s->base.begin != s->base.t) watch_convergence(s);
    return IDASolve(s->memory, s->tend, t, s->vector, s->slopes, IDA_ONE_STEP);
}

static void count_ida(const sundials *s, taut_stepper_stats *stats) {
    long errors = 0, newton = 0;
    IDAGetNumSteps(s->memory, &stats->steps);
    IDAGetNumErrTestFails(s->memory, &errors);
    IDAGetNumStepSolveFails(s->memory, &newton);
    IDAGetLastOrder(s->memory, &stats->order);
    IDAGetNumResEvals(s->memory, &stats->evaluations);
    IDAGetNumLinSolvSetups(s->memory, &stats->factorisations);
    stats->rejected = errors + newton;
}

static const engine IDA = {open_ida,    IDASetStopTime, IDASetMaxStep, IDAGetCurrentStep,
                           advance_ida, IDAGetDky,      NULL,          count_ida,
                           IDAFree};

/* ---- a stepper ---- */

static void close_engine(sundials *s) {
    if (s->memory) s->engine->close(&s->memory);
    if (s->linear) SUNLinSolFree(s->linear);
    if (s->nonlinear) SUNNonlinSolFree(s->nonlinear);
    if (s->matrix) SUNMatDestroy(s->matrix);
    if (s->vector) N_VDestroy(s->vector);
    if (s->slopes) N_VDestroy(s->slopes);
    if (s->other) N_VDestroy(s->other);
    if (s->context) SUNContext_Free(&s->context);
    s->memory = NULL;
    s->linear = NULL;
    s->nonlinear = NULL;
    s->matrix = NULL;
    s->vector = s->slopes = s->other = NULL;
}

static void release(taut_stepper *stepper) {
    sundials *s = (sundials *)stepper;
    close_engine(s);
    taut_index2_free(&s->form);
    if (s->flow) s->flow->kind->release(s->flow);
    taut_arena_release(&s->arena);
    taut_release((void **)&s);
}

static taut_status allocate(sundials *s) {
    s->n = s->form ? taut_index2_size(s->form) : s->flow->states;
    double **array[] = {&s->y,      &s->before,      &s->rate,  &s->pull,    &s->nearest,
                        &s->inside, &s->inside_rate, &s->slope, &s->allowed, &s->lately};
    for (size_t i = 0; i < sizeof array / sizeof array[0]; i++)
        if (!(*array[i] = TAUT_NEW_ARRAY(&s->arena, s->n, double))) return TAUT_ERR_MEMORY;
    s->inside_x = TAUT_NEW_ARRAY(&s->arena, s->flow->values, double);
    return s->inside_x ? TAUT_OK : TAUT_ERR_MEMORY;
}

/* The flow, and what a package needs beside it. */
static taut_status create_flow(sundials *s, const taut_system *system,
                               const taut_structure *structure) {
    const taut_flow_maker *maker = s->options.maker ? s->options.maker : &taut_ode_maker;
    TAUT_TRY(maker->create(maker->user, system, structure, &s->options, &s->arena, &s->flow));
    s->flow->series->watch = s->options.watch;
    if (s->engine == &BDF && s->flow->kind->differentiate)
        TAUT_TRY(s->flow->kind->differentiate(s->flow));
    if (s->engine != &IDA || maker != &taut_ode_maker) return TAUT_OK;
    s->ode = (taut_ode *)s->flow;
    return taut_index2_create(s->ode, &s->form);
}

static taut_status create(const engine *package, const taut_system *system,
                          const taut_structure *structure, const taut_stepping *options,
                          taut_stepper **stepper) {
    sundials *s = NULL;
    size_t room = 0;
    *stepper = NULL;
    if (taut_grow((void **)&s, &room, 1, sizeof *s)) return TAUT_ERR_MEMORY;
    *s = (sundials){.engine = package, .options = *options};
    taut_status status = taut_vigil_create(system, options, &s->arena, &s->vigil);
    if (status == TAUT_OK) status = create_flow(s, system, structure);
    if (status == TAUT_ERR_CALL) { /* said by check() */
        s->failed = status;
        status = TAUT_OK;
    }
    if (status == TAUT_OK) status = allocate(s);
    if (status == TAUT_OK)
        *stepper = &s->base;
    else
        release(&s->base);
    return status;
}

static taut_status check(const sundials *s, taut_errors *errors) {
    const char *name = s->base.method->name;
    const bool fixed = s->options.step > 0.0;
    if (s->n == 0)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "%s has nothing to integrate: no variable is differentiated; use taylor",
                         name);
    if (s->engine == &IDA && !s->ode)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "ida solves equations with their constraints, and these coordinates have "
                         "none: use bdf, or the formulation natural");
    if (s->failed == TAUT_ERR_CALL)
        return taut_fail_at(errors, TAUT_ERR_CALL, s->flow->system->place,
                            "%s does not take derivatives of order %d and more; use taylor", name,
                            TAUT_SWEEP_ORDERS);
    if (s->engine == &RK4 && !fixed)
        return taut_fail(errors, TAUT_ERR_CALL, "rk4 needs a fixed step: give one");
    if (fixed && s->engine != &RK4 && s->engine != &ERK)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "%s chooses its own steps; a fixed one is for taylor, ho, erk and rk4",
                         name);
    if (s->options.order > 0 && s->engine == &RK4)
        return taut_fail(errors, TAUT_ERR_CALL, "the order of rk4 is fixed");
    /* ARKODE interpolates by polynomials of degree 5 at most */
    if (s->options.order > 0 && s->engine == &ERK && !s->flow->kind->inside)
        return taut_fail(errors, TAUT_ERR_CALL, "the order of erk is fixed");
    if (s->engine == &ERK && find_table(s->options.order) < 0)
        return taut_fail(errors, TAUT_ERR_CALL, "the orders of erk are 5, 6 and 8");
    const int most = s->engine == &ADAMS ? 12 : s->engine == &ERK ? 8 : 5;
    if (s->options.order > most)
        return taut_fail(errors, TAUT_ERR_CALL, "the order of %s is at most %d", name, most);
    return TAUT_OK;
}

static taut_status open_engine(sundials *s) {
    close_engine(s);
    if (SUNContext_Create(NULL, &s->context)) {
        s->context = NULL; /* a part of one cannot be freed */
        return TAUT_ERR_MEMORY;
    }
    s->vector = N_VMake_Serial(s->n, s->y, s->context);
    s->other = N_VMake_Serial(s->n, s->inside, s->context);
    if (!s->vector || !s->other) return TAUT_ERR_MEMORY;
    TAUT_TRY(s->engine->open(s));
    if (!isfinite(s->vigil.cap) || s->options.step > 0.0) return TAUT_OK;
    return s->engine->set_longest(s->memory, s->vigil.cap) ? TAUT_ERR_MEMORY : TAUT_OK;
}

/* ---- what is remembered ---- */

static bool remembers(const sundials *s) {
    return (s->engine == &ERK || s->engine == &RK4) && s->flow->kind->remember;
}

static void remember(const taut_stepper *stepper, taut_memory *memory) {
    const sundials *s = (const sundials *)stepper;
    double ahead = 0.0;
    if (!remembers(s)) return;
    if (s->memory && s->base.t != s->base.begin && s->engine->ahead(s->memory, &ahead)) return;
    taut_memory_put(memory, s->end == s->tend && ahead != 0.0 ? ahead : s->usual);
    taut_memory_put(memory, s->missed);
    s->flow->kind->remember(s->flow, memory);
}

static void recall(sundials *s, const taut_state *from) {
    taut_recall r = taut_state_recall(from, s->base.method->name);
    if (!remembers(s) || r.memory->count == 0) return;
    s->usual = taut_recall_get(&r);
    s->missed = taut_recall_get(&r);
    s->resumed = true;
    s->flow->kind->recall(s->flow, &r);
}

static taut_status start(taut_stepper *stepper, const taut_state *from, double tend,
                         taut_errors *errors) {
    sundials *s = (sundials *)stepper;
    s->tend = tend;
    s->inside_t = (double)NAN;
    TAUT_TRY(check(s, errors));
    s->past = (taut_stepper_stats){0};
    s->end = tend;
    s->usual = 0.0;
    s->missed = 1.0;
    s->resumed = false;
    taut_status status = s->flow->kind->start(s->flow, from, s->y, s->rate);
    if (status == TAUT_SINGULAR || status == TAUT_ERR_NUMERICS)
        return taut_fail_at(errors, TAUT_ERR_NUMERICS, s->flow->system->place,
                            "the highest derivatives cannot be found at the start");
    TAUT_TRY(status);
    memcpy(s->before, s->y, (size_t)s->n * sizeof *s->y);
    memcpy(s->lately, s->rate, (size_t)s->flow->states * sizeof *s->rate);
    recall(s, from);
    return tend == s->base.t ? TAUT_OK : open_engine(s);
}

static taut_status set_end(taut_stepper *stepper, double tend) {
    sundials *s = (sundials *)stepper;
    if (s->end == s->tend) s->end = tend;
    s->tend = tend;
    return s->memory || tend == s->base.t ? TAUT_OK : open_engine(s);
}

static taut_status explain(const sundials *s, taut_errors *errors) {
    if (s->failed == TAUT_ERR_MEMORY) return TAUT_ERR_MEMORY;
    const bool nowhere = s->failed == TAUT_SINGULAR || s->failed == TAUT_ERR_NUMERICS;
    return taut_fail_at(errors, TAUT_STEP_COLLAPSED, s->flow->system->place,
                        "%s stopped at t = %.10g: %s", s->base.method->name, s->base.t,
                        nowhere
                            ? "the equations have no solution just beyond; constraints may lose "
                              "rank there (a singular position), or a formula its value: "
                              "the solver taylor tells more"
                        : s->said[0] ? s->said
                                     : "no step could be taken");
}

/* Other coordinates for the coming step, if the flow wants them. */
static taut_status renew(sundials *s) {
    bool changed = false;
    if (!s->flow->kind->renew) return TAUT_OK;
    const bool remembers = s->engine == &BDF || s->engine == &ADAMS;
    TAUT_TRY(s->flow->kind->renew(s->flow, s->base.t, s->y, remembers, &changed));
    if (!changed) return TAUT_OK;
    return s->engine->restart(s) ? TAUT_ERR_MEMORY : TAUT_OK;
}

/* Where the coming step is to end. A singular position ahead is to lie at CROSSING of the step that
 * passes it, where none of the methods evaluates anything; the step before it is cut accordingly.
 */
static double plan_end(const sundials *s) {
    const double r = s->flow->singular - s->base.t, h = s->usual;
    if (!(r * h > 0.0) || s->options.step > 0.0) return s->tend;
    if (fabs(r) > (1.0 + CROSSING) * fabs(h)) return s->tend;
    /* two equal steps, or only the second one of them */
    const bool cross = fabs(r) <= 1.01 * CROSSING * fabs(h);
    const double end = s->base.t + r / (cross ? CROSSING : 1.0 + CROSSING);
    return fabs(end - s->base.t) < fabs(s->tend - s->base.t) ? end : s->tend;
}

static double value(const taut_stepper *stepper, int j, int k, double time);

/* x_j^(k) ahead of the present point, from what is known there. */
static bool foresee(void *user, const taut_sample_input *x, const double *time, double *result) {
    sundials *s = user;
    const int j = x->variable, d = j >= 0 ? s->flow->structure->offsets.d[j] : -1;
    for (int m = 0; m < TAUT_SAMPLES && d >= x->order; m++) result[m] = 0.0;
    for (int k = d; k >= x->order; k--) {
        const double c = value(&s->base, j, k, s->base.t);
        for (int m = 0; m < TAUT_SAMPLES; m++)
            result[m] = c + result[m] * (time[m] - s->base.t) / (double)(k - x->order + 1);
    }
    return d >= x->order;
}

/* The same before a feature of a formula that the coming step would pass over: its end is to lie
 * inside, where the package sees it. */
static taut_status guard_end(sundials *s) {
    double h = 0.0, time;
    if (s->vigil.nodes == 0) return TAUT_OK;
    if (s->base.t != s->base.begin && s->engine->ahead(s->memory, &h)) return TAUT_ERR_MEMORY;
    h = fmax(fabs(h), fabs(s->usual));
    if (h == 0.0 || h > s->vigil.cap) h = s->vigil.cap;
    h = copysign(fmin(h, fabs(s->end - s->base.t)), s->end - s->base.t);
    if (!taut_vigil_jumps(&s->vigil, foresee, s, s->base.t, s->base.t + h, &time)) return TAUT_OK;
    const double least = s->base.t + LEAST_CUT * h;
    s->end = (time - least) * h > 0.0 ? time : least;
    return TAUT_OK;
}

/* What is to be settled before a step: where it ends, and in which coordinates it is taken. */
static taut_status prepare_step(sundials *s) {
    if (s->base.t != s->base.begin && s->end == s->tend && s->engine->ahead(s->memory, &s->usual))
        return TAUT_ERR_MEMORY;
    s->end = plan_end(s);
    TAUT_TRY(renew(s));
    TAUT_TRY(guard_end(s));
    return s->engine->set_end(s->memory, s->end) ? TAUT_ERR_MEMORY : TAUT_OK;
}

/* The package takes a step to *t. On failure y is what it was. */
static taut_status advance(sundials *s, double *t, taut_errors *errors) {
    s->failed = TAUT_OK;
    s->absurd = ABSURD;
    s->said[0] = '\0';
    const locale_t before = taut_locale_plain(); /* its messages have numbers */
    const int flag = s->engine->advance(s, t);
    taut_locale_restore(before);
    if (flag >= 0 && !(fabs(*t - s->base.t) > 16.0 * DBL_EPSILON * fabs(*t)) && *t != s->tend)
        taut_format(s->said, sizeof s->said, "the step size collapsed to %.2g", *t - s->base.t);
    if (flag >= 0 && !s->said[0]) return TAUT_OK;
    memcpy(s->y, s->inside, (size_t)s->n * sizeof *s->y);
    return explain(s, errors);
}

/* The flow follows to t, or finds that there is nothing: then the step was too long, in coordinates
 * that do not reach as far, and a shorter one is prepared; *again. */
static taut_status follow(sundials *s, double t, bool *again) {
    const taut_status status = s->flow->kind->reach(s->flow, t, s->y);
    *again = (status == TAUT_ERR_NUMERICS || status == TAUT_SINGULAR) && s->engine->restart &&
             s->options.step == 0.0;
    if (!*again) return status;
    memcpy(s->y, s->inside, (size_t)s->n * sizeof *s->y);
    s->usual = 0.25 * (t - s->base.t);
    s->end = s->tend;
    return s->engine->restart(s) ? TAUT_ERR_MEMORY : TAUT_OK;
}

static taut_status step(taut_stepper *stepper, taut_errors *errors) {
    sundials *s = (sundials *)stepper;
    bool again = true;
    double t = s->base.t;
    TAUT_TRY(prepare_step(s));
    memcpy(s->inside, s->y, (size_t)s->n * sizeof *s->y);
    s->inside_t = (double)NAN;
    while (again) {
        TAUT_TRY(advance(s, &t, errors));
        TAUT_TRY(follow(s, t, &again));
    }
    memcpy(s->before, s->inside, (size_t)s->n * sizeof *s->y);
    s->base.begin = s->base.t;
    s->base.t = t;
    s->missed = s->latest;
    const double singular = s->flow->singular;
    const bool passed = (singular - s->base.begin) * (t - singular) >= 0.0;
    s->base.singular = passed ? singular : (double)NAN;
    return TAUT_OK;
}

/* All states and their rates at a time inside the last step. At its ends the states themselves:
 * they satisfy the constraints, which interpolation does not know. */
static void interpolate(sundials *s, double time) {
    if (s->other) N_VSetArrayPointer(s->inside_rate, s->other); /* NULL: nothing to integrate */
    const bool moved = s->memory && s->base.t != s->base.begin;
    if (!moved || s->engine->derivative(s->memory, time, 1, s->other))
        memcpy(s->inside_rate, s->rate, (size_t)s->n * sizeof *s->rate);
    if (s->other) N_VSetArrayPointer(s->inside, s->other);
    const bool between = time != s->base.t && time != s->base.begin;
    if (!between || s->engine->derivative(s->memory, time, 0, s->other))
        memcpy(s->inside, time == s->base.begin ? s->before : s->y, (size_t)s->n * sizeof *s->y);
}

static void look_inside(sundials *s, double time) {
    if (time == s->inside_t) return;
    if (s->flow->kind->inside) {
        s->flow->kind->inside(s->flow, time, s->inside_x);
    } else {
        interpolate(s, time);
        s->flow->kind->values(s->flow, s->inside, s->inside_rate, s->inside_x);
    }
    s->inside_t = time;
}

static double value(const taut_stepper *stepper, int j, int k, double time) {
    sundials *s = (sundials *)stepper; /* what is computed is kept: a row asks for every variable */
    look_inside(s, time);
    return s->inside_x[s->flow->value[j] + k];
}

static double state(const taut_stepper *stepper, int j, int k) {
    return value(stepper, j, k, stepper->t);
}

static double residual(const taut_stepper *stepper) {
    sundials *s = (sundials *)stepper;
    if (s->flow->kind->rates(s->flow, s->base.t, s->y, s->rate) != TAUT_OK) return (double)NAN;
    return taut_series_constraint_residual(s->flow->series);
}

static double rcond(const taut_stepper *stepper) {
    return taut_lu_rcond(((const sundials *)stepper)->flow->series->lu);
}

static taut_stepper_stats statistics(const taut_stepper *stepper) {
    const sundials *s = (const sundials *)stepper;
    taut_stepper_stats stats = {.factorisations = s->flow->series->factorisations,
                                .operations = taut_tape_operations(s->flow->series->tape)};
    if (s->memory) s->engine->count(s, &stats);
    stats.steps += s->past.steps;
    stats.rejected += s->past.rejected;
    stats.evaluations += s->past.evaluations;
    return stats;
}

static taut_flow *flow_of(taut_stepper *stepper) { return ((sundials *)stepper)->flow; }

static taut_status set_numbers(taut_stepper *stepper, const double *parameter) {
    sundials *s = (sundials *)stepper;
    if (!s->flow->kind->set_numbers) return TAUT_CONTRADICTED;
    TAUT_TRY(taut_vigil_set_numbers(&s->vigil, parameter));
    TAUT_TRY(s->flow->kind->set_numbers(s->flow, parameter));
    return s->form ? taut_index2_set_numbers(s->form, parameter) : TAUT_OK;
}

#define METHOD(title, package, flows, text)                                                        \
    static taut_status create_##title(const taut_system *system, const taut_structure *structure,  \
                                      const taut_stepping *options, taut_stepper **stepper) {      \
        return create(&package, system, structure, options, stepper);                              \
    }                                                                                              \
    const taut_method taut_##title = {.name = #title,                                              \
                                      .words = text,                                               \
                                      .ordinary = flows,                                           \
                                      .create = create_##title,                                    \
                                      .free = release,                                             \
                                      .start = start,                                              \
                                      .step = step,                                                \
                                      .set_end = set_end,                                          \
                                      .remember = remember,                                        \
                                      .value = value,                                              \
                                      .state = state,                                              \
                                      .residual = residual,                                        \
                                      .rcond = rcond,                                              \
                                      .statistics = statistics,                                    \
                                      .flow = flow_of,                                             \
                                      .set_numbers = set_numbers}
METHOD(bdf, BDF, true, "BDF formulas (CVODE)");
METHOD(adams, ADAMS, true, "Adams formulas (CVODE)");
METHOD(erk, ERK, true, "Runge-Kutta formulas (ARKODE)");
METHOD(rk4, RK4, true, "the classical Runge-Kutta formula");
METHOD(ida, IDA, false, "BDF formulas (IDA)");
