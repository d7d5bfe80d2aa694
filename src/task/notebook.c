/* Lists that grow, and the caller's view of them. */
#include "task/notebook.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/status.h"

taut_status taut_notebook_move(taut_notebook *b, const char *name, double from, double to) {
    const char *own = taut_arena_copy(&b->start_arena, name, strlen(name));
    const int count = b->notes.moves;
    if (!own || taut_grow((void **)&b->move, &b->move_room, (size_t)count + 1, sizeof *b->move))
        return TAUT_ERR_MEMORY;
    b->move[count] = (taut_moved){own, from, to};
    b->notes.moves = count + 1;
    b->notes.move = b->move;
    return TAUT_OK;
}

/* A name with as many primes as the order of the derivative. */
static const char *name_derivative(taut_arena *arena, const char *name, int order) {
    const size_t length = strlen(name), primes = order > 0 ? (size_t)order : 0;
    char *text = taut_arena_alloc(arena, length + primes + 1);
    if (!text) return NULL;
    memcpy(text, name, length + 1);
    memset(text + length, '\'', primes);
    text[length + primes] = '\0';
    return text;
}

taut_status taut_notebook_fit(taut_notebook *b, const taut_assembly *a) {
    const int count = b->notes.fits;
    taut_mark_value *value = TAUT_NEW_ARRAY(&b->start_arena, a->telling, taut_mark_value);
    if (!value || taut_grow((void **)&b->fit, &b->fit_room, (size_t)count + 1, sizeof *b->fit))
        return TAUT_ERR_MEMORY;
    for (int i = 0; i < a->telling; i++) {
        const taut_telling *x = &a->item[i];
        value[i] = (taut_mark_value){.name = name_derivative(&b->start_arena, x->name, x->order),
                                     .relative = x->relative,
                                     .value = x->value};
        if (!value[i].name) return TAUT_ERR_MEMORY;
    }
    b->fit[count] = (taut_fit){.distance = a->distance,
                               .taken = count == 0, /* the nearest one */
                               .values = a->telling,
                               .value = value};
    b->notes.fits = count + 1;
    b->notes.fit = b->fit;
    return TAUT_OK;
}

taut_status taut_notebook_leave_out(taut_notebook *b, const char *name, int line) {
    const char *own = taut_arena_copy(&b->arena, name, strlen(name));
    const int count = b->notes.left_out;
    if (!own || taut_grow((void **)&b->constraint, &b->constraint_room, (size_t)count + 1,
                          sizeof *b->constraint))
        return TAUT_ERR_MEMORY;
    b->constraint[count] = (taut_left_out){own, line};
    b->notes.left_out = count + 1;
    b->notes.constraint = b->constraint;
    return TAUT_OK;
}

taut_status taut_notebook_switch(taut_notebook *b, double t, const char *why, const char *solver) {
    const int count = b->notes.switches;
    if (taut_grow((void **)&b->change, &b->change_room, (size_t)count + 1, sizeof *b->change))
        return TAUT_ERR_MEMORY;
    b->change[count] = (taut_switched){t, why, solver};
    b->notes.switches = count + 1;
    b->notes.change = b->change;
    return TAUT_OK;
}

taut_status taut_notebook_event(taut_notebook *b, double t, const char *name, const char *kind) {
    const int count = b->notes.events;
    const char *own = NULL;
    for (int i = count - 1; i >= 0 && !own; i--) /* few names, many events */
        if (strcmp(b->event[i].name, name) == 0) own = b->event[i].name;
    if (!own) own = taut_arena_copy(&b->arena, name, strlen(name));
    if (!own || taut_grow((void **)&b->event, &b->event_room, (size_t)count + 1, sizeof *b->event))
        return TAUT_ERR_MEMORY;
    b->event[count] = (taut_happened){t, own, kind, 0.0, NULL};
    b->notes.events = count + 1;
    b->notes.event = b->event;
    return TAUT_OK;
}

taut_status taut_notebook_remark(taut_notebook *b, const char *format, ...) {
    char text[400];
    va_list list;
    const int count = b->notes.remarks;
    if (count >= TAUT_REMARKS) return TAUT_OK;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    const char *own = taut_arena_copy(&b->arena, text, strlen(text));
    if (!own ||
        taut_grow((void **)&b->remark, &b->remark_room, (size_t)count + 1, sizeof *b->remark))
        return TAUT_ERR_MEMORY;
    b->remark[count] = own;
    b->notes.remarks = count + 1;
    b->notes.remark = b->remark;
    return TAUT_OK;
}

void taut_notebook_forget_changes(taut_notebook *b) {
    b->notes.remarks = 0;
    b->notes.remark = NULL;
    b->notes.impact = NULL;
    b->notes.events = 0;
    b->notes.event = NULL;
    b->notes.switches = 0;
    b->notes.change = NULL;
}

void taut_notebook_forget_start(taut_notebook *b) {
    b->notes.moves = b->notes.fits = 0;
    b->notes.move = NULL;
    b->notes.fit = NULL;
    taut_arena_release(&b->start_arena);
}

static taut_status copy_fit(const taut_fit *from, taut_notebook *b) {
    const int count = b->notes.fits;
    taut_mark_value *value = TAUT_NEW_ARRAY(&b->start_arena, from->values, taut_mark_value);
    if (!value || taut_grow((void **)&b->fit, &b->fit_room, (size_t)count + 1, sizeof *b->fit))
        return TAUT_ERR_MEMORY;
    for (int i = 0; i < from->values; i++) {
        value[i] = from->value[i];
        value[i].name = taut_arena_copy(&b->start_arena, value[i].name, strlen(value[i].name));
        if (!value[i].name) return TAUT_ERR_MEMORY;
    }
    b->fit[count] = *from;
    b->fit[count].value = value;
    b->notes.fits = count + 1;
    b->notes.fit = b->fit;
    return TAUT_OK;
}

taut_status taut_notebook_copy(const taut_notebook *from, taut_notebook *b) {
    const taut_notes *n = &from->notes;
    for (int i = 0; i < n->moves; i++)
        TAUT_TRY(taut_notebook_move(b, n->move[i].name, n->move[i].from, n->move[i].to));
    for (int i = 0; i < n->fits; i++) TAUT_TRY(copy_fit(&n->fit[i], b));
    for (int i = 0; i < n->left_out; i++)
        TAUT_TRY(taut_notebook_leave_out(b, n->constraint[i].name, n->constraint[i].line));
    return TAUT_OK;
}

void taut_notebook_release(taut_notebook *b) {
    taut_release((void **)&b->move);
    taut_release((void **)&b->fit);
    taut_release((void **)&b->constraint);
    taut_release((void **)&b->change);
    taut_release((void **)&b->event);
    taut_release((void **)&b->remark);
    taut_arena_release(&b->start_arena);
    taut_arena_release(&b->arena);
    *b = (taut_notebook){0};
}
