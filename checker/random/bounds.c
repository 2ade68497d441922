/* SPDX-License-Identifier: Apache-2.0 */
#include "bounds.h"

#include "draw.h"

bool bounds_have(const struct kernel *k, const char *mnemonic) {
    return k->declared == NULL || declared_has(k->declared, mnemonic);
}

const char *bounds_name(uint32_t lo, uint32_t hi) {
    struct isa_insn insn;
    return isa_decode(lo, hi, &insn) == ISA_OK ? isa_row_mnemonic(insn.row) : "undefined";
}

static bool reads_constants(uint32_t lo, uint32_t hi) {
    struct isa_insn insn;
    if (isa_decode(lo, hi, &insn) != ISA_OK) return false;
    return insn.src[0].kind == ISA_CONST || insn.src[1].kind == ISA_CONST || insn.src[2].kind == ISA_CONST;
}

bool bounds_allow(const struct kernel *k, uint32_t lo, uint32_t hi) {
    const uint32_t words[] = {lo, hi};
    uint32_t pc = 0;
    unsigned bank = 0;
    if (k->declared == NULL) return true;
    return declared_find_lacking(k->declared, words, 2, &pc) == NULL &&
           (!declared_find_bank(k->declared, words, 2, &pc, &bank) &&
            (k->bank[1].words > 0 || !reads_constants(lo, hi)));
}

const char *bounds_find_lacking(const struct kernel *k) {
    uint32_t pc = 0;
    for (size_t i = 0; i < k->line_count && k->declared != NULL; i++) {
        const uint32_t words[] = {k->line[i].lo, k->line[i].hi};
        const char *found = declared_find_lacking(k->declared, words, 2, &pc);
        if (found != NULL) return found;
    }
    return NULL;
}

/* Shared memory for any number of warps: header, parameters, data that all read. */
enum { SHARED_FIRST = 256 };

static unsigned most_warps(const struct kernel *k) {
    const struct machine *m = &k->declared->machine;
    unsigned most = bounds_have(k, "BAR") ? m->warps : 1; /* no warp may depend on another one's shared memory */
    const unsigned others[] = {m->threads / WARP_LANES, m->registers / (WARP_LANES * REGS_LEAST),
                               m->shared_bytes > SHARED_FIRST ? (m->shared_bytes - SHARED_FIRST) / SLICE_BYTES : 0};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) most = others[i] < most ? others[i] : most;
    return most > 0 ? most : 1;
}

void bounds_clip_shape(struct kernel *k) {
    if (k->declared == NULL) return;
    const unsigned most = most_warps(k), warps = kernel_warps(k);
    const bool ragged = k->declared->whole_warps && kernel_threads(k) % WARP_LANES != 0;
    if (warps <= most && !ragged) return;
    k->block[0] = WARP_LANES * (warps < most ? warps : most);
    k->block[1] = k->block[2] = 1;
}

struct machine bounds_machine(const struct kernel *k) {
    struct machine machine = MACHINE_DEFAULT;
    if (k->declared != NULL) machine = k->declared->machine;
    machine.has_atomics = k->atomics;
    machine.wide = k->wide;
    machine.dividers = k->dividers;
    return machine;
}
