/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses of 64 and 128 bits: word k is register R + k and address + 4 k. Source: docs/isa.md 5; register numbers that
 * are no multiple of 2 or 4, and registers beyond the launch: docs/trace.md. */
#include <string.h>

#include "fixture.h"

static void start(struct fixture *f, const char *text) {
    fixture_source(f, text);
    f->image.local_bytes = 32;
    fixture_launch(f);
}

static uint32_t reg(const struct fixture *f, unsigned n) { return model_peek_reg(f->m, 0, 0, 6, n); }

static void fill_global(struct fixture *f) {
    for (unsigned i = 0; i < 1024; i++) model_global(f->m)[i] = (uint8_t)(i / 4 + 0x10 * (i % 4));
}

static void test_wide_load(void **state) {
    (void)state;
    struct fixture f;
    start(&f, "GLD.S128 R4, global14 [R1]\nGLD.S64 R2, global14 [R1]\n!NOP\n");
    fill_global(&f);
    fixture_poke(&f, 1, 0x100, 16);
    struct retire r = fixture_step(&f);
    assert_int_equal(r.mem_kind, RETIRE_MEM_GLOBAL_LOAD);
    assert_int_equal(r.mem_bytes, 16);
    assert_int_equal(r.dst_kind, RETIRE_DST_REG32);
    assert_int_equal(r.dst_reg, 4);
    assert_int_equal(r.dst_mask, 0xffffffff);
    assert_int_equal(r.addr[6], 0x160);
    assert_int_equal(r.dst[6], 0x88786858); /* byte 0x160 is 0x58, the next one 0x58 + 0x10 */
    assert_int_equal(r.dst_rest[0][6], 0x89796959);
    assert_int_equal(r.dst_rest[2][6], 0x8b7b6b5b);
    assert_int_equal(r.data_rest[2][6], 0);
    assert_int_equal(reg(&f, 4), 0x88786858);
    assert_int_equal(reg(&f, 5), 0x89796959);
    assert_int_equal(reg(&f, 6), 0x8a7a6a5a);
    assert_int_equal(reg(&f, 7), 0x8b7b6b5b);
    r = fixture_step(&f);
    assert_int_equal(r.mem_bytes, 8);
    assert_int_equal(r.dst_rest[0][6], 0x89796959);
    assert_int_equal(r.dst_rest[1][6], 0);
    assert_int_equal(reg(&f, 3), 0x89796959);
    assert_int_equal(reg(&f, 4), 0x88786858);
    fixture_teardown(&f);
}

/* The address register may be among the loaded ones. */
static void test_wide_load_over_its_address(void **state) {
    (void)state;
    struct fixture f;
    start(&f, "GLD.S128 R4, global14 [R6]\n!NOP\n");
    fill_global(&f);
    fixture_poke(&f, 6, 0x40, 0);
    const struct retire r = fixture_step(&f);
    assert_int_equal(r.dst_rest[2][0], 0x43332313);
    assert_int_equal(reg(&f, 7), 0x43332313);
    assert_int_equal(reg(&f, 6), 0x42322212);
    fixture_teardown(&f);
}

static void test_wide_store(void **state) {
    (void)state;
    struct fixture f;
    start(&f, "GST.S64 global14 [R1], R2\nGST.S128 global14 [R6], R8\n!NOP\n");
    fixture_poke(&f, 1, 0x200, 0);
    fixture_poke(&f, 2, 0x22220000, 1);
    fixture_poke(&f, 3, 0x33330000, 1);
    fixture_poke(&f, 6, 0x400, 16);
    for (unsigned i = 0; i < 4; i++) fixture_poke(&f, 8 + i, 0x08080000 + 0x01010000 * i, 1);
    struct retire r = fixture_step(&f);
    assert_int_equal(r.mem_kind, RETIRE_MEM_GLOBAL_STORE);
    assert_int_equal(r.mem_bytes, 8);
    assert_int_equal(r.data[5], 0x22220005);
    assert_int_equal(r.data_rest[0][5], 0x33330005);
    assert_int_equal(r.data_rest[1][5], 0);
    assert_int_equal(r.dst_mask, 0);
    assert_memory_equal(model_global(f.m) + 0x200, "\x1f\0\x22\x22\x1f\0\x33\x33\0", 9); /* the highest lane wins */
    r = fixture_step(&f);
    assert_int_equal(r.data_rest[2][31], 0x0b0b001f);
    assert_memory_equal(model_global(f.m) + 0x460, "\6\0\x8\x8\6\0\x9\x9\6\0\xa\xa\6\0\xb\xb", 16);
    fixture_teardown(&f);
}

