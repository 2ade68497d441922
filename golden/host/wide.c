/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the reference for the kernels of kernels/wide/, with GMP. Numbers have N words each, the lowest first; a
 * file holds any number of them, a result for each of the first file's.
 *
 *     wide multiply-word N WORDS NUMBERS > PRODUCTS          N + 1 words each
 *     wide multiply N A B > PRODUCTS                         2 N words each
 *     wide montgomery N A B M > PRODUCTS                     a b / 2^(32 N) modulo m, an odd number
 *     wide power N BASES EXPONENT M > POWERS                 the exponent is a number of any length
 *     wide odd NUMBER > ODD                                  its lowest bit set */
// link: -lgmp
#include <gmp.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"

struct file {
    uint8_t *bytes;
    size_t size;
};

static struct file read_file(int argc, char **argv, int index) {
    struct file f = {NULL, 0};
    if (index >= argc) exit(2);
    f.bytes = read_bytes(argv[index], 0, &f.size);
    return f;
}

/* The i-th number of `words` words. */
static void load_number(mpz_t number, struct file f, size_t i, size_t words) {
    if ((i + 1) * words * 4 > f.size) exit(2);
    mpz_import(number, words, -1, 4, -1, 0, f.bytes + i * words * 4);
}

static void write_number(const mpz_t number, size_t words) {
    uint8_t *bytes = allocate(4 * words);
    mpz_export(bytes, NULL, -1, 4, -1, 0, number);
    write_bytes(bytes, 4 * words);
    free(bytes);
}

static void write_products(struct file a, size_t a_words, struct file b, size_t b_words) {
    mpz_t x, y;
    mpz_inits(x, y, NULL);
    for (size_t i = 0; (i + 1) * a_words * 4 <= a.size; i++) {
        load_number(x, a, i, a_words);
        load_number(y, b, i, b_words);
        mpz_mul(x, x, y);
        write_number(x, a_words + b_words);
    }
    mpz_clears(x, y, NULL);
}

static void write_montgomery_products(struct file a, struct file b, const mpz_t m, size_t words) {
    mpz_t x, y, inverse;
    mpz_inits(x, y, inverse, NULL);
    mpz_setbit(inverse, 32 * words);
    if (mpz_invert(inverse, inverse, m) == 0 && mpz_cmp_ui(m, 1) != 0) exit(2);
    for (size_t i = 0; (i + 1) * words * 4 <= a.size; i++) {
        load_number(x, a, i, words);
        load_number(y, b, i, words);
        mpz_mul(x, x, y);
        mpz_mul(x, x, inverse);
        mpz_mod(x, x, m);
        write_number(x, words);
    }
    mpz_clears(x, y, inverse, NULL);
}

static void write_powers(struct file bases, struct file exponent, const mpz_t m, size_t words) {
    mpz_t x, e;
    mpz_inits(x, e, NULL);
    mpz_import(e, exponent.size / 4, -1, 4, -1, 0, exponent.bytes);
    for (size_t i = 0; (i + 1) * words * 4 <= bases.size; i++) {
        load_number(x, bases, i, words);
        mpz_powm(x, x, e, m);
        write_number(x, words);
    }
    mpz_clears(x, e, NULL);
}

static void write_modular(int argc, char **argv, struct file a, struct file b, size_t words) {
    struct file modulus = read_file(argc, argv, 5);
    mpz_t m;
    mpz_init(m);
    load_number(m, modulus, 0, words);
    if (strcmp(argv[1], "power") == 0)
        write_powers(a, b, m, words);
    else
        write_montgomery_products(a, b, m, words);
    mpz_clear(m);
    free(modulus.bytes);
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    if (strcmp(argv[1], "odd") == 0) {
        struct file number = read_file(argc, argv, 2);
        if (number.size > 0) number.bytes[0] |= 1;
        write_bytes(number.bytes, number.size);
        free(number.bytes);
        return 0;
    }
    const size_t words = number_arg(argc, argv, 2, "N", 1, 65535);
    struct file a = read_file(argc, argv, 3), b = read_file(argc, argv, 4);
    if (strcmp(argv[1], "multiply-word") == 0)
        write_products(a, 1, b, words);
    else if (strcmp(argv[1], "multiply") == 0)
        write_products(a, words, b, words);
    else
        write_modular(argc, argv, a, b, words);
    free(a.bytes);
    free(b.bytes);
    return 0;
}
