/* SPDX-License-Identifier: Apache-2.0 */
#include "captured.h"

#include <stdio.h>
#include <string.h>

#include "../checker/record/unpack.h"

enum { OCTET = 8, PORT_BITS = RETIRE_BITS + OCTET * RETIRE_LANE_BITS, MASK_AT = BOARD_PORT_WORDS };
_Static_assert((PORT_BITS + 31) / 32 == BOARD_PORT_WORDS, "the board keeps the port of eight lanes");

void captured_take(struct captured *c, const struct board_hashing *h) {
    const unsigned part = h->part % RETIRE_WORDS, octet = h->octet % CAPTURED_OCTETS;
    c->seen[part][octet] = h->seen;
    c->load |= h->load_seen;
    memcpy(c->words[part][octet], h->captured, sizeof h->captured);
}

static void put(uint32_t *words, unsigned first, unsigned count, uint32_t value) {
    for (unsigned i = 0; i < count; i++) {
        const unsigned bit = first + i;
        words[bit / 32] = (words[bit / 32] & ~((uint32_t)1 << bit % 32)) | (value >> i & 1) << bit % 32;
    }
}

static uint32_t get(const uint32_t *words, unsigned first, unsigned count) {
    uint32_t value = 0;
    for (unsigned i = 0; i < count; i++) value |= (words[(first + i) / 32] >> (first + i) % 32 & 1) << i;
    return value;
}

unsigned captured_parts(const struct captured *c) {
    const struct retire r = {.mem_bytes = get(c->words[0][0], AT_mem_bytes, AT_END_mem_bytes - AT_mem_bytes + 1)};
    const unsigned words = retire_words(&r);
    return words <= RETIRE_WORDS ? words : RETIRE_WORDS;
}

/* The beat of one part of eight lanes, which may have come in several beats. */
static bool feed_beat(struct unpack *u, const struct captured *c, unsigned part, unsigned octet, bool last) {
    uint32_t port[BOARD_PORT_WORDS];
    memcpy(port, c->words[part][octet], sizeof port);
    put(port, AT_valid, 1, 1);
    put(port, AT_last, 1, last);
    put(port, AT_row, AT_END_row - AT_row + 1, octet);
    put(port, AT_part, AT_END_part - AT_part + 1, part);
    put(port, AT_load_valid, 1, 0);
    return unpack_clock(u, port, NULL, 0);
}

static bool feed_load(struct unpack *u, const struct captured *c, unsigned part, unsigned octet, bool last) {
    const uint32_t *words = c->words[part][octet];
    uint32_t port[BOARD_PORT_WORDS] = {0};
    put(port, AT_load_valid, 1, 1);
    put(port, AT_load_last, 1, last);
    put(port, AT_load_row, AT_END_load_row - AT_load_row + 1, octet);
    put(port, AT_load_part, AT_END_load_part - AT_load_part + 1, part);
    for (unsigned i = 0; i < OCTET; i++) {
        const unsigned lane = RETIRE_BITS + i * RETIRE_LANE_BITS;
        put(port, lane + LANE_AT_load_mask, 1, words[MASK_AT] >> i & 1);
        put(port, lane + LANE_AT_dst, 32, words[MASK_AT + 1 + i]);
    }
    return unpack_clock(u, port, NULL, 0);
}

typedef bool feed_fn(struct unpack *u, const struct captured *c, unsigned part, unsigned octet, bool last);

static bool feed(struct unpack *u, const struct captured *c, feed_fn *one) {
    const unsigned parts = captured_parts(c);
    bool good = true;
    for (unsigned part = 0; part < parts && good; part++)
        for (unsigned octet = 0; octet < CAPTURED_OCTETS && good; octet++)
            good = one(u, c, part, octet, part + 1 == parts && octet + 1 == CAPTURED_OCTETS);
    return good;
}

static bool all_seen(const struct captured *c) {
    const unsigned parts = captured_parts(c);
    for (unsigned part = 0; part < parts; part++)
        for (unsigned octet = 0; octet < CAPTURED_OCTETS; octet++)
            if (!c->seen[part][octet]) return false;
    return true;
}

const char *captured_record(const struct captured *c, struct retire *record, char why[160]) {
    if (!all_seen(c)) return "the board has not retired it again";
    const bool pending = get(c->words[0][CAPTURED_OCTETS - 1], AT_pending, 1) != 0;
    struct unpack *u = unpack_create(OCTET, 1);
    if (u == NULL) return "out of memory";
    bool good = feed(u, c, feed_beat);
    if (good && pending && c->load) good = feed(u, c, feed_load);
    snprintf(why, 160, "%s", good ? "a load without an end" : unpack_why(u));
    good = good && unpack_next(u, record);
    unpack_destroy(u);
    return good ? NULL : why;
}
