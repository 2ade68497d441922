/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the record that an instruction should give, from the warp before it: each thread by the calculator, the warp by
 * course.c. */
#include "form.h"

#include <string.h>

#include "../../cmodel/machine_has.h"
#include "course.h"
#include "doubt.h"
#include "translate.h"

/* One instruction of a warp in progress. */
struct work {
    struct opinion *o;
    struct model *m;
    unsigned sm, slot;
    struct isa_insn insn;
    struct instruction instruction;
    uint32_t exec;
    unsigned filling;               /* see doubt.h */
    unsigned faults[WARP_LANES];    /* see fault_of */
    uint32_t targets[WARP_LANES];   /* BRX */
    struct access made[WARP_LANES]; /* the accesses of the threads, to be undone */
    struct retire *own;
};

bool form_fetch(const struct opinion *o, uint32_t *lo, uint32_t *hi) {
    const size_t index = o->saved.warp.pc / 4;
    if (index >= o->image->code_words) return false;
    *lo = o->image->code[index];
    const bool is_long = isa_is_long(*lo);
    if (is_long && index + 1 >= o->image->code_words) return false;
    *hi = is_long ? o->image->code[index + 1] : 0;
    return true;
}

/* ---- one thread ---- */

static uint8_t nibble_of(const uint32_t masks[4], unsigned lane) {
    unsigned nibble = 0;
    for (unsigned flag = 0; flag < 4; flag++) nibble |= (masks[flag] >> lane & 1) << flag;
    return (uint8_t)nibble;
}

static void begin_thread(const struct work *w, unsigned lane, struct thread *t) {
    const struct model_saved *s = &w->o->saved;
    const struct image *image = w->o->image;
    memset(t, 0, sizeof *t);
    t->lane = lane;
    t->registers = s->registers;
    for (unsigned r = 0; r < s->registers; r++) t->r[r] = s->reg[r][lane];
    for (unsigned a = 1; a < MODEL_AREGS; a++) t->a[a] = (uint16_t)s->areg[a][lane];
    for (unsigned c = 0; c < MODEL_CREGS; c++) t->c[c] = nibble_of(s->creg[c], lane);
    t->global = (struct memory){model_global(w->m), w->o->machine.global_bytes};
    t->shared = (struct memory){s->shared, image->shared_bytes};
    t->local = (struct memory){s->local[lane], image->local_bytes};
    for (unsigned bank = 0; bank < BANKS; bank++)
        t->constant[bank] = (struct memory){image->bank[bank].bytes, image->bank[bank].size};
    if (w->filling != FILLING_NONE) doubt_fill_thread(w->o, &w->insn, w->filling, t);
}

static bool keeps_register(const struct work *w, unsigned reg) {
    return reg < w->o->saved.registers && reg != ISA_REG_SINK;
}

static void note_destination(const struct work *w, unsigned lane, const struct thread *t) {
    struct retire *own = w->own;
    const unsigned reg = own->dst_reg;
    own->dst[lane] = own->dst_kind == RETIRE_DST_REG32 ? t->r[reg] : t->r[reg / 2] >> 16 * (reg % 2) & 0xffff;
    for (unsigned n = 1; n < retire_words(own); n++)
        own->dst_rest[n - 1][lane] = keeps_register(w, reg + n) ? t->r[reg + n] : 0;
}

static void note_access(struct retire *own, unsigned lane, const struct access *made) {
    const bool load = own->mem_kind == RETIRE_MEM_GLOBAL_LOAD || own->mem_kind == RETIRE_MEM_LOCAL_LOAD;
    own->addr[lane] = made->address;
    if (load) return;
    own->data[lane] = made->after[0];
    for (unsigned n = 1; n < retire_words(own); n++) own->data_rest[n - 1][lane] = made->after[n];
}

/* Notes a lane of the record, with any value. */
static void note_lane(struct work *w, unsigned lane) {
    struct retire *own = w->own;
    const uint32_t bit = (uint32_t)1 << lane;
    const bool writes = (w->instruction.lanes >> lane % 4 & 1) != 0;
    w->exec |= bit;
    if (own->dst_kind != RETIRE_DST_NONE && writes) own->dst_mask |= bit;
    if (w->insn.set_c && writes) own->c_mask |= bit;
    if (own->a_reg != 0) own->a_mask |= bit;
    if (own->mem_kind != RETIRE_MEM_NONE) own->mem_mask |= bit;
}

