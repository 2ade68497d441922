/* SPDX-License-Identifier: Apache-2.0 */
#include "floats.h"

#include "../../../assembler/isa/isa.h"
#include "../../../spec/table.h"
#include "../space.h"

enum { LANES = 32, FIRST_BANK = 2, REGISTERS_A_BANK = 3, FIRST_HALVES = 9, CHOICES = 8, PAIR_REGISTERS = 3 };
enum { SHARED_WORD = 4, SHARED_REGISTERS = 4, CONST_FIRST = 3, CONST_LAST = CONST_FIRST + 3 * VALUE_CLASSES - 1 };

#define INFINITIES(x) x, x, x, x, x, x, x, x

/* In addition to ordinary values: limits of conversions, halfway cases, operands for which functions give zeros and
 * infinities, by the sign of the class. */
// clang-format off
static const uint32_t WORDS[VALUE_CLASSES][CHOICES] = {
    [VALUE_ZERO] = {0},
    [VALUE_NORMAL] = {0x3f800000, 0x40800000, 0x40000000, 0x46fffe00, 0x4f000000, 0x7f7fffff, 0x37800000, 0x47000000},
    [VALUE_DENORMAL] = {0x007fffff, 1, 0x00400000, 0x007fffff, 0x3ff, 0x7c00, 0x00010000, 0x007ffffe},
    [VALUE_INFINITY] = {INFINITIES(0x7f800000)},
    [VALUE_NAN] = {0x7f800001, 0x7fffffff, 0xffffffff, 0xff800001, 0x7fc00000, 0xffc12345, 0x7fffffff, 0x7fbfffff},
};
static const uint16_t HALVES[VALUE_CLASSES][CHOICES] = {
    [VALUE_NORMAL] = {0x3c00, 0x3b7f, 0x7bff, 0x400, 0x3555, 0x7800, 0x4248, 0x3bff},
    [VALUE_DENORMAL] = {1, 0x3ff, 0x80, 2, 0x155, 0x200, 0x3fe, 7},
    [VALUE_INFINITY] = {INFINITIES(0x7c00)},
    [VALUE_NAN] = {0x7e00, 0x7fff, 0xffff, 0x7c01, 0xfc01, 0x7fff, 0xfe00, 0x7d7f},
};
// clang-format on

/* The classes with a minus follow those without. */
static uint32_t word_of(unsigned class, unsigned choice) {
    const bool minus = class != VALUE_NAN && class % 2 != 0;
    return WORDS[class - minus][choice % CHOICES] | (uint32_t)minus << 31;
}

static uint32_t half_of(unsigned class, unsigned choice) {
    const bool minus = class != VALUE_NAN && class % 2 != 0;
    return HALVES[class - minus][choice % CHOICES] | (uint32_t)minus << 15;
}

/* R1 cycles through the classes; R2, R3 and R4 lag behind it by all nine distances. */
static unsigned class_in(unsigned reg, unsigned lane) {
    const unsigned lag = reg >= 2 ? PAIR_REGISTERS * (reg - 2) + lane / VALUE_CLASSES : 0;
    return (lane + lag) % VALUE_CLASSES;
}

void floats_fill(struct program *p) {
    for (unsigned reg = 1; reg <= 15; reg++) {
        const unsigned n = reg - 1;
        uint32_t *words = &p->bank[FIRST_BANK + n / REGISTERS_A_BANK][LANES * (n % REGISTERS_A_BANK)];
        for (unsigned lane = 0; lane < LANES; lane++) {
            const unsigned class = class_in(reg, lane), choice = reg + lane / VALUE_CLASSES;
            if (reg < FIRST_HALVES)
                words[lane] = word_of(class, choice);
            else
                words[lane] = half_of(lane % VALUE_CLASSES, choice) | half_of(class, choice + 1) << 16;
        }
    }
    for (unsigned i = 0; i < SWEEP_BANK_WORDS; i++) p->bank[1][i] = i < 3 ? p->bank[1][i] : word_of(i % 9, i / 9);
}

bool floats_is(size_t row) {
    const enum isa_unit unit = isa_op_unit((enum isa_op)isa_rows[row].op);
    return unit == UNIT_FLOAT || unit == UNIT_SFU;
}