static void test_wide_local(void **state) {
    (void)state;
    struct fixture f;
    start(&f, "ADA A1, A0, 0x8\nLST.S64 local [A1+0x8], R2\nLLD.U32 R4, local [0x14]\nLLD.S64 R6, local [A1+++0x8]\n"
              "LLD.S64 R6, local [A1+++0x8]\n!NOP\n");
    fixture_poke(&f, 2, 0x1000, 1);
    fixture_poke(&f, 3, 0x2000, 1);
    fixture_steps(&f, 3);
    assert_int_equal(reg(&f, 4), 0x2006);
    struct retire r = fixture_step(&f); /* bytes 8..15: never written */
    assert_int_equal(r.a[6], 16);
    assert_int_equal(model_undefined_count(f.m), 1);
    r = fixture_step(&f);
    assert_int_equal(r.mem_kind, RETIRE_MEM_LOCAL_LOAD);
    assert_int_equal(r.addr[6], 16);
    assert_int_equal(r.a[6], 24);
    assert_int_equal(reg(&f, 6), 0x1006);
    assert_int_equal(reg(&f, 7), 0x2006);
    assert_int_equal(model_undefined_count(f.m), 1);
    fixture_teardown(&f);
}

static enum trap trap_at(const char *text, uint32_t address, uint32_t local_bytes) {
    struct fixture f;
    fixture_source(&f, text);
    f.image.local_bytes = local_bytes;
    fixture_launch(&f);
    fixture_poke(&f, 1, address, 0);
    struct retire r;
    memset(&r, 0xff, sizeof r);
    assert_int_equal(model_run_step(f.m, &r), MODEL_RETIRED);
    if (r.trap != TRAP_NONE) assert_int_equal(r.mem_bytes | r.dst_kind | r.mem_mask, 0);
    fixture_teardown(&f);
    return (enum trap)r.trap;
}

static void test_wide_traps(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint32_t address;
        enum trap trap;
    } CASES[] = {
        {"GLD.S64 R3, global14 [R1]\n!NOP\n",  0,          TRAP_UNDEFINED   },
        {"GLD.S128 R6, global14 [R1]\n!NOP\n", 0,          TRAP_UNDEFINED   },
        {"GST.S64 global14 [R1], R5\n!NOP\n",  0,          TRAP_UNDEFINED   },
        {"LLD.S64 R127, local [0x0]\n!NOP\n",  0,          TRAP_UNDEFINED   },
        {"LST.S128 local [0x0], R126\n!NOP\n", 0,          TRAP_UNDEFINED   },
        {"GLD.S64 R2, global14 [R1]\n!NOP\n",  0x3fff8,    TRAP_NONE        },
        {"GLD.S64 R2, global14 [R1]\n!NOP\n",  0x40000,    TRAP_GLOBAL_RANGE},
        {"GLD.S64 R2, global14 [R1]\n!NOP\n",  4,          TRAP_GLOBAL_ALIGN},
        {"GST.S128 global14 [R1], R4\n!NOP\n", 8,          TRAP_GLOBAL_ALIGN},
        {"GST.S128 global14 [R1], R4\n!NOP\n", 0xfffffff0, TRAP_GLOBAL_RANGE},
        {"LLD.S64 R2, local [0x10]\n!NOP\n",   0,          TRAP_NONE        },
        {"LLD.S64 R2, local [0x18]\n!NOP\n",   0,          TRAP_LOCAL_RANGE },
        {"LST.S128 local [0x10], R4\n!NOP\n",  0,          TRAP_LOCAL_RANGE },
        {"LST.S128 local [0x8], R4\n!NOP\n",   0,          TRAP_LOCAL_ALIGN },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        const enum trap trap = trap_at(CASES[i].text, CASES[i].address, 28);
        if (trap != CASES[i].trap) print_error("%sgave trap %u\n", CASES[i].text, (unsigned)trap);
        assert_int_equal(trap, CASES[i].trap);
    }
}

static struct retire one_step(struct fixture *f, const char *text, unsigned regs) {
    fixture_source(f, text);
    f->image.regs = regs;
    fixture_launch(f);
    fill_global(f);
    for (unsigned i = 0; i < regs; i++) fixture_poke(f, i, i == 1 ? 0x40 : i == 2 ? 0 : 0x500 + i, 0);
    return fixture_step(f);
}

/* Words without a register are dropped, one by one. */
static void test_wide_registers_beyond_the_launch(void **state) {
    (void)state;
    struct fixture f;
    struct retire r = one_step(&f, "GLD.S128 R4, global14 [R1]\n!NOP\n", 6);
    assert_int_equal(r.dst_kind, RETIRE_DST_REG32);
    assert_int_equal(r.dst_rest[0][9], 0x41312111);
    assert_int_equal(r.dst_rest[1][9] | r.dst_rest[2][9], 0);
    assert_int_equal(reg(&f, 5), 0x41312111);
    fixture_teardown(&f);

    r = one_step(&f, "GLD.S64 R6, global14 [R1]\n!NOP\n", 6);
    assert_int_equal(r.dst_kind, RETIRE_DST_NONE);
    assert_int_equal(r.dst_mask | r.dst[0] | r.dst_rest[0][0], 0);
    assert_int_equal(r.mem_mask, 0xffffffff);
    fixture_teardown(&f);

    r = one_step(&f, "GST.S128 global14 [R1], R4\n!NOP\n", 6);
    assert_int_equal(r.data_rest[0][0], 0x505);
    assert_int_equal(r.data_rest[1][0] | r.data_rest[2][0], 0);
    fixture_teardown(&f);

    r = one_step(&f, "GLD.S128 R124, global14 [R1]\n!NOP\n", 128);
    assert_int_equal(r.dst_reg, 124);
    assert_int_equal(r.dst_rest[1][0], 0x42322212);
    assert_int_equal(r.dst_rest[2][0], 0); /* R127 */
    assert_int_equal(reg(&f, 126), 0x42322212);
    assert_int_equal(reg(&f, 127), 0x500 + 127);
    fixture_teardown(&f);

    r = one_step(&f, "GST.S128 global14 [R1], R124\n!NOP\n", 128);
    assert_int_equal(r.data[0], 0);
    assert_int_equal(r.data_rest[0][0], 0x500 + 125);
    fixture_teardown(&f);
}

