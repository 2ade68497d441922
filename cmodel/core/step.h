/* SPDX-License-Identifier: Apache-2.0 */
/* One warp instruction on its way through the stages of execute.c. All its changes are gathered here first, so that an
 * instruction that traps changes nothing. */
#ifndef WARPSTEP_STEP_H
#define WARPSTEP_STEP_H

#include "state.h"

struct step {
    struct model *m;
    struct warp *warp;
    const struct retire *rtl; /* record to adopt undefined values from, see watch.h; NULL: undefined reads as 0 */
    const struct decoded *d;
    const struct isa_insn *insn;
    uint32_t pc, next;     /* of this instruction; of the following one in memory */
    uint32_t active, exec; /* active before; active and guard true */
    enum trap trap;
    uint32_t raised;            /* bit n: a lane has raised trap n */
    struct model_access access; /* the access that raised the lowest trap, if it was an access */
    bool guessed;               /* the guard is undefined and the RTL trapped: exec holds all lanes that may have
                              * executed */
    uint32_t undefined;         /* lanes whose result depends on an undefined value */
    uint32_t undefined_areg;    /* lanes whose index register is undefined */
    uint32_t undefined_addr;    /* lanes whose address in memory is undefined, of a load, store or atomic */
    bool redirected;            /* a flow operation has set the warp's pc */

    uint32_t write;      /* lanes that write destination and flags */
    struct exec_out out; /* result; carry and overflow of it */
    struct flags flags;
    uint32_t a[WARP_LANES]; /* new value of the A register decoded->a_reg */
    uint32_t mem_mask;
    uint32_t addr[WARP_LANES], data[WARP_LANES];
    uint32_t swap[WARP_LANES];                   /* what a compare-and-swap stores; data is what it compares with */
    uint32_t rest[RETIRE_WORDS - 1][WARP_LANES]; /* words after the first of a wide access, loaded or to be stored */
};

/* True if the step follows an RTL record, so that a function of struct adoption decides lanes that depend on an
 * undefined value. */
static inline bool step_adopts(const struct step *s, uint32_t undefined) { return s->rtl != NULL && undefined != 0; }

static inline const struct adoption *step_adoption(const struct step *s) { return s->m->grid.watch.adopt; }

/* True if word `word` of a wide load has a destination register. */
static inline bool step_keeps_word(const struct step *s, unsigned word) {
    return s->d->dst_kind == RETIRE_DST_REG32 && regfile_is_writable(&s->warp->file, s->d->dst_reg + word);
}

/* The memory that one lane of an instruction accesses. */
static inline struct mem *step_memory(struct model *m, struct warp *warp, uint32_t kind, unsigned lane) {
    switch (kind) {
    case RETIRE_MEM_SHARED_STORE: return &warp->block->shared;
    case RETIRE_MEM_LOCAL_LOAD:
    case RETIRE_MEM_LOCAL_STORE: return &warp->local[lane];
    default: return &m->global;
    }
}

/* Bytes of each word of the access. */
static inline unsigned step_word_bytes(const struct step *s) { return s->d->words > 1 ? 4 : s->d->mem_bytes; }

/* Raises a trap; of several in one instruction the lowest number counts. */
static inline void step_raise(struct step *s, enum trap trap) {
    s->raised |= (uint32_t)1 << trap;
    if (trap != TRAP_NONE && (s->trap == TRAP_NONE || trap < s->trap)) s->trap = trap;
}

/* Raises the traps that mem_check finds for an access of these lanes, lowest lane first. */
void step_raise_access(struct step *s, const struct model_access *access);

static inline enum trap step_check(struct step *s, const struct mem *mem, uint32_t lanes, uint32_t addr, unsigned bytes,
                                   enum trap align) {
    const enum trap trap = mem_check(mem, addr, bytes, align);
    if (trap != TRAP_NONE) step_raise_access(s, &(struct model_access){trap, lanes, addr, bytes, mem->size});
    return trap;
}

/* Notes that lanes read an undefined value; keeps the text, "R5", of the first such read at this pc. */
void step_note_undefined(struct step *s, uint32_t lanes, const char *format, unsigned value)
    __attribute__((format(printf, 3, 0)));

#endif
