/* SPDX-License-Identifier: Apache-2.0 */
/* Global memory of the fake board with SDRAM: until all steps have been done in order, reads are wrong, and a byte of
 * DDR3's data bus reads wrong at any delay but its own.
 *
 *     struct fake_sdram sdram = fake_sdram_make(BOARD_MEMORY_ddr3, 0);
 *     fake_sdram_write(&sdram, adr, word);
 *     word = fake_sdram_seen(&sdram, word);
 */
#ifndef WARPSTEP_TEST_FAKE_SDRAM_H
#define WARPSTEP_TEST_FAKE_SDRAM_H

#include "../identity.h"

enum { FAKE_LANES = 2 };

struct fake_sdram {
    enum board_memory kind;
    uint32_t stuck; /* bits of each word that are stuck at 1 */
    uint32_t table[BOARD_SETUP_WORDS];
    uint32_t done;  /* steps */
    uint32_t ready; /* a register */
    uint32_t selected;
    struct {
        unsigned slip, delay;
    } lanes[FAKE_LANES];
};

struct fake_sdram fake_sdram_make(enum board_memory kind, uint32_t stuck);

/* Accesses to its registers and its table; unmapped addresses ignore writes and read as 0. */
void fake_sdram_write(struct fake_sdram *s, uint32_t adr, uint32_t word);
uint32_t fake_sdram_read(const struct fake_sdram *s, uint32_t adr);

/* The word that a read returns. */
uint32_t fake_sdram_seen(const struct fake_sdram *s, uint32_t word);

#endif
