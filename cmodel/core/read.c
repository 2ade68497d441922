/* SPDX-License-Identifier: Apache-2.0 */
/* Operands in memory, see read.h. */
#include "read.h"

uint32_t read_addresses(struct step *s, const struct isa_operand *operand, uint32_t room[WARP_LANES]) {
    const bool increments = s->insn->areg_inc;
    const uint32_t offset = increments ? 0 : operand->value;
    if (!operand->indexed) {
        lanes_fill(room, offset);
        return 0;
    }
    const uint32_t *areg = read_areg(s, s->insn->areg);
    for (unsigned i = 0; i < WARP_LANES; i++) room[i] = offset + areg[i];
    return s->undefined_areg;
}

/* A memory with operands of the ALU. */
struct operand_memory {
    const struct mem *mem;
    enum trap align; /* the first of the memory's pair of traps */
};

/* For shared memory only: constants are always defined. */
static const char UNDEFINED[] = "shared 0x%x";

static void note_load(const struct step *s, const struct isa_operand *operand, unsigned lane, uint32_t addr) {
    const struct watch *watch = &s->m->grid.watch;
    if (watch->operand != NULL && operand->kind == ISA_SHARED) watch->operand(s, lane, addr, operand->bytes);
}

static uint32_t load_cell(const struct operand_memory *memory, const struct isa_operand *operand, uint32_t addr) {
    const uint32_t value = mem_load(memory->mem, addr, operand->bytes);
    return operand->sext ? isa_sext(value, 8u * operand->bytes) : value;
}

static void load_uniform(struct step *s, const struct operand_memory *memory, const struct isa_operand *operand,
                         uint32_t addr, uint32_t room[WARP_LANES]) {
    if (step_check(s, memory->mem, s->exec, addr, operand->bytes, memory->align) != TRAP_NONE) return;
    if (!mem_is_defined(memory->mem, addr, operand->bytes)) step_note_undefined(s, s->exec, UNDEFINED, addr);
    note_load(s, operand, lanes_first(s->exec), addr);
    lanes_fill(room, load_cell(memory, operand, addr));
}

static void load_indexed(struct step *s, const struct operand_memory *memory, const struct isa_operand *operand,
                         uint32_t lanes, uint32_t room[WARP_LANES]) {
    for (uint32_t left = lanes; left != 0; left = lanes_rest(left)) {
        const unsigned lane = lanes_first(left);
        const uint32_t addr = room[lane];
        room[lane] = 0;
        if (step_check(s, memory->mem, LANE_BIT[lane], addr, operand->bytes, memory->align) != TRAP_NONE) continue;
        if (!mem_is_defined(memory->mem, addr, operand->bytes)) step_note_undefined(s, LANE_BIT[lane], UNDEFINED, addr);
        note_load(s, operand, lane, addr);
        room[lane] = load_cell(memory, operand, addr);
    }
}

/* The A register and its post-increment belong to the first memory operand. */
static bool is_first_memory(const struct isa_insn *insn, const struct isa_operand *operand) {
    return operand->kind == ISA_SHARED || (insn->src[0].kind != ISA_SHARED && insn->dst.kind != ISA_SHARED);
}

void read_memory(struct step *s, const struct isa_operand *operand, uint32_t room[WARP_LANES]) {
    const bool shared = operand->kind == ISA_SHARED;
    s->warp->loaded = s->warp->loaded || shared;
    const struct operand_memory memory = {
        .mem = shared ? &s->warp->block->shared : &s->m->bank[operand->bank],
        .align = shared ? TRAP_SHARED_ALIGN : TRAP_CONST_ALIGN,
    };
    if (!operand->indexed) {
        load_uniform(s, &memory, operand, s->insn->areg_inc && is_first_memory(s->insn, operand) ? 0 : operand->value,
                     room);
        return;
    }
    const uint32_t undefined = read_addresses(s, operand, room);
    const bool adopts = step_adopts(s, undefined);
    if (adopts) step_adoption(s)->trap(s, memory.align, operand->bytes);
    load_indexed(s, &memory, operand, adopts ? s->exec & ~undefined : s->exec, room);
}
