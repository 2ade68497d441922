/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers of a random kernel: wait, arrive only, or both in one, and reads of other warps' stores between two
 * barriers. No warp waits for one that does not arrive. */
#include "recipe.h"

enum { BARRIERS = 16, READS = 4 };

/* A barrier at which warps wait, or one at which they only arrive. */
static unsigned draw_id(const struct rules *r, struct rng *rng, bool waits) {
    for (;;) {
        const unsigned id = rng_below(rng, BARRIERS);
        if ((r->arrive_only >> id & 1u) == (waits ? 0u : 1u)) return id;
    }
}

static const char *all_warps(struct rng *rng) { return rng_below(rng, 2) == 0 ? "" : ", 0xfff"; }

static unsigned add_wait(const struct rules *r, struct rng *rng, struct kernel *k, unsigned not_this) {
    unsigned id = draw_id(r, rng, true);
    while (id == not_this) id = draw_id(r, rng, true);
    kernel_add(k, NO_LABEL, "BAR.ARV.WAIT b%u%s", id, all_warps(rng));
    return id;
}

/* Warps with an odd number wait for the others, which only arrive. The following barrier prevents those from arriving
 * again before all warps have left. */
static void add_split(const struct rules *r, struct rng *rng, struct kernel *k) {
    const int other = kernel_new_label(k), join = kernel_new_label(k);
    const unsigned id = draw_id(r, rng, true), creg = rng_below(rng, 4);
    kernel_add(k, NO_LABEL, "SHL.C%u o [0x7f], R%d, 0x1a", creg, REG_THREAD); /* sign: the warp's lowest bit */
    kernel_add(k, other, "BRA C%u.SIGN, 0x0", creg);
    kernel_add(k, NO_LABEL, "BAR.ARV b%u%s", id, all_warps(rng));
    kernel_add(k, join, "BRA 0x0");
    kernel_place_label(k, other);
    kernel_add(k, NO_LABEL, "BAR.ARV.WAIT b%u%s", id, all_warps(rng));
    kernel_place_label(k, join);
    add_wait(r, rng, k, id);
}

/* Reads anywhere in shared memory, while no warp writes. */
static void add_exchange(const struct rules *r, struct rng *rng, struct kernel *k) {
    const unsigned areg = draw_areg(r, rng, true, 4), from = draw_register(r, rng);
    add_wait(r, rng, k, BARRIERS);
    recipe_mask(r, k, REG_SCRATCH, from, MASK_EXCHANGE);
    kernel_add(k, NO_LABEL, "R2A A%u, R%d", areg, REG_SCRATCH);
    const unsigned reads = 1 + rng_below(rng, READS);
    for (unsigned i = 0; i < reads; i++) {
        const unsigned to = draw_register(r, rng), other = draw_register(r, rng), offset = rng_below(rng, 32);
        char guard[24];
        draw_guard(r, rng, guard);
        switch (rng_below(rng, 3)) {
        case 0: kernel_add(k, NO_LABEL, "MOV R%u%s, g [A%u+0x%x]", to, guard, areg, offset); break;
        case 1: kernel_add(k, NO_LABEL, "IADD R%u%s, g [A%u+0x%x], R%u", to, guard, areg, offset, other); break;
        default: kernel_add(k, NO_LABEL, "LOP.XOR R%u%s, g [A%u+0x%x], R%u", to, guard, areg, offset, other); break;
        }
    }
    draw_repair(r, k, areg);
    add_wait(r, rng, k, BARRIERS);
}

void draw_barrier(const struct rules *r, struct rng *rng, struct kernel *k) {
    const unsigned pick = rng_below(rng, 6), part = kernel_open_part(k);
    if (pick == 0) {
        add_split(r, rng, k);
    } else if (pick <= 2 && !r->undefined && r->table->can.aregs && r->table->can.shared) {
        add_exchange(r, rng, k);
    } else if (pick == 3 && r->arrive_only != 0) {
        const unsigned id = draw_id(r, rng, false);
        kernel_add(k, NO_LABEL, "BAR.ARV b%u%s", id, all_warps(rng));
    } else {
        add_wait(r, rng, k, BARRIERS);
    }
    kernel_close_part(k, part);
}
