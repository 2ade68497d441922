/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../checker/report/report.h"
#include "../checker/verdict/lockstep.h"
#include "../cmodel/run/trace.h"
#include "captured.h"
#include "expected.h"
#include "report.h"

enum { NO_LIMIT = 0xffffff };

struct check {
    struct board *board;
    const struct launch *run;
    FILE *out;
    struct expected expected;
    struct board_hashing hashing; /* of the last run */
    bool stopped;                 /* the last run trapped or hung */
    unsigned runs;
    size_t *retired; /* indices of expected.steps, of one block, of the steps that the board has retired, too */
    size_t retired_count;
};

/* --------------------------------------------------------------------------------------------------------- one run */

static enum status run_hashed(struct check *c, struct diag *d) {
    struct board_result result;
    const enum status status = board_run_hashed(c->board, c->run, &c->hashing, &result, d);
    if (status != STATUS_OK) return status;
    c->stopped = result.end != BOARD_DONE;
    c->runs++;
    free(result.global);
    return STATUS_OK;
}

static void hash_blocks(struct check *c, uint32_t from, uint32_t to) {
    c->hashing = (struct board_hashing){.from = from, .to = to};
    for (unsigned i = 0; i < BOARD_WARPS; i++) c->hashing.limit[i] = NO_LIMIT;
}

/* True if the hashes differ from those of the model's steps within the limits. */
static bool differs(const struct check *c, size_t first, size_t end) {
    struct hash hash[BOARD_WARPS] = {0};
    uint32_t count[BOARD_WARPS] = {0};
    const struct board_hashing *h = &c->hashing;
    for (size_t i = first; i < end; i++) {
        const struct expected_step *s = &c->expected.steps[i];
        if (s->number >= h->limit[s->warp]) continue;
        hash[s->warp].insns += s->hash.insns;
        hash[s->warp].loads += s->hash.loads;
        count[s->warp]++;
    }
    for (unsigned i = 0; i < BOARD_WARPS; i++)
        if (hash[i].insns != h->insns[i] || hash[i].loads != h->loads[i] || count[i] != h->count[i]) return true;
    return false;
}

static const struct expected_step *first_of(const struct check *c, size_t block) {
    return &c->expected.steps[c->expected.blocks[block]];
}

static enum status try_blocks(struct check *c, size_t first, size_t last, bool *wrong, struct diag *d) {
    hash_blocks(c, first_of(c, first)->block, first_of(c, last)->block);
    const enum status status = run_hashed(c, d);
    *wrong = differs(c, c->expected.blocks[first], c->expected.blocks[last + 1]);
    return status;
}

/* ------------------------------------------------------------------------------------------------------- bisection */

/* The first block from `first` on that differs from the model; one exists. */
static enum status find_block(struct check *c, size_t first, size_t *found, struct diag *d) {
    size_t low = first, high = c->expected.block_count - 1;
    enum status status = STATUS_OK;
    while (low < high && status == STATUS_OK) {
        const size_t middle = low + (high - low) / 2;
        bool wrong = false;
        status = try_blocks(c, first, middle, &wrong, d);
        if (wrong)
            high = middle;
        else
            low = middle + 1;
    }
    *found = low;
    return status;
}

/* Hashes the first `count` instructions that both have retired. */
static enum status try_steps(struct check *c, size_t block, size_t count, bool *wrong, struct diag *d) {
    const uint32_t at = first_of(c, block)->block;
    hash_blocks(c, at, at);
    memset(c->hashing.limit, 0, sizeof c->hashing.limit);
    for (size_t i = 0; i < count; i++) c->hashing.limit[c->expected.steps[c->retired[i]].warp]++;
    const enum status status = run_hashed(c, d);
    *wrong = differs(c, c->expected.blocks[block], c->expected.blocks[block + 1]);
    return status;
}

enum place {
    FOUND_NOTHING, /* everything that the board retired equals the model */
    FOUND_STEP,    /* this instruction differs */
    FOUND_MORE,    /* a warp continues after its last instruction */
};

