/* SPDX-License-Identifier: Apache-2.0 */
/* warp-view by its command line: its picture of a known trace, other forms, and its errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../../cmodel/test/scratch.h"

enum { TEXT_BYTES = 1 << 17 };

static char content[TEXT_BYTES];

static const char *read_file(const char *name) {
    scratch_read(name, content, sizeof content);
    return content;
}

static void write_trace(const char *name, const char *lines) {
    FILE *file = fopen(scratch_path(name), "w");
    assert_non_null(file);
    fprintf(file, "warpstep-trace 2\n%s", lines);
    fclose(file);
}

/* Runs warp-view in the directory; its output goes to "out" and "err". */
static int run(const char *arguments) {
    char command[512], here[256];
    assert_non_null(getcwd(here, sizeof here));
    snprintf(command, sizeof command, "cd %s && %s/build/bin/warp-view %s > out 2> err", scratch, here, arguments);
    const int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void must_hold(const char *file, const char *text) {
    if (strstr(read_file(file), text) == NULL) fail_msg("no '%s' in %s:\n%s", text, file, content);
}

/* A record of warp 0 of block 0: a NOP, with this mask. */
#define LINE(cycle, sm, slot, active, rest)                                                         \
#cycle " sm" #sm " slot" #slot " block(0,0) warp0 000000: ? | active=" #active " exec=" #active \
           " word=f0000001,e0000000 next=000008," #active " depth=0" rest "\n"

/* 800 cycles, a column each: one that issues, 200 at a barrier, 200 for a load with half of the lanes, 399 of turns
 * with a quarter of them. */
#define KNOWN                                                                                          \
    LINE(1, 0, 3, ffffffff, " at barrier")                                                             \
    LINE(201, 0, 3, ffffffff, "")                                                                      \
    "401 sm0 slot3 block(0,0) warp0 000008: ? | active=0000ffff exec=00000001 word=d00e0205,80c00780 " \
    "R1=00000000 gld4 addr=00000000 next=000010,0000ffff depth=0\n" LINE(800, 0, 3, 000000ff, " finished")

/* Half of a warp's 800 cycles belong to each of two lines, one in memory; the text of one of them exists. */
static void test_view_shows_lines_of_the_source(void **state) {
    (void)state;
    FILE *file = fopen(scratch_path("k.cl"), "w");
    assert_non_null(file);
    fputs("first\n    if (a < b) second;\n", file);
    fclose(file);
    write_trace("lines.txt", "# source 000000 k.cl:2\n# source 000008 dir/gone.cl:7\n" KNOWN);
    assert_int_equal(run("lines.txt -o lines.svg"), 0);
    must_hold("lines.svg", "start\">75.0 %  k.cl:2  if (a &lt; b) second;</text>");
    must_hold("lines.svg", "start\">25.0 %  gone.cl:7</text>");
    must_hold("lines.svg",
              "<rect x=\"64.0\" y=\"191.0\" width=\"53.3\" height=\"11.0\" fill=\"#eecc66\"/>"); /* a third */
    write_trace("plain.txt", KNOWN);
    assert_int_equal(run("plain.txt -o plain.svg"), 0);
    assert_null(strstr(read_file("plain.svg"), ">lines<"));
}

static void test_view_draws_what_is_known(void **state) {
    (void)state;
    write_trace("known.txt", KNOWN);
    assert_int_equal(run("known.txt -o known.svg"), 0);
    must_hold("out", "known.txt: 4 warp instructions, cycles 0 to 800, 22.0 of 32 lanes active; of the warps' time "
                     "issue 50.0 %, memory 25.0 %, barrier 25.0 %, branch 0.0 %\n");
    must_hold("known.svg", ">known.txt</text>");
    must_hold("known.svg", ">SM 0</text>");
    must_hold("known.svg", "<rect x=\"64.0\" y=\"66.0\" width=\"1.0\" height=\"13.0\" fill=\"#4477aa\"/>\n"
                           "<rect x=\"65.0\" y=\"66.0\" width=\"200.0\" height=\"13.0\" fill=\"#ee6677\"/>\n"
                           "<rect x=\"265.0\" y=\"72.5\" width=\"200.0\" height=\"6.5\" fill=\"#eecc66\"/>\n"
                           "<rect x=\"465.0\" y=\"75.8\" width=\"399.0\" height=\"3.2\" fill=\"#4477aa\"/>\n"
                           "<rect x=\"64.0\" y=\"66.0\" width=\"1.0\" height=\"13.0\" fill=\"#222\"/>\n");
    /* the share of the barrier: all of 200 columns, on what the others have */
    must_hold("known.svg", "<path fill=\"#ee6677\" d=\"M64 94.0V94.0h800V94.0h-599V142.0h-200V94.0h-1z");
    must_hold("known.svg", "</svg>\n");
}

static void test_view_draws_a_part(void **state) {
    (void)state;
    write_trace("known.txt", KNOWN);
    assert_int_equal(run("known.txt -o part.svg --from 0x65 --to 301 --title 'a<b & c'"), 0);
    must_hold("out", "2 warp instructions, cycles 101 to 301, ");
    must_hold("part.svg", ">a&lt;b &amp; c</text>");
    must_hold("part.svg", "width=\"400.0\" height=\"13.0\" fill=\"#ee6677\"/>\n");
    must_hold("part.svg", "<rect x=\"464.0\" y=\"72.5\" width=\"400.0\" height=\"6.5\" fill=\"#eecc66\"/>\n");
    assert_int_equal(run("known.txt -o nothing.svg --from 5000"), 2);
    must_hold("err", "known.txt: error: --from 5000: the trace has cycles 0 to 800\n");
}

/* SMs and slots are ordered, in any order of the records. */
static void test_view_orders_rows(void **state) {
    (void)state;
    write_trace("two.txt",
                LINE(5, 1, 9, ffffffff, "") LINE(6, 0, 2, ffffffff, " finished") LINE(7, 0, 1, ffffffff, ""));
    assert_int_equal(run("two.txt -o two.svg"), 0);
    const char *text = read_file("two.svg");
    const char *first = strstr(text, ">SM 0<"), *second = strstr(text, ">SM 1<");
    assert_true(first != NULL && second > first);
    assert_true(strstr(first, ">1<") < strstr(first, ">2<") && strstr(first, ">2<") < second);
    assert_non_null(strstr(second, ">9<"));
}

static void test_view_writes_other_forms(void **state) {
    (void)state;
    write_trace("known.txt", KNOWN);
    assert_int_equal(run("known.txt -o known.json"), 0);
    must_hold("known.json", "\"name\":\"wait: barrier\",\"dur\":199}");
    must_hold("known.json", "\"name\":\"GLD.U32 R1, global14 [R1]\",\"dur\":200,");
    assert_int_equal(run("- -o known.kanata < known.txt"), 0);
    must_hold("known.kanata", "Kanata\t0004\n");
    must_hold("known.kanata", "R\t3\t3\t0\n");
}

static void test_view_refuses(void **state) {
    (void)state;
    static const struct {
        const char *arguments, *message;
    } CASES[] = {
        {"known.txt",                          "warp-view: error: a trace and -o FILE are needed"               },
        {"-o x.svg",                           "a trace and -o FILE are needed"                                 },
        {"known.txt -o x.png",                 "the output is .svg, .json or .kanata by its suffix, not 'x.png'"},
        {"known.txt -o x.svg --from now",      "--from is a cycle, not 'now'"                                   },
        {"known.txt -o x.svg --from 9 --to 9", "--to is a cycle behind --from, not '9'"                         },
        {"known.txt -o no/x.svg",              "no/x.svg: error: "                                              },
        {"none.txt -o x.svg",                  "none.txt: error: "                                              },
        {"known.svg -o x.svg",                 "known.svg:1:1: error: expected the first line"                  },
        {"back.txt -o x.svg",                  "back.txt: error: cycle 4 stands behind cycle 5"                 },
        {"large.txt -o x.svg",                 "large.txt: error: sm16 slot0: a picture has 16 SMs of 64 slots" },
        {"cut.txt -o x.json",                  "cut.txt:2:"                                                     },
    };
    write_trace("known.txt", KNOWN);
    write_trace("back.txt", LINE(5, 0, 0, ffffffff, "") LINE(4, 0, 0, ffffffff, ""));
    write_trace("large.txt", LINE(5, 16, 0, ffffffff, ""));
    write_trace("cut.txt", "5 sm0 slot0 block(0,0)");
    assert_int_equal(run("known.txt -o known.svg"), 0);
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        if (run(CASES[i].arguments) != 2) fail_msg("warp-view %s: not refused", CASES[i].arguments);
        must_hold("err", CASES[i].message);
        assert_int_not_equal(access(scratch_path("x.svg"), F_OK), 0);
        assert_int_not_equal(access(scratch_path("x.json"), F_OK), 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_view_draws_what_is_known), cmocka_unit_test(test_view_shows_lines_of_the_source),
        cmocka_unit_test(test_view_draws_a_part),        cmocka_unit_test(test_view_orders_rows),
        cmocka_unit_test(test_view_writes_other_forms),  cmocka_unit_test(test_view_refuses),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
