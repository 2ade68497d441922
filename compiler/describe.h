/* SPDX-License-Identifier: Apache-2.0 */
/* Names and types of a kernel's arguments, which PTX has not: from the text of LLVM that driver_read_ir gives.
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

enum describe_what {
    DESCRIBE_NAME,      /* of each argument */
    DESCRIBE_TYPE,      /* "float*"; OpenCL C alone */
    DESCRIBE_QUALIFIER, /* "restrict const"; likewise */
};

struct describe_list {
    char **texts;
    size_t count;
};

/* Of the kernel with this name in PTX. False where memory is out; what is not there is an empty list. */
bool describe_arguments(const char *ir, const char *kernel, enum describe_what what, struct describe_list *list);

/* reqd_work_group_size of OpenCL C; unchanged where the kernel has none. */
void describe_block(const char *ir, const char *kernel, uint32_t block[3]);
/* "vec_type_hint(float4) work_group_size_hint(64,1,1)": the hints that the kernel has of these, in OpenCL C; cut where
 * the room ends. */
void describe_hints(const char *ir, const char *kernel, char *text, size_t room);
void describe_release(struct describe_list *list);

#endif
