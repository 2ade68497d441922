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
    bool flow = lexeme_is(p->mnemonic, "BRA") || lexeme_is(p->mnemonic, "RET") || lexeme_is(p->mnemonic, "BRK");
    if (flow && (lexeme_is_punct(p->found, '(') || lexeme_is_punct(p->before, '(')))
        return "flow instructions have their guard first and bare: BRA C0.NE, TARGET";
    return NULL;
}

static const char *moves(const struct place *p) {
    if (!lexeme_is(p->mnemonic, "MOV")) return NULL;
    if (is_number(p->found) && lexeme_is_punct(p->before, ',')) return "MVI takes a number";
    return lexeme_is(p->found, "c") ? "MVC takes a constant" : NULL;
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

static const char *memory(const struct place *p) {
    if (lexeme_is(p->found, "global")) return "write global14";
    if (lexeme_is_punct(p->found, '+') && p->before->kind == LEX_WORD && begins_with(p->before, "R"))
        return "a global address is one register: add the offset to it first";
    if (lexeme_is_punct(p->found, '#')) return "numbers are written without '#'";
    return NULL;
}

static const char *foreign(const struct place *p) {
    static const struct {
        const char *name, *help;
    } FOREIGN[] = {
#define FOREIGN(name, help) {name, help},
#include "dialects.def"
#undef FOREIGN
    };
    if (p->found != p->mnemonic || p->found->kind != LEX_WORD) return NULL;
    for (size_t i = 0; i < sizeof FOREIGN / sizeof FOREIGN[0]; i++)
        if (is_same(p->found, FOREIGN[i].name)) return FOREIGN[i].help;
    return NULL;
}

static const char *alone(const struct place *p) {
    if (p->found != p->mnemonic) return NULL;
    if (lexeme_is_punct(p->found, '@')) return "a guard stands behind the first operand: MOV R1 (C0.NE), R2";
    const struct lexeme *next = p->found + 1;
    if (p->found->kind == LEX_WORD && next->kind == LEX_WORD && isa_mnemonic_bytes(next->text, next->text_length) != 0)
        return "a label ends in ':'";
    return NULL;
}

const char *parse_help(const struct lexeme *mnemonic, const struct lexeme *found, bool takes_register) {
    static const char *(*const hints[])(const struct place *) = {alone, foreign, no_room, guard_place,
                                                                 moves, memory,  sources};
    struct place p = {mnemonic, found, found > mnemonic ? found - 1 : found, takes_register};
    const char *text = NULL;
    for (size_t i = 0; i < sizeof hints / sizeof hints[0] && text == NULL; i++) text = hints[i](&p);
    return text;
}
