/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of ../watch/, which looks on while instructions execute and, in lockstep, changes what they do. This
 * table is all that core/ knows of it. A member that is NULL is not called: nobody asks for it.
 *
 *     const struct watch *watch = &s->m->grid.watch;
 *     if (watch->operand != NULL) watch->operand(s, lane, addr, bytes);
 */
#ifndef WARPSTEP_WATCH_H
#define WARPSTEP_WATCH_H

#include "mem.h"

struct adoption;
struct grid;
struct kept;
struct loops;
struct model;
struct races;
struct step;
struct warp;

enum { WATCH_JUMPS = 512 }; /* `jumped` sees each so manieth branch back of a warp */

struct watch {
    /* An instruction accesses memory, and does not trap: shared memory as an operand; the lanes of step.mem_mask. */
    void (*operand)(const struct step *s, unsigned lane, uint32_t addr, unsigned bytes);
    void (*access)(const struct step *s);

    /* Around all stores of an instruction, which `store` makes; and before each word, of 1, 2 or 4 bytes, checked. */
    void (*stores)(struct step *s, void (*store)(struct step *s));
    void (*overwrites)(struct model *m, struct mem *mem, uint32_t addr, unsigned bytes);

    void (*placed)(struct grid *grid, const struct warp *warp); /* in a slot */
    void (*jumped)(struct model *m, struct warp *warp);         /* back, by a branch */

    /* A warp arrives at a barrier or will never come again; a warp that waited there goes on. */
    void (*arrived)(struct grid *grid, const struct warp *warp, unsigned barrier);
    void (*left)(struct grid *grid, const struct warp *warp, unsigned barrier);

    void (*finished)(struct model *m, struct warp *warp); /* in place of sched_finish_warp */

    const struct adoption *adopt; /* never NULL */

    /* What these functions remember. */
    struct loops *loops;
    struct races *races;
    struct kept *kept;
};

/* Values that were never written. Where the step follows a record of the RTL, these take over what the RTL made of
 * them; core/ calls them through adopts() alone. */
struct adoption {
    void (*guard)(struct step *s);        /* which lanes of step.undefined execute */
    void (*guessed_trap)(struct step *s); /* step.guessed: of the traps that were raised the RTL's is the right one */

    /* The address of these lanes in an access of `bytes` is undefined. Where the RTL trapped as such an access can, so
     * does the step; `align` is the first of the memory's pair of traps. */
    void (*trap)(struct step *s, uint32_t align, unsigned bytes);

    void (*results)(struct step *s, uint32_t lanes);    /* destination and flags */
    void (*areg)(struct step *s, uint32_t lanes);       /* the new A register */
    void (*addresses)(struct step *s);                  /* of an access, in the lanes of step.undefined_addr */
    void (*data)(struct step *s);                       /* of a store, in the lanes of step.undefined */
    void (*data_rest)(struct step *s, unsigned word);   /* the same of a word behind the first */
    void (*loaded_rest)(struct step *s, unsigned word); /* that word of a load */

    /* BRX: where the lowest lane goes; which of the lanes of step.undefined go there, with the others of `taken`. */
    uint32_t (*target)(const struct step *s);
    uint32_t (*taken)(struct step *s, uint32_t taken);

    uint32_t (*atomic)(const struct step *s, unsigned lane); /* the word that an atomic operation leaves behind */
};

#endif
