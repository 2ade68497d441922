/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts VHDL into tokens and reads the tokens in the place of a value. */
#include "vhdl_words.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { DEPTH_MAX = 64, WORD_BITS = 32, LONG_BITS = 64, TOO_MANY_BITS = 4096 };

/* TOKEN_OTHER: punctuation without meaning here. A TOKEN_BASED is a number such as 16#3f#. */
enum kind {
    TOKEN_END,
    TOKEN_LITERAL,
    TOKEN_BASED,
    TOKEN_NUMBER,
    TOKEN_NAME,
    TOKEN_ARROW,
    TOKEN_ASSIGN,
    TOKEN_COMMA,
    TOKEN_OPEN,
    TOKEN_CLOSE,
    TOKEN_JOIN,
    TOKEN_SEMICOLON,
    TOKEN_OTHER,
};

struct token {
    enum kind kind;
    const char *text;
    size_t length;
    unsigned bits;     /* literals */
    uint64_t value;    /* the last 64 bits */
    const char *fault; /* fault of the literal; NULL: none */
    bool weak;         /* it has digits such as Z, which are no bits */
};

/* An open pair of parentheses. */
struct table {
    size_t start;      /* in the text */
    bool is_call;      /* a name precedes it */
    bool has_words;    /* it contains words, not nested deeper */
    struct token call; /* the name before it, in the place of a word; no length: none */
    size_t words;      /* words read before it */
};

/* The text is read twice. The first reading finds the places of words: the parentheses that contain them, and the name
 * to which a case statement assigns them. */
struct reader {
    const struct vhdl_text *source;
    const char *at, *end;
    struct token token, next; /* the current token and the next one */
    bool searching;           /* the first reading */
    unsigned line;            /* of the last queried place; 0: none */
    const char *line_start;
    bool *is_table; /* by byte of the text: the parentheses that open here contain words */
    vhdl_word_taker *take;
    void *state;
    struct diag *diag;
    unsigned depth;
    struct table table[DEPTH_MAX];
    bool after_number, after_others, after_choice; /* the value has a choice: a number or literal, others, any */
    struct token target, word_target;              /* names left of an assignment: the last one, and that of words */
    struct token call;                             /* the name of a value, which is a call if a parenthesis follows */
    size_t words;                                  /* read so far */
};

/* ---------------------------------------------------------------------------------------------------------- tokens */

static bool is_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

static size_t name_length(const char *s, const char *end) {
    size_t n = 0;
    while (s + n < end && is_name(s[n])) n++;
    return n;
}

static void skip_blanks(struct reader *r) {
    while (r->at < r->end) {
        const bool line = r->end - r->at > 1 && memcmp(r->at, "--", 2) == 0;
        const bool block = r->end - r->at > 1 && memcmp(r->at, "/*", 2) == 0;
        const char *stop = r->at + 1;
        if (line) stop = memchr(r->at, '\n', (size_t)(r->end - r->at));
        if (block) stop = memmem(r->at, (size_t)(r->end - r->at), "*/", 2);
        if (!line && !block && !isspace((unsigned char)*r->at)) return;
        r->at = stop == NULL ? r->end : stop + (block ? 2 : 0);
    }
}

static unsigned digit_of(char c) {
    static const char DIGITS[] = "0123456789abcdef";
    const char *digit = c != '\0' ? strchr(DIGITS, tolower((unsigned char)c)) : NULL;
    return digit != NULL ? (unsigned)(digit - DIGITS) : 16;
}

/* The digits between the quotes; `width` bits each. */
static void add_digits(struct token *t, const char *s, size_t length, unsigned width) {
    for (size_t i = 0; i < length; i++) {
        const unsigned digit = digit_of(s[i]);
        if (s[i] == '_') continue;
        if (t->bits < TOO_MANY_BITS) t->bits += width;
        if (digit >> width == 0)
            t->value = t->value << width | digit;
        else if (strchr("uxzwlh-UXZWLH", s[i]) != NULL)
            t->weak = true;
        else
            t->fault = "a digit that its base does not have";
    }
}

