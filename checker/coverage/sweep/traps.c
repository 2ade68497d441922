/* SPDX-License-Identifier: Apache-2.0 */
/* Traps of data and of the stack, one kernel each. */
#include "traps.h"

#include "program.h"

enum { WARP = 32, REGISTERS = 120, STACK_ENTRIES = 64, LINES_MAX = 3 };

static const struct {
    const char *name, *trap;
    bool full; /* fill the stack first */
    const char *lines[LINES_MAX];
} TRAPS[] = {
  /* clang-format off */
    {"reserved_bits", "undefined", false, {".word 0x10000003, 0x7c0"}},
    {"shared_align_g2r", "misaligned shared", false, {"ADA A1, A0, 0x2", "G2R.U32.U32 R16, g [A1+0x4]"}},
    {"shared_range_g2r", "shared memory", false, {"ADA A1, A0, 0x4000", "G2R.U32.U32 R16, g [A1+0x4]"}},
    {"shared_range_r2g", "shared memory", false, {"ADA A1, A0, 0x4000", "R2G.U32.U32 g [A1+0x4], R1"}},
    {"const_align_operand", "misaligned constant", false, {"ADA A1, A0, 0x2", "IADD R16, R1, c [0x1] [A1+0x1]"}},
    {"const_align_brx", "misaligned constant", false, {"ADA A1, A0, 0x2", "BRX c [0x1] [A1+0x1]"}},
    {"const_range_operand", "constant", false, {"ADA A1, A0, 0x4000", "IADD R16, R1, c [0x1] [A1+0x1]"}},
    {"local_align_lld", "misaligned local", false, {"ADA A1, A0, 0x2", "LLD.U32 R16, local [A1+0x0]"}},
    {"const_range_brx", "constant", false, {"ADA A1, A0, 0x4000", "BRX c [0x1] [A1+0x1]"}},
    {"shared_align_operand", "misaligned shared", false, {"ADA A1, A0, 0x2", "IADD R16, g [A1+0x4], R1"}},
    {"global_range_gatom", "global memory", false, {"MVI R40, 0x40000000", "GATOM.IADD.U32 R16, global14 [R40], R1"}},
    {"stack_overflow_ssy", "warp stack overflow", true, {"SSY 0x0"}},
    {"stack_overflow_cal", "warp stack overflow", true, {"CAL 0x0"}},
    {"global_align_gred", "misaligned global", false, {"MVI R40, 0x2", "GRED.IADD.U32 global14 [R40], R1"}},
    {"global_range_gld", "global memory", false, {"MVI R40, 0x40000000", "GLD.U32 R16, global14 [R40]"}},
    {"stack_overflow_bra", "warp stack overflow", true, {"BRA C0.EQU, 0x0"}},
    {"stack_overflow_brx", "warp stack overflow", true, {"R2A A1, R41, 0x2", "BRX c [0x1] [A1+0x0]"}},
    {"stack_overflow_pbk", "warp stack overflow", true, {"PBK 0x0"}},
    {"stack_overflow_pret", "warp stack overflow", true, {"PRET 0x0"}},
  /* clang-format on */
};

static bool write_trap(const char *directory, size_t i) {
    struct program p;
    char name[64], comment[64];
    snprintf(name, sizeof name, "trapped_by_%s", TRAPS[i].name);
    snprintf(comment, sizeof comment, "trap: %s", TRAPS[i].trap);
    if (!program_open(&p, directory, name, &(struct shape){WARP, 1, REGISTERS})) return false;
    program_comment(&p, comment);
    program_prologue(&p);
    for (unsigned n = 0; n < STACK_ENTRIES && TRAPS[i].full; n++) program_text(&p, "SSY 0x0");
    for (unsigned n = 0; n < LINES_MAX && TRAPS[i].lines[n] != NULL; n++) program_text(&p, "%s", TRAPS[i].lines[n]);
    return program_close(&p);
}

bool traps_write(const char *directory) {
    bool good = true;
    for (size_t i = 0; i < sizeof TRAPS / sizeof TRAPS[0] && good; i++) good = write_trap(directory, i);
    return good;
}
