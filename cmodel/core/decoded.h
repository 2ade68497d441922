/* SPDX-License-Identifier: Apache-2.0 */
/* The decode stage: how this machine executes the word at a pc, computed once and cached. A word that it does not
 * execute decodes to the trap that it raises.
 *
 *     const struct decoded *d = decoded_at(&m->code, pc);      // NULL: fetch trapped
 *     if (d->trap == TRAP_NONE) d->unit(step);
 */
#ifndef WARPSTEP_DECODED_H
#define WARPSTEP_DECODED_H

#include "../machine.h"
#include "exec.h"
#include "units.h"

/* Facts of an instruction that do not depend on data; `dst_kind` and similar members are those of the retire record. */
struct decoded {
    struct isa_insn insn;
    bool ready;       /* the cache entry is filled */
    uint8_t trap;     /* enum trap: the instruction itself is the fault */
    unit_fn *unit;    /* the unit that executes it */
    exec_fn *lanes;   /* unit_alu: the operation */
    uint8_t width;    /* bits of the result: sign flag */
    uint8_t dst_kind; /* enum retire_dst; NONE also where the write is dropped */
    uint8_t dst_reg;
    bool writes_c;
    uint8_t a_reg;    /* A register written, 0 none */
    uint8_t mem_kind; /* enum retire_mem */
    uint8_t mem_bytes;
    uint8_t words; /* words of the memory access; 1 without an access */
};

/* The code of a launch and its decoded instructions. */
struct code {
    uint32_t *words;
    uint32_t word_count;
    struct decoded *decoded; /* one entry a word; used only where an instruction starts */
    unsigned regs;           /* registers of a thread: writes beyond them are dropped */
    struct machine machine;
    bool avx2; /* decode to the functions for AVX2; may be cleared before the first step */
};

/* Copies the words, for that machine; false if out of memory. In either case code_destroy frees the
 * allocations. */
bool code_load(struct code *code, const uint32_t *words, size_t word_count, unsigned regs,
               const struct machine *machine);
void code_destroy(struct code *code);

/* The reason why the words at pc are undefined, as a phrase; NULL if they are defined or if the table lacks them. */
const char *decoded_fault(uint32_t pc, uint32_t lo, uint32_t hi);

/* Decodes the instruction at word `index` of the code into *d, which must be all 0. */
void decoded_words(const struct code *code, uint32_t index, uint32_t lo, uint32_t hi, struct decoded *d);

/* Decodes the instruction at word `index` of the code, on its first fetch; NULL: the code ends within it. */
const struct decoded *decoded_first(struct code *code, uint32_t index);

/* The instruction at pc (a multiple of 4), or NULL beyond the end of the code. */
static inline const struct decoded *decoded_at(struct code *code, uint32_t pc) {
    const uint32_t index = pc / 4;
    if (index >= code->word_count) return NULL;
    const struct decoded *d = &code->decoded[index];
    return d->ready ? d : decoded_first(code, index);
}

#endif
