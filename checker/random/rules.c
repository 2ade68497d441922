/* SPDX-License-Identifier: Apache-2.0 */
/* The launch of a random kernel and its rules; the rows of the table for drawing. */
#include <assert.h>
#include <string.h>

#include "../../spec/memory.h"
#include "bounds.h"
#include "corners.h"
#include "draw.h"

enum { READ_BYTES = 128, BLOCKS_MAX = 24, SMS_MAX = 8 };

/* Jumps and barriers have their own drawing functions. */
static bool is_wanted(const struct isa_insn *insn, const struct machine *machine) {
    return words_trap(insn->lo, insn->hi, machine) == TRAP_NONE &&
           (insn->unit != UNIT_FLOW || insn->op == OP_NOP || insn->op == OP_PMEVENT);
}

static bool encodes_wanted(size_t row, const struct isa_fields *fields, const struct machine *machine,
                           struct isa_insn *insn) {
    uint32_t lo, hi;
    return isa_encode(row, fields, &lo, &hi) && isa_decode(lo, hi, insn) == ISA_OK && is_wanted(insn, machine);
}

/* A row is wanted if the machine executes it with its default fields, or with one field changed. */
static bool find_wanted(size_t row, const struct machine *machine, struct isa_insn *insn) {
    struct isa_fields fields;
    isa_default_fields(row, &fields);
    if (encodes_wanted(row, &fields, machine, insn)) return true;
    for (int name = 0; name < ISA_FIELD_COUNT; name++) {
        const unsigned bits = isa_row_field_bits(row, (enum isa_field)name);
        const uint32_t usual = fields.value[name];
        for (uint32_t value = 0; bits != 0 && value < 1u << (bits < 5 ? bits : 5); value++) {
            fields.value[name] = value;
            if (encodes_wanted(row, &fields, machine, insn)) return true;
        }
        fields.value[name] = usual;
    }
    return false;
}

void table_extend(struct table *t, unsigned wide, unsigned dividers) {
    struct machine machine = MACHINE_DEFAULT;
    machine.has_atomics = true;
    machine.wide = wide;
    machine.dividers = dividers;
    *t = (struct table){
        .wide = wide, .dividers = dividers, .can = {true, true, true, true, true, true, true}
    };
    for (size_t row = 0; row < isa_row_count(); row++) {
        struct isa_insn insn;
        if (!find_wanted(row, &machine, &insn)) continue;
        if (insn.unit == UNIT_GLOBAL) {
            assert(t->memory < TABLE_ROWS_MAX);
            t->memory_row[t->memory++] = (uint16_t)row;
        } else {
            assert(t->plain < TABLE_ROWS_MAX);
            t->plain_op[t->plain] = insn.op;
            t->plain_row[t->plain++] = (uint16_t)row;
        }
    }
}

void table_find(struct table *t) { table_extend(t, 0, 0); }

void table_restrict(struct table *t, const struct declared *machine) {
    size_t plain = 0, memory = 0;
    for (size_t i = 0; i < t->plain; i++) {
        if (machine->lacks[t->plain_row[i]]) continue;
        t->plain_op[plain] = t->plain_op[i];
        t->plain_row[plain++] = t->plain_row[i];
    }
    for (size_t i = 0; i < t->memory; i++)
        if (!machine->lacks[t->memory_row[i]]) t->memory_row[memory++] = t->memory_row[i];
    t->plain = plain;
    t->memory = memory;
    t->declared = machine;
    if (!setup_find(t, &t->can) || !t->can.memory) t->memory = 0;
}

/* Removes dimensions in which blocks or warps could not be distinguished. */
static void clip_to_ability(struct kernel *k, const struct ability *can) {
    if (!can->grid) k->grid[0] = k->grid[1] = 1;
    const unsigned threads = kernel_threads(k);
    const bool flat = k->block[1] * k->block[2] == 1;
    if ((can->dimensions || flat) && (can->warps || threads <= WARP_LANES)) return;
    k->block[0] = can->warps || threads <= WARP_LANES ? threads : WARP_LANES;
    k->block[1] = k->block[2] = 1;
}

