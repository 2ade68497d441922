/* SPDX-License-Identifier: Apache-2.0 */
/* One instruction of one thread: operands (isa.md 2), then the rule of the operation (isa.md 3 to 6). */
#include "float.h"
#include "instruction.h"
#include "rules.h"

static const struct type WORD = {32, false};

/* ---- memory ---- */

static struct memory memory_of(const struct thread *t, const struct operand *o) {
    switch (o->kind) {
    case OPERAND_SHARED: return t->shared;
    case OPERAND_CONSTANT: return t->constant[o->number];
    case OPERAND_LOCAL: return t->local;
    default: return t->global;
    }
}

/* The bytes of a cell of that operand's memory, or NULL if the access would trap. */
static uint8_t *cell_at(struct thread *t, const struct operand *o, uint32_t address, unsigned size) {
    struct memory memory = memory_of(t, o);
    bool misaligned = address % size != 0;
    if (!misaligned && address <= memory.size && size <= memory.size - address) return memory.bytes + address;
    t->problem = misaligned ? "an address that is no multiple of the size" : "an address beyond the memory";
    t->faults |= fault_of(o->kind, misaligned);
    return NULL;
}

static uint32_t load(struct thread *t, const struct operand *o, uint32_t address, struct type type) {
    const uint8_t *cell = cell_at(t, o, address, (unsigned)type.bits / 8);
    uint32_t value = 0;
    for (int n = 0; cell && n < type.bits / 8; n++) value |= (uint32_t)cell[n] << 8 * n;
    return (uint32_t)rule_number_of(value, type);
}

static void store(struct thread *t, const struct operand *o, uint32_t address, int bits, uint32_t value) {
    uint8_t *cell = cell_at(t, o, address, (unsigned)bits / 8);
    for (int n = 0; cell && n < bits / 8; n++) cell[n] = (uint8_t)(value >> 8 * n);
}

/* The address of a memory operand with cells of this size; applies the post-increment. */
static uint32_t address_of(struct thread *t, const struct operand *o, unsigned unit) {
    uint32_t base = o->areg ? t->a[o->areg] : 0;
    if (!o->increment) return base + o->offset * unit;
    if (o->areg) t->a[o->areg] = (uint16_t)(base + o->offset * unit);
    return base;
}

/* ---- operands ---- */

static uint32_t read_register(const struct thread *t, uint32_t number) {
    return number == 124 || number >= t->registers ? 0 : t->r[number];
}

/* A source before its sign, in an operation of that width: the contents of a cell are extended by the cell's type. */
static uint32_t read_plain(struct thread *t, const struct operand *o, int width) {
    switch (o->kind) {
    case OPERAND_REGISTER: return read_register(t, o->number);
    case OPERAND_HALF: {
        uint32_t word = o->number / 2 >= t->registers ? 0 : t->r[o->number / 2];
        return word >> (o->number % 2 ? 16 : 0) & 0xffff;
    }
    case OPERAND_IMMEDIATE: return o->number;
    case OPERAND_SHARED:
    case OPERAND_CONSTANT: {
        struct type cell = o->cell.bits ? o->cell : (struct type){width == 16 ? 16 : 32, false};
        return load(t, o, address_of(t, o, (unsigned)cell.bits / 8), cell);
    }
    case OPERAND_AREG: return o->number ? t->a[o->number] : 0;
    case OPERAND_CREG: return t->c[o->number];
    case OPERAND_SPECIAL:
        if (o->number == 1) t->problem = "the value of the clock";
        return o->number == 0 ? t->lane | t->warp << 8 : 0;
    default: t->problem = "an operand that the operation does not read"; return 0;
    }
}

static uint32_t read(struct thread *t, const struct operand *o, int width) {
    uint32_t value = read_plain(t, o, width);
    return o->inverted ? ~value : value;
}

