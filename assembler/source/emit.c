/* SPDX-License-Identifier: Apache-2.0 */
/* The second pass: turns instructions into words, sets the END marker and fills the line table.
 *
 * Texts never show END, nor a few fields of a few rows (isa_hidden_bits). If a listing's comments have the words, both
 * come from them; if the source has .end, END comes from there; otherwise the last instruction of the kernel gets it,
 * as in nvcc's code, unless control cannot pass it (RET, BRA without a guard, TRAP). */
#include "emit.h"

#include <string.h>

#include "../isa/parse.h"

static const char *item_text(const struct assembler *a, const struct assembly_item *item) {
    return a->scan.clean + item->offset;
}

static size_t mnemonic_length(const struct assembler *a, const struct assembly_item *item) {
    size_t n = strcspn(item_text(a, item), " \t.;\r\n");
    return n < item->length ? n : item->length;
}

static struct message *item_error(struct assembler *a, const struct assembly_item *item, const char *what) {
    return messages_add(a->messages, item->offset, mnemonic_length(a, item), "%s", what);
}

static const char LONELY_HALF[] = "half instruction has no partner; they come in pairs on an 8-byte boundary";

/* A long instruction off its boundary means that an earlier half instruction has no partner. The following instructions
 * are checked as if the partner existed. */
static void check_alignment(struct assembler *a, const struct assembly_item *item, const struct assembly_item *before) {
    if (item->bytes != 8 || (item->pc + a->slip) % 8 == 0) return;
    a->slip ^= 4;
    if (before == NULL || before->bytes != 4) {
        messages_warn(a->messages, WARN_ALIGNMENT, item->offset, mnemonic_length(a, item),
                      "long instruction is not on an 8-byte boundary");
        return;
    }
    int n = (int)mnemonic_length(a, before);
    const char *name = item_text(a, before);
    struct message *m = messages_warn(a->messages, WARN_ALIGNMENT, before->offset, (size_t)n, "%s", LONELY_HALF);
    if (m != NULL && n > 2 && memcmp(name + n - 2, "32", 2) == 0)
        snprintf(m->help, sizeof m->help, "write %.*s, its long form", n - 2, name);
}

/* The listing's words replace a text that is missing, or that names an instruction of a later machine. */
static bool stands_for_text(const struct assembly_item *item) {
    char text[ISA_TEXT_MAX];
    if (item->has_no_text) return true;
    return item->hex_bytes == item->bytes && isa_later(item->hex_lo, item->hex_hi, ISA_DIALECT_3, text) != NULL;
}

/* Uses the words of a listing instead of an unknown text. */
static bool replaces_text(struct assembler *a, const struct assembly_item *item, const struct isa_error *error) {
    struct isa_insn insn;
    if (!a->by_words || item->hex_bytes != item->bytes) return false;
    if (isa_decode(item->hex_lo, item->hex_hi, &insn) != ISA_OK || insn.bytes != item->bytes) return false;
    struct image *image = a->kernels[item->kernel].image;
    messages_warn(a->messages, WARN_TEXT, item->offset + error->start, error->length, "%s; its words are taken",
                  error->text);
    if (image_add_note(image, "0x%x: '%.*s' is unknown; its words are taken", item->pc,
                       (int)(item->length < 80 ? item->length : 80), item_text(a, item)) != STATUS_OK)
        no_memory(a);
    return true;
}

static bool encode(struct assembler *a, struct assembly_item *item) {
    struct isa_scope scope = assembler_scope(a);
    struct isa_error error;
    if (!item->has_no_text && !assembler_lex(a, item->offset, item->length)) return false;
    if (!item->has_no_text && isa_parse_lexemes(a->lex, &scope, &item->lo, &item->hi, &error)) return true;
    if (!stands_for_text(item) && !replaces_text(a, item, &error)) return error_isa(a, &error);
    item->lo = item->hex_lo;
    item->hi = item->hex_bytes == 8 ? item->hex_hi : 0;
    return true;
}

static bool is_long_normal(const struct assembly_item *item) { return (item->lo & 3) == 1 && (item->hi & 3) != 3; }

static bool set_end(struct assembler *a, struct assembly_item *item) {
    if (is_long_normal(item) && (item->hi & 3) == ISA_MARK_NONE) {
        item->hi |= ISA_MARK_END;
        return true;
    }
    struct message *m = item_error(a, item,
                                   (item->hi & 3) == ISA_MARK_JOIN && is_long_normal(item)
                                       ? "instruction with .S cannot end the thread as well"
                                       : "this instruction cannot carry the END marker");
    if (m != NULL) snprintf(m->help, sizeof m->help, "add NOP after it");
    return false;
}

