/* SPDX-License-Identifier: Apache-2.0 */
/* "Rule" is a rule of docs/isa.md 6.1. */
#include "course.h"

#include <string.h>

enum { JOINING_BYTES = 8 };

void course_begin(struct course *c, const struct model_saved *saved) {
    const struct model_warp *w = &saved->warp;
    *c = (struct course){.pc = w->pc,
                         .active = w->active,
                         .alive = w->alive,
                         .on_call = saved->parked_call,
                         .on_break = saved->parked_break,
                         .depth = w->depth};
    memcpy(c->stack, saved->stack, w->depth * sizeof *c->stack);
}

static void push(struct course *c, enum model_token token, uint32_t mask, uint32_t pc, unsigned room) {
    if (c->depth >= room)
        c->trap = TRAP_STACK_OVERFLOW;
    else
        c->stack[c->depth++] = (struct model_stack_entry){token, mask, pc};
}

static bool has_token(const struct course *c, enum model_token token) {
    for (unsigned n = 0; n < c->depth; n++)
        if (c->stack[n].token == token) return true;
    return false;
}

/* Rule 8. */
static uint32_t free_threads(const struct course *c, uint32_t mask) {
    return mask & c->alive & ~c->on_call & ~c->on_break;
}

/* Pops the top token; its threads continue at `after_sync` if it is SYNC, else at its own address. */
static void pop(struct course *c, uint32_t after_sync) {
    const struct model_stack_entry top = c->stack[--c->depth];
    if (top.token == TOKEN_CALL) c->on_call &= ~top.mask;
    if (top.token == TOKEN_BREAK) c->on_break &= ~top.mask;
    c->pc = top.token == TOKEN_SYNC ? after_sync : top.pc;
    c->active = free_threads(c, top.mask);
}

/* Rule 6. */
static void find_threads(struct course *c) {
    while (c->active == 0 && c->depth > 0) pop(c, c->stack[c->depth - 1].pc + JOINING_BYTES);
    c->finished = c->active == 0;
}

static void jump(struct course *c, uint32_t taken, uint32_t target, uint32_t others_pc, unsigned room) {
    const uint32_t others = c->active & ~taken;
    if (others != 0) push(c, TOKEN_DIVERGE, others, others_pc, room);
    c->active = taken;
    c->pc = target;
}

/* The threads with the target of the lowest thread. */
static void jump_to_lowest(struct course *c, const uint32_t targets[WARP_LANES], unsigned room) {
    unsigned lowest = 0;
    while ((c->active >> lowest & 1) == 0) lowest++;
    uint32_t together = 0;
    for (unsigned lane = lowest; lane < WARP_LANES; lane++)
        if ((c->active >> lane & 1) != 0 && targets[lane] == targets[lowest]) together |= (uint32_t)1 << lane;
    jump(c, together, targets[lowest], c->pc, room);
}

static void leave(struct course *c, uint32_t threads, uint32_t next) {
    c->active &= ~threads;
    c->pc = next;
    find_threads(c);
}

static void leave_call(struct course *c, uint32_t threads, uint32_t next) {
    if (has_token(c, TOKEN_CALL))
        c->on_call |= threads;
    else
        c->alive &= ~threads;
    leave(c, threads, next);
}

static void leave_loop(struct course *c, uint32_t threads, uint32_t next) {
    if (threads != 0 && !has_token(c, TOKEN_BREAK)) c->trap = TRAP_STACK_MISMATCH;
    c->on_break |= threads;
    leave(c, threads, next);
}

/* Rule 3. */
static void join(struct course *c, uint32_t next) {
    const enum model_token top = c->depth > 0 ? c->stack[c->depth - 1].token : TOKEN_SYNC;
    if (top == TOKEN_CALL || top == TOKEN_BREAK) c->trap = TRAP_STACK_MISMATCH;
    c->pc = next;
    if (c->depth == 0)
        c->active = free_threads(c, UINT32_MAX);
    else
        pop(c, next);
    find_threads(c);
}

/* Source: isa.md 6.6. */
static bool barrier_is_right(const struct course *c, const struct isa_insn *insn) {
    const bool everyone = insn->barrier_all || insn->barrier_mask == 0xfff;
    const bool defined = insn->barrier_arrive && (!insn->barrier_wait || everyone);
    return defined && c->active == c->alive;
}

static void act_on_marker(struct course *c, const struct isa_insn *insn, uint32_t next) {
    if (insn->marker == ISA_MARK_JOIN) {
        join(c, next);
        return;
    }
    c->pc = next;
    if (insn->marker != ISA_MARK_END) return;
    c->alive &= ~c->active;
    leave(c, c->active, next);
}

void course_follow(struct course *c, const struct isa_insn *insn, uint32_t exec, const uint32_t targets[WARP_LANES],
                   unsigned room) {
    const uint32_t next = c->pc + insn->bytes;
    switch (insn->op) {
    case OP_BRA:
        if (exec == 0)
            c->pc = next;
        else
            jump(c, exec, insn->target, next, room);
        break;
    case OP_BRX: jump_to_lowest(c, targets, room); break;
    case OP_SSY:
        push(c, TOKEN_SYNC, c->active, insn->target, room);
        c->pc = next;
        break;
    case OP_PBK:
        push(c, TOKEN_BREAK, c->active, insn->target, room);
        c->pc = next;
        break;
    case OP_PRET:
        push(c, TOKEN_CALL, c->active, insn->target, room);
        c->pc = next;
        break;
    case OP_CAL:
        push(c, TOKEN_CALL, c->active, next, room);
        c->pc = insn->target;
        break;
    case OP_RET: leave_call(c, exec, next); break;
    case OP_BRK: leave_loop(c, exec, next); break;
    case OP_BAR:
        if (!barrier_is_right(c, insn)) c->trap = TRAP_BARRIER_PARTIAL;
        c->pc = next;
        break;
    case OP_TRAP:
    case OP_BPT:
        if (exec != 0) c->trap = TRAP_BREAKPOINT;
        c->pc = next;
        break;
    default: act_on_marker(c, insn, next); break;
    }
}
