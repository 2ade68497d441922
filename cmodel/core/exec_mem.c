/* SPDX-License-Identifier: Apache-2.0 */
/* Loads, stores and atomics: GLD, GST, LLD, LST, R2G, GRED, GATOM. Lanes act in ascending order, so that the highest
 * lane wins among several stores to one address. Accesses of 8 and 16 bytes are words in consecutive registers. Source:
 * docs/isa.md 5. */
#include "read.h"
#include "units.h"

/* The memory that this lane of the instruction accesses. */
static struct mem *memory_of(const struct step *s, unsigned lane) {
    return step_memory(s->m, s->warp, s->d->mem_kind, lane);
}

/* The first of the memory's pair of traps. */
static enum trap align_trap(const struct step *s) {
    switch (s->d->mem_kind) {
    case RETIRE_MEM_SHARED_STORE: return TRAP_SHARED_ALIGN;
    case RETIRE_MEM_LOCAL_LOAD:
    case RETIRE_MEM_LOCAL_STORE: return TRAP_LOCAL_ALIGN;
    default: return TRAP_GLOBAL_ALIGN;
    }
}

/* Addresses of the executing lanes, checked; an undefined address comes from the RTL's record, if there is one. */
static void find_addresses(struct step *s, const struct isa_operand *operand) {
    const uint32_t before = s->undefined;
    s->undefined = 0;
    if (operand->kind == ISA_GLOBAL)
        memcpy(s->addr, read_register(s, operand->reg), sizeof s->addr);
    else
        read_addresses(s, operand, s->addr);
    s->undefined_addr = s->undefined;
    s->undefined = before; /* the address is adopted, the loaded value is not */
    const enum trap align = align_trap(s);
    if (step_adopts(s, s->undefined_addr)) {
        step_adoption(s)->trap(s, align, s->d->mem_bytes);
        step_adoption(s)->addresses(s);
    }
    s->mem_mask = s->exec;
    for (uint32_t left = s->exec; left != 0; left = lanes_rest(left)) {
        const unsigned lane = lanes_first(left);
        step_check(s, memory_of(s, lane), LANE_BIT[lane], s->addr[lane], s->d->mem_bytes, align);
    }
}

static uint32_t extend_cell(uint32_t value, const struct isa_operand *operand) {
    return operand->sext ? isa_sext(value, 8u * operand->bytes) : value;
}

/* Loads one word of the access in all executing lanes. */
static void load_word(struct step *s, unsigned word, uint32_t *value) {
    const struct isa_operand *operand = &s->insn->src[0];
    const unsigned bytes = step_word_bytes(s);
    for (uint32_t left = s->exec; left != 0; left = lanes_rest(left)) {
        const unsigned lane = lanes_first(left);
        const uint32_t addr = s->addr[lane] + 4 * word;
        const struct mem *mem = memory_of(s, lane);
        if (!mem_is_defined(mem, addr, bytes)) step_note_undefined(s, LANE_BIT[lane], "local 0x%x", addr);
        value[lane] = extend_cell(mem_load(mem, addr, bytes), operand);
    }
}

/* Loads the other words; each can be undefined by itself. */
static void load_rest(struct step *s) {
    const uint32_t first = s->undefined;
    for (unsigned word = 1; word < s->d->words; word++) {
        s->undefined = 0;
        load_word(s, word, s->rest[word - 1]);
        if (s->rtl != NULL) step_adoption(s)->loaded_rest(s, word);
    }
    s->undefined = first;
}

void unit_load(struct step *s) {
    find_addresses(s, &s->insn->src[0]);
    s->warp->loaded = s->warp->loaded || s->d->mem_kind == RETIRE_MEM_GLOBAL_LOAD;
    s->write = s->exec;
    if (s->trap == TRAP_NONE) {
        load_word(s, 0, s->out.value);
        load_rest(s);
    }
}

/* Data of a store: the low bytes of the source, zero-extended to the cell. */
static void find_data(struct step *s) {
    uint32_t room[WARP_LANES];
    const uint32_t keep = width_mask(8u * step_word_bytes(s));
    const uint32_t *value = read_source(s, 0, room);
    for (unsigned i = 0; i < WARP_LANES; i++) s->data[i] = value[i] & keep;
    if (step_adopts(s, s->undefined)) step_adoption(s)->data(s);
}

/* The other registers of a pair or quad. */
static void find_rest(struct step *s) {
    for (unsigned word = 1; word < s->d->words; word++) {
        s->undefined = 0;
        memcpy(s->rest[word - 1], read_register(s, s->insn->src[0].reg + word), sizeof s->rest[0]);
        if (s->rtl != NULL) step_adoption(s)->data_rest(s, word);
    }
}

void unit_store(struct step *s) {
    find_data(s);
    find_rest(s);
    find_addresses(s, &s->insn->dst);
}

