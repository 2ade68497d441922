/* SPDX-License-Identifier: Apache-2.0 */
/* The control flow graph of a kernel: block order, dominators, loops. */
#ifndef WARPSTEP_CC_CFG_H
#define WARPSTEP_CC_CFG_H

#include "../ir/ir.h"

/* An edge that leaves a loop. */
struct cfg_exit {
    struct ir_block *block;
    unsigned way; /* index in block->next */
};

/* A natural loop: all blocks that reach a back edge without passing the header. */
struct ir_loop {
    struct ir_block *header;
    struct ir_loop *parent; /* the innermost loop that contains it */
    uint32_t depth;         /* 1 for an outermost loop */
    uint32_t first, size;   /* position in the tree of loops, and number of loops in its subtree, itself included */
    uint32_t used;          /* during numbering: the next free position in its subtree */
    struct ir_block **blocks;
    size_t block_count, block_capacity;
    struct ir_block **members; /* its own blocks, and the headers of its direct inner loops, in block order */
    size_t member_count, member_capacity;
    struct cfg_exit *exits;
    size_t exit_count, exit_capacity;
    bool breaks;                /* threads leave it by BRK */
    bool divergent;             /* threads of a warp may leave it one by one, by BRA */
    bool spread;                /* uniform.c: its results have been marked */
    struct ir_block *preheader; /* its only predecessor outside */
    uint32_t open;              /* number of SSY regions open in it */
};

struct cfg_loops {
    struct ir_loop **list; /* outer loops before inner ones */
    size_t count, capacity;
};

/* Removes jumps over empty blocks and unreachable blocks, and merges a block with its only successor. */
void cfg_clean(struct ir *ir);

/* Sets ir->order, block->number, ->previous and ->dominator of all reachable blocks. The blocks of a loop are
 * consecutive if block->loop is set. */
void cfg_order(struct ir *ir);

bool cfg_dominates(const struct ir_block *a, const struct ir_block *b);
bool cfg_is_reducible(const struct ir *ir);
void cfg_make_reducible(struct ir *ir); /* reduce.c */

/* define.c: sets registers to zero at the entry if they may be read before they are written. */
void cfg_define(struct ir *ir);

/* Finds all loops, and sets block->loop to the innermost one. */
void cfg_find_loops(struct ir *ir, struct cfg_loops *loops);
bool cfg_in_loop(const struct ir_block *block, const struct ir_loop *loop);

/* Returns the only block outside the loop that jumps to its header, if it jumps nowhere else; else NULL. */
struct ir_block *cfg_preheader(const struct ir_loop *loop);

void cfg_redirect(struct ir_block *from, const struct ir_block *old, struct ir_block *to);
unsigned cfg_next_count(const struct ir_block *block);

/* uniform.c: finds the registers that may differ between threads of a warp. Needs block order, loops and liveness. */
void cfg_find_divergence(struct ir *ir, const struct cfg_loops *loops);
bool cfg_is_divergent(const struct ir *ir, const struct ir_block *block); /* the branch of the block */

/* predicate.c: converts short sides of branches to guarded instructions. */
void cfg_predicate(struct ir *ir);

/* regions.c: inserts SSY, joins and PBK. If they would nest deeper than the warp stack, callees included, threads of
 * inner branches reconverge at an outer join. */
void cfg_reconverge(struct ir *ir);

/* depth.c: returns the maximum number of warp stack entries of SSY, PBK and CAL, callees included. */
unsigned cfg_stack_depth(const struct ir *ir);

#endif
