/* SPDX-License-Identifier: Apache-2.0 */
/* warp-load as its users see it: exit codes, messages, JSON, dumps; and kernels that the RTL in Verilator executes. */
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "../../assembler/isa/isa.h"
#include "../../cmodel/test/fixture.h"
#include "../../cmodel/test/scratch.h"
#include "../../cmodel/test/terminal.h"
#include "fake_board.h"

static int make_scratch(void **state) {
    return setenv("WARPSTEP_SIM_DIR", "build/sim", 1) != 0 || scratch_make(state) != 0;
}

/* Runs the tool, with long time-outs, on a board with these options, or without a port if they are NULL: returns its
 * exit code. $D is a directory in which "out" and "err" have its output. */
static int run(const struct fake_options *options, const char *arguments) {
    char command[1024];
    struct fake_board *board = options != NULL ? fake_board_start(options) : NULL;
    snprintf(command, sizeof command, "D=%s; WARPSTEP_PORT=%s build/bin/warp-load --timeout 20000 %s >$D/out 2>$D/err",
             scratch, board != NULL ? fake_board_port(board) : "", arguments);
    const int status = system(command);
    assert_true(WIFEXITED(status));
    if (board != NULL) fake_board_stop(board);
    return WEXITSTATUS(status);
}

static const struct fake_options MODEL = {.sim = NULL}, RTL = {.sim = "verilator"};
static const struct fake_options ANY, *const SAME = &ANY; /* checks the output of the last run */

static void check(const struct fake_options *options, const char *arguments, int code, const char *file,
                  const char *text) {
    static char content[32768];
    const int actual = options == SAME ? code : run(options, arguments);
    scratch_read(file, content, sizeof content);
    if (actual != code || strstr(content, text) == NULL)
        fail_msg("warp-load %s: exit %d, '%s'; expected %d, '%s'", arguments, actual, content, code, text);
}

static void test_load_identifies_the_board(void **state) {
    (void)state;
    if (!terminals_exist()) skip();
    check(&MODEL, "identify", 0, "out", "board     fake\n");
    check(&MODEL, "identify", 0, "out", "clock     25.00 MHz, up to 31.25 MHz as routed: timing met\n");
    check(&MODEL, "identify", 0, "out", "built     from commit 12345678\n");
    check(&MODEL, "identify --json", 0, "out", "\"cores\":8,\"warps\":32,\"blocks\":8,");
}

static void test_load_runs_kernels(void **state) {
    (void)state;
    if (!terminals_exist()) skip();
    check(&RTL, "run kernels/apps/vecadd.sass", 0, "out", "vecadd.sass: pass: 42 warp instructions, 608 thread");
    check(&RTL, "run kernels/apps/vecadd.sass --dump 0x300:8", 0, "out", "00000300:  63 60 0c 00  03 92 08 0c");
    check(&RTL, "run kernels/apps/vecadd.sass --expect 0x300=00", 1, "err", "0x00000300: expected 00");
    check(&RTL, "run kernels/traps/global-range.sass", 3, "err", "trap: global memory access out of range");
    check(&MODEL, "run kernels/traps/global-range.sass --json", 3, "out", "\"trap\":{\"code\":9,");
    check(&MODEL, "run kernels/apps/vecadd.sass --repeat 3", 0, "out", ", 3 times\n");
    scratch_write("k.ptx", ".version 3.2\n.target sm_20\n.global .u32 last;\n.const .u32 step = 3;\n"
                           ".entry k(.param .u32 .ptr .global .align 4 y, .param .u32 n) {\n.reg .u32 %r<6>;\n"
                           "ld.param.u32 %r1, [y];\nld.param.u32 %r2, [n];\nmov.u32 %r3, %tid.x;\n"
                           "ld.const.u32 %r4, [step];\nmad.lo.u32 %r2, %r3, %r4, %r2;\nshl.b32 %r3, %r3, 2;\n"
                           "add.u32 %r1, %r1, %r3;\nst.global.u32 [%r1], %r2;\nst.global.u32 [last], %r4;\nret;\n}\n");
    static const char *const BOTH[] = {"", " --global step=5"};
    static const char *const WORDS[] = {"64 00 00 00  67 00 00 00  6a 00 00 00",
                                        "64 00 00 00  69 00 00 00  6e 00 00 00"};
    for (size_t i = 0; i < 2; i++) {
        char line[160];
        snprintf(line, sizeof line,
                 "run $D/k.ptx --block 3 --arg zero:12,out=$D/y --arg 100 --dump last --dump 0x200:12%s", BOTH[i]);
        check(i == 0 ? &RTL : &MODEL, line, 0, "out", WORDS[i]);
        check(SAME, "", 0, "out", i == 0 ? "00000100:  03" : "00000100:  05");
        check(SAME, "", 0, "y", "d");
    }
    check(&MODEL, "run $D/k.ptx --block 3 --arg zero:12", 2, "err", "1 argument is given");
    /* memory of a launch is gone in the next one */
    check(&MODEL, "run kernels/apps/vecadd.sass --param 0x100,0x200,0x400,40 --repeat 2", 1, "err",
          "0x00000300: expected");
}

