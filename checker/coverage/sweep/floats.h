/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of floating point: registers that together hold every pair of classes, and words that read them. */
#ifndef WARPSTEP_SWEEP_FLOATS_H
#define WARPSTEP_SWEEP_FLOATS_H

#include "vary.h"

bool floats_is(size_t row);

/* Fills the banks that registers and operands are loaded from, before the prologue: numbers of single precision in
 * R1..R8, of half precision in both halves of R9..R15. */
void floats_fill(struct program *p);

/* Sets the base's sources that are halves, and appends words for the other pairs of classes. */
void floats_vary(struct program *p, size_t row, struct isa_fields *base);

#endif
