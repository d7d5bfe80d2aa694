/* An impact for states near the one in which it happened, with its decisions: what derivatives are
 * made of. */
#include "core/dense.h"
#include "task/impact_parts.h"
#include "task/sensitivity.h"

typedef struct near_impact {
    const taut_touching *at; /* where the impact is, ... */
    const taut_impact *x;    /* ... what it decided, ... */
    taut_touching copy;      /* ... and the numbers of the state in question */
} near_impact;

/* Which impulses are unknown, and how many of the others follow from them: force[a] = part[a] times
 * unknown number of[a]; -1: it is 0. */
typedef struct impulses {
    int unknowns;
    int row[2 * TAUT_TOUCH_MOST]; /* [unknowns] the rate that tells it */
    int of[TAUT_TOUCH_ROWS * TAUT_TOUCH_MOST];
    double part[TAUT_TOUCH_ROWS * TAUT_TOUCH_MOST];
} impulses;

static impulses find_unknowns(const taut_impact *x, const taut_touch *touch) {
    impulses u = {0};
    for (int k = 0; k < x->count; k++) {
        const int mode = x->answers.item[0].mode[k], N = TAUT_TOUCH_ROWS * k, T = N + 1;
        for (int a = N; a < N + TAUT_TOUCH_ROWS; a++) u.of[a] = -1;
        u.part[N] = u.part[T] = 1.0;
        if (mode == TAUT_TOUCH_OPEN || mode == TAUT_TOUCH_IDLE) continue;
        if (touch[k].normal) {
            u.of[N] = u.unknowns;
            u.row[u.unknowns++] = N;
        }
        if (touch[k].rough && mode == TAUT_TOUCH_CLOSED) {
            u.of[T] = u.unknowns;
            u.row[u.unknowns++] = T;
        } else if (touch[k].rough) {
            u.of[T] = u.of[N];
            u.part[T] = mode == TAUT_TOUCH_UP     ? -touch[k].slip[0]
                        : mode == TAUT_TOUCH_DOWN ? touch[k].slip[1]
                                                  : x->answers.item[0].share[k][0];
        }
    }
    return u;
}

/* Restitution and friction for the state in question, with the decisions of the impact. */
static void describe_near(const taut_simulation *s, const near_impact *r, taut_impact *x) {
    for (int k = 0; k < x->count; k++) {
        const int at = x->at[k], i = r->copy.which[at];
        const int row = TAUT_TOUCH_ROWS * at;
        const bool hits = r->at->rate[row] < -r->at->noise[row];
        const bool up = r->at->rate[row + 1] >= 0.0;
        const double *rate = r->copy.rate + row;
        const double e =
            x->ends[k] ? 0.0
                       : taut_contact_value(s, r->copy.series, i, TAUT_CONTACT_RESTITUTION, 0);
        x->touch[k].slip[0] = x->touch[k].slip[1] = taut_contact_value(
            s, r->copy.series, i, up ? TAUT_CONTACT_SLIP_UP : TAUT_CONTACT_SLIP_DOWN, 0);
        x->touch[k].free[0] = hits ? (1.0 + e) * rate[0] : rate[0];
        x->touch[k].free[1] = rate[1];
    }
}

static taut_status strike_again(taut_simulation *s, void *user, double *value) {
    near_impact *r = user;
    (void)value;
    TAUT_TRY(taut_touching_vary(s, &r->copy));
    taut_impact x = *r->x;
    taut_touch_answer answer = r->x->answers.item[0];
    x.answers.item = &answer;
    describe_near(s, r, &x);
    const impulses u = find_unknowns(&x, x.touch);
    const int n = u.unknowns, size = TAUT_TOUCH_ROWS * r->copy.count;
    double a[4 * TAUT_TOUCH_MOST * TAUT_TOUCH_MOST] = {0.0}, b[2 * TAUT_TOUCH_MOST] = {0.0};
    int pivot[2 * TAUT_TOUCH_MOST];
    for (int i = 0; i < n; i++) {
        const size_t row = taut_impact_row(&x, u.row[i]);
        b[i] = -x.touch[u.row[i] / TAUT_TOUCH_ROWS].free[u.row[i] % TAUT_TOUCH_ROWS];
        for (int k = 0; k < TAUT_TOUCH_ROWS * x.count; k++)
            if (u.of[k] >= 0)
                a[u.of[k] * n + i] +=
                    u.part[k] * r->copy.W[row * (size_t)size + taut_impact_row(&x, k)];
    }
    if (n > 0) TAUT_TRY(taut_dense_solve(n, 1, a, b, pivot));
    for (int k = 0; k < TAUT_TOUCH_ROWS * x.count; k++)
        answer.force[k] = u.of[k] >= 0 ? u.part[k] * b[u.of[k]] : 0.0;
    taut_impact_strike(s, &r->copy, &x);
    return TAUT_OK;
}

taut_status taut_impact_vary(taut_simulation *s, const taut_touching *t, const taut_impact *x,
                             taut_errors *errors) {
    near_impact r = {.at = t, .x = x};
    if (!s->sensitivity) return TAUT_OK;
    taut_status status = taut_touching_copy(s, t, &r.copy);
    if (status == TAUT_OK) status = taut_sensitivity_map(s, strike_again, &r, errors);
    taut_touching_release(&r.copy);
    return status;
}
