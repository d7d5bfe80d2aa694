/* What a run has decided, kept as lists for the caller (taut/notes.h). */
#ifndef TAUT_TASK_NOTEBOOK_H
#define TAUT_TASK_NOTEBOOK_H

#include "core/arena.h"
#include "solve/consistent.h"
#include "taut/notes.h"

/* {0} is empty. */
typedef struct taut_notebook {
    taut_arena arena;       /* names of what is left out */
    taut_arena start_arena; /* names and values of moves and fits */
    taut_notes notes;       /* points to the lists below */
    taut_moved *move;
    taut_fit *fit;
    taut_left_out *constraint;
    taut_switched *change;
    taut_happened *event;
    const char **remark;
    size_t move_room, fit_room, constraint_room, change_room, event_room, remark_room;
} taut_notebook;

/* Names are copied. */
taut_status taut_notebook_move(taut_notebook *book, const char *name, double from, double to);
taut_status taut_notebook_fit(taut_notebook *book, const taut_assembly *assembly);
taut_status taut_notebook_leave_out(taut_notebook *book, const char *name, int line);
/* why and solver must be constants. */
taut_status taut_notebook_switch(taut_notebook *book, double t, const char *why,
                                 const char *solver);
/* kind must be a constant. */
taut_status taut_notebook_event(taut_notebook *book, double t, const char *name, const char *kind);
/* A sentence; after TAUT_REMARKS of them nothing more is noted. */
enum { TAUT_REMARKS = 20 };
taut_status taut_notebook_remark(taut_notebook *book, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Another run of the same equations forgets changes of method, another start moves and fits. */
void taut_notebook_forget_changes(taut_notebook *book);
void taut_notebook_forget_start(taut_notebook *book);
/* Adds the start and the constraints of another one. */
taut_status taut_notebook_copy(const taut_notebook *from, taut_notebook *book);
void taut_notebook_release(taut_notebook *book);

#endif
