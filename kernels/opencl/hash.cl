// SPDX-License-Identifier: Apache-2.0
// Searches for messages whose SHA-256 (FIPS 180-4) begins with zero bits: `text`, followed by eight hex digits of a
// number. Text and digits take one block, 55 bytes at most. A work item tries `each` numbers and writes the first that
// it finds, or NONE.
__constant uint K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

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
