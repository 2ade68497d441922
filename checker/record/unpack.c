/* SPDX-License-Identifier: Apache-2.0 */
#include "unpack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 64, MAX_SMS = 8 };

/* Beats received of words 1 .. 3 of a wide access: lanes by word - 1. Those of word 0 are the record's masks. */
struct parts {
    bool any;
    uint32_t exec[RETIRE_WORDS - 1], dst_mask[RETIRE_WORDS - 1], mem_mask[RETIRE_WORDS - 1],
        load_mask[RETIRE_WORDS - 1];
};

struct entry {
    struct retire record;
    struct parts parts;
    bool begun;   /* a beat has arrived, or values of a load before its own first beat */
    bool ended;   /* its last load beat arrived before its own last beat */
    bool pending; /* values of a load are outstanding */
};

struct unpack {
    unsigned cores, sms;
    struct entry building[MAX_SMS]; /* the warp instruction whose beats are arriving */
    struct entry *ring;             /* records in order of retirement, all SMs */
    size_t capacity, head, count;   /* capacity is a power of two */
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

bool unpack_is_between(const struct unpack *u) {
    for (unsigned sm = 0; sm < u->sms; sm++)
        if (u->building[sm].begun) return false;
    return u->count == 0;
}

static struct entry *at(const struct unpack *u, size_t i) { return &u->ring[(u->head + i) & (u->capacity - 1)]; }

static bool fail(struct unpack *u, unsigned sm, const char *what) {
    snprintf(u->why, sizeof u->why, "trace port of SM %u: %s", sm, what);
    return false;
}

/* Clears an instruction. Its later words are zero unless a beat brings them. */
static void clear_entry(struct entry *e) {
    memset(&e->record, 0, e->parts.any ? sizeof e->record : offsetof(struct retire, dst_rest));
    if (e->parts.any) memset(&e->parts, 0, sizeof e->parts);
    e->begun = e->ended = e->pending = false;
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
    size_t base;    /* first bit of the SM */
    bool unclear;   /* an unknown bit was read: */
    size_t at;      /* the first one, as a bit of the SM, */
    unsigned lanes; /* its lane in a warp, if it is of lane 0 */
};

static uint32_t word_bits(const uint32_t *words, size_t first, unsigned count) {
    size_t i = first / 32;
    unsigned shift = (unsigned)(first % 32);
    uint64_t v = words[i] >> shift;
    if (shift + count > 32) v |= (uint64_t)words[i + 1] << (32 - shift);
    return (uint32_t)(v & (((uint64_t)1 << count) - 1));
}

static uint32_t read_bits(struct port *p, size_t first, unsigned count) {
    const uint32_t unknown = p->unknown != NULL ? word_bits(p->unknown, p->base + first, count) : 0;
    if (unknown != 0 && !p->unclear) {
        p->unclear = true;
        p->at = first + (size_t)__builtin_ctz(unknown);
    }
    return word_bits(p->words, p->base + first, count);
}

static uint32_t read_scalar(struct port *p, unsigned first, unsigned last) {
    return read_bits(p, first, last - first + 1);
}

static size_t lane_base(unsigned lane) { return (size_t)RETIRE_BITS + (size_t)lane * RETIRE_LANE_BITS; }

static void read_scalars(struct port *p, struct retire *r) {
#define SCALAR(name, bits, compare) r->name = read_scalar(p, AT_##name, AT_END_##name);
#include "../../spec/retire.def"
}

/* Adds one lane of a beat to the record; false if the lane was reported before. */
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
#include "../../spec/retire.def"
    const unsigned index = (unsigned)__builtin_ctz(bit);
#define LANES(name, bits, mask, compare) \
    if (in.mask != 0) r->name[index] = read_bits(p, base + LANE_AT_##name, bits);
#include "../../spec/retire.def"
    return twice == 0;
}

/* Sets the lane of `bit` in a mask if the port does; notes in *twice a lane that is set already. */
static bool read_mask(struct port *p, size_t at, uint32_t bit, uint32_t *mask, uint32_t *twice) {
    if (read_bits(p, at, 1) == 0) return false;
    *twice |= *mask & bit;
    *mask |= bit;
    return true;
}

/* Adds one lane of a beat of part 1 .. 3. Masks, dst and data belong to this part; flags and the A register come in any
 * single part. False if the lane was reported before. */
static bool read_lane_of_part(struct port *p, unsigned lane, uint32_t bit, unsigned part, struct entry *e) {
    struct retire *r = &e->record;
    struct parts *w = &e->parts;
    const size_t base = lane_base(lane);
    const unsigned index = (unsigned)__builtin_ctz(bit), i = part - 1;
    uint32_t twice = 0;
    w->any = true;
    read_mask(p, base + LANE_AT_exec, bit, &w->exec[i], &twice);
    if (read_mask(p, base + LANE_AT_dst_mask, bit, &w->dst_mask[i], &twice))
        r->dst_rest[i][index] = read_bits(p, base + LANE_AT_dst, 32);
    if (read_mask(p, base + LANE_AT_mem_mask, bit, &w->mem_mask[i], &twice))
        r->data_rest[i][index] = read_bits(p, base + LANE_AT_data, 32);
    if (read_mask(p, base + LANE_AT_c_mask, bit, &r->c_mask, &twice))
        r->c[index] = read_bits(p, base + LANE_AT_c, LANE_AT_END_c - LANE_AT_c + 1);
    if (read_mask(p, base + LANE_AT_a_mask, bit, &r->a_mask, &twice))
        r->a[index] = read_bits(p, base + LANE_AT_a, LANE_AT_END_a - LANE_AT_a + 1);
    return twice == 0;
}

/* Every part reports the same lanes; a part whose register is beyond the launch writes none. */
static const char *check_parts(const struct entry *e) {
    const struct retire *r = &e->record;
    const struct parts *w = &e->parts;
    const unsigned words = retire_words(r);
    for (unsigned i = 0; i < RETIRE_WORDS - 1; i++) {
        const bool within = i + 1 < words;
        if (!within && (w->exec[i] | w->dst_mask[i] | w->mem_mask[i]) != 0)
            return "a beat names a part beyond the access";
        const bool writes_others = w->dst_mask[i] != 0 && w->dst_mask[i] != r->dst_mask;
        if (within && (w->exec[i] != r->exec || w->mem_mask[i] != r->mem_mask || writes_others))
            return "the parts of one access report different lanes";
    }
    return NULL;
}

void unpack_clear_effects(struct retire *r) {
    r->dst_kind = r->dst_reg = r->c_reg = r->a_reg = r->mem_kind = r->mem_bytes = r->next_pc = r->next_active = 0;
#define MASK(name, compare)              r->name = 0;
#define LANES(name, bits, mask, compare) memset(r->name, 0, sizeof r->name);
#include "../../spec/retire.def"
}

/* The last load beat has arrived: each word of the access has values for the lanes of the first one, or none if its
 * register is beyond the launch. */
static bool finish_load(struct unpack *u, struct entry *e, unsigned sm) {
    struct retire *r = &e->record;
    e->pending = false;
    if (r->trap != TRAP_NONE) { /* other rows of a load that trapped */
        unpack_clear_effects(r);
        return true;
    }
    for (unsigned i = 0; i < RETIRE_WORDS - 1; i++) {
        const uint32_t lanes = e->parts.load_mask[i];
        if (i + 1 >= retire_words(r) && lanes != 0) return fail(u, sm, "a load beat names a part beyond the access");
        if (lanes != 0 && lanes != r->dst_mask) return fail(u, sm, "a load ends with lanes of a part missing");
    }
    return true;
}

static bool finish_record(struct unpack *u, struct port *p, unsigned sm, uint64_t cycle) {
    if (u->count == u->capacity && !grow(u)) return fail(u, sm, "out of memory");
    struct entry *b = &u->building[sm], *e = at(u, u->count++);
    struct retire *r = &b->record;
    read_scalars(p, r);
    r->cycle = cycle;
    r->sm = sm;
    const char *wrong = r->trap == TRAP_NONE ? check_parts(b) : NULL;
    if (wrong != NULL) return fail(u, sm, wrong);
    if (r->trap != TRAP_NONE) unpack_clear_effects(r);
    retire_copy(&e->record, r);
    e->parts = b->parts;
    e->pending = read_scalar(p, AT_pending, AT_END_pending) != 0;
    const bool ended = b->ended;
    clear_entry(b);
    if (ended && !e->pending) return fail(u, sm, "load beats of an instruction that is no load");
    return !ended || finish_load(u, e, sm);
}

static bool take_beat(struct unpack *u, struct port *p, unsigned sm, uint64_t cycle) {
    const unsigned row = read_scalar(p, AT_row, AT_END_row);
    if ((row + 1) * u->cores > WARP_LANES) return fail(u, sm, "a beat names a row beyond the warp");
    const unsigned part = read_scalar(p, AT_part, AT_END_part);
    struct entry *e = &u->building[sm];
    e->begun = true;
    p->lanes = row * u->cores;
    for (unsigned lane = 0; lane < u->cores; lane++) {
        const uint32_t bit = (uint32_t)1 << (row * u->cores + lane);
        if (part == 0 ? !read_lane(p, lane, bit, &e->record) : !read_lane_of_part(p, lane, bit, part, e))
            return fail(u, sm, "two beats of one instruction report the same lane");
    }
    if (read_scalar(p, AT_last, AT_END_last) == 0) return true;
    return finish_record(u, p, sm, cycle);
}

static struct entry *oldest_load(const struct unpack *u, unsigned sm) {
    for (size_t i = 0; i < u->count; i++)
        if (at(u, i)->pending && at(u, i)->record.sm == sm) return at(u, i);
    return NULL;
}

/* The values of one load beat; false if a lane had its value before. */
static bool read_load(const struct unpack *u, struct port *p, struct entry *e) {
    const unsigned first = read_scalar(p, AT_load_row, AT_END_load_row) * u->cores;
    const unsigned part = read_scalar(p, AT_load_part, AT_END_load_part);
    p->lanes = p->unclear ? p->lanes : first;
    uint32_t *mask = part == 0 ? &e->record.dst_mask : &e->parts.load_mask[part - 1];
    uint32_t *values = part == 0 ? e->record.dst : e->record.dst_rest[part - 1];
    uint32_t twice = 0;
    e->begun = true;
    e->parts.any |= part != 0;
    for (unsigned lane = 0; lane < u->cores; lane++)
        if (read_mask(p, lane_base(lane) + LANE_AT_load_mask, (uint32_t)1 << (first + lane), mask, &twice))
            values[first + lane] = read_bits(p, lane_base(lane) + LANE_AT_dst, 32);
    return twice == 0;
}

/* A load may return before its own last beat: in part if it touches several lines, or whole if that beat waits (for END
 * or JOIN to unwind the stack), even if it is its only one. Then it belongs to the record being built. */
static bool take_load_beat(struct unpack *u, struct port *p, unsigned sm) {
    struct entry *e = oldest_load(u, sm);
    const bool last = read_scalar(p, AT_load_last, AT_END_load_last) != 0;
    struct entry *b = &u->building[sm];
    if (e == NULL && b->ended) return fail(u, sm, "more load beats than loads");
    const unsigned row = read_scalar(p, AT_load_row, AT_END_load_row);
    if ((row + 1) * u->cores > WARP_LANES) return fail(u, sm, "a load beat names a row beyond the warp");
    if (!read_load(u, p, e != NULL ? e : b)) return fail(u, sm, "two load beats bring the same lane");
    if (e == NULL) b->ended = last;
    return !last || e == NULL || finish_load(u, e, sm);
}

/* The name of the field that a bit of the port belongs to, and the bit's number in it. */
static const char *scalar_name(size_t at, size_t *bit) {
#define SCALAR(name, bits, compare) \
    if ((*bit = at - AT_##name) <= AT_END_##name - AT_##name) return #name;
#define PORT(name, bits) SCALAR(name, bits, EXACT)
#include "../../spec/retire.def"
    return "";
}

static const char *lane_name(size_t at, size_t *bit) {
#define LANES(name, bits, mask, compare) \
    if ((*bit = at - LANE_AT_##name) <= LANE_AT_END_##name - LANE_AT_##name) return #name;
#define MASK(name, compare) \
    if ((*bit = at - LANE_AT_##name) == 0) return #name;
#define PORT_MASK(name) MASK(name, EXACT)
#include "../../spec/retire.def"
    return "";
}

static bool fail_unclear(struct unpack *u, unsigned sm, const struct port *p) {
    char what[96];
    size_t bit = 0;
    if (p->at < RETIRE_BITS) {
        const char *name = scalar_name(p->at, &bit);
        snprintf(what, sizeof what, "bit %zu of %s is neither 0 nor 1", bit, name);
    } else {
        const size_t lane = (p->at - RETIRE_BITS) / RETIRE_LANE_BITS;
        const char *name = lane_name((p->at - RETIRE_BITS) % RETIRE_LANE_BITS, &bit);
        snprintf(what, sizeof what, "bit %zu of %s in lane %zu is neither 0 nor 1", bit, name, p->lanes + lane);
    }
    return fail(u, sm, what);
}

bool unpack_clock(struct unpack *u, const uint32_t *port, const uint32_t *unknown, uint64_t cycle) {
    const size_t sm_bits = unpack_port_bits(u->cores, 1);
    for (unsigned sm = 0; sm < u->sms; sm++) {
        struct port p = {.words = port, .unknown = unknown, .base = sm * sm_bits};
        if (read_scalar(&p, AT_valid, AT_END_valid) != 0 && !take_beat(u, &p, sm, cycle)) return false;
        if (read_scalar(&p, AT_load_valid, AT_END_load_valid) != 0 && !take_load_beat(u, &p, sm)) return false;
        if (p.unclear) return fail_unclear(u, sm, &p);
    }
    return true;
}

bool unpack_next(struct unpack *u, struct retire *record) {
    if (u->count == 0 || at(u, 0)->pending) return false;
    retire_copy(record, &at(u, 0)->record);
    u->head = (u->head + 1) & (u->capacity - 1);
    u->count--;
    return true;
}
