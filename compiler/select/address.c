/* SPDX-License-Identifier: Apache-2.0 */
/* Selects address operands: shared, constant and local accesses take an A register and an offset, global accesses a
 * register without offset. */
#include <string.h>

#include "select.h"

enum { CACHED = 2 }; /* of the four A registers; hoist.c uses the others */

/* Contents of an A register: (reg << shift) + offset. Valid along the only path to the current block. */
struct cached {
    ir_reg reg, address;
    uint32_t shift, age;
    int32_t offset;
    bool is_absolute;
    bool is_exact; /* not negative, so an offset may be added */
};

struct cached_set {
    struct cached cached[CACHED];
};

struct addresses {
    struct ir *ir;
    struct cached cached[CACHED];
    struct cached_set *at_end; /* by block number */
    uint32_t time;
};

static void forget_all(struct addresses *a) {
    for (unsigned i = 0; i < CACHED; i++) a->cached[i] = (struct cached){0};
}

static void forget(struct addresses *a, ir_reg reg) {
    for (unsigned i = 0; i < CACHED; i++)
        if (a->cached[i].reg == reg && !a->cached[i].is_absolute) a->cached[i] = (struct cached){0};
}

/* Finds an A register from which the key's value can be reached by an offset of at most `reach`, which goes to
 * *rest. Returns 0 if none holds one. */
static ir_reg find(struct addresses *a, const struct cached *key, uint32_t cell, uint32_t reach, uint32_t *rest) {
    for (unsigned i = 0; i < CACHED; i++) {
        struct cached *c = &a->cached[i];
        const uint32_t distance = (uint32_t)key->offset - (uint32_t)c->offset;
        if (c->address == 0 || c->reg != key->reg || c->shift != key->shift || c->is_absolute != key->is_absolute ||
            distance > reach || distance % cell != 0 || (distance != 0 && !c->is_exact))
            continue;
        c->age = ++a->time;
        *rest = distance;
        return c->address;
    }
    return 0;
}

static void keep(struct addresses *a, struct cached key, ir_reg address) {
    struct cached *oldest = &a->cached[0];
    for (unsigned i = 1; i < CACHED; i++)
        if (a->cached[i].age < oldest->age) oldest = &a->cached[i];
    key.address = address;
    key.age = ++a->time;
    *oldest = key;
}

/* Gives an instruction that serves only a guarded access the same guard. */
static void guard_like(struct ir_insn *insn, const struct ir_insn *access) {
    if (access->guard == 0) return;
    insn->guard = access->guard;
    insn->cond = access->cond;
    insn->flags |= IR_FRESH;
}

/* Inserts an instruction that sets a new A register before an access. */
static struct ir_insn *put_address(struct addresses *a, struct ir_insn *at, enum ir_op op) {
    struct ir_insn *insn = ir_insert(a->ir, at, op);
    insn->dst = ir_new_reg(a->ir, IR_A);
    return insn;
}

static ir_reg absolute_address(struct addresses *a, struct ir_insn *at, uint32_t address, uint32_t cell, uint32_t reach,
                               uint32_t *rest) {
    const struct cached key = {.offset = (int32_t)(address & 0xffff), .is_absolute = true, .is_exact = true};
    const ir_reg found = find(a, &key, cell, reach, rest);
    if (found != 0) return found;
    struct ir_insn *ada = put_address(a, at, IR_ADA);
    ada->src[1] = ir_imm(address);
    keep(a, key, ada->dst);
    *rest = 0;
    return ada->dst;
}

/* R2A shifts by itself: replaces a register that is the result of a constant shift by the shift's source. */
static void look_through_shift(const struct ir *ir, const struct ir_insn *at, struct ir_operand base,
                               struct cached *key) {
    const struct ir_insn *def = ir_def_of(ir, &base);
    if (def == NULL || def->op != IR_SHL || def->src[1].kind != IR_IMM || def->src[1].value >= 16 ||
        def->src[0].kind != IR_REG || def->src[0].half != IR_WHOLE || !select_same_at(ir, def->src[0].reg, def, at))
        return;
    key->reg = def->src[0].reg;
    key->shift = def->src[1].value;
}

/* Sets an A register to (reg << shift) + offset. It is computed modulo 2^16, which covers every valid address. */
static struct ir_insn *set_address(struct addresses *a, struct ir_insn *at, const struct cached *key, ir_reg start) {
    struct ir_insn *insn = put_address(a, at, start != 0 ? IR_ADA : IR_R2A);
    insn->src[0] = ir_use(start != 0 ? start : key->reg);
    if (start != 0)
        insn->src[1] = ir_imm((uint32_t)key->offset);
    else
        insn->sub = (uint8_t)key->shift;
    return insn;
}

