/* SPDX-License-Identifier: Apache-2.0 */
#include "host_plan.h"

#include <stdlib.h>
#include <string.h>

#include "../../assembler/base/word_at.h"
#include "../../cmodel/retire.h"
#include "../../spec/host_regs.h"

enum { WORD = 4, FIRST_CAPACITY = 1024, LOCAL_ALIGN = WARP_LANES * WORD };

struct plan {
    struct host_write_op *ops;
    size_t count, capacity;
    bool failed;
};

static void put(struct plan *p, uint32_t adr, uint32_t value) {
    if (p->count == p->capacity) {
        const size_t capacity = p->capacity == 0 ? FIRST_CAPACITY : 2 * p->capacity;
        struct host_write_op *larger = realloc(p->ops, capacity * sizeof *larger);
        if (larger == NULL) {
            p->failed = true;
            return;
        }
        p->ops = larger;
        p->capacity = capacity;
    }
    p->ops[p->count++] = (struct host_write_op){adr, value};
}

static uint32_t round_up(size_t bytes) { return (uint32_t)((bytes + WORD - 1) / WORD * WORD); }

/* The word at byte `at` of a buffer that may end within it. */
static uint32_t word_within(const uint8_t *bytes, size_t size, size_t at) {
    uint32_t word = 0;
    for (size_t i = 0; i < WORD && at + i < size; i++) word |= (uint32_t)bytes[at + i] << (8 * i);
    return word;
}

/* ---------------------------------------------------------------------------------------------------- local memory */

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Blocks that an SM can hold at once, by the rules of rtl/front/dispatch.vhd. */
static unsigned resident_blocks(const struct image *img, const struct machine *machine) {
    const unsigned warps = block_warps(img->block);
    uint64_t blocks = least(machine->blocks, (uint64_t)img->grid[0] * img->grid[1]);
    blocks = least(blocks, machine->warps / warps);
    if (img->regs > 0) blocks = least(blocks, machine->registers / ((uint64_t)img->regs * warps * WARP_LANES));
    if (img->shared_bytes > 0) blocks = least(blocks, machine->shared_bytes / round_up(img->shared_bytes));
    return (unsigned)blocks;
}

struct span {
    uint64_t from, to;
};

static size_t piece_count(const struct launch *run, bool with_dumps) {
    return run->image->global_count + run->image->expect_count + (with_dumps ? run->dump_count : 0);
}

/* The pieces of global memory that the launch names: initial pieces, expected ones, dumps. */
static struct span piece_at(const struct launch *run, size_t i) {
    const struct image *img = run->image;
    const size_t global = img->global_count, named = global + img->expect_count;
    if (i < global) return (struct span){img->global[i].addr, img->global[i].addr + (uint64_t)img->global[i].size};
    if (i >= named)
        return (struct span){run->dumps[i - named].addr, run->dumps[i - named].addr + run->dumps[i - named].bytes};
    const struct image_piece *piece = &img->expect[i - global];
    return (struct span){piece->addr, piece->addr + (uint64_t)piece->size};
}

/* The free bytes below `to`, which is the end of memory or the start of a piece; in whole rows of a warp's words. */
static struct span gap_below(const struct launch *run, uint64_t to, size_t pieces) {
    struct span gap = {0, to / LOCAL_ALIGN * LOCAL_ALIGN};
    for (size_t i = 0; i < pieces; i++) {
        const struct span piece = piece_at(run, i);
        if (piece.from < to && piece.to > gap.from) gap.from = piece.to;
    }
    gap.from = (gap.from + LOCAL_ALIGN - 1) / LOCAL_ALIGN * LOCAL_ALIGN;
    if (gap.from > gap.to) gap.from = gap.to;
    return gap;
}

static uint64_t room_of(struct span gap, uint64_t enough) { return least(gap.to - gap.from, enough); }

/* The gap at the top of global memory if it has room for `enough` bytes, else the largest gap. */
static struct span find_gap(const struct launch *run, const struct machine *machine, bool with_dumps, uint64_t enough) {
    const size_t pieces = piece_count(run, with_dumps);
    struct span best = gap_below(run, machine->global_bytes, pieces);
    for (size_t i = 0; i < pieces; i++) {
        const struct span gap = gap_below(run, least(piece_at(run, i).from, machine->global_bytes), pieces);
        if (room_of(gap, enough) > room_of(best, enough)) best = gap;
    }
    return best;
}

bool host_plan_local(const struct launch *run, const struct machine *machine, struct host_local *local) {
    *local = (struct host_local){.base = machine->global_bytes, .bytes = round_up(run->image->local_bytes)};
    if (local->bytes == 0) return true;
    const unsigned block = block_warps(run->image->block);
    const uint64_t row = (uint64_t)machine->sms * local->bytes * WARP_LANES; /* one warp slot of each SM */
    const uint64_t most = resident_blocks(run->image, machine);
    struct span gap = {0};
    uint64_t blocks = 0;
    for (int dumps = 1; dumps >= 0 && blocks == 0; dumps--) {
        gap = find_gap(run, machine, dumps != 0, most * block * row);
        local->room = (uint32_t)(gap.to - gap.from);
        blocks = least(local->room / row / block, most);
    }
    local->warps = (unsigned)blocks * block;
    local->size = (uint32_t)(local->warps * row);
    local->base = (uint32_t)gap.to - local->size;
    return blocks > 0;
}

/* ------------------------------------------------------------------------------------------------------ the writes */

