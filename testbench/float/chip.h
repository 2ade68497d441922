/* SPDX-License-Identifier: Apache-2.0 */
/* Results of an NVIDIA chip: tables of hashes (golden/silicon/README.md), and their operands.
 *
 *     struct chip_table table;
 *     if (!chip_read("golden/silicon/one-source.tsv.gz", 16, CHIP_HEADS, &table)) ...
 *     const uint64_t *hash = chip_find(&table, "rcp.approx.ftz.f32", 0x7f);
 */
#ifndef WARPSTEP_TESTBENCH_FLOAT_CHIP_H
#define WARPSTEP_TESTBENCH_FLOAT_CHIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of one source: 512 heads (sign and exponent, bits 31 to 23) of 2^23 fractions in 16 parts. Of two: 64 blocks. */
enum { CHIP_HEADS = 512, CHIP_FRACTION_BITS = 23, CHIP_PARTS = 16, CHIP_PART = (1 << CHIP_FRACTION_BITS) / CHIP_PARTS };
enum { CHIP_BLOCKS = 64, CHIP_PAIRS = 1 << 20, CHIP_NAME = 32 };

/* A line of a table: head or block, and the hash of the results. */
struct chip_row {
    char operation[CHIP_NAME];
    unsigned index;
    uint64_t hash;
};

struct chip_table {
    struct chip_row *rows;
    size_t count;
};

/* Reads lines of operation, index in `base`, hash, separated by tabs; the file may be compressed (gzip). False, with
 * nothing to free, if it cannot be read, has another kind of line, an index of `indices` or more, or no line. */
bool chip_read(const char *path, int base, unsigned indices, struct chip_table *table);
void chip_free(struct chip_table *table);

/* NULL if the table has no such line. */
const uint64_t *chip_find(const struct chip_table *table, const char *operation, unsigned index);

/* True if a table of known deviations of the chip (operation, first head, last head) has this head. */
bool chip_is_otherwise(const struct chip_table *table, const char *operation, unsigned head);

/* The hash of no results; extended by one; combined from the parts of a head. */
#define CHIP_HASH UINT64_C(0xcbf29ce484222325)
static inline uint64_t chip_hash(uint64_t hash, uint64_t more) { return (hash ^ more) * UINT64_C(0x100000001b3); }
static inline uint64_t chip_hash_parts(const uint64_t parts[CHIP_PARTS]) {
    uint64_t hash = CHIP_HASH;
    for (unsigned p = 0; p < CHIP_PARTS; p++) hash = chip_hash(hash, parts[p]);
    return hash;
}

/* Sets wanted[] for the numbers of a list, as in 0,7e-81,1ff, and clears the others; an empty list has none. False if
 * it is malformed, or has a number of `count` or more. */
bool chip_list(const char *list, int base, bool *wanted, unsigned count);

/* The operands of pair `pair` of a block. */
void chip_pair(unsigned block, uint32_t pair, uint32_t *x, uint32_t *y);

#endif