/* Returns whether the base of base + offset is known not to be negative. Variables in shared memory begin behind the
 * parameters, so a base plus an offset up to the first variable is not negative. */
static bool is_not_negative(const struct ir *ir, const struct ir_insn *at, const struct ir_operand *base,
                            int32_t offset) {
    const bool is_shared = at->op == IR_LDS || at->op == IR_STS;
    return select_bits(ir, base) < 32 || (is_shared && offset >= 0 && (uint32_t)offset <= ir->first_shared);
}

/* Returns an A register, and in *rest an offset up to `reach`, for base + offset. The machine's sum does not wrap,
 * so an offset is added only if the base is known not to be negative, or if it is the exact address of an access. */
static ir_reg address_of(struct addresses *a, struct ir_insn *at, struct ir_operand base, int32_t offset, uint32_t cell,
                         uint32_t reach, uint32_t *rest) {
    struct cached key = {.reg = base.reg, .offset = offset, .is_exact = true};
    if (base.kind == IR_IMM) return absolute_address(a, at, base.value + (uint32_t)offset, cell, reach, rest);
    const bool not_negative = is_not_negative(a->ir, at, &base, offset);
    look_through_shift(a->ir, at, base, &key);
    /* The register may be undefined in inactive lanes, so the address is computed under the guard and not cached. */
    const bool guarded = at->guard != 0 && a->ir->regs[key.reg].defs != 1;
    ir_reg found = guarded ? 0 : find(a, &key, cell, reach, rest);
    if (found != 0) return found;
    struct cached plain = key;
    plain.offset = 0;
    plain.is_exact = not_negative || offset == 0;
    *rest = 0;
    if (offset >= 0 && not_negative && (uint32_t)offset % cell == 0) {
        *rest = (uint32_t)offset <= reach ? (uint32_t)offset : (uint32_t)offset % (reach + cell);
        key.offset = (int32_t)((uint32_t)offset - *rest);
    }
    uint32_t none;
    found = guarded ? 0 : find(a, &plain, cell, 0, &none);
    if (found == 0) {
        struct ir_insn *insn = set_address(a, at, &plain, 0);
        found = insn->dst;
        if (guarded) guard_like(insn, at);
        if (!guarded && (key.offset == 0 || not_negative)) keep(a, plain, found);
    }
    if (key.offset == 0) return found;
    struct ir_insn *insn = set_address(a, at, &key, found);
    if (guarded)
        guard_like(insn, at);
    else
        keep(a, key, insn->dst);
    return insn->dst;
}

static uint32_t size_bytes(uint8_t size) {
    static const uint32_t BYTES[] = {1, 1, 2, 2, 8, 16, 4, 4};
    return BYTES[size & 7];
}

/* Splits an address into an A register, or 0, and an offset of at most `most` cells. */
static void find_place(struct addresses *a, struct ir_insn *insn, uint32_t cell, uint32_t most, ir_reg *address,
                       uint32_t *offset) {
    const struct ir_operand base = insn->src[0];
    /* The upper half of a generic address only selects the memory. */
    const uint32_t at = (base.kind == IR_IMM ? base.value + (uint32_t)insn->offset : (uint32_t)insn->offset) & 0xffff;
    if (base.kind == IR_IMM && at % cell == 0 && at / cell <= most) {
        *address = 0;
        *offset = at;
    } else {
        *address = address_of(a, insn, base, insn->offset, cell, cell * most, offset);
    }
}

static enum ir_cell cell_of(uint8_t size) {
    return size == IR_SIZE_U16 ? IR_U16 : size == IR_SIZE_S16 ? IR_S16 : size <= IR_SIZE_S8 ? IR_U8 : IR_B32;
}

/* Loads a signed byte unsigned, then extends it. Both are executed under the guard of the load. */
static void extend_byte(struct ir *ir, struct ir_insn *insn) {
    if (insn->size != IR_SIZE_S8) return;
    struct ir_insn *load = ir_insert(ir, insn, (enum ir_op)insn->op);
    load->src[0] = insn->src[0];
    load->flags = insn->flags;
    load->dst = ir_new_reg(ir, IR_R);
    guard_like(load, insn);
    insn->op = IR_I2I;
    insn->src[0] = ir_use(load->dst);
    insn->flags = (uint16_t)((insn->flags & IR_FRESH) | IR_BYTE | IR_SIGN_A | IR_SIGN_D);
}

static void place_shared_load(struct addresses *a, struct ir_insn *insn, bool is_constant) {
    const uint32_t bytes = size_bytes(insn->size);
    const enum ir_cell cell = cell_of(insn->size);
    ir_reg address;
    uint32_t offset;
    find_place(a, insn, bytes, is_constant ? 0xffff : 31, &address, &offset);
    insn->op = is_constant ? IR_MVC : IR_MOV;
    insn->src[0] = ir_shared(offset, cell);
    if (is_constant) insn->src[0].kind = IR_CONST;
    insn->src[0].reg = address;
    insn->offset = 0;
    insn->flags &= IR_VOLATILE | IR_FRESH;
    extend_byte(a->ir, insn);
}

