/* From the groups of a layout to single rows, for runs side by side. */
#include "expr/jets.h"

#include <string.h>

#include "expr/jets_parts.h"

/* ---- places ---- */

static int length_of(const taut_jet *j, int slot) {
    const int length = j->last_stage + j->tape->instr[slot].offset + 1;
    return length > 0 ? length : 0;
}

/* Series, with their orders side by side, come first; then what is weighted for convolutions; then
 * all single numbers. Returns how many there are. */
static int map_places(const taut_jet *j, int *map) {
    const taut_layout *l = j->layout;
    int next = 0;
    for (size_t i = 0; i < l->coefs; i++) map[i] = -1;
    for (int slot = 0; slot < j->tape->size; slot++)
        for (int k = 0; k < length_of(j, slot); k++) map[j->place[slot] + k * TAUT_LANES] = next++;
    for (int i = 0; i < l->copies; i++)
        for (int lane = 0; lane < l->copy[i].count && l->copy[i].weighted; lane++)
            for (int k = 0; k <= j->last_stage + l->copy[i].offset; k++)
                map[l->copy[i].block + lane + k * TAUT_LANES] = next++;
    for (size_t i = 0; i < l->coefs; i++)
        if (map[i] < 0) map[i] = next++;
    return next;
}

/* ---- rows ---- */

typedef struct builder {
    const taut_jet *jet;
    taut_jets_program *program;
    taut_arena *arena;
    bool *read; /* [coefs] a place is read by some row */
} builder;

static const taut_row_program *part_of(const taut_layout *l, taut_jets_part part) {
    return part == TAUT_JETS_BASES ? &l->bases : part == TAUT_JETS_ALL ? &l->all : &l->opening;
}

/* Is a term there only because other lanes of its group have one? */
static bool is_padding(const taut_layout *l, const taut_rows *g, const taut_lane_term *t,
                       int lane) {
    return t->source[lane] == l->zero + t->pace * g->offset;
}

static taut_jets_term term_of(const builder *b, const taut_rows *g, const taut_lane_term *t,
                              const taut_lane_factor *f, int lane) {
    const taut_layout *l = b->jet->layout;
    const int *map = b->program->map, order = g->offset + t->p;
    taut_jets_term new = {.shift = t->p * b->jet->shift_orders * TAUT_ABREAST, .partial = -1};
    if (t->pace > 0) { /* from order 0 on they lie side by side */
        new.source = (map[t->source[lane] - order * TAUT_LANES] + order) * TAUT_ABREAST;
        new.pace = 1;
    } else {
        new.source = map[t->source[lane]] * TAUT_ABREAST;
        b->read[t->source[lane]] = true;
    }
    if (!t->steady && f->partial[lane] != l->one) new.partial = map[f->partial[lane]];
    return new;
}

/* Row number `lane` of a group. */
static void add_row(const builder *b, taut_jets_part part, const taut_rows *g, int lane) {
    const taut_layout *l = b->jet->layout;
    const taut_row_program *from = part_of(l, part);
    taut_jets_program *p = b->program;
    taut_jets_rows *to = &p->part[part];
    const int place =
        g->pace > 0 ? g->result + lane - g->offset * TAUT_LANES : g->result + lane; /* order 0 */
    taut_jets_row *r = &to->row[to->rows++];
    *r = (taut_jets_row){.first = to->terms,
                         .base = -1,
                         .divisor = -1,
                         .result = (p->map[place] + (g->pace > 0 ? g->offset : 0)) * TAUT_ABREAST,
                         .pace = g->pace > 0,
                         .offset = g->offset,
                         .active = g->active};
    for (int n = g->column; n < g->column + g->columns; n++) {
        if (is_padding(l, g, &from->term[n], lane)) {
            r->padded = true;
            continue;
        }
        p->term_at[part][to->terms] = n * TAUT_LANES + lane;
        r->shifted = r->shifted || from->term[n].p > 0;
        to->term[to->terms++] = term_of(b, g, &from->term[n], &from->factor[n], lane);
    }
    r->count = to->terms - r->first;
    if (g->based && g->base[lane] != l->zero) {
        r->base = p->map[g->base[lane]] * TAUT_ABREAST;
        b->read[g->base[lane]] = true;
    }
    if (!g->divisors) return;
    r->divisor = p->divisors++;
    p->divisor[r->divisor] =
        (taut_jets_divisor){p->map[g->divisors->place[lane]], g->divisors->scale[lane]};
}

