/* SPDX-License-Identifier: Apache-2.0 */
/* Rotations in clang's PTX: where a target has no funnel shift, LLVM writes
 *
 *     shl.b32 %lhs, A, N;  sub.s32 %amt2, 32, N;  shr.b32 %rhs, A, %amt2;  add.u32 D, %lhs, %rhs;
 *
 * and forgets that N may be 32 or more, where PTX shifts give 0. A mask of N in front makes it right.
 *
 * LLVM 14 also writes the shift of a sign-extended word by 31 as a product by -2^31, which has the wrong sign; so for
 * halves and 15. It never writes another product by that number. */
#ifndef WARPSTEP_CC_DRIVER_ROTATE_H
#define WARPSTEP_CC_DRIVER_ROTATE_H

#include <stdbool.h>
#include <stddef.h>

/* Both are put right. *text is freed, and replaced by one that is to be freed. False: memory is out, and *text NULL. */
bool driver_mask_rotations(char **text, size_t *size);

#endif
