/* SPDX-License-Identifier: Apache-2.0 */
/* The registers of one warp: R, A and C, lane by lane, with one bit each that tells whether they were written. An
 * undefined register holds 0, so that a read needs no special case; the test for definedness is one AND.
 *
 *     uint32_t undefined = exec & ~regfile_defined32(file, 5);  // lanes that read R5 too early
 */
#ifndef WARPSTEP_REGFILE_H
#define WARPSTEP_REGFILE_H

#include <assert.h>

#include "../../assembler/isa/isa.h"
#include "lanes.h"
#include "predicate.h"

enum { REGFILE_AREGS = 5, REGFILE_CREGS = 4 };

struct regfile {
    unsigned count; /* registers of a thread in this launch; registers beyond read 0 */
    uint32_t reg[ISA_REGS][WARP_LANES];
    uint32_t half_defined[ISA_REGS][2];       /* lanes whose low, high half was written */
    uint32_t areg[REGFILE_AREGS][WARP_LANES]; /* 16 bits each; A0 stays 0 */
    uint32_t areg_defined[REGFILE_AREGS];
    struct flags creg[REGFILE_CREGS];
    uint32_t creg_defined[REGFILE_CREGS];
};

/* A new warp: R0 holds r0 in every lane, all other registers are undefined. */
void regfile_reset(struct regfile *file, unsigned count, const uint32_t r0[WARP_LANES]);

/* True if register `reg` of this launch can hold a 32-bit value: it is below the count and not R124, which reads 0. */
static inline bool regfile_is_readable(const struct regfile *file, unsigned reg) {
    return reg < file->count && reg != ISA_REG_ZERO;
}

/* True if a write to 32-bit register `reg` has an effect. Source: docs/isa.md 2.1. */
static inline bool regfile_is_writable(const struct regfile *file, unsigned reg) {
    return reg < file->count && reg != ISA_REG_SINK;
}

/* Lanes in which both halves of a readable register are defined. */
static inline uint32_t regfile_defined32(const struct regfile *file, unsigned reg) {
    return file->half_defined[reg][0] & file->half_defined[reg][1];
}

/* Writes the lanes of mask. */
LANES_INLINE void regfile_write32(struct regfile *file, unsigned reg, const uint32_t value[WARP_LANES], uint32_t mask) {
    assert(reg < ISA_REGS);
    lanes_write(file->reg[reg], value, mask);
    file->half_defined[reg][0] |= mask;
    file->half_defined[reg][1] |= mask;
}

/* `half` is 2n for the low half of register n and 2n + 1 for the high one; values are 16 bits. */
LANES_INLINE void regfile_write16(struct regfile *file, unsigned half, const uint32_t value[WARP_LANES],
                                  uint32_t mask) {
    assert(half / 2 < ISA_REGS);
    uint32_t *reg = file->reg[half / 2];
    const unsigned shift = half % 2 * 16;
    const uint32_t keep = half % 2 == 0 ? 0xffff0000u : 0x0000ffffu;
    uint32_t merged[WARP_LANES];
    for (unsigned i = 0; i < WARP_LANES; i++) merged[i] = (reg[i] & keep) | (value[i] << shift & ~keep);
    lanes_write(reg, merged, mask);
    file->half_defined[half / 2][half % 2] |= mask;
}

/* The 16-bit values of a half register, zero-extended. */
LANES_INLINE void regfile_read16(const struct regfile *file, unsigned half, uint32_t value[WARP_LANES]) {
    const uint32_t *reg = file->reg[half / 2];
    const unsigned shift = half % 2 * 16;
    for (unsigned i = 0; i < WARP_LANES; i++) value[i] = reg[i] >> shift & 0xffffu;
}

LANES_INLINE void regfile_write_areg(struct regfile *file, unsigned areg, const uint32_t value[WARP_LANES],
                                     uint32_t mask) {
    assert(areg > 0 && areg < REGFILE_AREGS);
    lanes_write(file->areg[areg], value, mask);
    file->areg_defined[areg] |= mask;
}

LANES_INLINE void regfile_write_creg(struct regfile *file, unsigned creg, const struct flags *value, uint32_t mask) {
    assert(creg < REGFILE_CREGS);
    flags_write(&file->creg[creg], value, mask);
    file->creg_defined[creg] |= mask;
}

#endif
