/* SPDX-License-Identifier: Apache-2.0 */
/* Traces of warp-run: contents, formats and limits. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "../../test/fixture.h"
#include "../../test/scratch.h"
#include "runner.h"

/* The trace ends below the limit in any format, and the run continues; a small limit leaves the first lines. */
static void test_run_limits_a_trace(void **state) {
    (void)state;
    char command[128];
    scratch_write("loop.sass", ".block 64\nMVI R1, 0\nagain: IADD32I R1, R1, 1\nBRA again\n");
    static const char *const FORMS[] = {"txt", "json", "kanata"};
    for (size_t i = 0; i < sizeof FORMS / sizeof FORMS[0]; i++) {
        snprintf(command, sizeof command, "$D/loop.sass --max-cycles 50000 --trace-limit 1M --trace $D/large.%s",
                 FORMS[i]);
        runner_check(command, 3, "err", "warning: the trace is cut after ");
        runner_check(command, 3, "err", ": --trace-limit of 1048576 bytes\n");
        snprintf(command, sizeof command, "s=$(stat -c %%s %s/large.%s); test $s -le 1048576 && test $s -gt 700000",
                 scratch, FORMS[i]);
        assert_int_equal(system(command), 0);
    }
    runner_check("$D/loop.sass --max-cycles 500 --trace-limit=0 --trace=$D/large.txt", 3, "err", "hang");
    snprintf(command, sizeof command, "test $(wc -l <%s/large.txt) = 501", scratch);
    assert_int_equal(system(command), 0);
    runner_check("$D/loop.sass --trace-limit 4X", 2, "err", "--trace-limit '4X': expected a number of bytes");
    runner_check("--help", 0, "out", "--trace-limit BYTES");
    json_t *root;
    snprintf(command, sizeof command, "%s/large.json", scratch);
    assert_non_null(root = json_load_file(command, 0, NULL));
    assert_non_null(
        strstr(json_string_value(json_object_get(json_object_get(root, "otherData"), "cut")), "--trace-li"));
    json_decref(root);
}

/* A wide access register by register, word by word. */
static void test_run_traces_wide_accesses(void **state) {
    (void)state;
    char text[8192];
    scratch_write("wide.sass", ".kernel wide\n.block 1\n.reg 8\n.global 0 = 0x11, 0x22, 0x33, 0x44\n"
                               "        GLD.S128 R4, global14 [R124]\n"
                               "        GST.S64 global14 [R124], R6\n"
                               "        RET\n");
    assert_int_equal(runner_run("$D/wide.sass --trace $D/wide.txt"), 0);
    scratch_read("wide.txt", text, sizeof text);
    assert_non_null(strstr(text, " R4=00000011 R5=00000022 R6=00000033 R7=00000044 gld16 addr=00000000 next="));
    assert_non_null(strstr(text, " gst8 addr=00000000 data=00000033 data+4=00000044 next="));
}

static void test_run_traces_narrow_accesses(void **state) {
    (void)state;
    char text[8192];
    scratch_write("narrow.sass", ".kernel narrow\n.block 1\n.reg 8\n.local 4\n.global 0 = 0x11223344\n"
                                 "        MVI R2, 0x55667788\n"
                                 "        MOV.U16 R4H, R2L\n"
                                 "        GST.U8 global14 [R124], R2\n"
                                 "        GST.U16 global14 [R124], R2\n"
                                 "        ADA A1, A0, 0x2\n"
                                 "        LST.U8 local [A1+0x1], R2\n"
                                 "        LLD.U8 R5, local [A1+0x1]\n"
                                 "        RET\n");
    assert_int_equal(runner_run("$D/narrow.sass --trace $D/narrow.txt"), 0);
    scratch_read("narrow.txt", text, sizeof text);
    assert_non_null(strstr(text, " R4H=7788 next="));
    assert_non_null(strstr(text, " gst1 addr=00000000 data=88 next="));
    assert_non_null(strstr(text, " gst2 addr=00000000 data=7788 next="));
    assert_non_null(strstr(text, " A1=0002 next="));
    assert_non_null(strstr(text, " lst1 addr=00000003 data=88 next="));
    assert_non_null(strstr(text, " R5=00000088 lld1 addr=00000003 next="));
}

static void test_run_writes_traces(void **state) {
    (void)state;
    char content[16384];
    scratch_write("store.sass", RUNNER_STORE);
    scratch_write("st\xc3\xb6re.sass", RUNNER_STORE);
    assert_int_equal(runner_run("$D/store.sass --trace $D/t.txt"), 0);
    scratch_read("t.txt", content, sizeof content);
    assert_non_null(strstr(content, "0 sm0 slot0 block(0,0) warp0 000000: I2I.U32.U16 R1, R0L | active=ffffffff "
                                    "exec=ffffffff word=a0000005,04000780 R1=00000000,00000001"));
    assert_non_null(strstr(content, " gst4 addr=00000100,00000104,"));
    assert_non_null(strstr(content, "finished"));

    /* after a trap, too */
    assert_int_equal(runner_run("kernels/traps/global-range.sass --trace $D/trap.txt"), 3);
    scratch_read("trap.txt", content, sizeof content);
    assert_non_null(strstr(content,
                           " trap: global memory access out of range: lane 30 of lanes c0000000: 4 bytes at 0x40000, "
                           "global memory ends at 0x40000; R1 0x0000001e, R2 0x00040000\n"));
    assert_int_equal(runner_run("kernels/traps/global-range.sass --trace $D/trap.json"), 3);
    scratch_read("trap.json", content, sizeof content);
    assert_non_null(strstr(content, ",\"trap\":\"global memory access out of range: lane 30 "));
    assert_int_equal(runner_run("kernels/traps/global-range.sass --trace $D/trap.kanata"), 3);
    scratch_read("trap.kanata", content, sizeof content);
    assert_non_null(strstr(content, "GST.U32 global14 [R2], R1, trap: global memory access out of range: lane 30 "));

    assert_int_equal(runner_run("$D/st\xc3\xb6re.sass --trace $D/t.json"), 0);
    char path[64];
    snprintf(path, sizeof path, "%s/t.json", scratch);
    json_t *root = json_load_file(path, 0, NULL);
    assert_non_null(root);
    const json_t *events = json_object_get(root, "traceEvents");
    const json_t *event, *first = NULL;
    size_t i, instructions = 0;
    json_array_foreach(events, i, event) {
        const json_t *args = json_object_get(event, "args");
        if (json_object_get(args, "pc") != NULL && instructions++ == 0) first = args;
    }
    assert_int_equal(instructions, 6);
    assert_non_null(strstr(json_string_value(json_object_get(first, "source")), "/st\xc3\xb6re.sass"));
    json_decref(root);

    assert_int_equal(runner_run("$D/store.sass --trace $D/t.kanata"), 0);
    scratch_read("t.kanata", content, sizeof content);
    assert_non_null(strstr(content, "Kanata\t0004\nC=\t0\nI\t0\t0\t0\nL\t0\t0\tsm0 warp 0"));
    assert_non_null(strstr(content, "R\t5\t5\t0\n"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_run_limits_a_trace),
        cmocka_unit_test(test_run_traces_wide_accesses),
        cmocka_unit_test(test_run_traces_narrow_accesses),
        cmocka_unit_test(test_run_writes_traces),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