/* True if no thread passes the instruction, with or without END. */
static bool never_passes(const struct assembly_item *item) {
    struct isa_insn insn;
    if (isa_decode(item->lo, item->hi, &insn) != ISA_OK) return false;
    bool leaves = insn.op == OP_RET || insn.op == OP_BRA || insn.op == OP_BRK;
    return insn.op == OP_TRAP || (leaves && insn.cond == ISA_COND_TRUE);
}

static void mark_end(struct assembler *a, struct assembly_item *item, const struct kernel *k, bool last) {
    bool from_hex = item->hex_bytes == 8 && (item->hex_lo & 3) == 1 && (item->hex_hi & 3) == ISA_MARK_END;
    if (from_hex && is_long_normal(item) && (item->hi & 3) == ISA_MARK_NONE)
        item->hi |= ISA_MARK_END;
    else if (item->ends)
        set_end(a, item);
    else if (last && !k->has_end && !k->has_hex && !never_passes(item))
        set_end(a, item);
}

/* Fields that texts never show come from the listing's words, if these print as the text. */
static void adopt_hidden(struct assembly_item *item) {
    uint64_t hidden;
    if (item->hex_bytes != item->bytes) return;
    if (!isa_fits_text(item->hex_lo, item->hex_hi, item->lo, item->hi, &hidden)) return;
    item->lo ^= (uint32_t)hidden;
    item->hi ^= (uint32_t)(hidden >> 32);
}

static void add_code(struct assembler *a, struct image *img, uint32_t word) {
    if (image_add_code(img, word) != STATUS_OK) no_memory(a);
}

/* A pair of words that is a long instruction must be on its boundary as well. Words after data are not checked. */
static void check_word_pair(struct assembler *a, const struct assembly_item *item, const uint32_t *words) {
    struct isa_insn insn;
    if (item->word_count != 2 || item->pc % 8 == 0 || !isa_is_long(words[0])) return;
    if (isa_decode(words[0], words[1], &insn) == ISA_OK)
        messages_warn(a->messages, WARN_ALIGNMENT, item->offset, mnemonic_length(a, item) + 5,
                      "long instruction is not on an 8-byte boundary");
}

/* Each word has its line: an instruction may begin at any word. */
static void emit_words(struct assembler *a, const struct assembly_item *item, struct image *img) {
    size_t at = 1;
    if (!assembler_lex(a, item->offset, item->length)) return;
    for (;;) {
        int64_t value;
        if (!assembler_number(a, &at, INT32_MIN, UINT32_MAX, &value)) return;
        if (image_add_line(img, (uint32_t)img->code_words * 4, item->line, item->file) != STATUS_OK) no_memory(a);
        add_code(a, img, (uint32_t)value);
        if (!lexeme_is_punct(&a->lex[at], ',')) break;
        at++;
    }
    assembler_end_of_statement(a, at);
}

/* Error of the address in the comment; later comments have the same error. */
static uint32_t astray(const struct assembly_item *item) {
    return item != NULL && item->has_address ? item->address - item->pc : 0;
}

static void emit_item(struct assembler *a, struct assembly_item *item, const struct assembly_item *before, bool last) {
    const struct kernel *k = &a->kernels[item->kernel];
    if (item->bytes == 0) {
        emit_words(a, item, k->image);
        if (k->image->code_words == item->pc / 4 + 2) check_word_pair(a, item, k->image->code + item->pc / 4);
        return;
    }
    check_alignment(a, item, before);
    if (!encode(a, item)) return;
    adopt_hidden(item);
    mark_end(a, item, k, last);
    if (astray(item) != 0 && astray(item) != astray(before))
        messages_warn(a->messages, WARN_ADDRESS, item->offset, mnemonic_length(a, item),
                      "the comment has address 0x%x, but this is 0x%x", item->address, item->pc);
    if (image_add_line(k->image, item->pc, item->line, item->file) != STATUS_OK) no_memory(a);
    add_code(a, k->image, item->lo);
    if (item->bytes == 8) add_code(a, k->image, item->hi);
}

void assembler_emit(struct assembler *a, uint32_t kernel) {
    struct assembly_item *before = NULL, *last = NULL;
    const struct sources *sources = &a->messages->sources;
    for (size_t i = 0; i < sources->file_count; i++)
        if (image_add_file(a->kernels[kernel].image, sources->file[i].path, strlen(sources->file[i].path)) != STATUS_OK)
            no_memory(a);
    size_t end = kernel + 1 < a->kernel_count ? a->kernels[kernel + 1].first_item : a->item_count;
    for (size_t i = a->kernels[kernel].first_item; i < end && !a->no_memory; i++) {
        last = &a->items[i];
        emit_item(a, last, before, i + 1 == end);
        before = last;
    }
    if (last != NULL && last->bytes == 4 && (last->pc + a->slip) % 8 == 0)
        messages_warn(a->messages, WARN_ALIGNMENT, last->offset, mnemonic_length(a, last), "%s", LONELY_HALF);
}
