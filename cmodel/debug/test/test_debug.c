/* SPDX-License-Identifier: Apache-2.0 */
/* The prompt: values and places by name, and scripts on the model and in lockstep, with equal output. */
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../test/fixture.h"
#include "../../test/scratch.h"
#include "../../test/terminal.h"
#include "../place.h"
#include "../value.h"

/* Counts R2 to 3 in shared memory, by one; line 7 is pc 0x18. */
static const char KERNEL[] = ".kernel count\n.block 32\n.shared 64\n"
                             "    MVI R2, 0x0\n"             /* line 4, pc 00 */
                             "    MVI R5, 0x3\n"             /* 5, 08 */
                             "    MVC R4, c [0x1] [0x1]\n"   /* 6, 10 */
                             "again: IADD32I R2, R2, 0x1\n"  /* 7, 18 */
                             "    R2G.U32.U32 g [0x8], R2\n" /* 8, 20 */
                             "    IADD.C0 R3, R5, -R2\n"     /* 9, 28 */
                             "    BRA C0.NE, again\n\n"      /* 10, 30 */
                             "    RET\n"                     /* 12, 38 */
                             ".const 1:0x4 = 0x55667788\n";

static const char *read_file(const char *name) {
    static char content[1 << 16];
    scratch_read(name, content, sizeof content);
    return content;
}

static int make_kernel(void **state) {
    if (scratch_make(state) != 0) return 1;
    scratch_write("count.sass", KERNEL);
    return 0;
}

/* Runs a tool on the kernel with these commands; its output is in "out" and "err". */
static int run(const char *tool, const char *script) {
    char command[512];
    scratch_write("script", script);
    snprintf(command, sizeof command, "build/bin/%s %s/count.sass --debug-script %s/script > %s/out 2> %s/err", tool,
             scratch, scratch, scratch, scratch);
    const int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void must_say(const char *file, const char *text) {
    const char *said = read_file(file);
    if (strstr(said, text) == NULL) fail_msg("no '%s' in:\n%s", text, said);
}

/* ---------------------------------------------------------------------------- names */

static void test_debug_reads_values(void **state) {
    (void)state;
    static const struct {
        const char *text;
        enum value_kind kind;
        uint32_t number;
        unsigned bank;
        int lane;
    } GOOD[] = {
        {"R5",             VALUE_REGISTER, 5,     0,  -1},
        {"R127.31",        VALUE_REGISTER, 127,   0,  31},
        {"R5L",            VALUE_LOW,      5,     0,  -1},
        {"R5H.0",          VALUE_HIGH,     5,     0,  0 },
        {"A4",             VALUE_ADDRESS,  4,     0,  -1},
        {"C0.7",           VALUE_FLAGS,    0,     0,  7 },
        {"global[0x100]",  VALUE_GLOBAL,   0x100, 0,  -1},
        {"shared[16]",     VALUE_SHARED,   16,    0,  -1},
        {"local[0x8].3",   VALUE_LOCAL,    8,     0,  3 },
        {"const[14,0x20]", VALUE_CONST,    0x20,  14, -1},
    };
    static const char *const BAD[] = {
        "",         "R",           "R128",     "R5.32",       "R5X", "A0",  "A5",         "C4",  "C0L",
        "global[4", "global[4].1", "const[4]", "const[16,0]", "r5",  "R5.", "shared[-1]", "R5 ", "5"};
    const char *why;
    struct value v;
    for (size_t i = 0; i < sizeof GOOD / sizeof GOOD[0]; i++) {
        if (!value_parse(GOOD[i].text, &v, &why)) fail_msg("%s is refused", GOOD[i].text);
        assert_int_equal(v.kind, GOOD[i].kind);
        assert_int_equal(v.number, GOOD[i].number);
        assert_int_equal(v.bank, GOOD[i].bank);
        assert_int_equal(v.lane, GOOD[i].lane);
    }
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++)
        if (value_parse(BAD[i], &v, &why)) fail_msg("'%s' is taken", BAD[i]);
}

/* ---------------------------------------------------------------------------- the run */

static void test_debug_steps(void **state) {
    (void)state;
    assert_int_equal(run("warp-run", "step\nnext 2\nwarp\ncontinue\n"), 0);
    must_say("out", "(warp) step\ncycle 0, sm 0 slot 0, executed by ffffffff of ffffffff, pc 0x0: MVI R2, 0x0 (");
    must_say("out", "(warp) next 2\ncycle 2, ");
    must_say("out", "R4 lane 0 = 0x55667788\n");
    must_say("out", "ready, active ffffffff of ffffffff, stack 0, pc 0x18: IADD32I R2, R2, 0x1 (");
    must_say("out", "the run has ended\n");
    must_say("out", "count.sass: pass: 16 warp instructions");
}

