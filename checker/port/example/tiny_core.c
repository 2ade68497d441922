/* SPDX-License-Identifier: Apache-2.0 */
/* Bring your own RTL: a complete simulation behind sim_api in one file, the worked example of
 * docs/bring-your-own-rtl.md.
 *
 * The "RTL" here is a toy core in C so that the example needs no simulator: one SM that runs one warp after the other
 * and executes five instructions (any other word traps). In your file, your simulator replaces everything under "the
 * core", and step_warp becomes "clock until an instruction retires, read the pins, fill the record".
 *
 *     cc -std=c11 -shared -fPIC -I. -o tiny_core.so checker/port/example/tiny_core.c
 *     warp-lockstep kernel.sass --sim ./tiny_core.so
 */
#include "../sim.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REGS = 128, WORD = 4 };

struct sim {
    struct sim_options options;
    const struct image *image;
    uint8_t *global;
    uint32_t regs[REGS][WARP_LANES];
    uint32_t block, warp, pc; /* the running warp: its block's number, its index in the block */
    uint32_t blocks, warps, threads;
    uint64_t cycle, insns, threads_run;
    bool done, trapped;
    struct sim_trap trap;
    char why[80];
};

/* --------------------------------------------------------------------------------------------------------- the core */

/* The fields of a long instruction that the five use, see spec/insn.def. */
static unsigned dst_of(uint32_t lo) { return lo >> 2 & 0x7f; }
static unsigned src1_of(uint32_t lo) { return lo >> 9 & 0x7f; }
static unsigned src2_of(uint32_t lo) { return lo >> 16 & 0x7f; }
static unsigned src3_of(uint32_t hi) { return hi >> 14 & 0x7f; }

static uint32_t live_lanes(const struct sim *s) {
    const uint32_t left = s->threads - s->warp * WARP_LANES;
    return left >= WARP_LANES ? 0xffffffff : ((uint32_t)1 << left) - 1;
}

/* R0 of each thread is its index in the block. */
static void start_warp(struct sim *s) {
    const uint32_t *size = s->image->block;
    s->pc = 0;
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        const uint32_t id = s->warp * WARP_LANES + lane;
        const uint32_t x = id % size[0], y = id / size[0] % size[1], z = id / size[0] / size[1];
        s->regs[0][lane] = x | y << 16 | z << 26;
    }
}

static void write_register(struct sim *s, struct retire *r, uint32_t lo, const uint32_t values[WARP_LANES]) {
    r->dst_kind = RETIRE_DST_REG32;
    r->dst_reg = dst_of(lo);
    r->dst_mask = r->exec;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if ((r->exec >> lane & 1) == 0) continue;
        r->dst[lane] = s->regs[r->dst_reg][lane] = values[lane];
    }
}

/* False: the store traps, and has no effect. */
static bool store(struct sim *s, struct retire *r, uint32_t lo) {
    const uint32_t *addr = s->regs[src1_of(lo)], *data = s->regs[dst_of(lo)];
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if ((r->exec >> lane & 1) == 0) continue;
        if (addr[lane] % WORD != 0)
            r->trap = TRAP_GLOBAL_ALIGN;
        else if (addr[lane] >= s->options.machine.global_bytes && r->trap == TRAP_NONE)
            r->trap = TRAP_GLOBAL_RANGE;
    }
    if (r->trap != TRAP_NONE) return false;
    r->mem_kind = RETIRE_MEM_GLOBAL_STORE;
    r->mem_bytes = WORD;
    r->mem_mask = r->exec;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if ((r->exec >> lane & 1) == 0) continue;
        r->addr[lane] = addr[lane];
        r->data[lane] = data[lane];
        for (unsigned i = 0; i < WORD; i++) s->global[addr[lane] + i] = (uint8_t)(data[lane] >> (8 * i));
    }
    return true;
}

/* Executes the word; sets *ends if the warp has finished. False: it traps. */
static bool execute(struct sim *s, struct retire *r, bool *ends) {
    const uint32_t lo = r->word_lo, hi = r->word_hi;
    uint32_t values[WARP_LANES];
    *ends = false;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const uint32_t a = s->regs[src1_of(lo)][lane];
        if ((lo & 0xff800003) == 0x30000001 && (hi & 0xffffffff) == 0xc4100780) { /* SHL d, a, count */
            const unsigned count = src2_of(lo);
            values[lane] = count < 32 ? a << count : 0;
        } else if ((lo & 0xffff0003) == 0x20000001 && (hi & 0xffe03fff) == 0x04000780) { /* IADD d, a, b */
            values[lane] = a + s->regs[src3_of(hi)][lane];
        } else if ((lo & 0xf000ff03) == 0x10008001 && (hi & 0xf0000003) == 3) { /* MVI d, imm */
            values[lane] = (lo >> 16 & 0x3f) | (hi >> 2 & 0x3ffffff) << 6;
        } else if ((lo & 0xffff0003) == 0xd00e0001 && hi == 0xa0c00780) { /* GST.U32 global14[a], d */
            return store(s, r, lo);
        } else if (lo == 0x30000003 && hi == 0x00000780) { /* RET */
            *ends = true;
            return true;
        } else {
            r->trap = TRAP_UNDEFINED;
            return false;
        }
    }
    write_register(s, r, lo, values);
    return true;
}

/* The next warp of the block, or the first of the next block. */
static void leave_warp(struct sim *s) {
    if (++s->warp == s->warps) {
        s->warp = 0;
        s->done = ++s->block == s->blocks;
    }
    if (!s->done) start_warp(s);
}

