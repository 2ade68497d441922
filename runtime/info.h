/* SPDX-License-Identifier: Apache-2.0 */
/* What calls of the kind clGet...Info answer: a value is copied where there is room, and its size is told. */
#ifndef WARPSTEP_RUNTIME_INFO_H
#define WARPSTEP_RUNTIME_INFO_H

#include <stddef.h>

#include "cl.h"

/* What the caller gave: `room` bytes at `value`, which may be NULL, as `size` may. */
struct info {
    size_t room;
    void *value;
    size_t *size;
};

/* CL_INVALID_VALUE where there is a value, and too little room for it. */
cl_int info_bytes(struct info to, const void *bytes, size_t size);
cl_int info_string(struct info to, const char *text); /* NULL: an empty one */
cl_int info_uint(struct info to, cl_uint value);
cl_int info_ulong(struct info to, cl_ulong value);
cl_int info_size(struct info to, size_t value);
cl_int info_pointer(struct info to, const void *value);

/* Where the caller has a place for an error code, it goes there; the result is NULL, for `return info_fail(...)`. */
void *info_fail(cl_int *error_place, cl_int error);

#endif