/* Moves the data of a store to a register; zero is R124. */
static void place_data(struct ir *ir, struct ir_insn *insn) {
    if (insn->src[1].kind == IR_REG || (ir_is_imm(&insn->src[1], 0) && insn->more[0] == 0)) return;
    struct ir_insn *move = ir_insert(ir, insn, IR_MOV);
    move->src[0] = insn->src[1];
    move->dst = ir_new_reg(ir, IR_R);
    insn->src[1] = ir_use(move->dst);
}

static void place_store(struct addresses *a, struct ir_insn *insn, enum ir_op op, uint32_t most) {
    ir_reg address;
    uint32_t offset;
    place_data(a->ir, insn);
    find_place(a, insn, op == IR_LST ? 1 : size_bytes(insn->size), most, &address, &offset);
    insn->op = (uint8_t)op;
    insn->src[0] = ir_shared(offset, cell_of(insn->size));
    insn->src[0].reg = address;
    insn->offset = 0;
}

static void place_local_load(struct addresses *a, struct ir_insn *insn) {
    ir_reg address;
    uint32_t offset;
    find_place(a, insn, 1, 0xffff, &address, &offset);
    insn->src[0] = ir_shared(offset, IR_B32);
    insn->src[0].reg = address;
    insn->offset = 0;
}

static void place_global(struct ir *ir, struct ir_insn *insn) {
    if (insn->op == IR_GST) place_data(ir, insn);
    if (insn->src[0].kind == IR_REG && insn->offset == 0) return;
    struct ir_insn *sum = ir_insert(ir, insn, insn->src[0].kind == IR_IMM ? IR_MOV : IR_IADD);
    sum->dst = ir_new_reg(ir, IR_R);
    sum->src[0] = insn->src[0];
    if (sum->op == IR_IADD) guard_like(sum, insn);
    if (sum->op == IR_MOV)
        sum->src[0].value += (uint32_t)insn->offset;
    else
        sum->src[1] = ir_imm((uint32_t)insn->offset);
    insn->src[0] = ir_use(sum->dst);
    insn->offset = 0;
}

/* Addresses a parameter by an A register if its offset does not fit in the field. */
static void place_far_parameter(struct addresses *a, struct ir_insn *insn) {
    struct ir_operand *o = &insn->src[0];
    const uint32_t bytes = o->cell == IR_U8 ? 1 : o->cell == IR_B32 ? 4 : 2;
    if (o->kind != IR_SHARED || o->reg != 0 || o->value / bytes <= 31) return;
    o->reg = address_of(a, insn, ir_imm(o->value), 0, bytes, 31 * bytes, &o->value);
}

static void place(struct addresses *a, struct ir_insn *insn) {
    switch (insn->op) {
    case IR_LDS: place_shared_load(a, insn, false); break;
    case IR_LDC: place_shared_load(a, insn, true); break;
    case IR_STS: place_store(a, insn, IR_R2G, 0x3fff); break;
    case IR_LST: place_store(a, insn, IR_LST, 0xffff); break;
    case IR_LLD: place_local_load(a, insn); break;
    case IR_GLD:
    case IR_GST: place_global(a->ir, insn); break;
    case IR_MOV: place_far_parameter(a, insn); break;
    default: break;
    }
}

/* A block with a single predecessor inherits the contents of its A registers. */
static void begin_block(struct addresses *a, const struct ir_block *b) {
    const struct ir_block *before = b->previous_count == 1 ? b->previous[0] : NULL;
    if (before == NULL || before->number >= b->number)
        forget_all(a);
    else
        memcpy(a->cached, a->at_end[before->number].cached, sizeof a->cached);
}

void select_addresses(struct ir *ir) {
    struct addresses a = {.ir = ir, .at_end = CC_ARRAY(ir->cc, struct cached_set, ir->order_count)};
    ir_reg defs[IR_DEFS_MAX];
    ir_count(ir);
    select_find_ranges(ir);
    for (size_t b = 0; b < ir->order_count; b++) {
        begin_block(&a, ir->order[b]);
        for (struct ir_insn *insn = ir->order[b]->first, *next; insn != NULL; insn = next) {
            next = insn->next;
            const unsigned n = ir_defs(insn, defs);
            place(&a, insn);
            for (unsigned i = 0; i < n; i++) forget(&a, defs[i]);
        }
        memcpy(a.at_end[b].cached, a.cached, sizeof a.cached);
    }
    select_remove_dead(ir);
}
