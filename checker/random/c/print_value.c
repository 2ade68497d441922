/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>

#include "print.h"

static const char *const NAMES[BASES] = {"char", "uchar", "short", "ushort", "int",
                                         "uint", "long",  "ulong", "float",  "double"};

static bool same(struct type a, struct type b) { return a.base == b.base && a.lanes == b.lanes; }

void print_type(const struct printer *w, struct type type) {
    fputs(NAMES[type.base], w->to);
    if (type.lanes > 1) fprintf(w->to, "%u", type.lanes);
}

static void print_cast(const struct printer *w, struct type type) {
    fputc('(', w->to);
    print_type(w, type);
    fputc(')', w->to);
}

void print_constant(const struct printer *w, struct type type, int64_t value) {
    const unsigned bits = base_bits(type.base);
    const uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    if (base_is_float(type.base))
        fprintf(w->to, "%.2f%s", (double)(value % 2048) * 0.25, type.base == F32 ? "f" : "");
    else if (value >= 0 && value < 100)
        print_cast(w, type), fprintf(w->to, "%" PRId64, value);
    else if (value < 0 && value > -100 && base_is_signed(type.base))
        print_cast(w, type), fprintf(w->to, "%" PRId64, value);
    else
        print_cast(w, type), fprintf(w->to, "0x%" PRIx64 "%s", (uint64_t)value & mask, bits == 64 ? "UL" : "U");
}

/* floats: magnitude and resolution; their sum is the number of digits */

struct digits {
    unsigned before, behind;
};

static const struct digits SMALL = {9, 2};

static struct digits digits_of(const struct node *n);

static struct digits of_result(unsigned op, struct digits a, struct digits b) {
    const struct digits sum = {(a.before > b.before ? a.before : b.before) + 1,
                               a.behind > b.behind ? a.behind : b.behind};
    const struct digits product = {a.before + b.before, a.behind + b.behind};
    return op == MUL || op == HALF_MUL ? product : sum;
}

static bool fits(struct digits d) { return d.before + d.behind <= SIGNIFICANT; }

static struct digits digits_of(const struct node *n) {
    struct digits d = SMALL;
    if (n->type.base != F32) return d;
    if (n->kind == E_UNARY) d = digits_of(n->child[0]);
    if (n->kind == E_CHOICE) d = of_result(ADD, digits_of(n->child[1]), digits_of(n->child[2]));
    if (n->kind == E_BUILTIN) d = of_result(ADD, digits_of(n->child[0]), digits_of(n->child[1]));
    if (n->kind == E_BINARY) d = of_result(n->op, digits_of(n->child[0]), digits_of(n->child[1]));
    if (n->kind == E_BINARY && !fits(d)) d = of_result(n->op, SMALL, SMALL);
    return d;
}

void print_kept(const struct printer *w, const struct node *n, struct type type) {
    const struct digits d = digits_of(n);
    const bool fine = type.base != F32 || n->type.base != F32 || (d.before <= SMALL.before && d.behind <= SMALL.behind);
    if (!fine) fputs("small", w->to);
    if (!fine) fputc('(', w->to);
    print_as(w, n, type);
    if (!fine) fputc(')', w->to);
}

/* An operand of float arithmetic whose result must have room. */
static void print_operand(const struct printer *w, const struct node *n, struct type type, bool keep) {
    if (keep)
        print_kept(w, n, type);
    else
        print_as(w, n, type);
}

/* ---- conversions ---- */

static void print_from(const struct printer *w, const char *before, const struct node *n, const char *after) {
    fputs(before, w->to);
    print_value(w, n);
    fputs(after, w->to);
}

static void print_to_integer(const struct printer *w, const struct node *n, struct type type) {
    print_cast(w, type);
    if (n->type.base == F64)
        print_from(w, "whole(", n, ")");
    else if (n->type.base == F32)
        print_from(w, "(int)(", n, ")");
    else
        print_from(w, "(", n, ")");
}

static void print_to_float(const struct printer *w, const struct node *n, struct type type) {
    if (type.base == F64)
        print_from(w, "(double)(", n, ")");
    else if (n->type.base == F64)
        print_from(w, "(float)(whole(", n, ") & 511)");
    else
        print_from(w, "((float)((int)(", n, ") & 1023) - 512.0f)");
}

void print_as(const struct printer *w, const struct node *n, struct type type) {
    if (same(n->type, type)) {
        print_value(w, n);
    } else if (type.lanes > 1) {
        print_from(w, "__builtin_convertvector(", n, ", ");
        print_type(w, type);
        fputc(')', w->to);
    } else if (base_is_float(type.base)) {
        print_to_float(w, n, type);
    } else {
        fputc('(', w->to);
        print_to_integer(w, n, type);
        fputc(')', w->to);
    }
}