static void draw_shape(struct kernel *k, const struct ability *can, struct rng *rng) {
    static const uint16_t widths[] = {1, 7, 16, 31, 32, 33, 48, 64, 70, 96, 128, 160, 256};
    k->block[0] = widths[rng_below(rng, rng_percent(rng, 80) ? 11 : 13)];
    k->block[1] = k->block[2] = 1;
    if (rng_percent(rng, 30)) {
        k->block[0] = 1 + rng_below(rng, 12);
        k->block[1] = 1 + rng_below(rng, 5);
        k->block[2] = 1 + rng_below(rng, 3);
    }
    k->grid[0] = 1 + rng_below(rng, rng_percent(rng, 30) ? 5 : 2);
    k->grid[1] = 1 + rng_below(rng, rng_percent(rng, 20) ? 3 : 1);
    if (rng_percent(rng, 10) && kernel_threads(k) <= 48) { /* more than can be resident at once */
        k->grid[0] = BLOCKS_MAX / 2 + rng_below(rng, BLOCKS_MAX / 2);
        k->grid[1] = 1;
    }
    if (k->brief) {
        k->block[0] = WARP_LANES;
        k->block[1] = k->block[2] = k->grid[0] = k->grid[1] = 1;
    }
    bounds_clip_shape(k);
    clip_to_ability(k, can);
    k->param_count = rng_below(rng, KERNEL_PARAMS_MAX + 1);
}

static void draw_registers(struct rules *r, const struct kernel *k, struct rng *rng) {
    const unsigned file = bounds_machine(k).registers / (kernel_warps(k) * WARP_LANES);
    const unsigned most = k->declared != NULL && k->declared->registers < file ? k->declared->registers : file;
    const unsigned more = rng_percent(rng, 15) ? 100 : 14;
    r->regs = REGS_LEAST + rng_below(rng, k->brief ? 1 : more);
    if (r->regs > most) r->regs = most;
}

static uint32_t round_up(uint32_t value, uint32_t unit) { return (value + unit - 1) / unit * unit; }

/* Read-only memory ends on a multiple of 16, because slices are accessed in steps of 16 bytes. If no instruction can
 * fill the rest, shared memory is header and parameters alone. */
static void lay_out_shared(struct rules *r, const struct kernel *k) {
    const uint32_t first = HEADER_BYTES + 4 * k->param_count;
    r->shared_read = r->table->can.shared ? round_up(first + READ_BYTES, 16) : first;
    r->shared_bytes = round_up(r->shared_read, 16);
    r->shared_own = 0;
    if (!r->table->can.shared) return;
    r->shared_bytes += kernel_warps(k) * SLICE_BYTES;
    /* Without a comparison each thread fills equally many words. */
    if (!bounds_have(k, "ISET")) r->shared_bytes = first + round_up(r->shared_bytes - first, 4 * kernel_threads(k));
    if (kernel_warps(k) == 1 || k->clocked) r->shared_own = r->shared_bytes;
}

/* At least one A register of each use is a multiple of words. */
static void draw_aregs(struct rules *r, struct rng *rng) {
    const unsigned shift = rng_below(rng, AREGS);
    for (unsigned i = 0; i < AREGS; i++) {
        static const uint8_t units[] = {1, 2, 4, 4};
        struct areg_rule *rule = &r->areg[1 + (i + shift) % AREGS];
        rule->shared = (i == 0 || (i > 1 && rng_percent(rng, 50))) && r->table->can.shared;
        rule->unit = units[i < 2 ? 3 : rng_below(rng, 4)];
    }
}

static uint32_t draw_local_bytes(const struct kernel *k, struct rng *rng) {
    const uint32_t pick = rng_below(rng, k->brief ? 11 : 20);
    return pick < 5 ? 0 : pick < 11 ? 4 * (1 + rng_below(rng, 8)) : AREG_LIMIT + 16 * (2 + rng_below(rng, 8));
}

/* The largest mask that stays within memory, with AREG_LIMIT bytes after it. */
static uint32_t exchange_mask(const struct rules *r) {
    uint32_t size = 4;
    while (2 * size + AREG_LIMIT <= r->shared_bytes) size *= 2;
    return size - 4;
}

static void find_masks(struct rules *r) {
    const uint32_t masks[CONST_MASKS] = {
        [MASK_A] = 0x7f,    [MASK_A2] = 0x7e,
        [MASK_A4] = 0x7c,   [MASK_A8] = 0x78,
        [MASK_A16] = 0x70,  [MASK_G] = 0x3ff,
        [MASK_G2] = 0x3fe,  [MASK_G4] = 0x3fc,
        [MASK_G8] = 0x3f8,  [MASK_G16] = 0x3f0,
        [MASK_LANE] = 0x1f, [MASK_2] = 0x3,
        [MASK_CASE] = 0xc,  [MASK_EXCHANGE] = exchange_mask(r),
    };
    memcpy(r->mask, masks, sizeof masks);
}

