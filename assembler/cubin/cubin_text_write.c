/* SPDX-License-Identifier: Apache-2.0 */
/* Text cubins in the layout of nvcc 2: four words a line, a zero word as 0000000000. */
#include "cubin_text_write.h"

#include <inttypes.h>
#include <string.h>

#include "../../spec/memory.h"
#include "../base/outfile.h"
#include "../isa/isa.h"

enum { WORDS_A_LINE = 4 };

static void print_word(FILE *out, const char *indent, size_t index, size_t count, uint32_t word) {
    const bool ends = index % WORDS_A_LINE == WORDS_A_LINE - 1 || index + 1 == count;
    fprintf(out, "%s%#010" PRIx32 " %s", index % WORDS_A_LINE == 0 ? indent : "", word, ends ? "\n" : "");
}

static uint32_t word_of(const uint8_t *bytes, size_t size, size_t index) {
    uint32_t word = 0;
    for (size_t i = 0; i < 4 && 4 * index + i < size; i++) word |= (uint32_t)bytes[4 * index + i] << 8 * i;
    return word;
}

static void print_bank(FILE *out, unsigned bank, const uint8_t *bytes, size_t size) {
    if (size == 0) return;
    fprintf(out, "\tconst  {\n\t\t\tsegname = const\n\t\t\tsegnum  = %u\n\t\t\toffset  = 0\n\t\t\tbytes   = %zu\n",
            bank, size);
    fputs("\t\tmem  {\n", out);
    for (size_t i = 0; 4 * i < size; i++) print_word(out, "\t\t\t", i, (size + 3) / 4, word_of(bytes, size, i));
    fputs("\t\t}\n\t}\n", out);
}

/* The highest barrier that the code names. */
static unsigned highest_barrier(const struct image *img) {
    unsigned highest = 0;
    for (size_t i = 0; i < img->code_words; i += isa_is_long(img->code[i]) ? 2 : 1) {
        struct isa_insn insn;
        const uint32_t hi = i + 1 < img->code_words ? img->code[i + 1] : 0;
        if (isa_decode(img->code[i], hi, &insn) == ISA_OK && insn.op == OP_BAR && insn.barrier > highest)
            highest = insn.barrier;
    }
    return highest;
}

static unsigned shared_bytes(const struct image *img) {
    const unsigned needed = HEADER_BYTES + 4 * (unsigned)img->param_count;
    return img->shared_bytes > needed ? img->shared_bytes : needed;
}

static void print_kernel(FILE *out, const struct image *img) {
    const unsigned regs = img->regs != 0 ? img->regs : image_regs_used(img);
    fprintf(out, "code  {\n\tname = %s\n\tlmem = %u\n\tsmem = %u\n\treg  = %u\n\tbar  = %u\n", img->name,
            img->local_bytes, shared_bytes(img), regs, highest_barrier(img));
    for (unsigned bank = 0; bank < IMAGE_CONST_BANKS; bank++)
        print_bank(out, bank, img->bank[bank].bytes, img->bank[bank].size);
    fputs("\tbincode  {\n", out);
    for (size_t i = 0; i < img->code_words; i++) print_word(out, "\t\t", i, img->code_words, img->code[i]);
    fputs("\t}\n}\n", out);
}

static enum status check(const struct image *const *kernels, size_t count, const char *path, struct diag *d) {
    for (size_t i = 0; i < count; i++) {
        const char *name = kernels[i]->name;
        if (!image_is_name(name, strlen(name)))
            return diag_set(d, STATUS_BAD_INPUT, path, 0, 0, "a text cubin cannot hold the kernel name '%.100s'", name);
        if (kernels[i]->arch != kernels[0]->arch)
            return diag_set(d, STATUS_BAD_INPUT, path, 0, 0,
                            "the kernels of a text cubin are all of one architecture; '%.60s' and '%.60s' differ",
                            kernels[0]->name, name);
    }
    return STATUS_OK;
}

enum status cubin_text_write(const struct image *const *kernels, size_t count, const char *path, struct diag *d) {
    struct outfile f;
    enum status status = check(kernels, count, path, d);
    if (status == STATUS_OK) status = outfile_open(&f, path, d);
    if (status != STATUS_OK) return status;
    const char *arch = image_arch_name(count > 0 ? kernels[0]->arch : 0);
    fprintf(f.stream, "architecture {%s}\nabiversion   {1}\nmodname      {cubin}\n", arch);
    for (size_t i = 0; i < count; i++) print_kernel(f.stream, kernels[i]);
    return outfile_close(&f, true, d);
}

void cubin_text_omits(const struct image *img, char *text, size_t size) {
    const struct {
        bool present;
        const char *name;
    } parts[] = {
        {img->grid[0] != 0,      "the grid"              },
        {img->block[0] != 0,     "the block"             },
        {img->param_count != 0,  "parameters"            },
        {img->global_count != 0, "initial global memory" },
        {img->expect_count != 0, "expected global memory"},
    };
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (parts[i].present && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", parts[i].name);
}
