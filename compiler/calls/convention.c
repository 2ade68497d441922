/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of arguments and results: input i of a routine is in R[i] at its CAL, output i in R[i] behind it. */
#include "calls.h"

static ir_reg fixed_reg(struct ir *ir, size_t home) {
    const ir_reg reg = ir_new_reg(ir, IR_R);
    ir->regs[reg].fixed = (int)home;
    return reg;
}

void calls_place_ends(struct ir_routine *r) {
    struct ir *ir = r->ir;
    struct ir_block *entry = ir_new_block(ir);
    for (size_t i = 0; i < r->input_count; i++) {
        struct ir_insn *move = ir_append(ir, entry, IR_MOV);
        move->src[0] = ir_use(fixed_reg(ir, i));
        move->dst = r->inputs[i];
    }
    entry->end = IR_JUMP;
    entry->next[0] = ir->entry;
    ir->entry = entry;
    for (size_t i = 0; i < r->output_count; i++) {
        struct ir_insn *keep = r->outputs[i], *move = ir_insert(ir, r->outputs[0], IR_MOV);
        move->src[0] = keep->src[0];
        move->dst = fixed_reg(ir, i);
        keep->src[0] = ir_use(move->dst);
    }
}

static void place_values(struct ir *ir, struct ir_insn *insn) {
    const struct ir_routine *r = insn->call->routine;
    struct ir_insn *next = insn->next;
    for (size_t i = 0; i < r->input_count; i++) {
        struct ir_insn *move = ir_insert(ir, insn, IR_MOV);
        move->src[0] = ir_use(insn->call->arguments[i]);
        move->dst = insn->call->arguments[i] = fixed_reg(ir, i);
    }
    for (size_t i = 0; i < r->output_count; i++) {
        struct ir_insn *move = next != NULL ? ir_insert(ir, next, IR_MOV) : ir_append(ir, insn->block, IR_MOV);
        move->place = insn->place;
        move->dst = insn->call->results[i];
        insn->call->results[i] = fixed_reg(ir, i);
        move->src[0] = ir_use(insn->call->results[i]);
    }
}

void calls_place_values(struct ir *ir) {
    for (size_t i = 0; i < ir->block_count; i++)
        for (struct ir_insn *insn = ir->blocks[i]->first, *next; insn != NULL; insn = next) {
            next = insn->next;
            if (insn->call != NULL) place_values(ir, insn);
        }
}

struct calls_use calls_find_use(const struct ir *ir, unsigned registers) {
    struct calls_use use = {.registers = registers};
    for (ir_reg r = 1; r < ir->reg_count; r++) {
        if (ir->regs[r].home < 0) continue;
        if (ir->regs[r].cls == IR_C) use.flags |= 1u << ir->regs[r].home;
        if (ir->regs[r].cls == IR_A) use.addresses |= 1u << ir->regs[r].home;
    }
    for (size_t i = 0; i < ir->order_count; i++)
        for (const struct ir_insn *insn = ir->order[i]->first; insn != NULL; insn = insn->next) {
            if (insn->call == NULL) continue;
            const struct ir_routine *r = insn->call->routine;
            if (r->registers > use.registers) use.registers = r->registers;
            use.flags |= r->flags;
            use.addresses |= r->addresses;
        }
    return use;
}
