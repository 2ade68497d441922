/* SPDX-License-Identifier: Apache-2.0 */
/* Words of later machines. A word that matches a row in all bits outside the fields has its full text; one with other
 * bits set, such as those of a memory operand, has only its name. */
#include <string.h>

#include "../../spec/table.h"
#include "isa.h"

static const char *const WHAT[] = {
#define LATER(id, bits, text, what) what,
#include "../../spec/later.def"
#undef LATER
};

static unsigned count_ones(uint64_t v) {
    unsigned n = 0;
    for (; v != 0; v &= v - 1) n++;
    return n;
}

/* The bits that identify this instruction: those of the opcode, and those that are 1. */
static bool is_named(const struct row *row, uint64_t word) {
    const uint64_t opcode = (uint64_t)15 << 28 | 3 | (isa_is_long((uint32_t)word) ? (uint64_t)7 << 61 : 0);
    const uint64_t select = row->mask & (opcode | row->match);
    return (word & select) == row->match;
}

/* Among the rows that match the word, the one with most bits set; SIZE_MAX: none. */
static size_t find_row(uint64_t word) {
    size_t found = SIZE_MAX;
    for (size_t row = isa_rows_count; row < isa_rows_count + isa_later_count; row++) {
        if (!is_named(&isa_rows[row], word)) continue;
        if (found == SIZE_MAX || count_ones(isa_rows[row].match) > count_ones(isa_rows[found].match)) found = row;
    }
    return found;
}

const char *isa_later(uint32_t lo, uint32_t hi, enum isa_dialect dialect, char *text) {
    const bool immediate = isa_is_long(lo) && (hi & 3) == 3;
    const uint64_t word = isa_is_long(lo) ? (uint64_t)hi << 32 | lo : lo;
    struct isa_insn insn;
    text[0] = '\0';
    if (immediate || isa_decode(lo, hi, &insn) == ISA_OK) return NULL;
    const size_t row = find_row(word);
    if (row == SIZE_MAX) return NULL;
    insn = (struct isa_insn){.lo = lo, .hi = hi, .row = (uint16_t)row};
    isa_print(&insn, dialect, text, ISA_TEXT_MAX);
    if ((word & isa_rows[row].mask) != isa_rows[row].match) text[strcspn(text, " ")] = '\0';
    return WHAT[row - isa_rows_count];
}
