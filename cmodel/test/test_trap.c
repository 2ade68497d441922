/* SPDX-License-Identifier: Apache-2.0 */
/* Every kind of trap, the state after a trapping instruction, which is unchanged, and the trap that counts among
 * several. */
#include <string.h>

#include "../core/decoded.h"
#include "fixture.h"

/* Runs a source whose registers R1..R3 are set as given; returns the record of the trap. */
static struct retire trap_record(const char *text, uint32_t r1, uint32_t step1, uint32_t r2) {
    struct fixture f;
    struct retire r;
    fixture_source(&f, text);
    fixture_launch(&f);
    fixture_poke(&f, 1, r1, step1);
    fixture_poke(&f, 2, r2, 0);
    do {
        r = fixture_step(&f);
    } while (r.trap == TRAP_NONE && r.state != RETIRE_FINISHED);
    struct retire next;
    if (r.trap != TRAP_NONE) {
        assert_int_equal(model_run_step(f.m, &next), MODEL_TRAPPED);
        assert_true(model_finished(f.m));
        assert_int_equal(model_get_trap(f.m).code, r.trap);
        assert_int_equal(model_get_trap(f.m).pc, r.pc);
        assert_int_equal(model_get_trap(f.m).slot, r.slot);
    }
    fixture_teardown(&f);
    return r;
}

static enum trap trap_with(const char *text, uint32_t r1, uint32_t step1) {
    return (enum trap)trap_record(text, r1, step1, 0).trap;
}

static enum trap trap_of_words(const uint32_t *words, size_t count) {
    struct fixture f;
    fixture_setup(&f, words, count);
    fixture_launch(&f);
    const enum model_result result = fixture_run(&f);
    const enum trap trap = model_get_trap(f.m).code;
    assert_int_equal(result, trap != TRAP_NONE ? MODEL_TRAPPED : MODEL_DONE);
    fixture_teardown(&f);
    return trap;
}

static void test_trap_undefined_words(void **state) {
    (void)state;
    assert_int_equal(trap_of_words((uint32_t[]){0xffffffff, 0xffffffff}, 2), TRAP_UNDEFINED);
    assert_int_equal(trap_of_words((uint32_t[]){0xf0000001, 0xe0000003}, 2), TRAP_UNDEFINED); /* marker 3 */
    assert_int_equal(trap_of_words((uint32_t[]){0xa0000001, 0x88464780}, 2), TRAP_UNDEFINED); /* F2I.S32.F64 */
    assert_int_equal(trap_of_words((uint32_t[]){0xe0000405, 0x60010780}, 2), TRAP_UNDEFINED); /* DADD */
    assert_int_equal(trap_of_words((uint32_t[]){0x10000201, 0x60000780}, 2), TRAP_UNDEFINED); /* VOTE.ANY */
    assert_int_equal(trap_of_words((uint32_t[]){0x10000805, 0x4480c780}, 2), TRAP_UNDEFINED); /* G2R.LOCK */
    assert_int_equal(trap_of_words((uint32_t[]){0x00001001, 0xe4a04780}, 2), TRAP_UNDEFINED); /* R2G.UNLOCK */
    assert_int_equal(trap_of_words((uint32_t[]){0xf0000000, 0xf0000000}, 2), TRAP_UNDEFINED); /* TEX32 */
    assert_int_equal(trap_of_words((uint32_t[]){0x20800405, 0x0400c780}, 2),
                     TRAP_UNDEFINED); /* IADD with a stray bit */
    /* IADD.U16 R1L, g [A1+0x0].U16, R2L, but with A5, and with a cell of 32 bits: each of two fields may be reserved */
    assert_int_equal(trap_of_words((uint32_t[]){0x24004009, 0x00210784}, 2), TRAP_UNDEFINED);
    assert_int_equal(trap_of_words((uint32_t[]){0x2400c009, 0x00210780}, 2), TRAP_UNDEFINED);
    struct fixture f;
    fixture_setup(&f, (uint32_t[]){0x00000002, 0x10008404}, 2); /* half an instruction, which is undefined */
    fixture_launch(&f);
    const struct retire half = fixture_step(&f);
    assert_int_equal(half.trap, TRAP_UNDEFINED);
    assert_int_equal(half.word_hi, 0);
    fixture_teardown(&f);
    /* MOV32 R1, R2, then a long instruction off its 8-byte boundary */
    assert_int_equal(trap_of_words((uint32_t[]){0x10008404, 0xf0000001, 0xe0000001, 0}, 4), TRAP_UNDEFINED);
    assert_int_equal(trap_of_words((uint32_t[]){0x04000005, 0x40000784}, 2), TRAP_UNDEFINED); /* A2R R1, A5 */
    assert_int_equal(fixture_trap_of("I2I.U32.U32 R1, g [0x4].U16\n"), TRAP_UNDEFINED);
    assert_int_equal(fixture_trap_of("R2A A2, g [A1+++0x1], 0x2\n"), TRAP_UNDEFINED);
    assert_int_equal(fixture_trap_of("R2A A2, g [A0+++0x1], 0x2\n"), TRAP_UNDEFINED);
    /* an odd pair of registers */
    assert_int_equal(fixture_trap_of("GLD.S64 R3, global3 [R1]\n"), TRAP_UNDEFINED);
}

