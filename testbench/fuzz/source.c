/* SPDX-License-Identifier: Apache-2.0 */
/* warp-as: source text. An assembled source lists, and the listing assembles to the same image. */
#include "fuzz.h"

void fuzz_input(char *text, size_t size) {
    struct assembly a;
    if (fuzz_is_unfit(text, size) || !fuzz_assemble(text, size, &a)) return;
    fuzz_check_image(a.image);
    assembly_release(&a);
}