/* The decimal digits between the quotes; as many bits as the value needs. */
static void add_decimals(struct token *t, const char *s, size_t length) {
    for (size_t i = 0; i < length; i++) {
        const unsigned digit = digit_of(s[i]);
        if (s[i] == '_') continue;
        if (digit > 9) t->fault = "a digit that its base does not have";
        if (t->value > (UINT64_MAX - digit) / 10) t->fault = "a number of more than 64 bits";
        t->value = t->value * 10 + digit;
    }
    while (t->bits < LONG_BITS && t->value >> t->bits != 0) t->bits++;
}

/* 12X"...": the digits are extended or truncated to the length. */
static void set_length(struct token *t, unsigned bits, bool sign) {
    const bool negative = sign && t->bits > 0 && t->bits <= LONG_BITS && (t->value >> (t->bits - 1) & 1) != 0;
    if (negative && t->bits < LONG_BITS) t->value |= UINT64_MAX << t->bits;
    if (bits < LONG_BITS) t->value &= ((uint64_t)1 << bits) - 1;
    t->bits = bits;
}

static unsigned width_of(char base) { return base == 'X' ? 4 : base == 'O' ? 3 : 1; }

/* The quote follows `prefix` bytes of length and base. */
static void read_bit_string(struct reader *r, struct token *t, size_t prefix) {
    const char *quote = r->at + prefix;
    const char *newline = memchr(quote, '\n', (size_t)(r->end - quote)), *stop = newline != NULL ? newline : r->end;
    const char *close = memchr(quote + 1, '"', (size_t)(stop - quote - 1));
    const char base = prefix > 0 ? (char)toupper((unsigned char)quote[-1]) : 'B';
    unsigned bits = 0;
    size_t digits = 0;
    for (; digits < prefix && isdigit((unsigned char)r->at[digits]); digits++)
        if (bits < TOO_MANY_BITS) bits = bits * 10 + digit_of(r->at[digits]);
    t->kind = TOKEN_LITERAL;
    if (close != NULL && base == 'D')
        add_decimals(t, quote + 1, (size_t)(close - quote - 1));
    else if (close != NULL)
        add_digits(t, quote + 1, (size_t)(close - quote - 1), width_of(base));
    else
        t->fault = "a literal without its second quote";
    if (digits > 0) set_length(t, bits, toupper((unsigned char)r->at[digits]) == 'S');
    r->at = close != NULL ? close + 1 : stop;
}

/* The length of the text before the quote of a bit string: "", "X", "sx", "32X". -1: none. */
static int literal_prefix(const char *s, const char *end) {
    static const char *const BASES[] = {"", "B", "O", "X", "UB", "UO", "UX", "SB", "SO", "SX", "D"};
    size_t length = name_length(s, end), digits = 0;
    if (s + length >= end || s[length] != '"') return -1;
    while (digits < length && isdigit((unsigned char)s[digits])) digits++;
    for (size_t i = 0; i < sizeof BASES / sizeof BASES[0]; i++) {
        const bool same =
            strlen(BASES[i]) == length - digits && strncasecmp(s + digits, BASES[i], length - digits) == 0;
        if (same && (digits == 0 || length > digits)) return (int)length;
    }
    return -1;
}

/* A string is a literal if it consists of 0, 1 and _. */
static bool is_text(const char *quote, const char *end) {
    const char *s = quote + 1;
    while (s < end && (*s == '0' || *s == '1' || *s == '_')) s++;
    return s >= end || *s != '"' || s == quote + 1;
}

static void skip_text(struct reader *r) {
    for (r->at++; r->at < r->end && *r->at != '"' && *r->at != '\n'; r->at++) continue;
    if (r->at < r->end) r->at++;
}

/* A number, decimal or 16#...# . */
static void read_number(struct reader *r, struct token *t) {
    size_t n = name_length(r->at, r->end);
    t->kind = TOKEN_NUMBER;
    if (r->at + n < r->end && r->at[n] == '#') {
        const size_t digits = name_length(r->at + n + 1, r->end);
        t->kind = TOKEN_BASED;
        if (strncmp(r->at, "16#", 3) != 0) t->fault = "a number of another base than 16";
        add_digits(t, r->at + n + 1, digits, 4);
        if (t->bits > WORD_BITS) t->fault = "a number of more than 32 bits";
        t->bits = WORD_BITS;
        n += 1 + digits;
        if (r->at + n < r->end && r->at[n] == '#') n++;
    }
    r->at += n;
}

