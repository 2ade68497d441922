/* SPDX-License-Identifier: Apache-2.0 */
/* Hints for SASS in the style of another assembler: mistakes that no nearest name explains. */
#include "parse_help.h"

#include <ctype.h>
#include <string.h>

#include "mnemonic.h"

struct place {
    const struct lexeme *mnemonic, *found;
    const struct lexeme *before; /* the lexeme before `found` */
    bool takes_register;         /* a register is possible here */
};

static bool ends_in(const struct lexeme *l, const char *suffix) {
    size_t n = strlen(suffix);
    return l->text_length > n && memcmp(l->text + l->text_length - n, suffix, n) == 0;
}

static bool begins_with(const struct lexeme *l, const char *prefix) {
    size_t n = strlen(prefix);
    return l->text_length >= n && memcmp(l->text, prefix, n) == 0;
}

static bool is_same(const struct lexeme *l, const char *capitals) {
    size_t i = 0;
    while (i < l->text_length && toupper((unsigned char)l->text[i]) == capitals[i]) i++;
    return i == l->text_length && capitals[i] == '\0';
}

static bool is_one_of(const struct lexeme *l, const char *const *names, size_t count) {
    size_t i = 0;
    while (i < count && !is_same(l, names[i])) i++;
    return i < count;
}

static bool is_flow(const struct lexeme *l) {
    static const char *const FLOW[] = {"BRA", "RET", "BRK", "KIL", "BPT", "EXIT", "JMP"};
    return is_one_of(l, FLOW, sizeof FLOW / sizeof FLOW[0]);
}

static bool has_no_guard(const struct lexeme *l) {
    static const char *const BARE[] = {"NOP", "SSY", "BAR", "CAL", "PBK", "PRET", "BRX", "TRAP", "CALL"};
    return is_one_of(l, BARE, sizeof BARE / sizeof BARE[0]);
}

static bool is_numbered(const struct lexeme *l, char name) {
    return l->kind == LEX_WORD && l->text_length > 1 && l->text[0] == name && isdigit((unsigned char)l->text[1]);
}

static const char GUARD[] = "a guard stands behind the first operand: MOV R1 (C0.NE), R2";
static const char FLOW_GUARD[] = "flow instructions have their guard first and bare: BRA C0.NE, TARGET";
static const char NO_GUARD[] = "it has no guard: branch around it, BRA C0.EQ, TARGET";

static const char *guard_of(const struct lexeme *mnemonic) {
    return is_flow(mnemonic) ? FLOW_GUARD : has_no_guard(mnemonic) ? NO_GUARD : GUARD;
}

static bool is_number(const struct lexeme *l) {
    return l->kind == LEX_NUMBER || (lexeme_is_punct(l, '-') && l[1].kind == LEX_NUMBER);
}

/* Half and immediate words have no room for a guard or flags. */
static const char *no_room(const struct place *p) {
    bool half = ends_in(p->mnemonic, "32"), immediate = ends_in(p->mnemonic, "32I") || lexeme_is(p->mnemonic, "MVI");
    bool guard = lexeme_is_punct(p->found, '(') || (p->found > p->mnemonic && lexeme_is_punct(p->before, '('));
    if (guard && half) return "half instructions have no guard: write the long form";
    if (guard && immediate) return "instructions with a 32-bit immediate have no guard";
    if (p->found->kind != LEX_MODIFIER || !begins_with(p->found, ".C")) return NULL;
    if (half) return "half instructions set no flags: write the long form";
    return immediate ? "instructions with a 32-bit immediate set no flags" : NULL;
}

/* C0.NE, (C0.NE) or .C0.NE */
static bool is_guard(const struct lexeme *l) {
    if (lexeme_is_punct(l, '(')) l++;
    const size_t dot = l->kind == LEX_MODIFIER ? 1 : 0;
    return l->text_length == dot + 2 && l->text[dot] == 'C' && strchr("0123", l->text[dot + 1]) != NULL &&
           l[1].kind == LEX_MODIFIER;
}

