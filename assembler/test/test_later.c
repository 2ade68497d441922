/* SPDX-License-Identifier: Apache-2.0 */
/* Words of later machines: their names, that all words of a kind are recognised, and that none is an instruction here.
 * The words are composed by hand from the masks of envytools' envydis/g80.c; the first is from a public report. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "../isa/isa.h"
#include "support.h"

static const char DOUBLE[] = "double precision: sm_13";
static const char SHARED[] = "atomic access to shared memory: sm_12";

static void expect(uint32_t lo, uint32_t hi, const char *what, const char *text) {
    char found[ISA_TEXT_MAX];
    struct isa_insn insn;
    const char *later = isa_later(lo, hi, ISA_DIALECT_3, found);
    assert_int_not_equal(isa_decode(lo, hi, &insn), ISA_OK);
    if (later == NULL) fail_msg("%08x %08x is nothing", lo, hi);
    assert_string_equal(later, what);
    assert_string_equal(found, text);
}

static void test_later_conversions(void **state) {
    (void)state;
    expect(0xa0000001, 0x88464780, DOUBLE, "F2I.S32.F64.TRUNC R0, R0");
    expect(0xa0000405, 0x80404780, DOUBLE, "F2I.U32.F64 R1, R2");
    expect(0xa0000409, 0x84400780, DOUBLE, "F2I.U64.F32 R2, R2");
    expect(0xa0000409, 0x8c400780, DOUBLE, "F2I.S64.F32 R2, R2");
    expect(0xa0000809, 0x84404780, DOUBLE, "F2I.U64.F64 R2, R4");
    expect(0xa0000809, 0xac504780, DOUBLE, "F2I.S64.F64 R2, -|R4|");
    expect(0xa0000809, 0xc0404780, DOUBLE, "F2F.F32.F64 R2, R4");
    expect(0xa0000809, 0xc4400780, DOUBLE, "F2F.F64.F32 R2, R4");
    expect(0xa0000809, 0xe4404780, DOUBLE, "F2F.F64.F64 R2, -R4");
    expect(0xa0000809, 0xcc444780, DOUBLE, "F2F.F64.F64.IR.CEIL R2, R4");
    expect(0xa0000809, 0x44400780, DOUBLE, "I2F.F64.U32 R2, R4");
    expect(0xa0000809, 0x44410780, DOUBLE, "I2F.F64.S32 R2, R4");
    expect(0xa0000809, 0x40404780, DOUBLE, "I2F.F32.U64 R2, R4");
    expect(0xa0000809, 0x40414780, DOUBLE, "I2F.F32.S64 R2, R4");
    expect(0xa0000809, 0x44404780, DOUBLE, "I2F.F64.U64 R2, R4");
    expect(0xa0000809, 0x44414281, DOUBLE, "I2F.F64.S64 R2 (C0.NE), R4");
}

static void test_later_opcode_e(void **state) {
    (void)state;
    expect(0xe0020405, 0x40010780, DOUBLE, "DFMA R1, R2, R2, R4");
    expect(0xe0020405, 0x4cc10780, DOUBLE, "DFMA.TRUNC R1, -R2, R2, -R4");
    expect(0xe0000405, 0x60010780, DOUBLE, "DADD R1, R2, R4");
    expect(0xe0010405, 0x68010780, DOUBLE, "DADD.FLOOR R1, R2, -R4");
    expect(0xe0040405, 0x80000782, DOUBLE, "DMUL.S R1, R2, R4");
    expect(0xe0040405, 0xa0000780, DOUBLE, "DMIN R1, R2, R4");
    expect(0xe0040405, 0xc8100780, DOUBLE, "DMAX R1, |R2|, -R4");
    expect(0xe00405fd, 0xe00147c8, DOUBLE, "DSET.C0 o [0x7f], R2, R4, NE");
    expect(0xe0820405, 0x40010780, DOUBLE, "DFMA"); /* l23: an operand that envydis does not know */
}

static void test_later_others(void **state) {
    (void)state;
    expect(0x10000201, 0x60000780, "vote: sm_12", "VOTE.ANY C0");
    expect(0x10000401, 0x600002d0, "vote: sm_12", "VOTE.ALL C1 (C0.NE)");
    expect(0x10000001, 0x60000780, "vote: sm_12", "VOTE C0");
    expect(0x10000805, 0x4480c780, SHARED, "G2R.LOCK.U32.U32 R1, g [0x4]");
    expect(0x00001001, 0xe4a04780, SHARED, "R2G.UNLOCK.U32.U32 g [0x8], R1");
    expect(0xf0020a04, 0, "texture: no machine here has any", "TEX32 R1, 0x5, 0x1, 0x0");
}

static void test_later_words_of_ours_are_not(void **state) {
    (void)state;
    char text[ISA_TEXT_MAX];
    static const uint32_t OURS[][2] = {
        {0xa0000001, 0x88064780},
        {0xe0020405, 0x00010780},
        {0x10000805, 0x4400c780},
        {0x00001001, 0xe4204780}
    };
    for (size_t i = 0; i < sizeof OURS / sizeof OURS[0]; i++)
        assert_null(isa_later(OURS[i][0], OURS[i][1], ISA_DIALECT_3, text));
    assert_null(isa_later(0xffffffff, 0xffffffff, ISA_DIALECT_3, text));
    assert_null(isa_later(0xe0000005, 0x60000003, ISA_DIALECT_3, text)); /* FMAD32I */
    assert_string_equal(text, "");
}

/* All words of opcode a with h22 except I2I, and of opcode e from subopcode 2 on, with any other bits. */
static void test_later_all_of_a_kind(void **state) {
    (void)state;
    uint64_t seed = random_seed();
    for (unsigned i = 0; i < 100000; i++) {
        const bool conversion = (i & 1) != 0;
        const uint32_t sub = 2 + random_next(&seed) % 6;
        const uint32_t lo = (random_next(&seed) & 0x0fffffff) | (conversion ? 0xa0000001 : 0xe0000001);
        const uint32_t hi = (random_next(&seed) & 0x1fffffff) | sub << 29 | (conversion ? 1u << 22 : 0);
        char text[ISA_TEXT_MAX];
        struct isa_insn insn;
        if ((lo & 2) != 0 || (hi & 3) == 3) continue;
        assert_int_not_equal(isa_decode(lo, hi, &insn), ISA_OK);
        const char *what = isa_later(lo, hi, ISA_DIALECT_3, text);
        if (what == NULL) fail_msg("%08x %08x is nothing", lo, hi);
        assert_string_equal(what, DOUBLE);
        assert_true(strstr(text, conversion ? "64" : "D") != NULL);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_later_conversions),   cmocka_unit_test(test_later_opcode_e),
        cmocka_unit_test(test_later_others),        cmocka_unit_test(test_later_words_of_ours_are_not),
        cmocka_unit_test(test_later_all_of_a_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
