/* SPDX-License-Identifier: Apache-2.0 */
/* Duff's device: jumps into a loop, to a different place for each thread. */
#include "program.h"

DEVICE unsigned word(unsigned t, const unsigned *in) {
    unsigned sum = t, i = 0, turns = (t % 23 + 8) / 8;
    switch (t % 8) {
    case 0: do { sum = sum * 31 + in[i++ % WORDS];
        case 7: sum ^= in[i++ % WORDS] + 7;
        case 6: sum += in[i++ % WORDS] >> 3;
        case 5: sum = (sum << 5 | sum >> 27) + in[i++ % WORDS];
        case 4: sum -= in[i++ % WORDS];
        case 3: sum ^= in[i++ % WORDS] << 2;
        case 2: sum += 3;
        case 1: sum = sum * 5 + in[i++ % WORDS];
        } while (--turns > 0);
    }
    return sum ^ i;
}
