/* SPDX-License-Identifier: Apache-2.0 */
/* Locks and forks, see lock.h. */
#include "lock.h"

#include <stdatomic.h>
#include <time.h>

/* State of the process: forks and threads. */
static struct {
    pthread_mutex_t lock; /* held by a thread that forks */
    atomic_uint holders;  /* number of threads that hold locks */
    atomic_bool is_shut;
} gate = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Number of locks that this thread holds. */
static LOCK_THREAD_LOCAL unsigned held;

static void enter_gate(void) {
    if (held++ > 0) return;
    atomic_fetch_add(&gate.holders, 1);
    while (atomic_load(&gate.is_shut)) {
        atomic_fetch_sub(&gate.holders, 1);
        pthread_mutex_lock(&gate.lock); /* released when the fork is done */
        pthread_mutex_unlock(&gate.lock);
        atomic_fetch_add(&gate.holders, 1);
    }
}

static void leave_gate(void) {
    if (--held == 0) atomic_fetch_sub(&gate.holders, 1);
}

void lock_acquire(pthread_mutex_t *lock) {
    enter_gate();
    pthread_mutex_lock(lock);
}

void lock_release(pthread_mutex_t *lock) {
    pthread_mutex_unlock(lock);
    leave_gate();
}

void lock_wait(pthread_cond_t *condition, pthread_mutex_t *lock) {
    leave_gate();
    pthread_cond_wait(condition, lock);
    held++;
    atomic_fetch_add(&gate.holders, 1);
    if (!atomic_load(&gate.is_shut)) return;
    lock_release(lock); /* another thread may wait for it, and the fork for that thread */
    lock_acquire(lock);
}

/* ---- forks ---- */

bool lock_block_others(bool (*is_hopeless)(void)) {
    const struct timespec moment = {.tv_nsec = 1000000};
    const unsigned own = held > 0;
    pthread_mutex_lock(&gate.lock);
    atomic_store(&gate.is_shut, true);
    for (unsigned i = 0; atomic_load(&gate.holders) > own; i++) {
        if (i == LOCK_PATIENCE || is_hopeless()) return false;
        nanosleep(&moment, NULL);
    }
    return true; /* a thread that enters from now on counts only until it finds the gate shut */
}

void lock_unblock_others(void) {
    atomic_store(&gate.is_shut, false);
    pthread_mutex_unlock(&gate.lock);
}

void lock_after_fork(void) {
    pthread_mutex_init(&gate.lock, NULL);
    atomic_store(&gate.holders, held > 0);
    atomic_store(&gate.is_shut, false);
}
