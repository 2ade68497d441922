/* SPDX-License-Identifier: Apache-2.0 */
/* Quotients and remainders of 64 bits, compiled and run on the model, against those of this machine: corners in every
 * pair, numbers of every length, and those next to a multiple. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "../../cmodel/model.h"
#include "../../cmodel/run/launch.h"
#include "../compiler.h"

enum { BLOCK = 256, BLOCKS = 400, PAIRS = BLOCK * BLOCKS, INPUT = 0x100, OUTPUT = 0x200000, MEMORY = 0x800000 };

static const char KERNEL[] =
    ".version 3.2\n.target sm_20\n.entry k(.param .u32 in, .param .u32 out) {\n.reg .u32 %r<6>;\n.reg .u64 %d<7>;\n"
    "ld.param.u32 %r1, [in];\nld.param.u32 %r2, [out];\nmov.u32 %r3, %ctaid.x;\nmov.u32 %r4, %ntid.x;\n"
    "mov.u32 %r5, %tid.x;\nmad.lo.u32 %r3, %r3, %r4, %r5;\nshl.b32 %r4, %r3, 4;\nadd.u32 %r1, %r1, %r4;\n"
    "shl.b32 %r4, %r3, 5;\nadd.u32 %r2, %r2, %r4;\nld.global.u64 %d1, [%r1];\nld.global.u64 %d2, [%r1+8];\n"
    "div.u64 %d3, %d1, %d2;\nrem.u64 %d4, %d1, %d2;\ndiv.s64 %d5, %d1, %d2;\nrem.s64 %d6, %d1, %d2;\n"
    "st.global.u64 [%r2], %d3;\nst.global.u64 [%r2+8], %d4;\nst.global.u64 [%r2+16], %d5;\n"
    "st.global.u64 [%r2+24], %d6;\nret;\n}\n";

static const uint64_t CORNERS[] = {
    0,
    1,
    2,
    3,
    10,
    0x7fffffff,
    0x80000000,
    0xffffffff,
    0x100000000,
    0x100000001,
    0x1ffffffff,
    0xffffff00000000,
    0xffffff80000000,
    0x7fffffffffffffff,
    0x8000000000000000,
    0x8000000000000001,
    0xfffffffe00000001,
    0xffffffff00000000,
    0xfffffffffffffffe,
    0xffffffffffffffff,
};
enum { CORNER_COUNT = sizeof CORNERS / sizeof *CORNERS };

static uint64_t next(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static uint64_t draw(uint64_t *state) {
    const uint64_t bits = next(state), shape = next(state);
    const unsigned shift = shape >> 8 & 63;
    switch (shape & 7) {
    case 0: return ((uint64_t)1 << shift) + (bits & 3) - 2;
    case 1: return ~(bits >> shift);
    case 2: return (bits >> 40) << (shift % 41);
    case 3: return ~(uint64_t)0 << shift;
    default: return bits >> shift;
    }
}

static void draw_pairs(uint64_t (*pair)[2]) {
    uint64_t state = 56;
    for (size_t i = 0; i < PAIRS; i++) {
        pair[i][0] = draw(&state);
        pair[i][1] = draw(&state);
        if (next(&state) % 3 == 0) pair[i][0] = pair[i][1] * draw(&state) + next(&state) % 3 - 1;
        if (i < CORNER_COUNT * CORNER_COUNT) {
            pair[i][0] = CORNERS[i / CORNER_COUNT];
            pair[i][1] = CORNERS[i % CORNER_COUNT];
        }
    }
}

static uint64_t magnitude(uint64_t a) { return a >> 63 != 0 ? 0 - a : a; }

/* Division by zero: the quotient is all ones, without a sign; signed division by zero is unspecified. */
static void check(const uint64_t *p, const uint64_t *found) {
    const uint64_t a = p[0], b = p[1];
    const uint64_t quotient = b == 0 ? ~(uint64_t)0 : a / b, remainder = b == 0 ? a : a % b;
    bool good = found[0] == quotient && found[1] == remainder;
    if (b != 0) {
        const uint64_t q = magnitude(a) / magnitude(b), r = magnitude(a) % magnitude(b);
        good = good && found[2] == ((a ^ b) >> 63 != 0 ? 0 - q : q) && found[3] == (a >> 63 != 0 ? 0 - r : r);
    }
    if (!good)
        fail_msg("%llx by %llx: %llx, %llx; signed %llx, %llx", (unsigned long long)a, (unsigned long long)b,
                 (unsigned long long)found[0], (unsigned long long)found[1], (unsigned long long)found[2],
                 (unsigned long long)found[3]);
}

static struct image *compile(void) {
    struct compiler_options options = COMPILER_OPTIONS;
    struct compilation *c;
    struct diag d = {0};
    options.name = "k.ptx";
    if (compile_source(KERNEL, sizeof KERNEL - 1, &options, &c, &d) != STATUS_OK) fail_msg("%s", d.text);
    struct image *img = compilation_image(c, 0);
    compilation_destroy(c);
    return img;
}

static void test_division_of_64_bits(void **state) {
    (void)state;
    struct machine machine = MACHINE_DEFAULT;
    struct launch run = {.image = compile()};
    struct diag d = {0};
    uint64_t(*pairs)[2] = malloc(PAIRS * sizeof *pairs), found[4], steps;
    assert_non_null(pairs);
    draw_pairs(pairs);
    machine.global_bytes = MEMORY;
    run.image->block[0] = BLOCK;
    run.image->grid[0] = BLOCKS;
    image_set_shape(run.image);
    image_add_param(run.image, INPUT);
    image_add_param(run.image, OUTPUT);
    image_add_global(run.image, INPUT, (const uint8_t *)pairs, PAIRS * sizeof *pairs);
    if (launch_check(&run, &machine, &d) != STATUS_OK) fail_msg("%s", d.text);
    struct model *m = model_create(&machine);
    assert_int_equal(model_launch(m, run.image, &d), STATUS_OK);
    assert_int_equal(model_run(m, 10000000, &steps), MODEL_DONE);
    for (size_t i = 0; i < PAIRS; i++) {
        memcpy(found, model_global(m) + OUTPUT + i * sizeof found, sizeof found);
        check(pairs[i], found);
    }
    /* four divisions of each warp, each lane with other numbers */
    assert_in_range(steps / (PAIRS / 32), 1, 4 * 300);
    model_destroy(m);
    launch_release(&run);
    free(pairs);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_division_of_64_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
