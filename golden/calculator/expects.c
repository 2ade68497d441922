/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the expected values of kernels with those that follow from docs/isa.md, or writes them.
 *
 *     expects KERNEL...            prints TAP, one test a kernel; exits with 1 if values differ
 *     expects --write KERNEL...    replaces wrong values by right ones; the rest of the file stays
 *
 * A kernel with the line "// Worked by hand: ..." is skipped. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../float/reference.h"
#include "kernel.h"

static const char BY_HAND[] = "\n// Worked by hand: ";

static uint32_t cell(const struct kernel *k, const struct cells *c, uint32_t index) {
    uint32_t value = 0, address = c->address + index * c->bytes;
    if (address + c->bytes > k->global.size) fail(c->statement->file, c->statement->line, "beyond the memory", "");
    for (unsigned n = 0; n < c->bytes; n++) value |= (uint32_t)k->global.bytes[address + n] << 8 * n;
    return value;
}

static uint32_t as_written(const struct cells *c) {
    return c->bytes < 4 ? c->value & ((UINT32_C(1) << 8 * c->bytes) - 1) : c->value;
}

/* The first cell that differs from its expectation, or count. */
static uint32_t first_difference(const struct kernel *k, const struct cells *c) {
    uint32_t n = 0;
    while (n < c->count && cell(k, c, n) == as_written(c)) n++;
    return n;
}

static bool is_uniform(const struct kernel *k, const struct cells *c) {
    for (uint32_t n = 1; n < c->count; n++)
        if (cell(k, c, n) != cell(k, c, 0)) return false;
    return true;
}

/* ---- writing ---- */

/* Writes the replacement of a value, with the same number of digits. */
static void write_value(FILE *to, const struct kernel *k, const struct cells *c) {
    const char *text = c->statement->text;
    size_t last = c->end;
    while (last > c->begin && !strchr(" ,\n", text[last - 1])) last--;
    bool is_hex = c->end - last > 2 && text[last] == '0' && text[last + 1] == 'x';
    int digits = is_hex ? (int)(c->end - last) - 2 : 1;
    if (c->count > 1 && is_uniform(k, c)) fprintf(to, "%.*s", (int)(last - c->begin), text + c->begin);
    for (uint32_t n = 0; n < c->count; n++) {
        if (n > 0) fputs(n % 8 == 0 ? ",\n              " : ", ", to);
        fprintf(to, is_hex ? "0x%0*" PRIx32 : "%*" PRIu32, digits, cell(k, c, n));
        if (is_uniform(k, c)) break;
    }
}

static void write_kernel(const struct kernel *k, const char *path) {
    FILE *to = fopen(path, "wb");
    size_t done = 0;
    if (!to) fail(path, 0, "cannot be written", "");
    for (size_t n = 0; n < k->expected_count; n++) {
        const struct cells *c = &k->expected[n];
        if (first_difference(k, c) == c->count) continue;
        if (!c->statement->own) fail(c->statement->file, c->statement->line, "differs", c->statement->text);
        size_t begin = c->statement->place + c->begin;
        fwrite(k->source.text + done, 1, begin - done, to);
        write_value(to, k, c);
        done = c->statement->place + c->end;
    }
    fputs(k->source.text + done, to);
    if (fclose(to) != 0) fail(path, 0, "cannot be written", "");
}

/* ---- comparing ---- */

static size_t compare(const struct kernel *k) {
    size_t differ = 0;
    for (size_t n = 0; n < k->expected_count; n++) {
        const struct cells *c = &k->expected[n];
        uint32_t index = first_difference(k, c);
        if (index == c->count) continue;
        if (differ++ < 4)
            printf("# %s:%d: at 0x%" PRIx32 " the value is 0x%" PRIx32 ", not 0x%" PRIx32 "\n", c->statement->file,
                   c->statement->line, c->address + index * c->bytes, cell(k, c, index), as_written(c));
    }
    return differ;
}

int main(int argc, char **argv) {
    bool writes = argc > 1 && strcmp(argv[1], "--write") == 0;
    int tests = 0, failed = 0, by_hand = 0;
    if (!float_reference_open("golden/float/sfu-tables.csv")) {
        fprintf(stderr, "expects: golden/float/sfu-tables.csv cannot be read\n");
        return 2;
    }
    for (int n = writes ? 2 : 1; n < argc; n++) {
        struct kernel k;
        char *text = read_file(argv[n]);
        bool hand = strstr(text, BY_HAND) != NULL;
        free(text);
        by_hand += hand;
        if (hand) continue;
        kernel_read(&k, argv[n]);
        kernel_run(&k);
        size_t cells = 0, differ = compare(&k);
        for (size_t c = 0; c < k.expected_count; c++) cells += k.expected[c].count;
        if (writes && differ > 0) write_kernel(&k, argv[n]);
        if (writes && differ > 0) printf("%s: %zu values written\n", argv[n], differ);
        if (!writes) printf("%sok %d - %s: %zu values\n", differ ? "not " : "", ++tests, argv[n], cells);
        failed += differ > 0;
    }
    if (!writes) printf("1..%d\n# %d kernels worked by hand\n", tests, by_hand);
    return !writes && failed > 0;
}
