/* The threads of a study. Each has a simulation of its own; they take runs in blocks from one
 * counter, and enter results under the number of the run, so who does what does not matter. The
 * caller's thread waits, calls progress, and stops them. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/bounds.h"
#include "task/study.h"

enum { BLOCK = 8, MOST_THREADS = 4096, LOOK_MS = 50 };

typedef struct crew {
    taut_study *study;
    atomic_long next; /* run, unless several processes share a counter */
    atomic_long seen; /* the last one that was taken */
    atomic_bool stop;
    pthread_mutex_t lock;  /* of all that follows, and of the study's table */
    pthread_cond_t change; /* a thread has ended */
    int at_work;
    taut_status status; /* why the crew has stopped; TAUT_OK: it has not */
    long own, own_done; /* runs of this shard: to be done in this call, and done by it */
} crew;

/* The first line of the first error, in which a table has it. */
static void find_reason(const taut_errors *errors, taut_status status, char *text, size_t size) {
    const char *words = errors->count > 0 ? errors->item[0].message : taut_status_text(status);
    snprintf(text, size, "%.*s", (int)strcspn(words, "\n"), words);
}

/* Does the call itself fail, so that no run can succeed? */
static bool is_hopeless(taut_status status) {
    return status == TAUT_ERR_MEMORY || status == TAUT_ERR_IO || status == TAUT_ERR_LIBRARY;
}

static void enter(crew *c, long run, const double *value, const char *reason) {
    taut_study *s = c->study;
    pthread_mutex_lock(&c->lock);
    taut_status status = taut_study_enter(s, run, value, reason);
    if (status == TAUT_OK && s->keeper) status = s->keeper->keep(s->keeper, s, run);
    c->own_done++;
    if (status != TAUT_OK && c->status == TAUT_OK) c->status = status;
    if (status != TAUT_OK) atomic_store(&c->stop, true);
    pthread_mutex_unlock(&c->lock);
}

static void give_up(crew *c, taut_status status) {
    pthread_mutex_lock(&c->lock);
    if (c->status == TAUT_OK) c->status = status;
    atomic_store(&c->stop, true);
    pthread_mutex_unlock(&c->lock);
}

static taut_status do_run(crew *c, taut_trial *trial, long run, double *value,
                          taut_errors *errors) {
    char reason[400];
    errors->count = errors->dropped = 0;
    const taut_status status = taut_trial_run(trial, run, &c->stop, value, errors);
    if (status == TAUT_INTERRUPTED || is_hopeless(status)) return status;
    if (status != TAUT_OK && atomic_load(&c->stop))
        return TAUT_INTERRUPTED; /* it gave up for that */
    if (status != TAUT_OK) find_reason(errors, status, reason, sizeof reason);
    enter(c, run, value, status == TAUT_OK ? NULL : reason);
    return TAUT_OK;
}

/* The first run of the next block. */
static long take_block(crew *c) {
    const taut_study *s = c->study;
    const long first =
        s->take ? s->take(s->take_user, BLOCK) : atomic_fetch_add(&c->next, (long)BLOCK);
    if (first < s->runs) atomic_store(&c->seen, first);
    return first;
}

/* Runs until there are no more. */
static taut_status work(crew *c, taut_errors *errors) {
    taut_study *s = c->study;
    taut_trial *trial = NULL;
    taut_arena arena = {0};
    double *value = TAUT_NEW_ARRAY(&arena, s->figures, double);
    taut_status status = value ? taut_trial_create(s, &trial, errors) : TAUT_ERR_MEMORY;
    while (status == TAUT_OK) {
        const long first = take_block(c);
        if (first < 0) status = TAUT_ERR_IO; /* the counter is out of reach */
        if (first < 0 || first >= s->runs || atomic_load(&c->stop)) break;
        for (long run = first; run < first + BLOCK && run < s->runs && status == TAUT_OK; run++)
            /* finished[run] of a run of this block changes in this thread only */
            if (taut_study_is_own(s, run) && !s->finished[run])
                status = do_run(c, trial, run, value, errors);
    }
    taut_trial_free(&trial);
    taut_arena_release(&arena);
    return status == TAUT_INTERRUPTED ? TAUT_OK : status;
}

