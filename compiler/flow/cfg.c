/* SPDX-License-Identifier: Apache-2.0 */
/* Block order, dominators and loops, see cfg.h. */
#include "cfg.h"

#include <string.h>

unsigned cfg_next_count(const struct ir_block *block) {
    return block->end == IR_RETURN ? 0 : block->end == IR_JUMP ? 1 : 2;
}

void cfg_redirect(struct ir_block *from, const struct ir_block *old, struct ir_block *to) {
    for (unsigned i = 0; i < cfg_next_count(from); i++)
        if (from->next[i] == old) from->next[i] = to;
}

static bool leaves_loop(const struct ir_block *from, const struct ir_block *to) {
    return from->loop != NULL && !cfg_in_loop(to, from->loop);
}

struct visit {
    struct ir_block *block;
    unsigned next;
};

/* Returns the successor to visit as number i. The successor visited first comes last in the order. */
static struct ir_block *visited_next(const struct ir_block *b, unsigned i) {
    if (b->end != IR_BRANCH) return b->next[0];
    const bool swap = leaves_loop(b, b->next[1]) && !leaves_loop(b, b->next[0]);
    return b->next[swap ? 1 - i : i];
}

static void depth_first(struct ir *ir) {
    struct visit *stack = CC_ARRAY(ir->cc, struct visit, ir->block_count);
    size_t depth = 0, left = ir->block_count;
    struct ir_block **reverse = CC_ARRAY(ir->cc, struct ir_block *, ir->block_count);
    for (size_t i = 0; i < ir->block_count; i++) {
        ir->blocks[i]->reached = false;
        ir->blocks[i]->number = UINT32_MAX;
        ir->blocks[i]->previous_count = 0;
    }
    ir->entry->reached = true;
    stack[depth++].block = ir->entry;
    while (depth > 0) {
        struct visit *top = &stack[depth - 1];
        if (top->next == cfg_next_count(top->block)) {
            reverse[--left] = top->block;
            depth--;
            continue;
        }
        struct ir_block *next = visited_next(top->block, top->next++);
        if (next->reached) continue;
        next->reached = true;
        stack[depth++] = (struct visit){next, 0};
    }
    ir->order = reverse + left;
    ir->order_count = ir->block_count - left;
}

static void number_blocks(struct ir *ir) {
    for (size_t i = 0; i < ir->order_count; i++) ir->order[i]->number = (uint32_t)i;
    for (size_t i = 0; i < ir->order_count; i++) {
        struct ir_block *b = ir->order[i];
        for (unsigned k = 0; k < cfg_next_count(b); k++) {
            struct ir_block *to = b->next[k];
            if (k == 1 && b->next[0] == to) continue;
            CC_PUSH_POINTER(ir->cc, to->previous, to->previous_count, to->previous_capacity, b);
        }
    }
}

static struct ir_block *common_dominator(struct ir_block *a, struct ir_block *b) {
    while (a != b) {
        while (a->number > b->number) a = a->dominator;
        while (b->number > a->number) b = b->dominator;
    }
    return a;
}

static void find_dominators(struct ir *ir) {
    for (size_t i = 0; i < ir->order_count; i++) ir->order[i]->dominator = NULL;
    ir->entry->dominator = ir->entry;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 1; i < ir->order_count; i++) {
            struct ir_block *b = ir->order[i], *d = NULL;
            for (size_t k = 0; k < b->previous_count; k++) {
                struct ir_block *p = b->previous[k];
                if (p->dominator != NULL) d = d == NULL ? p : common_dominator(p, d);
            }
            changed |= d != b->dominator;
            b->dominator = d;
        }
    }
    for (size_t i = 0; i < ir->order_count; i++) {
        struct ir_block *b = ir->order[i];
        b->depth = b == ir->entry ? 0 : b->dominator->depth + 1;
    }
}

