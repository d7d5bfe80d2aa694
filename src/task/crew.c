/* The threads of a study. Each has simulations of its own, which go side by side where they can;
 * they take runs in blocks from one counter, and enter results under the number of the run, so who
 * does what does not matter. The caller's thread waits, calls progress, and stops them. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/bounds.h"
#include "task/convoy.h"
#include "task/study.h"

enum { ENOUGH = 8 }; /* runs that are worth equations to share */
enum { BLOCK = 8, MOST_THREADS = 4096, LOOK_MS = 50 };

typedef struct crew {
    taut_study *study;
    taut_arena arena;
    taut_tryout_order order; /* what each run is asked, */
    taut_program *program;   /* and their equations; NULL: each thread forms its own */
    atomic_long next;        /* run, unless several processes share a counter */
    atomic_long seen;        /* the last one that was taken */
    atomic_bool stop;
    pthread_mutex_t lock;  /* of all that follows, and of the study's table */
    pthread_cond_t change; /* a thread has ended */
    int at_work;
    taut_status status; /* why the crew has stopped; TAUT_OK: it has not */
    long own, own_done; /* runs of this shard: to be done in this call, and done by it */
} crew;

/* The first line of the first error, as a table has it: behind its line in the model; of another
 * file with its name, but without folders: the table is the same wherever it is made. */
static void find_reason(const crew *c, const taut_errors *errors, taut_status status, char *text,
                        size_t size) {
    const taut_error *e = errors->count > 0 ? &errors->item[0] : NULL;
    const char *words = e ? e->message : taut_status_text(status);
    const int length = (int)strcspn(words, "\n");
    const char *own = taut_model_file(c->study->model, 0);
    if (!e || e->line == 0) {
        snprintf(text, size, "%.*s", length, words);
    } else if (e->path[0] == '\0' || !own || strcmp(e->path, own) == 0) {
        snprintf(text, size, "line %d: %.*s", e->line, length, words);
    } else {
        const char *slash = strrchr(e->path, '/');
        snprintf(text, size, "%.200s, line %d: %.*s", slash ? slash + 1 : e->path, e->line, length,
                 words);
    }
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

/* The first run of the next block. */
static long take_block(crew *c) {
    const taut_study *s = c->study;
    const long first =
        s->take ? s->take(s->take_user, BLOCK) : atomic_fetch_add(&c->next, (long)BLOCK);
    if (first < s->runs) atomic_store(&c->seen, first);
    return first;
}

/* One thread's runs. */
typedef struct hand {
    crew *crew;
    long next, end; /* of its block */
    taut_status status;
} hand;

/* The next run that is to be done. */
static bool next_run(void *user, long *run, double *value) {
    hand *h = user;
    const taut_study *s = h->crew->study;
    for (;; h->next++) {
        if (atomic_load(&h->crew->stop)) return false;
        if (h->next >= h->end) {
            h->next = take_block(h->crew);
            h->end = h->next + BLOCK;
            if (h->next < 0) h->status = TAUT_ERR_IO; /* the counter is out of reach */
        }
        if (h->next < 0 || h->next >= s->runs) {
            h->end = h->next = s->runs;
            return false;
        }
        /* finished[] of a run of this block changes in this thread only */
        if (taut_study_is_own(s, h->next) && !s->finished[h->next]) break;
    }
    *run = h->next++;
    for (int k = 0; k < s->axes; k++) value[k] = taut_study_varied(s, *run, k);
    return true;
}

static taut_status note_run(void *user, long run, taut_status status, const double *value,
                            taut_errors *errors) {
    crew *c = ((hand *)user)->crew;
    char reason[400];
    if (status == TAUT_INTERRUPTED || is_hopeless(status)) return status;
    if (status != TAUT_OK && atomic_load(&c->stop))
        return TAUT_INTERRUPTED; /* it gave up for that */
    if (status != TAUT_OK) find_reason(c, errors, status, reason, sizeof reason);
    enter(c, run, value, status == TAUT_OK ? NULL : reason);
    return TAUT_OK;
}

/* Runs until there are no more. */
static taut_status work(crew *c, taut_errors *errors) {
    hand h = {.crew = c};
    const taut_convoy_work order = {next_run, note_run, &h, &c->stop};
    taut_convoy *convoy = NULL;
    taut_status status = taut_convoy_create(&c->order, &convoy, errors);
    if (status == TAUT_OK) status = taut_convoy_run(convoy, &order);
    taut_convoy_free(&convoy);
    if (status == TAUT_OK) status = h.status;
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

/* Equations for all threads, if there are enough runs for lanes. Where the model's own numbers have
 * no start, runs with others may have one. */
static taut_status prepare(crew *c) {
    taut_study *s = c->study;
    TAUT_TRY(taut_study_order(s, &c->arena, &c->order));
    if (s->one_by_one || c->own < ENOUGH) return TAUT_OK;
    const taut_status status = taut_program_create(s->model, &s->run, &c->program, NULL);
    c->order.program = c->program;
    return status == TAUT_ERR_MEMORY ? status : TAUT_OK;
}

static void close_crew(crew *c) {
    taut_program_free(&c->program);
    taut_arena_release(&c->arena);
    pthread_cond_destroy(&c->change);
    pthread_mutex_destroy(&c->lock);
}

taut_status taut_study_run(taut_study *study, taut_errors *errors) {
    crew c;
    TAUT_NEED(study, "study", errors);
    open_crew(&c, study);
    pthread_t *thread = taut_new(sizeof *thread * MOST_THREADS);
    const int wanted = c.own > 0 ? count_threads(study, study->runs) : 0;
    if (wanted > 0) c.status = prepare(&c);
    const int count = thread && c.status == TAUT_OK ? hire(&c, thread, wanted) : 0;
    bool interrupted = false;
    if (count > 0) interrupted = supervise(&c);
    for (int i = 0; i < count; i++) pthread_join(thread[i], NULL);
    taut_release((void **)&thread);
    close_crew(&c);
    if (count == 0 && wanted > 0) c.status = TAUT_ERR_MEMORY; /* fewer than wanted will do */
    const char *why =
        study->keeper && study->keeper->why[0] ? study->keeper->why : taut_status_text(c.status);
    if (c.status != TAUT_OK)
        return taut_fail(errors, c.status, "the study has stopped after %ld of %ld runs: %s",
                         study->done, study->runs, why);
    if (!interrupted || study->done == study->runs) return TAUT_OK;
    return taut_fail(errors, TAUT_INTERRUPTED, "interrupted after %ld of %ld runs", study->done,
                     study->runs);
}