static void write_value(struct thread *t, const struct operand *o, uint32_t value) {
    uint32_t number = o->kind == OPERAND_HALF ? o->number / 2 : o->number;
    switch (o->kind) {
    case OPERAND_SINK: return;
    case OPERAND_REGISTER:
        if (number < t->registers && number != 127) t->r[number] = value;
        return;
    case OPERAND_HALF:
        if (number >= t->registers) return;
        if (o->number % 2)
            t->r[number] = (t->r[number] & 0xffff) | value << 16;
        else
            t->r[number] = (t->r[number] & 0xffff0000) | (value & 0xffff);
        return;
    case OPERAND_AREG:
        if (number != 0) t->a[number] = (uint16_t)value;
        return;
    case OPERAND_CREG: t->c[number] = value & 15; return;
    default: t->problem = "an operand that the operation does not write";
    }
}

static void write_result(struct thread *t, const struct instruction *i, struct result result) {
    write_value(t, &i->operands[0], result.value);
    if (i->flags >= 0) t->c[i->flags] = (uint8_t)result.flags;
}

/* ---- arithmetic ---- */

/* x + y in an IADD, IMAD or WMAD, one of which may be negated: a subtraction is a + ~b + 1. */
static struct result add(const struct thread *t, const struct instruction *i, uint32_t x, bool minus_x, uint32_t y,
                         bool minus_y, int bits) {
    unsigned carry = minus_x || minus_y;
    if (i->carry >= 0) carry = (t->c[i->carry] & FLAG_C) != 0;
    return rule_sum(minus_x ? ~x : x, minus_y ? ~y : y, carry, bits, i->saturated);
}

static struct result multiply_add(struct thread *t, const struct instruction *i) {
    const struct operand *o = i->operands;
    struct type type = i->types[0];
    uint32_t a = read(t, &o[1], type.bits), b = read(t, &o[2], type.bits), c = read(t, &o[3], 32);
    uint32_t p = rule_product(rule_number_of(a, type), rule_number_of(b, type), i->high);
    return add(t, i, p, o[1].negated || o[2].negated, c, o[3].negated, 32);
}

static struct result wide_multiply_add(struct thread *t, const struct instruction *i) {
    const struct operand *o = i->operands;
    uint32_t a = read(t, &o[1], 32), b = read(t, &o[2], 32), c = read(t, &o[3], 32);
    return add(t, i, rule_word_of_product(a, b, i->high), false, c, false, 32);
}

static struct result difference(struct thread *t, const struct instruction *i, struct type type) {
    const struct operand *o = i->operands;
    int64_t a = rule_number_of(read(t, &o[1], type.bits), type), b = rule_number_of(read(t, &o[2], type.bits), type);
    return rule_sum((uint32_t)(a > b ? a - b : b - a), read(t, &o[3], 32), 0, 32, false);
}

/* Absolute value, then sign, then clamp. .BEXT takes the low byte; .SAT clamps to 8 bits. */
static struct result convert(struct thread *t, const struct instruction *i) {
    const struct operand *source = &i->operands[1];
    struct type to = i->types[0], from = i->types[1];
    if (i->low_byte) from.bits = 8;
    if (i->saturated) to.bits = 8;
    int64_t number = rule_number_of(read(t, source, i->types[1].bits), from);
    if (source->absolute && number < 0) number = -number;
    if (source->negated) number = -number;
    return rule_result_of((uint64_t)rule_clamp(number, to), i->types[0].bits, 0);
}

/* False for FSET's relations and RRO's function, which are no values; FADD, FMUL and conversions have fewer than three
 * sources. */
static bool is_value(const struct operand *o) {
    return o->kind != OPERAND_NONE && o->kind != OPERAND_COMPARISON && o->kind != OPERAND_FUNCTION;
}

static struct result compute_float(struct thread *t, const struct instruction *i) {
    const struct operand *o = i->operands;
    uint32_t source[3] = {0, 0, 0};
    for (size_t n = 0; n < 3 && n + 1 < i->operand_count; n++) {
        if (!is_value(&o[n + 1])) continue;
        source[n] = read(t, &o[n + 1], n == 0 ? rule_float_source_bits(i) : 32);
    }
    return rule_float_result(i, source[0], source[1], source[2]);
}

