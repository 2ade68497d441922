/* SPDX-License-Identifier: Apache-2.0 */
#include "vary.h"

#include "../../../assembler/isa/isa.h"
#include "../../../cmodel/core/decoded.h"
#include "../../../spec/table.h"

enum { DATA = 16, DATA_HIGH = 100, ADDRESS = 40, ADDRESS_HIGH = 104, ZERO_REG = 124, TOP_REG = 127 };
enum { OPTION_BITS_MAX = 5, COND_EQ = 2, COND_EQU = 10, C_MIXED = 0, C_ZERO = 1, C_Z = 2 };

/* ------------------------------------------------------------------------------------------------------------ words */

static bool is_legal(size_t row, const struct isa_fields *f, uint32_t *lo, uint32_t *hi) {
    struct isa_insn insn;
    return isa_encode(row, f, lo, hi) && isa_decode(*lo, *hi, &insn) == ISA_OK && insn.row == row &&
           decoded_fault(0, *lo, *hi) == NULL;
}

static bool has(size_t row, enum isa_field name) { return isa_row_field_bits(row, name) != 0; }

/* An instruction that changes an A register is followed by one that restores it. */
static void restore_aregs(struct program *p, size_t row, const struct isa_fields *f) {
    const uint32_t *v = f->value;
    if (has(row, ISA_FIELD_ad) && v[ISA_FIELD_ad] != 0) program_restore_areg(p, v[ISA_FIELD_ad]);
    if (v[ISA_FIELD_inc] != 0 && v[ISA_FIELD_areg] != 0) program_restore_areg(p, v[ISA_FIELD_areg]);
}

bool vary_emit(struct program *p, size_t row, const struct isa_fields *f) {
    uint32_t lo, hi;
    if (!is_legal(row, f, &lo, &hi)) return false;
    sweep_program_word(p, lo, hi);
    if (!isa_is_long(lo)) sweep_program_word(p, lo, hi);
    restore_aregs(p, row, f);
    return true;
}

/* ------------------------------------------------------------------------------------------------------------- base */

static bool is_half(const struct field *f) { return f->kind == KIND_REG16 || f->kind == KIND_REG16B; }

static bool addresses(size_t row, const struct field *f) {
    const enum isa_op op = (enum isa_op)isa_rows[row].op;
    const bool global = op == OP_GLD || op == OP_GST || op == OP_GRED || op == OP_GATOM;
    return global && f->name == ISA_FIELD_a;
}

static bool is_atomic(size_t row) { return isa_rows[row].op == OP_GRED || isa_rows[row].op == OP_GATOM; }

static uint32_t base_value(size_t row, const struct field *f) {
    switch ((enum isa_field)f->name) {
    case ISA_FIELD_d: return is_half(f) ? 2 * DATA : DATA;
    case ISA_FIELD_a: return addresses(row, f) ? ADDRESS : is_half(f) ? 2 : 1;
    case ISA_FIELD_b: return is_half(f) ? 4 : 2;
    case ISA_FIELD_c: return is_half(f) ? 6 : 3;
    case ISA_FIELD_ad: return 1;
    case ISA_FIELD_imm: return field_width(f) > 7 ? 0x1234 : 5;
    case ISA_FIELD_goff: return 4; /* forward, also as a post-increment of a half word */
    case ISA_FIELD_coff: return 2;
    case ISA_FIELD_cb: return 1;
    case ISA_FIELD_loff: return 16;
    case ISA_FIELD_cd: return 3;
    case ISA_FIELD_sz: return 6;
    case ISA_FIELD_lane: return 15;
    case ISA_FIELD_cond: return ISA_COND_TRUE;
    case ISA_FIELD_seg: return 14;
    default: return 0;
    }
}

static const struct field *field_at(size_t row, unsigned place) {
    const unsigned id = place < FORMAT_FIELDS_MAX ? row_format(row)->field[place] : NO_FIELD;
    return id == NO_FIELD ? NULL : &isa_fields[id];
}

/* I2I accepts only one type of a shared cell, so each is tried. */
bool vary_base(size_t row, struct isa_fields *base) {
    uint32_t lo, hi;
    const struct field *f;
    isa_default_fields(row, base);
    for (unsigned i = 0; (f = field_at(row, i)) != NULL; i++) base->value[f->name] = base_value(row, f);
    for (uint32_t type = 4; type-- > 0;) {
        if (has(row, ISA_FIELD_gt)) base->value[ISA_FIELD_gt] = type;
        if (is_legal(row, base, &lo, &hi)) return true;
    }
    return false;
}

/* ------------------------------------------------------------------------------------------------------- variations */

static void emit_with(struct program *p, size_t row, const struct isa_fields *base, enum isa_field name,
                      uint32_t value) {
    struct isa_fields f = *base;
    f.value[name] = value;
    vary_emit(p, row, &f);
}

static void vary_register(struct program *p, size_t row, const struct isa_fields *base, const struct field *f) {
    if (is_half(f)) {
        emit_with(p, row, base, (enum isa_field)f->name, base->value[f->name] ^ 1);
        return;
    }
    const uint32_t high = addresses(row, f) ? ADDRESS_HIGH : DATA_HIGH;
    const uint32_t values[] = {high, ZERO_REG, TOP_REG};
    for (unsigned i = 0; field_width(f) == 7 && i < sizeof values / sizeof values[0]; i++)
        emit_with(p, row, base, (enum isa_field)f->name, values[i]);
}