static void test_load_prints_json(void **state) {
    char content[4096];
    (void)state;
    if (!terminals_exist()) skip();
    assert_int_equal(run(&RTL, "run kernels/apps/vecadd.sass --json"), 0);
    scratch_read("out", content, sizeof content);
    json_t *root = json_loads(content, 0, NULL);
    assert_non_null(root);
    assert_string_equal(json_string_value(json_object_get(root, "status")), "pass");
    assert_string_equal(json_string_value(json_object_get(root, "board")), "fake");
    assert_string_equal(json_string_value(json_object_get(root, "kernel")), "vecadd");
    assert_int_equal(json_integer_value(json_object_get(root, "warp_instructions")), 42);
    json_int_t total = 0;
    const char *key;
    json_t *value;
    json_object_foreach(json_object_get(root, "stalls"), key, value) total += json_integer_value(value);
    assert_int_equal(total, json_integer_value(json_object_get(root, "cycles")));
    json_decref(root);
}

static void test_load_reports_a_hang(void **state) {
    (void)state;
    if (!terminals_exist()) skip();
    scratch_write("loop.sass", ".block 32\nagain: BRA again\nRET\n");
    check(&MODEL, "run $D/loop.sass --max-cycles 100000", 3, "err", "hang: not finished after 100000 cycles");
    check(&MODEL, "run $D/loop.sass --max-cycles 100000", 3, "out", "loop.sass: hang: ");
}

static void test_load_refuses_what_cannot_be_relied_on(void **state) {
    const struct fake_options misses = {.misses_timing = true};
    const struct fake_options small = {.global_bytes = 512};
    (void)state;
    if (!terminals_exist()) skip();
    check(&misses, "run kernels/apps/vecadd.sass", 2, "err", "timing was not met: the clock is 25.00 MHz");
    check(&misses, "selftest", 2, "err", "timing was not met");
    check(&misses, "run kernels/apps/vecadd.sass --force", 0, "err", "warning: timing was not met");
    check(&misses, "identify", 0, "out", "timing NOT met");
    check(&small, "run kernels/apps/vecadd.sass", 2, "err",
          "vecadd.sass: error: launch does not fit: initial global memory up to 544, global memory ends at 512");
}

/* 0x9e3779b1, the first word of the pattern, has bit 2 clear. */
static void test_load_sets_up_sdram(void **state) {
    const struct fake_options sdr = {.memory = BOARD_MEMORY_sdr}, ddr3 = {.memory = BOARD_MEMORY_ddr3};
    const struct fake_options stuck = {.memory = BOARD_MEMORY_sdr, .sdram_stuck = 4};
    const struct fake_options untimed = {.memory = BOARD_MEMORY_ddr3, .sdram_stuck = 0x400};
    (void)state;
    if (!terminals_exist()) skip();
    check(&MODEL, "identify", 0, "out", " 262144 global, in block RAM\n");
    check(&sdr, "identify", 0, "out", " 262144 global, in SDRAM, which the next run sets up\n");
    check(&ddr3, "identify --json", 0, "out", ",\"memory\":\"ddr3\",");
    check(&sdr, "run kernels/apps/vecadd.sass --repeat 2", 0, "out", "vecadd.sass: pass: ");
    check(&ddr3, "run kernels/apps/vecadd.sass", 0, "out", "vecadd.sass: pass: ");
    check(&stuck, "run kernels/apps/vecadd.sass", 2, "err",
          "SDRAM does not hold its contents: 0x9e3779b5 at 0x00000000, not 0x9e3779b1");
    check(&untimed, "run kernels/apps/vecadd.sass", 2, "err",
          "DDR3 SDRAM does not hold its contents: byte 1 of its data bus is wrong at all delays");
}

