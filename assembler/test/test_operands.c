/* SPDX-License-Identifier: Apache-2.0 */
/* Facts that decode finds beyond a word's text: operands in bytes, their order, widths and flags. Words are those of
 * golden/encodings or of real programs; expected values are derived by hand from docs/isa.md 2 to 5. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "../isa/isa.h"
#include "support.h"

static struct isa_insn decode(uint32_t lo, uint32_t hi) {
    struct isa_insn insn;
    assert_int_equal(isa_decode(lo, hi, &insn), ISA_OK);
    assert_int_equal(insn.bytes, isa_is_long(lo) ? 8 : 4);
    return insn;
}

static struct isa_insn parse(const char *text) {
    struct isa_error error;
    uint32_t lo, hi;
    if (!isa_parse(text, strlen(text), NULL, &lo, &hi, &error)) fail_msg("%s: %s", text, error.text);
    return decode(lo, hi);
}

static void expect_register(const struct isa_operand *o, enum isa_operand_kind kind, unsigned reg, unsigned bytes) {
    assert_int_equal(o->kind, kind);
    assert_int_equal(o->reg, reg);
    assert_int_equal(o->bytes, bytes);
}

static void expect_cell(const struct isa_operand *o, enum isa_operand_kind kind, uint32_t value, unsigned bytes,
                        bool sext) {
    assert_int_equal(o->kind, kind);
    assert_int_equal(o->value, value);
    assert_int_equal(o->bytes, bytes);
    assert_int_equal(o->sext, sext);
}

static void test_operands_iadd_second_source_is_src1(void **state) {
    (void)state;
    struct isa_insn i = decode(0x20000405, 0x0400c780); /* IADD R1, R2, R3: R3 in slot 3 */
    assert_int_equal(i.op, OP_IADD);
    assert_int_equal(i.unit, UNIT_ALU);
    expect_register(&i.dst, ISA_REG32, 1, 4);
    expect_register(&i.src[0], ISA_REG32, 2, 4);
    expect_register(&i.src[1], ISA_REG32, 3, 4);
    assert_int_equal(i.src[2].kind, ISA_NONE);
    assert_true(i.guarded);
    assert_int_equal(i.cond, ISA_COND_TRUE);
    assert_false(i.set_c);
    assert_int_equal(i.lane_mask, 15);
}

static void test_operands_iadd_constant_is_src1_in_words(void **state) {
    (void)state;
    struct isa_insn i = decode(0x21000405, 0x04408780); /* IADD R1, R2, c[0x1][0x2] */
    expect_cell(&i.src[1], ISA_CONST, 8, 4, false);
    assert_int_equal(i.src[1].bank, 1);
    assert_false(i.src[1].indexed);
}

static void test_operands_shared_offsets_scale_with_the_type(void **state) {
    (void)state;
    struct isa_insn i = decode(0x2000c805, 0x0420c780); /* IADD R1, g [0x4], R3 */
    expect_cell(&i.src[0], ISA_SHARED, 16, 4, false);
    i = decode(0x10004205, 0x0023c780); /* MOV.U16 R0H, g [0x1].U16 */
    expect_cell(&i.src[0], ISA_SHARED, 2, 2, false);
    expect_register(&i.dst, ISA_REG16, 1, 2);
    i = decode(0xa0008c05, 0x0c210780); /* I2I.S32.S16 R1, g [0x6].S16 */
    expect_cell(&i.src[0], ISA_SHARED, 12, 2, true);
    i = decode(0x10002009, 0x0023c780); /* MOV.U16 R1L, g [0x10].U8 */
    expect_cell(&i.src[0], ISA_SHARED, 16, 1, false);
    i = decode(0xa0002005, 0x0c218780); /* I2I.S32.S16.BEXT R1, g [0x10].S8 */
    expect_cell(&i.src[0], ISA_SHARED, 16, 1, true);
}

static void test_operands_a_register_indexes_the_first_memory_operand(void **state) {
    (void)state;
    struct isa_insn i = parse("ISET R1, g [A2+0x3], c [0x1] [0x2], LT");
    assert_int_equal(i.areg, 2);
    assert_true(i.src[0].indexed);
    assert_false(i.src[1].indexed);
    expect_cell(&i.src[0], ISA_SHARED, 12, 4, false);
    expect_cell(&i.src[1], ISA_CONST, 8, 4, false);
    i = parse("ISET R1, R2, c [0x1] [A2+0x2], LT");
    assert_true(i.src[1].indexed);
}

