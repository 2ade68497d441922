/* SPDX-License-Identifier: Apache-2.0 */
#include "memory.h"

#include <inttypes.h>
#include <time.h>

#include "../spec/host_regs.h"
#include "trouble.h"

enum {
    WORD = 4,
    STEP_WORDS = 3,
    STEPS_MOST = (BOARD_SETUP_WORDS - SETUP_STEP) / STEP_WORDS,
    PATTERN = 64, /* words from address 0 on */
};

enum verdict { HOLDS, FORGETS, UNREADABLE };

struct setup {
    struct board *board;
    uint32_t words[BOARD_SETUP_WORDS];
    enum verdict verdict;
    uint32_t at, found, must_be; /* FORGETS */
    unsigned lane;               /* UNREADABLE */
};

static enum transfer_result write_word(struct setup *s, uint32_t adr, uint32_t word) {
    return transfer_write(&s->board->transfer, adr, &word, 1);
}

/* Earlier writes have arrived when a read is answered: the wait begins then. */
static enum transfer_result wait_us(struct setup *s, uint32_t us) {
    const struct timespec time = {.tv_sec = us / 1000000, .tv_nsec = (long)(us % 1000000) * 1000};
    uint32_t status;
    const enum transfer_result result = transfer_read(&s->board->transfer, HOST_STATUS, &status, 1);
    nanosleep(&time, NULL);
    return result;
}

static enum transfer_result do_steps(struct setup *s) {
    enum transfer_result result = TRANSFER_OK;
    for (uint32_t i = 0; i < s->words[SETUP_STEPS] && result == TRANSFER_OK; i++) {
        const uint32_t *step = s->words + SETUP_STEP + STEP_WORDS * i;
        result = write_word(s, step[0], step[1]);
        if (result == TRANSFER_OK && step[2] > 0) result = wait_us(s, step[2]);
    }
    return result;
}

/* ---------------------------------------------------------------------------------------------------------- pattern */

/* The value for an address: all are different. */
static uint32_t value_at(uint32_t adr) { return (adr + 1) * UINT32_C(0x9e3779b1); }

/* The first words, and one for each bit of an address. */
static enum transfer_result write_pattern(struct setup *s) {
    uint32_t words[PATTERN];
    for (uint32_t i = 0; i < PATTERN; i++) words[i] = value_at(WORD * i);
    enum transfer_result result = transfer_write(&s->board->transfer, HOST_GLOBAL, words, PATTERN);
    for (uint32_t adr = WORD * PATTERN; adr < s->board->identity.global_bytes && result == TRANSFER_OK; adr *= 2)
        result = write_word(s, HOST_GLOBAL + adr, value_at(adr));
    return result == TRANSFER_OK ? transfer_check_writes(&s->board->transfer) : result;
}

static void compare(struct setup *s, uint32_t adr, uint32_t found) {
    if (s->verdict != HOLDS || found == value_at(adr)) return;
    s->verdict = FORGETS;
    s->at = adr;
    s->found = found;
    s->must_be = value_at(adr);
}

static enum transfer_result check_pattern(struct setup *s) {
    uint32_t words[PATTERN];
    enum transfer_result result = transfer_read(&s->board->transfer, HOST_GLOBAL, words, PATTERN);
    for (uint32_t i = 0; i < PATTERN && result == TRANSFER_OK; i++) compare(s, WORD * i, words[i]);
    for (uint32_t adr = WORD * PATTERN; adr < s->board->identity.global_bytes && result == TRANSFER_OK; adr *= 2) {
        result = transfer_read(&s->board->transfer, HOST_GLOBAL + adr, words, 1);
        if (result == TRANSFER_OK) compare(s, adr, words[0]);
    }
    return result;
}

/* ----------------------------------------------------------------------------------------------------------- delays */

/* Finally selects no lane, so that all bytes advance in step. */
static enum transfer_result set_lane(struct setup *s, unsigned lane, unsigned slip, unsigned delay) {
    const uint32_t *w = s->words;
    enum transfer_result result = write_word(s, w[SETUP_SELECT], UINT32_C(1) << lane);
    if (result == TRANSFER_OK) result = write_word(s, w[SETUP_SLIP_FIRST], 1);
    for (unsigned i = 0; i < slip && result == TRANSFER_OK; i++) result = write_word(s, w[SETUP_SLIP_NEXT], 1);
    if (result == TRANSFER_OK) result = write_word(s, w[SETUP_DELAY_FIRST], 1);
    for (unsigned i = 0; i < delay && result == TRANSFER_OK; i++) result = write_word(s, w[SETUP_DELAY_NEXT], 1);
    if (result == TRANSFER_OK) result = write_word(s, w[SETUP_SELECT], (UINT32_C(1) << w[SETUP_LANES]) - 1);
    return result == TRANSFER_OK ? write_word(s, w[SETUP_SELECT], 0) : result;
}