/* Searches one block; the last run has hashed it alone, without limits. */
static enum status find_step(struct check *c, size_t block, enum place *place, size_t *found, struct diag *d) {
    const struct expected *e = &c->expected;
    uint32_t left[BOARD_WARPS];
    size_t low = 0;
    bool wrong = false;
    memcpy(left, c->hashing.count, sizeof left);
    c->retired_count = 0;
    for (size_t i = e->blocks[block]; i < e->blocks[block + 1]; i++) {
        if (left[e->steps[i].warp] == 0) continue;
        left[e->steps[i].warp]--;
        c->retired[c->retired_count++] = i;
    }
    size_t high = c->retired_count;
    enum status status = try_steps(c, block, high, &wrong, d);
    if (status != STATUS_OK) return status;
    *place = wrong ? FOUND_STEP : FOUND_NOTHING;
    for (unsigned i = 0; i < BOARD_WARPS && !wrong; i++)
        if (left[i] > 0) *place = FOUND_MORE, *found = i;
    /* the first `low` are right, the first `high` are not */
    while (wrong && high - low > 1 && status == STATUS_OK) {
        const size_t middle = low + (high - low) / 2;
        bool bad = false;
        status = try_steps(c, block, middle, &bad, d);
        if (bad)
            high = middle;
        else
            low = middle;
    }
    if (wrong) *found = c->retired[high - 1];
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- report */

static enum status capture(struct check *c, const struct expected_step *s, struct captured *captured, struct diag *d) {
    enum status status = STATUS_OK;
    *captured = (struct captured){0};
    for (unsigned part = 0; part < (part == 0 ? 1 : captured_parts(captured)); part++) {
        for (unsigned octet = 0; octet < CAPTURED_OCTETS && status == STATUS_OK; octet++) {
            hash_blocks(c, s->block, s->block);
            c->hashing.watch_warp = s->warp;
            c->hashing.watch_number = s->number;
            c->hashing.octet = octet;
            c->hashing.part = part;
            status = run_hashed(c, d);
            captured_take(captured, &c->hashing);
        }
    }
    return status;
}

static void tell_place(const struct check *c, const struct retire *r) {
    char text[TRACE_TEXT_MAX];
    fprintf(c->out, "  block (%" PRIu32 ",%" PRIu32 "), warp %" PRIu32 ", pc 0x%" PRIx32 ": %s\n", r->block_x,
            r->block_y, r->warp, r->pc, trace_instruction(r->pc, r->word_lo, r->word_hi, text));
}

/* Runs lockstep, with the model's own records up to the one from the board. */
static enum status report_step(struct check *c, size_t at, const struct retire *actual, const char *why,
                               struct diag *d) {
    const struct lockstep_options options = {.run = c->run, .machine = c->expected.machine};
    struct model *m = model_create(&c->expected.machine);
    struct lockstep *l = lockstep_create(&options, d);
    enum status status = l == NULL ? d->status : STATUS_OK;
    if (m == NULL) status = diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory");
    if (status == STATUS_OK) status = model_launch(m, c->run->image, d);
    struct retire r = {0};
    for (size_t i = 0; i <= at && status == STATUS_OK; i++) {
        model_run_step(m, &r);
        if (i < at) lockstep_check(l, &r);
    }
    if (status == STATUS_OK && actual != NULL) {
        struct retire board = *actual;
        board.cycle = r.cycle;
        board.sm = r.sm;
        board.slot = r.slot;
        if (lockstep_check(l, &board))
            why = "it was right when it was read: the fault is intermittent (clock, temperature)";
        else
            lockstep_report(l, NULL, c->out);
    }
    if (status == STATUS_OK && why != NULL) {
        fprintf(c->out, "mismatch: %s\n", why);
        tell_place(c, &r);
    }
    lockstep_destroy(l);
    model_destroy(m);
    return status;
}

static enum status report_wrong(struct check *c, size_t at, struct diag *d) {
    struct captured captured;
    struct retire record;
    char text[160];
    enum status status = capture(c, &c->expected.steps[at], &captured, d);
    if (status != STATUS_OK) return status;
    const char *why = captured_record(&captured, &record, text);
    return report_step(c, at, why == NULL ? &record : NULL, why, d);
}

/* Everything that the board retired is right, but it stopped: reports the first missing instruction. */
static enum status report_missing(struct check *c, size_t block, struct diag *d) {
    const size_t first = c->expected.blocks[block];
    size_t i = 0;
    while (i < c->retired_count && c->retired[i] == first + i) i++;
    return report_step(c, first + i, NULL,
                       "all retired instructions of the board are right, but it did not reach this one", d);
}

static void tell_doubts(const struct check *c) {
    const struct expected *e = &c->expected;
    if (e->races > 0)
        fputs("  the kernel races (warp-run --check-races): the difference may be the order of its accesses\n", c->out);
    if (e->undefined > 0)
        fputs("  the kernel reads undefined values (warp-run --strict): the difference may come from them\n", c->out);
}

/* ----------------------------------------------------------------------------------------------------------- whole */

static bool has_begun(const struct check *c) {
    for (unsigned i = 0; i < BOARD_WARPS; i++)
        if (c->hashing.count[i] > 0) return true;
    return false;
}

/* Finds the first difference, block by block, because a block that the board has merely not finished is followed by
 * others. */
static enum status find(struct check *c, struct diag *d) {
    const size_t blocks = c->expected.block_count;
    enum place place = FOUND_NOTHING;
    size_t missing = blocks, found = 0;
    bool begun = true;
    enum status status = STATUS_OK;
    for (size_t block = 0; block < blocks && begun && place == FOUND_NOTHING && status == STATUS_OK; block++) {
        bool wrong = false;
        status = find_block(c, block, &block, d);
        if (status == STATUS_OK) status = try_blocks(c, block, block, &wrong, d);
        if (status != STATUS_OK || !wrong) continue;
        begun = has_begun(c);
        status = find_step(c, block, &place, &found, d);
        if (place == FOUND_NOTHING && missing == blocks) missing = block;
    }
    if (status != STATUS_OK) return status;
    if (place == FOUND_STEP) return report_wrong(c, found, d);
    if (place == FOUND_MORE) {
        fprintf(c->out, "mismatch: warp %zu of a block retires more instructions than in the model\n", found);
        return STATUS_OK;
    }
    if (missing < blocks) {
        bool wrong = false;
        status = try_blocks(c, missing, missing, &wrong, d);
        if (status == STATUS_OK) status = find_step(c, missing, &place, &found, d);
        return status == STATUS_OK ? report_missing(c, missing, d) : status;
    }
    fputs("mismatch: it occurred in one run only: the fault is intermittent (clock, temperature)\n", c->out);
    return STATUS_OK;
}

static enum status check_all(struct check *c, bool *agrees, struct diag *d) {
    const struct expected *e = &c->expected;
    hash_blocks(c, 0, UINT32_MAX);
    enum status status = run_hashed(c, d);
    if (status != STATUS_OK) return status;
    *agrees = !differs(c, 0, e->count) && !c->stopped;
    if (*agrees) {
        fprintf(c->out, "%s: check: %zu warp instructions as in the model\n", c->run->path, e->count);
        return STATUS_OK;
    }
    status = find(c, d);
    if (status != STATUS_OK) return status;
    tell_doubts(c);
    fprintf(c->out, "%s: check: not as in the model, found in %u runs\n", c->run->path, c->runs);
    return STATUS_OK;
}

static enum status look_for_hashes(struct board *board, struct diag *d) {
    uint32_t sms = 0;
    const enum status status = board_peek(board, BOARD_HASHES, &sms, 1, d);
    if (status != STATUS_OK || sms == board->sim.machine.sms) return status;
    return diag_set(d, STATUS_BAD_INPUT, board->options.port, 0, 0,
                    "this board computes no hash: set HAS_HASH=true in its line of fpga/boards/boards.tsv");
}

enum status check_run(struct board *board, const struct launch *run, FILE *out, bool *agrees, struct diag *d) {
    struct check c = {.board = board, .run = run, .out = out};
    enum status status = look_for_hashes(board, d);
    if (status == STATUS_OK) status = expected_make(run, &board->sim.machine, &c.expected, d);
    if (status != STATUS_OK) return status;
    c.retired = calloc(c.expected.count + 1, sizeof *c.retired);
    if (c.retired == NULL)
        status = diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory");
    else
        status = check_all(&c, agrees, d);
    free(c.retired);
    expected_release(&c.expected);
    return status;
}