static const char *guard_place(const struct place *p) {
    const bool flow = is_flow(p->mnemonic);
    if (flow && (lexeme_is_punct(p->found, '(') || lexeme_is_punct(p->before, '('))) return FLOW_GUARD;
    if (lexeme_is(p->mnemonic, "BRA") && p->found > p->mnemonic + 2 && is_guard(p->found - 2)) return FLOW_GUARD;
    const struct lexeme *guard = p->found + (lexeme_is_punct(p->found, ',') ? 1 : 0);
    if (p->found == p->mnemonic || !is_guard(guard) || (guard->kind == LEX_MODIFIER && !flow)) return NULL;
    return lexeme_is_punct(p->before, '(') ? NULL : guard_of(p->mnemonic);
}

/* 1.0, .5, 1.f */
static bool is_float(const struct lexeme *l) {
    if (l->kind == LEX_NUMBER && l[1].start == l->start + l->length) l++;
    return (l->kind == LEX_MODIFIER && isdigit((unsigned char)l->text[1])) || (l->kind == LEX_PUNCT && *l->text == '.');
}

static const char *floating_point(const struct place *p) {
    const bool is_whole = p->found->kind == LEX_NUMBER && is_float(p->found);
    const bool is_rest = p->found > p->mnemonic && p->before->kind == LEX_NUMBER && is_float(p->before);
    const bool is_part =
        p->found > p->mnemonic && !is_number(p->found) && is_float(p->found) && p->before->kind == LEX_PUNCT;
    if (!is_whole && !is_rest && !is_part) return NULL;
    if (lexeme_is(p->mnemonic, "FADD")) return "write its bits, 0x3f800000 for 1.0: FADD32I R1, R2, 0x3f800000";
    if (lexeme_is(p->mnemonic, "FMUL")) return "write its bits, 0x3f800000 for 1.0: FMUL32I R1, R2, 0x3f800000";
    return lex_floating_point;
}

static const char *moves(const struct place *p) {
    if (!lexeme_is(p->mnemonic, "MOV")) return NULL;
    if (lexeme_is(p->found, "g") && p->found == p->mnemonic + 1) return "write R2G: R2G.U32.U32 g [0x10], R1";
    if (is_number(p->found) && lexeme_is_punct(p->before, ',')) return "MVI takes a number";
    if (!lexeme_is(p->found, "c")) return NULL;
    return "MVC takes a constant; parameters are in shared memory, from g [0x4] on";
}

/* The number of the source that begins with the lexeme found, or with the sign before it, from 1; 0: none. */
static unsigned source_of(const struct place *p) {
    const bool sign = lexeme_is_punct(p->before, '-') || lexeme_is_punct(p->before, '~');
    unsigned commas = 0;
    if (!lexeme_is_punct(sign ? p->before - 1 : p->before, ',')) return 0;
    for (const struct lexeme *l = p->mnemonic; l < p->found; l++) commas += lexeme_is_punct(l, ',') ? 1 : 0;
    return commas;
}

/* A lexeme that cannot replace a register. */
static const char *sources(const struct place *p) {
    static const struct {
        const char *mnemonic, *help;
    } IMMEDIATE[] = {
        {"IADD", "IADD32I takes a number"                                              },
        {"IMUL", "IMUL32I takes a number"                                              },
        {"IMAD", "IMAD32I takes a number, and its third source must be the destination"},
        {"LOP",  "LOP32I takes a number"                                               },
        {"FADD", "FADD32I takes a number"                                              },
        {"FMUL", "FMUL32I takes a number"                                              },
        {"FMAD", "FMAD32I takes a number, and its third source must be the destination"},
    };
    if (!p->takes_register) return NULL;
    const unsigned source = source_of(p);
    if (lexeme_is(p->found, "g") && source > 1)
        return "only the first source can be g [..]: exchange them, or MOV it to a register";
    if (lexeme_is(p->found, "c") && source == 1)
        return "the first source cannot be c [..]: exchange them, or MVC it to a register";
    if (!is_number(p->found) || source == 0) return NULL;
    for (size_t i = 0; i < sizeof IMMEDIATE / sizeof IMMEDIATE[0] && source == 2; i++)
        if (lexeme_is(p->mnemonic, IMMEDIATE[i].mnemonic)) return IMMEDIATE[i].help;
    return "put the number into a register: MVI R1, NUMBER";
}