static void test_operands_post_increment_is_signed_and_scaled(void **state) {
    (void)state;
    struct isa_insn i = parse("MOV R1, g [A1+++0x1]");
    assert_true(i.areg_inc);
    assert_int_equal(i.inc_bytes, 4);
    i = parse("MOV.U16 R1L, g [A1+++0x1f].U16"); /* 5 bits: 0x1f is -1 */
    assert_int_equal(i.inc_bytes, -2);
    i = parse("LLD.U32 R1, local [A1+++0xfffc]");
    assert_int_equal(i.inc_bytes, -4);
    static const char too_low[] = "MOV R1, g [A1+++-0x11]";
    struct isa_error error;
    uint32_t lo, hi;
    i = parse("MOV R1, g [A1+++-0x10]");
    assert_int_equal(i.inc_bytes, -64);
    assert_false(isa_parse(too_low, strlen(too_low), NULL, &lo, &hi, &error));
    assert_string_equal(error.text, "offset is out of range -0x10..0x1f");
}

static void test_operands_multiply_add_constants(void **state) {
    (void)state;
    struct isa_insn i = decode(0x60820805, 0x00410780); /* IMAD.U16 R1, R2L, c[0x1][0x2], R4: 16-bit cell in slot 2 */
    expect_register(&i.src[0], ISA_REG16, 4, 2);
    expect_cell(&i.src[1], ISA_CONST, 4, 2, false);
    expect_register(&i.src[2], ISA_REG32, 4, 4);
    i = parse("IMAD.U16 R1, R2L, R3H, c[0x1][0x2]"); /* slot 3 is 32 bits wide */
    expect_register(&i.src[1], ISA_REG16, 7, 2);
    expect_cell(&i.src[2], ISA_CONST, 8, 4, false);
    i = parse("IMAD.U24 R1, R2, c[0x1][0x2], R4");
    expect_cell(&i.src[1], ISA_CONST, 8, 4, false);
}

static void test_operands_half_and_immediate_accumulate_the_destination(void **state) {
    (void)state;
    struct isa_insn i = decode(0x60070804, 0); /* IMAD32.U16 R1, R2L, R3H, R1 */
    expect_register(&i.src[2], ISA_REG32, 1, 4);
    assert_false(i.guarded);
    i = decode(0x60200805, 0x00000003); /* IMAD32I.U16 R1, R2L, 0x20, R1 */
    expect_cell(&i.src[1], ISA_IMM, 0x20, 4, false);
    expect_register(&i.src[2], ISA_REG32, 1, 4);
    i = parse("ISAD32.U16 R5, R2L, R3H, R5");
    expect_register(&i.src[2], ISA_REG32, 5, 4);
}

static void test_operands_immediates(void **state) {
    (void)state;
    struct isa_insn i = decode(0x10388005, 0x01234567); /* MVI R1, 0x12345678 */
    assert_int_equal(i.op, OP_MOV);
    expect_cell(&i.src[0], ISA_IMM, 0x12345678, 4, false);
    i = decode(0x30030405, 0xc4100780); /* SHL R1, R2, 0x3 */
    expect_cell(&i.src[1], ISA_IMM, 3, 4, false);
    i = decode(0x20019225, 0x00000003); /* IADD32I R9, R9, 0x1 */
    expect_cell(&i.src[1], ISA_IMM, 1, 4, false);
}

static void test_operands_signs_inverts_and_bars(void **state) {
    (void)state;
    struct isa_insn i = decode(0x30000405, 0x0400c780); /* IADD R1, -R2, R3 */
    assert_true(i.src[0].negate);
    assert_true((i.attr & ISA_NEG_A) != 0);
    i = decode(0xa0000405, 0x04114780); /* I2I.U32.S32 R1, |R2| */
    assert_true(i.src[0].absolute);
    i = decode(0xa0000405, 0x2c014780); /* I2I.S32.S32 R1, -R2 */
    assert_true(i.src[0].negate);
    i = parse("LOP.PASS_B R0, ~R1, ~R3");
    assert_true(i.src[0].invert && i.src[1].invert);
    assert_false(i.src[0].negate || i.src[1].negate);
    assert_int_equal(i.logic, 3);
}