static void put_registers(struct plan *p, const struct launch *run, const struct machine *machine) {
    const struct image *img = run->image;
    struct host_local local;
    host_plan_local(run, machine, &local);
    put(p, HOST_GRID, img->grid[0] | img->grid[1] << 16);
    put(p, HOST_BLOCK_XY, img->block[0] | img->block[1] << 16);
    put(p, HOST_BLOCK_Z, img->block[2]);
    put(p, HOST_THREADS, img->block[0] * img->block[1] * img->block[2]);
    put(p, HOST_REGS, img->regs);
    put(p, HOST_SHARED, round_up(img->shared_bytes));
    put(p, HOST_CODE_BYTES, (uint32_t)(img->code_words * WORD));
    put(p, HOST_PARAM_WORDS, (uint32_t)img->param_count);
    put(p, HOST_LOCAL_BASE, local.base);
    put(p, HOST_LOCAL_BYTES, local.bytes);
    put(p, HOST_LOCAL_WARPS, local.warps);
    put(p, HOST_FEATURES, machine->has_atomics && launch_has_atomics(run));
    for (size_t i = 0; i < img->param_count; i++) put(p, HOST_PARAMS + (uint32_t)(i * WORD), img->params[i]);
}

/* Banks one after the other, each padded to whole words. */
static void put_constants(struct plan *p, const struct image *img) {
    uint32_t base = 0;
    for (unsigned b = 0; b < IMAGE_CONST_BANKS; b++) {
        const size_t size = img->bank[b].size;
        put(p, HOST_CONST_BANK + b * WORD, base | (uint32_t)size << 16);
        for (size_t at = 0; at < size; at += WORD)
            put(p, HOST_CONST + base + (uint32_t)at, word_within(img->bank[b].bytes, size, at));
        base += round_up(size);
    }
}

/* Later pieces win, so the pieces are merged first; words that stay zero are not written, because the clear zeroed
 * them. */
static void put_global(struct plan *p, const struct image *img, uint32_t global_bytes) {
    uint8_t *memory = calloc(global_bytes, 1);
    if (memory == NULL) {
        p->failed = true;
        return;
    }
    for (size_t i = 0; i < img->global_count; i++) {
        const struct image_piece *g = &img->global[i];
        if (g->addr < global_bytes && g->size <= global_bytes - g->addr) memcpy(memory + g->addr, g->bytes, g->size);
    }
    for (uint32_t at = 0; at < global_bytes; at += WORD) {
        const uint32_t word = word_within(memory, global_bytes, at);
        if (word != 0) put(p, HOST_GLOBAL + at, word);
    }
    free(memory);
}

uint32_t host_config(unsigned cores, const struct machine *machine) {
    uint32_t config = machine->sms | cores << 4 | (machine->warps - 1) << 10 | machine->blocks << 16;
#define UNIT(GENERIC, member, model, key, option, help, text, bit, remedy) \
    if ((bit) != 0 && machine->member) config |= (uint32_t)1 << (bit);
#define UNITS(GENERIC, member, usual, least, most, key, option, help, text, bit, remedy) \
    if ((bit) != 0 && machine->member != 0) config |= (uint32_t)1 << (bit);
    MACHINE_LIST(MACHINE_NOTHING, MACHINE_NOTHING, UNIT, UNITS, MACHINE_NOTHING)
#undef UNIT
#undef UNITS
    return config;
}

static size_t make_plan(const struct launch *run, const struct machine *machine, bool clears,
                        struct host_write_op **writes) {
    struct plan p = {0};
    if (clears) put(&p, HOST_CONTROL, HOST_CLEAR_GLOBAL);
    for (size_t i = 0; i < run->image->code_words; i++) put(&p, HOST_CODE + (uint32_t)(i * WORD), run->image->code[i]);
    put_constants(&p, run->image);
    put_registers(&p, run, machine);
    if (clears) put_global(&p, run->image, machine->global_bytes);
    if (p.failed) {
        free(p.ops);
        p.ops = NULL;
        p.count = 0;
    }
    *writes = p.ops;
    return p.count;
}

size_t host_plan(const struct launch *run, const struct machine *machine, struct host_write_op **writes) {
    return make_plan(run, machine, true, writes);
}

size_t host_plan_again(const struct launch *run, const struct machine *machine, struct host_write_op **writes) {
    return make_plan(run, machine, false, writes);
}

size_t host_plan_poke(uint32_t addr, const uint8_t *bytes, size_t size, struct host_write_op **writes) {
    const size_t count = size / WORD;
    *writes = calloc(count, sizeof **writes);
    for (size_t i = 0; *writes != NULL && i < count; i++)
        (*writes)[i] = (struct host_write_op){HOST_GLOBAL + addr + (uint32_t)(WORD * i), word_at(bytes + WORD * i)};
    return *writes != NULL ? count : 0;
}

uint32_t host_plan_readable(uint32_t adr) {
    switch (adr) {
    case HOST_BLOCK_Z:
    case HOST_SHARED:
    case HOST_LOCAL_BYTES: return 0xffff;
    case HOST_THREADS: return 0x7ff;
    case HOST_REGS: return 0xff;
    case HOST_CODE_BYTES: return 0xffffff;
    case HOST_LOCAL_BASE: return 0xffffff80;
    case HOST_PARAM_WORDS:
    case HOST_LOCAL_WARPS: return 0x3f;
    default: return (adr >= HOST_GRID && adr < HOST_PARAMS) || adr >= HOST_CODE ? ~UINT32_C(0) : 0;
    }
}
