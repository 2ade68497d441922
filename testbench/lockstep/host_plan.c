/* SPDX-License-Identifier: Apache-2.0 */
#include "host_plan.h"

#include <stdlib.h>
#include <string.h>

#include "../../cmodel/retire.h"
#include "host_regs.h"

enum { WORD = 4, CLEAR_GLOBAL = 2, FIRST_CAPACITY = 1024 };

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

static unsigned block_warps(const struct image *img) {
    return (img->block[0] * img->block[1] * img->block[2] + WARP_LANES - 1) / WARP_LANES;
}

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Blocks that an SM can hold at once, as rtl/dispatch.vhd places them. */
static unsigned resident_blocks(const struct image *img, const struct machine *machine) {
    const unsigned warps = block_warps(img);
    uint64_t blocks = least(machine->blocks, (uint64_t)img->grid[0] * img->grid[1]);
    blocks = least(blocks, machine->warps / warps);
    if (img->regs > 0) blocks = least(blocks, machine->registers / ((uint64_t)img->regs * warps * WARP_LANES));
    if (img->shared_bytes > 0) blocks = least(blocks, machine->shared_bytes / round_up(img->shared_bytes));
    return (unsigned)blocks;
}

static uint32_t piece_end(uint32_t end, uint64_t addr, uint64_t size, const struct machine *machine) {
    const uint64_t piece = least(addr + size, machine->global_bytes);
    return piece > end ? (uint32_t)piece : end;
}

/* Where global memory that the launch names ends. */
static uint32_t data_end(const struct launch *run, const struct machine *machine, bool with_dumps) {
    const struct image *img = run->image;
    uint32_t end = 0;
    for (size_t i = 0; i < img->global_count; i++)
        end = piece_end(end, img->global[i].addr, img->global[i].size, machine);
    for (size_t i = 0; i < img->expect_count; i++)
        end = piece_end(end, img->expect[i].addr, img->expect[i].size, machine);
    for (size_t i = 0; with_dumps && i < run->dump_count; i++)
        end = piece_end(end, run->dumps[i].addr, run->dumps[i].bytes, machine);
    return end;
}

bool host_plan_local(const struct launch *run, const struct machine *machine, struct host_local *local) {
    *local = (struct host_local){.base = machine->global_bytes, .bytes = round_up(run->image->local_bytes)};
    if (local->bytes == 0) return true;
    const unsigned block = block_warps(run->image);
    const uint64_t row = (uint64_t)machine->sms * local->bytes * WARP_LANES; /* one warp slot of each SM */
    uint64_t blocks = 0;
    for (int dumps = 1; dumps >= 0 && blocks == 0; dumps--) {
        local->room = machine->global_bytes - data_end(run, machine, dumps != 0);
        blocks = least(local->room / row / block, resident_blocks(run->image, machine));
    }
    local->warps = (unsigned)blocks * block;
    local->base = (uint32_t)(machine->global_bytes - local->warps * row);
    return blocks > 0;
}

uint32_t host_local_base(const struct launch *run, const struct machine *machine) {
    struct host_local local;
    host_plan_local(run, machine, &local);
    return local.base;
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
    put(p, HOST_FEATURES, machine->has_atomics);
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

/* Later pieces win, so the pieces are laid over each other first; what stays zero is what the clear left. */
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

size_t host_plan(const struct launch *run, const struct machine *machine, struct host_write_op **writes) {
    struct plan p = {0};
    put(&p, HOST_CONTROL, CLEAR_GLOBAL);
    for (size_t i = 0; i < run->image->code_words; i++) put(&p, HOST_CODE + (uint32_t)(i * WORD), run->image->code[i]);
    put_constants(&p, run->image);
    put_registers(&p, run, machine);
    put_global(&p, run->image, machine->global_bytes);
    if (p.failed) {
        free(p.ops);
        p.ops = NULL;
        p.count = 0;
    }
    *writes = p.ops;
    return p.count;
}