/* Words that the table leaves out although the same instruction with a lower A register exists. */
static void test_trap_says_which_a_register_is_absent(void **state) {
    (void)state;
    static const char TEXT[] = "R2A A1, R5", ABSENT[] = "A5, A6 and A7 do not exist";
    struct isa_error error;
    uint32_t lo, hi;
    assert_true(isa_parse(TEXT, strlen(TEXT), NULL, &lo, &hi, &error));
    assert_null(decoded_fault(0, lo, hi));
    const char *fault = decoded_fault(0, lo | 1u << 4, hi); /* R2A A5, R5 */
    assert_non_null(fault);
    assert_string_equal(fault, ABSENT);
    fault = decoded_fault(0, 0x04000005, 0x40000784); /* A2R R1, A5 */
    assert_non_null(fault);
    assert_string_equal(fault, ABSENT);
    assert_null(decoded_fault(0, 0x04000005, 0x40000780)); /* A2R R1, A1 */
    assert_null(decoded_fault(0, 0xffffffff, 0xffffffff)); /* other faults as well */
}

/* Warp 0 of the second block, in slot 1. */
static void test_trap_says_which_warp(void **state) {
    (void)state;
    struct fixture f;
    fixture_source(&f, "I2I.U32.U16.C0 R1, g [0x6].U16\nBPT C0.NE\n!NOP\n");
    f.image.grid[0] = 2;
    fixture_launch(&f);
    assert_int_equal(fixture_run(&f), MODEL_TRAPPED);
    assert_int_equal(model_get_trap(f.m).code, TRAP_BREAKPOINT);
    assert_int_equal(model_get_trap(f.m).slot, 1);
    assert_int_equal(model_get_trap(f.m).sm, 0);
    fixture_teardown(&f);
}

static void test_trap_unimplemented(void **state) {
    (void)state;
    static const char *const TEXTS[] = {
        "KIL\n",
        "QUADON\n",
        "QUADPOP\n",
        "GRED.IADD.U32 global14 [R1], R2\n",
    };
    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++)
        assert_int_equal(fixture_trap_of(TEXTS[i]), TRAP_UNIMPLEMENTED);
}

/* The trap of a program of one instruction, on a machine that lacks units. */
static enum trap trap_without(bool fpu, bool sfu, const char *text) {
    struct fixture f;
    fixture_source(&f, text);
    f.machine.has_fpu = !fpu;
    f.machine.has_sfu = !sfu;
    fixture_launch(&f);
    assert_int_equal(fixture_run(&f), MODEL_TRAPPED);
    const enum trap trap = model_get_trap(f.m).code;
    fixture_teardown(&f);
    return trap;
}

/* A machine with the unit runs on beyond the code. */
static void test_trap_absent_units(void **state) {
    (void)state;
    static const char *const FLOAT[] = {"FADD R1, R2, R3\n", "I2F.F32.U32 R1, R2\n", "RRO R1, R2, SIN\n"};
    static const char *const SPECIAL[] = {"RCP R1, R2\n", "EX2 R1, R2\n"};
    for (size_t i = 0; i < sizeof FLOAT / sizeof FLOAT[0]; i++) {
        assert_int_equal(trap_without(true, false, FLOAT[i]), TRAP_UNIMPLEMENTED);
        assert_int_equal(trap_without(false, true, FLOAT[i]), TRAP_FETCH);
    }
    for (size_t i = 0; i < sizeof SPECIAL / sizeof SPECIAL[0]; i++) {
        assert_int_equal(trap_without(false, true, SPECIAL[i]), TRAP_UNIMPLEMENTED);
        assert_int_equal(trap_without(true, false, SPECIAL[i]), TRAP_FETCH);
    }
}

