/* SPDX-License-Identifier: Apache-2.0 */
/* A board, or the simulated one, as an engine. Boards give no records, so there is no trace and no comparison. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../loader/board.h"
#include "../loader/report.h"
#include "engine_api.h"

enum { BAUD = 1000000, SERIAL_WAIT_MS = 400, LONG_WAIT_MS = 5000, LOCAL_PART = 8, SMALL_LOCAL_PART = 4 };

/* Less memory than this counts as small. */
#define LARGE_BYTES (UINT32_C(1) << 22)

struct engine_of_board {
    struct engine engine;
    struct board board;
    bool is_open, lost;
    char *port;
};

static struct engine_of_board *board_of(struct engine *engine) { return (struct engine_of_board *)engine; }

static bool may_continue(void *state) {
    struct engine_of_board *e = state;
    return !atomic_load(&e->engine.stops);
}

static void close_board(struct engine *engine) {
    struct engine_of_board *e = board_of(engine);
    if (e->is_open) board_close(&e->board);
    free(e->port);
    free(e);
}

static enum status check_timing(const struct engine_of_board *e, struct diag *d) {
    const struct identity *id = &e->board.identity;
    if (id->timing_met) return STATUS_OK;
    return diag_set(d, STATUS_BAD_INPUT, e->port, 0, 0,
                    "timing was not met: the clock is %.2f MHz, the design takes %.2f MHz", id->clock_hz / 1e6,
                    id->fmax_hz / 1e6);
}

static void set_properties(struct engine_of_board *e) {
    const struct machine *m = &e->board.sim.machine;
    struct engine_properties *p = &e->engine.properties;
    *p = (struct engine_properties){
        .machine = *m,
        .cores = e->board.sim.cores,
        .clock_hz = e->board.identity.clock_hz,
        .host_bytes =
            m->global_bytes - m->global_bytes / (m->global_bytes < LARGE_BYTES ? SMALL_LOCAL_PART : LOCAL_PART)};
    snprintf(p->name, sizeof p->name, "Warpstep board %s, %u SM%s of %u cores", e->board.identity.name, m->sms,
             m->sms == 1 ? "" : "s", p->cores);
}

/* Timeout in milliseconds: longer for a network, and for a simulated board behind a socket or a pseudo-terminal. */
static unsigned timeout_ms(const char *port) {
    static const char *const SLOW[] = {"tcp:", "udp:", "/dev/pts/"};
    for (size_t i = 0; i < sizeof SLOW / sizeof SLOW[0]; i++)
        if (strncmp(port, SLOW[i], strlen(SLOW[i])) == 0) return LONG_WAIT_MS;
    return SERIAL_WAIT_MS;
}

static enum status open_board(const char *rest, const struct engine_options *options, struct engine **engine,
                              struct diag *d) {
    (void)options;
    if (rest[0] == '\0') return diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "the port is missing: expected board:PORT");
    struct engine_of_board *e = calloc(1, sizeof *e);
    if (e != NULL) e->port = strdup(rest);
    if (e == NULL || e->port == NULL) {
        free(e);
        return diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory");
    }
    const struct board_options of_board = {
        .port = e->port, .baud = BAUD, .wait_ms = timeout_ms(rest), .go_on = may_continue, .state = e};
    enum status status = board_open(&of_board, &e->board, d);
    e->is_open = status == STATUS_OK;
    if (status == STATUS_OK) status = check_timing(e, d);
    if (status == STATUS_OK) status = board_clear_global(&e->board, d);
    if (status != STATUS_OK) {
        close_board(&e->engine);
        return status;
    }
    set_properties(e);
    *engine = &e->engine;
    return STATUS_OK;
}

/* A connection that has failed once is not used again, because its state is unknown. */
static enum status record_status(struct engine_of_board *e, enum status status) {
    e->lost = e->lost || (status != STATUS_OK && status != STATUS_NO_MEMORY);
    return status;
}

static enum status report_lost(const struct engine_of_board *e, struct diag *d) {
    return diag_set(d, STATUS_BAD_INPUT, e->port, 0, 0, "an earlier error lost the connection to the board");
}

static enum status write_board(struct engine *engine, uint32_t addr, const uint8_t *bytes, size_t size,
                               struct diag *d) {
    struct engine_of_board *e = board_of(engine);
    return e->lost ? report_lost(e, d) : record_status(e, board_write_global(&e->board, addr, bytes, size, d));
}

static enum status read_board(struct engine *engine, uint32_t addr, uint8_t *bytes, size_t size, struct diag *d) {
    struct engine_of_board *e = board_of(engine);
    return e->lost ? report_lost(e, d) : record_status(e, board_read_global(&e->board, addr, bytes, size, d));
}

static enum engine_outcome outcome_of(enum board_end end) {
    switch (end) {
    case BOARD_DONE: return ENGINE_DONE;
    case BOARD_HUNG: return ENGINE_HUNG;
    case BOARD_STOPPED: return ENGINE_STOPPED;
    default: return ENGINE_TRAPPED;
    }
}

static void report_run(struct engine_of_board *e, const struct launch *launch, const struct board_result *result,
                       struct engine_report *report, FILE *text) {
    report->outcome = outcome_of(result->end);
    report->cycles = result->counters.cycles;
    report->warp_instructions = result->counters.warp_instructions;
    report->thread_instructions = result->counters.thread_instructions;
    if (result->end == BOARD_STOPPED)
        fprintf(text, "%s: stopped after %" PRIu64 " cycles\n", launch->path, report->cycles);
    else
        load_judge(&e->board, launch, result, text);
}

static enum status launch_board(struct engine *engine, const struct launch *launch, struct engine_report *report,
                                FILE *text, struct diag *d) {
    struct engine_of_board *e = board_of(engine);
    struct board_result result = {0};
    struct diag why = {0};
    enum status status =
        e->lost ? report_lost(e, &why) : record_status(e, board_run_again(&e->board, launch, &result, &why));
    if (status == STATUS_OK) {
        report_run(e, launch, &result, report, text);
    } else if (e->lost) {
        report->outcome = ENGINE_LOST;
        fprintf(text, "%s: %s: %s\n", launch->path, why.file, why.text);
        status = STATUS_OK;
    } else {
        *d = why;
    }
    return status;
}

const struct engine_api engine_board = {.name = "board",
                                        .usual_limit = UINT64_C(1) << 33,
                                        .open = open_board,
                                        .write = write_board,
                                        .read = read_board,
                                        .launch = launch_board,
                                        .close = close_board};
