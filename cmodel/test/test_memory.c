/* SPDX-License-Identifier: Apache-2.0 */
/* Memory operands and accesses: cell sizes and signs, indexing, post-increment, stores of several lanes to one address,
 * local memory. Source: docs/isa.md 2.3, 2.4 and 5. */
#include <string.h>

#include "fixture.h"

static void start(struct fixture *f, const char *text) {
    fixture_source(f, text);
    fixture_launch(f);
}

static uint32_t reg(const struct fixture *f, unsigned n) { return model_peek_reg(f->m, 0, 0, 6, n); }

static void test_memory_global_load_sizes(void **state) {
    (void)state;
    struct fixture f;
    start(&f, "GLD.U8 R2, global14 [R1]\nGLD.S8 R3, global14 [R1]\nGLD.U16 R4, global14 [R1]\n"
              "GLD.S16 R5, global14 [R1]\nGLD.U32 R6, global14 [R1]\nGLD.S32 R7, global14 [R1]\n!NOP\n");
    memcpy(model_global(f.m) + 0x100, "\x81\x92\xa3\xb4", 4);
    fixture_poke(&f, 1, 0x100, 0);
    struct retire r = fixture_step(&f);
    assert_int_equal(r.mem_kind, RETIRE_MEM_GLOBAL_LOAD);
    assert_int_equal(r.mem_bytes, 1);
    assert_int_equal(r.mem_mask, 0xffffffff);
    assert_int_equal(r.addr[31], 0x100);
    assert_int_equal(r.data[31], 0);
    assert_int_equal(r.dst[31], 0x81);
    fixture_steps(&f, 5);
    assert_int_equal(reg(&f, 2), 0x81);
    assert_int_equal(reg(&f, 3), 0xffffff81);
    assert_int_equal(reg(&f, 4), 0x9281);
    assert_int_equal(reg(&f, 5), 0xffff9281);
    assert_int_equal(reg(&f, 6), 0xb4a39281);
    assert_int_equal(reg(&f, 7), 0xb4a39281);
    fixture_teardown(&f);
}

static void test_memory_global_store_sizes_and_conflicts(void **state) {
    (void)state;
    struct fixture f;
    start(&f, "GST.U32 global14 [R1], R2\nGST.U16 global14 [R1], R3\nGST.U8 global14 [R1], R4\n!NOP\n");
    fixture_poke(&f, 1, 0x200, 0);
    fixture_poke(&f, 2, 0x11111100, 1);
    fixture_poke(&f, 3, 0xaaaa2200, 1);
    fixture_poke(&f, 4, 0xaaaaaa33, 0);
    struct retire r = fixture_step(&f);
    assert_int_equal(r.data[0], 0x11111100);
    assert_memory_equal(model_global(f.m) + 0x200, "\x1f\x11\x11\x11", 4); /* the highest lane wins */
    r = fixture_step(&f);
    assert_int_equal(r.data[0], 0x2200);
    assert_memory_equal(model_global(f.m) + 0x200, "\x1f\x22\x11\x11", 4);
    r = fixture_step(&f);
    assert_int_equal(r.data[0], 0x33);
    assert_int_equal(r.mem_bytes, 1);
    assert_memory_equal(model_global(f.m) + 0x200, "\x33\x22\x11\x11\0", 5);
    fixture_teardown(&f);
}

/* The offset counts cells, the A register counts bytes: g [A1+0xb] is byte A1 + 44. */
static void test_memory_shared_operands(void **state) {
    (void)state;
    struct fixture f;
    start(&f, "R2A A1, R1\n"
              "R2G.U32.U32 g [A1+0x6], R2\n"
              "MOV R3, g [A1+0x6]\n"
              "MOV.U16 R4L, g [0xc].U16\n"    /* byte 24 */
              "I2I.S32.S16 R5, g [0xd].S16\n" /* byte 26 */
              "IADD R6, g [0x19].U8, R124\n"  /* byte 25 */
              "R2G.U16.U8 g [0x18], R1\n"     /* R0H, as a half register number: byte 24 */
              "MOV R7, g [0x6]\n"
              "!NOP\n");
    f.image.shared_bytes = 256;
    fixture_launch(&f);
    fixture_poke(&f, 1, 0, 4);
    fixture_poke(&f, 2, 0xfedc8000, 1);
    fixture_poke(&f, 0, 0x12345678, 0);
    struct retire r = fixture_steps(&f, 2);
    assert_int_equal(r.mem_kind, RETIRE_MEM_SHARED_STORE);
    assert_int_equal(r.addr[6], 48);
    assert_int_equal(r.data[6], 0xfedc8006);
    fixture_steps(&f, 6);
    assert_int_equal(reg(&f, 3), 0xfedc8006);
    assert_int_equal(reg(&f, 4) & 0xffff, 0x8000);
    assert_int_equal(reg(&f, 5), 0xfffffedc);
    assert_int_equal(reg(&f, 6), 0x80);
    assert_int_equal(reg(&f, 7), 0xfedc8034);
    fixture_teardown(&f);
}

