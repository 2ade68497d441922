/* SPDX-License-Identifier: Apache-2.0 */
/* The text form of a trace: the output reads back, and errors in a line are reported. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../cmodel/run/trace.h"
#include "../record/trace_read.h"
#include "records.h"

static char path[] = "/tmp/trace.XXXXXX.txt";

static int make_file(void **state) {
    (void)state;
    const int file = mkstemps(path, 4);
    return file < 0 || close(file) != 0;
}

static int remove_file(void **state) {
    (void)state;
    return unlink(path);
}

static void narrow(uint32_t *values, unsigned bits) {
    for (unsigned lane = 0; lane < WARP_LANES; lane++) values[lane] &= (uint32_t)(((uint64_t)1 << bits) - 1);
}

/* A random record that a machine could report. */
static struct retire draw_record(uint32_t *seed) {
    static const uint32_t BYTES[] = {1, 2, 4, 8, 16};
    struct retire r = records_random(seed, RETIRE_WORDS);
    const bool load = r.mem_kind % 7 == RETIRE_MEM_GLOBAL_LOAD || r.mem_kind % 7 == RETIRE_MEM_LOCAL_LOAD;
    r.dst_kind %= 3;
    r.mem_kind %= 7;
    r.state %= 3;
    r.mem_bytes = r.mem_kind == RETIRE_MEM_NONE ? 0 : BYTES[r.dst_mask % 5];
    if (r.mem_bytes > 4) r.dst_kind = RETIRE_DST_REG32;
    if (r.dst_kind == RETIRE_DST_REG16) narrow(r.dst, 16);
    if (r.mem_bytes < 4) narrow(r.data, 8 * r.mem_bytes);
    r.dst_reg = r.dst_kind == RETIRE_DST_REG32 ? r.dst_reg % 120 : r.dst_reg;
    if (r.dst_kind == RETIRE_DST_NONE) {
        r.dst_reg = r.dst_mask = 0;
        memset(r.dst, 0, sizeof r.dst);
        memset(r.dst_rest, 0, sizeof r.dst_rest);
    }
    if (r.mem_kind == RETIRE_MEM_NONE) {
        r.mem_mask = 0;
        memset(r.addr, 0, sizeof r.addr);
    }
    if (r.mem_kind == RETIRE_MEM_NONE || load) {
        memset(r.data, 0, sizeof r.data);
        memset(r.data_rest, 0, sizeof r.data_rest);
    }
    for (unsigned word = retire_words(&r); word < RETIRE_WORDS; word++) {
        memset(r.dst_rest[word - 1], 0, sizeof r.dst_rest[0]);
        memset(r.data_rest[word - 1], 0, sizeof r.data_rest[0]);
    }
    if (r.a_mask % 4 == 0) r.exec = r.dst_kind != RETIRE_DST_NONE ? r.dst_mask : 0;
    return r;
}

static void test_trace_read_gives_back_what_was_written(void **state) {
    (void)state;
    enum { RECORDS = 300 };
    struct trace *out = NULL;
    struct trace_reader *in = NULL;
    struct diag d = {0};
    struct retire record;
    bool more = true;
    uint32_t seed = 1;
    assert_int_equal(trace_open(path, NULL, &out, &d), STATUS_OK);
    for (unsigned i = 0; i < RECORDS; i++) {
        record = draw_record(&seed);
        record.cycle = i;
        trace_record(out, &record, NULL);
    }
    assert_int_equal(trace_close(out, true, &d), STATUS_OK);
    assert_int_equal(trace_reader_open(path, &in, &d), STATUS_OK);
    seed = 1;
    for (unsigned i = 0; i < RECORDS; i++) {
        const struct retire expected = draw_record(&seed);
        if (trace_reader_next(in, &record, &more, &d) != STATUS_OK) fail_msg("%u:%u: %s", d.line, d.column, d.text);
        assert_true(more);
        assert_int_equal(record.cycle, i);
        records_assert_same(&record, &expected);
    }
    assert_int_equal(trace_reader_next(in, &record, &more, &d), STATUS_OK);
    assert_false(more);
    trace_reader_close(in);
}

static void write_lines(const char *text) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

/* Reads the file to its end, or to an error. */
static enum status read_all(struct diag *d, struct retire *last) {
    struct trace_reader *t = NULL;
    bool more = true;
    *d = (struct diag){.status = STATUS_OK};
    enum status status = trace_reader_open(path, &t, d);
    while (status == STATUS_OK && more) status = trace_reader_next(t, last, &more, d);
    trace_reader_close(t);
    return status;
}

