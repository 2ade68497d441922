/* SPDX-License-Identifier: Apache-2.0 */
#include "unpack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 64, MAX_SMS = 8 };

struct entry {
    struct retire record;
    bool pending; /* values of a load are still to come */
};

struct unpack {
    unsigned cores, sms;
    struct retire building[MAX_SMS]; /* the warp instruction whose beats are coming in */
    struct entry *ring;              /* records in order of retirement, all SMs */
    size_t capacity, head, count;    /* capacity is a power of two */
    char why[160];
};

size_t unpack_port_bits(unsigned cores, unsigned sms) {
    return (size_t)sms * ((size_t)RETIRE_BITS + (size_t)cores * RETIRE_LANE_BITS);
}

size_t unpack_port_words(unsigned cores, unsigned sms) { return (unpack_port_bits(cores, sms) + 31) / 32; }

struct unpack *unpack_create(unsigned cores, unsigned sms) {
    if (cores == 0 || cores > WARP_LANES || sms == 0 || sms > MAX_SMS) return NULL;
    struct unpack *u = calloc(1, sizeof *u);
    if (u == NULL) return NULL;
    u->cores = cores;
    u->sms = sms;
    u->capacity = FIRST_CAPACITY;
    u->ring = calloc(u->capacity, sizeof *u->ring);
    if (u->ring == NULL) {
        free(u);
        return NULL;
    }
    return u;
}

void unpack_destroy(struct unpack *u) {
    if (u == NULL) return;
    free(u->ring);
    free(u);
}

void unpack_reset(struct unpack *u) {
    memset(u->building, 0, sizeof u->building);
    u->head = u->count = 0;
    u->why[0] = 0;
}

const char *unpack_why(const struct unpack *u) { return u->why; }
size_t unpack_waiting(const struct unpack *u) { return u->count; }

static struct entry *at(const struct unpack *u, size_t i) { return &u->ring[(u->head + i) & (u->capacity - 1)]; }

static bool fail(struct unpack *u, unsigned sm, const char *what) {
    snprintf(u->why, sizeof u->why, "trace port of SM %u: %s", sm, what);
    return false;
}

static bool grow(struct unpack *u) {
    struct entry *ring = calloc(u->capacity * 2, sizeof *ring);
    if (ring == NULL) return false;
    for (size_t i = 0; i < u->count; i++) ring[i] = *at(u, i);
    free(u->ring);
    u->ring = ring;
    u->capacity *= 2;
    u->head = 0;
    return true;
}

/* The port of one SM at one clock edge. */
struct port {
    const uint32_t *words, *unknown;
    size_t base;  /* first bit of the SM */
    bool unclear; /* an unknown bit was read */
};

static uint32_t word_bits(const uint32_t *words, size_t first, unsigned count) {
    size_t i = first / 32;
    unsigned shift = (unsigned)(first % 32);
    uint64_t v = words[i] >> shift;
    if (shift + count > 32) v |= (uint64_t)words[i + 1] << (32 - shift);
    return (uint32_t)(v & (((uint64_t)1 << count) - 1));
}

static uint32_t read_bits(struct port *p, size_t first, unsigned count) {
    if (p->unknown != NULL && word_bits(p->unknown, p->base + first, count) != 0) p->unclear = true;
    return word_bits(p->words, p->base + first, count);
}

static uint32_t read_scalar(struct port *p, unsigned first, unsigned last) {
    return read_bits(p, first, last - first + 1);
}

static size_t lane_base(unsigned lane) { return (size_t)RETIRE_BITS + (size_t)lane * RETIRE_LANE_BITS; }

static void read_scalars(struct port *p, struct retire *r) {
#define SCALAR(name, bits, compare) r->name = read_scalar(p, AT_##name, AT_END_##name);
#include "retire.def"
}

