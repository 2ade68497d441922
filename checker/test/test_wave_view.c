/* SPDX-License-Identifier: Apache-2.0 */
/* The files for viewers of waves: the supported waves, and that they show the requested cycle, lanes and SM.
 * testbench/waves/run.sh checks their names against waves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../cmodel/test/scratch.h"
#include "../report/wave_view.h"
#include "kernel.h"

enum { TEXT_BYTES = 1 << 19 };

static const char *const CODE[] = {"SHL R1, R0, 0x2", "IADD32 R0, g [0x4], R2", "IADD32 R3, g [0x5], R1", "RET", NULL};

/* Writes the view of x SUFFIX, reads one of its files and removes all. */
static void view_of(struct wave_view view, const char *suffix, const char *wanted, char text[TEXT_BYTES]) {
    static const char *const ALL[] = {".gtkw", ".sucl", ".pc.txt"};
    char waves[64], path[WAVE_VIEW_PATH];
    const struct machine machine = MACHINE_DEFAULT;
    struct launch run = kernel_make(CODE, 1, 32, &machine);
    struct diag d = {0};
    snprintf(waves, sizeof waves, "%s/x%s", scratch, suffix);
    view.path = waves;
    view.image = run.image;
    assert_true(wave_view_knows(&view));
    assert_int_equal(wave_view_write(&view, &d), STATUS_OK);
    FILE *f = fopen(wave_view_path(waves, wanted, path), "r");
    assert_non_null(f);
    text[fread(text, 1, TEXT_BYTES - 1, f)] = 0;
    fclose(f);
    for (size_t i = 0; i < sizeof ALL / sizeof ALL[0]; i++)
        assert_int_equal(remove(wave_view_path(waves, ALL[i], path)), 0);
    kernel_release(&run);
}

static const struct wave_view FAILED = {
    .sim = "verilator", .cycle = 125, .cores = 8, .sm = 1, .lanes = 1u << 3 | 1u << 20};

static void test_wave_view_is_of_waves_with_records(void **state) {
    (void)state;
    assert_true(wave_view_knows(&(struct wave_view){.path = "a/x.fst", .sim = "verilator"}));
    assert_true(wave_view_knows(&(struct wave_view){.path = "x.ghw", .sim = "ghdl"}));
    assert_false(wave_view_knows(&(struct wave_view){.path = "x.fst", .sim = "ghdl"}));
    assert_false(wave_view_knows(&(struct wave_view){.path = "x.fst", .sim = "mine"}));
}

static void test_wave_view_shows_what_failed(void **state) {
    (void)state;
    char text[TEXT_BYTES];
    view_of(FAILED, ".fst", ".gtkw", text);
    assert_non_null(strstr(text, " 1250000\n"));           /* the cursor */
    assert_non_null(strstr(text, "[timestart] 850000\n")); /* 40 cycles before */
    assert_non_null(strstr(text, "x.fst\"\n"));
    assert_non_null(strstr(text, "-lane 3: row 0 of processor 3\n"));
    assert_non_null(strstr(text, "-lane 20: row 2 of processor 4\n"));
    assert_null(strstr(text, "-lane 4:"));
    assert_non_null(strstr(text, ".multiprocessor(1).u_sm.x1_lanes[4].src_a[31:0]\n"));
    assert_null(strstr(text, ".multiprocessor(0)"));
    view_of(FAILED, ".fst", ".sucl", text);
    assert_non_null(
        strstr(text, "variable_add gpu_flat.gpu_clocked.gpu_flat.u_gpu.multiprocessor(1).u_sm.stages[9].valid\n"));
    assert_non_null(strstr(text, "cursor_set 1250000\n"));
}

/* By the pc in GTKWave's spelling, in capitals. */
static void test_wave_view_tells_the_instructions(void **state) {
    (void)state;
    char text[TEXT_BYTES];
    view_of(FAILED, ".fst", ".pc.txt", text);
    assert_string_equal(text, "000000 SHL R1, R0, 0x2\n"
                              "000008 IADD32 R0, g [0x4], R2\n"
                              "00000C IADD32 R3, g [0x5], R1\n"
                              "000010 RET\n");
}

static void test_wave_view_of_ghdl_has_bits(void **state) {
    (void)state;
    char text[TEXT_BYTES];
    struct wave_view second = FAILED;
    second.sim = "ghdl";
    second.second = true;
    view_of(second, ".ghw", ".gtkw", text);
    assert_non_null(strstr(text, " 1000001250000000\n")); /* 1 s and 125 cycles, in femtoseconds */
    assert_non_null(strstr(text,
                           "#{X1 row} top.gpu_tb.in_block_ram.u_gpu.u_gpu.multiprocessor[1].u_sm.stages[9].row[1] "
                           "top.gpu_tb.in_block_ram.u_gpu.u_gpu.multiprocessor[1].u_sm.stages[9].row[0]\n"));
    assert_non_null(strstr(text, ".u_execute.lane[4].u_lane.u_alu.result_o[31] "));
}

static void test_wave_view_says_what_it_cannot_write(void **state) {
    (void)state;
    struct diag d = {0};
    struct wave_view view = FAILED;
    view.path = "/nonexistent/x.fst";
    const struct machine machine = MACHINE_DEFAULT;
    struct launch run = kernel_make(CODE, 1, 32, &machine);
    view.image = run.image;
    assert_int_not_equal(wave_view_write(&view, &d), STATUS_OK);
    assert_true(d.text[0] != 0);
    kernel_release(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wave_view_is_of_waves_with_records),  cmocka_unit_test(test_wave_view_shows_what_failed),
        cmocka_unit_test(test_wave_view_tells_the_instructions),    cmocka_unit_test(test_wave_view_of_ghdl_has_bits),
        cmocka_unit_test(test_wave_view_says_what_it_cannot_write),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
