/* J at the point, from order 0 of the series; its elimination with fixed pivots; solutions. */
#include <math.h>

#include "export/write_jacobian.h"

/* ---- entries ---- */

bool taut_jacobian_is_local(const taut_code *c, int slot) {
    return !(c->use[slot] & TAUT_USE_SERIES) && c->tape->instr[slot].kernel > TAUT_KERNEL_VARIABLE;
}

/* Coefficient p of a slot, as it is. */
static void put_value(taut_pen *p, int slot, int order) {
    if (taut_jacobian_is_local(p->code, slot))
        taut_pen_add(p, p->loops ? "j[%d]" : "j%d", p->loops ? p->local[slot] : slot);
    else
        taut_pen_add(p, "c[%d][%d]", p->code->home[slot], order);
}

/* p! / h^p */
static void put_unscale(taut_pen *p, int order) {
    double factorial = 1.0;
    for (int k = 1; k <= order; k++) {
        factorial *= k;
        taut_pen_add(p, "w->per_h * ");
    }
    if (factorial != 1.0) {
        taut_pen_number(p, factorial);
        taut_pen_add(p, " * ");
    }
}

static void put_term(taut_pen *p, const taut_tape_term *e) {
    put_unscale(p, e->p);
    if (e->other < 0) {
        put_value(p, e->slot, e->p);
        return;
    }
    taut_pen_add(p, "(");
    for (int l = 0; l <= e->p; l++) {
        taut_pen_add(p, l ? " + " : "");
        put_value(p, e->slot, l);
        taut_pen_add(p, " * ");
        put_value(p, e->other, e->p - l);
    }
    taut_pen_add(p, ")");
}

static void put_sum(taut_pen *p, int slot) {
    const taut_tape *t = p->code->tape;
    const taut_instr *x = &t->instr[slot];
    bool begun = t->constant[slot] != 0.0 || t->origin[slot] || x->count == 0;
    if (begun) taut_pen_origin(p, t->constant[slot], t->origin[slot]);
    for (int k = x->first; k < x->first + x->count; k++, begun = true) {
        const taut_tape_term *e = &t->term[k];
        const bool minus = !e->origin && e->coef < 0.0;
        taut_pen_add(p, "%s", !begun ? (minus ? "-" : "") : minus ? " - " : " + ");
        taut_pen_wrap(p, 8);
        if (e->origin || fabs(e->coef) != 1.0) {
            taut_pen_origin(p, fabs(e->coef), e->origin);
            taut_pen_add(p, " * ");
        }
        put_term(p, e);
    }
}

void taut_write_local(taut_pen *p, int slot) {
    const taut_instr *x = &p->code->tape->instr[slot];
    taut_pen_add(p, p->loops ? "    " : "    const real ");
    put_value(p, slot, 0);
    taut_pen_add(p, " = ");
    if (x->kernel == TAUT_KERNEL_SUM) {
        put_sum(p, slot);
    } else if (x->kernel == TAUT_KERNEL_DIVIDE) {
        put_value(p, x->a, 0);
        taut_pen_add(p, " / ");
        put_value(p, x->b, 0);
    } else {
        const taut_op op = x->kernel == TAUT_KERNEL_ROOT ? TAUT_OP_SQRT : (taut_op)x->op;
        taut_pen_add(p, "%s(", taut_pen_function(p, op));
        put_value(p, x->a, 0);
        if (x->b >= 0) {
            taut_pen_add(p, ", ");
            put_value(p, x->b, 0);
        }
        taut_pen_add(p, ")");
    }
    taut_pen_add(p, ";\n");
}

static void put_entries(taut_pen *p) {
    const taut_code *c = p->code;
    taut_pen_add(p, "\n/* ---- the Jacobian ---- */\n");
    taut_pen_begin(p);
    for (int slot = 0; slot < c->tape->size; slot++)
        if ((c->use[slot] & TAUT_USE_JACOBIAN) && taut_jacobian_is_local(c, slot))
            taut_write_local(p, slot);
    for (int k = 0; k < c->pivots.entries; k++) {
        const int from = c->pivots.entry[k].from;
        taut_pen_add(p, "    a[%d] = ", k);
        if (from < 0)
            taut_pen_number(p, 0.0);
        else
            put_value(p, c->entry[from], 0);
        taut_pen_add(p, ";\n");
    }
    taut_pen_end(p, "jacobian", "");
}

/* ---- elimination ---- */

/* Calls of one elimination: which entries a multiplier eliminates. */
static bool is_later(const int *place, int i, int k) { return place[i] > k; }

