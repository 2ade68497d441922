/* SPDX-License-Identifier: Apache-2.0 */
/* A board with the machine: its description, and running kernels on it.
 *
 *     struct board board;
 *     const struct board_options options = {.port = "/dev/ttyUSB0", .baud = 1000000, .wait_ms = 500};
 *     if (board_open(&options, &board, &d) != STATUS_OK) return diag_report(stderr, &d);
 *     if (launch_check(&run, &board.sim.machine, &d) == STATUS_OK && board_run(&board, &run, &result, &d) == STATUS_OK)
 *         results_compare(&run, result.global, stderr);
 *     free(result.global);
 *     board_close(&board);
 */
#ifndef WARPSTEP_BOARD_H
#define WARPSTEP_BOARD_H

#include "../checker/port/sim.h"
#include "../cmodel/run/launch.h"
#include "identity.h"
#include "transfer.h"

/* Called while a kernel is loaded and its results are read: words done, total words. */
typedef void board_progress_fn(void *state, const char *what, size_t done, size_t all);

struct board_options {
    const char *port; /* see line_open */
    unsigned baud;
    unsigned wait_ms;            /* for each byte of an answer */
    board_progress_fn *progress; /* NULL: no reports */
    bool (*go_on)(void *state);  /* called while a kernel runs; false ends it. NULL: not called */
    void *state;
};

struct board {
    struct board_options options;
    struct line *line;
    struct transfer transfer;
    struct identity identity;
    struct sim_options sim;  /* cores and machine */
    bool memory_ready;       /* global memory is usable; board_run ensures it */
    struct written *written; /* present contents of code and constants */
};

/* Finds the board and reads its description; error messages name the port. board_open_on: over an open line, which is
 * closed with the board. */
enum status board_open_on(struct line *line, const struct board_options *options, struct board *board, struct diag *d);
enum status board_open(const struct board_options *options, struct board *board, struct diag *d);
void board_close(struct board *board);

enum board_end { BOARD_DONE, BOARD_TRAPPED, BOARD_REFUSED, BOARD_HUNG, BOARD_STOPPED };

struct board_result {
    enum board_end end; /* BOARD_HUNG: not done after the launch's max_cycles; the machine has been reset.
                           BOARD_STOPPED: go_on has said no; likewise */
    struct sim_trap trap;
    struct sim_counters counters;
    uint8_t *global; /* the caller frees it: as large as global memory, filled only where the launch expects or dumps
                      * bytes */
};

/* Loads the launch, which must fit, runs it and reads its results. The results are what the board computed from the
 * intended contents: a line that changes bytes leads to repeated transfers, or to an error. */
enum status board_run(struct board *board, const struct launch *run, struct board_result *result, struct diag *d);

/* Runs the launch with the present global memory, which is neither cleared, loaded nor read: result.global is NULL, and
 * code and constants that are present are not loaded again. Not repeated: a stray write may have changed global memory,
 * and is an error. */
enum status board_run_again(struct board *board, const struct launch *run, struct board_result *result, struct diag *d);

/* Global memory that persists over such launches: clear all; write and read parts, from byte addr on. */
enum status board_clear_global(struct board *board, struct diag *d);
enum status board_write_global(struct board *board, uint32_t addr, const uint8_t *bytes, size_t size, struct diag *d);
enum status board_read_global(struct board *board, uint32_t addr, uint8_t *bytes, size_t size, struct diag *d);

/* The part of a launch to be hashed, and the results (spec/board.def, HASH_...). Blocks are y << 16 | x, warps are
 * numbered in their block. */
enum { BOARD_WARPS = 32, BOARD_PORT_WORDS = 40, BOARD_CAPTURED_WORDS = BOARD_PORT_WORDS + 9 };
struct board_hashing {
    uint32_t from, to;           /* blocks */
    uint32_t limit[BOARD_WARPS]; /* number of hashed instructions of each warp */
    uint32_t watch_warp, watch_number;
    unsigned octet, part;                                                /* of the watched instruction */
    uint32_t insns[BOARD_WARPS], loads[BOARD_WARPS], count[BOARD_WARPS]; /* results, of all SMs together */
    bool seen, load_seen;                                                /* the watched instruction has retired, is a
                                                                          * load */
    uint32_t captured[BOARD_CAPTURED_WORDS];
};

/* Like board_run, for a board with hashes. */
enum status board_run_hashed(struct board *board, const struct launch *run, struct board_hashing *hashing,
                             struct board_result *result, struct diag *d);

/* After a run: checks that registers, code and constants read back as the host wrote them. *wrong: the first address
 * that does not, or 0. */
enum status board_read_back(struct board *board, const struct launch *run, uint32_t *wrong, struct diag *d);

/* Words of the bus, by byte address. A write is repeated until it succeeds; *astray counts the attempts that did
 * something else, or more. */
enum status board_peek(struct board *board, uint32_t adr, uint32_t *words, size_t count, struct diag *d);
enum status board_poke(struct board *board, uint32_t adr, const uint32_t *words, size_t count, unsigned *astray,
                       struct diag *d);

#endif
