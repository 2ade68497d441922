/* SPDX-License-Identifier: Apache-2.0 */
#include "hash.h"

#include <stddef.h>

/* Numbers of the hash keys: fpga/boards/hash_pkg.vhd. */
enum {
    OCTET = 8,
    KEY_DST = 0,
    KEY_DATA = 8,
    KEY_PLACE = 16,
    KEY_COMMON = 24,
    KEY_WORDS = 64,
    KEY_PLACES = 80,
    COMMON_WORDS = 8,
    LAST_REGISTER = 126,
};

static uint32_t mix(uint32_t n) {
    n *= UINT32_C(0x9e3779b1);
    n ^= n >> 15;
    n *= UINT32_C(0x85ebca77);
    return n ^ n >> 13;
}

/* Two halves of 18 bits, each multiplied by a key, and their product. */
static uint32_t term(uint32_t low, uint32_t high, unsigned key) {
    const uint32_t mask = 0x3ffff;
    return ((low ^ mix(2 * key + 1)) & mask) * ((high ^ mix(2 * key + 2)) & mask);
}

static uint32_t term_of_word(uint32_t word, unsigned key) { return term(word & 0xffff, word >> 16, key); }
static uint32_t weight(unsigned key) { return (mix(2 * key + 1) & 0xffff) | 1; }
static bool has(uint32_t mask, unsigned lane) { return (mask >> lane & 1) != 0; }

/* The written or stored value, as one word of the access. */
static uint32_t sum_words(const uint32_t words[WARP_LANES], uint32_t mask, unsigned word, unsigned key) {
    uint32_t sum = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (has(mask, lane))
            sum += term_of_word(words[lane], key + lane % OCTET) * weight(KEY_WORDS + 4 * (lane / OCTET) + word);
    return sum;
}

/* Address, A register and flags, which share one word: few instructions have two of them, none with overlapping
 * bits. */
static uint32_t sum_places(const struct retire *r) {
    uint32_t sum = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!has(r->exec, lane)) continue;
        const bool a = has(r->a_mask, lane), c = has(r->c_mask, lane), mem = has(r->mem_mask, lane);
        const uint32_t word = (mem ? r->addr[lane] : 0) ^ (a ? r->a[lane] << 12 : 0) ^ (c ? r->c[lane] << 28 : 0);
        const uint32_t low = (word & 0xffff) | (uint32_t)c << 16 | (uint32_t)a << 17;
        sum +=
            term(low, word >> 16 | (uint32_t)mem << 16, KEY_PLACE + lane % OCTET) * weight(KEY_PLACES + lane / OCTET);
    }
    return sum;
}

static uint32_t sum_common(const struct retire *r) {
    const uint32_t kinds =
        r->dst_kind | r->dst_reg << 2 | r->c_reg << 10 | r->a_reg << 12 | r->mem_kind << 15 | r->mem_bytes << 18;
    /* the waiting warps at a barrier depend on the last to arrive */
    const uint32_t state = r->state == RETIRE_BARRIER ? RETIRE_READY : r->state;
    const uint32_t words[COMMON_WORDS] = {
        r->word_lo,
        r->word_hi,
        r->active,
        r->next_active,
        r->pc | r->warp << 24,
        r->block_x | r->block_y << 16,
        r->next_pc | r->depth << 24,
        kinds | state << 23 | r->trap << 25,
    };
    uint32_t sum = 0;
    for (unsigned i = 0; i < COMMON_WORDS; i++) sum += term_of_word(words[i], KEY_COMMON + i);
    return sum;
}

bool hash_is_load(const struct retire *r) {
    return r->mem_kind == RETIRE_MEM_GLOBAL_LOAD || r->mem_kind == RETIRE_MEM_LOCAL_LOAD;
}

bool hash_loads_word(const struct retire *r, unsigned word, unsigned registers) {
    return r->dst_kind != RETIRE_DST_NONE && word < retire_words(r) &&
           (word == 0 || (r->dst_reg + word < registers && r->dst_reg + word <= LAST_REGISTER));
}

void hash_add(struct hash *h, const struct retire *r, uint32_t number, unsigned registers) {
    const uint32_t factor = mix(number) | 1;
    const bool load = hash_is_load(r);
    uint32_t insn = sum_common(r) + sum_places(r), loaded = 0;
    for (unsigned word = 0; word < retire_words(r); word++) {
        const uint32_t *dst = word == 0 ? r->dst : r->dst_rest[word - 1];
        const uint32_t *data = word == 0 ? r->data : r->data_rest[word - 1];
        insn += sum_words(data, r->mem_mask, word, KEY_DATA);
        if (load && hash_loads_word(r, word, registers)) loaded += sum_words(dst, r->dst_mask, word, KEY_DST);
        if (!load) insn += sum_words(dst, r->dst_mask, word, KEY_DST);
    }
    h->insns += insn * factor;
    h->loads += loaded * factor;
}