static const char CORE[] =
    "\n/* The rest has no pivots that would do along the whole motion: Householder reflections. "
    "*/\n"
    "static void reflect(work *w) {\n"
    "    int i;\n"
    "    int j;\n"
    "    int k;\n"
    "    for (i = 0; i < CORE; i++) {\n"
    "        for (j = 0; j < CORE; j++) {\n"
    "            w->b[i][j] = w->a[CORE_AT[i][j]];\n"
    "        }\n"
    "    }\n"
    "    for (k = 0; k < CORE; k++) {\n"
    "        real sum = (real)0;\n"
    "        real r;\n"
    "        for (i = k; i < CORE; i++) {\n"
    "            sum += w->b[i][k] * w->b[i][k];\n"
    "        }\n"
    "        r = (w->b[k][k] > (real)0) ? -SQRT(sum) : SQRT(sum);\n"
    "        /* v = x - r e_1, and 2 / |v|^2 */\n"
    "        w->b[k][k] -= r;\n"
    "        w->per_v[k] = (real)1 / (sum - (r * (w->b[k][k] + r)));\n"
    "        w->per_r[k] = (real)1 / r;\n"
    "        w->nearness += (CORE_LARGEST[k] * w->per_r[k]) * (CORE_LARGEST[k] * w->per_r[k]);\n"
    "        for (j = k + 1; j < CORE; j++) {\n"
    "            sum = (real)0;\n"
    "            for (i = k; i < CORE; i++) {\n"
    "                sum += w->b[i][k] * w->b[i][j];\n"
    "            }\n"
    "            sum *= w->per_v[k];\n"
    "            for (i = k; i < CORE; i++) {\n"
    "                w->b[i][j] -= sum * w->b[i][k];\n"
    "            }\n"
    "        }\n"
    "    }\n"
    "}\n"
    "\n"
    "static void solve_core(work *w) {\n"
    "    real x[CORE];\n"
    "    int i;\n"
    "    int k;\n"
    "    for (i = 0; i < CORE; i++) {\n"
    "        x[i] = w->y[CORE_ROW[i]];\n"
    "    }\n"
    "    for (k = 0; k < CORE; k++) {\n"
    "        real sum = (real)0;\n"
    "        for (i = k; i < CORE; i++) {\n"
    "            sum += w->b[i][k] * x[i];\n"
    "        }\n"
    "        sum *= w->per_v[k];\n"
    "        for (i = k; i < CORE; i++) {\n"
    "            x[i] -= sum * w->b[i][k];\n"
    "        }\n"
    "    }\n"
    "    for (k = CORE - 1; k >= 0; k--) {\n"
    "        for (i = k + 1; i < CORE; i++) {\n"
    "            x[k] -= w->b[k][i] * x[i];\n"
    "        }\n"
    "        x[k] *= w->per_r[k];\n"
    "        w->z[CORE_COLUMN[k]] = x[k];\n"
    "    }\n"
    "}\n";

static void put_list(taut_pen *p, const char *name, const int *list, int count) {
    taut_pen_add(p, "static const int %s[%d] = {", name, count);
    for (int i = 0; i < count; i++) taut_pen_add(p, "%d%s", list[i], i + 1 < count ? ", " : "};\n");
}

void taut_write_core(taut_pen *p) {
    const taut_pivots *v = &p->code->pivots;
    const int first = v->first_core, m = v->n - first;
    taut_pen_add(p, "\n#define CORE %d\n#define SQRT %s\n", m, taut_pen_function(p, TAUT_OP_SQRT));
    put_list(p, "CORE_ROW", v->row + first, m);
    put_list(p, "CORE_COLUMN", v->column + first, m);
    taut_pen_add(p, "static const int CORE_AT[%d][%d] = {", m, m);
    for (int i = 0; i < m; i++) {
        taut_pen_add(p, "\n    {");
        for (int j = 0; j < m; j++)
            taut_pen_add(p, "%d%s", v->at[v->row[first + i] * v->n + v->column[first + j]],
                         j + 1 < m ? ", " : "}");
        taut_pen_add(p, i + 1 < m ? "," : "};\n");
    }
    taut_pen_add(p, "static const real CORE_LARGEST[%d] = {", m);
    for (int i = 0; i < m; i++) {
        taut_pen_wrap(p, 4);
        taut_pen_number(p, v->largest[first + i]);
        taut_pen_add(p, i + 1 < m ? ", " : "};\n");
    }
    taut_pen_template(p, CORE);
}

/* Is there anything behind the pivot in its row? */
static bool has_rest(const taut_pivots *v, const taut_pivot_order *o, int k) {
    for (int j = 0; j < v->n; j++)
        if (is_later(o->column, j, k) && v->at[v->row[k] * v->n + j] >= 0) return true;
    return false;
}

