/* SPDX-License-Identifier: Apache-2.0 */
#include "etherbone.h"

#include <string.h>

#include "bus_word.h"
#include "identity.h"

enum { WORD = 4, ALL_BYTES = 0x0f, ATTEMPTS = 4 };

/* Version 1; addresses and words of four bytes. */
static const uint8_t HEAD[ETHERBONE_HEAD] = {ETHERBONE_MAGIC >> 8, ETHERBONE_MAGIC & 0xff, 0x10, 0x44};

/* A datagram under construction. */
struct datagram {
    uint8_t bytes[ETHERBONE_BYTES];
    size_t size;
};

static void add_word(struct datagram *g, uint32_t word) {
    bus_word_put(g->bytes + g->size, word);
    g->size += WORD;
}

static struct datagram record_of(size_t writes, size_t reads) {
    struct datagram g = {.size = ETHERBONE_HEAD};
    memcpy(g.bytes, HEAD, sizeof HEAD);
    add_word(&g, (uint32_t)(ALL_BYTES << 16 | writes << 8 | reads));
    return g;
}

/* Other datagrams, late or unrelated, do not prolong the wait. */
static enum line_result receive(struct bridge *b, uint32_t *words, size_t count, unsigned wait_ms) {
    enum { RETURN = ETHERBONE_HEAD + ETHERBONE_RECORD };
    struct datagram g = {.size = RETURN + WORD * (1 + count)};
    const long end_ms = line_now_ms(b->line) + (long)wait_ms;
    for (long left_ms = (long)wait_ms; left_ms > 0; left_ms = end_ms - line_now_ms(b->line)) {
        const enum line_result result = line_receive(b->line, g.bytes, g.size, (unsigned)left_ms);
        if (result != LINE_OK) return result;
        if (bus_word_at(g.bytes) >> 16 != ETHERBONE_MAGIC || g.bytes[ETHERBONE_HEAD + 2] != count) continue;
        if (bus_word_at(g.bytes + RETURN) != b->number) continue;
        for (size_t k = 0; k < count; k++) words[k] = bus_word_at(g.bytes + RETURN + WORD * (1 + k));
        return LINE_OK;
    }
    return LINE_CUT;
}

/* The last attempt has the whole time-out, each earlier one half of the next. */
static unsigned patience(const struct bridge *b, unsigned attempt) {
    const unsigned ms = b->wait_ms >> (ATTEMPTS - 1 - attempt);
    return ms > 0 ? ms : 1;
}

enum line_result etherbone_read(struct bridge *b, uint32_t adr, uint32_t *words, size_t count) {
    struct datagram g = record_of(0, count);
    enum line_result result = LINE_SILENT;
    add_word(&g, b->number += WORD);
    for (size_t i = 0; i < count; i++) add_word(&g, adr + (uint32_t)(WORD * i));
    for (unsigned i = 0; i < ATTEMPTS && (result == LINE_SILENT || result == LINE_CUT); i++) {
        result = line_send(b->line, g.bytes, g.size);
        if (result == LINE_OK) result = receive(b, words, count, patience(b, i));
    }
    return result;
}

/* A write that leaves the sum unchanged, as one that clears it may, does not count as lost. */
enum line_result etherbone_write(struct bridge *b, uint32_t adr, const uint32_t *words, size_t count) {
    struct datagram g = record_of(count, 0);
    const uint32_t before = b->sum;
    enum line_result result = LINE_OK;
    add_word(&g, adr);
    for (size_t i = 0; i < count; i++) add_word(&g, words[i]);
    for (unsigned i = 0; i < ATTEMPTS && result == LINE_OK && b->sum == before; i++) {
        result = line_send(b->line, g.bytes, g.size);
        if (result == LINE_OK) result = etherbone_read(b, BOARD_WRITES, &b->sum, 1);
    }
    return result;
}
