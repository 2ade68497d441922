/* SPDX-License-Identifier: Apache-2.0 */
/* Many operations in double precision and of 64 bits, which call routines, from divergent branches. */
#include "program.h"

NOINLINE double horner(double x, const unsigned *in, int n) {
    double sum = 0.25;
    for (int i = 0; i < n; i++) sum = sum * x + (double)(in[i] & 255) / 16.0;
    return sum;
}

DEVICE unsigned word(unsigned t, const unsigned *in) {
    double a = t * 0.125 - 3.0, b = (double)in[t % WORDS] / 4294967296.0;
    long long n = ((long long)in[1] << 20) - t;
    unsigned long long m = (unsigned long long)in[2] * in[3] + 1;
    for (unsigned i = 0; i < t % 4 + 1; i++) {
        if (a < b)
            a = horner(b, in + i, 3) - a * b;
        else if (t & 2)
            b = a / (b + 1.5) - 0.5;
        else
            a = a * 0.5 + b * b;
        n = n / (long long)(t + 3) - (long long)(m % (in[i] | 1));
        m = m / (i + 2) + (unsigned long long)(a > 0.0 ? a * 1000.0 : 3.0);
        b += (double)(n & 1023) / 512.0;
        if (b > 1000.0 || b < -1000.0) break;
    }
    const double scaled = a * 65536.0;
    return (unsigned)(long long)scaled ^ (unsigned)n ^ (unsigned)(m >> 8) ^ (unsigned)(float)(b * 16.0 < 0 ? -b : b);
}