static void test_operands_moves_between_register_files(void **state) {
    (void)state;
    struct isa_insn i = decode(0x00020405, 0xc0000780); /* R2A A1, R2, 0x2 */
    expect_register(&i.dst, ISA_AREG, 1, 2);
    expect_register(&i.src[0], ISA_REG32, 2, 4);
    assert_int_equal(i.shift, 2);
    i = decode(0x08000005, 0x40000780); /* A2R R1, A2 */
    expect_register(&i.src[0], ISA_AREG, 2, 2);
    assert_int_equal(i.areg, 2);
    i = decode(0xd0004005, 0x20000780); /* ADA A1, A0, 0x20 */
    expect_register(&i.dst, ISA_AREG, 1, 2);
    expect_register(&i.src[0], ISA_AREG, 0, 2);
    expect_cell(&i.src[1], ISA_IMM, 0x20, 4, false);
    i = parse("R2C C2, R5");
    assert_int_equal(i.dst.kind, ISA_CREG);
    assert_int_equal(i.dst.reg, 2);
    i = parse("C2R R5, C3");
    assert_int_equal(i.src[0].kind, ISA_CREG);
    assert_int_equal(i.src[0].reg, 3);
    i = parse("S2R R0, SR1");
    assert_int_equal(i.sreg, 1);
}

static void test_operands_constant_loads(void **state) {
    (void)state;
    struct isa_insn i = decode(0x10000405, 0x2440c780); /* MVC R1, c[0x1] [0x2] */
    expect_cell(&i.src[0], ISA_CONST, 8, 4, false);
    assert_int_equal(i.src[0].bank, 1);
    i = parse("MVC R1, c[0x0] [A1+0x3].S16");
    expect_cell(&i.src[0], ISA_CONST, 6, 2, true);
    assert_true(i.src[0].indexed);
}

static void test_operands_global_memory(void **state) {
    (void)state;
    struct isa_insn i = decode(0xd00e0405, 0x80c00780); /* GLD.U32 R1, global14[R2] */
    assert_int_equal(i.unit, UNIT_GLOBAL);
    expect_register(&i.dst, ISA_REG32, 1, 4);
    expect_register(&i.src[0], ISA_GLOBAL, 2, 4);
    assert_int_equal(i.segment, 14);
    i = decode(0xd00e0405, 0xa0c00780); /* GST.U32 global14[R2], R1: the data lies in the destination's bits */
    expect_register(&i.dst, ISA_GLOBAL, 2, 4);
    expect_register(&i.src[0], ISA_REG32, 1, 4);
    i = decode(0xd00e0801, 0xa0a00781); /* GST.S128 global14[R4], R0, END */
    expect_register(&i.dst, ISA_GLOBAL, 4, 16);
    expect_register(&i.src[0], ISA_REG32, 0, 16);
    assert_int_equal(i.marker, ISA_MARK_END);
    i = parse("GLD.S8 R1, global14[R2]");
    assert_true(i.src[0].sext);
    expect_register(&i.dst, ISA_REG32, 1, 4);
}

static void test_operands_shared_stores(void **state) {
    (void)state;
    struct isa_insn i = decode(0x00001001, 0xe4204780); /* R2G.U32.U32 g[0x8], R1 */
    expect_cell(&i.dst, ISA_SHARED, 32, 4, false);
    expect_register(&i.src[0], ISA_REG32, 1, 4);
    i = decode(0x00004001, 0xe0404780); /* R2G.U16.U8 g[0x20], R1: half register 1 is R0H */
    expect_cell(&i.dst, ISA_SHARED, 32, 1, false);
    expect_register(&i.src[0], ISA_REG16, 1, 2);
}

static void test_operands_bucket_and_flags(void **state) {
    (void)state;
    struct isa_insn i = parse("ISET.S32.C1 o [0x7f] (C2.NE), R5, R6, LE");
    assert_int_equal(i.dst.kind, ISA_BUCKET);
    assert_true(i.set_c);
    assert_int_equal(i.cdst, 1);
    assert_int_equal(i.creg, 2);
    assert_int_equal(i.cond, 5);
    assert_int_equal(i.cmp, 3);
}

static void test_operands_carry_reads_the_named_register(void **state) {
    (void)state;
    struct isa_insn i = parse("IADD.CARRY2 R3, R1, R124");
    assert_true((i.attr & ISA_CARRY) != 0);
    assert_int_equal(i.creg, 2);
    assert_int_equal(i.cond, ISA_COND_TRUE);
}

