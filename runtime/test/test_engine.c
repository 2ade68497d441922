/* SPDX-License-Identifier: Apache-2.0 */
/* Engines of every kind, each as far as it is there: memory that lasts, launches that end well and badly, what they
 * leave behind. Results are worked out here. */
#include <limits.h>
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
#include <pthread.h>

#include "../../cmodel/test/scratch.h"
#include "../../cmodel/test/terminal.h"
#include "../../loader/test/fake_board.h"
#include "../engine.h"
#include "kernels.h"
#include "relay.h"

enum { A = 0x1000, B = 0x2000, C = 0x3000, WORDS = 100, THREADS = 64, TEXTS = 5, TEXT_BYTES = 96 };

/* The engines that are there; a board is the fake one, behind a pseudo-terminal. */
struct place {
    char text[TEXTS][TEXT_BYTES];
    size_t count;
    struct fake_board *board;
};

static void add(struct place *p, const char *text) { snprintf(p->text[p->count++], TEXT_BYTES, "%s", text); }

static bool exists(const char *build) {
    char path[TEXT_BYTES];
    snprintf(path, sizeof path, "build/sim/%s", build);
    return access(path, R_OK) == 0;
}

static struct place find_engines(bool slow) {
    static const struct fake_options BOARD = {.sim = NULL};
    struct place p = {.count = 0};
    add(&p, "model:64M");
    if (exists("libsim-verilator-C8-S1.so")) add(&p, "rtl:8-S1");
    if (exists("libsim-verilator-C8-S1-G67108864-B8.so")) add(&p, "rtl:8");
    if (slow && exists("ghdl/built")) add(&p, "ghdl:8");
    if (terminals_exist()) p.board = fake_board_start(&BOARD);
    if (p.board != NULL) snprintf(p.text[p.count++], TEXT_BYTES, "board:%.80s", fake_board_port(p.board));
    return p;
}

static void leave(struct place *p) {
    if (p->board != NULL) fake_board_stop(p->board);
}

static struct engine *open_with(const char *text, const struct engine_options *options) {
    struct engine *engine = NULL;
    struct diag d = {0};
    if (engine_open(text, options, &engine, &d) != STATUS_OK) fail_msg("%s: %s", text, d.text);
    return engine;
}

static struct engine *open_engine(const char *text) { return open_with(text, NULL); }

static void write_words(struct engine *e, uint32_t addr, const uint32_t *words, size_t count) {
    struct diag d = {0};
    if (engine_write(e, addr, words, 4 * count, &d) != STATUS_OK) fail_msg("%s", d.text);
}

static uint32_t read_word(struct engine *e, uint32_t addr) {
    struct diag d = {0};
    uint32_t word = 0;
    if (engine_read(e, addr, &word, sizeof word, &d) != STATUS_OK) fail_msg("%s", d.text);
    return word;
}

/* Launches, and wants that outcome. The caller releases the report. */
static struct engine_report launch(struct engine *e, struct image *image, enum engine_outcome outcome) {
    struct engine_report report;
    struct diag d = {0};
    if (engine_launch(e, image, &report, &d) != STATUS_OK) fail_msg("%s", d.text);
    if (report.outcome != outcome)
        fail_msg("%s: %s, expected %s: %s", engine_get_properties(e)->name, engine_outcome_name(report.outcome),
                 engine_outcome_name(outcome), report.text != NULL ? report.text : "");
    return report;
}

static void run(struct engine *e, const char *kernel, unsigned groups, unsigned threads, const uint32_t *params,
                size_t count) {
    struct image *image = kernel_image(kernel);
    kernel_shape(image, groups, threads);
    kernel_params(image, params, count);
    struct engine_report report = launch(e, image, ENGINE_DONE);
    assert_null(report.text);
    assert_true(report.cycles > 0 && report.warp_instructions > 0 && report.thread_instructions > 0);
    engine_report_release(&report);
    image_destroy(image);
}

