/* SPDX-License-Identifier: Apache-2.0 */
/* What people mean who write SASS as they would another assembler: hints for mistakes that no nearest name explains. */
#include "parse_help.h"

#include <stdio.h>
#include <string.h>

#include "mnemonic.h"

struct place {
    const struct lexeme *mnemonic, *found;
    const struct lexeme *before; /* found's predecessor */
};

static bool ends_in(const struct lexeme *l, const char *suffix) {
    size_t n = strlen(suffix);
    return l->text_length > n && memcmp(l->text + l->text_length - n, suffix, n) == 0;
}

static bool begins_with(const struct lexeme *l, const char *prefix) {
    size_t n = strlen(prefix);
    return l->text_length >= n && memcmp(l->text, prefix, n) == 0;
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

static const char *memory(const struct place *p) {
    if (lexeme_is(p->found, "global")) return "write global14";
    if (lexeme_is_punct(p->found, '+') && p->before->kind == LEX_WORD && begins_with(p->before, "R"))
        return "a global address is one register: add the offset to it first";
    if (lexeme_is_punct(p->found, '#')) return "numbers are written without '#'";
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

const char *parse_help(const struct lexeme *mnemonic, const struct lexeme *found) {
    static const char *(*const hints[])(const struct place *) = {alone, no_room, guard_place, moves, memory};
    struct place p = {mnemonic, found, found > mnemonic ? found - 1 : found};
    const char *text = NULL;
    for (size_t i = 0; i < sizeof hints / sizeof hints[0] && text == NULL; i++) text = hints[i](&p);
    return text;
}
