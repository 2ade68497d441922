/* SPDX-License-Identifier: Apache-2.0 */
/* A device: an engine, its global memory, and a thread that executes commands which are ready, one after the other.
 * Devices are there as long as the process; their engines are opened when first needed. */
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
    char *text; /* of engine_open */
    unsigned number;

    pthread_mutex_t lock; /* of what follows */
    struct engine *engine;
    bool is_tried; /* to open it */
    bool is_lost;
    struct engine_properties properties;
    struct allocator memory;
    uint32_t locks; /* address of COMPILER_LOCKS words, which are 0 between launches */
    uint32_t printed; /* address of the buffer of printf, all 0 between launches; 0: no kernel has printed */

    pthread_mutex_t engine_lock; /* a caller of the engine has it */

    pthread_mutex_t ready_lock; /* of what follows */
    pthread_cond_t is_ready;
    struct event *first, **last; /* commands that wait for nothing more */
    pthread_t worker;
    bool has_worker, is_working, stops;
    bool is_inherited;      /* the engine is the parent's to close */
    atomic_uint unfinished; /* commands that wait or run */
    cl_ulong end;           /* when the last command ended, in the device's time */
};

/* Of all devices, read-only once they are there; see platform.h. */
enum { DEVICE_MOST = 31 };

struct device *device_create(const char *text, unsigned number); /* NULL: memory is out */
void device_stop(struct device *d);                              /* ends its thread and closes its engine */
bool device_stops(struct device *d);

/* Before a fork: holds ready_lock. Whether no command waits or runs, and the thread is done with the last one; it gets
 * a moment for what comes after a command's end. */
bool device_pause(struct device *d);

/* After a fork, in the parent. */
void device_go_on(struct device *d);

/* After a fork, in the child: the thread is the parent's, and so is an engine that is more than memory, which is lost.
 * The model's is another one where commands were under way, as it is not known what it was in the middle of. */
void device_inherit(struct device *d, bool is_quiet);

/* Opens the engine, unless that was done. CL_DEVICE_NOT_AVAILABLE: it cannot be, which is told once on standard error;
 * CL_OUT_OF_HOST_MEMORY: not now. */
cl_int device_open(struct device *d);

/* Whether it is open, or can be. Then properties are valid, else they are those of the default machine. */
const struct engine_properties *device_properties(struct device *d);

/* A block of its global memory. */
bool device_take_memory(struct device *d, size_t size, uint32_t *address);
void device_give_memory(struct device *d, uint32_t address);

/* Makes an event wait for its turn; starts the thread. False: there is no thread to be had, or it has ended. */
bool device_start(struct device *d);
void device_push(struct device *d, struct event *e);

/* Whether the calling thread executes commands: a callback, which cannot wait for commands behind its own. */
bool device_is_worker(void);

/* Nanoseconds of the host's clock that never goes back. */
cl_ulong device_now(void);

/* The largest block of threads, in all and in each dimension. */
size_t device_most_threads(const struct engine_properties *p);
enum {
    DEVICE_BLOCK_MOST = 512,
    DEVICE_BLOCK_Z_MOST = 64,
    DEVICE_NATIVE_ALIGN = 128,    /* bytes of the largest type, ulong16 */
    DEVICE_HEADER_BYTES = 16,     /* of shared memory, before the parameters of a block */
    DEVICE_PARAMETER_MOST = 1024, /* bytes of all arguments of a kernel, some of them in constants */
};

/* The largest buffer. */
cl_ulong device_most_buffer(const struct engine_properties *p);

#endif
