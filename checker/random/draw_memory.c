/* SPDX-License-Identifier: Apache-2.0 */
/* Loads, stores and atomic operations of a random kernel, each with the instructions that make its address: global
 * memory of the warp alone, read-only data, local memory at an A register, and words on which the atomics of all warps
 * operate. Each of these words has one operation, whose order does not matter. */
#include "recipe.h"

enum { TRIES = 4000, ROWS_TRIED = 200 };

static const struct isa_operand *memory_operand(const struct isa_insn *insn) {
    return insn->dst.kind == ISA_GLOBAL || insn->dst.kind == ISA_LOCAL ? &insn->dst : &insn->src[0];
}

static enum mask mask_of(const struct isa_insn *insn, enum mask bytes) {
    unsigned log2 = 0;
    while (1u << log2 < memory_operand(insn)->bytes) log2++;
    return (enum mask)(bytes + log2);
}

/* An access with its address in that register, or to local memory at an A register. */
static bool draw_access(const struct rules *r, struct rng *rng, enum isa_marker marker, unsigned address,
                        struct isa_insn *insn) {
    for (unsigned rows = 0; r->table->declared == NULL || (rows < ROWS_TRIED && r->table->memory > 0); rows++) {
        const size_t row = r->table->memory_row[rng_below(rng, (uint32_t)r->table->memory)];
        for (int i = 0; i < TRIES / 40; i++)
            if (draw_word(r, rng, row, marker, address, insn)) return true;
    }
    return false;
}

static bool is_global(const struct isa_insn *insn) { return memory_operand(insn)->kind == ISA_GLOBAL; }

bool draw_lane_access(const struct rules *r, struct rng *rng, enum isa_marker marker, struct isa_insn *insn) {
    for (unsigned tries = 0; r->table->declared == NULL || tries < ROWS_TRIED; tries++) {
        if (!draw_access(r, rng, marker, REG_LANE_BASE, insn)) return false;
        if (is_global(insn) ? memory_operand(insn)->bytes <= 4 : !insn->areg_inc) return true;
    }
    return false;
}

bool draw_global_access(const struct rules *r, struct rng *rng, unsigned least_bytes, struct isa_insn *insn) {
    for (unsigned tries = 0; r->table->declared == NULL || tries < ROWS_TRIED; tries++) {
        if (!draw_access(r, rng, ISA_MARK_NONE, REG_SCRATCH, insn)) return false;
        if (is_global(insn) && memory_operand(insn)->bytes >= least_bytes) return true;
    }
    return false;
}

static void add_masked(const struct rules *r, struct rng *rng, struct kernel *k, enum mask mask) {
    recipe_mask(r, k, REG_SCRATCH, draw_register(r, rng), mask);
}

/* The instruction with another address register, if that is legal. */
static bool move_address(const struct isa_insn *insn, unsigned address, const struct machine *machine,
                         struct isa_insn *moved) {
    struct isa_fields fields;
    uint32_t lo, hi;
    isa_unpack(insn->row, insn->lo, insn->hi, &fields);
    fields.value[ISA_FIELD_a] = address;
    return isa_encode(insn->row, &fields, &lo, &hi) && isa_decode(lo, hi, moved) == ISA_OK &&
           words_trap(lo, hi, machine) == TRAP_NONE;
}

/* Operations whose order does not matter, each with its own words. Codes: docs/isa.md 5.4. */
static bool find_places(const struct isa_insn *insn, unsigned *place) {
    enum { ADD = 0, MAX = 6, MIN = 7, AND = 10, OR = 11, XOR = 12 };
    const unsigned is_signed = memory_operand(insn)->sext ? 1 : 0;
    switch (insn->atom) {
    case ADD: *place = 0; return true;
    case MAX: *place = 1 + is_signed; return true;
    case MIN: *place = 3 + is_signed; return true;
    case AND: *place = 5; return true;
    case OR: *place = 6; return true;
    case XOR: *place = 7; return true;
    default: return false;
    }
}