/* Order 0 of the row that was added last, which is in group i of all. */
static void add_start(const builder *b, int i, int lane) {
    const taut_layout *l = b->jet->layout;
    taut_jets_program *p = b->program;
    const taut_layout_start *from = &l->start[i];
    const int row = p->part[TAUT_JETS_ALL].rows - 1;
    taut_jets_zeroth *to = &p->start[row];
    *to = (taut_jets_zeroth){.first = p->values,
                             .op = from->op[lane],
                             .a = p->map[from->argument[0][lane]],
                             .b = p->map[from->argument[1][lane]],
                             .sum = from->sum};
    p->start_at[row] = i * TAUT_LANES + lane;
    for (int n = from->column; n < from->column + from->columns && from->sum; n++) {
        const taut_value_term *t = &l->value[n];
        if (t->a[lane] == l->zero) {
            to->padded = true;
            continue;
        }
        p->value_at[p->values] = n * TAUT_LANES + lane;
        p->value[p->values++] = (taut_jets_value){
            .a = p->map[t->a[lane]], .b = t->product ? p->map[t->b[lane]] : -1, .p = t->p};
    }
    to->count = p->values - to->first;
}

static double *numbers(taut_arena *arena, int count) {
    return TAUT_NEW_ARRAY(arena, (size_t)count * TAUT_ABREAST, double);
}

static taut_status reserve_rows(const builder *b, taut_jets_part part) {
    const taut_row_program *from = part_of(b->jet->layout, part);
    taut_jets_rows *to = &b->program->part[part];
    int terms = 0;
    for (int i = 0; i < from->groups; i++) terms += from->rows[i].columns * from->rows[i].count;
    to->row = TAUT_NEW_ARRAY(b->arena, from->groups * TAUT_LANES, taut_jets_row);
    to->term = TAUT_NEW_ARRAY(b->arena, terms, taut_jets_term);
    to->coef = numbers(b->arena, terms);
    to->scale = numbers(b->arena, terms);
    b->program->term_at[part] = TAUT_NEW_ARRAY(b->arena, terms, int);
    return to->row && to->term && to->coef && to->scale && b->program->term_at[part]
               ? TAUT_OK
               : TAUT_ERR_MEMORY;
}

static taut_status add_rows(const builder *b, taut_jets_part part) {
    const taut_row_program *from = part_of(b->jet->layout, part);
    TAUT_TRY(reserve_rows(b, part));
    for (int i = 0; i < from->groups; i++) {
        for (int lane = 0; lane < from->rows[i].count; lane++) {
            add_row(b, part, &from->rows[i], lane);
            if (part == TAUT_JETS_ALL) add_start(b, i, lane);
        }
        if (part == TAUT_JETS_ALL && i < b->jet->layout->kept)
            b->program->kept = b->program->part[part].rows;
    }
    return TAUT_OK;
}

/* ---- convolutions ---- */

/* Order 0 of an operand: packed ones are read where they come from. */
static int operand(const builder *b, int place, int lane) {
    const taut_layout *l = b->jet->layout;
    for (int i = 0; i < l->copies; i++)
        if (l->copy[i].block == place && !l->copy[i].weighted)
            return b->program->map[l->copy[i].source[lane] - l->copy[i].offset * TAUT_LANES];
    return b->program->map[place + lane];
}

