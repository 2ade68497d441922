/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of our own ELF images, and the writer: the image is written and read again. */
#include "fuzz.h"

void fuzz_input(char *text, size_t size) {
    struct image *img = fuzz_make_elf(text, size) ? fuzz_load("fuzz.img", text, size) : NULL;
    if (img != NULL) fuzz_check_written(img, image_write_file);
    image_destroy(img);
}
