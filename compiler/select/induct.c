/* SPDX-License-Identifier: Apache-2.0 */
/* Strength reduction of addresses. If each iteration sets an A register from a register that grows by a constant,
 * the A register grows itself: ADA replaces R2A, the ADA behind it, and the sum if it has no other reader. An access
 * that is alone in its iteration grows the A register by post-increment. */
#include "../flow/cfg.h"
#include "../ir/live.h"
#include "select.h"

enum { MOST = 2, MOST_FOUND = 64 };

/* A register written once in a loop: r = r + step. */
struct counter {
    ir_reg reg;
    struct ir_insn *write; /* the sum, or the copy of the sum to the register */
    struct ir_insn *sum;
    uint32_t step;
};

/* A registers that hold (reg << shift) + offset within a loop. */
struct pointer {
    struct ir_loop *loop;
    struct counter counter;
    uint32_t shift, offset;
    unsigned saved; /* instructions saved in each iteration */
    ir_reg reg[4];
    unsigned count;
};

struct induct {
    struct ir *ir;
    struct pointer *list;
    size_t count, capacity;
    uint32_t *writes_in; /* number of writes in the current loop, by register */
    struct ir_insn **write;
};

static bool is_plain_register(const struct ir_operand *o) {
    return o->kind == IR_REG && o->half == IR_WHOLE && !o->negative && !o->absolute;
}

/* Returns the register that `reg` is a copy of, if the copy is made in the loop; else `reg`. */
static ir_reg original(const struct ir *ir, const struct ir_loop *loop, ir_reg reg) {
    const struct ir_insn *def = ir->regs[reg].def;
    const bool is_copy = ir->regs[reg].defs == 1 && def != NULL && def->op == IR_MOV && def->guard == 0 &&
                         is_plain_register(&def->src[0]) && cfg_in_loop(def->block, loop);
    return is_copy ? def->src[0].reg : reg;
}

static bool comes_before(const struct ir_insn *a, const struct ir_insn *b) {
    return a->block == b->block ? a->order < b->order : ir_dominates(a->block, b->block);
}

static bool find_counter(const struct induct *d, const struct ir_loop *loop, ir_reg reg, struct counter *c) {
    struct ir_insn *write = d->writes_in[reg] == 1 ? d->write[reg] : NULL, *sum = write;
    if (write == NULL || write->guard != 0 || write->block->loop != loop) return false;
    if (write->op == IR_MOV && is_plain_register(&write->src[0])) {
        sum = ir_def_of(d->ir, &write->src[0]);
        if (sum == NULL || sum->block->loop != loop) return false;
    }
    if (sum->op != IR_IADD || sum->guard != 0 || sum->fdst != 0 || sum->carry != 0 || (sum->flags & IR_SAT) != 0 ||
        sum->src[1].kind != IR_IMM || sum->src[1].negative || !is_plain_register(&sum->src[0]) ||
        original(d->ir, loop, sum->src[0].reg) != reg)
        return false;
    const ir_reg copy = sum->src[0].reg;
    if (copy != reg && !comes_before(d->ir->regs[copy].def, write)) return false;
    *c = (struct counter){reg, write, sum, sum->src[1].value};
    for (size_t i = 0; i < loop->header->previous_count; i++) { /* must be written in every iteration */
        const struct ir_block *p = loop->header->previous[i];
        if (cfg_in_loop(p, loop) && !ir_dominates(write->block, p)) return false;
    }
    return true;
}

static bool reads(const struct ir_insn *insn, ir_reg reg) {
    ir_reg uses[IR_USES_MAX];
    const unsigned n = ir_uses(insn, uses);
    for (unsigned i = 0; i < n; i++)
        if (uses[i] == reg) return true;
    return false;
}

/* Returns whether all readers of an A register come before the counter's write in the same iteration, and at least
 * one is an access. */
static bool is_used_before(const struct ir *ir, const struct ir_loop *loop, ir_reg reg, const struct ir_insn *write) {
    uint32_t left = ir->regs[reg].uses;
    bool by_access = false;
    for (size_t b = 0; b < loop->block_count && left > 0; b++)
        for (const struct ir_insn *insn = loop->blocks[b]->first; insn != NULL; insn = insn->next)
            if (reads(insn, reg)) {
                if (!comes_before(insn, write)) return false;
                by_access |= insn->op != IR_ADA;
                left--;
            }
    return left == 0 && by_access;
}

static struct pointer *find(struct induct *d, const struct pointer *key) {
    for (size_t i = 0; i < d->count; i++) {
        struct pointer *p = &d->list[i];
        if (p->loop == key->loop && p->counter.reg == key->counter.reg && p->shift == key->shift &&
            p->offset == key->offset)
            return p;
    }
    CC_PUSH(d->ir->cc, d->list, d->count, d->capacity, *key);
    return &d->list[d->count - 1];
}