/* The second of two instructions, which adopts from its record. */
static struct retire follow_second(struct fixture *f, const char *text, const struct retire *last) {
    start(f, text);
    return fixture_follow(f, 2, last);
}

/* Each word is undefined by itself: only that word comes from the RTL. */
static void test_wide_adopts_word_by_word(void **state) {
    (void)state;
    struct fixture f;
    struct retire rtl = {.mem_bytes = 8};
    rtl.data[3] = rtl.dst[3] = 77;
    rtl.data_rest[0][3] = rtl.dst_rest[0][3] = 88;
    struct retire out = follow_second(&f, "MOV R2, R0\nLST.S64 local [0x8], R2\n!NOP\n", &rtl);
    assert_int_equal(out.data[3], 3);
    assert_int_equal(out.data_rest[0][3], 88);
    assert_int_equal(model_undefined_at(f.m, 0)->pc, 8);
    assert_string_equal(model_undefined_at(f.m, 0)->what, "R3");
    fixture_teardown(&f);

    out = follow_second(&f, "MOV R3, R0\nLST.S64 local [0x8], R2\n!NOP\n", &rtl);
    assert_int_equal(out.data[3], 77);
    assert_int_equal(out.data_rest[0][3], 3);
    fixture_teardown(&f);

    out = follow_second(&f, "LST.U32 local [0x4], R0\nLLD.S64 R4, local [0x0]\n!NOP\n", &rtl);
    assert_int_equal(out.dst[3], 77);
    assert_int_equal(out.dst_rest[0][3], 3);
    fixture_teardown(&f);

    out = follow_second(&f, "LST.U32 local [0x0], R0\nLLD.S64 R4, local [0x0]\n!NOP\n", &rtl);
    assert_int_equal(out.dst[3], 3);
    assert_int_equal(out.dst_rest[0][3], 88);
    assert_int_equal(model_peek_reg(f.m, 0, 0, 3, 5), 88);
    assert_string_equal(model_undefined_at(f.m, 0)->what, "local 0x4");
    fixture_teardown(&f);
}

/* Lane by lane: the second word is defined in lanes 16..31. */
static void test_wide_adopts_lane_by_lane(void **state) {
    (void)state;
    struct fixture f;
    struct retire rtl = fixture_record(0, 0, 0, 0, 0), out;
    rtl.mem_bytes = 8;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) rtl.dst_rest[0][lane] = rtl.data_rest[0][lane] = 88;
    fixture_source(&f, "MVI R4, 0x10\nISET.C0 o [0x7f], R0, R4, GE\nMOV R2, R0\nMOV R3 (C0.NE), R0\n"
                       "LST.U32 local [0x4] (C0.NE), R0\nLLD.S64 R6, local [0x0]\nLST.S64 local [0x8], R2\n!NOP\n");
    f.image.local_bytes = 16;
    fixture_launch(&f);
    out = fixture_follow(&f, 6, &rtl);
    assert_int_equal(out.dst_rest[0][3], 88);
    assert_int_equal(out.dst_rest[0][20], 20);
    assert_int_equal(model_step_follow(f.m, &rtl, &out), MODEL_RETIRED);
    assert_int_equal(out.data_rest[0][3], 88);
    assert_int_equal(out.data_rest[0][20], 20);
    fixture_teardown(&f);

    /* if the address is undefined the loaded value is not */
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        rtl.addr[lane] = 8 * lane;
        rtl.dst[lane] = 77;
    }
    fixture_source(&f, "GLD.S64 R6, global14 [R9]\n!NOP\n");
    fixture_launch(&f);
    out = fixture_follow(&f, 1, &rtl);
    assert_int_equal(out.addr[3], 24);
    assert_int_equal(out.dst[3], 0);
    assert_int_equal(out.dst_rest[0][3], 0);
    fixture_teardown(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wide_load),
        cmocka_unit_test(test_wide_load_over_its_address),
        cmocka_unit_test(test_wide_store),
        cmocka_unit_test(test_wide_local),
        cmocka_unit_test(test_wide_traps),
        cmocka_unit_test(test_wide_registers_beyond_the_launch),
        cmocka_unit_test(test_wide_adopts_word_by_word),
        cmocka_unit_test(test_wide_adopts_lane_by_lane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
