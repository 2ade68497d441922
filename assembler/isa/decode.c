/* SPDX-License-Identifier: Apache-2.0 */
/* Words to instructions: finds the row of the table (isa_find) and gives its fields their meaning (operands.c). */
#include "decode.h"

static uint64_t join_words(uint32_t lo, uint32_t hi) { return isa_is_long(lo) ? (uint64_t)hi << 32 | lo : lo; }

/* No field of the word holds a value that is reserved. */
static bool values_legal(size_t row, uint64_t word) {
    const struct format *format = row_format(row);
    for (size_t i = 0; i < FORMAT_FIELDS_MAX && format->field[i] != NO_FIELD; i++) {
        unsigned reserved = derived_reserved[format->field[i]];
        if (reserved != 0 && (reserved >> (field_get(&isa_fields[format->field[i]], word) & 15) & 1) != 0) return false;
    }
    return true;
}

static unsigned count_ones(uint64_t v) {
    unsigned n = 0;
    for (; v != 0; v &= v - 1) n++;
    return n;
}

/* The row that the word would be if some must-be-zero bits were clear; of several the one with the fewest such bits. */
static enum isa_result find_loosely(uint64_t word, size_t *row, uint64_t *stray) {
    unsigned bucket = bucket_of(word), fewest = 64 + 1;
    for (size_t i = derived_bucket_start[bucket]; i < derived_bucket_start[bucket + 1]; i++) {
        size_t candidate = derived_bucket_rows[i];
        uint64_t select = derived_select[candidate], extra = word & isa_rows[candidate].mask & ~select;
        if ((word & select) != isa_rows[candidate].match || !values_legal(candidate, word)) continue;
        if (count_ones(extra) >= fewest) continue;
        fewest = count_ones(extra);
        *row = candidate;
        *stray = extra;
    }
    return fewest <= 64 ? ISA_RESERVED_BITS : ISA_UNDEFINED;
}

static enum isa_result find_row(uint64_t word, size_t *row, uint64_t *stray) {
    unsigned bucket = bucket_of(word);
    *stray = 0;
    for (size_t i = derived_bucket_start[bucket]; i < derived_bucket_start[bucket + 1]; i++) {
        *row = derived_bucket_rows[i];
        if ((word & isa_rows[*row].mask) == isa_rows[*row].match && values_legal(*row, word)) return ISA_OK;
    }
    return find_loosely(word, row, stray);
}

enum isa_result isa_decode(uint32_t lo, uint32_t hi, struct isa_insn *insn) {
    uint64_t word = join_words(lo, hi), stray;
    size_t row;
    enum isa_result result = find_row(word, &row, &stray);
    if (result == ISA_UNDEFINED) return result;
    struct word_fields w;
    word_unpack(row, word, &w);
    insn_fill(row, word, &w, insn);
    return result;
}

uint64_t isa_stray_bits(uint32_t lo, uint32_t hi) {
    uint64_t stray;
    size_t row;
    find_row(join_words(lo, hi), &row, &stray);
    return stray;
}
