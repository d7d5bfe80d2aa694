/* The engine of a page has one thread, whose stack is large. In place of core/stack.c. */
#include "core/stack.h"

taut_status taut_on_deep_stack(void (*function)(void *), void *argument) {
    function(argument);
    return TAUT_OK;
}
