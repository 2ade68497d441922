/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the error message for the text of an instruction: the text found, the text expected, and the likely
 * intention. */
#include "parse_error.h"

#include <stdio.h>
#include <string.h>

#include "parse_help.h"

/* expected words */

/* Words that are possible at a place, each once. */
struct choices {
    char word[96][40];
    size_t count;
};

static void add_choice(struct choices *c, const char *word, size_t length) {
    if (length == 0 || length >= sizeof c->word[0] || c->count == sizeof c->word / sizeof c->word[0]) return;
    for (size_t i = 0; i < c->count; i++)
        if (strlen(c->word[i]) == length && memcmp(c->word[i], word, length) == 0) return;
    memcpy(c->word[c->count], word, length);
    c->word[c->count++][length] = '\0';
}

static void add_spellings(struct choices *c, const struct field *f) {
    for (uint32_t v = 0; v < (uint32_t)1 << field_width(f); v++) {
        size_t length;
        const char *s = field_spelling(f, v, &length);
        if (s != NULL) add_choice(c, s, length);
    }
}

static const char *describe_field(const struct field *f) {
    switch ((enum field_kind)f->kind) {
    case KIND_REG32:
    case KIND_REG16B: return "a register";
    case KIND_REG16: return "a half register";
    case KIND_HEX:
    case KIND_SHEX: return "a number";
    case KIND_TARGET: return "an address or label";
    case KIND_SHIFT: return "','";
    case KIND_LANE: return ".LANE0 ... .LANEf";
    case KIND_AREG: return "an A register";
    case KIND_CREG: return "a C register";
    case KIND_SREG: return "a special register SRn";
    case KIND_BARRIER: return "a barrier bn";
    default: return "";
    }
}

static const char *describe(const struct token *token) {
    switch ((enum token_kind)token->kind) {
    case TOKEN_END: return "the end of the instruction";
    case TOKEN_TEXT: return derived_text[token->text] == ',' ? "','" : derived_text + token->text;
    case TOKEN_FIELD: return describe_field(&isa_fields[token->field]);
    case TOKEN_BARS: return "'|'";
    case TOKEN_JOIN: return ".S";
    case TOKEN_SET_C: return ".C0 ... .C3";
    case TOKEN_CARRY: return ".CARRY0 ... .CARRY3";
    case TOKEN_GUARD: return "a guard (Cn.COND)";
    case TOKEN_GUARD_BRA:
    case TOKEN_GUARD_RET: return "a guard Cn.COND";
    case TOKEN_DEST: return "o [0x7f]";
    case TOKEN_SHARED:
    case TOKEN_SHARED_CELL: return "g [..]";
    case TOKEN_CONST:
    case TOKEN_CONST_FAR: return "c [..] [..]";
    case TOKEN_LOCAL: return "local [..]";
    case TOKEN_GLOBAL: return "global14 [..]";
    }
    return "";
}

/* All choices at the furthest place that are modifiers, or all that are not. */
static void collect(const struct parse *p, bool modifiers, struct choices *choices) {
    struct choices all = {.count = 0};
    for (size_t i = 0; i < p->expected_count; i++) {
        const struct token *token = &p->expected[i];
        const struct field *f = &isa_fields[token->field];
        bool after_operand = p->furthest > 0 && lexeme_is_punct(&p->lex[p->furthest - 1], ']');
        if (token->kind == TOKEN_DEST) add_choice(&all, describe_field(f), strlen(describe_field(f)));
        if ((token->kind == TOKEN_FIELD && f->kind == KIND_ENUM) || (token->kind == TOKEN_SHARED && after_operand))
            add_spellings(&all, f);
        else
            add_choice(&all, describe(token), strlen(describe(token)));
    }
    choices->count = 0;
    for (size_t i = 0; i < all.count; i++)
        if ((all.word[i][0] == '.') == modifiers) add_choice(choices, all.word[i], strlen(all.word[i]));
}

static void join_choices(const struct choices *c, char *text, size_t size) {
    size_t at = 0;
    text[0] = '\0';
    for (size_t i = 0; i < c->count && at < size; i++) {
        const char *separator = i == 0 ? "" : i + 1 == c->count ? " or " : ", ";
        at += (size_t)snprintf(text + at, size - at, "%s%s", separator, c->word[i]);
    }
}

/* The only word that is nearest to the text found. Short names are close to each other (BGT is not BPT, LOG is not
 * LOP): a one-letter slip needs a minimum length. */
struct guess {
    unsigned letters;
    const char *word; /* NULL: none, or several */
    unsigned distance;
};
enum { LETTERS_OF_CHOICE = 3, LETTERS_OF_MNEMONIC = 4, FAR = 3 };

/* .U32, .F64: a type is written on purpose, so that another type is no guess; .S23 is a slip. */
static bool is_type(const struct lexeme *l) {
    static const char *const BITS[] = {"8", "16", "24", "32", "64", "128"};
    if (l->kind != LEX_MODIFIER || l->text_length < 3 || strchr("USBF", l->text[1]) == NULL) return false;
    for (size_t i = 0; i < sizeof BITS / sizeof BITS[0]; i++)
        if (l->text_length - 2 == strlen(BITS[i]) && memcmp(l->text + 2, BITS[i], strlen(BITS[i])) == 0) return true;
    return false;
}

