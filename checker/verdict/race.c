/* SPDX-License-Identifier: Apache-2.0 */
#include "race.h"

#include <stdlib.h>
#include <string.h>

#include "../../assembler/isa/isa.h"
#include "../record/partial.h"

enum { SMS = 8, WORD = 4, PAGE_BYTES = 256, PAGE_WORDS = PAGE_BYTES / WORD };

struct value_set {
    uint32_t words[256 / 32];
};

/* One byte of global memory. */
struct place {
    uint32_t stored[SMS];    /* cycle of the last store of each SM, 0: none */
    struct value_set values; /* its recent values */
    bool contested;          /* stores of different SMs have raced, and no later store has settled it */
};

/* The knowledge of the SMs that executed an atomic on a word: all accesses of SM s up to cycle seen[s]. */
struct word {
    uint32_t seen[SMS];
};

struct page {
    struct place place[PAGE_BYTES];
    struct word word[PAGE_WORDS];
};

struct races {
    unsigned sms;
    uint32_t global_bytes;
    struct page **pages;
    uint32_t seen[SMS][SMS]; /* by SM: its knowledge of each SM, through atomics */
    struct race_pending *pending;
    size_t pending_count, pending_capacity;
    bool anything; /* a trapped store may have gone anywhere: any byte may hold anything */
    uint64_t adopted;
};

struct races *races_create(const struct machine *machine) {
    struct races *r = calloc(1, sizeof *r);
    if (r == NULL) return NULL;
    r->sms = machine->sms;
    r->global_bytes = machine->global_bytes;
    // NOLINTNEXTLINE(bugprone-sizeof-expression): these are pointers
    r->pages = calloc(machine->global_bytes / PAGE_BYTES + 1, sizeof *r->pages);
    if (r->pages != NULL) return r;
    free(r);
    return NULL;
}

void races_destroy(struct races *r) {
    if (r == NULL) return;
    for (size_t i = 0; i <= r->global_bytes / PAGE_BYTES; i++) free(r->pages[i]);
    free(r->pages);
    free(r->pending);
    free(r);
}

uint64_t races_adopted(const struct races *r) { return r->adopted; }

/* ----------------------------------------------------------------------------------------------------------- places */

static struct page *page_of(const struct races *r, uint32_t addr) {
    return addr < r->global_bytes ? r->pages[addr / PAGE_BYTES] : NULL;
}

static struct page *make_page(struct races *r, uint32_t addr) {
    struct page **page = &r->pages[addr / PAGE_BYTES];
    if (*page == NULL) *page = calloc(1, sizeof **page);
    return *page;
}

static bool has_value(const struct value_set *set, uint8_t value) {
    return (set->words[value / 32] >> value % 32 & 1) != 0;
}

static void add_value(struct value_set *set, uint8_t value) { set->words[value / 32] |= (uint32_t)1 << value % 32; }

/* True if an access of SM `from` at cycle `then` precedes one of SM `to` now. */
static bool is_ordered(const struct races *r, unsigned from, uint64_t then, unsigned to, uint64_t now) {
    return from == to || then <= r->seen[to][from] || then + RACE_WINDOW < now;
}

/* Some SM's store to the byte is unordered with the present access of `sm`. */
static bool is_raced(const struct races *r, const struct place *p, unsigned sm, uint64_t now) {
    for (unsigned other = 0; other < r->sms; other++)
        if (p->stored[other] != 0 && !is_ordered(r, other, p->stored[other], sm, now)) return true;
    return false;
}

static bool is_old(const struct races *r, const struct place *p, uint64_t now) {
    for (unsigned sm = 0; sm < r->sms; sm++)
        if (p->stored[sm] != 0 && (uint64_t)p->stored[sm] + RACE_WINDOW >= now) return false;
    return true;
}

static bool explains(const struct races *r, uint32_t addr, uint8_t value, unsigned sm, uint64_t now) {
    const struct page *page = page_of(r, addr);
    if (r->anything) return true;
    if (page == NULL) return false;
    const struct place *p = &page->place[addr % PAGE_BYTES];
    return has_value(&p->values, value) && (p->contested || is_raced(r, p, sm, now));
}

