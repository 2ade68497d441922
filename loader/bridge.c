/* SPDX-License-Identifier: Apache-2.0 */
#include "bridge.h"

enum { WRITE = 1, READ = 2, WORD = 4, HEAD = 6, BITS_OF_BYTE = 10 };

struct bridge bridge_on(struct line *line, unsigned baud, unsigned wait_ms) {
    const unsigned half = baud / BITS_OF_BYTE / WORD * BRIDGE_FORGETS_MS / 2 / 1000; /* words, in half of that time */
    const unsigned burst = half < 1 ? 1 : half > BRIDGE_BURST ? BRIDGE_BURST : half;
    return (struct bridge){.line = line, .burst = burst, .wait_ms = wait_ms};
}

static void put_word(uint8_t bytes[WORD], uint32_t word) {
    for (unsigned i = 0; i < WORD; i++) bytes[i] = (uint8_t)(word >> (24 - 8 * i));
}

static uint32_t word_of(const uint8_t bytes[WORD]) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void put_head(uint8_t bytes[HEAD], uint8_t command, size_t count, uint32_t adr) {
    bytes[0] = command;
    bytes[1] = (uint8_t)count;
    put_word(bytes + 2, adr / WORD);
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

enum line_result bridge_write(struct bridge *bridge, uint32_t adr, const uint32_t *words, size_t count) {
    uint8_t bytes[HEAD + WORD * BRIDGE_BURST];
    enum line_result result = LINE_OK;
    for (size_t done = 0, now; done < count && result == LINE_OK; done += now) {
        now = least(count - done, bridge->burst);
        put_head(bytes, WRITE, now, adr + (uint32_t)(WORD * done));
        for (size_t i = 0; i < now; i++) put_word(bytes + HEAD + WORD * i, words[done + i]);
        result = line_send(bridge->line, bytes, HEAD + WORD * now);
    }
    return result;
}

/* What the line has still to say from before is no answer. */
enum line_result bridge_read(struct bridge *bridge, uint32_t adr, uint32_t *words, size_t count) {
    uint8_t bytes[WORD * BRIDGE_BURST];
    enum line_result result = LINE_OK;
    for (size_t done = 0, now; done < count && result == LINE_OK; done += now) {
        now = least(count - done, bridge->burst);
        line_drain(bridge->line, 0);
        put_head(bytes, READ, now, adr + (uint32_t)(WORD * done));
        result = line_send(bridge->line, bytes, HEAD);
        if (result == LINE_OK) result = line_receive(bridge->line, bytes, WORD * now, bridge->wait_ms);
        for (size_t i = 0; i < now; i++) words[done + i] = word_of(bytes + WORD * i);
    }
    return result;
}

size_t bridge_forget(struct bridge *bridge, unsigned quiet_ms) {
    const unsigned least_ms = BRIDGE_FORGETS_MS + BRIDGE_FORGETS_MS / 2;
    return line_drain(bridge->line, quiet_ms > least_ms ? quiet_ms : least_ms);
}
