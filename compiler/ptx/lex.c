/* SPDX-License-Identifier: Apache-2.0 */
/* Splits PTX text into tokens, see lex.h. */
#include "lex.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static bool is_word_char(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%' || c == '.'; }

struct cc_place ptx_place(const struct ptx_lexer *lexer) {
    return (struct cc_place){lexer->token.line, lexer->token.column, lexer->file, lexer->source_line,
                             lexer->source_column};
}

void ptx_fail(const struct ptx_lexer *lexer, const char *format, ...) {
    char text[300];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const struct cc_place at = {.line = lexer->token.line, .column = lexer->token.column};
    cc_fail(lexer->cc, &at, "%s", text);
}

static void begin_line(struct ptx_lexer *lexer) {
    lexer->line++;
    lexer->line_start = lexer->at + 1;
}

static uint32_t column_of(const struct ptx_lexer *lexer, const char *at) {
    return (uint32_t)(at - lexer->line_start) + 1;
}

static void skip_comment(struct ptx_lexer *lexer) {
    const struct cc_place start = {.line = lexer->line, .column = column_of(lexer, lexer->at)};
    lexer->at += 2;
    while (lexer->end - lexer->at >= 2 && !(lexer->at[0] == '*' && lexer->at[1] == '/')) {
        if (*lexer->at == '\n') begin_line(lexer);
        lexer->at++;
    }
    if (lexer->end - lexer->at < 2) cc_fail(lexer->cc, &start, "unterminated comment");
    lexer->at += 2;
}

/* Skips a comment to the end of its line. */
static void skip_line(struct ptx_lexer *lexer) {
    static const char BEGIN[] = "// begin inline asm", END[] = "// end inline asm";
    const char *start = lexer->at;
    const char *end = memchr(start, '\n', (size_t)(lexer->end - start));
    lexer->at = end != NULL ? end : lexer->end;
    const size_t length = (size_t)(lexer->at - start);
    if (length == strlen(BEGIN) && memcmp(start, BEGIN, length) == 0) lexer->in_assembly = true;
    if (length == strlen(END) && memcmp(start, END, length) == 0) lexer->in_assembly = false;
}

static void skip_blanks(struct ptx_lexer *lexer) {
    while (lexer->at < lexer->end) {
        const char c = *lexer->at, next = lexer->end - lexer->at > 1 ? lexer->at[1] : '\0';
        if (c == '/' && next == '/') {
            skip_line(lexer);
        } else if (c == '/' && next == '*') {
            skip_comment(lexer);
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v') {
            if (c == '\n') begin_line(lexer);
            lexer->at++;
        } else {
            return;
        }
    }
}

static void lex_string(struct ptx_lexer *lexer) {
    const char *start = ++lexer->at;
    while (lexer->at < lexer->end && *lexer->at != '"' && *lexer->at != '\n') {
        if (*lexer->at == '\\' && lexer->end - lexer->at > 1) lexer->at++;
        lexer->at++;
    }
    if (lexer->at >= lexer->end || *lexer->at != '"') ptx_fail(lexer, "unterminated string");
    lexer->token.kind = PTX_STRING;
    lexer->token.text = start;
    lexer->token.length = (uint32_t)(lexer->at - start);
    lexer->at++;
}

/* Returns whether a sign is that of an exponent, as in 1e-5. */
static bool is_exponent(const char *start, const char *at) {
    return at > start && (at[-1] == 'e' || at[-1] == 'E') &&
           !(start[0] == '0' && at - start > 1 && isalpha((unsigned char)start[1]));
}

static void lex_word(struct ptx_lexer *lexer, bool is_number) {
    const char *start = lexer->at;
    while (lexer->at < lexer->end &&
           ((is_word_char(*lexer->at) && (!is_number || *lexer->at != '%')) ||
            (is_number && (*lexer->at == '-' || *lexer->at == '+') && is_exponent(start, lexer->at))))
        lexer->at++;
    lexer->token.length = (uint32_t)(lexer->at - start);
    lexer->token.kind = is_number ? PTX_NUMBER : PTX_WORD;
    if (*start == '%' && lexer->token.length == 1) lexer->token.kind = PTX_PUNCTUATION;
}

