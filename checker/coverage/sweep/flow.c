/* SPDX-License-Identifier: Apache-2.0 */
#include "flow.h"

#include "../../../assembler/isa/isa.h"
#include "../../../spec/table.h"

enum { COND_EQU = 10, BARRIER_ALL = 0xfff, TARGET_BANK = 9 };

bool flow_is(size_t row) {
    switch (isa_rows[row].op) {
    case OP_BRA:
    case OP_CAL:
    case OP_RET:
    case OP_PBK:
    case OP_BRK:
    case OP_BAR:
    case OP_SSY:
    case OP_BRX:
    case OP_PRET: return true;
    default: return false;
    }
}

/* Appends the row's word with a target a number of instructions ahead of it. */
static void emit_to(struct program *p, size_t row, const struct isa_fields *fields, int ahead) {
    struct isa_fields f = *fields;
    f.value[ISA_FIELD_tgt] = (uint32_t)((int)p->pc + ahead * SWEEP_LONG) / 4;
    vary_emit(p, row, &f);
}

static void jump(struct program *p, int ahead) { program_text(p, "BRA 0x%x", p->pc + (uint32_t)(ahead * SWEEP_LONG)); }

static void emit_branch(struct program *p, size_t row, const struct isa_fields *f, bool behind) {
    if (!behind) {
        program_text(p, "SSY 0x%x", p->pc + 2 * SWEEP_LONG);
        emit_to(p, row, f, 1);
        program_text(p, "NOP.S");
        return;
    }
    jump(p, 2);
    jump(p, 2);
    emit_to(p, row, f, -1);
}

/* CAL and PRET: the next RET goes to the instruction behind it, or to the target. */
static void emit_call(struct program *p, size_t row, const struct isa_fields *f, bool behind) {
    const bool returns_to = isa_rows[row].op == OP_PRET;
    if (behind && returns_to) { /* over a jump out; back to it */
        jump(p, 2);
        jump(p, 3);
        emit_to(p, row, f, -1);
        program_text(p, "RET");
    } else if (behind) {
        jump(p, 2);
        program_text(p, "RET");
        emit_to(p, row, f, -1);
    } else if (returns_to) {
        emit_to(p, row, f, 2);
        program_text(p, "RET");
    } else {
        emit_to(p, row, f, 2);
        jump(p, 2);
        program_text(p, "RET");
    }
}

static void emit_return(struct program *p, size_t row, const struct isa_fields *f) {
    program_text(p, "CAL 0x%x", p->pc + 2 * SWEEP_LONG);
    jump(p, 3);
    vary_emit(p, row, f);
    program_text(p, "RET");
}

static void emit_break(struct program *p, size_t row, const struct isa_fields *f) {
    program_text(p, "PBK 0x%x", p->pc + 3 * SWEEP_LONG);
    vary_emit(p, row, f);
    program_text(p, "BRK");
}

static void emit_prebreak(struct program *p, size_t row, const struct isa_fields *f, bool behind) {
    if (behind) {
        jump(p, 2);
        jump(p, 3);
    }
    emit_to(p, row, f, behind ? -1 : 2);
    program_text(p, "BRK");
}

static void emit_ssy(struct program *p, size_t row, const struct isa_fields *f, bool behind) {
    emit_to(p, row, f, behind ? -1 : 1);
    program_text(p, "NOP.S");
}

/* The constant, in the word's own bank at its A register, is the address of the next instruction. */
static void emit_brx(struct program *p, size_t row, const struct isa_fields *fields) {
    struct isa_fields f = *fields;
    const uint32_t bank = f.value[ISA_FIELD_cb], skipped = 4 * f.value[ISA_FIELD_areg];
    const bool first = f.value[ISA_FIELD_coff] == 0 && skipped == 0;
    const unsigned slot = first ? 0 : program_slot(p, bank);
    f.value[ISA_FIELD_coff] = slot - (first ? 0 : skipped);
    p->bank[bank][slot] = p->pc + SWEEP_LONG;
    vary_emit(p, row, &f);
}

void flow_emit(struct program *p, size_t row, const struct isa_fields *f, bool behind) {
    switch (isa_rows[row].op) {
    case OP_BRA: emit_branch(p, row, f, behind); break;
    case OP_CAL:
    case OP_PRET: emit_call(p, row, f, behind); break;
    case OP_RET: emit_return(p, row, f); break;
    case OP_BRK: emit_break(p, row, f); break;
    case OP_PBK: emit_prebreak(p, row, f, behind); break;
    case OP_SSY: emit_ssy(p, row, f, behind); break;
    case OP_BRX: emit_brx(p, row, f); break;
    default: vary_emit(p, row, f); break; /* BAR */
    }
}

void flow_base(size_t row, struct isa_fields *f) {
    isa_default_fields(row, f);
    f->value[ISA_FIELD_cond] = ISA_COND_TRUE;
    f->value[ISA_FIELD_arv] = f->value[ISA_FIELD_wait] = 1;
    f->value[ISA_FIELD_mask] = BARRIER_ALL;
    f->value[ISA_FIELD_cb] = TARGET_BANK;
    f->value[ISA_FIELD_coff] = 4;
}

static void vary_field(struct program *p, size_t row, const struct isa_fields *base, const struct field *f,
                       uint32_t value) {
    struct isa_fields with = *base;
    with.value[f->name] = value;
    if (f->name == ISA_FIELD_cr) with.value[ISA_FIELD_cond] = COND_EQU;
    if (f->name == ISA_FIELD_mask && value != BARRIER_ALL) with.value[ISA_FIELD_wait] = 0;
    if (f->name == ISA_FIELD_arv && value == 0) return; /* traps */
    flow_emit(p, row, &with, false);
}

void flow_vary(struct program *p, size_t row) {
    struct isa_fields base, guarded;
    flow_base(row, &base);
    flow_emit(p, row, &base, false);
    if (isa_row_field_bits(row, ISA_FIELD_tgt) != 0) flow_emit(p, row, &base, true);
    for (unsigned i = 0; i < FORMAT_FIELDS_MAX && row_format(row)->field[i] != NO_FIELD; i++) {
        const struct field *f = &isa_fields[row_format(row)->field[i]];
        if (f->kind == KIND_TARGET) continue;
        const uint32_t count = field_width(f) > 5 ? 2 : 1u << field_width(f);
        for (uint32_t v = 0; v < count; v++) vary_field(p, row, &base, f, v);
    }
    for (uint32_t creg = 0; creg < 3 && isa_row_field_bits(row, ISA_FIELD_cond) != 0; creg++) {
        guarded = base;
        guarded.value[ISA_FIELD_cond] = COND_EQU;
        guarded.value[ISA_FIELD_cr] = creg;
        flow_emit(p, row, &guarded, false);
    }
}
