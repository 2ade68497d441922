/* SPDX-License-Identifier: Apache-2.0 */
/* One instruction a line, both ways. */
#include "words.h"

#include <stdlib.h>
#include <string.h>

#include "../isa/parse.h"

void words_append(struct words_text *out, const char *text, size_t size) {
    if (out->failed) return;
    if (out->size + size > out->capacity) {
        size_t capacity = (out->size + size) * 2 + 4096;
        char *grown = realloc(out->text, capacity);
        if (grown == NULL) {
            out->failed = true;
            return;
        }
        out->text = grown;
        out->capacity = capacity;
    }
    memcpy(out->text + out->size, text, size);
    out->size += size;
}

static void append_string(struct words_text *out, const char *s) { words_append(out, s, strlen(s)); }

static void append_word(struct words_text *out, uint32_t word) {
    char digits[10] = "0x";
    for (unsigned i = 0; i < 8; i++) digits[2 + i] = "0123456789abcdef"[word >> (28 - 4 * i) & 15];
    words_append(out, digits, sizeof digits);
}

/* ---- words to text ---- */

static void append_bits(struct words_text *out, uint64_t bits) {
    char text[ISA_BITS_MAX];
    words_append(out, text, isa_print_bits(bits, text, sizeof text));
}

/* A comment on what the text does not show: what silicon does not mind, and fields that have no place in it. */
static void append_unseen(struct words_text *out, const struct isa_insn *insn) {
    const char *separator = "  // ";
    char hidden[ISA_BITS_MAX * 3];
    if (insn->alias) {
        append_string(out, separator);
        append_string(out, "reserved opcode that acts as this");
        separator = "; ";
    }
    if (insn->ignored != 0) {
        append_string(out, separator);
        append_string(out, "ignores bits ");
        append_bits(out, insn->ignored);
        separator = "; ";
    }
    if (isa_print_hidden(insn, hidden, sizeof hidden) == 0) return;
    append_string(out, separator);
    append_string(out, hidden);
}

static void append_reason(struct words_text *out, uint32_t lo, uint32_t hi, unsigned given, enum isa_dialect dialect) {
    struct isa_insn insn;
    char text[ISA_TEXT_MAX];
    append_string(out, "  // ");
    if (isa_is_long(lo) && given == 1) {
        append_string(out, "the second word of a long instruction is missing");
    } else if (!isa_is_long(lo) && given == 2) {
        append_string(out, "a half instruction is one word");
    } else if (isa_decode(lo, hi, &insn) == ISA_RESERVED_BITS) {
        append_string(out, "must-be-zero bits set: ");
        append_bits(out, isa_stray_bits(lo, hi));
        append_string(out, "; without them ");
        words_append(out, text, isa_print(&insn, dialect, text, sizeof text));
    } else {
        append_string(out, "undefined instruction");
    }
}

