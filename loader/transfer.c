/* SPDX-License-Identifier: Apache-2.0 */
#include "transfer.h"

#include "crc.h"
#include "identity.h"

enum { WORD = 4, DOUBLINGS = 3, BATCH = 1024 };

static uint32_t sum_of(uint32_t sum, uint32_t adr, const uint32_t *words, size_t count) {
    for (size_t i = 0; i < count; i++) sum = crc_word(crc_word(sum, adr + (uint32_t)(WORD * i)), words[i]);
    return sum;
}

static enum transfer_result of_line(enum line_result result) {
    return result == LINE_OK       ? TRANSFER_OK
           : result == LINE_GONE   ? TRANSFER_GONE
           : result == LINE_SILENT ? TRANSFER_SILENT
                                   : TRANSFER_NOISY;
}

struct transfer transfer_over(struct bridge bridge, unsigned quiet_ms) {
    return (struct transfer){.bridge = bridge, .wait_ms = bridge.wait_ms, .quiet_ms = quiet_ms};
}

void transfer_recover(struct transfer *t, unsigned attempt) {
    const unsigned doublings = attempt < DOUBLINGS ? attempt : DOUBLINGS;
    bridge_forget(&t->bridge, t->quiet_ms << doublings);
    t->bridge.wait_ms = t->wait_ms << doublings;
}

enum transfer_result transfer_begin(struct transfer *t) {
    const uint32_t word = 0;
    t->writes = CRC_NOTHING;
    return of_line(bridge_write(&t->bridge, BOARD_WRITES, &word, 1));
}

enum transfer_result transfer_write(struct transfer *t, uint32_t adr, const uint32_t *words, size_t count) {
    t->writes = sum_of(t->writes, adr, words, count);
    return of_line(bridge_write(&t->bridge, adr, words, count));
}

/* One attempt: the sum before, the words, the sum after. */
static enum line_result read_summed(struct transfer *t, uint32_t adr, uint32_t *words, size_t count, bool *agrees) {
    uint32_t before, after;
    *agrees = false;
    enum line_result result = bridge_read(&t->bridge, BOARD_READS, &before, 1);
    if (result == LINE_OK) result = bridge_read(&t->bridge, adr, words, count);
    if (result == LINE_OK) result = bridge_read(&t->bridge, BOARD_READS, &after, 1);
    if (result == LINE_OK) *agrees = after == sum_of(before, adr, words, count);
    return result;
}

/* Repeats attempts until one agrees. After the end of the line a repetition is useless. */
static enum transfer_result read_batch(struct transfer *t, uint32_t adr, uint32_t *words, size_t count) {
    bool any = false;
    for (unsigned attempt = 0; attempt < TRANSFER_ATTEMPTS; attempt++) {
        bool agrees;
        const enum line_result result = read_summed(t, adr, words, count, &agrees);
        if (agrees) return TRANSFER_OK;
        if (result == LINE_GONE) return TRANSFER_GONE;
        any |= result != LINE_SILENT;
        if (!any && attempt + 1 == TRANSFER_SILENT_ATTEMPTS) break;
        t->faults++;
        transfer_recover(t, attempt);
    }
    return any ? TRANSFER_NOISY : TRANSFER_SILENT;
}

enum transfer_result transfer_read(struct transfer *t, uint32_t adr, uint32_t *words, size_t count) {
    enum transfer_result result = TRANSFER_OK;
    for (size_t done = 0, now; done < count && result == TRANSFER_OK; done += now) {
        now = count - done < BATCH ? count - done : BATCH;
        result = read_batch(t, adr + (uint32_t)(WORD * done), words + done, now);
    }
    return result;
}

/* The sum excludes its own reads, so it is read until two reads agree. */
enum transfer_result transfer_check_writes(struct transfer *t) {
    enum line_result result = LINE_OK;
    for (unsigned attempt = 0; attempt < TRANSFER_ATTEMPTS; attempt++) {
        uint32_t first, second;
        result = bridge_read(&t->bridge, BOARD_WRITES, &first, 1);
        if (result == LINE_OK && first == t->writes) return TRANSFER_OK;
        if (result == LINE_OK) result = bridge_read(&t->bridge, BOARD_WRITES, &second, 1);
        if (result == LINE_OK && second == t->writes) return TRANSFER_OK;
        if (result == LINE_GONE) return TRANSFER_GONE;
        if (result == LINE_OK && first == second) break;
        transfer_recover(t, attempt);
    }
    t->faults++;
    return result == LINE_OK ? TRANSFER_AGAIN : of_line(result);
}
