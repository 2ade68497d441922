/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses outside all pieces of global memory: which count, and which do not. */
#include "../bounds.h"
#include "fixture.h"

/* Lane n accesses the address from + n * step. */
static size_t strays_of(struct fixture *f, const char *source, uint32_t from, uint32_t step,
                        const struct model_piece *pieces, size_t count) {
    char text[128];
    snprintf(text, sizeof text, "%sRET\n", source);
    fixture_source(f, text);
    f->machine.has_atomics = true;
    f->image.local_bytes = 16;
    fixture_launch(f);
    assert_true(model_check_bounds(f->m, pieces, count));
    fixture_poke(f, 1, from, step);
    fixture_poke_c(f, 0, 1); /* zero: NE holds in no lane */
    assert_int_equal(fixture_run(f), MODEL_DONE);
    return model_stray_count(f->m);
}

static void expect(const char *source, uint32_t from, uint32_t step, const struct model_piece *pieces, size_t count,
                   struct model_stray expected) {
    struct fixture f;
    const size_t strays = strays_of(&f, source, from, step, pieces, count);
    assert_int_equal(strays, expected.count > 0);
    if (strays > 0) {
        const struct model_stray *s = model_stray_at(f.m, 0);
        assert_int_equal(s->by.kind, expected.by.kind);
        assert_int_equal(s->by.pc, expected.by.pc);
        assert_int_equal(s->by.lane, expected.by.lane);
        assert_int_equal(s->addr, expected.addr);
        assert_int_equal(s->bytes, expected.bytes);
        assert_int_equal(s->count, expected.count);
    }
    fixture_teardown(&f);
}

static void test_bounds_of_pieces(void **state) {
    (void)state;
    static const struct model_piece ONE[] = {
        {0x100, 128}
    };
    static const struct model_piece MANY[] = {
        {0x150,  48  },
        {0x100,  0x40},
        {0x120,  0x30},
        {0x110,  4   },
        {0x1000, 0x10}
    }; /* overlap, touch, lie within: 0x100 to 0x17f */
    const struct model_stray none = {.count = 0};
    expect("GST.U32 global14 [R1], R2\n", 0x100, 4, ONE, 1, none);
    expect("GST.U32 global14 [R1], R2\n", 0x100, 4, MANY, 5, none);
    expect("GST.U32 global14 [R1], R2\n", 0x104, 4, MANY, 5,
           (struct model_stray){
               {MODEL_STORE, .lane = 31},
               0x180, 4, 1
    });
    expect("GLD.U32 R2, global14 [R1]\n", 0xf8, 4, ONE, 1,
           (struct model_stray){
               {MODEL_LOAD, .lane = 0},
               0xf8, 4, 2
    });
    expect("GLD.U32 R2, global14 [R1]\n", 0x100, 4, NULL, 0,
           (struct model_stray){
               {MODEL_LOAD, .lane = 0},
               0x100, 4, 32
    });
}

static void test_bounds_of_accesses(void **state) {
    (void)state;
    static const struct model_piece PIECE[] = {
        {0x100, 0x7e}
    };
    const struct model_stray none = {.count = 0};
    expect("GLD.U16 R2, global14 [R1]\n", 0x100, 2, PIECE, 1, none);
    expect("GLD.U32 R2, global14 [R1]\n", 0x100, 4, PIECE, 1, /* half of it is inside */
           (struct model_stray){
               {MODEL_LOAD, .lane = 31},
               0x17c, 4, 1
    });
    expect("GLD.S64 R2, global14 [R1]\n", 0x170, 0, PIECE, 1, none);
    expect("GLD.S64 R2, global14 [R1]\n", 0x178, 0, PIECE, 1,
           (struct model_stray){
               {MODEL_LOAD, .lane = 0},
               0x178, 8, 32
    });
    expect("GRED.IADD.U32 global14 [R1], R2\n", 0x200, 0, PIECE, 1,
           (struct model_stray){
               {MODEL_ATOMIC, .lane = 0},
               0x200, 4, 32
    });
    expect("LST.U32 local [0x4], R2\n", 0, 0, PIECE, 1, none);
    expect("NOP\nGST.U32 global14 [R1] (C0.NE), R2\n", 0x200, 0, PIECE, 1, none); /* no lane executes it */
}

/* The next launch is not checked. */
static void test_bounds_end_with_the_launch(void **state) {
    (void)state;
    struct fixture f;
    struct diag d = {0};
    assert_int_equal(strays_of(&f, "GST.U32 global14 [R1], R2\n", 0x100, 4, NULL, 0), 1);
    assert_int_equal(model_launch(f.m, &f.image, &d), STATUS_OK);
    assert_int_equal(model_stray_count(f.m), 0);
    assert_int_equal(fixture_run(&f), MODEL_DONE);
    assert_int_equal(model_stray_count(f.m), 0);
    fixture_teardown(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounds_of_pieces),
        cmocka_unit_test(test_bounds_of_accesses),
        cmocka_unit_test(test_bounds_end_with_the_launch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