void words_append_text(struct words_text *out, uint32_t lo, uint32_t hi, unsigned given, enum isa_dialect dialect) {
    struct isa_insn insn;
    char text[ISA_TEXT_MAX];
    if ((given == 2) == isa_is_long(lo) && isa_decode(lo, hi, &insn) == ISA_OK) {
        words_append(out, text, isa_print(&insn, dialect, text, sizeof text));
        append_unseen(out, &insn);
        return;
    }
    append_string(out, ".word ");
    append_word(out, lo);
    if (given == 2) {
        append_string(out, ", ");
        append_word(out, hi);
    }
    append_reason(out, lo, hi, given, dialect);
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* One hexadecimal word at s[*at]; false where there is none or it is malformed. */
static bool read_word(const char *s, size_t length, size_t *at, uint32_t *word) {
    size_t i = *at, digits = 0;
    if (length - i > 2 && s[i] == '0' && (s[i + 1] | 32) == 'x') i += 2;
    for (*word = 0; i < length && !is_blank(s[i]); i++, digits++) {
        char c = (char)(s[i] | 32);
        unsigned digit = s[i] >= '0' && s[i] <= '9' ? (unsigned)(s[i] - '0')
                         : c >= 'a' && c <= 'f'     ? (unsigned)(c - 'a') + 10
                                                    : 16;
        if (digit > 15 || digits == 8) return false;
        *word = *word << 4 | digit;
    }
    *at = i;
    return digits > 0;
}

/* The words of a line; *column says where the first malformed one is. Returns their number, or 3 when the line is
 * malformed. */
static unsigned read_words(const char *s, size_t length, uint32_t word[2], size_t *column) {
    unsigned count = 0;
    for (size_t at = 0;;) {
        while (at < length && is_blank(s[at])) at++;
        *column = at + 1;
        if (at == length) return count;
        if (count == 2 || !read_word(s, length, &at, &word[count])) return 3;
        count++;
    }
}

enum status words_disassemble(const char *path, const char *text, size_t size, enum isa_dialect dialect,
                              struct words_text *out, struct diag *d) {
    unsigned line = 0;
    for (size_t at = 0; at < size;) {
        const char *s = text + at, *newline = memchr(s, '\n', size - at);
        size_t length = newline != NULL ? (size_t)(newline - s) : size - at, column;
        at += length + 1;
        line++;
        const char *comment = memchr(s, '#', length);
        if (comment != NULL) length = (size_t)(comment - s);
        uint32_t word[2] = {0, 0};
        unsigned count = read_words(s, length, word, &column);
        if (count == 3)
            return diag_set(d, STATUS_BAD_INPUT, path, line, (unsigned)column,
                            "expected one or two 32-bit words in hexadecimal");
        if (count > 0) words_append_text(out, word[0], word[1], count, dialect);
        words_append(out, "\n", 1);
        if (out->failed) return diag_set(d, STATUS_NO_MEMORY, path, 0, 0, "out of memory");
    }
    return STATUS_OK;
}

/* ---- text to words ---- */

static void append_words(struct words_text *out, uint32_t lo, uint32_t hi, bool two) {
    append_word(out, lo);
    if (!two) return;
    words_append(out, " ", 1);
    append_word(out, hi);
}

/* ".word 0x..., 0x..." as warp-dis prints it, the comma being optional. */
static bool assemble_raw(const struct lexeme *lex, struct words_text *out, struct isa_error *error) {
    size_t at = 1;
    int64_t value[2] = {0, 0};
    unsigned count = 0;
    while (count < 2 && lex[at].kind != LEX_END) {
        if (!lex_expression(lex, &at, NULL, &value[count], error)) return false;
        count++;
        if (count == 1 && lexeme_is_punct(&lex[at], ',')) at++;
    }
    if (count == 0 || lex[at].kind != LEX_END) {
        lex_error(error, &lex[at], "expected one or two words");
        return false;
    }
    append_words(out, (uint32_t)value[0], (uint32_t)value[1], count == 2);
    return true;
}

static bool assemble_line(const char *s, size_t length, struct words_text *out, struct isa_error *error) {
    struct lexeme lex[PARSE_LEXEMES_MAX];
    uint32_t lo, hi;
    if (lex_line(s, length, NULL, lex, PARSE_LEXEMES_MAX, error) == 0) return false;
    if (lex[0].kind == LEX_END) return true;
    if (lex[0].kind == LEX_MODIFIER && lexeme_is(&lex[0], ".word")) return assemble_raw(lex, out, error);
    if (!isa_parse_lexemes(lex, NULL, &lo, &hi, error)) return false;
    append_words(out, lo, hi, isa_is_long(lo));
    return true;
}

enum status words_assemble(const char *text, size_t size, struct words_text *out, struct messages *m) {
    for (size_t at = 0; at < size;) {
        const char *s = text + at, *newline = memchr(s, '\n', size - at);
        size_t length = newline != NULL ? (size_t)(newline - s) : size - at;
        struct isa_error error = {0};
        if (!assemble_line(s, length, out, &error)) {
            struct message *message = messages_add(m, at + error.start, error.length, "%s", error.text);
            if (message != NULL) memcpy(message->help, error.help, sizeof message->help);
        }
        words_append(out, "\n", 1);
        at += length + 1;
    }
    if (out->failed || m->no_memory) return messages_no_memory(m);
    return m->errors == 0 ? STATUS_OK : STATUS_BAD_INPUT;
}
