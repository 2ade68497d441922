/* SPDX-License-Identifier: Apache-2.0 */
#include "fake_sdram.h"

enum { WORD = 4, STEPS = 3, STEP_WORDS = 3, DELAYS = 8, SLIPS = 4 };

#define REGISTERS UINT32_C(0xf0000000)
enum { READY = 0x4, CONTROL = 0x100, COMMAND = 0x104, SELECT = 0x200, DELAY_0, DELAY_1, SLIP_0, SLIP_1 };

static uint32_t at(unsigned reg) { return REGISTERS + reg * WORD; }

struct fake_sdram fake_sdram_make(enum board_memory kind, uint32_t stuck) {
    struct fake_sdram s = {.kind = kind, .stuck = stuck};
    const uint32_t steps[STEPS][STEP_WORDS] = {
        {at(CONTROL), 0,  200},
        {at(COMMAND), 11, 0  },
        {at(CONTROL), 1,  0  }
    };
    s.table[SETUP_STEPS] = STEPS;
    s.table[SETUP_READY] = at(READY);
    for (unsigned i = 0; i < STEPS * STEP_WORDS; i++) s.table[SETUP_STEP + i] = steps[i / STEP_WORDS][i % STEP_WORDS];
    if (kind != BOARD_MEMORY_ddr3) return s;
    s.table[SETUP_LANES] = FAKE_LANES;
    s.table[SETUP_DELAYS] = DELAYS;
    s.table[SETUP_SLIPS] = SLIPS;
    s.table[SETUP_SELECT] = at(SELECT);
    s.table[SETUP_DELAY_FIRST] = at(DELAY_0);
    s.table[SETUP_DELAY_NEXT] = at(DELAY_1);
    s.table[SETUP_SLIP_FIRST] = at(SLIP_0);
    s.table[SETUP_SLIP_NEXT] = at(SLIP_1);
    return s;
}

static void set_lane(struct fake_sdram *s, unsigned lane, uint32_t adr) {
    if (adr == at(DELAY_0)) s->lanes[lane].delay = 0;
    if (adr == at(DELAY_1)) s->lanes[lane].delay++;
    if (adr == at(SLIP_0)) s->lanes[lane].slip = 0;
    if (adr == at(SLIP_1)) s->lanes[lane].slip++;
}

/* A write to a step's register out of order restarts the sequence. */
static void count_step(struct fake_sdram *s, uint32_t adr, uint32_t word) {
    const uint32_t *next = s->table + SETUP_STEP + STEP_WORDS * (s->done % STEPS);
    if (adr != at(CONTROL) && adr != at(COMMAND)) return;
    s->done = s->done < STEPS && adr == next[0] && word == next[1]
                  ? s->done + 1
                  : adr == s->table[SETUP_STEP] && word == s->table[SETUP_STEP + 1];
}

void fake_sdram_write(struct fake_sdram *s, uint32_t adr, uint32_t word) {
    count_step(s, adr, word);
    if (adr == at(READY)) s->ready = word;
    if (adr == at(SELECT)) s->selected = word;
    for (unsigned lane = 0; lane < FAKE_LANES; lane++)
        if ((s->selected >> lane & 1) != 0) set_lane(s, lane, adr);
}

uint32_t fake_sdram_read(const struct fake_sdram *s, uint32_t adr) {
    if (adr == at(READY)) return s->ready;
    return adr - BOARD_SETUP < sizeof s->table ? s->table[(adr - BOARD_SETUP) / WORD] : 0;
}

/* Lane 0 is right with a slip of two bits, at four delays; lane 1 at five others, and by chance at one more before
 * them. A board gets warm in use: then the first and the last of them are no longer right. */
static bool is_timed(const struct fake_sdram *s, unsigned lane) {
    const unsigned slip = s->lanes[lane].slip, delay = s->lanes[lane].delay, warm = s->ready == SETUP_DONE;
    if (lane == 0) return slip == 2 && delay >= 2 + warm && delay <= 5 - warm;
    return (slip == 0 && delay == 7) || (slip == 3 && delay >= warm && delay <= 4 - warm);
}

uint32_t fake_sdram_seen(const struct fake_sdram *s, uint32_t word) {
    if (s->kind == BOARD_MEMORY_bram) return word;
    if (s->done != STEPS || s->selected != 0) return ~word;
    word |= s->stuck;
    for (unsigned lane = 0; lane < FAKE_LANES && s->kind == BOARD_MEMORY_ddr3; lane++)
        if (!is_timed(s, lane)) word ^= UINT32_C(0x00010001) << 8 * lane;
    return word;
}
