/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions that must trap, each kind in several ways. The address is good at first, and made wrong by a sum whose
 * guard excludes some lanes; the model decides whether the trap is reached. */
#include "bounds.h"
#include "corners.h"
#include "recipe.h"

enum {
    NO_BASE = 0,
    REG_FAULT = REG_COUNTER + COUNTERS - 1, /* no loop uses it */
    CODE_BEYOND = KERNEL_LINES_MAX * 8,
    TARGETS = 1 << 22,
    TRIES = 100000,
    AREG_FAR = 2048, /* beyond all constants */
    AREG_END = 65536,
};

static void add_words(struct kernel *k, uint32_t lo, uint32_t hi) {
    kernel_add_words(k, lo, isa_is_long(lo) ? hi : lo, NO_LABEL);
}

/* The instruction that is to trap; some would end the warp or join if they did not. */
static void add_faulting(struct rng *rng, struct kernel *k, uint32_t lo, uint32_t hi) {
    const uint32_t pick = rng_below(rng, 100);
    const bool marked = pick < 40 && isa_is_long(lo) && (hi & 3) == ISA_MARK_NONE;
    if (!marked) {
        add_words(k, lo, hi);
        return;
    }
    if (pick < 10) {
        add_words(k, lo, hi | ISA_MARK_END);
        return;
    }
    const int join = kernel_new_label(k);
    kernel_add(k, join, "SSY 0x0");
    add_words(k, lo, hi | ISA_MARK_JOIN);
    kernel_place_label(k, join);
}

/* Words that trap by themselves with that trap. */
static void add_bad_words(const struct rules *r, struct rng *rng, struct kernel *k, enum trap trap) {
    uint32_t lo = 0, hi = 0;
    do {
        const size_t row = rng_below(rng, (uint32_t)isa_row_count());
        struct isa_fields fields;
        isa_default_fields(row, &fields);
        for (int name = 0; name < ISA_FIELD_COUNT; name++)
            if (isa_row_field_bits(row, (enum isa_field)name) != 0)
                fields.value[name] = draw_field(r, rng, row, (enum isa_field)name);
        if (!isa_encode(row, &fields, &lo, &hi) || (trap == TRAP_UNDEFINED && rng_percent(rng, 50))) {
            lo = (uint32_t)rng_next(rng);
            hi = (uint32_t)rng_next(rng);
        } else if (trap == TRAP_UNDEFINED) {
            lo ^= 4u << rng_below(rng, 30);
            hi ^= isa_is_long(lo) && rng_percent(rng, 50) ? 1u << rng_below(rng, 32) : 0;
        }
    } while (words_trap(lo, hi, &r->machine) != trap);
    add_words(k, lo, hi);
}

/* The scratch register becomes the value of `good` (0 without it) in some lanes, and `fault` more in others. */
static void add_address(struct rng *rng, struct kernel *k, unsigned good, uint32_t fault) {
    const uint32_t creg = rng_below(rng, 4), code = rng_below(rng, 16);
    const char *guard = isa_cond_name(rng_percent(rng, 50) ? ISA_COND_TRUE : code);
    if (good != NO_BASE)
        recipe_copy(k, REG_SCRATCH, good);
    else
        recipe_set(k, REG_SCRATCH, 0);
    recipe_set(k, REG_FAULT, fault);
    WAYS(k, 2) {
        if (way == 0)
            kernel_add(k, NO_LABEL, "IADD R%d (C%u.%s), R%d, R%d", REG_SCRATCH, creg, guard, REG_SCRATCH, REG_FAULT);
        else
            recipe_add(k, REG_SCRATCH, REG_SCRATCH, REG_FAULT);
    }
}

/* An instruction with an operand of that kind at the A register. False if a declared machine seems to have none. */
static bool draw_indexed(const struct rules *r, struct rng *rng, enum isa_operand_kind kind, unsigned areg,
                         unsigned least_bytes, struct isa_insn *insn, struct isa_operand *operand) {
    for (unsigned tries = 0; r->table->declared == NULL || (tries < TRIES && r->table->plain > 0); tries++) {
        const size_t row = r->table->plain_row[rng_below(rng, (uint32_t)r->table->plain)];
        if (!draw_word(r, rng, row, ISA_MARK_NONE, NO_ADDRESS, insn) || insn->areg != areg || insn->areg_inc) continue;
        const struct isa_operand *all[] = {&insn->dst, &insn->src[0], &insn->src[1], &insn->src[2]};
        for (size_t i = 0; i < 4; i++) {
            if (all[i]->kind == kind && all[i]->indexed && all[i]->bytes >= least_bytes) {
                *operand = *all[i];
                return true;
            }
        }
    }
    return false;
}