/* c = a + b, then twice one more. */
static void use_memory(struct engine *e) {
    uint32_t words[WORDS], sums[WORDS];
    const uint32_t params[] = {A, B, C, WORDS}, count[] = {C};
    struct diag d = {0};
    for (uint32_t i = 0; i < WORDS; i++) words[i] = i * UINT32_C(0x9e3779b1);
    assert_int_equal(read_word(e, C), 0);
    write_words(e, A, words, WORDS);
    write_words(e, B, words, WORDS);
    run(e, KERNEL_ADD, 2, THREADS, params, 4);
    for (unsigned i = 0; i < 2; i++) run(e, KERNEL_COUNT, 1, THREADS, count, 1);
    assert_int_equal(engine_read(e, C, sums, sizeof sums, &d), STATUS_OK);
    for (uint32_t i = 0; i < WORDS; i++) assert_int_equal(sums[i], 2 * words[i] + (i < THREADS ? 2 : 0));
}

/* Copies and fills that are not aligned, and that overlap; the same here and there. */
static void move_memory(struct engine *e) {
    uint8_t here[600], there[600];
    struct diag d = {0};
    for (size_t i = 0; i < sizeof here; i++) here[i] = (uint8_t)(i * 7);
    assert_int_equal(engine_write(e, A, here, sizeof here, &d), STATUS_OK);
    memmove(here + 13, here + 2, 501);
    assert_int_equal(engine_copy(e, A + 13, A + 2, 501, &d), STATUS_OK);
    memmove(here + 3, here + 10, 401);
    assert_int_equal(engine_copy(e, A + 3, A + 10, 401, &d), STATUS_OK);
    for (size_t i = 0; i < 99; i++) here[101 + i] = (uint8_t) "abc"[i % 3];
    assert_int_equal(engine_fill(e, A + 101, "abc", 3, 99, &d), STATUS_OK);
    here[1] = 0x5a;
    assert_int_equal(engine_write(e, A + 1, here + 1, 1, &d), STATUS_OK);
    assert_int_equal(engine_copy(e, A, A, 0, &d), STATUS_OK);
    assert_int_equal(engine_read(e, A + 1, there + 1, sizeof there - 1, &d), STATUS_OK);
    assert_memory_equal(here + 1, there + 1, sizeof here - 1);
}

static void test_engine_memory_lasts(void **state) {
    struct place p = find_engines(true);
    (void)state;
    for (size_t i = 0; i < p.count; i++) {
        struct engine *e = open_engine(p.text[i]);
        use_memory(e);
        move_memory(e);
        engine_close(e);
    }
    leave(&p);
}

/* Earlier stores stay, the text names the line, and the engine can be used again. */
static void test_engine_traps(void **state) {
    struct place p = find_engines(false);
    (void)state;
    for (size_t i = 0; i < p.count; i++) {
        struct engine *e = open_engine(p.text[i]);
        struct image *image = kernel_image(KERNEL_MISALIGNED);
        kernel_shape(image, 1, 1);
        kernel_params(image, &(uint32_t){A}, 1);
        for (unsigned n = 0; n < 2; n++) {
            struct engine_report report = launch(e, image, ENGINE_TRAPPED);
            assert_non_null(report.text);
            if (strstr(report.text, "misaligned global memory access") == NULL) fail_msg("%s", report.text);
            if (strstr(report.text, "kernel.sass:6") == NULL) fail_msg("%s", report.text);
            engine_report_release(&report);
        }
        assert_int_equal(read_word(e, A), A);
        use_memory(e);
        engine_close(e);
        image_destroy(image);
    }
    leave(&p);
}

static void expect_hang(struct engine *e, const char *kernel) {
    struct image *image = kernel_image(kernel);
    kernel_shape(image, 1, THREADS);
    kernel_params(image, &(uint32_t){A}, 1);
    struct engine_report report = launch(e, image, ENGINE_HUNG);
    assert_non_null(report.text);
    engine_report_release(&report);
    image_destroy(image);
}

static void test_engine_hangs(void **state) {
    const struct engine_options options = {.limit = 3000};
    struct place p = find_engines(false);
    (void)state;
    for (size_t i = 0; i < p.count; i++) {
        struct engine *e = open_with(p.text[i], &options);
        write_words(e, 0x8000, &(uint32_t){17}, 1);
        expect_hang(e, KERNEL_SPIN);
        expect_hang(e, KERNEL_ENDLESS);
        assert_int_equal(read_word(e, 0x8000), 17);
        use_memory(e);
        engine_close(e);
    }
    leave(&p);
}

