/* SPDX-License-Identifier: Apache-2.0 */
/* Reports of memory traps: programs with chosen addresses, expected texts typed by hand. */
#include <stdlib.h>

#include "../../test/fixture.h"
#include "../trap_report.h"

/* Runs a source whose R1 is value + lane * step to its trap, and compares both texts. */
static void check(const char *source, uint32_t value, uint32_t step, unsigned params, const char *access,
                  const char *operands) {
    struct fixture f;
    uint32_t words[4] = {0};
    char text[TRAP_REPORT_MAX];
    fixture_source(&f, source);
    f.image.params = words;
    f.image.param_count = params;
    f.image.shared_bytes = params > 0 ? 16 + 4 * params : f.image.shared_bytes;
    f.image.local_bytes = 8;
    fixture_launch(&f);
    fixture_poke(&f, 1, value, step);
    fixture_poke(&f, 2, 0xabcd, 0);
    fixture_poke_c(&f, 0, 4);
    assert_int_equal(fixture_run(&f), MODEL_TRAPPED);
    const struct model_trap trap = model_get_trap(f.m);
    assert_string_equal(trap_report_access(&trap, &f.image, text), access);
    assert_string_equal(trap_report_operands(f.m, &trap, text), operands);
    fixture_teardown(&f);
}

static void test_trap_report_names_lane_address_limit_and_operands(void **state) {
    (void)state;
    check("GLD.U32 R3, global14 [R1]\n", 0x3ff90, 4, 0,
          "lane 28 of lanes f0000000: 4 bytes at 0x40000, global memory ends at 0x40000", "R1 0x00040000");
    check("GLD.U32 R3, global14 [R1]\n", 0x3ff84, 4, 0, "lane 31: 4 bytes at 0x40000, global memory ends at 0x40000",
          "R1 0x00040000");
    check("GST.U16 global14 [R1], R2\n", 1, 2, 0, "lane 0 of lanes ffffffff: 2 bytes at 0x1, which is no multiple of 2",
          "R2 0x0000abcd, R1 0x00000001");
    check("R2A A1, R1\nMOV R3, g [A1+0x0]\n", 60, 2, 0,
          "lane 1 of lanes aaaaaaaa: 4 bytes at 0x3e, which is no multiple of 4", "A1 0x003e");
    check("R2A A1, R1\nLOP.AND R3, R2, c [0x1] [A1+0x4]\n", 8, 0, 0,
          "lane 0 of lanes ffffffff: 4 bytes at 0x18, constant bank 1 ends at 0x0", "R2 0x0000abcd, A1 0x0008");
    check("LLD.U8 R3, local [0x8]\n", 0, 0, 0, "lane 0 of lanes ffffffff: 1 byte at 0x8, local memory ends at 0x8", "");
}

/* Lanes with a false guard do not access memory; the trap with the smaller code counts, with its lanes. */
static void test_trap_report_counts_the_lanes_that_trapped_alike(void **state) {
    (void)state;
    check("S2R R3, SR0\nSHL R3, R3, 0x1f\nI2I.U32.U32.C0 o [0x7f], R3\nGLD.U32 R3 (C0.NE), global14 [R1]\n", 0x40000, 0,
          0, "lane 1 of lanes aaaaaaaa: 4 bytes at 0x40000, global memory ends at 0x40000", "R1 0x00040000, C0 0x2");
    check("GLD.U32 R3, global14 [R1]\n", 0x3fffe, 1, 0,
          "lane 0 of lanes bbbbbbbb: 4 bytes at 0x3fffe, which is no multiple of 4", "R1 0x0003fffe");
}

/* One trap with two causes: its options; the lanes that arrive. */
static void test_trap_report_says_why_a_barrier_is_partial(void **state) {
    (void)state;
#define DIVERGE   "S2R R3, SR0\nSHL R3, R3, 0x1f\nI2I.U32.U32.C0 o [0x7f], R3\nSSY 0x30\nBRA C0.NE, 0x30\n"
#define UNDEFINED "  its options are undefined: only .ARV.WAIT of all warps and .ARV alone are defined\n"
#define PART      "  a part of the warp reaches it: lanes 55555555 of ffffffff that have not ended\n"
    static const struct {
        const char *source, *text;
    } CASES[] = {
        {"BAR.WAIT b0, 0xfff\n",                    UNDEFINED},
        {DIVERGE "BAR.ARV.WAIT b0, 0xfff\nNOP.S\n", PART     },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct fixture f;
        char text[TRAP_REPORT_MAX] = "";
        fixture_source(&f, CASES[i].source);
        fixture_launch(&f);
        assert_int_equal(fixture_run(&f), MODEL_TRAPPED);
        const struct model_trap trap = model_get_trap(f.m);
        assert_int_equal(trap.code, TRAP_BARRIER_PARTIAL);
        FILE *out = fmemopen(text, sizeof text, "w");
        assert_non_null(out);
        trap_report_print(f.m, &trap, &f.image, out);
        fclose(out);
        assert_string_equal(text, CASES[i].text);
        fixture_teardown(&f);
    }
}

