/* SPDX-License-Identifier: Apache-2.0 */
/* Inlines routines. A call ends its block, the body follows, and the instructions behind the call begin a new block. */
#include <string.h>

#include "calls.h"

struct copy {
    struct ir *to;
    const struct ir_routine *routine;
    const struct ir_insn *call;
    ir_reg base;            /* register r of the body is base + r */
    struct ir_block *after; /* continuation behind the call */
};

static ir_reg renamed(const struct copy *c, ir_reg r) { return r != 0 ? c->base + r : 0; }

static void append(struct ir_block *b, struct ir_insn *insn) {
    insn->block = b;
    insn->next = NULL;
    insn->prev = b->last;
    if (b->last != NULL)
        b->last->next = insn;
    else
        b->first = insn;
    b->last = insn;
}

static struct ir_call *copy_call(const struct copy *c, const struct ir_call *call) {
    const struct ir_routine *r = call->routine;
    struct ir_call *made = CC_NEW(c->to->cc, struct ir_call);
    made->routine = call->routine;
    made->arguments = CC_ARRAY(c->to->cc, ir_reg, r->input_count);
    made->results = CC_ARRAY(c->to->cc, ir_reg, r->output_count);
    for (size_t i = 0; i < r->input_count; i++) made->arguments[i] = renamed(c, call->arguments[i]);
    for (size_t i = 0; i < r->output_count; i++) made->results[i] = renamed(c, call->results[i]);
    return made;
}

static const struct cc_place *place_in(const struct copy *c, const struct cc_place *place) {
    return c->routine->has_no_lines ? c->call->place : place;
}

static void copy_insn(const struct copy *c, struct ir_block *to, const struct ir_insn *insn) {
    struct ir_insn *made = CC_NEW(c->to->cc, struct ir_insn);
    *made = *insn;
    for (unsigned i = 0; i < 3; i++) made->src[i].reg = renamed(c, insn->src[i].reg);
    for (unsigned i = 0; i < IR_MORE; i++) made->more[i] = renamed(c, insn->more[i]);
    made->dst = renamed(c, insn->dst);
    made->fdst = renamed(c, insn->fdst);
    made->guard = renamed(c, insn->guard);
    made->carry = renamed(c, insn->carry);
    made->place = place_in(c, insn->place);
    if (insn->call != NULL) made->call = copy_call(c, insn->call);
    append(to, made);
}

static void move(const struct copy *c, struct ir_block *to, ir_reg dst, struct ir_operand src) {
    struct ir_insn *insn = ir_append(c->to, to, IR_MOV);
    insn->src[0] = src;
    insn->dst = dst;
    insn->place = c->call->place;
}

static void copy_block(const struct copy *c, const struct ir_block *b) {
    struct ir_block *to = b->copy;
    for (const struct ir_insn *insn = b->first; insn != NULL; insn = insn->next)
        if (insn->op != IR_KEEP) copy_insn(c, to, insn);
    to->end = b->end;
    to->guard = renamed(c, b->guard);
    to->cond = b->cond;
    to->place = place_in(c, b->place);
    for (unsigned k = 0; k < 2; k++) to->next[k] = b->next[k] != NULL ? b->next[k]->copy : NULL;
    const bool returns = b->end == IR_RETURN && (b == c->routine->exit || !c->routine->ends_threads);
    if (!returns) return;
    to->end = IR_JUMP;
    to->next[0] = c->after;
}

/* Inserts the body behind `before`. Returns the new block that continues behind the call. */
static struct ir_block *insert_body(struct ir *ir, struct ir_block *before, const struct ir_insn *call) {
    const struct ir_routine *r = call->call->routine;
    const struct ir *body = r->ir;
    const struct copy c = {ir, r, call, (ir_reg)(ir->reg_count > 0 ? ir->reg_count - 1 : 0), ir_new_block(ir)};
    for (ir_reg k = 1; k < body->reg_count; k++) {
        const ir_reg made = ir_new_reg(ir, (enum ir_class)body->regs[k].cls);
        ir->regs[made].low = body->regs[k].low;
    }
    for (size_t i = 0; i < r->input_count; i++)
        move(&c, before, renamed(&c, r->inputs[i]), ir_use(call->call->arguments[i]));
    for (size_t i = 0; i < body->block_count; i++) body->blocks[i]->copy = ir_new_block(ir);
    before->end = IR_JUMP;
    before->next[0] = body->entry->copy;
    for (size_t i = 0; i < body->block_count; i++) copy_block(&c, body->blocks[i]);
    for (size_t i = 0; i < r->output_count; i++) {
        struct ir_operand o = r->outputs[i]->src[0];
        o.reg = renamed(&c, o.reg);
        move(&c, c.after, call->call->results[i], o);
    }
    return c.after;
}

static void copy_end(struct ir_block *to, const struct ir_block *from) {
    to->end = from->end;
    to->guard = from->guard;
    to->cond = from->cond;
    to->place = from->place;
    memcpy(to->next, from->next, sizeof to->next);
}

static void inline_block(struct ir *ir, struct ir_block *b) {
    struct ir_block *to = b;
    const struct ir_block end = *b;
    b->first = b->last = NULL;
    for (struct ir_insn *insn = end.first, *next; insn != NULL; insn = next) {
        next = insn->next;
        if (insn->call != NULL && !insn->call->routine->stays)
            to = insert_body(ir, to, insn);
        else
            append(to, insn);
    }
    copy_end(to, &end);
}

void calls_inline(struct ir *ir) {
    const size_t count = ir->block_count;
    for (size_t i = 0; i < count; i++) {
        bool any = false;
        for (const struct ir_insn *insn = ir->blocks[i]->first; insn != NULL && !any; insn = insn->next)
            any = insn->call != NULL && !insn->call->routine->stays;
        if (any) inline_block(ir, ir->blocks[i]);
    }
}
