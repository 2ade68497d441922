/* SPDX-License-Identifier: Apache-2.0 */
/* Results of clGet...Info: copies a value if there is room, and returns its size. */
#ifndef WARPSTEP_RUNTIME_INFO_H
#define WARPSTEP_RUNTIME_INFO_H

#include <stddef.h>

#include "cl.h"

/* Output arguments of the caller: `room` bytes at `value`; `value` and `size` may be NULL. */
struct info {
    size_t room;
    void *value;
    size_t *size;
};

/* CL_INVALID_VALUE if there is a value, and the room is too small for it. */
cl_int info_bytes(struct info to, const void *bytes, size_t size);
cl_int info_string(struct info to, const char *text); /* NULL is an empty text */
cl_int info_uint(struct info to, cl_uint value);
cl_int info_ulong(struct info to, cl_ulong value);
cl_int info_size(struct info to, size_t value);
cl_int info_pointer(struct info to, const void *value);

/* Sets the caller's error code unless error_place is NULL. Returns NULL, for `return info_fail(...)`. */
void *info_fail(cl_int *error_place, cl_int error);

#endif
