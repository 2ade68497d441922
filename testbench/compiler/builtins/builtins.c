/* SPDX-License-Identifier: Apache-2.0 */
/* OpenCL's built-in functions, from tables: writes kernels that call them, and compares the results.
 *
 *     builtins write TYPE WIDTH SEED DIR     DIR/k.cl, of kernels k0, k1, ..., each for some functions, eight of them
 *                                            for each value of PART; operands in DIR/bits and DIR/reals; prints
 *                                            threads, bytes of the result, kernels
 *     builtins check TYPE WIDTH DIR K        compares DIR/z, of kernel K: a line for each function that differs, and
 *                                            the end the number of compared functions; exits 1 if one differs */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"

const struct type TYPES[TYPE_COUNT] = {
    {"char",   1, true,  false},
    {"uchar",  1, false, false},
    {"short",  2, true,  false},
    {"ushort", 2, false, false},
    {"int",    4, true,  false},
    {"uint",   4, false, false},
    {"long",   8, true,  false},
    {"ulong",  8, false, false},
    {"float",  4, true,  true },
};
static const char LETTERS[] = "cCsSiIlLf";

enum {
    COMPONENTS = 512, /* of an operand or result */
    SLOT = 8 * COMPONENTS,
    KERNELS_OF_PART = 8 /* compiled with the same PART: the machine has 256 KB of code */
};

struct value value_of(int64_t s) {
    return (struct value){.s = s, .u = (uint64_t)s, .r = (real)s};
}
struct value value_of_real(real r) {
    return (struct value){.r = r};
}

void add_row(struct builtins *all, struct builtin row) {
    struct builtin *rows = realloc(all->rows, (all->count + 1) * sizeof *rows);
    if (rows == NULL) abort();
    rows[all->count] = row;
    all->rows = rows;
    all->count++;
}

unsigned type_of(const struct call *c, char letter) {
    const unsigned t = c->type;
    switch (letter) {
    case 'T':
    case 't': return t;
    case 'U':
    case 'u': return t == FLOAT ? UINT : t | 1;
    case 'S':
    case 's': return t == FLOAT ? INT : t & ~1u;
    case 'B': return c->width == 1 || t == FLOAT ? INT : t & ~1u;
    case 'D': return t + 2;
    case 'I':
    case 'i': return INT;
    case 'H': return USHORT;
    case 'R': return c->builtin->to;
    default: return FLOAT;
    }
}

static bool is_scalar(char letter) { return letter >= 'a' && letter <= 'z'; }
static unsigned stride(unsigned width) { return width == 3 ? 4 : width; }
static unsigned thread_count(unsigned width) { return COMPONENTS / stride(width); }

static bool has_row(const struct builtin *b, unsigned type, unsigned width) {
    return strchr(b->types, LETTERS[type]) != NULL && width >= b->least_width &&
           (b->most_width == 0 || width <= b->most_width) && !(width == 3 && b->is_of_powers);
}

/* ---- kernels ---- */

static void write_type(FILE *out, const struct call *c, char letter) {
    fputs(TYPES[type_of(c, letter)].name, out);
    if (!is_scalar(letter) && c->width > 1) fprintf(out, "%u", c->width);
}

static void write_text(FILE *out, const struct call *c, const char *text) {
    for (; *text != '\0'; text++) {
        if (*text != '$') {
            fputc(*text, out);
            continue;
        }
        text++;
        if (*text == 'w') {
            if (c->width > 1) fprintf(out, "%u", c->width);
        } else if (*text == 'p') {
            fprintf(out, "%u", stride(c->width) - c->width);
        } else {
            write_type(out, c, *text);
        }
    }
}

