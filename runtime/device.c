/* SPDX-License-Identifier: Apache-2.0 */
/* Devices, see device.h. */
#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../compiler/compiler.h"
#include "command.h"
#include "lock.h"

enum {
    FIRST_ADDRESS = 0x100, /* so that no buffer is at address 0, which is NULL */
    MOMENTS = 1000,        /* milliseconds that a fork waits */
};

/* ---- the engine ---- */

static void report_failure(const struct device *d, const struct diag *diag) {
    fprintf(stderr, "warpstep: device %s: ", d->text);
    diag_report(stderr, diag);
}

static cl_int open_engine(struct device *d) {
    struct engine_options options;
    struct diag diag = {0};
    engine_options_from_environment(&options);
    const enum status status = engine_open(d->text, &options, &d->engine, &diag);
    if (status == STATUS_NO_MEMORY) return CL_OUT_OF_HOST_MEMORY;
    d->is_opening_tried = true;
    if (status != STATUS_OK) {
        report_failure(d, &diag);
        return CL_DEVICE_NOT_AVAILABLE;
    }
    d->properties = *engine_get_properties(d->engine);
    d->printed = 0;
    allocator_init(&d->memory, FIRST_ADDRESS, d->properties.host_bytes);
    if (allocator_allocate(&d->memory, 4 * COMPILER_LOCKS, &d->locks)) return CL_SUCCESS;
    engine_close(d->engine);
    d->engine = NULL;
    d->is_opening_tried = false;
    return CL_OUT_OF_HOST_MEMORY;
}

cl_int device_open(struct device *d) {
    lock_acquire(&d->lock);
    const bool is_open = d->engine != NULL && !d->is_lost;
    const cl_int error = is_open ? CL_SUCCESS : d->is_opening_tried ? CL_DEVICE_NOT_AVAILABLE : open_engine(d);
    lock_release(&d->lock);
    return error;
}

const struct engine_properties *device_properties(struct device *d) {
    device_open(d);
    return &d->properties;
}

size_t device_max_threads(const struct engine_properties *p) {
    const unsigned most = p->machine.warps * WARP_LANES;
    const unsigned threads = p->machine.threads < most ? p->machine.threads : most;
    return threads < DEVICE_BLOCK_MAX ? threads : DEVICE_BLOCK_MAX;
}

cl_ulong device_max_buffer(const struct engine_properties *p) { return p->host_bytes / 4 * 3; }

/* ---- memory ---- */

bool device_allocate(struct device *d, size_t size, uint32_t *address) {
    if (device_open(d) != CL_SUCCESS) return false;
    lock_acquire(&d->lock);
    const bool taken = allocator_allocate(&d->memory, size, address);
    lock_release(&d->lock);
    return taken;
}

void device_free(struct device *d, uint32_t address) {
    lock_acquire(&d->lock);
    allocator_free(&d->memory, address);
    lock_release(&d->lock);
}

/* ---- commands ---- */

cl_ulong device_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (cl_ulong)now.tv_sec * 1000000000 + (cl_ulong)now.tv_nsec;
}

void device_push(struct device *d, struct event *e) {
    pthread_mutex_lock(&d->ready_lock);
    e->next_ready = NULL;
    *d->last = e;
    d->last = &e->next_ready;
    pthread_cond_signal(&d->is_ready);
    pthread_mutex_unlock(&d->ready_lock);
}

static struct event *pop_ready(struct device *d) {
    pthread_mutex_lock(&d->ready_lock);
    d->is_working = false;
    while (d->first == NULL && !d->stops) pthread_cond_wait(&d->is_ready, &d->ready_lock);
    struct event *e = d->stops ? NULL : d->first;
    d->is_working = e != NULL;
    if (e != NULL) {
        d->first = e->next_ready;
        if (d->first == NULL) d->last = &d->first;
    }
    pthread_mutex_unlock(&d->ready_lock);
    return e;
}

