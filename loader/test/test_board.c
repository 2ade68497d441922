/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels on a board whose line has faults at random places: the right result or an error, never a wrong result. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
/* cmocka.h needs the headers above */
#include <cmocka.h>

#include "../../cmodel/run/results.h"
#include "../board.h"
#include "../memory.h"
#include "fake_board.h"

/* THREAD_INSTRUCTIONS: as counted by warp-run. */
enum { WAIT_MS = 60, BAUD = 1000000, GLOBAL_BYTES = 4096, FAULTS_MOST = 6, RUNS = 500, THREAD_INSTRUCTIONS = 608 };

static uint32_t draw(uint32_t *seed, uint32_t below) {
    *seed = *seed * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)(*seed >> 8) * below >> 24);
}

/* vecadd with its expectations. */
static void read_kernel(struct launch *run) {
    char *arguments[] = {"run", "kernels/apps/vecadd.sass", NULL};
    struct machine machine = MACHINE_DEFAULT;
    struct diag d;
    assert_int_equal(launch_parse(2, arguments, NULL, NULL, &machine, NULL, run, &d), STATUS_OK);
    assert_int_equal(launch_check(run, &machine, &d), STATUS_OK);
}

static enum status open_fake(const struct fake_options *fake, size_t bytes[2], struct board *board, struct diag *d) {
    const struct board_options options = {.port = "fake", .baud = BAUD, .wait_ms = WAIT_MS};
    return board_open_on(fake_line_open(fake, bytes), &options, board, d);
}

/* The result of a run. */
struct run_result {
    enum status status;
    uint64_t wrong;    /* differing bytes; plus 1 if the counters are wrong */
    unsigned repeated; /* transfers */
    size_t bytes[2];   /* to the board, to the host */
};

static struct run_result run_with(const struct fake_fault *faults, size_t count, enum board_memory memory) {
    const struct fake_options options = {
        .faults = faults, .fault_count = count, .global_bytes = GLOBAL_BYTES, .memory = memory};
    struct run_result r = {0};
    struct board board;
    struct board_result result;
    struct launch run;
    struct diag d;
    read_kernel(&run);
    r.status = open_fake(&options, r.bytes, &board, &d);
    if (r.status == STATUS_OK) {
        r.status = board_run(&board, &run, &result, &d);
        r.repeated = board.transfer.faults;
        if (r.status == STATUS_OK) {
            r.wrong = results_compare(&run, result.global, stderr);
            r.wrong += result.end != BOARD_DONE || result.counters.thread_instructions != THREAD_INSTRUCTIONS;
            free(result.global);
        }
        if (count == 0) {
            bool ready = false;
            assert_int_equal(memory_is_set_up(&board, &ready, &d), STATUS_OK);
            assert_true(ready);
        }
        board_close(&board);
    }
    launch_release(&run);
    return r;
}

static struct run_result run_once(const struct fake_fault *faults, size_t count) {
    return run_with(faults, count, BOARD_MEMORY_bram);
}

static void test_board_runs_a_kernel(void **state) {
    (void)state;
    const struct run_result r = run_once(NULL, 0);
    assert_int_equal(r.status, STATUS_OK);
    assert_int_equal(r.wrong, 0);
    assert_int_equal(r.repeated, 0);
}

static unsigned from_environment(const char *name, unsigned otherwise) {
    const char *given = getenv(name);
    return given != NULL ? (unsigned)strtoul(given, NULL, 0) : otherwise;
}

static void test_board_sets_up_its_memory(void **state) {
    (void)state;
    for (enum board_memory memory = BOARD_MEMORY_sdr; memory < BOARD_MEMORIES; memory++) {
        const struct run_result r = run_with(NULL, 0, memory);
        assert_int_equal(r.status, STATUS_OK);
        assert_int_equal(r.wrong, 0);
        assert_int_equal(r.repeated, 0);
    }
}

/* Each kind of memory in turn. */
static void test_board_gives_no_wrong_result(void **state) {
    uint32_t seed = from_environment("SEED", 1);
    const unsigned runs = from_environment("RUNS", RUNS);
    unsigned right = 0, disturbed = 0;
    (void)state;
    print_message("SEED=%u RUNS=%u\n", seed, runs);
    struct run_result clean[BOARD_MEMORIES];
    for (unsigned i = 0; i < BOARD_MEMORIES; i++) clean[i] = run_with(NULL, 0, (enum board_memory)i);
    for (unsigned i = 0; i < runs; i++) {
        const enum board_memory memory = (enum board_memory)(i % BOARD_MEMORIES);
        struct fake_fault faults[FAULTS_MOST];
        const size_t count = 1 + draw(&seed, FAULTS_MOST);
        for (size_t k = 0; k < count; k++) {
            faults[k].kind = (enum fake_fault_kind)draw(&seed, FAULT_UNPLUG);
            faults[k].to_host = draw(&seed, 2) != 0;
            faults[k].at = draw(&seed, (uint32_t)clean[memory].bytes[faults[k].to_host]);
            faults[k].value = (uint8_t)(1 + draw(&seed, faults[k].kind == FAULT_LATE ? 3 * WAIT_MS : 255));
        }
        const struct run_result r = run_with(faults, count, memory);
        if (r.wrong != 0) fail_msg("run %u: %u wrong bytes", i, (unsigned)r.wrong);
        right += r.status == STATUS_OK;
        disturbed += r.repeated > 0;
    }
    print_message("%u runs: %u right, %u with repeated transfers\n", runs, right, disturbed);
    assert_true(right > runs * 9 / 10);
    assert_true(disturbed > runs / 2);
}

static void check_error(const struct fake_options *options, const char *text) {
    struct board board;
    struct diag d = {0};
    size_t bytes[2];
    if (open_fake(options, bytes, &board, &d) == STATUS_OK) fail_msg("no error, instead of '%s'", text);
    if (strstr(d.text, text) == NULL) fail_msg("'%s', instead of '%s'", d.text, text);
    assert_string_equal(d.file, "fake");
}

static void test_board_names_what_is_wrong(void **state) {
    (void)state;
    check_error(&(struct fake_options){.dead = true}, "no answer");
    check_error(&(struct fake_options){.babbles = true}, "the answer is not a board's");
    check_error(&(struct fake_options){.other_design = true}, "it is another one");
    check_error(&(struct fake_options){.unfinished = true}, "its bitstream was not finished");
}

/* Unplugged at various moments: an error reports it, and nothing waits for ever. */
static void test_board_unplugged_in_mid_transfer(void **state) {
    (void)state;
    const struct run_result clean = run_once(NULL, 0);
    for (unsigned i = 1; i < 10; i++) {
        const struct fake_fault fault = {
            .kind = FAULT_UNPLUG, .to_host = i % 2 != 0, .at = clean.bytes[i % 2] * i / 10};
        assert_int_equal(run_once(&fault, 1).status, STATUS_BAD_INPUT);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_board_runs_a_kernel),
        cmocka_unit_test(test_board_sets_up_its_memory),
        cmocka_unit_test(test_board_gives_no_wrong_result),
        cmocka_unit_test(test_board_names_what_is_wrong),
        cmocka_unit_test(test_board_unplugged_in_mid_transfer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
