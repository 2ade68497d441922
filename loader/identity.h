/* SPDX-License-Identifier: Apache-2.0 */
/* The identity of a board: IDENTITY_WORDS words at BOARD_IDENTITY, defined by spec/board.def. The flow that makes a
 * bitstream writes them (fpga/boards/write_identity.c), the loader reads them.
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
    BOARD_REGS_END = 0x410 /* after the last register that every board has */
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

/* The memory that holds the identity, on the bus of the bridge, and the one with the set-up of SDRAM. */
#define BOARD_IDENTITY UINT32_C(0x80000000)
#define BOARD_SETUP    UINT32_C(0x80001000)

struct identity {
    char name[IDENTITY_NAME_BYTES + 1];
    uint32_t clock_hz, fmax_hz, commit;
    bool timing_met, dirty, has_atomics;
    uint32_t memory; /* enum board_memory: location of global memory */
    uint32_t code_bytes, global_bytes, const_bytes, shared_bytes, registers, stack_depth;
};

/* Parses the words. NULL, or the reason why they are no identity that this loader knows: a text without full stop. */
const char *identity_read(const uint32_t words[IDENTITY_USED], struct identity *identity);

/* The kind of memory, for readers ("SDRAM"), and as in fpga/boards/boards.tsv ("sdr"). */
const char *identity_memory_text(uint32_t memory);
const char *identity_memory_name(uint32_t memory);

/* For writers of an identity. identity_find: the number of the word with that name, of `length` letters, or -1.
 * identity_find_memory: the number of that kind of memory, or -1. identity_set_name truncates a long name.
 * identity_seal sets MAGIC, VERSION and CHECK, after everything else. */
int identity_find(const char *name, size_t length);
int identity_find_memory(const char *name);
void identity_set_name(uint32_t words[IDENTITY_USED], const char *name);
void identity_seal(uint32_t words[IDENTITY_USED]);

#endif