/* The distance by which the address moves: off its alignment, to the first byte after the end, far beyond, or to 64 KB,
 * where 16 bits would wrap. `end` is the distance of the end from the good address without the operand's offset. */
static uint32_t draw_fault(struct rng *rng, const struct isa_operand *o, bool align, uint32_t end, uint32_t far) {
    if (align) return 1 + rng_below(rng, o->bytes - 1u);
    const bool near = o->value <= end && rng_percent(rng, 50);
    if (near) return end - o->value;
    const uint32_t away = rng_below(rng, 2048);
    const bool wraps = away % 4 == 0 && o->indexed && o->value > 0 && o->value < AREG_END;
    return wraps ? AREG_END - o->value : far + 16 * away;
}

static void add_shared(const struct rules *r, struct rng *rng, struct kernel *k, bool align) {
    const unsigned areg = draw_areg(r, rng, true, 4);
    struct isa_operand o = {0};
    struct isa_insn insn;
    if (!draw_indexed(r, rng, ISA_SHARED, areg, align ? 2 : 1, &insn, &o)) return;
    const uint32_t fault = draw_fault(rng, &o, align, r->shared_bytes, r->shared_bytes);
    add_address(rng, k, align ? REG_SLICE : NO_BASE, fault);
    kernel_add(k, NO_LABEL, "R2A A%u, R%d", areg, REG_SCRATCH);
    add_faulting(rng, k, insn.lo, insn.hi);
    draw_repair(r, k, areg);
}

static void add_const(const struct rules *r, struct rng *rng, struct kernel *k, bool align) {
    const unsigned areg = draw_areg(r, rng, false, 4);
    const bool branch = rng_percent(rng, 20);
    struct isa_operand o = {.bank = r->banks[1], .bytes = 4};
    struct isa_insn insn = {0};
    if (!branch && !draw_indexed(r, rng, ISA_CONST, areg, align ? 2 : 1, &insn, &o)) return;
    add_address(rng, k, NO_BASE, draw_fault(rng, &o, align, o.bank == r->banks[1] ? AREG_FAR : CONST_BYTES, AREG_FAR));
    kernel_add(k, NO_LABEL, "R2A A%u, R%d", areg, REG_SCRATCH);
    if (branch) {
        kernel_add(k, NO_LABEL, "BRX c [0x%x] [A%u+0x0]", r->banks[1], areg);
        return;
    }
    add_faulting(rng, k, insn.lo, insn.hi);
    draw_repair(r, k, areg);
}

static void add_local(const struct rules *r, struct rng *rng, struct kernel *k, bool align) {
    static const char *const sizes[] = {"U16", "S16", "U32", "S64", "S128"};
    static const uint8_t bytes[] = {2, 2, 4, 8, 16};
    uint32_t size = rng_below(rng, 5);
    const unsigned areg = draw_areg(r, rng, false, 4), data = REG_FREE;
    uint32_t place = rng_below(rng, 4);
    if (align) { /* no other trap: the good address, which another warp may use first, is within the memory */
        while (bytes[size] > r->local_bytes) size--;
        place %= 1 + (r->local_bytes - bytes[size]) / 16;
    }
    const struct isa_operand o = {.bytes = bytes[size], .value = 16 * place, .indexed = true};
    add_address(rng, k, NO_BASE, draw_fault(rng, &o, align, r->local_bytes, r->local_bytes));
    kernel_add(k, NO_LABEL, "R2A A%u, R%d", areg, REG_SCRATCH);
    if (rng_percent(rng, 50))
        kernel_add(k, NO_LABEL, "LST.%s local [A%u+0x%x], R%u", sizes[size], areg, o.value, data);
    else
        kernel_add(k, NO_LABEL, "LLD.%s R%u, local [A%u+0x%x]", sizes[size], data, areg, o.value);
    draw_repair(r, k, areg);
}

static void add_global(const struct rules *r, struct rng *rng, struct kernel *k, bool align) {
    struct isa_insn insn;
    if (!draw_global_access(r, rng, align ? 2 : 1, &insn)) return;
    const struct isa_operand *o = insn.dst.kind == ISA_GLOBAL ? &insn.dst : &insn.src[0];
    const uint32_t end = bounds_machine(k).global_bytes, far = rng_percent(rng, 50) ? end : 0xffff0000;
    add_address(rng, k, align ? REG_WARP_BASE : NO_BASE, draw_fault(rng, o, align, end, far));
    add_faulting(rng, k, insn.lo, insn.hi);
}

