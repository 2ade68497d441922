/* SPDX-License-Identifier: Apache-2.0 */
/* The hash of three instructions of a warp, as in testbench/unit/retire_hash_tb.vhd; it covers each field of a record,
 * except those that may differ. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka.h needs the headers above */
#include <cmocka.h>

#include "../hash.h"

enum { REGISTERS = 16, RECORDS = 3 };

/* An addition with flags; a load of 64 bits in half of the lanes; the warp's last one, a store to shared memory. */
static void make_records(struct retire r[RECORDS]) {
    memset(r, 0, RECORDS * sizeof *r);
    for (unsigned i = 0; i < RECORDS; i++) {
        r[i].block_x = 1;
        r[i].warp = 2;
        r[i].pc = 0x10 + 8 * i;
        r[i].word_lo = 0x20000001 + i;
        r[i].word_hi = 0x04000780;
        r[i].active = r[i].exec = r[i].next_active = UINT32_MAX;
        r[i].next_pc = 0x18 + 8 * i;
        r[i].depth = 1;
    }
    r[0].dst_kind = RETIRE_DST_REG32;
    r[0].dst_reg = 5;
    r[0].c_reg = 1;
    r[0].dst_mask = r[0].c_mask = UINT32_MAX;
    r[1].exec = r[1].mem_mask = r[1].dst_mask = 0xffff;
    r[1].dst_kind = RETIRE_DST_REG32;
    r[1].dst_reg = 6;
    r[1].mem_kind = RETIRE_MEM_GLOBAL_LOAD;
    r[1].mem_bytes = 8;
    r[2].mem_kind = RETIRE_MEM_SHARED_STORE;
    r[2].mem_bytes = 4;
    r[2].a_reg = 1;
    r[2].a_mask = r[2].mem_mask = UINT32_MAX;
    r[2].next_pc = r[2].next_active = 0;
    r[2].state = RETIRE_FINISHED;
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        r[0].dst[lane] = lane * 0x01010101;
        r[0].c[lane] = lane % 16;
        r[2].addr[lane] = 0x20 + 4 * lane;
        r[2].data[lane] = lane * 0x00100401;
        r[2].a[lane] = 0x40 + lane;
        if (lane >= 16) continue;
        r[1].addr[lane] = 0x100 + 8 * lane;
        r[1].dst[lane] = 0xcafe0000 + lane;
        r[1].dst_rest[0][lane] = 0xbeef0000 + lane;
    }
}

static struct hash hash_of(const struct retire *r, uint32_t number) {
    struct hash h = {0};
    hash_add(&h, r, number, REGISTERS);
    return h;
}

static void test_hash_of_three_instructions(void **state) {
    struct retire r[RECORDS];
    struct hash h = {0};
    (void)state;
    make_records(r);
    for (uint32_t i = 0; i < RECORDS; i++) hash_add(&h, &r[i], i, REGISTERS);
    assert_int_equal(h.insns, 0x6175697f);
    assert_int_equal(h.loads, 0xe803980c);
}

static bool differs(const struct retire *one, const struct retire *other) {
    const struct hash a = hash_of(one, 7), b = hash_of(other, 7);
    return a.insns != b.insns || a.loads != b.loads;
}

/* A bit of each field is changed: in its first valid lane, if it has lanes. */
static void test_hash_has_each_field(void **state) {
    struct retire r[RECORDS];
    (void)state;
    make_records(r);
    for (unsigned i = 0; i < RECORDS; i++) {
        struct retire other;
#define SCALAR(name, bits, compare)                                                \
    other = r[i];                                                                  \
    /* An access has no more than 16 bytes. */                                     \
    other.name ^= (uint32_t)1 << (strcmp(#name, "mem_bytes") == 0 ? 0 : bits - 1); \
    if (strcmp(#name, "slot") != 0 && !differs(&r[i], &other)) fail_msg("%s of instruction %u", #name, i);
#define LANES(name, bits, mask, compare)        \
    other = r[i];                               \
    other.name[3] ^= (uint32_t)1 << (bits - 1); \
    if ((r[i].mask & 8) != 0 && !differs(&r[i], &other)) fail_msg("%s of instruction %u", #name, i);
#define MASK(name, compare) \
    other = r[i];           \
    other.name ^= 8;        \
    if ((r[i].name & 8) != 0 && !differs(&r[i], &other)) fail_msg("%s of instruction %u", #name, i);
#include "../../spec/retire.def"
    }
    struct retire wide = r[1];
    wide.dst_rest[0][15] ^= 1;
    assert_true(differs(&r[1], &wide));
    assert_int_not_equal(hash_of(&r[0], 1).insns, hash_of(&r[0], 2).insns);
}

/* The place of the warp, and whether it waits, depend on the others. A register beyond the launch is not loaded. */
static void test_hash_leaves_out_what_may_differ(void **state) {
    struct retire r[RECORDS];
    struct hash one = {0}, other = {0};
    (void)state;
    make_records(r);
    struct retire elsewhere = r[0];
    elsewhere.slot = 5;
    elsewhere.sm = 1;
    elsewhere.cycle = 99;
    elsewhere.state = RETIRE_BARRIER;
    assert_false(differs(&r[0], &elsewhere));
    hash_add(&one, &r[1], 0, 7);
    r[1].dst_rest[0][0]++;
    hash_add(&other, &r[1], 0, 7);
    assert_memory_equal(&one, &other, sizeof one);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hash_of_three_instructions),
        cmocka_unit_test(test_hash_has_each_field),
        cmocka_unit_test(test_hash_leaves_out_what_may_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
