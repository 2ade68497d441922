/* SPDX-License-Identifier: Apache-2.0 */
/* Draws single instructions, see draw.h. Field values are drawn at random and the decoded word is checked: a word that
 * would leave the memories, write a reserved register or be undefined is discarded and drawn again. */
#include "draw.h"

#include <assert.h>
#include <string.h>

#include "../../cmodel/core/decoded.h"
#include "../../spec/memory.h"
#include "corners.h"
#include "recipe.h"

enum { TRIES = 4000, ROWS_TRIED = 200, BUCKET = 127, IGNORED_PERCENT = 10, EXTENDED_PERCENT = 25 };

enum trap words_trap(uint32_t lo, uint32_t hi, const struct machine *machine) {
    uint32_t words[2] = {lo, hi};
    struct decoded decoded[2] = {0};
    struct code code = {.words = words, .word_count = 2, .decoded = decoded, .regs = 128, .machine = *machine};
    const struct decoded *d = decoded_at(&code, 0);
    return d == NULL ? TRAP_FETCH : (enum trap)d->trap;
}

/* Any row of sm_10x. */
static size_t draw_extended(const struct table *t, struct rng *rng) {
    size_t row = 0;
    uint32_t seen = 0;
    for (size_t k = 0; k < t->plain; k++)
        if (isa_unit_is_extension(isa_op_unit(t->plain_op[k])) && rng_below(rng, ++seen) == 0) row = t->plain_row[k];
    return row;
}

/* Half of the time all rows are equally likely, else all operations: IMAD alone has 216 rows. On a machine with sm_10x,
 * many draws are from it. */
static size_t draw_row(const struct table *t, struct rng *rng) {
    assert(t->plain > 0);
    if ((t->wide != 0 || t->dividers != 0) && rng_percent(rng, EXTENDED_PERCENT)) return draw_extended(t, rng);
    size_t i = rng_below(rng, (uint32_t)t->plain);
    for (bool found = rng_percent(rng, 50); !found;) {
        const enum isa_op op = (enum isa_op)rng_below(rng, OP_COUNT);
        uint32_t seen = 0;
        for (size_t k = 0; k < t->plain; k++)
            if (t->plain_op[k] == op && rng_below(rng, ++seen) == 0) i = k;
        found = seen != 0;
    }
    return t->plain_row[i];
}

unsigned draw_register(const struct rules *r, struct rng *rng) {
    const unsigned count = r->regs - REG_FREE + 1;
    const unsigned span = count > 12 && rng_percent(rng, 85) ? 12 : count;
    const unsigned pick = rng_below(rng, span);
    return pick == 0 ? 0 : REG_FREE + pick - 1;
}

unsigned draw_areg(const struct rules *r, struct rng *rng, bool shared, unsigned unit) {
    unsigned found = 0;
    uint32_t seen = 0;
    for (unsigned areg = 1; areg <= AREGS; areg++) {
        const struct areg_rule *rule = &r->areg[areg];
        if (rule->shared == shared && rule->unit >= unit && rng_below(rng, ++seen) == 0) found = areg;
    }
    return found;
}

const char *draw_guard(const struct rules *r, struct rng *rng, char buffer[24]) {
    buffer[0] = 0;
    if (rng_percent(rng, r->guard_percent)) {
        const uint32_t code = rng_below(rng, 28), creg = rng_below(rng, 4);
        snprintf(buffer, 24, " (C%u.%s)", creg, isa_cond_name(code < 20 ? code : code + 4));
    }
    return buffer;
}

static uint32_t draw_reg_field(const struct rules *r, struct rng *rng, unsigned bits) {
    static const uint8_t special[] = {124, 127, 62, 63};
    uint32_t reg = draw_register(r, rng);
    if (rng_percent(rng, 4))
        reg = special[rng_below(rng, sizeof special)];
    else if (rng_percent(rng, 8))
        reg = rng_below(rng, REG_FREE);
    else if (rng_percent(rng, 4))
        reg = rng_below(rng, 1u << bits % 32);
    const bool whole = rng_percent(rng, 50);
    return whole ? reg : 2 * reg + rng_below(rng, 2);
}

