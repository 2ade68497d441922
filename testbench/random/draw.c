/* SPDX-License-Identifier: Apache-2.0 */
/* Draws single instructions, see draw.h. Field values are drawn at random and the decoded word is judged: what would
 * leave the memories, write a reserved register or is undefined is thrown away and drawn again. */
#include "draw.h"

#include <assert.h>
#include <string.h>

enum { TRIES = 4000, BUCKET = 127, IGNORED_PERCENT = 10 };

static bool is_drawn(const struct rules *r, enum isa_op op) {
    if (op == OP_LLD || op == OP_LST) {
        return r->local_bytes != 0;
    }
    switch (isa_op_unit(op)) {
    case UNIT_ALU: return true;
    case UNIT_SHARED: return true;
    case UNIT_FLOW: return op == OP_NOP;
    default: return false;
    }
}

void draw_init(struct rules *r) {
    r->row_count = 0;
    for (size_t row = 0; row < isa_row_count(); row++) {
        struct isa_fields fields;
        struct isa_insn insn;
        uint32_t lo, hi;
        isa_default_fields(row, &fields);
        if (isa_encode(row, &fields, &lo, &hi) && isa_decode(lo, hi, &insn) == ISA_OK && is_drawn(r, insn.op)) {
            assert(r->row_count < DRAW_ROWS_MAX);
            r->op_of_row[r->row_count] = insn.op;
            r->row[r->row_count++] = (uint16_t)row;
        }
    }
}

/* Half of the time all rows are alike, else all operations: IMAD alone has 216 rows. */
static size_t draw_row(const struct rules *r, struct rng *rng) {
    size_t i = rng_below(rng, (uint32_t)r->row_count);
    if (rng_percent(rng, 50)) {
        for (;;) {
            const enum isa_op op = (enum isa_op)rng_below(rng, OP_COUNT);
            size_t seen = 0;
            for (size_t k = 0; k < r->row_count; k++) {
                if (r->op_of_row[k] == op && rng_below(rng, (uint32_t)++seen) == 0) {
                    i = k;
                }
            }
            if (seen != 0) {
                break;
            }
        }
    }
    return r->row[i];
}

unsigned draw_register(const struct rules *r, struct rng *rng) {
    const unsigned count = r->regs - REG_FREE + 1;
    const unsigned span = count > 12 && rng_percent(rng, 85) ? 12 : count;
    const unsigned pick = rng_below(rng, span);
    return pick == 0 ? 0 : REG_FREE + pick - 1;
}

static uint32_t draw_reg_field(const struct rules *r, struct rng *rng, unsigned bits) {
    static const uint8_t special[] = {124, 127, 62, 63};
    uint32_t reg = draw_register(r, rng);
    if (rng_percent(rng, 4)) {
        reg = special[rng_below(rng, sizeof special)];
    } else if (rng_percent(rng, 8)) {
        reg = rng_below(rng, REG_FREE);
    } else if (rng_percent(rng, 4)) {
        reg = rng_below(rng, 1u << bits % 32);
    }
    return rng_percent(rng, 50) ? reg : 2 * reg + rng_below(rng, 2);
}

static uint32_t draw_field(const struct rules *r, struct rng *rng, size_t row, enum isa_field name) {
    const unsigned bits = isa_row_field_bits(row, name);
    const uint32_t any = bits == 32 ? rng_word(rng) : rng_below(rng, 1u << bits);
    switch (name) {
    case ISA_FIELD_d:
    case ISA_FIELD_a:
    case ISA_FIELD_b:
    case ISA_FIELD_c: return draw_reg_field(r, rng, bits);
    case ISA_FIELD_ad: return 1 + rng_below(rng, 4);
    case ISA_FIELD_areg: return rng_percent(rng, 40) ? 0 : rng_below(rng, 5);
    case ISA_FIELD_inc: return rng_percent(rng, 15);
    case ISA_FIELD_goff: return bits > 5 ? rng_below(rng, r->shared_bytes) >> rng_below(rng, 3) : any;
    case ISA_FIELD_loff: return rng_below(rng, r->local_bytes + 1) & ~rng_below(rng, 16);
    case ISA_FIELD_coff: return bits > 7 ? rng_below(rng, CONST_BYTES) >> rng_below(rng, 3) : any;
    case ISA_FIELD_cb: return r->banks[rng_below(rng, bits == 1 ? 2 : 4)];
    case ISA_FIELD_cond: return rng_percent(rng, 100 - r->guard_percent) ? ISA_COND_TRUE : any;
    case ISA_FIELD_lane: return rng_percent(rng, 70) ? 15 : any;
    case ISA_FIELD_mark:
    case ISA_FIELD_od: return 0;
    case ISA_FIELD_sr: return rng_percent(rng, 50) ? rng_below(rng, 2) : any;
    case ISA_FIELD_imm: return bits == 7 && rng_percent(rng, 50) ? rng_below(rng, 34) : any;
    default: return any;
    }
}

