/* SPDX-License-Identifier: Apache-2.0 */
/* .mif files, in the form of --global ADDR=@FILE.mif. The reader opens files by name, so the input becomes one. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../../cmodel/run/argument.h"
#include "fuzz.h"

void fuzz_input(char *text, size_t size) {
    char name[64];
    struct diag d = {0};
    uint8_t *bytes = NULL;
    size_t count = 0;
    snprintf(name, sizeof name, "@build/fuzz/mif-%ld.mif", (long)getpid());
    FILE *out = fopen(name + 1, "wb");
    if (out == NULL) return;
    fwrite(text, 1, size, out);
    fclose(out);
    const enum status status = argument_bytes(name, 1 << 24, &bytes, &count, &d);
    unlink(name + 1);
    fuzz_check_diag(status, &d);
    fuzz_check((status == STATUS_OK) == (bytes != NULL && count > 0), "bytes and an error, or neither");
    free(bytes);
}
