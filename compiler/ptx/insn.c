/* SPDX-License-Identifier: Apache-2.0 */
/* Reads one instruction of PTX, see reader.h. */
#include <string.h>

#include "reader.h"

static const char *const OPS[] = {
    "",
#define PTX_OP(name) #name,
#include "opcodes.def"
};

const char *ptx_op_name(enum ptx_op op) { return OPS[op]; }

/* The field of an instruction that a modifier sets. */
enum field { FLAG, SPACE, COMPARE, COMBINE, ROUNDING, ATOMIC, PERMUTATION, VECTOR, TEST };
static const struct {
    const char *name;
    enum field field;
    int value;
} MODIFIERS[] = {
    {"hi",         FLAG,        PTX_MOD_HI      },
    {"lo",         FLAG,        PTX_MOD_LO      },
    {"wide",       FLAG,        PTX_MOD_WIDE    },
    {"cc",         FLAG,        PTX_MOD_CC      },
    {"sat",        FLAG,        PTX_MOD_SAT     },
    {"ftz",        FLAG,        PTX_MOD_FTZ     },
    {"approx",     FLAG,        PTX_MOD_APPROX  },
    {"full",       FLAG,        PTX_MOD_FULL    },
    {"uni",        FLAG,        PTX_MOD_UNI     },
    {"volatile",   FLAG,        PTX_MOD_VOLATILE},
    {"to",         FLAG,        PTX_MOD_TO      },
    {"shiftamt",   FLAG,        PTX_MOD_SHIFTAMT},
    {"sync",       FLAG,        PTX_MOD_SYNC    },
    {"arrive",     FLAG,        PTX_MOD_ARRIVE  },
    {"red",        FLAG,        PTX_MOD_RED     },
    {"clamp",      FLAG,        PTX_MOD_CLAMP   },
    {"wrap",       FLAG,        PTX_MOD_WRAP    },
    {"l",          FLAG,        PTX_MOD_LEFT    },
    {"r",          FLAG,        PTX_MOD_RIGHT   },
    {"ca",         FLAG,        PTX_MOD_NOTHING },
    {"cg",         FLAG,        PTX_MOD_NOTHING },
    {"cs",         FLAG,        PTX_MOD_NOTHING },
    {"lu",         FLAG,        PTX_MOD_NOTHING },
    {"cv",         FLAG,        PTX_MOD_NOTHING },
    {"wb",         FLAG,        PTX_MOD_NOTHING },
    {"wt",         FLAG,        PTX_MOD_NOTHING },
    {"nc",         FLAG,        PTX_MOD_NOTHING },
    {"relaxed",    FLAG,        PTX_MOD_NOTHING },
    {"gl",         FLAG,        PTX_MOD_NOTHING },
    {"gpu",        FLAG,        PTX_MOD_NOTHING },
    {"cta",        FLAG,        PTX_MOD_NOTHING },
    {"sys",        FLAG,        PTX_MOD_NOTHING },
    {"aligned",    FLAG,        PTX_MOD_NOTHING },
    {"weak",       FLAG,        PTX_MOD_NOTHING },
    {"idx",        FLAG,        PTX_MOD_NOTHING },
    {"L1",         FLAG,        PTX_MOD_NOTHING },
    {"L2",         FLAG,        PTX_MOD_NOTHING },
    {"all",        FLAG,        PTX_MOD_NOTHING },
    {"any",        FLAG,        PTX_MOD_NOTHING },
    {"ballot",     FLAG,        PTX_MOD_NOTHING },
    {"popc",       FLAG,        PTX_MOD_NOTHING },
    {"global",     SPACE,       PTX_SPACE_GLOBAL},
    {"const",      SPACE,       PTX_SPACE_CONST },
    {"shared",     SPACE,       PTX_SPACE_SHARED},
    {"local",      SPACE,       PTX_SPACE_LOCAL },
    {"param",      SPACE,       PTX_SPACE_PARAM },
    {"eq",         COMPARE,     PTX_EQ          },
    {"ne",         COMPARE,     PTX_NE          },
    {"lt",         COMPARE,     PTX_LT          },
    {"le",         COMPARE,     PTX_LE          },
    {"gt",         COMPARE,     PTX_GT          },
    {"ge",         COMPARE,     PTX_GE          },
    {"ls",         COMPARE,     PTX_LS          },
    {"hs",         COMPARE,     PTX_HS          },
    {"equ",        COMPARE,     PTX_EQU         },
    {"neu",        COMPARE,     PTX_NEU         },
    {"ltu",        COMPARE,     PTX_LTU         },
    {"leu",        COMPARE,     PTX_LEU         },
    {"gtu",        COMPARE,     PTX_GTU         },
    {"geu",        COMPARE,     PTX_GEU         },
    {"num",        COMPARE,     PTX_NUM         },
    {"nan",        COMPARE,     PTX_NAN         },
    {"and",        COMBINE,     PTX_COMBINE_AND },
    {"or",         COMBINE,     PTX_COMBINE_OR  },
    {"xor",        COMBINE,     PTX_COMBINE_XOR },
    {"rn",         ROUNDING,    PTX_RN          },
    {"rz",         ROUNDING,    PTX_RZ          },
    {"rm",         ROUNDING,    PTX_RM          },
    {"rp",         ROUNDING,    PTX_RP          },
    {"rni",        ROUNDING,    PTX_RNI         },
    {"rzi",        ROUNDING,    PTX_RZI         },
    {"rmi",        ROUNDING,    PTX_RMI         },
    {"rpi",        ROUNDING,    PTX_RPI         },
    {"add",        ATOMIC,      PTX_ATOMIC_ADD  },
    {"exch",       ATOMIC,      PTX_ATOMIC_EXCH },
    {"cas",        ATOMIC,      PTX_ATOMIC_CAS  },
    {"inc",        ATOMIC,      PTX_ATOMIC_INC  },
    {"dec",        ATOMIC,      PTX_ATOMIC_DEC  },
    {"min",        ATOMIC,      PTX_ATOMIC_MIN  },
    {"max",        ATOMIC,      PTX_ATOMIC_MAX  },
    {"f4e",        PERMUTATION, PTX_PRMT_F4E    },
    {"b4e",        PERMUTATION, PTX_PRMT_B4E    },
    {"rc8",        PERMUTATION, PTX_PRMT_RC8    },
    {"ecl",        PERMUTATION, PTX_PRMT_ECL    },
    {"ecr",        PERMUTATION, PTX_PRMT_ECR    },
    {"rc16",       PERMUTATION, PTX_PRMT_RC16   },
    {"finite",     TEST,        PTX_FINITE      },
    {"infinite",   TEST,        PTX_INFINITE    },
    {"number",     TEST,        PTX_NUMBER_TEST },
    {"notanumber", TEST,        PTX_NOT_A_NUMBER},
    {"normal",     TEST,        PTX_NORMAL      },
    {"subnormal",  TEST,        PTX_SUBNORMAL   },
    {"v2",         VECTOR,      2               },
    {"v4",         VECTOR,      4               },
};

