/* SPDX-License-Identifier: Apache-2.0 */
/* warp-fuzz's command line: exit codes and messages; one kernel for each seed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

enum { TEXT = 1 << 17, ALLOCATIONS = 12 };

/* Runs the tool, with the output of both streams; returns its exit code. */
static int run_in(const char *environment, const char *arguments, char text[TEXT]) {
    char command[256];
    snprintf(command, sizeof command, "(%s build/bin/warp-fuzz %s) 2>&1", environment, arguments);
    FILE *tool = popen(command, "r");
    assert_non_null(tool);
    text[fread(text, 1, TEXT - 1, tool)] = 0;
    const int status = pclose(tool);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int run(const char *arguments, char text[TEXT]) { return run_in("", arguments, text); }

static void must_say(const char *arguments, int code, const char *message) {
    static char text[TEXT];
    const int actual = run(arguments, text);
    if (actual != code || strstr(text, message) == NULL)
        fail_msg("warp-fuzz %s: exit %d, '%.400s'; expected %d, '%s'", arguments, actual, text, code, message);
}

static void test_warp_fuzz_refuses_bad_usage(void **state) {
    static const struct {
        const char *arguments, *message;
    } rows[] = {
        {"--count 0",                    "error: --count '0': expected a number from 1 to 4294967295"   },
        {"--count ten",                  "error: --count 'ten': expected a number from 1"               },
        {"--count 5x",                   "error: --count '5x': expected"                                },
        {"--seed -1",                    "error: --seed '-1': expected a number from 0 to"              },
        {"--seed 99999999999999999999",  "error: --seed '99999999999999999999': expected"               },
        {"--time 0",                     "error: --time '0': expected a number from 1"                  },
        {"--jobs 65",                    "error: --jobs '65': expected a number from 1 to 64"           },
        {"--steps 6001",                 "error: --steps '6001': expected a number from 250 to 6000"    },
        {"--failures 0",                 "error: --failures '0': expected a number from 1"              },
        {"--cores 12",                   "error: --cores '12': expected 8, 16, 32 with commas between"  },
        {"--cores 8,",                   "error: --cores '8,': expected"                                },
        {"--sms 1,9",                    "error: --sms '1,9': expected 1 to 8 with commas between"      },
        {"--sms 1,1,1,1,1,1,1,1,1",      "expected 1 to 8 with commas between"                          },
        {"--shrink-time 0",              "error: --shrink-time '0': expected a number from 1 to 1000000"},
        {"--machine none.machine",       "none.machine: error: cannot open"                             },
        {"--machine README.md",          "README.md:3:1: error: unknown "                               },
        {"--wide 3",                     "error: --wide '3': expected 0 or a power of two up to 32"     },
        {"--dividers x",                 "error: --dividers 'x': expected 0 or a power of two up to 32" },
        {"--wide 8 --machine README.md", "error: --machine goes with neither --wide nor --dividers"     },
        {"--keep-going 0",               "error: --keep-going '0': expected a number from 1 to 1000"    },
        {"--waivers none.waive",         "none.waive: error: "                                          },
        {"--kind none",                  "error: --kind 'none': expected any, runs, trap or wild"       },
        {"--count",                      "option '--count' requires an argument"                        },
        {"--no-such-option",             "unrecognized option '--no-such-option'"                       },
        {"kernel.sass",                  "error: unexpected 'kernel.sass', see --help"                  },
        {"--sim nothing --count 1",      "error: no such simulation"                                    },
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) must_say(rows[i].arguments, 2, rows[i].message);
}

static void write_machine(const char *text) {
    FILE *out = fopen("build/test_warp_fuzz.machine", "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

/* A machine that no kernel fits is reported at once. */
static void test_warp_fuzz_keeps_to_a_declared_machine(void **state) {
    static char text[TEXT];
    (void)state;
    write_machine("lacks *");
    must_say("--machine build/test_warp_fuzz.machine", 2,
             "warp-fuzz: error: cannot run this: it needs RET, which the machine lacks\n");
    write_machine("registers 9");
    must_say("--machine build/test_warp_fuzz.machine", 2,
             "cannot run this: registers a thread 15 at least, the machine has 9\n");
    write_machine("shared 128");
    must_say("--machine build/test_warp_fuzz.machine", 2, "warp-fuzz: error: cannot run this: shared bytes ");
    write_machine("no_traps");
    must_say("--machine build/test_warp_fuzz.machine --kind trap", 2,
             "cannot run this: kernels that trap, on a machine without traps\n");
    write_machine("registers 18\nlacks R2C S2R\nwhole_warps\nlocal 0\n");
    assert_int_equal(run("--machine build/test_warp_fuzz.machine --print --count 3", text), 0);
    assert_null(strstr(text, "R2C"));
    assert_null(strstr(text, ".local"));
    must_say("--machine build/test_warp_fuzz.machine --count 4 --sim build/checker/test/libcrooked.so", 0,
             "4 kernels, ");
    remove("build/test_warp_fuzz.machine");
}

static void test_warp_fuzz_helps(void **state) {
    (void)state;
    must_say("--help", 0, "usage: warp-fuzz [options]");
}

static void test_warp_fuzz_prints_the_kernel_of_a_seed(void **state) {
    static char first[TEXT], both[TEXT], again[TEXT];
    (void)state;
    assert_int_equal(run("--seed 41 --count 1 --print", first), 0);
    assert_int_equal(run("--seed 41 --count 2 --print", both), 0);
    assert_int_equal(run("--count 1 --print --seed 42", again), 0);
    assert_memory_equal(both, first, strlen(first));
    assert_string_equal(both + strlen(first), again);
    must_say("--seed 43 --count 1 --print --kind trap", 0, "// must trap with code ");
}

/* Any failing allocation: the kernel itself, its text, the reader of the text. A stream works without its buffer. */
static void test_warp_fuzz_says_which_kernel_it_cannot_make(void **state) {
    static char usual[TEXT], text[TEXT];
    int failures = 0;
    (void)state;
    assert_int_equal(run("--seed 43 --count 2 --print", usual), 0);
    for (int at = 1; at <= ALLOCATIONS; at++) {
        char no_memory[128];
        snprintf(no_memory, sizeof no_memory,
                 "FAIL_AT=%d LD_PRELOAD=build/testbench/robust/fail_alloc_preload.so 9>/dev/null", at);
        const int code = run_in(no_memory, "--seed 43 --count 2 --print", text);
        assert_in_range(code, 0, 1);
        assert_string_equal(text, code == 1 ? "warp-fuzz: error: seed 43: out of memory\n" : usual);
        failures += code;
    }
    assert_true(failures >= 4); /* of the kernel, the name, the text, the stream */
}

#define FAKE "--sim build/checker/test/libfake.so "

/* Kernel n runs on the machine of lockstep's tests with fault n + 1: 1 is a wrong lane, 254 is none. */
static void test_warp_fuzz_finds_a_fault(void **state) {
    (void)state;
    char directory[] = "/tmp/test_warp_fuzz.XXXXXX", command[256];
    assert_non_null(mkdtemp(directory));
    snprintf(command, sizeof command, FAKE "--seed 253 --count 1 --out %s", directory);
    must_say(command, 0, "1 kernels, ");
    snprintf(command, sizeof command, FAKE "--seed 0 --count 1 --no-shrink --out %s", directory);
    must_say(command, 1, "seed 0: mismatch: RTL and model differ in dst\n");
    snprintf(command, sizeof command, "rm -r %s", directory);
    assert_int_equal(system(command), 0);
}

/* Any signal: reports the progress and where to resume; an interrupted process is no failure. */
static void test_warp_fuzz_says_where_to_go_on(void **state) {
    static const struct {
        const char *name;
        int number;
    } SIGNALS[] = {
        {"INT",  2 },
        {"TERM", 15},
        {"HUP",  1 },
        {"QUIT", 3 }
    };
    static char text[TEXT];
    (void)state;
    for (size_t i = 0; i < sizeof SIGNALS / sizeof SIGNALS[0]; i++) {
        char environment[128];
        unsigned long long next, kernels, compared;
        unsigned failed;
        snprintf(environment, sizeof environment, "timeout --preserve-status -s %s 0.7", SIGNALS[i].name);
        const int code =
            run_in(environment, "--sim build/checker/test/libcrooked.so --seed 1000 --count 4000000", text);
        assert_int_equal(code, 128 + SIGNALS[i].number);
        const char *said = strstr(text, "interrupted by SIG");
        assert_non_null(said);
        assert_int_equal(strncmp(said + 18, SIGNALS[i].name, strlen(SIGNALS[i].name)), 0);
        assert_int_equal(sscanf(strstr(said, "--seed"),
                                "--seed %llu\n%llu kernels, %llu warp instructions compared, %u", &next, &kernels,
                                &compared, &failed),
                         4);
        assert_int_equal(next, 1000 + kernels);
        assert_int_equal(failed, 0);
    }
}

static void test_warp_fuzz_says_when_output_is_lost(void **state) {
    static const char lost[] = "standard output: error: cannot write: No space left on device\n";
    (void)state;
    must_say("--count 1 --print > /dev/full", 2, lost);
    must_say("--help > /dev/full", 2, lost);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_warp_fuzz_refuses_bad_usage),
        cmocka_unit_test(test_warp_fuzz_keeps_to_a_declared_machine),
        cmocka_unit_test(test_warp_fuzz_helps),
        cmocka_unit_test(test_warp_fuzz_prints_the_kernel_of_a_seed),
        cmocka_unit_test(test_warp_fuzz_says_which_kernel_it_cannot_make),
        cmocka_unit_test(test_warp_fuzz_finds_a_fault),
        cmocka_unit_test(test_warp_fuzz_says_where_to_go_on),
        cmocka_unit_test(test_warp_fuzz_says_when_output_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
