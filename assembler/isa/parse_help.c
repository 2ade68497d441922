/* SPDX-License-Identifier: Apache-2.0 */
/* What people mean who write SASS as they would another assembler: hints for mistakes that no nearest name explains. */
#include "parse_help.h"

#include <ctype.h>
#include <string.h>

#include "mnemonic.h"

struct place {
    const struct lexeme *mnemonic, *found;
    const struct lexeme *before; /* found's predecessor */
    bool takes_register;         /* one can stand here */
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

static bool is_flow(const struct lexeme *l) {
    return lexeme_is(l, "BRA") || lexeme_is(l, "RET") || lexeme_is(l, "BRK") || is_same(l, "EXIT");
}

static const char GUARD[] = "a guard stands behind the first operand: MOV R1 (C0.NE), R2";
static const char FLOW_GUARD[] = "flow instructions have their guard first and bare: BRA C0.NE, TARGET";

static bool is_number(const struct lexeme *l) { return l->kind == LEX_NUMBER || lexeme_is_punct(l, '-'); }

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

static const char *guard_place(const struct place *p) {
    if (is_flow(p->mnemonic) && (lexeme_is_punct(p->found, '(') || lexeme_is_punct(p->before, '('))) return FLOW_GUARD;
    return NULL;
}

static const char *moves(const struct place *p) {
    if (!lexeme_is(p->mnemonic, "MOV")) return NULL;
    if (is_number(p->found) && lexeme_is_punct(p->before, ',')) return "MVI takes a number";
    if (!lexeme_is(p->found, "c")) return NULL;
    return "MVC takes a constant; parameters are in shared memory, from g [0x4] on";
}

/* The number of the source that begins with what was found, or with the sign before it, from 1; 0: none does. */
static unsigned source_of(const struct place *p) {
    const bool sign = lexeme_is_punct(p->before, '-') || lexeme_is_punct(p->before, '~');
    unsigned commas = 0;
    if (!lexeme_is_punct(sign ? p->before - 1 : p->before, ',')) return 0;
    for (const struct lexeme *l = p->mnemonic; l < p->found; l++) commas += lexeme_is_punct(l, ',') ? 1 : 0;
    return commas;
}

/* What cannot stand where a register can. */
static const char *sources(const struct place *p) {
    static const struct {
        const char *mnemonic, *help;
    } IMMEDIATE[] = {
        {"IADD", "IADD32I takes a number"},
        {"IMUL", "IMUL32I takes a number"},
        {"IMAD", "IMAD32I takes a number"},
        {"LOP",  "LOP32I takes a number" },
        {"FADD", "FADD32I takes a number"},
        {"FMUL", "FMUL32I takes a number"},
        {"FMAD", "FMAD32I takes a number"},
    };
    if (!p->takes_register) return NULL;
    const unsigned source = source_of(p);
    if (lexeme_is(p->found, "g") && source > 1)
        return "only the first source can be g [..]: exchange them, or MOV it to a register";
    if (lexeme_is(p->found, "c") && source == 1)
        return "the first source cannot be c [..]: exchange them, or MVC it to a register";
    if (p->found->kind != LEX_NUMBER || source == 0) return NULL;
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
    return "shared memory is g [0x10]; global memory: GLD.U32 R1, global14 [R2]";
}

/* Without the modifiers that say of what kind its operands are. */
static const char *kind(const struct place *p) {
    static const struct {
        const char *mnemonic, *help;
    } KIND[] = {
        {"GLD",  "write GLD.U32"                                             },
        {"GST",  "write GST.U32"                                             },
        {"LLD",  "write LLD.U32"                                             },
        {"LST",  "write LST.U32"                                             },
        {"R2G",  "write R2G.U32.U32"                                         },
        {"I2F",  "write I2F.F32.S32"                                         },
        {"F2I",  "write F2I.S32.F32"                                         },
        {"I2I",  "write I2I.S32.S32"                                         },
        {"F2F",  "write F2F.F32.F32"                                         },
        {"IMUL", "write IMUL.U16.U16 R1, R2L, R3L or IMUL.U24.U24 R1, R2, R3"},
        {"IMAD", "write IMAD.U16 R1, R2L, R3L, R4 or IMAD.U24 R1, R2, R3, R4"},
    };
    if (p->found != p->mnemonic + 1 || p->found->kind == LEX_MODIFIER) return NULL;
    if (lexeme_is(p->mnemonic, "BAR")) return "write BAR.ARV.WAIT b0, 0xfff";
    for (size_t i = 0; i < sizeof KIND / sizeof KIND[0]; i++)
        if (lexeme_is(p->mnemonic, KIND[i].mnemonic)) return KIND[i].help;
    return NULL;
}

static bool is_numbered(const struct lexeme *l, char name) {
    return l->kind == LEX_WORD && l->text_length > 1 && l->text[0] == name && isdigit((unsigned char)l->text[1]);
}

/* A name that no number has, as it is a register's. */
static const char *register_as_number(const struct place *p) {
    if (is_numbered(p->found, 'C') && is_flow(p->mnemonic)) return "a condition has a relation: BRA C0.NE, TARGET";
    if (!is_numbered(p->found, 'R') || !lexeme_is_punct(p->before, '[') || lexeme_is(p->before - 1, "o")) return NULL;
    return "an address here is a number, or an A register and a number: R2A A1, R2, then [A1+0x0]";
}

static const char *number(const struct place *p) {
    if (p->found->kind == LEX_MODIFIER && p->before->kind == LEX_NUMBER && isdigit((unsigned char)p->found->text[1]))
        return "floating point is written as its bits: 1.0 is 0x3f800000";
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

/* tid of %tid.x, too. */
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

/* @P0 BRA: the instruction stands behind it. */
static const char *guard_before(const struct lexeme *at) {
    const struct lexeme *l = at;
    while (l->kind != LEX_END && !is_flow(l)) l++;
    return l->kind == LEX_END ? GUARD : FLOW_GUARD;
}

static const char *alone(const struct place *p) {
    if (p->found != p->mnemonic) return NULL;
    if (lexeme_is_punct(p->found, '@')) return guard_before(p->found);
    if (lexeme_is_punct(p->found, '#')) return "a comment begins with //, a constant is .equ NAME = NUMBER";
    const struct lexeme *next = p->found + 1;
    if (p->found->kind == LEX_WORD && next->kind == LEX_WORD && isa_mnemonic_bytes(next->text, next->text_length) != 0)
        return "a label ends in ':'";
    return NULL;
}

const char *parse_help(const struct lexeme *mnemonic, const struct lexeme *found, bool takes_register) {
    static const char *(*const hints[])(const struct place *) = {
        alone,        foreign, foreign_operand, foreign_modifier,   no_room, guard_place, predicate, moves,
        bare_address, kind,    memory,          register_as_number, number,  sources};
    struct place p = {mnemonic, found, found > mnemonic ? found - 1 : found, takes_register};
    const char *text = NULL;
    for (size_t i = 0; i < sizeof hints / sizeof hints[0] && text == NULL; i++) text = hints[i](&p);
    return text;
}