static bool is_writable(const struct rules *r, unsigned reg) { return reg == 0 || reg >= REG_FREE || reg >= r->regs; }

/* A register, pair or quad. */
static bool registers_are_legal(const struct rules *r, const struct isa_operand *o, bool written) {
    const unsigned words = o->bytes == 16 ? 4 : o->bytes == 8 ? 2 : 1;
    for (unsigned i = 0; i < words && written; i++) {
        if (o->reg + i != BUCKET && !is_writable(r, o->reg + i)) {
            return false;
        }
    }
    return o->reg % words == 0;
}

/* The strictest alignment that the A register keeps. */
static unsigned areg_unit(unsigned areg) { return areg <= 2 ? 4 : areg == 3 ? 2 : 1; }

static bool operand_is_legal(const struct rules *r, struct rng *rng, const struct isa_insn *insn,
                             const struct isa_operand *o, bool written) {
    switch (o->kind) {
    case ISA_REG32: return registers_are_legal(r, o, written) && (o->reg < r->regs || rng_percent(rng, 10));
    case ISA_REG16:
        if (written && o->reg != BUCKET && !is_writable(r, o->reg / 2u)) {
            return false;
        }
        return o->reg / 2u < r->regs || rng_percent(rng, 10);
    case ISA_LOCAL:
    case ISA_SHARED:
    case ISA_CONST: {
        const uint32_t limit = o->kind == ISA_CONST   ? CONST_BYTES
                               : o->kind == ISA_LOCAL ? r->local_bytes
                                                      : r->shared_bytes;
        if (o->value % o->bytes != 0 && !insn->areg_inc) {
            return false; /* only local offsets count bytes */
        }
        if (o->indexed && insn->areg != 0) {
            const uint32_t last = insn->areg_inc ? 0 : o->value;
            return areg_unit(insn->areg) % o->bytes == 0 && last + AREG_LIMIT + o->bytes <= limit;
        }
        return !insn->areg_inc && o->value + o->bytes <= limit;
    }
    case ISA_AREG: return o->reg <= 4;
    default: return true;
    }
}

static bool is_memory(const struct isa_operand *o) {
    return o->kind == ISA_LOCAL || o->kind == ISA_SHARED || o->kind == ISA_CONST;
}

/* A shared source of I2I of another size than the type says is undefined. */
static unsigned conversion_bytes(const struct isa_insn *insn) {
    return (insn->attr & ISA_BYTE) != 0 ? 1 : (insn->attr & ISA_SRC16) != 0 ? 2 : 4;
}

static bool is_legal(const struct rules *r, struct rng *rng, const struct isa_insn *insn) {
    if (insn->areg > 4 || (insn->op == OP_R2A && insn->areg_inc)) {
        return false;
    }
    if (insn->op == OP_I2I && insn->src[0].kind == ISA_SHARED && insn->src[0].bytes != conversion_bytes(insn)) {
        return false;
    }
    bool memory = insn->op == OP_A2R || insn->op == OP_ADA;
    const struct isa_operand *all[] = {&insn->dst, &insn->src[0], &insn->src[1], &insn->src[2]};
    for (size_t i = 0; i < 4; i++) {
        if (!operand_is_legal(r, rng, insn, all[i], i == 0)) {
            return false;
        }
        memory = memory || (is_memory(all[i]) && all[i]->indexed);
    }
    return memory || (insn->areg == 0 && !insn->areg_inc);
}

static bool draw_word(const struct rules *r, struct rng *rng, size_t row, enum isa_marker marker,
                      struct isa_insn *insn) {
    struct isa_fields fields;
    uint32_t lo, hi;
    isa_default_fields(row, &fields);
    for (int name = 0; name < ISA_FIELD_COUNT; name++) {
        if (isa_row_field_bits(row, (enum isa_field)name) != 0) {
            fields.value[name] = draw_field(r, rng, row, (enum isa_field)name);
        }
    }
    if (isa_row_field_bits(row, ISA_FIELD_od) != 0 && rng_percent(rng, 10)) {
        fields.value[ISA_FIELD_od] = 1;
        fields.value[ISA_FIELD_d] = BUCKET;
    }
    fields.value[ISA_FIELD_mark] = (uint32_t)marker;
    if (!isa_encode(row, &fields, &lo, &hi)) {
        return false;
    }
    if (rng_percent(rng, IGNORED_PERCENT)) {
        lo |= (uint32_t)isa_row_ignored(row) & rng_word(rng);
        hi |= (uint32_t)(isa_row_ignored(row) >> 32) & rng_word(rng);
    }
    return isa_decode(lo, hi, insn) == ISA_OK && insn->row == row && is_legal(r, rng, insn);
}

