/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the reference for kernels/apps/fft-float.sass: the Fourier transform of each run of COUNT points, in single
 * precision. A point is two numbers, real and imaginary part.
 *
 *     fft-float COUNT < POINTS > SPECTRA */
#include <stdlib.h>

#include "bytes.h"
#include "real.h"

struct point {
    struct real re, im;
};

/* exp(-pi i k / half) */
static struct point factor(size_t k, size_t half) {
    const struct real step = real_mul(real_constant(-3.14159265358979323846), real_constant(1.0 / (double)half));
    const struct real angle = real_mul(real_constant((double)k), step);
    return (struct point){real_cos(angle), real_sin(angle)};
}

/* a b - c d and a b + c d: the second product is rounded, the first one truncated. */
static struct real difference(struct real a, struct real b, struct real c, struct real d) {
    return real_mad(a, b, real_negate(real_mul(c, d)));
}
static struct real sum(struct real a, struct real b, struct real c, struct real d) {
    return real_mad(a, b, real_mul(c, d));
}

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
        const struct point w = factor(k, half), a = out[k], b = out[k + half];
        const struct real re = difference(w.re, b.re, w.im, b.im);
        const struct real im = sum(w.re, b.im, w.im, b.re);
        out[k] = (struct point){real_add(a.re, re), real_add(a.im, im)};
        out[k + half] = (struct point){real_add(a.re, real_negate(re)), real_add(a.im, real_negate(im))};
    }
}

int main(int argc, char **argv) {
    const size_t count = number_arg(argc, argv, 1, "COUNT", 2, 4096);
    real_open();
    size_t size = 0;
    uint8_t *words = read_bytes("-", 0, &size);
    struct point *in = allocate(count * sizeof *in);
    struct point *out = allocate(count * sizeof *out);
    double worst = 0;
    for (size_t first = 0; first + count <= size / 8; first += count) {
        for (size_t i = 0; i < count; i++) {
            const size_t at = 2 * (first + i);
            in[i] = (struct point){real_of(load_word(words, at)), real_of(load_word(words, at + 1))};
        }
        transform(in, 1, out, count);
        for (size_t i = 0; i < count; i++) {
            real_store(words, 2 * (first + i), out[i].re, &worst);
            real_store(words, 2 * (first + i) + 1, out[i].im, &worst);
        }
    }
    write_bytes(words, size);
    real_report("fft-float", worst);
    free(in);
    free(out);
    free(words);
    return 0;
}