static void write_row(FILE *out, const struct call *c, unsigned slot) {
    const struct builtin *b = c->builtin;
    const size_t count = strlen(b->signature) - 1;
    fputs("    {\n", out);
    for (size_t i = 0; i < count; i++) {
        const char letter = b->signature[1 + i], name = "xyw"[i];
        const char *pool = TYPES[type_of(c, letter)].is_real ? "reals" : "bits";
        fprintf(out, "        __global const %s *p%c = (__global const %s *)(%s + %zu); const ",
                TYPES[type_of(c, letter)].name, name, TYPES[type_of(c, letter)].name, pool, i * SLOT);
        write_type(out, c, letter);
        fprintf(out, " %c = ((__global const ", name);
        write_type(out, c, letter);
        fprintf(out, " *)p%c)[i];\n", name);
    }
    const char *result = TYPES[type_of(c, b->signature[0])].name;
    fprintf(out, "        __global %s *pz = (__global %s *)(z + %u); __global ", result, result, slot * SLOT);
    write_type(out, c, b->signature[0]);
    fputs(" *out = (__global ", out);
    write_type(out, c, b->signature[0]);
    fputs(" *)pz + i;\n        ", out);
    if (b->text == NULL)
        fprintf(out, "*out = %s(%.*s)", b->name, (int)(3 * count - 2), "x, y, w");
    else if (b->text[0] == '!')
        write_text(out, c, b->text + 1);
    else
        fputs("*out = ", out), write_text(out, c, b->text);
    fputs(";\n    }\n", out);
}

/* The number of rows that fit into a kernel. */
static unsigned rows_of_kernel(unsigned width) { return width >= 8 ? 2 : 16 / width; }

static unsigned write_kernels(FILE *out, const struct builtins *all, unsigned type, unsigned width) {
    unsigned count = 0;
    for (size_t i = 0; i < all->count; i++) {
        const struct call c = {&all->rows[i], type, width};
        if (!has_row(c.builtin, type, width)) continue;
        const unsigned slot = count % rows_of_kernel(width);
        if (slot == 0)
            fprintf(out,
                    "%s#if PART == %u\n__kernel void k%u(__global char *z, __global const char *bits, __global const "
                    "char *reals) {\n"
                    "    const size_t i = get_global_id(0);\n",
                    count > 0 ? "}\n#endif\n" : "", count / rows_of_kernel(width) / KERNELS_OF_PART,
                    count / rows_of_kernel(width));
        write_row(out, &c, slot);
        count++;
    }
    fputs("}\n#endif\n", out);
    return (count + rows_of_kernel(width) - 1) / rows_of_kernel(width);
}

/* ---- operands ---- */

static float draw_real(uint64_t *state, unsigned slot) {
    const uint32_t kind = random32(state) % 32;
    if (slot == 2) {
        const float f = ((float)(int32_t)random32(state)) * 0x1p-28F; /* -8 to 8 */
        return f == 0 ? 1 : f;
    }
    if (kind == 0) return NAN;
    if (kind == 1) return random32(state) % 2 != 0 ? INFINITY : -INFINITY;
    if (kind == 2) return random32(state) % 2 != 0 ? 0.0F : -0.0F;
    if (kind == 3) return random32(state) % 2 != 0 ? 1.0F : -1.0F;
    if (kind < 10) return (float)(int32_t)(random32(state) % 2000 - 1000) * 0.5F;               /* halves are ties */
    if (kind < 14) return ldexpf((float)(int32_t)random32(state), (int)(random32(state) % 34)); /* to 64 bits */
    return draw_number(state);
}

/* Words of bytes that are often 0, ff, 80 or 7f: the limits of every type. */
static uint64_t draw_bits(uint64_t *state) {
    static const uint64_t LIMITS[] = {0,
                                      UINT64_MAX,
                                      0x8000000000000000,
                                      0x7fffffffffffffff,
                                      0x8080808080808080,
                                      0x7f7f7f7f7f7f7f7f,
                                      0x8000800080008000,
                                      0x7fff7fff7fff7fff,
                                      0x8000000080000000,
                                      0x7fffffff7fffffff,
                                      1,
                                      0x0101010101010101,
                                      0x0001000100010001,
                                      0x0000000100000001};
    const uint32_t kind = random32(state) % 48;
    if (kind < sizeof LIMITS / sizeof *LIMITS) return LIMITS[kind];
    const uint64_t bits = (uint64_t)random32(state) << 32 | random32(state);
    return kind < 32 ? bits : bits & (UINT64_MAX >> (random32(state) % 64));
}

