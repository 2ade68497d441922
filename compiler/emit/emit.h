/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel and its routines whose registers have homes, as SASS text. */
#ifndef WARPSTEP_CC_EMIT_H
#define WARPSTEP_CC_EMIT_H

#include "../ir/ir.h"

/* One line of text for each instruction; the place of each line in `places` (by line number from 1). */
struct emit_text {
    char *text;
    size_t size;
    size_t body, body_size; /* the instructions in it */
    const struct cc_place **places;
    size_t line_count, line_capacity;
};

struct emit_head {
    const char *name;
    unsigned arch, registers, shared_bytes, local_bytes;
};

/* The kernel, and behind it those of the routines that are called. */
void emit_kernel(struct ir *ir, struct ir_routine *const *routines, size_t count, const struct emit_head *head,
                 struct emit_text *out);

/* join.c: markers for joins of their own. */
void emit_merge_joins(struct ir *ir);

/* insn.c: an instruction without its end of line. Literals are added to ir->literals. */
void emit_insn(struct ir *ir, const struct ir_insn *insn, bool is_half, FILE *out);

/* form.c */
bool emit_can_end(const struct ir *ir, const struct ir_insn *insn);        /* has room for END or .S */
bool emit_takes_in_place(const struct ir *ir, const struct ir_insn *insn); /* the immediate form */
bool emit_fits_half(const struct ir *ir, const struct ir_insn *insn);      /* two of these take 8 bytes */
uint32_t emit_cell_bytes(uint8_t cell);

const char *emit_cond(uint8_t cond);

#endif