static int find_modifier(const char *name, size_t length) {
    for (unsigned i = 0; i < sizeof MODIFIERS / sizeof *MODIFIERS; i++)
        if (strlen(MODIFIERS[i].name) == length && memcmp(MODIFIERS[i].name, name, length) == 0) return (int)i;
    return -1;
}

static bool is_atomic(const struct ptx_insn *insn) { return insn->op == PTX_atom || insn->op == PTX_red; }

/* For atom and red, "and", "or" and "xor" are the operation. */
static enum ptx_atomic atomic_of_logic(int combine) {
    return combine == PTX_COMBINE_AND ? PTX_ATOMIC_AND : combine == PTX_COMBINE_OR ? PTX_ATOMIC_OR : PTX_ATOMIC_XOR;
}

static void set_modifier(struct ptx_insn *insn, int index) {
    const int value = MODIFIERS[index].value;
    switch (MODIFIERS[index].field) {
    case FLAG: insn->modifiers |= (unsigned)value; break;
    case SPACE: insn->space = (enum ptx_space)value; break;
    case COMPARE: insn->compare = (enum ptx_compare)value; break;
    case COMBINE:
        if (is_atomic(insn))
            insn->atomic = atomic_of_logic(value);
        else
            insn->combine = (enum ptx_combine)value;
        break;
    case ROUNDING: insn->rounding = (enum ptx_rounding)value; break;
    case ATOMIC: insn->atomic = (enum ptx_atomic)value; break;
    case PERMUTATION: insn->permutation = (enum ptx_permutation)value; break;
    case VECTOR: insn->vector = (unsigned)value; break;
    case TEST: insn->test = (enum ptx_test)value; break;
    }
}