/* R2G with a wider cell than its source zero-extends; with a narrower one it truncates. */
static void test_memory_shared_store_widths(void **state) {
    (void)state;
    struct fixture f;
    start(&f, "R2G.U16.U32 g [0x4], R2H\nR2G.U32.U16 g [0xa], R2\nR2G.U32.U8 g [0x16], R2\nMOV R3, g [0x4]\nMOV R4, g "
              "[0x5]\n!NOP\n");
    fixture_poke(&f, 2, 0x89ab6789, 0);
    memset(model_shared(f.m, 0, 0) + 16, 0xff, 16);
    struct retire r = fixture_step(&f);
    assert_int_equal(r.mem_bytes, 4);
    assert_int_equal(r.data[0], 0x89ab);
    fixture_steps(&f, 2);
    assert_memory_equal(model_shared(f.m, 0, 0) + 16, "\xab\x89\0\0\x89\x67\x89\xff", 8);
    fixture_teardown(&f);
}

/* Post-increment: the address is A alone, then A grows by the signed offset times the cell. */
static void test_memory_post_increment(void **state) {
    (void)state;
    struct fixture f;
    start(&f, "R2A A1, R1\nMOV R2, g [A1+++0x2]\nMOV.U16 R3L, g [A1+++0x1f].U16\n"
              "MOV.U16 R3L, g [A1+++0x11].U16\n!NOP\n");
    fixture_poke(&f, 1, 16, 0);
    memcpy(model_shared(f.m, 0, 0) + 16, "\1\2\3\4\5\6\7\x8", 8);
    fixture_step(&f);
    struct retire r = fixture_step(&f);
    assert_int_equal(r.dst[6], 0x04030201);
    assert_int_equal(r.a_reg, 1);
    assert_int_equal(r.a_mask, 0xffffffff);
    assert_int_equal(r.a[6], 24);
    r = fixture_step(&f); /* 0x1f is -1: two bytes back */
    assert_int_equal(r.a[6], 22);
    assert_int_equal(model_peek_areg(f.m, 0, 0, 6, 1), 22);
    r = fixture_step(&f); /* 22 - 30 modulo 2^16 */
    assert_int_equal(r.a[6], 0xfff8);
    assert_int_equal(model_peek_areg(f.m, 0, 0, 6, 1), 0xfff8);
    fixture_teardown(&f);
}

/* A constant index counts operand widths: 2 bytes in a 16-bit operation. */
static void test_memory_constants(void **state) {
    (void)state;
    struct fixture f;
    uint8_t bank[8] = {0xff, 0x03, 0, 0, 0x3f, 0x80, 0x55, 0x66};
    fixture_source(&f, "LOP.AND.U16 R1L, R2L, c [0x1] [0x2]\n"
                       "LOP.AND R3, R2, c [0x1] [0x0]\n"
                       "R2A A2, R4\n"
                       "MVC R5, c [0x1] [A2+0x0]\n"
                       "MVC R6, c [0x1] [0x2].S16\n"
                       "MVC R7, c [0x1] [0x5].U8\n"
                       "!NOP\n");
    f.image.bank[1].bytes = bank;
    f.image.bank[1].size = sizeof bank;
    fixture_launch(&f);
    fixture_poke(&f, 2, 0xffffffff, 0);
    fixture_poke(&f, 4, 4, 0);
    fixture_steps(&f, 6);
    assert_int_equal(reg(&f, 1) & 0xffff, 0x803f);
    assert_int_equal(reg(&f, 3), 0x3ff);
    assert_int_equal(reg(&f, 5), 0x6655803f);
    assert_int_equal(reg(&f, 6), 0xffff803f);
    assert_int_equal(reg(&f, 7), 0x80);
    fixture_teardown(&f);
}

