/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of nvcc's ELF cubins: the same reader as for images, with other seeds. */
#include "fuzz.h"

void fuzz_input(char *text, size_t size) {
    if (fuzz_make_elf(text, size)) image_destroy(fuzz_load("fuzz.cubin", text, size));
}
