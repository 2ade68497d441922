/* SPDX-License-Identifier: Apache-2.0 */
/* warp-run from the outside: exit codes, messages, JSON and dumps. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../test/fixture.h"
#include "../../test/scratch.h"
#include "runner.h"

static bool file_exists(const char *name) { return access(scratch_path(name), F_OK) == 0; }

static void test_run_compares_and_dumps(void **state) {
    (void)state;
    scratch_write("store.sass", RUNNER_STORE);
    runner_check("$D/store.sass --expect 0x100=0100000002000000", 0, "out", "pass");
    runner_check("$D/store.sass --expect 0x100=0100000003000000", 1, "err",
                 "0x00000104: expected 03 00 00 00, found 02 00 00 00");
    runner_check("$D/store.sass --expect 0x100=0100000003000000", 1, "err",
                 "1 byte of global memory is not as expected");
    /* of expectations of one byte the last counts; a piece is shown in words of memory */
    runner_check("$D/store.sass --expect 0x100=09 --expect 0x104=02 --expect 0x100=01", 0, "out", "pass");
    runner_check("$D/store.sass --expect 0x102=01010303", 1, "err",
                 "0x00000102: expected 01 01, found 00 00\n0x00000104: expected 03 03, found 02 00\n"
                 "4 bytes of global memory are not as expected\n");
    /* a later piece does not affect the bytes behind it; of nine wrong words eight are shown */
    runner_check("$D/store.sass --expect 0x100=0100000003000000 --expect 0x100=01000000", 1, "err", "1 byte of");
    runner_check(
        "$D/store.sass --expect 0x100=000000000000000000000000000000000000000000000000000000000000000000000000", 1,
        "err", "0x0000011c: expected 00 00 00 00, found 08 00 00 00\n9 bytes of");
    runner_check("$D/store.sass --dump 0x100:8", 0, "out", "00000100:  01 00 00 00  02 00 00 00");
    runner_check("$D/store.sass --dump 0x102:6", 0, "out", "00000102:  00 00 02 00  00 00\n");
    runner_check("$D/store.sass --dump 0x100:1 --dump 0x104:1 --dump 0x108:1", 0, "out",
                 "00000104:  02\n00000108:  03\n");
    runner_check("$D/store.sass --dump 0x100:7=$D/raw", 0, "out", "pass");
    char raw[16];
    assert_int_equal(scratch_read("raw", raw, sizeof raw), 7);
    assert_memory_equal(raw, "\1\0\0\0\2\0\0", 7);
}

static void test_run_prints_json(void **state) {
    (void)state;
    char content[4096];
    scratch_write("store.sass", RUNNER_STORE);
    assert_int_equal(runner_run("$D/store.sass --json --dump 0:16"), 0);
    scratch_read("out", content, sizeof content);
    json_t *root = json_loads(content, 0, NULL);
    assert_non_null(root);
    assert_string_equal(json_string_value(json_object_get(root, "status")), "pass");
    assert_string_equal(json_string_value(json_object_get(root, "kernel")), "store");
    assert_int_equal(json_integer_value(json_object_get(root, "warp_instructions")), 6);
    assert_int_equal(json_integer_value(json_object_get(root, "thread_instructions")), 192);
    assert_int_equal(json_integer_value(json_object_get(root, "executed_threads")), 192);
    json_int_t total = 0;
    const char *key;
    json_t *value;
    json_object_foreach(json_object_get(root, "stalls"), key, value) total += json_integer_value(value);
    assert_int_equal(total, json_integer_value(json_object_get(root, "cycles")));
    json_decref(root);

    runner_check("$D/store.sass --expect 0x100=02 --json", 1, "out", "{\"status\":\"failed\"");
    /* memory after a trap is compared, too; the exit code is that of the trap */
    runner_check("kernels/traps/quadon.sass --expect 0x0=05 --json", 3, "out", "\"expect_bytes_wrong\":1,");
    char said[8192]; /* but not listed: the trap is the reason */
    scratch_read("err", said, sizeof said);
    assert_non_null(strstr(said, "trap: "));
    assert_null(strstr(said, "expected"));
    scratch_write("name.sass", "Function : a\"b\\c\nRET\n"); /* a listing may give a kernel any name */
    runner_check("$D/name.sass --json", 0, "out", "\"kernel\":\"a\\\"b\\\\c\",");

    assert_int_equal(runner_run("kernels/traps/global-range.sass --json"), 3);
    scratch_read("out", content, sizeof content);
    root = json_loads(content, 0, NULL);
    assert_string_equal(json_string_value(json_object_get(root, "status")), "trap");
    const json_t *trap = json_object_get(root, "trap");
    assert_int_equal(json_integer_value(json_object_get(trap, "code")), TRAP_GLOBAL_RANGE);
    assert_string_equal(json_string_value(json_object_get(trap, "memory")), "global");
    assert_int_equal(json_integer_value(json_object_get(trap, "lane")), 30);
    assert_int_equal(json_integer_value(json_object_get(trap, "lanes")), 0xc0000000);
    assert_int_equal(json_integer_value(json_object_get(trap, "address")), 0x40000);
    assert_int_equal(json_integer_value(json_object_get(trap, "bytes")), 4);
    assert_int_equal(json_integer_value(json_object_get(trap, "limit")), 0x40000);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(trap, "operands"), "R1")), 30);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(trap, "operands"), "R2")), 0x40000);
    json_decref(root);
}