uint32_t draw_field(const struct rules *r, struct rng *rng, size_t row, enum isa_field name) {
    const unsigned bits = isa_row_field_bits(row, name);
    const uint32_t any = bits == 32 ? corner_word(rng) : rng_below(rng, 1u << bits);
    const uint32_t shift = rng_below(rng, 3);
    switch (name) {
    case ISA_FIELD_d:
    case ISA_FIELD_a:
    case ISA_FIELD_b:
    case ISA_FIELD_c: return draw_reg_field(r, rng, bits);
    case ISA_FIELD_ad: return 1 + rng_below(rng, 4);
    case ISA_FIELD_areg: return rng_percent(rng, 40) ? 0 : rng_below(rng, 5);
    case ISA_FIELD_inc: return rng_percent(rng, 15);
    case ISA_FIELD_goff: return bits > 5 ? rng_below(rng, r->shared_bytes) >> shift : any;
    case ISA_FIELD_loff: return rng_below(rng, r->local_bytes + 1) & ~rng_below(rng, 16);
    case ISA_FIELD_coff: return bits > 7 ? rng_below(rng, r->const_bytes + (r->const_bytes == 0)) >> shift : any;
    case ISA_FIELD_cb: return r->banks[rng_below(rng, bits == 1 ? 2 : 4)];
    case ISA_FIELD_cond: return rng_percent(rng, 100 - r->guard_percent) ? ISA_COND_TRUE : any;
    case ISA_FIELD_lane: return rng_percent(rng, 70) ? 15 : any;
    case ISA_FIELD_mark:
    case ISA_FIELD_od: return 0;
    case ISA_FIELD_seg: return rng_percent(rng, 80) ? SEGMENT_GLOBAL : any;
    case ISA_FIELD_sr: return rng_percent(rng, 50) ? rng_below(rng, 2) : any;
    case ISA_FIELD_imm: return bits == 7 && rng_percent(rng, 50) ? rng_below(rng, 34) : any;
    default: return any;
    }
}

static bool is_writable(const struct rules *r, unsigned reg) { return reg == 0 || reg >= REG_FREE || reg >= r->regs; }

/* A register, pair or quad. */
static bool registers_are_legal(const struct rules *r, const struct isa_operand *o, bool written) {
    const unsigned words = o->bytes == 16 ? 4 : o->bytes == 8 ? 2 : 1;
    for (unsigned i = 0; i < words && written; i++)
        if (o->reg + i != BUCKET && !is_writable(r, o->reg + i)) return false;
    return o->reg % words == 0;
}

/* The access of `bytes` at offset `value`, relative to the A register if there is one. */
static bool shared_is_legal(const struct rules *r, const struct isa_operand *o, unsigned areg, bool written) {
    if (areg != 0) return r->areg[areg].shared && o->value + AREG_LIMIT + o->bytes <= SLICE_BYTES;
    const uint32_t end = o->value + o->bytes;
    return written ? o->value >= r->shared_read && end <= r->shared_own : end <= r->shared_read || end <= r->shared_own;
}

static bool index_is_legal(const struct rules *r, const struct isa_operand *o, unsigned areg, uint32_t limit) {
    return areg != 0 ? !r->areg[areg].shared && o->value + AREG_LIMIT + o->bytes <= limit
                     : o->value + o->bytes <= limit;
}

static bool memory_is_legal(const struct rules *r, const struct isa_insn *insn, const struct isa_operand *o,
                            bool written) {
    const unsigned areg = o->indexed ? insn->areg : 0;
    struct isa_operand access = *o;
    if (insn->areg_inc) /* the address is the A register alone */
        access.value = 0;
    if ((insn->areg_inc && areg == 0) || access.value % o->bytes != 0 ||
        (areg != 0 && r->areg[areg].unit % o->bytes != 0))
        return false;
    return o->kind == ISA_SHARED
               ? shared_is_legal(r, &access, areg, written)
               : index_is_legal(r, &access, areg, o->kind == ISA_CONST ? r->const_bytes : r->local_bytes);
}

/* Beyond the launch: occasionally, but a declared machine may lack such registers. */
static bool register_is_legal(const struct rules *r, struct rng *rng, unsigned reg) {
    if (reg < r->regs) return true;
    return r->table->declared != NULL ? reg == ISA_REG_ZERO || reg == ISA_REG_SINK : rng_percent(rng, 10);
}

static bool operand_is_legal(const struct rules *r, struct rng *rng, const struct isa_insn *insn,
                             const struct isa_operand *o, bool written) {
    switch (o->kind) {
    case ISA_REG32: return registers_are_legal(r, o, written) && register_is_legal(r, rng, o->reg);
    case ISA_REG16:
        if (written && o->reg != BUCKET && !is_writable(r, o->reg / 2u)) return false;
        return register_is_legal(r, rng, o->reg / 2u);
    case ISA_LOCAL:
    case ISA_SHARED:
    case ISA_CONST: return memory_is_legal(r, insn, o, written);
    case ISA_AREG: return o->reg <= AREGS;
    default: return true;
    }
}

static bool is_indexed(const struct isa_operand *o) {
    return (o->kind == ISA_LOCAL || o->kind == ISA_SHARED || o->kind == ISA_CONST) && o->indexed;
}

static bool is_timeless(const struct isa_insn *insn) {
    return insn->op != OP_S2R || (insn->sreg != SREG_PHYSID && insn->sreg != SREG_CLOCK);
}

/* An instruction that writes an A register, or uses it as a counter. */
static bool moves_areg(const struct isa_insn *insn) {
    return insn->areg != 0 || insn->areg_inc || insn->dst.kind == ISA_AREG || insn->op == OP_A2R;
}

