/* SPDX-License-Identifier: Apache-2.0 */
/* Switches with many cases: dense, sparse, in a loop, with fall-through. */
#include "program.h"

NOINLINE unsigned step(unsigned op, unsigned a, unsigned b) {
    switch (op) {
    case 0: return a + b;
    case 1: return a - b;
    case 2: return a * b;
    case 3: return b != 0 ? a / b : 0;
    case 4: return a << (b & 31);
    case 5: return a >> (b & 31);
    case 6: return a & b;
    case 7: a ^= 0x55; /* fall through */
    case 8: return a | b;
    case 9: return ~a;
    case 10: return a == b;
    case 11: return b != 0 ? a % b : 7;
    case 12: return a > b ? a : b;
    case 100: return 1;
    case 1000: return 2;
    case 0x7fffffff: return 3;
    case 0x80000000: return 4;
    default: return a ^ b;
    }
}

DEVICE unsigned word(unsigned t, const unsigned *in) {
    unsigned a = t, b = in[t % WORDS];
    for (unsigned i = 0; i < 24; i++) {
        const unsigned op = (in[i] + t) % 17;
        const unsigned next = step(op == 13 ? 100 : op == 14 ? 1000 : op == 15 ? 0x80000000 : op, a, b);
        switch ((next ^ i) % 6) {
        case 0:
            b = a;
            a = next;
            break;
        case 1: b += next; break;
        case 2: a = next; continue;
        case 4:
            a ^= next;
            b++;
            break;
        case 5: a = b;
        }
        if (a == b) b ^= i;
    }
    return a * 3 + b;
}
