/* SPDX-License-Identifier: Apache-2.0 */
#include "identity.h"

#include <string.h>

#include "crc.h"

static uint32_t check_of(const uint32_t words[IDENTITY_USED]) {
    uint32_t sum = CRC_NOTHING;
    for (unsigned i = 0; i < IDENTITY_CHECK; i++) sum = crc_word(sum, words[i]);
    return sum;
}

const char *identity_read(const uint32_t words[IDENTITY_USED], struct identity *identity) {
    if (words[IDENTITY_MAGIC] != IDENTITY_VALUE)
        return "the design has no identity of Warpstep: it is another one, or its bitstream was not finished";
    if (words[IDENTITY_VERSION] != IDENTITY_ISSUE)
        return "the design's identity is of another version than this loader";
    if (words[IDENTITY_CHECK] != check_of(words)) return "the design's identity is damaged";
    if (words[IDENTITY_MEMORY] >= BOARD_MEMORIES)
        return "the design's memory is of a kind that this loader does not know";
    *identity = (struct identity){.clock_hz = words[IDENTITY_CLOCK_HZ],
                                  .fmax_hz = words[IDENTITY_FMAX_HZ],
                                  .commit = words[IDENTITY_COMMIT],
                                  .timing_met = words[IDENTITY_TIMING] == 1,
                                  .dirty = words[IDENTITY_DIRTY] != 0,
                                  .has_atomics = words[IDENTITY_ATOMICS] != 0,
                                  .memory = words[IDENTITY_MEMORY],
                                  .code_bytes = words[IDENTITY_CODE_BYTES],
                                  .global_bytes = words[IDENTITY_GLOBAL_BYTES],
                                  .const_bytes = words[IDENTITY_CONST_BYTES],
                                  .shared_bytes = words[IDENTITY_SHARED_BYTES],
                                  .registers = words[IDENTITY_REGISTERS],
                                  .stack_depth = words[IDENTITY_STACK_DEPTH]};
    for (unsigned i = 0; i < IDENTITY_NAME_BYTES; i++)
        identity->name[i] = (char)(words[IDENTITY_NAME + i / 4] >> 8 * (i % 4) & 0xff);
    return NULL;
}

static const struct {
    const char *name, *text;
} MEMORIES[BOARD_MEMORIES] = {
#define BOARD_MEMORY(name, number, text) [number] = {#name, text},
#include "../spec/board.def"
};

const char *identity_memory_text(uint32_t memory) { return MEMORIES[memory].text; }
const char *identity_memory_name(uint32_t memory) { return MEMORIES[memory].name; }

int identity_find_memory(const char *name) {
    for (int i = 0; i < BOARD_MEMORIES; i++)
        if (strcmp(MEMORIES[i].name, name) == 0) return i;
    return -1;
}

int identity_find(const char *name, size_t length) {
    static const struct {
        const char *name;
        int index;
    } WORDS[] = {
#define BOARD_WORD(name, index, text) {#name, index},
#include "../spec/board.def"
    };
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++)
        if (strlen(WORDS[i].name) == length && memcmp(name, WORDS[i].name, length) == 0) return WORDS[i].index;
    return -1;
}

void identity_set_name(uint32_t words[IDENTITY_USED], const char *name) {
    for (unsigned i = 0; i < IDENTITY_NAME_BYTES && name[i] != '\0'; i++)
        words[IDENTITY_NAME + i / 4] |= (uint32_t)(unsigned char)name[i] << 8 * (i % 4);
}

void identity_seal(uint32_t words[IDENTITY_USED]) {
    words[IDENTITY_MAGIC] = IDENTITY_VALUE;
    words[IDENTITY_VERSION] = IDENTITY_ISSUE;
    words[IDENTITY_CHECK] = check_of(words);
}
