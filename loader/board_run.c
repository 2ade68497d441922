/* SPDX-License-Identifier: Apache-2.0 */
/* A launch on a board. One attempt, from a reset to the last result, has its own account of writes. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../checker/port/host_plan.h"
#include "../checker/port/written.h"
#include "../spec/host_regs.h"
#include "board.h"
#include "memory.h"
#include "trouble.h"

enum {
    WORD = 4,
    START = 1,
    STATE_MASK = 3,
    STATE_RUNNING = 1,
    STATE_TRAPPED = 3,
    CLEARING = 0x10,
    REPORT = 256, /* words between two reports of progress */
    LONGEST_WAIT_MS = 50,
    HASHES_OF_SM = 0x400,
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The registers from HOST_STATUS on that show the state of a run. */
enum { TELL_STATUS, TELL_WHERE, TELL_PC, TELL_CYCLES, TELL_CYCLES_HI, TELL_WARPS, TELL_THREADS, TELL_WORDS };

/* A launch, and its state on the way to the board. */
struct attempt {
    struct board *board;
    const struct launch *run;
    const struct host_write_op *writes;
    size_t write_count;
    uint32_t *words; /* room for all writes, or for the words of global memory */
    struct board_result *result;
    struct board_hashing *hashing; /* NULL: no hashes */
    bool again;                    /* global memory stays unchanged */
    bool stopped;                  /* by go_on */
};

static void tell(const struct attempt *a, const char *what, size_t done, size_t all) {
    const struct board_options *o = &a->board->options;
    if (o->progress != NULL) o->progress(o->state, what, done, all);
}

static enum transfer_result write_word(struct attempt *a, uint32_t adr, uint32_t word) {
    return transfer_write(&a->board->transfer, adr, &word, 1);
}

/* The number of consecutive writes to consecutive addresses, from the i-th on, at most REPORT. */
static size_t run_length(const struct attempt *a, size_t i) {
    size_t count = 1;
    while (count < REPORT && i + count < a->write_count &&
           a->writes[i + count].adr == a->writes[i].adr + (uint32_t)(WORD * count))
        count++;
    return count;
}

static void wait_ms(unsigned ms) {
    const struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000};
    nanosleep(&time, NULL);
}

static unsigned more_patient(unsigned ms) { return ms < LONGEST_WAIT_MS ? 2 * ms + 1 : ms; }

enum transfer_result board_wait_until_clear(struct board *board) {
    struct transfer *t = &board->transfer;
    for (unsigned patience = 0;; patience = more_patient(patience)) {
        uint32_t status;
        const enum transfer_result result = transfer_read(t, HOST_STATUS, &status, 1);
        if (result != TRANSFER_OK || (status & CLEARING) == 0) return result;
        wait_ms(patience);
    }
}

/* The first write clears global memory, unless memory persists. */
static enum transfer_result load(struct attempt *a) {
    struct transfer *t = &a->board->transfer;
    enum transfer_result result = write_word(a, BOARD_RESET, 0);
    for (size_t i = 0; i < a->write_count; i++) a->words[i] = a->writes[i].value;
    for (size_t i = 0, count; i < a->write_count && result == TRANSFER_OK; i += count) {
        count = i == 0 && !a->again ? 1 : run_length(a, i);
        tell(a, "load", i, a->write_count);
        result = transfer_write(t, a->writes[i].adr, a->words + i, count);
        if (i == 0 && !a->again && result == TRANSFER_OK) result = board_wait_until_clear(a->board);
    }
    tell(a, "load", a->write_count, a->write_count);
    return result == TRANSFER_OK ? transfer_check_writes(t) : result;
}

static uint64_t cycles_of(const uint32_t tells[TELL_WORDS]) {
    return tells[TELL_CYCLES] | (uint64_t)tells[TELL_CYCLES_HI] << 32;
}

/* Waits for the end of the grid, at growing intervals. */
static enum transfer_result follow(struct attempt *a, uint32_t tells[TELL_WORDS]) {
    for (unsigned patience = 0;; patience = more_patient(patience)) {
        const enum transfer_result result = transfer_read(&a->board->transfer, HOST_STATUS, tells, TELL_WORDS);
        if (result != TRANSFER_OK) return result;
        if ((tells[TELL_STATUS] & STATE_MASK) != STATE_RUNNING) return TRANSFER_OK;
        if (cycles_of(tells) > a->run->max_cycles) return TRANSFER_OK;
        const struct board_options *o = &a->board->options;
        a->stopped = o->go_on != NULL && !o->go_on(o->state);
        if (a->stopped) return TRANSFER_OK;
        wait_ms(patience);
    }
}

static void judge(struct board_result *r, const uint32_t tells[TELL_WORDS]) {
    const unsigned state = tells[TELL_STATUS] & STATE_MASK;
    r->trap = (struct sim_trap){.code = tells[TELL_STATUS] >> 8 & 0xf,
                                .sm = tells[TELL_WHERE] >> 8 & 0xff,
                                .slot = tells[TELL_WHERE] & 0xff,
                                .pc = tells[TELL_PC] & 0xffffff};
    r->end = state == STATE_RUNNING      ? BOARD_HUNG
             : state != STATE_TRAPPED    ? BOARD_DONE
             : r->trap.code == TRAP_NONE ? BOARD_REFUSED
                                         : BOARD_TRAPPED;
    r->counters = (struct sim_counters){
        .cycles = cycles_of(tells), .warp_instructions = tells[TELL_WARPS], .thread_instructions = tells[TELL_THREADS]};
}