static void note_results(struct work *w, unsigned lane, const struct thread *t) {
    struct retire *own = w->own;
    if ((own->dst_mask >> lane & 1) != 0) note_destination(w, lane, t);
    if ((own->c_mask >> lane & 1) != 0) own->c[lane] = t->c[w->insn.cdst];
    if ((own->a_mask >> lane & 1) != 0) own->a[lane] = t->a[own->a_reg];
    if ((own->mem_mask >> lane & 1) != 0) note_access(own, lane, &t->access);
    w->targets[lane] = t->pc;
}

/* False: no rule defines the result. */
static bool execute_thread(struct work *w, unsigned lane) {
    struct thread t;
    begin_thread(w, lane, &t);
    if (!rule_condition_holds(w->instruction.condition, t.c[w->instruction.guard])) return true;
    note_lane(w, lane);
    const char *problem = calculator_execute(&w->instruction, &t);
    w->made[lane] = t.access;
    w->faults[lane] = t.faults;
    if (problem != NULL) return t.faults != 0;
    note_results(w, lane, &t);
    return true;
}

/* memory before and after the step */

static void write_word(const struct work *w, uint32_t address, uint32_t value) {
    memcpy(model_global(w->m) + address, &value, 4);
}

/* Restores the words that an atomic found; `after` holds the model's results. */
static void set_back_atomics(const struct work *w, uint32_t after[WARP_LANES]) {
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if ((w->o->atomic_lanes >> lane & 1) != 0)
            memcpy(&after[lane], model_global(w->m) + w->o->atomic_address[lane], 4);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if ((w->o->atomic_lanes >> lane & 1) != 0) write_word(w, w->o->atomic_address[lane], w->o->atomic_word[lane]);
}

static void set_atomics(const struct work *w, const uint32_t after[WARP_LANES]) {
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if ((w->o->atomic_lanes >> lane & 1) != 0) write_word(w, w->o->atomic_address[lane], after[lane]);
}

/* Undoes the stores, last one first, of any instruction. */
static void undo_stores(const struct work *w) {
    for (unsigned lane = WARP_LANES; lane-- > 0;) {
        const struct access *a = &w->made[lane];
        for (unsigned n = 0; n < a->bytes && a->written != NULL; n++)
            a->written[n] = (uint8_t)(a->before[n / 4] >> 8 * (n % 4));
    }
}

static bool execute_threads(struct work *w) {
    bool known = true;
    uint32_t after[WARP_LANES];
    set_back_atomics(w, after);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if ((w->o->saved.warp.active >> lane & 1) != 0) known = known && execute_thread(w, lane);
    undo_stores(w);
    set_atomics(w, after);
    return known;
}

/* ---- the record ---- */

static uint32_t memory_kind(const struct isa_insn *insn) {
    switch (insn->op) {
    case OP_GLD: return RETIRE_MEM_GLOBAL_LOAD;
    case OP_GST: return RETIRE_MEM_GLOBAL_STORE;
    case OP_R2G: return RETIRE_MEM_SHARED_STORE;
    case OP_LLD: return RETIRE_MEM_LOCAL_LOAD;
    case OP_LST: return RETIRE_MEM_LOCAL_STORE;
    case OP_GRED:
    case OP_GATOM: return RETIRE_MEM_GLOBAL_ATOMIC;
    default: return RETIRE_MEM_NONE;
    }
}

/* Fields that the word alone determines. Source: docs/trace.md. */
static void fill_static(const struct work *w, struct retire *own) {
    const struct isa_insn *insn = &w->insn;
    const struct isa_operand *dst = &insn->dst;
    const bool in_dst = insn->op == OP_GST || insn->op == OP_R2G || insn->op == OP_LST || insn->op == OP_GRED;
    if (dst->kind == ISA_REG32 && keeps_register(w, dst->reg)) own->dst_kind = RETIRE_DST_REG32;
    if (dst->kind == ISA_REG16 && dst->reg / 2u < w->o->saved.registers) own->dst_kind = RETIRE_DST_REG16;
    if (own->dst_kind != RETIRE_DST_NONE) own->dst_reg = dst->reg;
    if (insn->set_c) own->c_reg = insn->cdst;
    if (insn->areg_inc && insn->areg != 0) own->a_reg = insn->areg;
    if (dst->kind == ISA_AREG) own->a_reg = dst->reg;
    own->mem_kind = memory_kind(insn);
    if (own->mem_kind != RETIRE_MEM_NONE) own->mem_bytes = in_dst ? dst->bytes : insn->src[0].bytes;
}

