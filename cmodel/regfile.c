/* SPDX-License-Identifier: Apache-2.0 */
/* The registers of one warp, see regfile.h. */
#include "regfile.h"

#include <assert.h>

void regfile_reset(struct regfile *file, unsigned count, const uint32_t r0[WARP_LANES]) {
    memset(file->reg, 0, count * sizeof file->reg[0]);
    memset(file->half_defined, 0, sizeof file->half_defined);
    memset(file->areg, 0, sizeof file->areg);
    memset(file->areg_defined, 0, sizeof file->areg_defined);
    memset(file->creg, 0, sizeof file->creg);
    memset(file->creg_defined, 0, sizeof file->creg_defined);
    file->count = count;
    file->areg_defined[0] = LANES_ALL;
    regfile_write32(file, 0, r0, LANES_ALL);
}

void regfile_write32(struct regfile *file, unsigned reg, const uint32_t value[WARP_LANES], uint32_t mask) {
    assert(reg < REGFILE_REGS);
    lanes_write(file->reg[reg], value, mask);
    file->half_defined[reg][0] |= mask;
    file->half_defined[reg][1] |= mask;
}

void regfile_write16(struct regfile *file, unsigned half, const uint32_t value[WARP_LANES], uint32_t mask) {
    assert(half / 2 < REGFILE_REGS);
    uint32_t *reg = file->reg[half / 2];
    const unsigned shift = half % 2 * 16;
    const uint32_t keep = half % 2 == 0 ? 0xffff0000u : 0x0000ffffu;
    uint32_t merged[WARP_LANES];
    for (unsigned i = 0; i < WARP_LANES; i++) merged[i] = (reg[i] & keep) | (value[i] << shift & ~keep);
    lanes_write(reg, merged, mask);
    file->half_defined[half / 2][half % 2] |= mask;
}

void regfile_read16(const struct regfile *file, unsigned half, uint32_t value[WARP_LANES]) {
    const uint32_t *reg = file->reg[half / 2];
    const unsigned shift = half % 2 * 16;
    for (unsigned i = 0; i < WARP_LANES; i++) value[i] = reg[i] >> shift & 0xffffu;
}

void regfile_write_areg(struct regfile *file, unsigned areg, const uint32_t value[WARP_LANES], uint32_t mask) {
    assert(areg > 0 && areg < REGFILE_AREGS);
    lanes_write(file->areg[areg], value, mask);
    file->areg_defined[areg] |= mask;
}

void regfile_write_creg(struct regfile *file, unsigned creg, const struct flags *value, uint32_t mask) {
    assert(creg < REGFILE_CREGS);
    flags_write(&file->creg[creg], value, mask);
    file->creg_defined[creg] |= mask;
}
