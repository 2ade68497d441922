/* SPDX-License-Identifier: Apache-2.0 */
/* The hash of what a warp retires, as fpga/boards/retire_hash.vhd has it of the hardware: two sums modulo 2^32, of
 * which the second is what loads brought. docs/decisions/0015-hash-of-retired-instructions.md says what goes in. Sums
 * add up: a hash of several blocks, SMs or instructions is the sum of theirs.
 *
 *     struct hash h = {0};
 *     for each record of the warp: hash_add(&h, &record, number++, registers);
 */
#ifndef WARPSTEP_LOADER_HASH_H
#define WARPSTEP_LOADER_HASH_H

#include <stdbool.h>
#include <stdint.h>

#include "../cmodel/retire.h"

struct hash {
    uint32_t insns, loads;
};

/* number: of the instruction in its warp, from 0; registers: of the launch. Not of a machine with atomics. */
void hash_add(struct hash *h, const struct retire *record, uint32_t number, unsigned registers);

bool hash_is_load(const struct retire *record); /* its dst comes later, and is among the loads */
bool hash_loads_word(const struct retire *record, unsigned word, unsigned registers); /* the load has this word */

#endif