static enum kind read_punctuation(struct reader *r) {
    static const struct {
        const char *text;
        enum kind kind;
    } KINDS[] = {
        {"=>", TOKEN_ARROW    },
        {"<=", TOKEN_ASSIGN   },
        {":=", TOKEN_ASSIGN   },
        {",",  TOKEN_COMMA    },
        {"(",  TOKEN_OPEN     },
        {")",  TOKEN_CLOSE    },
        {"&",  TOKEN_JOIN     },
        {";",  TOKEN_SEMICOLON}
    };
    const size_t left = (size_t)(r->end - r->at);
    for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; i++) {
        const size_t length = strlen(KINDS[i].text);
        if (left < length || memcmp(r->at, KINDS[i].text, length) != 0) continue;
        r->at += length;
        return KINDS[i].kind;
    }
    r->at += *r->at == '\'' && left > 2 && r->at[2] == '\'' ? 3 : 1; /* '"' is a character */
    return TOKEN_OTHER;
}

static struct token read_token(struct reader *r) {
    skip_blanks(r);
    struct token t = {.kind = TOKEN_END, .text = r->at};
    if (r->at == r->end) return t;
    const int prefix = literal_prefix(r->at, r->end);
    if (prefix > 0 || (prefix == 0 && !is_text(r->at, r->end))) {
        read_bit_string(r, &t, (size_t)prefix);
    } else if (prefix == 0) {
        t.kind = TOKEN_OTHER;
        skip_text(r);
    } else if (isdigit((unsigned char)*r->at)) {
        read_number(r, &t);
    } else if (is_name(*r->at)) {
        t.kind = TOKEN_NAME;
        r->at += name_length(r->at, r->end);
    } else {
        t.kind = read_punctuation(r);
    }
    t.length = (size_t)(r->at - t.text);
    return t;
}

static void advance(struct reader *r) {
    r->token = r->next;
    r->next = read_token(r);
}

static bool is_word(const struct token *t, const char *word) {
    return t->kind == TOKEN_NAME && t->length == strlen(word) && strncasecmp(t->text, word, t->length) == 0;
}

static bool is_mark(const struct token *t, const char *mark) {
    return t->kind == TOKEN_OTHER && t->length == strlen(mark) && memcmp(t->text, mark, t->length) == 0;
}

static bool is_same(const struct token *a, const struct token *b) {
    return a->length > 0 && a->length == b->length && strncasecmp(a->text, b->text, a->length) == 0;
}

/* ---------------------------------------------------------------------------------------------------------- values */

/* The line of a place, and its start. Places must be queried in order. */
static unsigned line_of(struct reader *r, const char *place, const char **start) {
    if (r->line == 0 || place < r->line_start) {
        r->line = r->source->first_line;
        r->line_start = r->source->text;
    }
    for (const char *newline; (newline = memchr(r->line_start, '\n', (size_t)(place - r->line_start))) != NULL;) {
        r->line_start = newline + 1;
        r->line++;
    }
    *start = r->line_start;
    return r->line;
}

static enum status refuse(struct reader *r, const struct token *t, const char *what) {
    const char *start;
    const unsigned line = line_of(r, t->text, &start);
    if (r->searching) return STATUS_OK;
    return diag_set(r->diag, STATUS_BAD_INPUT, r->source->path, line, (unsigned)(t->text - start) + 1,
                    "%s; an instruction word is a literal of 32 or 64 bits", what);
}

/* True if words are beside it. */
static bool is_in_table(const struct reader *r) { return r->table[r->depth].has_words && !r->table[r->depth].is_call; }

/* True if this place should hold a word. */
static bool is_code(const struct reader *r) {
    if (!r->after_choice) return is_in_table(r);
    if (!r->after_number) return false;
    return r->target.length == 0 ? r->depth == 0 || is_in_table(r)
                                 : r->word_target.length == 0 || is_same(&r->target, &r->word_target);
}