static void put_step(taut_pen *p, const taut_pivot_order *o, int k) {
    const taut_pivots *v = &p->code->pivots;
    const int n = v->n, r = v->row[k], c = v->column[k], pivot = v->at[r * n + c];
    taut_pen_add(p, "    pivot(w, %d, ", pivot);
    taut_pen_number(p, v->largest[k]);
    taut_pen_add(p, ");\n");
    for (int i = 0; i < n; i++) {
        const int below = v->at[i * n + c];
        if (!is_later(o->row, i, k) || below < 0) continue;
        const bool used = has_rest(v, o, k);
        taut_pen_add(p, "    %s multiplier(w, %d, %d);\n", used ? "m =" : "(void)", below, pivot);
        for (int j = 0; j < n; j++)
            if (is_later(o->column, j, k) && v->at[r * n + j] >= 0)
                taut_pen_add(p, "    a[%d] -= m * a[%d];\n", v->at[i * n + j], v->at[r * n + j]);
    }
}

void taut_write_pivoting(taut_pen *p, bool pivots, bool multipliers) {
    if (pivots)
        taut_pen_template(
            p, "\n/* Notes how a pivot compares with its largest value; leaves its reciprocal. */\n"
               "static void pivot(work *w, int at, real largest) {\n"
               "    const real r = (real)1 / w->a[at];\n"
               "    w->nearness += (largest * r) * (largest * r);\n"
               "    w->a[at] = r;\n"
               "}\n");
    if (multipliers)
        taut_pen_template(p, "\nstatic real multiplier(work *w, int at, int pivot_at) {\n"
                             "    const real m = w->a[at] * w->a[pivot_at];\n"
                             "    w->growth += m * m;\n"
                             "    w->a[at] = m;\n"
                             "    return m;\n"
                             "}\n");
}

static void put_elimination(taut_pen *p, const taut_pivot_order *o) {
    if (p->code->pivots.first_core < p->code->pivots.n) taut_write_core(p);
    bool below = false, used = false;
    const taut_pivots *v = &p->code->pivots;
    for (int k = 0; k < v->first_core; k++)
        for (int i = 0; i < v->n; i++) {
            const bool now = is_later(o->row, i, k) && v->at[i * v->n + v->column[k]] >= 0;
            below = below || now;
            used = used || (now && has_rest(v, o, k));
        }
    taut_write_pivoting(p, v->first_core > 0, below);
    taut_pen_add(p,
                 "\n/* L and U in place of J: the order of pivots was chosen along the motion. */");
    taut_pen_begin(p);
    if (used) taut_pen_add(p, "    real m;\n");
    for (int k = 0; k < v->first_core; k++) put_step(p, o, k);
    if (v->first_core < v->n) taut_pen_add(p, "    reflect(w);\n");
    taut_pen_end(p, "factor", "");
}

/* ---- solution ---- */

static void put_forward(taut_pen *p, const taut_pivot_order *o, int k) {
    const taut_pivots *v = &p->code->pivots;
    for (int i = 0; i < v->n; i++) {
        const int at = v->at[i * v->n + v->column[k]];
        if (is_later(o->row, i, k) && at >= 0)
            taut_pen_add(p, "    y[%d] -= a[%d] * y[%d];\n", i, at, v->row[k]);
    }
}

static void put_backward(taut_pen *p, const taut_pivot_order *o, int k) {
    const taut_pivots *v = &p->code->pivots;
    const int r = v->row[k], c = v->column[k];
    taut_pen_add(p, "    z[%d] = (y[%d]", c, r);
    for (int j = 0; j < v->n; j++) {
        const int at = v->at[r * v->n + j];
        if (!is_later(o->column, j, k) || at < 0) continue;
        taut_pen_wrap(p, 8);
        taut_pen_add(p, " - a[%d] * z[%d]", at, j);
    }
    taut_pen_add(p, ") * a[%d];\n", v->at[r * v->n + c]);
}

static void put_solution(taut_pen *p, const taut_pivot_order *o) {
    taut_pen_add(p, "\n/* z = J^-1 y, which is overwritten. */");
    taut_pen_begin(p);
    for (int k = 0; k < p->code->pivots.first_core; k++) put_forward(p, o, k);
    if (p->code->pivots.first_core < p->code->pivots.n) taut_pen_add(p, "    solve_core(w);\n");
    for (int k = p->code->pivots.first_core - 1; k >= 0; k--) put_backward(p, o, k);
    taut_pen_end(p, "solve", "");
}

/* ---- all of it ---- */

taut_status taut_write_jacobian(taut_pen *p) {
    const taut_pivots *v = &p->code->pivots;
    taut_arena work = {0};
    taut_pivot_order o = {TAUT_NEW_ARRAY(&work, v->n, int), TAUT_NEW_ARRAY(&work, v->n, int)};
    if (!o.row || !o.column) {
        taut_arena_release(&work);
        return TAUT_ERR_MEMORY;
    }
    for (int k = 0; k < v->n; k++) {
        o.row[v->row[k]] = k;
        o.column[v->column[k]] = k;
    }
    taut_status status = TAUT_OK;
    if (p->loops) {
        status = taut_write_loops(p, &o, &work);
    } else {
        put_entries(p);
        put_elimination(p, &o);
        put_solution(p, &o);
    }
    p->local = NULL;
    taut_arena_release(&work);
    return status;
}
