/* SPDX-License-Identifier: Apache-2.0 */
/* Deeply nested functions with divergent loops and branches around each call: entries of the warp stack. */
#include "program.h"

#define LEVEL(n, next)                                                       \
    NOINLINE unsigned level##n(unsigned a, unsigned t, const unsigned *in) { \
        unsigned sum = a;                                                    \
        for (unsigned i = 0; i < (t >> (n)&1) + 1; i++) {                    \
            if ((a ^ i) & 1) {                                               \
                if (a & 2) {                                                 \
                    if (t & 8)                                               \
                        sum += next(sum + i, t + (n), in);                   \
                    else                                                     \
                        sum ^= in[(sum + i) % WORDS];                        \
                } else if (t & 4) {                                          \
                    sum = sum * 3 + (n);                                     \
                    if (sum % 5 == 1) return sum;                            \
                }                                                            \
                if (sum % 13 == (n)) break;                                  \
            } else {                                                         \
                sum += next(sum ^ (n), t * 3 + i, in);                       \
            }                                                                \
        }                                                                    \
        return sum;                                                          \
    }

NOINLINE unsigned leaf(unsigned a, unsigned t, const unsigned *in) {
    unsigned n = 0;
    while (a > 3 && n < t % 9) {
        a = a & 1 ? a * 3 + 1 : a >> 1;
        n++;
        if (a % 17 == 5) return a + in[n % WORDS];
    }
    return a ^ n;
}
LEVEL(0, leaf)
LEVEL(1, level0)
LEVEL(2, level1)
LEVEL(3, level2)
LEVEL(4, level3)
LEVEL(5, level4)
LEVEL(6, level5)
LEVEL(7, level6)
LEVEL(8, level7)
LEVEL(9, level8)
LEVEL(10, level9)
LEVEL(11, level10)

DEVICE unsigned word(unsigned t, const unsigned *in) { return level11(in[t % WORDS], t, in) + level10(t, t, in); }
