/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of text cubins, whether or not the text begins as one. */
#include "../../assembler/image_forms.h"
#include "fuzz.h"

void fuzz_input(char *text, size_t size) {
    const struct image_choice choice = {.variables = IMAGE_VARIABLES};
    struct image *img = NULL;
    struct diag d = {0};
    const enum status status = image_from_text_cubin("fuzz.cubin", text, size, &choice, &img, &d);
    fuzz_check_diag(status, &d);
    if (img == NULL) return;
    fuzz_check_image(img);
    image_destroy(img);
}
