/* SPDX-License-Identifier: Apache-2.0 */
/* Assembles the record of one warp instruction from the board's captures, eight lanes and one word of its access at a
 * time.
 *
 *     struct captured c = {0};
 *     for each octet and part: captured_take(&c, &hashing);
 *     why = captured_record(&c, &record);
 */
#ifndef WARPSTEP_LOADER_CAPTURED_H
#define WARPSTEP_LOADER_CAPTURED_H

#include "../cmodel/retire.h"
#include "board.h"

enum { CAPTURED_OCTETS = WARP_LANES / 8, CAPTURED_WORDS = BOARD_CAPTURED_WORDS };

struct captured {
    bool seen[RETIRE_WORDS][CAPTURED_OCTETS];
    bool load; /* its load values have arrived */
    uint32_t words[RETIRE_WORDS][CAPTURED_OCTETS][CAPTURED_WORDS];
};

void captured_take(struct captured *c, const struct board_hashing *hashing);

/* Words of the access as known so far: all these parts must be taken. */
unsigned captured_parts(const struct captured *c);

/* The record. NULL on success, or the reason why the port broke its rules. The text is valid until the next call. */
const char *captured_record(const struct captured *c, struct retire *record, char why[160]);

#endif
