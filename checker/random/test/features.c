/* SPDX-License-Identifier: Apache-2.0 */
#include "features.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../../../assembler/isa/isa.h"
#include "../../../cmodel/model.h"
#include "../../../spec/memory.h"
#include "../bounds.h"
#include "../draw.h"
#include "../judge.h"

/* Features that a change of the generator must not lose; numbers are barriers and traps. */
static const char *const FEATURES[] = {
    "R124",
    "bucket",
    "output space",
    "beyond, read",
    "beyond, written",
    "half L",
    "half H",
    "ignored bits",
    "lane mask",
    "clock",
    "GLD of 1",
    "GLD of 2",
    "GLD of 4",
    "GLD of 8",
    "GLD of 16",
    "load over its address",
    "GST of 1",
    "GST of 2",
    "GST of 4",
    "GST of 8",
    "GST of 16",
    "GRED of 4",
    "GATOM of 4",
    "shared of 1 by A",
    "shared of 2 by A",
    "shared of 4 by A",
    "shared, then A + n",
    "const of 1 by A",
    "const of 2 by A",
    "const of 4 by A",
    "const, then A + n",
    "bank 0",
    "bank 1",
    "bank far",
    "local of 1 by A",
    "local of 2 by A",
    "local of 4 by A",
    "local of 8 by A",
    "local of 16 by A",
    "local, then A + n",
    "END on memory",
    "END on others",
    "JOIN on memory",
    "JOIN on others",
    "guard on memory",
    "guard on others",
    "guarded BRA",
    "guarded BRK",
    "guarded RET",
    "BRX",
    "BRX by A",
    "CAL",
    "PRET",
    "PBK",
    "SSY",
    "JOIN without SSY",
    "nested 5 deep",
    "nested 15 deep",
    "wait at b0",
    "arrive only",
    "one thread",
    "more than 128 threads",
    "a last warp in part",
    "three dimensions",
    "two dimensions of blocks",
    "more than 8 blocks",
    "more than 64 registers",
    "no parameters",
    "4 parameters",
    "no local memory",
    "little local memory",
    "much local memory",
    "sm_11",
    "undefined",
    "clocked",
    "wild",
    "wild trap 1",
    "wild trap 2",
    "trap with END",
    "trap with JOIN",
};

_Static_assert(sizeof FEATURES / sizeof FEATURES[0] == FEATURE_COUNT, "FEATURE_COUNT");

/* Counts a feature; an unknown name is ignored. */
__attribute__((format(printf, 3, 4))) static void note(struct features *f, bool has, const char *format, ...) {
    char name[32];
    va_list args;
    if (!has) return;
    va_start(args, format);
    vsnprintf(name, sizeof name, format, args);
    va_end(args);
    for (size_t i = 0; i < FEATURE_COUNT; i++) f->drawn[i] |= strcmp(FEATURES[i], name) == 0;
}

static void note_operand(struct features *f, const struct kernel *k, const struct isa_insn *insn,
                         const struct isa_operand *o, bool written) {
    static const char *const memories[] = {[ISA_SHARED] = "shared", [ISA_CONST] = "const", [ISA_LOCAL] = "local"};
    switch (o->kind) {
    case ISA_REG32:
        note(f, o->reg == 124, "R124");
        note(f, written && o->reg == 127, "bucket");
        note(f, o->reg >= k->regs && o->reg < 124, written ? "beyond, written" : "beyond, read");
        break;
    case ISA_BUCKET: note(f, o->reg != 127, "output space"); break;
    case ISA_REG16: note(f, true, "half %s", o->reg % 2 != 0 ? "H" : "L"); break;
    case ISA_GLOBAL:
        note(f, true, "%s of %u", isa_op_name(insn->op), o->bytes);
        note(f, insn->op == OP_GLD && insn->dst.reg == o->reg, "load over its address");
        break;
    case ISA_SHARED:
    case ISA_CONST:
    case ISA_LOCAL:
        note(f, o->indexed, "%s of %u by A", memories[o->kind], o->bytes);
        note(f, o->indexed && insn->areg_inc, "%s, then A + n", memories[o->kind]);
        note(f, o->kind == ISA_CONST, "bank %s", o->bank == 0 ? "0" : o->bank == 1 ? "1" : "far");
        break;
    default: break;
    }
}

