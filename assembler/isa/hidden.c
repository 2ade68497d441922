/* SPDX-License-Identifier: Apache-2.0 */
/* The bits of a word that its text does not show. They are found by parsing the text again, so that they always agree
 * with the tables. */
#include <stdio.h>
#include <string.h>

#include "../../spec/table.h"
#include "isa.h"

uint64_t isa_hidden_bits(const struct isa_insn *insn) {
    struct isa_error error;
    char text[ISA_TEXT_MAX];
    uint32_t lo, hi, text_lo, text_hi = 0;
    size_t length = isa_print(insn, ISA_DIALECT_5, text, sizeof text);
    isa_canonical(insn, &lo, &hi);
    if (!isa_parse(text, length, NULL, &text_lo, &text_hi, &error)) return 0;
    uint64_t word = (uint64_t)hi << 32 | lo, same = (uint64_t)text_hi << 32 | text_lo, hidden = word ^ same;
    if (insn->bytes == 4) return hidden & UINT32_MAX;
    return insn->marker == ISA_MARK_END ? hidden & ~((uint64_t)3 << 32) : hidden;
}

bool isa_fits_text(uint32_t lo, uint32_t hi, uint32_t text_lo, uint32_t text_hi, uint64_t *hidden) {
    struct isa_insn insn;
    *hidden = 0;
    if (isa_is_long(lo) != isa_is_long(text_lo) || isa_decode(lo, hi, &insn) != ISA_OK) return false;
    uint64_t text = (uint64_t)text_hi << 32 | text_lo;
    *hidden = isa_hidden_bits(&insn);
    isa_canonical(&insn, &lo, &hi);
    uint64_t shown = ((uint64_t)hi << 32 | lo) ^ *hidden;
    if (insn.marker == ISA_MARK_END) shown &= ~((uint64_t)3 << 32);
    if (insn.bytes == 4) shown &= UINT32_MAX, text &= UINT32_MAX;
    return shown == text;
}

static void append(char *text, size_t size, const char *s) {
    size_t n = strlen(text);
    if (n < size) snprintf(text + n, size - n, "%s%s", n > 0 ? ", " : "", s);
}

size_t isa_print_hidden(const struct isa_insn *insn, char *text, size_t size) {
    const uint64_t hidden = isa_hidden_bits(insn), word = (uint64_t)insn->hi << 32 | insn->lo;
    struct word_fields w;
    word_unpack(insn->row, word, &w); /* insn->cond is TRUE if the guard is not obeyed */
    const unsigned cond = w.value[ISA_FIELD_cond], creg = w.value[ISA_FIELD_cr];
    const uint64_t guard = field_put(&isa_fields[w.id[ISA_FIELD_cond]], UINT32_MAX) |
                           field_put(&isa_fields[w.id[ISA_FIELD_cr]], UINT32_MAX);
    const bool by_name = !insn->guarded || cond != ISA_COND_TRUE;
    bool named = false;
    char piece[40];
    text[0] = '\0';
    for (unsigned bit = 0; bit < 64; bit++) {
        if ((hidden >> bit & 1) == 0) continue;
        const bool of_guard = by_name && (guard >> bit & 1) != 0;
        snprintf(piece, sizeof piece, "%c%u %s", bit < 32 ? 'l' : 'h', bit % 32,
                 (word >> bit & 1) != 0 ? "set" : "clear");
        if (of_guard)
            snprintf(piece, sizeof piece, "guard C%u.%s%s", creg, isa_cond_name(cond),
                     insn->guarded ? "" : ", not obeyed");
        if (!of_guard || !named) append(text, size, piece);
        named = named || of_guard;
    }
    return strlen(text);
}
