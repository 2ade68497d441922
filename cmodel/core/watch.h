/* SPDX-License-Identifier: Apache-2.0 */
/* The callbacks of ../watch/, which observes execution and, in lockstep, changes it. core/ knows ../watch/ by this
 * table alone. A NULL member is not called.
 *
 *     const struct watch *watch = &s->m->grid.watch;
 *     if (watch->operand != NULL) watch->operand(s, lane, addr, bytes);
 */
#ifndef WARPSTEP_WATCH_H
#define WARPSTEP_WATCH_H

#include "mem.h"

struct adoption;
struct bounds;
struct grid;
struct kept;
struct loops;
struct model;
struct races;
struct step;
struct warp;

enum { WATCH_JUMPS = 512 }; /* `jumped` is called for every so manieth backward branch of a warp */

struct watch {
    /* An instruction accesses memory without a trap: shared memory as an operand; the lanes of step.mem_mask. */
    void (*operand)(const struct step *s, unsigned lane, uint32_t addr, unsigned bytes);
    void (*access)(const struct step *s);

    /* `stores` wraps all stores of an instruction, which `store` makes; the second one precedes each word of 1, 2 or 4
     * bytes, already checked. */
    void (*stores)(struct step *s, void (*store)(struct step *s));
    void (*overwrites)(struct model *m, struct mem *mem, uint32_t addr, unsigned bytes);

    void (*placed)(struct grid *grid, const struct warp *warp); /* placed in a slot */
    void (*jumped)(struct model *m, struct warp *warp);         /* a backward branch */

    /* A warp arrives at a barrier or will never come again; a waiting warp continues. */
    void (*arrived)(struct grid *grid, const struct warp *warp, unsigned barrier);
    void (*left)(struct grid *grid, const struct warp *warp, unsigned barrier);

    void (*finished)(struct model *m, struct warp *warp); /* replaces sched_finish_warp */

    const struct adoption *adopt; /* never NULL */

    /* State of these functions. */
    struct loops *loops;
    struct races *races;
    struct bounds *bounds;
    struct kept *kept;
};

/* Undefined values. If the step follows an RTL record, these functions take the RTL's values; core/ calls them through
 * adopts() alone. */
struct adoption {
    void (*guard)(struct step *s);        /* decides which lanes of step.undefined execute */
    void (*guessed_trap)(struct step *s); /* step.guessed: keeps the RTL's trap among the raised ones */

    /* The address of these lanes in an access of `bytes` is undefined. If the RTL trapped as such an access can, the
     * step does, too; `align` is the first of the memory's pair of traps. */
    void (*trap)(struct step *s, uint32_t align, unsigned bytes);

    void (*results)(struct step *s, uint32_t lanes);    /* destination and flags */
    void (*areg)(struct step *s, uint32_t lanes);       /* the new A register */
    void (*addresses)(struct step *s);                  /* addresses, in the lanes of step.undefined_addr */
    void (*data)(struct step *s);                       /* data of a store, in the lanes of step.undefined */
    void (*data_rest)(struct step *s, unsigned word);   /* the same for a later word */
    void (*loaded_rest)(struct step *s, unsigned word); /* that word of a load */

    /* BRX: the target of the lowest lane; the lanes of step.undefined that go there, added to `taken`. */
    uint32_t (*target)(const struct step *s);
    uint32_t (*taken)(struct step *s, uint32_t taken);

    uint32_t (*atomic)(const struct step *s, unsigned lane); /* the word that an atomic operation stores */
};

#endif
