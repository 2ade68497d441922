/* SPDX-License-Identifier: Apache-2.0 */
/* The control signals of rtl/decode_*.vhd by name (spec/control.def), and their required values for an instruction
 * word.
 *
 *     struct expectation must;
 *     expect_control(lo, hi, &must);              // from the instruction table
 *     decoder_run(decoder, lo, hi, is);           // from the RTL, in Verilator
 *     if (must.known[CONTROL_imm] && must.value[CONTROL_imm] != is[CONTROL_imm]) ...
 */
#ifndef WARPSTEP_DECODE_CONTROL_H
#define WARPSTEP_DECODE_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

enum control {
    CONTROL_is_long,
#define CONTROL(name, type, bits, text) CONTROL_##name,
#include "../../spec/control.def"
    CONTROL_COUNT
};

/* The required values for a word. A signal without effect on this instruction is unknown. */
struct expectation {
    uint32_t value[CONTROL_COUNT];
    bool known[CONTROL_COUNT];
};

/* Values of the enumerations, in the RTL's numbering. */
enum source {
#define SOURCE(name, text) SRC_##name,
#include "../../spec/control.def"
};
enum dest {
#define DEST(name, text) DST_##name,
#include "../../spec/control.def"
};
enum alu {
#define ALU(name, text) ALU_##name,
#include "../../spec/control.def"
};
enum mem {
#define MEM(name, text) MEM_##name,
#include "../../spec/control.def"
};
enum flow {
#define FLOW(name, text) FLOW_##name,
#include "../../spec/control.def"
};
enum float_op {
#define FLOAT(name, text) FLOAT_##name,
#include "../../spec/control.def"
};
enum special_op {
#define SPECIAL(name, text) SPECIAL_##name,
#include "../../spec/control.def"
};
enum decode_trap { DECODE_FINE, DECODE_UNDEFINED, DECODE_UNIMPLEMENTED };

/* Derives the RTL's required values for the word pair from isa_decode. */
void expect_control(uint32_t lo, uint32_t hi, struct expectation *must);

/* The Verilog of decode_flat.vhd. */
struct decoder;
struct decoder *decoder_create(void);
void decoder_destroy(struct decoder *decoder);
void decoder_run(struct decoder *decoder, uint32_t lo, uint32_t hi, uint32_t is[CONTROL_COUNT]);

#endif
