/* SPDX-License-Identifier: Apache-2.0 */
/* Values of operands. */
#include "integer.h"
#include "number.h"
#include "thread.h"

struct value all_known(uint64_t bits) {
    return (struct value){bits, ~(uint64_t)0};
}

static struct value cut(struct value v, unsigned bits) {
    return (struct value){low_bits(v.bits, bits), low_bits(v.known, bits)};
}

/* For a NaN, a known exponent is enough. */
bool is_known(struct value v, struct type type) {
    const uint64_t all = low_bits(~(uint64_t)0, type.bits);
    if (low_bits(v.known, type.bits) == all) return true;
    if (type.kind != 'f') return false;
    const struct number_format *f = number_format_of(type.bits);
    const uint64_t exponents = all >> 1 & ~low_bits(all, f->fraction);
    return (v.known & exponents) == exponents && number_unpack(v.bits, f, false).kind == NOT_A_NUMBER;
}

static uint32_t linear_lane(const struct thread *t) { return t->number % 32; }

static struct value lane_mask(const struct thread *t, enum special_register special) {
    const uint32_t own = (uint32_t)1 << linear_lane(t);
    const uint32_t below = own - 1;
    switch (special) {
    case LANEMASK_EQ: return all_known(own);
    case LANEMASK_LE: return all_known(below | own);
    case LANEMASK_LT: return all_known(below);
    case LANEMASK_GE: return all_known((uint32_t)~below);
    default: return all_known((uint32_t) ~(below | own));
    }
}

/* The fourth component is 0, or 1 for a size. */
static struct value special_value(const struct thread *t, const struct operand *o) {
    const struct launch *launch = t->machine->launch;
    const unsigned axis = o->axis < 3 ? o->axis : 0;
    const bool beyond = o->axis == 3;
    const uint32_t threads = launch->block[0] * launch->block[1] * launch->block[2];
    switch (o->special) {
    case TID: return all_known(beyond ? 0 : t->index[axis]);
    case NTID: return all_known(beyond ? 1 : launch->block[axis]);
    case CTAID: return all_known(beyond ? 0 : t->machine->block_index[axis]);
    case NCTAID: return all_known(beyond ? 1 : launch->grid[axis]);
    case LANEID: return all_known(linear_lane(t));
    case WARPID: return all_known(t->number / 32);
    case NWARPID: return all_known((threads + 31) / 32);
    case WARP_SIZE: return all_known(32);
    case ENVREG: return all_known(0);
    case DYNAMIC_SHARED: return all_known(t->machine->shared_top - t->machine->dynamic_shared);
    case SMID:
    case NSMID:
    case GRIDID:
    case CLOCK: return (struct value){0, 0};
    default: return lane_mask(t, o->special);
    }
}

static uint64_t address_of(const struct thread *t, const struct variable *v) {
    if (v->space == LOCAL) return t->frame->local_base + v->address;
    if (v->space == PARAM) return t->frame->param_base + v->address;
    return v->space == SHARED && v->unsized ? t->machine->dynamic_shared : v->address;
}

static struct value number_value(struct thread *t, const struct operand *o, struct type type) {
    if (type.kind == 'f' && o->literal == INTEGER)
        thread_fail(t, NOT_DEFINED, "an integer is no .f%u; write it as a number with a point", type.bits);
    if (type.kind == 'f') return all_known(number_literal(o->literal, o->number, type.bits));
    if (o->literal == DECIMAL) thread_fail(t, NOT_DEFINED, "a number with a point is no .%c%u", type.kind, type.bits);
    return all_known(o->number);
}

/* Elements from the low end on. */
static struct value packed(struct thread *t, const struct operand *o, struct type type) {
    const unsigned bits = type.bits / o->count;
    struct value all = {0, 0};
    for (unsigned k = 0; k < o->count; k++) {
        const struct value one = operand_read(t, &o->list[k], (struct type){'b', (uint8_t)bits});
        all.bits |= one.bits << bits * k;
        all.known |= one.known << bits * k;
    }
    return all;
}

struct value operand_read(struct thread *t, const struct operand *o, struct type type) {
    struct value v;
    switch (o->kind) {
    case REGISTER: v = t->frame->registers[o->reg]; break;
    case NUMBER: v = number_value(t, o, type); break;
    case SPECIAL: v = special_value(t, o); break;
    case SYMBOL: v = all_known(address_of(t, o->variable) + o->number); break;
    case VECTOR: v = packed(t, o, type); break;
    default: thread_fail(t, NOT_DEFINED, "this operand has no value");
    }
    if (o->negated) v.bits = ~v.bits;
    return cut(v, type.bits);
}

static void register_write(struct thread *t, unsigned reg, struct type type, struct value v) {
    const unsigned width = t->frame->function->registers[reg].bits;
    v = cut(v, type.bits);
    if (width > type.bits) {
        const uint64_t above = ~low_bits(~(uint64_t)0, type.bits);
        const bool sign = type.kind == 's' && (v.bits >> (type.bits - 1) & 1) != 0;
        const bool sign_known = type.kind != 's' || (v.known >> (type.bits - 1) & 1) != 0;
        v.bits |= sign ? above : 0;
        v.known |= sign_known ? above : 0;
    }
    t->frame->registers[reg] = cut(v, width);
}

void operand_write(struct thread *t, const struct operand *o, struct type type, struct value v) {
    if (o->kind == SINK) return;
    if (o->kind == VECTOR) {
        const struct type part = {'b', (uint8_t)(type.bits / o->count)};
        for (unsigned k = 0; k < o->count; k++)
            operand_write(t, &o->list[k], part, (struct value){v.bits >> part.bits * k, v.known >> part.bits * k});
        return;
    }
    if (o->kind != REGISTER) thread_fail(t, NOT_DEFINED, "no register to write to");
    register_write(t, o->reg, type, v);
}

uint64_t operand_address(struct thread *t, const struct operand *o) {
    uint64_t base = 0;
    if (o->has_register) {
        const struct type type = t->frame->function->registers[o->reg];
        const struct value v = t->frame->registers[o->reg];
        if (!is_known(v, type)) thread_fail(t, NOT_DEFINED, "the address is undefined");
        base = v.bits;
    } else if (o->variable != NULL) {
        base = address_of(t, o->variable);
    }
    return low_bits(base + o->number, t->machine->module->address_bits);
}