static bool write_operands(const char *folder, uint64_t seed, uint8_t *bits, uint8_t *reals) {
    for (unsigned slot = 0; slot < MOST_ARGUMENTS; slot++)
        for (size_t i = 0; i < SLOT; i += 4) {
            const float f = draw_real(&seed, slot);
            memcpy(reals + slot * SLOT + i, &f, 4);
        }
    for (size_t i = 0; i < MOST_ARGUMENTS * SLOT; i += 8) {
        const uint64_t word = draw_bits(&seed);
        memcpy(bits + i, &word, 8);
    }
    for (unsigned k = 0; k < 2; k++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, k == 0 ? "bits" : "reals");
        FILE *out = fopen(path, "wb");
        if (out == NULL) return perror(path), false;
        fwrite(k == 0 ? bits : reals, 1, MOST_ARGUMENTS * SLOT, out);
        if (fclose(out) != 0) return perror(path), false;
    }
    return true;
}

static bool read_file(const char *folder, const char *name, uint8_t *bytes, size_t size) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *in = fopen(path, "rb");
    if (in == NULL) return perror(path), false;
    const size_t got = fread(bytes, 1, size, in);
    fclose(in);
    if (got != size) fprintf(stderr, "%s: %zu bytes instead of %zu\n", path, got, size);
    return got == size;
}

/* ---- comparison ---- */

static struct value decode(const struct type *t, const uint8_t *at) {
    uint64_t u = 0;
    memcpy(&u, at, t->bytes); /* the low byte is the first */
    struct value v = value_of((int64_t)u);
    if (t->is_real) {
        v.s = (int32_t)u;
        v.r = (real)number_of((uint32_t)u);
    } else if (t->is_signed && t->bytes < 8 && (u >> (8 * t->bytes - 1)) != 0) {
        v = value_of((int64_t)(u | UINT64_MAX << (8 * t->bytes)));
    }
    return v;
}

static bool is_near(const struct builtin *b, const struct type *t, struct value found, struct value expected) {
    if (!t->is_real) return ((found.u ^ expected.u) & (UINT64_MAX >> (64 - 8 * t->bytes))) == 0;
    if (b->bound >= 0) return error_of((float)found.r, expected.r) <= b->bound;
    if (!isfinite(expected.r) || fabsl(expected.r) > 1e30L) return true; /* -bound applies to moderate numbers */
    return fabsl(found.r - expected.r) <= -(real)b->bound * fmaxl(1, fabsl(expected.r));
}

static void say(const struct call *c, unsigned component, const struct value *v, struct value found,
                struct value expected) {
    const struct builtin *b = c->builtin;
    printf("%s, %s of %u, component %u:", b->name, TYPES[c->type].name, c->width, component);
    for (size_t i = 0; b->signature[1 + i] != '\0'; i++)
        if (TYPES[type_of(c, b->signature[1 + i])].is_real)
            printf(" %.9Lg", v[i].r);
        else
            printf(" %#llx", (unsigned long long)v[i].u);
    if (TYPES[type_of(c, b->signature[0])].is_real)
        printf(" -> %.9Lg instead of %.9Lg\n", found.r, expected.r);
    else
        printf(" -> %#llx instead of %#llx\n", (unsigned long long)found.u, (unsigned long long)expected.u);
}