void print_index(const struct printer *w, const struct node *n, unsigned length) {
    fputc('[', w->to);
    if (n->kind == E_CONST) {
        fprintf(w->to, "%u", (unsigned)n->value & (length - 1));
    } else {
        print_as(w, n, type_of(base_is_float(n->type.base) ? I32 : n->type.base));
        fprintf(w->to, " & %u", length - 1);
    }
    fputc(']', w->to);
}

/* ---- operations ---- */

static void print_pair(const struct printer *w, struct type result, const struct node *n, struct type by,
                       const char *op) {
    const struct digits d = of_result(n->op, digits_of(n->child[0]), digits_of(n->child[1]));
    const bool keep = by.base == F32 && n->kind == E_BINARY && !fits(d);
    if (!base_is_float(result.base) && result.lanes == 1) print_cast(w, result);
    fputc('(', w->to);
    print_operand(w, n->child[0], by, keep);
    fprintf(w->to, " %s ", op);
    print_operand(w, n->child[1], by, keep);
    fputc(')', w->to);
}

static bool is_narrow(struct type t) { return t.lanes == 1 && base_bits(t.base) < 32; }

/* Sums and products: in the unsigned type if the signed one could overflow. */
static void print_sum(const struct printer *w, const struct node *n, const char *op, bool is_product) {
    const struct type t = n->type;
    struct type by = t;
    if (is_narrow(t) && is_product && t.base == U16) by.base = U32;
    if (!is_narrow(t)) by.base = base_unsigned(t.base);
    if (t.lanes > 1 && by.base != t.base) {
        fputs("__builtin_astype(", w->to);
        print_pair(w, by, n, by, op);
        fputs(", ", w->to);
        print_type(w, t);
        fputc(')', w->to);
        return;
    }
    fputc('(', w->to);
    print_pair(w, t, n, by, op);
    fputc(')', w->to);
}

/* Operands with half as many bits do not overflow. */
static void print_half(const struct printer *w, const struct node *n, const char *op, bool is_product) {
    const struct type t = n->type;
    if (t.lanes > 1 || (t.base != I32 && t.base != I64)) {
        print_sum(w, n, op, is_product);
        return;
    }
    const struct type half = type_of(t.base == I64 ? I32 : I16);
    for (unsigned i = 0; i < 2; i++) {
        fputs(i == 0 ? "(" : op, w->to);
        print_cast(w, t);
        print_as(w, n->child[i], half);
        fputc(i == 0 ? ' ' : ')', w->to);
    }
}

static void print_splat(const struct printer *w, struct type t, uint64_t value) {
    if (t.lanes > 1) print_cast(w, t);
    fprintf(w->to, "(%" PRIu64 ")", value);
}

static void print_shift(const struct printer *w, const struct node *n, const char *op) {
    const struct type t = n->type;
    struct type by = t;
    if (n->op == SHL) by.base = is_narrow(t) ? U32 : base_unsigned(t.base);
    const bool is_bits = t.lanes > 1 && by.base != t.base;
    if (is_bits) fputs("__builtin_astype(", w->to);
    if (t.lanes == 1) print_cast(w, t);
    fputc('(', w->to);
    print_as(w, n->child[0], by);
    fprintf(w->to, " %s (", op);
    print_as(w, n->child[1], t.lanes == 1 ? t : by);
    fputs(" & ", w->to);
    print_splat(w, by, base_bits(t.base) - 1);
    fputs("))", w->to);
    if (is_bits) fputs(", ", w->to), print_type(w, t), fputc(')', w->to);
}

static bool divides(const struct node *n, struct type t) {
    const uint64_t all = base_bits(t.base) == 64 ? UINT64_MAX : (UINT64_C(1) << base_bits(t.base)) - 1;
    const uint64_t bits = (uint64_t)n->value & all;
    return n->kind == E_CONST && !base_is_float(n->type.base) && n->type.lanes == 1 && t.lanes == 1 && bits != 0 &&
           (bits != all || !base_is_signed(t.base)) && base_bits(n->type.base) == base_bits(t.base);
}

/* By an odd number; a signed dividend is not the least number. */
static void print_division(const struct printer *w, const struct node *n, const char *op) {
    const struct type t = n->type;
    const bool by_constant = divides(n->child[1], t);
    const bool halve = base_is_signed(t.base) && !by_constant;
    if (t.lanes == 1) print_cast(w, t);
    fputs(halve ? "((" : "(", w->to);
    print_as(w, n->child[0], t);
    if (halve) fputs(" >> ", w->to), print_splat(w, t, 1), fputc(')', w->to);
    fprintf(w->to, " %s ", op);
    if (!by_constant) fputc('(', w->to);
    if (!by_constant && t.lanes == 1) print_cast(w, t), fputc('(', w->to);
    print_as(w, n->child[1], t);
    if (!by_constant) fputs(" | ", w->to), print_splat(w, t, 1), fputc(')', w->to);
    if (!by_constant && t.lanes == 1) fputc(')', w->to);
    fputc(')', w->to);
}