/* Words of sm_10x are undefined on a machine without the extension, and each part counts separately. */
static enum trap trap_of_extension(unsigned wide, unsigned dividers, const char *text) {
    struct fixture f;
    fixture_source(&f, text);
    f.machine.wide = wide;
    f.machine.dividers = dividers;
    fixture_launch(&f);
    assert_int_equal(fixture_run(&f), MODEL_TRAPPED);
    const enum trap trap = model_get_trap(f.m).code;
    fixture_teardown(&f);
    return trap;
}

static void test_trap_extension(void **state) {
    (void)state;
    static const char *const WIDE[] = {"WMUL R1, R2, R3\n", "WMAD.HI.CARRY0 R1, R2, R3, R4\n"};
    static const char *const DIVIDE[] = {"IDIV R1, R2, R3\n", "IREM.S32 R1, R2, R3\n"};
    for (size_t i = 0; i < sizeof WIDE / sizeof WIDE[0]; i++) {
        assert_int_equal(trap_of_extension(0, 8, WIDE[i]), TRAP_UNDEFINED);
        assert_int_equal(trap_of_extension(8, 0, WIDE[i]), TRAP_FETCH);
    }
    for (size_t i = 0; i < sizeof DIVIDE / sizeof DIVIDE[0]; i++) {
        assert_int_equal(trap_of_extension(8, 0, DIVIDE[i]), TRAP_UNDEFINED);
        assert_int_equal(trap_of_extension(0, 8, DIVIDE[i]), TRAP_FETCH);
    }
}

static void test_trap_fetch_beyond_the_code(void **state) {
    (void)state;
    struct retire r = trap_record("NOP\n", 0, 0, 0);
    assert_int_equal(r.trap, TRAP_FETCH);
    assert_int_equal(r.pc, 8);
    assert_int_equal(r.word_lo, 0);
    assert_int_equal(r.active, 0xffffffff);
    assert_int_equal(r.exec, 0);
    assert_int_equal(r.state, RETIRE_TRAPPED);
    r = trap_record("BRA 0x3fffc\n", 0, 0, 0);
    assert_int_equal(r.trap, TRAP_FETCH);
    assert_int_equal(r.pc, 0x3fffc);
    assert_int_equal(trap_of_words((uint32_t[]){0xf0000001}, 1), TRAP_FETCH); /* half of a long instruction */
    /* BRA 0x3fff8, to a NOP at the end of the largest code */
    static const uint32_t WORDS[0x10000] = {0x17fff003, 0x780, [0xfffe] = 0xf0000001, 0xe0000000};
    assert_int_equal(trap_of_words(WORDS, 0x10000), TRAP_FETCH);
}

static void test_trap_memory_align_and_range(void **state) {
    (void)state;
    /* a source that is discarded */
    assert_int_equal(fixture_trap_of("LOP.PASS_B R1, g [0x10], R0\n"), TRAP_SHARED_RANGE);
    assert_int_equal(trap_with("GLD.U32 R2, global14 [R1]\n", 2, 0), TRAP_GLOBAL_ALIGN);
    assert_int_equal(trap_with("GLD.S16 R2, global14 [R1]\n", 1, 0), TRAP_GLOBAL_ALIGN);
    assert_int_equal(trap_with("GLD.U32 R2, global14 [R1]\n", 0x40000, 0), TRAP_GLOBAL_RANGE);
    assert_int_equal(trap_with("GLD.U8 R2, global14 [R1]\n!NOP\n", 0x3ffff, 0), TRAP_NONE);
    assert_int_equal(trap_with("GST.U32 global14 [R1], R2\n", 0xfffffffc, 0), TRAP_GLOBAL_RANGE);
    assert_int_equal(trap_with("GST.U32 global14 [R1], R2\n", 0xfffffffe, 0), TRAP_GLOBAL_ALIGN); /* alignment first */
    assert_int_equal(trap_with("R2A A1, R1\nMOV R2, g [A1+0x0]\n", 2, 0), TRAP_SHARED_ALIGN);
    assert_int_equal(trap_with("R2A A1, R1\nMOV R2, g [A1+0x0]\n", 64, 0), TRAP_SHARED_RANGE);
    assert_int_equal(trap_with("R2A A1, R1\nMOV R2, g [A1+0x1]\n", 0xfffc, 0), TRAP_SHARED_RANGE); /* does not wrap */
    assert_int_equal(trap_with("MOV R2, g [0x10]\n", 0, 0), TRAP_SHARED_RANGE);
    assert_int_equal(trap_with("R2G.U32.U32 g [0x10], R1\n", 0, 0), TRAP_SHARED_RANGE);
    assert_int_equal(trap_with("R2A A1, R1\nR2G.U32.U32 g [A1+0x0], R1\n", 1, 0), TRAP_SHARED_ALIGN);
    assert_int_equal(trap_with("MVC R2, c [0x1] [0x0]\n", 0, 0), TRAP_CONST_RANGE); /* bank 1 does not exist */
    assert_int_equal(trap_with("R2A A1, R1\nMVC R2, c [0x0] [A1+0x0]\n", 2, 0), TRAP_CONST_ALIGN);
    assert_int_equal(trap_with("LLD.U32 R2, local [0x0]\n", 0, 0), TRAP_LOCAL_RANGE); /* local memory does not exist */
    assert_int_equal(trap_with("LST.U32 local [0x2], R1\n", 0, 0), TRAP_LOCAL_ALIGN);
}

