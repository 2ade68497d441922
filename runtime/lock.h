/* SPDX-License-Identifier: Apache-2.0 */
/* Locks of objects. A fork waits until no other thread holds one, so objects are consistent in the child, which can use
 * them. Locks nest; those of engines and of ready commands are separate (device.h).
 *
 *     lock_acquire(&p->lock); ... lock_release(&p->lock);
 */
#ifndef WARPSTEP_RUNTIME_LOCK_H
#define WARPSTEP_RUNTIME_LOCK_H

#include <pthread.h>
#include <stdbool.h>

/* A variable of each thread, in the memory of the program's own ones. The driver is loaded with dlopen; clang's leak
 * checker does not find the memory that such a library otherwise has for each thread. */
#define LOCK_THREAD_LOCAL _Thread_local __attribute__((tls_model("initial-exec")))

void lock_acquire(pthread_mutex_t *lock);
void lock_release(pthread_mutex_t *lock);

/* Waits for a condition with the only lock that the thread holds; may return early. The lock counts as released
 * meanwhile: the child of a fork initialises both again. */
void lock_wait(pthread_cond_t *condition, pthread_mutex_t *lock);

/* Before a fork: keeps other threads from taking locks, and waits until they have released theirs. Returns false if
 * one holds a lock for longer than LOCK_PATIENCE, or if `is_hopeless` returns true. */
enum { LOCK_PATIENCE = 10000 /* milliseconds */ };
bool lock_block_others(bool (*is_hopeless)(void));

/* After the fork, in the parent and in the child. */
void lock_unblock_others(void);
void lock_after_fork(void);

#endif
