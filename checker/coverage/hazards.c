/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of instructions of one warp, the second dependent on the first, by distance. */
#include "parts.h"

enum { R_WORDS = 4 };                                  /* words of a register_set that hold halves of R */
static const uint64_t LOW_HALVES = 0x5555555555555555; /* bit 2n of register n */

static uint64_t field_of(const struct register_set *s, unsigned first) {
    return s->bits[first / 64] >> (first % 64) & 15;
}

/* The resources that are in both sets, as bits of enum resource; removes them from *r. */
static unsigned resources_of(const struct register_set *writes, const struct register_set *other) {
    unsigned found = 0;
    for (unsigned i = 0; i < R_WORDS; i++) {
        const uint64_t w = writes->bits[i], o = other->bits[i], both = w & o;
        const uint64_t any = (both | both >> 1) & LOW_HALVES;
        const uint64_t w_full = w & w >> 1, o_full = o & o >> 1;
        if ((any & w_full & o_full) != 0) found |= 1u << RESOURCE_R;
        if ((any & ~w_full & ~o_full) != 0) found |= 1u << RESOURCE_HALF;
        if ((any & (w_full ^ o_full)) != 0) found |= 1u << RESOURCE_PART;
    }
    if ((field_of(writes, EFFECTS_C) & field_of(other, EFFECTS_C)) != 0) found |= 1u << RESOURCE_C;
    if ((field_of(writes, EFFECTS_A) & field_of(other, EFFECTS_A)) != 0) found |= 1u << RESOURCE_A;
    return found;
}

static void mark_pair(struct collector *c, enum hazard h, unsigned resources, unsigned first, unsigned second,
                      unsigned distance) {
    for (unsigned r = 0; r < RESOURCE_COUNT; r++) {
        const uint32_t block = c->space->pairs[h][r][first][second];
        if ((resources >> r & 1) != 0 && block != SPACE_NONE) mark(c, block + distance - 1);
    }
}

/* A nearer instruction that wrote the same resource hides an older one. */
static void hide(struct register_set *s, const struct register_set *behind) {
    for (unsigned i = 0; i < EFFECTS_SET_WORDS; i++) s->bits[i] &= ~behind->bits[i];
}

static void note_past(struct collector *c, struct warp_watch *warp, const struct word *w) {
    struct register_set reads = w->reads, writes = w->writes;
    for (unsigned distance = 1; distance <= warp->past_count; distance++) {
        const struct past *p = &warp->past[(warp->past_next + PAIR_DISTANCES - distance) % PAIR_DISTANCES];
        mark_pair(c, HAZARD_RAW, resources_of(&p->writes, &reads), p->class, w->class, distance);
        mark_pair(c, HAZARD_WAW, resources_of(&p->writes, &writes), p->class, w->class, distance);
        mark_pair(c, HAZARD_WAR, resources_of(&writes, &p->reads), p->class, w->class, distance);
        hide(&reads, &p->writes);
        hide(&writes, &p->writes);
    }
}

void note_hazards(struct collector *c, struct warp_watch *warp, const struct word *w, const struct retire *r) {
    if (r->trap != TRAP_NONE) return;
    const bool acted = has_acted(w, r);
    if (acted) note_past(c, warp, w);
    struct past *p = &warp->past[warp->past_next];
    *p = (struct past){.class = w->class};
    if (acted) {
        p->reads = w->reads;
        p->writes = w->writes;
    }
    warp->past_next = (warp->past_next + 1) % PAIR_DISTANCES;
    if (warp->past_count < PAIR_DISTANCES) warp->past_count++;
}
