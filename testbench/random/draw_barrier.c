/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers of a random kernel: wait, arrive only, or both in one. No warp waits for one that does not come. */
#include "draw.h"

enum { BARRIERS = 16 };

/* A barrier at which warps wait, or at which they do not. */
static unsigned draw_id(const struct rules *r, struct rng *rng, bool waits) {
    for (;;) {
        const unsigned id = rng_below(rng, BARRIERS);
        if ((r->arrive_only >> id & 1u) == (waits ? 0u : 1u)) {
            return id;
        }
    }
}

static const char *all_warps(struct rng *rng) { return rng_below(rng, 2) == 0 ? "" : ", 0xfff"; }

/* Warps with an odd number wait for the others, which only arrive. The barrier behind it keeps those from arriving at
 * the same one again before all have left it. */
static void draw_split(const struct rules *r, struct rng *rng, struct program *p) {
    const int other = program_new_label(p), join = program_new_label(p);
    const unsigned id = draw_id(r, rng, true), creg = rng_below(rng, 4);
    unsigned next = id;
    while (next == id) {
        next = draw_id(r, rng, true);
    }
    program_add(p, NO_LABEL, "SHL.C%u o [0x7f], R%d, 0x1a", creg, REG_THREAD); /* sign: the warp's lowest bit */
    program_add(p, other, "BRA C%u.SIGN, 0x0", creg);
    program_add(p, NO_LABEL, "BAR.ARV b%u%s", id, all_warps(rng));
    program_add(p, join, "BRA 0x0");
    program_place_label(p, other);
    program_add(p, NO_LABEL, "BAR.ARV.WAIT b%u%s", id, all_warps(rng));
    program_place_label(p, join);
    program_add(p, NO_LABEL, "BAR.ARV.WAIT b%u%s", next, all_warps(rng));
}

void draw_barrier(const struct rules *r, struct rng *rng, struct program *p) {
    const unsigned pick = rng_below(rng, 4);
    if (pick == 0) {
        draw_split(r, rng, p);
    } else if (pick == 1 && r->arrive_only != 0) {
        program_add(p, NO_LABEL, "BAR.ARV b%u%s", draw_id(r, rng, false), all_warps(rng));
    } else {
        program_add(p, NO_LABEL, "BAR.ARV.WAIT b%u%s", draw_id(r, rng, true), all_warps(rng));
    }
}
