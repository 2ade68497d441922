/* SPDX-License-Identifier: Apache-2.0 */
/* Constant expressions with the operators of C, see reader.h. Integers have 64 bits, and are unsigned if an operand
 * is. Floats have +, -, * and /. */
#include <string.h>

#include "reader.h"

enum { DEEPEST_EXPRESSION = 100 };

enum operation {
    NO_OPERATION,
    OR_ELSE,
    AND_ALSO,
    OR,
    XOR,
    AND,
    EQ,
    NE,
    LT,
    LE,
    GT,
    GE,
    SHL,
    SHR,
    ADD,
    SUB,
    MUL,
    DIV,
    REM
};

static const struct {
    const char *signs;
    unsigned precedence;
    enum operation operation;
} OPERATIONS[] = {
    {"||", 1,  OR_ELSE },
    {"&&", 2,  AND_ALSO},
    {"==", 6,  EQ      },
    {"!=", 6,  NE      },
    {"<<", 8,  SHL     },
    {">>", 8,  SHR     },
    {"<=", 7,  LE      },
    {">=", 7,  GE      },
    {"|",  3,  OR      },
    {"^",  4,  XOR     },
    {"&",  5,  AND     },
    {"<",  7,  LT      },
    {">",  7,  GT      },
    {"+",  9,  ADD     },
    {"-",  9,  SUB     },
    {"*",  10, MUL     },
    {"/",  10, DIV     },
    {"%",  10, REM     },
};

double ptx_constant_real(struct ptx_constant c) {
    double value;
    if (!c.is_float) return c.is_unsigned ? (double)c.value : (double)(int64_t)c.value;
    if (c.single) {
        const uint32_t bits = (uint32_t)c.value;
        float narrow;
        memcpy(&narrow, &bits, sizeof narrow);
        return (double)narrow;
    }
    memcpy(&value, &c.value, sizeof value);
    return value;
}

static struct ptx_constant constant_of_real(double value) {
    struct ptx_constant c = {.is_float = true};
    memcpy(&c.value, &value, sizeof value);
    return c;
}

static struct ptx_constant constant_of_bool(bool holds) { return (struct ptx_constant){.value = holds}; }

static bool is_true(struct ptx_constant c) { return c.is_float ? ptx_constant_real(c) != 0 : c.value != 0; }

static struct ptx_constant apply_to_reals(struct ptx_lexer *l, enum operation o, double a, double b) {
    switch (o) {
    case ADD: return constant_of_real(a + b);
    case SUB: return constant_of_real(a - b);
    case MUL: return constant_of_real(a * b);
    case DIV: return constant_of_real(a / b);
    case EQ: return constant_of_bool(a == b);
    case NE: return constant_of_bool(a != b);
    case LT: return constant_of_bool(a < b);
    case LE: return constant_of_bool(a <= b);
    case GT: return constant_of_bool(a > b);
    case GE: return constant_of_bool(a >= b);
    default: ptx_fail(l, "this operator does not take floats");
    }
}

static uint64_t divide(struct ptx_lexer *l, enum operation o, uint64_t a, uint64_t b, bool is_unsigned) {
    if (b == 0) ptx_fail(l, "division by zero in a constant expression");
    if (is_unsigned) return o == DIV ? a / b : a % b;
    if (b == UINT64_MAX) return o == DIV ? 0 - a : 0; /* INT64_MIN / -1 overflows */
    return (uint64_t)(o == DIV ? (int64_t)a / (int64_t)b : (int64_t)a % (int64_t)b);
}

static uint64_t shift(enum operation o, struct ptx_constant a, uint64_t n) {
    if (o == SHL) return n < 64 ? a.value << n : 0;
    const bool fills = !a.is_unsigned && a.value >> 63 != 0;
    const uint64_t rest = fills ? UINT64_MAX : 0;
    return n == 0 ? a.value : n < 64 ? a.value >> n | rest << (64 - n) : rest;
}

static bool is_less(struct ptx_constant a, struct ptx_constant b, bool is_unsigned) {
    return is_unsigned ? a.value < b.value : (int64_t)a.value < (int64_t)b.value;
}

static struct ptx_constant apply_to_integers(struct ptx_lexer *l, enum operation o, struct ptx_constant a,
                                             struct ptx_constant b) {
    struct ptx_constant c = {.is_unsigned = a.is_unsigned || b.is_unsigned};
    switch (o) {
    case OR: c.value = a.value | b.value; break;
    case XOR: c.value = a.value ^ b.value; break;
    case AND: c.value = a.value & b.value; break;
    case ADD: c.value = a.value + b.value; break;
    case SUB: c.value = a.value - b.value; break;
    case MUL: c.value = a.value * b.value; break;
    case DIV:
    case REM: c.value = divide(l, o, a.value, b.value, c.is_unsigned); break;
    case SHL:
    case SHR: return (struct ptx_constant){.value = shift(o, a, b.value), .is_unsigned = a.is_unsigned};
    case EQ: return constant_of_bool(a.value == b.value);
    case NE: return constant_of_bool(a.value != b.value);
    case LT: return constant_of_bool(is_less(a, b, c.is_unsigned));
    case LE: return constant_of_bool(!is_less(b, a, c.is_unsigned));
    case GT: return constant_of_bool(is_less(b, a, c.is_unsigned));
    default: return constant_of_bool(!is_less(a, b, c.is_unsigned));
    }
    return c;
}

