/* One counter in the memory of the first process, which all others increase by an atomic operation
 * of MPI (one-sided: nobody waits for requests, there is no master). Results go into the journals
 * of the processes, from which the first one writes the table. */
#include "cli/ranks.h"

#include <stdio.h>

#ifdef TAUT_MPI

#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

static int rank, count = 1;
static bool begun;
static MPI_Win window;
static long *counter; /* of the first process */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
static int (*shown_progress)(void *user, double fraction);

bool ranks_begin(const arguments *a) {
    int level;
    /* mpirun says how many there are; plain calls do without MPI, whose start takes longer than
     * many a sweep */
    if (!getenv("OMPI_COMM_WORLD_SIZE") && !getenv("PMI_SIZE") && !getenv("PMIX_RANK")) return true;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level) != MPI_SUCCESS) return false;
    begun = true;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    if (level < MPI_THREAD_SERIALIZED || (count > 1 && a->shards > 0)) {
        if (rank == 0)
            fprintf(stderr, level < MPI_THREAD_SERIALIZED
                                ? "taut: error: this MPI cannot be used by threads\n"
                                : "taut: error: --shard: mpirun shares the runs already; leave it "
                                  "out\n");
        MPI_Finalize();
        begun = false;
        return false;
    }
    MPI_Win_allocate(rank == 0 ? (MPI_Aint)sizeof *counter : 0, (int)sizeof *counter, MPI_INFO_NULL,
                     MPI_COMM_WORLD, &counter, &window);
    MPI_Win_lock_all(0, window);
    if (rank == 0) *counter = 0;
    MPI_Win_sync(window);
    MPI_Barrier(MPI_COMM_WORLD);
    return true;
}

int ranks_count(void) { return count; }
bool ranks_is_first(void) { return rank == 0; }

static long take(void *user, long number) {
    long before = -1;
    (void)user;
    pthread_mutex_lock(&one_at_a_time);
    const int status =
        MPI_Fetch_and_op(&number, &before, MPI_LONG, 0, 0, MPI_SUM, window) == MPI_SUCCESS
            ? MPI_Win_flush(0, window)
            : MPI_ERR_OTHER;
    pthread_mutex_unlock(&one_at_a_time);
    return status == MPI_SUCCESS ? before : -1;
}

void ranks_share(taut_study_options *options) {
    if (count == 1) return;
    options->take = take;
    options->worker = rank + 1;
    options->workers = count;
}

/* Some networks serve the counter only while its owner is inside a call of MPI. */
static int attend(void *user, double fraction) {
    int any;
    pthread_mutex_lock(&one_at_a_time);
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &any, MPI_STATUS_IGNORE);
    pthread_mutex_unlock(&one_at_a_time);
    return shown_progress ? shown_progress(user, fraction) : 0;
}

void ranks_attend(taut_run_options *options) {
    if (count == 1) return;
    shown_progress = options->progress;
    options->progress = attend;
}

int ranks_agree(int code) {
    int worst = code;
    if (count > 1) MPI_Allreduce(&code, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return worst;
}

void ranks_end(void) {
    if (!begun) return;
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Finalize();
}

#else

bool ranks_begin(const arguments *a) {
    (void)a;
    return true;
}

int ranks_count(void) { return 1; }
bool ranks_is_first(void) { return true; }
void ranks_share(taut_study_options *options) { (void)options; }
void ranks_attend(taut_run_options *options) { (void)options; }
int ranks_agree(int code) { return code; }
void ranks_end(void) {}

#endif