/* The listing shows no guard with the condition TRUE, so nothing may be hidden behind it. */
static void test_operands_a_true_guard_leaves_no_register(void **state) {
    static const char *const twins[][2] = {
        {"MOV R1 (C2.TRUE), R0",              "MOV R1, R0"             },
        {"R2G.U32.U8 g [0x10] (C3.TRUE), R3", "R2G.U32.U8 g [0x10], R3"},
        {"BRA C3.TRUE, 0x8",                  "BRA 0x8"                },
        {"RET C1.TRUE",                       "RET"                    },
        {"IADD.CARRY2 R3 (C1.TRUE), R1, R2",  "IADD.CARRY2 R3, R1, R2" },
        {"C2R R1 (C2.TRUE), C1",              "C2R R1, C1"             },
    };
    (void)state;
    for (size_t i = 0; i < sizeof twins / sizeof twins[0]; i++) {
        const struct isa_insn with = parse(twins[i][0]), without = parse(twins[i][1]);
        assert_int_equal(with.lo, without.lo);
        assert_int_equal(with.hi, without.hi);
    }
}

static void test_operands_saturation_and_8_bit_destination(void **state) {
    (void)state;
    assert_true((parse("IADD.SAT R1, R2, R3").attr & ISA_SAT) != 0);
    struct isa_insn i = parse("I2I.U32.U32.SAT R1, R2"); /* the bit means an 8-bit destination on I2I */
    assert_true(i.dst8);
    assert_true((i.attr & ISA_SAT) == 0);
}

static void test_operands_unguarded_instructions(void **state) {
    (void)state;
    static const uint32_t words[][2] = {
        {0xf0000001, 0xe0000001},
        {0xa001d003, 0         },
        {0x861ffe03, 0         },
        {0x2001e003, 0         }
    };
    for (size_t k = 0; k < 4; k++) { /* condition 0, FALSE, is in the word and must not count */
        struct isa_insn i = decode(words[k][0], words[k][1]);
        assert_false(i.guarded);
        assert_int_equal(i.cond, ISA_COND_TRUE);
    }
}

static void test_operands_flow(void **state) {
    (void)state;
    struct isa_insn i = decode(0x10021003, 0x00000280); /* BRA C0.NE, 0x108 */
    assert_int_equal(i.target, 0x108);
    assert_int_equal(i.cond, 5);
    i = parse("BRA 0xfffffc"); /* all 22 bits of the target */
    assert_int_equal(i.target, 0xfffffc);
    i = decode(0x2001e003, 0); /* CAL.NOINC 0xf0 */
    assert_true(i.no_inc);
    i = decode(0x861ffe03, 0); /* BAR.ARV.WAIT b0, 0xfff */
    assert_true(i.barrier_arrive && i.barrier_wait && !i.barrier_all);
    assert_int_equal(i.barrier_mask, 0xfff);
    assert_int_equal(decode(0xf0000001, 0xe0000002).marker, ISA_MARK_JOIN);
}

/* ---- words that are no instruction ---- */

static void expect_result(uint32_t lo, uint32_t hi, enum isa_result result, uint64_t stray) {
    struct isa_insn insn;
    assert_int_equal(isa_decode(lo, hi, &insn), result);
    assert_true(isa_stray_bits(lo, hi) == stray);
}

static void test_decode_tells_undefined_from_must_be_zero(void **state) {
    (void)state;
    expect_result(0x20000405, 0x0400c780, ISA_OK, 0);
    expect_result(0x20800405, 0x0400c780, ISA_RESERVED_BITS, 1u << 23);          /* l23: a constant in slot 2 */
    expect_result(0x2001c805, 0x0420c780, ISA_RESERVED_BITS, 1u << 16);          /* IADD with a memory operand */
    expect_result(0xf0000001, 0xe0000041, ISA_RESERVED_BITS, (uint64_t)1 << 38); /* NOP with h6 */
    expect_result(0xf0000001, 0xc0000001, ISA_UNDEFINED, 0);                     /* op f sub 6 */
    expect_result(0xe0000003, 0, ISA_UNDEFINED, 0);                              /* flow op e */
    expect_result(0x80000000, 0, ISA_UNDEFINED, 0);                              /* half op 8 */
}

/* The word after a half instruction is not part of it. */
static void test_decode_takes_one_word_of_a_half_instruction(void **state) {
    (void)state;
    struct isa_insn plain = decode(0x20038404, 0), followed = decode(0x20038404, 0xdeadbeef); /* IADD32 R1, R2, R3 */
    assert_memory_equal(&plain, &followed, sizeof plain);
}