/* Numbers the dominator tree so that the blocks of a subtree are consecutive. */
static void number_tree(struct ir *ir) {
    uint32_t *used = CC_ARRAY(ir->cc, uint32_t, ir->order_count);
    for (size_t i = 0; i < ir->order_count; i++) ir->order[i]->tree_size = 1;
    for (size_t i = ir->order_count; i-- > 1;) ir->order[i]->dominator->tree_size += ir->order[i]->tree_size;
    ir->entry->tree_first = 0;
    for (size_t i = 1; i < ir->order_count; i++) {
        struct ir_block *b = ir->order[i], *d = b->dominator;
        b->tree_first = d->tree_first + 1 + used[d->number];
        used[d->number] += b->tree_size;
    }
}

void cfg_order(struct ir *ir) {
    depth_first(ir);
    number_blocks(ir);
    find_dominators(ir);
    number_tree(ir);
}

bool cfg_dominates(const struct ir_block *a, const struct ir_block *b) { return ir_dominates(a, b); }

bool cfg_is_reducible(const struct ir *ir) {
    for (size_t i = 0; i < ir->order_count; i++) {
        const struct ir_block *b = ir->order[i];
        for (unsigned k = 0; k < cfg_next_count(b); k++)
            if (b->next[k]->number <= b->number && !cfg_dominates(b->next[k], b)) return false;
    }
    return true;
}

/* ---- cleaning ---- */

/* Returns the block behind a chain of empty blocks that only jump. */
static struct ir_block *final_target(struct ir_block *b) {
    for (unsigned steps = 0; steps < 1000; steps++) {
        if (b->first != NULL || b->end != IR_JUMP || b->next[0] == b) break;
        b = b->next[0];
    }
    return b;
}

static void skip_empty(struct ir *ir) {
    for (size_t i = 0; i < ir->block_count; i++) {
        struct ir_block *b = ir->blocks[i];
        for (unsigned k = 0; k < cfg_next_count(b); k++) b->next[k] = final_target(b->next[k]);
        if (b->end == IR_BRANCH && b->next[0] == b->next[1]) b->end = IR_JUMP;
    }
    ir->entry = final_target(ir->entry);
}

/* Appends `next` to b, its only predecessor, whose only successor it is. */
static void absorb(struct ir_block *b, struct ir_block *next) {
    for (struct ir_insn *insn = next->first; insn != NULL; insn = insn->next) insn->block = b;
    if (next->first != NULL) {
        next->first->prev = b->last;
        if (b->last != NULL)
            b->last->next = next->first;
        else
            b->first = next->first;
        b->last = next->last;
    }
    b->end = next->end;
    b->guard = next->guard;
    b->cond = next->cond;
    b->place = next->place;
    memcpy(b->next, next->next, sizeof b->next);
    next->first = next->last = NULL;
    next->end = IR_RETURN;
}

static void join_chains(struct ir *ir) {
    for (size_t i = 0; i < ir->order_count; i++) {
        struct ir_block *b = ir->order[i];
        if (b->reached == false) continue;
        while (b->end == IR_JUMP && b->next[0] != b && b->next[0] != ir->entry && b->next[0]->previous_count == 1) {
            struct ir_block *next = b->next[0];
            next->reached = false;
            absorb(b, next);
        }
    }
}

static void forget_unreached(struct ir *ir) {
    size_t kept = 0;
    for (size_t i = 0; i < ir->block_count; i++)
        if (ir->blocks[i]->reached) ir->blocks[kept++] = ir->blocks[i];
    ir->block_count = kept;
}

void cfg_clean(struct ir *ir) {
    skip_empty(ir);
    cfg_order(ir);
    join_chains(ir);
    forget_unreached(ir);
    cfg_order(ir);
}

/* ---- loops ---- */

bool cfg_in_loop(const struct ir_block *block, const struct ir_loop *loop) {
    return block->loop != NULL && block->loop->first - loop->first < loop->size;
}

struct ir_block *cfg_preheader(const struct ir_loop *loop) {
    struct ir_block *found = NULL;
    for (size_t i = 0; i < loop->header->previous_count; i++) {
        struct ir_block *p = loop->header->previous[i];
        if (cfg_in_loop(p, loop)) continue;
        if (found != NULL) return NULL;
        found = p;
    }
    return found != NULL && found->end == IR_JUMP ? found : NULL;
}

static struct ir_loop *outermost_so_far(struct ir_block *b) {
    struct ir_loop *loop = b->loop;
    while (loop != NULL && loop->parent != NULL) loop = loop->parent;
    return loop;
}

