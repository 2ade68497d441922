/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions that may trap: any row, any fields, and a wrong bit. */
#include "bounds.h"
#include "corners.h"
#include "draw.h"

/* Jumps might never end. */
static bool is_tame(enum isa_op op) {
    const bool stops = op == OP_TRAP || op == OP_BPT || op == OP_KIL || op == OP_QUADON || op == OP_QUADPOP;
    return isa_op_unit(op) != UNIT_FLOW || op == OP_BAR || op == OP_NOP || stops;
}

static bool draw_words(const struct rules *r, struct rng *rng, uint32_t *lo, uint32_t *hi) {
    const size_t row = rng_below(rng, (uint32_t)isa_row_count());
    const bool any = rng_percent(rng, 50); /* else only the operands are illegal */
    struct isa_fields fields;
    isa_default_fields(row, &fields);
    for (int name = 0; name < ISA_FIELD_COUNT; name++) {
        const unsigned bits = isa_row_field_bits(row, (enum isa_field)name);
        if (bits != 0) {
            const uint32_t tame = draw_field(r, rng, row, (enum isa_field)name);
            const uint32_t value = bits == 32 ? corner_word(rng) : rng_below(rng, 1u << bits);
            fields.value[name] = any ? value : tame;
        }
    }
    if (!isa_encode(row, &fields, lo, hi)) return false;
    if (rng_percent(rng, 10)) *lo ^= 4u << rng_below(rng, 30); /* not its length */
    if (isa_is_long(*lo) && rng_percent(rng, 10)) *hi ^= 1u << rng_below(rng, 32);
    struct isa_insn insn;
    return isa_decode(*lo, *hi, &insn) == ISA_UNDEFINED || is_tame(insn.op);
}

void draw_wild(const struct rules *r, struct rng *rng, struct kernel *k) {
    uint32_t lo, hi;
    while (!draw_words(r, rng, &lo, &hi) || !bounds_allow(k, lo, hi)) {}
    kernel_add_words(k, lo, isa_is_long(lo) ? hi : lo, NO_LABEL);
}
