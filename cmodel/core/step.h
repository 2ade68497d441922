/* SPDX-License-Identifier: Apache-2.0 */
/* One warp instruction on its way through the stages of execute.c. Everything it will change is gathered here first,
 * so that an instruction that traps changes nothing. */
#ifndef WARPSTEP_STEP_H
#define WARPSTEP_STEP_H

#include "state.h"

struct step {
    struct model *m;
    struct warp *warp;
    const struct retire *rtl; /* record to adopt undefined values from, see adopt.h; NULL: undefined reads as 0 */
    const struct decoded *d;
    const struct isa_insn *insn;
    uint32_t pc, next;     /* of this instruction and of the one after it in memory */
    uint32_t active, exec; /* active before; active and guard true */
    enum trap trap;
    uint32_t raised;            /* bit n: trap n was raised, by some lane */
    struct model_access access; /* of the trap that counts, if some lane's access raised it */
    bool guessed;            /* the guard is undefined and the RTL trapped: exec has all lanes that may have executed */
    uint32_t undefined;      /* lanes whose result depends on an undefined value */
    uint32_t undefined_areg; /* lanes whose index register is undefined */
    uint32_t undefined_addr; /* lanes whose address in memory is undefined, of a load, store or atomic */
    bool redirected;         /* a flow operation has set the warp's pc */

    uint32_t write;      /* lanes that write destination and flags */
    struct exec_out out; /* result; carry and overflow of it */
    struct flags flags;
    uint32_t a[WARP_LANES]; /* new value of the A register decoded->a_reg */
    uint32_t mem_mask;
    uint32_t addr[WARP_LANES], data[WARP_LANES];
    uint32_t swap[WARP_LANES];                   /* what a compare-and-swap stores; data is what it compares with */
    uint32_t rest[RETIRE_WORDS - 1][WARP_LANES]; /* words behind the first of a wide access, loaded or to be stored */
};

/* Word `word` of a wide load has a register to go to. */
static inline bool step_keeps_word(const struct step *s, unsigned word) {
    return s->d->dst_kind == RETIRE_DST_REG32 && regfile_is_writable(&s->warp->file, s->d->dst_reg + word);
}

/* Raises a trap; of several in one instruction the one with the smallest number counts. */
static inline void step_raise(struct step *s, enum trap trap) {
    s->raised |= (uint32_t)1 << trap;
    if (trap != TRAP_NONE && (s->trap == TRAP_NONE || trap < s->trap)) s->trap = trap;
}

/* The same for what mem_check says of an access that lanes make, lowest lanes first. */
void step_raise_access(struct step *s, const struct model_access *access);

static inline enum trap step_check(struct step *s, const struct mem *mem, uint32_t lanes, uint32_t addr, unsigned bytes,
                                   enum trap align) {
    const enum trap trap = mem_check(mem, addr, bytes, align);
    if (trap != TRAP_NONE) step_raise_access(s, &(struct model_access){trap, lanes, addr, bytes, mem->size});
    return trap;
}

/* Notes that lanes read an undefined value; the text, "R5", is kept for the first such read at this pc. */
void step_note_undefined(struct step *s, uint32_t lanes, const char *format, unsigned value)
    __attribute__((format(printf, 3, 0)));

#endif
