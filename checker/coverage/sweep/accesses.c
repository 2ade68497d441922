/* SPDX-License-Identifier: Apache-2.0 */
#include "accesses.h"

enum { LANES = 32, BANK_STRIDE = 128, GLOBAL_BASE = 0x4000, SIZES = 5 };

/* The first `lanes` lanes access words of one bank, a line of the widest machine apart; the others the first of these
 * words. */
static void emit_passes(struct program *p, unsigned lanes) {
    program_text(p, "MVI R60, 0x%x", lanes);
    program_text(p, "ISET R61, R41, R60, LT");
    program_text(p, "LOP.AND R61, R61, R62");
    program_text(p, "R2A A1, R61");
    program_text(p, "R2G.U32.U32 g [A1+0x10], R1");
    program_text(p, "IADD R22, g [A1+0x10], R2");
    program_text(p, "G2R.U32.U32 R23, g [A1+0x10]");
}

void accesses_emit_banks(struct program *p) {
    program_text(p, "SHL R62, R41, 0x%x", (unsigned)__builtin_ctz(BANK_STRIDE));
    for (unsigned lanes = 1; lanes <= LANES; lanes++) emit_passes(p, lanes);
    program_restore_areg(p, 1);
}

/* Loads and stores at R62; words also by an atomic. */
static void emit_access(struct program *p, unsigned size) {
    static const char *const NAMES[SIZES] = {"U8", "U16", "U32", "S64", "S128"};
    program_text(p, "IADD32I R62, R62, 0x%x", GLOBAL_BASE);
    program_text(p, "GST.%s global14 [R62], R4", NAMES[size]);
    program_text(p, "GLD.%s R16, global14 [R62]", NAMES[size]);
    if (size == 2) program_text(p, "GATOM.IADD.U32 R20, global14 [R62], R1");
}

static void emit_stride(struct program *p, unsigned size, unsigned shift, bool descending) {
    program_text(p, "SHL R62, R41, 0x%x", shift);
    if (descending) program_text(p, "IADD32I R62, -R62, 0x%x", (LANES - 1) << shift);
    emit_access(p, size);
}

static void emit_size(struct program *p, unsigned size) {
    program_text(p, "MVI R62, 0x0"); /* one address */
    emit_access(p, size);
    emit_stride(p, size, size, true);
    for (unsigned shift = size; shift <= 7; shift++) emit_stride(p, size, shift, false);
    program_text(p, "MVI R62, 0x5"); /* any order */
    program_text(p, "LOP.XOR R62, R62, R41");
    program_text(p, "SHL R62, R62, 0x%x", size);
    emit_access(p, size);
    program_text(p, "LOP.AND R62, R41, c [0x1] [0x2]"); /* two lines */
    program_text(p, "SHL R62, R62, 0x8");
    emit_access(p, size);
}

void accesses_emit_lines(struct program *p) {
    for (unsigned size = 0; size < SIZES; size++) emit_size(p, size);
}