/* True if all components of a thread are right; prints the first wrong one. */
static bool check_thread(const struct call *c, unsigned thread, const uint8_t *bits, const uint8_t *reals,
                         const uint8_t *z) {
    const struct builtin *b = c->builtin;
    const struct type *result = &TYPES[type_of(c, b->signature[0])];
    struct value v[MOST_ARGUMENTS][WIDEST] = {0}, expected[WIDEST] = {0};
    for (size_t i = 0; b->signature[1 + i] != '\0'; i++) {
        const char letter = b->signature[1 + i];
        const struct type *t = &TYPES[type_of(c, letter)];
        const uint8_t *pool = (t->is_real ? reals : bits) + i * SLOT;
        for (unsigned k = 0; k < c->width; k++)
            v[i][k] = decode(t, pool + (is_scalar(letter) ? thread : thread * stride(c->width) + k) * t->bytes);
    }
    if (b->all != NULL && !b->all(c, v, expected)) return true;
    for (unsigned k = 0; k < (is_scalar(b->signature[0]) ? 1 : c->width); k++) {
        const struct value one[MOST_ARGUMENTS] = {v[0][k], v[1][k], v[2][k]};
        if (b->one != NULL && !b->one(c, one, &expected[k])) continue;
        const unsigned at = is_scalar(b->signature[0]) ? thread : thread * stride(c->width) + k;
        const struct value found = decode(result, z + at * result->bytes);
        if (is_near(b, result, found, expected[k])) continue;
        say(c, k, one, found, expected[k]);
        return false;
    }
    return true;
}

static int check(const struct builtins *all, unsigned type, unsigned width, const char *folder, unsigned kernel) {
    static uint8_t bits[MOST_ARGUMENTS * SLOT], reals[MOST_ARGUMENTS * SLOT], z[16 * SLOT];
    const unsigned rows = rows_of_kernel(width);
    unsigned count = 0, compared = 0, bad = 0;
    if (!read_file(folder, "bits", bits, sizeof bits) || !read_file(folder, "reals", reals, sizeof reals) ||
        !read_file(folder, "z", z, (size_t)rows * SLOT))
        return 2;
    for (size_t i = 0; i < all->count; i++) {
        const struct call c = {&all->rows[i], type, width};
        if (!has_row(c.builtin, type, width)) continue;
        const unsigned here = count++;
        if (here / rows != kernel) continue;
        bool good = true;
        for (unsigned thread = 0; thread < thread_count(width) && good; thread++)
            good = check_thread(&c, thread, bits, reals, z + (size_t)(here % rows) * SLOT);
        compared++;
        bad += !good;
    }
    printf("%u compared\n", compared);
    return bad > 0;
}

static int write_all(const struct builtins *all, unsigned type, unsigned width, uint64_t seed, const char *folder) {
    static uint8_t bits[MOST_ARGUMENTS * SLOT], reals[MOST_ARGUMENTS * SLOT];
    char path[4096];
    snprintf(path, sizeof path, "%s/k.cl", folder);
    FILE *out = fopen(path, "w");
    if (out == NULL) return perror(path), 2;
    const unsigned kernels = write_kernels(out, all, type, width);
    if (fclose(out) != 0) return perror(path), 2;
    if (!write_operands(folder, seed, bits, reals)) return 2;
    printf("%u %u %u\n", thread_count(width), rows_of_kernel(width) * SLOT, kernels);
    return 0;
}

int main(int argc, char **argv) {
    struct builtins all = {0};
    unsigned type = 0;
    add_integers(&all);
    add_reals(&all);
    add_conversions(&all);
    add_vectors(&all);
    while (argc == 6 && type < TYPE_COUNT && strcmp(TYPES[type].name, argv[2]) != 0) type++;
    const unsigned width = argc == 6 ? (unsigned)strtoul(argv[3], NULL, 10) : 0;
    int code = 2;
    if (width < 1 || width > WIDEST || type == TYPE_COUNT)
        fprintf(stderr, "builtins: write TYPE WIDTH SEED DIR | check TYPE WIDTH DIR KERNEL\n");
    else if (strcmp(argv[1], "write") == 0)
        code = write_all(&all, type, width, strtoull(argv[4], NULL, 0), argv[5]);
    else
        code = check(&all, type, width, argv[4], (unsigned)strtoul(argv[5], NULL, 10));
    free(all.rows);
    return code;
}
