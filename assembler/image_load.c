/* SPDX-License-Identifier: Apache-2.0 */
/* Any file that holds a kernel, told apart by its content: ELF (image or cubin), text cubin, .hex, and everything else
 * is source. */
#include "image_load.h"

#include <elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "check/warn.h"
#include "cubin/cubin.h"
#include "elf_load.h"
#include "image/image_hex.h"
#include "source/assemble.h"
#include "source/bare_words.h"

static bool has_suffix(const char *path, const char *suffix) {
    size_t n = strlen(path), m = strlen(suffix);
    return n >= m && strcmp(path + n - m, suffix) == 0;
}

/* Notes of which registers the messages say that nothing has written them; each message begins with its register. */
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

/* Prints what the assembler and its checks have to say, as warp-as does, but for what the launch still decides. */
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

/* ... in which words may stand for instructions. */
static enum status load_source(const char *path, const char *text, size_t size, const struct image_choice *choice,
                               struct image **img, struct diag *d) {
    char *filled = NULL;
    if (bare_words_fill(path, text, size, &filled) != STATUS_OK)
        return diag_set(d, STATUS_NO_MEMORY, path, 0, 0, "out of memory");
    if (filled == NULL) return load_text(path, text, size, choice, img, d);
    const enum status status = load_text(path, filled, strlen(filled), choice, img, d);
    free(filled);
    return status;
}

/* Its only kernel is called "kernel". */
static enum status load_hex(const char *path, const char *text, size_t size, const char *kernel, struct image **img,
                            struct diag *d) {
    enum status status = image_from_hex(path, text, size, img, d);
    if (status != STATUS_OK || kernel == NULL || strcmp(kernel, (*img)->name) == 0) return status;
    image_destroy(*img);
    *img = NULL;
    return diag_set(d, STATUS_BAD_INPUT, path, 0, 0, "there is no kernel '%.60s'; a .hex file has no names", kernel);
}

enum status image_read(const char *path, char *text, size_t size, const struct image_choice *choice, struct image **img,
                       struct diag *d) {
    *img = NULL;
    if (size >= SELFMAG && memcmp(text, ELFMAG, SELFMAG) == 0) return elf_load(path, text, size, choice, img, d);
    if (has_suffix(path, ".hex")) return load_hex(path, text, size, choice->kernel, img, d);
    if (has_suffix(path, ".cl") || has_suffix(path, ".cu") || has_suffix(path, ".ptx"))
        return diag_set(d, STATUS_BAD_INPUT, path, 0, 0, "is a source for warp-cc, which makes an image of it");
    if (memchr(text, '\0', size) != NULL)
        return diag_set(d, STATUS_BAD_INPUT, path, 0, 0, "is neither an image nor a text");
    if (image_is_text_cubin(text, size)) return image_from_text_cubin(path, text, size, choice, img, d);
    return load_source(path, text, size, choice, img, d);
}

enum status image_load_as(const char *path, const struct image_choice *choice, struct image **img, struct diag *d) {
    char *text;
    size_t size;
    *img = NULL;
    enum status status = file_read(path, &text, &size, d);
    if (status != STATUS_OK) return status;
    status = image_read(path, text, size, choice, img, d);
    free(text);
    return status;
}

enum status image_load(const char *path, const char *kernel, struct image **img, struct diag *d) {
    const struct image_choice choice = {.kernel = kernel, .variables = IMAGE_VARIABLES};
    return image_load_as(path, &choice, img, d);
}
