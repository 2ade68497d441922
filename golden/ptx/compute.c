/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions from registers to registers. */
#include "integer.h"
#include "real.h"
#include "thread.h"

static const struct type U32 = {'u', 32};
static const struct type PREDICATE = {'p', 1};

static struct type doubled(struct type type) { return (struct type){type.kind, (uint8_t)(2 * type.bits)}; }

/* The type of source k. */
static struct type source_type(const struct instruction *i, unsigned k) {
    const struct type type = i->types[0];
    switch (i->opcode) {
    case OP_SHL:
    case OP_SHR: return k == 1 ? U32 : type;
    case OP_BFE: return k >= 1 ? U32 : type;
    case OP_BFI: return k >= 2 ? U32 : type;
    case OP_MAD: return k == 2 && has_word(&i->words, W_WIDE) ? doubled(type) : type;
    default: return type;
    }
}

static struct type result_type(const struct instruction *i) {
    switch (i->opcode) {
    case OP_POPC:
    case OP_CLZ:
    case OP_BFIND: return U32;
    case OP_MUL:
    case OP_MAD: return has_word(&i->words, W_WIDE) ? doubled(i->types[0]) : i->types[0];
    default: return i->types[0];
    }
}

static unsigned read_sources(struct thread *t, const struct instruction *i, struct value s[4]) {
    const unsigned count = i->operand_count - 1;
    for (unsigned k = 0; k < count; k++) s[k] = operand_read(t, &i->operands[k + 1], source_type(i, k));
    return count;
}

/* Bit by bit, if the instruction works bit by bit. */
static uint64_t known_bits(const struct instruction *i, const struct value s[4], bool all) {
    const uint64_t both = s[0].known & s[1].known;
    const unsigned n = s[1].bits < 64 ? (unsigned)s[1].bits : 63;
    if (all) return ~(uint64_t)0;
    switch (i->opcode) {
    case OP_AND: return both | (s[0].known & ~s[0].bits) | (s[1].known & ~s[1].bits);
    case OP_OR: return both | (s[0].known & s[0].bits) | (s[1].known & s[1].bits);
    case OP_XOR: return both;
    case OP_NOT: return s[0].known;
    case OP_SHL: return is_known(s[1], U32) ? (s[0].known << n) | (((uint64_t)1 << n) - 1) : 0;
    case OP_SHR: return is_known(s[1], U32) && i->types[0].kind != 's' ? s[0].known >> n : 0;
    default: return 0;
    }
}

static uint64_t sign_bit(struct type type) { return (uint64_t)1 << (type.bits - 1); }

/* One type, and all operands but the first are sources. That of copysign has the sign of a NaN, which may be open. */
static void plain(struct thread *t, const struct instruction *i) {
    struct value s[4] = {
        {0, 0}
    };
    const unsigned count = read_sources(t, i, s);
    const uint64_t bits[4] = {s[0].bits, s[1].bits, s[2].bits, s[3].bits};
    bool all = true;
    for (unsigned k = 0; k < count; k++) all = all && is_known(s[k], source_type(i, k));
    struct value result = {0, 0};
    if (i->types[0].kind == 'f') {
        result = real_result(i, bits, t->machine->module->target);
        if (!all) result.known = 0;
        if (i->opcode == OP_COPYSIGN) result.known &= s[0].known | ~sign_bit(i->types[0]);
    } else {
        bool defined = true;
        result.bits = integer_result(i, bits, &defined);
        result.known = defined ? known_bits(i, s, all) : 0;
    }
    if (i->types[0].kind == 'f' && t->machine->approximate_line == 0 && real_is_approximate(i))
        t->machine->approximate_line = i->place.line;
    operand_write(t, &i->operands[0], result_type(i), result);
}

/* add.cc, addc, sub.cc, subc, mad.lo.cc, madc: a final c adds the carry. */
static void with_carry(struct thread *t, const struct instruction *i) {
    struct value s[4] = {
        {0, 0}
    };
    const struct type type = i->types[0];
    const unsigned count = read_sources(t, i, s);
    const bool takes = i->opcode == OP_ADDC || i->opcode == OP_SUBC || i->opcode == OP_MADC;
    const bool subtract = i->opcode == OP_SUB || i->opcode == OP_SUBC;
    bool known = !takes || t->carry.known != 0;
    bool carry = takes && t->carry.bits != 0;
    for (unsigned k = 0; k < count; k++) known = known && is_known(s[k], type);
    uint64_t a = s[0].bits;
    if (count == 3) {
        struct instruction product = *i;
        const uint64_t bits[4] = {s[0].bits, s[1].bits};
        bool defined;
        product.opcode = OP_MUL;
        a = integer_result(&product, bits, &defined);
    }
    const uint64_t sum = integer_add_carry(a, s[count - 1].bits, subtract, type.bits, &carry);
    if (has_word(&i->words, W_CC)) t->carry = (struct value){carry, known ? 1 : 0};
    operand_write(t, &i->operands[0], type, (struct value){sum, known ? ~(uint64_t)0 : 0});
}