static void consider(struct induct *d, struct ir_loop *loop, const struct ir_insn *insn) {
    const struct ir_insn *start = insn;
    struct pointer key = {.loop = loop};
    if (insn->guard != 0 || d->ir->regs[insn->dst].defs != 1) return;
    if (insn->op == IR_ADA) {
        start = d->ir->regs[insn->src[0].reg].def;
        if (insn->src[0].reg == 0 || start == NULL || start->op != IR_R2A || start->guard != 0 ||
            !cfg_in_loop(start->block, loop))
            return;
        key.offset = insn->src[1].value;
    }
    key.shift = start->sub;
    if (!find_counter(d, loop, original(d->ir, loop, start->src[0].reg), &key.counter) ||
        !comes_before(start, key.counter.write) || !is_used_before(d->ir, loop, insn->dst, key.counter.write))
        return;
    struct pointer *p = find(d, &key);
    if (p->count == sizeof p->reg / sizeof p->reg[0]) return;
    p->reg[p->count++] = insn->dst;
    p->saved += insn->op == IR_ADA && d->ir->regs[start->dst].uses == 1 ? 2 : 1;
}

static void scan_loop(struct induct *d, struct ir_loop *loop) {
    ir_reg defs[IR_DEFS_MAX];
    /* pass 0 counts writes, pass 1 collects candidates, pass 2 clears the counts */
    for (unsigned pass = 0; pass < 3; pass++)
        for (size_t b = 0; b < loop->block_count; b++)
            for (struct ir_insn *insn = loop->blocks[b]->first; insn != NULL; insn = insn->next) {
                const unsigned n = ir_defs(insn, defs);
                for (unsigned i = 0; i < n && pass != 1; i++) {
                    d->writes_in[defs[i]] = pass == 0 ? d->writes_in[defs[i]] + 1 : 0;
                    d->write[defs[i]] = insn;
                }
                if (pass == 1 && loop->blocks[b]->loop == loop && (insn->op == IR_R2A || insn->op == IR_ADA))
                    consider(d, loop, insn);
            }
}

static uint32_t reads_in(const struct ir_loop *loop, ir_reg reg) {
    uint32_t count = 0;
    for (size_t b = 0; b < loop->block_count; b++)
        for (const struct ir_insn *insn = loop->blocks[b]->first; insn != NULL; insn = insn->next)
            count += reads(insn, reg);
    return count;
}

static bool is_live_behind(const struct ir_loop *loop, ir_reg reg) {
    for (size_t b = 0; b < loop->block_count; b++)
        for (unsigned k = 0; k < cfg_next_count(loop->blocks[b]); k++) {
            const struct ir_block *to = loop->blocks[b]->next[k];
            for (size_t i = 0; i < to->live_in_count && !cfg_in_loop(to, loop); i++)
                if (to->live_in[i] == reg) return true;
        }
    return false;
}

/* Returns whether the pointer is the only user of the counter, so that the counter's sum can be removed. */
static bool is_only_use(const struct induct *d, const struct pointer *p) {
    const struct counter *c = &p->counter;
    const ir_reg copy = c->sum->src[0].reg;
    uint32_t sources = 0;
    for (unsigned i = 0; i < p->count; i++) {
        const struct ir_insn *def = d->ir->regs[p->reg[i]].def;
        sources += def->op == IR_R2A || d->ir->regs[def->src[0].reg].uses == 1;
    }
    if (c->write != c->sum && d->ir->regs[c->sum->dst].uses != 1) return false;
    if (is_live_behind(p->loop, c->reg)) return false;
    const uint32_t uses = reads_in(p->loop, c->reg);
    if (copy == c->reg) return uses == sources + 1;
    return uses + d->ir->regs[copy].uses == sources + 2;
}

static struct ir_insn *count_accesses(const struct pointer *p, unsigned *count) {
    struct ir_insn *access = NULL;
    *count = 0;
    for (size_t b = 0; b < p->loop->block_count; b++)
        for (struct ir_insn *insn = p->loop->blocks[b]->first; insn != NULL; insn = insn->next)
            for (unsigned i = 0; i < p->count; i++)
                if (reads(insn, p->reg[i])) access = insn, ++*count;
    return access;
}

static void replace(const struct pointer *p, ir_reg by) {
    for (size_t b = 0; b < p->loop->block_count; b++)
        for (struct ir_insn *insn = p->loop->blocks[b]->first; insn != NULL; insn = insn->next)
            for (unsigned i = 0; i < 3; i++)
                for (unsigned k = 0; k < p->count; k++)
                    if (insn->src[i].reg == p->reg[k]) insn->src[i].reg = by;
}

static void add_offset(struct ir *ir, struct ir_block *block, ir_reg reg, uint32_t offset) {
    struct ir_insn *sum = ir_append(ir, block, IR_ADA);
    sum->place = block->place;
    sum->dst = reg;
    sum->src[0].reg = reg;
    sum->src[0].kind = IR_REG;
    sum->src[1] = ir_imm(offset & 0xffff);
}

