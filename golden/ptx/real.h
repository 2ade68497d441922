/* SPDX-License-Identifier: Apache-2.0 */
/* Floating-point instructions of PTX, as functions of values, and conversions. Special functions are the chip's own,
 * from golden/float/reference.c: call float_reference_open first. */
#ifndef GOLDEN_PTX_REAL_H
#define GOLDEN_PTX_REAL_H

#include "memory.h"
#include "ptx.h"

/* The result of an f32 or f64 instruction whose sources are of its last type; target is 13 for sm_13, where mad.f32
 * truncates its product. The result's `known` excludes bits that the PTX ISA leaves open: the sign and payload of some
 * NaNs. */
struct value real_result(const struct instruction *i, const uint64_t s[4], unsigned target);

/* True if the instruction has .ftz, and the type is f32. */
bool real_flushes(const struct instruction *i, struct type type);

bool real_compare(enum word comparison, uint64_t a, uint64_t b, unsigned bits, bool flush);

/* testp */
bool real_test(const struct instruction *i, uint64_t a);

/* slct by a float: true if c is >= 0, or -0. */
bool real_selects_first(uint64_t c, bool flush);

/* cvt between types, at least one of which is a float. */
struct value real_convert(const struct instruction *i, uint64_t source);

/* True if the PTX ISA gives only an error bound, not the result. */
bool real_is_approximate(const struct instruction *i);

#endif
