/* A stack of our own for recursions that may go deep, whatever thread the caller is in. */
#ifndef TAUT_CORE_STACK_H
#define TAUT_CORE_STACK_H

#include "taut/status.h"

/* Calls function(argument) on a fresh stack of TAUT_DEEP_STACK bytes and waits for its end.
 * TAUT_ERR_MEMORY if there is none; then it was not called. */
enum { TAUT_DEEP_STACK = 8 << 20 };
taut_status taut_on_deep_stack(void (*function)(void *), void *argument);

#endif
