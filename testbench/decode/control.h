/* SPDX-License-Identifier: Apache-2.0 */
/* The control signals of rtl/decode_*.vhd by name (control.def), and what they must be for an instruction word.
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
#define CONTROL(name, bits) CONTROL_##name,
#include "control.def"
#undef CONTROL
    CONTROL_COUNT
};

/* What decode must say of a word. A signal that has no effect on this instruction is not known. */
struct expectation {
    uint32_t value[CONTROL_COUNT];
    bool known[CONTROL_COUNT];
};

/* Values of the enumerations of rtl/gpu_pkg.vhd, by position. */
enum source {
    SRC_ZERO,
    SRC_REG32,
    SRC_REG16,
    SRC_SHARED,
    SRC_CONST,
    SRC_IMM,
    SRC_AREG,
    SRC_CREG,
    SRC_SPECIAL,
    SRC_TID,
    SRC_LOCAL
};
enum dest { DST_NONE, DST_REG32, DST_REG16 };
enum alu {
    ALU_PASS_A,
    ALU_PASS_B,
    ALU_ADD,
    ALU_MUL,
    ALU_SAD,
    ALU_COMPARE,
    ALU_MIN,
    ALU_MAX,
    ALU_SHL,
    ALU_SHR,
    ALU_LOGIC,
    ALU_CONVERT
};
enum mem {
    MEM_NONE,
    MEM_SHARED_STORE,
    MEM_GLOBAL_LOAD,
    MEM_GLOBAL_STORE,
    MEM_LOCAL_LOAD,
    MEM_LOCAL_STORE,
    MEM_GLOBAL_ATOMIC
};
enum flow {
    FLOW_NONE,
    FLOW_BRA,
    FLOW_CAL,
    FLOW_RET,
    FLOW_PBK,
    FLOW_BRK,
    FLOW_SSY,
    FLOW_BRX,
    FLOW_PRET,
    FLOW_BAR,
    FLOW_BREAKPOINT
};
enum decode_trap { DECODE_FINE, DECODE_UNDEFINED, DECODE_UNIMPLEMENTED };

/* Works out from isa_decode what the RTL must say of the word pair. */
void expect_control(uint32_t lo, uint32_t hi, struct expectation *must);

/* The Verilog of decode_flat.vhd. */
struct decoder;
struct decoder *decoder_create(void);
void decoder_destroy(struct decoder *decoder);
void decoder_run(struct decoder *decoder, uint32_t lo, uint32_t hi, uint32_t is[CONTROL_COUNT]);

#endif
