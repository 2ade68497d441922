/* SPDX-License-Identifier: Apache-2.0 */
/* Loads, stores and atomic operations of a random kernel, each with the instructions that make its address: global
 * memory of the warp alone, local memory behind an A register. */
#include <stdio.h>

#include "draw.h"

struct size {
    const char *name;
    unsigned words; /* registers */
    enum mask global, local;
};

static const struct size SIZES[] = {
    {"U8",   1, MASK_G,   MASK_A  },
    {"S8",   1, MASK_G,   MASK_A  },
    {"U16",  1, MASK_G2,  MASK_A2 },
    {"S16",  1, MASK_G2,  MASK_A2 },
    {"U32",  1, MASK_G4,  MASK_A4 },
    {"S32",  1, MASK_G4,  MASK_A4 },
    {"S64",  2, MASK_G8,  MASK_A8 },
    {"S128", 4, MASK_G16, MASK_A16},
};
enum { SIZE_COUNT = sizeof SIZES / sizeof SIZES[0], FIRST_QUAD = (REG_FREE + 3) / 4 * 4 };

/* The first register of as many as the size has, of which the last may lie beyond the launch. */
static unsigned draw_registers(const struct rules *r, struct rng *rng, const struct size *size) {
    if (size->words == 1 || r->regs <= FIRST_QUAD) {
        return size->words == 1 ? draw_register(r, rng) : (unsigned)FIRST_QUAD;
    }
    return (FIRST_QUAD + rng_below(rng, r->regs - FIRST_QUAD)) / size->words * size->words;
}

/* Any place in the warp's memory; `address` may be one of the registers that the access itself loads. */
static void add_address(const struct rules *r, struct rng *rng, struct program *p, enum mask mask, unsigned address) {
    program_add(p, NO_LABEL, "LOP.AND R%d, R%u, c [0x1] [0x%x]", REG_SCRATCH, draw_register(r, rng), mask);
    program_add(p, NO_LABEL, "IADD R%u, R%d, R%d", address, REG_SCRATCH, REG_WARP_BASE);
}

static void draw_global(const struct rules *r, struct rng *rng, struct program *p) {
    const struct size *size = &SIZES[rng_below(rng, SIZE_COUNT)];
    const unsigned data = draw_registers(r, rng, size);
    unsigned address = REG_SCRATCH;
    char guard[24];
    if (size->words > 1 && data + size->words <= r->regs && rng_percent(rng, 30)) {
        address = data + rng_below(rng, size->words);
    }
    if (size->words == 1 && rng_percent(rng, 30)) {
        address = REG_LANE_BASE;
    } else {
        add_address(r, rng, p, size->global, address);
    }
    draw_guard(r, rng, guard);
    if (rng_percent(rng, 50)) {
        program_add(p, NO_LABEL, "GST.%s global14 [R%u]%s, R%u", size->name, address, guard, data);
    } else {
        program_add(p, NO_LABEL, "GLD.%s R%u%s, global14 [R%u]", size->name, data, guard, address);
    }
}

/* Local memory that is long enough for any value of an A register is accessed through one. */
static void draw_local(const struct rules *r, struct rng *rng, struct program *p) {
    const struct size *size = &SIZES[rng_below(rng, SIZE_COUNT)];
    const unsigned data = draw_registers(r, rng, size), areg = 1 + rng_below(rng, 2);
    const uint32_t offset = rng_below(rng, (r->local_bytes - AREG_LIMIT) / 16) * 16;
    char guard[24];
    const enum mask mask = size->local < MASK_A4 ? MASK_A4 : size->local; /* what A1 and A2 must be */
    program_add(p, NO_LABEL, "LOP.AND R%d, R%u, c [0x1] [0x%x]", REG_SCRATCH, draw_register(r, rng), mask);
    program_add(p, NO_LABEL, "R2A A%u, R%d", areg, REG_SCRATCH);
    draw_guard(r, rng, guard);
    if (rng_percent(rng, 50)) {
        program_add(p, NO_LABEL, "LST.%s local [A%u+0x%x]%s, R%u", size->name, areg, offset, guard, data);
    } else {
        program_add(p, NO_LABEL, "LLD.%s R%u%s, local [A%u+0x%x]", size->name, data, guard, areg, offset);
    }
}

static void draw_atomic(const struct rules *r, struct rng *rng, struct program *p) {
    static const char *const OPS[] = {"IADD", "INC", "DEC", "IMAX", "IMIN", "AND", "OR", "XOR", "EXCH", "CAS"};
    enum { OP_REDUCES = 8, OP_CAS_AT = 9 };
    const bool reduces = rng_percent(rng, 40);
    const unsigned op = rng_below(rng, reduces ? OP_REDUCES : OP_CAS_AT + 1);
    const char *type = rng_percent(rng, 50) ? "U32" : "S32";
    char guard[24], swap[16] = "";
    add_address(r, rng, p, MASK_G4, REG_SCRATCH);
    draw_guard(r, rng, guard);
    if (op == OP_CAS_AT) {
        snprintf(swap, sizeof swap, ", R%u", draw_register(r, rng));
    }
    if (reduces) {
        program_add(p, NO_LABEL, "GRED.%s.%s global14 [R%d]%s, R%u", OPS[op], type, REG_SCRATCH, guard,
                    draw_register(r, rng));
    } else {
        program_add(p, NO_LABEL, "GATOM.%s.%s R%u%s, global14 [R%d], R%u%s", OPS[op], type, draw_register(r, rng),
                    guard, REG_SCRATCH, draw_register(r, rng), swap);
    }
}

void draw_memory(const struct rules *r, struct rng *rng, struct program *p) {
    if (r->atomics && rng_percent(rng, 30)) {
        draw_atomic(r, rng, p);
    } else if (r->local_bytes > AREG_LIMIT + 16 && rng_percent(rng, 40)) {
        draw_local(r, rng, p);
    } else {
        draw_global(r, rng, p);
    }
}
