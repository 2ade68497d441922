/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes words to instructions: finds the row of the table and interprets its fields (operands.c). A word matches a
 * row if all fixed bits match and no field holds a reserved value; bits that silicon ignores may be set. */
#include "decode.h"

/* The result of the search for a word's row. */
struct found {
    size_t row;
    uint64_t stray;   /* must-be-zero bits that are set */
    uint64_t ignored; /* set bits that silicon ignores */
    bool alias;
};

static uint64_t join_words(uint32_t lo, uint32_t hi) { return isa_is_long(lo) ? (uint64_t)hi << 32 | lo : lo; }

/* True if no field of the word holds a reserved value. */
static bool values_legal(size_t row, uint64_t word) {
    const struct format *format = row_format(row);
    for (size_t i = 0; i < FORMAT_FIELDS_MAX && format->field[i] != NO_FIELD; i++) {
        unsigned reserved = derived_reserved[format->field[i]];
        if (reserved != 0 && (reserved >> (field_get(&isa_fields[format->field[i]], word) & 15) & 1) != 0) return false;
    }
    return true;
}

static bool find_exactly(uint64_t word, struct found *f) {
    unsigned bucket = bucket_of(word);
    for (size_t i = derived_bucket_start[bucket]; i < derived_bucket_start[bucket + 1]; i++) {
        size_t row = derived_bucket_rows[i];
        if ((word & derived_fixed[row]) != isa_rows[row].match || !values_legal(row, word)) continue;
        *f = (struct found){.row = row, .ignored = word & isa_row_ignored(row)};
        return true;
    }
    return false;
}

/* Long words of a reserved opcode that silicon executes as another one. Rows with a memory operand have no ignored bits
 * and no aliases, because no vector shows them. */
static bool find_alias(uint64_t word, struct found *f) {
    unsigned opcode = (unsigned)(word >> 28) & 15, sub = (unsigned)(word >> 61);
    if ((word & 3) != 1 || (word >> 32 & 3) == 3) return false;
    for (size_t i = 0; i < isa_aliases_count; i++) {
        const struct alias *a = &isa_aliases[i];
        if (opcode != a->opcode || sub < a->sub_first || sub > a->sub_last) continue;
        uint64_t instead = (word & ~((uint64_t)7 << 61 | (uint64_t)15 << 28)) | (uint64_t)a->sub_instead << 61 |
                           (uint64_t)a->opcode_instead << 28;
        if (!find_exactly(instead, f) || isa_row_ignored(f->row) == 0) return false;
        f->alias = true;
        return true;
    }
    return false;
}

static unsigned count_ones(uint64_t v) {
    unsigned n = 0;
    for (; v != 0; v &= v - 1) n++;
    return n;
}

/* The row that the word would match with some must-be-zero bits cleared; of several the one with the fewest such
 * bits. */
static enum isa_result find_loosely(uint64_t word, struct found *f) {
    unsigned bucket = bucket_of(word), fewest = 64 + 1;
    for (size_t i = derived_bucket_start[bucket]; i < derived_bucket_start[bucket + 1]; i++) {
        size_t row = derived_bucket_rows[i];
        uint64_t select = derived_select[row], extra = word & derived_fixed[row] & ~select;
        if ((word & select) != isa_rows[row].match || !values_legal(row, word)) continue;
        if (count_ones(extra) >= fewest) continue;
        fewest = count_ones(extra);
        *f = (struct found){.row = row, .stray = extra, .ignored = word & isa_row_ignored(row)};
    }
    return fewest <= 64 ? ISA_RESERVED_BITS : ISA_UNDEFINED;
}

static enum isa_result find_row(uint64_t word, struct found *f) {
    *f = (struct found){0};
    return find_exactly(word, f) || find_alias(word, f) ? ISA_OK : find_loosely(word, f);
}

enum isa_result isa_decode(uint32_t lo, uint32_t hi, struct isa_insn *insn) {
    uint64_t word = join_words(lo, hi);
    struct found f;
    enum isa_result result = find_row(word, &f);
    if (result == ISA_UNDEFINED) return result;
    struct word_fields w;
    word_unpack(f.row, word, &w);
    insn_fill(f.row, word, &w, insn);
    insn->ignored = f.ignored;
    insn->alias = f.alias;
    return result;
}

uint64_t isa_stray_bits(uint32_t lo, uint32_t hi) {
    struct found f;
    find_row(join_words(lo, hi), &f);
    return f.stray;
}

void isa_canonical(const struct isa_insn *insn, uint32_t *lo, uint32_t *hi) {
    uint64_t word = (uint64_t)insn->hi << 32 | insn->lo, mask = isa_rows[insn->row].mask;
    word = (word & ~mask) | isa_rows[insn->row].match;
    *lo = (uint32_t)word;
    *hi = (uint32_t)(word >> 32);
}
