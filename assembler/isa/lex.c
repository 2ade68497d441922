/* SPDX-License-Identifier: Apache-2.0 */
/* Lexemes and expressions. */
#include "lex.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../base/characters.h"

enum { EXPRESSION_DEPTH_MAX = 64 };

const char lex_floating_point[] = "floating point is written as its bits, 0x3f800000 for 1.0: MVI R1, 0x3f800000";

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool lexeme_is(const struct lexeme *l, const char *text) {
    return l->text_length == strlen(text) && memcmp(l->text, text, l->text_length) == 0;
}

void lex_error(struct isa_error *error, const struct lexeme *l, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    error->kind = ISA_ERROR_OTHER;
    error->help[0] = '\0';
    error->start = l->start;
    error->length = l->length;
}

static bool same_letter(char a, char b) {
    bool letters = is_letter(a) && is_letter(b) && a != '_' && b != '_' && a != '$' && b != '$';
    return a == b || (letters && (a | 32) == (b | 32));
}

unsigned lex_edit_distance(const char *a, size_t a_length, const char *b, size_t b_length) {
    enum { LENGTH_MAX = 32 };
    unsigned row[LENGTH_MAX + 1];
    if (a_length > LENGTH_MAX || b_length > LENGTH_MAX || a_length > b_length + 2 || b_length > a_length + 2) return 3;
    for (unsigned j = 0; j <= b_length; j++) row[j] = j;
    for (unsigned i = 1; i <= a_length; i++) {
        unsigned diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            unsigned best = diagonal + (same_letter(a[i - 1], b[j - 1]) ? 0 : 1);
            diagonal = row[j];
            if (row[j] + 1 < best) best = row[j] + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            row[j] = best;
        }
    }
    return row[b_length] < 3 ? row[b_length] : 3;
}

/* ---- lexemes ---- */

struct lexer {
    const char *text;
    size_t length, at;
    struct isa_error *error;
};

static char peek(const struct lexer *x, size_t ahead) {
    return x->at + ahead < x->length ? x->text[x->at + ahead] : '\0';
}

/* Spaces, tabs, and both kinds of comment. False if a comment has no end. */
static bool skip_blanks(struct lexer *x) {
    for (;;) {
        char c = peek(x, 0);
        if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
            x->at++;
        } else if (c == '/' && peek(x, 1) == '/') {
            x->at = x->length;
        } else if (c == '/' && peek(x, 1) == '*') {
            struct lexeme open = {.start = (uint32_t)x->at, .length = 2};
            for (x->at += 2; !(peek(x, 0) == '*' && peek(x, 1) == '/'); x->at++) {
                if (x->at < x->length) continue;
                lex_error(x->error, &open, "comment is never closed");
                return false;
            }
            x->at += 2;
        } else {
            return true;
        }
    }
}

static size_t word_length(const struct lexer *x, size_t from) {
    size_t n = from;
    while (is_letter(peek(x, n)) || is_digit(peek(x, n))) n++;
    return n;
}

static bool lex_number(struct lexer *x, struct lexeme *l) {
    unsigned base = 10;
    size_t at = 0;
    if (l->text_length > 2 && l->text[0] == '0' && (l->text[1] == 'x' || l->text[1] == 'X')) base = 16;
    if (l->text_length > 2 && l->text[0] == '0' && (l->text[1] == 'b' || l->text[1] == 'B')) base = 2;
    if (base != 10) at = 2;
    uint64_t value = 0;
    for (; at < l->text_length; at++) {
        char c = l->text[at];
        unsigned digit = is_digit(c) ? (unsigned)(c - '0') : (unsigned)((c | 32) - 'a') + 10;
        if (c == '_' || c == '$' || digit >= base) {
            lex_error(x->error, l, "malformed number '%.*s'", (int)l->text_length, l->text);
            if (base == 10 && (digit == 0xe || digit == 0xf))
                snprintf(x->error->help, sizeof x->error->help, "%s", lex_floating_point);
            return false;
        }
        value = value * base + digit;
        if (value > UINT32_MAX) {
            lex_error(x->error, l, "number does not fit in 32 bits");
            return false;
        }
    }
    l->value = (uint32_t)value;
    return true;
}

static bool lex_string(struct lexer *x, struct lexeme *l) {
    size_t n = 1;
    while (peek(x, n) != '"') {
        if (x->at + n >= x->length) {
            lex_error(x->error, l, "string is never closed");
            return false;
        }
        n++;
    }
    l->text++;
    l->text_length = (uint32_t)n - 1;
    l->length = (uint32_t)n + 1;
    return true;
}

