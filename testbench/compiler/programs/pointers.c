/* SPDX-License-Identifier: Apache-2.0 */
/* Pointers to private arrays, to input and to constants: stored in memory, selected by thread, returned by functions,
 * in structures passed by value. */
#include "program.h"

struct pair {
    unsigned *own;
    const unsigned *in;
    unsigned size;
    char name[6];
    short weight[3];
};

NOINLINE const unsigned *choose(const unsigned *a, const unsigned *b, unsigned which) { return which & 1 ? a : b; }

NOINLINE unsigned total(struct pair p, unsigned from) {
    unsigned sum = 0;
    p.name[from % 5] ^= 3;
    for (unsigned i = from; i < p.size; i++) sum += *choose(&p.own[i], &p.in[i], i ^ from) * (unsigned)p.weight[i % 3];
    for (unsigned i = 0; i < 5; i++) sum = sum * 3 + (unsigned)(unsigned char)p.name[i];
    return sum;
}

/* Only reads its parameter, so that clang makes no copy and uses the address of the parameter itself. */
NOINLINE unsigned pick(struct pair p, unsigned i) {
    return (unsigned)(p.name[i % 5] * 7 + p.weight[i % 3]) + p.size + p.in[i % 8];
}

NOINLINE void swap(unsigned *a, unsigned *b) {
    const unsigned kept = *a;
    *a = *b;
    *b = kept;
}

NOINLINE struct pair make(unsigned *own, const unsigned *in, unsigned t) {
    struct pair p = {
        own, in, 8 + t % 8, {1,  2, 3, 4, 5},
               {-1, 2,  (short)(t * 300) }
    };
    return p;
}

DEVICE unsigned word(unsigned t, const unsigned *in) {
    unsigned own[16], other[4] = {t, 2, 3, 4};
    const unsigned *list[4] = {in, own, other, in + 8};
    unsigned *last = own;
    for (unsigned i = 0; i < 16; i++) own[i] = in[(t + i) % WORDS] ^ i;
    for (unsigned i = 0; i < 15; i++)
        if (own[i] > own[i + 1]) swap(&own[i], &own[i + 1]);
    for (unsigned i = 0; i < t % 16; i++) *last++ += i;
    struct pair p = make(own, in, t);
    unsigned sum = total(p, t % 5) + (unsigned)p.name[2] + (unsigned)(last - own);
    for (unsigned i = 0; i < 8; i++) sum = sum * 5 + list[(t + i) % 4][(i + t) % 4];
    struct pair *q = t & 2 ? &p : 0;
    if (q) sum += q->own[3];
    for (unsigned i = 0; i < t % 4; i++) sum = sum * 3 + pick(p, i + t);
    return sum;
}