static void test_run_reports_traps(void **state) {
    (void)state;
    runner_check("kernels/traps/global-range.sass", 3, "err", "trap: global memory access out of range");
    runner_check("kernels/traps/global-range.sass", 3, "err",
                 "GST.U32 global14 [R2], R1 (kernels/traps/global-range.sass:");
    runner_check("kernels/traps/global-range.sass", 3, "err",
                 "  lane 30 of lanes c0000000: 4 bytes at 0x40000, global memory ends at 0x40000\n"
                 "  operands in lane 30: R1 0x0000001e, R2 0x00040000\n");
    scratch_write("behind.sass", ".block 32\n.shared 64\nMOV R1, g [0x5]\nRET\n"); /* legal, but unlikely */
    runner_check("$D/behind.sass --param 7", 0, "err",
                 "lane 0; the launch has 1 parameter word, up to 0x14), pc 0x0: MOV R1");
    runner_check("$D/behind.sass --param 7,8", 0, "out", "pass");
    scratch_write("param.sass", ".block 32\nMOV R1, g [0x4]\nRET\n");
    runner_check("$D/param.sass", 3, "err", "a read beyond the parameters, the launch has 0 words\n");
    runner_check("kernels/traps/undefined.sass", 3, "err", "trap: undefined instruction");
    runner_check("--arch sm_13 kernels/traps/later-double.sass", 3, "err",
                 "later-double.sass:8: warning: F2I.S32.F64.TRUNC R0, R0 traps: double precision: sm_13");
    runner_check("kernels/traps/later-double.sass", 3, "err", "F2I.S32.F64.TRUNC R0, R0 (double precision: sm_13)");
    scratch_write("late.sass", "I2I.U32.U16 R1, g [0x6].U16\n" /* blockIdx.x */
                               "SHR R2, R0, 0x5\nLOP.AND R1, R1, R2\nSHL R1, R1, 0x1f\n"
                               "GLD.U32 R2, global14 [R1]\nRET\n");
    runner_check("$D/late.sass --grid 2 --block 64", 3, "err", "block (1,0) warp 1, sm 0 slot 3, active ffffffff");
    runner_check("$D/late.sass --grid 2 --block 64 --json", 3, "out", "\"sm\":0,\"slot\":3,\"pc\":32,");
    scratch_write("none.hex", "f0000001\nc0000001\n");
    runner_check("$D/none.hex --block 32", 3, "err", "pc 0x0: no instruction (");
    scratch_write("stray.hex", "20800405\n0400c780\n");
    runner_check("$D/stray.hex --block 32", 3, "err", "pc 0x0: must-be-zero bits l23 set in IADD R1, R2, R3 (");
    runner_check("kernels/traps/long-misaligned.sass", 3, "err", "long instruction not on an 8-byte boundary (");
    runner_check("kernels/traps/wide-register.sass", 3, "err",
                 "LLD.S64 R3, local [0x0], undefined: the data register's number is not a multiple of the words (");
    scratch_write("areg.hex", "d4000815\n20000781\n");
    runner_check("$D/areg.hex --block 32", 3, "err", "A5, A6 and A7 do not exist (");
    scratch_write("cell.sass", ".block 32\nI2I.U32.U32 R1, g [0x4].U16\n");
    runner_check("$D/cell.sass", 3, "err", "the cell is not as wide as the type (");
    scratch_write("two.sass", ".block 32\nR2A A2, g [A1+++0x1], 0x2\n");
    runner_check("$D/two.sass", 3, "err", "it would write two A registers (");
}

