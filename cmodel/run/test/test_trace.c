/* SPDX-License-Identifier: Apache-2.0 */
/* Trace files of records made by hand: cases that the model alone does not produce. */
#include <stdlib.h>
#include <unistd.h>

#include "../../test/fixture.h"
#include "../trace.h"

static char path[] = "/tmp/trace.XXXXXX.kanata";

static int make_file(void **state) {
    (void)state;
    const int file = mkstemps(path, 7);
    return file < 0 || close(file) != 0;
}

static int remove_file(void **state) {
    (void)state;
    return unlink(path);
}

/* Cycles without a record, one or several: each C gives the number of cycles passed. */
static void test_trace_kanata_lets_cycles_go_by(void **state) {
    (void)state;
    static const uint64_t CYCLES[] = {1, 3, 6, 6};
    static const char EXPECTED[] = "Kanata\t0004\nC=\t0\n"
                                   "C\t1\n"
                                   "I\t0\t0\t65\nL\t0\t0\tsm1 warp 0 block(0,0) 000000: NOP\nS\t0\t0\tW\n"
                                   "C\t1\nE\t0\t0\tW\nR\t0\t0\t0\nC\t1\n"
                                   "I\t1\t1\t65\nL\t1\t0\tsm1 warp 0 block(0,0) 000000: NOP\nS\t1\t0\tW\n"
                                   "C\t1\nE\t1\t0\tW\nR\t1\t1\t0\nC\t2\n"
                                   "I\t2\t2\t65\nL\t2\t0\tsm1 warp 0 block(0,0) 000000: NOP\nS\t2\t0\tW\n"
                                   "I\t3\t3\t65\nL\t3\t0\tsm1 warp 0 block(0,0) 000000: NOP\nS\t3\t0\tW\n"
                                   "C\t1\nE\t2\t0\tW\nR\t2\t2\t0\nE\t3\t0\tW\nR\t3\t3\t0\n";
    struct trace *trace = NULL;
    struct diag d = {0};
    struct retire record = fixture_record(1, 1, 0, 0, 0);
    char text[2 * sizeof EXPECTED];
    record.word_lo = 0xf0000001;
    record.word_hi = 0xe0000000;
    assert_int_equal(trace_open(path, NULL, &trace, &d), STATUS_OK);
    for (size_t i = 0; i < sizeof CYCLES / sizeof CYCLES[0]; i++) {
        record.cycle = CYCLES[i];
        trace_record(trace, &record, NULL);
    }
    assert_int_equal(trace_close(trace, true, &d), STATUS_OK);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, EXPECTED);
}

/* A discarded trace leaves nothing behind in its directory. */
static void test_trace_that_is_not_kept(void **state) {
    (void)state;
    static const char *const SUFFIXES[] = {"txt", "json", "kanata"};
    const struct retire record = fixture_record(0, 0, 0, 0, 0);
    struct image image = {.line_count = 0};
    struct diag d = {0};
    for (size_t i = 0; i < sizeof SUFFIXES / sizeof SUFFIXES[0]; i++) {
        char directory[] = "/tmp/trace.XXXXXX", file[64];
        struct trace *trace = NULL;
        assert_non_null(mkdtemp(directory));
        snprintf(file, sizeof file, "%s/t.%s", directory, SUFFIXES[i]);
        assert_int_equal(trace_open(file, &image, &trace, &d), STATUS_OK);
        trace_record(trace, &record, NULL);
        assert_int_equal(trace_close(trace, false, &d), STATUS_OK);
        assert_int_equal(rmdir(directory), 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trace_kanata_lets_cycles_go_by),
        cmocka_unit_test(test_trace_that_is_not_kept),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