static struct isa_insn draw_legal(const struct rules *r, struct rng *rng, bool half, enum isa_marker marker) {
    struct isa_insn insn;
    for (;;) {
        const size_t row = draw_row(r, rng);
        const enum isa_shape shape = isa_row_shape(row);
        if ((half && shape != ISA_SHAPE_HALF) || (marker != ISA_MARK_NONE && shape != ISA_SHAPE_LONG)) {
            continue;
        }
        for (int i = 0; i < TRIES; i++) {
            if (draw_word(r, rng, row, marker, &insn)) {
                return insn;
            }
        }
    }
}

/* The A register that the instruction writes, 0 none. */
static unsigned written_areg(const struct isa_insn *insn) {
    return insn->areg_inc ? insn->areg : insn->dst.kind == ISA_AREG ? insn->dst.reg : 0;
}

static void repair_areg(struct program *p, unsigned areg) {
    if (areg != 0) {
        program_add(p, NO_LABEL, "A2R R%d, A%u", REG_SCRATCH, areg);
        program_add(p, NO_LABEL, "LOP.AND R%d, R%d, c [0x1] [0x%x]", REG_SCRATCH, REG_SCRATCH,
                    areg_unit(areg) == 4   ? MASK_A4
                    : areg_unit(areg) == 2 ? MASK_A2
                                           : MASK_A);
        program_add(p, NO_LABEL, "R2A A%u, R%d", areg, REG_SCRATCH);
    }
}

void draw_instruction(const struct rules *r, struct rng *rng, struct program *p) {
    const struct isa_insn first = draw_legal(r, rng, false, ISA_MARK_NONE);
    program_add_word(p, first.lo, first.hi, NO_LABEL);
    if (first.bytes == 8) {
        repair_areg(p, written_areg(&first));
        return;
    }
    /* The second of a pair must not rely on an A register that the first one moved. */
    struct isa_insn second;
    do {
        second = draw_legal(r, rng, true, ISA_MARK_NONE);
    } while (first.areg_inc && second.areg == first.areg);
    program_add_word(p, second.lo, 0, NO_LABEL);
    repair_areg(p, written_areg(&first));
    repair_areg(p, written_areg(&second));
}

void draw_marked(const struct rules *r, struct rng *rng, struct program *p, enum isa_marker marker) {
    struct isa_insn insn;
    do {
        insn = draw_legal(r, rng, false, marker);
    } while (written_areg(&insn) != 0);
    program_add_word(p, insn.lo, insn.hi, NO_LABEL);
}

/* Jumps might never end. */
static bool is_tame(enum isa_op op) {
    return isa_op_unit(op) != UNIT_FLOW || op == OP_BAR || op == OP_NOP || op == OP_TRAP || op == OP_BPT;
}

void draw_wild(const struct rules *r, struct rng *rng, struct program *p) {
    struct isa_insn insn;
    for (;;) {
        const size_t row = rng_percent(rng, 60) ? draw_row(r, rng) : rng_below(rng, (uint32_t)isa_row_count());
        const bool any = rng_percent(rng, 50); /* else only the operands are illegal */
        struct isa_fields fields;
        uint32_t lo, hi;
        isa_default_fields(row, &fields);
        for (int name = 0; name < ISA_FIELD_COUNT; name++) {
            if (isa_row_field_bits(row, (enum isa_field)name) != 0) {
                fields.value[name] =
                    any ? (uint32_t)rng_next(rng) & 0xffu : draw_field(r, rng, row, (enum isa_field)name);
            }
        }
        for (int name = 0; any && name < ISA_FIELD_COUNT; name++) {
            const unsigned bits = isa_row_field_bits(row, (enum isa_field)name);
            fields.value[name] = bits == 32 ? rng_word(rng) : bits == 0 ? 0 : rng_below(rng, 1u << bits);
        }
        if (!isa_encode(row, &fields, &lo, &hi)) {
            continue;
        }
        if (rng_percent(rng, 10)) {
            lo ^= 4u << rng_below(rng, 30); /* not its length */
        }
        if (isa_is_long(lo) && rng_percent(rng, 10)) {
            hi ^= 1u << rng_below(rng, 32);
        }
        if (isa_decode(lo, hi, &insn) != ISA_UNDEFINED && !is_tame(insn.op)) {
            continue;
        }
        program_add_word(p, lo, hi, NO_LABEL);
        if (!isa_is_long(lo)) {
            program_add_word(p, lo, 0, NO_LABEL);
        }
        return;
    }
}

const char *draw_guard(const struct rules *r, struct rng *rng, char buffer[24]) {
    buffer[0] = 0;
    if (rng_percent(rng, r->guard_percent)) {
        const uint32_t code = rng_below(rng, 28);
        snprintf(buffer, 24, " (C%u.%s)", rng_below(rng, 4), isa_cond_name(code < 20 ? code : code + 4));
    }
    return buffer;
}
