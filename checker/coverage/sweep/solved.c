/* SPDX-License-Identifier: Apache-2.0 */
#include "solved.h"

#include "../../../assembler/isa/isa.h"
#include "../../../spec/table.h"

/* R24, R25, R26 hold the sources of the lane; so do words of a bank, and shared memory the first source. */
enum { A_REG = 24, B_REG, C_REG, BANK = 10, LANES = 32, SHARED_BYTE = 32, SOLVED_CREG = 3 };

static const struct {
    uint32_t a, b, c;
} SOLVED[] = {
    {0x800000,   0x100,      0x80000000}, /* products of 0x80000000, and their upper part */
    {0x8007f9,   0xfff00f,   0x80000000},
    {0xff800000, 0x100,      0x80000000},
    {0x800000,   0x800000,   0xc0000000}, /* sums of zero with carry */
    {0x100,      0x100,      0xffff0000},
    {1,          1,          0xffffffff},
    {0xffff,     0xffff,     0xffffffff},
    {0xffff,     0x8001,     0x80000000},
    {0xffff,     0xffff,     0x7fffffff},
    {0xffffff,   0xffffff,   0xffffffff},
    {0xffffff,   0xffffff,   0x80000000},
    {0xffffff,   0xffffff,   0x7fffffff},
    {0xffffff,   0xffffff,   1         },
    {0xffffffff, 0xffffffff, 0         },
    {0x7fff7fff, 0x7fff7fff, 0         },
    {0,          0,          0         },
    {0x80000000, 0x80000000, 0         }, /* sums */
    {0x8000,     0x8000,     0x80000000},
    {0x80000000, 0,          0x80000000},
    {0x40000000, 2,          0         }, /* shifts out of 32 and of 16 bits */
    {0x4000,     2,          0         },
    {0x50000000, 2,          0         },
    {0x5000,     2,          0         },
    {0x40000000, 1,          0         },
    {0x4000,     1,          0         },
    {0xa0000000, 1,          0         },
    {0xa000,     1,          0         },
    {0x80000000, 1,          0         },
    {0x8000,     1,          0         },
    {0x80000001, 1,          0         },
    {0x8001,     1,          0         },
    {3,          1,          0         },
};
enum { COUNT = sizeof SOLVED / sizeof SOLVED[0] };

void solved_prologue(struct program *p) {
    for (unsigned i = 0; i < LANES; i++) {
        p->bank[BANK][i] = SOLVED[i % COUNT].a;
        p->bank[BANK][LANES + i] = SOLVED[i % COUNT].b;
        p->bank[BANK][2 * LANES + i] = SOLVED[i % COUNT].c;
    }
    program_text(p, "R2A A1, R41, 0x2");
    for (unsigned i = 0; i < 3; i++) program_text(p, "MVC R%u, c [0x%x] [A1+0x%x]", A_REG + i, BANK, i * LANES);
    program_text(p, "R2G.U32.U32 g [A1+0x%x], R%u", SHARED_BYTE / 4, A_REG);
    program_restore_areg(p, 1);
}

static bool has(size_t row, enum isa_field name) { return isa_row_field_bits(row, name) != 0; }

static bool is_solved(size_t row) {
    switch (isa_rows[row].op) {
    case OP_IADD:
    case OP_IMUL:
    case OP_IMAD:
    case OP_IMAX:
    case OP_ISAD:
    case OP_SHL:
    case OP_SHR: return has(row, ISA_FIELD_ce);
    default: return false;
    }
}

/* True if the field is a half register, or the row's memory operand is of 16 bits. */
static bool is_half(size_t row, enum isa_field name) {
    for (unsigned i = 0; i < FORMAT_FIELDS_MAX && row_format(row)->field[i] != NO_FIELD; i++) {
        const struct field *f = &isa_fields[row_format(row)->field[i]];
        if (f->name == name) return f->kind == KIND_REG16;
    }
    return false;
}

/* A constant is not indexed beside a shared operand: one word for each number. */
static void emit_constants(struct program *p, size_t row, struct isa_fields *f) {
    const bool is_third = has(row, ISA_FIELD_b);
    uint32_t lo, hi;
    struct isa_insn insn;
    if (!isa_encode(row, f, &lo, &hi) || isa_decode(lo, hi, &insn) != ISA_OK) return;
    const unsigned unit = insn.src[is_third ? 2 : 1].bytes == 2 ? 2 : 1;
    f->value[ISA_FIELD_cb] = BANK;
    for (unsigned i = 0; i < COUNT; i++) {
        f->value[ISA_FIELD_coff] = unit * (LANES + i) + (is_third ? LANES : 0);
        vary_emit(p, row, f);
    }
}

void solved_emit(struct program *p, size_t row, const struct isa_fields *base) {
    if (!is_solved(row)) return;
    struct isa_fields f = *base;
    const bool shared = has(row, ISA_FIELD_gt);
    f.value[ISA_FIELD_ce] = 1;
    f.value[ISA_FIELD_cd] = SOLVED_CREG;
    f.value[ISA_FIELD_a] = is_half(row, ISA_FIELD_a) ? 2 * A_REG : A_REG;
    f.value[ISA_FIELD_b] = is_half(row, ISA_FIELD_b) ? 2 * B_REG : B_REG;
    f.value[ISA_FIELD_c] = C_REG;
    if (shared) {
        f.value[ISA_FIELD_areg] = 1;
        f.value[ISA_FIELD_goff] = f.value[ISA_FIELD_gt] == 3 ? SHARED_BYTE / 4 : SHARED_BYTE / 2;
        program_text(p, "R2A A1, R41, 0x2");
    }
    if (has(row, ISA_FIELD_coff))
        emit_constants(p, row, &f);
    else if (has(row, ISA_FIELD_imm))
        for (f.value[ISA_FIELD_imm] = 1; f.value[ISA_FIELD_imm] <= 2; f.value[ISA_FIELD_imm]++) vary_emit(p, row, &f);
    else
        vary_emit(p, row, &f);
    if (shared) program_restore_areg(p, 1);
}
