/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a kernel and its routines as SASS text, after register allocation. */
#ifndef WARPSTEP_CC_EMIT_H
#define WARPSTEP_CC_EMIT_H

#include "../ir/ir.h"

/* SASS text with one line an instruction. `places` has the place of each line (index: line number from 1). */
struct emit_text {
    char *text;
    size_t size;
    size_t body, body_size; /* the instructions within the text */
    const struct cc_place **places;
    size_t line_count, line_capacity;
};

struct emit_head {
    const char *name;
    unsigned arch, registers, shared_bytes, local_bytes;
};

/* Writes the kernel, then each routine that is not inlined. */
void emit_kernel(struct ir *ir, struct ir_routine *const *routines, size_t count, const struct emit_head *head,
                 struct emit_text *out);

/* join.c: merges a join of its own into the next instruction. */
void emit_merge_joins(struct ir *ir);

/* insn.c: writes an instruction without the end of its line. Adds literals to ir->literals. */
void emit_insn(struct ir *ir, const struct ir_insn *insn, bool is_half, FILE *out);

/* form.c */
bool emit_can_end(const struct ir *ir, const struct ir_insn *insn);        /* can carry END or .S */
bool emit_takes_in_place(const struct ir *ir, const struct ir_insn *insn); /* has an immediate form for its operand */
bool emit_fits_half(const struct ir *ir, const struct ir_insn *insn);      /* may be one of two halves */
uint32_t emit_cell_bytes(uint8_t cell);

const char *emit_cond(uint8_t cond);

#endif