static void *stop_soon(void *engine) {
    usleep(30000);
    engine_stop(engine);
    return NULL;
}

static void test_engine_is_stopped(void **state) {
    static const char *const TEXT[] = {"model:1M", "rtl:8-S1"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        if (i > 0 && !exists("libsim-verilator-C8-S1.so")) continue;
        struct engine *e = open_engine(TEXT[i]);
        struct image *image = kernel_image(KERNEL_ENDLESS);
        pthread_t thread;
        kernel_shape(image, 1, 1);
        kernel_params(image, &(uint32_t){A}, 1);
        assert_int_equal(pthread_create(&thread, NULL, stop_soon, e), 0);
        struct engine_report report = launch(e, image, ENGINE_STOPPED);
        pthread_join(thread, NULL);
        engine_report_release(&report);
        image_destroy(image);
        use_memory(e);
        engine_close(e);
    }
}

/* The host's memory ends where local memory begins, which overwrites none of it. */
static void test_engine_local_memory(void **state) {
    struct place p = find_engines(false);
    (void)state;
    for (size_t i = 0; i < p.count; i++) {
        struct engine *e = open_engine(p.text[i]);
        const uint32_t last = engine_get_properties(e)->host_bytes - 4, marks[] = {0xfeedbeef};
        write_words(e, last, marks, 1);
        run(e, KERNEL_LOCAL, 2, THREADS, &(uint32_t){A}, 1);
        for (uint32_t k = 0; k < 2 * THREADS; k++) assert_int_equal(read_word(e, A + 4 * k), k);
        assert_int_equal(read_word(e, last), marks[0]);
        use_memory(e);
        engine_close(e);
    }
    leave(&p);
}

static void test_engine_refuses(void **state) {
    static const char *const TEXTS_OF_NONE[] = {
        "",      "modell", "model:",         "model:1",        "model:9G", "model:x",
        "rtl",   "rtl:9",  "rtl:8-",         "rtl:8-S9",       "rtl:8-X1", "ghdl:",
        "board", "board:", "board:/nowhere", "rtl:32-S3-G8192"};
    (void)state;
    for (size_t i = 0; i < sizeof TEXTS_OF_NONE / sizeof TEXTS_OF_NONE[0]; i++) {
        struct engine *none = NULL;
        struct diag d = {0};
        if (strcmp(TEXTS_OF_NONE[i], "model:") == 0) continue;
        if (engine_open(TEXTS_OF_NONE[i], NULL, &none, &d) == STATUS_OK) fail_msg("'%s'", TEXTS_OF_NONE[i]);
        assert_int_equal(d.status, STATUS_BAD_INPUT);
        assert_true(d.text[0] != '\0');
        assert_null(none);
    }
    struct engine *e = open_engine("model:64K");
    struct diag d = {0};
    uint8_t bytes[256] = {0};
    assert_int_equal(engine_write(e, 0xffff, bytes, 2, &d), STATUS_BAD_INPUT);
    assert_int_equal(engine_read(e, UINT32_MAX, bytes, 2, &d), STATUS_BAD_INPUT);
    assert_int_equal(engine_copy(e, 0, 0xff00, 0x200, &d), STATUS_BAD_INPUT);
    assert_int_equal(engine_copy(e, 0xff00, 0, 0x200, &d), STATUS_BAD_INPUT);
    assert_int_equal(engine_fill(e, 0, bytes, 0, 0, &d), STATUS_BAD_INPUT);
    assert_int_equal(engine_fill(e, 0, bytes, ENGINE_PATTERN_MAX + 1, ENGINE_PATTERN_MAX + 1, &d), STATUS_BAD_INPUT);
    assert_int_equal(engine_fill(e, 0, bytes, 4, 7, &d), STATUS_BAD_INPUT);
    assert_int_equal(engine_write(e, 0x10000, bytes, 0, &d), STATUS_OK);
    struct image *image = kernel_image(KERNEL_COUNT);
    struct engine_report report;
    kernel_shape(image, 1, 2000);
    assert_int_equal(engine_launch(e, image, &report, &d), STATUS_BAD_INPUT);
    assert_null(report.text);
    image_destroy(image);
    engine_close(e);
}

