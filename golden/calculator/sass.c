/* SPDX-License-Identifier: Apache-2.0 */
#include "sass.h"

#include <ctype.h>
#include <string.h>

static const struct mnemonic {
    const char *name;
    enum operation operation;
    unsigned size;
} MNEMONICS[] = {
    {"IADD",    OPERATION_IADD,    8},
    {"IADD32",  OPERATION_IADD,    4},
    {"IADD32I", OPERATION_IADD,    8},
    {"IMUL",    OPERATION_IMUL,    8},
    {"IMUL32",  OPERATION_IMUL,    4},
    {"IMUL32I", OPERATION_IMUL,    8},
    {"IMAD",    OPERATION_IMAD,    8},
    {"IMAD32",  OPERATION_IMAD,    4},
    {"IMAD32I", OPERATION_IMAD,    8},
    {"ISAD",    OPERATION_ISAD,    8},
    {"ISAD32",  OPERATION_ISAD,    4},
    {"WMUL",    OPERATION_WMUL,    8},
    {"WMAD",    OPERATION_WMAD,    8},
    {"IDIV",    OPERATION_IDIV,    8},
    {"IREM",    OPERATION_IREM,    8},
    {"IMIN",    OPERATION_IMIN,    8},
    {"IMAX",    OPERATION_IMAX,    8},
    {"ISET",    OPERATION_ISET,    8},
    {"SHL",     OPERATION_SHL,     8},
    {"SHR",     OPERATION_SHR,     8},
    {"LOP",     OPERATION_LOP,     8},
    {"LOP32I",  OPERATION_LOP,     8},
    {"I2I",     OPERATION_I2I,     8},
    {"FADD",    OPERATION_FADD,    8},
    {"FADD32",  OPERATION_FADD,    4},
    {"FADD32I", OPERATION_FADD,    8},
    {"FMUL",    OPERATION_FMUL,    8},
    {"FMUL32",  OPERATION_FMUL,    4},
    {"FMUL32I", OPERATION_FMUL,    8},
    {"FMAD",    OPERATION_FMAD,    8},
    {"FMAD32",  OPERATION_FMAD,    4},
    {"FMAD32I", OPERATION_FMAD,    8},
    {"FSET",    OPERATION_FSET,    8},
    {"FMAX",    OPERATION_FMAX,    8},
    {"FMIN",    OPERATION_FMIN,    8},
    {"FCMP",    OPERATION_FCMP,    8},
    {"I2F",     OPERATION_I2F,     8},
    {"F2I",     OPERATION_F2I,     8},
    {"F2F",     OPERATION_F2F,     8},
    {"RRO",     OPERATION_RRO,     8},
    {"RCP",     OPERATION_RCP,     8},
    {"RCP32",   OPERATION_RCP,     4},
    {"RSQ",     OPERATION_RSQ,     8},
    {"LG2",     OPERATION_LG2,     8},
    {"SIN",     OPERATION_SIN,     8},
    {"COS",     OPERATION_COS,     8},
    {"EX2",     OPERATION_EX2,     8},
    {"MOV",     OPERATION_MOV,     8},
    {"MOV32",   OPERATION_MOV,     4},
    {"MVI",     OPERATION_MOV,     8},
    {"MVC",     OPERATION_MOV,     8},
    {"R2A",     OPERATION_R2A,     8},
    {"A2R",     OPERATION_A2R,     8},
    {"ADA",     OPERATION_ADA,     8},
    {"C2R",     OPERATION_C2R,     8},
    {"R2C",     OPERATION_R2C,     8},
    {"S2R",     OPERATION_S2R,     8},
    {"GLD",     OPERATION_LOAD,    8},
    {"LLD",     OPERATION_LOAD,    8},
    {"G2R",     OPERATION_LOAD,    8},
    {"GST",     OPERATION_STORE,   8},
    {"LST",     OPERATION_STORE,   8},
    {"R2G",     OPERATION_STORE,   8},
    {"GRED",    OPERATION_ATOMIC,  8},
    {"GATOM",   OPERATION_ATOMIC,  8},
    {"BRA",     OPERATION_BRA,     8},
    {"BRX",     OPERATION_BRX,     8},
    {"CAL",     OPERATION_CAL,     8},
    {"PRET",    OPERATION_PRET,    8},
    {"RET",     OPERATION_RET,     8},
    {"PBK",     OPERATION_PBK,     8},
    {"BRK",     OPERATION_BRK,     8},
    {"BAR",     OPERATION_BAR,     8},
    {"TRAP",    OPERATION_TRAP,    8},
    {"NOP",     OPERATION_NOTHING, 8},
    {"PMEVENT", OPERATION_NOTHING, 8},
    {"SSY",     OPERATION_NOTHING, 8},
};

