/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel: k(in, out, n). Thread g reads 8 words at in + 32 g and writes 8 at out + 32 g; they are followed by words
 * for the atomics of all threads. See draw.h. */
#include "draw.h"

#include <stdlib.h>
#include <string.h>

enum { FIXED_REGISTERS = 10 };

struct draw *draw_create(uint64_t seed, unsigned size, unsigned features, unsigned address_bits) {
    struct draw *d = calloc(1, sizeof *d);
    if (d == NULL) abort();
    d->random = seed;
    d->random = draw_bits(d) ^ 0x6a09e667f3bcc908u; /* streams of adjacent seeds are unrelated */
    d->size = size;
    d->features = features;
    d->address_bits = address_bits;
    return d;
}

void draw_free(struct draw *d) {
    free(d->text.bytes);
    free(d->body.bytes);
    free(d);
}

/* Blocks of up to 128 threads, some not a multiple of 32. */
static void draw_launch(struct draw *d) {
    static const unsigned BLOCKS[][3] = {
        {128, 1,  1},
        {64,  1,  1},
        {32,  2,  2},
        {16,  4,  1},
        {40,  1,  1},
        {100, 1,  1},
        {8,   4,  4},
        {33,  3,  1},
        {1,   64, 1}
    };
    static const unsigned GRIDS[][2] = {
        {2, 1},
        {1, 1},
        {3, 1},
        {2, 2},
        {1, 3}
    };
    const unsigned *block = BLOCKS[draw_below(d, 9)];
    const unsigned *grid = GRIDS[draw_below(d, 5)];
    memcpy(d->block, block, sizeof d->block);
    d->grid[0] = grid[0], d->grid[1] = grid[1], d->grid[2] = 1;
    d->threads = block[0] * block[1] * block[2];
    const unsigned all = d->threads * grid[0] * grid[1];
    d->n = d->uses_barrier || draw_chance(d, 50) ? all : all - draw_below(d, d->threads);
}

/* %r2: number in the block; %r3: number of the block; %r4: of all threads; %r5: n */
static void start_numbers(struct draw *d) {
    emit(d, "mov.u32 %%r0, %%tid.x;");
    emit(d, "mov.u32 %%r1, %%tid.z;");
    emit(d, "mov.u32 %%r6, %%ntid.y;");
    emit(d, "mov.u32 %%r7, %%tid.y;");
    emit(d, "mad.lo.u32 %%r1, %%r1, %%r6, %%r7;");
    emit(d, "mov.u32 %%r6, %%ntid.x;");
    emit(d, "mad.lo.u32 %%r2, %%r1, %%r6, %%r0;");
    emit(d, "mov.u32 %%r6, %%ctaid.y;");
    emit(d, "mov.u32 %%r7, %%nctaid.x;");
    emit(d, "mov.u32 %%r8, %%ctaid.x;");
    emit(d, "mad.lo.s32 %%r3, %%r6, %%r7, %%r8;");
    emit(d, "mad.lo.s32 %%r4, %%r3, %u, %%r2;", d->threads);
    emit(d, "ld.param.u32 %%r5, [k_n];");
}

static void start_addresses(struct draw *d) {
    const unsigned bits = d->address_bits;
    const unsigned all = d->threads * d->grid[0] * d->grid[1];
    const char *product = bits == 64 ? "wide" : "lo";
    emit(d, "ld.param.u%u %%in, [k_in];", bits);
    emit(d, "ld.param.u%u %%out, [k_out];", bits);
    emit(d, "cvta.to.global.u%u %%in, %%in;", bits);
    emit(d, "cvta.to.global.u%u %%out, %%out;", bits);
    emit(d, "add.u%u %%acc, %%out, %u;", bits, 32 * all);
    emit(d, "mul.%s.u32 %%sag, %%r4, 32;", product);
    emit(d, "add.u%u %%in, %%in, %%sag;", bits);
    emit(d, "add.u%u %%out, %%out, %%sag;", bits);
}

static void start_values(struct draw *d) {
    unsigned w[IN_WORDS];
    for (unsigned k = 0; k < IN_WORDS; k++) w[k] = new_register(d, WORD32);
    emit(d, "ld.global.v4.u32 {%%r%u, %%r%u, %%r%u, %%r%u}, [%%in];", w[0], w[1], w[2], w[3]);
    emit(d, "ld.global.v2.u32 {%%r%u, %%r%u}, [%%in+16];", w[4], w[5]);
    emit(d, "ld.global.u32 %%r%u, [%%in+24];", w[6]);
    emit(d, "ldu.global.u32 %%r%u, [%%in+28];", w[7]);
    for (unsigned k = 0; k < IN_WORDS; k++) pool_put(d, WORD32, w[k]);
    for (unsigned k = 0; k < 3; k++) {
        const unsigned f = new_register(d, FLOAT32);
        emit(d, "ld.global.f32 %%f%u, [%%in+%u];", f, 4 * draw_below(d, IN_WORDS));
        pool_put(d, FLOAT32, canonical(d, f));
    }
    const unsigned h = new_register(d, WORD16);
    const unsigned l = new_register(d, WORD64);
    emit(d, "ld.global.u16 %%rs%u, [%%in+%u];", h, 2 * draw_below(d, 2 * IN_WORDS));
    emit(d, "ld.global.b64 %%rd%u, [%%in+%u];", l, 8 * draw_below(d, IN_WORDS / 2));
    pool_put(d, WORD16, h);
    pool_put(d, WORD64, l);
    pool_put(d, WORD32, 2);
    pool_put(d, WORD32, 4);
}