static void check_stops(const char *tool) {
    assert_int_equal(run(tool,
                         "break again if R2.5 >= 2\ncontinue\nprint R2.5 R5.5 C0.5 R2L.0\nstops\ndelete 1\n"
                         "watch shared[0x20]\ncontinue\nx shared[0x20] 2\ndelete\nbreak :11\ncontinue\np R3\nc\n"),
                     0);
    must_say("out", "break at pc 0x18 if R2.5 >= 0x2\n");
    must_say("out", "R2 lane 5 = 0x00000002\nR5 lane 5 = 0x00000003\n");
    must_say("out", "R2L lane 0 = 0x0002\n");
    must_say("out", "watch: shared[0x20]: 0x00000002 -> 0x00000003\n");
    must_say("out", "0x000020: 00000003 ");
    must_say("out", "1 break at pc 0x38\n");
    must_say("out", "R3 lane 24: 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000\n");
    must_say("out", "the run has ended\n");
}

static void test_debug_stops_on_the_model(void **state) {
    (void)state;
    check_stops("warp-run");
}

/* The same commands give the same answers. */
static void test_debug_stops_in_lockstep(void **state) {
    (void)state;
    check_stops("warp-lockstep --sim build/checker/test/libfake.so --seed 0");
}

static void test_debug_shows(void **state) {
    (void)state;
    assert_int_equal(run("warp-run", "break cycle 4\nc\nlist\nlist 0x30\nwarps\nstack\nx const[1,0x4] 9\nprint "
                                     "global[0x100]\nwatch R2.3\nc\nwatch R2\nc\nhelp\n# a remark\n\nquit\n"),
                     130);
    must_say("out", "cycle 4, ");
    must_say("out", "-> pc 0x28: IADD.C0 R3, R5, -R2 (");
    must_say("out", "   pc 0x38: RET (");
    must_say("out", "the stack is empty\n");
    must_say("out", "0x000004: 55667788\n0x8: the end\n");
    must_say("out", "global[0x100] = 0x00000000\n");
    must_say("out", "watch: R2 lane 3: 0x00000001 -> 0x00000002\n");
    must_say("out", "watch: R2 lane 0: 0x00000002 -> 0x00000003, and in 31 more lanes\n");
    must_say("out", "  break PLACE [if VALUE == N]  ");
    must_say("out", "break cycle N stops in that cycle\n");
    must_say("out", " watch R2.3 of sm 0 slot 0\n");
    assert_int_equal(run("warp-run", "break 0x0\nquit\n"), 130);
    must_say("out", "1 break at pc 0x0\n   where a warp comes back to it: no warp stops where it begins\n");
    must_say("out", "count.sass: interrupted: ");
}

/* The state after a trap can be inspected. */
static void test_debug_after_a_trap(void **state) {
    (void)state;
    char command[256];
    scratch_write("script", "continue\nprint R1.30\n");
    snprintf(command, sizeof command,
             "build/bin/warp-run kernels/traps/global-range.sass --debug < %s/script > %s/out 2> %s/err", scratch,
             scratch, scratch);
    assert_int_equal(WEXITSTATUS(system(command)), 3);
    must_say("out", "the run has ended\n(warp) print R1.30\nR1 lane 30 = 0x0000001e\n");
}