/* Counts up to b and wraps to 0. A signed count with a negative b starts at b. Source: docs/isa.md 5.4. */
static uint32_t atomic_inc(uint32_t old, uint32_t b, bool is_signed) {
    if (is_signed && b >> 31 != 0) return old < b ? b : old + 1;
    return old >= b ? 0 : old + 1;
}

/* Counts down to 0 and wraps to b. A signed count with a negative b gives 0. Source: docs/isa.md 5.4. */
static uint32_t atomic_dec(uint32_t old, uint32_t b, bool is_signed) {
    if (is_signed && b >> 31 != 0) return 0;
    return old == 0 || old > b ? b : old - 1;
}

enum { ATOM_ADD, ATOM_EXCH, ATOM_CAS, ATOM_INC = 4, ATOM_DEC, ATOM_MAX, ATOM_MIN, ATOM_AND = 10, ATOM_OR, ATOM_XOR };

/* The memory word after an atomic operation on `old`; c is the new value of CAS. Source: docs/isa.md 5.4. */
static uint32_t atomic_result(const struct isa_insn *insn, uint32_t old, uint32_t b, uint32_t c) {
    const bool is_signed = insn->op == OP_GATOM ? insn->src[0].sext : insn->dst.sext;
    const uint32_t flip = is_signed ? 0x80000000u : 0;
    switch (insn->atom) {
    case ATOM_ADD: return old + b;
    case ATOM_EXCH: return b;
    case ATOM_CAS: return old == b ? c : old;
    case ATOM_INC: return atomic_inc(old, b, is_signed);
    case ATOM_DEC: return atomic_dec(old, b, is_signed);
    case ATOM_MAX: return (old ^ flip) > (b ^ flip) ? old : b;
    case ATOM_MIN: return (old ^ flip) < (b ^ flip) ? old : b;
    case ATOM_AND: return old & b;
    case ATOM_OR: return old | b;
    default: return old ^ b;
    }
}

/* commit_memory computes the new words, lane by lane, because addresses of lanes may coincide. */
void unit_atomic(struct step *s) {
    const bool returns = s->insn->op == OP_GATOM;
    uint32_t room[WARP_LANES];
    const uint32_t *b = read_source(s, returns ? 1 : 0, room);
    memcpy(s->data, b, sizeof s->data);
    if (returns && s->insn->src[2].kind == ISA_REG32)
        memcpy(s->swap, read_register(s, s->insn->src[2].reg), sizeof s->swap);
    find_addresses(s, returns ? &s->insn->src[0] : &s->insn->dst);
    s->write = returns ? s->exec : 0;
}

static inline void store_word(const struct step *s, struct mem *mem, uint32_t addr, unsigned bytes, uint32_t value) {
    const struct watch *watch = &s->m->grid.watch;
    if (watch->overwrites != NULL) watch->overwrites(s->m, mem, addr, bytes);
    mem_store(mem, addr, bytes, value);
}

static void commit_atomics(struct step *s) {
    s->m->counts.atomics++;
    for (uint32_t left = s->mem_mask; left != 0; left = lanes_rest(left)) {
        const unsigned lane = lanes_first(left);
        const uint32_t old = mem_load(&s->m->global, s->addr[lane], 4);
        const bool adopts = step_adopts(s, s->undefined & LANE_BIT[lane]);
        const uint32_t value =
            adopts ? step_adoption(s)->atomic(s, lane) : atomic_result(s->insn, old, s->data[lane], s->swap[lane]);
        s->out.value[lane] = old;
        s->data[lane] = value;
        mem_touch(&s->m->global, s->addr[lane]);
        store_word(s, &s->m->global, s->addr[lane], 4, value);
    }
    s->undefined = 0;
}

static void commit_stores(struct step *s) {
    for (uint32_t left = s->mem_mask; left != 0; left = lanes_rest(left)) {
        const unsigned lane = lanes_first(left);
        struct mem *mem = memory_of(s, lane);
        mem_touch(mem, s->addr[lane]);
        store_word(s, mem, s->addr[lane], step_word_bytes(s), s->data[lane]);
        for (unsigned word = 1; word < s->d->words; word++)
            store_word(s, mem, s->addr[lane] + 4 * word, 4, s->rest[word - 1][lane]);
    }
}

static void store(struct step *s) {
    if (s->d->mem_kind == RETIRE_MEM_GLOBAL_ATOMIC)
        commit_atomics(s);
    else
        commit_stores(s);
}

void commit_memory(struct step *s) {
    const struct watch *watch = &s->m->grid.watch;
    if (watch->access != NULL) watch->access(s);
    if (s->d->mem_kind == RETIRE_MEM_GLOBAL_LOAD || s->d->mem_kind == RETIRE_MEM_LOCAL_LOAD) return;
    if (watch->stores != NULL)
        watch->stores(s, store);
    else
        store(s);
}
