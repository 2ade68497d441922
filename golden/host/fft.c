/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the reference for kernels/apps/fft.sass: the Fourier transform of each run of COUNT points, divided by
 * COUNT. A point is a word, real part in the low half, imaginary part in the high half, both with 15 fraction bits.
 * Each stage halves; lost bits round down, overflows wrap.
 *
 *     fft COUNT < POINTS > SPECTRA
 *     fft COUNT twiddles > TABLE      the COUNT / 2 factors exp(-2 pi i k / COUNT), for the kernel's constants */
#include <math.h>
#include <stdlib.h>

#include "bytes.h"

struct point {
    int32_t re, im;
};

static int32_t half_of(uint32_t word) { return (int32_t)(int16_t)(word & 0xffff); }

/* floor(v / 2^bits) */
static int32_t shift_down(int32_t v, unsigned bits) {
    const int32_t unit = (int32_t)1 << bits;
    return v >= 0 ? v / unit : -((unit - 1 - v) / unit);
}

static struct point factor(size_t k, size_t count) {
    const double angle = -2.0 * 3.14159265358979323846 * (double)k / (double)count;
    return (struct point){(int32_t)lround(cos(angle) * 32767.0), (int32_t)lround(sin(angle) * 32767.0)};
}

static int32_t halved(int32_t v) { return half_of((uint32_t)shift_down(v, 1)); }

/* out[0..count) = transform of in[0], in[step], in[2 * step] ... */
static void transform(const struct point *in, size_t step, struct point *out, size_t count) {
    if (count == 1) {
        out[0] = in[0];
        return;
    }
    const size_t half = count / 2;
    transform(in, 2 * step, out, half);
    transform(in + step, 2 * step, out + half, half);
    for (size_t k = 0; k < half; k++) {
        const struct point w = factor(k, count);
        const struct point a = out[k];
        const struct point b = out[k + half];
        const int32_t re = shift_down(w.re * b.re - w.im * b.im, 15);
        const int32_t im = shift_down(w.re * b.im + w.im * b.re, 15);
        out[k] = (struct point){halved(a.re + re), halved(a.im + im)};
        out[k + half] = (struct point){halved(a.re - re), halved(a.im - im)};
    }
}

static uint32_t to_word(struct point p) { return ((uint32_t)p.re & 0xffff) | (uint32_t)p.im << 16; }

static void write_factors(size_t count) {
    uint8_t *table = allocate(count * 2);
    for (size_t k = 0; k < count / 2; k++) store_word(table, k, to_word(factor(k, count)));
    write_bytes(table, count * 2);
    free(table);
}

int main(int argc, char **argv) {
    const size_t count = number_arg(argc, argv, 1, "COUNT", 2, 4096);
    if (argc > 2) {
        write_factors(count);
        return 0;
    }
    size_t size = 0;
    uint8_t *words = read_bytes("-", 0, &size);
    struct point *in = allocate(count * sizeof *in);
    struct point *out = allocate(count * sizeof *out);
    for (size_t first = 0; first + count <= size / 4; first += count) {
        for (size_t i = 0; i < count; i++) {
            const uint32_t word = load_word(words, first + i);
            in[i] = (struct point){half_of(word), half_of(word >> 16)};
        }
        transform(in, 1, out, count);
        for (size_t i = 0; i < count; i++) store_word(words, first + i, to_word(out[i]));
    }
    write_bytes(words, size);
    free(in);
    free(out);
    free(words);
    return 0;
}