static enum status take_word(struct reader *r, const struct token *first, unsigned bits, uint64_t value) {
    const char *start;
    struct table *table = &r->table[r->depth];
    r->words++;
    if (!r->searching) return r->take(r->state, line_of(r, first->text, &start), bits, value);
    if (r->depth > 0) r->is_table[table->start] = true;
    if (r->word_target.length == 0) r->word_target = r->target;
    return STATUS_OK;
}

/* A binary operator. */
static bool is_operator(const struct token *t) {
    static const char *const WORDS[] = {"and", "or",  "xor", "nand", "nor", "xnor", "sll",
                                        "srl", "sla", "sra", "rol",  "ror", "mod",  "rem"};
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++)
        if (is_word(t, WORDS[i])) return true;
    return is_mark(t, "+") || is_mark(t, "-") || is_mark(t, "*") || is_mark(t, "/");
}

/* Literals that & joins. */
static enum status read_literals(struct reader *r) {
    struct token first = r->token, all = first;
    bool whole = true; /* it consists of literals alone */
    advance(r);
    while (r->token.kind == TOKEN_JOIN) {
        advance(r);
        whole = whole && r->token.kind == TOKEN_LITERAL;
        if (r->token.kind == TOKEN_LITERAL) {
            if (r->token.fault != NULL) all.fault = r->token.fault;
            all.weak = all.weak || r->token.weak;
            all.value = r->token.bits < LONG_BITS ? all.value << r->token.bits | r->token.value : r->token.value;
            all.bits += r->token.bits;
        }
        advance(r);
    }
    if (all.fault != NULL) return refuse(r, &first, all.fault);
    const bool choice = r->token.kind == TOKEN_ARROW || is_mark(&r->token, "|") || is_word(&r->token, "to");
    if (choice || (r->after_choice && r->after_others)) return STATUS_OK;
    if (is_operator(&r->token) && is_code(r)) return refuse(r, &first, "this is part of an expression");
    const bool fits = all.bits == WORD_BITS || all.bits == LONG_BITS;
    if (fits && whole && !all.weak) return take_word(r, &first, all.bits, all.value);
    if (!is_code(r)) return STATUS_OK;
    char bits[64];
    snprintf(bits, sizeof bits, "this has %u bit%s", all.bits, all.bits == 1 ? "" : "s");
    if (!whole) return refuse(r, &first, "this is joined with what is no literal");
    return refuse(r, &first, all.weak ? "this has digits that are no bits" : bits);
}

/* True if the value cannot be the beginning of a statement, as `rom` is in `when 3 => rom(3) <= x"30000003"`. */
static bool is_within(const struct reader *r, const struct token *before) {
    return r->depth > 0 || r->target.length > 0 || (r->source->is_fragment && before->kind != TOKEN_END);
}

/* A number or name in the place of a value. */
static enum status read_other_value(struct reader *r, const struct token *before) {
    const struct token value = r->token;
    const bool in_code = is_code(r) && is_within(r, before);
    const bool computed = r->after_choice && (is_operator(&r->next) || r->next.kind == TOKEN_LITERAL);
    const bool alone = r->next.kind == TOKEN_COMMA || r->next.kind == TOKEN_CLOSE || r->next.kind == TOKEN_SEMICOLON;
    const bool joined = r->next.kind == TOKEN_JOIN;
    r->call = in_code && value.kind == TOKEN_NAME ? value : (struct token){0};
    advance(r);
    if (computed && in_code) return refuse(r, &value, "this is part of an expression");
    if (joined && is_code(r)) return refuse(r, &value, "this is joined with what is no literal");
    if (!alone || is_word(&value, "null") || !is_code(r)) return STATUS_OK;
    if (value.kind == TOKEN_BASED && value.fault == NULL) return take_word(r, &value, WORD_BITS, value.value);
    return refuse(r, &value, value.fault != NULL ? value.fault : "not a literal");
}

