/* SPDX-License-Identifier: Apache-2.0 */
/* Floating-point instructions of PTX, from values alone, and conversions. Special functions are the chip's own, by
 * golden/float/reference.c: float_reference_open comes before them. */
#ifndef GOLDEN_PTX_REAL_H
#define GOLDEN_PTX_REAL_H

#include "memory.h"
#include "ptx.h"

/* Of an f32 or f64 instruction whose sources are of its last type; target is 13 of sm_13, where mad.f32 truncates its
 * product. The result's `known` leaves out what the PTX ISA leaves open: the sign and payload of some NaN. */
struct value real_result(const struct instruction *i, const uint64_t s[4], unsigned target);

/* The instruction has .ftz, and the type is f32. */
bool real_flushes(const struct instruction *i, struct type type);

bool real_compare(enum word comparison, uint64_t a, uint64_t b, unsigned bits, bool flush);

/* testp */
bool real_test(const struct instruction *i, uint64_t a);

/* slct by a float: is c >= 0, or -0? */
bool real_selects_first(uint64_t c, bool flush);

/* cvt between types of which one at least is a float. */
struct value real_convert(const struct instruction *i, uint64_t source);

/* The PTX ISA gives a bound of the error, not the result. */
bool real_is_approximate(const struct instruction *i);

#endif