static enum transfer_result read_causes(struct attempt *a) {
    const unsigned sms = a->board->sim.machine.sms;
    uint32_t words[SIM_CAUSES];
    enum transfer_result result = TRANSFER_OK;
    for (unsigned sm = 0; sm < sms && sm < SIM_MAX_SMS && result == TRANSFER_OK; sm++) {
        result = transfer_read(&a->board->transfer, HOST_CAUSES + HOST_CAUSES_OF_SM * sm, words, SIM_CAUSES);
        for (unsigned i = 0; i < SIM_CAUSES; i++) a->result->counters.cause[sm][i] = words[i];
    }
    return result;
}

/* Reads the words of global memory that hold these bytes. */
static enum transfer_result read_global(struct attempt *a, uint32_t addr, size_t bytes) {
    const size_t first = addr / WORD;
    const size_t end = ((size_t)addr + bytes + WORD - 1) / WORD;
    enum transfer_result result = TRANSFER_OK;
    for (size_t at = first, count; at < end && result == TRANSFER_OK; at += count) {
        count = end - at < REPORT ? end - at : REPORT;
        tell(a, "read", at - first, end - first);
        result = transfer_read(&a->board->transfer, HOST_GLOBAL + (uint32_t)(WORD * at), a->words, count);
        for (size_t i = 0; i < WORD * count && result == TRANSFER_OK; i++)
            a->result->global[WORD * at + i] = (uint8_t)(a->words[i / WORD] >> 8 * (i % WORD));
    }
    tell(a, "read", end - first, end - first);
    return result;
}

static enum transfer_result read_results(struct attempt *a) {
    const struct image *image = a->run->image;
    enum transfer_result result = read_causes(a);
    for (size_t i = 0; i < image->expect_count && result == TRANSFER_OK; i++)
        result = read_global(a, image->expect[i].addr, image->expect[i].size);
    for (size_t i = 0; i < a->run->dump_count && result == TRANSFER_OK; i++)
        result = read_global(a, a->run->dumps[i].addr, a->run->dumps[i].bytes);
    return result;
}

/* ---------------------------------------------------------------------------------------------------------- hashes */

static enum transfer_result set_hashing(struct attempt *a) {
    const struct board_hashing *h = a->hashing;
    const uint32_t words[] = {h->from, h->to, h->watch_warp << 24 | h->watch_number, h->octet | h->part << 2, 0};
    const enum transfer_result result = transfer_write(&a->board->transfer, BOARD_HASH_FROM, words, COUNT(words));
    if (result != TRANSFER_OK) return result;
    return transfer_write(&a->board->transfer, BOARD_HASH_LIMITS, h->limit, BOARD_WARPS);
}

static enum transfer_result read_hashes_of(struct attempt *a, uint32_t sm_at) {
    struct board_hashing *h = a->hashing;
    uint32_t sums[3][BOARD_WARPS], seen = 0;
    struct transfer *t = &a->board->transfer;
    enum transfer_result result = transfer_read(t, sm_at + BOARD_HASH_INSNS, sums[0], COUNT(sums) * BOARD_WARPS);
    if (result == TRANSFER_OK) result = transfer_read(t, sm_at + BOARD_HASH_SEEN, &seen, 1);
    if (result == TRANSFER_OK && seen != 0)
        result = transfer_read(t, sm_at + BOARD_HASH_CAPTURED, h->captured, BOARD_CAPTURED_WORDS);
    h->seen |= (seen & 1) != 0;
    h->load_seen |= (seen & 2) != 0;
    for (unsigned i = 0; i < BOARD_WARPS; i++) {
        h->insns[i] += sums[0][i];
        h->loads[i] += sums[1][i];
        h->count[i] += sums[2][i];
    }
    return result;
}

/* Each block is on one SM. */
static enum transfer_result read_hashes(struct attempt *a) {
    struct board_hashing *h = a->hashing;
    enum transfer_result result = TRANSFER_OK;
    h->seen = h->load_seen = false;
    for (unsigned i = 0; i < BOARD_WARPS; i++) h->insns[i] = h->loads[i] = h->count[i] = 0;
    for (unsigned sm = 0; sm < a->board->sim.machine.sms && result == TRANSFER_OK; sm++)
        result = read_hashes_of(a, HASHES_OF_SM * sm);
    return result;
}

/* ----------------------------------------------------------------------------------------------------------- a run */

