/* SPDX-License-Identifier: Apache-2.0 */
/* Rotations in clang's PTX: where a target has no funnel shift, LLVM writes
 *
 *     shl.b32 %lhs, A, N;  sub.s32 %amt2, 32, N;  shr.b32 %rhs, A, %amt2;  add.u32 D, %lhs, %rhs;
 *
 * which is wrong if N is 32 or more, because PTX shifts then give 0. N is masked first.
 *
 * LLVM 14 also writes the shift of a sign-extended word by 31 as a product by -2^31, which has the wrong sign, and the
 * shift of a half by 15 likewise. It writes no other product by these numbers. */
#ifndef WARPSTEP_CC_DRIVER_ROTATE_H
#define WARPSTEP_CC_DRIVER_ROTATE_H

#include <stdbool.h>
#include <stddef.h>

/* Corrects both. Replaces *text, which the caller frees. Returns false, with *text NULL, if memory is exhausted. */
bool driver_mask_rotations(char **text, size_t *size);

#endif