static void test_run_leaves_units_out(void **state) {
    (void)state;
    scratch_write("units.sass", ".block 32\nMVI R1, 0x3f800000\nFADD R1, R1, R1\nRCP R1, R1\nRET\n");
    runner_check("$D/units.sass", 0, "out", "pass");
    runner_check("$D/units.sass --no-fpu", 3, "err", "FADD R1, R1, R1 (");
    runner_check("$D/units.sass --no-fpu", 3, "err", "it executes without --no-fpu");
    runner_check("$D/units.sass --no-sfu", 3, "err", "it executes without --no-sfu");
}

static void test_run_takes_the_size_of_memory(void **state) {
    (void)state;
    scratch_write("far.sass", ".block 32\nMVI R1, 0x40000\nGST.U32 global14 [R1], R1\nNOP\n");
    runner_check("$D/far.sass", 3, "err", "global memory access out of range");
    runner_check("$D/far.sass --global-bytes 0x80000 --expect 0x40000=00000400", 0, "out", "pass");
    runner_check("$D/far.sass --global-bytes 4096", 3, "err", "global memory access out of range");
    runner_check("$D/far.sass --global-bytes 5000", 2, "err", "--global-bytes '5000': expected a power of two");
    runner_check("$D/far.sass --global-bytes 2048", 2, "err", "expected a number from 4096 to 268435456");
    runner_check("$D/far.sass --global-bytes", 2, "err", "--global-bytes '': expected a number");
}

static void test_run_warns_of_missing_registers(void **state) {
    (void)state;
    char content[4096];
    const char *warning =
        "few.sass:2: warning: R5 is used, but the launch has 2 registers: it reads zero and drops writes";
    scratch_write("few.sass", ".block 32\nMVI R5, 0x1\nRET\n");
    runner_check("$D/few.sass --reg 2", 0, "err", warning);
    assert_int_equal(runner_run("$D/few.sass --reg 6"), 0);
    scratch_read("err", content, sizeof content);
    assert_string_equal(content, "");
    scratch_write("sink.sass", ".block 32\nIADD R127, R1, R1\nRET\n");
    (void)runner_run("$D/sink.sass --reg 2");
    scratch_read("err", content, sizeof content);
    assert_null(strstr(content, "drops writes"));
}

static void test_run_reports_hangs(void **state) {
    (void)state;
    scratch_write("loop.sass", ".block 64\nagain: BRA again\n");
    runner_check("$D/loop.sass --max-cycles 1000", 3, "err", "hang: not finished after 1000 warp instructions");
    runner_check("$D/loop.sass --max-cycles 1000", 3, "err",
                 "slot 1 block (0,0) warp 1: ready, active ffffffff of ffffffff, stack 0, pc 0x0: BRA 0x0");
    runner_check("$D/loop.sass --max-cycles 1000 --json", 3, "out", "\"status\":\"hang\"");
    runner_check("$D/loop.sass --max-cycles 1000 --dump 0:4", 3, "out", "00000000:  00 00 00 00");
    runner_check("$D/loop.sass", 3, "err", "hang: every remaining warp loops for ever or waits at a barrier\n");
    runner_check("$D/loop.sass --max-cycles 10000000000000", 3, "err",
                 "slot 1 block (0,0) warp 1: loops for ever, active ffffffff of ffffffff, stack 0, pc 0x0: BRA 0x0");
    runner_check("$D/loop.sass --trace $D/loop.txt", 3, "out", "hang");
    scratch_write(
        "deadlock.sass",
        ".block 64\n.reg 4\nI2I.U32.U16 R1, R0L\nSHR R1, R1, 0x5\nI2I.U32.U32.C0 o [0x7f], R1\nBRA C0.NE, other\n"
        "BAR.ARV.WAIT b0, 0xfff\nRET\nother: BAR.ARV.WAIT b7, 0xfff\nRET\n");
    runner_check("$D/deadlock.sass", 3, "err", "every remaining warp waits at a barrier");
    runner_check("$D/deadlock.sass", 3, "err", "waits at barrier 7");
    runner_check("$D/deadlock.sass", 3, "err", ": BAR.ARV.WAIT b7, 0xfff (");
    /* exactly the allowed number of instructions is no hang, one less is */
    scratch_write("store.sass", RUNNER_STORE);
    runner_check("$D/store.sass --max-cycles 6", 0, "out", "pass");
    runner_check("$D/store.sass --max-cycles 5", 3, "out", "hang");
    runner_check("$D/store.sass --max-cycles 6 --trace $D/t.txt", 0, "out", "pass");
}