static void test_load_peeks_and_pokes(void **state) {
    (void)state;
    if (!terminals_exist()) skip();
    check(&MODEL, "peek 0", 0, "out", "00000000: 57415250\n");
    check(&MODEL, "peek 0x40000010 2", 0, "out", "40000010: a5a5a5a5 a5a5a5a5\n");
    check(&MODEL, "poke 0x40000010 1 0xffffffff", 0, "out", "");
    check(&MODEL, "peek 2", 2, "err", "the address of a word is a multiple of 4");
    check(&MODEL, "poke 0 x", 2, "err", "'x': expected a number");
}

static void test_load_runs_the_selftest(void **state) {
    char here[128];
    (void)state;
    if (!terminals_exist()) skip();
    char command[512];
    snprintf(command, sizeof command,
             "cd %s && mkdir self none && cp %s/kernels/apps/vecadd.sass self/1.sass && sed 's/0x000c6063/0x000c6064/' "
             "self/1.sass > self/2.sass && sed 's/[.]block 16/.block 16\\n.shared 20000/' self/1.sass > self/3.sass",
             scratch, getcwd(here, sizeof here));
    assert_int_equal(system(command), 0);
    check(&MODEL, "selftest --kernels $D/none", 2, "err", "no kernel (.sass) that this board can run");
    check(&RTL, "selftest --kernels $D/self", 1, "out", "1.sass                       pass   ");
    check(&MODEL, "selftest --kernels $D/self", 1, "out",
          "cycles\n0x00000300: expected 64 60 0c 00, found 63 60 0c 00\n");
    check(&MODEL, "selftest --kernels $D/self", 1, "out",
          "3.sass                       skip    launch does not fit: shared bytes 20000, an sm has 16384\n"
          "1 passed, 1 failed, 1 skipped\n");
}

/* Each bring-up kernel that its board can run passes; a wrong core is named, with step and bit. */
static void test_load_runs_the_bringup_kernels(void **state) {
    const struct fake_options small = {.registers = 8192, .global_bytes = 65536, .no_float = true};
    const struct fake_options stuck = {
        .global_bytes = 65536, .stuck = {.op = OP_IMIN, .core = 3, .bits = 0x100000}
    };
    (void)state;
    if (!terminals_exist()) skip();
    check(&MODEL, "selftest", 0, "out", "89 passed, 0 failed, 0 skipped\n");
    check(SAME, "selftest", 0, "out", "launch registers             pass\n");
    check(&small, "selftest", 0, "out", "19-special.sass              skip    this board has no sfu\n");
    check(SAME, "selftest", 0, "out", "86 passed, 0 failed, 3 skipped\n");
    check(&stuck, "selftest", 1, "out",
          "  alu, step 8 (minimum and maximum): lanes 3 11 19 27, cores 3, warps 0 to 3, bits 00100000\n"
          "  alu, step 9 (sums of differences): lanes 3 11 19, cores 3, warps ");
    check(SAME, "selftest", 1, "out", "87 passed, 2 failed, 0 skipped\n"); /* and 20-application */
}

/* Besides memory: a kernel that must trap and does not, counters of instructions, the host's read-back. */
static void test_load_judges_how_a_kernel_ends(void **state) {
    const struct fake_options deaf = {.code_stuck = 1}, idle = {.no_traps = true}, miscounts = {.miscounts = true};
    const struct fake_options flat = {.launch_stuck = 0x8000};
    (void)state;
    if (!terminals_exist()) skip();
    check(&flat, "selftest", 1, "out",
          "launch registers             FAIL\n  the host's write does not read back at 0x00000080");
    check(&idle, "selftest --kernels kernels/traps", 1, "out", "  must trap: breakpoint, at pc 0x18\n");
    check(&miscounts, "selftest --kernels kernels/bringup", 1, "out", " warp instructions, not ");
    scratch_write("good", "20-application.sass pass 7393 cycles\n02-patterns.sass pass 457 cycles\n");
    check(&MODEL, "selftest --kernels kernels/bringup --cycles $D/good", 1, "out",
          "02-patterns.sass             FAIL          458 cycles\n  takes 458 cycles, not 457\n");
    check(SAME, "selftest --kernels kernels/bringup --cycles $D/good", 1, "out", "19 passed, 1 failed, 0 skipped\n");
    check(&MODEL, "selftest --cycles $D/none", 2, "err", "none: error: ");
    check(&deaf, "selftest --kernels kernels/bringup", 1, "out", "  the host's write does not read back at 0x1000");
}