static struct ptx_constant apply_operation(struct ptx_lexer *l, enum operation o, struct ptx_constant a,
                                           struct ptx_constant b) {
    if (o == OR_ELSE) return constant_of_bool(is_true(a) || is_true(b));
    if (o == AND_ALSO) return constant_of_bool(is_true(a) && is_true(b));
    return a.is_float || b.is_float ? apply_to_reals(l, o, ptx_constant_real(a), ptx_constant_real(b))
                                    : apply_to_integers(l, o, a, b);
}

static struct ptx_constant read_expression(struct ptx_lexer *l, unsigned lowest, unsigned depth);

static struct ptx_constant read_unary(struct ptx_lexer *l, unsigned depth);

/* (a), (.u64) a */
static struct ptx_constant read_parenthesised(struct ptx_lexer *l, unsigned depth) {
    const bool to_signed = ptx_accept(l, ".s64"), to_unsigned = !to_signed && ptx_accept(l, ".u64");
    struct ptx_constant c = {0};
    if (!to_signed && !to_unsigned) c = read_expression(l, 0, depth + 1);
    ptx_expect(l, ")");
    if (!to_signed && !to_unsigned) return c;
    c = read_unary(l, depth + 1);
    if (c.is_float) ptx_fail(l, "expected an integer");
    c.is_unsigned = to_unsigned;
    return c;
}

static struct ptx_constant read_unary(struct ptx_lexer *l, unsigned depth) {
    if (depth > DEEPEST_EXPRESSION) ptx_fail(l, "expression nests too deep");
    if (ptx_accept(l, "(")) return read_parenthesised(l, depth);
    if (ptx_accept(l, "!")) return constant_of_bool(!is_true(read_unary(l, depth + 1)));
    if (ptx_accept(l, "~")) {
        struct ptx_constant c = read_unary(l, depth + 1);
        if (c.is_float) ptx_fail(l, "expected an integer");
        c.value = ~c.value;
        return c;
    }
    const bool minus = ptx_is(l, "-");
    if (!minus && !ptx_is(l, "+")) return ptx_read_number(l);
    ptx_next(l);
    struct ptx_constant c = read_unary(l, depth + 1);
    if (!minus) return c;
    if (c.is_float)
        c.value ^= c.single ? UINT64_C(0x80000000) : UINT64_C(1) << 63;
    else
        c.value = 0 - c.value;
    return c;
}

/* Returns the binary operator at the current token, and takes it; NO_OPERATION if none is there or it binds less
 * than `lowest`. */
static enum operation accept_operator(struct ptx_lexer *l, unsigned lowest, unsigned *precedence) {
    if (l->token.kind != PTX_PUNCTUATION) return NO_OPERATION;
    const char first = *l->token.text, second = l->at < l->end && l->at == l->token.text + 1 ? *l->at : '\0';
    for (unsigned i = 0; i < sizeof OPERATIONS / sizeof *OPERATIONS; i++) {
        const char *signs = OPERATIONS[i].signs;
        if (signs[0] != first || (signs[1] != '\0' && signs[1] != second)) continue;
        if (OPERATIONS[i].precedence < lowest) return NO_OPERATION;
        ptx_next(l);
        if (signs[1] != '\0') ptx_next(l);
        *precedence = OPERATIONS[i].precedence;
        return OPERATIONS[i].operation;
    }
    return NO_OPERATION;
}

/* Reads the operators and operands after the first operand. */
static struct ptx_constant read_binary(struct ptx_lexer *l, struct ptx_constant a, unsigned lowest, unsigned depth) {
    unsigned precedence;
    enum operation o;
    while ((o = accept_operator(l, lowest > 0 ? lowest : 1, &precedence)) != NO_OPERATION)
        a = apply_operation(l, o, a, read_expression(l, precedence + 1, depth + 1));
    if (lowest > 0 || !ptx_accept(l, "?")) return a;
    const struct ptx_constant b = read_expression(l, 0, depth + 1);
    ptx_expect(l, ":");
    const struct ptx_constant c = read_expression(l, 0, depth + 1);
    return is_true(a) ? b : c;
}

static struct ptx_constant read_expression(struct ptx_lexer *l, unsigned lowest, unsigned depth) {
    return read_binary(l, read_unary(l, depth), lowest, depth);
}

struct ptx_constant ptx_read_constant(struct ptx_lexer *l) {
    return read_expression(l, 0, 0);
}

struct ptx_constant ptx_read_constant_after_not(struct ptx_lexer *l) {
    return read_binary(l, constant_of_bool(!is_true(read_unary(l, 1))), 0, 0);
}

uint64_t ptx_read_integer(struct ptx_lexer *l) {
    const struct ptx_constant c = ptx_read_constant(l);
    if (c.is_float) ptx_fail(l, "expected an integer");
    return c.value;
}

bool ptx_is_constant(const struct ptx_lexer *l) {
    return l->token.kind == PTX_NUMBER || ptx_is(l, "-") || ptx_is(l, "+") || ptx_is(l, "(") || ptx_is(l, "~") ||
           ptx_is(l, "!");
}
