/* A page's engine has one thread: locks are free, what is to be done once is done by the first who
 * asks. Debian's wasi-libc has no such header; this one has what the library uses. */
#ifndef TAUT_LIVE_PTHREAD_H
#define TAUT_LIVE_PTHREAD_H

#include <sys/types.h>

#define PTHREAD_MUTEX_INITIALIZER                                                                  \
    {                                                                                              \
        {                                                                                          \
            { 0 }                                                                                  \
        }                                                                                          \
    }
#define PTHREAD_ONCE_INIT 0

static inline int pthread_mutex_lock(pthread_mutex_t *mutex) {
    (void)mutex;
    return 0;
}

static inline int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    (void)mutex;
    return 0;
}

static inline int pthread_once(pthread_once_t *once, void (*initialise)(void)) {
    if (*once == 0) initialise();
    *once = 1;
    return 0;
}

#endif
