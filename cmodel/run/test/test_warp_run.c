/* SPDX-License-Identifier: Apache-2.0 */
/* warp-run from the outside: exit codes, messages, JSON, dumps and traces. */
#include <jansson.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../test/fixture.h"
#include "../../test/scratch.h"
#include "../../test/terminal.h"

#define TOOL "build/bin/warp-run"

static bool file_exists(const char *name) { return access(scratch_path(name), F_OK) == 0; }

/* Runs warp-run for the scratch directory and returns the exit code; its output is in the files "out" and "err"
 * there. */
static int run(const char *arguments) {
    char command[1024];
    snprintf(command, sizeof command, "D=%s; %s %s >$D/out 2>$D/err", scratch, TOOL, arguments);
    const int status = system(command);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* The same with standard output on a full device. */
static int run_full(const char *arguments) {
    char command[1024];
    snprintf(command, sizeof command, "D=%s; %s %s >/dev/full 2>$D/err", scratch, TOOL, arguments);
    const int status = system(command);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void check(const char *arguments, int code, const char *file, const char *text) {
    char content[8192];
    const int actual = run(arguments);
    scratch_read(file, content, sizeof content);
    if (actual != code || strstr(content, text) == NULL)
        fail_msg("warp-run %s: exit %d, '%s'; expected %d, '%s'", arguments, actual, content, code, text);
}

/* Stores thread id + 1 in word [thread id] of global memory at the first parameter. */
static const char STORE[] = ".kernel store\n.block 32\n.reg 4\n.param 0x100\n"
                            "        I2I.U32.U16 R1, R0L\n"
                            "        SHL R2, R1, 0x2\n"
                            "        IADD R2, g [0x4], R2\n"
                            "        IADD32I R3, R1, 0x1\n"
                            "        GST.U32 global14 [R2], R3\n"
                            "        RET\n";

static void test_run_compares_and_dumps(void **state) {
    (void)state;
    scratch_write("store.sass", STORE);
    check("$D/store.sass --expect 0x100=0100000002000000", 0, "out", "pass");
    check("$D/store.sass --expect 0x100=0100000003000000", 1, "err",
          "0x00000104: expected 03 00 00 00, found 02 00 00 00");
    check("$D/store.sass --expect 0x100=0100000003000000", 1, "err", "1 byte of global memory is not as expected");
    /* of expectations of one byte the last counts; a piece is shown in words of memory */
    check("$D/store.sass --expect 0x100=09 --expect 0x104=02 --expect 0x100=01", 0, "out", "pass");
    check("$D/store.sass --expect 0x102=01010303", 1, "err",
          "0x00000102: expected 01 01, found 00 00\n0x00000104: expected 03 03, found 02 00\n"
          "4 bytes of global memory are not as expected\n");
    /* a later piece does not affect the bytes behind it; of nine wrong words eight are shown */
    check("$D/store.sass --expect 0x100=0100000003000000 --expect 0x100=01000000", 1, "err", "1 byte of");
    check("$D/store.sass --expect 0x100=000000000000000000000000000000000000000000000000000000000000000000000000", 1,
          "err", "0x0000011c: expected 00 00 00 00, found 08 00 00 00\n9 bytes of");
    check("$D/store.sass --dump 0x100:8", 0, "out", "00000100:  01 00 00 00  02 00 00 00");
    check("$D/store.sass --dump 0x102:6", 0, "out", "00000102:  00 00 02 00  00 00\n");
    check("$D/store.sass --dump 0x100:1 --dump 0x104:1 --dump 0x108:1", 0, "out", "00000104:  02\n00000108:  03\n");
    check("$D/store.sass --dump 0x100:7=$D/raw", 0, "out", "pass");
    char raw[16];
    assert_int_equal(scratch_read("raw", raw, sizeof raw), 7);
    assert_memory_equal(raw, "\1\0\0\0\2\0\0", 7);
}

static void test_run_prints_json(void **state) {
    (void)state;
    char content[4096];
    scratch_write("store.sass", STORE);
    assert_int_equal(run("$D/store.sass --json --dump 0:16"), 0);
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

    check("$D/store.sass --expect 0x100=02 --json", 1, "out", "{\"status\":\"failed\"");
    /* memory after a trap is compared, too; the exit code is that of the trap */
    check("kernels/traps/quadon.sass --expect 0x0=05 --json", 3, "out", "\"expect_bytes_wrong\":1,");
    char said[8192]; /* but not listed: the trap is the reason */
    scratch_read("err", said, sizeof said);
    assert_non_null(strstr(said, "trap: "));
    assert_null(strstr(said, "expected"));
    scratch_write("name.sass", "Function : a\"b\\c\nRET\n"); /* a listing may give a kernel any name */
    check("$D/name.sass --json", 0, "out", "\"kernel\":\"a\\\"b\\\\c\",");

    assert_int_equal(run("kernels/traps/global-range.sass --json"), 3);
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
    check("kernels/traps/global-range.sass", 3, "err", "trap: global memory access out of range");
    check("kernels/traps/global-range.sass", 3, "err", "GST.U32 global14 [R2], R1 (kernels/traps/global-range.sass:");
    check("kernels/traps/global-range.sass", 3, "err",
          "  lane 30 of lanes c0000000: 4 bytes at 0x40000, global memory ends at 0x40000\n"
          "  operands in lane 30: R1 0x0000001e, R2 0x00040000\n");
    scratch_write("behind.sass", ".block 32\n.shared 64\nMOV R1, g [0x5]\nRET\n"); /* legal, but unlikely */
    check("$D/behind.sass --param 7", 0, "err", "lane 0; the launch has 1 parameter word, up to 0x14), pc 0x0: MOV R1");
    check("$D/behind.sass --param 7,8", 0, "out", "pass");
    scratch_write("param.sass", ".block 32\nMOV R1, g [0x4]\nRET\n");
    check("$D/param.sass", 3, "err", "a read beyond the parameters, the launch has 0 words\n");
    check("kernels/traps/undefined.sass", 3, "err", "trap: undefined instruction");
    check("--arch sm_13 kernels/traps/later-double.sass", 3, "err",
          "later-double.sass:8: warning: F2I.S32.F64.TRUNC R0, R0 traps: double precision: sm_13");
    check("kernels/traps/later-double.sass", 3, "err", "F2I.S32.F64.TRUNC R0, R0 (double precision: sm_13)");
    scratch_write("late.sass", "I2I.U32.U16 R1, g [0x6].U16\n" /* blockIdx.x */
                               "SHR R2, R0, 0x5\nLOP.AND R1, R1, R2\nSHL R1, R1, 0x1f\n"
                               "GLD.U32 R2, global14 [R1]\nRET\n");
    check("$D/late.sass --grid 2 --block 64", 3, "err", "block (1,0) warp 1, sm 0 slot 3, active ffffffff");
    check("$D/late.sass --grid 2 --block 64 --json", 3, "out", "\"sm\":0,\"slot\":3,\"pc\":32,");
    scratch_write("none.hex", "f0000001\nc0000001\n");
    check("$D/none.hex --block 32", 3, "err", "pc 0x0: no instruction (");
    scratch_write("stray.hex", "20800405\n0400c780\n");
    check("$D/stray.hex --block 32", 3, "err", "pc 0x0: must-be-zero bits l23 set in IADD R1, R2, R3 (");
    check("kernels/traps/long-misaligned.sass", 3, "err", "long instruction not on an 8-byte boundary (");
    check("kernels/traps/wide-register.sass", 3, "err",
          "LLD.S64 R3, local [0x0], undefined: the data register's number is not a multiple of the words (");
    scratch_write("areg.hex", "d4000815\n20000781\n");
    check("$D/areg.hex --block 32", 3, "err", "A5, A6 and A7 do not exist (");
    scratch_write("cell.sass", ".block 32\nI2I.U32.U32 R1, g [0x4].U16\n");
    check("$D/cell.sass", 3, "err", "the cell is not as wide as the type (");
    scratch_write("two.sass", ".block 32\nR2A A2, g [A1+++0x1], 0x2\n");
    check("$D/two.sass", 3, "err", "it would write two A registers (");
}

static void test_run_leaves_units_out(void **state) {
    (void)state;
    scratch_write("units.sass", ".block 32\nMVI R1, 0x3f800000\nFADD R1, R1, R1\nRCP R1, R1\nRET\n");
    check("$D/units.sass", 0, "out", "pass");
    check("$D/units.sass --no-fpu", 3, "err", "FADD R1, R1, R1 (");
    check("$D/units.sass --no-fpu", 3, "err", "it executes without --no-fpu");
    check("$D/units.sass --no-sfu", 3, "err", "it executes without --no-sfu");
}

static void test_run_takes_the_size_of_memory(void **state) {
    (void)state;
    scratch_write("far.sass", ".block 32\nMVI R1, 0x40000\nGST.U32 global14 [R1], R1\nNOP\n");
    check("$D/far.sass", 3, "err", "global memory access out of range");
    check("$D/far.sass --global-bytes 0x80000 --expect 0x40000=00000400", 0, "out", "pass");
    check("$D/far.sass --global-bytes 4096", 3, "err", "global memory access out of range");
    check("$D/far.sass --global-bytes 5000", 2, "err", "--global-bytes '5000': expected a power of two");
    check("$D/far.sass --global-bytes 2048", 2, "err", "expected a number from 4096 to 268435456");
    check("$D/far.sass --global-bytes", 2, "err", "--global-bytes '': expected a number");
}

static void test_run_warns_of_missing_registers(void **state) {
    (void)state;
    char content[4096];
    const char *warning =
        "few.sass:2: warning: R5 is used, but the launch has 2 registers: it reads zero and drops writes";
    scratch_write("few.sass", ".block 32\nMVI R5, 0x1\nRET\n");
    check("$D/few.sass --reg 2", 0, "err", warning);
    assert_int_equal(run("$D/few.sass --reg 6"), 0);
    scratch_read("err", content, sizeof content);
    assert_string_equal(content, "");
    scratch_write("sink.sass", ".block 32\nIADD R127, R1, R1\nRET\n");
    (void)run("$D/sink.sass --reg 2");
    scratch_read("err", content, sizeof content);
    assert_null(strstr(content, "drops writes"));
}

static void test_run_reports_hangs(void **state) {
    (void)state;
    scratch_write("loop.sass", ".block 64\nagain: BRA again\n");
    check("$D/loop.sass --max-cycles 1000", 3, "err", "hang: not finished after 1000 warp instructions");
    check("$D/loop.sass --max-cycles 1000", 3, "err",
          "slot 1 block (0,0) warp 1: ready, active ffffffff of ffffffff, stack 0, pc 0x0: BRA 0x0");
    check("$D/loop.sass --max-cycles 1000 --json", 3, "out", "\"status\":\"hang\"");
    check("$D/loop.sass --max-cycles 1000 --dump 0:4", 3, "out", "00000000:  00 00 00 00");
    check("$D/loop.sass", 3, "err", "hang: every remaining warp loops for ever or waits at a barrier\n");
    check("$D/loop.sass --max-cycles 10000000000000", 3, "err",
          "slot 1 block (0,0) warp 1: loops for ever, active ffffffff of ffffffff, stack 0, pc 0x0: BRA 0x0");
    check("$D/loop.sass --trace $D/loop.txt", 3, "out", "hang");
    scratch_write(
        "deadlock.sass",
        ".block 64\n.reg 4\nI2I.U32.U16 R1, R0L\nSHR R1, R1, 0x5\nI2I.U32.U32.C0 o [0x7f], R1\nBRA C0.NE, other\n"
        "BAR.ARV.WAIT b0, 0xfff\nRET\nother: BAR.ARV.WAIT b7, 0xfff\nRET\n");
    check("$D/deadlock.sass", 3, "err", "every remaining warp waits at a barrier");
    check("$D/deadlock.sass", 3, "err", "waits at barrier 7");
    check("$D/deadlock.sass", 3, "err", ": BAR.ARV.WAIT b7, 0xfff (");
    /* exactly the allowed number of instructions is no hang, one less is */
    scratch_write("store.sass", STORE);
    check("$D/store.sass --max-cycles 6", 0, "out", "pass");
    check("$D/store.sass --max-cycles 5", 3, "out", "hang");
    check("$D/store.sass --max-cycles 6 --trace $D/t.txt", 0, "out", "pass");
}

/* Starts warp-run on a loop that counts, its stderr a terminal or the file "err". Returns the process; *terminal is the
 * other end, or -1. */
static pid_t start_loop(bool on_terminal, int *terminal) {
    char kernel[64], trace[64], err[64];
    snprintf(kernel, sizeof kernel, "%s/count.sass", scratch);
    snprintf(trace, sizeof trace, "%s/kept.txt", scratch);
    snprintf(err, sizeof err, "%s/err", scratch);
    scratch_write("count.sass", ".block 64\nMVI R1, 0\nagain: IADD32I R1, R1, 1\nBRA again\n");
    *terminal = -1;
    const pid_t process = on_terminal ? forkpty(terminal, NULL, NULL, NULL) : fork();
    assert_true(process >= 0);
    if (process != 0) return process;
    static const int SIGNALS[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    for (size_t i = 0; i < sizeof SIGNALS / sizeof SIGNALS[0]; i++) signal(SIGNALS[i], SIG_DFL);
    if (!on_terminal && freopen(err, "w", stderr) == NULL) _exit(126);
    if (freopen("/dev/null", "w", stdout) == NULL) _exit(126);
    execl(TOOL, TOOL, kernel, "--max-cycles", "1000000000000", on_terminal ? "--json" : "--trace",
          on_terminal ? NULL : trace, NULL);
    _exit(127);
}

static int interrupt(pid_t process) {
    int status;
    assert_int_equal(kill(process, SIGINT), 0);
    assert_int_equal(waitpid(process, &status, 0), process);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* A truncated trace is valid, names its last cycle, and exists under its own name only. */
static void check_cut(const char *why) {
    char command[512];
    snprintf(command, sizeof command,
             "cd %s && test \"$(ls kept.txt*)\" = kept.txt && test -z \"$(tail -c 1 kept.txt)\" &&"
             " tail -n 1 kept.txt | grep -q '^# cut after [1-9][0-9]* warp instructions, in cycle [0-9]*: %s$' &&"
             " n=$(tail -n 1 kept.txt | cut -d' ' -f4) && test $((n + 2)) = $(wc -l <kept.txt)",
             scratch, why);
    assert_int_equal(system(command), 0);
}

/* Any of these signals ends a run in order, even if sent twice, as by timeout(1). */
static void test_run_ends_well_by_any_signal(void **state) {
    (void)state;
    static const struct {
        int number;
        const char *name;
    } SIGNALS[] = {
        {SIGTERM, "SIGTERM"},
        {SIGHUP,  "SIGHUP" },
        {SIGQUIT, "SIGQUIT"}
    };
    int terminal, status;
    for (size_t i = 0; i < sizeof SIGNALS / sizeof SIGNALS[0]; i++) {
        const pid_t process = start_loop(false, &terminal);
        usleep(100000 + 7000 * (useconds_t)i);
        for (unsigned times = 0; times < 3; times++) {
            assert_int_equal(kill(process, SIGNALS[i].number), 0); /* an ended process exists until waitpid */
            usleep(100);
        }
        assert_int_equal(waitpid(process, &status, 0), process);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGNALS[i].number);
        check_cut(SIGNALS[i].name);
    }
}

/* The trace ends below the limit in any format, and the run continues; a small limit leaves the first lines. */
static void test_run_limits_a_trace(void **state) {
    (void)state;
    char command[128];
    scratch_write("loop.sass", ".block 64\nMVI R1, 0\nagain: IADD32I R1, R1, 1\nBRA again\n");
    static const char *const FORMS[] = {"txt", "json", "kanata"};
    for (size_t i = 0; i < sizeof FORMS / sizeof FORMS[0]; i++) {
        snprintf(command, sizeof command, "$D/loop.sass --max-cycles 50000 --trace-limit 1M --trace $D/large.%s",
                 FORMS[i]);
        check(command, 3, "err", "warning: the trace is cut after ");
        check(command, 3, "err", ": --trace-limit of 1048576 bytes\n");
        snprintf(command, sizeof command, "s=$(stat -c %%s %s/large.%s); test $s -le 1048576 && test $s -gt 700000",
                 scratch, FORMS[i]);
        assert_int_equal(system(command), 0);
    }
    check("$D/loop.sass --max-cycles 500 --trace-limit=0 --trace=$D/large.txt", 3, "err", "hang");
    snprintf(command, sizeof command, "test $(wc -l <%s/large.txt) = 501", scratch);
    assert_int_equal(system(command), 0);
    check("$D/loop.sass --trace-limit 4X", 2, "err", "--trace-limit '4X': expected a number of bytes");
    check("--help", 0, "out", "--trace-limit BYTES");
    json_t *root;
    snprintf(command, sizeof command, "%s/large.json", scratch);
    assert_non_null(root = json_load_file(command, 0, NULL));
    assert_non_null(
        strstr(json_string_value(json_object_get(json_object_get(root, "otherData"), "cut")), "--trace-li"));
    json_decref(root);
}

/* Values behind =, values of any look, arguments behind --, and standard input. */
static void test_run_takes_options_in_all_forms(void **state) {
    (void)state;
    scratch_write("p.sass", ".block 1\nMVI R2, 0x100\nMOV R1, g [0x4]\nGST.U32 global14 [R2], R1\nRET\n");
    check("$D/p.sass --param -1 --expect 0x100=ffffffff", 0, "out", "pass");
    check("$D/p.sass --param=-2147483648,5 --expect=0x100=00000080", 0, "out", "pass");
    check("$D/p.sass --param 5,-2 --expect 0x100=05000000", 0, "out", "pass");
    check("$D/p.sass --param -2147483649", 2, "err", "--param '-2147483649': expected 32-bit words");
    check("$D/p.sass --param=", 2, "err", "--param '': expected 32-bit words");
    check("--grid=2 --block=64 --param=1 -- $D/p.sass", 0, "out", "pass: 16 warp instructions");
    check("-- $D/p.sass --grid", 2, "err", "two kernels: ");
    check("$D/p.sass --json=1", 2, "err", "--json takes no value");
    check("$D/p.sass --no-fpu=1", 2, "err", "--no-fpu takes no value");
    check("$D/p.sass --gird=1", 2, "err", "unknown option '--gird', see --help; did you mean '--grid'?");
    check("- --param 1 <$D/p.sass", 0, "out", "-: pass");
    check("- --debug <$D/p.sass", 2, "err", "--debug reads standard input, as the kernel is");
    scratch_write("bad.sass", "FROB\n");
    check("- <$D/bad.sass", 2, "err", "<stdin>:1:1: error: ");
}

/* No progress line without a terminal; the truncated trace exists. */
static void test_run_can_be_interrupted(void **state) {
    (void)state;
    char said[8192];
    int terminal;
    const pid_t process = start_loop(false, &terminal);
    usleep(1300000);
    assert_int_equal(interrupt(process), 130);
    scratch_read("err", said, sizeof said);
    assert_null(strstr(said, " a second"));
    assert_non_null(strstr(said, "count.sass: interrupted after "));
    assert_non_null(
        strstr(said, "  sm 0 slot 1 block (0,0) warp 1: ready, active ffffffff of ffffffff, stack 0, pc 0x"));
    assert_non_null(strstr(said, "kept.txt: warning: the trace is cut after "));
    check_cut("SIGINT");
}

/* A terminal shows within three seconds a line that is overwritten, and erased at the end. */
static void test_run_shows_life_on_a_terminal(void **state) {
    (void)state;
    if (!terminals_exist()) skip();
    char said[8192];
    size_t length = 0;
    int terminal;
    const pid_t process = start_loop(true, &terminal);
    struct pollfd from = {.fd = terminal, .events = POLLIN};
    while (length < sizeof said - 1 && poll(&from, 1, 3000) == 1) {
        const ssize_t got = read(terminal, said + length, sizeof said - 1 - length);
        if (got <= 0) break;
        length += (size_t)got;
        said[length] = '\0';
        if (strstr(said, " warp instructions, ") != NULL && strstr(said, " a second\033[K") != NULL) break;
    }
    assert_int_equal(said[0], '\r');
    const size_t shown = length;
    assert_int_equal(kill(process, SIGINT), 0);
    for (ssize_t got; (got = read(terminal, said + length, sizeof said - 1 - length)) > 0;) length += (size_t)got;
    said[length] = '\0';
    assert_int_equal(waitpid(process, NULL, 0), process);
    close(terminal);
    assert_non_null(strstr(said + shown, "\r\033[K"));
    assert_non_null(strstr(said + shown, "interrupted after "));
}

static void test_run_reports_undefined_reads(void **state) {
    (void)state;
    scratch_write("undefined.sass", ".block 32\n.reg 8\nIADD R1, R0, R5\nRET\n");
    check("$D/undefined.sass", 0, "err", "undefined.sass:3:1: warning: R5 is read but never written");
    check("$D/undefined.sass --strict", 1, "err", "error: R5 is read before it is written");
    scratch_write("often.sass", ".block 32\n.reg 8\n.rept 9000\nMOV R1, R5\nMOV R1, R6\n.endr\nRET\n"); /* two causes */
    char said[4096], *second;
    assert_int_equal(run("$D/often.sass --strict"), 1);
    scratch_read("err", said, sizeof said);
    assert_non_null(second = strstr(said, ": error: R5 is read before"));
    assert_null(strstr(second + 1, ": error: R5 is read before"));
    assert_non_null(strstr(said, ": error: R6 is read before"));
    assert_non_null(strstr(said, "  and at 17998 more places, see --json\n"));
    check("$D/undefined.sass --strict --expect 0=01", 1, "out", "failed:");
    check("$D/undefined.sass --strict --json", 1, "out", "{\"status\":\"undefined\"");
    check("$D/undefined.sass --json", 0, "out", "\"undefined\":[{\"pc\":0,\"what\":\"R5\"}]");
}

/* If the assembler has warned of a register, the run does not; it does warn of reads that only the run reveals. */
static void test_run_warns_once_of_one_cause(void **state) {
    (void)state;
    char said[4096];
    scratch_write("halves.sass", ".block 32\n.reg 8\nMOV.U16 R1L, R2L\nIADD R3, R0, R4\nMOV R3, R4\nRET\n");
    assert_int_equal(run("$D/halves.sass"), 0);
    scratch_read("err", said, sizeof said);
    assert_non_null(strstr(said, "warning: R2L is read but never written"));
    assert_non_null(strstr(said, "warning: R4 is read but never written"));
    assert_null(strstr(said, "is read before it is written"));
    scratch_write("some.sass", ".block 32\n.reg 64\n.shared 64\nI2I.U32.U16.C0 R1, R0L\nMOV R40 (C0.NE), R0\n"
                               "MOV R2, R40\nMOV R3, R4\nRET\n");
    assert_int_equal(run("$D/some.sass"), 0);
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
    assert_int_equal(run("$D/right.sass --check-races --json"), 0);
    scratch_read("out", out, sizeof out);
    assert_non_null(strstr(out, "\"races\":[]"));
    scratch_read("err", out, sizeof out);
    assert_string_equal(out, "");

    /* Lane n of warp 1 stores word 32 + n before warp 0 reads it, in lane 31 - n; likewise for the words of warp 0. */
    scratch_write("wrong.sass", REVERSE("NOP"));
    assert_int_equal(run("$D/wrong.sass --strict"), 0);
    assert_int_equal(run("$D/wrong.sass --check-races"), 1);
    scratch_read("err", out, sizeof out);
    assert_non_null(strstr(out, "wrong.sass: race: two unordered accesses, 64 times, first at shared 0x10c\n"));
    assert_non_null(strstr(out, "  store by block (0,0) warp 1 lane 31, pc 0x10: R2G.U32.U32 g [A1+0x4], R1 ("));
    assert_non_null(strstr(out, "wrong.sass:7)\n  load by block (0,0) warp 0 lane 0, pc 0x38: MOV R3, g [A2+0x4] ("));
    assert_non_null(strstr(out, "wrong.sass:12)\n"));
    assert_non_null(strstr(out, "wrong.sass: 1 pair of instructions races, 64 times\n"));
    scratch_read("out", out, sizeof out);
    assert_non_null(strstr(out, "wrong.sass: race: "));

    json_error_t error;
    assert_int_equal(run("$D/wrong.sass --check-races --json"), 1);
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
    assert_int_equal(run("$D/wrong.sass --json"), 0);
    scratch_read("out", out, sizeof out);
    assert_null(strstr(out, "races"));
}

static void test_run_reports_races_of_lanes(void **state) {
    (void)state;
    char err[4096];
    scratch_write("lanes.sass", ".kernel k\n.block 32\n.shared 64\nR2G.U32.U32 g [0x8], R0\nRET\n");
    assert_int_equal(run("$D/lanes.sass --check-races"), 1);
    scratch_read("err", err, sizeof err);
    assert_non_null(strstr(err, "race: lanes of one store leave different values, 31 times, first at shared 0x20\n"));
}

static void test_run_refuses_bad_input(void **state) {
    (void)state;
    scratch_write("store.sass", STORE);
    check("", 2, "err", "warp-run: error: no kernel given");
    check("$D/absent.sass", 2, "err", "absent.sass");
    check("$D/store.sass --frob", 2, "err", "unknown option '--frob', see --help\n");
    check("$D/store.sass --blok 3", 2, "err", "unknown option '--blok', see --help; did you mean '--block'?");
    check("$D/store.sass -json", 2, "err", "unknown option '-json', see --help; did you mean '--json'?");
    check("$D/store.sass -cores", 2, "err", "unknown option '-cores', see --help; options begin with --");
    check("$D/store.sass --global 0=1,2", 2, "err", "'1,2': expected hex bytes, as they lie in memory: 01000000");
    check("$D/store.sass --arch sm_20", 2, "err", "--arch 'sm_20'");
    check("$D/store.sass --block 2000", 2, "err", "threads in a block 2000, an sm has 1024");
    check("$D/store.sass --trace $D/t.xml", 2, "err", "a trace is .txt, .json or .kanata");
    assert_false(file_exists("t.xml"));
    check("$D/store.sass --trace .txt", 2, "err", "a trace is .txt, .json or .kanata");
    check("$D/store.sass --dump 0:4=/nonexistent/x --dump 0:4=$D/raw", 2, "err", "/nonexistent/x");
    check("--help", 0, "out", "--max-cycles");
    check("--version", 0, "out", "warp-run (Warpstep) ");
}

/* A truncated listing, and a branch too far. */
static void test_run_says_where_the_code_ends(void **state) {
    (void)state;
    scratch_write("cut.txt", "\t\tFunction : f\n\t/*0000*/     /*0x30020005c4100780*/ \tSHL R1, R0, 0x2;\n");
    check("$D/cut.txt", 3, "err",
          "  the code ends at 0x8; the instruction before neither ends the warp (RET, .end) nor branches\n");
    check("kernels/traps/fetch-beyond.sass", 3, "err", "  the code ends at 0x30\n");
}

/* Global memory of another size: accesses beyond the default size, and accesses no longer inside. */
static void test_run_chooses_global_memory(void **state) {
    (void)state;
    scratch_write("far.sass", ".block 1\nMVI R1, 0x100000\nMVI R2, 0x7\nGST.U32 global14 [R1], R2\nRET\n");
    check("$D/far.sass", 3, "err", "4 bytes at 0x100000, global memory ends at 0x40000");
    check("$D/far.sass --global-bytes 0x200000 --expect 0x100000=07000000", 0, "out", "pass");
    check("$D/far.sass --global-bytes 4096", 3, "err", "global memory ends at 0x1000");
    check("$D/far.sass --global-bytes 5000", 2, "err", "--global-bytes '5000': expected a power of two");
    check("$D/far.sass --global-bytes 2048", 2, "err",
          "--global-bytes '2048': expected a number from 4096 to 268435456");
    check("$D/far.sass --global-bytes", 2, "err", "--global-bytes '': expected a number");
}

/* A wide access register by register, word by word. */
static void test_run_traces_wide_accesses(void **state) {
    (void)state;
    char text[8192];
    scratch_write("wide.sass", ".kernel wide\n.block 1\n.reg 8\n.global 0 = 0x11, 0x22, 0x33, 0x44\n"
                               "        GLD.S128 R4, global14 [R124]\n"
                               "        GST.S64 global14 [R124], R6\n"
                               "        RET\n");
    assert_int_equal(run("$D/wide.sass --trace $D/wide.txt"), 0);
    scratch_read("wide.txt", text, sizeof text);
    assert_non_null(strstr(text, " R4=00000011 R5=00000022 R6=00000033 R7=00000044 gld16 addr=00000000 next="));
    assert_non_null(strstr(text, " gst8 addr=00000000 data=00000033 data+4=00000044 next="));
}

static void test_run_traces_narrow_accesses(void **state) {
    (void)state;
    char text[8192];
    scratch_write("narrow.sass", ".kernel narrow\n.block 1\n.reg 8\n.local 4\n.global 0 = 0x11223344\n"
                                 "        MVI R2, 0x55667788\n"
                                 "        MOV.U16 R4H, R2L\n"
                                 "        GST.U8 global14 [R124], R2\n"
                                 "        GST.U16 global14 [R124], R2\n"
                                 "        ADA A1, A0, 0x2\n"
                                 "        LST.U8 local [A1+0x1], R2\n"
                                 "        LLD.U8 R5, local [A1+0x1]\n"
                                 "        RET\n");
    assert_int_equal(run("$D/narrow.sass --trace $D/narrow.txt"), 0);
    scratch_read("narrow.txt", text, sizeof text);
    assert_non_null(strstr(text, " R4H=7788 next="));
    assert_non_null(strstr(text, " gst1 addr=00000000 data=88 next="));
    assert_non_null(strstr(text, " gst2 addr=00000000 data=7788 next="));
    assert_non_null(strstr(text, " A1=0002 next="));
    assert_non_null(strstr(text, " lst1 addr=00000003 data=88 next="));
    assert_non_null(strstr(text, " R5=00000088 lld1 addr=00000003 next="));
}

static void test_run_says_when_output_is_lost(void **state) {
    (void)state;
    static const char *const LOST[] = {"", "--json", "--dump 0:65536", "--dump 0:16", "--expect 0=01", "--help"};
    char arguments[128], content[8192];
    scratch_write("store.sass", STORE);
    for (size_t i = 0; i < sizeof LOST / sizeof LOST[0]; i++) {
        snprintf(arguments, sizeof arguments, "$D/store.sass %s", LOST[i]);
        assert_int_equal(run_full(arguments), 2);
        scratch_read("err", content, sizeof content);
        assert_non_null(strstr(content, "standard output: error: cannot write: No space left on device"));
    }
    char link[128];
    snprintf(link, sizeof link, "%s/full.txt", scratch);
    assert_int_equal(symlink("/dev/full", link), 0);
    check("$D/store.sass --trace $D/full.txt", 2, "err", "full.txt: error: cannot write: No space left on device");
    check("$D/store.sass --dump 0:65536=$D/full.txt", 2, "err", "full.txt: error: ");
}

/* A kernel that would run for ever does not begin. */
static void test_run_checks_its_output_files_first(void **state) {
    (void)state;
    char content[8192];
    scratch_write("count.sass", "MVI R1, 0\nagain: IADD32I R1, R1, 1\nBRA again\n");
    check("$D/count.sass --max-cycles 100000000000 --dump 0:4=$D/none/x.bin", 2, "err",
          "none/x.bin: error: cannot write: No such file or directory");
    check("$D/count.sass --max-cycles 100000000000 --dump 0:4=$D", 2, "err", "error: cannot write: Is a directory");
    check("$D/count.sass --max-cycles 300 --dump 0:4=$D/x.bin", 3, "err", "hang");
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
    check("$D/copy.ptx --block 64 --arg zero:256 --arg zero:256 --arg 0 --strict", 0, "out", "pass");
    check("$D/copy.ptx --block 64 --arg zero:256 --arg zero:256 --arg 3", 0, "out", "pass");
    check("$D/copy.ptx --block 64 --arg zero:256 --arg zero:256 --arg 3 --strict", 1, "err",
          "copy.ptx: error: store outside all buffers: 4 bytes at 0x400, right behind --arg 1 (0x300 to 0x3ff), first "
          "in block (0,0) warp 1 lane 29, 3 times\n  pc 0x");
    check("$D/copy.ptx --block 64 --arg zero:256 --arg zero:256 --arg 3 --strict", 1, "out", "out of bounds: ");
    check("$D/copy.ptx --block 32 --arg zero:256 --arg zero:256 --arg 0xfffffff0 --strict", 1, "err",
          "4 bytes at 0x2c0, 64 bytes before --arg 1 (0x300 to 0x3ff), first in block (0,0) warp 0 lane 0, 16 times\n");
    check("$D/copy.ptx --block 32 --arg zero:256 --arg zero:100 --arg 0 --strict", 1, "err",
          "error: load outside all buffers: 4 bytes at 0x564, right behind --arg 2 (0x500 to 0x563)");
    check("$D/copy.ptx --block 32 --arg zero:256 --arg zero:102 --arg 0 --strict", 1, "err",
          "error: load outside all buffers: 4 bytes at 0x564, across the end of --arg 2 (0x500 to 0x565)");
    /* without buffers nothing is known */
    check("$D/copy.ptx --block 64 --param 256,1024,3 --strict", 0, "out", "pass");
}

static void test_run_says_which_block_it_takes(void **state) {
    (void)state;
    char content[8192];
    scratch_write("copy.ptx", COPY);
    check("$D/copy.ptx --arg zero:256 --arg zero:256 --arg 0", 0, "err",
          "copy.ptx: note: no --block and no --grid: one block of one thread\n");
    check("$D/copy.ptx --grid 2 --arg zero:256 --arg zero:256 --arg 0", 0, "err", "copy.ptx: note: no --block: one ");
    assert_int_equal(run("$D/copy.ptx -w --arg zero:256 --arg zero:256 --arg 0"), 0);
    scratch_read("err", content, sizeof content);
    assert_string_equal(content, "");
    assert_int_equal(run("$D/copy.ptx --block 1 --arg zero:256 --arg zero:256 --arg 0"), 0);
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
        assert_int_equal(run("$D/messages.sass"), sources[i].code);
        scratch_read("as", assembler, sizeof assembler);
        scratch_read("err", here, sizeof here);
        assert_non_null(strstr(assembler, i == 0 ? ": error: " : "[-Wdivergent-branch]"));
        assert_string_equal(here, assembler);
    }
    scratch_write("messages.sass", sources[0].text);
    check("$D/messages.sass", 2, "err", "messages.sass:2:5: error: unknown instruction 'FOO'");
    check("$D/messages.sass", 2, "err", "messages.sass:3:15: error: ");
    check("$D/messages.sass", 2, "err", "messages.sass:4:1: error: unknown directive '.nothing'");
    scratch_write("messages.sass", sources[1].text);
    assert_int_equal(run("$D/messages.sass -w"), 0);
    scratch_read("err", here, sizeof here);
    assert_string_equal(here, "");
    /* decisions of the launch are not the assembler's */
    scratch_write("messages.sass",
                  ".block 32\n.reg 2\n    MVI R1, 0x0\n    MVI R3, 0x0\n    GRED.IADD.U32 global14 [R1], R3\n RET\n");
    assert_int_equal(run("$D/messages.sass --reg 4 --arch sm_11"), 0);
    scratch_read("err", here, sizeof here);
    assert_string_equal(here, "");
}

static void test_run_writes_traces(void **state) {
    (void)state;
    char content[16384];
    scratch_write("store.sass", STORE);
    scratch_write("st\xc3\xb6re.sass", STORE);
    assert_int_equal(run("$D/store.sass --trace $D/t.txt"), 0);
    scratch_read("t.txt", content, sizeof content);
    assert_non_null(strstr(content, "0 sm0 slot0 block(0,0) warp0 000000: I2I.U32.U16 R1, R0L | active=ffffffff "
                                    "exec=ffffffff word=a0000005,04000780 R1=00000000,00000001"));
    assert_non_null(strstr(content, " gst4 addr=00000100,00000104,"));
    assert_non_null(strstr(content, "finished"));

    /* after a trap, too */
    assert_int_equal(run("kernels/traps/global-range.sass --trace $D/trap.txt"), 3);
    scratch_read("trap.txt", content, sizeof content);
    assert_non_null(strstr(content,
                           " trap: global memory access out of range: lane 30 of lanes c0000000: 4 bytes at 0x40000, "
                           "global memory ends at 0x40000; R1 0x0000001e, R2 0x00040000\n"));
    assert_int_equal(run("kernels/traps/global-range.sass --trace $D/trap.json"), 3);
    scratch_read("trap.json", content, sizeof content);
    assert_non_null(strstr(content, ",\"trap\":\"global memory access out of range: lane 30 "));
    assert_int_equal(run("kernels/traps/global-range.sass --trace $D/trap.kanata"), 3);
    scratch_read("trap.kanata", content, sizeof content);
    assert_non_null(strstr(content, "GST.U32 global14 [R2], R1, trap: global memory access out of range: lane 30 "));

    assert_int_equal(run("$D/st\xc3\xb6re.sass --trace $D/t.json"), 0);
    char path[64];
    snprintf(path, sizeof path, "%s/t.json", scratch);
    json_t *root = json_load_file(path, 0, NULL);
    assert_non_null(root);
    const json_t *events = json_object_get(root, "traceEvents");
    const json_t *event, *first = NULL;
    size_t i, instructions = 0;
    json_array_foreach(events, i, event) {
        const json_t *args = json_object_get(event, "args");
        if (json_object_get(args, "pc") != NULL && instructions++ == 0) first = args;
    }
    assert_int_equal(instructions, 6);
    assert_non_null(strstr(json_string_value(json_object_get(first, "source")), "/st\xc3\xb6re.sass"));
    json_decref(root);

    assert_int_equal(run("$D/store.sass --trace $D/t.kanata"), 0);
    scratch_read("t.kanata", content, sizeof content);
    assert_non_null(strstr(content, "Kanata\t0004\nC=\t0\nI\t0\t0\t0\nL\t0\t0\tsm0 warp 0"));
    assert_non_null(strstr(content, "R\t5\t5\t0\n"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_run_compares_and_dumps),
        cmocka_unit_test(test_run_prints_json),
        cmocka_unit_test(test_run_reports_traps),
        cmocka_unit_test(test_run_prints_the_assemblers_messages),
        cmocka_unit_test(test_run_reports_hangs),
        cmocka_unit_test(test_run_can_be_interrupted),
        cmocka_unit_test(test_run_ends_well_by_any_signal),
        cmocka_unit_test(test_run_limits_a_trace),
        cmocka_unit_test(test_run_takes_options_in_all_forms),
        cmocka_unit_test(test_run_shows_life_on_a_terminal),
        cmocka_unit_test(test_run_reports_undefined_reads),
        cmocka_unit_test(test_run_warns_once_of_one_cause),
        cmocka_unit_test(test_run_reports_races),
        cmocka_unit_test(test_run_reports_races_of_lanes),
        cmocka_unit_test(test_run_refuses_bad_input),
        cmocka_unit_test(test_run_says_where_the_code_ends),
        cmocka_unit_test(test_run_chooses_global_memory),
        cmocka_unit_test(test_run_traces_wide_accesses),
        cmocka_unit_test(test_run_traces_narrow_accesses),
        cmocka_unit_test(test_run_says_when_output_is_lost),
        cmocka_unit_test(test_run_checks_its_output_files_first),
        cmocka_unit_test(test_run_is_strict_about_bounds),
        cmocka_unit_test(test_run_says_which_block_it_takes),
        cmocka_unit_test(test_run_writes_traces),
        cmocka_unit_test(test_run_leaves_units_out),
        cmocka_unit_test(test_run_takes_the_size_of_memory),
        cmocka_unit_test(test_run_warns_of_missing_registers),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