#define HEAD  "warpstep-trace 2\n"
#define PLACE "1 sm0 slot2 block(3,4) warp5 000008: NOP |"
#define REST  " active=f exec=3 word=1"
#define NEXT  " next=10,f depth=0"

/* Comments of this form name source lines; all others, even of almost this form, are skipped. */
static void test_trace_read_knows_lines_of_the_source(void **state) {
    (void)state;
    struct diag d;
    struct trace_reader *t = NULL;
    unsigned line;
    write_lines(
        HEAD
        "# source 000000 a:b.cl:3\n# source 000008 a:b.cl:4\n# source 00000c\n# source x:1\n# source\n" PLACE REST NEXT
        "\n");
    assert_int_equal(trace_reader_open(path, &t, &d), STATUS_OK);
    const struct image *source = trace_reader_source(t);
    assert_string_equal(image_find_line(source, 8, &line), "a:b.cl");
    assert_int_equal(line, 4);
    assert_int_equal(source->line_count, 2);
    assert_int_equal(source->file_count, 1);
    trace_reader_close(t);
}

static void test_trace_read_takes_what_people_print(void **state) {
    (void)state;
    struct diag d;
    struct retire r;
    write_lines("# from a bench\r\n\r\nwarpstep-trace 2\r\n  \n" PLACE " depth=0 next=000010,0000000F\tactive=f exec=3 "
                "word=1,2 R5=1,2 C1/1=f finished\r\n# the end\n");
    if (read_all(&d, &r) != STATUS_OK) fail_msg("%u:%u: %s", d.line, d.column, d.text);
    assert_int_equal(r.word_hi, 2);
    assert_int_equal(r.dst_mask, 3);
    assert_int_equal(r.dst[1], 2);
    assert_int_equal(r.c_reg, 1);
    assert_int_equal(r.c_mask, 1);
    assert_int_equal(r.c[0], 15);
    assert_int_equal(r.state, RETIRE_FINISHED);
    assert_int_equal(r.next_active, 15);
    /* 32 values, of which those in the mask count */
    write_lines(HEAD PLACE REST NEXT " R7H/80000001=1,2,3,4,5,6,7,8,9,a,b,c,d,e,f,10,11,12,13,14,15,16,17,18,19,1a,1b,"
                                     "1c,1d,1e,1f,20\n");
    if (read_all(&d, &r) != STATUS_OK) fail_msg("%u:%u: %s", d.line, d.column, d.text);
    assert_int_equal(r.dst_reg, 15);
    assert_int_equal(r.dst[0], 1);
    assert_int_equal(r.dst[1], 0);
    assert_int_equal(r.dst[31], 0x20);
}

static void test_trace_read_may_lack_what_is_not_reported(void **state) {
    (void)state;
    struct diag d;
    struct retire r;
    write_lines(HEAD "unreported depth next_pc next_active data exec\nfilled word_lo word_hi\n" PLACE
                     " active=3 gst4/3 addr/3=4,8\n");
    assert_int_equal(read_all(&d, &r), STATUS_BAD_INPUT); /* the mask is addr's */
    write_lines(HEAD "unreported depth next_pc next_active data exec\nfilled word_lo word_hi\n" PLACE
                     " active=3 gst4 addr/3=4,8\n");
    if (read_all(&d, &r) != STATUS_OK) fail_msg("%u:%u: %s", d.line, d.column, d.text);
    assert_int_equal(r.mem_mask, 3);
    assert_int_equal(r.addr[1], 8);
}