static taut_status add_convolutions(const builder *b) {
    const taut_layout *l = b->jet->layout;
    taut_jets_program *p = b->program;
    const int most = l->convolutions * TAUT_LANES;
    p->convolution = TAUT_NEW_ARRAY(b->arena, most, taut_jets_convolution);
    p->convolution_at = TAUT_NEW_ARRAY(b->arena, most, int);
    p->copy = TAUT_NEW_ARRAY(b->arena, l->copies * TAUT_LANES, taut_jets_copy);
    if (!p->convolution || !p->convolution_at || !p->copy) return TAUT_ERR_MEMORY;
    for (int i = 0; i < l->convolutions; i++) {
        const taut_convolution *c = &l->convolution[i];
        for (int lane = 0; lane < c->count; lane++) {
            if (!b->read[c->result + lane]) continue; /* a lane that is not in use */
            p->convolution_at[p->convolutions] = i * TAUT_LANES + lane;
            p->convolution[p->convolutions++] =
                (taut_jets_convolution){.kind = c->kind,
                                        .offset = c->offset,
                                        .a = operand(b, c->a, lane),
                                        .b = operand(b, c->b, lane),
                                        .result = p->map[c->result + lane]};
        }
    }
    for (int i = 0; i < l->copies; i++)
        for (int lane = 0; lane < l->copy[i].count && l->copy[i].weighted; lane++) {
            const taut_copy *c = &l->copy[i];
            if (c->source[lane] == l->zero + c->offset * TAUT_LANES) continue; /* not in use */
            p->copy[p->copies++] =
                (taut_jets_copy){p->map[c->source[lane] - c->offset * TAUT_LANES],
                                 p->map[c->block + lane], c->offset};
        }
    p->factor = numbers(b->arena, p->convolutions);
    p->next = numbers(b->arena, p->convolutions);
    return p->factor && p->next ? TAUT_OK : TAUT_ERR_MEMORY;
}

/* ---- all of it ---- */

static taut_status reserve_starts(const builder *b) {
    const taut_layout *l = b->jet->layout;
    taut_jets_program *p = b->program;
    const int rows = l->all.groups * TAUT_LANES, values = l->values * TAUT_LANES;
    int divided = 0;
    for (int i = 0; i < l->all.groups; i++) divided += l->all.rows[i].divisors != NULL;
    for (int i = 0; i < l->opening.groups; i++) divided += l->opening.rows[i].divisors != NULL;
    p->start = TAUT_NEW_ARRAY(b->arena, rows, taut_jets_zeroth);
    p->start_at = TAUT_NEW_ARRAY(b->arena, rows, int);
    p->constant = numbers(b->arena, rows);
    p->value = TAUT_NEW_ARRAY(b->arena, values, taut_jets_value);
    p->value_at = TAUT_NEW_ARRAY(b->arena, values, int);
    p->value_coef = numbers(b->arena, values);
    p->divisor = TAUT_NEW_ARRAY(b->arena, divided * TAUT_LANES, taut_jets_divisor);
    p->divisor_value = numbers(b->arena, divided * TAUT_LANES);
    return p->start && p->start_at && p->constant && p->value && p->value_at && p->value_coef &&
                   p->divisor && p->divisor_value
               ? TAUT_OK
               : TAUT_ERR_MEMORY;
}

static taut_status build(builder *b, taut_jets *jets, taut_arena *scratch) {
    const taut_jet *j = b->jet;
    const taut_layout *l = j->layout;
    taut_jets_program *p = b->program;
    p->map = TAUT_NEW_ARRAY(scratch, l->coefs, int);
    b->read = TAUT_NEW_ARRAY(scratch, l->coefs, bool);
    jets->place = TAUT_NEW_ARRAY(b->arena, j->tape->size, int);
    jets->opened = TAUT_NEW_ARRAY(b->arena, j->tape->size, int);
    if (!p->map || !b->read || !jets->place || !jets->opened) return TAUT_ERR_MEMORY;
    jets->coef = numbers(b->arena, map_places(j, p->map));
    jets->shift = numbers(b->arena, (j->most_derivatives + 1) * j->shift_orders);
    jets->steady = numbers(b->arena, j->leaves);
    if (!jets->coef || !jets->shift || !jets->steady) return TAUT_ERR_MEMORY;
    for (int i = 0; i < j->tape->size; i++) {
        jets->place[i] = length_of(j, i) > 0 ? p->map[j->place[i]] : p->map[l->zero];
        jets->opened[i] = p->map[j->opened[i]];
    }
    for (int i = 0; i < j->shift_orders * TAUT_ABREAST; i++) jets->shift[i] = 1.0;
    for (int lane = 0; lane < TAUT_ABREAST; lane++) {
        jets->coef[(ptrdiff_t)p->map[l->one] * TAUT_ABREAST + lane] = 1.0;
        jets->h[lane] = 1.0;
    }
    if (l->timed) {
        p->time = p->map[l->time];
        p->time_now = p->map[l->time_now - l->time_offset * TAUT_LANES];
    }
    TAUT_TRY(reserve_starts(b));
    for (taut_jets_part part = 0; part < TAUT_JETS_PARTS; part++) TAUT_TRY(add_rows(b, part));
    return add_convolutions(b);
}

