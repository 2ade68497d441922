/* SPDX-License-Identifier: Apache-2.0 */
/* Constant expressions with the operators of C, see reader.h. Integers have 64 bits, and are unsigned if an operand
 * is. Floats have +, -, * and /. */
#include <string.h>

#include "reader.h"

enum { DEEPEST = 100 };

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
    unsigned strength;
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

double ptx_real(struct ptx_constant c) {
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

static struct ptx_constant of_real(double value) {
    struct ptx_constant c = {.is_float = true};
    memcpy(&c.value, &value, sizeof value);
    return c;
}

static struct ptx_constant truth(bool holds) { return (struct ptx_constant){.value = holds}; }

static bool is_true(struct ptx_constant c) { return c.is_float ? ptx_real(c) != 0 : c.value != 0; }

static struct ptx_constant of_reals(struct ptx_lexer *l, enum operation o, double a, double b) {
    switch (o) {
    case ADD: return of_real(a + b);
    case SUB: return of_real(a - b);
    case MUL: return of_real(a * b);
    case DIV: return of_real(a / b);
    case EQ: return truth(a == b);
    case NE: return truth(a != b);
    case LT: return truth(a < b);
    case LE: return truth(a <= b);
    case GT: return truth(a > b);
    case GE: return truth(a >= b);
    default: ptx_fail(l, "this operator does not take floats");
    }
}

static uint64_t divided(struct ptx_lexer *l, enum operation o, uint64_t a, uint64_t b, bool is_unsigned) {
    if (b == 0) ptx_fail(l, "division by zero in a constant expression");
    if (is_unsigned) return o == DIV ? a / b : a % b;
    if (b == UINT64_MAX) return o == DIV ? 0 - a : 0; /* INT64_MIN / -1 overflows */
    return (uint64_t)(o == DIV ? (int64_t)a / (int64_t)b : (int64_t)a % (int64_t)b);
}

static uint64_t shifted(enum operation o, struct ptx_constant a, uint64_t n) {
    if (o == SHL) return n < 64 ? a.value << n : 0;
    const bool fills = !a.is_unsigned && a.value >> 63 != 0;
    const uint64_t rest = fills ? UINT64_MAX : 0;
    return n == 0 ? a.value : n < 64 ? a.value >> n | rest << (64 - n) : rest;
}

static bool is_less(struct ptx_constant a, struct ptx_constant b, bool is_unsigned) {
    return is_unsigned ? a.value < b.value : (int64_t)a.value < (int64_t)b.value;
}

static struct ptx_constant of_integers(struct ptx_lexer *l, enum operation o, struct ptx_constant a,
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
    case REM: c.value = divided(l, o, a.value, b.value, c.is_unsigned); break;
    case SHL:
    case SHR: return (struct ptx_constant){.value = shifted(o, a, b.value), .is_unsigned = a.is_unsigned};
    case EQ: return truth(a.value == b.value);
    case NE: return truth(a.value != b.value);
    case LT: return truth(is_less(a, b, c.is_unsigned));
    case LE: return truth(!is_less(b, a, c.is_unsigned));
    case GT: return truth(is_less(b, a, c.is_unsigned));
    default: return truth(!is_less(a, b, c.is_unsigned));
    }
    return c;
}

static struct ptx_constant combined(struct ptx_lexer *l, enum operation o, struct ptx_constant a,
                                    struct ptx_constant b) {
    if (o == OR_ELSE) return truth(is_true(a) || is_true(b));
    if (o == AND_ALSO) return truth(is_true(a) && is_true(b));
    return a.is_float || b.is_float ? of_reals(l, o, ptx_real(a), ptx_real(b)) : of_integers(l, o, a, b);
}

static struct ptx_constant expression(struct ptx_lexer *l, unsigned least, unsigned depth);

static struct ptx_constant unary(struct ptx_lexer *l, unsigned depth);

/* (a), (.u64) a */
static struct ptx_constant in_parentheses(struct ptx_lexer *l, unsigned depth) {
    const bool to_signed = ptx_take(l, ".s64"), to_unsigned = !to_signed && ptx_take(l, ".u64");
    struct ptx_constant c = {0};
    if (!to_signed && !to_unsigned) c = expression(l, 0, depth + 1);
    ptx_expect(l, ")");
    if (!to_signed && !to_unsigned) return c;
    c = unary(l, depth + 1);
    if (c.is_float) ptx_fail(l, "expected an integer");
    c.is_unsigned = to_unsigned;
    return c;
}

static struct ptx_constant unary(struct ptx_lexer *l, unsigned depth) {
    if (depth > DEEPEST) ptx_fail(l, "expression nests too deep");
    if (ptx_take(l, "(")) return in_parentheses(l, depth);
    if (ptx_take(l, "!")) return truth(!is_true(unary(l, depth + 1)));
    if (ptx_take(l, "~")) {
        struct ptx_constant c = unary(l, depth + 1);
        if (c.is_float) ptx_fail(l, "expected an integer");
        c.value = ~c.value;
        return c;
    }
    const bool minus = ptx_is(l, "-");
    if (!minus && !ptx_is(l, "+")) return ptx_number(l);
    ptx_next(l);
    struct ptx_constant c = unary(l, depth + 1);
    if (!minus) return c;
    if (c.is_float)
        c.value ^= c.single ? UINT64_C(0x80000000) : UINT64_C(1) << 63;
    else
        c.value = 0 - c.value;
    return c;
}

/* Returns the binary operator at the current token, and takes it; NO_OPERATION if none is there or it binds less
 * than `least`. */
static enum operation take_operation(struct ptx_lexer *l, unsigned least, unsigned *strength) {
    if (l->token.kind != PTX_PUNCTUATION) return NO_OPERATION;
    const char first = *l->token.text, second = l->at < l->end && l->at == l->token.text + 1 ? *l->at : '\0';
    for (unsigned i = 0; i < sizeof OPERATIONS / sizeof *OPERATIONS; i++) {
        const char *signs = OPERATIONS[i].signs;
        if (signs[0] != first || (signs[1] != '\0' && signs[1] != second)) continue;
        if (OPERATIONS[i].strength < least) return NO_OPERATION;
        ptx_next(l);
        if (signs[1] != '\0') ptx_next(l);
        *strength = OPERATIONS[i].strength;
        return OPERATIONS[i].operation;
    }
    return NO_OPERATION;
}

/* What follows the first operand. */
static struct ptx_constant rest(struct ptx_lexer *l, struct ptx_constant a, unsigned least, unsigned depth) {
    unsigned strength;
    enum operation o;
    while ((o = take_operation(l, least > 0 ? least : 1, &strength)) != NO_OPERATION)
        a = combined(l, o, a, expression(l, strength + 1, depth + 1));
    if (least > 0 || !ptx_take(l, "?")) return a;
    const struct ptx_constant b = expression(l, 0, depth + 1);
    ptx_expect(l, ":");
    const struct ptx_constant c = expression(l, 0, depth + 1);
    return is_true(a) ? b : c;
}

static struct ptx_constant expression(struct ptx_lexer *l, unsigned least, unsigned depth) {
    return rest(l, unary(l, depth), least, depth);
}

struct ptx_constant ptx_read_constant(struct ptx_lexer *l) {
    return expression(l, 0, 0);
}

struct ptx_constant ptx_read_constant_after_not(struct ptx_lexer *l) {
    return rest(l, truth(!is_true(unary(l, 1))), 0, 0);
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
