/* SPDX-License-Identifier: Apache-2.0 */
/* The blocks of a kernel as a graph: their order, dominators, loops. */
#ifndef WARPSTEP_CC_CFG_H
#define WARPSTEP_CC_CFG_H

#include "../ir/ir.h"

/* An edge that leaves a loop. */
struct cfg_exit {
    struct ir_block *block;
    unsigned way; /* of block->next */
};

/* A natural loop: all blocks from which a jump back to the header is reached without passing it. */
struct ir_loop {
    struct ir_block *header;
    struct ir_loop *parent; /* the smallest one around it */
    uint32_t depth;         /* 1 of an outermost loop */
    uint32_t first, size;   /* place in the tree of loops, and loops below, itself included */
    uint32_t used;          /* while they are numbered: the next place inside */
    struct ir_block **blocks;
    size_t block_count, block_capacity;
    struct ir_block **members; /* its own blocks and the headers of the loops directly in it, in their order */
    size_t member_count, member_capacity;
    struct cfg_exit *exits;
    size_t exit_count, exit_capacity;
    bool breaks;             /* left by BRK */
    bool divergent;          /* the threads of a warp may leave it one by one, by BRA */
    bool spread;             /* uniform.c: what it leaves to the threads has been looked at */
    struct ir_block *before; /* its only way in */
    uint32_t open;           /* regions of SSY that are open in it */
};

struct cfg_loops {
    struct ir_loop **list; /* outer ones before inner ones */
    size_t count, capacity;
};

/* Jumps over empty blocks, joins blocks that follow each other, forgets what is not reached. */
void cfg_clean(struct ir *ir);

/* ir->order, block->number, ->previous and ->dominator of all reached blocks. Loops stay together where block->loop is
 * known. */
void cfg_order(struct ir *ir);

bool cfg_dominates(const struct ir_block *a, const struct ir_block *b);
bool cfg_is_reducible(const struct ir *ir);
void cfg_make_reducible(struct ir *ir); /* reduce.c */

/* Registers that may be read before anything has been written to them hold zero from the start: define.c. */
void cfg_define(struct ir *ir);

/* Finds all loops and sets block->loop to the innermost one. */
void cfg_find_loops(struct ir *ir, struct cfg_loops *loops);
bool cfg_in_loop(const struct ir_block *block, const struct ir_loop *loop);

/* The block that enters the loop, and goes nowhere else; NULL where there is none, or several. */
struct ir_block *cfg_way_in(const struct ir_loop *loop);

void cfg_redirect(struct ir_block *from, const struct ir_block *old, struct ir_block *to);
unsigned cfg_next_count(const struct ir_block *block);

/* Which registers differ between the threads of a warp: uniform.c. Needs order, loops and live registers. */
void cfg_find_divergence(struct ir *ir, const struct cfg_loops *loops);
bool cfg_is_divergent(const struct ir *ir, const struct ir_block *block); /* its branch */

/* Short sides of branches to guarded instructions: predicate.c. */
void cfg_predicate(struct ir *ir);

/* Inserts SSY, joins, PBK: regions.c. Where these would nest deeper than the warp stack has room for, with what the
 * routines that are called need, the threads of inner branches meet again further out. */
void cfg_reconverge(struct ir *ir);

/* How many entries of the warp stack SSY, PBK and CAL take at once, with what is called: depth.c. */
unsigned cfg_stack_depth(const struct ir *ir);

#endif
