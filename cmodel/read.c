/* SPDX-License-Identifier: Apache-2.0 */
/* The read stage, see read.h. */
#include "read.h"

static const uint32_t ZEROS[WARP_LANES];

const uint32_t *read_register(struct step *s, unsigned reg) {
    struct regfile *file = &s->warp->file;
    if (!regfile_is_readable(file, reg)) return ZEROS;
    const uint32_t undefined = s->exec & ~regfile_defined32(file, reg);
    if (undefined != 0) step_note_undefined(s, undefined, "R%u", reg);
    return file->reg[reg];
}

static const uint32_t *read_half(struct step *s, unsigned half, uint32_t room[WARP_LANES]) {
    struct regfile *file = &s->warp->file;
    if (half / 2 >= file->count) return ZEROS;
    const uint32_t undefined = s->exec & ~file->half_defined[half / 2][half % 2];
    if (undefined != 0) step_note_undefined(s, undefined, half % 2 == 0 ? "R%uL" : "R%uH", half / 2);
    regfile_read16(file, half, room);
    return room;
}

const uint32_t *read_areg(struct step *s, unsigned areg) {
    const uint32_t undefined = s->exec & ~s->warp->file.areg_defined[areg];
    if (undefined != 0) {
        step_note_undefined(s, undefined, "A%u", areg);
        s->undefined_areg |= undefined;
    }
    return s->warp->file.areg[areg];
}

const struct flags *read_creg(struct step *s, unsigned creg) {
    const uint32_t undefined = s->exec & ~s->warp->file.creg_defined[creg];
    if (undefined != 0) step_note_undefined(s, undefined, "C%u", creg);
    return &s->warp->file.creg[creg];
}

uint32_t read_addresses(struct step *s, const struct isa_operand *operand, uint32_t room[WARP_LANES]) {
    const bool increments = s->insn->areg_inc;
    const uint32_t offset = increments ? 0 : operand->value;
    if (!operand->indexed) {
        lanes_fill(room, offset);
        return 0;
    }
    const uint32_t *areg = read_areg(s, s->insn->areg);
    for (unsigned i = 0; i < WARP_LANES; i++) room[i] = offset + areg[i];
    return s->undefined_areg;
}

/* A memory as an ALU operand sees it. */
struct operand_memory {
    const struct mem *mem;
    enum trap align; /* the first of its pair of traps */
    const char *name;
};

static uint32_t load_cell(const struct operand_memory *memory, const struct isa_operand *operand, uint32_t addr) {
    const uint32_t value = mem_load(memory->mem, addr, operand->bytes);
    return operand->sext ? isa_sext(value, 8u * operand->bytes) : value;
}

static void load_uniform(struct step *s, const struct operand_memory *memory, const struct isa_operand *operand,
                         uint32_t addr, uint32_t room[WARP_LANES]) {
    const enum trap trap = mem_check(memory->mem, addr, operand->bytes, memory->align);
    if (trap != TRAP_NONE) {
        step_raise(s, trap);
        return;
    }
    if (!mem_is_defined(memory->mem, addr, operand->bytes)) step_note_undefined(s, s->exec, memory->name, addr);
    lanes_fill(room, load_cell(memory, operand, addr));
}

static void load_indexed(struct step *s, const struct operand_memory *memory, const struct isa_operand *operand,
                         uint32_t lanes, uint32_t room[WARP_LANES]) {
    for (uint32_t left = lanes; left != 0; left = lanes_rest(left)) {
        const unsigned lane = lanes_first(left);
        const uint32_t addr = room[lane];
        const enum trap trap = mem_check(memory->mem, addr, operand->bytes, memory->align);
        room[lane] = 0;
        step_raise(s, trap);
        if (trap != TRAP_NONE) continue;
        if (!mem_is_defined(memory->mem, addr, operand->bytes))
            step_note_undefined(s, LANE_BIT[lane], memory->name, addr);
        room[lane] = load_cell(memory, operand, addr);
    }
}

/* The first memory operand has the A register and its post-increment. */
static bool is_first_memory(const struct isa_insn *insn, const struct isa_operand *operand) {
    return operand->kind == ISA_SHARED || (insn->src[0].kind != ISA_SHARED && insn->dst.kind != ISA_SHARED);
}

static const uint32_t *read_memory(struct step *s, const struct isa_operand *operand, uint32_t room[WARP_LANES]) {
    const bool shared = operand->kind == ISA_SHARED;
    const struct operand_memory memory = {
        .mem = shared ? &s->warp->block->shared : &s->m->bank[operand->bank],
        .align = shared ? TRAP_SHARED_ALIGN : TRAP_CONST_ALIGN,
        .name = shared ? "g[0x%x]" : "c[0x%x]",
    };
    if (!operand->indexed) {
        load_uniform(s, &memory, operand, s->insn->areg_inc && is_first_memory(s->insn, operand) ? 0 : operand->value,
                     room);
        return room;
    }
    const uint32_t undefined = read_addresses(s, operand, room);
    step_adopt_trap(s, undefined, memory.align, operand->bytes);
    load_indexed(s, &memory, operand, s->rtl != NULL ? s->exec & ~undefined : s->exec, room);
    return room;
}

/* A 16-bit operation takes the low half of whatever its operand is; the accumulator of ISAD stays 32 bits wide, and the
 * width of I2I is that of its result. */
static bool takes_half(const struct isa_insn *insn, unsigned i) {
    return (insn->attr & ISA_W16) != 0 && insn->op != OP_I2I && !(insn->op == OP_ISAD && i == 2);
}

const uint32_t *read_source(struct step *s, unsigned i, uint32_t room[WARP_LANES]) {
    const struct isa_operand *operand = &s->insn->src[i];
    switch (operand->kind) {
    case ISA_REG32: return read_register(s, operand->reg);
    case ISA_REG16: return read_half(s, operand->reg, room);
    case ISA_IMM: lanes_fill(room, takes_half(s->insn, i) ? operand->value & 0xffffu : operand->value); return room;
    case ISA_SHARED:
    case ISA_CONST:
        read_memory(s, operand, room);
        for (unsigned lane = 0; takes_half(s->insn, i) && lane < WARP_LANES; lane++) room[lane] &= 0xffffu;
        return room;
    default: return NULL;
    }
}
