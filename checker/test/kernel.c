/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "../../assembler/isa/isa.h"

const char *const KERNEL_MIXED[] = {
    "SHL R1, R0, 0x2",
    "GLD.U32 R2, global14[R1]",
    "IADD R3, R2, R0",
    "LOP.AND.C0 R4, R0, R3",
    "GST.U32 global14[R1] (C0.NE), R3",
    "R2G.U32.U32 g[0x8], R3",
    "BAR.ARV.WAIT b0, 0xfff",
    "MOV R5, g [0x8]",
    "MVC R6, c[0x1] [0x1]",
    "SSY 0x60",
    "BRA C0.NE, 0x60",
    "IADD R5, R5, R6",
    "NOP.S",
    "RET",
    NULL,
};

const char *const KERNEL_WIDE[] = {
    "SHL R1, R0, 0x4",
    "GLD.S128 R4, global14[R1]",
    "GLD.S64 R2, global14[R1]",
    "IADD R5, R5, R0",
    "GST.S64 global14[R1], R4",
    "GST.S128 global14[R1], R4",
    "RET",
    NULL,
};

const char *const KERNEL_TRAP[] = {"SHL R1, R0, 0x2", "GST.U32 global14[R0], R1", "RET", NULL};

const char *const KERNEL_STUCK[] = {
    "SHR.C0 R1, R0, 0x5", "BRA C0.NE, 0x20", "BAR.ARV.WAIT b0, 0xfff", "RET", "BAR.ARV.WAIT b1, 0xfff", "RET", NULL,
};

const char *const KERNEL_LOOP[] = {"BRA 0x0", NULL};

static void add_instruction(struct image *image, const char *text) {
    struct isa_error error;
    uint32_t lo, hi;
    if (!isa_parse(text, strlen(text), NULL, &lo, &hi, &error)) fail_msg("%s: %s", text, error.text);
    assert_int_equal(image_add_code(image, lo), STATUS_OK);
    if (isa_is_long(lo)) assert_int_equal(image_add_code(image, hi), STATUS_OK);
}

struct launch kernel_make(const char *const *texts, unsigned grid_x, unsigned block_x, const struct machine *machine) {
    static const uint8_t CONSTANTS[8] = {1, 2, 3, 4, 5, 6, 7, 8}, DATA[6] = {9, 0, 0xff, 0xff, 0xff, 0x7f};
    struct launch run = {.image = image_create(), .max_cycles = 1000000};
    struct diag d = {0};
    assert_non_null(run.image);
    for (; *texts != NULL; texts++) add_instruction(run.image, *texts);
    run.image->grid[0] = grid_x;
    run.image->block[0] = block_x;
    run.image->grid[1] = run.image->block[1] = run.image->block[2] = 1;
    run.image->shared_bytes = 64;
    assert_int_equal(image_set_const(run.image, 1, 0, CONSTANTS, sizeof CONSTANTS), STATUS_OK);
    assert_int_equal(image_add_global(run.image, 2, DATA, sizeof DATA), STATUS_OK);
    if (launch_check(&run, machine, &d) != STATUS_OK) fail_msg("%s", d.text);
    return run;
}

void kernel_release(struct launch *run) { image_destroy(run->image); }
