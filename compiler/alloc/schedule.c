/* SPDX-License-Identifier: Apache-2.0 */
/* Moves a global load, with the arithmetic of its address, up before the first reader of an earlier load, so that
 * both loads are in flight together. Leaves it if the kernel would then need more registers than its maximum so far,
 * or than FREE: with up to FREE registers all warps are resident. */
#include <string.h>

#include "../ir/live.h"
#include "alloc.h"

enum { FREE = 12, MOST_INSNS = 400, FAR = 24, MOST_CHAIN = 6, MOST_MOVES = 64 };

struct schedule {
    struct ir *ir;
    struct ir_insn *insn[MOST_INSNS]; /* of the current block */
    unsigned alive[MOST_INSNS];       /* number of live R registers behind each instruction */
    unsigned count, most;
    bool *is_alive;
};

static bool is_word(const struct ir *ir, ir_reg r) { return ir->regs[r].cls == IR_R; }

/* Returns the maximum number of live R registers. */
static unsigned scan_block(struct schedule *s, const struct ir_block *b) {
    ir_reg list[IR_USES_MAX];
    unsigned alive = 0, most = 0;
    s->count = 0;
    for (struct ir_insn *insn = b->first; insn != NULL; insn = insn->next) {
        if (s->count == MOST_INSNS) return s->count = 0;
        s->insn[s->count++] = insn;
    }
    for (size_t i = 0; i < b->live_out_count; i++)
        if (is_word(s->ir, b->live_out[i])) s->is_alive[b->live_out[i]] = true, alive++;
    for (unsigned at = s->count; at-- > 0;) {
        s->alive[at] = alive;
        unsigned n = ir_defs(s->insn[at], list);
        for (unsigned i = 0; i < n; i++)
            if (s->is_alive[list[i]]) s->is_alive[list[i]] = false, alive--;
        n = ir_uses(s->insn[at], list);
        for (unsigned i = 0; i < n; i++)
            if (is_word(s->ir, list[i]) && !s->is_alive[list[i]]) s->is_alive[list[i]] = true, alive++;
        if (s->alive[at] > most) most = s->alive[at];
    }
    for (size_t i = 0; i < b->live_in_count; i++) s->is_alive[b->live_in[i]] = false;
    return most;
}

static bool shares(const ir_reg *a, unsigned an, const ir_reg *b, unsigned bn) {
    for (unsigned i = 0; i < an; i++)
        for (unsigned k = 0; k < bn; k++)
            if (a[i] == b[k]) return true;
    return false;
}

/* Returns whether b reads a result of a. */
static bool feeds(const struct ir_insn *a, const struct ir_insn *b) {
    ir_reg defs[IR_DEFS_MAX], uses[IR_USES_MAX];
    const unsigned d = ir_defs(a, defs), u = ir_uses(b, uses);
    return shares(defs, d, uses, u);
}

static bool writes_same(const struct ir_insn *a, const struct ir_insn *b) {
    ir_reg x[IR_DEFS_MAX], y[IR_DEFS_MAX];
    const unsigned n = ir_defs(a, x), m = ir_defs(b, y);
    return shares(x, n, y, m);
}

static bool is_load(const struct ir_insn *insn) {
    return insn->op == IR_GLD && insn->guard == 0 && (insn->flags & IR_VOLATILE) == 0;
}

/* Returns whether the result does not depend on the position: arithmetic on registers, constants and parameters. */
static bool is_movable(const struct ir_insn *insn) {
    if (ir_has_effect(insn) || ir_is_load(insn) || insn->guard != 0 || insn->fdst != 0 || insn->carry != 0 ||
        insn->dst == 0 || insn->flags != 0 || insn->op == IR_S2R)
        return false;
    for (unsigned i = 0; i < 3; i++)
        if (insn->src[i].kind >= IR_SHARED && (insn->src[i].reg != 0 || insn->src[i].increments)) return false;
    return true;
}

static bool may_pass(const struct ir_insn *insn) { return !ir_has_effect(insn) || insn->op == IR_R2G; }

