/* SPDX-License-Identifier: Apache-2.0 */
/* The hash of a warp's retired instructions, as computed by fpga/boards/retire_hash.vhd in hardware: two sums modulo
 * 2^32, the second one of load values. docs/decisions.md lists the hashed fields. Sums are additive: the hash of
 * several blocks, SMs or instructions is the sum of theirs.
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

/* number: of the instruction in its warp, from 0; registers: of the launch. Not for a machine with atomics. */
void hash_add(struct hash *h, const struct retire *record, uint32_t number, unsigned registers);

bool hash_is_load(const struct retire *record); /* its dst arrives later, in the sum of loads */
bool hash_loads_word(const struct retire *record, unsigned word, unsigned registers); /* the load has this word */

#endif