/* Only after the very last read is it known that no write went astray. */
static enum transfer_result try_run(struct attempt *a) {
    struct transfer *t = &a->board->transfer;
    uint32_t tells[TELL_WORDS] = {0};
    enum transfer_result result = transfer_begin(t);
    if (result == TRANSFER_OK) result = load(a);
    if (result == TRANSFER_OK && a->hashing != NULL) result = set_hashing(a);
    if (result == TRANSFER_OK) result = write_word(a, HOST_CONTROL, START);
    if (result == TRANSFER_OK) result = transfer_check_writes(t);
    if (result == TRANSFER_OK) result = follow(a, tells);
    judge(a->result, tells);
    if (a->stopped) a->result->end = BOARD_STOPPED;
    const bool runs_on = a->result->end == BOARD_HUNG || a->result->end == BOARD_STOPPED;
    if (result == TRANSFER_OK && runs_on) result = write_word(a, BOARD_RESET, 0);
    if (result == TRANSFER_OK) result = read_results(a);
    if (result == TRANSFER_OK && a->hashing != NULL) result = read_hashes(a);
    return result == TRANSFER_OK ? transfer_check_writes(t) : result;
}

static enum transfer_result run_until_right(struct attempt *a) {
    const unsigned attempts = a->again ? 1 : TRANSFER_ATTEMPTS;
    enum transfer_result result = TRANSFER_AGAIN;
    for (unsigned i = 0; i < attempts && result == TRANSFER_AGAIN; i++) {
        if (i > 0) transfer_recover(&a->board->transfer, i);
        result = try_run(a);
    }
    return result;
}

/* The writes of the launch; with persistent memory, only those of code and constants that change something. */
static struct host_write_op *plan(struct attempt *a) {
    const struct machine *machine = &a->board->sim.machine;
    struct host_write_op *writes = NULL;
    const size_t count = a->again ? host_plan_again(a->run, machine, &writes) : host_plan(a->run, machine, &writes);
    a->write_count = 0;
    for (size_t i = 0; i < count; i++) {
        const bool differs = written_differs(a->board->written, writes[i].adr, writes[i].value);
        if (differs || !a->again) writes[a->write_count++] = writes[i];
    }
    a->writes = writes;
    return writes;
}

/* Runs it, with memory for its state; after a failure code and constants count as unknown. */
static enum status run_planned(struct attempt *a, struct diag *d) {
    struct host_write_op *writes = plan(a);
    const size_t words = a->write_count > REPORT ? a->write_count : REPORT;
    enum status status = STATUS_OK;
    a->words = calloc(words, sizeof *a->words);
    if ((a->result->global == NULL && !a->again) || a->write_count == 0 || a->words == NULL) {
        status = diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory");
    } else {
        const enum transfer_result how = run_until_right(a);
        if (how != TRANSFER_OK) status = board_trouble(a->board, how, d);
    }
    if (status != STATUS_OK) written_forget(a->board->written);
    free(a->words);
    free(writes);
    return status;
}

static enum status run(struct attempt *a, struct diag *d) {
    struct board_result *result = a->result;
    *result = (struct board_result){0};
    enum status status = board_set_up(a->board, d);
    if (status != STATUS_OK) return status;
    if (!a->again) result->global = calloc(a->board->sim.machine.global_bytes, 1);
    status = run_planned(a, d);
    if (status == STATUS_OK) return status;
    free(result->global);
    result->global = NULL;
    return status;
}

enum status board_run_hashed(struct board *board, const struct launch *launch, struct board_hashing *hashing,
                             struct board_result *result, struct diag *d) {
    return run(&(struct attempt){.board = board, .run = launch, .result = result, .hashing = hashing}, d);
}

enum status board_run_again(struct board *board, const struct launch *launch, struct board_result *result,
                            struct diag *d) {
    return run(&(struct attempt){.board = board, .run = launch, .result = result, .again = true}, d);
}

/* Compares consecutive words, from the first of `a->writes` on. */
static enum transfer_result compare_writes(struct attempt *a, size_t first, size_t count, uint32_t *wrong) {
    const struct host_write_op *op = a->writes + first;
    const enum transfer_result result = transfer_read(&a->board->transfer, op->adr, a->words, count);
    for (size_t i = 0; i < count && result == TRANSFER_OK && *wrong == 0; i++)
        if (((op[i].value ^ a->words[i]) & host_plan_readable(op[i].adr)) != 0) *wrong = op[i].adr;
    return result;
}

enum status board_read_back(struct board *board, const struct launch *run, uint32_t *wrong, struct diag *d) {
    struct host_write_op *writes = NULL;
    uint32_t words[REPORT];
    struct attempt a = {.board = board, .run = run, .words = words};
    a.write_count = host_plan(run, &board->sim.machine, &writes);
    a.writes = writes;
    enum transfer_result result = TRANSFER_OK;
    *wrong = 0;
    for (size_t i = 0, count; i < a.write_count && result == TRANSFER_OK; i += count) {
        count = run_length(&a, i);
        const uint32_t adr = writes[i].adr;
        if (host_plan_readable(adr) != 0 && adr < HOST_GLOBAL) result = compare_writes(&a, i, count, wrong);
    }
    free(writes);
    return result == TRANSFER_OK ? STATUS_OK : board_trouble(board, result, d);
}

enum status board_run(struct board *board, const struct launch *run, struct board_result *result, struct diag *d) {
    return board_run_hashed(board, run, NULL, result, d);
}