void ptx_next(struct ptx_lexer *lexer) {
    skip_blanks(lexer);
    lexer->token = (struct ptx_token){PTX_END, lexer->at, 0, lexer->line, column_of(lexer, lexer->at)};
    if (lexer->at >= lexer->end) return;
    const char c = *lexer->at, next = lexer->end - lexer->at > 1 ? lexer->at[1] : '\0';
    if (c == '"') {
        lex_string(lexer);
    } else if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)next))) {
        lex_word(lexer, true);
    } else if (is_word_char(c)) {
        lex_word(lexer, false);
    } else if (c == '\0' || (unsigned char)c >= 0x80 || !ispunct((unsigned char)c)) {
        ptx_fail(lexer, "unexpected byte 0x%02x", (unsigned)(unsigned char)c);
    } else {
        lexer->token.kind = PTX_PUNCTUATION;
        lexer->token.length = 1;
        lexer->at++;
    }
}

void ptx_lex_init(struct ptx_lexer *lexer, struct cc *cc, const char *text, size_t size) {
    *lexer = (struct ptx_lexer){.cc = cc, .at = text, .end = text + size, .line_start = text, .line = 1};
    ptx_next(lexer);
}

bool ptx_is(const struct ptx_lexer *lexer, const char *text) {
    const struct ptx_token *t = &lexer->token;
    return (t->kind == PTX_WORD || t->kind == PTX_PUNCTUATION) && strlen(text) == t->length &&
           memcmp(text, t->text, t->length) == 0;
}

bool ptx_accept(struct ptx_lexer *lexer, const char *text) {
    if (!ptx_is(lexer, text)) return false;
    ptx_next(lexer);
    return true;
}

void ptx_expect(struct ptx_lexer *lexer, const char *text) {
    const struct ptx_token *t = &lexer->token;
    if (ptx_accept(lexer, text)) return;
    if (t->kind == PTX_END) ptx_fail(lexer, "expected '%s', but the text ends", text);
    ptx_fail(lexer, "expected '%s', not '%.*s'", text, (int)(t->length < 60 ? t->length : 60), t->text);
}

static uint64_t float_bits(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

struct ptx_constant ptx_read_number(struct ptx_lexer *lexer) {
    const struct ptx_token *t = &lexer->token;
    char text[64], *end = text;
    if (t->kind != PTX_NUMBER || t->length >= sizeof text)
        ptx_fail(lexer, "expected a number, not '%.*s'", (int)(t->length < 60 ? t->length : 60), t->text);
    memcpy(text, t->text, t->length);
    text[t->length] = '\0';
    const char kind = text[0] == '0' ? (char)tolower((unsigned char)text[1]) : '\0';
    struct ptx_constant c = {0};
    if (kind == 'f' || kind == 'd') {
        c.is_float = true;
        c.single = kind == 'f';
        c.value = strtoull(text + 2, &end, 16);
        if (t->length != (c.single ? 10 : 18)) end = text;
    } else if (kind != 'x' && kind != 'b' && (strpbrk(text, ".eE") != NULL)) {
        c.is_float = true;
        c.value = float_bits(strtod(text, &end));
    } else {
        errno = 0;
        c.value = kind == 'b' ? strtoull(text + 2, &end, 2) : strtoull(text, &end, 0);
        if (errno != 0 || (kind == 'b' && end == text + 2)) end = text; /* beyond 64 bits; no digits */
        c.is_unsigned = *end == 'U' || c.value >> 63 != 0;
        if (*end == 'U') end++;
    }
    if (*end != '\0' || end == text) ptx_fail(lexer, "'%s' is not a number", text);
    ptx_next(lexer);
    return c;
}

uint32_t ptx_read_count(struct ptx_lexer *lexer, uint32_t most) {
    if (lexer->token.kind != PTX_NUMBER) ptx_fail(lexer, "expected a number");
    const struct ptx_lexer before = *lexer;
    const struct ptx_constant c = ptx_read_number(lexer);
    if (c.is_float || c.value > most) ptx_fail(&before, "expected a number up to %u", (unsigned)most);
    return (uint32_t)c.value;
}
