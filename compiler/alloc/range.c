/* SPDX-License-Identifier: Apache-2.0 */
/* Live ranges, see alloc.h. */
#include <string.h>

#include "../flow/cfg.h"
#include "alloc.h"

static void add_piece(struct ir *ir, struct alloc_range *r, uint32_t start, uint32_t end) {
    if (r->count > 0 && r->pieces[r->count - 1].start <= end) { /* pieces are added from the last to the first */
        if (start < r->pieces[r->count - 1].start) r->pieces[r->count - 1].start = start;
        return;
    }
    const struct alloc_piece piece = {start, end};
    CC_PUSH(ir->cc, r->pieces, r->count, r->capacity, piece);
}

static uint32_t weight_of(const struct ir_block *b) {
    uint32_t weight = 1;
    for (uint32_t d = b->loop != NULL ? b->loop->depth : 0; d > 0 && weight < 100000; d--) weight *= 10;
    return weight;
}

static void number(struct ir *ir) {
    uint32_t order = 1;
    for (size_t i = 0; i < ir->order_count; i++) {
        struct ir_block *b = ir->order[i];
        b->first_order = order++;
        for (struct ir_insn *insn = b->first; insn != NULL; insn = insn->next) insn->order = order++;
        b->last_order = order++;
    }
}

bool alloc_is_copy(const struct ir *ir, const struct ir_insn *insn) {
    const struct ir_operand *s = &insn->src[0];
    return insn->op == IR_MOV && insn->guard == 0 && insn->fdst == 0 && s->kind == IR_REG && s->half == IR_WHOLE &&
           !s->negative && !s->absolute && ir->regs[insn->dst].cls == ir->regs[s->reg].cls;
}

static void add_write(struct ir *ir, struct alloc_range *r, uint32_t at, ir_reg copied) {
    struct alloc_write *w = CC_NEW(ir->cc, struct alloc_write);
    *w = (struct alloc_write){at, copied, r->writes};
    r->writes = w;
    if (r->last_write == NULL) r->last_write = w;
    r->write_count++;
}

static void scan_block(struct ir *ir, struct ir_block *b, struct alloc_range *ranges, uint32_t *end) {
    const uint32_t weight = weight_of(b), start = b->first_order * 2, last = b->last_order * 2;
    ir_reg list[IR_USES_MAX];
    for (size_t i = 0; i < b->live_out_count; i++) end[b->live_out[i]] = last + 1;
    if (b->end == IR_BRANCH && end[b->guard] == 0) end[b->guard] = last;
    if (b->end == IR_BRANCH) ranges[b->guard].weight += weight;
    for (const struct ir_insn *insn = b->last; insn != NULL; insn = insn->prev) {
        const uint32_t at = insn->order * 2;
        unsigned n = ir_defs(insn, list);
        for (unsigned i = 0; i < n; i++) {
            struct alloc_range *r = &ranges[list[i]];
            r->weight += weight;
            add_write(ir, r, at + 1, alloc_is_copy(ir, insn) ? insn->src[0].reg : 0);
            add_piece(ir, r, at + 1, end[list[i]] != 0 ? end[list[i]] : at + 2);
            end[list[i]] = 0;
        }
        n = ir_uses(insn, list);
        for (unsigned i = 0; i < n; i++) {
            ranges[list[i]].weight += weight;
            if (end[list[i]] == 0) end[list[i]] = at + 1;
        }
    }
    for (size_t i = 0; i < b->live_in_count; i++) {
        const ir_reg reg = b->live_in[i];
        add_piece(ir, &ranges[reg], start, end[reg] != 0 ? end[reg] : start + 1);
        end[reg] = 0;
        if (b == ir->entry) ranges[reg].at_start = true;
    }
}

static void reverse(struct alloc_range *r) {
    for (size_t i = 0; i + 1 < r->count - i; i++) {
        const struct alloc_piece swap = r->pieces[i];
        r->pieces[i] = r->pieces[r->count - 1 - i];
        r->pieces[r->count - 1 - i] = swap;
    }
}

void alloc_find_ranges(struct ir *ir, struct alloc_range *ranges) {
    uint32_t *end = CC_ARRAY(ir->cc, uint32_t, ir->reg_count);
    number(ir);
    for (size_t i = ir->order_count; i-- > 0;) scan_block(ir, ir->order[i], ranges, end);
    for (ir_reg r = 1; r < ir->reg_count; r++) {
        if (ranges[r].count > 0) reverse(&ranges[r]);
        ranges[r].reg = r;
        ranges[r].home = -1;
        ranges[r].low = ir->regs[r].low;
        ranges[r].fixed = ir->regs[r].fixed;
    }
}

