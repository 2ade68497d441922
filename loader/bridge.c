/* SPDX-License-Identifier: Apache-2.0 */
#include "bridge.h"

#include "bus_word.h"
#include "crc.h"
#include "etherbone.h"
#include "now_ms.h"

enum { WRITE = 1, READ = 2, WORD = 4, HEAD = 6, BITS_OF_BYTE = 10 };

struct bridge bridge_on(struct line *line, unsigned baud, unsigned wait_ms) {
    const unsigned half = baud / BITS_OF_BYTE / WORD * BRIDGE_FORGETS_MS / 2 / 1000; /* in words, in half of that
                                                                                      * time */
    const unsigned burst = half < 1 ? 1 : half > BRIDGE_BURST ? BRIDGE_BURST : half;
    if (!line->kind->datagrams) return (struct bridge){.line = line, .burst = burst, .wait_ms = wait_ms};
    /* An earlier program may still receive answers: none sends fast enough to reach the numbers of the next. */
    const uint32_t number = (uint32_t)now_ms() << 8;
    return (struct bridge){
        .line = line, .burst = ETHERBONE_BURST, .wait_ms = wait_ms, .number = number, .sum = ~(uint32_t)CRC_NOTHING};
}

static void put_head(uint8_t bytes[HEAD], uint8_t command, size_t count, uint32_t adr) {
    bytes[0] = command;
    bytes[1] = (uint8_t)count;
    bus_word_put(bytes + 2, adr / WORD);
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static enum line_result serial_write(struct bridge *bridge, uint32_t adr, const uint32_t *words, size_t count) {
    uint8_t bytes[HEAD + WORD * BRIDGE_BURST];
    put_head(bytes, WRITE, count, adr);
    for (size_t i = 0; i < count; i++) bus_word_put(bytes + HEAD + WORD * i, words[i]);
    return line_send(bridge->line, bytes, HEAD + WORD * count);
}

/* Late bytes of the line are no answer. */
static enum line_result serial_read(struct bridge *bridge, uint32_t adr, uint32_t *words, size_t count) {
    uint8_t bytes[WORD * BRIDGE_BURST];
    line_drain(bridge->line, 0);
    put_head(bytes, READ, count, adr);
    enum line_result result = line_send(bridge->line, bytes, HEAD);
    if (result == LINE_OK) result = line_receive(bridge->line, bytes, WORD * count, bridge->wait_ms);
    for (size_t i = 0; i < count && result == LINE_OK; i++) words[i] = bus_word_at(bytes + WORD * i);
    return result;
}

enum line_result bridge_write(struct bridge *bridge, uint32_t adr, const uint32_t *words, size_t count) {
    const bool datagrams = bridge->line->kind->datagrams;
    enum line_result result = LINE_OK;
    for (size_t done = 0, now; done < count && result == LINE_OK; done += now) {
        const uint32_t at = adr + (uint32_t)(WORD * done);
        now = least(count - done, bridge->burst);
        result =
            datagrams ? etherbone_write(bridge, at, words + done, now) : serial_write(bridge, at, words + done, now);
    }
    return result;
}

enum line_result bridge_read(struct bridge *bridge, uint32_t adr, uint32_t *words, size_t count) {
    const bool datagrams = bridge->line->kind->datagrams;
    enum line_result result = LINE_OK;
    for (size_t done = 0, now; done < count && result == LINE_OK; done += now) {
        const uint32_t at = adr + (uint32_t)(WORD * done);
        now = least(count - done, bridge->burst);
        result = datagrams ? etherbone_read(bridge, at, words + done, now) : serial_read(bridge, at, words + done, now);
    }
    return result;
}

size_t bridge_forget(struct bridge *bridge, unsigned quiet_ms) {
    const unsigned least_ms = BRIDGE_FORGETS_MS + BRIDGE_FORGETS_MS / 2;
    return line_drain(bridge->line, quiet_ms > least_ms ? quiet_ms : least_ms);
}