/* Adds one lane of a beat to the record; false when the lane was reported before. */
static bool read_lane(struct port *p, unsigned lane, uint32_t bit, struct retire *r) {
    const size_t base = lane_base(lane);
    struct retire in = {0};
    uint32_t twice = 0;
#define MASK(name, compare)                            \
    if (read_bits(p, base + LANE_AT_##name, 1) != 0) { \
        in.name = bit;                                 \
        twice |= r->name & bit;                        \
        r->name |= bit;                                \
    }
#include "retire.def"
    const unsigned index = (unsigned)__builtin_ctz(bit);
#define LANES(name, bits, mask, compare) \
    if (in.mask != 0) r->name[index] = read_bits(p, base + LANE_AT_##name, bits);
#include "retire.def"
    return twice == 0;
}

void unpack_clear_effects(struct retire *r) {
    r->dst_kind = r->dst_reg = r->c_reg = r->a_reg = r->mem_kind = r->mem_bytes = r->next_pc = r->next_active = 0;
#define MASK(name, compare)              r->name = 0;
#define LANES(name, bits, mask, compare) memset(r->name, 0, sizeof r->name);
#include "retire.def"
}

static bool finish_record(struct unpack *u, struct port *p, unsigned sm, uint64_t cycle) {
    if (u->count == u->capacity && !grow(u)) return fail(u, sm, "out of memory");
    struct retire *r = &u->building[sm];
    struct entry *e = at(u, u->count++);
    read_scalars(p, r);
    r->cycle = cycle;
    r->sm = sm;
    e->pending = read_scalar(p, AT_pending, AT_END_pending) != 0;
    if (r->trap != TRAP_NONE) unpack_clear_effects(r);
    e->record = *r;
    memset(r, 0, sizeof *r);
    return true;
}

static bool take_beat(struct unpack *u, struct port *p, unsigned sm, uint64_t cycle) {
    const unsigned row = read_scalar(p, AT_row, AT_END_row);
    if ((row + 1) * u->cores > WARP_LANES) return fail(u, sm, "a beat names a row beyond the warp");
    for (unsigned lane = 0; lane < u->cores; lane++)
        if (!read_lane(p, lane, (uint32_t)1 << (row * u->cores + lane), &u->building[sm]))
            return fail(u, sm, "two beats of one instruction report the same lane");
    if (read_scalar(p, AT_last, AT_END_last) == 0) return true;
    return finish_record(u, p, sm, cycle);
}

static struct entry *oldest_load(const struct unpack *u, unsigned sm) {
    for (size_t i = 0; i < u->count; i++)
        if (at(u, i)->pending && at(u, i)->record.sm == sm) return at(u, i);
    return NULL;
}

/* A load that touches several lines may come back in part before its own beats: that part belongs to the record being
 * built. */
static bool take_load_beat(struct unpack *u, struct port *p, unsigned sm) {
    struct entry *e = oldest_load(u, sm);
    const bool last = read_scalar(p, AT_load_last, AT_END_load_last) != 0;
    if (e == NULL && last) return fail(u, sm, "a load ends before it retires");
    struct retire *r = e != NULL ? &e->record : &u->building[sm];
    const unsigned row = read_scalar(p, AT_load_row, AT_END_load_row);
    if ((row + 1) * u->cores > WARP_LANES) return fail(u, sm, "a load beat names a row beyond the warp");
    for (unsigned lane = 0; lane < u->cores; lane++) {
        if (read_bits(p, lane_base(lane) + LANE_AT_load_mask, 1) == 0) continue;
        const unsigned index = row * u->cores + lane;
        const uint32_t bit = (uint32_t)1 << index;
        if ((r->dst_mask & bit) != 0) return fail(u, sm, "two load beats bring the same lane");
        r->dst_mask |= bit;
        r->dst[index] = read_bits(p, lane_base(lane) + LANE_AT_dst, LANE_AT_END_dst - LANE_AT_dst + 1);
    }
    if (e != NULL) e->pending = !last;
    if (e != NULL && last && r->trap != TRAP_NONE) unpack_clear_effects(r); /* other rows of a load that trapped */
    return true;
}

bool unpack_clock(struct unpack *u, const uint32_t *port, const uint32_t *unknown, uint64_t cycle) {
    const size_t sm_bits = unpack_port_bits(u->cores, 1);
    for (unsigned sm = 0; sm < u->sms; sm++) {
        struct port p = {port, unknown, sm * sm_bits, false};
        if (read_scalar(&p, AT_valid, AT_END_valid) != 0 && !take_beat(u, &p, sm, cycle)) return false;
        if (read_scalar(&p, AT_load_valid, AT_END_load_valid) != 0 && !take_load_beat(u, &p, sm)) return false;
        if (p.unclear) return fail(u, sm, "a bit that counts is neither 0 nor 1");
    }
    return true;
}

bool unpack_next(struct unpack *u, struct retire *record) {
    if (u->count == 0 || at(u, 0)->pending) return false;
    *record = at(u, 0)->record;
    u->head = (u->head + 1) & (u->capacity - 1);
    u->count--;
    return true;
}
