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

static void enter(void) {
    if (held++ > 0) return;
    atomic_fetch_add(&gate.holders, 1);
    while (atomic_load(&gate.is_shut)) {
        atomic_fetch_sub(&gate.holders, 1);
        pthread_mutex_lock(&gate.lock); /* released when the fork is done */
        pthread_mutex_unlock(&gate.lock);
        atomic_fetch_add(&gate.holders, 1);
    }
}

static void leave(void) {
    if (--held == 0) atomic_fetch_sub(&gate.holders, 1);
}

void lock_take(pthread_mutex_t *lock) {
    enter();
    pthread_mutex_lock(lock);
}

void lock_give(pthread_mutex_t *lock) {
    pthread_mutex_unlock(lock);
    leave();
}

void lock_wait(pthread_cond_t *condition, pthread_mutex_t *lock) {
    leave();
    pthread_cond_wait(condition, lock);
    held++;
    atomic_fetch_add(&gate.holders, 1);
    if (!atomic_load(&gate.is_shut)) return;
    lock_give(lock); /* another thread may wait for it, and the fork for that thread */
    lock_take(lock);
}

/* ---- forks ---- */

bool lock_shut_out(bool (*is_hopeless)(void)) {
    const struct timespec moment = {.tv_nsec = 1000000};
    const unsigned own = held > 0;
    pthread_mutex_lock(&gate.lock);
    atomic_store(&gate.is_shut, true);
    for (unsigned i = 0; i < LOCK_PATIENCE && atomic_load(&gate.holders) > own && !is_hopeless(); i++)
        nanosleep(&moment, NULL);
    return atomic_load(&gate.holders) == own;
}

void lock_let_in(void) {
    atomic_store(&gate.is_shut, false);
    pthread_mutex_unlock(&gate.lock);
}

void lock_inherit(void) {
    pthread_mutex_init(&gate.lock, NULL);
    atomic_store(&gate.holders, held > 0);
    atomic_store(&gate.is_shut, false);
}
