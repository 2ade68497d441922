/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that call functions, from divergent branches and loops: values of all kinds live across the calls, results
 * of 64 bits and more, many arguments, one function called in a hundred places. */
#include "program.h"

struct four {
    unsigned a, b, c, d;
};

NOINLINE unsigned mix(unsigned a, unsigned b) {
    for (unsigned i = 0; i < (b & 3) + 1; i++) a = (a ^ b >> i) * 0x9e3779b1u + (a << 6 | a >> 26);
    return a ^ a >> 15;
}

NOINLINE unsigned long long wide(unsigned long long a, unsigned b) {
    if (b & 1) return a * 3 + b;
    return (a >> (b & 31)) ^ mix((unsigned)a, b);
}

NOINLINE struct four turn(struct four x, unsigned by) {
    while (by-- > 0) {
        const unsigned kept = x.a;
        x.a = mix(x.b, by);
        x.b = x.c + x.d;
        x.c = x.d ^ kept;
        x.d = kept;
    }
    return x;
}

NOINLINE unsigned many(unsigned a, unsigned b, unsigned c, unsigned d, unsigned e, unsigned f, unsigned g, unsigned h,
                       unsigned i, unsigned j, unsigned k, unsigned l, unsigned m, unsigned n, unsigned o, unsigned p,
                       unsigned q, unsigned r) {
    if (a > b) return mix(a + c, d) + e * f - g;
    return (h ^ i) + j * k + (l << (m & 7)) - n + o * 3 + p + q * r;
}

NOINLINE void store(unsigned *to, unsigned value) {
    if (value & 1) *to = mix(value, *to);
}

NOINLINE float scaled(float x, float y, int n) {
    for (int i = 0; i < n; i++) x = x * 0.5f + y / (x + 3.0f);
    return x > 100.0f ? 100.0f : x;
}

#define EIGHT(x) x(0) x(1) x(2) x(3) x(4) x(5) x(6) x(7)
#define TURN(n)                                            \
    if ((sum >> (n)) & 1)                                  \
        sum = mix(sum, in[(n) + (t & 7)]) + mix(in[n], t); \
    else                                                   \
        s.a += mix(sum + (n), s.b);

DEVICE unsigned word(unsigned t, const unsigned *in) {
    unsigned sum = t * 77, kept[3] = {1, t, 2};
    struct four s = {in[0], in[1], t, in[t % WORDS]};
    for (unsigned i = 0; i < t % 5 + 3; i++) {
        EIGHT(TURN)
        if (sum % 3 == 0) s = turn(s, t % 3 + i);
        if (sum % 7 == 5) break;
        store(&kept[i % 3], sum ^ s.c);
        EIGHT(TURN)
        unsigned long long w = wide((unsigned long long)sum << 32 | s.d, i + t);
        w = wide(w, (unsigned)(w >> 40));
        sum += (unsigned)(w >> 32) ^ (unsigned)w;
        if (t & 4) sum ^= many(sum, s.a, s.b, s.c, s.d, 1, 2, t, i, 3, 4, kept[0], kept[1], kept[2], 5, 6, 7, 8);
    }
    const float f = scaled((float)(sum & 1023), (float)(t + 1), (int)(t % 6));
    return sum + (unsigned)f + kept[0] + kept[1] * 3 + s.a + s.d;
}