/* Proved by the vectors iadd, imad and atom32: results do not depend on these bits. */
static void test_decode_accepts_ignored_bits(void **state) {
    (void)state;
    struct isa_insn i = decode(0x24010405, 0x0440c780); /* IADD R1, R2, R3 with A register, slot 2, constant bank */
    assert_true(i.ignored == ((uint64_t)1 << 16 | (uint64_t)1 << 26 | (uint64_t)1 << 54) && !i.alias);
    assert_int_equal(i.areg, 0);
    uint32_t lo, hi;
    isa_canonical(&i, &lo, &hi);
    assert_int_equal(lo, 0x20000405);
    assert_int_equal(hi, 0x0400c780);
    i = decode(0x7005081d, 0xa80187d0); /* opcode 7 subopcode 5: an IMAD.U24 */
    assert_true(i.ignored == 0 && i.alias);
    assert_string_equal(isa_row_mnemonic(i.row), "IMAD");
    isa_canonical(&i, &lo, &hi);
    assert_int_equal(lo, 0x6005081d);
    assert_int_equal(hi, 0x680187d0);
    expect_result(0x7085081d, 0xa80187d0, ISA_UNDEFINED, 0); /* the same with a constant operand */
    expect_result(0x7005081d, 0xa83187d0, ISA_UNDEFINED, 0); /* or with a must-be-zero bit (h21: a shared one) */
}

static void test_decode_refuses_reserved_values(void **state) {
    (void)state;
    expect_result(0x1000ce09, 0x0023c780, ISA_UNDEFINED, 0); /* MOV.U16 from a 32-bit shared cell */
    expect_result(0x08000005, 0x40000784, ISA_UNDEFINED, 0); /* A2R R1, A6 */
    expect_result(0x0c000005, 0x40000784, ISA_UNDEFINED, 0); /* A7 */
    expect_result(0x00000005, 0x40000784, ISA_OK, 0);        /* A4 */
}

/* Every condition for every nibble, from the formulas of the conditions, not from the table of docs/isa.md 2.7. */
static void test_conditions_follow_their_formulas(void **state) {
    (void)state;
    for (unsigned n = 0; n < 16; n++) {
        bool z = n & 1, s = n & 2, c = n & 4, o = n & 8;
        const bool holds[32] = {
            false,
            (s && !z) != o,
            z && !s,
            s != (z || o),
            !z && s == o,
            !z,
            s == o,
            !z || !s,
            z && s,
            s != o,
            z,
            z || s != o,
            !s != (z || o),
            !z || s,
            (!s || z) != o,
            true,
            o,
            c,
            c && !z,
            s,
            false,
            false,
            false,
            false,
            false,
            false,
            false,
            false,
            !s,
            z || !c,
            !c,
            !o,
        };
        for (unsigned cond = 0; cond < 32; cond++)
            if (isa_cond_holds(cond, n) != holds[cond]) fail_msg("condition %s, nibble %u", isa_cond_name(cond), n);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operands_iadd_second_source_is_src1),
        cmocka_unit_test(test_operands_iadd_constant_is_src1_in_words),
        cmocka_unit_test(test_operands_shared_offsets_scale_with_the_type),
        cmocka_unit_test(test_operands_a_register_indexes_the_first_memory_operand),
        cmocka_unit_test(test_operands_post_increment_is_signed_and_scaled),
        cmocka_unit_test(test_operands_multiply_add_constants),
        cmocka_unit_test(test_operands_half_and_immediate_accumulate_the_destination),
        cmocka_unit_test(test_operands_immediates),
        cmocka_unit_test(test_operands_signs_inverts_and_bars),
        cmocka_unit_test(test_operands_moves_between_register_files),
        cmocka_unit_test(test_operands_constant_loads),
        cmocka_unit_test(test_operands_global_memory),
        cmocka_unit_test(test_operands_shared_stores),
        cmocka_unit_test(test_operands_bucket_and_flags),
        cmocka_unit_test(test_operands_carry_reads_the_named_register),
        cmocka_unit_test(test_operands_a_true_guard_leaves_no_register),
        cmocka_unit_test(test_operands_saturation_and_8_bit_destination),
        cmocka_unit_test(test_operands_unguarded_instructions),
        cmocka_unit_test(test_operands_flow),
        cmocka_unit_test(test_decode_tells_undefined_from_must_be_zero),
        cmocka_unit_test(test_decode_takes_one_word_of_a_half_instruction),
        cmocka_unit_test(test_decode_accepts_ignored_bits),
        cmocka_unit_test(test_decode_refuses_reserved_values),
        cmocka_unit_test(test_conditions_follow_their_formulas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