static void print_binary(const struct printer *w, const struct node *n) {
    static const char *const OPS[BINARIES] = {"+", "-", "*", "&", "|", "^", "<<", ">>", "/", "%", "+", "-", "*"};
    const struct type t = n->type;
    const char *op = OPS[n->op];
    if (base_is_float(t.base)) {
        static const char *const FLOATS[] = {"+", "-", "*"};
        print_pair(w, t, n, t, t.base == F64 && n->op == DIV ? "/" : FLOATS[n->op % 3]);
        return;
    }
    switch (n->op) {
    case ADD:
    case SUB: print_sum(w, n, op, false); break;
    case MUL: print_sum(w, n, op, true); break;
    case HALF_ADD:
    case HALF_SUB: print_half(w, n, op, false); break;
    case HALF_MUL: print_half(w, n, op, true); break;
    case SHL:
    case SHR: print_shift(w, n, op); break;
    case DIV:
    case REM: print_division(w, n, op); break;
    default: print_pair(w, t, n, t, op); break;
    }
}

static void print_unary(const struct printer *w, const struct node *n) {
    const struct type t = n->type;
    const bool is_float = base_is_float(t.base);
    if (is_float) {
        fputs(n->op == ABSOLUTE ? "fabs(" : n->op == NEGATE ? "(-" : "(", w->to);
        print_as(w, n->child[0], t);
        fputc(')', w->to);
        return;
    }
    struct type by = t;
    if (n->op == NEGATE) by.base = base_unsigned(t.base);
    const bool is_bits = t.lanes > 1 && by.base != t.base;
    if (is_bits) fputs("__builtin_astype(", w->to);
    if (t.lanes == 1) print_cast(w, t);
    fputs(n->op == NEGATE ? "(-" : n->op == NOT && t.lanes == 1 ? "(!" : "(~", w->to);
    print_as(w, n->child[0], by);
    fputc(')', w->to);
    if (is_bits) fputs(", ", w->to), print_type(w, t), fputc(')', w->to);
}

static void print_choice(const struct printer *w, const struct node *n) {
    if (n->type.lanes == 1) print_cast(w, n->type);
    fputc('(', w->to);
    print_value(w, n->child[0]);
    fputs(" ? ", w->to);
    print_as(w, n->child[1], n->type);
    fputs(" : ", w->to);
    print_as(w, n->child[2], n->type);
    fputc(')', w->to);
}

static void print_builtin(const struct printer *w, const struct node *n) {
    static const char *const CALLS[BUILTINS] = {"min",    "max",  "abs",   "clz",     "popcount", "rotate",
                                                "mul_hi", "hadd", "rhadd", "add_sat", "sub_sat",  "abs_diff"};
    if (base_is_float(n->type.base))
        fputs(n->op % 2 == 0 ? "fmin" : "fmax", w->to);
    else
        print_cast(w, n->type), fputs(CALLS[n->op], w->to);
    fputc('(', w->to);
    for (unsigned i = 0; i < n->count; i++) {
        if (i > 0) fputs(", ", w->to);
        print_as(w, n->child[i], n->type);
    }
    fputc(')', w->to);
}

/* ---- calls, memory, parts ---- */

static void print_argument(const struct printer *w, const struct node *n, const struct variable *parameter) {
    const struct variable *v = &w->function->variable[n->value];
    if (parameter->shape == SCALAR) {
        print_kept(w, n, parameter->type);
    } else if (parameter->shape == STRUCTURE_POINTER) {
        fprintf(w->to, "%sv%d", v->shape == STRUCTURE && v->length == 1 ? "&" : "", (int)n->value);
    } else {
        const bool is_first = parameter->shape == STRUCTURE && v->shape == STRUCTURE && v->length > 1;
        const bool is_pointed = parameter->shape == STRUCTURE && v->shape == STRUCTURE_POINTER;
        fprintf(w->to, "%sv%d%s", is_pointed ? "*" : "", (int)n->value, is_first ? "[0]" : "");
    }
}

static void print_call(const struct printer *w, const struct node *n) {
    const struct function *f = &w->p->function[n->value];
    fprintf(w->to, "f%d(in", (int)n->value);
    for (unsigned i = 0; i < n->count; i++) {
        fputs(", ", w->to);
        print_argument(w, n->child[i], &f->variable[i]);
    }
    fputc(')', w->to);
}

