/* SPDX-License-Identifier: Apache-2.0 */
/* The last store to a place: for a load that differs, and for memory that differs at the end. */
#include <stdlib.h>
#include <string.h>

#include "../../cmodel/test/fixture.h"
#include "../verdict/lockstep.h"

/* A record of warp 1 that accesses 4 bytes a lane, from addr on. */
static struct retire access_of(uint64_t cycle, uint32_t pc, unsigned kind, uint32_t addr) {
    struct retire r = fixture_record(0, 1, 2, 0, 1);
    r.cycle = cycle;
    r.pc = pc;
    r.word_lo = 0xd00e0201; /* GST.U32 global14 [R1], R0 */
    r.word_hi = 0xa0c00780;
    r.mem_kind = kind;
    r.mem_bytes = 4;
    r.mem_mask = 0xf;
    for (unsigned lane = 0; lane < 4; lane++) r.addr[lane] = addr + 4 * lane;
    return r;
}

static void expect_print(const struct last_store *s, const char *text) {
    const struct image image = {.line_count = 0};
    char *printed = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&printed, &size);
    last_store_print(s, &image, out);
    fclose(out);
    if (text[0] == 0)
        assert_string_equal(printed, "");
    else
        assert_non_null(strstr(printed, text));
    free(printed);
}

static void see(struct last_store *s, uint64_t cycle, uint32_t pc, unsigned kind, uint32_t addr) {
    const struct retire r = access_of(cycle, pc, kind, addr);
    last_store_see(s, &r);
}

/* Lane 2 of the load, at 0x108, differs: earlier stores there count; loads and later stores do not. */
static void test_last_store_before_a_load(void **state) {
    (void)state;
    static const struct retire_field DST = {.name = "dst"};
    static struct lockstep_result r = {.fault = FAULT_FIELD, .differences.count = 1};
    struct last_store s;
    r.expected = r.actual = access_of(50, 0x30, RETIRE_MEM_GLOBAL_LOAD, 0x100);
    r.differences.diff[0] = (struct compare_diff){.field = &DST, .lanes = 0xc};
    last_store_ask(&s, &r);
    expect_print(&s, "no earlier store to 0x108");
    see(&s, 20, 0x8, RETIRE_MEM_GLOBAL_STORE, 0x0fc); /* lane 3 */
    see(&s, 30, 0x10, RETIRE_MEM_GLOBAL_STORE, 0x10c);
    see(&s, 32, 0x18, RETIRE_MEM_SHARED_STORE, 0x108);
    see(&s, 40, 0x20, RETIRE_MEM_GLOBAL_LOAD, 0x108);
    see(&s, 50, 0x30, RETIRE_MEM_GLOBAL_LOAD, 0x100);
    see(&s, 60, 0x38, RETIRE_MEM_GLOBAL_ATOMIC, 0x108);
    expect_print(&s, "  the last store at 0x108: cycle 20, block (2,0) warp 1 lane 3, pc 0x8");
    expect_print(&s, "rtl/: memory/ldst.vhd, operands/store_words.vhd");
}

static void test_last_store_at_the_end(void **state) {
    (void)state;
    static struct lockstep_result r = {
        .fault = FAULT_MEMORY, .memory = {.memory = SIM_GLOBAL, .first = 0x103}
    };
    struct last_store s;
    last_store_ask(&s, &r);
    see(&s, 20, 0x8, RETIRE_MEM_GLOBAL_STORE, 0x100);
    see(&s, 60, 0x38, RETIRE_MEM_GLOBAL_ATOMIC, 0x0f8);
    expect_print(&s, "  the last store at 0x103: cycle 60, block (2,0) warp 1 lane 2, pc 0x38");
}

/* No report where it does not apply: other memories, other fields, other instructions. */
static void test_last_store_is_not_asked(void **state) {
    (void)state;
    static const struct retire_field DST = {.name = "dst"}, NEXT = {.name = "next_pc"};
    static struct lockstep_result r = {.fault = FAULT_MEMORY, .memory.memory = SIM_CODE};
    struct last_store s;
    last_store_ask(&s, &r);
    expect_print(&s, "");
    r.fault = FAULT_FIELD;
    r.differences.count = 1;
    r.differences.diff[0] = (struct compare_diff){.field = &NEXT};
    r.expected = access_of(50, 0x30, RETIRE_MEM_GLOBAL_LOAD, 0x100);
    last_store_ask(&s, &r);
    expect_print(&s, "");
    r.differences.diff[0] = (struct compare_diff){.field = &DST, .lanes = 1};
    r.expected.mem_kind = RETIRE_MEM_NONE;
    last_store_ask(&s, &r);
    expect_print(&s, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_last_store_before_a_load),
        cmocka_unit_test(test_last_store_at_the_end),
        cmocka_unit_test(test_last_store_is_not_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
