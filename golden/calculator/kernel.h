/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel with its launch: code, initial memories, and the expected values. */
#ifndef CALCULATOR_KERNEL_H
#define CALCULATOR_KERNEL_H

#include "instruction.h"
#include "source.h"

/* A value of .expect, .global, .const or .param: `count` consecutive cells of this size. */
struct cells {
    uint32_t address, count, value;
    unsigned bytes;
    const struct statement *statement;
    size_t begin, end; /* of the value (with .fill: of all of it) in the statement's text */
};

struct kernel {
    struct source source;
    struct step {
        struct instruction instruction;
        const struct statement *origin;
    } * code;
    size_t code_count;
    uint32_t grid[2], block[3];
    unsigned registers;
    struct memory global, constant[BANKS];
    uint32_t *parameters;
    size_t parameter_count;
    uint32_t local_bytes;
    struct cells *expected;
    size_t expected_count;
};

void kernel_read(struct kernel *kernel, const char *path);

/* Runs the launch; kernel->global then holds its results. */
void kernel_run(struct kernel *kernel);

#endif
