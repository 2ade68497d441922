/* SPDX-License-Identifier: Apache-2.0 */
/* goto into loops and out of several: irreducible control flow, with divergent targets. */
#include "program.h"

DEVICE unsigned word(unsigned t, const unsigned *in) {
    unsigned a = in[t % WORDS], n = 0, steps = 0;
    if (t & 1) goto second;
    if (t % 5 == 2) goto third;
first:
    a = a * 3 + 1;
    if (++steps > 60) goto out;
    if (a & 4) goto third;
second:
    n += a & 15;
    if (++steps > 50 + t % 7) goto out;
    if (a & 8) {
        a >>= 1;
        goto first;
    }
    a ^= in[n % WORDS];
third:
    a += n;
    if (++steps > 55) goto out;
    if (a % 3 == 0) goto first;
    for (unsigned i = 0; i < t % 4; i++) {
        a += i;
        if ((a & 63) == 17) goto second;
        if ((a & 63) == 18) goto inner;
    }
    goto second;
    for (; n < 1000; n += 100) {
    inner:
        a ^= n << 3;
        if (++steps > 70) goto out;
    }
    goto first;
out:
    return a ^ n << 16 ^ steps << 24;
}
