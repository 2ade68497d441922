/* SPDX-License-Identifier: Apache-2.0 */
#include "word_order.h"

#include <string.h>

#include "../isa/isa.h"

/* Texts are costly to read, and a few that agree are conclusive. */
enum { TEXTS_ENOUGH = 32 };

/* How plausible two words are as an instruction, or as two half instructions. */
enum quality { NOTHING, NAME_ONLY, NEARLY, IGNORES, GOOD };

static enum quality quality_of_one(uint32_t lo, uint32_t hi) {
    struct isa_insn insn;
    char text[ISA_TEXT_MAX];
    switch (isa_decode(lo, hi, &insn)) {
    case ISA_OK: break;
    case ISA_RESERVED_BITS: return NEARLY;
    default: return isa_later(lo, hi, ISA_DIALECT_3, text) == NULL ? NOTHING : strchr(text, ' ') ? NEARLY : NAME_ONLY;
    }
    if (isa_fault(&insn) != NULL) return NEARLY;
    return insn.ignored != 0 || insn.alias ? IGNORES : GOOD;
}

static enum quality quality_of(uint32_t first, uint32_t second) {
    if (isa_is_long(first)) return quality_of_one(first, second);
    if (isa_is_long(second)) return NOTHING; /* off its boundary */
    const enum quality a = quality_of_one(first, 0), b = quality_of_one(second, 0);
    return a < b ? a : b;
}

/* Nobody writes an instruction that no thread can execute. */
static bool may_hold(uint32_t lo, uint32_t hi) {
    enum { RESERVED_FIRST = 20, RESERVED_LAST = 27 };
    struct isa_insn insn;
    if (!isa_is_long(lo) || isa_decode(lo, hi, &insn) != ISA_OK || !insn.guarded) return true;
    return insn.cond != ISA_COND_FALSE && (insn.cond < RESERVED_FIRST || insn.cond > RESERVED_LAST);
}

void word_order_add(struct word_order *order, uint32_t first, uint32_t second) {
    const enum quality as_written = quality_of(first, second), other = quality_of(second, first);
    order->possible += as_written != NOTHING || other != NOTHING ? 1 : 0;
    order->known += (int)as_written - (int)other;
    order->likely += (int)may_hold(first, second) - (int)may_hold(second, first);
}

void word_order_add_text(struct word_order *order, uint32_t first, uint32_t second, const char *text, size_t length) {
    struct isa_error error;
    uint32_t lo, hi;
    uint64_t hidden;
    if (order->agreeing >= TEXTS_ENOUGH || order->agreeing <= -TEXTS_ENOUGH) return;
    if (!isa_parse(text, length, NULL, &lo, &hi, &error) || !isa_is_long(lo)) return;
    order->agreeing += isa_fits_text(first, second, lo, hi, &hidden) ? 1 : 0;
    order->agreeing -= isa_fits_text(second, first, lo, hi, &hidden) ? 1 : 0;
}

bool word_order_low_first(const struct word_order *order) {
    if (order->agreeing != 0) return order->agreeing > 0;
    return order->known != 0 ? order->known > 0 : order->likely > 0;
}

const char *word_order_note(const struct word_order *order) {
    if (order->possible == 0 || order->agreeing != 0 || order->known != 0) return NULL;
    return word_order_low_first(order)
               ? "either half of the 64-bit words may come first: taken with the low word first"
               : "either half of the 64-bit words may come first: taken with the high word first";
}
