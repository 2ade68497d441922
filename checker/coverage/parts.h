/* SPDX-License-Identifier: Apache-2.0 */
/* Internals of the collector, shared by its parts; see collect.h. */
#ifndef WARPSTEP_COVERAGE_PARTS_H
#define WARPSTEP_COVERAGE_PARTS_H

#include "collect.h"

enum { AREGS = 5, STACK_MAX = 128, BARRIER_BLOCKS = 8 };

struct past {
    struct register_set reads, writes;
    uint8_t class;
};

/* State of the warp in a slot. */
struct warp_watch {
    bool present;
    uint32_t block_x, block_y, warp;
    uint32_t alive;                   /* lanes at its start */
    struct past past[PAIR_DISTANCES]; /* ring */
    unsigned past_count, past_next;
    uint8_t token[STACK_MAX];
    unsigned depth;
    uint8_t event[2]; /* the last two, newest first */
    unsigned event_count;
    bool waiting;
    unsigned barrier, round; /* of the barrier that it waits at */
    uint16_t a[AREGS][WARP_LANES];
    uint32_t r[ISA_REGS][WARP_LANES];
    uint32_t known[2 * ISA_REGS]; /* lanes in which a half register was written */
};

struct barrier_watch {
    unsigned arrived, last_warp;
    unsigned round; /* changes when the barrier ends */
    bool ascending, descending;
};

/* A block on an SM, while it has warps that arrive. */
struct block_watch {
    bool present;
    uint32_t x, y;
    int last_id;       /* last completed barrier; -1: none */
    unsigned finished; /* warps */
    struct barrier_watch barrier[BARRIERS];
};

struct collector {
    const struct space *space;
    struct setting setting;
    uint64_t *bits;
    struct warp_watch *warps;   /* sms * warps */
    struct block_watch *blocks; /* sms * BARRIER_BLOCKS */
};

static inline void mark(struct collector *c, uint32_t bin) { c->bits[bin / 64] |= (uint64_t)1 << (bin % 64); }

/* True if the instruction was executed, by some lane unless it has no guard. */
static inline bool has_acted(const struct word *w, const struct retire *r) {
    return r->trap == TRAP_NONE && (r->exec != 0 || !w->insn.guarded);
}

void note_hazards(struct collector *c, struct warp_watch *warp, const struct word *w, const struct retire *r);
void note_tokens(struct collector *c, struct warp_watch *warp, const struct word *w, const struct retire *r);
void note_arrival(struct collector *c, struct warp_watch *warp, const struct word *w, const struct retire *r);
void note_finished(struct collector *c, const struct retire *r);
void note_values(struct collector *c, const struct warp_watch *warp, const struct word *w, const struct retire *r);
void keep_registers(struct warp_watch *warp, const struct retire *r);
void note_accesses(struct collector *c, struct warp_watch *warp, const struct word *w, const struct retire *r);

#endif