taut_status taut_jets_create(const taut_jet *like, taut_arena *arena, taut_jets **jets) {
    taut_jets *j = *jets = TAUT_NEW(arena, taut_jets);
    taut_arena scratch = {0};
    if (!j) return TAUT_ERR_MEMORY;
    *j = (taut_jets){.like = like, .ahead = TAUT_NO_STAGE, .uncopied = TAUT_NO_STAGE};
    j->program = TAUT_NEW(arena, taut_jets_program);
    if (!j->program) return TAUT_ERR_MEMORY;
    builder b = {.jet = like, .program = j->program, .arena = arena};
    taut_status status = build(&b, j, &scratch);
    b.program->map = NULL;
    taut_arena_release(&scratch);
    for (int lane = 0; lane < TAUT_ABREAST && status == TAUT_OK; lane++)
        taut_jets_take_numbers(j, lane, like);
    if (status == TAUT_OK) taut_jets_loops_here()->shifts(j);
    return status;
}

void taut_jets_take_numbers(taut_jets *jets, int lane, const taut_jet *from) {
    const taut_layout *l = from->layout;
    const taut_jets_program *p = jets->program;
    for (taut_jets_part part = 0; part < TAUT_JETS_PARTS; part++) {
        const taut_row_program *rows = part_of(l, part);
        for (int i = 0; i < p->part[part].terms; i++) {
            const int n = p->term_at[part][i] / TAUT_LANES, at = p->term_at[part][i] % TAUT_LANES;
            p->part[part].coef[i * TAUT_ABREAST + lane] = rows->term[n].coef[at];
            p->part[part].scale[i * TAUT_ABREAST + lane] = rows->factor[n].scale[at];
        }
    }
    for (int i = 0; i < p->part[TAUT_JETS_ALL].rows; i++)
        p->constant[i * TAUT_ABREAST + lane] =
            l->start[p->start_at[i] / TAUT_LANES].constant[p->start_at[i] % TAUT_LANES];
    for (int i = 0; i < p->values; i++)
        p->value_coef[i * TAUT_ABREAST + lane] =
            l->value[p->value_at[i] / TAUT_LANES].coef[p->value_at[i] % TAUT_LANES];
    for (int i = 0; i < p->convolutions; i++)
        p->factor[i * TAUT_ABREAST + lane] = l->convolution[p->convolution_at[i] / TAUT_LANES]
                                                 .coef[p->convolution_at[i] % TAUT_LANES];
    for (int i = 0; i < from->leaves; i++) jets->steady[i * TAUT_ABREAST + lane] = from->steady[i];
    jets->fresh = false;
}

/* ---- use ---- */

void taut_jets_start(taut_jets *jets, const double *t, const double *h) {
    bool same = true;
    for (int lane = 0; lane < TAUT_ABREAST; lane++) same = same && jets->h[lane] == h[lane];
    memcpy(jets->t, t, sizeof jets->t);
    memcpy(jets->h, h, sizeof jets->h);
    if (!same) taut_jets_loops_here()->shifts(jets);
}

/* Constants and time. */
static void stage_leaves(taut_jets *jets, int s) {
    const taut_jet *j = jets->like;
    for (int i = 0; i < j->leaves; i++) {
        const int slot = j->leaf[i], k = s + j->tape->instr[slot].offset;
        if (k < 0) continue;
        double *to = taut_jets_at(jets, slot, k);
        const double *from = NULL;
        if (j->tape->instr[slot].kernel == TAUT_KERNEL_TIME)
            from = k == 0 ? jets->t : k == 1 ? jets->h : NULL;
        else if (k == 0)
            from = jets->steady + (ptrdiff_t)i * TAUT_ABREAST;
        for (int lane = 0; lane < TAUT_ABREAST; lane++) to[lane] = from ? from[lane] : 0.0;
    }
}

void taut_jets_stage(taut_jets *jets, int s) {
    stage_leaves(jets, s);
    taut_jets_loops_here()->stage(jets, s);
}

void taut_jets_open(taut_jets *jets, int s) {
    stage_leaves(jets, s);
    taut_jets_loops_here()->open(jets, s);
}

void taut_jets_finish(taut_jets *jets, int s) { taut_jets_loops_here()->finish(jets, s); }
