/* SPDX-License-Identifier: Apache-2.0 */
/* A board against the model by its hashes: a correct board, and boards on which an operation gives wrong bits in one
 * core. The test's own model tells the first instruction that this changes, in the order of blocks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
/* cmocka.h needs the headers above */
#include <cmocka.h>

#include "../../assembler/isa/isa.h"
#include "../../cmodel/model.h"
#include "../check.h"
#include "fake_board.h"

enum { WAIT_MS = 60, BAUD = 1000000, TEXT = 16384, CORES = 8 };

static const struct fake_options RIGHT = {.sim = NULL};

/* The output of a check. */
struct told {
    enum status status;
    bool agrees;
    struct diag d;
    char text[TEXT];
};

static void read_kernel(const char *path, struct launch *run) {
    char name[256], *arguments[] = {"run", name, NULL};
    snprintf(name, sizeof name, "%s", path);
    struct machine machine = MACHINE_DEFAULT;
    struct diag d;
    assert_int_equal(launch_parse(2, arguments, NULL, NULL, &machine, NULL, run, &d), STATUS_OK);
    assert_int_equal(launch_check(run, &machine, &d), STATUS_OK);
}

static void check_on(const struct fake_options *fake, const char *path, struct told *told) {
    const struct board_options options = {.port = "fake", .baud = BAUD, .wait_ms = WAIT_MS};
    struct launch run;
    struct board board;
    size_t bytes[2];
    memset(told, 0, sizeof *told);
    FILE *out = fmemopen(told->text, sizeof told->text - 1, "w");
    read_kernel(path, &run);
    assert_int_equal(board_open_on(fake_line_open(fake, bytes), &options, &board, &told->d), STATUS_OK);
    told->status = check_run(&board, &run, out, &told->agrees, &told->d);
    board_close(&board);
    launch_release(&run);
    fclose(out);
}

static void assert_tells(const struct told *told, const char *text) {
    if (strstr(told->text, text) == NULL) fail_msg("'%s' is not in '%s'", text, told->text);
}

static void test_check_agrees_with_a_right_board(void **state) {
    static const char *const KERNELS[] = {"kernels/apps/vecadd.sass", "kernels/apps/edge-rgb.sass",
                                          "kernels/apps/reduce.sass", "kernels/bringup/08-local.sass"};
    struct told told;
    (void)state;
    for (size_t i = 0; i < sizeof KERNELS / sizeof KERNELS[0]; i++) {
        check_on(&RIGHT, KERNELS[i], &told);
        assert_int_equal(told.status, STATUS_OK);
        assert_tells(&told, "warp instructions as in the model\n");
        assert_true(told.agrees);
    }
}

/* The first record that these bits change; the model's previous record in the same block is right. */
static struct retire first_changed(const char *path, const struct fake_stuck *stuck) {
    struct machine machine = MACHINE_DEFAULT;
    struct launch run;
    struct retire r;
    struct isa_insn insn;
    struct diag d;
    machine.blocks = 1;
    read_kernel(path, &run);
    struct model *m = model_create(&machine);
    assert_int_equal(model_launch(m, run.image, &d), STATUS_OK);
    bool found = false;
    while (!found && model_run_step(m, &r) == MODEL_RETIRED)
        for (unsigned lane = stuck->core; lane < WARP_LANES; lane += CORES)
            found |= isa_decode(r.word_lo, r.word_hi, &insn) == ISA_OK && insn.op == stuck->op &&
                     r.dst_kind == RETIRE_DST_REG32 && (r.dst_mask >> lane & 1) != 0 &&
                     (stuck->bits & ~r.dst[lane]) != 0;
    model_destroy(m);
    launch_release(&run);
    assert_true(found);
    return r;
}

static void assert_finds(const char *path, struct fake_stuck stuck) {
    const struct fake_options fake = {.stuck = stuck};
    const struct retire first = first_changed(path, &stuck);
    char place[64], pc[32];
    struct told told;
    check_on(&fake, path, &told);
    assert_int_equal(told.status, STATUS_OK);
    assert_false(told.agrees);
    snprintf(place, sizeof place, "block (%u,%u), warp %u,", first.block_x, first.block_y, first.warp);
    snprintf(pc, sizeof pc, "pc 0x%x,", first.pc);
    assert_tells(&told, place);
    assert_tells(&told, pc);
    assert_tells(&told, "expected (model)");
    assert_tells(&told, "check: not as in the model, found in ");
}

static void test_check_finds_the_first_wrong_instruction(void **state) {
    static const struct {
        const char *kernel;
        struct fake_stuck stuck;
    } FAULTS[] = {
        {"kernels/apps/edge-rgb.sass",          {OP_IMAX, 5, 0x10000}   },
        {"kernels/apps/edge-rgb.sass",          {OP_SHR, 1, 0x1}        },
        {"kernels/apps/reduce.sass",            {OP_IADD, 0, 0x80000000}},
        {"kernels/apps/reduce.sass",            {OP_MOV, 7, 0x8000}     },
        {"kernels/apps/vecadd.sass",            {OP_GLD, 3, 0x40}       },
        {"kernels/apps/bitonic.sass",           {OP_LOP, 6, 0x100}      },
        {"kernels/formats/X-gld-gst-128.sass",  {OP_GLD, 4, 0x2}        },
        {"kernels/formats/X-lld-lst.sass",      {OP_LLD, 2, 0x800}      },
        {"kernels/bringup/10-alu.sass",         {OP_IMIN, 3, 0x00100000}},
        {"kernels/bringup/20-application.sass", {OP_LOP, 0, 0x4}        },
    };
    (void)state;
    for (size_t i = 0; i < sizeof FAULTS / sizeof FAULTS[0]; i++) assert_finds(FAULTS[i].kernel, FAULTS[i].stuck);
}

/* The wrong bit makes addresses that trap: the report names the origin of the address. */
static void test_check_finds_what_led_to_a_trap(void **state) {
    (void)state;
    assert_finds("kernels/apps/vecadd.sass", (struct fake_stuck){.op = OP_SHL, .core = 2, .bits = 0x40000000});
}

static void test_check_refuses_what_it_cannot_know(void **state) {
    const struct fake_options without = {.no_hashes = true};
    struct told told;
    (void)state;
    check_on(&without, "kernels/apps/vecadd.sass", &told);
    assert_int_equal(told.status, STATUS_BAD_INPUT);
    assert_string_equal(told.d.text,
                        "this board computes no hash: set HAS_HASH=true in its line of fpga/boards/boards.tsv");
    check_on(&RIGHT, "kernels/traps/global-range.sass", &told);
    assert_int_equal(told.status, STATUS_BAD_INPUT);
    assert_string_equal(told.d.text, "cannot be checked: on the model it traps, see warp-run");
    check_on(&RIGHT, "kernels/bringup/01-alive.sass", &told);
    assert_int_equal(told.status, STATUS_BAD_INPUT);
    assert_non_null(strstr(told.d.text, "cannot be checked: only the board knows the result of S2R"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_check_agrees_with_a_right_board),
        cmocka_unit_test(test_check_finds_the_first_wrong_instruction),
        cmocka_unit_test(test_check_finds_what_led_to_a_trap),
        cmocka_unit_test(test_check_refuses_what_it_cannot_know),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