/* Values behind =, values of any look, arguments behind --, and standard input. */
static void test_run_takes_options_in_all_forms(void **state) {
    (void)state;
    scratch_write("p.sass", ".block 1\nMVI R2, 0x100\nMOV R1, g [0x4]\nGST.U32 global14 [R2], R1\nRET\n");
    runner_check("$D/p.sass --param -1 --expect 0x100=ffffffff", 0, "out", "pass");
    runner_check("$D/p.sass --param=-2147483648,5 --expect=0x100=00000080", 0, "out", "pass");
    runner_check("$D/p.sass --param 5,-2 --expect 0x100=05000000", 0, "out", "pass");
    runner_check("$D/p.sass --param -2147483649", 2, "err", "--param '-2147483649': expected 32-bit words");
    runner_check("$D/p.sass --param=", 2, "err", "--param '': expected 32-bit words");
    runner_check("--grid=2 --block=64 --param=1 -- $D/p.sass", 0, "out", "pass: 16 warp instructions");
    runner_check("-- $D/p.sass --grid", 2, "err", "two kernels: ");
    runner_check("$D/p.sass --json=1", 2, "err", "--json takes no value");
    runner_check("$D/p.sass --no-fpu=1", 2, "err", "--no-fpu takes no value");
    runner_check("$D/p.sass --gird=1", 2, "err", "unknown option '--gird', see --help; did you mean '--grid'?");
    runner_check("- --param 1 <$D/p.sass", 0, "out", "-: pass");
    runner_check("- --debug <$D/p.sass", 2, "err", "--debug reads standard input, as the kernel is");
    scratch_write("bad.sass", "FROB\n");
    runner_check("- <$D/bad.sass", 2, "err", "<stdin>:1:1: error: ");
}

static void test_run_reports_undefined_reads(void **state) {
    (void)state;
    scratch_write("undefined.sass", ".block 32\n.reg 8\nIADD R1, R0, R5\nRET\n");
    runner_check("$D/undefined.sass", 0, "err", "undefined.sass:3:1: warning: R5 is read but never written");
    runner_check("$D/undefined.sass --strict", 1, "err", "error: R5 is read before it is written");
    scratch_write("often.sass", ".block 32\n.reg 8\n.rept 9000\nMOV R1, R5\nMOV R1, R6\n.endr\nRET\n"); /* two causes */
    char said[4096], *second;
    assert_int_equal(runner_run("$D/often.sass --strict"), 1);
    scratch_read("err", said, sizeof said);
    assert_non_null(second = strstr(said, ": error: R5 is read before"));
    assert_null(strstr(second + 1, ": error: R5 is read before"));
    assert_non_null(strstr(said, ": error: R6 is read before"));
    assert_non_null(strstr(said, "  and at 17998 more places, see --json\n"));
    runner_check("$D/undefined.sass --strict --expect 0=01", 1, "out", "failed:");
    runner_check("$D/undefined.sass --strict --json", 1, "out", "{\"status\":\"undefined\"");
    runner_check("$D/undefined.sass --json", 0, "out", "\"undefined\":[{\"pc\":0,\"what\":\"R5\"}]");
}

/* If the assembler has warned of a register, the run does not; it does warn of reads that only the run reveals. */
static void test_run_warns_once_of_one_cause(void **state) {
    (void)state;
    char said[4096];
    scratch_write("halves.sass", ".block 32\n.reg 8\nMOV.U16 R1L, R2L\nIADD R3, R0, R4\nMOV R3, R4\nRET\n");
    assert_int_equal(runner_run("$D/halves.sass"), 0);
    scratch_read("err", said, sizeof said);
    assert_non_null(strstr(said, "warning: R2L is read but never written"));
    assert_non_null(strstr(said, "warning: R4 is read but never written"));
    assert_null(strstr(said, "is read before it is written"));
    scratch_write("some.sass", ".block 32\n.reg 64\n.shared 64\nI2I.U32.U16.C0 R1, R0L\nMOV R40 (C0.NE), R0\n"
                               "MOV R2, R40\nMOV R3, R4\nRET\n");
    assert_int_equal(runner_run("$D/some.sass"), 0);
    scratch_read("err", said, sizeof said);
    assert_non_null(strstr(said, "warning: R4 is read but never written"));
    assert_non_null(strstr(said, "warning: R40 is read before it is written (sm 0 slot 0 lane 0)"));
    assert_null(strstr(said, "warning: R4 is read before"));
}