/* Lanes 0..15 are in range but odd lanes are misaligned, the others are out of range: the smaller number counts. */
static void test_trap_smallest_code_of_all_lanes_counts(void **state) {
    (void)state;
    assert_int_equal(trap_with("GLD.U32 R2, global14 [R1]\n", 0x3fffe, 1), TRAP_GLOBAL_ALIGN);
    assert_int_equal(trap_with("GLD.U32 R2, global14 [R1]\n", 0x3fffc, 4), TRAP_GLOBAL_RANGE);
    /* the lowest lane beyond the memory, those above misaligned */
    assert_int_equal(trap_with("R2A A1, R1\nMOV R2, g [A1+0x0]\n", 64, 1), TRAP_SHARED_ALIGN);
    assert_int_equal(trap_with("R2A A1, R1\nLOP.AND R2, R1, c [0x1] [A1+0x0]\n", 64, 1), TRAP_CONST_ALIGN);
    /* shared operand out of range and constant misaligned: shared counts */
    assert_int_equal(trap_with("R2A A1, R1\nLOP.AND R2, g [A1+0x0], c [0x1] [0x0]\n", 64, 0), TRAP_SHARED_RANGE);
}

/* The guard excludes the lanes with bad addresses. */
static void test_trap_only_executing_lanes_count(void **state) {
    (void)state;
    struct fixture f;
    fixture_source(&f, "GLD.U32 R2 (C0.NE), global14 [R1]\n!NOP\n");
    fixture_launch(&f);
    fixture_poke(&f, 1, 0x3fffc, 4);
    fixture_poke_c(&f, 0, 1);
    model_poke_creg(f.m, 0, 0, 0, 0, 0);
    assert_int_equal(fixture_step(&f).exec, 1);
    fixture_teardown(&f);
}

static void test_trap_stack(void **state) {
    (void)state;
    assert_int_equal(fixture_trap_of("BRK\n"), TRAP_STACK_MISMATCH);
    assert_int_equal(fixture_trap_of("SSY 0x10\nCAL 0x10\nBRK\n"), TRAP_STACK_MISMATCH); /* not an empty stack */
    assert_int_equal(fixture_trap_of("CAL 0x8\nNOP.S\n"), TRAP_STACK_MISMATCH);
    assert_int_equal(fixture_trap_of("PBK 0x8\nNOP.S\n"), TRAP_STACK_MISMATCH);
    struct retire r = trap_record("CAL 0x0\n", 0, 0, 0);
    assert_int_equal(r.trap, TRAP_STACK_OVERFLOW);
    assert_int_equal(r.depth, 64);
    assert_int_equal(trap_record("SSY 0x0\nBRA 0x0\n", 0, 0, 0).trap, TRAP_STACK_OVERFLOW);
    /* a BRK that no lane executes needs no loop */
    assert_int_equal(trap_record("I2I.U32.U32.C0 o [0x7f], R2\nBRK C0.NE\n!NOP\n", 0, 0, 0).trap, TRAP_NONE);
}

/* No lane executes it, so that no operand is out of range. */
static void test_trap_needs_a_lane_that_executes(void **state) {
    (void)state;
    static const char *const TEXTS[] = {
        "MVI R2, 0x0\nI2I.U32.U32.C0 o [0x7f], R2\nMVC R1 (C0.NE), c [0x1] [0x40]\n!NOP\n",
        "MVI R2, 0x0\nI2I.U32.U32.C0 o [0x7f], R2\nMOV R1 (C0.NE), g [0x1f]\n!NOP\n",
    };
    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++) {
        struct fixture f;
        fixture_source(&f, TEXTS[i]);
        fixture_launch(&f);
        assert_int_equal(fixture_run(&f), MODEL_DONE);
        fixture_teardown(&f);
    }
}

