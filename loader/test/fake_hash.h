/* SPDX-License-Identifier: Apache-2.0 */
/* The registers of fpga/boards/retire_hash.vhd in C, for the fake board: their contents after the given records. The
 * hash itself is loader/hash.c; fpga/boards/sim/test.sh and retire_hash_tb show that the hardware computes the same. */
#ifndef WARPSTEP_TEST_FAKE_HASH_H
#define WARPSTEP_TEST_FAKE_HASH_H

#include <stdbool.h>
#include <stdint.h>

#include "../../cmodel/retire.h"

enum { FAKE_HASH_WORDS = 0x400 / 4, FAKE_HASH_SLOTS = 32 };

struct fake_hash {
    uint32_t regs[FAKE_HASH_WORDS];
    uint32_t numbers[FAKE_HASH_SLOTS]; /* number of the next instruction of each slot's warp */
};

static inline bool fake_hash_is(uint32_t adr) { return adr >> 13 == 1; }
void fake_hash_write(struct fake_hash *h, uint32_t adr, uint32_t word);
uint32_t fake_hash_read(const struct fake_hash *h, uint32_t adr);

/* One record of one SM; registers: of the launch. */
void fake_hash_take(struct fake_hash *h, const struct retire *record, unsigned registers);

#endif
