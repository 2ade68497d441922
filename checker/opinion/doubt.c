/* SPDX-License-Identifier: Apache-2.0 */
#include "doubt.h"

#include <assert.h>
#include <string.h>

/* ---- other values ---- */

enum {
    ALL_ONES = 1, /* fillings */
    FIRST_SOURCE, /* the sources' values: a comparison with an undefined value shows its dependence on it */
    SECOND_SOURCE,
    THIRD_SOURCE,
    SMALL, /* from here up to ANY the values stay below 128, as addresses and counts must */
    ANY = 9,
};

/* The value of a source in a lane, if it is defined. */
static uint32_t source_value(const struct opinion *o, const struct isa_operand *from, unsigned lane) {
    const bool is_register = from->kind == ISA_REG32 && from->reg < o->saved.registers;
    return from->kind == ISA_IMM ? from->value : is_register ? o->saved.reg[from->reg][lane] : 1;
}

/* The filling value of a place: numbers of registers and words. */
static uint32_t filling_of(const struct opinion *o, const struct isa_insn *insn, unsigned filling, unsigned lane,
                           unsigned place) {
    if (filling == ALL_ONES) return UINT32_MAX;
    if (filling >= FIRST_SOURCE && filling <= THIRD_SOURCE)
        return source_value(o, &insn->src[filling - FIRST_SOURCE], lane);
    uint32_t mixed = (place + 1) * 0x9e3779b9u ^ filling * 0x85ebca6bu;
    mixed = (mixed ^ mixed >> 15) * 0x2c1b3c6du;
    mixed ^= mixed >> 13;
    return filling >= ANY ? mixed : mixed & 0x7f;
}

static uint32_t merge(uint32_t value, uint32_t filling, uint32_t undefined) {
    return (value & ~undefined) | (filling & undefined);
}

static bool is_written(uint32_t lanes, unsigned lane) { return (lanes >> lane & 1) != 0; }

void doubt_fill_thread(const struct opinion *o, const struct isa_insn *insn, unsigned filling, struct thread *t) {
    const struct model_saved *s = &o->saved;
    const unsigned lane = t->lane;
    for (unsigned r = 0; r < s->registers; r++) {
        const uint32_t low = is_written(s->half_defined[r][0], lane) ? 0 : 0x0000ffff;
        const uint32_t high = is_written(s->half_defined[r][1], lane) ? 0 : 0xffff0000;
        t->r[r] = merge(t->r[r], filling_of(o, insn, filling, lane, r), low | high);
    }
    for (unsigned a = 1; a < MODEL_AREGS; a++)
        if (!is_written(s->areg_defined[a], lane)) t->a[a] = (uint16_t)filling_of(o, insn, filling, lane, a);
    for (unsigned c = 0; c < MODEL_CREGS; c++)
        if (!is_written(s->creg_defined[c], lane)) t->c[c] = (uint8_t)filling;
    t->shared.bytes = o->filled;
    t->local.bytes = o->filled + o->image->shared_bytes + (size_t)lane * o->image->local_bytes;
}

bool doubt_reads(const struct isa_insn *insn, enum isa_operand_kind kind) {
    return insn->dst.kind == kind || insn->src[0].kind == kind || insn->src[1].kind == kind ||
           insn->src[2].kind == kind;
}

struct place {
    uint8_t *to;
    const uint8_t *from;
    const uint32_t *defined; /* NULL: all defined */
    size_t size;
    unsigned lane;
};

static void fill_memory(const struct opinion *o, const struct isa_insn *insn, unsigned filling, const struct place *p) {
    memcpy(p->to, p->from, p->size);
    for (size_t i = 0; p->defined != NULL && i < p->size; i++)
        if ((p->defined[i / 32] >> i % 32 & 1) == 0)
            p->to[i] = (uint8_t)(filling_of(o, insn, filling, p->lane, (unsigned)i / 4) >> 8 * (i % 4));
}

void doubt_fill_memories(const struct opinion *o, const struct isa_insn *insn, unsigned filling) {
    const struct model_saved *s = &o->saved;
    const size_t shared = o->image->shared_bytes, local = o->image->local_bytes;
    if (doubt_reads(insn, ISA_SHARED) && shared > 0)
        fill_memory(o, insn, filling, &(struct place){o->filled, s->shared, s->shared_defined, shared, 0});
    for (unsigned lane = 0; doubt_reads(insn, ISA_LOCAL) && local > 0 && lane < WARP_LANES; lane++)
        fill_memory(
            o, insn, filling,
            &(struct place){o->filled + shared + lane * local, s->local[lane], s->local_defined[lane], local, lane});
}

/* dependence on undefined values */

void doubt_field(struct opinion *o, const char *name, uint32_t lanes) {
    const struct retire_field *f = retire_field_named(name);
    assert(f != NULL);
    o->doubt[retire_field_index(f)] |= lanes;
}

void doubt_compare(struct opinion *o, const struct retire *first, const struct retire *other) {
    for (size_t i = 0; i < retire_field_count(); i++) {
        const struct retire_field *f = retire_field_at(i);
        if (f->kind == FIELD_MASK) o->doubt[i] |= (uint32_t)(field_scalar(f, first) ^ field_scalar(f, other));
        if (f->kind != FIELD_LANES) continue;
        const uint32_t *x = field_lanes(f, first), *y = field_lanes(f, other);
        for (unsigned lane = 0; lane < WARP_LANES; lane++) o->doubt[i] |= (uint32_t)(x[lane] != y[lane]) << lane;
    }
}

void doubt_values(struct opinion *o, uint32_t lanes) {
    for (size_t i = 0; i < retire_field_count(); i++)
        if (retire_field_at(i)->kind == FIELD_LANES) o->doubt[i] |= lanes;
}

void doubt_flow(struct opinion *o) {
    static const char *const FIELDS[] = {"next_pc", "next_active", "depth", "state", "trap"};
    for (size_t i = 0; i < sizeof FIELDS / sizeof *FIELDS; i++) doubt_field(o, FIELDS[i], UINT32_MAX);
}
