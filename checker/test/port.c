/* SPDX-License-Identifier: Apache-2.0 */
#include "port.h"

#include <string.h>

void port_clear(struct port_image *p, unsigned cores) {
    memset(p, 0, sizeof *p);
    p->cores = cores;
}

/* Bit by bit on purpose: the slow and simple way, to test the fast one. */
void port_put_bits(struct port_image *p, unsigned sm, unsigned first, unsigned count, uint32_t value) {
    const size_t base = (size_t)sm * (RETIRE_BITS + (size_t)p->cores * RETIRE_LANE_BITS);
    for (unsigned i = 0; i < count; i++) {
        const size_t bit = base + first + i;
        const uint32_t mask = (uint32_t)1 << (bit % 32);
        if ((value >> i & 1) != 0)
            p->words[bit / 32] |= mask;
        else
            p->words[bit / 32] &= ~mask;
    }
}

static unsigned lane_at(unsigned index) { return RETIRE_BITS + index * RETIRE_LANE_BITS; }

static void put_lane(struct port_image *p, unsigned sm, unsigned at, unsigned lane, const struct retire *r) {
    const uint32_t bit = (uint32_t)1 << lane;
#define MASK(name, compare)              port_put_bits(p, sm, at + LANE_AT_##name, 1, (r->name & bit) != 0);
#define LANES(name, bits, mask, compare) port_put_bits(p, sm, at + LANE_AT_##name, bits, r->name[lane]);
#include "../../spec/retire.def"
}

/* The record as one part of a wide access carries it. */
static struct retire seen_in_part(const struct retire *r, unsigned part) {
    struct retire seen = *r;
    if (part == 0) return seen;
    memcpy(seen.dst, r->dst_rest[part - 1], sizeof seen.dst);
    memcpy(seen.data, r->data_rest[part - 1], sizeof seen.data);
    memset(seen.addr, 0, sizeof seen.addr);
    seen.c_mask = seen.a_mask = 0;
    return seen;
}

void port_put_beat(struct port_image *p, const struct port_beat *beat, const struct retire *whole) {
    const struct retire seen = seen_in_part(whole, beat->part), *r = &seen;
    port_put_bits(p, beat->sm, AT_part, 2, beat->part);
    port_put_bits(p, beat->sm, AT_valid, 1, 1);
    port_put_bits(p, beat->sm, AT_last, 1, beat->last);
    port_put_bits(p, beat->sm, AT_row, 2, beat->row);
    port_put_bits(p, beat->sm, AT_pending, 1, beat->pending);
#define SCALAR(name, bits, compare) port_put_bits(p, beat->sm, AT_##name, bits, r->name);
#include "../../spec/retire.def"
    for (unsigned i = 0; i < p->cores; i++) {
        const unsigned lane = beat->row * p->cores + i;
        if ((beat->lanes >> lane & 1) == 0) continue;
        put_lane(p, beat->sm, lane_at(i), lane, r);
        if (beat->pending) port_put_bits(p, beat->sm, lane_at(i) + LANE_AT_dst_mask, 1, 0);
    }
}

void port_put_load(struct port_image *p, const struct port_beat *beat, const struct retire *whole) {
    const struct retire seen = seen_in_part(whole, beat->part), *r = &seen;
    port_put_bits(p, beat->sm, AT_load_part, 2, beat->part);
    port_put_bits(p, beat->sm, AT_load_valid, 1, 1);
    port_put_bits(p, beat->sm, AT_load_last, 1, beat->last);
    port_put_bits(p, beat->sm, AT_load_row, 2, beat->row);
    for (unsigned i = 0; i < p->cores; i++) {
        const unsigned lane = beat->row * p->cores + i;
        if ((beat->lanes >> lane & 1) == 0) continue;
        port_put_bits(p, beat->sm, lane_at(i) + LANE_AT_load_mask, 1, 1);
        port_put_bits(p, beat->sm, lane_at(i) + LANE_AT_dst, 32, r->dst[lane]);
    }
}
