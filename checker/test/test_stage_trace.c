/* SPDX-License-Identifier: Apache-2.0 */
/* Traces for Konata by stages, of a machine of 16 cores with few stages: the contents of each cycle are typed here. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../../cmodel/test/fixture.h"
#include "../report/stage_trace.h"

enum { SELECT, HOLD, ROWS, MEMORY, RESOLVE, WRITE, NONE };

/* The contents of a stage in a cycle: the warp slot, pc, row, part. */
struct hold {
    uint64_t cycle;
    unsigned stage, slot;
    uint32_t pc;
    unsigned row, part;
    bool last;
};

/* Shows cycles 1 to `cycles`, with WRITE `delay` cycles after RESOLVE; the record of `recorded` arrives in `cycles`.
 * Returns the text, which the caller frees. */
static char *trace_of(const struct hold *holds, size_t count, unsigned delay, uint64_t cycles,
                      const struct retire *recorded) {
    const struct image image = {.line_count = 0};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    struct kanata k = {.out = out};
    struct stage_trace *t = stage_trace_create(&k, "SELECT HOLD ROWS MEMORY RESOLVE WRITE", 16, 1, &image);
    assert_non_null(t);
    for (uint64_t cycle = 1; cycle <= cycles; cycle++) {
        struct sim_look look = {.cycle = cycle, .launch = 1, .delay = delay};
        for (size_t i = 0; i < count; i++)
            if (holds[i].cycle == cycle)
                look.stage[holds[i].stage] =
                    (struct sim_stage){true, holds[i].last, holds[i].part, holds[i].row, holds[i].slot, holds[i].pc};
        stage_trace_look(t, &look);
        look.launch = 2; /* another launch is ignored */
        stage_trace_look(t, &look);
    }
    if (recorded != NULL) stage_trace_record(t, recorded, NULL);
    assert_true(stage_trace_close(t));
    fclose(out);
    return text;
}

/* Row 1 follows row 0; row 0 stays in MEMORY for a second pass, and its lane follows the last pass. */
static void test_stage_trace_rows(void **state) {
    (void)state;
    static const struct hold HOLDS[] = {
        {1, SELECT,  3, 0, 0, 0, false},
        {2, HOLD,    3, 8, 0, 0, false},
        {3, ROWS,    3, 8, 0, 0, false},
        {4, MEMORY,  3, 8, 0, 0, false},
        {4, ROWS,    3, 8, 1, 0, true },
        {5, RESOLVE, 3, 8, 0, 0, false},
        {5, MEMORY,  3, 8, 0, 0, false},
        {5, ROWS,    3, 8, 1, 0, true },
        {6, RESOLVE, 3, 8, 0, 0, false},
        {6, MEMORY,  3, 8, 1, 0, true },
        {7, RESOLVE, 3, 8, 1, 0, true },
        {7, WRITE,   3, 8, 0, 0, false},
        {8, WRITE,   3, 8, 0, 0, false},
        {9, WRITE,   3, 8, 1, 0, true },
    };
    struct retire record = fixture_record(0, 3, 0, 0, 2);
    record.pc = 8;
    record.word_lo = 0xf0000001;
    record.word_hi = 0xe0000000;
    char *text = trace_of(HOLDS, sizeof HOLDS / sizeof HOLDS[0], 2, 10, &record);
    assert_string_equal(
        text, "C\t1\nI\t0\t0\t3\nL\t0\t0\tsm0 warp 2 block(0,0) 000008: NOP\nS\t0\t0\tSELECT\n"
              "C\t1\nS\t0\t0\tHOLD\nC\t1\nS\t0\t0\tROWS\nC\t1\nS\t0\t0\tMEMORY\nS\t0\t1\tROWS\n"
              "C\t2\nS\t0\t0\tRESOLVE\nS\t0\t1\tMEMORY\nC\t1\nS\t0\t0\tFLOAT\nS\t0\t1\tRESOLVE\n"
              "C\t1\nS\t0\t0\tWRITE\nS\t0\t1\tFLOAT\nC\t1\nE\t0\t0\tWRITE\nS\t0\t1\tWRITE\nC\t1\nE\t0\t1\tWRITE\n"
              "R\t0\t0\t0\n");
    free(text);
}

/* The words of an access are consecutive lanes, in issue order. */
static void test_stage_trace_words(void **state) {
    (void)state;
    static const struct hold HOLDS[] = {
        {1, SELECT,  0, 0, 0, 0, false},
        {2, HOLD,    0, 0, 0, 0, false},
        {3, HOLD,    0, 0, 0, 0, false},
        {3, ROWS,    0, 0, 0, 1, false},
        {4, HOLD,    0, 0, 0, 0, false},
        {4, RESOLVE, 0, 0, 0, 1, false},
        {5, ROWS,    0, 0, 0, 0, true },
        {5, WRITE,   0, 0, 0, 1, false},
        {6, RESOLVE, 0, 0, 0, 0, true },
        {7, WRITE,   0, 0, 0, 0, true },
    };
    const struct retire record = fixture_record(0, 0, 0, 0, 0);
    char *text = trace_of(HOLDS, sizeof HOLDS / sizeof HOLDS[0], 1, 9, &record);
    const char *stages = strstr(text, "S\t0\t0\tSELECT\n");
    assert_non_null(stages);
    assert_string_equal(
        stages, "S\t0\t0\tSELECT\nC\t1\nS\t0\t0\tHOLD\nC\t1\nS\t0\t0\tROWS\nC\t1\nS\t0\t0\tRESOLVE\n"
                "C\t1\nS\t0\t0\tWRITE\nS\t0\t2\tROWS\nC\t1\nE\t0\t0\tWRITE\nS\t0\t2\tRESOLVE\nC\t1\nS\t0\t2\tWRITE\n"
                "C\t1\nE\t0\t2\tWRITE\nR\t0\t0\t0\n");
    free(text);
}

/* An instruction that the scoreboard rejects is flushed, and selected again; one that has issued stops with the
 * machine. */
static void test_stage_trace_flushes(void **state) {
    (void)state;
    static const struct hold HOLDS[] = {
        {1, SELECT, 0, 0, 0, 0, false},
        {2, HOLD,   0, 0, 0, 0, false},
        {4, SELECT, 0, 0, 0, 0, false},
        {5, HOLD,   0, 0, 0, 0, false},
        {6, ROWS,   0, 0, 0, 0, true },
    };
    char *text = trace_of(HOLDS, sizeof HOLDS / sizeof HOLDS[0], 1, 6, NULL);
    assert_string_equal(text, "C\t1\nI\t0\t0\t0\nL\t0\t0\tsm0 slot 0 000000: , turned away\nS\t0\t0\tSELECT\n"
                              "C\t1\nS\t0\t0\tHOLD\nC\t1\nE\t0\t0\tHOLD\nR\t0\t0\t1\n"
                              "C\t1\nI\t1\t1\t0\nL\t1\t0\tsm0 slot 0 000000: , stopped\nS\t1\t0\tSELECT\n"
                              "C\t1\nS\t1\t0\tHOLD\nC\t1\nS\t1\t0\tROWS\nC\t1\nE\t1\t0\tROWS\nR\t1\t0\t1\n");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stage_trace_rows),
        cmocka_unit_test(test_stage_trace_words),
        cmocka_unit_test(test_stage_trace_flushes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
