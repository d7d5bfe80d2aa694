/* The stack of a thread that does nothing else: memory of it is touched only as far as it is used.
 */
#include "core/stack.h"

#include <pthread.h>
#include <signal.h>

typedef struct job {
    void (*function)(void *);
    void *argument;
} job;

static void *perform(void *user) {
    const job *j = user;
    j->function(j->argument);
    return NULL;
}

/* Signals stay with the threads of the caller. */
static taut_status start(pthread_t *thread, const pthread_attr_t *attributes, job *j) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int trouble = pthread_create(thread, attributes, perform, j);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return trouble ? TAUT_ERR_MEMORY : TAUT_OK;
}

taut_status taut_on_deep_stack(void (*function)(void *), void *argument) {
    pthread_attr_t attributes;
    pthread_t thread;
    job j = {function, argument};
    if (pthread_attr_init(&attributes) != 0) return TAUT_ERR_MEMORY;
    taut_status status = TAUT_ERR_MEMORY;
    if (pthread_attr_setstacksize(&attributes, TAUT_DEEP_STACK) == 0)
        status = start(&thread, &attributes, &j);
    pthread_attr_destroy(&attributes);
    if (status == TAUT_OK) pthread_join(thread, NULL);
    return status;
}