/* By code; 20 to 27 are written COND20 to COND27. */
static const char *const CONDITIONS[32] = {
    "FALSE",    "LT",     "EQ",     "LE",     "GT",       "NE",     "GE",        "NUM",
    "NAN",      "LTU",    "EQU",    "LEU",    "GTU",      "NEU",    "GEU",       "TRUE",
    "OVERFLOW", "CARRY",  "HI",     "SIGN",   "COND20",   "COND21", "COND22",    "COND23",
    "COND24",   "COND25", "COND26", "COND27", "NOT_SIGN", "LS",     "NOT_CARRY", "NOT_OVERFLOW"};

static const struct {
    const char *name;
    uint32_t relations;
} COMPARISONS[] = {
    {"FALSE", 0                     },
    {"LT",    LESS                  },
    {"EQ",    EQUAL                 },
    {"LE",    LESS | EQUAL          },
    {"GT",    GREATER               },
    {"NE",    LESS | GREATER        },
    {"GE",    GREATER | EQUAL       },
    {"TRUE",  LESS | EQUAL | GREATER},
};

/* FSET: the relations above, for numbers, and with U if an operand may be a NaN. */
static const struct {
    const char *name;
    uint32_t relations;
} FLOAT_COMPARISONS[] = {
    {"NUM",  LESS | EQUAL | GREATER            },
    {"NAN",  UNORDERED                         },
    {"LTU",  LESS | UNORDERED                  },
    {"EQU",  EQUAL | UNORDERED                 },
    {"LEU",  LESS | EQUAL | UNORDERED          },
    {"GTU",  GREATER | UNORDERED               },
    {"NEU",  LESS | GREATER | UNORDERED        },
    {"GEU",  GREATER | EQUAL | UNORDERED       },
    {"TRUE", LESS | EQUAL | GREATER | UNORDERED},
};

enum { COMPARISON_COUNT = sizeof COMPARISONS / sizeof *COMPARISONS };

static const struct mnemonic *mnemonic_of(const char *text) {
    size_t length = name_length(text);
    for (size_t n = 0; n < sizeof MNEMONICS / sizeof *MNEMONICS; n++)
        if (is_name(text, length, MNEMONICS[n].name)) return &MNEMONICS[n];
    return NULL;
}

unsigned sass_size(const char *text) {
    const struct mnemonic *m = mnemonic_of(text);
    return m ? m->size : 0;
}

/* ---- modifiers ---- */

static bool read_type(const char *at, size_t length, struct type *type) {
    static const char *const BITS[] = {"8", "16", "24", "32", "64", "128"};
    static const int VALUES[] = {8, 16, 24, 32, 64, 128};
    if (length < 2 || (*at != 'U' && *at != 'S' && *at != 'F')) return false;
    for (size_t n = 0; n < sizeof BITS / sizeof *BITS; n++) {
        if (!is_name(at + 1, length - 1, BITS[n])) continue;
        *type = (struct type){VALUES[n], *at == 'S'};
        return true;
    }
    return false;
}

