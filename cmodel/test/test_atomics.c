/* SPDX-License-Identifier: Apache-2.0 */
/* Replays the golden vectors of atomics (sm_11), which use any of 16 global segments: all segments are one memory. */
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "table.h"

#define VECTORS "golden/vectors/atom32.tsv"

static uint32_t word_at(const struct fixture *f, uint32_t addr) {
    const uint8_t *p = model_global(f->m) + addr;
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void set_word(const struct fixture *f, uint32_t addr, uint32_t value) {
    for (unsigned i = 0; i < 4; i++) model_global(f->m)[addr + i] = (uint8_t)(value >> 8 * i);
}

/* Reserved operations are undefined; atomics on 8 and 16 bits, which this machine lacks, are unimplemented. */
enum verdict { PASSED, FAILED, UNDEFINED, UNIMPLEMENTED, VERDICTS };

/* Only lane 0 executes: the block has one thread. */
static enum verdict replay(const struct table *t) {
    struct fixture f;
    const uint32_t addr = table_hex(t, "addr");
    fixture_setup(&f, (uint32_t[]){table_hex(t, "op_lo"), table_hex(t, "op_hi")}, 2);
    f.machine.has_atomics = true;
    f.image.block[0] = 1;
    fixture_launch(&f);
    for (unsigned i = 0; i < 8; i++) {
        const char name[] = {'r', (char)('0' + i), '\0'};
        model_poke_reg(f.m, 0, 0, 0, i, table_hex(t, name));
    }
    for (unsigned c = 0; c < 4; c++) model_poke_creg(f.m, 0, 0, 0, c, c == 0 ? (uint8_t)table_hex(t, "c0_in") : 0);
    set_word(&f, addr & ~3u, table_hex(t, "mem_before"));
    const struct retire r = fixture_step(&f);
    bool good = word_at(&f, addr & ~3u) == table_hex(t, "mem_after");
    const char *dst = table_text(t, "dst");
    if (dst[0] == 'r') {
        const uint32_t mask = table_hex(t, "dst_mask");
        good =
            good && (model_peek_reg(f.m, 0, 0, 0, (unsigned)atoi(dst + 1)) & mask) == (table_hex(t, "dst_val") & mask);
    }
    good = good && model_peek_creg(f.m, 0, 0, 0, 0) == table_hex(t, "c0_in");
    fixture_teardown(&f);
    if (r.trap == TRAP_UNDEFINED || r.trap == TRAP_UNIMPLEMENTED)
        return r.trap == TRAP_UNDEFINED ? UNDEFINED : UNIMPLEMENTED;
    return r.trap == TRAP_NONE && good ? PASSED : FAILED;
}

/* Every row counts: `expected` gives the number of rows with each verdict. */
static void replay_all(bool canon, const unsigned expected[VERDICTS]) {
    struct table t;
    unsigned count[VERDICTS] = {0};
    assert_true(table_open(&t, VECTORS));
    while (table_next(&t)) {
        if ((strcmp(table_text(&t, "canon"), "0") != 0) == canon) {
            const enum verdict verdict = replay(&t);
            count[verdict]++;
            if (verdict == FAILED || (canon && verdict != PASSED)) {
                print_error("%s: %s (%s)\n", table_text(&t, "id"), verdict == FAILED ? "wrong" : "trap",
                            table_text(&t, "asm"));
            }
        }
    }
    print_message("atom32 canon=%d: %u passed, %u failed, %u undefined, %u unimplemented\n", canon, count[PASSED],
                  count[FAILED], count[UNDEFINED], count[UNIMPLEMENTED]);
    for (unsigned i = 0; i < VERDICTS; i++) assert_int_equal(count[i], expected[i]);
}

static void test_atomics_of_canonical_words(void **state) {
    (void)state;
    replay_all(true, (unsigned[VERDICTS]){[PASSED] = 86});
}

static void test_atomics_of_words_with_ignored_bits(void **state) {
    (void)state;
    replay_all(false, (unsigned[VERDICTS]){[PASSED] = 186, [UNDEFINED] = 51, [UNIMPLEMENTED] = 127});
}

/* DEC gives the operand if the old value is larger, even if the operand is 0. */
static void test_atomics_count_down_to_an_operand_of_zero(void **state) {
    (void)state;
    static const struct {
        uint32_t old, b, after;
    } CASES[] = {
        {7, 0, 0},
        {0, 0, 0},
        {7, 6, 6},
        {7, 7, 6},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct fixture f;
        fixture_source(&f, "GATOM.DEC.U32 R1, global14 [R2], R3\n!NOP\n");
        f.machine.has_atomics = true;
        f.image.block[0] = 1;
        fixture_launch(&f);
        fixture_poke(&f, 2, 0x100, 0);
        fixture_poke(&f, 3, CASES[i].b, 0);
        set_word(&f, 0x100, CASES[i].old);
        assert_int_equal(fixture_step(&f).trap, TRAP_NONE);
        assert_int_equal(word_at(&f, 0x100), CASES[i].after);
        assert_int_equal(model_peek_reg(f.m, 0, 0, 0, 1), CASES[i].old);
        fixture_teardown(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_atomics_of_canonical_words),
        cmocka_unit_test(test_atomics_of_words_with_ignored_bits),
        cmocka_unit_test(test_atomics_count_down_to_an_operand_of_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