static void test_debug_says_what_is_wrong(void **state) {
    (void)state;
    static const struct {
        const char *script, *message;
    } CASES[] = {
        {"step\nfly\n",                     "script:2:1: error: there is no command of that name, see help: 'fly'\n"},
        {"step x\n",                        "expected a number from 1 on, not 'x'"                                  },
        {"step 0\n",                        "expected a number from 1 on, not '0'"                                  },
        {"break nowhere\n",                 "expected a label of the source, not 'nowhere'"                         },
        {"break :99\n",                     "expected a line with an instruction at it or below, not ':99'"         },
        {"break other.sass:4\n",            "expected a file of the kernel's source and a line of it, not 'other.s" },
        {"break count.sass:99\n",           "expected a line with an instruction at it or below"                    },
        {"x global[0] 0\n",                 "expected a number from 1 on, not '0'"                                  },
        {"x 0x100\n",                       "with its lane, R5.3; not '0x100'"                                      },
        {"print R999\n",                    "expected R0 to R127, not 'R999'"                                       },
        {"print R1.32\n",                   "expected a lane from 0 to 31, not 'R1.32'"                             },
        {"print C0.32\n",                   "expected a lane from 0 to 31, not 'C0.32'"                             },
        {"print shared[4].1\n",             "expected no lane, as all share it, not 'shared[4].1'"                  },
        {"print g[0x10]\n",                 "expected shared[0x10], with the address of a byte, not 'g[0x10]'"      },
        {"print g[0]\n",                    "with the address of a byte, not \'g[0]\'"                              },
        {"x global 4\n",                    "with its lane, R5.3; not \'global\'"                                   },
        {"break 0x1a\n",                    "expected a pc within the code, a multiple of 4, not '0x1a'"            },
        {"break 0x1000\n",                  "expected a pc within the code"                                         },
        {"break\n",                         "expected a label"                                                      },
        {"break cycle\n",                   "expected a cycle"                                                      },
        {"break again if R2 = 1\n",         "expected ==, !=, <, <=, > or >=, not '='"                              },
        {"break again when\n",              "expected if VALUE RELATION NUMBER"                                     },
        {"break again if R2 == few\n",      "expected a number, not 'few'"                                          },
        {"print\n",                         "expected R5, R5L, A1, C0, global[0x100]"                               },
        {"print\n",                         "or one of these with its lane, R5.3\n"                                 },
        {"break\n",                         "expected a label of the source\n"                                      },
        {"break again\ndelete 2\n",         "there is no break or watch '2'"                                        },
        {"print X1\n",                      "not 'X1'"                                                              },
        {"x R1\n",                          "expected memory, not 'R1'"                                             },
        {"watch const[1,0x4]\n",            "constants do not change"                                               },
        {"warp 1 0\n",                      "expected an SM and a slot that the machine has"                        },
        {"warp 0\n",                        "expected an SM and a slot that the machine has"                        },
        {"print R1 R2 R3 R4 R5 R6 R7 R8\n", "too many words"                                                        },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        if (run("warp-run", CASES[i].script) != 2) fail_msg("%s: not refused", CASES[i].script);
        must_say("err", CASES[i].message);
    }
    assert_int_equal(run("warp-run --json", "c\n"), 2);
    must_say("err", "--debug goes with no --json");
    assert_int_equal(WEXITSTATUS(system("build/bin/warp-run kernels/apps/edge.sass --debug-script 2> /dev/null")), 2);
    assert_int_equal(WEXITSTATUS(system("build/bin/warp-run kernels/apps/edge.sass --debug-script none 2> /dev/null")),
                     2);
}

/* Interactive use: a prompt; a mistake does not end the session; Ctrl-C discards a line; an empty line repeats; a tab
 * completes. */
static void test_debug_on_a_terminal(void **state) {
    (void)state;
    if (!terminals_exist()) skip();
    static const char TYPED[] = "fly\nst\t\n\nquit", QUIT[] = "quit\n";
    enum { COMMANDS, CANCEL, LEAVE } next = COMMANDS;
    char said[8192] = "", kernel[64];
    size_t length = 0;
    int terminal;
    snprintf(kernel, sizeof kernel, "%s/count.sass", scratch);
    const pid_t process = forkpty(&terminal, NULL, NULL, NULL);
    assert_true(process >= 0);
    if (process == 0) {
        setenv("TERM", "dumb", 1);
        execl("build/bin/warp-run", "warp-run", kernel, "--debug", NULL);
        _exit(127);
    }
    assert_int_equal(write(terminal, TYPED, strlen(TYPED)), strlen(TYPED));
    for (ssize_t got = 1; got > 0; length += got > 0 ? (size_t)got : 0) {
        struct pollfd more = {.fd = terminal, .events = POLLIN};
        said[length] = '\0';
        if (next == COMMANDS && strstr(said, "(warp) quit") != NULL) next = CANCEL;
        if (next == CANCEL && strstr(said, "(warp) quit\r\n(warp) ") != NULL) {
            next = LEAVE;
            assert_int_equal(write(terminal, QUIT, strlen(QUIT)), strlen(QUIT));
        }
        while (poll(&more, 1, 200) == 0) /* Ctrl-C is lost while no read is waiting */
            if (next == CANCEL) assert_int_equal(write(terminal, "\003", 1), 1);
        got = read(terminal, said + length, sizeof said - 1 - length);
    }
    said[length] = '\0';
    int status;
    assert_int_equal(waitpid(process, &status, 0), process);
    close(terminal);
    assert_int_equal(WEXITSTATUS(status), 130);
    assert_non_null(strstr(said, "(warp) "));
    assert_non_null(strstr(said, "there is no command of that name, see help: 'fly'"));
    assert_non_null(strstr(said, "cycle 0, "));
    assert_non_null(strstr(said, "cycle 1, "));
    assert_null(strstr(said, "cycle 2, "));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_debug_reads_values),
        cmocka_unit_test(test_debug_steps),
        cmocka_unit_test(test_debug_stops_on_the_model),
        cmocka_unit_test(test_debug_stops_in_lockstep),
        cmocka_unit_test(test_debug_shows),
        cmocka_unit_test(test_debug_after_a_trap),
        cmocka_unit_test(test_debug_says_what_is_wrong),
        cmocka_unit_test(test_debug_on_a_terminal),
    };
    return cmocka_run_group_tests(tests, make_kernel, scratch_remove);
}