/* Collects all blocks that reach a back edge of the loop. Inner loops have been found before. */
static void fill_loop(struct ir *ir, struct ir_loop *loop, struct ir_block **work) {
    size_t count = 0;
    struct ir_block *header = loop->header;
    for (size_t k = 0; k < header->previous_count; k++)
        if (cfg_dominates(header, header->previous[k])) work[count++] = header->previous[k];
    while (count > 0) {
        struct ir_block *b = work[--count];
        struct ir_loop *inner = outermost_so_far(b);
        if (inner == loop) continue;
        if (inner != NULL) {
            inner->parent = loop;
            b = inner->header;
        } else {
            b->loop = loop;
        }
        if (b == header) continue;
        for (size_t k = 0; k < b->previous_count; k++) {
            struct ir_block *p = b->previous[k];
            if (outermost_so_far(p) != loop && count < ir->block_count * 2) work[count++] = p;
        }
    }
    if (header->loop == NULL) header->loop = loop;
}

static bool is_header(const struct ir_block *b) {
    for (size_t k = 0; k < b->previous_count; k++)
        if (cfg_dominates(b, b->previous[k])) return true;
    return false;
}

/* Sets the depths, and numbers the loops so that a loop and its inner loops are consecutive. */
static void number_loops(struct cfg_loops *loops) {
    uint32_t next = 1;
    for (size_t i = 0; i < loops->count; i++) loops->list[i]->size = 1;
    for (size_t i = loops->count; i-- > 0;) /* outer loops stand before inner ones */
        if (loops->list[i]->parent != NULL) loops->list[i]->parent->size += loops->list[i]->size;
    for (size_t i = 0; i < loops->count; i++) {
        struct ir_loop *loop = loops->list[i], *parent = loop->parent;
        uint32_t *from = parent != NULL ? &parent->used : &next;
        loop->depth = parent != NULL ? parent->depth + 1 : 1;
        loop->first = *from;
        loop->used = loop->first + 1;
        *from += loop->size;
    }
}

static void list_blocks(struct ir *ir, struct ir_block *b) {
    struct ir_loop *own = b->loop, *around = own != NULL && own->header == b ? own->parent : NULL;
    if (own != NULL) CC_PUSH_POINTER(ir->cc, own->members, own->member_count, own->member_capacity, b);
    if (around != NULL) CC_PUSH_POINTER(ir->cc, around->members, around->member_count, around->member_capacity, b);
    for (struct ir_loop *loop = own; loop != NULL; loop = loop->parent)
        CC_PUSH_POINTER(ir->cc, loop->blocks, loop->block_count, loop->block_capacity, b);
    for (unsigned k = 0; k < cfg_next_count(b); k++) {
        const struct cfg_exit exit = {b, k};
        for (struct ir_loop *loop = own; loop != NULL && !cfg_in_loop(b->next[k], loop); loop = loop->parent)
            CC_PUSH(ir->cc, loop->exits, loop->exit_count, loop->exit_capacity, exit);
    }
}

void cfg_find_loops(struct ir *ir, struct cfg_loops *loops) {
    struct ir_block **work = CC_ARRAY(ir->cc, struct ir_block *, ir->block_count * 2 + 2);
    loops->count = 0;
    for (size_t i = 0; i < ir->order_count; i++) ir->order[i]->loop = NULL;
    for (size_t i = ir->order_count; i-- > 0;) {
        struct ir_block *b = ir->order[i];
        if (!is_header(b)) continue;
        struct ir_loop *loop = CC_NEW(ir->cc, struct ir_loop);
        loop->header = b;
        fill_loop(ir, loop, work);
        CC_PUSH_POINTER(ir->cc, loops->list, loops->count, loops->capacity, loop);
    }
    for (size_t i = 0, k = loops->count; i + 1 < k; i++) { /* collected from the innermost outward */
        struct ir_loop *swap = loops->list[i];
        loops->list[i] = loops->list[--k];
        loops->list[k] = swap;
    }
    number_loops(loops);
    for (size_t i = 0; i < ir->order_count; i++) list_blocks(ir, ir->order[i]);
}
