/* SPDX-License-Identifier: Apache-2.0 */
/* The prologue of a random kernel: it makes true what the rules say of registers and memories. */
#include "../../assembler/isa/memory.h"
#include "bounds.h"
#include "corners.h"
#include "draw.h"

/* Linear thread number; where the warp's and the lane's global memory and the warp's slice of shared memory are. */
static void add_addresses(const struct rules *r, struct kernel *k) {
    kernel_add(k, NO_LABEL, "I2I.U32.U16 R4, R0L");
    if (k->block[1] * k->block[2] > 1) {
        kernel_add(k, NO_LABEL, "SHR R12, R0, 0x10");
        kernel_add(k, NO_LABEL, "SHR R13, R0, 0x1a");
        kernel_add(k, NO_LABEL, "LOP.AND R12, R12, c [0x1] [0x%x]", MASK_G);
        kernel_add(k, NO_LABEL, "IMUL32I.U16.U16 R12, R12L, 0x%x", k->block[0]);
        kernel_add(k, NO_LABEL, "IADD R4, R4, R12");
        kernel_add(k, NO_LABEL, "IMUL32I.U16.U16 R13, R13L, 0x%x", k->block[0] * k->block[1]);
        kernel_add(k, NO_LABEL, "IADD R4, R4, R13");
    }
    kernel_add(k, NO_LABEL, "MOV.U16 R12L, g [0x7].U16");
    kernel_add(k, NO_LABEL, "IMUL32I.U16.U16 R12, R12L, 0x%x", k->grid[0]);
    kernel_add(k, NO_LABEL, "I2I.U32.U16 R13, g [0x6].U16");
    kernel_add(k, NO_LABEL, "IADD R12, R12, R13");
    kernel_add(k, NO_LABEL, "IMUL32I.U16.U16 R12, R12L, 0x%x", kernel_warps(k));
    kernel_add(k, NO_LABEL, "SHR R13, R4, 0x5");
    kernel_add(k, NO_LABEL, "IADD R12, R12, R13");
    kernel_add(k, NO_LABEL, "IADD32I R1, R12, 0x%x", ATOMICS_BASE / WARP_BYTES + 1);
    kernel_add(k, NO_LABEL, "SHL R1, R1, 0xa");
    kernel_add(k, NO_LABEL, "LOP.AND R14, R4, c [0x1] [0x%x]", MASK_LANE);
    kernel_add(k, NO_LABEL, "SHL R14, R14, 0x2");
    kernel_add(k, NO_LABEL, "IADD R2, R1, R14");
    kernel_add(k, NO_LABEL, "SHL R11, R13, 0x8");
    kernel_add(k, NO_LABEL, "IADD32I R11, R11, 0x%x", r->shared_read);
}

static void add_registers(const struct rules *r, struct rng *rng, struct kernel *k) {
    for (unsigned reg = REG_COUNTER; reg < REG_COUNTER + COUNTERS; reg++) kernel_add(k, NO_LABEL, "MVI R%u, 0x0", reg);
    for (unsigned reg = REG_FREE; reg < r->regs && !r->undefined; reg++) {
        const uint32_t pick = rng_below(rng, 3);
        if (pick == 0) {
            kernel_add(k, NO_LABEL, "MVI R%u, 0x%x", reg, corner_word(rng));
        } else if (pick == 1 && reg < 64) {
            kernel_add(k, NO_LABEL, "IADD32I R%u, R4, 0x%x", reg, corner_word(rng));
        } else {
            const unsigned part = kernel_open_part(k);
            kernel_add(k, NO_LABEL, "SHL R3, R4, 0x2");
            kernel_add(k, NO_LABEL, "IADD32I R3, R3, 0x%x", 4 * rng_below(rng, KERNEL_DATA_WORDS));
            kernel_add(k, NO_LABEL, "LOP.AND R3, R3, c [0x1] [0x%x]", MASK_G4);
            kernel_add(k, NO_LABEL, "GLD.U32 R%u, global14 [R3]", reg);
            kernel_close_part(k, part);
        }
    }
}

