/* SPDX-License-Identifier: Apache-2.0 */
#include "fake_hash.h"

#include <string.h>

#include "../../checker/test/port.h"
#include "../board.h"
#include "../hash.h"

enum { WORD = 4, OCTET = 8 };

static unsigned index_of(uint32_t adr) { return adr / WORD % FAKE_HASH_WORDS; }
static uint32_t *reg(struct fake_hash *h, uint32_t adr) { return &h->regs[index_of(adr)]; }

void fake_hash_write(struct fake_hash *h, uint32_t adr, uint32_t word) {
    if (adr != BOARD_HASH_CLEAR) {
        *reg(h, adr) = word;
        return;
    }
    memset(h->numbers, 0, sizeof h->numbers);
    memset(reg(h, BOARD_HASH_INSNS), 0, BOARD_HASH_CAPTURED - BOARD_HASH_INSNS);
    *reg(h, BOARD_HASH_SEEN) = 0;
}

uint32_t fake_hash_read(const struct fake_hash *h, uint32_t adr) { return h->regs[index_of(adr)]; }

/* Eight lanes of one part, as on the retire port; load values follow. */
static void keep(struct fake_hash *h, const struct retire *r, unsigned registers) {
    const uint32_t pick = *reg(h, BOARD_HASH_PICK);
    const unsigned octet = pick & 3, part = pick >> 2 & 3;
    const bool load = hash_is_load(r) && r->trap == TRAP_NONE;
    struct retire seen = *r;
    struct port_image port;
    uint32_t *words = reg(h, BOARD_HASH_CAPTURED);
    if (load) seen.dst_mask = 0;
    port_clear(&port, OCTET);
    port_put_beat(&port,
                  &(struct port_beat){.row = octet, .lanes = UINT32_MAX, .last = true, .pending = load, .part = part},
                  &seen);
    memcpy(words, port.words, BOARD_PORT_WORDS * WORD);
    *reg(h, BOARD_HASH_SEEN) = load ? 3 : 1;
    if (!load || !hash_loads_word(r, part, registers)) {
        memset(words + BOARD_PORT_WORDS, 0, (BOARD_CAPTURED_WORDS - BOARD_PORT_WORDS) * WORD);
        return;
    }
    words[BOARD_PORT_WORDS] = r->dst_mask >> OCTET * octet & 0xff;
    memcpy(words + BOARD_PORT_WORDS + 1, (part == 0 ? r->dst : r->dst_rest[part - 1]) + OCTET * octet, OCTET * WORD);
}

void fake_hash_take(struct fake_hash *h, const struct retire *r, unsigned registers) {
    const uint32_t number = h->numbers[r->slot], block = r->block_y << 16 | r->block_x, place = r->warp * WORD;
    const bool within = block >= *reg(h, BOARD_HASH_FROM) && block <= *reg(h, BOARD_HASH_TO);
    struct hash hash = {0};
    h->numbers[r->slot] = r->state == RETIRE_FINISHED || r->state == RETIRE_TRAPPED ? 0 : number + 1;
    if (within && number < *reg(h, BOARD_HASH_LIMITS + place)) {
        hash_add(&hash, r, number, registers);
        *reg(h, BOARD_HASH_INSNS + place) += hash.insns;
        *reg(h, BOARD_HASH_LOADS + place) += hash.loads;
        ++*reg(h, BOARD_HASH_COUNTS + place);
    }
    if (block == *reg(h, BOARD_HASH_TO) && *reg(h, BOARD_HASH_WATCH) == (r->warp << 24 | number)) keep(h, r, registers);
}