static void test_memory_local_is_each_threads_own(void **state) {
    (void)state;
    struct fixture f;
    fixture_source(&f, "LST.U32 local [0x4], R1\n"
                       "R2A A1, R2\n"
                       "LLD.U16 R3, local [A1+0x2]\n"
                       "LLD.S8 R4, local [0x7]\n"
                       "!NOP\n");
    f.image.local_bytes = 8;
    fixture_launch(&f);
    fixture_poke(&f, 1, 0x80030000, 0x10000);
    fixture_poke(&f, 2, 4, 0);
    struct retire r = fixture_step(&f);
    assert_int_equal(r.mem_kind, RETIRE_MEM_LOCAL_STORE);
    assert_int_equal(r.addr[9], 4);
    assert_int_equal(r.data[9], 0x800c0000);
    r = fixture_steps(&f, 2);
    assert_int_equal(r.mem_kind, RETIRE_MEM_LOCAL_LOAD);
    assert_int_equal(r.addr[9], 6);
    assert_int_equal(r.dst[9], 0x800c);
    assert_int_equal(r.dst[0], 0x8003);
    r = fixture_step(&f);
    assert_int_equal(r.dst[9], 0xffffff80);
    assert_int_equal(model_undefined_count(f.m), 0);
    fixture_teardown(&f);
}

static void test_memory_initial_pieces(void **state) {
    (void)state;
    struct fixture f;
    uint8_t first[4] = {1, 2, 3, 4};
    uint8_t second[2] = {9, 8};
    struct image_piece pieces[2] = {
        {.addr = 0x10, .size = 4, .bytes = first },
        {.addr = 0x11, .size = 2, .bytes = second}
    };
    fixture_source(&f, "!NOP\n");
    f.image.global = pieces;
    f.image.global_count = 2;
    fixture_launch(&f);
    assert_memory_equal(model_global(f.m) + 0x10, "\1\x9\x8\4", 4);
    f.image.global_count = 0;
    fixture_launch(&f); /* a new launch starts from zero */
    assert_memory_equal(model_global(f.m) + 0x10, "\0\0\0\0", 4);
    fixture_teardown(&f);
}

/* Atomics act lane by lane: each lane sees the effect of the lanes before it. */
static void test_memory_atomic_add_counts_lanes(void **state) {
    (void)state;
    struct fixture f;
    fixture_source(&f, "GATOM.IADD.U32 R3, global14 [R1], R2\n!NOP\n");
    f.machine.has_atomics = true;
    fixture_launch(&f);
    fixture_poke(&f, 1, 0x80, 0);
    fixture_poke(&f, 2, 2, 0);
    const struct retire r = fixture_step(&f);
    assert_int_equal(r.mem_kind, RETIRE_MEM_GLOBAL_ATOMIC);
    assert_int_equal(r.dst[0], 0);
    assert_int_equal(r.dst[31], 62);
    assert_int_equal(r.data[31], 64);
    assert_int_equal(model_global(f.m)[0x80], 64);
    fixture_teardown(&f);
}

/* One register may hold both the compared and the new value of CAS. */
static void test_memory_atomic_swap_of_equals(void **state) {
    (void)state;
    struct fixture f;
    fixture_source(&f, "R2A A1, R1\nGATOM.CAS.U32 R3, global14 [R1], R2, R2\n!NOP\n");
    f.machine.has_atomics = true;
    fixture_launch(&f);
    fixture_poke(&f, 1, 0x80, 0);
    fixture_poke(&f, 2, 7, 0);
    model_global(f.m)[0x80] = 7;
    const struct retire r = fixture_steps(&f, 2);
    assert_int_equal(r.dst[0], 7);
    assert_int_equal(r.data[0], 7);
    assert_int_equal(model_global(f.m)[0x80], 7);
    fixture_teardown(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_global_load_sizes),
        cmocka_unit_test(test_memory_global_store_sizes_and_conflicts),
        cmocka_unit_test(test_memory_shared_operands),
        cmocka_unit_test(test_memory_shared_store_widths),
        cmocka_unit_test(test_memory_post_increment),
        cmocka_unit_test(test_memory_constants),
        cmocka_unit_test(test_memory_local_is_each_threads_own),
        cmocka_unit_test(test_memory_initial_pieces),
        cmocka_unit_test(test_memory_atomic_add_counts_lanes),
        cmocka_unit_test(test_memory_atomic_swap_of_equals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
