/* Each thread has a simulation of its own and takes points from one counter. The caller's thread
 * works as well, and asks for progress between its runs. */
#include "task/batch.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "core/bounds.h"

enum { MOST_THREADS = 256 };

typedef struct hand {
    struct taut_batch *batch;
    taut_tryout *tryout; /* NULL: not yet */
    taut_errors *errors; /* large */
} hand;

struct taut_batch {
    taut_arena arena;
    taut_tryout_order order;
    hand *hand; /* [hands] */
    int hands;

    /* one call */
    const double *point;
    double *result;
    bool *good;
    int count;
    atomic_int next;
    atomic_bool stop;
    taut_status status; /* of the whole: memory, or interrupted */
    int first_bad;      /* the first point without results, and why; count: none */
    pthread_mutex_t lock;
    taut_errors *why;
};

taut_status taut_batch_create(const taut_tryout_order *order, int threads, taut_batch **batch,
                              taut_errors *errors) {
    taut_batch *b = *batch = taut_new(sizeof *b);
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (!b) return TAUT_ERR_MEMORY;
    pthread_mutex_init(&b->lock, NULL);
    b->order = *order;
    b->hands = threads > 0 ? threads : cores > 0 ? (int)cores : 1;
    if (b->hands > MOST_THREADS) b->hands = MOST_THREADS;
    b->hand = TAUT_NEW_ARRAY(&b->arena, b->hands, hand);
    for (int i = 0; b->hand && i < b->hands; i++) b->hand[i].batch = b;
    const taut_status status =
        b->hand ? taut_tryout_create(order, &b->hand[0].tryout, errors) : TAUT_ERR_MEMORY;
    if (status != TAUT_OK) taut_batch_free(batch);
    return status;
}

void taut_batch_free(taut_batch **batch) {
    taut_batch *b = *batch;
    if (!b) return;
    for (int i = 0; b->hand && i < b->hands; i++) {
        taut_tryout_free(&b->hand[i].tryout);
        taut_release((void **)&b->hand[i].errors);
    }
    pthread_mutex_destroy(&b->lock);
    taut_arena_release(&b->arena);
    taut_release((void **)batch);
}

static void give_up(taut_batch *b, taut_status status) {
    pthread_mutex_lock(&b->lock);
    if (b->status == TAUT_OK) b->status = status;
    pthread_mutex_unlock(&b->lock);
    atomic_store(&b->stop, true);
}

/* Keeps the errors of the first point that has no results. */
static void note_failure(taut_batch *b, int point, const taut_errors *errors) {
    pthread_mutex_lock(&b->lock);
    if (point < b->first_bad) {
        b->first_bad = point;
        if (b->why) *b->why = *errors;
    }
    pthread_mutex_unlock(&b->lock);
}

static bool ask(taut_batch *b) {
    const taut_run_options *o = b->order.run;
    return o->progress && o->progress(o->user, 0.5) != 0;
}

static void work(hand *h, bool is_caller) {
    taut_batch *b = h->batch;
    taut_status status = TAUT_OK;
    if (!h->errors && !(h->errors = taut_new(sizeof *h->errors))) status = TAUT_ERR_MEMORY;
    if (status == TAUT_OK && !h->tryout)
        status = taut_tryout_create(&b->order, &h->tryout, h->errors);
    while (status == TAUT_OK && !atomic_load(&b->stop)) {
        const int i = atomic_fetch_add(&b->next, 1);
        if (i >= b->count) break;
        double *result = b->result + (size_t)i * (size_t)b->order.figures;
        h->errors->count = h->errors->dropped = 0;
        const taut_status end = taut_tryout_run(
            h->tryout, b->point + (size_t)i * (size_t)b->order.names, &b->stop, result, h->errors);
        b->good[i] = end == TAUT_OK;
        for (int k = 0; k < b->order.figures && b->good[i]; k++) b->good[i] = isfinite(result[k]);
        if (!b->good[i]) note_failure(b, i, h->errors);
        if (end == TAUT_ERR_MEMORY || end == TAUT_INTERRUPTED) status = end;
        if (is_caller && ask(b)) status = TAUT_INTERRUPTED;
    }
    if (status != TAUT_OK) give_up(b, status);
}

static int is_stopped(void *user) { return atomic_load(&((taut_batch *)user)->stop); }

static void *worker(void *argument) {
    hand *h = argument;
    taut_bounds bounds = {
        .stop = is_stopped, .user = h->batch, .memory = h->batch->order.run->memory};
    taut_bounds_begin(&bounds);
    work(h, false);
    taut_bounds_end(&bounds);
    return NULL;
}

taut_status taut_batch_run(taut_batch *b, const double *point, int count, double *result,
                           bool *good, taut_errors *errors) {
    pthread_t thread[MOST_THREADS];
    sigset_t all, before;
    int hired = 0;
    b->point = point, b->result = result, b->good = good, b->count = count;
    b->status = TAUT_OK;
    b->first_bad = count;
    b->why = errors;
    atomic_store(&b->next, 0);
    atomic_store(&b->stop, false);
    for (int i = 0; i < count; i++) good[i] = false;
    sigfillset(&all); /* signals stay with the caller */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (hired + 1 < b->hands && hired + 1 < count &&
           pthread_create(&thread[hired], NULL, worker, &b->hand[hired + 1]) == 0)
        hired++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    work(&b->hand[0], true);
    for (int i = 0; i < hired; i++) pthread_join(thread[i], NULL);
    return b->status;
}