static void add_fetch(struct rng *rng, struct kernel *k) {
    const uint32_t target = 4 * (CODE_BEYOND / 4 + rng_below(rng, TARGETS - CODE_BEYOND / 4));
    const uint32_t creg = rng_below(rng, 4), code = rng_below(rng, 16);
    switch (rng_below(rng, 4)) {
    case 0: kernel_add(k, NO_LABEL, "BRA 0x%x", target); break;
    case 1: kernel_add(k, NO_LABEL, "BRA C%u.%s, 0x%x", creg, isa_cond_name(code), target); break;
    case 2: kernel_add(k, NO_LABEL, "CAL 0x%x", target); break;
    default: kernel_add(k, NO_LABEL, "PBK 0x%x", target); kernel_add(k, NO_LABEL, "BRK");
    }
}

static void add_overflow(struct rng *rng, struct kernel *k) {
    static const char *const pushes[] = {"SSY 0x0", "PBK 0x0", "CAL 0x0", "PRET 0x0"};
    const int top = kernel_new_label(k);
    kernel_place_label(k, top);
    kernel_add(k, top, "%s", pushes[rng_below(rng, 4)]);
    kernel_add(k, top, "BRA 0x0");
}

static void add_mismatch(struct rng *rng, struct kernel *k) {
    const int next = kernel_new_label(k);
    const uint32_t pick = rng_below(rng, 3);
    if (pick == 0) {
        kernel_add(k, NO_LABEL, "BRK");
        kernel_place_label(k, next);
        return;
    }
    kernel_add(k, next, pick == 1 ? "PBK 0x0" : "CAL 0x0");
    kernel_place_label(k, next);
    kernel_add(k, NO_LABEL, "NOP.S");
}

/* By half of the lanes, or with meaningless options. */
static void add_barrier(struct rng *rng, struct kernel *k) {
    static const char *const bars[] = {"BAR b1", "BAR.WAIT b1", "BAR.ARV b1, 0x3", "BAR.ARV.WAIT b2, 0x1"};
    const unsigned bit = rng_below(rng, 5);
    if (rng_percent(rng, 30)) {
        kernel_add(k, NO_LABEL, "%s", bars[rng_below(rng, 4)]);
        return;
    }
    const int join = kernel_new_label(k);
    kernel_add(k, NO_LABEL, "SHL.C0 o [0x7f], R%d, 0x%x", REG_THREAD, 31 - bit);
    kernel_add(k, join, "SSY 0x0");
    kernel_add(k, join, "BRA C0.SIGN, 0x0");
    kernel_add(k, NO_LABEL, "BAR.ARV.WAIT b0, 0xfff");
    kernel_place_label(k, join);
    kernel_add(k, NO_LABEL, "NOP.S");
}

static void add_breakpoint(struct rng *rng, struct kernel *k) {
    for (;;) {
        const size_t row = rng_below(rng, (uint32_t)isa_row_count());
        struct isa_fields fields;
        struct isa_insn insn;
        uint32_t lo, hi;
        isa_default_fields(row, &fields);
        if (isa_encode(row, &fields, &lo, &hi) && isa_decode(lo, hi, &insn) == ISA_OK &&
            (insn.op == OP_TRAP || insn.op == OP_BPT)) {
            add_words(k, lo, hi);
            return;
        }
    }
}

void draw_trap(const struct rules *r, struct rng *rng, struct kernel *k) {
    const unsigned part = kernel_open_part(k);
    switch (k->trap) {
    case TRAP_NONE: break;
    case TRAP_UNDEFINED:
    case TRAP_UNIMPLEMENTED: add_bad_words(r, rng, k, k->trap); break;
    case TRAP_FETCH: add_fetch(rng, k); break;
    case TRAP_SHARED_ALIGN:
    case TRAP_SHARED_RANGE: add_shared(r, rng, k, k->trap == TRAP_SHARED_ALIGN); break;
    case TRAP_CONST_ALIGN:
    case TRAP_CONST_RANGE: add_const(r, rng, k, k->trap == TRAP_CONST_ALIGN); break;
    case TRAP_GLOBAL_ALIGN:
    case TRAP_GLOBAL_RANGE: add_global(r, rng, k, k->trap == TRAP_GLOBAL_ALIGN); break;
    case TRAP_LOCAL_ALIGN:
    case TRAP_LOCAL_RANGE: add_local(r, rng, k, k->trap == TRAP_LOCAL_ALIGN); break;
    case TRAP_STACK_OVERFLOW: add_overflow(rng, k); break;
    case TRAP_STACK_MISMATCH: add_mismatch(rng, k); break;
    case TRAP_BARRIER_PARTIAL: add_barrier(rng, k); break;
    case TRAP_BREAKPOINT: add_breakpoint(rng, k); break;
    }
    kernel_close_part(k, part);
}
