/* SPDX-License-Identifier: Apache-2.0 */
/* The control-flow graph of a kernel: its instructions as steps, cut into blocks, with edges between them. Used by
 * dataflow.c.
 *
 *     struct cfg g;
 *     if (cfg_build(img, &g)) ...
 *     cfg_release(&g);
 *
 * Two blocks without steps stand for indirect control flow. Every RET leads to CFG_RETURNS, which leads to the step
 * after every CAL and to the target of every PRET; every BRK leads to CFG_BREAKS, which leads to the target of every
 * PBK. */
#ifndef WARPSTEP_CFG_H
#define WARPSTEP_CFG_H

#include "../image/image.h"
#include "effects.h"

enum { CFG_RETURNS, CFG_BREAKS, CFG_FIRST };

#define CFG_NONE UINT32_MAX

struct cfg_step {
    uint32_t pc;
    uint32_t target; /* of a branch: step, or CFG_NONE */
    uint32_t token;  /* SSY, PBK, CAL, PRET: number of the stack entry that it pushes; others CFG_NONE */
    uint8_t op;      /* enum isa_op */
    bool join;       /* .S */
    bool ends;       /* END, TRAP, or no instruction */
    bool astray;     /* its target is not an instruction: control ends there */
    struct effects effects;
};

enum cfg_edge_kind {
    CFG_FLOW,  /* to the next block, with the whole state */
    CFG_CALL,  /* into a subroutine */
    CFG_AFTER, /* around a subroutine, or to the target of PBK or PRET: the warp's stack is restored */
    CFG_HUB,   /* to or from CFG_RETURNS and CFG_BREAKS: registers only */
};

struct cfg_edge {
    uint32_t block;
    enum cfg_edge_kind kind;
};

struct cfg_block {
    uint32_t first, count; /* steps */
    uint32_t edge, edges;
};

struct cfg {
    struct cfg_step *step;
    uint32_t step_count;
    struct cfg_block *block; /* CFG_RETURNS, CFG_BREAKS, then in order of pc: the kernel begins at CFG_FIRST */
    uint32_t block_count;
    struct cfg_edge *edge;
    size_t edge_count, edge_capacity;
    uint32_t token_count;
    uint32_t
        irregular; /* the first step after which lanes follow no analysable path (BRX, QUADON, QUADPOP), or CFG_NONE */
    bool flat;     /* the image gives the block one dimension */
};

/* False if out of memory; release it in any case. */
bool cfg_build(const struct image *img, struct cfg *g);
void cfg_release(struct cfg *g);

#endif