static void test_load_checks_against_the_model(void **state) {
    const struct fake_options stuck = {
        .stuck = {.op = OP_GLD, .core = 3, .bits = 0x40}
    };
    (void)state;
    if (!terminals_exist()) skip();
    check(&MODEL, "run kernels/apps/vecadd.sass --check", 0, "out",
          "vecadd.sass: check: 42 warp instructions as in the model\n");
    check(&MODEL, "run kernels/apps/vecadd.sass --check --json", 2, "err", "--check cannot be combined with --json");
    check(&stuck, "run --check kernels/apps/vecadd.sass", 1, "out",
          "    dst R2 lane 11    0x591c9737              0x591c9777              0x00000040\n");
}

/* Etherbone: losses of the network only cost time. */
static void test_load_uses_datagrams(void **state) {
    const struct fake_fault faults[] = {
        {FAULT_DROP,   false, 1,  0, 0 },
        {FAULT_DROP,   true,  4,  0, 0 },
        {FAULT_TWICE,  false, 7,  0, 0 },
        {FAULT_EXTRA,  false, 9,  3, 0 },
        {FAULT_DROP,   true,  12, 0, 0 },
        {FAULT_CHANGE, false, 14, 1, 13},
    };
    const struct fake_fault unplug = {.kind = FAULT_UNPLUG, .at = 20};
    const struct fake_options right = {.datagrams = true}, dead = {.datagrams = true, .dead = true};
    const struct fake_options lossy = {.datagrams = true, .faults = faults, .fault_count = 6};
    const struct fake_options leaves = {.datagrams = true, .faults = &unplug, .fault_count = 1};
    (void)state;
    check(&right, "identify", 0, "out", "board     fake\n");
    check(&right, "run kernels/apps/vecadd.sass --dump 0x300:8", 0, "out", "00000300:  63 60 0c 00  03 92 08 0c");
    check(&lossy, "--timeout 2000 run kernels/apps/vecadd.sass", 0, "out", "vecadd.sass: pass: ");
    check(&dead, "--timeout 20 identify", 2, "err", "no answer: there is no board, or it has another baud rate, a");
    check(&leaves, "--timeout 2000 run kernels/apps/vecadd.sass", 2, "err", "no answer: ");
    check(NULL, "--port udp:127.0.0.2 identify", 2, "err", "expected udp:HOST:PORT");
    check(NULL, "--port udp:127.0.0.2:9 --timeout 20 identify", 2, "err", "no answer: ");
}

/* A port without a board: echoes its input, or sends a byte every quarter of a second; until killed. */
static pid_t start_stranger(bool echoes, char port[64]) {
    uint8_t bytes[256] = {0x55};
    const int file = posix_openpt(O_RDWR | O_NOCTTY);
    struct termios t;
    assert_true(file >= 0 && grantpt(file) == 0 && unlockpt(file) == 0 && tcgetattr(file, &t) == 0);
    cfmakeraw(&t);
    assert_int_equal(tcsetattr(file, TCSANOW, &t), 0);
    snprintf(port, 64, "%s", ptsname(file));
    const int kept = open(port, O_RDWR | O_NOCTTY);
    assert_true(kept >= 0);
    const pid_t process = fork();
    if (process != 0) {
        close(file);
        close(kept);
        return process;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;) {
        const ssize_t count = echoes ? read(file, bytes, sizeof bytes) : 1;
        if (!echoes) usleep(250000);
        if (count > 0 && write(file, bytes, (size_t)count) != count) _exit(1);
    }
}

