/* SPDX-License-Identifier: Apache-2.0 */
/* Names and types of a kernel's arguments, which PTX lacks, from the LLVM text of driver_read_ir.
 *
 *     struct describe_list names;
 *     if (describe_arguments(ir, "saxpy", DESCRIBE_NAME, &names)) ... names.texts[0] ... "y"
 *     describe_release(&names);
 */
#ifndef WARPSTEP_CC_DESCRIBE_H
#define WARPSTEP_CC_DESCRIBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum describe_property {
    DESCRIBE_NAME,      /* name of each argument */
    DESCRIBE_TYPE,      /* "float*"; OpenCL C only */
    DESCRIBE_QUALIFIER, /* "restrict const"; OpenCL C only */
};

struct describe_list {
    char **texts;
    size_t count;
};

/* Reads one property of all arguments of the kernel with this PTX name. Missing data give an empty list. Returns
 * false if memory is exhausted. */
bool describe_arguments(const char *ir, const char *kernel, enum describe_property property,
                        struct describe_list *list);

/* Reads reqd_work_group_size of OpenCL C; leaves `block` unchanged if the kernel has none. */
void describe_block(const char *ir, const char *kernel, uint32_t block[3]);
/* Writes the hints of an OpenCL C kernel, as in "vec_type_hint(float4) work_group_size_hint(64,1,1)". Truncates them
 * to the room. */
void describe_hints(const char *ir, const char *kernel, char *text, size_t room);
void describe_release(struct describe_list *list);

#endif
