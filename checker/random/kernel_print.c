/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a random kernel. An instruction with bits that its text does not show is written as .word. */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "kernel.h"

enum { WORDS_A_LINE = 8, LINE_BYTES = 8 };

static bool has_text(const struct isa_insn *insn, const char *text) {
    uint32_t lo, hi;
    struct isa_error error;
    return isa_parse(text, strlen(text), NULL, &lo, &hi, &error) && lo == insn->lo &&
           (insn->bytes == 4 || hi == insn->hi);
}

/* The label replaces the target at the end of the text. */
static void put_label(char *text, size_t size, int label) {
    char *target = strrchr(text, ' ');
    assert(target != NULL);
    snprintf(target, size - (size_t)(target - text), " L%d", label);
}

static void print_words(uint32_t lo, uint32_t hi, const char *comment, FILE *out) {
    fprintf(out, isa_is_long(lo) ? "        .word 0x%08x, 0x%08x" : "        .word 0x%08x", lo, hi);
    fprintf(out, comment[0] != 0 ? " // %s\n" : "\n", comment);
}

static void print_instruction(uint32_t lo, uint32_t hi, int label, FILE *out) {
    struct isa_insn insn;
    char text[ISA_TEXT_MAX] = "";
    if (isa_decode(lo, hi, &insn) != ISA_OK) {
        print_words(lo, hi, text, out);
        return;
    }
    isa_print(&insn, ISA_DIALECT_3, text, sizeof text);
    struct isa_insn plain = insn;
    const bool end = insn.marker == ISA_MARK_END;
    if (end) plain.hi &= ~3u;
    if (label != NO_LABEL) {
        put_label(text, sizeof text, label);
    } else if (!has_text(&plain, text)) {
        print_words(lo, hi, text, out);
        return;
    }
    fprintf(out, "        %s\n%s", text, end ? "        .end\n" : "");
}

static void find_used(const struct kernel *k, bool used[KERNEL_LABELS_MAX]) {
    for (size_t i = 0; i < k->line_count; i++)
        if (k->line[i].label != NO_LABEL) used[k->line[i].label] = true;
}

static void print_code(const struct kernel *k, FILE *out) {
    bool used[KERNEL_LABELS_MAX] = {false};
    find_used(k, used);
    for (size_t i = 0; i <= k->line_count; i++) {
        for (unsigned label = 0; label < k->label_count; label++)
            if (k->label_line[label] == i && used[label]) fprintf(out, "L%u:\n", label);
        if (i == k->line_count) break;
        const struct kernel_line *line = &k->line[i];
        print_instruction(line->lo, line->hi, line->label, out);
        if (!isa_is_long(line->lo)) print_instruction(line->hi, 0, NO_LABEL, out);
    }
}

static void print_data(const uint32_t *words, unsigned count, FILE *out) {
    for (unsigned i = 0; i < count; i++) {
        const char *before = i == 0 ? "" : i % WORDS_A_LINE == 0 ? "    " : " ";
        const char *after = i + 1 == count ? "\n" : i % WORDS_A_LINE == WORDS_A_LINE - 1 ? ",\n" : ",";
        fprintf(out, "%s0x%x%s", before, words[i], after);
    }
}

static unsigned count_used(const uint32_t *words, unsigned count) {
    while (count > 0 && words[count - 1] == 0) count--;
    return count;
}

/* Trailing zeros are covered by the last of them. */
static void print_bank(const struct kernel_bank *bank, FILE *out) {
    const unsigned used = count_used(bank->word, bank->words);
    if (used != 0) {
        fprintf(out, ".const %u:0 = ", bank->number);
        print_data(bank->word, used, out);
    }
    if (used < bank->words) fprintf(out, ".const %u:%u = 0x0\n", bank->number, 4 * (bank->words - 1));
}

static void print_memories(const struct kernel *k, FILE *out) {
    for (unsigned i = 0; i < KERNEL_BANKS; i++) print_bank(&k->bank[i], out);
    for (unsigned i = 0; i < k->target_count; i++)
        fprintf(out, ".const %u:%u = 0x%zx\n", k->bank[1].number, 4 * (KERNEL_BANK_WORDS + i),
                k->label_line[k->target[i]] * LINE_BYTES);
    const unsigned used = count_used(k->data, k->data_words);
    if (used != 0) {
        fprintf(out, ".global 0 = ");
        print_data(k->data, used, out);
    }
    fprintf(out, ".global 0x%x = 0 // the last word of the kernel's memory\n", k->global_bytes - 4);
}

void kernel_print(const struct kernel *k, FILE *out) {
    fprintf(out, "// SPDX-License-Identifier: Apache-2.0\n// seed %" PRIu64 " of warp-fuzz\n", k->seed);
    if (k->trap != TRAP_NONE) fprintf(out, "// must trap with code %u\n", (unsigned)k->trap);
    const bool extended = k->wide != 0 || k->dividers != 0;
    fprintf(out, ".kernel random\n%s.grid %u, %u\n.block %u, %u, %u\n.reg %u\n.shared %u\n",
            k->atomics ? ".arch sm_11\n"
            : extended ? ".arch sm_10x\n"
                       : "",
            k->grid[0], k->grid[1], k->block[0], k->block[1], k->block[2], k->regs, k->shared_bytes);
    if (k->local_bytes != 0) fprintf(out, ".local %u\n", k->local_bytes);
    if (k->param_count != 0) {
        fprintf(out, ".param ");
        print_data(k->param, k->param_count, out);
    }
    print_memories(k, out);
    print_code(k, out);
}