static bool has(size_t row, enum isa_field name) { return isa_row_field_bits(row, name) != 0; }

static bool has_half_source(size_t row) {
    for (unsigned i = 0; i < FORMAT_FIELDS_MAX && row_format(row)->field[i] != NO_FIELD; i++) {
        const struct field *f = &isa_fields[row_format(row)->field[i]];
        if (f->name == ISA_FIELD_a) return f->kind == KIND_REG16 || f->kind == KIND_REG16B;
    }
    return false;
}

/* The words with each value of a field; the base gives the other fields. */
static void vary_field(struct program *p, size_t row, const struct isa_fields *base, enum isa_field name, uint32_t low,
                       uint32_t high) {
    struct isa_fields f = *base;
    for (f.value[name] = low; f.value[name] <= high && has(row, name); f.value[name]++) vary_emit(p, row, &f);
}

static void vary_immediate(struct program *p, size_t row, const struct isa_fields *base) {
    struct isa_fields f = *base;
    for (unsigned i = 0; i < VALUE_CLASSES * CHOICES && has(row, ISA_FIELD_imm); i++) {
        f.value[ISA_FIELD_imm] = word_of(i % VALUE_CLASSES, i / VALUE_CLASSES);
        vary_emit(p, row, &f);
    }
}

/* Second and third source, beside any first one. The third source of a short form is its destination. */
static void vary_others(struct program *p, size_t row, const struct isa_fields *base) {
    vary_field(p, row, base, ISA_FIELD_b, 2, 1 + PAIR_REGISTERS);
    vary_field(p, row, base, ISA_FIELD_c, 1, FIRST_HALVES - 1);
    vary_field(p, row, base, ISA_FIELD_coff, CONST_FIRST, CONST_LAST);
    vary_immediate(p, row, base);
}

/* Each lane reads its own cell, which holds one register after the other. A1 is 4 times the lane. */
static void vary_shared(struct program *p, size_t row, const struct isa_fields *base) {
    struct isa_fields f = *base;
    const unsigned type = f.value[ISA_FIELD_gt], per_word = type == 3 ? 1 : type == 0 ? 4 : 2;
    const uint32_t minus = has(row, ISA_FIELD_na) ? 1 : 0;
    f.value[ISA_FIELD_areg] = 1;
    f.value[ISA_FIELD_ce] = has(row, ISA_FIELD_ce);
    f.value[ISA_FIELD_cd] = has(row, ISA_FIELD_cd) ? 3 : 0;
    f.value[ISA_FIELD_goff] = per_word * SHARED_WORD;
    const unsigned first = per_word == 1 ? 1 : FIRST_HALVES;
    for (unsigned reg = first; reg < first + SHARED_REGISTERS; reg++) {
        program_text(p, "R2G.U32.U32 g [A1+0x%x], R%u", SHARED_WORD, reg);
        for (uint32_t na = 0; na <= minus; na++) {
            f.value[ISA_FIELD_na] = na;
            vary_emit(p, row, &f);
            vary_others(p, row, &f);
        }
        vary_field(p, row, &f, ISA_FIELD_rnd, 1, 3);
    }
    program_text(p, "R2G.U32.U32 g [A1+0x%x], R1", SHARED_WORD);
    program_restore_flags(p);
}

void floats_vary(struct program *p, size_t row, struct isa_fields *base) {
    const bool has_own_third = has(row, ISA_FIELD_c);
    program_load_registers(p);
    if (has(row, ISA_FIELD_goff)) vary_shared(p, row, base);
    program_restore_areg(p, 1);
    if (has_half_source(row)) {
        base->value[ISA_FIELD_a] = 2 * FIRST_HALVES;
        vary_field(p, row, base, ISA_FIELD_a, 2 * FIRST_HALVES, 2 * 15 + 1);
        return;
    }
    vary_field(p, row, base, ISA_FIELD_a, 1, FIRST_HALVES - 1);
    vary_others(p, row, base);
    if (isa_rows[row].op != OP_FMAD || has_own_third) return;
    vary_field(p, row, base, ISA_FIELD_d, 3, FIRST_HALVES - 1);
    program_load_registers(p);
    program_restore_areg(p, 1);
}
