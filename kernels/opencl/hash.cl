// SPDX-License-Identifier: Apache-2.0
// Searches for messages whose SHA-256 (FIPS 180-4) begins with zero bits: `text`, followed by eight hex digits of a
// number. Text and digits take one block, 55 bytes at most. A work item tries `each` numbers and writes the first that
// it finds, or NONE.
#include "sha256.h"

#define SIGMA(x, a, b, c) (rotate(x, 32u - a) ^ rotate(x, 32u - b) ^ rotate(x, 32u - c))
#define NONE 0xffffffff

// The first word of the hash of one block.
static uint first_word(uint w[16]) {
    uint a = 0x6a09e667, b = 0xbb67ae85, c = 0x3c6ef372, d = 0xa54ff53a;
    uint e = 0x510e527f, f = 0x9b05688c, g = 0x1f83d9ab, h = 0x5be0cd19;
    for (uint t = 0; t < 64; t++) {
        if (t >= 16) {
            uint x = w[(t + 1) & 15], y = w[(t + 14) & 15];
            w[t & 15] += (rotate(x, 25u) ^ rotate(x, 14u) ^ x >> 3) + w[(t + 9) & 15] +
                         (rotate(y, 15u) ^ rotate(y, 13u) ^ y >> 10);
        }
        uint t1 = h + SIGMA(e, 6, 11, 25) + bitselect(g, f, e) + K[t] + w[t & 15];
        uint t2 = SIGMA(a, 2, 13, 22) + bitselect(a, b, a ^ c);
        h = g, g = f, f = e, e = d + t1;
        d = c, c = b, b = a, a = t1 + t2;
    }
    return a + 0x6a09e667;
}

__kernel void search(__constant uchar *text, uint length, uint bits, uint each, __global uint *found) {
    uint item = get_global_id(0), first = item * each, hit = NONE;
    for (uint number = first; number < first + each && hit == NONE; number++) {
        uint w[16];
        for (uint i = 0; i < 16; i++) {
            uint word = 0;
            for (uint at = 4 * i; at < 4 * i + 4; at++) {
                uchar byte = at == length + 8 ? 0x80 : 0;
                if (at < length) byte = text[at];
                else if (at < length + 8) byte = "0123456789abcdef"[number >> 4 * (length + 7 - at) & 15];
                word = word << 8 | byte;
            }
            w[i] = word;
        }
        w[15] = 8 * (length + 8);
        if (clz(first_word(w)) >= bits) hit = number;
    }
    found[item - get_global_offset(0)] = hit;
}