/* C2, CARRY2: the number, or -1. */
static int numbered(const char *at, size_t length, const char *name) {
    size_t n = strlen(name);
    return length == n + 1 && memcmp(at, name, n) == 0 && at[n] >= '0' && at[n] <= '3' ? at[n] - '0' : -1;
}

static bool read_logic(const char *at, size_t length, enum logic *logic) {
    static const char *const NAMES[] = {"AND", "OR", "XOR", "PASS_B"};
    for (size_t n = 0; n < sizeof NAMES / sizeof *NAMES; n++) {
        if (!is_name(at, length, NAMES[n])) continue;
        *logic = (enum logic)n;
        return true;
    }
    return false;
}

static bool read_atomic(const char *at, size_t length, struct instruction *i) {
    static const char *const NAMES[] = {"IADD", "EXCH", "CAS", "INC", "DEC", "IMAX", "IMIN"};
    if (i->operation != OPERATION_ATOMIC) return false;
    for (size_t n = 0; n < sizeof NAMES / sizeof *NAMES; n++) {
        if (!is_name(at, length, NAMES[n])) continue;
        i->atomic = (enum atomic)(ATOMIC_IADD + n);
        return true;
    }
    return false;
}

static bool read_modifier(const char *at, size_t length, struct instruction *i) {
    struct type type = {0};
    if (read_type(at, length, &type))
        i->types[i->types[0].bits ? 1 : 0] = type;
    else if (numbered(at, length, "C") >= 0)
        i->flags = numbered(at, length, "C");
    else if (numbered(at, length, "CARRY") >= 0)
        i->carry = numbered(at, length, "CARRY");
    else if (is_name(at, length, "HI"))
        i->high = true;
    else if (is_name(at, length, "SAT"))
        i->saturated = true;
    else if (is_name(at, length, "FLOOR"))
        i->rounding = 1;
    else if (is_name(at, length, "CEIL"))
        i->rounding = 2;
    else if (is_name(at, length, "TRUNC"))
        i->rounding = 3;
    else if (is_name(at, length, "IR"))
        i->integral = true;
    else if (is_name(at, length, "BEXT"))
        i->low_byte = true;
    else if (is_name(at, length, "ARV"))
        i->arrives = true;
    else if (is_name(at, length, "WAIT"))
        i->waits = true;
    else if (length == 5 && memcmp(at, "LANE", 4) == 0 && isxdigit((unsigned char)at[4]))
        i->lanes = (unsigned)(isdigit((unsigned char)at[4]) ? at[4] - '0' : at[4] - 'a' + 10);
    else if (is_name(at, length, "S") || is_name(at, length, "SFU") || is_name(at, length, "NOINC"))
        return true;
    else
        return read_logic(at, length, &i->logic) || read_atomic(at, length, i);
    return true;
}

/* ---- operands ---- */

/* C0.NE */
static bool read_guard(const char **at, struct instruction *i) {
    const char *p = *at;
    skip_blanks(&p);
    if (p[0] != 'C' || p[1] < '0' || p[1] > '3' || p[2] != '.') return false;
    size_t length = name_length(p + 3);
    for (unsigned n = 0; n < 32; n++) {
        if (!is_name(p + 3, length, CONDITIONS[n])) continue;
        i->guard = (unsigned)(p[1] - '0');
        i->condition = n;
        *at = p + 3 + length;
        return true;
    }
    return false;
}

/* [0x4]  [A1+0x4]  [A1+++0x1]  [A1] */
static bool read_place(const char **at, const struct names *names, struct operand *o) {
    if (!skip(at, "[")) return false;
    skip_blanks(at);
    if (**at == 'A') {
        o->areg = (unsigned)((*at)[1] - '0');
        if (o->areg >= AREGS) return false;
        *at += 2;
        o->increment = skip(at, "+++");
        if (!o->increment && !skip(at, "+")) return skip(at, "]");
    }
    return read_number(at, names, &o->offset) && skip(at, "]");
}