static void consider(struct guess *guess, const char *word, const struct lexeme *found) {
    const unsigned distance = lex_edit_distance(found->text, found->text_length, word, strlen(word));
    const unsigned letters = found->text_length - (found->kind == LEX_MODIFIER ? 1 : 0);
    if (distance == FAR || distance > guess->distance || distance * guess->letters > letters) return;
    if (distance != 0 && is_type(found)) return;
    guess->word = distance < guess->distance ? word : NULL;
    guess->distance = distance;
}

static void suggest(const struct guess *guess, struct isa_error *error) {
    if (guess->word != NULL) snprintf(error->help, sizeof error->help, "did you mean '%s'?", guess->word);
}

static void suggest_choice(const struct choices *c, const struct lexeme *found, struct isa_error *error) {
    struct guess guess = {LETTERS_OF_CHOICE, NULL, FAR};
    for (size_t i = 0; i < c->count; i++) consider(&guess, c->word[i], found);
    suggest(&guess, error);
}

static void suggest_operand_width(const struct choices *c, const struct lexeme *found, struct isa_error *error) {
    if (found->kind != LEX_WORD || found->text_length < 2) return;
    if (found->text[0] == 'r' && found->text[1] >= '0' && found->text[1] <= '9')
        snprintf(error->help, sizeof error->help, "registers are upper case: R%.*s", (int)found->text_length - 1,
                 found->text + 1);
    if (found->text[0] != 'R') return;
    char last = found->text[found->text_length - 1];
    bool half = last == 'L' || last == 'H';
    for (size_t i = 0; i < c->count; i++) {
        if (!half && strcmp(c->word[i], "a half register") == 0)
            snprintf(error->help, sizeof error->help, "write %.*sL or %.*sH", (int)found->text_length, found->text,
                     (int)found->text_length, found->text);
        if (half && strcmp(c->word[i], "a register") == 0)
            snprintf(error->help, sizeof error->help, "write %.*s", (int)found->text_length - 1, found->text);
    }
}

/* A hint is more useful than the nearest name. */
static void add_help(const struct choices *c, const struct lexeme *mnemonic, const struct lexeme *found,
                     struct isa_error *error) {
    bool takes_register = strstr(error->text, " is out of range R0") != NULL;
    for (size_t i = 0; i < c->count; i++)
        takes_register |= strcmp(c->word[i], "a register") == 0 || strcmp(c->word[i], "a half register") == 0;
    const char *help = parse_help(mnemonic, found, takes_register);
    if (help != NULL) snprintf(error->help, sizeof error->help, "%s", help);
}

void parse_word_error(struct parse *p, const struct lexeme *mnemonic) {
    const struct lexeme *found = &p->lex[p->furthest];
    struct choices choices;
    if (p->has_message) {
        collect(p, found->kind == LEX_MODIFIER, &choices);
        suggest_choice(&choices, found, p->error);
        add_help(&choices, mnemonic, found, p->error);
        return;
    }
    char list[200];
    int name = (int)mnemonic->text_length;
    collect(p, found->kind == LEX_MODIFIER, &choices);
    join_choices(&choices, list, sizeof list);
    if (found->kind == LEX_MODIFIER && choices.count == 0) {
        lex_error(p->error, found, "modifier '%.*s' is not allowed here", (int)found->text_length, found->text);
    } else if (found->kind == LEX_MODIFIER) {
        lex_error(p->error, found, "unknown modifier '%.*s' on %.*s; expected %s", (int)found->text_length, found->text,
                  name, mnemonic->text, list);
    } else if (found->kind == LEX_END) {
        collect(p, false, &choices);
        join_choices(&choices, list, sizeof list);
        if (choices.count == 0) {
            collect(p, true, &choices);
            join_choices(&choices, list, sizeof list);
        }
        lex_error(p->error, found, "%.*s is not complete; expected %s", name, mnemonic->text, list);
    } else {
        if (choices.count == 0) collect(p, true, &choices);
        join_choices(&choices, list, sizeof list);
        lex_error(p->error, found, "expected %s, found '%.*s'", list, (int)found->text_length, found->text);
    }
    suggest_choice(&choices, found, p->error);
    if (p->error->help[0] == '\0') suggest_operand_width(&choices, found, p->error);
    add_help(&choices, mnemonic, found, p->error);
}

void parse_word_unknown(const struct lexeme *word, struct isa_error *error) {
    static const struct choices none = {.count = 0};
    if (word->kind != LEX_WORD) {
        lex_error(error, word,
                  word->kind == LEX_END ? "expected an instruction" : "expected an instruction, found '%.*s'",
                  (int)word->text_length, word->text);
        add_help(&none, word, word, error);
        return;
    }
    lex_error(error, word, "unknown instruction '%.*s'", (int)word->text_length, word->text);
    error->kind = ISA_ERROR_UNKNOWN_INSTRUCTION;
    struct guess guess = {LETTERS_OF_MNEMONIC, NULL, FAR};
    for (size_t i = 0; i < derived_mnemonics_count; i++)
        consider(&guess, derived_text + derived_mnemonics[i].text, word);
    suggest(&guess, error);
    add_help(&none, word, word, error);
}
