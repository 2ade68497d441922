/* SPDX-License-Identifier: Apache-2.0 */
/* Liveness, see live.h: walks back from each block that reads a register before writing it, up to the writes. The
 * cost is proportional to the size of the result. */
#include "live.h"

#include <string.h>

struct fact {
    ir_reg reg;
    struct ir_block *block;
    bool writes; /* else it reads a value from another block */
};

struct facts {
    struct fact *list;
    size_t count, capacity;
};

/* Working memory, kept for the next call. */
enum { SEEN, SORTED, STARTS, NEXT, HAS_IN, HAS_OUT, HAS_WRITTEN, WORK, ROOMS };
struct ir_live {
    struct facts facts;
    void *room[ROOMS];
    size_t bytes[ROOMS];
};

/* Returns zeroed working memory. */
static void *zeroed_memory(struct ir *ir, unsigned which, size_t count, size_t element_bytes) {
    struct ir_live *live = ir->live;
    const size_t bytes = count * element_bytes;
    if (bytes <= live->bytes[which]) return memset(live->room[which], 0, bytes);
    live->bytes[which] = bytes + bytes / 2;
    return live->room[which] = cc_alloc(ir->cc, live->bytes[which]);
}

/* Access to a register in the current block, as block number + 1. */
struct seen {
    uint32_t read, written;
};

static void note_read(struct ir *ir, struct facts *f, struct seen *seen, struct ir_block *b, ir_reg reg) {
    const uint32_t stamp = b->number + 1;
    if (seen[reg].written == stamp || seen[reg].read == stamp) return;
    seen[reg].read = stamp;
    const struct fact fact = {reg, b, false};
    CC_PUSH(ir->cc, f->list, f->count, f->capacity, fact);
}

static void note_write(struct ir *ir, struct facts *f, struct seen *seen, struct ir_block *b, ir_reg reg) {
    const uint32_t stamp = b->number + 1;
    if (seen[reg].written == stamp) return;
    seen[reg].written = stamp;
    const struct fact fact = {reg, b, true};
    CC_PUSH(ir->cc, f->list, f->count, f->capacity, fact);
}

static void scan_block(struct ir *ir, struct facts *f, struct seen *seen, struct ir_block *b) {
    ir_reg list[IR_USES_MAX];
    for (const struct ir_insn *insn = b->first; insn != NULL; insn = insn->next) {
        unsigned n = ir_uses(insn, list);
        for (unsigned i = 0; i < n; i++) note_read(ir, f, seen, b, list[i]);
        n = ir_defs(insn, list);
        for (unsigned i = 0; i < n; i++) note_write(ir, f, seen, b, list[i]);
    }
    if (b->end == IR_BRANCH) note_read(ir, f, seen, b, b->guard);
}

/* Sorts facts by register. starts[r] is the first fact of register r. */
static struct fact *sorted(struct ir *ir, const struct facts *f, size_t **starts) {
    struct fact *out = zeroed_memory(ir, SORTED, f->count + 1, sizeof *out);
    size_t *at = zeroed_memory(ir, STARTS, ir->reg_count + 1, sizeof *at);
    for (size_t i = 0; i < f->count; i++) at[f->list[i].reg + 1]++;
    for (size_t r = 0; r < ir->reg_count; r++) at[r + 1] += at[r];
    size_t *next = zeroed_memory(ir, NEXT, ir->reg_count + 1, sizeof *next);
    memcpy(next, at, (ir->reg_count + 1) * sizeof *next);
    for (size_t i = 0; i < f->count; i++) out[next[f->list[i].reg]++] = f->list[i];
    *starts = at;
    return out;
}

struct walk {
    struct ir *ir;
    /* by block number: the last register that is live in, live out, written */
    uint32_t *has_in, *has_out, *has_written;
    struct ir_block **work;
};

static void walk_back(struct walk *w, ir_reg reg, const struct fact *facts, size_t count) {
    size_t depth = 0;
    for (size_t i = 0; i < count; i++)
        if (facts[i].writes) w->has_written[facts[i].block->number] = reg;
    for (size_t i = 0; i < count; i++) {
        if (facts[i].writes || w->has_in[facts[i].block->number] == reg) continue;
        w->has_in[facts[i].block->number] = reg;
        w->work[depth++] = facts[i].block;
    }
    while (depth > 0) {
        struct ir_block *b = w->work[--depth];
        CC_PUSH(w->ir->cc, b->live_in, b->live_in_count, b->live_in_capacity, reg);
        for (size_t k = 0; k < b->previous_count; k++) {
            struct ir_block *p = b->previous[k];
            if (w->has_out[p->number] == reg) continue;
            w->has_out[p->number] = reg;
            CC_PUSH(w->ir->cc, p->live_out, p->live_out_count, p->live_out_capacity, reg);
            if (w->has_written[p->number] == reg || w->has_in[p->number] == reg) continue;
            w->has_in[p->number] = reg;
            w->work[depth++] = p;
        }
    }
}

void ir_find_live(struct ir *ir) {
    if (ir->live == NULL) ir->live = CC_NEW(ir->cc, struct ir_live);
    struct facts *facts = &ir->live->facts;
    struct seen *seen = zeroed_memory(ir, SEEN, ir->reg_count, sizeof *seen);
    size_t *starts;
    const size_t blocks = ir->order_count;
    facts->count = 0;
    for (size_t i = 0; i < blocks; i++) scan_block(ir, facts, seen, ir->order[i]);
    const struct fact *sorted_facts = sorted(ir, facts, &starts);
    struct walk w = {ir, zeroed_memory(ir, HAS_IN, blocks, sizeof *w.has_in),
                     zeroed_memory(ir, HAS_OUT, blocks, sizeof *w.has_out),
                     zeroed_memory(ir, HAS_WRITTEN, blocks, sizeof *w.has_written),
                     zeroed_memory(ir, WORK, blocks, sizeof(struct ir_block *))};
    for (size_t i = 0; i < blocks; i++) /* keeps the capacity of the lists */
        ir->order[i]->live_in_count = ir->order[i]->live_out_count = 0;
    for (ir_reg r = 1; r < ir->reg_count; r++) walk_back(&w, r, sorted_facts + starts[r], starts[r + 1] - starts[r]);
}
