/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that threads leave in several ways: break, continue, return, goto two loops out. */
#include "program.h"

NOINLINE unsigned search(unsigned t, const unsigned *in, unsigned *where) {
    for (unsigned i = 0; i < WORDS; i++) {
        if (in[i] % 97 == t % 97) {
            *where = i;
            return 1;
        }
        if (in[i] % 53 == t) return 2;
        if ((in[i] >> 4) % 11 == 3) continue;
        for (unsigned k = i;; k += 3) {
            if (k >= WORDS) break;
            if (in[k] % 89 == t % 41) goto found;
            if (in[k] % 7 == 6) return 3 + k;
            if (k % 5 == t % 5) break;
        }
    }
    return 0;
found:
    *where += 100;
    return 99;
}

DEVICE unsigned word(unsigned t, const unsigned *in) {
    unsigned where = 1000, sum = 0, turns = 0;
    while (turns < 20) {
        const unsigned kind = search(t + turns * 13, in, &where);
        turns++;
        if (kind == 2) continue;
        sum = sum * 7 + kind + where;
        if (kind == 99 && turns > 4) break;
        if (sum % 19 == 4) return sum;
    }
    return sum + turns;
}
