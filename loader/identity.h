/* SPDX-License-Identifier: Apache-2.0 */
/* The identity of a board: IDENTITY_WORDS words at BOARD_IDENTITY, of which spec/board.def says what they are. The
 * flow that makes a bitstream writes them (fpga/boards/write_identity.c), the loader reads them.
 *
 *     struct identity identity;
 *     const char *why = identity_read(words, &identity);
 *     if (why != NULL) ...                                   // "no identity", in words
 */
#ifndef WARPSTEP_IDENTITY_H
#define WARPSTEP_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum board_reg {
#define BOARD_REG(name, address, access, text) BOARD_##name = (address),
#include "../spec/board.def"
    BOARD_REGS_END = 0x410 /* behind the last of them that are of every board */
};

enum board_memory {
#define BOARD_MEMORY(name, number, text) BOARD_MEMORY_##name = (number),
#include "../spec/board.def"
    BOARD_MEMORIES
};

enum setup_word {
#define BOARD_SETUP_WORD(name, index, text) SETUP_##name = (index),
#include "../spec/board.def"
    BOARD_SETUP_WORDS = 128,
    SETUP_DONE = 0x59444552, /* in the register at READY: "REDY" */
};

enum identity_word {
#define BOARD_WORD(name, index, text) IDENTITY_##name = (index),
#include "../spec/board.def"
    IDENTITY_USED,               /* CHECK is the last */
    IDENTITY_WORDS = 512,        /* of the memory: a whole block RAM */
    IDENTITY_VALUE = 0x44495357, /* of MAGIC: "WSID" */
    IDENTITY_ISSUE = 2,          /* of VERSION */
    IDENTITY_NAME_BYTES = 32,
};

/* The memory that holds it, on the bus of the bridge, and the one that says how SDRAM is set up. */
#define BOARD_IDENTITY UINT32_C(0x80000000)
#define BOARD_SETUP    UINT32_C(0x80001000)

struct identity {
    char name[IDENTITY_NAME_BYTES + 1];
    uint32_t clock_hz, fmax_hz, commit;
    bool timing_met, dirty, has_atomics;
    uint32_t memory; /* enum board_memory: where global memory is */
    uint32_t code_bytes, global_bytes, const_bytes, shared_bytes, registers, stack_depth;
};

/* Takes the words apart. NULL, or why they are no identity that this loader knows: a text without full stop. */
const char *identity_read(const uint32_t words[IDENTITY_USED], struct identity *identity);

/* What kind of memory that is, for people ("SDRAM"), and as in fpga/boards/boards.tsv ("sdr"). */
const char *identity_memory_text(uint32_t memory);
const char *identity_memory_name(uint32_t memory);

/* For those who write one. identity_find: the number of the word of that name, of `length` letters, or -1.
 * identity_find_memory: the number of that kind of memory, or -1.
 * identity_set_name cuts what is too long. identity_seal sets MAGIC, VERSION and CHECK, when all else is there. */
int identity_find(const char *name, size_t length);
int identity_find_memory(const char *name);
void identity_set_name(uint32_t words[IDENTITY_USED], const char *name);
void identity_seal(uint32_t words[IDENTITY_USED]);

#endif
