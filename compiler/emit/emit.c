/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a kernel as SASS text, see emit.h. Blocks stand in the order of ir->order; a jump to the next block is
 * omitted. */
#include "emit.h"

#include <inttypes.h>
#include <stdlib.h>

#include "../../assembler/base/memstream.h"

struct emitter {
    struct ir *ir;
    FILE *out;
    struct emit_text *text;
    uint32_t base; /* first label number of the current routine */
    bool is_routine;
    const struct cc_place *last_place; /* the source line that the last comment names */
};

/* Ends a line of text, and records the place of its instruction. */
static void end_line(struct emitter *e, const struct cc_place *place) {
    const struct cc *cc = e->ir->cc;
    struct emit_text *t = e->text;
    uint32_t line, column;
    if (place != NULL && (e->last_place == NULL || e->last_place->line != place->line ||
                          e->last_place->source_line != place->source_line)) {
        const char *file = cc_place_file(cc, place, &line, &column);
        fprintf(e->out, "  // %s:%" PRIu32, file, line);
        e->last_place = place;
    }
    fputc('\n', e->out);
    if (t->line_count == 0) CC_PUSH_POINTER(e->ir->cc, t->places, t->line_count, t->line_capacity, NULL);
    CC_PUSH_POINTER(e->ir->cc, t->places, t->line_count, t->line_capacity, place);
}

static void label(const struct emitter *e, const struct ir_block *b) {
    fprintf(e->out, "L%" PRIu32, e->base + b->number);
}

static int home(const struct ir *ir, ir_reg r) { return ir->regs[r].home; }

static bool is_plain_return(const struct ir_block *b) { return b->end == IR_RETURN && b->first == NULL; }

static void emit_jump(struct emitter *e, const struct ir_block *b, const char *name, uint8_t cond,
                      const struct ir_block *to) {
    fprintf(e->out, "    %s", name);
    if (cond != IR_ALWAYS) fprintf(e->out, " C%d.%s", home(e->ir, b->guard), emit_cond(cond));
    if (to != NULL) {
        fputs(cond != IR_ALWAYS ? ", " : " ", e->out);
        label(e, to);
    }
    end_line(e, b->place);
}

/* Jumps along edge k of a block, under a condition. */
static void emit_edge(struct emitter *e, const struct ir_block *b, unsigned k, uint8_t cond) {
    const struct ir_block *to = b->next[k];
    if (b->breaks[k])
        emit_jump(e, b, "BRK", cond, NULL);
    else if (is_plain_return(to))
        emit_jump(e, b, "RET", cond, NULL);
    else
        emit_jump(e, b, "BRA", cond, to);
}

static bool follows(const struct ir_block *b, unsigned k, const struct ir_block *next) {
    return next != NULL && b->next[k] == next && !b->breaks[k] && !is_plain_return(next);
}

/* Ends the thread: by the marker END on the last instruction if it can carry one, else by RET. A routine returns. */
static void emit_return(struct emitter *e, const struct ir_block *b) {
    const bool is_marked = !e->is_routine && b->last != NULL && b->last->guard == 0 &&
                           (b->last->flags & IR_JOIN) == 0 && emit_can_end(e->ir, b->last);
    fputs(is_marked ? "    .end" : "    RET", e->out);
    end_line(e, is_marked ? b->last->place : b->place);
}

/* Returns whether the branch back comes first, followed by the jump out of the loop. Each iteration then executes
 * one branch. Threads that return individually take their RET first. */
static bool returns_from_loop(const struct ir *ir, const struct ir_block *b) {
    if (b->breaks[0] || b->breaks[1] || b->next[1]->number > b->number || b->next[0]->number <= b->number) return false;
    return !is_plain_return(b->next[0]) || !ir->regs[b->guard].divergent;
}

static void emit_end(struct emitter *e, const struct ir_block *b, const struct ir_block *next) {
    if (b->end == IR_RETURN || (b->end == IR_JUMP && !b->breaks[0] && is_plain_return(b->next[0]))) {
        emit_return(e, b);
    } else if (b->end == IR_JUMP) {
        if (!follows(b, 0, next)) emit_edge(e, b, 0, IR_ALWAYS);
    } else if (follows(b, 0, next) || returns_from_loop(e->ir, b)) {
        emit_edge(e, b, 1, ir_opposite(b->cond));
        if (!follows(b, 0, next)) emit_edge(e, b, 0, IR_ALWAYS);
    } else {
        emit_edge(e, b, 0, b->cond);
        if (!follows(b, 1, next)) emit_edge(e, b, 1, IR_ALWAYS);
    }
}