/* Later machines have predicates: P0 to P6, PT. */
static const char *predicate(const struct place *p) {
    const struct lexeme *l = p->found;
    if (l == p->mnemonic || l->kind != LEX_WORD || l->text_length != 2 || toupper((unsigned char)l->text[0]) != 'P' ||
        strchr("0123456Tt", l->text[1]) == NULL)
        return NULL;
    return is_flow(p->mnemonic) ? FLOW_GUARD : "conditions are flags of C0 to C3, a guard: MOV R1 (C0.NE), R2";
}

/* An address without its memory. */
static const char *bare_address(const struct place *p) {
    static const char *const GLOBAL[] = {"GLD", "GST", "GATOM", "GRED"}, *const LOCAL[] = {"LLD", "LST"};
    if (!lexeme_is_punct(p->found, '[') && !lexeme_is(p->found, "s")) return NULL;
    for (size_t i = 0; i < sizeof GLOBAL / sizeof GLOBAL[0]; i++)
        if (lexeme_is(p->mnemonic, GLOBAL[i])) return "write global14 [R2]";
    for (size_t i = 0; i < sizeof LOCAL / sizeof LOCAL[0]; i++)
        if (lexeme_is(p->mnemonic, LOCAL[i])) return "write local [0x0]";
    return "shared memory is g [0x4] (byte 0x10); global memory: GLD.U32 R1, global14 [R2]";
}

/* A mnemonic without the modifiers for the types of its operands. */
static const char *kind(const struct place *p) {
    static const struct {
        const char *mnemonic, *help;
    } KIND[] = {
        {"GLD",   "write GLD.U32"                                                                          },
        {"GST",   "write GST.U32"                                                                          },
        {"LLD",   "write LLD.U32"                                                                          },
        {"LST",   "write LST.U32"                                                                          },
        {"R2G",   "write R2G.U32.U32"                                                                      },
        {"I2F",   "write I2F.F32.S32"                                                                      },
        {"F2I",   "write F2I.S32.F32"                                                                      },
        {"I2I",   "write I2I.S32.S32"                                                                      },
        {"F2F",   "write F2F.F32.F32"                                                                      },
        {"IMUL",  "write IMUL.U16.U16 R1, R2L, R3L or IMUL.U24.U24 R1, R2, R3 (signed: .S16.S16, .S24.S24)"},
        {"IMAD",  "write IMAD.U16 R1, R2L, R3L, R4 or IMAD.U24 R1, R2, R3, R4 (signed: .S16, .S24)"        },
        {"GRED",  "write GRED.IADD.U32"                                                                    },
        {"GATOM", "write GATOM.IADD.U32"                                                                   },
    };
    if (p->found != p->mnemonic + 1 || p->found->kind == LEX_MODIFIER) return NULL;
    if (lexeme_is(p->mnemonic, "BAR")) return "write BAR.ARV.WAIT b0, 0xfff";
    for (size_t i = 0; i < sizeof KIND / sizeof KIND[0]; i++)
        if (lexeme_is(p->mnemonic, KIND[i].mnemonic)) return KIND[i].help;
    return NULL;
}

