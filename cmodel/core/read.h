/* SPDX-License-Identifier: Apache-2.0 */
/* The read stage: source operands as 32 lane values, from registers, shared memory, constants or the instruction
 * itself. Reads of undefined values are noted, bad addresses raise a trap. */
#ifndef WARPSTEP_READ_H
#define WARPSTEP_READ_H

#include "step.h"

/* 32-bit register `reg` (an address or data register of a memory instruction). */
LANES_INLINE const uint32_t *read_register(struct step *s, unsigned reg) {
    struct regfile *file = &s->warp->file;
    if (!regfile_is_readable(file, reg)) return LANES_ZERO;
    const uint32_t undefined = s->exec & ~regfile_defined32(file, reg);
    if (undefined != 0) step_note_undefined(s, undefined, "R%u", reg);
    return file->reg[reg];
}

LANES_INLINE const uint32_t *read_half(struct step *s, unsigned half, uint32_t room[WARP_LANES]) {
    struct regfile *file = &s->warp->file;
    if (half / 2 >= file->count) return LANES_ZERO;
    const uint32_t undefined = s->exec & ~file->half_defined[half / 2][half % 2];
    if (undefined != 0) step_note_undefined(s, undefined, half % 2 == 0 ? "R%uL" : "R%uH", half / 2);
    regfile_read16(file, half, room);
    return room;
}

/* A register (0..4) of all lanes; undefined reads are noted. */
LANES_INLINE const uint32_t *read_areg(struct step *s, unsigned areg) {
    const uint32_t undefined = s->exec & ~s->warp->file.areg_defined[areg];
    if (undefined != 0) {
        step_note_undefined(s, undefined, "A%u", areg);
        s->undefined_areg |= undefined;
    }
    return s->warp->file.areg[areg];
}

/* The flags of C register `creg`; undefined reads are noted. */
LANES_INLINE const struct flags *read_creg(struct step *s, unsigned creg) {
    const uint32_t undefined = s->exec & ~s->warp->file.creg_defined[creg];
    if (undefined != 0) step_note_undefined(s, undefined, "C%u", creg);
    return &s->warp->file.creg[creg];
}

/* The width of a conversion is the width of its result. */
LANES_INLINE bool is_conversion(const struct isa_insn *insn) {
    return insn->op == OP_I2I || insn->op == OP_I2F || insn->op == OP_F2I || insn->op == OP_F2F;
}

/* A 16-bit operation takes the low half of its operand, whatever the kind; the accumulator of ISAD stays 32 bits
 * wide. */
LANES_INLINE bool takes_half(const struct isa_insn *insn, unsigned i) {
    return (insn->attr & ISA_W16) != 0 && !is_conversion(insn) && !(insn->op == OP_ISAD && i == 2);
}

/* Byte addresses of a memory operand: offset + A, without wrapping. `room` holds them; returns the lanes whose A is
 * undefined. */
uint32_t read_addresses(struct step *s, const struct isa_operand *operand, uint32_t room[WARP_LANES]);

/* The cells of an operand in shared memory or constants, into `room`. */
void read_memory(struct step *s, const struct isa_operand *operand, uint32_t room[WARP_LANES]);

/* Source `i` of the instruction for the lanes of step.exec; other lanes are undefined. Returns the lanes in `room` or
 * in the register file itself, valid until the next write. */
LANES_INLINE const uint32_t *read_source(struct step *s, unsigned i, uint32_t room[WARP_LANES]) {
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

#endif
