/* SPDX-License-Identifier: Apache-2.0 */
/* The progress line on a terminal: its text, once a second, and in a second run. */
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* cmocka.h needs the headers above */
#include <cmocka.h>

#include "../../test/terminal.h"
#include "../progress.h"

enum { TEXT = 512 };

static int terminal, before;

/* Opens a terminal in place of stderr; `terminal` reads its output, or is -1 if none is available. */
static int open_terminal(void **state) {
    (void)state;
    terminal = -1;
    if (!terminals_exist()) return 0;
    terminal = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0) return 1;
    const int shown = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    before = dup(STDERR_FILENO);
    return dup2(shown, STDERR_FILENO) < 0 || close(shown) != 0;
}

static int close_terminal(void **state) {
    (void)state;
    if (terminal < 0) return 0;
    dup2(before, STDERR_FILENO);
    return close(before) != 0 || close(terminal) != 0;
}

/* The line after so many seconds; "" if none. */
static const char *look(struct progress *p, time_t seconds, uint64_t count, char text[TEXT]) {
    struct pollfd from = {.fd = terminal, .events = POLLIN};
    p->at.tv_sec -= seconds;
    assert_true(progress_go_on(p, count));
    size_t size = 0;
    while (size < TEXT - 1 && poll(&from, 1, 50) == 1) {
        const ssize_t came = read(terminal, text + size, TEXT - 1 - size);
        assert_true(came > 0);
        size += (size_t)came;
    }
    text[size] = '\0';
    return text;
}

static void test_progress_says_how_far_and_how_fast(void **state) {
    struct progress p;
    char text[TEXT];
    unsigned rate = 0;
    (void)state;
    if (terminal < 0) skip();
    progress_start(&p, "cycles");
    assert_string_equal(look(&p, 0, 100, text), "");
    assert_int_equal(sscanf(look(&p, 10, 5000, text), "\r5000 cycles, %u cycles a second\033[K", &rate), 1);
    assert_in_range(rate, 450, 500);
    p.instructions = 77;
    assert_int_equal(sscanf(look(&p, 10, 6000, text), "\r6000 cycles, 77 warp instructions, %u cycles a", &rate), 1);
    assert_in_range(rate, 90, 100);
    progress_end(&p);
}

/* A second run, for waves, has its own rate. */
static void test_progress_counts_anew(void **state) {
    struct progress p;
    char text[TEXT];
    unsigned rate = 0;
    (void)state;
    if (terminal < 0) skip();
    progress_start(&p, "cycles");
    assert_string_not_equal(look(&p, 10, 5000, text), "");
    assert_string_equal(look(&p, 10, 4, text), "");
    assert_int_equal(sscanf(look(&p, 10, 2004, text), "\r2004 cycles, %u cycles a second", &rate), 1);
    assert_in_range(rate, 180, 200);
    progress_end(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_progress_says_how_far_and_how_fast, open_terminal, close_terminal),
        cmocka_unit_test_setup_teardown(test_progress_counts_anew, open_terminal, close_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