/* ------------------------------------------------------------------------------------- compare and select */

static struct value compared(struct thread *t, const struct instruction *i, struct type type) {
    const struct value a = operand_read(t, &i->operands[1], type);
    const struct value b = operand_read(t, &i->operands[2], type);
    const bool real = type.kind == 'f';
    const bool holds = real ? real_compare(i->comparison, a.bits, b.bits, type.bits, real_flushes(i, type))
                            : integer_compare(i->comparison, a.bits, b.bits, type);
    return (struct value){holds, is_known(a, type) && is_known(b, type) ? 1 : 0};
}

static struct value combined(enum word combination, struct value a, struct value b) {
    struct value v = {a.bits ^ b.bits, a.known & b.known};
    if (combination == W_AND) {
        v.bits = a.bits & b.bits;
        v.known |= (a.known & ~a.bits) | (b.known & ~b.bits);
    } else if (combination == W_OR) {
        v.bits = a.bits | b.bits;
        v.known |= (a.known & a.bits) | (b.known & b.bits);
    }
    return v;
}

/* setp.CmpOp.BoolOp p|q, a, b, c: q gets the opposite comparison. */
static void set_predicate(struct thread *t, const struct instruction *i) {
    const struct operand *o = &i->operands[0];
    struct value p = compared(t, i, i->types[0]);
    struct value q = {!p.bits, p.known};
    if (i->combination != NO_WORD) {
        const struct value c = operand_read(t, &i->operands[3], PREDICATE);
        p = combined(i->combination, p, c);
        q = combined(i->combination, q, c);
    }
    operand_write(t, o, PREDICATE, p);
    if (o->count == 1) operand_write(t, &o->list[0], PREDICATE, q);
}

static void set(struct thread *t, const struct instruction *i) {
    const struct type type = i->types[0];
    struct value p = compared(t, i, i->types[1]);
    if (i->combination != NO_WORD) p = combined(i->combination, p, operand_read(t, &i->operands[3], PREDICATE));
    const uint64_t one = type.kind == 'f' ? 0x3f800000 : 0xffffffff;
    operand_write(t, &i->operands[0], type, (struct value){p.bits != 0 ? one : 0, p.known != 0 ? ~(uint64_t)0 : 0});
}

static void select_one(struct thread *t, const struct instruction *i) {
    const struct type type = i->types[0];
    const struct type by = i->opcode == OP_SELP ? PREDICATE : i->types[1];
    const struct value a = operand_read(t, &i->operands[1], type);
    const struct value b = operand_read(t, &i->operands[2], type);
    const struct value c = operand_read(t, &i->operands[3], by);
    bool first = c.bits != 0;
    if (i->opcode == OP_SLCT)
        first = by.kind == 'f' ? real_selects_first(c.bits, real_flushes(i, by)) : sign_extended(c.bits, 32) >= 0;
    struct value v = first ? a : b;
    if (!is_known(c, by)) v.known &= a.known & b.known & ~(a.bits ^ b.bits);
    operand_write(t, &i->operands[0], type, v);
}

static void test(struct thread *t, const struct instruction *i) {
    const struct value a = operand_read(t, &i->operands[1], i->types[0]);
    const uint64_t known = is_known(a, i->types[0]) ? 1 : 0;
    operand_write(t, &i->operands[0], PREDICATE, (struct value){real_test(i, a.bits), known});
}

/* ------------------------------------------------------------------------------------------------ move and convert */

static void move(struct thread *t, const struct instruction *i) {
    const struct operand *to = &i->operands[0];
    const struct operand *from = &i->operands[1];
    if (i->vector == 1) {
        operand_write(t, to, i->types[0], operand_read(t, from, i->types[0]));
        return;
    }
    if (to->kind != VECTOR || from->kind != VECTOR || to->count != i->vector || from->count != i->vector)
        thread_fail(t, NOT_DEFINED, "expected vectors of %u", i->vector);
    struct value v[4];
    for (unsigned k = 0; k < i->vector; k++) v[k] = operand_read(t, &from->list[k], i->types[0]);
    for (unsigned k = 0; k < i->vector; k++) operand_write(t, &to->list[k], i->types[0], v[k]);
}