/* True if this byte of the data bus reads as written, although others may not. */
static enum transfer_result try_lane(struct setup *s, unsigned lane, unsigned slip, unsigned delay, bool *right) {
    uint32_t words[PATTERN];
    *right = true;
    enum transfer_result result = set_lane(s, lane, slip, delay);
    if (result == TRANSFER_OK) result = transfer_read(&s->board->transfer, HOST_GLOBAL, words, PATTERN);
    for (unsigned i = 0; i < WORD * PATTERN && result == TRANSFER_OK; i++) {
        const uint32_t differs = words[i / WORD] ^ value_at(i / WORD * WORD);
        if (i % s->words[SETUP_LANES] == lane && (differs >> 8 * (i % WORD) & 0xff) != 0) *right = false;
    }
    return result;
}

/* The middle of the longest run of good delays, over all slips. */
static enum transfer_result time_lane(struct setup *s, unsigned lane) {
    unsigned longest = 0, best_slip = 0, best_delay = 0;
    enum transfer_result result = TRANSFER_OK;
    for (unsigned slip = 0; slip < s->words[SETUP_SLIPS]; slip++)
        for (unsigned delay = 0, row = 0; delay < s->words[SETUP_DELAYS] && result == TRANSFER_OK; delay++) {
            bool right;
            result = try_lane(s, lane, slip, delay, &right);
            row = right ? row + 1 : 0;
            if (row <= longest) continue;
            longest = row;
            best_slip = slip;
            best_delay = delay - row / 2;
        }
    if (result == TRANSFER_OK && longest == 0 && s->verdict == HOLDS) {
        s->verdict = UNREADABLE;
        s->lane = lane;
    }
    return result == TRANSFER_OK ? set_lane(s, lane, best_slip, best_delay) : result;
}

/* ------------------------------------------------------------------------------------------------------------ whole */

static enum transfer_result try_setup(struct setup *s) {
    struct transfer *t = &s->board->transfer;
    s->verdict = HOLDS;
    enum transfer_result result = transfer_begin(t);
    if (result == TRANSFER_OK) result = do_steps(s);
    if (result == TRANSFER_OK) result = write_pattern(s);
    for (unsigned lane = 0; lane < s->words[SETUP_LANES] && result == TRANSFER_OK; lane++) result = time_lane(s, lane);
    if (result == TRANSFER_OK) result = transfer_check_writes(t);
    if (result == TRANSFER_OK && s->verdict == HOLDS) result = check_pattern(s);
    if (result == TRANSFER_OK && s->verdict == HOLDS) result = write_word(s, s->words[SETUP_READY], SETUP_DONE);
    return result == TRANSFER_OK ? transfer_check_writes(t) : result;
}

static enum status judge(const struct setup *s, struct diag *d) {
    const char *port = s->board->options.port, *memory = identity_memory_text(s->board->identity.memory);
    if (s->verdict == UNREADABLE)
        return diag_set(d, STATUS_BAD_INPUT, port, 0, 0,
                        "%s does not hold its contents: byte %u of its data bus is wrong at all delays", memory,
                        s->lane);
    if (s->verdict == FORGETS)
        return diag_set(d, STATUS_BAD_INPUT, port, 0, 0,
                        "%s does not hold its contents: 0x%08" PRIx32 " at 0x%08" PRIx32 ", not 0x%08" PRIx32, memory,
                        s->found, s->at, s->must_be);
    return STATUS_OK;
}

/* Reads the board's table, and checks that all steps are done. */
static enum status read_table(struct setup *s, bool *done, struct diag *d) {
    const uint32_t *w = s->words;
    uint32_t ready;
    *done = s->board->identity.memory == BOARD_MEMORY_bram;
    if (*done) return STATUS_OK;
    enum transfer_result result = transfer_read(&s->board->transfer, BOARD_SETUP, s->words, BOARD_SETUP_WORDS);
    if (result == TRANSFER_OK) result = transfer_read(&s->board->transfer, w[SETUP_READY], &ready, 1);
    if (result != TRANSFER_OK) return board_trouble(s->board, result, d);
    *done = ready == SETUP_DONE;
    if (w[SETUP_STEPS] <= STEPS_MOST && w[SETUP_LANES] <= 32) return STATUS_OK;
    return diag_set(d, STATUS_BAD_INPUT, s->board->options.port, 0, 0,
                    "the design's table for setting up its memory is invalid");
}

enum status memory_is_set_up(struct board *board, bool *done, struct diag *d) {
    struct setup setup = {.board = board};
    return read_table(&setup, done, d);
}

enum status memory_set_up(struct board *board, struct diag *d) {
    struct setup setup = {.board = board};
    bool done;
    const enum status status = read_table(&setup, &done, d);
    if (status != STATUS_OK || done) return status;
    enum transfer_result result = TRANSFER_AGAIN;
    for (unsigned i = 0; i < TRANSFER_ATTEMPTS && result == TRANSFER_AGAIN; i++) {
        if (i > 0) transfer_recover(&board->transfer, i);
        result = try_setup(&setup);
    }
    return result == TRANSFER_OK ? judge(&setup, d) : board_trouble(board, result, d);
}