/* Reverses the words of a block. */
#define REVERSE(barrier)                                                 \
    ".kernel k\n.block 64\n.shared 0x110\n.global 0x0 = .fill 64, 0x0\n" \
    "I2I.U32.U16 R1, R0L\n" /* line 5, pc 00 */                          \
    "R2A A1, R1, 0x2\n"                                                  \
    "R2G.U32.U32 g [A1+0x4], R1\n" /* line 7, pc 10 */                   \
        barrier "\n"                                                     \
    "ADA A2, A1, 0x0\n"                                                  \
    "IADD32I R2, -R1, 0x3f\n"                                            \
    "R2A A2, R2, 0x2\n"                                                  \
    "MOV R3, g [A2+0x4]\n" /* line 12, pc 38 */                          \
    "RET\n"

static void test_run_reports_races(void **state) {
    (void)state;
    char out[4096];
    scratch_write("right.sass", REVERSE("BAR.ARV.WAIT b0, 0xfff"));
    assert_int_equal(runner_run("$D/right.sass --check-races --json"), 0);
    scratch_read("out", out, sizeof out);
    assert_non_null(strstr(out, "\"races\":[]"));
    scratch_read("err", out, sizeof out);
    assert_string_equal(out, "");

    /* Lane n of warp 1 stores word 32 + n before warp 0 reads it, in lane 31 - n; likewise for the words of warp 0. */
    scratch_write("wrong.sass", REVERSE("NOP"));
    assert_int_equal(runner_run("$D/wrong.sass --strict"), 0);
    assert_int_equal(runner_run("$D/wrong.sass --check-races"), 1);
    scratch_read("err", out, sizeof out);
    assert_non_null(strstr(out, "wrong.sass: race: two unordered accesses, 64 times, first at shared 0x10c\n"));
    assert_non_null(strstr(out, "  store by block (0,0) warp 1 lane 31, pc 0x10: R2G.U32.U32 g [A1+0x4], R1 ("));
    assert_non_null(strstr(out, "wrong.sass:7)\n  load by block (0,0) warp 0 lane 0, pc 0x38: MOV R3, g [A2+0x4] ("));
    assert_non_null(strstr(out, "wrong.sass:12)\n"));
    assert_non_null(strstr(out, "wrong.sass: 1 pair of instructions races, 64 times\n"));
    scratch_read("out", out, sizeof out);
    assert_non_null(strstr(out, "wrong.sass: race: "));

    json_error_t error;
    assert_int_equal(runner_run("$D/wrong.sass --check-races --json"), 1);
    scratch_read("out", out, sizeof out);
    json_t *json = json_loads(out, 0, &error);
    assert_non_null(json);
    assert_string_equal(json_string_value(json_object_get(json, "status")), "race");
    const json_t *race = json_array_get(json_object_get(json, "races"), 0);
    assert_string_equal(json_string_value(json_object_get(race, "space")), "shared");
    assert_int_equal(json_integer_value(json_object_get(race, "addr")), 0x10c);
    assert_int_equal(json_integer_value(json_object_get(race, "count")), 64);
    assert_true(json_is_false(json_object_get(race, "one_store")));
    const json_t *load = json_array_get(json_object_get(race, "accesses"), 1);
    assert_string_equal(json_string_value(json_object_get(load, "kind")), "load");
    assert_int_equal(json_integer_value(json_object_get(load, "pc")), 0x38);
    assert_int_equal(json_integer_value(json_object_get(load, "lane")), 0);
    json_decref(json);
    assert_int_equal(runner_run("$D/wrong.sass --json"), 0);
    scratch_read("out", out, sizeof out);
    assert_null(strstr(out, "races"));
}

