/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels in the browser are text: this replaces assembler/elf_load.c, which needs libelf. */
#include "../assembler/elf_load.h"

enum status elf_load(const char *path, char *text, size_t size, const struct image_choice *choice, struct image **img,
                     struct diag *d) {
    (void)text, (void)size, (void)choice, (void)img;
    return diag_set(d, STATUS_BAD_INPUT, path, 0, 0, "an ELF file; the playground takes source, listings and .hex");
}
