/* SPDX-License-Identifier: Apache-2.0 */
/* Global memory of a board, from the host. Each call has its own account of writes: a stray write may have changed any
 * word, and is an error. */
#include <stdlib.h>
#include <string.h>

#include "../assembler/base/word_at.h"
#include "../checker/port/host_plan.h"
#include "../spec/host_regs.h"
#include "memory.h"
#include "trouble.h"

enum { WORD = 4, WORDS = 1024 /* of a piece */ };

enum status board_set_up(struct board *board, struct diag *d) {
    const enum status status = board->memory_ready ? STATUS_OK : memory_set_up(board, d);
    board->memory_ready = status == STATUS_OK;
    return status;
}

static enum status result_of(const struct board *board, enum transfer_result result, struct diag *d) {
    if (result == TRANSFER_AGAIN)
        return diag_set(d, STATUS_BAD_INPUT, board->options.port, 0, 0,
                        "the line has changed bytes on their way to the board, and perhaps any word of global memory");
    return result == TRANSFER_OK ? STATUS_OK : board_trouble(board, result, d);
}

/* The machine passes the host's writes on in order, and a reset loses those that it still has. An access to a line
 * waits for those before it: what is read there is in memory, and so is all that was written before. */
static enum transfer_result settle(struct transfer *t, uint32_t adr) {
    return transfer_read(t, adr, &(uint32_t){0}, 1);
}

enum status board_clear_global(struct board *board, struct diag *d) {
    const uint32_t clear = HOST_CLEAR_GLOBAL;
    const enum status status = board_set_up(board, d);
    if (status != STATUS_OK) return status;
    struct transfer *t = &board->transfer;
    enum transfer_result result = TRANSFER_AGAIN;
    for (unsigned i = 0; i < TRANSFER_ATTEMPTS && result == TRANSFER_AGAIN; i++) {
        if (i > 0) transfer_recover(t, i);
        result = transfer_begin(t);
        if (result == TRANSFER_OK) result = transfer_write(t, BOARD_RESET, &(uint32_t){0}, 1);
        if (result == TRANSFER_OK) result = transfer_write(t, HOST_CONTROL, &clear, 1);
        if (result == TRANSFER_OK) result = board_wait_until_clear(board);
        if (result == TRANSFER_OK) result = settle(t, HOST_GLOBAL + board->sim.machine.global_bytes - WORD);
        if (result == TRANSFER_OK) result = transfer_check_writes(t);
    }
    return result_of(board, result, d);
}

static void words_of_bytes(uint32_t *words, const uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) words[i] = word_at(bytes + WORD * i);
}

static void bytes_of_words(uint8_t *bytes, const uint32_t *words, size_t count) {
    for (size_t i = 0; i < WORD * count; i++) bytes[i] = (uint8_t)(words[i / WORD] >> 8 * (i % WORD));
}

/* A piece of whole words around the bytes from addr on, of which `*bytes` are the caller's; returns the number of
 * words. */
static size_t piece_at(uint32_t addr, size_t left, size_t *bytes) {
    const size_t room = WORD * WORDS - addr % WORD;
    *bytes = left < room ? left : room;
    return (addr % WORD + *bytes + WORD - 1) / WORD;
}

static enum transfer_result read_piece(struct board *board, uint32_t addr, uint8_t *bytes, size_t size, size_t count) {
    uint32_t words[WORDS];
    uint8_t piece[WORD * WORDS];
    const enum transfer_result result = transfer_read(&board->transfer, HOST_GLOBAL + addr / WORD * WORD, words, count);
    if (result != TRANSFER_OK) return result;
    bytes_of_words(piece, words, count);
    memcpy(bytes, piece + addr % WORD, size);
    return TRANSFER_OK;
}

enum status board_read_global(struct board *board, uint32_t addr, uint8_t *bytes, size_t size, struct diag *d) {
    const enum status status = board_set_up(board, d);
    if (status != STATUS_OK) return status;
    enum transfer_result result = TRANSFER_OK;
    for (size_t done = 0, now; done < size && result == TRANSFER_OK; done += now) {
        const size_t count = piece_at(addr + (uint32_t)done, size - done, &now);
        result = read_piece(board, addr + (uint32_t)done, bytes + done, now, count);
    }
    return result_of(board, result, d);
}

/* Words at both ends with other bytes in them are read first. */
static enum transfer_result write_piece(struct board *board, uint32_t addr, const uint8_t *bytes, size_t size,
                                        size_t count) {
    struct transfer *t = &board->transfer;
    const uint32_t at = HOST_GLOBAL + addr / WORD * WORD;
    uint32_t words[WORDS] = {0};
    uint8_t piece[WORD * WORDS];
    const bool cuts_first = addr % WORD != 0, cuts_last = (addr + size) % WORD != 0;
    enum transfer_result result = TRANSFER_OK;
    if (cuts_first) result = transfer_read(t, at, words, 1);
    if (result == TRANSFER_OK && cuts_last && (count > 1 || !cuts_first))
        result = transfer_read(t, at + (uint32_t)(WORD * (count - 1)), words + count - 1, 1);
    if (result != TRANSFER_OK) return result;
    bytes_of_words(piece, words, count);
    memcpy(piece + addr % WORD, bytes, size);
    words_of_bytes(words, piece, count);
    return transfer_write(t, at, words, count);
}

enum status board_write_global(struct board *board, uint32_t addr, const uint8_t *bytes, size_t size, struct diag *d) {
    const enum status status = board_set_up(board, d);
    if (status != STATUS_OK) return status;
    struct transfer *t = &board->transfer;
    enum transfer_result result = transfer_begin(t);
    for (size_t done = 0, now; done < size && result == TRANSFER_OK; done += now) {
        const size_t count = piece_at(addr + (uint32_t)done, size - done, &now);
        result = write_piece(board, addr + (uint32_t)done, bytes + done, now, count);
    }
    if (result == TRANSFER_OK && size > 0) result = settle(t, HOST_GLOBAL + (addr + (uint32_t)size - 1) / WORD * WORD);
    return result_of(board, result == TRANSFER_OK ? transfer_check_writes(t) : result, d);
}