/* `(.L_1) of nvdisasm: the name. */
static bool lex_quoted_name(struct lexer *x, struct lexeme *l) {
    size_t n = 2;
    while (is_letter(peek(x, n)) || is_digit(peek(x, n)) || peek(x, n) == '.') n++;
    l->kind = LEX_WORD;
    l->text += 2;
    l->text_length = (uint32_t)n - 2;
    l->length = (uint32_t)n + 1;
    if (peek(x, 1) == '(' && n > 2 && peek(x, n) == ')') return true;
    l->length = 1;
    lex_error(x->error, l, "expected `(LABEL)");
    return false;
}

/* |g| [0x4].U16 of gpgpu-sim means |g [0x4].U16|: the second bar moves behind the operand. */
static void move_bar(struct lexeme *lex, size_t count) {
    for (size_t i = 0; i + 4 < count; i++) {
        const bool g = lexeme_is(&lex[i + 1], "g"), c = lexeme_is(&lex[i + 1], "c");
        if (!lexeme_is_punct(&lex[i], '|') || lex[i + 1].kind != LEX_WORD || !(g || c)) continue;
        if (!lexeme_is_punct(&lex[i + 2], '|') || !lexeme_is_punct(&lex[i + 3], '[')) continue;
        size_t end = i + 3;
        for (unsigned groups = g ? 1 : 2; groups > 0 && end < count; end++)
            if (lexeme_is_punct(&lex[end], ']')) groups--;
        while (end < count && lex[end].kind == LEX_MODIFIER) end++;
        const struct lexeme bar = lex[i + 2];
        memmove(&lex[i + 2], &lex[i + 3], (end - i - 3) * sizeof *lex);
        lex[end - 1] = bar;
    }
}

static bool lex_one(struct lexer *x, const struct isa_scope *scope, struct lexeme *l) {
    char c = peek(x, 0);
    *l = (struct lexeme){.text = x->text + x->at, .start = (uint32_t)x->at, .length = 1, .kind = LEX_PUNCT};
    if (x->at >= x->length) {
        l->kind = LEX_END;
        l->length = 0;
    } else if (is_letter(c) || is_digit(c)) {
        l->kind = is_letter(c) ? LEX_WORD : LEX_NUMBER;
        l->length = (uint32_t)word_length(x, 0);
    } else if (c == '.' && (is_letter(peek(x, 1)) || is_digit(peek(x, 1)))) {
        l->kind = LEX_MODIFIER;
        l->length = (uint32_t)word_length(x, 1);
    } else if (c == '"') {
        l->kind = LEX_STRING;
    }
    l->text_length = l->length;
    char name[CHARACTERS_MAX];
    const size_t bytes = characters_name(l->text, x->length - x->at, name);
    if (bytes > 0) {
        l->length = (uint32_t)bytes;
        lex_error(x->error, l, "%s", name);
        return false;
    }
    if (c == '`' && !lex_quoted_name(x, l)) return false;
    if (c == '\\' && l->kind == LEX_PUNCT) {
        l->length = (uint32_t)word_length(x, 1);
        lex_error(x->error, l, "'%.*s' is not a parameter here", (int)l->length, l->text);
        return false;
    }
    if (l->kind == LEX_NUMBER && !lex_number(x, l)) return false;
    if (l->kind == LEX_STRING && !lex_string(x, l)) return false;
    x->at += l->length;

    struct isa_symbol symbol;
    if (l->kind == LEX_WORD && scope != NULL && scope->find(scope->state, l->text, l->text_length, &symbol) &&
        symbol.is_word) {
        l->text = symbol.word;
        l->text_length = (uint32_t)symbol.word_length;
    }
    return true;
}

size_t lex_line(const char *text, size_t length, const struct isa_scope *scope, struct lexeme *lex, size_t max,
                struct isa_error *error) {
    struct lexer x = {text, length, 0, NULL};
    x.error = error; /* apart: cppcheck takes it for a read in an initialiser */
    for (size_t n = 0; n < max; n++) {
        if (!skip_blanks(&x) || !lex_one(&x, scope, &lex[n])) return 0;
        if (lex[n].kind != LEX_END) continue;
        move_bar(lex, n);
        return n + 1;
    }
    lex_error(error, &lex[max - 1], "line is too long");
    return 0;
}

/* ---- expressions ---- */

struct expression {
    const struct lexeme *lex;
    size_t at;
    const struct isa_scope *scope;
    struct isa_error *error;
    unsigned depth;
};