/* This thread is a device's. */
static LOCK_THREAD_LOCAL bool is_worker;

bool device_is_worker(void) { return is_worker; }

static void *run_worker(void *argument) {
    struct device *d = argument;
    struct event *e;
    is_worker = true;
    while ((e = pop_ready(d)) != NULL) command_execute(e);
    return NULL;
}

bool device_start(struct device *d) {
    pthread_mutex_lock(&d->ready_lock);
    if (!d->has_worker && !d->stops) d->has_worker = pthread_create(&d->worker, NULL, run_worker, d) == 0;
    const bool works = d->has_worker && !d->stops;
    pthread_mutex_unlock(&d->ready_lock);
    return works;
}

void device_stop(struct device *d) {
    pthread_mutex_lock(&d->ready_lock);
    d->stops = true;
    const bool has_worker = d->has_worker && !pthread_equal(d->worker, pthread_self());
    pthread_cond_broadcast(&d->is_ready);
    pthread_mutex_unlock(&d->ready_lock);
    if (d->engine != NULL) engine_stop(d->engine);
    if (has_worker) pthread_join(d->worker, NULL);
    if (!d->is_inherited && (has_worker || !d->has_worker)) engine_close(d->engine);
    allocator_release(&d->memory);
}

bool device_is_stopping(struct device *d) {
    pthread_mutex_lock(&d->ready_lock);
    const bool stops = d->stops;
    pthread_mutex_unlock(&d->ready_lock);
    return stops;
}

static void init_locks(struct device *d) {
    pthread_mutex_init(&d->lock, NULL);
    pthread_mutex_init(&d->engine_lock, NULL);
    pthread_mutex_init(&d->ready_lock, NULL);
    pthread_cond_init(&d->is_ready, NULL);
}

bool device_pause(struct device *d) {
    const struct timespec moment = {.tv_nsec = 1000000};
    pthread_mutex_lock(&d->ready_lock);
    const bool forks = d->has_worker && pthread_equal(d->worker, pthread_self()); /* a callback calls fork */
    for (unsigned i = 0; i < MOMENTS && !forks && d->is_working && atomic_load(&d->unfinished) == 0; i++) {
        pthread_mutex_unlock(&d->ready_lock);
        nanosleep(&moment, NULL);
        pthread_mutex_lock(&d->ready_lock);
    }
    return atomic_load(&d->unfinished) == 0 && (forks || !d->is_working);
}

void device_resume(struct device *d) { pthread_mutex_unlock(&d->ready_lock); }

/* Commands in progress continue only in the parent. */
void device_after_fork(struct device *d, bool is_quiet) {
    is_worker = false;
    init_locks(d);
    d->first = NULL;
    d->last = &d->first;
    d->has_worker = d->is_working = false;
    d->is_lost = d->is_lost || (d->engine != NULL && strncmp(d->text, "model", strlen("model")) != 0);
    if (!is_quiet && d->engine != NULL) {
        d->engine = NULL;
        d->memory = (struct allocator){0};
        d->is_opening_tried = d->is_lost;
    }
    d->is_inherited = d->engine != NULL;
    atomic_store(&d->unfinished, 0);
}

/* Only for a device that was never opened; the platform keeps its devices. */
static void destroy(void *object) {
    struct device *d = object;
    free(d->text);
    free(d);
}

struct device *device_create(const char *text, unsigned number) {
    struct device *d = calloc(1, sizeof *d);
    if (d == NULL) return NULL;
    d->text = strdup(text);
    d->number = number;
    d->last = &d->first;
    d->properties = (struct engine_properties){.machine = MACHINE_DEFAULT};
    d->properties.host_bytes = d->properties.machine.global_bytes;
    init_locks(d);
    if (d->text != NULL && object_create(&d->object, OBJECT_DEVICE, destroy)) return d;
    free(d->text);
    free(d);
    return NULL;
}
