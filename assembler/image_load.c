/* SPDX-License-Identifier: Apache-2.0 */
/* Reads any file that holds a kernel, recognised by its content: ELF (image or cubin), text cubin, .hex; everything
 * else is source. */
#include "image_load.h"

#include <elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/characters.h"
#include "base/file.h"
#include "base/word_at.h"
#include "check/warn.h"
#include "cubin/cubin.h"
#include "elf_load.h"
#include "image/image_hex.h"
#include "image/memory_file.h"
#include "source/assemble.h"
#include "source/bare_words.h"
#include "source/word_order.h"

enum { MEMORY_BYTES_MAX = 1 << 24 };

/* Notes the registers that the messages report as never written; each message begins with its register. */
static void note_unwritten(const struct messages *m, struct image *img) {
    size_t size = 0;
    FILE *out = img != NULL ? open_memstream(&img->unwritten, &size) : NULL;
    if (out == NULL) return;
    fputc(' ', out);
    for (size_t i = 0; i < m->count; i++) {
        const char *text = m->list[i].text;
        if (m->list[i].kind == MESSAGE_WARNING && m->list[i].warning == WARN_UNWRITTEN)
            fprintf(out, "%.*s ", (int)strcspn(text, " "), text);
    }
    fclose(out);
}

/* Prints the messages of the assembler and its checks, as warp-as does, except those that depend on the launch. */
static enum status tell(const struct assembly *a, struct messages *m, const struct image_choice *choice,
                        struct diag *d) {
    m->off[WARN_REGISTERS] = m->off[WARN_ARCH] = true;
    if (m->errors == 0 && !choice->quiet && warn_kernel(a, m) != STATUS_OK) messages_no_memory(m);
    messages_print(m, choice->messages);
    note_unwritten(m, a->image);
    *d = (struct diag){.status = m->errors > 0 ? STATUS_BAD_INPUT : STATUS_OK};
    return d->status;
}

static enum status load_text(const char *path, const char *text, size_t size, const struct image_choice *choice,
                             struct image **img, struct diag *d) {
    struct assembly a;
    struct messages m;
    messages_init(&m, path, text, size);
    for (unsigned i = 0; i < WARN_COUNT; i++) m.off[i] = choice->quiet;
    enum status status = assemble_chosen(choice, &a, &m);
    if (choice->messages != NULL)
        status = tell(&a, &m, choice, d);
    else if (status != STATUS_OK)
        status = messages_first(&m, d);
    if (status != STATUS_OK) assembly_release(&a);
    *img = a.image;
    a.image = NULL;
    assembly_release(&a);
    messages_release(&m);
    return status;
}

/* Reads a source in which words may replace instructions. */
static enum status load_source(const char *path, const char *text, size_t size, const struct image_choice *choice,
                               struct image **img, struct diag *d) {
    struct bare_words words;
    const enum status filled = bare_words_fill(path, text, size, &words, d);
    if (filled != STATUS_OK) return filled;
    if (words.text == NULL) return load_text(path, text, size, choice, img, d);
    if (words.note != NULL && choice->messages != NULL && !choice->quiet)
        fprintf(choice->messages, "%s: note: %s\n", path, words.note);
    const enum status status = load_text(path, words.text, strlen(words.text), choice, img, d);
    free(words.text);
    return status;
}

/* Swaps the halves of 64-bit words whose upper half is the first word of an instruction: a number in a file shows its
 * upper half first. Returns a note about it, or NULL. */
static const char *order_halves(uint8_t *bytes, size_t size) {
    struct word_order order = {0};
    for (size_t i = 0; i + 8 <= size; i += 8) word_order_add(&order, word_at(bytes + i + 4), word_at(bytes + i));
    for (size_t i = 0; i + 8 <= size && word_order_low_first(&order); i += 8) {
        uint8_t half[4];
        memcpy(half, bytes + i, 4);
        memmove(bytes + i, bytes + i + 4, 4);
        memcpy(bytes + i + 4, half, 4);
    }
    return word_order_note(&order);
}

