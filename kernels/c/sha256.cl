// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4) of messages of `length` bytes, a message a work item.
#include "sha256.h"

static uint rotated(uint x, uint n) { return x >> n | x << (32 - n); }

static uint padded(__global const uchar *message, uint length, uint i) {
    return i < length ? message[i] : i == length ? 0x80 : 0;
}

__kernel void sha256(__global const uchar *messages, __global uint *digests, uint count, uint length) {
    for (uint id = get_global_id(0); id < count; id += get_global_size(0)) {
        __global const uchar *message = messages + id * length;
        uint hash[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
        uint next = 0, blocks = (length + 72) / 64;
        do {
            uint w[16], s[8];
            #pragma unroll
            for (uint i = 0; i < 16; i++, next += 4) {
                uint word = padded(message, length, next) << 24 | padded(message, length, next + 1) << 16;
                w[i] = word | padded(message, length, next + 2) << 8 | padded(message, length, next + 3);
            }
            if (--blocks == 0) {
                w[14] = length >> 29;
                w[15] = length << 3;
            }
            for (uint i = 0; i < 8; i++) s[i] = hash[i];
            #pragma unroll 1
            for (uint t = 0; t < 64; t += 16)
                #pragma unroll
                for (uint i = 0; i < 16; i++) {
                    if (t != 0) {
                        uint x = w[(i + 1) & 15], y = w[(i + 14) & 15];
                        w[i] += w[(i + 9) & 15] + (rotated(x, 7) ^ rotated(x, 18) ^ x >> 3) +
                                (rotated(y, 17) ^ rotated(y, 19) ^ y >> 10);
                    }
                    uint t1 = s[7] + w[i] + K[t + i] + (rotated(s[4], 6) ^ rotated(s[4], 11) ^ rotated(s[4], 25)) +
                              (s[6] ^ (s[4] & (s[5] ^ s[6])));
                    uint t2 = (rotated(s[0], 2) ^ rotated(s[0], 13) ^ rotated(s[0], 22)) +
                              ((s[0] & (s[1] ^ s[2])) ^ (s[1] & s[2]));
                    for (uint k = 7; k > 0; k--) s[k] = s[k - 1];
                    s[4] += t1;
                    s[0] = t1 + t2;
                }
            for (uint i = 0; i < 8; i++) hash[i] += s[i];
        } while (blocks != 0);
        for (uint i = 0; i < 8; i++) {
            uint word = hash[i];
            digests[8 * id + i] = word >> 24 | (word >> 8 & 0xff00) | (word << 8 & 0xff0000) | word << 24;
        }
    }
}
