/* SPDX-License-Identifier: Apache-2.0 */
/* The record of a step, see record.h. */
#include "record.h"

/* The words after the first; words that a load drops and words beyond the access are 0. */
static void record_words(const struct step *s, struct retire *out, bool load) {
    memset(out->dst_rest, 0, sizeof out->dst_rest);
    memset(out->data_rest, 0, sizeof out->data_rest);
    for (unsigned word = 1; word < s->d->words; word++)
        if (!load)
            lanes_copy(out->data_rest[word - 1], s->rest[word - 1], s->mem_mask);
        else if (step_keeps_word(s, word))
            lanes_copy(out->dst_rest[word - 1], s->rest[word - 1], s->write);
}

static void record_values(const struct step *s, struct retire *out) {
    const struct decoded *d = s->d;
    out->exec = s->exec;
    out->dst_kind = d->dst_kind;
    if (d->dst_kind != RETIRE_DST_NONE) {
        out->dst_reg = d->dst_reg;
        out->dst_mask = s->write;
        lanes_copy(out->dst, s->out.value, s->write);
    }
    if (d->writes_c) {
        out->c_reg = s->insn->cdst;
        out->c_mask = s->write;
        for (uint32_t left = s->write; left != 0; left = lanes_rest(left))
            out->c[lanes_first(left)] = flags_get(&s->flags, lanes_first(left));
    }
    if (d->a_reg != 0) {
        out->a_reg = d->a_reg;
        out->a_mask = s->exec;
        lanes_copy(out->a, s->a, s->exec);
    }
    out->mem_kind = d->mem_kind;
    out->mem_bytes = d->mem_bytes;
    out->mem_mask = s->mem_mask;
    const bool load = d->mem_kind == RETIRE_MEM_GLOBAL_LOAD || d->mem_kind == RETIRE_MEM_LOCAL_LOAD;
    if (s->mem_mask != 0) {
        lanes_copy(out->addr, s->addr, s->mem_mask);
        lanes_copy(out->data, s->data, load ? 0 : s->mem_mask);
    }
    if (d->words > 1) record_words(s, out, load);
    out->next_pc = s->warp->pc;
    out->next_active = s->warp->active;
}

void record_step(const struct step *s, struct retire *out) {
    const struct warp *warp = s->warp;
    memset(out, 0, offsetof(struct retire, dst_rest));
    out->cycle = s->m->counts.warp_instructions;
    out->sm = warp->sm;
    out->slot = warp->slot;
    out->block_x = warp->block->x;
    out->block_y = warp->block->y;
    out->warp = warp->index;
    out->pc = s->pc;
    out->active = s->active;
    out->depth = warp->stack.depth;
    out->state = warp->state;
    out->trap = s->trap;
    if (s->insn == NULL) return; /* the fetch trapped */
    out->word_lo = s->insn->lo;
    out->word_hi = s->insn->hi;
    if (s->trap == TRAP_NONE) record_values(s, out);
}
