/* SPDX-License-Identifier: Apache-2.0 */
/* The functions compiled for AVX2 match the portable ones: random instructions of each row of the table, from the same
 * random registers, make the same record in both. */
#include <string.h>

#include "../core/state.h"
#include "draw.h"
#include "fixture.h"

enum { DRAWS = 12, REGS = 14 };

/* The instruction alone, in a warp of up to 32 threads. Some registers stay undefined. */
static void start(struct fixture *f, uint32_t lo, uint32_t hi, uint32_t seed, bool avx2) {
    static uint8_t constants[64] = {0x80, 0xff, 0x7f, 0x01, 0x00, 0x80, 0x12, 0xf4};
    const uint32_t words[] = {lo, hi};
    fixture_setup(f, words, 2);
    f->machine.global_bytes = 1024;
    f->image.shared_bytes = 128;
    f->image.bank[1].bytes = constants;
    f->image.bank[1].size = sizeof constants;
    f->image.block[0] = draw(&seed) % 2 == 0 ? 32 : 1 + draw(&seed) % 32;
    fixture_launch(f);
    f->m->code.avx2 = avx2;
    for (unsigned lane = 0; lane < f->image.block[0]; lane++) {
        for (unsigned reg = 0; reg < REGS; reg++) {
            const uint32_t value = draw(&seed) >> draw(&seed) % 32;
            if (draw(&seed) % 256 != 0) model_poke_reg(f->m, 0, 0, lane, reg, value);
        }
        for (unsigned creg = 0; creg < REGFILE_CREGS; creg++) model_poke_creg(f->m, 0, 0, lane, creg, draw(&seed) % 16);
    }
}

/* Checks that both make the same record; true: the instruction was executed. */
static bool same_on_both(uint32_t lo, uint32_t hi, uint32_t seed) {
    struct fixture f[2];
    struct retire record[2];
    struct model_counts counts[2];
    for (unsigned avx2 = 0; avx2 < 2; avx2++) {
        start(&f[avx2], lo, hi, seed, avx2);
        memset(&record[avx2], 0, sizeof record[avx2]);
        assert_int_equal(model_run_step(f[avx2].m, &record[avx2]), MODEL_RETIRED);
        model_get_counts(f[avx2].m, &counts[avx2]);
    }
    if (memcmp(&record[0], &record[1], sizeof record[0]) != 0 || memcmp(&counts[0], &counts[1], sizeof counts[0]) != 0)
        fail_msg("words %08x %08x, seed %u: AVX2 says otherwise", lo, hi, seed);
    assert_memory_equal(&f[0].m->grid.sms[0].warps[0].file, &f[1].m->grid.sms[0].warps[0].file, sizeof(struct regfile));
    fixture_teardown(&f[0]);
    fixture_teardown(&f[1]);
    return record[0].exec != 0;
}

static void test_avx2_does_the_same(void **state) {
    unsigned executed[OP_COUNT] = {0};
    uint32_t seed = 1;
    (void)state;
    if (!lanes_have_avx2()) skip();
    for (size_t row = 0; row < isa_row_count(); row++) {
        for (unsigned i = 0; i < DRAWS; i++) {
            struct isa_insn insn;
            uint32_t lo, hi;
            if (draw_row(row, &seed, &lo, &hi) && isa_decode(lo, hi, &insn) == ISA_OK)
                executed[insn.op] += same_on_both(lo, hi, draw(&seed)) ? 1 : 0;
        }
    }
    const enum isa_op alu[] = {OP_IADD, OP_IMUL, OP_IMAD, OP_ISAD, OP_ISET, OP_IMIN, OP_IMAX,
                               OP_SHL,  OP_SHR,  OP_LOP,  OP_I2I,  OP_MOV,  OP_MVC,  OP_G2R};
    for (unsigned i = 0; i < sizeof alu / sizeof alu[0]; i++)
        if (executed[alu[i]] < 20) fail_msg("%s was executed %u times", isa_op_name(alu[i]), executed[alu[i]]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_avx2_does_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