static void print_field(const struct printer *w, const struct node *n) {
    const struct variable *v = &w->function->variable[n->value];
    const struct structure *s = &w->p->structure[v->structure];
    fprintf(w->to, "v%d", (int)n->value);
    if (v->shape == STRUCTURE && v->length > 1) print_index(w, n->child[0], v->length);
    fprintf(w->to, "%s%c", v->shape == STRUCTURE_POINTER ? "->" : ".", 'a' + (int)n->op);
    if (s->length[n->op] > 1) print_index(w, n->child[1], s->length[n->op]);
}

static unsigned bytes_of(struct type t) { return base_bits(t.base) / 8 * t.lanes; }

static void print_memory(const struct printer *w, const struct node *n) {
    const bool is_input = n->kind == E_INPUT;
    fprintf(w->to, "((__global %s", is_input ? "const " : "");
    print_type(w, n->type);
    fputs(is_input ? " *)in)" : " *)(out + get_global_id(0) * 16))", w->to);
    print_index(w, n->child[0], (is_input ? INPUT_WORDS * 4 : OUTPUT_BYTES) / bytes_of(n->type));
}

static void print_shared(const struct printer *w, const struct node *n) {
    fputs("shared[(uint)", w->to);
    print_as(w, n->child[0], type_of(U32));
    fprintf(w->to, " %% %u]", w->p->threads);
}

static void print_vector(const struct printer *w, const struct node *n) {
    fputc('(', w->to);
    print_cast(w, n->type);
    fputc('(', w->to);
    for (unsigned i = 0; i < n->type.lanes; i++) {
        if (i > 0) fputs(", ", w->to);
        print_as(w, n->child[i], type_of(n->type.base));
    }
    fputs("))", w->to);
}

static void print_lanes(const struct printer *w, const struct node *n) {
    print_value(w, n->child[0]);
    fputs(".s", w->to);
    for (unsigned i = 0; i < n->type.lanes; i++)
        fprintf(w->to, "%u", (unsigned)(n->value >> 3 * i) & (n->child[0]->type.lanes - 1));
}

static void print_bits(const struct printer *w, const struct node *n) {
    const bool is_double = n->child[0]->type.base == F64;
    if (!base_is_float(n->child[0]->type.base)) {
        print_as(w, n->child[0], n->type);
        return;
    }
    fputs(is_double ? "__builtin_astype(number(" : "__builtin_astype((", w->to);
    print_value(w, n->child[0]);
    fputs(is_double ? "), ulong)" : "), uint)", w->to);
}

static void print_relation(const struct printer *w, const struct node *n) {
    static const char *const OPS[COMPARES] = {"<", ">", "<=", ">=", "==", "!="};
    print_pair(w, (struct type){F64, 1}, n, n->child[0]->type, OPS[n->op]);
}

static void print_logic(const struct printer *w, const struct node *n) {
    fputc('(', w->to);
    print_value(w, n->child[0]);
    fputs(n->op == 0 ? " && " : " || ", w->to);
    print_value(w, n->child[1]);
    fputc(')', w->to);
}

void print_value(const struct printer *w, const struct node *n) {
    static const char *const IDS[] = {"get_global_id", "get_local_id", "get_group_id", "get_local_size"};
    switch (n->kind) {
    case E_CONST:
        fputc('(', w->to);
        print_constant(w, n->type, n->value);
        fputc(')', w->to);
        break;
    case E_VARIABLE: fprintf(w->to, "v%d", (int)n->value); break;
    case E_ID: fprintf(w->to, "(uint)%s(0)", IDS[n->op]); break;
    case E_UNARY: print_unary(w, n); break;
    case E_BINARY: print_binary(w, n); break;
    case E_COMPARE: print_relation(w, n); break;
    case E_LOGIC: print_logic(w, n); break;
    case E_CHOICE: print_choice(w, n); break;
    case E_CAST: print_as(w, n->child[0], n->type); break;
    case E_BITS: print_bits(w, n); break;
    case E_ELEMENT:
        fprintf(w->to, "v%d", (int)n->value);
        print_index(w, n->child[0], w->function->variable[n->value].length);
        break;
    case E_TABLE:
        fprintf(w->to, "t%d", (int)n->value);
        print_index(w, n->child[0], TABLE_LENGTH);
        break;
    case E_INPUT:
    case E_OUTPUT: print_memory(w, n); break;
    case E_SHARED: print_shared(w, n); break;
    case E_CALL: print_call(w, n); break;
    case E_VECTOR: print_vector(w, n); break;
    case E_LANE:
    case E_SWIZZLE: print_lanes(w, n); break;
    case E_FIELD: print_field(w, n); break;
    case E_BUILTIN: print_builtin(w, n); break;
    default: fputc('0', w->to); break;
    }
}
