/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers and sub-buffers. A buffer has a place in the global memory of each device of its context, and bytes of the
 * host where the application gave some; which of these hold what it contains is known piece by piece, so that devices
 * may work on different parts at a time. A sub-buffer is a part of a buffer and has nothing of its own. */
#ifndef WARPSTEP_RUNTIME_MEMORY_H
#define WARPSTEP_RUNTIME_MEMORY_H

#include <stdatomic.h>

#include "context.h"

#define MEMORY_HOST (UINT32_C(1) << 31)

/* From `begin` to the next: bit d is set where device d of the context holds it, MEMORY_HOST where the host does. All
 * 0: nobody has written it. */
struct memory_piece {
    size_t begin;
    uint32_t valid;
};

/* What the application has mapped. */
struct memory_mapping {
    struct memory_mapping *next;
    uint8_t *pointer;    /* that it got */
    uint8_t *own;        /* NULL: these are bytes of the application itself */
    size_t offset, size; /* in the root */
    cl_map_flags flags;
    atomic_uint uses; /* of the application, and of the command that reads what is mapped */
};

struct memory_callback {
    struct memory_callback *next;
    void(CL_CALLBACK *call)(cl_mem, void *);
    void *data;
};

struct memory {
    struct object object;
    struct context *context;
    struct memory *root; /* whose part it is; itself where it is no part */
    size_t origin, size;
    cl_mem_flags flags;
    void *host_pointer; /* as CL_MEM_HOST_PTR tells it */

    pthread_mutex_t lock; /* of what follows */
    struct memory_callback *callbacks;
    struct memory_mapping *mappings;
    cl_uint mapping_count;
    /* Of a root. */
    bool has_place[DEVICE_MOST];
    uint32_t address[DEVICE_MOST];
    struct memory_piece *pieces;
    size_t piece_count, piece_capacity;
    uint8_t *host;
    bool owns_host;
};

enum memory_access {
    MEMORY_READ = 1,
    MEMORY_WRITE = 2,
    MEMORY_WRITE_ALL = 4 | 2, /* every byte of the range: what is there now does not matter */
};

/* Makes bytes of a buffer ready for a command on a device, from its thread: moves what others hold to that device, and
 * notes what the command will have written. *address: where they are. CL_COMPLETE, or an error. */
cl_int memory_use(struct memory *m, struct device *d, size_t offset, size_t size, enum memory_access access,
                  uint32_t *address);

/* A handle of the application's as the argument of a command on a queue of this context. CL_INVALID_MEM_OBJECT,
 * CL_INVALID_CONTEXT. */
cl_int memory_take(cl_mem handle, const struct context *c, struct memory **m);

/* CL_MISALIGNED_SUB_BUFFER_OFFSET: a sub-buffer that begins where the device cannot have a buffer. */
cl_int memory_check_device(const struct memory *m, const struct device *d);

/* Puts what an engine has to say of an error where the application sees it. */
cl_int memory_fail(struct context *c, const struct device *d, const struct diag *diag);

#endif
