/* SPDX-License-Identifier: Apache-2.0 */
/* A device: an engine, its global memory, and a thread that executes ready commands one after the other. Devices
 * live as long as the process; their engines are opened at first use. */
#ifndef WARPSTEP_RUNTIME_DEVICE_H
#define WARPSTEP_RUNTIME_DEVICE_H

#include <pthread.h>
#include <stdatomic.h>

#include "allocator.h"
#include "engine.h"
#include "object.h"

struct event;

struct device {
    struct object object;
    char *text; /* argument of engine_open */
    unsigned number;

    pthread_mutex_t lock; /* protects the members below */
    struct engine *engine;
    bool is_opening_tried; /* opening has been tried */
    bool is_lost;
    struct engine_properties properties;
    struct allocator memory;
    uint32_t locks;   /* address of COMPILER_LOCKS words, which are 0 between launches */
    uint32_t printed; /* address of the print buffer, all 0 between launches; 0 until a kernel prints */

    pthread_mutex_t engine_lock; /* held by the caller of an engine function */

    pthread_mutex_t ready_lock; /* protects the members below */
    pthread_cond_t is_ready;
    struct event *first, **last; /* commands that are ready */
    pthread_t worker;
    bool has_worker, is_working, stops;
    bool is_inherited;      /* the parent process closes the engine */
    atomic_uint unfinished; /* number of commands that wait or run */
    cl_ulong end;           /* completion of the last command, by the device's clock */
};

/* Maximum number of devices. The list is read-only once it exists; see platform.h. */
enum { DEVICES_MAX = 31 };

struct device *device_create(const char *text, unsigned number); /* NULL if memory is exhausted */
void device_stop(struct device *d);                              /* ends its thread and closes its engine */
bool device_is_stopping(struct device *d);

/* Before a fork: takes ready_lock. Returns whether no command waits or runs, and the thread is idle; gives the
 * thread a moment to finish after the last command. */
bool device_pause(struct device *d);

/* After a fork, in the parent. */
void device_resume(struct device *d);

/* After a fork, in the child: the thread belongs to the parent, and so does an engine other than the model, which is
 * lost. A model that was executing commands is replaced by a new one, because its state is unknown. */
void device_after_fork(struct device *d, bool is_quiet);

/* Opens the engine at the first call. Errors: CL_DEVICE_NOT_AVAILABLE if it cannot be opened, reported once on
 * standard error; CL_OUT_OF_HOST_MEMORY, which may be temporary. */
cl_int device_open(struct device *d);

/* Returns the properties of the engine, which is opened if possible; else those of the default machine. */
const struct engine_properties *device_properties(struct device *d);

/* Allocates and frees blocks of its global memory. */
bool device_allocate(struct device *d, size_t size, uint32_t *address);
void device_free(struct device *d, uint32_t address);

/* device_start starts the thread; it returns false if there is none to start, or if it has ended. device_push gives
 * a ready event to the thread. */
bool device_start(struct device *d);
void device_push(struct device *d, struct event *e);

/* Returns whether the calling thread executes commands: a callback on it cannot wait for later commands. */
bool device_is_worker(void);

/* Returns nanoseconds of the host's monotonic clock. */
cl_ulong device_now(void);

/* Maximum block size: threads in total, and in each dimension. */
size_t device_max_threads(const struct engine_properties *p);
enum {
    DEVICE_BLOCK_MAX = 512,
    DEVICE_BLOCK_Z_MAX = 64,
    DEVICE_NATIVE_ALIGN = 128,    /* bytes: the size of the largest type, ulong16 */
    DEVICE_HEADER_BYTES = 16,     /* of shared memory, before the parameters of a block */
    DEVICE_PARAMETERS_MAX = 1024, /* bytes of all arguments of a kernel, some of them in constants */
};

/* Returns the maximum size of a buffer. */
cl_ulong device_max_buffer(const struct engine_properties *p);

#endif