/* A call in the place of a word contains words; otherwise it is an unsupported value. */
static enum status close_table(struct reader *r) {
    const struct table *table = &r->table[r->depth--];
    const bool is_choice = r->next.kind == TOKEN_ARROW || r->next.kind == TOKEN_ASSIGN; /* or a target */
    if (table->call.length == 0 || r->words > table->words || is_choice) return STATUS_OK;
    return refuse(r, &table->call, "not a literal");
}

static enum status open_or_close(struct reader *r, const struct token *before) {
    if (r->token.kind == TOKEN_CLOSE && r->depth > 0) return close_table(r);
    if (r->token.kind != TOKEN_OPEN || r->depth + 1 == DEPTH_MAX) return STATUS_OK;
    const size_t start = (size_t)(r->token.text - r->source->text);
    const bool is_call = before->kind == TOKEN_NAME && !is_word(before, "of");
    r->table[++r->depth] = (struct table){start, is_call, r->is_table[start], {0}, r->words};
    if (r->call.length > 0 && before->text == r->call.text) r->table[r->depth].call = *before;
    return STATUS_OK;
}

/* Notes what the token, which is no value, tells about the following value. */
static void note_choice(struct reader *r, const struct token *before) {
    switch (r->token.kind) {
    case TOKEN_ARROW:
        r->after_choice = true;
        r->after_number = before->kind == TOKEN_NUMBER || before->kind == TOKEN_BASED || before->kind == TOKEN_LITERAL;
        r->after_others = is_word(before, "others");
        r->target = (struct token){0};
        break;
    case TOKEN_ASSIGN: r->target = *before; break;
    case TOKEN_COMMA:
    case TOKEN_OPEN:
    case TOKEN_SEMICOLON: r->after_choice = false; break;
    default: break;
    }
}

/* True if a value follows the token, or the beginning of the text; literals elsewhere are choices, or operands of a
 * comparison. */
static bool begins_value(const struct token *before) {
    switch (before->kind) {
    case TOKEN_END:
    case TOKEN_ARROW:
    case TOKEN_ASSIGN:
    case TOKEN_COMMA:
    case TOKEN_OPEN: return true;
    default: return is_word(before, "return") || is_word(before, "else");
    }
}

static enum status read_all(struct reader *r) {
    struct token before = {.kind = TOKEN_END};
    enum status status = STATUS_OK;
    r->at = r->source->text;
    r->depth = 0;
    r->call = (struct token){0};
    r->table[0] = (struct table){.has_words = r->source->is_fragment};
    r->after_choice = false;
    r->target = (struct token){0};
    r->next = read_token(r);
    for (advance(r); r->token.kind != TOKEN_END && status == STATUS_OK;) {
        const bool at_value = begins_value(&before);
        const struct token token = r->token;
        if (token.kind == TOKEN_LITERAL && at_value) {
            status = read_literals(r);
        } else if (at_value && (token.kind == TOKEN_NAME || token.kind == TOKEN_NUMBER || token.kind == TOKEN_BASED)) {
            status = read_other_value(r, &before);
        } else {
            status = open_or_close(r, &before);
            note_choice(r, &before);
            advance(r);
        }
        before = token;
    }
    return status;
}

enum status vhdl_words_read(const struct vhdl_text *source, vhdl_word_taker *take, void *state, struct diag *d) {
    struct reader r = {.source = source, .end = source->text + source->size, .take = take, .state = state, .diag = d};
    r.is_table = calloc(source->size + 1, sizeof *r.is_table);
    if (r.is_table == NULL) return diag_set(d, STATUS_NO_MEMORY, source->path, 0, 0, "out of memory");
    r.searching = true;
    read_all(&r);
    r.searching = false;
    const enum status status = read_all(&r);
    free(r.is_table);
    return status;
}

bool vhdl_words_has_literal(const char *line, size_t length) {
    struct reader r = {.at = line, .end = line + length};
    for (;;) {
        const struct token t = read_token(&r);
        if (t.kind == TOKEN_END) return false;
        if (t.kind == TOKEN_LITERAL && (*t.text != '"' || t.bits == WORD_BITS || t.bits == LONG_BITS)) return true;
    }
}