static void test_trap_breakpoint(void **state) {
    (void)state;
    assert_int_equal(fixture_trap_of("TRAP\n"), TRAP_BREAKPOINT);
    assert_int_equal(fixture_trap_of("BPT\n"), TRAP_BREAKPOINT);
    assert_int_equal(trap_record("I2I.U32.U32.C0 o [0x7f], R2\nBPT C0.NE\n!NOP\n", 0, 0, 0).trap, TRAP_NONE);
}

/* A store with only its last lane out of range writes nothing at all, and the A register stays. */
static void test_trap_changes_nothing(void **state) {
    (void)state;
    struct fixture f;
    fixture_source(&f, "GST.U32 global14 [R1], R2\n");
    fixture_launch(&f);
    fixture_poke(&f, 1, 0x40000 - 31 * 4, 4);
    fixture_poke(&f, 2, 0xdeadbeef, 0);
    const struct retire r = fixture_step(&f);
    assert_int_equal(r.trap, TRAP_GLOBAL_RANGE);
    assert_int_equal(r.mem_kind, RETIRE_MEM_NONE);
    assert_int_equal(r.mem_mask, 0);
    assert_int_equal(r.next_pc, 0);
    assert_int_equal(r.next_active, 0);
    for (unsigned i = 0; i < f.machine.global_bytes; i++) assert_int_equal(model_global(f.m)[i], 0);
    struct model_counts counts;
    model_get_counts(f.m, &counts);
    assert_int_equal(counts.warp_instructions, 0);
    fixture_teardown(&f);

    fixture_source(&f, "R2A A1, R1\nIADD.C1 R3, g [A1+++0x4], R2\n");
    fixture_launch(&f);
    fixture_poke(&f, 1, 0, 1); /* lane 1 and others are misaligned */
    fixture_poke(&f, 3, 7, 0);
    fixture_step(&f);
    assert_int_equal(fixture_step(&f).trap, TRAP_SHARED_ALIGN);
    assert_int_equal(model_peek_areg(f.m, 0, 0, 4, 1), 4);
    assert_int_equal(model_peek_reg(f.m, 0, 0, 4, 3), 7);
    fixture_teardown(&f);
}

static void test_trap_names_are_distinct(void **state) {
    (void)state;
    for (int a = TRAP_NONE; a <= TRAP_BREAKPOINT; a++)
        for (int b = TRAP_NONE; b < a; b++) assert_string_not_equal(trap_name((enum trap)a), trap_name((enum trap)b));
}

/* A + offset is 0x40000: beyond the bank, although a memory's address has fewer bits. */
static void test_trap_of_the_largest_offset(void **state) {
    (void)state;
    static uint8_t bytes[4];
    struct fixture f;
    fixture_source(&f, "ADA A1, A0, 0x4\nMVC R1, c [0x1] [A1+0xffff]\n!NOP\n");
    f.image.bank[1].bytes = bytes;
    f.image.bank[1].size = sizeof bytes;
    fixture_launch(&f);
    assert_int_equal(fixture_run(&f), MODEL_TRAPPED);
    assert_int_equal(model_get_trap(f.m).code, TRAP_CONST_RANGE);
    fixture_teardown(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trap_undefined_words),
        cmocka_unit_test(test_trap_says_which_a_register_is_absent),
        cmocka_unit_test(test_trap_says_which_warp),
        cmocka_unit_test(test_trap_unimplemented),
        cmocka_unit_test(test_trap_absent_units),
        cmocka_unit_test(test_trap_extension),
        cmocka_unit_test(test_trap_fetch_beyond_the_code),
        cmocka_unit_test(test_trap_memory_align_and_range),
        cmocka_unit_test(test_trap_smallest_code_of_all_lanes_counts),
        cmocka_unit_test(test_trap_only_executing_lanes_count),
        cmocka_unit_test(test_trap_stack),
        cmocka_unit_test(test_trap_needs_a_lane_that_executes),
        cmocka_unit_test(test_trap_breakpoint),
        cmocka_unit_test(test_trap_changes_nothing),
        cmocka_unit_test(test_trap_of_the_largest_offset),
        cmocka_unit_test(test_trap_names_are_distinct),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