/* The depth of the RTL's stack. */
static uint32_t depth_of(const struct opinion *o, unsigned tokens) { return (tokens + o->deeper) & 0xff; }

/* A trapping instruction has no effect. */
static bool trapped(const struct opinion *o, struct retire *own, enum trap code) {
    struct retire cleared = {.cycle = own->cycle,
                             .sm = own->sm,
                             .slot = own->slot,
                             .block_x = own->block_x,
                             .block_y = own->block_y,
                             .warp = own->warp,
                             .pc = own->pc,
                             .word_lo = own->word_lo,
                             .word_hi = own->word_hi,
                             .active = own->active,
                             .depth = depth_of(o, o->saved.warp.depth),
                             .state = RETIRE_TRAPPED,
                             .trap = code};
    *own = cleared;
    return true;
}

/* The lowest trap code of the failing accesses. */
static enum trap memory_trap(unsigned faults) {
    static const struct {
        enum operand_kind kind;
        enum trap misaligned, beyond;
    } TRAPS[] = {
        {OPERAND_SHARED,   TRAP_SHARED_ALIGN, TRAP_SHARED_RANGE},
        {OPERAND_CONSTANT, TRAP_CONST_ALIGN,  TRAP_CONST_RANGE },
        {OPERAND_GLOBAL,   TRAP_GLOBAL_ALIGN, TRAP_GLOBAL_RANGE},
        {OPERAND_LOCAL,    TRAP_LOCAL_ALIGN,  TRAP_LOCAL_RANGE },
    };
    for (size_t n = 0; n < sizeof TRAPS / sizeof *TRAPS; n++) {
        if ((faults & fault_of(TRAPS[n].kind, true)) != 0) return TRAPS[n].misaligned;
        if ((faults & fault_of(TRAPS[n].kind, false)) != 0) return TRAPS[n].beyond;
    }
    return TRAP_NONE;
}

static unsigned all_faults(const struct work *w) {
    unsigned faults = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) faults |= w->faults[lane];
    return faults;
}

static bool fill_course(struct work *w, struct retire *own) {
    struct course c;
    course_begin(&c, &w->o->saved);
    course_follow(&c, &w->insn, w->exec, w->targets, w->o->machine.stack_depth);
    const enum trap of_memory = memory_trap(all_faults(w));
    if (of_memory != TRAP_NONE) return trapped(w->o, own, of_memory);
    if (c.trap != TRAP_NONE) return trapped(w->o, own, c.trap);
    own->exec = w->exec;
    own->depth = depth_of(w->o, c.depth);
    own->state = c.finished ? RETIRE_FINISHED : RETIRE_READY;
    own->next_pc = c.finished ? 0 : c.pc;
    own->next_active = c.active;
    w->o->knows_state = w->insn.op != OP_BAR || !w->insn.barrier_wait;
    return true;
}

/* The trap of an instruction that the machine does not execute, else TRAP_NONE. Source: isa.md 5.4, 6.9, 8.7, 9. */
static enum trap trap_of_machine(const struct machine *machine, const struct isa_insn *insn) {
    const bool atomic = insn->op == OP_GRED || insn->op == OP_GATOM;
    const unsigned cell = insn->op == OP_GRED ? insn->dst.bytes : insn->src[0].bytes;
    if (machine_has(machine, isa_op_needs(insn->op))) return atomic && cell != 4 ? TRAP_UNIMPLEMENTED : TRAP_NONE;
    return isa_unit_is_extension(insn->unit) ? TRAP_UNDEFINED : TRAP_UNIMPLEMENTED;
}

/* ---- undefined values ---- */