static void convert_integer(struct thread *t, const struct instruction *i, struct value v) {
    const struct type to = i->types[0];
    const struct type from = i->types[1];
    if (has_word(&i->words, W_SAT)) {
        v.known = is_known(v, from) ? ~(uint64_t)0 : 0;
        v.bits = integer_clamped(v.bits, from, to);
    } else if (from.kind == 's' && from.bits < to.bits) {
        const bool sign_known = (v.known >> (from.bits - 1) & 1) != 0;
        v.bits = (uint64_t)sign_extended(v.bits, from.bits);
        v.known |= sign_known ? ~low_bits(~(uint64_t)0, from.bits) : 0;
    } else {
        v.known |= ~low_bits(~(uint64_t)0, from.bits);
    }
    operand_write(t, &i->operands[0], to, v);
}

static void convert(struct thread *t, const struct instruction *i) {
    const struct type from = i->types[1];
    if (i->type_count != 2) thread_fail(t, NOT_DEFINED, "expected two types");
    const struct value v = operand_read(t, &i->operands[1], from);
    if (i->types[0].kind != 'f' && from.kind != 'f') {
        convert_integer(t, i, v);
        return;
    }
    struct value result = real_convert(i, v.bits);
    if (!is_known(v, from)) result.known = 0;
    operand_write(t, &i->operands[0], i->types[0], result);
}

/* cvta.space makes a generic address, cvta.to.space takes one. */
static void convert_address(struct thread *t, const struct instruction *i) {
    const struct type type = i->types[0];
    struct value v = operand_read(t, &i->operands[1], type);
    const uint64_t base = space_base(t, i->space);
    v.bits = low_bits(has_word(&i->words, W_TO) ? v.bits - base : v.bits + base, type.bits);
    operand_write(t, &i->operands[0], type, v);
}

static void test_space(struct thread *t, const struct instruction *i) {
    const struct type type = {'b', (uint8_t)t->machine->module->address_bits};
    const struct value v = operand_read(t, &i->operands[1], type);
    const uint64_t known = is_known(v, type) ? 1 : 0;
    operand_write(t, &i->operands[0], PREDICATE, (struct value){generic_space(v.bits) == i->space, known});
}

/* ---------------------------------------------------------------------------------------------------------- shape */

/* The numbers of operands and of types. */
static unsigned operands_of(enum opcode opcode) {
    switch (opcode) {
    case OP_ABS:
    case OP_NEG:
    case OP_NOT:
    case OP_CNOT:
    case OP_POPC:
    case OP_CLZ:
    case OP_BREV:
    case OP_BFIND:
    case OP_RCP:
    case OP_SQRT:
    case OP_RSQRT:
    case OP_SIN:
    case OP_COS:
    case OP_LG2:
    case OP_EX2:
    case OP_MOV:
    case OP_CVT:
    case OP_CVTA:
    case OP_ISSPACEP:
    case OP_TESTP: return 2;
    case OP_FMA:
    case OP_MAD:
    case OP_MADC:
    case OP_MAD24:
    case OP_SAD:
    case OP_BFE:
    case OP_PRMT:
    case OP_SELP:
    case OP_SLCT:
    case OP_SHF: return 4;
    case OP_BFI: return 5;
    default: return 3;
    }
}

static void check_shape(struct thread *t, const struct instruction *i) {
    unsigned wanted = operands_of(i->opcode);
    const bool two_types = i->opcode == OP_SET || i->opcode == OP_SLCT || i->opcode == OP_CVT;
    if ((i->opcode == OP_SET || i->opcode == OP_SETP) && i->combination != NO_WORD) wanted++;
    if (i->operand_count != wanted) thread_fail(t, NOT_DEFINED, "expected %u operands", wanted);
    if (i->opcode == OP_ISSPACEP) return;
    if (i->type_count != (two_types ? 2u : 1u))
        thread_fail(t, NOT_DEFINED, "expected %s", two_types ? "two types" : "a type");
    if ((i->opcode == OP_SET || i->opcode == OP_SETP) && i->comparison == NO_WORD)
        thread_fail(t, NOT_DEFINED, "expected a comparison");
}

void execute_computation(struct thread *t, const struct instruction *i) {
    check_shape(t, i);
    switch (i->opcode) {
    case OP_SETP: set_predicate(t, i); break;
    case OP_SET: set(t, i); break;
    case OP_SELP:
    case OP_SLCT: select_one(t, i); break;
    case OP_TESTP: test(t, i); break;
    case OP_MOV: move(t, i); break;
    case OP_CVT: convert(t, i); break;
    case OP_CVTA: convert_address(t, i); break;
    case OP_ISSPACEP: test_space(t, i); break;
    case OP_ADDC:
    case OP_SUBC:
    case OP_MADC: with_carry(t, i); break;
    default:
        if (has_word(&i->words, W_CC))
            with_carry(t, i);
        else
            plain(t, i);
    }
}
