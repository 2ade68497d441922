/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of text cubins, for any beginning of the text, and the writer: the parts of the kernel that a text cubin
 * can hold read back. */
#include <stdlib.h>

#include "../../assembler/cubin/cubin.h"
#include "../../assembler/cubin/cubin_text_write.h"
#include "fuzz.h"

static enum status write_text(const struct image *img, const char *path, struct diag *d) {
    const struct image *const kernels[] = {img};
    return cubin_text_write(kernels, 1, path, d);
}

/* Reduces an image to the parts that a text cubin holds, with numbers that are never 0. */
static void reduce(struct image *img) {
    while (img->global_count > 0) free(img->global[--img->global_count].bytes);
    const unsigned used = image_regs_used(img);
    img->regs = img->regs > used ? img->regs : used;
    img->shared_bytes = img->shared_bytes > 16 ? img->shared_bytes : 16;
}

void fuzz_input(char *text, size_t size) {
    const struct image_choice choice = {.variables = IMAGE_VARIABLES};
    struct image *img = NULL;
    struct diag d = {0};
    const enum status status = image_from_text_cubin("fuzz.cubin", text, size, &choice, &img, &d);
    fuzz_check_diag(status, &d);
    if (img == NULL) return;
    fuzz_check_image(img);
    reduce(img);
    fuzz_check_written(img, write_text);
    image_destroy(img);
}
