/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of .hex files. */
#include "fuzz.h"

void fuzz_input(char *text, size_t size) {
    if (size < 4 || text[0] != '\177') image_destroy(fuzz_load("fuzz.hex", text, size));
}
