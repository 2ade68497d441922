/* SPDX-License-Identifier: Apache-2.0 */
/* Walks through a kernel with the results of dataflow.c and writes the warnings. */
#include "warn.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../isa/isa.h"
#include "../source/lines.h"
#include "dataflow.h"

struct warner {
    const struct assembly *a;
    struct messages *messages;
    struct cfg g;
    struct dataflow flow;
    struct register_set said; /* registers already warned about */
    bool said_arch;           /* an instruction that the architecture lacks was reported */
    const char *said_later;   /* the kind of later instructions already reported */
    bool *blamed;             /* by step: a branch that a warning about a barrier has named */
};

/* ---- where ---- */

/* The instruction or .word at pc. */
static const struct assembly_item *find_item(const struct assembly *a, uint32_t pc) {
    size_t low = 0, high = a->item_count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (a->items[middle].pc <= pc)
            low = middle;
        else
            high = middle;
    }
    return &a->items[low];
}

static struct message *warn(struct warner *w, enum warning kind, uint32_t pc, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static struct message *warn(struct warner *w, enum warning kind, uint32_t pc, const char *format, ...) {
    const struct assembly_item *item = find_item(w->a, pc);
    const char *text = w->a->text + item->offset;
    size_t n = item->bytes > 0 ? name_length(text, 0, item->length) : item->length;
    char message[200];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return messages_warn(w->messages, kind, item->offset, n, "%s", message);
}

static void help(struct message *m, const char *text) {
    if (m != NULL) snprintf(m->help, sizeof m->help, "%s", text);
}

/* ---- single instructions ---- */

/* A register beyond .reg: each is named once. */
static void check_count(struct warner *w, const struct cfg_step *s, struct register_range r) {
    unsigned regs = w->a->image->regs, last = (r.first + (unsigned)r.count - 1) / 2;
    if (regs == 0 || r.first >= EFFECTS_A || last < regs || last >= ISA_REG_ZERO) return;
    struct register_range whole = {(uint16_t)(last * 2), 2};
    if (set_has_any(&w->said, whole)) return;
    set_add(&w->said, whole);
    warn(w, WARN_REGISTERS, s->pc, "R%u is beyond .reg %u, which gives R0..R%u", last, regs, regs - 1);
}

/* Words from .word get no warning about a barrier: there may be no other way to write the instruction. */
static void check_operands(struct warner *w, const struct cfg_step *s) {
    const uint32_t *code = w->a->image->code + s->pc / 4;
    struct isa_insn insn;
    if (isa_decode(code[0], s->pc / 4 + 1 < w->a->image->code_words ? code[1] : 0, &insn) != ISA_OK) return;
    const struct isa_operand *data = isa_misaligned(&insn);
    const char *fault = isa_fault(&insn);
    if (data != NULL)
        warn(w, WARN_OPERANDS, s->pc, "undefined: R%u must be a multiple of %u, the first of %u registers", data->reg,
             data->bytes / 4u, data->bytes / 4u);
    else if (fault != NULL)
        warn(w, WARN_OPERANDS, s->pc, "undefined: %s", fault);
    if (insn.op == OP_BAR && isa_barrier_is_partial(&insn) && find_item(w->a, s->pc)->bytes != 0)
        help(warn(w, WARN_OPERANDS, s->pc, "a barrier for a part of the warps traps"), "write BAR.ARV.WAIT bN, 0xfff");
}

/* Words from .word may be data. */
static void check_target(struct warner *w, const struct cfg_step *s) {
    const struct image *img = w->a->image;
    struct isa_insn insn;
    if (!s->astray || find_item(w->a, s->pc)->bytes == 0) return;
    if (isa_decode(img->code[s->pc / 4], img->code[s->pc / 4 + 1], &insn) != ISA_OK) return;
    warn(w, WARN_TARGET, s->pc, "address 0x%" PRIx32 " is %s", insn.target,
         insn.target / 4 < img->code_words ? "inside an instruction" : "beyond the code");
}

/* One warning is enough to show that the architecture is wrong. */
static void check_arch(struct warner *w, const struct cfg_step *s) {
    const enum isa_op op = (enum isa_op)s->op;
    const unsigned arch = w->a->image->arch;
    const bool atomic = (op == OP_GRED || op == OP_GATOM) && arch < 11;
    const bool extended = isa_unit_is_extension(isa_op_unit(op)) && arch != IMAGE_ARCH_10X;
    if ((!atomic && !extended) || w->said_arch) return;
    w->said_arch = true;
    help(warn(w, WARN_ARCH, s->pc, "%s has no %s: it traps", image_arch_name(arch), isa_op_name(op)),
         atomic ? "write .arch sm_11" : "write .arch sm_10x");
}

/* Instructions of later machines, for any architecture: no machine here executes them. Each kind is named once. */
static void check_later(struct warner *w, const struct cfg_step *s) {
    const struct image *img = w->a->image;
    const uint32_t word = s->pc / 4;
    char text[ISA_TEXT_MAX];
    const char *what =
        isa_later(img->code[word], word + 1 < img->code_words ? img->code[word + 1] : 0, ISA_DIALECT_3, text);
    if (what == NULL || (w->said_later != NULL && strcmp(w->said_later, what) == 0)) return;
    w->said_later = what;
    warn(w, WARN_ARCH, s->pc, "%s traps: %s", text, what);
}

static void check_step(struct warner *w, const struct cfg_step *s) {
    for (unsigned i = 0; i < s->effects.reads; i++) check_count(w, s, s->effects.read[i]);
    for (unsigned i = 0; i < s->effects.writes; i++) check_count(w, s, s->effects.write[i]);
    check_operands(w, s);
    check_target(w, s);
    check_arch(w, s);
    check_later(w, s);
}

/* warnings by path */

static void check_written(struct warner *w, const struct cfg_step *s, const struct dataflow_state *state) {
    for (unsigned i = 0; i < s->effects.reads; i++) {
        struct register_range r = s->effects.read[i];
        for (unsigned n = r.first; n < r.first + (unsigned)r.count; n++) {
            char name[8];
            if (n >= EFFECTS_REGISTERS || set_has(&state->written, n) || set_has(&w->said, n)) continue;
            bool whole = n % 2 == 0 && n + 1 < r.first + (unsigned)r.count && !set_has(&state->written, n + 1);
            set_add(&w->said, (struct register_range){(uint16_t)n, whole ? 2 : 1});
            warn(w, WARN_UNWRITTEN, s->pc, "%s is read, but nothing has written it", register_name(n, whole, name));
        }
    }
}

static void check_flow(struct warner *w, const struct cfg_step *s, const struct dataflow_state *state) {
    bool first = state->divided == 0 || &w->g.step[state->divided - 1] == s; /* the others are consequences of it */
    if (s->op == OP_BRA && first && state->stack == STACK_EMPTY && dataflow_guard_varies(s, state))
        help(warn(w, WARN_DIVERGENT_BRANCH, s->pc, "branch may divide the warp, but no SSY is open to join it again"),
             "put SSY before it, and .S where the paths meet");
    if (s->op != OP_BAR || state->divided == 0 || w->blamed[state->divided - 1]) return;
    w->blamed[state->divided - 1] = true;
    const struct assembly_item *branch = find_item(w->a, w->g.step[state->divided - 1].pc);
    warn(w, WARN_DIVERGENT_BARRIER, s->pc,
         "only part of a warp may reach this barrier: the branch in line %" PRIu32 " may divide it", branch->line);
}

static void check_paths(struct warner *w) {
    for (uint32_t b = CFG_FIRST; b < w->g.block_count; b++) {
        struct dataflow_state state = w->flow.before[b];
        if (!dataflow_reaches(&state)) continue;
        for (uint32_t i = 0; i < w->g.block[b].count; i++) {
            uint32_t step = w->g.block[b].first + i;
            check_written(w, &w->g.step[step], &state);
            check_flow(w, &w->g.step[step], &state);
            dataflow_step(&w->flow, step, &state);
        }
    }
}

/* Warns that check_paths is omitted, with the reason. */
static void warn_of_paths(struct warner *w) {
    uint32_t at = w->g.irregular;
    if (at == CFG_NONE)
        warn(w, WARN_PATHS, w->g.step[0].pc, "paths not followed: there are too many");
    else
        warn(w, WARN_PATHS, w->g.step[at].pc, "paths not followed: the kernel has %s",
             isa_op_name((enum isa_op)w->g.step[at].op));
}

enum status warn_kernel(const struct assembly *a, struct messages *m) {
    struct warner w = {.a = a, .messages = m};
    bool good = cfg_build(a->image, &w.g) && dataflow_run(&w.g, &w.flow);
    w.blamed = calloc(w.g.step_count + (size_t)1, sizeof *w.blamed);
    good = good && w.blamed != NULL;
    for (uint32_t i = 0; good && i < w.g.step_count; i++) check_step(&w, &w.g.step[i]);
    if (good && w.flow.settled) check_paths(&w);
    if (good && !w.flow.settled && w.g.step_count > 0) warn_of_paths(&w);
    free(w.blamed);
    dataflow_release(&w.flow);
    cfg_release(&w.g);
    return good ? STATUS_OK : STATUS_NO_MEMORY;
}