static void test_load_gives_up_on_what_is_no_board(void **state) {
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        char port[64], command[256], said[512];
        struct timespec before, after;
        const pid_t stranger = start_stranger(i == 0, port);
        snprintf(command, sizeof command, "build/bin/warp-load --port %s identify 2>%s/err", port, scratch);
        clock_gettime(CLOCK_MONOTONIC, &before);
        const int status = system(command);
        clock_gettime(CLOCK_MONOTONIC, &after);
        assert_int_equal(kill(stranger, SIGKILL), 0);
        waitpid(stranger, NULL, 0);
        assert_int_equal(WEXITSTATUS(status), 2);
        scratch_read("err", said, sizeof said);
        assert_non_null(strstr(said, "the answer is not a board's"));
        assert_in_range((after.tv_sec - before.tv_sec) * 1000 + (after.tv_nsec - before.tv_nsec) / 1000000, 0, 3000);
    }
}

/* Options in all their forms, and words that are negative. */
static void test_load_takes_options_in_all_forms(void **state) {
    (void)state;
    check(&MODEL, "--timeout=20000 -- poke 0x0 -1 -2147483648", 0, "out", "");
    check(&MODEL, "poke -- 0x0 -1", 0, "out", "");
    check(&MODEL, "poke 0x0 -2147483649", 2, "err", "'-2147483649': expected a number");
    check(&MODEL, "--force=1 identify", 2, "err", "--force takes no value");
    check(&MODEL, "run --grid=3 --param=0x100,0x200,0x300,64 -- kernels/apps/vecadd.sass", 0, "out", "pass: ");
    check(&MODEL, "run - --param 0x100,0x200,0x300,64 <kernels/apps/vecadd.sass", 0, "out", "-: pass: ");
}

static void test_load_names_bad_input(void **state) {
    (void)state;
    check(NULL, "identify", 2, "err", "warp-load: error: no port given");
    check(NULL, "fly", 2, "err", "no command 'fly'");
    check(NULL, "", 2, "err", "no command given");
    check(NULL, "run none.sass", 2, "err", "none.sass: error: cannot open");
    check(NULL, "identify --port $D/port", 2, "err", "No such file");
    check(NULL, "identify --port /dev/null", 2, "err", "no serial port");
    check(NULL, "identify --port tcp:nowhere", 2, "err", "expected tcp:HOST:PORT");
    check(NULL, "identify --timeout 0", 2, "err", "--timeout 0: expected a number from 1 to 60000");
    check(NULL, "--help", 0, "out", "usage: warp-load");
    check(NULL, "run --version", 0, "out", "warp-load (Warpstep) ");
}

static void test_load_says_what_is_wrong_with_a_line(void **state) {
    const struct fake_options dead = {.dead = true}, babbles = {.babbles = true}, other = {.other_design = true};
    (void)state;
    if (!terminals_exist()) skip();
    check(&MODEL, "identify --baud 1234", 2, "err", "not a rate of serial ports");
    check(&MODEL, "run kernels/apps/vecadd.sass --trace x.txt", 2, "err",
          "--trace and --strict do not work on a board");
    check(&dead, "identify --timeout 20", 2, "err", "no answer: there is no board");
    check(&babbles, "identify --timeout 20", 2, "err", "wrong port or wrong baud rate");
    check(&other, "identify", 2, "err", "it is another one");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_load_identifies_the_board),
        cmocka_unit_test(test_load_runs_kernels),
        cmocka_unit_test(test_load_prints_json),
        cmocka_unit_test(test_load_reports_a_hang),
        cmocka_unit_test(test_load_refuses_what_cannot_be_relied_on),
        cmocka_unit_test(test_load_sets_up_sdram),
        cmocka_unit_test(test_load_peeks_and_pokes),
        cmocka_unit_test(test_load_runs_the_selftest),
        cmocka_unit_test(test_load_runs_the_bringup_kernels),
        cmocka_unit_test(test_load_judges_how_a_kernel_ends),
        cmocka_unit_test(test_load_checks_against_the_model),
        cmocka_unit_test(test_load_uses_datagrams),
        cmocka_unit_test(test_load_gives_up_on_what_is_no_board),
        cmocka_unit_test(test_load_takes_options_in_all_forms),
        cmocka_unit_test(test_load_names_bad_input),
        cmocka_unit_test(test_load_says_what_is_wrong_with_a_line),
    };
    return cmocka_run_group_tests(tests, make_scratch, scratch_remove);
}