/* The operations that write a register and flags. */
static struct result compute(struct thread *t, const struct instruction *i) {
    const struct operand *o = i->operands;
    struct type type = i->types[0].bits ? i->types[0] : WORD;
    if (rule_is_float(i->operation)) return compute_float(t, i);
    switch (i->operation) {
    case OPERATION_IMAD: return multiply_add(t, i);
    case OPERATION_ISAD: return difference(t, i, type);
    case OPERATION_WMAD: return wide_multiply_add(t, i);
    case OPERATION_I2I: return convert(t, i);
    case OPERATION_MOV: return rule_result_of(read(t, &o[1], type.bits), type.bits, 0);
    default: break;
    }
    uint32_t a = read(t, &o[1], type.bits), b = read(t, &o[2], type.bits);
    int64_t x = rule_number_of(a, type), y = rule_number_of(b, type);
    switch (i->operation) {
    case OPERATION_IADD: return add(t, i, a, o[1].negated, b, o[2].negated, type.bits);
    case OPERATION_IMUL: return rule_result_of(rule_product(x, rule_number_of(b, i->types[1]), i->high), 32, 0);
    case OPERATION_WMUL: return rule_result_of(rule_word_of_product(a, b, i->high), 32, 0);
    case OPERATION_IDIV: return rule_result_of(rule_division(x, y, false), 32, 0);
    case OPERATION_IREM: return rule_result_of(rule_division(x, y, true), 32, 0);
    case OPERATION_IMIN: return rule_result_of(x < y ? a : b, type.bits, 0);
    case OPERATION_IMAX: return rule_result_of(x > y ? a : b, type.bits, 0);
    case OPERATION_ISET: return rule_result_of(o[3].number & rule_relation_of(x, y) ? UINT32_MAX : 0, type.bits, 0);
    case OPERATION_LOP: return rule_result_of(rule_combine(i->logic, a, b), type.bits, 0);
    case OPERATION_SHL: return rule_shift_left(a, b, type.bits);
    case OPERATION_SHR: return rule_shift_right(a, b, type);
    default: t->problem = "an operation without a rule"; return rule_result_of(0, 32, 0);
    }
}

/* ---- memory instructions ---- */

/* The address of the operand; `bytes` is the size of a cell. */
static uint32_t place(struct thread *t, const struct operand *o, unsigned size) {
    switch (o->kind) {
    case OPERAND_GLOBAL: return read_register(t, o->number);
    case OPERAND_LOCAL: return address_of(t, o, 1);
    case OPERAND_SHARED: return address_of(t, o, size);
    default: t->problem = "an operand that is no memory"; return 0;
    }
}

/* The type of a cell: that of the access; of two types (R2G, G2R) the second. */
static struct type cell_type(const struct instruction *i) { return i->types[1].bits ? i->types[1] : i->types[0]; }

/* The register that holds word n of a wide access. */
static struct operand word_of(const struct operand *first, unsigned n) {
    struct operand o = *first;
    o.number += n;
    return o;
}

static void load_cell(struct thread *t, const struct instruction *i) {
    const struct operand *from = &i->operands[1];
    struct type type = cell_type(i);
    unsigned size = (unsigned)type.bits / 8;
    uint32_t address = place(t, from, size);
    if (!cell_at(t, from, address, size)) return;
    if (type.bits > 32) type.bits = 32;
    for (unsigned n = 0; n < (size + 3) / 4; n++) {
        struct operand to = word_of(&i->operands[0], n);
        write_value(t, &to, load(t, from, address + 4 * n, type));
    }
    t->access = (struct access){.bytes = size, .address = address};
}

static void store_cell(struct thread *t, const struct instruction *i) {
    const struct operand *to = &i->operands[0];
    int bits = cell_type(i).bits;
    struct type word = {bits > 32 ? 32 : bits, false};
    uint32_t address = place(t, to, (unsigned)bits / 8);
    uint8_t *cell = cell_at(t, to, address, (unsigned)bits / 8);
    if (!cell) return;
    t->access = (struct access){.bytes = (unsigned)bits / 8, .address = address, .written = cell};
    for (unsigned n = 0; n < ((unsigned)bits + 31) / 32; n++) {
        struct operand from = word_of(&i->operands[1], n);
        t->access.before[n] = load(t, to, address + 4 * n, word);
        store(t, to, address + 4 * n, word.bits, read(t, &from, 32));
        t->access.after[n] = load(t, to, address + 4 * n, word);
    }
}

