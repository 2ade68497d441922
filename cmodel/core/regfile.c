/* SPDX-License-Identifier: Apache-2.0 */
/* The registers of one warp, see regfile.h. */
#include "regfile.h"

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