/* Returns whether an instruction and the next one are both halves. The last instruction of a thread is long, because
 * it carries END. */
static bool are_halves(const struct ir *ir, const struct ir_block *b, const struct ir_insn *insn) {
    const struct ir_insn *next = insn->next;
    const bool ends = b->end == IR_RETURN || (b->end == IR_JUMP && is_plain_return(b->next[0]));
    return next != NULL && (next != b->last || !ends) && emit_fits_half(ir, insn) && emit_fits_half(ir, next);
}

static void emit_block(struct emitter *e, const struct ir_block *b, const struct ir_block *next) {
    label(e, b);
    fputc(':', e->out);
    end_line(e, NULL);
    const struct ir_insn *second = NULL; /* second half of a pair */
    for (const struct ir_insn *insn = b->first; insn != NULL; insn = insn->next) {
        if (insn->op == IR_KEEP) continue;
        const bool is_first = insn != second && are_halves(e->ir, b, insn), is_half = is_first || insn == second;
        second = is_first ? insn->next : NULL;
        fputs("    ", e->out);
        if (insn->call != NULL) {
            fprintf(e->out, "CAL L%" PRIu32 "  // %s", insn->call->routine->label, insn->call->routine->name);
        } else if (insn->op == IR_SSY || insn->op == IR_PBK) {
            fputs(insn->op == IR_SSY ? "SSY " : "PBK ", e->out);
            label(e, insn->target);
        } else {
            emit_insn(e->ir, insn, is_half, e->out);
        }
        end_line(e, insn->place);
    }
    emit_end(e, b, next);
}

static void emit_head(struct emitter *e, const struct emit_head *h) {
    fprintf(e->out, ".kernel %s", h->name);
    end_line(e, NULL);
    fprintf(e->out, ".arch %s", image_arch_name(h->arch));
    end_line(e, NULL);
    fprintf(e->out, ".reg %u", h->registers);
    end_line(e, NULL);
    fprintf(e->out, ".shared %u", h->shared_bytes);
    end_line(e, NULL);
    if (h->local_bytes > 0) {
        fprintf(e->out, ".local %u", h->local_bytes);
        end_line(e, NULL);
    }
}

static void emit_literals(struct emitter *e) {
    const struct ir_literals *l = e->ir->literals;
    for (size_t i = 0; i < l->count; i++) {
        if (i % 8 == 0) fprintf(e->out, ".const 1:0x%zx = ", i * 4);
        fprintf(e->out, "0x%" PRIx32, l->list[i]);
        if (i % 8 == 7 || i + 1 == l->count)
            end_line(e, NULL);
        else
            fputs(", ", e->out);
    }
}

static void emit_blocks(struct emitter *e) {
    const struct ir *ir = e->ir;
    e->last_place = NULL;
    for (size_t i = 0; i < ir->order_count; i++) {
        const struct ir_block *b = ir->order[i];
        const struct ir_block *next = i + 1 < ir->order_count ? ir->order[i + 1] : NULL;
        if (!is_plain_return(b) || b == ir->entry) emit_block(e, b, next);
    }
}

static void number_labels(const struct ir *kernel, struct ir_routine *const *routines, size_t count) {
    uint32_t next = (uint32_t)kernel->order_count;
    for (size_t i = 0; i < count; i++) {
        if (!routines[i]->stays) continue;
        routines[i]->label = next;
        next += (uint32_t)routines[i]->ir->order_count;
    }
}

void emit_kernel(struct ir *ir, struct ir_routine *const *routines, size_t count, const struct emit_head *head,
                 struct emit_text *out) {
    struct emitter e = {.ir = ir, .text = out};
    *out = (struct emit_text){0};
    e.out = open_memstream(&out->text, &out->size);
    if (e.out == NULL) cc_no_memory(ir->cc);
    emit_head(&e, head);
    out->body = (size_t)ftell(e.out);
    ir->literals->count = 0; /* keeps only the literals that the code uses */
    number_labels(ir, routines, count);
    emit_blocks(&e);
    for (size_t i = 0; i < count; i++) {
        if (!routines[i]->stays) continue;
        e.ir = routines[i]->ir;
        e.base = routines[i]->label;
        e.is_routine = true;
        fprintf(e.out, "// %s", routines[i]->name);
        end_line(&e, NULL);
        emit_blocks(&e);
    }
    out->body_size = (size_t)ftell(e.out) - out->body;
    emit_literals(&e);
    if (memstream_close(e.out, &out->text)) return;
    free(out->text);
    cc_no_memory(ir->cc);
}
