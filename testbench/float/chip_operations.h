/* SPDX-License-Identifier: Apache-2.0 */
/* The operations of golden/silicon/ as instructions of the model.
 *
 *     struct chip_model model;
 *     if (chip_model_open(&CHIP_OPERATION[0], &model)) chip_model_run(&model, false, &operands, value);
 */
#ifndef WARPSTEP_TESTBENCH_FLOAT_CHIP_OPERATIONS_H
#define WARPSTEP_TESTBENCH_FLOAT_CHIP_OPERATIONS_H

#include <stdint.h>

#include "cmodel/core/exec.h"
#include "unit_model.h"

/* The sources of an instruction. */
enum chip_sources {
    CHIP_ONE,        /* a = the operand */
    CHIP_TWO,        /* a = x, b = y, c = 0 */
    CHIP_LOW_HALVES, /* of x and y */
    CHIP_SELECTION,  /* a = x, b = not x, c = y */
};

struct chip_operation {
    const char *name;   /* as in the tables */
    const char *before; /* an instruction whose result becomes the other one's a, or NULL */
    const char *text;
    enum chip_sources sources;
};

/* Those of one source come first. */
enum { CHIP_ONE_SOURCE = 28, CHIP_TWO_SOURCES = 48, CHIP_OPERATIONS = CHIP_ONE_SOURCE + CHIP_TWO_SOURCES };
extern const struct chip_operation CHIP_OPERATION[CHIP_OPERATIONS];

/* The sources of one lane, from a pair; y is ignored with one source. */
void chip_operands_set(struct unit_operands *o, unsigned lane, enum chip_sources sources, uint32_t x, uint32_t y);

/* The model's functions of an operation, the portable and the AVX2 version, or the portable one twice. */
struct chip_model {
    struct isa_insn before, insn;
    exec_fn *before_lanes[2], *lanes[2]; /* before_lanes: NULL without a first instruction */
};

/* False if a text is no instruction that the model executes lane by lane. */
bool chip_model_open(const struct chip_operation *operation, struct chip_model *model);

/* The results of 32 lanes; a result of 16 bits is zero-extended. */
void chip_model_run(const struct chip_model *model, bool avx2, const struct unit_operands *o,
                    uint32_t value[WARP_LANES]);

#endif