/* For set and setp, "lo" and "hi" are comparisons. */
static bool is_comparison(struct ptx_insn *insn, const char *name, size_t length) {
    if ((insn->op != PTX_setp && insn->op != PTX_set) || length != 2) return false;
    const bool is_lower = memcmp(name, "lo", 2) == 0;
    if (!is_lower && memcmp(name, "hi", 2) != 0) return false;
    insn->compare = is_lower ? PTX_LO : PTX_HI;
    return true;
}

static void read_modifier(struct ptx_reader *r, struct ptx_insn *insn, const char *name, size_t length) {
    const enum ptx_type type = ptx_find_type(name, length);
    if (type != PTX_NO_TYPE) {
        if (insn->type_count == 3) ptx_fail(&r->lexer, "too many types");
        insn->type[insn->type_count++] = type;
    } else if (!is_comparison(insn, name, length)) {
        const int index = find_modifier(name, length);
        if (index < 0) ptx_fail(&r->lexer, "unknown modifier '.%.*s' of '%s'", (int)length, name, OPS[insn->op]);
        set_modifier(insn, index);
    }
}

static enum ptx_op find_op(const char *name, size_t length) {
    unsigned low = 1, high = PTX_OP_COUNT;
    while (low < high) { /* the table is sorted */
        const unsigned middle = (low + high) / 2;
        const size_t n = strlen(OPS[middle]);
        int order = memcmp(name, OPS[middle], length < n ? length : n);
        if (order == 0) order = length < n ? -1 : length > n;
        if (order == 0) return (enum ptx_op)middle;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return PTX_NO_OP;
}

static void read_opcode(struct ptx_reader *r, struct ptx_insn *insn) {
    struct ptx_lexer *l = &r->lexer;
    if (l->token.kind != PTX_WORD)
        ptx_fail(l, "expected an instruction, not '%.*s'", (int)(l->token.length < 60 ? l->token.length : 60),
                 l->token.text);
    const char *at = l->token.text, *end = at + l->token.length;
    const char *dot = memchr(at, '.', (size_t)(end - at));
    insn->op = find_op(at, (size_t)((dot != NULL ? dot : end) - at));
    if (insn->op == PTX_NO_OP)
        ptx_fail(l, "unknown instruction '%.*s'", (int)(l->token.length < 60 ? l->token.length : 60), at);
    insn->vector = 1;
    while (dot != NULL) {
        at = dot + 1;
        dot = memchr(at, '.', (size_t)(end - at));
        read_modifier(r, insn, at, (size_t)((dot != NULL ? dot : end) - at));
    }
    ptx_next(l);
}

/* Finds a register of a range, as %r7 of %r<54>. */
static struct ptx_symbol *find_in_range(struct ptx_reader *r, const char *name, size_t length) {
    size_t digits = length;
    while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') digits--;
    if (digits == length || digits == 0 || length - digits > 8 || (name[digits] == '0' && length - digits > 1))
        return NULL;
    struct ptx_symbol *range = ptx_names_find(&r->names, name, digits);
    if (range == NULL || range->kind != PTX_REGISTERS) return NULL;
    uint32_t number = 0;
    for (size_t i = digits; i < length; i++) number = number * 10 + (uint32_t)(name[i] - '0');
    if (number >= range->count) return NULL;
    if (range->members == NULL) range->members = CC_ARRAY(r->cc, struct ptx_symbol *, range->count);
    struct ptx_symbol *s = range->members[number];
    if (s != NULL) return s;
    s = range->members[number] = CC_NEW(r->cc, struct ptx_symbol);
    *s = (struct ptx_symbol){.name = cc_text(r->cc, name, length),
                             .kind = PTX_REGISTER,
                             .type = range->type,
                             .space = PTX_SPACE_REG,
                             .vector = range->vector,
                             .count = 1,
                             .place = range->place};
    s->index = r->function->register_count;
    r->function->register_count += s->vector;
    return s;
}

static const char *const SPECIALS[] = {
    "%tid.x",       "%tid.y",   "%tid.z",       "%ntid.x",      "%ntid.y",      "%ntid.z",
    "%ctaid.x",     "%ctaid.y", "%ctaid.z",     "%nctaid.x",    "%nctaid.y",    "%nctaid.z",
    "%laneid",      "%warpid",  "%nwarpid",     "%smid",        "%nsmid",       "%gridid",
    "%clock",       "%clock64", "%lanemask_eq", "%lanemask_le", "%lanemask_lt", "%lanemask_ge",
    "%lanemask_gt", "%pm0",     "%pm1",         "%pm2",         "%pm3",
};

static struct ptx_symbol *find_special(struct ptx_reader *r, const char *name, size_t length) {
    for (unsigned i = 0; i < sizeof SPECIALS / sizeof *SPECIALS; i++) {
        if (strlen(SPECIALS[i]) != length || memcmp(SPECIALS[i], name, length) != 0) continue;
        struct ptx_symbol *s = CC_NEW(r->cc, struct ptx_symbol);
        *s = (struct ptx_symbol){.name = SPECIALS[i], .kind = PTX_SPECIAL, .type = PTX_TYPE_u32, .vector = 1};
        return s;
    }
    return NULL;
}

static struct ptx_symbol *find_symbol(struct ptx_reader *r, const char *name, size_t length) {
    struct ptx_symbol *s = ptx_names_find(&r->names, name, length);
    if (s == NULL) s = find_in_range(r, name, length);
    if (s == NULL && name[0] == '%') s = find_special(r, name, length);
    return s;
}

/* Finds a component of a vector, as in "%v.x". */
static struct ptx_symbol *find_component(struct ptx_reader *r, const char *name, size_t length, uint8_t *component) {
    static const char LETTERS[] = "xyzwrgba";
    if (length < 3 || name[length - 2] != '.') return NULL;
    const char *letter = strchr(LETTERS, name[length - 1]);
    if (letter == NULL || *letter == '\0') return NULL;
    struct ptx_symbol *s = find_symbol(r, name, length - 2);
    const unsigned number = (unsigned)(letter - LETTERS) % 4;
    if (s == NULL || s->kind != PTX_REGISTER || number >= s->vector) return NULL;
    *component = (uint8_t)(number + 1);
    return s;
}

static void fail_unknown_name(struct ptx_reader *r, const char *name, size_t length) {
    ptx_fail(&r->lexer, "'%.*s' is not declared", (int)(length < 100 ? length : 100), name);
}

const struct ptx_symbol *ptx_find_register(struct ptx_reader *r, const char *name, size_t length, uint8_t *component) {
    *component = 0;
    const struct ptx_symbol *s = find_symbol(r, name, length);
    if (s == NULL) s = find_component(r, name, length, component);
    if (s == NULL) fail_unknown_name(r, name, length);
    return s;
}

static void read_name_operand(struct ptx_reader *r, struct ptx_operand *o, bool is_label) {
    struct ptx_lexer *l = &r->lexer;
    const char *name = l->token.text;
    const size_t length = l->token.length;
    o->symbol = is_label ? ptx_find_label(r, name, length) : ptx_find_register(r, name, length, &o->component);
    const bool is_register = o->symbol->kind == PTX_REGISTER || o->symbol->kind == PTX_SPECIAL;
    o->kind = is_register ? PTX_OPERAND_REGISTER : PTX_OPERAND_SYMBOL;
    if (o->symbol->kind == PTX_REGISTERS) fail_unknown_name(r, name, length);
    ptx_next(l);
}

static void read_offset(struct ptx_reader *r, struct ptx_operand *o) {
    if (ptx_is(&r->lexer, "+") || ptx_is(&r->lexer, "-")) o->value += ptx_read_integer(&r->lexer);
}

static void read_address(struct ptx_reader *r, struct ptx_operand *o) {
    struct ptx_lexer *l = &r->lexer;
    ptx_next(l);
    if (l->token.kind == PTX_WORD) {
        read_name_operand(r, o, false);
        read_offset(r, o);
    } else {
        o->value = ptx_read_integer(l);
    }
    o->kind = PTX_OPERAND_ADDRESS;
    if (ptx_is(l, ",")) ptx_fail(l, "textures and surfaces are not supported");
    ptx_expect(l, "]");
}

static void read_operand(struct ptx_reader *r, struct ptx_operand *o, bool labels, unsigned depth);

static void read_list(struct ptx_reader *r, struct ptx_operand *o, const char *end, unsigned depth) {
    struct ptx_lexer *l = &r->lexer;
    size_t count = 0, capacity = 0;
    if (depth > 2) ptx_fail(l, "braces nest too deep");
    o->kind = PTX_OPERAND_VECTOR;
    ptx_next(l);
    while (!ptx_is(l, end)) {
        struct ptx_operand element = {0};
        read_operand(r, &element, false, depth + 1);
        CC_PUSH(r->cc, o->elements, count, capacity, element);
        if (!ptx_accept(l, ",")) break;
    }
    o->count = (uint32_t)count;
    ptx_expect(l, end);
}

static void read_operand(struct ptx_reader *r, struct ptx_operand *o, bool labels, unsigned depth) {
    struct ptx_lexer *l = &r->lexer;
    o->column = l->token.column;
    const bool is_list = ptx_is(l, "(") && r->in_call;
    if (ptx_accept(l, "!")) o->inverted = true;
    if (ptx_is(l, "[")) {
        read_address(r, o);
    } else if (ptx_is(l, "{")) {
        read_list(r, o, "}", depth);
    } else if (is_list) {
        read_list(r, o, ")", depth);
    } else if (ptx_accept(l, "_")) {
        o->kind = PTX_OPERAND_SINK;
    } else if (ptx_accept(l, "WARP_SZ")) {
        *o = (struct ptx_operand){.kind = PTX_OPERAND_NUMBER, .value = 32, .column = o->column};
    } else if (l->token.kind == PTX_WORD) {
        read_name_operand(r, o, labels);
        if (o->kind == PTX_OPERAND_SYMBOL && !labels) read_offset(r, o);
    } else {
        const struct ptx_token *t = &l->token;
        if (!ptx_is_constant(l))
            ptx_fail(l, "expected an operand or ';', not '%.*s'", (int)(t->length < 60 ? t->length : 60), t->text);
        const struct ptx_constant c = o->inverted ? ptx_read_constant_after_not(l) : ptx_read_constant(l);
        o->value = c.value;
        o->inverted = false;
        o->exact_single = c.single;
        o->kind = c.is_float ? PTX_OPERAND_FLOAT : PTX_OPERAND_NUMBER;
    }
}

/* Reads p|q. */
static void read_pair(struct ptx_reader *r, struct ptx_operand *o) {
    struct ptx_operand *elements = CC_ARRAY(r->cc, struct ptx_operand, 2);
    elements[0] = *o;
    ptx_next(&r->lexer);
    read_operand(r, &elements[1], false, 1);
    *o = (struct ptx_operand){.kind = PTX_OPERAND_PAIR, .elements = elements, .count = 2, .column = o->column};
}

static void read_guard(struct ptx_reader *r, struct ptx_insn *insn) {
    struct ptx_lexer *l = &r->lexer;
    uint8_t component;
    if (!ptx_accept(l, "@")) return;
    insn->guard_inverted = ptx_accept(l, "!");
    if (l->token.kind != PTX_WORD) ptx_fail(l, "expected a predicate");
    insn->guard = ptx_find_register(r, l->token.text, l->token.length, &component);
    if (insn->guard->kind != PTX_REGISTER || insn->guard->type != PTX_TYPE_pred)
        ptx_fail(l, "'%s' is not a predicate", insn->guard->name);
    ptx_next(l);
}

/* Returns whether the next operand is a label: the target of a branch, or the prototype behind the callee of a call. */
static bool is_label_next(const struct ptx_insn *insn) {
    const unsigned count = insn->operand_count;
    if (insn->op == PTX_bra || (insn->op == PTX_brx && count == 1)) return true;
    if (insn->op != PTX_call || count == 0) return false;
    return insn->operand[0].kind != PTX_OPERAND_VECTOR || count > 1;
}

void ptx_read_insn(struct ptx_reader *r) {
    struct ptx_lexer *l = &r->lexer;
    struct ptx_function *f = r->function;
    struct ptx_insn insn = {.place = ptx_place(l), .in_assembly = l->in_assembly};
    read_guard(r, &insn);
    read_opcode(r, &insn);
    r->in_call = insn.op == PTX_call;
    while (!ptx_is(l, ";")) {
        if (insn.operand_count == PTX_OPERANDS_MAX) ptx_fail(l, "too many operands");
        const bool is_label = is_label_next(&insn);
        struct ptx_operand *o = &insn.operand[insn.operand_count++];
        read_operand(r, o, is_label, 0);
        if (ptx_is(l, "|")) read_pair(r, o);
        if (!ptx_accept(l, ",")) break;
    }
    ptx_expect(l, ";");
    CC_PUSH(r->cc, f->insns, f->insn_count, f->insn_capacity, insn);
}
