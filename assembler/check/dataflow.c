/* SPDX-License-Identifier: Apache-2.0 */
/* A forward analysis: takes blocks from a queue until no state changes. */
#include "dataflow.h"

#include <stdlib.h>

/* Limit of visits per step, beyond which code counts as irregular: nested loops settle far below it. */
enum { VISITS_PER_STEP = 64 };

/* ---- one step ---- */

static bool any_varies(const struct effects *e, const struct dataflow_state *s) {
    if (e->varies) return true;
    for (unsigned i = 0; i < e->reads; i++)
        if (set_has_any(&s->varying, e->read[i])) return true;
    return false;
}

bool dataflow_guard_varies(const struct cfg_step *step, const struct dataflow_state *s) {
    const struct effects *e = &step->effects;
    for (unsigned i = 0; i < e->reads && e->conditional; i++)
        if (e->read[i].first >= EFFECTS_C && set_has_any(&s->varying, e->read[i])) return true;
    return false;
}

/* True if the set has no part of the source's register that the source reads: all of it, or its lower half. */
static bool is_free_of(const struct effects *e, unsigned source, const struct register_set *s) {
    return source < e->reads && e->read[source].first % 2 == 0 && e->read[source].first < EFFECTS_A &&
           !set_has_any(s, e->read[source]);
}

/* True if a rule makes the result uniform in the warp although the sources are not. */
static bool is_same_for_warp(const struct effects *e, const struct dataflow_state *s) {
    if (e->rule != EFFECTS_WARP && e->rule != EFFECTS_COMPARE) return false;
    return is_free_of(e, 0, &s->not_thread) && (e->rule == EFFECTS_WARP || is_free_of(e, 1, &s->not_aligned));
}

static void note_value(struct register_set *not_so, struct register_range r, bool so) {
    if (so)
        set_remove(not_so, r);
    else
        set_add(not_so, r);
}

/* Lanes that do not write keep the old value, so that the register may vary even if the result is uniform. */
static void write_registers(const struct cfg_step *step, struct dataflow_state *s) {
    const struct effects *e = &step->effects;
    if (e->never) return;
    bool some = s->divided != 0 || e->partial; /* not all lanes write */
    bool varies = (any_varies(e, s) && !is_same_for_warp(e, s)) || some;
    bool all = !some && !e->conditional;
    bool thread = all && e->rule == EFFECTS_COPY && is_free_of(e, 0, &s->not_thread);
    bool aligned = all && (e->rule == EFFECTS_ALIGNED ||
                           (e->rule == EFFECTS_COPY && is_free_of(e, 0, &s->not_aligned) && e->read[0].count == 2));
    for (unsigned i = 0; i < e->writes; i++) {
        set_add(&s->written, e->write[i]);
        note_value(&s->not_thread, e->write[i], thread);
        note_value(&s->not_aligned, e->write[i], aligned);
        if (varies)
            set_add(&s->varying, e->write[i]);
        else if (!e->conditional)
            set_remove(&s->varying, e->write[i]);
    }
}

static uint32_t merge_stack(uint32_t a, uint32_t b) { return a == b ? a : STACK_UNKNOWN; }

static uint32_t merge_divided(uint32_t a, uint32_t b) { return a == 0 || (b != 0 && b < a) ? b : a; }

static void push(struct dataflow *f, const struct cfg_step *step, struct dataflow_state *s) {
    struct dataflow_token *t = &f->token[step->token];
    uint32_t stack = t->seen ? merge_stack(t->stack, s->stack) : s->stack;
    uint32_t divided = merge_divided(t->divided, s->divided);
    if (!t->seen || stack != t->stack || divided != t->divided) f->token_changed = true;
    *t = (struct dataflow_token){(enum isa_op)step->op, stack, divided, true};
    if (step->op != OP_CAL) s->stack = STACK_TOKEN + step->token;
}

/* .S removes an SSY entry; any other entry on top is an error of the kernel, which traps. */
static void join(const struct dataflow *f, struct dataflow_state *s) {
    if (s->stack == STACK_EMPTY) return;
    const struct dataflow_token *t = s->stack >= STACK_TOKEN ? &f->token[s->stack - STACK_TOKEN] : NULL;
    s->divided = t != NULL ? t->divided : 0;
    s->stack = t != NULL && t->op == OP_SSY ? t->stack : STACK_UNKNOWN;
}

void dataflow_step(struct dataflow *f, uint32_t number, struct dataflow_state *s) {
    const struct cfg_step *step = &f->g->step[number];
    bool divides = (step->op == OP_BRA || step->op == OP_BRK) && dataflow_guard_varies(step, s);
    if (step->join) join(f, s); /* every lane executes .S once, group by group: its result is not specific to a group */
    write_registers(step, s);
    if (step->token != CFG_NONE) push(f, step, s);
    if (divides && s->divided == 0) s->divided = number + 1;
}

/* ---- edges ---- */