/* .U16 after a cell; a cell without a type has 32 bits. */
static bool read_cell(const char **at, struct operand *o) {
    o->cell = (struct type){32, false};
    if (!skip(at, ".")) return true;
    size_t length = name_length(*at);
    if (!read_type(*at, length, &o->cell)) return false;
    *at += length;
    return true;
}

static bool read_memory(const char **at, const struct names *names, struct operand *o) {
    if (skip(at, "global")) { /* all segments are the same memory */
        uint32_t segment;
        o->kind = OPERAND_GLOBAL;
        if (!read_number(at, NULL, &segment) || segment > 15 || !skip(at, "[") || !skip(at, "R")) return false;
        return read_number(at, NULL, &o->number) && skip(at, "]");
    }
    if (skip(at, "local")) {
        o->kind = OPERAND_LOCAL;
        return read_place(at, names, o);
    }
    if (skip(at, "g")) {
        o->kind = OPERAND_SHARED;
        return read_place(at, names, o) && read_cell(at, o);
    }
    if (skip(at, "o")) {
        o->kind = OPERAND_SINK;
        return read_place(at, names, o);
    }
    if (!skip(at, "c") || !skip(at, "[")) return false;
    o->kind = OPERAND_CONSTANT;
    if (!read_number(at, names, &o->number) || o->number >= BANKS || !skip(at, "]")) return false;
    if (!read_place(at, names, o)) return false;
    const char *suffix = *at;
    return !skip(&suffix, ".") || read_cell(at, o);
}

/* The last operand of FSET and RRO. */
static bool read_float_word(const char **at, enum operation operation, struct operand *o) {
    skip_blanks(at);
    size_t length = name_length(*at);
    if (operation == OPERATION_RRO) {
        if (!is_name(*at, length, "SIN") && !is_name(*at, length, "EX2")) return false;
        *o = (struct operand){.kind = OPERAND_FUNCTION, .number = is_name(*at, length, "SIN") ? FOR_SINE : FOR_POWER};
        *at += length;
        return true;
    }
    if (operation != OPERATION_FSET) return false;
    for (size_t n = 0; n < sizeof FLOAT_COMPARISONS / sizeof *FLOAT_COMPARISONS; n++) {
        if (!is_name(*at, length, FLOAT_COMPARISONS[n].name)) continue;
        *o = (struct operand){.kind = OPERAND_COMPARISON, .number = FLOAT_COMPARISONS[n].relations};
        *at += length;
        return true;
    }
    return false;
}

/* R5 R5L A1 C1 SR0 b0 LT: a letter or two and a number, or a comparison. */
static bool read_named(const char **at, struct operand *o) {
    static const struct {
        const char *prefix;
        enum operand_kind kind;
        uint32_t limit;
    } KINDS[] = {
        {"SR", OPERAND_SPECIAL,  16       },
        {"R",  OPERAND_REGISTER, REGISTERS},
        {"A",  OPERAND_AREG,     AREGS    },
        {"C",  OPERAND_CREG,     CREGS    },
        {"b",  OPERAND_BARRIER,  16       },
    };
    const char *p = *at;
    size_t length = name_length(p);
    for (size_t n = 0; n < COMPARISON_COUNT; n++) {
        if (!is_name(p, length, COMPARISONS[n].name)) continue;
        *o = (struct operand){.kind = OPERAND_COMPARISON, .number = COMPARISONS[n].relations};
        *at = p + length;
        return true;
    }
    for (size_t n = 0; n < sizeof KINDS / sizeof *KINDS; n++) {
        size_t prefix = strlen(KINDS[n].prefix), digits = prefix;
        if (strncmp(p, KINDS[n].prefix, prefix) != 0 || !isdigit((unsigned char)p[prefix])) continue;
        for (o->number = 0; digits < length && isdigit((unsigned char)p[digits]); digits++)
            o->number = o->number * 10 + (uint32_t)(p[digits] - '0');
        o->kind = KINDS[n].kind;
        if (o->number >= KINDS[n].limit) return false;
        if (o->kind == OPERAND_REGISTER && (p[digits] == 'L' || p[digits] == 'H')) {
            o->kind = OPERAND_HALF;
            o->number = 2 * o->number + (p[digits++] == 'H');
        }
        *at = p + digits;
        return digits == length;
    }
    return false;
}