static void test_trace_read_says_what_is_wrong(void **state) {
    (void)state;
    static const struct {
        const char *text, *said;
        unsigned line, column;
    } WRONG[] = {
        {"",                                                "the trace is empty",                         0, 0 },
        {"1 sm0\n",                                         "expected the first line 'warpstep-trace 2'", 1, 1 },
        {"warpstep-trace 3\n",                              "expected version 2",                         1, 16},
        {HEAD "unreported depth slot\n",                    "'slot' cannot be left out",                  2, 18},
        {HEAD "filled depth\n",                             "does not follow from the instruction word",  2, 8 },
        {HEAD "filled c_reg\nfilled a_reg\n",               "a second line of this kind",                 3, 1 },
        {HEAD "sm0\n",                                      "expected a decimal number, found 'sm0'",     2, 1 },
        {HEAD "1 sn0\n",                                    "expected ' sm', found ''",                   2, 2 },
        {HEAD "1 sm256\n",                                  "a number with more than 8 bits",             2, 5 },
        {HEAD "1 sm0 slot2 block(3 4)\n",                   "expected ',', found ''",                     2, 20},
        {HEAD "1 sm0 slot2 block(3,4) warp5 000008: NOP\n", "the line ends before ' | active='",          2, 41},
        {HEAD PLACE " exec=3 word=1" NEXT "\n",             "active is missing",                          2, 75},
        {HEAD PLACE " active=3 exec=3" NEXT "\n",           "word_lo is missing",                         2, 77},
        {HEAD PLACE REST " depth=0\n",                      "next_pc is missing",                         2, 74},
        {HEAD PLACE REST " next=10,f\n",                    "depth is missing",                           2, 76},
        {HEAD PLACE REST NEXT " gst4\n",                    "addr is missing",                            2, 89},
        {HEAD PLACE REST NEXT " gst4 addr=0,4\n",           "data is missing",                            2, 98},
        {HEAD PLACE REST NEXT " gst5 addr=0,4\n",           "an access of 5 bytes",                       2, 88},
        {HEAD PLACE REST NEXT " exec=1\n",                  "exec is there twice",                        2, 90},
        {HEAD PLACE REST NEXT " R5=1\n",                    "1 values for 2 lanes",                       2, 88},
        {HEAD PLACE REST NEXT " R5=1,2,3\n",                "3 values for 2 lanes",                       2, 88},
        {HEAD PLACE REST NEXT " R5=1,x\n",                  "expected a hexadecimal number, found 'x'",   2, 90},
        {HEAD PLACE REST NEXT " R5=1;2\n",                  "expected ',', found ';2'",                   2, 89},
        {HEAD PLACE REST NEXT " R5L=1,10000\n",             "a number with more than 16 bits",            2, 91},
        {HEAD PLACE REST NEXT " R5=1,2 R7\n",               "expected '=', found ''",                     2, 94},
        {HEAD PLACE REST NEXT " R5=1,2 R9=3,4\n",           "a second register",                          2, 92},
        {HEAD PLACE REST NEXT " R5=1,2 R6/1=3\n",           "values of other lanes",                      2, 96},
        {HEAD PLACE REST NEXT " C4=1,2\n",                  "a number with more than 2 bits",             2, 86},
        {HEAD PLACE REST NEXT " C1=1,1f\n",                 "a number with more than 4 bits",             2, 90},
        {HEAD PLACE REST NEXT " hello\n",                   "unknown item 'hello'",                       2, 85},
        {HEAD PLACE REST NEXT "0x\n",                       "expected a blank, found 'x'",                2, 85},
        {HEAD PLACE REST " depth=0 trap: none\n",           "no trap is called 'none'",                   2, 81},
        {HEAD PLACE " active=1ffffffff\n",                  "a number with more than 32 bits",            2, 51},
        {HEAD PLACE REST NEXT,                              "the line is cut off",                        2, 84},
        {HEAD PLACE REST NEXT "\n" PLACE " act",            "the line is cut off",                        3, 47},
    };
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
        struct diag d;
        struct retire r;
        write_lines(WRONG[i].text);
        assert_int_equal(read_all(&d, &r), STATUS_BAD_INPUT);
        if (strstr(d.text, WRONG[i].said) == NULL || d.line != WRONG[i].line || d.column != WRONG[i].column)
            fail_msg("%u:%u: %s, not %u:%u: %s", d.line, d.column, d.text, WRONG[i].line, WRONG[i].column,
                     WRONG[i].said);
        assert_string_equal(d.file, path);
    }
}

static void test_trace_read_finds_no_file(void **state) {
    (void)state;
    struct trace_reader *t = NULL;
    struct diag d = {0};
    assert_int_equal(trace_reader_open("/nowhere/at.all", &t, &d), STATUS_BAD_INPUT);
    assert_null(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trace_read_gives_back_what_was_written),
        cmocka_unit_test(test_trace_read_knows_lines_of_the_source),
        cmocka_unit_test(test_trace_read_takes_what_people_print),
        cmocka_unit_test(test_trace_read_may_lack_what_is_not_reported),
        cmocka_unit_test(test_trace_read_says_what_is_wrong),
        cmocka_unit_test(test_trace_read_finds_no_file),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