bool races_may_hold(const struct races *r, uint32_t addr, uint8_t value) {
    const struct page *page = page_of(r, addr);
    return page != NULL && page->place[addr % PAGE_BYTES].contested &&
           has_value(&page->place[addr % PAGE_BYTES].values, value);
}

/* ---------------------------------------------------------------------------------------------------------- pending */

/* Bytes of an access, even if a record gives an impossible number. */
static unsigned access_bytes(const struct retire *r) {
    return r->mem_bytes < RETIRE_WORDS * WORD ? r->mem_bytes : RETIRE_WORDS * WORD;
}

/* Byte k of what a lane has read. */
static uint8_t byte_read(const struct retire *r, unsigned lane, unsigned k) {
    const uint32_t word = k < WORD ? r->dst[lane] : r->dst_rest[k / WORD - 1][lane];
    return (uint8_t)(word >> (8 * (k % WORD)));
}

/* A store of one of `values` to `addr` may explain earlier loads of other SMs. */
static void settle_pending(struct races *r, uint32_t addr, const struct value_set *values, unsigned sm, uint64_t now) {
    for (size_t i = 0; i < r->pending_count; i++) {
        struct race_pending *p = &r->pending[i];
        const struct retire *load = &p->actual;
        if (is_ordered(r, (unsigned)load->sm, load->cycle, sm, now)) continue;
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            const uint32_t k = addr - load->addr[lane];
            if (k < 16 && (p->open[lane] >> k & 1) != 0 && has_value(values, byte_read(load, lane, k)))
                p->open[lane] &= (uint16_t) ~(1u << k);
        }
    }
}

/* A store to an unknown address may explain any earlier load of other SMs. */
static void settle_anything(struct races *r, unsigned sm, uint64_t now) {
    for (size_t i = 0; i < r->pending_count; i++) {
        struct race_pending *p = &r->pending[i];
        if (!is_ordered(r, (unsigned)p->actual.sm, p->actual.cycle, sm, now)) memset(p->open, 0, sizeof p->open);
    }
}

static bool is_open(const struct race_pending *p) {
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (p->open[lane] != 0) return true;
    return false;
}

static void drop_settled(struct races *r) {
    size_t kept = 0;
    for (size_t i = 0; i < r->pending_count; i++)
        if (is_open(&r->pending[i])) r->pending[kept++] = r->pending[i];
    r->pending_count = kept;
}

static bool add_pending(struct races *r, const struct race_pending *p) {
    if (!is_open(p)) return true;
    if (r->pending_count == r->pending_capacity) {
        const size_t capacity = 2 * r->pending_capacity + 16;
        struct race_pending *larger = realloc(r->pending, capacity * sizeof *larger);
        if (larger == NULL) return false;
        r->pending = larger;
        r->pending_capacity = capacity;
    }
    r->pending[r->pending_count++] = *p;
    return true;
}

const struct race_pending *races_overdue(const struct races *r, uint64_t now) {
    if (r->pending_count == 0) return NULL;
    const bool overdue = now == UINT64_MAX || r->pending[0].actual.cycle + RACE_WINDOW < now;
    return overdue ? &r->pending[0] : NULL;
}

/* ----------------------------------------------------------------------------------------------- stores and atomics */

static bool note_store(struct races *r, uint32_t addr, uint8_t before, uint8_t value, unsigned sm, uint64_t now) {
    struct page *page = make_page(r, addr);
    if (page == NULL) return false;
    struct place *p = &page->place[addr % PAGE_BYTES];
    const bool was_contested = p->contested; /* then the model need not hold the RTL's value */
    p->contested = is_raced(r, p, sm, now);
    if (!was_contested && !p->contested && is_old(r, p, now)) memset(&p->values, 0, sizeof p->values);
    add_value(&p->values, before);
    add_value(&p->values, value);
    p->stored[sm] = (uint32_t)now;
    if (r->pending_count > 0) {
        struct value_set stored = {.words = {0}};
        add_value(&stored, value);
        settle_pending(r, addr, &stored, sm, now);
    }
    return true;
}