/* A text file with the contents of a memory. */
static enum status load_memory(const char *path, char *text, struct image **img, struct diag *d) {
    struct memory_bytes b = {.limit = MEMORY_BYTES_MAX};
    enum status status = memory_file_read(path, text, &b, d);
    const char *note = status == STATUS_OK && b.width == 8 ? order_halves(b.data, b.size) : NULL;
    if (status == STATUS_OK) status = image_from_bytes(path, b.data, b.size, img, d);
    if (status == STATUS_OK && note != NULL && image_add_note(*img, "%s", note) != STATUS_OK) {
        image_destroy(*img);
        *img = NULL;
        status = diag_set(d, STATUS_NO_MEMORY, path, 0, 0, "out of memory");
    }
    free(b.data);
    return status;
}

/* Files that hold words alone, by their suffix. Their only kernel is called "kernel". */
static enum status load_words(const char *path, char *text, size_t size, const char *kernel, struct image **img,
                              struct diag *d) {
    enum status status = file_has_suffix(path, ".hex")   ? image_from_hex(path, text, size, img, d)
                         : file_has_suffix(path, ".bin") ? image_from_bytes(path, (const uint8_t *)text, size, img, d)
                                                         : load_memory(path, text, img, d);
    if (status != STATUS_OK && !file_has_suffix(path, ".bin")) return characters_explain(text, size, "#/%", d);
    if (status != STATUS_OK || kernel == NULL || *img == NULL || strcmp(kernel, (*img)->name) == 0) return status;
    image_destroy(*img);
    *img = NULL;
    return diag_set(d, STATUS_BAD_INPUT, path, 0, 0, "there is no kernel '%.60s'; a file of words has no kernel names",
                    kernel);
}

enum status image_read(const char *path, char *text, size_t size, const struct image_choice *choice, struct image **img,
                       struct diag *d) {
    *img = NULL;
    if (size >= SELFMAG && memcmp(text, ELFMAG, SELFMAG) == 0) return elf_load(path, text, size, choice, img, d);
    if (file_has_suffix(path, ".bin")) return load_words(path, text, size, choice->kernel, img, d);
    if (characters_are_utf16(text, size))
        return diag_set(d, STATUS_BAD_INPUT, path, 1, 1, "the text is UTF-16: save it as UTF-8, without a mark");
    if (memory_file_is(path)) return load_words(path, text, size, choice->kernel, img, d);
    if (file_has_suffix(path, ".cl") || file_has_suffix(path, ".cu") || file_has_suffix(path, ".ptx"))
        return diag_set(d, STATUS_BAD_INPUT, path, 0, 0, "is a source for warp-cc, which makes an image of it");
    if (file_has_suffix(path, ".c") || file_has_suffix(path, ".cc") || file_has_suffix(path, ".cpp"))
        return diag_set(d, STATUS_BAD_INPUT, path, 0, 0,
                        "the suffix selects the language: .cl is OpenCL C, .cu is CUDA C, .sass is assembly");
    if (memchr(text, '\0', size) != NULL)
        return diag_set(d, STATUS_BAD_INPUT, path, 0, 0, "is neither an image nor a text");
    if (image_is_text_cubin(text, size)) {
        image_from_text_cubin(path, text, size, choice, img, d);
        return characters_explain(text, size, "#/", d);
    }
    return load_source(path, text, size, choice, img, d);
}

enum status image_load_as(const char *path, const struct image_choice *choice, struct image **img, struct diag *d) {
    char *text;
    size_t size;
    *img = NULL;
    enum status status = file_read(path, &text, &size, d);
    if (status != STATUS_OK) return status;
    status = image_read(file_name(path), text, size, choice, img, d);
    free(text);
    return status;
}

enum status image_load(const char *path, const char *kernel, struct image **img, struct diag *d) {
    const struct image_choice choice = {.kernel = kernel, .variables = IMAGE_VARIABLES, .by_words = true};
    return image_load_as(path, &choice, img, d);
}