static void grow_pointer(struct induct *d, struct pointer *p, bool counter_ends) {
    struct ir *ir = d->ir;
    struct ir_block *before = cfg_preheader(p->loop);
    const ir_reg reg = ir_new_reg(ir, IR_A);
    unsigned count;
    struct ir_insn *access = count_accesses(p, &count);
    uint32_t offset = p->offset;
    if (count == 1 && access->src[0].kind != IR_REG && access->src[0].kind != IR_IMM && access->src[0].reg != 0) {
        offset += access->src[0].value; /* the exact address, for post-increment */
        access->src[0].value = 0;
    }
    struct ir_insn *start = ir_append(ir, before, IR_R2A);
    start->place = before->place;
    start->src[0] = ir_use(p->counter.reg);
    start->sub = (uint8_t)p->shift;
    start->dst = reg;
    if ((offset & 0xffff) != 0) add_offset(ir, before, reg, offset);
    struct ir_insn *write = p->counter.write;
    struct ir_insn *grow = ir_insert(ir, write, IR_ADA);
    grow->dst = reg;
    grow->src[0] = ir_use(reg);
    grow->src[1] = ir_imm((p->counter.step << p->shift) & 0xffff);
    replace(p, reg);
    if (counter_ends) ir_remove(write);
}

static bool is_worth_it(const struct induct *d, const struct pointer *p, bool counter_ends) {
    unsigned count;
    const struct ir_insn *access = count_accesses(p, &count);
    (void)d;
    return p->saved > 1 || counter_ends || (count == 1 && access->guard == 0 && p->saved > 0);
}

/* Removes counters that only their own sums read. */
static void remove_counters(struct induct *d) {
    select_remove_dead(d->ir);
    ir_find_live(d->ir);
    for (size_t i = 0; i < d->count; i++) {
        const struct counter *c = &d->list[i].counter;
        const struct ir_loop *loop = d->list[i].loop;
        if (c->write->block == NULL || is_live_behind(loop, c->reg) || c->sum->src[0].reg != c->reg ||
            reads_in(loop, c->reg) != 1 || (c->write != c->sum && d->ir->regs[c->sum->dst].uses != 1))
            continue;
        ir_remove(c->write);
    }
}

void select_grow_addresses(struct ir *ir) {
    struct cfg_loops loops = {0};
    struct induct d = {.ir = ir,
                       .writes_in = CC_ARRAY(ir->cc, uint32_t, ir->reg_count),
                       .write = CC_ARRAY(ir->cc, struct ir_insn *, ir->reg_count)};
    unsigned grown = 0;
    ir_count(ir);
    cfg_find_loops(ir, &loops);
    cfg_order(ir);
    ir_find_live(ir);
    for (size_t i = 0; i < loops.count && d.count < MOST_FOUND; i++)
        if (cfg_preheader(loops.list[i]) != NULL) scan_loop(&d, loops.list[i]);
    for (size_t i = d.count; i-- > 0 && grown < MOST;) {      /* inner loops first */
        if (d.list[i].counter.write->block == NULL) continue; /* removed with another pointer */
        const bool counter_ends = is_only_use(&d, &d.list[i]);
        if (!is_worth_it(&d, &d.list[i], counter_ends)) continue;
        grow_pointer(&d, &d.list[i], counter_ends);
        grown++;
    }
    if (grown > 0) remove_counters(&d);
    if (grown > 0) select_remove_dead(ir);
}

/* ---- post-increment ---- */

static bool is_own_sum(const struct ir_insn *insn) {
    return insn->op == IR_ADA && insn->guard == 0 && insn->src[0].reg == insn->dst && insn->dst != 0;
}

/* Returns whether an access can increment its A register by `step` bytes. The field counts cells; for an operand it
 * has five bits and is signed. */
static bool can_increment(const struct ir_insn *insn, int32_t step) {
    static const int32_t BYTES[] = {[IR_U8] = 1, [IR_U16] = 2, [IR_S16] = 2, [IR_B32] = 4};
    const struct ir_operand *o = &insn->src[0];
    if (insn->guard != 0 || o->reg == 0 || o->value != 0 || (o->kind != IR_SHARED && o->kind != IR_CONST)) return false;
    if (insn->op == IR_LLD || insn->op == IR_LST || insn->src[1].kind == IR_CONST) return false;
    const bool is_operand = insn->op != IR_R2G && insn->op != IR_MVC;
    const int32_t bytes = BYTES[o->cell], cells = step / bytes;
    return step % bytes == 0 && cells >= (is_operand ? -16 : 0) && cells < (is_operand ? 16 : 0x1000);
}

void select_increment(struct ir *ir) {
    ir_count(ir);
    for (size_t b = 0; b < ir->order_count; b++)
        for (struct ir_insn *insn = ir->order[b]->first, *next; insn != NULL; insn = next) {
            next = insn->next;
            if (!is_own_sum(insn)) continue;
            const int32_t step = (int16_t)(uint16_t)insn->src[1].value;
            struct ir_insn *access = insn->prev;
            while (access != NULL && !reads(access, insn->dst)) access = access->prev;
            if (access == NULL || is_own_sum(access) || access->src[0].reg != insn->dst || !can_increment(access, step))
                continue;
            access->src[0].increments = true;
            access->src[0].value = (uint32_t)step;
            ir_remove(insn);
        }
}