static void test_run_reports_races_of_lanes(void **state) {
    (void)state;
    char err[4096];
    scratch_write("lanes.sass", ".kernel k\n.block 32\n.shared 64\nR2G.U32.U32 g [0x8], R0\nRET\n");
    assert_int_equal(runner_run("$D/lanes.sass --check-races"), 1);
    scratch_read("err", err, sizeof err);
    assert_non_null(strstr(err, "race: lanes of one store leave different values, 31 times, first at shared 0x20\n"));
}

static void test_run_refuses_bad_input(void **state) {
    (void)state;
    scratch_write("store.sass", RUNNER_STORE);
    runner_check("", 2, "err", "warp-run: error: no kernel given");
    runner_check("$D/absent.sass", 2, "err", "absent.sass");
    runner_check("$D/store.sass --frob", 2, "err", "unknown option '--frob', see --help\n");
    runner_check("$D/store.sass --blok 3", 2, "err", "unknown option '--blok', see --help; did you mean '--block'?");
    runner_check("$D/store.sass -json", 2, "err", "unknown option '-json', see --help; did you mean '--json'?");
    runner_check("$D/store.sass -cores", 2, "err", "unknown option '-cores', see --help; options begin with --");
    runner_check("$D/store.sass --global 0=1,2", 2, "err",
                 "'1,2': expected hex bytes, as they lie in memory: 01000000");
    runner_check("$D/store.sass --arch sm_20", 2, "err", "--arch 'sm_20'");
    runner_check("$D/store.sass --block 2000", 2, "err", "threads in a block 2000, an sm has 1024");
    runner_check("$D/store.sass --trace $D/t.xml", 2, "err", "a trace is .txt, .json or .kanata");
    assert_false(file_exists("t.xml"));
    runner_check("$D/store.sass --trace .txt", 2, "err", "a trace is .txt, .json or .kanata");
    runner_check("$D/store.sass --dump 0:4=/nonexistent/x --dump 0:4=$D/raw", 2, "err", "/nonexistent/x");
    runner_check("--help", 0, "out", "--max-cycles");
    runner_check("--version", 0, "out", "warp-run (Warpstep) ");
}

/* A truncated listing, and a branch too far. */
static void test_run_says_where_the_code_ends(void **state) {
    (void)state;
    scratch_write("cut.txt", "\t\tFunction : f\n\t/*0000*/     /*0x30020005c4100780*/ \tSHL R1, R0, 0x2;\n");
    runner_check("$D/cut.txt", 3, "err",
                 "  the code ends at 0x8; the instruction before neither ends the warp (RET, .end) nor branches\n");
    runner_check("kernels/traps/fetch-beyond.sass", 3, "err", "  the code ends at 0x30\n");
}

/* Global memory of another size: accesses beyond the default size, and accesses no longer inside. */
static void test_run_chooses_global_memory(void **state) {
    (void)state;
    scratch_write("far.sass", ".block 1\nMVI R1, 0x100000\nMVI R2, 0x7\nGST.U32 global14 [R1], R2\nRET\n");
    runner_check("$D/far.sass", 3, "err", "4 bytes at 0x100000, global memory ends at 0x40000");
    runner_check("$D/far.sass --global-bytes 0x200000 --expect 0x100000=07000000", 0, "out", "pass");
    runner_check("$D/far.sass --global-bytes 4096", 3, "err", "global memory ends at 0x1000");
    runner_check("$D/far.sass --global-bytes 5000", 2, "err", "--global-bytes '5000': expected a power of two");
    runner_check("$D/far.sass --global-bytes 2048", 2, "err",
                 "--global-bytes '2048': expected a number from 4096 to 268435456");
    runner_check("$D/far.sass --global-bytes", 2, "err", "--global-bytes '': expected a number");
}

static void test_run_says_when_output_is_lost(void **state) {
    (void)state;
    static const char *const LOST[] = {"", "--json", "--dump 0:65536", "--dump 0:16", "--expect 0=01", "--help"};
    char arguments[128], content[8192];
    scratch_write("store.sass", RUNNER_STORE);
    for (size_t i = 0; i < sizeof LOST / sizeof LOST[0]; i++) {
        snprintf(arguments, sizeof arguments, "$D/store.sass %s", LOST[i]);
        assert_int_equal(runner_run_full(arguments), 2);
        scratch_read("err", content, sizeof content);
        assert_non_null(strstr(content, "standard output: error: cannot write: No space left on device"));
    }
    char link[128];
    snprintf(link, sizeof link, "%s/full.txt", scratch);
    assert_int_equal(symlink("/dev/full", link), 0);
    runner_check("$D/store.sass --trace $D/full.txt", 2, "err",
                 "full.txt: error: cannot write: No space left on device");
    runner_check("$D/store.sass --dump 0:65536=$D/full.txt", 2, "err", "full.txt: error: ");
}