static bool note_stores(struct races *r, const uint8_t *global, const struct retire *rtl) {
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        for (unsigned k = 0; (rtl->mem_mask >> lane & 1) != 0 && k < access_bytes(rtl); k++) {
            const uint32_t addr = rtl->addr[lane] + k;
            const uint32_t word = k < WORD ? rtl->data[lane] : rtl->data_rest[k / WORD - 1][lane];
            if (addr < r->global_bytes &&
                !note_store(r, addr, global[addr], (uint8_t)(word >> (8 * (k % WORD))), (unsigned)rtl->sm, rtl->cycle))
                return false;
        }
    }
    drop_settled(r);
    return true;
}

/* A trapped store may or may not have been made, and a trapped atomic may have left any value. */
static bool note_partial(struct races *r, uint32_t addr, unsigned sm, uint64_t now) {
    struct page *page = make_page(r, addr);
    if (page == NULL) return false;
    struct place *p = &page->place[addr % PAGE_BYTES];
    memset(&p->values, 0xff, sizeof p->values);
    p->stored[sm] = (uint32_t)now;
    settle_pending(r, addr, &p->values, sm, now);
    return true;
}

bool races_after_trap(struct races *r, const struct model *model, unsigned sm, uint64_t now) {
    struct partial partial;
    if (!partial_of(model, sm, &partial)) return true;
    if (partial.anywhere) {
        r->anything = true;
        settle_anything(r, sm, now);
    }
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        for (unsigned k = 0; (partial.lanes >> lane & 1) != 0 && k < partial.bytes; k++) {
            const uint32_t addr = partial.addr[lane] + k;
            if (addr < r->global_bytes && !note_partial(r, addr, sm, now)) return false;
        }
    }
    drop_settled(r);
    return true;
}

static void see(uint32_t seen[SMS], const uint32_t more[SMS]) {
    for (unsigned sm = 0; sm < SMS; sm++)
        if (more[sm] > seen[sm]) seen[sm] = more[sm];
}

static bool is_first_at_its_word(const struct retire *rtl, unsigned lane) {
    for (unsigned before = 0; before < lane; before++)
        if ((rtl->mem_mask >> before & 1) != 0 && rtl->addr[before] == rtl->addr[lane]) return false;
    return true;
}

/* The value that the atomic found is the RTL's, if it differs by a race. */
static void adopt_found(struct races *r, uint8_t *global, const struct retire *rtl, unsigned lane,
                        struct race_pending *pending) {
    uint8_t *word = global + rtl->addr[lane];
    bool adopted = false;
    for (unsigned k = 0; k < WORD; k++) {
        const uint8_t found = byte_read(rtl, lane, k);
        if (found == word[k]) continue;
        pending->expected.dst[lane] ^= (uint32_t)(found ^ word[k]) << (8 * k);
        if (!explains(r, rtl->addr[lane] + k, found, (unsigned)rtl->sm, rtl->cycle))
            pending->open[lane] |= (uint16_t)(1u << k);
        word[k] = found;
        adopted = true;
    }
    r->adopted += adopted;
}

static bool note_atomics(struct races *r, uint8_t *global, const struct retire *rtl) {
    struct race_pending pending = {.open = {0}};
    const unsigned sm = (unsigned)rtl->sm;
    retire_copy(&pending.expected, rtl);
    retire_copy(&pending.actual, rtl);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const uint32_t addr = rtl->addr[lane];
        if ((rtl->mem_mask >> lane & 1) == 0 || addr % WORD != 0 || addr >= r->global_bytes) continue;
        struct page *page = make_page(r, addr);
        if (page == NULL) return false;
        see(r->seen[sm], page->word[addr % PAGE_BYTES / WORD].seen);
        if ((rtl->dst_mask >> lane & 1) != 0 && is_first_at_its_word(rtl, lane))
            adopt_found(r, global, rtl, lane, &pending);
    }
    if (!add_pending(r, &pending) || !note_stores(r, global, rtl)) return false;
    r->seen[sm][sm] = (uint32_t)rtl->cycle;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const uint32_t addr = rtl->addr[lane];
        if ((rtl->mem_mask >> lane & 1) != 0 && addr % WORD == 0 && addr < r->global_bytes)
            see(page_of(r, addr)->word[addr % PAGE_BYTES / WORD].seen, r->seen[sm]);
    }
    return true;
}