/* Merges a state into the one before a block; true if that changed. */
static bool merge(struct dataflow_state *to, const struct dataflow_state *from, bool registers, bool stack) {
    bool changed = false;
    if (registers) {
        changed = !to->seen;
        to->seen = true;
        changed |= set_merge(&to->written, &from->written);
        changed |= set_merge(&to->varying, &from->varying);
        changed |= set_merge(&to->not_thread, &from->not_thread);
        changed |= set_merge(&to->not_aligned, &from->not_aligned);
    }
    if (stack) {
        uint32_t top = to->stack == STACK_UNSET ? from->stack : merge_stack(to->stack, from->stack);
        uint32_t divided = merge_divided(to->divided, from->divided);
        changed |= top != to->stack || divided != to->divided;
        to->stack = top;
        to->divided = divided;
    }
    return changed;
}

/* last: the step that the edge leaves, NULL at a hub. */
static bool follow(const struct dataflow *f, const struct cfg_edge *edge, const struct cfg_step *last,
                   const struct dataflow_state *from) {
    struct dataflow_state s = *from;
    if (edge->kind == CFG_CALL && last != NULL) s.stack = STACK_TOKEN + last->token;
    if (edge->kind == CFG_AFTER && last != NULL && (last->op == OP_PBK || last->op == OP_PRET)) {
        s.stack = f->token[last->token].stack;
        s.divided = f->token[last->token].divided;
    }
    return merge(&f->before[edge->block], &s, edge->kind != CFG_AFTER, edge->kind != CFG_HUB);
}

/* the queue */

/* A ring that holds each block at most once. */
struct queue {
    uint32_t *block;
    bool *waits;
    size_t first, count, size;
};

static void enqueue(struct queue *q, uint32_t b) {
    if (q->waits[b]) return;
    q->waits[b] = true;
    q->block[(q->first + q->count++) % q->size] = b;
}

static uint32_t dequeue(struct queue *q) {
    uint32_t b = q->block[q->first];
    q->first = (q->first + 1) % q->size;
    q->count--;
    q->waits[b] = false;
    return b;
}

static void run_block(struct dataflow *f, struct queue *q, uint32_t b) {
    const struct cfg_block *block = &f->g->block[b];
    struct dataflow_state s = f->before[b];
    if (block->count > 0 && !dataflow_reaches(&s)) return;
    for (uint32_t i = 0; i < block->count; i++) dataflow_step(f, block->first + i, &s);
    const struct cfg_step *last = block->count > 0 ? &f->g->step[block->first + block->count - 1] : NULL;
    for (uint32_t i = 0; i < block->edges; i++) {
        const struct cfg_edge *edge = &f->g->edge[block->edge + i];
        if (follow(f, edge, last, &s)) enqueue(q, edge->block);
    }
}

/* R0 holds thread numbers; R124 and above do not belong to the kernel. Nothing else is defined. */
static void begin(struct dataflow *f) {
    for (uint32_t b = 0; b < f->g->block_count; b++) f->before[b].stack = STACK_UNSET;
    struct dataflow_state *s = &f->before[CFG_FIRST];
    set_add(&s->written, (struct register_range){0, 2});
    set_add(&s->varying, (struct register_range){0, 2});
    set_add(&s->written, (struct register_range){ISA_REG_ZERO * 2, 8});
    set_add(&s->not_thread, (struct register_range){f->g->flat ? 2 : 0, EFFECTS_REGISTERS});
    set_add(&s->not_aligned, (struct register_range){0, EFFECTS_REGISTERS});
    set_remove(&s->not_aligned, (struct register_range){ISA_REG_ZERO * 2, 2});
    s->stack = STACK_EMPTY;
    s->seen = true;
}

static void settle(struct dataflow *f, struct queue *q) {
    uint64_t left = (uint64_t)VISITS_PER_STEP * f->g->step_count;
    enqueue(q, CFG_FIRST);
    while (q->count > 0) {
        uint32_t b = dequeue(q);
        uint64_t work = f->g->block[b].count + (uint64_t)f->g->block[b].edges + 1;
        if (work > left + 16) return;
        left -= work < left ? work : left;
        run_block(f, q, b);
        if (q->count > 0 || !f->token_changed) continue;
        f->token_changed = false; /* .S may find another state below the entry that it removes */
        for (uint32_t i = CFG_FIRST; i < f->g->block_count; i++)
            if (f->before[i].seen) enqueue(q, i);
    }
    f->settled = true;
}

bool dataflow_run(const struct cfg *g, struct dataflow *f) {
    struct queue q = {.size = g->block_count};
    *f = (struct dataflow){.g = g};
    if (g->irregular != CFG_NONE || g->block_count <= CFG_FIRST) return true;
    f->before = calloc(g->block_count, sizeof *f->before);
    f->token = calloc(g->token_count + (size_t)1, sizeof *f->token);
    q.block = calloc(g->block_count, sizeof *q.block);
    q.waits = calloc(g->block_count, sizeof *q.waits);
    bool good = f->before != NULL && f->token != NULL && q.block != NULL && q.waits != NULL;
    if (good) {
        begin(f);
        settle(f, &q);
    }
    free(q.block);
    free(q.waits);
    return good;
}

void dataflow_release(struct dataflow *f) {
    free(f->before);
    free(f->token);
    *f = (struct dataflow){0};
}