/* GATOM has a destination before the address, GRED does not. */
static void atomic(struct thread *t, const struct instruction *i) {
    const struct operand *o = i->operands[0].kind == OPERAND_GLOBAL ? i->operands : i->operands + 1;
    uint32_t address = read_register(t, o[0].number);
    uint32_t a = read(t, &o[1], 32), b = o[2].kind == OPERAND_NONE ? 0 : read(t, &o[2], 32);
    uint32_t old = load(t, o, address, WORD);
    if (t->problem) return;
    uint32_t new = rule_atomic_result(i, old, a, b);
    store(t, o, address, 32, new);
    t->access = (struct access){
        .bytes = 4, .address = address, .before = {old}, .after = {new}, .written = cell_at(t, o, address, 4)};
    if (o != i->operands) write_value(t, &i->operands[0], old);
}

/* ---- flow ---- */

static void push(struct thread *t, bool is_call, uint32_t target) {
    if (t->frame_count == MAX_FRAMES)
        t->problem = "too many calls";
    else
        t->frames[t->frame_count++] = (struct frame){is_call, target};
}

/* Leaves to the nearest frame of that kind, dropping those above it. False if there is none. */
static bool leave(struct thread *t, bool is_call) {
    size_t n = t->frame_count;
    while (n > 0 && t->frames[n - 1].is_call != is_call) n--;
    if (n == 0) return false;
    t->frame_count = n - 1;
    t->pc = t->frames[n - 1].target;
    return true;
}

static void flow(struct thread *t, const struct instruction *i) {
    uint32_t target = i->operands[0].number;
    switch (i->operation) {
    case OPERATION_BRA: t->pc = target; break;
    case OPERATION_BRX: t->pc = read(t, &i->operands[0], 32) & 0xfffffc; break;
    case OPERATION_CAL:
        push(t, true, i->next);
        t->pc = target;
        break;
    case OPERATION_PRET: push(t, true, target); break;
    case OPERATION_PBK: push(t, false, target); break;
    case OPERATION_RET: t->ended = !leave(t, true); break;
    case OPERATION_BRK:
        if (!leave(t, false)) t->problem = "BRK without PBK";
        break;
    default: t->problem = "TRAP";
    }
}

/* ---- all of them ---- */

static void act(struct thread *t, const struct instruction *i) {
    const struct operand *o = i->operands;
    switch (i->operation) {
    case OPERATION_R2A:
        write_value(t, &o[0], read(t, &o[1], 32) << (o[2].kind == OPERAND_NONE ? 0 : o[2].number));
        return;
    case OPERATION_ADA: write_value(t, &o[0], read(t, &o[1], 32) + o[2].number); return;
    case OPERATION_A2R:
    case OPERATION_C2R:
    case OPERATION_R2C:
    case OPERATION_S2R: write_value(t, &o[0], read(t, &o[1], 32)); return;
    case OPERATION_LOAD: load_cell(t, i); return;
    case OPERATION_STORE: store_cell(t, i); return;
    case OPERATION_ATOMIC: atomic(t, i); return;
    case OPERATION_BRA:
    case OPERATION_BRX:
    case OPERATION_CAL:
    case OPERATION_PRET:
    case OPERATION_RET:
    case OPERATION_PBK:
    case OPERATION_BRK:
    case OPERATION_TRAP: flow(t, i); return;
    case OPERATION_BAR:
        if (i->waits) t->waits_at = (int)o[0].number;
        return;
    case OPERATION_NOTHING: return;
    default: break;
    }
    struct result result = compute(t, i);
    if (i->lanes >> t->lane % 4 & 1) write_result(t, i, result);
}

const char *calculator_execute(const struct instruction *i, struct thread *t) {
    t->problem = NULL;
    t->faults = 0;
    t->access.bytes = 0;
    t->pc = i->next;
    if (rule_condition_holds(i->condition, t->c[i->guard])) act(t, i);
    if (i->ends) t->ended = true;
    return t->problem;
}
