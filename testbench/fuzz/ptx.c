/* SPDX-License-Identifier: Apache-2.0 */
/* warp-cc: PTX text. A compiled program is an image that lists, and the listing of all kernels assembles; a refused one
 * has one message, with its place. */
#include "fuzz.h"

#include <string.h>

#include "../../compiler/compile.h"

static void check_refusal(enum status status, const struct diag *d, const struct compiled *program) {
    fuzz_check_diag(status, d);
    fuzz_check(strchr(d->text, '\n') == NULL, "a message of several lines");
    fuzz_check(d->line > 0 || strcmp(d->text, "there is no kernel") == 0, "a message without a line");
    fuzz_check(program->kernels == NULL && program->listing == NULL && program->notes == NULL, "half a program");
}

/* Every length selects other options. */
static struct compile_options options_of(size_t size) {
    static const unsigned REGISTERS[] = {0, 8, 16, 64};
    struct compile_options options = COMPILE_DEFAULT;
    options.file = "fuzz.ptx";
    options.level = (unsigned)(size % 3);
    options.max_registers = REGISTERS[size / 3 % 4];
    options.arch = size / 12 % 2 == 0 ? 11 : 0;
    options.fast_math = size / 24 % 2 != 0;
    options.contract = (enum compile_contract)(size / 48 % 3);
    return options;
}

void fuzz_input(char *text, size_t size) {
    struct compiled program;
    struct diag d = {0};
    const struct compile_options options = options_of(size);
    const enum status status = compile_ptx(text, size, &options, &program, &d);
    if (status != STATUS_OK) check_refusal(status, &d, &program);
    for (size_t i = 0; i < program.kernel_count; i++) fuzz_check_image(program.kernels[i].image);
    compiled_release(&program);
}