/* A build that is not there names the goal that makes it, also where one with less memory serves. */
static void test_engine_names_missing_builds(void **state) {
    static const char LARGE[] = "run 'make build/sim/libsim-verilator-C8-S1-G67108864-B8.so'",
                      GHDL[] = "run 'make build/sim/libsim-ghdl.so build/sim/ghdl/built'", SMALL[] = "C8-S1.so";
    char build[TEXT_BYTES * 2], here[PATH_MAX];
    struct engine *e = NULL;
    struct diag d = {0};
    (void)state;
    setenv("WARPSTEP_SIM_DIR", scratch, 1);
    assert_int_equal(engine_open("rtl:8", NULL, &e, &d), STATUS_BAD_INPUT);
    if (strstr(d.text, LARGE) == NULL) fail_msg("%s", d.text);
    assert_int_equal(engine_open("ghdl:8", NULL, &e, &d), STATUS_BAD_INPUT);
    if (strstr(d.text, GHDL) == NULL) fail_msg("%s", d.text);
    snprintf(build, sizeof build, "build/sim/libsim-verilator-%s", SMALL);
    if (realpath(build, here) != NULL) {
        snprintf(build, sizeof build, "libsim-verilator-%s", SMALL);
        assert_int_equal(symlink(here, scratch_path(build)), 0);
        e = open_engine("rtl:8");
        if (strstr(engine_get_properties(e)->larger, LARGE) == NULL) fail_msg("no goal");
        engine_close(e);
        e = open_engine("rtl:8-S1");
        assert_string_equal(engine_get_properties(e)->larger, "");
        engine_close(e);
    }
    setenv("WARPSTEP_SIM_DIR", "build/sim", 1);
}

static void test_engine_records(void **state) {
    static const char *const TEXT[] = {"model:1M", "rtl:8-S1"}, *const LABEL[] = {"model1M", "rtl8-S1"};
    const struct engine_options options = {.trace_directory = scratch, .wave = scratch};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        if (i > 0 && !exists("libsim-verilator-C8-S1.so")) continue;
        struct engine *e = open_with(TEXT[i], &options);
        char name[64], text[200];
        use_memory(e);
        engine_close(e);
        snprintf(name, sizeof name, "%s-0001-add.txt", LABEL[i]);
        assert_true(scratch_read(name, text, sizeof text) > 100);
        assert_int_equal(strncmp(text, "warpstep-trace", 14), 0);
        snprintf(name, sizeof name, "%s-0003-count.txt", LABEL[i]);
        assert_true(scratch_read(name, text, sizeof text) > 100);
        snprintf(name, sizeof name, "%s-0003-count.fst", LABEL[i]);
        assert_int_equal(access(scratch_path(name), R_OK) == 0, i == 1);
    }
}

/* Two warps store at one place. */
static void test_engine_finds_races(void **state) {
    const struct engine_options options = {.races = true};
    (void)state;
    struct engine *e = open_with("model", &options);
    struct image *image = kernel_image(".kernel race\n.param 0\nMOV R1, g [0x4]\nGST.U32 global14 [R1], R0\n.end\n");
    kernel_shape(image, 1, THREADS);
    kernel_params(image, &(uint32_t){A}, 1);
    struct engine_report report = launch(e, image, ENGINE_DONE);
    assert_non_null(report.text);
    assert_non_null(strstr(report.text, "race"));
    engine_report_release(&report);
    image_destroy(image);
    engine_close(e);
}

static void *open_one(void *text) { return open_engine(text); }

