/* SPDX-License-Identifier: Apache-2.0 */
#include "board.h"

#include <string.h>

#include "../checker/port/written.h"
#include "../spec/host_regs.h"
#include "memory.h"
#include "trouble.h"

enum status board_trouble(const struct board *board, enum transfer_result result, struct diag *d) {
    static const char *const WHY[] = {
        [TRANSFER_OK] = "",
        [TRANSFER_AGAIN] = "gave up: the line changes or loses too many bytes",
        [TRANSFER_SILENT] = "no answer: there is no board, or it has another baud rate, address or design",
        [TRANSFER_NOISY] = "gave up: no answer is whole; the line changes or loses too many bytes",
        [TRANSFER_GONE] = "the board has gone: it was unplugged or switched off",
    };
    return diag_set(d, STATUS_BAD_INPUT, board->options.port, 0, 0, "%s", WHY[result]);
}

/* Time after which a port that echoes, or sends occasional bytes, is given up: 2.5 seconds, or more if --timeout is
 * above the default. */
enum { FIND_MS = 2500, USUAL_WAIT_MS = 400 };

static void set_deadline(struct board *board) {
    const unsigned wait_ms = board->options.wait_ms > USUAL_WAIT_MS ? board->options.wait_ms : USUAL_WAIT_MS;
    board->line->deadline_ms = line_now_ms(board->line) + (long)FIND_MS * (long)wait_ms / USUAL_WAIT_MS;
}

/* The identity has its own checksum. Another design may have anything there, but reads the same twice. */
static enum status ask_identity(struct board *board, struct diag *d) {
    uint32_t words[IDENTITY_USED], before[IDENTITY_USED] = {0};
    const char *why = NULL;
    bool any = false;
    for (unsigned attempt = 0; attempt < TRANSFER_ATTEMPTS; attempt++) {
        const enum line_result result = bridge_read(&board->transfer.bridge, BOARD_IDENTITY, words, IDENTITY_USED);
        if (result == LINE_GONE) return board_trouble(board, TRANSFER_GONE, d);
        any |= result != LINE_SILENT;
        if (!any && attempt + 1 == TRANSFER_SILENT_ATTEMPTS) break;
        if (result == LINE_OK) {
            const bool known = why != NULL && memcmp(words, before, sizeof words) == 0;
            why = identity_read(words, &board->identity);
            if (why == NULL) return STATUS_OK;
            if (known) return diag_set(d, STATUS_BAD_INPUT, board->options.port, 0, 0, "%s", why);
            memcpy(before, words, sizeof words);
        }
        transfer_recover(&board->transfer, attempt);
        if (line_patience(board->line, 1) == 0) break;
    }
    if (!any) return board_trouble(board, TRANSFER_SILENT, d);
    return diag_set(d, STATUS_BAD_INPUT, board->options.port, 0, 0,
                    "the answer is not a board's: wrong port or wrong baud rate");
}

static enum status find_identity(struct board *board, struct diag *d) {
    set_deadline(board);
    const enum status status = ask_identity(board, d);
    board->line->deadline_ms = 0;
    return status;
}

static unsigned bits(uint32_t word, unsigned low, unsigned count) { return word >> low & ((1u << count) - 1); }

/* Reads the machine's configuration, and the identity's description of its memories. */
static enum status find_machine(struct board *board, struct diag *d) {
    uint32_t words[2];
    const enum transfer_result result = transfer_read(&board->transfer, HOST_ID, words, 2);
    if (result != TRANSFER_OK) return board_trouble(board, result, d);
    if (words[0] != HOST_ID_VALUE)
        return diag_set(d, STATUS_BAD_INPUT, board->options.port, 0, 0,
                        "the board has no Warpstep machine: 0x%08x, not 0x%08x", (unsigned)words[0],
                        (unsigned)HOST_ID_VALUE);
    const struct identity *id = &board->identity;
    struct machine *m = &board->sim.machine;
    *m = (struct machine)MACHINE_DEFAULT;
    board->sim.cores = bits(words[1], 4, 6);
    m->sms = bits(words[1], 0, 4);
    m->warps = bits(words[1], 10, 6) + 1;
    m->blocks = bits(words[1], 16, 4);
#define UNIT(GENERIC, member, model, key, option, help, text, bit, remedy) \
    if ((bit) != 0) m->member = bits(words[1], bit, 1) != 0;
#define UNITS(GENERIC, member, usual, least, most, key, option, help, text, bit, remedy) \
    if ((bit) != 0) m->member = bits(words[1], bit, 1);
    MACHINE_LIST(MACHINE_NOTHING, MACHINE_NOTHING, UNIT, UNITS, MACHINE_NOTHING)
#undef UNIT
#undef UNITS
    m->threads = m->warps * WARP_LANES;
    m->registers = id->registers;
    m->shared_bytes = id->shared_bytes;
    m->const_bytes = id->const_bytes;
    m->code_bytes = id->code_bytes;
    m->global_bytes = id->global_bytes;
    m->stack_depth = id->stack_depth;
    m->has_atomics = id->has_atomics;
    return STATUS_OK;
}

enum status board_open_on(struct line *line, const struct board_options *options, struct board *board, struct diag *d) {
    *board = (struct board){.options = *options, .line = line};
    board->transfer = transfer_over(bridge_on(line, options->baud, options->wait_ms), options->wait_ms / 2);
    enum status status = find_identity(board, d);
    if (status == STATUS_OK) status = find_machine(board, d);
    if (status == STATUS_OK) status = memory_is_set_up(board, &board->memory_ready, d);
    if (status == STATUS_OK && (board->written = written_create(&board->sim.machine)) == NULL)
        status = diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory");
    if (status != STATUS_OK) board_close(board);
    return status;
}

enum status board_open(const struct board_options *options, struct board *board, struct diag *d) {
    struct line *line = NULL;
    *board = (struct board){.options = *options};
    const enum status status = line_open(options->port, options->baud, &line, d);
    return status == STATUS_OK ? board_open_on(line, options, board, d) : status;
}

void board_close(struct board *board) {
    written_destroy(board->written);
    board->written = NULL;
    line_close(board->line);
    board->line = NULL;
}

enum status board_peek(struct board *board, uint32_t adr, uint32_t *words, size_t count, struct diag *d) {
    const enum transfer_result result = transfer_read(&board->transfer, adr, words, count);
    return result == TRANSFER_OK ? STATUS_OK : board_trouble(board, result, d);
}

enum status board_poke(struct board *board, uint32_t adr, const uint32_t *words, size_t count, unsigned *astray,
                       struct diag *d) {
    struct transfer *t = &board->transfer;
    enum transfer_result result = TRANSFER_AGAIN;
    for (*astray = 0; *astray < TRANSFER_ATTEMPTS && result == TRANSFER_AGAIN; *astray += result == TRANSFER_AGAIN) {
        if (*astray > 0) transfer_recover(t, *astray);
        result = transfer_begin(t);
        if (result == TRANSFER_OK) result = transfer_write(t, adr, words, count);
        if (result == TRANSFER_OK) result = transfer_check_writes(t);
    }
    return result == TRANSFER_OK ? STATUS_OK : board_trouble(board, result, d);
}