/* A kernel that would run for ever does not begin. */
static void test_run_checks_its_output_files_first(void **state) {
    (void)state;
    char content[8192];
    scratch_write("count.sass", "MVI R1, 0\nagain: IADD32I R1, R1, 1\nBRA again\n");
    runner_check("$D/count.sass --max-cycles 100000000000 --dump 0:4=$D/none/x.bin", 2, "err",
                 "none/x.bin: error: cannot write: No such file or directory");
    runner_check("$D/count.sass --max-cycles 100000000000 --dump 0:4=$D", 2, "err",
                 "error: cannot write: Is a directory");
    runner_check("$D/count.sass --max-cycles 300 --dump 0:4=$D/x.bin", 3, "err", "hang");
    scratch_read("out", content, sizeof content);
    assert_null(strstr(content, "error"));
}

/* y[i + n] = x[i], and a variable. */
static const char COPY[] = ".version 3.2\n.target sm_20\n.address_size 32\n"
                           ".global .u32 total;\n"
                           ".entry copy(.param .u32 .ptr .global y, .param .u32 .ptr .global x, .param .u32 n)\n"
                           "{ .reg .u32 %r<9>;\n"
                           "ld.param.u32 %r1, [y];\nld.param.u32 %r2, [x];\nld.param.u32 %r3, [n];\n"
                           "mov.u32 %r4, %tid.x;\nadd.u32 %r5, %r4, %r3;\n"
                           "shl.b32 %r4, %r4, 2;\nshl.b32 %r5, %r5, 2;\nadd.u32 %r2, %r2, %r4;\n"
                           "add.u32 %r1, %r1, %r5;\nld.global.u32 %r6, [%r2];\nst.global.u32 [%r1], %r6;\n"
                           "st.global.u32 [total], %r6;\nret; }\n";

/* Outside its buffers, though inside global memory. With --strict one buffer does not begin where another one ends. */
static void test_run_is_strict_about_bounds(void **state) {
    (void)state;
    scratch_write("copy.ptx", COPY);
    runner_check("$D/copy.ptx --block 64 --arg zero:256 --arg zero:256 --arg 0 --strict", 0, "out", "pass");
    runner_check("$D/copy.ptx --block 64 --arg zero:256 --arg zero:256 --arg 3", 0, "out", "pass");
    runner_check(
        "$D/copy.ptx --block 64 --arg zero:256 --arg zero:256 --arg 3 --strict", 1, "err",
        "copy.ptx: error: store outside all buffers: 4 bytes at 0x400, right behind --arg 1 (0x300 to 0x3ff), first "
        "in block (0,0) warp 1 lane 29, 3 times\n  pc 0x");
    runner_check("$D/copy.ptx --block 64 --arg zero:256 --arg zero:256 --arg 3 --strict", 1, "out", "out of bounds: ");
    runner_check(
        "$D/copy.ptx --block 32 --arg zero:256 --arg zero:256 --arg 0xfffffff0 --strict", 1, "err",
        "4 bytes at 0x2c0, 64 bytes before --arg 1 (0x300 to 0x3ff), first in block (0,0) warp 0 lane 0, 16 times\n");
    runner_check("$D/copy.ptx --block 32 --arg zero:256 --arg zero:100 --arg 0 --strict", 1, "err",
                 "error: load outside all buffers: 4 bytes at 0x564, right behind --arg 2 (0x500 to 0x563)");
    runner_check("$D/copy.ptx --block 32 --arg zero:256 --arg zero:102 --arg 0 --strict", 1, "err",
                 "error: load outside all buffers: 4 bytes at 0x564, across the end of --arg 2 (0x500 to 0x565)");
    /* without buffers nothing is known */
    runner_check("$D/copy.ptx --block 64 --param 256,1024,3 --strict", 0, "out", "pass");
}

