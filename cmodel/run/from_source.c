/* SPDX-License-Identifier: Apache-2.0 */
#include "from_source.h"

#include "../../assembler/image/kernel_choice.h"

static enum status choose(const char *path, const struct image_choice *choice, struct compiled *program,
                          struct image **img, struct diag *d) {
    struct kernel_choice k = {.by = choice};
    struct compile_kernel *chosen = NULL;
    for (size_t i = 0; i < program->kernel_count; i++) {
        struct compile_kernel *kernel = &program->kernels[i];
        if (kernel_choice_offer_linked(&k, kernel->image->name, kernel->image->linkage)) chosen = kernel;
    }
    const enum status status = kernel_choice_finish(&k, path, d);
    if (status != STATUS_OK || chosen == NULL) return status;
    *img = chosen->image;
    (*img)->kernels = program->kernel_count;
    chosen->image = NULL;
    return STATUS_OK;
}

enum status from_source_load(const char *path, const struct image_choice *choice, const struct driver_options *options,
                             struct image **img, struct diag *d) {
    struct compiled program;
    *img = NULL;
    enum status status = driver_compile(path, options, &program, d);
    if (status != STATUS_OK) return status;
    if (choice->messages != NULL && !choice->quiet) fputs(program.notes, choice->messages);
    status = choose(path, choice, &program, img, d);
    compiled_release(&program);
    return status;
}