bool races_before_step(struct races *r, uint8_t *global, const struct retire *rtl) {
    if (rtl->sm >= r->sms) return true; /* refused by the model */
    if (rtl->mem_kind == RETIRE_MEM_GLOBAL_STORE) return note_stores(r, global, rtl);
    if (rtl->mem_kind == RETIRE_MEM_GLOBAL_ATOMIC) return note_atomics(r, global, rtl);
    return true;
}

/* ------------------------------------------------------------------------------------------------------------ loads */

static bool differ_in_values_only(const struct compare_result *differences) {
    for (size_t i = 0; i < differences->count; i++)
        if (strncmp(differences->diff[i].field->name, "dst", 3) != 0 || differences->diff[i].field->kind != FIELD_LANES)
            return false;
    return true;
}

/* A narrow value is extended with zeros or with its sign, as the instruction requires. */
static bool is_extended(const struct retire *load, unsigned lane) {
    const unsigned bits = 8 * access_bytes(load);
    struct isa_insn insn;
    if (bits == 0 || bits >= 8 * WORD) return bits != 0;
    const uint32_t value = load->dst[lane], low = value & (UINT32_MAX >> (8 * WORD - bits));
    const bool is_signed = isa_decode(load->word_lo, load->word_hi, &insn) == ISA_OK && insn.src[0].sext;
    return value == (is_signed ? isa_sext(low, bits) : low);
}

static void poke_register(struct model *model, const struct retire *rtl, unsigned lane, unsigned word, uint32_t value) {
    const unsigned sm = (unsigned)rtl->sm;
    if (rtl->dst_kind == RETIRE_DST_REG32) {
        model_poke_reg(model, sm, rtl->slot, lane, rtl->dst_reg + word, value);
        return;
    }
    const unsigned reg = rtl->dst_reg / 2, shift = rtl->dst_reg % 2 * 16;
    const uint32_t other = model_peek_reg(model, sm, rtl->slot, lane, reg) & ~((uint32_t)0xffff << shift);
    model_poke_reg(model, sm, rtl->slot, lane, reg, other | (value & 0xffff) << shift);
}

bool races_explain(struct races *r, struct model *model, const struct retire *expected, const struct retire *rtl,
                   const struct compare_result *differences) {
    if (rtl->mem_kind != RETIRE_MEM_GLOBAL_LOAD || !differ_in_values_only(differences)) return false;
    struct race_pending pending = {.open = {0}};
    retire_copy(&pending.expected, expected);
    retire_copy(&pending.actual, rtl);
    uint32_t lanes = 0;
    for (size_t i = 0; i < differences->count; i++) lanes |= differences->diff[i].lanes;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if ((lanes >> lane & 1) == 0) continue;
        if (!is_extended(rtl, lane)) return false;
        for (unsigned k = 0; k < access_bytes(rtl); k++) {
            const uint8_t value = byte_read(rtl, lane, k);
            if (value != byte_read(expected, lane, k) &&
                !explains(r, rtl->addr[lane] + k, value, (unsigned)rtl->sm, rtl->cycle))
                pending.open[lane] |= (uint16_t)(1u << k);
        }
    }
    if (!add_pending(r, &pending)) return false;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        for (unsigned word = 0; (lanes >> lane & 1) != 0 && WORD * word < access_bytes(rtl); word++)
            poke_register(model, rtl, lane, word, word == 0 ? rtl->dst[lane] : rtl->dst_rest[word - 1][lane]);
    r->adopted += (unsigned)__builtin_popcount(lanes);
    return true;
}