/* A thread opens it and ends. */
static void test_engine_outlives_its_thread(void **state) {
    char text[] = "ghdl:8";
    pthread_t thread;
    void *engine = NULL;
    (void)state;
    if (!exists("ghdl/built")) skip();
    assert_int_equal(pthread_create(&thread, NULL, open_one, text), 0);
    assert_int_equal(pthread_join(thread, &engine), 0);
    assert_int_equal(read_word(engine, A), 0);
    engine_close(engine);
}

static void *use_one(void *text) {
    for (unsigned i = 0; i < 3; i++) {
        struct engine *e = open_engine(text);
        use_memory(e);
        engine_close(e);
    }
    return NULL;
}

static void test_engine_two_threads(void **state) {
    char text[2][TEXT_BYTES] = {"model:64M", "model:64M"};
    pthread_t thread[2];
    (void)state;
    if (exists("libsim-verilator-C8-S1.so")) snprintf(text[1], TEXT_BYTES, "rtl:8-S1");
    for (size_t i = 0; i < 2; i++) assert_int_equal(pthread_create(&thread[i], NULL, use_one, text[i]), 0);
    for (size_t i = 0; i < 2; i++) pthread_join(thread[i], NULL);
}

static void expect_lost(struct engine *e) {
    struct image *image = kernel_image(KERNEL_COUNT);
    struct diag d = {0};
    uint8_t byte;
    kernel_shape(image, 1, THREADS);
    kernel_params(image, &(uint32_t){A}, 1);
    for (unsigned n = 0; n < 2; n++) {
        struct engine_report report = launch(e, image, ENGINE_LOST);
        assert_non_null(report.text);
        engine_report_release(&report);
    }
    assert_int_equal(engine_read(e, 0, &byte, 1, &d), STATUS_BAD_INPUT);
    assert_int_equal(engine_write(e, 0, &byte, 1, &d), STATUS_BAD_INPUT);
    image_destroy(image);
}

/* A board at a socket; then the connection ends. */
static void test_engine_at_a_socket(void **state) {
    static const struct fake_options BOARD = {.sim = NULL}, DATAGRAMS = {.datagrams = true};
    char text[TEXT_BYTES];
    (void)state;
    if (!terminals_exist()) skip();
    struct fake_board *board = fake_board_start(&BOARD);
    struct relay *relay = relay_start(fake_board_port(board));
    snprintf(text, sizeof text, "board:tcp:127.0.0.1:%u", relay_port(relay));
    struct engine *e = open_engine(text);
    use_memory(e);
    move_memory(e);
    relay_stop(relay);
    expect_lost(e);
    engine_close(e);
    fake_board_stop(board);
    board = fake_board_start(&DATAGRAMS);
    snprintf(text, sizeof text, "board:%.80s", fake_board_port(board));
    e = open_engine(text);
    use_memory(e);
    engine_close(e);
    fake_board_stop(board);
}

static void test_engine_loses_its_board(void **state) {
    static const struct fake_options BOARD = {.sim = NULL};
    char text[TEXT_BYTES];
    (void)state;
    if (!terminals_exist()) skip();
    struct fake_board *board = fake_board_start(&BOARD);
    snprintf(text, sizeof text, "board:%.80s", fake_board_port(board));
    struct engine *e = open_engine(text);
    use_memory(e);
    fake_board_stop(board);
    expect_lost(e);
    engine_close(e);
}

static int prepare(void **state) { return setenv("WARPSTEP_SIM_DIR", "build/sim", 1) != 0 || scratch_make(state) != 0; }

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_engine_memory_lasts),
        cmocka_unit_test(test_engine_traps),
        cmocka_unit_test(test_engine_hangs),
        cmocka_unit_test(test_engine_is_stopped),
        cmocka_unit_test(test_engine_local_memory),
        cmocka_unit_test(test_engine_refuses),
        cmocka_unit_test(test_engine_records),
        cmocka_unit_test(test_engine_finds_races),
        cmocka_unit_test(test_engine_two_threads),
        cmocka_unit_test(test_engine_outlives_its_thread),
        cmocka_unit_test(test_engine_at_a_socket),
        cmocka_unit_test(test_engine_loses_its_board),
        cmocka_unit_test(test_engine_names_missing_builds),
    };
    return cmocka_run_group_tests(tests, prepare, scratch_remove);
}