static bool is_legal(const struct rules *r, struct rng *rng, const struct isa_insn *insn, unsigned address) {
    if (insn->areg > AREGS || (!r->clocked && !is_timeless(insn))) return false;
    if (!r->table->can.aregs && moves_areg(insn)) return false;
    bool uses_areg = insn->op == OP_A2R || insn->op == OP_ADA;
    const struct isa_operand *all[] = {&insn->dst, &insn->src[0], &insn->src[1], &insn->src[2]};
    for (size_t i = 0; i < 4; i++) {
        if (!operand_is_legal(r, rng, insn, all[i], i == 0) || (all[i]->kind == ISA_GLOBAL && all[i]->reg != address))
            return false;
        uses_areg = uses_areg || is_indexed(all[i]);
    }
    return (uses_areg || (insn->areg == 0 && !insn->areg_inc)) &&
           words_trap(insn->lo, insn->hi, &r->machine) == TRAP_NONE;
}

bool draw_word(const struct rules *r, struct rng *rng, size_t row, enum isa_marker marker, unsigned address,
               struct isa_insn *insn) {
    struct isa_fields fields;
    uint32_t lo, hi;
    isa_default_fields(row, &fields);
    for (int name = 0; name < ISA_FIELD_COUNT; name++)
        if (isa_row_field_bits(row, (enum isa_field)name) != 0)
            fields.value[name] = draw_field(r, rng, row, (enum isa_field)name);
    if (isa_row_field_bits(row, ISA_FIELD_od) != 0 && rng_percent(rng, 10)) {
        fields.value[ISA_FIELD_od] = 1;
        if (rng_percent(rng, 80)) fields.value[ISA_FIELD_d] = BUCKET;
    }
    if (address != NO_ADDRESS) fields.value[ISA_FIELD_a] = address;
    fields.value[ISA_FIELD_mark] = (uint32_t)marker;
    if (!isa_encode(row, &fields, &lo, &hi)) return false;
    if (rng_percent(rng, IGNORED_PERCENT)) {
        const uint64_t ignored = isa_row_ignored(row);
        lo |= (uint32_t)ignored & corner_word(rng);
        hi |= (uint32_t)(ignored >> 32) & corner_word(rng);
    }
    return isa_decode(lo, hi, insn) == ISA_OK && insn->row == row && is_legal(r, rng, insn, address);
}

/* False if a declared machine seems to have no such instruction. */
static bool draw_legal(const struct rules *r, struct rng *rng, bool half, enum isa_marker marker,
                       struct isa_insn *insn) {
    for (unsigned rows = 0; r->table->declared == NULL || (rows < ROWS_TRIED && r->table->plain > 0); rows++) {
        const size_t row = draw_row(r->table, rng);
        const enum isa_shape shape = isa_row_shape(row);
        if ((half && shape != ISA_SHAPE_HALF) || (marker != ISA_MARK_NONE && shape != ISA_SHAPE_LONG)) continue;
        for (int i = 0; i < TRIES; i++)
            if (draw_word(r, rng, row, marker, NO_ADDRESS, insn)) return true;
    }
    return false;
}

/* The A register that the instruction writes, 0 none. */
static unsigned written_areg(const struct isa_insn *insn) {
    return insn->areg_inc ? insn->areg : insn->dst.kind == ISA_AREG ? insn->dst.reg : 0;
}

void draw_repair(const struct rules *r, struct kernel *k, unsigned areg) {
    if (areg != 0) recipe_areg(r, k, areg);
}

void draw_instruction(const struct rules *r, struct rng *rng, struct kernel *k) {
    struct isa_insn first;
    if (!draw_legal(r, rng, false, ISA_MARK_NONE, &first)) return;
    const unsigned part = kernel_open_part(k);
    if (first.bytes == 8) {
        kernel_add_words(k, first.lo, first.hi, NO_LABEL);
        draw_repair(r, k, written_areg(&first));
    } else {
        /* The second of a pair must not depend on an A register that the first one changed. */
        struct isa_insn second = first;
        while (draw_legal(r, rng, true, ISA_MARK_NONE, &second) && first.areg_inc && second.areg == first.areg) {}
        kernel_add_words(k, first.lo, second.lo, NO_LABEL);
        draw_repair(r, k, written_areg(&first));
        draw_repair(r, k, written_areg(&second));
    }
    kernel_close_part(k, part);
}

/* A NOP, if no other instruction can be drawn. */
static bool draw_any_marked(const struct rules *r, struct rng *rng, enum isa_marker marker, struct isa_insn *insn) {
    if (rng_percent(rng, 25) && r->table->memory > 0 && draw_lane_access(r, rng, marker, insn)) return true;
    bool drawn = false;
    do drawn = draw_legal(r, rng, false, marker, insn);
    while (drawn && written_areg(insn) != 0);
    return drawn;
}

void draw_marked(const struct rules *r, struct rng *rng, struct kernel *k, enum isa_marker marker, int label) {
    struct isa_insn insn;
    const bool drawn = draw_any_marked(r, rng, marker, &insn);
    if (label != NO_LABEL) kernel_place_label(k, label);
    if (drawn)
        kernel_add_words(k, insn.lo, insn.hi, NO_LABEL);
    else
        kernel_add(k, NO_LABEL, marker == ISA_MARK_JOIN ? "NOP.S" : "NOP");
    if (!drawn && k->lacking == NULL) k->line[k->line_count - 1].hi |= (uint32_t)marker;
}
