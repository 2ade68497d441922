/* SPDX-License-Identifier: Apache-2.0 */
/* The operands that an instruction reads in one lane: registers, and cells of shared memory and constants, by name and
 * value.
 *
 *     struct operand_place at = {.warp = &saved, .image = image};
 *     char text[OPERANDS_TEXT_MAX];
 *     operands_print(&at, &insn, 3, text);            // "R1 0x00000005, C0 0x1, c[1][0x4] 0x00000020"
 */
#ifndef WARPSTEP_OPERANDS_H
#define WARPSTEP_OPERANDS_H

#include "../../assembler/isa/isa.h"
#include "../model.h"

/* State to read from: the warp before the instruction, its block's shared memory. */
struct operand_place {
    const struct model_saved *warp;
    const struct image *image; /* constants; NULL: omit cells of constants */
    const uint8_t *shared;     /* image->shared_bytes bytes; NULL: omit cells of shared memory */
};

enum { OPERANDS_TEXT_MAX = 256 };

/* Called once for each operand, registers first; `digits` hexadecimal digits show all of it. */
typedef void operand_fn(void *state, const char *name, unsigned digits, uint32_t value);
void operands_visit(const struct operand_place *at, const struct isa_insn *insn, unsigned lane, operand_fn *visit,
                    void *state);

/* All operands in one line, empty if there are none. Returns `text`, which holds OPERANDS_TEXT_MAX bytes. */
const char *operands_print(const struct operand_place *at, const struct isa_insn *insn, unsigned lane, char *text);

/* The lane's flags of a C register (0 to 3): bits 3 to 0 are overflow, carry, sign, zero. */
unsigned operands_flags(const struct model_saved *warp, unsigned creg, unsigned lane);

#endif