static bool parse_binary(struct expression *x, unsigned precedence, int64_t *value);

static bool parse_name(struct expression *x, int64_t *value) {
    const struct lexeme *l = &x->lex[x->at];
    struct isa_symbol symbol;
    if (x->scope == NULL || !x->scope->find(x->scope->state, l->text, l->text_length, &symbol) || symbol.is_word) {
        lex_error(x->error, l, "expected a number, found '%.*s'", (int)l->text_length, l->text);
        return false;
    }
    *value = symbol.value;
    x->at++;
    return true;
}

static bool parse_primary(struct expression *x, int64_t *value) {
    const struct lexeme *l = &x->lex[x->at];
    if (l->kind == LEX_WORD) return parse_name(x, value);
    if (l->kind == LEX_NUMBER) {
        *value = l->value;
        x->at++;
        return true;
    }
    bool group = lexeme_is_punct(l, '('), minus = lexeme_is_punct(l, '-'), invert = lexeme_is_punct(l, '~');
    if (!group && !minus && !invert) {
        lex_error(x->error, l, l->kind == LEX_END ? "expected a number" : "expected a number, found '%.*s'",
                  (int)l->text_length, l->text);
        return false;
    }
    if (++x->depth > EXPRESSION_DEPTH_MAX) {
        lex_error(x->error, l, "expression is nested too deeply");
        return false;
    }
    x->at++;
    if (group ? !parse_binary(x, 0, value) : !parse_primary(x, value)) return false;
    x->depth--;
    if (minus) *value = (int64_t)(0 - (uint64_t)*value);
    if (invert) *value = ~*value;
    if (!group) return true;
    if (!lexeme_is_punct(&x->lex[x->at], ')')) {
        lex_error(x->error, &x->lex[x->at], "expected ')'");
        return false;
    }
    x->at++;
    return true;
}

/* Binary operators by rising precedence, as in C. `twice`: the character is doubled. */
static const struct binary_operator {
    char character;
    bool twice;
    uint8_t precedence;
} operators[] = {
    {'|', false, 1},
    {'^', false, 2},
    {'&', false, 3},
    {'<', true,  4},
    {'>', true,  4},
    {'+', false, 5},
    {'-', false, 5},
    {'*', false, 6},
    {'/', false, 6},
    {'%', false, 6},
};

static const struct binary_operator *find_operator(const struct lexeme *l) {
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++)
        if (lexeme_is_punct(l, operators[i].character) &&
            (!operators[i].twice || lexeme_is_punct(l + 1, operators[i].character)))
            return &operators[i];
    return NULL;
}

static bool apply(struct expression *x, const struct lexeme *l, char operator, int64_t a, int64_t b, int64_t *value) {
    uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
    bool divides = operator== '/' || operator== '%';
    if (divides && b == 0) {
        lex_error(x->error, l, "division by zero");
        return false;
    }
    if ((operator== '<' || operator== '>') && ub > 63) {
        lex_error(x->error, l, "shift count is out of range 0..63");
        return false;
    }
    switch (operator) {
    case '|': *value = a | b; break;
    case '^': *value = a ^ b; break;
    case '&': *value = a & b; break;
    case '<': *value = (int64_t)(ua << ub); break;
    case '>': *value = a >> b; break;
    case '+': *value = (int64_t)(ua + ub); break;
    case '-': *value = (int64_t)(ua - ub); break;
    case '*': *value = (int64_t)(ua * ub); break;
    case '/': *value = b == -1 ? (int64_t)(0 - ua) : a / b; break;
    default: *value = b == -1 ? 0 : a % b; break;
    }
    return true;
}

static bool parse_binary(struct expression *x, unsigned precedence, int64_t *value) {
    if (!parse_primary(x, value)) return false;
    for (;;) {
        const struct lexeme *l = &x->lex[x->at];
        const struct binary_operator *o = find_operator(l);
        if (o == NULL || o->precedence <= precedence) return true;
        int64_t right;
        x->at += o->twice ? 2 : 1;
        if (!parse_binary(x, o->precedence, &right) || !apply(x, l, o->character, *value, right, value)) return false;
    }
}

bool lex_expression(const struct lexeme *lex, size_t *at, const struct isa_scope *scope, int64_t *value,
                    struct isa_error *error) {
    struct expression x = {lex, *at, scope, NULL, 0};
    x.error = error; /* apart, as above */
    if (!parse_binary(&x, 0, value)) return false;
    *at = x.at;
    return true;
}