/* The first bank, the bank of masks, a distant one: if a declared machine lacks it, another bank. */
static void find_banks(struct rules *r, const struct kernel *k, uint8_t far_bank) {
    const unsigned has = k->declared != NULL ? k->declared->banks : UINT16_MAX;
    const uint8_t lowest = (uint8_t)__builtin_ctz(has), highest = (uint8_t)(31 - __builtin_clz(has));
    const uint8_t masks = (has >> 1 & 1) != 0 ? 1 : lowest;
    if ((has >> far_bank & 1) == 0) far_bank = highest;
    memcpy(r->banks, (const uint8_t[4]){lowest, masks, far_bank, masks}, sizeof r->banks);
    const unsigned banks = 1u + (lowest != masks) + (far_bank != masks && far_bank != lowest);
    const uint32_t targets = 4 * KERNEL_TARGETS_MAX;
    r->const_bytes = bounds_machine(k).const_bytes >= banks * CONST_BYTES + targets ? CONST_BYTES : 0;
}

void rules_draw(struct rules *r, struct kernel *k, const struct table *t, struct rng *rng) {
    draw_shape(k, &t->can, rng);
    r->table = t;
    r->alone = !t->can.warps;
    r->machine = bounds_machine(k);
    r->undefined = k->undefined;
    r->clocked = k->clocked;
    draw_registers(r, k, rng);
    lay_out_shared(r, k);
    draw_aregs(r, rng);
    find_banks(r, k, (uint8_t)(2 + rng_below(rng, 14)));
    r->guard_percent = rng_below(rng, 3) * 30;
    const uint64_t bits = rng_next(rng);
    r->arrive_only = (uint16_t)(bits & bits >> 16 & 0xfffeu);
    const uint32_t touched = ATOMICS_BASE + WARP_BYTES * (1 + kernel_warps(k) * k->grid[0] * k->grid[1]);
    r->local_bytes = draw_local_bytes(k, rng);
    if (touched + SMS_MAX * r->local_bytes * kernel_warps(k) * WARP_LANES > bounds_machine(k).global_bytes)
        r->local_bytes = r->local_bytes % 32;
    if (k->declared != NULL && r->local_bytes > k->declared->local_bytes) r->local_bytes = 0;
    if (!bounds_have(k, "LST") || !bounds_have(k, "LLD") || t->memory == 0) r->local_bytes = 0;
    if (r->local_bytes == 0 && k->trap == TRAP_LOCAL_ALIGN) r->local_bytes = 4;
    find_masks(r);
    k->regs = r->regs;
    k->shared_bytes = r->shared_bytes;
    k->local_bytes = r->local_bytes;
    k->global_bytes = touched;
}

/* A bank has one content, even if it is listed twice; masks win. */
static bool is_first(const struct rules *r, unsigned i) {
    return i == 1 || (r->banks[i] != r->banks[1] && (i == 0 || r->banks[i] != r->banks[0]));
}

void rules_draw_data(const struct rules *r, struct kernel *k, struct rng *rng) {
    for (unsigned i = 0; i < k->param_count; i++) k->param[i] = corner_word(rng);
    for (unsigned i = 0; i < KERNEL_BANKS; i++) {
        struct kernel_bank *bank = &k->bank[i];
        bank->number = r->banks[i];
        bank->words = is_first(r, i) ? r->const_bytes / 4 : 0;
        for (unsigned w = 0; w < KERNEL_BANK_WORDS; w++)
            bank->word[w] = i == 1 && w < CONST_MASKS ? r->mask[w] : corner_word(rng);
    }
    k->data_words = KERNEL_DATA_WORDS;
    for (unsigned i = 0; i < KERNEL_DATA_WORDS; i++) k->data[i] = corner_word(rng);
}

void rules_probe(struct rules *r, struct kernel *k, const struct table *t) {
    struct rng rng = {0};
    r->table = t;
    r->regs = REGS_LEAST;
    find_banks(r, k, 2);
    lay_out_shared(r, k);
    find_masks(r);
    r->areg[1] = (struct areg_rule){true, 4};
    r->areg[2] = (struct areg_rule){false, 1};
    rules_draw_data(r, k, &rng);
}
