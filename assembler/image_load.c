/* SPDX-License-Identifier: Apache-2.0 */
/* Any file that holds a kernel, told apart by its content: ELF (image or cubin), text cubin, .hex, and everything else
 * is source. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "assemble.h"
#include "file.h"
#include "image_forms.h"

static bool has_suffix(const char *path, const char *suffix) {
    size_t n = strlen(path), m = strlen(suffix);
    return n >= m && strcmp(path + n - m, suffix) == 0;
}

/* The first words of a text cubin. */
static bool is_text_cubin(const char *text) {
    text += strspn(text, " \t\r\n");
    return strncmp(text, "architecture", 12) == 0 || strncmp(text, "abiversion", 10) == 0 ||
           strncmp(text, "code {", 6) == 0 || strncmp(text, "code  {", 7) == 0;
}

static enum status load_source(const char *path, const char *text, size_t size, const char *kernel, struct image **img,
                               struct diag *d) {
    struct assembly a;
    struct messages m;
    messages_init(&m, path, text, size);
    if (assemble_text(path, text, size, kernel, &a, &m) != STATUS_OK) return messages_first(&m, d);
    *img = a.image;
    a.image = NULL;
    assembly_release(&a);
    return STATUS_OK;
}

enum status image_load(const char *path, const char *kernel, struct image **img, struct diag *d) {
    char *text;
    size_t size;
    *img = NULL;
    enum status status = file_read(path, &text, &size, d);
    if (status != STATUS_OK) return status;

    if (size >= 4 && memcmp(text, "\177ELF", 4) == 0)
        status = image_from_elf(path, text, size, kernel, img, d);
    else if (has_suffix(path, ".hex"))
        status = image_from_hex(path, text, size, img, d);
    else if (memchr(text, '\0', size) != NULL)
        status = diag_set(d, STATUS_BAD_INPUT, path, 0, 0, "is neither an image nor a text");
    else if (is_text_cubin(text))
        status = image_from_text_cubin(path, text, size, kernel, img, d);
    else
        status = load_source(path, text, size, kernel, img, d);
    free(text);
    return status;
}
