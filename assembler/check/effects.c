/* SPDX-License-Identifier: Apache-2.0 */
/* Registers that an instruction reads and writes. */
#include "effects.h"

#include <stdio.h>

void set_add(struct register_set *s, struct register_range r) {
    for (unsigned n = r.first; n < r.first + (unsigned)r.count && n < EFFECTS_REGISTERS; n++)
        s->bits[n / 64] |= (uint64_t)1 << (n % 64);
}

void set_remove(struct register_set *s, struct register_range r) {
    for (unsigned n = r.first; n < r.first + (unsigned)r.count && n < EFFECTS_REGISTERS; n++)
        s->bits[n / 64] &= ~((uint64_t)1 << (n % 64));
}

bool set_has_any(const struct register_set *s, struct register_range r) {
    for (unsigned n = r.first; n < r.first + (unsigned)r.count && n < EFFECTS_REGISTERS; n++)
        if (set_has(s, n)) return true;
    return false;
}

bool set_merge(struct register_set *s, const struct register_set *from) {
    uint64_t added = 0;
    for (unsigned i = 0; i < EFFECTS_SET_WORDS; i++) {
        added |= from->bits[i] & ~s->bits[i];
        s->bits[i] |= from->bits[i];
    }
    return added != 0;
}

const char *register_name(unsigned n, bool whole, char text[8]) {
    if (n >= EFFECTS_C)
        snprintf(text, 8, "C%u", (n - EFFECTS_C) % 8);
    else if (n >= EFFECTS_A)
        snprintf(text, 8, "A%u", n - EFFECTS_A + 1);
    else
        snprintf(text, 8, "R%u%s", n / 2, whole ? "" : n % 2 != 0 ? "H" : "L");
    return text;
}

/* ---- operands ---- */

static void add(struct register_range *list, uint8_t *count, unsigned max, unsigned first, unsigned length) {
    if (*count < max) list[(*count)++] = (struct register_range){(uint16_t)first, (uint16_t)length};
}

static void add_read(struct effects *e, unsigned first, unsigned length) {
    add(e->read, &e->reads, EFFECTS_READS_MAX, first, length);
}

static void add_write(struct effects *e, unsigned first, unsigned length) {
    add(e->write, &e->writes, EFFECTS_WRITES_MAX, first, length);
}

static void add_areg(struct effects *e, unsigned areg, bool write) {
    if (areg < 1 || areg > 4) return; /* A0 is no register */
    (write ? add_write : add_read)(e, EFFECTS_A + areg - 1, 1);
}

/* Halves of a register operand. */
static unsigned halves(const struct isa_operand *o) { return o->bytes > 2 ? o->bytes / 2u : o->bytes == 0 ? 2 : 1; }

static void read_operand(struct effects *e, const struct isa_operand *o) {
    switch (o->kind) {
    case ISA_REG32: add_read(e, o->reg * 2u, halves(o)); break;
    case ISA_REG16: add_read(e, o->reg, 1); break;
    case ISA_GLOBAL: add_read(e, o->reg * 2u, 2); break;
    case ISA_AREG: add_areg(e, o->reg, false); break;
    case ISA_CREG: add_read(e, EFFECTS_C + o->reg % 4u, 1); break;
    case ISA_LOCAL: e->varies = true; break;
    default: break;
    }
}

static void write_operand(struct effects *e, const struct isa_operand *o) {
    switch (o->kind) {
    case ISA_REG32: add_write(e, o->reg * 2u, halves(o)); break;
    case ISA_REG16: add_write(e, o->reg, 1); break;
    case ISA_AREG: add_areg(e, o->reg, true); break;
    case ISA_CREG: add_write(e, EFFECTS_C + o->reg % 4u, 1); break;
    default: read_operand(e, o); break; /* address register of a store */
    }
}

static bool is_plain(const struct isa_operand *o) { return !o->negate && !o->absolute && !o->invert; }

static bool is_register(const struct isa_operand *o) {
    return (o->kind == ISA_REG32 || o->kind == ISA_REG16) && is_plain(o);
}

static enum effects_rule rule_of(const struct isa_insn *insn) {
    enum { CMP_LT = 1, CMP_GE = 6 };
    const struct isa_operand *a = &insn->src[0], *b = &insn->src[1];
    if (insn->op == OP_I2I || insn->op == OP_MOV) {
        bool whole = insn->dst.kind == ISA_REG32 && !insn->dst8 && (insn->attr & (ISA_BYTE | ISA_W16)) == 0;
        if (whole && a->kind == ISA_IMM && a->value % 32 == 0) return EFFECTS_ALIGNED;
        return whole && is_register(a) ? EFFECTS_COPY : EFFECTS_NO_RULE;
    }
    if (insn->op == OP_SHR && is_register(a) && b->kind == ISA_IMM && b->value >= 5) return EFFECTS_WARP;
    bool compares = insn->op == OP_ISET && (insn->cmp == CMP_LT || insn->cmp == CMP_GE);
    return compares && a->kind == ISA_REG32 && is_plain(a) && b->kind == ISA_REG32 && is_plain(b) ? EFFECTS_COMPARE
                                                                                                  : EFFECTS_NO_RULE;
}

struct effects effects_of(const struct isa_insn *insn) {
    struct effects e = {.reads = 0};
    unsigned holds = 0;
    for (unsigned nibble = 0; nibble < 16; nibble++) holds += isa_cond_holds(insn->cond, nibble) ? 1u : 0;
    e.never = insn->guarded && holds == 0;
    e.conditional = insn->guarded && holds > 0 && holds < 16;
    for (unsigned i = 0; i < 3; i++) read_operand(&e, &insn->src[i]);
    write_operand(&e, &insn->dst);
    add_areg(&e, insn->areg, false);
    if (insn->areg_inc) add_areg(&e, insn->areg, true);
    if (e.conditional || (insn->attr & ISA_CARRY) != 0) add_read(&e, EFFECTS_C + insn->creg % 4u, 1);
    if (insn->set_c) add_write(&e, EFFECTS_C + insn->cdst % 4u, 1);

    e.rule = (uint8_t)rule_of(insn);
    e.partial = insn->lane_mask != 15;
    e.varies = e.varies || insn->op == OP_S2R || insn->op == OP_GATOM;
    if (insn->unit == UNIT_TEXTURE) { /* coordinates and results occupy up to four registers from the first one */
        e.reads = 0;
        if (e.writes > 0) e.write[0].count = 8;
        e.varies = true;
    }
    return e;
}
