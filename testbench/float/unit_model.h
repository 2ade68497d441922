/* SPDX-License-Identifier: Apache-2.0 */
/* An instruction of floating point on 32 operands, executed by the units of the RTL and by the model.
 *
 *     unit_by_rtl(unit, &insn, &operands, &is);
 *     unit_by_model(&insn, &operands, &must); */
#ifndef WARPSTEP_TESTBENCH_FLOAT_UNIT_MODEL_H
#define WARPSTEP_TESTBENCH_FLOAT_UNIT_MODEL_H

#include "assembler/isa/isa.h"
#include "cmodel/machine.h"

struct unit_operands {
    uint32_t a[WARP_LANES], b[WARP_LANES], c[WARP_LANES];
};

struct unit_results {
    uint32_t value[WARP_LANES];
    uint8_t flags[WARP_LANES]; /* OCSZ */
};

struct float_unit;

/* True for an instruction of the units. */
bool unit_executes(const struct isa_insn *insn);
void unit_by_rtl(struct float_unit *unit, const struct isa_insn *insn, const struct unit_operands *o,
                 struct unit_results *r);
void unit_by_model(const struct isa_insn *insn, const struct unit_operands *o, struct unit_results *r);

#endif