/* Writes the thread's local memory, as what is never written is undefined. */
static void add_local(const struct rules *r, struct rng *rng, struct kernel *k) {
    const unsigned part = kernel_open_part(k);
    if (r->local_bytes <= AREG_LIMIT) {
        for (uint32_t at = 0; at < r->local_bytes; at += 4)
            kernel_add(k, NO_LABEL, "LST.U32 local [0x%x], R%u", at, draw_register(r, rng));
    } else {
        const int top = kernel_new_label(k);
        kernel_add(k, NO_LABEL, "MVI R%d, 0x%x", REG_COUNTER, r->local_bytes / 16);
        kernel_add(k, NO_LABEL, "ADA A1, A0, 0x0");
        kernel_place_label(k, top);
        kernel_add(k, NO_LABEL, "LST.S128 local [A1+++0x10], R12");
        kernel_add(k, NO_LABEL, "IADD R12, R12, R4");
        kernel_add(k, NO_LABEL, "IADD32I R%d, R%d, 0xffffffff", REG_COUNTER, REG_COUNTER);
        kernel_add(k, NO_LABEL, "I2I.U32.U32.C0 o [0x7f], R%d", REG_COUNTER);
        kernel_add(k, top, "BRA C0.NE, 0x0");
    }
    kernel_close_part(k, part);
}

/* A loop in which all threads store 4 bytes from `first` on, at their number, then behind those, until the end. A
 * thread whose place is behind the end stays away. */
static void add_shared(const struct rules *r, struct rng *rng, struct kernel *k) {
    const unsigned part = kernel_open_part(k), threads = kernel_threads(k);
    const uint32_t first = HEADER_BYTES + 4 * k->param_count, words = (r->shared_bytes - first) / 4;
    const int top = kernel_new_label(k);
    kernel_add(k, NO_LABEL, "MVI R%d, 0x%x", REG_COUNTER, (words + threads - 1) / threads);
    kernel_add(k, NO_LABEL, "SHL R3, R4, 0x2");
    kernel_add(k, NO_LABEL, "IADD32I R3, R3, 0x%x", first);
    kernel_place_label(k, top);
    kernel_add(k, NO_LABEL, "MVI R%d, 0x%x", REG_COUNTER + 1, r->shared_bytes);
    kernel_add(k, NO_LABEL, "ISET.C1 o [0x7f], R3, R%d, LT", REG_COUNTER + 1);
    kernel_add(k, NO_LABEL, "R2A A1, R3");
    kernel_add(k, NO_LABEL, "R2G.U32.U32 g [A1+0x0] (C1.NE), R%u", draw_register(r, rng));
    kernel_add(k, NO_LABEL, "IADD R12, R12, R3");
    kernel_add(k, NO_LABEL, "IADD32I R3, R3, 0x%x", 4 * threads);
    kernel_add(k, NO_LABEL, "IADD32I R%d, R%d, 0xffffffff", REG_COUNTER, REG_COUNTER);
    kernel_add(k, NO_LABEL, "I2I.U32.U32.C0 o [0x7f], R%d", REG_COUNTER);
    kernel_add(k, top, "BRA C0.NE, 0x0");
    kernel_close_part(k, part);
}

static void add_files(const struct rules *r, struct rng *rng, struct kernel *k) {
    for (unsigned areg = 1; areg <= AREGS; areg++) {
        kernel_add(k, NO_LABEL, "R2A A%u, R%u", areg, draw_register(r, rng));
        draw_repair(r, k, areg);
        const char *flags = bounds_have(k, "R2C") ? "R2C C%u, R%u" : "I2I.S32.S32.C%u o [0x7f], R%u";
        if (!r->undefined) kernel_add(k, NO_LABEL, flags, areg - 1, draw_register(r, rng));
    }
    kernel_add(k, NO_LABEL, "MVI R%d, 0x0", REG_COUNTER + 1);
    kernel_add(k, NO_LABEL, "MOV R3, R4");
}

void setup_add(const struct rules *r, struct kernel *k, struct rng *rng) {
    add_addresses(r, k);
    add_registers(r, rng, k);
    if (!r->undefined) {
        if (r->local_bytes != 0) add_local(r, rng, k);
        add_shared(r, rng, k);
        if (bounds_have(k, "BAR")) kernel_add(k, NO_LABEL, "BAR.ARV.WAIT b0, 0xfff");
    }
    add_files(r, rng, k);
}
