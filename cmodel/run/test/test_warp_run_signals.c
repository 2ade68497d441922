/* SPDX-License-Identifier: Apache-2.0 */
/* Signals that end warp-run, and its progress line on a terminal. */
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
#include "runner.h"

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
    execl(RUNNER_TOOL, RUNNER_TOOL, kernel, "--max-cycles", "1000000000000", on_terminal ? "--json" : "--trace",
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_run_ends_well_by_any_signal),
        cmocka_unit_test(test_run_can_be_interrupted),
        cmocka_unit_test(test_run_shows_life_on_a_terminal),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