static void start_specials(struct draw *d) {
    static const char *const NAMES[] = {"%ntid.x", "%nctaid.x", "%nctaid.y", "%ntid.z", "%ctaid.y"};
    const unsigned lane = new_register(d, WORD32);
    const unsigned own = new_register(d, WORD32);
    d->uniform.registers[d->uniform.count++] = 3;
    d->uniform.registers[d->uniform.count++] = 5;
    emit(d, "mov.u32 %%r%u, %%laneid;", lane);
    pool_put(d, WORD32, lane);
    emit(d, "mov.u32 %%r%u, %s;", own, NAMES[draw_below(d, 5)]);
    d->uniform.registers[d->uniform.count++] = own;
    const unsigned loaded = new_register(d, WORD32);
    emit(d, "ld.const.u32 %%r%u, [ctable+%u];", loaded, 4 * draw_below(d, 16));
    d->uniform.registers[d->uniform.count++] = loaded;
}

/* %r2 and %r4 are read-only: copies replace them in the pool. */
static void copy_numbers(struct draw *d) {
    struct pool *pool = &d->pools[WORD32];
    for (unsigned k = 0; k < pool->count; k++) {
        if (pool->registers[k] >= FIXED_REGISTERS) continue;
        const unsigned copy = new_register(d, WORD32);
        emit(d, "mov.u32 %%r%u, %%r%u;", copy, pool->registers[k]);
        pool->registers[k] = copy;
    }
}

/* Eight words of up to 40 registers. */
static void finish(struct draw *d) {
    unsigned sums[8];
    for (unsigned k = 0; k < 8; k++) sums[k] = pool_any(d, WORD32);
    for (unsigned k = 0; k < 40; k++) {
        const enum kind kind = (enum kind)draw_below(d, KINDS);
        if (d->pools[kind].count == 0) continue;
        const unsigned w = as_word(d, kind, d->pools[kind].registers[draw_below(d, d->pools[kind].count)]);
        const unsigned next = new_register(d, WORD32);
        emit(d, "%s %%r%u, %%r%u, %%r%u;", draw_chance(d, 50) ? "xor.b32" : "add.u32", next, sums[k % 8], w);
        sums[k % 8] = next;
    }
    emit(d, "st.global.v4.u32 [%%out], {%%r%u, %%r%u, %%r%u, %%r%u};", sums[0], sums[1], sums[2], sums[3]);
    emit(d, "st.global.v2.b32 [%%out+16], {%%r%u, %%r%u};", sums[4], sums[5]);
    emit(d, "st.global.u32 [%%out+24], %%r%u;", sums[6]);
    emit(d, "st.global.s16 [%%out+28], %%r%u;", sums[7]);
    emit(d, "st.global.u8 [%%out+30], %%r%u;", sums[0]);
    emit(d, "st.global.b8 [%%out+31], %%r%u;", sums[1]);
}

static void draw_body(struct draw *d) {
    memset(d->pools, 0, sizeof d->pools);
    memset(d->registers, 0, sizeof d->registers);
    d->registers[WORD32] = FIXED_REGISTERS;
    d->body.length = 0;
    d->has_local = d->divergent = false;
    d->heavy = 0;
    d->in_kernel = true;
    d->depth = 0;
    start_numbers(d);
    if (!d->uses_barrier) {
        const unsigned beyond = new_register(d, PREDICATE);
        emit(d, "setp.ge.u32 %%p%u, %%r4, %%r5;", beyond);
        emit(d, "@%%p%u bra $end;", beyond);
    }
    start_addresses(d);
    start_values(d);
    start_specials(d);
    copy_numbers(d);
    draw_local_start(d);
    if (d->uses_barrier) draw_shared_start(d);
    draw_block(d, d->size);
    finish(d);
    text_add(&d->body, "$end:\n\tret;\n");
}

/* Programs with features newer than the first chips of PTX 3 declare them. */
static const char *head_of(const struct draw *d) {
    if (has_feature(d, FEATURE_WIDE_ATOMICS)) return ".version 6.0\n.target sm_35\n";
    if (d->uses_funnel) return ".version 6.0\n.target sm_35\n";
    return d->uses_table ? ".version 6.0\n.target sm_30\n" : ".version 3.2\n.target sm_20\n";
}

void draw_program(struct draw *d) {
    const unsigned bits = d->address_bits;
    struct text program;
    d->uses_barrier = has_feature(d, FEATURE_SHARED) && draw_chance(d, 50);
    draw_launch(d);
    draw_tables(d);
    if (d->uses_barrier) text_add(&d->text, ".shared .align 16 .b8 sh[%u];\n", 16 * d->threads);
    draw_functions(d);
    draw_body(d);
    const char *pointer = draw_chance(d, 50) ? "" : " .ptr .global .align 32";
    text_add(&d->text, "\n.visible .entry k(.param .u%u%s k_in, .param .u%u%s k_out, .param .u32 k_n)\n{\n", bits,
             pointer, bits, pointer);
    declare_registers(d);
    text_append(&d->text, &d->body);
    text_add(&d->text, "}\n");
    program = (struct text){0};
    text_add(&program, "%s", head_of(d));
    text_add(&program, ".address_size %u\n\n", bits);
    text_append(&program, &d->text);
    free(d->text.bytes);
    d->text = program;
}