static int is_stopped(void *user) { return atomic_load(&((crew *)user)->stop); }

static void *worker(void *argument) {
    crew *c = argument;
    taut_bounds bounds = {.stop = is_stopped, .user = c, .memory = c->study->run.memory};
    taut_errors *errors = taut_new(sizeof *errors); /* large */
    taut_bounds_begin(&bounds);
    const taut_status status = errors ? work(c, errors) : TAUT_ERR_MEMORY;
    taut_bounds_end(&bounds);
    taut_release((void **)&errors);
    if (status != TAUT_OK) give_up(c, status);
    pthread_mutex_lock(&c->lock);
    c->at_work--;
    pthread_cond_signal(&c->change);
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* ---- the caller's thread ---- */

static void wait_a_moment(crew *c) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += LOOK_MS * 1000000L;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000L;
    }
    pthread_cond_timedwait(&c->change, &c->lock, &until);
}

/* Until all threads have ended; true: progress has stopped them. */
static bool supervise(crew *c) {
    const taut_run_options *o = &c->study->run;
    bool interrupted = false;
    pthread_mutex_lock(&c->lock);
    while (c->at_work > 0) {
        const double part = c->own > 0 ? (double)c->own_done / (double)c->own : 1.0;
        const double fraction =
            c->study->take ? (double)atomic_load(&c->seen) / (double)c->study->runs : part;
        pthread_mutex_unlock(&c->lock);
        if (!interrupted && o->progress && o->progress(o->user, fraction)) {
            interrupted = true;
            atomic_store(&c->stop, true);
        }
        pthread_mutex_lock(&c->lock);
        if (c->at_work > 0) wait_a_moment(c);
    }
    pthread_mutex_unlock(&c->lock);
    return interrupted;
}

static int count_threads(const taut_study *s, long runs) {
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    long threads = s->threads > 0 ? s->threads : cores > 0 ? cores : 1;
    const long blocks = (runs + BLOCK - 1) / BLOCK;
    if (threads > blocks) threads = blocks;
    return threads < 1 ? 1 : threads > MOST_THREADS ? MOST_THREADS : (int)threads;
}

/* Starts threads, whose signals stay with the caller; returns how many there are. */
static int hire(crew *c, pthread_t *thread, int wanted) {
    sigset_t all, before;
    int count = 0;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_mutex_lock(&c->lock);
    while (count < wanted && pthread_create(&thread[count], NULL, worker, c) == 0) count++;
    c->at_work = count;
    pthread_mutex_unlock(&c->lock);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return count;
}

static void open_crew(crew *c, taut_study *study) {
    pthread_condattr_t clock;
    *c = (crew){.study = study};
    pthread_mutex_init(&c->lock, NULL);
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&c->change, &clock);
    pthread_condattr_destroy(&clock);
    for (long i = 0; i < study->runs; i++)
        if (taut_study_is_own(study, i) && !study->finished[i]) c->own++;
}

taut_status taut_study_run(taut_study *study, taut_errors *errors) {
    crew c;
    TAUT_NEED(study, "study", errors);
    open_crew(&c, study);
    pthread_t *thread = taut_new(sizeof *thread * MOST_THREADS);
    const int wanted = c.own > 0 ? count_threads(study, study->runs) : 0;
    const int count = thread ? hire(&c, thread, wanted) : 0;
    bool interrupted = false;
    if (count > 0) interrupted = supervise(&c);
    for (int i = 0; i < count; i++) pthread_join(thread[i], NULL);
    taut_release((void **)&thread);
    pthread_cond_destroy(&c.change);
    pthread_mutex_destroy(&c.lock);
    if (count == 0 && wanted > 0) c.status = TAUT_ERR_MEMORY; /* fewer than wanted will do */
    if (c.status != TAUT_OK)
        return taut_fail(errors, c.status, "the study has stopped after %ld of %ld runs: %s",
                         study->done, study->runs, taut_status_text(c.status));
    if (!interrupted || study->done == study->runs) return TAUT_OK;
    return taut_fail(errors, TAUT_INTERRUPTED, "interrupted after %ld of %ld runs", study->done,
                     study->runs);
}