static void vary_number(struct program *p, size_t row, const struct isa_fields *base, const struct field *f) {
    const bool offset = f->name == ISA_FIELD_goff || f->name == ISA_FIELD_coff || f->name == ISA_FIELD_loff;
    emit_with(p, row, base, (enum isa_field)f->name, 0);
    if (offset && field_width(f) > 7) return;
    emit_with(p, row, base, (enum isa_field)f->name, (uint32_t)(((uint64_t)1 << field_width(f)) - 1));
}

/* Sets the other fields that give an option meaning. */
static void vary_option(struct program *p, size_t row, const struct isa_fields *base, const struct field *f,
                        uint32_t value) {
    struct isa_fields with = *base;
    if (f->name == ISA_FIELD_mark && value == ISA_MARK_END) return;     /* has its own kernel */
    if (f->name == ISA_FIELD_seg && !is_atomic(row)) return;            /* traps */
    if (f->name == ISA_FIELD_sz && is_atomic(row) && value < 6) return; /* traps: words only */
    if (f->name == ISA_FIELD_sz && is_atomic(row) && value < 6) return; /* traps: words only */
    with.value[f->name] = value;
    if (f->name == ISA_FIELD_cd) with.value[ISA_FIELD_ce] = 1;
    if (f->name == ISA_FIELD_cr) with.value[ISA_FIELD_cond] = COND_EQU;
    if (f->name == ISA_FIELD_inc && value != 0) with.value[ISA_FIELD_areg] = 1;
    vary_emit(p, row, &with);
    if (f->name == ISA_FIELD_cr && (isa_rows[row].attr & ISA_CARRY) != 0)
        emit_with(p, row, base, ISA_FIELD_cr, value); /* the carry; the guard must be TRUE */
}

static void vary_same(struct program *p, size_t row, const struct isa_fields *base) {
    const uint32_t a = base->value[ISA_FIELD_a];
    if (has(row, ISA_FIELD_d) && has(row, ISA_FIELD_a)) emit_with(p, row, base, ISA_FIELD_d, a);
    if (a == ADDRESS) program_text(p, "MOV R%u, R%u", ADDRESS, ADDRESS_HIGH);
    if (has(row, ISA_FIELD_b)) emit_with(p, row, base, ISA_FIELD_d, base->value[ISA_FIELD_b]);
    if (has(row, ISA_FIELD_b)) emit_with(p, row, base, ISA_FIELD_b, a);
}

void vary_options(struct program *p, size_t row, const struct isa_fields *base) {
    const struct field *f;
    vary_emit(p, row, base);
    for (unsigned i = 0; (f = field_at(row, i)) != NULL; i++) {
        const bool number = f->kind == KIND_HEX || f->kind == KIND_SHEX;
        const bool offset = f->name == ISA_FIELD_goff || f->name == ISA_FIELD_coff || f->name == ISA_FIELD_loff;
        if (f->kind == KIND_REG32 || is_half(f))
            vary_register(p, row, base, f);
        else if (offset || (number && field_width(f) > OPTION_BITS_MAX))
            vary_number(p, row, base, f);
        else
            for (uint32_t v = 0; v < 1u << field_width(f); v++) vary_option(p, row, base, f, v);
    }
    vary_same(p, row, base);
}

void vary_guard(struct program *p, size_t row, const struct isa_fields *base) {
    if (!has(row, ISA_FIELD_cond)) return;
    static const struct {
        uint8_t cond, creg;
    } GUARDS[] = {
        {COND_EQ,  C_Z    },
        {COND_EQU, C_MIXED},
        {COND_EQ,  C_ZERO }
    };
    for (unsigned i = 0; i < sizeof GUARDS / sizeof GUARDS[0]; i++) {
        struct isa_fields f = *base;
        f.value[ISA_FIELD_cond] = GUARDS[i].cond;
        f.value[ISA_FIELD_cr] = GUARDS[i].creg;
        vary_emit(p, row, &f);
    }
}

/* Other sources each time: a register of R1..R15, the memory cells that the prologue filled, immediates. */
static void draw_sources(struct program *p, size_t row, struct isa_fields *f) {
    const struct field *field;
    for (unsigned i = 0; (field = field_at(row, i)) != NULL; i++) {
        const uint32_t any = program_random(p);
        switch ((enum isa_field)field->name) {
        case ISA_FIELD_a:
        case ISA_FIELD_b:
        case ISA_FIELD_c: f->value[field->name] = is_half(field) ? 2 + any % 30 : 1 + any % 15; break;
        case ISA_FIELD_goff: f->value[field->name] = any % 24 + 4; break;
        case ISA_FIELD_coff: f->value[field->name] = any % 96; break;
        case ISA_FIELD_cb: f->value[field->name] = any % (1u << field_width(field)); break;
        case ISA_FIELD_imm:
            f->value[field->name] =
                field_width(field) > 7 ? program_corner(p, any % 2 == 0) : any % 128 >> any / 128 % 6;
            break;
        default: break;
        }
    }
}

void vary_flags(struct program *p, size_t row, const struct isa_fields *base, unsigned count) {
    if (!has(row, ISA_FIELD_ce)) return;
    for (unsigned i = 0; i < count; i++) {
        struct isa_fields f = *base;
        draw_sources(p, row, &f);
        f.value[ISA_FIELD_ce] = 1;
        f.value[ISA_FIELD_cd] = 3;
        for (unsigned name = ISA_FIELD_na; name <= ISA_FIELD_cmp; name++)
            f.value[name] = program_random(p) % (1u << isa_row_field_bits(row, (enum isa_field)name));
        vary_emit(p, row, &f);
    }
}
