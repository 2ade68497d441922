/* SPDX-License-Identifier: Apache-2.0 */
/* Double precision with the rarer rounding modes: the mode is an argument. */
#define ROUTINE static inline __attribute__((unused))
#include "double.c"
#ifndef ROUTINE_TO
#define ROUTINE_TO extern __attribute__((noinline, used))
#endif

ROUTINE_TO u64 __add64_to(enum mode mode, u64 a, u64 b) { return sum(mode, a, b); }
ROUTINE_TO u64 __sub64_to(enum mode mode, u64 a, u64 b) { return __add64_to(mode, a, is_nan(b) ? b : b ^ SIGN); }
ROUTINE_TO u64 __mul64_to(enum mode mode, u64 a, u64 b) { return product(mode, a, b); }
ROUTINE_TO u64 __div64_to(enum mode mode, u64 a, u64 b) { return quotient(mode, a, b); }
ROUTINE_TO u64 __sqrt64_to(enum mode mode, u64 a) { return root(mode, a); }
ROUTINE_TO u64 __fma64_to(enum mode mode, u64 a, u64 b, u64 c) { return fused(mode, a, b, c); }