/* Finds the load at `load` and the instructions behind `to` that it depends on, in program order. Returns their
 * count; 0 if they cannot move to `to`. */
static unsigned find_chain(const struct schedule *s, unsigned to, unsigned load, unsigned chain[MOST_CHAIN]) {
    unsigned count = 0;
    chain[MOST_CHAIN - ++count] = load;
    for (unsigned at = load; at-- > to;) {
        bool needed = false;
        for (unsigned i = MOST_CHAIN - count; i < MOST_CHAIN; i++) needed |= feeds(s->insn[at], s->insn[chain[i]]);
        if (needed) {
            if (at == to || count == MOST_CHAIN || !is_movable(s->insn[at])) return 0;
            chain[MOST_CHAIN - ++count] = at;
            continue;
        }
        if (!may_pass(s->insn[at])) return 0;
        for (unsigned i = MOST_CHAIN - count; i < MOST_CHAIN; i++)
            if (feeds(s->insn[chain[i]], s->insn[at]) || writes_same(s->insn[chain[i]], s->insn[at])) return 0;
    }
    memmove(chain, chain + MOST_CHAIN - count, count * sizeof *chain);
    return count;
}

static bool has_room(const struct schedule *s, unsigned to, unsigned load, const unsigned *chain, unsigned count) {
    unsigned more = 1;
    for (unsigned i = 0; i < IR_MORE && s->insn[load]->more[i] != 0; i++) more++;
    for (unsigned i = 0; i + 1 < count; i++) more += s->ir->regs[s->insn[chain[i]]->dst].uses > 1;
    for (unsigned at = to > 0 ? to - 1 : 0; at < load; at++)
        if (s->alive[at] + more > s->most) return false;
    return true;
}

static void move_before(struct ir_insn *insn, struct ir_insn *at) {
    struct ir_block *b = at->block;
    ir_remove(insn);
    insn->block = b;
    insn->next = at;
    insn->prev = at->prev;
    if (at->prev != NULL)
        at->prev->next = insn;
    else
        b->first = insn;
    at->prev = insn;
}

/* Returns the index of the first reader of the load at `load`, or the instruction count. */
static unsigned find_reader(const struct schedule *s, unsigned load) {
    for (unsigned at = load + 1; at < s->count && at < load + FAR; at++)
        if (feeds(s->insn[load], s->insn[at])) return at;
    return s->count;
}

/* Moves one load up before the reader of a load at or behind `*from`. Returns false if none can move. */
static bool move_one(struct schedule *s, unsigned *from) {
    unsigned chain[MOST_CHAIN];
    for (; *from < s->count; ++*from) {
        if (!is_load(s->insn[*from])) continue;
        const unsigned reader = find_reader(s, *from);
        for (unsigned next = reader + 1; next < s->count && next < reader + FAR; next++) {
            if (!is_load(s->insn[next])) continue;
            const unsigned count = find_chain(s, reader, next, chain);
            if (count == 0 || !has_room(s, reader, next, chain, count)) break;
            struct ir_insn *at = s->insn[reader];
            struct ir_insn *moved[MOST_CHAIN];
            for (unsigned i = 0; i < count; i++) moved[i] = s->insn[chain[i]];
            for (unsigned i = 0; i < count; i++) move_before(moved[i], at);
            return true;
        }
    }
    return false;
}

void alloc_schedule(struct ir *ir, unsigned most) {
    struct schedule *s = CC_NEW(ir->cc, struct schedule);
    s->ir = ir;
    s->is_alive = CC_ARRAY(ir->cc, bool, ir->reg_count);
    ir_count(ir);
    ir_find_live(ir);
    for (size_t b = 0; b < ir->order_count; b++) {
        const unsigned alive = scan_block(s, ir->order[b]);
        if (alive > s->most) s->most = alive;
    }
    if (s->most < FREE && most >= 16) s->most = FREE;
    for (size_t b = 0; b < ir->order_count; b++) {
        unsigned from = 0;
        scan_block(s, ir->order[b]);
        for (unsigned moves = 0; moves < MOST_MOVES && move_one(s, &from); moves++) scan_block(s, ir->order[b]);
    }
}