/* All threads execute the instruction with a filling of the undefined values; *record begins like `first`. */
static void execute_filled(const struct work *first, unsigned filling, struct work *other, struct retire *record) {
    *other = (struct work){.o = first->o,
                           .m = first->m,
                           .sm = first->sm,
                           .slot = first->slot,
                           .insn = first->insn,
                           .instruction = first->instruction,
                           .filling = filling,
                           .own = record};
    memset(record, 0, sizeof *record);
    fill_static(other, record);
    doubt_fill_memories(first->o, &first->insn, filling);
    execute_threads(other);
}

/* Excuses the lanes whose undefined address decides about a fault: if the model has not trapped, the access was good.
 * Returns false if it has. */
static bool excuse_faults(struct work *w, uint32_t astray, const struct retire *expected) {
    if (astray == 0) return true;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if ((astray >> lane & 1) != 0) w->faults[lane] = 0;
    doubt_values(w->o, astray);
    doubt_field(w->o, "trap", astray);
    return expected->trap == TRAP_NONE;
}

/* Notes the fields that change with the filling of undefined values. */
static bool find_doubts(struct work *w, const struct retire *expected) {
    uint32_t guards = 0, targets = 0, astray = 0;
    for (unsigned filling = FILLING_NONE + 1; filling < FILLINGS; filling++) {
        struct work other;
        struct retire record;
        execute_filled(w, filling, &other, &record);
        doubt_compare(w->o, w->own, &record);
        guards |= w->exec ^ other.exec;
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            targets |= (uint32_t)(w->targets[lane] != other.targets[lane]) << lane;
            astray |= (uint32_t)(w->faults[lane] != other.faults[lane]) << lane;
        }
    }
    doubt_field(w->o, "exec", guards);
    doubt_values(w->o, guards);
    if ((guards != 0 && w->insn.unit == UNIT_FLOW) || (targets != 0 && w->insn.op == OP_BRX)) doubt_flow(w->o);
    return excuse_faults(w, astray, expected);
}

/* A warp that began with this step had no memory before it. */
static bool find_memories(struct work *w) {
    struct model_saved *s = &w->o->saved, now;
    if (s->shared != NULL) return true;
    model_save_warp(w->m, w->sm, w->slot, &now);
    if (now.warp.present) {
        s->shared = now.shared;
        s->shared_defined = now.shared_defined;
        memcpy(s->local, now.local, sizeof s->local);
        memcpy(s->local_defined, now.local_defined, sizeof s->local_defined);
        return true;
    }
    return !doubt_reads(&w->insn, ISA_SHARED) && !doubt_reads(&w->insn, ISA_LOCAL); /* its block is gone already */
}

bool opinion_form(struct opinion *o, struct model *m, const struct retire *expected, struct retire *own) {
    struct model_counts counts;
    struct work w = {.o = o, .m = m, .sm = (unsigned)expected->sm, .slot = expected->slot, .own = own};
    memset(own, 0, sizeof *own);
    memset(o->doubt, 0, sizeof o->doubt);
    model_get_counts(m, &counts);
    if (!o->ready) return false;
    o->knows_values = o->knows_state = true;
    own->pc = o->saved.warp.pc;
    own->active = o->saved.warp.active;
    const bool fetched = form_fetch(o, &own->word_lo, &own->word_hi);
    if (isa_is_long(own->word_lo) && own->pc % 8 != 0) return trapped(o, own, TRAP_UNDEFINED);
    if (!fetched) return trapped(o, own, TRAP_FETCH);
    if (isa_decode(own->word_lo, own->word_hi, &w.insn) != ISA_OK || isa_fault(&w.insn) != NULL)
        return trapped(o, own, TRAP_UNDEFINED);
    const enum trap of_machine = trap_of_machine(&o->machine, &w.insn);
    if (of_machine != TRAP_NONE) return trapped(o, own, of_machine);
    if (!translate_instruction(&w.insn, own->pc, &w.instruction)) return false;
    if (!find_memories(&w)) return false;
    o->knows_values = !translate_is_of_machine(&w.insn);
    fill_static(&w, own);
    if (!execute_threads(&w)) return false;
    if (counts.undefined_reads != o->undefined_reads && !find_doubts(&w, expected)) return false;
    return fill_course(&w, own);
}