/* Labels come first: their names are in lower case, but may look like a barrier's. */
static bool read_operand(const char **at, const struct names *labels, struct operand *o) {
    const char *p = *at;
    if (read_number(&p, labels, &o->number)) {
        o->kind = OPERAND_IMMEDIATE;
        *at = p;
        return true;
    }
    o->negated = skip(at, "-");
    o->inverted = skip(at, "~");
    o->absolute = skip(at, "|");
    skip_blanks(at);
    p = *at;
    if (!read_named(at, o)) {
        *at = p;
        if (!read_memory(at, labels, o)) return false;
    }
    return !o->absolute || skip(at, "|");
}

/* omitted parts of some texts */

/* Bits of the field of an offset (isa.md 2.3): the offset of a post-increment is signed. */
static int offset_bits(const struct mnemonic *m, const struct instruction *i, const struct operand *o) {
    bool is_short = m->size == 4 || strstr(m->name, "32I") != NULL;
    if (o->kind == OPERAND_LOCAL || strcmp(m->name, "MVC") == 0) return 16;
    if (i->operation == OPERATION_LOAD || i->operation == OPERATION_STORE) {
        int bits = i->types[1].bits;
        return bits == 8 ? 16 : bits == 16 ? 15 : 14;
    }
    if (o->kind == OPERAND_CONSTANT) return is_short ? 5 : 7;
    return is_short ? 4 : 5;
}

static void complete(const struct mnemonic *m, struct instruction *i) {
    struct operand *o = i->operands;
    for (size_t n = 0; n < i->operand_count; n++) {
        uint32_t sign = UINT32_C(1) << (offset_bits(m, i, &o[n]) - 1);
        if (o[n].increment && o[n].offset & sign) o[n].offset -= 2 * sign;
    }
    /* The cell of a constant is as wide as the operation, except in MVC, whose text gives its type, and in source 3. */
    for (size_t n = 1; n < i->operand_count; n++)
        if (o[n].kind == OPERAND_CONSTANT && o[n].cell.bits == 0 && (n == 3 || strcmp(m->name, "MVC") == 0))
            o[n].cell = (struct type){32, false};
    /* R2G.U16.U8 writes the number of a half register like that of a register */
    if (i->operation == OPERATION_STORE && i->types[0].bits == 16 && i->types[1].bits == 8) o[1].kind = OPERAND_HALF;
}

const char *sass_read(const char *text, const struct names *labels, struct instruction *i) {
    const struct mnemonic *m = mnemonic_of(text);
    if (!m) return "unknown instruction";
    *i = (struct instruction){
        .operation = m->operation, .carry = -1, .flags = -1, .lanes = 15, .condition = CONDITION_TRUE};
    const char *at = text + strlen(m->name);
    while (*at == '.') {
        size_t length = name_length(at + 1);
        if (!read_modifier(at + 1, length, i)) return "unknown modifier";
        at += 1 + length;
    }
    skip_blanks(&at);
    bool more = *at != 0;
    if (more && read_guard(&at, i)) more = skip(&at, ",");
    while (more) {
        if (i->operand_count == MAX_OPERANDS) return "too many operands";
        skip_blanks(&at);
        struct operand *o = &i->operands[i->operand_count++];
        if (!read_float_word(&at, i->operation, o) && !read_operand(&at, labels, o)) return "unknown operand";
        if (skip(&at, "(") && (!read_guard(&at, i) || !skip(&at, ")"))) return "unknown guard";
        more = skip(&at, ",");
    }
    skip_blanks(&at);
    if (*at) return "more text than an instruction";
    complete(m, i);
    return NULL;
}
