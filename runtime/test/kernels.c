/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../cmodel/run/launch.h"

#define INDEX /* R1: thread number in the grid, times 4 */ \
    "MOV.U16 R1L, g [0x6].U16\n"                           \
    "I2I.U32.U16 R2, R0L\n"                                \
    "IMUL.U16.U16 R1, g [0x1].U16, R1L\n"                  \
    "IADD R1, R1, R2\n"                                    \
    "SHL R1, R1, 0x2\n"

const char KERNEL_ADD[] = ".kernel add\n.param 0, 0, 0, 0\n"
                          "MOV.U16 R1L, g [0x6].U16\n"
                          "I2I.U32.U16 R2, R0L\n"
                          "IMUL.U16.U16 R1, g [0x1].U16, R1L\n"
                          "IADD R1, R1, R2\n"
                          "ISET.C0 o [0x7f], g [0x7], R1, LE\n"
                          "RET C0.NE\n"
                          "SHL R1, R1, 0x2\n"
                          "IADD32 R2, g [0x4], R1\n"
                          "IADD32 R3, g [0x5], R1\n"
                          "GLD.U32 R2, global14 [R2]\n"
                          "GLD.U32 R3, global14 [R3]\n"
                          "IADD R1, g [0x6], R1\n"
                          "IADD R2, R2, R3\n"
                          "GST.U32 global14 [R1], R2\n"
                          ".end\n";

const char KERNEL_COUNT[] = ".kernel count\n.param 0\n" INDEX "IADD R1, g [0x4], R1\n"
                            "GLD.U32 R2, global14 [R1]\n"
                            "IADD32I R2, R2, 0x1\n"
                            "GST.U32 global14 [R1], R2\n"
                            ".end\n";

const char KERNEL_MISALIGNED[] = ".kernel misaligned\n.param 0\n"
                                 "MOV R1, g [0x4]\n"
                                 "GST.U32 global14 [R1], R1\n"
                                 "IADD32I R1, R1, 0x1\n"
                                 "GST.U32 global14 [R1], R1\n"
                                 ".end\n";

const char KERNEL_ENDLESS[] = ".kernel endless\n.param 0\n"
                              "MOV R1, g [0x4]\n"
                              "MVI R2, 0x0\n"
                              "again: IADD32I R2, R2, 0x1\n"
                              "GST.U32 global14 [R1], R2\n"
                              "BRA again\n";

const char KERNEL_SPIN[] = ".kernel loop\n.param 0\nagain: BRA again\n";

const char KERNEL_LOCAL[] = ".kernel local\n.param 0\n.local 16\n" INDEX "SHR R3, R1, 0x2\n"
                            "LST.U32 local [0x8], R3\n"
                            "LLD.U32 R4, local [0x8]\n"
                            "IADD R1, g [0x4], R1\n"
                            "GST.U32 global14 [R1], R4\n"
                            ".end\n";

struct image *kernel_image(const char *text) {
    struct launch run;
    struct diag d = {0};
    const size_t size = strlen(text);
    char *copy = malloc(size + 1);
    assert_non_null(copy);
    memcpy(copy, text, size + 1);
    if (launch_read("kernel.sass", copy, size, NULL, &run, &d) != STATUS_OK)
        fail_msg("%s:%u:%u: %s", d.file, d.line, d.column, d.text);
    free(copy);
    struct image *image = run.image;
    run.image = NULL;
    launch_release(&run);
    return image;
}

void kernel_shape(struct image *image, unsigned groups, unsigned threads) {
    image->grid[0] = groups;
    image->block[0] = threads;
    image->grid[1] = image->block[1] = image->block[2] = 1;
}

void kernel_params(struct image *image, const uint32_t *words, size_t count) {
    image->param_count = 0;
    for (size_t i = 0; i < count; i++) assert_int_equal(image_add_param(image, words[i]), STATUS_OK);
}
