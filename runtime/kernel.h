/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels with their arguments. */
#ifndef WARPSTEP_RUNTIME_KERNEL_H
#define WARPSTEP_RUNTIME_KERNEL_H

#include "memory.h"
#include "program.h"

struct kernel_argument {
    bool is_set;
    cl_mem memory;      /* for a pointer to global memory; may be NULL */
    size_t local_bytes; /* for a pointer to local memory */
};

struct kernel {
    struct object object;
    struct program *program;
    struct code *code; /* of one device; launches on other devices need the same arguments */
    const struct code_kernel *about;

    pthread_mutex_t lock; /* protects the members below */
    struct kernel_argument *arguments;
    uint8_t *values; /* parameters, about->parameter_bytes; pointers are 0 */
};

#endif