static void test_run_says_which_block_it_takes(void **state) {
    (void)state;
    char content[8192];
    scratch_write("copy.ptx", COPY);
    runner_check("$D/copy.ptx --arg zero:256 --arg zero:256 --arg 0", 0, "err",
                 "copy.ptx: note: no --block and no --grid: one block of one thread\n");
    runner_check("$D/copy.ptx --grid 2 --arg zero:256 --arg zero:256 --arg 0", 0, "err",
                 "copy.ptx: note: no --block: one ");
    assert_int_equal(runner_run("$D/copy.ptx -w --arg zero:256 --arg zero:256 --arg 0"), 0);
    scratch_read("err", content, sizeof content);
    assert_string_equal(content, "");
    assert_int_equal(runner_run("$D/copy.ptx --block 1 --arg zero:256 --arg zero:256 --arg 0"), 0);
    scratch_read("err", content, sizeof content);
    assert_string_equal(content, "");
}

/* The same text as warp-as prints, errors and warnings alike, byte by byte. */
static void test_run_prints_the_assemblers_messages(void **state) {
    (void)state;
    char assembler[4096], here[8192], command[256];
    const struct {
        const char *text;
        int code, assembler;
    } sources[] = {
        {".block 32\n    FOO R1\n    MOV R1, R2, R3\n.nothing\n",                            2, 2},
        {".block 32\n    I2I.U32.U16.C0 R1, R0L\n    BRA C0.NE, next\n    NOP\nnext: RET\n", 0, 0},
    };
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
        scratch_write("messages.sass", sources[i].text);
        snprintf(command, sizeof command, "build/bin/warp-as --list %s/messages.sass >%s/out 2>%s/as", scratch, scratch,
                 scratch);
        assert_int_equal(WEXITSTATUS(system(command)), sources[i].assembler);
        assert_int_equal(runner_run("$D/messages.sass"), sources[i].code);
        scratch_read("as", assembler, sizeof assembler);
        scratch_read("err", here, sizeof here);
        assert_non_null(strstr(assembler, i == 0 ? ": error: " : "[-Wdivergent-branch]"));
        assert_string_equal(here, assembler);
    }
    scratch_write("messages.sass", sources[0].text);
    runner_check("$D/messages.sass", 2, "err", "messages.sass:2:5: error: unknown instruction 'FOO'");
    runner_check("$D/messages.sass", 2, "err", "messages.sass:3:15: error: ");
    runner_check("$D/messages.sass", 2, "err", "messages.sass:4:1: error: unknown directive '.nothing'");
    scratch_write("messages.sass", sources[1].text);
    assert_int_equal(runner_run("$D/messages.sass -w"), 0);
    scratch_read("err", here, sizeof here);
    assert_string_equal(here, "");
    /* decisions of the launch are not the assembler's */
    scratch_write("messages.sass",
                  ".block 32\n.reg 2\n    MVI R1, 0x0\n    MVI R3, 0x0\n    GRED.IADD.U32 global14 [R1], R3\n RET\n");
    assert_int_equal(runner_run("$D/messages.sass --reg 4 --arch sm_11"), 0);
    scratch_read("err", here, sizeof here);
    assert_string_equal(here, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_run_compares_and_dumps),
        cmocka_unit_test(test_run_prints_json),
        cmocka_unit_test(test_run_reports_traps),
        cmocka_unit_test(test_run_prints_the_assemblers_messages),
        cmocka_unit_test(test_run_reports_hangs),
        cmocka_unit_test(test_run_takes_options_in_all_forms),
        cmocka_unit_test(test_run_reports_undefined_reads),
        cmocka_unit_test(test_run_warns_once_of_one_cause),
        cmocka_unit_test(test_run_reports_races),
        cmocka_unit_test(test_run_reports_races_of_lanes),
        cmocka_unit_test(test_run_refuses_bad_input),
        cmocka_unit_test(test_run_says_where_the_code_ends),
        cmocka_unit_test(test_run_chooses_global_memory),
        cmocka_unit_test(test_run_says_when_output_is_lost),
        cmocka_unit_test(test_run_checks_its_output_files_first),
        cmocka_unit_test(test_run_is_strict_about_bounds),
        cmocka_unit_test(test_run_says_which_block_it_takes),
        cmocka_unit_test(test_run_leaves_units_out),
        cmocka_unit_test(test_run_takes_the_size_of_memory),
        cmocka_unit_test(test_run_warns_of_missing_registers),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