static void stop(struct sim *s, struct retire *r) {
    r->exec = 0;
    r->state = RETIRE_TRAPPED;
    s->trapped = true;
    s->trap = (struct sim_trap){.code = r->trap, .sm = 0, .slot = r->slot, .pc = r->pc};
}

/* One instruction of the running warp, and its retire record: every field of retire.def that is not zero. */
static void step_warp(struct sim *s, struct retire *r) {
    bool ends;
    memset(r, 0, sizeof *r);
    r->cycle = s->cycle += WARP_LANES / s->options.cores;
    r->slot = s->warp;
    r->block_x = s->block % s->image->grid[0];
    r->block_y = s->block / s->image->grid[0];
    r->warp = s->warp;
    r->pc = s->pc;
    r->active = r->exec = live_lanes(s);
    if (s->pc / WORD + 2 <= s->image->code_words) {
        r->word_lo = s->image->code[s->pc / WORD];
        r->word_hi = s->image->code[s->pc / WORD + 1];
    } else {
        r->trap = TRAP_FETCH;
    }
    if (r->trap != TRAP_NONE || !execute(s, r, &ends)) {
        stop(s, r);
        return;
    }
    s->insns++;
    s->threads_run += (unsigned)__builtin_popcount(r->active);
    if (ends) {
        r->state = RETIRE_FINISHED;
        leave_warp(s);
        return;
    }
    r->next_pc = s->pc += 8;
    r->next_active = r->active;
}

/* ----------------------------------------------------------------------------------------------------- the interface
 */

static struct sim *tiny_open(const struct sim_options *options, char *why, size_t why_size) {
    struct sim *s = calloc(1, sizeof *s);
    if (s != NULL) s->global = malloc(options->machine.global_bytes);
    if (s != NULL && s->global != NULL && options->machine.sms == 1) {
        s->options = *options;
        return s;
    }
    snprintf(why, why_size, "%s", s != NULL && s->global != NULL ? "the tiny core has one SM" : "out of memory");
    if (s != NULL) free(s->global);
    free(s);
    return NULL;
}

static int tiny_load(struct sim *s, const struct launch *run) {
    const struct image *image = run->image;
    memset(s->global, 0, s->options.machine.global_bytes);
    for (size_t i = 0; i < image->global_count; i++)
        memcpy(s->global + image->global[i].addr, image->global[i].bytes, image->global[i].size);
    /* registers are undefined at the start: a pattern from the seed, so that no test passes by luck */
    for (unsigned i = 0; i < REGS * WARP_LANES; i++)
        s->regs[i / WARP_LANES][i % WARP_LANES] = s->options.seed * 2654435761u + i;
    memset(s->regs[124], 0, sizeof s->regs[124]);
    s->image = image;
    s->cycle = s->insns = s->threads_run = 0;
    s->block = s->warp = 0;
    s->done = s->trapped = false; /* an earlier launch may have ended */
    s->blocks = image->grid[0] * image->grid[1];
    s->threads = image->block[0] * image->block[1] * image->block[2];
    s->warps = (s->threads + WARP_LANES - 1) / WARP_LANES;
    start_warp(s);
    return 0;
}

/* A core that never stops retiring is never silent, so `limit` is unused here. Your simulation must stop after that
 * many cycles. */
static enum sim_event tiny_next(struct sim *s, struct retire *record, uint64_t limit) {
    (void)limit;
    if (s->trapped) return SIM_TRAPPED;
    if (s->done) return SIM_DONE;
    step_warp(s, record);
    return SIM_RECORD;
}

static int tiny_peek(struct sim *s, enum sim_memory memory, uint32_t addr, uint8_t *bytes, size_t size) {
    const struct image *image = s->image;
    size_t at = 0;
    if (memory == SIM_GLOBAL) memcpy(bytes, s->global + addr, size);
    for (size_t i = 0; memory == SIM_CODE && i < size; i++)
        bytes[i] = (uint8_t)(image->code[(addr + i) / WORD] >> (8 * ((addr + i) % WORD)));
    if (memory != SIM_CONST) return 0;
    for (unsigned b = 0; b < IMAGE_CONST_BANKS; at += (image->bank[b++].size + 3) & ~(size_t)3)
        for (size_t i = 0; i < image->bank[b].size; i++)
            if (at + i >= addr && at + i - addr < size) bytes[at + i - addr] = image->bank[b].bytes[i];
    return 0;
}

static void tiny_counters(struct sim *s, struct sim_counters *counters) {
    *counters =
        (struct sim_counters){.cycles = s->cycle, .warp_instructions = s->insns, .thread_instructions = s->threads_run};
    counters->cause[0][SIM_CAUSE_ISSUE] = s->cycle; /* a row in every cycle */
}

static void tiny_trap(struct sim *s, struct sim_trap *trap) { *trap = s->trap; }
static uint64_t tiny_cycle(struct sim *s) { return s->cycle; }
static const char *tiny_why(struct sim *s) { return s->why; }

static void tiny_close(struct sim *s) {
    free(s->global);
    free(s);
}

const struct sim_api *warpstep_sim(void) {
    static const struct sim_api API = {
        .version = SIM_API_VERSION,
        .name = "tiny core",
        .open = tiny_open,
        .load = tiny_load,
        .next = tiny_next,
        .peek = tiny_peek,
        .counters = tiny_counters,
        .trap = tiny_trap,
        .cycle = tiny_cycle,
        .why = tiny_why,
        .close = tiny_close,
    };
    return &API;
}