/* Half and immediate words have six bits for a register. */
static const char *far_register(const struct place *p) {
    if (!is_numbered(p->found, 'R') || !p->takes_register || p->found == p->mnemonic) return NULL;
    if (ends_in(p->mnemonic, "32I")) return "instructions with a 32-bit immediate reach R0 to R63";
    return ends_in(p->mnemonic, "32") ? "half instructions reach R0 to R63: write the long form" : NULL;
}

/* A register's name used as a number. */
static const char *register_as_number(const struct place *p) {
    static const char *const TARGET[] = {"BRA", "CAL", "SSY", "PBK", "PRET"};
    if (is_numbered(p->found, 'C') && is_flow(p->mnemonic)) return "a condition has a relation: BRA C0.NE, TARGET";
    if (!is_numbered(p->found, 'R')) return NULL;
    if (is_one_of(p->mnemonic, TARGET, sizeof TARGET / sizeof TARGET[0]))
        return "it takes a label or an address, no register";
    if (lexeme_is(p->mnemonic, "MVI")) return "MVI takes a number; MOV takes a register";
    if (ends_in(p->mnemonic, "32I") && !p->takes_register) return "it takes a number; without 32I it takes a register";
    if (!lexeme_is_punct(p->before, '[') || lexeme_is(p->before - 1, "o")) return NULL;
    return "an address here is a number, or an A register and a number: R2A A1, R2, then [A1+0x0]";
}

/* "7 # c"; "#7" is a number in other assemblers. */
static bool is_comment(const struct place *p) {
    if (!lexeme_is_punct(p->found, '#')) return false;
    const struct lexeme *next = p->found + 1;
    return next->kind != LEX_NUMBER || next->start > p->found->start + 1;
}

static const char *number(const struct place *p) {
    if (is_comment(p)) return "a comment begins with //";
    if (p->found->kind == LEX_MODIFIER && is_numbered(p->before, 'C'))
        return "conditions are LT, EQ, LE, GT, NE, GE, and those of docs/isa.md 2.7";
    return lexeme_is_punct(p->found, '#') ? "numbers are written without '#'" : NULL;
}

static const char *memory(const struct place *p) {
    if (lexeme_is(p->found, "global")) return "write global14";
    if (lexeme_is_punct(p->found, '+') && p->before->kind == LEX_WORD && begins_with(p->before, "R"))
        return "a global address is one register: add the offset to it first";
    if (is_numbered(p->found, 'R') && lexeme_is(p->mnemonic, "GST") && p->before->kind == LEX_MODIFIER)
        return "the address comes first: GST.U32 global14 [R2], R1";
    return NULL;
}

/* A number too large for its brackets. */
static const char *cells(const struct place *p) {
    if (!is_number(p->found) || p->found < p->mnemonic + 3) return NULL;
    const struct lexeme *open = lexeme_is_punct(p->before, '[') ? p->before : p->before - 2; /* [A1+0x40] */
    if (!lexeme_is_punct(open, '[')) return NULL;
    if (lexeme_is(open - 1, "g"))
        return "it counts cells of 4 bytes (.U16 2, .U8 1), byte 0x40 is g [0x10]; "
               "beyond: R2A A1, R2 (bytes), then g [A1+0x0]";
    if (!lexeme_is_punct(open - 1, ']')) return NULL;
    return "it counts cells of 4 bytes (.U16 2, .U8 1); beyond: R2A A1, R2 (bytes), then c [0x1] [A1+0x0]";
}

static const char *comparison(const struct place *p) {
    if (p->found->kind != LEX_END) return NULL;
    if (lexeme_is(p->mnemonic, "ISET"))
        return "a comparison comes last: ISET.S32 R1, R2, R3, LT (without .S32: unsigned)";
    return lexeme_is(p->mnemonic, "FSET") ? "a comparison comes last: FSET R1, R2, R3, LT" : NULL;
}