static void note_instruction(struct features *f, const struct kernel *k, const struct isa_insn *insn) {
    const struct isa_operand *all[] = {&insn->dst, &insn->src[0], &insn->src[1], &insn->src[2]};
    const bool memory = insn->unit == UNIT_GLOBAL, flow = insn->unit == UNIT_FLOW;
    const bool guarded = insn->guarded && insn->cond != ISA_COND_TRUE;
    for (size_t i = 0; i < 4; i++) note_operand(f, k, insn, all[i], i == 0);
    note(f, insn->ignored != 0, "ignored bits");
    note(f, insn->marker == ISA_MARK_END, "END on %s", memory ? "memory" : flow ? "flow" : "others");
    note(f, insn->marker == ISA_MARK_JOIN, "JOIN on %s", memory ? "memory" : flow ? "flow" : "others");
    note(f, guarded && !flow, "guard on %s", memory ? "memory" : "others");
    note(f, guarded && flow, "guarded %s", isa_op_name(insn->op));
    note(f, insn->op == OP_BRX, insn->src[0].indexed ? "BRX by A" : "BRX");
    note(f, insn->op == OP_CAL || insn->op == OP_PRET || insn->op == OP_PBK || insn->op == OP_SSY, "%s",
         isa_op_name(insn->op));
    note(f, insn->op == OP_BAR && insn->barrier_wait, "wait at b%u", insn->barrier);
    note(f, insn->op == OP_BAR && !insn->barrier_wait, "arrive only");
    note(f, insn->lane_mask != 15, "lane mask");
    note(f, insn->op == OP_S2R && insn->sreg == SREG_CLOCK, "clock");
}

static void note_launch(struct features *f, const struct kernel *k) {
    const unsigned threads = kernel_threads(k), blocks = k->grid[0] * k->grid[1];
    note(f, threads == 1, "one thread");
    note(f, threads > 128, "more than 128 threads");
    note(f, threads % 32 != 0, "a last warp in part");
    note(f, k->block[1] > 1 && k->block[2] > 1, "three dimensions");
    note(f, k->grid[1] > 1, "two dimensions of blocks");
    note(f, blocks > 8, "more than 8 blocks");
    note(f, k->regs > 64, "more than 64 registers");
    note(f, k->param_count == 0, "no parameters");
    note(f, k->param_count == 4, "4 parameters");
    note(f, k->local_bytes == 0, "no local memory");
    note(f, k->local_bytes > 0 && k->local_bytes <= 32, "little local memory");
    note(f, k->local_bytes > 128, "much local memory");
    note(f, k->atomics, "sm_11");
    note(f, k->undefined, "undefined");
    note(f, k->clocked, "clocked");
    note(f, k->wild, "wild");
}

static unsigned nesting(const struct kernel *k, unsigned part) {
    unsigned depth = 0;
    for (; part != KERNEL_WHOLE; part = k->part_around[part]) depth++;
    return depth;
}

/* The address of the trapping access is made wrong; the access is one of the next lines. */
static bool adds_fault(const struct isa_insn *insn) {
    return insn->op == OP_IADD && insn->dst.reg == REG_SCRATCH && insn->src[0].kind == ISA_REG32 &&
           insn->src[0].reg == REG_SCRATCH && insn->src[1].kind == ISA_REG32 &&
           insn->src[1].reg == REG_COUNTER + COUNTERS - 1;
}

void features_note(struct features *f, const struct kernel *k) {
    unsigned deepest = 0, forks = 0, joins = 0;
    size_t fault = SIZE_MAX / 2;
    const struct machine machine = bounds_machine(k);
    note_launch(f, k);
    for (size_t i = 0; i < k->line_count; i++) {
        const struct kernel_line *line = &k->line[i];
        struct isa_insn insn;
        const bool is_long = isa_is_long(line->lo);
        const enum trap trap = is_long ? words_trap(line->lo, line->hi, &machine) : TRAP_NONE;
        const unsigned depth = nesting(k, line->part);
        const bool tame = !k->wild && k->trap != TRAP_UNDEFINED && k->trap != TRAP_UNIMPLEMENTED;
        deepest = depth > deepest ? depth : deepest;
        note(f, k->wild && trap != TRAP_NONE, "wild trap %u", (unsigned)trap);
        if (isa_decode(line->lo, line->hi, &insn) == ISA_OK) {
            if (tame && trap == TRAP_NONE) note_instruction(f, k, &insn);
            forks += insn.op == OP_SSY;
            joins += insn.marker == ISA_MARK_JOIN;
            if (adds_fault(&insn)) fault = i;
            note(f, i - fault <= 3 && insn.marker == ISA_MARK_END, "trap with END");
            note(f, i - fault <= 3 && insn.marker == ISA_MARK_JOIN, "trap with JOIN");
        }
        if (tame && !is_long && isa_decode(line->hi, 0, &insn) == ISA_OK) note_instruction(f, k, &insn);
    }
    note(f, k->trap == TRAP_NONE && !k->wild && joins > forks, "JOIN without SSY");
    note(f, deepest >= 5, "nested %u deep", deepest >= 15 ? 15 : deepest / 5 * 5);
}

unsigned features_missing(const struct features *f, bool tell) {
    unsigned missing = 0;
    for (size_t i = 0; i < FEATURE_COUNT; i++) {
        if (f->drawn[i]) continue;
        missing++;
        if (tell) print_message("# %s is not drawn\n", FEATURES[i]);
    }
    return missing;
}
