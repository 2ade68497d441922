/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers and sub-buffers. A buffer has an address on each device of its context, and host memory if the application
 * gave some. Its contents may be in any of these, piece by piece, so that devices can work on different parts at the
 * same time. A sub-buffer is a part of a buffer without memory of its own. */
#ifndef WARPSTEP_RUNTIME_MEMORY_H
#define WARPSTEP_RUNTIME_MEMORY_H

#include <stdatomic.h>

#include "context.h"

#define MEMORY_HOST (UINT32_C(1) << 31)

/* A piece reaches to the next one. Bit d of `valid`: device d of the context holds it; MEMORY_HOST: the host does;
 * 0: never written. */
struct memory_piece {
    size_t begin;
    uint32_t valid;
};

/* A mapping of the application. */
struct memory_mapping {
    struct memory_mapping *next;
    uint8_t *pointer;    /* returned to the application */
    uint8_t *own;        /* NULL if it is the application's own memory */
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
    struct memory *root; /* the buffer that it is a part of; itself for a buffer */
    size_t origin, size;
    cl_mem_flags flags;
    void *host_pointer; /* reported as CL_MEM_HOST_PTR */

    pthread_mutex_t lock; /* protects the members below */
    struct memory_callback *callbacks;
    struct memory_mapping *mappings;
    cl_uint mapping_count;
    /* Only in the root. */
    bool has_address[DEVICES_MAX];
    uint32_t address[DEVICES_MAX];
    struct memory_piece *pieces;
    size_t piece_count, piece_capacity;
    uint8_t *host;
    bool owns_host;
};

enum memory_access {
    MEMORY_READ = 1,
    MEMORY_WRITE = 2,
    MEMORY_WRITE_ALL = 4 | 2, /* writes every byte of the range, so the old contents do not matter */
};

/* Makes bytes of a buffer ready for a command on a device, on its thread: copies them to the device from their
 * holders, and marks what the command will write. Returns CL_COMPLETE, with *address, or an error. */
cl_int memory_prepare(struct memory *m, struct device *d, size_t offset, size_t size, enum memory_access access,
                      uint32_t *address);

/* Checks a handle for a command on a queue of this context. Errors: CL_INVALID_MEM_OBJECT, CL_INVALID_CONTEXT. */
cl_int memory_check_handle(cl_mem handle, const struct context *c, struct memory **m);

/* Returns CL_MISALIGNED_SUB_BUFFER_OFFSET if a sub-buffer begins at an offset that the device does not allow. */
cl_int memory_check_device(const struct memory *m, const struct device *d);

/* Reports an error of an engine to the application. */
cl_int memory_report_error(struct context *c, const struct device *d, const struct diag *diag);

#endif