/* A launch of two parameter words; the code reads a third, or stores there. */
static void test_trap_report_says_when_parameters_are_missing(void **state) {
    (void)state;
    check("MOV R3, g [0x6]\n", 0, 0, 2,
          "lane 0 of lanes ffffffff: 4 bytes at 0x18, shared memory ends at 0x18: a read beyond the parameters, the "
          "launch has 2 words",
          "");
    check("MOV R3, g [0x5]\n", 0, 0, 1,
          "lane 0 of lanes ffffffff: 4 bytes at 0x14, shared memory ends at 0x14: a read beyond the parameters, the "
          "launch has 1 word",
          "");
    check("R2G.U32.U32 g [0x6], R2\n", 0, 0, 2, "lane 0 of lanes ffffffff: 4 bytes at 0x18, shared memory ends at 0x18",
          "R2 0x0000abcd");
}

/* The same in JSON: the number of words, only in this case. */
static void test_trap_report_json_says_when_parameters_are_missing(void **state) {
    static const struct {
        const char *source;
        unsigned params;
        const char *end;
    } CASES[] = {
        {"MOV R3, g [0x6]\n",         2, ",\"address\":24,\"bytes\":4,\"limit\":24,\"operands\":{},\"parameters\":2}"},
        {"R2G.U32.U32 g [0x6], R2\n", 2, ",\"limit\":24,\"operands\":{\"R2\":0}}"                                    },
    };
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct fixture f;
        uint32_t words[4] = {0};
        char *text = NULL;
        size_t size;
        fixture_source(&f, CASES[i].source);
        f.image.params = words;
        f.image.param_count = CASES[i].params;
        f.image.shared_bytes = 16 + 4 * CASES[i].params;
        fixture_launch(&f);
        fixture_poke(&f, 2, 0, 0);
        assert_int_equal(fixture_run(&f), MODEL_TRAPPED);
        const struct model_trap trap = model_get_trap(f.m);
        FILE *out = open_memstream(&text, &size);
        trap_report_json(f.m, &trap, &f.image, out);
        fclose(out);
        if (strstr(text, CASES[i].end) == NULL) fail_msg("%s: %s", CASES[i].source, text);
        free(text);
        fixture_teardown(&f);
    }
}

static void test_trap_report_of_other_traps_is_empty(void **state) {
    (void)state;
    check("BPT\n", 0, 0, 0, "", "");
    check("BRK\n", 0, 0, 0, "", "");
    check("NOP\n", 0, 0, 0, "", "");
}

/* The RTL trapped and the address is undefined: its value is unknown. */
static void test_trap_report_of_an_undefined_address_is_empty(void **state) {
    (void)state;
    struct fixture f;
    char text[TRAP_REPORT_MAX];
    struct retire record = fixture_record(0, 0, 0, 0, 0);
    fixture_source(&f, "GLD.U32 R3, global14 [R1]\n");
    fixture_launch(&f);
    record.trap = TRAP_GLOBAL_RANGE;
    record.exec = 0;
    assert_int_equal(fixture_follow(&f, 1, &record).trap, TRAP_GLOBAL_RANGE);
    const struct model_trap trap = model_get_trap(f.m);
    assert_string_equal(trap_report_access(&trap, &f.image, text), "");
    fixture_teardown(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trap_report_names_lane_address_limit_and_operands),
        cmocka_unit_test(test_trap_report_counts_the_lanes_that_trapped_alike),
        cmocka_unit_test(test_trap_report_says_why_a_barrier_is_partial),
        cmocka_unit_test(test_trap_report_says_when_parameters_are_missing),
        cmocka_unit_test(test_trap_report_json_says_when_parameters_are_missing),
        cmocka_unit_test(test_trap_report_of_other_traps_is_empty),
        cmocka_unit_test(test_trap_report_of_an_undefined_address_is_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