static bool is_load(const struct isa_insn *insn) { return insn->op == OP_GLD; }

/* The address register of a load may be one that it writes. */
static struct isa_insn address_within(const struct rules *r, struct rng *rng, const struct isa_insn *insn) {
    const unsigned words = insn->src[0].bytes > 4 ? insn->src[0].bytes / 4u : 1;
    const unsigned address = insn->dst.reg + rng_below(rng, words);
    struct isa_insn moved;
    if (rng_percent(rng, 30) && address >= REG_FREE && address < r->regs && insn->dst.reg + words <= r->regs &&
        move_address(insn, address, &r->machine, &moved))
        return moved;
    return *insn;
}

static void add_global(const struct rules *r, struct rng *rng, struct kernel *k, struct isa_insn insn) {
    unsigned place = 0;
    if (is_load(&insn)) insn = address_within(r, rng, &insn);
    const unsigned address = memory_operand(&insn)->reg;
    if (insn.op == OP_GRED && find_places(&insn, &place) && rng_percent(rng, 50)) {
        add_masked(r, rng, k, MASK_A4);
        recipe_add_number(k, address, REG_SCRATCH, ATOMICS_BASE + place * AREG_LIMIT);
    } else {
        add_masked(r, rng, k, mask_of(&insn, MASK_G));
        if (is_load(&insn) && rng_percent(rng, 20))
            recipe_copy(k, address, REG_SCRATCH);
        else
            recipe_join(k, address, REG_SCRATCH, REG_WARP_BASE);
    }
    kernel_add_words(k, insn.lo, insn.hi, NO_LABEL);
}

/* Wide accesses at an A register need more than the rules guarantee of it. */
static void add_local(const struct rules *r, struct rng *rng, struct kernel *k) {
    const unsigned areg = draw_areg(r, rng, false, 4);
    for (int i = 0; i < TRIES; i++) {
        struct isa_insn insn;
        if (!draw_access(r, rng, ISA_MARK_NONE, REG_SCRATCH, &insn)) return;
        const struct isa_operand *o = memory_operand(&insn);
        if (is_global(&insn) || insn.areg != 0 || o->value + AREG_LIMIT + o->bytes > r->local_bytes) continue;
        struct isa_fields fields;
        uint32_t lo, hi;
        isa_unpack(insn.row, insn.lo, insn.hi, &fields);
        fields.value[ISA_FIELD_areg] = areg;
        if (!isa_encode(insn.row, &fields, &lo, &hi)) continue;
        add_masked(r, rng, k, mask_of(&insn, MASK_A) < MASK_A4 ? MASK_A4 : mask_of(&insn, MASK_A));
        kernel_add(k, NO_LABEL, "R2A A%u, R%d", areg, REG_SCRATCH);
        kernel_add_words(k, lo, hi, NO_LABEL);
        return;
    }
}

/* If no address can be made, uses that of the lane. */
static void add_access(const struct rules *r, struct rng *rng, struct kernel *k) {
    struct isa_insn insn;
    if (!draw_access(r, rng, ISA_MARK_NONE, REG_SCRATCH, &insn)) return;
    if (!is_global(&insn)) {
        kernel_add_words(k, insn.lo, insn.hi, NO_LABEL);
        draw_repair(r, k, insn.areg_inc ? insn.areg : 0);
        return;
    }
    const struct kernel_mark mark = kernel_begin(k);
    add_global(r, rng, k, insn);
    if (!kernel_keep(k, &mark) && draw_lane_access(r, rng, ISA_MARK_NONE, &insn))
        kernel_add_words(k, insn.lo, insn.hi, NO_LABEL);
}

void draw_memory(const struct rules *r, struct rng *rng, struct kernel *k) {
    const unsigned part = kernel_open_part(k);
    const bool local = r->local_bytes > AREG_LIMIT + 16 && rng_percent(rng, 35);
    if (local)
        add_local(r, rng, k);
    else
        add_access(r, rng, k);
    kernel_close_part(k, part);
}