/* %r1, %f1, %rd1 */
static const char *ptx_register(const struct place *p) {
    const struct lexeme *name = p->found + 1;
    if (!lexeme_is_punct(p->found, '%') || name->kind != LEX_WORD) return NULL;
    if (!isdigit((unsigned char)name->text[name->text_length - 1]) || strchr("rfhbd", name->text[0]) == NULL)
        return NULL;
    return "this is PTX: registers are R0 to R127, without %";
}

static const char *foreign(const struct place *p) {
    static const struct {
        const char *name, *help;
    } FOREIGN[] = {
#define FOREIGN(name, help) {name, help},
#include "dialects.def"
    };
    if (p->found != p->mnemonic || p->found->kind != LEX_WORD) return NULL;
    for (size_t i = 0; i < sizeof FOREIGN / sizeof FOREIGN[0]; i++)
        if (is_same(p->found, FOREIGN[i].name)) return FOREIGN[i].help;
    return NULL;
}

/* %tid.x, or its tid. */
static const char *foreign_operand(const struct place *p) {
    static const struct {
        const char *name, *help;
    } FOREIGN[] = {
#define FOREIGN_OPERAND(name, help) {name, help},
#include "dialects.def"
    };
    if (p->found == p->mnemonic) return NULL;
    const struct lexeme *name = lexeme_is_punct(p->found, '%') ? p->found + 1 : p->found;
    for (size_t i = 0; i < sizeof FOREIGN / sizeof FOREIGN[0] && name->kind == LEX_WORD; i++)
        if (is_same(name, FOREIGN[i].name)) return FOREIGN[i].help;
    return NULL;
}

static const char *foreign_modifier(const struct place *p) {
    static const struct {
        const char *mnemonic, *name, *help;
    } FOREIGN[] = {
#define FOREIGN_MODIFIER(mnemonic, name, help) {mnemonic, name, help},
#include "dialects.def"
    };
    for (size_t i = 0; i < sizeof FOREIGN / sizeof FOREIGN[0] && p->found->kind == LEX_MODIFIER; i++)
        if ((FOREIGN[i].mnemonic[0] == '\0' || lexeme_is(p->mnemonic, FOREIGN[i].mnemonic)) &&
            is_same(p->found, FOREIGN[i].name))
            return FOREIGN[i].help;
    return NULL;
}

/* @P0 BRA: the instruction follows. */
static const char *guard_before(const struct lexeme *at) {
    const struct lexeme *l = at;
    while (l->kind != LEX_END && !is_flow(l) && !has_no_guard(l)) l++;
    return guard_of(l);
}

static const char *alone(const struct place *p) {
    if (p->found != p->mnemonic) return NULL;
    if (lexeme_is_punct(p->found, '@') || (lexeme_is_punct(p->found, '(') && is_guard(p->found)))
        return guard_before(p->found);
    if (lexeme_is_punct(p->found, '#')) return "a comment begins with //, a constant is .equ NAME = NUMBER";
    const struct lexeme *next = p->found + 1;
    if (p->found->kind == LEX_WORD && next->kind == LEX_WORD && isa_mnemonic_bytes(next->text, next->text_length) != 0)
        return "a label ends in ':'";
    return NULL;
}

const char *parse_help(const struct lexeme *mnemonic, const struct lexeme *found, bool takes_register) {
    static const char *(*const hints[])(const struct place *) = {alone,          foreign,
                                                                 floating_point, foreign_operand,
                                                                 ptx_register,   foreign_modifier,
                                                                 no_room,        guard_place,
                                                                 predicate,      moves,
                                                                 bare_address,   kind,
                                                                 memory,         cells,
                                                                 far_register,   register_as_number,
                                                                 number,         comparison,
                                                                 sources};
    struct place p = {mnemonic, found, found > mnemonic ? found - 1 : found, takes_register};
    const char *text = NULL;
    for (size_t i = 0; i < sizeof hints / sizeof hints[0] && text == NULL; i++) text = hints[i](&p);
    return text;
}
