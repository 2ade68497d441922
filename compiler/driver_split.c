/* SPDX-License-Identifier: Apache-2.0 */
#include "driver_split.h"

#include <string.h>

#include "../assembler/base/begins.h"

/* Equally long. */
static const char EXTERNAL[] = "define dso_local ", INTERNAL[] = "define internal  ";

/* Returns whether a definition has the calling convention of kernels, spir_kernel or ptx_kernel, before its name. */
static bool is_kernel(const char *line) {
    static const char WORD[] = "_kernel ";
    return memmem(line, strcspn(line, "@\n"), WORD, sizeof WORD - 1) != NULL;
}

void driver_make_internal(char *ir) {
    for (char *line = ir; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (begins(line, EXTERNAL) && !is_kernel(line)) memcpy(line, INTERNAL, sizeof INTERNAL - 1);
    }
}
