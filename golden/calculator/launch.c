/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a launch, block after block. Each thread has its own pc: there is no warp stack here. A warp's turn is one
 * instruction, for those of its threads that are furthest behind, in ascending order. So threads on different paths are
 * together again where the paths meet. Results that depend on the order of the groups in between differ from the
 * machine's; such kernels are computed by hand. */
#include <stdlib.h>
#include <string.h>

#include "kernel.h"

enum { WARP = 32, SHARED_BYTES = 1 << 14, HEADER_BYTES = 16, BARRIERS = 16, MAX_TURNS = 1 << 22 };

struct block {
    struct kernel *kernel;
    struct thread *threads;
    unsigned thread_count;
    bool *arrived[BARRIERS]; /* for each thread */
    struct memory shared, local;
};

static void *allocate(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size);
    if (!memory) fail("calculator", 0, "out of memory", "");
    return memory;
}

static void put_half(uint8_t *bytes, uint32_t value) {
    bytes[0] = (uint8_t)value;
    bytes[1] = (uint8_t)(value >> 8);
}

/* The initial state of a kernel (isa.md 2.2). */
static void begin_block(struct block *b, uint32_t x, uint32_t y) {
    const struct kernel *k = b->kernel;
    const uint32_t header[] = {0, k->block[0], k->block[1], k->block[2], k->grid[0], k->grid[1], x, y};
    memset(b->shared.bytes, 0, b->shared.size);
    for (size_t n = 0; n < 8; n++) put_half(b->shared.bytes + 2 * n, header[n]);
    for (size_t n = 0; n < k->parameter_count; n++) {
        put_half(b->shared.bytes + HEADER_BYTES + 4 * n, k->parameters[n]);
        put_half(b->shared.bytes + HEADER_BYTES + 4 * n + 2, k->parameters[n] >> 16);
    }
    for (unsigned n = 0; n < b->thread_count; n++) {
        struct thread *t = &b->threads[n];
        unsigned row = n / k->block[0];
        *t = (struct thread){
            .lane = n % WARP,
            .warp = n / WARP,
            .waits_at = -1,
            .registers = k->registers,
            .global = k->global,
            .shared = b->shared,
            .local = {b->local.bytes + (size_t)n * k->local_bytes, k->local_bytes}
        };
        memcpy(t->constant, k->constant, sizeof t->constant);
        t->r[0] = n % k->block[0] | row % k->block[1] << 16 | row / k->block[1] << 26;
        for (size_t id = 0; id < BARRIERS; id++) b->arrived[id][n] = false;
    }
}

static bool runs(const struct thread *t) { return !t->ended && t->waits_at < 0; }

/* The barrier opens when all threads that have not ended have arrived. */
static void open_barriers(struct block *b) {
    for (int id = 0; id < BARRIERS; id++) {
        bool any = false, all = true;
        for (unsigned n = 0; n < b->thread_count; n++) {
            any |= b->arrived[id][n];
            all &= b->arrived[id][n] || b->threads[n].ended;
        }
        if (!any || !all) continue;
        for (unsigned n = 0; n < b->thread_count; n++) {
            b->arrived[id][n] = false;
            if (b->threads[n].waits_at == id) b->threads[n].waits_at = -1;
        }
    }
}

static const struct step *find_step(const struct kernel *k, uint32_t pc) {
    for (size_t n = 0; n < k->code_count; n++)
        if (k->code[n].instruction.address == pc) return &k->code[n];
    fail(k->source.statements[0].file, 0, "a thread leaves the code", "");
}

/* One instruction of a warp. False if none of its threads can continue. */
static bool take_turn(struct block *b, unsigned first) {
    const struct kernel *k = b->kernel;
    unsigned end = first + WARP < b->thread_count ? first + WARP : b->thread_count;
    uint32_t pc = UINT32_MAX;
    for (unsigned n = first; n < end; n++)
        if (runs(&b->threads[n]) && b->threads[n].pc < pc) pc = b->threads[n].pc;
    if (pc == UINT32_MAX) return false;
    const struct step *step = find_step(k, pc);
    for (unsigned n = first; n < end; n++) {
        struct thread *t = &b->threads[n];
        if (!runs(t) || t->pc != pc) continue;
        const char *problem = calculator_execute(&step->instruction, t);
        if (problem) fail(step->origin->file, step->origin->line, problem, step->origin->text);
        if (step->instruction.operation == OPERATION_BAR && step->instruction.arrives)
            b->arrived[step->instruction.operands[0].number][n] = true;
    }
    return true;
}

static void run_block(struct block *b) {
    for (unsigned turns = 0; turns < MAX_TURNS; turns++) {
        bool any = false;
        for (unsigned first = 0; first < b->thread_count; first += WARP) any |= take_turn(b, first);
        open_barriers(b);
        if (!any) {
            for (unsigned n = 0; n < b->thread_count; n++) any |= !b->threads[n].ended;
            if (!any) return;
        }
    }
    fail(b->kernel->source.statements[0].file, 0, "does not end", "");
}

void kernel_run(struct kernel *k) {
    struct block b = {.kernel = k, .thread_count = k->block[0] * k->block[1] * k->block[2]};
    b.threads = allocate(b.thread_count, sizeof *b.threads);
    b.shared = (struct memory){allocate(1, SHARED_BYTES), SHARED_BYTES};
    b.local.size = (size_t)b.thread_count * k->local_bytes;
    b.local.bytes = allocate(1, b.local.size);
    for (size_t id = 0; id < BARRIERS; id++) b.arrived[id] = allocate(b.thread_count, sizeof(bool));
    for (uint32_t y = 0; y < k->grid[1]; y++) {
        for (uint32_t x = 0; x < k->grid[0]; x++) {
            begin_block(&b, x, y);
            run_block(&b);
        }
    }
    for (size_t id = 0; id < BARRIERS; id++) free(b.arrived[id]);
    free(b.local.bytes);
    free(b.shared.bytes);
    free(b.threads);
}