/* Returns the index of the first piece that ends after a position. */
static size_t first_behind(const struct alloc_range *r, uint32_t position) {
    size_t low = 0, high = r->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (r->pieces[middle].end <= position)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool alloc_overlaps(const struct alloc_range *a, const struct alloc_range *b) {
    if (a->count == 0 || b->count == 0) return false;
    size_t i = first_behind(a, b->pieces[0].start), k = first_behind(b, a->pieces[0].start);
    while (i < a->count && k < b->count)
        if (a->pieces[i].end <= b->pieces[k].start)
            i++;
        else if (b->pieces[k].end <= a->pieces[i].start)
            k++;
        else
            return true;
    return false;
}

ir_reg alloc_root(ir_reg *root, ir_reg r) {
    while (root[r] != r) r = root[r] = root[root[r]];
    return r;
}

static bool holds_value_at(const struct alloc_range *r, uint32_t position) {
    const size_t i = first_behind(r, position);
    return i < r->count && r->pieces[i].start <= position;
}

static bool overwrites(const struct alloc_range *a, const struct alloc_range *b, ir_reg *root) {
    for (const struct alloc_write *w = a->writes; w != NULL; w = w->next) {
        const bool same = w->copied != 0 && alloc_root(root, w->copied) == alloc_root(root, b->reg);
        if (!same && holds_value_at(b, w->at)) return true;
    }
    return false;
}

bool alloc_conflicts(const struct alloc_range *a, const struct alloc_range *b, ir_reg *root) {
    enum { MOST_WRITES = 100 };
    if (!alloc_overlaps(a, b)) return false;
    if (a->write_count + b->write_count > MOST_WRITES || (a->at_start && b->at_start)) return true;
    if ((a->at_start && holds_value_at(b, a->pieces[0].start)) ||
        (b->at_start && holds_value_at(a, b->pieces[0].start)))
        return true;
    return overwrites(a, b, root) || overwrites(b, a, root);
}

static void swap_pieces(struct alloc_range *a, struct alloc_range *b) {
    const struct alloc_range kept = *a;
    a->pieces = b->pieces, a->count = b->count, a->capacity = b->capacity;
    b->pieces = kept.pieces, b->count = kept.count, b->capacity = kept.capacity;
}

static void make_room(struct ir *ir, struct alloc_range *r, size_t count) {
    if (r->capacity >= count) return;
    struct alloc_piece *pieces = CC_ARRAY(ir->cc, struct alloc_piece, 2 * count);
    memcpy(pieces, r->pieces, r->count * sizeof *pieces);
    r->pieces = pieces;
    r->capacity = 2 * count;
}

/* Merges the pieces of b into those of a, the longer list. Touches only the pieces of a that b spans, because a
 * range of thousands of pieces absorbs many small ones. Merges in the free space behind the list, then copies back. */
static void merge_pieces(struct ir *ir, struct alloc_range *a, const struct alloc_range *b) {
    const uint32_t start = b->pieces[0].start, end = b->pieces[b->count - 1].end;
    size_t first = first_behind(a, start), behind = first_behind(a, end), count = 0;
    if (first > 0 && a->pieces[first - 1].end == start) first--;
    if (behind < a->count && a->pieces[behind].start <= end) behind++;
    const size_t tail = a->count - behind;
    make_room(ir, a, a->count + 2 * b->count + (behind - first));
    struct alloc_piece *merged = a->pieces + a->count + b->count;
    for (size_t i = first, k = 0; i < behind || k < b->count;) {
        const bool from_a = k == b->count || (i < behind && a->pieces[i].start <= b->pieces[k].start);
        const struct alloc_piece p = from_a ? a->pieces[i++] : b->pieces[k++];
        if (count == 0 || merged[count - 1].end < p.start)
            merged[count++] = p;
        else if (merged[count - 1].end < p.end)
            merged[count - 1].end = p.end;
    }
    memmove(a->pieces + first + count, a->pieces + behind, tail * sizeof *merged);
    memcpy(a->pieces + first, merged, count * sizeof *merged);
    a->count = first + count + tail;
}

void alloc_merge(struct ir *ir, struct alloc_range *a, struct alloc_range *b) {
    if (a->count < b->count) swap_pieces(a, b);
    if (b->count > 0) merge_pieces(ir, a, b);
    if (b->writes != NULL) {
        b->last_write->next = a->writes;
        if (a->last_write == NULL) a->last_write = b->last_write;
        a->writes = b->writes;
    }
    a->write_count += b->write_count;
    a->at_start |= b->at_start;
    a->weight += b->weight;
    a->low |= b->low;
    if (b->fixed >= 0) a->fixed = b->fixed;
    a->is_temporary = a->is_temporary && b->is_temporary;
    if (b->group != NULL) a->group = b->group;
    b->count = 0;
}
