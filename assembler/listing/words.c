/* SPDX-License-Identifier: Apache-2.0 */
/* One instruction a line, in both directions. */
#include "words.h"

#include <stdlib.h>
#include <string.h>

#include "../isa/parse.h"
#include "../source/word_order.h"
#include "layout.h"

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

/* A comment on the bits that the text does not show: bits that silicon ignores, and fields without a place in the
 * text. */
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
    const char *later;
    append_string(out, "  // ");
    if (isa_is_long(lo) && given == 1) {
        append_string(out, "the second word of a long instruction is missing");
    } else if ((later = isa_later(lo, hi, dialect, text)) != NULL) {
        append_string(out, later);
        append_string(out, "; ");
        append_string(out, text);
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

void words_append_fields(struct words_text *out, uint32_t lo, uint32_t hi, unsigned given) {
    struct isa_insn insn;
    char *text = NULL;
    size_t size = 0;
    char later[ISA_TEXT_MAX];
    if ((given == 2) != isa_is_long(lo) || isa_later(lo, hi, ISA_DIALECT_3, later) != NULL ||
        isa_decode(lo, hi, &insn) == ISA_UNDEFINED)
        return;
    FILE *drawing = open_memstream(&text, &size);
    if (drawing != NULL) {
        layout_draw_insn(drawing, &insn);
        out->failed = ferror(drawing) != 0 || out->failed;
        fclose(drawing);
    }
    if (drawing != NULL && text != NULL)
        words_append(out, text, size);
    else
        out->failed = true;
    free(text);
}

/* Reads words of 32 and 64 bits one after the other, line by line. */
struct word_reader {
    const char *at, *end;
    bool as_written; /* the halves of 64-bit words are in memory order */
    bool has_half;   /* the second half is pending */
    uint32_t half;
    bool has_first; /* the first word of a long instruction is read, the second is not */
    uint32_t first;
};

static bool is_blank(char c) { return c != '\0' && strchr(" \t\r\n", c) != NULL; }

static unsigned hex_digit(char c) {
    static const char digits[] = "0123456789abcdef";
    const char *digit = c != '\0' ? strchr(digits, c | 32) : NULL;
    return digit != NULL ? (unsigned)(digit - digits) : 16;
}

/* A word up to the next blank, with or without 0x; returns its number of digits, 0 if it is malformed or the text
 * ends. */
static unsigned read_digits(struct word_reader *r, uint64_t *value) {
    unsigned digits = 0;
    while (r->at < r->end && is_blank(*r->at)) r->at++;
    const char *s = r->at;
    if (r->end - s > 2 && s[0] == '0' && (s[1] | 32) == 'x') s += 2;
    for (*value = 0; s < r->end && !is_blank(*s); s++, digits++) {
        if (hex_digit(*s) > 15 || digits == 16) return 0;
        *value = *value << 4 | hex_digit(*s);
    }
    if (digits > 8 && digits < 16) return 0;
    if (digits > 0) r->at = s;
    return digits;
}

static bool next_word(struct word_reader *r, uint32_t *word) {
    uint64_t value = r->half;
    const unsigned digits = r->has_half ? 8 : read_digits(r, &value);
    r->has_half = digits == 16;
    *word = (uint32_t)(r->has_half && r->as_written ? value >> 32 : value);
    r->half = (uint32_t)(r->as_written ? value : value >> 32);
    return digits > 0;
}

static struct word_order find_order(const char *text, size_t size) {
    struct word_reader r = {.at = text, .end = text + size};
    struct word_order order = {0};
    uint64_t value;
    for (unsigned digits; (digits = read_digits(&r, &value)) > 0;)
        if (digits == 16) word_order_add(&order, (uint32_t)(value >> 32), (uint32_t)value);
    return order;
}

struct form {
    enum isa_dialect dialect;
    bool fields;
};

static void append_instruction(struct words_text *out, uint32_t lo, uint32_t hi, unsigned given, struct form form) {
    words_append_text(out, lo, hi, given, form.dialect);
    words_append(out, "\n", 1);
    if (!form.fields) return;
    words_append_fields(out, lo, hi, given);
    words_append(out, "\n", 1);
}

/* The instructions that end in a line, each with its newline, and a newline for an empty line between instructions.
 * False if a word is malformed. */
static bool append_instructions(struct words_text *out, struct word_reader *r, struct form form) {
    const bool is_within = r->has_first;
    uint32_t word;
    unsigned count = 0;
    for (; next_word(r, &word); count++) {
        const bool is_second = r->has_first;
        r->has_first = !is_second && isa_is_long(word);
        if (is_second)
            append_instruction(out, r->first, word, 2, form);
        else if (r->has_first)
            r->first = word;
        else
            append_instruction(out, word, 0, 1, form);
    }
    if (count == 0 && !is_within) words_append(out, "\n", 1);
    return r->at == r->end;
}

static void add_note(struct words_text *out, const char *note) {
    const size_t used = strlen(out->note);
    if (note != NULL) snprintf(out->note + used, sizeof out->note - used, "%s%s", used > 0 ? "; " : "", note);
}

enum status words_disassemble(const char *path, const char *text, size_t size, enum isa_dialect dialect, bool fields,
                              struct words_text *out, struct diag *d) {
    char *plain = word_text_plain(text, size, out->note);
    if (plain == NULL) return diag_set(d, STATUS_NO_MEMORY, path, 0, 0, "out of memory");
    const struct form form = {dialect, fields};
    size = strlen(plain);
    const struct word_order order = find_order(plain, size);
    struct word_reader r = {.as_written = word_order_low_first(&order)};
    add_note(out, word_order_note(&order));
    enum status status = STATUS_OK;
    unsigned line = 1;
    for (size_t at = 0; at < size && status == STATUS_OK; line++) {
        const char *s = plain + at, *newline = memchr(s, '\n', size - at);
        r.at = s;
        r.end = newline != NULL ? newline : plain + size;
        at = (size_t)(r.end - plain) + 1;
        if (!append_instructions(out, &r, form))
            status = diag_set(d, STATUS_BAD_INPUT, path, line, (unsigned)(r.at - s) + 1,
                              "expected words of 32 or 64 bits in hexadecimal");
        else if (out->failed)
            status = diag_set(d, STATUS_NO_MEMORY, path, 0, 0, "out of memory");
    }
    if (status == STATUS_OK && r.has_first) append_instruction(out, r.first, 0, 1, form);
    if (status == STATUS_OK && out->failed) status = diag_set(d, STATUS_NO_MEMORY, path, 0, 0, "out of memory");
    free(plain);
    return status;
}

/* ---- text to words ---- */

static void append_words(struct words_text *out, uint32_t lo, uint32_t hi, bool two) {
    append_word(out, lo);
    if (!two) return;
    words_append(out, " ", 1);
    append_word(out, hi);
}

/* ".word 0x..., 0x..." as warp-dis prints it, with an optional comma. */
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
